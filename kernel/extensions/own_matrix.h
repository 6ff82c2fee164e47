/* own_matrix.h - an opened matrix (own_matrices.c), and its values (own_numbers.c) */
#ifndef TN_OWN_MATRIX_H
#define TN_OWN_MATRIX_H

#include "extensions/solved.h"

typedef struct tn_own_matrix {
    struct tn_own_matrix *next;
    tn_matrix pattern;   /* a copy of the caller's */
    tn_matrix matrix;    /* for the linear solver; complex values are separate */
    uint32_t parts;      /* of a number: 2 where it is complex */
    bool doubled;        /* complex numbers as real blocks */
    const double *value; /* that were factorised */
    double *given;       /* [size of the caller][parts] the right-hand side of a checked solution */
    double *check;       /* [2][size of the caller][parts] memory of checks */
    double *restored;    /* [entries][parts] values, where a restored state contains them; or NULL */
    tn_accuracy accuracy;
    const tn_loaded_linear *type;
    void *self;   /* of the linear solver; NULL: begins anew */
    bool waiting; /* restored, and not opened yet */
    bool matched; /* while a state is restored: the state contains it */
} tn_own_matrix;

static inline size_t tn_entries_of(const tn_matrix *matrix)
{
    return (size_t)matrix->column_start[matrix->size];
}

static inline bool tn_is_complex(const tn_own_matrix *m) { return m->parts == 2 && !m->doubled; }

/* Fills the pattern of real blocks from that of complex numbers; its arrays are allocated. */
void tn_own_double_pattern(tn_own_matrix *m);
/* Values for the linear solver. */
void tn_own_take_values(tn_own_matrix *m, const double *value);

#endif

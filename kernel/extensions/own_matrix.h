/* own_matrix.h - matrices of one pattern, as they are opened (own_matrices.c), and their numbers (own_numbers.c) */
#ifndef TN_OWN_MATRIX_H
#define TN_OWN_MATRIX_H

#include "system/linear.h"

typedef struct tn_own_matrix {
    struct tn_own_matrix *next;
    tn_matrix pattern;   /* a copy of the caller's */
    tn_matrix matrix;    /* as the linear solver sees it; complex values stand apart */
    uint32_t parts;      /* of a number: 2 of complex ones */
    bool doubled;        /* complex numbers as real blocks */
    const double *value; /* those that were factorised */
    double *given;       /* [size of the caller][parts] a right-hand side that is checked, */
    double *terms;       /* and the sizes of what is added up in each row */
    bool checks;         /* the next solution */
    uint64_t factorisations;
    const tn_loaded_linear *type;
    void *self;   /* of the linear solver; NULL: begins anew */
    bool waiting; /* restored, and not asked for yet */
    bool matched; /* while a state is restored: it is in there */
} tn_own_matrix;

static inline size_t tn_entries_of(const tn_matrix *matrix)
{
    return (size_t)matrix->column_start[matrix->size];
}

static inline bool tn_is_complex(const tn_own_matrix *m) { return m->parts == 2 && !m->doubled; }

/* Fills the pattern of real blocks from that of complex numbers; the arrays are there. */
void tn_own_double_pattern(tn_own_matrix *m);
/* Values for the linear solver. */
void tn_own_take_values(tn_own_matrix *m, const double *value);
/* What a solution leaves of the right-hand side that was given, against the largest sum of its terms. */
double tn_own_residual(const tn_own_matrix *m, const double *x);

#endif

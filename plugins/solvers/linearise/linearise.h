/* linearise.h - the parameters of linearise, and the memory of one linearisation.
 *
 * With xi and eta increments of positions and velocities in axes that do not turn (draft/linearisation.h), x the states, l the
 * multipliers, u the inputs:
 *
 *     M eta' + D eta + K xi = B l + F x + F_u u,   xi' = eta - T xi,   G xi = 0,   A eta + L xi = 0
 *
 * All matrices stand row by row. */
#ifndef TENON_LINEARISE_H
#define TENON_LINEARISE_H

#include <tenon/draft/linearisation.h>
#include <tenon/draft/signals.h>
#include <tenon/draft/statics.h>
#include <tenon/draft/stepping.h>
#include <tenon/draft/tables.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINEAR_TEXT = 1024 }; /* letters of a message */

typedef struct linear_instance {
    tn_texts inputs, outputs, states;
    int32_t force;
} linear_instance;

/* A matrix by rows. */
typedef struct linear_matrix {
    size_t rows, columns;
    double *value;
} linear_matrix;

/* Derivatives of some numbers by all of them. */
typedef struct linear_slopes {
    linear_matrix position, velocity, acceleration, reaction, state, input;
} linear_slopes;

/* Something with a name, of inputs, outputs or states. */
typedef struct linear_name {
    const char *name, *unit;
    double value;     /* at the operating point; NaN: it has none */
    const char *kind; /* of an output how it is differentiated, of a state what it is */
} linear_name;

/* A state-space form; E is the identity where it has no rows. */
typedef struct linear_form {
    linear_matrix E, A, B, C, D;
} linear_form;

typedef struct linear_work {
    const linear_instance *settings;
    tn_system *system;
    const tn_linearisation *equations;
    const tn_signals *signals;
    const tn_statics *statics;
    size_t nv, rows, states; /* states that are no quadratures */

    /* what is asked for: numbers among those of the model */
    uint32_t *input, *output, *position;
    size_t inputs, outputs, positions;
    linear_name *input_name, *output_name;

    /* equations.c */
    linear_matrix M, D, K, T, R, L, B, by_state, by_input; /* R: G, or A */
    linear_matrix turn;                                    /* [nv][3] and where these begin: P */
    uint32_t *turn_first;                                  /* [nv] */
    double *own_transport;                                 /* [nv][nv] T in own axes */
    linear_slopes rate, to_output;
    double rest;       /* forces that are out of balance, of those in play */
    const char *worst; /* whose */
    bool moves, reads_accelerations, reads_reactions;

    /* coordinates.c */
    uint32_t *row; /* [independent] rows, those of positions first */
    size_t independent, position_rows;
    linear_matrix basis; /* orthonormal, of these rows by scaled coordinates, by rows */
    linear_matrix free_positions, free_velocities; /* by rows: what they leave, scaled */
    linear_matrix name_row, name_slope;            /* P and S of named positions, still axes */
    uint32_t *rate_of;                             /* [velocities] number of the position whose rate it is */
    size_t free_count, velocity_count;             /* positions and velocities among the states */
    linear_matrix xi, eta_p, eta_w;                /* S [nv][p], and eta by p and by w */

    linear_matrix spread; /* reduce.c: [rows][independent] all multipliers by those of independent rows */

    /* results */
    linear_name *state_name, *descriptor_name;
    linear_form minimal, descriptor, discrete;
    double step;          /* s, of the discrete form; 0: none */
    const char **inexact; /* what is not exact, in words */
    size_t inexact_count;
} linear_work;

/* ---- dense.c: all memory is the host's; NULL value: there is none ------------------------------------------- */

bool linear_new(linear_work *work, linear_matrix *m, size_t rows, size_t columns);
void *linear_array(linear_work *work, size_t count, size_t size);
const char *linear_print(linear_work *work, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline double *linear_row(const linear_matrix *m, size_t r) { return m->value + r * m->columns; }
/* to += factor a b, or a^T b. */
void linear_add_product(double factor, const linear_matrix *a, const linear_matrix *b, linear_matrix *to);
/* Solves a X = b in place of b; a is lost. The reciprocal condition; 0: singular; -1: no memory. */
double linear_solve(linear_work *work, linear_matrix *a, linear_matrix *b);
/* Adds what is left of `vector` [n] beside the `*count` rows of an orthonormal basis as one more, unless that is less than `share` of
 * it. */
bool linear_extend(double *basis, size_t *count, size_t n, const double *vector, double share);

/* ---- the parts ----------------------------------------------------------------------------------------------- */

/* equations.c: all at the current state. */
tn_status linear_find_equations(linear_work *work);
/* coordinates.c: independent rows, and the coordinates of motions that they leave. */
tn_status linear_find_coordinates(linear_work *work);
/* reduce.c, descriptor.c, discrete.c: the forms. */
tn_status linear_reduce(linear_work *work);
tn_status linear_describe(linear_work *work);
tn_status linear_discretise(linear_work *work);
/* linearise.c: fails at an entry of `states`. */
tn_status linear_refuse_position(linear_work *work, size_t number, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- files --------------------------------------------------------------------------------------------------- */

/* Bytes that grow; `failed`: there was no memory. */
typedef struct linear_bytes {
    unsigned char *byte;
    size_t count, capacity;
    bool failed;
} linear_bytes;
void linear_put(linear_bytes *to, const void *bytes, size_t count);
void linear_say(linear_bytes *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A matrix, or a list of names, of the results under a name. */
typedef struct linear_entry {
    const char *name;
    const linear_matrix *matrix; /* NULL: */
    const linear_name *list;
    size_t count;
} linear_entry;
/* All entries for binary files; their number. files.c */
enum { LINEAR_ENTRIES = 24 };
size_t linear_entries(const linear_work *work, linear_entry *entry);
tn_status linear_write_files(linear_work *work);
void linear_json(const linear_work *work, linear_bytes *to);
void linear_npz(const linear_entry *entry, size_t count, linear_bytes *to);
/* Whether this build writes MATLAB files; false of the other one: it could not be made. */
bool linear_has_mat(void);
bool linear_mat(const linear_entry *entry, size_t count, linear_bytes *to);

#endif

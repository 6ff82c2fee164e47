/* static.h - the parameters of static, and the memory of one search for an equilibrium. */
#ifndef TENON_STATIC_H
#define TENON_STATIC_H

#include <tenon/draft/error_scale.h>
#include <tenon/draft/operators.h>
#include <tenon/draft/statics.h>
#include <tenon/draft/stepping.h>

#include <math.h>
#include <string.h>

enum { FREE_REFUSE, FREE_HOLD };
enum { LOAD_GRAVITY, LOAD_ALL };
enum { STAGE_ALL };           /* else one of the stages, by its number in static.c */
enum { STATIC_NAMES = 1024 }; /* letters of a message */

typedef struct static_instance {
    double tolerance;
    int64_t iterations;
    int32_t free, load, stage, arc_length, path;
} static_instance;

/* A state that is returned to. */
typedef struct static_point {
    double *q, *lambda, *x;
    double load;
} static_point;

enum { STATIC_MODES = 12 };

/* The motions that the reduced tangent at the current state resists least. */
typedef struct static_modes {
    uint32_t count;
    double value[STATIC_MODES];    /* s^-2, real parts */
    double *vector[STATIC_MODES];  /* [nv], of unit mass */
    bool is_free[STATIC_MODES];    /* nothing resists */
    uint32_t free_count, negative; /* eigenvalues below zero, among all where `exact` */
    bool exact;
} static_modes;

/* One search. The unknowns are an increment of q [nv], one of the multipliers [rows], and one of the states that are found [states],
 * one behind the other, `size` numbers in all. With s the load factor their equations are
 *
 *     f + G^T lambda - (1 - s) f0 = 0,   g = 0,   x' = 0      (f0 = 0 where gravity is scaled instead)
 */
typedef struct static_work {
    const static_instance *settings;
    tn_system *system;
    tn_matrix *matrix;
    const tn_statics *statics;
    const tn_operators *operators;
    const tn_error_scale *kinds;
    uint32_t nv, rows, states, size;
    uint32_t *state;     /* [states] numbers of those that are found */
    uint32_t *diagonal;  /* [nv + rows] their places among the values of the matrix, UINT32_MAX for none */
    double *cap;         /* [nv] the longest increments of one iteration */
    double *residual;    /* [size] right-hand side of the equations at the current state */
    double *direction;   /* [size] correction */
    double *trial;       /* [size] of another one; memory */
    double *product;     /* [size] memory */
    double *start_force; /* [nv] f0 */
    double *rest;        /* [rows] what stands against dependent rows */
    double *full;        /* [size][size] dense matrix, column by column, where there are states; else NULL */
    int *pivot;          /* [size] of it */
    double *factors;     /* [size][size] its factors */
    double *symmetric;   /* dense matrix for the count of negative eigenvalues, or NULL: too large */
    int *exchange;
    double *block; /* memory of its factorisation */
    int block_size;
    double *force_by_state, *rate_by_motion, *rate_by_state; /* of state_tangent, or NULL */
    double row_scale;                                        /* of rows in the matrix */
    double load;                                             /* s, 0 ... 1 */
    bool gravity;                                            /* s is a factor of gravity */
    bool potential;           /* forces are the slope of the potential, as far as is known */
    bool symmetry;            /* of the last matrix */
    double stiffest;          /* s^-2, the fastest motion about */
    double least_shift;       /* s^-2, that makes a matrix regular where motions are free */
    double shift;             /* of the last descent */
    double energy;            /* J, of forces in play along coordinates of their scale */
    double noise;             /* J, of round-off of forces that stiffnesses make */
    double reached;           /* last relative increment */
    uint32_t path_rows;       /* so far */
    uint64_t iterations;      /* of the current stage */
    struct static_span *span; /* modes.c */
    static_modes modes;       /* at the equilibrium */
    static_point start, last, unstable, before, kept, trial_point; /* the start, the last load step, ... */
} static_work;

/* ---- equations.c ---- */

tn_status tn_static_prepare(static_work *work, const static_instance *settings, tn_system *system);
/* Residuals at the current state and load. */
tn_status tn_static_evaluate(static_work *work);
/* The largest residual force against those in play. */
double tn_static_rest(const static_work *work);
/* matrix.c. Sizes of stiffnesses and forces, at the current state. */
tn_status tn_static_measure(static_work *work);
/* The matrix at the last evaluation with a shift (s^-2) times the masses; factorised. TN_RETRY: singular. */
tn_status tn_static_matrix(static_work *work, double shift);
tn_status tn_static_factor(static_work *work);
tn_status tn_static_solve(static_work *work, const double *right_hand_side, double *solution);
/* The matrix, or its transpose, times a vector. */
void tn_static_multiply(const static_work *work, const double *x, double *product);
void tn_static_multiply_transposed(const static_work *work, const double *x, double *product);
/* The state at `share` of a direction from a point. */
tn_status tn_static_apply(static_work *work, const static_point *from, const double *direction, double share);
void tn_static_keep(const static_work *work, static_point *point);
void tn_static_return(static_work *work, const static_point *point);
void tn_static_set_load(static_work *work, double load);
/* Derivative of the residual by the load factor, at the current state, which is evaluated in the end. */
tn_status tn_static_load_vector(static_work *work, double *by_load);
/* The largest increment of q of a direction, against `cap`, or against the scales of coordinates. */
double tn_static_size(const static_work *work, const double *direction, const double *against);
double tn_static_dot(const static_work *work, const double *a,
                     const double *b); /* of increments of q, scaled */

/* ---- descent.c, newton.c ---- */

/* Number of eigenvalues of the reduced tangent with the shift of the last matrix that are negative, by its inertia; -1: not known. */
int tn_static_negative(static_work *work);
/* From the current state: by descents of the energy; by natural monotony; plain iterations to the end. */
tn_status tn_static_descend(static_work *work, int64_t most, bool *found);
tn_status tn_static_iterate(static_work *work, int64_t most, bool *found);
tn_status tn_static_finish(static_work *work, bool *found);
/* The one that fits. */
tn_status tn_static_newton(static_work *work, int64_t most, bool *found);

/* ---- the other stages ---- */

tn_status tn_static_trust_region(static_work *work, bool *found);
tn_status tn_static_load_steps(static_work *work, bool *found);
tn_status tn_static_arc_length(static_work *work, bool *found);
tn_status tn_static_relax(static_work *work, bool *found);

/* ---- modes.c ---- */

tn_status tn_static_find_modes(static_work *work, static_modes *modes);
/* Names the free ones: those along which a force acts, or all. How many. */
uint32_t tn_static_name_free(static_work *work, const static_modes *modes, bool loaded, char *text,
                             size_t size);

#endif

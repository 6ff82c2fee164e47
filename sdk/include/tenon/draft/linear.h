/* tenon/draft/linear.h - optional services of linear solvers beyond factor and solve, each under its own key; `self` is what
 * create() has made, factorised. */
#ifndef TENON_DRAFT_LINEAR_H
#define TENON_DRAFT_LINEAR_H

#include "tenon/linear.h"

#define TN_SEVERAL_KEY "tenon.several/1"
typedef struct tn_several_capability {
    uint32_t struct_size, reserved;
    /* [hot] `count` right-hand sides, one behind the other, are replaced by their solutions. */
    tn_status (*solve_several)(void *self, double *right_hand_sides, uint32_t count);
} tn_several_capability;

#define TN_TRANSPOSED_KEY "tenon.transposed/1"
typedef struct tn_transposed_capability {
    uint32_t struct_size, reserved;
    /* [hot] Solves with the transposed matrix. */
    tn_status (*solve_transposed)(void *self, double *right_hand_side);
} tn_transposed_capability;

#define TN_COMPLEX_KEY "tenon.complex/1"
typedef struct tn_complex_capability {
    uint32_t struct_size, reserved;
    /* Of a complex matrix of the same pattern, values and right-hand sides as pairs of real and imaginary part. */
    tn_status (*factor_complex)(void *self, const tn_matrix *pattern, const double *value);
    tn_status (*solve_complex)(void *self, double *right_hand_side);
} tn_complex_capability;

#define TN_INERTIA_KEY "tenon.inertia/1"
typedef struct tn_inertia_capability {
    uint32_t struct_size, reserved;
    /* [setup] Numbers of positive, negative and zero eigenvalues of the symmetric matrix that was factorised (Sylvester's law). */
    tn_status (*inertia)(void *self, uint32_t *positive, uint32_t *negative, uint32_t *zero);
} tn_inertia_capability;

#define TN_ESTIMATE_KEY "tenon.estimate/1"
typedef struct tn_estimate_capability {
    uint32_t struct_size, reserved;
    /* [setup] Entries of the factors, and floating-point operations of a factorisation, of a pattern that create() has analysed. */
    tn_status (*estimate)(void *self, double *entries, double *operations);
} tn_estimate_capability;

#define TN_FALLBACK_KEY "tenon.fallback/1"
typedef struct tn_fallback_capability {
    uint32_t struct_size, reserved;
    /* [setup] How many factorisations have been left to another method, where this one's own would have been inaccurate or slow, and its
     * name, which stays the plugin's. */
    uint64_t (*fallbacks)(const void *self, const char **to);
} tn_fallback_capability;

/* "tenon.factor_cost/1": with it a linear solver is among those that large models choose from. */
#define TN_COST_KEY "tenon.factor_cost/1"
typedef struct tn_linear_cost {
    double entries, operations;     /* of the factors; floating-point operations of a factorisation */
    double factorisation, solution; /* s, one of each; HUGE_VAL: any other one is better for this matrix */
    double memory;                  /* bytes, of factors and for a factorisation */
} tn_linear_cost;
typedef struct tn_cost_capability {
    uint32_t struct_size, reserved;
    /* [setup] What factors are expected to cost, before the first factor(). `matrix` has values of the start: what is zero there is likely
     * to stay so. Times come of rates that were measured once, on a core with 10^10 bytes/s of memory: they are constants, so that a
     * model chooses the same solver on every machine. */
    tn_status (*cost)(void *self, const tn_matrix *matrix, tn_linear_cost *cost);
    /* [setup] NULL, or times below which this solver does not come, whatever cost() would find, where another one expects factors of `known`
     * for a matrix of `size` unknowns: who cannot win need not analyse the matrix. */
    void (*least)(uint32_t size, const tn_linear_cost *known, tn_linear_cost *least);
} tn_cost_capability;

#endif

/* klu.c - sparse LU factorisation by SuiteSparse KLU (sparse_lu.h) as a linear solver */
#include "tenon/descriptors.h"

#include "../sparse_lu.h"

static tn_status create_klu(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                            void **self)
{
    if (matrix->size > INT32_MAX) {
        tn_say(host, TN_ERROR, "klu counts in 32 bits: %u unknowns are too many", matrix->size);
        return TN_UNSUPPORTED;
    }
    *self = host->allocate(host, sizeof(sparse_lu));
    return *self ? sparse_lu_make(*self, matrix) : TN_OUT_OF_MEMORY;
}

static tn_status factor_klu(void *self, const tn_matrix *matrix) { return sparse_lu_factor(self, matrix); }

static tn_status solve_klu(void *self, double *right_hand_side)
{
    return sparse_lu_solve(self, right_hand_side);
}

static tn_status factor_complex_klu(void *self, const tn_matrix *pattern, const double *value)
{
    return sparse_lu_factor_complex(self, pattern, value);
}

static tn_status solve_complex_klu(void *self, double *right_hand_side)
{
    return sparse_lu_solve_complex(self, right_hand_side);
}

static tn_status state_of_klu(void *self, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    return sparse_lu_state(self, matrix, visitor);
}

static tn_status estimate_klu(void *self, double *entries, double *operations)
{
    return sparse_lu_estimate(self, entries, operations);
}

/* ---- what it costs ----------------------------------------------------------------------------------------------- */

/* Measured on lattices and grids: 0.5 ns an operation where columns are long, and 1.3 ns of substitution with a number and its index, and 10 ns for
 * each unknown. */
static void find_times(uint32_t size, tn_linear_cost *cost)
{
    cost->factorisation = 5e-10 * cost->operations + 6e-9 * cost->entries;
    cost->solution = 1.3e-9 * cost->entries + 1e-8 * size;
    cost->memory = 12.0 * cost->entries; /* numbers and indices */
}

/* Other orders are not that much longer. */
static void least_of_klu(uint32_t size, const tn_linear_cost *known, tn_linear_cost *least)
{
    *least = (tn_linear_cost){.entries = 0.8 * known->entries, .operations = 0.6 * known->operations};
    find_times(size, least);
}

static tn_status cost_of_klu(void *self, const tn_matrix *matrix, tn_linear_cost *cost)
{
    sparse_lu *solver = self;
    const tn_status status = sparse_lu_count(solver, matrix, cost);
    if (status != TN_OK || solver->size == 0) return status;
    if (order_has_weak(&solver->pattern, solver->size)) order_expect_exchanges(cost);
    find_times((uint32_t)solver->size, cost);
    return TN_OK;
}

static const tn_cost_capability klu_cost = {
    .struct_size = sizeof klu_cost, .cost = cost_of_klu, .least = least_of_klu};
static const tn_estimate_capability klu_estimate = {.struct_size = sizeof klu_estimate,
                                                    .estimate = estimate_klu};
static const tn_linear_state_capability klu_state = {.struct_size = sizeof klu_state, .state = state_of_klu};
static const tn_complex_capability klu_of_complex = {.struct_size = sizeof klu_of_complex,
                                                     .factor_complex = factor_complex_klu,
                                                     .solve_complex = solve_complex_klu};
static const tn_capability klu_capabilities[] = {{TN_LINEAR_STATE_KEY, &klu_state},
                                                 {TN_COMPLEX_KEY, &klu_of_complex},
                                                 {TN_ESTIMATE_KEY, &klu_estimate},
                                                 {TN_COST_KEY, &klu_cost},
                                                 {NULL, NULL}};

static void destroy_klu(void *self)
{
    if (self) sparse_lu_free(self);
}

static const tn_linear_type klu_type = {
    .struct_size = sizeof(tn_linear_type),
    .name = "klu",
    .capabilities = klu_capabilities,
    .summary =
        "sparse LU by SuiteSparse KLU (LGPL-2.1-or-later library), reuses the pivot order while it is good",
    .formula = "P R A Q = L U;  R scales rows, Q from approximate minimum degree, P partial pivoting",
    .literature = "Davis, Palamadai Natarajan: Algorithm 907: KLU, a direct sparse solver for circuit "
                  "simulation problems, "
                  "ACM Trans. Math. Softw. 37 (2010) 36:1-36:17",
    .create = create_klu,
    .factor = factor_klu,
    .solve = solve_klu,
    .destroy = destroy_klu,
};

TN_LIBRARY("klu", "1.0.0", "Apache-2.0",
           "sparse linear solver; links SuiteSparse KLU, which is under LGPL-2.1-or-later",
           {TN_LINEAR_KIND, &klu_type})

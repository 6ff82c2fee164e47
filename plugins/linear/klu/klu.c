/* klu.c - sparse LU factorisation by SuiteSparse KLU, for the iteration matrices of implicit solvers.
 *
 * Of the pattern announced only the entries are factorised that are used. Their own fill-reducing order gives the shortest
 * factors, unless rows of constraints come before their bodies: then the pivots on their small diagonal are exchanged for
 * others, with fill that grows as the square of the model. The order of the whole pattern is safe from that. Where the model
 * is not too large both are tried.
 *
 * The pivot order of one full factorisation is used again while it stays good: a refactorisation costs a
 * fraction of it. The block triangular form is off, since iteration matrices of connected models are one
 * block. */
#include "tenon/descriptors.h"

#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>

#include "klu_complex.h"
#include "packed_factors.h"
#include "used_pattern.h"

#include <string.h>

#define WORN_PIVOTS 1e-3     /* of the reciprocal condition at the last full factorisation */
enum { MOST_TRIED = 20000 }; /* unknowns: a bad order costs as much as a hundred good ones here */

typedef struct klu_solver {
    const tn_host *host;
    klu_common common;
    klu_symbolic *announced, *symbolic; /* of the whole pattern, and of what is used */
    bool tries_own;                     /* order of what is used: it has won so far */
    bool own;                           /* the order is that */
    klu_numeric *numeric;
    used_pattern pattern;
    packed_factors packed;
    double first_rcond;  /* right after the last full factorisation, */
    double *first_value; /* [entries announced] of this matrix, as much as is used */
    int32_t size;
    klu_complex complex; /* factors of complex matrices, which have nothing to do with the others */
} klu_solver;

static tn_status status_of(const klu_solver *solver)
{
    if (solver->common.status == KLU_SINGULAR) return TN_RETRY;
    if (solver->common.status == KLU_OUT_OF_MEMORY) return TN_OUT_OF_MEMORY;
    return TN_FATAL;
}

static tn_status create_klu(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                            void **self)
{
    if (matrix->size > INT32_MAX) {
        tn_say(host, TN_ERROR, "klu counts in 32 bits: %u unknowns are too many", matrix->size);
        return TN_UNSUPPORTED;
    }
    klu_solver *solver = host->allocate(host, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    solver->host = host;
    solver->size = (int32_t)matrix->size;
    solver->tries_own = matrix->size <= MOST_TRIED;
    *self = solver;
    if (!klu_defaults(&solver->common)) return TN_FATAL;
    solver->common.ordering = 0; // AMD
    solver->common.btf = 0;
    if (solver->size == 0) return TN_OK;

    // the library takes the pattern as not const, but does not change it
    solver->announced = klu_analyze(solver->size, (int32_t *)(uintptr_t)matrix->column_start,
                                    (int32_t *)(uintptr_t)matrix->row, &solver->common);
    if (!solver->announced) return status_of(solver);
    solver->first_value =
        host->allocate(host, ((size_t)matrix->column_start[matrix->size] + 1) * sizeof(double));
    const bool made = solver->first_value && used_pattern_make(&solver->pattern, matrix) &&
                      packed_make(&solver->packed, solver->size);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

/* New values under the old pivot order; false when the order is worn out. */
static bool refactor(klu_solver *solver)
{
    used_pattern *pattern = &solver->pattern;
    if (!klu_refactor(pattern->start, pattern->row, pattern->value, solver->symbolic, solver->numeric,
                      &solver->common))
        return false;
    if (!klu_rcond(solver->symbolic, solver->numeric, &solver->common)) return false;
    return solver->common.rcond >= WORN_PIVOTS * solver->first_rcond;
}

static tn_status pack(klu_solver *solver)
{
    const bool done = packed_fill(&solver->packed, solver->symbolic, solver->numeric, &solver->common);
    return done ? TN_OK : TN_OUT_OF_MEMORY;
}

static void forget(klu_solver *solver)
{
    (void)klu_free_numeric(&solver->numeric, &solver->common);
    (void)klu_free_symbolic(&solver->symbolic, &solver->common);
}

static klu_numeric *factor_in_order(klu_solver *solver, klu_symbolic *order)
{
    used_pattern *pattern = &solver->pattern;
    return order ? klu_factor(pattern->start, pattern->row, pattern->value, order, &solver->common) : NULL;
}

static bool lacks_memory(const klu_solver *solver) { return solver->common.status == KLU_OUT_OF_MEMORY; }

/* The order with the shorter factors; one that has lost is not tried again. A lack of memory decides on none. */
static tn_status choose_order(klu_solver *solver)
{
    used_pattern *pattern = &solver->pattern;
    solver->symbolic = klu_analyze_given(solver->size, pattern->start, pattern->row, solver->announced->P,
                                         solver->announced->Q, &solver->common);
    if (!solver->symbolic) return status_of(solver);
    solver->own = false;
    if (!solver->tries_own) return TN_OK;
    klu_symbolic *own = klu_analyze(solver->size, pattern->start, pattern->row, &solver->common);
    bool lacks = lacks_memory(solver);
    klu_numeric *safe = factor_in_order(solver, solver->symbolic);
    lacks = lacks || lacks_memory(solver);
    klu_numeric *short_one = factor_in_order(solver, own);
    lacks = lacks || (own && lacks_memory(solver));
    solver->tries_own = !safe || (short_one && short_one->lnz + short_one->unz <
                                                   safe->lnz + safe->unz); // singular: no verdict
    const bool wins = safe && solver->tries_own;
    (void)klu_free_numeric(&safe, &solver->common);
    (void)klu_free_numeric(&short_one, &solver->common);
    (void)klu_free_symbolic(wins ? &solver->symbolic : &own, &solver->common);
    if (wins) solver->symbolic = own;
    solver->own = wins;
    if (!lacks) return TN_OK;
    forget(solver);
    return TN_OUT_OF_MEMORY;
}

/* A full factorisation, which chooses pivots for these values. */
static tn_status choose_pivots(klu_solver *solver)
{
    const used_pattern *pattern = &solver->pattern;
    (void)klu_free_numeric(&solver->numeric, &solver->common);
    memcpy(solver->first_value, pattern->value, (size_t)pattern->start[solver->size] * sizeof(double));
    solver->numeric = factor_in_order(solver, solver->symbolic);
    if (!solver->numeric) return status_of(solver);
    if (!klu_rcond(solver->symbolic, solver->numeric, &solver->common)) return status_of(solver);
    solver->first_rcond = solver->common.rcond;
    return solver->first_rcond > 0.0 ? pack(solver) : TN_RETRY; // zero or not a number: singular
}

static tn_status factor_klu(void *self, const tn_matrix *matrix)
{
    klu_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    if (used_pattern_fill(&solver->pattern, matrix)) forget(solver);
    const tn_status chosen = solver->symbolic ? TN_OK : choose_order(solver);
    if (chosen != TN_OK) return chosen;
    if (solver->numeric && refactor(solver)) return pack(solver);
    if (solver->numeric && lacks_memory(solver)) return TN_OUT_OF_MEMORY;
    return choose_pivots(solver);
}

static tn_status solve_klu(void *self, double *right_hand_side)
{
    klu_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    if (!solver->numeric) return TN_FATAL;
    packed_solve(&solver->packed, right_hand_side);
    return TN_OK;
}

/* ---- complex matrices ---- */

static tn_status factor_complex_klu(void *self, const tn_matrix *pattern, const double *value)
{
    klu_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    return klu_complex_factor(&solver->complex, pattern, value, solver->announced,
                              pattern->size <= MOST_TRIED, &solver->common);
}

static tn_status solve_complex_klu(void *self, double *right_hand_side)
{
    klu_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    return klu_complex_solve(&solver->complex, right_hand_side, solver->size, &solver->common);
}

/* ---- state ---- */

/* The order once more, without a trial. */
static void find_order(klu_solver *solver)
{
    const used_pattern *pattern = &solver->pattern;
    solver->symbolic = solver->own
                           ? klu_analyze(solver->size, pattern->start, pattern->row, &solver->common)
                           : klu_analyze_given(solver->size, pattern->start, pattern->row,
                                               solver->announced->P, solver->announced->Q, &solver->common);
}

/* The factors that there were: pivots for the first values, then the last ones under these. */
static tn_status make_factors(klu_solver *solver, double *last)
{
    used_pattern *pattern = &solver->pattern;
    const size_t bytes = (size_t)pattern->start[solver->size] * sizeof(double);
    memcpy(last, pattern->value, bytes);
    memcpy(pattern->value, solver->first_value, bytes);
    tn_status status = choose_pivots(solver);
    memcpy(pattern->value, last, bytes);
    if (status == TN_OK && memcmp(last, solver->first_value, bytes) != 0)
        status = refactor(solver) ? pack(solver) : TN_FATAL;
    return status;
}

static tn_status restore_factors(klu_solver *solver, const tn_matrix *matrix, bool ordered, bool factored)
{
    forget(solver);
    if (ordered) find_order(solver);
    if (!factored) return TN_OK;
    double *last = malloc(((size_t)matrix->column_start[matrix->size] + 1) * sizeof *last);
    if (!solver->symbolic || !last) {
        free(last);
        return TN_OUT_OF_MEMORY;
    }
    const tn_status status = make_factors(solver, last);
    free(last);
    return status;
}

static tn_status state_of_klu(void *self, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    klu_solver *solver = self;
    used_pattern *pattern = &solver->pattern;
    if (solver->size == 0) return TN_OK;
    bool ordered = solver->symbolic != NULL, factored = solver->numeric != NULL;
    TN_VISIT(visitor, ordered);
    TN_VISIT(visitor, factored);
    TN_VISIT(visitor, solver->tries_own);
    TN_VISIT(visitor, solver->own);
    TN_VISIT(visitor, pattern->growths);
    visitor->bytes(visitor, pattern->used, (size_t)matrix->column_start[matrix->size]);
    if (visitor->restores) used_pattern_list(pattern, matrix);
    tn_visit_numbers(visitor, pattern->value, (size_t)pattern->start[solver->size]);
    tn_visit_numbers(visitor, solver->first_value, (size_t)pattern->start[solver->size]);
    const tn_status status = visitor->restores ? restore_factors(solver, matrix, ordered, factored) : TN_OK;
    if (status != TN_OK) return status;
    return klu_complex_state(&solver->complex, matrix, solver->announced, &solver->common, visitor);
}

/* Of the factors there are, or as they are expected to become. The diagonal of L is 1. */
static tn_status estimate_klu(void *self, double *entries, double *operations)
{
    klu_solver *solver = self;
    const klu_numeric *numeric = solver->numeric;
    *entries = *operations = 0.0;
    if (solver->size == 0) return TN_OK;
    const klu_symbolic *symbolic = solver->symbolic ? solver->symbolic : solver->announced;
    *entries = (numeric ? (double)numeric->lnz + (double)numeric->unz : symbolic->lnz + symbolic->unz) -
               (double)solver->size;
    *operations = symbolic->est_flops;
    if (numeric && klu_flops(solver->symbolic, solver->numeric, &solver->common))
        *operations = solver->common.flops;
    return TN_OK;
}

/* Measured on lattices and grids: 0.5 ns an operation where columns are long, and 1.3 ns of substitution with a number and its index. */
static tn_status cost_of_klu(void *self, tn_linear_cost *cost)
{
    double entries = 0.0, operations = 0.0;
    const tn_status status = estimate_klu(self, &entries, &operations);
    *cost = (tn_linear_cost){.factorisation = 5e-10 * operations + 6e-9 * entries,
                             .solution = 1.3e-9 * entries,
                             .memory = 24.0 * entries}; /* KLU's factors, and packed ones */
    return status;
}

static const tn_cost_capability klu_cost = {.struct_size = sizeof klu_cost, .cost = cost_of_klu};
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
    klu_solver *solver = self;
    if (!solver) return;
    packed_free(&solver->packed);
    used_pattern_free(&solver->pattern);
    forget(solver);
    klu_complex_free(&solver->complex, &solver->common);
    (void)klu_free_symbolic(&solver->announced, &solver->common);
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

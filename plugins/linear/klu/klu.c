/* klu.c - sparse LU factorisation by SuiteSparse KLU, for the iteration matrices of implicit solvers.
 *
 * Of the pattern announced only the entries are factorised that are used, in the order that gives the shorter factors
 * (klu_order.h): their own, or that of the whole pattern.
 *
 * The pivot order of one full factorisation is used again while it stays good: a refactorisation costs a
 * fraction of it. The block triangular form is off, since iteration matrices of connected models are one
 * block. */
#include "tenon/descriptors.h"

#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>

#include "klu_complex.h"
#include "klu_packed.h"

#include <string.h>

#define WORN_PIVOTS 1e-3      /* of the reciprocal condition at the last full factorisation */
#define MORE_THAN_COUNTED 1.5 /* of the entries of factors: exchanged pivots have filled them */

typedef struct klu_solver {
    const tn_host *host;
    klu_common common;
    klu_symbolic *announced, *symbolic; /* of the whole pattern, and of what is used */
    bool tries_own;                     /* order of what is used: it has won so far */
    int32_t *order;                     /* [size] that of `symbolic` */
    order_expectation expected;         /* of its factors */
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
    solver->tries_own = true;
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
    solver->order = host->allocate(host, (size_t)matrix->size * sizeof *solver->order);
    const bool made = solver->first_value && solver->order && used_pattern_make(&solver->pattern, matrix) &&
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

static bool lacks_memory(const klu_solver *solver) { return solver->common.status == KLU_OUT_OF_MEMORY; }

/* An order that has lost is not tried again. */
static tn_status choose_order(klu_solver *solver)
{
    const used_pattern *pattern = &solver->pattern;
    memcpy(solver->order, solver->announced->Q, (size_t)solver->size * sizeof *solver->order);
    if (!solver->tries_own) return TN_OK;
    const tn_status status = order_choose(pattern, solver->size, pattern->value, solver->announced,
                                          &solver->common, solver->order, &solver->expected);
    solver->tries_own = solver->expected.own;
    return status;
}

static tn_status analyse_in_order(klu_solver *solver)
{
    const used_pattern *pattern = &solver->pattern;
    solver->symbolic = klu_analyze_given(solver->size, pattern->start, pattern->row, solver->order,
                                         solver->order, &solver->common);
    return solver->symbolic ? TN_OK : status_of(solver);
}

static tn_status begin_order(klu_solver *solver)
{
    const tn_status status = choose_order(solver);
    return status == TN_OK ? analyse_in_order(solver) : status;
}

/* A full factorisation, which chooses pivots for these values. */
static tn_status choose_pivots(klu_solver *solver)
{
    used_pattern *pattern = &solver->pattern;
    (void)klu_free_numeric(&solver->numeric, &solver->common);
    memcpy(solver->first_value, pattern->value, (size_t)pattern->start[solver->size] * sizeof(double));
    solver->numeric =
        klu_factor(pattern->start, pattern->row, pattern->value, solver->symbolic, &solver->common);
    if (!solver->numeric) return status_of(solver);
    if (!klu_rcond(solver->symbolic, solver->numeric, &solver->common)) return status_of(solver);
    solver->first_rcond = solver->common.rcond;
    return solver->first_rcond > 0.0 ? pack(solver) : TN_RETRY; // zero or not a number: singular
}

/* With a new order, or where the last matrix had no factors. Rows that depend on others have no pivot on the diagonal
 * wherever they stand: where those that were found instead have filled the factors, the order of the whole pattern is
 * taken after all. */
static tn_status begin_factors(klu_solver *solver)
{
    forget(solver); /* what cost() has ordered had values of other sizes: other diagonals were weak */
    tn_status status = begin_order(solver);
    if (status == TN_OK) status = choose_pivots(solver);
    const klu_numeric *numeric = solver->numeric;
    if (!numeric || !solver->tries_own ||
        (double)numeric->lnz + (double)numeric->unz <= MORE_THAN_COUNTED * solver->expected.entries)
        return status;
    solver->tries_own = false;
    return begin_factors(solver);
}

static tn_status factor_klu(void *self, const tn_matrix *matrix)
{
    klu_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    if (used_pattern_fill(&solver->pattern, matrix)) forget(solver);
    if (!solver->numeric) return begin_factors(solver);
    if (refactor(solver)) return pack(solver);
    if (lacks_memory(solver)) return TN_OUT_OF_MEMORY;
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
    return klu_complex_factor(&solver->complex, pattern, value, solver->announced, &solver->common);
}

static tn_status solve_complex_klu(void *self, double *right_hand_side)
{
    klu_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    return klu_complex_solve(&solver->complex, right_hand_side, solver->size, &solver->common);
}

/* ---- state ---- */

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
    tn_status status = ordered ? analyse_in_order(solver) : TN_OK;
    if (status != TN_OK || !factored) return status;
    double *last = malloc(((size_t)matrix->column_start[matrix->size] + 1) * sizeof *last);
    if (!last) return TN_OUT_OF_MEMORY;
    status = make_factors(solver, last);
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
    TN_VISIT(visitor, solver->expected.entries);
    visitor->bytes(visitor, solver->order, (size_t)solver->size * sizeof *solver->order);
    TN_VISIT(visitor, pattern->growths);
    visitor->bytes(visitor, pattern->used, (size_t)matrix->column_start[matrix->size]);
    if (visitor->restores) used_pattern_list(pattern, matrix);
    tn_visit_numbers(visitor, pattern->value, (size_t)pattern->start[solver->size]);
    tn_visit_numbers(visitor, solver->first_value, (size_t)pattern->start[solver->size]);
    const tn_status status = visitor->restores ? restore_factors(solver, matrix, ordered, factored) : TN_OK;
    if (status != TN_OK) return status;
    return klu_complex_state(&solver->complex, matrix, &solver->common, visitor);
}

/* Of the factors there are, or as they are expected to become. The diagonal of L is 1. */
static tn_status estimate_klu(void *self, double *entries, double *operations)
{
    klu_solver *solver = self;
    const klu_numeric *numeric = solver->numeric;
    *entries = *operations = 0.0;
    if (solver->size == 0) return TN_OK;
    const klu_symbolic *announced = solver->announced;
    *entries = (numeric ? (double)numeric->lnz + (double)numeric->unz : announced->lnz + announced->unz) -
               (double)solver->size;
    *operations = announced->est_flops;
    if (numeric && klu_flops(solver->symbolic, solver->numeric, &solver->common))
        *operations = solver->common.flops;
    return TN_OK;
}

/* Measured on lattices and grids: 0.5 ns an operation where columns are long, and 1.3 ns of substitution with a number and its index. */
static tn_status cost_of_klu(void *self, const tn_matrix *matrix, tn_linear_cost *cost)
{
    klu_solver *solver = self;
    *cost = (tn_linear_cost){0};
    if (solver->size == 0) return TN_OK;
    if (used_pattern_fill(&solver->pattern, matrix)) forget(solver);
    const tn_status status = solver->symbolic ? TN_OK : begin_order(solver);
    if (status != TN_OK) return status;
    cost->entries = solver->expected.entries;
    cost->operations = solver->expected.operations;
    cost->factorisation = 5e-10 * cost->operations + 6e-9 * cost->entries;
    cost->solution = 1.3e-9 * cost->entries;
    cost->memory = 24.0 * cost->entries; /* KLU's factors, and packed ones */
    return TN_OK;
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

/* umfpack.c - sparse LU factorisation by SuiteSparse UMFPACK, for matrices whose factors fill: its fronts are dense.
 *
 * Of the pattern announced only the entries are factorised that are used, in that approximate minimum degree order which gives the shorter
 * factors: their own, or that of the whole pattern. The factors are taken out of the library, whose substitution takes twice as
 * long. They depend on the matrix and the order alone, which are the state: a run that goes on from a checkpoint has the same
 * bits. */
#include "tenon/descriptors.h"

#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>
#include <tenon/kit/blas.h>

#include "../elimination_order.h"
#include "../packed_factors.h"
#include "../used_pattern.h"

#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>
#include <suitesparse/umfpack.h>

typedef struct umfpack_solver {
    const tn_host *host;
    int32_t size;
    used_pattern pattern;
    int32_t *order; /* [size] of elimination */
    void *symbolic; /* analysis of the entries that are used; NULL: of none yet */
    order_expectation expected;
    bool factored;
    double entries, operations; /* of the factors */
    packed_factors packed;      /* of L the rows, the diagonal 1 at their ends */
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
} umfpack_solver;

static tn_status status_of(const umfpack_solver *solver, int status)
{
    if (status == UMFPACK_OK) return TN_OK;
    if (status == UMFPACK_WARNING_singular_matrix) return TN_RETRY;
    if (status == UMFPACK_ERROR_out_of_memory) return TN_OUT_OF_MEMORY;
    tn_say(solver->host, TN_ERROR, "UMFPACK has failed with status %d", status);
    return TN_FATAL;
}

static tn_status create_umfpack(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                                void **self)
{
    if (matrix->size > INT32_MAX || matrix->column_start[matrix->size] > INT32_MAX / 2) {
        tn_say(host, TN_ERROR, "umfpack counts in 32 bits: %u unknowns with %d entries are too many",
               matrix->size, matrix->column_start[matrix->size]);
        return TN_UNSUPPORTED;
    }
    umfpack_solver *solver = host->allocate(host, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    *self = solver;
    solver->host = host;
    solver->size = (int32_t)matrix->size;
    umfpack_di_defaults(solver->control);
    solver->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    solver->order = calloc((size_t)matrix->size + 1, sizeof *solver->order);
    const bool made = solver->order && used_pattern_make(&solver->pattern, matrix) &&
                      packed_make(&solver->packed, solver->size);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

static void forget(umfpack_solver *solver)
{
    if (solver->symbolic) umfpack_di_free_symbolic(&solver->symbolic);
    solver->symbolic = NULL;
}

static void destroy_umfpack(void *self)
{
    umfpack_solver *solver = self;
    if (!solver) return;
    forget(solver);
    used_pattern_free(&solver->pattern);
    packed_free(&solver->packed);
    free(solver->order);
    solver->order = NULL;
}

/* ---- analysis ---------------------------------------------------------------------------------------------------- */

static tn_status order_by_degree(int32_t size, const int32_t *start, const int32_t *row, int32_t *order)
{
    const int status = amd_order(size, start, row, order, NULL, NULL);
    return status == AMD_OUT_OF_MEMORY ? TN_OUT_OF_MEMORY : status >= 0 ? TN_OK : TN_FATAL;
}

/* The order of the whole pattern stands in order[]; `own` [size] is that of the entries used, and wins where it has less to count. */
static void take_shorter(umfpack_solver *solver, order_count *count, int32_t *own)
{
    order_expectation *expected = &solver->expected;
    order_count_fill(count, &solver->pattern, solver->pattern.value);
    if (count->has_weak) order_put_behind(count, own);
    if (count->has_weak) order_put_behind(count, solver->order);
    const int64_t of_own = order_fill(count, own);
    order_expect(count, of_own, expected);
    const int64_t of_announced = order_fill(count, solver->order);
    expected->own = of_announced >= of_own;
    if (expected->own)
        memcpy(solver->order, own, (size_t)solver->size * sizeof *own);
    else
        order_expect(count, of_announced, expected);
}

static tn_status choose_order(umfpack_solver *solver, const tn_matrix *matrix)
{
    const used_pattern *pattern = &solver->pattern;
    int32_t *own = malloc(((size_t)solver->size + 1) * sizeof *own);
    order_count count = {0};
    const bool made = own && order_count_make(&count, pattern, solver->size);
    tn_status status = made ? TN_OK : TN_OUT_OF_MEMORY;
    if (status == TN_OK) status = order_by_degree(solver->size, pattern->start, pattern->row, own);
    if (status == TN_OK)
        status = order_by_degree(solver->size, matrix->column_start, matrix->row, solver->order);
    if (status == TN_OK) take_shorter(solver, &count, own);
    order_count_free(&count);
    free(own);
    return status;
}

/* By the order and the entries used alone, whatever their values are. */
static tn_status analyse(umfpack_solver *solver)
{
    if (!tn_blas_begin(0)) return TN_OUT_OF_MEMORY;
    return status_of(solver, umfpack_di_qsymbolic(solver->size, solver->size, solver->pattern.start,
                                                  solver->pattern.row, NULL, solver->order, &solver->symbolic,
                                                  solver->control, solver->info));
}

/* Takes the values over, and analyses the entries that are used where these are others than before. */
static tn_status take(umfpack_solver *solver, const tn_matrix *matrix)
{
    const used_pattern *pattern = &solver->pattern;
    if (used_pattern_fill(&solver->pattern, matrix)) forget(solver);
    if (!used_pattern_is_finite(pattern, solver->size)) return TN_RETRY;
    if (pattern->start[solver->size] == 0) return TN_RETRY; /* zeros only */
    if (solver->symbolic) return TN_OK;
    const tn_status status = choose_order(solver, matrix);
    return status == TN_OK ? analyse(solver) : status;
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

/* Takes the factors out of the library. */
static tn_status extract(umfpack_solver *solver, void *numeric)
{
    packed_factors *f = &solver->packed;
    int lower = 0, upper = 0, rows = 0, columns = 0, of_diagonal = 0, multiplies = 0;
    int status = umfpack_di_get_lunz(&lower, &upper, &rows, &columns, &of_diagonal, numeric);
    if (status != UMFPACK_OK) return status_of(solver, status);
    if (!packed_room(&f->lower_row, &f->lower, &f->lower_room, (size_t)lower) ||
        !packed_room(&f->upper_row, &f->upper, &f->upper_room, (size_t)upper))
        return TN_OUT_OF_MEMORY;
    double *scale = f->x; /* by rows of the matrix, while there is no solution */
    status = umfpack_di_get_numeric(f->lower_start, f->lower_row, f->lower, f->upper_start, f->upper_row,
                                    f->upper, f->rows, f->columns, NULL, &multiplies, scale, numeric);
    if (status != UMFPACK_OK) return status_of(solver, status);
    for (int32_t k = 0; k < f->size; k++)
        f->scale[k] = multiplies ? scale[f->rows[k]] : 1.0 / scale[f->rows[k]];
    for (int32_t k = 0; k < f->size; k++)
        f->upper[f->upper_start[k + 1] - 1] = 1.0 / f->upper[f->upper_start[k + 1] - 1];
    solver->entries = (double)lower + (double)upper - (double)f->size;
    solver->operations = solver->info[UMFPACK_FLOPS];
    return TN_OK;
}

static tn_status make_factors(umfpack_solver *solver)
{
    const used_pattern *pattern = &solver->pattern;
    void *numeric = NULL;
    tn_status status =
        status_of(solver, umfpack_di_numeric(pattern->start, pattern->row, pattern->value, solver->symbolic,
                                             &numeric, solver->control, solver->info));
    if (status == TN_OK) status = extract(solver, numeric);
    if (numeric) umfpack_di_free_numeric(&numeric);
    solver->factored = status == TN_OK;
    return status;
}

static tn_status factor_umfpack(void *self, const tn_matrix *matrix)
{
    umfpack_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    solver->factored = false;
    const tn_status status = take(solver, matrix);
    return status == TN_OK ? make_factors(solver) : status;
}

/* x -= L' x row by row, four sums at a time: one would wait for itself. */
static void substitute_rows(const packed_factors *f)
{
    double *x = f->x;
    for (int32_t k = 0; k < f->size; k++) {
        int32_t p = f->lower_start[k];
        const int32_t diagonal = f->lower_start[k + 1] - 1;
        double sum[4] = {0.0};
        for (; p + 4 <= diagonal; p += 4)
            for (int32_t s = 0; s < 4; s++)
                sum[s] += f->lower[p + s] * x[f->lower_row[p + s]];
        for (; p < diagonal; p++)
            sum[0] += f->lower[p] * x[f->lower_row[p]];
        x[k] -= (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

static tn_status solve_umfpack(void *self, double *right_hand_side)
{
    const umfpack_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    if (!solver->factored) return TN_FATAL;
    packed_begin(&solver->packed, right_hand_side);
    substitute_rows(&solver->packed);
    packed_upper(&solver->packed, right_hand_side);
    return TN_OK;
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static tn_status restore(umfpack_solver *solver, bool analysed, bool factored)
{
    forget(solver);
    solver->factored = false;
    const tn_status status = analysed ? analyse(solver) : TN_OK;
    return status == TN_OK && factored ? make_factors(solver) : status;
}

static tn_status state_of_umfpack(void *self, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    umfpack_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    bool analysed = solver->symbolic != NULL, factored = solver->factored;
    TN_VISIT(visitor, analysed);
    TN_VISIT(visitor, factored);
    TN_VISIT(visitor, solver->expected.entries);
    TN_VISIT(visitor, solver->expected.operations);
    visitor->bytes(visitor, solver->order, (size_t)solver->size * sizeof *solver->order);
    used_pattern_state(&solver->pattern, matrix, visitor);
    return visitor->restores ? restore(solver, analysed, factored) : TN_OK;
}

/* ---- what they cost ---------------------------------------------------------------------------------------------- */

/* Of the factors there are, or as they are expected to become. */
static tn_status estimate_umfpack(void *self, double *entries, double *operations)
{
    const umfpack_solver *solver = self;
    *entries = *operations = 0.0;
    if (solver->size == 0) return TN_OK;
    if (!solver->symbolic) return TN_RETRY; /* nothing is known of the entries that will be used */
    *entries = solver->factored ? solver->entries : solver->expected.entries;
    *operations = solver->factored ? solver->operations : solver->expected.operations;
    return TN_OK;
}

/* Measured on lattices and grids, with OpenBLAS. */
static void find_times(tn_linear_cost *cost)
{
    cost->factorisation = 6e-11 * cost->operations + 8e-8 * cost->entries;
    cost->solution = 1.3e-9 * cost->entries;
}

/* The order is one of minimum degree, as others have it, too. */
static void least_of_umfpack(TN_UNUSED uint32_t size, const tn_linear_cost *known, tn_linear_cost *least)
{
    *least = (tn_linear_cost){.entries = 0.8 * known->entries, .operations = 0.6 * known->operations};
    find_times(least);
}

static tn_status cost_of_umfpack(void *self, const tn_matrix *matrix, tn_linear_cost *cost)
{
    umfpack_solver *solver = self;
    *cost = (tn_linear_cost){0};
    if (solver->size == 0) return TN_OK;
    tn_status status = take(solver, matrix);
    if (status == TN_OK) status = estimate_umfpack(solver, &cost->entries, &cost->operations);
    if (status != TN_OK) return status;
    if (order_has_weak(&solver->pattern, solver->size)) order_expect_exchanges(cost);
    find_times(cost);
    cost->memory = 32.0 * cost->entries; /* UMFPACK's factors and fronts, and packed ones */
    return TN_OK;
}

static const tn_estimate_capability umfpack_estimate = {.struct_size = sizeof umfpack_estimate,
                                                        .estimate = estimate_umfpack};
static const tn_cost_capability umfpack_cost = {
    .struct_size = sizeof umfpack_cost, .cost = cost_of_umfpack, .least = least_of_umfpack};
static const tn_linear_state_capability umfpack_state = {.struct_size = sizeof umfpack_state,
                                                         .state = state_of_umfpack};
static const tn_capability umfpack_capabilities[] = {{TN_LINEAR_STATE_KEY, &umfpack_state},
                                                     {TN_ESTIMATE_KEY, &umfpack_estimate},
                                                     {TN_COST_KEY, &umfpack_cost},
                                                     {NULL, NULL}};

static const tn_linear_type umfpack_type = {
    .struct_size = sizeof(tn_linear_type),
    .name = "umfpack",
    .capabilities = umfpack_capabilities,
    .summary = "sparse LU by dense fronts, by SuiteSparse UMFPACK (GPL-2.0-or-later library): for lattices "
               "and grids, whose "
               "factors fill",
    .formula = "P R A Q = L U;  R scales rows, Q from approximate minimum degree, P prefers the diagonal",
    .literature = "Davis: Algorithm 832: UMFPACK V4.3, an unsymmetric-pattern multifrontal method, "
                  "ACM Trans. Math. Softw. 30 (2004) 196-199",
    .create = create_umfpack,
    .factor = factor_umfpack,
    .solve = solve_umfpack,
    .destroy = destroy_umfpack,
};

TN_LIBRARY("umfpack", "1.0.0", "GPL-2.0-or-later",
           "sparse linear solver; links SuiteSparse UMFPACK, which is under GPL-2.0-or-later",
           {TN_LINEAR_KIND, &umfpack_type})

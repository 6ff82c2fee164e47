/* sparse_lu.h - sparse LU factorisation by SuiteSparse KLU, for the iteration matrices of implicit solvers.
 *
 * Of the pattern announced only the entries are factorised that are used, in the order that gives the shorter factors
 * (klu_order.h): their own, or that of the whole pattern.
 *
 * The pivot order of one full factorisation is used again while it stays good: a refactorisation costs a
 * fraction of it. The block triangular form is off, since iteration matrices of connected models are one
 * block. */
#ifndef TENON_SPARSE_LU_H
#define TENON_SPARSE_LU_H

#include "tenon/plugin.h"

#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>

#include "klu_complex.h"
#include "klu_packed.h"

#include <string.h>

#define SPARSE_LU_WORN 1e-3             /* of the reciprocal condition at the last full factorisation */
#define SPARSE_LU_MORE_THAN_COUNTED 1.5 /* of the entries of factors: exchanged pivots have filled them */

typedef struct sparse_lu {
    klu_common common;
    klu_symbolic *announced, *symbolic; /* of the whole pattern, and of what is used */
    bool tries_own;                     /* order of what is used: it has won so far */
    int32_t *order;                     /* [size] that of `symbolic` */
    order_expectation expected;         /* of its factors */
    klu_numeric *numeric;
    used_pattern pattern;
    packed_factors packed;
    bool is_packed;      /* the last matrix has factors: solutions are to be had */
    double first_rcond;  /* right after the last full factorisation, */
    double *first_value; /* [entries announced] of this matrix, as much as is used */
    int32_t size;
    klu_complex complex; /* factors of complex matrices, which have nothing to do with the others */
} sparse_lu;

static inline tn_status sparse_lu_status(const sparse_lu *solver)
{
    if (solver->common.status == KLU_SINGULAR) return TN_RETRY;
    if (solver->common.status == KLU_OUT_OF_MEMORY) return TN_OUT_OF_MEMORY;
    return TN_FATAL;
}

static inline void sparse_lu_forget(sparse_lu *solver)
{
    (void)klu_free_numeric(&solver->numeric, &solver->common);
    (void)klu_free_symbolic(&solver->symbolic, &solver->common);
}

static inline void sparse_lu_free(sparse_lu *solver)
{
    packed_free(&solver->packed);
    used_pattern_free(&solver->pattern);
    sparse_lu_forget(solver);
    klu_complex_free(&solver->complex, &solver->common);
    (void)klu_free_symbolic(&solver->announced, &solver->common);
    free(solver->first_value);
    free(solver->order);
    *solver = (sparse_lu){0};
}

/* Of zeros. To be freed whatever comes of it. */
static inline tn_status sparse_lu_make(sparse_lu *solver, const tn_matrix *matrix)
{
    solver->size = (int32_t)matrix->size;
    solver->tries_own = true;
    if (!klu_defaults(&solver->common)) return TN_FATAL;
    solver->common.ordering = 0; // AMD
    solver->common.btf = 0;
    if (solver->size == 0) return TN_OK;

    // the library takes the pattern as not const, but does not change it
    solver->announced = klu_analyze(solver->size, (int32_t *)(uintptr_t)matrix->column_start,
                                    (int32_t *)(uintptr_t)matrix->row, &solver->common);
    if (!solver->announced) return sparse_lu_status(solver);
    solver->first_value = malloc(((size_t)matrix->column_start[matrix->size] + 1) * sizeof(double));
    solver->order = malloc((size_t)matrix->size * sizeof *solver->order);
    const bool made = solver->first_value && solver->order && used_pattern_make(&solver->pattern, matrix) &&
                      packed_make(&solver->packed, solver->size);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

/* New values under the old pivot order; false when the order is worn out. */
static inline bool sparse_lu_refactor(sparse_lu *solver)
{
    used_pattern *pattern = &solver->pattern;
    if (!klu_refactor(pattern->start, pattern->row, pattern->value, solver->symbolic, solver->numeric,
                      &solver->common))
        return false;
    if (!klu_rcond(solver->symbolic, solver->numeric, &solver->common)) return false;
    return solver->common.rcond >= SPARSE_LU_WORN * solver->first_rcond;
}

static inline tn_status sparse_lu_pack(sparse_lu *solver)
{
    solver->is_packed = packed_fill(&solver->packed, solver->symbolic, solver->numeric, &solver->common);
    return solver->is_packed ? TN_OK : TN_OUT_OF_MEMORY;
}

static inline bool sparse_lu_lacks_memory(const sparse_lu *solver)
{
    return solver->common.status == KLU_OUT_OF_MEMORY;
}

/* An order that has lost is not tried again. */
static inline tn_status sparse_lu_choose_order(sparse_lu *solver)
{
    const used_pattern *pattern = &solver->pattern;
    tn_status status = TN_OK;
    memcpy(solver->order, solver->announced->Q, (size_t)solver->size * sizeof *solver->order);
    if (solver->tries_own) {
        status = order_choose(pattern, solver->size, pattern->value, solver->announced, &solver->common,
                              solver->order, &solver->expected);
        solver->tries_own = solver->expected.own;
    }
    if (status != TN_OK || solver->size < PACKED_FEWEST_FOR_PANELS) return status;
    return order_arrange(pattern, solver->size, solver->order);
}

static inline tn_status sparse_lu_analyse(sparse_lu *solver)
{
    const used_pattern *pattern = &solver->pattern;
    solver->symbolic = klu_analyze_given(solver->size, pattern->start, pattern->row, solver->order,
                                         solver->order, &solver->common);
    return solver->symbolic ? TN_OK : sparse_lu_status(solver);
}

static inline tn_status sparse_lu_begin_order(sparse_lu *solver)
{
    const tn_status status = sparse_lu_choose_order(solver);
    return status == TN_OK ? sparse_lu_analyse(solver) : status;
}

/* A full factorisation, which chooses pivots for these values. */
static inline tn_status sparse_lu_choose_pivots(sparse_lu *solver)
{
    used_pattern *pattern = &solver->pattern;
    (void)klu_free_numeric(&solver->numeric, &solver->common);
    if (!used_pattern_is_finite(pattern, solver->size)) return TN_RETRY;
    memcpy(solver->first_value, pattern->value, (size_t)pattern->start[solver->size] * sizeof(double));
    solver->numeric =
        klu_factor(pattern->start, pattern->row, pattern->value, solver->symbolic, &solver->common);
    if (!solver->numeric) return sparse_lu_status(solver);
    if (!klu_rcond(solver->symbolic, solver->numeric, &solver->common)) return sparse_lu_status(solver);
    solver->first_rcond = solver->common.rcond;
    return solver->first_rcond > 0.0 ? sparse_lu_pack(solver) : TN_RETRY; // zero or not a number: singular
}

/* With a new order, or where the last matrix had no factors. Rows that depend on others have no pivot on the diagonal
 * wherever they stand: where those that were found instead have filled the factors, the order of the whole pattern is
 * taken after all. */
static inline tn_status sparse_lu_begin(sparse_lu *solver)
{
    sparse_lu_forget(
        solver); /* what cost() has ordered had values of other sizes: other diagonals were weak */
    tn_status status = sparse_lu_begin_order(solver);
    if (status == TN_OK) status = sparse_lu_choose_pivots(solver);
    const klu_numeric *numeric = solver->numeric;
    if (!numeric || !solver->tries_own ||
        (double)numeric->lnz + (double)numeric->unz <= SPARSE_LU_MORE_THAN_COUNTED * solver->expected.entries)
        return status;
    solver->tries_own = false;
    return sparse_lu_begin(solver);
}

static inline tn_status sparse_lu_factor(sparse_lu *solver, const tn_matrix *matrix)
{
    if (solver->size == 0) return TN_OK;
    solver->is_packed = false;
    if (used_pattern_fill(&solver->pattern, matrix)) sparse_lu_forget(solver);
    if (!solver->numeric) return sparse_lu_begin(solver);
    if (sparse_lu_refactor(solver)) return sparse_lu_pack(solver);
    if (sparse_lu_lacks_memory(solver)) return TN_OUT_OF_MEMORY;
    return sparse_lu_choose_pivots(solver);
}

static inline tn_status sparse_lu_solve(sparse_lu *solver, double *right_hand_side)
{
    if (solver->size == 0) return TN_OK;
    if (!solver->is_packed) return TN_FATAL;
    packed_solve(&solver->packed, right_hand_side);
    return TN_OK;
}

/* ---- complex matrices ---- */

static inline tn_status sparse_lu_factor_complex(sparse_lu *solver, const tn_matrix *pattern,
                                                 const double *value)
{
    if (solver->size == 0) return TN_OK;
    return klu_complex_factor(&solver->complex, pattern, value, solver->announced, &solver->common);
}

static inline tn_status sparse_lu_solve_complex(sparse_lu *solver, double *right_hand_side)
{
    if (solver->size == 0) return TN_OK;
    return klu_complex_solve(&solver->complex, right_hand_side, solver->size, &solver->common);
}

/* ---- state ---- */

/* The factors that there were: pivots for the first values, then the last ones under these. */
static inline tn_status sparse_lu_make_factors(sparse_lu *solver, double *last)
{
    used_pattern *pattern = &solver->pattern;
    const size_t bytes = (size_t)pattern->start[solver->size] * sizeof(double);
    memcpy(last, pattern->value, bytes);
    memcpy(pattern->value, solver->first_value, bytes);
    tn_status status = sparse_lu_choose_pivots(solver);
    memcpy(pattern->value, last, bytes);
    if (status == TN_OK && memcmp(last, solver->first_value, bytes) != 0)
        status = sparse_lu_refactor(solver) ? sparse_lu_pack(solver) : TN_FATAL;
    return status;
}

static inline tn_status sparse_lu_restore(sparse_lu *solver, const tn_matrix *matrix, bool ordered,
                                          bool factored)
{
    sparse_lu_forget(solver);
    solver->is_packed = false;
    tn_status status = ordered ? sparse_lu_analyse(solver) : TN_OK;
    if (status != TN_OK || !factored) return status;
    double *last = malloc(((size_t)matrix->column_start[matrix->size] + 1) * sizeof *last);
    if (!last) return TN_OUT_OF_MEMORY;
    status = sparse_lu_make_factors(solver, last);
    free(last);
    return status;
}

static inline tn_status sparse_lu_state(sparse_lu *solver, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    used_pattern *pattern = &solver->pattern;
    if (solver->size == 0) return TN_OK;
    bool ordered = solver->symbolic != NULL, factored = solver->numeric != NULL;
    TN_VISIT(visitor, ordered);
    TN_VISIT(visitor, factored);
    TN_VISIT(visitor, solver->tries_own);
    TN_VISIT(visitor, solver->expected.entries);
    visitor->bytes(visitor, solver->order, (size_t)solver->size * sizeof *solver->order);
    used_pattern_state(pattern, matrix, visitor);
    tn_visit_numbers(visitor, solver->first_value, (size_t)pattern->start[solver->size]);
    const tn_status status = visitor->restores ? sparse_lu_restore(solver, matrix, ordered, factored) : TN_OK;
    if (status != TN_OK) return status;
    return klu_complex_state(&solver->complex, matrix, &solver->common, visitor);
}

/* Of the factors there are, or as they are expected to become. The diagonal of L is 1. */
static inline tn_status sparse_lu_estimate(sparse_lu *solver, double *entries, double *operations)
{
    const klu_numeric *numeric = solver->numeric;
    *entries = *operations = 0.0;
    if (solver->size == 0) return TN_OK;
    const klu_symbolic *announced = solver->announced;
    if (!announced) return TN_RETRY; /* there was no memory for it */
    *entries = (numeric ? (double)numeric->lnz + (double)numeric->unz : announced->lnz + announced->unz) -
               (double)solver->size;
    *operations = announced->est_flops;
    if (numeric && klu_flops(solver->symbolic, solver->numeric, &solver->common))
        *operations = solver->common.flops;
    return TN_OK;
}

/* Measured on lattices and grids: 0.5 ns an operation where columns are long, and 1.3 ns of substitution with a number and its index, 0.75 ns
 * with one in a panel. */
static inline tn_status sparse_lu_cost(sparse_lu *solver, const tn_matrix *matrix, tn_linear_cost *cost)
{
    *cost = (tn_linear_cost){0};
    if (solver->size == 0) return TN_OK;
    if (used_pattern_fill(&solver->pattern, matrix)) sparse_lu_forget(solver);
    const tn_status status = solver->symbolic ? TN_OK : sparse_lu_begin_order(solver);
    if (status != TN_OK) return status;
    cost->entries = solver->expected.entries;
    cost->operations = solver->expected.operations;
    cost->factorisation = 5e-10 * cost->operations + 6e-9 * cost->entries;
    const bool has_panels = packed_gets_panels(solver->size, cost->entries);
    cost->solution = (has_panels ? 0.75e-9 : 1.3e-9) * cost->entries;
    cost->memory = (has_panels ? 40.0 : 24.0) * cost->entries; /* KLU's factors, packed ones, panels */
    return TN_OK;
}

#endif

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
    klu_symbolic *announced;    /* of the whole pattern */
    bool tries_own;             /* order of what is used: it has won so far */
    bool ordered, factored;     /* there is an order; there are factors */
    int32_t *order;             /* [size] of what is used */
    order_expectation expected; /* of its factors */
    bool for_cost; /* sparse_lu_count() has found it, without weak diagonals: by the pattern alone */
    used_pattern pattern;
    packed_factors packed;
    int32_t *pivot_of;   /* [size] by rows of the matrix */
    double first_rcond;  /* right after the last full factorisation, */
    double *first_value; /* [entries used] of this matrix; while there are factors */
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
    packed_empty(&solver->packed);
    free(solver->first_value);
    solver->first_value = NULL;
    solver->ordered = solver->factored = solver->for_cost = false;
}

static inline void sparse_lu_free(sparse_lu *solver)
{
    packed_free(&solver->packed);
    used_pattern_free(&solver->pattern);
    klu_complex_free(&solver->complex, &solver->common);
    (void)klu_free_symbolic(&solver->announced, &solver->common);
    free(solver->first_value);
    free(solver->order);
    free(solver->pivot_of);
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
    solver->order = malloc((size_t)matrix->size * sizeof *solver->order);
    solver->pivot_of = malloc((size_t)matrix->size * sizeof *solver->pivot_of);
    const bool made = solver->order && solver->pivot_of && used_pattern_make(&solver->pattern, matrix) &&
                      packed_make(&solver->packed, solver->size);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

/* New values under the old pivot order; false when the order is worn out. */
static inline bool sparse_lu_refactor(sparse_lu *solver)
{
    const double rcond = packed_refactor(&solver->packed, &solver->pattern, solver->pivot_of);
    return rcond > 0.0 && rcond >= SPARSE_LU_WORN * solver->first_rcond;
}

/* An order that has lost is not tried again. */
static inline tn_status sparse_lu_choose_order(sparse_lu *solver)
{
    const used_pattern *pattern = &solver->pattern;
    memcpy(solver->order, solver->announced->Q, (size_t)solver->size * sizeof *solver->order);
    if (!solver->tries_own) return TN_OK;
    const tn_status status = order_choose(pattern, solver->size, pattern->value, solver->announced,
                                          &solver->common, solver->order, &solver->expected);
    solver->tries_own = solver->expected.own;
    return status;
}

static inline tn_status sparse_lu_begin_order(sparse_lu *solver)
{
    const tn_status status = sparse_lu_choose_order(solver);
    solver->ordered = status == TN_OK;
    return status;
}

/* The reciprocal condition of what KLU has factorised. */
static inline double sparse_lu_rcond(const sparse_lu *solver, const klu_numeric *numeric)
{
    const double *diagonal = numeric->Udiag;
    packed_pivots seen = packed_no_pivots();
    for (int32_t k = 0; k < solver->size; k++)
        packed_see_pivot(&seen, diagonal[k]);
    return packed_rcond(&seen);
}

/* The factors; what KLU works with goes before there are two copies of them. */
static inline tn_status sparse_lu_take(sparse_lu *solver, const klu_symbolic *symbolic, klu_numeric *numeric)
{
    numeric->Work = klu_free(numeric->Work, numeric->worksize, 1, &solver->common);
    solver->first_rcond = sparse_lu_rcond(solver, numeric);
    if (!(solver->first_rcond > 0.0)) return TN_RETRY; // singular
    solver->factored = packed_take(&solver->packed, symbolic, numeric, solver->pivot_of);
    return solver->factored ? TN_OK : TN_OUT_OF_MEMORY;
}

/* Keeps the values that pivots have been chosen for. */
static inline tn_status sparse_lu_keep_values(sparse_lu *solver)
{
    const used_pattern *pattern = &solver->pattern;
    const size_t bytes = (size_t)pattern->start[solver->size] * sizeof(double);
    solver->first_value = malloc(bytes);
    if (solver->first_value) memcpy(solver->first_value, pattern->value, bytes);
    solver->factored = solver->first_value;
    return solver->factored ? TN_OK : TN_OUT_OF_MEMORY;
}

/* A full factorisation, which chooses pivots for these values. */
static inline tn_status sparse_lu_choose_pivots(sparse_lu *solver)
{
    used_pattern *pattern = &solver->pattern;
    klu_common *common = &solver->common;
    const bool ordered = solver->ordered;
    sparse_lu_forget(solver);
    solver->ordered = ordered;
    if (!used_pattern_is_finite(pattern, solver->size)) return TN_RETRY;
    klu_symbolic *symbolic =
        klu_analyze_given(solver->size, pattern->start, pattern->row, solver->order, solver->order, common);
    klu_numeric *numeric =
        symbolic ? klu_factor(pattern->start, pattern->row, pattern->value, symbolic, common) : NULL;
    const tn_status status = numeric ? sparse_lu_take(solver, symbolic, numeric) : sparse_lu_status(solver);
    (void)klu_free_numeric(&numeric, common);
    (void)klu_free_symbolic(&symbolic, common);
    return status == TN_OK ? sparse_lu_keep_values(solver) : status;
}

/* With a new order, or where the last matrix had no factors. Rows that depend on others have no pivot on the diagonal
 * wherever they stand: where those that were found instead have filled the factors, the order of the whole pattern is
 * taken after all. */
static inline tn_status sparse_lu_begin(sparse_lu *solver)
{
    /* what cost() has ordered had values of other sizes, where other diagonals may be weak */
    const bool stays = solver->ordered && solver->for_cost && !order_has_weak(&solver->pattern, solver->size);
    sparse_lu_forget(solver);
    solver->ordered = stays;
    tn_status status = stays ? TN_OK : sparse_lu_begin_order(solver);
    if (status == TN_OK) status = sparse_lu_choose_pivots(solver);
    if (!solver->factored || !solver->tries_own ||
        packed_entries(&solver->packed) <= SPARSE_LU_MORE_THAN_COUNTED * solver->expected.entries)
        return status;
    solver->tries_own = false;
    return sparse_lu_begin(solver);
}

static inline tn_status sparse_lu_factor(sparse_lu *solver, const tn_matrix *matrix)
{
    if (solver->size == 0) return TN_OK;
    if (used_pattern_fill(&solver->pattern, matrix)) sparse_lu_forget(solver);
    if (!solver->factored) return sparse_lu_begin(solver);
    return sparse_lu_refactor(solver) ? TN_OK : sparse_lu_choose_pivots(solver);
}

static inline tn_status sparse_lu_solve(sparse_lu *solver, double *right_hand_side)
{
    if (solver->size == 0) return TN_OK;
    if (!solver->factored) return TN_FATAL;
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
        status = sparse_lu_refactor(solver) ? TN_OK : TN_FATAL;
    return status;
}

static inline tn_status sparse_lu_restore(sparse_lu *solver, const tn_matrix *matrix, bool ordered,
                                          bool factored)
{
    solver->ordered = ordered;
    if (!factored) return TN_OK;
    double *last = malloc(((size_t)matrix->column_start[matrix->size] + 1) * sizeof *last);
    if (!last) return TN_OUT_OF_MEMORY;
    const tn_status status = sparse_lu_make_factors(solver, last);
    free(last);
    return status;
}

static inline tn_status sparse_lu_state(sparse_lu *solver, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    used_pattern *pattern = &solver->pattern;
    if (solver->size == 0) return TN_OK;
    bool ordered = solver->ordered, factored = solver->factored;
    TN_VISIT(visitor, ordered);
    TN_VISIT(visitor, factored);
    TN_VISIT(visitor, solver->tries_own);
    TN_VISIT(visitor, solver->expected.entries);
    visitor->bytes(visitor, solver->order, (size_t)solver->size * sizeof *solver->order);
    used_pattern_state(pattern, matrix, visitor);
    const size_t count = (size_t)pattern->start[solver->size];
    if (visitor->restores) sparse_lu_forget(solver);
    if (visitor->restores && factored && !(solver->first_value = malloc(count * sizeof(double))))
        return TN_OUT_OF_MEMORY;
    if (factored) tn_visit_numbers(visitor, solver->first_value, count);
    const tn_status status = visitor->restores ? sparse_lu_restore(solver, matrix, ordered, factored) : TN_OK;
    if (status != TN_OK) return status;
    return klu_complex_state(&solver->complex, matrix, &solver->common, visitor);
}

/* Of the factors there are, or as they are expected to become. The diagonal of L is 1. */
static inline tn_status sparse_lu_estimate(sparse_lu *solver, double *entries, double *operations)
{
    *entries = *operations = 0.0;
    if (solver->size == 0) return TN_OK;
    const klu_symbolic *announced = solver->announced;
    if (!announced) return TN_RETRY; /* there was no memory for it */
    *entries = (solver->factored ? packed_entries(&solver->packed) : announced->lnz + announced->unz) -
               (double)solver->size;
    *operations = solver->factored ? packed_operations(&solver->packed) : announced->est_flops;
    return TN_OK;
}

/* What is counted of the factors, while pivots are on the diagonal: entries and operations. */
static inline tn_status sparse_lu_count(sparse_lu *solver, const tn_matrix *matrix, tn_linear_cost *cost)
{
    *cost = (tn_linear_cost){0};
    if (solver->size == 0) return TN_OK;
    if (used_pattern_fill(&solver->pattern, matrix)) sparse_lu_forget(solver);
    if (!solver->ordered) {
        const tn_status status = sparse_lu_begin_order(solver);
        if (status != TN_OK) return status;
        solver->for_cost = !order_has_weak(&solver->pattern, solver->size);
    }
    cost->entries = solver->expected.entries;
    cost->operations = solver->expected.operations;
    return TN_OK;
}

#endif

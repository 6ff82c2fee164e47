/* multifrontal.c - LU factorisation by dense fronts, for structures whose factors fill: sheets, grids, lattices.
 *
 * Of the pattern announced only the entries are factorised that are used, in an order of bodies and constraints (../dissection.h). Pivots stay
 * within the dense block of their panel (eliminate.h); each factorisation is tried on a solution that is known, and what cannot be solved so is
 * handed to KLU with its full choice of pivots (../klu_fallback.h). Factors depend on the matrix, the entries used and the order alone, which are
 * the state: a run that goes on from a checkpoint has the same bits. */
#include "tenon/descriptors.h"

#include "../dissection.h"
#include "../klu_fallback.h"
#include "../known_solution.h"
#include "eliminate.h"

#define TRUSTED_RESIDUAL 1e-9 /* of a row, against the sizes of its terms, for a solution that is known */

typedef struct multifrontal_solver {
    const tn_host *host;
    int32_t size;
    used_pattern pattern;
    int32_t *dissection; /* [size] the order of the pattern announced */
    fronts fronts;
    front_numbers numbers;
    known_trial trial;
    bool dissected, analysed, factored; /* there is an order; panels of the entries used; factors */
    klu_fallback fallback;
} multifrontal_solver;

static tn_status create_multifrontal(const tn_host *host, TN_UNUSED const void *instance,
                                     const tn_matrix *matrix, void **self)
{
    if (matrix->size > INT32_MAX || matrix->column_start[matrix->size] > INT32_MAX / 2) {
        tn_say(host, TN_ERROR, "multifrontal counts in 32 bits: %u unknowns with %d entries are too many",
               matrix->size, matrix->column_start[matrix->size]);
        return TN_UNSUPPORTED;
    }
    multifrontal_solver *solver = host->allocate(host, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    *self = solver;
    solver->host = host;
    solver->size = (int32_t)matrix->size;
    klu_fallback_begin(&solver->fallback);
    solver->dissection = calloc((size_t)matrix->size + 1, sizeof *solver->dissection);
    const bool made = solver->dissection && known_make(&solver->trial, matrix->size) &&
                      used_pattern_make(&solver->pattern, matrix) &&
                      fronts_allocate(&solver->fronts, matrix) &&
                      front_numbers_allocate(&solver->numbers, solver->size);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

static void destroy_multifrontal(void *self)
{
    multifrontal_solver *solver = self;
    if (!solver) return;
    free(solver->dissection);
    known_free(&solver->trial);
    used_pattern_free(&solver->pattern);
    fronts_free(&solver->fronts);
    front_numbers_free(&solver->numbers);
    klu_fallback_free(&solver->fallback);
}

/* ---- analysis ---------------------------------------------------------------------------------------------------- */

static tn_status find_order(multifrontal_solver *solver, const tn_matrix *matrix)
{
    if (!solver->dissected) {
        const tn_status status = dissection_order(matrix, solver->dissection);
        if (status != TN_OK) return status;
        solver->dissected = true;
    }
    memcpy(solver->fronts.order, solver->dissection, (size_t)solver->size * sizeof *solver->dissection);
    return fronts_arrange(&solver->fronts, &solver->pattern);
}

static tn_status analyse(multifrontal_solver *solver)
{
    tn_status status = fronts_analyse(&solver->fronts, &solver->pattern);
    if (status == TN_OK && !front_numbers_fit(&solver->numbers, &solver->fronts)) status = TN_OUT_OF_MEMORY;
    solver->analysed = status == TN_OK;
    return status;
}

/* Takes the values over, and analyses the entries where some have joined. */
static tn_status take(multifrontal_solver *solver, const tn_matrix *matrix)
{
    if (used_pattern_fill(&solver->pattern, matrix)) {
        solver->analysed = false;
        solver->fallback.is.stay = 0;
    }
    if (!used_pattern_is_finite(&solver->pattern, solver->size)) return TN_RETRY;
    if (solver->analysed) return TN_OK;
    const tn_status status = find_order(solver, matrix);
    return status == TN_OK ? analyse(solver) : status;
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

/* Whether the factors find a solution that is known: numbers of equal size with changing signs. */
static bool are_trusted(multifrontal_solver *solver, const tn_matrix *matrix)
{
    const known_trial *trial = &solver->trial;
    for (uint32_t i = 0; i < matrix->size; i++)
        trial->x[i] = i % 3 == 1 ? 1.0 : -1.0;
    known_begin(matrix, trial, 1);
    fronts_solve(&solver->fronts, &solver->numbers, trial->x);
    known_subtract_product(matrix, trial, 1);
    return known_is_found(trial, matrix->size, TRUSTED_RESIDUAL);
}

static bool factor_by_fronts(multifrontal_solver *solver, const tn_matrix *matrix)
{
    const tn_matrix used = used_pattern_matrix(&solver->pattern, matrix);
    solver->fallback.is.active = false;
    solver->factored =
        fronts_eliminate(&solver->fronts, &solver->numbers, &solver->pattern) && are_trusted(solver, &used);
    return solver->factored;
}

static tn_status factor_multifrontal(void *self, const tn_matrix *matrix)
{
    multifrontal_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    solver->factored = false;
    tn_status status = take(solver, matrix);
    if (status != TN_OK) return status;
    if (klu_fallback_stays(&solver->fallback)) {
        status = klu_fallback_factor(&solver->fallback, matrix);
    } else if (factor_by_fronts(solver, matrix)) {
        solver->fallback.is.next_stay = 1;
    } else {
        status = klu_fallback_take(&solver->fallback, solver->host, matrix,
                                   "multifrontal: pivots within dense blocks are not accurate");
    }
    solver->factored = status == TN_OK;
    return status;
}

static tn_status solve_multifrontal(void *self, double *right_hand_side)
{
    multifrontal_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    if (!solver->factored) return TN_FATAL;
    if (solver->fallback.is.active) return sparse_lu_solve(&solver->fallback.sparse, right_hand_side);
    fronts_solve(&solver->fronts, &solver->numbers, right_hand_side);
    return TN_OK;
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static tn_status restore(multifrontal_solver *solver, const tn_matrix *matrix)
{
    const bool has_fronts = solver->factored && !solver->fallback.is.active;
    tn_status status = solver->analysed ? analyse(solver) : TN_OK;
    if (status == TN_OK && has_fronts && !factor_by_fronts(solver, matrix)) status = TN_FATAL;
    return status;
}

static tn_status state_of_multifrontal(void *self, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    multifrontal_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    const size_t bytes = (size_t)solver->size * sizeof(int32_t);
    TN_VISIT(visitor, solver->dissected);
    TN_VISIT(visitor, solver->analysed);
    TN_VISIT(visitor, solver->factored);
    const tn_status status = klu_fallback_state(&solver->fallback, matrix, visitor);
    if (status != TN_OK) return status;
    visitor->bytes(visitor, solver->dissection, bytes);
    visitor->bytes(visitor, solver->fronts.order, bytes);
    used_pattern_state(&solver->pattern, matrix, visitor);
    return visitor->restores ? restore(solver, matrix) : TN_OK;
}

/* ---- what they cost ---------------------------------------------------------------------------------------------- */

static tn_status estimate_multifrontal(void *self, double *entries, double *operations)
{
    multifrontal_solver *solver = self;
    *entries = *operations = 0.0;
    if (solver->size == 0) return TN_OK;
    if (solver->fallback.is.made && solver->fallback.is.active)
        return sparse_lu_estimate(&solver->fallback.sparse, entries, operations);
    if (!solver->analysed) return TN_RETRY; /* nothing is known of the entries that will be used */
    *entries = solver->fronts.entries;
    *operations = solver->fronts.operations;
    return TN_OK;
}

/* Measured on lattices and grids, with OpenBLAS, and on nets of points, where most panels are narrow. */
static void find_times(double number_of_panels, tn_linear_cost *cost)
{
    cost->factorisation = 4e-11 * cost->operations + 1.1e-8 * cost->entries + 6e-7 * number_of_panels;
    cost->solution = 7.5e-10 * cost->entries + 3e-8 * number_of_panels;
}

/* Nested dissection may find shorter factors than minimum degree. */
static void least_of_multifrontal(TN_UNUSED uint32_t size, const tn_linear_cost *known, tn_linear_cost *least)
{
    *least = (tn_linear_cost){.entries = 0.5 * known->entries, .operations = 0.2 * known->operations};
    find_times(0.0, least);
}

static tn_status cost_of_multifrontal(void *self, const tn_matrix *matrix, tn_linear_cost *cost)
{
    multifrontal_solver *solver = self;
    *cost = (tn_linear_cost){0};
    if (solver->size == 0) return TN_OK;
    tn_status status = take(solver, matrix);
    if (status == TN_OK) status = estimate_multifrontal(solver, &cost->entries, &cost->operations);
    if (status != TN_OK) return status;
    find_times(solver->fronts.upper.count, cost);
    cost->memory = 9.0 * cost->entries + 8.0 * (double)solver->fronts.stack_room;
    return TN_OK;
}

static uint64_t fallbacks_of_multifrontal(const void *self, const char **to)
{
    const multifrontal_solver *solver = self;
    *to = "KLU";
    return solver->fallback.is.count;
}

static const tn_estimate_capability multifrontal_estimate = {.struct_size = sizeof multifrontal_estimate,
                                                             .estimate = estimate_multifrontal};
static const tn_cost_capability multifrontal_cost = {
    .struct_size = sizeof multifrontal_cost, .cost = cost_of_multifrontal, .least = least_of_multifrontal};
static const tn_linear_state_capability multifrontal_state = {.struct_size = sizeof multifrontal_state,
                                                              .state = state_of_multifrontal};
static const tn_fallback_capability multifrontal_fallback = {.struct_size = sizeof multifrontal_fallback,
                                                             .fallbacks = fallbacks_of_multifrontal};
static const tn_capability multifrontal_capabilities[] = {{TN_LINEAR_STATE_KEY, &multifrontal_state},
                                                          {TN_ESTIMATE_KEY, &multifrontal_estimate},
                                                          {TN_COST_KEY, &multifrontal_cost},
                                                          {TN_FALLBACK_KEY, &multifrontal_fallback},
                                                          {NULL, NULL}};

static const tn_linear_type multifrontal_type = {
    .struct_size = sizeof(tn_linear_type),
    .name = "multifrontal",
    .capabilities = multifrontal_capabilities,
    .summary = "LU by dense fronts, for sheets and lattices, whose factors fill; hands over to KLU "
               "(LGPL-2.1-or-later "
               "library) where it is not accurate",
    .formula = "P Q R A Q^T = L U;  R scales rows, Q is the order of nested dissection by Scotch, P "
               "exchanges rows within "
               "a dense block",
    .literature = "Duff, Reid: The multifrontal solution of indefinite sparse symmetric linear equations, "
                  "ACM Trans. Math. "
                  "Softw. 9 (1983) 302-325; "
                  "Schenk, Gaertner: Solving unsymmetric sparse systems of linear equations with PARDISO, "
                  "Future Generation "
                  "Computer Systems 20 (2004) 475-487",
    .create = create_multifrontal,
    .factor = factor_multifrontal,
    .solve = solve_multifrontal,
    .destroy = destroy_multifrontal,
};

TN_LIBRARY("multifrontal", "1.0.0", "Apache-2.0",
           "sparse linear solver; links SuiteSparse KLU, which is under LGPL-2.1-or-later, and Scotch, which "
           "is under CeCILL-C",
           {TN_LINEAR_KIND, &multifrontal_type})

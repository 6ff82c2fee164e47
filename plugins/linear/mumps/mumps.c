/* mumps.c - sparse LU and LDL^T factorisation by MUMPS, for matrices whose factors fill: lattices, grids.
 *
 * Of the pattern announced only the entries are factorised that are used, in an order of bodies and constraints (dissection.h). As long as
 * all matrices have been symmetric to the last bit half of each is factorised, in two thirds of the time. Factors depend on the matrix, the
 * order and that symmetry alone, which are the state: a run that goes on from a checkpoint has the same bits. */
#include "tenon/descriptors.h"

#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>

#include "../elimination_order.h"
#include "../used_pattern.h"
#include "../dissection.h"
#include "library.h"

#include <math.h>
#include <string.h>

typedef struct mumps_solver {
    const tn_host *host;
    int32_t size;
    bool is_symmetric, analysed; /* all matrices so far; the entries that are used now */
    bool has_partners;
    used_pattern pattern;
    int32_t *order;   /* [size] of elimination */
    int32_t *partner; /* [entries used] the entry on the other side of the diagonal, or -1 */
    int32_t *next;    /* [size] memory to find these */
    mumps_library library;
} mumps_solver;

static tn_status create_mumps(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                              void **self)
{
    if (matrix->size > INT32_MAX || matrix->column_start[matrix->size] > INT32_MAX / 2) {
        tn_say(host, TN_ERROR, "mumps counts in 32 bits: %u unknowns with %d entries are too many",
               matrix->size, matrix->column_start[matrix->size]);
        return TN_UNSUPPORTED;
    }
    mumps_solver *solver = host->allocate(host, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    *self = solver;
    solver->host = host;
    solver->size = (int32_t)matrix->size;
    solver->is_symmetric = true;
    const size_t entries = (size_t)matrix->column_start[matrix->size] + 1;
    solver->order = calloc((size_t)matrix->size + 1, sizeof *solver->order);
    solver->next = malloc(((size_t)matrix->size + 1) * sizeof *solver->next);
    solver->partner = malloc(entries * sizeof *solver->partner);
    const bool made =
        solver->order && solver->next && solver->partner && used_pattern_make(&solver->pattern, matrix);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

static void destroy_mumps(void *self)
{
    mumps_solver *solver = self;
    if (!solver) return;
    library_close(&solver->library);
    used_pattern_free(&solver->pattern);
    free(solver->order);
    free(solver->next);
    free(solver->partner);
    solver->order = solver->next = solver->partner = NULL;
}

/* ---- symmetry ---------------------------------------------------------------------------------------------------- */

/* Columns are gone through in ascending order, and so are the rows of each: the partner in column i of an entry in row i is the next
 * one there. */
static void find_partners(mumps_solver *solver)
{
    const used_pattern *p = &solver->pattern;
    int32_t *next = solver->next;
    solver->has_partners = true;
    memcpy(next, p->start, (size_t)solver->size * sizeof *next);
    for (int32_t j = 0; j < solver->size; j++)
        for (int32_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const int32_t i = p->row[e];
            while (next[i] < p->start[i + 1] && p->row[next[i]] < j)
                next[i]++;
            const bool found = next[i] < p->start[i + 1] && p->row[next[i]] == j;
            solver->partner[e] = found ? next[i] : -1;
        }
}

static bool is_symmetric(const mumps_solver *solver)
{
    const used_pattern *p = &solver->pattern;
    const int32_t count = p->start[solver->size];
    for (int32_t e = 0; e < count; e++) {
        const int32_t partner = solver->partner[e];
        const double other = partner < 0 ? 0.0 : p->value[partner];
        if (p->value[e] < other || p->value[e] > other) return false;
    }
    return true;
}

/* ---- analysis ---------------------------------------------------------------------------------------------------- */

static tn_status find_order(mumps_solver *solver, const tn_matrix *matrix)
{
    const tn_status status = dissection_order(matrix, solver->order);
    if (status != TN_OK) return status;
    order_count count = {0};
    const bool made = order_count_make(&count, &solver->pattern, solver->size);
    if (made) {
        order_count_fill(&count, &solver->pattern, solver->pattern.value);
        if (count.has_weak) order_put_behind(&count, solver->order);
    }
    order_count_free(&count);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

/* By the order and the entries used alone, whatever their values are. */
static tn_status analyse(mumps_solver *solver)
{
    const tn_status status = library_analyse(&solver->library, solver->host, &solver->pattern, solver->size,
                                             solver->order, solver->is_symmetric);
    solver->analysed = status == TN_OK;
    return status;
}

/* Takes the values over, and analyses what has changed in kind. */
static tn_status take(mumps_solver *solver, const tn_matrix *matrix)
{
    if (used_pattern_fill(&solver->pattern, matrix) || !solver->has_partners) {
        solver->analysed = false;
        find_partners(solver);
    }
    if (!used_pattern_is_finite(&solver->pattern, solver->size)) return TN_RETRY;
    if (solver->pattern.start[solver->size] == 0) return TN_RETRY; /* zeros only */
    if (solver->is_symmetric && !is_symmetric(solver)) solver->is_symmetric = solver->analysed = false;
    if (solver->analysed) return TN_OK;
    const tn_status status = find_order(solver, matrix);
    return status == TN_OK ? analyse(solver) : status;
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

static tn_status factor_mumps(void *self, const tn_matrix *matrix)
{
    mumps_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    solver->library.factored = false;
    const tn_status status = take(solver, matrix);
    return status == TN_OK ? library_factor(&solver->library, solver->host, &solver->pattern) : status;
}

static tn_status solve_mumps(void *self, double *right_hand_side)
{
    mumps_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    if (!solver->library.factored) return TN_FATAL;
    return library_solve(&solver->library, solver->host, right_hand_side);
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static tn_status restore(mumps_solver *solver, bool analysed, bool factored, int32_t extra_memory)
{
    library_close(&solver->library);
    solver->analysed = false;
    find_partners(solver);
    tn_status status = analysed ? analyse(solver) : TN_OK;
    if (status == TN_OK && analysed) solver->library.of.ICNTL(14) = extra_memory;
    if (status == TN_OK && factored)
        status = library_factor(&solver->library, solver->host, &solver->pattern);
    return status;
}

static tn_status state_of_mumps(void *self, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    mumps_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    bool analysed = solver->analysed, factored = solver->library.factored;
    int32_t extra_memory = solver->library.of.ICNTL(14);
    TN_VISIT(visitor, analysed);
    TN_VISIT(visitor, factored);
    TN_VISIT(visitor, extra_memory);
    TN_VISIT(visitor, solver->is_symmetric);
    visitor->bytes(visitor, solver->order, (size_t)solver->size * sizeof *solver->order);
    used_pattern_state(&solver->pattern, matrix, visitor);
    return visitor->restores ? restore(solver, analysed, factored, extra_memory) : TN_OK;
}

/* ---- inertia ----------------------------------------------------------------------------------------------------- */

/* By the signs of the pivots of L D L^T; none of these is zero, since then there would be no factors. */
static tn_status inertia_mumps(void *self, uint32_t *positive, uint32_t *negative, uint32_t *zero)
{
    const mumps_solver *solver = self;
    *positive = *negative = *zero = 0;
    if (solver->size == 0) return TN_OK;
    if (!solver->library.factored) return TN_FATAL;
    if (!solver->is_symmetric) return TN_UNSUPPORTED;
    *negative = (uint32_t)solver->library.of.INFOG(12);
    *positive = (uint32_t)solver->size - *negative;
    return TN_OK;
}

/* ---- what they cost ---------------------------------------------------------------------------------------------- */

/* Of the factors there are, or as they are expected to become. */
static tn_status estimate_mumps(void *self, double *entries, double *operations)
{
    const mumps_solver *solver = self;
    const DMUMPS_STRUC_C *of = &solver->library.of;
    *entries = *operations = 0.0;
    if (solver->size == 0) return TN_OK;
    if (!solver->analysed) return TN_RETRY; /* nothing is known of the entries that will be used */
    *entries = library_count(solver->library.factored ? of->INFOG(29) : of->INFOG(20));
    *operations = solver->library.factored ? of->RINFOG(3) : of->RINFOG(1);
    return TN_OK;
}

/* Measured on lattices and grids, with OpenBLAS. */
static void find_times(uint32_t size, bool is_symmetric, tn_linear_cost *cost)
{
    const double share = is_symmetric ? 1.3 : 1.0; /* fronts of half the work are less efficient */
    cost->factorisation = share * (5.2e-11 * cost->operations + 2.1e-8 * cost->entries);
    cost->solution = share * 1.1e-9 * cost->entries + 2.4e-7 * size;
}

/* A symmetric matrix has one half of factors in the same order. */
static void least_of_mumps(uint32_t size, const tn_linear_cost *known, tn_linear_cost *least)
{
    *least = (tn_linear_cost){.entries = 0.5 * known->entries, .operations = 0.5 * known->operations};
    find_times(size, true, least);
}

static tn_status cost_of_mumps(void *self, const tn_matrix *matrix, tn_linear_cost *cost)
{
    mumps_solver *solver = self;
    *cost = (tn_linear_cost){0};
    if (solver->size == 0) return TN_OK;
    tn_status status = take(solver, matrix);
    if (status == TN_OK) status = estimate_mumps(solver, &cost->entries, &cost->operations);
    if (status != TN_OK) return status;
    find_times((uint32_t)solver->size, solver->is_symmetric, cost);
    cost->memory = 1e6 * (1.0 + library_count(solver->library.of.INFOG(16))); /* whole MB */
    return TN_OK;
}

static const tn_estimate_capability mumps_estimate = {.struct_size = sizeof mumps_estimate,
                                                      .estimate = estimate_mumps};
static const tn_cost_capability mumps_cost = {
    .struct_size = sizeof mumps_cost, .cost = cost_of_mumps, .least = least_of_mumps};
static const tn_inertia_capability mumps_inertia = {.struct_size = sizeof mumps_inertia,
                                                    .inertia = inertia_mumps};
static const tn_linear_state_capability mumps_state = {.struct_size = sizeof mumps_state,
                                                       .state = state_of_mumps};
static const tn_capability mumps_capabilities[] = {{TN_LINEAR_STATE_KEY, &mumps_state},
                                                   {TN_INERTIA_KEY, &mumps_inertia},
                                                   {TN_ESTIMATE_KEY, &mumps_estimate},
                                                   {TN_COST_KEY, &mumps_cost},
                                                   {NULL, NULL}};

static const tn_linear_type mumps_type = {
    .struct_size = sizeof(tn_linear_type),
    .name = "mumps",
    .capabilities = mumps_capabilities,
    .summary = "sparse LU or LDL^T by dense fronts, by MUMPS (CeCILL-C library): for lattices and grids, "
               "whose factors fill",
    .formula = "P R A C P^T = L U, or L D L^T where A is symmetric;  R, C scale by powers of 2, the order P "
               "is that of nested "
               "dissection by Scotch",
    .literature =
        "Amestoy, Duff, L'Excellent, Koster: A fully asynchronous multifrontal solver using distributed "
        "dynamic "
        "scheduling, SIAM J. Matrix Anal. Appl. 23 (2001) 15-41; "
        "Pellegrini, Roman, Amestoy: Hybridizing nested dissection and halo approximate minimum degree for "
        "efficient sparse matrix ordering, Concurrency: Pract. Exper. 12 (2000) 69-84",
    .create = create_mumps,
    .factor = factor_mumps,
    .solve = solve_mumps,
    .destroy = destroy_mumps,
};

TN_LIBRARY("mumps", "1.0.0", "Apache-2.0",
           "sparse linear solver; links MUMPS and Scotch, which are under CeCILL-C",
           {TN_LINEAR_KIND, &mumps_type})

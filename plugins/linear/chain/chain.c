/* chain.c - LU factorisation along the graph of a mechanism, for the iteration matrices of implicit solvers.
 *
 * Mechanisms are trees of bodies and joints with few loops. Eliminated from the leaves inwards their matrices hardly fill, and
 * the same few shapes of blocks come back again and again. All that is found out in the first factorisation: which entries are
 * used (../used_pattern.h), the order (order.h), nodes of unknowns that go together (nodes.h). Later ones are loops over numbers
 * that lie one behind the other (kernels.h), without a search for pivots.
 *
 * Where the order does not hold for a matrix (trust.h), another one is chosen for it, unless that has happened too often lately. What is left
 * is factorised by KLU with its full choice of pivots (../klu_fallback.h). */
#include "tenon/descriptors.h"
#include "../klu_fallback.h"
#include "cost.h"
#include "trust.h"

/* Operations of a factorisation for each unknown, from where on large models have better linear solvers; and of one of whole blocks, from
 * where on nothing else need be counted. */
#define FILLING 500.0
#define MOST_IN_BLOCKS 20000.0
#define BLOCKS_FILLED 16.0 /* entries of L + U for each one of the matrix, up to which blocks are ordered */
#define ROUGH 1e-13        /* residual against the largest terms: beyond, orders of less growth are tried */
#define MORE_FILLED 1.15   /* factors for entries of the matrix than before, up to which an order stays */
enum {
    ORDER_COSTS = 20,  /* factorisations that are to go well for each new order, */
    MOST_CREDIT = 100, /* and how many of them count */
    CHEAP_ORDER = 500, /* unknowns, below which each pattern gets an order of its own, */
    BLOCK_ORDER = 2000 /* and from where on blocks are ordered first */
};

/* Of diagonals by a pivot, and where no other is left: the first one leaves the smallest factors. */
enum { GROWTHS = 2 };
static const chain_growth growths[GROWTHS] = {{10.0, 1e8}, {1.5, 150.0}};

/* All of it that is saved with a state. */
typedef struct chain_record {
    uint32_t credit;
    uint32_t strictness;       /* of growths */
    bool latest_first;         /* how the order is chosen (order.h) */
    bool ordered;              /* there are factors, */
    bool counted;              /* which have been made for what they cost, */
    bool factored;             /* or whole ones */
    bool by_blocks, no_blocks; /* the order is that of whole blocks; such an order has failed */
    bool strict_in_vain;       /* none of them is small enough */
} chain_record;

typedef struct chain_solver {
    const tn_host *host;
    uint32_t size;
    used_pattern pattern; /* open while an order is looked for: factors are filled from the matrix itself */
    uint64_t *order_used; /* bits: those that the factors have been made for */
    size_t used_words;    /* of these, and of those of the pattern */
    chain_factors factors;
    chain_trust trust;
    chain_record is;
    klu_fallback fallback;
} chain_solver;

static tn_status create_chain(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                              void **self)
{
    if (matrix->size > INT32_MAX) {
        tn_say(host, TN_ERROR, "chain counts in 32 bits: %u unknowns are too many", matrix->size);
        return TN_UNSUPPORTED;
    }
    chain_solver *solver = host->allocate(host, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    *self = solver;
    solver->host = solver->factors.host = host;
    solver->size = matrix->size;
    solver->is = (chain_record){.credit = MOST_CREDIT};
    klu_fallback_begin(&solver->fallback);
    if (solver->size == 0) return TN_OK;
    solver->used_words = used_pattern_words(matrix);
    solver->order_used = calloc(solver->used_words + 1, sizeof *solver->order_used);
    const bool made = solver->order_used && used_pattern_begin(&solver->pattern, matrix) &&
                      chain_trust_make(&solver->trust, solver->size);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

static void destroy_chain(void *self)
{
    chain_solver *solver = self;
    if (!solver) return;
    chain_factors_free(&solver->factors);
    chain_trust_free(&solver->trust);
    used_pattern_free(&solver->pattern);
    klu_fallback_free(&solver->fallback);
    free(solver->order_used);
}

/* ---- KLU ---- */

static tn_status factor_by_klu(chain_solver *solver, const tn_matrix *matrix)
{
    const tn_status status = klu_fallback_factor(&solver->fallback, matrix);
    solver->is.factored = status == TN_OK;
    return status;
}

/* KLU has this matrix and some more, or all others. */
static tn_status hand_over(chain_solver *solver, const tn_matrix *matrix, bool for_good)
{
    /* for good it takes other time, no other digits */
    const char *why = for_good ? NULL : "chain: no order of pivots on the diagonal is accurate";
    const tn_status status = klu_fallback_take(&solver->fallback, solver->host, matrix, why);
    solver->is.factored = status == TN_OK;
    if (status == TN_OK && for_good) solver->fallback.is.stay = UINT32_MAX;
    return status;
}

/* ---- factors ---- */

static void forget_order(chain_solver *solver)
{
    chain_factors_free(&solver->factors);
    solver->is.ordered = false;
}

/* How many entries are used. */
static double count_used_entries(const chain_solver *solver, const tn_matrix *matrix)
{
    return (double)used_pattern_size(solver->pattern.used, matrix);
}

/* Entries of L up to which an order of blocks stays. */
static double most_by_blocks(const chain_solver *solver, const tn_matrix *matrix)
{
    return 0.5 * BLOCKS_FILLED * count_used_entries(solver, matrix);
}

/* In the order that there is, unless that is no good for the entries that have joined the pattern. */
static bool extend_factors(chain_solver *solver, const tn_matrix *matrix)
{
    if (solver->size < CHEAP_ORDER) return false;
    chain_factors *factors = &solver->factors;
    const double before = (double)used_pattern_size(solver->order_used, matrix),
                 now = count_used_entries(solver, matrix);
    const double most =
        solver->is.by_blocks ? most_by_blocks(solver, matrix) : MORE_FILLED * now / before * factors->rows;
    const tn_matrix pattern = {
        .size = matrix->size, .column_start = matrix->column_start, .row = matrix->row};
    chain_factors_forget(factors);
    const bool open = used_pattern_open(&solver->pattern, &pattern);
    const chain_verdict verdict =
        open ? chain_factors_extend(factors, matrix, &solver->pattern, most) : CHAIN_NO_MEMORY;
    used_pattern_close(&solver->pattern);
    if (verdict != CHAIN_ORDERED) return false;
    memcpy(solver->order_used, solver->pattern.used, solver->used_words * sizeof *solver->order_used);
    return true;
}

/* The factors stay where they have filled up at the entries that join the pattern. */
static void keep_order(chain_solver *solver, const tn_matrix *matrix)
{
    if (solver->is.ordered &&
        chain_list_targets(&solver->factors, matrix, &solver->pattern) != CHAIN_ORDERED &&
        !extend_factors(solver, matrix))
        forget_order(solver);
    memset(solver->trust.tried, 0, solver->size * sizeof(double)); /* the next factors are tried */
}

static bool factor_in_order(chain_solver *solver, const tn_matrix *matrix)
{
    chain_factors_factor(&solver->factors, matrix->value);
    solver->fallback.is.active = false;
    solver->is.factored = chain_is_trusted(&solver->trust, &solver->factors, matrix);
    return solver->is.factored;
}

static void begin_order(chain_solver *solver)
{
    forget_order(solver);
    memcpy(solver->order_used, solver->pattern.used, solver->used_words * sizeof *solver->order_used);
    memset(solver->trust.tried, 0, solver->size * sizeof(double)); /* the next factors are tried */
}

/* Of whole blocks, for large models whose factors do not fill in it. */
static chain_verdict order_blocks(chain_solver *solver, const tn_matrix *matrix,
                                  const tn_block_pattern *blocks)
{
    begin_order(solver);
    const bool open = used_pattern_open(&solver->pattern, matrix);
    const chain_verdict verdict =
        open ? chain_factors_make_by_blocks(&solver->factors, matrix, blocks, &solver->pattern,
                                            most_by_blocks(solver, matrix))
             : CHAIN_NO_MEMORY;
    used_pattern_close(&solver->pattern);
    solver->is.ordered = solver->is.by_blocks = verdict == CHAIN_ORDERED;
    return verdict;
}

static chain_verdict choose_order(chain_solver *solver, const tn_matrix *matrix)
{
    begin_order(solver);
    const bool open = used_pattern_open(&solver->pattern, matrix);
    const chain_verdict verdict =
        open ? chain_factors_make(&solver->factors, matrix, &solver->pattern, growths[solver->is.strictness],
                                  &solver->is.latest_first)
             : CHAIN_NO_MEMORY;
    used_pattern_close(&solver->pattern);
    solver->is.ordered = verdict == CHAIN_ORDERED;
    solver->is.by_blocks = false;
    return verdict;
}

/* Whether an order that accepts less growth may leave less of right-hand sides than this one, which has just been tried, does. */
static bool may_improve(const chain_solver *solver, bool factored)
{
    if (solver->is.strict_in_vain || solver->size >= CHEAP_ORDER) return false;
    return !factored || chain_residual(&solver->trust, solver->size) > ROUGH;
}

/* Where no growth is small enough the first one is taken from there on. */
static tn_status factor_by_pivots(chain_solver *solver, const tn_matrix *matrix)
{
    for (;;) {
        const chain_verdict verdict = choose_order(solver, matrix);
        if (verdict == CHAIN_NO_MEMORY) return TN_OUT_OF_MEMORY;
        if (verdict == CHAIN_TOO_FULL && solver->is.strictness == 0) return hand_over(solver, matrix, true);
        const bool factored = verdict == CHAIN_ORDERED && factor_in_order(solver, matrix);
        if (!may_improve(solver, factored)) return factored ? TN_OK : hand_over(solver, matrix, false);
        if (++solver->is.strictness < GROWTHS) continue;
        solver->is.strict_in_vain = true;
        solver->is.strictness = 0;
    }
}

static bool may_order_blocks(const chain_solver *solver)
{
    return solver->size >= BLOCK_ORDER && !solver->is.no_blocks;
}

static chain_verdict find_and_order_blocks(chain_solver *solver, const tn_matrix *matrix)
{
    tn_block_pattern blocks;
    if (!may_order_blocks(solver)) return CHAIN_NO_PIVOT;
    if (!tn_block_pattern_make(&blocks, matrix, CHAIN_WIDEST)) return CHAIN_NO_MEMORY;
    const chain_verdict verdict = order_blocks(solver, matrix, &blocks);
    tn_block_pattern_free(&blocks);
    return verdict;
}

static tn_status factor_in_new_order(chain_solver *solver, const tn_matrix *matrix)
{
    const chain_verdict verdict = find_and_order_blocks(solver, matrix);
    if (verdict == CHAIN_NO_MEMORY) return TN_OUT_OF_MEMORY;
    if (verdict == CHAIN_ORDERED && factor_in_order(solver, matrix)) return TN_OK;
    solver->is.no_blocks |= verdict == CHAIN_ORDERED;
    return factor_by_pivots(solver, matrix);
}

static void empty_pattern(chain_solver *solver)
{
    memset(solver->pattern.used, 0, solver->used_words * sizeof *solver->pattern.used);
    solver->pattern.growths = 0;
}

/* The first matrix. What has been counted serves it, and all that follow, unless some of its entries are zero now: factors would be larger
 * than they need be. */
static void begin_with_counted(chain_solver *solver, const tn_matrix *matrix)
{
    const uint64_t *counted = solver->order_used, *used = solver->pattern.used;
    bool fewer = false, more = false;
    empty_pattern(solver);
    used_pattern_join(&solver->pattern, matrix);
    for (size_t k = 0; k < solver->used_words; k++) {
        fewer = fewer || (counted[k] & ~used[k]);
        more = more || (used[k] & ~counted[k]);
    }
    if (fewer)
        forget_order(solver);
    else if (more)
        keep_order(solver, matrix);
    solver->is.counted = false;
}

static tn_status factor_chain(void *self, const tn_matrix *matrix)
{
    chain_solver *solver = self;
    chain_record *is = &solver->is;
    if (solver->size == 0) return TN_OK;
    if (is->counted) begin_with_counted(solver, matrix);
    if (!used_pattern_holds(&solver->pattern, matrix)) {
        used_pattern_join(&solver->pattern, matrix);
        keep_order(solver, matrix);
        solver->fallback.is.stay = 0;
    }
    if (klu_fallback_stays(&solver->fallback)) return factor_by_klu(solver, matrix);
    if (is->ordered && factor_in_order(solver, matrix)) {
        is->credit += is->credit < MOST_CREDIT;
        if (is->credit == MOST_CREDIT) solver->fallback.is.next_stay = 1;
        return TN_OK;
    }
    if (is->ordered && is->by_blocks) {
        is->no_blocks = true;
    } else if (is->ordered) {
        if (is->credit < ORDER_COSTS) return hand_over(solver, matrix, false);
        is->credit -= ORDER_COSTS;
    }
    return factor_in_new_order(solver, matrix);
}

static tn_status solve_chain(void *self, double *right_hand_side)
{
    chain_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    if (!solver->is.factored) return TN_FATAL;
    if (solver->fallback.is.active) return sparse_lu_solve(&solver->fallback.sparse, right_hand_side);
    chain_factors_solve(&solver->factors, right_hand_side);
    return TN_OK;
}

/* ---- capabilities ---- */

static tn_status factor_complex_chain(void *self, const tn_matrix *pattern, const double *value)
{
    chain_solver *solver = self;
    const tn_status status = klu_fallback_make(&solver->fallback, pattern);
    return status == TN_OK ? sparse_lu_factor_complex(&solver->fallback.sparse, pattern, value) : status;
}

static tn_status solve_complex_chain(void *self, double *right_hand_side)
{
    chain_solver *solver = self;
    if (solver->size > 0 && !solver->fallback.is.made) return TN_FATAL;
    return sparse_lu_solve_complex(&solver->fallback.sparse, right_hand_side);
}

static void exchange_used(chain_solver *solver)
{
    uint64_t *const kept = solver->pattern.used;
    solver->pattern.used = solver->order_used;
    solver->order_used = kept;
}

/* All but their numbers. */
static tn_status restore_factors(chain_solver *solver, const tn_matrix *matrix)
{
    chain_factors *factors = &solver->factors;
    exchange_used(solver);
    const bool open = used_pattern_open(&solver->pattern, matrix);
    chain_verdict verdict =
        open ? chain_factors_extend(factors, matrix, &solver->pattern, HUGE_VAL) : CHAIN_NO_MEMORY;
    used_pattern_close(&solver->pattern);
    exchange_used(solver);
    if (verdict == CHAIN_ORDERED) verdict = chain_list_targets(factors, matrix, &solver->pattern);
    return verdict == CHAIN_ORDERED ? TN_OK : verdict == CHAIN_NO_MEMORY ? TN_OUT_OF_MEMORY : TN_FATAL;
}

/* The order, and the factors; of a solver that restores them those that there were are lost. */
static tn_status state_of_factors(chain_solver *solver, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    chain_order *order = &solver->factors.order;
    if (visitor->restores) chain_factors_free(&solver->factors);
    if (!solver->is.ordered) return TN_OK;
    if (visitor->restores && !chain_order_allocate(order, solver->size)) return TN_OUT_OF_MEMORY;
    visitor->bytes(visitor, order->order, solver->size * sizeof *order->order);
    visitor->bytes(visitor, order->weak, solver->size * sizeof *order->weak);
    tn_visit_numbers(visitor, order->scale, solver->size);
    const tn_status status = visitor->restores ? restore_factors(solver, matrix) : TN_OK;
    if (status != TN_OK || !solver->is.factored || solver->fallback.is.active) return status;
    tn_visit_numbers(visitor, solver->factors.value, solver->factors.values);
    tn_visit_numbers(visitor, solver->factors.pivot, solver->size);
    return TN_OK;
}

static tn_status state_of_chain(void *self, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    chain_solver *solver = self;
    used_pattern *pattern = &solver->pattern;
    const size_t n = solver->size;
    if (n == 0) return TN_OK;
    TN_VISIT(visitor, solver->is);
    const tn_status status = klu_fallback_state(&solver->fallback, matrix, visitor);
    if (status != TN_OK) return status;
    TN_VISIT(visitor, solver->trust.since);
    tn_visit_numbers(visitor, solver->trust.tried, n);
    TN_VISIT(visitor, pattern->growths);
    visitor->bytes(visitor, pattern->used, solver->used_words * sizeof *pattern->used);
    visitor->bytes(visitor, solver->order_used, solver->used_words * sizeof *solver->order_used);
    return state_of_factors(solver, matrix, visitor);
}

/* ---- what factors cost ---- */

/* Of the factors that the run begins with, if they are those of whole blocks: they are made, and stay. Otherwise nothing stays. */
static chain_verdict count_factors(chain_solver *solver, const tn_matrix *matrix,
                                   const tn_block_pattern *blocks, tn_linear_cost *cost)
{
    used_pattern_join(&solver->pattern, matrix);
    const chain_verdict verdict = order_blocks(solver, matrix, blocks);
    solver->is.counted = verdict == CHAIN_ORDERED;
    if (solver->is.counted) {
        cost->entries = 2.0 * solver->factors.rows + solver->size;
        cost->operations = 2.0 * solver->factors.squares + solver->factors.rows;
    } else {
        empty_pattern(solver);
    }
    return verdict;
}

/* Where whole blocks hardly fill the factors are made at once, else counted in the order of KLU. */
static tn_status count_entries(chain_solver *solver, const tn_matrix *matrix, const tn_block_pattern *blocks,
                               tn_linear_cost *cost)
{
    chain_verdict verdict = CHAIN_TOO_FULL;
    const tn_status status = count_blocks(blocks, solver->size, cost);
    if (status != TN_OK || cost->operations > MOST_IN_BLOCKS * solver->size) return status;
    if (may_order_blocks(solver) && cost->operations <= FILLING * solver->size)
        verdict = count_factors(solver, matrix, blocks, cost);
    if (verdict == CHAIN_NO_MEMORY) return TN_OUT_OF_MEMORY;
    return verdict == CHAIN_ORDERED ? TN_OK : count_used(matrix, cost);
}

static tn_status cost_of_chain(void *self, const tn_matrix *matrix, tn_linear_cost *cost)
{
    chain_solver *solver = self;
    tn_block_pattern blocks;
    *cost = (tn_linear_cost){0};
    if (solver->size == 0) return TN_OK;
    if (!tn_block_pattern_make(&blocks, matrix, CHAIN_WIDEST)) return TN_OUT_OF_MEMORY;
    const tn_status status = count_entries(solver, matrix, &blocks, cost);
    tn_block_pattern_free(&blocks);
    if (status != TN_OK) return status;
    if (cost->operations > FILLING * solver->size)
        cost->factorisation = cost->solution = HUGE_VAL;
    else
        expect_nodes(solver->size, cost);
    return TN_OK;
}

static tn_status estimate_chain(void *self, double *entries, double *operations)
{
    chain_solver *solver = self;
    *entries = *operations = 0.0;
    if (solver->size == 0) return TN_OK;
    if (solver->fallback.is.made && solver->fallback.is.active)
        return sparse_lu_estimate(&solver->fallback.sparse, entries, operations);
    if (!solver->is.ordered) return TN_RETRY; /* nothing is known of the entries that will be used */
    *entries = (double)solver->factors.values;
    *operations = solver->factors.nodes.operations;
    return TN_OK;
}

static const tn_estimate_capability chain_estimate = {.struct_size = sizeof chain_estimate,
                                                      .estimate = estimate_chain};
static uint64_t fallbacks_of_chain(const void *self, const char **to)
{
    const chain_solver *solver = self;
    *to = "KLU";
    return solver->fallback.is.count;
}

static const tn_linear_state_capability chain_state = {.struct_size = sizeof chain_state,
                                                       .state = state_of_chain};
static const tn_complex_capability chain_complex = {.struct_size = sizeof chain_complex,
                                                    .factor_complex = factor_complex_chain,
                                                    .solve_complex = solve_complex_chain};
static const tn_cost_capability chain_cost = {.struct_size = sizeof chain_cost, .cost = cost_of_chain};
static const tn_fallback_capability chain_fallback = {.struct_size = sizeof chain_fallback,
                                                      .fallbacks = fallbacks_of_chain};
static const tn_capability chain_capabilities[] = {
    {TN_LINEAR_STATE_KEY, &chain_state}, {TN_COMPLEX_KEY, &chain_complex},
    {TN_ESTIMATE_KEY, &chain_estimate},  {TN_COST_KEY, &chain_cost},
    {TN_FALLBACK_KEY, &chain_fallback},  {NULL, NULL}};

static const tn_linear_type chain_type = {
    .struct_size = sizeof(tn_linear_type),
    .name = "chain",
    .capabilities = chain_capabilities,
    .summary = "LU along the graph of bodies and joints, for mechanisms with few loops; hands over to KLU "
               "(LGPL-2.1-or-later library) where it is not accurate",
    .formula = "P A P^T = L U by nodes;  P from minimum degree among pivots that are large enough",
    .literature =
        "Duff, Erisman, Reid: Direct Methods for Sparse Matrices, 2nd ed., Oxford University Press, "
        "2017; "
        "Baraff: Linear-time dynamics using Lagrange multipliers, SIGGRAPH 96, 137-146",
    .create = create_chain,
    .factor = factor_chain,
    .solve = solve_chain,
    .destroy = destroy_chain,
};

TN_LIBRARY("chain", "1.0.0", "Apache-2.0",
           "linear solver for mechanisms; links SuiteSparse KLU, which is under LGPL-2.1-or-later",
           {TN_LINEAR_KIND, &chain_type})

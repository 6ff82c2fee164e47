/* direct.c - impulses of joints, all at once, by one sparse factorisation
 *
 * Joints that do not depend on each other, of bodies that nothing else connects, have factors of small blocks: tenon/kit/impulse_step.h.
 * All others go to the linear solver of the study: tenon/kit/impulse_saddle.h. */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/kit/impulse_saddle.h>
#include <tenon/kit/impulse_step.h>

/* What is added to W by blocks, against its diagonal. Bodies in the factors, such as those with three joints, lose so many digits. */
#define SHARE_WITH_BODIES 1e-9
#define SHARE 1e-14
#define ROUND_OFF 1e-12 /* of the largest rate: what is left stays */
enum { MOST_REPETITIONS = 10 };

#define DIRECT(P)                                        \
    P(REAL, tolerance, "", TN_ABOVE_LOW, 1e-8, 0.0, 1.0, \
      "error of the natural map, beyond which rows contradict each other")
TN_PARAMETERS(direct, DIRECT)

typedef struct direct_solver {
    const direct *of;
    tn_saddle saddle;
    tn_impulse_blocks blocks;
    tn_impulse_step step;
    bool factored;  /* `step`, for the problem that `blocks` has */
    double *number; /* [nv + 5 rows] z, impulses, rates; offsets and slopes */
    size_t room;
} direct_solver;

static void direct_destroy(void *self)
{
    direct_solver *solver = self;
    tn_saddle_free(&solver->saddle);
    tn_impulse_step_release(&solver->step);
    tn_impulse_blocks_release(&solver->blocks);
    free(solver->number);
    free(solver);
}

static tn_status direct_create(TN_UNUSED const tn_host *host, const void *instance,
                               const tn_own_matrices *linear, void **self)
{
    direct_solver *solver = *self = calloc(1, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    solver->of = instance;
    solver->saddle.linear = linear;
    return TN_OK;
}

/* ---- by blocks --------------------------------------------------------------------------------------------------- */

static double size_of(const tn_impulse_blocks *blocks, uint32_t row)
{
    return blocks->local[3 * (size_t)row] > 0.0 ? blocks->local[3 * (size_t)row] : blocks->weight[row];
}

/* Factorises, unless the factors are those of this problem; TN_UNSUPPORTED: the linear solver is to be used. */
static tn_status factor_blocks(direct_solver *solver, const tn_impulse_problem *problem, double *slope)
{
    uint32_t strange = 0;
    if (!problem->block_diagonal || !problem->independent_joints) return TN_UNSUPPORTED;
    const tn_status taken = tn_impulse_blocks_take(&solver->blocks, problem, &strange);
    if (taken != TN_OK || !solver->blocks.separate) return taken == TN_OUT_OF_MEMORY ? taken : TN_UNSUPPORTED;
    if (solver->blocks.same && solver->factored) return TN_OK;
    solver->factored = false;
    if (tn_impulse_step_plan(&solver->step, &solver->blocks) != TN_OK) return TN_OUT_OF_MEMORY;
    const double share = solver->step.bodies > 0 ? SHARE_WITH_BODIES : SHARE;
    for (uint32_t r = 0; r < problem->rows; r++)
        slope[3 * (size_t)r] = 1.0 / (share * size_of(&solver->blocks, r));
    solver->factored = tn_impulse_step_factor(&solver->step, slope) == TN_OK;
    return solver->factored ? TN_OK : TN_UNSUPPORTED;
}

/* Rates that are left, and what round-off makes of them. */
static double largest_rate(const tn_impulse_problem *problem, const double *rate, double *round_off)
{
    double largest = 0.0, size = 0.0;
    for (uint32_t r = 0; r < problem->rows; r++) {
        if (fabs(rate[r]) > largest) largest = fabs(rate[r]);
        if (fabs(problem->free_rate[r]) > size) size = fabs(problem->free_rate[r]);
    }
    *round_off = ROUND_OFF * size;
    return largest;
}

/* Impulses and rates [rows]; z [nv], offset and change [rows] are scratch. */
static void solve_blocks(direct_solver *solver, const tn_impulse_problem *problem, double *z, double *impulse,
                         double *rate, double *offset, double *change)
{
    const double share = solver->step.bodies > 0 ? SHARE_WITH_BODIES : SHARE;
    double before = HUGE_VAL, round_off;
    memset(impulse, 0, problem->rows * sizeof *impulse);
    memcpy(rate, problem->free_rate, problem->rows * sizeof *rate);
    for (int k = 0; k < MOST_REPETITIONS; k++) {
        const double largest = largest_rate(problem, rate, &round_off);
        if (largest <= round_off || largest > 0.5 * before) break;
        before = largest;
        for (uint32_t r = 0; r < problem->rows; r++)
            offset[r] = rate[r] / (share * size_of(&solver->blocks, r));
        tn_impulse_step_solve(&solver->step, offset, change);
        for (uint32_t r = 0; r < problem->rows; r++)
            impulse[r] += change[r];
        tn_impulse_blocks_velocity(&solver->blocks, impulse, z);
        tn_impulse_blocks_rates(&solver->blocks, problem->free_rate, z, rate);
    }
}

/* ---- by the linear solver ---------------------------------------------------------------------------------------- */

static tn_status solve_saddle(direct_solver *solver, const tn_impulse_problem *problem, double *z,
                              double *impulse, double *rate)
{
    tn_status status = tn_saddle_renew(&solver->saddle, problem);
    if (status == TN_OK) status = tn_saddle_joints(&solver->saddle, problem, NULL, impulse, z);
    if (status == TN_OK) tn_impulse_rates(problem, z, rate);
    return status;
}

static tn_status direct_solve(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    direct_solver *solver = self;
    const size_t nv = problem->nv, rows = problem->rows;
    const tn_status opened = tn_impulse_open(problem, outcome);
    if (opened != TN_OK || rows == 0) return opened;
    for (uint32_t b = 0; b < problem->blocks; b++)
        if (problem->block[b].law != TN_JOINT_LAW) {
            outcome->worst = b;
            return TN_UNSUPPORTED;
        }
    if (!tn_grow_array(&solver->number, &solver->room, nv + 5 * rows + 1, sizeof *solver->number))
        return TN_OUT_OF_MEMORY;
    double *z = solver->number, *impulse = z + nv, *rate = impulse + rows, *other = rate + rows;
    tn_status status = factor_blocks(solver, problem, other);
    const bool by_blocks = status == TN_OK;
    if (by_blocks)
        solve_blocks(solver, problem, z, impulse, rate, other, other + rows);
    else if (status == TN_UNSUPPORTED)
        status = solve_saddle(solver, problem, z, impulse, rate);
    if (status != TN_OK) return status;
    memcpy(problem->impulse, impulse, rows * sizeof *impulse);
    outcome->iterations = 1;
    tn_impulse_error_weighted(problem, rate, by_blocks ? solver->blocks.weight : solver->saddle.weight,
                              outcome);
    return outcome->error <= solver->of->tolerance ? TN_OK : TN_RETRY;
}

TN_CONSTRAINT_SOLVER(
    direct, .summary = "joints alone, by one sparse factorisation; dependent ones by least norm",
    .formula =
        "[A -G^T; G E] [z; p] = [0; -u_free],  E = 1e-9 max diag(G A^-1 G^T), and again for what E leaves\n"
        "p <- (W + E)^-1 W p,  W = G A^-1 G^T",
    .literature =
        "Benzi, Golub, Liesen: Numerical solution of saddle point problems, Acta Numerica 14 (2005) 1-137",
    .flags = TN_JOINTS_ONLY, .create = direct_create, .solve = direct_solve, .destroy = direct_destroy)
TN_LIBRARY("direct", "1.0.0", "Apache-2.0", "impulses of joints by one factorisation",
           {TN_CONSTRAINT_SOLVER_KIND, &direct_type})
#endif

/* projected_newton.c - joints, unilateral rows and friction cones at once, by generalised Newton steps on the exact law.
 *
 * The unknowns are impulses; a step is found in the space of velocities, (A + G^T D G) dz = -G^T f, whose blocks are those of the bodies:
 * the factors of a chain are as long as the chain. */
#include "projected_newton.h"

enum { FIRST_SWEEPS = 2, SHORTEST_CUT = 6, JOINT_STEPS = 4 };
#define DESCENT 1e-4     /* of the squared map, for a step of full length, at least */
#define CONTRADICTING 0.5 /* rates of joints that a step leaves more of than this cannot be met */

static bool make_room(newton_work *work)
{
    const size_t rows = work->problem->rows, nv = work->problem->nv;
    return TN_MAKE_ROOM(work->u, work->u_room, rows) && TN_MAKE_ROOM(work->z, work->z_room, nv) &&
           TN_MAKE_ROOM(work->best, work->best_room, rows) && TN_MAKE_ROOM(work->free, work->free_room, rows) &&
           TN_MAKE_ROOM(work->dp, work->dp_room, rows) && TN_MAKE_ROOM(work->du, work->du_room, rows) &&
           TN_MAKE_ROOM(work->dz, work->dz_room, nv) && TN_MAKE_ROOM(work->trial, work->trial_room, rows) &&
           TN_MAKE_ROOM(work->rate, work->rate_room, rows) && TN_MAKE_ROOM(work->offset, work->offset_room, rows) &&
           TN_MAKE_ROOM(work->slope, work->slope_room, 3 * rows) &&
           TN_MAKE_ROOM(work->matrix, work->matrix_room, 3 * rows);
}

/* z and u of p */
static void evaluate(newton_work *work)
{
    tn_impulse_blocks_velocity(&work->blocks, work->p, work->z);
    tn_impulse_blocks_rates(&work->blocks, work->free, work->z, work->u);
}

/* A + G^T D G, unless D is that of the last factors: joints, and contacts that stick. */
static tn_status factor(newton_work *work)
{
    const size_t size = 3 * (size_t)work->problem->rows * sizeof *work->slope;
    if (work->factored && memcmp(work->slope, work->matrix, size) == 0) return TN_OK;
    tn_block_lu_clear(&work->system);
    tn_add_matrix(&work->blocks, &work->system);
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        const double *slope = work->slope + 3 * (size_t)block->first;
        const bool open = block->law != TN_JOINT_LAW && slope[0] <= 0.0;
        if (!open) tn_impulse_blocks_add(&work->blocks, b, slope, &work->system);
    }
    work->factored = tn_block_lu_factor(&work->system) == TN_OK;
    memcpy(work->matrix, work->slope, size);
    return work->factored ? TN_OK : TN_RETRY;
}

/* dp = -offset - D G dz */
static void impulses_of_step(newton_work *work)
{
    tn_impulse_blocks_rates(&work->blocks, NULL, work->dz, work->du);
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        const double *slope = work->slope + 3 * (size_t)block->first, *du = work->du + block->first;
        const double *offset = work->offset + block->first;
        double *dp = work->dp + block->first;
        for (uint32_t i = 0; i < block->rows; i++)
            dp[i] = block->law == TN_CONE_LAW ? -offset[i] - slope[3 * i] * du[0] - slope[3 * i + 1] * du[1] -
                                                    slope[3 * i + 2] * du[2]
                                              : -offset[i] - slope[3 * i] * du[i];
    }
}

/* dp, and du = W dp; false: no step. */
static bool find_step(newton_work *work)
{
    if (factor(work) != TN_OK) return false;
    tn_impulse_blocks_pull(&work->blocks, work->blocks.panel, work->offset, work->dz);
    for (uint32_t i = 0; i < work->problem->nv; i++)
        work->dz[i] = -work->dz[i];
    tn_block_lu_solve(&work->system, work->dz);
    impulses_of_step(work);
    tn_impulse_blocks_velocity(&work->blocks, work->dp, work->dz);
    tn_impulse_blocks_rates(&work->blocks, NULL, work->dz, work->du);
    return true;
}

/* The longest of the steps 1, 1/2, 1/4, ... that descends; false: none. */
static bool go_along(newton_work *work)
{
    const uint32_t rows = work->problem->rows;
    const double before = newton_map(work, work->p, work->u);
    double length = 1.0;
    for (int cut = 0; cut < SHORTEST_CUT; cut++, length *= 0.5) {
        for (uint32_t i = 0; i < rows; i++) {
            work->trial[i] = work->p[i] + length * work->dp[i];
            work->rate[i] = work->u[i] + length * work->du[i];
        }
        if (newton_map(work, work->trial, work->rate) <= (1.0 - DESCENT * length) * before) {
            memcpy(work->p, work->trial, rows * sizeof *work->p);
            evaluate(work);
            return true;
        }
    }
    return false;
}

/* ---- joints -------------------------------------------------------------------------------------------------- */

static double joint_error(const newton_work *work)
{
    double sum = 0.0;
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        for (uint32_t i = block->first; i < block->first + block->rows && block->law == TN_JOINT_LAW; i++)
            sum += work->u[i] * work->u[i] / newton_scale(work, b, i);
    }
    return sqrt(sum);
}

static double joint_demand(const newton_work *work)
{
    double sum = 0.0;
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        for (uint32_t i = block->first; i < block->first + block->rows && block->law == TN_JOINT_LAW; i++)
            sum += work->free[i] * work->free[i] / newton_scale(work, b, i);
    }
    return sqrt(sum);
}

/* What joints ask for and cannot get is no part of their free rates: the step that raised impulses for nothing is taken back. */
static void give_in(newton_work *work)
{
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        for (uint32_t i = block->first; i < block->first + block->rows && block->law == TN_JOINT_LAW; i++) {
            work->p[i] -= work->dp[i];
            work->free[i] -= work->u[i];
        }
    }
}

/* Joints hold, with contacts as they are: from zero on, so that dependent rows share their impulses by least norm. All later steps
 * change impulses of joints by what their rows can do only, which leaves that as it is. */
static bool settle_joints(newton_work *work, tn_impulse_outcome *outcome)
{
    const double demand = joint_demand(work);
    double before = HUGE_VAL;
    for (int k = 0; k < JOINT_STEPS; k++) {
        newton_linearise(work, true);
        if (!find_step(work)) return false;
        for (uint32_t i = 0; i < work->problem->rows; i++)
            work->p[i] += work->dp[i];
        evaluate(work);
        outcome->iterations++;
        const double error = joint_error(work);
        if (k > 0 && error > CONTRADICTING * before && error > work->settings->tolerance * demand) {
            // this step and the one before have raised the same impulses
            give_in(work);
            for (uint32_t i = 0; i < work->problem->rows; i++)
                work->p[i] -= k * work->dp[i];
            evaluate(work);
            return true;
        }
        if (error <= 0.01 * work->settings->tolerance * demand) break;
        before = error;
    }
    return true;
}

/* ---- a problem ------------------------------------------------------------------------------------------------ */

static bool begin_problem(newton_work *work)
{
    const tn_impulse_problem *problem = work->problem;
    bool joints = false;
    work->p = problem->impulse;
    work->factored = false;
    memcpy(work->free, problem->free_rate, problem->rows * sizeof *work->free);
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *block = &problem->block[b];
        if (block->law != TN_JOINT_LAW) continue;
        memset(work->p + block->first, 0, block->rows * sizeof *work->p);
        joints = joints || block->rows > 0;
    }
    evaluate(work);
    return joints;
}

/* Passes in place of a step that did not descend: more of them each time. */
static uint32_t fall_back(newton_work *work, uint32_t passes, tn_impulse_outcome *outcome)
{
    const uint64_t left = (uint64_t)work->settings->max_iterations - outcome->iterations;
    if (passes > left) passes = (uint32_t)left;
    for (uint32_t i = 0; i < passes; i++) {
        newton_sweep(work);
        if (!work->blocks.separate) evaluate(work);
    }
    evaluate(work);
    outcome->iterations += passes;
    outcome->fallbacks += passes;
    return 2 * passes;
}

static void iterate(newton_work *work, tn_impulse_outcome *outcome)
{
    const size_t size = work->problem->rows * sizeof *work->p;
    double least = HUGE_VAL;
    uint32_t passes = FIRST_SWEEPS;
    for (;;) {
        tn_impulse_error_weighted(work->problem, work->u, work->blocks.weight, outcome);
        if (outcome->error < least || least == HUGE_VAL) {
            least = outcome->error;
            memcpy(work->best, work->p, size);
        }
        if (outcome->error <= work->settings->tolerance ||
            outcome->iterations >= work->settings->max_iterations)
            break;
        newton_linearise(work, false);
        if (find_step(work) && go_along(work))
            outcome->iterations++;
        else
            passes = fall_back(work, passes, outcome);
    }
    memcpy(work->p, work->best, size);
}

static tn_status solve_newton(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    newton_work *work = self;
    work->problem = problem;
    outcome->iterations = outcome->fallbacks = 0;
    const tn_status taken = tn_impulse_blocks_take(&work->blocks, problem, &outcome->worst);
    if (taken != TN_OK) return taken;
    if (!make_room(work)) return TN_OUT_OF_MEMORY;
    const tn_status pattern =
        tn_impulse_blocks_pattern(&work->blocks, &work->system, &work->pair, &work->pair_room);
    if (pattern != TN_OK) return pattern;
    if (begin_problem(work) && !settle_joints(work, outcome)) evaluate(work);
    iterate(work, outcome);
    memcpy(work->free, problem->free_rate, problem->rows * sizeof *work->free);
    evaluate(work);
    tn_impulse_error_weighted(problem, work->u, work->blocks.weight, outcome);
    return outcome->error <= work->settings->tolerance ? TN_OK : TN_RETRY;
}

static tn_status create_newton(const tn_host *host, const void *instance, const tn_linear_service *linear,
                               void **self)
{
    (void)host;
    (void)linear; // the blocks of bodies have factors of their own
    newton_work *work = calloc(1, sizeof *work);
    *self = work;
    if (!work) return TN_OUT_OF_MEMORY;
    work->settings = instance;
    return TN_OK;
}

static void destroy_newton(void *self)
{
    newton_work *work = self;
    if (!work) return;
    tn_impulse_blocks_release(&work->blocks);
    tn_block_lu_release(&work->system);
    void *all[] = {work->pair, work->u,     work->z,    work->best,   work->free,  work->dp,    work->du,
                   work->dz,   work->trial, work->rate, work->offset, work->slope, work->matrix};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(work);
}

static const tn_constraint_solver_type projected_newton_type = {
    .struct_size = sizeof(tn_constraint_solver_type),
    .name = "projected_newton",
    .parameters = newton_settings_parameters,
    .instance_size = sizeof(newton_settings),
    .summary = "joints, unilateral rows and friction cones by generalised Newton steps on the exact law",
    .formula = "p_N = max(0, s), s = p_N - u_N / w; p_T = projection of p_T - u_T / w on the disc of friction s;\n"
               "joints u = 0; (A + G^T D G) dz = -G^T f, dp = -f - D G dz, halved until the natural map descends",
    .literature =
        "Alart, Curnier: A mixed formulation for frictional contact problems prone to Newton like solution methods, "
        "Comput. Methods Appl. Mech. Eng. 92 (1991)\n"
        "Acary, Bremond, Huber: On solving contact problems with Coulomb friction: formulations and numerical "
        "comparisons, Advanced Topics in Nonsmooth Dynamics, Springer, 2018\n"
        "Rockafellar: Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14 (1976)",
    .create = create_newton,
    .solve = solve_newton,
    .destroy = destroy_newton,
};

static const tn_type types[] = {{TN_CONSTRAINT_SOLVER_KIND, &projected_newton_type}, {NULL, NULL}};

static const tn_library library = {
    .struct_size = sizeof(tn_library),
    .abi_major = TN_ABI_MAJOR,
    .abi_minor = TN_ABI_MINOR,
    .name = "projected_newton",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .summary = "constraint solver for joints and friction by a generalised Newton method",
    .types = types,
};

TN_EXPORT const tn_library *tn_plugin_library(void);
const tn_library *tn_plugin_library(void) { return &library; }

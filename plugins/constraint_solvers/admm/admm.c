/* admm.c - joints, unilateral rows and friction cones by alternating directions: one sparse factorisation, projections onto cones, and
 * the shift friction |u_T| of the normal rates, by which the convex problem becomes Coulomb's.
 *
 *     (A + G^T R G) z = G^T (p + R (y - b - s)),   x = G z + b + s - p / R,   y = P_K*(x),   p = R (y - x)
 *
 * with s = friction |u_T| n, renewed where the inner residuals are small against its change. */
#include "tenon/author.h"
#include "tenon/kit/impulse_blocks.h"

#define ADMM(X)                                                                                              \
    X(REAL, tolerance, "", TN_ABOVE_LOW, 1e-8, 0.0, 1.0,                                                     \
      "error of the natural map, relative, up to which a solution is one")                                   \
    X(INTEGER, most_iterations, 0, 5000, 1, 100000000, "iterations at most")                                 \
    X(BOOLEAN, relaxed, 0, 0,                                                                                \
      "keep s = 0: a convex problem that lifts sliding bodies by step x friction x slip rate; the error is " \
      "that of this law")                                                                                    \
    X(REAL, relaxation, "", 0, 1.6, 1.0, 1.95, "share of new values in an iteration")

TN_PARAMETERS(admm, ADMM)

enum { ITERATIONS_PER_CHECK = 5, ITERATIONS_PER_BALANCE = 20 };
#define JOINT_PENALTY 1e8   /* of joints against contacts */
#define WORTH_FACTORING 4.0 /* change of the penalty that is worth a factorisation */
#define LEAST_PENALTY 1e-6
#define MOST_PENALTY 1e6
#define SHARE_OF_SHIFT 0.1 /* the shift is updated where the residuals are below this share of its change */

typedef struct admm_work {
    const admm *settings;
    const tn_impulse_problem *problem;
    tn_impulse_blocks blocks;
    tn_block_lu system; /* A + G^T R G */
    tn_node_pair *pair;
    double penalty; /* R = penalty x base */
    double primal, dual,
        shifted;   /* squares: energies of the residuals, and of the change of the shift at its next update */
    double *base;  /* [rows] 1 / w */
    double *slope; /* [3 rows] R of blocks, as blocks.local */
    double *p, *u, *z, *y, *shift, *best, *right; /* p is problem->impulse */
    size_t pair_room, base_room, slope_room, u_room, z_room, y_room, shift_room, best_room, right_room;
} admm_work;

static bool make_room(admm_work *work)
{
    const size_t rows = work->problem->rows, nv = work->problem->nv;
    return TN_MAKE_ROOM(work->base, work->base_room, rows) &&
           TN_MAKE_ROOM(work->slope, work->slope_room, 3 * rows) &&
           TN_MAKE_ROOM(work->u, work->u_room, rows) && TN_MAKE_ROOM(work->z, work->z_room, nv) &&
           TN_MAKE_ROOM(work->y, work->y_room, rows) && TN_MAKE_ROOM(work->shift, work->shift_room, rows) &&
           TN_MAKE_ROOM(work->best, work->best_room, rows) &&
           TN_MAKE_ROOM(work->right, work->right_room, rows);
}

/* 1 / w of the rows: of a cone the mean of its diagonal of W. */
static void find_base(admm_work *work)
{
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        for (uint32_t i = 0; i < block->rows; i++) {
            const uint32_t row = block->first + i;
            const double *local =
                work->blocks.local + 3 * (size_t)(block->law == TN_CONE_LAW ? row - i : row);
            const double scale =
                block->law == TN_CONE_LAW ? (local[0] + local[4] + local[8]) / 3.0 : local[0];
            work->base[row] = 1.0 / (scale > 0.0 ? scale : work->blocks.weight[row]);
            if (block->law == TN_JOINT_LAW) work->base[row] *= JOINT_PENALTY;
        }
    }
}

static tn_status factor(admm_work *work)
{
    tn_block_lu_clear(&work->system);
    tn_add_matrix(&work->blocks, &work->system);
    memset(work->slope, 0, 3 * (size_t)work->problem->rows * sizeof *work->slope);
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        double *slope = work->slope + 3 * (size_t)block->first;
        for (uint32_t i = 0; i < block->rows; i++)
            slope[(block->law == TN_CONE_LAW ? 4 : 3) * i] = work->penalty * work->base[block->first + i];
        tn_impulse_blocks_add(&work->blocks, b, slope, &work->system);
    }
    return tn_block_lu_factor(&work->system);
}

/* ---- one iteration ---------------------------------------------------------------------------------------------- */

static void project_block(const tn_impulse_block *block, const double *x, double *y)
{
    if (block->law == TN_CONE_LAW) {
        tn_project_dual_cone(block->friction, x, y);
        return;
    }
    for (uint32_t i = 0; i < block->rows; i++)
        y[i] = block->law == TN_JOINT_LAW ? 0.0 : fmax(0.0, x[i]);
}

/* Updates y and p of one block from its rates, and adds its share to the residuals. */
static void move_block(admm_work *work, const tn_impulse_block *block)
{
    const uint32_t first = block->first, rows = block->rows;
    const double share = block->law == TN_JOINT_LAW ? 1.0 : work->settings->relaxation;
    double x[3], y[3];
    for (uint32_t done = 0; done < rows; done += block->law == TN_CONE_LAW ? 3 : 1) {
        const uint32_t count = block->law == TN_CONE_LAW ? 3 : 1, row = first + done;
        const tn_impulse_block part = {block->law, row, count, block->owner, block->friction};
        for (uint32_t i = 0; i < count; i++) {
            const double r = work->penalty * work->base[row + i],
                         rate = work->u[row + i] + work->shift[row + i];
            x[i] = share * rate + (1.0 - share) * work->y[row + i] - work->p[row + i] / r;
        }
        project_block(&part, x, y);
        for (uint32_t i = 0; i < count; i++) {
            const double r = work->penalty * work->base[row + i],
                         rate = work->u[row + i] + work->shift[row + i];
            const double gap = rate - y[i], moved = work->penalty * (y[i] - work->y[row + i]);
            work->primal += work->base[row + i] * gap * gap;
            work->dual += work->base[row + i] * moved * moved;
            work->p[row + i] = r * (y[i] - x[i]);
            work->y[row + i] = y[i];
        }
    }
}

static double wanted_shift(const admm_work *work, const tn_impulse_block *block)
{
    const double *u = work->u + block->first;
    return block->friction * sqrt(u[1] * u[1] + u[2] * u[2]);
}

/* z and u of the impulses, by A alone. */
static void evaluate(admm_work *work)
{
    tn_impulse_blocks_velocity(&work->blocks, work->p, work->z);
    tn_impulse_blocks_rates(&work->blocks, work->problem->free_rate, work->z, work->u);
}

/* Solves the equation at the top for the difference dz: (A + G^T R G) dz = G^T R (y - u - s). Round-off, which the penalty of joints amplifies,
 * is then proportional to the residual, not to the velocities. */
static void iterate(admm_work *work)
{
    const tn_impulse_problem *problem = work->problem;
    for (uint32_t i = 0; i < problem->rows; i++)
        work->right[i] = work->penalty * work->base[i] * (work->y[i] - work->u[i] - work->shift[i]);
    tn_impulse_blocks_pull(&work->blocks, work->blocks.panel, work->right, work->z);
    tn_block_lu_solve(&work->system, work->z);
    tn_impulse_blocks_rates(&work->blocks, NULL, work->z, work->right);
    for (uint32_t i = 0; i < problem->rows; i++)
        work->u[i] += work->right[i];
    work->primal = work->dual = work->shifted = 0.0;
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *block = &problem->block[b];
        move_block(work, block);
        if (block->law != TN_CONE_LAW || work->settings->relaxed) continue;
        const double change = wanted_shift(work, block) - work->shift[block->first];
        work->shifted += work->base[block->first] * change * change;
    }
}

static void renew_shift(admm_work *work)
{
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        if (block->law == TN_CONE_LAW) work->shift[block->first] = wanted_shift(work, block);
    }
}

/* Changes the penalty where one residual is far larger than the other. */
static tn_status balance(admm_work *work)
{
    if (!(work->primal > 0.0 && work->dual > 0.0)) return TN_OK;
    const double ratio = sqrt(sqrt(work->primal / work->dual));
    const double penalty = fmin(fmax(work->penalty * ratio, LEAST_PENALTY), MOST_PENALTY);
    const double change = penalty / work->penalty;
    if (change < WORTH_FACTORING && change > 1.0 / WORTH_FACTORING) return TN_OK;
    work->penalty = penalty;
    return factor(work);
}

/* ---- a problem -------------------------------------------------------------------------------------------------- */

/* The error of the impulses, with the rates u that follow from them. */
static void measure(admm_work *work, tn_impulse_outcome *outcome)
{
    const tn_impulse_problem *problem = work->problem;
    memcpy(work->right, work->u, problem->rows * sizeof *work->right);
    for (uint32_t b = 0; b < problem->blocks && work->settings->relaxed; b++) {
        const tn_impulse_block *block = &problem->block[b];
        double *u = work->right + block->first;
        // the natural map adds friction |u_T|, which is no part of the relaxed law
        if (block->law == TN_CONE_LAW) u[0] -= block->friction * sqrt(u[1] * u[1] + u[2] * u[2]);
    }
    tn_impulse_error_weighted(problem, work->right, work->blocks.weight, outcome);
}

/* Initial rates, y and shifts: impulses of contacts as given, of joints zero, so that dependent rows have the least norm. */
static void begin_problem(admm_work *work)
{
    const tn_impulse_problem *problem = work->problem;
    work->p = problem->impulse;
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *block = &problem->block[b];
        if (block->law == TN_JOINT_LAW) memset(work->p + block->first, 0, block->rows * sizeof *work->p);
    }
    evaluate(work);
    memset(work->shift, 0, problem->rows * sizeof *work->shift);
    if (!work->settings->relaxed) renew_shift(work);
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *block = &problem->block[b];
        double *u = work->u + block->first;
        if (block->law == TN_CONE_LAW) u[0] += work->shift[block->first];
        project_block(block, u, work->y + block->first);
    }
}

static tn_status run(admm_work *work, tn_impulse_outcome *outcome)
{
    const size_t size = work->problem->rows * sizeof *work->p;
    double least = HUGE_VAL;
    for (uint64_t k = 0;; k++) {
        evaluate(work);
        if (k % ITERATIONS_PER_CHECK == 0 || k >= (uint64_t)work->settings->most_iterations) {
            measure(work, outcome);
            if (outcome->error < least || k == 0) {
                least = outcome->error;
                memcpy(work->best, work->p, size);
            }
            if (least <= work->settings->tolerance || k >= (uint64_t)work->settings->most_iterations) break;
        }
        iterate(work);
        outcome->iterations++;
        if (!work->settings->relaxed && work->primal + work->dual <= SHARE_OF_SHIFT * work->shifted)
            renew_shift(work);
        if (k % ITERATIONS_PER_BALANCE == ITERATIONS_PER_BALANCE - 1 && balance(work) != TN_OK) break;
    }
    memcpy(work->p, work->best, size);
    evaluate(work);
    measure(work, outcome);
    return outcome->error <= work->settings->tolerance ? TN_OK : TN_RETRY;
}

static tn_status solve_admm(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome)
{
    admm_work *work = self;
    work->problem = problem;
    const tn_status opened = tn_impulse_blocks_open(&work->blocks, problem, outcome);
    if (opened != TN_OK || problem->rows == 0) return opened;
    if (!make_room(work)) return TN_OUT_OF_MEMORY;
    const tn_status pattern =
        tn_impulse_blocks_pattern(&work->blocks, &work->system, &work->pair, &work->pair_room);
    if (pattern != TN_OK) return pattern;
    work->penalty = 1.0;
    find_base(work);
    begin_problem(work);
    const tn_status factored = factor(work);
    return factored == TN_OK ? run(work, outcome) : factored;
}

static tn_status prepare_admm(const tn_host *host, void *instance)
{
    const admm *settings = instance;
    if (settings->relaxed)
        tn_say(host, TN_NOTE,
               "admm with relaxed = true solves a convex law in place of Coulomb's: a point that slides at "
               "the rate u also moves away "
               "from its surface, at friction x u, which lifts it by step x friction x u in each step");
    return TN_OK;
}

static tn_status create_admm(const tn_host *host, const void *instance, const tn_own_matrices *linear,
                             void **self)
{
    (void)host;
    (void)linear; // the blocks of bodies have factors of their own
    admm_work *work = calloc(1, sizeof *work);
    *self = work;
    if (!work) return TN_OUT_OF_MEMORY;
    work->settings = instance;
    return TN_OK;
}

static void destroy_admm(void *self)
{
    admm_work *work = self;
    if (!work) return;
    tn_impulse_blocks_release(&work->blocks);
    tn_block_lu_release(&work->system);
    void *all[] = {work->pair, work->base,  work->slope, work->u,    work->z,
                   work->y,    work->shift, work->best,  work->right};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(work);
}

TN_CONSTRAINT_SOLVER(
    admm, .summary = "joints, unilateral rows and friction cones by alternating directions, exact or relaxed",
    .formula =
        "(A + G^T R G) z = G^T (p + R (y - b - s)); x = G z + b + s - p / R; y = P_K*(x); p = R (y - x);\n"
        "s = friction |u_T| n, or 0 where relaxed",
    .literature = "Boyd, Parikh, Chu, Peleato, Eckstein: Distributed optimization and statistical learning "
                  "via the alternating "
                  "direction method of multipliers, Found. Trends Mach. Learn. 3 (2011)\n"
                  "Acary, Cadoux, Lemarechal, Malick: A formulation of the linear discrete Coulomb friction "
                  "problem via convex "
                  "optimization, ZAMM 91 (2011)\n"
                  "Tasora, Anitescu: A matrix-free cone complementarity approach for solving large-scale, "
                  "nonsmooth, rigid body "
                  "dynamics, Comput. Methods Appl. Mech. Eng. 200 (2011)",
    .prepare = prepare_admm, .create = create_admm, .solve = solve_admm, .destroy = destroy_admm)
TN_LIBRARY("admm", "1.0.0", "Apache-2.0", "joints and friction by alternating directions",
           {TN_CONSTRAINT_SOLVER_KIND, &admm_type})

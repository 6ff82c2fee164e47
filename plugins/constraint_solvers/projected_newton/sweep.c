/* sweep.c - where Newton's method does not descend: passes over all blocks, each of which is solved alone, and friction on discs that
 * stay as they are for a while */
#include "local_cone.h"
#include "projected_newton.h"

/* The impulses of one block from its rates, with the diagonal of W times `factor`; `change` [rows] is what is added. */
static void solve_block(const newton_work *work, uint32_t b, double factor, const double *u, double *p,
                        double *change)
{
    const tn_impulse_block *block = &work->problem->block[b];
    const double *local = work->blocks.local + 3 * (size_t)block->first;
    if (block->law == TN_CONE_LAW) {
        double w[9], q[3], x[3];
        for (int i = 0; i < 9; i++)
            w[i] = factor * local[i];
        for (int i = 0; i < 3; i++) {
            q[i] = u[i] - (w[3 * i] * p[0] + w[3 * i + 1] * p[1] + w[3 * i + 2] * p[2]);
            x[i] = p[i];
        }
        local_cone(w, block->friction, q, x);
        for (int i = 0; i < 3; i++) {
            change[i] = x[i] - p[i];
            p[i] = x[i];
        }
        return;
    }
    // one row of a unilateral block; those of joints are taken side by side, each with its own part of W
    const double share = block->law == TN_JOINT_LAW ? factor * block->rows : factor;
    for (uint32_t i = 0; i < block->rows; i++) {
        const double before = p[i];
        p[i] -= u[i] / (share * newton_scale(work, b, block->first + i));
        if (block->law == TN_UNILATERAL_LAW && p[i] < 0.0) p[i] = 0.0;
        change[i] = p[i] - before;
    }
}

/* Gauss-Seidel: z follows each block. */
static void sweep_in_turn(newton_work *work)
{
    const tn_impulse_blocks *blocks = &work->blocks;
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        double *u = work->u + block->first, *change = work->dp + block->first;
        memcpy(u, work->free + block->first, block->rows * sizeof *u);
        for (uint32_t k = blocks->leg_start[b]; k < blocks->leg_start[b + 1]; k++)
            tn_leg_dot(&blocks->leg[k], blocks->panel, work->z, u);
        solve_block(work, b, 1.0, u, work->p + block->first, change);
        for (uint32_t k = blocks->leg_start[b]; k < blocks->leg_start[b + 1]; k++)
            tn_leg_add(&blocks->leg[k], blocks->spread, change, work->z);
    }
}

/* The largest number of blocks that share a node. */
static uint32_t most_legs(newton_work *work)
{
    const tn_impulse_blocks *blocks = &work->blocks;
    uint32_t most = 1;
    memset(work->dz, 0, work->problem->nv * sizeof *work->dz);
    for (uint32_t k = 0; k < blocks->leg_start[work->problem->blocks]; k++) {
        double *count = work->dz + blocks->leg[k].first;
        *count += 1.0;
        if (*count > most) most = (uint32_t)*count;
    }
    return most;
}

/* A Jacobi sweep, damped by the number of blocks that share a node, where A has entries between bodies. */
static void sweep_at_once(newton_work *work)
{
    const uint32_t most = most_legs(work);
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const uint32_t first = work->problem->block[b].first;
        solve_block(work, b, most, work->u + first, work->p + first, work->dp + first);
    }
}

/* ---- friction on discs that stay ----------------------------------------------------------------------------- */

enum { MOST_DISC_STEPS = 8 };
#define FIRST_ON_DISCS 1e-4
#define ENOUGH 1e-2 /* friction bounds are updated where the squared map has this share of that before */

/* Steps with friction bounded by the present normal impulses: a convex problem; its solutions converge to Coulomb's law (Haslinger). */
static uint32_t steps_on_discs(newton_work *work, uint32_t most)
{
    uint32_t steps = 0;
    work->regularisation = FIRST_ON_DISCS;
    newton_freeze(work);
    while (steps < most && steps < MOST_DISC_STEPS) {
        const double before = newton_map(work, work->p, work->u);
        steps++;
        if (!newton_step(work)) break;
        if (steps > 1 && newton_map(work, work->p, work->u) < ENOUGH * before) break;
    }
    work->frozen = false;
    return steps;
}

/* Where no step descends: a sweep, then steps with constant friction bounds, `passes` in all at most. Returns their number. */
uint32_t newton_fall_back(newton_work *work, uint32_t passes)
{
    uint32_t done = 0;
    while (done < passes) {
        if (work->blocks.separate)
            sweep_in_turn(work);
        else
            sweep_at_once(work);
        newton_evaluate(work);
        done += 1 + steps_on_discs(work, passes - done);
    }
    work->maps = 0;
    work->regularisation = NEWTON_REGULARISATION;
    return done;
}

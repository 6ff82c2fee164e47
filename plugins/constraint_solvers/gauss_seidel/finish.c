/* finish.c - the last steps: of Newton's method, for all blocks at once
 *
 * Sweeps soon find which contacts are open, stick or slide, and then take long to share the last digits among contacts that lie on top
 * of each other. With these branches the laws are as good as linear, and one system of equations has their solution
 * (tenon/kit/impulse_step.h). Where the branches are not those of the solution yet, steps may lead away: what they find is taken where
 * it is nearer, and forgotten where it is not. */
#include "gauss_seidel.h"

#define OF_CONTACTS 1e-8  /* of W, where contacts are to stand still, */
#define OF_LEAVES 1e-14   /* and where a body has but one */
#define OF_JOINTS 1e-8    /* those that may depend on each other */
#define INDEPENDENT 1e-13 /* and those that do not */
#define WELL 1e-3  /* of the tolerance: errors that stay would have to be found again in the next step */
#define ENOUGH 0.5 /* of the error: they have come nearer */
enum { MOST_STEPS = 30, PATIENCE = 5 }; /* steps in a row that are no nearer */

void free_finish(solver *s)
{
    tn_impulse_step_release(&s->step);
    tn_impulse_blocks_release(&s->blocks);
    free(s->step_number);
}

/* slope [3 rows], offset, dp, the nearest impulses */
static tn_status open_steps(solver *s, const tn_impulse_problem *p, tn_impulse_outcome *outcome)
{
    tn_status status = TN_OK;
    if (!tn_grow_array(&s->step_number, &s->step_room, 6 * (size_t)p->rows, sizeof *s->step_number))
        return TN_OUT_OF_MEMORY;
    if (!s->taken) status = tn_impulse_blocks_take(&s->blocks, p, &outcome->worst);
    s->taken = status == TN_OK;
    return s->taken ? tn_impulse_step_plan(&s->step, &s->blocks) : status;
}

tn_status prepare_steps(solver *s, const tn_impulse_problem *p, tn_impulse_outcome *outcome)
{
    if (p->rows <= s->step_rows && p->blocks <= s->step_blocks) return TN_OK;
    const tn_status status = open_steps(s, p, outcome);
    if (status != TN_OK) return status == TN_RETRY ? TN_OK : status;
    if (p->rows > s->step_rows) s->step_rows = p->rows;
    if (p->blocks > s->step_blocks) s->step_blocks = p->blocks;
    return TN_OK;
}

static void linearise(const solver *s, const tn_impulse_problem *p, const double *rate, double *offset,
                      double *slope)
{
    const double of_joints = p->independent_joints ? INDEPENDENT : OF_JOINTS;
    for (uint32_t b = 0; b < p->blocks; b++) {
        const tn_impulse_block *block = &p->block[b];
        const uint32_t row = block->first;
        const double *impulse = p->impulse + row, *u = rate + row;
        const double regularisation = tn_step_has_leaf(&s->step, b) ? OF_LEAVES : OF_CONTACTS;
        const double w = tn_law_scale(&s->blocks, b, row);
        double *o = offset + row, *D = slope + 3 * (size_t)row;
        if (block->law == TN_CONE_LAW)
            tn_law_cone(w, block->friction, block->friction * (*impulse - *u / w), regularisation, impulse, u,
                        o, D);
        else if (block->law == TN_UNILATERAL_LAW)
            tn_law_unilateral(w, regularisation, *impulse, *u, o, D);
        for (uint32_t i = 0; block->law == TN_JOINT_LAW && i < block->rows; i++)
            tn_law_hold(tn_law_scale(&s->blocks, b, row + i), u[i], of_joints, &o[i], &D[3 * (size_t)i]);
    }
}

/* One step; *found false: the equations are singular. */
static tn_status go(solver *s, const tn_impulse_problem *p, double *z, tn_impulse_outcome *outcome,
                    bool *found)
{
    double *slope = s->step_number, *offset = slope + 3 * (size_t)p->rows, *dp = offset + p->rows;
    linearise(s, p, s->number + 2 * (size_t)p->nv, offset, slope);
    const tn_status status = tn_impulse_step_factor(&s->step, slope);
    *found = status == TN_OK;
    if (!*found) return status == TN_RETRY ? TN_OK : status;
    tn_impulse_step_solve(&s->step, offset, dp);
    for (uint32_t r = 0; r < p->rows; r++)
        p->impulse[r] += dp[r];
    outcome->iterations++;
    outcome->fallbacks++;
    return measure(s, p, z, outcome);
}

tn_status finish(solver *s, const tn_impulse_problem *p, double *z, tn_impulse_outcome *outcome, bool *nearer)
{
    const double tolerance = s->tolerance;
    double lowest = outcome->error, near = fmin(fmax(ENOUGH * lowest, tolerance), lowest);
    bool found = true;
    tn_status status = open_steps(s, p, outcome);
    *nearer = false;
    if (status == TN_RETRY) return TN_OK; /* no step */
    if (status != TN_OK) return status;
    double *nearest = s->step_number + 5 * (size_t)p->rows;
    memcpy(nearest, p->impulse, p->rows * sizeof *nearest);
    for (int k = 0, since = 0; found && k < MOST_STEPS && since < PATIENCE; k++) {
        if (outcome->error <= WELL * tolerance || (since && near <= tolerance)) break;
        if (outcome->iterations >= s->most_iterations) break;
        status = go(s, p, z, outcome, &found);
        if (status != TN_OK) return status;
        since = outcome->error < lowest ? 0 : since + 1;
        lowest = fmin(lowest, outcome->error);
        if (outcome->error > near) continue;
        near = outcome->error;
        *nearer = true;
        memcpy(nearest, p->impulse, p->rows * sizeof *nearest);
    }
    if (memcmp(p->impulse, nearest, p->rows * sizeof *nearest) == 0) return TN_OK;
    memcpy(p->impulse, nearest, p->rows * sizeof *nearest);
    return measure(s, p, z, outcome);
}

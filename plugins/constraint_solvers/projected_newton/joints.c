/* joints.c - joints alone, before contacts move */
#include "projected_newton.h"

enum { MOST_JOINT_STEPS = 12 };
/* Of W of joints: small where their loops are stiff and short; the smallest one for long chains, where W resists some motions as little,
 * at the price of digits in the impulses that dependent rows share. */
#define FIRST_OF_JOINTS 1e-8
#define LAST_OF_JOINTS 1e-12
#define OF_INDEPENDENT 1e-13
#define SLOW 0.1          /* what a step may leave of the rates without a smaller regularisation */
#define CONTRADICTING 0.5 /* with the smallest one: these rates cannot be met */
#define SHARE_OF_TOLERANCE 0.01

static double joint_norm(const newton_work *work, const double *rate)
{
    double sum = 0.0;
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        for (uint32_t i = block->first; i < block->first + block->rows && block->law == TN_JOINT_LAW; i++)
            sum += rate[i] * rate[i] / newton_scale(work, b, i);
    }
    return sqrt(sum);
}

static void clear_joints(newton_work *work)
{
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        if (block->law == TN_JOINT_LAW) memset(work->p + block->first, 0, block->rows * sizeof *work->p);
    }
    newton_evaluate(work);
}

/* What joints ask for and cannot get is no part of their free rates any more. */
static void give_in(newton_work *work)
{
    work->gave_in = true;
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        for (uint32_t i = block->first; i < block->first + block->rows && block->law == TN_JOINT_LAW; i++)
            work->free[i] -= work->u[i];
    }
}

typedef enum settled { SETTLED, CONTRADICTED, WITHOUT_STEP } settled;

static settled settle(newton_work *work, tn_impulse_outcome *outcome)
{
    work->joint_regularisation = work->problem->independent_joints ? OF_INDEPENDENT : FIRST_OF_JOINTS;
    clear_joints(work);
    const double demand = joint_norm(work, work->u);
    double before = demand;
    for (int k = 0; k < MOST_JOINT_STEPS && before > 0.0; k++) {
        if (!newton_find_step(work, true)) return WITHOUT_STEP;
        for (uint32_t i = 0; i < work->problem->rows; i++)
            work->p[i] += work->dp[i];
        newton_evaluate(work);
        outcome->iterations++;
        const double error = joint_norm(work, work->u);
        if (error <= SHARE_OF_TOLERANCE * work->settings.tolerance * demand) return SETTLED;
        const bool smallest = work->joint_regularisation <= LAST_OF_JOINTS;
        if (smallest && error > CONTRADICTING * before && error > work->settings.tolerance * demand)
            return CONTRADICTED;
        if (k > 0 && error > SLOW * before && !smallest)
            work->joint_regularisation = fmax(1e-2 * work->joint_regularisation, LAST_OF_JOINTS);
        before = error;
    }
    return SETTLED;
}

/* Joints hold, with contacts as they are: from zero on, so that dependent rows share their impulses by least norm. All later steps
 * change impulses of joints by what their rows can do only, which leaves that as it is. False: there is no step. */
bool newton_settle_joints(newton_work *work, tn_impulse_outcome *outcome)
{
    settled result = settle(work, outcome);
    if (result == CONTRADICTED) {
        give_in(work);
        result = settle(work, outcome);
    }
    return result != WITHOUT_STEP;
}

/* newton.c - joints, unilateral rows and friction cones at once, by generalised Newton steps on the exact law.
 *
 * The unknowns are impulses; a step uses sparse factors whose blocks are bodies or joints (tenon/kit/impulse_step.h). */
#include "projected_newton.h"

#define INDEPENDENT_JOINTS 1e-10
#define ENOUGH_AT_START \
    1e-3 /* of the tolerance: errors of constant impulses would accumulate from step to step */
enum { FIRST_PASSES = 2 }; /* where a step does not descend; twice as many each time */

static bool make_room(newton_work *work)
{
    const size_t rows = work->problem->rows, nv = work->problem->nv;
    return TN_MAKE_ROOM(work->u, work->u_room, rows) && TN_MAKE_ROOM(work->z, work->z_room, nv) &&
           TN_MAKE_ROOM(work->best, work->best_room, rows) &&
           TN_MAKE_ROOM(work->free, work->free_room, rows) && TN_MAKE_ROOM(work->dp, work->dp_room, rows) &&
           TN_MAKE_ROOM(work->du, work->du_room, rows) && TN_MAKE_ROOM(work->dz, work->dz_room, nv) &&
           TN_MAKE_ROOM(work->trial, work->trial_room, rows) &&
           TN_MAKE_ROOM(work->rate, work->rate_room, rows) &&
           TN_MAKE_ROOM(work->offset, work->offset_room, rows) &&
           TN_MAKE_ROOM(work->radius, work->radius_room, rows) &&
           TN_MAKE_ROOM(work->slope, work->slope_room, 3 * rows) &&
           TN_MAKE_ROOM(work->matrix, work->matrix_room, 3 * rows);
}

/* Returns whether joints are solved first: where they may be dependent, or where there are no contacts. */
static bool begin_problem(newton_work *work)
{
    const tn_impulse_problem *problem = work->problem;
    bool joints = false, contacts = false;
    work->p = problem->impulse;
    work->frozen = work->no_memory = work->gave_in = false;
    work->maps = 0;
    work->regularisation = NEWTON_REGULARISATION;
    memcpy(work->free, problem->free_rate, problem->rows * sizeof *work->free);
    work->joint_regularisation = INDEPENDENT_JOINTS;
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const bool joint = problem->block[b].law == TN_JOINT_LAW;
        joints = joints || joint;
        contacts = contacts || !joint;
    }
    work->contacts = contacts;
    return joints && !(contacts && problem->independent_joints);
}

/* Iterates; the impulses are those with the least error. Iterations so far are of joints alone, from zero on: they leave contacts as they
 * were given. */
static void iterate(newton_work *work, tn_impulse_outcome *outcome)
{
    const uint32_t given = work->contacts ? outcome->iterations : 0;
    const size_t size = work->problem->rows * sizeof *work->p;
    double least = HUGE_VAL;
    uint32_t passes = FIRST_PASSES;
    const uint64_t most = (uint64_t)work->settings.most_iterations;
    for (;;) {
        tn_impulse_error_weighted(work->problem, work->u, work->blocks.weight, outcome);
        if (outcome->error < least || least == HUGE_VAL) {
            least = outcome->error;
            memcpy(work->best, work->p, size);
        }
        const bool first = outcome->iterations == given, good = outcome->error <= work->settings.tolerance;
        if (good && (!first || outcome->error <= ENOUGH_AT_START * work->settings.tolerance)) break;
        if (outcome->iterations >= most) break;
        if (newton_step(work)) {
            outcome->iterations++;
            continue;
        }
        if (good) break;
        const uint64_t left = most - outcome->iterations;
        const uint32_t done = newton_fall_back(work, passes < left ? passes : (uint32_t)left);
        outcome->iterations += done;
        outcome->fallbacks += done;
        passes *= 2;
    }
    if (!work->gave_in && memcmp(work->p, work->best, size) == 0) return;
    memcpy(work->p, work->best, size);
    memcpy(work->free, work->problem->free_rate, size);
    newton_evaluate(work);
    tn_impulse_error_weighted(work->problem, work->u, work->blocks.weight, outcome);
}

/* TN_OK: the error is within the tolerance; TN_RETRY: it is not, and problem->impulse is the best approximation. */
tn_status newton_solve(newton_work *work, newton_settings settings, const tn_impulse_problem *problem,
                       tn_impulse_outcome *outcome)
{
    work->settings = settings;
    work->problem = problem;
    const tn_status opened = tn_impulse_blocks_open(&work->blocks, problem, outcome);
    if (opened != TN_OK || problem->rows == 0) return opened;
    if (!work->blocks.same || work->independent_joints != problem->independent_joints)
        work->planned = work->factored = false;
    work->independent_joints = problem->independent_joints;
    if (!make_room(work)) return TN_OUT_OF_MEMORY;
    const bool settles = begin_problem(work);
    if (!settles || !newton_settle_joints(work, outcome)) newton_evaluate(work);
    iterate(work, outcome);
    if (work->no_memory) return TN_OUT_OF_MEMORY;
    return outcome->error <= work->settings.tolerance ? TN_OK : TN_RETRY;
}

newton_work *newton_new(void) { return calloc(1, sizeof(newton_work)); }

void newton_free(newton_work *work)
{
    if (!work) return;
    tn_impulse_blocks_release(&work->blocks);
    tn_impulse_step_release(&work->system);
    void *all[] = {work->u,     work->z,    work->best,   work->free,  work->dp,     work->du,    work->dz,
                   work->trial, work->rate, work->offset, work->slope, work->matrix, work->radius};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(work);
}

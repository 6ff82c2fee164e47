/* step.c - a step of Newton's method, dp = -f - D du of all blocks, with du = W dp */
#include "projected_newton.h"

enum { MOST_CUTS = 6 };
#define FACTOR_OF_REGULARISATION 100.0
#define LARGEST_REGULARISATION 1.0
#define DESCENT 1e-4 /* of the squared map, for a step of full length, at least */

/* z and u of p */
void newton_evaluate(newton_work *work)
{
    tn_impulse_blocks_velocity(&work->blocks, work->p, work->z);
    tn_impulse_blocks_rates(&work->blocks, work->free, work->z, work->u);
}

/* Which blocks and bodies stand in the factors; false: no memory. */
static bool plan(newton_work *work)
{
    if (!work->planned) work->planned = tn_impulse_step_plan(&work->system, &work->blocks) == TN_OK;
    work->no_memory = !work->planned;
    return work->planned;
}

/* Factors for D, unless it is that of the last ones: of joints, and of contacts that stick. */
static tn_status factor(newton_work *work)
{
    const size_t size = 3 * (size_t)work->problem->rows * sizeof *work->slope;
    if (work->factored && memcmp(work->slope, work->matrix, size) == 0) return TN_OK;
    work->factored = tn_impulse_step_factor(&work->system, work->slope) == TN_OK;
    memcpy(work->matrix, work->slope, size);
    return work->factored ? TN_OK : TN_RETRY;
}

/* dp of the laws as they are, with joints_only of joints; false: there is none. */
bool newton_find_step(newton_work *work, bool joints_only)
{
    if (!plan(work)) return false;
    newton_linearise(work, joints_only);
    if (factor(work) != TN_OK) return false;
    tn_impulse_step_solve(&work->system, work->offset, work->dp);
    return true;
}

/* The largest of the maps before the last steps: a law with kinks may have to rise for a step or two. */
static double reference(newton_work *work)
{
    double largest = newton_map(work, work->p, work->u);
    if (work->frozen) return largest;
    work->map[work->maps % NEWTON_MEMORY] = largest;
    for (uint32_t i = 0; i < NEWTON_MEMORY && i <= work->maps; i++)
        largest = fmax(largest, work->map[i]);
    return largest;
}

/* The longest of the steps 1, 1/2, 1/4, ... that descends; false: none. */
bool newton_go_along(newton_work *work)
{
    const uint32_t rows = work->problem->rows;
    const double before = reference(work);
    double length = 1.0;
    tn_impulse_blocks_velocity(&work->blocks, work->dp, work->dz);
    tn_impulse_blocks_rates(&work->blocks, NULL, work->dz, work->du);
    for (int cut = 0; cut < MOST_CUTS; cut++, length *= 0.5) {
        for (uint32_t i = 0; i < rows; i++) {
            work->trial[i] = work->p[i] + length * work->dp[i];
            work->rate[i] = work->u[i] + length * work->du[i];
        }
        if (newton_map(work, work->trial, work->rate) <= (1.0 - DESCENT * length) * before) {
            memcpy(work->p, work->trial, rows * sizeof *work->p);
            if (!work->frozen) work->maps++;
            newton_evaluate(work);
            return true;
        }
    }
    return false;
}

/* One step of the current law, with the regularisation that it takes: the smallest where rows can be met together, a larger one where
 * they contradict each other, so that impulses do not run away before some of the contacts open or slide. It falls again when a step
 * needs no larger one. False: there is none. */
bool newton_step(newton_work *work)
{
    for (bool first = true;; first = false) {
        if (newton_find_step(work, false) && newton_go_along(work)) {
            if (first)
                work->regularisation =
                    fmax(work->regularisation / FACTOR_OF_REGULARISATION, NEWTON_REGULARISATION);
            return true;
        }
        if (work->regularisation >= LARGEST_REGULARISATION) return false;
        work->regularisation = fmin(work->regularisation * FACTOR_OF_REGULARISATION, LARGEST_REGULARISATION);
    }
}

/* step.c - a step of Newton's method: (A + G^T D G) dz = -G^T f, dp = -f - D G dz, with p + dp = p - f - D du of all blocks */
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

/* A + G^T D G, unless D is that of the last factors: of joints, and of contacts that stick. */
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
        if (block->law != TN_CONE_LAW)
            for (uint32_t i = 0; i < block->rows; i++)
                dp[i] = -offset[i] - slope[3 * i] * du[i];
        else
            for (uint32_t i = 0; i < 3; i++)
                dp[i] =
                    -offset[i] - slope[3 * i] * du[0] - slope[3 * i + 1] * du[1] - slope[3 * i + 2] * du[2];
    }
}

/* dp of what has been linearised, and du = W dp; false: there is none. */
bool newton_find_step(newton_work *work)
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
        newton_linearise(work, false);
        if (newton_find_step(work) && newton_go_along(work)) {
            if (first)
                work->regularisation =
                    fmax(work->regularisation / FACTOR_OF_REGULARISATION, NEWTON_REGULARISATION);
            return true;
        }
        if (work->regularisation >= LARGEST_REGULARISATION) return false;
        work->regularisation = fmin(work->regularisation * FACTOR_OF_REGULARISATION, LARGEST_REGULARISATION);
    }
}

/* laws.c - the laws of all blocks, linearised (tenon/kit/impulse_law.h), and the norm of their natural map */
#include "projected_newton.h"

double newton_scale(const newton_work *work, uint32_t block, uint32_t row)
{
    return tn_law_scale(&work->blocks, block, row);
}

/* ---- the natural map --------------------------------------------------------------------------------------------- */

/* Of a disc that does not depend on p_N. */
static void map_of_disc(double radius, double rho, const double *p, const double *u, double *map)
{
    const double y[2] = {p[1] - rho * u[1], p[2] - rho * u[2]};
    const double length = sqrt(y[0] * y[0] + y[1] * y[1]), share = length > radius ? radius / length : 1.0;
    map[0] = fmin(p[0], rho * u[0]);
    map[1] = p[1] - share * y[0];
    map[2] = p[2] - share * y[1];
}

/* Sum of w |F|^2. */
double newton_map(const newton_work *work, const double *p, const double *u)
{
    double sum = 0.0;
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        const uint32_t first = block->first;
        if (block->law == TN_CONE_LAW) {
            double map[3];
            const double w = newton_scale(work, b, first);
            if (work->frozen)
                map_of_disc(work->radius[first], 1.0 / w, p + first, u + first, map);
            else
                tn_natural_cone(block->friction, 1.0 / w, p + first, u + first, map);
            sum += w * (map[0] * map[0] + map[1] * map[1] + map[2] * map[2]);
            continue;
        }
        for (uint32_t row = first; row < first + block->rows; row++) {
            const double w = newton_scale(work, b, row);
            sum += w * tn_natural_row(block->law, 1.0 / w, p[row], u[row]);
        }
    }
    return sum;
}

/* Friction is bounded by what presses now. */
void newton_freeze(newton_work *work)
{
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        const uint32_t first = block->first;
        if (block->law != TN_CONE_LAW) continue;
        const double pressing = work->p[first] - work->u[first] / newton_scale(work, b, first);
        work->radius[first] = block->friction * fmax(0.0, pressing);
    }
    work->frozen = true;
}

/* ---- linearised -------------------------------------------------------------------------------------------------- */

static void linearise_contact(newton_work *work, uint32_t b)
{
    const tn_impulse_block *block = &work->problem->block[b];
    const uint32_t row = block->first;
    const double *p = work->p + row, *u = work->u + row, w = newton_scale(work, b, row);
    double *offset = work->offset + row, *slope = work->slope + 3 * (size_t)row;
    const double share = tn_step_has_leaf(&work->system, b) ? SHARE_OF_LEAVES : 1.0;
    const double regularisation = share * work->regularisation;
    if (block->law == TN_CONE_LAW) {
        const double radius = work->frozen ? work->radius[row] : block->friction * (p[0] - u[0] / w);
        tn_law_cone(w, work->frozen ? 0.0 : block->friction, radius, regularisation, p, u, offset, slope);
        return;
    }
    tn_law_unilateral(w, regularisation, *p, *u, offset, slope);
}

/* dp = -offset - slope du of all blocks; with joints_only contacts keep their impulses. */
void newton_linearise(newton_work *work, bool joints_only)
{
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        const uint32_t first = block->first, last = first + block->rows;
        memset(work->slope + 3 * (size_t)first, 0, 3 * (size_t)block->rows * sizeof *work->slope);
        memset(work->offset + first, 0, block->rows * sizeof *work->offset);
        for (uint32_t row = first; row < last && block->law == TN_JOINT_LAW; row++)
            tn_law_hold(newton_scale(work, b, row), work->u[row], work->joint_regularisation,
                        &work->offset[row], &work->slope[3 * (size_t)row]);
        if (block->law != TN_JOINT_LAW && !joints_only) linearise_contact(work, b);
    }
}

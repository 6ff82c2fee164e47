/* laws.c - the laws of blocks, linearised after Alart and Curnier, and the norm of their natural map */
#include "projected_newton.h"

/* The size of W at a row: of a cone the mean of its diagonal. */
double newton_scale(const newton_work *work, uint32_t block, uint32_t row)
{
    const tn_impulse_block *own = &work->problem->block[block];
    const double *local = work->blocks.local + 3 * (size_t)row;
    const double scale = own->law == TN_CONE_LAW ? (local[0] + local[4] + local[8]) / 3.0 : local[0];
    return scale > 0.0 ? scale : work->blocks.weight[row];
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

/* u is to vanish: dp = -(u + du) / (regularisation w) */
static void hold(double w, double u, double regularisation, double *offset, double *slope)
{
    *slope = 1.0 / (regularisation * w);
    *offset = u * *slope;
}

/* Sliding: u_N = 0, p_T = r t, with r = friction (p_N - u_N / w) or a disc that stays, for which `friction` is 0, and t along
 * y = p_T - u_T / w. */
static void slide(double w, double friction, double radius, double regularisation, const double *p,
                  const double *u, double *offset, double *slope)
{
    const double y[2] = {p[1] - u[1] / w, p[2] - u[2] / w};
    const double length = sqrt(y[0] * y[0] + y[1] * y[1]);
    const double t[2] = {y[0] / length, y[1] / length}, kappa = radius / length;
    const double error[2] = {p[1] - radius * t[0], p[2] - radius * t[1]};
    const double along = error[0] * t[0] + error[1] * t[1];
    const double across = 1.0 / (1.0 - kappa * (1.0 - regularisation));
    const double coupling = friction * (1.0 - regularisation);
    hold(w, u[0], regularisation, &offset[0], &slope[0]);
    for (int i = 0; i < 2; i++) {
        offset[1 + i] = along * t[i] + across * (error[i] - along * t[i]) + coupling * offset[0] * t[i];
        slope[3 * (1 + i)] = (friction / w + coupling * slope[0]) * t[i];
        for (int j = 0; j < 2; j++)
            slope[3 * (1 + i) + 1 + j] = across * kappa / w * ((i == j) - t[i] * t[j]);
    }
}

static void linearise_cone(double w, double friction, double radius, double regularisation, const double *p,
                           const double *u, double *offset, double *slope)
{
    const double y[2] = {p[1] - u[1] / w, p[2] - u[2] / w};
    memset(slope, 0, 9 * sizeof *slope);
    memcpy(offset, p, 3 * sizeof *p); // open: dp = -p
    if (p[0] - u[0] / w <= 0.0) return;
    if (radius <= 0.0) {
        hold(w, u[0], regularisation, &offset[0], &slope[0]);
    } else if (y[0] * y[0] + y[1] * y[1] <= radius * radius) {
        for (int i = 0; i < 3; i++)
            hold(w, u[i], regularisation, &offset[i], &slope[4 * i]);
    } else {
        slide(w, friction, radius, regularisation, p, u, offset, slope);
    }
}

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
        linearise_cone(w, work->frozen ? 0.0 : block->friction, radius, regularisation, p, u, offset, slope);
        return;
    }
    *slope = 0.0;
    *offset = p[0];
    if (p[0] - u[0] / w > 0.0) hold(w, u[0], regularisation, offset, slope);
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
            hold(newton_scale(work, b, row), work->u[row], work->joint_regularisation, &work->offset[row],
                 &work->slope[3 * (size_t)row]);
        if (block->law != TN_JOINT_LAW && !joints_only) linearise_contact(work, b);
    }
}

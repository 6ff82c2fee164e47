/* laws.c - the laws of blocks, linearised after Alart and Curnier, and the norm of their natural map */
#include "projected_newton.h"

/* What of W is added to its diagonal: dependent rows are no obstacle then, and impulses that the laws leave open stay where they are.
 * It is no error of the solution, only of a step towards it, which shrinks what W resists by this factor. */
#define REGULARISATION 1e-8

/* The size of W at a row: of a cone the mean of its diagonal. */
double newton_scale(const newton_work *work, uint32_t block, uint32_t row)
{
    const tn_impulse_block *own = &work->problem->block[block];
    const double *local = work->blocks.local + 3 * (size_t)row;
    const double scale = own->law == TN_CONE_LAW ? (local[0] + local[4] + local[8]) / 3.0 : local[0];
    return scale > 0.0 ? scale : work->blocks.weight[row];
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

/* u is to vanish, with the regularisation: dp = -(u + du) / epsilon */
static void hold(double w, double u, double *offset, double *slope)
{
    *slope = 1.0 / (REGULARISATION * w);
    *offset = u * *slope;
}

/* Sliding: u_N = 0, p_T = friction s t, with s = p_N - u_N / w, y = p_T - u_T / w and t = y / |y|. */
static void slide(double w, double friction, const double *p, const double *u, double *offset, double *slope)
{
    const double s = p[0] - u[0] / w, y[2] = {p[1] - u[1] / w, p[2] - u[2] / w};
    const double length = sqrt(y[0] * y[0] + y[1] * y[1]);
    const double t[2] = {y[0] / length, y[1] / length}, kappa = friction * s / length;
    const double across = 1.0 / (1.0 - kappa * (1.0 - REGULARISATION)); // of K^-1, at right angles to t
    const double coupling = friction * (1.0 - REGULARISATION);
    hold(w, u[0], &offset[0], &slope[0]);
    for (int i = 0; i < 2; i++) {
        // along t: dp_t = friction (ds - ...) from the normal row; across: kappa (dp - du / w)
        const double error[2] = {p[1] - friction * s * t[0], p[2] - friction * s * t[1]};
        const double along = error[0] * t[0] + error[1] * t[1];
        offset[1 + i] = along * t[i] + across * (error[i] - along * t[i]) + coupling * offset[0] * t[i];
        slope[3 * (1 + i)] = (friction / w + coupling * slope[0]) * t[i];
        for (int j = 0; j < 2; j++)
            slope[3 * (1 + i) + 1 + j] = across * kappa / w * ((i == j) - t[i] * t[j]);
    }
}

static void linearise_cone(double w, double friction, const double *p, const double *u, double *offset,
                           double *slope)
{
    memset(slope, 0, 9 * sizeof *slope);
    memcpy(offset, p, 3 * sizeof *p); // open: dp = -p
    const double s = p[0] - u[0] / w;
    if (s <= 0.0) return;
    const double y[2] = {p[1] - u[1] / w, p[2] - u[2] / w};
    if (friction <= 0.0) {
        hold(w, u[0], &offset[0], &slope[0]);
    } else if (y[0] * y[0] + y[1] * y[1] <= friction * s * friction * s) {
        for (int i = 0; i < 3; i++)
            hold(w, u[i], &offset[i], &slope[4 * i]);
    } else {
        slide(w, friction, p, u, offset, slope);
    }
}

/* dp = -offset - slope du of all blocks; with joints_only contacts keep their impulses. */
void newton_linearise(newton_work *work, bool joints_only)
{
    for (uint32_t b = 0; b < work->problem->blocks; b++) {
        const tn_impulse_block *block = &work->problem->block[b];
        for (uint32_t row = block->first; row < block->first + block->rows; row++) {
            double *offset = work->offset + row, *slope = work->slope + 3 * (size_t)row;
            const double w = newton_scale(work, b, row), p = work->p[row], u = work->u[row];
            memset(slope, 0, 3 * sizeof *slope);
            *offset = 0.0;
            if (block->law == TN_JOINT_LAW) {
                hold(w, u, offset, slope);
            } else if (block->law == TN_UNILATERAL_LAW && !joints_only) {
                *offset = p;
                if (p - u / w > 0.0) hold(w, u, offset, slope);
            } else if (!joints_only) {
                linearise_cone(w, block->friction, work->p + row, work->u + row, offset, slope);
                break;
            }
        }
    }
}

/* tenon/kit/impulse_law.h - for constraint solvers: the laws of blocks, linearised after Alart and Curnier, as steps of
 * impulse_step.h take them,
 *
 *     dp = -offset - slope du
 *
 * with the branch that each law has at p and u: open, sticking, or sliding. `w` is the size of W at the block (tn_law_scale), and
 * `regularisation` its share that is added to the diagonal of W where rates are to vanish.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_IMPULSE_LAW_H
#define TENON_KIT_IMPULSE_LAW_H

#include "tenon/kit/impulse_blocks.h"

/* The size of W at a row: of a cone the mean of its diagonal. */
static inline double tn_law_scale(const tn_impulse_blocks *blocks, uint32_t block, uint32_t row)
{
    const double *local = blocks->local + 3 * (size_t)row;
    const bool cone = blocks->problem->block[block].law == TN_CONE_LAW;
    const double scale = cone ? (local[0] + local[4] + local[8]) / 3.0 : local[0];
    return scale > 0.0 ? scale : blocks->weight[row];
}

/* u is to vanish: dp = -(u + du) / (regularisation w) */
static inline void tn_law_hold(double w, double u, double regularisation, double *offset, double *slope)
{
    *slope = 1.0 / (regularisation * w);
    *offset = u * *slope;
}

/* Sliding: u_N = 0, p_T = r t, with r = friction (p_N - u_N / w) or a disc that stays, for which `friction` is 0, and t along
 * y = p_T - u_T / w. */
static inline void tn_law_slide(double w, double friction, double radius, double regularisation,
                                const double *p, const double *u, double *offset, double *slope)
{
    const double y[2] = {p[1] - u[1] / w, p[2] - u[2] / w};
    const double length = sqrt(y[0] * y[0] + y[1] * y[1]);
    const double t[2] = {y[0] / length, y[1] / length}, kappa = radius / length;
    const double error[2] = {p[1] - radius * t[0], p[2] - radius * t[1]};
    const double along = error[0] * t[0] + error[1] * t[1];
    const double across = 1.0 / (1.0 - kappa * (1.0 - regularisation));
    const double coupling = friction * (1.0 - regularisation);
    tn_law_hold(w, u[0], regularisation, &offset[0], &slope[0]);
    for (int i = 0; i < 2; i++) {
        offset[1 + i] = along * t[i] + across * (error[i] - along * t[i]) + coupling * offset[0] * t[i];
        slope[3 * (1 + i)] = (friction / w + coupling * slope[0]) * t[i];
        for (int j = 0; j < 2; j++)
            slope[3 * (1 + i) + 1 + j] = across * kappa / w * ((i == j) - t[i] * t[j]);
    }
}

/* offset [3], slope [3][3] */
static inline void tn_law_cone(double w, double friction, double radius, double regularisation,
                               const double *p, const double *u, double *offset, double *slope)
{
    const double y[2] = {p[1] - u[1] / w, p[2] - u[2] / w};
    memset(slope, 0, 9 * sizeof *slope);
    memcpy(offset, p, 3 * sizeof *p); // open: dp = -p
    if (p[0] - u[0] / w <= 0.0) return;
    if (radius <= 0.0) {
        tn_law_hold(w, u[0], regularisation, &offset[0], &slope[0]);
    } else if (y[0] * y[0] + y[1] * y[1] <= radius * radius) {
        for (int i = 0; i < 3; i++)
            tn_law_hold(w, u[i], regularisation, &offset[i], &slope[4 * i]);
    } else {
        tn_law_slide(w, friction, radius, regularisation, p, u, offset, slope);
    }
}

static inline void tn_law_unilateral(double w, double regularisation, double p, double u, double *offset,
                                     double *slope)
{
    *slope = 0.0;
    *offset = p;
    if (p - u / w > 0.0) tn_law_hold(w, u, regularisation, offset, slope);
}

#endif

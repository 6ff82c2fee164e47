/* local_cone.h - Coulomb's law at one point, u = q + W p, in closed form but for one number: open, sticking, or sliding with a
 * friction that is the root of one function. */
#ifndef TENON_LOCAL_CONE_H
#define TENON_LOCAL_CONE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_SLIP_STEPS = 60 };

/* x = -(W + slip diag(0, 1, 1))^-1 q by Cramer's rule; false: singular. */
static inline bool local_impulse(const double *w, double slip, const double *q, double *x)
{
    const double a = w[4] + slip, d = w[8] + slip;
    const double c0 = a * d - w[5] * w[7], c1 = w[5] * w[6] - w[3] * d, c2 = w[3] * w[7] - a * w[6];
    const double determinant = w[0] * c0 + w[1] * c1 + w[2] * c2;
    if (!(fabs(determinant) > 0.0)) return false;
    const double s = -1.0 / determinant;
    x[0] = s * (c0 * q[0] + (w[2] * w[7] - w[1] * d) * q[1] + (w[1] * w[5] - w[2] * a) * q[2]);
    x[1] = s * (c1 * q[0] + (w[0] * d - w[2] * w[6]) * q[1] + (w[2] * w[3] - w[0] * w[5]) * q[2]);
    x[2] = s * (c2 * q[0] + (w[1] * w[6] - w[0] * w[7]) * q[1] + (w[0] * a - w[1] * w[3]) * q[2]);
    return x[0] == x[0] && x[1] == x[1] && x[2] == x[2];
}

static inline double beyond_cone(double friction, const double *p)
{
    return sqrt(p[1] * p[1] + p[2] * p[2]) - friction * p[0];
}

/* Sliding: u_T = -slip p_T, u_N = 0, |p_T| = friction p_N, by the secant rule of Illinois between a slip too small and one too large. */
static inline bool local_slip(const double *w, double friction, const double *q, double *p)
{
    double low = 0.0, high = w[4] + w[8] + w[0], at_low, at_high;
    if (!local_impulse(w, low, q, p)) low = 1e-9 * high;
    if (!local_impulse(w, low, q, p)) return false;
    at_low = beyond_cone(friction, p);
    for (int k = 0; k < MOST_SLIP_STEPS; k++, high *= 10.0) {
        if (!local_impulse(w, high, q, p)) return false;
        at_high = beyond_cone(friction, p);
        if (at_high <= 0.0) break;
        low = high;
        at_low = at_high;
    }
    if (at_high > 0.0) return false;
    int side = 0;
    for (int k = 0; k < MOST_SLIP_STEPS && high - low > 1e-15 * high; k++) {
        const double width = at_low - at_high;
        double slip = width > 0.0 ? (at_low * high - at_high * low) / width : 0.5 * (low + high);
        if (!(slip > low && slip < high)) slip = 0.5 * (low + high);
        if (!local_impulse(w, slip, q, p)) return false;
        const double at = beyond_cone(friction, p);
        if (fabs(at) <= 1e-15 * friction * p[0]) break;
        if (at > 0.0) {
            low = slip;
            at_low = at;
            if (side == 1) at_high *= 0.5;
            side = 1;
        } else {
            high = slip;
            at_high = at;
            if (side == -1) at_low *= 0.5;
            side = -1;
        }
    }
    const double tangent = sqrt(p[1] * p[1] + p[2] * p[2]);
    if (tangent > friction * p[0] && tangent > 0.0) {
        p[1] *= friction * p[0] / tangent;
        p[2] *= friction * p[0] / tangent;
    }
    return p[0] >= 0.0;
}

/* p [3]; it stays as it is where W allows no solution. */
static inline void local_cone(const double *w, double friction, const double *q, double *p)
{
    double x[3];
    if (q[0] >= 0.0) {
        memset(p, 0, 3 * sizeof *p);
        return;
    }
    if (!(w[0] > 0.0)) return;
    if (friction <= 0.0) {
        p[0] = -q[0] / w[0];
        p[1] = p[2] = 0.0;
        return;
    }
    if (local_impulse(w, 0.0, q, x) && x[0] >= 0.0 && beyond_cone(friction, x) <= 0.0) {
        memcpy(p, x, sizeof x);
        return;
    }
    if (local_slip(w, friction, q, x)) memcpy(p, x, sizeof x);
}

#endif

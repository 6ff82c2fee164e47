/* ramps.h - ways from 0 to 1 while t goes from 0 to 1, with two derivatives. */
#ifndef TN_RAMPS_H
#define TN_RAMPS_H

#include <math.h>

typedef struct tn_ramp {
    double value, first, second;
} tn_ramp;

/* STEP: slope 0 at both ends. */
static inline tn_ramp tn_ramp_cubic(double t)
{
    return (tn_ramp){t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t), 6.0 - 12.0 * t};
}

/* STEP5: slope and curvature 0 at both ends. */
static inline tn_ramp tn_ramp_quintic(double t)
{
    return (tn_ramp){t * t * t * (10.0 + t * (6.0 * t - 15.0)), 30.0 * t * t * (1.0 - t) * (1.0 - t),
                     60.0 * t * (1.0 - t) * (1.0 - 2.0 * t)};
}

/* HAVSIN: half a period of a sine. */
static inline tn_ramp tn_ramp_sine(double t)
{
    const double sine = sin(M_PI * t), cosine = cos(M_PI * t);
    return (tn_ramp){0.5 - 0.5 * cosine, 0.5 * M_PI * sine, 0.5 * M_PI * M_PI * cosine};
}

#endif

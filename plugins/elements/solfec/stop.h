/* stop.h - limits of a stroke: where it meets one it rebounds, or rests there until it is drawn back.
 *
 * The element has one row, of zeros while the stroke is free. At an impact the row is there for the moment of it, and asks for the
 * velocity behind it: masses and other constraints determine the impulse. Where the stroke stays at a limit the row holds it, until its
 * reaction would have to pull. */
#ifndef TENON_SOLFEC_STOP_H
#define TENON_SOLFEC_STOP_H

#include "local_frame.h"

/* Its discrete data: what it does, the rate that an impact leaves, whether the last one has left none, and when that was, if
 * the stroke has not been within its limits since. */
enum { STOP_MODE, STOP_TARGET, STOP_RESTED, STOP_BEYOND, STOP_TIME, STOP_DATA };
#define FREE 0.0
#define AT_LOWER (-1.0)
#define AT_UPPER 1.0
#define IN_IMPACT 2.0
/* Its event functions. */
enum { LOWER_REACHED, UPPER_REACHED, RELEASED, STOP_EVENTS };

#if TN_VALUES

/* What an element knows of its stroke and its limits. */
typedef struct stroke_state {
    double stroke, rate, lower, upper, restitution, slowest;
    double time; /* s */
} stroke_state;

/* What makes a length, or a force, of a rate in event functions: s, N s/m. */
static const double unit_of_time = 1.0, unit_of_damping = 1.0;

/* Of the way since the last impact, behind a limit: more than solvers that end steps at events leave. */
#define SEEN_BEHIND 1e-6

/* The distance to a limit; behind it, positive while the way back is taken. Slow impacts are met once they have half the speed below
 * which there is no rebound. */
static inline TN_UNUSED double reach_of(const stroke_state *s, bool upper)
{
    const double left = upper ? s->upper - s->stroke : s->stroke - s->lower,
                 rate = upper ? s->rate : -s->rate;
    return fmax(left, (0.5 * s->slowest - rate) * unit_of_time);
}

/* A stroke is let go where its limit would have to draw it back, and it does not go on: of solvers whose rates of positions are not
 * exact, such as generalized_alpha behind an impact, reactions swing at first. */
static inline TN_UNUSED double hold_of(const stroke_state *s, double side, double lambda)
{
    return fmax(-side * lambda, (side * s->rate - 0.5 * s->slowest) * unit_of_damping);
}

static inline TN_UNUSED void write_stop_events(const stroke_state *s, const double *stop, double lambda,
                                               double *value)
{
    const double mode = stop[STOP_MODE];
    const bool held = mode == AT_LOWER || mode == AT_UPPER;
    value[LOWER_REACHED] = held ? (double)NAN : reach_of(s, false);
    value[UPPER_REACHED] = held ? (double)NAN : reach_of(s, true);
    value[RELEASED] = held ? hold_of(s, mode, lambda) : (double)NAN;
}

/* An impact without rebound leaves the stroke free: what then drives it on meets the limit again, and is held. So is a rebound that has
 * not led back within the step, of a fixed length: where steps end at impacts they end at the limit. */
static inline TN_UNUSED void meet_limit(const stroke_state *s, double side, double *stop)
{
    const double speed = side == AT_UPPER ? s->rate : -s->rate;
    if (!(speed > 0.0)) return;
    const bool rebounds = s->restitution * speed > s->slowest;
    const double behind = side == AT_UPPER ? s->stroke - s->upper : s->lower - s->stroke;
    const bool stuck = stop[STOP_BEYOND] != 0.0 && behind > SEEN_BEHIND * speed * (s->time - stop[STOP_TIME]);
    if (stuck || (!rebounds && stop[STOP_RESTED] != 0.0)) {
        stop[STOP_MODE] = side;
        return;
    }
    stop[STOP_MODE] = IN_IMPACT;
    stop[STOP_TARGET] = rebounds ? -s->restitution * s->rate : 0.0;
    stop[STOP_RESTED] = !rebounds;
    stop[STOP_BEYOND] = 1.0;
    stop[STOP_TIME] = s->time;
}

static inline TN_UNUSED void change_stop(const stroke_state *s, const double *sign, double *stop)
{
    if (sign[RELEASED] < 0.0) {
        stop[STOP_MODE] = FREE;
        stop[STOP_RESTED] = stop[STOP_BEYOND] = 0.0;
    }
    if (sign[LOWER_REACHED] < 0.0) meet_limit(s, AT_LOWER, stop);
    if (sign[UPPER_REACHED] < 0.0) meet_limit(s, AT_UPPER, stop);
}

/* Behind an impact, and behind every step. Limits that do not act hold nothing, and know of no impact when they act again. */
static inline TN_UNUSED void settle_stop(const stroke_state *s, bool acts, double *stop)
{
    const bool within = s->stroke > s->lower && s->stroke < s->upper;
    if (!acts)
        stop[STOP_MODE] = stop[STOP_RESTED] = stop[STOP_BEYOND] = FREE;
    else if (stop[STOP_MODE] == IN_IMPACT)
        stop[STOP_MODE] = FREE;
    else if (stop[STOP_MODE] == FREE && within)
        stop[STOP_RESTED] = stop[STOP_BEYOND] = 0.0;
}

#endif

#endif

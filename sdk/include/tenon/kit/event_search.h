/* tenon/kit/event_search.h - for adaptive solvers: where event functions change their signs within a step.
 *
 * A step that ends behind an event is taken again, shorter and shorter, until the event is enclosed by two times as near
 * as times resolve: the step ends before it, with all evaluations on the old side, and a crossing of that width leads to
 * the new side. Where errors are too large before that (a stage of the step has looked behind a jump), the solver goes on
 * from a time before the event, and the search is done again from there: what is left shrinks by the order of the stages.
 *
 * The solver gives a function that tries a step, and takes what comes back:
 *
 *     tn_event_landing landing;
 *     status = tn_event_search(&watch, time, h, accurate, stop, attempt, solver, &landing);
 *     ... a step of length landing.h, then, unless landing.behind is HUGE_VAL, v and x as they are at that time ...
 *
 * plugins/solvers/rk/adaptive.c is a whole use of it.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_EVENT_SEARCH_H
#define TENON_KIT_EVENT_SEARCH_H

#include "tenon/kit/event_watch.h"

/* What a search has found. */
typedef struct tn_event_landing {
    double h;      /* the step to take first; 0: the event lies too near */
    double behind; /* the time to cross to then; HUGE_VAL: there is no crossing */
} tn_event_landing;

/* Tries a step of length h from the accepted state, which it then goes back to. */
typedef tn_status tn_event_attempt(void *solver, double h, bool *accurate, bool *switched);

enum { TN_EVENT_REFUSALS = 3 }; /* until a step that is too long is left to error control */

typedef struct tn_event_bracket {
    double low, high, before; /* steps; `before` is that of another state, NaN for none */
    double width;             /* that is near enough */
    double length, reach; /* a few tries ago: high - low, and the distance of the zero from the nearer one */
    bool switched, accurate; /* the step to `high` was */
    bool slow;               /* interpolation has led nowhere lately */
    uint32_t refusals;       /* of steps that ended before the event, as inaccurate */
    uint32_t tries;
    int last; /* which end the last try has moved: -1 low, 1 high, 0 none */
} tn_event_bracket;

/* How far behind `low` a function vanishes: on the parabola through `low`, `high` and the last state that was one of them, which has one
 * zero between the two; on the chord where there is no such state. */
static inline double tn_event_interpolate(const tn_event_bracket *bracket, double before, double low,
                                          double high)
{
    const double length = bracket->high - bracket->low, slope = (high - low) / length;
    const double slope_before = (low - before) / (bracket->low - bracket->before);
    const double curvature = (slope - slope_before) / (bracket->high - bracket->before);
    const double b = slope - curvature * length;
    const double q = -0.5 * (b + copysign(sqrt(fmax(b * b - 4.0 * curvature * low, 0.0)), b));
    const double one = low / q, other = q / curvature;
    if (one >= 0.0 && one <= length) return one;
    return other >= 0.0 && other <= length ? other : -low / slope;
}

/* The same of function k, or, as often where an inaccurate step has led to `high`, on the chord through two states before. HUGE_VAL:
 * it has not changed its sign. */
static inline double tn_event_place(const tn_event_watch *watch, const tn_event_bracket *bracket, uint32_t k)
{
    const double low = watch->low[k], high = watch->high[k];
    if (!tn_event_left(watch, k, high)) return HUGE_VAL;
    if (low == 0.0) return 0.0;
    if (!bracket->accurate && bracket->tries % 2 > 0 && bracket->before < bracket->low) {
        const double place = low * (bracket->low - bracket->before) / (watch->before[k] - low);
        if (place >= 0.0 && place <= bracket->high - bracket->low) return place;
    }
    return tn_event_interpolate(bracket, watch->before[k], low, high);
}

/* Where to try, for a zero at `place`: on the side of it that is not enclosed yet, or that the last try was not, by a share of its distance
 * from there; at first before it. Both ends shall be clear of zero. */
static inline double tn_event_aim(const tn_event_bracket *bracket, double place, double length)
{
    const double width = bracket->width, from = bracket->last < 0 ? place : length - place;
    const double shift = fmax(0.4 * width, bracket->last ? fmin(1e-3 * from, 0.4 * length) : 0.0);
    const bool before = length - place <= width || (place > width && bracket->last >= 0);
    return place + (before ? -shift : shift);
}

/* Whether interpolation has gone too slowly: neither the bracket nor what is left to the zero has shrunk by much. */
static inline void tn_event_bracket_check(tn_event_bracket *bracket, double place, double length)
{
    const double reach = fmin(place, length - place), least = bracket->slow ? 0.0625 : 0.5;
    bracket->slow = bracket->tries > 0 && length > least * bracket->length && !(reach < 0.1 * bracket->reach);
    bracket->length = length;
    bracket->reach = reach;
}

/* The step to try next, for the earliest zero; by bisection where interpolation leads nowhere. */
static inline double tn_event_bracket_next(const tn_event_watch *watch, tn_event_bracket *bracket)
{
    static const double share[TN_EVENT_REFUSALS] = {0.5, 0.99, 0.9};
    const double length = bracket->high - bracket->low;
    double place = HUGE_VAL;
    for (uint32_t k = 0; k < watch->count; k++)
        place = fmin(place, tn_event_place(watch, bracket, k));
    if (bracket->tries % 3 == 0) tn_event_bracket_check(bracket, place, length);
    place = tn_event_aim(bracket, place, length);
    if (place > length || (bracket->slow && bracket->tries % 3 != 2)) place = 0.5 * length;
    if (!bracket->switched)
        place = share[bracket->refusals < TN_EVENT_REFUSALS ? bracket->refusals : 0] * length;
    bracket->tries++;
    const double margin = fmin(0.4 * bracket->width, 0.5 * length);
    return bracket->low + fmin(fmax(place, margin), length - margin);
}

/* One end moves to the last try. */
static inline void tn_event_bracket_move(tn_event_watch *watch, tn_event_bracket *bracket, double h,
                                         bool switched, bool accurate)
{
    const bool up = !switched && accurate; /* low moves */
    double **const moved = up ? &watch->low : &watch->high;
    double *const freed = watch->before;
    watch->before = *moved;
    *moved = freed;
    bracket->before = up ? bracket->low : bracket->high;
    if (up) {
        bracket->low = h;
    } else {
        bracket->high = h;
        bracket->refusals += !switched;
        bracket->switched = switched;
        bracket->accurate = accurate;
    }
    memcpy(*moved, watch->value, watch->count * sizeof **moved);
    bracket->last = up ? -1 : 1;
}

/* Errors that are too large before the event end the search: the solver goes as far as it can, or takes a shorter step. */
static inline bool tn_event_bracket_is_open(const tn_event_bracket *bracket)
{
    if (bracket->high - bracket->low <= bracket->width) return false;
    if (bracket->switched) return true;
    return bracket->low > 0.0 ? bracket->low < 0.5 * bracket->high : bracket->refusals < TN_EVENT_REFUSALS;
}

/* Looks for the first event in a step of length h from `time` that ended behind one, the state tried last. What comes
 * back as the step to take is accurate, or to be judged as any other. */
static inline tn_status tn_event_search(tn_event_watch *watch, double time, double h, bool accurate,
                                        double stop, tn_event_attempt *attempt, void *solver,
                                        tn_event_landing *landing)
{
    tn_event_bracket bracket = {.high = h,
                                .before = watch->before_time - time,
                                .width = tn_event_width(watch, time, h),
                                .switched = true,
                                .accurate = accurate};
    double behind = time + h; /* an event */
    for (uint32_t k = 0; k < watch->count; k++) {
        watch->low[k] = watch->function[k].value;
        watch->high[k] = watch->value[k];
    }
    while (tn_event_bracket_is_open(&bracket)) {
        const double tried = tn_event_bracket_next(watch, &bracket);
        bool switched = false;
        const tn_status status = attempt(solver, tried, &accurate, &switched);
        if (status != TN_OK) return status;
        tn_event_bracket_move(watch, &bracket, tried, switched, accurate);
        if (switched) behind = time + tried;
    }
    const bool advanced = bracket.low > 0.0;
    watch->before_time = (double)NAN; // its values are used up
    watch->limit = !bracket.switched && advanced ? behind : -HUGE_VAL;
    if (bracket.switched)
        *landing = (tn_event_landing){bracket.low, stop - behind <= bracket.width ? stop : behind};
    else
        *landing = (tn_event_landing){advanced ? bracket.low : bracket.high, HUGE_VAL};
    return TN_OK;
}

#endif

/* event_search.h - where event functions change their signs within an adaptive step; shared by the solvers.
 *
 * A step that ends behind an event is taken again, shorter and shorter, until the event is enclosed by two times as near
 * as times resolve: the step ends before it, with all evaluations on the old side, and a crossing of that width leads to
 * the new side. Where errors are too large before that (a stage of the step has looked behind a jump), the solver goes on
 * from a time before the event, and the search is done again from there: what is left shrinks by the order of the stages.
 *
 * A function that switches back and forth before the motion has gone further than its tolerances chatters, as dry
 * friction does at rest: it is not followed from then on, until it keeps its sign. */
#ifndef TENON_EVENT_SEARCH_H
#define TENON_EVENT_SEARCH_H

#include "tenon/solver.h"

#include <float.h>
#include <string.h>

#define EVENT_WIDTH 1e-12    /* of what encloses an event, in steps */
#define EVENT_WIDEST 256.0   /* times as wide where crossings follow each other without a step between */
#define EVENT_NEARNESS 100.0 /* movement between two changes of sign that is no motion, in tolerances */

enum {
    EVENT_CHATTER = 16, /* changes of sign as near as that */
    EVENT_CALM = 10     /* steps without one after which it is over */
};

typedef struct event_function {
    double side;  /* sign at the accepted state, or the last one that was not zero; 0: none yet */
    double value; /* at the accepted state */
    double moved; /* `moved` of the watch at its last change of sign */
    uint32_t
        near; /* changes of sign in a row that followed the one before as near; EVENT_CHATTER: it chatters */
    uint32_t calm; /* steps since the last change of sign */
    bool seen;     /* it had the other sign at some stage since the accepted state */
    bool resting;  /* it stays zero */
} event_function;

typedef struct event_watch {
    tn_system *system;
    uint32_t count; /* 0: nobody looks at events */
    event_function *function;
    double *value, *low, *high; /* [count] at the state tried last; at both ends of what encloses an event */
    double *before;             /* [count] at the accepted state before, or another one before `low` */
    double before_time;         /* of that accepted state; NaN where it was on another side */
    double time;                /* of the accepted state */
    double *start;              /* [nv + nx] v and x at the last accepted state */
    double moved;               /* sum of all movements of v and x, in tolerances (rms) */
    double limit;  /* a time behind an event that is known to lie ahead; not above the current time: none */
    double growth; /* of the width */
    uint32_t chattering; /* functions that do */
    bool slow;           /* the last step was no motion: stages tell what chatters */
    bool at_zero;        /* some function has become zero */
} event_watch;

/* What a search has found. */
typedef struct event_landing {
    double h;      /* the step to take first; 0: the event lies too near */
    double behind; /* the time to cross to then; HUGE_VAL: there is no crossing */
} event_landing;

/* Tries a step of length h from the accepted state, which it then goes back to. */
typedef tn_status event_attempt(void *solver, double h, bool *accurate, bool *switched);

static inline bool event_watch_make(event_watch *watch, tn_system *system)
{
    *watch = (event_watch){
        .system = system, .growth = 1.0, .limit = -HUGE_VAL, .before_time = (double)NAN, .time = (double)NAN};
    if (!system->run->adaptive || !system->events) return true;
    const tn_host *host = system->host;
    watch->count = system->events;
    watch->function = host->allocate(host, watch->count * sizeof *watch->function);
    watch->start = host->allocate(host, ((size_t)system->nv + system->nx + 1) * sizeof(double));
    double **const arrays[] = {&watch->value, &watch->low, &watch->high, &watch->before};
    for (int i = 0; i < 4; i++)
        if (!(*arrays[i] = host->allocate(host, watch->count * sizeof(double)))) return false;
    if (!watch->function || !watch->start) return false;
    memset(watch->function, 0, watch->count * sizeof *watch->function);
    return true;
}

/* ---- signs ---- */

static inline double event_sign(double value) { return (double)((value > 0.0) - (value < 0.0)); }

/* Whether a value lies no longer on the side of the accepted state. Zero belongs to neither. */
static inline bool event_left(const event_watch *watch, uint32_t k, double value)
{
    const event_function *function = &watch->function[k];
    return function->near < EVENT_CHATTER && function->side * value <= 0.0 && function->side != 0.0 &&
           !(function->resting && value == 0.0);
}

/* Reads the functions at the state of the last evaluation: whether any has changed its sign. */
static inline tn_status event_watch_look(event_watch *watch, bool *switched)
{
    *switched = false;
    if (!watch->count) return TN_OK;
    const tn_status status = watch->system->event_values(watch->system, watch->value);
    for (uint32_t k = 0; k < watch->count && status == TN_OK; k++)
        *switched = *switched || event_left(watch, k, watch->value[k]);
    return status;
}

/* The same at a stage of a step, whose error control may keep the ends on one side. */
static inline tn_status event_watch_peek(event_watch *watch)
{
    if (!watch->slow && !watch->chattering) return TN_OK;
    const tn_status status = watch->system->event_values(watch->system, watch->value);
    for (uint32_t k = 0; k < watch->count && status == TN_OK; k++)
        if (watch->function[k].side * watch->value[k] < 0.0) watch->function[k].seen = true;
    return status;
}

/* What chatters makes v jump by more than its tolerances in any step: it is held to their square roots then. */
static inline double event_velocity_tolerance(const event_watch *watch, double tolerance)
{
    return watch->chattering ? sqrt(tolerance) : tolerance;
}

/* Rms of how far v and x have gone since the last accepted state, in tolerances. */
static inline double event_movement(const event_watch *watch)
{
    const tn_system *system = watch->system;
    const size_t states = system->nx - system->quadratures, count = system->nv + states;
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double now = i < system->nv ? system->v[i] : system->x[i - system->nv];
        const double size = fmax(fabs(now), fabs(watch->start[i]));
        const double part = (now - watch->start[i]) /
                            (system->run->absolute_tolerance + system->run->relative_tolerance * size);
        squares += part * part;
    }
    return count ? sqrt(squares / (double)count) : 0.0;
}

static inline bool event_function_settle(event_watch *watch, event_function *function, double value)
{
    const double side = event_sign(value);
    const bool changed = side * function->side < 0.0, chattered = function->near >= EVENT_CHATTER;
    function->value = value;
    watch->at_zero = watch->at_zero || (value == 0.0 && !function->resting && !chattered);
    function->resting = value == 0.0;
    if (side != 0.0) function->side = side;
    if (isnan(value)) function->side = 0.0;
    if (changed || function->seen) {
        if (!chattered)
            function->near = watch->moved - function->moved < EVENT_NEARNESS ? function->near + 1 : 0;
        function->moved = watch->moved;
        function->calm = 0;
        function->seen = false;
    } else if (chattered && ++function->calm >= EVENT_CALM) {
        function->near = 0;
    }
    return changed;
}

/* The state that was looked at last is accepted, or taken for it: true when signs have changed. */
static inline bool event_watch_settle(event_watch *watch)
{
    const tn_system *system = watch->system;
    bool changed = false;
    if (!watch->count) return false;
    watch->growth = 1.0;
    const double movement = event_movement(watch);
    watch->moved += movement;
    watch->slow = movement < EVENT_NEARNESS;
    memcpy(watch->start, system->v, system->nv * sizeof(double));
    memcpy(watch->start + system->nv, system->x, system->nx * sizeof(double));
    watch->before_time = watch->time;
    watch->time = system->time;
    watch->at_zero = false;
    watch->chattering = 0;
    for (uint32_t k = 0; k < watch->count; k++) {
        event_function *function = &watch->function[k];
        watch->before[k] = function->value;
        changed = event_function_settle(watch, function, watch->value[k]) || changed;
        watch->chattering += function->near >= EVENT_CHATTER;
    }
    return changed;
}

/* The state of the last evaluation is where the next step begins: the first one, or after a change of the model. */
static inline tn_status event_watch_begin(event_watch *watch)
{
    bool switched = false;
    const tn_status status = event_watch_look(watch, &switched);
    if (status == TN_OK) (void)event_watch_settle(watch);
    watch->before_time = (double)NAN;
    return status;
}

/* ---- the search ---- */

/* What encloses an event: at least the round-off of times. */
static inline double event_width(const event_watch *watch, double time, double h)
{
    return watch->growth * fmax(EVENT_WIDTH * h, 8.0 * DBL_EPSILON * fmax(fabs(time), fabs(time + h)));
}

/* Where a crossing from `time` on ends that needs no search. */
static inline double event_watch_leave(const event_watch *watch, double time, double wanted, double stop)
{
    const double width = event_width(watch, time, wanted);
    return stop - time <= 2.0 * width ? stop : time + width;
}

/* A step no longer than to where an event is known to have happened. */
static inline double event_watch_fit(const event_watch *watch, double time, double wanted)
{
    return watch->limit > time ? fmin(wanted, watch->limit - time) : wanted;
}

typedef struct event_bracket {
    double low, high, before; /* steps; `before` is that of a state before low, NaN for none */
    double width, checked;    /* that is near enough; high - low a few tries ago */
    double low_factor, high_factor;
    bool switched, accurate; /* the step to `high` was */
    uint32_t tries;
    int last; /* which end the last try has moved: -1 low, 1 high, 0 none */
} event_bracket;

/* How far behind `low` a function vanishes: on the chord to `high`, or on that through the two states before, which is
 * asked as often where an inaccurate step has led to `high`. HUGE_VAL: not seen. */
static inline double event_place(const event_watch *watch, const event_bracket *bracket, uint32_t k)
{
    const double low = watch->low[k], high = watch->high[k];
    if (bracket->switched && !event_left(watch, k, high)) return HUGE_VAL;
    if (bracket->switched && (bracket->accurate || bracket->tries % 2 == 0)) {
        const double from = low * bracket->low_factor, to = high * bracket->high_factor;
        return from != to ? (bracket->high - bracket->low) * from / (from - to) : 0.0;
    }
    const double place = low * (bracket->low - bracket->before) / (watch->before[k] - low);
    return place >= 0.0 ? place : HUGE_VAL;
}

/* The earliest of them, on the side of it that the last try was not. */
static inline double event_bracket_next(const event_watch *watch, event_bracket *bracket)
{
    const double length = bracket->high - bracket->low;
    double place = HUGE_VAL;
    for (uint32_t k = 0; k < watch->count; k++)
        place = fmin(place, event_place(watch, bracket, k));
    place -= 0.4 * bracket->width * bracket->last;

    // bisection where that leads nowhere, or goes too slowly
    if (place > length) place = 0.5 * length;
    if (bracket->tries++ % 3 == 0) {
        if (bracket->tries > 1 && length > 0.125 * bracket->checked) place = 0.5 * length;
        bracket->checked = length;
    }
    const double margin = fmin(0.4 * bracket->width, 0.5 * length);
    return bracket->low + fmin(fmax(place, margin), length - margin);
}

/* One end moves to the last try; where it is the same one again, the values of the other are halved (Illinois method). */
static inline void event_bracket_move(event_watch *watch, event_bracket *bracket, double h, bool switched,
                                      bool accurate)
{
    const bool up = !switched && accurate; /* low moves */
    const double halved = bracket->last == (up ? -1 : 1) ? 0.5 : 1.0;
    double **const moved = up ? &watch->low : &watch->high;
    if (up) {
        double *const freed = watch->before;
        watch->before = watch->low;
        watch->low = freed;
        bracket->before = bracket->low;
        bracket->low = h;
        bracket->low_factor = 1.0;
        bracket->high_factor *= halved;
    } else {
        bracket->high = h;
        bracket->switched = switched;
        bracket->accurate = accurate;
        bracket->high_factor = 1.0;
        bracket->low_factor *= halved;
    }
    memcpy(*moved, watch->value, watch->count * sizeof **moved);
    bracket->last = up ? -1 : 1;
}

/* Looks for the first event in a step of length h from `time` that ended behind one, the state tried last. What comes
 * back as the step to take is accurate, or to be judged as any other. */
static inline tn_status event_search(event_watch *watch, double time, double h, bool accurate, double stop,
                                     event_attempt *attempt, void *solver, event_landing *landing)
{
    event_bracket bracket = {.high = h,
                             .before = watch->before_time - time,
                             .width = event_width(watch, time, h),
                             .low_factor = 1.0,
                             .high_factor = 1.0,
                             .switched = true,
                             .accurate = accurate};
    double behind = time + h; /* an event */
    for (uint32_t k = 0; k < watch->count; k++) {
        watch->low[k] = watch->function[k].value;
        watch->high[k] = watch->value[k];
    }
    while (bracket.high - bracket.low > bracket.width) {
        const double tried = event_bracket_next(watch, &bracket);
        bool switched = false;
        const tn_status status = attempt(solver, tried, &accurate, &switched);
        if (status != TN_OK) return status;
        event_bracket_move(watch, &bracket, tried, switched, accurate);
        if (switched) behind = time + tried;

        // errors that are too large before the event: as far as possible, and the rest in another step
        if (bracket.switched || (bracket.low > 0.0 && bracket.low < 0.5 * bracket.high)) continue;
        watch->limit = bracket.low > 0.0 ? behind : -HUGE_VAL;
        *landing = (event_landing){bracket.low > 0.0 ? bracket.low : bracket.high, HUGE_VAL};
        return TN_OK;
    }
    watch->limit = -HUGE_VAL;
    *landing = (event_landing){bracket.low, stop - behind <= bracket.width ? stop : behind};
    return TN_OK;
}

/* A crossing has been made, and the state behind it evaluated: true when signs have changed. `stepped`: it followed a
 * step. */
static inline tn_status event_watch_crossed(event_watch *watch, bool stepped, bool *changed)
{
    const double growth = watch->growth;
    const tn_status status = event_watch_look(watch, changed);
    if (status != TN_OK) return status;
    *changed = event_watch_settle(watch);
    watch->before_time = (double)NAN;
    watch->growth = stepped ? 1.0 : fmin(4.0 * growth, EVENT_WIDEST);
    if (*changed) watch->system->statistics->events++;
    return TN_OK;
}

#endif

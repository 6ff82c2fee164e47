/* tenon/kit/event_watch.h - for adaptive solvers: the signs of event functions from one accepted state to the next.
 *
 * A function that switches back and forth before the motion has gone further than its tolerances chatters, as dry
 * friction does at rest, and so does one at which steps have become tiny. Where it is a jump of an expression that the motion
 * stays at, that becomes a steep law (slide of tn_system). Any other is not followed from then on, until it keeps its sign.
 *
 * A solver makes the watch once and begins it at its first state and after a change of the model; of each step that it tries
 * it looks at the end, and where that has switched it searches (event_search.h):
 *
 *     if (!tn_event_watch_make(&watch, system)) return TN_OUT_OF_MEMORY;
 *     status = tn_event_watch_begin(&watch);
 *     ...
 *     h = tn_event_watch_fit(&watch, time, h);            not beyond an event that is known
 *     ... try a step of length h, evaluate its end ...
 *     status = tn_event_watch_look(&watch, &switched);
 *     ... where it has switched: tn_event_search(), and a crossing to behind the event: tn_event_watch_crossed() ...
 *     (void)tn_event_watch_settle(&watch);                the step is taken
 *     tn_event_watch_slide(&watch);                       before accept()
 *
 * tn_event_watch_peek() looks at the stages of a step, too, where that is due. Without events, and for solvers of fixed step,
 * all of it does nothing.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_EVENT_WATCH_H
#define TENON_KIT_EVENT_WATCH_H

#include "tenon/draft/stepping.h"

#include <float.h>
#include <string.h>

#define TN_EVENT_WIDTH 1e-12  /* of what encloses an event, in steps */
#define TN_EVENT_WIDEST 256.0 /* times as wide where crossings follow each other without a step between, */
#define TN_EVENT_STUCK \
    1e6 /* or where round-off of the functions keeps crossings behind steps on the old side */
#define TN_EVENT_NEARNESS 100.0 /* movement between two changes of sign that is no motion, in tolerances */
#define TN_EVENT_APPROACH 0.95  /* of a function before: it becomes smaller by more than what chatters does */
#define TN_EVENT_TINY 1e-6      /* of the run: a step that short, at an event, */
#define TN_EVENT_LONGEST 0.1    /* of the run: time to measure the width of a steep law by, at most 1 s; */

enum {
    TN_EVENT_CHATTER = 16, /* changes of sign as near as that */
    TN_EVENT_BLOCKED = 32, /* is no way to get on after so many of them */
    TN_EVENT_CALM = 10     /* steps without one after which it is over */
};

typedef struct tn_event_function {
    double side;   /* sign at the accepted state, or the last one that was not zero; 0: none yet */
    double value;  /* at the accepted state */
    double moved;  /* `moved` of the watch at its last change of sign */
    uint32_t near; /* changes of sign in a row, each near the one before; TN_EVENT_CHATTER: it chatters */
    uint32_t calm; /* steps since the last change of sign */
    bool seen;     /* it had the other sign at some stage since the accepted state */
    bool resting;  /* it stays zero */
} tn_event_function;

typedef struct tn_event_watch {
    tn_system *system;
    uint32_t count; /* 0: nobody looks at events */
    tn_event_function *function;
    const double *absolute_v, *absolute_x; /* [nv], [nx] their absolute tolerances; NULL: that of the run */
    double *value, *low, *high; /* [count] at the state tried last; at both ends of what encloses an event */
    double *before;             /* [count] at the accepted state before, or another one before `low` */
    double before_time;         /* of that accepted state; NaN where it was on another side */
    double time;                /* of the accepted state */
    double *start;              /* [nv + nx] v and x at the last accepted state */
    double moved;               /* sum of all movements of v and x, in tolerances (rms) */
    uint32_t blocked;           /* tiny steps in a row, each at an event */
    bool met;      /* some function changed its sign in a step that was tried since the last accepted one */
    double limit;  /* a time behind an event that is known to lie ahead; not above the current time: none */
    double growth; /* of the width */
    uint32_t chattering; /* functions that do */
    bool slow;           /* the last step was no motion: stages tell what chatters */
    bool torn;           /* one of them had both signs in the current step */
    bool wary;           /* all stages are looked at; */
    bool beyond;   /* some function that does not chatter had the other sign at one in the current step */
    bool at_zero;  /* some function has become zero */
    bool chatters; /* some function has begun to */
} tn_event_watch;

static inline bool tn_event_watch_make(tn_event_watch *watch, tn_system *system)
{
    *watch = (tn_event_watch){
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
    memset(watch->start, 0, ((size_t)system->nv + system->nx) * sizeof(double));
    return true;
}

/* What it knows between two steps (tn_stepping_capability). */
static inline void tn_event_watch_state(tn_event_watch *watch, tn_state_visitor *visitor)
{
    if (!watch->count) return;
    visitor->bytes(visitor, watch->function, watch->count * sizeof *watch->function);
    double *const arrays[] = {watch->value, watch->low, watch->high, watch->before};
    for (int i = 0; i < 4; i++)
        tn_visit_numbers(visitor, arrays[i], watch->count);
    tn_visit_numbers(visitor, watch->start, (size_t)watch->system->nv + watch->system->nx);
    TN_VISIT(visitor, watch->before_time);
    TN_VISIT(visitor, watch->time);
    TN_VISIT(visitor, watch->moved);
    TN_VISIT(visitor, watch->blocked);
    TN_VISIT(visitor, watch->met);
    TN_VISIT(visitor, watch->limit);
    TN_VISIT(visitor, watch->growth);
    TN_VISIT(visitor, watch->chattering);
    TN_VISIT(visitor, watch->slow);
    TN_VISIT(visitor, watch->torn);
    TN_VISIT(visitor, watch->wary);
    TN_VISIT(visitor, watch->beyond);
    TN_VISIT(visitor, watch->at_zero);
    TN_VISIT(visitor, watch->chatters);
}

/* ---- signs ---- */

static inline double tn_event_sign(double value) { return (double)((value > 0.0) - (value < 0.0)); }

/* Whether a value lies no longer on the side of the accepted state. Zero belongs to neither. */
static inline bool tn_event_left(const tn_event_watch *watch, uint32_t k, double value)
{
    const tn_event_function *function = &watch->function[k];
    return function->near < TN_EVENT_CHATTER && function->side * value <= 0.0 && function->side != 0.0 &&
           !(function->resting && value == 0.0);
}

/* Reads the functions at the state of the last evaluation: whether any has changed its sign. */
static inline tn_status tn_event_watch_look(tn_event_watch *watch, bool *switched)
{
    *switched = false;
    if (!watch->count) return TN_OK;
    const tn_status status = watch->system->event_values(watch->system, watch->value);
    for (uint32_t k = 0; k < watch->count && status == TN_OK; k++)
        *switched = *switched || tn_event_left(watch, k, watch->value[k]);
    watch->met = watch->met || *switched;
    return status;
}

/* Whether the state of the last evaluation lies beyond an event: some function that does not chatter has the other sign. */
static inline tn_status tn_event_watch_compare(tn_event_watch *watch, bool *beyond)
{
    *beyond = false;
    if (!watch->count) return TN_OK;
    const tn_status status = watch->system->event_values(watch->system, watch->value);
    for (uint32_t k = 0; k < watch->count && status == TN_OK; k++)
        *beyond = *beyond || (watch->function[k].near < TN_EVENT_CHATTER &&
                              watch->function[k].side * watch->value[k] < 0.0);
    return status;
}

/* Notes signs at a stage of a step, whose error control may keep the ends on one side. */
static inline tn_status tn_event_watch_peek(tn_event_watch *watch)
{
    if (!watch->slow && !watch->chattering && !watch->wary) return TN_OK;
    const tn_status status = watch->system->event_values(watch->system, watch->value);
    for (uint32_t k = 0; k < watch->count && status == TN_OK; k++) {
        tn_event_function *function = &watch->function[k];
        if (!(function->side * watch->value[k] < 0.0)) continue;
        function->seen = true;
        watch->beyond = watch->beyond || function->near < TN_EVENT_CHATTER;
        watch->met = watch->met || watch->beyond;
        watch->torn = watch->torn || function->near >= TN_EVENT_CHATTER;
    }
    return status;
}

static inline double tn_event_run_length(const tn_event_watch *watch)
{
    return watch->system->run->end_time - watch->system->run->start_time;
}

/* A jump that chatters makes v jump by more than its tolerances in any step: tiny steps are held to their square roots. Longer ones are
 * not, for a stiff force that chatters, as a contact does, would gain energy by as much. */
static inline double tn_event_velocity_tolerance(const tn_event_watch *watch, double tolerance)
{
    const double step = watch->system->time - watch->time;
    return watch->torn && step < TN_EVENT_TINY * tn_event_run_length(watch) ? sqrt(tolerance) : tolerance;
}

/* Rms of how far v and x have gone since the last accepted state, in tolerances. */
static inline double tn_event_movement(const tn_event_watch *watch)
{
    const tn_system *system = watch->system;
    const size_t states = system->nx - system->quadratures, count = system->nv + states;
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double now = i < system->nv ? system->v[i] : system->x[i - system->nv];
        const double size = fmax(fabs(now), fabs(watch->start[i]));
        const double absolute = !watch->absolute_v ? system->run->absolute_tolerance
                                : i < system->nv   ? watch->absolute_v[i]
                                                   : watch->absolute_x[i - system->nv];
        const double part = (now - watch->start[i]) / (absolute + system->run->relative_tolerance * size);
        squares += part * part;
    }
    return count ? sqrt(squares / (double)count) : 0.0;
}

static inline bool tn_event_function_settle(tn_event_watch *watch, tn_event_function *function, double value)
{
    const double side = tn_event_sign(value);
    const bool changed = side * function->side < 0.0, chattered = function->near >= TN_EVENT_CHATTER;
    // steps that become shorter before an event, with stages beyond it, are no chatter
    const bool approaches = !changed && fabs(value) < TN_EVENT_APPROACH * fabs(function->value);
    function->value = value;
    watch->at_zero = watch->at_zero || (value == 0.0 && !function->resting && !chattered);
    function->resting = value == 0.0;
    if (side != 0.0) function->side = side;
    if (isnan(value)) {
        function->side = 0.0;
        function->near = 0;
        function->seen = false;
    }
    if (changed || (function->seen && !approaches)) {
        if (!chattered)
            function->near = watch->moved - function->moved < TN_EVENT_NEARNESS ? function->near + 1 : 0;
        watch->chatters = watch->chatters || (!chattered && function->near >= TN_EVENT_CHATTER);
        function->moved = watch->moved;
        function->calm = 0;
    } else if (chattered && !function->seen && ++function->calm >= TN_EVENT_CALM) {
        function->near = 0;
    }
    function->seen = false;
    return changed;
}

/* The state that was looked at last is accepted, or taken for it: true when signs have changed. */
static inline bool tn_event_watch_settle(tn_event_watch *watch)
{
    const tn_system *system = watch->system;
    bool changed = false;
    if (!watch->count) return false;
    watch->growth = 1.0;
    const double movement = tn_event_movement(watch);
    watch->moved += movement;
    watch->slow = movement < TN_EVENT_NEARNESS;
    memcpy(watch->start, system->v, system->nv * sizeof(double));
    memcpy(watch->start + system->nv, system->x, system->nx * sizeof(double));
    const bool tiny = watch->met && system->time - watch->time < TN_EVENT_TINY * tn_event_run_length(watch);
    watch->blocked = tiny ? watch->blocked + 1 : 0;
    watch->met = false;
    watch->before_time = watch->time;
    watch->time = system->time;
    watch->at_zero = false;
    watch->chattering = 0;
    for (uint32_t k = 0; k < watch->count; k++) {
        tn_event_function *function = &watch->function[k];
        watch->before[k] = function->value;
        changed = tn_event_function_settle(watch, function, watch->value[k]) || changed;
        watch->chattering += function->near >= TN_EVENT_CHATTER;
    }
    return changed;
}

/* Before accept(): asks whether the motion stays at jumps where functions begin to chatter, or steps have become tiny. Their steep
 * laws are as wide as the tolerances ask for: the square root of the relative one, as a part of what they move in a while. */
static inline void tn_event_watch_slide(tn_event_watch *watch)
{
    const tn_system *system = watch->system;
    if (!watch->count || (!watch->chatters && watch->blocked < TN_EVENT_BLOCKED) || !system->slide) return;
    const double longest = fmin(1.0, TN_EVENT_LONGEST * tn_event_run_length(watch));
    (void)system->slide(watch->system, sqrt(system->run->relative_tolerance) * longest, 0);
    watch->chatters = false;
    watch->blocked = 0;
}

/* The state of the last evaluation is where the next step begins: the first one, or after a change of the model. */
static inline tn_status tn_event_watch_begin(tn_event_watch *watch)
{
    bool switched = false;
    const tn_status status = tn_event_watch_look(watch, &switched);
    if (status == TN_OK) (void)tn_event_watch_settle(watch);
    watch->before_time = (double)NAN;
    return status;
}

/* ---- times ---- */

/* What encloses an event: at least the round-off of times. */
static inline double tn_event_width(const tn_event_watch *watch, double time, double h)
{
    return watch->growth * fmax(TN_EVENT_WIDTH * h, 8.0 * DBL_EPSILON * fmax(fabs(time), fabs(time + h)));
}

/* Where a crossing from `time` on ends that needs no search. */
static inline double tn_event_watch_leave(const tn_event_watch *watch, double time, double wanted,
                                          double stop)
{
    const double width = tn_event_width(watch, time, wanted);
    return stop - time <= 2.0 * width ? stop : time + width;
}

/* A step no longer than to where an event is known to have happened. */
static inline double tn_event_watch_fit(const tn_event_watch *watch, double time, double wanted)
{
    return watch->limit > time ? fmin(wanted, watch->limit - time) : wanted;
}

/* A crossing has been made, and the state behind it evaluated: true when signs have changed. `stepped`: it followed a
 * step. */
static inline tn_status tn_event_watch_crossed(tn_event_watch *watch, bool stepped, bool *changed)
{
    const double growth = watch->growth;
    const tn_status status = tn_event_watch_look(watch, changed);
    if (status != TN_OK) return status;
    *changed = tn_event_watch_settle(watch);
    watch->before_time = (double)NAN;
    watch->growth =
        stepped && *changed ? 1.0 : fmin(4.0 * growth, stepped ? TN_EVENT_STUCK : TN_EVENT_WIDEST);
    if (*changed) watch->system->statistics->events++;
    return TN_OK;
}

#endif

/* tenon/kit/stall_watch.h - for adaptive solvers: where accelerations jump in the last tries of a run that makes no progress,
 * so that the element which does it is named.
 *
 *     if (!tn_stall_watch_make(&stall, system)) return TN_OUT_OF_MEMORY;
 *     tn_stall_watch_turn(&stall, h < TN_STALL_NEAR * shortest);      at each try
 *     tn_stall_watch_see(&stall, system->a);                          v' at a state that was tried
 *     return tn_stall_watch_fail(&stall, "what was tried");
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_STALL_WATCH_H
#define TENON_KIT_STALL_WATCH_H

#include "tenon/draft/stepping.h"

#include <math.h>
#include <string.h>

enum { TN_STALL_TRIES = 64 }; /* before the run is given up */
#define TN_STALL_NEAR 16.0    /* times the shortest step that is allowed */

typedef struct tn_stall_watch {
    tn_system *system;
    double *last, *jump; /* [nv] v' that was seen last; the largest differences of two in a row */
    bool on, known;
} tn_stall_watch;

static inline bool tn_stall_watch_make(tn_stall_watch *watch, tn_system *system)
{
    const tn_host *host = system->host;
    const size_t size = ((size_t)system->nv + 1) * sizeof(double);
    *watch = (tn_stall_watch){.system = system};
    watch->last = host->allocate(host, size);
    watch->jump = host->allocate(host, size);
    return watch->last && watch->jump;
}

/* What it knows between two steps (tn_stepping_capability). */
static inline void tn_stall_watch_state(tn_stall_watch *watch, tn_state_visitor *visitor)
{
    tn_visit_numbers(visitor, watch->last, watch->system->nv);
    tn_visit_numbers(visitor, watch->jump, watch->system->nv);
    TN_VISIT(visitor, watch->on);
    TN_VISIT(visitor, watch->known);
}

static inline void tn_stall_watch_turn(tn_stall_watch *watch, bool on)
{
    if (on && !watch->on) {
        memset(watch->jump, 0, watch->system->nv * sizeof(double));
        watch->known = false;
    }
    watch->on = on;
}

/* v' at a state that was tried. */
static inline void tn_stall_watch_see(tn_stall_watch *watch, const double *a)
{
    if (!watch->on) return;
    for (uint32_t i = 0; i < watch->system->nv && watch->known; i++)
        watch->jump[i] = fmax(watch->jump[i], fabs(a[i] - watch->last[i]));
    memcpy(watch->last, a, watch->system->nv * sizeof(double));
    watch->known = true;
}

/* Ends the run, with the element that jumps most where it was watched. */
static inline tn_status tn_stall_watch_fail(const tn_stall_watch *watch, const char *what)
{
    tn_system *system = watch->system;
    return watch->on && system->fail_at_jump ? system->fail_at_jump(system, TN_FATAL, watch->jump, what)
                                             : system->fail(system, TN_FATAL, NULL, what);
}

#endif

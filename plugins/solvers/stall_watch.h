/* stall_watch.h - where accelerations jump in the last tries of a run that makes no progress; shared by the solvers. */
#ifndef TENON_STALL_WATCH_H
#define TENON_STALL_WATCH_H

#include "tenon/solver.h"

#include <math.h>
#include <string.h>

enum { STALL_TRIES = 64 }; /* before the run is given up */
#define STALL_NEAR 16.0    /* times the shortest step that is allowed */

typedef struct stall_watch {
    tn_system *system;
    double *last, *jump; /* [nv] v' that was seen last; the largest differences of two in a row */
    bool on, known;
} stall_watch;

static inline bool stall_watch_make(stall_watch *watch, tn_system *system)
{
    const tn_host *host = system->host;
    const size_t size = ((size_t)system->nv + 1) * sizeof(double);
    *watch = (stall_watch){.system = system};
    watch->last = host->allocate(host, size);
    watch->jump = host->allocate(host, size);
    return watch->last && watch->jump;
}

static inline void stall_watch_turn(stall_watch *watch, bool on)
{
    if (on && !watch->on) {
        memset(watch->jump, 0, watch->system->nv * sizeof(double));
        watch->known = false;
    }
    watch->on = on;
}

/* v' at a state that was tried. */
static inline void stall_watch_see(stall_watch *watch, const double *a)
{
    if (!watch->on) return;
    for (uint32_t i = 0; i < watch->system->nv && watch->known; i++)
        watch->jump[i] = fmax(watch->jump[i], fabs(a[i] - watch->last[i]));
    memcpy(watch->last, a, watch->system->nv * sizeof(double));
    watch->known = true;
}

/* Ends the run; a system of an earlier kernel names no element. */
static inline tn_status stall_watch_fail(const stall_watch *watch, const char *what)
{
    tn_system *system = watch->system;
    const bool names = system->struct_size > offsetof(tn_system, fail_at_jump) && system->fail_at_jump;
    return names && watch->on ? system->fail_at_jump(system, TN_FATAL, watch->jump, what)
                              : system->fail(system, TN_FATAL, NULL, what);
}

#endif

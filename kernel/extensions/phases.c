/* phases.c - adds up the time of the phases (see phases.h) */
#define _GNU_SOURCE
#include "extensions/phases.h"
#include "extensions/step_counts.h"

#include <math.h>
#include <time.h>

enum {
    LARGE = 200, /* unknowns: from here on the clock costs less than a thousandth */
    ONE_OF = 61  /* steps; a prime, so that rows at every tenth or so are met as often as other steps */
};
#define INTERRUPTED \
    1e-3 /* s: so long takes a phase of a small model only where another program has the processor, */
#define EXCEPTION 50.0 /* as it takes so many times its usual time */

/* Time that stands for that of other steps, too, unless it is an exception: that one counts for itself. */
static void add_time(tn_phase_times *times, enum tn_phase phase, double time)
{
    const double usual = times->count[phase] ? times->time[phase] / (double)times->count[phase] : time;
    const bool stands_alone =
        times->steps <= 1 || (!times->every_step && time > INTERRUPTED && time > EXCEPTION * usual);
    (stands_alone ? times->start : times->time)[phase] += time;
    times->count[phase] += !stands_alone;
}

static double read_clock(tn_assembly *assembly, enum tn_phase phase, double before)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const double time = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    tn_phase_times *times = tn_step_counts_now(assembly)->times;
    if (phase == TN_PHASES || !(before > 0.0)) return time;
    add_time(times, phase, time - before);
    if (phase == TN_FACTORISATION && times->first_factorisation == 0.0)
        times->first_factorisation = time - before;
    return time;
}

/* A step has ended: is the next one timed? */
static void choose_steps(tn_phase_times *times)
{
    if (times->assembly->clock) times->timed += times->steps > 2;
    const uint64_t since = (times->steps + ONE_OF - 2) % ONE_OF;
    const bool next = times->every_step || times->steps < 2 || since == 0;
    times->assembly->clock = next ? read_clock : NULL;
    times->wait = next ? 1 : ONE_OF - since;
}

static tn_status see_step(void *data, const tn_accepted_step *step)
{
    (void)step;
    tn_phase_times *times = data;
    times->steps++;
    if (--times->wait == 0) choose_steps(times);
    return TN_OK;
}

void tn_phases_begin(tn_assembly *assembly, tn_phase_times *times)
{
    const size_t size = (size_t)assembly->system.nv + assembly->system.rows;
    *times = (tn_phase_times){.assembly = assembly,
                              .wait = 1,
                              .every_step = size >= LARGE,
                              .observer = {.see = see_step, .data = times, .next = HUGE_VAL}};
    if (!tn_step_counts_of(assembly)) return;
    tn_step_counts_now(assembly)->times = times;
    assembly->clock = read_clock;
    tn_accept_observe(assembly, &times->observer);
}

void tn_phases_end(tn_phase_times *times)
{
    tn_accept_unobserve(times->assembly, &times->observer);
    times->assembly->clock = NULL;
}

double tn_phase_time(const tn_phase_times *times, enum tn_phase phase)
{
    const double timed = (double)times->timed, steps = times->steps > 1 ? (double)times->steps - 2.0 : 0.0;
    return times->start[phase] + (timed > 0.0 ? times->time[phase] * steps / timed : 0.0);
}

void tn_phases_list_state(tn_phase_times *times, tn_state_visitor *visitor)
{
    uint64_t *const count[] = {&times->steps, &times->timed, &times->wait};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        TN_VISIT(visitor, *count[k]);
    TN_VISIT(visitor, times->start);
    TN_VISIT(visitor, times->time);
    TN_VISIT(visitor, times->count);
    TN_VISIT(visitor, times->first_factorisation);
    bool timed = times->assembly->clock != NULL;
    TN_VISIT(visitor, timed);
    if (visitor->restores) times->assembly->clock = timed ? read_clock : NULL;
}

/* gsl_run.c - many steps: on a grid or under error control.
 *
 * GSL's own loop (gsl_odeiv2_evolve) is not used: it evaluates the start of every step again, knows no smallest
 * step, and judges quadratures as well. */
#include "gsl_ode.h"

#include <tenon/kit/step_grid.h>

#include <gsl/gsl_errno.h>

#define SMALLEST_PART 0x1p-10 /* of a fixed step, after halvings */

enum { MANY_STEPS = 256 }; /* of a multistep method, in one of the grid */

static tn_status accept(gsl_ode_work *work)
{
    tn_system *system = work->system;
    tn_event_watch_slide(&work->watch);
    tn_status status = system->accept(system);
    if (status != TN_OK || system->revision == work->revision) return status;
    status = tn_gsl_restart(work);
    return status == TN_OK ? tn_event_watch_begin(&work->watch) : status;
}

/* ---- what is said about failures ---- */

static const char *name_of(const gsl_ode_work *work) { return (*work->stepper->type)->name; }

static tn_status give_up(gsl_ode_work *work, tn_status status, double h)
{
    char text[320];
    if (status != TN_RETRY)
        (void)snprintf(text, sizeof text, "GSL's %s cannot go on (%s)", name_of(work),
                       work->status != TN_OK ? "the evaluation failed" : gsl_strerror(work->code));
    else if (work->status != TN_OK || work->code == GSL_SUCCESS)
        (void)snprintf(text, sizeof text,
                       "GSL's %s shortened the step to %.3g s without meeting the tolerances or leaving the "
                       "refused domain",
                       name_of(work), h);
    else
        (void)snprintf(text, sizeof text,
                       "GSL's %s shortened the step to %.3g s and could not solve it (GSL: %s)",
                       name_of(work), h, gsl_strerror(work->code));
    return status == TN_RETRY ? tn_stall_watch_fail(&work->stall, text)
                              : work->system->fail(work->system, status, NULL, text);
}

static tn_status refuse_fixed_step(gsl_ode_work *work, double h)
{
    char text[320];
    (void)snprintf(text, sizeof text,
                   "GSL's %s failed on a step of %.3g s (%s); the step is fixed, so it was not shortened "
                   "(`adaptive = true` would)",
                   name_of(work), h, work->status != TN_OK ? "refused there" : gsl_strerror(work->code));
    return work->system->fail(work->system, TN_RETRY, NULL, text);
}

/* ---- many steps ---- */

static tn_status try_step(void *solver, double h, bool *accurate, bool *switched)
{
    gsl_ode_work *work = solver;
    gsl_ode_judgement judgement = {.trial = true};
    const double start = work->watch.time;
    const tn_status status = tn_gsl_take_step(work, start, h, start + h, &judgement);
    *accurate = judgement.accurate;
    *switched = judgement.switched;
    return status == TN_RETRY ? TN_OK : status;
}

/* The step that ends before the first event in one of length h, and the way beyond; or a step to go on with. */
static tn_status step_to_event(gsl_ode_work *work, double h, double stop, tn_event_landing *landing,
                               gsl_ode_judgement *judgement)
{
    const double start = work->watch.time;
    bool changed = false;
    tn_status status =
        tn_event_search(&work->watch, start, h, judgement->accurate, stop, try_step, work, landing);
    if (status != TN_OK) return status;
    tn_gsl_write_state(work, start, work->motion.y, work->motion.equations.dimension);
    if (landing->h > 0.0) status = tn_gsl_take_step(work, start, landing->h, start + landing->h, judgement);
    if (status != TN_OK || landing->behind == HUGE_VAL) return status;
    status = tn_gsl_cross(work, landing->behind, landing->h > 0.0, &changed);
    return status == TN_RETRY && landing->h > 0.0 ? TN_OK : status;
}

/* One accepted step under error control towards `stop`, or beyond the first event before it; `time` follows. */
static tn_status step_under_control(gsl_ode_work *work, double *time, double stop)
{
    const tn_run *run = work->system->run;
    const double longest = run->maximum_step > 0.0 ? run->maximum_step : HUGE_VAL;
    const double shortest = fmax(run->minimum_step, DBL_EPSILON * fmax(fabs(*time), fabs(stop)));
    for (;;) {
        if (tn_step_progress_stalls(&work->progress, *time, run))
            return tn_stall_watch_fail(&work->stall, TN_STEP_STALLED);
        tn_stall_watch_turn(&work->stall, work->progress.tries >= TN_STEP_TRIES - TN_STALL_TRIES ||
                                              work->wanted < TN_STALL_NEAR * shortest);
        work->wanted = fmin(work->wanted, longest);
        const double h = tn_step_grid_fit(*time, tn_event_watch_fit(&work->watch, *time, work->wanted), stop);
        const double end = h == stop - *time ? stop : *time + h;
        tn_event_landing landing = {h, HUGE_VAL};
        gsl_ode_judgement judgement = {.trial = false};
        tn_status status = tn_gsl_take_step(work, *time, h, end, &judgement);
        if (status == TN_RETRY && judgement.switched)
            status = step_to_event(work, h, stop, &landing, &judgement);
        if (status == TN_OK) {
            // a step cut short by a stop does not shrink the next one
            const double next = judgement.next;
            if (landing.h > 0.0) work->wanted = landing.h < work->wanted ? fmax(work->wanted, next) : next;
            *time = work->system->time;
            return TN_OK;
        }
        work->wanted = judgement.next;
        if (status != TN_RETRY) return give_up(work, status, h);
        work->system->statistics->rejected_steps++;
        if (work->wanted < shortest) return give_up(work, status, work->wanted);
    }
}

/* Leaves a state where some function is zero: the slope there may belong to neither side. */
static tn_status leave_zero(gsl_ode_work *work, double *time, double stop)
{
    bool changed = false;
    const double end = tn_event_watch_leave(&work->watch, *time, work->wanted, stop);
    const tn_status status = tn_gsl_cross(work, end, false, &changed);
    *time = work->system->time;
    if (status == TN_RETRY) {
        work->watch.at_zero = false;
        return TN_OK;
    }
    if (status != TN_OK) return give_up(work, status, end - *time);
    return changed || end == stop ? accept(work) : TN_OK;
}

static tn_status run_adaptive(gsl_ode_work *work)
{
    tn_system *system = work->system;
    const double end = system->run->end_time;
    double time = system->time;
    tn_status status = tn_event_watch_begin(&work->watch);
    while (status == TN_OK && time < end) {
        const bool stop_ahead = system->next_stop > time && system->next_stop < end;
        const double stop = stop_ahead ? system->next_stop : end;
        if (work->watch.at_zero) {
            status = leave_zero(work, &time, stop);
            continue;
        }
        status = step_under_control(work, &time, stop);
        if (status == TN_OK) status = accept(work);
    }
    return status;
}

/* Many short steps in one of a fixed length: jumps that the motion stays at become steep laws, and all starts anew. */
static tn_status slide(gsl_ode_work *work)
{
    tn_system *system = work->system;
    if (!system->slide || system->slide(system, system->run->step, 0) == 0) return TN_OK;
    const tn_status status = system->accelerate(system, system->a);
    if (status != TN_OK) return give_up(work, status, system->run->step);
    return tn_gsl_restart(work);
}

/* Multistep methods choose their order by the error of each step: they take as many as they need to `end`. */
static tn_status cross_controlled(gsl_ode_work *work, double start, double end)
{
    tn_status status = TN_OK;
    uint32_t steps = 0;
    for (double time = start; status == TN_OK && time < end;) {
        status = step_under_control(work, &time, end);
        if (status == TN_OK && ++steps % MANY_STEPS == 0 && time < end) status = slide(work);
    }
    return status == TN_OK ? accept(work) : status;
}

/* One step from `start` to `end`; an implicit one that cannot be solved is taken in halves, quarters, ... */
static tn_status cross_fixed(gsl_ode_work *work, double start, double h, double end)
{
    tn_system *system = work->system;
    const double shortest = fmax(system->run->minimum_step, SMALLEST_PART * h);
    double part = h;
    for (double time = start; time < end;) {
        const double remaining = end - time;
        const bool last = part >= remaining * (1.0 - TN_STEP_GRID_MERGE);
        const double stop = last ? end : time + part, step = time == start && last ? h : stop - time;
        tn_stall_watch_turn(&work->stall, part < TN_STALL_NEAR * shortest);
        tn_status status = tn_gsl_take_step(work, time, step, stop, NULL);
        if (status == TN_RETRY && work->stepper->uses_jacobian && 0.5 * part >= shortest) {
            part *= 0.5;
            system->statistics->rejected_steps++;
            continue;
        }
        if (status == TN_RETRY && !work->stepper->uses_jacobian) return refuse_fixed_step(work, h);
        if (status != TN_OK) return give_up(work, status, part);
        status = accept(work);
        if (status != TN_OK) return status;
        time = stop;
        part = fmin(2.0 * part, h);
    }
    return TN_OK;
}

static tn_status run_fixed(gsl_ode_work *work)
{
    tn_system *system = work->system;
    const tn_step_grid grid = tn_step_grid_make(system->time, system->run->end_time, system->run->step);
    tn_status status = TN_OK;
    for (uint64_t k = 0; k < grid.count; k++)
        for (double time = tn_step_grid_time(&grid, k); time < tn_step_grid_time(&grid, k + 1);) {
            const double end = tn_step_grid_part_end(&grid, k, time, system->next_change);
            const double h = tn_step_grid_part_step(&grid, k, time, end);
            status = work->stepper->is_multistep ? cross_controlled(work, time, end)
                                                 : cross_fixed(work, time, h, end);
            if (status != TN_OK) return status;
            time = end;
        }
    return status;
}

tn_status tn_gsl_run(gsl_ode_work *work)
{
    const tn_run *run = work->system->run;
    work->progress = (tn_step_progress){.time = work->system->time};
    work->wanted = run->step > 0.0 ? run->step : 1e-3 * (run->end_time - work->system->time);
    return run->adaptive ? run_adaptive(work) : run_fixed(work);
}

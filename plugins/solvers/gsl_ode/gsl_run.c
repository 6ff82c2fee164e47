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
    tn_event_watch_slide(&work->watch);
    tn_error_weights_see(&work->weights);
    work->stand.accepted++;
    return work->system->accept(work->system);
}

/* The state, or the model, has changed since the last slope. */
static tn_status renew(gsl_ode_work *work)
{
    const tn_status status = tn_gsl_restart(work);
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

/* Why the last step has not passed. */
static uint32_t reason_of(const gsl_ode_work *work)
{
    return work->status != TN_OK       ? TN_REJECTED_DOMAIN
           : work->code != GSL_SUCCESS ? TN_REJECTED_ITERATION
                                       : TN_REJECTED_ERROR;
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
        if (tn_step_progress_stalls(&work->stand.progress, *time, run))
            return tn_stall_watch_fail(&work->stall, TN_STEP_STALLED);
        tn_stall_watch_turn(&work->stall, work->stand.progress.tries >= TN_STEP_TRIES - TN_STALL_TRIES ||
                                              work->stand.wanted < TN_STALL_NEAR * shortest);
        work->stand.wanted = fmin(work->stand.wanted, longest);
        const double h =
            tn_step_grid_fit(*time, tn_event_watch_fit(&work->watch, *time, work->stand.wanted), stop);
        const double end = h == stop - *time ? stop : *time + h;
        tn_event_landing landing = {h, HUGE_VAL};
        gsl_ode_judgement judgement = {.trial = false};
        tn_status status = tn_gsl_take_step(work, *time, h, end, &judgement);
        if (status == TN_RETRY && judgement.switched) {
            tn_step_rejected(work->report, work->system, TN_REJECTED_EVENT);
            status = step_to_event(work, h, stop, &landing, &judgement);
        }
        if (status == TN_OK) {
            // a step cut short by a stop does not shrink the next one
            const double next = judgement.next;
            if (landing.h > 0.0)
                work->stand.wanted = landing.h < work->stand.wanted ? fmax(work->stand.wanted, next) : next;
            *time = work->system->time;
            return TN_OK;
        }
        work->stand.wanted = judgement.next;
        if (status != TN_RETRY) return give_up(work, status, h);
        tn_step_rejected(work->report, work->system, reason_of(work));
        if (work->stand.wanted < shortest) return give_up(work, status, work->stand.wanted);
    }
}

/* Leaves a state where some function is zero: the slope there may belong to neither side. */
static tn_status leave_zero(gsl_ode_work *work, double *time, double stop)
{
    bool changed = false;
    const double end = tn_event_watch_leave(&work->watch, *time, work->stand.wanted, stop);
    const tn_status status = tn_gsl_cross(work, end, false, &changed);
    *time = work->system->time;
    if (status == TN_RETRY) {
        work->watch.at_zero = false;
        return TN_OK;
    }
    if (status != TN_OK) return give_up(work, status, end - *time);
    return changed || end == stop ? accept(work) : TN_OK;
}

/* From one accepted state to the next. */
static tn_status step_adaptive(gsl_ode_work *work)
{
    const tn_system *system = work->system;
    const double end = system->run->end_time;
    const uint64_t accepted = work->stand.accepted;
    double time = system->time;
    tn_status status = TN_OK;
    while (status == TN_OK && work->stand.accepted == accepted) {
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

/* A part of the piece of a step, accepted: all of it, unless the step is implicit and cannot be solved, in halves, quarters, ... */
static tn_status cross_part(gsl_ode_work *work)
{
    tn_system *system = work->system;
    gsl_ode_stand *stand = &work->stand;
    const double h = stand->length, shortest = fmax(system->run->minimum_step, SMALLEST_PART * h);
    for (;;) {
        const double time = stand->time, remaining = stand->end - time;
        const bool last = stand->part >= remaining * (1.0 - TN_STEP_GRID_MERGE);
        const double stop = last ? stand->end : time + stand->part;
        const double step = time == stand->start && last ? h : stop - time;
        tn_stall_watch_turn(&work->stall, stand->part < TN_STALL_NEAR * shortest);
        const tn_status status = tn_gsl_take_step(work, time, step, stop, NULL);
        if (status == TN_RETRY && work->stepper->uses_jacobian && 0.5 * stand->part >= shortest) {
            stand->part *= 0.5;
            tn_step_rejected(work->report, system, reason_of(work));
            continue;
        }
        if (status == TN_RETRY && !work->stepper->uses_jacobian) return refuse_fixed_step(work, h);
        if (status != TN_OK) return give_up(work, status, stand->part);
        stand->time = stop;
        stand->part = fmin(2.0 * stand->part, h);
        return accept(work);
    }
}

/* A step of the grid, in two pieces where the model changes in between; what is asked for between two parts cuts it, too. */
static tn_status step_fixed(gsl_ode_work *work)
{
    const tn_system *system = work->system;
    gsl_ode_stand *stand = &work->stand;
    if (!stand->within || system->next_change < stand->end) {
        stand->start = stand->time;
        stand->end = tn_step_grid_part_end(&work->grid, stand->step, stand->time, system->next_change);
        stand->length = tn_step_grid_part_step(&work->grid, stand->step, stand->time, stand->end);
        stand->part = stand->length;
    }
    stand->within = 1;
    tn_status status;
    if (work->stepper->is_multistep) {
        status = cross_controlled(work, stand->time, stand->end);
        stand->time = stand->end;
    } else {
        status = cross_part(work);
    }
    stand->within = stand->time < stand->end;
    if (stand->time >= tn_step_grid_time(&work->grid, stand->step + 1)) stand->step++;
    return status;
}

tn_status tn_gsl_take_steps(gsl_ode_work *work, double until, uint64_t most)
{
    const tn_system *system = work->system;
    const double stop = fmin(until, system->run->end_time);
    const uint64_t before = work->stand.accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && system->time < stop && work->stand.accepted - before < most) {
        if (system->revision != work->stand.revision) status = renew(work);
        if (status == TN_OK) status = system->run->adaptive ? step_adaptive(work) : step_fixed(work);
    }
    return status;
}

tn_status tn_gsl_begin(gsl_ode_work *work)
{
    tn_system *system = work->system;
    const tn_run *run = system->run;
    tn_error_weights_see(&work->weights);
    work->grid = tn_step_grid_make(system->time, run->end_time, run->step);
    work->stand.time = system->time;
    work->stand.progress = (tn_step_progress){.time = system->time};
    work->stand.wanted = run->step > 0.0 ? run->step : 1e-3 * (run->end_time - system->time);
    tn_status status = tn_gsl_restart(work);
    if (status == TN_OK && run->adaptive) status = tn_event_watch_begin(&work->watch);
    /* where a function is zero the trial would tell of another side than the first step */
    const bool free = run->adaptive && !run->step_given && !work->watch.at_zero && work->motion.step;
    if (status != TN_OK || !free) return status;
    const unsigned order = work->stepper->is_multistep ? 1 : gsl_odeiv2_step_order(work->motion.step);
    return tn_first_step_find(system, &work->weights, order, &work->stand.wanted);
}

/* ---- state ----------------------------------------------------------------------------------------------- */

static void list_integrator(gsl_ode_integrator *integrator, tn_state_visitor *visitor)
{
    if (!integrator->y) return;
    tn_visit_numbers(visitor, integrator->y, integrator->equations.dimension);
    if (integrator->shift) tn_visit_numbers(visitor, integrator->shift, integrator->equations.dimension);
}

/* What GSL's steppers keep of a step is a start for the next one only with multistep methods, which forget() takes care of. */
void tn_gsl_state(gsl_ode_work *work, tn_state_visitor *visitor)
{
    TN_VISIT(visitor, work->grid);
    TN_VISIT(visitor, work->stand);
    tn_visit_numbers(visitor, work->slope, work->size);
    list_integrator(&work->motion, visitor);
    list_integrator(&work->quadratures, visitor);
    tn_quadratures_state(&work->history, visitor);
    tn_event_watch_state(&work->watch, visitor);
    tn_stall_watch_state(&work->stall, visitor);
    tn_error_weights_state(&work->weights, visitor);
    if (!visitor->restores) return;
    work->tangent.mass_known = false;
    if (work->motion.step) (void)gsl_odeiv2_step_reset(work->motion.step);
    if (work->quadratures.step) (void)gsl_odeiv2_step_reset(work->quadratures.step);
}

/* adaptive.c - steps chosen by their errors, which end where the equations switch (see ../event_search.h). */
#include "rk.h"

/* Of velocities, which what chatters may make jump by more: by the square roots of the tolerances there. */
static rk_tolerance velocity_tolerance(const rk_work *work)
{
    const tn_run *run = work->system->run;
    const double looser = tn_event_velocity_tolerance(&work->watch, run->absolute_tolerance);
    const bool replaced = work->watch.torn && !run->scaled_tolerance;
    return (rk_tolerance){.absolute = work->weights.absolute_v,
                          .factor = replaced ? 0.0 : looser / run->absolute_tolerance,
                          .instead = replaced ? looser : 0.0,
                          .relative = tn_event_velocity_tolerance(&work->watch, run->relative_tolerance)};
}

/* Rms of an error estimate against its tolerances, over q, v and those of x that something depends on; which number of (q, v, x) has
 * the largest share is kept. */
static double error_norm(rk_work *work, const rk_sum *sum, double h)
{
    const tn_system *system = work->system;
    const uint32_t nq = system->nq, nv = system->nv, states = system->nx - system->quadratures;
    const rk_tolerance of_v = velocity_tolerance(work);
    rk_tolerance of_q = {work->weights.absolute_q, 1.0, 0.0, system->run->relative_tolerance}, of_x = of_q;
    of_x.absolute = work->weights.absolute_x;
    rk_largest largest = {0.0, 0};
    double squares = rk_error_squares(nv, h, sum->count, sum->weight, sum->acceleration, work->v0, system->v,
                                      &of_v, nq, &largest);
    if (system->vector_space)
        squares += rk_error_squares(nv, h * h, sum->count, sum->second, sum->acceleration, work->q0,
                                    system->q, &of_q, 0, &largest);
    else
        squares += rk_error_squares(nq, h, sum->count, sum->weight, sum->rate, work->q0, system->q, &of_q, 0,
                                    &largest);
    squares += rk_error_squares(states, h, sum->count, sum->weight, sum->x_rate, work->x0, system->x, &of_x,
                                (size_t)nq + nv, &largest);
    work->governing = (uint32_t)largest.number;
    const double count = (double)nq + (double)nv + (double)states;
    return count > 0.0 ? sqrt(squares / count) : 0.0;
}

/* Error of the step that was tried. With stages on both sides of an event the usual estimate may nearly vanish by chance. */
static double step_error(rk_work *work, double h, bool switched)
{
    const double error = error_norm(work, &work->error, h);
    if (!work->watch.torn && (switched || !work->watch.beyond)) return error;
    const uint32_t governing = work->governing;
    const double broken = error_norm(work, &work->broken, h);
    if (!(error > broken)) return broken;
    work->governing = governing;
    return error;
}

static uint32_t new_slope(const rk_work *work) { return work->slopes - 1; }

/* The slope of the new state becomes the first one of the next step. */
static void keep_last_slope(rk_work *work)
{
    const tn_system *system = work->system;
    const uint32_t last = new_slope(work);
    memcpy(work->acceleration[0], work->acceleration[last], system->nv * sizeof(double));
    if (!system->vector_space) memcpy(work->rate[0], work->rate[last], system->nq * sizeof(double));
    memcpy(work->x_rate[0], work->x_rate[last], system->nx * sizeof(double));
}

static void restore(rk_work *work, double time)
{
    tn_system *system = work->system;
    system->time = time;
    memcpy(system->q, work->q0, system->nq * sizeof(double));
    memcpy(system->v, work->v0, system->nv * sizeof(double));
    memcpy(system->x, work->x0, system->nx * sizeof(double));
}

/* PI controller of Hairer and Wanner for order 5; `last_error` is that of the step before. */
static double step_factor(double error, double last_error)
{
    if (error == 0.0) return 5.0;
    const double factor = 0.9 * pow(error, -0.17) * pow(last_error, 0.04);
    return factor > 0.2 ? fmin(factor, 5.0) : 0.2; // an error that is not a number gives 0.2
}

static tn_status give_up(const rk_work *work, double h)
{
    char text[160];
    (void)snprintf(
        text, sizeof text,
        "the step was shortened to %.3g s without meeting the tolerances or leaving the refused domain", h);
    return tn_stall_watch_fail(&work->stall, text);
}

/* A step from the accepted state: its error, HUGE_VAL where it was refused, and whether it ended behind an event. */
static tn_status try_step(rk_work *work, double h, double end, double *error, bool *switched)
{
    work->watch.torn = work->watch.beyond = false;
    tn_status status = tn_rk_take_step(work, work->stand.start, h, end, new_slope(work));
    *error = HUGE_VAL;
    *switched = false;
    if (status == TN_RETRY) return TN_OK;
    for (uint32_t k = 0; k < work->slopes; k++)
        tn_stall_watch_see(&work->stall, work->acceleration[k]);
    if (status == TN_OK) status = tn_event_watch_look(&work->watch, switched);
    *error = step_error(work, h, *switched);
    return status;
}

static tn_status try_again(void *solver, double h, bool *accurate, bool *switched)
{
    rk_work *work = solver;
    double error = 0.0;
    restore(work, work->stand.start);
    const tn_status status = try_step(work, h, work->stand.start + h, &error, switched);
    *accurate = error <= 1.0;
    return status;
}

/* Takes the step that ends before the event in one of length h; the state is that of the accepted one if there is none. */
static tn_status step_to_event(rk_work *work, double h, double stop, tn_event_landing *landing, double *error)
{
    bool switched = false;
    tn_status status =
        tn_event_search(&work->watch, work->stand.start, h, *error <= 1.0, stop, try_again, work, landing);
    restore(work, work->stand.start);
    *error = 0.0;
    if (status == TN_OK && landing->h > 0.0)
        status = try_step(work, landing->h, work->stand.start + landing->h, error, &switched);
    return status;
}

/* From a state whose slope is known to `end`, beyond a zero; the state stays where the other side refuses. */
static tn_status cross(rk_work *work, double end, bool stepped, bool *changed)
{
    const tn_system *system = work->system;
    const double time = system->time;
    memcpy(work->lambda0, system->lambda, system->rows * sizeof(double));
    tn_status status = tn_rk_take_step(work, time, end - time, end, new_slope(work));
    if (status == TN_OK) status = tn_event_watch_crossed(&work->watch, stepped, changed);
    if (status == TN_OK) {
        keep_last_slope(work);
    } else {
        restore(work, time);
        memcpy(system->lambda, work->lambda0, system->rows * sizeof(double));
    }
    work->stand.last_error = 1e-4;
    return status;
}

static tn_status accept_state(rk_work *work)
{
    tn_event_watch_slide(&work->watch);
    tn_error_weights_see(&work->weights);
    return tn_rk_accept(work);
}

/* Leaves a state where some function is zero: the slope there may belong to neither side. */
static tn_status leave_zero(rk_work *work, double stop)
{
    bool changed = false;
    const double end = tn_event_watch_leave(&work->watch, work->stand.start, work->stand.wanted, stop);
    const tn_status status = cross(work, end, false, &changed);
    if (status == TN_RETRY) {
        work->watch.at_zero = false;
        return TN_OK;
    }
    return status == TN_OK && (changed || end == stop) ? accept_state(work) : status;
}

static double shortest_step(const rk_work *work)
{
    return fmax(work->system->run->minimum_step, 1e-14 * fabs(work->stand.start));
}

/* Refused or too inaccurate: again with a smaller step, down to the limit. */
static tn_status reject(rk_work *work, double wanted, uint32_t reason)
{
    tn_system *system = work->system;
    work->stand.wanted = wanted;
    work->stand.rejected = true;
    tn_step_rejected(work->report, system, reason);
    if (wanted < system->run->minimum_step || wanted <= 1e-14 * fabs(work->stand.start))
        return give_up(work, wanted);
    restore(work, work->stand.start);
    return TN_OK;
}

/* What becomes of a step of length h with this error: it passes, or it is taken back. */
static bool control(rk_work *work, double h, double error, tn_status *status)
{
    double factor = error < HUGE_VAL ? step_factor(error, work->stand.last_error) : 0.5;
    if (error < HUGE_VAL && error > 0.0) tn_step_governed_by_y(work->report, work->system, work->governing);
    if (!(error <= 1.0)) {
        *status =
            reject(work, h * fmin(factor, 0.9), error < HUGE_VAL ? TN_REJECTED_ERROR : TN_REJECTED_DOMAIN);
        return false;
    }

    // no growth right after a rejection; a step cut short by a stop does not shrink the next one
    if (work->stand.rejected) factor = fmin(factor, 1.0);
    work->stand.wanted = h < work->stand.wanted ? fmax(work->stand.wanted, h * factor) : h * factor;
    work->stand.last_error = fmax(error, 1e-4);
    work->stand.rejected = false;
    keep_last_slope(work);
    return true;
}

/* One step towards `stop`, or to the first event before it and beyond; or a rejection. */
static tn_status advance_step(rk_work *work, double stop)
{
    tn_system *system = work->system;
    const double start = work->stand.start;
    const double h =
        tn_step_grid_fit(start, tn_event_watch_fit(&work->watch, start, work->stand.wanted), stop);
    tn_event_landing landing = {h, HUGE_VAL};
    double error = 0.0;
    bool switched = false, changed = false;
    tn_status status = try_step(work, h, h == stop - start ? stop : start + h, &error, &switched);
    if (status == TN_OK && switched) {
        tn_step_rejected(work->report, system, TN_REJECTED_EVENT);
        status = step_to_event(work, h, stop, &landing, &error);
    }
    if (status != TN_OK) return system->fail(system, status, NULL, "the evaluation cannot go on");

    const bool stepped = landing.h > 0.0;
    if (stepped && !control(work, landing.h, error, &status)) return status;
    if (landing.behind < HUGE_VAL) {
        status = cross(work, landing.behind, stepped, &changed);
        if (status == TN_RETRY && !stepped) return reject(work, 0.5 * h, TN_REJECTED_DOMAIN);
        if (status != TN_OK && status != TN_RETRY)
            return system->fail(system, status, NULL, "the evaluation cannot go on");
    }
    if (stepped) tn_count_step(system->statistics, system->time - start);
    if (landing.behind == HUGE_VAL || status == TN_RETRY) (void)tn_event_watch_settle(&work->watch);
    return accept_state(work);
}

tn_status tn_rk_begin_adaptive(rk_work *work)
{
    tn_system *system = work->system;
    const tn_run *run = system->run;
    tn_error_weights_see(&work->weights);
    work->stand.wanted = run->step > 0.0 ? run->step : 1e-3 * (run->end_time - system->time);
    work->stand.last_error = 1e-4;
    work->stand.progress = (tn_step_progress){.time = system->time};
    /* where a function is zero the trial would tell of another side than the first step */
    return run->step_given || work->watch.at_zero
               ? TN_OK
               : tn_first_step_find(system, &work->weights, 5, &work->stand.wanted);
}

tn_status tn_rk_step_adaptive(rk_work *work)
{
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    rk_stand *stand = &work->stand;
    const double longest = run->maximum_step > 0.0 ? run->maximum_step : HUGE_VAL;
    const uint64_t accepted = stand->accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && stand->accepted == accepted) {
        stand->start = system->time;
        if (tn_step_progress_stalls(&stand->progress, system->time, run))
            return tn_stall_watch_fail(&work->stall, TN_STEP_STALLED);
        tn_stall_watch_turn(&work->stall, stand->progress.tries >= TN_STEP_TRIES - TN_STALL_TRIES ||
                                              stand->wanted < TN_STALL_NEAR * shortest_step(work));
        const bool stop_ahead = system->next_stop > stand->start && system->next_stop < run->end_time;
        const double stop = stop_ahead ? system->next_stop : run->end_time;
        stand->wanted = fmin(stand->wanted, longest);
        status = work->watch.at_zero ? leave_zero(work, stop) : advance_step(work, stop);
    }
    return status;
}

/* control.c - steps chosen by their errors, which end where the equations switch (see tenon/kit/event_search.h). */
#include "radau.h"

#define SHORT 1e-7 /* of the usual step: an explicit step is exact there, and free of round-off over h^2 */
#define SLOW_CONTRACTION 0.03 /* the Jacobian is renewed above it */

/* ---- the start of a step --------------------------------------------------------------------------------- */

tn_status tn_radau_save_start(radau_work *work)
{
    const tn_system *system = work->system;
    work->stand.start = system->time;
    memcpy(work->q0, system->q, system->nq * sizeof(double));
    memcpy(work->v0, system->v, system->nv * sizeof(double));
    memcpy(work->a0, system->a, system->nv * sizeof(double));
    memcpy(work->x0, system->x, system->nx * sizeof(double));
    memcpy(work->x_rate0, system->x_rate, system->nx * sizeof(double));
    memcpy(work->lambda0, system->lambda, system->rows * sizeof(double));
    return TN_OK;
}

void tn_radau_restore(radau_work *work)
{
    tn_system *system = work->system;
    system->time = work->stand.start;
    memcpy(system->q, work->q0, system->nq * sizeof(double));
    memcpy(system->v, work->v0, system->nv * sizeof(double));
    memcpy(system->a, work->a0, system->nv * sizeof(double));
    memcpy(system->x, work->x0, system->nx * sizeof(double));
    memcpy(system->x_rate, work->x_rate0, system->nx * sizeof(double));
    memcpy(system->lambda, work->lambda0, system->rows * sizeof(double));
}

void tn_radau_weigh(radau_work *work)
{
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    tn_error_weights_see(&work->weights);
    for (uint32_t i = 0; i < system->nv; i++) {
        const double size = system->scale[i] > 0.0 ? system->scale[i] : 1.0;
        const double absolute = run->absolute_tolerance * (run->scaled_tolerance ? size : 1.0);
        work->weight_q[i] = fmax(absolute, run->relative_tolerance * size);
        work->weight_v[i] = work->weights.absolute_v[i] + run->relative_tolerance * fabs(system->v[i]);
    }
    for (uint32_t i = 0; i < work->states; i++)
        work->weight_x[i] = work->weights.absolute_x[i] + run->relative_tolerance * fabs(system->x[i]);
}

/* ---- one step -------------------------------------------------------------------------------------------- */

/* A new state onto its manifold and the constraints; a and x' there. */
static tn_status settle(radau_work *work)
{
    tn_system *system = work->system;
    tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status == TN_OK) status = system->rows ? system->project(system) : system->evaluate(system);
    return status == TN_OK ? system->accelerate(system, system->a) : status;
}

/* q, v and x at `end` by the slope at the start. */
static tn_status go_along_slope(radau_work *work, double h, double end)
{
    tn_system *system = work->system;
    tn_radau_restore(work);
    for (uint32_t i = 0; i < system->nv; i++) {
        work->product[i] = h * (work->v0[i] + 0.5 * h * work->a0[i]);
        system->v[i] = work->v0[i] + h * work->a0[i];
    }
    for (uint32_t i = 0; i < system->nx; i++)
        system->x[i] = work->x0[i] + h * work->x_rate0[i];
    system->time = end;
    const tn_status status = system->retract(system, work->q0, work->product, system->q);
    return status == TN_OK ? settle(work) : status;
}

/* A step far below the usual one, by the slope alone, with its error. */
static tn_status try_short(radau_work *work, double h, double end, radau_outcome *outcome)
{
    const tn_system *system = work->system;
    const tn_status status = go_along_slope(work, h, end);
    if (status != TN_OK) return status;
    for (uint32_t i = 0; i < system->nv; i++) {
        work->error_v[i] = 0.5 * h * (system->a[i] - work->a0[i]);
        work->error_q[i] = h / 3.0 * work->error_v[i];
    }
    for (uint32_t i = 0; i < work->states; i++)
        work->error_x[i] = 0.5 * h * (system->x_rate[i] - work->x_rate0[i]);
    outcome->error = tn_radau_norm(work, work->error_q, work->error_v, work->error_x);
    outcome->iterations = 1;
    return TN_OK;
}

/* Solves for the stages with the Jacobian that there is. */
static tn_status iterate_stages(radau_work *work, double h, radau_outcome *outcome)
{
    tn_status status = work->stand.factor_step == h ? TN_OK : tn_radau_factor(work, h);
    outcome->shrink = 0.5;
    if (status != TN_OK) return status;
    tn_radau_start_stages(work, h);
    return tn_radau_iterate(work, h, outcome);
}

/* A new Jacobian: at the middle stage as it is predicted, to which the others are nearer than to the start, or at the start. */
static tn_status renew_jacobian(radau_work *work, double h, bool at_middle)
{
    tn_radau_restore(work);
    tn_status status = TN_OK;
    if (at_middle) {
        tn_radau_start_stages(work, h);
        status = tn_radau_enter_middle(work, h);
    }
    if (status == TN_OK) status = tn_radau_differentiate(work);
    work->stand.contraction = 1.0;
    return status;
}

/* With the Jacobian that there is, then with new ones. TN_RETRY: no solution. */
static tn_status solve_stages(radau_work *work, double h, radau_outcome *outcome)
{
    tn_status status = TN_RETRY;
    if (work->stand.jacobian_age >= 0.0) status = iterate_stages(work, h, outcome);
    for (int attempt = 0; attempt < 2 && status == TN_RETRY; attempt++) {
        status = renew_jacobian(work, h, attempt == 0);
        if (status == TN_OK) status = iterate_stages(work, h, outcome);
    }
    if (status == TN_RETRY) work->stand.contraction = 1.0;
    return status;
}

static tn_status settle_last_stage(radau_work *work, double end)
{
    const tn_status status = tn_radau_enter_stage(work, STAGES - 1, end);
    return status == TN_OK ? settle(work) : status;
}

/* From the accepted state to `end`; the state is the new one, on the constraints, with its accelerations. */
static tn_status try_stages(radau_work *work, double h, double end, radau_outcome *outcome)
{
    tn_system *system = work->system;
    tn_status status = solve_stages(work, h, outcome);
    if (status == TN_OK) status = tn_radau_estimate(work, h, &outcome->error);
    if (status == TN_OK) status = settle_last_stage(work, end);
    if (status == TN_OK && outcome->error <= 1.0 && tn_radau_misses_reactions(work, h)) {
        status = tn_radau_integrate_reactions(work, h);
        if (status == TN_OK) status = settle_last_stage(work, end);
    }
    tn_stall_watch_see(&work->stall, system->a);
    return status;
}

/* A step from the accepted state: what came of it. */
static tn_status try_step(radau_work *work, double h, double end, radau_outcome *outcome)
{
    *outcome = (radau_outcome){.error = HUGE_VAL, .shrink = 0.5};
    work->watch.torn = false;
    tn_status status = TN_RETRY;
    bool is_short = h <= SHORT * work->stand.usual_step;
    if (is_short) status = try_short(work, h, end, outcome);
    if (is_short && (status == TN_RETRY || !(outcome->error <= 1.0))) is_short = false;
    if (!is_short && (status == TN_OK || status == TN_RETRY)) status = try_stages(work, h, end, outcome);
    if (is_short) work->stand.polynomial_step = 0.0;
    outcome->is_short = is_short;
    if (status == TN_RETRY) {
        outcome->error = HUGE_VAL;
        return TN_OK;
    }
    return status == TN_OK ? tn_event_watch_look(&work->watch, &outcome->switched) : status;
}

/* ---- events ---------------------------------------------------------------------------------------------- */

static tn_status try_again(void *solver, double h, bool *accurate, bool *switched)
{
    radau_work *work = solver;
    radau_outcome outcome;
    const tn_status status = try_step(work, h, work->stand.start + h, &outcome);
    *accurate = outcome.error <= 1.0;
    *switched = outcome.switched;
    return status;
}

/* Takes the step that ends before the event in one of length h; the state is that of the accepted one if there is none. */
static tn_status step_to_event(radau_work *work, double h, double stop, tn_event_landing *landing,
                               radau_outcome *outcome)
{
    const double start = work->stand.start;
    tn_status status =
        tn_event_search(&work->watch, start, h, outcome->error <= 1.0, stop, try_again, work, landing);
    tn_radau_restore(work);
    *outcome = (radau_outcome){.error = 0.0};
    if (status == TN_OK && landing->h > 0.0) status = try_step(work, landing->h, start + landing->h, outcome);
    return status;
}

/* Nothing from before helps to predict what comes. */
static void start_anew(radau_work *work)
{
    radau_stand *stand = &work->stand;
    stand->jacobian_age = -1.0;
    stand->factor_step = stand->polynomial_step = stand->lambda_step = stand->last_step = 0.0;
    stand->contraction = 1.0;
}

/* From a state whose slope is known to `end`, beyond a zero; the state stays where the other side refuses. */
static tn_status cross(radau_work *work, double end, bool stepped, bool *changed)
{
    (void)tn_radau_save_start(work);
    tn_status status = go_along_slope(work, end - work->stand.start, end);
    if (status == TN_OK) status = tn_event_watch_crossed(&work->watch, stepped, changed);
    if (status != TN_OK) tn_radau_restore(work);
    start_anew(work);
    return status;
}

tn_status tn_radau_accept(radau_work *work)
{
    work->stand.accepted++;
    tn_event_watch_slide(&work->watch);
    const tn_status status = work->system->accept(work->system);
    if (status == TN_OK) tn_radau_weigh(work);
    return status;
}

/* Leaves a state where some function is zero: the slope there may belong to neither side. */
static tn_status leave_zero(radau_work *work, double stop)
{
    bool changed = false;
    const double end = tn_event_watch_leave(&work->watch, work->stand.start, work->stand.wanted, stop);
    const tn_status status = cross(work, end, false, &changed);
    if (status == TN_RETRY) {
        work->watch.at_zero = false;
        return TN_OK;
    }
    return status == TN_OK && (changed || end == stop) ? tn_radau_accept(work) : status;
}

/* ---- control --------------------------------------------------------------------------------------------- */

static tn_status give_up(const radau_work *work, double h)
{
    char text[200];
    if (work->stand.unsolved)
        (void)snprintf(
            text, sizeof text,
            "the step was shortened to %.3g s, with a new Jacobian and up to %lld Newton iterations for each",
            h, (long long)work->settings->newton_iterations);
    else
        (void)snprintf(text, sizeof text, "the step was shortened to %.3g s without meeting the tolerances",
                       h);
    return tn_stall_watch_fail(&work->stall, text);
}

/* Refused, not solved or too inaccurate: again with a smaller step, down to the limit. */
static tn_status reject(radau_work *work, double wanted, bool unsolved)
{
    tn_system *system = work->system;
    work->stand.wanted = wanted;
    work->stand.rejected = true;
    work->stand.unsolved = unsolved;
    system->statistics->rejected_steps++;
    tn_radau_restore(work);
    if (wanted < system->run->minimum_step || wanted <= 1e-14 * fabs(work->stand.start))
        return give_up(work, wanted);
    return TN_OK;
}

/* The stages of a step that was taken are what the next one starts from. */
static void keep_stages(radau_work *work, double h)
{
    const tn_system *system = work->system;
    for (int i = 0; i < STAGES; i++) {
        for (uint32_t k = 0; k < system->nv; k++)
            work->v_kept[i][k] = work->v[i][k] - work->v0[k];
        for (uint32_t k = 0; k < system->nx; k++)
            work->x_kept[i][k] = work->x[i][k] - work->x0[k];
    }
    for (int i = 0; i < STAGES; i++)
        tn_radau_turn(work, work->q0, system->q, work->v_kept[i], NULL);
    memcpy(work->lambda_before, work->lambda0, system->rows * sizeof(double));
    work->stand.lambda_step = h;
    work->stand.polynomial_step = h;
}

/* What becomes of a step of length h with this outcome: it passes, or it is taken back. */
static bool control(radau_work *work, double h, const radau_outcome *outcome, tn_status *status)
{
    radau_stand *stand = &work->stand;
    if (!(outcome->error <= 1.0)) {
        *status = reject(work, tn_radau_shorter_step(work, h, outcome), outcome->error >= HUGE_VAL);
        return false;
    }
    stand->rejected = false;
    if (outcome->is_short) {
        const double growth = fmin(fmax(0.9 / sqrt(fmax(outcome->error, 1e-10)), 0.2), 5.0);
        if (h >= stand->wanted) stand->wanted = h * growth;
        stand->lambda_step = 0.0;
        return true;
    }

    // a step cut short by a stop does not shrink the next one
    const double next = tn_radau_next_step(work, h, outcome);
    stand->wanted = h < stand->wanted ? fmax(stand->wanted, next) : next;
    stand->usual_step = stand->wanted;
    stand->last_step = h;
    stand->last_error = fmax(outcome->error, 1e-2);
    stand->jacobian_age += h;
    if (stand->contraction > SLOW_CONTRACTION) stand->jacobian_age = -1.0;
    keep_stages(work, h);
    return true;
}

/* One step towards `stop`, or to the first event before it and beyond; or a rejection. */
static tn_status advance_step(radau_work *work, double stop)
{
    tn_system *system = work->system;
    const double start = work->stand.start;
    const double h =
        tn_step_grid_fit(start, tn_event_watch_fit(&work->watch, start, work->stand.wanted), stop);
    tn_event_landing landing = {h, HUGE_VAL};
    radau_outcome outcome;
    bool changed = false;
    tn_status status = try_step(work, h, h == stop - start ? stop : start + h, &outcome);
    if (status == TN_OK && outcome.switched) status = step_to_event(work, h, stop, &landing, &outcome);
    if (status != TN_OK) return system->fail(system, status, NULL, "the evaluation cannot go on");

    const bool stepped = landing.h > 0.0;
    if (stepped && !control(work, landing.h, &outcome, &status)) return status;
    if (landing.behind < HUGE_VAL) {
        status = cross(work, landing.behind, stepped, &changed);
        if (status == TN_RETRY && !stepped) return reject(work, 0.5 * h, true);
        if (status != TN_OK && status != TN_RETRY)
            return system->fail(system, status, NULL, "the evaluation cannot go on");
    }
    if (stepped) tn_count_step(system->statistics, system->time - start);
    if (landing.behind == HUGE_VAL || status == TN_RETRY) (void)tn_event_watch_settle(&work->watch);
    return tn_radau_accept(work);
}

/* The model has changed since the slope was found. */
static tn_status renew(radau_work *work)
{
    work->stand.revision = work->system->revision;
    start_anew(work);
    tn_radau_weigh(work);
    return tn_event_watch_begin(&work->watch);
}

tn_status tn_radau_take_step(radau_work *work)
{
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    radau_stand *stand = &work->stand;
    const double longest = run->maximum_step > 0.0 ? run->maximum_step : HUGE_VAL;
    const uint64_t accepted = stand->accepted;
    tn_status status = system->revision != stand->revision ? renew(work) : TN_OK;
    while (status == TN_OK && stand->accepted == accepted) {
        (void)tn_radau_save_start(work);
        if (tn_step_progress_stalls(&stand->progress, system->time, run))
            return tn_stall_watch_fail(&work->stall, TN_STEP_STALLED);
        tn_stall_watch_turn(&work->stall, stand->progress.tries >= TN_STEP_TRIES - TN_STALL_TRIES ||
                                              stand->wanted < TN_STALL_NEAR * tn_radau_shortest(work));
        const bool stop_ahead = system->next_stop > stand->start && system->next_stop < run->end_time;
        const double stop = stop_ahead ? system->next_stop : run->end_time;
        stand->wanted = fmin(stand->wanted, longest);
        status = work->watch.at_zero ? leave_zero(work, stop) : advance_step(work, stop);
    }
    return status;
}

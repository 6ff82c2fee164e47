/* control.c - steps chosen by their errors, which end where the equations switch (see tenon/kit/event_search.h). */
#include "radau.h"

#define SHORT 1e-7 /* of the usual step: an explicit step is exact there, and free of round-off over h^2 */
#define SLOW_CONTRACTION 0.03 /* the Jacobian is renewed above it */
#define MOST_REFUSALS 6u      /* of states within steps, each of which doubles the stops to land on */

/* ---- the start of a step --------------------------------------------------------------------------------- */

void tn_radau_save_start(radau_work *work)
{
    work->stand.start = work->system->time;
    tn_radau_keep(work, &work->start);
}

void tn_radau_restore(radau_work *work) { tn_radau_put_back(work, &work->start, work->stand.start); }

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

tn_status tn_radau_settle(radau_work *work)
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
        work->product[i] = h * (work->start.v[i] + 0.5 * h * work->start.a[i]);
        system->v[i] = work->start.v[i] + h * work->start.a[i];
    }
    for (uint32_t i = 0; i < system->nx; i++)
        system->x[i] = work->start.x[i] + h * work->start.x_rate[i];
    system->time = end;
    const tn_status status = system->retract(system, work->start.q, work->product, system->q);
    return status == TN_OK ? tn_radau_settle(work) : status;
}

/* A step far below the usual one, by the slope alone, with its error. */
static tn_status try_short(radau_work *work, double h, double end, radau_outcome *outcome)
{
    const tn_system *system = work->system;
    const tn_status status = go_along_slope(work, h, end);
    if (status != TN_OK) return status;
    for (uint32_t i = 0; i < system->nv; i++) {
        work->error_v[i] = 0.5 * h * (system->a[i] - work->start.a[i]);
        work->error_q[i] = h / 3.0 * work->error_v[i];
    }
    for (uint32_t i = 0; i < work->states; i++)
        work->error_x[i] = 0.5 * h * (system->x_rate[i] - work->start.x_rate[i]);
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

/* A new Jacobian: at the middle stage as it is predicted, to which the others are nearer than to the start, unless that lies beyond
 * an event, or at the start. */
static tn_status renew_jacobian(radau_work *work, double h, bool at_middle)
{
    bool beyond = false;
    tn_radau_restore(work);
    tn_status status = TN_OK;
    if (at_middle) {
        tn_radau_start_stages(work, h);
        status = tn_radau_enter_middle(work, h);
        if (status == TN_OK && work->watch.count) status = work->system->evaluate(work->system);
        if (status == TN_OK) status = tn_event_watch_compare(&work->watch, &beyond);
        if (beyond) tn_radau_restore(work);
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
    return status == TN_OK ? tn_radau_settle(work) : status;
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
    work->watch.torn = work->watch.beyond = false;
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
    if (status == TN_OK) status = tn_event_watch_look(&work->watch, &outcome->switched);
    if ((work->watch.torn || (work->watch.beyond && !outcome->switched)) && !is_short)
        outcome->error = fmax(outcome->error, tn_radau_broken_error(work, h));
    return status;
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
    stand->tried_error = 0.0;
}

/* From a state whose slope is known to `end`, beyond a zero; the state stays where the other side refuses. */
static tn_status cross(radau_work *work, double end, bool stepped, bool *changed)
{
    tn_radau_save_start(work);
    tn_status status = go_along_slope(work, end - work->stand.start, end);
    if (status == TN_OK) status = tn_event_watch_crossed(&work->watch, stepped, changed);
    if (status != TN_OK) tn_radau_restore(work);
    start_anew(work);
    return status;
}

/* Hands a state over: not one that a step has led to which was taken again, when later ones were. */
tn_status tn_radau_accept(radau_work *work)
{
    tn_system *system = work->system;
    radau_stand *stand = &work->stand;
    tn_status status = TN_OK;
    if (system->time > stand->handed_over) {
        stand->accepted++;
        stand->handed_over = system->time;
        tn_event_watch_slide(&work->watch);
        status = system->accept(system);
    }
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
static tn_status reject(radau_work *work, double wanted, uint32_t reason)
{
    tn_system *system = work->system;
    const bool unsolved = reason != TN_REJECTED_ERROR;
    tn_step_rejected(work->report, system, reason);
    work->stand.wanted = wanted;
    work->stand.rejected = true;
    work->stand.unsolved = unsolved;
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
            work->v_kept[i][k] = work->v[i][k] - work->start.v[k];
        for (uint32_t k = 0; k < system->nx; k++)
            work->x_kept[i][k] = work->x[i][k] - work->start.x[k];
    }
    for (int i = 0; i < STAGES; i++)
        tn_radau_turn(work, work->start.q, system->q, work->v_kept[i], NULL);
    memcpy(work->lambda_before, work->start.lambda, system->rows * sizeof(double));
    work->stand.lambda_step = h;
    work->stand.polynomial_step = h;
}

/* What becomes of a step of length h with this outcome: it passes, or it is taken back. */
static bool control(radau_work *work, double h, const radau_outcome *outcome, tn_status *status)
{
    radau_stand *stand = &work->stand;
    const bool solved = outcome->error < HUGE_VAL;
    if (solved) tn_radau_report_governing(work);
    const bool round_off = outcome->error > 1.0 && tn_radau_is_round_off(work, h, outcome->error);
    if (!(outcome->error <= 1.0) && !round_off) {
        const uint32_t unsolved = outcome->outside ? TN_REJECTED_DOMAIN : TN_REJECTED_ITERATION;
        *status =
            reject(work, tn_radau_shorter_step(work, h, outcome), solved ? TN_REJECTED_ERROR : unsolved);
        stand->tried_error = solved ? outcome->error : 0.0;
        return false;
    }
    stand->rejected = false;
    stand->tried_error = 0.0;
    if (outcome->is_short) {
        const double growth = fmin(fmax(0.9 / sqrt(fmax(outcome->error, 1e-10)), 0.2), 5.0);
        if (h >= stand->wanted) stand->wanted = h * growth;
        stand->lambda_step = 0.0;
        return true;
    }

    // a step cut short by a stop does not shrink the next one
    const double next = round_off ? 2.0 * h : tn_radau_next_step(work, h, outcome);
    stand->wanted = h < stand->wanted ? fmax(stand->wanted, next) : next;
    stand->usual_step = stand->wanted;
    stand->last_step = h;
    stand->last_error = fmax(outcome->error, 1e-2);
    stand->jacobian_age += h;
    if (stand->contraction > SLOW_CONTRACTION) stand->jacobian_age = -1.0;
    keep_stages(work, h);
    return true;
}

/* Beyond the event behind the step, if there is one; then the next one may begin. */
static tn_status finish_step(radau_work *work, bool stepped)
{
    tn_system *system = work->system;
    const double start = work->stand.start, behind = work->stand.behind;
    bool changed = false;
    tn_status status = TN_OK;
    if (behind < HUGE_VAL) {
        status = cross(work, behind, stepped, &changed);
        if (status == TN_RETRY && !stepped) return reject(work, 0.5 * (behind - start), TN_REJECTED_DOMAIN);
        if (status != TN_OK && status != TN_RETRY)
            return system->fail(system, status, NULL, "the evaluation cannot go on");
    }
    if (stepped) tn_count_step(system->statistics, system->time - start);
    if (behind == HUGE_VAL || status == TN_RETRY) (void)tn_event_watch_settle(&work->watch);
    return tn_radau_accept(work);
}

/* One step towards `stop`, or to the first event before it and beyond; or a rejection. */
static tn_status advance_step(radau_work *work, double stop)
{
    tn_system *system = work->system;
    radau_stand *stand = &work->stand;
    const double start = stand->start;
    const double h = tn_step_grid_fit(start, tn_event_watch_fit(&work->watch, start, stand->wanted), stop);
    tn_event_landing landing = {h, HUGE_VAL};
    radau_outcome outcome;
    tn_status status = try_step(work, h, h == stop - start ? stop : start + h, &outcome);
    if (status == TN_OK && outcome.switched) {
        tn_step_rejected(work->report, system, TN_REJECTED_EVENT);
        status = step_to_event(work, h, stop, &landing, &outcome);
    }
    if (status != TN_OK) return system->fail(system, status, NULL, "the evaluation cannot go on");

    const bool stepped = landing.h > 0.0;
    if (stepped && !control(work, landing.h, &outcome, &status)) return status;
    stand->behind = landing.behind;
    stand->within = stepped && system->next_stop > start && system->next_stop < system->time;
    if (!stand->within) return finish_step(work, stepped);
    stand->end = system->time;
    tn_radau_keep(work, &work->end);
    return TN_OK;
}

/* ---- states within a step -------------------------------------------------------------------------------- */

void tn_radau_forget_step(radau_work *work)
{
    if (work->stand.within) work->stand.polynomial_step = work->stand.lambda_step = 0.0;
    work->stand.within = 0;
}

/* From the last of them to the end of the step. */
static tn_status leave_step(radau_work *work)
{
    tn_system *system = work->system;
    bool switched = false;
    work->stand.within = 0;
    tn_radau_put_back(work, &work->end, work->stand.end);
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    if (status == TN_OK) status = tn_event_watch_look(&work->watch, &switched);
    if (status != TN_OK) return system->fail(system, status, NULL, "this is the end of a step");
    return finish_step(work, true);
}

/* The step is taken again, to the next stop: what was handed over from it is good, but not to go on from. Where that happens often
 * the next ones end at their stops, too. */
static void step_again(radau_work *work)
{
    radau_stand *stand = &work->stand;
    tn_step_rejected(work->report, work->system, TN_REJECTED_ERROR);
    tn_radau_restore(work);
    tn_radau_forget_step(work);
    stand->landings = 1u << (stand->refusals < MOST_REFUSALS ? stand->refusals++ : MOST_REFUSALS);
}

/* The next state within the step, or its end. */
static tn_status go_on_within(radau_work *work)
{
    tn_system *system = work->system;
    radau_stand *stand = &work->stand;
    const double time = system->next_stop;
    bool exact = false, switched = false;
    if (!(time < stand->end)) return leave_step(work);
    tn_status status = tn_radau_interpolate(work, time, &exact);
    if (exact) status = tn_event_watch_look(&work->watch, &switched);
    if (status != TN_OK && status != TN_RETRY)
        return system->fail(system, status, NULL, "this is a state within a step");
    if (!exact || switched) {
        step_again(work);
        return TN_OK;
    }
    stand->refusals = 0;
    stand->accepted++;
    stand->handed_over = time;
    return system->accept(system);
}

/* ---- from state to state --------------------------------------------------------------------------------- */

/* The model has changed since the slope was found: what the step before was long enough for may be over. A spring that begins to
 * touch has no force and no derivative yet, and a long step would find it at rest. */
static tn_status renew(radau_work *work)
{
    work->stand.revision = work->system->revision;
    work->stand.within = 0;
    work->stand.handed_over = -HUGE_VAL;
    start_anew(work);
    tn_radau_weigh(work);
    const tn_status status = tn_event_watch_begin(&work->watch);
    if (status != TN_OK) return status;
    tn_radau_save_start(work);
    work->stand.wanted = fmin(work->stand.wanted, tn_radau_first_step(work));
    return work->system->evaluate(work->system);
}

/* A new step. It may pass `next_stop`, and hand over the state there, where that goes well. */
static tn_status begin_step(radau_work *work)
{
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    radau_stand *stand = &work->stand;
    tn_radau_save_start(work);
    if (tn_step_progress_stalls(&stand->progress, system->time, run))
        return tn_stall_watch_fail(&work->stall, TN_STEP_STALLED);
    tn_stall_watch_turn(&work->stall, stand->progress.tries >= TN_STEP_TRIES - TN_STALL_TRIES ||
                                          stand->wanted < TN_STALL_NEAR * tn_radau_shortest(work));
    const double next = stand->landings > 0 || work->watch.at_zero ? system->next_stop : system->next_landing;
    const double stop = next > stand->start && next < run->end_time ? next : run->end_time;
    if (run->maximum_step > 0.0) stand->wanted = fmin(stand->wanted, run->maximum_step);
    const tn_status status = work->watch.at_zero ? leave_zero(work, stop) : advance_step(work, stop);
    if (stand->landings > 0 && !stand->within && system->time >= stop) stand->landings--;
    return status;
}

tn_status tn_radau_take_step(radau_work *work)
{
    const tn_system *system = work->system;
    const uint64_t accepted = work->stand.accepted;
    tn_status status = system->revision != work->stand.revision ? renew(work) : TN_OK;
    while (status == TN_OK && work->stand.accepted == accepted)
        status = work->stand.within ? go_on_within(work) : begin_step(work);
    return status;
}

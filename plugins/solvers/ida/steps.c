/* steps.c - from one accepted state to the next: a step of IDA, or its part in front of the first event, and the way behind it
 *
 * IDA finds events as roots, once a step has passed over them, on the polynomial through its states; event_search.h encloses them there.
 * Where forces jump at the event the end of that step belongs to neither side, and the polynomial misses the accelerations in front of the
 * event: then the step is taken again, and no evaluation of it looks behind. */
#include "ida.h"

#include <tenon/kit/step_grid.h>

#define LARGEST_DEFECT 3.0  /* of v' before an event, seen over the step, in the tolerances of IDA */
#define RESOLVED 1e-14      /* of the time: no step is shorter */
#define NEAR_STOP 16.0      /* round-offs of times: no step of IDA is as short */
enum { MOST_RESTARTS = 4 }; /* at one state, each with a step a hundredth as long */

/* ---- states ---------------------------------------------------------------------------------------------- */

void tn_ida_save_start(ida_work *work)
{
    const tn_system *system = work->system;
    work->stand.start = system->time;
    memcpy(work->q0, system->q, system->nq * sizeof(double));
    memcpy(work->v0, system->v, system->nv * sizeof(double));
    memcpy(work->a0, system->a, system->nv * sizeof(double));
    memcpy(work->x0, system->x, system->nx * sizeof(double));
    memcpy(work->x_rate0, system->x_rate, system->nx * sizeof(double));
    memcpy(work->lambda0, system->lambda, system->rows * sizeof(double));
}

static void restore(ida_work *work)
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

static const double *quadrature_rates(const ida_work *work) { return work->system->x_rate + work->states; }

/* A new state onto its manifold and the constraints; a, lambda and x' there. */
static tn_status settle(ida_work *work)
{
    tn_system *system = work->system;
    tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status == TN_OK) status = system->rows ? system->project(system) : system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    if (status == TN_OK) tn_quadratures_integrate(&work->quadratures, quadrature_rates(work));
    return status;
}

static tn_status publish(ida_work *work, double time)
{
    tn_ida_write_state(work, time, N_VGetArrayPointer(work->y), NULL);
    return settle(work);
}

tn_status tn_ida_begin_watch(ida_work *work)
{
    tn_quadratures_restart(&work->quadratures, quadrature_rates(work));
    tn_error_weights_see(&work->weights);
    return tn_event_watch_begin(&work->watch);
}

tn_status tn_ida_accept(ida_work *work)
{
    work->stand.accepted++;
    tn_quadratures_accept(&work->quadratures, quadrature_rates(work));
    tn_event_watch_slide(&work->watch);
    tn_error_weights_see(&work->weights);
    return work->system->accept(work->system);
}

/* What IDA knows is void. */
static void start_anew(ida_work *work)
{
    work->stand.anew = 1;
    work->stand.rooted = 0;
    work->stand.reached = -HUGE_VAL;
}

/* ---- events ---------------------------------------------------------------------------------------------- */

/* From the accepted state by its slope to `end`, beyond a zero; the state stays where the other side refuses. */
static tn_status cross(ida_work *work, double end, bool stepped, bool *changed)
{
    tn_system *system = work->system;
    const double h = end - system->time;
    tn_ida_save_start(work);
    if (stepped) tn_quadratures_accept(&work->quadratures, quadrature_rates(work));
    for (uint32_t i = 0; i < system->nv; i++) {
        work->z[i] = h * (work->v0[i] + 0.5 * h * work->a0[i]);
        system->v[i] = work->v0[i] + h * work->a0[i];
    }
    for (uint32_t i = 0; i < system->nx; i++)
        system->x[i] = work->x0[i] + h * work->x_rate0[i];
    system->time = end;
    tn_status status = system->retract(system, work->q0, work->z, system->q);
    if (status == TN_OK) status = settle(work);
    if (status == TN_OK) status = tn_event_watch_crossed(&work->watch, stepped, changed);
    if (status != TN_OK) restore(work);
    start_anew(work);
    if (status == TN_OK) tn_quadratures_restart(&work->quadratures, quadrature_rates(work));
    return status;
}

/* Leaves a state where some function is zero, or that lies as near to a stop as no step of IDA is short. */
static tn_status leave(ida_work *work, double end, double stop)
{
    bool changed = false;
    const tn_status status = cross(work, end, false, &changed);
    if (status == TN_RETRY && end < stop) {
        work->watch.at_zero = false;
        return TN_OK;
    }
    if (status != TN_OK) return work->system->fail(work->system, status, NULL, "the evaluation cannot go on");
    return changed || end == stop ? tn_ida_accept(work) : TN_OK;
}

/* IDA's polynomial at a time within its last step: an attempt of event_search.h. */
static tn_status look_within(void *data, double h, bool *accurate, bool *switched)
{
    ida_work *work = data;
    tn_system *system = work->system;
    const double time = work->stand.start + h;
    *accurate = true;
    if (IDAGetDky(work->ida, time, 0, work->y) != IDA_SUCCESS) return TN_FATAL;
    tn_ida_write_state(work, time, N_VGetArrayPointer(work->y), NULL);
    tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status == TN_OK) status = system->evaluate(system);
    return status == TN_OK ? tn_event_watch_look(&work->watch, switched) : status;
}

/* By how much v' of the polynomial differs from that of the state in front of the event, seen over the step, rms. */
static double defect_of(ida_work *work, double time)
{
    const tn_system *system = work->system;
    if (IDAGetDky(work->ida, time, 1, work->slope) != IDA_SUCCESS) return HUGE_VAL;
    if (IDAGetErrWeights(work->ida, work->error) != IDA_SUCCESS) return HUGE_VAL;
    const double *slope = N_VGetArrayPointer(work->slope), *weight = N_VGetArrayPointer(work->error);
    const double h = time - work->stand.begin;
    double sum = 0.0;
    for (uint32_t i = 0; i < system->nv; i++) {
        const double part = h * (slope[work->at_v + i] - system->a[i]) * weight[work->at_v + i];
        sum += part * part;
    }
    for (uint32_t i = 0; i < work->states; i++) {
        const double part = h * (slope[work->at_x + i] - system->x_rate[i]) * weight[work->at_x + i];
        sum += part * part;
    }
    return work->size ? sqrt(sum / (double)work->size) : 0.0;
}

/* The step is taken again, up to where the event was seen, with a guard. */
static void guard(ida_work *work, double until)
{
    restore(work);
    tn_quadratures_withdraw(&work->quadratures);
    start_anew(work);
    work->stand.guarded_until = until;
    tn_step_rejected(work->report, work->system, TN_REJECTED_EVENT);
}

/* Whether the polynomial holds up to the event: the state in front of it is that of the system then. */
static tn_status check_polynomial(ida_work *work, double before, bool *holds)
{
    bool switched = false;
    if (IDAGetDky(work->ida, before, 0, work->y) != IDA_SUCCESS) return TN_FATAL;
    tn_status status = publish(work, before);
    if (status == TN_OK) status = tn_event_watch_look(&work->watch, &switched);
    *holds = status == TN_OK && (work->stand.rooted > 1 || before <= work->stand.guarded_until ||
                                 defect_of(work, before) <= LARGEST_DEFECT);
    return status;
}

/* From the state in front of an event, which is that of the system, to `behind` it; HUGE_VAL: there is no way. */
static tn_status pass_event(ida_work *work, double before, double behind)
{
    tn_system *system = work->system;
    const bool stepped = before > work->stand.start;
    bool changed = false;
    tn_status status = TN_OK;
    if (stepped) tn_count_step(system->statistics, before - work->stand.begin);
    if (behind < HUGE_VAL) status = cross(work, behind, stepped, &changed);
    const bool crossed = behind < HUGE_VAL && status == TN_OK;
    if (status != TN_OK && !(status == TN_RETRY && stepped))
        return system->fail(system, status, NULL, "the other side of an event refuses the state");
    if (!crossed) (void)tn_event_watch_settle(&work->watch);
    start_anew(work);
    return tn_ida_accept(work);
}

/* The step of IDA has passed over an event: its part in front of that becomes the step, and the way behind it follows; unless a state is
 * wanted before. */
static tn_status stop_at_event(ida_work *work, double end, double stop, double row)
{
    tn_system *system = work->system;
    ida_stand *stand = &work->stand;
    const double start = stand->start;
    tn_event_landing landing = {0.0, HUGE_VAL};
    bool holds = true;
    tn_status status =
        tn_event_search(&work->watch, start, end - start, true, stop, look_within, work, &landing);
    restore(work);
    const bool stepped = landing.h > 0.0;
    const double before = start + landing.h;
    if (status == TN_OK && stepped) status = check_polynomial(work, before, &holds);
    if (status == TN_OK && !holds) {
        guard(work, before);
        return TN_OK;
    }
    if (status == TN_OK && row < before) { // first that
        restore(work);
        tn_quadratures_withdraw(&work->quadratures);
        stand->rooted = 2;
        return TN_OK;
    }
    if (status == TN_OK) return pass_event(work, stepped ? before : start, landing.behind);
    return system->fail(system, status, NULL, "the evaluation cannot go on");
}

/* ---- steps ----------------------------------------------------------------------------------------------- */

static double shortest_step(const ida_work *work)
{
    const tn_run *run = work->system->run;
    const double shortest = fmax(run->minimum_step, RESOLVED * fabs(work->stand.start));
    return run->maximum_step > 0.0 ? fmin(shortest, run->maximum_step) : shortest;
}

/* IDA has failed at this state: at order 1 and with a shorter step, a few times. */
static tn_status try_anew(ida_work *work, int flag, double stop)
{
    ida_stand *stand = &work->stand;
    const bool fatal = work->status != TN_OK && work->status != TN_RETRY;
    double h = 0.0;
    (void)IDAGetCurrentStep(work->ida, &h);
    restore(work);
    tn_quadratures_withdraw(&work->quadratures);
    if (work->refused) { // the event is as near as that
        const double end = tn_event_watch_leave(&work->watch, stand->start, fabs(h), stop);
        return leave(work, end, stop);
    }
    const bool shortest = fabs(h) <= 2.0 * shortest_step(work) && stand->failures > 0;
    if (fatal || shortest || stand->failures >= MOST_RESTARTS) return tn_ida_give_up(work, flag);
    start_anew(work);
    stand->failures++;
    stand->first_step = fmax(0.01 * fabs(h), work->system->run->minimum_step);
    return TN_OK;
}

/* A state of IDA's last step, its end or one that is wanted before. */
static tn_status hand_over(ida_work *work, double time, double stop)
{
    tn_system *system = work->system;
    bool switched = false;
    if (IDAGetDky(work->ida, time, 0, work->y) != IDA_SUCCESS) return TN_FATAL;
    tn_status status = publish(work, time);
    if (status == TN_OK) status = tn_event_watch_look(&work->watch, &switched);
    if (status == TN_OK && switched) return stop_at_event(work, time, stop, HUGE_VAL);
    if (status == TN_RETRY) return try_anew(work, IDA_REP_RES_ERR, stop);
    if (status != TN_OK) return system->fail(system, status, NULL, "the evaluation cannot go on");
    (void)tn_event_watch_settle(&work->watch);
    if (time == work->stand.reached) tn_count_step(system->statistics, time - work->stand.begin);
    work->stand.failures = 0;
    return tn_ida_accept(work);
}

/* Where IDA shall stop: where a step would leave a sliver before the limit, in the middle of what remains. */
static double end_of_step(const ida_work *work, double limit)
{
    double wanted = 0.0;
    if (IDAGetCurrentStep(work->ida, &wanted) != IDA_SUCCESS || !(wanted > 0.0)) return limit;
    const double start = work->stand.start, h = tn_step_grid_fit(start, wanted, limit);
    return h < wanted && start + h < limit ? start + h : limit;
}

/* A step of IDA, no further than to `stop`. */
static tn_status advance(ida_work *work, double stop)
{
    ida_stand *stand = &work->stand;
    double limit = stop;
    work->guards = stand->guarded_until > stand->start;
    work->refused = false;
    work->watch.torn = work->watch.beyond = false;
    if (work->guards) limit = fmin(stop, stand->guarded_until);
    if (stand->anew) {
        const tn_status status = tn_ida_start(work, limit);
        if (status != TN_OK) return status;
    }
    stand->begin = stand->start;
    int flag = IDASetMinStep(work->ida, shortest_step(work));
    if (flag == IDA_SUCCESS) flag = IDASetStopTime(work->ida, end_of_step(work, limit));
    if (flag == IDA_SUCCESS)
        flag = IDASolve(work->ida, limit, &stand->reached, work->y, work->slope, IDA_ONE_STEP);
    tn_ida_count(work);
    if (flag < 0) return try_anew(work, flag, stop);
    if (work->refused) stand->guarded_until = -HUGE_VAL;
    stand->rooted = flag == IDA_ROOT_RETURN;
    if (!stand->rooted) (void)IDAGetLastStep(work->ida, &stand->usual_step);
    restore(work);
    return TN_OK;
}

/* What IDA's last step holds behind the last accepted state: the next state that is wanted, its end, or an event. */
static tn_status proceed(ida_work *work, double row, double stop)
{
    ida_stand *stand = &work->stand;
    const double end = stand->reached;
    bool switched = false, accurate = true;
    if (stand->rooted == 1 || (stand->rooted && !(row < end))) {
        const tn_status status = look_within(work, end - stand->start, &accurate, &switched);
        restore(work);
        if (status == TN_RETRY) return try_anew(work, IDA_REP_RES_ERR, stop);
        if (status != TN_OK)
            return work->system->fail(work->system, status, NULL, "the evaluation cannot go on");
        if (switched) return stop_at_event(work, end, stop, row);
        stand->rooted = 0;
    }
    return hand_over(work, row < end ? row : end, stop);
}

static tn_status renew(ida_work *work)
{
    work->stand.revision = work->system->revision;
    start_anew(work);
    work->stand.guarded_until = -HUGE_VAL;
    return tn_ida_begin_watch(work);
}

tn_status tn_ida_take_step(ida_work *work)
{
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    ida_stand *stand = &work->stand;
    const uint64_t accepted = stand->accepted;
    tn_status status = system->revision != stand->revision ? renew(work) : TN_OK;
    while (status == TN_OK && stand->accepted == accepted) {
        tn_ida_save_start(work);
        if (tn_step_progress_stalls(&stand->progress, system->time, run))
            return tn_stall_watch_fail(&work->stall, TN_STEP_STALLED);
        tn_stall_watch_turn(&work->stall,
                            stand->progress.tries >= TN_STEP_TRIES - TN_STALL_TRIES || stand->failures > 0);
        const double row = system->next_stop > stand->start ? system->next_stop : HUGE_VAL;
        const double landing = system->next_landing;
        const double stop = landing > stand->start ? fmin(landing, run->end_time) : run->end_time;
        const double nearest = NEAR_STOP * DBL_EPSILON * fmax(fabs(stand->start), fabs(stop));
        if (stand->reached > stand->start && !stand->anew)
            status = proceed(work, row, stop);
        else if (work->watch.at_zero)
            status =
                leave(work, tn_event_watch_leave(&work->watch, stand->start, stand->usual_step, stop), stop);
        else if (stop - stand->start <= nearest)
            status = leave(work, stop, stop);
        else
            status = advance(work, stop);
    }
    return status;
}

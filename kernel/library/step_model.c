/* step_model.c - runs models of the library, and steps them
 *
 * Solvers go from start to end by themselves. One that is stepped runs on a thread of its own, and waits in an observer of accepted
 * steps until it is asked for more: one of the two threads runs at any time. */
#include "library/library.h"

#include "system/accept.h"

#include <math.h>

/* ---- turns ------------------------------------------------------------------------------------------------ */

static void give_turn(tn_stepper *stepper, bool to_solver)
{
    (void)pthread_mutex_lock(&stepper->mutex);
    stepper->solver_runs = to_solver;
    (void)pthread_cond_signal(&stepper->turned);
    (void)pthread_mutex_unlock(&stepper->mutex);
}

static void await_turn(tn_stepper *stepper, bool of_solver)
{
    (void)pthread_mutex_lock(&stepper->mutex);
    while (stepper->solver_runs != of_solver)
        (void)pthread_cond_wait(&stepper->turned, &stepper->mutex);
    (void)pthread_mutex_unlock(&stepper->mutex);
}

/* ---- the solver's thread ---------------------------------------------------------------------------------- */

/* Whether a solver of fixed steps ends one there by itself. */
static bool is_on_grid(const tn_stepper *stepper, double time)
{
    if (!(stepper->step > 0.0)) return false;
    const double nearest = stepper->start + round((time - stepper->start) / stepper->step) * stepper->step;
    return fabs(time - nearest) <= tn_slack_of_times(time, stepper->step);
}

/* Where the solver is to end a step next. */
static void ask_for(tn_stepper *stepper)
{
    stepper->observer.next = stepper->single ? HUGE_VAL : stepper->until;
    stepper->observer.landing = is_on_grid(stepper, stepper->until) ? 0.0 : stepper->observer.next;
}

static tn_status see_step(void *data, const tn_accepted_step *step)
{
    tenon_model *model = data;
    tn_stepper *stepper = &model->stepper;
    const double time = model->study.assembly->system.time;
    const bool begins = model->phase == TN_OPENED, passes = stepper->single && step->length > 0.0;
    const double slack = tn_slack_of_times(time, stepper->step);
    stepper->last_step = step->length;
    if (begins || passes || (!stepper->single && time >= stepper->until - slack)) {
        model->phase = TN_STANDING;
        give_turn(stepper, false);
        await_turn(stepper, true);
    }
    ask_for(stepper);
    return stepper->closing ? TN_EVENT : TN_OK;
}

static void begin_run(void *data, tn_study *study)
{
    tenon_model *model = data;
    model->stepper.observer =
        (tn_step_observer){.see = see_step, .data = model, .next = HUGE_VAL, .landing = HUGE_VAL};
    tn_accept_observe(study->assembly, &model->stepper.observer);
}

static void end_run(void *data, tn_study *study)
{
    tn_accept_unobserve(study->assembly, &((tenon_model *)data)->stepper.observer);
}

static void begin_solver(void *data, const tn_solver_plan *plan)
{
    tn_stepper *stepper = &((tenon_model *)data)->stepper;
    stepper->start = plan->run.start_time;
    stepper->step = plan->run.adaptive ? 0.0 : plan->run.step;
    ask_for(stepper);
}

static bool is_closing(void *data) { return ((tenon_model *)data)->stepper.closing; }

static void *run_solvers(void *data)
{
    tenon_model *model = data;
    model->result = TN_STUDY_FAILED;
    (void)tn_attempt(&model->memory, model->result = tn_study_run(&model->study));
    model->phase = TN_ENDED;
    give_turn(&model->stepper, false);
    return NULL;
}

/* ---- the caller's thread ---------------------------------------------------------------------------------- */

/* What a run that has ended comes to. */
static tenon_status conclude_run(tenon_model *model)
{
    model->phase = TN_ENDED;
    if (model->result == TN_STUDY_FINISHED || model->result == TN_STUDY_INTERRUPTED) return TENON_ENDED;
    model->broken = TENON_FAILED;
    return tn_library_say_last_error(model, TENON_FAILED, "the run has failed");
}

/* Waits until the solver waits, or has ended. */
static tenon_status await_solver(tenon_model *model)
{
    await_turn(&model->stepper, false);
    return model->phase == TN_ENDED ? conclude_run(model) : TENON_OK;
}

static tenon_status start_thread(tenon_model *model)
{
    tn_stepper *stepper = &model->stepper;
    model->study.client = (tn_study_client){.data = model,
                                            .begin = begin_run,
                                            .end = end_run,
                                            .solver = begin_solver,
                                            .is_interrupted = is_closing};
    stepper->solver_runs = true;
    if (pthread_create(&stepper->thread, NULL, run_solvers, model) != 0) {
        stepper->solver_runs = false;
        return tn_library_say(model, TENON_REFUSED, "no thread can be started for the solver");
    }
    stepper->has_thread = true;
    return await_solver(model);
}

void tn_stepper_close(tenon_model *model)
{
    if (!model->stepper.has_thread) return;
    model->stepper.closing = true;
    if (model->phase != TN_ENDED) give_turn(&model->stepper, true);
    (void)pthread_join(model->stepper.thread, NULL);
    model->stepper.has_thread = false;
}

tenon_status tn_library_stand(tenon_model *model)
{
    const tenon_status status = tn_library_enter(model);
    if (status != TENON_OK || model->phase != TN_OPENED) return status;
    if (!model->study.plan.solver_count)
        return tn_library_say(model, TENON_REFUSED, "the model has no [solver], and cannot be run");
    model->stepper.until = -HUGE_VAL;
    return start_thread(model);
}

tenon_status tenon_start(tenon_model *model)
{
    const tenon_status status = tn_library_call(model, tn_library_stand(model));
    return status == TENON_ENDED ? TENON_OK : status;
}

static tenon_status advance_model(tenon_model *model, bool single, double until)
{
    tenon_status status = tn_library_stand(model);
    if (status != TENON_OK) return status;
    if (model->phase == TN_ENDED) return TENON_ENDED;
    const double time = tenon_time(model), slack = tn_slack_of_times(time, model->stepper.step);
    if (!single && !(until >= time - slack))
        return tn_library_say(model, TENON_REFUSED, "%.9g s lies before the %.9g s at which the model stands",
                              until, time);
    if (!single && until <= time + slack) return TENON_OK;
    model->stepper.single = single;
    model->stepper.until = until;
    give_turn(&model->stepper, true);
    return await_solver(model);
}

tenon_status tenon_step(tenon_model *model)
{
    return tn_library_call(model, advance_model(model, true, HUGE_VAL));
}

tenon_status tenon_step_to(tenon_model *model, double time)
{
    return tn_library_call(model, advance_model(model, false, time));
}

static tenon_status run_model(tenon_model *model)
{
    tenon_status status = tn_library_enter(model);
    if (status != TENON_OK) return status;
    if (model->phase == TN_OPENED) {
        if (!model->study.plan.solver_count) return tn_library_stand(model);
        model->result = tn_study_run(&model->study);
        status = conclude_run(model);
    } else {
        status = advance_model(model, false, HUGE_VAL);
    }
    return status == TENON_ENDED ? TENON_OK : status;
}

tenon_status tenon_run(tenon_model *model) { return tn_library_call(model, run_model(model)); }

double tenon_time(const tenon_model *model)
{
    const tn_study *study = &model->study;
    if (!study->assembly) return (double)NAN;
    return model->phase == TN_OPENED && study->plan.solver_count ? study->plan.solver[0].run.start_time
                                                                 : study->assembly->system.time;
}

static tenon_status check_model(tenon_model *model, uint32_t *degrees_of_freedom, uint32_t *redundant)
{
    tn_rank rank;
    const tenon_status status = tn_library_enter(model);
    if (status != TENON_OK) return status;
    if (model->phase != TN_OPENED)
        return tn_library_say(model, TENON_REFUSED, "the model has been started already");
    const bool good = tn_study_check(&model->study, &rank);
    if (good) {
        *degrees_of_freedom = model->study.assembly->system.nv - rank.rank;
        *redundant = rank.redundant;
    }
    tn_rank_free(&rank);
    if (good) return TENON_OK;
    model->broken = TENON_FAILED;
    return tn_library_say(model, TENON_FAILED, "%s", model->study.assembly->failures.reason);
}

tenon_status tenon_check(tenon_model *model, uint32_t *degrees_of_freedom, uint32_t *redundant)
{
    return tn_library_call(model, check_model(model, degrees_of_freedom, redundant));
}

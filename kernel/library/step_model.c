/* step_model.c - runs models of the library, and steps them (run/run_study.c) */
#include "library/library.h"

#include "system/accept.h"

#include <math.h>

/* ---- what is asked of the solver -------------------------------------------------------------------------- */

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
    ((tenon_model *)data)->stepper.last_step = step->length;
    return TN_OK;
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

/* ---- the run ---------------------------------------------------------------------------------------------- */

/* A run has come to its end, or is ended. */
static tenon_status conclude_run(tenon_model *model)
{
    model->phase = TN_ENDED;
    model->result = tn_study_end(&model->study);
    /* the way from a checkpoint is of use no more: the results are there */
    if (model->result == TN_STUDY_FINISHED && model->options.writes)
        (void)tn_results_forget_checkpoint(&model->study);
    if (model->result == TN_STUDY_FINISHED || model->result == TN_STUDY_INTERRUPTED) return TENON_ENDED;
    model->broken = TENON_FAILED;
    return tn_library_say_last_error(model, TENON_FAILED, "the run has failed");
}

static tenon_status begin_stepping(tenon_model *model)
{
    tn_study *study = &model->study;
    study->client = (tn_study_client){.data = model,
                                      .begin = begin_run,
                                      .end = end_run,
                                      .solver = begin_solver,
                                      .is_interrupted = is_closing};
    study->stepped = true;
    if (tn_study_begin(study) != TN_STUDY_FINISHED) {
        model->phase = TN_ENDED;
        model->broken = TENON_FAILED;
        return tn_library_say_last_error(model, TENON_FAILED, "the run cannot begin");
    }
    model->phase = TN_STANDING;
    return tn_study_stands(study) ? TENON_OK : conclude_run(model);
}

void tn_stepper_close(tenon_model *model)
{
    model->stepper.closing = true;
    if (model->phase == TN_STANDING) (void)conclude_run(model);
}

tenon_status tn_library_stand(tenon_model *model)
{
    const tenon_status status = tn_library_enter(model);
    if (status != TENON_OK || model->phase != TN_OPENED) return status;
    if (!model->study.plan.solver_count)
        return tn_library_say(model, TENON_REFUSED, "the model has no [solver], and cannot be run");
    model->stepper.until = -HUGE_VAL;
    return begin_stepping(model);
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
    ask_for(&model->stepper);
    return tn_study_go_on(&model->study, until - slack, single ? 1 : UINT64_MAX) ? TENON_OK
                                                                                 : conclude_run(model);
}

tenon_status tenon_step(tenon_model *model)
{
    return tn_library_call(model, advance_model(model, true, HUGE_VAL));
}

tenon_status tenon_step_to(tenon_model *model, double time)
{
    return tn_library_call(model, advance_model(model, false, time));
}

static tenon_status run_whole(tenon_model *model)
{
    tn_study *study = &model->study;
    const tn_checkpoint *checkpoint = model->wishes.checkpoint;
    const tn_study_result begun =
        checkpoint ? tn_checkpoint_resume(study, checkpoint) : tn_study_begin(study);
    if (begun == TN_STUDY_FINISHED) {
        if (tn_checkpoints_wanted(study)) {
            tn_checkpoints_run(study);
        } else {
            while (tn_study_go_on(study, HUGE_VAL, UINT64_MAX))
                continue;
        }
        return conclude_run(model);
    }
    model->result = begun;
    model->phase = TN_ENDED;
    model->broken = TENON_FAILED;
    return tn_library_say_last_error(model, TENON_FAILED, "the run has failed");
}

static tenon_status run_model(tenon_model *model)
{
    tenon_status status = tn_library_enter(model);
    if (status != TENON_OK) return status;
    if (model->phase == TN_OPENED) {
        if (!model->study.plan.solver_count) return tn_library_stand(model);
        status = run_whole(model);
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

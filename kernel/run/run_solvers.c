/* run_solvers.c - runs the solvers of a study one after the other (see study.h)
 *
 * A solver that takes steps (tenon/draft/stepping.h) is called for as many of them as are wanted. One that only goes from start to end
 * does so in one call; where the run is to stand in between, on a thread of its own. */
#define _GNU_SOURCE
#include "run/advance_thread.h"
#include "run/clock.h"
#include "run/constraint_solver.h"
#include "run/linear_choice.h"
#include "run/study.h"

#include "analysis/energy.h"
#include "analysis/redundancy.h"
#include "changes/changes.h"
#include "complement/complement.h"
#include "start/start.h"
#include "system/accept.h"
#include "system/block_calls.h"
#include "system/linear.h"
#include "threads/threads.h"
#include "values/value_events.h"

#include <math.h>
#include <string.h>

bool tn_study_is_interrupted(const tn_study *study)
{
    return study->client.is_interrupted && study->client.is_interrupted(study->client.data);
}

/* ---- where one begins --------------------------------------------------------------------------------------------- */

/* A state that has no value yet is explained by the solver's first evaluation. */
static void start_ledger(tn_assembly *assembly)
{
    if (tn_evaluate_markers(assembly) == TN_OK) tn_ledger_start(assembly);
}

static tn_status note_redundancy(tn_study *study)
{
    tn_rank rank = {0};
    const tn_status status = tn_redundancy_find(study->assembly, false, &rank);
    tn_redundancy_set(study->assembly, status, &rank);
    if (status == TN_OK)
        tn_freedom_note(study->assembly, &rank);
    else if (status == TN_UNSUPPORTED)
        tn_study_tell(study, TN_SEVERITY_NOTE,
                      "closed loops with %u constraint rows are not searched for redundant ones (`tenon "
                      "check` searches them)",
                      rank.core_rows);
    tn_rank_free(&rank);
    return status == TN_OUT_OF_MEMORY ? status : TN_OK;
}

static bool seeks_state(const tn_solver_plan *plan) { return plan->type->flags & TN_SINGLE_STATE; }

/* Energies count from where the motion begins. */
static bool motion_begins(const tn_study *study)
{
    bool begins = true;
    for (size_t k = 0; k < study->running.number; k++)
        begins = begins && seeks_state(&study->plan.solver[k]);
    return begins;
}

/* Blocks that have a sample where the solver starts, at the state that meets the constraints. */
static tn_status take_first_samples(tn_assembly *assembly, const tn_solver_plan *plan, bool *changed)
{
    const double slack = tn_slack_of_times(plan->run.start_time, plan->run.step);
    assembly->system.time = plan->run.start_time;
    bool jumped = false;
    const tn_status status = tn_samples_take(assembly, plan->run.start_time + slack, &jumped);
    *changed = *changed || jumped;
    return status == TN_EVENT ? TN_OK : status;
}

/* What the model is before the solver sees it. */
static tn_status prepare_start(tn_study *study, const tn_solver_plan *plan, bool first, bool *changed)
{
    tn_assembly *assembly = study->assembly;
    const tn_status made = tn_changes_apply(assembly, plan->run.start_time, changed);
    if (made != TN_OK) return made;
    if (first || *changed) {
        const bool by_impulses = plan->type->flags & TN_BY_IMPULSES;
        const tn_status consistent =
            by_impulses ? tn_close_positions_only(assembly, first) : tn_make_consistent(assembly, first);
        if (consistent != TN_OK) return consistent;
    }
    if (assembly->system.rows && (first || *changed)) {
        const tn_status found = first ? note_redundancy(study) : tn_redundancy_renew(assembly);
        if (found != TN_OK) return found;
    }
    if (motion_begins(study)) start_ledger(assembly);
    return take_first_samples(assembly, plan, changed);
}

/* Whether the solver that ran before, at `time`, and the linear solver that it used, serve this one, too. */
static bool is_taken_over(const tn_study *study, const tn_solver_plan *plan, double time)
{
    return study->running.work && plan->type == plan[-1].type && plan->run.start_time == time;
}

static bool has_linear_of_last(const tn_solver_plan *plan)
{
    const tn_linear_choice now = plan->linear, last = plan[-1].linear;
    return now.type && now.type == last.type &&
           (now.type->instance_size == 0 ||
            memcmp(now.instance, last.instance, now.type->instance_size) == 0);
}

static void choose_linear(tn_study *study, const tn_solver_plan *plan, bool taken_over)
{
    if (taken_over && has_linear_of_last(plan)) return;
    tn_linear_close(study->assembly);
    if (plan->linear.type) tn_linear_open(study->assembly, plan->linear.type, plan->linear.instance);
}

/* An explicit solver, to which the model assigns no linear solver, asks for accelerations only. */
static void choose_row_solver(tn_study *study, const tn_solver_plan *plan)
{
    if (plan->linear_is_open && !(plan->type->flags & (TN_NEEDS_MATRIX | TN_BY_IMPULSES)))
        tn_complement_open(study->assembly);
}

static void end_work(tn_solver_run *running)
{
    if (running->work) tn_call(running->owner, end, running->work);
    running->work = NULL;
}

static tn_status begin_work(tn_study *study, const tn_solver_plan *plan, bool taken_over)
{
    tn_solver_run *running = &study->running;
    tn_assembly *assembly = study->assembly;
    void *work = NULL;
    tn_status status = TN_OK;
    tn_host_point(study->model, &plan->table->at, NULL);
    tn_solver_watch_begin(&running->watch, assembly, plan);
    choose_row_solver(study, plan);
    running->begun = true;
    if (plan->type->begin)
        status = tn_call(plan->type, begin, plan->instance, &assembly->system,
                         taken_over ? running->work : NULL, &work);
    else if (study->stepped)
        status = tn_advance_thread_begin(&running->thread, plan, assembly);
    if (work != running->work) end_work(running);
    running->work = work;
    running->owner = plan->type;
    tn_host_point(study->model, NULL, NULL);
    return status;
}

/* All that hear of the solver which is about to begin. */
static void announce_solver(tn_study *study, const tn_solver_plan *plan, bool taken_over)
{
    tn_accept_begin(study->assembly, &plan->run, plan->stop);
    study->solver = plan->type;
    study->ended_by = NULL;
    choose_linear(study, plan, taken_over);
    tn_complement_close(study->assembly);
    tn_constraint_solver_open(study->assembly, plan);
    tn_threads_open(study->model, study->options->guard ? 1 : plan->threads);
    tn_recorder_start(study->recorder, plan);
    if (study->client.solver) study->client.solver(study->client.data, plan);
}

/* Solver number `running.number` of the plan, from where the last one ended unless it says otherwise. */
static tn_status begin_solver(tn_study *study)
{
    tn_solver_plan *plan = &study->plan.solver[study->running.number];
    tn_assembly *assembly = study->assembly;
    const double time = assembly->system.time;
    const bool first = study->running.number == 0;
    if (!first && !plan->starts_anew) plan->run.start_time = time;
    if (seeks_state(plan)) {
        plan->run.end_time = plan->run.start_time;
        assembly->system.revision++; /* the state is about to jump */
    }
    if (plan->run.end_time < plan->run.start_time) {
        (void)tn_print_cut(assembly->failures.reason, sizeof assembly->failures.reason,
                           "the solver at line %u ends at %g s, before its start at %g s",
                           plan->table->place.line, plan->run.end_time, plan->run.start_time);
        return TN_INVALID;
    }
    const bool taken_over = is_taken_over(study, plan, time);
    announce_solver(study, plan, taken_over);
    bool changed = false;
    tn_status status = prepare_start(study, plan, first, &changed);
    tn_memory_settle(assembly);
    if (status == TN_OK && first) status = tn_linear_choose(study);
    if (!study->start.q) study->start = tn_state_copy_new(assembly);
    tn_state_copy_take(assembly, &study->start);
    if (status == TN_OK) status = begin_work(study, plan, taken_over && !changed);
    tn_memory_settle(assembly);
    return status;
}

/* ---- where one ends -------------------------------------------------------------------------------------- */

/* A plugin's mistake has no other cause, unless what it says is that the state is lost. */
static void tell_causes(tn_study *study, tn_status status)
{
    tn_assembly *assembly = study->assembly;
    const tn_system *system = &assembly->system;
    const bool lost = !tn_are_finite(system->q, system->nq) || !tn_are_finite(system->v, system->nv);
    if (assembly->failures.blame[0] && !lost) return;
    tn_causes_tell(assembly, status, study->solver->flags & TN_NEEDS_MATRIX, &study->start);
}

/* What the solver has come to; its work is left for the next one. */
static tn_status end_solver(tn_study *study)
{
    tn_solver_run *running = &study->running;
    tn_assembly *assembly = study->assembly;
    const tn_solver_plan *plan = &study->plan.solver[running->number];
    tn_status status = running->status;
    if (running->thread) status = tn_advance_thread_end(&running->thread);
    if (running->begun) status = tn_solver_watch_end(&running->watch, assembly, status);
    running->begun = false;
    if (assembly->failures.blame[0])
        memcpy(assembly->failures.reason, assembly->failures.blame, sizeof assembly->failures.reason);
    if (status != TN_OK && status != TN_EVENT && status != TN_OUT_OF_MEMORY) tell_causes(study, status);
    if (status != TN_EVENT || tn_study_is_interrupted(study) || !tn_accept_stops(assembly)) return status;
    size_t conditions = 0;
    study->ended_by = &tn_conditions(study->model, &conditions)[plan->stop];
    return TN_OK;
}

/* ---- the run --------------------------------------------------------------------------------------------- */

tn_status tn_solvers_begin(tn_study *study)
{
    const tn_study_client *client = &study->client;
    study->start_of_clock = tn_clock_now();
    tn_phases_begin(study->assembly, &study->phases);
    if (client->begin) client->begin(client->data, study);
    return study->plan.solver_count ? begin_solver(study) : TN_OK;
}

static bool has_come_to_end(const tn_study *study)
{
    const tn_solver_run *running = &study->running;
    const tn_system *system = &study->assembly->system;
    if (running->status != TN_OK) return true;
    if (running->thread) return tn_advance_thread_is_over(running->thread);
    return running->work && system->time >= study->plan.solver[running->number].run.end_time;
}

/* From where a solver stands, until the end of its part at the latest. */
static tn_status call_solver(tn_study *study, double until, uint64_t most)
{
    const tn_solver_run *running = &study->running;
    const tn_solver_plan *plan = &study->plan.solver[running->number];
    tn_assembly *assembly = study->assembly;
    tn_host_point(study->model, &plan->table->at, NULL);
    tn_status status = TN_OK;
    if (running->thread) {
        tn_advance_thread_go_on(running->thread, until, most == 1);
    } else if (running->work) {
        tn_accept_find_stops(assembly);
        status = tn_call(plan->type, step, running->work, until, most);
    } else {
        status = tn_call(plan->type, advance, plan->instance, &assembly->system);
    }
    tn_host_point(study->model, NULL, NULL);
    return status;
}

/* Whether the study stands where it was asked to. */
static bool stands(const tn_study *study, double until, uint64_t most)
{
    const tn_solver_run *running = &study->running;
    if (running->status != TN_OK && running->status != TN_EVENT) return false;
    if (running->thread ? tn_advance_thread_is_over(running->thread) : !running->work) return false;
    return most < UINT64_MAX || study->assembly->system.time >= until;
}

bool tn_solvers_go_on(tn_study *study, double until, uint64_t most)
{
    tn_solver_run *running = &study->running;
    const size_t count = study->plan.solver_count;
    while (running->number < count) {
        if (running->begun && !has_come_to_end(study)) {
            running->status = call_solver(study, until, most);
            if (stands(study, until, most)) return true;
        }
        running->status = end_solver(study);
        if (running->status != TN_OK || ++running->number == count) break;
        running->status = begin_solver(study);
        if (stands(study, until, UINT64_MAX)) return true;
    }
    running->number = count;
    return false;
}

void tn_solvers_end(tn_study *study)
{
    tn_solver_run *running = &study->running;
    const tn_study_client *client = &study->client;
    if (running->thread) (void)tn_advance_thread_end(&running->thread);
    if (running->number < study->plan.solver_count) {
        study->assembly->acceptance->watch = (tn_step_watch){0};
        running->status = TN_EVENT;
    }
    end_work(running);
    tn_threads_close(study->model);
    tn_phases_end(&study->phases);
    if (client->end) client->end(client->data, study);
    study->wall_time = tn_study_wall_time(study);
}

double tn_study_wall_time(const tn_study *study)
{
    return study->time_before + tn_clock_now() - study->start_of_clock;
}

tn_status tn_solvers_place(tn_study *study, size_t number, double start)
{
    tn_solver_run *running = &study->running;
    tn_solver_plan *plan = &study->plan.solver[number];
    tn_system *system = &study->assembly->system;
    const double time = system->time;
    if (running->thread) (void)tn_advance_thread_end(&running->thread);
    end_work(running);
    running->number = number;
    plan->run.start_time = start;
    if (seeks_state(plan)) plan->run.end_time = start;
    announce_solver(study, plan, false);
    system->time = time;
    return begin_work(study, plan, false);
}

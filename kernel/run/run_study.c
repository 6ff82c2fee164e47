/* run_study.c - runs the solvers of a study one after the other, and writes what comes of it (see study.h) */
#define _GNU_SOURCE
#include "run/clock.h"
#include "run/solver_watch.h"
#include "run/study.h"
#include "system/accept.h"
#include "analysis/energy.h"
#include "analysis/redundancy.h"
#include "changes/changes.h"
#include "system/linear.h"
#include "system/project.h"
#include "values/value_events.h"
#include "values/value_graph.h"

#include <math.h>
#include <string.h>

/* ---- solvers --------------------------------------------------------------------------------------------- */

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

static tn_status advance_solver(tn_study *study, const tn_solver_plan *plan)
{
    tn_assembly *assembly = study->assembly;
    tn_solver_watch watch;
    tn_host_point(study->model, &plan->table->at, NULL);
    tn_solver_watch_begin(&watch, assembly, plan);
    const tn_status returned = tn_call(plan->type, advance, plan->instance, &assembly->system);
    const tn_status status = tn_solver_watch_end(&watch, assembly, returned);
    tn_host_point(study->model, NULL, NULL);
    return status;
}

static bool is_interrupted(const tn_study *study)
{
    return study->client.is_interrupted && study->client.is_interrupted(study->client.data);
}

/* One part of the run, from where the last one ended unless it says otherwise. */
static tn_status run_solver(tn_study *study, tn_solver_plan *plan, bool first)
{
    tn_system *system = &study->assembly->system;
    if (!first && !plan->starts_anew) plan->run.start_time = system->time;
    if (plan->run.end_time < plan->run.start_time) {
        (void)tn_print_cut(study->assembly->failures.reason, sizeof study->assembly->failures.reason,
                           "the solver at line %u ends at %g s, before its start at %g s",
                           plan->table->place.line, plan->run.end_time, plan->run.start_time);
        return TN_INVALID;
    }
    tn_accept_begin(study->assembly, &plan->run, plan->stop);
    study->solver = plan->type;
    study->ended_by = NULL;
    tn_linear_close(study->assembly);
    if (plan->linear.type) tn_linear_open(study->assembly, plan->linear.type, plan->linear.instance);
    tn_recorder_start(study->recorder, plan);
    if (study->client.solver) study->client.solver(study->client.data, plan);
    bool changed = false;
    const tn_status made = tn_changes_apply(study->assembly, plan->run.start_time, &changed);
    if (made != TN_OK) return made;
    if (first || changed) {
        const tn_status consistent = tn_make_consistent(study->assembly, first);
        if (consistent != TN_OK) return consistent;
    }
    if (system->rows && (first || changed)) {
        const tn_status found = first ? note_redundancy(study) : tn_redundancy_renew(study->assembly);
        if (found != TN_OK) return found;
    }
    if (first) start_ledger(study->assembly);
    const tn_status status = advance_solver(study, plan);
    if (study->assembly->failures.blame[0])
        memcpy(study->assembly->failures.reason, study->assembly->failures.blame,
               sizeof study->assembly->failures.reason);
    if (status != TN_EVENT || is_interrupted(study) || !tn_accept_stops(study->assembly)) return status;
    size_t conditions = 0;
    study->ended_by = &tn_conditions(study->model, &conditions)[plan->stop];
    return TN_OK;
}

static tn_status run_all(tn_study *study)
{
    const tn_study_client *client = &study->client;
    tn_status status = TN_OK;
    const double start = tn_clock_now();
    if (client->begin) client->begin(client->data, study);
    for (size_t k = 0; k < study->plan.solver_count && status == TN_OK; k++)
        status = run_solver(study, &study->plan.solver[k], k == 0);
    if (client->end) client->end(client->data, study);
    study->wall_time = tn_clock_now() - start;
    return status;
}

/* ---- reports at the end ------------------------------------------------------------------------------ */

/* Implicit methods are chosen for their losses. */
static void check_energy(tn_study *study)
{
    double misfit = 0.0, share = 0.0, time = 0.0;
    const bool damps = study->solver && study->solver->flags & TN_NEEDS_MATRIX;
    if (!tn_account_misfit(study->assembly, &misfit, &share, &time) || (misfit < 0.0 && damps)) return;
    tn_study_tell(
        study, TN_SEVERITY_WARNING,
        "the run has %s %.3g J that no force accounts for, %.2g %% of the energy in the motion, most "
        "of it at about %.4g s: do not trust its results; try a smaller step, or an adaptive solver "
        "(the sensor `system = \"energy_balance\"` shows it)",
        misfit > 0.0 ? "gained" : "lost", fabs(misfit), 100.0 * share, time);
}

/* Reports conditions that have not occurred. Copies of one are at one place, and are reported once. */
static void report_conditions(const tn_study *study)
{
    const tn_model *model = study->model;
    const tn_place *before = NULL;
    size_t count = 0;
    const tn_live_value *condition = tn_conditions(model, &count);
    for (uint32_t k = 0; k < count; k++) {
        const tn_toml *node = condition[k].node;
        const bool same =
            before && before->line == node->place.line && strcmp(before->file, node->place.file) == 0;
        if (same || tn_condition_has_been_met(study->assembly, k)) continue;
        before = &node->place;
        tn_tell(study->diagnostics, TN_SEVERITY_NOTE, node->place, "`%s` has not occurred: %s", node->key,
                strcmp(node->key, "crosses") == 0 ? "the change was not made"
                                                  : "the solver went on to its `end_time`");
    }
}

/* How the solvers ended, and whether all was written. */
static tn_study_result conclude_run(tn_study *study, tn_status status, bool written)
{
    const bool interrupted = status == TN_EVENT && is_interrupted(study);
    study->status = !written          ? "failed"
                    : status == TN_OK ? "finished"
                    : interrupted     ? "interrupted"
                                      : "failed";
    if (status == TN_OK) report_conditions(study);
    if (written && status == TN_OK) return TN_STUDY_FINISHED;
    if (written && interrupted) return TN_STUDY_INTERRUPTED;
    char *reason = study->assembly->failures.reason;
    if (!reason[0]) memcpy(reason, study->assembly->failures.blame, sizeof study->assembly->failures.reason);
    if (!reason[0])
        (void)tn_print_cut(reason, sizeof study->assembly->failures.reason, "at time %.9g s: %s",
                           study->assembly->system.time,
                           written ? tn_status_text(status) : "the results cannot be written");
    tn_study_tell(study, TN_SEVERITY_ERROR, "the simulation failed %s", reason);
    return TN_STUDY_FAILED;
}

static tn_study_result run_recorded(tn_study *study)
{
    study->recorder = tn_recorder_new(study->assembly, &study->plan);
    const bool open =
        (!study->options->writes || tn_results_clear(study)) && tn_recorder_open(study->recorder);
    const tn_status status = open ? run_all(study) : TN_FATAL;
    const bool written = tn_recorder_close(study->recorder) && open;
    const tn_study_result result = conclude_run(study, status, written);
    if (result != TN_STUDY_FAILED) check_energy(study); /* a run that failed has its reason */
    tn_passed_tell(study);
    tn_tell_rest(study->diagnostics);
    return result;
}

/* ---- run.toml --------------------------------------------------------------------------------------------- */

static void end_writing(void *study)
{
    const tn_study_client *client = &((tn_study *)study)->client;
    client->write(client->data, false);
}

/* Nothing interrupts what is written. */
static bool write_file(tn_study *study, bool (*write)(tn_study *study))
{
    const tn_study_client *client = &study->client;
    tn_hold hold;
    if (!client->write) return write(study);
    client->write(client->data, true);
    tn_hold_begin(&hold, end_writing, study);
    const bool good = write(study);
    tn_hold_end(&hold);
    end_writing(study);
    return good;
}

tn_study_result tn_study_run(tn_study *study)
{
    if (!study->options->writes) return run_recorded(study);
    const tn_study_result refused = tn_results_open(study);
    if (refused != TN_STUDY_FINISHED) return refused;
    if (!write_file(study, tn_run_file_begin)) return TN_STUDY_FAILED;
    const tn_study_result result = run_recorded(study);
    return write_file(study, tn_run_file_write) ? result : TN_STUDY_FAILED;
}

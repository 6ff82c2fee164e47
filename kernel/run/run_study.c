/* run_study.c - runs a study from its start to its end, and writes what comes of it (see study.h) */
#include "run/solver_tables.h"

#include "analysis/energy.h"
#include "values/value_events.h"

#include <math.h>
#include <string.h>

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
    tn_causes_tell(study->assembly, TN_OK, damps, &study->start);
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
    const bool interrupted = status == TN_EVENT && tn_study_is_interrupted(study);
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

bool tn_study_is_complete(const tn_study *study)
{
    return study->status && strcmp(study->status, "finished") == 0;
}

/* ---- run.toml --------------------------------------------------------------------------------------------- */

static void end_writing(void *study)
{
    const tn_study_client *client = &((tn_study *)study)->client;
    client->write(client->data, false);
}

/* Nothing interrupts what is written. */
bool tn_study_write(tn_study *study, bool (*write)(tn_study *study))
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

/* ---- the run ---------------------------------------------------------------------------------------------- */

/* What the log is to say of the model. */
static tn_log_request describe_log(const tn_study *study)
{
    const char *path = tn_document_path(study->document), *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    return (tn_log_request){
        .diagnostics = study->diagnostics,
        .folder = study->results.descriptor,
        .title = study->model->name ? study->model->name : file,
        .model_text = study->plan.log ? tn_model_print(study->model, study->options->expanded) : NULL};
}

/* Whether results can be written; what the run comes to is known at its end. */
static bool begin_recording(tn_study *study)
{
    study->recorder = tn_recorder_new(study->assembly, &study->plan);
    tn_recorder_listen(study->recorder, study->client.row, study->client.data);
    if (study->options->writes && !tn_results_clear(study)) return false;
    const tn_log_request log = describe_log(study);
    return tn_recorder_open(study->recorder, &log);
}

tn_study_result tn_study_begin(tn_study *study)
{
    if (study->options->writes) {
        const tn_study_result refused = tn_results_open(study);
        if (refused != TN_STUDY_FINISHED) return refused;
        if (!tn_results_forget_checkpoint(study) || !tn_results_clear_log(study) ||
            !tn_study_write(study, tn_run_file_begin))
            return TN_STUDY_FAILED;
    }
    study->records = begin_recording(study);
    tn_solver_tables_open(study);
    study->running.status = study->records ? tn_solvers_begin(study) : TN_FATAL;
    return TN_STUDY_FINISHED;
}

/* What has come to nothing leaves the results as they are. */
static tn_study_result leave_results(tn_study *study)
{
    (void)tn_recorder_close(study->recorder);
    tn_recorder_leave_log(study->recorder);
    const char *reason = study->model->refused ? study->model->refusal : study->assembly->failures.blame;
    if (reason[0]) tn_study_tell(study, TN_SEVERITY_ERROR, "the run cannot be resumed: %s", reason);
    return TN_STUDY_REFUSED;
}

tn_study_result tn_study_resume(tn_study *study, const tn_study_resumption *resumption)
{
    const tn_study_result refused = tn_results_open(study);
    if (refused != TN_STUDY_FINISHED) return refused;
    const tn_file_names listed = study->results.replaced;
    study->results.replaced = (tn_file_names){0};
    study->resumes = tn_results_resumes(study) + 1;
    study->recorder = tn_recorder_new(study->assembly, &study->plan);
    const tn_log_request log = describe_log(study);
    if (!tn_recorder_reopen(study->recorder, &log, resumption->place)) return leave_results(study);
    study->running.status = tn_solvers_begin(study);
    if (!resumption->restore(resumption->data, study)) {
        tn_solvers_end(study);
        return leave_results(study);
    }
    if (study->client.resumed) study->client.resumed(study->client.data, study);
    if (!tn_study_write(study, tn_run_file_begin) || !tn_results_forget_added(study, &listed))
        return TN_STUDY_FAILED;
    tn_solver_tables_open(study);
    study->records = tn_recorder_cut(study->recorder);
    if (!study->records) study->running.status = TN_FATAL;
    return TN_STUDY_FINISHED;
}

bool tn_study_stands(const tn_study *study)
{
    const tn_status status = study->running.status;
    return study->records && (status == TN_OK || status == TN_EVENT);
}

bool tn_study_go_on(tn_study *study, double until, uint64_t most)
{
    return study->records && tn_solvers_go_on(study, until, most);
}

bool tn_study_reopen(tn_study *study)
{
    if (study->options->writes || !study->records) return false;
    study->records = begin_recording(study);
    if (study->client.begin) study->client.begin(study->client.data, study);
    study->running.begun = false;
    return study->records;
}

/* The log ends, and writers convert it. */
static tn_study_result end_log(tn_study *study, tn_study_result result)
{
    if (!study->plan.log || !study->records) return result;
    char *text = tn_run_file_text(study);
    const bool good = tn_recorder_end_log(study->recorder, study->status, text);
    tn_free(text);
    if (!good) study->status = "failed";
    return good && tn_study_convert(study) ? result : TN_STUDY_FAILED;
}

tn_study_result tn_study_end(tn_study *study)
{
    tn_run_log *log = tn_recorder_log(study->recorder);
    if (log && tn_study_stands(study)) tn_log_stop(log);
    if (study->records) tn_solvers_end(study);
    const bool written = tn_recorder_close(study->recorder) && study->records;
    tn_study_result result = conclude_run(study, study->running.status, written);
    if (result != TN_STUDY_FAILED) check_energy(study); /* a run that failed has its reason */
    if (result == TN_STUDY_FINISHED && study->start.q) {
        tn_tolerance_warn(study->assembly, &study->start);
        tn_slowness_tell(study->assembly, study->solver->flags & TN_NEEDS_MATRIX, &study->start);
    }
    tn_passed_tell(study);
    tn_tell_rest(study->diagnostics);
    result = end_log(study, result);
    return !study->options->writes || tn_study_write(study, tn_run_file_write) ? result : TN_STUDY_FAILED;
}

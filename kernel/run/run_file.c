/* run_file.c - run.toml: the model as read, and how the run went; it appears whole or not at all
 *
 * What is known before the run is printed before it: a crash leaves no time for that. */
#define _GNU_SOURCE
#include "run/put_file.h"
#include "run/signal_text.h"
#include "run/statistics.h"
#include "run/study.h"
#include "values/value_events.h"
#include "config/printed_text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define RETRIED(call) ((int)TEMP_FAILURE_RETRY(call))

static const char running[] = "running";

/* ---- the file -------------------------------------------------------------------------------------------- */

/* Writes all of run.toml, with this text between what was known before. Signal handlers do it, too. */
static bool put_file(const tn_study *study, const char *middle)
{
    const char *const text[] = {study->run_file.beginning, middle, study->run_file.ending};
    tn_file_part part[3];
    for (size_t k = 0; k < 3; k++)
        part[k] = (tn_file_part){text[k], strlen(text[k])};
    const tn_file_place place = {
        .directory = study->results.descriptor, .name = "run.toml", .in_work = TN_RUN_FILE_IN_WORK};
    return tn_put_file(&place, part, 3);
}

static void report_failure(const tn_study *study)
{
    tn_study_tell(study, TN_SEVERITY_ERROR, "%s/run.toml cannot be written: %s", study->plan.directory,
                  strerror(errno));
}

/* ---- before the run -------------------------------------------------------------------------------------- */

/* A string as TOML. */
static void write_string(FILE *file, const char *text) { tn_toml_print_text(file, text, strlen(text)); }

/* Names between which others may stand. */
static void write_list(FILE *file, const tn_file_names *list, bool goes_on)
{
    for (size_t k = 0; k < list->count; k++) {
        if (k || goes_on) (void)fputs(", ", file);
        write_string(file, list->name[k]);
    }
}

static void write_names(FILE *file, const char *key, const tn_file_names *list)
{
    (void)fprintf(file, "%s = [", key);
    write_list(file, list, false);
    (void)fputs("]\n", file);
}

static void write_plugins(FILE *file, const tn_registry *registry)
{
    for (size_t k = 0; k < tn_registry_file_count(registry); k++) {
        const tn_plugin_file *plugin = tn_registry_file(registry, k);
        if (plugin->verdict != TN_LOADED) continue;
        (void)fputs("\n[[run.plugin]]\n", file);
        tn_toml_print_line(file, "name", plugin->library->name);
        tn_toml_print_line(file, "version", plugin->library->version);
        tn_toml_print_line(file, "licence", plugin->library->licence);
        tn_toml_print_line(file, "file", plugin->path);
        (void)fprintf(file, "hash = \"%016llx\"\n", (unsigned long long)plugin->hash);
    }
}

static void write_parameters(FILE *file, const tn_parameters *parameters)
{
    if (parameters->names.count) (void)fputs("\n[run.parameters]\n", file);
    for (size_t k = 0; k < parameters->names.count; k++)
        (void)fprintf(file, "%s = %.17g\n", parameters->names.name[k], parameters->number[k].value);
}

/* The start of [run]. */
static void write_run(FILE *file, const tn_study *study)
{
    (void)fputs("[run]\n", file);
    tn_toml_print_line(file, "program", "tenon " TENON_VERSION);
    tn_toml_print_line(file, "model", tn_document_path(study->document));
    write_names(file, "files", &study->results.written);
    if (study->resumes) (void)fprintf(file, "resumes = %lld\n", study->resumes);
}

/* The model, and that. */
static void write_beginning(FILE *file, const tn_study *study)
{
    (void)fputs(tn_model_print(study->model, study->options->expanded), file);
    (void)fputc('\n', file);
    write_run(file, study);
}

/* What stands behind the rest of [run]. */
static void write_ending(FILE *file, const tn_study *study)
{
    write_parameters(file, study->model->reader->source.parameters);
    write_plugins(file, study->registry);
}

/* What one of these two writes. */
static char *print_part(const tn_study *study, void (*write_part)(FILE *file, const tn_study *study))
{
    tn_text_file text;
    tn_text_file_open(&text);
    write_part(text.file, study);
    return tn_text_file_close(&text);
}

/* What is still there of an earlier run stays known, so that it can be replaced later. */
static void write_replaced(FILE *file, const tn_study *study)
{
    const tn_file_names *replaced = &study->results.replaced, *unknown = &study->results.unknown;
    if (!replaced->count && !unknown->count) return;
    (void)fputs("replaced = [", file);
    write_list(file, replaced, false);
    write_list(file, unknown, replaced->count > 0);
    (void)fputs("]\n", file);
}

/* The time that the run is to reach, where its solvers take it anywhere. */
static void write_planned_end(FILE *file, const tn_plan *plan)
{
    double end = -HUGE_VAL;
    for (size_t k = 0; k < plan->solver_count; k++)
        if (!(plan->solver[k].type->flags & TN_SINGLE_STATE)) end = fmax(end, plan->solver[k].run.end_time);
    if (isfinite(end)) (void)fprintf(file, "planned_end = %.17g # s\n", end);
}

/* Until the run has ended. */
static void write_running(FILE *file, const tn_study *study)
{
    tn_toml_print_line(file, "status", running);
    (void)fprintf(file, "process = %ld\n", (long)getpid());
    write_planned_end(file, &study->plan);
    write_replaced(file, study);
}

bool tn_run_file_begin(tn_study *study)
{
    tn_run_file *file = &study->run_file;
    file->ending = print_part(study, write_ending);
    file->beginning = print_part(study, write_beginning);
    if (put_file(study, print_part(study, write_running))) return true;
    report_failure(study);
    *file = (tn_run_file){0};
    return false;
}

bool tn_run_file_renew(tn_study *study)
{
    study->run_file.beginning = print_part(study, write_beginning);
    if (put_file(study, print_part(study, write_running))) return true;
    report_failure(study);
    return false;
}

/* ---- after the run --------------------------------------------------------------------------------------- */

/* The conditions that have occurred, one after the other. */
static void write_events(FILE *file, const tn_assembly *assembly)
{
    double time = 0.0;
    const tn_live_value *condition;
    for (uint32_t k = 0; (condition = tn_condition_met(assembly, k, &time)); k++) {
        const tn_toml *node = condition->node;
        (void)fprintf(file, "\n[[run.event]]\ntime = %.17g # s\nline = %u\n", time, node->place.line);
        tn_toml_print_line(file, "file", node->place.file);
        tn_toml_print_line(file, node->key, node->text);
    }
}

/* What the user was told, line by line. */
static void write_told(FILE *file, const char *key, const tn_diagnostics *diagnostics, tn_severity severity)
{
    const char *before = "";
    for (size_t k = 0; k < tn_told_count(diagnostics); k++) {
        const tn_diagnostic *message = tn_told(diagnostics, k);
        char *line = message->severity == severity ? tn_diagnostic_line(message) : NULL;
        if (!line) continue;
        if (!*before) (void)fprintf(file, "%s = [\n", key);
        (void)fputs(before = "    ", file);
        write_string(file, line);
        (void)fputs(",\n", file);
    }
    if (*before) (void)fputs("]\n", file);
}

static void write_stop(FILE *file, const tn_study *study)
{
    tn_text text = {0};
    const tn_toml *node = study->ended_by->node;
    tn_text_add(&text, "at time %.9g s the solver was ended by `%s` at line %u: %s",
                study->assembly->system.time, node->key, node->place.line, node->text);
    tn_toml_print_line(file, "reason", text.letters);
}

/* The rest of [run]. */
static void write_result(FILE *file, const tn_study *study)
{
    tn_toml_print_line(file, "status", study->status);
    if (study->assembly->failures.reason[0])
        tn_toml_print_line(file, "reason", study->assembly->failures.reason);
    else if (study->ended_by)
        write_stop(file, study);
    write_replaced(file, study);
    write_told(file, "warnings", study->diagnostics, TN_SEVERITY_WARNING);
    write_told(file, "notes", study->diagnostics, TN_SEVERITY_NOTE);
    if (study->solver) tn_toml_print_line(file, "solver", study->solver->name);
    (void)fprintf(file, "end_time = %.17g # s, reached\n", study->assembly->system.time);
    tn_run_statistics_write(file, study);
    write_events(file, study->assembly);
    tn_figures_write(file, tn_recorder_figures(study->recorder), tn_study_is_complete(study));
}

/* Where run.toml cannot be written anew, a full disk still lets the few bytes of its status be changed. */
static void mark_failed(const tn_study *study)
{
    static const char failed[] = "\"failed\" "; /* as long as "running" in quotes */
    const off_t place = (off_t)(strlen(study->run_file.beginning) + strlen("status = "));
    const int file =
        RETRIED(openat(study->results.descriptor, "run.toml", O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    if (file < 0) return;
    _Static_assert(sizeof failed == sizeof running + 2, "one status takes the place of the other");
    if (RETRIED(pwrite(file, failed, sizeof failed - 1, place)) < 0) report_failure(study);
    (void)close(file);
}

char *tn_run_file_text(const tn_study *study)
{
    char *const part[] = {print_part(study, write_run), print_part(study, write_result),
                          print_part(study, write_ending)};
    tn_text text = {0};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        tn_text_add_letters(&text, part[k], strlen(part[k]));
        tn_free(part[k]);
    }
    return text.letters;
}

bool tn_run_file_write(tn_study *study)
{
    const bool good = put_file(study, print_part(study, write_result));
    if (!good) {
        report_failure(study);
        mark_failed(study);
    }
    study->run_file = (tn_run_file){0}; /* a crash from here on does not belong to the run */
    return good;
}

bool tn_run_file_write_crashed(const tn_study *study, const char *status, const char *reason)
{
    static tn_signal_text text;
    text.used = 0;
    tn_put(&text, "status = \"", status, "\"\n", NULL);
    if (reason) {
        tn_put(&text, "reason = \"", NULL);
        tn_put_escaped(&text, reason);
        tn_put(&text, "\"\n", NULL);
    }
    if (study->solver) tn_put(&text, "solver = \"", study->solver->name, "\"\n", NULL);
    tn_put(&text, "end_time = ", NULL);
    tn_put_real(&text, study->assembly->system.time);
    tn_put(&text, " # s, reached\n", NULL);
    return put_file(study, text.byte);
}

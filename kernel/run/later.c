/* later.c - results of a finished run (see later.h) */
#define _GNU_SOURCE
#include "run/later.h"

#include "config/printed_text.h"
#include "config/toml_internal.h"
#include "record/recording.h"
#include "run/conversions.h"
#include "run/put_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define RETRIED(call) ((int)TEMP_FAILURE_RETRY(call))

/* ---- recordings ------------------------------------------------------------------------------------------------ */

static tn_recording *read_recording(tn_study *study, int folder, const char *directory)
{
    tn_text reason = {0};
    tn_recording *recording = tn_recording_open(folder, directory, study->diagnostics, &reason);
    if (!recording) tn_study_tell(study, TN_SEVERITY_ERROR, "%s", reason.letters);
    tn_free(reason.letters);
    return recording;
}

tn_recording *tn_later_open(tn_study *study, const char *directory, const char **status)
{
    study->plan.directory = directory;
    const tn_toml *run = tn_results_enter(study);
    if (!run) return NULL;
    *status = tn_toml_text(run, "status");
    if (!*status) *status = "";
    tn_recording *recording = read_recording(study, study->results.descriptor, directory);
    /* a log without an end does not know it, as after a crash, or on a full disk */
    if (recording && (strcmp(*status, "failed") == 0 || strcmp(*status, "interrupted") == 0))
        tn_recording_put_status(recording, *status);
    return recording;
}

tn_recording *tn_later_read(tn_study *study, const char *directory)
{
    const int folder = RETRIED(open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder < 0) {
        tn_study_tell(study, TN_SEVERITY_ERROR, "%s holds no results of a run: %s", directory,
                      strerror(errno));
        return NULL;
    }
    tn_recording *recording = read_recording(study, folder, directory);
    (void)close(folder);
    return recording;
}

/* ---- run.toml --------------------------------------------------------------------------------------------------- */

/* Finds the line of [run] that begins so; its length includes the line break; NULL: there is none. */
static const char *find_line(const char *run, const char *beginning, size_t *length)
{
    const char *end = strstr(run + 1, "\n["), *line = strstr(run, beginning);
    if (!line || (end && line >= end)) return NULL;
    *length = strcspn(line, "\n") + 1;
    return line;
}

/* Replaces one line of the table [run] in run.toml; nothing else changes. */
static bool replace_line(tn_study *study, const char *beginning, const char *line)
{
    tn_text_failure failure = {.text = "it has no table [run]"};
    size_t length = 0, old = 0;
    const char *path = tn_arena_print(&study->results.arena, "%s/run.toml", study->plan.directory);
    char *text = tn_text_read(path, &length, &failure);
    const char *run = text ? strstr(text, "\n[run]\n") : NULL;
    const char *place = run ? find_line(run + 1, beginning, &old) : NULL;
    bool good = false;
    if (place) {
        const tn_file_part part[] = {{text, (size_t)(place - text)},
                                     {line, strlen(line)},
                                     {place + old, length - (size_t)(place - text) - old}};
        const tn_file_place file = {study->results.descriptor, "run.toml", TN_RUN_FILE_IN_WORK, false};
        good = tn_put_file(&file, part, 3);
        if (!good) (void)tn_print_cut(failure.text, sizeof failure.text, "%s", strerror(errno));
    }
    if (!good) tn_study_tell(study, TN_SEVERITY_ERROR, "%s cannot be changed: %s", path, failure.text);
    tn_free(text);
    return good;
}

static bool list_files(tn_study *study)
{
    const tn_file_names *names = &study->results.written;
    tn_text_file text;
    tn_text_file_open(&text);
    (void)fputs("files = [", text.file);
    for (size_t k = 0; k < names->count; k++) {
        if (k) (void)fputs(", ", text.file);
        tn_toml_print_text(text.file, names->name[k], strlen(names->name[k]));
    }
    (void)fputs("]\n", text.file);
    char *line = tn_text_file_close(&text);
    const bool good = replace_line(study, "files = [", line);
    tn_free(line);
    return good;
}

bool tn_later_mark_killed(tn_study *study, double time)
{
    char line[128];
    (void)snprintf(line, sizeof line, "status = \"killed\"\nend_time = %.17g # s, recovered\n", time);
    return replace_line(study, "process = ", "") && replace_line(study, "status = ", line);
}

/* ---- writers ---------------------------------------------------------------------------------------------------- */

static bool convert(tn_study *study, const tn_writer_choice *writer, const tn_recording *const *recording,
                    uint32_t count, bool tables, const tn_deliveries *deliveries)
{
    const tn_conversion_request request = {.writer = writer,
                                           .recording = recording,
                                           .count = count,
                                           .tables = tables,
                                           .list = list_files,
                                           .deliveries = deliveries};
    const uint32_t most = tables && count == 1 ? 1 : tn_conversion_most(writer->type);
    if (count <= most) return tn_convert(study, &request);
    tn_study_tell(study, TN_SEVERITY_ERROR, "the writer `%s` takes %u result%s, not %u", writer->type->name,
                  most, most == 1 ? "" : "s", count);
    return false;
}

bool tn_later_convert(tn_study *study, const tn_recording *const *recording, uint32_t count,
                      const tn_deliveries *deliveries)
{
    const tn_plan *plan = &study->plan;
    bool good = true;
    for (size_t k = 0; k < plan->writer_count; k++)
        good = convert(study, &plan->writer[k], recording, count, true, deliveries) && good;
    for (size_t k = 0; k < plan->converter_count; k++)
        if (!plan->converter[k].type->open) /* others are writers of rows, which were called above */
            good = convert(study, &plan->converter[k], recording, count, false, deliveries) && good;
    return good;
}

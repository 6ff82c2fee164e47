/* conversions.c - files that writers make of the log (tenon/draft/recording.h), behind a run or later (see conversions.h)
 *
 * A writer works in a folder of its own. Where it succeeds run.toml lists its files, which then take the place of those that it has made
 * before: a run that is killed in between leaves none that a later one would not remove. */
#define _GNU_SOURCE
#include "run/conversions.h"

#include "record/recording.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RETRIED(call) ((int)TEMP_FAILURE_RETRY(call))
#define FOLDER ".conversion.part"

static bool tell_failure(const tn_study *study, const char *name, const char *what)
{
    tn_study_tell(study, TN_SEVERITY_ERROR, "%s/%s %s: %s", study->plan.directory, name, what,
                  strerror(errno));
    return false;
}

/* ---- the folder ---------------------------------------------------------------------------------------------- */

static void close_folder(void *folder) { (void)closedir(folder); }

/* Calls `visit` for each name in it; false where that, or the folder, cannot be read. */
static bool for_names(const tn_study *study, bool (*visit)(void *data, int folder, const char *name),
                      void *data)
{
    const int file =
        RETRIED(openat(study->results.descriptor, FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    tn_hold hold;
    bool good = folder != NULL;
    if (!folder && file >= 0) (void)close(file);
    if (!folder) return false;
    tn_hold_begin(&hold, close_folder, folder);
    for (const struct dirent *entry; good && (errno = 0, entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            good = visit(data, file, entry->d_name);
    good = good && errno == 0;
    tn_hold_end(&hold);
    close_folder(folder);
    return good;
}

static bool remove_one(void *data, int folder, const char *name)
{
    (void)data;
    return RETRIED(unlinkat(folder, name, 0)) == 0;
}

/* Also what a killed run has left. */
static bool remove_folder(const tn_study *study)
{
    const int directory = study->results.descriptor;
    if (RETRIED(unlinkat(directory, FOLDER, AT_REMOVEDIR)) == 0 || errno == ENOENT) return true;
    (void)for_names(study, remove_one, NULL);
    return RETRIED(unlinkat(directory, FOLDER, AT_REMOVEDIR)) == 0 ||
           tell_failure(study, FOLDER, "cannot be removed");
}

/* ---- its files ------------------------------------------------------------------------------------------------ */

typedef struct made_files {
    tn_study *study;
    const tn_writer_type *type;
    tn_file_names names;
    bool told;
} made_files;

/* "report.html", "vtk_000012.vtp" */
static bool has_name_of(const tn_writer_type *type, const char *name)
{
    const size_t length = strlen(type->name);
    return strncmp(name, type->name, length) == 0 && strchr("._-", name[length]) != NULL &&
           tn_results_is_converted(name);
}

static bool take_name(void *data, int folder, const char *name)
{
    made_files *files = data;
    struct stat status;
    const bool known = RETRIED(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)) == 0;
    if (known && S_ISREG(status.st_mode) && has_name_of(files->type, name)) {
        TN_APPEND(files->names.name, files->names.count,
                  tn_arena_text(&files->study->results.arena, name, strlen(name)));
        return true;
    }
    files->told = true;
    tn_study_tell(
        files->study, TN_SEVERITY_ERROR,
        "the writer `%s` has made `%s`, which is no plain file named `%s`, then letters: its files are "
        "left out",
        files->type->name, name, files->type->name);
    return false;
}

/* What the writer has made before goes. */
static bool remove_earlier(tn_study *study, const tn_writer_type *type)
{
    tn_file_names *written = &study->results.written;
    size_t kept = 0;
    bool good = true;
    for (size_t k = 0; k < written->count; k++) {
        const bool goes = good && has_name_of(type, written->name[k]);
        if (goes) good = tn_results_remove(study, written->name[k]);
        if (!goes || !good) written->name[kept++] = written->name[k];
    }
    written->count = kept;
    return good;
}

static bool move_files(const tn_study *study, const tn_file_names *names)
{
    const int directory = study->results.descriptor;
    const int folder = RETRIED(openat(directory, FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    size_t moved = 0;
    while (folder >= 0 && moved < names->count &&
           RETRIED(renameat(folder, names->name[moved], directory, names->name[moved])) == 0)
        moved++;
    const bool good = folder >= 0 && moved == names->count;
    if (!good) (void)tell_failure(study, names->name[moved], "cannot be written");
    while (!good && moved)
        (void)unlinkat(directory, names->name[--moved], 0);
    if (folder >= 0) (void)close(folder);
    return good;
}

static bool place_files(made_files *files, bool (*list)(tn_study *study))
{
    tn_study *study = files->study;
    if (!for_names(study, take_name, files))
        return files->told || tell_failure(study, FOLDER, "cannot be read") ? false : false;
    if (!remove_earlier(study, files->type)) return false;
    for (size_t k = 0; k < files->names.count; k++)
        if (!tn_results_add(study, files->names.name[k])) return false;
    return list(study) && move_files(study, &files->names);
}

/* ---- the writer ----------------------------------------------------------------------------------------------- */

static bool call_writer(tn_study *study, const tn_writer_choice *writer, const tn_recording *const *recording,
                        uint32_t count)
{
    tn_model *model = study->model;
    const tn_loaded_writer *type = tn_loaded_writer_of(writer->type);
    const char *folder = tn_arena_print(&study->results.arena, "%s/" FOLDER, study->plan.directory);
    model->refused = false;
    const tn_status status = tn_call_at(
        type, "convert", NULL, type->convert(&model->host, writer->instance, recording, count, folder));
    if (status == TN_OK && !model->refused) return true;
    tn_study_tell(
        study, TN_SEVERITY_ERROR,
        "the writer `%s` makes no files of %s/" TN_LOG ": %s (`tenon convert %s --to %s` tries it again)",
        writer->type->name, study->plan.directory, model->refused ? model->refusal : tn_status_text(status),
        study->plan.directory, writer->type->name);
    return false;
}

uint32_t tn_conversion_most(const tn_writer_type *type)
{
    const tn_conversion *conversion = tn_capability_of(type->capabilities, TN_CONVERSION_KEY);
    return conversion ? conversion->most : 0;
}

bool tn_convert(tn_study *study, const tn_writer_choice *writer, const tn_recording *const *recording,
                uint32_t count, bool (*list)(tn_study *study))
{
    made_files files = {.study = study, .type = writer->type};
    if (!remove_folder(study)) return false;
    if (RETRIED(mkdirat(study->results.descriptor, FOLDER, 0777)) != 0)
        return tell_failure(study, FOLDER, "cannot be made");
    const bool good = call_writer(study, writer, recording, count) && place_files(&files, list);
    tn_free(files.names.name);
    return remove_folder(study) && good;
}

/* ---- behind a run ---------------------------------------------------------------------------------------------- */

static bool list_files(tn_study *study) { return tn_study_write(study, tn_run_file_renew); }

bool tn_study_convert(tn_study *study)
{
    const tn_plan *plan = &study->plan;
    tn_text reason = {0};
    bool good = true;
    if (!plan->converter_count) return true;
    tn_recording *recording =
        tn_recording_open(study->results.descriptor, plan->directory, study->diagnostics, &reason);
    if (!recording) tn_study_tell(study, TN_SEVERITY_ERROR, "%s", reason.letters);
    for (size_t k = 0; recording && k < plan->converter_count; k++)
        good =
            tn_convert(study, &plan->converter[k], (const tn_recording *const *)&recording, 1, list_files) &&
            good;
    if (recording) tn_recording_close(recording);
    tn_free(reason.letters);
    return recording && good;
}

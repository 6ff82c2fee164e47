/* conversions.c - calls writers that convert the log to files (tenon/draft/recording.h), after a run or later (see conversions.h)
 *
 * A writer writes into a folder of its own. Where it succeeds, run.toml lists its files, which then replace its earlier ones: every file that a
 * killed run leaves is listed, and a later run removes it. */
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
    return RETRIED(unlinkat(folder, name, 0)) == 0 || RETRIED(unlinkat(folder, name, AT_REMOVEDIR)) == 0;
}

/* Also removes the folder of a killed run. */
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
    const tn_conversion_request *request;
    const tn_writer_type *type;
    tn_file_names names;
    bool told;
} made_files;

/* What the names of its files begin with. */
static const char *stem_of(const tn_writer_type *type)
{
    const tn_loaded_writer *loaded = tn_loaded_writer_of(type);
    return loaded->stem ? loaded->stem : type->name;
}

/* "report.html", "vtk_000012.vtp" */
static bool has_name_of(const tn_writer_type *type, const char *name)
{
    const size_t length = strlen(stem_of(type));
    return strncmp(name, stem_of(type), length) == 0 && strchr("._-", name[length]) != NULL &&
           tn_results_may_convert(name);
}

/* "sensors.csv" */
static bool is_table_of(const tn_conversion_request *request, const char *name)
{
    const tn_recording *recording = request->recording[0];
    for (uint32_t t = 0; request->tables && t < recording->tables; t++) {
        const size_t length = strlen(recording->table[t].name);
        if (strncmp(name, recording->table[t].name, length) != 0) continue;
        for (const char *const *ending = request->writer->type->endings; ending && *ending; ending++)
            if (strcmp(name + length, *ending) == 0) return true;
    }
    return false;
}

static bool take_name(void *data, int folder, const char *name)
{
    made_files *files = data;
    struct stat status;
    const bool known = RETRIED(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)) == 0;
    if (known && S_ISREG(status.st_mode) &&
        (has_name_of(files->type, name) || is_table_of(files->request, name))) {
        TN_APPEND(files->names.name, files->names.count,
                  tn_arena_text(&files->study->results.arena, name, strlen(name)));
        return true;
    }
    files->told = true;
    tn_study_tell(
        files->study, TN_SEVERITY_ERROR,
        "the writer `%s` has made `%s`, which is no plain file named `%s`, then letters: its files are "
        "left out",
        files->type->name, name, stem_of(files->type));
    return false;
}

/* "vtk.pvd", which lists "vtk_000012.vtp" and others: it exists only while all of these do. */
static bool is_main(const tn_writer_type *type, const char *name)
{
    const size_t length = strlen(stem_of(type));
    return strncmp(name, stem_of(type), length) == 0 && name[length] == '.';
}

/* Removes earlier files of the writer: its main files, or the others. */
static bool remove_earlier(tn_study *study, const tn_writer_type *type, bool main)
{
    tn_file_names *written = &study->results.written;
    size_t kept = 0;
    bool good = true;
    for (size_t k = 0; k < written->count; k++) {
        const bool goes =
            good && has_name_of(type, written->name[k]) && is_main(type, written->name[k]) == main;
        if (goes) good = tn_results_remove(study, written->name[k]);
        if (!goes || !good) written->name[kept++] = written->name[k];
    }
    written->count = kept;
    return good;
}

static ssize_t read_piece(int file, char *piece, size_t size)
{
    size_t used = 0;
    while (used < size) {
        const ssize_t count = TEMP_FAILURE_RETRY(read(file, piece + used, size - used));
        if (count < 0) return -1;
        if (count == 0) break;
        used += (size_t)count;
    }
    return (ssize_t)used;
}

/* Whether one file begins with all of another one, and continues it up to the end of a row. */
static bool is_longer(int longer, int shorter)
{
    char one[1 << 14], other[sizeof one], last[2] = {0};
    ssize_t count;
    struct stat all, part;
    if (fstat(longer, &all) != 0 || fstat(shorter, &part) != 0 || all.st_size <= part.st_size) return false;
    while ((count = read_piece(shorter, one, sizeof one)) > 0)
        if (read_piece(longer, other, (size_t)count) != count || memcmp(one, other, (size_t)count) != 0)
            return false;
    return count == 0 && pread(longer, &last[0], 1, all.st_size - 1) == 1 &&
           pread(shorter, &last[1], 1, part.st_size - 1) == 1 && last[0] == last[1];
}

/* Whether a table of the run has more rows than its log, and is to be kept. */
static bool stays(const made_files *files, int directory, int folder, const char *name)
{
    if (!is_table_of(files->request, name)) return false;
    const int there = RETRIED(openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    const int here = RETRIED(openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    const bool longer = there >= 0 && here >= 0 && is_longer(there, here);
    if (there >= 0) (void)close(there);
    if (here >= 0) (void)close(here);
    return longer;
}

static bool move_file(const made_files *files, int directory, int folder, const char *name)
{
    if (stays(files, directory, folder, name)) {
        tn_study_tell(files->study, TN_SEVERITY_NOTE, "%s/%s stays as it is: it has more rows than the log",
                      files->study->plan.directory, name);
        return RETRIED(unlinkat(folder, name, 0)) == 0;
    }
    return RETRIED(renameat(folder, name, directory, name)) == 0;
}

/* Main files come last. */
static void order_names(const made_files *files)
{
    const char **name = files->names.name;
    size_t others = 0;
    for (size_t k = 0; k < files->names.count; k++) {
        if (is_main(files->type, name[k])) continue;
        const char *const other = name[k];
        name[k] = name[others];
        name[others++] = other;
    }
}

static bool move_files(const made_files *files)
{
    const tn_study *study = files->study;
    const tn_file_names *names = &files->names;
    order_names(files);
    const int directory = study->results.descriptor;
    const int folder = RETRIED(openat(directory, FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    size_t moved = 0;
    while (folder >= 0 && moved < names->count && move_file(files, directory, folder, names->name[moved]))
        moved++;
    const bool good = folder >= 0 && moved == names->count;
    if (!good) (void)tell_failure(study, names->name[moved], "cannot be written");
    while (!good && moved) /* backwards: main files first */
        (void)unlinkat(directory, names->name[--moved], 0);
    if (folder >= 0) (void)close(folder);
    return good;
}

/* Lists the files of the folder. */
static bool take_names(made_files *files)
{
    if (for_names(files->study, take_name, files)) return true;
    if (!files->told) (void)tell_failure(files->study, FOLDER, "cannot be read");
    return false;
}

static bool place_files(made_files *files)
{
    tn_study *study = files->study;
    if (!remove_earlier(study, files->type, true) || !remove_earlier(study, files->type, false)) return false;
    for (size_t k = 0; k < files->names.count; k++)
        if (!tn_results_has(&study->results, files->names.name[k]) &&
            !tn_results_add(study, files->names.name[k]))
            return false;
    return files->request->list(study) && move_files(files);
}

/* ---- files that go elsewhere ---------------------------------------------------------------------------------- */

static bool has_ending(const char *name, const char *ending)
{
    const size_t length = strlen(name), end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

/* In the folder of results, files with such a name are to be listed by run.toml. */
static bool is_among_results(const made_files *files, const tn_delivery *to)
{
    struct stat results, folder;
    const char *slash = strrchr(to->path, '/'), *name = slash ? slash + 1 : to->path;
    const int file = tn_delivery_open(to);
    const bool same = file >= 0 && fstat(file, &folder) == 0 &&
                      fstat(files->study->results.descriptor, &results) == 0 &&
                      folder.st_dev == results.st_dev && folder.st_ino == results.st_ino;
    if (file >= 0) (void)close(file);
    return same && (tn_delivery_is_folder(to) || has_name_of(files->type, name));
}

static bool deliver_one(const made_files *files, int folder, const tn_delivery *to)
{
    tn_study *study = files->study;
    size_t count = 0;
    bool good = true;
    for (size_t k = 0; k < files->names.count; k++)
        count += has_ending(files->names.name[k], to->ending);
    if (count == 0 || (count > 1 && !tn_delivery_is_folder(to)))
        return tn_study_tell(study, TN_SEVERITY_ERROR, "%s %s: the writer `%s` has made %zu files *%s",
                             to->option, to->path, files->type->name, count, to->ending),
               false;
    if (is_among_results(files, to))
        return tn_study_tell(
                   study, TN_SEVERITY_ERROR,
                   "%s %s: files of the writer `%s` in the folder of results are those that run.toml "
                   "lists: another name, or another folder is needed",
                   to->option, to->path, files->type->name),
               false;
    for (size_t k = 0; k < files->names.count && good; k++) {
        const char *name = files->names.name[k];
        if (!has_ending(name, to->ending)) continue;
        good = tn_deliver(to, folder, name);
        if (!good)
            tn_study_tell(study, TN_SEVERITY_ERROR, "%s %s cannot be written: %s", to->option, to->path,
                          strerror(errno));
    }
    return good;
}

static bool deliver_files(const made_files *files)
{
    const tn_deliveries *to = files->request->deliveries;
    const int folder = RETRIED(
        openat(files->study->results.descriptor, FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    bool good = folder >= 0 || tell_failure(files->study, FOLDER, "cannot be read");
    for (size_t k = 0; folder >= 0 && k < to->count; k++)
        good = deliver_one(files, folder, &to->delivery[k]) && good;
    if (folder >= 0) (void)close(folder);
    return good;
}

/* ---- the writer ----------------------------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 1 << 16 }; /* read at a time, about */

static tn_status write_rows(const tn_loaded_writer *type, const tn_recording *recording, uint32_t t,
                            void *table)
{
    const tn_recorded_table *from = &recording->table[t];
    const uint64_t most = from->columns < MOST_NUMBERS ? MOST_NUMBERS / from->columns : 1;
    double *value = tn_new((size_t)most * from->columns, sizeof *value);
    tn_status status = TN_OK;
    for (uint64_t first = 0; first < from->rows && status == TN_OK; first += most) {
        const uint64_t count = from->rows - first < most ? from->rows - first : most;
        status = recording->rows(recording, t, first, count, value);
        for (uint64_t k = 0; k < count && status == TN_OK; k++)
            status = tn_call(&type->own, row, table, value + k * from->columns);
    }
    tn_free(value);
    return status;
}

static tn_status write_table(tn_study *study, const tn_writer_choice *writer, const tn_recording *recording,
                             uint32_t t, const char *folder)
{
    const tn_loaded_writer *type = tn_loaded_writer_of(writer->type);
    const tn_recorded_table *from = &recording->table[t];
    tn_column *column = tn_arena_new(&study->results.arena, from->columns * sizeof *column);
    for (uint32_t c = 0; c < from->columns; c++)
        column[c] = (tn_column){from->column[c].name, from->column[c].unit};
    void *table = NULL;
    tn_status status = tn_call(&type->own, open, &study->model->host, writer->instance, folder, from->name,
                               column, from->columns, &table);
    if (status != TN_OK) return status;
    status = write_rows(type, recording, t, table);
    return tn_worse(status, tn_call(&type->own, close, table));
}

static tn_status make_files(tn_study *study, const tn_conversion_request *request, const char *folder)
{
    const tn_loaded_writer *type = tn_loaded_writer_of(request->writer->type);
    tn_status status = TN_OK;
    if (request->tables && type->own.open)
        for (uint32_t t = 0; t < request->recording[0]->tables && status == TN_OK; t++)
            status = write_table(study, request->writer, request->recording[0], t, folder);
    if (type->convert && status == TN_OK)
        status = tn_call_at(type, "convert", NULL,
                            type->convert(&study->model->host, request->writer->instance, request->recording,
                                          request->count, folder));
    return status;
}

static bool call_writer(tn_study *study, const tn_conversion_request *request)
{
    tn_model *model = study->model;
    const char *name = request->writer->type->name;
    const char *folder = tn_arena_print(&study->results.arena, "%s/" FOLDER, study->plan.directory);
    const size_t errors = tn_model_errors(model);
    model->refused = false;
    const tn_status status = make_files(study, request, folder);
    if (status == TN_OK && !model->refused && tn_model_errors(model) == errors) return true;
    tn_study_tell(study, TN_SEVERITY_ERROR, "the writer `%s` makes no files of %s/" TN_LOG ": %s", name,
                  study->plan.directory, model->refused ? model->refusal : tn_status_text(status));
    return false;
}

uint32_t tn_conversion_most(const tn_writer_type *type)
{
    const tn_conversion *conversion = tn_capability_of(type->capabilities, TN_CONVERSION_KEY);
    return conversion ? conversion->most : 0;
}

bool tn_convert(tn_study *study, const tn_conversion_request *request)
{
    made_files files = {.study = study, .request = request, .type = request->writer->type};
    if (!remove_folder(study)) return false;
    if (RETRIED(mkdirat(study->results.descriptor, FOLDER, 0777)) != 0)
        return tell_failure(study, FOLDER, "cannot be made");
    const bool good = call_writer(study, request) && take_names(&files) &&
                      (request->deliveries ? deliver_files(&files) : place_files(&files));
    tn_free(files.names.name);
    return remove_folder(study) && good;
}

/* ---- after a run ---------------------------------------------------------------------------------------------- */

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
    const tn_recording *const list[] = {recording};
    for (size_t k = 0; recording && k < plan->converter_count; k++) {
        const tn_conversion_request request = {
            .writer = &plan->converter[k], .recording = list, .count = 1, .list = list_files};
        good = tn_convert(study, &request) && good;
    }
    if (recording) tn_recording_close(recording);
    tn_free(reason.letters);
    return recording && good;
}

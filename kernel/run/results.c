/* results.c - the directory of results (see results.h) */
#define _GNU_SOURCE
#include "run/results.h"

#include "config/plugin_texts.h"
#include "config/toml_internal.h"
#include "run/study.h"

#include <tenon/draft/stepping.h>
#include <tenon/draft/tables.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RETRIED(call) ((int)TEMP_FAILURE_RETRY(call))

static bool holds_name(const tn_file_names *list, const char *name)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->name[k], name) == 0) return true;
    return false;
}

static void add_name(tn_results *results, tn_file_names *list, const char *front, const char *back)
{
    const char *name = tn_arena_print(&results->arena, "%s%s", front, back);
    if (holds_name(list, name)) return;
    TN_APPEND(list->name, list->count, name);
}

/* ---- the directory --------------------------------------------------------------------------------------- */

/* Makes a directory and those above it. */
static bool make_directory(tn_arena *arena, const char *directory)
{
    char *path = tn_arena_text(arena, directory, strlen(directory));
    for (char *slash = path; slash; *slash = '/') {
        slash = strchr(slash + 1, '/');
        if (!slash) break;
        *slash = '\0';
        if (RETRIED(mkdir(path, 0777)) != 0 && errno != EEXIST) return false;
    }
    return RETRIED(mkdir(path, 0777)) == 0 || errno == EEXIST;
}

static bool open_directory(const tn_study *study, tn_results *results)
{
    const char *directory = study->plan.directory;
    if (make_directory(&results->arena, directory))
        results->descriptor = RETRIED(open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (results->descriptor < 0)
        tn_study_tell(study, TN_SEVERITY_ERROR, "directory %s cannot be made: %s", directory,
                      strerror(errno));
    return results->descriptor >= 0;
}

/* ---- the earlier run ------------------------------------------------------------------------------------- */

/* [run] of a run.toml as text, without the tables in it where these can be told; NULL when it is none of Tenon. The model in front of it,
 * which may be long, is passed over: no line within its strings begins with [run]. */
static const tn_toml *find_run(tn_results *results, const char *text, size_t length, const char *path,
                               tn_text_failure *failure)
{
    static const char header[] = "\n[run]\n";
    const char *table = memmem(text, length, header, sizeof header - 1);
    if (!table) return NULL;
    const size_t rest = length - (size_t)(table - text);
    const char *next = memmem(table + 1, rest - 1, "\n[", 2);
    const tn_toml *root =
        next ? tn_toml_parse(table, (size_t)(next - table) + 1, path, &results->arena, failure) : NULL;
    if (!root) root = tn_toml_parse(table, rest, path, &results->arena, failure);
    const tn_toml *run = root ? tn_toml_get(root, "run") : NULL;
    const tn_toml *program = run ? tn_toml_get(run, "program") : NULL;
    const bool ours = program && program->kind == TN_TOML_STRING && strncmp(program->text, "tenon ", 6) == 0;
    return ours ? run : NULL;
}

/* [run] of the run.toml that is there; NULL when there is none, and after filling `failure`. */
static const tn_toml *read_earlier(tn_results *results, const char *directory, tn_text_failure *failure)
{
    struct stat status;
    size_t length = 0;
    *failure = (tn_text_failure){.text = "it is not from an earlier run"};
    if (RETRIED(fstatat(results->descriptor, "run.toml", &status, AT_SYMLINK_NOFOLLOW)) != 0) {
        if (errno == ENOENT)
            *failure = (tn_text_failure){.text = "it does not exist: no run has results here"};
        return NULL;
    }
    if (!S_ISREG(status.st_mode)) return NULL;
    const char *path = tn_arena_print(&results->arena, "%s/run.toml", directory);
    char *text = tn_text_read(path, &length, failure);
    const tn_toml *run = text ? find_run(results, text, length, path, &(tn_text_failure){0}) : NULL;
    tn_free(text); /* it may be long */
    return run;
}

bool tn_results_may_add(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz", *const endings[] = {".csv", ".json", ".mat",
                                                                                    ".npz"};
    const size_t stem = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    bool known = false;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        known = known || strcmp(name + stem, endings[k]) == 0;
    return known && strspn(name, letters) > 0;
}

bool tn_results_may_convert(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const char *point = strrchr(name, '.');
    return name[0] >= 'a' && name[0] <= 'z' && point && strcmp(point, ".toml") != 0 &&
           name[strspn(name, letters)] == '\0';
}

typedef struct stem_search {
    const char *name;
    bool found;
} stem_search;

static void compare_stem(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    (void)kind;
    (void)file;
    stem_search *search = data;
    const tn_loaded_writer *writer = type;
    const size_t length = writer->stem ? strlen(writer->stem) : 0;
    search->found =
        search->found || (writer->convert && length && strncmp(search->name, writer->stem, length) == 0 &&
                          strchr("._-", search->name[length]) && search->name[length]);
}

/* Writers of this run first; then all others, in a registry of their own, as the run does not use them. */
static bool begins_with_stem(tn_study *study, const char *name)
{
    stem_search search = {.name = name};
    tn_registry **others = &study->results.others;
    tn_types_visit(study->registry, TN_WRITER_KIND, compare_stem, &search);
    if (search.found) return true;
    if (!*others) {
        *others = tn_registry_new(study->options->installation, tn_reader_loading);
        for (size_t k = study->options->asked.plugin_path_count; k-- > 0;)
            (void)tn_registry_add_directory(*others, study->options->asked.plugin_paths[k]);
        tn_registry_load_all(*others, NULL);
    }
    tn_types_visit(*others, TN_WRITER_KIND, compare_stem, &search);
    return search.found;
}

/* Whether a name begins with the name or the stem of a writer that converts, followed by other letters. */
static bool is_converted(tn_study *study, const char *name)
{
    char front[TN_TABLE_NAME] = "", reason[TN_LONGEST_REASON];
    if (!tn_results_may_convert(name)) return false;
    for (size_t length = strcspn(name, "._-"); name[length] && length < sizeof front;
         length += 1 + strcspn(name + length + 1, "._-")) {
        memcpy(front, name, length);
        front[length] = '\0';
        const tn_loaded_writer *type =
            tn_registry_find(study->registry, TN_WRITER_KIND, front, reason, sizeof reason);
        if (type && type->convert) return true;
    }
    return begins_with_stem(study, name);
}

/* Names that run.toml lists are trusted only if a run may have made such files. */
static bool is_table(tn_study *study, const char *name)
{
    return tn_results_may_add(name) || strcmp(name, TN_LOG) == 0 ||
           (!strchr(name, '/') && (strncmp(name, TN_SENSORS ".", sizeof TN_SENSORS) == 0 ||
                                   strncmp(name, TN_STATES ".", sizeof TN_STATES) == 0)) ||
           is_converted(study, name);
}

static void list_earlier(tn_study *study, const tn_toml *names)
{
    tn_results *results = &study->results;
    for (size_t k = 0; names && names->kind == TN_TOML_ARRAY && k < names->count; k++)
        if (names->child[k]->kind == TN_TOML_STRING && is_table(study, names->child[k]->text))
            add_name(results, &results->replaced, names->child[k]->text, "");
        else if (names->child[k]->kind == TN_TOML_STRING && tn_results_may_convert(names->child[k]->text))
            add_name(results, &results->unknown, names->child[k]->text, "");
}

/* ---- one run at a time ----------------------------------------------------------------------------------- */

/* False when another run has the lock. A file system without locks is told: there is no other way to notice. */
static bool lock_directory(tn_study *study)
{
    const char *directory = study->plan.directory;
    if (RETRIED(flock(study->results.descriptor, LOCK_EX | LOCK_NB)) == 0) return true;
    if (errno != EWOULDBLOCK) {
        tn_study_tell(study, TN_SEVERITY_WARNING, "directory %s cannot be locked against other runs: %s",
                      directory, strerror(errno));
        return true;
    }
    tn_text_failure unused;
    const tn_toml *run = read_earlier(&study->results, directory, &unused);
    const tn_toml *process = run ? tn_toml_get(run, "process") : NULL;
    if (process)
        tn_study_tell(study, TN_SEVERITY_ERROR, "directory %s is in use by another run, process %lld",
                      directory, (long long)process->integer);
    else
        tn_study_tell(study, TN_SEVERITY_ERROR, "directory %s is in use by another run", directory);
    return false;
}

/* ---- what is there --------------------------------------------------------------------------------------- */

/* Looks at those files of plugins that are new: each is compared with all files of results. */
static void look_at_plugins(tn_study *study)
{
    tn_results *results = &study->results;
    while (results->plugins < tn_registry_file_count(study->registry)) {
        struct stat status;
        const tn_plugin_file *file = tn_registry_file(study->registry, results->plugins);
        if (stat(file->path, &status) != 0) status = (struct stat){0};
        TN_APPEND(results->plugin, results->plugins, status);
    }
}

/* The path by which the run reads this very file; NULL when it does not. */
static const char *input_of(tn_study *study, const struct stat *status)
{
    const char *input = tn_document_input(study->document, status);
    look_at_plugins(study);
    for (size_t k = 0; !input && k < study->results.plugins; k++) {
        const struct stat *plugin = &study->results.plugin[k];
        if (plugin->st_mode && plugin->st_dev == status->st_dev && plugin->st_ino == status->st_ino)
            input = tn_registry_file(study->registry, k)->path;
    }
    return input;
}

/* What a name in the directory is, a link being a link; of mode 0 when it is nothing. False after a message. */
static bool find_file(const tn_study *study, const char *name, struct stat *status)
{
    if (RETRIED(fstatat(study->results.descriptor, name, status, AT_SYMLINK_NOFOLLOW)) == 0) return true;
    *status = (struct stat){0};
    if (errno == ENOENT) return true;
    tn_study_tell(study, TN_SEVERITY_ERROR, "%s/%s: %s", study->plan.directory, name, strerror(errno));
    return false;
}

/* Whether a file may be replaced that is there, or not: false after a message, which may be an objection to its content. */
static bool check_file(tn_study *study, const char *name, const char *objection)
{
    struct stat status, target;
    const char *directory = study->plan.directory, *input = NULL;
    if (!find_file(study, name, &status)) return false;
    if (!status.st_mode) return true;
    if (RETRIED(fstatat(study->results.descriptor, name, &target, 0)) == 0) input = input_of(study, &target);
    if (input)
        tn_study_tell(study, TN_SEVERITY_ERROR, "the results would replace %s/%s, which this run reads as %s",
                      directory, name, input);
    else if (!S_ISREG(status.st_mode))
        tn_study_tell(study, TN_SEVERITY_ERROR, "%s/%s is %s: results replace files only", directory, name,
                      S_ISLNK(status.st_mode)    ? "a symbolic link"
                      : S_ISFIFO(status.st_mode) ? "a FIFO"
                                                 : "not a file");
    else if (objection)
        tn_study_tell(study, TN_SEVERITY_ERROR, "the results would replace %s/%s: %s", directory, name,
                      objection);
    return !input && S_ISREG(status.st_mode) && !objection;
}

static bool is_checkpoint(const tn_results *results)
{
    char word[sizeof TN_CHECKPOINT_WORD - 1] = "";
    const int file =
        RETRIED(openat(results->descriptor, TN_CHECKPOINT, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file < 0) return false;
    const bool whole = TEMP_FAILURE_RETRY(read(file, word, sizeof word)) == (ssize_t)sizeof word;
    (void)close(file);
    return whole && memcmp(word, TN_CHECKPOINT_WORD, sizeof word) == 0;
}

/* Of what an earlier run has left those files that are there, unless this run reads them. */
static bool keep_inputs(tn_study *study, tn_file_names *replaced)
{
    size_t kept = 0;
    for (size_t k = 0; k < replaced->count; k++) {
        struct stat status;
        if (!find_file(study, replaced->name[k], &status)) return false;
        if (S_ISREG(status.st_mode) && !input_of(study, &status)) replaced->name[kept++] = replaced->name[k];
    }
    replaced->count = kept;
    return true;
}

static bool check_files(tn_study *study)
{
    tn_results *results = &study->results;
    tn_text_failure failure;
    const tn_toml *earlier = read_earlier(results, study->plan.directory, &failure);
    list_earlier(study, earlier ? tn_toml_get(earlier, "files") : NULL);
    list_earlier(study, earlier ? tn_toml_get(earlier, "replaced") : NULL);
    bool good = check_file(study, "run.toml", earlier ? NULL : failure.text);
    good = check_file(study, TN_RUN_FILE_IN_WORK, NULL) && good;
    if (tn_plan_has_checkpoints(&study->plan)) {
        good = check_file(study, TN_CHECKPOINT_IN_WORK, NULL) && good;
        good =
            check_file(study, TN_CHECKPOINT, is_checkpoint(results) ? NULL : "it is none of a run") && good;
    }
    for (size_t k = 0; k < results->written.count; k++) {
        const char *name = results->written.name[k];
        const bool listed = holds_name(&results->replaced, name);
        good = check_file(study, name, listed ? NULL : "no earlier run lists it") && good;
    }
    return good && keep_inputs(study, &results->replaced) && keep_inputs(study, &results->unknown);
}

/* ---- the whole ------------------------------------------------------------------------------------------- */

static void list_written(tn_results *results, const tn_plan *plan)
{
    static const char *const tables[] = {TN_SENSORS, TN_STATES};
    for (int t = 0; t < (plan->states ? 2 : 1); t++)
        for (size_t k = 0; k < plan->writer_count; k++)
            for (const char *const *ending = plan->writer[k].type->endings; ending && *ending; ending++)
                add_name(results, &results->written, tables[t], *ending);
    if (plan->log) add_name(results, &results->written, TN_LOG, "");
}

bool tn_results_has(const tn_results *results, const char *name)
{
    return holds_name(&results->written, name);
}

void tn_results_list_state(tn_results *results, tn_state_visitor *visitor)
{
    uint64_t count = results->written.count - results->own;
    TN_VISIT(visitor, count);
    for (uint64_t k = 0; k < count; k++) {
        char name[TN_TABLE_NAME] = "";
        if (!visitor->restores)
            (void)snprintf(name, sizeof name, "%s", results->written.name[results->own + k]);
        visitor->bytes(visitor, name, sizeof name);
        name[sizeof name - 1] = '\0';
        if (visitor->restores && tn_results_may_add(name)) add_name(results, &results->written, name, "");
    }
}

bool tn_results_forget_added(tn_study *study, const tn_file_names *listed)
{
    bool good = true;
    for (size_t k = 0; k < listed->count; k++)
        if ((tn_results_may_add(listed->name[k]) || is_converted(study, listed->name[k])) &&
            !tn_results_has(&study->results, listed->name[k]))
            good = tn_results_remove(study, listed->name[k]) && good;
    return good;
}

bool tn_results_add(tn_study *study, const char *name)
{
    if (!check_file(study, name, "no earlier run lists it")) return false;
    add_name(&study->results, &study->results.written, name, "");
    return true;
}

tn_study_result tn_results_open(tn_study *study)
{
    tn_results *results = &study->results;
    if (!open_directory(study, results)) return TN_STUDY_FAILED;
    list_written(results, &study->plan);
    results->own = results->written.count;
    if (!lock_directory(study)) return TN_STUDY_REFUSED;
    return check_files(study) ? TN_STUDY_FINISHED : TN_STUDY_REFUSED_BY_FILES;
}

bool tn_results_remove(const tn_study *study, const char *name)
{
    if (RETRIED(unlinkat(study->results.descriptor, name, 0)) == 0 || errno == ENOENT) return true;
    tn_study_tell(study, TN_SEVERITY_ERROR, "%s/%s cannot be removed: %s", study->plan.directory, name,
                  strerror(errno));
    return false;
}

bool tn_results_clear_log(const tn_study *study)
{
    return !holds_name(&study->results.replaced, TN_LOG) || tn_results_remove(study, TN_LOG);
}

bool tn_results_clear(tn_study *study)
{
    tn_file_names *replaced = &study->results.replaced;
    for (; replaced->count; replaced->count--)
        if (!tn_results_remove(study, replaced->name[replaced->count - 1])) return false;
    return true;
}

bool tn_results_forget_checkpoint(const tn_study *study)
{
    const bool asked = tn_plan_has_checkpoints(&study->plan);
    const bool part = !asked || tn_results_remove(study, TN_CHECKPOINT_IN_WORK);
    return (!is_checkpoint(&study->results) || tn_results_remove(study, TN_CHECKPOINT)) && part;
}

long long tn_results_resumes(tn_study *study)
{
    tn_text_failure unused;
    const tn_toml *run = read_earlier(&study->results, study->plan.directory, &unused);
    const tn_toml *count = run ? tn_toml_get(run, "resumes") : NULL;
    return count && count->kind == TN_TOML_INTEGER ? (long long)count->integer : 0;
}

const tn_toml *tn_results_look(tn_results *results, const char *directory)
{
    tn_text_failure unused;
    return read_earlier(results, directory, &unused);
}

void tn_results_unlock(tn_results *results)
{
    if (results->descriptor >= 0) (void)close(results->descriptor);
    results->descriptor = -1;
}

const tn_toml *tn_results_enter(tn_study *study)
{
    tn_results *results = &study->results;
    const char *directory = study->plan.directory;
    tn_text_failure failure;
    results->descriptor = RETRIED(open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (results->descriptor < 0) {
        tn_study_tell(study, TN_SEVERITY_ERROR, "%s holds no results of a run: %s", directory,
                      strerror(errno));
        return NULL;
    }
    if (!lock_directory(study)) return NULL;
    const tn_toml *earlier = read_earlier(results, directory, &failure);
    if (!earlier) tn_study_tell(study, TN_SEVERITY_ERROR, "%s/run.toml: %s", directory, failure.text);
    const tn_toml *names = earlier ? tn_toml_get(earlier, "files") : NULL;
    for (size_t k = 0; names && names->kind == TN_TOML_ARRAY && k < names->count; k++)
        if (names->child[k]->kind == TN_TOML_STRING)
            add_name(results, &results->written, names->child[k]->text, "");
    return earlier;
}

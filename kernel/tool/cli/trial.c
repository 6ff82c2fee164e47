/* trial.c - tries the types of a library (see trial.h)
 *
 * A type says in its tables what it takes, but not all of it: its prepare() may refuse, a constraint may contradict itself
 * where bodies happen to stand. So models are made in many ways, and the first that runs is the trial; the others do not
 * count, unless the plugin does in them what it must not. Each runs in a child of its own, as `tenon run --guard` runs it. */
#define _GNU_SOURCE
#include "cli/trial.h"

#include "cli/process.h"
#include "cli/trial_model.h"
#include "cli/trial_values.h"
#include "plugin/search_path.h"
#include "cli/crash.h"
#include "cli/run_model.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct trial {
    const tn_trial_options *options;
    const char *library;     /* as it was named */
    char *own;               /* a directory of the trial's own, */
    const char *directory;   /* that of the models, */
    const char *results;     /* and that of what they write */
    tn_run_outcome *outcome; /* of the child: in memory that children share, for it may end at any time */
    tn_arena arena;

    tn_trial_subject subject; /* the type in hand */
    const char *model;        /* its file */
    bool coincides;           /* its bodies stand in one place, where a law need not have a value */
    char *seen[TN_TRIAL_WAYS];
    size_t seen_count;
    uint64_t steps;   /* of the models that have run */
    tn_text told;     /* by the last model */
    tn_text refusal;  /* of the first one that was refused */
    tn_text failure;  /* of the longest run that has failed as a run may, */
    uint64_t reached; /* and its steps */
} trial;

/* What has come of a model. */
typedef enum verdict {
    RAN,
    FAILED,  /* as a run may */
    REFUSED, /* before it began */
    FAULT,
    INTERRUPTED /* or it could not be run at all, which was told */
} verdict;

/* ---- one model ------------------------------------------------------------------------------------------- */

static int run_model(void *data)
{
    const trial *work = data;
    tn_crash_catch(); /* for this process */
    if (!tn_crash_limit(work->options->seconds, NULL)) {
        (void)fprintf(stderr, "error: the timer cannot be started: %s\n", strerror(errno));
        return 1;
    }
    const tn_run_options run = {.model = work->model,
                                .asked = {.results = work->results, .trust = 1},
                                .guard = true,
                                .outcome = work->outcome};
    return tn_run_model(&run);
}

/* A writer that has run has left one of the files that it says it makes. */
static bool has_written(trial *work)
{
    if (strcmp(work->subject.kind->key, TN_WRITER_KIND) != 0) return true;
    const tn_writer_type *type = work->subject.type;
    const char *const *ending = type->endings;
    for (; ending && *ending; ending++)
        if (access(tn_arena_print(&work->arena, "%s/sensors%s", work->results, *ending), F_OK) == 0)
            return true;
    if (ending == type->endings) return true; /* it does not say what it makes */
    tn_text_add(&work->told, "error: writer %s has made no file sensors%s of the table `sensors`\n",
                type->name, *type->endings);
    return false;
}

enum { MODEL_IS_WRONG = 2, SIGNALS = 128 }; /* exit statuses */

/* A child that could not tell why it has ended. */
static void tell_end(trial *work, int status)
{
    if (work->told.length && strstr(work->told.letters, "error: ")) return;
    if (status == TN_CHILD_KILLED)
        tn_text_add(&work->told, "error: the run did not end after %u s, and was killed\n",
                    work->options->seconds);
    else if (status > SIGNALS)
        tn_text_add(&work->told, "error: the run was ended by signal %d\n", status - SIGNALS);
    else
        tn_text_add(&work->told, "error: the run ended with status %d, without a message\n", status);
}

/* By whoever has started the trial: the child gets what comes from the keyboard, too. */
static bool is_interruption(int status)
{
    return status == SIGNALS + SIGINT || status == SIGNALS + SIGQUIT || status == SIGNALS + SIGTERM ||
           status == SIGNALS + SIGHUP;
}

static verdict judge_child(trial *work, int status)
{
    if (is_interruption(status)) return INTERRUPTED;
    if (!work->outcome->returned) {
        tell_end(work, status);
        return FAULT;
    }
    if (work->outcome->blames_plugin) return FAULT;
    if (work->outcome->lost_numbers && !work->coincides) return FAULT;
    if (status == MODEL_IS_WRONG) return REFUSED;
    if (status != 0) return FAILED;
    return has_written(work) ? RAN : FAULT;
}

static bool write_model_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    const bool good = file && fputs(text, file) >= 0;
    if (file && fclose(file) == 0 && good) return true;
    (void)fprintf(stderr, "tenon build: %s cannot be written: %s\n", path, strerror(errno));
    return false;
}

static verdict run_text(trial *work, const char *text)
{
    enum { GRACE = 1 }; /* s: in which the child tells about its limit */
    work->told = (tn_text){0};
    *work->outcome = (tn_run_outcome){.returned = false};
    if (!write_model_file(work->model, text)) return INTERRUPTED;
    const int status = tn_run_child(run_model, work, work->options->seconds + GRACE, &work->told);
    if (status == TN_CHILD_NOT_STARTED) {
        (void)fprintf(stderr, "tenon build: no child can be started: %s\n", strerror(errno));
        return INTERRUPTED;
    }
    const verdict found = judge_child(work, status);
    tn_remove_tree(work->results);
    return found;
}

/* ---- what was told --------------------------------------------------------------------------------------- */

/* The first error, without its place. */
static void keep_error(tn_text *kept, const char *told)
{
    static const char mark[] = "error: ", usual[] = "the simulation failed ";
    const char *error = told ? strstr(told, mark) : NULL;
    error = error ? error + strlen(mark) : "no reason was given";
    if (!strncmp(error, usual, strlen(usual))) error += strlen(usual);
    kept->length = 0;
    tn_text_add_letters(kept, error, strcspn(error, "\n"));
}

/* All lines but notes, which are about the run. What a message shows of a file begins with a blank. */
static void print_told(const char *told)
{
    bool printed = true;
    for (const char *line = told; line && *line;) {
        const size_t length = strcspn(line, "\n");
        const char *note = strstr(line, "note: ");
        if (*line != ' ') printed = !note || note > line + length;
        if (printed) (void)fprintf(stderr, "%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void tell_fault(const trial *work)
{
    (void)fflush(stdout);
    (void)fprintf(stderr, "tenon build: %s was built, but %s \"%s\" failed its trial:\n", work->library,
                  work->subject.kind->key, work->subject.name);
    print_told(work->told.letters);
    if (!work->options->models)
        (void)fputs("tenon build: `--models DIR` keeps the model, for `tenon run MODEL --trust --guard`\n",
                    stderr);
}

/* ---- one type -------------------------------------------------------------------------------------------- */

static bool is_new(trial *work, char *text)
{
    for (size_t k = 0; k < work->seen_count; k++)
        if (!strcmp(work->seen[k], text)) return false;
    work->seen[work->seen_count++] = text;
    return true;
}

/* Tries ways until a model runs; `way` is that one then. */
static verdict find_way(trial *work, unsigned *way)
{
    for (*way = 0; *way < TN_TRIAL_WAYS; (*way)++) {
        char *text = tn_trial_model(&work->subject, *way, TN_TRIAL_PLAIN);
        if (!is_new(work, text)) continue;
        work->coincides = tn_trial_coincides(&work->subject, *way);
        const verdict found = run_text(work, text);
        const uint64_t steps = work->outcome->steps;
        if (found == REFUSED && !work->refusal.length) keep_error(&work->refusal, work->told.letters);
        if (found == FAILED && (!work->failure.length || steps > work->reached)) {
            keep_error(&work->failure, work->told.letters);
            work->reached = steps;
        }
        if (found == RAN || found == FAULT || found == INTERRUPTED) return found;
    }
    return work->failure.length ? FAILED : REFUSED;
}

/* More models of the way that was found; those that do not run say nothing. */
static verdict try_extras(trial *work, unsigned way)
{
    work->steps = work->outcome->steps;
    for (int extra = TN_TRIAL_PLAIN + 1; extra < TN_TRIAL_EXTRAS; extra++) {
        char *text = tn_trial_model(&work->subject, way, (tn_trial_extra)extra);
        if (!is_new(work, text)) continue;
        const verdict found = run_text(work, text);
        if (found == FAULT || found == INTERRUPTED) return found;
        if (found == RAN) work->steps += work->outcome->steps;
    }
    return RAN;
}

static void forget_type(trial *work)
{
    work->seen_count = 0;
    work->reached = 0;
    work->told = work->refusal = work->failure = (tn_text){0};
}

static verdict try_type(trial *work, const tn_loaded_type *type)
{
    const char *kind = type->kind->key;
    tn_trial_subject *subject = &work->subject;
    subject->kind = type->kind;
    subject->type = type->type;
    subject->name = type->name;
    subject->parameters = ((const tn_type_head *)type->type)->parameters;
    work->model = tn_arena_print(&work->arena, "%s/%s_%s.toml", work->directory, kind, type->name);
    const char *missing = tn_trial_missing(subject->parameters);
    unsigned way = 0;
    verdict found = missing ? REFUSED : find_way(work, &way);
    if (found == RAN) found = try_extras(work, way);
    if (found == FAULT) tell_fault(work);
    if (found == FAULT || found == INTERRUPTED) return found;
    (void)printf("    %s \"%s\": ", kind, type->name);
    if (missing)
        (void)printf("not tried: its parameter `%s` is a file\n", missing);
    else if (found == RAN)
        (void)printf("tried for %llu steps under guard\n", (unsigned long long)work->steps);
    else if (work->reached)
        (void)printf("tried for %llu steps under guard, then it had no motion: \"%s\"\n",
                     (unsigned long long)work->reached, work->failure.letters);
    else
        (void)printf("not tried: no model was found for it: \"%s\"\n",
                     found == FAILED ? work->failure.letters : work->refusal.letters);
    return found;
}

/* ---- all types ------------------------------------------------------------------------------------------- */

static bool open_trial(trial *work, const char *path)
{
    const char *library = tn_adopt(realpath(path, NULL));
    work->subject.library = library ? library : path;
    work->own = tn_make_directory(&work->arena, "trials", "tenon-trial-XXXXXX");
    if (!work->own) return false;
    work->results = tn_join(&work->arena, work->own, "results");
    work->directory = work->options->models ? work->options->models : work->own;
    if (work->options->models && mkdir(work->options->models, 0777) != 0 && errno != EEXIST) {
        (void)fprintf(stderr, "tenon build: --models %s: %s\n", work->options->models, strerror(errno));
        tn_remove_tree(work->own);
        return false;
    }
    work->outcome =
        mmap(NULL, sizeof *work->outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (work->outcome == MAP_FAILED) tn_no_memory("the messages of a trial");
    return true;
}

bool tn_try_library(const char *path, const tn_loaded *loaded, const tn_trial_options *options)
{
    trial work = {.options = options, .library = path};
    if (!open_trial(&work, path)) return false;
    bool good = true;
    verdict found = RAN;
    for (size_t k = 0; k < loaded->type_count && found != INTERRUPTED; k++) {
        found = try_type(&work, &loaded->types[k]);
        good = good && found != FAULT && found != INTERRUPTED;
        forget_type(&work);
    }
    if (found == INTERRUPTED) (void)fputs("tenon build: the trial did not finish\n", stderr);
    (void)munmap(work.outcome, sizeof *work.outcome);
    tn_remove_tree(work.own);
    return good;
}

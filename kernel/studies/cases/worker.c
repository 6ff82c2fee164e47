/* worker.c - a process that works on cases of one batch after the other, as its executor deals them, and appends a line for each */
#define _GNU_SOURCE
#include "cases/cases.h"

#include "names/reader.h"
#include "plugin/call_site.h"
#include "run/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYNCED_EVERY 5.0 /* s on the clock */

typedef struct worker {
    const tn_cases *cases;
    const char *folder;
    char name[64], at[TN_BATCH_NAME]; /* at: the batch that is being worked on; "": none yet */
    tn_arena arena;                   /* of this batch */
    tn_batch_file batch;
    tn_case_run *run;
    int lines;     /* of this batch */
    double synced; /* when the lines were last */
    void *self;    /* of the executor */
} worker;

static bool say(const worker *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool say(const worker *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char text[TN_LONGEST_REASON];
    (void)tn_print_cut_list(text, sizeof text, format, arguments);
    va_end(arguments);
    tn_tell(w->cases->file.diagnostics, TN_SEVERITY_ERROR, (tn_place){0}, "%s", text);
    return false;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

/* A line is written at once, so that it is whole or not there. */
static bool write_line(worker *w, const tn_case_result *result)
{
    tn_text text = {0};
    tn_case_line_print(&text, result, w->cases->numbers);
    ssize_t written = 0;
    do
        written = write(w->lines, text.letters, text.length);
    while (written < 0 && errno == EINTR);
    const bool whole = written == (ssize_t)text.length;
    const int reason = written < 0 ? errno : ENOSPC;
    tn_free(text.letters);
    if (!whole) return say(w, "lines of results cannot be written: %s", strerror(reason));
    if (tn_clock_now() - w->synced < SYNCED_EVERY) return true;
    w->synced = tn_clock_now();
    return fdatasync(w->lines) == 0 || say(w, "lines of results cannot be written: %s", strerror(errno));
}

static bool work_on(worker *w, uint64_t k)
{
    const tn_cases *cases = w->cases;
    const tn_batch_case *one = &w->batch.list[k];
    const double *value = w->batch.value + k * cases->variables;
    const char *changed = tn_cases_changed_input(cases);
    tn_arena arena = {0};
    if (changed)
        return say(w, "%s has changed since the study began: its cases would be those of two models",
                   changed);
    const char *folder =
        cases->execute.keep == TN_KEEP_RESPONSES
            ? NULL
            : tn_arena_print(&arena, "%s/cases/%llu", w->folder, (unsigned long long)one->number);
    if (folder) (void)nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS); /* of an earlier attempt */
    tn_case_result result = {
        .number = one->number, .hash = tn_case_hash_of(cases, value), .attempt = one->attempt};
    bool good = tn_case_run_apart(cases, w->run, value, folder, &result) ||
                say(w, "no process can be started for a case: %s", strerror(errno));
    if (good && folder && cases->execute.keep == TN_KEEP_FAILED && result.status == TN_CASE_OK)
        (void)nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    tn_arena_free(&arena);
    good = good && write_line(w, &result);
    if (good && cases->executor->note_work) tn_call(cases->executor, note_work, w->self, k);
    return good;
}

static bool close_lines(worker *w)
{
    const bool good = w->lines < 0 || close(w->lines) == 0 ||
                      say(w, "lines of results cannot be written: %s", strerror(errno));
    w->lines = -1;
    return good;
}

/* The lines of the batch before need not be on the disk: the driver has read them, or runs their cases again. */
static bool open_batch(worker *w, const char *batch)
{
    const char *reason = NULL;
    if (!close_lines(w)) return false;
    tn_arena_free(&w->arena);
    w->batch = (tn_batch_file){.count = 0};
    (void)tn_print_cut(w->at, sizeof w->at, "%s", batch);
    const char *path = tn_arena_print(&w->arena, "%s/jobs/%s/batch", w->folder, batch);
    if (!tn_batch_read(path, &w->batch, w->cases->variables, &w->arena, &reason))
        return say(w, "%s: %s", path, reason);
    if (memcmp(&w->batch.base, &w->cases->base, sizeof w->batch.base) != 0)
        return say(w,
                   "%s: the batch was made from another model, or other versions of its plugins or of tenon, "
                   "than are here",
                   path);
    path = tn_arena_print(&w->arena, "%s/lines/%s.%s.jsonl", w->folder, batch, w->name);
    w->lines = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    return w->lines >= 0 || say(w, "%s: %s", path, strerror(errno));
}

/* Until there is nothing more to do. */
static bool work(worker *w)
{
    const tn_executor_type *type = w->cases->executor;
    for (;;) {
        tn_work work = {.count = 0};
        if (tn_call(type, next_work, w->self, &work) != TN_OK) return false;
        if (!work.count) return true;
        work.batch[TN_BATCH_NAME - 1] = '\0';
        if (strcmp(work.batch, w->at) != 0 && !open_batch(w, work.batch)) return false;
        if (work.first > w->batch.count || work.count > w->batch.count - work.first)
            return say(w, "executor `%s` has dealt cases that the batch does not have", type->name);
        for (uint64_t k = work.first; k < work.first + work.count; k++)
            if (!work_on(w, k)) return false;
    }
}

int tn_cases_work(const tn_cases *cases, const char *folder)
{
    worker w = {.cases = cases, .folder = folder, .lines = -1, .synced = tn_clock_now()};
    const tn_executor_type *type = cases->executor;
    const tn_host *host = &cases->file.model->host;
    (void)signal(SIGINT, SIG_IGN); /* cases that are being worked on come to their end */
    if (tn_call(type, begin_work, host, cases->executor_instance, w.name, sizeof w.name, &w.self) != TN_OK) {
        tn_diagnostics_publish(cases->file.diagnostics);
        return 1;
    }
    w.run = tn_case_run_new(cases);
    /* each case gets a copy of every page of the heap that it writes to: better few whole free ones */
    (void)malloc_trim(0);
    bool good = w.run ? work(&w) : say(&w, "no memory for the results of other processes");
    if (w.lines >= 0 && fdatasync(w.lines) != 0)
        good = say(&w, "lines of results cannot be written: %s", strerror(errno));
    good = close_lines(&w) && good;
    tn_call(type, end_work, w.self);
    tn_diagnostics_publish(cases->file.diagnostics);
    tn_case_run_free(w.run);
    tn_arena_free(&w.arena);
    return good ? 0 : 1;
}

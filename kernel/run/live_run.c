/* live_run.c - follows a run that goes on (see live_run.h) */
#define _GNU_SOURCE
#include "run/live_run.h"

#include "config/toml_internal.h"
#include "record/log_blocks.h"
#include "record/piece.h"
#include "record/recording.h"
#include "run/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RETRIED(call) ((int)TEMP_FAILURE_RETRY(call))

enum { MOST_NUMBERS = 1 << 20 }; /* of rows, and of frames, in one answer */
#define SILENCE 1.0              /* s without news; then the lock is tested */

/* ---- run.toml ---------------------------------------------------------------------------------------------------- */

static bool lists_log(const tn_toml *files)
{
    for (size_t k = 0; files && files->kind == TN_TOML_ARRAY && k < files->count; k++)
        if (files->child[k]->kind == TN_TOML_STRING && strcmp(files->child[k]->text, TN_LOG) == 0)
            return true;
    return false;
}

static void take_run(tn_live_run *run, const tn_toml *table)
{
    const char *status = tn_toml_text(table, "status"), *reason = tn_toml_text(table, "reason");
    const tn_toml *end = tn_toml_get(table, "planned_end");
    (void)tn_print_cut(run->status, sizeof run->status, "%s", status ? status : "");
    (void)tn_print_cut(run->reason, sizeof run->reason, "%s", reason ? reason : "");
    run->keeps_log = lists_log(tn_toml_get(table, "files"));
    if (end && (end->kind == TN_TOML_REAL || end->kind == TN_TOML_INTEGER)) run->end_time = end->real;
}

static void read_run_file(tn_live_run *run)
{
    struct stat file;
    tn_results results = {.descriptor = run->folder};
    if (RETRIED(fstatat(run->folder, "run.toml", &file, AT_SYMLINK_NOFOLLOW)) != 0) file = (struct stat){0};
    if (file.st_mtim.tv_sec == run->written.tv_sec && file.st_mtim.tv_nsec == run->written.tv_nsec) return;
    run->written = file.st_mtim;
    run->status[0] = run->reason[0] = '\0';
    run->end_time = (double)NAN;
    const tn_toml *table = tn_results_look(&results, run->directory);
    if (table) take_run(run, table);
    tn_arena_free(&results.arena);
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

static void leave_log(tn_live_run *run)
{
    if (run->recording) tn_recording_close(run->recording);
    run->recording = NULL;
    run->number++;
}

/* False with a reason. */
static bool enter_log(tn_live_run *run, tn_text *reason)
{
    run->recording = tn_recording_open(run->folder, run->directory, run->study->diagnostics, reason);
    return run->recording != NULL;
}

/* Whether a process writes here. On a file system without locks it is assumed. */
static bool is_locked(const tn_live_run *run)
{
    if (RETRIED(flock(run->folder, LOCK_SH | LOCK_NB)) != 0) return true;
    (void)flock(run->folder, LOCK_UN);
    return false;
}

static const char *find_status(tn_live_run *run)
{
    if (tn_recording_ended(run->recording)) return run->recording->status;
    const double now = tn_clock_now();
    const bool silent = now - run->news_at > SILENCE;
    if (!silent) return "running";
    if (now - run->asked_at > SILENCE && run->goes_on) {
        run->asked_at = now;
        run->goes_on = is_locked(run);
    }
    if (run->goes_on) return "running";
    return run->status[0] && strcmp(run->status, "running") != 0 ? run->status : "killed";
}

/* ---- the directory ----------------------------------------------------------------------------------------------- */

/* Opens the directory; again where another one has its name now. */
static bool enter_folder(tn_live_run *run)
{
    struct stat there, here;
    if (run->folder >= 0 && stat(run->directory, &there) == 0 && fstat(run->folder, &here) == 0 &&
        there.st_dev == here.st_dev && there.st_ino == here.st_ino)
        return true;
    if (run->folder >= 0) (void)close(run->folder);
    run->folder = RETRIED(open(run->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (run->recording) leave_log(run);
    run->written = (struct timespec){0};
    return run->folder >= 0;
}

/* Whether a log may come later: a run is about to begin, or is waited for. */
static bool may_come(const tn_live_run *run, bool waits)
{
    struct stat file;
    const bool missing = fstatat(run->folder, TN_LOG, &file, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
    return (waits && missing) || is_locked(run);
}

bool tn_live_run_open(tn_live_run *run, bool waits)
{
    tn_text reason = {0};
    run->folder = -1;
    run->number = 1;
    run->goes_on = true;
    run->end_time = (double)NAN;
    run->news_at = run->asked_at = tn_clock_now() - 2.0 * SILENCE;
    bool good = enter_folder(run);
    if (good) {
        run->was_locked = is_locked(run);
        read_run_file(run);
        run->first_written = run->written;
    }
    if (!good)
        tn_text_add(&reason, "%s holds no results of a run: %s", run->directory, strerror(errno));
    else
        good = enter_log(run, &reason) || may_come(run, waits);
    if (!good && !(waits && run->folder < 0))
        tn_study_tell(run->study, TN_SEVERITY_ERROR, "%s", reason.letters);
    good = good || (waits && run->folder < 0);
    tn_free(reason.letters);
    if (good && run->recording) (void)tn_live_run_look(run);
    return good;
}

bool tn_live_run_look(tn_live_run *run)
{
    tn_text reason = {0};
    char before[sizeof run->status] = "";
    tn_log_news news = TN_LOG_SAME;
    const bool was_there = run->recording != NULL;
    if (was_there) (void)tn_print_cut(before, sizeof before, "%s", run->recording->status);
    if (!enter_folder(run)) return was_there;
    if (run->recording) news = tn_recording_refresh(run->recording, run->folder);
    if (news == TN_LOG_REPLACED) leave_log(run);
    if (!run->recording && enter_log(run, &reason)) news = TN_LOG_REPLACED;
    tn_free(reason.letters);
    read_run_file(run);
    if (!run->recording) return was_there;
    if (news != TN_LOG_SAME) {
        run->news_at = tn_clock_now();
        run->goes_on = true;
    }
    tn_recording_put_status(run->recording, find_status(run));
    run->goes_on = run->goes_on && !tn_recording_ended(run->recording);
    return news != TN_LOG_SAME || strcmp(run->recording->status, before) != 0;
}

/* Whether run.toml is that of a run that was there, or came meanwhile. */
static bool has_run(const tn_live_run *run)
{
    const struct timespec now = run->written, first = run->first_written;
    return run->status[0] && (run->was_locked || now.tv_sec != first.tv_sec || now.tv_nsec != first.tv_nsec);
}

bool tn_live_run_await(tn_live_run *run)
{
    const bool locked =
        run->folder < 0 || is_locked(run); /* before the look: what has ended is seen as a whole */
    (void)tn_live_run_look(run);
    if (run->recording || !has_run(run) || (locked && run->keeps_log)) return true;
    if (!run->keeps_log)
        tn_study_tell(run->study, TN_SEVERITY_ERROR,
                      "%s: the run keeps no log, so that there is nothing to show", run->directory);
    else
        tn_study_tell(run->study, TN_SEVERITY_ERROR,
                      "%s: the run has ended without a log, its status is `%s`%s%s", run->directory,
                      strcmp(run->status, "running") == 0 ? "killed" : run->status,
                      run->reason[0] ? ": " : "", run->reason);
    return false;
}

void tn_live_run_close(tn_live_run *run)
{
    if (run->recording) leave_log(run);
    if (run->folder >= 0) (void)close(run->folder);
    run->folder = -1;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static const tn_live_pages *pages_of(const tn_study *study)
{
    return study->plan.converter_count ? tn_loaded_writer_of(study->plan.converter->type)->pages : NULL;
}

bool tn_live_run_is_possible(const tn_study *study) { return pages_of(study) != NULL; }

static void put(const tn_live *live, const void *bytes, size_t count)
{
    (void)fwrite(bytes, 1, count, live->self);
}

/* Calls the writer for a page, or for its continuation. */
static tn_status call_writer(const tn_live_run *run, const tn_recording *recording, const tn_live *live,
                             bool whole)
{
    const tn_study *study = run->study;
    const tn_writer_choice *writer = study->plan.converter;
    const tn_live_pages *pages = pages_of(study);
    const tn_loaded_writer *type = tn_loaded_writer_of(writer->type);
    const tn_host *host = &study->model->host;
    return whole ? tn_call_at(type, "page", NULL, pages->page(host, writer->instance, recording, live))
                 : tn_call_at(type, "more", NULL, pages->more(host, writer->instance, recording, live));
}

/* An answer that ends at a place. */
static char *make_answer(const tn_live_run *run, const tn_recording *recording,
                         const tn_recording_place *place, bool more, bool whole, size_t *size)
{
    char *bytes = NULL;
    tn_text text = {0};
    tn_live live = {.struct_size = sizeof live,
                    .goes_on = run->goes_on,
                    .reason = run->reason,
                    .end_time = run->end_time,
                    .more = more,
                    .self = open_memstream(&bytes, size),
                    .put = put};
    tn_text_add(&text, "%llu-", (unsigned long long)run->number);
    tn_recording_place_print(place, &text);
    live.place = text.letters;
    tn_status status = live.self ? TN_OK : TN_OUT_OF_MEMORY;
    if (live.self) {
        status = call_writer(run, recording, &live, whole);
        const bool failed = ferror((FILE *)live.self) != 0;
        if (fclose(live.self) != 0 || failed) status = tn_worse(status, TN_OUT_OF_MEMORY);
    }
    tn_free(text.letters);
    if (status == TN_OK) return bytes;
    tn_study_tell(run->study, TN_SEVERITY_ERROR, "the writer `%s` makes no page of %s: %s",
                  run->study->plan.converter->type->name, run->directory, tn_status_text(status));
    free(bytes);
    return NULL;
}

char *tn_live_run_page(tn_live_run *run, size_t *size)
{
    const tn_recording_place all = tn_recording_place_of(run->recording);
    char *bytes = make_answer(run, run->recording, &all, false, true, size);
    tn_free(all.known);
    return bytes;
}

/* "1-", the number of the log, then a place in it. Only whole pages have modes: new ones need a new page. */
static bool find_place(const tn_live_run *run, const char *text, tn_recording_place *place)
{
    char front[32];
    const int length = snprintf(front, sizeof front, "%llu-", (unsigned long long)run->number);
    if (!run->recording || strncmp(text, front, (size_t)length) != 0 ||
        !tn_recording_place_read(run->recording, text + length, place))
        return false;
    if (place->known[TN_MODES_KNOWN] == run->recording->modes) return true;
    tn_free(place->known);
    return false;
}

char *tn_live_run_more(tn_live_run *run, const char *place, size_t *size, bool *gone)
{
    tn_recording_place from, next;
    tn_recorded_piece piece;
    *gone = !find_place(run, place, &from);
    if (*gone) return NULL;
    const bool more = tn_recorded_piece_cut(&piece, run->recording, &from, MOST_NUMBERS, &next);
    char *bytes = make_answer(run, &piece.recording, &next, more, false, size);
    tn_recorded_piece_free(&piece);
    tn_free(from.known);
    tn_free(next.known);
    return bytes;
}

/* live_run.h - follows a run in its directory of results while it goes on; a writer makes pages of it.
 *
 * It only reads: the run flushes its log ten times a second, and each look reads the new part. Where the log has no end, no news, and no
 * process has the lock of the directory, the run was killed. A later run in the same directory replaces the first one. */
#ifndef TN_LIVE_RUN_H
#define TN_LIVE_RUN_H

#include "base/text.h"
#include "run/study.h"

#include <tenon/draft/recording.h>

#include <time.h>

typedef struct tn_live_run {
    tn_study *study; /* with one writer that makes pages of runs that go on */
    const char *directory;
    int folder;
    tn_recording *recording; /* NULL: none is there yet */
    uint64_t
        number; /* counts the logs that were read: a later run, or one that went back to a checkpoint, has another one */
    double news_at, asked_at; /* s, tn_clock_now(): last news, last test of the lock */
    /* of run.toml */
    struct timespec written, first_written; /* first: when it was opened */
    char status[16], reason[TN_LONGEST_REASON];
    double end_time; /* s; NaN: it is not known */
    bool keeps_log;
    bool was_locked; /* a run was there when it was opened */
    bool goes_on;
} tn_live_run;

/* Whether the writer of the study makes such pages. */
bool tn_live_run_is_possible(const tn_study *study);
/* Follows the run in `directory`. With `waits`, or where a run is about to begin, the log may come later. False after a message. */
bool tn_live_run_open(tn_live_run *run, bool waits);
/* Reads the news. True: there are some, perhaps only of the status. */
bool tn_live_run_look(tn_live_run *run);
/* The same while there is no log. False after a message: the run that was there, or came meanwhile, keeps none, or has ended without one. */
bool tn_live_run_await(tn_live_run *run);
void tn_live_run_close(tn_live_run *run);

/* The page, or its continuation behind a place: bytes to be freed with free(), or NULL after a message. `gone`: there is no such place, for
 * example because a later run has replaced the log. */
char *tn_live_run_page(tn_live_run *run, size_t *size);
char *tn_live_run_more(tn_live_run *run, const char *place, size_t *size, bool *gone);

#endif

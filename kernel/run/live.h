/* live.h - follows a run in its directory of results while it goes on, and lets a writer make pages of it.
 *
 * Nothing is written there, and nothing is locked that the run would want: the log, which the run brings to the file twice a second, is
 * read on; a run whose log has no end has been killed where nobody has its lock. Another run in the same directory takes the place of
 * the first one. */
#ifndef TN_LIVE_H
#define TN_LIVE_H

#include "base/text.h"
#include "run/study.h"

#include <tenon/draft/recording.h>

#include <time.h>

typedef struct tn_live_run {
    tn_study *study; /* with one writer that makes pages of runs that go on */
    const char *directory;
    int folder;
    tn_recording *recording;  /* NULL: none is there yet */
    uint64_t number;          /* of the log, since others have taken its place */
    double news_at, asked_at; /* s of a clock: when something was new, and when its lock was asked for */
    /* of run.toml */
    struct timespec written;
    char status[16], reason[TN_LONGEST_REASON];
    double end_time; /* s; NaN: it is not known */
    bool goes_on;
} tn_live_run;

/* Whether the writer of the study makes such pages. */
bool tn_live_can(const tn_study *study);
/* Follows the run in a directory. Where nothing is there yet, and `waits` or a run is about to begin, it is followed from there on. False
 * after a message. */
bool tn_live_open(tn_live_run *run, bool waits);
/* Looks what is new. True: something is, be it the status alone. */
bool tn_live_look(tn_live_run *run);
void tn_live_close(tn_live_run *run);

/* The page, or what has come since a place: bytes that are to be freed by free(); NULL after a message. `gone`: there is no such place,
 * since another log has taken the place of the first one, say. */
char *tn_live_page(tn_live_run *run, size_t *size);
char *tn_live_more(tn_live_run *run, const char *place, size_t *size, bool *gone);

#endif

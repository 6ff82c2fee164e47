/* drive.h - carries out a study: batches of points from its design, cases on its executor, results into the database, answers. */
#ifndef TN_DRIVE_H
#define TN_DRIVE_H

#include "store/store.h"

/* How far a study is. */
typedef struct tn_drive_progress {
    uint64_t done;      /* cases that have a result */
    double expected;    /* cases that there will be, or at most */
    uint64_t batch;     /* number of the batch */
    double elapsed;     /* s on the clock, since cases are run */
    uint64_t done_here; /* of these, run since then */
    uint64_t failed;    /* of those that have a result, not ok */
} tn_drive_progress;

/* Who hears of it; functions may be NULL. */
typedef struct tn_drive_client {
    void *data;
    void (*say)(void *data, tn_level level, const char *text);
    void (*progress)(void *data, const tn_drive_progress *progress);
    /* How often the user has asked for an end. */
    int (*interrupts)(void *data);
} tn_drive_client;

typedef struct tn_drive_options {
    const char *folder;         /* of results, an absolute path */
    const char *const *program; /* words before "FOLDER --batch B --work", NULL last */
    const char *const *options; /* words behind, NULL last */
    bool resume, dry, yes;
    bool retry;           /* cases that have failed run again */
    const uint64_t *only; /* [only_count] numbers of the cases that are run; none: all */
    size_t only_count;
    tn_drive_client client;
} tn_drive_options;

typedef enum tn_drive_result {
    TN_DRIVE_DONE,
    TN_DRIVE_FAILED,      /* after a message */
    TN_DRIVE_REFUSED,     /* the study cannot be carried out as it is, after a message */
    TN_DRIVE_INTERRUPTED, /* it can go on */
    TN_DRIVE_LOST         /* it has come to its end, without some cases */
} tn_drive_result;

tn_drive_result tn_drive_run(tn_cases *cases, const tn_drive_options *options);
/* The point of a case of the first batch, as no results are needed for it; false: it is in none. */
bool tn_drive_first_batch(tn_cases *cases, uint64_t number, double *value, uint64_t *count);

#endif

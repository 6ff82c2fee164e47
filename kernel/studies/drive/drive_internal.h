/* drive_internal.h - what the files behind drive.h share. */
#ifndef TN_DRIVE_INTERNAL_H
#define TN_DRIVE_INTERNAL_H

#include "drive/drive.h"

/* The points of a batch, and what is known of their cases. */
typedef struct tn_drive_batch {
    tn_design_batch added; /* what the design fills; must be the first field */
    uint32_t variables, numbers;
    uint64_t first, count; /* the number of its first case */
    size_t capacity;
    bool is_too_large;     /* for the memory of this machine */
    double *point, *value; /* [count][variables] */
    tn_case_hash *hash;
    double *response; /* [count][numbers] */
    double *effort;
    uint8_t *done;  /* it came through, with all numbers */
    uint8_t *known; /* its result is there, good or bad */
    uint32_t *attempt;
} tn_drive_batch;

typedef struct tn_drive {
    tn_cases *cases;
    const tn_drive_options *options;
    tn_store *store;
    void *design;   /* of its plugin */
    void *executor; /* of its plugin; NULL: nothing has been run */
    tn_execution_place place;
    int lock;
    double expected, case_time, begun;
    uint64_t number; /* batches so far */
    uint64_t cases_done, done_before, done_here, failed_before;
    tn_drive_batch batch;
    bool interrupted, broken; /* broken: results cannot be kept, which was told */
} tn_drive;

bool tn_drive_say(const tn_drive *drive, tn_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* batches.c: the next batch of the design; false after a message. */
bool tn_drive_next(tn_drive *drive);
/* Looks for what is known of its cases; the others are added to the database. */
bool tn_drive_look_up(tn_drive *drive);
bool tn_drive_tell(tn_drive *drive);
void tn_drive_free(tn_drive_batch *batch);
/* execute.c: runs those without results. */
bool tn_drive_execute(tn_drive *drive);
/* The executor ends its workers. */
void tn_drive_end_execution(tn_drive *drive);
/* answers.c: lets the design answer, into the database and answers.txt. */
bool tn_drive_answer(tn_drive *drive);

#endif

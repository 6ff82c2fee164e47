/* restart.h - checkpoints of a run, in the directory of its results, and runs that go on from one
 *
 * A checkpoint is all that the rest of the run depends on: how the run was asked for, where its tables stand, what has been told, and
 * the state (state/state.h). It is made where the study stands, between two steps of a solver, which take the same course with and
 * without it, and takes the place of the one before as a whole. */
#ifndef TN_RESTART_H
#define TN_RESTART_H

#include "run/study.h"

/* Goes through the run of a study that has begun, to its end or to where it is interrupted, with the checkpoints that its plan asks
 * for. A solver that hides some of its memory has them at times of the model only, where it begins that anew. */
void tn_checkpoints_run(tn_study *study);
/* Whether a study is to be run so. */
bool tn_checkpoints_wanted(const tn_study *study);

/* A checkpoint that was read: how the run was asked for. Its texts and lists lie in an arena. */
typedef struct tn_checkpoint {
    const char *directory;  /* that it was found in, without links */
    const char *folder;     /* that the run was started in */
    const char *model;      /* from there */
    const char *solver;     /* in place of the model's; NULL */
    const char **overrides; /* [override_count] */
    size_t override_count;
    int32_t threads;
    bool expanded;
    double time; /* s: where the run stood */
    const struct tn_checkpoint_rest *rest;
} tn_checkpoint;

/* The checkpoint in a directory of results; false with the reason: there is none, it is not whole, another program has made it, or a
 * file that the run has read is another one now. */
bool tn_checkpoint_read(const char *directory, tn_arena *arena, tn_checkpoint *checkpoint, tn_text *reason);
/* Lets a study, which was opened as the checkpoint says and has not begun, go on from there. A refusal, after a message, has
 * changed nothing. */
tn_study_result tn_checkpoint_resume(tn_study *study, const tn_checkpoint *checkpoint);

#endif

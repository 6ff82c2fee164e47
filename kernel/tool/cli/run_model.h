/* run_model.h - runs and checks models for the program: by the library, with messages and progress on the terminal. */
#ifndef TN_RUN_MODEL_H
#define TN_RUN_MODEL_H

#include "restart/restart.h"

#include <stdbool.h>
#include <tenon/tenon.h>

/* What has come of a run, besides its exit status. */
typedef struct tn_run_outcome {
    uint64_t steps;
    bool returned;      /* the run has come to its end, and no plugin has ended the program */
    bool blames_plugin; /* a message tells of a plugin that has done what it must not */
    bool lost_numbers;  /* it has failed by a number that is not finite */
} tn_run_outcome;

/* What the command line says. */
typedef struct tn_run_options {
    const char *model;
    tenon_options asked; /* of the library */
    bool quiet;
    bool expanded;      /* run.toml with repeats written out */
    bool guard;         /* the memory of plugins is watched */
    bool tune;          /* solvers are tried, and no results written */
    bool check;         /* what the model expects is compared */
    unsigned limit;     /* s, on the wall; 0: none */
    const char *resume; /* directory of the run that is to go on; NULL: the model is run from its start */
    tn_run_outcome *outcome; /* out: the outcome of the run; or NULL */
} tn_run_options;

/* Exit status: 0 finished, 1 the simulation failed, 2 the model is wrong, 3 it has finished and an expectation does not hold, 124 ended by
 * the limit, 128 + its number after a signal. */
int tn_run_model(const tn_run_options *options);
/* The same from a checkpoint, as whose run the options are. */
int tn_run_from(const tn_run_options *options, const tn_checkpoint *checkpoint);
/* resume_command.c: goes on with the run in the directory `resume`, which says what is run. */
int tn_resume_run(const tn_run_options *options);
/* Reads and assembles only, and prints sizes: 0, or 1 or 2. */
int tn_check_model(const tn_run_options *options);

#endif

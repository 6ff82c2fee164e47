/* tune.h - `tenon run MODEL --tune`: which solver, with which settings, would be fastest at the accuracy that is wanted.
 *
 * Each is tried in a process of its own, on the model as it is read but for its solver, over the whole run where that takes the reference,
 * a solver with error control at a much stricter tolerance, a moment only, else over its first part. Coordinates are held against those of
 * the reference at a few times between which the motion goes equally far: where much happens there are many. */
#ifndef TN_TUNE_H
#define TN_TUNE_H

#include "cli/run_model.h"
#include "library/library.h"

enum { TN_TUNE_POINTS = 8, TN_TUNE_MARKS = 64, TN_TUNE_REASON = 400 };

/* The model, with what is known of the part of its run that is tuned. */
typedef struct tn_tune_model {
    const tn_run_options *options;
    tenon_model *model; /* read, and never run */
    size_t part;        /* of the plan: the first solver that takes steps in time */
    const char *folder; /* that its text is relative to */
    const char *base;   /* the model as text, without solvers from the part on, without output */
    const char *kept;   /* keys of that solver that stay: end_time, stop_when, ... */
    double start, end;  /* s: of the part */
    double
        point[TN_TUNE_POINTS]; /* s: where they are compared, the last one being up to where they are tried */
    bool whole;                /* that is where the run ends */
    double accuracy; /* largest difference of coordinates, as a share of the size of the model, or of 1 rad */
    bool given;      /* by the `tolerance` of the model */
    double interval; /* s: of rows; 0: none is asked for */
    size_t coordinates;
    double *scale; /* [coordinates] */
} tn_tune_model;

/* Reads the model; the exit status after a message, or 0. */
int tn_tune_open(tn_tune_model *tune, const tn_run_options *options);
void tn_tune_close(tn_tune_model *tune);
/* The table of a solver, as the model would have it. */
const char *tn_tune_lines(const tn_tune_model *tune, const char *type, const char *settings);

/* What has come of one try. */
typedef struct tn_tune_result {
    bool came_through, ended; /* ended: by the model's `end_time` or `stop_when` */
    double reached;           /* s */
    /* Of an exploration: the time of the last step whose number is a power of two, which does not depend on the clock, as a rule; times at
     * which the motion has gone on by another `stride`. */
    double power_of_two;
    double stride, gone; /* sums of the largest changes of a coordinate from step to step, over its scale */
    uint32_t marks;
    double mark[TN_TUNE_MARKS];
    double time; /* s on the wall */
    uint64_t steps;
    char reason[TN_TUNE_REASON]; /* why it has not come through */
    double q[];                  /* [TN_TUNE_POINTS][coordinates] */
} tn_tune_result;

/* How the reason of one begins that has taken too long. */
#define TN_TUNE_NO_END "no end"

/* Memory for one that children write. NULL after a message. */
tn_tune_result *tn_tune_result_new(const tn_tune_model *tune);
/* Runs a solver from point to point, for so many seconds at most. */
void tn_tune_try(const tn_tune_model *tune, const char *type, const char *settings, double seconds,
                 tn_tune_result *result);
/* Runs it as far as it gets in so many seconds, which makes the points. False: it fails, or does not get anywhere. */
bool tn_tune_explore(tn_tune_model *tune, const char *type, const char *settings, double seconds,
                     tn_tune_result *result);
/* The largest difference of two results. */
double tn_tune_error(const tn_tune_model *tune, const tn_tune_result *a, const tn_tune_result *b);

static inline double tn_tune_horizon(const tn_tune_model *tune) { return tune->point[TN_TUNE_POINTS - 1]; }

/* The whole command; the exit status. */
int tn_tune_run(const tn_run_options *options);

#endif

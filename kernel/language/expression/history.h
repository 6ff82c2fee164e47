/* history.h - what a number was at the accepted steps of a run, and what it was in between.
 *
 * Between two points stands the cubic through these and their neighbours, one on either side or two on the same: the error is
 * of fourth order in the steps. It does not reach over a point where the number jumped or may have a kink, nor to a neighbour
 * that is much nearer than the two are to each other, whose rounding it would magnify. */
#ifndef TN_HISTORY_H
#define TN_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tn_past {
    double time, value; /* NaN: it had none */
    bool begins;        /* a new curve begins here */
} tn_past;

/* A ring of points by time; the second one of two at the same time is what came after a jump. Zeroed when it is new. */
typedef struct tn_history {
    tn_past *point;
    size_t first, count, capacity; /* a power of 2 */
    double begin;                  /* time of the first point ever */
    double greatest;               /* size of a value */
} tn_history;

/* Value and slope at a time, and how the value changes with the newest point of all. */
typedef struct tn_recollection {
    double value, slope, by_now;
} tn_recollection;

/* Adds a point behind the others. At the time of the last one the curve begins anew; at an earlier time the history does. */
void tn_history_add(tn_history *history, double time, double value);
/* Drops the points that are not needed for `time` and later. */
void tn_history_forget(tn_history *history, double time);
/* The length of a step behind which the interpolation's error is `error`, as a share of the greatest value, or twice the last step
 * if that is less: by the last five points, NaN unless these are on one curve. */
double tn_history_step(const tn_history *history, double error);

/* Point number k, the oldest one first; makes room for `count` points, which are to be filled in. */
tn_past *tn_history_point(const tn_history *history, size_t k);
void tn_history_make(tn_history *history, size_t count);

/* The time of the last point; there must be one. */
double tn_history_end(const tn_history *history);
/* At a time from the begin on. Beyond the end: between the last point and `now`, which is not in the history; else `now` may
 * be NULL. */
tn_recollection tn_history_at(const tn_history *history, double time, const tn_past *now);

#endif

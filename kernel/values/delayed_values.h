/* delayed_values.h - calls of delay(value, lag, start): what `value` was `lag` seconds ago, or `start` where that is before the run
 *
 * Values of the past are found when an expression is evaluated, and kept at accepted steps. */
#ifndef TN_DELAYED_VALUES_H
#define TN_DELAYED_VALUES_H

#include "expression/history.h"
#include "values/graph.h"

typedef struct tn_delay {
    tn_live_value value, lag, start; /* the last one reads nothing but time */
    double fixed_lag;                /* s, where it is always the same; else NaN */
    double last_lag;                 /* s, at the last evaluation */
    bool
        closes_loop; /* what it reads waits for the reader: it reads accepted steps only, and the current value is not read */
    double output, by_value, by_lag; /* at the last evaluation: its value, and the derivatives of that */
    double next;                     /* value at an accepted step, before it enters the history */
    double *gradient;                /* [inputs of the first two] */
    tn_history history;
} tn_delay;

/* Finds the delays that close a loop, by the loops of values that wait for all that they delay; false: there is none. */
bool tn_delays_find_loops(tn_model *model);
/* A step ended with the last evaluation. */
void tn_delays_accepted(const tn_assembly *assembly);
/* The time behind that of the system where an adaptive step should end on account of delays; HUGE_VAL for none. */
double tn_delays_next_stop(const tn_assembly *assembly, double tolerance);

#endif

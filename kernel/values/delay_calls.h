/* delay_calls.h - calls of delay(value, lag, start): what `value` was `lag` seconds ago, or `start` where that is before the run */
#ifndef TN_DELAY_CALLS_H
#define TN_DELAY_CALLS_H

#include "expression/history.h"
#include "values/graph.h"

struct tn_delay {
    tn_live_value value, lag, start; /* the last one reads nothing but time */
    double fixed_lag;                /* s, where it is always the same; else NaN */
    double last_lag;                 /* s, at the last evaluation */
    bool
        closes_loop; /* what it reads waits for the reader: it looks at accepted steps only, and the value of now is not read */
    double output, by_value, by_lag; /* at the last evaluation: its value, and the derivatives of that */
    double next;                     /* value at an accepted step, before it enters the history */
    double *gradient;                /* [inputs of any of the three] */
    tn_history history;
};

/* Makes what a call of delay reads, which is in hand; false after reporting. */
bool tn_delay_connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_observed *observed);
/* Lists behind what the calls of an expression read what their delays read now, once all are connected. */
void tn_delays_list_reads(tn_model *model, tn_live_value *live);
/* Finds the delays that close a loop, once the kinds of variables are known. */
void tn_delays_find_loops(tn_model *model);

#endif

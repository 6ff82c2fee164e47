/* rk.h - the memory of one run of rk, and what its files share. */
#ifndef TENON_RK_H
#define TENON_RK_H

#include <tenon/draft/stepping.h>
#include <tenon/kit/blocks.h>
#include <tenon/kit/error_weights.h>
#include <tenon/kit/event_search.h>
#include <tenon/kit/first_step.h>
#include <tenon/kit/stall_watch.h>
#include <tenon/kit/step_grid.h>
#include <tenon/kit/step_report.h>
#include "rk_sums.h"

/* Row r gives the state after r + 1 slopes: the next stage, and in the last row the new state. */
typedef struct rk_tableau {
    uint32_t stages;
    double row[RK_SLOPES - 1][RK_SLOPES];
} rk_tableau;

/* Where a run stands: with the state of the system, its first slope and its watches all that the next step depends on. */
typedef struct rk_stand {
    uint64_t accepted; /* states so far */
    uint64_t step;     /* of the grid, with a step of fixed length, */
    double time;       /* where it, or a part of it, begins */
    /* under error control: the start of the current step, the step it asks for, the error before; events */
    double start, wanted, last_error;
    tn_step_progress progress;
    uint32_t revision; /* of the model, that the first slope is of */
    uint32_t rejected; /* 1: the last try was */
} rk_stand;

typedef struct rk_work {
    tn_system *system;
    const rk_tableau *tableau;
    uint32_t slopes; /* stored: the stages, and when adaptive the new state */
    double *q0, *v0, *x0;
    double *lambda0; /* of an accepted state, while others are tried behind it */
    double *acceleration[RK_SLOPES], *rate[RK_SLOPES], *x_rate[RK_SLOPES];
    rk_sum sum[RK_SLOPES - 1], error;
    rk_sum broken; /* the error estimate of a step with stages on both sides of an event */
    tn_step_grid grid;
    rk_stand stand;
    tn_event_watch watch;
    tn_stall_watch stall;
    tn_error_weights weights;
    uint32_t governing; /* number of (q, v, x) with the largest share of the error of the last try */
    const tn_step_report *report; /* counts rejections and governing components; may be NULL */
} rk_work;

/* ---- rk.c ---- */

/* From `start`, whose slope is known, to q, v and x at `end`; the slope there becomes number `slope`. */
tn_status tn_rk_take_step(rk_work *work, double start, double h, double end, uint32_t slope);
/* Hands the new state over. */
tn_status tn_rk_accept(rk_work *work);

/* ---- adaptive.c ---- */

/* Under error control: the first step to try; from one accepted state to the next. */
tn_status tn_rk_begin_adaptive(rk_work *work);
tn_status tn_rk_step_adaptive(rk_work *work);

#endif

/* rk.h - the memory of one run of rk, and what its files share. */
#ifndef TENON_RK_H
#define TENON_RK_H

#include <tenon/kit/event_search.h>
#include <tenon/kit/stall_watch.h>
#include "rk_sums.h"

/* Row r gives the state after r + 1 slopes: the next stage, and in the last row the new state. */
typedef struct rk_tableau {
    uint32_t stages;
    double row[RK_SLOPES - 1][RK_SLOPES];
} rk_tableau;

typedef struct rk_work {
    tn_system *system;
    const rk_tableau *tableau;
    uint32_t slopes; /* stored: the stages, and when adaptive the new state */
    double *q0, *v0, *x0;
    double *lambda0; /* of an accepted state, while others are tried behind it */
    double *acceleration[RK_SLOPES], *rate[RK_SLOPES], *x_rate[RK_SLOPES];
    rk_sum sum[RK_SLOPES - 1], error;
    /* under error control: the start of the current step, the step it asks for, the error before; events */
    double start, wanted, last_error;
    bool rejected; /* the last try was */
    tn_event_watch watch;
    tn_stall_watch stall;
} rk_work;

/* ---- rk.c ---- */

/* From `start`, whose slope is known, to q, v and x at `end`; the slope there becomes number `slope`. */
tn_status tn_rk_take_step(rk_work *work, double start, double h, double end, uint32_t slope);
/* Hands the new state over. A change of the model there renews the first slope. */
tn_status tn_rk_accept(rk_work *work);

/* ---- adaptive.c ---- */

/* From the accepted start state to the end of the run under error control. */
tn_status tn_rk_run_adaptive(rk_work *work);

#endif

/* solver_watch.h - holds a solver to what it is called for: to go on in time, with finite states, to the end. */
#ifndef TN_SOLVER_WATCH_H
#define TN_SOLVER_WATCH_H

#include "run/plan.h"
#include "system/assembly.h"

typedef struct tn_solver_watch {
    const tn_solver_plan *plan;
    double start, end;  /* s */
    double time;        /* s: of the last state that was handed over */
    uint32_t standing;  /* states in a row that had the same time */
    tn_status accepted; /* what the last call of accept() returned: all but TN_OK ends the solver */
} tn_solver_watch;

void tn_solver_watch_begin(tn_solver_watch *watch, const tn_solver_plan *plan);
/* Looks at a state that the solver hands over; blames the solver for one that cannot be accepted. */
tn_status tn_solver_watch_step(tn_solver_watch *watch, tn_assembly *assembly);
/* The solver has returned `status`: what that comes to. */
tn_status tn_solver_watch_end(const tn_solver_watch *watch, tn_assembly *assembly, tn_status status);

#endif

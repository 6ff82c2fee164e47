/* progress.h - a line on the terminal that tells how far a run has come: an observer of accepted steps (system/accept.h). */
#ifndef TN_PROGRESS_H
#define TN_PROGRESS_H

#include "run/plan.h"
#include "system/accept.h"

typedef struct tn_progress {
    tn_step_observer observer;
    tn_assembly *assembly;
    bool line;           /* there is one on the terminal that has not ended */
    double start, end;   /* s: of the solver */
    double from;         /* s: where the time on the wall begins to count */
    double shown, begun; /* wall times */
    uint64_t steps;      /* of the solvers before */
} tn_progress;

void tn_progress_open(tn_progress *progress, tn_assembly *assembly);
/* A solver begins. */
void tn_progress_start(tn_progress *progress, const tn_solver_plan *solver, bool quiet);
/* Ends the line. */
void tn_progress_close(tn_progress *progress);

#endif

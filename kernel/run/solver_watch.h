/* solver_watch.h - holds a solver to what it is called for: to go on in time, with finite states, to the end. */
#ifndef TN_SOLVER_WATCH_H
#define TN_SOLVER_WATCH_H

#include "run/plan.h"
#include "system/assembly.h"

typedef struct tn_solver_watch {
    const tn_solver_plan *plan;
    double end;        /* s */
    double margin;     /* s: times that differ by less are the same */
    double time;       /* s: of the last state that was handed over */
    uint32_t standing; /* states in a row that had the same time */
} tn_solver_watch;

/* The solver of the plan begins: from here on the states that it hands over are looked at (system/accept.h). */
void tn_solver_watch_begin(tn_solver_watch *watch, tn_assembly *assembly, const tn_solver_plan *plan);
/* The solver has returned `status`, and is watched no longer: what that comes to. */
tn_status tn_solver_watch_end(const tn_solver_watch *watch, tn_assembly *assembly, tn_status status);

#endif

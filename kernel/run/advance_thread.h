/* advance_thread.h - a solver that only goes from start to end, as one that takes steps
 *
 * It runs on a thread of its own, which waits in an observer of accepted steps until it is asked for more: one of the two threads runs
 * at any time. */
#ifndef TN_ADVANCE_THREAD_H
#define TN_ADVANCE_THREAD_H

#include "run/plan.h"
#include "system/assembly.h"

typedef struct tn_advance_thread tn_advance_thread;

/* The solver of the plan begins, and waits at its first accepted state. TN_FATAL, with the reason, where there is no thread. */
tn_status tn_advance_thread_begin(tn_advance_thread **thread, const tn_solver_plan *plan,
                                  tn_assembly *assembly);
/* It goes on until it has come to a time, s, or has taken a `single` step, or is over. */
void tn_advance_thread_go_on(tn_advance_thread *thread, double until, bool single);
bool tn_advance_thread_is_over(const tn_advance_thread *thread);
/* What it has returned; where it waits still it is told to end first. */
tn_status tn_advance_thread_end(tn_advance_thread **thread);

#endif

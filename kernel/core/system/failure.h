/* failure.h - who is to blame, and why a run ended. */
#ifndef TN_FAILURE_H
#define TN_FAILURE_H

#include "system/assembly.h"

/* culprit.c: who has brought in the force, or reaction, that is not finite; who has put a number that is not finite into the
 * last matrix; which marker has one, if any. TN_RETRY. */
tn_status tn_number_culprit(tn_assembly *assembly);
tn_status tn_matrix_culprit(tn_assembly *assembly);
/* Some function has refused the state, and has returned TN_OK all the same: finds the instance, or blames the type. */
tn_status tn_refusal_culprit(tn_assembly *assembly);
bool tn_marker_culprit(tn_assembly *assembly);
/* failure.c: notes which function of which type has made a mistake that no smaller step helps, the first one for good: what
 * follows the name of the function. TN_FATAL. */
TN_PRINTF(4, 5)
tn_status tn_blame(tn_assembly *assembly, const void *type, const char *function, const char *format, ...);
/* Explains a failure into assembly->reason. */
tn_status tn_system_fail(tn_system *system, tn_status status, const double *residual,
                         const char *what_was_tried);
tn_status tn_system_fail_at_jump(tn_system *system, tn_status status, const double *jump,
                                 const char *what_was_tried);
void tn_system_warn(tn_system *system, uint32_t coordinate, const char *text);
/* Explains rows that cannot vanish together: `why`, then the constraints that keep the largest ones, `what` being those; bodies
 * that are pinned may be the cause where `pins_hold`. After a matrix; the rows are used up. */
void tn_explain_rows(tn_assembly *assembly, const char *why, double *rows, const char *what, bool pins_hold);

#endif

/* failure.h - notes who has refused an evaluation or made a mistake, and lets solvers fail and warn.
 *
 * Called by whatever calls functions of types. What is noted stands in assembly->failures; what it means is told when a solver fails
 * (explanation.h). */
#ifndef TN_FAILURE_H
#define TN_FAILURE_H

#include "system/assembly.h"

/* An evaluation begins: no refusal is noted. */
static inline void tn_refusal_forget(tn_assembly *assembly)
{
    assembly->failures.refusal.group = NULL;
    assembly->failures.refusal.value = NULL;
}
/* Notes which function of which type has made a mistake that no smaller step helps, the first one for good: what
 * follows the name of the function. TN_FATAL. */
TN_PRINTF(4, 5)
tn_status tn_blame(tn_assembly *assembly, const void *type, const char *function, const char *format, ...);

/* What tn_system offers. */
tn_status tn_system_fail(tn_system *system, tn_status status, const double *residual,
                         const char *what_was_tried);
tn_status tn_system_fail_at_jump(tn_system *system, tn_status status, const double *jump,
                                 const char *what_was_tried);
void tn_system_warn(tn_system *system, uint32_t coordinate, const char *text);

#endif

/* differences.h - tangents by central differences, for types that were built without the exact passes. Called by the system by way of
 * its table (system/tangent_source.h), which says what each does. */
#ifndef TN_DIFFERENCES_H
#define TN_DIFFERENCES_H

#include "system/tangent_source.h"

/* Relative step: the cube root of the rounding error. */
#define TN_DIFFERENCE_STEP 6e-6

extern const tn_tangent_source tn_central_differences; /* differences.c */

/* state_tangent.c: derivatives by states of elements, for solvers that integrate these with the motion. */
void tn_state_tangent_build(tn_assembly *assembly);
/* own_differences.c; doubles that a chunk of a group takes, 0 when its type is exact. */
size_t tn_own_differences_needed(const tn_group *group);
tn_status tn_own_differences_find(const tn_group *group, const tn_batch *batch, double *memory);

#endif

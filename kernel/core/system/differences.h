/* differences.h - tangents of types that were built without the exact passes. */
#ifndef TN_DIFFERENCES_H
#define TN_DIFFERENCES_H

#include "system/assembly.h"

/* differences.c: tangents of types that were built without the exact passes, in the columns that the batch lists. */
size_t tn_differences_size(const tn_group *group); /* doubles of memory that a chunk needs; 0 when exact */
tn_status tn_force_differences(const tn_group *group, tn_batch *batch, double length, double *memory);
/* Those of the twists of derived markers against twists, and against poses when asked for. */
size_t tn_kinematics_differences_size(const tn_derived *derived);
tn_status tn_kinematics_differences(const tn_derived *derived, tn_batch *batch, bool poses, double length,
                                    double *memory);

#endif

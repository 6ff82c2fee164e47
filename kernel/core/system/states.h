/* states.h - states of elements that implicit solvers find with the motion. */
#ifndef TN_STATES_H
#define TN_STATES_H

#include "system/assembly.h"

/* states.c: the columns of tangents of forces, and which states are found with the motion; whether those of a group are now. Finds
 * them, where a solver wants that, at the markers of an evaluation: of some instances, which tell in their batch's `failure` where
 * there are none; of all. Adds to the tangent of forces how these change with the states, which follow the markers. */
void tn_states_build(tn_assembly *assembly);
bool tn_states_are_followed(const tn_assembly *assembly, const tn_group *group);
tn_status tn_states_find(const tn_assembly *assembly, const tn_group *group, uint32_t first, uint32_t count);
tn_status tn_states_condense(const tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                             double state_factor);
/* The tangent of the rates of instances, in memory of states.c; columns as in that of the forces. */
tn_status tn_states_differentiate(const tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                                  const double **tangent);

#endif

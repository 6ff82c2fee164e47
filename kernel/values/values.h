/* values.h - values that read the state: the source of them for the system, and what only results show of them */
#ifndef TN_VALUES_H
#define TN_VALUES_H

#include "system/value_source.h"

extern const tn_value_source tn_state_values;

/* Finds all accelerations that expressions read, from v' of the state. acceleration_nodes.c */
tn_status tn_accelerations_evaluate(tn_assembly *assembly);
/* All forces that they read, from the last evaluated markers, the parameters and the current multipliers; anything but TN_OK names the
 * element that refused. measured_forces.c */
tn_status tn_forces_evaluate(tn_assembly *assembly);
/* All that they keep from step to step: numbers in force, histories, conditions, jumps, inputs. value_state.c */
void tn_values_list_state(tn_assembly *assembly, tn_state_visitor *visitor);

#endif

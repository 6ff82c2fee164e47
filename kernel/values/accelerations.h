/* accelerations.h - accelerations that expressions read. */
#ifndef TN_ACCELERATIONS_H
#define TN_ACCELERATIONS_H

#include "values/state_values.h"

/* Memory; all that expressions read, from v' of the state, where dynamic values need them or for outputs; whether rates of states
 * read any. */
void tn_accelerations_build(tn_assembly *assembly);
tn_status tn_accelerations_evaluate(tn_assembly *assembly, bool for_outputs);
bool tn_accelerations_are_integrated(const tn_assembly *assembly);

#endif

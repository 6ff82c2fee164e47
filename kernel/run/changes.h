/* changes.h - changes of the model. Called by whoever runs it, where a solver begins, and by the system by way of its table
 * (system/change_source.h), which says what is done. */
#ifndef TN_RUN_CHANGES_H
#define TN_RUN_CHANGES_H

#include "system/change_source.h"

extern const tn_change_source tn_model_changes;

tn_status tn_changes_apply(tn_assembly *assembly, double time, bool *any);
/* Makes one change that the model does not hold, now. As above, and before the state is made consistent. */
tn_status tn_change_apply_now(tn_assembly *assembly, tn_change *change);

#endif

/* change_source.h - changes of the model during a run, as the system sees them: a table of functions, given with the model
 *
 * What is changed, and when, the system does not know: it ends steps where a change is due, and goes on from the changed model.
 * Without a table nothing changes. Behind it: kernel/run.
 *
 * When: `open` once groups are made; `apply` at the end of an accepted step where a change is due, by system.next_change or by a
 * condition that is met. */
#ifndef TN_CHANGE_SOURCE_H
#define TN_CHANGE_SOURCE_H

#include "system/assembly.h"

typedef struct tn_change_source {
    /* [setup] Makes the memory, `assembly->changes`, which lives as long as the assembly. */
    void (*open)(tn_assembly *assembly);
    /* Makes all changes that are due at this time, s, or because their condition is met: whether there were any. Renews
     * system.next_change and that of the acceptance. TN_INVALID, with its reason, where an item refuses what they make of it. */
    tn_status (*apply)(tn_assembly *assembly, double time, bool *any);
} tn_change_source;

#endif

/* changes.h - changes of the model. */
#ifndef TN_SYSTEM_CHANGES_H
#define TN_SYSTEM_CHANGES_H

#include "system/assembly.h"

struct tn_changes {
    size_t done;   /* of the model's changes with a time */
    uint64_t made; /* times that changes were made */
};

/* changes.c: makes all changes that are due, by their time or because their condition is met. Renews system.next_change.
 * TN_INVALID, explained, where the type of an item refuses what they make of it. */
tn_status tn_changes_apply(tn_assembly *assembly, double time, bool *any);

#endif

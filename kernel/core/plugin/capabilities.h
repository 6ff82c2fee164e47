/* capabilities.h - makes the kernel's own copy of a type, with the fields of its capabilities side by side. */
#ifndef TN_CAPABILITIES_H
#define TN_CAPABILITIES_H

#include "plugin/checks.h"

/* A copy as large as the kernel's struct of this kind, zeroed where the plugin's is shorter (free() it); NULL with the reason.
 * Capabilities of others, which this kernel does not know, are left out and named in `left_out`. */
void *tn_capabilities_load(const tn_kind *kind, const void *type, tn_reason *reason, tn_reason *left_out);

#endif

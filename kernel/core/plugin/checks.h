/* checks.h - the gates that a plugin passes before anything of it is used. */
#ifndef TN_CHECKS_H
#define TN_CHECKS_H

#include "plugin/loading.h"

/* Writes the reason and returns false, so that a check can end with `return tn_wrong(...)`. */
TN_PRINTF(2, 3) bool tn_wrong(tn_reason *reason, const char *format, ...);

/* The library as a whole: interface, name, version, licence, list of types. */
bool tn_check_library(const tn_library *library, tn_reason *reason);

/* A type of the kernel's full size: its name, what `loading` asks of its tables, and the functions it cannot do without. */
bool tn_check_type(const tn_kind *kind, const void *type, const tn_loading *loading, tn_reason *reason);

#endif

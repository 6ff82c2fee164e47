/* guard.h - calls into plugins that are watched: `tenon run --guard`.
 *
 * Every array of a call is copied into memory of its own with guard words in front of it and behind it. Arrays to be written
 * hold nothing but a pattern before the call. Behind the call the guard words must be as they were, what is to be read,
 * too, and what is to be written must have been; only then the results go where the kernel wants them.
 *
 * The functions of a type are replaced in the copy of its table that the kernel works with, when the type is loaded, by way of
 * the table that plugin/loading.h describes: a run that is not guarded knows nothing of all this. The replaced function finds the type's own by the call site. */
#ifndef TN_GUARD_H
#define TN_GUARD_H

#include "plugin/loading.h"

/* For the registry whose types are to be guarded: the kernel uses a copy of each, behind which its own functions stand. */
extern const tn_call_watch tn_guard;

#endif

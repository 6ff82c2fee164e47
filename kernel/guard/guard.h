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

#include <stdbool.h>

/* What a plugin has done that it must not do. */
typedef struct tn_guard_fault {
    const void *type;     /* as the registry knows it */
    const char *function; /* "force" */
    const char *item;     /* the current instance, where the kernel has named it; else NULL */
    const void *instance; /* its memory; NULL: no single instance has done it */
    const tn_marker_place
        *marker;      /* of its markers, where it has some: types without parameters have no memory */
    const char *what; /* "writes behind the end of `wrench`" */
} tn_guard_fault;

/* Who is told, and who knows the sizes of an instance that has been laid out (NULL: nobody does yet). */
typedef struct tn_guard_listener {
    void *data;
    void (*tell)(void *data, const tn_guard_fault *fault);
    const tn_layout *(*layout_of)(void *data, const void *instance);
    const tn_output *(*outputs_of)(void *data, const void *instance); /* where it has outputs of its own */
} tn_guard_listener;

/* For the registry whose types are to be guarded: the kernel uses a copy of each, behind which its own functions stand. */
extern const tn_call_watch tn_guard;
void tn_guard_listen(tn_guard_listener listener);
/* faults.c: faults are told with what the model, then with what the assembly knows of the instance. */
void tn_guard_watch_model(tn_model *model);
void tn_guard_watch_assembly(tn_assembly *assembly);

#endif

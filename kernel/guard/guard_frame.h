/* guard_frame.h - the arrays of one guarded call (see guard.h) */
#ifndef TN_GUARD_FRAME_H
#define TN_GUARD_FRAME_H

#include "guard/guard.h"

#include <tenon/draft/impulses.h>

enum { TN_GUARD_MOST_ARRAYS = 40 };

typedef enum tn_guard_use {
    TN_GUARD_READS,   /* must not change */
    TN_GUARD_WRITES,  /* doubles that must be written, all of them */
    TN_GUARD_RENEWS,  /* may be written */
    TN_GUARD_FINDINGS /* doubles, those that are not written stay as they are */
} tn_guard_use;

typedef struct tn_guard_array {
    const char *name;
    void *pointer; /* where the pointer stands that the plugin gets: to the guarded copy during the call */
    void *outside; /* the kernel's memory */
    size_t bytes, place; /* place: in the frame's memory */
    size_t each;         /* bytes of one instance */
    tn_guard_use use;
} tn_guard_array;

typedef struct tn_guard_frame {
    tn_guard_array array[TN_GUARD_MOST_ARRAYS];
    size_t count, bytes;
    unsigned char *memory;
    char what[160];  /* the fault; empty: none */
    size_t instance; /* whose part of an array it is in, */
    bool known;      /* where that is known */
} tn_guard_frame;

/* Adds an array of `instances` times `each` bytes, before the frame is opened; `pointer` is the address of the pointer to it,
 * of any type. Where that is NULL, and there is a size, it stays NULL. */
void tn_guard_add(tn_guard_frame *frame, const char *name, void *pointer, size_t instances, size_t each,
                  tn_guard_use use);
/* Makes the guarded memory, and sets the pointers to it. */
void tn_guard_open(tn_guard_frame *frame);
/* Looks at all of it, after a call that returned this; false: there is a fault. */
bool tn_guard_look(tn_guard_frame *frame, tn_status status);
/* The results go to the kernel; then the memory is gone, and the pointers are as before. */
void tn_guard_return(const tn_guard_frame *frame);
/* Where a frame is open for several calls: what the kernel has now goes to the guarded memory, to which the pointers lead. */
void tn_guard_renew(const tn_guard_frame *frame);
void tn_guard_close(tn_guard_frame *frame);

/* Adds the host (unless NULL) and the instance of a call, which is the beginning of most frames; both are addresses of pointers. */
tn_guard_frame tn_guard_frame_of(const tn_host **host, void *instance, size_t size, tn_guard_use use);
/* The end of a frame whose function has returned this: its results go to the kernel, or a fault is reported, TN_FATAL. `instance` is the
 * address of the pointer to the current instance, or NULL. */
tn_status tn_guard_finish(tn_guard_frame *frame, tn_status status, const void *instance);
/* A guarded call of prepare(). */
tn_status tn_guard_prepare(tn_status (*own)(const tn_host *, void *), size_t size, const tn_host *host,
                           void *instance);

/* faults.c: messages on faults name the instance, by the model, then by the assembly. */
void tn_guard_watch_model(tn_model *read);
void tn_guard_watch_assembly(tn_assembly *grouped);
/* Reports a fault of the function that the call site names, such as "writes beyond the end of `wrench`"; `instance` and `marker`, that of
 * an instance without memory, may be NULL. TN_FATAL. */
tn_status tn_guard_tell(const char *what, const void *instance, const tn_marker_place *marker);
/* The sizes of an instance that has been laid out, and its outputs where it has some of its own; else NULL. */
const tn_layout *tn_guard_layout_of(const void *instance);
const tn_output *tn_guard_outputs_of(const void *instance);

/* Replaces the functions of a guarded copy; the type as it was stands behind it. */
void tn_guard_element(tn_loaded_element *type);
void tn_guard_element_setup(tn_loaded_element *type);
void tn_guard_attachments(tn_loaded_element *type);
void tn_guard_marker(tn_loaded_marker *type);
void tn_guard_marker_setup(tn_loaded_marker *type);
void tn_guard_function(tn_loaded_function *type);
void tn_guard_solver(tn_loaded_solver *type);
void tn_guard_linear(tn_loaded_linear *type);
void tn_guard_writer(tn_loaded_writer *type);
void tn_guard_constraint_solver(tn_constraint_solver_type *type);

#endif

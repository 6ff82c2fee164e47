/* tenon/draft/stepping.h - "tenon.stepping/1" of solvers: a study goes on step by step, for co-simulation and checkpoints, and the
 * working state of a solver is bytes. */
#ifndef TENON_DRAFT_STEPPING_H
#define TENON_DRAFT_STEPPING_H

#include "tenon/solver.h"

#define TN_STEPPING_KEY "tenon.stepping/1"

typedef struct tn_stepping_capability {
    uint32_t struct_size, reserved;
    /* [setup] Starts at the state of the system; `*work` is what the others get. */
    tn_status (*begin)(const void *instance, tn_system *system, void **work);
    /* Goes on to the time `until` (s) exactly, in steps of its own; TN_EVENT as in advance(). */
    tn_status (*step)(void *work, double until);
    /* [setup] The end of what begin() has made. */
    void (*end)(void *work);
    /* [setup] All that the next step depends on besides the system's own state: into `bytes` [*size], or the size alone where
     * `bytes` is NULL; and back. A step after load() gives the bits that it gave after save(). */
    tn_status (*save)(void *work, void *bytes, size_t *size);
    tn_status (*load)(void *work, const void *bytes, size_t size);
} tn_stepping_capability;

/* Threads. A [hot] function gets a batch, a place for its failure (batch->failure) and scratch memory (batch->scratch) of its
 * own, and reaches nothing that another call writes: two calls of one function may run at a time, on different batches or on
 * different instances of one. A type flagged TN_ONE_THREAD is called by one thread at a time. [setup] functions run on one
 * thread. */

#endif

/* tenon/draft/stepping.h - "tenon.stepping/1" of solvers: a run goes on step by step, as its caller asks, and all that its next
 * step depends on is bytes; "tenon.linear_state/1" of linear solvers: so is what they keep of matrices. */
#ifndef TENON_DRAFT_STEPPING_H
#define TENON_DRAFT_STEPPING_H

#include "tenon/solver.h"

#include <math.h>

/* Asks for state. Whoever has some hands over all of it, span by span: the same spans in the same order each time, with the same
 * sizes unless a number in a span before says otherwise. The visitor counts the bytes, copies them, or overwrites them with
 * those of an earlier copy. Pointers are no state. */
typedef struct tn_state_visitor tn_state_visitor;
struct tn_state_visitor {
    uint32_t struct_size;
    uint32_t restores; /* 1: spans are overwritten; what follows from them is to be made anew */
    void (*bytes)(tn_state_visitor *visitor, void *data, size_t size);
};

static inline void tn_visit_numbers(tn_state_visitor *visitor, double *number, size_t count)
{
    visitor->bytes(visitor, number, count * sizeof *number);
}
/* One object: a number, or a struct without pointers. */
#define TN_VISIT(visitor, object) (visitor)->bytes((visitor), &(object), sizeof(object))

#define TN_STEPPING_KEY "tenon.stepping/1"

typedef struct tn_stepping_capability {
    uint32_t struct_size, reserved;
    /* [setup] Evaluates the state of the system and hands it over by accept(), as advance() does first; `*work` is what the others
     * get. `before` is NULL, or the work of a solver of this type, maybe with other parameters, that has just come to this very
     * state: where it can go on as if there were no new part of the run, `*work` is that. Any status but TN_OK is the end, as in
     * advance(). */
    tn_status (*begin)(const void *instance, tn_system *system, void *before, void **work);
    /* Takes steps, each of which ends with accept(), until one has come to `until` (s) or to the end of the run, or `most` of
     * them have been taken. Between two calls the caller may change the state and the model, which raises `revision`, and ask for other
     * stops: `next_stop` and `next_change` are those of now. */
    tn_status (*step)(void *work, double until, uint64_t most);
    /* [setup] The end of what begin() has made, wherever it stands. */
    void (*end)(void *work);
    /* [setup] All that the next step depends on besides the system's own state. */
    void (*state)(void *work, tn_state_visitor *visitor);
    /* [setup] NULL: all state is handed over. Else: where some of it is out of reach, in a library's memory, the solver begins it
     * anew, from the state of the system alone, and returns 1. */
    uint32_t (*forget)(void *work);
    /* [setup] Whether forget() would begin something anew, where that is there; changes nothing. NULL: it would. */
    uint32_t (*hides)(void *work);
} tn_stepping_capability;

/* advance() of a solver that has the capability. */
static inline tn_status tn_advance_in_steps(const tn_stepping_capability *stepping, const void *instance,
                                            tn_system *system)
{
    void *work = NULL;
    tn_status status = stepping->begin(instance, system, NULL, &work);
    if (status == TN_OK) status = stepping->step(work, HUGE_VAL, UINT64_MAX);
    if (work) stepping->end(work);
    return status;
}

#define TN_LINEAR_STATE_KEY "tenon.linear_state/1"

typedef struct tn_linear_state_capability {
    uint32_t struct_size, reserved;
    /* [setup] What solutions, and factorisations to come, depend on: the matrix that was factorised last, the one that its pivots were
     * chosen for, and what else has been decided by earlier ones. `self` is what create() has made for this pattern. */
    tn_status (*state)(void *self, const tn_matrix *pattern, tn_state_visitor *visitor);
} tn_linear_state_capability;

#endif

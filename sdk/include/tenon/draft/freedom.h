/* tenon/draft/freedom.h - "tenon.freedom/1" of tn_system: what constraints leave free, for solvers that want nothing left; and failures
 * that name a motion, or the rows that contradict each other. */
#ifndef TENON_DRAFT_FREEDOM_H
#define TENON_DRAFT_FREEDOM_H

#include "tenon/solver.h"

#define TN_FREEDOM_KEY "tenon.freedom/1"
typedef struct tn_freedom {
    uint32_t struct_size, reserved;
    /* [setup] TN_OK where the rows leave no velocity free at the current state. TN_INVALID else: the run has failed, as by fail(), with
     * the number of degrees of freedom, the motions that are left, in the words of `describe` (statics.h), each with the place of a
     * body in the model file, and `cure`. TN_UNSUPPORTED: the model is too large to tell. Evaluates; the matrix is void afterwards. */
    tn_status (*require_none)(tn_system *system, const char *cure);
    /* Fails like fail(), with the motion of the bodies along `direction` [nv] of v at the current state in these words, then
     * `what`. */
    tn_status (*fail_along)(tn_system *system, tn_status status, const double *direction, const char *what);
    /* Fails like fail(), for positions that were sought in vain: an element that has refused them is named with its reason, else
     * `why` and the constraints with the largest ones of `rows` [rows], which are used up; `what` they keep: "keeps an error". */
    tn_status (*fail_at_rows)(tn_system *system, tn_status status, double *rows, const char *why,
                              const char *what);
} tn_freedom;

#endif

/* explanation.h - who is to blame, and what a user should know: a table of functions, given with the model
 *
 * The system notes who has refused an evaluation. Who has brought in a number that is not finite, what a failure may come of, which
 * constraints contradict each other and what the start has moved is worked out by this table. Without a table a failure has
 * the text of its status, and there are no notices. Behind it: kernel/analysis.
 *
 * When: `notice` once, behind the first evaluation of an assembly; `corrections` where the start, or a change of the model, has led
 * to the constraints; `turns` behind accepted steps; all else where something has failed. */
#ifndef TN_EXPLANATION_H
#define TN_EXPLANATION_H

#include "system/assembly.h"

typedef struct tn_explanation {
    /* [setup] The assembly is complete: notes on what is unusual about it. */
    void (*notice)(tn_assembly *assembly);

    /* Angles have counted their turns over an accepted step: warns of those that may have missed some, once each. */
    void (*turns)(const tn_assembly *assembly, const tn_derived *derived);

    /* Each finds who has brought in what is not finite, or refuses, and notes it as the last refusal: true where it is a marker; a
     * force or reaction, TN_RETRY; a function that has refused the state although it has returned TN_OK, TN_INVALID, or TN_FATAL where
     * no instance by itself does. */
    bool (*find_marker)(tn_assembly *assembly);
    tn_status (*find_number)(tn_assembly *assembly);
    tn_status (*find_refusal)(tn_assembly *assembly);

    /* Why the solver fails with a status, into assembly->failures.reason: `residual` [nv + rows] is what it could not take to
     * zero, `jump` [nv] by how much v' differs from try to try; either may be NULL. */
    void (*failure)(tn_assembly *assembly, tn_status status, const double *residual, const double *jump,
                    const char *what_was_tried);
    /* Rows that cannot vanish together, into the same place: `why`, then the constraints that keep the largest ones, `what` being
     * those; bodies that are pinned may be the cause where `pins_hold`. After a matrix; the rows are used up. */
    void (*rows)(tn_assembly *assembly, const char *why, double *rows, const char *what, bool pins_hold);
    /* Tells which bodies are no more where they were when `configuration` and `motion` were copied. */
    void (*corrections)(const tn_assembly *assembly, const double *configuration, const double *motion);
} tn_explanation;

/* The same where there may be no table. */

static inline bool tn_find_marker(tn_assembly *assembly)
{
    const tn_explanation *explanation = assembly->services->explanation;
    return explanation && explanation->find_marker(assembly);
}

static inline tn_status tn_find_number(tn_assembly *assembly)
{
    const tn_explanation *explanation = assembly->services->explanation;
    return explanation ? explanation->find_number(assembly) : TN_RETRY;
}

static inline tn_status tn_find_refusal(tn_assembly *assembly)
{
    const tn_explanation *explanation = assembly->services->explanation;
    return explanation ? explanation->find_refusal(assembly) : TN_INVALID;
}

#endif

/* linear_choice.h - the linear solver of a large model: which one serves it best, and whether its factors have room.
 *
 * Where a model names no linear solver, and its matrix is large, those that say what they cost (tenon/draft/linear.h) analyse the matrix
 * of the start, and the one that is expected to take the least time is taken for all of the run. */
#ifndef TN_LINEAR_CHOICE_H
#define TN_LINEAR_CHOICE_H

#include "run/study.h"

#include <tenon/draft/linear.h>

typedef struct tn_linear_expectation {
    const char *chosen_by; /* "cost", "model", or "default" where the standard one serves well enough */
    tn_linear_cost cost;
} tn_linear_expectation;

/* Once the study is assembled: loads what a large model may choose from, so that a run and one that goes on with it have the same plugins. */
void tn_linear_find_candidates(tn_study *study);
/* At the start, before the first solver begins. TN_INVALID, with the reason among the failures, where factors need more memory than there
 * is. */
tn_status tn_linear_choose(tn_study *study);
/* What was expected; NULL where the matrix is small, or nothing is known. */
const tn_linear_expectation *tn_linear_expected(const tn_study *study);

#endif

/* freedom.h - degrees of freedom and redundant constraints, where a run starts. */
#ifndef TN_FREEDOM_H
#define TN_FREEDOM_H

#include "run/study.h"

/* Takes a constrained model to its start state with this linear solver; false when that fails: assembly->reason tells. */
bool tn_start_state(tn_study *study, tn_linear_choice linear);
/* The lines of `tenon check`; a note on standard error when there are redundant constraints. */
void tn_freedom_print(const tn_study *study, const tn_rank *rank);
void tn_freedom_note(const tn_study *study, const tn_rank *rank);

#endif

/* freedom.h - tells degrees of freedom and redundant constraints, where a run starts. Called once they are found (redundancy.h). */
#ifndef TN_FREEDOM_H
#define TN_FREEDOM_H

#include "analysis/rank.h"
#include "system/assembly.h"

/* The lines of `tenon check`; a note on standard error when there are redundant constraints. */
void tn_freedom_print(const tn_assembly *assembly, const tn_rank *rank);
void tn_freedom_note(const tn_assembly *assembly, const tn_rank *rank);

#endif

/* freedom.h - tells of redundant constraints, where a run starts. Called once they are found (redundancy.h). */
#ifndef TN_FREEDOM_H
#define TN_FREEDOM_H

#include "analysis/rank.h"
#include "system/assembly.h"

#include <stdio.h>

/* "pin_0.row3 pin_1.row3 ... and 7 more", of which `most` by name. */
void tn_dependent_set_print(FILE *stream, const tn_assembly *assembly, const tn_rank *rank, uint32_t set,
                            uint32_t most);
/* A note when there are redundant constraints. */
void tn_freedom_note(const tn_assembly *assembly, const tn_rank *rank);

#endif

/* sliding.h - jumps of expressions that the motion may stay at. */
#ifndef TN_SLIDING_H
#define TN_SLIDING_H

#include "system/events.h"
#include "system/assembly.h"

/* sliding.c: lists the jumps of expressions; what tn_system offers; after an accepted step of a length tells about those that
 * became steep laws, and evaluates anew; then, behind the row of the step, notes where their laws have come to. */
void tn_sliding_build(tn_assembly *assembly);
void tn_sliding_prepare(tn_assembly *assembly);
tn_status tn_sliding_accepted(tn_assembly *assembly, double step);
void tn_sliding_remember(tn_assembly *assembly);
void tn_sliding_free(tn_sliding *sliding);

#endif

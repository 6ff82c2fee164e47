/* sliding.h - jumps of expressions that the motion may stay at. Called by the system by way of its table (system/value_source.h). */
#ifndef TN_SLIDING_H
#define TN_SLIDING_H

#include "system/events.h"
#include "values/value_graph.h"

struct tn_sliding;

/* Lists the jumps of expressions, and lets solvers ask for them (tn_system.slide). */
void tn_sliding_build(tn_assembly *assembly);
/* After an accepted step of a length, s, tells about those that became steep laws, and evaluates anew; then, behind the row of the
 * step, notes where their laws have come to. */
tn_status tn_sliding_accepted(tn_assembly *assembly, double step);
void tn_sliding_remember(tn_assembly *assembly);
/* How often steps of a fixed length went over jumps of expressions that act, as tn_events_passed. */
uint64_t tn_sliding_passed(const tn_assembly *assembly, tn_passed_visitor *visit, void *data);
void tn_sliding_free(struct tn_sliding *sliding);

#endif

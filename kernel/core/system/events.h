/* events.h - event functions of values and elements, and impulses at events. */
#ifndef TN_EVENTS_H
#define TN_EVENTS_H

#include "system/assembly.h"

/* events.c: lists the event functions; their values; after an accepted step calls on_event where signs changed, and
 * evaluates anew. */
void tn_events_build(tn_assembly *assembly);
tn_status tn_system_event_values(tn_system *system, double *value);
tn_status tn_events_accepted(tn_assembly *assembly);
/* How often steps of a fixed length went over each event of elements, group by group. */
const uint64_t *tn_events_passed(const tn_assembly *assembly);
/* What they know of steps before, and the counts. */
void tn_events_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
/* impulses.c: memory; readies the wrenches of all elements, which are zero then, for impulses; takes v to behind them, and accounts
 * for their work, where there are any. */
void tn_impulses_build(tn_assembly *assembly);
tn_status tn_impulses_begin(tn_assembly *assembly);
tn_status tn_impulses_act(tn_assembly *assembly);
#endif

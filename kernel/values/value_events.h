/* value_events.h - what values do to the course of a run: functions that solvers land on, conditions, jumps that the motion may stay
 * at. Called by the system by way of its table (system/value_source.h). */
#ifndef TN_VALUE_EVENTS_H
#define TN_VALUE_EVENTS_H

#include "system/assembly.h"
#include "values/value_graph.h"

/* Of one assembly. */
struct tn_value_events {
    struct tn_live_events {
        const tn_dynamic_value *dynamic;
        uint32_t first, count;
    } * live; /* expressions that switch */
    size_t live_count;
    uint32_t first_of_conditions, count;
    struct tn_conditions *conditions; /* conditions.c */
    struct tn_sliding *sliding;       /* sliding.c; NULL: no expression jumps */
};

/* Lists the event functions; their number. Their values at the last evaluation. */
uint32_t tn_value_events_list(tn_assembly *assembly);
tn_status tn_value_events_find(tn_assembly *assembly, double *value);
void tn_value_events_free(tn_assembly *assembly);
/* Whether something depends on a dynamic value. */
bool tn_value_acts(const tn_model *model, const tn_dynamic_value *dynamic);

#endif

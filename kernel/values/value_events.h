/* value_events.h - what values do to the course of a run: functions that solvers land on, conditions that end a solver or make changes,
 * jumps that the motion may stay at
 *
 * Called by the system by way of its table (system/value_source.h), and by whoever reports conditions and jumps. */
#ifndef TN_VALUE_EVENTS_H
#define TN_VALUE_EVENTS_H

#include "system/events.h"
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

/* ---- value_events.c -------------------------------------------------------------------------------------- */

/* Lists the event functions; their number. Their values at the last evaluation. */
uint32_t tn_value_events_list(tn_assembly *assembly);
tn_status tn_value_events_find(tn_assembly *assembly, double *value);
/* Whether something depends on a dynamic value. */
bool tn_value_acts(const tn_model *model, const tn_dynamic_value *dynamic);

/* ---- conditions.c ---------------------------------------------------------------------------------------- */

/* Lists them; the number of their event functions, and these at the last evaluation. */
uint32_t tn_conditions_build(tn_assembly *assembly);
tn_status tn_conditions_event_values(tn_assembly *assembly, double *value);
/* A solver begins that this condition ends, or TN_NONE. */
void tn_conditions_begin(tn_assembly *assembly, uint32_t stop);
/* Evaluates all of them at the state of an accepted step: whether some are met that make a `change`. They stay so until that has
 * been made: then they are not evaluated again. */
tn_status tn_conditions_accepted(tn_assembly *assembly, bool *change);
void tn_conditions_done(tn_assembly *assembly);
bool tn_condition_is_met(const tn_assembly *assembly, uint32_t condition);
/* The condition that occurred as number `number`, and when; NULL beyond the last. Whether one has occurred. */
const tn_live_value *tn_condition_met(const tn_assembly *assembly, uint32_t number, double *time);
bool tn_condition_has_been_met(const tn_assembly *assembly, uint32_t condition);

void tn_conditions_list_state(tn_assembly *assembly, tn_state_visitor *visitor);

/* ---- sliding.c ------------------------------------------------------------------------------------------- */

/* Lists the jumps of expressions, and lets solvers ask for them (tn_system.slide). */
void tn_sliding_build(tn_assembly *assembly);
/* After an accepted step of a length, s, warns of those that became steep laws, and evaluates anew; then, behind the row of the
 * step, notes where their laws have come to. */
tn_status tn_sliding_accepted(tn_assembly *assembly, double step);
void tn_sliding_remember(tn_assembly *assembly);
void tn_sliding_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
/* How often steps of a fixed length went over jumps of expressions that act: each that was is visited with its parameter. */
typedef void tn_passed_visitor(void *data, uint64_t count, const char *item, const char *parameter);
uint64_t tn_sliding_passed(const tn_assembly *assembly, tn_passed_visitor *visit, void *data);

#endif

/* conditions.h - conditions that end a solver or make changes. Called by the system by way of its table (system/value_source.h), and
 * by whoever reports them. */
#ifndef TN_CONDITIONS_H
#define TN_CONDITIONS_H

#include "system/assembly.h"
#include "values/value_graph.h"

struct tn_conditions;

/* conditions.c: lists them; the number of their event functions, and these at the last evaluation. */
uint32_t tn_conditions_build(tn_assembly *assembly);
tn_status tn_conditions_event_values(tn_assembly *assembly, double *value);
void tn_conditions_free(struct tn_conditions *conditions);
/* A solver begins that this condition ends, or TN_NONE. */
void tn_conditions_begin(tn_assembly *assembly, uint32_t stop);
/* Looks at all of them, at the state of an accepted step: whether some are met that make a `change`. They stay so until that has
 * been made: then nobody looks at them again. */
tn_status tn_conditions_accepted(tn_assembly *assembly, bool *change);
void tn_conditions_done(tn_assembly *assembly);
bool tn_condition_is_met(const tn_assembly *assembly, uint32_t condition);
/* The one that was met as number `number`, and when; NULL behind the last. Whether one has been met. */
const tn_condition *tn_condition_met(const tn_assembly *assembly, uint32_t number, double *time);
bool tn_condition_has_been_met(const tn_assembly *assembly, uint32_t condition);

#endif

/* events.c - event functions: those of values and conditions, and what elements ask for.
 *
 * Those of values come first (value_source.h), then those of elements, group by group. */
#include "system/events.h"

#include "system/accept.h"
#include "system/constraints.h"
#include "system/failure.h"
#include "system/value_source.h"

#include <math.h>
#include <string.h>

struct tn_events {
    uint32_t first_of_elements, count;
    bool reacts;      /* some type has on_event */
    double *value;    /* [count] */
    double *side;     /* [count - first_of_elements] the last signs that were not zero; 0: none yet */
    uint64_t *passed; /* [count - first_of_elements] how often steps of a fixed length went over them */
};

static size_t events_of(const tn_group *group)
{
    return (size_t)group->batch.layout->events * group->batch.count;
}

void tn_events_build(tn_assembly *assembly)
{
    tn_events *events = assembly->events = tn_assembly_new(assembly, 1, sizeof *events);
    const tn_value_source *values = assembly->services->values;
    events->first_of_elements = events->count = values ? values->list_events(assembly) : 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const size_t count = events_of(&assembly->group[k]);
        events->count += (uint32_t)count;
        events->reacts = events->reacts || (count && assembly->group[k].type->on_event);
    }
    events->value = tn_assembly_new(assembly, events->count, sizeof *events->value);
    events->side = tn_assembly_new(assembly, events->count - events->first_of_elements, sizeof *events->side);
    events->passed =
        tn_assembly_new(assembly, events->count - events->first_of_elements, sizeof *events->passed);
    assembly->system.events = events->count;
    if (events->reacts) tn_impulses_build(assembly);
}

/* Those of all groups, one behind the other; an inactive element has none. */
static tn_status element_values(tn_assembly *assembly, double *value)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const uint32_t events = group->batch.layout->events;
        if (!events) continue;
        group->batch.time = assembly->system.time;
        group->batch.value = value;
        const tn_status status = tn_call(group->type, events, &group->batch);
        if (status != TN_OK) return tn_refused(assembly, group, status);
        for (uint32_t i = 0; group->active && i < group->batch.count; i++)
            for (uint32_t e = 0; !group->active[i] && e < events; e++)
                value[(size_t)i * events + e] = (double)NAN;
        value += events_of(group);
    }
    return TN_OK;
}

tn_status tn_system_event_values(tn_system *system, double *value)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const tn_events *events = assembly->events;
    const tn_status status =
        events->first_of_elements ? assembly->services->values->event_values(assembly, value) : TN_OK;
    return status == TN_OK ? element_values(assembly, value + events->first_of_elements) : status;
}

/* Writes the new sign where the old one was another, else 0, and counts these events in `passed` unless that is NULL; true when there
 * is one. */
static bool note_changes(double *value, double *side, uint64_t *passed, size_t count)
{
    bool changed = false;
    for (size_t i = 0; i < count; i++) {
        const double before = side[i], now = (double)((value[i] > 0.0) - (value[i] < 0.0));
        if (now != 0.0) side[i] = now;
        value[i] = now * before < 0.0 ? now : 0.0;
        changed = changed || value[i] != 0.0;
        if (passed) passed[i] += value[i] != 0.0;
    }
    return changed;
}

/* Leaves the signs that have changed in the values; whether some are those of types that do something about it. */
static tn_status find_changes_of_signs(tn_assembly *assembly, bool *concerned)
{
    const tn_events *events = assembly->events;
    double *value = events->value, *side = events->side;
    /* adaptive solvers end a step there */
    uint64_t *passed = assembly->system.run->adaptive ? NULL : events->passed;
    const tn_status status = element_values(assembly, value);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        const size_t count = events_of(&assembly->group[k]);
        const bool changed = count && note_changes(value, side, passed, count);
        *concerned = *concerned || (changed && assembly->group[k].type->on_event);
        value += count;
        side += count;
        if (passed) passed += count;
    }
    return status;
}

/* Rows of the group may be others from now on. */
static tn_status tell_event(tn_assembly *assembly, tn_group *group)
{
    group->failure = (tn_failure){0};
    const tn_status status = tn_call(group->type, on_event, &group->batch);
    if (status == TN_OK && group->failure.message) tn_tell_of_element(assembly, group, true);
    return status == TN_OK && group->rows ? tn_constraints_find_rows(assembly, group, false) : status;
}

/* What elements do about it may change the state, the equations and their event functions: the signs are renewed. */
static tn_status call_on_event(tn_assembly *assembly)
{
    const tn_events *events = assembly->events;
    double *value = events->value;
    tn_status status = tn_impulses_begin(assembly);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        tn_group *group = &assembly->group[k];
        const size_t count = events_of(group);
        group->batch.value = value;
        if (count && group->type->on_event) status = tell_event(assembly, group);
        if (status != TN_OK) return tn_refused(assembly, group, status);
        value += count;
    }
    if (status == TN_OK) status = tn_impulses_act(assembly);
    if (status == TN_OK) status = tn_accept_jump(assembly);
    if (status == TN_OK) status = element_values(assembly, events->value);
    (void)note_changes(events->value, events->side, NULL, events->count - events->first_of_elements);
    return status;
}

tn_status tn_events_accepted(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    bool reacted = false;
    if (!assembly->events->reacts) return TN_OK;
    tn_refusal_forget(assembly);
    tn_status status = tn_evaluate_markers(assembly);
    if (status == TN_OK) status = find_changes_of_signs(assembly, &reacted);
    if (status == TN_OK && reacted) status = call_on_event(assembly);
    if (status == TN_OK && reacted) {
        system->revision++;
        status = system->evaluate(system);
        if (status == TN_OK) status = system->accelerate(system, system->a);
    }
    return status == TN_OK ? TN_OK : system->fail(system, status, NULL, "an event is handled here");
}

const uint64_t *tn_events_passed(const tn_assembly *assembly) { return assembly->events->passed; }

void tn_events_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    tn_events *events = assembly->events;
    const size_t count = events->count - events->first_of_elements;
    tn_visit_numbers(visitor, events->side, count);
    visitor->bytes(visitor, events->passed, count * sizeof *events->passed);
}

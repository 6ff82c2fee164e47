/* events.c - event functions: what expressions that act switch at, what conditions of the run do, and what elements ask for.
 *
 * Those of expressions come first, in the order of the dynamic values, then those of conditions, then those of elements, group by
 * group. */
#include "system/events.h"

#include "system/conditions.h"
#include "system/value_source.h"

#include <math.h>
#include <string.h>

struct tn_events {
    struct live_events {
        const tn_dynamic_value *dynamic;
        uint32_t first, count;
    } * live; /* expressions that switch */
    size_t live_count;
    uint32_t first_of_conditions, first_of_elements, count;
    bool reacts;      /* some type has on_event */
    double *value;    /* [count] */
    double *side;     /* [count - first_of_elements] the last signs that were not zero; 0: none yet */
    uint64_t *passed; /* [count - first_of_elements] how often steps of a fixed length went over them */
};

/* A variable that no parameter reads changes nothing but itself, unless it is integrated or holds something. */
bool tn_value_acts(const tn_model *model, const tn_dynamic_value *dynamic)
{
    const tn_item *item = &model->item[dynamic->item];
    return item->read || item->variable != TN_EXPLICIT || !model->use[item->use].element->is_variable;
}

static size_t events_of(const tn_group *group)
{
    return (size_t)group->batch.layout->events * group->batch.count;
}

void tn_events_build(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    tn_events *events = assembly->events = tn_new(1, sizeof *events);
    events->live = tn_new(model->dynamic_count, sizeof *events->live);
    for (size_t k = 0; k < model->dynamic_count; k++) {
        const tn_dynamic_value *dynamic = &model->dynamic[k];
        const uint32_t count = tn_expression_switch_count(dynamic->live.expression);
        if (!count || !tn_value_acts(model, dynamic)) continue;
        events->live[events->live_count++] = (struct live_events){dynamic, events->count, count};
        events->count += count;
    }
    events->first_of_conditions = events->count;
    events->count += tn_conditions_build(assembly);
    events->first_of_elements = events->count;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const size_t count = events_of(&assembly->group[k]);
        events->count += (uint32_t)count;
        events->reacts = events->reacts || (count && assembly->group[k].type->on_event);
    }
    events->value = tn_new(events->count, sizeof *events->value);
    events->side = tn_new(events->count - events->first_of_elements, sizeof *events->side);
    events->passed = tn_new(events->count - events->first_of_elements, sizeof *events->passed);
    assembly->system.events = events->count;
    if (events->reacts) tn_impulses_build(assembly);
}

void tn_events_free(tn_events *events)
{
    if (!events) return;
    tn_free(events->live);
    tn_free(events->value);
    tn_free(events->side);
    tn_free(events->passed);
    tn_free(events);
}

static bool is_active(const tn_assembly *assembly, uint32_t item)
{
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    return !group->active || group->active[assembly->index_of[item]];
}

static void forget(double *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        value[i] = (double)NAN;
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
            if (!group->active[i]) forget(value + (size_t)i * events, events);
        value += events_of(group);
    }
    return TN_OK;
}

tn_status tn_system_event_values(tn_system *system, double *value)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const tn_events *events = assembly->events;
    for (size_t k = 0; k < events->live_count; k++) {
        const struct live_events *live = &events->live[k];
        const uint32_t item = live->dynamic->item;
        if (live->dynamic->off || !(is_active(assembly, item) || assembly->model->item[item].read))
            forget(value + live->first, live->count);
        else
            assembly->values->switches(assembly, &live->dynamic->live, value + live->first);
    }
    const tn_status status = events->first_of_conditions < events->first_of_elements
                                 ? tn_conditions_event_values(assembly, value + events->first_of_conditions)
                                 : TN_OK;
    return status == TN_OK ? element_values(assembly, value + events->first_of_elements) : status;
}

/* Writes the new sign where the old one was another, else 0; true when there is one. */
static bool note_changes(double *value, double *side, size_t count)
{
    bool changed = false;
    for (size_t i = 0; i < count; i++) {
        const double before = side[i], now = (double)((value[i] > 0.0) - (value[i] < 0.0));
        if (now != 0.0) side[i] = now;
        value[i] = now * before < 0.0 ? now : 0.0;
        changed = changed || value[i] != 0.0;
    }
    return changed;
}

/* Adaptive solvers end a step there. */
static void count_passed(const double *value, uint64_t *passed, size_t count)
{
    for (size_t i = 0; i < count; i++)
        passed[i] += value[i] != 0.0;
}

/* Leaves the signs that have changed in the values; whether some are those of types that do something about it. */
static tn_status find_changes(tn_assembly *assembly, bool *concerned)
{
    const tn_events *events = assembly->events;
    double *value = events->value, *side = events->side;
    const tn_status status = element_values(assembly, value);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        const size_t count = events_of(&assembly->group[k]);
        const bool changed = count && note_changes(value, side, count);
        if (changed && !assembly->system.run->adaptive)
            count_passed(value, events->passed + (value - events->value), count);
        *concerned = *concerned || (changed && assembly->group[k].type->on_event);
        value += count;
        side += count;
    }
    return status;
}

static bool has_changed(const double *sign, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sign[i] != 0.0) return true;
    return false;
}

/* What elements do about it may change the state, the equations and their event functions: the signs are renewed. */
static tn_status react(tn_assembly *assembly, bool *jumped)
{
    const tn_events *events = assembly->events;
    double *value = events->value;
    tn_status status = tn_impulses_begin(assembly);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        tn_group *group = &assembly->group[k];
        const size_t count = events_of(group);
        group->batch.value = value;
        if (group->type->on_event && has_changed(value, count))
            status = tn_call(group->type, on_event, &group->batch);
        if (status != TN_OK) return tn_refused(assembly, group, status);
        value += count;
    }
    if (status == TN_OK) status = tn_impulses_act(assembly, jumped);
    if (status == TN_OK) status = element_values(assembly, events->value);
    (void)note_changes(events->value, events->side, events->count - events->first_of_elements);
    return status;
}

tn_status tn_events_accepted(tn_assembly *assembly, bool *jumped)
{
    tn_system *system = &assembly->system;
    *jumped = false;
    if (!assembly->events->reacts) return TN_OK;
    bool reacted = false;
    assembly->failed = NULL;
    assembly->failed_value = NULL;
    tn_status status = tn_evaluate_markers(assembly);
    if (status == TN_OK) status = find_changes(assembly, &reacted);
    if (status == TN_OK && reacted) status = react(assembly, jumped);
    if (status == TN_OK && reacted) {
        system->revision++;
        status = system->evaluate(system);
        if (status == TN_OK) status = system->accelerate(system, system->a);
    }
    return status == TN_OK ? TN_OK : system->fail(system, status, NULL, "an event was handled here");
}

uint64_t tn_events_passed(const tn_assembly *assembly, tn_passed_visitor *visit, void *data)
{
    const uint64_t *passed = assembly->events->passed;
    uint64_t all = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t events = group->batch.layout->events;
        for (uint32_t i = 0; events && i < group->batch.count; i++) {
            uint64_t own = 0;
            for (uint32_t e = 0; e < events; e++)
                own += *passed++;
            if (own) visit(data, own, tn_item_name(assembly->model, group->item[i]), NULL);
            all += own;
        }
    }
    return all;
}

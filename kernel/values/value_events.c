/* value_events.c - event functions of values: what expressions that act switch at, and what conditions of the run do.
 *
 * Those of expressions come first, in the order of the dynamic values, then those of conditions. */
#include "values/value_events.h"

#include "system/value_source.h"
#include "values/conditions.h"
#include "values/sliding.h"

#include <math.h>

/* A variable that no parameter reads changes nothing but itself, unless it is integrated or holds something. */
bool tn_value_acts(const tn_model *model, const tn_dynamic_value *dynamic)
{
    const tn_item *item = &model->item[dynamic->item];
    return item->read || item->variable != TN_EXPLICIT || !model->use[item->use].element->is_variable;
}

uint32_t tn_value_events_list(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    struct tn_value_events *events = assembly->value_events = tn_new(1, sizeof *events);
    size_t value_count = 0;
    const tn_dynamic_value *values = tn_dynamic_values(model, &value_count);
    events->live = tn_new(value_count, sizeof *events->live);
    for (size_t k = 0; k < value_count; k++) {
        const tn_dynamic_value *dynamic = &values[k];
        const uint32_t count = tn_expression_switch_count(dynamic->live.expression);
        if (!count || !tn_value_acts(model, dynamic)) continue;
        events->live[events->live_count++] = (struct tn_live_events){dynamic, events->count, count};
        events->count += count;
    }
    events->first_of_conditions = events->count;
    events->count += tn_conditions_build(assembly);
    tn_sliding_build(assembly);
    return events->count;
}

void tn_value_events_free(tn_assembly *assembly)
{
    struct tn_value_events *events = assembly->value_events;
    if (!events) return;
    tn_conditions_free(events->conditions);
    tn_sliding_free(events->sliding);
    tn_free(events->live);
    tn_free(events);
    assembly->value_events = NULL;
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

tn_status tn_value_events_find(tn_assembly *assembly, double *value)
{
    const struct tn_value_events *events = assembly->value_events;
    for (size_t k = 0; k < events->live_count; k++) {
        const struct tn_live_events *live = &events->live[k];
        const uint32_t item = live->dynamic->item;
        if (live->dynamic->off || !(is_active(assembly, item) || assembly->model->item[item].read))
            forget(value + live->first, live->count);
        else
            assembly->services->values->switches(assembly, &live->dynamic->live, value + live->first);
    }
    return events->first_of_conditions < events->count
               ? tn_conditions_event_values(assembly, value + events->first_of_conditions)
               : TN_OK;
}

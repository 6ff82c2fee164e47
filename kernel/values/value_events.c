/* value_events.c - event functions of values: what expressions that act switch at, and what conditions of the run do.
 *
 * Those of expressions come first, in the order of the dynamic values, then those of conditions. */
#include "values/value_events.h"

#include "values/state_values.h"

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
    events->live = tn_new(model->values->dynamic_count, sizeof *events->live);
    for (size_t k = 0; k < model->values->dynamic_count; k++) {
        const tn_dynamic_value *dynamic = &model->values->dynamic[k];
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

static bool is_active(const tn_assembly *assembly, uint32_t item)
{
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    return !group->active || group->active[assembly->index_of[item]];
}

tn_status tn_value_events_find(tn_assembly *assembly, double *value)
{
    const struct tn_value_events *events = assembly->value_events;
    for (size_t k = 0; k < events->live_count; k++) {
        const struct tn_live_events *live = &events->live[k];
        const uint32_t item = live->dynamic->item;
        const bool acts =
            !live->dynamic->off && (is_active(assembly, item) || assembly->model->item[item].read);
        if (acts) tn_live_switches(assembly, &live->dynamic->live, value + live->first);
        for (uint32_t i = 0; !acts && i < live->count; i++)
            value[live->first + i] = (double)NAN;
    }
    return events->first_of_conditions < events->count
               ? tn_conditions_event_values(assembly, value + events->first_of_conditions)
               : TN_OK;
}

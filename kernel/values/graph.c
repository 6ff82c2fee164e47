/* graph.c - the values of a model: their memory, and what the model and the system ask of them */
#include "values/delay_calls.h"

#include <stdlib.h>

static bool is_reference(void *data, const char *name) { return tn_is_function_of_items(data, name); }

tn_value_graph *tn_value_graph_new(tn_model *model)
{
    model->reader->source.is_reference = is_reference;
    return tn_new(1, sizeof(tn_value_graph));
}

void tn_value_graph_free(tn_value_graph *graph)
{
    for (size_t k = 0; k < graph->delay_count; k++)
        tn_history_free(&graph->delay[k]->history);
    tn_names_free(&graph->coordinate_names);
    void *const memory[] = {graph->dynamic,       graph->dynamic_order,     graph->loop,
                            graph->first_dynamic, graph->next_dynamic,      graph->measured_force,
                            graph->delay,         graph->coordinate_marker, graph};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        free(memory[k]);
}

void tn_dynamic_add(tn_model *model, const tn_dynamic_value *dynamic)
{
    tn_value_graph *graph = model->values;
    graph->dynamic =
        tn_grow(graph->dynamic, &graph->dynamic_capacity, graph->dynamic_count + 1, sizeof *graph->dynamic);
    graph->dynamic[graph->dynamic_count++] = *dynamic;
}

tn_dynamic_value *tn_dynamic_values(const tn_model *model, size_t *count)
{
    *count = model->values->dynamic_count;
    return model->values->dynamic;
}

bool tn_item_reads_state(const tn_model *model, uint32_t item)
{
    const tn_value_graph *graph = model->values;
    for (uint32_t d = graph->first_dynamic[item]; d != TN_NONE; d = graph->next_dynamic[d])
        if (graph->dynamic[d].live.calls.count) return true;
    return false;
}

bool tn_live_reads(const tn_model *model, const tn_live_value *live, uint32_t what)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < live->reads; k++) {
        const tn_observed *observed = &live->observed[k];
        if (observed->kind == TN_OBSERVED_FORCE) found |= TN_READS_FORCES;
        if (observed->kind == TN_OBSERVED_ACCELERATION) found |= TN_READS_ACCELERATIONS;
        if (observed->kind == TN_OBSERVED_VARIABLE &&
            model->item[observed->index].variable == TN_CONSTRAINT_MULTIPLIER)
            found |= TN_READS_MULTIPLIERS;
    }
    return found & what;
}

bool tn_reads_past(const tn_model *model) { return model->values->delay_count > 0; }

bool tn_past_reads(const tn_model *model, uint32_t what)
{
    bool found = false;
    for (size_t k = 0; k < model->values->delay_count; k++)
        found = found || tn_live_reads(model, &model->values->delay[k]->value, what);
    return found;
}

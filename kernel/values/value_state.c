/* value_state.c - what values keep from step to step, as spans of bytes (tenon/draft/stepping.h) */
#include "values/graph.h"
#include "values/state_values.h"
#include "values/value_events.h"

/* The numbers in force: values that read each other are searched for from there. */
static void list_dynamic_values(tn_assembly *assembly, tn_state_visitor *visitor)
{
    size_t count = 0;
    tn_dynamic_value *dynamic = tn_dynamic_values(assembly->model, &count);
    for (size_t k = 0; k < count; k++) {
        TN_VISIT(visitor, dynamic[k].off);
        if (!dynamic[k].live.argument_count)
            tn_visit_numbers(visitor, tn_dynamic_place(assembly, &dynamic[k]), 1);
    }
}

static void list_history(tn_history *history, tn_state_visitor *visitor)
{
    const size_t count = history->count;
    TN_VISIT(visitor, history->begin);
    TN_VISIT(visitor, history->greatest);
    size_t saved = count;
    TN_VISIT(visitor, saved);
    if (visitor->restores) tn_history_make(history, saved);
    for (size_t k = 0; k < saved; k++) {
        tn_past *point = tn_history_point(history, k);
        TN_VISIT(visitor, point->time);
        TN_VISIT(visitor, point->value);
        TN_VISIT(visitor, point->begins);
    }
}

static void list_delay(tn_delay *delay, tn_state_visitor *visitor)
{
    double *const number[] = {&delay->last_lag, &delay->output, &delay->by_value, &delay->by_lag,
                              &delay->next};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        tn_visit_numbers(visitor, number[k], 1);
    list_history(&delay->history, visitor);
}

void tn_values_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    const tn_value_graph *graph = assembly->model->values;
    for (size_t k = 0; k < tn_input_count(assembly->model); k++)
        TN_VISIT(visitor, graph->input[k].value);
    list_dynamic_values(assembly, visitor);
    for (size_t k = 0; k < graph->delay_count; k++)
        list_delay(graph->delay[k], visitor);
    tn_conditions_list_state(assembly, visitor);
    tn_sliding_list_state(assembly, visitor);
    if (visitor->restores) tn_values_renew(assembly, true);
}

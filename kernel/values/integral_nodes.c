/* integral_nodes.c - DIF(variable) and DIF1(variable): the value of an integral, which is its VARVAL, and its rate */
#include "values/derivatives.h"
#include "values/value_units.h"

#include <string.h>

#define VALUE "dif"
#define RATE "dif1"

static bool is_function(tn_model *model, const char *name)
{
    (void)model;
    return strcmp(name, VALUE) == 0 || strcmp(name, RATE) == 0;
}

static void offer(tn_model *model, tn_nearest *search)
{
    (void)model;
    tn_nearest_offer(search, VALUE);
    tn_nearest_offer(search, RATE);
}

static bool connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made)
{
    tn_value_graph *graph = model->values;
    if (!tn_call_check_count(model, node, call, 1, 1, "variable")) return false;
    made->index = tn_item_of_argument(model, &call->item[0], TN_VARIABLES, node);
    if (made->index == TN_NONE) return false;
    if (strcmp(call->function, VALUE) == 0) made->kind = &tn_variable_node;
    const struct tn_integral_read read = {node, call, made->index};
    TN_APPEND(graph->integral_read, graph->integral_read_count, read);
    return true;
}

void tn_integral_reads_check(tn_model *model)
{
    const tn_value_graph *graph = model->values;
    for (size_t k = 0; k < graph->integral_read_count; k++) {
        const struct tn_integral_read *read = &graph->integral_read[k];
        if (model->item[read->item].variable != TN_INTEGRAL)
            tn_source_error_inside(&model->reader->source, read->node, read->call->offset,
                                   "`%s` is no integral: `%s` reads variables with `integral = true`",
                                   tn_item_name(model, read->item), read->call->function);
    }
}

/* ---- the rate, which is the value of the expression --------------------------------------------------------- */

static void sources(const tn_model *model, const tn_value_node *node, tn_source_visitor *visit, void *data)
{
    (void)model;
    visit(data, TN_VALUES_OF, node->index);
}

static tn_unit unit(tn_unit_search *search, const tn_value_node *node)
{
    return search->variable[node->index].equation;
}

static const double *place(const tn_assembly *assembly, const tn_value_node *node)
{
    const uint32_t offset = (uint32_t)tn_variable_parameter(assembly->model, node->index)->offset;
    return tn_dynamic_place(assembly, &(tn_dynamic_value){.item = node->index, .offset = offset});
}

static double change(const tn_sweep *sweep, const tn_value_node *node)
{
    const tn_model *model = sweep->assembly->model;
    const uint32_t value = tn_value_in_force(model, node->index);
    return value == TN_NONE ? 0.0 : sweep->memory->change[model->values->dynamic[value].rank];
}

static tn_status hand_on(const tn_sweep *sweep, const tn_value_node *node, double share, double share_along)
{
    const tn_value_graph *graph = sweep->assembly->model->values;
    TN_FOR_VALUES_OF (graph, node->index, k) {
        sweep->memory->adjoint[graph->dynamic[k].rank] += share;
        sweep->memory->adjoint_along[graph->dynamic[k].rank] += share_along;
    }
    return TN_OK;
}

const tn_node_kind tn_integral_node = {
    .is_function = is_function,
    .offer = offer,
    .connect = connect,
    .in_loop = "the rate of an integral cannot be part of a loop: write its expression in place of DIF1",
    .sources = sources,
    .unit = unit,
    .place = place,
    .change = change,
    .hand_on = hand_on};

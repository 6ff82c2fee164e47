/* variable_nodes.c - VARVAL(variable): the value of a variable
 *
 * Other values wait for that of an explicit variable, and change with what its expression reads. A multiplier and an integral are
 * unknowns of the solver: they stand in the state. */
#include "values/derivatives.h"
#include "values/value_units.h"

#include <string.h>

static bool is_function(tn_model *model, const char *name)
{
    (void)model;
    return strcmp(name, TN_VARIABLE_FUNCTION) == 0;
}

static void offer(tn_model *model, tn_nearest *search)
{
    (void)model;
    tn_nearest_offer(search, TN_VARIABLE_FUNCTION);
}

static bool connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made)
{
    if (!tn_call_check_count(model, node, call, 1, 1, "variable")) return false;
    made->index = tn_item_of_argument(model, &call->item[0], TN_VARIABLES, node);
    return made->index != TN_NONE;
}

static uint32_t kind_of(const tn_model *model, const tn_value_node *node)
{
    return model->item[node->index].variable;
}

static void sources(const tn_model *model, const tn_value_node *node, tn_source_visitor *visit, void *data)
{
    const uint32_t kind = kind_of(model, node);
    visit(data,
          kind == TN_CONSTRAINT_MULTIPLIER ? TN_ROWS_OF
          : kind == TN_INTEGRAL            ? TN_STATE_OF
                                           : TN_VALUES_OF,
          node->index);
}

static tn_unit unit(tn_unit_search *search, const tn_value_node *node)
{
    return search->variable[node->index].value;
}

static const double *place(const tn_assembly *assembly, const tn_value_node *node)
{
    const tn_group *group = &assembly->group[assembly->group_of[node->index]];
    const size_t index = assembly->index_of[node->index];
    if (kind_of(assembly->model, node) == TN_INTEGRAL)
        return assembly->system.x + group->x_start + index * group->batch.layout->nx;
    if (kind_of(assembly->model, node) == TN_CONSTRAINT_MULTIPLIER)
        return assembly->system.lambda + group->row_start + index * group->rows;
    const uint32_t offset = (uint32_t)tn_variable_parameter(assembly->model, node->index)->offset;
    return tn_dynamic_place(assembly, &(tn_dynamic_value){.item = node->index, .offset = offset});
}

/* Of a number there is none. */
static double change(const tn_sweep *sweep, const tn_value_node *node)
{
    const tn_model *model = sweep->assembly->model;
    const uint32_t value = tn_value_in_force(model, node->index);
    return value == TN_NONE ? 0.0 : sweep->memory->change[model->values->dynamic[value].rank];
}

/* Within a loop nothing is left to hand on: what its values change with is found for all of them together. */
static tn_status hand_on(const tn_sweep *sweep, const tn_value_node *node, double share, double share_along)
{
    const tn_assembly *assembly = sweep->assembly;
    const tn_value_graph *graph = assembly->model->values;
    const tn_derivatives *memory = sweep->memory;
    const uint32_t kind = kind_of(assembly->model, node), loop = sweep->reader->loop;
    if (kind == TN_CONSTRAINT_MULTIPLIER) {
        *tn_weight_of_row(sweep, node->index, 0) += share;
        return TN_OK;
    }
    if (kind == TN_INTEGRAL && sweep->by_state) {
        sweep->by_state[place(assembly, node) - assembly->system.x] += share;
        return TN_OK;
    }
    TN_FOR_VALUES_OF (graph, node->index, k) {
        const tn_dynamic_value *dynamic = &graph->dynamic[k];
        if (kind == TN_INTEGRAL) {
            memory->waiting[dynamic->rank] += share * sweep->state_factor;
        } else if (loop == TN_NONE || dynamic->loop != loop) {
            memory->adjoint[dynamic->rank] += share;
            memory->adjoint_along[dynamic->rank] += share_along;
        }
    }
    return TN_OK;
}

const tn_node_kind tn_variable_node = {.is_function = is_function,
                                       .offer = offer,
                                       .connect = connect,
                                       .sources = sources,
                                       .unit = unit,
                                       .place = place,
                                       .change = change,
                                       .hand_on = hand_on};

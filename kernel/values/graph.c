/* graph.c - the values of a model: what their expressions read, and what the model and the system ask of them */
#include "values/graph.h"

#include "config/standard.h"
#include "values/measured_forces.h"

#include <string.h>

const tn_node_kind *const tn_node_kinds[] = {&tn_variable_node,
                                             &tn_coordinate_node,
                                             &tn_force_node,
                                             &tn_sensor_node,
                                             &tn_block_node,
                                             &tn_integral_node,
                                             NULL};

static const tn_node_kind *kind_of_function(tn_model *model, const char *name)
{
    const tn_node_kind *const *kind = tn_node_kinds;
    while (*kind && !(*kind)->is_function(model, name))
        kind++;
    return *kind;
}

bool tn_is_function_of_items(void *model, const char *name) { return kind_of_function(model, name); }

void tn_offer_functions_of_items(tn_model *model, tn_nearest *search)
{
    for (const tn_node_kind *const *kind = tn_node_kinds; *kind; kind++)
        (*kind)->offer(model, search);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static void offer_inputs(void *data, tn_nearest *search)
{
    const tn_model *model = data;
    for (size_t k = 0; k < model->reader->input_names.count; k++)
        tn_part_offer_one(model, model->reader->input_names.name[k], search);
}

tn_value_graph *tn_value_graph_new(tn_model *model)
{
    model->reader->source.functions.is_reference = tn_is_function_of_items;
    model->reader->source.is_input = tn_is_input;
    model->reader->source.offer_inputs = offer_inputs;
    return tn_new(1, sizeof(tn_value_graph));
}

uint32_t tn_condition_note(tn_model *model, tn_live_value live)
{
    tn_value_graph *graph = model->values;
    TN_APPEND(graph->condition, graph->condition_count, live);
    return (uint32_t)graph->condition_count - 1;
}

tn_live_value *tn_conditions(const tn_model *model, size_t *count)
{
    *count = model->values->condition_count;
    return model->values->condition;
}

void tn_position_note(tn_model *model, const tn_named_position *position)
{
    tn_value_graph *graph = model->values;
    for (size_t k = 0; k < graph->position_count; k++)
        if (strcmp(graph->position[k].name, position->name) == 0) return;
    TN_APPEND(graph->position, graph->position_count, *position);
}

const tn_named_position *tn_positions(const tn_model *model, size_t *count)
{
    *count = model->values->position_count;
    return model->values->position;
}

void tn_marker_sensor_note(tn_model *model, const tn_marker_sensor *sensor)
{
    tn_value_graph *graph = model->values;
    TN_APPEND(graph->marker_sensor, graph->marker_sensor_count, *sensor);
}

const tn_marker_sensor *tn_marker_sensors(const tn_model *model, size_t *count)
{
    *count = model->values->marker_sensor_count;
    return model->values->marker_sensor;
}

void tn_dynamic_add(tn_model *model, const tn_dynamic_value *dynamic)
{
    TN_APPEND(model->values->dynamic, model->values->dynamic_count, *dynamic);
}

/* False for a parameter of a variable other than its expression: no value reads that. */
static bool is_readable(const tn_model *model, const tn_dynamic_value *dynamic)
{
    return !model->use[model->item[dynamic->item].use].element->is_variable ||
           dynamic->offset == tn_variable_parameter(model, dynamic->item)->offset;
}

static void list_by_item(const tn_model *model, tn_value_graph *graph)
{
    graph->first_dynamic = tn_new(model->names.count, sizeof *graph->first_dynamic);
    graph->next_dynamic = tn_new(graph->dynamic_count, sizeof *graph->next_dynamic);
    for (uint32_t k = 0; k < graph->dynamic_count; k++) {
        if (!is_readable(model, &graph->dynamic[k])) continue;
        uint32_t *first = &graph->first_dynamic[graph->dynamic[k].item];
        graph->next_dynamic[k] = *first - 1;
        *first = k + 1;
    }
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

tn_live_value tn_live_begin(tn_model *model, const tn_quantity *quantity)
{
    const tn_source *source = &model->reader->source;
    tn_live_value live = {.expression = quantity->expression,
                          .factor = quantity->factor,
                          .constant = quantity->value,
                          .depth = source->depth,
                          .argument_count = quantity->argument_count,
                          .calls = quantity->calls,
                          .unit = quantity->unit,
                          .node = quantity->node,
                          .part = model->reader->part};
    live.read = tn_arena_new(&model->arena, (quantity->calls.count + 1) * sizeof *live.read);
    live.inputs = tn_arena_new(&model->arena, tn_live_input_count(&live) * sizeof *live.inputs);
    if (source->depth) {
        live.variable = tn_arena_new(&model->arena, source->depth * sizeof *live.variable);
        memcpy(live.variable, source->variable, source->depth * sizeof *live.variable);
        memcpy(live.inputs, source->variable_value, source->depth * sizeof *live.inputs);
    }
    return live;
}

/* For errors: the copy that an expression belongs to is in hand again. */
static void enter_copy(tn_source *source, const tn_live_value *live)
{
    source->depth = live->depth;
    source->variable_value = live->depth ? live->inputs : NULL;
    if (live->depth) memcpy(source->variable, live->variable, live->depth * sizeof *live->variable);
}

bool tn_live_connect(tn_model *model, tn_live_value *live)
{
    bool good = true;
    const tn_source before = model->reader->source;
    const tn_part *part = tn_part_enter(model, live->part);
    enter_copy(&model->reader->source, live);
    for (uint32_t k = 0; k < live->calls.count; k++) {
        const tn_item_call *call = &live->calls.call[k];
        const tn_node_kind *kind = call->delayed    ? &tn_delay_node
                                   : call->is_input ? &tn_input_node
                                                    : kind_of_function(model, call->function);
        live->read[k].kind = kind;
        if (!kind->connect(model, live->node, call, &live->read[k])) good = false;
    }
    model->reader->source = before;
    (void)tn_part_enter(model, part);
    if (good) tn_live_list_nodes(model, live);
    return good;
}

bool tn_call_check_count(tn_model *model, const tn_toml *node, const tn_item_call *call, uint32_t least,
                         uint32_t most, const char *form)
{
    if (call->count >= least && call->count <= most) return true;
    const char *range = least == most ? tn_arena_print(&model->arena, "%u", most)
                                      : tn_arena_print(&model->arena, "%u to %u", least, most);
    tn_source_error_inside(&model->reader->source, node, call->offset,
                           "`%s` takes %s argument%s (%s), not %u", call->function, range,
                           most == 1 ? "" : "s", form, call->count);
    return false;
}

tn_toml tn_argument_node(const tn_model *model, const tn_toml *node, const tn_item_argument *argument)
{
    tn_toml here = *node;
    here.place = tn_toml_place_in_text(model->reader->document, node, argument->offset);
    return here;
}

tn_argument_place tn_argument_connect(tn_model *model, const tn_toml *node, const tn_item_argument *argument,
                                      uint32_t kind)
{
    const tn_item_argument global = {TN_GLOBAL_FRAME, argument->offset};
    const bool zero = strcmp(argument->text, "0") == 0;
    tn_argument_place p = {tn_item_of_argument(model, zero ? &global : argument, TN_PLACES, node), TN_NONE};
    const size_t before = tn_model_errors(model);
    if (p.item != TN_NONE) p.marker = tn_marker_of(model, p.item, kind, NULL);
    if (p.item == TN_NONE || p.marker != TN_NONE || tn_model_errors(model) != before) return p;
    /* again, where the place of the argument is worth finding */
    const tn_toml here = tn_argument_node(model, node, argument);
    (void)tn_marker_of(model, p.item, kind, &here.at);
    return p;
}

void tn_values_connect(tn_model *model)
{
    tn_value_graph *graph = model->values;
    bool good = true;
    for (size_t k = 0; k < graph->dynamic_count; k++) {
        tn_live_value *live = &graph->dynamic[k].live;
        if (!tn_live_connect(model, live)) good = false;
        /* a variable that a parameter reads acts on the motion */
        for (uint32_t n = 0; n < live->below_count; n++)
            if (live->below[n].node->kind == &tn_variable_node)
                model->item[live->below[n].node->index].read = true;
    }
    list_by_item(model, graph);
    if (!good) return;
    tn_variables_connect(model);
    tn_integral_reads_check(model);
    tn_forces_find_shares(model);
    tn_dynamics_order(model);
    tn_sampled_order(model);
}

/* ---- what is read ---------------------------------------------------------------------------------------- */

/* Into `to` unless that is NULL, behind those before, of which there are `count`; how many there are then. */
static uint32_t list_nodes_below(const tn_model *model, const tn_value_node *node, const tn_value_node *call,
                                 tn_read_node *to, uint32_t count)
{
    const tn_live_value *below;
    for (uint32_t k = 0; node->kind->argument && (below = node->kind->argument(model, node, k)); k++)
        for (uint32_t i = 0; i < below->calls.count; i++)
            count = list_nodes_below(model, &below->read[i], call, to, count);
    if (node->kind->argument) return count;
    if (to) to[count] = (tn_read_node){node, node->kind->in_loop ? node->kind->in_loop : call->kind->in_loop};
    return count + 1;
}

void tn_live_list_nodes(tn_model *model, tn_live_value *live)
{
    live->below = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) live->below = tn_arena_new(&model->arena, (live->below_count + 1) * sizeof *live->below);
        live->below_count = 0;
        for (uint32_t k = 0; k < live->calls.count; k++)
            live->below_count =
                list_nodes_below(model, &live->read[k], &live->read[k], live->below, live->below_count);
    }
}

void tn_visit_live(const tn_model *model, void (*visit)(void *data, tn_live_value *live), void *data)
{
    for (size_t k = 0; k < model->values->dynamic_count; k++)
        visit(data, &model->values->dynamic[k].live);
    for (size_t k = 0; k < model->sensor_count; k++)
        if (model->sensor[k].expression) visit(data, model->sensor[k].expression);
    for (size_t k = 0; k < model->values->condition_count; k++)
        visit(data, &model->values->condition[k]);
    for (size_t k = 0; k < model->values->delay_count; k++) {
        visit(data, &model->values->delay[k]->value);
        visit(data, &model->values->delay[k]->lag);
    }
}

/* What waits for the values of an item by way of one node. */
typedef struct waiting {
    tn_value_graph *graph;
    const char *in_loop;
} waiting;

static void add_values_of_item(void *data, tn_node_source what, uint32_t index)
{
    const waiting *by = data;
    tn_value_graph *graph = by->graph;
    if (what != TN_VALUES_OF) return;
    TN_FOR_VALUES_OF (graph, index, k)
        TN_APPEND(graph->read, graph->read_count, (tn_value_read){k, by->in_loop});
}

void tn_graph_add_reads(const tn_model *model, const tn_live_value *live)
{
    for (uint32_t k = 0; k < live->below_count; k++) {
        const tn_value_node *node = live->below[k].node;
        waiting by = {model->values, live->below[k].in_loop};
        if (node->kind->sources) node->kind->sources(model, node, add_values_of_item, &by);
    }
}

void tn_graph_list_reads(tn_value_graph *graph, const tn_model *model)
{
    if (!graph->read_start) graph->read_start = tn_new(graph->dynamic_count + 1, sizeof *graph->read_start);
    graph->read_count = 0;
    for (size_t k = 0; k < graph->dynamic_count; k++) {
        tn_graph_add_reads(model, &graph->dynamic[k].live);
        graph->read_start[k + 1] = graph->read_count;
    }
}

/* ---- what others ask ------------------------------------------------------------------------------------- */

tn_dynamic_value *tn_dynamic_values(const tn_model *model, size_t *count)
{
    *count = model->values->dynamic_count;
    return model->values->dynamic;
}

bool tn_reads_unknowns(const tn_live_value *live)
{
    bool reads = false;
    for (uint32_t k = 0; k < live->calls.count; k++)
        reads = reads || live->read[k].kind->hand_on;
    return reads;
}

bool tn_item_reads_state(const tn_model *model, uint32_t item)
{
    bool reads = false;
    TN_FOR_VALUES_OF (model->values, item, k)
        reads = reads || tn_reads_unknowns(&model->values->dynamic[k].live);
    return reads;
}

uint32_t tn_live_reads(const tn_model *model, const tn_live_value *live)
{
    uint32_t reads = 0;
    for (uint32_t k = 0; k < live->below_count; k++) {
        const tn_value_node *node = live->below[k].node;
        const bool variable = node->kind == &tn_variable_node;
        reads |= node->kind->reads;
        if (variable && model->item[node->index].variable == TN_CONSTRAINT_MULTIPLIER)
            reads |= TN_READS_MULTIPLIERS;
    }
    return reads;
}

uint32_t tn_past_reads(const tn_model *model)
{
    uint32_t reads = 0;
    for (size_t k = 0; k < model->values->delay_count; k++)
        reads |= tn_live_reads(model, &model->values->delay[k]->value);
    return reads;
}

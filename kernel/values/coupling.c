/* coupling.c - connectors whose parameters read the state: their forces change with markers that are not theirs
 *
 * A parameter p of a connector may read coordinates c made of any markers, accelerations, forces of other elements,
 * multipliers, and variables that read others. Where the wrench w of the connector has the derivative dw/dp, the matrix gets
 * dw/dp dp/dc dc/dq besides (coupling_matrix.c). A user's function that reads the state is such a p, too: w has a derivative
 * by its value, which has derivatives by all that it reads where the connector has called it. This file lists what is read. */
#include "values/coupling.h"

#include "system/markers.h"

/* ---- what is read ---------------------------------------------------------------------------------------- */

/* Enters an unknown that the next connector reads, unless it stands there. */
static void note_unknown(tn_assembly *assembly, uint32_t unknown)
{
    struct tn_couplings *c = assembly->read->couplings;
    size_t *listed = &assembly->read->derivatives->unknown[unknown].listed;
    if (*listed == c->connector_count + 1) return;
    *listed = c->connector_count + 1;
    TN_APPEND(c->read, c->read_count, unknown);
}

/* The column of a dynamic parameter among these; TN_NONE: it does not change with the state. */
uint32_t tn_dynamic_column(const tn_batch *batch, uint32_t offset)
{
    uint32_t column = 0;
    for (uint32_t k = 0; k < batch->dynamic_count; k++) {
        const tn_dynamic *dynamic = &batch->dynamic[k];
        if (offset >= dynamic->offset && offset < dynamic->offset + dynamic->count * sizeof(double))
            return column + (offset - dynamic->offset) / (uint32_t)sizeof(double);
        column += dynamic->count;
    }
    return TN_NONE;
}

/* The column of a number of an instance among those of the dynamic parameters, to which the one that it belongs to is added. */
static uint32_t find_column(tn_group *group, tn_dynamic *dynamic, uint32_t offset)
{
    tn_batch *batch = &group->batch;
    const tn_parameter *parameter = group->type->parameters;
    const uint32_t known = tn_dynamic_column(batch, offset);
    if (known != TN_NONE) return known;
    while (!(parameter->flags & TN_DYNAMIC && offset >= parameter->offset &&
             offset < parameter->offset + parameter->count * sizeof(double)))
        parameter++;
    dynamic[batch->dynamic_count++] = (tn_dynamic){
        .offset = (uint32_t)parameter->offset, .count = parameter->count, .kind = parameter->kind};
    batch->dynamic_columns += parameter->count;
    return tn_dynamic_column(batch, offset);
}

static bool reads_input(const tn_live_value *live)
{
    bool reads = false;
    for (uint32_t k = 0; k < live->below_count; k++)
        reads = reads || live->below[k].node->kind == &tn_input_node;
    return reads;
}

/* Values of inputs alone have their column, too: forces that are measured, and linearised, change with them. */
static bool has_column(const tn_live_value *live) { return tn_reads_unknowns(live) || reads_input(live); }

/* Lists the values of one connector; false when none reads the state. */
static bool list_connector(struct tn_couplings *c, tn_assembly *assembly, uint32_t k, uint32_t i,
                           tn_dynamic *dynamic)
{
    const tn_value_graph *graph = assembly->model->values;
    tn_group *group = &assembly->group[k];
    tn_coupled_connector connector = {
        .group = k, .instance = i, .value = c->value_count, .read = c->read_count};
    TN_FOR_VALUES_OF (graph, group->item[i], d) {
        if (!has_column(&graph->dynamic[d].live)) continue;
        const uint32_t column = find_column(group, dynamic, graph->dynamic[d].offset);
        if (!tn_reads_unknowns(&graph->dynamic[d].live)) continue;
        const tn_reach reach = tn_reach_list(assembly, d, false, note_unknown);
        TN_APPEND(c->value, c->value_count, (tn_coupled_value){d, column, reach});
    }
    connector.values = c->value_count - connector.value;
    connector.reads = c->read_count - connector.read;
    for (size_t r = 0; r < connector.reads; r++) {
        const tn_read_unknown *unknown = tn_unknown_read(assembly, &connector, r);
        connector.weights += tn_weights_of(unknown);
        c->direct = c->direct || unknown->direct;
    }
    if (!connector.reads) {
        c->value_count = connector.value;
        return false;
    }
    TN_APPEND(c->connector, c->connector_count, connector);
    return true;
}

/* Lists the connectors of a group; their batch gets the parameters that the tangent is wanted for. Elements without forces are no
 * connectors: only rates of their states change with these. */
static void list_group(struct tn_couplings *c, tn_assembly *assembly, uint32_t k)
{
    const tn_value_graph *graph = assembly->model->values;
    tn_group *group = &assembly->group[k];
    size_t parameters = 0;
    while (group->type->parameters && group->type->parameters[parameters].name)
        parameters++;
    tn_dynamic *dynamic = tn_arena_new(&assembly->model->arena, (parameters + 1) * sizeof *dynamic);
    group->batch.dynamic = dynamic;
    group->coupled = c->connector_count;
    for (uint32_t i = 0; i < group->batch.count; i++) {
        if (group->force) {
            group->coupled_count += list_connector(c, assembly, k, i, dynamic);
            continue;
        }
        TN_FOR_VALUES_OF (graph, group->item[i], d)
            if (has_column(&graph->dynamic[d].live))
                (void)find_column(group, dynamic, graph->dynamic[d].offset);
    }
}

static bool has_columns(const tn_group *group)
{
    return !group->type->is_variable && (group->force || group->type->rates_tangent);
}

void tn_couplings_build(tn_assembly *assembly)
{
    const tn_value_graph *graph = assembly->model->values;
    bool any = false, by_inputs = false;
    for (uint32_t d = 0; d < graph->dynamic_count; d++) {
        any = any || tn_reads_unknowns(&graph->dynamic[d].live);
        by_inputs = by_inputs || reads_input(&graph->dynamic[d].live);
    }
    if (!any && !by_inputs) return;
    struct tn_couplings *c = assembly->read->couplings = tn_assembly_new(assembly, 1, sizeof *c);
    for (uint32_t k = 0; k < assembly->group_count; k++)
        if (has_columns(&assembly->group[k])) list_group(c, assembly, k);
    if (!any) assembly->read->couplings = NULL;
}

static bool is_direct(const tn_assembly *assembly, const tn_coupled_connector *connector)
{
    bool direct = false;
    for (size_t r = 0; r < connector->reads; r++)
        direct = direct || tn_unknown_read(assembly, connector, r)->direct;
    return direct;
}

tn_status tn_couplings_refuse(tn_assembly *assembly)
{
    const struct tn_couplings *c = assembly->read->couplings;
    const tn_coupled_connector *connector = c->connector;
    while (!is_direct(assembly, connector))
        connector++;
    tn_group *group = &assembly->group[connector->group];
    group->failure = (tn_failure){connector->instance, TN_RETRY,
                                  "it reads an acceleration or a reaction that depends on its force: no "
                                  "common solution is found"};
    return tn_refused(assembly, group, TN_RETRY);
}

/* ---- pattern --------------------------------------------------------------------------------------------- */

static uint32_t legs_of(const tn_assembly *assembly, const tn_read_unknown *unknown)
{
    return unknown->marker == TN_NONE ? 1 : tn_leg_count(assembly, unknown->marker);
}

static tn_nodes nodes_of(const tn_assembly *assembly, const tn_read_unknown *unknown, uint32_t leg)
{
    if (unknown->marker != TN_NONE) return tn_nodes_of(assembly, unknown->marker, leg);
    const tn_group *group = &assembly->group[assembly->group_of[unknown->item]];
    return (tn_nodes){group->first_node + assembly->index_of[unknown->item], 1};
}

void tn_couplings_visit(const tn_assembly *assembly,
                        void (*visit)(void *data, tn_nodes rows, tn_nodes columns), void *data)
{
    const struct tn_couplings *c = assembly->read->couplings;
    for (size_t k = 0; c && k < c->connector_count; k++) {
        const tn_coupled_connector *connector = &c->connector[k];
        const tn_group *group = &assembly->group[connector->group];
        for (size_t r = 0; r < connector->reads; r++) {
            const tn_read_unknown *unknown = tn_unknown_read(assembly, connector, r);
            for (uint32_t l = 0; l < legs_of(assembly, unknown); l++)
                for (uint32_t a = 0; a < group->leg_count; a++)
                    visit(data, tn_nodes_of_leg(assembly, group, connector->instance, a),
                          nodes_of(assembly, unknown, l));
        }
    }
}

tn_matrix_block *tn_couplings_prepare(tn_assembly *assembly)
{
    struct tn_couplings *c = assembly->read->couplings;
    if (!c) return NULL;
    size_t blocks = 0, width = 0, most = 1, weights = 0, read = 6;
    for (size_t k = 0; k < c->connector_count; k++) {
        tn_coupled_connector *connector = &c->connector[k];
        const tn_group *group = &assembly->group[connector->group];
        connector->block = blocks;
        if (connector->values * connector->weights > weights)
            weights = connector->values * connector->weights;
        if (group->batch.wrench_size > width) width = group->batch.wrench_size;
        for (size_t r = 0; r < connector->reads; r++) {
            const tn_read_unknown *unknown = tn_unknown_read(assembly, connector, r);
            const uint32_t legs = legs_of(assembly, unknown);
            if (unknown->width > read) read = unknown->width;
            blocks += (size_t)legs * group->leg_count;
            if (legs > most) most = legs;
        }
    }
    c->weights = tn_assembly_new(assembly, weights, sizeof *c->weights);
    c->tangent = tn_assembly_new(assembly, 3 * read * width, sizeof *c->tangent);
    c->end = tn_assembly_new(assembly, most, sizeof *c->end);
    return c->block = tn_assembly_new(assembly, blocks, sizeof *c->block);
}

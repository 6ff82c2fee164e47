/* coupling.c - connectors whose parameters read the state: their forces change with markers that are not theirs
 *
 * A parameter p of a connector may read coordinates c made of any markers, accelerations, forces of other elements,
 * multipliers, and variables that read others. Where the wrench w of the connector has the derivative dw/dp, the matrix gets
 * dw/dp dp/dc dc/dq besides (coupling_matrix.c). A user's function that reads the state is such a p, too: w has a derivative
 * by its value, and it one by what it reads where the connector has called it. Here is listed what is read. */
#include "values/coupling.h"

#include "values/live.h"
#include "system/markers.h"
#include "system/matrix.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more entry of a list. */
#define ADD(c, list)                                                                              \
    ((c)->list = tn_grow((c)->list, &(c)->list##_room, (c)->list##_count + 1, sizeof *(c)->list), \
     &(c)->list[(c)->list##_count++])

/* ---- what is read ---------------------------------------------------------------------------------------- */

static int descending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* Enters a value that the last coupled one reads, unless it stands there. */
static void reach(struct tn_couplings *c, const tn_model *model, uint32_t dynamic)
{
    if (c->mark[dynamic] == c->value_stamp) return;
    c->mark[dynamic] = c->value_stamp;
    *ADD(c, reach) = model->dynamic[dynamic].rank;
}

static void reach_item(struct tn_couplings *c, const tn_model *model, uint32_t item)
{
    for (uint32_t other = model->first_dynamic[item]; other != TN_NONE; other = model->next_dynamic[other])
        reach(c, model, other);
}

/* Enters an unknown that the last connector reads, unless it stands there; `place` is that among the numbers. */
static void read_unknown(struct tn_couplings *c, const tn_model *model, size_t place, tn_read_unknown unknown)
{
    uint32_t *number = &c->number[place], *mark = &c->mark[model->dynamic_count + place];
    if (*number == TN_NONE) {
        *number = (uint32_t)c->unknown_count;
        unknown.weight = c->weight_count;
        c->weight_count += tn_weights_of(&unknown);
        *ADD(c, unknown) = unknown;
    }
    if (*mark == c->connector_stamp) return;
    *mark = c->connector_stamp;
    *ADD(c, read) = *number;
}

static void read_marker(struct tn_couplings *c, const tn_model *model, uint32_t marker, bool acceleration)
{
    c->direct = c->direct || acceleration;
    read_unknown(c, model, marker,
                 (tn_read_unknown){.marker = marker,
                                   .width = tn_twist_size(model->marker[marker].kind),
                                   .direct = acceleration});
}

static void read_row(struct tn_couplings *c, const tn_assembly *assembly, uint32_t item, uint32_t row)
{
    c->direct = true;
    read_unknown(c, assembly->model, tn_place_of_row(assembly, item, row),
                 (tn_read_unknown){.marker = TN_NONE, .item = item, .row = row, .width = 1, .direct = true});
}

static void read_force(struct tn_couplings *c, const tn_assembly *assembly, const tn_measured_force *force)
{
    const tn_model *model = assembly->model;
    if (force->frame != TN_NONE) read_marker(c, model, force->frame, false);
    for (uint32_t s = 0; s < force->share_count; s++) {
        const uint32_t item = force->share[s].item;
        const tn_group *group = &assembly->group[assembly->group_of[item]];
        const uint32_t *marker = group->marker + assembly->index_of[item] * group->batch.marker_count;
        for (uint32_t k = 0; k < group->batch.marker_count; k++)
            read_marker(c, model, marker[k], false);
        for (uint32_t r = 0; !group->batch.layout->passive_rows && r < group->rows; r++)
            read_row(c, assembly, item, r);
        reach_item(c, model, item);
    }
}

static void read_observed(struct tn_couplings *c, tn_assembly *assembly, const tn_observed *observed)
{
    const tn_model *model = assembly->model;
    if (observed->kind == TN_OBSERVED_DELAY) {
        /* what it reads now is listed, too */
    } else if (observed->kind == TN_OBSERVED_FORCE) {
        read_force(c, assembly, model->measured_force[observed->index]);
    } else if (observed->kind != TN_OBSERVED_VARIABLE) {
        read_marker(c, model, observed->index, observed->kind == TN_OBSERVED_ACCELERATION);
    } else if (tn_is_multiplier(model, observed)) {
        read_row(c, assembly, observed->index, 0);
    } else {
        if (tn_is_integral(model, observed)) assembly->system.coupled_states = 1;
        reach_item(c, model, observed->index);
    }
}

/* Lists all that the last coupled value reads. */
static void list_reach(struct tn_couplings *c, tn_assembly *assembly, uint32_t dynamic)
{
    const tn_model *model = assembly->model;
    tn_coupled_value *value = &c->value[c->value_count - 1];
    value->reach = c->reach_count;
    c->value_stamp++;
    reach(c, model, dynamic);
    for (size_t next = value->reach; next < c->reach_count; next++) {
        const tn_live_value *live = &model->dynamic[model->dynamic_order[c->reach[next]]].live;
        for (uint32_t k = 0; k < live->reads; k++)
            read_observed(c, assembly, &live->observed[k]);
    }
    value->length = c->reach_count - value->reach;
    qsort(c->reach + value->reach, value->length, sizeof *c->reach, descending);
}

/* The column of a number of an instance among those of the dynamic parameters, which are entered into the list that a batch
 * gets. */
static uint32_t find_column(const tn_group *group, uint32_t offset, tn_dynamic *dynamic, uint32_t *count)
{
    const tn_parameter *parameter = group->type->parameters;
    while (!(parameter->flags & TN_DYNAMIC && offset >= parameter->offset &&
             offset < parameter->offset + parameter->count * sizeof(double)))
        parameter++;
    uint32_t column = 0, k = 0;
    for (; k < *count && dynamic[k].offset != parameter->offset; k++)
        column += dynamic[k].count;
    if (k == *count)
        dynamic[(*count)++] = (tn_dynamic){
            .offset = (uint32_t)parameter->offset, .count = parameter->count, .kind = parameter->kind};
    return column + (offset - (uint32_t)parameter->offset) / (uint32_t)sizeof(double);
}

static bool reads_state(const tn_model *model, uint32_t dynamic)
{
    return model->dynamic[dynamic].live.calls.count > 0;
}

static size_t count_weights(const struct tn_couplings *c, const tn_coupled_connector *connector)
{
    size_t count = 0;
    for (size_t r = 0; r < connector->reads; r++)
        count += tn_weights_of(&c->unknown[c->read[connector->read + r]]);
    return count;
}

/* Lists the values of one connector; false when none reads the state. */
static bool list_connector(struct tn_couplings *c, tn_assembly *assembly, uint32_t k, uint32_t i,
                           tn_dynamic *dynamic, uint32_t *count)
{
    const tn_model *model = assembly->model;
    const tn_group *group = &assembly->group[k];
    tn_coupled_connector connector = {
        .group = k, .instance = i, .value = c->value_count, .read = c->read_count};
    c->connector_stamp++;
    for (uint32_t d = model->first_dynamic[group->item[i]]; d != TN_NONE; d = model->next_dynamic[d]) {
        if (!reads_state(model, d)) continue;
        *ADD(c, value) =
            (tn_coupled_value){d, find_column(group, model->dynamic[d].offset, dynamic, count), 0, 0};
        list_reach(c, assembly, d);
    }
    connector.values = c->value_count - connector.value;
    connector.reads = c->read_count - connector.read;
    connector.weights = count_weights(c, &connector);
    if (!connector.reads) {
        c->value_count = connector.value;
        return false;
    }
    *ADD(c, connector) = connector;
    return true;
}

/* Lists the connectors of a group; their batch gets the parameters that the tangent is wanted for. */
static void list_group(struct tn_couplings *c, tn_assembly *assembly, uint32_t k)
{
    tn_group *group = &assembly->group[k];
    uint32_t parameters = 0, count = 0;
    while (group->type->parameters && group->type->parameters[parameters].name)
        parameters++;
    tn_dynamic *dynamic = tn_arena_new(&assembly->model->arena, (parameters + 1) * sizeof *dynamic);
    group->coupled = c->connector_count;
    for (uint32_t i = 0; i < group->batch.count; i++)
        group->coupled_count += list_connector(c, assembly, k, i, dynamic, &count);
    group->batch.dynamic = dynamic;
    group->batch.dynamic_count = count;
    for (uint32_t j = 0; j < count; j++)
        group->batch.dynamic_columns += dynamic[j].count;
}

void tn_couplings_build(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    bool any = false;
    for (uint32_t d = 0; d < model->dynamic_count; d++)
        any = any || reads_state(model, d);
    if (!any) return;

    struct tn_couplings *c = assembly->read->couplings = tn_new(1, sizeof *c);
    const size_t places = model->marker_count + assembly->system.rows, marks = model->dynamic_count + places;
    c->number = tn_new(places, sizeof *c->number);
    c->mark = tn_new(marks, sizeof *c->mark);
    memset(c->number, 0xff, places * sizeof *c->number); /* TN_NONE */
    for (uint32_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].type->force && !assembly->group[k].type->is_variable)
            list_group(c, assembly, k);
    c->adjoint = tn_new(model->dynamic_count, sizeof *c->adjoint);
    c->waiting = tn_new(model->dynamic_count, sizeof *c->waiting);
    c->weight = tn_new(c->weight_count, sizeof *c->weight);
    c->gradient = tn_new(assembly->read->live->most_inputs, sizeof *c->gradient);
}

void tn_couplings_free(struct tn_couplings *c)
{
    if (!c) return;
    void *const memory[] = {c->connector, c->value,    c->reach,   c->read,    c->block,
                            c->unknown,   c->number,   c->mark,    c->adjoint, c->weight,
                            c->waiting,   c->gradient, c->weights, c->tangent, c->end};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        tn_free(memory[k]);
    tn_free(c);
}

bool tn_couplings_are_direct(const tn_assembly *assembly)
{
    return assembly->read->couplings && assembly->read->couplings->direct;
}

static bool is_direct(const struct tn_couplings *c, const tn_coupled_connector *connector)
{
    bool direct = false;
    for (size_t r = 0; r < connector->reads; r++)
        direct = direct || c->unknown[c->read[connector->read + r]].direct;
    return direct;
}

tn_status tn_couplings_refuse(tn_assembly *assembly)
{
    const struct tn_couplings *c = assembly->read->couplings;
    const tn_coupled_connector *connector = c->connector;
    while (!is_direct(c, connector))
        connector++;
    tn_group *group = &assembly->group[connector->group];
    group->failure = (tn_failure){connector->instance, TN_RETRY,
                                  "it reads an acceleration or a reaction that depends on its force: no "
                                  "solution of both together is found"};
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
            const tn_read_unknown *unknown = &c->unknown[c->read[connector->read + r]];
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
    for (size_t k = 0; k < c->unknown_count; k++)
        if (c->unknown[k].width > read) read = c->unknown[k].width;
    for (size_t k = 0; k < c->connector_count; k++) {
        tn_coupled_connector *connector = &c->connector[k];
        const tn_group *group = &assembly->group[connector->group];
        connector->block = blocks;
        if (connector->values * connector->weights > weights)
            weights = connector->values * connector->weights;
        if (group->batch.wrench_size > width) width = group->batch.wrench_size;
        for (size_t r = 0; r < connector->reads; r++) {
            const uint32_t legs = legs_of(assembly, &c->unknown[c->read[connector->read + r]]);
            blocks += (size_t)legs * group->leg_count;
            if (legs > most) most = legs;
        }
    }
    c->weights = tn_new(weights, sizeof *c->weights);
    c->tangent = tn_new(3 * read * width, sizeof *c->tangent);
    c->end = tn_new(most, sizeof *c->end);
    return c->block = tn_new(blocks, sizeof *c->block);
}

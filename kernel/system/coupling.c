/* coupling.c - connectors whose parameters read the state: their forces change with markers that are not theirs
 *
 * A parameter p of a connector may read coordinates c made of any markers, and variables that read others. Where the wrench
 * w of the connector has the derivative dw/dp, the matrix gets dw/dp dp/dc dc/dq besides. dp/dc comes from one sweep
 * backwards through all values that p reads, directly or not: the derivative by a value is handed on to what it reads. */
#include "system/assembly.h"

#include <stdlib.h>
#include <string.h>

/* A parameter of a connector, or a component of one. */
typedef struct coupled_value {
    uint32_t dynamic;
    uint32_t column; /* of the derivative by it, behind those by poses and twists */
    size_t reach,
        length; /* its rank and those of all values that it reads, descending: each before what it reads */
} coupled_value;

typedef struct coupled_connector {
    uint32_t group, instance;
    size_t value, values;
    size_t read, reads; /* coordinates that its values read */
    size_t block;       /* starts in the matrix, [legs of those coordinates][legs of the connector] */
} coupled_connector;

struct tn_couplings {
    coupled_connector *connector;
    coupled_value *value;
    uint32_t *reach, *read, *block;
    size_t connector_count, value_count, reach_count, read_count, block_count;
    size_t connector_room, value_room, reach_room, read_room, block_room;
    struct read_coordinate {
        uint32_t marker;
        bool rate;
        uint32_t multiplier; /* TN_NONE, or the item of a variable instead */
    } * coordinate;          /* all that are read, each once */
    size_t coordinate_count, coordinate_room;
    bool reads_multipliers;
    uint32_t *
        number; /* [markers][2], then [items]: the coordinate that a marker's value and rate are, or a multiplier; or
                       TN_NONE */
    uint32_t *rank; /* [dynamic values] in the order of evaluation */
    uint32_t *mark; /* [dynamic values], then [2 markers]: the last value or connector that listed it, */
    uint32_t value_stamp, connector_stamp; /* counted like this */
    double *adjoint;                       /* [dynamic values], by rank; zero between two sweeps */
    double *weight;                        /* [coordinates] likewise */
    double *gradient;                      /* [most inputs] */
    double *weights;                       /* [most values of a connector][most coordinates] */
    double *tangent;                       /* [largest W][2] */
    tn_end *end;                           /* [most legs of a coordinate] */
};

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
static void reach(tn_couplings *c, uint32_t dynamic)
{
    if (c->mark[dynamic] == c->value_stamp) return;
    c->mark[dynamic] = c->value_stamp;
    *ADD(c, reach) = c->rank[dynamic];
}

/* The place of what is read in the lists of numbers and marks. */
static size_t place_of(const tn_model *model, const tn_observed *observed)
{
    return observed->kind == TN_OBSERVED_VARIABLE
               ? 2 * model->marker_count + observed->index
               : 2 * (size_t)observed->index + (observed->kind == TN_OBSERVED_RATE);
}

/* Enters a coordinate or multiplier that the last connector reads, unless it stands there. */
static void read_unknown(tn_couplings *c, const tn_model *model, const tn_observed *observed)
{
    uint32_t *number = &c->number[place_of(model, observed)];
    uint32_t *mark = &c->mark[model->dynamic_count + place_of(model, observed)];
    const bool multiplier = observed->kind == TN_OBSERVED_VARIABLE;
    if (*number == TN_NONE) {
        *number = (uint32_t)c->coordinate_count;
        c->reads_multipliers = c->reads_multipliers || multiplier;
        *ADD(c, coordinate) = (struct read_coordinate){observed->index, observed->kind == TN_OBSERVED_RATE,
                                                       multiplier ? observed->index : TN_NONE};
    }
    if (*mark == c->connector_stamp) return;
    *mark = c->connector_stamp;
    *ADD(c, read) = *number;
}

static bool is_multiplier(const tn_model *model, const tn_observed *observed)
{
    return observed->kind == TN_OBSERVED_VARIABLE &&
           model->item[observed->index].variable == TN_CONSTRAINT_MULTIPLIER;
}

/* Lists all that the last coupled value reads. */
static void list_reach(tn_couplings *c, const tn_model *model, uint32_t dynamic)
{
    coupled_value *value = &c->value[c->value_count - 1];
    value->reach = c->reach_count;
    c->value_stamp++;
    reach(c, dynamic);
    for (size_t next = value->reach; next < c->reach_count; next++) {
        const tn_live_value *live = &model->dynamic[model->dynamic_order[c->reach[next]]].live;
        for (uint32_t k = 0; k < live->reads; k++) {
            const tn_observed *observed = &live->observed[k];
            if (observed->kind == TN_OBSERVED_DELAY) continue; /* what it reads now is listed, too */
            if (observed->kind != TN_OBSERVED_VARIABLE || is_multiplier(model, observed))
                read_unknown(c, model, observed);
            else if (!tn_is_unknown(model, observed->index))
                for (uint32_t other = model->first_dynamic[observed->index]; other != TN_NONE;
                     other = model->next_dynamic[other])
                    reach(c, other);
        }
    }
    value->length = c->reach_count - value->reach;
    qsort(c->reach + value->reach, value->length, sizeof *c->reach, descending);
}

/* The column of a number of an instance among those of the dynamic parameters, which are entered into the list that a batch
 * gets. */
static uint32_t find_column(const tn_group *group, uint32_t offset, tn_dynamic *dynamic, uint32_t *count)
{
    const tn_parameter *parameter = group->type->parameters;
    while (!(parameter->kind == TN_KIND_REAL && offset >= parameter->offset &&
             offset < parameter->offset + parameter->count * sizeof(double)))
        parameter++;
    uint32_t column = 0, k = 0;
    for (; k < *count && dynamic[k].offset != parameter->offset; k++)
        column += dynamic[k].count;
    if (k == *count) dynamic[(*count)++] = (tn_dynamic){(uint32_t)parameter->offset, parameter->count};
    return column + (offset - (uint32_t)parameter->offset) / (uint32_t)sizeof(double);
}

static bool reads_state(const tn_model *model, uint32_t dynamic)
{
    return model->dynamic[dynamic].live.calls.count > 0;
}

/* Lists the values of one connector; false when none reads the state. */
static bool list_connector(tn_couplings *c, tn_assembly *assembly, uint32_t k, uint32_t i,
                           tn_dynamic *dynamic, uint32_t *count)
{
    const tn_model *model = assembly->model;
    const tn_group *group = &assembly->group[k];
    coupled_connector connector = {k, i, c->value_count, 0, c->read_count, 0, 0};
    c->connector_stamp++;
    for (uint32_t d = model->first_dynamic[group->item[i]]; d != TN_NONE; d = model->next_dynamic[d]) {
        if (!reads_state(model, d)) continue;
        *ADD(c, value) =
            (coupled_value){d, find_column(group, model->dynamic[d].offset, dynamic, count), 0, 0};
        list_reach(c, model, d);
    }
    connector.values = c->value_count - connector.value;
    connector.reads = c->read_count - connector.read;
    if (!connector.reads) {
        c->value_count = connector.value;
        return false;
    }
    *ADD(c, connector) = connector;
    return true;
}

/* Lists the connectors of a group; their batch gets the parameters that the tangent is wanted for. */
static void list_group(tn_couplings *c, tn_assembly *assembly, uint32_t k)
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

    tn_couplings *c = assembly->couplings = tn_new(1, sizeof *c);
    const size_t places = 2 * model->marker_count + model->names.count, marks = model->dynamic_count + places;
    size_t inputs = 0;
    c->rank = tn_new(model->dynamic_count, sizeof *c->rank);
    c->number = tn_new(places, sizeof *c->number);
    c->mark = tn_new(marks, sizeof *c->mark);
    memset(c->number, 0xff, places * sizeof *c->number); /* TN_NONE */
    for (uint32_t rank = 0; rank < model->dynamic_count; rank++) {
        const tn_live_value *live = &model->dynamic[rank].live;
        c->rank[model->dynamic_order[rank]] = rank;
        if (live->depth + 1u + live->reads > inputs) inputs = live->depth + 1u + live->reads;
    }
    for (uint32_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].type->force && !(assembly->group[k].type->flags & TN_VARIABLE))
            list_group(c, assembly, k);
    c->adjoint = tn_new(model->dynamic_count, sizeof *c->adjoint);
    c->weight = tn_new(c->coordinate_count, sizeof *c->weight);
    c->gradient = tn_new(inputs, sizeof *c->gradient);
}

void tn_couplings_free(tn_couplings *c)
{
    if (!c) return;
    void *const memory[] = {c->connector,  c->value,    c->reach,   c->read, c->block,
                            c->coordinate, c->number,   c->rank,    c->mark, c->adjoint,
                            c->weight,     c->gradient, c->tangent, c->end,  c->weights};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        free(memory[k]);
    free(c);
}

/* ---- matrix ---------------------------------------------------------------------------------------------- */

bool tn_couplings_read_multipliers(const tn_assembly *assembly)
{
    return assembly->couplings && assembly->couplings->reads_multipliers;
}

static uint32_t legs_of(const tn_assembly *assembly, const struct read_coordinate *read)
{
    return read->multiplier == TN_NONE ? tn_leg_count(assembly, read->marker) : 1;
}

static uint32_t node_of(const tn_assembly *assembly, const struct read_coordinate *read, uint32_t leg)
{
    if (read->multiplier == TN_NONE) return tn_body_of(assembly, read->marker, leg);
    return assembly->group[assembly->group_of[read->multiplier]].first_node +
           assembly->index_of[read->multiplier];
}

void tn_couplings_visit(const tn_assembly *assembly, void (*visit)(void *data, uint32_t row, uint32_t column),
                        void *data)
{
    const tn_couplings *c = assembly->couplings;
    for (size_t k = 0; c && k < c->connector_count; k++) {
        const coupled_connector *connector = &c->connector[k];
        const tn_group *group = &assembly->group[connector->group];
        for (size_t r = 0; r < connector->reads; r++) {
            const struct read_coordinate *read = &c->coordinate[c->read[connector->read + r]];
            for (uint32_t l = 0; l < legs_of(assembly, read); l++)
                for (uint32_t a = 0; a < group->leg_count; a++)
                    visit(data, tn_body_of_leg(assembly, group, connector->instance, a),
                          node_of(assembly, read, l));
        }
    }
}

uint32_t *tn_couplings_prepare(tn_assembly *assembly)
{
    tn_couplings *c = assembly->couplings;
    if (!c) return NULL;
    size_t blocks = 0, width = 0, most = 1, weights = 0;
    for (size_t k = 0; k < c->connector_count; k++) {
        coupled_connector *connector = &c->connector[k];
        const tn_group *group = &assembly->group[connector->group];
        connector->block = blocks;
        if (connector->values * connector->reads > weights) weights = connector->values * connector->reads;
        if (group->batch.wrench_size > width) width = group->batch.wrench_size;
        for (size_t r = 0; r < connector->reads; r++) {
            const uint32_t legs = legs_of(assembly, &c->coordinate[c->read[connector->read + r]]);
            blocks += (size_t)legs * group->leg_count;
            if (legs > most) most = legs;
        }
    }
    c->weights = tn_new(weights, sizeof *c->weights);
    c->tangent = tn_new(2 * width, sizeof *c->tangent);
    c->end = tn_new(most, sizeof *c->end);
    return c->block = tn_new(blocks, sizeof *c->block);
}

/* To the values of a variable that another one reads. */
static void hand_on(tn_couplings *c, const tn_model *model, uint32_t variable, uint32_t reader, double share)
{
    if (variable == reader || tn_is_unknown(model, variable)) return;
    for (uint32_t other = model->first_dynamic[variable]; other != TN_NONE;
         other = model->next_dynamic[other])
        c->adjoint[c->rank[other]] += share;
}

/* Derivatives of a value with respect to the coordinates that it reads, into their weights. */
static tn_status sweep(const tn_assembly *assembly, const coupled_value *value)
{
    tn_couplings *c = assembly->couplings;
    const tn_model *model = assembly->model;
    tn_status status = TN_OK;
    c->adjoint[c->rank[value->dynamic]] = 1.0;
    for (size_t k = value->reach; k < value->reach + value->length; k++) {
        const uint32_t rank = c->reach[k];
        const tn_dynamic_value *dynamic = &model->dynamic[model->dynamic_order[rank]];
        const tn_live_value *live = &dynamic->live;
        double adjoint = c->adjoint[rank] * live->factor;
        c->adjoint[rank] = 0.0;
        if (adjoint == 0.0 || dynamic->off) continue;
        if (!tn_live_gradient(assembly, live, c->gradient)) status = TN_RETRY;
        adjoint /= tn_live_own_derivative(assembly, dynamic, c->gradient);
        const double *gradient = c->gradient + live->depth + 1;
        for (uint32_t i = 0; status == TN_OK && i < live->reads; i++) {
            const tn_observed *observed = &live->observed[i];
            if (observed->kind == TN_OBSERVED_DELAY) continue;
            const double share = adjoint * gradient[i];
            if (observed->kind != TN_OBSERVED_VARIABLE || is_multiplier(model, observed))
                c->weight[c->number[place_of(model, observed)]] += share;
            else
                hand_on(c, model, observed->index, dynamic->item, share);
        }
    }
    return status;
}

/* dw/dp dp/dc of one value for one coordinate: as a tangent against its value and its rate. */
static void add_column(tn_couplings *c, const tn_batch *batch, const double *tangent,
                       const coupled_value *value, double weight, bool rate)
{
    const size_t W = batch->wrench_size, stride = 2 * W + batch->dynamic_columns;
    for (size_t r = 0; r < W; r++)
        c->tangent[2 * r + rate] += weight * tangent[r * stride + 2 * W + value->column];
}

/* The pairs of one coordinate with the ends of a connector. */
static const uint32_t *add_pairs(const tn_filling *f, uint32_t marker, const tn_end *ends, uint32_t legs,
                                 const uint32_t *block)
{
    tn_couplings *c = f->assembly->couplings;
    const size_t count = tn_ends_of(f->assembly, marker, 0, c->end);
    for (size_t l = 0; l < count; l++)
        for (uint32_t a = 0; a < legs; a++, block++)
            if (*block != TN_NONE) tn_add_pair(f, c->tangent, 1, 2, &ends[a], &c->end[l], *block);
    return block;
}

/* The column of a multiplier: what it does to the bodies of a connector. The sums of its first column stand in `tangent`. */
static const uint32_t *add_multiplier(const tn_filling *f, uint32_t item, const tn_end *ends, uint32_t legs,
                                      const uint32_t *block)
{
    const tn_assembly *assembly = f->assembly;
    const tn_couplings *c = assembly->couplings;
    const uint32_t node = assembly->group[assembly->group_of[item]].first_node + assembly->index_of[item];
    for (uint32_t a = 0; a < legs; a++, block++) {
        const tn_end *e = &ends[a];
        const size_t rows = e->J ? e->nv : e->width;
        for (size_t j = 0; *block != TN_NONE && j < rows; j++) {
            double force = 0.0;
            for (size_t r = 0; r < e->width; r++)
                force += (e->J ? e->J[r * e->nv + j] : (double)(r == j)) * c->tangent[2 * (e->column + r)];
            const double entry = -assembly->system.row_factor * force;
            tn_add_block(f, *block, assembly->column_length[node], j + (e->J ? 0 : e->offset), 0, 1, 1,
                         &entry);
        }
    }
    return block;
}

/* All of one connector, whose ends and tangent these are. */
static tn_status add_connector(const tn_filling *f, const coupled_connector *connector, const tn_end *ends,
                               const double *tangent)
{
    tn_couplings *c = f->assembly->couplings;
    const tn_group *group = &f->assembly->group[connector->group];
    const uint32_t *block = c->block + connector->block;
    tn_status status = TN_OK;
    /* weights of all values, [values][reads] */
    double *weights = c->weights;
    for (size_t v = 0; v < connector->values && status == TN_OK; v++) {
        const coupled_value *value = &c->value[connector->value + v];
        if (!f->assembly->model->dynamic[value->dynamic].off) status = sweep(f->assembly, value);
        for (size_t r = 0; r < connector->reads; r++) {
            double *weight = &c->weight[c->read[connector->read + r]];
            weights[v * connector->reads + r] = *weight;
            *weight = 0.0;
        }
    }
    for (size_t r = 0; r < connector->reads && status == TN_OK; r++) {
        const struct read_coordinate *read = &c->coordinate[c->read[connector->read + r]];
        memset(c->tangent, 0, 2 * group->batch.wrench_size * sizeof *c->tangent);
        for (size_t v = 0; v < connector->values; v++)
            add_column(c, &group->batch, tangent, &c->value[connector->value + v],
                       weights[v * connector->reads + r], read->rate);
        if (read->multiplier == TN_NONE)
            block = add_pairs(f, read->marker, ends, group->leg_count, block);
        else if (!f->assembly->projecting)
            block = add_multiplier(f, read->multiplier, ends, group->leg_count, block);
        else
            block += group->leg_count;
    }
    return status;
}

tn_status tn_coupling_add(const tn_filling *f, const tn_group *group, size_t instance, size_t *next,
                          const tn_end *ends, const double *tangent)
{
    const tn_couplings *c = f->assembly->couplings;
    if (*next == group->coupled + group->coupled_count || c->connector[*next].instance != instance)
        return TN_OK;
    return add_connector(f, &c->connector[(*next)++], ends, tangent);
}

/* variable_derivatives.c - the expressions of variables that act on what they read, with second derivatives
 *
 * Such a variable reads coordinates, directly or through explicit variables. Elements observe its value, its derivatives by these
 * coordinates and by time, and second derivatives times a direction. */
#include "values/derivatives.h"

#include <math.h>
#include <string.h>

typedef struct closure {
    tn_assembly *assembly;
    uint32_t dynamic; /* TN_NONE: the variable is a number */
    tn_reach reach;
    const uint32_t *marker; /* [coordinates] */
    uint32_t coordinates;
    double *first, *product; /* [coordinates]; of the product one more, by time */
} closure;

static bool acts_on_coordinates(const tn_group *group)
{
    return (group->type->is_variable && group->batch.marker_count > 0) || group->type->flags & TN_DRIVEN;
}

/* Numbers of an instance that are observed: the expression of a variable; all dynamic ones of what is driven. */
static uint32_t count_entries(const tn_group *group)
{
    uint32_t count = 0;
    if (group->type->is_variable) return 1;
    for (const tn_parameter *p = group->type->parameters; p && p->name; p++)
        count += p->flags & TN_DYNAMIC ? p->count : 0;
    return count;
}

/* The expression of one of them, TN_NONE for a number. */
static uint32_t find_entry(const tn_assembly *assembly, const tn_group *group, uint32_t item, uint32_t entry)
{
    if (group->type->is_variable) return tn_value_in_force(assembly->model, item);
    const tn_parameter *p = group->type->parameters;
    for (; !(p->flags & TN_DYNAMIC) || entry >= p->count; p++)
        entry -= p->flags & TN_DYNAMIC ? p->count : 0;
    TN_FOR_VALUES_OF (assembly->model->values, item, k) {
        const tn_dynamic_value *value = &assembly->model->values->dynamic[k];
        if (!value->off && value->offset == p->offset + entry * sizeof(double)) return k;
    }
    return TN_NONE;
}

static void build_closure(tn_assembly *assembly, const tn_group *group, uint32_t i, closure *c)
{
    const uint32_t coordinates = group->type->is_variable ? group->batch.marker_count : 0;
    *c = (closure){.assembly = assembly,
                   .marker = group->marker + (size_t)i * coordinates,
                   .coordinates = coordinates,
                   .first = tn_assembly_new(assembly, coordinates, sizeof *c->first),
                   .product = tn_assembly_new(assembly, coordinates + 1u, sizeof *c->product)};
    TN_FOR_VALUES_OF (assembly->model->values, group->item[i], k)
        (void)tn_reach_list(assembly, k, false, NULL); /* coordinates that it may read have weights */
}

/* ---- observing -------------------------------------------------------------------------------------------- */

/* Takes the weights of a coordinate out of those in hand. A value need not read it now. */
static void take_weight(closure *c, const tn_derivatives *memory, uint32_t k)
{
    const bool read = memory->number[c->marker[k]] != 0;
    const size_t place = read ? tn_weight_place(memory, c->marker[k]) : 0;
    c->first[k] = read ? memory->weight[place] : 0.0;
    c->product[k] = read ? memory->weight_along[place] : 0.0;
    if (read) memory->weight[place] = memory->weight_along[place] = 0.0;
}

static void set_direction(const closure *c, const tn_derivatives *memory, const double *direction)
{
    for (uint32_t k = 0; k < c->coordinates; k++)
        if (memory->number[c->marker[k]])
            memory->direction[tn_weight_place(memory, c->marker[k])] = direction[k];
}

/* What a function of time alone was before; NaN of others. */
static double find_value_before(const closure *c, const tn_expression_values *asked)
{
    tn_assembly *assembly = c->assembly;
    const bool wanted = asked->struct_size >= sizeof *asked && asked->since > 0.0;
    if (!wanted || c->dynamic == TN_NONE) return (double)NAN;
    const tn_live_value *live = &assembly->model->values->dynamic[c->dynamic].live;
    const double now = assembly->system.time;
    double value = 0.0;
    if (live->calls.count) return (double)NAN;
    assembly->system.time = now - asked->since;
    const bool known = tn_live_evaluate(assembly, live, &value, NULL);
    assembly->system.time = now;
    return known ? value : (double)NAN;
}

/* What tn_host.observe gives. */
static tn_status observe_variable(const tn_host *host, const void *variable, const double *direction,
                                  tn_expression_values *values)
{
    (void)host;
    closure *c = (closure *)(uintptr_t)variable + values->entry;
    tn_derivatives *memory = c->assembly->read->derivatives;
    tn_sweep sweep = {.assembly = c->assembly,
                      .memory = memory,
                      .second = direction != NULL,
                      .time_along = direction ? direction[c->coordinates] : 0.0};
    tn_status status = TN_OK;
    if (direction) set_direction(c, memory, direction);
    if (direction && c->dynamic != TN_NONE) status = tn_sweep_along(&sweep, c->reach);
    if (c->dynamic != TN_NONE && status == TN_OK) status = tn_sweep_back(&sweep, c->dynamic, c->reach);
    for (uint32_t k = 0; k < c->coordinates; k++)
        take_weight(c, memory, k);
    c->product[c->coordinates] = sweep.by_time_along;
    const uint32_t size = values->struct_size;
    const tn_expression_values found = {.struct_size = size,
                                        .entry = values->entry,
                                        .value = sweep.value,
                                        .by_time = sweep.by_time,
                                        .by_coordinate = c->first,
                                        .product = c->product,
                                        .since = size < sizeof found ? 0.0 : values->since,
                                        .before = find_value_before(c, values)};
    memcpy(values, &found, size < sizeof found ? size : sizeof found);
    return status;
}

/* ---- memory ----------------------------------------------------------------------------------------------- */

void tn_closures_build(tn_assembly *assembly)
{
    assembly->read->first_observed = assembly->read->derivatives->reach_count;
    for (size_t g = 0; g < assembly->group_count; g++) {
        tn_group *group = &assembly->group[g];
        if (!acts_on_coordinates(group)) continue;
        const uint32_t entries = count_entries(group);
        closure *c = tn_assembly_new(assembly, (size_t)entries * group->batch.count, sizeof *c);
        const void **handle = tn_assembly_new(assembly, group->batch.count, sizeof *handle);
        for (uint32_t i = 0; i < group->batch.count; i++, c += entries) {
            for (uint32_t entry = 0; entry < entries; entry++)
                build_closure(assembly, group, i, &c[entry]);
            handle[i] = c;
        }
        group->batch.variable = handle;
        assembly->model->host.observe = observe_variable;
    }
    tn_closures_renew(assembly);
}

void tn_closures_renew(tn_assembly *assembly)
{
    assembly->read->derivatives->reach_count = assembly->read->first_observed;
    for (size_t g = 0; g < assembly->group_count; g++) {
        const tn_group *group = &assembly->group[g];
        const uint32_t entries = acts_on_coordinates(group) ? count_entries(group) : 0;
        for (uint32_t k = 0; k < entries * group->batch.count; k++) {
            closure *c = (closure *)(uintptr_t)group->batch.variable[k / entries] + k % entries;
            c->dynamic = find_entry(assembly, group, group->item[k / entries], k % entries);
            if (c->dynamic != TN_NONE) c->reach = tn_reach_list(assembly, c->dynamic, true, NULL);
        }
    }
}

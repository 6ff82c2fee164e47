/* variable_derivatives.c - the expressions of variables that act on what they read, with second derivatives
 *
 * Such a variable reads coordinates, directly or through explicit variables. Elements observe its value, its derivatives by these
 * coordinates and by time, and second derivatives times a direction. */
#include "values/variable_derivatives.h"

#include "values/derivatives.h"

#include <string.h>

typedef struct closure {
    tn_assembly *assembly;
    uint32_t dynamic; /* TN_NONE: the variable is a number */
    tn_reach reach;
    const uint32_t *marker; /* [coordinates] */
    uint32_t coordinates;
    double *first, *product; /* [coordinates]; of the product one more, by time */
} closure;

struct tn_closures {
    closure *closure;
    const void **handle;
    size_t count, first_reach; /* of theirs among all lists, the last of which they are */
};

static bool acts(const tn_group *group)
{
    return (group->type->is_variable && group->batch.marker_count > 0) || group->type->flags & TN_DRIVEN;
}

/* Calls for all that act: closure number k, instance i of its group. */
static void for_closures(tn_assembly *assembly,
                         void (*visit)(tn_assembly *assembly, tn_group *group, size_t k, uint32_t i))
{
    for (size_t g = 0, k = 0; g < assembly->group_count; g++)
        for (uint32_t i = 0; acts(&assembly->group[g]) && i < assembly->group[g].batch.count; i++, k++)
            visit(assembly, &assembly->group[g], k, i);
}

static void count(tn_assembly *assembly, tn_group *group, size_t k, uint32_t i)
{
    (void)group;
    (void)i;
    assembly->read->closures->count = k + 1;
}

static void build(tn_assembly *assembly, tn_group *group, size_t k, uint32_t i)
{
    struct tn_closures *all = assembly->read->closures;
    closure *c = &all->closure[k];
    const uint32_t coordinates = group->type->is_variable ? group->batch.marker_count : 0;
    *c = (closure){.assembly = assembly,
                   .marker = group->marker + (size_t)i * coordinates,
                   .coordinates = coordinates,
                   .first = tn_new(coordinates, sizeof *c->first),
                   .product = tn_new(coordinates + 1u, sizeof *c->product)};
    all->handle[k] = c;
    if (i == 0) group->batch.variable = &all->handle[k];
    TN_FOR_VALUES_OF(assembly->model->values, group->item[i], d)
    (void)tn_reach_list(assembly, d, false, NULL); /* coordinates that it may read have weights */
}

static void find_value(tn_assembly *assembly, tn_group *group, size_t k, uint32_t i)
{
    closure *c = &assembly->read->closures->closure[k];
    c->dynamic = tn_value_in_force(assembly->model, group->item[i]);
    if (c->dynamic != TN_NONE) c->reach = tn_reach_list(assembly, c->dynamic, true, NULL);
}

void tn_closures_renew(tn_assembly *assembly)
{
    assembly->read->derivatives->reach_count = assembly->read->closures->first_reach;
    for_closures(assembly, find_value);
}

void tn_closures_build(tn_assembly *assembly)
{
    struct tn_closures *all = assembly->read->closures = tn_new(1, sizeof *all);
    for_closures(assembly, count);
    if (!all->count) return;
    assembly->model->host.observe = tn_observe;
    all->closure = tn_new(all->count, sizeof *all->closure);
    all->handle = tn_new(all->count, sizeof *all->handle);
    all->first_reach = assembly->read->derivatives->reach_count;
    for_closures(assembly, build);
    tn_closures_renew(assembly);
}

void tn_closures_free(struct tn_closures *all)
{
    for (size_t k = 0; k < all->count; k++) {
        tn_free(all->closure[k].first);
        tn_free(all->closure[k].product);
    }
    tn_free(all->closure);
    tn_free(all->handle);
    tn_free(all);
}

/* Takes the weights of a coordinate out of those in hand. A value need not read it now. */
static void take_weight(closure *c, const tn_derivatives *memory, uint32_t k)
{
    const bool read = memory->number[c->marker[k]] != TN_NONE;
    const size_t place = read ? tn_weight_place(memory, c->marker[k]) : 0;
    c->first[k] = read ? memory->weight[place] : 0.0;
    c->product[k] = read ? memory->weight_along[place] : 0.0;
    if (read) memory->weight[place] = memory->weight_along[place] = 0.0;
}

static void set_direction(const closure *c, const tn_derivatives *memory, const double *direction)
{
    for (uint32_t k = 0; k < c->coordinates; k++)
        if (memory->number[c->marker[k]] != TN_NONE)
            memory->direction[tn_weight_place(memory, c->marker[k])] = direction[k];
}

tn_status tn_observe(const tn_host *host, const void *variable, const double *direction,
                     tn_expression_values *values)
{
    (void)host;
    closure *c = (closure *)(uintptr_t)variable;
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
                                        .value = sweep.value,
                                        .by_time = sweep.by_time,
                                        .by_coordinate = c->first,
                                        .product = c->product};
    memcpy(values, &found, size < sizeof found ? size : sizeof found);
    return status;
}

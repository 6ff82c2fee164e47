/* variables.c - the expressions of variables that act on what they read, with second derivatives
 *
 * Such a variable g reads coordinates c, directly or through explicit variables. Along a direction e of the coordinates and of
 * time each value y = f(u) has the derivative f_u u_e; then, from g backwards, a value hands on to what it reads
 *
 *     its adjoint a:  a_u += a f_u,        and the adjoint's derivative along e:  b_u += b f_u + a f_uu u_e,
 *
 * so that the coordinates get dg/dc and d2g/dc2 e. */
#include "system/assembly.h"

#include <stdlib.h>
#include <string.h>

/* One value: where each of its inputs comes from. */
typedef struct node {
    uint32_t dynamic;
    int32_t *source; /* of its calls: coordinate k, or -1 - the number of a node; */
    double value_along, adjoint, adjoint_along;
} node;

typedef struct closure {
    tn_assembly *assembly;
    node *node; /* each behind those that it reads; the last one is the variable's own */
    size_t nodes, capacity;
    uint32_t coordinates;
    double *first, *product; /* [coordinates + 1] */
} closure;

struct tn_closures {
    closure *closure;
    const void **handle;
    size_t count;
    double *direction, *gradient, *product; /* [most inputs] of one expression */
};

static int32_t place_of_node(const closure *c, uint32_t dynamic)
{
    for (size_t k = 0; k < c->nodes; k++)
        if (c->node[k].dynamic == dynamic) return (int32_t)k;
    return -1;
}

/* The value that a variable has now. */
static uint32_t value_in_force(const tn_model *model, uint32_t item)
{
    uint32_t dynamic = model->first_dynamic[item];
    while (dynamic != TN_NONE && model->dynamic[dynamic].off)
        dynamic = model->next_dynamic[dynamic];
    return dynamic;
}

/* Enters a value behind those that it reads. Constraints read few values. */
static int32_t enter(closure *c, const uint32_t *marker, uint32_t dynamic)
{
    const tn_model *model = c->assembly->model;
    const int32_t known = place_of_node(c, dynamic);
    if (known >= 0) return known;
    const tn_live_value *live = &model->dynamic[dynamic].live;
    int32_t *source = tn_new(live->calls.count, sizeof *source);
    for (uint32_t k = 0; k < live->calls.count; k++) {
        const tn_observed *observed = &live->observed[k];
        if (observed->kind == TN_OBSERVED_VARIABLE) {
            const uint32_t read = value_in_force(model, observed->index);
            source[k] = read == TN_NONE ? (int32_t)c->coordinates : -1 - enter(c, marker, read);
            continue;
        }
        while (marker[source[k]] != observed->index)
            source[k]++;
    }
    c->node = tn_grow(c->node, &c->capacity, c->nodes + 1, sizeof *c->node);
    c->node[c->nodes] = (node){.dynamic = dynamic, .source = source};
    return (int32_t)c->nodes++;
}

static void build(tn_assembly *assembly, closure *c, const tn_group *group, uint32_t i)
{
    const uint32_t count = group->type->flags & TN_VARIABLE ? group->batch.marker_count : 0;
    *c = (closure){.assembly = assembly, .coordinates = count};
    c->first = tn_new(count + 1u, sizeof *c->first);
    c->product = tn_new(count + 1u, sizeof *c->product);
    const uint32_t dynamic = value_in_force(assembly->model, group->item[i]);
    if (dynamic != TN_NONE) (void)enter(c, group->marker + (size_t)i * count, dynamic);
}

static bool acts(const tn_group *group)
{
    return (group->type->flags & TN_VARIABLE && group->batch.marker_count > 0) ||
           group->type->flags & TN_DRIVEN;
}

void tn_closures_build(tn_assembly *assembly)
{
    size_t count = 0;
    for (size_t k = 0; k < assembly->group_count; k++)
        if (acts(&assembly->group[k])) count += assembly->group[k].batch.count;
    if (!count) return;
    struct tn_closures *all = assembly->closures = tn_new(1, sizeof *all);
    assembly->model->host.observe = tn_observe;
    all->closure = tn_new(count, sizeof *all->closure);
    all->handle = tn_new(count, sizeof *all->handle);
    all->direction = tn_new(assembly->most_inputs, sizeof *all->direction);
    all->gradient = tn_new(assembly->most_inputs, sizeof *all->gradient);
    all->product = tn_new(assembly->most_inputs, sizeof *all->product);
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!acts(group)) continue;
        group->batch.variable = all->handle + all->count;
        for (uint32_t i = 0; i < group->batch.count; i++, all->count++) {
            all->handle[all->count] = &all->closure[all->count];
            build(assembly, &all->closure[all->count], group, i);
        }
    }
}

static void forget(closure *c)
{
    for (size_t k = 0; k < c->nodes; k++)
        free(c->node[k].source);
    free(c->node);
    free(c->first);
    free(c->product);
}

void tn_closures_renew(tn_assembly *assembly)
{
    struct tn_closures *all = assembly->closures;
    for (size_t k = 0, next = 0; all && k < assembly->group_count; k++)
        for (uint32_t i = 0; acts(&assembly->group[k]) && i < assembly->group[k].batch.count; i++, next++) {
            forget(&all->closure[next]);
            build(assembly, &all->closure[next], &assembly->group[k], i);
        }
}

void tn_closures_free(struct tn_closures *all)
{
    if (!all) return;
    for (size_t k = 0; k < all->count; k++)
        forget(&all->closure[k]);
    free(all->closure);
    free(all->handle);
    free(all->direction);
    free(all->gradient);
    free(all->product);
    free(all);
}

/* The direction of the inputs of a value; time goes on by the last entry of `direction`. */
static const double *direction_of(const closure *c, const node *n, const double *direction)
{
    const tn_live_value *live = &c->assembly->model->dynamic[n->dynamic].live;
    double *along = c->assembly->closures->direction;
    if (!direction) return NULL;
    memset(along, 0, live->depth * sizeof *along);
    along[live->depth] = direction[c->coordinates];
    for (uint32_t k = 0; k < live->calls.count; k++) {
        const int32_t source = n->source[k];
        along[live->depth + 1 + k] = source < 0                          ? c->node[-1 - source].value_along
                                     : (uint32_t)source < c->coordinates ? direction[source]
                                                                         : 0.0; /* a number */
    }
    return along;
}

static bool differentiate(const closure *c, const node *n, const double *direction, double *value)
{
    const struct tn_closures *all = c->assembly->closures;
    const tn_live_value *live = &c->assembly->model->dynamic[n->dynamic].live;
    return tn_live_second(c->assembly, live, direction_of(c, n, direction), value, all->gradient,
                          all->product);
}

/* Derivatives along the direction, forwards. */
static bool go_along(closure *c, const double *direction)
{
    const struct tn_closures *all = c->assembly->closures;
    for (size_t k = 0; k < c->nodes; k++) {
        node *n = &c->node[k];
        const tn_live_value *live = &c->assembly->model->dynamic[n->dynamic].live;
        double value = 0.0, sum = 0.0;
        n->adjoint = n->adjoint_along = 0.0;
        if (!direction) continue;
        if (!differentiate(c, n, direction, &value)) return false;
        for (uint32_t i = live->depth; i < live->depth + 1 + live->calls.count; i++)
            sum += all->gradient[i] * all->direction[i];
        n->value_along = live->factor * sum;
    }
    return true;
}

/* To one input: a share of the adjoint, and of its derivative. */
static void hand_on(closure *c, int32_t source, double share, double share_along)
{
    if (source < 0) {
        c->node[-1 - source].adjoint += share;
        c->node[-1 - source].adjoint_along += share_along;
    } else {
        c->first[source] += share; /* numbers share the place of time, which is set last */
        c->product[source] += share_along;
    }
}

static bool go_back(closure *c, const double *direction, double *value)
{
    const struct tn_closures *all = c->assembly->closures;
    double by_time = 0.0, product_by_time = 0.0;
    memset(c->first, 0, (c->coordinates + 1u) * sizeof *c->first);
    memset(c->product, 0, (c->coordinates + 1u) * sizeof *c->product);
    c->node[c->nodes - 1].adjoint = 1.0;
    for (size_t k = c->nodes; k-- > 0;) {
        node *n = &c->node[k];
        const tn_live_value *live = &c->assembly->model->dynamic[n->dynamic].live;
        const double adjoint = n->adjoint * live->factor, along = n->adjoint_along * live->factor;
        const double *gradient = all->gradient + live->depth, *product = all->product + live->depth;
        double own = 0.0;
        if (!differentiate(c, n, direction, &own)) return false;
        if (k == c->nodes - 1) *value = own * live->factor;
        by_time += adjoint * gradient[0];
        if (direction) product_by_time += along * gradient[0] + adjoint * product[0];
        for (uint32_t i = 0; i < live->calls.count; i++)
            hand_on(c, n->source[i], adjoint * gradient[1 + i],
                    direction ? along * gradient[1 + i] + adjoint * product[1 + i] : 0.0);
    }
    c->first[c->coordinates] = by_time;
    c->product[c->coordinates] = product_by_time;
    return true;
}

tn_status tn_observe(const tn_host *host, const void *variable, const double *direction,
                     tn_expression_values *values)
{
    (void)host;
    closure *c = (closure *)(uintptr_t)variable;
    *values = (tn_expression_values){.by_coordinate = c->first, .product = c->product};
    if (c->nodes && !(go_along(c, direction) && go_back(c, direction, &values->value))) return TN_RETRY;
    values->by_time = c->first[c->coordinates];
    return TN_OK;
}

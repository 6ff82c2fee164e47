/* variables.c - the expressions of variables that act on what they read, with second derivatives
 *
 * Such a variable g reads coordinates c, directly or through explicit variables. Along a direction e of the coordinates and of
 * time each value y = f(u) has the derivative f_u u_e; then, from g backwards, a value hands on to what it reads
 *
 *     its adjoint a:  a_u += a f_u,        and the adjoint's derivative along e:  b_u += b f_u + a f_uu u_e,
 *
 * so that the coordinates get dg/dc and d2g/dc2 e. Values that read each other get theirs together: with the derivatives A of
 * their equations (loops.c), the direction is A^-1 times that by what stands outside, and a and b are A^-T times what has come
 * to the values, b with what they hand on to each other besides. */
#include "values/live.h"

#include <string.h>

/* One value: where each of its inputs comes from. */
typedef struct node {
    uint32_t dynamic;
    int32_t *
        source; /* of its calls: coordinate k, or -1 - the number of a node, or behind the coordinates and time a number */
} node;

typedef struct closure {
    tn_assembly *assembly;
    node *node; /* each behind those that it reads; those of a loop one behind the other */
    size_t nodes, capacity;
    int32_t own;                                   /* the variable's, or -1 */
    double *value_along, *adjoint, *adjoint_along; /* [nodes] */
    uint32_t coordinates;
    double *first, *product; /* [coordinates], of time, and of numbers, which counts for nothing */
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

static void enter(closure *c, const uint32_t *marker, uint32_t dynamic);

static bool stands_outside(const tn_model *model, const tn_dynamic_value *dynamic,
                           const tn_observed *observed)
{
    return tn_loop_place(model, dynamic, observed) == TN_NONE;
}

/* Enters what a value reads, but for values of its own loop. */
static void enter_reads(closure *c, const uint32_t *marker, const tn_dynamic_value *dynamic)
{
    const tn_model *model = c->assembly->model;
    for (uint32_t k = 0; k < dynamic->live.calls.count; k++) {
        const tn_observed *observed = &dynamic->live.observed[k];
        if (observed->kind != TN_OBSERVED_VARIABLE || !stands_outside(model, dynamic, observed)) continue;
        const uint32_t read = value_in_force(model, observed->index);
        if (read != TN_NONE) enter(c, marker, read);
    }
}

static void add_node(closure *c, uint32_t dynamic)
{
    c->node = tn_grow(c->node, &c->capacity, c->nodes + 1, sizeof *c->node);
    c->node[c->nodes++] = (node){.dynamic = dynamic};
}

static void find_sources(closure *c, const uint32_t *marker, node *n)
{
    const tn_model *model = c->assembly->model;
    const tn_live_value *live = &model->dynamic[n->dynamic].live;
    n->source = tn_new(live->calls.count, sizeof *n->source);
    for (uint32_t k = 0; !model->dynamic[n->dynamic].off && k < live->calls.count; k++) {
        const tn_observed *observed = &live->observed[k];
        if (observed->kind == TN_OBSERVED_VARIABLE) {
            const uint32_t read = value_in_force(model, observed->index);
            n->source[k] = read == TN_NONE ? (int32_t)c->coordinates + 1 : -1 - place_of_node(c, read);
            continue;
        }
        while (marker[n->source[k]] != observed->index)
            n->source[k]++;
    }
}

/* Enters a value, with all of its loop, behind those that it reads. Constraints read few values. */
static void enter(closure *c, const uint32_t *marker, uint32_t dynamic)
{
    const tn_model *model = c->assembly->model;
    const tn_dynamic_value *value = &model->dynamic[dynamic];
    const tn_loop alone = {value->rank, 1};
    const tn_loop *loop = value->loop == TN_NONE ? &alone : &model->loop[value->loop];
    if (place_of_node(c, dynamic) >= 0) return;
    for (uint32_t k = 0; k < loop->count; k++) {
        const tn_dynamic_value *other = &model->dynamic[model->dynamic_order[loop->first + k]];
        if (!other->off) enter_reads(c, marker, other);
    }
    const size_t first = c->nodes;
    for (uint32_t k = 0; k < loop->count; k++)
        add_node(c, model->dynamic_order[loop->first + k]);
    for (size_t k = first; k < c->nodes; k++)
        find_sources(c, marker, &c->node[k]);
}

static void build(tn_assembly *assembly, closure *c, const tn_group *group, uint32_t i)
{
    const uint32_t count = group->type->is_variable ? group->batch.marker_count : 0;
    *c = (closure){.assembly = assembly, .coordinates = count};
    c->first = tn_new(count + 2u, sizeof *c->first);
    c->product = tn_new(count + 2u, sizeof *c->product);
    const uint32_t dynamic = value_in_force(assembly->model, group->item[i]);
    if (dynamic != TN_NONE) enter(c, group->marker + (size_t)i * count, dynamic);
    c->own = place_of_node(c, dynamic);
    double **const memory[] = {&c->value_along, &c->adjoint, &c->adjoint_along};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        *memory[k] = tn_new(c->nodes, sizeof(double));
}

static bool acts(const tn_group *group)
{
    return (group->type->is_variable && group->batch.marker_count > 0) || group->type->flags & TN_DRIVEN;
}

void tn_closures_build(tn_assembly *assembly)
{
    size_t count = 0;
    for (size_t k = 0; k < assembly->group_count; k++)
        if (acts(&assembly->group[k])) count += assembly->group[k].batch.count;
    if (!count) return;
    struct tn_closures *all = assembly->read->closures = tn_new(1, sizeof *all);
    assembly->model->host.observe = tn_observe;
    all->closure = tn_new(count, sizeof *all->closure);
    all->handle = tn_new(count, sizeof *all->handle);
    all->direction = tn_new(assembly->read->live->most_inputs, sizeof *all->direction);
    all->gradient = tn_new(assembly->read->live->most_inputs, sizeof *all->gradient);
    all->product = tn_new(assembly->read->live->most_inputs, sizeof *all->product);
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
        tn_free(c->node[k].source);
    void *const memory[] = {c->node, c->first, c->product, c->value_along, c->adjoint, c->adjoint_along};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        tn_free(memory[k]);
}

void tn_closures_renew(tn_assembly *assembly)
{
    struct tn_closures *all = assembly->read->closures;
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
    tn_free(all->closure);
    tn_free(all->handle);
    tn_free(all->direction);
    tn_free(all->gradient);
    tn_free(all->product);
    tn_free(all);
}

/* The direction of the inputs of a value; time goes on by the last entry of `direction`. */
static const double *direction_of(const closure *c, const node *n, const double *direction)
{
    const tn_live_value *live = &c->assembly->model->dynamic[n->dynamic].live;
    double *along = c->assembly->read->closures->direction;
    if (!direction) return NULL;
    memset(along, 0, live->depth * sizeof *along);
    along[live->depth] = direction[c->coordinates];
    for (uint32_t k = 0; k < live->calls.count; k++) {
        const int32_t source = n->source[k];
        along[live->depth + 1 + k] = source < 0                          ? c->value_along[-1 - source]
                                     : (uint32_t)source < c->coordinates ? direction[source]
                                                                         : 0.0; /* a number */
    }
    return along;
}

static bool differentiate(const closure *c, const node *n, const double *direction, double *value)
{
    const struct tn_closures *all = c->assembly->read->closures;
    const tn_live_value *live = &c->assembly->model->dynamic[n->dynamic].live;
    return tn_live_second(c->assembly, live, direction_of(c, n, direction), value, all->gradient,
                          all->product);
}

static const tn_dynamic_value *dynamic_of(const closure *c, size_t k)
{
    return &c->assembly->model->dynamic[c->node[k].dynamic];
}

/* How many nodes the loop of this one has, or it alone. */
static size_t length_of(const closure *c, size_t k)
{
    const uint32_t loop = dynamic_of(c, k)->loop;
    return loop == TN_NONE ? 1 : c->assembly->model->loop[loop].count;
}

static bool divide(const closure *c, size_t first, bool transposed, double *x)
{
    const uint32_t loop = dynamic_of(c, first)->loop;
    return loop == TN_NONE || tn_loop_divide(c->assembly, loop, transposed, x + first) == TN_OK;
}

/* The derivative along the direction of the expression of a node, with what the values that it reads have as theirs. */
static bool find_along(closure *c, const node *n, const double *direction, double *along)
{
    const struct tn_closures *all = c->assembly->read->closures;
    const tn_live_value *live = &c->assembly->model->dynamic[n->dynamic].live;
    double value = 0.0, sum = 0.0;
    if (!differentiate(c, n, direction, &value)) return false;
    for (uint32_t i = live->depth; i < live->depth + 1 + live->calls.count; i++)
        sum += all->gradient[i] * all->direction[i];
    *along = live->factor * sum;
    return true;
}

/* Derivatives along the direction, forwards. Those of a loop are not known, and count for nothing, until all that it reads
 * has been counted. */
static bool go_along(closure *c, const double *direction)
{
    bool good = true;
    memset(c->value_along, 0, c->nodes * sizeof *c->value_along);
    for (size_t first = 0, end; good && direction && first < c->nodes; first = end) {
        end = first + length_of(c, first);
        double *along = c->adjoint; /* free until the way back */
        for (size_t k = first; k < end; k++) {
            along[k] = 0.0;
            if (!dynamic_of(c, k)->off) good = good && find_along(c, &c->node[k], direction, &along[k]);
        }
        memcpy(c->value_along + first, along + first, (end - first) * sizeof *along);
        good = good && divide(c, first, false, c->value_along);
    }
    return good;
}

/* To one input: a share of the adjoint, and of its derivative. */
static void hand_on(closure *c, int32_t source, double share, double share_along)
{
    if (source < 0) {
        c->adjoint[-1 - source] += share;
        c->adjoint_along[-1 - source] += share_along;
    } else {
        c->first[source] += share;
        c->product[source] += share_along;
    }
}

/* From a node to what it reads outside of its loop. */
static bool hand_outside(closure *c, size_t k, const double *direction, double *value)
{
    const struct tn_closures *all = c->assembly->read->closures;
    const tn_dynamic_value *dynamic = dynamic_of(c, k);
    const tn_live_value *live = &dynamic->live;
    const double adjoint = c->adjoint[k] * live->factor, along = c->adjoint_along[k] * live->factor;
    const double *gradient = all->gradient + live->depth, *product = all->product + live->depth;
    if (dynamic->off) return true;
    if (!differentiate(c, &c->node[k], direction, value)) return false;
    *value *= live->factor;
    hand_on(c, (int32_t)c->coordinates, adjoint * gradient[0],
            direction ? along * gradient[0] + adjoint * product[0] : 0.0);
    for (uint32_t i = 0; i < live->calls.count; i++)
        if (stands_outside(c->assembly->model, dynamic, &live->observed[i]))
            hand_on(c, c->node[k].source[i], adjoint * gradient[1 + i],
                    direction ? along * gradient[1 + i] + adjoint * product[1 + i] : 0.0);
    return true;
}

/* From a node to those of its loop: what second derivatives give. */
static bool hand_inside(closure *c, size_t k, const double *direction)
{
    const tn_dynamic_value *dynamic = dynamic_of(c, k);
    const tn_live_value *live = &dynamic->live;
    const double *product = c->assembly->read->closures->product + live->depth + 1;
    double unused = 0.0;
    if (dynamic->off) return true;
    if (!differentiate(c, &c->node[k], direction, &unused)) return false;
    for (uint32_t i = 0; i < live->calls.count; i++)
        if (!stands_outside(c->assembly->model, dynamic, &live->observed[i]))
            hand_on(c, c->node[k].source[i], 0.0, c->adjoint[k] * live->factor * product[i]);
    return true;
}

/* Makes of what has come to the values of a loop what comes to their expressions. */
static bool enter_loop(closure *c, size_t first, size_t end, const double *direction)
{
    bool good = divide(c, first, true, c->adjoint);
    if (!direction || dynamic_of(c, first)->loop == TN_NONE) return good;
    for (size_t k = first; k < end; k++)
        good = good && hand_inside(c, k, direction);
    return good && divide(c, first, true, c->adjoint_along);
}

static bool go_back(closure *c, const double *direction, double *value)
{
    bool good = true;
    memset(c->first, 0, (c->coordinates + 2u) * sizeof *c->first);
    memset(c->product, 0, (c->coordinates + 2u) * sizeof *c->product);
    memset(c->adjoint, 0, c->nodes * sizeof *c->adjoint);
    memset(c->adjoint_along, 0, c->nodes * sizeof *c->adjoint_along);
    c->adjoint[c->own] = 1.0;
    for (size_t end = c->nodes, first; good && end > 0; end = first) {
        first = end - length_of(c, end - 1);
        good = enter_loop(c, first, end, direction);
        for (size_t k = first; good && k < end; k++) {
            double found = 0.0;
            good = hand_outside(c, k, direction, &found);
            if ((int32_t)k == c->own) *value = found;
        }
    }
    return good;
}

tn_status tn_observe(const tn_host *host, const void *variable, const double *direction,
                     tn_expression_values *values)
{
    (void)host;
    closure *c = (closure *)(uintptr_t)variable;
    const uint32_t size = values->struct_size;
    tn_expression_values found = {.struct_size = size, .by_coordinate = c->first, .product = c->product};
    const bool good = !c->nodes || (go_along(c, direction) && go_back(c, direction, &found.value));
    found.by_time = good ? c->first[c->coordinates] : 0.0;
    memcpy(values, &found, size < sizeof found ? size : sizeof found);
    return good ? TN_OK : TN_RETRY;
}

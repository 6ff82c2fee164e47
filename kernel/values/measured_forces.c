/* measured_forces.c - what elements exert on markers, as expressions read it, with its derivatives
 *
 * The wrench w of one element on its markers goes on to those that they are made of by the transpose B^T of the derivatives
 * of their twists (derived_evaluate.c). With the components of a force along the axes of a frame that turns by e,
 *
 *     d(x . F) = x . dF + e . (x x F). */
#define _GNU_SOURCE
#include "values/measured_forces.h"

#include "values/derivatives.h"
#include "values/value_units.h"

#include "system/algebraic.h"
#include "system/markers.h"
#include "system/matrix.h"
#include "system/states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tn_force_memory {
    double *wrench, *row, *tangent; /* of one instance, the largest of all */
    double (*part)[6]; /* [markers] of what arrives somewhere; NULL where none is made of others */
    /* derivatives by what one element depends on */
    double *by_wrench;     /* [W] */
    double *by_pose;       /* [2 W] of its markers: by poses, then twists */
    double *by_dynamic;    /* [dynamic columns] */
    double *by_multiplier; /* [rows] */
    double *by_own_state;  /* [nx] of elements whose states are found with the motion */
};

/* ---- the wrench of one element --------------------------------------------------------------------------- */

static bool has_reactions(const tn_group *group) { return group->rows && !group->batch.layout->passive_rows; }

static tn_batch batch_of_item(const tn_assembly *assembly, uint32_t item)
{
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    tn_batch batch = tn_sub_batch(group, assembly->index_of[item], 1);
    batch.time = assembly->system.time;
    batch.frozen = assembly->system.frozen; /* the group's own is that of the evaluation before */
    return batch;
}

/* Mean reactions of points of contact. */
static void add_contacts(const tn_group *group, uint32_t index, tn_batch *batch)
{
    const size_t W = batch->wrench_size;
    const bool acts = group->contact && (!group->active || group->active[index]);
    for (size_t c = 0; acts && c < W; c++)
        batch->wrench[c] += group->contact[index * W + c];
}

static tn_status find_wrench(const tn_assembly *assembly, uint32_t item)
{
    const struct tn_force_memory *memory = assembly->read->forces;
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    tn_batch batch = batch_of_item(assembly, item);
    const size_t W = batch.wrench_size;
    batch.wrench = memory->wrench;
    memset(batch.wrench, 0, W * sizeof *batch.wrench);
    tn_status status = tn_algebraic_find(assembly, group, assembly->index_of[item], 1);
    if (status == TN_OK) status = tn_states_find(assembly, group, assembly->index_of[item], 1);
    if (status == TN_OK && group->force) status = tn_call(group->type, force, &batch);
    add_contacts(group, assembly->index_of[item], &batch);
    if (status != TN_OK || !has_reactions(group)) return status;
    batch.tangent = memory->row;
    status = tn_call(group->type, constraint_rows, &batch);
    for (size_t r = 0; r < group->rows; r++)
        for (size_t c = 0; c < W; c++)
            batch.wrench[c] += memory->row[r * W + c] * batch.lambda[r];
    return status;
}

/* ---- markers made of others ------------------------------------------------------------------------------ */

/* The columns of marker number k at the ports of a derived marker in the derivative of its twist by twists. */
static const double *columns_of(const tn_assembly *assembly, uint32_t marker, size_t k, size_t *stride)
{
    const struct tn_derived_place *place = &assembly->derived_of[marker];
    const tn_batch *batch = &assembly->derived[place->group].batch;
    const size_t width = tn_twist_size(assembly->derived[place->group].kind), W = batch->wrench_size;
    const double *B = batch->tangent + place->index * width * 2 * W + W;
    for (size_t j = 0; j < k; j++)
        B += tn_twist_size(batch->marker_kind[j]);
    *stride = 2 * W;
    return B;
}

/* The components of a wrench on the markers of an element, [W], that arrive at that of a share in a direction g. */
static void pull_to_element(const tn_assembly *assembly, const struct tn_force_share *share, const double *g,
                            double *to)
{
    double(*part)[6] = assembly->read->forces->part;
    for (uint32_t k = 0; k < share->step_count; k++) {
        const struct tn_force_step *step = &share->step[k];
        const double *below = step->below == share->marker ? g : part[step->below];
        const uint32_t width = tn_twist_size(assembly->model->marker[step->marker].kind);
        const uint32_t width_below = tn_twist_size(assembly->model->marker[step->below].kind);
        size_t stride = 0;
        const double *B = columns_of(assembly, step->marker, step->port, &stride);
        if (!k || step[-1].marker != step->marker) memset(part[step->marker], 0, sizeof *part);
        for (uint32_t r = 0; r < width; r++)
            for (uint32_t c = 0; c < width_below; c++)
                part[step->marker][r] += B[r * stride + c] * below[c];
    }
    const tn_group *group = &assembly->group[assembly->group_of[share->item]];
    const uint32_t *marker = group->marker + assembly->index_of[share->item] * group->batch.marker_count;
    for (uint32_t k = 0; k < group->batch.marker_count; k++) {
        const uint32_t width = tn_twist_size(assembly->model->marker[marker[k]].kind);
        const double *found = marker[k] == share->marker ? g
                              : share->reached >> k & 1  ? part[marker[k]]
                                                         : NULL;
        for (uint32_t r = 0; r < width; r++)
            to[r] = found ? found[r] : 0.0;
        to += width;
    }
}

/* ---- values ---------------------------------------------------------------------------------------------- */

/* Force and torque of one share on its marker; a torque arrives at frames only. */
static tn_status add_share(tn_assembly *assembly, const struct tn_force_share *share, double total[6])
{
    const tn_group *group = &assembly->group[assembly->group_of[share->item]];
    const uint32_t width = tn_twist_size(assembly->model->marker[share->marker].kind);
    const tn_status status = find_wrench(assembly, share->item);
    if (status != TN_OK) return status;
    double *weight = assembly->read->forces->by_wrench;
    for (uint32_t c = 0; c < width; c++) {
        double unit[6] = {0.0};
        unit[c] = 1.0;
        pull_to_element(assembly, share, unit, weight);
        for (size_t r = 0; r < group->batch.wrench_size; r++)
            total[c] += weight[r] * assembly->read->forces->wrench[r];
    }
    return TN_OK;
}

static bool is_torque(const tn_measured_force *force) { return force->component >= TN_TORQUE_MAGNITUDE; }

/* Force or torque, and the axis of the component, ground axes; for a magnitude the direction of the vector itself. */
static tn_status find_component(tn_assembly *assembly, const tn_measured_force *force, double vector[3],
                                double axis[3])
{
    const uint32_t number = (force->component - 1) % 4;
    double total[6] = {0.0};
    for (uint32_t k = 0; k < force->share_count; k++) {
        const uint32_t item = force->share[k].item;
        const tn_status status = add_share(assembly, &force->share[k], total);
        if (status == TN_OK) continue;
        tn_group *group = &assembly->group[assembly->group_of[item]];
        group->failure.instance = assembly->index_of[item]; /* the only one of its batch */
        return tn_refused(assembly, group, status);
    }
    memcpy(vector, total + (is_torque(force) ? 3 : 0), 3 * sizeof *vector);
    const double size = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    for (uint32_t k = 0; k < 3; k++)
        if (number == 0)
            axis[k] = size > 0.0 ? vector[k] / size : 0.0;
        else if (force->frame == TN_NONE)
            axis[k] = k + 1 == number ? 1.0 : 0.0;
        else /* the rotation of a frame stands behind its position, by rows */
            axis[k] =
                assembly->configuration[assembly->station[force->frame].place.pose + 3 + 3 * k + number - 1];
    return TN_OK;
}

static tn_status evaluate_force(tn_assembly *assembly, tn_measured_force *force)
{
    double vector[3] = {0.0}, axis[3] = {0.0};
    const tn_status status = find_component(assembly, force, vector, axis);
    force->value = axis[0] * vector[0] + axis[1] * vector[1] + axis[2] * vector[2];
    return status;
}

tn_status tn_forces_evaluate(tn_assembly *assembly)
{
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->model->values->force_count && status == TN_OK; k++)
        status = evaluate_force(assembly, assembly->model->values->force[k]);
    return status;
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

/* to[c] = sum of g[r] T[r][c]. */
static void multiply_row(const double *g, const double *T, size_t rows, size_t stride, size_t columns,
                         double *to)
{
    memset(to, 0, columns * sizeof *to);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            to[c] += g[r] * T[r * stride + c];
}

/* The components of one share in a direction g by what its element depends on, into the gradient. */
static tn_status differentiate_share(tn_assembly *assembly, const struct tn_force_share *share,
                                     const double g[6], double state_factor)
{
    struct tn_force_memory *memory = assembly->read->forces;
    const tn_group *group = &assembly->group[assembly->group_of[share->item]];
    const size_t W = group->batch.wrench_size, columns = group->batch.dynamic_columns;
    double *weight = memory->by_wrench;
    pull_to_element(assembly, share, g, weight);
    memset(memory->by_pose, 0, 2 * W * sizeof *memory->by_pose);
    memset(memory->by_dynamic, 0, columns * sizeof *memory->by_dynamic);

    tn_batch batch = batch_of_item(assembly, share->item);
    tn_status status = TN_OK;
    if (group->force) {
        const size_t stride = batch.tangent_stride, first = tn_first_column(&batch, TN_PARAMETER_COLUMNS);
        batch.tangent = memory->tangent;
        batch.wrench = memory->wrench;
        status = tn_force_tangent(assembly, group, &batch, state_factor);
        multiply_row(weight, memory->tangent, W, stride, 2 * W, memory->by_pose);
        multiply_row(weight, memory->tangent + first, W, stride, columns, memory->by_dynamic);
        if (group->follows)
            multiply_row(weight, memory->tangent + tn_first_column(&batch, TN_STATE_COLUMNS), W, stride,
                         batch.layout->nx, memory->by_own_state);
    }
    if (status != TN_OK || !has_reactions(group)) return status;
    batch.tangent = memory->row;
    status = tn_call(group->type, constraint_rows, &batch);
    for (size_t r = 0; r < group->rows; r++) {
        memory->by_multiplier[r] = 0.0;
        for (size_t c = 0; c < W; c++)
            memory->by_multiplier[r] += weight[c] * memory->row[r * W + c];
    }
    if (status != TN_OK || !group->type->constraint_stiffness) return status;
    batch.tangent = memory->tangent;
    status = tn_call(group->type, constraint_stiffness, &batch);
    multiply_row(weight, memory->tangent, W, W, W, memory->wrench);
    for (size_t c = 0; c < W; c++)
        memory->by_pose[c] += memory->wrench[c];
    return status;
}

/* ---- what forces change with ----------------------------------------------------------------------------- */

static tn_measured_force *force_of(const tn_model *model, const tn_value_node *node)
{
    return model->values->force[node->index];
}

static void sources(const tn_model *model, const tn_value_node *node, tn_source_visitor *visit, void *data)
{
    const tn_measured_force *force = force_of(model, node);
    if (force->frame != TN_NONE) visit(data, TN_MOTION_OF, force->frame);
    for (uint32_t s = 0; s < force->share_count; s++) {
        visit(data, TN_FORCES_OF, force->share[s].item);
        visit(data, TN_VALUES_OF, force->share[s].item);
    }
}

static tn_status hand_on_share(const tn_sweep *sweep, const struct tn_force_share *acting, const double g[6],
                               double share)
{
    tn_assembly *assembly = sweep->assembly;
    const tn_value_graph *graph = assembly->model->values;
    const tn_derivatives *memory = sweep->memory;
    const tn_group *group = &assembly->group[assembly->group_of[acting->item]];
    const struct tn_force_memory *found = assembly->read->forces;
    const tn_status status = differentiate_share(assembly, acting, g, sweep->state_factor);
    if (status != TN_OK) return status;
    const uint32_t *marker = group->marker + assembly->index_of[acting->item] * group->batch.marker_count;
    const double *by_pose = found->by_pose, *by_twist = by_pose + group->batch.wrench_size;
    for (uint32_t k = 0; k < group->batch.marker_count; k++) {
        const uint32_t width = tn_twist_size(assembly->model->marker[marker[k]].kind);
        double *weight = memory->weight + tn_weight_place(memory, marker[k]);
        for (uint32_t r = 0; r < width; r++) {
            weight[r] += share * *by_pose++;
            weight[width + r] += share * *by_twist++;
        }
    }
    for (uint32_t r = 0; has_reactions(group) && r < group->rows; r++)
        *tn_weight_of_row(sweep, acting->item, r) += share * found->by_multiplier[r];
    const uint32_t n = group->batch.layout->nx;
    for (uint32_t k = 0; sweep->by_state && group->follows && group->force && k < n; k++)
        sweep->by_state[group->x_start + assembly->index_of[acting->item] * n + k] +=
            share * found->by_own_state[k];
    TN_FOR_VALUES_OF (graph, acting->item, k) {
        const uint32_t column = tn_dynamic_column(&group->batch, graph->dynamic[k].offset);
        if (column != TN_NONE) memory->adjoint[graph->dynamic[k].rank] += share * found->by_dynamic[column];
    }
    return TN_OK;
}

static tn_status hand_on(const tn_sweep *sweep, const tn_value_node *node, double share, double share_along)
{
    (void)share_along;
    const tn_measured_force *force = force_of(sweep->assembly->model, node);
    double F[3], x[3], g[6] = {0.0};
    tn_status status = find_component(sweep->assembly, force, F, x);
    if (status == TN_OK) memcpy(g + (is_torque(force) ? 3 : 0), x, sizeof x);
    for (uint32_t k = 0; k < force->share_count && status == TN_OK; k++)
        status = hand_on_share(sweep, &force->share[k], g, share);
    if (status != TN_OK || force->frame == TN_NONE) return status;
    double *by_turn = sweep->memory->weight + tn_weight_place(sweep->memory, force->frame) + 3;
    for (size_t k = 0; k < 3; k++)
        by_turn[k] += share * (x[(k + 1) % 3] * F[(k + 2) % 3] - x[(k + 2) % 3] * F[(k + 1) % 3]);
    return status;
}

static tn_unit unit(tn_unit_search *search, const tn_value_node *node)
{
    return tn_unit_of_text(is_torque(force_of(search->model, node)) ? "N m" : "N");
}

static const double *place(const tn_assembly *assembly, const tn_value_node *node)
{
    return &force_of(assembly->model, node)->value;
}

static tn_status measure(tn_assembly *assembly, const tn_value_node *node)
{
    return evaluate_force(assembly, force_of(assembly->model, node));
}

const tn_node_kind tn_force_node = {.is_function = tn_is_function_of_forces,
                                    .offer = tn_offer_functions_of_forces,
                                    .connect = tn_force_connect,
                                    .reads = TN_READS_FORCES,
                                    .in_constraint = "a constraint holds displacements: this is a force",
                                    .in_loop = "a force that depends on itself",
                                    .sources = sources,
                                    .unit = unit,
                                    .place = place,
                                    .measure = measure,
                                    .hand_on = hand_on};

/* ---- memory ---------------------------------------------------------------------------------------------- */

/* Markers below an element that are made of others, and which of them lead to a marker. */
typedef struct descent {
    uint32_t *seen;  /* [markers] the number of the last share that has come there */
    uint32_t *leads; /* [markers] that of the last one to whose marker it leads */
    uint32_t *found; /* [count] */
    struct tn_force_step *step;
    size_t count;
    uint32_t number;
} descent;

static void see_marker(const tn_assembly *assembly, descent *d, uint32_t marker)
{
    if (d->seen[marker] == d->number || !tn_marker_is_derived(assembly->model, marker)) return;
    d->seen[marker] = d->number;
    TN_APPEND(d->found, d->count, marker);
}

/* Those of a lower level have groups further in front. */
static int compare_levels(const void *left, const void *right, void *data)
{
    const tn_assembly *assembly = data;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const struct tn_derived_place *first = &assembly->derived_of[a], *second = &assembly->derived_of[b];
    if (first->group != second->group) return first->group < second->group ? -1 : 1;
    return (a > b) - (a < b);
}

static const uint32_t *markers_below(const tn_assembly *assembly, uint32_t marker, uint32_t *count)
{
    const struct tn_derived_place *place = &assembly->derived_of[marker];
    const tn_derived *derived = &assembly->derived[place->group];
    *count = derived->batch.marker_count;
    return derived->marker + (size_t)place->index * *count;
}

static void find_steps(const tn_assembly *assembly, descent *d, struct tn_force_share *share)
{
    const tn_group *group = &assembly->group[assembly->group_of[share->item]];
    const uint32_t *marker = group->marker + assembly->index_of[share->item] * group->batch.marker_count;
    uint32_t count = 0;
    size_t steps = 0;
    d->number++;
    d->count = 0;
    for (uint32_t k = 0; k < group->batch.marker_count; k++)
        see_marker(assembly, d, marker[k]);
    for (size_t next = 0; next < d->count; next++) {
        const uint32_t *below = markers_below(assembly, d->found[next], &count);
        for (uint32_t k = 0; k < count; k++)
            see_marker(assembly, d, below[k]);
    }
    if (d->count) qsort_r(d->found, d->count, sizeof *d->found, compare_levels, (void *)(uintptr_t)assembly);
    for (size_t i = 0; i < d->count; i++) {
        const uint32_t *below = markers_below(assembly, d->found[i], &count);
        if (d->found[i] == share->marker) d->leads[d->found[i]] = d->number;
        for (uint32_t k = 0; k < count && d->found[i] != share->marker; k++) {
            if (below[k] != share->marker && d->leads[below[k]] != d->number) continue;
            d->leads[d->found[i]] = d->number;
            TN_APPEND(d->step, steps, (struct tn_force_step){d->found[i], k, below[k]});
        }
    }
    for (uint32_t k = 0; k < group->batch.marker_count; k++)
        if (d->leads[marker[k]] == d->number) share->reached |= 1u << k;
    share->step_count = (uint32_t)steps;
    share->step = tn_arena_new(&assembly->model->arena, (steps + 1) * sizeof *share->step);
    if (steps) memcpy(share->step, d->step, steps * sizeof *share->step);
}

static void find_all_steps(const tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    descent d = {.seen = tn_new(model->marker_count, sizeof *d.seen),
                 .leads = tn_new(model->marker_count, sizeof *d.leads)};
    for (size_t k = 0; k < model->values->force_count; k++)
        for (uint32_t s = 0; s < model->values->force[k]->share_count; s++)
            find_steps(assembly, &d, &model->values->force[k]->share[s]);
}

void tn_forces_build(tn_assembly *assembly)
{
    size_t W = 0, rows = 0, columns = 0, stride = 0, states = 0;
    if (!assembly->model->values->force_count) return;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        W = group->batch.wrench_size > W ? group->batch.wrench_size : W;
        rows = group->rows > rows ? group->rows : rows;
        columns = group->batch.dynamic_columns > columns ? group->batch.dynamic_columns : columns;
        states = group->batch.layout->nx > states ? group->batch.layout->nx : states;
        /* of poses and twists, parameters, states and algebraic unknowns, which have no columns yet */
        const size_t all = 2 * (size_t)group->batch.wrench_size + group->batch.dynamic_columns +
                           group->batch.layout->nx + group->batch.layout->ns;
        stride = all > stride ? all : stride;
    }
    struct tn_force_memory *memory = assembly->read->forces = tn_assembly_new(assembly, 1, sizeof *memory);
    memory->wrench = tn_assembly_new(assembly, W, sizeof(double));
    memory->row = tn_assembly_new(assembly, rows * W, sizeof(double));
    memory->tangent = tn_assembly_new(assembly, W * stride, sizeof(double));
    if (assembly->derived_count) {
        memory->part = tn_assembly_new(assembly, assembly->model->marker_count, sizeof *memory->part);
        find_all_steps(assembly);
    }
    memory->by_wrench = tn_assembly_new(assembly, W, sizeof(double));
    memory->by_pose = tn_assembly_new(assembly, 2 * W, sizeof(double));
    memory->by_dynamic = tn_assembly_new(assembly, columns, sizeof(double));
    memory->by_multiplier = tn_assembly_new(assembly, rows, sizeof(double));
    memory->by_own_state = tn_assembly_new(assembly, states, sizeof(double));
}

/* differences.c - tangents of types that were built without the exact passes, by central differences */
#include "analysis/differences.h"

#include "system/markers.h"
#include "values/value_graph.h"

#include <math.h>
#include <string.h>

/* A chunk of a group, or of derived markers, with private copies of its poses and twists, so that they can be moved. The numbers
 * that are differentiated: `rows` of each instance, from `first` on in its `size` values. */
typedef struct probe {
    const tn_group *group;
    const tn_derived *derived;
    tn_batch *chunk, batch; /* as given, and moved */
    double *pose, *twist, *moved;
    tn_marker_place *place;
    size_t rows, first, size, stride;
    double *below, *above;
    double length; /* m: the size of the model */
    bool linear;   /* in the twists of markers: any step will do */
} probe;

/* Doubles for one instance: poses, twists, wrenches below, and a place for each marker. */
static size_t size_of_probe(const tn_batch *batch)
{
    size_t size = batch->marker_count + 2 * (size_t)batch->wrench_size;
    for (uint32_t k = 0; k < batch->marker_count; k++)
        size += tn_pose_size(batch->marker_kind[k]);
    return size;
}

static size_t size_of_group(const tn_group *group)
{
    const size_t one = size_of_probe(&group->batch) + group->batch.layout->nx + group->batch.layout->ns;
    const bool needed = group->force && !group->type->force_tangent;
    const size_t force = needed ? tn_chunk(group->batch.count) * one : 0,
                 own = tn_own_differences_needed(group);
    return force > own ? force : own;
}

static probe copy_markers(tn_batch *batch, double length, double *memory)
{
    const size_t uses = (size_t)batch->count * batch->marker_count,
                 all = (size_t)batch->count * batch->wrench_size;
    const size_t width = batch->wrench_size;
    probe p = {
        .chunk = batch, .batch = *batch, .twist = memory, .length = length, .rows = width, .size = width};
    p.stride = batch->tangent_stride;
    p.below = memory + all;
    p.above = batch->wrench;
    p.place = (tn_marker_place *)(void *)(p.below + all);
    p.pose = (double *)(void *)(p.place + uses);
    tn_marker_place next = {0};
    for (size_t i = 0; i < uses; i++) {
        const uint32_t kind = batch->marker_kind[i % batch->marker_count];
        const uint32_t pose = tn_pose_size(kind), twist = tn_twist_size(kind);
        p.place[i] = next;
        memcpy(p.pose + next.pose, batch->pose + batch->marker[i].pose, pose * sizeof(double));
        memcpy(p.twist + next.twist, batch->twist + batch->marker[i].twist, twist * sizeof(double));
        next.pose += pose;
        next.twist += twist;
    }
    p.moved = p.pose + next.pose;
    p.batch.pose = p.pose;
    p.batch.twist = p.twist;
    p.batch.marker = p.place;
    return p;
}

/* Turns the rotation matrix of a frame by `angle` about ground axis k. */
static void turn_frame(double *R, size_t k, double angle)
{
    const size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const double c = cos(angle), s = sin(angle);
    for (size_t column = 0; column < 3; column++) {
        const double a = R[3 * i + column], b = R[3 * j + column];
        R[3 * i + column] = c * a - s * b;
        R[3 * j + column] = s * a + c * b;
    }
}

/* Moves component `component` of the pose or twist of marker k of all instances by h. */
static void move_markers(probe *p, size_t k, size_t component, bool of_pose, double h)
{
    for (size_t i = 0; i < p->batch.count; i++) {
        const tn_marker_place place = p->place[i * p->batch.marker_count + k];
        if (!of_pose)
            p->twist[place.twist + component] += h;
        else if (component < 3 || p->batch.marker_kind[k] != TN_FRAME)
            p->pose[place.pose + component] += h;
        else
            turn_frame(p->pose + place.pose + 3, component - 3, h);
    }
}

/* ---- one column ------------------------------------------------------------------------------------------- */

static tn_status evaluate_side(probe *p, bool above)
{
    *(p->derived ? &p->batch.value : &p->batch.wrench) = above ? p->above : p->below;
    return p->derived ? tn_derived_kinematics(p->derived, &p->batch)
                      : tn_call(p->group->type, force, &p->batch);
}

/* Both sides being evaluated; instances have steps of their own, or `one`. */
static void store_column(const probe *p, size_t column, const double *h, bool one)
{
    for (size_t i = 0; i < p->chunk->count; i++)
        for (size_t r = 0; r < p->rows; r++) {
            const size_t place = i * p->size + p->first + r;
            p->chunk->tangent[(i * p->rows + r) * p->stride + column] =
                (p->above[place] - p->below[place]) / (2.0 * h[one ? 0 : i]);
        }
}

/* The step of a component of the pose, or the twist, of marker k. */
static double step_of_marker(const probe *p, size_t k, size_t component, bool of_pose)
{
    const bool is_length = component < 3 && tn_has_place(p->chunk->marker_kind[k]);
    if (p->linear && !of_pose) return 1.0;
    return TN_DIFFERENCE_STEP * (is_length && (of_pose || p->group) ? p->length : 1.0);
}

/* The columns of poses and twists of markers, or of twists alone. */
static tn_status differentiate_by_markers(probe *p, bool poses)
{
    const tn_batch *batch = p->chunk;
    tn_status status = TN_OK;
    for (size_t half = poses ? 0 : 1; half < 2; half++)
        for (size_t k = 0, column = half * batch->wrench_size; k < batch->marker_count; k++)
            for (size_t c = 0; c < tn_twist_size(batch->marker_kind[k]); c++, column++) {
                const double h = step_of_marker(p, k, c, !half);
                move_markers(p, k, c, !half, -h);
                status = tn_worse(status, evaluate_side(p, false));
                move_markers(p, k, c, !half, 2.0 * h);
                status = tn_worse(status, evaluate_side(p, true));
                move_markers(p, k, c, !half, -h);
                store_column(p, column, &h, true);
            }
    return status;
}

/* The column of one number of each instance. */
static tn_status differentiate_by_number(probe *p, double *const *number, size_t column)
{
    const size_t count = p->chunk->count;
    double value[TN_CHUNK], h[TN_CHUNK];
    tn_status status = TN_OK;
    for (size_t i = 0; i < count; i++) {
        value[i] = *number[i];
        h[i] = TN_DIFFERENCE_STEP * fmax(1.0, fabs(value[i]));
    }
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < count; i++)
            *number[i] = value[i] + (side ? h[i] : -h[i]);
        status = tn_worse(status, evaluate_side(p, side));
    }
    for (size_t i = 0; i < count; i++)
        *number[i] = value[i];
    store_column(p, column, h, false);
    return status;
}

/* ---- forces ----------------------------------------------------------------------------------------------- */

static bool is_function(const tn_loaded_element *type, size_t offset)
{
    const tn_parameter *parameter = type->parameters;
    while (parameter->offset != offset || parameter->kind != TN_KIND_CALLABLE)
        if (!(++parameter)->name) return false;
    return true;
}

/* A number of an instance, or what is added to the value of a function; `none` where no function is given. */
static double *number_of(const tn_group *group, const tn_batch *batch, size_t i, size_t offset, double *none)
{
    char *instance = (char *)batch->instance + i * batch->instance_stride;
    if (!is_function(group->type, offset)) return (double *)(void *)(instance + offset);
    const tn_user_function *function = tn_user_function_at(instance, offset);
    return function ? function->added : none;
}

static tn_status differentiate_by_parameters(probe *p)
{
    const tn_batch *batch = p->chunk;
    size_t column = tn_first_column(batch, TN_PARAMETER_COLUMNS);
    double *number[TN_CHUNK], none = 0.0;
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < batch->dynamic_count; k++)
        for (uint32_t c = 0; c < batch->dynamic[k].count && status == TN_OK; c++, column++) {
            for (size_t i = 0; i < batch->count; i++)
                number[i] =
                    number_of(p->group, batch, i, batch->dynamic[k].offset + c * sizeof(double), &none);
            status = differentiate_by_number(p, number, column);
        }
    return status;
}

/* By states, or algebraic unknowns, that the probe reads in its memory: `size` of each instance. */
static tn_status differentiate_by_own(probe *p, const double *from, size_t size, size_t first)
{
    double *number[TN_CHUNK];
    tn_status status = TN_OK;
    if (!size) return TN_OK;
    memcpy(p->moved, from, p->chunk->count * size * sizeof *from);
    for (size_t c = 0; c < size; c++) {
        for (size_t i = 0; i < p->chunk->count; i++)
            number[i] = p->moved + i * size + c;
        status = tn_worse(status, differentiate_by_number(p, number, first + c));
    }
    return status;
}

static tn_status force_differences(const tn_group *group, tn_batch *batch, double length, double *memory)
{
    probe p = copy_markers(batch, length, memory);
    p.group = group;
    tn_status status = differentiate_by_markers(&p, true);
    if (status == TN_OK) status = differentiate_by_parameters(&p);
    p.batch.x = p.moved;
    if (status == TN_OK && group->follows)
        status =
            differentiate_by_own(&p, batch->x, batch->layout->nx, tn_first_column(batch, TN_STATE_COLUMNS));
    p.batch.x = batch->x;
    p.batch.s = p.moved;
    if (status == TN_OK)
        status = differentiate_by_own(&p, batch->s, batch->layout->ns,
                                      tn_first_column(batch, TN_ALGEBRAIC_COLUMNS));
    /* leave the slots as the last evaluation did */
    if (status == TN_OK) status = tn_call(group->type, force, batch);
    return status;
}

/* ---- markers ---------------------------------------------------------------------------------------------- */

static size_t size_of_markers(const tn_derived *derived)
{
    const tn_batch *batch = &derived->batch;
    const size_t value = tn_pose_size(derived->kind) + tn_twist_size(derived->kind);
    return batch->count * (size_of_probe(batch) + 2 * value);
}

static tn_status marker_differences(const tn_derived *derived, tn_batch *batch, bool poses, double length,
                                    double *memory)
{
    const size_t pose = tn_pose_size(derived->kind), twist = tn_twist_size(derived->kind);
    probe p = copy_markers(batch, length, memory);
    p.derived = derived;
    p.linear = !derived->type || !(derived->type->flags & TN_QUASI_COORDINATE);
    p.rows = twist;
    p.first = pose;
    p.size = pose + twist;
    p.stride = 2 * (size_t)batch->wrench_size;
    p.below = p.moved;
    p.above = p.moved + batch->count * p.size;
    return differentiate_by_markers(&p, poses);
}

const tn_tangent_source tn_central_differences = {.open = tn_state_tangent_build,
                                                  .size = size_of_group,
                                                  .own_size = tn_own_differences_needed,
                                                  .marker_size = size_of_markers,
                                                  .force = force_differences,
                                                  .own = tn_own_differences_find,
                                                  .marker = marker_differences};

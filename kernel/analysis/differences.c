/* differences.c - tangents of types that were built without the exact passes, by central differences */
#include "analysis/differences.h"

#include "system/markers.h"
#include "values/value_graph.h"

#include <math.h>
#include <string.h>

/* Relative step: the cube root of the rounding error. */
static const double step = 6e-6;

/* Private copies of the poses and twists of a chunk, so that they can be moved. */
typedef struct probe {
    tn_batch batch;
    double *pose, *twist, *below, *moved; /* `moved`: what is left of the memory */
    tn_marker_place *place;
} probe;

/* Doubles for one instance: poses, twists, wrenches below, and a place for each marker. */
static size_t probe_size(const tn_batch *batch)
{
    size_t size = batch->marker_count + 2 * (size_t)batch->wrench_size;
    for (uint32_t k = 0; k < batch->marker_count; k++)
        size += tn_pose_size(batch->marker_kind[k]);
    return size;
}

static size_t size_of_group(const tn_group *group)
{
    const size_t one = probe_size(&group->batch) + group->batch.layout->nx + group->batch.layout->ns;
    const bool needed = group->type->force && !group->type->force_tangent;
    const size_t force = needed ? tn_chunk(group->batch.count) * one : 0,
                 own = tn_own_differences_needed(group);
    return force > own ? force : own;
}

static probe copy_markers(const tn_batch *batch, double *memory)
{
    const size_t uses = (size_t)batch->count * batch->marker_count,
                 all = (size_t)batch->count * batch->wrench_size;
    probe p = {.batch = *batch, .twist = memory, .below = memory + all};
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
static void turn(double *R, size_t k, double angle)
{
    const size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const double c = cos(angle), s = sin(angle);
    for (size_t column = 0; column < 3; column++) {
        const double a = R[3 * i + column], b = R[3 * j + column];
        R[3 * i + column] = c * a - s * b;
        R[3 * j + column] = s * a + c * b;
    }
}

/* Moves column `component` of marker k of all instances by h. */
static void move(probe *p, size_t k, size_t component, bool of_pose, double h)
{
    for (size_t i = 0; i < p->batch.count; i++) {
        const tn_marker_place place = p->place[i * p->batch.marker_count + k];
        if (!of_pose)
            p->twist[place.twist + component] += h;
        else if (component < 3 || p->batch.marker_kind[k] != TN_FRAME)
            p->pose[place.pose + component] += h;
        else
            turn(p->pose + place.pose + 3, component - 3, h);
    }
}

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
    const tn_function *function = tn_function_at(instance, offset);
    return function ? function->added : none;
}

/* The columns of one number of the instances. */
static tn_status number_differences(const tn_group *group, tn_batch *batch, probe *p, double *above,
                                    size_t offset, size_t column)
{
    const size_t W = batch->wrench_size, stride = batch->tangent_stride;
    double *number[TN_CHUNK], value[TN_CHUNK], h[TN_CHUNK], none = 0.0;
    tn_status status = TN_OK;
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < batch->count; i++) {
            if (side == 0) {
                number[i] = number_of(group, batch, i, offset, &none);
                value[i] = *number[i];
                h[i] = step * fmax(1.0, fabs(value[i]));
            }
            *number[i] = value[i] + (side ? h[i] : -h[i]);
        }
        p->batch.wrench = side ? above : p->below;
        status = tn_worse(status, tn_call(group->type, force, &p->batch));
    }
    for (size_t i = 0; i < batch->count; i++) {
        *number[i] = value[i];
        for (size_t r = i * W; r < (i + 1) * W; r++)
            batch->tangent[r * stride + column] = (above[r] - p->below[r]) / (2.0 * h[i]);
    }
    return status;
}

static tn_status parameter_differences(const tn_group *group, tn_batch *batch, probe *p, double *above)
{
    size_t column = tn_first_column(batch, TN_PARAMETER_COLUMNS);
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < batch->dynamic_count; k++)
        for (uint32_t c = 0; c < batch->dynamic[k].count && status == TN_OK; c++, column++)
            status = number_differences(group, batch, p, above, batch->dynamic[k].offset + c * sizeof(double),
                                        column);
    return status;
}

/* The columns of the states, or of the algebraic unknowns. */
static tn_status own_differences(const tn_group *group, const tn_batch *batch, probe *p, double *above,
                                 bool of_states)
{
    const size_t W = batch->wrench_size, n = of_states ? batch->layout->nx : batch->layout->ns,
                 all = batch->count * n,
                 first = tn_first_column(batch, of_states ? TN_STATE_COLUMNS : TN_ALGEBRAIC_COLUMNS);
    const double *own = of_states ? batch->x : batch->s;
    double *moved = p->moved;
    tn_status status = TN_OK;
    if (of_states)
        p->batch.x = moved;
    else
        p->batch.s = moved;
    for (size_t c = 0; c < n; c++) {
        for (size_t side = 0; side < 2; side++) {
            memcpy(moved, own, all * sizeof *moved);
            for (size_t k = c; k < all; k += n)
                moved[k] += (side ? step : -step) * fmax(1.0, fabs(moved[k]));
            p->batch.wrench = side ? above : p->below;
            status = tn_worse(status, tn_call(group->type, force, &p->batch));
        }
        for (size_t r = 0; r < batch->count * W; r++) {
            const double h = step * fmax(1.0, fabs(own[r / W * n + c]));
            batch->tangent[r * batch->tangent_stride + first + c] = (above[r] - p->below[r]) / (2.0 * h);
        }
    }
    p->batch.x = batch->x;
    p->batch.s = batch->s;
    return status;
}

/* Component of the pose of marker k. */
static bool is_length(const tn_batch *batch, size_t k, size_t component)
{
    return component < 3 && tn_has_place(batch->marker_kind[k]);
}

static tn_status force_differences(const tn_group *group, tn_batch *batch, double length, double *memory)
{
    const size_t W = batch->wrench_size, stride = batch->tangent_stride;
    probe p = copy_markers(batch, memory);
    double *above = batch->wrench;
    tn_status status = TN_OK;
    for (size_t half = 0; half < 2; half++)
        for (size_t k = 0, column = half * W; k < batch->marker_count; k++)
            for (size_t component = 0; component < tn_twist_size(batch->marker_kind[k]);
                 component++, column++) {
                const double h = step * (is_length(batch, k, component) ? length : 1.0);
                move(&p, k, component, !half, -h);
                p.batch.wrench = p.below;
                status = tn_worse(status, tn_call(group->type, force, &p.batch));
                move(&p, k, component, !half, 2.0 * h);
                p.batch.wrench = above;
                status = tn_worse(status, tn_call(group->type, force, &p.batch));
                move(&p, k, component, !half, -h);
                for (size_t i = 0; i < batch->count * W; i++)
                    batch->tangent[i * stride + column] = (above[i] - p.below[i]) / (2.0 * h);
            }
    if (status == TN_OK) status = parameter_differences(group, batch, &p, above);
    if (status == TN_OK && group->follows) status = own_differences(group, batch, &p, above, true);
    if (status == TN_OK) status = own_differences(group, batch, &p, above, false);
    /* leave the slots as the last evaluation did */
    if (status == TN_OK) status = tn_call(group->type, force, batch);
    return status;
}

static size_t size_of_markers(const tn_derived *derived)
{
    const tn_batch *batch = &derived->batch;
    const size_t value = tn_pose_size(derived->kind) + tn_twist_size(derived->kind);
    return batch->count * (probe_size(batch) + 2 * value);
}

static tn_status marker_differences(const tn_derived *derived, tn_batch *batch, bool poses, double length,
                                    double *memory)
{
    const size_t W = batch->wrench_size, pose = tn_pose_size(derived->kind),
                 width = tn_twist_size(derived->kind), size = pose + width;
    probe p = copy_markers(batch, memory);
    double *value[2] = {p.moved};
    value[1] = value[0] + batch->count * size;
    /* where it is linear in the twists any step will do */
    const bool linear = !derived->type || !(derived->type->flags & TN_QUASI_COORDINATE);
    const double speed = linear ? 1.0 : step;
    tn_status status = TN_OK;
    for (size_t half = poses ? 0 : 1; half < 2; half++)
        for (size_t k = 0, column = half * W; k < batch->marker_count; k++)
            for (size_t component = 0; component < tn_twist_size(batch->marker_kind[k]);
                 component++, column++) {
                const double h = half ? speed : step * (is_length(batch, k, component) ? length : 1.0);
                for (int side = 0; side < 2; side++) {
                    move(&p, k, component, !half, side ? 2.0 * h : -h);
                    p.batch.value = value[side];
                    status = tn_worse(status, tn_derived_kinematics(derived, &p.batch));
                }
                move(&p, k, component, !half, -h);
                for (size_t i = 0; i < batch->count * width; i++) {
                    const size_t place = i / width * size + pose + i % width;
                    batch->tangent[i * 2 * W + column] = (value[1][place] - value[0][place]) / (2.0 * h);
                }
            }
    return status;
}

const tn_tangent_source tn_central_differences = {.open = tn_state_tangent_build,
                                                  .size = size_of_group,
                                                  .own_size = tn_own_differences_needed,
                                                  .marker_size = size_of_markers,
                                                  .force = force_differences,
                                                  .own = tn_own_differences_find,
                                                  .marker = marker_differences};

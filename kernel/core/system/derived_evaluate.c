/* derived_evaluate.c - markers made of other markers in every evaluation: kinematics upwards, wrenches downwards
 *
 * With B the derivative of a marker's twist with respect to the twists of the markers that it is made of, a wrench w
 * on it does the same work as the wrenches B^T w on those. */
#include "system/markers.h"
#include "system/tangent_source.h"
#include "system/turns.h"

/* ---- the functions of types ------------------------------------------------------------------------------ */

/* How many coordinates from `first` on are of connectors that stand side by side in one group. */
static uint32_t count_neighbours(const tn_derived *derived, uint32_t first)
{
    const struct tn_connector_place *place = derived->connector_place + first;
    uint32_t count = 1;
    while (first + count < derived->batch.count && place[count].group == place->group &&
           place[count].instance == place->instance + count)
        count++;
    return count;
}

/* The instances, data and activity of connectors, with the markers and the memory of their coordinates. */
static tn_batch batch_of_connectors(const tn_derived *derived, const tn_batch *batch, uint32_t first,
                                    uint32_t count)
{
    const struct tn_connector_place *place = &derived->connector_place[first];
    tn_batch part = tn_sub_batch(place->group, place->instance, count);
    part.time = batch->time;
    part.failure = batch->failure;
    part.marker = batch->marker + (size_t)first * batch->marker_count;
    part.pose = batch->pose;
    part.twist = batch->twist;
    part.output = derived->coordinate;
    part.value = batch->value ? batch->value + 2 * (size_t)first : NULL;
    part.tangent = batch->tangent + (size_t)first * 2 * batch->wrench_size;
    return part;
}

/* The value and rate of coordinates, or the derivatives of their rates. */
static tn_status call_connectors(const tn_derived *derived, const tn_batch *batch, bool tangent)
{
    for (uint32_t first = 0, count; first < batch->count; first += count) {
        count = count_neighbours(derived, first);
        tn_batch part = batch_of_connectors(derived, batch, first, count);
        *batch->failure = (tn_failure){.instance = 0};
        const tn_status status = tangent ? tn_call(derived->connector, coordinate_tangent, &part)
                                         : tn_call(derived->connector, coordinate, &part);
        if (status == TN_OK) continue;
        batch->failure->instance += first;
        return status;
    }
    return TN_OK;
}

tn_status tn_derived_kinematics(const tn_derived *derived, tn_batch *batch)
{
    return derived->type ? tn_call(derived->type, kinematics, batch) : call_connectors(derived, batch, false);
}

tn_status tn_derived_tangent(const tn_derived *derived, tn_batch *batch)
{
    return derived->type ? tn_call(derived->type, kinematics_tangent, batch)
                         : call_connectors(derived, batch, true);
}

/* ---- every evaluation ------------------------------------------------------------------------------------ */

/* From the rows of values to the places of poses and twists; sizes are constants of each copy of this loop. */
static inline __attribute__((always_inline)) void copy_values(const tn_derived *derived, size_t pose,
                                                              size_t twist)
{
    const double *value = derived->batch.value;
    double *restrict const to_pose = derived->pose, *restrict const to_twist = derived->twist;
    for (size_t i = 0, count = derived->batch.count; i < count; i++, value += pose + twist) {
        for (size_t k = 0; k < pose; k++)
            to_pose[i * pose + k] = value[k];
        for (size_t k = 0; k < twist; k++)
            to_twist[i * twist + k] = value[pose + k];
    }
}

static void spread_values(const tn_derived *derived)
{
    if (derived->kind == TN_COORDINATE)
        copy_values(derived, 1, 1);
    else
        copy_values(derived, tn_pose_size(derived->kind), tn_twist_size(derived->kind));
    if (derived->kept) tn_turns_add(derived);
}

tn_status tn_derived_find_tangent(const tn_assembly *assembly, tn_derived *derived, bool poses)
{
    if (derived->complete) return TN_OK;
    const tn_status status = derived->exact
                                 ? tn_derived_tangent(derived, &derived->batch)
                                 : tn_marker_differences(assembly, derived, &derived->batch, poses);
    derived->complete = status == TN_OK && derived->constant;
    return status;
}

tn_status tn_derived_evaluate(tn_assembly *assembly)
{
    assembly->failures.refusal.derived = NULL;
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        derived->batch.time = assembly->system.time;
        tn_status status = tn_derived_kinematics(derived, &derived->batch);
        if (status == TN_OK) spread_values(derived);
        /* what is only read passes no wrenches on */
        if (status == TN_OK && derived->loaded) status = tn_derived_find_tangent(assembly, derived, false);
        if (status == TN_OK) continue;
        assembly->failures.refusal.derived = derived;
        assembly->failures.refusal.instance = derived->failure.instance;
        assembly->failures.refusal.message = derived->failure.message;
        return tn_worse(status, TN_OK);
    }
    return TN_OK;
}

static void pass_wrenches_on(const tn_derived *derived)
{
    const tn_batch *batch = &derived->batch;
    const size_t width = tn_twist_size(derived->kind), W = batch->wrench_size;
    for (size_t i = 0; i < batch->count; i++) {
        const double *wrench = derived->wrench + i * width;
        const double *column = batch->tangent + i * width * 2 * W + W;
        for (size_t k = 0; k < batch->marker_count; k++) {
            double *to = derived->to[i * batch->marker_count + k];
            const size_t size = tn_twist_size(batch->marker_kind[k]);
            for (size_t c = 0; to && c < size; c++) {
                double sum = 0.0;
                for (size_t r = 0; r < width; r++)
                    sum += column[r * 2 * W + c] * wrench[r];
                to[c] += sum;
            }
            column += size;
        }
    }
}

/* Downwards: what a marker gets from those made of it is complete before it is passed on. */
void tn_derived_pass_on(const tn_assembly *assembly)
{
    for (size_t k = assembly->derived_count; k-- > 0;)
        if (assembly->derived[k].loaded) pass_wrenches_on(&assembly->derived[k]);
}

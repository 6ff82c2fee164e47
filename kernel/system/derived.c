/* derived.c - markers made of other markers: groups by level, kinematics upwards, wrenches downwards
 *
 * With B the derivative of a marker's twist with respect to the twists of the markers that it is made of, a wrench w
 * on it does the same work as the wrenches B^T w on those. */
#include "system/assembly.h"

#include <stdlib.h>
#include <string.h>

/* ---- groups ---------------------------------------------------------------------------------------------- */

static const tn_use *use_of(const tn_model *model, uint32_t item)
{
    return &model->use[model->item[item].use];
}

/* The runtime markers that an item is made of. */
static const uint32_t *markers_of(const tn_model *model, uint32_t item, uint32_t *count)
{
    const tn_use *use = use_of(model, item);
    const uint32_t *start = use->marker_start + model->item[item].index;
    *count = start[1] - start[0];
    return use->marker_index + start[0];
}

/* Same type, level, and numbers and kinds of markers. */
static bool belongs(const tn_model *model, const tn_derived *derived, uint32_t item)
{
    const tn_use *use = use_of(model, item);
    const uint32_t *first = model->item[item].origin->port_first;
    uint32_t count = 0;
    const uint32_t *marker = markers_of(model, item, &count);
    if (derived->type != use->marker || derived->level != model->item[item].level ||
        memcmp(derived->batch.port_first, first, (use->port_count + 1) * sizeof *first) != 0)
        return false;
    for (uint32_t k = 0; k < count; k++)
        if (derived->batch.marker_kind[k] != model->marker[marker[k]].kind) return false;
    return true;
}

static void start_group(tn_assembly *assembly, uint32_t item)
{
    tn_model *model = assembly->model;
    const tn_use *use = use_of(model, item);
    size_t capacity = assembly->derived_count;
    assembly->derived =
        tn_grow(assembly->derived, &capacity, assembly->derived_count + 1, sizeof *assembly->derived);
    tn_derived *derived = &assembly->derived[assembly->derived_count++];
    *derived = (tn_derived){.type = use->marker, .level = model->item[item].level};
    derived->batch = (tn_batch){.struct_size = sizeof(tn_batch),
                                .host = &model->host,
                                .gravity = model->gravity,
                                .instance_stride = use->instance_size,
                                .port_first = model->item[item].origin->port_first};
    const uint32_t *marker = markers_of(model, item, &derived->batch.marker_count);
    const uint32_t count = derived->batch.marker_count;
    uint32_t *kinds = tn_arena_new(&model->arena, (count + 1) * sizeof *kinds);
    for (uint32_t k = 0; k < count; k++) {
        kinds[k] = model->marker[marker[k]].kind;
        derived->batch.wrench_size += tn_twist_size(kinds[k]);
    }
    tn_layout *layout = tn_arena_new(&model->arena, sizeof *layout);
    *layout = (tn_layout){.struct_size = sizeof *layout,
                          .marker_count = count,
                          .marker_kind = kinds,
                          .port_first = derived->batch.port_first};
    derived->batch.marker_kind = kinds;
    derived->batch.layout = layout;
}

/* Every item gets its group and its index there. The items come by level, so the groups do, too. */
static void sort_items(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    for (size_t i = 0; i < model->derived_count; i++) {
        const uint32_t item = model->derived[i];
        size_t k = assembly->derived_count;
        while (k > 0 && !belongs(model, &assembly->derived[k - 1], item))
            k--;
        if (!k) {
            start_group(assembly, item);
            k = assembly->derived_count;
        }
        assembly->group_of[item] = (uint32_t)(k - 1);
        assembly->index_of[item] = assembly->derived[k - 1].batch.count++;
    }
}

static void fill_groups(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        const size_t count = derived->batch.count;
        derived->item = tn_new(count, sizeof *derived->item);
        derived->marker = tn_new(count * derived->batch.marker_count, sizeof *derived->marker);
        derived->batch.instance = tn_new_aligned(count, derived->batch.instance_stride);
    }
    for (size_t i = 0; i < model->derived_count; i++) {
        const uint32_t item = model->derived[i], index = assembly->index_of[item];
        tn_derived *derived = &assembly->derived[assembly->group_of[item]];
        const size_t size = derived->batch.instance_stride;
        uint32_t markers = 0;
        const uint32_t *marker = markers_of(model, item, &markers);
        derived->item[index] = item;
        memcpy(derived->marker + (size_t)index * markers, marker, markers * sizeof *marker);
        memcpy((char *)derived->batch.instance + index * size, tn_item_instance(model, item), size);
    }
}

/* ---- legs ------------------------------------------------------------------------------------------------ */

uint32_t tn_leg_count(const tn_assembly *assembly, uint32_t marker)
{
    const uint32_t item = assembly->model->marker[marker].body;
    if (!tn_is_derived(assembly->model, item)) return 1;
    const uint32_t *start = assembly->derived[assembly->group_of[item]].leg_start + assembly->index_of[item];
    return start[1] - start[0];
}

uint32_t tn_leg_item(const tn_assembly *assembly, uint32_t marker, uint32_t leg)
{
    const uint32_t item = assembly->model->marker[marker].body;
    if (!tn_is_derived(assembly->model, item)) return item;
    const tn_derived *derived = &assembly->derived[assembly->group_of[item]];
    return derived->leg[derived->leg_start[assembly->index_of[item]] + leg].item;
}

/* A marker depends on the bodies that the markers it is made of depend on: each is listed once. */
static void find_legs(const tn_assembly *assembly, tn_derived *derived)
{
    const size_t markers = derived->batch.marker_count;
    size_t count = 0, capacity = 0, seen = 0, seen_capacity = 0;
    derived->leg_start = tn_new(derived->batch.count + 1u, sizeof *derived->leg_start);
    for (size_t i = 0; i < derived->batch.count; i++) {
        const size_t first = count;
        for (size_t k = 0; k < markers; k++) {
            const uint32_t marker = derived->marker[i * markers + k], legs = tn_leg_count(assembly, marker);
            for (uint32_t l = 0; l < legs; l++) {
                const uint32_t item = tn_leg_item(assembly, marker, l);
                size_t place = first;
                while (place < count && derived->leg[place].item != item)
                    place++;
                if (place == count) {
                    derived->leg = tn_grow(derived->leg, &capacity, count + 1, sizeof *derived->leg);
                    derived->leg[count++] = (tn_leg){.item = item};
                }
                derived->leg_of = tn_grow(derived->leg_of, &seen_capacity, seen + 1, sizeof *derived->leg_of);
                derived->leg_of[seen++] = (uint32_t)(place - first);
            }
        }
        derived->leg_start[i + 1] = (uint32_t)count;
    }
}

void tn_derived_build(tn_assembly *assembly)
{
    sort_items(assembly);
    fill_groups(assembly);
    for (size_t k = 0; k < assembly->derived_count; k++)
        find_legs(assembly, &assembly->derived[k]);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

/* Where a wrench on this marker is added; NULL when it moves nothing. */
static double *receiver(const tn_assembly *assembly, uint32_t marker)
{
    const tn_station *station = &assembly->station[marker];
    if (station->group != TN_NONE && !assembly->group[station->group].batch.layout->nv) return NULL;
    return station->riders == TN_NONE ? assembly->force + station->place.twist
                                      : assembly->marker_wrench + station->wrench;
}

void tn_derived_place(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        tn_batch *batch = &derived->batch;
        const size_t uses = (size_t)batch->count * batch->marker_count;
        const size_t width = tn_twist_size(derived->type->kind);
        tn_marker_place *place = tn_new_aligned(uses, sizeof *place);
        derived->to = tn_new(uses, sizeof *derived->to);
        for (size_t i = 0; i < uses; i++) {
            place[i] = assembly->station[derived->marker[i]].place;
            derived->to[i] = receiver(assembly, derived->marker[i]);
        }
        batch->marker = place;
        batch->failure = &derived->failure;
        batch->pose = assembly->configuration;
        batch->twist = assembly->motion;
        batch->value =
            tn_new_aligned(batch->count * (tn_pose_size(derived->type->kind) + width), sizeof(double));
        batch->tangent = tn_new_aligned(batch->count * width * 2 * batch->wrench_size, sizeof(double));
        if (!derived->type->kinematics_tangent)
            derived->differences = tn_new_aligned(tn_kinematics_differences_size(derived), sizeof(double));
    }
}

void tn_derived_free(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        void *const memory[] = {derived->item,
                                derived->marker,
                                derived->to,
                                derived->leg_start,
                                derived->leg,
                                derived->leg_memory,
                                derived->leg_of,
                                derived->block,
                                derived->differences,
                                derived->batch.instance,
                                (void *)derived->batch.marker,
                                derived->batch.value,
                                derived->batch.tangent,
                                (void *)derived->unit.marker,
                                (void *)derived->unit.twist,
                                derived->unit.value,
                                derived->unit.tangent};
        for (size_t m = 0; m < sizeof memory / sizeof *memory; m++)
            free(memory[m]);
    }
    free(assembly->derived);
}

/* ---- every evaluation ------------------------------------------------------------------------------------ */

/* From the rows of values to the places of poses and twists. */
static void spread(const tn_derived *derived)
{
    const size_t pose = tn_pose_size(derived->type->kind), twist = tn_twist_size(derived->type->kind);
    const double *value = derived->batch.value;
    for (size_t i = 0; i < derived->batch.count; i++, value += pose + twist) {
        memcpy(derived->pose + i * pose, value, pose * sizeof *value);
        memcpy(derived->twist + i * twist, value + pose, twist * sizeof *value);
    }
}

/* Rows of a type with constant shares stay as they are. */
static tn_status find_tangent(const tn_assembly *assembly, tn_derived *derived)
{
    if (derived->complete) return TN_OK;
    const tn_status status = derived->type->kinematics_tangent
                                 ? tn_call(derived->type, kinematics_tangent, &derived->batch)
                                 : tn_kinematics_differences(derived, &derived->batch, false,
                                                             assembly->length, derived->differences);
    derived->complete = status == TN_OK && (derived->type->flags & TN_CONSTANT_SHARES);
    return status;
}

tn_status tn_derived_evaluate(tn_assembly *assembly)
{
    assembly->failed_derived = NULL;
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        derived->batch.time = assembly->system.time;
        tn_status status = tn_call(derived->type, kinematics, &derived->batch);
        if (status == TN_OK) {
            spread(derived);
            status = find_tangent(assembly, derived);
        }
        if (status == TN_OK) continue;
        assembly->failed_derived = derived;
        assembly->failed_instance = derived->failure.instance;
        assembly->failed_message = derived->failure.message;
        return tn_worse(status, TN_OK);
    }
    return TN_OK;
}

static void pass_on(const tn_derived *derived)
{
    const tn_batch *batch = &derived->batch;
    const size_t width = tn_twist_size(derived->type->kind), W = batch->wrench_size;
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
        pass_on(&assembly->derived[k]);
}

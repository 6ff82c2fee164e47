/* stations.c - gives every marker its place in the memory of the state */
#include "system/block_calls.h"
#include "system/markers.h"

#include <string.h>

/* Whether markers on a group never move: it has no coordinates, and no parameters that may change. */
static bool is_still(const tn_group *owner)
{
    const tn_parameter *p = owner->type->parameters;
    while (p && p->name && !(p->flags & (TN_DYNAMIC | TN_CHANGEABLE)))
        p++;
    return !owner->batch.layout->nq && !owner->batch.layout->nv && !(p && p->name);
}

/* Riders of this kind on this group that depend on this many coordinates, made when new. */
static uint32_t riders_of(tn_assembly *assembly, uint32_t group, uint32_t kind, uint32_t columns)
{
    for (size_t k = 0; k < assembly->riders_count; k++) {
        const tn_attachments *attachments = &assembly->riders[k].attachments;
        if (assembly->riders[k].group == group && attachments->kind == kind &&
            attachments->columns == columns)
            return (uint32_t)k;
    }
    assembly->riders = tn_arena_grow(&assembly->memory, assembly->riders, &assembly->riders_capacity,
                                     assembly->riders_count + 1, sizeof *assembly->riders);
    tn_riders *riders = &assembly->riders[assembly->riders_count];
    const tn_group *owner = &assembly->group[group];
    *riders = (tn_riders){.type = owner->type, .group = group, .still = is_still(owner)};
    riders->attachments = (tn_attachments){.struct_size = sizeof(tn_attachments),
                                           .kind = kind,
                                           .nq = owner->batch.layout->nq,
                                           .nv = owner->batch.layout->nv,
                                           .columns = columns,
                                           .instance = owner->batch.instance,
                                           .instance_stride = owner->batch.instance_stride};
    return (uint32_t)assembly->riders_count++;
}

tn_attachments tn_part_of_attachments(const tn_attachments *all, size_t first, size_t count)
{
    tn_attachments part = *all;
    const size_t width = tn_twist_size(part.kind);
    part.count = (uint32_t)count;
    part.body += first;
    part.data = (const char *)part.data + first * part.data_size;
    part.pose += first * tn_pose_size(part.kind);
    part.twist += first * width;
    part.wrench += first * width;
    if (part.matrix) part.matrix += first * width * part.columns;
    return part;
}

/* An alias stands in the state of its body; any other marker joins the riders of its kind. */
static void sort_marker(tn_assembly *assembly, uint32_t number)
{
    const tn_marker *marker = &assembly->model->marker[number];
    tn_station *station = &assembly->station[number];
    if (tn_marker_is_derived(assembly->model, number)) {
        const struct tn_derived_place *place = &assembly->derived_of[number];
        *station =
            (tn_station){.group = TN_NONE, .body = TN_NONE, .riders = place->group, .rider = place->index};
        return;
    }
    const uint32_t group = assembly->group_of[marker->body], body = assembly->index_of[marker->body];
    const tn_group *owner = &assembly->group[group];
    *station =
        (tn_station){.group = group, .body = body, .riders = TN_NONE, .rider = TN_NONE, .wrench = TN_NONE};
    if (marker->alias_pose >= 0) {
        station->place.pose = owner->q_start + body * owner->batch.layout->nq + (uint32_t)marker->alias_pose;
        station->place.twist =
            owner->v_start + body * owner->batch.layout->nv + (uint32_t)marker->alias_twist;
    } else {
        const uint32_t columns = marker->columns ? marker->columns : owner->batch.layout->nv;
        station->riders = riders_of(assembly, group, marker->kind, columns);
        tn_attachments *attachments = &assembly->riders[station->riders].attachments;
        station->rider = attachments->count++;
        if (marker->data_size > attachments->data_size) attachments->data_size = marker->data_size;
    }
}

/* Poses behind q, twists behind v, wrenches in the same order: riders after riders, then the derived markers. */
static void make_memory(tn_assembly *assembly)
{
    size_t pose = assembly->system.nq, wrench = 0;
    for (size_t k = 0; k < assembly->riders_count; k++) {
        const tn_attachments *attachments = &assembly->riders[k].attachments;
        pose += (size_t)attachments->count * tn_pose_size(attachments->kind);
        wrench += (size_t)attachments->count * tn_twist_size(attachments->kind);
    }
    for (size_t k = 0; k < assembly->derived_count; k++) {
        const tn_derived *derived = &assembly->derived[k];
        pose += (size_t)derived->batch.count * tn_pose_size(derived->kind);
        wrench += (size_t)derived->batch.count * tn_twist_size(derived->kind);
    }
    const size_t twist = assembly->system.nv + wrench;
    assembly->configuration = tn_assembly_new(assembly, pose, sizeof(double));
    assembly->motion = tn_assembly_new(assembly, twist, sizeof(double));
    assembly->marker_wrench = tn_assembly_new(assembly, wrench, sizeof(double));
    assembly->marker_wrench_size = wrench;
    assembly->pose_size = pose;
    assembly->twist_size = twist;

    double *next_pose = assembly->configuration + assembly->system.nq;
    double *next_twist = assembly->motion + assembly->system.nv, *next_wrench = assembly->marker_wrench;
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_attachments *attachments = &assembly->riders[k].attachments;
        const size_t count = attachments->count;
        attachments->body = tn_assembly_new(assembly, count, sizeof *attachments->body);
        attachments->data = tn_assembly_new(assembly, count, attachments->data_size);
        assembly->riders[k].first = tn_assembly_new(assembly, count, sizeof *assembly->riders[k].first);
        attachments->pose = next_pose;
        attachments->twist = next_twist;
        attachments->wrench = next_wrench;
        next_pose += count * tn_pose_size(attachments->kind);
        next_twist += count * tn_twist_size(attachments->kind);
        next_wrench += count * tn_twist_size(attachments->kind);
    }
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        const size_t count = derived->batch.count;
        derived->pose = next_pose;
        derived->twist = next_twist;
        derived->wrench = next_wrench;
        next_pose += count * tn_pose_size(derived->kind);
        next_twist += count * tn_twist_size(derived->kind);
        next_wrench += count * tn_twist_size(derived->kind);
    }
}

/* A station among the markers of one kind, whose memory begins here. A frame that serves as a point, too, stands at the same place as
 * both. */
static void place_station(const tn_assembly *assembly, tn_station *station, uint32_t kind, const double *pose,
                          const double *twist, const double *wrench)
{
    const size_t i = station->rider, width = tn_twist_size(kind);
    station->place.pose = (uint32_t)(pose + i * tn_pose_size(kind) - assembly->configuration);
    station->place.twist = (uint32_t)(twist + i * width - assembly->motion);
    station->wrench = (uint32_t)(wrench + i * width - assembly->marker_wrench);
}

/* Enters a rider in the arrays of its kind. */
static void place_rider(tn_assembly *assembly, uint32_t marker)
{
    tn_station *station = &assembly->station[marker];
    tn_attachments *attachments = &assembly->riders[station->riders].attachments;
    const size_t i = station->rider, size = attachments->data_size;
    ((uint32_t *)attachments->body)[i] = station->body;
    assembly->riders[station->riders].first[i] = assembly->model->marker[marker].first;
    void *data = (char *)attachments->data + i * size;
    if (size) memcpy(data, assembly->model->marker[marker].data, size);
    assembly->model->marker[marker].data = data;
    place_station(assembly, station, attachments->kind, attachments->pose, attachments->twist,
                  attachments->wrench);
}

/* The places of riders on their bodies go from the memory of the model to that of the batches. */
void tn_stations_build(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    assembly->station = tn_assembly_new(assembly, model->marker_count, sizeof *assembly->station);
    for (uint32_t k = 0; k < model->marker_count; k++)
        sort_marker(assembly, k);
    make_memory(assembly);
    for (uint32_t k = 0; k < model->marker_count; k++) {
        tn_station *station = &assembly->station[k];
        const tn_derived *derived = station->group == TN_NONE ? &assembly->derived[station->riders] : NULL;
        if (derived)
            place_station(assembly, station, derived->kind, derived->pose, derived->twist, derived->wrench);
        else if (station->riders != TN_NONE)
            place_rider(assembly, k);
        else
            assembly->model->marker[k].data = NULL;
    }
    tn_arena_free(&assembly->model->places);
}

/* A marker that stands in the state stands there wholly. */
static bool fits_coordinates(const tn_assembly *assembly, const tn_marker *marker)
{
    const uint32_t item = marker->body;
    if (marker->alias_pose < 0) return true;
    tn_model *model = assembly->model;
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    const tn_layout *layout = group->batch.layout;
    const int64_t pose = marker->alias_pose + (int64_t)tn_pose_size(marker->kind);
    const int64_t twist = marker->alias_twist + (int64_t)tn_twist_size(marker->kind);
    if (marker->alias_twist >= 0 && pose <= layout->nq && twist <= layout->nv) return true;
    const bool is_pose = pose > layout->nq;
    const tn_culprit culprit = tn_registry_culprit(model->registry, group->type, "bind");
    return tn_model_error(
        model, model->item[item].origin->at->place, "`%s`: %s puts a marker at %s %d, but there are only %u",
        tn_item_name(model, item), culprit.words, is_pose ? "coordinate" : "velocity",
        is_pose ? marker->alias_pose : marker->alias_twist, is_pose ? layout->nq : layout->nv);
}

/* A rider depends on coordinates that its body has. */
static bool check_rider_coordinates(const tn_assembly *assembly, const tn_riders *riders)
{
    tn_model *model = assembly->model;
    const tn_attachments *all = &riders->attachments;
    uint32_t i = 0;
    while (i < all->count && riders->first[i] <= all->nv && all->columns <= all->nv - riders->first[i])
        i++;
    if (i == all->count) return true;
    const uint32_t item = assembly->group[riders->group].item[all->body[i]];
    return tn_model_error(
        model, model->item[item].origin->at->place,
        "`%s` carries a marker on %u of its coordinates from number %u on, but has only %u (type %s, "
        "plugin %s)",
        tn_item_name(model, item), all->columns, riders->first[i], all->nv, riders->type->name,
        tn_registry_file_of(model->registry, riders->type)->path);
}

bool tn_stations_check(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    for (uint32_t k = 0; k < model->marker_count; k++)
        if (!tn_marker_is_derived(model, k) && !fits_coordinates(assembly, &model->marker[k])) return false;
    for (size_t k = 0; k < assembly->riders_count; k++) {
        const tn_riders *riders = &assembly->riders[k];
        if (!check_rider_coordinates(assembly, riders)) return false;
        if (riders->type->pose) continue; /* a type has the others, too, then: plugin/kinds.c */
        const uint32_t item = assembly->group[riders->group].item[riders->attachments.body[0]];
        return tn_model_error(model, model->item[item].origin->at->place,
                              "`%s` carries markers, but its type %s has no function `pose` (plugin %s)",
                              tn_item_name(model, item), riders->type->name,
                              tn_registry_file_of(model->registry, riders->type)->path);
    }
    return true;
}

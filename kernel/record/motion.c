/* motion.c - poses of tracks (see motion.h) */
#include "record/motion.h"

#include <math.h>
#include <string.h>

/* ---- tracks ----------------------------------------------------------------------------------------------------- */

static uint32_t add_source(tn_motion *motion, tn_track_source source)
{
    motion->source = tn_grow(motion->source, &motion->capacity, motion->count + 1, sizeof *motion->source);
    motion->source[motion->count] = source;
    return (uint32_t)motion->count++;
}

static tn_attachments attachments_of(const tn_group *group, const tn_attachment *bound)
{
    return (tn_attachments){.struct_size = sizeof(tn_attachments),
                            .kind = bound->kind,
                            .nq = group->batch.layout->nq,
                            .nv = group->batch.layout->nv,
                            .data_size = bound->data_used && bound->data_used < group->type->attachment_size
                                             ? bound->data_used
                                             : (uint32_t)group->type->attachment_size,
                            .instance = group->batch.instance,
                            .instance_stride = group->batch.instance_stride};
}

static tn_carried *carried_on(tn_motion *motion, uint32_t group, const tn_attachment *bound)
{
    const tn_group *owner = &motion->assembly->group[group];
    const tn_attachments alike = attachments_of(owner, bound);
    for (size_t k = 0; k < motion->carried_count; k++) {
        const tn_attachments *all = &motion->carried[k].attachments;
        if (motion->carried[k].group == group && all->kind == alike.kind && all->data_size == alike.data_size)
            return &motion->carried[k];
    }
    motion->carried = tn_grow(motion->carried, &motion->carried_capacity, motion->carried_count + 1,
                              sizeof *motion->carried);
    tn_carried *carried = &motion->carried[motion->carried_count++];
    *carried = (tn_carried){.type = owner->type, .group = group, .attachments = alike};
    return carried;
}

uint32_t tn_motion_add(tn_motion *motion, uint32_t item, const tn_attachment *bound, uint32_t marker)
{
    const tn_assembly *assembly = motion->assembly;
    const uint32_t group = assembly->group_of[item], index = assembly->index_of[item];
    const tn_group *owner = &assembly->group[group];
    const bool is_frame = bound->kind == TN_FRAME;
    if (bound->alias_pose >= 0 && marker == TN_NONE) {
        const tn_marker_place place = {
            owner->q_start + index * owner->batch.layout->nq + (uint32_t)bound->alias_pose,
            owner->v_start + index * owner->batch.layout->nv + (uint32_t)bound->alias_twist};
        return add_source(motion, (tn_track_source){place, false, is_frame});
    }
    tn_carried *carried = carried_on(motion, group, bound);
    tn_attachments *all = &carried->attachments;
    const size_t count = all->count, size = all->data_size;
    uint32_t *body = tn_grow((void *)(uintptr_t)all->body, &carried->body_capacity, count + 1, sizeof *body);
    char *data = tn_grow((void *)(uintptr_t)all->data, &carried->data_capacity, (count + 1) * size, 1);
    body[count] = index;
    if (size) memcpy(data + count * size, bound->data, size);
    all->body = body;
    all->data = data;
    carried->marker = tn_grow(carried->marker, &carried->marker_capacity, count + 1, sizeof *carried->marker);
    carried->track = tn_grow(carried->track, &carried->track_capacity, count + 1, sizeof *carried->track);
    carried->marker[count] = marker;
    carried->moves = carried->moves || marker != TN_NONE;
    all->count++;
    return carried->track[count] =
               add_source(motion, (tn_track_source){.is_carried = true, .is_frame = is_frame});
}

uint32_t tn_motion_add_derived(tn_motion *motion, uint32_t marker)
{
    const tn_assembly *assembly = motion->assembly;
    motion->evaluates = true;
    return add_source(motion, (tn_track_source){assembly->station[marker].place, false,
                                                assembly->model->marker[marker].kind == TN_FRAME});
}

void tn_motion_complete(tn_motion *motion)
{
    const tn_assembly *assembly = motion->assembly;
    uint32_t poses = 0, twists = 0;
    for (size_t k = 0; k < motion->carried_count; k++) {
        const tn_carried *carried = &motion->carried[k];
        for (uint32_t i = 0; i < carried->attachments.count; i++) {
            motion->source[carried->track[i]].place = (tn_marker_place){poses, twists};
            poses += (uint32_t)tn_pose_size(carried->attachments.kind);
            twists += (uint32_t)tn_twist_size(carried->attachments.kind);
        }
    }
    motion->pose = tn_new(poses, sizeof(double));
    motion->twist = tn_new(twists, sizeof(double)); /* only modes touch it */
    for (size_t k = 0; k < motion->carried_count; k++) {
        tn_attachments *all = &motion->carried[k].attachments;
        const tn_group *group = &assembly->group[motion->carried[k].group];
        const tn_marker_place first = motion->source[motion->carried[k].track[0]].place;
        all->q = assembly->system.q + group->q_start;
        all->v = assembly->system.v + group->v_start;
        all->pose = motion->pose + first.pose;
        all->twist = motion->twist + first.twist;
    }
}

/* ---- poses ---------------------------------------------------------------------------------------------------- */

/* Copies the places of markers, which changes may have moved. */
static void renew_places(const tn_assembly *assembly, const tn_carried *carried)
{
    const size_t size = carried->attachments.data_size;
    for (uint32_t i = 0; i < carried->attachments.count; i++) {
        const uint32_t marker = carried->marker[i];
        const tn_station *station = marker == TN_NONE ? NULL : &assembly->station[marker];
        if (!station || station->riders == TN_NONE) continue;
        const char *data = assembly->riders[station->riders].attachments.data;
        memcpy((char *)(uintptr_t)carried->attachments.data + i * size, data + station->rider * size, size);
    }
}

tn_status tn_motion_find(tn_motion *motion, bool twists)
{
    for (size_t k = 0; k < motion->carried_count; k++) {
        tn_carried *carried = &motion->carried[k];
        if (carried->moves) renew_places(motion->assembly, carried);
        tn_status status = tn_call(carried->type, pose, &carried->attachments);
        if (status == TN_OK && twists) status = tn_call(carried->type, twist, &carried->attachments);
        if (status != TN_OK) return status;
    }
    return TN_OK;
}

tn_status tn_motion_pose(const tn_assembly *assembly, uint32_t item, const tn_attachment *bound, double *pose)
{
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    const uint32_t index = assembly->index_of[item];
    const size_t size = tn_pose_size(bound->kind);
    const double *q = assembly->system.q + group->q_start;
    if (bound->alias_pose >= 0) {
        memcpy(pose, q + (size_t)index * group->batch.layout->nq + bound->alias_pose, size * sizeof *pose);
        return TN_OK;
    }
    if (!group->type->pose) return TN_UNSUPPORTED;
    tn_attachments one = attachments_of(group, bound);
    one.count = 1;
    one.body = &index;
    one.data = bound->data;
    one.q = q;
    one.v = assembly->system.v + group->v_start;
    one.pose = pose;
    return tn_call(group->type, pose, &one);
}

/* Shepperd's method: the largest component first. */
void tn_quaternion_of(const double *r, double *quaternion)
{
    const double four[4] = {1.0 + r[0] + r[4] + r[8], 1.0 + r[0] - r[4] - r[8], 1.0 - r[0] + r[4] - r[8],
                            1.0 - r[0] - r[4] + r[8]};
    int largest = 0;
    for (int k = 1; k < 4; k++)
        if (four[k] > four[largest]) largest = k;
    const double twice = sqrt(four[largest]), share = 0.5 / twice;
    const double x = r[7] - r[5], y = r[2] - r[6], z = r[3] - r[1];
    const double xy = r[1] + r[3], xz = r[2] + r[6], yz = r[5] + r[7];
    const double rest[4][4] = {{0.0, x, y, z}, {x, 0.0, xy, xz}, {y, xy, 0.0, yz}, {z, xz, yz, 0.0}};
    double square = 0.0;
    for (int k = 0; k < 4; k++) {
        quaternion[k] = k == largest ? 0.5 * twice : share * rest[largest][k];
        square += quaternion[k] * quaternion[k];
    }
    const double scale = (quaternion[0] < 0.0 ? -1.0 : 1.0) / sqrt(square);
    for (int k = 0; k < 4; k++)
        quaternion[k] *= scale;
}

/* scene.c - tracks and places of a model (see scene.h)
 *
 * Markers on a rigid body (six velocities, and frames) are fixed places on its track. Markers on other bodies, such as beams, and those
 * made of other markers have tracks of their own. */
#include "record/scene.h"

#include <math.h>
#include <string.h>

enum { RIGID = 6 }; /* velocities */

/* An element that carries points or frames. */
struct tn_scene_body {
    bool known, is_fixed, is_rigid; /* fixed: ground */
    uint32_t track;
    const double *pose; /* [12] at the start, where it is fixed or rigid */
};

/* A runtime marker whose place was asked for. */
struct tn_scene_marker {
    bool asked, known;
    bool moves;    /* changes put it elsewhere */
    uint32_t item; /* the item that declares this marker, plus one; 0: none does */
    tn_recorded_place place;
};

static struct tn_scene_body *body_of(const tn_scene *scene, uint32_t item)
{
    return &scene->body[scene->body_of[item]];
}

static const double no_turn[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/* ---- places ----------------------------------------------------------------------------------------------------- */

static void widen(tn_scene *scene, const double *position)
{
    for (int i = 0; i < 3; i++) {
        if (!isfinite(position[i])) continue;
        if (!(position[i] >= scene->lower[i])) scene->lower[i] = position[i];
        if (!(position[i] <= scene->upper[i])) scene->upper[i] = position[i];
    }
}

static void rotate(const double *quaternion, const double *vector, double *result)
{
    const double w = quaternion[0], *u = quaternion + 1;
    double once[3], twice[3];
    for (int i = 0; i < 3; i++)
        once[i] = u[(i + 1) % 3] * vector[(i + 2) % 3] - u[(i + 2) % 3] * vector[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        twice[i] = u[(i + 1) % 3] * once[(i + 2) % 3] - u[(i + 2) % 3] * once[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        result[i] = vector[i] + 2.0 * (w * once[i] + twice[i]);
}

static void multiply(const double *a, const double *b, double *result)
{
    result[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    for (int i = 0; i < 3; i++) {
        const int j = 1 + (i + 1) % 3, k = 1 + (i + 2) % 3;
        result[1 + i] = a[0] * b[1 + i] + b[0] * a[1 + i] + a[j] * b[k] - a[k] * b[j];
    }
}

void tn_scene_shift(tn_recorded_place *place, const double *offset, const double *turn)
{
    double moved[3], own[4], turned[4];
    rotate(place->quaternion, offset, moved);
    tn_quaternion_of(turn, own);
    multiply(place->quaternion, own, turned);
    for (int i = 0; i < 3; i++)
        place->position[i] += moved[i];
    memcpy(place->quaternion, turned, sizeof turned);
}

static tn_recorded_place origin_of(uint32_t track)
{
    return (tn_recorded_place){.track = track, .quaternion = {1.0, 0.0, 0.0, 0.0}};
}

/* Ground axes as a pose. */
static const double still[12] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/* A pose relative to another one, both in ground axes. */
static tn_recorded_place seen_from(uint32_t track, const double *from, const double *pose, bool is_frame)
{
    tn_recorded_place place = origin_of(track);
    double turn[9] = {0.0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            place.position[i] += from[3 + 3 * j + i] * (pose[j] - from[j]);
            for (int k = 0; is_frame && k < 3; k++)
                turn[3 * i + j] += from[3 + 3 * k + i] * pose[3 + 3 * k + j];
        }
    if (is_frame) tn_quaternion_of(turn, place.quaternion);
    return place;
}

/* ---- tracks ------------------------------------------------------------------------------------------------------ */

static void add_track(tn_scene *scene, const char *name, const char *type, bool is_body, bool is_frame)
{
    scene->track = tn_grow(scene->track, &scene->track_capacity, scene->tracks + 1, sizeof *scene->track);
    scene->track[scene->tracks++] = (tn_recorded_track){.struct_size = sizeof *scene->track,
                                                        .is_body = is_body,
                                                        .name = name,
                                                        .type = type,
                                                        .has_rotation = is_frame};
}

/* Binds the frame of an element, or its point where it has none, with this memory for its data. */
static bool bind_body(tn_scene *scene, uint32_t item, void *data, tn_attachment *bound)
{
    tn_model *model = scene->assembly->model;
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    static const uint32_t kinds[] = {TN_FRAME, TN_POINT};
    for (int k = 0; k < 2; k++) {
        memset(data, 0, type->attachment_size);
        *bound = (tn_attachment){.struct_size = sizeof *bound,
                                 .kind = kinds[k],
                                 .data = data,
                                 .alias_pose = -1,
                                 .alias_twist = -1};
        memcpy(bound->rotation, no_turn, sizeof no_turn);
        if (tn_call_for(tn_item_name(model, item), type, bind, &model->host, tn_item_instance(model, item),
                        bound) == TN_OK)
            return true;
    }
    return false;
}

static const double *keep_pose(tn_scene *scene, const double *pose)
{
    return memcpy(tn_arena_new(&scene->arena, 12 * sizeof *pose), pose, 12 * sizeof *pose);
}

static void add_body(tn_scene *scene, uint32_t item, void *data)
{
    const tn_model *model = scene->assembly->model;
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    struct tn_scene_body body = {.known = true, .track = TN_GROUND_TRACK};
    tn_attachment bound;
    double pose[12];
    if (!bind_body(scene, item, data, &bound) || tn_motion_pose(scene->assembly, item, &bound, pose) != TN_OK)
        return;
    const tn_group *group = &scene->assembly->group[scene->assembly->group_of[item]];
    const bool is_frame = bound.kind == TN_FRAME;
    body.is_fixed = group->batch.layout->nv == 0;
    body.is_rigid = is_frame && group->batch.layout->nv == RIGID;
    if (!is_frame) memcpy(pose + 3, no_turn, sizeof no_turn);
    if (body.is_fixed || body.is_rigid) body.pose = keep_pose(scene, pose);
    if (!body.is_fixed) {
        body.track = tn_motion_add(&scene->motion, item, &bound, TN_NONE);
        add_track(scene, tn_item_name(model, item), type->name, true, is_frame);
        widen(scene, pose);
    }
    scene->body_of[item] = (uint32_t)scene->bodies;
    TN_APPEND(scene->body, scene->bodies, body);
}

/* Of all types. */
static size_t largest_attachment(const tn_model *model)
{
    size_t largest = 0;
    for (size_t k = 0; k < model->use_count; k++)
        if (model->use[k].element && model->use[k].element->attachment_size > largest)
            largest = model->use[k].element->attachment_size;
    return largest;
}

static void add_bodies(tn_scene *scene)
{
    const tn_model *model = scene->assembly->model;
    void *data = tn_new(largest_attachment(model), 1);
    TN_APPEND(scene->body, scene->bodies, (struct tn_scene_body){0});
    for (uint32_t k = 0; k < model->names.count; k++) {
        const tn_item *item = &model->item[k];
        const tn_loaded_element *type = item->index == TN_NONE ? NULL : model->use[item->use].element;
        if (type && type->bind) add_body(scene, k, data);
    }
    tn_free(data);
}

bool tn_scene_place_body(const tn_scene *scene, uint32_t item, tn_recorded_place *place)
{
    const struct tn_scene_body *body = body_of(scene, item);
    if (!body->known) return false;
    *place = body->is_fixed ? seen_from(TN_GROUND_TRACK, still, body->pose, true) : origin_of(body->track);
    return true;
}

/* ---- markers ----------------------------------------------------------------------------------------------------- */

/* The place of an attachment of ground or a rigid body; false for other bodies. */
static bool place_bound(tn_scene *scene, uint32_t item, const tn_attachment *bound, uint32_t moving,
                        tn_recorded_place *place)
{
    const struct tn_scene_body *body = body_of(scene, item);
    const bool is_frame = bound->kind == TN_FRAME;
    double pose[12];
    if (moving != TN_NONE || !body->known || !(body->is_fixed || body->is_rigid) ||
        tn_motion_pose(scene->assembly, item, bound, pose) != TN_OK)
        return false;
    widen(scene, pose);
    *place = body->is_fixed ? seen_from(TN_GROUND_TRACK, still, pose, is_frame)
                            : seen_from(body->track, body->pose, pose, is_frame);
    return true;
}

/* Of other bodies: a track of its own. */
static bool place_on_track(tn_scene *scene, uint32_t item, const char *name, const tn_attachment *bound,
                           uint32_t moving, tn_recorded_place *place)
{
    double pose[12];
    if (tn_motion_pose(scene->assembly, item, bound, pose) != TN_OK) return false;
    widen(scene, pose);
    *place = origin_of(tn_motion_add(&scene->motion, item, bound, moving));
    add_track(scene, name, "marker", false, bound->kind == TN_FRAME);
    return true;
}

bool tn_scene_place_bound(tn_scene *scene, uint32_t item, const char *name, const tn_attachment *bound,
                          tn_recorded_place *place)
{
    return place_bound(scene, item, bound, TN_NONE, place) ||
           place_on_track(scene, item, name, bound, TN_NONE, place);
}

/* The name of a marker's track: that of its declaration, or of its element. */
static const char *marker_name(tn_scene *scene, uint32_t marker)
{
    const tn_model *model = scene->assembly->model;
    const uint32_t body = model->marker[marker].body, item = scene->marker[marker].item;
    if (item) return tn_item_name(model, item - 1);
    return tn_marker_is_derived(model, marker)
               ? tn_item_name(model, body)
               : tn_arena_print(&scene->arena, "%s.marker%u", tn_item_name(model, body), marker);
}

/* Whether a marker is a point whose coordinates are those of its body's track. */
static bool is_body_itself(const tn_scene *scene, const tn_marker *marker)
{
    const tn_assembly *assembly = scene->assembly;
    const tn_group *group = &assembly->group[assembly->group_of[marker->body]];
    const uint32_t first = group->q_start + assembly->index_of[marker->body] * group->batch.layout->nq;
    if (marker->alias_pose < 0 || marker->kind != TN_POINT) return false;
    const tn_track_source *body = &scene->motion.source[body_of(scene, marker->body)->track];
    return !body->is_carried && body->place.pose == first + (uint32_t)marker->alias_pose;
}

static tn_attachment bound_of(const tn_marker *marker)
{
    return (tn_attachment){.struct_size = sizeof(tn_attachment),
                           .kind = marker->kind,
                           .data = (void *)(uintptr_t)marker->data,
                           .data_used = marker->data_size,
                           .alias_pose = marker->alias_pose,
                           .alias_twist = marker->alias_twist};
}

static bool find_place(tn_scene *scene, uint32_t marker, tn_recorded_place *place)
{
    const tn_model *model = scene->assembly->model;
    const tn_marker *own = &model->marker[marker];
    if (!tn_has_place(own->kind) || own->coordinate != TN_NONE) return false;
    if (tn_marker_is_derived(model, marker)) {
        const char *type = model->use[model->item[own->body].use].type->name;
        *place = origin_of(tn_motion_add_derived(&scene->motion, marker));
        add_track(scene, marker_name(scene, marker), type, false, own->kind == TN_FRAME);
        return true;
    }
    const tn_attachment bound = bound_of(own);
    const struct tn_scene_body *body = body_of(scene, own->body);
    const bool moves = scene->marker[marker].moves, stands = body->known && !body->is_fixed;
    if (stands && !moves && is_body_itself(scene, own)) {
        *place = origin_of(body->track);
        return true;
    }
    return place_bound(scene, own->body, &bound, moves ? marker : TN_NONE, place) ||
           place_on_track(scene, own->body, marker_name(scene, marker), &bound, moves ? marker : TN_NONE,
                          place);
}

bool tn_scene_place(tn_scene *scene, uint32_t marker, tn_recorded_place *place)
{
    struct tn_scene_marker *own = &scene->marker[marker];
    if (!own->asked) own->known = find_place(scene, marker, &own->place);
    own->asked = true;
    if (own->known) *place = own->place;
    return own->known;
}

/* ---- wrenches ---------------------------------------------------------------------------------------------------- */

/* The wrench on a marker of a group's elements, numbered through all of them. */
static void add_source(tn_scene *scene, const tn_group *group, uint32_t number)
{
    tn_wrench_run *last = scene->wrench_runs ? &scene->wrench_run[scene->wrench_runs - 1] : NULL;
    if (last && last->group == group && last->first + last->count == number)
        last->count++;
    else
        TN_APPEND(scene->wrench_run, scene->wrench_runs, (tn_wrench_run){group, number, 1});
}

static void add_wrench(tn_scene *scene, const tn_group *group, uint32_t number)
{
    tn_recorded_place place;
    if (!tn_scene_place(scene, group->marker[number], &place)) return;
    scene->reacts = scene->reacts || group->rows;
    scene->wrenches++;
    add_source(scene, group, number);
}

static void next_wrench(void *data, tn_recorded_wrench *wrench)
{
    tn_scene *scene = data;
    const tn_wrench_run *run = &scene->wrench_run[scene->run];
    const uint32_t number = run->first + (uint32_t)scene->of_run++;
    const uint32_t item = run->group->item[number / run->group->batch.marker_count];
    *wrench = (tn_recorded_wrench){.struct_size = sizeof *wrench,
                                   .element = tn_item_name(scene->assembly->model, item),
                                   .type = run->group->type->name};
    (void)tn_scene_place(scene, run->group->marker[number], &wrench->place); /* it was known before */
    if (scene->of_run < run->count) return;
    scene->run++;
    scene->of_run = 0;
}

/* Of all elements that act on points and frames. */
static void add_wrenches(tn_scene *scene)
{
    for (size_t k = 0; k < scene->assembly->group_count; k++) {
        const tn_group *group = &scene->assembly->group[k];
        const tn_batch *batch = &group->batch;
        if (!group->force && !group->rows && !group->contact) continue;
        for (uint32_t i = 0; i < batch->count * batch->marker_count; i++)
            add_wrench(scene, group, i);
    }
}

/* Its pose at the start, as a position and a rotation. */
static bool find_start(const tn_scene *scene, uint32_t marker, double *pose)
{
    const tn_marker *own = &scene->assembly->model->marker[marker];
    if (!tn_has_place(own->kind) || own->coordinate != TN_NONE ||
        tn_marker_is_derived(scene->assembly->model, marker))
        return false;
    const tn_attachment bound = bound_of(own);
    memcpy(pose + 3, no_turn, sizeof no_turn);
    return tn_motion_pose(scene->assembly, own->body, &bound, pose) == TN_OK;
}

bool tn_scene_start(tn_scene *scene, uint32_t marker, tn_recorded_place *place)
{
    double pose[12];
    if (!find_start(scene, marker, pose)) return tn_scene_place(scene, marker, place);
    *place = seen_from(TN_GROUND_TRACK, still, pose, false);
    return true;
}

bool tn_scene_axes(const tn_scene *scene, uint32_t marker, double *rotation)
{
    const tn_marker *own = &scene->assembly->model->marker[marker];
    double pose[12];
    if (!find_start(scene, marker, pose)) return false;
    const struct tn_scene_body *body = body_of(scene, own->body);
    // a point has the axes of the body that it rides on
    const bool rides = own->kind == TN_POINT && body->known && body->is_rigid;
    memcpy(rotation, rides ? body->pose + 3 : pose + 3, sizeof no_turn);
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Finds the items that declare markers, and which of these markers changes move. */
static void find_declared_markers(tn_scene *scene)
{
    const tn_model *model = scene->assembly->model;
    for (uint32_t k = 0; k < model->names.count; k++)
        for (int slot = 0; model->item[k].index != TN_NONE && slot < TN_MARKER_SLOTS; slot++) {
            const uint32_t marker = model->item[k].marker[slot];
            if (marker == TN_NONE || model->marker[marker].body == k) continue;
            scene->marker[marker].item = k + 1;
            scene->marker[marker].moves = model->item[k].moves;
        }
}

/* The size of the model, of which lengths that are left open are a share. */
static void find_size(tn_scene *scene)
{
    for (int i = 0; i < 3; i++) {
        const double edge = scene->upper[i] - scene->lower[i];
        if (edge > scene->size) scene->size = edge;
    }
    if (!(scene->size > 0.0)) scene->size = scene->assembly->length > 0.0 ? scene->assembly->length : 1.0;
}

bool tn_scene_build(tn_scene *scene, tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    const size_t errors = tn_model_errors(model);
    *scene = (tn_scene){.assembly = assembly, .motion.assembly = assembly};
    for (int i = 0; i < 3; i++)
        scene->lower[i] = scene->upper[i] = (double)NAN;
    scene->body_of = tn_new(model->names.count + 1, sizeof *scene->body_of);
    scene->marker = tn_new(model->marker_count + 1, sizeof *scene->marker);
    find_declared_markers(scene);
    add_bodies(scene);
    add_wrenches(scene);
    find_size(scene);
    if (!tn_scene_draw(scene) || tn_model_errors(model) != errors) return false;
    tn_motion_complete(&scene->motion);
    return true;
}

void tn_scene_describe(const tn_scene *scene, tn_recording *recording)
{
    recording->size = scene->size;
    recording->tracks = (uint32_t)scene->tracks;
    recording->track = scene->track;
    recording->drawings = (uint32_t)scene->drawings;
    recording->wrenches = (uint32_t)scene->wrenches;
}

void tn_scene_write(tn_scene *scene, tn_recording *recording, tn_codec *codec)
{
    tn_packed_rewind(&scene->drawing);
    scene->run = scene->of_run = 0;
    tn_header_write(recording, &(tn_header_lists){tn_scene_next_drawing, next_wrench, scene}, codec);
}

void tn_scene_forget(tn_scene *scene, tn_recording *recording)
{
    void *const described[] = {scene->track, scene->drawing.word, scene->body, scene->body_of, scene->marker};
    for (size_t k = 0; k < sizeof described / sizeof *described; k++)
        tn_free(described[k]);
    tn_arena_free(&scene->arena);
    recording->track = scene->track = NULL;
    scene->drawing = (tn_packed){0};
    scene->body = NULL;
    scene->body_of = NULL;
    scene->marker = NULL;
}

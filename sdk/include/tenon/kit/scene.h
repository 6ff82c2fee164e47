/* tenon/kit/scene.h - the drawings of a recording as surfaces, which are fixed to a track or reach from one place to another.
 *
 *     tn_scene scene;
 *     tn_status status = tn_scene_make(&scene, host, recording, first, 24);
 *     ... scene.part[k], scene.surface[scene.part[k].surface] ...
 *     tn_scene_free(&scene);
 *
 * Equal surfaces are made once. A mesh whose file cannot be read is left out with a warning.
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_SCENE_H
#define TENON_KIT_SCENE_H

#include "tenon/draft/recording.h"
#include "tenon/kit/mesh_file.h"
#include "tenon/kit/poses.h"

/* The parameters of a surface. */
typedef struct tn_surface_key {
    uint32_t kind, around;
    double number[4];
    const char *mesh; /* file, or NULL */
} tn_surface_key;

typedef enum tn_surface_kind {
    TN_SURFACE_CAPSULE = 0, /* radius, length */
    TN_SURFACE_CYLINDER = 1,
    TN_SURFACE_BOX = 2,       /* three lengths */
    TN_SURFACE_RECTANGLE = 3, /* two lengths */
    TN_SURFACE_MESH = 4,      /* three factors */
    TN_SURFACE_SLEEVE = 5,    /* inner and outer radius, length */
    TN_SURFACE_RING = 6,      /* radius, that of the wire */
    TN_SURFACE_COIL = 7,      /* radius, that of the wire, turns, length */
    TN_SURFACE_ARROW = 8      /* length */
} tn_surface_kind;

/* A surface of a drawing. */
typedef struct tn_scene_part {
    uint32_t drawing, surface;
    uint32_t track;     /* to which it is fixed, or TN_GROUND_TRACK; unused where `between` */
    uint32_t between;   /* 1: its z axis points from the first place of the drawing to the second */
    uint32_t stretched; /* 1: its length is scaled to their distance */
    double pose[7];     /* in the axes of the track; unused where `between` */
    double length;      /* m, of the surface along z */
    double color[4];    /* red, green, blue as screens show them, opacity */
} tn_scene_part;

typedef struct tn_scene {
    const tn_host *host;
    const tn_recording *recording;
    const double *first; /* poses of the first frame; NULL: there is none */
    size_t around;
    size_t parts, surfaces, part_room, surface_room, key_room, slots;
    tn_scene_part *part;
    tn_triangles *surface;
    tn_surface_key *key;
    uint32_t *slot; /* [slots], hashed: number of a surface, counted from 1 */
    tn_status status;
} tn_scene;

static inline void tn_scene_free(tn_scene *scene)
{
    for (size_t k = 0; k < scene->surfaces; k++)
        tn_triangles_free(&scene->surface[k]);
    free(scene->part);
    free(scene->surface);
    free(scene->key);
    free(scene->slot);
    *scene = (tn_scene){0};
}

/* ---- surfaces ----------------------------------------------------------------------------------------------- */

static inline uint64_t tn_surface_hash(const tn_surface_key *key)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    const unsigned char *bytes = (const unsigned char *)key->number;
    for (size_t k = 0; k < sizeof key->number; k++)
        hash = (hash ^ bytes[k]) * UINT64_C(1099511628211);
    for (const char *c = key->mesh; c && *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    hash = (hash ^ key->kind) * UINT64_C(1099511628211);
    return hash ^ hash >> 29;
}

static inline bool tn_surface_same(const tn_surface_key *a, const tn_surface_key *b)
{
    return a->kind == b->kind && !memcmp(a->number, b->number, sizeof a->number) &&
           (a->mesh == b->mesh || (a->mesh && b->mesh && !strcmp(a->mesh, b->mesh)));
}

/* Factors along the axes; an odd number of negative ones turns the surface inside out. */
static inline void tn_triangles_scale(tn_triangles *of, const double *factor)
{
    for (size_t i = 0; i < of->points; i++) {
        double normal[3], square = 0.0;
        for (size_t d = 0; d < 3; d++) {
            of->point[3 * i + d] = (float)((double)of->point[3 * i + d] * factor[d]);
            normal[d] = (double)of->normal[3 * i + d] / factor[d];
            square += normal[d] * normal[d];
        }
        for (size_t d = 0; d < 3; d++)
            of->normal[3 * i + d] = (float)(normal[d] / sqrt(square));
    }
    for (size_t i = 0; i < of->triangles && factor[0] * factor[1] * factor[2] < 0.0; i++) {
        const uint32_t second = of->corner[3 * i + 1];
        of->corner[3 * i + 1] = of->corner[3 * i + 2];
        of->corner[3 * i + 2] = second;
    }
}

static inline void tn_surface_build(tn_scene *scene, const tn_surface_key *key, tn_triangles *to)
{
    const double *n = key->number;
    char why[TN_MESH_WHY];
    switch ((tn_surface_kind)key->kind) {
    case TN_SURFACE_CAPSULE:
        (void)tn_add_capsule(to, n[0], n[1], scene->around);
        break;
    case TN_SURFACE_CYLINDER:
        (void)tn_add_cylinder(to, n[0], n[1], scene->around);
        break;
    case TN_SURFACE_BOX:
        (void)tn_add_box(to, n);
        break;
    case TN_SURFACE_RECTANGLE:
        (void)tn_add_rectangle(to, n[0], n[1]);
        break;
    case TN_SURFACE_SLEEVE:
        (void)tn_add_sleeve(to, n[0], n[1], n[2], scene->around);
        break;
    case TN_SURFACE_RING:
        (void)tn_add_ring(to, n[0], n[1], scene->around);
        break;
    case TN_SURFACE_ARROW:
        (void)tn_add_arrow(to, n[0], scene->around);
        break;
    case TN_SURFACE_COIL:
        (void)tn_add_coil(to, n[0], n[1], n[2], n[3], 12);
        break;
    case TN_SURFACE_MESH:
        if (tn_read_mesh(key->mesh, to, why) != TN_OK) {
            tn_say(scene->host, TN_WARNING, "a mesh is left out: %s", why);
            tn_triangles_free(to);
            return;
        }
        tn_triangles_scale(to, n);
    }
    if (to->lacks_memory) scene->status = TN_OUT_OF_MEMORY;
}

/* A larger table of slots, at most half full. */
static inline bool tn_scene_rehash(tn_scene *scene)
{
    if (scene->slots > 2 * scene->surfaces) return true;
    const size_t slots = scene->slots > 0 ? 4 * scene->slots : 256;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot) return false;
    for (size_t k = 0; k < scene->surfaces; k++) {
        size_t at = tn_surface_hash(&scene->key[k]) & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = (uint32_t)k + 1;
    }
    free(scene->slot);
    scene->slot = slot;
    scene->slots = slots;
    return true;
}

/* The number of a surface, which is made unless there is an equal one. */
static inline uint32_t tn_scene_surface(tn_scene *scene, const tn_surface_key *key)
{
    if (!tn_scene_rehash(scene) || !TN_MAKE_ROOM(scene->surface, scene->surface_room, scene->surfaces + 1) ||
        !TN_MAKE_ROOM(scene->key, scene->key_room, scene->surfaces + 1)) {
        scene->status = TN_OUT_OF_MEMORY;
        return 0;
    }
    size_t at = tn_surface_hash(key) & (scene->slots - 1);
    for (; scene->slot[at]; at = (at + 1) & (scene->slots - 1))
        if (tn_surface_same(&scene->key[scene->slot[at] - 1], key)) return scene->slot[at] - 1;
    tn_triangles made = {0};
    tn_surface_build(scene, key, &made);
    scene->surface[scene->surfaces] = made;
    scene->key[scene->surfaces] = *key;
    scene->slot[at] = (uint32_t)++scene->surfaces;
    return (uint32_t)scene->surfaces - 1;
}

/* ---- parts of drawings --------------------------------------------------------------------------------------- */

/* A length; where it is open or invalid, a share of the size of the model. */
static inline double tn_scene_length(const tn_scene *scene, double length, double share)
{
    const double size =
        scene->recording->size > 0.0 && isfinite(scene->recording->size) ? scene->recording->size : 1.0;
    return length > 0.0 && isfinite(length) ? length : share * size;
}

/* The pose of a place in ground axes, in a frame. */
static inline void tn_scene_place(const tn_recorded_place *place, const double *pose, double *in_ground)
{
    static const double ground[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    tn_pose_compose(place->track == TN_GROUND_TRACK ? ground : pose + 7 * (size_t)place->track,
                    place->position, place->quaternion, in_ground);
}

/* The distance of the places of a drawing in the first frame. */
static inline double tn_scene_reach(const tn_scene *scene, const tn_recorded_drawing *drawing)
{
    double one[7], other[7];
    for (int k = 0; k < 2; k++)
        if (drawing->place[k].track != TN_GROUND_TRACK && !scene->first)
            return tn_scene_length(scene, 0.0, 0.1);
    tn_scene_place(&drawing->place[0], scene->first, one);
    tn_scene_place(&drawing->place[1], scene->first, other);
    const double reach =
        sqrt((one[0] - other[0]) * (one[0] - other[0]) + (one[1] - other[1]) * (one[1] - other[1]) +
             (one[2] - other[2]) * (one[2] - other[2]));
    const double least = tn_scene_length(scene, 0.0, 1e-4);
    return reach > least ? reach : least;
}

/* Default colours, which colour-blind people can distinguish. */
static inline const double *tn_scene_color(const tn_drawing *drawing)
{
    static const double body[4] = {0.62, 0.68, 0.75, 1.0}, force[4] = {0.90, 0.62, 0.0, 1.0},
                        joint[4] = {0.0, 0.45, 0.70, 1.0};
    if (drawing->kind == TN_DRAWN_SHAPE && drawing->shape.color[3] > 0.0) return drawing->shape.color;
    if (drawing->color[3] > 0.0) return drawing->color;
    switch (drawing->kind) {
    case TN_DRAWN_SHAPE:
    case TN_DRAWN_ROD:
    case TN_DRAWN_DISC:
        return body;
    case TN_DRAWN_COIL:
    case TN_DRAWN_DAMPER:
        return force;
    default:
        return joint;
    }
}

static inline tn_scene_part *tn_scene_add(tn_scene *scene, uint32_t drawing, const tn_surface_key *key)
{
    const tn_recorded_drawing *of = &scene->recording->drawing[drawing];
    const uint32_t surface = tn_scene_surface(scene, key);
    if (scene->status != TN_OK || scene->surface[surface].triangles == 0) return NULL;
    if (!TN_MAKE_ROOM(scene->part, scene->part_room, scene->parts + 1))
        return scene->status = TN_OUT_OF_MEMORY, NULL;
    tn_scene_part *part = &scene->part[scene->parts++];
    *part = (tn_scene_part){.drawing = drawing, .surface = surface, .track = of->place[0].track};
    memcpy(part->pose, of->place[0].position, 3 * sizeof(double));
    memcpy(part->pose + 3, of->place[0].quaternion, 4 * sizeof(double));
    tn_turn_normalize(part->pose + 3);
    memcpy(part->color, tn_scene_color(&of->drawing), sizeof part->color);
    for (size_t k = 0; k < 4; k++)
        part->color[k] = part->color[k] > 0.0 ? fmin(part->color[k], 1.0) : 0.0;
    return part;
}

static inline void tn_scene_add_shape(tn_scene *scene, uint32_t drawing, const tn_shape *shape)
{
    const double *s = shape->size;
    tn_surface_key key = {0};
    if (!shape->visible) return;
    for (size_t k = 0; k < 3; k++)
        key.number[k] = tn_scene_length(scene, s[k], 0.05);
    switch (shape->kind) {
    case TN_SPHERE:
        key.kind = TN_SURFACE_CAPSULE;
        key.number[1] = key.number[2] = 0.0;
        break;
    case TN_CAPSULE:
    case TN_CYLINDER:
        key.kind = shape->kind == TN_CAPSULE ? TN_SURFACE_CAPSULE : TN_SURFACE_CYLINDER;
        key.number[2] = 0.0;
        break;
    case TN_PLANE:
        key.kind = TN_SURFACE_RECTANGLE;
        key.number[2] = 0.0;
        break;
    case TN_MESH:
        if (!shape->mesh) return;
        key.kind = TN_SURFACE_MESH;
        key.mesh = shape->mesh;
        for (size_t k = 0; k < 3; k++)
            key.number[k] = s[k] != 0.0 && isfinite(s[k]) ? s[k] : 1.0;
        break;
    default:
        key.kind = TN_SURFACE_BOX;
    }
    (void)tn_scene_add(scene, drawing, &key);
}

/* Turns a part about its place, so that its z axis becomes `axis` of the place; zero: z. */
static inline void tn_scene_point_to(tn_scene_part *part, const double *axis)
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!part || !(length > 0.0) || !isfinite(length)) return;
    const double unit[3] = {axis[0] / length, axis[1] / length, axis[2] / length}, z[3] = {0.0, 0.0, 1.0};
    double turn[4];
    tn_turn_between(z, unit, turn);
    tn_turns_product(part->pose + 3, turn, part->pose + 3);
}

static inline tn_scene_part *tn_scene_add_axial(tn_scene *scene, uint32_t drawing, const double *axis,
                                                tn_surface_kind kind, double a, double b, double c)
{
    tn_scene_part *part =
        tn_scene_add(scene, drawing, &(tn_surface_key){.kind = kind, .number = {a, b, c, 0.0}});
    tn_scene_point_to(part, axis);
    return part;
}

/* A part between two places: stretched to their distance, or of constant length with its end at the first one. */
static inline void tn_scene_add_between(tn_scene *scene, uint32_t drawing, tn_surface_key key, double length,
                                        bool stretched)
{
    tn_scene_part *part = tn_scene_add(scene, drawing, &key);
    if (!part) return;
    part->between = 1;
    part->stretched = stretched;
    part->length = length;
}

static inline void tn_scene_add_connection(tn_scene *scene, uint32_t number,
                                           const tn_recorded_drawing *drawing)
{
    const double *size = drawing->drawing.size, reach = tn_scene_reach(scene, drawing);
    // lengths of equal connectors differ by round-off: rounded ones share a surface, which is stretched
    const double length = exp2(round(4.0 * log2(reach)) / 4.0);
    if (drawing->drawing.kind == TN_DRAWN_COIL) {
        const double radius = tn_scene_length(scene, size[0], 0.03),
                     wire = size[1] > 0.0 ? size[1] : 0.12 * radius;
        const double turns = size[2] > 0.0 && isfinite(size[2]) ? fmin(size[2], 1000.0) : 8.0;
        tn_scene_add_between(
            scene, number, (tn_surface_key){.kind = TN_SURFACE_COIL, .number = {radius, wire, turns, length}},
            length, true);
        return;
    }
    const bool line = drawing->drawing.kind == TN_DRAWN_LINE;
    const double radius = line ? tn_scene_length(scene, 0.0, 0.002) : tn_scene_length(scene, size[0], 0.01);
    const bool damper = drawing->drawing.kind == TN_DRAWN_DAMPER;
    tn_scene_add_between(scene, number,
                         (tn_surface_key){.kind = TN_SURFACE_CYLINDER,
                                          .number = {damper ? 0.4 * radius : radius, length, 0.0, 0.0}},
                         length, true);
    if (damper)
        tn_scene_add_between(
            scene, number,
            (tn_surface_key){.kind = TN_SURFACE_CYLINDER, .number = {radius, 0.5 * length, 0.0, 0.0}},
            0.5 * length, false);
}

static inline void tn_scene_add_frame(tn_scene *scene, uint32_t drawing, double size)
{
    const double length = tn_scene_length(scene, size, 0.05);
    for (size_t k = 0; k < 3; k++) {
        double axis[3] = {0.0, 0.0, 0.0}, shift[3] = {0.0, 0.0, 0.0}, turned[3];
        axis[k] = 1.0;
        tn_scene_part *part = tn_scene_add(
            scene, drawing,
            &(tn_surface_key){.kind = TN_SURFACE_CYLINDER, .number = {0.03 * length, length, 0.0, 0.0}});
        if (!part) return;
        shift[k] = 0.5 * length;
        tn_turn_vector(part->pose + 3, shift, turned);
        for (size_t d = 0; d < 3; d++)
            part->pose[d] += turned[d];
        memcpy(part->color, (double[]){k == 0 ? 0.8 : 0.1, k == 1 ? 0.7 : 0.1, k == 2 ? 0.9 : 0.1, 1.0},
               sizeof part->color);
        tn_scene_point_to(part, axis);
    }
}

static inline void tn_scene_add_drawing(tn_scene *scene, uint32_t number)
{
    const tn_recorded_drawing *drawing = &scene->recording->drawing[number];
    const double *axis = drawing->drawing.axis, *size = drawing->drawing.size;
    const double small = tn_scene_length(scene, size[0], 0.02), thin = tn_scene_length(scene, 0.0, 0.002);
    switch ((tn_drawing_kind)drawing->drawing.kind) {
    case TN_DRAWN_SHAPE:
        tn_scene_add_shape(scene, number, &drawing->drawing.shape);
        break;
    case TN_DRAWN_ROD:
    case TN_DRAWN_COIL:
    case TN_DRAWN_DAMPER:
    case TN_DRAWN_LINE:
        tn_scene_add_connection(scene, number, drawing);
        break;
    case TN_DRAWN_HINGE:
        (void)tn_scene_add_axial(scene, number, axis, TN_SURFACE_RING,
                                 0.25 * tn_scene_length(scene, size[0], 0.1), 2.0 * thin, 0.0);
        (void)tn_scene_add_axial(scene, number, axis, TN_SURFACE_CYLINDER, thin,
                                 tn_scene_length(scene, size[0], 0.1), 0.0);
        break;
    case TN_DRAWN_SLIDE:
        (void)tn_scene_add_axial(scene, number, axis, TN_SURFACE_CYLINDER, thin,
                                 tn_scene_length(scene, size[0], 0.1), 0.0);
        break;
    case TN_DRAWN_BALL:
        (void)tn_scene_add_axial(scene, number, axis, TN_SURFACE_CAPSULE, small, 0.0, 0.0);
        break;
    case TN_DRAWN_SLEEVE:
        (void)tn_scene_add_axial(scene, number, axis, TN_SURFACE_SLEEVE, 0.6 * small, small,
                                 tn_scene_length(scene, size[1], 0.03));
        break;
    case TN_DRAWN_ARROW:
        (void)tn_scene_add_axial(scene, number, axis, TN_SURFACE_ARROW, tn_scene_length(scene, size[0], 0.1),
                                 0.0, 0.0);
        break;
    case TN_DRAWN_DISC:
        (void)tn_scene_add_axial(scene, number, axis, TN_SURFACE_CYLINDER,
                                 tn_scene_length(scene, size[0], 0.05), tn_scene_length(scene, size[1], 0.01),
                                 0.0);
        break;
    default: // also kinds of later versions: three axes at the place
        tn_scene_add_frame(scene, number, size[0]);
    }
}

/* `first`: poses [tracks][7] of the first frame, for lengths of parts between two places; NULL: there is no frame. `around`: pieces of a
 * circle. */
static inline tn_status tn_scene_make(tn_scene *scene, const tn_host *host, const tn_recording *recording,
                                      const double *first, size_t around)
{
    *scene = (tn_scene){.host = host, .recording = recording, .first = first, .around = around};
    for (uint32_t k = 0; k < recording->drawings && scene->status == TN_OK; k++)
        tn_scene_add_drawing(scene, k);
    scene->first = NULL;
    return scene->status;
}

/* Computes the pose of a part between two places in a frame, in ground axes; returns its factor along z. `pose` contains the quaternion of
 * the frame before, so that the part does not turn about its own axis, and the identity at first. */
static inline double tn_scene_between(const tn_scene *scene, const tn_scene_part *part, const double *tracks,
                                      double *pose)
{
    const tn_recorded_drawing *drawing = &scene->recording->drawing[part->drawing];
    double from[7], to[7], way[3], before[3], turn[4], reach = 0.0;
    const double z[3] = {0.0, 0.0, 1.0};
    tn_scene_place(&drawing->place[0], tracks, from);
    tn_scene_place(&drawing->place[1], tracks, to);
    for (size_t k = 0; k < 3; k++) {
        way[k] = to[k] - from[k];
        reach += way[k] * way[k];
    }
    reach = sqrt(reach);
    tn_turn_vector(pose + 3, z, before);
    if (reach > 0.0) {
        for (size_t k = 0; k < 3; k++)
            way[k] /= reach;
        tn_turn_between(before, way, turn);
        tn_turns_product(turn, pose + 3, pose + 3);
        tn_turn_normalize(pose + 3);
    } else {
        memcpy(way, before, sizeof way); // the places coincide: the direction of the frame before
    }
    const double ahead = 0.5 * (part->stretched ? reach : part->length);
    for (size_t k = 0; k < 3; k++)
        pose[k] = from[k] + ahead * way[k];
    return part->stretched ? fmax(reach / part->length, 1e-6) : 1.0;
}

#endif

/* scene.h - what is recorded of a model: its tracks, what is drawn where, and which wrenches there are. */
#ifndef TN_SCENE_H
#define TN_SCENE_H

#include "record/header.h"
#include "record/motion.h"

/* The numbers of a wrench in the memory of the system: three of a force, or six. */
typedef struct tn_wrench_source {
    const double *from;
    const uint8_t *active; /* of its element; NULL: it always is */
    uint32_t numbers;
} tn_wrench_source;

typedef struct tn_scene {
    tn_assembly *assembly;
    tn_arena arena;
    tn_motion motion;
    tn_recorded_track *track;
    size_t tracks, track_capacity;
    tn_recorded_drawing *drawing;
    size_t drawings, drawing_capacity;
    tn_recorded_wrench *wrench;
    size_t wrenches, wrench_capacity, wrench_source_capacity;
    tn_wrench_source *wrench_source; /* [wrenches] */
    struct tn_scene_body *body;      /* [items] */
    struct tn_scene_marker *marker;  /* [runtime markers] */
    double lower[3], upper[3], size; /* m: of the places at the start; the longest edge */
} tn_scene;

/* Of a system at its start. False after a message: a type has failed. */
bool tn_scene_build(tn_scene *scene, tn_assembly *assembly);
/* Enters the lists in the recording. */
void tn_scene_describe(const tn_scene *scene, tn_recording *recording);

/* scene.c, for drawings.c: where a runtime marker is, on a track or on ground; false for coordinates and nodes. */
bool tn_scene_place(tn_scene *scene, uint32_t marker, tn_recorded_place *place);
/* Where it is at the start, on ground; as above where nobody knows. */
bool tn_scene_start(tn_scene *scene, uint32_t marker, tn_recorded_place *place);
/* The axes of its place at the start, row by row, to ground; false where nobody knows. */
bool tn_scene_axes(const tn_scene *scene, uint32_t marker, double *rotation);
/* Where a body is; false where none is known. */
bool tn_scene_place_body(const tn_scene *scene, uint32_t item, tn_recorded_place *place);
/* Where something that was bound to an element is. */
bool tn_scene_place_bound(tn_scene *scene, uint32_t item, const char *name, const tn_attachment *bound,
                          tn_recorded_place *place);
/* What stands at a place, relative to which `offset` and `turn` (row by row) are. */
void tn_scene_shift(tn_recorded_place *place, const double *offset, const double *turn);
/* drawings.c: shapes, drawings of elements, and what stands in for them. */
bool tn_scene_draw(tn_scene *scene);

#endif

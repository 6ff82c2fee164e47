/* scene.h - the lists of the recording that describe the model: tracks, drawings, wrenches. */
#ifndef TN_SCENE_H
#define TN_SCENE_H

#include "record/header.h"
#include "record/motion.h"
#include "record/packed.h"

/* Wrenches that follow each other in the memory of a group, from one marker of its elements on, which is numbered through all of
 * them: mostly all that the group has. */
typedef struct tn_wrench_run {
    const tn_group *group;
    uint32_t first, count;
} tn_wrench_run;

typedef struct tn_scene {
    tn_assembly *assembly;
    tn_arena arena;
    tn_motion motion;
    tn_recorded_track *track;
    size_t tracks, track_capacity;
    tn_packed drawing; /* tn_recorded_drawing */
    size_t drawings;
    tn_wrench_run *wrench_run; /* where the numbers of all wrenches stand */
    size_t wrench_runs, wrenches;
    size_t run, of_run;         /* the next wrench that the header asks for */
    bool reacts;                /* some wrenches are reactions of constraints */
    struct tn_scene_body *body; /* of elements that carry points or frames; the first one is none */
    uint32_t *body_of;          /* [items] */
    size_t bodies;
    struct tn_scene_marker *marker;  /* [runtime markers] */
    double lower[3], upper[3], size; /* m: the box around all places at the start, and its longest edge */
} tn_scene;

/* Makes the lists for a system at its start. False after a message: a type has failed. */
bool tn_scene_build(tn_scene *scene, tn_assembly *assembly);
/* Enters tracks and the numbers of drawings and wrenches in the recording; writes all of it. */
void tn_scene_describe(const tn_scene *scene, tn_recording *recording);
void tn_scene_write(tn_scene *scene, tn_recording *recording, tn_codec *codec);
/* Frees what only describes the model, and takes it out of the recording: the file has it. */
void tn_scene_forget(tn_scene *scene, tn_recording *recording);

/* scene.c, for drawings.c: the place of a runtime marker, on a track or on ground; false for coordinates and nodes. */
bool tn_scene_place(tn_scene *scene, uint32_t marker, tn_recorded_place *place);
/* Its place at the start, on ground; as above where that is unknown. */
bool tn_scene_start(tn_scene *scene, uint32_t marker, tn_recorded_place *place);
/* The axes of its place at the start, row by row, to ground; false where they are unknown. */
bool tn_scene_axes(const tn_scene *scene, uint32_t marker, double *rotation);
/* The place of a body; false where none is known. */
bool tn_scene_place_body(const tn_scene *scene, uint32_t item, tn_recorded_place *place);
/* The place of an attachment of a body, called `name`. */
bool tn_scene_place_bound(tn_scene *scene, uint32_t item, const char *name, const tn_attachment *bound,
                          tn_recorded_place *place);
/* Moves a place by an offset and a rotation (row by row) in its own axes. */
void tn_scene_shift(tn_recorded_place *place, const double *offset, const double *turn);
/* drawings.c: shapes, drawings of elements, and defaults of those without any. */
bool tn_scene_draw(tn_scene *scene);
void tn_scene_next_drawing(void *scene, tn_recorded_drawing *drawing);

#endif

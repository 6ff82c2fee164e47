/* glb.h - the recording of a run as a binary glTF 2.0: nodes for tracks and drawings, their meshes, and one animation. */
#ifndef TENON_GLB_H
#define TENON_GLB_H

#include "tenon/kit/recorded_motion.h"
#include "tenon/kit/result_file.h"
#include "tenon/kit/scene.h"

#include <stdint.h>

#define GLB_NONE UINT32_MAX

/* Growing text. */
typedef struct glb_text {
    char *text;
    size_t length, room;
    bool lacks_memory;
} glb_text;

/* A part of the buffer for accessors of one purpose: consecutive pieces. */
typedef enum glb_view_kind {
    GLB_CORNERS = 0,
    GLB_POINTS = 1, /* and normals */
    GLB_NUMBERS = 2,
    GLB_ROTATIONS = 3,
    GLB_VIEWS = 4
} glb_view_kind;

typedef struct glb_view {
    struct glb_piece {
        const void *data;
        size_t bytes; /* a multiple of 4 */
    } * piece;
    size_t pieces, room;
    uint64_t bytes;
} glb_view;

typedef struct glb_node {
    const char *name; /* NULL: none */
    size_t name_length;
    uint32_t first_child, last_child, next, mesh;
    double pose[7], stretch; /* along z */
} glb_node;

/* The animation of a track, or of a part between two places: [frames][3], [frames][4], [frames][3]. */
typedef struct glb_motion {
    uint32_t node;
    float *translation;
    int16_t *rotation;
    float *scale; /* NULL: none */
    double last[4];
} glb_motion;

/* A mesh of the file: a surface with a material. */
typedef struct glb_mesh {
    uint32_t surface, material;
} glb_mesh;

typedef struct glb_scene {
    const tn_host *host;
    const tn_recording *recording;
    tn_scene scene;
    tn_status status; /* that of the first failure */

    /* motion */
    size_t frames, frame_room;
    double start;
    float *time;
    glb_motion *motion; /* tracks, then parts between two places */
    size_t motions;
    float *numbers; /* memory of translations and scales */
    int16_t *rotations;

    /* nodes and meshes */
    glb_node *node;
    size_t nodes, node_room;
    uint32_t *group; /* nodes of parts of the model */
    size_t groups, group_room;
    uint32_t ground;
    glb_mesh *mesh;
    size_t meshes, mesh_room;
    double (*material)[4];
    size_t materials, material_room;
    uint32_t *
        accessor_of; /* [surfaces] the accessor of its points, which those of normals and corners follow; GLB_NONE: not written yet */

    /* the file */
    glb_view view[GLB_VIEWS];
    glb_text mesh_text, accessor_text, sampler_text, channel_text;
    size_t accessors, samplers;
} glb_scene;

/* text.c */
TN_PRINTF(2, 3) void glb_print(glb_text *to, const char *format, ...);
void glb_quote(glb_text *to, const char *text, size_t length);

/* nodes.c: nodes of tracks and of all parts of drawings; `first`: poses of the first frame. */
void glb_make_nodes(glb_scene *of, const double *first);
/* Meshes that nodes use, to texts and views. */
void glb_make_meshes(glb_scene *of);

/* animation.c: reads the frames; then writes channels of moving nodes to texts and views. */
tn_status glb_read_motion(glb_scene *of, double rate, uint64_t most);
void glb_make_animation(glb_scene *of);

/* file.c */
uint32_t glb_add_accessor(glb_scene *of, glb_view_kind view, const void *data, size_t count,
                          const char *rest);
void glb_make_materials(const glb_scene *of, glb_text *to);
tn_status glb_write(glb_scene *of, const char *folder);

#endif

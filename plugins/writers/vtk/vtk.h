/* vtk.h - what the files of the writer vtk share: files of frames, with bodies as points, or with surfaces of drawings */
#ifndef TENON_VTK_H
#define TENON_VTK_H

#include "tenon/kit/recorded_motion.h"
#include "tenon/kit/result_file.h"
#include "tenon/kit/scene.h"

/* ---- polydata.c: a file of VTK's XML format, with numbers after the text ------------------------------------------- */

typedef enum vtk_place {
    VTK_POINT_DATA = 0,
    VTK_POINTS = 1,
    VTK_VERTICES = 2, /* cells that are points */
    VTK_LINES = 3,
    VTK_POLYGONS = 4,
    VTK_FIELD_DATA = 5,
    VTK_PLACES = 6
} vtk_place;

typedef struct vtk_array {
    vtk_place place;
    const char *type, *name; /* "Float64", "quaternion" */
    uint32_t components;
    const void *data;
    uint64_t bytes;
    uint64_t tuples; /* of field data */
} vtk_array;

typedef struct vtk_polydata {
    uint64_t points, vertices, lines, polygons;
    size_t arrays;
    vtk_array array[16];
} vtk_polydata;

void vtk_add(vtk_polydata *to, vtk_place place, const char *type, const char *name, uint32_t components,
             const void *data, uint64_t bytes);
tn_status vtk_write_polydata(const tn_host *host, const char *folder, const char *name,
                             const vtk_polydata *of);

/* ---- bodies.c: tracks as points ------------------------------------------------------------------------------------ */

typedef struct vtk_bodies {
    const tn_recording *recording;
    double *position, *quaternion, *force, *torque; /* [tracks][3], [4], [3], [3] */
    int32_t *number, *offset;
    char *names; /* consecutive, each ended by a zero */
    uint64_t name_bytes;
} vtk_bodies;

tn_status vtk_bodies_make(vtk_bodies *bodies, const tn_recording *recording);
tn_status vtk_bodies_write(vtk_bodies *bodies, const tn_host *host, const char *folder, const char *name,
                           const tn_motion *motion);
void vtk_bodies_free(vtk_bodies *bodies);

/* ---- surfaces.c: drawings in ground axes; coils as lines ------------------------------------------------------------- */

typedef struct vtk_surfaces {
    tn_scene scene;
    float *point;
    int32_t *corner, *offset; /* of triangles */
    int32_t *along, *end;     /* of lines: numbers of points, and the end of each line among these */
    int32_t *body;
    unsigned char *color;
    uint64_t points, triangles, lines, line_points;
    double (*between)[7]; /* [parts] */
    uint32_t *
        *weld; /* [surfaces] of each point, its number when coincident points are merged; NULL: a line */
    uint32_t *welded; /* [surfaces]: number of points after merging */
} vtk_surfaces;

tn_status vtk_surfaces_make(vtk_surfaces *surfaces, const tn_host *host, const tn_recording *recording,
                            const double *first);
tn_status vtk_surfaces_write(vtk_surfaces *surfaces, const tn_host *host, const char *folder,
                             const char *name, const tn_motion *motion);
void vtk_surfaces_free(vtk_surfaces *surfaces);

#endif

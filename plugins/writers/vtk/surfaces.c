/* surfaces.c - the drawings of a frame as triangles in ground axes; each point has the number of its body and a colour. Coincident points of
 * a surface are merged, as the files have no normals. A coil is a line: the surface of its wire would be most of a file. */
#include "vtk.h"

void vtk_surfaces_free(vtk_surfaces *surfaces)
{
    for (size_t k = 0; surfaces->weld && k < surfaces->scene.surfaces; k++)
        free(surfaces->weld[k]);
    free(surfaces->weld);
    free(surfaces->welded);
    free(surfaces->point);
    free(surfaces->corner);
    free(surfaces->offset);
    free(surfaces->along);
    free(surfaces->end);
    free(surfaces->body);
    free(surfaces->color);
    free(surfaces->between);
    tn_scene_free(&surfaces->scene);
    *surfaces = (vtk_surfaces){0};
}

/* ---- coincident points --------------------------------------------------------------------------------------- */

static size_t hash_of(const float *point)
{
    uint64_t hash = 0;
    for (size_t k = 0; k < 3; k++) {
        uint32_t bits;
        const float number = point[k] + 0.0f; // -0 has the hash of 0
        memcpy(&bits, &number, sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return (size_t)hash;
}

static bool same_point(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Merges coincident points; `number` of each is its new one, below *count. */
static bool weld(tn_triangles *of, uint32_t *number, uint32_t *count)
{
    size_t slots = 16;
    while (slots < 2 * of->points)
        slots *= 2;
    uint32_t *slot = calloc(slots, sizeof *slot);
    *count = 0;
    if (!slot) return false;
    for (size_t i = 0; i < of->points; i++) {
        const float *point = of->point + 3 * i;
        size_t at = hash_of(point) & (slots - 1);
        while (slot[at] && !same_point(of->point + 3 * (size_t)(slot[at] - 1), point))
            at = (at + 1) & (slots - 1);
        if (!slot[at]) {
            memmove(of->point + 3 * (size_t)*count, point, 3 * sizeof *point);
            slot[at] = ++*count;
        }
        number[i] = slot[at] - 1;
    }
    free(slot);
    return true;
}

/* Replaces the surface of a coil by the middle line of its wire. */
static bool make_line(tn_triangles *of, const tn_surface_key *key, uint32_t *count)
{
    const double radius = key->number[0], turns = key->number[2], length = key->number[3];
    const size_t pieces = (size_t)(8.0 * turns) + 1;
    tn_triangles_free(of);
    for (size_t k = 0; k <= pieces; k++) {
        const double part = (double)k / (double)pieces, angle = 2.0 * TN_PI * turns * part;
        tn_add_point(of, (double[]){radius * cos(angle), radius * sin(angle), (part - 0.5) * length},
                     (double[]){0.0, 0.0, 1.0});
    }
    *count = (uint32_t)of->points;
    return !of->lacks_memory;
}

static bool is_line(const tn_scene *scene, uint32_t surface)
{
    return scene->key[surface].kind == TN_SURFACE_COIL;
}

static tn_status weld_all(vtk_surfaces *surfaces)
{
    tn_scene *scene = &surfaces->scene;
    surfaces->weld = calloc(scene->surfaces + 1, sizeof *surfaces->weld);
    surfaces->welded = calloc(scene->surfaces + 1, sizeof *surfaces->welded);
    if (!surfaces->weld || !surfaces->welded) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < scene->surfaces; k++) {
        tn_triangles *surface = &scene->surface[k];
        if (is_line(scene, k)) {
            if (!make_line(surface, &scene->key[k], &surfaces->welded[k])) return TN_OUT_OF_MEMORY;
            continue;
        }
        surfaces->weld[k] = malloc((surface->points + 1) * sizeof **surfaces->weld);
        if (!surfaces->weld[k] || !weld(surface, surfaces->weld[k], &surfaces->welded[k]))
            return TN_OUT_OF_MEMORY;
    }
    return TN_OK;
}

/* ---- topology --------------------------------------------------------------------------------------------------- */

/* The body that a part belongs to; -1: the ground. */
static int32_t body_of(const vtk_surfaces *surfaces, const tn_scene_part *part)
{
    const uint32_t track = surfaces->scene.recording->drawing[part->drawing].place[0].track;
    return track == TN_GROUND_TRACK ? -1 : (int32_t)track;
}

/* Indices at which a part begins. */
typedef struct beginning {
    uint64_t point, triangle, line, line_point;
} beginning;

static void fill_cells(vtk_surfaces *surfaces, uint32_t number, const beginning *at)
{
    const tn_triangles *surface = &surfaces->scene.surface[number];
    const uint32_t *weld = surfaces->weld[number];
    for (size_t k = 0; k < 3 * surface->triangles; k++)
        surfaces->corner[3 * at->triangle + k] = (int32_t)(at->point + weld[surface->corner[k]]);
    for (size_t k = 0; k < surface->triangles; k++)
        surfaces->offset[at->triangle + k] = (int32_t)(3 * (at->triangle + k + 1));
    if (!is_line(&surfaces->scene, number)) return;
    for (size_t k = 0; k < surface->points; k++)
        surfaces->along[at->line_point + k] = (int32_t)(at->point + k);
    surfaces->end[at->line] = (int32_t)(at->line_point + surface->points);
}

static void fill_part(vtk_surfaces *surfaces, const tn_scene_part *part, beginning *at)
{
    const tn_triangles *surface = &surfaces->scene.surface[part->surface];
    const uint32_t points = surfaces->welded[part->surface];
    for (size_t k = 0; k < points; k++) {
        surfaces->body[at->point + k] = body_of(surfaces, part);
        for (size_t d = 0; d < 3; d++)
            surfaces->color[3 * (at->point + k) + d] = (unsigned char)lround(255.0 * part->color[d]);
    }
    fill_cells(surfaces, part->surface, at);
    at->point += points;
    at->triangle += surface->triangles;
    if (!is_line(&surfaces->scene, part->surface)) return;
    at->line++;
    at->line_point += points;
}

static void count_all(vtk_surfaces *surfaces)
{
    const tn_scene *scene = &surfaces->scene;
    for (size_t k = 0; k < scene->parts; k++) {
        const uint32_t number = scene->part[k].surface;
        surfaces->points += surfaces->welded[number];
        surfaces->triangles += scene->surface[number].triangles;
        surfaces->lines += is_line(scene, number);
        surfaces->line_points += is_line(scene, number) ? surfaces->welded[number] : 0;
    }
}

static tn_status fill(vtk_surfaces *surfaces)
{
    const tn_scene *scene = &surfaces->scene;
    count_all(surfaces);
    if (surfaces->points > INT32_MAX || 3 * surfaces->triangles > INT32_MAX) return TN_OUT_OF_MEMORY;
    surfaces->point = calloc(3 * surfaces->points + 1, sizeof *surfaces->point);
    surfaces->body = calloc(surfaces->points + 1, sizeof *surfaces->body);
    surfaces->color = calloc(3 * surfaces->points + 1, sizeof *surfaces->color);
    surfaces->corner = calloc(3 * surfaces->triangles + 1, sizeof *surfaces->corner);
    surfaces->offset = calloc(surfaces->triangles + 1, sizeof *surfaces->offset);
    surfaces->along = calloc(surfaces->line_points + 1, sizeof *surfaces->along);
    surfaces->end = calloc(surfaces->lines + 1, sizeof *surfaces->end);
    surfaces->between = calloc(scene->parts + 1, sizeof *surfaces->between);
    if (!surfaces->point || !surfaces->body || !surfaces->color || !surfaces->corner || !surfaces->offset ||
        !surfaces->along || !surfaces->end || !surfaces->between)
        return TN_OUT_OF_MEMORY;
    beginning at = {0};
    for (size_t k = 0; k < scene->parts; k++) {
        fill_part(surfaces, &scene->part[k], &at);
        surfaces->between[k][3] = 1.0;
    }
    return TN_OK;
}

tn_status vtk_surfaces_make(vtk_surfaces *surfaces, const tn_host *host, const tn_recording *recording,
                            const double *first)
{
    *surfaces = (vtk_surfaces){0};
    tn_status status = tn_scene_make(&surfaces->scene, host, recording, first, 12);
    if (status == TN_OK) status = weld_all(surfaces);
    return status == TN_OK ? fill(surfaces) : status;
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

/* The pose of a part in ground axes; its factor along z. */
static double pose_of(vtk_surfaces *surfaces, size_t number, const double *tracks, double *pose)
{
    const tn_scene_part *part = &surfaces->scene.part[number];
    if (part->between) {
        const double stretch = tn_scene_between(&surfaces->scene, part, tracks, surfaces->between[number]);
        memcpy(pose, surfaces->between[number], 7 * sizeof *pose);
        return stretch;
    }
    if (part->track == TN_GROUND_TRACK)
        memcpy(pose, part->pose, 7 * sizeof *pose);
    else
        tn_pose_compose(tracks + 7 * (size_t)part->track, part->pose, part->pose + 3, pose);
    return 1.0;
}

static void move(const tn_triangles *surface, uint32_t points, const double *pose, double stretch, float *to)
{
    for (size_t k = 0; k < points; k++) {
        const float *from = surface->point + 3 * k;
        double at[3] = {(double)from[0], (double)from[1], stretch * (double)from[2]};
        tn_turn_vector(pose + 3, at, at);
        for (size_t d = 0; d < 3; d++)
            to[3 * k + d] = (float)(at[d] + pose[d]);
    }
}

tn_status vtk_surfaces_write(vtk_surfaces *surfaces, const tn_host *host, const char *folder,
                             const char *name, const tn_motion *motion)
{
    const tn_scene *scene = &surfaces->scene;
    float *to = surfaces->point;
    for (size_t k = 0; k < scene->parts; k++) {
        const uint32_t surface = scene->part[k].surface, points = surfaces->welded[surface];
        double pose[7];
        const double stretch = pose_of(surfaces, k, motion->pose, pose);
        move(&scene->surface[surface], points, pose, stretch, to);
        to += 3 * (size_t)points;
    }
    vtk_polydata data = {
        .points = surfaces->points, .lines = surfaces->lines, .polygons = surfaces->triangles};
    vtk_add(&data, VTK_FIELD_DATA, "Float64", "TimeValue", 1, &motion->time, sizeof motion->time);
    data.array[0].tuples = 1;
    vtk_add(&data, VTK_POINT_DATA, "Int32", "body", 1, surfaces->body, surfaces->points * 4);
    vtk_add(&data, VTK_POINT_DATA, "UInt8", "color", 3, surfaces->color, surfaces->points * 3);
    vtk_add(&data, VTK_POINTS, "Float32", "position", 3, surfaces->point, surfaces->points * 12);
    vtk_add(&data, VTK_LINES, "Int32", "connectivity", 1, surfaces->along, surfaces->line_points * 4);
    vtk_add(&data, VTK_LINES, "Int32", "offsets", 1, surfaces->end, surfaces->lines * 4);
    vtk_add(&data, VTK_POLYGONS, "Int32", "connectivity", 1, surfaces->corner, surfaces->triangles * 12);
    vtk_add(&data, VTK_POLYGONS, "Int32", "offsets", 1, surfaces->offset, surfaces->triangles * 4);
    return vtk_write_polydata(host, folder, name, &data);
}

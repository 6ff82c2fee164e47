/* tenon/kit/triangles.h - surfaces of triangles, for simple shapes: spheres, cylinders, capsules, boxes, rings, coils.
 *
 *     tn_triangles ball = {0};
 *     if (!tn_add_sphere(&ball, 0.1, 24)) ... no memory
 *     ... ball.point, ball.normal, ball.corner ...
 *     tn_triangles_free(&ball);
 *
 * Shapes are centred at the origin, with their axis along z. `around` is the number of pieces of a circle.
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_TRIANGLES_H
#define TENON_KIT_TRIANGLES_H

#include "tenon/kit/growing.h"

#include <math.h>

#define TN_PI 3.14159265358979323846

/* Points at an edge are not shared, so that each has one normal. Corners are counterclockwise seen from outside. */
typedef struct tn_triangles {
    float *point, *normal; /* [points][3] */
    uint32_t *corner;      /* [triangles][3] */
    size_t points, triangles;
    size_t point_room, normal_room, corner_room;
    bool lacks_memory; /* an allocation has failed: nothing more is added */
} tn_triangles;

static inline void tn_triangles_free(tn_triangles *of)
{
    free(of->point);
    free(of->normal);
    free(of->corner);
    *of = (tn_triangles){0};
}

/* Reserves memory for further points and triangles. */
static inline bool tn_triangles_reserve(tn_triangles *of, size_t points, size_t triangles)
{
    of->lacks_memory = of->lacks_memory || of->points + points > UINT32_MAX ||
                       !TN_MAKE_ROOM(of->point, of->point_room, 3 * (of->points + points)) ||
                       !TN_MAKE_ROOM(of->normal, of->normal_room, 3 * (of->points + points)) ||
                       !TN_MAKE_ROOM(of->corner, of->corner_room, 3 * (of->triangles + triangles));
    return !of->lacks_memory;
}

static inline void tn_add_point(tn_triangles *to, const double *point, const double *normal)
{
    if (!tn_triangles_reserve(to, 1, 0)) return;
    for (size_t k = 0; k < 3; k++) {
        to->point[3 * to->points + k] = (float)point[k];
        to->normal[3 * to->points + k] = (float)normal[k];
    }
    to->points++;
}

static inline void tn_add_triangle(tn_triangles *to, size_t a, size_t b, size_t c)
{
    if (!tn_triangles_reserve(to, 0, 1)) return;
    uint32_t *corner = to->corner + 3 * to->triangles++;
    corner[0] = (uint32_t)a;
    corner[1] = (uint32_t)b;
    corner[2] = (uint32_t)c;
}

/* ---- surfaces of revolution ---------------------------------------------------------------------------------- */

/* A point of the profile that is rotated about z: distance from the axis, height, and the normal in their plane. */
typedef struct tn_profile {
    double radius, height, normal_radius, normal_height;
} tn_profile;

/* The profile goes upwards on the outside. Two coincident points with different normals make an edge. */
static inline bool tn_add_turned(tn_triangles *to, const tn_profile *line, size_t count, size_t around)
{
    const size_t first = to->points, columns = around + 1;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < columns; j++) {
            const double angle = 2.0 * TN_PI * (double)(j % around) / (double)around;
            const double c = cos(angle), s = sin(angle);
            tn_add_point(
                to, (double[]){line[i].radius * c, line[i].radius * s, line[i].height},
                (double[]){line[i].normal_radius * c, line[i].normal_radius * s, line[i].normal_height});
        }
    for (size_t i = 0; i + 1 < count; i++) {
        const tn_profile *below = &line[i], *above = &line[i + 1];
        if (below->radius == above->radius && below->height == above->height) continue;
        for (size_t j = 0; j < around; j++) {
            const size_t a = first + i * columns + j, b = a + columns;
            if (below->radius > 0.0) tn_add_triangle(to, a, a + 1, b + 1);
            if (above->radius > 0.0) tn_add_triangle(to, a, b + 1, b);
        }
    }
    return !to->lacks_memory;
}

/* A cylinder of this length between half spheres; length 0: a sphere. */
static inline bool tn_add_capsule(tn_triangles *to, double radius, double length, size_t around)
{
    enum { MOST = 64 };
    tn_profile line[2 * MOST + 2];
    size_t half = around / 4, count = 0;
    if (half < 2) half = 2;
    if (half > MOST) half = MOST;
    for (size_t end = 0; end < 2; end++)
        for (size_t k = 0; k <= half; k++) {
            const bool pole = end == 0 ? k == 0 : k == half;
            const double angle = 0.5 * TN_PI * (double)k / (double)half - (end == 0 ? 0.5 * TN_PI : 0.0);
            const double c = pole ? 0.0 : cos(angle), s = sin(angle);
            line[count++] = (tn_profile){radius * c, radius * s + (end == 0 ? -0.5 : 0.5) * length, c, s};
        }
    return tn_add_turned(to, line, count, around);
}

static inline bool tn_add_sphere(tn_triangles *to, double radius, size_t around)
{
    return tn_add_capsule(to, radius, 0.0, around);
}

/* Also a disc. */
static inline bool tn_add_cylinder(tn_triangles *to, double radius, double length, size_t around)
{
    const double h = 0.5 * length;
    const tn_profile line[] = {{0.0, -h, 0.0, -1.0},  {radius, -h, 0.0, -1.0}, {radius, -h, 1.0, 0.0},
                               {radius, h, 1.0, 0.0}, {radius, h, 0.0, 1.0},   {0.0, h, 0.0, 1.0}};
    return tn_add_turned(to, line, 6, around);
}

/* From the origin along z. */
static inline bool tn_add_arrow(tn_triangles *to, double length, size_t around)
{
    const double shaft = 0.022 * length, head = 0.065 * length, neck = 0.8 * length;
    const double slope = sqrt(head * head + 0.04 * length * length); /* of the side of the cone */
    const double side = 0.2 * length / slope, up = head / slope;
    const tn_profile line[] = {{0.0, 0.0, 0.0, -1.0},   {shaft, 0.0, 0.0, -1.0}, {shaft, 0.0, 1.0, 0.0},
                               {shaft, neck, 1.0, 0.0}, {shaft, neck, 0.0, -1.0}, {head, neck, 0.0, -1.0},
                               {head, neck, side, up},  {0.0, length, side, up}};
    return tn_add_turned(to, line, 8, around);
}

/* A cylinder with a hole. */
static inline bool tn_add_sleeve(tn_triangles *to, double inner, double outer, double length, size_t around)
{
    const double h = 0.5 * length;
    const tn_profile line[] = {{inner, -h, 0.0, -1.0}, {outer, -h, 0.0, -1.0}, {outer, -h, 1.0, 0.0},
                               {outer, h, 1.0, 0.0},   {outer, h, 0.0, 1.0},   {inner, h, 0.0, 1.0},
                               {inner, h, -1.0, 0.0},  {inner, -h, -1.0, 0.0}};
    return tn_add_turned(to, line, 8, around);
}

/* A torus; `radius` to the middle of the wire. */
static inline bool tn_add_ring(tn_triangles *to, double radius, double wire, size_t around)
{
    enum { SIDES = 8 };
    tn_profile line[SIDES + 1];
    for (size_t k = 0; k <= SIDES; k++) {
        const double angle = 2.0 * TN_PI * (double)(k % SIDES) / SIDES, c = cos(angle), s = sin(angle);
        line[k] = (tn_profile){radius + wire * c, wire * s, c, s};
    }
    return tn_add_turned(to, line, SIDES + 1, around);
}

/* ---- others -------------------------------------------------------------------------------------------------- */

/* A plane quadrangle, counterclockwise seen from outside. */
static inline void tn_add_quadrilateral(tn_triangles *to, const double corner[4][3], const double *normal)
{
    const size_t first = to->points;
    for (size_t k = 0; k < 4; k++)
        tn_add_point(to, corner[k], normal);
    tn_add_triangle(to, first, first + 1, first + 2);
    tn_add_triangle(to, first, first + 2, first + 3);
}

static inline bool tn_add_box(tn_triangles *to, const double *size)
{
    for (size_t axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            const size_t u = (axis + (side > 0 ? 1 : 2)) % 3, v = (axis + (side > 0 ? 2 : 1)) % 3;
            double corner[4][3], normal[3] = {0.0, 0.0, 0.0};
            normal[axis] = side;
            for (size_t k = 0; k < 4; k++) {
                corner[k][axis] = 0.5 * side * size[axis];
                corner[k][u] = (k == 1 || k == 2 ? 0.5 : -0.5) * size[u];
                corner[k][v] = (k >= 2 ? 0.5 : -0.5) * size[v];
            }
            tn_add_quadrilateral(to, (const double(*)[3])corner, normal);
        }
    return !to->lacks_memory;
}

/* A rectangle in x and y with the normal z. */
static inline bool tn_add_rectangle(tn_triangles *to, double x, double y)
{
    const double a = 0.5 * x, b = 0.5 * y;
    const double corner[4][3] = {{-a, -b, 0.0}, {a, -b, 0.0}, {a, b, 0.0}, {-a, b, 0.0}};
    tn_add_quadrilateral(to, corner, (const double[]){0.0, 0.0, 1.0});
    return !to->lacks_memory;
}

/* Closes the end of a wire, whose ring of points begins at `ring` and goes clockwise about `along`; facing -1 or 1 along it. */
static inline void tn_add_wire_end(tn_triangles *to, size_t ring, size_t sides, const double *middle,
                                   const double *along, double facing)
{
    const double normal[3] = {facing * along[0], facing * along[1], facing * along[2]};
    const size_t first = to->points;
    tn_add_point(to, middle, normal);
    for (size_t k = 0; k < sides && !to->lacks_memory; k++) {
        const float *at = to->point + 3 * (ring + k);
        tn_add_point(to, (double[]){(double)at[0], (double)at[1], (double)at[2]}, normal);
    }
    for (size_t k = 0; k < sides; k++) {
        const size_t one = first + 1 + k, next = first + 1 + (k + 1) % sides;
        tn_add_triangle(to, first, facing > 0.0 ? next : one, facing > 0.0 ? one : next);
    }
}

/* A coil spring: a wire around z from -length/2 to length/2. */
static inline bool tn_add_coil(tn_triangles *to, double radius, double wire, double turns, double length,
                               size_t around)
{
    enum { SIDES = 6 };
    const size_t pieces = (size_t)(turns * (double)around) + 1, first = to->points;
    const double pitch = length / (2.0 * TN_PI * turns), norm = hypot(radius, pitch);
    for (size_t i = 0; i <= pieces; i++) {
        const double part = (double)i / (double)pieces, angle = 2.0 * TN_PI * turns * part;
        const double c = cos(angle), s = sin(angle),
                     middle[3] = {radius * c, radius * s, (part - 0.5) * length};
        const double across[3] = {pitch / norm * s, -pitch / norm * c, radius / norm}, out[3] = {c, s, 0.0};
        for (size_t k = 0; k < SIDES; k++) {
            const double turn = 2.0 * TN_PI * (double)k / SIDES;
            double point[3], normal[3];
            for (size_t d = 0; d < 3; d++) {
                normal[d] = cos(turn) * out[d] + sin(turn) * across[d];
                point[d] = middle[d] + wire * normal[d];
            }
            tn_add_point(to, point, normal);
        }
    }
    for (size_t i = 0; i < pieces; i++)
        for (size_t k = 0; k < SIDES; k++) {
            const size_t a = first + i * SIDES + k, b = first + i * SIDES + (k + 1) % SIDES;
            tn_add_triangle(to, a, a + SIDES, b + SIDES);
            tn_add_triangle(to, a, b + SIDES, b);
        }
    for (size_t end = 0; end < 2; end++) {
        const double angle = 2.0 * TN_PI * turns * (double)end, c = cos(angle), s = sin(angle);
        const double middle[3] = {radius * c, radius * s, ((double)end - 0.5) * length};
        const double along[3] = {-radius / norm * s, radius / norm * c, pitch / norm};
        tn_add_wire_end(to, first + end * pieces * SIDES, SIDES, middle, along, end == 0 ? -1.0 : 1.0);
    }
    return !to->lacks_memory;
}

#endif

/* tenon/kit/drawing.h - drawings of the instances of a type (tenon/draft/drawing.h):
 *
 *     TN_DRAWS(hinge, {.kind = TN_DRAWN_HINGE})
 *     ... TN_CAPABILITIES(TN_HAS_DRAWING(hinge), ...)
 *
 * Where drawings depend on parameters, write `static tn_status hinge_draw(host, instance, sink)` in place of TN_DRAWS().
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. */
#ifndef TENON_KIT_DRAWING_H
#define TENON_KIT_DRAWING_H

#include "tenon/author.h"

#if TN_VALUES

#include "tenon/draft/drawing.h"

#include <math.h>

#define TN_HAS_DRAWING(name) TN_HAS(drawing, .draw = name##_draw)

/* Defines `name`_draw with drawings that are the same for each instance. */
#define TN_DRAWS(name, ...)                                                                              \
    static tn_status name##_draw(const tn_host *host, const void *instance, const tn_drawing_sink *sink) \
    {                                                                                                    \
        static const tn_drawing drawing[] = {__VA_ARGS__};                                               \
        (void)host, (void)instance;                                                                      \
        return tn_draw_all(sink, drawing, (uint32_t)(sizeof drawing / sizeof drawing[0]));               \
    }
/* Defines `name`_draw for types that are invisible. */
#define TN_DRAWS_NOTHING(name)                                                                           \
    static tn_status name##_draw(const tn_host *host, const void *instance, const tn_drawing_sink *sink) \
    {                                                                                                    \
        (void)host, (void)instance, (void)sink;                                                          \
        return TN_OK;                                                                                    \
    }

/* The field `place` of a drawing between the first two markers. */
#define TN_BETWEEN_MARKERS .place = {{TN_AT_MARKER, 0}, {TN_AT_MARKER, 1}}

static inline TN_UNUSED tn_status tn_draw(const tn_drawing_sink *sink, tn_drawing drawing)
{
    drawing.struct_size = sizeof drawing;
    return sink->add(sink, &drawing);
}

static inline TN_UNUSED tn_status tn_draw_all(const tn_drawing_sink *sink, const tn_drawing *drawing,
                                              uint32_t count)
{
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < count && status == TN_OK; k++)
        status = tn_draw(sink, drawing[k]);
    return status;
}

/* A disc about an axis of a marker, no wider than its radius. */
static inline TN_UNUSED tn_status tn_draw_disc(const tn_drawing_sink *sink, uint32_t marker, double radius,
                                               double width, const double *axis)
{
    return tn_draw(sink, (tn_drawing){.kind = TN_DRAWN_DISC,
                                      .place = {{TN_AT_MARKER, marker}},
                                      .axis = {axis[0], axis[1], axis[2]},
                                      .size = {radius, fmin(width, radius)}});
}

/* One turn of Jacobi's method: makes A[p][q] zero; the columns of V become the principal axes. */
static inline TN_UNUSED void tn_jacobi_turn(double A[3][3], double V[3][3], int p, int q)
{
    if (A[p][q] == 0.0) return;
    const double angle = 0.5 * atan2(2.0 * A[p][q], A[q][q] - A[p][p]), c = cos(angle), s = sin(angle);
    for (int k = 0; k < 3; k++) {
        const double a = A[k][p], b = A[k][q], v = V[k][p], w = V[k][q];
        A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
        V[k][p] = c * v - s * w, V[k][q] = s * v + c * w;
    }
    for (int k = 0; k < 3; k++) {
        const double a = A[p][k], b = A[q][k];
        A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
    }
    A[p][q] = A[q][p] = 0.0;
}

/* The homogeneous box of a mass and an inertia about the centre of mass, xx yy zz xy xz yz: its edges, and the rotation, row by
 * row, from the axes of the box to those of the inertia. Edges are 0 where a principal moment is the sum of the others. */
static inline TN_UNUSED void tn_box_of_inertia(double mass, const double *inertia, double edge[3],
                                               double rotation[9])
{
    double A[3][3] = {{inertia[0], inertia[3], inertia[4]},
                      {inertia[3], inertia[1], inertia[5]},
                      {inertia[4], inertia[5], inertia[2]}};
    double V[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int sweep = 0; sweep < 10; sweep++) {
        tn_jacobi_turn(A, V, 0, 1);
        tn_jacobi_turn(A, V, 0, 2);
        tn_jacobi_turn(A, V, 1, 2);
    }
    const double half = 0.5 * (A[0][0] + A[1][1] + A[2][2]);
    for (int k = 0; k < 3; k++)
        edge[k] = sqrt(fmax(0.0, 12.0 * (half - A[k][k]) / mass));
    for (int k = 0; k < 9; k++)
        rotation[k] = V[k / 3][k % 3];
}

/* That box at a place of the element's own frame, not much larger than the model, and with no edge too thin to be seen. */
static inline TN_UNUSED tn_status tn_draw_inertia(const tn_drawing_sink *sink, double mass,
                                                  const double *inertia, const double *centre)
{
    tn_drawing box = {
        .kind = TN_DRAWN_SHAPE, .place = {{TN_AT_ELEMENT, 0}}, .position = {centre[0], centre[1], centre[2]}};
    double *edge = box.shape.size;
    box.shape.kind = TN_BOX;
    tn_box_of_inertia(mass, inertia, edge, box.rotation);
    /* a bar that turns about its end is twice as long as the distance of its middle */
    const double largest = 2.0 * sink->size;
    const double most = fmax(edge[0], fmax(edge[1], edge[2])), factor = most > largest ? largest / most : 1.0;
    for (int k = 0; k < 3; k++)
        edge[k] = factor * fmax(edge[k], 0.01 * most);
    return tn_draw(sink, box);
}

#endif

#endif

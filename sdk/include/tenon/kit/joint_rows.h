/* tenon/kit/joint_rows.h - the rows of joints, put together from primitives, with all their derivatives by hand; joint.h shows
 * how they are used.
 *
 * n and m are axes of the first and of the last frame, d = p_last - p_first, all in ground axes. A joint is a table of
 * rows; where the table is a constant the loops below are straight-line code.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_JOINT_ROWS_H
#define TENON_KIT_JOINT_ROWS_H

#include "tenon/author.h"

#if TN_VALUES /* nothing here is differentiated by a pass */

typedef enum tn_joint_primitive {
    TN_COINCIDENT,    /* a component of d along a ground axis */
    TN_IN_PLANE,      /* n . d: the last origin stays in the plane through the first one that n stands on */
    TN_PERPENDICULAR, /* n . m */
} tn_joint_primitive;

enum { TN_X, TN_Y, TN_Z };

typedef struct tn_joint_row {
    uint8_t primitive, first, last; /* first: the ground axis or n; last: m */
} tn_joint_row;

/* Rows that several joints have: a common origin; no rotation. */
#define TN_JOINT_POINT \
    {TN_COINCIDENT, TN_X, 0}, {TN_COINCIDENT, TN_Y, 0}, { TN_COINCIDENT, TN_Z, 0 }
#define TN_JOINT_ROTATION \
    {TN_PERPENDICULAR, TN_Y, TN_Z}, {TN_PERPENDICULAR, TN_Z, TN_X}, { TN_PERPENDICULAR, TN_X, TN_Y }

typedef struct tn_joint_table {
    const tn_joint_row *row;
    uint32_t count;
} tn_joint_table;

/* The rows of an instance. */
typedef tn_joint_table (*tn_joint_rows_of)(const void *instance);

/* The two markers of an instance. Axes are read where they stand: a row may name any of them. */
typedef struct tn_joint_view {
    const double *first, *last; /* rotation matrices by rows */
    tn_vec3 d, d_rate, w0, w1;  /* rate of d, angular velocities */
    uint32_t last_column;       /* where the last marker's twist begins */
    bool active;
} tn_joint_view;

TN_INLINE tn_vec3 tn_joint_vector(const double *e) { return tn_vector(e[0], e[1], e[2]); }
TN_INLINE tn_vec3 tn_joint_axis(const double *rotation, uint32_t axis)
{
    return tn_vector(rotation[axis], rotation[3 + axis], rotation[6 + axis]);
}

/* `kind` is that of both markers, or TN_ANY for what the batch says. A point has ground axes and does not turn. */
TN_INLINE tn_joint_view tn_joint_look(const tn_batch *batch, uint32_t kind, uint32_t i)
{
    static const double ground[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const tn_marker_place *place = batch->marker + 2 * (size_t)i;
    const double *pose0 = batch->pose + place[0].pose, *pose1 = batch->pose + place[1].pose;
    const double *twist0 = batch->twist + place[0].twist, *twist1 = batch->twist + place[1].twist;
    const uint32_t kind0 = tn_kind_of(batch, kind, 0), kind1 = tn_kind_of(batch, kind, 1);
    tn_joint_view view;
    view.first = kind0 == TN_FRAME ? pose0 + 3 : ground;
    view.last = kind1 == TN_FRAME ? pose1 + 3 : ground;
    view.d = tn_subtract(tn_joint_vector(pose1), tn_joint_vector(pose0));
    view.d_rate = tn_subtract(tn_joint_vector(twist1), tn_joint_vector(twist0));
    view.w0 = kind0 == TN_FRAME ? tn_joint_vector(twist0 + 3) : tn_zero();
    view.w1 = kind1 == TN_FRAME ? tn_joint_vector(twist1 + 3) : tn_zero();
    view.last_column = tn_twist_size(kind0);
    view.active = !batch->active || batch->active[i];
    return view;
}

TN_INLINE void tn_joint_add(double *to, double factor, tn_vec3 a)
{
    for (int i = 0; i < 3; i++)
        to[i] += factor * a.e[i];
}

/* Adds factor [a] x, the cross product as a matrix, to a block of a matrix with rows of W numbers. */
TN_INLINE void tn_joint_add_cross(double *to, uint32_t W, double factor, tn_vec3 a)
{
    to[1] -= factor * a.e[2];
    to[2] += factor * a.e[1];
    to[W] += factor * a.e[2];
    to[W + 2] -= factor * a.e[0];
    to[2 * W] -= factor * a.e[1];
    to[2 * W + 1] += factor * a.e[0];
}

/* Adds factor (a b^T - (a . b) I), which is [b][a]. */
TN_INLINE void tn_joint_add_double_cross(double *to, uint32_t W, double factor, tn_vec3 a, tn_vec3 b)
{
    const double dot = factor * tn_dot(a, b);
    for (uint32_t i = 0; i < 3; i++) {
        tn_joint_add(to + i * W, factor * a.e[i], b);
        to[i * W + i] -= dot;
    }
}

/* ---- one row ------------------------------------------------------------------------------------------- */

TN_INLINE double tn_joint_residual(const tn_joint_view *view, tn_joint_row row)
{
    const tn_vec3 n = tn_joint_axis(view->first, row.first), m = tn_joint_axis(view->last, row.last);
    return row.primitive == TN_COINCIDENT ? view->d.e[row.first]
           : row.primitive == TN_IN_PLANE ? tn_dot(n, view->d)
                                          : tn_dot(n, m);
}

/* Its derivatives along the increments of both poses, added to W zeros. */
TN_INLINE void tn_joint_gradient(const tn_joint_view *view, tn_joint_row row, double *to)
{
    const tn_vec3 n = tn_joint_axis(view->first, row.first), m = tn_joint_axis(view->last, row.last);
    double *last = to + view->last_column;
    switch (row.primitive) {
    case TN_COINCIDENT:
        to[row.first] = -1.0;
        last[row.first] = 1.0;
        break;
    case TN_IN_PLANE:
        tn_joint_add(to, -1.0, n);
        tn_joint_add(to + 3, 1.0, tn_cross(n, view->d));
        tn_joint_add(last, 1.0, n);
        break;
    default:
        tn_joint_add(to + 3, 1.0, tn_cross(n, m));
        tn_joint_add(last + 3, -1.0, tn_cross(n, m));
    }
}

/* Its second time derivative at constant twists. */
TN_INLINE double tn_joint_bias(const tn_joint_view *view, tn_joint_row row)
{
    const tn_vec3 n = tn_joint_axis(view->first, row.first), m = tn_joint_axis(view->last, row.last);
    const tn_vec3 n_rate = tn_cross(view->w0, n), m_rate = tn_cross(view->w1, m);
    switch (row.primitive) {
    case TN_COINCIDENT:
        return 0.0;
    case TN_IN_PLANE:
        return tn_dot(tn_cross(view->w0, n_rate), view->d) + 2.0 * tn_dot(n_rate, view->d_rate);
    default:
        return tn_dot(tn_cross(view->w0, n_rate), m) + 2.0 * tn_dot(n_rate, m_rate) +
               tn_dot(n, tn_cross(view->w1, m_rate));
    }
}

/* Derivatives of lambda times its gradient along the increments of both poses, added to a matrix of W x W. */
TN_INLINE void tn_joint_stiffness(const tn_joint_view *view, tn_joint_row row, double lambda, uint32_t W,
                                  double *to)
{
    const tn_vec3 n = tn_joint_axis(view->first, row.first), m = tn_joint_axis(view->last, row.last);
    const uint32_t turn0 = 3, move1 = view->last_column, turn1 = move1 + 3;
    switch (row.primitive) {
    case TN_COINCIDENT:
        break;
    case TN_IN_PLANE:
        tn_joint_add_cross(to + turn0, W, lambda, n);
        tn_joint_add_cross(to + move1 * W + turn0, W, -lambda, n);
        tn_joint_add_cross(to + turn0 * W, W, -lambda, n);
        tn_joint_add_cross(to + turn0 * W + move1, W, lambda, n);
        tn_joint_add_double_cross(to + turn0 * W + turn0, W, lambda, n, view->d);
        break;
    default:
        tn_joint_add_double_cross(to + turn0 * W + turn0, W, lambda, n, m);
        tn_joint_add_double_cross(to + turn1 * W + turn0, W, -lambda, n, m);
        tn_joint_add_double_cross(to + turn0 * W + turn1, W, -lambda, m, n);
        tn_joint_add_double_cross(to + turn1 * W + turn1, W, lambda, m, n);
    }
}

/* ---- all rows of a batch --------------------------------------------------------------------------------- */

/* A loop over up to six rows, written out: with a constant table it becomes straight-line code in every compiler. */
#define TN_JOINT_FOR_EACH(r, count, act) \
    do {                                 \
        TN_JOINT_WHERE(r, 0, count, act) \
        TN_JOINT_WHERE(r, 1, count, act) \
        TN_JOINT_WHERE(r, 2, count, act) \
        TN_JOINT_WHERE(r, 3, count, act) \
        TN_JOINT_WHERE(r, 4, count, act) \
        TN_JOINT_WHERE(r, 5, count, act) \
    } while (0)
#define TN_JOINT_WHERE(r, number, count, act) \
    if (number < (count)) {                   \
        const uint32_t r = number;            \
        act;                                  \
    }

/* Zeros in the place of an instance's results, to which its active rows are added. */
TN_INLINE double *tn_joint_clear(double *to, size_t i, size_t count)
{
    return memset(to + i * count, 0, count * sizeof *to);
}

TN_INLINE tn_status tn_joint_residuals(tn_batch *batch, uint32_t kind, tn_joint_rows_of rows_of)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const tn_joint_table rows = rows_of(tn_instance(batch, i));
        const tn_joint_view view = tn_joint_look(batch, kind, i);
        double *to = batch->residual + (size_t)i * rows.count;
        TN_JOINT_FOR_EACH(r, rows.count, to[r] = view.active ? tn_joint_residual(&view, rows.row[r]) : 0.0);
    }
    return TN_OK;
}

TN_INLINE tn_status tn_joint_gradients(tn_batch *batch, uint32_t kind, tn_joint_rows_of rows_of)
{
    const uint32_t W = kind == TN_FRAME ? 12 : batch->wrench_size;
    for (uint32_t i = 0; i < batch->count; i++) {
        const tn_joint_table rows = rows_of(tn_instance(batch, i));
        const tn_joint_view view = tn_joint_look(batch, kind, i);
        double *to = tn_joint_clear(batch->tangent, i, rows.count * W);
        if (view.active) TN_JOINT_FOR_EACH(r, rows.count, tn_joint_gradient(&view, rows.row[r], to + r * W));
    }
    return TN_OK;
}

TN_INLINE tn_status tn_joint_biases(tn_batch *batch, uint32_t kind, tn_joint_rows_of rows_of)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const tn_joint_table rows = rows_of(tn_instance(batch, i));
        const tn_joint_view view = tn_joint_look(batch, kind, i);
        double *to = batch->residual + (size_t)i * rows.count;
        TN_JOINT_FOR_EACH(r, rows.count, to[r] = view.active ? tn_joint_bias(&view, rows.row[r]) : 0.0);
    }
    return TN_OK;
}

TN_INLINE tn_status tn_joint_stiffnesses(tn_batch *batch, uint32_t kind, tn_joint_rows_of rows_of)
{
    const uint32_t W = kind == TN_FRAME ? 12 : batch->wrench_size;
    for (uint32_t i = 0; i < batch->count; i++) {
        const tn_joint_table rows = rows_of(tn_instance(batch, i));
        const tn_joint_view view = tn_joint_look(batch, kind, i);
        const double *lambda = batch->lambda + (size_t)i * rows.count;
        double *to = tn_joint_clear(batch->tangent, i, W * W);
        if (view.active)
            TN_JOINT_FOR_EACH(r, rows.count, tn_joint_stiffness(&view, rows.row[r], lambda[r], W, to));
    }
    return TN_OK;
}

/* The rows of a type that are the same for every instance; then the functions of its constraint. `KIND` is that of its
 * markers. */
#define TN_JOINT_ROWS(name, KIND, ...)                                                  \
    static const tn_joint_row name##_rows[] = {__VA_ARGS__};                            \
    TN_INLINE tn_joint_table name##_rows_of(const void *instance)                       \
    {                                                                                   \
        (void)instance;                                                                 \
        return (tn_joint_table){name##_rows, sizeof name##_rows / sizeof *name##_rows}; \
    }                                                                                   \
    TN_JOINT_CONSTRAINT(name, KIND)

/* Likewise where `name_rows_of` says which rows an instance has. joint_closing.h tells what they are while a start closes
 * them. */
#define TN_JOINT_CONSTRAINT(name, KIND)                                               \
    static tn_status name##_constraint(tn_batch *batch)                               \
    {                                                                                 \
        if (batch->closing) return tn_joint_closing_residuals(batch, name##_rows_of); \
        return tn_joint_residuals(batch, KIND, name##_rows_of);                       \
    }                                                                                 \
    static tn_status name##_constraint_rows(tn_batch *batch)                          \
    {                                                                                 \
        if (batch->closing) return tn_joint_closing_gradients(batch, name##_rows_of); \
        return tn_joint_gradients(batch, KIND, name##_rows_of);                       \
    }                                                                                 \
    TN_UNUSED static tn_status name##_constraint_bias(tn_batch *batch)                \
    {                                                                                 \
        return tn_joint_biases(batch, KIND, name##_rows_of);                          \
    }                                                                                 \
    TN_UNUSED static tn_status name##_constraint_stiffness(tn_batch *batch)           \
    {                                                                                 \
        return tn_joint_stiffnesses(batch, KIND, name##_rows_of);                     \
    }

#endif

#endif

/* tenon/kit/joint_coordinates.h - the free coordinates of joints: values, rates, and the derivatives of the rates; joint.h
 * shows how they are used.
 *
 * They are those of the last marker in the first, zero where the frames coincide. Angles count turns from one accepted
 * step to the next (turns.h), in the discrete data of the instance, angle by angle.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_JOINT_COORDINATES_H
#define TENON_KIT_JOINT_COORDINATES_H

#include "tenon/kit/joint_rows.h"

#if TN_VALUES

typedef enum tn_joint_coordinate_kind {
    TN_TRANSLATION,    /* n . d, n the `axis` of the first frame */
    TN_ANGLE_IN_FIRST, /* of the last frame's axis `seen`, about the `axis` of the first frame */
    TN_ANGLE_IN_LAST /* of the first frame's axis `seen`, about the `axis` of the last frame, taken negative */
} tn_joint_coordinate_kind;

typedef struct tn_joint_coordinate {
    uint8_t kind, axis, seen;
} tn_joint_coordinate;

typedef struct tn_joint_coordinate_list {
    const tn_joint_coordinate *item;
    uint32_t count;
} tn_joint_coordinate_list;

/* Number of angles among the first `count` coordinates. */
TN_INLINE uint32_t tn_joint_angles(tn_joint_coordinate_list list, uint32_t count)
{
    uint32_t angles = 0;
    for (uint32_t k = 0; k < count; k++)
        angles += list.item[k].kind != TN_TRANSLATION;
    return angles;
}

/* ---- angles -------------------------------------------------------------------------------------------- */

/* How a unit vector c of one frame turns about the axis z of the other one. */
typedef struct tn_joint_angle {
    double wrapped, rate;  /* in [-pi, pi] */
    tn_vec3 z, c, turning; /* turning: w_last - w_first */
    double up, square;     /* z . c, and 1 - up^2 */
    tn_vec3 gradient;      /* the rate is gradient . turning; it is z where c stands on z */
} tn_joint_angle;

TN_INLINE tn_status tn_joint_look_at_angle(const tn_joint_view *view, tn_joint_coordinate coordinate,
                                           tn_context *context, tn_joint_angle *angle)
{
    const bool in_first = coordinate.kind == TN_ANGLE_IN_FIRST;
    const double *frame = in_first ? view->first : view->last, *other = in_first ? view->last : view->first;
    angle->z = tn_joint_axis(frame, coordinate.axis);
    angle->c = tn_joint_axis(other, coordinate.seen);
    const tn_vec3 zero = tn_joint_axis(frame, coordinate.seen), quarter = tn_cross(angle->z, zero);
    const double along = tn_dot(zero, angle->c), across = tn_dot(quarter, angle->c);
    angle->up = tn_dot(angle->z, angle->c);
    angle->square = along * along + across * across;
    if (!(angle->square > 1e-16))
        return tn_retry(
            context,
            "the angle of the joint is undefined: one of its axes is parallel to the axis of rotation");
    angle->wrapped = in_first ? atan2(across, along) : atan2(-across, along);
    angle->turning = tn_subtract(view->w1, view->w0);
    angle->gradient = tn_scale(1.0 / angle->square, tn_subtract(angle->z, tn_scale(angle->up, angle->c)));
    angle->rate = tn_dot(angle->gradient, angle->turning);
    return TN_OK;
}

/* What the angle of coordinate k keeps. */
TN_INLINE uint32_t tn_joint_kept(tn_joint_coordinate_list list, uint32_t k)
{
    return TN_KEPT_DOUBLES * tn_joint_angles(list, k);
}

/* The angle with all turns. The small excess lets half a turn at the start be +pi, whatever its rounding is. */
TN_INLINE double tn_joint_unwrap(const tn_joint_angle *angle, const double *kept, double since)
{
    static const double turn = 6.28318530717958647692;
    const double expected = tn_expected_angle(kept, since, angle->rate, tn_square_of(angle->turning));
    return angle->wrapped + turn * rint((expected - angle->wrapped) / turn + 1e-9);
}

/* Derivatives of the rate along turns of the frame that z belongs to, and of the one of c. */
TN_INLINE void tn_joint_angle_tangent(const tn_joint_angle *a, tn_vec3 *of_z, tn_vec3 *of_c)
{
    const tn_vec3 lift = tn_scale(2.0 * a->up * a->rate - tn_dot(a->c, a->turning), tn_cross(a->z, a->c));
    *of_z = tn_scale(1.0 / a->square, tn_add(tn_cross(a->z, a->turning), lift));
    *of_c = tn_scale(-1.0 / a->square, tn_add(tn_scale(a->up, tn_cross(a->c, a->turning)), lift));
}

/* ---- one coordinate ------------------------------------------------------------------------------------ */

/* Value and rate of coordinate k. */
TN_INLINE tn_status tn_joint_measure(const tn_joint_view *view, tn_joint_coordinate_list list, uint32_t k,
                                     tn_context *context, double *value)
{
    const tn_joint_coordinate coordinate = list.item[k];
    if (coordinate.kind == TN_TRANSLATION) {
        const tn_vec3 n = tn_joint_axis(view->first, coordinate.axis);
        value[0] = tn_dot(n, view->d);
        value[1] = tn_dot(n, tn_subtract(view->d_rate, tn_cross(view->w0, view->d)));
        return TN_OK;
    }
    tn_joint_angle angle;
    const tn_status status = tn_joint_look_at_angle(view, coordinate, context, &angle);
    if (status != TN_OK) return status;
    value[0] = tn_joint_unwrap(&angle, tn_data(context) + tn_joint_kept(list, k), context->batch->step);
    value[1] = angle.rate;
    return TN_OK;
}

/* Derivatives of the rate along the increments of both poses and of both twists, 12 each, added to zeros. */
TN_INLINE tn_status tn_joint_measure_tangent(const tn_joint_view *view, tn_joint_coordinate coordinate,
                                             tn_context *context, double *to)
{
    double *const turn0 = to + 3, *const move1 = to + 6, *const turn1 = to + 9, *const twist0 = to + 12,
                  *const twist1 = to + 18;
    if (coordinate.kind == TN_TRANSLATION) {
        const tn_vec3 n = tn_joint_axis(view->first, coordinate.axis), w0 = view->w0;
        tn_joint_add(to, -1.0, tn_cross(w0, n));
        tn_joint_add(turn0, 1.0, tn_cross(n, tn_subtract(view->d_rate, tn_cross(w0, view->d))));
        tn_joint_add(move1, 1.0, tn_cross(w0, n));
        tn_joint_add(twist0, -1.0, n);
        tn_joint_add(twist0 + 3, 1.0, tn_cross(n, view->d));
        tn_joint_add(twist1, 1.0, n);
        return TN_OK;
    }
    tn_joint_angle angle;
    tn_vec3 of_z, of_c;
    const tn_status status = tn_joint_look_at_angle(view, coordinate, context, &angle);
    if (status != TN_OK) return status;
    tn_joint_angle_tangent(&angle, &of_z, &of_c);
    tn_joint_add(turn0, 1.0, coordinate.kind == TN_ANGLE_IN_FIRST ? of_z : of_c);
    tn_joint_add(turn1, 1.0, coordinate.kind == TN_ANGLE_IN_FIRST ? of_c : of_z);
    tn_joint_add(twist0 + 3, -1.0, angle.gradient);
    tn_joint_add(twist1 + 3, 1.0, angle.gradient);
    return TN_OK;
}

/* ---- all instances of a batch ---------------------------------------------------------------------------- */

static inline TN_UNUSED tn_status tn_joint_coordinate_values(tn_batch *batch, tn_joint_coordinate_list list)
{
    tn_status worst = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_context context = tn_context_at(batch, i);
        const tn_joint_view view = tn_joint_look(batch, TN_FRAME, i);
        const tn_status status =
            tn_joint_measure(&view, list, batch->output, &context, batch->value + 2 * (size_t)i);
        if (status != TN_OK) worst = tn_note_failure(batch, i, worst, status, context.message);
    }
    return worst;
}

static inline TN_UNUSED tn_status tn_joint_coordinate_tangents(tn_batch *batch, tn_joint_coordinate_list list)
{
    tn_status worst = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_context context = tn_context_at(batch, i);
        const tn_joint_view view = tn_joint_look(batch, TN_FRAME, i);
        const tn_status status = tn_joint_measure_tangent(&view, list.item[batch->output], &context,
                                                          tn_joint_clear(batch->tangent, i, 24));
        if (status != TN_OK) worst = tn_note_failure(batch, i, worst, status, context.message);
    }
    return worst;
}

/* Turns are counted also while the joint is not active, and stay as they are where there is no angle. */
static inline TN_UNUSED tn_status tn_joint_count_turns(tn_batch *batch, tn_joint_coordinate_list list)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_context context = tn_context_at(batch, i);
        const tn_joint_view view = tn_joint_look(batch, TN_FRAME, i);
        double *data = batch->d + (size_t)i * batch->layout->nd;
        for (uint32_t k = 0; k < list.count; k++) {
            double *kept = data + tn_joint_kept(list, k);
            tn_joint_angle angle;
            if (list.item[k].kind == TN_TRANSLATION) continue;
            if (tn_joint_look_at_angle(&view, list.item[k], &context, &angle) == TN_OK)
                tn_keep_angle(kept, batch->step, tn_joint_unwrap(&angle, kept, batch->step), angle.rate,
                              tn_square_of(angle.turning));
            tn_tell_doubt(&context, kept);
        }
    }
    return TN_OK;
}

#endif

#endif

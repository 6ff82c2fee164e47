/* tenon/kit/joint_closing.h - the way that frames turn until they match, where a start closes the joints; joint_rows.h uses it.
 *
 * n . m vanishes not only where frames match but also where axes point in opposite directions, and has no slope where n
 * and m are parallel. While the batch is `closing` the rows of rotations stand for the rotation vector that the last
 * frame is away from where it belongs: that leads there from everywhere.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_JOINT_CLOSING_H
#define TENON_KIT_JOINT_CLOSING_H

#include "tenon/kit/joint_rows.h"

#if TN_VALUES

/* Cosine of 179.9 degrees: frames that are off by more have no way to turn that is better than the others. */
#define TN_JOINT_OPPOSITE (-0.9999985)
/* |n x m| of axes that are parallel. */
#define TN_JOINT_PARALLEL 1e-6

/* How far the last frame is turned away, in ground axes. */
typedef struct tn_joint_turn {
    tn_vec3 vector;
    uint32_t rows;       /* of rotations */
    const char *refusal; /* NULL: none */
} tn_joint_turn;

/* The rotation vector whose sine times its axis, and whose cosine, are these. */
static inline tn_vec3 tn_joint_turn_vector(tn_vec3 sine, double cosine)
{
    const double size = tn_norm(sine);
    return tn_scale(size > 0.0 ? atan2(size, cosine) / size : 1.0, sine);
}

/* Of a frame that must not turn: by half the sum of its axes' turns. */
static inline tn_joint_turn tn_joint_turn_of_frame(const tn_joint_view *view)
{
    tn_vec3 sine = tn_zero();
    double trace = 0.0;
    for (uint32_t axis = TN_X; axis <= TN_Z; axis++) {
        const tn_vec3 a = tn_joint_axis(view->first, axis), b = tn_joint_axis(view->last, axis);
        sine = tn_add(sine, tn_scale(0.5, tn_cross(a, b)));
        trace += tn_dot(a, b);
    }
    const double cosine = 0.5 * (trace - 1.0);
    return (tn_joint_turn){tn_joint_turn_vector(sine, cosine), 3,
                           cosine < TN_JOINT_OPPOSITE ? "one of its frames is turned by 180 degrees from the "
                                                        "other: turn the body, or one of the markers"
                                                      : NULL};
}

/* Of an axis that must keep its direction. */
static inline tn_joint_turn tn_joint_turn_of_axis(const tn_joint_view *view, uint32_t axis)
{
    static const char *const refusals[] = {
        "the x axes of its markers point in opposite directions: turn the body, or one of the markers",
        "the y axes of its markers point in opposite directions: turn the body, or one of the markers",
        "the z axes of its markers point in opposite directions: turn the body, or one of the markers"};
    const tn_vec3 a = tn_joint_axis(view->first, axis), b = tn_joint_axis(view->last, axis);
    const double cosine = tn_dot(a, b);
    return (tn_joint_turn){tn_joint_turn_vector(tn_cross(a, b), cosine), 2,
                           cosine < TN_JOINT_OPPOSITE ? refusals[axis] : NULL};
}

/* The direction that a row of a rotation takes of the vector: that in which it falls where frames match. A row alone
 * holds anywhere: its own slope, of size one, unless it has none. */
static inline tn_vec3 tn_joint_direction(const tn_joint_view *view, tn_joint_row row, uint32_t rows)
{
    const tn_vec3 n = tn_joint_axis(view->first, row.first);
    const tn_vec3 own = tn_cross(tn_joint_axis(view->last, row.last), n);
    const double size = tn_norm(own);
    return rows == 1 && size > TN_JOINT_PARALLEL ? tn_scale(1.0 / size, own)
                                                 : tn_cross(tn_joint_axis(view->first, row.last), n);
}

/* By how much an axis is off a right angle. */
static inline tn_joint_turn tn_joint_turn_of_row(const tn_joint_view *view, tn_joint_row row)
{
    const double sine = fmin(1.0, fmax(-1.0, tn_joint_residual(view, row)));
    return (tn_joint_turn){tn_scale(asin(sine), tn_joint_direction(view, row, 1)), 1, NULL};
}

static inline TN_UNUSED tn_joint_turn tn_joint_find_turn(const tn_joint_view *view, tn_joint_table rows)
{
    uint32_t count = 0;
    tn_joint_row last = {TN_PERPENDICULAR, TN_X, TN_Y};
    for (uint32_t r = 0; r < rows.count; r++) {
        if (rows.row[r].primitive != TN_PERPENDICULAR) continue;
        last = rows.row[r];
        count++;
    }
    return count == 3   ? tn_joint_turn_of_frame(view)
           : count == 2 ? tn_joint_turn_of_axis(view, last.last) /* that axis is common to both rows */
                        : tn_joint_turn_of_row(view, last);
}

/* The derivative of vector . s with turns of the last frame, s being at rest in the first one. */
static inline tn_vec3 tn_joint_slope_of_frame(const tn_joint_turn *turn, tn_vec3 s)
{
    const double half = 0.5 * tn_norm(turn->vector);
    const double share = half > 1e-3 ? (1.0 - half / tan(half)) / (4.0 * half * half) : 1.0 / 12.0;
    const tn_vec3 across = tn_cross(turn->vector, s);
    return tn_add(s, tn_add(tn_scale(0.5, across), tn_scale(share, tn_cross(turn->vector, across))));
}

static inline tn_vec3 tn_joint_slope_of_axis(const tn_joint_turn *turn, tn_vec3 s, tn_vec3 a, tn_vec3 b)
{
    const double angle = tn_norm(turn->vector), sine = tn_norm(tn_cross(a, b));
    if (sine < TN_JOINT_PARALLEL) return s;
    const tn_vec3 u = tn_scale(1.0 / angle, turn->vector);
    return tn_add(tn_scale(tn_dot(s, u), u),
                  tn_scale(angle / sine * tn_dot(s, tn_cross(a, u)), tn_cross(b, u)));
}

static inline TN_UNUSED tn_vec3 tn_joint_slope(const tn_joint_view *view, const tn_joint_turn *turn,
                                               tn_joint_row row)
{
    const tn_vec3 s = tn_joint_direction(view, row, turn->rows);
    return turn->rows == 3   ? tn_joint_slope_of_frame(turn, s)
           : turn->rows == 2 ? tn_joint_slope_of_axis(turn, s, tn_joint_axis(view->first, row.last),
                                                      tn_joint_axis(view->last, row.last))
                             : s;
}

TN_INLINE tn_status tn_joint_closing_residuals(tn_batch *batch, tn_joint_rows_of rows_of)
{
    tn_status worst = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        const tn_joint_table rows = rows_of(tn_instance(batch, i));
        const tn_joint_view view = tn_joint_look(batch, TN_ANY, i);
        const tn_joint_turn turn = tn_joint_find_turn(&view, rows);
        double *to = tn_joint_clear(batch->residual, i, rows.count);
        if (!view.active) continue;
        if (turn.refusal) worst = tn_note_failure(batch, i, worst, TN_RETRY, turn.refusal);
        for (uint32_t r = 0; r < rows.count; r++)
            to[r] = rows.row[r].primitive == TN_PERPENDICULAR
                        ? tn_dot(turn.vector, tn_joint_direction(&view, rows.row[r], turn.rows))
                        : tn_joint_residual(&view, rows.row[r]);
    }
    return worst;
}

TN_INLINE tn_status tn_joint_closing_gradients(tn_batch *batch, tn_joint_rows_of rows_of)
{
    const uint32_t W = batch->wrench_size;
    for (uint32_t i = 0; i < batch->count; i++) {
        const tn_joint_table rows = rows_of(tn_instance(batch, i));
        const tn_joint_view view = tn_joint_look(batch, TN_ANY, i);
        const tn_joint_turn turn = tn_joint_find_turn(&view, rows);
        double *to = tn_joint_clear(batch->tangent, i, rows.count * W);
        for (uint32_t r = 0; view.active && r < rows.count; r++, to += W)
            if (rows.row[r].primitive == TN_PERPENDICULAR) {
                const tn_vec3 slope = tn_joint_slope(&view, &turn, rows.row[r]);
                tn_joint_add(to + 3, -1.0, slope);
                tn_joint_add(to + view.last_column + 3, 1.0, slope);
            } else {
                tn_joint_gradient(&view, rows.row[r], to);
            }
    }
    return TN_OK;
}

#endif

#endif

/* joint_closing.h - the way that frames turn until they match, where a start closes the joints.
 *
 * n . m vanishes not only where the frames match but also where axes point in opposite directions, and where n and m are
 * parallel it has no slope. While the batch is `closing` the rows of rotations stand for the rotation vector that the
 * last frame is away from where it belongs: that leads there from everywhere. */
#ifndef TENON_JOINT_CLOSING_H
#define TENON_JOINT_CLOSING_H

#include "joint_rows.h"

#if TN_VALUES

/* Frames that are off by more than about 177 degrees: there is no telling which way they shall turn. */
#define JOINT_OPPOSITE (-0.999)
/* n x m of a row of its own that counts as none. */
#define JOINT_PARALLEL 1e-6

/* How far the last frame is turned away, in ground axes; false where it cannot be told. */
typedef struct joint_turn {
    tn_vec3 vector;
    const char *refusal; /* NULL: none */
    bool matters;        /* the joint has rows that hold more than one rotation */
} joint_turn;

/* The rotation vector whose sine times its axis, and whose cosine, are these. */
static inline tn_vec3 joint_turn_vector(tn_vec3 sine, double cosine)
{
    const double size = tn_norm(sine);
    return tn_scale(size > 0.0 ? atan2(size, cosine) / size : 1.0, sine);
}

/* Of a frame that must not turn: by half the sum of its axes' turns. */
static inline joint_turn joint_turn_of_frame(const joint_view *view)
{
    tn_vec3 sine = tn_zero();
    double trace = 0.0;
    for (uint32_t axis = X; axis <= Z; axis++) {
        const tn_vec3 a = joint_axis(view->first, axis), b = joint_axis(view->last, axis);
        sine = tn_add(sine, tn_scale(0.5, tn_cross(a, b)));
        trace += tn_dot(a, b);
    }
    const double cosine = 0.5 * (trace - 1.0);
    return (joint_turn){joint_turn_vector(sine, cosine),
                        cosine < JOINT_OPPOSITE ? "its frames are turned by 180 degrees against each other: "
                                                  "turn the body, or one of the markers"
                                                : NULL,
                        true};
}

/* Of an axis that must keep its direction. */
static inline joint_turn joint_turn_of_axis(const joint_view *view, uint32_t axis)
{
    static const char *const refusals[] = {
        "the x axes of its markers point in opposite directions: turn the body, or one of the markers",
        "the y axes of its markers point in opposite directions: turn the body, or one of the markers",
        "the z axes of its markers point in opposite directions: turn the body, or one of the markers"};
    const tn_vec3 a = joint_axis(view->first, axis), b = joint_axis(view->last, axis);
    const double cosine = tn_dot(a, b);
    return (joint_turn){joint_turn_vector(tn_cross(a, b), cosine),
                        cosine < JOINT_OPPOSITE ? refusals[axis] : NULL, true};
}

static inline joint_turn joint_find_turn(const joint_view *view, joint_table rows)
{
    uint32_t count = 0, axis = X;
    for (uint32_t r = 0; r < rows.count; r++) {
        if (rows.row[r].primitive != PERPENDICULAR) continue;
        axis = rows.row[r].last; /* two rows have the free axis in common here */
        count++;
    }
    return count == 3   ? joint_turn_of_frame(view)
           : count == 2 ? joint_turn_of_axis(view, axis)
                        : (joint_turn){tn_zero(), NULL, false};
}

/* The derivative of n . m with a turn of the last frame, where n and m are axes of frames that match. */
static inline tn_vec3 joint_closed_slope(const joint_view *view, joint_row row)
{
    return tn_cross(joint_axis(view->first, row.last), joint_axis(view->first, row.first));
}

static inline TN_UNUSED tn_status joint_closing_residuals(tn_batch *batch, joint_rows_of rows_of)
{
    tn_status worst = TN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        const joint_table rows = rows_of(tn_instance(batch, i));
        const joint_view view = joint_look(batch, TN_ANY, i);
        const joint_turn turn = joint_find_turn(&view, rows);
        double *to = joint_clear(batch->residual, i, rows.count);
        if (!view.active) continue;
        if (turn.refusal) worst = tn_note_failure(batch, i, worst, TN_RETRY, turn.refusal);
        for (uint32_t r = 0; r < rows.count; r++)
            to[r] = rows.row[r].primitive == PERPENDICULAR && turn.matters
                        ? tn_dot(turn.vector, joint_closed_slope(&view, rows.row[r]))
                        : joint_residual(&view, rows.row[r]);
    }
    return worst;
}

static inline TN_UNUSED tn_status joint_closing_gradients(tn_batch *batch, joint_rows_of rows_of)
{
    const uint32_t W = batch->wrench_size;
    for (uint32_t i = 0; i < batch->count; i++) {
        const joint_table rows = rows_of(tn_instance(batch, i));
        const joint_view view = joint_look(batch, TN_ANY, i);
        const bool turns = joint_find_turn(&view, rows).matters;
        double *to = joint_clear(batch->tangent, i, rows.count * W);
        for (uint32_t r = 0; view.active && r < rows.count; r++, to += W) {
            const joint_row row = rows.row[r];
            const tn_vec3 across =
                tn_cross(joint_axis(view.last, row.last), joint_axis(view.first, row.first));
            if (row.primitive != PERPENDICULAR || !(turns || tn_norm(across) < JOINT_PARALLEL)) {
                joint_gradient(&view, row, to);
                continue;
            }
            const tn_vec3 slope = joint_closed_slope(&view, row);
            joint_add(to + 3, -1.0, slope);
            joint_add(to + view.last_column + 3, 1.0, slope);
        }
    }
    return TN_OK;
}

#endif

#endif

/* tenon/kit/joint.h - joints between two frames: a type is a table of rows and a list of coordinates.
 *
 * All of a hinge about the common z axis, but for its descriptor:
 *
 *     TN_NO_PARAMETERS(hinge)
 *     TN_JOINT_ROWS(hinge, TN_FRAME, TN_JOINT_POINT, {TN_PERPENDICULAR, TN_X, TN_Z}, {TN_PERPENDICULAR, TN_Y, TN_Z})
 *     TN_JOINT_COORDINATES(hinge, {TN_ANGLE_IN_FIRST, TN_Z, TN_X})
 *     TN_PORTS(hinge, {"markers", "the two frames", TN_FRAME, 2, 2, 0})
 *     TN_OUTPUTS(hinge, TN_JOINT_OUTPUTS(TN_JOINT_FRAME_AXES, TN_JOINT_MIXED), TN_JOINT_ANGLE_OUTPUTS("angle", TN_JOINT_TURN))
 *     TN_JOINT_COORDINATE_NAMES(hinge, {"angle", TN_JOINT_TURN, "rad", 1, 0})
 *     TN_ELEMENT(hinge, ..., .flags = TN_KEEPS_RATES,
 *                TN_CAPABILITIES(TN_JOINT_HAS_ROWS(hinge), TN_JOINT_HAS_COORDINATES(hinge), TN_JOINT_COUNTS_TURNS(hinge)),
 *                .ports = hinge_ports, .outputs = hinge_outputs, TN_JOINT_FIELDS(hinge))
 *
 * joint_rows.h has the rows and their derivatives, joint_coordinates.h the coordinates, joint_closing.h what the rows are while
 * a start closes them. Rows that differ from one instance to the next: TN_JOINT_CONSTRAINT, as in the type `generic`.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only; its
 * file is built as VALUE_ONLY. */
#ifndef TENON_KIT_JOINT_H
#define TENON_KIT_JOINT_H

#include "tenon/kit/joint_closing.h"
#include "tenon/kit/joint_coordinates.h"

#if TN_VALUES

/* ---- outputs: what all joints have, then value and rate of every coordinate ------------------------------------ */

enum {
    TN_JOINT_FORCE,
    TN_JOINT_TORQUE,
    TN_JOINT_FORCE_LOCAL,
    TN_JOINT_TORQUE_LOCAL,
    TN_JOINT_ERROR,
    TN_JOINT_FIRST_COORDINATE
};
#define TN_JOINT_OUTPUTS(local_axes, error_unit)                                                             \
    [TN_JOINT_FORCE] = {"force", "on the last marker's body, ground axes", "N", 3, 0},                       \
    [TN_JOINT_TORQUE] = {"torque", "on the last marker's body, about its origin, ground axes", "N m", 3, 0}, \
    [TN_JOINT_FORCE_LOCAL] = {"force_local", "force, " local_axes, "N", 3, 0},                               \
    [TN_JOINT_TORQUE_LOCAL] = {"torque_local", "torque, " local_axes, "N m", 3, 0},                          \
    [TN_JOINT_ERROR] = {"constraint_error", "largest |g| of the joint's rows", error_unit, 1, 0}

#define TN_JOINT_FRAME_AXES "axes of the first marker"
#define TN_JOINT_MIXED "" /* rows of lengths and rows of cosines */
#define TN_JOINT_ANGLE_OUTPUTS(name, meaning) \
    {name, meaning, "rad", 1, 0}, { name "_rate", "its rate", "rad/s", 1, 0 }
#define TN_JOINT_TRANSLATION_OUTPUTS(name, meaning) \
    {name, meaning, "m", 1, 0}, { name "_rate", "its rate", "m/s", 1, 0 }
#define TN_JOINT_TURN "from x0 to x1 about z0; in (-pi, pi] at the start, then it counts turns"

/* Lines of formulas. */
#define TN_JOINT_GAP_FORMULA "d = p1 - p0\n"
#define TN_JOINT_ROTATION_FORMULA "y0 . z1 = 0,  z0 . x1 = 0,  x0 . y1 = 0"
#define TN_JOINT_ANGLE_FORMULA "angle = atan2(y0 . x1, x0 . x1), with all turns since the start"

/* Force and torque on the last marker as they are, or in the axes of the first one; a point has ground axes. */
static inline TN_UNUSED void tn_joint_reaction(const tn_batch *batch, uint32_t i, uint32_t output,
                                               double *value)
{
    const tn_joint_view view = tn_joint_look(batch, TN_ANY, i);
    const double *wrench = batch->wrench + (size_t)i * batch->wrench_size + view.last_column;
    const bool is_torque = output == TN_JOINT_TORQUE || output == TN_JOINT_TORQUE_LOCAL;
    const bool is_local = output == TN_JOINT_FORCE_LOCAL || output == TN_JOINT_TORQUE_LOCAL;
    tn_vec3 reaction = tn_zero();
    if (!is_torque)
        reaction = tn_joint_vector(wrench);
    else if (batch->marker_kind[1] == TN_FRAME)
        reaction = tn_joint_vector(wrench + 3);
    for (uint32_t axis = TN_X; axis <= TN_Z; axis++)
        value[axis] = is_local ? tn_dot(tn_joint_axis(view.first, axis), reaction) : reaction.e[axis];
}

/* Zero while it is not active: then it has no rows. */
static inline TN_UNUSED double tn_joint_error(const tn_joint_view *view, tn_joint_table rows)
{
    double error = 0.0;
    for (uint32_t r = 0; view->active && r < rows.count; r++)
        error = fmax(error, fabs(tn_joint_residual(view, rows.row[r])));
    return error;
}

static inline TN_UNUSED tn_status tn_joint_output(tn_batch *batch, tn_joint_rows_of rows_of,
                                                  tn_joint_coordinate_list coordinates)
{
    tn_status worst = TN_OK;
    const uint32_t output = batch->output, place = output - TN_JOINT_FIRST_COORDINATE;
    const uint32_t size = output < TN_JOINT_ERROR ? 3 : 1;
    for (uint32_t i = batch->first; i < batch->first + batch->count; i++) {
        double *value = batch->value + (size_t)(i - batch->first) * size, measured[2] = {0.0};
        const tn_joint_view view = tn_joint_look(batch, TN_ANY, i);
        if (output < TN_JOINT_ERROR) {
            tn_joint_reaction(batch, i, output, value);
        } else if (output == TN_JOINT_ERROR) {
            *value = tn_joint_error(&view, rows_of(tn_instance(batch, i)));
        } else {
            tn_context context = tn_context_at(batch, i);
            const tn_status status = tn_joint_measure(&view, coordinates, place / 2, &context, measured);
            if (status != TN_OK) worst = tn_note_failure(batch, i, worst, status, context.message);
            *value = measured[place % 2];
        }
    }
    return worst;
}

/* ---- types ----------------------------------------------------------------------------------------------- */

/* Layout and output of a type with its rows (see joint_rows.h) and these coordinates. */
#define TN_JOINT_COORDINATES(name, ...)                                                                     \
    static const tn_joint_coordinate name##_measured[] = {__VA_ARGS__};                                     \
    static const tn_joint_coordinate_list name##_list = {name##_measured,                                   \
                                                         sizeof name##_measured / sizeof *name##_measured}; \
    static tn_status name##_coordinate(tn_batch *batch)                                                     \
    {                                                                                                       \
        return tn_joint_coordinate_values(batch, name##_list);                                              \
    }                                                                                                       \
    static tn_status name##_coordinate_tangent(tn_batch *batch)                                             \
    {                                                                                                       \
        return tn_joint_coordinate_tangents(batch, name##_list);                                            \
    }                                                                                                       \
    TN_UNUSED static tn_status name##_accepted(tn_batch *batch)                                             \
    {                                                                                                       \
        return tn_joint_count_turns(batch, name##_list);                                                    \
    }                                                                                                       \
    TN_JOINT_COMMON(name)

#define TN_JOINT_WITHOUT_COORDINATES(name)                         \
    static const tn_joint_coordinate_list name##_list = {NULL, 0}; \
    TN_JOINT_COMMON(name)

#define TN_JOINT_COMMON(name)                                                                    \
    static tn_status name##_layout(const tn_host *host, const void *instance, tn_layout *layout) \
    {                                                                                            \
        (void)host;                                                                              \
        layout->position_rows = name##_rows_of(instance).count;                                  \
        layout->nd = tn_joint_kept(name##_list, name##_list.count);                              \
        return TN_OK;                                                                            \
    }                                                                                            \
    static tn_status name##_output(tn_batch *batch)                                              \
    {                                                                                            \
        return tn_joint_output(batch, name##_rows_of, name##_list);                              \
    }

/* Fields of the type; and capabilities, of which the last one is for types flagged TN_KEEPS_RATES. */
#define TN_JOINT_FIELDS(name) .layout = name##_layout, .output = name##_output
#define TN_JOINT_HAS_CONSTANT_ROWS(name) \
    TN_HAS(constraint, .constraint = name##_constraint, .constraint_rows = name##_constraint_rows)
#define TN_JOINT_HAS_ROWS(name)                                                                    \
    TN_HAS(constraint, .constraint = name##_constraint, .constraint_rows = name##_constraint_rows, \
           .constraint_bias = name##_constraint_bias, .constraint_stiffness = name##_constraint_stiffness)
#define TN_JOINT_COORDINATE_NAMES(name, ...) static const tn_output name##_coordinates[] = {__VA_ARGS__, {0}};
#define TN_JOINT_HAS_COORDINATES(name)                                                      \
    TN_HAS(coordinates, .coordinates = name##_coordinates, .coordinate = name##_coordinate, \
           .coordinate_tangent = name##_coordinate_tangent)
#define TN_JOINT_COUNTS_TURNS(name) TN_HAS(data, .accepted = name##_accepted)

#define TN_JOINT_LITERATURE                                                                                  \
    "Haug: Computer Aided Kinematics and Dynamics of Mechanical Systems, Allyn and Bacon, 1989, chapter 9\n" \
    "Nikravesh: Computer-Aided Analysis of Mechanical Systems, Prentice-Hall, 1988, chapter 7"

#endif

#endif

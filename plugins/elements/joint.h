/* joint.h - what joints have in common: outputs, and the functions of a type that is a table of rows and a list of
 * coordinates. */
#ifndef TENON_JOINT_H
#define TENON_JOINT_H

#include "joint_closing.h"
#include "joint_coordinates.h"

#if TN_VALUES

/* ---- outputs: what all joints have, then value and rate of every coordinate ------------------------------------ */

enum {
    JOINT_FORCE,
    JOINT_TORQUE,
    JOINT_FORCE_LOCAL,
    JOINT_TORQUE_LOCAL,
    JOINT_ERROR,
    JOINT_FIRST_COORDINATE
};
#define JOINT_OUTPUTS(local_axes, error_unit)                                                             \
    [JOINT_FORCE] = {"force", "on the last marker's body, ground axes", "N", 3, 0},                       \
    [JOINT_TORQUE] = {"torque", "on the last marker's body, about its origin, ground axes", "N m", 3, 0}, \
    [JOINT_FORCE_LOCAL] = {"force_local", "force, " local_axes, "N", 3, 0},                               \
    [JOINT_TORQUE_LOCAL] = {"torque_local", "torque, " local_axes, "N m", 3, 0},                          \
    [JOINT_ERROR] = {"constraint_error", "largest |g| of the joint's rows", error_unit, 1, 0}

#define JOINT_FRAME_AXES "axes of the first marker"
#define JOINT_MIXED "" /* rows of lengths and rows of cosines */
#define JOINT_ANGLE_OUTPUTS(name, meaning) \
    {name, meaning, "rad", 1, 0}, { name "_rate", "its rate", "rad/s", 1, 0 }
#define JOINT_TRANSLATION_OUTPUTS(name, meaning) \
    {name, meaning, "m", 1, 0}, { name "_rate", "its rate", "m/s", 1, 0 }
#define JOINT_TURN "from x0 to x1 about z0; in (-pi, pi] at the start, then it counts turns"

/* Lines of formulas. */
#define JOINT_GAP_FORMULA "d = p1 - p0\n"
#define JOINT_ROTATION_FORMULA "y0 . z1 = 0,  z0 . x1 = 0,  x0 . y1 = 0"
#define JOINT_ANGLE_FORMULA "angle = atan2(y0 . x1, x0 . x1), with all turns since the start"

/* Force and torque on the last marker as they are, or in the axes of the first one; a point has ground axes. */
static inline TN_UNUSED void joint_reaction(const tn_batch *batch, uint32_t i, uint32_t output, double *value)
{
    const joint_view view = joint_look(batch, TN_ANY, i);
    const double *wrench = batch->wrench + (size_t)i * batch->wrench_size + view.last_column;
    const bool is_torque = output == JOINT_TORQUE || output == JOINT_TORQUE_LOCAL;
    const bool is_local = output == JOINT_FORCE_LOCAL || output == JOINT_TORQUE_LOCAL;
    tn_vec3 reaction = tn_zero();
    if (!is_torque)
        reaction = joint_vector(wrench);
    else if (batch->marker_kind[1] == TN_FRAME)
        reaction = joint_vector(wrench + 3);
    for (uint32_t axis = X; axis <= Z; axis++)
        value[axis] = is_local ? tn_dot(joint_axis(view.first, axis), reaction) : reaction.e[axis];
}

/* Zero while it is not active: then it has no rows. */
static inline TN_UNUSED double joint_error(const joint_view *view, joint_table rows)
{
    double error = 0.0;
    for (uint32_t r = 0; view->active && r < rows.count; r++)
        error = fmax(error, fabs(joint_residual(view, rows.row[r])));
    return error;
}

static inline TN_UNUSED tn_status joint_output(tn_batch *batch, joint_rows_of rows_of,
                                               joint_coordinate_list coordinates)
{
    tn_status worst = TN_OK;
    const uint32_t output = batch->output, place = output - JOINT_FIRST_COORDINATE;
    const uint32_t size = output < JOINT_ERROR ? 3 : 1;
    for (uint32_t i = batch->first; i < batch->first + batch->count; i++) {
        double *value = batch->value + (size_t)(i - batch->first) * size, measured[2] = {0.0};
        const joint_view view = joint_look(batch, TN_ANY, i);
        if (output < JOINT_ERROR) {
            joint_reaction(batch, i, output, value);
        } else if (output == JOINT_ERROR) {
            *value = joint_error(&view, rows_of(tn_instance(batch, i)));
        } else {
            tn_context context = joint_context(batch, i);
            const tn_status status = joint_measure(&view, coordinates, place / 2, &context, measured);
            if (status != TN_OK) worst = tn_note_failure(batch, i, worst, status, context.message);
            *value = measured[place % 2];
        }
    }
    return worst;
}

/* ---- types ----------------------------------------------------------------------------------------------- */

/* Layout and output of a type with its rows (see joint_rows.h) and these coordinates. */
#define JOINT_COORDINATES(name, ...)                                                                     \
    static const joint_coordinate name##_measured[] = {__VA_ARGS__};                                     \
    static const joint_coordinate_list name##_list = {name##_measured,                                   \
                                                      sizeof name##_measured / sizeof *name##_measured}; \
    static tn_status name##_coordinate(tn_batch *batch)                                                  \
    {                                                                                                    \
        return joint_coordinate_values(batch, name##_list);                                              \
    }                                                                                                    \
    static tn_status name##_coordinate_tangent(tn_batch *batch)                                          \
    {                                                                                                    \
        return joint_coordinate_tangents(batch, name##_list);                                            \
    }                                                                                                    \
    TN_UNUSED static tn_status name##_accepted(tn_batch *batch)                                          \
    {                                                                                                    \
        return joint_count_turns(batch, name##_list);                                                    \
    }                                                                                                    \
    JOINT_COMMON(name)

#define JOINT_WITHOUT_COORDINATES(name)                         \
    static const joint_coordinate_list name##_list = {NULL, 0}; \
    JOINT_COMMON(name)

#define JOINT_COMMON(name)                                                                       \
    static tn_status name##_layout(const tn_host *host, const void *instance, tn_layout *layout) \
    {                                                                                            \
        (void)host;                                                                              \
        layout->position_rows = name##_rows_of(instance).count;                                  \
        layout->nd = joint_kept(name##_list, name##_list.count);                                 \
        return TN_OK;                                                                            \
    }                                                                                            \
    static tn_status name##_output(tn_batch *batch)                                              \
    {                                                                                            \
        return joint_output(batch, name##_rows_of, name##_list);                                 \
    }

/* Fields of the type, and capabilities. */
#define JOINT_FIELDS(name) .layout = name##_layout, .output = name##_output
#define JOINT_HAS_CONSTANT_ROWS(name) \
    TN_HAS(constraint, .constraint = name##_constraint, .constraint_rows = name##_constraint_rows)
#define JOINT_HAS_ROWS(name)                                                                       \
    TN_HAS(constraint, .constraint = name##_constraint, .constraint_rows = name##_constraint_rows, \
           .constraint_bias = name##_constraint_bias, .constraint_stiffness = name##_constraint_stiffness)
#define JOINT_COORDINATE_NAMES(name, ...) static const tn_output name##_coordinates[] = {__VA_ARGS__, {0}};
#define JOINT_HAS_COORDINATES(name)                                                         \
    TN_HAS(coordinates, .coordinates = name##_coordinates, .coordinate = name##_coordinate, \
           .coordinate_tangent = name##_coordinate_tangent)
/* of a type flagged TN_KEEPS_RATES */
#define JOINT_COUNTS_TURNS(name) TN_HAS(data, .accepted = name##_accepted)

#define JOINT_LITERATURE                                                                                     \
    "Haug: Computer Aided Kinematics and Dynamics of Mechanical Systems, Allyn and Bacon, 1989, chapter 9\n" \
    "Nikravesh: Computer-Aided Analysis of Mechanical Systems, Prentice-Hall, 1988, chapter 7"

#endif

#endif

/* local_frame.h - what the constraints of this family share: breaking, local frames {T1, T2, N}, outputs.
 *
 * Relative velocities U are those of the first marker against the second (or the ground), reactions R act on the first one's body. */
#ifndef TENON_SOLFEC_LOCAL_FRAME_H
#define TENON_SOLFEC_LOCAL_FRAME_H

#include <tenon/author.h>

/* Discrete data of all types; their own follow. */
enum {
    FOUND,  /* 1: what belongs to the start is known */
    BROKEN, /* 1 */
    ARMED, /* 1: a step has been taken; what breaks under the load of the start breaks then, as any event follows a change of sign */
    TO_TELL, /* 1: it has broken, and nobody was told */
    BREAK_TIME,
    BREAK_LOAD,
    SHARED_DATA
};

#define STRENGTH(P, of_what)                                                   \
    P(REAL, strength, "N", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, \
      of_what " at which it breaks; default: it does not break")

#define SOLFEC_LITERATURE                                                                          \
    "Koziara: Aspects of computational contact dynamics, PhD thesis, University of Glasgow, 2008 " \
    "(constraints in local "                                                                       \
    "frames)"

#if TN_VALUES

/* ---- frames ---------------------------------------------------------------------------------------------- */

/* {T1, T2, N} of a normal: T1 = x cross N, or y cross N where that is longer, of length 1; T2 = T1 cross N. */
static inline TN_UNUSED tn_mat3 frame_of_normal(tn_vec3 normal)
{
    const tn_vec3 across_x = tn_cross(tn_vector(1.0, 0.0, 0.0), normal);
    const tn_vec3 across_y = tn_cross(tn_vector(0.0, 1.0, 0.0), normal);
    const bool along_x = tn_norm(across_x) < 1e-6;
    const tn_vec3 first = along_x ? across_y : across_x;
    const tn_vec3 unit = tn_scale(1.0 / tn_norm(first), first);
    const tn_mat3 frame = {{unit, tn_cross(unit, normal), normal}};
    return frame;
}

/* The components of a vector in a frame whose rows are its axes. */
static inline TN_UNUSED void write_components(tn_mat3 frame, tn_vec3 vector, double *to)
{
    for (int k = 0; k < 3; k++)
        to[k] = tn_dot(frame.row[k], vector);
}

/* ---- rows of points that are together ---- */

/* p1, less p2 where there is one, into rows of zeros, W numbers each: the markers are points. */
static inline TN_UNUSED void write_coincidence(double *row, size_t W)
{
    for (size_t k = 0; k < 3; k++) {
        row[k * W + k] = 1.0;
        if (W == 6) row[k * W + 3 + k] = -1.0;
    }
}

/* ---- breaking --------------------------------------------------------------------------------------------- */

static inline TN_UNUSED bool is_broken(const double *data) { return data[BROKEN] != 0.0; }

/* An event function: what is left until it breaks, N. */
static inline TN_UNUSED double strength_left(const double *data, double left)
{
    if (is_broken(data)) return (double)NAN;
    return data[ARMED] != 0.0 ? left : fabs(left) + 1.0;
}

/* Says that it has broken, unless another one speaks in this step. */
static inline TN_UNUSED void tell_break(const tn_context *context, double *data)
{
    static _Thread_local char text[160];
    if (data[TO_TELL] == 0.0) return;
    if (context->batch->failure && context->batch->failure->message) return;
    if (data[BREAK_TIME] == context->time)
        (void)snprintf(text, sizeof text, "it has broken under %.6g N", data[BREAK_LOAD]);
    else
        (void)snprintf(text, sizeof text, "it has broken under %.6g N at %.9g s", data[BREAK_LOAD],
                       data[BREAK_TIME]);
    if (tn_warn(context, text)) data[TO_TELL] = 0.0;
}

static inline TN_UNUSED void break_now(const tn_context *context, double *data, double load)
{
    if (is_broken(data)) return;
    data[BROKEN] = data[TO_TELL] = 1.0;
    data[BREAK_TIME] = context->time;
    data[BREAK_LOAD] = load;
    tell_break(context, data);
}

/* Behind every accepted step. */
static inline TN_UNUSED void settle_strength(const tn_context *context, double *data)
{
    if (context->batch->step > 0.0) data[ARMED] = 1.0;
    tell_break(context, data);
}

/* ---- outputs ---------------------------------------------------------------------------------------------- */

enum { OUTPUT_U, OUTPUT_R, OUTPUT_FORCE, OUTPUT_BROKEN, OUTPUT_ERROR, OWN_OUTPUTS };
#define SHARED_OUTPUTS(error)                                                                             \
    [OUTPUT_U] = {"U", "velocity of the first marker against the second, or the ground, along T1, T2, N", \
                  "m/s", 3, 0},                                                                           \
    [OUTPUT_R] = {"R", "reaction on the first marker's body, along T1, T2, N", "N", 3, 0},                \
    [OUTPUT_FORCE] = {"force", "on the last marker's body, ground axes", "N", 3, 0},                      \
    [OUTPUT_BROKEN] = {"broken", "1: it has broken", "", 1, 0},                                           \
    [OUTPUT_ERROR] = {"constraint_error", error, "m", 1, 0}

/* Those that do not depend on the type; false for the others. */
static inline TN_UNUSED bool write_shared_output(const tn_context *context, uint32_t output, double *value)
{
    if (output == OUTPUT_BROKEN) *value = tn_data(context)[BROKEN];
    if (output == OUTPUT_FORCE) {
        const tn_wrench wrench = tn_wrench_on(context, context->batch->marker_count - 1);
        memcpy(value, wrench.force.e, sizeof wrench.force.e);
    }
    return output == OUTPUT_BROKEN || output == OUTPUT_FORCE;
}

#endif

#endif

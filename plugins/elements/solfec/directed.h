/* directed.h - rows along directions, fixed in space or carried by a body:
 *
 *     n_k . (p1 - p2) - c_k - (what is prescribed) = 0,   k = 1 ... rows
 *
 * p2 is zero where there is one marker. c_k makes it zero for the model as it is given, or where the element becomes active. */
#ifndef TENON_SOLFEC_DIRECTED_H
#define TENON_SOLFEC_DIRECTED_H

#include "local_frame.h"

#include <tenon/kit/drawing.h>

/* Own discrete data: c_k, and the directions in the axes of what carries them. */
enum {
    MOST_DIRECTIONS = 3,
    REFERENCE = SHARED_DATA,
    LOCAL = REFERENCE + MOST_DIRECTIONS,
    DIRECTED_DATA = LOCAL + 9
};

enum { FOLLOW_AUTOMATIC, FOLLOW_FIXED, FOLLOW_FIRST, FOLLOW_LAST };
#define FOLLOW_WORDS "automatic|fixed|first|last"
enum { NO_CARRIER = -1 };

typedef struct directed {
    uint32_t rows;
    int32_t follow;
    double n[MOST_DIRECTIONS][3]; /* at the start, ground axes, of length 1 */
} directed;

/* The marker that carries the directions. */
static inline TN_UNUSED int carrier_of(const directed *d, uint32_t markers, const uint32_t *kind)
{
    if (markers < 2) return NO_CARRIER;
    if (d->follow == FOLLOW_AUTOMATIC) return kind[0] == TN_FRAME ? 0 : NO_CARRIER;
    return d->follow == FOLLOW_FIRST ? 0 : d->follow == FOLLOW_LAST ? 1 : NO_CARRIER;
}

static inline TN_UNUSED tn_vec3 constant_vector(const double *e)
{
    return tn_vector(tn_constant(e[0]), tn_constant(e[1]), tn_constant(e[2]));
}

/* Components in the axes of a rotation, without derivatives. */
static inline TN_UNUSED void turn_back(tn_mat3 R, const double *n, double *local)
{
    for (int c = 0; c < 3; c++)
        local[c] =
            tn_value(R.row[0].e[c]) * n[0] + tn_value(R.row[1].e[c]) * n[1] + tn_value(R.row[2].e[c]) * n[2];
}

static inline TN_UNUSED tn_vec3 direction_now(const directed *d, const tn_marker_state *marker,
                                              const tn_context *context, uint32_t k)
{
    const double *data = tn_data(context);
    const int carrier = carrier_of(d, context->batch->marker_count, context->batch->marker_kind);
    double local[3];
    if (carrier == NO_CARRIER) return constant_vector(d->n[k]);
    if (data[FOUND] == 0.0) turn_back(marker[carrier].rotation, d->n[k], local);
    return tn_rotate(marker[carrier].rotation,
                     constant_vector(data[FOUND] != 0.0 ? data + LOCAL + 3 * k : local));
}

/* From the second marker, or the origin, to the first. */
static inline TN_UNUSED tn_vec3 separation_of(const tn_marker_state *marker, const tn_context *context)
{
    return context->batch->marker_count < 2 ? marker[0].position
                                            : tn_subtract(marker[0].position, marker[1].position);
}

/* Against the point of the body that carries the directions, where the other marker is now. */
static inline TN_UNUSED tn_vec3 velocity_between(const directed *d, const tn_marker_state *marker,
                                                 const tn_context *context)
{
    const int carrier = carrier_of(d, context->batch->marker_count, context->batch->marker_kind);
    if (context->batch->marker_count < 2) return marker[0].velocity;
    const tn_vec3 velocity = tn_subtract(marker[0].velocity, marker[1].velocity);
    if (carrier == NO_CARRIER) return velocity;
    return tn_subtract(velocity, tn_cross(marker[carrier].angular_velocity, separation_of(marker, context)));
}

/* The rows without what is prescribed. */
static inline TN_UNUSED tn_status write_directed_rows(const directed *d, const tn_marker_state *marker,
                                                      const tn_context *context, tn_real *row)
{
    const double *data = tn_data(context);
    if (data[BROKEN] != 0.0) return TN_OK;
    const tn_vec3 separation = separation_of(marker, context);
    for (uint32_t k = 0; k < d->rows; k++) {
        const tn_real along = tn_dot(direction_now(d, marker, context, k), separation);
        row[k] = along - (data[FOUND] != 0.0 ? data[REFERENCE + k] : tn_value(along));
    }
    return TN_OK;
}

#if TN_VALUES

/* ---- preparation ------------------------------------------------------------------------------------------ */

static inline TN_UNUSED tn_status set_direction(const tn_host *host, const double *direction, directed *d)
{
    const double largest = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
    if (isnan(direction[0])) return tn_refuse(host, NULL, "the key `direction` is missing");
    if (!(largest > 0.0)) return tn_refuse(host, "direction", "a direction must not be zero");
    const tn_vec3 given = tn_vector(direction[0] / largest, direction[1] / largest, direction[2] / largest);
    const tn_vec3 unit = tn_scale(1.0 / tn_norm(given), given);
    memcpy(d->n[0], unit.e, sizeof unit.e);
    d->rows = 1;
    return TN_OK;
}

/* The columns of a rotation matrix. */
static inline TN_UNUSED void set_base(const double *base, directed *d)
{
    for (int k = 0; k < 3; k++)
        for (int e = 0; e < 3; e++)
            d->n[k][e] = base[3 * e + k];
    d->rows = 3;
}

static inline TN_UNUSED tn_status lay_out_directed(const tn_host *host, const directed *d, bool breaks,
                                                   tn_layout *layout)
{
    const int carrier = carrier_of(d, layout->marker_count, layout->marker_kind);
    if (layout->marker_count < 2 && d->follow > FOLLOW_FIXED)
        return tn_refuse(host, "follow",
                         "a direction against the ground is fixed in space: it follows one of two markers");
    if (carrier != NO_CARRIER && layout->marker_kind[carrier] != TN_FRAME)
        return tn_refuse(host, "follow", "a direction cannot follow a point, which has no axes");
    layout->position_rows = d->rows;
    layout->nd = DIRECTED_DATA;
    layout->events = breaks;
    return TN_OK;
}

/* Each direction, where it is: on its carrier, or in space where the first marker begins. */
static inline TN_UNUSED tn_status draw_directions(const directed *d, uint32_t kind,
                                                  const tn_drawing_sink *sink)
{
    const int carrier = carrier_of(d, sink->markers, sink->marker_kind);
    tn_drawing drawing = {.kind = kind, .place = {{TN_AT_START, 0}}, .ground_axis = 1};
    if (carrier != NO_CARRIER) {
        drawing.place[0].at = TN_AT_MARKER;
        drawing.place[0].marker = (uint32_t)carrier;
    }
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < d->rows && status == TN_OK; k++) {
        memcpy(drawing.axis, d->n[k], sizeof drawing.axis);
        status = tn_draw(sink, drawing);
    }
    return status;
}

/* ---- data ------------------------------------------------------------------------------------------------- */

static const double nothing_prescribed[MOST_DIRECTIONS] = {0.0};

/* Remembers where the markers are, what is prescribed being reached there. */
static inline TN_UNUSED void find_reference(const directed *d, const tn_marker_state *marker,
                                            const tn_context *context, double *data, const double *prescribed)
{
    const tn_vec3 separation = separation_of(marker, context);
    const int carrier = carrier_of(d, context->batch->marker_count, context->batch->marker_kind);
    data[FOUND] = 0.0;
    for (uint32_t k = 0; k < d->rows; k++) {
        data[REFERENCE + k] = tn_dot(direction_now(d, marker, context, k), separation) - prescribed[k];
        if (carrier != NO_CARRIER) turn_back(marker[carrier].rotation, d->n[k], data + LOCAL + 3 * k);
    }
    data[FOUND] = 1.0;
}

/* ---- what it carries -------------------------------------------------------------------------------------- */

static inline TN_UNUSED double load_of(const tn_context *context)
{
    const uint32_t rows = context->batch->layout->position_rows;
    const double *lambda = context->batch->lambda + (size_t)context->instance * rows;
    double square = 0.0;
    for (uint32_t k = 0; k < rows; k++)
        square += lambda[k] * lambda[k];
    return sqrt(square);
}

/* Three directions are a frame by themselves, whose last one is the normal. */
static inline TN_UNUSED tn_mat3 directed_frame(const directed *d, const tn_marker_state *marker,
                                               const tn_context *context)
{
    tn_mat3 frame;
    if (d->rows == 1) return frame_of_normal(direction_now(d, marker, context, 0));
    for (uint32_t k = 0; k < 3; k++)
        frame.row[k] = direction_now(d, marker, context, k);
    return frame;
}

/* `prescribed`: what the rows are held at. */
static inline TN_UNUSED tn_status write_directed_output(const directed *d, const tn_marker_state *marker,
                                                        const tn_context *context, uint32_t output,
                                                        const double *prescribed, double *value)
{
    const bool acts = context->active && !is_broken(tn_data(context));
    const double *lambda = context->batch->lambda + (size_t)context->instance * d->rows;
    double row[MOST_DIRECTIONS] = {0.0};
    if (write_shared_output(context, output, value)) return TN_OK;
    switch (output) {
    case OUTPUT_U:
        write_components(directed_frame(d, marker, context), velocity_between(d, marker, context), value);
        break;
    case OUTPUT_R:
        for (uint32_t k = 0; k < 3; k++)
            value[k] = !acts ? 0.0 : d->rows == 3 ? lambda[k] : k == 2 ? lambda[0] : 0.0;
        break;
    default:
        (void)write_directed_rows(d, marker, context, row);
        *value = 0.0;
        for (uint32_t k = 0; acts && k < d->rows; k++)
            *value = fmax(*value, fabs(row[k] - prescribed[k]));
    }
    return TN_OK;
}

#endif

#endif

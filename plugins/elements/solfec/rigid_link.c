/* rigid_link.c - two points at a constant distance; points at one place stay together, as by a ball joint */
#include "local_frame.h"

#include <tenon/draft/places.h>
#include <tenon/kit/drawing.h>

#define RIGID_LINK(P)                                                                      \
    P(REAL, length, "m", TN_OPTIONAL, 0.0, 0.0, TN_UNBOUNDED,                              \
      "default: the distance in the model as it is given; 0: a ball joint")                \
    STRENGTH(P, "size of the reaction")                                                    \
    P(REAL, strength_tension, "N", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED,     \
      "tension at which it breaks; default: that of `strength`")                           \
    P(REAL, strength_compression, "N", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, \
      "compression at which it breaks; default: that of `strength`")

TN_PARAMETERS(rigid_link, RIGID_LINK)

/* Own discrete data: the length. */
enum { LENGTH = SHARED_DATA, LINK_DATA };

/* Points nearer than this share of the size of the model are at one place. */
#define NEAREST 1e-6

TN_CONSTRAINT(rigid_link)
{
    const double *data = tn_data(context);
    const tn_vec3 d = tn_subtract(marker[0].position, marker[1].position);
    if (data[BROKEN] != 0.0) return TN_OK;
    if (context->batch->layout->position_rows == 3) {
        for (int k = 0; k < 3; k++)
            row[k] = d.e[k];
        return TN_OK;
    }
    if (!(tn_square_of(d) > 0.0))
        return tn_retry(context, "its two points coincide: there is no direction between them");
    const tn_real distance = tn_norm(d);
    row[0] = distance - (data[FOUND] != 0.0 ? data[LENGTH] : tn_value(distance));
    return TN_OK;
}

#if TN_VALUES

/* ---- derivatives, by hand: chains have many links ---------------------------------------------------------- */

/* One that acts, and is no ball joint. Coincident points, which the residuals refuse, leave zeros. */
typedef struct link_view {
    tn_vec3 normal, rate;
    double distance;
} link_view;

static bool look(const tn_batch *batch, uint32_t i, link_view *seen)
{
    tn_marker_state marker[2];
    tn_load_markers(batch, TN_POINT, 2, i, marker, NULL);
    const tn_vec3 d = tn_subtract(marker[0].position, marker[1].position);
    seen->distance = tn_norm(d);
    seen->normal = tn_scale(1.0 / seen->distance, d);
    seen->rate = tn_subtract(marker[0].velocity, marker[1].velocity);
    return seen->distance > 0.0;
}

static bool acts_now(const tn_batch *batch, uint32_t i)
{
    const tn_context context = tn_context_at(batch, i);
    return context.active && !is_broken(tn_data(&context));
}

static tn_status rigid_link_rows(tn_batch *batch)
{
    const uint32_t rows = batch->layout->position_rows;
    link_view seen;
    memset(batch->tangent, 0, 6 * (size_t)rows * batch->count * sizeof *batch->tangent);
    for (uint32_t i = 0; i < batch->count; i++) {
        double *row = batch->tangent + 6 * (size_t)rows * i;
        if (!acts_now(batch, i)) continue;
        if (rows == 3) write_coincidence(row, 6);
        for (int k = 0; rows == 1 && look(batch, i, &seen) && k < 3; k++) {
            row[k] = seen.normal.e[k];
            row[3 + k] = -seen.normal.e[k];
        }
    }
    return TN_OK;
}

static tn_status rigid_link_bias(tn_batch *batch)
{
    const uint32_t rows = batch->layout->position_rows;
    link_view seen;
    memset(batch->residual, 0, (size_t)rows * batch->count * sizeof *batch->residual);
    for (uint32_t i = 0; rows == 1 && i < batch->count; i++) {
        if (!acts_now(batch, i) || !look(batch, i, &seen)) continue;
        const double along = tn_dot(seen.normal, seen.rate);
        batch->residual[i] = (tn_dot(seen.rate, seen.rate) - along * along) / seen.distance;
    }
    return TN_OK;
}

/* lambda (I - N N^T)/|d|, and its negative where the points are not the same. */
static tn_status rigid_link_stiffness(tn_batch *batch)
{
    link_view seen;
    memset(batch->tangent, 0, 36 * (size_t)batch->count * sizeof *batch->tangent);
    for (uint32_t i = 0; batch->layout->position_rows == 1 && i < batch->count; i++) {
        double *to = batch->tangent + 36 * (size_t)i;
        if (!acts_now(batch, i) || !look(batch, i, &seen)) continue;
        const double tension = batch->lambda[i] / seen.distance;
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++) {
                const double across =
                    (r % 3 == c % 3 ? 1.0 : 0.0) - seen.normal.e[r % 3] * seen.normal.e[c % 3];
                to[6 * r + c] = (r / 3 == c / 3 ? tension : -tension) * across;
            }
    }
    return TN_OK;
}

/* ---- preparation ------------------------------------------------------------------------------------------- */

/* What it breaks at in tension, in compression. */
static double strength_of(const rigid_link *self, bool tension)
{
    const double own = tension ? self->strength_tension : self->strength_compression;
    return !isnan(own) ? own : self->strength;
}

static tn_status find_distance(const tn_host *host, double *distance, double *size)
{
    const tn_places *places = host->extension(host, TN_PLACES_KEY);
    tn_vec3 end[2];
    for (uint32_t k = 0; k < 2; k++) {
        const tn_status status = places ? places->position(host, k, end[k].e) : TN_UNSUPPORTED;
        if (status != TN_OK) return status;
    }
    *distance = tn_norm(tn_subtract(end[0], end[1]));
    return places->size(host, size);
}

static tn_status rigid_link_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const rigid_link *self = instance;
    double distance = 1.0, size = 0.0;
    const bool known = find_distance(host, &distance, &size) == TN_OK;
    const bool together = known && distance <= NEAREST * size,
               ball = isnan(self->length) ? together : self->length == 0.0;
    const bool breaks =
        !isnan(self->strength) || !isnan(self->strength_tension) || !isnan(self->strength_compression);
    const bool tension = !isnan(self->strength_tension);
    if (ball && (tension || !isnan(self->strength_compression)))
        return tn_refuse(host, tension ? "strength_tension" : "strength_compression",
                         "a ball joint has no tension and no compression, but a `strength`");
    if (ball && isnan(self->length))
        tn_say(host, TN_NOTE, "its two points coincide (%.3g m apart): it is a ball joint", distance);
    layout->position_rows = ball ? 3 : 1;
    layout->nd = LINK_DATA;
    layout->events = breaks;
    return TN_OK;
}

static void find_length(const rigid_link *self, const tn_marker_state *marker, double *data)
{
    const double distance = tn_norm(tn_subtract(marker[0].position, marker[1].position));
    data[LENGTH] = isnan(self->length) ? distance : self->length;
    data[FOUND] = 1.0;
}

TN_FOR_INSTANCES(rigid_link, at_start, TN_POINT, 2, double *data = tn_own_data(context);
                 if (data[FOUND] == 0.0) find_length(self, marker, data))
TN_ACCEPTED(rigid_link, TN_POINT, 2)
{
    if (data[FOUND] == 0.0) find_length(self, marker, data);
    settle_strength(context, data);
}

static double load_of(const tn_context *context)
{
    const uint32_t rows = context->batch->layout->position_rows;
    const double *lambda = context->batch->lambda + (size_t)context->instance * rows;
    return rows == 1 ? -lambda[0] : tn_norm(tn_vector(lambda[0], lambda[1], lambda[2]));
}

/* Tension is positive. */
TN_EVENTS(rigid_link, TN_POINT, 2)
{
    const double load = load_of(context);
    value[0] = strength_left(
        tn_data(context), fmin(isnan(strength_of(self, true)) ? HUGE_VAL : strength_of(self, true) - load,
                               isnan(strength_of(self, false)) ? HUGE_VAL : strength_of(self, false) + load));
}
TN_ON_EVENT(rigid_link, TN_POINT, 2)
{
    if (sign[0] < 0.0) break_now(context, data, load_of(context));
}

enum { OUTPUT_LENGTH = OWN_OUTPUTS };
TN_PORTS(rigid_link, {"markers", "the two points", TN_POINT, 2, 2, 0})
TN_OUTPUTS(rigid_link, SHARED_OUTPUTS("how far the distance is off; of a ball joint the largest component"),
           [OUTPUT_LENGTH] = {"length", "distance of the two points", "m", 1, 0})

static double error_of(const rigid_link *self, const tn_marker_state *marker, tn_context *context)
{
    double row[3] = {0.0};
    if (context->active) (void)rigid_link_constraint_text(self, marker, context, row);
    context->message = NULL;
    return fmax(fabs(row[0]), fmax(fabs(row[1]), fabs(row[2])));
}

TN_OUTPUT(rigid_link, TN_POINT, 2)
{
    const uint32_t rows = batch->layout->position_rows;
    const double *lambda = batch->lambda + (size_t)i * rows;
    const bool acts = context->active && !is_broken(tn_data(context));
    const tn_vec3 d = tn_subtract(marker[0].position, marker[1].position);
    const double distance = tn_norm(d);
    const bool ball = rows == 3 || !(distance > 0.0);
    const tn_mat3 frame = ball ? tn_identity() : frame_of_normal(tn_scale(1.0 / distance, d));
    if (write_shared_output(context, output, value)) return TN_OK;
    if (output == OUTPUT_LENGTH) *value = distance;
    if (output == OUTPUT_ERROR) *value = error_of(self, marker, context);
    if (output == OUTPUT_U)
        write_components(frame, tn_subtract(marker[0].velocity, marker[1].velocity), value);
    for (uint32_t k = 0; output == OUTPUT_R && k < 3; k++)
        value[k] = !acts ? 0.0 : rows == 3 ? lambda[k] : k == 2 ? lambda[0] : 0.0;
    return TN_OK;
}

TN_DRAWS(rigid_link, {.kind = TN_DRAWN_ROD, TN_BETWEEN_MARKERS})

TN_SYNONYMS(rigid_link, {"put_rigid_link", NULL, NULL}, {"glue", NULL, NULL})
TN_ELEMENT(rigid_link, .summary = "keeps two points at a constant distance, or together",
           .formula =
               "|p1 - p2| = length,   U_N = 0, R_T = 0 in the frame {T1, T2, N = (p1 - p2)/|p1 - p2|}\n"
               "points at one place:   p1 = p2,   U = 0 in the frame {x, y, z} of the ground",
           .literature = SOLFEC_LITERATURE, .synonyms = rigid_link_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(TN_HAS(constraint, .constraint = rigid_link_constraint,
                                  .constraint_rows = rigid_link_rows, .constraint_bias = rigid_link_bias,
                                  .constraint_stiffness = rigid_link_stiffness),
                           TN_HAS(data, .accepted = rigid_link_accepted, .at_start = rigid_link_at_start),
                           TN_HAS(events, .events = rigid_link_events, .on_event = rigid_link_on_event),
                           TN_HAS_DRAWING(rigid_link)),
           .ports = rigid_link_ports, .outputs = rigid_link_outputs, .layout = rigid_link_layout,
           .output = rigid_link_output)

#endif

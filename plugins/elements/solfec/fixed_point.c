/* fixed_point.c - a point that stays where it is, or two points of bodies that stay together: a ball joint */
#include "local_frame.h"

#include <tenon/kit/drawing.h>

#define FIXED_POINT(P) STRENGTH(P, "size of the reaction")

TN_PARAMETERS(fixed_point, FIXED_POINT)

/* Own discrete data: the place of a single point. */
enum { PLACE = SHARED_DATA, POINT_DATA = PLACE + 3 };

TN_CONSTRAINT(fixed_point)
{
    const double *data = tn_data(context);
    if (data[BROKEN] != 0.0) return TN_OK;
    for (int k = 0; k < 3; k++) {
        const tn_real here = marker[0].position.e[k];
        if (context->batch->marker_count == 2)
            row[k] = here - marker[1].position.e[k];
        else
            row[k] = here - (data[FOUND] != 0.0 ? data[PLACE + k] : tn_value(here));
    }
    return TN_OK;
}

#if TN_VALUES

static tn_status fixed_point_layout(TN_UNUSED const tn_host *host, const void *instance, tn_layout *layout)
{
    const fixed_point *self = instance;
    layout->position_rows = 3;
    layout->nd = POINT_DATA;
    layout->events = isnan(self->strength) ? 0u : 1u;
    return TN_OK;
}

static void find_place(const tn_marker_state *marker, double *data)
{
    memcpy(data + PLACE, marker[0].position.e, sizeof marker[0].position.e);
    data[FOUND] = 1.0;
}

/* While it is not active the place goes along with the motion. */
TN_FOR_INSTANCES(fixed_point, at_start, TN_ANY, 2, double *data = tn_own_data(context); (void)self;
                 if (data[FOUND] == 0.0) find_place(marker, data))
TN_ACCEPTED(fixed_point, TN_ANY, 2)
{
    if (data[FOUND] == 0.0 || !context->active) find_place(marker, data);
    settle_strength(context, data);
}

static double load_of(const tn_context *context)
{
    const double *lambda = context->batch->lambda + (size_t)context->instance * 3;
    return tn_norm(tn_vector(lambda[0], lambda[1], lambda[2]));
}

TN_EVENTS(fixed_point, TN_ANY, 2)
{
    value[0] = strength_left(tn_data(context), self->strength - load_of(context));
}
TN_ON_EVENT(fixed_point, TN_ANY, 2)
{
    if (sign[0] < 0.0) break_now(context, data, load_of(context));
}

TN_PORTS(fixed_point,
         {"markers", "the point, held to the ground; or the two points, held together", TN_POINT, 1, 2, 0})
TN_OUTPUTS(fixed_point, SHARED_OUTPUTS("largest of the three distances along the axes"))
TN_OUTPUT(fixed_point, TN_ANY, 2)
{
    const bool acts = context->active && !is_broken(tn_data(context)), alone = batch->marker_count == 1;
    const tn_vec3 velocity = alone ? marker[0].velocity : tn_subtract(marker[0].velocity, marker[1].velocity);
    double row[3] = {0.0};
    if (write_shared_output(context, output, value)) return TN_OK;
    if (output == OUTPUT_ERROR) {
        if (acts) (void)fixed_point_constraint_text(self, marker, context, row);
        *value = fmax(fabs(row[0]), fmax(fabs(row[1]), fabs(row[2])));
        return TN_OK;
    }
    for (uint32_t k = 0; k < 3; k++)
        value[k] = output == OUTPUT_U ? velocity.e[k] : acts ? batch->lambda[3 * (size_t)i + k] : 0.0;
    return TN_OK;
}

/* The rows do not turn with the markers; they change where it breaks only. */
static tn_status fixed_point_rows(tn_batch *batch)
{
    const size_t W = batch->wrench_size;
    memset(batch->tangent, 0, 3 * W * batch->count * sizeof *batch->tangent);
    for (uint32_t i = 0; i < batch->count; i++) {
        const tn_context context = tn_context_at(batch, i);
        if (!context.active || is_broken(tn_data(&context))) continue;
        write_coincidence(batch->tangent + 3 * W * i, W);
    }
    return TN_OK;
}

static tn_status fixed_point_no_stiffness(tn_batch *batch)
{
    const size_t size = (size_t)batch->wrench_size * batch->wrench_size;
    memset(batch->tangent, 0, size * batch->count * sizeof *batch->tangent);
    return TN_OK;
}

TN_DRAWS(fixed_point, {.kind = TN_DRAWN_BALL})

TN_SYNONYMS(fixed_point, {"fix_point", NULL, NULL}, {"pin to the ground", NULL, NULL},
            {"point", "markers", NULL})
TN_ELEMENT(fixed_point, .summary = "keeps a point where it is, or two points together",
           .formula = "p1 = p1 at the start,   or with two markers   p1 = p2\n"
                      "U = 0 in the frame {T1, T2, N} = {x, y, z} of the ground",
           .literature = SOLFEC_LITERATURE, .synonyms = fixed_point_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(TN_HAS(constraint, .constraint = fixed_point_constraint,
                                  .constraint_rows = fixed_point_rows,
                                  .constraint_stiffness = fixed_point_no_stiffness),
                           TN_HAS(data, .accepted = fixed_point_accepted, .at_start = fixed_point_at_start),
                           TN_HAS(events, .events = fixed_point_events, .on_event = fixed_point_on_event),
                           TN_HAS_DRAWING(fixed_point)),
           .ports = fixed_point_ports, .outputs = fixed_point_outputs, .layout = fixed_point_layout,
           .output = fixed_point_output)

#endif

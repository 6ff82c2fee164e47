/* fixed_direction.c - a point that cannot move along a direction: against the ground, or against another body, in which it slides */
#include "directed.h"

#define FIXED_DIRECTION(P)                                                                                 \
    P(REALS, direction, 3, 0, "", TN_TURNS | TN_REQUIRED, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                \
      "direction at the start, ground axes, of any length")                                                \
    P(CHOICE, follow, FOLLOW_WORDS, 0, 0,                                                                  \
      "what carries the direction: nothing, or the body of a marker; automatic: of the first one of two, " \
      "if it has axes")                                                                                    \
    STRENGTH(P, "size of the reaction")                                                                    \
    P(PRIVATE, directed, rows)

TN_PARAMETERS(fixed_direction, FIXED_DIRECTION)

TN_CONSTRAINT(fixed_direction) { return write_directed_rows(&self->rows, marker, context, row); }

#if TN_VALUES

static tn_status fixed_direction_prepare(const tn_host *host, void *instance)
{
    fixed_direction *self = instance;
    self->rows.follow = self->follow;
    return set_direction(host, self->direction, &self->rows);
}

static tn_status fixed_direction_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const fixed_direction *self = instance;
    return lay_out_directed(host, &self->rows, !isnan(self->strength), layout);
}

/* While it is not active the place goes along with the motion. */
TN_FOR_INSTANCES(fixed_direction, at_start, TN_ANY, 2, double *data = tn_own_data(context);
                 if (data[FOUND] == 0.0)
                     find_reference(&self->rows, marker, context, data, nothing_prescribed))
TN_ACCEPTED(fixed_direction, TN_ANY, 2)
{
    if (data[FOUND] == 0.0 || !context->active)
        find_reference(&self->rows, marker, context, data, nothing_prescribed);
    settle_strength(context, data);
}

TN_EVENTS(fixed_direction, TN_ANY, 2)
{
    value[0] = strength_left(tn_data(context), self->strength - load_of(context));
}
TN_ON_EVENT(fixed_direction, TN_ANY, 2)
{
    if (sign[0] < 0.0) break_now(context, data, load_of(context));
}

TN_PORTS(fixed_direction,
         {"markers",
          "the point against the ground; or a point of the first body, and the point that slides in it",
          TN_ANY, 1, 2, 0})
TN_OUTPUTS(fixed_direction, SHARED_OUTPUTS("how far it is off"))
TN_OUTPUT(fixed_direction, TN_ANY, 2)
{
    return write_directed_output(&self->rows, marker, context, output, nothing_prescribed, value);
}

/* The point, and the direction that it cannot move along. */
static tn_status fixed_direction_draw(TN_UNUSED const tn_host *host, const void *instance,
                                      const tn_drawing_sink *sink)
{
    const fixed_direction *self = instance;
    const tn_status status = tn_draw(sink, (tn_drawing){.kind = TN_DRAWN_BALL});
    return status == TN_OK ? draw_directions(&self->rows, TN_DRAWN_SLIDE, sink) : status;
}

TN_SYNONYMS(fixed_direction, {"fix_direction", NULL, NULL}, {"point", "markers", NULL},
            {"normal", "direction", NULL})
TN_ELEMENT(
    fixed_direction, .summary = "keeps a point from moving along a direction",
    .formula =
        "n . (p1 - p1 at the start) = 0,   or with two markers   n . (p1 - p2) = its value at the start\n"
        "U_N = 0, R_T = 0 in the frame {T1, T2, N = n} at p2",
    .literature = SOLFEC_LITERATURE, .synonyms = fixed_direction_synonyms, .flags = TN_KEEPS_RATES,
    TN_CAPABILITIES(TN_HAS_CONSTRAINT(fixed_direction),
                    TN_HAS(data, .accepted = fixed_direction_accepted, .at_start = fixed_direction_at_start),
                    TN_HAS(events, .events = fixed_direction_events, .on_event = fixed_direction_on_event),
                    TN_HAS_DRAWING(fixed_direction)),
    .ports = fixed_direction_ports, .outputs = fixed_direction_outputs, .prepare = fixed_direction_prepare,
    .layout = fixed_direction_layout, .output = fixed_direction_output)

#endif

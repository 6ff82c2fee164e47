/* latch.c - a hook that snaps in where two points come near, and holds them as a spring from then on */
#include <tenon/author.h>

#define LATCH(P)                                                                                             \
    P(REAL, reach, "m", TN_REQUIRED | TN_ABOVE_LOW, 1.0, 0.0, TN_UNBOUNDED, "distance at which it snaps in") \
    P(REAL, stiffness, "N/m", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "of the hook")
TN_PARAMETERS(latch, LATCH)

/* Its discrete data: 1 when it has snapped in, and the largest stretch since, m. */
enum { LATCHED, LARGEST_STRETCH, LATCH_NUMBERS };

TN_FORCE(latch, TN_POINT, 2)
{
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
    const tn_real length = tn_norm(line);
    if (tn_data(context)[LATCHED] == 0.0) return TN_OK;
    if (tn_value(length) == 0.0) return tn_retry(context, "at length zero it has no direction");
    wrench[0].force = tn_scale(self->stiffness * (length - self->reach) / length, line);
    wrench[1].force = tn_negate(wrench[0].force);
    return TN_OK;
}

#if TN_VALUES
static double latch_stretch(const latch *self, const tn_marker_state *marker)
{
    return tn_norm(tn_subtract(marker[1].position, marker[0].position)) - self->reach;
}

static tn_status latch_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                              tn_layout *layout)
{
    layout->nd = LATCH_NUMBERS;
    layout->events = 1;
    return TN_OK;
}

TN_EVENTS(latch, TN_POINT, 2) { value[0] = latch_stretch(self, marker); }
TN_ON_EVENT(latch, TN_POINT, 2)
{
    if (sign[0] < 0.0) data[LATCHED] = 1.0; /* it snaps in, and stays */
}

TN_ACCEPTED(latch, TN_POINT, 2)
{
    if (data[LATCHED] != 0.0)
        data[LARGEST_STRETCH] = fmax(data[LARGEST_STRETCH], latch_stretch(self, marker));
}

TN_POTENTIAL(latch, TN_POINT, 2)
{
    const double stretch = latch_stretch(self, marker);
    return tn_data(context)[LATCHED] * 0.5 * self->stiffness * stretch * stretch;
}

TN_PORTS(latch, {"markers", "the two ends", TN_POINT, 2, 2, 0})
TN_OUTPUTS(latch, {"latched", "1: it has snapped in", "", 1, 0},
           {"largest_stretch", "since it has snapped in", "m", 1, 0})
TN_OUTPUT(latch, TN_POINT, 2)
{
    value[0] = tn_data(context)[output];
    return TN_OK;
}
TN_ELEMENT(latch, .summary = "hook that snaps in", .formula = "f = stiffness (|u| - reach) once |u| < reach",
           TN_CAPABILITIES(TN_HAS_FORCE(latch), TN_HAS(data, .accepted = latch_accepted),
                           TN_HAS(events, .events = latch_events, .on_event = latch_on_event),
                           TN_HAS(energy, .potential = latch_potential)),
           .ports = latch_ports, .outputs = latch_outputs, .layout = latch_layout, .output = latch_output)
TN_LIBRARY("latch", "1.0.0", "Apache-2.0", "hook that snaps in", {TN_ELEMENT_KIND, &latch_type})
#endif

/* maxwell.c - a spring and a damper in series, by the state of its tension */
#include <tenon/kit/drawing.h>

#define MAXWELL(P)                                                                  \
    P(REAL, stiffness, "N/m", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "of the spring") \
    P(REAL, time_constant, "s", TN_REQUIRED, 1.0, 1e-12, TN_UNBOUNDED, "damping over stiffness")
TN_PARAMETERS(maxwell, MAXWELL)

/* From the first marker to the second one. */
static inline tn_vec3 maxwell_direction(const tn_marker_state *marker)
{
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
    return tn_scale(1.0 / tn_norm(line), line);
}

TN_FORCE(maxwell, TN_POINT, 2)
{
    wrench[0].force = tn_scale(tn_states(context)[0], maxwell_direction(marker));
    wrench[1].force = tn_negate(wrench[0].force);
    return TN_OK;
}

TN_RATES(maxwell, TN_POINT, 2)
{
    const tn_vec3 velocity = tn_subtract(marker[1].velocity, marker[0].velocity);
    rate[0] = self->stiffness * tn_dot(maxwell_direction(marker), velocity) - x[0] / self->time_constant;
    return TN_OK;
}

#if TN_VALUES
static tn_status maxwell_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                                tn_layout *layout)
{
    layout->nx = 1;
    return TN_OK;
}
TN_DRAWS(maxwell, {.kind = TN_DRAWN_COIL, TN_BETWEEN_MARKERS})
TN_PORTS(maxwell, {"markers", "the two ends", TN_POINT, 2, 2, 0})
TN_OUTPUTS(maxwell, {"tension", "x", "N", 1, 0})
TN_OUTPUT(maxwell, TN_POINT, 2)
{
    value[0] = tn_states(context)[0];
    return TN_OK;
}
TN_ELEMENT(maxwell, .summary = "spring and damper in series", .formula = "x' = k v - x / tau, tension x",
           .ports = maxwell_ports, .outputs = maxwell_outputs, .layout = maxwell_layout,
           .output = maxwell_output,
           TN_CAPABILITIES(TN_HAS_FORCE(maxwell), TN_HAS_RATES(maxwell), TN_HAS_DRAWING(maxwell)))
TN_LIBRARY("maxwell", "1.0.0", "Apache-2.0", "Maxwell element", {TN_ELEMENT_KIND, &maxwell_type})
#endif

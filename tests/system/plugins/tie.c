/* tie.c - springs and dampers between the coordinates of two nodes of any size; with `struck` an impulse on the first ones */
#include <tenon/author.h>

#define TIE(P)                                                  \
    P(REAL, stiffness, "N/m", 0, 3.0, 0.0, TN_UNBOUNDED, "k")   \
    P(REAL, hardening, "N/m^3", 0, 0.0, 0.0, TN_UNBOUNDED, "c") \
    P(REAL, damping, "N s/m", 0, 0.0, 0.0, TN_UNBOUNDED, "d")   \
    P(REAL, struck, "N s", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "impulse at 0.5 s, on every coordinate")
TN_PARAMETERS(tie, TIE)

TN_FORCE(tie, TN_NODE, 2)
{
    for (uint32_t k = 0; k < tn_node_size(context->batch, 0); k++) {
        const tn_real u = marker[1].coordinates[k] - marker[0].coordinates[k];
        const tn_real f = self->stiffness * u + self->hardening * u * u * u +
                          self->damping * (marker[1].rates[k] - marker[0].rates[k]);
        wrench[0].generalized[k] = f;
        wrench[1].generalized[k] = -f;
    }
    return TN_OK;
}

#if TN_VALUES

TN_POTENTIAL(tie, TN_NODE, 2)
{
    double energy = 0.0;
    for (uint32_t k = 0; k < tn_node_size(context->batch, 0); k++) {
        const double u = marker[1].coordinates[k] - marker[0].coordinates[k];
        energy += 0.5 * self->stiffness * u * u + 0.25 * self->hardening * u * u * u * u;
    }
    return energy;
}

TN_DISSIPATION(tie, TN_NODE, 2)
{
    double power = 0.0;
    for (uint32_t k = 0; k < tn_node_size(context->batch, 0); k++) {
        const double speed = marker[1].rates[k] - marker[0].rates[k];
        power += self->damping * speed * speed;
    }
    return power;
}

TN_EVENTS(tie, TN_NODE, 2) { value[0] = self->struck != 0.0 ? context->time - 0.5 : (double)NAN; }

TN_ON_EVENT(tie, TN_NODE, 2)
{
    for (uint32_t k = 0; k < tn_node_size(context->batch, 0); k++) {
        impulse[0].generalized[k] = -self->struck;
        impulse[1].generalized[k] = self->struck;
    }
}

static tn_status tie_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)instance;
    layout->events = 1;
    if (layout->marker_kind[0] == layout->marker_kind[1]) return TN_OK;
    return tn_refuse(host, "nodes", "they have %u and %u coordinates", tn_pose_size(layout->marker_kind[0]),
                     tn_pose_size(layout->marker_kind[1]));
}

TN_PORTS(tie, {"nodes", "both ends", TN_NODE, 2, 2, 0})
TN_OUTPUTS(tie, {"pull", "on the last coordinate of the second node", "N", 1, 0})
TN_OUTPUT(tie, TN_NODE, 2)
{
    (void)output;
    *value = tn_wrench_on(context, 1).generalized[tn_node_size(batch, 1) - 1];
    return TN_OK;
}
TN_ELEMENT(tie, .summary = "springs between nodes", .formula = "f = k u + c u^3 + d du/dt",
           TN_CAPABILITIES(TN_HAS_FORCE(tie),
                           TN_HAS(energy, .potential = tie_potential, .dissipation = tie_dissipation),
                           TN_HAS(events, .events = tie_events, .on_event = tie_on_event)),
           .ports = tie_ports, .outputs = tie_outputs, .layout = tie_layout, .output = tie_output)
TN_LIBRARY("tie", "1.0.0", "Apache-2.0", "springs between nodes", {TN_ELEMENT_KIND, &tie_type})

#endif

/* node_law.c - a force between a frame and nodes of any size, with a state and an algebraic unknown that follow both */
#include <tenon/author.h>

#define NODE_LAW(P)                                                                         \
    P(REAL, stiffness, "", TN_DYNAMIC, 3.0, -TN_UNBOUNDED, TN_UNBOUNDED, "of the nodes, k") \
    P(REAL, damping, "", 0, 0.4, 0.0, TN_UNBOUNDED, "likewise")                             \
    P(REAL, delay, "s", 0, 0.3, 1e-3, TN_UNBOUNDED, "of the state")
TN_PARAMETERS(node_law, NODE_LAW)

/* The length of all coordinates together, smooth everywhere. */
static inline tn_real node_law_size(const tn_marker_state *marker, const tn_context *context)
{
    tn_real sum = tn_constant(1.0);
    for (uint32_t k = 1; k < context->batch->marker_count; k++)
        for (uint32_t j = 0; j < tn_node_size(context->batch, k); j++)
            sum = sum + marker[k].coordinates[j] * marker[k].coordinates[j];
    return tn_sqrt(sum);
}

TN_FORCE(node_law, TN_ANY, 3)
{
    const tn_real size = node_law_size(marker, context), x = tn_states(context)[0],
                  s = tn_unknowns(context)[0];
    const tn_vec3 axis = tn_rotate(marker[0].rotation, tn_vector(1.0, 0.0, 0.0));
    const tn_real height = marker[0].position.e[2] + s * marker[0].velocity.e[0];
    for (uint32_t k = 1; k < context->batch->marker_count; k++)
        for (uint32_t j = 0; j < tn_node_size(context->batch, k); j++)
            wrench[k].generalized[j] = -self->stiffness * size * marker[k].coordinates[j] -
                                       self->damping * marker[k].rates[j] * height + x * axis.e[j % 3];
    wrench[0].force = tn_scale(size + s, axis);
    wrench[0].torque = tn_scale(x * marker[1].rates[0], marker[0].angular_velocity);
    return TN_OK;
}

TN_RATES(node_law, TN_ANY, 3)
{
    rate[0] = (node_law_size(marker, context) * marker[1].rates[0] - x[0]) / self->delay;
    return TN_OK;
}

TN_ALGEBRAIC(node_law, TN_ANY, 3)
{
    residual[0] = 2.0 * s[0] + tn_sin(s[0]) - node_law_size(marker, context) * marker[0].position.e[1] -
                  tn_states(context)[0];
    return TN_OK;
}

#if TN_VALUES

static tn_status node_law_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nx = layout->ns = 1;
    return TN_OK;
}

TN_PORTS(node_law, {"frame", "whose axes turn the force", TN_FRAME, 1, 1, 0},
         {"nodes", "what is held together", TN_NODE, 1, 2, 0})
TN_OUTPUTS(node_law, {"pull", "generalized force on the first coordinate of the last node", "", 1, 0})
TN_OUTPUT(node_law, TN_ANY, 3)
{
    (void)output;
    *value = tn_wrench_on(context, batch->marker_count - 1).generalized[0];
    return TN_OK;
}
TN_ELEMENT(node_law, .summary = "a force on nodes", .formula = "f = -k |q| q - d z q' + x e",
           TN_CAPABILITIES(TN_HAS_FORCE(node_law), TN_HAS_RATES(node_law), TN_HAS_ALGEBRAIC(node_law)),
           .ports = node_law_ports, .outputs = node_law_outputs, .layout = node_law_layout,
           .output = node_law_output)
TN_LIBRARY("node_law", "1.0.0", "Apache-2.0", "force on nodes", {TN_ELEMENT_KIND, &node_law_type})

#endif

/* clamp.c - a constraint on a node, of as many coordinates as its body says: it stays where it was put */
#include <tenon/author.h>

#define CLAMP(P) P(REALS, at, 6, 0, "any", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "coordinates of the node")
TN_PARAMETERS(clamp, CLAMP)

TN_CONSTRAINT(clamp)
{
    for (uint32_t k = 0; k < tn_node_size(context->batch, 0); k++)
        row[k] = marker[0].coordinates[k] - self->at[k];
    return TN_OK;
}

#if TN_VALUES
static tn_status clamp_layout(const tn_host *host, TN_UNUSED const void *instance, tn_layout *layout)
{
    layout->position_rows = tn_pose_size(layout->marker_kind[0]);
    return layout->position_rows <= 6 ? TN_OK : tn_refuse(host, "node", "it has more than 6 coordinates");
}
TN_PORTS(clamp, {"node", "what is held", TN_NODE, 1, 1, 0})
TN_ELEMENT(clamp, .summary = "a node held in place", .formula = "q = at", .ports = clamp_ports,
           .layout = clamp_layout, TN_CAPABILITIES(TN_HAS_CONSTRAINT(clamp)))
TN_LIBRARY("clamp", "1.0.0", "Apache-2.0", "clamp of a node", {TN_ELEMENT_KIND, &clamp_type})
#endif

/* clamp.c - a constraint on a node, of as many coordinates as its body says: it stays where it was put */
#include <tenon/author.h>

#define CLAMP(P) P(LIST, at, TN_ANY_UNIT, 0, "coordinates of the node; none: zeros")
TN_PARAMETERS(clamp, CLAMP)

TN_CONSTRAINT(clamp)
{
    for (uint32_t k = 0; k < tn_node_size(context->batch, 0); k++)
        row[k] = marker[0].coordinates[k] - (self->at.count ? self->at.value[k] : 0.0);
    return TN_OK;
}

#if TN_VALUES
static tn_status clamp_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    const uint32_t size = tn_pose_size(layout->marker_kind[0]);
    const uint64_t given = ((const clamp *)instance)->at.count;
    layout->position_rows = size;
    if (given && given != size) return tn_refuse(host, "at", "the node has %u coordinates", size);
    return TN_OK;
}
TN_PORTS(clamp, {"node", "what is held", TN_NODE, 1, 1, 0})
TN_ELEMENT(clamp, .summary = "a node held in place", .formula = "q = at", .ports = clamp_ports,
           .layout = clamp_layout, TN_CAPABILITIES(TN_HAS_CONSTRAINT(clamp)))
TN_LIBRARY("clamp", "1.0.0", "Apache-2.0", "clamp of a node", {TN_ELEMENT_KIND, &clamp_type})
#endif

/* node_spring.c - a force between two nodes of beams: deflection against deflection, slope against slope */
#include <tenon/author.h>

#define NODE_SPRING(P)                                                                              \
    P(REALS, stiffness, 2, 0, "N/m; N m/rad", 0, 0.0, 0.0, TN_UNBOUNDED, "of deflection and slope") \
    P(REALS, damping, 2, 0, "N s/m; N m s/rad", 0, 0.0, 0.0, TN_UNBOUNDED, "likewise")
TN_PARAMETERS(node_spring, NODE_SPRING)

TN_FORCE(node_spring, TN_NODE_OF(2), 2)
{
    for (int k = 0; k < 2; k++) {
        const tn_real force = self->stiffness[k] * (marker[1].coordinates[k] - marker[0].coordinates[k]) +
                              self->damping[k] * (marker[1].rates[k] - marker[0].rates[k]);
        wrench[0].generalized[k] = force;
        wrench[1].generalized[k] = -force;
    }
    return TN_OK;
}

#if TN_VALUES
TN_PORTS(node_spring, {"nodes", "both ends", TN_NODE_OF(2), 2, 2, 0})
TN_ELEMENT(node_spring, .summary = "spring and damper between two nodes",
           .formula = "f = k (q2 - q1) + d (dq2/dt - dq1/dt)", .ports = node_spring_ports,
           TN_CAPABILITIES(TN_HAS_FORCE(node_spring)))
TN_LIBRARY("node_spring", "1.0.0", "Apache-2.0", "spring between nodes", {TN_ELEMENT_KIND, &node_spring_type})
#endif

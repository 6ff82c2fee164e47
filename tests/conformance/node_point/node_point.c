/* node_point.c - a point of a cable between two of its nodes, place and slope each, bent once more */
#include <tenon/author.h>

#define NODE_POINT(P) P(REAL, share, "", 0, 0.3, 0.0, 1.0, "of the way between the nodes")
TN_PARAMETERS(node_point, NODE_POINT)

TN_KINEMATICS(node_point, TN_POINT, TN_NODE_OF(6), 2)
{
    const tn_real s = self->share, p = s * s, c = p * s;
    const tn_real shape[4] = {1.0 - 3.0 * p + 2.0 * c, s - 2.0 * p + c, 3.0 * p - 2.0 * c, c - p};
    for (int k = 0; k < 3; k++) {
        tn_real *place = &out->position.e[k], *speed = &out->velocity.e[k];
        for (int e = 0; e < 4; e++) {
            *place = *place + shape[e] * marker[e / 2].coordinates[3 * (e % 2) + k];
            *speed = *speed + shape[e] * marker[e / 2].rates[3 * (e % 2) + k];
        }
        *place = *place + tn_sin(marker[0].coordinates[k] * marker[1].coordinates[k]);
        *speed = *speed + tn_cos(marker[0].coordinates[k] * marker[1].coordinates[k]) *
                              (marker[0].rates[k] * marker[1].coordinates[k] +
                               marker[0].coordinates[k] * marker[1].rates[k]);
    }
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(node_point, {"nodes", "both ends", TN_NODE_OF(6), 2, 2, 0})
TN_MARKER(node_point, .summary = "point between nodes", .formula = "r = N q", .kind = TN_POINT,
          .ports = node_point_ports, TN_CAPABILITIES(TN_HAS_KINEMATICS(node_point)))
TN_LIBRARY("node_point", "1.0.0", "Apache-2.0", "point between nodes", {TN_MARKER_KIND, &node_point_type})

#endif

/* halfway.c - a marker made of two others: the point halfway between them */
#include <tenon/author.h>

TN_NO_PARAMETERS(halfway)

TN_KINEMATICS(halfway, TN_POINT /* what it is */, TN_POINT /* its markers */, 2 /* at the most */)
{
    out->position = tn_scale(tn_constant(0.5), tn_add(marker[0].position, marker[1].position));
    out->velocity = tn_scale(tn_constant(0.5), tn_add(marker[0].velocity, marker[1].velocity));
    return TN_OK;
}

TN_PORTS(halfway, {"markers", "the two ends", TN_POINT, 2, 2, 0})
TN_MARKER(halfway, .summary = "point halfway between two others", .formula = "p = (p0 + p1)/2",
          .flags = TN_CONSTANT_SHARES, .kind = TN_POINT, TN_CAPABILITIES(TN_HAS_KINEMATICS(halfway)),
          .ports = halfway_ports)
TN_LIBRARY("halfway", "1.0.0", "Apache-2.0", "point halfway", {TN_MARKER_KIND, &halfway_type})

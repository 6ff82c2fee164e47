/* faulty_marker.c - the middle of two points, with the fault that is defined */
#include <tenon/author.h>

TN_NO_PARAMETERS(faulty)

TN_KINEMATICS(faulty, TN_POINT, TN_POINT, 2)
{
    out->position = tn_scale(tn_constant(0.5), tn_add(marker[0].position, marker[1].position));
#ifdef WRONG_VELOCITY
    out->velocity = tn_scale(tn_constant(0.4), tn_add(marker[0].velocity, marker[1].velocity));
#else
    out->velocity = tn_scale(tn_constant(0.5), tn_add(marker[0].velocity, marker[1].velocity));
#endif
    return TN_OK;
}

#if TN_VALUES
TN_PORTS(faulty, {"markers", "the two points", TN_POINT, 2, 2, 0})
TN_MARKER(faulty, .summary = "faulty", .formula = "p = (p1 + p2)/2", .kind = TN_POINT,
          TN_CAPABILITIES(TN_HAS_KINEMATICS(faulty)), .ports = faulty_ports)
TN_LIBRARY("faulty", "1.0.0", "Apache-2.0", "faulty", {TN_MARKER_KIND, &faulty_type})
#endif

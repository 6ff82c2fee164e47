/* bead_on_wire.c - a point held on a bent wire */
#include <tenon/author.h>

#define BEAD_ON_WIRE(P) \
    P(REAL, curvature, "1/m", TN_REQUIRED, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "of the wire where it is lowest")
TN_PARAMETERS(bead_on_wire, BEAD_ON_WIRE)

/* y = 0 and z = curvature x^2 / 2 in the axes of the wire */
TN_CONSTRAINT(bead_on_wire)
{
    const tn_vec3 place =
        tn_rotate_back(marker[0].rotation, tn_subtract(marker[1].position, marker[0].position));
    row[0] = place.e[1];
    row[1] = place.e[2] - 0.5 * self->curvature * place.e[0] * place.e[0];
    return TN_OK;
}

#if TN_VALUES
static tn_status bead_on_wire_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                                     tn_layout *layout)
{
    layout->position_rows = 2;
    return TN_OK;
}
TN_PORTS(bead_on_wire, {"wire", "its lowest point, where its plane is x-z", TN_FRAME, 1, 1, 0},
         {"bead", "the point on it", TN_POINT, 1, 1, 0})
TN_ELEMENT(bead_on_wire, .summary = "bead on a bent wire", .formula = "y = 0, z = curvature x^2 / 2",
           .ports = bead_on_wire_ports, .layout = bead_on_wire_layout,
           TN_CAPABILITIES(TN_HAS_CONSTRAINT(bead_on_wire)))
TN_LIBRARY("bead_on_wire", "1.0.0", "Apache-2.0", "bead on a wire", {TN_ELEMENT_KIND, &bead_on_wire_type})
#endif

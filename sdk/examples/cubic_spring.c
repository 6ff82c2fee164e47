/* cubic_spring.c - a spring that becomes stiffer as it is stretched: f = stiffness u + cubic u^3 */
#include <tenon/author.h>

#define CUBIC_SPRING(P)                                                                              \
    P(REAL, stiffness, "N/m", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "force per stretch")              \
    P(REAL, cubic, "N/m^3", TN_DYNAMIC, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "force per stretch cubed") \
    P(REAL, reference_length, "m", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "length without force")

TN_PARAMETERS(cubic_spring, CUBIC_SPRING)

TN_FORCE(cubic_spring, TN_POINT, 2)
{
    const tn_vec3 distance = tn_subtract(marker[1].position, marker[0].position);
    const tn_real length = tn_norm(distance), u = length - self->reference_length;
    if (tn_value(length) == 0.0) return tn_retry(context, "at length zero it has no direction");
    const tn_real force = self->stiffness * u + self->cubic * u * u * u;
    wrench[0].force = tn_scale(force / length, distance); /* positive pulls the points together */
    wrench[1].force = tn_negate(wrench[0].force);
    return TN_OK;
}

TN_PORTS(cubic_spring, {"markers", "the two end points", TN_POINT, 2, 2, 0})
TN_ELEMENT(cubic_spring, .summary = "spring with a cubic term", .formula = "f = stiffness u + cubic u^3",
           TN_CAPABILITIES(TN_HAS_FORCE(cubic_spring)), .ports = cubic_spring_ports)
TN_LIBRARY("cubic_spring", "1.0.0", "Apache-2.0", "cubic spring", {TN_ELEMENT_KIND, &cubic_spring_type})

/* misfit.c - a law for two markers, of a type whose port also takes one */
#include <tenon/author.h>

#define MISFIT(P) P(REAL, value, "N", 0, 1.0, 0.0, TN_UNBOUNDED, "force")

TN_PARAMETERS(misfit, MISFIT)

TN_FORCE(misfit, TN_POINT, 2)
{
    wrench[0].force.e[0] = self->value;
    wrench[1].force.e[0] = -self->value;
    return TN_OK;
}

TN_PORTS(misfit, {"markers", "one or two points", TN_POINT, 1, 2, 0})
TN_ELEMENT(misfit, .summary = "force along x", TN_CAPABILITIES(TN_HAS_FORCE(misfit)), .ports = misfit_ports)
TN_LIBRARY("misfit", "1.0.0", "Apache-2.0", "for tests", {TN_ELEMENT_KIND, &misfit_type})

/* forgetful.c - a spring that keeps its stretch where all of its kind do: it breaks the promise to threads, for the conformance checks */
#include <tenon/author.h>

#define FORGETFUL(P) P(REAL, stiffness, "N/m", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "of the spring")
TN_PARAMETERS(forgetful, FORGETFUL)

#if TN_VALUES
static volatile double kept[3];
#endif

TN_FORCE(forgetful, TN_POINT, 2)
{
    const tn_vec3 stretch = tn_subtract(marker[1].position, marker[0].position);
#if TN_VALUES
    for (int i = 0; i < 3; i++)
        kept[i] = stretch.e[i];
    for (volatile int k = 0; k < 1000; k++) /* work, during which another call may come */
        continue;
    wrench[0].force = tn_scale(self->stiffness, tn_vector(kept[0], kept[1], kept[2]));
#else
    wrench[0].force = tn_scale(self->stiffness, stretch);
#endif
    wrench[1].force = tn_negate(wrench[0].force);
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(forgetful, {"markers", "two points", TN_POINT, 2, 2, 0})
TN_ELEMENT(forgetful, .summary = "a spring for tests", .formula = "f = k d",
           TN_CAPABILITIES(TN_HAS_FORCE(forgetful)), .ports = forgetful_ports)
TN_LIBRARY("forgetful", "1.0.0", "Apache-2.0", "a spring for tests", {TN_ELEMENT_KIND, &forgetful_type})

#endif

/* scale.c - a spring whose output is the force that stands on its markers, for the conformance checks */
#include <tenon/author.h>

#define SCALE(P) P(REAL, stiffness, "N/m", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "of the spring")
TN_PARAMETERS(scale, SCALE)

TN_FORCE(scale, TN_POINT, 2)
{
    const tn_vec3 stretch = tn_subtract(marker[1].position, marker[0].position);
    wrench[0].force = tn_scale(self->stiffness, stretch);
    wrench[1].force = tn_negate(wrench[0].force);
    return TN_OK;
}

#if TN_VALUES

static tn_status scale_output(tn_batch *batch)
{
    for (uint32_t k = 0; k < batch->count; k++)
        batch->value[k] = batch->wrench[(size_t)(batch->first + k) * batch->wrench_size];
    return TN_OK;
}

TN_PORTS(scale, {"markers", "two points", TN_POINT, 2, 2, 0})
TN_OUTPUTS(scale, {"shown", "force on the first marker along x", "N", 1, 0})
TN_ELEMENT(scale, .summary = "a scale for tests", .formula = "f = k d", TN_CAPABILITIES(TN_HAS_FORCE(scale)),
           .ports = scale_ports, .outputs = scale_outputs, .output = scale_output)
TN_LIBRARY("scale", "1.0.0", "Apache-2.0", "a scale for tests", {TN_ELEMENT_KIND, &scale_type})

#endif

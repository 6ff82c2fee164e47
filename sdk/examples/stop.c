/* stop.c - an elastic floor, whose law switches where it is touched */
#include <tenon/author.h>

#define STOP(P) P(REAL, stiffness, "N/m", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "of the floor")
TN_PARAMETERS(stop, STOP)

TN_FORCE(stop, TN_POINT, 1)
{
    const tn_real height = marker[0].position.e[2];
    const bool closed = context->batch->frozen ? tn_data(context)[0] < 0.0 : tn_value(height) < 0.0;
    if (closed) wrench[0].force.e[2] = -self->stiffness * height;
    return TN_OK;
}

#if TN_VALUES
static tn_status stop_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance, tn_layout *layout)
{
    layout->nd = 1;
    return TN_OK;
}
TN_UPDATE(stop, TN_POINT, 1)
{
    const double height = marker[0].position.e[2], before = data[0];
    data[0] = height;
    if (height < 0.0 && before >= 0.0) /* the step should have ended at the impact */
        *recommended_step = context->batch->step - height / marker[0].velocity.e[2];
    return (height < 0.0) == (before < 0.0) ? 0.0 : fabs(self->stiffness * height); /* what changes, N */
}
TN_PORTS(stop, {"markers", "what falls", TN_POINT, 1, 1, 0})
TN_ELEMENT(stop, .summary = "elastic floor", .formula = "f = -k z where z < 0", .ports = stop_ports,
           .layout = stop_layout, TN_CAPABILITIES(TN_HAS_FORCE(stop), TN_HAS(data, .update = stop_update)))
TN_LIBRARY("stop", "1.0.0", "Apache-2.0", "elastic floor", {TN_ELEMENT_KIND, &stop_type})
#endif

/* slider.c - a bead on a bent wire by its own coordinate: a mass that depends on it */
#include <tenon/author.h>

#define SLIDER(P)                                                                                       \
    P(REAL, mass, "kg", TN_REQUIRED | TN_ABOVE_LOW, 1.0, 0.0, TN_UNBOUNDED, "of a bead on a bent wire") \
    P(REAL, curvature, "1/m", TN_REQUIRED, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                            \
      "of the wire where it is lowest")                                                                 \
    P(REAL, position, "m", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "x at the start")
TN_PARAMETERS(slider, SLIDER)

/* Its coordinate is x, on z = curvature x^2 / 2. */
TN_RESIDUAL(slider, 1 /* nq */, 1 /* nv */)
{
    const tn_real slope = self->curvature * q[0];
    const tn_real acceleration = (1.0 + slope * slope) * a[0] + self->curvature * slope * v[0] * v[0];
    residual[0] = self->mass * (acceleration - context->batch->gravity[2] * slope);
    return TN_OK;
}

#if TN_VALUES
static tn_status slider_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                               tn_layout *layout)
{
    layout->nq = layout->nv = 1;
    return TN_OK;
}
static tn_status slider_initial(TN_UNUSED const tn_host *host, const void *instance, double *q,
                                TN_UNUSED double *v, TN_UNUSED double *x, TN_UNUSED double *s,
                                TN_UNUSED double *d)
{
    q[0] = ((const slider *)instance)->position;
    return TN_OK;
}
static const char *const slider_units[] = {"m"};
TN_OUTPUTS(slider, {"position", "x", "m", 1, 0})
static tn_status slider_output(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->value[i] = batch->q[batch->first + i];
    return TN_OK;
}
TN_ELEMENT(slider, .summary = "bead on a bent wire", .formula = "z = curvature x^2 / 2",
           .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(body, .velocity_units = slider_units, TN_RESIDUAL_FIELDS(slider))),
           .outputs = slider_outputs, .layout = slider_layout, .initial = slider_initial,
           .output = slider_output)
TN_LIBRARY("slider", "1.0.0", "Apache-2.0", "bead on a bent wire", {TN_ELEMENT_KIND, &slider_type})
#endif

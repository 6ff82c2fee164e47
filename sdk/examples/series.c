/* series.c - two springs in series, by the place of the node between them */
#include <tenon/author.h>

#define SERIES(P)                                                                 \
    P(REAL, linear, "N/m", TN_REQUIRED, 0.0, 1e-9, TN_UNBOUNDED, "of one spring") \
    P(REAL, cubic, "N/m^3", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "of the other one")
TN_PARAMETERS(series, SERIES)

/* s: what the first spring takes of the distance */
TN_ALGEBRAIC(series, TN_POINT, 2)
{
    const tn_real rest = tn_norm(tn_subtract(marker[1].position, marker[0].position)) - s[0];
    residual[0] = self->linear * s[0] - self->cubic * rest * rest * rest;
    return TN_OK;
}

TN_FORCE(series, TN_POINT, 2)
{
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
    wrench[0].force = tn_scale(self->linear * tn_unknowns(context)[0] / tn_norm(line), line);
    wrench[1].force = tn_negate(wrench[0].force);
    return TN_OK;
}

#if TN_VALUES
static tn_status series_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                               tn_layout *layout)
{
    layout->ns = 1;
    return TN_OK;
}
TN_PORTS(series, {"markers", "the two ends", TN_POINT, 2, 2, 0})
TN_ELEMENT(series, .summary = "two springs in series", .formula = "k s = c (|u| - s)^3",
           TN_CAPABILITIES(TN_HAS_FORCE(series), TN_HAS_ALGEBRAIC(series)), .ports = series_ports,
           .layout = series_layout)
TN_LIBRARY("series", "1.0.0", "Apache-2.0", "two springs in series", {TN_ELEMENT_KIND, &series_type})
#endif

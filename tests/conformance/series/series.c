/* series.c - two springs in series and a node without mass between them, whose place on the line is an algebraic unknown: the first
 * spring hardens, and a damper with a delay, which has a state, pulls the node back to the first marker. */
#include <tenon/author.h>

#define SERIES(P)                                                                                      \
    P(REAL, first, "N/m", TN_DYNAMIC, 30.0, 1e-9, TN_UNBOUNDED, "stiffness of the first spring")       \
    P(REAL, hardening, "N/m^3", TN_DYNAMIC, 0.0, 0.0, TN_UNBOUNDED, "of the first spring, cubic")      \
    P(REAL, second, "N/m", TN_DYNAMIC, 20.0, 1e-9, TN_UNBOUNDED, "stiffness of the second spring")     \
    P(REAL, damping, "N s/m", 0, 0.0, 0.0, TN_UNBOUNDED, "of both springs, each by itself")            \
    P(REAL, relaxing, "N/m", 0, 0.0, 0.0, TN_UNBOUNDED, "stiffness of a spring that relaxes, at node") \
    P(REAL, delay, "s", 0, 0.3, 1e-9, TN_UNBOUNDED, "in which it relaxes")

TN_PARAMETERS(series, SERIES)

/* How far the markers are apart, the direction of the line, and how fast they part. */
static inline tn_real series_line(const tn_marker_state *marker, tn_vec3 *direction, tn_real *speed)
{
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
    const tn_real length = tn_norm(line);
    *direction = tn_scale(1.0 / length, line);
    *speed = tn_dot(*direction, tn_subtract(marker[1].velocity, marker[0].velocity));
    return length;
}

/* What pulls the node to the first marker; s: its distance from there. */
static inline tn_real series_pull(const series *self, tn_real s, tn_real x)
{
    return self->first * s + self->hardening * s * s * s + self->relaxing * (s - x);
}

TN_FORCE(series, TN_POINT, 2)
{
    tn_vec3 direction;
    tn_real speed;
    (void)series_line(marker, &direction, &speed);
    const tn_real pull =
        series_pull(self, tn_unknowns(context)[0], tn_states(context)[0]) + self->damping * speed;
    wrench[0].force = tn_scale(pull, direction);
    wrench[1].force = tn_negate(wrench[0].force);
    return TN_OK;
}

TN_RATES(series, TN_POINT, 2)
{
    rate[0] = (tn_unknowns(context)[0] - x[0]) / self->delay;
    return TN_OK;
}

/* Half of the damping acts on the node, too: it moves with half the speed, more or less. */
TN_ALGEBRAIC(series, TN_POINT, 2)
{
    tn_vec3 direction;
    tn_real speed;
    const tn_real length = series_line(marker, &direction, &speed);
    residual[0] = series_pull(self, s[0], tn_states(context)[0]) - self->second * (length - s[0]) +
                  0.1 * self->damping * speed;
    return TN_OK;
}

#if TN_VALUES

static tn_status series_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nx = 1;
    layout->ns = 1;
    return TN_OK;
}

/* Somewhere: the start of a run finds the node. */
static tn_status series_initial(const tn_host *host, const void *instance, double *q, double *v, double *x,
                                double *s, double *d)
{
    (void)host, (void)instance, (void)q, (void)v, (void)d;
    x[0] = 0.0;
    s[0] = 0.5;
    return TN_OK;
}

TN_PORTS(series, {"markers", "the two ends", TN_POINT, 2, 2, 0})
TN_OUTPUTS(series, {"node", "its distance from the first marker", "m", 1, 0})
TN_OUTPUT(series, TN_POINT, 2)
{
    (void)output;
    *value = tn_unknowns(context)[0];
    return TN_OK;
}
TN_ELEMENT(series, .summary = "springs in series", .formula = "0 = k s + c s^3 - l (|u| - s)",
           TN_CAPABILITIES(TN_HAS_FORCE(series), TN_HAS_RATES(series), TN_HAS_ALGEBRAIC(series)),
           .ports = series_ports, .outputs = series_outputs, .layout = series_layout,
           .initial = series_initial, .output = series_output)
TN_LIBRARY("series", "1.0.0", "Apache-2.0", "springs in series", {TN_ELEMENT_KIND, &series_type})

#endif

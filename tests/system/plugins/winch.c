/* winch.c - holds a point at a distance from the z axis and at a height that are both driven in time */
#include <tenon/author.h>

#define WINCH(P)                                                                         \
    P(REAL, swell, "", 0, 0.3, -0.9, 0.9,                                                \
      "of the inverse square of the distance, which is 1 m^-2 at the start")             \
    P(REAL, height, "m", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "amplitude of the height") \
    P(REAL, frequency, "rad/s", 0, 1.0, 0.0, TN_UNBOUNDED, "of both")

TN_PARAMETERS(winch, WINCH)

TN_CONSTRAINT(winch)
{
    const tn_vec3 p = marker[0].position;
    const tn_real wave = tn_sin(self->frequency * tn_time(context));
    row[0] = (p.e[0] * p.e[0] + p.e[1] * p.e[1]) * (1.0 + self->swell * wave) - 1.0;
    row[1] = p.e[2] - self->height * wave;
    return TN_OK;
}

#if TN_VALUES

static tn_status winch_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->position_rows = 2;
    return TN_OK;
}

TN_PORTS(winch, {"markers", "the point", TN_POINT, 1, 1, 0})
TN_ELEMENT(winch, .summary = "drives a point", .formula = "see its source",
           TN_CAPABILITIES(TN_HAS_CONSTRAINT(winch)), .ports = winch_ports, .layout = winch_layout)
TN_LIBRARY("winch", "1.0.0", "Apache-2.0", "drives a point", {TN_ELEMENT_KIND, &winch_type})

#endif

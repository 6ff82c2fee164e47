/* bounce.c - a ball and a plane z = 0: impacts by impulses */
#include <tenon/author.h>
#if TN_VALUES
#define BOUNCE(P)                                                                                  \
    P(REAL, restitution, "", TN_REQUIRED, 0.0, 0.0, 1.0, "speed behind an impact, of that before") \
    P(REAL, mass, "kg", TN_REQUIRED | TN_ABOVE_LOW, 1.0, 0.0, TN_UNBOUNDED, "of the ball")
TN_PARAMETERS(bounce, BOUNCE)

static tn_status bounce_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                               tn_layout *layout)
{
    layout->events = 1;
    return TN_OK;
}

TN_EVENTS(bounce, TN_POINT, 1) { value[0] = marker[0].position.e[2]; }
TN_ON_EVENT(bounce, TN_POINT, 1)
{
    const double speed = marker[0].velocity.e[2];
    if (sign[0] < 0.0 && speed < 0.0) impulse[0].force.e[2] = -(1.0 + self->restitution) * self->mass * speed;
}

TN_PORTS(bounce, {"markers", "the ball", TN_POINT, 1, 1, 0})
TN_ELEMENT(bounce, .summary = "plane that a ball bounces on", .formula = "v+ = -restitution v- at z = 0",
           TN_CAPABILITIES(TN_HAS(events, .events = bounce_events, .on_event = bounce_on_event)),
           .ports = bounce_ports, .layout = bounce_layout)
TN_LIBRARY("bounce", "1.0.0", "Apache-2.0", "plane that a ball bounces on", {TN_ELEMENT_KIND, &bounce_type})
#endif

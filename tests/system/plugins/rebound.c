/* rebound.c - a point rebounds from the plane z = 0: impulses at an event */
#include <tenon/author.h>

#define REBOUND(P)                                                           \
    P(REAL, mass, "kg", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "of the point") \
    P(REAL, restitution, "", 0, 1.0, 0.0, 1.0, "speed behind over speed before")
TN_PARAMETERS(rebound, REBOUND)

#if TN_VALUES

static tn_status rebound_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->events = 1;
    return TN_OK;
}

TN_PORTS(rebound, {"markers", "what falls", TN_POINT, 1, 1, 0})
TN_EVENTS(rebound, TN_POINT, 1) { value[0] = marker[0].position.e[2]; }
TN_ON_EVENT(rebound, TN_POINT, 1)
{
    const double speed = marker[0].velocity.e[2];
    if (sign[0] < 0.0 && speed < 0.0) impulse[0].force.e[2] = -(1.0 + self->restitution) * self->mass * speed;
}
TN_ELEMENT(rebound, .summary = "a plane to rebound from", .formula = "v+ = -e v-",
           TN_CAPABILITIES(TN_HAS(events, .events = rebound_events, .on_event = rebound_on_event)),
           .ports = rebound_ports, .layout = rebound_layout)

TN_LIBRARY("rebound", "1.0.0", "Apache-2.0", "a plane to rebound from", {TN_ELEMENT_KIND, &rebound_type})

#endif

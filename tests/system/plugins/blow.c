/* blow.c - a blow on a point, at a time */
#include <tenon/author.h>

#define BLOW(P)                                                            \
    P(REAL, at, "s", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "when it falls") \
    P(VECTOR, impulse, "N s", TN_REQUIRED, "on the point, ground axes")
TN_PARAMETERS(blow, BLOW)

#if TN_VALUES

static tn_status blow_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->events = 1;
    return TN_OK;
}

TN_PORTS(blow, {"markers", "what is hit", TN_POINT, 1, 1, 0})
TN_EVENTS(blow, TN_POINT, 1) { value[0] = context->time - self->at; }
TN_ON_EVENT(blow, TN_POINT, 1)
{
    if (sign[0] > 0.0) impulse[0].force = self->impulse;
}
TN_ELEMENT(blow, .summary = "a blow", .formula = "p",
           TN_CAPABILITIES(TN_HAS(events, .events = blow_events, .on_event = blow_on_event)),
           .ports = blow_ports, .layout = blow_layout)

TN_LIBRARY("blow", "1.0.0", "Apache-2.0", "a blow", {TN_ELEMENT_KIND, &blow_type})

#endif

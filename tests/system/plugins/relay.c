/* relay.c - a force along x that turns round at two limits, and counts how often it did */
#include <tenon/author.h>

#define RELAY(P)                                                        \
    P(REAL, force, "N", 0, 1.0, 0.0, TN_UNBOUNDED, "size of the force") \
    P(REAL, limit, "m", 0, 0.5, 0.0, TN_UNBOUNDED, "it turns round at plus and minus this")

TN_PARAMETERS(relay, RELAY)

enum { BACK, TURNS, DATA };

TN_FORCE(relay, TN_POINT, 1)
{
    wrench[0].force.e[0] = tn_constant(tn_data(context)[BACK] != 0.0 ? -self->force : self->force);
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(relay, {"markers", "where it pushes", TN_POINT, 1, 1, 0})
TN_OUTPUTS(relay, {"turns", "how often it has turned round", "", 1, 0})

static tn_status relay_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nd = DATA;
    layout->events = 2;
    return TN_OK;
}

TN_EVENTS(relay, TN_POINT, 1)
{
    value[0] = marker[0].position.e[0] - self->limit;
    value[1] = marker[0].position.e[0] + self->limit;
}

TN_ON_EVENT(relay, TN_POINT, 1)
{
    const double back = sign[0] > 0.0 ? 1.0 : sign[1] < 0.0 ? 0.0 : data[BACK];
    if (back != data[BACK]) data[TURNS] += 1.0;
    data[BACK] = back;
}

TN_OUTPUT(relay, TN_POINT, 1)
{
    (void)output;
    *value = tn_data(context)[TURNS];
    return TN_OK;
}

TN_ELEMENT(relay, .summary = "a force that turns round", .formula = "none",
           TN_CAPABILITIES(TN_HAS_FORCE(relay),
                           TN_HAS(events, .events = relay_events, .on_event = relay_on_event)),
           .ports = relay_ports, .outputs = relay_outputs, .layout = relay_layout, .output = relay_output)

TN_LIBRARY("relay", "1.0.0", "Apache-2.0", "a force that turns round", {TN_ELEMENT_KIND, &relay_type})

#endif

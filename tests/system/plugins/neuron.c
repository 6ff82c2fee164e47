/* neuron.c - a state that leaks and is charged, fires at 1 and starts anew: events that write own states */
#include <tenon/author.h>

#define NEURON(P)                                                                   \
    P(REAL, current, "1/s", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, "that charges it") \
    P(REAL, time_constant, "s", TN_REQUIRED, 1.0, 1e-9, TN_UNBOUNDED, "in which it leaks")
TN_PARAMETERS(neuron, NEURON)

TN_RATES(neuron, TN_POINT, 1)
{
    rate[0] = self->current - x[0] / self->time_constant;
    return TN_OK;
}

#if TN_VALUES

enum { FIRED, DATA };

static tn_status neuron_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nx = 1;
    layout->nd = DATA;
    layout->events = 1;
    return TN_OK;
}
TN_PORTS(neuron, {"markers", "where it is", TN_POINT, 1, 1, 0})
TN_OUTPUTS(neuron, {"charge", "", "", 1, 0}, {"fired", "how often", "", 1, 0})
TN_EVENTS(neuron, TN_POINT, 1) { value[0] = tn_states(context)[0] - 1.0; }
TN_ON_EVENT(neuron, TN_POINT, 1)
{
    if (!(sign[0] > 0.0)) return;
    x[0] = 0.0;
    data[FIRED] += 1.0;
}
TN_OUTPUT(neuron, TN_POINT, 1)
{
    *value = output == 0 ? tn_states(context)[0] : tn_data(context)[FIRED];
    return TN_OK;
}
TN_ELEMENT(neuron, .summary = "integrates and fires", .formula = "x' = i - x / tau, x+ = 0 at x = 1",
           TN_CAPABILITIES(TN_HAS_RATES(neuron),
                           TN_HAS(events, .events = neuron_events, .on_event = neuron_on_event)),
           .ports = neuron_ports, .outputs = neuron_outputs, .layout = neuron_layout, .output = neuron_output)

TN_LIBRARY("neuron", "1.0.0", "Apache-2.0", "integrates and fires", {TN_ELEMENT_KIND, &neuron_type})

#endif

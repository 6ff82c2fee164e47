/* watched.c - a connector without force whose parameters belong together, and that notes what a step was taken with */
#include <tenon/author.h>

#define WATCHED(P)                                                                                 \
    P(REAL, low, "", TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "lower limit")  \
    P(REAL, high, "", TN_DYNAMIC | TN_CHANGEABLE, 1.0, -TN_UNBOUNDED, TN_UNBOUNDED, "upper limit") \
    P(VECTOR, place, "m", TN_CHANGEABLE | TN_MOVES, "a place")

TN_PARAMETERS(watched, WATCHED)

TN_FORCE(watched, TN_POINT, 1)
{
    wrench[0].force = tn_scale(0.0 * self->low, marker[0].position);
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(watched, {"markers", "where it is", TN_POINT, 1, 1, 0})

enum { SEEN, SUPPLIED_ENERGY, PLACE };
TN_OUTPUTS(watched, [SEEN] = {"seen", "lower limit at the last accepted step", "", 1, 0},
           [SUPPLIED_ENERGY] = {"supplied_energy", "an output of its own with the name of a common one", "J",
                                1, 0},
           [PLACE] = {"place", "the place, ground axes", "m", 3, 0})

static tn_status watched_prepare(const tn_host *host, void *instance)
{
    const watched *self = instance;
    return self->low <= self->high ? TN_OK : tn_refuse(host, "low", "the limits are in the wrong order");
}

static tn_status watched_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nd = 1;
    return TN_OK;
}

TN_ACCEPTED(watched, TN_POINT, 1) { data[0] = self->low; }

TN_OUTPUT(watched, TN_POINT, 1)
{
    if (output == PLACE)
        memcpy(value, &self->place, sizeof self->place);
    else
        *value = output == SEEN ? batch->d[i] : 42.0;
    return TN_OK;
}

TN_ELEMENT(watched, .summary = "limits that are watched", .formula = "none",
           TN_CAPABILITIES(TN_HAS_FORCE(watched), TN_HAS(data, .accepted = watched_accepted)),
           .ports = watched_ports, .outputs = watched_outputs, .prepare = watched_prepare,
           .layout = watched_layout, .output = watched_output)

TN_LIBRARY("watched", "1.0.0", "Apache-2.0", "limits that are watched", {TN_ELEMENT_KIND, &watched_type})

#endif

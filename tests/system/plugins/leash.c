/* leash.c - holds a point at a distance from the origin whose square shrinks to nothing, and is no number then */
#include <tenon/author.h>

#define LEASH(P) \
    P(REAL, square, "m^2", 0, 1.0, 0.0, TN_UNBOUNDED, "of the distance, at time 0; it loses 1 m^2/s")

TN_PARAMETERS(leash, LEASH)

TN_CONSTRAINT(leash)
{
    row[0] = tn_norm(marker[0].position) - tn_sqrt(self->square - tn_time(context));
    return TN_OK;
}

#if TN_VALUES

static tn_status leash_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->position_rows = 1;
    return TN_OK;
}

TN_PORTS(leash, {"markers", "the point", TN_POINT, 1, 1, 0})
TN_ELEMENT(leash, .summary = "drives a point", .formula = "see its source",
           TN_CAPABILITIES(TN_HAS_CONSTRAINT(leash)), .ports = leash_ports, .layout = leash_layout)
TN_LIBRARY("leash", "1.0.0", "Apache-2.0", "drives a point", {TN_ELEMENT_KIND, &leash_type})

#endif

/* skate.c - a body that stands upright on the plane z = 0 and moves along its x axis only */
#include <tenon/author.h>

#define SKATE(P)

TN_PARAMETERS(skate, SKATE)

TN_CONSTRAINT(skate)
{
    const tn_vec3 ahead = tn_axis(marker[0].rotation, 0), aside = tn_axis(marker[0].rotation, 1);
    row[0] = marker[0].position.e[2];
    row[1] = ahead.e[2];
    row[2] = aside.e[2];
    row[3] = tn_dot(aside, marker[0].velocity);
    return TN_OK;
}

#if TN_VALUES

static tn_status skate_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->position_rows = 3;
    layout->velocity_rows = 1;
    return TN_OK;
}

TN_PORTS(skate, {"markers", "where the blade stands, along its x axis", TN_FRAME, 1, 1, 0})
TN_ELEMENT(skate, .summary = "a skate", .formula = "see its source",
           TN_CAPABILITIES(TN_HAS_CONSTRAINT(skate)), .ports = skate_ports, .layout = skate_layout)
TN_LIBRARY("skate", "1.0.0", "Apache-2.0", "a skate", {TN_ELEMENT_KIND, &skate_type})

#endif

/* faulty_constraint.c - two points drift apart at 1 m/s, with the fault that is defined */
#include <tenon/author.h>

TN_NO_PARAMETERS(faulty)

TN_CONSTRAINT(faulty)
{
    const tn_vec3 line = tn_subtract(marker[1].position, marker[0].position);
#ifdef READS_PLAIN_TIME
    const tn_real time = tn_constant(context->time);
#else
    const tn_real time = tn_time(context);
#endif
    const tn_real error = tn_norm(line) - 1.0 - time;
#ifdef IS_A_SQUARE
    row[0] = error * error;
#else
    row[0] = error;
#endif
    return TN_OK;
}

#if TN_VALUES
static tn_status faulty_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance,
                               tn_layout *layout)
{
    layout->position_rows = 1;
    return TN_OK;
}

TN_PORTS(faulty, {"markers", "the two ends", TN_POINT, 2, 2, 0})
TN_ELEMENT(faulty, .summary = "faulty", .formula = "|u| = 1 + t", TN_CAPABILITIES(TN_HAS_CONSTRAINT(faulty)),
           .ports = faulty_ports, .layout = faulty_layout)
TN_LIBRARY("faulty", "1.0.0", "Apache-2.0", "faulty", {TN_ELEMENT_KIND, &faulty_type})
#endif

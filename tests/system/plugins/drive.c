/* drive.c - holds a coordinate at a wave of time */
#include <tenon/author.h>

#define DRIVE(P)                                                               \
    P(REAL, amplitude, "", 0, 1.0, -TN_UNBOUNDED, TN_UNBOUNDED, "of the wave") \
    P(REAL, frequency, "rad/s", 0, 1.0, 0.0, TN_UNBOUNDED, "of the wave")

TN_PARAMETERS(drive, DRIVE)

TN_CONSTRAINT(drive)
{
    row[0] = marker[0].position.e[0] - self->amplitude * tn_sin(self->frequency * tn_time(context));
    return TN_OK;
}

#if TN_VALUES

static tn_status drive_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->position_rows = 1;
    return TN_OK;
}

TN_PORTS(drive, {"markers", "the coordinate", TN_COORDINATE, 1, 1, 0})
TN_ELEMENT(drive, .summary = "drives a coordinate", .formula = "see its source",
           TN_CAPABILITIES(TN_HAS_CONSTRAINT(drive)), .ports = drive_ports, .layout = drive_layout)
TN_LIBRARY("drive", "1.0.0", "Apache-2.0", "drives a coordinate", {TN_ELEMENT_KIND, &drive_type})

#endif

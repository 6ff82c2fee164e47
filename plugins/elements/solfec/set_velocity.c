/* set_velocity.c - a point whose velocity along a direction is a function of time */
#define LEVEL 1
#define PRESCRIBED_UNIT "m/s"
#define OWN(P)
#include "prescribed.h"

TN_PARAMETERS(set_velocity, PRESCRIBED)

TN_CONSTRAINT(set_velocity) { return write_directed_rows(&self->rows, marker, context, row); }
TN_PRESCRIBED_RATES(set_velocity)

#if TN_VALUES

TN_PRESCRIBED(set_velocity)

TN_SYNONYMS(set_velocity, {"set_velocity3", NULL, NULL}, {"prescribed velocity", NULL, NULL},
            {"point", "markers", NULL}, {"velo", "value", NULL})
TN_ELEMENT(set_velocity, .summary = "prescribes the velocity of a point by a function of time",
           .formula = "U_N = w(t), R_T = 0 in the frame {T1, T2, N = n}\n"
                      "held as   n . (p1 - p1 at the start) = x,   dx/dt = w(t)",
           TN_PRESCRIBED_FIELDS(set_velocity),
           TN_CAPABILITIES(TN_PRESCRIBED_CAPABILITIES(set_velocity),
                           TN_HAS(states, .rates = set_velocity_rates)))

#endif

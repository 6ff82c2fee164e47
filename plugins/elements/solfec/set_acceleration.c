/* set_acceleration.c - a point whose acceleration along a direction is a function of time */
#define LEVEL 2
#define PRESCRIBED_UNIT "m/s^2"
#define OWN(P)                                                            \
    P(REAL, initial_velocity, "m/s", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, \
      "along the direction, at the start")                                \
    P(REALS, initial_velocities, 3, 0, "m/s", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "along the axes of `base`")
#include "prescribed.h"

TN_PARAMETERS(set_acceleration, PRESCRIBED)

TN_CONSTRAINT(set_acceleration) { return write_directed_rows(&self->rows, marker, context, row); }
TN_PRESCRIBED_RATES(set_acceleration)

#if TN_VALUES

TN_PRESCRIBED(set_acceleration)

static tn_status set_acceleration_initial(TN_UNUSED const tn_host *host, const void *instance,
                                          TN_UNUSED double *q, TN_UNUSED double *v, double *x,
                                          TN_UNUSED double *s, TN_UNUSED double *d)
{
    const set_acceleration *self = instance;
    const uint32_t rows = self->rows.rows;
    for (uint32_t k = 0; k < rows; k++)
        x[rows + k] = rows == 1 ? self->initial_velocity : self->initial_velocities[k];
    return TN_OK;
}

TN_SYNONYMS(set_acceleration, {"set_acceleration3", NULL, NULL}, {"prescribed acceleration", NULL, NULL},
            {"point", "markers", NULL}, {"acc", "value", NULL})
TN_ELEMENT(set_acceleration, .summary = "prescribes the acceleration of a point by a function of time",
           .formula = "U_N = initial_velocity + integral of w(t), R_T = 0 in the frame {T1, T2, N = n}\n"
                      "held as   n . (p1 - p1 at the start) = x,   d2x/dt2 = w(t)",
           TN_PRESCRIBED_FIELDS(set_acceleration), .initial = set_acceleration_initial,
           TN_CAPABILITIES(TN_PRESCRIBED_CAPABILITIES(set_acceleration),
                           TN_HAS(states, .rates = set_acceleration_rates)))

#endif

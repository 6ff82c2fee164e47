/* set_displacement.c - a point whose displacement along a direction is a function of time */
#define LEVEL 0
#define PRESCRIBED_UNIT "m"
#define OWN(P)
#include "prescribed.h"

TN_PARAMETERS(set_displacement, PRESCRIBED)

TN_CONSTRAINT(set_displacement) { return write_directed_rows(&self->rows, marker, context, row); }

#if TN_VALUES

TN_PRESCRIBED(set_displacement)

TN_SYNONYMS(set_displacement, {"set_displacement3", NULL, NULL}, {"prescribed displacement", NULL, NULL},
            {"point", "markers", NULL}, {"disp", "value", NULL})
TN_ELEMENT(set_displacement, .summary = "prescribes the displacement of a point by a function of time",
           .formula = "n . (p1 - p1 at the start) = w(t),   or with two markers   n . (p1 - p2) = its value "
                      "at the start + w(t)\n"
                      "U_N = dw/dt, R_T = 0 in the frame {T1, T2, N = n}",
           TN_PRESCRIBED_FIELDS(set_displacement),
           TN_CAPABILITIES(TN_PRESCRIBED_CAPABILITIES(set_displacement)))

#endif

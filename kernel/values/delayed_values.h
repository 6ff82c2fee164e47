/* delayed_values.h - values of the past that expressions read. */
#ifndef TN_SYSTEM_DELAYS_H
#define TN_SYSTEM_DELAYS_H

#include "values/state_values.h"

/* delays.c: readies the delays that an expression reads for its evaluation: NULL, or why one has no value; after the gradient
 * by its calls those by what delays among them read now; a step ended with the last evaluation. */
const char *tn_delays_find(const tn_assembly *assembly, const tn_live_value *live);
bool tn_delays_gradient(const tn_assembly *assembly, const tn_live_value *live, double *gradient);
void tn_delays_accepted(const tn_assembly *assembly);
/* The time behind that of the system where an adaptive step should end on account of delays; HUGE_VAL for none. */
double tn_delays_next_stop(const tn_assembly *assembly, double tolerance);

#endif

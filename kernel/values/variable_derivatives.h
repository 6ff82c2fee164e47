/* variable_derivatives.h - what elements observe of variables that act on the coordinates that they read. */
#ifndef TN_VARIABLE_DERIVATIVES_H
#define TN_VARIABLE_DERIVATIVES_H

#include "values/state_values.h"

/* Memory; again after a change of expressions. */
void tn_closures_build(tn_assembly *assembly);
void tn_closures_renew(tn_assembly *assembly);
/* What tn_host.observe gives. */
tn_status tn_observe(const tn_host *host, const void *variable, const double *direction,
                     tn_expression_values *values);

#endif

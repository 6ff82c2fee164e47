/* shown.h - the state as results show it. */
#ifndef TN_SHOWN_H
#define TN_SHOWN_H

#include "system/assembly.h"

/* shown.c: whether accelerations are among the results; markers, parameters, accelerations and the wrenches of constraints, for
 * outputs; results have been read: the state is the solver's again. */
void tn_shown_build(tn_assembly *assembly);
tn_status tn_evaluate_outputs(tn_assembly *assembly);
void tn_outputs_done(tn_assembly *assembly);

#endif

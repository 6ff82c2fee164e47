/* shown.h - the state as results show it. */
#ifndef TN_SHOWN_H
#define TN_SHOWN_H

#include "system/assembly.h"

struct tn_shown {
    double *least, *own; /* [rows] multipliers: those of least norm, and the solver's */
    bool holds_least;    /* lambda holds those of least norm */
    bool holds;          /* v' and x' of the solver are kept, while others stand in their place */
    double *kept;        /* [nv + nx]; NULL: no accelerations are among the results that are found for them */
};

/* shown.c: whether accelerations are among the results; markers, parameters, accelerations and the wrenches of constraints, for
 * outputs; results have been read: the state is the solver's again. */
void tn_shown_build(tn_assembly *assembly);
tn_status tn_evaluate_outputs(tn_assembly *assembly);
void tn_outputs_done(tn_assembly *assembly);

#endif

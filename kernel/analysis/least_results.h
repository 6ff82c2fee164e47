/* least_results.h - the state as results show it: its memory. Called by the system by way of the table of system/row_analysis.h. */
#ifndef TN_LEAST_RESULTS_H
#define TN_LEAST_RESULTS_H

#include "system/shown.h"

struct tn_shown {
    double *least, *own; /* [rows] multipliers: those of least norm, and the solver's */
    bool holds_least;    /* lambda holds those of least norm */
    bool holds;          /* v' and x' of the solver are kept, while others stand in their place */
    double *kept;        /* [nv + nx]; NULL: no accelerations are among the results that are found for them */
};

void tn_shown_open(tn_assembly *assembly);
tn_status tn_shown_find(tn_assembly *assembly);
void tn_shown_end(tn_assembly *assembly);
/* What results show at the accelerations and multipliers that the state has: of the rest of an evaluation. */
tn_status tn_results_at_hand(tn_assembly *assembly);

#endif

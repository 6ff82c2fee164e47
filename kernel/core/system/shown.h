/* shown.h - the state as results show it. Called by those who read it: recorders, histories and conditions. */
#ifndef TN_SHOWN_H
#define TN_SHOWN_H

#include "system/assembly.h"

/* Markers, parameters, accelerations and the wrenches of constraints, for outputs (row_analysis.h). */
static inline tn_status tn_evaluate_outputs(tn_assembly *assembly)
{
    const tn_row_analysis *rows = assembly->services->rows;
    return rows ? rows->show(assembly) : tn_evaluate_markers(assembly);
}

/* Results have been read: the state is the solver's again. */
static inline void tn_outputs_done(tn_assembly *assembly)
{
    if (assembly->services->rows) assembly->services->rows->hide(assembly);
}

#endif

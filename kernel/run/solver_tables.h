/* solver_tables.h - files that solvers add to the results (tenon/draft/tables.h), and modes to the log (tenon/draft/modes.h) */
#ifndef TN_SOLVER_TABLES_H
#define TN_SOLVER_TABLES_H

#include "run/study.h"

#include <tenon/draft/modes.h>
#include <tenon/draft/tables.h>

/* From here on the solvers of a study that writes results can add files. */
void tn_solver_tables_open(tn_study *study);
/* NULL: no results are written. */
const tn_tables *tn_solver_tables_of(const tn_assembly *assembly);
/* NULL where there is no log. */
const tn_modes *tn_solver_modes_of(const tn_assembly *assembly);

#endif

/* constraint_solver.h - the constraint solver of a solver by impulses (tenon/draft/impulses.h), and what becomes of its problems */
#ifndef TN_CONSTRAINT_SOLVER_OF_RUN_H
#define TN_CONSTRAINT_SOLVER_OF_RUN_H

#include "run/study.h"

#include <tenon/draft/stepping.h>

/* What the plan of the solver that is about to begin has chosen. */
void tn_constraint_solver_open(tn_assembly *assembly, const tn_solver_plan *plan);
/* NULL without memory, and where the solver has no use for one. */
const tn_constraint_solver *tn_constraint_solver_of(tn_assembly *assembly);
/* What the solvers by impulses have counted; NULL: there was none. */
const tn_impulse_totals *tn_impulse_totals_of(const tn_assembly *assembly);
void tn_constraint_solver_list_state(tn_assembly *assembly, tn_state_visitor *visitor);

#endif

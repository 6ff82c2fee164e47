/* project.h - the way onto the constraints, and accelerations under them. */
#ifndef TN_PROJECT_H
#define TN_PROJECT_H

#include "system/assembly.h"

/* accelerate.c: what tn_system offers. */
tn_status tn_system_accelerate(tn_system *system, double *a);
/* project.c: v' and lambda of the state; the way onto the constraints */
tn_status tn_constrained_accelerate(tn_assembly *assembly);
/* Masses and rows of small mechanisms: a table of functions, given with the model. Behind it: kernel/complement. Where
 * `assembly->complement` stands it is asked before the linear solver is. */
typedef struct tn_row_solver {
    /* Solves for solution[0], with solution[1] less the pull of `reactions` (NULL: none) as right-hand side, at the last evaluation,
     * where markers have been differentiated; false: the linear solver has to, nothing being changed. */
    bool (*solve)(tn_assembly *assembly, const double *reactions);
} tn_row_solver;
/* What these are made of: factors the matrix of masses and rows; solves for solution[0], taking solution[1] as right-hand side, which
 * is overwritten; the sum of squares of coordinates against their scales. */
tn_status tn_factor_masses(tn_assembly *assembly);
tn_status tn_solve_exactly(tn_assembly *assembly);
double tn_square_of_scaled(const tn_assembly *assembly, const double *x);
/* How a state is taken to the constraints; all false for what tn_system offers. */
typedef struct tn_projection {
    bool pins_hold; /* constraints do not move bodies that are pinned */
    bool explained; /* the caller explains what cannot be satisfied */
    /* Positions alone are taken to where markers match as they are meant to, by what constraints say while they are `closing`. */
    bool closes;
} tn_projection;
tn_status tn_project(tn_assembly *assembly, tn_projection how);
tn_status tn_system_project(tn_system *system);
/* What generalized impulses, in `force`, change of v where the rows transmit them, and by what multipliers: all rows have no rate
 * behind them. */
tn_status tn_transmit_impulses(tn_assembly *assembly, double *change, const double **multiplier);
/* How far positions are from where `closes` takes them, row by row, and the largest. */
tn_status tn_closing_error(tn_assembly *assembly, double *rows, double *error);

#endif

/* constraints.h - rows of constraints, and their reactions. */
#ifndef TN_CONSTRAINTS_H
#define TN_CONSTRAINTS_H

#include "system/assembly.h"

/* Memory of rows and of what is solved for with them. */
struct tn_constraint_memory {
    double *marker_motion; /* memory for twists, or accelerations, of all markers, as in `motion` */
    double *row;           /* [rows] a number for each */
    double *solution[3];   /* [nv + rows], once there is a matrix */
    /* [nv + rows] v' and lambda of the state while others are found in their place; NULL: v' is M^-1 f, and nothing that the
     * solver integrates reads it */
    double *kept_solution;
    bool reactions_left_out; /* of the evaluation that goes on */
    bool contacts_act;       /* reactions of points of contact are among the wrenches */
};

/* constraints.c: rows of a group at the current markers; these, and their reactions added to its wrenches */
tn_status tn_constraints_find_rows(tn_assembly *assembly, tn_group *group, bool closing);
tn_status tn_constraints_react(tn_assembly *assembly, tn_group *group, bool closing);
/* The same with the mean reactions of the points of contact of a group that has them. */
void tn_contacts_react(const tn_assembly *assembly, const tn_group *group);
/* What is asked of rows: those that are no equations are 0 unless they are wanted. */
typedef struct tn_rows_wanted {
    bool closing;    /* they lead to where their markers match as they are meant to (tn_batch) */
    bool unilateral; /* also these */
} tn_rows_wanted;
/* The residuals of all rows; their rates: first time derivatives of position rows, values of velocity rows. */
tn_status tn_constraint_residuals(tn_assembly *assembly, double *residual, tn_rows_wanted wanted);
tn_status tn_constraint_rates(tn_assembly *assembly, double *rate, tn_rows_wanted wanted);
tn_status tn_system_constraint(tn_system *system, double *residual);
tn_status tn_system_constraint_rate(tn_system *system, double *rate);
void tn_system_constraint_product(tn_system *system, const double *direction, double *product);
/* Second derivatives of position rows, first ones of velocity rows, where v does not change; after the matrix. */
tn_status tn_constraint_bias(tn_assembly *assembly, double *bias);
/* The row with the largest value: its size, the instance that it belongs to, and its number there. */
typedef struct tn_row_found {
    double size;
    const tn_group *group;
    uint32_t instance, row;
} tn_row_found;
tn_row_found tn_largest_row(const tn_assembly *assembly, const double *rows);

#endif

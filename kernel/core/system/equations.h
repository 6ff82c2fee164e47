/* equations.h - a matrix of the system, filled on request, with what a linear solver makes of it.
 *
 * All have the pattern of the system (matrix_pattern.c). The time integrator's stands behind tn_system; multipliers of least norm are
 * found with one of their own, so that nothing of the integrator's is lent (row_analysis.h). */
#ifndef TN_EQUATIONS_H
#define TN_EQUATIONS_H

#include <tenon/linear.h>

#include <stdbool.h>

typedef struct tn_equations {
    tn_matrix matrix;
    double *regularisation; /* [rows] E, the part of the matrix's diagonal that keeps it regular */
    void *self;             /* of the linear solver; NULL: it has seen none of these matrices */
    bool masses_factored;   /* the factors are those of masses and rows at the state of the last evaluation */
    bool is_factored;       /* the factors are those of this matrix, which has not been filled anew */
    bool called_singular;   /* this matrix was */
} tn_equations;

/* What a matrix is filled with:
 *
 *     c_mass M - c_damping df/dv - c_stiffness df/dq    -row_factor G^T
 *     row_factor G                                        E
 *
 * Those that are no solver's own are made of tn_request_of_masses(). */
typedef struct tn_matrix_request {
    double c_mass, c_damping, c_stiffness;
    double row_factor;
    double state_factor; /* dx / dx' of states that follow the motion; 0: states stay where they are */
    double share;        /* E against the diagonal of its Schur complement; */
    /* the largest E for all rows: what stands against it is the Euclidean norm of the multipliers */
    bool even;
    /* for a way onto the constraints, which is the shortest one whatever their multipliers do: all rows act, also those that
     * only forces read the multipliers of, and no force reads anything */
    bool leads_to_rows;
    bool positions_only; /* velocity rows are left out */
    bool pins_hold;      /* what constraints do to bodies that are pinned is left out */
} tn_matrix_request;

#endif

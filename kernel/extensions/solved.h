/* solved.h - whether a linear solver has solved: its solution, multiplied by the matrix */
#ifndef TN_SOLVED_H
#define TN_SOLVED_H

#include "system/linear.h"

typedef struct tn_solved {
    const tn_loaded_linear *type;
    void *self; /* of the linear solver, with factors of the matrix */
    const tn_matrix *matrix;
    const double *value; /* [entries], or [entries][2] */
    bool is_complex;
    double *given;         /* [numbers] right-hand side; no longer behind tn_solved_fault */
    double *terms, *trial; /* [numbers] memory */
} tn_solved;

/* The relative residual of the solution x of the matrix for `given`; 0 where the linear solver solves. */
double tn_solved_fault(const tn_solved *solved, const double *x);

#endif

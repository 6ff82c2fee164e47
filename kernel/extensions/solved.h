/* solved.h - whether a linear solver has solved, and how well: its solution, multiplied by the matrix
 *
 * All solutions are to leave a residual below 1e-12, against the largest sum of the magnitudes of the terms of a row. The first solution
 * behind each of the first 8 factorisations is looked at, behind every 64th, and behind the first one after 256 solutions. Where it leaves
 * more than round-off it is refined: it is corrected by the solution for its residual, also several times. The other solutions of these
 * factors then get as many corrections without being looked at, and the first solutions of the next 64 factorisations are looked at. What
 * else it costs is paid where something has gone wrong. */
#ifndef TN_SOLVED_H
#define TN_SOLVED_H

#include "system/linear.h"

/* What is known of the accuracy of factors, one after the other, of one matrix. It decides on digits, and is part of the state. */
typedef struct tn_accuracy {
    uint64_t factorisations, solutions; /* solutions: since the last one that was looked at */
    uint32_t watched;                   /* so many factorisations more have their first solution looked at */
    uint32_t corrections;               /* of each solution of these factors */
    uint64_t looks;                     /* 1: at the next solution */
} tn_accuracy;

typedef struct tn_solved {
    const tn_loaded_linear *type;
    void *self; /* of the linear solver, with factors of the matrix */
    const tn_matrix *matrix;
    const double *value; /* [entries], or [entries][2] */
    bool is_complex;
    double *given;         /* [numbers] right-hand side, which is lost where the solver has not solved */
    double *terms, *trial; /* [numbers] memory */
} tn_solved;

/* What the check of a linear solver keeps (linear.h): for the integrator's equations, those of least norm, and those of stages. */
struct tn_linear_record {
    uint64_t verdicts;
    double *given, *terms, *trial; /* [size] */
    tn_accuracy accuracy[3];
};

/* NULL where nothing is checked. */
tn_accuracy *tn_accuracy_of(const tn_assembly *assembly, const tn_equations *equations);

/* There are new factors. */
void tn_accuracy_factored(tn_accuracy *accuracy);
/* Whether a solution is refined, or looked at: then its right-hand side has to be kept. */
static inline bool tn_accuracy_needs_given(const tn_accuracy *accuracy)
{
    return accuracy->looks || accuracy->corrections;
}
/* In front of a solution: keeps the right-hand side where that is needed. */
void tn_accuracy_given(tn_accuracy *accuracy, const double *right_hand_side, size_t numbers, double *given);
/* Refines the solution x of the matrix for `given` where need be; returns 0, or the relative residual of what is no solution. */
double tn_solved_refine(const tn_solved *solved, tn_accuracy *accuracy, double *x);

#endif

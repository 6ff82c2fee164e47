/* tenon/draft/complex_equations.h - "tenon.complex_equations/1" of tn_system: real and complex matrices of one state side by side, for
 * solvers whose stages are coupled (implicit Runge-Kutta methods).
 *
 *     c_mass M - c_damping df/dv - c_stiffness df/dq    -row_factor G^T
 *     row_factor G                                        E
 *
 * as matrix() of tn_system has it, states of x staying where they are, with real or complex coefficients, and E = regularisation
 * row_factor^2/c_mass. M, df/dv, df/dq and G are found once, and serve for as many coefficients as are wanted. Neither these nor the
 * factors share anything with matrix(), factor() and solve() of the system, accelerate() and project(): they stay as they are until
 * the next call here. They are part of the state of a run: a solver need not hand them over. */
#ifndef TENON_DRAFT_COMPLEX_EQUATIONS_H
#define TENON_DRAFT_COMPLEX_EQUATIONS_H

#include "tenon/solver.h"

/* Flag of a solver beside those of tn_solver_flag: it factorises complex matrices, so a large model does not choose a linear solver that
 * has none. */
#define TN_NEEDS_COMPLEX 0x10000u

/* Real and imaginary parts; those of real matrices are the real ones. */
typedef struct tn_coefficients {
    double mass[2], damping[2], stiffness[2];
} tn_coefficients;

#define TN_COMPLEX_EQUATIONS_KEY "tenon.complex_equations/1"
typedef struct tn_complex_equations {
    uint32_t struct_size;
    uint32_t solves_complex; /* 1: the linear solver of the study has "tenon.complex/1" (draft/linear.h) */
    const char *linear;      /* its name */
    /* [hot] M, df/dv, df/dq and G at the last evaluation. Factors stay those of before. */
    tn_status (*differentiate)(tn_system *system);
    /* [hot] Factorises such a matrix; TN_RETRY where it is singular. One real and one complex one are kept. */
    tn_status (*factor_real)(tn_system *system, const tn_coefficients *coefficients, double row_factor);
    tn_status (*factor_complex)(tn_system *system, const tn_coefficients *coefficients, double row_factor);
    /* [hot] Solves with the one that was factorised last: [nv + rows] numbers, or pairs of real and imaginary part. */
    tn_status (*solve_real)(tn_system *system, double *right_hand_side);
    tn_status (*solve_complex)(tn_system *system, double *right_hand_side);
    /* [hot] product = (c_mass M - c_damping df/dv - c_stiffness df/dq) x with the real parts, [nv] each. */
    void (*multiply)(tn_system *system, const tn_coefficients *coefficients, const double *x,
                     double *product);
    /* [hot] product [rows] = G x. */
    void (*multiply_rows)(tn_system *system, const double *x, double *product);
    /* [rows] what E is made of: 0 for rows that stand alone. */
    const double *regularisation;
} tn_complex_equations;

#endif

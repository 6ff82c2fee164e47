/* tenon/draft/own_matrices.h - "tenon.own_matrices/1" of tn_system: the linear solver of the study for matrices that a solver makes by
 * itself, with a pattern of their own, real or complex.
 *
 * Factors share nothing with matrix(), factor() and solve() of the system, nor with each other, and are no part of the state of a
 * run: what is opened within a step is closed within it. */
#ifndef TENON_DRAFT_OWN_MATRICES_H
#define TENON_DRAFT_OWN_MATRICES_H

#include "tenon/linear.h"
#include "tenon/solver.h"

#define TN_OWN_MATRICES_KEY "tenon.own_matrices/1"
typedef struct tn_own_matrices {
    uint32_t struct_size, reserved;
    /* [setup] For matrices of a pattern, which stays where it is until close(); its values are not looked at. Complex ones also where
     * the linear solver has no "tenon.complex/1" (draft/linear.h): then as real ones of twice the size. */
    tn_status (*open)(tn_system *system, const tn_matrix *pattern, uint32_t is_complex, void **opened);
    /* [setup] Factorises the values [entries], of complex matrices pairs of real and imaginary part, which stay as they are until the
     * next ones; TN_RETRY where they are singular or not finite. */
    tn_status (*factor)(tn_system *system, void *opened, const double *value);
    /* [hot] Replaces a right-hand side, numbers or pairs, by the solution. */
    tn_status (*solve)(tn_system *system, void *opened, double *right_hand_side);
    /* [setup] Also of NULL. */
    void (*close)(tn_system *system, void *opened);
} tn_own_matrices;

#endif

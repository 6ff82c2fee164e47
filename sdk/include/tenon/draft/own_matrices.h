/* tenon/draft/own_matrices.h - "tenon.own_matrices/1" of tn_system, and what constraint solvers get (impulses.h): the linear solver of
 * the study for matrices that a plugin makes by itself, with a pattern of their own, real or complex.
 *
 * Factors share nothing with matrix(), factor() and solve() of the system, nor with each other. What factorisations to come depend on,
 * such as pivots, is part of the state of a run: the kernel saves it with the pattern, by which it is found again. */
#ifndef TENON_DRAFT_OWN_MATRICES_H
#define TENON_DRAFT_OWN_MATRICES_H

#include "tenon/linear.h"

#define TN_OWN_MATRICES_KEY "tenon.own_matrices/1"
typedef struct tn_own_matrices {
    uint32_t struct_size, reserved;
    void *self;
    /* [setup] For matrices of a pattern, of which the kernel keeps a copy; its values are not looked at. Complex ones also where the
     * linear solver has no "tenon.complex/1" (draft/linear.h): then as real ones of twice the size. `*opened` is for the others. */
    tn_status (*open)(const struct tn_own_matrices *own, const tn_matrix *pattern, uint32_t is_complex,
                      void **opened);
    /* [hot] Factorises the values [entries], of complex matrices pairs of real and imaginary part, which stay as they are until the
     * next ones; TN_RETRY where they are singular or not finite. */
    tn_status (*factor)(const struct tn_own_matrices *own, void *opened, const double *value);
    /* [hot] Replaces a right-hand side, numbers or pairs, by the solution; TN_RETRY where it is not finite. */
    tn_status (*solve)(const struct tn_own_matrices *own, void *opened, double *right_hand_side);
    /* [setup] Also of NULL. */
    void (*close)(const struct tn_own_matrices *own, void *opened);
} tn_own_matrices;

#endif

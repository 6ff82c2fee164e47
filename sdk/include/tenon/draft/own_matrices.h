/* tenon/draft/own_matrices.h - "tenon.own_matrices/1" of tn_system, also an argument of constraint solvers (impulses.h): the linear solver of
 * the study, for real or complex matrices that a plugin assembles itself, with patterns of their own.
 *
 * Factorisations are independent of each other, and of matrix(), factor() and solve() of the system. Data on which later factorisations
 * depend, such as pivots, are part of the state of a run: the kernel saves them with the pattern. */
#ifndef TENON_DRAFT_OWN_MATRICES_H
#define TENON_DRAFT_OWN_MATRICES_H

#include "tenon/linear.h"

#define TN_OWN_MATRICES_KEY "tenon.own_matrices/1"
typedef struct tn_own_matrices {
    uint32_t struct_size, reserved;
    void *self;
    /* [setup] Prepares factorisations of matrices with a pattern, which the kernel copies; its values are not read. If the linear solver has no
     * "tenon.complex/1" (draft/linear.h), complex matrices become real ones of twice the size. `*opened` is an argument of the functions
     * below. */
    tn_status (*open)(const struct tn_own_matrices *own, const tn_matrix *pattern, uint32_t is_complex,
                      void **opened);
    /* [hot] Factorises the values [entries], which for complex matrices are pairs of real and imaginary part, and are not to be changed until
     * the next factorisation; TN_RETRY where the matrix is singular or not finite. */
    tn_status (*factor)(const struct tn_own_matrices *own, void *opened, const double *value);
    /* [hot] Replaces a right-hand side, numbers or pairs, by the solution; TN_RETRY where it is not finite. */
    tn_status (*solve)(const struct tn_own_matrices *own, void *opened, double *right_hand_side);
    /* [setup] `opened` may be NULL. */
    void (*close)(const struct tn_own_matrices *own, void *opened);
} tn_own_matrices;

#endif

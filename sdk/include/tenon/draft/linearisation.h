/* tenon/draft/linearisation.h - "tenon.linearisation/1" of tn_system: the equations of small motions about the current state, for
 * eigenvalues, state matrices and whatever else is made of them.
 *
 * With dq an increment of q along its retraction, dv one of v, dx one of the n states that are no quadratures, and dlambda one of the
 * multipliers, the equations of motion have the differential
 *
 *     M dv' + D dv + K dq = B dlambda + F dx
 *     dq' = dv - T dq
 *     dx' = R (dq, dv) + H dx
 *     G dq = 0           of position rows
 *     A dv + L dq = 0    of velocity rows
 *
 *     D = -df/dv,   K = -d(f + G^T lambda - M a)/dq with multipliers and accelerations as they are, so that it holds the stiffness of
 *     forces and reactions that turn with the bodies, and what changing masses make of the accelerations;   L = d(A v + b)/dq
 *
 * B is G^T, less what is passive, and more where forces read multipliers; M is more than the masses where forces read accelerations. All
 * are derivatives by the rules of the elements themselves: none is a difference, unless `inexact` says so.
 *
 * Own axes: dq and dv have the components that q and v have. Velocities of bodies that turn are measured in axes that turn with them,
 * so T = [w x] for each of these, and the matrices change with the angle of a wheel although the motion is steady. Still axes: the same
 * increments with components in axes that do not turn, xi = P dq and eta = P dv with P = diag(1, R) of each body: then xi' = eta, T = 0,
 * M -> P M P^T, D -> P (D - M [w x]) P^T, K -> P K P^T, and so on. Increments of wheels that are round are those of wheels that do not
 * turn, and the equations about a steady motion have constant coefficients.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_LINEARISATION_H
#define TENON_DRAFT_LINEARISATION_H

#include "tenon/solver.h"

/* A matrix by columns: column j has the entries column_start[j] to column_start[j + 1] - 1, by ascending rows. The pattern never
 * changes; an entry may be zero. */
typedef struct tn_sparse {
    uint32_t rows, columns;
    const int32_t *column_start, *row;
    const double *value;
} tn_sparse;

enum tn_increment_axes { TN_OWN_AXES = 0, TN_STILL_AXES = 1 };

#define TN_LINEARISATION_KEY "tenon.linearisation/1"
typedef struct tn_linearisation {
    uint32_t struct_size;
    uint32_t states; /* n */
    /* [setup] Evaluates the current state, with `a` and `lambda` as they are (those of accelerate() are what belongs to it), and finds all
     * that stands below, in the axes that are asked for. TN_RETRY: outside a domain, or an entry is not finite. TN_UNSUPPORTED: derivatives by states are not
     * known, which `inexact` names. The matrix of the system stays as it is. */
    tn_status (*find)(tn_system *system, uint32_t axes);
    tn_sparse mass, damping, stiffness; /* M, D, K: [nv][nv], of the same pattern */
    tn_sparse transport;                /* T: [nv][nv] */
    tn_sparse rows, row_slopes; /* G or A, and L, of the same pattern: [rows][nv]; L of position rows is 0 */
    tn_sparse reactions;        /* B: [nv][rows] */
    /* F [nv][n], R [n][2 nv] by dq, then by dv, H [n][n], row by row */
    const double *force_by_state, *rate_by_motion, *rate_by_state;
    /* [nv][3] P: row i has what component i of an angular vector takes from those in own axes, in the order of the body; 1 0 0 of
     * others. A vector `still` has the components P^T still in own axes. */
    const double *turn;
    /* [setup] A vector [nv] of increments from still axes to own ones, in place. */
    void (*to_own_axes)(tn_system *system, double *vector);
    /* [setup] Name number 0, 1, ... of what has derivatives that are not exact at the current state, NULL behind the last; `why` goes on
     * where the name ends: "has no exact tangent: its stiffness is found by differences". */
    const char *(*inexact)(tn_system *system, uint32_t number, const char **why);
    /* [setup] Likewise, behind find(), of what switches: derivatives on one side of that are not those on the other. `*here` is 1 of what
     * switches at this very state, 0 of laws that switch by discrete data, which are taken as the state alone gives them. */
    const char *(*switching)(tn_system *system, uint32_t number, const char **why, uint32_t *here);
    /* [nv][6] velocities in still axes as each body moves with the unit velocities of the ground origin, x y z, and turns with the unit
     * angular velocities, x y z; zero for what is no piece of a rigid body. */
    const double *rigid;
    /* The name of the element that a state belongs to, and its number there. */
    const char *(*state_owner)(tn_system *system, uint32_t state, uint32_t *number);
} tn_linearisation;

#endif

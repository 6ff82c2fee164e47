/* tenon/draft/operators.h - "tenon.operators/1" of tn_system: products with the matrices of the equations, for solvers that iterate
 * or that work on the rows (impulses, friction), and the kinds of rows.
 *
 *   M v' = f + G^T lambda,   G the rows of all constraints, at the last evaluation */
#ifndef TENON_DRAFT_OPERATORS_H
#define TENON_DRAFT_OPERATORS_H

#include "tenon/solver.h"

#define TN_OPERATORS_KEY "tenon.operators/1"

/* What a multiplier may be. Rows of one set follow each other. */
typedef enum tn_row_kind {
    TN_BILATERAL = 0,    /* any number */
    TN_UNILATERAL = 1,   /* lambda >= 0, g >= 0, lambda g = 0 */
    TN_CONE_NORMAL = 2,  /* the first of a set of three: as unilateral, */
    TN_CONE_TANGENT = 3, /* and the two behind it: |lambda_tangent| <= friction lambda_normal */
    TN_ROW_KIND_IS_32_BITS = 0x7fffffff
} tn_row_kind;

typedef struct tn_operators {
    uint32_t struct_size, reserved;
    /* [hot] product = M x; x = M^-1 x; [nv] each. */
    tn_status (*mass_multiply)(tn_system *system, const double *x, double *product);
    tn_status (*mass_solve)(tn_system *system, double *x);
    /* [hot] product [rows] = G x; sum [nv] += G^T lambda. */
    tn_status (*rows_multiply)(tn_system *system, const double *x, double *product);
    tn_status (*rows_transposed_add)(tn_system *system, const double *lambda, double *sum);
    /* [setup] G by rows, in a pattern that does not change between changes of the model: row r has the entries row_start[r] to
     * row_start[r + 1] - 1 of `column` and `value`, which rows_renew() fills at the last evaluation. */
    const uint32_t *row_start, *column;
    const double *value;
    tn_status (*rows_renew)(tn_system *system); /* [hot] */
    /* [rows] tn_row_kind; number of the element instance that a row belongs to; [rows] coefficients of friction, and of restitution
     * (0 to 1), of the set that a row belongs to */
    const uint32_t *row_kind, *row_owner;
    const double *friction, *restitution;
    /* [hot] v += M^-1 G^T impulse [rows], N s and N m s; accept() takes the state for one behind an impact. */
    tn_status (*impulse)(tn_system *system, const double *impulse);
    /* Bodies: the coordinates v of body b are body_start[b] to body_start[b + 1] - 1; M has no entries between two of them. */
    uint32_t bodies, reserved_behind_bodies;
    const uint32_t *body_start; /* [bodies + 1] */
} tn_operators;

#endif

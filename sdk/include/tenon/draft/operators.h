/* tenon/draft/operators.h - "tenon.operators/1" of tn_system: the pieces of the equations, for solvers that iterate, or that work on
 * rows one by one (impulses, friction); and "tenon.row_kinds/1" of elements: rows that are no equations.
 *
 *   M v' = f + G^T lambda,   rows: g(q, t) with g' = G v + dg/dt, or G v + b(q, t)
 *
 * A type with row kinds has only rows that are not bilateral. All that tn_system offers beside these operators (constraint(),
 * matrix(), accelerate(), project(), and the kernel where it closes the start) leaves them out: there they are zero and their
 * multipliers stay as they are, but reactions G^T lambda act. A solver that gives them a meaning has the flag TN_UNILATERAL_ROWS;
 * others are refused for a model with such rows.
 *
 * A solver by impulses takes a step of length h from its accepted state like this:
 *
 *   begin_step()                      f alone, masses, G and laws at the current state
 *   row_values(gap, rate)             g, and g' = G v + b at the current velocities
 *   ... finds v_free = v + h M^-1 f and the impulses p [rows], ...
 *   end_step(p, h)                    v += h M^-1 f + M^-1 G^T p;  lambda = p/h
 *   retract(), accept()
 *
 * This kernel implements both; they may change until they move one folder up. */
#ifndef TENON_DRAFT_OPERATORS_H
#define TENON_DRAFT_OPERATORS_H

#include "tenon/batch.h"
#include "tenon/solver.h"

/* What a multiplier may be. */
typedef enum tn_row_kind {
    TN_BILATERAL = 0,   /* any number */
    TN_UNILATERAL = 1,  /* lambda >= 0, g >= 0, lambda g = 0 */
    TN_CONE_NORMAL = 2, /* the first of a set of three rows that follow each other: as unilateral, */
    TN_CONE_TANGENT =
        3,          /* and the two behind it, velocities across: |lambda_tangent| <= friction lambda_normal */
    TN_PASSIVE = 4, /* bilateral, but forces that read it act in place of G^T lambda */
    TN_ROW_KIND_IS_32_BITS = 0x7fffffff
} tn_row_kind;

/* ---- of elements with constraint rows --------------------------------------------------------------------- */

#define TN_ROW_KINDS_KEY "tenon.row_kinds/1"
typedef struct tn_row_kinds_capability {
    uint32_t struct_size, reserved;
    /* [setup] The kind of each row of an instance, position rows before velocity rows, into `kind` [rows] (tn_row_kind): all are
     * unilateral, or three rows are one cone: its normal a position row, its tangents velocity rows. */
    tn_status (*row_kinds)(const tn_host *host, const void *instance, uint32_t *kind);
    /* [hot] Coefficient of friction, at least 0, and of restitution, 0 to 1, of each instance at the current state, into `value`
     * [count][2]; NULL: both are 0. */
    tn_batch_function contact_law;
} tn_row_kinds_capability;

/* ---- of the system ---------------------------------------------------------------------------------------- */

#define TN_OPERATORS_KEY "tenon.operators/1"
typedef struct tn_operators {
    uint32_t struct_size, reserved;
    /* [hot] At the current time, q and v: `force` of the system becomes f without any reactions; G, friction and restitution are
     * renewed. TN_RETRY: outside a domain. It counts as an evaluation. */
    tn_status (*begin_step)(tn_system *system);
    /* [hot] At the last begin_step(), [rows] each: residuals g, 0 for velocity rows; g' of position rows, values of velocity rows,
     * both at the current v: b is the rate where v is zero. */
    tn_status (*row_values)(tn_system *system, double *residual, double *rate);
    /* [hot] With f, M and G of the last begin_step() and the impulses of all rows [rows] (N s, N m s): v += h M^-1 f + M^-1 G^T
     * impulse, h the `length` of the step, s; and lambda = impulse/h, the mean reactions that results show. With h = 0, an impact
     * between two steps, lambda stays. */
    tn_status (*end_step)(tn_system *system, const double *impulse, double length);
    /* [hot] product = M x; x = M^-1 x; [nv] each, with the masses of the last evaluation. */
    tn_status (*mass_multiply)(tn_system *system, const double *x, double *product);
    tn_status (*mass_solve)(tn_system *system, double *x);
    /* [hot] product [rows] = G x; sum [nv] += G^T lambda, passive rows left out; with G of the last begin_step(). */
    void (*rows_multiply)(tn_system *system, const double *x, double *product);
    void (*rows_transposed_add)(tn_system *system, const double *lambda, double *sum);
    /* G by rows, in a pattern that never changes: row r has the entries row_start[r] to row_start[r + 1] - 1 of `column` and `value`,
     * by ascending columns. */
    const uint32_t *row_start, *column;
    const double *value;
    /* [rows] tn_row_kind; the number of the element that a row belongs to, for owner_name(); coefficients of friction and of
     * restitution. Rows of position or velocity: see row_level of the system. */
    const uint32_t *row_kind, *row_owner;
    const double *friction, *restitution;
    /* Its name in the model. */
    const char *(*owner_name)(tn_system *system, uint32_t owner);
    /* Bodies: the coordinates v of body b are body_start[b] to body_start[b + 1] - 1; M has no entries between two of them. */
    const uint32_t *body_start; /* [bodies + 1] */
    uint32_t bodies, reserved_behind_bodies;
    /* [nx], [rows] 1: of an element flagged TN_DRIVEN, whose states, and the values prescribed by its rows, depend on time and on these
     * states alone. */
    const uint8_t *state_driven, *row_driven;
} tn_operators;

#endif

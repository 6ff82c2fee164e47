/* complement.h - accelerations of mechanisms with few joints, by the Schur complement of their rows
 *
 * With constant masses M and rows G the equations
 *
 *     M   -G^T     a           b
 *     G    E       lambda  =   c
 *
 * less E (system/project.h) are solved by (G M^-1 G^T + E) lambda = c - G M^-1 b. Constraints that share a body make a block of that matrix; it
 * is factorised by blocks, in an order that fills it little. Every solution is refined against the equations themselves until it
 * stands; where it does not, or where a pivot is not positive, it is left to the linear solver. */
#ifndef TN_COMPLEMENT_H
#define TN_COMPLEMENT_H

#include "system/constraints.h"
#include "system/matrix.h"
#include "system/project.h"

/* Prepares this for a model of whose kind it is, before a run whose solver asks for accelerations; else leaves all solutions to the
 * linear solver. */
void tn_complement_open(tn_assembly *assembly); /* structure.c */
void tn_complement_close(tn_assembly *assembly);

extern const tn_row_solver tn_complements;

/* ---- of the folder ----------------------------------------------------------------------------------------------- */

/* Rows of blocks, and vectors of constraints and bodies, are this wide, with zeros behind what they have. */
enum { TN_WIDE = 8 };
typedef double tn_wide __attribute__((vector_size(TN_WIDE * sizeof(double))));

/* A constraint: its rows among all rows, its blocks in the matrix and in the factors. */
typedef struct tn_joint {
    const tn_group *group;
    uint32_t instance, rows, row_start;
    tn_wide *own; /* [rows] the diagonal block; then its factors L D L^T: L below, 1/D on the diagonal */
    uint32_t beside, behind; /* the blocks beside it: coupling[beside] ... coupling[behind - 1] */
    uint32_t update;         /* the first of what they change when it is eliminated */
} tn_joint;

typedef struct tn_moved_body {
    const tn_group *group;
    uint32_t index, nv, v_start;
    tn_wide *inverse; /* [nv] M^-1; of diagonal masses, the diagonal in one row */
} tn_moved_body;

/* A joint on a body: G [rows][nv] and, by columns, G^T [nv][rows]; G M^-1. */
typedef struct tn_hold_on {
    uint32_t joint, body;
    tn_wide *rows, *columns, *by_mass;
} tn_hold_on;

/* Through which marker: an end of it, with the part of G that it makes. */
typedef struct tn_grip {
    tn_end end;
    uint32_t hold;
    uint32_t first; /* its first coordinate in its body */
} tn_grip;

/* A block B of the matrix beside the diagonal: rows of a joint, columns of one that is eliminated later; then L^-1 B and D^-1 L^-1 B. */
typedef struct tn_coupling {
    uint32_t other;
    tn_wide *block, *divided;
} tn_coupling;

/* Two holds on one body, the first one's joint being eliminated no later; the block that they add to. */
typedef struct tn_hold_pair {
    uint32_t first, second;
    tn_wide *to;
} tn_hold_pair;

struct tn_complement {
    tn_arena arena; /* of all that follows */
    uint32_t joint_count, body_count, hold_count, grip_count, pair_count, coupling_count, update_count;
    tn_joint *joint; /* in the order of their elimination */
    tn_moved_body *body;
    tn_hold_on *hold;
    tn_grip *grip;
    tn_hold_pair *pair;
    tn_coupling *coupling;
    tn_wide **update; /* the blocks that eliminations change, in the order in which they do */
    tn_wide *memory;  /* [block_rows] of all blocks of the matrix */
    size_t block_rows;
    /* [joints]: 1 where a row stands alone; right-hand side; what is left of it, then correction; sum of corrections */
    tn_wide *alone, *right, *rest, *multiplier;
    tn_wide *acceleration, *change; /* [bodies] */
};

/* factors.c: the matrix at the last evaluation, whose Jacobians are there, in factors; false where a pivot is not positive. */
bool tn_complement_factor(const tn_assembly *assembly, struct tn_complement *c);
/* Takes the right-hand side `rest` to its solution. */
void tn_complement_substitute(struct tn_complement *c);

#endif

/* tenon/draft/impulses.h - constraint solvers, a kind of plugin: they find the impulses of joints, contacts and friction in a step. A solver by
 * impulses (`moreau`) sets up the problem; the user chooses the constraint solver.
 *
 *     A z = G^T p,   u = free_rate + G z,   a law between u and p for each block of rows
 *
 * A is the mass matrix, or includes the derivatives of stiff forces; z is the change of velocities by the impulses p; u are the rates of the
 * rows after the step. Restitution, prescribed motions and corrections of positions are part of free_rate, so that the laws are always those
 * of tn_impulse_law.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_IMPULSES_H
#define TENON_DRAFT_IMPULSES_H

#include "tenon/draft/own_matrices.h"
#include "tenon/solver.h"

#define TN_CONSTRAINT_SOLVER_KIND "constraint_solver"

typedef enum tn_impulse_law {
    TN_JOINT_LAW = 0,      /* any number of rows: u = 0 */
    TN_UNILATERAL_LAW = 1, /* one row: u >= 0, p >= 0, u p = 0 */
    /* Three rows, along the normal n and two tangents: Coulomb's law. p is in the cone |p_T| <= friction p_N; u + friction |u_T| n is in
     * its dual, and orthogonal to p: de Saxce, Feng: The bipotential method, Math. Comput. Modelling 28 (1998). */
    TN_CONE_LAW = 2,
    TN_IMPULSE_LAW_IS_32_BITS = 0x7fffffff
} tn_impulse_law;

/* The rows of one joint or one point of contact. */
typedef struct tn_impulse_block {
    uint32_t law;         /* tn_impulse_law */
    uint32_t first, rows; /* first, first + 1, ..., first + rows - 1 */
    uint32_t owner;       /* the number of its element */
    double friction;      /* of a cone, at least 0 */
} tn_impulse_block;

typedef struct tn_impulse_problem {
    uint32_t struct_size;
    uint32_t nv, rows, blocks; /* the rows of successive blocks are consecutive, from 0 on */
    const tn_impulse_block *block;
    /* G by rows: row r has the entries row_start[r] to row_start[r + 1] - 1 of `column` and `value`, by ascending columns. */
    const uint32_t *row_start, *column;
    const double *value;
    const double *free_rate; /* [rows] m/s, rad/s: u without impulses */
    /* A [nv][nv], whose pattern is the same in all problems of a run. The coordinates of body b are body_start[b] to body_start[b + 1] - 1. */
    const tn_matrix *matrix;
    const uint32_t *body_start; /* [bodies + 1] */
    uint32_t bodies;
    uint32_t block_diagonal; /* 1: A has no entries between two bodies */
    uint32_t symmetric;      /* 1: A is symmetric and positive definite */
    uint32_t same_matrix;    /* 1: A has the same values as in the problem before */
    uint32_t same_rows;      /* 1: so have the blocks and the pattern of G */
    /* N s, N m s. In: initial values, which are the impulses of the step before where a joint or contact persists, else 0. Out: the solution,
     * or the best approximation that was found. */
    double *impulse; /* [rows] */
    /* 1: the rows of joints are known to be linearly independent. 0: they may be dependent, and their impulses have the least norm. */
    uint32_t independent_joints, reserved;
} tn_impulse_problem;

/* The result of a problem; kit/impulse_error.h defines the measures. */
typedef struct tn_impulse_outcome {
    uint32_t struct_size;
    uint32_t iterations;
    double error;       /* of the natural map */
    double merit;       /* spurious energy against the energy of the problem */
    uint32_t worst;     /* the block with the largest share of the error */
    uint32_t fallbacks; /* iterations by a fallback method */
} tn_impulse_outcome;

enum tn_constraint_solver_flag {
    /* Supports TN_JOINT_LAW only: the kernel refuses it for models with points of contact or unilateral rows. */
    TN_JOINTS_ONLY = 1u,
    /* Solves no problem, but has capabilities for solvers by impulses: the kernel refuses it as the value of `constraint_solver`. */
    TN_SOLVES_NONE = 2u
};

typedef struct tn_constraint_solver_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags; /* tn_constraint_solver_flag */
    uint32_t reserved_too;
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    /* [setup] Checks and completes one instance, the parameters of `constraint_solver = {type = "...", ...}`; NULL: nothing to do. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] Allocates memory for the problems of one run. It may grow with the largest problem, but not from step to step. */
    tn_status (*create)(const tn_host *host, const void *instance, const tn_own_matrices *linear,
                        void **self);
    /* [hot] Solves a problem. TN_OK: the error is within the tolerance. TN_RETRY: it is not; problem->impulse is the best approximation.
     * TN_UNSUPPORTED: the solver does not support the law of block outcome->worst. The result depends on the problem alone, not on earlier
     * problems. */
    tn_status (*solve)(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome);
    /* [setup] Releases the memory of create(). */
    void (*destroy)(void *self);
} tn_constraint_solver_type;

/* ---- of the system ------------------------------------------------------------------------------------------ */

#define TN_CONSTRAINT_SOLVER_KEY "tenon.constraint_solver/1"

/* Totals that the solver by impulses counts; `worst_...` are those of the problem with the largest error. */
typedef struct tn_impulse_totals {
    uint64_t problems, iterations, fallbacks;
    uint64_t not_solved; /* problems of accepted steps whose error stayed above the tolerance */
    double worst_error, worst_merit;
    double worst_time;    /* s */
    uint32_t worst_owner; /* the element, as in tn_impulse_block; meaningless where worst_error is 0 */
    uint32_t reserved;
} tn_impulse_totals;

/* An extension of tn_system: the constraint solver that the user has chosen by the key `constraint_solver` of a [[solver]] with the flag
 * TN_BY_IMPULSES. */
typedef struct tn_constraint_solver {
    uint32_t struct_size, reserved;
    const tn_constraint_solver_type *type; /* NULL: none is chosen */
    const void *instance;
    const tn_own_matrices *linear;
    /* [setup] The constraint solver with this name, with default parameters; NULL: there is none. */
    const struct tn_constraint_solver *(*standard)(tn_system *system, const char *name);
    tn_impulse_totals *totals; /* for the statistics of the run; the kernel saves them with the state */
} tn_constraint_solver;

#endif

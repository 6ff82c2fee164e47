/* tenon/draft/impulses.h - constraint solvers, a kind of plugin of its own: they find the impulses of one step, by which joints hold,
 * contacts press and friction acts. A solver by impulses states the problem (`moreau`), and which one solves it is the user's choice.
 *
 *     A z = G^T p,   u = free_rate + G z,   a law between u and p for each block of rows
 *
 * A is the matrix of masses, or of masses with the shares of stiff forces; z the change of velocities by the impulses p; u the rates of
 * the rows behind the step. What restitution, prescribed motions and errors of positions ask for is part of free_rate: the laws are
 * always those of tn_impulse_law.
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
     * its dual, and at right angles to p: de Saxce, Feng: The bipotential method, Math. Comput. Modelling 28 (1998). */
    TN_CONE_LAW = 2,
    TN_IMPULSE_LAW_IS_32_BITS = 0x7fffffff
} tn_impulse_law;

/* Rows that belong to one joint, or one point of contact. */
typedef struct tn_impulse_block {
    uint32_t law;         /* tn_impulse_law */
    uint32_t first, rows; /* first, first + 1, ..., first + rows - 1 */
    uint32_t owner;       /* the number of its element */
    double friction;      /* of a cone, at least 0 */
} tn_impulse_block;

typedef struct tn_impulse_problem {
    uint32_t struct_size;
    uint32_t nv, rows, blocks; /* rows of the blocks follow each other, from 0 on */
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
    uint32_t same_matrix;    /* 1: A is that of the problem before, number by number */
    uint32_t same_rows;      /* 1: so are the blocks and the pattern of G */
    /* N s, N m s. In: where to start from, those of the step before where a contact or joint lasts, else 0. Out: the solution, or the
     * best that was found. */
    double *impulse; /* [rows] */
    /* 1: the rows of joints are known not to depend on each other. 0: they may, and their impulses are to have the least norm. */
    uint32_t independent_joints, reserved;
} tn_impulse_problem;

/* What has become of a problem; see kit/impulse_error.h for the measures. */
typedef struct tn_impulse_outcome {
    uint32_t struct_size;
    uint32_t iterations;
    double error;       /* of the natural map */
    double merit;       /* spurious energy against the energy of the problem */
    uint32_t worst;     /* the block with the largest share of the error */
    uint32_t fallbacks; /* iterations that another method had to take over */
} tn_impulse_outcome;

enum tn_constraint_solver_flag {
    /* Knows no law but TN_JOINT_LAW: the kernel refuses it for models with points of contact or unilateral rows. */
    TN_JOINTS_ONLY = 1u
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
    /* [setup] Memory for problems of one run; it may grow, but not from step to step while the sizes stay in reach of earlier ones. */
    tn_status (*create)(const tn_host *host, const void *instance, const tn_own_matrices *linear,
                        void **self);
    /* [hot] TN_OK: the error is within the tolerance. TN_RETRY: it is not, and problem->impulse is the best there is. TN_UNSUPPORTED:
     * this solver cannot treat a law of the problem (outcome->worst says which block). What it decides depends on the problem alone, and
     * on nothing that it keeps of earlier ones. */
    tn_status (*solve)(void *self, const tn_impulse_problem *problem, tn_impulse_outcome *outcome);
    /* [setup] Releases the memory of create(). */
    void (*destroy)(void *self);
} tn_constraint_solver_type;

/* ---- of the system ------------------------------------------------------------------------------------------ */

#define TN_CONSTRAINT_SOLVER_KEY "tenon.constraint_solver/1"

/* Counted by the solver by impulses; `worst` stand for the problem with the largest error. */
typedef struct tn_impulse_totals {
    uint64_t problems, iterations, fallbacks;
    uint64_t not_solved; /* whose error stayed above the tolerance in steps that were accepted */
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
    /* [setup] The instance of another constraint solver with its standard parameters, by its name; NULL where there is none. */
    const struct tn_constraint_solver *(*standard)(tn_system *system, const char *name);
    tn_impulse_totals
        *totals; /* what the solver by impulses counts, for the statistics of the run; the kernel saves it */
} tn_constraint_solver;

#endif

/* tenon/solver.h - the integrator of the equations of motion, and the assembled system it integrates. */
#ifndef TENON_SOLVER_H
#define TENON_SOLVER_H

#include "tenon/linear.h"

/* Keys that all solvers share, already read and checked. */
typedef struct tn_run {
    uint32_t struct_size;
    int32_t adaptive;
    double start_time, end_time; /* s */
    double step;                 /* s; fixed, or the first one when adaptive */
    double minimum_step, maximum_step;
    double relative_tolerance, absolute_tolerance;
    /* 1: absolute_tolerance is no number in SI units, but a share of sizes, kind by kind: kit/error_weights.h. */
    int32_t scaled_tolerance;
    int32_t step_given; /* 0: `step` of an adaptive solver is a guess, that it may improve */
} tn_run;

/* What happened; the solver counts steps, rejected steps and iterations, the kernel everything else. */
typedef struct tn_statistics {
    uint32_t struct_size, reserved;
    uint64_t steps, rejected_steps, newton_iterations;
    uint64_t evaluations, matrices, factorisations, linear_solves;
    double smallest_step, largest_step; /* s */
    uint64_t events;                    /* those that the solver has landed on; counted by it */
} tn_statistics;

typedef struct tn_system tn_system;
struct tn_system {
    uint32_t struct_size;
    uint32_t nq, nv, nx;
    uint32_t position_rows, velocity_rows; /* of constraints; see `rows` below */
    uint32_t vector_space;                 /* 1: nq = nv, q' = v and increments just add */
    const tn_host *host;
    const tn_run *run; /* the shared keys */
    tn_statistics *statistics;

    /* The current state. The solver writes here, then evaluates. a = dv/dt. Array pointers are never NULL, even for size 0. */
    double time;
    double *q, *v, *a, *x, *x_rate, *lambda;
    const double *force; /* [nv] f + G^T lambda of the last evaluation */
    const double *scale; /* [nv] size that an increment of q is measured against (m, rad, ...) */
    double
        next_stop; /* an adaptive solver must land on this time exactly, or see next_landing; renewed by accept() */

    /* [hot] f + G^T lambda and x_rate at the current time, q, v and lambda (markers, connectors, gather). TN_RETRY:
     * outside a domain. */
    tn_status (*evaluate)(tn_system *system);
    /* [hot] v' at the state of the last evaluation, into `a` [nv] (may be system->a, which stays as it is otherwise):
     * M^-1 f. With constraints v' and lambda satisfy the derivatives of all rows; the call invalidates the matrix and writes
     * lambda. Read x_rate after this call: it then includes the new reactions and accelerations. On failure `a` and lambda keep
     * their values. system->a belongs to the accepted state, accelerations of stages to the solver. */
    tn_status (*accelerate)(tn_system *system, double *a);
    /* [hot] M a - f - G^T lambda of the last evaluation, into `residual` [nv]. */
    tn_status (*residual)(tn_system *system, const double *a, double *residual);
    /* [hot] q' = N(q) v at the current state, into `rate` [nq]. */
    tn_status (*rate)(tn_system *system, double *rate);
    /* [hot] `to` = `from` [+] increment; from [nq], increment [nv], to [nq]; `to` may be `from`. */
    tn_status (*retract)(tn_system *system, const double *from, const double *increment, double *to);
    /* [hot] Takes q back to its manifold. */
    tn_status (*normalise)(tn_system *system, double *q);
    /* [setup] The pattern of mass + damping + stiffness, bordered by the rows: size nv + rows. Built on the first call.
     * NULL without memory. */
    tn_matrix *(*pattern)(tn_system *system);
    /* [hot] Fills matrix->value with c_mass M - c_damping df/dv - c_stiffness df/dq at the last evaluation,
     * q differentiated along its retraction, f with the reactions at fixed lambda. With constraints it is bordered by
     * row_factor G below, -row_factor G^T on the right, and a diagonal E (`regularisation`), a small share of the
     * size of its Schur complement, which keeps it regular where rows depend on each other. */
    tn_status (*matrix)(tn_system *system, double c_mass, double c_damping, double c_stiffness);
    /* [hot] Factorises the matrix and solves with it by the linear solver of the study. */
    tn_status (*factor)(tn_system *system);
    tn_status (*solve)(tn_system *system, double *right_hand_side);
    /* [hot] A step ended: time, q, v, a, x hold the new state. Runs the callbacks of accepted steps, makes the
     * changes that are due and records a row when one is due. TN_EVENT: the solver ends here, by `stop_when` of the model or
     * because the run was interrupted. Any status but TN_OK ends advance(). Call it for the start state, too. */
    tn_status (*accept)(tn_system *system);
    /* Explains a failure: the kernel adds the element with the largest residual (or the one that
     * refused), time and place. `what_was_tried` is one sentence. Returns `status`. */
    tn_status (*fail)(tn_system *system, tn_status status, const double *residual,
                      const char *what_was_tried);

    /* The last entries of x are quadratures: nothing depends on them. They are integrated
     * like the others, and left out of error control and of the norm of Newton's method: the motion must not depend on whether
     * energies are recorded. */
    uint32_t quadratures;
    /* Number of changes of the model so far. When accept() has raised it, q, v and x may have jumped, and `a` and `x_rate` are
     * those after the change; all other stored evaluations of a solver (slopes, matrices, history) are void. */
    uint32_t revision;
    /* Every solver must land on this time exactly (an adaptive one does by landing on next_stop, which is never
     * later); renewed by accept(). HUGE_VAL for none. */
    double next_change;
    /* Constraints: position rows 0 = g(q, t) and velocity rows 0 = A(q, t) v + b(q, t), element by element; G stands for
     * dg/dq or A. An inactive element keeps its rows: their residuals, derivatives and multipliers are zero. */
    uint32_t rows; /* position_rows + velocity_rows: size of lambda */
    /* 1: forces read accelerations or reactions. v' is not M^-1 f then, and its derivatives are not those of f over M. */
    uint32_t coupled_accelerations;
    const uint8_t *row_level; /* [rows] tn_row_level */
    double row_factor;        /* of the rows in matrix(); written by the solver */
    /* [hot] At the last evaluation, [rows]: residuals; first time derivatives of position rows and values of velocity
     * rows; G times a direction [nv]. */
    tn_status (*constraint)(tn_system *system, double *residual);
    tn_status (*constraint_rate)(tn_system *system, double *rate);
    void (*constraint_product)(tn_system *system, const double *direction, double *product);
    /* [hot] Moves q, then v, onto the constraints by the smallest change that the masses allow, from the current state;
     * evaluates; the matrix is void afterwards. TN_RETRY: no state nearby satisfies them. */
    tn_status (*project)(tn_system *system);
    /* Event functions: the switching functions of expressions that act on the motion, the conditions that end the solver or
     * make changes, then those of the elements. A sign change is an event: the equations, or their derivatives, may jump there,
     * and are smooth between events. Zero belongs to neither side. [hot] Their values at the last evaluation, [events]; NaN: no
     * event there. An adaptive solver ends a step at the first event, so that all evaluations of the step precede it, and
     * continues from a state as soon after it as the time resolves, where it accepts that step: accept() then calls on_event of
     * the elements concerned, which may raise `revision`. Slopes evaluated there are those of the new side. Solvers of fixed
     * step may step over events: accept() tells the elements at the end of the step. */
    uint32_t events;
    /* 1: forces read states of x. A solver that corrects v and q then finds x anew before it evaluates. */
    uint32_t coupled_states;
    tn_status (*event_values)(tn_system *system, double *value);
    double
        state_factor; /* dx / dx' at the state that matrix() is for; written by the solver; 0: x does not follow */
    /* [nx] or NULL; written by the solver. Where it is set, evaluate() finds, instance by instance, the states whose rates have
     * derivatives (rates_tangent), as the solution of x = state_base + state_factor x', and their x_rate is that of the
     * solution: stiff ones converge with the motion. It leaves the others to the solver, and TN_RETRY: there is none. With
     * state_factor above zero matrix() counts the change of these states with q and v to the forces. It is NULL again before
     * accept(). */
    const double *state_base;
    /* [hot] Derivatives of forces by states, [nv][n], of the rates of states by increments of q, then by v, [n][2 nv], and by
     * states, [n][n], at the last evaluation; n counts the states that are no quadratures. NULL: some are not known, or there
     * are no states. */
    tn_status (*state_tangent)(tn_system *system, double *force_by_state, double *rate_by_motion,
                               double *rate_by_state);
    /* Discrete data of elements whose laws switch by them (see `update` of tn_element_type). `switching` is 1 where there are
     * any. An implicit solver sets `frozen` to 1: then the laws hold the data, and are smooth, until it calls update(). It
     * is 0 when a solver begins: the laws are evaluated from the state alone. */
    uint32_t switching, frozen;
    /* [hot] The iterations of a step of length `step` (0: of none, at the start and behind a change) converged to the current
     * state: the laws renew their data. `error` is the sum of the forces that this changes there, N;
     * `recommended_step` the length of a step from the same start that would end where something switches, 0 where none is
     * wanted. */
    tn_status (*update)(tn_system *system, double step, double *error, double *recommended_step);
    /* [hot] Restores the data of the last accept(), for rejected steps. */
    void (*restore_data)(tn_system *system);
    /* [nx] 1: a state of x that keeps its value while an equilibrium is sought, where its rate need not vanish then; 0: one that
     * the equilibrium finds. Quadratures are held. */
    const uint8_t *state_held;
    /* Constraints that depend on each other leave directions of lambda open in which nothing changes but what stands
     * against E of matrix(): round-off over E piles up there unless the solver takes it out.
     * dependent_rows: 1: rows may depend on each other; 2: and forces read multipliers, which have to be those of least
     * norm: E is the same for all rows then, and the solver takes out all of lambda in these directions. */
    uint32_t dependent_rows;
    /* 1: mass matrices depend on q. Then d(M v')/dq, with v' from `a`, belongs to what matrix() differentiates, too. */
    uint32_t changing_masses;
    const double *regularisation; /* [rows] E of the last matrix(); 0: a row that stands alone */
    /* [hot] A vector of v, or a, or of increments of q [nv], belonging to the configuration `from`, with the components that
     * it has at `to`: what elements measure in axes that turn with them is turned back, so that in ground axes it stays as
     * it is. `result` may be `vector`. Two vectors at once cost less than each by itself; `second` may be NULL. Nothing
     * changes where vector_space is 1. */
    void (*transport)(tn_system *system, const double *from, const double *to, const double *vector,
                      double *result, const double *second, double *second_result);
    /* A solver that makes no progress at the state of the last accepted step asks whether the motion stays at jumps of
     * expressions there, as at dry friction at rest. Those become steep laws, as wide as their switching functions move in
     * `time` (s): the error that is made. `implicit`: 1 where the law is solved for at the end of a step, which may then be as
     * long as `time`. Returns their number; accept() tells about them. Where it is not 0 the state needs evaluation, and all
     * that is kept of earlier ones is void; the next accept() raises `revision`. NULL: there are no jumps. */
    uint32_t (*slide)(tn_system *system, double time, uint32_t implicit);
    /* [nv] 1: a component, rad, of an angular vector that `transport` turns; those of one body follow each other. */
    const uint8_t *angular;
    /* Warns, with name, place and time, of the element that a coordinate of v belongs to; `text` goes on where the name ends. To
     * be called a few times in a run at most. */
    void (*warn)(tn_system *system, uint32_t coordinate, const char *text);
    /* Like fail(), for a solver that makes no progress: `jump` [nv] holds by how much v' differs from try to try, and the element
     * is the one where that is most against `scale`. */
    tn_status (*fail_at_jump)(tn_system *system, tn_status status, const double *jump,
                              const char *what_was_tried);
    /* [setup] Table of functions of a key such as "tenon.operators/1", whose first field is its size; NULL: not offered. */
    const void *(*extension)(tn_system *system, const char *key);
    /* No step may pass this time: next_change, or next_stop where the model reads values of the past, whose histories are made of
     * ends of steps; renewed by accept(). An adaptive solver that knows states within its steps may pass next_stop: it hands over the
     * state at next_stop, with the accuracy of its steps, then others within the step, then its end, each by accept(). When that
     * raises `revision` it goes on from there. HUGE_VAL for none. */
    double next_landing;
    /* Written by the solver. 1: what solve() gives now is a correction of an iteration, which finds what round-off leaves of it with
     * the next one: the kernel does not refine it (linear.h). */
    uint32_t corrects;
};

enum tn_row_level { TN_POSITION_ROW = 0, TN_VELOCITY_ROW = 1 };

enum tn_solver_flag {
    TN_ADAPTIVE = 1u,        /* offers `adaptive = true` */
    TN_NEEDS_MATRIX = 2u,    /* uses a linear solver */
    TN_ONLY_ADAPTIVE = 4u,   /* has no fixed step */
    TN_UNILATERAL_ROWS = 8u, /* gives rows that are no equations their meaning: draft/operators.h */
    /* Seeks one state, at its start time: end_time is that time, whatever the model says. accept() is called once, with the state
     * found; a solver that takes steps (draft/stepping.h) finds it in begin(). `step` of tn_run is what the model gives, whatever
     * that may mean to it. */
    TN_SINGLE_STATE = 16u,
    /* Constraints act by impulses, which a constraint solver finds: the key `constraint_solver` chooses it (draft/impulses.h). */
    TN_BY_IMPULSES = 32u
};

typedef struct tn_solver_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags, reserved_too;
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    /* [setup] Checks and completes one instance; `run` holds the shared keys and may be completed. NULL: nothing to do. */
    tn_status (*prepare)(const tn_host *host, void *instance, tn_run *run);
    /* [setup] Checks that it can integrate this system (its sizes); NULL: it accepts any. */
    tn_status (*check)(const tn_host *host, const void *instance, const tn_system *system);
    /* From run.start_time, or the time of the system if that is later, to run.end_time, with finite states; the last accepted one is
     * at run.end_time unless accept() has ended it before. */
    tn_status (*advance)(const void *instance, tn_system *system);
} tn_solver_type;

#endif

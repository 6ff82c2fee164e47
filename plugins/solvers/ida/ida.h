/* ida.h - the parameters of ida, the memory of one run, and what its files share. */
#ifndef TENON_IDA_H
#define TENON_IDA_H

#include <tenon/draft/complex_equations.h>
#include <tenon/draft/stepping.h>
#include <tenon/kit/error_weights.h>
#include <tenon/kit/event_search.h>
#include <tenon/kit/first_step.h>
#include <tenon/kit/quadratures.h>
#include <tenon/kit/stall_watch.h>
#include <tenon/kit/state_derivatives.h>
#include <tenon/kit/step_grid.h>
#include <tenon/kit/step_report.h>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

typedef struct ida_instance {
    int64_t max_order;
    double strictness; /* share of the tolerances that a step may use */
} ida_instance;

/* Coordinates q that follow the same velocities: q' = N v block by block, a quaternion by three components, or one number by one. */
typedef struct ida_block {
    uint32_t first_q, first_v; /* in the lists of their numbers */
    uint32_t nq, nv;
    size_t entry; /* of its part of N, by rows */
} ida_block;

typedef struct ida_kinematics {
    uint32_t count, widest; /* blocks; the most velocities of one. No blocks: q' = v */
    ida_block *block;
    uint32_t *q, *v; /* numbers of the blocks' coordinates and velocities */
    double *entry;   /* of N where it was read last */
    double *normal;  /* [nq] scratch: what of a vector is no N v */
} ida_kinematics;

/* Where a run stands. */
typedef struct ida_stand {
    uint64_t accepted; /* states so far */
    double start;      /* time of the last one */
    double begin,
        reached; /* of IDA's last step, which may end behind `start`: what lies between is to be handed over */
    double first_step;    /* of a new start; 0: by the rule of tn_ida_first_step() */
    double usual_step;    /* the last one of IDA; 0: none yet */
    double guarded_until; /* up to this time no evaluation looks behind an event */
    tn_step_progress progress;
    uint32_t revision;
    uint32_t anew;     /* 1: IDA starts at order 1, from the state of the system */
    uint32_t failures; /* of IDA in a row, at the same state */
    uint32_t rooted;   /* 1: at `reached` lies an event; 2: and the polynomial holds in front of it */
} ida_stand;

/* One run. IDA's y is (q, v, x, lambda, mu), without quadratures; residuals stand in the same order:
 * q' - N v, M v' - f - G^T lambda, x' - h, g, G v + dg/dt. The terms of mu are those of the linear solver (linear_solver.c). */
typedef struct ida_work {
    const ida_instance *settings;
    tn_system *system;
    const tn_complex_equations *equations;
    const tn_step_report *report; /* may be NULL */
    ida_stand stand;
    size_t at_v, at_x, at_lambda, at_mu, size; /* of the parts of y */
    uint32_t states;                           /* of x that are no quadratures */
    bool
        is_empty; /* there is nothing to integrate: y is one number that stays zero, and tells IDA the way to rows and events */
    /* Forces or rates of states read reactions or accelerations: residuals are v' less the accelerations that satisfy all rows, and
     * lambda of y is what these leave. */
    bool reads_reactions;
    bool guards;      /* residuals behind an event are refused; */
    bool refused;     /* one was */
    tn_status status; /* of the last callback of the system */

    void *ida;
    SUNContext context;
    SUNLinearSolver linear;
    SUNMatrix matrix;
    N_Vector y, slope, kind, error;                       /* `error`: estimates, weights */
    char said[320];                                       /* the last message of IDA */
    long rejected_errors, rejected_solutions, iterations; /* IDA's counts at its last step */
    bool begun;                                           /* IDAInit was called */

    ida_kinematics kinematics;
    double *q0, *v0, *a0, *x0, *x_rate0, *lambda0; /* the last accepted state */
    double *weight;      /* [size] reciprocals of what an error is measured against */
    double *multipliers; /* [2 rows] lambda and mu of the last residual */
    double *q_residual;  /* [nq] coordinates of the last residual, not normalised */

    /* linear_solver.c: in the axes of the Jacobian */
    double *q_jacobian;
    double c, c_factored;                           /* dy'/dy of IDA, and that of the factors; 0: none */
    double *z, *right, *force, *part, *move, *rows; /* [nv], [nv + rows] four times, [rows] */
    double *q_now, *v_now;                          /* [nq], [nv] of the system meanwhile */

    /* states.c */
    tn_state_derivatives derivatives;
    double *columns, **schur; /* [states][nv + rows]; [states] columns of the full matrix, then its factors */
    sunindextype *pivot;

    tn_quadratures quadratures;
    tn_event_watch watch;
    tn_stall_watch stall;
    tn_error_weights weights;
} ida_work;

static inline double *tn_ida_array(const tn_system *system, size_t count)
{
    double *array = system->host->allocate(system->host, (count + 1) * sizeof *array);
    if (array) memset(array, 0, (count + 1) * sizeof *array);
    return array;
}

/* IDA takes numbers above zero for a reason to shorten the step, those below for the end. */
static inline int tn_ida_answer(ida_work *work, tn_status status)
{
    work->status = status;
    return status == TN_OK ? 0 : status == TN_RETRY ? 1 : -1;
}

/* ---- kinematics.c ---- */

/* The blocks of N, found at a state that is nothing special. */
tn_status tn_ida_make_kinematics(ida_work *work);
/* Reads N at q of the system, which may be off its manifold. */
tn_status tn_ida_read_kinematics(ida_work *work);
/* rate = N^+ numbers; what is no N v stays in kinematics.normal. */
void tn_ida_tangential(const ida_work *work, const double *numbers, double *rate);
/* numbers = N rate + factor * kinematics.normal. */
void tn_ida_numbers(const ida_work *work, const double *rate, double factor, double *numbers);

/* ---- equations.c ---- */

/* Numbers off their manifold come back to it within about fifty steps, too slowly to be seen by the error control. */
#define IDA_RETURN 0.02
/* The state that y and y' are; with `q` as its numbers are. */
void tn_ida_write_state(ida_work *work, double time, const double *y, const double *slope);
int tn_ida_residual(double time, N_Vector y, N_Vector slope, N_Vector residual, void *work);
int tn_ida_roots(double time, N_Vector y, N_Vector slope, double *value, void *work);
int tn_ida_weights(N_Vector y, N_Vector weight, void *work);
/* y and y' at the state of the system. */
tn_status tn_ida_read_state(ida_work *work);

/* ---- states.c ---- */

bool tn_ida_make_states(ida_work *work);
tn_status tn_ida_differentiate_states(ida_work *work);
tn_status tn_ida_factor_states(ida_work *work);
/* Solves for dx with dv of fixed states, and adds what it brings about; `right` is that of x. */
void tn_ida_solve_states(ida_work *work, const double *right, double *dx);

/* ---- linear_solver.c ---- */

/* A solution of the bordered equations, multipliers in their own unit. */
tn_status tn_ida_solve_bordered(ida_work *work, double *right);
/* SUNMatrix and SUNLinearSolver of our own. */
tn_status tn_ida_make_linear_solver(ida_work *work);

/* ---- library.c ---- */

/* IDA, made once; then its start from the state of the system. */
tn_status tn_ida_open(ida_work *work);
void tn_ida_close(ida_work *work);
tn_status tn_ida_start(ida_work *work, double stop);
/* Counts what IDA has done since the last call. */
void tn_ida_count(ida_work *work);
/* Ends the run: what IDA says, in words. */
tn_status tn_ida_give_up(ida_work *work, int flag);

/* ---- steps.c ---- */

void tn_ida_save_start(ida_work *work);
tn_status tn_ida_accept(ida_work *work);
tn_status tn_ida_take_step(ida_work *work);
tn_status tn_ida_begin_watch(ida_work *work);

#endif

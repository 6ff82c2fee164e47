/* generalized_alpha.h - the parameters of generalized_alpha, its coefficients and the memory of one run. */
#ifndef TENON_GENERALIZED_ALPHA_H
#define TENON_GENERALIZED_ALPHA_H

#include <tenon/draft/stepping.h>
#include <tenon/kit/blocks.h>
#include <tenon/kit/error_weights.h>
#include <tenon/kit/event_search.h>
#include <tenon/kit/first_step.h>
#include <tenon/kit/stall_watch.h>
#include <tenon/kit/step_grid.h>
#include <tenon/kit/step_report.h>

#include <math.h>

enum { SCHEME_GENERALIZED_ALPHA, SCHEME_HHT, SCHEME_NEWMARK, SCHEME_TRAPEZOIDAL };
enum { JACOBIAN_MODIFIED, JACOBIAN_FULL };

/* (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v'1 + alpha_f v'0, and Newmark's gamma and beta. */
typedef struct alpha_coefficients {
    double alpha_m, alpha_f, gamma, beta;
} alpha_coefficients;

typedef struct alpha_instance {
    double spectral_radius, gamma, beta;
    double newton_tolerance; /* NaN: by the tolerance of steps */
    double discontinuous_tolerance;
    int64_t index; /* 2, 3; 0: by the rule of tn_alpha_choose_index() */
    int64_t newton_iterations, discontinuous_iterations;
    int32_t scheme, jacobian;
    alpha_coefficients coefficients; /* completed by prepare */
} alpha_instance;

/* What is known about the contraction of the iteration with the current matrix. */
typedef struct alpha_contraction {
    double rate;        /* ratio of successive increments; negative: not measured */
    double reference;   /* largest first increment that a rate was measured with */
    uint32_t age;       /* steps since the measurement */
    uint32_t of_matrix; /* steps since it was renewed */
    uint32_t valid;     /* steps for which it may be used */
} alpha_contraction;

/* Ways to predict v' and multipliers from those of ALPHA_PAST + 1 states. (prediction.c) */
enum { ALPHA_PAST = 6, ALPHA_WAYS = 6 };

typedef struct alpha_predictors {
    uint32_t known;                                 /* past states, at equal steps */
    uint32_t ways, best;                            /* how many there are; the one to go */
    uint32_t unmeasured;                            /* steps since `error` was found */
    uint32_t needed[ALPHA_WAYS];                    /* past states */
    double coefficient[ALPHA_WAYS][ALPHA_PAST + 1]; /* of v' at the start of the step, and before */
    double error[ALPHA_WAYS];                       /* of v', scaled as corrections are */
    double acceleration;                            /* largest v', scaled likewise */
    double row_error[ALPHA_WAYS];                   /* of multipliers, where rows depend on each other, */
    double multiplier;                              /* and the largest one */
    double growth;                                  /* of smooth errors by what takes alternating ones out */
} alpha_predictors;

/* A step of the grid, or a part of one that ends where the model changes, and how far it has been crossed. */
typedef struct alpha_piece {
    double start, length, end; /* s */
    double done;               /* share of it that has been crossed; 1: the next one is to begin */
    uint32_t parts;            /* accepted ones */
    uint32_t revision;         /* of the model at its start */
} alpha_piece;

/* Numbers that the next step depends on besides the arrays. */
typedef struct alpha_stand {
    uint64_t accepted; /* states so far */
    uint64_t step;     /* of the grid */
    double time;       /* where the next piece begins */
    alpha_piece piece;
    uint64_t revision; /* of the model, that the last step was taken with */
} alpha_stand;

/* Steps under error control. */
typedef struct alpha_control {
    double wanted, first; /* length of the step to try, and of the first one, s */
    double last_error;    /* of the last accepted step */
    bool rejected;        /* the last try was */
    bool known;           /* v' and x' before the last accepted state belong to the same motion */
    bool renew;           /* all starts anew */
    bool behind_event;    /* the last start was behind an event or an impact */
    uint32_t governing;   /* coordinate of v, or nv + state, with the largest error of the last try */
    tn_step_progress progress;
} alpha_control;

/* One run. The unknowns of Newton's method are the increment of q over the step and, behind it, the multipliers of
 * constraints divided by the factor of their rows in the matrix, 1/(beta h^2). */
typedef struct alpha_work {
    const alpha_instance *settings;
    alpha_coefficients c;
    tn_system *system;
    tn_step_grid grid;
    alpha_stand stand;
    double *q0, *v0, *vdot0; /* the start of the step; multipliers behind v' */
    double *past
        [ALPHA_PAST]; /* v' steps of before_step before q0, v0, multipliers behind; the latest one first */
    double *x0, *x_rate0;         /* states of x, and their rates, at the last accepted state */
    double *x_rate_before;        /* with past[0] */
    double *x_base;               /* x of the step but for the share of its new rates */
    double *a;                    /* acceleration-like variable, belonging to steps of a_step */
    double *increment, *residual; /* of q over the step; right-hand side and correction, rows behind */
    double *rows, *shift;         /* residuals of constraints; correction of q alone, rows behind (index 2) */
    /* In ground axes: whether v, v' and a keep their components in ground axes over a step, and v1 and v'1 with those that
     * they have at its start. */
    bool in_ground_axes;
    int index; /* 2 or 3 */
    double
        longest_turn; /* rad; a body that turns farther in a step is warned of, once; infinite behind that */
    double *v_at_start, *vdot_at_start;
    double *matrix_q;         /* where the matrix belongs to */
    bool new_null_directions; /* of dependent rows: past multipliers may have parts in them */
    double *null_part;        /* of a correction, where rows depend on each other; rows behind */
    double
        null_error; /* share of a null part that the matrix leaves when it is taken out; 1: not known yet */
    double *inverse_scale; /* of corrections, so that their largest component is their norm */
    double *norm;          /* of the last one, or errors of predictions, block by block */
    double time0;          /* the start of the step */
    double before_step, a_step, matrix_step; /* step sizes they belong to; 0: there is no matrix */
    double kappa, kappa_step;         /* tn_alpha_kappa() of the last step that was tried, and its length */
    double part;                      /* of the grid step, a power of 1/2 */
    double round_off;                 /* norm of a correction that is no longer meaningful */
    double newton_tolerance;          /* of corrections, relative to scale */
    double row_tolerance;             /* error of constraints that may be left: m, rad; m/s, rad/s */
    double row_round_off;             /* of them, from that of coordinates */
    uint32_t refusals, most_refusals; /* of parts since the last whole step; those to ask about jumps after */
    uint32_t extra_iterations;        /* beyond the usual ones, since the matrix was renewed */
    double first_correction, last_correction; /* of the step, scaled */
    double first_row_correction; /* of multipliers in the step, where rows depend on each other */
    alpha_contraction contraction;
    alpha_predictors predictors;
    tn_stall_watch stall; /* in the last parts of a step that are allowed */

    /* discontinuous.c */
    bool switches;   /* laws of elements switch by discrete data, and shall do so at the end of a step */
    bool landed;     /* the step has brought an impact: all starts anew behind it */
    double shortest; /* step that is short enough for an impact */
    double wanted;   /* step that ends at an impact, of a step that was refused; else 0 */
    uint32_t steps_in_part; /* since the last change of `part` */
    uint64_t unsettled;     /* steps whose data still changed after all iterations, */
    double largest_error;   /* by a force of this size, N */

    /* adaptive.c */
    bool adaptive;
    double share_of_a_step; /* of the tolerances */
    alpha_control control;
    const tn_step_report *report;
    tn_error_weights weights;
    tn_event_watch watch;
    int64_t iterations; /* of the last step that was tried */
    bool diverged;      /* these did not converge */
} alpha_work;

/* ---- run.c ---- */

extern const tn_stepping_capability tn_alpha_stepping;

/* Explains with the residual of the last iteration, and goes back to the last accepted state; `what` became of the step. */
tn_status tn_alpha_give_up(alpha_work *work, double h, const char *what);
/* States of x and quadratures follow the new state by the trapezoidal rule: the last iteration's forces are not quite those
 * there. */
tn_status tn_alpha_integrate_states(alpha_work *work, double h);
/* Hands the new state over. The rates before it are kept for the next prediction. */
tn_status tn_alpha_accept(alpha_work *work);
/* Forces have jumped: nothing from before helps to predict. With constraints, v' of the step across the jump is not yet that of
 * the state behind it. */
tn_status tn_alpha_start_behind_impact(alpha_work *work, double h);
/* Nor is anything from before a change of the model of use. */
tn_status tn_alpha_start_behind_change(alpha_work *work, double h);

/* ---- grid.c ---- */

void tn_alpha_begin_grid(alpha_work *work);
/* Accepted states until one has come to `stop`, or `most` of them. */
tn_status tn_alpha_steps_on_grid(alpha_work *work, double stop, uint64_t most);

/* ---- adaptive.c ---- */

/* C_q and C_v of the errors of a step, C_q h^3 v'' and C_v h^3 v''' . */
double tn_alpha_position_constant(const alpha_coefficients *c);
double tn_alpha_velocity_constant(const alpha_coefficients *c);
double tn_alpha_share_of_a_step(const tn_run *run, bool at_index_3);
/* The first step to try, at the accepted start state; one accepted state further. */
tn_status tn_alpha_begin_adaptive(alpha_work *work);
tn_status tn_alpha_step_adaptive(alpha_work *work);

/* ---- index.c ---- */

/* Index 3 needs damping at infinity, which gamma = 1/2 without a shift and spectral radius 1 do not give. */
bool tn_alpha_damps_at_infinity(const alpha_instance *settings);
/* The index of the run, and what follows from it; at the accelerations of the start state. */
bool tn_alpha_resolves(const alpha_work *work, double h); /* accelerations, by steps of h */
void tn_alpha_choose_index(alpha_work *work);
/* A step ended: warns, once, of a body that has turned farther in it than index 3 is stable for. */
void tn_alpha_watch_turns(alpha_work *work);

/* ---- first_step.c ---- */

/* All that a first step of length h needs: from the start of the run, or from a change of the model. */
tn_status tn_alpha_start(alpha_work *work, double h);
/* The acceleration-like variable refers to a time that depends on the step, and errors to its length: both follow a change
 * of step. TN_RETRY: refused there, and lambda may have changed. */
tn_status tn_alpha_change_step(alpha_work *work, double h);

/* ---- multipliers.c ---- */

/* What stands against E in a first iteration are all of the multipliers: corrections alone would add up their shares of E in
 * soft directions from step to step. Goes onto the right-hand side of the correction. */
void tn_alpha_resist_multipliers(alpha_work *work);
/* Of dependent rows: takes what the correction has in null directions out of it, and what the multipliers have there in a first
 * iteration, or always where they shall be the least ones. */
tn_status tn_alpha_clean_correction(alpha_work *work, bool first);

/* ---- prediction.c ---- */

void tn_alpha_make_predictors(alpha_work *work);
/* v' of before the last step belongs to another motion, or to other steps, and so does the rate of contraction. */
void tn_alpha_forget_past(alpha_work *work);
/* Increment, v and v', multipliers and states of x at the end of the step when v' and the multipliers go on as in the steps before.
 */
void tn_alpha_predict(alpha_work *work, double h);
/* What the first correction of the step would be if v' had gone on by its slope. */
double tn_alpha_usual_correction(const alpha_work *work, double h);
/* The acceleration-like variable of the new state, and what the next prediction starts from: the step is taken. */
void tn_alpha_finish_step(alpha_work *work, double h);

/* Where a new matrix has new null directions: takes what past multipliers have there out of them, so that they go on smoothly. */
tn_status tn_alpha_clean_past(alpha_work *work);

/* ---- newton.c ---- */

/* dv'1 / d(increment of q) for a step h. */
double tn_alpha_kappa(const alpha_work *work, double h);
/* The measured rate belongs to a matrix that is gone. */
void tn_alpha_forget_contraction(alpha_work *work);
/* Keeps the start of a step, to iterate from and to return to. */
void tn_alpha_save_state(alpha_work *work);
void tn_alpha_restore_state(alpha_work *work);
/* q1 = q0 [+] increment. */
tn_status tn_alpha_apply_increment(alpha_work *work);
/* From here on the step's states are found at every evaluation, until system->state_base is NULL again. */
void tn_alpha_hold_states(alpha_work *work, double h);
/* Turns a vector of the current state to its components at the start of the step; does nothing unless in ground axes. */
void tn_alpha_turn_back(const alpha_work *work, double *vector);
/* The same for what the matrix was solved for. */
void tn_alpha_turn_solution(const alpha_work *work, double *vector);
/* Where corrections stop to shrink, from the sizes of q. */
void tn_alpha_measure_round_off(alpha_work *work);
/* The matrix of the last evaluation, factorised for a step h. */
tn_status tn_alpha_renew_matrix(alpha_work *work, double h);
/* Puts the multiplier part behind a right-hand side: what a change of q shall make of G times it. */
void tn_alpha_demand(alpha_work *work, const double *rows, double factor, double *right_hand_side);
/* One step from the current state to `time`. TN_RETRY: not solved, the state is that of the last iteration. */
tn_status tn_alpha_solve_step(alpha_work *work, double h, double time);
/* Why the last step was refused, a tn_rejection. */
uint32_t tn_alpha_reason(const alpha_work *work);
/* Newton's method with a new matrix: from the current iterate, and if that does not do, or is the one that was
 * `predicted`, from the prediction. TN_RETRY: it does not converge. */
tn_status tn_alpha_iterate_anew(alpha_work *work, double h, double time, bool predicted);

/* ---- discontinuous.c ---- */

/* Discrete data are held from here on, and renewed at the start state, or behind a change of the model. */
tn_status tn_alpha_start_data(alpha_work *work);
/* The iterations of a step converged: renews the data, and iterates again, until they agree with the state. TN_RETRY: the
 * step contains an impact and shall be shorter (work->wanted), or does not converge. */
tn_status tn_alpha_switch(alpha_work *work, double h, double time);
/* The part of the grid step to try when `work->part` was refused; whether it may be doubled after a step. */
void tn_alpha_shorten(alpha_work *work, double grid_step);
bool tn_alpha_may_lengthen(alpha_work *work, double done);
/* A whole step was taken: refusals of parts are counted anew. */
void tn_alpha_forget_refusals(alpha_work *work);
/* At the start of a part that was refused: after several, jumps of expressions that the motion stays at become steep laws, as
 * wide as a grid step needs them, and all starts anew. */
tn_status tn_alpha_slide(alpha_work *work, double grid_step);
/* Tells about data that did not settle. */
void tn_alpha_report_data(const alpha_work *work);

#endif

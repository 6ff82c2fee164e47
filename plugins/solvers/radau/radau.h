/* radau.h - the coefficients of Radau IIA of order 5, the memory of one run, and what its files share. */
#ifndef TENON_RADAU_H
#define TENON_RADAU_H

#include <tenon/draft/complex_equations.h>
#include <tenon/draft/stepping.h>
#include <tenon/kit/error_weights.h>
#include <tenon/kit/event_search.h>
#include <tenon/kit/stall_watch.h>
#include <tenon/kit/state_derivatives.h>
#include <tenon/kit/step_grid.h>
#include <tenon/kit/step_report.h>

#include <math.h>
#include <string.h>

enum { STAGES = 3 };
#define GOOD_RATE 0.4 /* of the iteration: steps are kept so short, it being about proportional to them */

/* Collocation at the zeros of d^2/dx^2 (x^2 (x - 1)^3). */
static const double radau_node[STAGES] = {0.15505102572168219018, 0.64494897427831780982, 1.0};
/* A, and its inverse. */
static const double radau_a[STAGES][STAGES] = {
    {0.19681547722366042587, -0.065535425850198388109, 0.02377097434822015242},
    {0.394424314739087277, 0.29207341166522846302, -0.041548752125997930198},
    {0.37640306270046727505, 0.51248582618842161384, 0.11111111111111111111}};
static const double radau_inverse[STAGES][STAGES] = {
    {3.2247448713915890491, 1.1678400846904054949, -0.25319726474218082619},
    {-3.5678400846904054949, 0.7752551286084109509, 1.0531972647421808262},
    {5.5319726474218082619, -7.5319726474218082619, 5.0}};
/* A^-1 = T diag(gamma, [alpha, -beta; beta, alpha]) T^-1 */
#define RADAU_GAMMA 3.6378342527444957322
#define RADAU_ALPHA 2.6810828736277521339
#define RADAU_BETA 3.0504301992474105694
static const double radau_t[STAGES][STAGES] = {
    {0.094438762488975241487, -0.14125529502095420843, -0.030029194105147424492},
    {0.25021312296533331138, 0.204129352293799932, 0.3829421127572619378},
    {1.0, 1.0, 0.0}};
static const double radau_t_inverse[STAGES][STAGES] = {
    {4.1787185915519047273, 0.32768282076106238708, 0.52337644549944954804},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};
/* Weights of the increments of stages in the error estimate: (-13 -+ 7 sqrt(6))/3, -1/3. */
static const double radau_error[STAGES] = {-10.048809399827415562, 1.3821427331607488953,
                                           -0.33333333333333333333};

typedef struct radau_instance {
    int64_t order, newton_iterations;
    double newton_tolerance; /* share of the tolerances; 0: by the rule of radau_make() */
} radau_instance;

/* A state, with its slope. */
typedef struct radau_point {
    double *q, *v, *a, *x, *x_rate, *lambda;
} radau_point;

/* Where a run stands: with the arrays all that the next step depends on. */
typedef struct radau_stand {
    uint64_t accepted;            /* states so far */
    double start, wanted;         /* of the current step; the step that it asks for */
    double last_error, last_step; /* of the step before; step 0: there is none to go on from */
    double contraction;           /* of the iterations of the step before; above 1: unknown */
    double jacobian_age;          /* time since the Jacobian was found; below 0: there is none */
    double factor_step;           /* the step that matrices are factorised for; 0: none */
    double usual_step;            /* the last one that was chosen by its error */
    double polynomial_step;       /* the step of the stages that are kept; 0: none */
    double lambda_step;           /* between the last two multipliers; 0: there are no two */
    tn_step_progress progress;
    double handed_over;          /* time of the last state that was */
    double end, behind;          /* of the last step, and the time to cross to behind it, or HUGE_VAL */
    uint32_t revision;           /* of the model that the slope at the start is of */
    uint32_t rejected, unsolved; /* 1: the last try was; it had no solution */
    double tried_error;          /* of that try, where its error was the reason; 0: it was not */
    uint32_t within;             /* 1: states within the last step are still wanted, before its end */
    uint32_t landings, refusals; /* stops to end steps at; how often they had to be, one after the other */
} radau_stand;

/* One run. A stage has increments theta of q from the start of the step, v, a = dv/dt of the collocation polynomial, x, its rates
 * and lambda. Velocities and accelerations of stages have the components that they have in the axes at the start of the step, where
 * bodies that spin have the same masses and rows in all of them; right-hand sides and corrections those at the Jacobian. */
typedef struct radau_work {
    const radau_instance *settings;
    tn_system *system;
    const tn_complex_equations *equations;
    tn_error_weights weights;
    tn_run run; /* the shared keys that it began with */
    radau_stand stand;
    size_t unknowns; /* nv + rows */
    uint32_t states; /* of x that are no quadratures */
    double newton_tolerance;
    /* Forces, or rates of states, read reactions, which stages at index 3 have to order 2 only: stages satisfy second derivatives of
     * the rows then. */
    bool at_index_1;
    bool
        unknown_rates; /* derivatives of rates of states are not all known: these may lag behind by an iteration */

    radau_point start, end; /* of the step */
    double *lambda_before;  /* at the start of the step before */
    double *q_jacobian;     /* where the Jacobian was found */
    double *theta[STAGES], *v[STAGES], *a[STAGES], *x[STAGES], *x_rate[STAGES], *lambda[STAGES];
    double *v_kept[STAGES],
        *x_kept[STAGES]; /* increments of the last accepted step, by which it is continued */
    double *theta_rate[STAGES];
    double *residual[STAGES], *x_residual[STAGES];        /* [unknowns], [states] of a stage */
    double *real, *complex;                               /* [unknowns], [unknowns][2] right-hand sides */
    double *x_real, *x_complex, *x_work;                  /* [states], [states][2] each */
    double *rows, *product, *error_q, *error_v, *error_x; /* [rows], [nv] ..., [states] */
    double *weight_q, *weight_v, *weight_x;               /* of errors: what counts as 1 */

    /* states.c */
    tn_state_derivatives derivatives;
    double *real_columns, *complex_columns; /* [states][unknowns] A^-1 of forces by states; pairs */
    double *real_schur, *complex_schur;     /* [states][states], factorised; pairs */
    uint32_t *real_pivot, *complex_pivot;

    unsigned char *jacobian_side, *stage_side; /* [events], [STAGES][events] signs of event functions */
    bool sides_changed;                        /* of some stage in the last iteration */
    tn_event_watch watch;
    tn_stall_watch stall;
    const tn_step_report *report; /* counts rejections and governing components; may be NULL */
} radau_work;

/* What came of a step that was tried. */
typedef struct radau_outcome {
    double error;  /* against its tolerances; HUGE_VAL: refused, or not solved */
    double shrink; /* of a step that was not solved: the factor for the next one */
    double rate;   /* the worst contraction that was seen; 0: none */
    uint32_t iterations;
    bool outside;  /* not solved, as a stage was outside of a domain */
    bool switched; /* it ended behind an event */
    bool is_short; /* it went along the slope at the start */
} radau_outcome;

/* ---- chart.c ---- */

/* theta' of increments theta whose velocity is v, in the axes at the start: the inverse of the tangent of the exponential map. */
void tn_radau_chart_rate(const tn_system *system, const double *theta, const double *v, double *rate);
/* Whether the retraction of the system is the exponential map that chart_rate() is about. */
tn_status tn_radau_check_chart(radau_work *work, bool *fits);

/* ---- states.c ---- */

bool tn_radau_make_states(radau_work *work);
/* Derivatives of forces and rates by states at the last evaluation. */
tn_status tn_radau_differentiate_states(radau_work *work);
/* What solutions need of them with the matrices that were factorised for a step of length h. */
tn_status tn_radau_factor_states(radau_work *work, double h);
/* Solves for v and lambda in `real`, `complex`, and for x behind. */
tn_status tn_radau_solve_real(radau_work *work, double h);
tn_status tn_radau_solve_complex(radau_work *work, double h);

/* ---- dense_output.c ---- */

void tn_radau_keep(const radau_work *work, radau_point *point);
void tn_radau_put_back(radau_work *work, const radau_point *point, double time);
/* The state at `time` within the step from `start` to `end`, on the constraints; whether it is as exact as these. */
tn_status tn_radau_interpolate(radau_work *work, double time, bool *exact);

/* ---- stages.c ---- */

/* Weights of the stages in the polynomial through 0 and their increments, at the share t of the step. */
void tn_radau_interpolation_weights(double t, double *weight);

/* Stages from the collocation polynomial of the step before, or from the slope at the start. */
void tn_radau_start_stages(radau_work *work, double h);
/* The increments of q that belong to the velocities of the stages. */
void tn_radau_move_stages(radau_work *work, double h);
/* What the stages leave of their equations. */
tn_status tn_radau_evaluate_stages(radau_work *work, double h);
/* v, a, x and lambda of a stage, q from theta, into the system. */
tn_status tn_radau_enter_stage(radau_work *work, uint32_t stage, double time);
/* Components of vectors in the axes at `from` become those at `to`; `second` may be NULL. */
void tn_radau_turn(const radau_work *work, const double *from, const double *to, double *vector,
                   double *second);
/* The middle one, before anything is known of its accelerations. */
tn_status tn_radau_enter_middle(radau_work *work, double h);
/* The matrices of a step of length h. */
tn_status tn_radau_factor(radau_work *work, double h);
/* M, df/dv, df/dq where the system stands. */
tn_status tn_radau_differentiate(radau_work *work);

/* ---- newton.c ---- */

/* Solves for the stages of a step of length h that have been started. TN_RETRY: outcome->shrink. */
tn_status tn_radau_iterate(radau_work *work, double h, radau_outcome *outcome);
/* The estimate of Hairer and Wanner, rms against the tolerances. */
tn_status tn_radau_estimate(radau_work *work, double h, double *error);
/* Whether an estimate is of round-off alone, since it has not become smaller with the step. */
bool tn_radau_is_round_off(const radau_work *work, double h, double error);
/* rms of increments of q, of v and of x against tolerances; NULL for none. */
double tn_radau_norm(const radau_work *work, const double *q, const double *v, const double *x);
/* Reports which component of the estimate has the largest share. */
void tn_radau_report_governing(const radau_work *work);

/* ---- sides.c ---- */

bool tn_radau_make_sides(radau_work *work);
/* Notes the signs of event functions where the Jacobian is found; takes them for those of the stages; notes those of a stage, and whether
 * any has changed since. */
tn_status tn_radau_note_jacobian(radau_work *work);
void tn_radau_begin_sides(radau_work *work);
tn_status tn_radau_note_stage(radau_work *work, uint32_t stage);
/* The difference from the trapezoidal rule, in which the last stage has half the weight, for steps with stages on both sides of an
 * event: their estimate is damped by stiffness that only some of them have. */
double tn_radau_broken_error(radau_work *work, double h);

/* ---- quadratures.c ---- */

/* Whether rates of the last stage differ from those of the new state, in which the system stands. */
bool tn_radau_misses_reactions(const radau_work *work, double h);
/* Quadratures of stages by their rates; by rates with reactions of full order. */
void tn_radau_integrate_quadratures(radau_work *work, double h);
tn_status tn_radau_integrate_reactions(radau_work *work, double h);

/* ---- step_size.c ---- */

double tn_radau_first_step(radau_work *work);
double tn_radau_shortest(const radau_work *work);
/* The next step after an accepted one of length h. */
double tn_radau_next_step(const radau_work *work, double h, const radau_outcome *outcome);
double tn_radau_shorter_step(const radau_work *work, double h, const radau_outcome *outcome);

/* ---- control.c ---- */

void tn_radau_save_start(radau_work *work);
void tn_radau_restore(radau_work *work);
/* A new state onto its manifold and the constraints; a and x' there. */
tn_status tn_radau_settle(radau_work *work);
/* No more states within the last step are handed over. */
void tn_radau_forget_step(radau_work *work);
/* From one accepted state to the next. */
tn_status tn_radau_take_step(radau_work *work);
tn_status tn_radau_accept(radau_work *work);
/* Weights of errors at the accepted state. */
void tn_radau_weigh(radau_work *work);

#endif

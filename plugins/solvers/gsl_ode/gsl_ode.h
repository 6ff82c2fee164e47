/* gsl_ode.h - the parameters of gsl_ode, what it knows of GSL's steppers, and the memory of one run. */
#ifndef TENON_GSL_ODE_H
#define TENON_GSL_ODE_H

#include <tenon/draft/stepping.h>
#include <tenon/kit/error_weights.h>
#include <tenon/kit/event_search.h>
#include <tenon/kit/first_step.h>
#include <tenon/kit/quadratures.h>
#include <tenon/kit/stall_watch.h>
#include <tenon/kit/step_grid.h>
#include <tenon/kit/step_report.h>

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_odeiv2.h>

typedef struct gsl_ode_instance {
    int32_t stepper; /* row of the table of steppers */
    int32_t reserved;
} gsl_ode_instance;

typedef struct gsl_ode_stepper {
    const gsl_odeiv2_step_type **type; /* GSL's variable */
    bool uses_jacobian;
    bool uses_time_derivative; /* of y' as well */
    bool iterates;             /* Newton's method, which GSL ends as failed where corrections are round-off */
    bool is_multistep;
    bool fears_zero; /* gives up where y grows by far more than its own size in a step */
} gsl_ode_stepper;

typedef struct gsl_ode_work gsl_ode_work;

/* A stepper of GSL, and what it integrates: the first entries of y = (q, v, x). */
typedef struct gsl_ode_integrator {
    gsl_ode_work *work;
    gsl_odeiv2_system equations;
    gsl_odeiv2_step *step;
    gsl_odeiv2_control levels; /* tells the stepper how exact its iteration has to be */
    gsl_odeiv2_driver driver;  /* carries `levels` there */
    double *y, *y0, *error;    /* now, at the start of the step, estimated error of the step */
    double *shift;             /* what GSL's y has more than ours; NULL for nothing */
} gsl_ode_integrator;

/* What the Jacobian is put together from; matrices by rows. Under constraints only the scratch is there. */
typedef struct gsl_ode_tangent {
    const tn_matrix *sparse;
    double *inverse_mass; /* [nv * nv] */
    double *force;        /* [nv * nv] df/dv, then df/dq */
    double *acceleration; /* [nv * nv] M^-1 df/dq */
    double *kinematics;   /* [nq * nv] N */
    double *normal;       /* [nv * nv] N^T N and its Cholesky factor */
    /* as tn_system's state_tangent gives them */
    double *force_by_state, *rate_by_motion, *rate_by_state;
    double *state, *slopes; /* [y], [2 * y]: scratch for differences */
    bool mass_known;
} gsl_ode_tangent;

/* Where a run stands. */
typedef struct gsl_ode_stand {
    uint64_t accepted; /* states so far */
    uint64_t step;     /* of the grid, with steps of fixed length */
    double time;       /* where the next piece begins */
    /* the step of the grid, or the part of it that ends where the model changes: its length, where it ends, and where it is halved to */
    double start, length, end, part;
    tn_step_progress progress; /* under error control */
    double wanted;             /* step size that error control asks for */
    uint32_t revision;         /* of the model, when `slope` was evaluated */
    uint32_t within;           /* 1: the piece has been begun */
} gsl_ode_stand;

struct gsl_ode_work {
    tn_system *system;
    const gsl_ode_stepper *stepper;
    tn_step_grid grid;
    gsl_ode_stand stand;
    gsl_ode_integrator motion;
    gsl_ode_integrator
        quadratures;        /* beside a copy of the motion; without a step: in `motion`, or in `history` */
    tn_quadratures history; /* beside a multistep method; else empty */
    gsl_odeiv2_control *control; /* GSL's choice of the next step */
    gsl_ode_tangent tangent;
    double strictness;         /* share of the tolerances that the errors of a step may have */
    size_t size, controlled;   /* entries of y; the first ones, which are not quadratures */
    double *slope, *new_slope; /* y' at the accepted state, and at the one to be accepted */
    double *unshifted;         /* our y, where GSL's is shifted */
    double *lambda0;           /* of the accepted state, while a way across an event is tried */
    double reach;              /* factor of the shift of quadratures for steppers that fear zero */
    double tolerance_factor;   /* of the error levels that the stepper's iteration works to */
    double h;                  /* of the current step */
    tn_event_watch watch;      /* of event functions, where the step is adaptive */
    tn_stall_watch stall;
    tn_error_weights weights;
    const tn_step_report *report; /* counts rejections and governing components; may be NULL */
    tn_status status;             /* of the last callback of the system */
    int code;                     /* GSL's, of the last step */
};

/* Memory of a run; NULL when there is none. */
static inline double *tn_gsl_array(const tn_system *system, size_t count)
{
    return system->host->allocate(system->host, (count > 0 ? count : 1) * sizeof(double));
}

/* ---- equations.c ---- */

/* y' at the last evaluation, its first `count` entries. */
tn_status tn_gsl_read_slope(const gsl_ode_work *work, size_t count, double *slope);
/* The same at the current state of the system. */
tn_status tn_gsl_slope(const gsl_ode_work *work, size_t count, double *slope);
/* Our y from GSL's. */
const double *tn_gsl_unshift(const gsl_ode_integrator *integrator, const double *y);
/* y' for GSL; `integrator` is a gsl_ode_integrator. */
int tn_gsl_function(double time, const double *y, double *slope, void *integrator);
void tn_gsl_write_state(const gsl_ode_work *work, double time, const double *y, size_t count);
void tn_gsl_read_state(const gsl_ode_work *work, double *y, size_t count);

/* ---- jacobian.c ---- */

tn_status tn_gsl_prepare_tangent(gsl_ode_work *work);
/* dy'/dy by rows, and the partial derivative of y' with respect to time, for GSL. */
int tn_gsl_jacobian(double time, const double *y, double *dfdy, double *dfdt, void *integrator);

/* ---- gsl_step.c ---- */

/* What a stepper asks `levels` for. */
int tn_gsl_error_level(void *integrator, double y, double slope, double h, size_t index, double *level);
/* GSL goes on from the state of the system and forgets all before; likewise, with all slopes, behind a change of the model. */
void tn_gsl_start_anew(gsl_ode_work *work);
tn_status tn_gsl_restart(gsl_ode_work *work);
/* What error control says of a step. */
typedef struct gsl_ode_judgement {
    bool trial;    /* in: go back whatever it says */
    double next;   /* the step to go on or to try again with */
    bool accurate; /* the errors are small enough */
    bool switched; /* it ended behind an event, however accurate */
} gsl_ode_judgement;

/* From the accepted state at `start` to the new one at `end`, evaluated but not yet accepted; with `judgement` under error
 * control, only if it is accurate and no event lies between. TN_RETRY: GSL is back at the start. */
tn_status tn_gsl_take_step(gsl_ode_work *work, double start, double h, double end,
                           gsl_ode_judgement *judgement);
/* Across an event, from the accepted state, or the one that a step has just led to: by Euler's method, so that no stage
 * mixes its sides; all but the state is new there. TN_RETRY: refused behind it, the state stays. */
tn_status tn_gsl_cross(gsl_ode_work *work, double end, bool stepped, bool *changed);

/* ---- gsl_run.c ---- */

/* At the accepted start state; what steps(), state() and forget() of the capability do. */
tn_status tn_gsl_begin(gsl_ode_work *work);
tn_status tn_gsl_take_steps(gsl_ode_work *work, double until, uint64_t most);
void tn_gsl_state(gsl_ode_work *work, tn_state_visitor *visitor);

#endif

/* gsl_step.c - one step of a stepper of GSL: the state in, the iteration's accuracy, the state out. */
#include "gsl_ode.h"

#include <tenon/kit/step_grid.h>

#include <gsl/gsl_errno.h>
#include <string.h>

/* Largest sum of what normalisation and projection have moved that a multistep method keeps its history through, as a
 * part of y: so far the error levels that GSL sees may be off. */
#define LARGEST_DRIFT 1e-3

/* Number i of (q, v, x). */
static double absolute_of(const gsl_ode_work *work, size_t i)
{
    const size_t nq = work->system->nq, nv = work->system->nv;
    const tn_error_weights *weights = &work->weights;
    return i < nq        ? weights->absolute_q[i]
           : i < nq + nv ? weights->absolute_v[i - nq]
                         : weights->absolute_x[i - nq - nv];
}

static double tolerance_of(const gsl_ode_work *work, size_t i, double y)
{
    return work->strictness * (absolute_of(work, i) + work->system->run->relative_tolerance * fabs(y));
}

int tn_gsl_error_level(void *integrator, double y, double slope, double h, size_t index, double *level)
{
    (void)slope, (void)h;
    const gsl_ode_integrator *self = integrator;
    const gsl_ode_work *work = self->work;
    *level = HUGE_VAL; // quadratures do not decide on anything
    if (index >= work->controlled) return GSL_SUCCESS;

    // iterations take means over all entries: quadratures shall not dilute them
    const double share = sqrt((double)work->controlled / (double)self->equations.dimension);
    *level = fmax(work->tolerance_factor * share * tolerance_of(work, index, y), 1e-300);
    return GSL_SUCCESS;
}

/* bsimp gives up where an entry changes by 100 times the number of entries of its own size, as at the end of a rest
 * that has left round-off: for GSL, y stays away from zero, by what little costs no digits of a step. `reach` widens
 * that for quadratures. */
#define LEAST_PART 1e-3 /* of its size, where that is what the absolute tolerance is a part of */
static void shift_from_zero(const gsl_ode_work *work, gsl_ode_integrator *integrator, double h)
{
    const tn_run *run = work->system->run;
    const double factor = run->scaled_tolerance ? LEAST_PART / run->absolute_tolerance : 1e6;
    for (size_t i = 0; i < integrator->equations.dimension; i++) {
        double away = fmax(factor * absolute_of(work, i), fabs(h * work->slope[i]));
        if (i >= work->controlled) away *= work->reach;
        integrator->shift[i] = fabs(integrator->y[i]) < away ? copysign(away, integrator->y[i]) : 0.0;
    }
}

static void add_shift(gsl_ode_integrator *integrator, double factor)
{
    for (size_t i = 0; i < integrator->equations.dimension && integrator->shift; i++)
        integrator->y[i] += factor * integrator->shift[i];
}

static tn_status apply(gsl_ode_work *work, gsl_ode_integrator *integrator, double start, double h)
{
    if (integrator->equations.dimension == 0) return TN_OK;
    work->status = TN_OK;
    work->h = h;
    if (work->stepper->fears_zero) shift_from_zero(work, integrator, h);
    add_shift(integrator, 1.0);
    work->code = gsl_odeiv2_step_apply(integrator->step, start, h, integrator->y, integrator->error,
                                       work->slope, NULL, &integrator->equations);
    add_shift(integrator, -1.0);

    // bsimp says success where it gave up, with infinite errors
    for (size_t i = 0; i < integrator->equations.dimension && work->code == GSL_SUCCESS; i++)
        if (!isfinite(integrator->error[i])) work->code = GSL_EFAILED;
    if (work->code == GSL_SUCCESS) return TN_OK;
    if (work->status != TN_OK) return work->status;
    const bool fatal = work->code == GSL_EFAULT || work->code == GSL_EBADFUNC || work->code == GSL_EINVAL;
    return fatal ? TN_FATAL : TN_RETRY;
}

static void save(gsl_ode_integrator *integrator)
{
    memcpy(integrator->y0, integrator->y, integrator->equations.dimension * sizeof(double));
}

static void restore(gsl_ode_integrator *integrator)
{
    memcpy(integrator->y, integrator->y0, integrator->equations.dimension * sizeof(double));
}

static bool is_at_rest(const gsl_ode_work *work, const gsl_ode_integrator *integrator)
{
    for (size_t i = 0; i < work->controlled; i++)
        if (!(fabs(integrator->y[i] - integrator->y0[i]) <= tolerance_of(work, i, integrator->y0[i])))
            return false;
    return true;
}

/* A step with what there is against failures of the iteration: GSL counts it as divergent when corrections do not
 * shrink, also where they are round-off. It is asked for more than the tolerances, then for these, and at last
 * for one iteration only, which must leave the state where it is. */
static tn_status attempt(gsl_ode_work *work, gsl_ode_integrator *integrator, double start, double h)
{
    static const double factor[] = {1e-3, 1.0, HUGE_VAL};
    const size_t tries = work->stepper->iterates ? sizeof factor / sizeof factor[0] : 1;
    tn_status status = TN_RETRY;
    for (size_t k = 0; k < tries && status == TN_RETRY; k++) {
        work->tolerance_factor = tries > 1 ? factor[k] : 1.0;
        status = apply(work, integrator, start, h);
        if (status == TN_OK && isinf(work->tolerance_factor) && !is_at_rest(work, integrator))
            status = TN_RETRY;
        if (status != TN_OK) restore(integrator);
        if (work->status != TN_OK) break;
    }
    return status;
}

/* The quadratures over a step that the motion has passed; bsimp must not fail it where they grow fast. */
static tn_status attempt_quadratures(gsl_ode_work *work, double start, double h)
{
    if (!work->quadratures.step) return TN_OK;
    tn_status status = TN_RETRY;
    const double widest = work->stepper->fears_zero ? 1e30 : 1.0;
    for (work->reach = 1.0; status == TN_RETRY && work->reach <= widest; work->reach *= 1e3)
        status = attempt(work, &work->quadratures, start, h);
    return status;
}

/* The new state becomes that of the system, normalised and projected, with its slope. */
static tn_status publish(gsl_ode_work *work, double end)
{
    tn_system *system = work->system;
    tn_gsl_write_state(work, end, work->motion.y, work->motion.equations.dimension);
    if (work->quadratures.step)
        memcpy(system->x + (work->controlled - system->nq - system->nv),
               work->quadratures.y + work->controlled, (work->size - work->controlled) * sizeof(double));
    tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status == TN_OK) status = system->rows ? system->project(system) : system->evaluate(system);
    if (status == TN_OK) status = tn_gsl_read_slope(work, work->size, work->new_slope);
    work->status = status;
    if (status != TN_OK) return status;
    double *slope = work->slope;
    work->slope = work->new_slope;
    work->new_slope = slope;
    memcpy(system->a, work->slope + system->nq, system->nv * sizeof(double));
    tn_quadratures_integrate(&work->history, work->slope + work->controlled);
    return TN_OK;
}

static void read_state(gsl_ode_work *work)
{
    tn_gsl_read_state(work, work->motion.y, work->motion.equations.dimension);
    if (work->quadratures.step) tn_gsl_read_state(work, work->quadratures.y, work->size);
}

static void forget(gsl_ode_integrator *integrator)
{
    if (!integrator->step) return;
    (void)gsl_odeiv2_step_reset(integrator->step);
    if (integrator->shift) memset(integrator->shift, 0, integrator->equations.dimension * sizeof(double));
}

void tn_gsl_start_anew(gsl_ode_work *work)
{
    read_state(work);
    forget(&work->motion);
    forget(&work->quadratures);
}

/* What the state of the system has less than y, before y is read from it; the largest sum of that, as a part of y. */
static double collect_drift(gsl_ode_integrator *integrator)
{
    double drift = 0.0, *shift = integrator->shift;
    if (!shift) return drift;
    double *state = integrator->work->unshifted;
    tn_gsl_read_state(integrator->work, state, integrator->equations.dimension);
    for (size_t i = 0; i < integrator->equations.dimension; i++) {
        shift[i] += integrator->y[i] - state[i];
        drift = fmax(drift, fabs(shift[i]) / fmax(1.0, fabs(state[i])));
    }
    return drift;
}

/* GSL goes on from the normalised and projected state. A multistep method cannot, without a new start at order 1: its
 * history is shifted instead. */
static void adopt_state(gsl_ode_work *work)
{
    double drift = 0.0;
    if (work->stepper->is_multistep) drift = collect_drift(&work->motion);
    if (drift > LARGEST_DRIFT)
        tn_gsl_start_anew(work);
    else
        read_state(work);
}

/* Absolute tolerance of number i, and in `relative` that part of it; looser for v where something chatters. */
static double own_tolerance(const gsl_ode_work *work, size_t i, double *relative)
{
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    const bool of_v = i >= system->nq && i < (size_t)system->nq + system->nv;
    *relative = run->relative_tolerance;
    if (!of_v || !work->watch.torn) return absolute_of(work, i);
    *relative = tn_event_velocity_tolerance(&work->watch, run->relative_tolerance);
    const double looser = tn_event_velocity_tolerance(&work->watch, run->absolute_tolerance);
    return run->scaled_tolerance ? absolute_of(work, i) * looser / run->absolute_tolerance : looser;
}

/* GSL knows one absolute tolerance for all: errors are made to stand against it as they do against their own. */
static void weigh_errors(gsl_ode_work *work)
{
    const tn_system *system = work->system;
    const double absolute = system->run->absolute_tolerance, relative = system->run->relative_tolerance;
    const bool scaled = system->run->scaled_tolerance;
    const size_t first = scaled ? 0 : system->nq,
                 end = scaled ? work->controlled : (size_t)system->nq + system->nv;
    for (size_t i = first; i < end; i++) {
        const double y = fabs(work->motion.y[i]);
        double own_relative = 0.0;
        const double own = own_tolerance(work, i, &own_relative);
        work->motion.error[i] *= (absolute + relative * y) / (own + own_relative * y);
    }
}

/* Says which number has the largest error, against what GSL measures it by. */
static void report_largest(const gsl_ode_work *work)
{
    const tn_run *run = work->system->run;
    size_t number = 0;
    double largest = 0.0;
    for (size_t i = 0; i < work->controlled; i++) {
        const double y = fabs(work->motion.y[i]);
        const double part =
            fabs(work->motion.error[i]) / (run->absolute_tolerance + run->relative_tolerance * y);
        if (!(part > largest)) continue;
        largest = part;
        number = i;
    }
    if (largest > 0.0) tn_step_governed_by_y(work->report, work->system, (uint32_t)number);
}

/* Whether error control lets the step pass; `next` becomes the step it asks for. */
static bool is_accurate(gsl_ode_work *work, double *next)
{
    gsl_ode_integrator *motion = &work->motion;
    if (work->controlled == 0) return true;
    const double h = *next;

    // extrapolation may find the errors of stages from beyond a jump to cancel
    const bool long_enough = h > TN_EVENT_TINY * tn_event_run_length(&work->watch);
    if (work->stepper->fears_zero && work->watch.beyond && long_enough) return false;
    const unsigned order = gsl_odeiv2_step_order(motion->step);
    if (work->watch.torn || work->system->run->scaled_tolerance) weigh_errors(work);
    if (work->report) report_largest(work);
    const int verdict = work->control->type->hadjust(work->control->state, work->controlled, order, motion->y,
                                                     motion->error, work->slope, next);
    return verdict != GSL_ODEIV_HADJ_DEC || !(*next < h);
}

static void save_all(gsl_ode_work *work)
{
    save(&work->motion);
    if (work->quadratures.step) save(&work->quadratures);
}

static void restore_all(gsl_ode_work *work)
{
    restore(&work->motion);
    if (work->quadratures.step) restore(&work->quadratures);
}

/* The slope of the start is the current one again. */
static void withdraw(gsl_ode_work *work)
{
    double *slope = work->slope;
    work->slope = work->new_slope;
    work->new_slope = slope;
    tn_quadratures_withdraw(&work->history);
}

/* Evaluates the new state where it is accurate, or where events may explain why it is not. */
static tn_status evaluate_end(gsl_ode_work *work, double start, double h, double end,
                              gsl_ode_judgement *judgement, bool *published)
{
    if (!judgement->accurate && !work->watch.count) return TN_RETRY;
    tn_status status = attempt_quadratures(work, start, h);
    if (status == TN_OK) status = publish(work, end);
    *published = status == TN_OK;
    return status == TN_OK ? tn_event_watch_look(&work->watch, &judgement->switched) : status;
}

/* Whether a step with stages on both sides of an event agrees with the trapezoidal rule: its own estimate may leave out a stage, as
 * that of `rkf45` does the second one. `work->new_slope` is that of the start. */
static bool agrees_with_trapezoid(const gsl_ode_work *work, double h)
{
    const gsl_ode_integrator *motion = &work->motion;
    for (size_t i = 0; i < work->controlled; i++) {
        const double rule = 0.5 * h * (work->slope[i] + work->new_slope[i]);
        double relative = 0.0;
        const double absolute = own_tolerance(work, i, &relative);
        if (!(fabs(motion->y[i] - motion->y0[i] - rule) <= absolute + relative * fabs(motion->y[i])))
            return false;
    }
    return true;
}

tn_status tn_gsl_take_step(gsl_ode_work *work, double start, double h, double end,
                           gsl_ode_judgement *judgement)
{
    gsl_ode_judgement unjudged = {.trial = false}, *said = judgement ? judgement : &unjudged;
    bool published = false;
    said->next = h;
    said->switched = false;
    work->watch.torn = work->watch.beyond = false;
    save_all(work);
    tn_status status = attempt(work, &work->motion, start, h);
    said->accurate = status == TN_OK && (!judgement || is_accurate(work, &said->next));
    if (status == TN_OK) status = evaluate_end(work, start, h, end, said, &published);
    const bool broken = work->watch.torn || (work->watch.beyond && !said->switched);
    if (status == TN_OK && judgement && said->accurate && broken)
        said->accurate = agrees_with_trapezoid(work, h);
    if (status == TN_OK && said->accurate && !said->switched && !said->trial) {
        adopt_state(work);
        tn_quadratures_accept(&work->history, work->slope + work->controlled);
        tn_count_step(work->system->statistics, h);
        (void)tn_event_watch_settle(&work->watch);
        return TN_OK;
    }
    if (published) withdraw(work);
    restore_all(work);
    if (said->next >= h) said->next = 0.5 * h;
    return status == TN_OK ? TN_RETRY : status;
}

static void drift(gsl_ode_integrator *integrator, const double *slope, double h)
{
    for (size_t i = 0; i < integrator->equations.dimension; i++)
        integrator->y[i] += h * slope[i];
}

tn_status tn_gsl_cross(gsl_ode_work *work, double end, bool stepped, bool *changed)
{
    const tn_system *system = work->system;
    const double time = system->time;
    save_all(work);
    memcpy(work->lambda0, system->lambda, system->rows * sizeof(double));
    drift(&work->motion, work->slope, end - time);
    if (work->quadratures.step) drift(&work->quadratures, work->slope, end - time);
    tn_status status = publish(work, end);
    if (status == TN_OK) {
        status = tn_event_watch_crossed(&work->watch, stepped, changed);
        return status == TN_OK ? tn_gsl_restart(work) : status;
    }
    restore_all(work);
    tn_gsl_write_state(work, time, work->motion.y, work->motion.equations.dimension);
    memcpy(system->a, work->slope + system->nq, system->nv * sizeof(double));
    memcpy(system->lambda, work->lambda0, system->rows * sizeof(double));
    return status;
}

/* After a change of the model all but the state is void. */
tn_status tn_gsl_restart(gsl_ode_work *work)
{
    tn_system *system = work->system;
    const size_t nq = system->nq, nv = system->nv;
    work->stand.revision = system->revision;
    work->tangent.mass_known = false;
    tn_gsl_start_anew(work);
    memcpy(work->slope + nq, system->a, nv * sizeof(double));
    memcpy(work->slope + nq + nv, system->x_rate, system->nx * sizeof(double));
    tn_quadratures_restart(&work->history, work->slope + work->controlled);
    if (!system->vector_space) return system->rate(system, work->slope);
    memcpy(work->slope, system->v, nv * sizeof(double));
    return TN_OK;
}

/* steps.c - steps of GSL's steppers, on a grid or under error control.
 *
 * GSL's own loop (gsl_odeiv2_evolve) is not used: it evaluates the start of every step again, knows no smallest
 * step, and judges quadratures as well. */
#include "gsl_ode.h"

#include "../step_grid.h"

#include <gsl/gsl_errno.h>
#include <string.h>

#define SMALLEST_PART 0x1p-10 /* of a fixed step, after halvings */

/* Largest change of a coordinate by normalisation that a multistep method keeps its history through. The history
 * stays that of the coordinates before it; bodies take no notice of a quaternion's length. */
#define LARGEST_DRIFT 1e-3

/* ---- one step ---- */

static double tolerance_of(const gsl_ode_work *work, double y)
{
    const tn_run *run = work->system->run;
    return run->absolute_tolerance + run->relative_tolerance * fabs(y);
}

int tn_gsl_error_level(void *integrator, double y, double slope, double h, size_t index, double *level)
{
    (void)slope, (void)h;
    const gsl_ode_integrator *self = integrator;
    const gsl_ode_work *work = self->work;
    *level = HUGE_VAL; // quadratures do not decide on anything
    if (index >= work->controlled) return GSL_SUCCESS;

    // multistep methods take means over all entries: quadratures shall not dilute them
    const double share = sqrt((double)work->controlled / (double)self->equations.dimension);
    *level = fmax(work->tolerance_factor * share * tolerance_of(work, y), 1e-300);
    return GSL_SUCCESS;
}

static tn_status apply(gsl_ode_work *work, gsl_ode_integrator *integrator, double start, double h)
{
    if (integrator->equations.dimension == 0) return TN_OK;
    work->status = TN_OK;
    work->h = h;
    work->code = gsl_odeiv2_step_apply(integrator->step, start, h, integrator->y, integrator->error,
                                       work->slope, NULL, &integrator->equations);

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
        if (!(fabs(integrator->y[i] - integrator->y0[i]) <= tolerance_of(work, integrator->y0[i])))
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

/* The new state becomes that of the system, normalised, with its slope. */
static tn_status publish(gsl_ode_work *work, double end)
{
    tn_system *system = work->system;
    tn_gsl_write_state(work, end, work->motion.y, work->motion.equations.dimension);
    if (work->quadratures.step)
        memcpy(system->x + (work->controlled - system->nq - system->nv),
               work->quadratures.y + work->controlled, (work->size - work->controlled) * sizeof(double));
    tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status == TN_OK) status = tn_gsl_slope(work, work->size, work->new_slope);
    work->status = status;
    if (status != TN_OK) return status;
    double *slope = work->slope;
    work->slope = work->new_slope;
    work->new_slope = slope;
    memcpy(system->a, work->slope + system->nq, system->nv * sizeof(double));
    return TN_OK;
}

static void read_state(gsl_ode_work *work)
{
    tn_gsl_read_state(work, work->motion.y, work->motion.equations.dimension);
    if (work->quadratures.step) tn_gsl_read_state(work, work->quadratures.y, work->size);
}

/* GSL goes on from the state of the system and forgets all before. */
static void start_anew(gsl_ode_work *work)
{
    read_state(work);
    if (work->motion.step) (void)gsl_odeiv2_step_reset(work->motion.step);
    if (work->quadratures.step) (void)gsl_odeiv2_step_reset(work->quadratures.step);
}

/* GSL goes on from the normalised state. A multistep method cannot, without a new start at order 1, and does so
 * only when it has drifted far. */
static void adopt_state(gsl_ode_work *work)
{
    const tn_system *system = work->system;
    double drift = 0.0;
    for (size_t i = 0; i < system->nq && work->stepper->is_multistep; i++)
        drift = fmax(drift, fabs(work->motion.y[i] - system->q[i]));
    if (!work->stepper->is_multistep)
        read_state(work);
    else if (drift > LARGEST_DRIFT)
        start_anew(work);
}

/* Whether error control lets the step pass; `next` becomes the step it asks for. */
static bool is_accurate(gsl_ode_work *work, double *next)
{
    gsl_ode_integrator *motion = &work->motion;
    if (work->controlled == 0) return true;
    const double h = *next;
    const unsigned order = gsl_odeiv2_step_order(motion->step);
    const int verdict = work->control->type->hadjust(work->control->state, work->controlled, order, motion->y,
                                                     motion->error, work->slope, next);
    return verdict != GSL_ODEIV_HADJ_DEC || !(*next < h);
}

/* From the accepted state at `start` to the published one at `end`. With `next` under error control, which writes
 * there the step to go on or to try again with. TN_RETRY: the state of GSL is that of the start. */
static tn_status take_step(gsl_ode_work *work, double start, double h, double end, double *next)
{
    if (next) *next = h;
    save(&work->motion);
    if (work->quadratures.step) save(&work->quadratures);
    tn_status status = attempt(work, &work->motion, start, h);
    if (status == TN_OK && next && !is_accurate(work, next)) status = TN_RETRY;
    if (status == TN_OK && work->quadratures.step) status = attempt(work, &work->quadratures, start, h);
    if (status == TN_OK) status = publish(work, end);
    if (status == TN_OK) {
        adopt_state(work);
        count_step(work->system->statistics, h);
        return TN_OK;
    }
    restore(&work->motion);
    if (work->quadratures.step) restore(&work->quadratures);
    if (next && *next >= h) *next = 0.5 * h;
    return status;
}

/* After a change of the model all but the state is void. */
tn_status tn_gsl_restart(gsl_ode_work *work)
{
    tn_system *system = work->system;
    const size_t nq = system->nq, nv = system->nv;
    work->revision = system->revision;
    work->tangent.mass_known = false;
    start_anew(work);
    memcpy(work->slope + nq, system->a, nv * sizeof(double));
    memcpy(work->slope + nq + nv, system->x_rate, system->nx * sizeof(double));
    if (!system->vector_space) return system->rate(system, work->slope);
    memcpy(work->slope, system->v, nv * sizeof(double));
    return TN_OK;
}

static tn_status accept(gsl_ode_work *work)
{
    tn_system *system = work->system;
    const tn_status status = system->accept(system);
    return status == TN_OK && system->revision != work->revision ? tn_gsl_restart(work) : status;
}

/* ---- what is said about failures ---- */

static const char *name_of(const gsl_ode_work *work) { return (*work->stepper->type)->name; }

static tn_status give_up(gsl_ode_work *work, tn_status status, double h)
{
    char text[320];
    if (status != TN_RETRY)
        (void)snprintf(text, sizeof text, "GSL's %s cannot go on (%s)", name_of(work),
                       work->status != TN_OK ? "the evaluation failed" : gsl_strerror(work->code));
    else if (work->status != TN_OK || work->code == GSL_SUCCESS)
        (void)snprintf(text, sizeof text,
                       "GSL's %s shortened the step to %.3g s without meeting the tolerances or leaving the "
                       "refused domain",
                       name_of(work), h);
    else
        (void)snprintf(text, sizeof text,
                       "GSL's %s shortened the step to %.3g s and could not solve it (GSL: %s)",
                       name_of(work), h, gsl_strerror(work->code));
    return work->system->fail(work->system, status == TN_RETRY ? TN_FATAL : status, NULL, text);
}

static tn_status refuse_fixed_step(gsl_ode_work *work, tn_status status, double h)
{
    char text[320];
    (void)snprintf(text, sizeof text,
                   "GSL's %s failed on a step of %.3g s (%s); the step is fixed, so it was not shortened "
                   "(`adaptive = true` would)",
                   name_of(work), h, work->status != TN_OK ? "refused there" : gsl_strerror(work->code));
    return work->system->fail(work->system, status, NULL, text);
}

/* ---- many steps ---- */

/* One accepted step under error control towards `stop`; `time` follows. */
static tn_status step_under_control(gsl_ode_work *work, double *time, double stop)
{
    const tn_run *run = work->system->run;
    const double longest = run->maximum_step > 0.0 ? run->maximum_step : HUGE_VAL;
    for (;;) {
        work->wanted = fmin(work->wanted, longest);
        const double h = step_grid_fit(*time, work->wanted, stop);
        const double end = h == stop - *time ? stop : *time + h;
        double next = h;
        const tn_status status = take_step(work, *time, h, end, &next);
        if (status == TN_OK) {
            // a step cut short by a stop does not shrink the next one
            work->wanted = h < work->wanted ? fmax(work->wanted, next) : next;
            *time = end;
            return TN_OK;
        }
        work->wanted = next;
        if (status != TN_RETRY) return give_up(work, status, h);
        work->system->statistics->rejected_steps++;
        if (next < run->minimum_step || *time + next <= *time) return give_up(work, status, next);
    }
}

static tn_status run_adaptive(gsl_ode_work *work)
{
    tn_system *system = work->system;
    const double end = system->run->end_time;
    double time = system->time;
    tn_status status = TN_OK;
    while (status == TN_OK && time < end) {
        const bool stop_ahead = system->next_stop > time && system->next_stop < end;
        status = step_under_control(work, &time, stop_ahead ? system->next_stop : end);
        if (status == TN_OK) status = accept(work);
    }
    return status;
}

/* Multistep methods choose their order by the error of each step: they take as many as they need to `end`. */
static tn_status cross_controlled(gsl_ode_work *work, double start, double end)
{
    tn_status status = TN_OK;
    for (double time = start; status == TN_OK && time < end;)
        status = step_under_control(work, &time, end);
    return status == TN_OK ? accept(work) : status;
}

/* One step from `start` to `end`; an implicit one that cannot be solved is taken in halves, quarters, ... */
static tn_status cross_fixed(gsl_ode_work *work, double start, double h, double end)
{
    tn_system *system = work->system;
    const double shortest = fmax(system->run->minimum_step, SMALLEST_PART * h);
    double part = h;
    for (double time = start; time < end;) {
        const double remaining = end - time;
        const bool last = part >= remaining * (1.0 - STEP_GRID_MERGE);
        const double stop = last ? end : time + part, step = time == start && last ? h : stop - time;
        tn_status status = take_step(work, time, step, stop, NULL);
        if (status == TN_RETRY && work->stepper->uses_jacobian && 0.5 * part >= shortest) {
            part *= 0.5;
            system->statistics->rejected_steps++;
            continue;
        }
        if (status == TN_RETRY && work->stepper->uses_jacobian) return give_up(work, status, part);
        if (status != TN_OK) return refuse_fixed_step(work, status, h);
        status = accept(work);
        if (status != TN_OK) return status;
        time = stop;
        part = fmin(2.0 * part, h);
    }
    return TN_OK;
}

static tn_status run_fixed(gsl_ode_work *work)
{
    tn_system *system = work->system;
    const step_grid grid = step_grid_make(system->time, system->run->end_time, system->run->step);
    tn_status status = TN_OK;
    for (uint64_t k = 0; k < grid.count; k++)
        for (double time = step_grid_time(&grid, k); time < step_grid_time(&grid, k + 1);) {
            const double end = step_grid_part_end(&grid, k, time, system->next_change);
            const double h = step_grid_part_step(&grid, k, time, end);
            status = work->stepper->is_multistep ? cross_controlled(work, time, end)
                                                 : cross_fixed(work, time, h, end);
            if (status != TN_OK) return status;
            time = end;
        }
    return status;
}

tn_status tn_gsl_run(gsl_ode_work *work)
{
    const tn_run *run = work->system->run;
    work->wanted = run->step > 0.0 ? run->step : 1e-3 * (run->end_time - work->system->time);
    return run->adaptive ? run_adaptive(work) : run_fixed(work);
}

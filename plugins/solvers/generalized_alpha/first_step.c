/* first_step.c - what a first step starts with, and a step of another length than the one before: values that belong to its
 * length, so that no order is lost. */
#include "generalized_alpha.h"

#include <string.h>

#define MUCH_SHORTER 0.3 /* a step, against the one before */
#define FAR 1e-3         /* scaled displacement: directions of rows change by as much */

/* ---- first steps ----------------------------------------------------------------------------------------- */

/* v' at the saved state moved along its motion by `drift`, at a time moved by `delay`. */
static tn_status trial_acceleration(alpha_work *work, double drift, double delay, double *vdot)
{
    tn_system *system = work->system;
    system->time = work->time0 + delay;
    for (size_t i = 0; i < system->nv; i++) {
        work->increment[i] = drift * (work->v0[i] + 0.5 * drift * work->vdot0[i]);
        system->v[i] = work->v0[i] + drift * work->vdot0[i];
    }
    tn_status status = tn_alpha_apply_increment(work);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, vdot);
    if (status == TN_OK) tn_alpha_turn_back(work, vdot);
    return status;
}

/* Differences say nothing where an event lies between. */
static tn_status look_for_event(alpha_work *work)
{
    bool switched = false;
    const bool met = work->watch.met;
    const tn_status status = tn_event_watch_look(&work->watch, &switched);
    work->watch.met = met;
    return status == TN_OK && switched ? TN_RETRY : status;
}

/* Adds to `a` the change of v' over `shift`, from differences: central in the state, which gives stiff
 * springs exactly, forward in time, since a model need not be defined before its start. */
static tn_status estimate_change(alpha_work *work, double shift, double trial)
{
    tn_system *system = work->system;
    double *vdot = work->residual;
    const double drift[3] = {trial, -trial, 0.0}, delay[3] = {0.0, 0.0, trial};
    for (int k = 0; k < 3; k++) {
        tn_status status = trial_acceleration(work, drift[k], delay[k], vdot);
        if (status == TN_OK) status = look_for_event(work);
        if (status != TN_OK) return status;
        const double factor = k < 2 ? shift / (2.0 * drift[k]) : shift / trial;
        for (size_t i = 0; i < system->nv; i++)
            work->a[i] += factor * (vdot[i] - work->vdot0[i]);
    }
    return TN_OK;
}

/* Takes from the change of v' in `a` what the step cannot follow: kappa M times the inverse of the iteration
 * matrix is 1 for slow motion and 1/(h w)^2 for fast motion, which the change would kick. The first step uses
 * the matrix. */
static tn_status filter_change(alpha_work *work, double shift, double h)
{
    tn_system *system = work->system;
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = tn_alpha_renew_matrix(work, h);
    if (status == TN_OK) status = system->residual(system, work->a, work->residual); // M change, as M v'0 = f
    if (status != TN_OK) return status;
    const double factor = tn_alpha_kappa(work, h), ratio = h / shift;
    for (size_t i = 0; i < system->nv; i++) {
        work->residual[i] *= factor;
        work->increment[i] = work->a[i] - work->vdot0[i];
    }
    if (system->rows) {
        system->constraint_product(system, work->increment, work->rows);
        tn_alpha_demand(work, work->rows, 1.0, work->residual);
    }
    status = system->solve(system, work->residual);
    if (status != TN_OK) return status;

    for (size_t i = 0; i < system->nv; i++) {
        work->a[i] = work->vdot0[i] + work->residual[i];
        work->past[0][i] = work->vdot0[i] - ratio * work->residual[i];
    }
    return TN_OK;
}

/* a0 = v'(t0 + (alpha_m - alpha_f) h) to first order, and v' a step before the start: with a0 = v'0 the first steps would lose an
 * order. */
static tn_status start_acceleration(alpha_work *work, double h)
{
    tn_system *system = work->system;
    const size_t bytes = system->nv * sizeof(double);
    const double shift = (work->c.alpha_m - work->c.alpha_f) * h;
    tn_alpha_save_state(work);
    work->a_step = work->before_step = h;
    tn_alpha_forget_past(work);
    memcpy(work->a, system->a, bytes);
    memcpy(work->past[0], system->a, bytes);
    memcpy(work->past[0] + system->nv, system->lambda, system->rows * sizeof(double));
    memcpy(work->x_rate_before, work->x_rate0, system->nx * sizeof(double));
    if ((shift == 0.0 && !work->adaptive) || system->nv == 0) return TN_OK;

    const double reach = shift == 0.0 ? h : shift; // the error of the first step needs the slope, too
    tn_status status = estimate_change(work, reach, 0.01 * h);
    tn_alpha_restore_state(work);
    if (status == TN_OK) status = filter_change(work, reach, h);
    if (status == TN_OK && shift == 0.0) memcpy(work->a, system->a, bytes);
    if (status == TN_OK) return TN_OK;
    if (status != TN_RETRY)
        return system->fail(system, status, NULL, "the trial evaluations at the start failed");

    // where a trial is refused the plain start has to do
    memcpy(work->a, system->a, bytes);
    return TN_OK;
}

/* Whether rows at the end of the step have other directions than in a matrix of its start. */
static bool has_moved_far(const alpha_work *work)
{
    bool far = false;
    for (size_t i = 0; i < work->system->nv; i++)
        far = far || fabs(work->increment[i]) * work->inverse_scale[i] > FAR;
    return far;
}

/* What the error of v against the constraints will be, from a step that is tried: v starts with it, so that it stays as it
 * is from the first step on. Otherwise reactions of bodies that turn fast alternate for the first steps. Where that step fails, the plain
 * start has to do. */
static tn_status start_velocity(alpha_work *work, double h)
{
    tn_system *system = work->system;
    const size_t bytes = system->nv * sizeof(double);
    const double time = system->time;
    const bool switches = work->switches;
    double *const kept = work->past[ALPHA_PAST - 1]; // nothing that far back is known
    memcpy(kept, work->a, bytes);
    work->switches = false; // it is about what holds now
    tn_status status = tn_alpha_solve_step(work, h, time + h);
    work->switches = switches;
    if (status == TN_OK) {
        work->contraction.age++;
        work->contraction.of_matrix++;
        status = system->evaluate(system);
    }
    if (status == TN_OK && has_moved_far(work)) status = tn_alpha_renew_matrix(work, h);
    if (status == TN_OK) status = system->constraint_rate(system, work->rows);
    for (uint32_t r = 0; r < system->rows; r++)
        if (status == TN_OK && system->row_level[r] == TN_VELOCITY_ROW) work->rows[r] = 0.0;
    memset(work->residual, 0, bytes);
    if (status == TN_OK) {
        tn_alpha_demand(work, work->rows, work->c.beta / work->c.gamma, work->residual);
        status = system->solve(system, work->residual);
        tn_alpha_turn_solution(work, work->residual);
    }
    tn_alpha_restore_state(work);
    memcpy(work->a, kept, bytes);
    work->before_step = work->a_step = h;
    for (uint32_t i = 0; i < system->nv && status == TN_OK; i++)
        system->v[i] += work->residual[i];
    return status == TN_RETRY ? TN_OK : status;
}

tn_status tn_alpha_start(alpha_work *work, double h)
{
    tn_status status = start_acceleration(work, h);
    if (status == TN_OK && work->index == 3 && work->system->position_rows && work->system->nv)
        status = start_velocity(work, h);
    return status;
}

/* ---- changes of step ------------------------------------------------------------------------------------- */

/* At index 3 velocities err by h^2 against the constraints; a change of step leaves the share of the old one there, which
 * would disturb the multipliers to order h. So would an old matrix: it is renewed, for the step that follows. */
static tn_status change_velocity_error(alpha_work *work, double h, double ratio)
{
    tn_system *system = work->system;
    double *change = work->residual;
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = tn_alpha_renew_matrix(work, h);
    if (status == TN_OK) status = system->constraint_rate(system, work->rows);
    if (status != TN_OK) return status;
    for (uint32_t r = 0; r < system->rows; r++)
        if (system->row_level[r] == TN_VELOCITY_ROW) work->rows[r] = 0.0;
    memset(change, 0, system->nv * sizeof *change);
    tn_alpha_demand(work, work->rows, 1.0 - ratio * ratio, change);
    status = system->solve(system, change);
    for (uint32_t i = 0; i < system->nv && status == TN_OK; i++)
        system->v[i] -= change[i];
    return status;
}

/* What Newton's method leaves in the positions of a long step, the multipliers of a much shorter one would make up for, divided
 * by h^2. And a step is refused for what was left in the multipliers before it, which would grow as steps shrink. */
static tn_status start_from_projection(alpha_work *work, double h)
{
    tn_system *system = work->system;
    tn_status status = system->project(system);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    return status == TN_OK ? tn_alpha_start(work, h) : status;
}

/* v' and lambda err by h^2, at index 2 alternating where nothing is damped: shares of steps that alternate, too, would add up to
 * order h, and those of steps that double to ever more. Both start anew from the constraints, and with them the difference
 * of `a` to v', from the change of v' in the step before. */
static tn_status renew_acceleration(alpha_work *work, double h)
{
    tn_system *system = work->system;
    const double share = (work->c.alpha_m - work->c.alpha_f) * h / work->before_step;
    tn_status status = system->evaluate(system);
    work->matrix_step = 0.0;
    if (status == TN_OK) status = system->accelerate(system, system->a);
    for (uint32_t i = 0; i < system->nv && status == TN_OK; i++)
        work->a[i] = system->a[i] + share * (system->a[i] - work->past[0][i]);
    return status;
}

tn_status tn_alpha_change_step(alpha_work *work, double h)
{
    if (h == work->a_step) return TN_OK;
    tn_alpha_forget_past(work);
    const tn_system *system = work->system;
    const double ratio = h / work->a_step;
    const bool has_rows = system->rows > 0 && system->nv > 0;
    const bool at_index_3 = has_rows && work->index == 3 && system->position_rows > 0;
    if (at_index_3 && (ratio < MUCH_SHORTER || work->control.rejected)) return start_from_projection(work, h);
    tn_status status = at_index_3 ? change_velocity_error(work, h, ratio) : TN_OK;
    if (status == TN_OK && has_rows) status = renew_acceleration(work, h);
    for (size_t i = 0; i < system->nv && !has_rows; i++)
        work->a[i] = system->a[i] + ratio * (work->a[i] - system->a[i]);
    if (status == TN_OK) work->a_step = h;
    return status;
}

/* newton.c - one step of generalized_alpha: prediction, Newton's method with reuse of its matrix, new state.
 *
 *   q1 = q0 [+] (h v0 + h^2 ((1/2 - beta) a0 + beta a1)),   v1 = v0 + h ((1 - gamma) a0 + gamma a1),
 *   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v'1 + alpha_f v'0,   M v'1 = f(q1, v1, t1).
 *
 * A correction d of the increment of q moves v by gamma/(beta h) d and v' by kappa d, so the matrix is
 * kappa M - gamma/(beta h) df/dv - df/dq, bordered by the rows of constraints. At index 3 the step satisfies
 * g(q1, t1) = 0. At index 2 it satisfies G v1 + dg/dt = 0, and q1 is shifted onto g = 0 besides, without moving v: the
 * shift is the smallest one in the norm of the matrix, a third-order quantity. The tangent of the exponential map is
 * knowingly left out of the last term: it is 1 + O(h), so it costs contraction of order h and no accuracy, and saves a
 * product per body. */
#include "convergence.h"
#include "vectors.h"

#include <float.h>
#include <string.h>

#define SLOW_CONTRACTION 0.3     /* the matrix is renewed above this rate */
#define STANDSTILL_WITH_ROWS 0.5 /* velocity rows contract slowly where bodies turn fast */
#define DIVERGENCE 2.0           /* the iteration is given up above this rate; */
#define ASTRAY 10.0       /* and by an old matrix above this one, from where a new one does not lead back */
#define STEP_CHANGE 0.2   /* relative change of step that a matrix survives */
#define MOST_EXPECTED 10u /* steps that a new matrix may go unmeasured */
#define WORTH_A_MATRIX 6u /* iterations beyond one per step, with constraints, but for measurements */
#define ROUND_OFF_OF_ROWS 4.0  /* what may be left of them, where the places where they are tell less */
#define LARGEST_ROW_ERROR 1e-6 /* m, rad: rows that keep more contradict each other */
#define STEPS_UNCHECKED 8u     /* of which one is checked for that, where rows depend on each other */

/* dv'1 / d(increment of q). */
double tn_alpha_kappa(const alpha_work *work, double h)
{
    if (h == work->kappa_step) return work->kappa;
    return (1.0 - work->c.alpha_m) / ((1.0 - work->c.alpha_f) * work->c.beta * h * h);
}

void tn_alpha_forget_contraction(alpha_work *work)
{
    work->contraction = (alpha_contraction){.rate = -1.0, .valid = 1};
}

/* The start of the step is kept, to iterate from and to return to. */
void tn_alpha_save_state(alpha_work *work)
{
    const tn_system *system = work->system;
    work->time0 = system->time;
    alpha_copy_numbers(work, work->q0, system->q, system->nq);
    alpha_copy_numbers(work, work->v0, system->v, system->nv);
    alpha_copy_numbers(work, work->vdot0, system->a, system->nv);
    if (system->rows) memcpy(work->vdot0 + system->nv, system->lambda, system->rows * sizeof(double));
    if (system->nx) memcpy(work->x0, system->x, system->nx * sizeof(double));
}

void tn_alpha_restore_state(alpha_work *work)
{
    tn_system *system = work->system;
    system->time = work->time0;
    alpha_copy_numbers(work, system->q, work->q0, system->nq);
    alpha_copy_numbers(work, system->v, work->v0, system->nv);
    alpha_copy_numbers(work, system->a, work->vdot0, system->nv);
    memcpy(system->lambda, work->vdot0 + system->nv, system->rows * sizeof(double));
    memcpy(system->x, work->x0, system->nx * sizeof(double));
}

/* x1 = x0 + h (x'0 + x'1)/2 with the rates of the last iteration; where forces read integrals of expressions, with those of
 * the current state. States that evaluate() finds stay where they are. */
static tn_status follow_states(alpha_work *work, double h)
{
    tn_system *system = work->system;
    const tn_status status = system->coupled_states ? system->evaluate(system) : TN_OK;
    if (status != TN_OK) return status;
    for (uint32_t i = 0; i < system->nx - system->quadratures; i++)
        system->x[i] = work->x0[i] + 0.5 * h * (work->x_rate0[i] + system->x_rate[i]);
    return TN_OK;
}

/* Where their rates have derivatives, the states are found together with the motion, at every evaluation until they are let go. */
void tn_alpha_hold_states(alpha_work *work, double h)
{
    tn_system *system = work->system;
    for (uint32_t i = 0; i < system->nx; i++)
        work->x_base[i] = work->x0[i] + 0.5 * h * work->x_rate0[i];
    system->state_factor = 0.5 * h;
    system->state_base = work->x_base;
}

tn_status tn_alpha_apply_increment(alpha_work *work) { return alpha_apply_increment(work); }

/* In ground axes: a vector of the state `from` with its components at the state `to`. */
static void turn(const alpha_work *work, const double *from, const double *to, double *vector)
{
    tn_system *system = work->system;
    if (work->in_ground_axes) system->transport(system, from, to, vector, vector, NULL, NULL);
}

void tn_alpha_turn_back(const alpha_work *work, double *vector)
{
    turn(work, work->system->q, work->q0, vector);
}

void tn_alpha_turn_solution(const alpha_work *work, double *vector)
{
    turn(work, work->matrix_q, work->q0, vector);
}

/* q1, and with it v1 and v'1 from their components at the start of the step. */
static inline tn_status move_state(alpha_work *work)
{
    tn_system *system = work->system;
    const tn_status status = alpha_apply_increment(work);
    if (status != TN_OK || !work->in_ground_axes) return status;
    system->transport(system, work->q0, system->q, work->v_at_start, system->v, work->vdot_at_start,
                      system->a);
    return TN_OK;
}

void tn_alpha_demand(alpha_work *work, const double *rows, double factor, double *right_hand_side)
{
    const tn_system *system = work->system;
    for (uint32_t r = 0; r < system->rows; r++)
        right_hand_side[system->nv + r] = factor * system->row_factor * rows[r];
}

static tn_status predict(alpha_work *work, double h, double time)
{
    work->system->time = time;
    tn_alpha_predict(work, h);
    return move_state(work);
}

/* Takes the corrections in `residual` and `shift` off the state; their scaled norm, not finite when they are not. */
static tn_status correct(alpha_work *work, double h, double *norm)
{
    tn_system *system = work->system;
    tn_alpha_turn_solution(work, work->residual);
    *norm = alpha_correct_motion(work, h);
    for (size_t r = 0; r < system->rows; r++)
        system->lambda[r] -= system->row_factor * work->residual[system->nv + r];
    return move_state(work);
}

/* Index 2: what the correction of v leaves of g is taken off q alone. */
static tn_status find_shift(alpha_work *work, const double *demanded)
{
    tn_system *system = work->system;
    double *shift = work->shift;
    memset(shift, 0, system->nv * sizeof *shift);
    for (uint32_t r = 0; r < system->rows; r++)
        shift[system->nv + r] =
            system->row_level[r] == TN_VELOCITY_ROW ? 0.0 : system->row_factor * work->rows[r] - demanded[r];
    return system->solve(system, shift);
}

/* The correction at the state of the last evaluation; the largest errors of constraints there. */
static tn_status find_correction(alpha_work *work, double h, bool first, bool clean, row_error *error)
{
    tn_system *system = work->system;
    *error = (row_error){0};
    tn_status status = system->residual(system, system->a, work->residual);
    if (!system->rows) return status == TN_OK ? system->solve(system, work->residual) : status;
    if (status == TN_OK) status = demand_rows(work, h, error);
    if (status == TN_OK && work->index == 2) status = find_shift(work, work->residual + system->nv);
    turn(work, system->q, work->matrix_q, work->residual);
    if (first && !system->dependent_rows) tn_alpha_resist_multipliers(work);
    if (status == TN_OK) status = system->solve(system, work->residual);
    if (status == TN_OK && clean) status = tn_alpha_clean_correction(work, first);
    return status;
}

/* Round-off of q, against its scale, is where corrections stop to shrink. */
void tn_alpha_measure_round_off(alpha_work *work)
{
    const tn_system *system = work->system;
    double size = 1.0, coordinate = 0.0, scale = 0.0;
    for (size_t i = 0; i < system->nv; i++) {
        scale = fmax(scale, system->scale[i]);
        if (system->vector_space) size = fmax(size, fabs(system->q[i]) * work->inverse_scale[i]);
    }
    for (size_t i = 0; i < system->nq; i++)
        coordinate = fmax(coordinate, fabs(system->q[i]));
    // other coordinates do not pair with increments: the largest against the largest
    if (!system->vector_space && scale > 0.0) size = fmax(size, coordinate / scale);
    work->row_round_off = ROUND_OFF_OF_ROWS * DBL_EPSILON * coordinate;
    work->row_tolerance =
        fmax(SHARE_OF_ROWS * work->newton_tolerance * fmin(1.0, scale), work->row_round_off);
    work->round_off = (system->rows ? 10.0 : 100.0) * DBL_EPSILON * size;
}

/* A new matrix ages like the one before: its rate is expected to grow by twice as much per step, and no sooner beyond the rate of
 * that one, which may have been round-off. */
static void expect_contraction(alpha_work *work)
{
    const alpha_contraction old = work->contraction;
    const uint32_t measured_at = old.of_matrix - old.age;
    tn_alpha_forget_contraction(work);
    if (old.rate < 0.0 || measured_at == 0 || work->matrix_step == 0.0) return;
    work->contraction =
        (alpha_contraction){.rate = old.rate * fmin(2.0 / measured_at, 1.0),
                            .reference = old.reference,
                            .valid = old.of_matrix < 2 * MOST_EXPECTED ? old.of_matrix / 2 : MOST_EXPECTED};
}

/* The matrix of the last evaluation, factorised. */
tn_status tn_alpha_renew_matrix(alpha_work *work, double h)
{
    tn_system *system = work->system;
    expect_contraction(work);
    work->matrix_step = 0.0;
    alpha_copy_numbers(work, work->matrix_q, system->q, system->nq);
    work->new_null_directions = system->dependent_rows == 1;
    work->null_error = 1.0;
    tn_alpha_measure_round_off(work);
    system->row_factor = 1.0 / (work->c.beta * h * h);
    system->state_factor = 0.5 * h;
    tn_status status =
        system->matrix(system, tn_alpha_kappa(work, h), work->c.gamma / (work->c.beta * h), 1.0);
    if (status == TN_OK) status = system->factor(system);
    if (status == TN_OK) work->matrix_step = h;
    work->extra_iterations = 0;
    return status;
}

static double first_row_correction(const alpha_work *work)
{
    const tn_system *system = work->system;
    return system->dependent_rows
               ? system->row_factor * alpha_largest(work->residual + system->nv, system->rows)
               : 0.0;
}

/* One correction of the evaluated state, whose size is `norm`; not a number: nothing follows it. */
static tn_status correct_once(alpha_work *work, double h, int64_t count, bool clean, row_error *error,
                              double *norm)
{
    tn_system *system = work->system;
    system->corrects = 1;
    tn_status status = find_correction(work, h, count == 0, clean, error);
    system->corrects = 0;
    if (status == TN_OK) status = correct(work, h, norm);
    if (status == TN_OK && isfinite(*norm) && work->system->nx > 0) status = follow_states(work, h);
    if (status != TN_OK) return status;
    system->statistics->newton_iterations++;
    work->iterations = count + 1;
    work->last_correction = *norm;
    return TN_OK;
}

/* Iterates from the prediction; `fresh` asks for a new matrix there. Anything but TN_OK comes from a
 * callback. */
static tn_status iterate(alpha_work *work, double h, bool fresh, bool *converged)
{
    tn_system *system = work->system;
    const bool least = system->dependent_rows == 2; // they are so with the null directions of the very state
    const bool full = work->settings->jacobian == JACOBIAN_FULL || least;
    bool renewed = false, was_known = false, waited = false, clean = system->dependent_rows > 0;
    double first = 0.0, allowance = 0.0, previous = 0.0, norm = 0.0, envelope = 0.0, best = -1.0,
           rows_before = 0.0;
    row_error error = {0};
    *converged = false;
    if (system->coupled_states) {
        const tn_status status = follow_states(work, h);
        if (status != TN_OK) return status;
    }
    for (int64_t count = 0; count < work->settings->newton_iterations; count++) {
        tn_status status = system->evaluate(system);
        if (status != TN_OK) return status;
        if (system->nv == 0) break;
        if (fresh || full) {
            status = tn_alpha_renew_matrix(work, h);
            if (status != TN_OK) return status;
            // across a renewal the ratio of corrections says nothing about the new matrix
            if (fresh) {
                previous = envelope = 0.0;
                best = -1.0;
            }
            renewed = true;
            fresh = false;
        }
        status = correct_once(work, h, count, clean, &error, &norm);
        if (status != TN_OK || !isfinite(norm)) return status;
        if (count == 0) {
            work->first_correction = first = norm;
            work->first_row_correction = first_row_correction(work);
            allowance = find_allowance(work, h, first);
        }

        // measured where two corrections belong to one matrix, else remembered
        const bool measured = previous > 0.0;
        double rate = measured ? norm / previous : remembered_rate(work, norm);
        // rows push heavy bodies first, and what an old matrix makes of that pushes light ones: two corrections tell
        const bool waits = count == 1 && !renewed && rate > SLOW_CONTRACTION &&
                           error.largest < FAST_CONTRACTION * rows_before;
        if (waited) rate = larger(rate, sqrt(norm / first));
        const bool tells = measured && !waits && is_clear_of_round_off(work, previous);
        const bool is_bound = measured && !waits && bounds_rate(work, norm, previous);
        if (count == 0) was_known = rate >= 0.0;
        if ((tells || is_bound) && !full) {
            remember_rate(work, rate, first);
            rate = larger(rate, work->contraction.rate);
        }
        const double standstill = system->rows ? STANDSTILL_WITH_ROWS : SLOW_CONTRACTION;
        // at rest, say: neither rows nor corrections tell of anything but round-off
        const bool is_noise = !system->rows || (!tells && error.largest <= work->row_round_off);
        const bool stagnates = measured && norm > standstill * previous && (count > 2 || is_noise);
        // errors of rows swing on their way down
        if (system->rows) {
            if (measured && (best < 0.0 || rate < best)) best = rate;
            envelope = larger(error.largest, (tells || best < 0.0 ? rate : best) * envelope);
        }
        *converged = is_converged(work, rate, norm, allowance, stagnates ? find_tiny(work, renewed) : 0.0,
                                  rate * envelope) ||
                     (system->rows && (count > 0 || !least) && has_settled(work, norm, allowance, &error));
        if (count > 1 || (count == 1 && was_known)) work->extra_iterations++;
        if (*converged) return TN_OK;
        if (measured && !waits && rate > SLOW_CONTRACTION && (!renewed || system->rows)) {
            // near singular positions directions are soft that are no null directions: their part waits for the next step
            fresh = true;
            clean = least;
        }
        // behind a singular position a new matrix would lead from here to another motion of the mechanism
        const bool is_astray = fresh && !renewed && rate > ASTRAY;
        if (measured && !waits && (is_astray || (rate > DIVERGENCE && !fresh))) return TN_OK;
        waited = waits;
        rows_before = error.largest;
        previous = norm;
    }
    *converged = system->nv == 0 || meets_tolerance(work, &error, first, norm) ||
                 passes_singular_position(work, renewed, &error, norm);
    return TN_OK;
}

uint32_t tn_alpha_reason(const alpha_work *work)
{
    if (work->wanted > 0.0) return TN_REJECTED_EVENT;
    return work->diverged ? TN_REJECTED_ITERATION : TN_REJECTED_DOMAIN;
}

tn_status tn_alpha_iterate_anew(alpha_work *work, double h, double time, bool predicted)
{
    bool converged = false;
    tn_status status = TN_OK;
    tn_alpha_forget_contraction(work);
    for (int attempt = predicted; attempt < 2 && status == TN_OK && !converged; attempt++) {
        if (attempt > 0) {
            tn_alpha_restore_state(work);
            status = predict(work, h, time);
        }
        if (status == TN_OK) status = iterate(work, h, true, &converged);
    }
    if (status != TN_OK || converged) return status;
    work->diverged = true;
    return TN_RETRY;
}

/* Corrections vanish also where rows that depend on each other contradict each other: what is left of rows is measured now and then. */
static tn_status check_dependent_rows(alpha_work *work, double h)
{
    tn_system *system = work->system;
    row_error error = {0};
    if (!system->dependent_rows || work->stand.accepted % STEPS_UNCHECKED > 0) return TN_OK;
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = demand_rows(work, h, &error);
    const double most = fmax(LARGEST_ROW_ERROR, 1e3 * work->row_tolerance);
    if (status != TN_OK || error.largest <= most) return status;
    work->diverged = true;
    return TN_RETRY;
}

/* One step from the current state to `time`. TN_RETRY: not solved, the state is that of the last iteration.
 * */
tn_status tn_alpha_solve_step(alpha_work *work, double h, double time)
{
    tn_status status = TN_OK;
    work->wanted = 0.0;
    if (h != work->kappa_step) {
        work->kappa_step = 0.0;
        work->kappa = tn_alpha_kappa(work, h);
        work->kappa_step = h;
    }
    tn_alpha_save_state(work);
    if (h != work->a_step) { // which may be refused
        work->diverged = false;
        status = tn_alpha_change_step(work, h);
        if (status != TN_OK) return status;
        tn_alpha_save_state(work);
    }

    // a matrix of another step size contracts differently, and no longer at all when the sizes lie far apart
    const double change = work->matrix_step > 0.0 ? fabs(h / work->matrix_step - 1.0) : HUGE_VAL;
    const bool tired = work->system->rows && work->extra_iterations >= WORTH_A_MATRIX;
    const bool fresh = change > STEP_CHANGE || tired || work->settings->jacobian == JACOBIAN_FULL;
    bool converged = false;
    if (change > 1e-6) tn_alpha_forget_contraction(work);
    tn_alpha_hold_states(work, h);
    status = work->new_null_directions ? tn_alpha_clean_past(work) : TN_OK;
    if (status == TN_OK) status = predict(work, h, time);
    if (status == TN_OK) status = iterate(work, h, fresh, &converged);

    // once more, with the matrix of the prediction
    work->diverged = status == TN_OK && !converged && fresh;
    if (status == TN_OK && !converged) status = fresh ? TN_RETRY : tn_alpha_iterate_anew(work, h, time, true);
    if (status == TN_OK) status = check_dependent_rows(work, h);
    if (status == TN_OK && work->switches) status = tn_alpha_switch(work, h, time);
    work->system->state_base = NULL;
    return status;
}

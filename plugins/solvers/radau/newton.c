/* newton.c - simplified Newton's method for the stages of a step, and the estimate of its error
 *
 * The eigenvectors of A^-1 take the equations of three stages apart into a real system and a complex one (Hairer, Wanner, Solving
 * ODEs II, section IV.8). What the matrices leave out - the change of dexp^-1 with theta, the turning of body axes within the step -
 * is of order h and costs contraction, no accuracy. */
#include "radau.h"

#include <float.h>

#define SMALL_SWING 0.2     /* of the tolerances */
#define STANDS_STILL 0.7    /* of the error of a longer step */
#define LARGEST_SWING 100.0 /* of the tolerances: estimates of errors that may be round-off */
#define LAG 2u              /* iterations that unknown derivatives may take to pass on what changes, at */
#define LAGGING 0.5         /* such a rate */
#define CLEAR_OF_ROUND_OFF 200.0 /* how much larger corrections are that tell a rate */
#define STANDSTILL 50.0          /* corrections that do not shrink any more; */
#define SOFTEST 2400.0           /* in soft directions round-off is as much larger */
#define ROUND_OFF 2.0            /* times the smallest number: corrections that tell of nothing else */

/* ---- norms ----------------------------------------------------------------------------------------------- */

static double squares(const double *x, const double *weight, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += x[i] / weight[i] * (x[i] / weight[i]);
    return sum;
}

double tn_radau_norm(const radau_work *work, const double *q, const double *v, const double *x)
{
    const uint32_t nv = work->system->nv;
    double sum = 0.0, count = 0.0;
    if (q) sum += squares(q, work->weight_q, nv), count += nv;
    if (v) sum += squares(v, work->weight_v, nv), count += nv;
    if (x) sum += squares(x, work->weight_x, work->states), count += work->states;
    return count > 0.0 ? sqrt(sum / count) : 0.0;
}

void tn_radau_report_governing(const radau_work *work)
{
    const tn_system *system = work->system;
    double largest = 0.0;
    uint32_t governing = 0;
    for (uint32_t i = 0; i < system->nv + work->states; i++) {
        const uint32_t k = i < system->nv ? i : i - system->nv;
        const double share = i < system->nv ? fmax(fabs(work->error_q[k]) / work->weight_q[k],
                                                   fabs(work->error_v[k]) / work->weight_v[k])
                                            : fabs(work->error_x[k]) / work->weight_x[k];
        if (!(share > largest)) continue;
        largest = share;
        governing = i;
    }
    if (largest > 0.0 && work->report) work->report->governed(work->system, governing);
}

/* ---- corrections ----------------------------------------------------------------------------------------- */

/* Residuals of the stages, transformed, with the sign of a right-hand side. */
static void transform_motion(radau_work *work)
{
    double *const *r = work->residual;
    for (size_t k = 0; k < work->unknowns; k++) {
        const double r0 = r[0][k], r1 = r[1][k], r2 = r[2][k];
        const double(*t)[STAGES] = radau_t_inverse;
        work->real[k] = -(t[0][0] * r0 + t[0][1] * r1 + t[0][2] * r2);
        work->complex[2 * k] = -(t[1][0] * r0 + t[1][1] * r1 + t[1][2] * r2);
        work->complex[2 * k + 1] = -(t[2][0] * r0 + t[2][1] * r1 + t[2][2] * r2);
    }
}

static void transform_states(radau_work *work)
{
    double *const *r = work->x_residual;
    for (size_t k = 0; k < work->states; k++) {
        const double r0 = r[0][k], r1 = r[1][k], r2 = r[2][k];
        const double(*t)[STAGES] = radau_t_inverse;
        work->x_real[k] = -(t[0][0] * r0 + t[0][1] * r1 + t[0][2] * r2);
        work->x_complex[2 * k] = -(t[1][0] * r0 + t[1][1] * r1 + t[1][2] * r2);
        work->x_complex[2 * k + 1] = -(t[2][0] * r0 + t[2][1] * r1 + t[2][2] * r2);
    }
}

/* What velocities do to rows: position rows answer to increments, which are those of v over s; at index 1 all answer to accelerations,
 * s times those of v. */
static void demand_rows(radau_work *work, double h)
{
    const tn_system *system = work->system;
    const double factor = system->row_factor, square = RADAU_ALPHA * RADAU_ALPHA + RADAU_BETA * RADAU_BETA;
    for (uint32_t r = 0; r < system->rows; r++) {
        const size_t k = (size_t)system->nv + r;
        const double re = work->complex[2 * k], im = work->complex[2 * k + 1];
        double real = 1.0, alpha = 1.0, beta = 0.0;
        if (work->at_index_1) {
            real = h / RADAU_GAMMA;
            alpha = h * RADAU_ALPHA / square;
            beta = -h * RADAU_BETA / square;
        } else if (system->row_level[r] == TN_POSITION_ROW) {
            real = RADAU_GAMMA / h;
            alpha = RADAU_ALPHA / h;
            beta = RADAU_BETA / h;
        }
        work->real[k] *= factor * real;
        work->complex[2 * k] = factor * (alpha * re - beta * im);
        work->complex[2 * k + 1] = factor * (alpha * im + beta * re);
    }
}

/* The correction of number k of stage i. */
static inline double correction(const double *real, const double *complex, int i, size_t k)
{
    return radau_t[i][0] * real[k] + radau_t[i][1] * complex[2 * k] + radau_t[i][2] * complex[2 * k + 1];
}

/* Adds the corrections; those of v stay in the residuals. */
static void correct(radau_work *work)
{
    const tn_system *system = work->system;
    for (int i = 0; i < STAGES; i++) {
        for (uint32_t k = 0; k < system->nv; k++)
            work->residual[i][k] = correction(work->real, work->complex, i, k);
        tn_radau_turn(work, work->q_jacobian, work->start.q, work->residual[i], NULL);
        for (uint32_t k = 0; k < system->nv; k++)
            work->v[i][k] += work->residual[i][k];
        for (uint32_t r = 0; r < system->rows && !work->at_index_1; r++)
            work->lambda[i][r] +=
                system->row_factor * correction(work->real, work->complex, i, (size_t)system->nv + r);
        for (uint32_t k = 0; k < work->states; k++) {
            work->x_residual[i][k] = correction(work->x_real, work->x_complex, i, k);
            work->x[i][k] += work->x_residual[i][k];
        }
    }
}

/* rms of the corrections over all stages. */
static double norm_of_correction(radau_work *work, double h)
{
    const tn_system *system = work->system;
    double sum = 0.0;
    for (int i = 0; i < STAGES; i++) {
        for (uint32_t k = 0; k < system->nv; k++)
            work->product[k] =
                h * (radau_a[i][0] * work->residual[0][k] + radau_a[i][1] * work->residual[1][k] +
                     radau_a[i][2] * work->residual[2][k]);
        const double norm = tn_radau_norm(work, work->product, work->residual[i], work->x_residual[i]);
        sum += norm * norm;
    }
    return sqrt(sum / STAGES);
}

/* Where forces read multipliers of dependent rows these shall be of least norm: what they have in null directions is taken out. */
static tn_status clean_multipliers(radau_work *work, double h)
{
    tn_system *system = work->system;
    const uint32_t nv = system->nv;
    if (system->dependent_rows != 2 || work->at_index_1) return TN_OK;
    const double *own = work->equations->regularisation;
    const double factor = system->row_factor * system->row_factor * h / RADAU_GAMMA;
    for (int i = 0; i < STAGES; i++) {
        double *part = work->real;
        memcpy(part + nv, work->lambda[i], system->rows * sizeof *part);
        for (int k = 0; k < 2; k++) {
            memset(part, 0, nv * sizeof *part);
            for (uint32_t r = 0; r < system->rows; r++)
                part[nv + r] *= factor * own[r];
            const tn_status status = work->equations->solve_real(system, part);
            if (status != TN_OK) return status;
        }
        for (uint32_t r = 0; r < system->rows; r++)
            work->lambda[i][r] -= part[nv + r];
    }
    return TN_OK;
}

/* One iteration; the norm of its corrections. */
static tn_status iterate_once(radau_work *work, double h, double *norm, bool *outside)
{
    tn_status status = tn_radau_evaluate_stages(work, h);
    *outside = status == TN_RETRY;
    if (status != TN_OK) return status;
    transform_motion(work);
    transform_states(work);
    demand_rows(work, h);
    status = tn_radau_solve_real(work, h);
    if (status == TN_OK) status = tn_radau_solve_complex(work, h);
    if (status != TN_OK) return status;
    correct(work);
    tn_radau_integrate_quadratures(work, h);
    tn_radau_move_stages(work, h);
    *norm = norm_of_correction(work, h);
    work->system->statistics->newton_iterations++;
    return clean_multipliers(work, h);
}

/* Corrections that are round-off of positions, seen over the step. Where rows are to blame, velocities are taken back to them at its
 * end; else more than the tolerances is no round-off that may be left. */
static double floor_of(const radau_work *work, double h)
{
    const tn_system *system = work->system;
    double largest = 0.0;
    for (uint32_t i = 0; i < system->nv; i++)
        largest =
            fmax(largest, system->scale[i] * fmax(1.0 / work->weight_q[i], 1.0 / (h * work->weight_v[i])));
    const double floor = ROUND_OFF * DBL_EPSILON * largest;
    return system->rows ? floor : fmin(floor, 1.0);
}

/* What is known of the contraction while a step is iterated. */
typedef struct contraction {
    bool measured;
    double rate, before, left; /* of norms; the last norm; errors that are left, in parts of a correction */
} contraction;

/* Corrections to come add up to `left` times the last one. */
static bool converges(radau_work *work, contraction *c, double norm, uint32_t count, double floor)
{
    if (norm <= floor && (count > 0 || floor <= 1.0)) return true;
    if (c->before > 0.0) {
        const double rate = norm / c->before;
        c->before = norm;
        if (work->unknown_rates && count <= LAG && rate > LAGGING) return false;
        c->rate = c->measured ? sqrt(rate * c->rate) : rate;
        c->measured = true;
        c->left = c->rate < 0.99 ? c->rate / (1.0 - c->rate) : HUGE_VAL;
        if (c->rate >= 1.0 && norm <= STANDSTILL * floor) return true;
    }
    c->before = norm;
    return c->left * norm <= work->newton_tolerance;
}

/* Whether the iterations that are left would do; if not, by which factor a shorter step would. */
static bool hopes(double wanted, const contraction *c, double norm, uint32_t left, double *shrink)
{
    *shrink = GOOD_RATE / fmax(c->rate, 1.0);
    if (c->rate >= 0.99) return false;
    const double to_come = c->left * norm * pow(c->rate, left) / wanted;
    if (to_come < 1.0) return true;
    *shrink = 0.8 * pow(fmin(fmax(to_come, 1e-4), 20.0), -1.0 / (4.0 + left));
    return false;
}

/* Near singular positions of a mechanism directions are soft that round-off piles up in: the rows hold, and what swings there is
 * less than the tolerances. A shorter step would meet the same position with larger forces. */
static bool is_nearly_singular(const radau_work *work, double norm, double best, double floor)
{
    const bool stands_still = norm > 0.5 * best;
    return work->system->rows && stands_still && norm <= fmin(fmax(SMALL_SWING, SOFTEST * floor), 1.0);
}

/* Estimates divide by the step: near singular positions what is left of soft directions grows as steps become shorter. The end of the
 * step is on the constraints and has none of it. */
bool tn_radau_is_round_off(const radau_work *work, double h, double error)
{
    const double before = work->stand.tried_error;
    return work->system->rows && before > 0.0 && error >= STANDS_STILL * before &&
           error <= fmin(SOFTEST * floor_of(work, h), LARGEST_SWING);
}

tn_status tn_radau_iterate(radau_work *work, double h, radau_outcome *outcome)
{
    const uint32_t most = (uint32_t)work->settings->newton_iterations;
    const double floor = floor_of(work, h);
    double best = HUGE_VAL;
    contraction c = {.left = pow(fmax(work->stand.contraction, DBL_EPSILON), 0.8)};
    outcome->shrink = 0.5;
    tn_radau_begin_sides(work);
    for (uint32_t count = 0; count < most; count++) {
        double norm = 0.0;
        const double before = c.before;
        const tn_status status = iterate_once(work, h, &norm, &outcome->outside);
        if (status != TN_OK) return status;
        outcome->iterations = count + 1;
        if (work->sides_changed) c = (contraction){.left = HUGE_VAL};
        const bool done = isfinite(norm) && converges(work, &c, norm, count, floor);
        if (c.measured && norm > CLEAR_OF_ROUND_OFF * floor)
            outcome->rate = fmax(outcome->rate, norm / before);
        if (done && (count > 0 || norm <= floor || work->stand.contraction < 1.0)) {
            work->stand.contraction = fmin(c.left, 1.0);
            return TN_OK;
        }
        if (!isfinite(norm)) return TN_RETRY;
        if (c.measured &&
            !hopes(fmax(work->newton_tolerance, floor), &c, norm, most - 1 - count, &outcome->shrink))
            return is_nearly_singular(work, norm, best, floor) && count > 1 ? TN_OK : TN_RETRY;
        best = fmin(best, norm);
    }
    return TN_RETRY;
}

/* ---- the error ------------------------------------------------------------------------------------------- */

static double weighed(double *const y[STAGES], size_t k, double y0)
{
    return radau_error[0] * (y[0][k] - y0) + radau_error[1] * (y[1][k] - y0) +
           radau_error[2] * (y[2][k] - y0);
}

/* The estimate from slopes: v of q, M^-1 times a force or the force itself of v, and x'. */
static tn_status solve_estimate(radau_work *work, double h, const double *v, const double *a, double *force,
                                const double *x_rate)
{
    tn_system *system = work->system;
    const uint32_t nv = system->nv;
    const double s = RADAU_GAMMA / h;
    const tn_coefficients mass = {{1.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}},
                          stiffness = {{0.0, 0.0}, {0.0, 0.0}, {-1.0 / s, 0.0}};
    double *q = work->error_q, *accelerations = work->error_v;
    for (uint32_t k = 0; k < nv; k++) {
        q[k] = weighed(work->theta, k, 0.0) / h + v[k];
        accelerations[k] = weighed(work->v, k, work->start.v[k]) / h + (a ? a[k] : 0.0);
    }
    for (uint32_t k = 0; k < work->states; k++)
        work->x_real[k] = weighed(work->x, k, work->start.x[k]) / h + x_rate[k];
    tn_radau_turn(work, work->start.q, work->q_jacobian, q, accelerations);
    if (force) tn_radau_turn(work, work->start.q, work->q_jacobian, force, NULL);
    if (nv) {
        work->equations->multiply(system, &mass, accelerations, work->real);
        work->equations->multiply(system, &stiffness, q, work->product);
    }
    for (uint32_t k = 0; k < nv; k++)
        work->real[k] += work->product[k] + (force ? force[k] : 0.0);

    // what velocities of stages violate the rows by is taken away at the end of the step: no part of its error
    memset(work->real + nv, 0, system->rows * sizeof(double));
    const tn_status status = tn_radau_solve_real(work, h);
    for (uint32_t k = 0; k < nv; k++) {
        work->error_v[k] = work->real[k];
        work->error_q[k] = (work->real[k] + q[k]) / s;
    }
    tn_radau_turn(work, work->q_jacobian, work->start.q, work->error_v, work->error_q);
    memcpy(work->error_x, work->x_real, work->states * sizeof(double));
    return status;
}

/* Once more with the slope of the start moved by the first estimate: stiff parts, which would make it too large, are damped. */
static tn_status filter_estimate(radau_work *work, double h)
{
    tn_system *system = work->system;
    double *force = work->residual[0], *none = work->residual[1];
    system->time = work->stand.start;
    memset(none, 0, system->nv * sizeof *none);
    for (uint32_t k = 0; k < system->nv; k++) {
        system->v[k] = work->start.v[k] + work->error_v[k];
        system->a[k] = work->start.a[k];
    }
    for (uint32_t k = 0; k < system->nx; k++)
        system->x[k] = work->start.x[k] + (k < work->states ? work->error_x[k] : 0.0);
    for (uint32_t r = 0; r < system->rows; r++)
        system->lambda[r] = work->start.lambda[r] + system->row_factor * work->real[system->nv + r];
    tn_status status = system->retract(system, work->start.q, work->error_q, system->q);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->residual(system, none, force);
    if (status != TN_OK) return status;
    for (uint32_t k = 0; k < system->nv; k++)
        force[k] = -force[k];
    memcpy(work->residual[2], system->v, system->nv * sizeof(double));
    memcpy(work->x_residual[0], system->x_rate, work->states * sizeof(double));
    return solve_estimate(work, h, work->residual[2], NULL, force, work->x_residual[0]);
}

tn_status tn_radau_estimate(radau_work *work, double h, double *error)
{
    tn_status status = solve_estimate(work, h, work->start.v, work->start.a, NULL, work->start.x_rate);
    *error = tn_radau_norm(work, work->error_q, work->error_v, work->error_x);
    const bool doubtful = work->stand.rejected || work->stand.polynomial_step == 0.0;
    if (status != TN_OK || *error < 1.0 || !doubtful) return status;
    status = filter_estimate(work, h);
    if (status == TN_RETRY) return TN_OK;
    *error = tn_radau_norm(work, work->error_q, work->error_v, work->error_x);
    return status;
}

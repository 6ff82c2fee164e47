/* jacobian.c - dy'/dy as a full matrix, for the implicit steppers.
 *
 *            q                       v             x
 *     q   d(N v)/dq                  N             0
 *     v   M^-1 df/dphi N^+       M^-1 df/dv    M^-1 df/dx
 *     x   dh/dphi N^+            dh/dv         dh/dx
 *
 * The tangent of the system belongs to increments dphi along the retraction, as many as velocities; GSL's columns
 * belong to coordinates. dq = N dphi, so dphi = N^+ dq with the pseudo-inverse N^+ = (N^T N)^-1 N^T: exact along
 * the manifold, and zero across it, where f does not change: bodies normalise their quaternions when they form
 * rotation matrices. Where not all derivatives by first-order states, and of their rates h, are known, rows and columns of
 * states are differences. Under constraints v'
 * changes with the multipliers, too, which no tangent tells, and where forces read accelerations it is not M^-1 f: there all
 * rows and columns are differences. */
#include "gsl_ode.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <string.h>

static bool all_are_differences(const tn_system *system)
{
    return system->rows > 0 || system->coupled_accelerations;
}

/* Whether the tangent of the system includes the states. */
static bool knows_states(const tn_system *system)
{
    return !all_are_differences(system) && system->state_tangent && system->nv > 0;
}

static tn_status prepare_states(gsl_ode_work *work)
{
    tn_system *system = work->system;
    gsl_ode_tangent *t = &work->tangent;
    const size_t nv = system->nv, n = system->nx - system->quadratures;
    if (!knows_states(system)) return TN_OK;
    t->force_by_state = tn_gsl_array(system, nv * n);
    t->rate_by_motion = tn_gsl_array(system, n * 2 * nv);
    t->rate_by_state = tn_gsl_array(system, n * n);
    return t->force_by_state && t->rate_by_motion && t->rate_by_state ? TN_OK : TN_OUT_OF_MEMORY;
}

tn_status tn_gsl_prepare_tangent(gsl_ode_work *work)
{
    tn_system *system = work->system;
    gsl_ode_tangent *t = &work->tangent;
    const size_t nq = system->nq, nv = system->nv;
    t->state = tn_gsl_array(system, work->size);
    t->slopes = tn_gsl_array(system, 2 * work->size);
    if (!t->state || !t->slopes) return TN_OUT_OF_MEMORY;
    if (all_are_differences(system)) return TN_OK;
    double **const squares[] = {&t->inverse_mass, &t->force, &t->acceleration, &t->normal};
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++)
        if (!(*squares[i] = tn_gsl_array(system, nv * nv))) return TN_OUT_OF_MEMORY;
    t->kinematics = tn_gsl_array(system, nq * nv);
    t->sparse = system->pattern(system);
    return t->kinematics && t->sparse ? prepare_states(work) : TN_OUT_OF_MEMORY;
}

/* c_mass M - c_damping df/dv - c_stiffness df/dq of the last evaluation, as a full matrix. */
static tn_status full_matrix(gsl_ode_work *work, double c_mass, double c_damping, double c_stiffness,
                             double *full)
{
    tn_system *system = work->system;
    const tn_matrix *sparse = work->tangent.sparse;
    const size_t nv = system->nv;
    const tn_status status = system->matrix(system, c_mass, c_damping, c_stiffness);
    memset(full, 0, nv * nv * sizeof(double));
    for (size_t c = 0; c < nv && status == TN_OK; c++)
        for (int32_t k = sparse->column_start[c]; k < sparse->column_start[c + 1]; k++)
            full[(size_t)sparse->row[k] * nv + c] = sparse->value[k];
    return status;
}

/* A constant mass matrix is inverted once; one that changes, for every Jacobian. */
static tn_status invert_mass(gsl_ode_work *work)
{
    gsl_ode_tangent *t = &work->tangent;
    const tn_status status = full_matrix(work, 1.0, 0.0, 0.0, t->inverse_mass);
    if (status != TN_OK) return status;
    gsl_matrix_view mass = gsl_matrix_view_array(t->inverse_mass, work->system->nv, work->system->nv);
    if (gsl_linalg_cholesky_decomp1(&mass.matrix) != GSL_SUCCESS) return TN_FATAL;
    t->mass_known = gsl_linalg_cholesky_invert(&mass.matrix) == GSL_SUCCESS;
    return t->mass_known ? TN_OK : TN_FATAL;
}

/* product = M^-1 full, [nv][columns]; rows of `product` lie `stride` apart. M^-1 consists of small blocks: zeros are skipped. */
static void divide_by_mass(const gsl_ode_work *work, const double *full, size_t columns, double *product,
                           size_t stride)
{
    const size_t nv = work->system->nv;
    const double *inverse = work->tangent.inverse_mass;
    for (size_t i = 0; i < nv; i++, inverse += nv, product += stride) {
        memset(product, 0, columns * sizeof(double));
        for (size_t k = 0; k < nv; k++) {
            if (inverse[k] == 0.0) continue;
            for (size_t j = 0; j < columns; j++)
                product[j] += inverse[k] * full[k * columns + j];
        }
    }
}

/* N column by column: the rate is linear in v. */
static tn_status read_kinematics(gsl_ode_work *work, const double *y)
{
    tn_system *system = work->system;
    const size_t nq = system->nq, nv = system->nv;
    double *rate = work->tangent.slopes;
    tn_status status = TN_OK;
    memset(system->v, 0, nv * sizeof(double));
    for (size_t j = 0; j < nv && status == TN_OK; j++) {
        system->v[j] = 1.0;
        status = system->rate(system, rate);
        system->v[j] = 0.0;
        for (size_t i = 0; i < nq; i++)
            work->tangent.kinematics[i * nv + j] = rate[i];
    }
    memcpy(system->v, y + nq, nv * sizeof(double));
    return status;
}

/* d(N v)/dq. N is required to depend on q linearly, as it does for unit quaternions (q' = q (0, w)/2): then
 * central differences are exact for any step, and a step of 1 keeps them clear of round-off. */
static tn_status differentiate_kinematics(gsl_ode_work *work, const double *y, double *dfdy, size_t n)
{
    tn_system *system = work->system;
    const size_t nq = system->nq;
    double *forward = work->tangent.slopes, *backward = forward + nq;
    tn_status status = TN_OK;
    for (size_t j = 0; j < nq && status == TN_OK; j++) {
        system->q[j] = y[j] + 1.0;
        status = system->rate(system, forward);
        system->q[j] = y[j] - 1.0;
        if (status == TN_OK) status = system->rate(system, backward);
        system->q[j] = y[j];
        for (size_t i = 0; i < nq; i++)
            dfdy[i * n + j] = 0.5 * (forward[i] - backward[i]);
    }
    return status;
}

/* N^T N, factored. */
static tn_status factor_normal(gsl_ode_work *work)
{
    gsl_ode_tangent *t = &work->tangent;
    const size_t nq = work->system->nq, nv = work->system->nv;
    gsl_matrix_view N = gsl_matrix_view_array(t->kinematics, nq, nv);
    gsl_matrix_view normal = gsl_matrix_view_array(t->normal, nv, nv);
    (void)gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, &N.matrix, &N.matrix, 0.0, &normal.matrix);
    return gsl_linalg_cholesky_decomp1(&normal.matrix) == GSL_SUCCESS ? TN_OK : TN_RETRY;
}

/* Rows of derivatives by phi, which are used up, become rows of those by q: times N^+, as N (N^T N)^-1 row. They stand `from`
 * apart, the new ones `to` apart. */
static void pull_back_rows(gsl_ode_work *work, double *rows, size_t count, size_t from, double *target,
                           size_t to)
{
    gsl_ode_tangent *t = &work->tangent;
    const size_t nq = work->system->nq, nv = work->system->nv;
    gsl_matrix_view N = gsl_matrix_view_array(t->kinematics, nq, nv);
    gsl_matrix_view normal = gsl_matrix_view_array(t->normal, nv, nv);
    for (size_t i = 0; i < count; i++) {
        gsl_vector_view row = gsl_vector_view_array(rows + i * from, nv);
        gsl_vector_view pulled = gsl_vector_view_array(target + i * to, nq);
        (void)gsl_linalg_cholesky_svx(&normal.matrix, &row.vector);
        (void)gsl_blas_dgemv(CblasNoTrans, 1.0, &N.matrix, &row.vector, 0.0, &pulled.vector);
    }
}

/* Rows and columns of states, behind those of the motion, whose mass and N are in hand. */
static tn_status differentiate_known_states(gsl_ode_work *work, double *dfdy, size_t n)
{
    tn_system *system = work->system;
    gsl_ode_tangent *t = &work->tangent;
    const size_t nq = system->nq, nv = system->nv, states = system->nx - system->quadratures;
    const tn_status status =
        system->state_tangent(system, t->force_by_state, t->rate_by_motion, t->rate_by_state);
    if (status != TN_OK) return status;
    divide_by_mass(work, t->force_by_state, states, dfdy + nq * n + nq + nv, n);
    double *rows = dfdy + (nq + nv) * n;
    for (size_t k = 0; k < states; k++) {
        memcpy(rows + k * n + nq, t->rate_by_motion + (2 * k + 1) * nv, nv * sizeof(double));
        memcpy(rows + k * n + nq + nv, t->rate_by_state + k * states, states * sizeof(double));
        if (system->vector_space) memcpy(rows + k * n, t->rate_by_motion + 2 * k * nv, nv * sizeof(double));
    }
    if (!system->vector_space) pull_back_rows(work, t->rate_by_motion, states, 2 * nv, rows, n);
    return TN_OK;
}

/* All that the tangent of the system gives, at its last evaluation. */
static tn_status differentiate_motion(gsl_ode_work *work, const double *y, double *dfdy, size_t n)
{
    gsl_ode_tangent *t = &work->tangent;
    const size_t nq = work->system->nq, nv = work->system->nv;
    if (nv == 0) return TN_OK;
    const bool known = t->mass_known && !work->system->changing_masses;
    tn_status status = known ? TN_OK : invert_mass(work);
    if (status == TN_OK) status = full_matrix(work, 0.0, -1.0, 0.0, t->force);
    if (status != TN_OK) return status;
    divide_by_mass(work, t->force, nv, dfdy + nq * n + nq, n);
    status = full_matrix(work, 0.0, 0.0, -1.0, t->force);
    if (status != TN_OK) return status;
    if (work->system->vector_space) {
        divide_by_mass(work, t->force, nv, dfdy + nq * n, n);
        for (size_t i = 0; i < nq; i++)
            dfdy[i * n + nq + i] = 1.0;
        return TN_OK;
    }
    divide_by_mass(work, t->force, nv, t->acceleration, nv);
    status = read_kinematics(work, y);
    if (status == TN_OK) status = factor_normal(work);
    if (status == TN_OK) pull_back_rows(work, t->acceleration, nv, nv, dfdy + nq * n, n);
    if (status == TN_OK) status = differentiate_kinematics(work, y, dfdy, n);
    for (size_t i = 0; i < nq; i++)
        memcpy(dfdy + i * n + nq, t->kinematics + i * nv, nv * sizeof(double));
    return status;
}

/* The same, where the tangent of changing masses needs the accelerations of this state: those of the system belong to the accepted
 * one, and come back. */
static tn_status differentiate_changing_motion(gsl_ode_work *work, const double *y, double *dfdy, size_t n)
{
    tn_system *system = work->system;
    double *kept = work->tangent.slopes; // of 2 (nq + nv + nx), of which the kinematics use 2 nq
    const size_t nv = system->nv;
    if (!system->changing_masses) return differentiate_motion(work, y, dfdy, n);
    kept += 2 * (size_t)system->nq;
    memcpy(kept, system->a, nv * sizeof(double));
    tn_status status = system->accelerate(system, system->a);
    if (status == TN_OK) status = differentiate_motion(work, y, dfdy, n);
    memcpy(system->a, kept, nv * sizeof(double));
    return status;
}

/* y' at a state of the tangent's scratch. */
static tn_status slope_at(gsl_ode_work *work, double time, const double *y, double *slope)
{
    tn_gsl_write_state(work, time, y, work->controlled);
    return tn_gsl_slope(work, work->controlled, slope);
}

/* Rows and columns of first-order states, or of all. Rows of quadratures stay zero: nothing depends on them, so a wrong row
 * delays no other one, and all steppers give their x from h at the new y (see gsl_ode.md). */
static tn_status differentiate_states(gsl_ode_work *work, double time, const double *y, double *dfdy,
                                      size_t n)
{
    const size_t motion = (size_t)work->system->nq + work->system->nv, count = work->controlled,
                 known = all_are_differences(work->system) ? 0
                         : knows_states(work->system)      ? count
                                                           : motion;
    double *forward = work->tangent.slopes, *backward = forward + count, *state = work->tangent.state;
    if (count == known) return TN_OK;
    memcpy(state, y, count * sizeof(double));
    tn_status status = TN_OK;
    for (size_t j = 0; j < count && status == TN_OK; j++) {
        const double step = cbrt(DBL_EPSILON) * fmax(1.0, fabs(y[j]));
        state[j] = y[j] + step;
        status = slope_at(work, time, state, forward);
        state[j] = y[j] - step;
        if (status == TN_OK) status = slope_at(work, time, state, backward);
        state[j] = y[j];
        for (size_t i = j < known ? known : 0; i < count && status == TN_OK; i++)
            dfdy[i * n + j] = (forward[i] - backward[i]) / (2.0 * step);
    }
    return status;
}

/* Partial derivative with respect to time, from two evaluations ahead and `slope` at `time`: of order 2, forward,
 * since time may not go back over a change. It enters bsimp as h^2 dfdt, so that a thousandth of the step gives
 * it to 1e-6 of the motion's own change. */
static tn_status differentiate_time(gsl_ode_work *work, double time, const double *y, double *dfdt)
{
    const size_t count = work->controlled;
    const double step = 1e-3 * work->h;
    double *near = work->tangent.slopes, *far = near + count;
    tn_status status = slope_at(work, time + 2.0 * step, y, far);
    if (status == TN_OK) status = slope_at(work, time + step, y, near);
    if (status == TN_OK) status = slope_at(work, time, y, dfdt);
    for (size_t i = 0; i < count; i++)
        dfdt[i] = (4.0 * (near[i] - dfdt[i]) - (far[i] - dfdt[i])) / (2.0 * step);
    return status;
}

int tn_gsl_jacobian(double time, const double *y, double *dfdy, double *dfdt, void *integrator)
{
    const gsl_ode_integrator *self = integrator;
    gsl_ode_work *work = self->work;
    const size_t n = self->equations.dimension;
    memset(dfdy, 0, n * n * sizeof(double));
    memset(dfdt, 0, n * sizeof(double));
    y = tn_gsl_unshift(self, y);
    tn_status status = TN_OK;
    if (work->stepper->uses_time_derivative) status = differentiate_time(work, time, y, dfdt);
    if (status == TN_OK) status = differentiate_states(work, time, y, dfdy, n);

    // the tangent comes last: it needs the evaluation at y
    tn_gsl_write_state(work, time, y, work->controlled);
    if (status == TN_OK && !all_are_differences(work->system)) {
        status = work->system->evaluate(work->system);
        if (status == TN_OK) status = differentiate_changing_motion(work, y, dfdy, n);
        if (status == TN_OK && knows_states(work->system)) status = differentiate_known_states(work, dfdy, n);
    }
    work->status = status;
    return status == TN_OK ? GSL_SUCCESS : status == TN_RETRY ? GSL_EDOM : GSL_EBADFUNC;
}

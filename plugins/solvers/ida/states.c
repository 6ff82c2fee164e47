/* states.c - states x among the unknowns
 *
 *     c M - df/dv - df/dq / c   -G^T   -F       dv
 *     G                                         dlambda
 *     -(H_v + H_q / c)                 c - H_x  dx
 *
 * F = df/dx, H the derivatives of x'. They are eliminated last: with B the solution of the equations without them for F, one column per
 * state, dx follows from the full matrix c - H_x - (H_v + H_q/c) B. Derivatives that are not known are taken by differences, while
 * there are not too many; beyond, x is found by repetition. */
#include "ida.h"

enum { MOST_STATES = 1000, MOST_DIFFERENCES = 300 };

bool tn_ida_make_states(ida_work *work)
{
    const tn_system *system = work->system;
    const size_t n = work->states, nv = system->nv, unknowns = nv + system->rows;
    work->couples = n > 0 && n <= MOST_STATES && (system->state_tangent || n <= MOST_DIFFERENCES);
    double **const arrays[] = {
        &work->force_by_state, &work->rate_by_motion, &work->rate_by_state, &work->columns,   &work->schur,
        &work->x_work,         &work->force_kept,     &work->rate_kept,     &work->increment, &work->q_kept};
    const size_t sizes[] = {nv * n, 2 * nv * n, n * n, n * unknowns, n * n, n, nv, n, nv, system->nq};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k] = tn_ida_array(system, work->couples ? sizes[k] : n))) return false;
    work->pivot = system->host->allocate(system->host, (n + 1) * sizeof *work->pivot);
    return work->pivot != NULL;
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

/* f and x' of the state with one number changed, against those that were kept. */
static tn_status difference(ida_work *work, double step, double *force, double *rate, size_t rate_stride)
{
    tn_system *system = work->system;
    const size_t n = work->states;
    const tn_status status = system->evaluate(system);
    for (uint32_t i = 0; i < system->nv && force && status == TN_OK; i++)
        force[i * n] = (system->force[i] - work->force_kept[i]) / step;
    for (uint32_t k = 0; k < n && status == TN_OK; k++)
        rate[k * rate_stride] = (system->x_rate[k] - work->rate_kept[k]) / step;
    return status;
}

static tn_status differ_by_states(ida_work *work)
{
    tn_system *system = work->system;
    const size_t n = work->states;
    tn_status status = TN_OK;
    for (uint32_t j = 0; j < n && status == TN_OK; j++) {
        const double kept = system->x[j], step = sqrt(DBL_EPSILON) * fmax(1.0, fabs(kept));
        system->x[j] = kept + step;
        status = difference(work, step, work->force_by_state + j, work->rate_by_state + j, n);
        system->x[j] = kept;
    }
    return status;
}

static tn_status differ_by_motion(ida_work *work)
{
    tn_system *system = work->system;
    const size_t nv = system->nv;
    tn_status status = TN_OK;
    memcpy(work->q_kept, system->q, system->nq * sizeof(double));
    memset(work->increment, 0, nv * sizeof(double));
    for (uint32_t j = 0; j < nv && status == TN_OK; j++) {
        const double size = system->scale[j] > 0.0 ? system->scale[j] : 1.0;
        const double step = sqrt(DBL_EPSILON) * size;
        work->increment[j] = step;
        status = system->retract(system, work->q_kept, work->increment, system->q);
        work->increment[j] = 0.0;
        if (status == TN_OK) status = difference(work, step, NULL, work->rate_by_motion + j, 2 * nv);
        memcpy(system->q, work->q_kept, system->nq * sizeof(double));
        const double kept = system->v[j], faster = sqrt(DBL_EPSILON) * fmax(size, fabs(kept));
        system->v[j] = kept + faster;
        if (status == TN_OK) status = difference(work, faster, NULL, work->rate_by_motion + nv + j, 2 * nv);
        system->v[j] = kept;
    }
    return status;
}

tn_status tn_ida_differentiate_states(ida_work *work)
{
    tn_system *system = work->system;
    if (!work->couples) return TN_OK;
    if (system->state_tangent)
        return system->state_tangent(system, work->force_by_state, work->rate_by_motion, work->rate_by_state);
    memcpy(work->force_kept, system->force, system->nv * sizeof(double));
    memcpy(work->rate_kept, system->x_rate, work->states * sizeof(double));
    memset(work->rate_by_motion, 0, 2 * (size_t)work->states * system->nv * sizeof(double));
    tn_status status = differ_by_states(work);
    if (status == TN_OK && 2 * system->nv + work->states <= MOST_DIFFERENCES) status = differ_by_motion(work);
    const tn_status again = system->evaluate(system);
    return status == TN_OK || status == TN_RETRY ? again : status;
}

/* ---- solutions ------------------------------------------------------------------------------------------- */

/* ((H_v + H_q / c) dv + H_q z / c)_k; z may be NULL. */
static double rate_of(const ida_work *work, uint32_t k, const double *dv, const double *z)
{
    const size_t nv = work->system->nv;
    const double *by_q = work->rate_by_motion + 2 * nv * k, *by_v = by_q + nv, c = work->c_factored;
    double sum = 0.0;
    for (size_t j = 0; j < nv; j++)
        sum += by_v[j] * dv[j] + by_q[j] / c * (dv[j] + (z ? z[j] : 0.0));
    return sum;
}

static bool factor_full(uint32_t n, double *m, uint32_t *pivot)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t r = k + 1; r < n; r++)
            if (fabs(m[(size_t)r * n + k]) > fabs(m[(size_t)best * n + k])) best = r;
        pivot[k] = best;
        if (!(fabs(m[(size_t)best * n + k]) > 0.0)) return false;
        for (uint32_t i = 0; i < n && best != k; i++) {
            const double kept = m[(size_t)k * n + i];
            m[(size_t)k * n + i] = m[(size_t)best * n + i];
            m[(size_t)best * n + i] = kept;
        }
        for (uint32_t r = k + 1; r < n; r++) {
            const double factor = m[(size_t)r * n + k] /= m[(size_t)k * n + k];
            for (uint32_t i = k + 1; i < n && factor != 0.0; i++)
                m[(size_t)r * n + i] -= factor * m[(size_t)k * n + i];
        }
    }
    return true;
}

static void solve_full(uint32_t n, const double *m, const uint32_t *pivot, double *b)
{
    for (uint32_t k = 0; k < n; k++) {
        const double kept = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = kept;
    }
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t i = 0; i < r; i++)
            b[r] -= m[(size_t)r * n + i] * b[i];
    for (uint32_t r = n; r-- > 0;) {
        for (uint32_t i = r + 1; i < n; i++)
            b[r] -= m[(size_t)r * n + i] * b[i];
        b[r] /= m[(size_t)r * n + r];
    }
}

tn_status tn_ida_factor_states(ida_work *work)
{
    tn_system *system = work->system;
    const size_t n = work->states, unknowns = (size_t)system->nv + system->rows;
    if (!work->couples) return TN_OK;
    for (uint32_t j = 0; j < n; j++) {
        double *column = work->columns + j * unknowns;
        memset(column, 0, unknowns * sizeof *column);
        for (uint32_t i = 0; i < system->nv; i++)
            column[i] = work->force_by_state[i * n + j];
        const tn_status status = tn_ida_solve_bordered(work, column);
        if (status != TN_OK) return status;
        for (uint32_t k = 0; k < n; k++)
            work->schur[k * n + j] = (k == j ? work->c_factored : 0.0) - work->rate_by_state[k * n + j] -
                                     rate_of(work, k, column, NULL);
    }
    return factor_full((uint32_t)n, work->schur, work->pivot) ? TN_OK : TN_RETRY;
}

void tn_ida_solve_states(ida_work *work, const double *right, double *dx)
{
    const uint32_t n = work->states;
    const size_t unknowns = (size_t)work->system->nv + work->system->rows;
    for (uint32_t k = 0; k < n; k++)
        dx[k] =
            work->couples ? right[k] + rate_of(work, k, work->right, work->z) : right[k] / work->c_factored;
    if (!work->couples) return;
    solve_full(n, work->schur, work->pivot, dx);
    for (uint32_t k = 0; k < n; k++)
        for (size_t i = 0; i < unknowns; i++)
            work->right[i] += work->columns[k * unknowns + i] * dx[k];
}

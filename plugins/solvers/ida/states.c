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

bool tn_ida_make_states(ida_work *work)
{
    tn_system *system = work->system;
    const size_t n = work->states, unknowns = (size_t)system->nv + system->rows;
    if (!tn_state_derivatives_make(&work->derivatives, system, work->states)) return false;
    const bool known = work->derivatives.known;
    work->columns = tn_ida_array(system, known ? n * unknowns : n);
    work->schur = tn_ida_array(system, known ? n * n : n);
    work->x_work = tn_ida_array(system, n);
    work->pivot = system->host->allocate(system->host, (n + 1) * sizeof *work->pivot);
    return work->columns && work->schur && work->x_work && work->pivot;
}

tn_status tn_ida_differentiate_states(ida_work *work)
{
    return work->derivatives.known ? tn_state_derivatives_find(&work->derivatives) : TN_OK;
}

/* ---- solutions ------------------------------------------------------------------------------------------- */

/* ((H_v + H_q / c) dv + H_q z / c)_k; z may be NULL. */
static double rate_of(const ida_work *work, uint32_t k, const double *dv, const double *z)
{
    const size_t nv = work->system->nv;
    const double *by_q = work->derivatives.rate_by_motion + 2 * nv * k, *by_v = by_q + nv,
                 c = work->c_factored;
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
    if (!work->derivatives.known) return TN_OK;
    for (uint32_t j = 0; j < n; j++) {
        double *column = work->columns + j * unknowns;
        memset(column, 0, unknowns * sizeof *column);
        for (uint32_t i = 0; i < system->nv; i++)
            column[i] = work->derivatives.force_by_state[i * n + j];
        const tn_status status = tn_ida_solve_bordered(work, column);
        if (status != TN_OK) return status;
        for (uint32_t k = 0; k < n; k++)
            work->schur[k * n + j] = (k == j ? work->c_factored : 0.0) -
                                     work->derivatives.rate_by_state[k * n + j] -
                                     rate_of(work, k, column, NULL);
    }
    return factor_full((uint32_t)n, work->schur, work->pivot) ? TN_OK : TN_RETRY;
}

void tn_ida_solve_states(ida_work *work, const double *right, double *dx)
{
    const uint32_t n = work->states;
    const size_t unknowns = (size_t)work->system->nv + work->system->rows;
    for (uint32_t k = 0; k < n; k++)
        dx[k] = work->derivatives.known ? right[k] + rate_of(work, k, work->right, work->z)
                                        : right[k] / work->c_factored;
    if (!work->derivatives.known) return;
    solve_full(n, work->schur, work->pivot, dx);
    for (uint32_t k = 0; k < n; k++)
        for (size_t i = 0; i < unknowns; i++)
            work->right[i] += work->columns[k * unknowns + i] * dx[k];
}

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

#include <sundials/sundials_dense.h>

bool tn_ida_make_states(ida_work *work)
{
    tn_system *system = work->system;
    const tn_host *host = system->host;
    const size_t n = work->states, unknowns = (size_t)system->nv + system->rows;
    if (!tn_state_derivatives_make(&work->derivatives, system, work->states)) return false;
    if (!work->derivatives.known) return true;
    double *const full = tn_ida_array(system, n * n);
    work->columns = tn_ida_array(system, n * unknowns);
    work->schur = host->allocate(host, n * sizeof *work->schur);
    work->pivot = host->allocate(host, n * sizeof *work->pivot);
    for (size_t k = 0; k < n && full && work->schur; k++)
        work->schur[k] = full + k * n;
    return full && work->columns && work->schur && work->pivot;
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
            work->schur[j][k] = (k == j ? work->c_factored : 0.0) -
                                work->derivatives.rate_by_state[k * n + j] - rate_of(work, k, column, NULL);
    }
    const sunindextype size = (sunindextype)n;
    return SUNDlsMat_denseGETRF(work->schur, size, size, work->pivot) == 0 ? TN_OK : TN_RETRY;
}

void tn_ida_solve_states(ida_work *work, const double *right, double *dx)
{
    const uint32_t n = work->states;
    const size_t unknowns = (size_t)work->system->nv + work->system->rows;
    for (uint32_t k = 0; k < n; k++)
        dx[k] = work->derivatives.known ? right[k] + rate_of(work, k, work->right, work->z)
                                        : right[k] / work->c_factored;
    if (!work->derivatives.known) return;
    SUNDlsMat_denseGETRS(work->schur, n, work->pivot, dx);
    for (uint32_t k = 0; k < n; k++)
        for (size_t i = 0; i < unknowns; i++)
            work->right[i] += work->columns[k * unknowns + i] * dx[k];
}

/* operators.c - the operators of a search for some eigenvalues (search.h)
 *
 * With b = z on the right
 *
 *     (K + s D + s^2 M) q = F x - M b_v - (D + s M) b_q + G^T mu,   v = s q + b_q,
 *     (H - s) x = b_x - R (q, v)
 *
 * which is solved by the matrix on the left and a full one of the states. */
#include "search.h"

/* ---- states ------------------------------------------------------------------------------------------------------- */

/* R_q a + R_v b of state k. */
static double _Complex rate_of(const eigen_search *s, size_t k, const double _Complex *a,
                               const double _Complex *b)
{
    const double *by_position = s->work->linear->rate_by_motion + k * 2 * s->nv,
                 *by_velocity = by_position + s->nv;
    double _Complex sum = 0.0;
    for (size_t i = 0; i < s->nv; i++)
        sum += by_position[i] * a[i] + by_velocity[i] * b[i];
    return sum;
}

/* (R_q + s R_v) q. */
static double _Complex rate_along(const eigen_search *s, size_t k, const double _Complex *q)
{
    const double *by_position = s->work->linear->rate_by_motion + k * 2 * s->nv,
                 *by_velocity = by_position + s->nv;
    double _Complex sum = 0.0;
    for (size_t i = 0; i < s->nv; i++)
        sum += (by_position[i] + s->s * by_velocity[i]) * q[i];
    return sum;
}

static tn_status factor_states(eigen_search *s)
{
    const size_t n = s->states, rows = s->nv + s->work->rows;
    tn_status status = TN_OK;
    for (size_t k = 0; k < n && status == TN_OK; k++) {
        double _Complex *column = s->by_states + k * rows;
        for (size_t i = 0; i < s->nv; i++)
            column[i] = s->work->linear->force_by_state[i * n + k];
        status = tn_shift_solve(&s->shift, column);
    }
    for (size_t l = 0; l < n; l++)
        for (size_t k = 0; k < n; k++)
            s->full[l * n + k] = s->work->linear->rate_by_state[k * n + l] - (k == l ? s->s : 0.0) +
                                 rate_along(s, k, s->by_states + l * rows);
    if (status != TN_OK || !n) return status;
    const lapack_int order = (lapack_int)n,
                     info = LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, order, order, s->full, order, s->pivot);
    return info == 0 ? TN_OK : TN_RETRY;
}

/* ---- operators ----------------------------------------------------------------------------------------------------- */

tn_status tn_search_shift(eigen_search *s, double _Complex shift)
{
    s->s = shift;
    if (s->work->symmetric) return tn_shift_factor(&s->shift, -shift, 0.0);
    const tn_status status = tn_shift_factor(&s->shift, shift * shift, shift);
    return status == TN_OK ? factor_states(s) : status;
}

/* z = (A - s)^-1 b. */
tn_status tn_search_apply(eigen_search *s, const double _Complex *b, double _Complex *z)
{
    const tn_linearisation *linear = s->work->linear;
    const size_t nv = s->nv, n = s->states;
    const double _Complex *by_velocity = b + nv, *by_state = b + 2 * nv;
    double _Complex *q = s->right;
    memset(q, 0, nv * sizeof *q);
    tn_shift_add(&linear->mass, -1.0, by_velocity, q);
    tn_shift_add(&linear->mass, -s->s, b, q);
    if (!s->work->undamped) tn_shift_add(&linear->damping, -1.0, b, q);
    tn_status status = tn_shift_solve(&s->shift, q);
    memset(z, 0, nv * sizeof *z);
    for (size_t k = 0; k < n; k++)
        s->state[k] = by_state[k] - rate_along(s, k, q) - rate_of(s, k, z, b);
    if (n && status == TN_OK &&
        LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', (lapack_int)n, 1, s->full, (lapack_int)n, s->pivot,
                            s->state, (lapack_int)n) != 0)
        status = TN_FATAL;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < nv; i++)
            q[i] += s->state[k] * s->by_states[k * (nv + s->work->rows) + i];
    for (size_t i = 0; i < nv; i++) {
        z[i] = q[i];
        z[nv + i] = s->s * q[i] + b[i];
    }
    memcpy(z + 2 * nv, s->state, n * sizeof *z);
    return status;
}

/* y = (K - s M)^-1 b, of real numbers. */
tn_status tn_search_apply_symmetric(eigen_search *s, const double *b, double *y)
{
    for (size_t i = 0; i < s->nv; i++)
        s->right[i] = b[i];
    const tn_status status = tn_shift_solve(&s->shift, s->right);
    for (size_t i = 0; i < s->nv; i++)
        y[i] = creal(s->right[i]);
    return status;
}

void tn_search_multiply_masses(const eigen_search *s, const double *x, double *product)
{
    const tn_sparse *M = &s->work->linear->mass;
    memset(product, 0, s->nv * sizeof *product);
    for (uint32_t j = 0; j < M->columns; j++)
        for (int32_t e = M->column_start[j]; e < M->column_start[j + 1]; e++)
            product[M->row[e]] += M->value[e] * x[j];
}

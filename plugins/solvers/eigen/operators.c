/* operators.c - the operators of a search for some eigenvalues (search.h)
 *
 * (A - s) z = b with z = (q, v, x) means
 *
 *     v = (s + T) q + b_q
 *     (K + (D + s M) (s + T)) q - B l - F x = -M b_v - (D + s M) b_q
 *     G q = 0,   (s A + L + A T) q = -A b_q
 *     (R_q + R_v (s + T)) q + (H - s) x = b_x - R_v b_q
 *
 * of which all but the first stands in the matrix of the shift. Of any b, q obeys the rows; behind a second step, where b_q does, v obeys
 * their rates, too: multipliers have no eigenvalues of their own in what is left. */
#include "search.h"

tn_status tn_search_shift(eigen_search *s, double _Complex shift)
{
    s->s = shift;
    s->scale = s->work->symmetric ? 1.0 : cabs(shift);
    if (s->work->symmetric) return tn_shift_factor(&s->shift, -shift, 0.0);
    return tn_shift_factor(&s->shift, shift * shift, shift);
}

tn_status tn_search_apply(eigen_search *s, const double _Complex *b, double _Complex *z)
{
    const tn_sparse *part = s->shift.part;
    const size_t nv = s->nv, states = nv + s->work->rows;
    double _Complex *right = s->right, *motion = s->spare;
    memset(right, 0, s->shift.size * sizeof *right);
    for (size_t i = 0; i < nv; i++)
        motion[i] = s->scale * b[nv + i] + s->s * b[i];
    tn_eigen_multiply_add_complex(&part[SHIFT_MASS], -1.0, motion, right);
    tn_eigen_multiply_add_complex(&s->work->damping, -1.0, b, right);
    tn_eigen_multiply_add_complex(&part[SHIFT_VELOCITY_ROWS], -1.0, b, right + nv);
    for (size_t k = 0; k < s->states; k++)
        right[states + k] = b[2 * nv + k];
    if (s->states) tn_eigen_multiply_add_complex(&part[SHIFT_RATE_BY_MOTION], -1.0, b, right + states);
    const tn_status status = tn_shift_solve(&s->shift, right);
    for (size_t i = 0; i < nv; i++)
        motion[i] = s->s * right[i] + b[i];
    tn_eigen_multiply_add_complex(&s->work->transport, 1.0, right, motion);
    memcpy(z, right, nv * sizeof *z);
    for (size_t i = 0; i < nv; i++)
        z[nv + i] = motion[i] / s->scale;
    memcpy(z + 2 * nv, right + states, s->states * sizeof *z);
    return status;
}

tn_status tn_search_apply_beside(eigen_search *s, const double _Complex *b, double _Complex *z)
{
    const tn_status status = tn_search_apply(s, b, z);
    for (size_t k = 0; k < s->known; k++) {
        const double _Complex *own = s->basis + k * s->size;
        double _Complex along = 0.0;
        for (size_t i = 0; i < s->size; i++)
            along += conj(own[i]) * z[i];
        for (size_t i = 0; i < s->size; i++)
            z[i] -= along * own[i];
    }
    return status;
}

void tn_search_multiply_masses(const eigen_search *s, const double *x, double *product)
{
    memset(product, 0, s->nv * sizeof *product);
    tn_eigen_multiply_add(&s->work->linear->mass, x, product);
}

tn_status tn_search_apply_symmetric(eigen_search *s, const double *b, double *y)
{
    memset(s->right, 0, s->shift.size * sizeof *s->right);
    for (size_t i = 0; i < s->nv; i++)
        s->right[i] = b[i];
    const tn_status status = tn_shift_solve(&s->shift, s->right);
    for (size_t i = 0; i < s->nv; i++)
        y[i] = creal(s->right[i]);
    if (s->known) tn_search_multiply_masses(s, y, s->product);
    for (size_t k = 0; k < s->known; k++) {
        const double _Complex *own = s->basis + k * s->size;
        double along = 0.0;
        for (size_t i = 0; i < s->nv; i++)
            along += creal(own[i]) * s->product[i];
        for (size_t i = 0; i < s->nv; i++)
            y[i] -= along * creal(own[i]);
    }
    return status;
}

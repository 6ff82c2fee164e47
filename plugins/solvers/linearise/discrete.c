/* discrete.c - the form between samples of held inputs: z(t + h) = exp(A h) z(t) + int_0^h exp(A s) ds B u (linearise.h)
 *
 * Both are blocks of exp([A, B; 0, 0] h), by the Pade approximant of degree 13 with scaling and squaring (Higham, SIAM J. Matrix Anal.
 * Appl. 26 (2005) 1179). */
#include "linearise.h"

#define LARGEST_NORM 5.371920351148152 /* the approximant is exact to round-off up to it */
enum { DEGREE = 13 };

static const double coefficient[DEGREE + 1] = {64764752532480000.0,
                                               32382376266240000.0,
                                               7771770303897600.0,
                                               1187353796428800.0,
                                               129060195264000.0,
                                               10559470521600.0,
                                               670442572800.0,
                                               33522128640.0,
                                               1323241920.0,
                                               40840800.0,
                                               960960.0,
                                               16380.0,
                                               182.0,
                                               1.0};

static double norm_of(const linear_matrix *m)
{
    double norm = 0.0;
    for (size_t c = 0; c < m->columns; c++) {
        double sum = 0.0;
        for (size_t r = 0; r < m->rows; r++)
            sum += fabs(linear_row(m, r)[c]);
        norm = fmax(norm, sum);
    }
    return norm;
}

static void clear(linear_matrix *m) { memset(m->value, 0, m->rows * m->columns * sizeof *m->value); }

/* m = exp(m); false: no memory. The even powers of the polynomial are U's factor and V, the odd ones times m are U. */
static bool exponential(linear_work *work, linear_matrix *m)
{
    const size_t n = m->rows;
    linear_matrix square, power, next, odd, even, U, sum, difference;
    linear_matrix *const all[] = {&square, &power, &next, &odd, &even, &U, &sum, &difference};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!linear_new(work, all[k], n, n)) return false;
    const double norm = norm_of(m);
    int squarings = 0;
    if (norm > LARGEST_NORM) (void)frexp(norm / LARGEST_NORM, &squarings);
    if (squarings < 0) squarings = 0;
    for (size_t k = 0; k < n * n; k++)
        m->value[k] = ldexp(m->value[k], -squarings);
    linear_add_product(1.0, m, m, &square);
    for (size_t k = 0; k < n; k++)
        linear_row(&power, k)[k] = 1.0;
    for (int degree = 0; degree <= DEGREE; degree += 2) {
        for (size_t k = 0; k < n * n; k++) {
            even.value[k] += coefficient[degree] * power.value[k];
            odd.value[k] += coefficient[degree + 1] * power.value[k];
        }
        clear(&next);
        linear_add_product(1.0, &power, &square, &next);
        memcpy(power.value, next.value, n * n * sizeof(double));
    }
    linear_add_product(1.0, m, &odd, &U);
    for (size_t k = 0; k < n * n; k++) {
        sum.value[k] = even.value[k] + U.value[k];
        difference.value[k] = even.value[k] - U.value[k];
    }
    if (linear_solve(work, &difference, &sum) < 0.0) return false;
    for (int k = 0; k < squarings; k++) {
        clear(&next);
        linear_add_product(1.0, &sum, &sum, &next);
        memcpy(sum.value, next.value, n * n * sizeof(double));
    }
    memcpy(m->value, sum.value, n * n * sizeof(double));
    return true;
}

tn_status linear_discretise(linear_work *work)
{
    const linear_form *from = &work->minimal;
    linear_form *to = &work->discrete;
    const size_t n = from->A.rows, inputs = work->inputs;
    linear_matrix all;
    if (!(work->step > 0.0)) return TN_OK;
    if (!linear_new(work, &all, n + inputs, n + inputs) || !linear_new(work, &to->A, n, n) ||
        !linear_new(work, &to->B, n, inputs))
        return TN_OUT_OF_MEMORY;
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < n; c++)
            linear_row(&all, r)[c] = linear_row(&from->A, r)[c] * work->step;
        for (size_t c = 0; c < inputs; c++)
            linear_row(&all, r)[n + c] = linear_row(&from->B, r)[c] * work->step;
    }
    if (!exponential(work, &all)) return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < all.rows * all.columns; k++)
        if (!isfinite(all.value[k]))
            return tn_refuse(
                work->system->host, "step",
                "motions grow beyond all numbers within a step of %.3g s: there is no form between "
                "samples",
                work->step);
    for (size_t r = 0; r < n; r++) {
        memcpy(linear_row(&to->A, r), linear_row(&all, r), n * sizeof(double));
        memcpy(linear_row(&to->B, r), linear_row(&all, r) + n, inputs * sizeof(double));
    }
    to->C = from->C;
    to->D = from->D;
    return TN_OK;
}

/* shapes.c - which modes are wanted, their size and sign, and quotients of their energies (eigen.h) */
#include "eigen.h"

#include <stdlib.h>

#define TWO_PI 6.283185307179586

/* ---- quotients -------------------------------------------------------------------------------------------------- */

/* x^* A x of both parts, and the sum of the sizes of its terms. */
static double quotient(const tn_sparse *A, const double *x, double *terms)
{
    double sum = 0.0;
    if (terms) *terms = 0.0;
    for (uint32_t j = 0; j < A->columns; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            for (uint32_t part = 0; part < 2; part++) {
                const double term = A->value[e] * x[2 * (size_t)A->row[e] + part] * x[2 * (size_t)j + part];
                sum += term;
                if (terms) *terms += fabs(term);
            }
    return sum;
}

double tn_eigen_mass_of(const eigen_work *work, const double *motion)
{
    return quotient(&work->linear->mass, motion, NULL);
}

double tn_eigen_stiffness_of(const eigen_work *work, const double *motion, double *terms)
{
    return quotient(&work->linear->stiffness, motion, terms);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static double distance(const eigen_mode *mode, double near)
{
    return hypot(mode->re, mode->im - TWO_PI * near);
}

typedef struct ranked {
    eigen_mode mode;
    double distance;
} ranked;

static int by_distance(const void *a, const void *b)
{
    const double x = ((const ranked *)a)->distance, y = ((const ranked *)b)->distance;
    return (x > y) - (x < y);
}

/* By frequency, then by size, then by the real part. */
static int by_frequency(const void *a, const void *b)
{
    const eigen_mode *x = &((const ranked *)a)->mode, *y = &((const ranked *)b)->mode;
    if (x->im != y->im) return x->im > y->im ? 1 : -1;
    const double first = fabs(x->re), second = fabs(y->re);
    if (first != second) return first > second ? 1 : -1;
    return (x->re > y->re) - (x->re < y->re);
}

/* ---- size and sign ----------------------------------------------------------------------------------------------- */

static void divide(double *x, size_t count, double re, double im)
{
    const double square = re * re + im * im;
    for (size_t i = 0; i < count; i++) {
        const double a = x[2 * i], b = x[2 * i + 1];
        x[2 * i] = (a * re + b * im) / square;
        x[2 * i + 1] = (b * re - a * im) / square;
    }
}

/* The number of the largest of a list of complex numbers against scales; count for none. */
static size_t largest_of(const double *x, const double *scale, size_t count)
{
    size_t found = count;
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double own = hypot(x[2 * i], x[2 * i + 1]) / (scale && scale[i] > 0.0 ? scale[i] : 1.0);
        if (!(own > largest * (1.0 + 1e-9))) continue;
        largest = own;
        found = i;
    }
    return found;
}

/* Of unit mass, the component that moves most real and positive. A mode in which nothing moves: its largest state is 1. */
static void normalise(const eigen_work *work, eigen_mode *mode)
{
    const double mass = tn_eigen_mass_of(work, mode->motion);
    const size_t i = largest_of(mode->motion, work->system->scale, work->nv),
                 k = largest_of(mode->state, NULL, work->nx);
    double re = 1.0, im = 0.0;
    if (i < work->nv && mass > 0.0) {
        const double size = hypot(mode->motion[2 * i], mode->motion[2 * i + 1]);
        re = sqrt(mass) * mode->motion[2 * i] / size;
        im = sqrt(mass) * mode->motion[2 * i + 1] / size;
    } else if (k < work->nx) {
        re = mode->state[2 * k];
        im = mode->state[2 * k + 1];
    }
    divide(mode->motion, work->nv, re, im);
    divide(mode->state, work->nx, re, im);
}

tn_status tn_eigen_order(eigen_work *work)
{
    ranked *list = work->host->allocate(work->host, (work->modes + 1) * sizeof *list);
    if (!list) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < work->modes; k++)
        list[k] = (ranked){work->mode[k], distance(&work->mode[k], work->settings->near)};
    qsort(list, work->modes, sizeof *list, by_distance);
    if ((int64_t)work->modes > work->settings->count) work->modes = (uint32_t)work->settings->count;
    qsort(list, work->modes, sizeof *list, by_frequency);
    for (uint32_t k = 0; k < work->modes; k++) {
        work->mode[k] = list[k].mode;
        normalise(work, &work->mode[k]);
    }
    return TN_OK;
}

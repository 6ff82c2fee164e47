/* collocation.c - solves for the curve through all points (see collocation.h).
 *
 * degree 3, not-a-knot: the third derivative is continuous at the second and at the last but one point, which are left out
 *     of the knots; there are as many coefficients as points
 * degree 5, natural: the third and fourth derivatives are zero at both ends, four equations more than points */
#include "collocation.h"

#include <gsl/gsl_bspline.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>

/* Everything that is allocated. */
typedef struct work {
    gsl_bspline_workspace *basis;
    gsl_vector *knots, *right, *solution;
    gsl_vector_uint *exchanges;
    gsl_matrix *band, *local; /* local: derivatives (columns) of the functions that are not zero (rows) */
    size_t row, width;        /* width: entries of a row on either side of its middle */
} work;

static bool allocate(work *w, size_t points, int degree)
{
    const size_t order = (size_t)degree + 1, knots = degree == 3 ? points - 2 : points,
                 size = knots + order - 2;
    w->width = size <= SPLINE_DERIVATIVES ? size - 1 : SPLINE_DERIVATIVES - 1;
    w->knots = gsl_vector_alloc(knots);
    w->basis = gsl_bspline_alloc(order, knots);
    w->right = gsl_vector_alloc(size);
    w->solution = gsl_vector_alloc(size);
    w->exchanges = gsl_vector_uint_alloc(size);
    w->band = gsl_matrix_calloc(size, 3 * w->width + 1);
    w->local = gsl_matrix_alloc(order, order);
    return w->knots && w->basis && w->right && w->solution && w->exchanges && w->band && w->local;
}

static void release(work *w)
{
    if (w->knots) gsl_vector_free(w->knots);
    if (w->basis) gsl_bspline_free(w->basis);
    if (w->right) gsl_vector_free(w->right);
    if (w->solution) gsl_vector_free(w->solution);
    if (w->exchanges) gsl_vector_uint_free(w->exchanges);
    if (w->band) gsl_matrix_free(w->band);
    if (w->local) gsl_matrix_free(w->local);
}

/* The next equation: derivative number `which` is `value` at x. The largest entry of every row is 1. */
static int add_equation(work *w, double x, size_t which, double value)
{
    size_t first, last;
    const int code = gsl_bspline_deriv_eval_nonzero(x, which, w->local, &first, &last, w->basis);
    if (code != GSL_SUCCESS) return code;
    double largest = 0.0;
    for (size_t k = 0; k <= last - first; k++)
        largest = fmax(largest, fabs(gsl_matrix_get(w->local, k, which)));
    for (size_t k = 0; k <= last - first; k++)
        gsl_matrix_set(w->band, first + k, 2 * w->width + w->row - (first + k),
                       gsl_matrix_get(w->local, k, which) / largest);
    gsl_vector_set(w->right, w->row++, value / largest);
    return GSL_SUCCESS;
}

static int add_end(work *w, double x)
{
    const int code = add_equation(w, x, 3, 0.0);
    return code == GSL_SUCCESS ? add_equation(w, x, 4, 0.0) : code;
}

static int solve(work *w, const double *x, const double *y, size_t count, int degree)
{
    for (size_t k = 0, i = 0; i < count; i++)
        if (degree == 5 || (i != 1 && i != count - 2)) gsl_vector_set(w->knots, k++, x[i]);
    int code = gsl_bspline_knots(w->knots, w->basis);
    for (size_t i = 0; i < count && code == GSL_SUCCESS; i++) {
        if (degree == 5 && i == count - 1) code = add_end(w, x[i]);
        if (code == GSL_SUCCESS) code = add_equation(w, x[i], 0, y[i]);
        if (degree == 5 && i == 0 && code == GSL_SUCCESS) code = add_end(w, x[i]);
    }
    const size_t size = w->right->size;
    if (code == GSL_SUCCESS)
        code = gsl_linalg_LU_band_decomp(size, w->width, w->width, w->band, w->exchanges);
    if (code == GSL_SUCCESS)
        code = gsl_linalg_LU_band_solve(w->width, w->width, w->band, w->exchanges, w->right, w->solution);
    return code;
}

static int read_derivatives(work *w, double x, int degree, double *derivative)
{
    size_t first, last;
    const int code = gsl_bspline_deriv_eval_nonzero(x, (size_t)degree, w->local, &first, &last, w->basis);
    for (size_t order = 0; order < SPLINE_DERIVATIVES; order++) {
        derivative[order] = 0.0;
        for (size_t k = 0; order <= (size_t)degree && code == GSL_SUCCESS && k <= last - first; k++)
            derivative[order] += gsl_matrix_get(w->local, k, order) * gsl_vector_get(w->solution, first + k);
    }
    return code;
}

int tenon_spline_collocate(const double *x, const double *y, size_t count, int degree,
                           double (*derivative)[SPLINE_DERIVATIVES])
{
    work w = {.basis = NULL};
    int code = allocate(&w, count, degree) ? solve(&w, x, y, count, degree) : GSL_ENOMEM;
    for (size_t i = 0; i + 1 < count && code == GSL_SUCCESS; i++)
        code = read_derivatives(&w, x[i], degree, derivative[i]);
    release(&w);
    return code;
}

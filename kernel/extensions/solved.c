/* solved.c - whether a linear solver has solved (solved.h) */
#include "extensions/solved.h"

#include <math.h>
#include <string.h>

#define LARGEST_RESIDUAL 1e-4 /* against the terms that it is left of: far beyond what round-off leaves */

static size_t numbers_of(const tn_solved *s) { return (s->is_complex ? 2u : 1u) * (size_t)s->matrix->size; }

/* Subtracts entry e times a number of x from the residual of its row, and adds its magnitude to the terms. */
static void take_term(const tn_solved *s, int32_t e, const double *x)
{
    const size_t i = (size_t)s->matrix->row[e];
    if (!s->is_complex) {
        s->given[i] -= s->value[e] * *x;
        s->terms[i] += fabs(s->value[e] * *x);
        return;
    }
    const double re = s->value[2 * (size_t)e], im = s->value[2 * (size_t)e + 1];
    s->given[2 * i] -= re * x[0] - im * x[1];
    s->given[2 * i + 1] -= re * x[1] + im * x[0];
    s->terms[2 * i] += fabs(re * x[0]) + fabs(im * x[1]);
    s->terms[2 * i + 1] += fabs(re * x[1]) + fabs(im * x[0]);
}

/* given - A x in `given`, the sums of magnitudes of its terms in `terms`. */
static void subtract_product(const tn_solved *s, const double *x)
{
    const tn_matrix *A = s->matrix;
    const size_t numbers = numbers_of(s), step = s->is_complex ? 2 : 1;
    for (size_t i = 0; i < numbers; i++)
        s->terms[i] = fabs(s->given[i]);
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            take_term(s, e, x + step * j);
}

/* The largest |A x - b|, against the largest sum of the sizes of its terms. */
static double residual_of(const tn_solved *s, const double *x)
{
    double largest = 0.0, scale = 0.0;
    subtract_product(s, x);
    for (size_t i = 0; i < numbers_of(s); i++) {
        largest = fmax(largest, fabs(s->given[i]));
        scale = fmax(scale, s->terms[i]);
    }
    return scale > 0.0 ? largest / scale : 0.0;
}

/* A right-hand side of round-off alone may lie outside of what a nearly singular matrix reaches: the sums of its rows do not. */
static bool solves_sums_of_rows(const tn_solved *s)
{
    const size_t numbers = numbers_of(s);
    memset(s->given, 0, numbers * sizeof *s->given);
    for (size_t i = 0; i < numbers; i++)
        s->trial[i] = s->is_complex && i % 2 ? 0.0 : -1.0;
    subtract_product(s, s->trial);
    memcpy(s->trial, s->given, numbers * sizeof *s->trial);
    const tn_status status = s->is_complex ? tn_call(s->type, solve_complex, s->self, s->trial)
                                           : tn_call(s->type, solve, s->self, s->trial);
    return status == TN_OK && tn_are_finite(s->trial, numbers) &&
           residual_of(s, s->trial) <= LARGEST_RESIDUAL;
}

double tn_solved_fault(const tn_solved *solved, const double *x)
{
    const double residual = residual_of(solved, x);
    return residual <= LARGEST_RESIDUAL || solves_sums_of_rows(solved) ? 0.0 : residual;
}

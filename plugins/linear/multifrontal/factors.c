/* factors.c - the factors of fronts as dense blocks, and substitution with them, which reads every number once */
#include "multifrontal.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNED 64 /* bytes */

static bool make_room(tn_front_factors *f, size_t bytes)
{
    if (bytes <= f->room) return true;
    free(f->memory);
    f->room = 0;
    f->memory = aligned_alloc(ALIGNED, (bytes + ALIGNED - 1) / ALIGNED * ALIGNED);
    if (f->memory) f->room = bytes;
    return f->memory != NULL;
}

bool tn_front_factors_keep(tn_front_factors *factors, const tn_dense_front *front, int32_t pivots)
{
    const size_t n = (size_t)pivots, size = (size_t)front->size, rest = size - n,
                 stride = (size_t)front->stride;
    const size_t numbers = n * (n + 2 * rest);
    if (!make_room(factors, numbers * sizeof(double) + 2 * size * sizeof(int32_t))) return false;
    factors->pivots = pivots;
    factors->size = front->size;
    factors->diagonal = factors->memory;
    factors->lower = factors->diagonal + n * n;
    factors->upper = factors->lower + n * rest;
    factors->row = (int32_t *)(void *)(factors->upper + n * rest);
    factors->column = factors->row + size;
    memcpy(factors->row, front->row, size * sizeof(int32_t));
    memcpy(factors->column, front->column, size * sizeof(int32_t));
    for (size_t k = 0; k < n; k++) {
        const double *column = front->value + k * stride;
        memcpy(factors->diagonal + k * n, column, n * sizeof(double));
        factors->diagonal[k * n + k] = 1.0 / column[k];
        memcpy(factors->lower + k * rest, column + n, rest * sizeof(double));
    }
    for (size_t j = 0; j < rest; j++) {
        const double *column = front->value + (n + j) * stride;
        for (size_t k = 0; k < n; k++)
            factors->upper[k * rest + j] = column[k];
    }
    return true;
}

/* y -= A x, with the columns of A. */
static void subtract_columns(const double *A, size_t rows, size_t columns, const double *x,
                             double *restrict y)
{
    size_t k = 0;
    for (; k + 3 < columns; k += 4, A += 4 * rows) {
        const double *a = A, *b = a + rows, *c = b + rows, *d = c + rows;
        for (size_t i = 0; i < rows; i++)
            y[i] -= a[i] * x[k] + b[i] * x[k + 1] + c[i] * x[k + 2] + d[i] * x[k + 3];
    }
    for (; k < columns; k++, A += rows)
        for (size_t i = 0; i < rows; i++)
            y[i] -= A[i] * x[k];
}

typedef double lanes __attribute__((vector_size(64), aligned(8)));
enum { LANES = 8 };

static double sum_of(lanes v) { return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7])); }

/* y -= A x, with the rows of A. */
static void subtract_rows(const double *A, size_t rows, size_t columns, const double *x, double *y)
{
    size_t k = 0;
    for (; k + 1 < rows; k += 2, A += 2 * columns) {
        const double *a = A, *b = a + columns;
        lanes p = {0}, q = {0};
        size_t i = 0;
        for (; i + LANES <= columns; i += LANES) {
            const lanes v = *(const lanes *)(const void *)(x + i);
            p += *(const lanes *)(const void *)(a + i) * v;
            q += *(const lanes *)(const void *)(b + i) * v;
        }
        double s = sum_of(p), t = sum_of(q);
        for (; i < columns; i++) {
            s += a[i] * x[i];
            t += b[i] * x[i];
        }
        y[k] -= s;
        y[k + 1] -= t;
    }
    if (k == rows) return;
    double s = 0.0;
    for (size_t i = 0; i < columns; i++)
        s += A[i] * x[i];
    y[k] -= s;
}

static void solve_lower(const tn_front_factors *f, double *of_row, double *of_column, double *x)
{
    const size_t n = (size_t)f->pivots, rest = (size_t)f->size - n;
    double *below = x + n;
    for (size_t k = 0; k < (size_t)f->size; k++)
        x[k] = of_row[f->row[k]];
    for (size_t k = 0; k < n; k++) {
        const double *column = f->diagonal + k * n, pivot = x[k];
        for (size_t i = k + 1; i < n; i++)
            x[i] -= column[i] * pivot;
    }
    subtract_columns(f->lower, rest, n, x, below);
    for (size_t k = 0; k < n; k++)
        of_column[f->column[k]] = x[k];
    for (size_t k = 0; k < rest; k++)
        of_row[f->row[n + k]] = below[k];
}

static void solve_upper(const tn_front_factors *f, double *of_column, double *x)
{
    const size_t n = (size_t)f->pivots, rest = (size_t)f->size - n;
    for (size_t k = 0; k < (size_t)f->size; k++)
        x[k] = of_column[f->column[k]];
    subtract_rows(f->upper, n, rest, x + n, x);
    for (size_t k = n; k-- > 0;) {
        const double *column = f->diagonal + k * n, value = x[k] *= column[k];
        for (size_t i = 0; i < k; i++)
            x[i] -= column[i] * value;
    }
    for (size_t k = 0; k < n; k++)
        of_column[f->column[k]] = x[k];
}

void tn_front_factors_solve(const tn_front_factors *factors, int32_t count, double *of_row, double *of_column,
                            double *memory)
{
    for (int32_t f = 0; f < count; f++)
        solve_lower(&factors[f], of_row, of_column, memory);
    for (int32_t f = count; f-- > 0;)
        solve_upper(&factors[f], of_column, memory);
}

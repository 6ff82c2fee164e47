/* dense.c - dense matrices by rows, and solutions with them (linearise.h) */
#include "linearise.h"

#include <tenon/kit/blas.h>

#include <lapacke.h>

#include <stdarg.h>
#include <stdlib.h>

void *linear_array(linear_work *work, size_t count, size_t size)
{
    const tn_host *host = work->system->host;
    return host->allocate(host, (count + 1) * size);
}

bool linear_new(linear_work *work, linear_matrix *m, size_t rows, size_t columns)
{
    *m = (linear_matrix){rows, columns, linear_array(work, rows * columns, sizeof(double))};
    return m->value != NULL;
}

const char *linear_print(linear_work *work, const char *format, ...)
{
    char text[LINEAR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(text, sizeof text, format, arguments);
    va_end(arguments);
    char *kept = linear_array(work, strlen(text), 1);
    if (kept) memcpy(kept, text, strlen(text) + 1);
    return kept ? kept : "";
}

void linear_add_product(double factor, const linear_matrix *a, const linear_matrix *b, linear_matrix *to)
{
    for (size_t r = 0; r < a->rows; r++)
        for (size_t k = 0; k < a->columns; k++) {
            const double f = factor * a->value[r * a->columns + k];
            if (f == 0.0) continue;
            const double *from = linear_row(b, k);
            double *row = linear_row(to, r);
            for (size_t c = 0; c < b->columns; c++)
                row[c] += f * from[c];
        }
}

double linear_solve(linear_work *work, linear_matrix *a, linear_matrix *b)
{
    const lapack_int n = (lapack_int)a->rows, sides = (lapack_int)b->columns;
    linear_matrix factors, x;
    if (!n || !sides) return 1.0;
    if (!tn_blas_begin(0) || !linear_new(work, &factors, a->rows, a->rows) ||
        !linear_new(work, &x, b->rows, b->columns))
        return -1.0;
    lapack_int *pivot = linear_array(work, a->rows, sizeof *pivot);
    double *row = linear_array(work, 2 * a->rows, sizeof *row),
           *error = linear_array(work, 2 * b->columns, sizeof *error);
    if (!pivot || !row || !error) return -1.0;
    char equilibrated = 'N';
    double condition = 0.0, growth = 0.0;
    const lapack_int info = LAPACKE_dgesvx(LAPACK_ROW_MAJOR, 'E', 'N', n, sides, a->value, n, factors.value,
                                           n, pivot, &equilibrated, row, row + n, b->value, sides, x.value,
                                           sides, &condition, error, error + sides, &growth);
    if (info < 0) return -1.0;
    if (info > 0 && info <= n) return 0.0;
    memcpy(b->value, x.value, b->rows * b->columns * sizeof *b->value);
    return condition;
}

bool linear_extend(double *basis, size_t *count, size_t n, const double *vector, double share)
{
    double *next = basis + *count * n, before = 0.0, left = 0.0;
    for (size_t i = 0; i < n; i++)
        before += vector[i] * vector[i];
    memmove(next, vector, n * sizeof *next);
    for (int pass = 0; pass < 3; pass++)
        for (size_t k = 0; k < *count; k++) {
            double sum = 0.0;
            for (size_t i = 0; i < n; i++)
                sum += basis[k * n + i] * next[i];
            for (size_t i = 0; i < n; i++)
                next[i] -= sum * basis[k * n + i];
        }
    for (size_t i = 0; i < n; i++)
        left += next[i] * next[i];
    if (!(sqrt(left) > share * sqrt(before))) return false;
    for (size_t i = 0; i < n; i++)
        next[i] /= sqrt(left);
    (*count)++;
    return true;
}

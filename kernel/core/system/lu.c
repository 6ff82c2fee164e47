/* lu.c - small dense systems of equations, factored in place */
#include "system/lu.h"

#include <float.h>
#include <math.h>

static void exchange_rows(uint32_t n, double *a, double *b)
{
    for (uint32_t k = 0; a != b && k < n; k++) {
        const double value = a[k];
        a[k] = b[k];
        b[k] = value;
    }
}

/* What is left of two numbers that cancel is round-off, and taken for zero. */
static double difference_or_zero(double a, double b)
{
    const double left = a - b;
    return fabs(left) <= 64.0 * DBL_EPSILON * fabs(a) ? 0.0 : left;
}

bool tn_lu_factor(uint32_t n, double *matrix, uint32_t *exchange, uint32_t *column)
{
    for (uint32_t k = 0; k < n; k++) {
        double *pivot = matrix + (size_t)k * n;
        exchange[k] = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(matrix[(size_t)i * n + k]) > fabs(matrix[(size_t)exchange[k] * n + k])) exchange[k] = i;
        exchange_rows(n, pivot, matrix + (size_t)exchange[k] * n);
        *column = k;
        if (pivot[k] == 0.0 || !isfinite(pivot[k])) return false;
        for (uint32_t i = k + 1; i < n; i++) {
            double *row = matrix + (size_t)i * n;
            if (row[k] == 0.0) continue;
            row[k] /= pivot[k];
            for (uint32_t j = k + 1; j < n; j++)
                row[j] = difference_or_zero(row[j], row[k] * pivot[j]);
        }
    }
    return true;
}

static void exchange_numbers(double *x, uint32_t a, uint32_t b)
{
    const double value = x[a];
    x[a] = x[b];
    x[b] = value;
}

void tn_lu_solve(uint32_t n, const double *matrix, const uint32_t *exchange, double *x)
{
    for (uint32_t k = 0; k < n; k++)
        exchange_numbers(x, k, exchange[k]);
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            x[i] -= matrix[(size_t)i * n + j] * x[j];
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = i + 1; j < n; j++)
            x[i] -= matrix[(size_t)i * n + j] * x[j];
        x[i] /= matrix[(size_t)i * n + i];
    }
}

void tn_lu_solve_transposed(uint32_t n, const double *matrix, const uint32_t *exchange, double *x)
{
    for (uint32_t j = 0; j < n; j++) {
        x[j] /= matrix[(size_t)j * n + j];
        for (uint32_t i = j + 1; i < n; i++)
            x[i] -= matrix[(size_t)j * n + i] * x[j];
    }
    for (uint32_t j = n; j-- > 1;)
        for (uint32_t i = 0; i < j; i++)
            x[i] -= matrix[(size_t)j * n + i] * x[j];
    for (uint32_t k = n; k-- > 0;)
        exchange_numbers(x, k, exchange[k]);
}

void tn_small_condense(const tn_small_system *system, uint32_t n, double factor, const double *equations,
                       size_t stride, size_t first, uint32_t rows, double *tangent)
{
    double *d = system->direction;
    for (size_t c = 0; c < stride; c++) {
        double largest = 0.0;
        if (c >= first && c < first + n) continue;
        for (uint32_t k = 0; k < n; k++) {
            d[k] = factor * equations[k * stride + c];
            largest = fmax(largest, fabs(d[k]));
        }
        if (largest == 0.0) continue;
        tn_lu_solve(n, system->matrix, system->exchange, d);
        for (uint32_t r = 0; r < rows; r++)
            for (uint32_t k = 0; k < n; k++)
                tangent[r * stride + c] += tangent[r * stride + first + k] * d[k];
    }
}

/* zeros.c - eigenvalues of a matrix, with those that are zero by its rank split off (eigen.h)
 *
 * What nothing depends on, such as the place of a model that is free to move, makes eigenvalues that are zero, often with fewer
 * vectors than there are of them: round-off would spread them over a circle about zero, as wide as its root. With V = [V2 V1], V2 the null
 * space of A by a QR factorisation with pivots,
 *
 *     V^T A V = 0  S12
 *               0  S22
 *
 * which splits zeros off exactly; the same follows with S22, until that is regular. An eigenvector s of S22 belongs to V1 s + V2 S12 s/z of A. */
#include "eigen.h"

#include <lapacke.h>

#define RANK 1e-12 /* of the largest pivot, times the order */

enum { MOST_LEVELS = 64, LAPACK_BLOCK = 32 };

typedef struct level {
    size_t size, zeros;
    double *basis;  /* [size][size] V2, then V1 */
    double *beside; /* [zeros][size - zeros] S12 */
} level;

/* The largest entry of a block of A. */
static double largest_in(const eigen_reduced *r, const double *A, size_t i, size_t rows, size_t j,
                         size_t columns)
{
    double largest = 0.0;
    for (size_t c = j; c < j + columns; c++)
        for (size_t k = i; k < i + rows; k++)
            largest = fmax(largest, fabs(A[c * r->size + k]));
    return largest;
}

/* Scales of positions, velocities and each state that make entries across them of like size: D^-1 A D. What is round-off must not
 * become large, so scales are no finer than this. */
static void find_scales(const eigen_reduced *r, const double *A, double *scale)
{
    const size_t p = r->positions, v = r->velocities, n = r->size;
    const double down = largest_in(r, A, p, v, 0, p), up = largest_in(r, A, 0, p, p, v);
    const double rate = down > 0.0 && up > 0.0 ? sqrt(down / up) : 1.0;
    for (size_t i = 0; i < n; i++)
        scale[i] = i >= p && i < p + v ? rate : 1.0;
    for (size_t i = p + v; i < n; i++) {
        double row = 0.0, column = 0.0;
        for (size_t j = 0; j < p + v; j++) {
            row = fmax(row, fabs(A[j * n + i]) * scale[j]);
            column = fmax(column, fabs(A[i * n + j]) / scale[j]);
        }
        scale[i] = row > 0.0 && column > 0.0 ? sqrt(row / column)
                   : row > 0.0               ? row
                   : column > 0.0            ? 1.0 / column
                                             : 1.0;
    }
}

static void divide_by_scales(size_t n, const double *scale, double *A)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            A[j * n + i] *= scale[j] / scale[i];
}

/* An orthonormal basis [n][n] of which the first `zeros` columns span the null space. */
static tn_status find_null_space(const tn_host *host, size_t n, const double *A, level *found)
{
    const lapack_int order = (lapack_int)n, size = 2 * order + (order + 1) * LAPACK_BLOCK + 16;
    double *factor = tn_eigen_numbers(host, n * n), *reflector = tn_eigen_numbers(host, n),
           *room = tn_eigen_numbers(host, (size_t)size), *V = tn_eigen_numbers(host, n * n);
    lapack_int *pivot = host->allocate(host, (n + 1) * sizeof *pivot);
    if (!factor || !reflector || !room || !V || !pivot) return TN_OUT_OF_MEMORY;
    memcpy(factor, A, n * n * sizeof *A);
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, order, order, factor, order, pivot, reflector, room, size) != 0)
        return TN_FATAL;
    size_t rank = 0;
    while (rank < n && fabs(factor[rank * (n + 1)]) > RANK * (double)n * fabs(factor[0]))
        rank++;
    found->zeros = n - rank;
    for (size_t c = 0; c < found->zeros; c++) { // R1 x = -R2 e
        double *x = V + c * n, *solution = reflector;
        for (size_t k = rank; k-- > 0;) {
            double sum = -factor[(rank + c) * n + k];
            for (size_t l = k + 1; l < rank; l++)
                sum -= factor[l * n + k] * solution[l];
            solution[k] = sum / factor[k * n + k];
        }
        for (size_t k = 0; k < rank; k++)
            x[pivot[k] - 1] = solution[k];
        x[pivot[rank + c] - 1] = 1.0;
    }
    const lapack_int zeros = (lapack_int)found->zeros;
    if (zeros &&
        (LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, order, zeros, V, order, reflector, room, size) != 0 ||
         LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, order, order, zeros, V, order, reflector, room, size) != 0))
        return TN_FATAL;
    found->size = n;
    found->basis = V;
    return TN_OK;
}

/* S12 and S22 of a level; S22 takes the place of A. */
static tn_status split(const tn_host *host, const double *A, level *at, double **rest)
{
    const size_t n = at->size, zeros = at->zeros, left = n - zeros;
    const double *V1 = at->basis + zeros * n;
    double *product = tn_eigen_numbers(host, n * left);
    at->beside = tn_eigen_numbers(host, zeros * left);
    *rest = tn_eigen_numbers(host, left * left);
    if (!product || !at->beside || !*rest) return TN_OUT_OF_MEMORY;
    tn_eigen_product(n, n, left, A, V1, product);
    const tn_status status =
        tn_eigen_transposed_product(host, zeros, n, left, at->basis, product, at->beside);
    return status == TN_OK ? tn_eigen_transposed_product(host, left, n, left, V1, product, *rest) : status;
}

/* A vector of what is left behind `count` levels, [][2], to one of all: at a zero there is nothing to add. */
static double *lift(const tn_host *host, const level *levels, size_t count, double re, double im,
                    double *vector)
{
    const double square = re * re + im * im;
    while (vector && count-- > 0) {
        const level *at = &levels[count];
        const size_t n = at->size, zeros = at->zeros, left = n - zeros;
        double *whole = tn_eigen_numbers(host, 2 * n), *inner = tn_eigen_numbers(host, 2 * n);
        if (!whole || !inner) return NULL;
        memcpy(inner + 2 * zeros, vector, 2 * left * sizeof *inner);
        for (size_t i = 0; i < zeros && square > 0.0; i++) {
            double a = 0.0, b = 0.0;
            for (size_t j = 0; j < left; j++) {
                a += at->beside[j * zeros + i] * vector[2 * j];
                b += at->beside[j * zeros + i] * vector[2 * j + 1];
            }
            inner[2 * i] = (a * re + b * im) / square;
            inner[2 * i + 1] = (b * re - a * im) / square;
        }
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) {
                whole[2 * i] += at->basis[j * n + i] * inner[2 * j];
                whole[2 * i + 1] += at->basis[j * n + i] * inner[2 * j + 1];
            }
        vector = whole;
    }
    return vector;
}

static void add(eigen_solution *s, double re, double im, double *vector)
{
    s->re[s->count] = re;
    s->im[s->count] = im;
    s->vector[s->count++] = vector;
}

/* The zeros of the last of `count` levels. */
static tn_status add_zeros(const tn_host *host, const level *levels, size_t count, eigen_solution *s)
{
    const level *at = &levels[count - 1];
    for (size_t k = 0; k < at->zeros; k++) {
        double *own = tn_eigen_numbers(host, 2 * at->size);
        for (size_t i = 0; own && i < at->size; i++)
            own[2 * i] = at->basis[k * at->size + i];
        double *vector = lift(host, levels, count - 1, 0.0, 0.0, own);
        if (!vector) return TN_OUT_OF_MEMORY;
        add(s, 0.0, 0.0, vector);
    }
    return TN_OK;
}

/* All eigenvalues of a regular matrix. */
static tn_status add_others(const tn_host *host, size_t n, double *A, const level *levels, size_t count,
                            eigen_solution *s)
{
    const lapack_int order = (lapack_int)n, size = 64 * order + 16;
    double *re = tn_eigen_numbers(host, n), *im = tn_eigen_numbers(host, n),
           *V = tn_eigen_numbers(host, n * n), *scale = tn_eigen_numbers(host, n),
           *room = tn_eigen_numbers(host, (size_t)size);
    if (!re || !im || !V || !scale || !room) return TN_OUT_OF_MEMORY;
    if (!n) return TN_OK;
    lapack_int low = 0, high = 0;
    double norm = 0.0, none = 0.0;
    if (LAPACKE_dgeevx_work(LAPACK_COL_MAJOR, 'B', 'N', 'V', 'N', order, A, order, re, im, NULL, 1, V, order,
                            &low, &high, scale, &norm, &none, &none, room, size, NULL) != 0)
        return TN_RETRY;
    for (size_t k = 0; k < n; k++) {
        if (im[k] < 0.0) continue;
        double *own = tn_eigen_numbers(host, 2 * n);
        for (size_t i = 0; own && i < n; i++) {
            own[2 * i] = V[k * n + i];
            own[2 * i + 1] = im[k] > 0.0 ? V[(k + 1) * n + i] : 0.0;
        }
        double *vector = lift(host, levels, count, re[k], im[k], own);
        if (!vector) return TN_OUT_OF_MEMORY;
        add(s, re[k], im[k], vector);
    }
    return TN_OK;
}

tn_status tn_eigen_solve(const tn_host *host, const eigen_reduced *r, double *A, eigen_solution *s)
{
    const size_t n = r->size;
    level levels[MOST_LEVELS] = {{0}};
    size_t count = 0, left = n;
    double *scale = tn_eigen_numbers(host, n);
    *s = (eigen_solution){.re = tn_eigen_numbers(host, n),
                          .im = tn_eigen_numbers(host, n),
                          .vector = host->allocate(host, (n + 1) * sizeof *s->vector)};
    if (!scale || !s->re || !s->im || !s->vector) return TN_OUT_OF_MEMORY;
    tn_status status = TN_OK;
    find_scales(r, A, scale);
    divide_by_scales(n, scale, A);
    while (status == TN_OK && left && count < MOST_LEVELS) {
        level *at = &levels[count];
        status = find_null_space(host, left, A, at);
        if (status != TN_OK || !at->zeros) break;
        count++;
        status = add_zeros(host, levels, count, s);
        if (status == TN_OK) status = split(host, A, at, &A);
        left -= at->zeros;
    }
    if (status == TN_OK) status = add_others(host, left, A, levels, count, s);
    for (size_t k = 0; k < s->count; k++)
        for (size_t i = 0; i < 2 * n; i++)
            s->vector[k][i] *= scale[i / 2];
    return status;
}

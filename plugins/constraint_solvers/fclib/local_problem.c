/* local_problem.c - problems of FCLib with W instead of masses, whose Cholesky factor becomes the rows (see problem_file.h) */
#include "problem_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DENSE = 6000 }; /* rows: W is factorised as a full matrix */
#define RANK_TOLERANCE 1e-14
#define SAME 1e-12 /* of the largest entry: W and its transpose are the same */

typedef struct dense {
    size_t size, row, column; /* where entries of a part go */
    bool mirrored;
    double *value; /* [size][size] */
} dense;

static void add_entry(void *data, uint32_t row, uint32_t column, double value)
{
    dense *to = data;
    const size_t i = to->row + row, j = to->column + column;
    to->value[i * to->size + j] += value;
    if (to->mirrored) to->value[j * to->size + i] += value;
}

/* Cholesky factorisation with diagonal pivoting: L [size][rank] in the first columns of `value`. */
static uint32_t factor_dense(double *w, size_t n, double *l)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, w[i * n + i]);
    for (uint32_t rank = 0; rank < n; rank++) {
        size_t pivot = 0;
        for (size_t i = 1; i < n; i++)
            if (w[i * n + i] > w[pivot * n + pivot]) pivot = i;
        const double d = w[pivot * n + pivot];
        if (!(d > RANK_TOLERANCE * largest)) return rank;
        for (size_t i = 0; i < n; i++)
            l[i * n + rank] = w[i * n + pivot] / sqrt(d);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                w[i * n + j] -= l[i * n + rank] * l[j * n + rank];
    }
    return (uint32_t)n;
}

/* Rows first, first + 1, ... of L as columns. */
static bool take_rows(const double *l, size_t n, uint32_t rank, size_t first, uint32_t count, compressed *to)
{
    *to = (compressed){.rows = rank, .columns = count};
    to->start = calloc((size_t)count + 1, sizeof *to->start);
    to->row = calloc((size_t)count * rank + 1, sizeof *to->row);
    to->value = calloc((size_t)count * rank + 1, sizeof *to->value);
    if (!to->start || !to->row || !to->value) return false;
    uint32_t entry = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < rank; k++) {
            if (l[(first + i) * n + k] == 0.0) continue;
            to->row[entry] = k;
            to->value[entry++] = l[(first + i) * n + k];
        }
        to->start[i + 1] = entry;
    }
    return true;
}

static bool take_columns(const double *a, size_t n, compressed *to)
{
    *to = (compressed){.rows = (uint32_t)n, .columns = (uint32_t)n};
    to->start = calloc(n + 1, sizeof *to->start);
    to->row = calloc(n * n + 1, sizeof *to->row);
    to->value = calloc(n * n + 1, sizeof *to->value);
    if (!to->start || !to->row || !to->value) return false;
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++) {
            to->row[j * n + i] = i;
            to->value[j * n + i] = a[i * n + j];
        }
        to->start[j + 1] = (uint32_t)((j + 1) * n);
    }
    return true;
}

static bool take_identity(uint32_t size, compressed *to)
{
    *to = (compressed){.rows = size, .columns = size};
    to->start = calloc((size_t)size + 1, sizeof *to->start);
    to->row = calloc((size_t)size + 1, sizeof *to->row);
    to->value = calloc((size_t)size + 1, sizeof *to->value);
    if (!to->start || !to->row || !to->value) return false;
    for (uint32_t i = 0; i < size; i++) {
        to->row[i] = i;
        to->value[i] = 1.0;
        to->start[i + 1] = i + 1;
    }
    return true;
}

/* Whether w differs from its transpose by more than round-off. */
static bool is_skew(const double *w, size_t n)
{
    double largest = 0.0, difference = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            largest = fmax(largest, fabs(w[i * n + j]));
            difference = fmax(difference, fabs(w[i * n + j] - w[j * n + i]));
        }
    return difference > SAME * largest;
}

/* l = w^-1 by Gauss-Jordan elimination with row pivoting, which overwrites w; false: w is singular. */
static bool invert_dense(double *w, size_t n, double *l)
{
    double largest = 0.0;
    for (size_t i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(w[i]));
    for (size_t i = 0; i < n; i++)
        l[i * n + i] = 1.0;
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(w[i * n + k]) > fabs(w[pivot * n + k])) pivot = i;
        const double scale = w[pivot * n + k];
        if (!(fabs(scale) > RANK_TOLERANCE * largest)) return false;
        for (size_t j = 0; j < n; j++) {
            const double of_w = w[pivot * n + j], of_l = l[pivot * n + j];
            w[pivot * n + j] = w[k * n + j];
            l[pivot * n + j] = l[k * n + j];
            w[k * n + j] = of_w / scale;
            l[k * n + j] = of_l / scale;
        }
        for (size_t i = 0; i < n; i++) {
            const double factor = w[i * n + k];
            for (size_t j = 0; i != k && factor != 0.0 && j < n; j++) {
                w[i * n + j] -= factor * w[k * n + j];
                l[i * n + j] -= factor * l[k * n + j];
            }
        }
    }
    return true;
}

/* The problem with A = 1 and the rows of L, where L L^T = W; or, where W is not symmetric, with G = 1 and A = W^-1. */
static tn_status factor_local(const struct fclib_local *local, double *w, double *l, statement *from,
                              const char *path, char *why)
{
    const uint32_t m = (uint32_t)local->W->n, p = local->R ? (uint32_t)local->R->n : 0;
    dense whole = {.size = (size_t)m + p, .value = w};
    bool sound = each_entry(local->W, add_entry, &whole);
    whole.row = whole.column = m;
    if (local->R) sound = sound && each_entry(local->R, add_entry, &whole);
    whole.row = 0;
    whole.mirrored = true;
    if (local->V) sound = sound && each_entry(local->V, add_entry, &whole);
    if (!sound) return problem_refuse(why, path, "an index or a number in its matrices is not valid");
    bool made = false;
    if (!is_skew(w, whole.size)) {
        const uint32_t rank = factor_dense(w, whole.size, l);
        made = take_identity(rank, &from->masses) && take_rows(l, whole.size, rank, 0, m, &from->cones) &&
               take_rows(l, whole.size, rank, m, p, &from->joints);
    } else {
        if (!invert_dense(w, whole.size, l))
            return problem_refuse(why, path, "its matrix W is singular and not symmetric");
        memset(w, 0, whole.size * whole.size * sizeof *w);
        for (size_t i = 0; i < whole.size; i++)
            w[i * whole.size + i] = 1.0;
        made = take_rows(w, whole.size, m + p, 0, m, &from->cones) &&
               take_rows(w, whole.size, m + p, m, p, &from->joints) &&
               take_columns(l, whole.size, &from->masses);
    }
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

tn_status problem_read_local(const struct fclib_local *local, statement *from, const char *path, char *why)
{
    if (local->spacedim != 3 || !local->W || local->W->n % 3 != 0 || local->W->m != local->W->n)
        return problem_refuse(why, path, "its contacts are not in space");
    const size_t size = (size_t)local->W->n + (local->R ? (size_t)local->R->n : 0);
    if (size > MOST_DENSE)
        return problem_refuse(why, path, "a local problem of more than 6000 rows: write it as a global one");
    if (local->R && local->R->m != local->R->n)
        return problem_refuse(why, path, "the sizes of its matrices do not fit");
    if (local->V && (!local->R || local->V->m != local->W->n || local->V->n != local->R->n))
        return problem_refuse(why, path, "the sizes of its matrices do not fit");
    double *w = calloc(size * size + 1, sizeof *w), *l = calloc(size * size + 1, sizeof *l);
    const tn_status status = w && l ? factor_local(local, w, l, from, path, why) : TN_OUT_OF_MEMORY;
    free(w);
    free(l);
    from->friction = local->mu;
    from->cone_rate = local->q;
    from->joint_rate = local->s;
    return status;
}

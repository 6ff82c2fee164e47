/* vectors.c - long vectors in blocks of a fixed size, on the threads of the run */
#include "iterative.h"

#include <tenon/kit/blocks.h>

#include <math.h>
#include <string.h>

typedef struct vector_task {
    const double *a, *b;
    double *y, *part;
    double f, g;
} vector_task;

/* Four sums side by side, in an order that no compiler chooses. */
static void dot_numbers(void *data, size_t first, size_t last)
{
    const vector_task *t = data;
    const double *a = t->a, *b = t->b;
    double sum[4] = {0.0};
    size_t i = first;
    for (; i + 4 <= last; i += 4)
        for (size_t j = 0; j < 4; j++)
            sum[j] += a[i + j] * b[i + j];
    for (; i < last; i++)
        sum[0] += a[i] * b[i];
    t->part[first / TN_NUMBERS_OF_BLOCK] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double vector_dot(iterative *k, const double *a, const double *b)
{
    const size_t blocks = tn_count_blocks(k->size);
    double sum = 0.0;
    tn_for_numbers(k->host, k->size, dot_numbers, &(vector_task){.a = a, .b = b, .part = k->part});
    for (size_t i = 0; i < blocks; i++)
        sum += k->part[i];
    return sum;
}

double vector_norm(iterative *k, const double *a) { return sqrt(vector_dot(k, a, a)); }

static void combine_numbers(void *data, size_t first, size_t last)
{
    const vector_task *t = data;
    const double *restrict a = t->a, f = t->f, g = t->g;
    double *restrict y = t->y;
    for (size_t i = first; i < last; i++)
        y[i] = f * a[i] + g * y[i];
}

void vector_combine(iterative *k, double f, const double *x, double g, double *y)
{
    tn_for_numbers(k->host, k->size, combine_numbers, &(vector_task){.a = x, .y = y, .f = f, .g = g});
}

static void scale_numbers(void *data, size_t first, size_t last)
{
    const vector_task *t = data;
    const double f = t->f;
    double *restrict y = t->y;
    for (size_t i = first; i < last; i++)
        y[i] *= f;
}

void vector_scale(iterative *k, double f, double *y)
{
    tn_for_numbers(k->host, k->size, scale_numbers, &(vector_task){.y = y, .f = f});
}

static void add_numbers(void *data, size_t first, size_t last)
{
    const vector_task *t = data;
    const double *restrict a = t->a, f = t->f;
    double *restrict y = t->y;
    for (size_t i = first; i < last; i++)
        y[i] += f * a[i];
}

void vector_add(iterative *k, double f, const double *x, double *y)
{
    tn_for_numbers(k->host, k->size, add_numbers, &(vector_task){.a = x, .y = y, .f = f});
}

void vector_copy(iterative *k, const double *from, double *to) { memcpy(to, from, k->size * sizeof *to); }

void vector_clear(iterative *k, double *x) { memset(x, 0, k->size * sizeof *x); }

/* vectors.h - what a step does with all coordinates, one by one, on the threads of the run: start, prediction, correction, end.
 * (newton.c) */
#ifndef TENON_ALPHA_VECTORS_H
#define TENON_ALPHA_VECTORS_H

#include "generalized_alpha.h"

#include <string.h>

#define ALPHA_FEW 16 /* numbers whose loops are shorter without vectors, and without calls */
/* Inside a loop: it is not made one of vectors. */
#define ALPHA_ONE_BY_ONE __asm__("")

/* Copies of numbers of the state, back to it, too. */
typedef struct alpha_copy {
    double *to;
    const double *from;
} alpha_copy;

static inline void alpha_copy_block(void *data, size_t first, size_t last)
{
    const alpha_copy *c = data;
    if (last - first > ALPHA_FEW)
        memcpy(c->to + first, c->from + first, (last - first) * sizeof(double));
    else
        for (size_t i = first; i < last; i++) {
            c->to[i] = c->from[i];
            ALPHA_ONE_BY_ONE;
        }
}

static inline void alpha_copy_numbers(const alpha_work *work, double *to, const double *from, size_t count)
{
    alpha_copy c = {to, from};
    tn_for_numbers(work->system->host, count, alpha_copy_block, &c);
}

static inline void alpha_add_increments(void *data, size_t first, size_t last)
{
    const alpha_work *work = data;
    double *q = work->system->q;
    for (size_t i = first; i < last; i++)
        q[i] = work->q0[i] + work->increment[i];
}

/* q1 = q0 [+] increment. */
static inline tn_status alpha_apply_increment(alpha_work *work)
{
    tn_system *system = work->system;
    if (!system->vector_space) return system->retract(system, work->q0, work->increment, system->q);
    tn_for_numbers(system->host, system->nv, alpha_add_increments, work);
    return TN_OK;
}

static inline double alpha_largest(const double *numbers, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fabs(numbers[i]) > largest ? fabs(numbers[i]) : largest;
    return largest;
}

typedef struct alpha_correction {
    const alpha_work *work;
    double to_v, to_a, *v, *a;
} alpha_correction;

/* As many running maxima: a compiler keeps the order of a single one, and takes one number after the other. */
enum { ALPHA_LANES = 8 };

static inline double alpha_largest_lane(const double largest[ALPHA_LANES], double start)
{
    for (size_t k = 0; k < ALPHA_LANES; k++)
        start = largest[k] > start ? largest[k] : start;
    return start;
}

static inline double alpha_size(const double *d, const double *shift, const double *inverse_scale, size_t i)
{
    return (fabs(d[i]) + fabs(shift[i])) * inverse_scale[i];
}

/* The largest component, scaled; not finite where one is not. */
static inline double alpha_largest_correction(const double *d, const double *shift,
                                              const double *inverse_scale, size_t count)
{
    double largest[ALPHA_LANES] = {0.0}, sum[ALPHA_LANES] = {0.0}, rest = 0.0, all = 0.0;
    const size_t whole = count - count % ALPHA_LANES;
    for (size_t i = 0; i < whole; i += ALPHA_LANES)
        for (size_t k = 0; k < ALPHA_LANES; k++) {
            const double size = alpha_size(d, shift, inverse_scale, i + k);
            largest[k] = size > largest[k] ? size : largest[k];
            sum[k] += size;
        }
    for (size_t i = whole; i < count; i++) {
        const double size = alpha_size(d, shift, inverse_scale, i);
        rest = size > rest ? size : rest;
        all += size;
    }
    for (size_t k = 0; whole && k < ALPHA_LANES; k++)
        all += sum[k];
    if (!isfinite(all)) return all;
    return whole ? alpha_largest_lane(largest, rest) : rest;
}

static inline void alpha_correct_numbers(const double *d, const double *shift, double to_v, double to_a,
                                         size_t count, double *restrict increment, double *restrict v,
                                         double *restrict a)
{
    for (size_t i = 0; i < count; i++) {
        increment[i] -= d[i] + shift[i];
        v[i] -= to_v * d[i];
        a[i] -= to_a * d[i];
    }
}

static inline void alpha_correct_block(void *data, size_t first, size_t last)
{
    const alpha_correction *c = data;
    const alpha_work *work = c->work;
    const double *d = work->residual + first, *shift = work->shift + first;
    alpha_correct_numbers(d, shift, c->to_v, c->to_a, last - first, work->increment + first, c->v + first,
                          c->a + first);
    work->norm[first / TN_NUMBERS_OF_BLOCK] =
        alpha_largest_correction(d, shift, work->inverse_scale + first, last - first);
}

/* Takes the corrections in `residual` and `shift` off these; their largest component, scaled; not finite where one is not. */
static inline double alpha_correct_motion(alpha_work *work, double h)
{
    const tn_system *system = work->system;
    alpha_correction c = {work, work->c.gamma / (work->c.beta * h), tn_alpha_kappa(work, h),
                          work->in_ground_axes ? work->v_at_start : system->v,
                          work->in_ground_axes ? work->vdot_at_start : system->a};
    tn_for_numbers(system->host, system->nv, alpha_correct_block, &c);
    double largest = work->norm[0];
    for (size_t k = 1; isfinite(largest) && k < tn_count_blocks(system->nv); k++)
        if (!(work->norm[k] <= largest)) largest = work->norm[k];
    return largest;
}

#endif

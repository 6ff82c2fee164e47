/* rk_sums.h - the weighted sums of slopes that Runge-Kutta methods are made of.
 *
 * Every sum is one pass over memory. Where q' = v, the sums over v collapse into sums over the accelerations
 * (Nystrom form: q = q0 + h c v0 + h^2 sum second_j a_j, the same numbers up to rounding), so that one pass
 * over the accelerations gives q and v, and no slope of q is ever stored. */
#ifndef TENON_RK_SUMS_H
#define TENON_RK_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RK_SLOPES 7 /* the largest number of slopes in a sum */
#define RK_FEW 16   /* numbers whose loops are shorter without vectors */
#define RK_INLINE static inline __attribute__((always_inline))

/* Entries first ... last - 1 of all arrays. */
typedef struct rk_range {
    size_t first, last;
} rk_range;

typedef struct rk_sum {
    uint32_t count;           /* slopes with a weight */
    double node;              /* sum of the weights: the time of the result, in steps */
    double weight[RK_SLOPES]; /* of slopes, times h */
    double second[RK_SLOPES]; /* of accelerations in q, times h^2 */
    const double *acceleration[RK_SLOPES], *rate[RK_SLOPES], *x_rate[RK_SLOPES];
} rk_sum;

/* weight . slope[..][i]; `count` is a constant at every call, so that the branches vanish. */
RK_INLINE double rk_weighted(uint32_t count, const double *weight, const double *const *slope, size_t i)
{
    double sum = weight[0] * slope[0][i];
    if (count > 1) sum += weight[1] * slope[1][i];
    if (count > 2) sum += weight[2] * slope[2][i];
    if (count > 3) sum += weight[3] * slope[3][i];
    if (count > 4) sum += weight[4] * slope[4][i];
    if (count > 5) sum += weight[5] * slope[5][i];
    if (count > 6) sum += weight[6] * slope[6][i];
    return sum;
}

/* kernel(count, ...), with the count as a constant. */
#define RK_BY_COUNT(count, kernel, ...) \
    switch (count) {                    \
    case 1:                             \
        kernel(1, __VA_ARGS__);         \
        break;                          \
    case 2:                             \
        kernel(2, __VA_ARGS__);         \
        break;                          \
    case 3:                             \
        kernel(3, __VA_ARGS__);         \
        break;                          \
    case 4:                             \
        kernel(4, __VA_ARGS__);         \
        break;                          \
    case 5:                             \
        kernel(5, __VA_ARGS__);         \
        break;                          \
    case 6:                             \
        kernel(6, __VA_ARGS__);         \
        break;                          \
    default:                            \
        kernel(RK_SLOPES, __VA_ARGS__); \
        break;                          \
    }

/* Inside a loop: it is not vectorised where there are few numbers, a constant at every call. */
#define RK_SCALAR_IF(few) \
    if (few) __asm__("")

RK_INLINE void rk_pair_kernel(uint32_t count, bool few, rk_range n, double h, const rk_sum *sum,
                              const double *q0, const double *v0, double *restrict q, double *restrict v)
{
    double weight[RK_SLOPES] = {0}, second[RK_SLOPES] = {0};
    const double *slope[RK_SLOPES] = {NULL};
    for (uint32_t j = 0; j < count; j++) {
        weight[j] = h * sum->weight[j];
        second[j] = h * h * sum->second[j];
        slope[j] = sum->acceleration[j];
    }
    const double drift = h * sum->node;
    for (size_t i = n.first; i < n.last; i++) {
        q[i] = q0[i] + (drift * v0[i] + rk_weighted(count, second, slope, i));
        v[i] = v0[i] + rk_weighted(count, weight, slope, i);
        RK_SCALAR_IF(few);
    }
}

/* q and v of a stage, or of the new state, in one pass; for q' = v. */
RK_INLINE void rk_pair(rk_range n, double h, const rk_sum *sum, const double *q0, const double *v0, double *q,
                       double *v)
{
    if (n.last - n.first <= RK_FEW)
        RK_BY_COUNT(sum->count, rk_pair_kernel, true, n, h, sum, q0, v0, q, v)
    else
        RK_BY_COUNT(sum->count, rk_pair_kernel, false, n, h, sum, q0, v0, q, v)
}

RK_INLINE void rk_single_kernel(uint32_t count, bool few, rk_range n, double h, const double *weight_per_h,
                                const double *const *slopes, const double *y0, double *restrict y)
{
    double weight[RK_SLOPES] = {0};
    const double *slope[RK_SLOPES] = {NULL};
    for (uint32_t j = 0; j < count; j++) {
        weight[j] = h * weight_per_h[j];
        slope[j] = slopes[j];
    }
    for (size_t i = n.first; i < n.last; i++) {
        y[i] = y0[i] + rk_weighted(count, weight, slope, i);
        RK_SCALAR_IF(few);
    }
}

/* One array of a stage or of the new state. */
static inline void rk_single(rk_range n, double h, const rk_sum *sum, const double *const *slope,
                             const double *y0, double *y)
{
    if (n.last - n.first <= RK_FEW)
        RK_BY_COUNT(sum->count, rk_single_kernel, true, n, h, sum->weight, slope, y0, y)
    else
        RK_BY_COUNT(sum->count, rk_single_kernel, false, n, h, sum->weight, slope, y0, y)
}

RK_INLINE void rk_begin_pair_kernel(bool few, rk_range n, double h, const rk_sum *sum, double *restrict q0,
                                    double *restrict v0, double *restrict q, double *restrict v)
{
    const double *restrict a = sum->acceleration[0];
    const double drift = h * sum->node, weight = h * sum->weight[0];
    for (size_t i = n.first; i < n.last; i++) {
        const double q_start = q[i], v_start = v[i];
        q0[i] = q_start;
        v0[i] = v_start;
        q[i] = q_start + drift * v_start;
        v[i] = v_start + weight * a[i];
        RK_SCALAR_IF(few);
    }
}

/* The first sum of a step keeps the start state in q0 and v0 while it reads it; for q' = v. */
static inline void rk_begin_pair(rk_range n, double h, const rk_sum *sum, double *q0, double *v0, double *q,
                                 double *v)
{
    if (n.last - n.first <= RK_FEW)
        rk_begin_pair_kernel(true, n, h, sum, q0, v0, q, v);
    else
        rk_begin_pair_kernel(false, n, h, sum, q0, v0, q, v);
}

/* The same for one array. */
static inline void rk_begin_single(rk_range n, double h, const rk_sum *sum, const double *restrict slope,
                                   double *restrict y0, double *restrict y)
{
    const double weight = h * sum->weight[0];
    for (size_t i = n.first; i < n.last; i++) {
        const double start = y[i];
        y0[i] = start;
        y[i] = start + weight * slope[i];
    }
}

/* The largest error against its tolerance, squared, and which number it is of. */
typedef struct rk_largest {
    double square;
    size_t number;
} rk_largest;

/* What errors are measured against: `absolute[i]`, times a factor or replaced by a number, and a relative part. */
typedef struct rk_tolerance {
    const double *absolute;
    double factor, instead; /* absolute[i] factor + instead */
    double relative;
} rk_tolerance;

/* Sum of the squared errors, each against its tolerance; `factor` and `weight` make the error. `largest` is raised, the first number
 * counted as `first`. */
static inline double rk_error_squares(size_t n, double factor, uint32_t count, const double *weight,
                                      const double *const *slope, const double *y0, const double *y,
                                      const rk_tolerance *tolerance, size_t first, rk_largest *largest)
{
    double squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        double error = 0.0;
        for (uint32_t j = 0; j < count; j++)
            error += weight[j] * slope[j][i];
        const double old_size = y0[i] < 0.0 ? -y0[i] : y0[i], new_size = y[i] < 0.0 ? -y[i] : y[i];
        const double size = old_size > new_size ? old_size : new_size;
        const double absolute = tolerance->absolute[i] * tolerance->factor + tolerance->instead;
        const double part = factor * error / (absolute + tolerance->relative * size);
        squares += part * part;
        if (part * part > largest->square) *largest = (rk_largest){part * part, first + i};
    }
    return squares;
}

#endif

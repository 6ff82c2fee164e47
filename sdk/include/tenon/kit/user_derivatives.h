/* tenon/kit/user_derivatives.h - derivatives of a function of several numbers by central differences, for user_routine.h
 *
 * First derivatives take two values each. Second ones take differences of first ones where these are known, four for each argument;
 * otherwise five values for each argument, and eight for each pair, which are of fourth order in the distance: constraints need
 * accurate ones. Where there is a value on one side only, first derivatives are of one side, second ones nan.
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_USER_DERIVATIVES_H
#define TENON_KIT_USER_DERIVATIVES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Distances of the arguments, as parts of their size or of 1: about eps^(1/3), eps^(1/5), eps^(1/6). */
#define TN_USER_STEP 6e-6
#define TN_USER_STEP_OF_FIRST 7e-4
#define TN_USER_STEP_OF_SECOND 2.5e-3

/* A function of n numbers at x[], which may be written: false where it has no value; `first` may be NULL. */
typedef struct tn_user_law {
    bool (*value)(void *data, const double *x, double *value, double *first);
    void *data;
    double *x;
    uint32_t n;
    double scale; /* of all distances; 1 */
} tn_user_law;

/* The distance of argument k, as it is between numbers of the machine. */
static inline double tn_user_distance(const tn_user_law *f, uint32_t k, double step)
{
    const double size = fabs(f->x[k]) > 1.0 ? fabs(f->x[k]) : 1.0;
    const volatile double moved = f->x[k] + step * f->scale * size;
    return moved - f->x[k];
}

/* The value with arguments i and j moved; nan where there is none. */
static inline double tn_user_moved(const tn_user_law *f, uint32_t i, double by_i, uint32_t j, double by_j)
{
    const double x_i = f->x[i], x_j = f->x[j];
    double value;
    f->x[i] += by_i;
    f->x[j] += by_j;
    if (!f->value(f->data, f->x, &value, NULL)) value = (double)NAN;
    f->x[i] = x_i;
    f->x[j] = x_j;
    return value;
}

static inline void tn_user_first(const tn_user_law *f, double value, double *first)
{
    for (uint32_t k = 0; k < f->n; k++) {
        const double h = tn_user_distance(f, k, TN_USER_STEP);
        const double above = tn_user_moved(f, k, h, k, 0.0), below = tn_user_moved(f, k, -h, k, 0.0);
        first[k] = isnan(above)   ? (value - below) / h
                   : isnan(below) ? (above - value) / h
                                  : (above - below) / (2.0 * h);
    }
}

/* The first derivative, too: the same values give a better one than those next to it, where all of them are there. */
static inline double tn_user_second_of_one(const tn_user_law *f, double value, uint32_t k, double *first)
{
    const double h = tn_user_distance(f, k, TN_USER_STEP_OF_SECOND);
    const double above = tn_user_moved(f, k, h, k, 0.0), below = tn_user_moved(f, k, -h, k, 0.0),
                 high = tn_user_moved(f, k, 2.0 * h, k, 0.0), low = tn_user_moved(f, k, -2.0 * h, k, 0.0);
    const double slope = (8.0 * (above - below) - (high - low)) / (12.0 * h);
    if (isfinite(slope)) *first = slope;
    return (16.0 * (above + below) - (high + low) - 30.0 * value) / (12.0 * h * h);
}

static inline double tn_user_second_of_two(const tn_user_law *f, uint32_t i, uint32_t j)
{
    const double a = tn_user_distance(f, i, TN_USER_STEP_OF_SECOND),
                 b = tn_user_distance(f, j, TN_USER_STEP_OF_SECOND);
    double sum[2];
    for (int k = 0; k < 2; k++) {
        const double da = a * (k + 1), db = b * (k + 1);
        sum[k] = (tn_user_moved(f, i, da, j, db) - tn_user_moved(f, i, da, j, -db) -
                  tn_user_moved(f, i, -da, j, db) + tn_user_moved(f, i, -da, j, -db)) /
                 (4.0 * da * db);
    }
    return (4.0 * sum[0] - sum[1]) / 3.0;
}

/* [n][n], by values alone; first derivatives become better ones. */
static inline void tn_user_second(const tn_user_law *f, double value, double *first, double *second)
{
    for (uint32_t i = 0; i < f->n; i++) {
        second[i * f->n + i] = tn_user_second_of_one(f, value, i, &first[i]);
        for (uint32_t j = 0; j < i; j++)
            second[i * f->n + j] = second[j * f->n + i] = tn_user_second_of_two(f, i, j);
    }
}

/* [n][n], by first derivatives that the function knows; `work` has 4 n numbers. */
static inline void tn_user_second_of_first(const tn_user_law *f, double *second, double *work)
{
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    for (uint32_t i = 0; i < f->n; i++) {
        const double h = tn_user_distance(f, i, TN_USER_STEP_OF_FIRST), x = f->x[i];
        double value;
        for (uint32_t k = 0; k < 4; k++) {
            f->x[i] = x + place[k] * h;
            if (!f->value(f->data, f->x, &value, work + k * f->n)) work[k * f->n] = (double)NAN;
        }
        f->x[i] = x;
        for (uint32_t j = 0; j < f->n; j++) {
            second[i * f->n + j] = 0.0;
            for (uint32_t k = 0; k < 4; k++)
                second[i * f->n + j] += weight[k] * work[k * f->n + j] / (12.0 * h);
        }
    }
    for (uint32_t i = 0; i < f->n; i++)
        for (uint32_t j = 0; j < i; j++)
            second[i * f->n + j] = second[j * f->n + i] = 0.5 * (second[i * f->n + j] + second[j * f->n + i]);
}

#endif

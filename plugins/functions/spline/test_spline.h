/* test_spline.h - what the tests of curves share: points, preparation and evaluation. */
#ifndef TENON_TEST_SPLINE_H
#define TENON_TEST_SPLINE_H

#include "collocation.c"
#include "spline.c"

#include "../../solvers/test_host.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { METHODS = 4, POINTS = 12 }; /* METHODS: those of gsl_interp */

typedef struct result {
    double value, first[2], second[4];
} result;

static inline result evaluate(const spline *self, double x, double order)
{
    const double arguments[] = {x, order};
    result r;
    assert_int_equal(spline_value(self, arguments, &r.value, r.first, r.second), TN_OK);
    return r;
}
static inline double value_at(const spline *self, double x) { return evaluate(self, x, 0.0).value; }

/* Uniform in [0, 1), the same on every machine. */
static inline double random_number(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

static inline spline spline_of(const double *x, const double *y, size_t count, int interpolation, int outside)
{
    return (spline){.x = {x, count}, .y = {y, count}, .interpolation = interpolation, .outside = outside};
}

static inline void prepare(test_host *host, spline *self)
{
    assert_int_equal(prepare_spline(&host->table, self), TN_OK);
}

/* Points without symmetry, the distances between 0.1 and 1.1, or all 0.5. */
static inline void make_points(double x[POINTS], double y[POINTS], bool even)
{
    uint32_t seed = 3;
    for (int i = 0; i < POINTS; i++) {
        const double step = 0.1 + random_number(&seed);
        x[i] = i == 0 ? -2.0 : x[i - 1] + (even ? 0.5 : step);
        y[i] = 10.0 * random_number(&seed) - 4.0;
    }
}

#endif

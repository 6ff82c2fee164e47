/* test_searches.h - functions that searches of all plugins are tested on */
#ifndef TENON_TEST_SEARCHES_H
#define TENON_TEST_SEARCHES_H

#include "test_design.h"

#define TEST_SETTINGS .starts = 1, .most_cases = 2000, .size = 0.1, .tolerance = 1e-5, .value_tolerance = 1e-8

/* Rosenbrock's valley on -2, ..., 2 in both variables. */
static bool rosenbrock(test_design *test, const double *u, double *number)
{
    (void)test;
    const double x = 4.0 * u[0] - 2.0, y = 4.0 * u[1] - 2.0;
    number[0] = 100.0 * (y - x * x) * (y - x * x) + (1.0 - x) * (1.0 - x);
    return true;
}

/* Every fifth case fails. */
static TN_UNUSED bool failing_rosenbrock(test_design *test, const double *u, double *number)
{
    return rosenbrock(test, u, number) && ++test->random % 5 != 0;
}

static inline void begin_rosenbrock(test_design *test,
                                    bool (*run)(test_design *test, const double *u, double *number))
{
    test_design_begin(test, 2, run);
    test->variable[0].start = (-1.2 + 2.0) / 4.0;
    test->variable[1].start = (1.0 + 2.0) / 4.0;
}

/* y = (x + 1)^2 + (y - 2)^2 ... of coordinates: least at (0.9, 0.8), where a + b <= 1 and a >= 0.3 move it to (0.55, 0.45). */
static TN_UNUSED bool limited(test_design *test, const double *u, double *number)
{
    (void)test;
    number[0] = 3.0 + (u[0] - 0.9) * (u[0] - 0.9) + (u[1] - 0.8) * (u[1] - 0.8);
    number[1] = u[0] + u[1];
    number[2] = u[0];
    return true;
}

static inline void begin_limited(test_design *test)
{
    test_design_begin(test, 2, limited);
    test->response[1] = (tn_design_response){
        .name = "sum", .unit = "m", .first = 1, .size = 1, .limited = TN_AT_MOST, .limit = 1.0};
    test->response[2] = (tn_design_response){
        .name = "side", .unit = "m", .first = 2, .size = 1, .limited = TN_AT_LEAST, .limit = 0.3};
    test->problem.responses = test->problem.numbers = 3;
}

/* The limited one far above zero, and no case comes through where b is above 0.9. */
static TN_UNUSED bool limited_and_failing(test_design *test, const double *u, double *number)
{
    return limited(test, u, number) && u[1] < 0.9;
}

/* Values far above those of failed cases that are taken to be 1; left of 0.4 no case comes through. */
static TN_UNUSED bool high_and_failing(test_design *test, const double *u, double *number)
{
    (void)test;
    number[0] = 1e6 + 1e6 * (u[0] - 0.7) * (u[0] - 0.7) + 1e6 * (u[1] - 0.3) * (u[1] - 0.3);
    return u[0] > 0.4;
}

/* Least in a corner. */
static TN_UNUSED bool falling(test_design *test, const double *u, double *number)
{
    (void)test;
    number[0] = 2.0 - u[0] - 3.0 * u[1] + u[2];
    return true;
}

/* One case, none of a first gradient, has a value that is far above all others. */
static TN_UNUSED bool rosenbrock_with_outlier(test_design *test, const double *u, double *number)
{
    const bool good = rosenbrock(test, u, number);
    if (++test->random == 8) number[0] = 1e12;
    return good;
}

static TN_UNUSED bool hopeless(test_design *test, const double *u, double *number)
{
    (void)test, (void)u;
    number[0] = 0.0;
    return false;
}

/* Many valleys; the lowest one, 0, at (0.3, 0.6). */
static TN_UNUSED bool valleys(test_design *test, const double *u, double *number)
{
    (void)test;
    double sum = 0.0;
    const double least[] = {0.3, 0.6};
    for (size_t i = 0; i < 2; i++) {
        const double x = u[i] - least[i];
        sum += 10.0 * x * x + 1.0 - cos(20.0 * x);
    }
    number[0] = -sum;
    return true;
}

/* One variable, least at 0.62. */
static TN_UNUSED bool parabola(test_design *test, const double *u, double *number)
{
    (void)test;
    number[0] = 1.0 + 4.0 * (u[0] - 0.62) * (u[0] - 0.62);
    return true;
}

static inline double optimum(const test_design *test, int32_t variable)
{
    return test_answer(test, "optimum", variable < 0 ? 0 : -1, variable, -1)->value;
}

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.12g instead of %.12g", value, expected);
}

#endif

/* test_series.c - numbers of series against closed values; quantiles of distributions */
#include "cases/distributions.h"
#include "cases/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

enum { ROWS = 2001 };
static const char *names[] = {"x"}, *units[] = {"m"};
static uint32_t places[] = {1};
static const tn_series_columns columns = {names, units, places, 1};

/* The second of two columns, at times that are not evenly spaced. */
static tn_series make(double (*function)(double time))
{
    tn_series series = {.columns = &columns};
    for (int k = 0; k < ROWS; k++) {
        const double share = k / (ROWS - 1.0), time = 2.0 + 10.0 * (0.9 * share + 0.1 * share * share);
        tn_series_add(&series, time, (const double[]){-1.0, function(time)});
    }
    return series;
}

static double value(const tn_series *series, tn_series_function function, double argument)
{
    return tn_series_value(series, 0, function, &argument);
}

static double wave(double time) { return 0.5 + cos(2.0 * M_PI * 1.7 * time); }
static double fall(double time) { return 3.0 + 2.0 * exp(-(time - 2.0)); }

static void check_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance)) fail_msg("%.17g in place of %.17g", got, expected);
}

static void numbers_of_series_are_those_of_their_functions(void **state)
{
    (void)state;
    const tn_series a = make(wave), b = make(fall);
    check_near(value(&a, TN_SERIES_MAX, (double)NAN), 1.5, 1e-3);
    check_near(value(&a, TN_SERIES_MIN, (double)NAN), -0.5, 1e-3);
    check_near(value(&a, TN_SERIES_MEAN, (double)NAN), 0.5, 1e-4);
    check_near(value(&a, TN_SERIES_RMS, (double)NAN), sqrt(0.75), 1e-3);
    check_near(value(&a, TN_SERIES_FFT_PEAK, (double)NAN), 1.7, 2e-3);
    check_near(value(&b, TN_SERIES_FIRST, (double)NAN), 5.0, 1e-15);
    check_near(value(&b, TN_SERIES_LAST, (double)NAN), fall(12.0), 1e-14);
    check_near(value(&b, TN_SERIES_AT, 4.0), fall(4.0), 1e-5);
    check_near(value(&b, TN_SERIES_TIME_OF, 4.0), 2.0 + log(2.0), 1e-4);
    check_near(value(&b, TN_SERIES_INTEGRAL, (double)NAN), 30.0 + 2.0 * (1.0 - exp(-10.0)), 1e-4);
    const double band = 0.02 * 2.0 * (1.0 - exp(-10.0)); /* of the way to the last value */
    check_near(value(&b, TN_SERIES_SETTLE, (double)NAN), -log(0.5 * band + exp(-10.0)), 1e-4);
    check_near(value(&b, TN_SERIES_SETTLE, 0.1), -log(0.05 + exp(-10.0)), 1e-4);
}

static void the_error_of_a_line_between_rows_is_about_right(void **state)
{
    (void)state;
    const tn_series a = make(fall);
    double largest = 0.0;
    for (int k = 0; k < 100; k++) {
        const double time = 2.003 + 0.09 * k, error = fabs(tn_series_at(&a, 0, time) - fall(time));
        const double estimate = tn_series_line_error(&a, 0, time);
        assert_true(estimate >= 0.5 * error && estimate <= 2.0 * error + 1e-15);
        largest = fmax(largest, error);
    }
    assert_true(largest > 1e-6);
    assert_true(tn_series_line_error(&a, 0, a.time[7]) == 0.0);
    assert_true(tn_series_line_error(&a, 0, a.time[ROWS - 1]) == 0.0);
    check_near(tn_series_size(&a, 0), 5.0, 0.0);
}

static void what_has_no_value_is_none(void **state)
{
    (void)state;
    const tn_series a = make(wave), none = {.columns = &columns};
    tn_series one = {.columns = &columns};
    tn_series_add(&one, 1.0, (const double[]){0.0, 4.0});
    assert_true(isnan(value(&a, TN_SERIES_AT, 1.9)));
    assert_true(isnan(value(&a, TN_SERIES_AT, 12.1)));
    assert_true(isnan(value(&a, TN_SERIES_TIME_OF, 2.0)));
    for (int k = 0; k < TN_SERIES_FUNCTIONS; k++)
        assert_true(isnan(value(&none, (tn_series_function)k, 1.0)));
    check_near(value(&one, TN_SERIES_MEAN, (double)NAN), 4.0, 0.0);
    check_near(value(&one, TN_SERIES_RMS, (double)NAN), 4.0, 0.0);
    check_near(value(&one, TN_SERIES_AT, 1.0), 4.0, 0.0);
    assert_true(isnan(value(&one, TN_SERIES_FFT_PEAK, (double)NAN)));
}

/* Against values of the tables in Abramowitz and Stegun, and against its own inverse. */
static void quantiles_are_those_of_the_normal_distribution(void **state)
{
    (void)state;
    check_near(tn_normal_quantile(0.5), 0.0, 0.0);
    check_near(tn_normal_quantile(0.975), 1.959963984540054, 1e-15);
    check_near(tn_normal_quantile(0.025), -1.959963984540054, 1e-15);
    check_near(tn_normal_quantile(1e-10), -6.361340902404056, 2e-15);
    check_near(tn_normal_quantile(1e-300), -37.0471, 1e-4);
    assert_true(isinf(tn_normal_quantile(0.0)) && isinf(tn_normal_quantile(1.0)));
    for (double share = 1e-12; share < 1.0; share = share < 0.01 ? 2.0 * share : share + 0.01) {
        const double x = tn_normal_quantile(share);
        check_near(0.5 * erfc(-x / sqrt(2.0)) / share, 1.0, 4e-15 * (1.0 + x * x));
    }
}

static void quantiles_are_those_of_the_triangle(void **state)
{
    (void)state;
    check_near(tn_triangular_quantile(0.0, 1.0, 2.0, 5.0), 1.0, 0.0);
    check_near(tn_triangular_quantile(1.0, 1.0, 2.0, 5.0), 5.0, 0.0);
    check_near(tn_triangular_quantile(0.25, 1.0, 2.0, 5.0), 2.0, 1e-15);
    check_near(tn_triangular_quantile(0.75, 0.0, 0.0, 1.0), 0.5, 1e-15);
    check_near(tn_triangular_quantile(0.25, 0.0, 1.0, 1.0), 0.5, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_series_are_those_of_their_functions),
                                       cmocka_unit_test(the_error_of_a_line_between_rows_is_about_right),
                                       cmocka_unit_test(what_has_no_value_is_none),
                                       cmocka_unit_test(quantiles_are_those_of_the_normal_distribution),
                                       cmocka_unit_test(quantiles_are_those_of_the_triangle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

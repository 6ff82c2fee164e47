/* test_calibrate.c - fits to data of a known oscillator: within their deviations, and what data leave open */
#include "calibrate.c"
#include "fit_answers.c"
#include "levenberg_marquardt.c"

#include "../test_design.h"

#define SETTINGS .starts = 1, .most_cases = 1000, .tolerance = 1e-6, .difference = 1e-3

enum { TIMES = 60 };

/* exp(-c t) cos(k t), k from 4 to 6, c from 0.2 to 0.8; the true values are 5.1 and 0.44. */
static const double noise = 1e-3, true_coordinate[] = {0.55, 0.4};

static double oscillation(double a, double b, size_t k)
{
    const double t = 0.05 * (double)k;
    return exp(-(0.2 + 0.6 * b) * t) * cos((4.0 + 2.0 * a) * t);
}

static bool oscillator(test_design *test, const double *u, double *number)
{
    for (size_t k = 0; k < test->problem.numbers; k++)
        number[k] =
            (oscillation(u[0], u[1], k) - oscillation(true_coordinate[0], true_coordinate[1], k)) / noise -
            tn_random_normal(test->random, 0, k);
    return true;
}

static void begin(test_design *test, uint32_t variables,
                  bool (*run)(test_design *test, const double *u, double *number))
{
    test_design_begin(test, variables, run);
    test->response[0].size = test->problem.numbers = TIMES;
    test->response[0].is_data = 1;
}

static const tn_answer *fitted(const test_design *test, int32_t variable)
{
    return test_answer(test, "calibrated", -1, variable, -1);
}

static double deviation_about(const test_design *test, int32_t variable)
{
    return test_answer(test, "standard deviation (share of the range)", -1, variable, -1)->value;
}

static void count_hits(int32_t scaled, int *within_three, int *within_interval)
{
    *within_three = *within_interval = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        test_design test;
        begin(&test, 2, oscillator);
        test.random = seed;
        const calibrate instance = {SETTINGS, .noise = scaled};
        test_design_study(&test, &calibrate_type, &instance);
        assert_true(test.count < 60);
        bool all = true;
        for (int32_t i = 0; i < 2; i++) {
            const tn_answer *answer = fitted(&test, i);
            all = all && fabs(answer->value - true_coordinate[i]) < 3.0 * deviation_about(&test, i);
            *within_interval += answer->low < true_coordinate[i] && true_coordinate[i] < answer->high;
        }
        *within_three += all;
        test_design_end(&test);
    }
}

static void test_fits_lie_within_their_deviations(void **state)
{
    (void)state;
    for (int32_t scaled = 0; scaled < 2; scaled++) {
        int within_three, within_interval;
        count_hits(scaled, &within_three, &within_interval);
        assert_true(within_three >= 95);
        /* 190 are expected, with a deviation of 3 */
        assert_true(within_interval >= 180 && within_interval <= 199);
    }
}

static void test_covariance_is_that_of_the_linear_fit(void **state)
{
    (void)state;
    test_design test;
    begin(&test, 2, oscillator);
    test.random = 7;
    const calibrate instance = {SETTINGS, .noise = 1};
    test_design_study(&test, &calibrate_type, &instance);
    const double x[] = {fitted(&test, 0)->value, fitted(&test, 1)->value}, h = 1e-5;
    double aa = 0.0, ab = 0.0, bb = 0.0;
    for (size_t k = 0; k < TIMES; k++) {
        const double a =
            (oscillation(x[0] + h, x[1], k) - oscillation(x[0] - h, x[1], k)) / (2.0 * h * noise);
        const double b =
            (oscillation(x[0], x[1] + h, k) - oscillation(x[0], x[1] - h, k)) / (2.0 * h * noise);
        aa += a * a, ab += a * b, bb += b * b;
    }
    const double determinant = aa * bb - ab * ab;
    assert_true(fabs(deviation_about(&test, 0) / sqrt(bb / determinant) - 1.0) < 1e-3);
    assert_true(fabs(deviation_about(&test, 1) / sqrt(aa / determinant) - 1.0) < 1e-3);
    const double correlation = test_answer(&test, "correlation", -1, 0, 1)->value;
    assert_true(fabs(correlation + ab / sqrt(aa * bb)) < 1e-3);
    assert_true(test_said(&test, "start 1: it has converged"));
    test_design_end(&test);
}

/* The third variable adds to the first one: only 0.71 a + 0.71 c is determined. */
static bool redundant(test_design *test, const double *u, double *number)
{
    const double both[] = {0.5 * (u[0] + u[2]), u[1]};
    return oscillator(test, both, number);
}

static void test_combination_that_data_leave_open_is_named(void **state)
{
    (void)state;
    test_design test;
    begin(&test, 3, redundant);
    test.variable[0].start = 0.3;
    const calibrate instance = {SETTINGS, .noise = 0};
    test_design_study(&test, &calibrate_type, &instance);
    assert_true(fabs(fitted(&test, 0)->value + fitted(&test, 2)->value - 1.1) < 1e-2);
    assert_true(test_said(&test, "the data do not determine 0.71 a - 0.71 c") ||
                test_said(&test, "the data do not determine -0.71 a + 0.71 c"));
    assert_true(fitted(&test, 0)->low == 0.0 && fitted(&test, 0)->high == 1.0);
    assert_true(fitted(&test, 1)->high - fitted(&test, 1)->low < 0.05);
    test_design_end(&test);
}

static bool partly_failing(test_design *test, const double *u, double *number)
{
    (void)oscillator(test, u, number);
    return u[0] < 0.7 && u[1] < 0.41;
}

static void test_failed_cases_and_several_starts(void **state)
{
    (void)state;
    test_design test;
    begin(&test, 2, partly_failing);
    calibrate instance = {SETTINGS};
    instance.starts = 8;
    test_design_study(&test, &calibrate_type, &instance);
    assert_true(fabs(fitted(&test, 0)->value - 0.55) < 0.01);
    assert_true(test.failed > 0 && test_said(&test, "cases have no result"));
    assert_true(test_said(&test, "the case at its start has no result"));
    test_design_end(&test);
}

static bool beyond(test_design *test, const double *u, double *number)
{
    const double further[] = {u[0] - 0.6, u[1]};
    return oscillator(test, further, number);
}

static void test_variable_at_an_end_of_its_range_is_held(void **state)
{
    (void)state;
    test_design test;
    begin(&test, 2, beyond);
    test.variable[0].start = 0.9;
    const calibrate instance = {SETTINGS};
    test_design_study(&test, &calibrate_type, &instance);
    assert_true(fitted(&test, 0)->value == 1.0 && isnan(fitted(&test, 0)->low));
    assert_true(test_said(&test, "\"a\" is at an end of its range"));
    assert_true(isfinite(deviation_about(&test, 1)));
    test_design_end(&test);
}

/* Table of Student's distribution, two-sided 95 %. */
static void test_intervals_of_few_data_are_wider(void **state)
{
    (void)state;
    const double expected[][2] = {{1, 12.7062047}, {2, 4.3026527},   {3, 3.1824463},    {10, 2.2281389},
                                  {31, 2.0395134}, {1000, 1.962339}, {1001, 1.9623367}, {1e6, 1.9599664}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        assert_true(fabs(student_quantile((uint64_t)expected[k][0]) - expected[k][1]) < 4e-6);

    test_design test;
    begin(&test, 2, oscillator);
    test.response[0].size = test.problem.numbers = 5;
    calibrate instance = {SETTINGS};
    test_design_study(&test, &calibrate_type, &instance);
    const tn_answer *a = fitted(&test, 0);
    assert_true(fabs((a->high - a->value) / deviation_about(&test, 0) - 3.1824463) < 1e-4);
    test_design_end(&test);

    begin(&test, 2, oscillator);
    test.response[0].size = test.problem.numbers = 5;
    instance.noise = 1;
    test_design_study(&test, &calibrate_type, &instance);
    a = fitted(&test, 0);
    assert_true(fabs((a->high - a->value) / deviation_about(&test, 0) - 1.959964) < 1e-4);
    test_design_end(&test);
}

static void test_misfit_of_as_many_data_as_variables_is_no_noise(void **state)
{
    (void)state;
    test_design test;
    begin(&test, 2, oscillator);
    test.response[0].size = test.problem.numbers = 2;
    const calibrate instance = {SETTINGS};
    test_design_study(&test, &calibrate_type, &instance);
    assert_true(test_said(&test, "as many data as variables"));
    assert_true(test.level[test.texts - 1] == TN_WARNING);
    test_design_end(&test);
}

/* The most cases end it when the best point has no derivatives yet. */
static void test_interval_from_derivatives_beside_the_best_case_is_doubted(void **state)
{
    (void)state;
    test_design test;
    begin(&test, 2, oscillator);
    test.variable[0].start = 0.3;
    calibrate instance = {SETTINGS};
    instance.most_cases = 1 + 4 + 4;
    test_design_study(&test, &calibrate_type, &instance);
    assert_true(test_said(&test, "derivatives are those of the step before"));
    test_design_end(&test);
    begin(&test, 2, oscillator);
    instance.most_cases = 8;
    test_design_refused(&test, &calibrate_type, &instance, "most_cases", "each needs 9 at least");
    test_design_end(&test);
}

static void test_what_has_no_data_is_refused(void **state)
{
    (void)state;
    test_design test;
    begin(&test, 2, oscillator);
    const calibrate instance = {SETTINGS};
    test.response[0].is_data = 0;
    test_design_refused(&test, &calibrate_type, &instance, "", "no response is compared");
    test.response[0].is_data = 1;
    test.response[0].size = test.problem.numbers = 1;
    test_design_refused(&test, &calibrate_type, &instance, "", "1 measured numbers cannot determine 2");
    test_design_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fits_lie_within_their_deviations),
        cmocka_unit_test(test_covariance_is_that_of_the_linear_fit),
        cmocka_unit_test(test_combination_that_data_leave_open_is_named),
        cmocka_unit_test(test_failed_cases_and_several_starts),
        cmocka_unit_test(test_variable_at_an_end_of_its_range_is_held),
        cmocka_unit_test(test_intervals_of_few_data_are_wider),
        cmocka_unit_test(test_misfit_of_as_many_data_as_variables_is_no_noise),
        cmocka_unit_test(test_interval_from_derivatives_beside_the_best_case_is_doubted),
        cmocka_unit_test(test_what_has_no_data_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

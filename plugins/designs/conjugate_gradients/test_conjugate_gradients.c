/* test_conjugate_gradients.c - minima by all methods, limits, ends of ranges, failed cases */
#include "conjugate_gradients.c"

#include "../test_searches.h"

#define SETTINGS TEST_SETTINGS, .difference = 1e-4

static void test_valley_of_rosenbrock_is_found_by_all_methods(void **state)
{
    (void)state;
    for (int32_t method = 0; method < 3; method++) {
        test_design test;
        begin_rosenbrock(&test, rosenbrock);
        conjugate_gradients instance = {SETTINGS, .minimise = "y", .method = method};
        instance.most_cases = 5000, instance.value_tolerance = 1e-12;
        test_design_study(&test, &conjugate_gradients_type, &instance);
        assert_true(optimum(&test, -1) < 1e-4);
        assert_int_equal(test.largest_batch, 5);
        test_design_end(&test);
    }
}

static void test_limits_are_kept(void **state)
{
    (void)state;
    test_design test;
    begin_limited(&test);
    const conjugate_gradients instance = {SETTINGS, .minimise = "y", .method = 2};
    test_design_study(&test, &conjugate_gradients_type, &instance);
    assert_near(optimum(&test, 0), 0.55, 1e-3);
    assert_near(optimum(&test, 1), 0.45, 1e-3);
    test_design_end(&test);
}

static bool bowl(test_design *test, const double *u, double *number)
{
    (void)test;
    number[0] = (u[0] - 1.3) * (u[0] - 1.3) + (u[1] - 0.2) * (u[1] - 0.2);
    return test->random++ % 9 != 8;
}

static void test_end_of_a_range_and_failed_cases(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, bowl);
    test.variable[0].start = 0.0;
    conjugate_gradients instance = {SETTINGS, .minimise = "y"};
    instance.starts = 3;
    test_design_study(&test, &conjugate_gradients_type, &instance);
    assert_near(optimum(&test, 0), 1.0, 1e-3);
    assert_near(optimum(&test, 1), 0.2, 2e-2);
    test_design_end(&test);
}

static void test_start_without_a_result_has_not_converged(void **state)
{
    (void)state;
    for (int32_t method = 0; method < 3; method++) {
        test_design test;
        test_design_begin(&test, 2, high_and_failing);
        test.variable[0].start = 0.2;
        conjugate_gradients instance = {SETTINGS, .minimise = "y", .method = method};
        instance.starts = 4;
        test_design_study(&test, &conjugate_gradients_type, &instance);
        assert_true(
            test_said(&test, "start 1: the case at its start has no result after 5 cases, none with"));
        assert_near(optimum(&test, 0), 0.7, 1e-3);
        test_design_end(&test);
    }
}

static void test_value_far_above_all_others_does_not_end_it_early(void **state)
{
    (void)state;
    for (int32_t method = 0; method < 3; method++) {
        test_design test;
        begin_rosenbrock(&test, rosenbrock_with_outlier);
        conjugate_gradients instance = {SETTINGS, .minimise = "y", .method = method};
        instance.most_cases = 5000;
        test_design_study(&test, &conjugate_gradients_type, &instance);
        if (optimum(&test, -1) > 1e-3) fail_msg("method %d: %g", method, optimum(&test, -1));
        test_design_end(&test);
    }
}

static void test_gradient_of_more_than_the_most_cases_is_refused(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, rosenbrock);
    conjugate_gradients instance = {SETTINGS, .minimise = "y"};
    instance.most_cases = 4;
    test_design_refused(&test, &conjugate_gradients_type, &instance, "most_cases", "each needs 5 at least");
    test_design_end(&test);
}

static void test_most_cases_end_it(void **state)
{
    (void)state;
    for (int32_t method = 0; method < 3; method++)
        for (int64_t most = 5; most < 60; most++) {
            test_design test;
            begin_rosenbrock(&test, rosenbrock);
            conjugate_gradients instance = {SETTINGS, .minimise = "y", .method = method};
            instance.most_cases = most;
            test_design_study(&test, &conjugate_gradients_type, &instance);
            assert_true(test_said(&test, "its most cases have run"));
            test_design_end(&test);
        }
}

static void test_one_variable_suffices(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 1, parabola);
    const conjugate_gradients instance = {TEST_SETTINGS, .minimise = "y", .difference = 1e-4};
    test_design_study(&test, &conjugate_gradients_type, &instance);
    assert_near(optimum(&test, 0), 0.62, 1e-3);
    assert_true(test.count < 200);
    test_design_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valley_of_rosenbrock_is_found_by_all_methods),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_end_of_a_range_and_failed_cases),
        cmocka_unit_test(test_start_without_a_result_has_not_converged),
        cmocka_unit_test(test_value_far_above_all_others_does_not_end_it_early),
        cmocka_unit_test(test_gradient_of_more_than_the_most_cases_is_refused),
        cmocka_unit_test(test_most_cases_end_it),
        cmocka_unit_test(test_one_variable_suffices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

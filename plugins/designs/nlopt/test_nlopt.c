/* test_nlopt.c - every algorithm of NLopt: minima, limits, repetition, failed cases */
#include "nlopt.c"

#include "../test_searches.h"

static void assert_valley(int32_t algorithm, int64_t most, double tolerance)
{
    test_design test;
    begin_rosenbrock(&test, rosenbrock);
    nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = algorithm, .difference = 1e-4};
    instance.most_cases = most, instance.value_tolerance = 1e-12;
    test_design_study(&test, &nlopt_type, &instance);
    assert_true(optimum(&test, -1) < tolerance);
    test_design_end(&test);
}

static void test_valley_of_rosenbrock_is_found_by_all(void **state)
{
    (void)state;
    assert_valley(COBYLA, 20000, 1e-2); /* linear models creep along the valley */
    assert_valley(BOBYQA, 2000, 1e-8);
    assert_valley(SLSQP, 2000, 1e-8);
    assert_valley(DIRECT_L, 2000, 1e-3);
    assert_valley(CRS2, 4000, 1e-6);
    assert_valley(ISRES, 8000, 1e-2);
}

static void assert_limited(int32_t algorithm, int64_t most, double tolerance)
{
    test_design test;
    begin_limited(&test);
    nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = algorithm, .difference = 1e-4};
    instance.most_cases = most;
    test_design_study(&test, &nlopt_type, &instance);
    assert_near(optimum(&test, 0), 0.55, tolerance);
    assert_near(optimum(&test, 1), 0.45, tolerance);
    assert_true(optimum(&test, 0) + optimum(&test, 1) <= 1.0 + 3e-6);
    test_design_end(&test);
}

static void test_limits_are_kept_by_all(void **state)
{
    (void)state;
    assert_limited(COBYLA, 1000, 1e-3);
    assert_limited(BOBYQA, 2000, 1e-3);
    assert_limited(SLSQP, 1000, 1e-4);
    assert_limited(DIRECT_L, 4000, 0.03);
    assert_limited(CRS2, 8000, 0.03);
    assert_limited(ISRES, 8000, 0.03);
}

static void test_rounds_that_are_cut_leave_no_cases_unused(void **state)
{
    (void)state;
    test_design test;
    begin_limited(&test);
    test.response[1].limit = 10.0;
    nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = DIRECT_L};
    instance.most_cases = 400, instance.value_tolerance = 0.0;
    test_design_study(&test, &nlopt_type, &instance);
    assert_int_equal(test.count, 400);
    assert_near(optimum(&test, 0), 0.9, 1e-3);
    assert_near(optimum(&test, 1), 0.8, 1e-3);
    test_design_end(&test);
}

/* Random numbers of NLopt are those of its thread. */
static void test_random_searches_can_be_repeated(void **state)
{
    (void)state;
    for (int32_t algorithm = CRS2; algorithm <= ISRES; algorithm++) {
        test_design first, second;
        begin_rosenbrock(&first, rosenbrock);
        begin_rosenbrock(&second, rosenbrock);
        nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = algorithm};
        instance.starts = 3, instance.most_cases = 900;
        test_design_study(&first, &nlopt_type, &instance);
        test_design_study(&second, &nlopt_type, &instance);
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.point, second.point, 2 * first.count * sizeof(double));
        assert_int_equal(first.largest_batch, 3);
        test_design_end(&first);
        test_design_end(&second);
    }
}

static void test_failed_cases_do_not_end_it(void **state)
{
    (void)state;
    for (int32_t algorithm = COBYLA; algorithm <= ISRES; algorithm++) {
        test_design test;
        begin_rosenbrock(&test, failing_rosenbrock);
        nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = algorithm, .difference = 1e-4};
        instance.starts = algorithm == DIRECT_L ? 1 : 4, instance.most_cases = 1600;
        test_design_study(&test, &nlopt_type, &instance);
        assert_true(optimum(&test, -1) < 5.0);
        assert_true(test_said(&test, "cases have no result"));
        assert_false(test_said(&test, "NLopt has failed"));
        test_design_end(&test);
    }
}

/* The first case fails, when no value is known that a failed one could be worse than. */
static void test_failed_cases_before_any_value_are_not_the_best(void **state)
{
    (void)state;
    for (int32_t algorithm = COBYLA; algorithm <= ISRES; algorithm++) {
        test_design test;
        test_design_begin(&test, 2, high_and_failing);
        test.variable[0].start = 0.35;
        nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = algorithm, .difference = 1e-4};
        instance.most_cases = 3000;
        test_design_study(&test, &nlopt_type, &instance);
        if (algorithm < DIRECT_L) {
            assert_true(test_said(&test, "start 1: the case at its start has no result after"));
        } else {
            assert_near(optimum(&test, 0), 0.7, 0.03);
            assert_near(optimum(&test, 1), 0.3, 0.03);
        }
        test_design_end(&test);
    }
}

/* Far from its limit the value of a case has a large term for that: a failed one has to be worse than with it. */
static void test_failed_cases_are_worse_than_limits_that_are_not_kept(void **state)
{
    (void)state;
    for (int32_t algorithm = COBYLA; algorithm <= ISRES; algorithm++) {
        test_design test;
        begin_limited(&test);
        test.run = limited_and_failing;
        test.variable[0].start = 0.95, test.variable[1].start = 0.85;
        test.response[1].limit = 0.6; /* least at (0.35, 0.25) */
        nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = algorithm, .difference = 1e-4};
        instance.most_cases = 8000;
        test_design_study(&test, &nlopt_type, &instance);
        assert_near(optimum(&test, 0), 0.35, algorithm < DIRECT_L ? 2e-3 : 0.04);
        assert_near(optimum(&test, 1), 0.25, algorithm < DIRECT_L ? 2e-3 : 0.04);
        test_design_end(&test);
    }
}

static void test_search_without_any_result_has_not_converged(void **state)
{
    (void)state;
    for (int32_t algorithm = COBYLA; algorithm <= ISRES; algorithm++) {
        test_design test;
        test_design_begin(&test, 2, hopeless);
        nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = algorithm, .difference = 1e-4};
        instance.most_cases = 300;
        test_design_study(&test, &nlopt_type, &instance);
        assert_true(test_said(&test, "none with a result"));
        assert_false(test_said(&test, "converged"));
        test_design_end(&test);
    }
}

static void test_study_may_end_before_the_search(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, rosenbrock);
    const nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = SLSQP, .difference = 1e-4};
    assert_int_equal(nlopt_type.open(&test.host.table, &instance, &test.problem, &test.self), TN_OK);
    assert_true(test_design_batch(&test, &nlopt_type));
    test.run = NULL;
    (void)test_design_batch(&test, &nlopt_type);
    nlopt_type.close(test.self);
    test_design_end(&test);
}

static void test_what_does_not_suit_an_algorithm_is_refused(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 1, rosenbrock);
    nlopt instance = {TEST_SETTINGS, .minimise = "y", .algorithm = BOBYQA};
    test_design_refused(&test, &nlopt_type, &instance, "algorithm", "2 variables at least");
    instance.algorithm = DIRECT_L, instance.starts = 2;
    test_design_refused(&test, &nlopt_type, &instance, "starts", "has no start");
    instance.algorithm = COBYLA;
    test.variable[0].levels = 3;
    test_design_refused(&test, &nlopt_type, &instance, "", "\"a\" has a list");
    test_design_end(&test);
}

static void test_one_variable_suffices(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 1, parabola);
    const nlopt instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &nlopt_type, &instance);
    assert_near(optimum(&test, 0), 0.62, 1e-3);
    assert_true(test.count < 200);
    test_design_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valley_of_rosenbrock_is_found_by_all),
        cmocka_unit_test(test_limits_are_kept_by_all),
        cmocka_unit_test(test_rounds_that_are_cut_leave_no_cases_unused),
        cmocka_unit_test(test_random_searches_can_be_repeated),
        cmocka_unit_test(test_failed_cases_do_not_end_it),
        cmocka_unit_test(test_failed_cases_before_any_value_are_not_the_best),
        cmocka_unit_test(test_failed_cases_are_worse_than_limits_that_are_not_kept),
        cmocka_unit_test(test_search_without_any_result_has_not_converged),
        cmocka_unit_test(test_study_may_end_before_the_search),
        cmocka_unit_test(test_what_does_not_suit_an_algorithm_is_refused),
        cmocka_unit_test(test_one_variable_suffices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

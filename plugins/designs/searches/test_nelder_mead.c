/* test_nelder_mead.c - minima, limits, several starts, failed cases, and what is refused */
#include "nelder_mead.c"

#include "../test_searches.h"

static void test_valley_of_rosenbrock_in_less_than_200_cases(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, rosenbrock);
    const nelder_mead instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &nelder_mead_type, &instance);
    assert_true(test.count < 200);
    assert_true(optimum(&test, -1) < 1e-8);
    assert_near(optimum(&test, 0), 0.75, 1e-4);
    assert_near(optimum(&test, 1), 0.75, 1e-4);
    assert_true(test_said(&test, "start 1: it has converged after"));
    /* the case that the answer names is that point */
    const int64_t best = test_answer(&test, "optimum", 0, -1, -1)->point;
    assert_true(test.point[2 * best] == optimum(&test, 0));
    test_design_end(&test);
}

static void test_limits_are_kept(void **state)
{
    (void)state;
    test_design test;
    begin_limited(&test);
    const nelder_mead instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &nelder_mead_type, &instance);
    assert_near(optimum(&test, 0), 0.55, 1e-3);
    assert_near(optimum(&test, 1), 0.45, 1e-3);
    assert_near(optimum(&test, -1), 3.245, 1e-5);
    assert_true(optimum(&test, 0) + optimum(&test, 1) <= 1.0 + 3e-6);
    test_design_end(&test);
}

static void test_limits_that_nothing_keeps_are_said(void **state)
{
    (void)state;
    test_design test;
    begin_limited(&test);
    test.response[2].limit = 1.5;
    const nelder_mead instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &nelder_mead_type, &instance);
    assert_true(test_said(&test, "no case keeps all limits"));
    test_design_end(&test);
}

static void test_starts_side_by_side_find_the_deepest_valley(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, valleys);
    test.variable[0].start = 0.95, test.variable[1].start = 0.05;
    nelder_mead instance = {TEST_SETTINGS, .maximise = "y"};
    instance.starts = 30, instance.most_cases = 30 * 150, instance.size = 0.05;
    test_design_study(&test, &nelder_mead_type, &instance);
    assert_near(optimum(&test, -1), 0.0, 1e-6);
    assert_near(optimum(&test, 0), 0.3, 1e-3);
    assert_true(test.largest_batch == 90 && test.batches < 150);
    test_design_end(&test);

    /* the same once more: the same points in the same order */
    test_design again;
    test_design_begin(&again, 2, valleys);
    again.variable[0].start = 0.95, again.variable[1].start = 0.05;
    test_design_study(&again, &nelder_mead_type, &instance);
    assert_int_equal(again.batches, test.batches);
    assert_int_equal(again.count, test.count);
    assert_true(optimum(&again, 0) == optimum(&test, 0) && optimum(&again, 1) == optimum(&test, 1));
    test_design_end(&again);
}

static void test_failed_cases_do_not_end_it(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, failing_rosenbrock);
    const nelder_mead instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &nelder_mead_type, &instance);
    assert_true(optimum(&test, -1) < 1e-2);
    assert_true(test_said(&test, "cases have no result: they count as worse than all others"));
    test_design_end(&test);
}

static void test_search_without_any_result_has_not_converged(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, hopeless);
    const nelder_mead instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &nelder_mead_type, &instance);
    assert_true(test_said(&test, "start 1: all its cases have failed after"));
    assert_true(test_said(&test, "none with a result"));
    assert_true(test.count < 200);
    test_design_end(&test);
}

static void test_optimum_at_the_ends_of_ranges_is_found_and_said(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 3, falling);
    const nelder_mead instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &nelder_mead_type, &instance);
    assert_near(optimum(&test, 0), 1.0, 1e-4);
    assert_near(optimum(&test, 1), 1.0, 1e-4);
    assert_near(optimum(&test, 2), 0.0, 1e-4);
    assert_true(test_said(&test, "\"b\" is at the upper end of its range"));
    test_design_end(&test);
}

static void test_most_cases_end_it(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, rosenbrock);
    nelder_mead instance = {TEST_SETTINGS, .minimise = "y"};
    instance.most_cases = 50;
    test_design_study(&test, &nelder_mead_type, &instance);
    assert_true(test.count <= 50 && test.count > 40);
    assert_true(test_said(&test, "its most cases have run"));
    test_design_end(&test);
}

static void test_study_may_end_before_the_search(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, rosenbrock);
    const nelder_mead instance = {TEST_SETTINGS, .minimise = "y"};
    assert_int_equal(nelder_mead_type.open(&test.host.table, &instance, &test.problem, &test.self), TN_OK);
    assert_true(test_design_batch(&test, &nelder_mead_type));
    test.run = NULL; /* asked for, never told */
    (void)test_design_batch(&test, &nelder_mead_type);
    nelder_mead_type.close(test.self);
    test_design_end(&test);
}

static void test_what_cannot_be_searched_is_refused(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, rosenbrock);
    nelder_mead instance = {TEST_SETTINGS};
    test_design_refused(&test, &nelder_mead_type, &instance, "", "either `minimise` or `maximise`");
    test.response[0].name = "height";
    instance.minimise = "heigth";
    test_design_refused(&test, &nelder_mead_type, &instance, "minimise", "did you mean \"height\"?");
    /* longer than what nearest names are found by */
    test.response[0].name = "the largest height of the second of all masses of this machine, left";
    instance.minimise = "the largest height of the second of all masses of this machine, right";
    test_design_refused(&test, &nelder_mead_type, &instance, "minimise",
                        "there is no response \"the largest");
    test.response[0].name = instance.minimise = "height";
    instance.starts = 1000;
    test_design_refused(&test, &nelder_mead_type, &instance, "most_cases", "too few");
    instance.starts = 1;
    test.response[0].size = test.problem.numbers = 3;
    test_design_refused(&test, &nelder_mead_type, &instance, "minimise", "has 3 numbers");
    test.response[0].size = test.problem.numbers = 1;
    test.variable[1].levels = 3;
    test_design_refused(&test, &nelder_mead_type, &instance, "", "\"b\" has a list of values");
    test_design_end(&test);
}

static void test_one_variable_suffices(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 1, parabola);
    const nelder_mead instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &nelder_mead_type, &instance);
    assert_near(optimum(&test, 0), 0.62, 1e-3);
    assert_true(test.count < 200);
    test_design_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valley_of_rosenbrock_in_less_than_200_cases),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_limits_that_nothing_keeps_are_said),
        cmocka_unit_test(test_starts_side_by_side_find_the_deepest_valley),
        cmocka_unit_test(test_failed_cases_do_not_end_it),
        cmocka_unit_test(test_search_without_any_result_has_not_converged),
        cmocka_unit_test(test_optimum_at_the_ends_of_ranges_is_found_and_said),
        cmocka_unit_test(test_most_cases_end_it),
        cmocka_unit_test(test_study_may_end_before_the_search),
        cmocka_unit_test(test_what_cannot_be_searched_is_refused),
        cmocka_unit_test(test_one_variable_suffices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

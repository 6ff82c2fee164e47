/* test_cma_es.c - minima, many valleys, limits and failed cases; singular values */
#include "cma_es.c"

#include "../test_searches.h"

static void test_valley_of_rosenbrock_is_found(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, rosenbrock);
    const cma_es instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &cma_es_type, &instance);
    assert_true(test.count < 1000 && test.largest_batch == 6);
    assert_true(optimum(&test, -1) < 1e-6);
    test_design_end(&test);
}

static void test_deepest_of_many_valleys_is_found(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, valleys);
    test.variable[0].start = 0.9, test.variable[1].start = 0.1;
    cma_es instance = {TEST_SETTINGS, .maximise = "y"};
    instance.population = 40, instance.size = 0.3, instance.most_cases = 10000;
    test_design_study(&test, &cma_es_type, &instance);
    assert_near(optimum(&test, -1), 0.0, 1e-6);
    assert_near(optimum(&test, 1), 0.6, 1e-3);
    assert_int_equal(test.largest_batch, 40);
    test_design_end(&test);
}

static void test_limits_and_ends_of_ranges_are_kept(void **state)
{
    (void)state;
    test_design test;
    begin_limited(&test);
    cma_es instance = {TEST_SETTINGS, .minimise = "y"};
    instance.most_cases = 20000;
    test_design_study(&test, &cma_es_type, &instance);
    assert_near(optimum(&test, 0), 0.55, 2e-3);
    assert_near(optimum(&test, -1), 3.245, 1e-4);
    test_design_end(&test);
}

/* An ellipsoid with axes of 1 : 100, turned, with noise and every seventh case failed. */
static bool noisy(test_design *test, const double *u, double *number)
{
    const double a = u[0] + u[1] - 1.0, b = u[0] - u[1] + 0.2, c = u[2] - 0.5;
    const uint64_t count = test->random++;
    number[0] = 1e4 * a * a + b * b + c * c + 1e-6 * tn_random_normal(5, 0, count);
    return count % 7 != 0;
}

static void test_noise_and_failed_cases_do_not_end_it(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 3, noisy);
    cma_es instance = {TEST_SETTINGS, .minimise = "y"};
    instance.starts = 2, instance.most_cases = 6000;
    test_design_study(&test, &cma_es_type, &instance);
    assert_near(optimum(&test, 0), 0.4, 0.01);
    assert_near(optimum(&test, 1), 0.6, 0.01);
    assert_near(optimum(&test, 2), 0.5, 0.01);
    const cma_es small = {TEST_SETTINGS, .minimise = "y", .population = 3};
    test_design_refused(&test, &cma_es_type, &small, "population", "too few");
    test_design_end(&test);
}

static void test_singular_values_are_exact(void **state)
{
    (void)state;
    /* columns (3, 0, 4) and (0, 1e-9, 0) times a rotation by 0.3 */
    const double c = cos(0.3), s = sin(0.3);
    double a[] = {3.0 * c, 1e-9 * s, 4.0 * c, -3.0 * s, 1e-9 * c, -4.0 * s}, value[2], v[4];
    tn_jacobi_svd(3, 2, a, value, v);
    assert_near(value[0], 5.0, 1e-14);
    assert_near(value[1], 1e-9, 1e-23);
    assert_near(fabs(v[0]), c, 1e-15);
    assert_near(fabs(v[2]), s, 1e-15);
}

static void test_one_variable_suffices(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 1, parabola);
    const cma_es instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &cma_es_type, &instance);
    assert_near(optimum(&test, 0), 0.62, 1e-3);
    assert_true(test.count < 200);
    test_design_end(&test);
}

static void test_search_without_any_result_has_not_converged(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, hopeless);
    cma_es instance = {TEST_SETTINGS, .minimise = "y"};
    instance.most_cases = 300;
    test_design_study(&test, &cma_es_type, &instance);
    assert_true(test_said(&test, "none with a result"));
    assert_false(test_said(&test, "converged"));
    test_design_end(&test);
}

static void test_optimum_in_a_corner_ends_it(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        test_design test;
        test_design_begin(&test, 3, falling);
        test.problem.seed = seed;
        const cma_es instance = {TEST_SETTINGS, .minimise = "y"};
        test_design_study(&test, &cma_es_type, &instance);
        assert_near(optimum(&test, -1), -2.0, 1e-4);
        assert_true(test_said(&test, "it has converged"));
        assert_true(test.count < 1000);
        test_design_end(&test);
    }
}

static void test_value_far_above_all_others_does_not_end_it_early(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, rosenbrock_with_outlier);
    const cma_es instance = {TEST_SETTINGS, .minimise = "y"};
    test_design_study(&test, &cma_es_type, &instance);
    assert_true(optimum(&test, -1) < 1e-6);
    test_design_end(&test);
}

/* One of six cases comes through: a generation with a single value has no spread, which is not that of a converged one. */
static bool mostly_failing(test_design *test, const double *u, double *number)
{
    return rosenbrock(test, u, number) && test->random++ % 6 == 0;
}

static void test_generations_with_one_value_do_not_end_it(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, mostly_failing);
    cma_es instance = {TEST_SETTINGS, .minimise = "y"};
    instance.most_cases = 300;
    test_design_study(&test, &cma_es_type, &instance);
    assert_false(test_said(&test, "converged"));
    assert_int_equal(test.count, 300);
    test_design_end(&test);
}

static void test_generation_of_more_than_the_most_cases_is_refused(void **state)
{
    (void)state;
    test_design test;
    begin_rosenbrock(&test, rosenbrock);
    cma_es instance = {TEST_SETTINGS, .minimise = "y"};
    instance.population = 400, instance.most_cases = 1000, instance.starts = 3;
    test_design_refused(&test, &cma_es_type, &instance, "most_cases", "each needs 400 at least");
    test_design_end(&test);
}

static void test_singular_values_of_large_and_small_numbers(void **state)
{
    (void)state;
    for (int power = -250; power <= 250; power += 125) {
        const double unit = pow(10.0, power);
        double a[] = {1.0 * unit, 1.0 * unit, 1.0 * unit, -0.5 * unit}, value[2], v[4];
        tn_jacobi_svd(2, 2, a, value, v);
        /* A^T A = (2 1/2; 1/2 5/4): 13/8 +- 5/8 */
        assert_near(value[0] / unit, 1.5, 1e-14);
        assert_near(value[1] / unit, 1.0, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valley_of_rosenbrock_is_found),
        cmocka_unit_test(test_deepest_of_many_valleys_is_found),
        cmocka_unit_test(test_limits_and_ends_of_ranges_are_kept),
        cmocka_unit_test(test_noise_and_failed_cases_do_not_end_it),
        cmocka_unit_test(test_singular_values_are_exact),
        cmocka_unit_test(test_value_far_above_all_others_does_not_end_it_early),
        cmocka_unit_test(test_optimum_in_a_corner_ends_it),
        cmocka_unit_test(test_search_without_any_result_has_not_converged),
        cmocka_unit_test(test_generations_with_one_value_do_not_end_it),
        cmocka_unit_test(test_generation_of_more_than_the_most_cases_is_refused),
        cmocka_unit_test(test_singular_values_of_large_and_small_numbers),
        cmocka_unit_test(test_one_variable_suffices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

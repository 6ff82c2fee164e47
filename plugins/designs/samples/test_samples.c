/* test_samples.c - grids, lists, random points and Latin hypercubes: their points, and what they refuse */
#include "sample.h"

/* One type per file: each under a name of its own here. */
#define tn_self grid_self
#include "grid.c"
#undef tn_self
#define coordinate latin_coordinate
#define tn_self latin_self
#include "latin_hypercube.c"
#undef tn_self
#include "list.c"
#define tn_self random_self
#include "random.c"
#undef tn_self
#include "sample.c"

#include "../test_design.h"

static grid grid_of(double a, double b)
{
    grid made;
    for (uint32_t i = 0; i < MOST_VARIABLES; i++)
        made.levels[i] = (double)NAN;
    made.levels[0] = a, made.levels[1] = b;
    return made;
}

static void test_grid_takes_all_combinations_with_both_ends(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 3, NULL);
    test.variable[1].levels = 2;
    const grid instance = grid_of(3.0, (double)NAN);
    test_design_study(&test, &grid_type, &instance);
    assert_int_equal(test.count, 3 * 2 * 3);
    const double *u = test.point;
    for (size_t i = 0, k = 0; i < 3; i++)
        for (size_t j = 0; j < 2; j++)
            for (size_t l = 0; l < 3; l++, k++) {
                assert_true(u[3 * k] == 0.5 * (double)i && u[3 * k + 1] == 0.25 + 0.5 * (double)j);
                assert_true(u[3 * k + 2] == 0.5 * (double)l);
            }
    test_design_end(&test);
}

static void test_grid_refuses_what_has_no_levels(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 3, NULL);
    grid instance = grid_of(3.0, 2.0);
    test_design_refused(&test, &grid_type, &instance, "levels", "2 numbers for 3 variables");
    instance = grid_of(2.5, (double)NAN);
    test_design_refused(&test, &grid_type, &instance, "levels", "2.5 levels");
    instance = grid_of(1e9, (double)NAN);
    test_design_refused(&test, &grid_type, &instance, "", "1.8e19");
    test.variable[2].bounded = 0;
    instance = grid_of(2.0, (double)NAN);
    test_design_refused(&test, &grid_type, &instance, "", "\"c\" has no bounds");
    test_design_end(&test);
}

static void test_list_takes_value_by_value(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, NULL);
    test_design_refused(&test, &list_type, NULL, "", "\"a\" has no list");
    test.variable[0].levels = 7, test.variable[1].levels = 6;
    test_design_refused(&test, &list_type, NULL, "", "have 7 and 6 values");
    test.variable[1].levels = 7;
    test_design_study(&test, &list_type, NULL);
    assert_int_equal(test.count, 7);
    for (size_t k = 0; k < 14; k++)
        assert_int_equal((int)floor(test.point[k] * 7.0), k / 2);
    test_design_end(&test);
}

static void test_random_points_are_uniform_and_more_of_them_begin_alike(void **state)
{
    (void)state;
    test_design few, many;
    test_design_begin(&few, 2, NULL);
    test_design_begin(&many, 2, NULL);
    const random_points some = {.count = 100}, more = {.count = 40000};
    test_design_study(&few, &random_type, &some);
    test_design_study(&many, &random_type, &more);
    assert_memory_equal(few.point, many.point, 200 * sizeof(double));
    double mean[2] = {0.0, 0.0}, product = 0.0;
    for (size_t k = 0; k < many.count; k++) {
        for (size_t i = 0; i < 2; i++)
            mean[i] += many.point[2 * k + i] / 40000.0;
        product += many.point[2 * k] * many.point[2 * k + 1] / 40000.0;
    }
    /* four standard deviations of each mean */
    assert_true(fabs(mean[0] - 0.5) < 0.006 && fabs(mean[1] - 0.5) < 0.006 && fabs(product - 0.25) < 0.005);
    test_design_end(&few);
    test_design_end(&many);
}

/* Runs it with these tries and returns the least distance of its points. */
static double least_of(int64_t tries, int32_t centred)
{
    enum { COUNT = 20 };
    test_design test;
    test_design_begin(&test, 3, NULL);
    const latin_hypercube instance = {.count = COUNT, .tries = tries, .centred = centred};
    test_design_study(&test, &latin_hypercube_type, &instance);
    assert_int_equal(test.count, COUNT);
    double least = HUGE_VAL;
    for (size_t i = 0; i < 3; i++) {
        bool hit[COUNT] = {false};
        for (size_t k = 0; k < COUNT; k++) {
            const double place = test.point[3 * k + i] * COUNT;
            assert_false(hit[(size_t)place]);
            hit[(size_t)place] = true;
            if (centred) assert_true(fabs(place - floor(place) - 0.5) < 1e-12);
        }
    }
    for (size_t k = 0; k < COUNT; k++)
        for (size_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (size_t i = 0; i < 3; i++)
                sum += pow(test.point[3 * k + i] - test.point[3 * j + i], 2.0);
            least = fmin(least, sqrt(sum));
        }
    test_design_end(&test);
    return least;
}

static void test_latin_hypercube_hits_each_stratum_once_and_its_points_keep_apart(void **state)
{
    (void)state;
    const double first = least_of(1, 0), best = least_of(50, 0);
    assert_true(best > 1.2 * first);
    assert_true(least_of(50, 1) > 0.05);
}

static void test_latin_hypercube_of_many_cases_tries_less_and_says_so(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, NULL);
    const latin_hypercube instance = {.count = 70000, .tries = 50};
    test_design_study(&test, &latin_hypercube_type, &instance);
    assert_int_equal(test.count, 70000);
    assert_non_null(strstr(test.host.message, "the best of 1 samples is taken, not of 50"));
    test_design_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid_takes_all_combinations_with_both_ends),
        cmocka_unit_test(test_grid_refuses_what_has_no_levels),
        cmocka_unit_test(test_list_takes_value_by_value),
        cmocka_unit_test(test_random_points_are_uniform_and_more_of_them_begin_alike),
        cmocka_unit_test(test_latin_hypercube_hits_each_stratum_once_and_its_points_keep_apart),
        cmocka_unit_test(test_latin_hypercube_of_many_cases_tries_less_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

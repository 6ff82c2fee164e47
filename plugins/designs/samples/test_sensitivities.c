/* test_sensitivities.c - Morris and Saltelli on functions whose effects and indices are known */
#define tn_self morris_self
#define coordinate morris_coordinate
#include "morris.c"
#undef coordinate
#undef tn_self
#include "saltelli.c"
#include "saltelli_indices.c"

#include "sample.c"
#include "sobol_points.c"

#include "../test_design.h"

static const double pi = 3.14159265358979323846;

/* Ishigami, a = 7, b = 0.1, angles from -pi to pi. */
static bool ishigami(test_design *test, const double *u, double *number)
{
    (void)test;
    double x[3];
    for (size_t i = 0; i < 3; i++)
        x[i] = pi * (2.0 * u[i] - 1.0);
    number[0] = 1e3 + sin(x[0]) + 7.0 * pow(sin(x[1]), 2.0) + 0.1 * pow(x[2], 4.0) * sin(x[0]);
    return true;
}

static bool ishigami_with_failures(test_design *test, const double *u, double *number)
{
    test->random++;
    return ishigami(test, u, number) && test->random % 97 != 0;
}

/* At two times: y and 2 y. */
static bool ishigami_twice(test_design *test, const double *u, double *number)
{
    (void)ishigami(test, u, number);
    number[1] = 2.0 * number[0];
    return true;
}

static const double first_order[] = {0.313905, 0.442411, 0.0},
                    total_effect[] = {0.557589, 0.442411, 0.243684};

static void assert_indices(const test_design *test, double tolerance)
{
    for (int32_t i = 0; i < 3; i++) {
        const tn_answer *first = test_answer(test, "first order", 0, i, -1);
        const tn_answer *total = test_answer(test, "total effect", 0, i, -1);
        assert_true(fabs(first->value - first_order[i]) < tolerance);
        assert_true(fabs(total->value - total_effect[i]) < tolerance);
        assert_true(first->low <= first->value && first->value <= first->high);
        assert_true(first->low < first_order[i] + 1e-6 && first->high > first_order[i] - 1e-6);
        assert_true(total->low < total_effect[i] && total->high > total_effect[i]);
        assert_true(total->high - total->low < 10.0 * tolerance);
    }
}

static void test_ishigami_has_its_indices(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 3, ishigami);
    const saltelli instance = {.count = 4096, .second_order = 1, .resamples = 100};
    test_design_study(&test, &saltelli_type, &instance);
    assert_int_equal(test.count, 4096 * 8);
    assert_indices(&test, 0.01);
    assert_true(fabs(test_answer(&test, "second order", 0, 0, 2)->value - 0.243684) < 0.02);
    assert_true(fabs(test_answer(&test, "second order", 0, 0, 1)->value) < 0.02);
    assert_true(fabs(test_answer(&test, "second order", 0, 1, 2)->value) < 0.02);
    assert_int_equal(test.texts, 0);
    test_design_end(&test);
}

static void test_failed_cases_are_left_out_and_counted(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 3, ishigami_with_failures);
    const saltelli instance = {.count = 4096, .resamples = 50};
    test_design_study(&test, &saltelli_type, &instance);
    assert_indices(&test, 0.02);
    char expected[64];
    (void)snprintf(expected, sizeof expected, "%zu of 20480 cases have no result", test.failed);
    assert_true(test.failed == 20480 / 97 && test_said(&test, expected));
    test_design_end(&test);
}

static void test_response_at_many_times_has_indices_of_its_sums(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 3, ishigami_twice);
    test.response[0].size = test.problem.numbers = 2;
    const saltelli instance = {.count = 4096, .resamples = 20};
    test_design_study(&test, &saltelli_type, &instance);
    assert_true(fabs(test_answer(&test, "first order", 0, 0, -1)->value - first_order[0]) < 0.01);
    assert_true(fabs(test_answer(&test, "total effect", 0, 2, -1)->value - total_effect[2]) < 0.01);
    test_design_end(&test);
}

static bool constant(test_design *test, const double *u, double *number)
{
    (void)test, (void)u;
    number[0] = 0.1;
    return true;
}

static void test_constant_response_has_no_indices(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, constant);
    const saltelli instance = {.count = 100, .resamples = 20};
    test_design_study(&test, &saltelli_type, &instance);
    assert_int_equal(test.answers, 0);
    assert_true(test_said(&test, "\"y\" is the same in all cases"));
    assert_non_null(strstr(test.host.message, "100 is no power of two"));
    test_design_end(&test);
}

/* y = 5 a - 3 b + c d: constant effects of a and b, effects of c and d with a deviation. */
static bool sloped(test_design *test, const double *u, double *number)
{
    (void)test;
    number[0] = 5.0 * u[0] - 3.0 * u[1] + u[2] * u[3];
    return true;
}

static void test_elementary_effects_are_slopes(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 5, sloped);
    const morris instance = {.trajectories = 200, .levels = 4};
    test_design_study(&test, &morris_type, &instance);
    assert_int_equal(test.count, 200 * 6);
    for (size_t k = 0; k < 5 * test.count; k++)
        assert_true(fabs(3.0 * test.point[k] - round(3.0 * test.point[k])) < 1e-12);
    const double slope[] = {5.0, -3.0};
    for (int32_t i = 0; i < 2; i++) {
        assert_true(fabs(test_answer(&test, "mu", 0, i, -1)->value - slope[i]) < 1e-12);
        assert_true(fabs(test_answer(&test, "mu*", 0, i, -1)->value - fabs(slope[i])) < 1e-12);
        assert_true(test_answer(&test, "sigma", 0, i, -1)->value < 1e-6);
    }
    /* the other factor has the levels 0, 1/3, 2/3, 1 with equal probability: mean 1/2, deviation 0.3727 */
    const tn_answer *mean = test_answer(&test, "mu*", 0, 2, -1);
    assert_true(mean->low < 0.5 && mean->high > 0.5 && mean->high - mean->low < 0.12);
    assert_true(fabs(test_answer(&test, "sigma", 0, 3, -1)->value - 0.3727) < 0.04);
    assert_true(test_answer(&test, "mu*", 0, 4, -1)->value == 0.0);
    test_design_end(&test);
}

static bool sloped_or_failed(test_design *test, const double *u, double *number)
{
    return sloped(test, u, number) && test->random++ % 10 != 3;
}

static void test_elementary_effects_without_a_case_are_left_out(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 4, sloped_or_failed);
    test.variable[0].bounded = 0;
    const morris instance = {.trajectories = 40, .levels = 6};
    test_design_study(&test, &morris_type, &instance);
    assert_true(fabs(test_answer(&test, "mu", 0, 0, -1)->value - 5.0) < 1e-12);
    assert_true(test_said(&test, "20 of 200 cases have no result: 40 of 160 effects"));
    for (size_t k = 0; k < test.count; k++)
        assert_true(test.point[4 * k] > 0.0 && test.point[4 * k] < 1.0);
    const morris odd = {.trajectories = 40, .levels = 5};
    test_design_refused(&test, &morris_type, &odd, "levels", "5 levels: an even number");
    test_design_end(&test);
}

/* Case 1 of each row is that of sample B: total effects do without it, indices of the first order do not. */
static bool ishigami_without_b(test_design *test, const double *u, double *number)
{
    return ishigami(test, u, number) && test->random++ % 5 != 1;
}

static void test_total_effects_do_without_the_second_sample(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 3, ishigami_without_b);
    const saltelli instance = {.count = 4096, .resamples = 20};
    test_design_study(&test, &saltelli_type, &instance);
    for (int32_t i = 0; i < 3; i++)
        assert_true(fabs(test_answer(&test, "total effect", 0, i, -1)->value - total_effect[i]) < 0.02);
    assert_int_equal(test.answers, 3);
    assert_true(test_said(&test, "\"y\": no row has all cases for the index \"first order\" of \"a\""));
    test_design_end(&test);
}

static bool failed(test_design *test, const double *u, double *number)
{
    (void)test, (void)u;
    number[0] = 0.0;
    return false;
}

static void test_cases_that_all_fail_have_no_indices(void **state)
{
    (void)state;
    test_design test;
    test_design_begin(&test, 2, failed);
    const saltelli instance = {.count = 8, .resamples = 20};
    test_design_study(&test, &saltelli_type, &instance);
    assert_int_equal(test.answers, 0);
    assert_true(test_said(&test, "32 of 32 cases have no result"));
    assert_false(test_said(&test, "is the same in all cases"));
    test_design_end(&test);
}

/* Linear in the number of the value of each list: lists have 2, 3, 5 and 1 values. */
static const uint32_t list_levels[] = {2, 3, 5, 1};

static bool linear_in_lists(test_design *test, const double *u, double *number)
{
    const double slope[] = {4.0, -6.0, 8.0, 1.0};
    number[0] = 0.0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t levels = list_levels[i], level = (uint32_t)(u[i] * levels);
        assert_true(level < levels);
        test->random |= UINT64_C(1) << (8 * i + level);
        if (levels > 1) number[0] += slope[i] * level / (levels - 1.0);
    }
    return true;
}

static void test_elementary_effects_of_lists_are_those_from_end_to_end(void **state)
{
    (void)state;
    for (int64_t levels = 4; levels <= 8; levels += 2) {
        test_design test;
        test_design_begin(&test, 4, linear_in_lists);
        for (uint32_t i = 0; i < 4; i++)
            test.variable[i].levels = list_levels[i];
        const morris instance = {.trajectories = 40, .levels = levels};
        test_design_study(&test, &morris_type, &instance);
        const double expected[] = {4.0, -6.0, 8.0, 0.0};
        for (int32_t i = 0; i < 4; i++) {
            assert_true(fabs(test_answer(&test, "mu", 0, i, -1)->value - expected[i]) < 1e-12);
            assert_true(test_answer(&test, "sigma", 0, i, -1)->value < 1e-6);
        }
        assert_true((test.random & 0x7) == 0x3 && (test.random >> 8 & 0xf) == 0x7);
        test_design_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ishigami_has_its_indices),
        cmocka_unit_test(test_failed_cases_are_left_out_and_counted),
        cmocka_unit_test(test_response_at_many_times_has_indices_of_its_sums),
        cmocka_unit_test(test_constant_response_has_no_indices),
        cmocka_unit_test(test_total_effects_do_without_the_second_sample),
        cmocka_unit_test(test_cases_that_all_fail_have_no_indices),
        cmocka_unit_test(test_elementary_effects_are_slopes),
        cmocka_unit_test(test_elementary_effects_of_lists_are_those_from_end_to_end),
        cmocka_unit_test(test_elementary_effects_without_a_case_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

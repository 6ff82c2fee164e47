/* test_finish.c - what sweeps alone take long for: bodies on top of each other, and such as slide slowly on many points; and what needs no
 * factors */
#include "acceleration.c"
#include "blocks.c"
#include "columns.c"
#include "cone.c"
#include "finish.c"
#include "gauss_seidel.c"

#include "../test_laws.h"

enum { FEW = 120 }; /* sweeps and steps: thousands without these */

static tn_status solve_to(test_problem *test, double tolerance, tn_impulse_outcome *outcome)
{
    gauss_seidel settings;
    test_fill(gauss_seidel_parameters, &settings);
    settings.tolerance = tolerance;
    return test_solve(&gauss_seidel_type, &settings, test, outcome);
}

static void expect_few(test_problem *test, double tolerance)
{
    tn_impulse_outcome outcome;
    assert_int_equal(solve_to(test, tolerance, &outcome), TN_OK);
    test_assert_laws(test, 1e-6);
    if (outcome.iterations > FEW) fail_msg("%s: %u iterations", test->name, outcome.iterations);
    assert_true(outcome.fallbacks > 0 && outcome.fallbacks < outcome.iterations);
}

static void stacks_take_few_sweeps(void **state)
{
    (void)state;
    test_problem test;
    for (uint32_t boxes = 5; boxes <= 40; boxes *= 2) {
        test_stack(&test, boxes, 0.5);
        expect_few(&test, 1e-8);
        double bottom = 0.0;
        for (uint32_t i = 0; i < 4; i++)
            bottom += test.impulse[3 * i];
        test_near(bottom / 1e-3, 98.1 * boxes, 1e-4);
        test_problem_end(&test);
    }
}

static void arches_take_few_sweeps(void **state)
{
    (void)state;
    test_problem test;
    for (uint32_t blocks = 7; blocks < 32; blocks += 12) {
        test_arch(&test, blocks, 0.8);
        expect_few(&test, 1e-8);
        test_problem_end(&test);
    }
}

/* A box that is pushed hardly more than friction holds: which corner leads it sideways is nearly free, and sweeps alone find it as slowly as
 * the box slides. */
static void bodies_slide_slowly_on_corners(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    for (double excess = 1e-3; excess > 1e-7; excess *= 0.1) {
        test_problem_begin(&test, 1, 12);
        test_place(&test, 0, 1.0, 0.1 / 12.0, 0.0, 0.0, 0.05);
        test_fall(&test, 0, 2.4525e-3);
        test.body[0].velocity[0] = 0.8 * 2.4525e-3 * (1.0 + excess);
        test.body[0].velocity[5] = 1e-6 * excess;
        test_corners(&test, TEST_GROUND, 0, 0.15, 0.0, 0.0, 0.8);
        test_problem_finish(&test);
        assert_int_equal(solve_to(&test, 1e-10, &outcome), TN_OK);
        test_assert_laws(&test, 1e-7);
        if (outcome.iterations > FEW) fail_msg("%g: %u iterations", excess, outcome.iterations);
        test_problem_end(&test);
    }
}

/* Single rows of joints on bodies of their own, such as those of impacts that are to end at given gaps: there is no sparse solver here. */
static void rows_of_joints_that_stand_alone_need_no_factors(void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 1}, foot[3] = {0.1, 0.2, 0.0};
    test_problem test;
    tn_impulse_outcome outcome;
    test_problem_begin(&test, 2, 2);
    for (uint32_t i = 0; i < 2; i++) {
        test_place(&test, i, 1.0 + i, 0.1, 0.0, 0.0, 0.3);
        test_fall(&test, i, 0.1);
        (void)test_block(&test, TN_JOINT_LAW, 1);
        test_row(&test, TEST_GROUND, i, foot, up);
    }
    test_problem_finish(&test);
    assert_int_equal(solve_to(&test, 1e-12, &outcome), TN_OK);
    assert_int_equal(outcome.iterations, 1);
    test_assert_laws(&test, 1e-12);
    test_problem_end(&test);
}

/* Impulses that are good to start from are made better, or stay as they are: errors that stay add up from step to step. */
static void good_impulses_get_better(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    test_stack(&test, 10, 0.5);
    assert_int_equal(solve_to(&test, 1e-12, &outcome), TN_OK);
    for (uint32_t r = 0; r < test.problem.rows; r += 3)
        test.impulse[r] *= 1.0 + 1e-9;
    assert_int_equal(solve_to(&test, 1e-4, &outcome), TN_OK);
    assert_true(outcome.error <= 1e-7 && outcome.iterations <= 2);
    assert_int_equal(solve_to(&test, 1e-8, &outcome), TN_OK);
    const double before = outcome.error;
    assert_int_equal(solve_to(&test, 1e-8, &outcome), TN_OK);
    assert_true(outcome.error <= before);
    test_problem_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stacks_take_few_sweeps),
                                       cmocka_unit_test(arches_take_few_sweeps),
                                       cmocka_unit_test(bodies_slide_slowly_on_corners),
                                       cmocka_unit_test(rows_of_joints_that_stand_alone_need_no_factors),
                                       cmocka_unit_test(good_impulses_get_better)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

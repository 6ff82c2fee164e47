/* test_projected_newton.c - contacts, joints and both by generalised Newton steps */
#include "test_newton.h"

static void test_single_contact_of_siconos(void **state)
{
    (void)state;
    static const double p[3] = {0.0656956829, -0.0036786149, -0.0054430708};
    test_problem test;
    tn_impulse_outcome outcome;
    test_single_contact(&test);
    assert_int_equal(solve_to(&test, 1e-12, &outcome), TN_OK);
    for (int i = 0; i < 3; i++)
        test_near(test.impulse[i], p[i], 1e-10);
    assert_true(outcome.iterations <= 4);
    test_problem_end(&test);
}

/* W of four corners is singular: the sum of the impulses is the weight; from zero all are equal. */
static void test_box_rests_on_four_corners(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    test_stack(&test, 1, 0.5);
    assert_int_equal(solve_to(&test, 1e-10, &outcome), TN_OK);
    for (uint32_t i = 0; i < 12; i++)
        test_near(test.impulse[i], i % 3 ? 0.0 : 10.0 * 9.81e-3 / 4.0, 1e-9);
    assert_true(outcome.iterations <= 3);
    test_problem_end(&test);
}

/* Where the rates of the corners are no rigid motion, one corner opens. */
static void test_box_on_uneven_corners(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    test_stack(&test, 1, 0.5);
    test.free_rate[3] += 1e-4;
    test.free_rate[9] -= 1e-4;
    assert_int_equal(solve_to(&test, 1e-10, &outcome), TN_OK);
    assert_int_equal(outcome.fallbacks, 0);
    test_assert_laws(&test, 1e-8);
    test_near(test.impulse[3], 0.0, 1e-9);
    test_problem_end(&test);
}

static void test_stack_presses_with_its_weight(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    test_stack(&test, 10, 0.5);
    assert_int_equal(solve_to(&test, 1e-10, &outcome), TN_OK);
    test_assert_laws(&test, 1e-8);
    double bottom = 0.0;
    for (uint32_t i = 0; i < 4; i++)
        bottom += test.impulse[3 * i];
    test_near(bottom / 1e-3, 981.0, 1e-6);
    // once more from there
    assert_int_equal(solve_to(&test, 1e-10, &outcome), TN_OK);
    assert_true(outcome.iterations <= 1);
    test_problem_end(&test);
}

/* A few iterations for any number of links. */
static void test_chains_of_joints(void **state)
{
    (void)state;
    static const uint32_t links[] = {1, 10, 100, 1000};
    for (uint32_t i = 0; i < 8; i++) {
        test_problem test;
        tn_impulse_outcome outcome;
        test_chain(&test, links[i % 4], 0);
        test.problem.independent_joints = i / 4;
        assert_int_equal(solve_to(&test, 1e-10, &outcome), TN_OK);
        test_assert_laws(&test, 1e-9);
        assert_true(outcome.iterations <= 4);
        test_problem_end(&test);
        test_chain(&test, links[i % 4] < 100 ? links[i % 4] : 100, 2); // a cantilever
        test.problem.independent_joints = i / 4;
        assert_int_equal(solve_to(&test, 1e-10, &outcome), TN_OK);
        test_assert_laws(&test, 1e-9);
        test_problem_end(&test);
    }
}

/* The same joint twice: each has half of the impulse, for any initial impulses. */
static void test_dependent_joints_share_by_least_norm(void **state)
{
    (void)state;
    const double point[3] = {0.0, 0.0, 0.5};
    test_problem test;
    tn_impulse_outcome outcome;
    test_problem_begin(&test, 1, 6);
    test_place(&test, 0, 2.0, 0.5, 0.0, 0.1, 0.0);
    test_fall(&test, 0, 0.1);
    test_joint(&test, TEST_GROUND, 0, point, 0);
    test_joint(&test, TEST_GROUND, 0, point, 0);
    test_problem_finish(&test);
    test.impulse[0] = 3.0;
    test.impulse[3] = -1.0;
    assert_int_equal(solve_to(&test, 1e-10, &outcome), TN_OK);
    test_assert_laws(&test, 1e-9);
    for (uint32_t i = 0; i < 3; i++)
        test_near(test.impulse[i], test.impulse[3 + i], 1e-8);
    test_problem_end(&test);
}

/* The solver names one of the joints, and its impulses stay bounded. */
static void test_contradicting_joints(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    test_contradiction(&test);
    test_assert_contradicted(solve_to(&test, 1e-8, &outcome), &outcome);
    assert_true(test_largest(test.impulse, 9) < 10.0);
    test_problem_end(&test);
}

static void test_random_problems_obey_the_laws(void **state)
{
    (void)state;
    static const uint32_t contacts[] = {1, 2, 5, 17, 60, 150, 300};
    for (int i = 0; i < 7; i++)
        for (int joints = 0; joints < 2; joints++)
            for (double friction = 0.0; friction <= 1.0; friction += 0.25) {
                test_problem test;
                tn_impulse_outcome outcome;
                test_random_problem(&test, contacts[i], joints, friction, 3 * contacts[i]);
                assert_int_equal(solve_to(&test, 1e-9, &outcome), TN_OK);
                test_assert_laws(&test, 1e-6);
                test_problem_end(&test);
            }
}

/* The same steps in milligrams and kilometres. */
/* Contacts that begin within the tolerance get a step nevertheless, also behind joints that are solved first: their errors would
 * accumulate from one step of a run to the next. */
static void test_given_impulses_are_improved(void **state)
{
    (void)state;
    for (int joints = 0; joints < 2; joints++) {
        test_problem test;
        tn_impulse_outcome outcome;
        test_random_problem(&test, 10, joints, 0.5, 3);
        assert_int_equal(solve_to(&test, 1e-12, &outcome), TN_OK);
        for (uint32_t b = 0; b < test.problem.blocks; b++)
            for (uint32_t i = 0; i < test.block[b].rows && test.block[b].law != TN_JOINT_LAW; i++)
                test.impulse[test.block[b].first + i] *= 1.0 + 1e-9;
        assert_int_equal(solve_to(&test, 1e-8, &outcome), TN_OK);
        if (!(outcome.error <= 1e-10)) fail_msg("%s joints: %g", joints ? "with" : "without", outcome.error);
        test_problem_end(&test);
    }
}

static void test_units_do_not_matter(void **state)
{
    (void)state;
    static const double mass[] = {1e6, 1e-6, 1.0, 1.0, 1e6}, length[] = {1.0, 1.0, 1e6, 1e-6, 1e-6};
    test_problem plain, test;
    tn_impulse_outcome first, outcome;
    for (int i = 0; i < 5; i++) {
        test_random_problem(&plain, 20, true, 0.6, 11);
        test_random_problem(&test, 20, true, 0.6, 11);
        test_change_units(&test, mass[i], length[i]);
        assert_int_equal(solve_to(&plain, 1e-9, &first), TN_OK);
        assert_int_equal(solve_to(&test, 1e-9, &outcome), TN_OK);
        assert_int_equal(outcome.iterations, first.iterations);
        assert_int_equal(outcome.fallbacks, first.fallbacks);
        test_problem_end(&plain);
        test_problem_end(&test);
    }
}

/* Entries of A between bodies, as of stiff springs. */
static void test_masses_that_are_connected(void **state)
{
    (void)state;
    enum { BOXES = 3, SIZE = 6 * BOXES };
    static double value[SIZE * SIZE];
    static int32_t start[SIZE + 1], row[SIZE * SIZE];
    test_problem test;
    tn_impulse_outcome outcome;
    test_stack(&test, BOXES, 0.4);
    test.free_rate[1] = 0.02; // it slides
    for (int32_t j = 0; j < SIZE; j++) {
        start[j + 1] = SIZE * (j + 1);
        for (int32_t i = 0; i < SIZE; i++) {
            row[SIZE * j + i] = i;
            value[SIZE * j + i] =
                (i == j ? tn_impulse_mass(&test.matrix, (uint32_t)j) : 0.0) + 0.01 / (1 + i + j);
        }
    }
    const tn_matrix full = {sizeof full, SIZE, start, row, value};
    test.problem.matrix = &full;
    test.problem.block_diagonal = 0;
    assert_int_equal(solve_to(&test, 1e-9, &outcome), TN_OK);
    test_problem_end(&test);
}

static void test_laws_that_are_not_known(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    test_stack(&test, 1, 0.5);
    test.block[2].law = 7;
    assert_int_equal(solve_to(&test, 1e-9, &outcome), TN_UNSUPPORTED);
    assert_int_equal(outcome.worst, 2);
    test_problem_end(&test);
}

/* Results depend on the problem alone, not on earlier problems. */
static void test_earlier_problems_leave_no_trace(void **state)
{
    (void)state;
    projected_newton settings;
    test_host host;
    test_problem first, test, again;
    tn_impulse_outcome outcome = {.struct_size = sizeof outcome};
    void *self;
    test_fill(projected_newton_parameters, &settings);
    test_host_begin(&host);
    test_random_problem(&first, 40, true, 1.0, 4);
    test_random_problem(&test, 30, true, 1.0, 5);
    test_random_problem(&again, 30, true, 1.0, 5);
    assert_int_equal(solve_to(&again, settings.tolerance, &outcome), TN_OK);
    assert_int_equal(projected_newton_type.create(&host.table, &settings, NULL, &self), TN_OK);
    (void)projected_newton_type.solve(self, &first.problem, &outcome);
    assert_int_equal(projected_newton_type.solve(self, &test.problem, &outcome), TN_OK);
    assert_memory_equal(test.impulse, again.impulse, test.problem.rows * sizeof(double));
    projected_newton_type.destroy(self);
    test_problem_end(&first);
    test_problem_end(&test);
    test_problem_end(&again);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_contact_of_siconos),
        cmocka_unit_test(test_box_rests_on_four_corners),
        cmocka_unit_test(test_box_on_uneven_corners),
        cmocka_unit_test(test_stack_presses_with_its_weight),
        cmocka_unit_test(test_chains_of_joints),
        cmocka_unit_test(test_dependent_joints_share_by_least_norm),
        cmocka_unit_test(test_contradicting_joints),
        cmocka_unit_test(test_random_problems_obey_the_laws),
        cmocka_unit_test(test_given_impulses_are_improved),
        cmocka_unit_test(test_units_do_not_matter),
        cmocka_unit_test(test_masses_that_are_connected),
        cmocka_unit_test(test_laws_that_are_not_known),
        cmocka_unit_test(test_earlier_problems_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_admm.c - contacts, joints and both by alternating directions, exact and relaxed */
#include "admm.c"

#include "../test_laws.h"

#include <dlfcn.h>

static admm standard(double tolerance)
{
    admm settings;
    test_fill(admm_parameters, &settings);
    settings.tolerance = tolerance;
    return settings;
}

static tn_status solve_to(test_problem *test, double tolerance, tn_impulse_outcome *outcome)
{
    const admm settings = standard(tolerance);
    return test_solve(&admm_type, &settings, test, outcome);
}

static void test_single_contact_of_siconos(void **state)
{
    (void)state;
    static const double p[3] = {0.0656956829, -0.0036786149, -0.0054430708};
    test_problem test;
    tn_impulse_outcome outcome;
    test_single_contact(&test);
    assert_int_equal(solve_to(&test, 1e-10, &outcome), TN_OK);
    for (int i = 0; i < 3; i++)
        test_near(test.impulse[i], p[i], 1e-9);
    test_problem_end(&test);
}

static void test_boxes_rest_on_each_other(void **state)
{
    (void)state;
    for (uint32_t boxes = 1; boxes <= 10; boxes += 3) {
        test_problem test;
        tn_impulse_outcome outcome;
        test_stack(&test, boxes, 0.5);
        assert_int_equal(solve_to(&test, 1e-8, &outcome), TN_OK);
        test_assert_laws(&test, 1e-6);
        double bottom = 0.0;
        for (uint32_t i = 0; i < 4; i++)
            bottom += test.impulse[3 * i];
        test_near(bottom / 1e-3, 98.1 * boxes, 1e-4 * boxes);
        test_problem_end(&test);
    }
}

static void test_chains_of_joints(void **state)
{
    (void)state;
    for (uint32_t links = 1; links <= 1000; links *= 10) {
        test_problem test;
        tn_impulse_outcome outcome;
        test_chain(&test, links, 0);
        assert_int_equal(solve_to(&test, 1e-8, &outcome), TN_OK);
        assert_true(outcome.iterations <= 60);
        test_assert_laws(&test, 1e-7);
        test_problem_end(&test);
    }
}

/* The penalty of joints amplifies no round-off. */
static void test_joints_hold_to_round_off(void **state)
{
    (void)state;
    for (uint32_t locked = 0; locked <= 2; locked += 2) {
        test_problem test;
        tn_impulse_outcome outcome;
        test_chain(&test, 40, locked);
        assert_int_equal(solve_to(&test, 1e-12, &outcome), TN_OK);
        assert_true(outcome.iterations <= 60);
        test_assert_laws(&test, 1e-10);
        test_problem_end(&test);
        test_random_problem(&test, 10, true, 0.5, 9 + locked);
        assert_int_equal(solve_to(&test, 1e-11, &outcome), TN_OK);
        test_problem_end(&test);
    }
}

static void test_random_problems_obey_the_laws(void **state)
{
    (void)state;
    static const uint32_t contacts[] = {1, 2, 5, 17, 60};
    for (int i = 0; i < 5; i++)
        for (int joints = 0; joints < 2; joints++)
            for (double friction = 0.0; friction <= 1.0; friction += 0.5) {
                test_problem test;
                tn_impulse_outcome outcome;
                test_random_problem(&test, contacts[i], joints, friction, 3 * contacts[i]);
                admm settings = standard(1e-8);
                settings.most_iterations = 50000;
                assert_int_equal(test_solve(&admm_type, &settings, &test, &outcome), TN_OK);
                test_assert_laws(&test, 1e-6);
                test_problem_end(&test);
            }
}

/* The error in SI units may be the larger one, which takes a few more iterations. */
static void test_units_of_mass_hardly_matter(void **state)
{
    (void)state;
    for (double mass = 1e-6; mass < 1e7; mass *= 1e12) {
        test_problem plain, test;
        tn_impulse_outcome first, outcome;
        test_random_problem(&plain, 20, false, 0.6, 11);
        test_random_problem(&test, 20, false, 0.6, 11);
        test_change_units(&test, mass, 1.0);
        assert_int_equal(solve_to(&plain, 1e-8, &first), TN_OK);
        assert_int_equal(solve_to(&test, 1e-8, &outcome), TN_OK);
        test_near(outcome.iterations, first.iterations, 0.1 * first.iterations);
        test_problem_end(&plain);
        test_problem_end(&test);
    }
}

static void test_contradicting_joints(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    test_contradiction(&test);
    test_assert_contradicted(solve_to(&test, 1e-8, &outcome), &outcome);
    test_problem_end(&test);
}

/* A box that slides at 1 m/s: exact friction keeps it on the ground, the relaxed law lifts it at friction x slip rate, with a note. */
static void test_relaxed_law_lifts_what_slides(void **state)
{
    (void)state;
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        test_problem test;
        test_host host;
        tn_impulse_outcome outcome;
        test_stack(&test, 1, 0.25);
        for (uint32_t i = 0; i < 4; i++)
            test.free_rate[3 * i + 1] = 1.0;
        admm settings = standard(1e-9);
        settings.relaxed = relaxed;
        test_host_begin(&host);
        assert_int_equal(admm_type.prepare(&host.table, &settings), TN_OK);
        assert_int_equal(host.message[0] != '\0', relaxed);
        assert_int_equal(test_solve(&admm_type, &settings, &test, &outcome), TN_OK);
        double u[12], lift = 0.0, slip = 0.0;
        test_rates(&test, u);
        for (uint32_t i = 0; i < 4; i++) {
            lift += 0.25 * u[3 * i];
            slip += 0.25 * u[3 * i + 1];
        }
        test_near(lift, relaxed ? 0.25 * slip : 0.0, 1e-2 * slip * relaxed + 1e-8);
        test_host_end(&host);
        test_problem_end(&test);
    }
}

/* Without friction velocities are unique, and equal those of projected_newton. */
static void test_velocities_are_those_of_projected_newton(void **state)
{
    (void)state;
    void *handle = dlopen(TENON_PLUGINS "/projected_newton.so", RTLD_NOW | RTLD_LOCAL);
    if (!handle) skip(); // not built
    tn_plugin_function other;
    void *symbol = dlsym(handle, TN_PLUGIN_SYMBOL);
    assert_non_null(symbol);
    memcpy(&other, &symbol, sizeof other);
    const tn_constraint_solver_type *newton = other()->types[0].type;
    _Alignas(16) char instance[256];
    test_problem test, same;
    tn_impulse_outcome outcome;
    test_fill(newton->parameters, instance);
    test_random_problem(&test, 40, true, 0.0, 3);
    test_random_problem(&same, 40, true, 0.0, 3);
    double *u = test_zeros(test.problem.rows, sizeof *u), *v = test_zeros(test.problem.rows, sizeof *v);
    assert_int_equal(solve_to(&test, 1e-9, &outcome), TN_OK);
    assert_int_equal(test_solve(newton, instance, &same, &outcome), TN_OK);
    test_rates(&test, u);
    test_rates(&same, v);
    for (uint32_t i = 0; i < test.problem.rows; i++)
        test_near(u[i], v[i], 1e-6);
    free(u);
    free(v);
    test_problem_end(&test);
    test_problem_end(&same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_contact_of_siconos),
        cmocka_unit_test(test_boxes_rest_on_each_other),
        cmocka_unit_test(test_chains_of_joints),
        cmocka_unit_test(test_joints_hold_to_round_off),
        cmocka_unit_test(test_random_problems_obey_the_laws),
        cmocka_unit_test(test_units_of_mass_hardly_matter),
        cmocka_unit_test(test_contradicting_joints),
        cmocka_unit_test(test_relaxed_law_lifts_what_slides),
        cmocka_unit_test(test_velocities_are_those_of_projected_newton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

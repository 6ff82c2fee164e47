/* test_accuracy.c - what generalized_alpha promises of its results: their order, the errors of steps, damping */
#include "test_alpha.h"

static void final_state(model_function model, alpha_instance settings, double step,
                        double state[2 * TEST_SIZE])
{
    test_system test;
    model(&test);
    test.run.end_time = 1.0;
    test.run.step = step;
    assert_int_equal(run(&test, settings), TN_OK);
    memcpy(state, test.q, sizeof test.q);
    memcpy(state + TEST_SIZE, test.v, sizeof test.v);
    test_end(&test);
}

static void check_order(model_function model, alpha_instance settings)
{
    double state[3][2 * TEST_SIZE];
    for (int i = 0; i < 3; i++)
        final_state(model, settings, ldexp(1.0 / 128, -i), state[i]);
    for (int level = 0; level < 2; level++) {
        const size_t at = level == 0 ? 0 : TEST_SIZE;
        const double measured = test_order(TEST_SIZE, state[0] + at, state[1] + at, state[2] + at);
        if (fabs(measured - 2.0) > 0.2)
            fail_msg("order %g of level %d, scheme %d, rho %g", measured, level, settings.scheme,
                     settings.spectral_radius);
    }
}

static void test_order_is_two_in_positions_and_velocities(void **state)
{
    (void)state;
    const model_function models[] = {oscillator, test_chain, cubic_spring, test_body};
    for (int m = 0; m < 4; m++) {
        alpha_instance settings = defaults();
        const double radii[] = {0.0, 0.5, 0.8, 1.0};
        for (int r = 0; r < 4; r++) {
            settings.spectral_radius = radii[r];
            settings.scheme = SCHEME_GENERALIZED_ALPHA;
            check_order(models[m], settings);
            settings.scheme = SCHEME_HHT;
            if (radii[r] >= 0.5) check_order(models[m], settings);
        }
        settings.scheme = SCHEME_TRAPEZOIDAL;
        check_order(models[m], settings);
        settings.jacobian = JACOBIAN_FULL;
        check_order(models[m], settings);
    }
}

/* The state after one second tends to the exact one; Newton's tolerance does not show. */
static void test_solution_is_the_exact_one(void **state)
{
    (void)state;
    double end[2 * TEST_SIZE];
    final_state(oscillator, defaults(), 1e-4, end);
    assert_true(fabs(end[0] - (cos(2.0) + 0.5 * sin(2.0))) < 2e-8);
    assert_true(fabs(end[TEST_SIZE] - (cos(2.0) - 2.0 * sin(2.0))) < 4e-8);
}

static void test_loose_start_would_lose_an_order(void **state)
{
    (void)state;
    // the first step alone: its error is of third order, which a0 = v'0 would miss
    double errors[2];
    for (int i = 0; i < 2; i++) {
        test_system test;
        oscillator(&test);
        const double h = ldexp(1.0 / 64, -i);
        test.run = (tn_run){.end_time = h, .step = h};
        assert_int_equal(run(&test, defaults()), TN_OK);
        errors[i] = fabs(test.v[0] - (cos(2.0 * h) - 2.0 * sin(2.0 * h)));
        test_end(&test);
    }
    assert_true(errors[0] / errors[1] > 7.0);
}

/* Changing steps keep the order: the acceleration-like variable follows. */
static void test_order_survives_step_changes(void **state)
{
    (void)state;
    double errors[2];
    for (int i = 0; i < 2; i++) {
        test_system test;
        oscillator(&test);
        const double h = ldexp(1.0 / 64, -i);
        test.run = (tn_run){.end_time = 1.0, .step = h};
        test.longest_stride = 0.6 * h; // parts of 1/2, and a try at the whole after every second one
        assert_int_equal(run(&test, defaults()), TN_OK);
        errors[i] = fabs(test.q[0] - (cos(2.0) + 0.5 * sin(2.0)));
        test_end(&test);
    }
    assert_true(fabs(log2(errors[0] / errors[1]) - 2.0) < 0.2);
}

/* Largest error at 1 s of an oscillator that changes at an odd time, and the number of matrices. */
static double error_behind_change(alpha_instance settings, double step, size_t *matrices)
{
    const double time = 0.33712;
    test_system test;
    test_changed_oscillator(&test, 2.0, time);
    test.run.end_time = 1.0;
    test.run.step = step;
    assert_int_equal(run(&test, settings), TN_OK);
    assert_int_equal(test.system.revision, 1);
    assert_true(test.statistics.rejected_steps == 0 &&
                test.statistics.steps == (uint64_t)round(1.0 / step) + 1);
    const double error = test_changed_error(&test, 2.0, time, 1.0);
    *matrices = test.matrices;
    test_end(&test);
    return error;
}

/* Nothing of before is used: neither matrix nor history. */
static void test_a_change_costs_no_order(void **state)
{
    (void)state;
    for (int scheme = SCHEME_GENERALIZED_ALPHA; scheme <= SCHEME_TRAPEZOIDAL; scheme++)
        for (int r = 0; r < 3; r++) {
            alpha_instance settings = defaults();
            settings.scheme = scheme;
            settings.spectral_radius = 0.5 + 0.25 * r;
            size_t matrices = 0, fewer = 0;
            const double coarse = error_behind_change(settings, 1.0 / 256, &matrices),
                         fine = error_behind_change(settings, 1.0 / 1024, &fewer),
                         order = 0.5 * log2(coarse / fine);
            if (fabs(order - 2.0) > 0.2) fail_msg("order %g of scheme %d", order, scheme);
            assert_true(fewer >= 2 &&
                        fewer <= 8); // the start, the cut step, behind the change, the grid again
        }
}

static void test_body_keeps_momentum(void **state)
{
    (void)state;
    test_system test;
    test_body(&test);
    double before[3], after[3];
    test_angular_momentum(&test, before);
    test.run = (tn_run){.end_time = 1.0, .step = 1e-3};
    assert_int_equal(run(&test, defaults()), TN_OK);
    test_angular_momentum(&test, after);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(after[i] - before[i]) < 2e-6);
    test_end(&test);
}

static void test_spectral_radius_is_what_is_left(void **state)
{
    (void)state;
    for (int scheme = SCHEME_GENERALIZED_ALPHA; scheme <= SCHEME_HHT; scheme++) {
        test_system test;
        test_oscillator(&test, 1e6); // far above the step's reach
        test.v[0] = 0.0;
        alpha_instance settings = defaults();
        settings.scheme = scheme;
        settings.spectral_radius = 0.7;
        test.run = (tn_run){.end_time = 200.0, .step = 1.0};
        assert_int_equal(run(&test, settings), TN_OK);
        assert_true(fabs(test.q[0]) < 1e-20);
        test_end(&test);
    }
}

/* The start follows what the step can follow, no more. */
static void test_start_does_not_kick_stiff_springs(void **state)
{
    (void)state;
    for (double frequency = 10.0; frequency < 1e7; frequency *= 10.0) {
        test_system test;
        test_oscillator(&test, frequency);
        test.q[0] = 0.0;
        test.run = (tn_run){.end_time = 1.0, .step = 1.0};
        assert_int_equal(run(&test, defaults()), TN_OK);
        assert_true(fabs(test.q[0]) < 0.1);
        test_end(&test);
    }
}

/* ---- the error of a step ---- */

/* Takes steps of an oscillator with w = 2, and one more that is not finished: its errors of q and v against the exact motion
 * through its start, over their estimates. */
static void measure_step(alpha_instance settings, double h, uint64_t steps, double ratio[2])
{
    test_system test;
    oscillator(&test);
    test.run = (tn_run){.end_time = 1.0, .step = h};
    const tn_solver_type *type = test_solver_of(tn_plugin_library());
    assert_int_equal(type->prepare(&test.host.table, &settings, &test.run), TN_OK);
    void *solver = NULL;
    assert_int_equal(tn_alpha_stepping.begin(&settings, &test.system, NULL, &solver), TN_OK);
    assert_int_equal(tn_alpha_stepping.step(solver, HUGE_VAL, steps), TN_OK);
    alpha_work *work = solver;
    work->control.known = true;
    const double q0 = test.q[0], v0 = test.v[0], time = test.system.time;
    assert_int_equal(tn_alpha_solve_step(work, h, time + h), TN_OK);
    const error_factors factors = factors_of(work, h);
    double of_q = 0.0, of_v = 0.0;
    error_of_coordinate(work, &factors, 0, &of_q, &of_v);
    ratio[0] = (test.q[0] - (q0 * cos(2.0 * h) + 0.5 * v0 * sin(2.0 * h))) / of_q;
    ratio[1] = (test.v[0] - (v0 * cos(2.0 * h) - 2.0 * q0 * sin(2.0 * h))) / of_v;
    tn_alpha_stepping.end(solver);
    test_end(&test);
}

static void test_estimates_are_the_errors_of_steps(void **state)
{
    (void)state;
    const double radii[] = {1.0, 0.9, 0.8, 0.5, 0.0};
    for (int scheme = SCHEME_GENERALIZED_ALPHA; scheme <= SCHEME_HHT; scheme++)
        for (int r = 0; r < 5; r++) {
            alpha_instance settings = defaults();
            settings.spectral_radius = radii[r];
            settings.scheme = scheme;
            if (scheme == SCHEME_HHT && radii[r] < 0.5) continue;
            double coarse[2], fine[2];
            measure_step(settings, 1e-3, 200, coarse);
            measure_step(settings, 5e-4, 400, fine);
            for (int level = 0; level < 2; level++) {
                if (fabs(fine[level] - 1.0) > 0.02 ||
                    fabs(fine[level] - 1.0) > 0.6 * fabs(coarse[level] - 1.0) + 1e-4)
                    fail_msg("scheme %d, radius %g, level %d: ratio %g, then %g", scheme, radii[r], level,
                             coarse[level], fine[level]);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_two_in_positions_and_velocities),
        cmocka_unit_test(test_solution_is_the_exact_one),
        cmocka_unit_test(test_loose_start_would_lose_an_order),
        cmocka_unit_test(test_order_survives_step_changes),
        cmocka_unit_test(test_a_change_costs_no_order),
        cmocka_unit_test(test_body_keeps_momentum),
        cmocka_unit_test(test_spectral_radius_is_what_is_left),
        cmocka_unit_test(test_start_does_not_kick_stiff_springs),
        cmocka_unit_test(test_estimates_are_the_errors_of_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

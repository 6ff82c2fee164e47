/* test_gsl_ode.c - what gsl_ode promises: the orders of GSL's steppers, where steps end, error control, and how it
 * refuses. */
#include "test_run.h"

static void oscillator(test_system *test) { test_oscillator(test, 2.0); }

static void chain_with_decay(test_system *test)
{
    test_chain(test);
    test->system.nx = 1;
    test->x[0] = 1.0;
}

/* Slow creep behind a fast decay: rates 10 and 1e5 per second; the load varies slowly. */
static void stiff_creep(test_system *test)
{
    test_begin(test, 1, 1);
    test->stiffness = 1e6;
    test->damping = 1e5;
    test->load_amplitude = 1e6;
    test->load_frequency = 3.0;
}

enum { STATE = 2 * TEST_SIZE + 1 };

/* q, v and x at the end of a run of one second. */
static void final_state(model_function model, int32_t stepper, double step, double state[STATE])
{
    test_system test;
    model(&test);
    test.run.end_time = 1.0;
    test.run.step = step;
    run_well(&test, stepper);
    assert_true(test.system.time == 1.0 && test.last_a_defect <= 1e-9);
    memcpy(state, test.q, sizeof test.q);
    memcpy(state + TEST_SIZE, test.v, sizeof test.v);
    state[2 * TEST_SIZE] = test.x[0];
    test_end(&test);
}

static void check_order(model_function model, int32_t stepper, double step, double order, double margin)
{
    double state[3][STATE];
    for (int i = 0; i < 3; i++)
        final_state(model, stepper, ldexp(step, -i), state[i]);
    const double measured = test_order(STATE, state[0], state[1], state[2]);
    if (fabs(measured - order) > margin)
        fail_msg("%s: order %g measured as %g", stepper_name(stepper), order, measured);
}

/* rk2 gives its result of order 3, which its error is estimated with. */
static void test_orders_are_those_of_the_manual(void **state)
{
    (void)state;
    static const struct {
        int32_t stepper;
        double step, order;
    } cases[] = {{RK2, 0x1p-7, 3},   {RK4, 0x1p-5, 4},     {RKF45, 0x1p-5, 5},  {RKCK, 0x1p-5, 5},
                 {RK8PD, 0x1p-2, 8}, {RK1IMP, 0x1p-10, 1}, {RK2IMP, 0x1p-7, 2}, {RK4IMP, 0x1p-5, 4}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double margin = cases[k].order > 5 ? 1.0 : 0.25;
        check_order(oscillator, cases[k].stepper, cases[k].step, cases[k].order, margin);
        check_order(chain_with_decay, cases[k].stepper, cases[k].step, cases[k].order, margin);
        check_order(test_body, cases[k].stepper, cases[k].step, cases[k].order, margin);
    }
}

static void fast_oscillator(test_system *test) { test_oscillator(test, 12.0); }

static void test_extrapolation_is_of_high_order(void **state)
{
    (void)state;
    double coarse[STATE], fine[STATE], exact[STATE];
    const model_function models[] = {fast_oscillator, chain_with_decay, test_body};
    for (int k = 0; k < 3; k++) {
        final_state(models[k], RK8PD, 0x1p-8, exact);
        final_state(models[k], BSIMP, 1.0, coarse);
        final_state(models[k], BSIMP, 0.25, fine);
        double error[2] = {0.0, 0.0};
        for (int i = 0; i < STATE; i++) {
            error[0] = fmax(error[0], fabs(coarse[i] - exact[i]));
            error[1] = fmax(error[1], fabs(fine[i] - exact[i]));
        }
        if (!(error[1] < 1e-7 && error[1] < fmax(0x1p-16 * error[0], 1e-13)))
            fail_msg("model %d: %g, then %g", k, error[0], error[1]);
    }
}

static double creep(int32_t stepper, double step)
{
    double end[STATE];
    final_state(stiff_creep, stepper, step, end);
    return end[0];
}

static void test_implicit_steppers_follow_stiff_motion(void **state)
{
    (void)state;
    const double exact = creep(RKF45, 1e-5); // explicit steppers diverge with more than 3e-5 s
    const double step = 0x1p-6;
    const struct {
        int32_t stepper;
        double order, tolerance;
    } cases[] = {{RK1IMP, 1, 0.02}, {RK2IMP, 2, 1e-4}, {RK4IMP, 2, 1e-4}, {BSIMP, 2, 1e-4}};
    for (int k = 0; k < 4; k++) {
        const double error = fabs(creep(cases[k].stepper, step) - exact);
        const double half = fabs(creep(cases[k].stepper, 0.5 * step) - exact);
        if (!(error < cases[k].tolerance && half < 1.2 * exp2(-cases[k].order) * error + 1e-9))
            fail_msg("%s: errors %g, then %g", stepper_name(cases[k].stepper), error, half);
    }
    assert_true(fabs(creep(MSBDF, 0.01) - exact) < 1e-5);
}

/* The Jacobian is exact where Newton's method ends after the second iteration, which only finds round-off. */
static void test_linear_stiff_steps_take_two_iterations(void **state)
{
    (void)state;
    test_system test;
    stiff_creep(&test);
    test.run.end_time = 1.0;
    test.run.step = 0.01;
    run_well(&test, RK1IMP);
    assert_int_equal(test.statistics.steps, 100);
    assert_int_equal(test.statistics.rejected_steps, 0);
    // the Jacobian, three solutions (the last one trusts the contraction of the second), three slopes, the new state
    assert_int_equal(test.evaluations, 1 + 100 * (1 + 2 + 2 + 1 + 3 + 1));
    assert_int_equal(test.matrices, 1 + 2 * 100); // the mass, and two per Jacobian
    test_end(&test);
}

static void test_fixed_steps_end_on_the_end_time(void **state)
{
    (void)state;
    static const size_t evaluations[] = {3, 11, 6, 6, 13}; // per step, of the explicit steppers
    for (int32_t stepper = RK2; stepper <= RK8PD; stepper++) {
        test_system test;
        oscillator(&test);
        test.run.end_time = 1.0;
        test.run.step = 0.3;
        run_well(&test, stepper);
        assert_true(test.system.time == 1.0 && test.accepts == 5 && test.statistics.steps == 4);
        assert_int_equal(test.evaluations, 1 + 4 * evaluations[stepper]);
        assert_true(test.statistics.largest_step == 0.3 && fabs(test.statistics.smallest_step - 0.1) < 1e-15);
        assert_int_equal(test.blocks_at_start_of_motion, test.host.block_count);
        test_end(&test);
    }
}

/* Multistep methods take steps of their own between the grid's, and show the grid's only. */
static void test_multistep_methods_divide_fixed_steps(void **state)
{
    (void)state;
    for (int32_t stepper = MSADAMS; stepper <= MSBDF; stepper++) {
        test_system test;
        oscillator(&test);
        test.run.end_time = 1.0;
        test.run.step = 0.1;
        run_well(&test, stepper);
        assert_int_equal(test.accepts, 11);
        assert_true(test.statistics.steps > 10 && test.system.time == 1.0);
        assert_true(fabs(test.q[0] - (cos(2.0) + 0.5 * sin(2.0))) < 1e-4);
        test_end(&test);
    }
}

static void test_adaptive_steps_meet_their_tolerance(void **state)
{
    (void)state;
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++) {
        const double tolerance = stepper == RK1IMP                     ? 1e-5
                                 : stepper == RK2IMP || stepper == RK2 ? 1e-7
                                                                       : 1e-10;
        test_system test;
        oscillator(&test);
        test.run = (tn_run){.end_time = 2.0,
                            .step = 1.5,
                            .step_given = 1, // far too large: must be rejected, but for the highest orders
                            .adaptive = 1,
                            .maximum_step = 1.75,
                            .relative_tolerance = tolerance,
                            .absolute_tolerance = tolerance};
        run_well(&test, stepper);
        const double error = fabs(test.q[0] - (cos(4.0) + 0.5 * sin(4.0)));
        if (!(error < (stepper == RK1IMP ? 0.02 : 2e4 * tolerance)))
            fail_msg("%s: error %g", stepper_name(stepper), error);
        assert_true(test.system.time == 2.0 && (test.statistics.rejected_steps > 0 || stepper == BSIMP));
        assert_true(test.last_a_defect == 0.0 && test.statistics.largest_step <= 1.75);
        assert_int_equal(test.accepts, test.statistics.steps + 1);
        test_end(&test);
    }
}

static void test_adaptive_steps_hit_stops_exactly(void **state)
{
    (void)state;
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++) {
        test_system test;
        test_body(&test);
        test_stop_at(&test, 0.1 + 0.2);
        test.run =
            (tn_run){.end_time = 0.7, .adaptive = 1, .relative_tolerance = 1e-5, .absolute_tolerance = 1e-5};
        run_well(&test, stepper);
        assert_true(test.stop_was_hit && test.system.time == 0.7);
        const double *e = test.q + 3;
        assert_true(fabs(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0) < 1e-14);
        test_end(&test);
    }
}

static void test_refused_evaluations(void **state)
{
    (void)state;
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++) {
        test_system test;
        const bool fixed_fails = !steppers[stepper].uses_jacobian && !steppers[stepper].is_multistep;

        // a fixed step fails with an explanation, or is divided (test_system looks at accepted states only)
        oscillator(&test);
        test.run =
            (tn_run){.end_time = 1.0, .step = 0.1, .relative_tolerance = 1e-3, .absolute_tolerance = 1e-3};
        test.longest_stride = 0.07;
        if (!steppers[stepper].is_multistep)
            assert_int_equal(run_stepper(&test, stepper), fixed_fails ? TN_RETRY : TN_OK);
        assert_true(!fixed_fails || strstr(test.failure, "not shortened"));
        assert_true(test.statistics.largest_step <= 0.07);
        test_end(&test);

        // an adaptive one becomes smaller, down to its limit
        oscillator(&test);
        test.run = (tn_run){.end_time = 1.0,
                            .step = 0.1,
                            .step_given = 1,
                            .minimum_step = 1e-3,
                            .adaptive = 1,
                            .relative_tolerance = 1e-3,
                            .absolute_tolerance = 1e-3};
        test.longest_stride = 0.04;
        run_well(&test, stepper);
        assert_true(test.system.time == 1.0 && test.statistics.largest_step <= 0.04);
        test.longest_stride = 1e-4;
        test.system.time = 0.0;
        test.accepted_time = 0.0;
        assert_int_equal(run_stepper(&test, stepper), TN_FATAL);
        assert_non_null(strstr(test.failure, "shortened"));
        test_end(&test);
    }
}

static void test_wrong_settings_are_refused(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    gsl_ode_instance instance = {.stepper = RK4IMP};
    tn_run settings = {.end_time = 1.0};
    assert_int_equal(gsl_ode_prepare(&test.host.table, &instance, &settings), TN_INVALID);
    assert_string_equal(test.host.parameter, "step");

    test.system.position_rows = test.system.rows = 2;
    assert_int_equal(gsl_ode_check(&test.host.table, &instance, &test.system), TN_OK);

    // refused before anything of that size is touched
    test.system.nq = test.system.nv = 1001;
    assert_int_equal(gsl_ode_check(&test.host.table, &instance, &test.system), TN_INVALID);
    assert_non_null(strstr(test.host.message, "2002 states"));
    assert_non_null(strstr(test.host.message, "2000"));
    assert_non_null(strstr(test.host.message, "generalized_alpha"));
    assert_int_equal(test.host.block_count, 0);
    test_end(&test);
}

static void test_systems_without_bodies_and_without_time_run(void **state)
{
    (void)state;
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++) {
        test_system test;
        for (uint32_t states = 0; states < 2; states++) {
            test_body(&test);
            test.system.nq = test.system.nv = 0;
            test.system.nx = states;
            test.system.vector_space = 1;
            test.x[0] = 1.0;
            test.run.end_time = 1.0;
            test.run.step = 0.1;
            run_well(&test, stepper);
            assert_true(test.accepts == 11 && test.system.time == 1.0);
            assert_true(states == 0 || fabs(test.x[0] - exp(-1.0)) < (stepper == RK1IMP ? 0.02 : 2e-4));
            test_end(&test);
        }

        oscillator(&test);
        test.run.step = 0.1;
        run_well(&test, stepper);
        assert_true(test.accepts == 1 && test.evaluations == 1 && test.a[0] == -4.0);
        test_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_are_those_of_the_manual),
        cmocka_unit_test(test_extrapolation_is_of_high_order),
        cmocka_unit_test(test_implicit_steppers_follow_stiff_motion),
        cmocka_unit_test(test_linear_stiff_steps_take_two_iterations),
        cmocka_unit_test(test_fixed_steps_end_on_the_end_time),
        cmocka_unit_test(test_multistep_methods_divide_fixed_steps),
        cmocka_unit_test(test_adaptive_steps_meet_their_tolerance),
        cmocka_unit_test(test_adaptive_steps_hit_stops_exactly),
        cmocka_unit_test(test_refused_evaluations),
        cmocka_unit_test(test_wrong_settings_are_refused),
        cmocka_unit_test(test_systems_without_bodies_and_without_time_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

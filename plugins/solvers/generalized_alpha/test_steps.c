/* test_steps.c - the work of the iteration of generalized_alpha, and what happens when a step cannot be solved */
#include "test_alpha.h"

/* An exact matrix needs one residual and one solution per step, but for the measurements of its contraction.
 * */
static void test_linear_system_takes_one_iteration_per_step(void **state)
{
    (void)state;
    const model_function models[] = {oscillator, test_chain};
    for (int m = 0; m < 2; m++) {
        test_system test;
        models[m](&test);
        test.run = (tn_run){.end_time = 10.0, .step = 0.01};
        assert_int_equal(run(&test, defaults()), TN_OK);
        assert_int_equal(test.statistics.steps, 1000);
        assert_true(test.statistics.newton_iterations < 1080);
        assert_int_equal(test.factorisations, 1);
        assert_int_equal(test.solutions, test.statistics.newton_iterations + 1);   // one at the start
        assert_int_equal(test.evaluations, test.statistics.newton_iterations + 5); // start and its trials
        assert_int_equal(test.blocks_at_start_of_motion, test.host.block_count);
        assert_true(test.last_a_defect < 1e-9);
        test_end(&test);
    }
}

static void test_modified_matrix_is_kept_while_it_contracts(void **state)
{
    (void)state;
    test_system test;
    cubic_spring(&test);
    test.run = (tn_run){.end_time = 10.0, .step = 0.01};
    assert_int_equal(run(&test, defaults()), TN_OK);
    assert_true(test.factorisations <= 3);
    assert_true(test.statistics.newton_iterations < 2 * test.statistics.steps);
    assert_true(test.last_a_defect < 1e-5);
    test_end(&test);
}

/* At rest, forces that cancel leave round-off: corrections that never shrink, in a force of random sign. */
static tn_status evaluate_with_round_off(tn_system *system)
{
    test_system *test = test_of(system);
    const tn_status status = test_evaluate(system);
    test->force[0] += test->evaluations % 3 == 0 ? 1e-9 : -1e-9;
    return status;
}

static void test_round_off_does_not_stop_the_run(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    test.q[0] = test.v[0] = 0.0;
    test.system.evaluate = evaluate_with_round_off;
    test.run = (tn_run){.end_time = 1.0, .step = 0.01};
    assert_int_equal(run(&test, defaults()), TN_OK);
    assert_int_equal(test.statistics.rejected_steps, 0);
    assert_int_equal(test.factorisations, 1);
    assert_true(test.statistics.newton_iterations < 400);
    test_end(&test);
}

static void test_full_jacobian_converges_quadratically(void **state)
{
    (void)state;
    test_system test;
    cubic_spring(&test);
    alpha_instance settings = defaults();
    settings.jacobian = JACOBIAN_FULL;
    settings.newton_tolerance = 1e-14;
    test.run = (tn_run){.end_time = 0.5, .step = 0.5};
    assert_int_equal(run(&test, settings), TN_OK);
    assert_int_equal(test.matrices, test.solutions);
    assert_true(test.solutions >= 4);

    // each correction is of the size of the square of the one before, until round-off
    for (size_t i = 1; i + 1 < test.solutions; i++)
        assert_true(test.corrections[i + 1] < fmax(10.0 * test.corrections[i] * test.corrections[i], 1e-14));
    test_end(&test);
}

static void test_refused_step_is_crossed_in_parts(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    test.run = (tn_run){.end_time = 1.0, .step = 0.1};
    test.longest_stride = 0.03;
    assert_int_equal(run(&test, defaults()), TN_OK);
    assert_true(test.system.time == 1.0);
    assert_true(fabs(test.statistics.smallest_step - 0.025) < 1e-12);
    assert_true(test.statistics.rejected_steps > 2);
    assert_int_equal(test.accepts, test.statistics.steps + 1);
    assert_true(fabs(test.q[0] - (cos(2.0) + 0.5 * sin(2.0))) < 1e-3);
    test_end(&test);
}

static void test_a_refused_step_cut_by_a_change_is_halved(void **state)
{
    (void)state;
    test_system test;
    test_changed_oscillator(&test, 2.0, 0.37);
    test.run.end_time = 1.0;
    test.run.step = 0.1;
    test.longest_stride = 0.02;
    assert_int_equal(run(&test, defaults()), TN_OK);
    assert_true(test.system.time == 1.0 && test.system.revision == 1 && test.statistics.rejected_steps > 0);
    assert_true(test_changed_error(&test, 2.0, 0.37, 1.0) < 0.02);
    test_end(&test);
}

static void test_hopeless_step_is_explained(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    test.run = (tn_run){.end_time = 1.0, .step = 0.1};
    test.longest_stride = 1e-9;
    assert_int_equal(run(&test, defaults()), TN_FATAL);
    assert_non_null(strstr(test.failure, "halved"));
    assert_true(test.system.time == 0.0 && test.q[0] == 1.0);
    assert_int_equal(test.statistics.rejected_steps, 21);
    test_end(&test);

    // too few iterations for this tolerance, at any step: the residual is handed over
    cubic_spring(&test);
    alpha_instance settings = defaults();
    settings.newton_iterations = 1;
    settings.newton_tolerance = 1e-14;
    test.run = (tn_run){.end_time = 1.0, .step = 0.5, .minimum_step = 0.1};
    assert_int_equal(run(&test, settings), TN_FATAL);
    assert_non_null(strstr(test.failure, "residual known"));
    test_end(&test);
}

static void test_steps_end_on_the_end_time(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    test.run = (tn_run){.start_time = 0.5, .end_time = 1.5, .step = 0.3};
    assert_int_equal(run(&test, defaults()), TN_OK);
    assert_true(test.system.time == 1.5 && test.statistics.steps == 4);
    test_end(&test);

    // an empty run records the start
    oscillator(&test);
    assert_int_equal(run(&test, defaults()), TN_OK);
    assert_true(test.accepts == 1 && test.evaluations == 1 && test.a[0] == -4.0);
    test_end(&test);

    // an end that is asked for
    oscillator(&test);
    test.run = (tn_run){.end_time = 1.0, .step = 0.1};
    test.end_request = 0.45;
    assert_int_equal(run(&test, defaults()), TN_EVENT);
    assert_int_equal(test.statistics.steps, 5);
    test_end(&test);

    // no bodies
    test_body(&test);
    test.system.nq = test.system.nv = 0;
    test.run = (tn_run){.end_time = 1.0, .step = 0.1};
    assert_int_equal(run(&test, defaults()), TN_OK);
    assert_true(test.statistics.steps == 10 && test.factorisations == 0);
    test_end(&test);
}

/* Rows are differences of places: at the far end of a long chain they cannot be more exact than these. */
static void test_rows_need_not_be_more_exact_than_places(void **state)
{
    (void)state;
    double q[2] = {0.5, -0.2}, scale[2] = {1.0, 1.0}, inverse_scale[2] = {1.0, 1.0};
    tn_system system = {.nq = 2, .nv = 2, .rows = 1, .q = q, .scale = scale};
    alpha_work work = {.system = &system, .newton_tolerance = 1e-10, .inverse_scale = inverse_scale};
    tn_alpha_measure_round_off(&work);
    assert_true(work.row_tolerance == SHARE_OF_ROWS * 1e-10);
    q[1] = -1e5;
    tn_alpha_measure_round_off(&work);
    assert_true(work.row_tolerance >= 2.0 * (nextafter(1e5, 2e5) - 1e5));
    assert_true(work.row_tolerance < 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_system_takes_one_iteration_per_step),
        cmocka_unit_test(test_modified_matrix_is_kept_while_it_contracts),
        cmocka_unit_test(test_round_off_does_not_stop_the_run),
        cmocka_unit_test(test_full_jacobian_converges_quadratically),
        cmocka_unit_test(test_refused_step_is_crossed_in_parts),
        cmocka_unit_test(test_a_refused_step_cut_by_a_change_is_halved),
        cmocka_unit_test(test_hopeless_step_is_explained),
        cmocka_unit_test(test_steps_end_on_the_end_time),
        cmocka_unit_test(test_rows_need_not_be_more_exact_than_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

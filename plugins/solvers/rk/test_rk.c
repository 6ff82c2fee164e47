/* test_rk.c - what rk promises: its orders, where its steps end, and how it refuses. */
#include "adaptive.c"
#include "rk.c"

#include "../test_system.h"

typedef void (*model_function)(test_system *test);

static void oscillator(test_system *test) { test_oscillator(test, 2.0); }

/* Prepares and advances; the state stays in `test`. */
static tn_status run(test_system *test, int64_t order)
{
    const tn_solver_type *type = test_solver_of(tn_plugin_library());
    rk_instance instance;
    test_fill_defaults(type->parameters, &instance);
    instance.order = order;
    assert_int_equal(type->prepare(&test->host.table, &instance, &test->run), TN_OK);
    return type->advance(&instance, &test->system);
}

/* q, v and x at the end of a run of one second. */
static void final_state(model_function model, int64_t order, double step, double state[2 * TEST_SIZE + 1])
{
    test_system test;
    model(&test);
    test.run.end_time = 1.0;
    test.run.step = step;
    assert_int_equal(run(&test, order), TN_OK);
    memcpy(state, test.q, sizeof test.q);
    memcpy(state + TEST_SIZE, test.v, sizeof test.v);
    state[2 * TEST_SIZE] = test.x[0];
    test_end(&test);
}

static void check_order(model_function model, int64_t order)
{
    double state[3][2 * TEST_SIZE + 1];
    const double step = order == 1 ? 1.0 / 512 : order == 2 ? 1.0 / 128 : order == 4 ? 1.0 / 64 : 1.0 / 32;
    for (int i = 0; i < 3; i++)
        final_state(model, order, ldexp(step, -i), state[i]);
    const double measured = test_order(2 * TEST_SIZE + 1, state[0], state[1], state[2]);
    if (fabs(measured - (double)order) > 0.2) fail_msg("order %d measured as %g", (int)order, measured);
}

static void chain_with_decay(test_system *test)
{
    test_chain(test);
    test->system.nx = 1;
    test->x[0] = 1.0;
}

static void test_orders_are_reached(void **state)
{
    (void)state;
    const int64_t orders[] = {1, 2, 4, 5};
    for (int i = 0; i < 4; i++) {
        check_order(oscillator, orders[i]);
        check_order(chain_with_decay, orders[i]);
        check_order(test_body, orders[i]);
    }
}

static void test_solution_is_the_exact_one(void **state)
{
    (void)state;
    double end[2 * TEST_SIZE + 1];
    final_state(oscillator, 4, 1e-3, end);
    assert_true(fabs(end[0] - (cos(2.0) + 0.5 * sin(2.0))) < 1e-11);
    final_state(chain_with_decay, 5, 1e-2, end);
    assert_true(fabs(end[2 * TEST_SIZE] - exp(-1.0)) < 1e-11);
}

static void test_body_keeps_momentum_and_unit_quaternion(void **state)
{
    (void)state;
    test_system test;
    test_body(&test);
    double before[3], after[3];
    test_angular_momentum(&test, before);
    test.run.end_time = 1.0;
    test.run.step = 1e-2;
    assert_int_equal(run(&test, 4), TN_OK);
    test_angular_momentum(&test, after);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(after[i] - before[i]) < 1e-7);
    const double *e = test.q + 3;
    assert_true(fabs(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0) < 1e-14);
    test_end(&test);
}

/* A vector space may also be integrated through its rate: the same numbers up to rounding. */
static void test_vector_space_agrees_with_rates(void **state)
{
    (void)state;
    for (int64_t order = 1; order <= 5; order++) {
        if (order == 3) continue;
        double q[2];
        for (uint32_t i = 0; i < 2; i++) {
            test_system test;
            test_chain(&test);
            test.system.vector_space = i;
            test.run.end_time = 1.0;
            test.run.step = 0.01;
            assert_int_equal(run(&test, order), TN_OK);
            q[i] = test.q[1];
            test_end(&test);
        }
        assert_true(fabs(q[0] - q[1]) < 1e-14);
    }
}

static void test_fixed_steps_end_on_the_end_time(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    test.run.end_time = 1.0;
    test.run.step = 0.3;
    assert_int_equal(run(&test, 4), TN_OK);
    assert_true(test.system.time == 1.0);
    assert_int_equal(test.statistics.steps, 4);
    assert_int_equal(test.accepts, 5);
    assert_int_equal(test.evaluations, 1 + 4 * 4); // the slope of an accepted state is used again
    assert_true(test.statistics.largest_step == 0.3 && fabs(test.statistics.smallest_step - 0.1) < 1e-15);
    assert_true(test.last_a_defect == 0.0);
    assert_int_equal(test.blocks_at_start_of_motion, test.host.block_count);
    test_end(&test);

    // a remainder of round-off is no step
    oscillator(&test);
    test.run.end_time = 1.0;
    test.run.step = 0.1;
    assert_int_equal(run(&test, 1), TN_OK);
    assert_true(test.system.time == 1.0 && test.statistics.steps == 10);
    assert_true(test.statistics.smallest_step == 0.1 && test.statistics.largest_step == 0.1);
    test_end(&test);
}

static void test_empty_run_records_the_start(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    test.run.step = 0.1;
    assert_int_equal(run(&test, 4), TN_OK);
    assert_int_equal(test.accepts, 1);
    assert_int_equal(test.evaluations, 1);
    assert_int_equal(test.statistics.steps, 0);
    assert_true(test.a[0] == -4.0);
    test_end(&test);
}

static void test_adaptive_meets_its_tolerance_and_lands_on_stops(void **state)
{
    (void)state;
    test_system test;
    double errors[2];
    const double tolerances[2] = {1e-6, 1e-10};
    for (int i = 0; i < 2; i++) {
        oscillator(&test);
        test.run.end_time = 10.0;
        test.run.adaptive = 1;
        test.run.step = 5.0; // far too large: must be rejected
        test.run.step_given = 1;
        test.run.relative_tolerance = test.run.absolute_tolerance = tolerances[i];
        assert_int_equal(run(&test, 5), TN_OK);
        errors[i] = fabs(test.q[0] - (cos(20.0) + 0.5 * sin(20.0)));
        assert_true(test.system.time == 10.0);
        assert_true(test.statistics.rejected_steps > 0);
        assert_true(test.last_a_defect == 0.0);
        assert_int_equal(test.blocks_at_start_of_motion, test.host.block_count);
        test_end(&test);
    }
    assert_true(errors[0] < 1e-4 && errors[1] < 1e-8);
}

/* The oscillator's error of a step of length h is about (2 h)^6 / 2000: the first guess is near what is allowed, and none is rejected. */
static void test_a_first_step_is_found(void **state)
{
    (void)state;
    for (int k = 3; k <= 10; k++) {
        test_system test;
        oscillator(&test);
        const double tolerance = pow(10.0, -k), size = pow(tolerance, 1.0 / 6.0);
        test.run = (tn_run){.end_time = 10.0,
                            .adaptive = 1,
                            .step = 5.0,
                            .relative_tolerance = tolerance,
                            .absolute_tolerance = tolerance};
        const tn_solver_type *type = test_solver_of(tn_plugin_library());
        rk_instance instance = {.order = AUTOMATIC};
        void *work = NULL;
        assert_int_equal(type->prepare(&test.host.table, &instance, &test.run), TN_OK);
        assert_int_equal(instance.order, 5);
        assert_int_equal(rk_begin(&instance, &test.system, NULL, &work), TN_OK);
        assert_int_equal(rk_step(work, 10.0, 1), TN_OK);
        assert_int_equal(test.statistics.rejected_steps, 0);
        if (!(test.system.time > 0.05 * size && test.system.time < size))
            fail_msg("tolerance %g: a first step of %g", tolerance, test.system.time);
        test_end(&test);
    }
}

static void test_adaptive_hits_stops_exactly(void **state)
{
    (void)state;
    for (int body = 0; body < 2; body++) {
        test_system test;
        if (body) {
            test_body(&test);
        } else {
            chain_with_decay(&test);
        }
        test_stop_at(&test, 0.1 + 0.2);
        test.run =
            (tn_run){.end_time = 0.7, .adaptive = 1, .relative_tolerance = 1e-8, .absolute_tolerance = 1e-8};
        assert_int_equal(run(&test, 5), TN_OK);
        assert_true(test.stop_was_hit && test.system.time == 0.7);
        test_end(&test);
    }
}

static void test_refused_evaluations(void **state)
{
    (void)state;
    test_system test;

    // a fixed step fails with an explanation
    oscillator(&test);
    test.run = (tn_run){.end_time = 1.0, .step = 0.1};
    test.longest_stride = 0.04;
    assert_int_equal(run(&test, 4), TN_RETRY);
    assert_non_null(strstr(test.failure, "not shortened"));
    test_end(&test);

    // an adaptive one becomes smaller
    oscillator(&test);
    test.run = (tn_run){.end_time = 1.0,
                        .step = 0.1,
                        .step_given = 1,
                        .adaptive = 1,
                        .relative_tolerance = 1e-3,
                        .absolute_tolerance = 1e-3};
    test.longest_stride = 0.04;
    assert_int_equal(run(&test, 5), TN_OK);
    assert_true(test.system.time == 1.0 && test.statistics.largest_step <= 0.04);
    test_end(&test);

    // down to its limit
    oscillator(&test);
    test.run = (tn_run){.end_time = 1.0,
                        .step = 0.1,
                        .step_given = 1,
                        .minimum_step = 0.01,
                        .adaptive = 1,
                        .relative_tolerance = 1e-3,
                        .absolute_tolerance = 1e-3};
    test.longest_stride = 1e-3;
    assert_int_equal(run(&test, 5), TN_FATAL);
    assert_non_null(strstr(test.failure, "shortened"));
    test_end(&test);
}

static void test_end_request_ends_the_run(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    test.run = (tn_run){.end_time = 1.0, .step = 0.1};
    test.end_request = 0.45;
    assert_int_equal(run(&test, 4), TN_EVENT);
    assert_int_equal(test.statistics.steps, 5);
    test_end(&test);
}

static void test_wrong_settings_are_refused(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    rk_instance instance = {.order = 3};
    tn_run settings = {.end_time = 1.0, .step = 0.1};
    assert_int_equal(rk_prepare(&test.host.table, &instance, &settings), TN_INVALID);
    assert_string_equal(test.host.parameter, "order");
    instance.order = 4;
    settings.adaptive = 1;
    assert_int_equal(rk_prepare(&test.host.table, &instance, &settings), TN_INVALID);
    assert_non_null(strstr(test.host.message, "order = 5"));
    settings = (tn_run){.end_time = 1.0};
    assert_int_equal(rk_prepare(&test.host.table, &instance, &settings), TN_INVALID);
    assert_string_equal(test.host.parameter, "step");
    test_end(&test);
}

static void test_system_without_bodies_runs(void **state)
{
    (void)state;
    test_system test;
    test_body(&test);
    test.system.nq = test.system.nv = 0;
    test.system.vector_space = 1;
    test.run = (tn_run){.end_time = 1.0, .step = 0.1};
    assert_int_equal(run(&test, 4), TN_OK);
    assert_int_equal(test.statistics.steps, 10);
    test_end(&test);
}

/* The state at 1 s of an oscillator that changes at an odd time; largest error against the exact one. */
static double error_behind_change(int64_t order, double step, double time)
{
    test_system test;
    test_changed_oscillator(&test, 2.0, time);
    test.run.end_time = 1.0;
    test.run.step = step;
    assert_int_equal(run(&test, order), TN_OK);
    assert_int_equal(test.system.revision, 1);
    assert_true(test.last_a_defect == 0.0);
    const double error = test_changed_error(&test, 2.0, time, 1.0);
    test_end(&test);
    return error;
}

static void test_a_change_costs_no_order(void **state)
{
    (void)state;
    const double steps[] = {0.0, 1e-3, 5e-3, 0.0, 0.02, 0.08};
    for (int64_t order = 1; order <= 5; order++) {
        if (order == 3) continue;
        const double coarse = error_behind_change(order, steps[order], 0.33712),
                     fine = error_behind_change(order, steps[order] / 4, 0.33712),
                     measured = 0.5 * log2(coarse / fine);
        if (fabs(measured - (double)order) > 0.35) fail_msg("order %d measured as %g", (int)order, measured);
    }
}

static void test_a_step_is_cut_by_a_change(void **state)
{
    (void)state;
    test_system test;
    test_changed_oscillator(&test, 2.0, 0.37);
    test.run.end_time = 1.0;
    test.run.step = 0.1;
    assert_int_equal(run(&test, 4), TN_OK);
    assert_int_equal(test.statistics.steps, 11);
    assert_int_equal(test.accepts, 12);
    assert_int_equal(test.evaluations, 1 + 11 * 4 + 1); // the slope after the change comes from the system
    assert_true(fabs(test.statistics.smallest_step - 0.03) < 1e-15 && test.statistics.largest_step == 0.1);
    test_end(&test);

    // at a time of the grid, as exactly as times can be told apart
    const double times[] = {0.3, 3 * 0.1, 0.3 + 1e-12, 0.3 - 1e-12};
    for (int k = 0; k < 4; k++) {
        test_changed_oscillator(&test, 2.0, times[k]);
        test.run.end_time = 1.0;
        test.run.step = 0.1;
        assert_int_equal(run(&test, 4), TN_OK);
        assert_int_equal(test.system.revision, 1);
        assert_int_equal(test.statistics.steps, 10);
        test_end(&test);
    }
}

static void test_parts_of_steps(void **state)
{
    (void)state;
    const tn_step_grid grid = tn_step_grid_make(0.0, 1.0, 0.1);
    assert_true(tn_step_grid_part_end(&grid, 2, tn_step_grid_time(&grid, 2), HUGE_VAL) ==
                tn_step_grid_time(&grid, 3));
    assert_true(tn_step_grid_part_end(&grid, 2, tn_step_grid_time(&grid, 2), 0.25) == 0.25);
    assert_true(tn_step_grid_part_end(&grid, 2, 0.25, 0.27) == 0.27);
    assert_true(tn_step_grid_part_end(&grid, 2, 0.25, 0.5) == tn_step_grid_time(&grid, 3));
    assert_true(tn_step_grid_part_end(&grid, 2, 0.2, 0.2 + 1e-11) == tn_step_grid_time(&grid, 3));
    assert_true(tn_step_grid_part_end(&grid, 2, 0.2, 0.3 - 1e-11) == tn_step_grid_time(&grid, 3));
    assert_true(tn_step_grid_part_step(&grid, 2, tn_step_grid_time(&grid, 2), tn_step_grid_time(&grid, 3)) ==
                0.1);
    assert_true(tn_step_grid_part_step(&grid, 2, 0.25, tn_step_grid_time(&grid, 3)) ==
                tn_step_grid_time(&grid, 3) - 0.25);

    // (end - start) / step is a little more than 40
    assert_int_equal(tn_step_grid_make(123456.8, 123456.804, 1e-4).count, 40);

    // far from zero the round-off of times is longer than a billionth of the step
    const tn_step_grid late = tn_step_grid_make(1e6, 1e6 + 1.0, 1e-4);
    const double end = tn_step_grid_time(&late, 4);
    assert_true(tn_step_grid_part_end(&late, 3, tn_step_grid_time(&late, 3), nextafter(end, 0.0)) == end);
}

/* A quadrature follows the motion and steers nothing. */
static void test_quadratures_do_not_steer_the_step(void **state)
{
    (void)state;
    uint64_t steps[3];
    double q[3];
    for (uint32_t k = 0; k < 3; k++) {
        test_system test;
        oscillator(&test);
        test.system.nx = k > 0;
        test.system.quadratures = k > 0;
        test.x[0] = k == 2 ? 1e-30 : 0.0;
        test.run = (tn_run){.end_time = 5.0,
                            .adaptive = 1,
                            .step = 0.1,
                            .step_given = 1,
                            .relative_tolerance = 1e-5,
                            .absolute_tolerance = 1e-9};
        assert_int_equal(run(&test, 5), TN_OK);
        steps[k] = test.statistics.steps + test.statistics.rejected_steps;
        q[k] = test.q[0];
        if (k) assert_true(fabs(test.x[0] - 0.5 * (test.v[0] * test.v[0] - 1.0)) < 1e-4);
        test_end(&test);
    }
    assert_true(steps[0] == steps[1] && steps[1] == steps[2]);
    assert_true(q[0] == q[1] && q[1] == q[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_are_reached),
        cmocka_unit_test(test_solution_is_the_exact_one),
        cmocka_unit_test(test_body_keeps_momentum_and_unit_quaternion),
        cmocka_unit_test(test_vector_space_agrees_with_rates),
        cmocka_unit_test(test_fixed_steps_end_on_the_end_time),
        cmocka_unit_test(test_empty_run_records_the_start),
        cmocka_unit_test(test_adaptive_meets_its_tolerance_and_lands_on_stops),
        cmocka_unit_test(test_a_first_step_is_found),
        cmocka_unit_test(test_adaptive_hits_stops_exactly),
        cmocka_unit_test(test_refused_evaluations),
        cmocka_unit_test(test_end_request_ends_the_run),
        cmocka_unit_test(test_wrong_settings_are_refused),
        cmocka_unit_test(test_system_without_bodies_runs),
        cmocka_unit_test(test_a_change_costs_no_order),
        cmocka_unit_test(test_a_step_is_cut_by_a_change),
        cmocka_unit_test(test_parts_of_steps),
        cmocka_unit_test(test_quadratures_do_not_steer_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_changes.c - what happens around GSL's steps: quadratures, changes of the model, normalisation, rest. */
#include "test_run.h"

/* ---- quadratures ---- */

static double power_factor;

/* x' = v^2 times a factor, which nothing depends on. */
static tn_status evaluate_with_power(tn_system *system)
{
    const tn_status status = test_evaluate(system);
    if (system->nx > 0) system->x_rate[0] = power_factor * system->v[0] * system->v[0];
    return status;
}

static void power_model(test_system *test, bool body, bool quadrature)
{
    if (body) {
        test_body(test);
    } else {
        test_chain(test);
    }
    test->system.evaluate = evaluate_with_power;
    test->system.nx = test->system.quadratures = quadrature;
    test->run = (tn_run){.end_time = 2.0,
                         .step = 0.1,
                         .step_given = 1,
                         .adaptive = 1,
                         .relative_tolerance = 1e-7,
                         .absolute_tolerance = 1e-7};
}

static void test_quadratures_leave_the_motion_as_it_is(void **state)
{
    (void)state;
    power_factor = 1e9; // growth that no error control would let pass
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++)
        for (int body = 0; body < 2; body++) {
            if (stepper == RK1IMP && !body) continue; // 1e5 steps
            test_system with, without;
            power_model(&with, body, true);
            power_model(&without, body, false);
            if (stepper == RK1IMP) with.run.end_time = without.run.end_time = 0.01;
            run_well(&with, stepper);
            run_well(&without, stepper);
            assert_int_equal(with.statistics.steps, without.statistics.steps);
            assert_memory_equal(with.q, without.q, sizeof with.q);
            assert_memory_equal(with.v, without.v, sizeof with.v);
            test_end(&with);
            test_end(&without);
        }
}

/* Integral of v^2 for q = cos 2t + sin 2t / 2, v = cos 2t - 2 sin 2t. */
static double work_done(double t) { return 2.5 * t - 0.375 * sin(4.0 * t) - 0.5 * (1.0 - cos(4.0 * t)); }

static void test_quadratures_are_as_exact_as_the_motion(void **state)
{
    (void)state;
    power_factor = 1.0;
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++)
        for (int adaptive = 0; adaptive < 2; adaptive++) {
            test_system test;
            test_oscillator(&test, 2.0);
            test.system.evaluate = evaluate_with_power;
            test.system.nx = test.system.quadratures = 1;
            const double tolerance = stepper == RK1IMP ? 1e-5 : 1e-8;
            test.run = (tn_run){.end_time = 1.0,
                                .step = stepper == RK1IMP ? 1e-3 : 0.01,
                                .step_given = 1,
                                .adaptive = adaptive,
                                .relative_tolerance = tolerance,
                                .absolute_tolerance = tolerance};
            run_well(&test, stepper);
            const double error = fabs(test.x[0] - work_done(1.0)),
                         of_motion = fabs(test.q[0] - cos(2.0) - 0.5 * sin(2.0));
            if (!(error < 10.0 * of_motion + 500.0 * tolerance))
                fail_msg("%s: %g, of the motion %g", stepper_name(stepper), error, of_motion);
            test_end(&test);
        }
}

/* Multistep methods choose step and order by the motion; what is integrated beside it must not go astray by that. */
static void test_quadratures_of_multistep_methods_bear_all_changes_of_step_and_order(void **state)
{
    (void)state;
    power_factor = 1.0;
    for (int32_t stepper = MSADAMS; stepper <= MSBDF; stepper++)
        for (int k = 0; k < 60; k++)
            for (int adaptive = 0; adaptive < 2; adaptive++) {
                test_system test;
                test_oscillator(&test, 2.0);
                test.system.evaluate = evaluate_with_power;
                test.system.nx = test.system.quadratures = 1;
                const double tolerance = adaptive ? pow(10.0, -4.0 - 0.1 * k) : 1e-6;
                test.run = (tn_run){.end_time = 1.0,
                                    .step = adaptive ? 0.01 : 0.2 * pow(0.92, k),
                                    .step_given = 1,
                                    .adaptive = adaptive,
                                    .relative_tolerance = tolerance,
                                    .absolute_tolerance = 1e-3 * tolerance};
                run_well(&test, stepper);
                const double error = fabs(test.x[0] - work_done(1.0)),
                             of_motion = fmax(fabs(test.q[0] - cos(2.0) - 0.5 * sin(2.0)),
                                              fabs(test.v[0] - cos(2.0) + 2.0 * sin(2.0)));
                if (!(error < 5.0 * of_motion + 20.0 * tolerance))
                    fail_msg("%s: step %g, tolerance %g: error %g", stepper_name(stepper), test.run.step,
                             tolerance, error);
                test_end(&test);
            }
}

/* From rest, where neither its value nor its slope tells how large it will be. */
static void test_quadratures_do_not_fail_an_extrapolation(void **state)
{
    (void)state;
    test_system test;
    test_oscillator(&test, 2.0);
    power_factor = 1e9;
    test.v[0] = 0.0;
    test.system.evaluate = evaluate_with_power;
    test.system.nx = test.system.quadratures = 1;
    test.run.end_time = 1.0;
    test.run.step = 0.1;
    run_well(&test, BSIMP);
    assert_int_equal(test.statistics.rejected_steps, 0);
    assert_true(fabs(test.x[0] / power_factor - (2.0 - 0.5 * sin(4.0))) < 1e-9);
    test_end(&test);
}

/* ---- changes of the model ---- */

static const double change_time = 0.33;
static double cut_times[8];
static size_t cut_count;

/* At change_time the spring becomes softer. */
static tn_status accept_with_change(tn_system *system)
{
    test_system *test = test_of(system);
    if (cut_count < 8) cut_times[cut_count++] = system->time;
    const bool due = system->time == change_time;
    if (due) {
        test->stiffness = 1.0;
        system->revision++;
        (void)test_evaluate(system);
        (void)test_accelerate(system, system->a);
    }
    system->next_change = system->next_stop = system->time < change_time ? change_time : HUGE_VAL;
    return test_accept(system);
}

/* q at time 1, frequency 2 before the change and 1 after it. */
static double changed_motion(void)
{
    const double t = change_time, rest = 1.0 - t;
    const double q = cos(2.0 * t) + 0.5 * sin(2.0 * t), v = cos(2.0 * t) - 2.0 * sin(2.0 * t);
    return q * cos(rest) + v * sin(rest);
}

static void test_changes_are_hit_and_start_anew(void **state)
{
    (void)state;
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++)
        for (int adaptive = 0; adaptive < 2; adaptive++) {
            test_system test;
            test_oscillator(&test, 2.0);
            test.system.accept = accept_with_change;
            cut_count = 0;
            const bool first_order = stepper == RK1IMP;
            test.run = (tn_run){.end_time = 1.0,
                                .step = first_order ? 1e-4 : 0.01,
                                .step_given = 1,
                                .adaptive = adaptive,
                                .relative_tolerance = first_order ? 1e-5 : 1e-8,
                                .absolute_tolerance = first_order ? 1e-5 : 1e-8};
            run_well(&test, stepper);
            const double error = fabs(test.q[0] - changed_motion()),
                         tolerance = first_order                      ? 0.01
                                     : stepper == RK2IMP && !adaptive ? 1e-4
                                                                      : 1e-5;
            if (!(error < tolerance)) fail_msg("%s: error %g", stepper_name(stepper), error);
            test_end(&test);
        }
}

static void test_fixed_steps_are_cut_at_changes(void **state)
{
    (void)state;
    static const double expected[] = {0.0, 0.25, 0.33, 0.5, 0.75, 1.0};
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++) {
        test_system test;
        test_oscillator(&test, 2.0);
        test.system.accept = accept_with_change;
        cut_count = 0;
        test.run.end_time = 1.0;
        test.run.step = 0.25;
        run_well(&test, stepper);
        assert_int_equal(cut_count, 6);
        assert_memory_equal(cut_times, expected, sizeof expected);
        test_end(&test);
    }
}

static void test_cuts_next_to_an_end_are_none(void **state)
{
    (void)state;
    const tn_step_grid grid = tn_step_grid_make(1.0, 2.0, 0.25);
    assert_true(tn_step_grid_part_end(&grid, 1, 1.25, 1.3) == 1.3);
    assert_true(tn_step_grid_part_end(&grid, 1, 1.3, HUGE_VAL) == 1.5);
    assert_true(tn_step_grid_part_end(&grid, 1, 1.25, 1.5 - 1e-11) == 1.5);
    assert_true(tn_step_grid_part_end(&grid, 1, 1.25, 1.5 + 1e-11) == 1.5);
    // one that follows the start of a step at once was made there
    assert_true(tn_step_grid_part_end(&grid, 1, 1.25, 1.25 + 1e-11) == 1.5);
    assert_true(tn_step_grid_part_end(&grid, 1, 1.25, 1.25 + 1e-8) == 1.25 + 1e-8);
    assert_true(tn_step_grid_part_step(&grid, 1, 1.25, 1.5) == 0.25);
    assert_true(tn_step_grid_part_step(&grid, 1, 1.3, 1.5) == 1.5 - 1.3);
    assert_true(tn_step_grid_fit(1.0, 0.3, 2.0) == 0.3 && tn_step_grid_fit(1.0, 0.6, 2.0) == 0.5);
    assert_true(tn_step_grid_fit(1.0, 3.0, 2.0) == 1.0);
}

/* ---- normalisation ---- */

static double moved_time, moved_speed;
static size_t normalisations;

/* Takes q back to zero once, when it has come below -0.5. */
static tn_status normalise_once(tn_system *system, double *q)
{
    normalisations++;
    if (q[0] > -0.5 || moved_time > 0.0) return TN_OK;
    q[0] = 0.0;
    moved_time = system->time;
    moved_speed = system->v[0];
    return TN_OK;
}

static void test_steppers_go_on_from_the_normalised_state(void **state)
{
    (void)state;
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++) {
        test_system test;
        test_oscillator(&test, 2.0);
        test.system.vector_space = 0;
        test.system.normalise = normalise_once;
        moved_time = 0.0;
        normalisations = 0;
        const double tolerance = stepper == RK1IMP ? 1e-5 : 1e-9;
        test.run = (tn_run){.end_time = 2.0,
                            .step = 0.01,
                            .step_given = 1,
                            .maximum_step = 0.05,
                            .adaptive = 1,
                            .relative_tolerance = tolerance,
                            .absolute_tolerance = tolerance};
        run_well(&test, stepper);
        assert_int_equal(normalisations, test.statistics.steps); // at accepted states only
        const double exact = 0.5 * moved_speed * sin(2.0 * (2.0 - moved_time));
        if (!(moved_time > 1.0 && moved_time < 1.5))
            fail_msg("%s: moved at %g", stepper_name(stepper), moved_time);
        if (!(fabs(test.q[0] - exact) < 1e3 * tolerance))
            fail_msg("%s: error %g", stepper_name(stepper), fabs(test.q[0] - exact));
        test_end(&test);
    }
}

/* The length of a quaternion drifts by round-off and truncation: no reason to start again at order 1. */
static void test_multistep_methods_keep_their_order_on_rotations(void **state)
{
    (void)state;
    double end[2][2 * TEST_SIZE];
    for (int k = 0; k < 2; k++) {
        test_system test;
        test_body(&test);
        test.run = (tn_run){.end_time = 5.0,
                            .step = 0.01,
                            .step_given = 1,
                            .adaptive = 1,
                            .relative_tolerance = 1e-10,
                            .absolute_tolerance = 1e-10};
        run_well(&test, k == 0 ? RK8PD : MSADAMS);
        if (k == 1) assert_true(test.statistics.steps < 1000);
        memcpy(end[k], test.q, sizeof test.q);
        memcpy(end[k] + TEST_SIZE, test.v, sizeof test.v);
        test_end(&test);
    }
    for (size_t i = 0; i < 2 * TEST_SIZE; i++)
        assert_true(fabs(end[0][i] - end[1][i]) < 1e-7);
}

/* ---- rest ---- */

static tn_status evaluate_with_weight(tn_system *system)
{
    const tn_status status = test_evaluate(system);
    for (uint32_t i = 0; i < system->nv; i++)
        test_of(system)->force[i] += 9.81 * test_of(system)->mass[i];
    return status;
}

/* Round-off around an equilibrium is not taken for divergence. */
static void test_rest_is_kept(void **state)
{
    (void)state;
    for (int32_t stepper = RK2; stepper <= MSBDF; stepper++)
        for (int adaptive = 0; adaptive < 2; adaptive++) {
            test_system test;
            test_begin(&test, 3, 3);
            test.system.evaluate = evaluate_with_weight;
            test.stiffness = 700.0;
            test.damping = 3.0;
            for (int i = 0; i < 3; i++) {
                test.mass[i] = 1.1 + i;
                for (int j = 0; j <= i; j++)
                    for (int k = j; k < 3; k++)
                        test.q[i] += (1.1 + k) * 9.81 / 700.0;
            }
            test.run = (tn_run){.end_time = 10.0,
                                .step = 0.01,
                                .step_given = 1,
                                .adaptive = adaptive,
                                .relative_tolerance = 1e-8,
                                .absolute_tolerance = 1e-8};
            double before[3];
            memcpy(before, test.q, sizeof before);
            run_well(&test, stepper);
            for (int i = 0; i < 3; i++)
                assert_true(fabs(test.q[i] - before[i]) < 1e-8);
            if (!adaptive) assert_int_equal(test.statistics.rejected_steps, 0);
            test_end(&test);
        }
}

/* Round-off in a velocity is no scale for the motion to come. */
static void test_motion_starts_out_of_rest(void **state)
{
    (void)state;
    for (int32_t stepper = RK2; stepper <= BSIMP; stepper++) {
        test_system test;
        test_begin(&test, 1, 1);
        test.system.evaluate = evaluate_with_weight;
        test.v[0] = 1e-17;
        test.run.end_time = 1.0;
        test.run.step = 0.01;
        run_well(&test, stepper);
        assert_int_equal(test.statistics.rejected_steps, 0);
        assert_true(fabs(test.v[0] - 9.81) < 1e-10 && fabs(test.q[0] - 0.5 * 9.81) < 0.05);
        test_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quadratures_leave_the_motion_as_it_is),
        cmocka_unit_test(test_quadratures_are_as_exact_as_the_motion),
        cmocka_unit_test(test_quadratures_of_multistep_methods_bear_all_changes_of_step_and_order),
        cmocka_unit_test(test_quadratures_do_not_fail_an_extrapolation),
        cmocka_unit_test(test_changes_are_hit_and_start_anew),
        cmocka_unit_test(test_fixed_steps_are_cut_at_changes),
        cmocka_unit_test(test_cuts_next_to_an_end_are_none),
        cmocka_unit_test(test_steppers_go_on_from_the_normalised_state),
        cmocka_unit_test(test_multistep_methods_keep_their_order_on_rotations),
        cmocka_unit_test(test_rest_is_kept),
        cmocka_unit_test(test_motion_starts_out_of_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

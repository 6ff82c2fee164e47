/* test_torsional_spring_damper.c - angle and its turns, the law and its signs, and axes that are not parallel. */
#include "../test_element.h"

static const double pi = 3.14159265358979323846;

static tn_quaternion about_z(double angle)
{
    return (tn_quaternion){cos(0.5 * angle), 0, 0, sin(0.5 * angle)};
}

/* The second frame is turned by `angle` about the common z axis, and turns with `rate` against the first. */
static void spring_begin(test_element *e, double angle, double rate)
{
    test_begin(e, "torsional_spring_damper");
    test_moving_frame(e, 0, tn_vector(1, 2, 3), about_z(0.4), tn_zero(), tn_vector(0, 0, 2));
    test_moving_frame(e, 0, tn_vector(3, 1, 5), about_z(0.4 + angle), tn_zero(), tn_vector(0, 0, 2 + rate));
    assert_int_equal(test_prepare(e), TN_OK);
}

/* Turns the second frame to another angle. */
static void turn_to(test_element *e, double angle)
{
    const tn_mat3 R = tn_rotation_of(about_z(0.4 + angle));
    memcpy(e->pose + 15, &R, sizeof R);
}

static void test_every_parameter_has_its_place_in_the_law(void **state)
{
    (void)state;
    static const struct {
        double stiffness, damping, reference_angle, torque, expected;
    } cases[] = {
        {0, 0, 0, 0, 0},  {100, 0, 0, 0, 50}, {100, 0, 0.2, 0, 30}, {100, 0, 0.7, 0, -20},
        {0, 10, 0, 0, 3}, {0, 10, 0.2, 0, 3}, {0, 0, 0, -7, -7},    {100, 10, 0.2, -7, 26},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_element e;
        spring_begin(&e, 0.5, 0.3);
        test_give(&e, "stiffness", cases[i].stiffness);
        test_give(&e, "damping", cases[i].damping);
        test_give(&e, "reference_angle", cases[i].reference_angle);
        test_give(&e, "torque", cases[i].torque);
        const double torque = cases[i].expected;
        expect_numbers(test_value(&e, "torque_local"), torque);

        // positive reduces the angle: the second against the first
        assert_int_equal(test_force(&e), TN_OK);
        expect_numbers(e.wrench, 0, 0, 0, 0, 0, torque, 0, 0, 0, 0, 0, -torque);
        expect_numbers(test_value(&e, "torque"), 0, 0, -torque);
        test_end(&e);
    }
}

static void test_outputs(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e, -2.5, 0.3);
    test_give(&e, "stiffness", 100);
    test_give(&e, "reference_angle", -2);
    test_give(&e, "torque", 5);
    expect_numbers(test_value(&e, "angle"), -2.5);
    expect_numbers(test_value(&e, "angular_velocity"), 0.3);
    expect_numbers(test_value(&e, "torque_local"), -45);
    expect_numbers(test_value(&e, "potential_energy"), 12.5);
    test_end(&e);
}

static void test_turns_are_counted_from_one_accepted_step_to_the_next(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e, 0, 0);
    assert_int_equal(e.layout.nd, TN_KEPT_DOUBLES);
    test_give(&e, "stiffness", 1);
    for (int direction = 1; direction >= -1; direction -= 2)
        for (int k = 0; k <= 30; k++) {
            const double angle = direction * 0.9 * k;
            e.active[0] = k % 2 == 0; // inactive ones count, too
            turn_to(&e, angle);
            expect_numbers(test_value(&e, "angle"), angle);

            // without an accepted step no turn is counted: the same angle is found again
            turn_to(&e, angle + 2);
            expect_numbers(test_value(&e, "angle"), angle + 2);
            turn_to(&e, angle);
            if (e.active[0]) expect_numbers(test_value(&e, "torque_local"), angle);
            assert_int_equal(e.type->accepted(&e.batch), TN_OK);
            expect_numbers(e.discrete, angle);
            if (k == 30) e.discrete[0] = 0;
        }
    test_end(&e);
}

/* A user's function that notes its arguments. */
static double argument[6];

static tn_status call_function(const tn_host *host, tn_callable callable, const double *arguments,
                               double *value, double *partials)
{
    (void)host, (void)callable, (void)partials;
    memcpy(argument, arguments, sizeof argument);
    *value = 9;
    return TN_OK;
}

static void test_a_function_replaces_the_law(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e, 0.5, 0.3);
    test_give(&e, "stiffness", 100);
    test_give(&e, "damping", 10);
    test_give(&e, "reference_angle", 0.2);
    test_give(&e, "torque", -2);
    e.host.table.call = call_function;
    *(tn_callable *)test_place(&e, test_parameter(&e, "torque_function")) = (tn_callable){&e};
    e.batch.time = 0.25;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, -9);
    expect_numbers(argument, 0.3, 0.3, 100, 10, -2, 0.25);
    expect_numbers(test_value(&e, "torque_local"), 9);

    // no potential and no dissipation are known of it
    expect_numbers(test_value(&e, "potential_energy"), 0);
    assert_int_equal(e.type->dissipation(&e.batch), TN_OK);
    expect_numbers(e.value, 0);
    test_end(&e);
}

static void test_power_is_stored_or_dissipated_also_where_the_axes_are_not_parallel(void **state)
{
    (void)state;
    static const double tilt[] = {0, 0.3, 1.2};
    for (size_t i = 0; i < sizeof tilt / sizeof *tilt; i++) {
        test_element e;
        test_begin(&e, "torsional_spring_damper");
        test_moving_frame(&e, 0, tn_zero(), (tn_quaternion){1, 0.4, -0.7, 0.2}, tn_zero(),
                          tn_vector(0.3, 0.9, -1.4));
        test_moving_frame(&e, 0, tn_zero(),
                          tn_quaternion_multiply((tn_quaternion){1, 0.4, -0.7, 0.2},
                                                 (tn_quaternion){1, 0.2 * tilt[i], tilt[i], 0.5}),
                          tn_zero(), tn_vector(2, 0.1, -0.6));
        assert_int_equal(test_prepare(&e), TN_OK);
        test_give(&e, "stiffness", 10);
        test_give(&e, "reference_angle", 0.2);
        expect_numbers(&(double){test_balance_of_power(&e)}, 0);
        test_give(&e, "damping", 3);
        const double dissipated = test_balance_of_power(&e), rate = *test_value(&e, "angular_velocity");
        expect_numbers(&dissipated, 3 * rate * rate);
        test_end(&e);
    }
}

static void test_without_an_angle_there_is_no_torque(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e, 0, 0);
    test_give(&e, "stiffness", 10);
    e.discrete[0] = 7;
    const tn_mat3 upright = {{{{0, 1, 0}}, {{0, 0, 1}}, {{1, 0, 0}}}}; // its x axis along z
    memcpy(e.pose + 15, &upright, sizeof upright);
    assert_int_equal(test_force(&e), TN_RETRY);
    assert_non_null(strstr(e.failure.message, "parallel"));
    assert_int_equal(test_output(&e, "angle"), TN_RETRY);

    // and nothing is counted
    assert_int_equal(e.type->accepted(&e.batch), TN_OK);
    expect_numbers(e.discrete, 7);
    test_end(&e);
}

static void test_inactive_transmits_nothing_but_measures(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e, 0.25 * pi, 0.3);
    test_give(&e, "stiffness", 10);
    test_give(&e, "damping", 10);
    e.active[0] = 0;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "torque"), 0, 0, 0);
    expect_numbers(test_value(&e, "torque_local"), 0);
    expect_numbers(test_value(&e, "potential_energy"), 0);
    expect_numbers(test_value(&e, "angle"), 0.25 * pi);
    expect_numbers(test_value(&e, "angular_velocity"), 0.3);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_parameter_has_its_place_in_the_law),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_turns_are_counted_from_one_accepted_step_to_the_next),
        cmocka_unit_test(test_a_function_replaces_the_law),
        cmocka_unit_test(test_power_is_stored_or_dissipated_also_where_the_axes_are_not_parallel),
        cmocka_unit_test(test_without_an_angle_there_is_no_torque),
        cmocka_unit_test(test_inactive_transmits_nothing_but_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_cartesian_spring_damper.c - the law in the axes of the first marker, who takes the moment, and energy. */
#include "../test_element.h"

/* Both markers at rest; the second stands (2, -1, 3) away from the first, whose x and y axes lie along ground's
 * y and -x: seen from there that is (-1, -2, 3). */
static void spring_begin(test_element *e)
{
    test_begin(e, "cartesian_spring_damper");
    test_frame(e, 0, tn_vector(1, 1, 1), TEST_TURN_Z);
    test_frame(e, 0, tn_vector(3, 0, 4), TEST_TURN_X);
}

static void test_springs_act_along_the_axes_of_the_first_marker(void **state)
{
    (void)state;
    static const double stiffness[3] = {10, 100, 1000};
    for (int axis = 0; axis < 3; axis++) {
        test_element e;
        spring_begin(&e);
        double k[3] = {0}, expected[3] = {0};
        k[axis] = stiffness[axis];
        test_store(&e, "stiffness", k, 3);
        test_give(&e, "offset", 0.5, -1, 2);

        // the second is pulled back along the axis: -k (u - offset)
        expected[axis] = -stiffness[axis] * (double[]){-1.5, -1, 1}[axis];
        expect_numbers(test_value(&e, "force_local"), expected[0], expected[1], expected[2]);
        test_end(&e);
    }
}

static void test_force_pair_and_its_moment(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    test_give(&e, "stiffness", 10, 100, 1000);
    test_give(&e, "offset", 0.5, -1, 2);

    // f = (-15, -100, 1000) in the first marker's axes is (100, -15, 1000) in ground axes, on the first marker,
    // with the moment (2, -1, 3) x f
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 100, -15, 1000, -1000 + 45, 300 - 2000, -30 + 100, -100, 15, -1000, 0, 0, 0);
    expect_numbers(test_value(&e, "force"), -100, 15, -1000);
    expect_numbers(test_value(&e, "force_local"), 15, 100, -1000);
    test_end(&e);
}

/* The second marker moves with (1, 2, 3); the first one's frame moves with (1, 0, 0) and turns with (0, 0, 2), which
 * would carry the second along with (2, 4, 0). */
static void test_dampers_see_what_an_observer_on_the_first_marker_sees(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "cartesian_spring_damper");
    test_frame(&e, 0, tn_vector(1, 1, 1), TEST_TURN_Z);
    test_marker(&e, 0, TN_FRAME, tn_vector(3, 0, 4), TEST_TURN_X, tn_vector(1, 2, 3));
    e.twist[0] = 1, e.twist[5] = 2;
    test_give(&e, "damping", 1, 10, 100);

    // (1, 2, 3) - (1, 0, 0) - (2, 4, 0) = (-2, -2, 3), turned to (-2, 2, 3)
    expect_numbers(test_value(&e, "velocity_local"), -2, 2, 3);
    expect_numbers(test_value(&e, "force_local"), 2, -20, -300);

    // how the second one turns does not matter
    e.twist[9] = 5;
    expect_numbers(test_value(&e, "velocity_local"), -2, 2, 3);
    test_end(&e);
}

static void test_power_is_stored_or_dissipated(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "cartesian_spring_damper");
    test_moving_frame(&e, 0, tn_vector(0.3, 1, -0.2), (tn_quaternion){1, 0.4, -0.7, 0.2},
                      tn_vector(1, -2, 0.5), tn_vector(0.3, 0.9, -1.4));
    test_moving_frame(&e, 0, tn_vector(1.3, 0.2, 0.4), (tn_quaternion){0.2, -0.4, 0.1, 0.8},
                      tn_vector(-1, 0.4, 2), tn_vector(2, 0.1, -0.6));
    test_give(&e, "stiffness", 10, 30, 20);
    test_give(&e, "offset", 0.5, -1, 2);
    expect_numbers(&(double){test_balance_of_power(&e)}, 0);
    test_give(&e, "damping", 3, 1, 2);
    const double dissipated = test_balance_of_power(&e);
    const double *v = test_value(&e, "velocity_local");
    expect_numbers(&dissipated, 3 * v[0] * v[0] + v[1] * v[1] + 2 * v[2] * v[2]);
    test_end(&e);
}

static void test_outputs_that_need_no_force(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    test_give(&e, "stiffness", 10, 100, 1000);
    test_give(&e, "offset", 0.5, -1, 2);
    expect_numbers(test_value(&e, "displacement_local"), -1, -2, 3);
    expect_numbers(test_value(&e, "potential_energy"), 0.5 * (10 * 2.25 + 100 + 1000));
    test_end(&e);
}

static void test_inactive_transmits_nothing_but_measures(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    test_give(&e, "stiffness", 10, 100, 1000);
    e.active[0] = 0;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "force"), 0, 0, 0);
    expect_numbers(test_value(&e, "force_local"), 0, 0, 0);
    expect_numbers(test_value(&e, "potential_energy"), 0);
    expect_numbers(test_value(&e, "displacement_local"), -1, -2, 3);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs_act_along_the_axes_of_the_first_marker),
        cmocka_unit_test(test_force_pair_and_its_moment),
        cmocka_unit_test(test_dampers_see_what_an_observer_on_the_first_marker_sees),
        cmocka_unit_test(test_power_is_stored_or_dissipated),
        cmocka_unit_test(test_outputs_that_need_no_force),
        cmocka_unit_test(test_inactive_transmits_nothing_but_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

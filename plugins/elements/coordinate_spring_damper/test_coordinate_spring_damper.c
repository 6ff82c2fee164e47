/* test_coordinate_spring_damper.c - the law between two coordinates and at one, and energy. */
#include "../test_element.h"

static void add_coordinate(test_element *e, double value, double rate)
{
    test_marker(e, 0, TN_COORDINATE, tn_vector(value, 0, 0), TEST_NO_TURN, tn_vector(rate, 0, 0));
}

/* u = 3 - 1 = 2, du/dt = -0.5 - 1 = -1.5 */
static void spring_begin(test_element *e)
{
    test_begin(e, "coordinate_spring_damper");
    add_coordinate(e, 1, 1);
    add_coordinate(e, 3, -0.5);
    test_give(e, "stiffness", 10);
    test_give(e, "damping", 2);
    test_give(e, "offset", 0.5);
}

static void test_the_last_coordinate_is_pulled_back_and_the_first_one_along(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    assert_int_equal(test_force(&e), TN_OK);
    // -(10 (2 - 0.5) + 2 (-1.5))
    expect_numbers(e.wrench, 12, -12);
    expect_numbers(test_value(&e, "force"), -12);
    expect_numbers(test_value(&e, "displacement"), 2);
    expect_numbers(test_value(&e, "velocity"), -1.5);
    expect_numbers(test_value(&e, "potential_energy"), 0.5 * 10 * 2.25);
    test_end(&e);
}

static void test_one_coordinate_is_held_against_zero(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "coordinate_spring_damper");
    add_coordinate(&e, 3, -0.5);
    test_give(&e, "stiffness", 10);
    test_give(&e, "damping", 2);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, -29);
    expect_numbers(test_value(&e, "displacement"), 3);
    expect_numbers(test_value(&e, "velocity"), -0.5);
    test_end(&e);
}

static void test_power_is_stored_or_dissipated(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    expect_numbers(&(double){test_balance_of_power(&e)}, 2 * 1.5 * 1.5);
    test_end(&e);
}

static void test_inactive_transmits_nothing_but_measures(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    e.active[0] = 0;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0);
    expect_numbers(test_value(&e, "force"), 0);
    expect_numbers(test_value(&e, "potential_energy"), 0);
    expect_numbers(test_value(&e, "displacement"), 2);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_last_coordinate_is_pulled_back_and_the_first_one_along),
        cmocka_unit_test(test_one_coordinate_is_held_against_zero),
        cmocka_unit_test(test_power_is_stored_or_dissipated),
        cmocka_unit_test(test_inactive_transmits_nothing_but_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

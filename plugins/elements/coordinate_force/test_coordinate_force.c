/* test_coordinate_force.c - the force at one coordinate and between two, its power, and nothing when not active. */
#include "../test_element.h"

static void add_coordinate(test_element *e, double value, double rate)
{
    test_marker(e, 0, TN_COORDINATE, tn_vector(value, 0, 0), TEST_NO_TURN, tn_vector(rate, 0, 0));
}

/* du/dt = 3 + 0.5 */
static void force_begin(test_element *e)
{
    test_begin(e, "coordinate_force");
    add_coordinate(e, 1, 3);
    add_coordinate(e, 7, -0.5);
    test_give(e, "value", 20);
}

static void test_the_first_coordinate_is_pushed_and_the_second_one_back(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 20, -20);
    expect_numbers(test_value(&e, "force"), 20);
    expect_numbers(test_value(&e, "velocity"), 3.5);
    expect_numbers(test_value(&e, "power"), 70);
    test_end(&e);
}

static void test_one_coordinate_needs_no_other(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "coordinate_force");
    add_coordinate(&e, 1, 3);
    test_give(&e, "value", -20);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, -20);
    expect_numbers(test_value(&e, "velocity"), 3);
    expect_numbers(test_value(&e, "power"), -60);
    test_end(&e);
}

static void test_its_power_is_that_of_its_forces(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    assert_int_equal(test_force(&e), TN_OK);
    const double power = e.wrench[0] * 3 + e.wrench[1] * -0.5;
    expect_numbers(test_value(&e, "power"), power);
    assert_null(e.type->potential); /* nothing of it is stored or dissipated: all counts as supplied */
    assert_null(e.type->dissipation);
    test_end(&e);
}

static void test_inactive_is_no_force_but_measures(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    e.active[0] = 0;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0);
    expect_numbers(test_value(&e, "force"), 0);
    expect_numbers(test_value(&e, "power"), 0);
    expect_numbers(test_value(&e, "velocity"), 3.5);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_coordinate_is_pushed_and_the_second_one_back),
        cmocka_unit_test(test_one_coordinate_needs_no_other),
        cmocka_unit_test(test_its_power_is_that_of_its_forces),
        cmocka_unit_test(test_inactive_is_no_force_but_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

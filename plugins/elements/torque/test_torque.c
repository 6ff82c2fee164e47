/* test_torque.c - axes of a given torque and its reaction. */
#include "../test_element.h"

enum { MARKERS, AXES };

static void torque_begin(test_element *e)
{
    test_begin(e, "torque");
    test_give(e, "value", 1, 2, 3);
    test_frame(e, MARKERS, tn_vector(5, 6, 7), TEST_TURN_Z);
}

static void test_ground_axes_unless_said_otherwise(void **state)
{
    (void)state;
    test_element e;
    torque_begin(&e);
    assert_int_equal(test_prepare(&e), TN_OK);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 1, 2, 3);
    expect_numbers(test_value(&e, "value"), 1, 2, 3);
    expect_numbers(test_value(&e, "torque"), 1, 2, 3);
    test_end(&e);
}

static void test_local_turns_with_the_first_marker(void **state)
{
    (void)state;
    test_element e;
    torque_begin(&e);
    test_give(&e, "local", true);
    assert_int_equal(test_prepare(&e), TN_OK);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, -2, 1, 3);
    expect_numbers(test_value(&e, "value"), 1, 2, 3);
    expect_numbers(test_value(&e, "torque"), -2, 1, 3);
    test_end(&e);
}

static void test_the_second_marker_takes_the_reaction_wherever_it_stands(void **state)
{
    (void)state;
    test_element e;
    torque_begin(&e);
    test_frame(&e, MARKERS, tn_vector(-1, 0, 100), TEST_TURN_X);
    assert_int_equal(test_prepare(&e), TN_OK);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 1, 2, 3, 0, 0, 0, -1, -2, -3);

    // with local components still in the first marker's axes
    test_give(&e, "local", true);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, -2, 1, 3, 0, 0, 0, 2, -1, -3);
    test_end(&e);
}

static void test_axes_of_a_marker_that_receives_nothing(void **state)
{
    (void)state;
    test_element e;
    torque_begin(&e);
    test_frame(&e, AXES, tn_zero(), TEST_TURN_X);
    assert_int_equal(test_prepare(&e), TN_OK);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 1, -3, 2, 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "torque"), 1, -3, 2);
    test_end(&e);

    torque_begin(&e);
    test_frame(&e, MARKERS, tn_zero(), TEST_NO_TURN);
    test_frame(&e, AXES, tn_zero(), TEST_TURN_X);
    assert_int_equal(test_prepare(&e), TN_OK);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 1, -3, 2, 0, 0, 0, -1, 3, -2, 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "value"), 1, 2, 3);
    test_end(&e);
}

static void test_inactive_is_no_torque(void **state)
{
    (void)state;
    test_element e;
    torque_begin(&e);
    e.active[0] = 0;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "value"), 0, 0, 0);
    expect_numbers(test_value(&e, "torque"), 0, 0, 0);
    test_end(&e);
}

static void test_takes_frames_only_and_one_kind_of_axes(void **state)
{
    (void)state;
    test_element e;
    torque_begin(&e);
    assert_int_equal(e.type->ports[MARKERS].kind, TN_FRAME);
    assert_int_equal(e.type->ports[AXES].kind, TN_FRAME);

    test_give(&e, "local", true);
    test_frame(&e, AXES, tn_zero(), TEST_NO_TURN);
    assert_int_equal(test_prepare(&e), TN_INVALID);
    assert_string_equal(e.host.parameter, "local");
    assert_non_null(strstr(e.host.message, "`axes`"));
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ground_axes_unless_said_otherwise),
        cmocka_unit_test(test_local_turns_with_the_first_marker),
        cmocka_unit_test(test_the_second_marker_takes_the_reaction_wherever_it_stands),
        cmocka_unit_test(test_axes_of_a_marker_that_receives_nothing),
        cmocka_unit_test(test_inactive_is_no_torque),
        cmocka_unit_test(test_takes_frames_only_and_one_kind_of_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

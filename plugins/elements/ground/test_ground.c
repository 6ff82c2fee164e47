/* test_ground.c - fixed frames: where their markers stand, and that nothing moves them. */
#include "../test_body.h"

static void wall_begin(test_element *e)
{
    test_begin(e, "ground");
    test_give(e, "position", 1, 2, 3);
    test_store(e, "rotation", TEST_TURN_Z, 9);
    assert_int_equal(test_prepare(e), TN_OK);
}

static void test_exists_undeclared_at_the_origin(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "ground");
    assert_true(e.type->flags & TN_PRESENT);
    expect_numbers(test_value(&e, "position"), 0, 0, 0);
    expect_numbers(test_value(&e, "rotation"), 1, 0, 0, 0, 1, 0, 0, 0, 1);
    test_end(&e);
}

static void test_has_no_coordinates(void **state)
{
    (void)state;
    test_element e;
    wall_begin(&e);
    assert_int_equal(e.layout.nq, 0);
    assert_int_equal(e.layout.nv, 0);
    test_end(&e);
}

static void test_outputs_are_the_pose_that_was_given(void **state)
{
    (void)state;
    test_element e;
    wall_begin(&e);
    expect_numbers(test_value(&e, "position"), 1, 2, 3);
    expect_numbers(test_value(&e, "rotation"), 0, -1, 0, 1, 0, 0, 0, 0, 1);
    test_end(&e);
}

static void test_markers_stand_in_the_turned_frame(void **state)
{
    (void)state;
    test_element e;
    wall_begin(&e);

    // one metre along the turned x axis; the marker's own turn comes first, the wall's second
    assert_int_equal(test_bind(&e, TN_FRAME, tn_vector(1, 0, 0), TEST_TURN_X), TN_OK);
    test_no_numbers(e.pose, 12);
    test_ride(&e, e.type->pose);
    expect_numbers(e.pose, 1, 3, 3, 0, 0, 1, 1, 0, 0, 0, 1, 0);

    // a point has the position only
    assert_int_equal(test_bind(&e, TN_POINT, tn_vector(0, 1, 5), TEST_NO_TURN), TN_OK);
    test_no_numbers(e.pose, 12);
    test_ride(&e, e.type->pose);
    expect_numbers(e.pose, 0, 2, 8);
    assert_true(isnan(e.pose[3]));
    test_end(&e);
}

static void test_markers_do_not_move_and_swallow_wrenches(void **state)
{
    (void)state;
    test_element e;
    wall_begin(&e);
    assert_int_equal(test_bind(&e, TN_FRAME, tn_vector(1, 0, 0), TEST_TURN_X), TN_OK);
    test_no_numbers(e.twist, 6);
    test_ride(&e, e.type->twist);
    expect_numbers(e.twist, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < 6; i++)
        e.wrench[i] = 1000;
    test_ride(&e, e.type->pull_back);
    expect_numbers(e.force, 0, 0, 0, 0, 0, 0);

    // a point has no angular velocity
    assert_int_equal(test_bind(&e, TN_POINT, tn_zero(), TEST_NO_TURN), TN_OK);
    test_no_numbers(e.twist, 6);
    test_ride(&e, e.type->twist);
    expect_numbers(e.twist, 0, 0, 0);
    assert_true(isnan(e.twist[3]));
    test_end(&e);
}

static void test_coordinates_are_those_of_its_position_and_do_not_move(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "y", "z", NULL};
    static const double expected[] = {1, 2, 3, 0}; // without a name: the fixed coordinate zero
    test_element e;
    wall_begin(&e);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(test_bind_coordinate(&e, names[i]), TN_OK);
        test_no_numbers(e.pose, 2);
        test_no_numbers(e.twist, 2);
        test_ride(&e, e.type->pose);
        test_ride(&e, e.type->twist);
        expect_numbers(e.pose, expected[i]);
        expect_numbers(e.twist, 0);
        assert_true(isnan(e.pose[1]) && isnan(e.twist[1]));
    }
    test_only_axes_are_coordinates(&e, false);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exists_undeclared_at_the_origin),
        cmocka_unit_test(test_has_no_coordinates),
        cmocka_unit_test(test_outputs_are_the_pose_that_was_given),
        cmocka_unit_test(test_markers_stand_in_the_turned_frame),
        cmocka_unit_test(test_markers_do_not_move_and_swallow_wrenches),
        cmocka_unit_test(test_coordinates_are_those_of_its_position_and_do_not_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

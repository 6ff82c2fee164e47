/* test_force.c - axes of a given force, its reaction, and who takes the moment of the pair. */
#include "../test_element.h"

enum { MARKERS, AXES };

static void force_begin(test_element *e)
{
    test_begin(e, "force");
    test_give(e, "value", 1, 2, 3);
}

static void test_ground_axes_unless_said_otherwise(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    test_frame(&e, MARKERS, tn_vector(5, 6, 7), TEST_TURN_Z);
    assert_int_equal(test_prepare(&e), TN_OK);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 1, 2, 3, 0, 0, 0);
    expect_numbers(test_value(&e, "value"), 1, 2, 3);
    expect_numbers(test_value(&e, "force"), 1, 2, 3);
    test_end(&e);
}

static void test_local_turns_with_the_first_marker(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    test_give(&e, "local", true);
    test_frame(&e, MARKERS, tn_zero(), TEST_TURN_Z);
    test_frame(&e, MARKERS, tn_zero(), TEST_TURN_X);
    assert_int_equal(test_prepare(&e), TN_OK);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, -2, 1, 3, 0, 0, 0, 2, -1, -3, 0, 0, 0);

    // `value` is as given, `force` in ground axes
    expect_numbers(test_value(&e, "value"), 1, 2, 3);
    expect_numbers(test_value(&e, "force"), -2, 1, 3);
    test_end(&e);
}

static void test_axes_of_a_marker_that_receives_nothing(void **state)
{
    (void)state;
    for (int reaction = 0; reaction < 2; reaction++) {
        test_element e;
        force_begin(&e);
        test_frame(&e, MARKERS, tn_zero(), TEST_TURN_Z);
        if (reaction) test_point(&e, MARKERS, tn_zero(), tn_zero());
        test_frame(&e, AXES, tn_vector(9, 9, 9), TEST_TURN_X);
        assert_int_equal(test_prepare(&e), TN_OK);
        assert_int_equal(test_force(&e), TN_OK);
        if (reaction)
            expect_numbers(e.wrench, 1, -3, 2, 0, 0, 0, -1, 3, -2, 0, 0, 0, 0, 0, 0);
        else
            expect_numbers(e.wrench, 1, -3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        expect_numbers(test_value(&e, "value"), 1, 2, 3);
        expect_numbers(test_value(&e, "force"), 1, -3, 2);
        test_end(&e);
    }
}

/* The second marker stands 1 m along x from the first: the moment of the pair is (1, 0, 0) x (1, 2, 3). */
static void test_the_first_frame_takes_the_moment(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    test_frame(&e, MARKERS, tn_vector(1, 1, 1), TEST_TURN_Z);
    test_frame(&e, MARKERS, tn_vector(2, 1, 1), TEST_NO_TURN);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 1, 2, 3, 0, -3, 2, -1, -2, -3, 0, 0, 0);
    test_end(&e);

    // also against a point
    force_begin(&e);
    test_frame(&e, MARKERS, tn_vector(1, 1, 1), TEST_TURN_Z);
    test_point(&e, MARKERS, tn_vector(2, 1, 1), tn_zero());
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 1, 2, 3, 0, -3, 2, -1, -2, -3);
    test_end(&e);
}

static void test_the_second_takes_it_when_only_that_is_a_frame(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    test_point(&e, MARKERS, tn_vector(1, 1, 1), tn_zero());
    test_frame(&e, MARKERS, tn_vector(2, 1, 1), TEST_TURN_Z);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 1, 2, 3, -1, -2, -3, 0, -3, 2);
    test_end(&e);
}

static void test_between_points_the_line_of_the_force_joins_them(void **state)
{
    (void)state;
    static const double along[] = {2.0, -0.7, 0.0};
    for (size_t i = 0; i < sizeof along / sizeof *along; i++) {
        test_element e;
        force_begin(&e);
        test_point(&e, MARKERS, tn_vector(1, 1, 1), tn_zero());
        test_point(&e, MARKERS, tn_vector(1 + along[i], 1 + 2 * along[i], 1 + 3 * along[i]), tn_zero());
        assert_int_equal(test_force(&e), TN_OK);
        expect_numbers(e.wrench, 1, 2, 3, -1, -2, -3);
        test_end(&e);
    }

    // a millimetre beside it, nothing takes the moment
    test_element e;
    force_begin(&e);
    test_point(&e, MARKERS, tn_vector(1, 1, 1), tn_zero());
    test_point(&e, MARKERS, tn_vector(2, 3, 4.001), tn_zero());
    assert_int_equal(test_force(&e), TN_INVALID);
    assert_int_equal(e.failure.status, TN_INVALID);
    assert_non_null(strstr(e.failure.message, "moment"));
    test_end(&e);
}

static void test_a_point_alone_needs_no_line(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    test_point(&e, MARKERS, tn_vector(5, 0, 0), tn_zero());
    assert_int_equal(test_prepare(&e), TN_OK);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 1, 2, 3);
    test_end(&e);
}

static void test_inactive_is_no_force(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    test_frame(&e, MARKERS, tn_zero(), TEST_TURN_Z);
    e.active[0] = 0;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "value"), 0, 0, 0);
    expect_numbers(test_value(&e, "force"), 0, 0, 0);
    test_end(&e);
}

static void test_local_needs_axes_and_only_one_kind(void **state)
{
    (void)state;
    test_element e;
    force_begin(&e);
    test_give(&e, "local", true);
    test_point(&e, MARKERS, tn_zero(), tn_zero());
    test_frame(&e, MARKERS, tn_zero(), TEST_NO_TURN);
    assert_int_equal(test_prepare(&e), TN_INVALID);
    assert_string_equal(e.host.parameter, "local");
    assert_non_null(strstr(e.host.message, "point"));
    test_end(&e);

    force_begin(&e);
    test_give(&e, "local", true);
    test_frame(&e, MARKERS, tn_zero(), TEST_NO_TURN);
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
        cmocka_unit_test(test_axes_of_a_marker_that_receives_nothing),
        cmocka_unit_test(test_the_first_frame_takes_the_moment),
        cmocka_unit_test(test_the_second_takes_it_when_only_that_is_a_frame),
        cmocka_unit_test(test_between_points_the_line_of_the_force_joins_them),
        cmocka_unit_test(test_a_point_alone_needs_no_line),
        cmocka_unit_test(test_inactive_is_no_force),
        cmocka_unit_test(test_local_needs_axes_and_only_one_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

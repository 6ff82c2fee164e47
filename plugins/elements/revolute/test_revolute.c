/* test_revolute.c - a hinge at every angle, its angle with all turns, its outputs. */
#include "../test_joint.h"

static const tn_vec3 free_motion[1][2] = {{{{0}}, {{0, 0, 1}}}};

static void test_holds_at_every_angle(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "revolute");
    joint_ready(&j);
    for (int k = -12; k <= 12; k++) {
        joint_place(&j, tn_zero(), turn_about(2, k * pi / 6));
        expect_to_hold(&j, 1, free_motion);
    }
    test_end(&j.e);
}

static void test_angle_is_that_of_the_last_frame_in_the_first(void **state)
{
    (void)state;
    static const double angles[] = {0, 0.3, -0.3, 0.5, -0.5, 2.0 / 3, -2.0 / 3, 0.999, -0.999};
    test_joint j;
    joint_begin(&j, "revolute");
    joint_ready(&j);
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        joint_place(&j, tn_zero(), turn_about(2, angles[k] * pi));
        joint_move(&j, tn_zero(), tn_vector(0, 0, 0.7));
        expect_coordinate(&j, "angle", angles[k] * pi, 0.7);
    }
    test_end(&j.e);
}

/* Half a turn is pi at the start, from whichever side rounding comes. */
static void test_half_a_turn_at_the_start_is_positive(void **state)
{
    (void)state;
    static const double sides[] = {-1e-12, 0, 1e-12};
    test_joint j;
    joint_begin(&j, "revolute");
    joint_ready(&j);
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        joint_place(&j, tn_zero(), turn_about(2, pi + sides[k]));
        expect_coordinate(&j, "angle", pi + sides[k], 0);
    }
    joint_place(&j, tn_zero(), turn_about(2, pi + 1e-6));
    expect_coordinate(&j, "angle", 1e-6 - pi, 0);
    test_end(&j.e);
}

static void test_turns_are_counted_from_one_accepted_step_to_the_next(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "revolute");
    joint_ready(&j);
    assert_int_equal(j.e.layout.nd, TN_KEPT_DOUBLES);
    for (int direction = 1; direction >= -1; direction -= 2) {
        j.e.discrete[0] = 0;
        for (int k = 0; k <= 30; k++) {
            const double angle = direction * 0.9 * k;
            j.e.active[0] = k % 2 == 0; // inactive ones count, too
            joint_place(&j, tn_zero(), turn_about(2, angle));
            expect_coordinate(&j, "angle", angle, 0);
            assert_int_equal(j.e.type->accepted(&j.e.batch), TN_OK);
            expect_numbers(j.e.discrete, angle);
        }
    }
    test_end(&j.e);
}

static void test_without_an_angle_nothing_is_counted(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "revolute");
    joint_ready(&j);
    j.e.discrete[0] = 7;
    joint_place(&j, tn_zero(), turn_about(1, -0.5 * pi)); // its x axis along z
    assert_int_equal(test_output(&j.e, "angle"), TN_RETRY);
    assert_non_null(strstr(j.e.failure.message, "is undefined"));
    assert_int_equal(j.e.type->accepted(&j.e.batch), TN_OK);
    expect_numbers(j.e.discrete, 7);
    test_end(&j.e);
}

static void test_closes_from_far_off(void **state)
{
    (void)state;
    expect_to_close_unless_opposite("revolute", 0, "z axes of its markers point in opposite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds_at_every_angle),
        cmocka_unit_test(test_angle_is_that_of_the_last_frame_in_the_first),
        cmocka_unit_test(test_half_a_turn_at_the_start_is_positive),
        cmocka_unit_test(test_turns_are_counted_from_one_accepted_step_to_the_next),
        cmocka_unit_test(test_without_an_angle_nothing_is_counted),
        cmocka_unit_test(test_closes_from_far_off),
        cmocka_unit_test_prestate(test_joint_outputs, "revolute"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

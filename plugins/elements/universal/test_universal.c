/* test_universal.c - a cross at every pair of angles, and what these are. */
#include "../test_joint.h"

static tn_quaternion turned(double angle_1, double angle_2)
{
    return tn_quaternion_multiply(turn_about(0, angle_1), turn_about(1, angle_2));
}

static void test_holds_at_every_pair_of_angles(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "universal");
    joint_ready(&j);
    for (int a = -6; a <= 6; a++)
        for (int b = -6; b <= 6; b++) {
            const double angle = a * pi / 6;
            const tn_vec3 motions[2][2] = {{{{0}}, {{1}}}, {{{0}}, {{0, cos(angle), sin(angle)}}}};
            joint_place(&j, tn_zero(), turned(angle, b * pi / 6));
            expect_to_hold(&j, 2, motions);
        }
    test_end(&j.e);
}

/* First about x of the first frame, then about y of the last: also where one of them is a quarter turn. */
static void test_angles_and_their_rates(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "universal");
    joint_ready(&j);
    for (int a = -5; a <= 5; a++)
        for (int b = -5; b <= 5; b++) {
            const double angle = a * pi / 6;
            joint_place(&j, tn_zero(), turned(angle, b * pi / 6));
            joint_move(&j, tn_zero(), tn_vector(2, -3 * cos(angle), -3 * sin(angle)));
            expect_coordinate(&j, "angle_1", angle, 2);
            expect_coordinate(&j, "angle_2", b * pi / 6, -3);
        }
    test_end(&j.e);
}

static void test_both_angles_count_turns(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "universal");
    joint_ready(&j);
    assert_int_equal(j.e.layout.nd, 2 * TN_KEPT_DOUBLES);
    for (int k = 0; k <= 20; k++) {
        joint_place(&j, tn_zero(), turned(0.9 * k, -1.1 * k));
        expect_coordinate(&j, "angle_1", 0.9 * k, 0);
        expect_coordinate(&j, "angle_2", -1.1 * k, 0);
        assert_int_equal(j.e.type->accepted(&j.e.batch), TN_OK);
    }
    test_end(&j.e);
}

static void test_closes_from_far_off(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "universal");
    joint_ready(&j);
    expect_to_close(&j);
    test_end(&j.e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds_at_every_pair_of_angles),
        cmocka_unit_test(test_angles_and_their_rates),
        cmocka_unit_test(test_both_angles_count_turns),
        cmocka_unit_test(test_closes_from_far_off),
        cmocka_unit_test_prestate(test_joint_outputs, "universal"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

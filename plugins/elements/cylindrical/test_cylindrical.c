/* test_cylindrical.c - a sliding hinge at every angle and translation, and its two coordinates. */
#include "../test_joint.h"

static const tn_vec3 free_motions[2][2] = {{{{0, 0, 1}}, {{0}}}, {{{0}}, {{0, 0, 1}}}};

static void test_holds_at_every_angle_and_translation(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "cylindrical");
    joint_ready(&j);
    for (int k = -12; k <= 12; k++) {
        joint_place(&j, tn_vector(0, 0, 0.4 * k), turn_about(2, k * pi / 6));
        expect_to_hold(&j, 2, free_motions);
    }
    test_end(&j.e);
}

static void test_coordinates(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "cylindrical");
    joint_ready(&j);
    assert_int_equal(j.e.layout.nd, TN_KEPT_DOUBLES);
    for (int k = 0; k <= 10; k++) {
        joint_place(&j, tn_vector(0, 0, 0.1 * k - 0.3), turn_about(2, 1.5 * k));
        joint_move(&j, tn_vector(0, 0, -0.2), tn_vector(0, 0, 3));
        expect_coordinate(&j, "angle", 1.5 * k, 3);
        expect_coordinate(&j, "translation", 0.1 * k - 0.3, -0.2);
        assert_int_equal(j.e.type->accepted(&j.e.batch), TN_OK);
    }
    test_end(&j.e);
}

static void test_closes_from_far_off(void **state)
{
    (void)state;
    expect_to_close_unless_opposite("cylindrical", 1, "z axes of its markers point in opposite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds_at_every_angle_and_translation),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_closes_from_far_off),
        cmocka_unit_test_prestate(test_joint_outputs, "cylindrical"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

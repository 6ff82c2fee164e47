/* test_planar.c - a frame everywhere in a plane, and its coordinates there. */
#include "../test_joint.h"

static const tn_vec3 free_motions[3][2] = {{{{1}}, {{0}}}, {{{0, 1}}, {{0}}}, {{{0}}, {{0, 0, 1}}}};

static void test_holds_everywhere_in_the_plane(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "planar");
    joint_ready(&j);
    for (int k = -12; k <= 12; k++) {
        joint_place(&j, tn_vector(0.5 * k, 3 - 0.2 * k * k, 0), turn_about(2, k * pi / 6));
        expect_to_hold(&j, 3, free_motions);
    }
    test_end(&j.e);
}

static void test_coordinates(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "planar");
    joint_ready(&j);
    assert_int_equal(j.e.layout.nd, TN_KEPT_DOUBLES);
    for (int k = 0; k <= 10; k++) {
        joint_place(&j, tn_vector(2, -0.5 * k, 0), turn_about(2, -1.2 * k));
        joint_move(&j, tn_vector(0.25, 4, 0), tn_vector(0, 0, 1.5));
        expect_coordinate(&j, "x", 2, 0.25);
        expect_coordinate(&j, "y", -0.5 * k, 4);
        expect_coordinate(&j, "angle", -1.2 * k, 1.5);
        assert_int_equal(j.e.type->accepted(&j.e.batch), TN_OK);
    }
    test_end(&j.e);
}

static void test_closes_from_far_off(void **state)
{
    (void)state;
    expect_to_close_unless_opposite("planar", 1, "z axes of its markers point in opposite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds_everywhere_in_the_plane),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_closes_from_far_off),
        cmocka_unit_test_prestate(test_joint_outputs, "planar"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

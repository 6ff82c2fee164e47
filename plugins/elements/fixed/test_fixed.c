/* test_fixed.c - two frames that coincide: nothing is free. */
#include "../test_joint.h"

static void test_holds_six_motions(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "fixed");
    joint_ready(&j);
    expect_to_hold(&j, 0, NULL);
    test_end(&j.e);
}

static void test_every_motion_is_seen_by_a_row_of_its_own(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "fixed");
    joint_ready(&j);
    for (int motion = 0; motion < 6; motion++) {
        tn_vec3 offset = tn_zero();
        if (motion < 3) offset.e[motion] = 0.1;
        offset = tn_rotate_back(j.first, offset); // the first rows are in ground axes
        joint_place(&j, offset, motion < 3 ? turn_about(0, 0) : turn_about(motion - 3, 0.1));
        assert_int_equal(joint_evaluate(&j), TN_OK);
        for (int r = 0; r < 6; r++)
            assert_true(r == motion ? fabs(j.residual[r]) > 0.09 : fabs(j.residual[r]) < 1e-14);
    }
    test_end(&j.e);
}

static void test_closes_from_far_off(void **state)
{
    (void)state;
    expect_to_close_unless_opposite("fixed", 1, "turned by 180 degrees");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds_six_motions),
        cmocka_unit_test(test_every_motion_is_seen_by_a_row_of_its_own),
        cmocka_unit_test(test_closes_from_far_off),
        cmocka_unit_test_prestate(test_joint_outputs, "fixed"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

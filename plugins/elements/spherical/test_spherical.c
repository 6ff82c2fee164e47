/* test_spherical.c - two points that coincide: points and frames, rows that never change, reactions. */
#include "../test_joint.h"

static void test_holds_for_every_rotation(void **state)
{
    (void)state;
    static const tn_vec3 turns[3][2] = {{{{0}}, {{1}}}, {{{0}}, {{0, 1}}}, {{{0}}, {{0, 0, 1}}}};
    test_joint j;
    joint_begin(&j, "spherical");
    joint_ready(&j);
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 12; k++) {
            joint_place(&j, tn_zero(), turn_about(axis, k * pi / 6));
            expect_to_hold(&j, 3, turns);
        }
    test_end(&j.e);
}

static void test_residual_is_the_gap_in_ground_axes(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "spherical");
    joint_ready(&j);
    joint_place(&j, tn_vector(0.1, 0.2, -0.3), turn_about(0, 1));
    const tn_vec3 gap = tn_rotate(j.first, tn_vector(0.1, 0.2, -0.3));
    assert_int_equal(joint_evaluate(&j), TN_OK);
    expect_numbers(j.residual, gap.e[0], gap.e[1], gap.e[2]);
    assert_true(j.e.type->flags & TN_CONSTANT_ROWS);
    expect_numbers(j.rows + 12, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
    expect_reactions_as_outputs(&j);
    expect_error_as_output(&j);
    test_end(&j.e);
}

/* Points first and last, and one of each: the columns move together, and a point has ground axes and no torque. */
static void test_points_will_do(void **state)
{
    (void)state;
    for (uint32_t kinds = 0; kinds < 4; kinds++) {
        test_joint j = {0};
        test_begin(&j.e, "spherical");
        const double *const turned = kinds & 1u ? TEST_TURN_Z : TEST_NO_TURN;
        test_marker(&j.e, 0, kinds & 1u ? TN_FRAME : TN_POINT, tn_vector(1, 2, 3), turned, tn_zero());
        test_marker(&j.e, 0, kinds & 2u ? TN_FRAME : TN_POINT, tn_vector(1, 2, 5), TEST_TURN_X, tn_zero());
        joint_ready(&j);
        assert_int_equal(joint_evaluate(&j), TN_OK);
        expect_numbers(j.residual, 0, 0, 2);
        const uint32_t last = kinds & 1u ? 6 : 3, size = j.e.batch.wrench_size;
        expect_numbers(j.rows + size + 1, -1);
        expect_numbers(j.rows + size + last + 1, 1);

        for (uint32_t k = 0; k < size; k++)
            j.e.wrench[k] = k;
        expect_numbers(test_value(&j.e, "force"), last, last + 1, last + 2);
        if (kinds & 1u)
            expect_numbers(test_value(&j.e, "force_local"), last + 1, -(double)last, last + 2);
        else
            expect_numbers(test_value(&j.e, "force_local"), last, last + 1, last + 2);
        if (kinds & 2u)
            expect_numbers(test_value(&j.e, "torque"), last + 3, last + 4, last + 5);
        else
            expect_numbers(test_value(&j.e, "torque"), 0, 0, 0);
        test_end(&j.e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds_for_every_rotation),
        cmocka_unit_test(test_residual_is_the_gap_in_ground_axes),
        cmocka_unit_test(test_points_will_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

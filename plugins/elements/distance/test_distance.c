/* test_distance.c - a rod between two points: its row, its length, given or found, and points without a direction. */
#include "../test_joint.h"

static void rod_begin(test_joint *j, tn_vec3 second)
{
    memset(j, 0, sizeof *j);
    test_begin(&j->e, "distance");
    test_point(&j->e, 0, tn_vector(1, 2, 3), tn_zero());
    test_point(&j->e, 0, second, tn_zero());
}

static void move_second(test_joint *j, tn_vec3 to) { memcpy(j->e.pose + 12, &to, sizeof to); }

static void test_residual_and_row(void **state)
{
    (void)state;
    test_joint j;
    rod_begin(&j, tn_vector(4, 6, 3)); // 3, 4, 0 away
    test_give(&j.e, "length", 4.5);
    joint_ready(&j);
    assert_int_equal(joint_evaluate(&j), TN_OK);
    expect_numbers(j.residual, 0.5);
    expect_numbers(j.rows, -0.6, -0.8, 0, 0.6, 0.8, 0);
    expect_numbers(test_value(&j.e, "constraint_error"), 0.5);
    move_second(&j, tn_vector(1, 2, -1));
    assert_int_equal(joint_evaluate(&j), TN_OK);
    expect_numbers(j.residual, -0.5);
    expect_numbers(j.rows, 0, 0, 1, 0, 0, -1);
    expect_numbers(test_value(&j.e, "constraint_error"), 0.5);
    test_end(&j.e);
}

static void test_the_length_at_the_start_is_kept(void **state)
{
    (void)state;
    test_joint j;
    rod_begin(&j, tn_vector(4, 6, 3));
    joint_ready(&j);
    assert_int_equal(j.e.layout.nd, 1);

    // until the start is accepted the points are as far from each other as they shall be
    move_second(&j, tn_vector(1, 2, 5));
    assert_int_equal(joint_evaluate(&j), TN_OK);
    expect_numbers(j.residual, 0);
    expect_numbers(j.rows, 0, 0, -1, 0, 0, 1);
    assert_int_equal(j.e.type->accepted(&j.e.batch), TN_OK);
    for (int k = 0; k < 3; k++) {
        move_second(&j, tn_vector(1, 2, 6 + k));
        assert_int_equal(joint_evaluate(&j), TN_OK);
        expect_numbers(j.residual, 1 + k);
        assert_int_equal(j.e.type->accepted(&j.e.batch), TN_OK);
    }
    test_end(&j.e);
}

static void test_a_given_length_takes_no_data(void **state)
{
    (void)state;
    test_joint j;
    rod_begin(&j, tn_vector(4, 6, 3));
    test_give(&j.e, "length", 2);
    joint_ready(&j);
    assert_int_equal(j.e.layout.nd, 0);
    j.e.discrete[0] = 7;
    assert_int_equal(j.e.type->accepted(&j.e.batch), TN_OK);
    expect_numbers(j.e.discrete, 7);
    const tn_parameter *length = test_parameter(&j.e, "length");
    assert_true(length->low == 0.0 && (length->flags & TN_ABOVE_LOW) && (length->flags & TN_OPTIONAL));
    test_end(&j.e);
}

static void test_points_at_one_place_have_no_direction(void **state)
{
    (void)state;
    test_joint j;
    rod_begin(&j, tn_vector(1, 2, 3));
    joint_ready(&j);
    assert_int_equal(joint_evaluate(&j), TN_RETRY);
    assert_non_null(strstr(j.e.failure.message, "coincide at the start"));
    j.e.active[0] = 0; // which is nobody's business then
    j.e.failure = (tn_failure){0};
    assert_int_equal(joint_evaluate(&j), TN_OK);
    expect_numbers(j.rows, 0, 0, 0, 0, 0, 0);
    test_end(&j.e);

    rod_begin(&j, tn_vector(1, 2, 3));
    test_give(&j.e, "length", 2);
    joint_ready(&j);
    assert_int_equal(joint_evaluate(&j), TN_RETRY);
    assert_non_null(strstr(j.e.failure.message, "no direction"));
    test_end(&j.e);
}

static void test_reactions_are_outputs(void **state)
{
    (void)state;
    test_joint j;
    rod_begin(&j, tn_vector(4, 6, 3));
    joint_ready(&j);
    const double wrench[6] = {-1, -2, -3, 1, 2, 3};
    memcpy(j.e.wrench, wrench, sizeof wrench);
    expect_numbers(test_value(&j.e, "force"), 1, 2, 3);
    expect_numbers(test_value(&j.e, "force_local"), 1, 2, 3);
    expect_numbers(test_value(&j.e, "torque"), 0, 0, 0);
    expect_numbers(test_value(&j.e, "torque_local"), 0, 0, 0);
    test_end(&j.e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residual_and_row),
        cmocka_unit_test(test_the_length_at_the_start_is_kept),
        cmocka_unit_test(test_a_given_length_takes_no_data),
        cmocka_unit_test(test_points_at_one_place_have_no_direction),
        cmocka_unit_test(test_reactions_are_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_coordinate_constraint.c - a linear equation between coordinates: its row, its forces, and lists that do not fit. */
#include "../test_joint.h"

static void equation_begin(test_joint *j, const double *factors, uint64_t count)
{
    memset(j, 0, sizeof *j);
    test_begin(&j->e, "coordinate_constraint");
    for (int k = 0; k < 3; k++)
        test_marker(&j->e, 0, TN_COORDINATE, tn_vector(k + 1, 0, 0), TEST_NO_TURN, tn_zero());
    *(tn_list *)test_place(&j->e, test_parameter(&j->e, "factors")) = (tn_list){factors, count};
}

static void test_the_sum_is_held(void **state)
{
    (void)state;
    static const double factors[] = {0.5, 2, -1};
    test_joint j;
    equation_begin(&j, factors, 3);
    test_give(&j.e, "offset", 4);
    joint_ready(&j);
    assert_int_equal(joint_evaluate(&j), TN_OK);
    expect_numbers(j.residual, 0.5 + 4 - 3 - 4);
    expect_numbers(j.rows, 0.5, 2, -1);
    expect_numbers(test_value(&j.e, "constraint_error"), 2.5);
    assert_true(j.e.type->flags & TN_CONSTANT_ROWS);
    test_end(&j.e);
}

static void test_forces_are_outputs(void **state)
{
    (void)state;
    static const double factors[] = {0.5, 2, -1};
    test_joint j;
    equation_begin(&j, factors, 3);
    joint_ready(&j);
    const double wrench[] = {5, 20, -10};
    memcpy(j.e.wrench, wrench, sizeof wrench);
    expect_numbers(test_value(&j.e, "reaction"), 5);
    expect_numbers(test_value(&j.e, "force"), -10);
    test_end(&j.e);
}

static void test_factors_are_as_many_as_coordinates(void **state)
{
    (void)state;
    static const double factors[] = {1, 1, 1, 1}, zeros[3] = {0};
    for (uint64_t count = 1; count <= 4; count++) {
        test_joint j;
        equation_begin(&j, factors, count);
        assert_int_equal(test_prepare(&j.e), count == 3 ? TN_OK : TN_INVALID);
        if (count != 3) assert_string_equal(j.e.host.parameter, "factors");
        test_end(&j.e);
    }
    test_joint j;
    equation_begin(&j, zeros, 3);
    assert_int_equal(test_prepare(&j.e), TN_INVALID);
    assert_non_null(strstr(j.e.host.message, "all factors are zero"));
    test_end(&j.e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_sum_is_held),
        cmocka_unit_test(test_forces_are_outputs),
        cmocka_unit_test(test_factors_are_as_many_as_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

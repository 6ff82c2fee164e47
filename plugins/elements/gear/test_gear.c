/* test_gear.c - a ratio between two coordinates: its row, its offset, given or found, and its forces. */
#include "../test_joint.h"

static void gear_begin(test_joint *j, double first, double last)
{
    memset(j, 0, sizeof *j);
    test_begin(&j->e, "gear");
    test_marker(&j->e, 0, TN_COORDINATE, tn_vector(first, 0, 0), TEST_NO_TURN, tn_zero());
    test_marker(&j->e, 0, TN_COORDINATE, tn_vector(last, 0, 0), TEST_NO_TURN, tn_zero());
    test_give(&j->e, "ratio", -2.5);
}

static void test_rates_are_in_the_ratio(void **state)
{
    (void)state;
    test_joint j;
    gear_begin(&j, 3, 4);
    test_give(&j.e, "offset", 1);
    joint_ready(&j);
    assert_int_equal(j.e.layout.nd, 0);
    assert_true(j.e.type->flags & TN_CONSTANT_ROWS);
    assert_int_equal(joint_evaluate(&j), TN_OK);
    expect_numbers(j.residual, 3 + 2.5 * 4 - 1);
    expect_numbers(j.rows, 1, 2.5);
    expect_numbers(test_value(&j.e, "constraint_error"), 12);
    test_end(&j.e);
}

/* Also an offset of zero is kept once it was found. */
static void test_the_offset_at_the_start_is_kept(void **state)
{
    (void)state;
    static const double start[] = {3, -10};
    for (size_t k = 0; k < 2; k++) {
        test_joint j;
        gear_begin(&j, start[k], 4);
        joint_ready(&j);
        assert_int_equal(j.e.layout.nd, 2);
        assert_int_equal(joint_evaluate(&j), TN_OK);
        expect_numbers(j.residual, 0);
        for (int turn = 0; turn < 3; turn++) {
            assert_int_equal(j.e.type->accepted(&j.e.batch), TN_OK);
            j.e.pose[0] += 0.5;
            assert_int_equal(joint_evaluate(&j), TN_OK);
            expect_numbers(j.residual, 0.5 * (turn + 1));
        }
        test_end(&j.e);
    }
}

static void test_forces_are_outputs(void **state)
{
    (void)state;
    test_joint j;
    gear_begin(&j, 3, 4);
    joint_ready(&j);
    j.e.wrench[0] = 6;
    j.e.wrench[1] = 15;
    expect_numbers(test_value(&j.e, "reaction"), 6);
    expect_numbers(test_value(&j.e, "force"), 15);
    test_end(&j.e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_are_in_the_ratio),
        cmocka_unit_test(test_the_offset_at_the_start_is_kept),
        cmocka_unit_test(test_forces_are_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

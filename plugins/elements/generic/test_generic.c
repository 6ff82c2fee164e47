/* test_generic.c - every choice of locked motions: how many rows, that they are independent, and that what is free stays
 * free through whole turns. */
#include "../test_joint.h"

static void lock(test_joint *j, unsigned choice)
{
    double locked[6];
    for (unsigned k = 0; k < 6; k++)
        locked[k] = choice >> k & 1u;
    test_store(&j->e, "locked", locked, 6);
}

static unsigned count_locked(unsigned choice)
{
    unsigned count = 0;
    for (; choice; choice >>= 1)
        count += choice & 1u;
    return count;
}

/* Somewhere that the choice allows: moved along all free axes, turned about the first free one. */
static void go_somewhere(test_joint *j, unsigned choice, double way)
{
    tn_vec3 offset = tn_zero();
    tn_quaternion turn = turn_about(0, 0);
    for (int k = 0; k < 3; k++)
        if (!(choice >> k & 1u)) offset.e[k] = (1 + k) * way;
    for (int k = 2; k >= 0; k--)
        if (!(choice >> (3 + k) & 1u)) turn = turn_about(k, way);
    joint_place(j, offset, turn);
}

static void test_every_choice_holds_through_a_turn(void **state)
{
    (void)state;
    for (unsigned choice = 1; choice < 64; choice++) {
        test_joint j;
        joint_begin(&j, "generic");
        lock(&j, choice);
        joint_ready(&j);
        assert_int_equal(j.e.layout.position_rows, count_locked(choice));
        for (int k = -6; k <= 6; k++) {
            go_somewhere(&j, choice, k * pi / 6);
            assert_int_equal(joint_evaluate(&j), TN_OK);
            for (uint32_t r = 0; r < j.e.layout.position_rows; r++)
                assert_true(fabs(j.residual[r]) < 1e-14);
            expect_independent_rows(&j);
        }
        test_end(&j.e);
    }
}

static void test_every_choice_closes_from_far_off(void **state)
{
    (void)state;
    for (unsigned choice = 1; choice < 64; choice++) {
        test_joint j;
        joint_begin(&j, "generic");
        lock(&j, choice);
        joint_ready(&j);
        expect_to_close(&j);
        test_end(&j.e);
    }
}

/* From frames that coincide each locked motion moves a residual, and a free one none. */
static void test_what_is_locked_is_seen(void **state)
{
    (void)state;
    for (unsigned choice = 1; choice < 64; choice++) {
        test_joint j;
        joint_begin(&j, "generic");
        lock(&j, choice);
        joint_ready(&j);
        for (int motion = 0; motion < 6; motion++) {
            tn_vec3 offset = tn_zero();
            if (motion < 3) offset.e[motion] = 0.1;
            joint_place(&j, offset, motion < 3 ? turn_about(0, 0) : turn_about(motion - 3, 0.1));
            assert_int_equal(joint_evaluate(&j), TN_OK);
            unsigned moved = 0;
            for (uint32_t r = 0; r < j.e.layout.position_rows; r++)
                moved += fabs(j.residual[r]) > 1e-14;
            assert_int_equal(moved, choice >> motion & 1u);
        }
        test_end(&j.e);
    }
}

static void test_nothing_locked_is_an_error(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "generic");
    lock(&j, 0);
    assert_int_equal(test_prepare(&j.e), TN_INVALID);
    assert_string_equal(j.e.host.parameter, "locked");
    assert_non_null(strstr(j.e.host.message, "nothing is locked"));
    test_end(&j.e);
}

static void test_outputs(void **state)
{
    (void)state;
    test_joint j;
    joint_begin(&j, "generic");
    lock(&j, 077);
    joint_ready(&j);
    expect_reactions_as_outputs(&j);
    expect_error_as_output(&j);
    test_end(&j.e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_choice_holds_through_a_turn),
        cmocka_unit_test(test_every_choice_closes_from_far_off),
        cmocka_unit_test(test_what_is_locked_is_seen),
        cmocka_unit_test(test_nothing_locked_is_an_error),
        cmocka_unit_test(test_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

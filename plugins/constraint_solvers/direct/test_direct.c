/* test_direct.c - joints by one factorisation: exact, of least norm, and refused where they contradict each other */
#include "direct.c"

#include "../test_impulses.h"

static const direct standard = {.tolerance = 1e-8};

static void joints_stand_still(void **state)
{
    (void)state;
    static test_problem t;
    test_solver s = test_open(&direct_type, &standard);
    tn_impulse_outcome outcome;
    for (uint64_t seed = 1; seed < 30; seed++) {
        test_make_bodies(&t, 10, seed);
        for (uint32_t b = 0; b + 1 < 10; b++)
            test_add_block(&t, TN_JOINT_LAW, 1 + (uint32_t)(seed + b) % 5, b, b + 1, 0.0);
        if (seed % 3 == 0) test_add_block(&t, TN_JOINT_LAW, 2, 2, 7, 0.0); // bodies with three joints
        t.problem.independent_joints = seed % 2; // by blocks, or by the linear solver
        assert_int_equal(test_run(&s, &t, &outcome), TN_OK);
        test_check_laws(&t, 1e-11);
    }
    direct_type.destroy(s.self);
}

/* The same row three times, and half of it: they carry as 1 : 1 : 1 : 1/2. */
static void dependent_rows_share_by_least_norm(void **state)
{
    (void)state;
    static test_problem t;
    test_solver s = test_open(&direct_type, &standard);
    tn_impulse_outcome outcome;
    test_make_bodies(&t, 2, 7);
    test_add_block(&t, TN_JOINT_LAW, 4, 0, 1, 0.0);
    for (uint32_t r = 1; r < 4; r++) {
        const double share = r == 3 ? 0.5 : 1.0;
        for (uint32_t e = 0; e < 12; e++)
            t.value[t.row_start[r] + e] = share * t.value[e];
        t.free_rate[r] = share * t.free_rate[0];
    }
    assert_int_equal(test_run(&s, &t, &outcome), TN_OK);
    test_check_laws(&t, 1e-10);
    for (uint32_t r = 1; r < 4; r++)
        assert_true(fabs(t.impulse[r] - (r == 3 ? 0.5 : 1.0) * t.impulse[0]) < 1e-10 * fabs(t.impulse[0]));
    direct_type.destroy(s.self);
}

static void contradictions_are_told_with_their_block(void **state)
{
    (void)state;
    static test_problem t;
    test_solver s = test_open(&direct_type, &standard);
    tn_impulse_outcome outcome;
    test_make_bodies(&t, 4, 3);
    test_add_block(&t, TN_JOINT_LAW, 2, 0, 1, 0.0);
    test_add_block(&t, TN_JOINT_LAW, 1, 2, 3, 0.0);
    test_add_block(&t, TN_JOINT_LAW, 1, 2, 3, 0.0);
    memcpy(t.value + t.row_start[3], t.value + t.row_start[2], 12 * sizeof(double));
    t.free_rate[2] = 1.0;
    t.free_rate[3] = -1.0;
    assert_int_equal(test_run(&s, &t, &outcome), TN_RETRY);
    assert_true(outcome.worst == 1 || outcome.worst == 2);
    assert_true(outcome.error > 1e-3);
    direct_type.destroy(s.self);
}

static void contacts_are_not_for_it(void **state)
{
    (void)state;
    static test_problem t;
    test_solver s = test_open(&direct_type, &standard);
    tn_impulse_outcome outcome;
    test_make_bodies(&t, 2, 3);
    test_add_block(&t, TN_JOINT_LAW, 2, 0, 1, 0.0);
    test_add_block(&t, TN_CONE_LAW, 3, 0, 1, 0.5);
    assert_int_equal(test_run(&s, &t, &outcome), TN_UNSUPPORTED);
    assert_int_equal(outcome.worst, 1);
    direct_type.destroy(s.self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(joints_stand_still),
                                       cmocka_unit_test(dependent_rows_share_by_least_norm),
                                       cmocka_unit_test(contradictions_are_told_with_their_block),
                                       cmocka_unit_test(contacts_are_not_for_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

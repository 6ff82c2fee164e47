/* test_gauss_seidel.c - each law in closed form, and problems of many blocks */
#include "gauss_seidel.c"

#include "acceleration.c"
#include "blocks.c"
#include "columns.c"
#include "cone.c"
#include "finish.c"

#include "../test_impulses.h"

static const gauss_seidel standard = {.tolerance = 1e-10, .most_iterations = 100000, .joints = ELIMINATED},
                          sweeping = {.tolerance = 1e-10, .most_iterations = 1000000, .joints = SWEPT};

/* ---- one cone ---------------------------------------------------------------------------------------------------- */

/* The single contact of Siconos: it slips. */
static void a_single_contact_slips_as_published(void **state)
{
    (void)state;
    const double W[9] = {15, -1, -2, -1, 14, 1, -2, 1, 16}, q[3] = {-1, 2, 3};
    double p[3];
    solve_cone(0.1, W, q, p);
    assert_true(fabs(p[0] - 0.0656956829) < 1e-10);
    assert_true(fabs(p[1] + 0.0036786149) < 1e-10);
    assert_true(fabs(p[2] + 0.0054430708) < 1e-10);
    double u[3];
    for (int i = 0; i < 3; i++)
        u[i] = q[i] + W[3 * i] * p[0] + W[3 * i + 1] * p[1] + W[3 * i + 2] * p[2];
    assert_true(fabs(u[0]) < 1e-14);
    assert_true(fabs(u[1] - 1.8773606376) < 1e-9 && fabs(u[2] - 2.7778408863) < 1e-9);
}

/* Any positive W: the natural map vanishes. */
static void every_cone_is_solved(void **state)
{
    (void)state;
    static test_problem t;
    int slips = 0, sticks = 0, opens = 0;
    memset(&t, 0, sizeof t);
    for (int k = 0; k < 20000; k++) {
        double L[3][3], W[9], q[3], p[3], u[3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                L[i][j] = test_draw(&t);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                W[3 * i + j] = i == j ? 0.02 : 0.0;
                for (int m = 0; m < 3; m++)
                    W[3 * i + j] += L[i][m] * L[j][m];
            }
        for (int i = 0; i < 3; i++)
            q[i] = test_draw(&t);
        const double friction = 0.6 * fabs(test_draw(&t));
        solve_cone(friction, W, q, p);
        for (int i = 0; i < 3; i++)
            u[i] = q[i] + W[3 * i] * p[0] + W[3 * i + 1] * p[1] + W[3 * i + 2] * p[2];
        const double slip = hypot(u[1], u[2]), held = hypot(p[1], p[2]), size = 1.0 + hypot(p[0], held);
        assert_true(u[0] >= -1e-9 * size && p[0] >= 0.0 && fabs(u[0] * p[0]) <= 1e-9 * size);
        assert_true(held <= friction * p[0] * (1.0 + 1e-9) + 1e-12);
        assert_true(slip * (friction * p[0] - held) <= 1e-8 * size);
        assert_true(u[1] * p[1] + u[2] * p[2] + slip * held <= 1e-8 * size);
        opens += p[0] == 0.0;
        slips += p[0] > 0.0 && slip > 1e-9;
        sticks += p[0] > 0.0 && slip <= 1e-9;
    }
    assert_true(opens > 200 && slips > 200 && sticks > 200);
}

static void a_cone_without_friction_is_a_normal(void **state)
{
    (void)state;
    const double W[9] = {2, 1, 0, 1, 3, 0, 0, 0, 3}, q[3] = {-4, 1, 1};
    double p[3];
    solve_cone(0.0, W, q, p);
    assert_true(p[0] == 2.0 && p[1] == 0.0 && p[2] == 0.0);
}

/* ---- many -------------------------------------------------------------------------------------------------------- */

static void laws_hold_in(const gauss_seidel *instance, uint32_t joints, uint32_t coupled, double tolerance)
{
    static test_problem t;
    test_solver s = test_open(&gauss_seidel_type, instance);
    tn_impulse_outcome outcome;
    for (uint64_t seed = 1; seed < 20; seed++) {
        test_make_bodies(&t, 8, seed);
        t.problem.block_diagonal = !coupled;
        for (uint32_t b = 0; b < joints; b++)
            test_add_block(&t, TN_JOINT_LAW, 3, b, b + 1, 0.0);
        for (uint32_t b = 0; b < 8; b += 2)
            test_add_block(&t, TN_UNILATERAL_LAW, 1, b, (b + 3) % 8 > b ? (b + 3) % 8 : b, 0.0);
        for (uint32_t b = 0; b < 7; b++)
            test_add_block(&t, TN_CONE_LAW, 3, b, b + 1, 0.15);
        const tn_status status = test_run(&s, &t, &outcome);
        if (status != TN_OK) fail_msg("seed %d: error %g", (int)seed, outcome.error);
        test_check_laws(&t, tolerance);
        const uint32_t cold = outcome.iterations;
        assert_int_equal(test_run(&s, &t, &outcome), TN_OK); /* from its own solution */
        assert_true(outcome.iterations <= CHECK_EVERY || outcome.iterations < cold);
    }
    gauss_seidel_type.destroy(s.self);
}

static void contacts_are_solved(void **state)
{
    (void)state;
    laws_hold_in(&standard, 0, 0, 1e-7);
    laws_hold_in(&standard, 0, 1, 1e-7);
}

static void joints_hold_beside_contacts(void **state)
{
    (void)state;
    laws_hold_in(&standard, 4, 0, 1e-7);
    laws_hold_in(&sweeping, 4, 0, 1e-7);
    laws_hold_in(&sweeping, 4, 1, 1e-7);
}

/* The impulses of joints that are swept, and eliminated, agree. */
static void both_ways_agree(void **state)
{
    (void)state;
    static test_problem t[2];
    tn_impulse_outcome outcome;
    for (int k = 0; k < 2; k++) {
        test_solver s = test_open(&gauss_seidel_type, k ? &sweeping : &standard);
        test_make_bodies(&t[k], 6, 5);
        for (uint32_t b = 0; b < 5; b++)
            test_add_block(&t[k], TN_JOINT_LAW, 3, b, b + 1, 0.0);
        test_add_block(&t[k], TN_CONE_LAW, 3, 0, 5, 0.3);
        assert_int_equal(test_run(&s, &t[k], &outcome), TN_OK);
        gauss_seidel_type.destroy(s.self);
    }
    for (uint32_t r = 0; r < t[0].problem.rows; r++)
        assert_true(fabs(t[0].impulse[r] - t[1].impulse[r]) < 1e-7);
}

/* A row twice within a joint: both carry the same. */
static void dependent_rows_of_a_joint_share(void **state)
{
    (void)state;
    static test_problem t;
    tn_impulse_outcome outcome;
    for (int k = 0; k < 2; k++) {
        test_solver s = test_open(&gauss_seidel_type, k ? &sweeping : &standard);
        test_make_bodies(&t, 2, 7);
        test_add_block(&t, TN_JOINT_LAW, 3, 0, 1, 0.0);
        memcpy(t.value + t.row_start[2], t.value, 12 * sizeof(double));
        t.free_rate[2] = t.free_rate[0];
        assert_int_equal(test_run(&s, &t, &outcome), TN_OK);
        assert_true(fabs(t.impulse[2] - t.impulse[0]) < 1e-9 * fabs(t.impulse[0]));
        test_check_laws(&t, 1e-8);
        gauss_seidel_type.destroy(s.self);
    }
}

/* A table on four legs: the reactions are not unique, but the iteration ends. */
static void redundant_contacts_end(void **state)
{
    (void)state;
    static test_problem t;
    tn_impulse_outcome outcome;
    test_solver s = test_open(&gauss_seidel_type, &standard);
    test_make_bodies(&t, 1, 1);
    const double leg[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (uint32_t k = 0; k < 4; k++) {
        test_add_block(&t, TN_CONE_LAW, 3, 0, 0, 0.5);
        const double x = leg[k][0], y = leg[k][1], z = -1.0;
        const double rows[3][6] = {{0, 0, 1, y, -x, 0}, {1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}};
        memcpy(t.value + t.row_start[3 * k], rows, sizeof rows);
        t.free_rate[3 * k] = -0.01;
        t.free_rate[3 * k + 1] = t.free_rate[3 * k + 2] = 0.0;
    }
    assert_int_equal(test_run(&s, &t, &outcome), TN_OK);
    test_check_laws(&t, 1e-9);
    gauss_seidel_type.destroy(s.self);
}

static void what_is_not_solved_is_told(void **state)
{
    (void)state;
    static test_problem t;
    const gauss_seidel hasty = {.tolerance = 1e-14, .most_iterations = 1, .joints = SWEPT};
    tn_impulse_outcome outcome;
    test_solver s = test_open(&gauss_seidel_type, &hasty);
    test_make_bodies(&t, 8, 2);
    for (uint32_t b = 0; b < 7; b++)
        test_add_block(&t, TN_JOINT_LAW, 3, b, b + 1, 0.0);
    assert_int_equal(test_run(&s, &t, &outcome), TN_RETRY);
    assert_true(outcome.error > 1e-14 && outcome.worst < 7 && outcome.iterations > 0);
    gauss_seidel_type.destroy(s.self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_contact_slips_as_published), cmocka_unit_test(every_cone_is_solved),
        cmocka_unit_test(a_cone_without_friction_is_a_normal), cmocka_unit_test(contacts_are_solved),
        cmocka_unit_test(joints_hold_beside_contacts),         cmocka_unit_test(both_ways_agree),
        cmocka_unit_test(dependent_rows_of_a_joint_share),     cmocka_unit_test(redundant_contacts_end),
        cmocka_unit_test(what_is_not_solved_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

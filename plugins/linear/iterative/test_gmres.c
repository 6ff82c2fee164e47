/* test_gmres.c - generalised minimal residuals against dense on unsymmetric matrices of all kinds */
#include "gmres.c"

#include "test_iterative.h"

static const gmres
    standard = {.tolerance = 1e-12, .iterations = 2000, .preconditioner = INCOMPLETE, .restart = 50},
    with_blocks = {.tolerance = 1e-12, .iterations = 2000, .preconditioner = BLOCKS, .restart = 50},
    forgetful = {.tolerance = 1e-12, .iterations = 2000, .preconditioner = BLOCKS, .restart = 4};

static void test_unsymmetric_lattices_agree_with_dense(void **state)
{
    (void)state;
    test_lattice l = {.edge = 4, .mass = 0.1};
    for (l.body = 1; l.body <= 7; l.body++)
        for (l.asymmetry = 0.0; l.asymmetry < 1.0; l.asymmetry = l.asymmetry * 10.0 + 1e-3) {
            assert_true(test_against_dense(&gmres_type, &standard, &l, 1e-9) < 100);
            assert_true(test_against_dense(&gmres_type, &with_blocks, &l, 1e-9) < 100);
        }
}

static void test_restarts_take_more_iterations(void **state)
{
    (void)state;
    const test_lattice l = {.edge = 5, .body = 3, .mass = 0.1, .asymmetry = 0.3};
    assert_true(test_against_dense(&gmres_type, &with_blocks, &l, 1e-9) <
                test_against_dense(&gmres_type, &forgetful, &l, 1e-9));
}

static void test_constraints_agree_with_dense(void **state)
{
    (void)state;
    for (double E = -1e-6; E < 2e-6; E += 2e-6) {
        const test_lattice l = {
            .edge = 4, .body = 6, .constraints = 40, .rows = 5, .mass = 1.0, .E = E, .asymmetry = 0.05};
        assert_true(test_against_dense(&gmres_type, &standard, &l, 1e-8) < 300);
    }
}

/* Neither the pattern nor the values have any order. */
static void test_random_matrices_agree_with_dense(void **state)
{
    (void)state;
    test_host host;
    static test_sparse sparse;
    gmres settings = standard;
    settings.restart = 1000; /* as many as there are unknowns will do */
    test_begin(&host);
    for (uint32_t size = 1; size <= 60; size += 7) {
        test_sparse_pattern(&sparse, size, 4);
        void *self = test_create(&gmres_type, &host, &settings, &sparse.matrix);
        for (uint32_t seed = 1; seed <= 20; seed++) {
            double x[TEST_MATRIX_SIZE], b[TEST_MATRIX_SIZE];
            test_sparse_values(&sparse, seed);
            test_right(size, seed, x);
            test_right(size, seed, b);
            assert_int_equal(gmres_type.factor(self, &sparse.matrix), TN_OK);
            if (gmres_type.solve(self, x) != TN_OK) fail_msg("%u, seed %u: %s", size, seed, host.message);
            const double difference = test_difference(&sparse.matrix, x, b);
            if (difference > 1e-7) fail_msg("%u, seed %u: %g", size, seed, difference);
        }
        gmres_type.destroy(self);
    }
    test_host_end(&host);
}

static void test_indefinite_bodies(void **state)
{
    (void)state;
    const test_lattice l = {.edge = 4, .body = 3, .mass = -5.0, .asymmetry = 0.1};
    gmres settings = standard;
    settings.restart = 200;
    assert_true(test_against_dense(&gmres_type, &settings, &l, 1e-8) < 300);
}

static void test_too_few_iterations_are_an_error(void **state)
{
    (void)state;
    test_host host;
    gmres settings = standard;
    settings.iterations = 3;
    const test_lattice l = {.edge = 4, .body = 6, .mass = 0.1, .asymmetry = 0.3};
    assert_int_equal(test_status_of(&gmres_type, &settings, &l, &host), TN_FATAL);
    test_expect_words(&host, WORDS("gmres has not converged: after 3 iterations", "\"klu\""));
}

/* Three masses less springs between them, which may move together. */
static void test_a_singular_matrix_that_no_block_tells_of(void **state)
{
    (void)state;
    test_host host;
    const int32_t start[] = {0, 2, 5, 7}, row[] = {0, 1, 0, 1, 2, 1, 2};
    double value[] = {1.0, -1.0, -1.0, 2.0, -1.0, -1.0, 1.0};
    const tn_matrix A = {sizeof A, 3, start, row, value};
    assert_int_equal(test_status(&gmres_type, &standard, &A, &host), TN_FATAL);
    test_expect_words(&host, WORDS("gmres has not converged"));
}

static void test_bits_do_not_depend_on_the_order_of_blocks(void **state)
{
    (void)state;
    test_same_bits(&gmres_type, &standard,
                   &(test_lattice){.edge = 16, .body = 6, .mass = 0.1, .asymmetry = 0.2});
}

static void test_state_holds_all(void **state)
{
    (void)state;
    test_state_is_all(&gmres_type, &standard,
                      &(test_lattice){.edge = 4, .body = 6, .mass = 0.1, .asymmetry = 0.2});
}

static void test_extreme_matrices(void **state)
{
    (void)state;
    test_extremes(&gmres_type, &standard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unsymmetric_lattices_agree_with_dense),
        cmocka_unit_test(test_restarts_take_more_iterations),
        cmocka_unit_test(test_constraints_agree_with_dense),
        cmocka_unit_test(test_random_matrices_agree_with_dense),
        cmocka_unit_test(test_indefinite_bodies),
        cmocka_unit_test(test_too_few_iterations_are_an_error),
        cmocka_unit_test(test_a_singular_matrix_that_no_block_tells_of),
        cmocka_unit_test(test_bits_do_not_depend_on_the_order_of_blocks),
        cmocka_unit_test(test_state_holds_all),
        cmocka_unit_test(test_extreme_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

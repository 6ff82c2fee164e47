/* test_pcg.c - conjugate gradients against dense on lattices, and what they refuse */
#include "pcg.c"

#include "test_iterative.h"

static const pcg standard = {.tolerance = 1e-12, .iterations = 2000, .preconditioner = INCOMPLETE},
                 with_blocks = {.tolerance = 1e-12, .iterations = 2000, .preconditioner = BLOCKS};

static void test_lattices_agree_with_dense(void **state)
{
    (void)state;
    for (uint32_t body = 1; body <= 7; body++) {
        const test_lattice l = {.edge = 4, .body = body, .mass = 0.1};
        const int64_t few = test_against_dense(&pcg_type, &standard, &l, 1e-10);
        const int64_t many = test_against_dense(&pcg_type, &with_blocks, &l, 1e-10);
        assert_true(few < many && many < 60);
    }
}

/* Each digit takes about as many iterations as the one before, and fewer with incomplete factors. */
static void test_a_lattice_converges_digit_by_digit(void **state)
{
    (void)state;
    const test_lattice l = {.edge = 6, .body = 3, .mass = 1e-3};
    int64_t before = 0, blocks = 0;
    for (int digits = 3; digits <= 12; digits += 3) {
        pcg settings = standard;
        settings.tolerance = pow(10.0, -digits);
        const int64_t count = test_against_dense(&pcg_type, &settings, &l, 100.0 * settings.tolerance);
        assert_true(count > before && count <= before + 12);
        before = count;
        settings.preconditioner = BLOCKS;
        blocks = test_against_dense(&pcg_type, &settings, &l, 100.0 * settings.tolerance);
        assert_true(blocks > count);
    }
    assert_true(before <= 30 && blocks <= 60);
}

static void test_a_slight_asymmetry_costs_iterations_only(void **state)
{
    (void)state;
    test_lattice l = {.edge = 4, .body = 6, .mass = 0.1};
    const int64_t symmetric = test_against_dense(&pcg_type, &standard, &l, 1e-10);
    for (double asymmetry = 1e-10; asymmetry < 0.1; asymmetry *= 10.0) {
        l.asymmetry = asymmetry;
        assert_true(test_against_dense(&pcg_type, &standard, &l, 1e-10) <= 2 * symmetric);
    }
}

static void test_unsymmetric_matrices_are_refused(void **state)
{
    (void)state;
    test_host host;
    const test_lattice l = {.edge = 3, .body = 6, .mass = 1.0, .asymmetry = 2.0};
    assert_int_equal(test_status_of(&pcg_type, &standard, &l, &host), TN_UNSUPPORTED);
    test_expect_words(&host, WORDS("pcg needs a symmetric matrix", "\"gmres\"", "\"klu\""));
}

static void test_constraints_are_refused(void **state)
{
    (void)state;
    test_host host;
    test_lattice l = {.edge = 3, .body = 6, .constraints = 5, .rows = 3, .mass = 1.0, .E = 1e-8};
    for (; l.E > -1e-7; l.E -= 2e-8) {
        assert_int_equal(test_status_of(&pcg_type, &standard, &l, &host), TN_UNSUPPORTED);
        test_expect_words(&host, WORDS("constraints make it indefinite", "\"minres\""));
    }
}

/* Found by a block, and by a direction that no block tells of. */
static void test_indefinite_matrices_are_refused(void **state)
{
    (void)state;
    test_host host;
    test_lattice l = {.edge = 3, .body = 3, .mass = -20.0};
    assert_int_equal(test_status_of(&pcg_type, &standard, &l, &host), TN_UNSUPPORTED);
    test_expect_words(&host, WORDS("pcg needs a positive definite matrix", "\"gmres\""));
    l.mass = -5.0;
    host.message[0] = 0;
    assert_int_equal(test_status_of(&pcg_type, &standard, &l, &host), TN_UNSUPPORTED);
    test_expect_words(&host, WORDS("pcg needs a positive definite matrix"));
}

static void test_too_few_iterations_are_an_error_with_numbers(void **state)
{
    (void)state;
    test_host host;
    pcg settings = standard;
    settings.iterations = 3;
    const test_lattice l = {.edge = 5, .body = 3, .mass = 1e-3, .asymmetry = 1e-5};
    assert_int_equal(test_status_of(&pcg_type, &settings, &l, &host), TN_FATAL);
    test_expect_words(&host, WORDS("pcg has not converged: after 3 iterations", "residual", "1e-12",
                                   "\"klu\"", "unsymmetric by", "\"gmres\""));
}

/* Where the tolerance is below round-off, that is reached, and enough. */
static void test_round_off_is_the_end(void **state)
{
    (void)state;
    pcg settings = standard;
    settings.tolerance = 1e-15;
    settings.iterations = 200;
    const test_lattice l = {.edge = 5, .body = 6, .mass = 1e-6};
    assert_true(test_against_dense(&pcg_type, &settings, &l, 1e-11) < 100);
}

static void test_bits_do_not_depend_on_the_order_of_blocks(void **state)
{
    (void)state;
    test_same_bits(&pcg_type, &standard, &(test_lattice){.edge = 16, .body = 6, .mass = 0.1});
}

static void test_state_holds_all(void **state)
{
    (void)state;
    test_state_is_all(&pcg_type, &standard, &(test_lattice){.edge = 4, .body = 6, .mass = 0.1});
}

static void test_extreme_matrices(void **state)
{
    (void)state;
    test_extremes(&pcg_type, &standard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattices_agree_with_dense),
        cmocka_unit_test(test_a_lattice_converges_digit_by_digit),
        cmocka_unit_test(test_a_slight_asymmetry_costs_iterations_only),
        cmocka_unit_test(test_unsymmetric_matrices_are_refused),
        cmocka_unit_test(test_constraints_are_refused),
        cmocka_unit_test(test_indefinite_matrices_are_refused),
        cmocka_unit_test(test_too_few_iterations_are_an_error_with_numbers),
        cmocka_unit_test(test_round_off_is_the_end),
        cmocka_unit_test(test_bits_do_not_depend_on_the_order_of_blocks),
        cmocka_unit_test(test_state_holds_all),
        cmocka_unit_test(test_extreme_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

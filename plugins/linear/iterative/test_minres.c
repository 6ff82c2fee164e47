/* test_minres.c - minimal residuals against dense on lattices with constraints, in the kernel's form and the symmetric one */
#include "minres.c"

#include "test_iterative.h"

static const minres standard = {.tolerance = 1e-12, .iterations = 2000, .preconditioner = INCOMPLETE},
                    with_blocks = {.tolerance = 1e-12, .iterations = 2000, .preconditioner = BLOCKS};

/* The difference of one solution from that of `dense`, and its iterations. */
static double solve_once(test_host *host, const tn_matrix *A, int64_t *iterations)
{
    double *x = malloc((A->size + 1u) * sizeof *x), *b = malloc((A->size + 1u) * sizeof *b);
    void *self = test_create(&minres_type, host, &standard, A);
    test_right(A->size, 1, x);
    test_right(A->size, 1, b);
    assert_int_equal(minres_type.factor(self, A), TN_OK);
    assert_int_equal(minres_type.solve(self, x), TN_OK);
    *iterations = ((iterative *)self)->last;
    const double difference = test_difference(A, x, b);
    minres_type.destroy(self);
    free(x);
    free(b);
    return difference;
}

/* Rows below and columns beside have opposite signs, or the same one and -E. */
static void test_constrained_lattices_agree_with_dense(void **state)
{
    (void)state;
    for (double E = -1e-6; E < 2e-6; E += 2e-6)
        for (uint32_t rows = 1; rows <= 6; rows++) {
            const test_lattice l = {
                .edge = 4, .body = 6, .constraints = 60, .rows = rows, .mass = 1.0, .E = E};
            assert_true(test_against_dense(&minres_type, &standard, &l, 1e-8) < 200);
        }
}

static void test_blocks_alone_take_more_iterations(void **state)
{
    (void)state;
    const test_lattice l = {.edge = 5, .body = 3, .constraints = 100, .rows = 2, .mass = 0.1, .E = 1e-8};
    assert_true(test_against_dense(&minres_type, &standard, &l, 1e-8) <
                test_against_dense(&minres_type, &with_blocks, &l, 1e-8));
}

static void test_a_chain_takes_a_few_iterations(void **state)
{
    (void)state;
    test_blocks t;
    test_host host;
    const test_lattice l = {.edge = 4, .body = 6, .constraints = 63, .rows = 5, .mass = 1.0, .E = 1e-10};
    test_begin(&host);
    test_make(&t, &l);
    /* bodies that only constraints couple: the Schur complement is exact, and so are its factors */
    for (uint32_t j = 0; j < 64 * 6; j++)
        for (int32_t e = t.start[j]; e < t.start[j + 1]; e++)
            if (t.row[e] < 64 * 6 && (uint32_t)t.row[e] / 6 != j / 6) t.value[e] = 0.0;
    int64_t iterations = 0;
    assert_true(solve_once(&host, &t.matrix, &iterations) < 1e-9);
    assert_true(iterations <= 6);
    test_release(&t);
    test_host_end(&host);
}

/* Rows without an entry but 1 on the diagonal, as the kernel leaves out what is not active. */
static void test_rows_that_stand_alone(void **state)
{
    (void)state;
    test_blocks t;
    test_host host;
    const test_lattice l = {.edge = 3, .body = 6, .constraints = 20, .rows = 3, .mass = 1.0, .E = 1e-8};
    test_begin(&host);
    test_make(&t, &l);
    const uint32_t n = t.matrix.size;
    for (uint32_t j = 0; j < n; j++)
        for (int32_t e = t.start[j]; e < t.start[j + 1]; e++) {
            const uint32_t i = (uint32_t)t.row[e];
            const bool left_out = i >= n - 3 || j >= n - 3 || i == n - 7 || j == n - 7;
            if (left_out) t.value[e] = i == j ? 1.0 : 0.0;
        }
    int64_t iterations = 0;
    assert_true(solve_once(&host, &t.matrix, &iterations) < 1e-9);
    test_release(&t);
    test_host_end(&host);
}

/* One body with `count` constraints, each of them to a body of its own: the Schur complement would be full. */
static void test_a_hub(void **state)
{
    (void)state;
    enum { COUNT = 40, SIZE = 1 + 2 * COUNT, ENTRIES = 1 + COUNT + 2 * COUNT + 3 * COUNT };
    test_host host;
    int32_t start[SIZE + 1] = {0}, row[ENTRIES], count = 0;
    double value[ENTRIES];
    test_begin(&host);
    for (int32_t j = 0; j < SIZE; j++) {
        for (int32_t i = 0; i < SIZE; i++) {
            const int32_t c = (i > j ? i : j) - 1 - COUNT, other = i > j ? j : i;
            const bool across = c >= 0 && other <= COUNT && (other == 0 || other == c + 1) && i != j;
            if (!across && i != j) continue;
            row[count] = i;
            value[count++] = i == j ? (i <= COUNT ? 2.0 : 1e-9) : i > j ? 1.0 : -1.0;
        }
        start[j + 1] = count;
    }
    const tn_matrix A = {sizeof A, SIZE, start, row, value};
    int64_t iterations = 0;
    assert_true(solve_once(&host, &A, &iterations) < 1e-9);
    test_host_end(&host);
}

static void test_indefinite_bodies(void **state)
{
    (void)state;
    test_lattice l = {.edge = 4, .body = 3, .mass = -5.0};
    assert_true(test_against_dense(&minres_type, &standard, &l, 1e-8) < 500);
    l.mass = -20.0;
    assert_true(test_against_dense(&minres_type, &standard, &l, 1e-8) < 100);
}

static void test_unsymmetric_matrices_are_refused(void **state)
{
    (void)state;
    test_host host;
    test_lattice l = {
        .edge = 3, .body = 6, .constraints = 5, .rows = 3, .mass = 1.0, .E = 1e-8, .asymmetry = 2.0};
    assert_int_equal(test_status_of(&minres_type, &standard, &l, &host), TN_UNSUPPORTED);
    test_expect_words(&host, WORDS("minres needs a symmetric matrix", "\"gmres\"", "\"klu\""));
    l.asymmetry = 1e-3;
    assert_true(test_against_dense(&minres_type, &standard, &l, 1e-8) < 300);
}

static void test_too_few_iterations_are_an_error(void **state)
{
    (void)state;
    test_host host;
    minres settings = standard;
    settings.iterations = 3;
    const test_lattice l = {.edge = 4, .body = 6, .constraints = 20, .rows = 3, .mass = 0.1, .E = 1e-8};
    assert_int_equal(test_status_of(&minres_type, &settings, &l, &host), TN_FATAL);
    test_expect_words(&host, WORDS("minres has not converged: after 3 iterations", "\"klu\""));
}

static void test_bits_do_not_depend_on_the_order_of_blocks(void **state)
{
    (void)state;
    test_same_bits(
        &minres_type, &standard,
        &(test_lattice){.edge = 16, .body = 4, .constraints = 800, .rows = 3, .mass = 0.1, .E = 1e-8});
}

static void test_state_holds_all(void **state)
{
    (void)state;
    test_state_is_all(
        &minres_type, &standard,
        &(test_lattice){.edge = 4, .body = 6, .constraints = 9, .rows = 5, .mass = 0.1, .E = 1e-8});
}

static void test_extreme_matrices(void **state)
{
    (void)state;
    test_extremes(&minres_type, &standard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constrained_lattices_agree_with_dense),
        cmocka_unit_test(test_blocks_alone_take_more_iterations),
        cmocka_unit_test(test_a_chain_takes_a_few_iterations),
        cmocka_unit_test(test_rows_that_stand_alone),
        cmocka_unit_test(test_a_hub),
        cmocka_unit_test(test_indefinite_bodies),
        cmocka_unit_test(test_unsymmetric_matrices_are_refused),
        cmocka_unit_test(test_too_few_iterations_are_an_error),
        cmocka_unit_test(test_bits_do_not_depend_on_the_order_of_blocks),
        cmocka_unit_test(test_state_holds_all),
        cmocka_unit_test(test_extreme_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

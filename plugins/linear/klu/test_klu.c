/* test_klu.c - klu against dense on random sparse matrices, and what both say about singular ones. */
#include "klu.c"

#include "../../solvers/test_host.h"
#include "../test_matrix.h"

#define tn_plugin_library dense_plugin_library
#define tn_library_types dense_library_types
#define tn_library_data dense_library_data
#include "../dense/dense.c"
#undef tn_plugin_library
#undef tn_library_types
#undef tn_library_data

#define SIZE 60u

static void test_klu_agrees_with_dense(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    test_sparse_pattern(&sparse, SIZE, 4);
    void *klu = NULL, *dense = NULL;
    assert_int_equal(klu_type.create(&host.table, NULL, &sparse.matrix, &klu), TN_OK);
    assert_int_equal(dense_type.create(&host.table, NULL, &sparse.matrix, &dense), TN_OK);

    // many values over one pattern: most of them are refactorisations
    for (uint32_t seed = 1; seed <= 50; seed++) {
        double a[TEST_MATRIX_SIZE], b[TEST_MATRIX_SIZE], difference = 0.0, size = 0.0;
        uint32_t seed_of_b = seed + 1000;
        test_sparse_values(&sparse, seed);
        for (uint32_t i = 0; i < SIZE; i++)
            a[i] = b[i] = test_random(&seed_of_b);
        assert_int_equal(klu_type.factor(klu, &sparse.matrix), TN_OK);
        assert_int_equal(dense_type.factor(dense, &sparse.matrix), TN_OK);
        assert_int_equal(klu_type.solve(klu, a), TN_OK);
        assert_int_equal(dense_type.solve(dense, b), TN_OK);
        for (uint32_t i = 0; i < SIZE; i++) {
            difference = fmax(difference, fabs(a[i] - b[i]));
            size = fmax(size, fabs(b[i]));
        }
        assert_true(difference <= 1e-9 * size);
    }
    klu_type.destroy(klu);
    dense_type.destroy(dense);
    test_host_end(&host);
}

/* Complex matrices of the pattern beside real ones, whose factors stay. */
static void test_complex_matrices_agree_with_dense_and_satisfy_the_equations(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    test_sparse_pattern(&sparse, SIZE, 4);
    void *klu = NULL, *dense = NULL;
    static double value[2 * TEST_MATRIX_SIZE * TEST_MATRIX_SIZE];
    assert_int_equal(klu_type.create(&host.table, NULL, &sparse.matrix, &klu), TN_OK);
    assert_int_equal(dense_type.create(&host.table, NULL, &sparse.matrix, &dense), TN_OK);
    test_sparse_values(&sparse, 7);
    assert_int_equal(klu_type.factor(klu, &sparse.matrix), TN_OK);
    for (uint32_t seed = 1; seed <= 20; seed++) {
        double a[2 * TEST_MATRIX_SIZE], b[2 * TEST_MATRIX_SIZE], left[2 * TEST_MATRIX_SIZE];
        uint32_t random = seed;
        test_sparse_values(&sparse, seed);
        for (int32_t k = 0; k < sparse.start[SIZE]; k++) {
            value[2 * k] = sparse.value[k];
            value[2 * k + 1] = test_random(&random) * fabs(sparse.value[k]);
        }
        for (uint32_t i = 0; i < 2 * SIZE; i++)
            a[i] = b[i] = left[i] = test_random(&random);
        assert_int_equal(factor_complex_klu(klu, &sparse.matrix, value), TN_OK);
        assert_int_equal(factor_complex_dense(dense, &sparse.matrix, value), TN_OK);
        assert_int_equal(solve_complex_klu(klu, a), TN_OK);
        assert_int_equal(solve_complex_dense(dense, b), TN_OK);
        double size = 1.0;
        for (uint32_t i = 0; i < 2 * SIZE; i++) {
            size = fmax(size, fabs(a[i]));
            assert_true(fabs(a[i] - b[i]) < 1e-8 * size);
        }
        for (uint32_t c = 0; c < SIZE; c++)
            for (int32_t k = sparse.start[c]; k < sparse.start[c + 1]; k++) {
                left[2 * sparse.row[k]] -= value[2 * k] * a[2 * c] - value[2 * k + 1] * a[2 * c + 1];
                left[2 * sparse.row[k] + 1] -= value[2 * k] * a[2 * c + 1] + value[2 * k + 1] * a[2 * c];
            }
        for (uint32_t i = 0; i < 2 * SIZE; i++)
            assert_true(fabs(left[i]) < 1e-10 * size);
    }
    double x[SIZE], right[SIZE], largest = 1.0;
    test_sparse_values(&sparse, 7);
    for (uint32_t i = 0; i < SIZE; i++)
        x[i] = right[i] = sin((double)i);
    assert_int_equal(klu_type.solve(klu, x), TN_OK);
    for (uint32_t c = 0; c < SIZE; c++) {
        largest = fmax(largest, fabs(x[c]));
        for (int32_t k = sparse.start[c]; k < sparse.start[c + 1]; k++)
            right[sparse.row[k]] -= sparse.value[k] * x[c];
    }
    for (uint32_t i = 0; i < SIZE; i++)
        assert_true(fabs(right[i]) < 1e-10 * largest);
    klu_type.destroy(klu);
    dense_type.destroy(dense);
    test_host_end(&host);
}

static void test_singular_complex_matrices_ask_for_a_retry(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double none[4] = {1.0, 1.0, 1.0, 1.0};
    /* the second row is i times the first one */
    const double value[8] = {1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 2.0};
    const tn_matrix matrix = {sizeof matrix, 2, start, row, none};
    void *klu = NULL, *dense = NULL;
    double b[4] = {1.0};
    assert_int_equal(klu_type.create(&host.table, NULL, &matrix, &klu), TN_OK);
    assert_int_equal(dense_type.create(&host.table, NULL, &matrix, &dense), TN_OK);
    assert_int_equal(solve_complex_klu(klu, b), TN_FATAL); /* nothing was factorised */
    assert_int_equal(solve_complex_dense(dense, b), TN_FATAL);
    assert_int_equal(factor_complex_klu(klu, &matrix, value), TN_RETRY);
    assert_int_equal(factor_complex_dense(dense, &matrix, value), TN_RETRY);
    klu_type.destroy(klu);
    dense_type.destroy(dense);
    test_host_end(&host);
}

/* Pivots of one matrix are worthless for the next: the order must be renewed, or digits are lost. */
static void test_worn_pivots_are_renewed(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    static double value[4] = {1.0, 1e-9, 1e-9, 1.0};
    const tn_matrix matrix = {sizeof matrix, 2, start, row, value};
    void *klu = NULL;
    assert_int_equal(klu_type.create(&host.table, NULL, &matrix, &klu), TN_OK);
    assert_int_equal(klu_type.factor(klu, &matrix), TN_OK);
    value[0] = value[3] = 1e-20;
    value[1] = value[2] = 1.0;
    double b[2] = {2.0, 3.0};
    assert_int_equal(klu_type.factor(klu, &matrix), TN_OK);
    assert_int_equal(klu_type.solve(klu, b), TN_OK);
    assert_true(fabs(b[0] - 3.0) < 1e-14 && fabs(b[1] - 2.0) < 1e-14);
    klu_type.destroy(klu);
    test_host_end(&host);
}

/* An arrow of zeros fills up entry by entry, and empties again: every matrix is solved as if it were the first one. */
static void test_entries_that_were_zero_join_the_pattern(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    test_sparse_pattern(&sparse, SIZE, SIZE);
    void *klu = NULL;
    assert_int_equal(klu_type.create(&host.table, NULL, &sparse.matrix, &klu), TN_OK);
    for (uint32_t step = 0; step < 2 * SIZE; step++) {
        double b[TEST_MATRIX_SIZE], expected[TEST_MATRIX_SIZE];
        const uint32_t filled = step < SIZE ? step : 2 * SIZE - step;
        for (uint32_t column = 0; column < SIZE; column++)
            for (int32_t k = sparse.start[column]; k < sparse.start[column + 1]; k++) {
                const bool last = sparse.row[k] == (int32_t)SIZE - 1;
                sparse.value[k] = sparse.row[k] == (int32_t)column ? 2.0
                                  : last && column < filled        ? 1.0
                                                                   : 0.0;
            }
        for (uint32_t i = 0; i < SIZE; i++) {
            b[i] = 1.0;
            expected[i] = 0.5;
        }
        const uint32_t arrow = filled < SIZE - 1 ? filled : SIZE - 1;
        expected[SIZE - 1] = 0.5 * (1.0 - 0.5 * arrow);
        assert_int_equal(klu_type.factor(klu, &sparse.matrix), TN_OK);
        assert_int_equal(klu_type.solve(klu, b), TN_OK);
        for (uint32_t i = 0; i < SIZE; i++)
            assert_true(fabs(b[i] - expected[i]) < 1e-13);
    }
    const sparse_lu *solver = klu;
    assert_int_equal(solver->pattern.start[SIZE], sparse.start[SIZE]); // after many growths: as announced
    klu_type.destroy(klu);
    test_host_end(&host);
}

static void test_singular_matrix_asks_for_a_retry(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const tn_linear_type *types[] = {&klu_type, &dense_type};
    for (int k = 0; k < 2; k++) {
        const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
        double value[4] = {1.0, 2.0, 2.0, 4.0};
        const tn_matrix matrix = {sizeof matrix, 2, start, row, value};
        void *self = NULL;
        assert_int_equal(types[k]->create(&host.table, NULL, &matrix, &self), TN_OK);
        assert_int_equal(types[k]->factor(self, &matrix), TN_RETRY);

        // it recovers, and notices again after a good matrix
        value[3] = 5.0;
        double b[2] = {1.0, 2.0};
        assert_int_equal(types[k]->factor(self, &matrix), TN_OK);
        assert_int_equal(types[k]->solve(self, b), TN_OK);
        assert_true(fabs(b[0] - 1.0) < 1e-14 && fabs(b[1]) < 1e-14);
        value[3] = 4.0;
        assert_int_equal(types[k]->factor(self, &matrix), TN_RETRY);
        types[k]->destroy(self);
    }
    test_host_end(&host);
}

static void test_empty_matrix_is_fine(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const int32_t start[] = {0}, row[] = {0};
    static double value[] = {0.0};
    const tn_matrix matrix = {sizeof matrix, 0, start, row, value};
    void *klu = NULL;
    assert_int_equal(klu_type.create(&host.table, NULL, &matrix, &klu), TN_OK);
    assert_int_equal(klu_type.factor(klu, &matrix), TN_OK);
    assert_int_equal(klu_type.solve(klu, value), TN_OK);
    klu_type.destroy(klu);
    klu_type.destroy(NULL);
    test_host_end(&host);
}

static void test_descriptor_names_the_licence_of_the_library(void **state)
{
    (void)state;
    const tn_library *library = tn_plugin_library();
    assert_string_equal(library->types[0].kind, TN_LINEAR_KIND);
    assert_non_null(strstr(library->summary, "LGPL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_klu_agrees_with_dense),
        cmocka_unit_test(test_complex_matrices_agree_with_dense_and_satisfy_the_equations),
        cmocka_unit_test(test_singular_complex_matrices_ask_for_a_retry),
        cmocka_unit_test(test_worn_pivots_are_renewed),
        cmocka_unit_test(test_entries_that_were_zero_join_the_pattern),
        cmocka_unit_test(test_singular_matrix_asks_for_a_retry),
        cmocka_unit_test(test_empty_matrix_is_fine),
        cmocka_unit_test(test_descriptor_names_the_licence_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

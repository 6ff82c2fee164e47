/* test_klu.c - klu against dense on random sparse matrices, and what both say about singular ones. */
#include "klu.c"

static const tn_linear_type *const tested = &klu_type;
static const tn_cost_capability *const test_cost = &klu_cost;
static const tn_estimate_capability *const test_estimate = &klu_estimate;

#include "../test_complex.h"
#include "../test_linear.h"

#define tn_plugin_library dense_plugin_library
#define tn_library_types dense_library_types
#define tn_library_data dense_library_data
#include "../dense/dense.c"
#undef tn_plugin_library
#undef tn_library_types
#undef tn_library_data

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

static void fill_random(test_sparse *sparse, uint32_t seed)
{
    test_sparse_pattern(sparse, SIZE, 4);
    test_sparse_values(sparse, seed);
}

static void test_complex_matrices_are_solved_beside_real_ones(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_complex_beside_real(&host.table, &klu_type, &dense_type, 20, fill_random);
    test_complex_singular(&host.table, &klu_type);
    test_complex_singular(&host.table, &dense_type);
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
        test_fill_arrow(&sparse, SIZE, filled);
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
        TEST_LINEAR,
        cmocka_unit_test(test_klu_agrees_with_dense),
        cmocka_unit_test(test_complex_matrices_are_solved_beside_real_ones),
        cmocka_unit_test(test_entries_that_were_zero_join_the_pattern),
        cmocka_unit_test(test_descriptor_names_the_licence_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

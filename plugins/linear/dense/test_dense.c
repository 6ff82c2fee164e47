/* test_dense.c - the residual of solutions, and the limit of size. */
#include "dense.c"

#include "../../solvers/test_host.h"
#include "../test_matrix.h"

#define SIZE 50u

static void test_solution_satisfies_the_equations(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    test_sparse_pattern(&sparse, SIZE, 5);
    void *self = NULL;
    assert_int_equal(dense_type.create(&host.table, &sparse.matrix, &self), TN_OK);
    for (uint32_t seed = 1; seed <= 20; seed++) {
        test_sparse_values(&sparse, seed);
        double x[SIZE], left[SIZE];
        for (uint32_t i = 0; i < SIZE; i++)
            left[i] = x[i] = sin((double)(i + seed));
        assert_int_equal(dense_type.factor(self, &sparse.matrix), TN_OK);
        assert_int_equal(dense_type.solve(self, x), TN_OK);
        double size = 1.0;
        for (uint32_t c = 0; c < SIZE; c++) {
            size = fmax(size, fabs(x[c]));
            for (int32_t k = sparse.start[c]; k < sparse.start[c + 1]; k++)
                left[sparse.row[k]] -= sparse.value[k] * x[c];
        }
        for (uint32_t i = 0; i < SIZE; i++)
            assert_true(fabs(left[i]) < 1e-12 * size);
    }
    dense_type.destroy(self);
    test_host_end(&host);
}

static void test_too_large_a_matrix_is_refused_by_name(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const tn_matrix matrix = {.size = LARGEST_SIZE + 1};
    void *self = NULL;
    assert_int_equal(dense_type.create(&host.table, &matrix, &self), TN_UNSUPPORTED);
    assert_non_null(strstr(host.message, "klu"));
    test_host_end(&host);
}

static void test_empty_matrix_is_fine(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const tn_matrix matrix = {.size = 0};
    void *self = NULL;
    assert_int_equal(dense_type.create(&host.table, &matrix, &self), TN_OK);
    assert_int_equal(dense_type.factor(self, &matrix), TN_OK);
    assert_int_equal(dense_type.solve(self, NULL), TN_OK);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solution_satisfies_the_equations),
        cmocka_unit_test(test_too_large_a_matrix_is_refused_by_name),
        cmocka_unit_test(test_empty_matrix_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

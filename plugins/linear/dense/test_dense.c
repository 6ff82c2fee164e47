/* test_dense.c - the residual of solutions, the limit of size, and columns that depend on others. */
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
    assert_int_equal(dense_type.create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
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
    assert_int_equal(dense_type.create(&host.table, NULL, &matrix, &self), TN_UNSUPPORTED);
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
    assert_int_equal(dense_type.create(&host.table, NULL, &matrix, &self), TN_OK);
    assert_int_equal(dense_type.factor(self, &matrix), TN_OK);
    assert_int_equal(dense_type.solve(self, NULL), TN_OK);
    test_host_end(&host);
}

#define LARGEST 24u /* columns of the tests below */

/* Dependent columns of a matrix [columns][rows], whose combinations are checked to give them. */
static uint32_t find_rank(uint32_t rows, uint32_t columns, const double *matrix, uint32_t *order)
{
    test_host host;
    test_host_begin(&host);
    double copy[LARGEST * LARGEST], combination[LARGEST * LARGEST / 4];
    uint32_t rank = 99, seen = 0;
    memcpy(copy, matrix, sizeof(double) * rows * columns);
    for (uint32_t k = 0; k < LARGEST * LARGEST / 4; k++)
        combination[k] = (double)NAN;
    assert_int_equal(
        rank_revealing.dependent(&host.table, rows, columns, copy, 1e-9, &rank, order, combination), TN_OK);
    assert_true(rank <= rows && rank <= columns);
    for (uint32_t k = 0; k < columns; k++)
        seen |= 1u << order[k];
    assert_int_equal(seen, (1u << columns) - 1);
    for (uint32_t j = 0; j < columns - rank; j++)
        for (uint32_t row = 0; row < rows; row++) {
            double sum = 0.0;
            for (uint32_t i = 0; i < rank; i++)
                sum += combination[j * rank + i] * matrix[order[i] * rows + row];
            assert_true(fabs(sum - matrix[order[rank + j] * rows + row]) < 1e-8);
        }
    test_host_end(&host);
    return rank;
}

/* Random columns, then combinations of them. */
static void test_rank_of_random_matrices_is_found_with_the_combinations(void **state)
{
    (void)state;
    const uint32_t sizes[][3] = {{12, 24, 12}, {24, 12, 12}, {24, 24, 12},
                                 {9, 20, 7},   {20, 9, 7},   {5, 24, 1}};
    for (uint32_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const uint32_t rows = sizes[k][0], columns = sizes[k][1], rank = sizes[k][2];
        double matrix[LARGEST * LARGEST] = {0};
        uint32_t seed = k, order[LARGEST];
        for (uint32_t c = 0; c < columns; c++)
            for (uint32_t r = 0; r < rows; r++)
                if (c < rank) matrix[c * rows + r] = test_random(&seed);
        for (uint32_t c = rank; c < columns; c++)
            for (uint32_t i = 0; i < rank; i++) {
                const double factor = test_random(&seed);
                for (uint32_t r = 0; r < rows; r++)
                    matrix[c * rows + r] += factor * matrix[i * rows + r];
            }
        assert_int_equal(find_rank(rows, columns, matrix, order), rank);
    }
}

/* Against the largest column, not against 1. */
static void test_tolerance_is_relative_to_the_largest_column(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double scale = k ? 1e-12 : 1e12;
        const double independent[] = {scale, 0.0, scale, 1e-7 * scale};
        const double dependent[] = {scale, 0.0, scale, 1e-11 * scale};
        test_host host;
        test_host_begin(&host);
        uint32_t rank, order[2];
        double matrix[4], combination[1] = {(double)NAN};
        memcpy(matrix, independent, sizeof matrix);
        assert_int_equal(rank_revealing.dependent(&host.table, 2, 2, matrix, 1e-9, &rank, order, combination),
                         TN_OK);
        assert_int_equal(rank, 2);
        memcpy(matrix, dependent, sizeof matrix);
        assert_int_equal(rank_revealing.dependent(&host.table, 2, 2, matrix, 1e-9, &rank, order, combination),
                         TN_OK);
        assert_int_equal(rank, 1);
        assert_true(fabs(combination[0] - 1.0) < 1e-9);
        test_host_end(&host);
    }
}

static void test_matrices_of_zeros_and_of_no_size_have_rank_zero(void **state)
{
    (void)state;
    const double zero[6] = {0};
    uint32_t order[LARGEST];
    assert_int_equal(find_rank(2, 3, zero, order), 0);
    assert_int_equal(find_rank(0, 3, zero, order), 0);
    assert_int_equal(find_rank(3, 0, zero, order), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solution_satisfies_the_equations),
        cmocka_unit_test(test_too_large_a_matrix_is_refused_by_name),
        cmocka_unit_test(test_empty_matrix_is_fine),
        cmocka_unit_test(test_rank_of_random_matrices_is_found_with_the_combinations),
        cmocka_unit_test(test_tolerance_is_relative_to_the_largest_column),
        cmocka_unit_test(test_matrices_of_zeros_and_of_no_size_have_rank_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

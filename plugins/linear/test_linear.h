/* test_linear.h - matrices that linear solvers for large models are tried with: saddle points, singular ones, lattices. Included behind the
 * plugin's own source and definitions of `tested`, its type, and of `test_cost` and `test_estimate`, its capabilities. */
#ifndef TENON_TEST_LINEAR_H
#define TENON_TEST_LINEAR_H

#include "../../tests/linear/refined.h"
#include "../solvers/test_host.h"
#include "test_lattice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 60u
#define LARGEST_RESIDUAL 1e-12 /* against the terms that it is left of */

/* The largest |A x - b|, against the largest sum of the magnitudes of its terms. */
static inline double test_residual(const tn_matrix *A, const double *x, const double *b)
{
    double largest = 0.0, scale = 0.0;
    double *left = calloc(A->size + 1, sizeof *left), *terms = calloc(A->size + 1, sizeof *terms);
    assert_non_null(left);
    assert_non_null(terms);
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            left[A->row[e]] -= A->value[e] * x[j];
            terms[A->row[e]] += fabs(A->value[e] * x[j]);
        }
    for (uint32_t i = 0; i < A->size; i++) {
        largest = fmax(largest, fabs(left[i] + b[i]));
        scale = fmax(scale, terms[i] + fabs(b[i]));
    }
    free(left);
    free(terms);
    return scale > 0.0 ? largest / scale : 0.0;
}

/* Factorises and solves with a right-hand side that depends on the seed. */
static inline void test_solves(const tn_linear_type *type, void *self, const tn_matrix *matrix, uint32_t seed)
{
    double *x = calloc(matrix->size + 1, sizeof *x), *b = calloc(matrix->size + 1, sizeof *b);
    assert_non_null(x);
    assert_non_null(b);
    for (uint32_t i = 0; i < matrix->size; i++)
        x[i] = b[i] = test_random(&seed);
    assert_int_equal(type->factor(self, matrix), TN_OK);
    tn_solve_refined(type, self, matrix, x);
    assert_true(test_residual(matrix, x, b) <= LARGEST_RESIDUAL);
    free(x);
    free(b);
}

/* Masses and, behind them or in front of them, constraint rows, whose diagonal is `diagonal`; symmetric but for `skew`. */
static inline void test_saddle(test_sparse *sparse, bool rows_first, double diagonal, double skew)
{
    const uint32_t rows = SIZE / 3, bodies = SIZE - rows;
    uint32_t seed = 3;
    test_sparse_pattern(sparse, SIZE, SIZE);
    for (uint32_t j = 0; j < SIZE; j++)
        for (int32_t e = sparse->start[j]; e < sparse->start[j + 1]; e++) {
            const uint32_t i = (uint32_t)sparse->row[e];
            const uint32_t p = rows_first ? SIZE - 1 - i : i,
                           q = rows_first ? SIZE - 1 - j : j; /* bodies come first of these */
            const uint32_t low = p < q ? p : q, high = p < q ? q : p;
            uint32_t own = 17u * low + 1000u * high;
            double value = 0.0;
            if (low == high)
                value = low < bodies ? 1.0 + 1e3 * fabs(test_random(&own)) : diagonal;
            else if (low < bodies && high >= bodies &&
                     (low == 2 * (high - bodies) || low == 2 * (high - bodies) + 1))
                value = test_random(&own) > 0.0 ? 1.0 : -0.5;
            else if (low < bodies && high == low + 1 && high < bodies)
                value = 0.3;
            sparse->value[e] = value * (i < j ? 1.0 + skew * fabs(test_random(&seed)) : 1.0);
        }
}

static inline void test_constraint_rows_without_a_diagonal(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    static const double diagonals[] = {0.0, -1e-14, 1e-300}, skews[] = {0.0, 0.1};
    for (int k = 0; k < 12; k++) {
        test_sparse sparse;
        void *self = NULL;
        test_saddle(&sparse, k % 2, diagonals[k / 2 % 3], skews[k / 6]);
        assert_int_equal(tested->create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
        test_solves(tested, self, &sparse.matrix, 5);
        test_solves(tested, self, &sparse.matrix, 6);
        tested->destroy(self);
    }
    test_host_end(&host);
}

/* Symmetric matrices, then one that is not, then symmetric ones again, by one and the same object. */
static inline void test_symmetry_comes_and_goes(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    static const double skews[] = {0.0, 0.0, 1e-15, 0.2, 0.0};
    test_sparse sparse;
    void *self = NULL;
    test_saddle(&sparse, false, 0.0, 0.0);
    assert_int_equal(tested->create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    for (uint32_t k = 0; k < 5; k++) {
        test_saddle(&sparse, false, 0.0, skews[k]);
        test_solves(tested, self, &sparse.matrix, k);
    }
    tested->destroy(self);
    test_host_end(&host);
}

/* Pivots of one matrix are worthless for the next. */
static inline void test_pivots_fit_each_matrix(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double value[4] = {1.0, 1e-9, 1e-9, 1.0}, b[2] = {2.0, 3.0};
    const tn_matrix matrix = {sizeof matrix, 2, start, row, value};
    void *self = NULL;
    assert_int_equal(tested->create(&host.table, NULL, &matrix, &self), TN_OK);
    assert_int_equal(tested->factor(self, &matrix), TN_OK);
    value[0] = value[3] = 1e-20;
    value[1] = value[2] = 1.0;
    assert_int_equal(tested->factor(self, &matrix), TN_OK);
    assert_int_equal(tested->solve(self, b), TN_OK);
    assert_true(fabs(b[0] - 3.0) < 1e-14 && fabs(b[1] - 2.0) < 1e-14);
    tested->destroy(self);
    test_host_end(&host);
}

/* An arrow of zeros fills up entry by entry, and empties again: every matrix is solved as if it were the first one. */
static inline void test_zeros_fill_up(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    test_sparse_pattern(&sparse, SIZE, SIZE);
    void *self = NULL;
    assert_int_equal(tested->create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    for (uint32_t step = 0; step < 2 * SIZE; step++) {
        const uint32_t filled = step < SIZE ? step : 2 * SIZE - step;
        test_fill_arrow(&sparse, SIZE, filled);
        test_solves(tested, self, &sparse.matrix, step);
    }
    tested->destroy(self);
    test_host_end(&host);
}

static inline void test_singular_matrices_ask_for_a_retry(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    static const double singular[][4] = {{1.0, 2.0, 2.0, 4.0},
                                         {1.0, 3.0, 2.0, 6.0},
                                         {0.0, 0.0, 0.0, 0.0},
                                         {1.0, 0.0, 2.0, 0.0},
                                         {1.0, 2.0, 0.0, 0.0},
                                         {(double)NAN, 2.0, 2.0, 4.0},
                                         {1.0, (double)INFINITY, 2.0, 4.0}};
    for (size_t k = 0; k < sizeof singular / sizeof *singular; k++) {
        double value[4], b[2] = {1.0, 2.0};
        memcpy(value, singular[k], sizeof value);
        const tn_matrix matrix = {sizeof matrix, 2, start, row, value};
        void *self = NULL;
        assert_int_equal(tested->create(&host.table, NULL, &matrix, &self), TN_OK);
        assert_int_equal(tested->factor(self, &matrix), TN_RETRY);
        assert_int_equal(tested->solve(self, b), TN_FATAL);

        // it recovers, and notices again after a good matrix
        memcpy(value, (const double[4]){1.0, 2.0, 2.0, 5.0}, sizeof value);
        assert_int_equal(tested->factor(self, &matrix), TN_OK);
        assert_int_equal(tested->solve(self, b), TN_OK);
        assert_true(fabs(b[0] - 1.0) < 1e-14 && fabs(b[1]) < 1e-14);
        memcpy(value, singular[k], sizeof value);
        assert_int_equal(tested->factor(self, &matrix), TN_RETRY);
        tested->destroy(self);
    }
    test_host_end(&host);
}

static inline void test_empty_and_single_equations(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const int32_t start[] = {0, 1}, row[] = {0};
    static double value[] = {4.0};
    double b[] = {2.0};
    const tn_matrix empty = {sizeof empty, 0, start, row, value},
                    single = {sizeof single, 1, start, row, value};
    void *self = NULL;
    assert_int_equal(tested->create(&host.table, NULL, &empty, &self), TN_OK);
    assert_int_equal(tested->factor(self, &empty), TN_OK);
    assert_int_equal(tested->solve(self, b), TN_OK);
    tested->destroy(self);
    assert_int_equal(tested->create(&host.table, NULL, &single, &self), TN_OK);
    assert_int_equal(tested->solve(self, b), TN_FATAL); // nothing was factorised
    assert_int_equal(tested->factor(self, &single), TN_OK);
    assert_int_equal(tested->solve(self, b), TN_OK);
    assert_true(b[0] == 0.5);
    tested->destroy(self);
    tested->destroy(NULL);
    test_host_end(&host);
}

/* ---- lattices ---------------------------------------------------------------------------------------------------- */

/* What was expected of factors becomes true, and the same matrix has the same solution to the last bit. */
static inline void test_lattices_are_solved_as_expected(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    for (int k = 0; k < 4; k++) {
        test_lattice lattice;
        test_lattice_make(&lattice, k % 2 ? 20 : 7, k % 2 ? 1 : 7, k / 2 ? 0.1 : 0.0);
        double *x[2];
        for (int again = 0; again < 2; again++) {
            void *self = NULL;
            tn_linear_cost cost = {0};
            double entries = 0.0, operations = 0.0;
            assert_int_equal(tested->create(&host.table, NULL, &lattice.matrix, &self), TN_OK);
            assert_int_equal(test_cost->cost(self, &lattice.matrix, &cost), TN_OK);
            assert_true(cost.entries > lattice.matrix.size && cost.operations > cost.entries &&
                        cost.memory > 8.0 * cost.entries);
            assert_true(cost.factorisation > cost.solution && cost.solution > 0.0 &&
                        cost.factorisation < 1.0);
            test_solves(tested, self, &lattice.matrix, 1);
            assert_int_equal(test_estimate->estimate(self, &entries, &operations), TN_OK);
            assert_true(fabs(entries - cost.entries) < 0.35 * cost.entries);
            assert_true(fabs(operations - cost.operations) < 0.5 * cost.operations);
            x[again] = calloc(lattice.matrix.size, sizeof **x);
            assert_non_null(x[again]);
            x[again][3] = 1.0;
            assert_int_equal(tested->solve(self, x[again]), TN_OK);
            tested->destroy(self);
        }
        assert_memory_equal(x[0], x[1], lattice.matrix.size * sizeof **x);
        free(x[0]);
        free(x[1]);
        test_lattice_free(&lattice);
    }
    test_host_end(&host);
}

#define TEST_LINEAR                                                                                     \
    cmocka_unit_test(test_constraint_rows_without_a_diagonal),                                          \
        cmocka_unit_test(test_symmetry_comes_and_goes), cmocka_unit_test(test_pivots_fit_each_matrix),  \
        cmocka_unit_test(test_zeros_fill_up), cmocka_unit_test(test_singular_matrices_ask_for_a_retry), \
        cmocka_unit_test(test_empty_and_single_equations),                                              \
        cmocka_unit_test(test_lattices_are_solved_as_expected)

#endif

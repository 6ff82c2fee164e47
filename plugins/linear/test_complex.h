/* test_complex.h - complex matrices beside real ones, for linear solvers that have both, against those of `dense`. */
#ifndef TENON_TEST_COMPLEX_H
#define TENON_TEST_COMPLEX_H

#include "../solvers/test_host.h"
#include "test_matrix.h"

#include <tenon/draft/linear.h>

#include <math.h>

enum { TEST_COMPLEX_MOST = 2 * TEST_MATRIX_SIZE };

/* What is left of b when A x is taken off, A with complex values, as the largest magnitude against the largest term. */
static inline double test_complex_residual(const tn_matrix *A, const double *value, const double *x,
                                           const double *b)
{
    double left[TEST_COMPLEX_MOST], largest = 0.0, terms = 0.0;
    memcpy(left, b, 2 * A->size * sizeof *left);
    for (uint32_t c = 0; c < A->size; c++)
        for (int32_t k = A->column_start[c]; k < A->column_start[c + 1]; k++) {
            const double re = value[2 * k], im = value[2 * k + 1], *z = x + 2 * c;
            left[2 * A->row[k]] -= re * z[0] - im * z[1];
            left[2 * A->row[k] + 1] -= re * z[1] + im * z[0];
            terms = fmax(terms, hypot(re, im) * hypot(z[0], z[1]));
        }
    for (uint32_t i = 0; i < 2 * A->size; i++)
        largest = fmax(largest, fabs(left[i]));
    return largest / terms;
}

/* Complex values around those of the matrix: the solution satisfies the equations, and is that of `dense`. */
static inline void test_complex_solution(const tn_complex_capability *tried, void *self,
                                         const tn_complex_capability *by_dense, void *dense,
                                         const tn_matrix *A, uint32_t seed)
{
    static double value[2 * TEST_MATRIX_SIZE * TEST_MATRIX_SIZE];
    double x[TEST_COMPLEX_MOST], y[TEST_COMPLEX_MOST], b[TEST_COMPLEX_MOST], size = 1.0;
    for (int32_t k = 0; k < A->column_start[A->size]; k++) {
        value[2 * k] = A->value[k];
        value[2 * k + 1] = test_random(&seed) * fabs(A->value[k]);
    }
    for (uint32_t i = 0; i < 2 * A->size; i++)
        x[i] = y[i] = b[i] = test_random(&seed);
    assert_int_equal(tried->factor_complex(self, A, value), TN_OK);
    assert_int_equal(by_dense->factor_complex(dense, A, value), TN_OK);
    assert_int_equal(tried->solve_complex(self, x), TN_OK);
    assert_int_equal(by_dense->solve_complex(dense, y), TN_OK);
    assert_true(test_complex_residual(A, value, x, b) < 1e-11);
    for (uint32_t i = 0; i < 2 * A->size; i++)
        size = fmax(size, fabs(y[i]));
    for (uint32_t i = 0; i < 2 * A->size; i++)
        assert_true(fabs(x[i] - y[i]) < 1e-8 * size);
}

static inline void test_real_solution(const tn_linear_type *type, void *self, const tn_matrix *A)
{
    double x[TEST_MATRIX_SIZE], left[TEST_MATRIX_SIZE], terms = 1.0;
    for (uint32_t i = 0; i < A->size; i++)
        x[i] = left[i] = sin((double)i);
    assert_int_equal(type->solve(self, x), TN_OK);
    for (uint32_t c = 0; c < A->size; c++)
        for (int32_t k = A->column_start[c]; k < A->column_start[c + 1]; k++) {
            left[A->row[k]] -= A->value[k] * x[c];
            terms = fmax(terms, fabs(A->value[k] * x[c]));
        }
    for (uint32_t i = 0; i < A->size; i++)
        assert_true(fabs(left[i]) < 1e-10 * terms);
}

/* `fill` gives real matrices of one pattern. Their factors stay while complex matrices come and go. */
static inline void test_complex_beside_real(const tn_host *host, const tn_linear_type *type,
                                            const tn_linear_type *dense_type, uint32_t count,
                                            void (*fill)(test_sparse *sparse, uint32_t seed))
{
    static test_sparse sparse;
    const tn_complex_capability *tried = tn_capability_of(type->capabilities, TN_COMPLEX_KEY),
                                *by_dense = tn_capability_of(dense_type->capabilities, TN_COMPLEX_KEY);
    double none[TEST_COMPLEX_MOST] = {0.0};
    void *self = NULL, *dense = NULL;
    fill(&sparse, 7);
    assert_true(tried && by_dense);
    assert_int_equal(type->create(host, NULL, &sparse.matrix, &self), TN_OK);
    assert_int_equal(dense_type->create(host, NULL, &sparse.matrix, &dense), TN_OK);
    assert_int_equal(tried->solve_complex(self, none), TN_FATAL); /* nothing was factorised */
    assert_int_equal(type->factor(self, &sparse.matrix), TN_OK);
    for (uint32_t seed = 1; seed <= count; seed++) {
        fill(&sparse, seed);
        test_complex_solution(tried, self, by_dense, dense, &sparse.matrix, seed);
    }
    fill(&sparse, 7);
    test_real_solution(type, self, &sparse.matrix);
    type->destroy(self);
    dense_type->destroy(dense);
}

static inline void test_complex_singular(const tn_host *host, const tn_linear_type *type)
{
    const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    static double none[4] = {1.0, 1.0, 1.0, 1.0};
    /* the second row is i times the first one */
    const double value[8] = {1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 2.0};
    const tn_matrix matrix = {sizeof matrix, 2, start, row, none};
    const tn_complex_capability *tried = tn_capability_of(type->capabilities, TN_COMPLEX_KEY);
    void *self = NULL;
    assert_non_null(tried);
    assert_int_equal(type->create(host, NULL, &matrix, &self), TN_OK);
    assert_int_equal(tried->factor_complex(self, &matrix, value), TN_RETRY);
    type->destroy(self);
}

#endif

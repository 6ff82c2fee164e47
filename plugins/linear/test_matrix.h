/* test_matrix.h - random sparse matrices for the tests of linear solvers. */
#ifndef TENON_TEST_MATRIX_H
#define TENON_TEST_MATRIX_H

#include "tenon/linear.h"

#include <string.h>

#define TEST_MATRIX_SIZE 64u

typedef struct test_sparse {
    tn_matrix matrix;
    int32_t start[TEST_MATRIX_SIZE + 1], row[TEST_MATRIX_SIZE * TEST_MATRIX_SIZE];
    double value[TEST_MATRIX_SIZE * TEST_MATRIX_SIZE];
} test_sparse;

/* Uniform in (-1, 1), the same on every machine. */
static inline double test_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* The diagonal, and about `others` entries beside it in every column. */
static inline void test_sparse_pattern(test_sparse *sparse, uint32_t size, uint32_t others)
{
    uint32_t seed = 7;
    int32_t count = 0;
    for (uint32_t column = 0; column < size; column++) {
        sparse->start[column] = count;
        for (uint32_t row = 0; row < size; row++) {
            const bool chosen = 0.5 * (test_random(&seed) + 1.0) * size < others;
            if (chosen || row == column) sparse->row[count++] = (int32_t)row;
        }
    }
    sparse->start[size] = count;
    sparse->matrix = (tn_matrix){sizeof(tn_matrix), size, sparse->start, sparse->row, sparse->value};
}

static inline void test_sparse_values(test_sparse *sparse, uint32_t seed)
{
    for (int32_t k = 0; k < sparse->start[sparse->matrix.size]; k++)
        sparse->value[k] = test_random(&seed);
}

/* 2 on the diagonal, 1 in the first `filled` columns of the last row, and zeros elsewhere in the pattern. */
static inline void test_fill_arrow(test_sparse *sparse, uint32_t size, uint32_t filled)
{
    for (uint32_t column = 0; column < size; column++)
        for (int32_t k = sparse->start[column]; k < sparse->start[column + 1]; k++) {
            const bool last = sparse->row[k] == (int32_t)size - 1;
            sparse->value[k] = sparse->row[k] == (int32_t)column ? 2.0 : last && column < filled ? 1.0 : 0.0;
        }
}

#endif

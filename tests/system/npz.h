/* npz.h - reads the arrays of linear.npz (plugins/solvers/linearise) in a directory of results. */
#ifndef TENON_TESTS_SYSTEM_NPZ_H
#define TENON_TESTS_SYSTEM_NPZ_H

#include <stdbool.h>
#include <stddef.h>

/* A matrix by rows; a missing one fails the test. It lives as long as the scratch directory. */
typedef struct tn_npz_matrix {
    size_t rows, columns;
    const double *value;
} tn_npz_matrix;
tn_npz_matrix tn_npz_read(const char *directory, const char *name);
static inline double tn_npz_at(const tn_npz_matrix *m, size_t row, size_t column)
{
    return m->value[row * m->columns + column];
}

#endif

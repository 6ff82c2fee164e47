/* scaling.h - factors of rows and columns that make the largest number of each about 1; powers of 2, so that they cost no digits, and a pivot
 * that is zero stays zero. Those of a symmetric matrix are the same (Ruiz: A scaling algorithm to equilibrate both rows and columns norms in
 * matrices, RAL-TR-2001-034). */
#ifndef TENON_MUMPS_SCALING_H
#define TENON_MUMPS_SCALING_H

#include "../used_pattern.h"

#include <math.h>

enum { SCALING_ROUNDS = 4 };

/* The power of 2 next to 1 / sqrt(largest). */
static inline double scaling_step(double largest)
{
    int exponent = 0;
    if (largest == 0.0) return 1.0;
    (void)frexp(largest, &exponent);
    return ldexp(1.0, -(exponent / 2));
}

/* `row`, `column` [size]; `largest` [2 size] is memory. */
static inline void scaling_find(const used_pattern *A, int32_t size, double *row, double *column,
                                double *largest)
{
    for (int32_t i = 0; i < size; i++)
        row[i] = column[i] = 1.0;
    for (int round = 0; round < SCALING_ROUNDS; round++) {
        double *of_row = largest, *of_column = largest + size;
        memset(largest, 0, 2 * (size_t)size * sizeof *largest);
        for (int32_t j = 0; j < size; j++)
            for (int32_t e = A->start[j]; e < A->start[j + 1]; e++) {
                const double magnitude = fabs(A->value[e]) * row[A->row[e]] * column[j];
                of_row[A->row[e]] = fmax(of_row[A->row[e]], magnitude);
                of_column[j] = fmax(of_column[j], magnitude);
            }
        for (int32_t i = 0; i < size; i++) {
            row[i] *= scaling_step(of_row[i]);
            column[i] *= scaling_step(of_column[i]);
        }
    }
}

#endif

/* known_solution.h - what factors leave of a right-hand side whose solution is known, row by row. */
#ifndef TENON_KNOWN_SOLUTION_H
#define TENON_KNOWN_SOLUTION_H

#include "tenon/linear.h"

#include <math.h>
#include <stdbool.h>

/* Subtracts A x from `left` [size], and adds the magnitudes of its terms to `term` [size]. Most of a pattern is zero. */
static inline void known_subtract_product(const tn_matrix *A, const double *x, double *left, double *term)
{
    for (uint32_t column = 0; column < A->size; column++)
        for (int32_t k = A->column_start[column]; k < A->column_start[column + 1]; k++) {
            if (A->value[k] == 0.0) continue;
            const double product = A->value[k] * x[column];
            left[A->row[k]] -= product;
            term[A->row[k]] += fabs(product);
        }
}

/* Whether no row of `left` is more than a share `most` of its terms; never where one is not finite. */
static inline bool known_is_found(const double *left, const double *term, uint32_t size, double most)
{
    for (uint32_t i = 0; i < size; i++)
        if (!(fabs(left[i]) <= most * term[i] && term[i] < HUGE_VAL)) return false;
    return true;
}

#endif

/* known_solution.h - what factors leave of a right-hand side whose solution is known, row by row. */
#ifndef TENON_KNOWN_SOLUTION_H
#define TENON_KNOWN_SOLUTION_H

#include "tenon/linear.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A solution, what it leaves of a right-hand side, and the magnitudes of the terms of that: [size] each. */
typedef struct known_trial {
    double *x, *left, *term;
} known_trial;

static inline bool known_make(known_trial *trial, uint32_t size)
{
    const size_t bytes = ((size_t)size + 1) * sizeof(double);
    trial->x = malloc(bytes);
    trial->left = malloc(bytes);
    trial->term = malloc(bytes);
    return trial->x && trial->left && trial->term;
}

static inline void known_free(known_trial *trial)
{
    free(trial->x);
    free(trial->left);
    free(trial->term);
}

/* Subtracts A x from what is left of each of one or two trials, and adds the magnitudes of its terms. Most of a pattern is zero. */
static inline __attribute__((always_inline)) void known_subtract_product(const tn_matrix *A,
                                                                         const known_trial *trial, int trials)
{
    for (uint32_t column = 0; column < A->size; column++) {
        double x[2];
        for (int t = 0; t < trials; t++)
            x[t] = trial[t].x[column];
        for (int32_t k = A->column_start[column]; k < A->column_start[column + 1]; k++) {
            if (A->value[k] == 0.0) continue;
            for (int t = 0; t < trials; t++) {
                const double product = A->value[k] * x[t];
                trial[t].left[A->row[k]] -= product;
                trial[t].term[A->row[k]] += fabs(product);
            }
        }
    }
}

/* The right-hand side of each x is left, and takes the place of x: the solution is the one that was known, with the other sign. */
static inline __attribute__((always_inline)) void known_begin(const tn_matrix *A, const known_trial *trial,
                                                              int trials)
{
    const size_t bytes = A->size * sizeof(double);
    for (int t = 0; t < trials; t++) {
        memset(trial[t].left, 0, bytes);
        memset(trial[t].term, 0, bytes);
    }
    known_subtract_product(A, trial, trials);
    for (int t = 0; t < trials; t++) {
        memcpy(trial[t].x, trial[t].left, bytes);
        memset(trial[t].term, 0, bytes);
    }
}

/* Whether no row leaves more than a share `most` of its terms; never where one is not finite. */
static inline bool known_is_found(const known_trial *trial, uint32_t size, double most)
{
    const double *left = trial->left, *term = trial->term;
    for (uint32_t i = 0; i < size; i++)
        if (!(fabs(left[i]) <= most * term[i] && term[i] < HUGE_VAL)) return false;
    return true;
}

#endif

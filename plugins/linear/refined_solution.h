/* refined_solution.h - solutions whose residual is checked, and refined where pivots that were chosen for short factors have cost digits. */
#ifndef TENON_REFINED_SOLUTION_H
#define TENON_REFINED_SOLUTION_H

#include "used_pattern.h"

#include <math.h>

enum { REFINED_MOST = 3 };    /* corrections */
#define REFINED_ENOUGH 1e-13  /* residual, against the terms that it is left of */
#define REFINED_PROGRESS 0.25 /* of the residual before: a correction that leaves more is the last one */

typedef struct refined_solution {
    int32_t size;
    double *given, *left, *terms; /* [size] */
} refined_solution;

static inline void refined_free(refined_solution *r)
{
    free(r->given);
    free(r->left);
    free(r->terms);
    *r = (refined_solution){0};
}

static inline bool refined_make(refined_solution *r, int32_t size)
{
    const size_t n = (size_t)size + 1;
    *r = (refined_solution){.size = size,
                            .given = malloc(n * sizeof *r->given),
                            .left = malloc(n * sizeof *r->left),
                            .terms = malloc(n * sizeof *r->terms)};
    return r->given && r->left && r->terms;
}

/* given - A x in `left`; returns the largest of it against the largest sum of the magnitudes of its terms. */
static inline double refined_residual(const refined_solution *r, const used_pattern *A, const double *x)
{
    double largest = 0.0, scale = 0.0;
    for (int32_t i = 0; i < r->size; i++) {
        r->left[i] = r->given[i];
        r->terms[i] = fabs(r->given[i]);
    }
    for (int32_t j = 0; j < r->size; j++)
        for (int32_t e = A->start[j]; e < A->start[j + 1]; e++) {
            const double term = A->value[e] * x[j];
            r->left[A->row[e]] -= term;
            r->terms[A->row[e]] += fabs(term);
        }
    for (int32_t i = 0; i < r->size; i++) {
        largest = fmax(largest, fabs(r->left[i]));
        scale = fmax(scale, r->terms[i]);
    }
    return scale > 0.0 ? largest / scale : 0.0;
}

/* Replaces b by the solution of A x = b, of which `solve` finds an approximation in place. */
static inline tn_status refined_solve(const refined_solution *r, const used_pattern *A,
                                      tn_status (*solve)(void *self, double *right_hand_side), void *self,
                                      double *b)
{
    const size_t bytes = (size_t)r->size * sizeof *b;
    memcpy(r->given, b, bytes);
    tn_status status = solve(self, b);
    double residual = status == TN_OK ? refined_residual(r, A, b) : 0.0, before = HUGE_VAL;
    for (int k = 0; k < REFINED_MOST && residual > REFINED_ENOUGH && residual <= REFINED_PROGRESS * before;
         k++) {
        status = solve(self, r->left);
        if (status != TN_OK) break;
        for (int32_t i = 0; i < r->size; i++)
            b[i] += r->left[i];
        before = residual;
        residual = refined_residual(r, A, b);
    }
    return status;
}

#endif

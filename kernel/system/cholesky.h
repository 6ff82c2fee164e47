/* cholesky.h - sparse symmetric positive definite matrices of one pattern, factored as L D L^T */
#ifndef TN_CHOLESKY_H
#define TN_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the factors of all matrices of one pattern share; places are numbers in the order of elimination. */
typedef struct tn_cholesky {
    uint32_t size;
    uint32_t *order;                /* [size] which row stands at a place */
    uint32_t *upper_start, *upper;  /* entries above the diagonal and on it, by columns: their places, */
    uint32_t *entry;                /* and their numbers among the values of a matrix */
    uint32_t *parent;               /* [size] of the elimination tree */
    uint32_t *column_start, *below; /* L below its diagonal, by columns: the places of the rows */
    uint32_t *length, *stack, *mark;
    double *work;
} tn_cholesky;

/* `row` and `column` [entries] list all positions of both halves that may be other than zero, the diagonal among them. Rows
 * keep their order, but those that are coupled to most others come last. Free with tn_cholesky_free(). */
tn_cholesky *tn_cholesky_new(uint32_t size, uint32_t entries, const uint32_t *row, const uint32_t *column);
void tn_cholesky_free(tn_cholesky *pattern);
/* Numbers of one factored matrix. */
size_t tn_cholesky_factor_size(const tn_cholesky *pattern);
/* Factors a matrix with these values, in the order of the entries; false where it is not positive definite. */
bool tn_cholesky_factor(tn_cholesky *pattern, const double *value, double *factor);
/* x = A^-1 b; x may be b. */
void tn_cholesky_solve(const tn_cholesky *pattern, const double *factor, const double *b, double *x);

#endif

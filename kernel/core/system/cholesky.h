/* cholesky.h - sparse symmetric positive definite matrices of one pattern, factored as L D L^T by LDL of SuiteSparse */
#ifndef TN_CHOLESKY_H
#define TN_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the factors of all matrices of one pattern share. */
typedef struct tn_cholesky {
    int size;
    int *order, *place;      /* [size] which row is eliminated when, and when a row is */
    int *column_start, *row; /* the matrix by columns, */
    uint32_t *entry;         /* and the numbers of its entries among the values */
    /* L below its diagonal, by columns: the rows, once something has been factored */
    int *factor_start, *below;
    int *parent, *length, *pattern, *flag;
    double *value, *work; /* of the matrix by columns; [size] */
} tn_cholesky;

/* `row` and `column` [entries] list all positions of both halves that may be other than zero, the diagonal among them. The
 * order of elimination is that of approximate minimum degree. */
tn_cholesky *tn_cholesky_new(uint32_t size, uint32_t entries, const uint32_t *row, const uint32_t *column);
/* Numbers of one factored matrix. */
size_t tn_cholesky_factor_size(const tn_cholesky *pattern);
/* Factors a matrix with these values, in the order of the entries; false where it is not positive definite. */
bool tn_cholesky_factor(tn_cholesky *pattern, const double *value, double *factor);
/* x = A^-1 b; x may be b. */
void tn_cholesky_solve(const tn_cholesky *pattern, const double *factor, const double *b, double *x);

#endif

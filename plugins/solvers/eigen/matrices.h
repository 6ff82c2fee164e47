/* matrices.h - sparse matrices of eigen: sums of products, and matrices made of blocks. */
#ifndef TENON_EIGEN_MATRICES_H
#define TENON_EIGEN_MATRICES_H

#include <tenon/draft/linearisation.h>
#include <tenon/linear.h>

#include <complex.h>

/* A B, or A where B is NULL. */
typedef struct eigen_term {
    const tn_sparse *A, *B;
} eigen_term;

/* The sum of terms of one size, its zeros left out. */
tn_status tn_eigen_sum(const tn_host *host, const eigen_term *term, size_t terms, tn_sparse *sum);
/* The rows of A that are marked by this value, others empty. */
tn_status tn_eigen_some_rows(const tn_host *host, const tn_sparse *A, const uint8_t *mark, uint8_t value,
                             tn_sparse *some);
/* What is not zero of a full matrix whose rows stand `stride` apart; NULL: the unit matrix. */
tn_status tn_eigen_take_full(const tn_host *host, uint32_t rows, uint32_t columns, size_t stride,
                             const double *full, tn_sparse *taken);

bool tn_eigen_has_entries(const tn_sparse *A);
double tn_eigen_largest(const tn_sparse *A);
double tn_eigen_diagonal(const tn_sparse *A, uint32_t i);
/* sum += A x. */
void tn_eigen_multiply_add(const tn_sparse *A, const double *x, double *sum);
/* sum += factor A x. */
void tn_eigen_multiply_add_complex(const tn_sparse *A, double _Complex factor, const double _Complex *x,
                                   double _Complex *sum);

/* factor times a part, its first entry at (row, column). */
typedef struct eigen_block {
    uint32_t row, column;
    const tn_sparse *part;
    double _Complex factor;
} eigen_block;

/* The pattern of a matrix that blocks and the diagonal make, and its values. */
tn_status tn_eigen_unite(const tn_host *host, uint32_t size, const eigen_block *block, size_t blocks,
                         tn_matrix *united);
void tn_eigen_fill(const tn_matrix *united, const eigen_block *block, size_t blocks,
                   const double _Complex *diagonal, double _Complex *value);

#endif

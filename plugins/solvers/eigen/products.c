/* products.c - products of full matrices, column by column (eigen.h) */
#include "eigen.h"

void tn_eigen_product(size_t m, size_t k, size_t n, const double *A, const double *B, double *C)
{
    memset(C, 0, m * n * sizeof *C);
    for (size_t j = 0; j < n; j++)
        for (size_t l = 0; l < k; l++) {
            const double b = B[j * k + l];
            const double *a = A + l * m;
            double *c = C + j * m;
            if (b == 0.0) continue;
            for (size_t i = 0; i < m; i++)
                c[i] += a[i] * b;
        }
}

tn_status tn_eigen_transposed_product(const tn_host *host, size_t m, size_t k, size_t n, const double *A,
                                      const double *B, double *C)
{
    double *transposed = tn_eigen_numbers(host, m * k);
    if (!transposed) return TN_OUT_OF_MEMORY;
    for (size_t i = 0; i < m; i++)
        for (size_t l = 0; l < k; l++)
            transposed[l * m + i] = A[i * k + l];
    tn_eigen_product(m, k, n, transposed, B, C);
    return TN_OK;
}

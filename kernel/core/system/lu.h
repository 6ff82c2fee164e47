/* lu.h - small dense systems of equations, factored in place */
#ifndef TN_LU_H
#define TN_LU_H

#include <stdbool.h>
#include <stdint.h>

/* P A = L U by columns with the largest pivot; `matrix` is [n][n] by rows, exchange[k] the row that changed places with
 * row k. False where a column depends on those before it, but for round-off: its number is then in *column. Zeros cost next
 * to nothing. */
bool tn_lu_factor(uint32_t n, double *matrix, uint32_t *exchange, uint32_t *column);
/* x = A^-1 x; x = A^-T x. */
void tn_lu_solve(uint32_t n, const double *matrix, const uint32_t *exchange, double *x);
void tn_lu_solve_transposed(uint32_t n, const double *matrix, const uint32_t *exchange, double *x);

#endif

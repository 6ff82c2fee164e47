/* lu.h - small dense systems of equations, factored in place */
#ifndef TN_LU_H
#define TN_LU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* P A = L U by columns with the largest pivot; `matrix` is [n][n] by rows, exchange[k] the row that changed places with
 * row k. False where a column depends on those before it, but for round-off: its number is then in *column. Zeros cost next
 * to nothing. */
bool tn_lu_factor(uint32_t n, double *matrix, uint32_t *exchange, uint32_t *column);
/* x = A^-1 x; x = A^-T x. */
void tn_lu_solve(uint32_t n, const double *matrix, const uint32_t *exchange, double *x);
void tn_lu_solve_transposed(uint32_t n, const double *matrix, const uint32_t *exchange, double *x);

/* The equations of the unknowns of one instance. */
typedef struct tn_small_system {
    double *matrix, *direction; /* [n][n], [n] */
    uint32_t *exchange;         /* [n] */
} tn_small_system;
/* Lets unknowns follow all columns of a tangent [rows][stride] but their own n, which begin at `first`: adds to each of these its
 * part with A^-1 factor e, where A is factored, and e the column among `equations` [n][stride]. */
void tn_small_condense(const tn_small_system *system, uint32_t n, double factor, const double *equations,
                       size_t stride, size_t first, uint32_t rows, double *tangent);

#endif

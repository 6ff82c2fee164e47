/* linear_check.c - whether a linear solver solves: its solutions and its verdicts are held against the matrix
 *
 * The first solution behind each of the first factorisations, and behind every CHECK_EVERY-th, is multiplied by the matrix;
 * all of them are looked at for what is no number. What else it costs is paid where something has gone wrong. */
#include "system/failure.h"
#include "system/linear.h"
#include "system/lu.h"

#include <math.h>
#include <string.h>

#define LARGEST_RESIDUAL 1e-4 /* against the terms that it is left of: far beyond what round-off leaves */
#define CLEARLY_REGULAR 1e-6  /* smallest pivot against the largest one, rows and columns being scaled */
enum { FIRST = 8, CHECK_EVERY = 64, LARGEST_DENSE = 200 };

struct tn_linear_check {
    uint64_t factorisations, verdicts;
    double *given, *terms; /* [size] right-hand side; terms of rows, residuals */
};

static bool matrix_is_finite(const tn_matrix *A)
{
    return tn_are_finite(A->value, (size_t)A->column_start[A->size]);
}

/* ---- singular matrices ----------------------------------------------------------------------------------- */

static void divide_by_largest(double *first, uint32_t count, size_t stride)
{
    double largest = 0.0;
    for (uint32_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(first[k * stride]));
    for (uint32_t k = 0; largest > 0.0 && k < count; k++)
        first[k * stride] /= largest;
}

/* The matrix is regular beyond doubt. */
static bool is_regular(const tn_matrix *A)
{
    const uint32_t n = A->size;
    double *dense = tn_new((size_t)n * n, sizeof *dense), smallest = HUGE_VAL, largest = 0.0;
    uint32_t *exchange = tn_new(n, sizeof *exchange), column = 0;
    for (uint32_t j = 0; j < n; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            dense[(size_t)A->row[e] * n + j] = A->value[e];
    for (uint32_t k = 0; k < n; k++)
        divide_by_largest(dense + (size_t)k * n, n, 1);
    for (uint32_t k = 0; k < n; k++)
        divide_by_largest(dense + k, n, n);
    const bool factored = tn_lu_factor(n, dense, exchange, &column);
    for (uint32_t k = 0; k < n; k++) {
        smallest = fmin(smallest, fabs(dense[(size_t)k * n + k]));
        largest = fmax(largest, fabs(dense[(size_t)k * n + k]));
    }
    tn_free(dense);
    tn_free(exchange);
    return factored && smallest > CLEARLY_REGULAR * largest;
}

tn_status tn_linear_check_verdict(tn_assembly *assembly, tn_equations *equations)
{
    const tn_matrix *A = &equations->matrix;
    equations->called_singular = true;
    if (!matrix_is_finite(A)) return tn_matrix_culprit(assembly);
    const bool is_checked =
        assembly->linear->check->verdicts++ % CHECK_EVERY == 0 && A->size <= LARGEST_DENSE;
    if (!is_checked || !is_regular(A)) return TN_RETRY;
    return tn_blame(assembly, assembly->linear->type, "factor",
                    "calls a matrix of size %u singular that is regular", A->size);
}

/* ---- solutions ------------------------------------------------------------------------------------------- */

struct tn_linear_check *tn_linear_check_new(uint32_t size)
{
    struct tn_linear_check *check = tn_new(1, sizeof *check);
    check->given = tn_new_aligned(size, sizeof(double));
    check->terms = tn_new_aligned(2 * (size_t)size, sizeof(double));
    return check;
}

void tn_linear_check_free(struct tn_linear_check *check)
{
    if (!check) return;
    tn_free(check->given);
    tn_free(check->terms);
    tn_free(check);
}

void tn_linear_check_factored(tn_assembly *assembly, tn_equations *equations)
{
    equations->called_singular = false;
    const uint64_t number = assembly->linear->check->factorisations++;
    equations->checks_solution = number < FIRST || number % CHECK_EVERY == 0;
}

void tn_linear_check_give(const tn_assembly *assembly, const tn_equations *equations,
                          const double *right_hand_side)
{
    struct tn_linear_check *check = assembly->linear->check;
    if (equations->checks_solution)
        memcpy(check->given, right_hand_side, equations->matrix.size * sizeof *check->given);
}

/* The largest |A x - b|, against the largest sum of the sizes of its terms. */
static double relative_residual(const struct tn_linear_check *check, const tn_matrix *A, const double *x)
{
    double *rest = check->terms, *size = check->terms + A->size, largest = 0.0, scale = 0.0;
    for (uint32_t i = 0; i < A->size; i++) {
        rest[i] = -check->given[i];
        size[i] = fabs(check->given[i]);
    }
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const double term = A->value[e] * x[j];
            rest[A->row[e]] += term;
            size[A->row[e]] += fabs(term);
        }
    for (uint32_t i = 0; i < A->size; i++) {
        largest = fmax(largest, fabs(rest[i]));
        scale = fmax(scale, size[i]);
    }
    return scale > 0.0 ? largest / scale : 0.0;
}

/* A solution that is no number may come of a matrix or a right-hand side that is none. */
static tn_status explain_no_number(tn_assembly *assembly, const tn_equations *equations, double *x)
{
    const tn_matrix *A = &equations->matrix;
    if (!matrix_is_finite(A)) return tn_matrix_culprit(assembly);
    for (uint32_t i = 0; i < A->size; i++)
        x[i] = 1.0;
    const tn_status status = tn_call(assembly->linear->type, solve, equations->self, x);
    if (status == TN_OK && tn_are_finite(x, A->size)) return TN_RETRY;
    return tn_blame(assembly, assembly->linear->type, "solve",
                    "gives a solution that is no number, of a matrix of size %u that is finite", A->size);
}

/* A right-hand side of round-off alone may lie outside of what a nearly singular matrix reaches: the sums of its rows do not. */
static tn_status solves_sums_of_rows(tn_assembly *assembly, const tn_equations *equations, bool *solves)
{
    struct tn_linear_check *check = assembly->linear->check;
    const tn_matrix *A = &equations->matrix;
    double *x = tn_new_aligned(A->size, sizeof *x);
    memset(check->given, 0, A->size * sizeof *check->given);
    for (int32_t e = 0; e < A->column_start[A->size]; e++)
        check->given[A->row[e]] += A->value[e];
    memcpy(x, check->given, A->size * sizeof *x);
    const tn_status status = tn_call(assembly->linear->type, solve, equations->self, x);
    *solves =
        status == TN_OK && tn_are_finite(x, A->size) && relative_residual(check, A, x) <= LARGEST_RESIDUAL;
    tn_free(x);
    return status;
}

tn_status tn_linear_check_solution(tn_assembly *assembly, tn_equations *equations, double *x)
{
    struct tn_linear_check *check = assembly->linear->check;
    const tn_matrix *A = &equations->matrix;
    if (!tn_are_finite(x, A->size)) return explain_no_number(assembly, equations, x);
    assembly->spoiler = NULL;
    assembly->spoiling_derived = NULL;
    if (!equations->checks_solution) return TN_OK;
    const double residual = relative_residual(check, A, x);
    equations->checks_solution = false;
    bool solves = residual <= LARGEST_RESIDUAL;
    const tn_status status = solves ? TN_OK : solves_sums_of_rows(assembly, equations, &solves);
    if (status == TN_OK && solves) return TN_OK;
    return tn_blame(assembly, assembly->linear->type, "solve",
                    "gives no solution: the matrix of size %u times that differs from the right-hand side by "
                    "%.2g of its terms",
                    A->size, residual);
}

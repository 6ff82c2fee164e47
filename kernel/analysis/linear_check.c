/* linear_check.c - whether a linear solver solves: its solutions and its verdicts are held against the matrix
 *
 * Some solutions are multiplied by the matrix, and refined (solved.h); all of them are looked at for what is no number. */
#include "analysis/analysis.h"
#include "analysis/culprit.h"
#include "extensions/solved.h"
#include "system/failure.h"
#include "system/lu.h"

#include <math.h>
#include <string.h>

#define CLEARLY_REGULAR 1e-6 /* smallest pivot against the largest one, rows and columns being scaled */
enum { CHECK_EVERY = 64, LARGEST_DENSE = 200 };

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

static tn_status judge_singular(tn_assembly *assembly, tn_equations *equations)
{
    const tn_matrix *A = &equations->matrix;
    if (!matrix_is_finite(A)) return tn_matrix_culprit(assembly);
    const bool is_checked =
        assembly->linear->record->verdicts++ % CHECK_EVERY == 0 && A->size <= LARGEST_DENSE;
    if (!is_checked || !is_regular(A)) return TN_RETRY;
    return tn_blame(assembly, assembly->linear->type, "factor",
                    "reports a regular matrix of size %u as singular", A->size);
}

/* ---- solutions ------------------------------------------------------------------------------------------- */

static struct tn_linear_record *open_record(uint32_t size)
{
    /* `trial` takes no memory until a solution is in doubt */
    struct tn_linear_record *record = tn_new(1, sizeof *record + (size_t)3 * size * sizeof(double));
    record->given = (double *)(void *)(record + 1);
    record->terms = record->given + size;
    record->trial = record->terms + size;
    return record;
}

static void close_record(struct tn_linear_record *record) { tn_free(record); }

static void note_factored(tn_assembly *assembly, tn_equations *equations)
{
    tn_accuracy_factored(tn_accuracy_of(assembly, equations));
}

/* Of the corrections of an iteration only those that are looked at. */
static bool is_refined(const tn_assembly *assembly, const tn_equations *equations)
{
    const tn_accuracy *accuracy = tn_accuracy_of(assembly, equations);
    const bool corrects = equations == &assembly->equations && assembly->system.corrects;
    return equations->is_factored && (corrects ? accuracy->looks : tn_accuracy_needs_given(accuracy));
}

static void note_given(const tn_assembly *assembly, const tn_equations *equations,
                       const double *right_hand_side)
{
    if (equations->is_factored)
        tn_accuracy_given(tn_accuracy_of(assembly, equations), right_hand_side, equations->matrix.size,
                          assembly->linear->record->given);
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
                    "gives a solution that is not finite for a finite matrix of size %u", A->size);
}

static tn_status check_solution(tn_assembly *assembly, tn_equations *equations, double *x)
{
    struct tn_linear_record *record = assembly->linear->record;
    const tn_matrix *A = &equations->matrix;
    if (!tn_are_finite(x, A->size)) return explain_no_number(assembly, equations, x);
    assembly->failures.spoiler.group = NULL;
    assembly->failures.spoiler.derived = NULL;
    if (!is_refined(assembly, equations)) return TN_OK;
    const double fault = tn_solved_refine(&(tn_solved){.type = assembly->linear->type,
                                                       .self = equations->self,
                                                       .matrix = A,
                                                       .value = A->value,
                                                       .given = record->given,
                                                       .terms = record->terms,
                                                       .trial = record->trial},
                                          tn_accuracy_of(assembly, equations), x);
    if (fault == 0.0) return TN_OK;
    return tn_blame(assembly, assembly->linear->type, "solve",
                    "gives a wrong solution for a matrix of size %u: its residual is %.2g of the terms",
                    A->size, fault);
}

const tn_linear_check tn_linear_checks = {.open = open_record,
                                          .close = close_record,
                                          .factored = note_factored,
                                          .singular = judge_singular,
                                          .given = note_given,
                                          .solved = check_solution};

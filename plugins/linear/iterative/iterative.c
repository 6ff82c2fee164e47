/* iterative.c - the types pcg, minres and gmres: iterative solvers of sparse linear systems, for models that are too large for factors
 *
 * What they need beside the matrix is a small multiple of its size, whereas factors of a lattice fill with its size to the power of
 * 4/3. Solutions depend on the matrix and the right-hand side alone, not on earlier solutions, nor on the number of threads. */
#include "iterative.h"

#include <tenon/author.h>
#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>
#include <tenon/kit/blocks.h>

#include <stdlib.h>

enum { GUESSED_ITERATIONS = 50 }; /* of a solution, where there has been none */

/* ---- creation ------------------------------------------------------------------------------------------------------ */

void iterative_destroy(void *self)
{
    iterative *k = self;
    if (!k) return;
    iterative_free(k);
    free(k);
}

static bool make_vectors(iterative *k)
{
    const size_t n = (size_t)k->size + 1, m = (size_t)k->settings.restart;
    k->right = iterative_new(k, n, sizeof(double));
    k->x = iterative_new(k, n, sizeof(double));
    k->residual = iterative_new(k, n, sizeof(double));
    k->correction = iterative_new(k, n, sizeof(double));
    k->vector = iterative_new(k, n * k->method->vectors, sizeof(double));
    k->part = iterative_new(k, tn_count_blocks(k->size), sizeof(double));
    if (m) k->basis = iterative_new(k, n * (m + 1), sizeof(double));
    if (m) k->hessenberg = iterative_new(k, (m + 1) * m + 3 * m + 1, sizeof(double));
    return k->right && k->x && k->residual && k->correction && k->vector && k->part &&
           (!m || (k->basis && k->hessenberg));
}

tn_status iterative_create(const tn_host *host, const iterative_method *method, iterative_settings settings,
                           const tn_matrix *matrix, void **self)
{
    iterative *k = calloc(1, sizeof *k);
    *self = k;
    if (!k) return TN_OUT_OF_MEMORY;
    k->method = method;
    k->host = host;
    k->settings = settings;
    k->size = matrix->size;
    k->last = GUESSED_ITERATIONS;
    if (settings.restart > (int64_t)k->size + 1) k->settings.restart = (int64_t)k->size + 1;
    tn_status status = block_matrix_make(k, matrix);
    if (status == TN_OK) status = constraints_make(k);
    if (status == TN_OK) status = preconditioner_make(k);
    if (status == TN_OK && !make_vectors(k)) status = TN_OUT_OF_MEMORY;
    return status;
}

/* ---- factorisation ------------------------------------------------------------------------------------------------- */

/* What the method does not solve, by what it needs and by the type that does it. */
static tn_status check_kind(const iterative *k)
{
    const iterative_method *method = k->method;
    if (method->is_definite && k->constraints < k->F.count) {
        tn_say(k->host, TN_ERROR,
               "%s needs a positive definite matrix, and constraints make it indefinite: use linear = "
               "\"minres\" "
               "or \"klu\"",
               method->name);
        return TN_UNSUPPORTED;
    }
    if (method->is_symmetric && k->asymmetry > method->most_asymmetry) {
        tn_say(
            k->host, TN_ERROR,
            "%s needs a symmetric matrix: entries of this one differ by %.2g across the diagonal, of their "
            "scaled size, and %g is the most it takes; use linear = \"gmres\" or \"klu\"",
            method->name, k->asymmetry, method->most_asymmetry);
        return TN_UNSUPPORTED;
    }
    return TN_OK;
}

tn_status iterative_factor(void *self, const tn_matrix *matrix)
{
    iterative *k = self;
    k->factored = false;
    block_matrix_fill(k, matrix);
    constraints_find(k);
    tn_status status = block_matrix_scale(k);
    if (status == TN_OK) status = check_kind(k);
    if (status == TN_OK) status = preconditioner_factor(k);
    if (status != TN_OK) return status;
    if (k->method->is_definite && k->is_indefinite) return iterative_refuse_indefinite(k);
    k->factored = true;
    return TN_OK;
}

tn_status iterative_substitute(void *self, double *right_hand_side)
{
    iterative *k = self;
    if (k->size == 0) return TN_OK;
    return k->factored ? iterative_solve(k, right_hand_side) : TN_FATAL;
}

/* ---- capabilities -------------------------------------------------------------------------------------------------- */

/* Matrices as they were factorised last: the preconditioner follows from them. */
tn_status iterative_state(void *self, TN_UNUSED const tn_matrix *pattern, tn_state_visitor *visitor)
{
    iterative *k = self;
    TN_VISIT(visitor, k->factored);
    if (!k->factored) return TN_OK;
    TN_VISIT(visitor, k->constraints);
    TN_VISIT(visitor, k->asymmetry);
    tn_visit_numbers(visitor, k->sign, k->size);
    tn_visit_numbers(visitor, k->scale, k->size);
    tn_visit_numbers(visitor, k->F.value, k->F.place[k->F.row_start[k->F.count]]);
    return visitor->restores ? preconditioner_factor(k) : TN_OK;
}

static double values_of(const block_matrix *F)
{
    return F->value ? (double)F->place[F->row_start[F->count]] : 0.0;
}

/* All numbers that are kept; the operations of a factorisation and of one solution, with as many iterations as the last one has
 * taken. */
tn_status iterative_estimate(void *self, double *entries, double *operations)
{
    const iterative *k = self;
    const double matrix = values_of(&k->F), schur = values_of(&k->schur);
    const double pivots = (double)k->inverse_place[k->F.count], n = (double)k->size;
    const double basis = k->basis ? (double)k->settings.restart : 0.0;
    double products = 0.0;
    for (uint32_t i = 0; i < k->F.count; i++)
        products += 2.0 * (double)(k->F.place[k->F.diagonal[i]] - k->F.place[k->F.row_start[i]]) *
                    (double)(2 * block_size(&k->F, i));
    *entries = matrix + schur + (k->inverse ? 2.0 : 1.0) * pivots + (6.0 + k->method->vectors + basis) * n;
    *operations = products + 2.0 * (double)LARGEST_BLOCK * pivots +
                  (double)k->last * (4.0 * matrix + 2.0 * schur + (12.0 + 2.0 * basis) * n);
    return TN_OK;
}

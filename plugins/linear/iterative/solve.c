/* solve.c - cycles of a method, each from the true residual of the one before */
#include "iterative.h"

#include <tenon/text.h>

#include <float.h>
#include <math.h>

#define SHARE_OF_ASYMMETRY \
    100.0 /* what a cycle takes off, at most: methods for symmetric matrices lose their way beyond it */
#define LEAST_GAIN 0.1 /* of a cycle; the last ones would be of one iteration else */
#define STANDSTILL 0.5
#define SLOW 0.99 /* no gain at all */
enum { MOST_FRUITLESS = 5 };
#define LARGEST_RESIDUAL 1e-4
#define ROUND_OFF (8.0 * DBL_EPSILON) /* of the sums of magnitudes that a residual is left of */

/* A right-hand side that is no number has no solution: the caller looks for it. */
static bool take_right(iterative *k, const double *b)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < k->size; i++) {
        k->right[i] = k->sign[i] * k->scale[i] * b[i];
        sum += fabs(k->right[i]);
    }
    return sum <= DBL_MAX;
}

static void give_solution(const iterative *k, double *x)
{
    for (uint32_t i = 0; i < k->size; i++)
        x[i] = k->scale[i] * k->x[i];
}

/* Its norm. */
static double find_residual(iterative *k)
{
    block_matrix_multiply(k, k->x, k->residual);
    vector_combine(k, 1.0, k->right, -1.0, k->residual);
    return vector_norm(k, k->residual);
}

/* Nothing smaller can be expected in this precision. Where that is no small part of the right-hand side, the matrix is singular. */
static bool is_round_off(iterative *k, double norm, double size)
{
    if (norm > LARGEST_RESIDUAL * size) return false;
    double *terms = k->correction;
    block_matrix_terms(k, k->x, k->right, terms);
    return norm <= ROUND_OFF * vector_norm(k, terms);
}

tn_status iterative_refuse_indefinite(const iterative *k)
{
    tn_say(
        k->host, TN_ERROR,
        "%s needs a positive definite matrix, which this one is not (a long step at an unstable state?): use "
        "linear = \"gmres\" or \"klu\", or a shorter step",
        k->method->name);
    return TN_UNSUPPORTED;
}

static tn_status fail_to_converge(const iterative *k, double share)
{
    char asymmetry[128] = "";
    if (k->method->is_symmetric && k->asymmetry > k->settings.tolerance)
        (void)tn_print_cut(asymmetry, sizeof asymmetry,
                           " The matrix is unsymmetric by %.1e: \"gmres\" may do.", k->asymmetry);
    tn_say(
        k->host, TN_ERROR,
        "%s has not converged: after %lld iterations the residual is %.2g of the right-hand side, above its "
        "`tolerance` of %.1g. Use linear = \"klu\", a direct solver, or a shorter step.%s",
        k->method->name, (long long)k->used, share, k->settings.tolerance, asymmetry);
    return TN_FATAL;
}

/* What a cycle is to leave; after others have gained nothing, less and less: they may have looked at directions that are large in
 * the norm of the preconditioner only. */
static double target_of(const iterative *k, double goal, double norm, int fruitless)
{
    const double lost = k->method->is_symmetric ? SHARE_OF_ASYMMETRY * k->asymmetry : 0.0;
    return fmin(LEAST_GAIN, fmax(goal / norm, lost)) * pow(LEAST_GAIN, 2 * fruitless);
}

/* Adds the correction where that makes the residual smaller; its norm. */
static double correct(iterative *k, double before)
{
    vector_add(k, 1.0, k->correction, k->x);
    const double norm = find_residual(k);
    if (norm < before) return norm;
    vector_add(k, -1.0, k->correction, k->x);
    return find_residual(k);
}

/* x of F x = right, which is not zero. */
static tn_status iterate(iterative *k, double size)
{
    const double goal = k->settings.tolerance * size;
    double norm = size;
    int fruitless = 0;
    vector_clear(k, k->x);
    vector_copy(k, k->right, k->residual);
    while (norm > goal) {
        const double before = norm;
        if (k->used >= k->settings.iterations || fruitless > MOST_FRUITLESS)
            return fail_to_converge(k, norm / size);
        const tn_status status = k->method->cycle(k, target_of(k, goal, norm, fruitless));
        if (status != TN_OK) return iterative_refuse_indefinite(k);
        norm = correct(k, before);
        if (!(norm <= DBL_MAX)) return fail_to_converge(k, norm / size);
        if (norm <= STANDSTILL * before) fruitless = 0;
        if (norm <= goal || norm <= STANDSTILL * before) continue;
        if (is_round_off(k, norm, size)) return TN_OK;
        if (norm > SLOW * before) fruitless++;
    }
    return TN_OK;
}

tn_status iterative_solve(iterative *k, double *right_hand_side)
{
    if (!take_right(k, right_hand_side)) {
        for (uint32_t i = 0; i < k->size; i++)
            right_hand_side[i] = (double)NAN;
        return TN_OK;
    }
    const double size = vector_norm(k, k->right);
    k->used = 0;
    if (size == 0.0) return TN_OK;
    const tn_status status = iterate(k, size);
    k->last = k->used;
    if (status == TN_OK) give_solution(k, right_hand_side);
    return status;
}

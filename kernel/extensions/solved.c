/* solved.c - whether a linear solver has solved, and iterative refinement (solved.h) */
#include "extensions/solved.h"

#include <math.h>
#include <string.h>

#define LARGEST_RESIDUAL 1e-4 /* against the terms that it is left of: far beyond what round-off leaves */
#define ROUND_OFF 1e-13       /* likewise: nothing to refine */
#define PROGRESS 0.25         /* of the residual before: a correction that leaves more is the last one */
enum { FIRST = 8, LOOK_EVERY = 64, MOST_UNSEEN = 256, MOST_CORRECTIONS = 3 };

tn_accuracy *tn_accuracy_of(const tn_assembly *assembly, const tn_equations *equations)
{
    struct tn_linear_record *record = assembly->linear->record;
    const int which = equations == &assembly->least_norm ? 1 : equations == &assembly->stages ? 2 : 0;
    return record ? &record->accuracy[which] : NULL;
}

void tn_accuracy_factored(tn_accuracy *accuracy)
{
    const uint64_t number = accuracy->factorisations++;
    const bool is_due = number < FIRST || number % LOOK_EVERY == 0 || accuracy->solutions >= MOST_UNSEEN;
    accuracy->looks = is_due || accuracy->watched > 0 ? 1u : 0u;
    accuracy->watched -= accuracy->watched > 0;
    accuracy->corrections = 0;
}

void tn_accuracy_given(tn_accuracy *accuracy, const double *right_hand_side, size_t numbers, double *given)
{
    accuracy->solutions++;
    if (tn_accuracy_needs_given(accuracy)) memcpy(given, right_hand_side, numbers * sizeof *given);
}

/* ---- residuals ------------------------------------------------------------------------------------------- */

static size_t numbers_of(const tn_solved *s) { return (s->is_complex ? 2u : 1u) * (size_t)s->matrix->size; }

static void subtract_real(const tn_solved *s, const double *x, double *restrict left)
{
    const tn_matrix *A = s->matrix;
    const int32_t *row = A->row;
    const double *value = s->value;
    for (uint32_t j = 0; j < A->size; j++) {
        const int32_t end = A->column_start[j + 1];
        const double xj = x[j];
        for (int32_t e = A->column_start[j]; e < end; e++)
            left[row[e]] -= value[e] * xj;
    }
}

/* And adds the magnitudes of what it subtracts to the terms. Most of a pattern is zero. */
static void subtract_real_terms(const tn_solved *s, const double *x, double *left)
{
    const tn_matrix *A = s->matrix;
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            if (s->value[e] == 0.0) continue;
            const double term = s->value[e] * x[j];
            left[A->row[e]] -= term;
            s->terms[A->row[e]] += fabs(term);
        }
}

static void subtract_complex_terms(const tn_solved *s, const double *x, double *left)
{
    const tn_matrix *A = s->matrix;
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const double *z = x + 2 * (size_t)j, *a = s->value + 2 * (size_t)e;
            const size_t i = 2 * (size_t)A->row[e];
            left[i] -= a[0] * z[0] - a[1] * z[1];
            left[i + 1] -= a[0] * z[1] + a[1] * z[0];
            s->terms[i] += fabs(a[0] * z[0]) + fabs(a[1] * z[1]);
            s->terms[i + 1] += fabs(a[0] * z[1]) + fabs(a[1] * z[0]);
        }
}

/* left - A x in `left`, the sums of magnitudes of its terms in `terms`. */
static void subtract_product(const tn_solved *s, const double *x, double *left)
{
    for (size_t i = 0; i < numbers_of(s); i++)
        s->terms[i] = fabs(left[i]);
    if (s->is_complex)
        subtract_complex_terms(s, x, left);
    else
        subtract_real_terms(s, x, left);
}

typedef struct residual {
    double largest, terms; /* |A x - b|; the largest sum of the sizes of terms in a row */
} residual;

/* What x leaves of the numbers in `left`, which becomes that. */
static residual leave(const tn_solved *s, const double *x, double *left)
{
    residual r = {0.0, 0.0};
    subtract_product(s, x, left);
    for (size_t i = 0; i < numbers_of(s); i++) {
        r.largest = fmax(r.largest, fabs(left[i]));
        r.terms = fmax(r.terms, s->terms[i]);
    }
    return r;
}

static double share_of(residual r) { return r.terms > 0.0 ? r.largest / r.terms : 0.0; }

static tn_status solve(const tn_solved *s, double *x)
{
    return s->is_complex ? tn_call(s->type, solve_complex, s->self, x) : tn_call(s->type, solve, s->self, x);
}

/* A right-hand side of round-off alone may lie outside of what a nearly singular matrix reaches: the sums of its rows do not. */
static bool solves_sums_of_rows(const tn_solved *s)
{
    const size_t numbers = numbers_of(s);
    memset(s->given, 0, numbers * sizeof *s->given);
    for (size_t i = 0; i < numbers; i++)
        s->trial[i] = s->is_complex && i % 2 ? 0.0 : -1.0;
    subtract_product(s, s->trial, s->given);
    memcpy(s->trial, s->given, numbers * sizeof *s->trial);
    return solve(s, s->trial) == TN_OK && tn_are_finite(s->trial, numbers) &&
           share_of(leave(s, s->trial, s->given)) <= LARGEST_RESIDUAL;
}

/* ---- refinement ------------------------------------------------------------------------------------------ */

/* Adds the solution for what is left, which stands in `trial`. */
static bool correct(const tn_solved *s, double *x)
{
    const size_t numbers = numbers_of(s);
    if (solve(s, s->trial) != TN_OK || !tn_are_finite(s->trial, numbers)) return false;
    for (size_t i = 0; i < numbers; i++)
        x[i] += s->trial[i];
    return true;
}

static residual leave_of_given(const tn_solved *s, const double *x)
{
    memcpy(s->trial, s->given, numbers_of(s) * sizeof *s->trial);
    return leave(s, x, s->trial);
}

/* The corrections that have been worth while. */
static uint32_t refine(const tn_solved *s, double share, double *x)
{
    uint32_t useful = 0;
    for (double before = HUGE_VAL;
         share > ROUND_OFF && share <= PROGRESS * before && useful < MOST_CORRECTIONS && correct(s, x);) {
        before = share;
        share = share_of(leave_of_given(s, x));
        useful += share < before;
    }
    return useful;
}

/* A linear solver that solves to a tolerance of its user's refines by itself. */
static bool refines_itself(const tn_solved *s) { return s->type->flags & TN_SOLVES_TO_TOLERANCE; }

static double look_at(const tn_solved *s, tn_accuracy *accuracy, double *x)
{
    const residual r = leave_of_given(s, x);
    const double share = share_of(r);
    accuracy->looks = r.terms > 0.0 ? 0u : 1u; /* zeros show nothing */
    accuracy->solutions = 0;
    if (share > LARGEST_RESIDUAL) return solves_sums_of_rows(s) ? 0.0 : share;
    if (share <= ROUND_OFF || refines_itself(s)) return 0.0;
    accuracy->corrections = refine(s, share, x);
    accuracy->watched = LOOK_EVERY;
    return 0.0;
}

double tn_solved_refine(const tn_solved *solved, tn_accuracy *accuracy, double *x)
{
    if (accuracy->looks) return look_at(solved, accuracy, x);
    for (uint32_t k = 0; k < accuracy->corrections; k++) {
        if (solved->is_complex)
            (void)leave_of_given(solved, x);
        else {
            memcpy(solved->trial, solved->given, numbers_of(solved) * sizeof *solved->trial);
            subtract_real(solved, x, solved->trial);
        }
        if (!correct(solved, x)) break;
    }
    return 0.0;
}

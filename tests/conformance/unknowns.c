/* unknowns.c - algebraic unknowns that rows read: found where the markers are, as the kernel does before it asks for rows */
#include "scene.h"

#include <string.h>

enum { MOST_TURNS = 40 };

/* A solution stands where corrections are this small. */
static const double small = 1e-10;
/* Of scenes that are drawn: no pivot of the derivatives by unknowns is so much smaller than the largest entry. */
static const double least_pivot = 0.3;

bool tn_scene_has_followers(const tn_scene *s) { return s->type->constraint && s->layout.ns > 0; }

/* Solves A x = b of n equations in place, by Gauss with partial pivoting; returns the smallest pivot over the largest entry. */
static double solve(double *A, double *b, size_t n)
{
    const double largest = tn_largest(A, n * n);
    double least = HUGE_VAL;
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t r = k + 1; r < n; r++)
            if (fabs(A[r * n + k]) > fabs(A[pivot * n + k])) pivot = r;
        for (size_t c = 0; c <= n; c++) {
            double *one = c < n ? &A[k * n + c] : &b[k], *other = c < n ? &A[pivot * n + c] : &b[pivot];
            const double kept = *one;
            *one = *other;
            *other = kept;
        }
        least = fmin(least, fabs(A[k * n + k]));
        for (size_t r = k + 1; r < n; r++) {
            const double factor = A[r * n + k] / A[k * n + k];
            for (size_t c = k; c < n; c++)
                A[r * n + c] -= factor * A[k * n + c];
            b[r] -= factor * b[k];
        }
    }
    for (size_t r = n; r-- > 0;) {
        for (size_t c = r + 1; c < n; c++)
            b[r] -= A[r * n + c] * b[c];
        b[r] /= A[r * n + r];
    }
    return least / largest;
}

/* One step of Newton's method for all instances: the corrections, [count][ns], and how regular each instance is. */
static bool correct(const tn_scene *s, double *correction, double *regular)
{
    const size_t n = s->layout.ns, columns = tn_scene_columns(s), first = columns - n;
    struct tn_block *mark = tn_mark(s->trial);
    double *tangent = tn_take_nan(s->trial, s->count * n * columns);
    double *slope = tn_take(s->trial, n * n * sizeof *slope);
    const bool fine = tn_scene_equations_tangent(s, correction, tangent);
    for (size_t i = 0; i < s->count && fine; i++) {
        for (size_t r = 0; r < n; r++)
            memcpy(slope + r * n, tangent + (i * n + r) * columns + first, n * sizeof *slope);
        regular[i] = solve(slope, correction + i * n, n);
        for (size_t k = i * n; k < (i + 1) * n; k++)
            s->s[k] -= correction[k];
    }
    tn_release(s->trial, mark);
    return fine;
}

static bool is_small(const double *correction, const double *unknown, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!(fabs(correction[k]) <= small * (1.0 + fabs(unknown[k])))) return false;
    return true;
}

/* Newton's method from the unknowns that the scene has; where it ends without a solution they become NaN. */
static bool find(const tn_scene *s, double *regular)
{
    const size_t n = s->layout.ns;
    struct tn_block *mark = tn_mark(s->trial);
    double *correction = tn_take(s->trial, s->count * n * sizeof *correction);
    bool fine = true, moves = true;
    /* one turn more when all are small: it leaves rounding */
    for (int turn = 0; turn < MOST_TURNS && fine && moves; turn++) {
        moves = turn == 0 || !is_small(correction, s->s, s->count * n);
        fine = correct(s, correction, regular);
    }
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < n && !is_small(correction + i * n, s->s + i * n, n); k++)
            s->s[i * n + k] = (double)NAN;
    tn_release(s->trial, mark);
    return fine;
}

void tn_scene_follow(const tn_scene *s)
{
    if (!tn_scene_has_followers(s)) return;
    struct tn_block *mark = tn_mark(s->trial);
    (void)find(s, tn_take(s->trial, s->count * sizeof(double)));
    tn_release(s->trial, mark);
}

bool tn_scene_find_unknowns(const tn_scene *one)
{
    double regular = 0.0;
    if (!tn_scene_has_followers(one)) return true;
    for (uint32_t k = 0; k < one->layout.ns; k++)
        one->s[k] = tn_draw_between(one->trial, -2.0, 2.0);
    return find(one, &regular) && regular >= least_pivot && tn_all_finite(one->s, one->layout.ns);
}

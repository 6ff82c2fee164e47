/* preconditioner.c - incomplete factors M = (P + L) P^-1 (P + U), with the blocks L and U of the matrix below and above the diagonal,
 * and the pivots P_i = F_ii - sum over j < i of F_ij P_j^-1 F_ji
 *
 * Where no three bodies are all neighbours of each other, as in nets and lattices, that is the incomplete factorisation without
 * fill; elsewhere it leaves out what would change blocks beside the diagonal. It needs memory for pivots alone. Constraints have such factors
 * of their Schur complement. */
#include "iterative.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum verdict { NEGATIVE, SINGULAR, POSITIVE };

/* Part of a matrix that is factorised by itself: rows `first` to `last` - 1, whose pivots begin at place[first]. */
typedef struct part {
    const block_matrix *F;
    uint32_t first, last;
    const size_t *place;
    double *pivot;
} part;

static part bodies_of(const iterative *k)
{
    return (part){&k->F, 0, k->constraints, k->inverse_place, k->pivot};
}

static part constraints_of(const iterative *k)
{
    return (part){&k->schur, k->constraints - k->tail, k->schur.count, k->inverse_place + k->tail, k->pivot};
}

/* ---- blocks ---------------------------------------------------------------------------------------------------------- */

/* Inverts in place by Gauss and Jordan, without exchanges: pivots of a matrix whose symmetric part is positive definite are positive. */
static enum verdict invert(uint32_t n, double *a)
{
    double size[LARGEST_BLOCK];
    for (uint32_t i = 0; i < n; i++)
        size[i] = fabs(a[i * n + i]);
    for (uint32_t p = 0; p < n; p++) {
        const double pivot = a[p * n + p];
        if (!(pivot > 4.0 * LARGEST_BLOCK * DBL_EPSILON * size[p]))
            return pivot < -4.0 * LARGEST_BLOCK * DBL_EPSILON * size[p] ? NEGATIVE : SINGULAR;
        const double reciprocal = 1.0 / pivot;
        a[p * n + p] = 1.0;
        for (uint32_t c = 0; c < n; c++)
            a[p * n + c] *= reciprocal;
        for (uint32_t r = 0; r < n; r++) {
            if (r == p) continue;
            const double factor = a[r * n + p];
            a[r * n + p] = 0.0;
            for (uint32_t c = 0; c < n; c++)
                a[r * n + c] -= factor * a[p * n + c];
        }
    }
    return POSITIVE;
}

static void make_identity(uint32_t n, double *a)
{
    for (uint32_t e = 0; e < n * n; e++)
        a[e] = e % (n + 1) == 0 ? 1.0 : 0.0;
}

static double *copy_diagonal(const part *p, uint32_t i, double *to)
{
    const block_matrix *F = p->F;
    const int32_t own = F->diagonal[i];
    memcpy(to, F->value + F->place[own], (F->place[own + 1] - F->place[own]) * sizeof *to);
    return to;
}

/* Whether a block couples with no other one. */
static bool stands_alone(const block_matrix *F, uint32_t i)
{
    for (size_t e = F->place[F->row_start[i]]; e < F->place[F->row_start[i + 1]]; e++) {
        const bool own = e >= F->place[F->diagonal[i]] && e < F->place[F->diagonal[i] + 1];
        if (!own && F->value[e] != 0.0) return false;
    }
    return true;
}

/* The inverses of diagonal blocks; where one is not positive definite, that of its own diagonal, which scaling has made about 1.
 * TN_RETRY: a singular one stands alone, and the matrix is singular, too. */
static tn_status invert_blocks(const part *p, double *inverse, bool *is_indefinite)
{
    tn_status status = TN_OK;
    for (uint32_t i = p->first; i < p->last; i++) {
        const uint32_t n = block_size(p->F, i);
        double *own = copy_diagonal(p, i, inverse + p->place[i]);
        const enum verdict verdict = invert(n, own);
        if (verdict == POSITIVE) continue;
        if (verdict == SINGULAR && stands_alone(p->F, i)) status = TN_RETRY;
        *is_indefinite = true;
        make_identity(n, own);
    }
    return status;
}

/* ---- incomplete factors ---------------------------------------------------------------------------------------------- */

/* c -= a b with blocks [rows][n], [n][columns] */
TN_INLINE void subtract_blocks(uint32_t rows, uint32_t n, uint32_t columns, const double *restrict a,
                               const double *restrict b, double *restrict c)
{
    for (uint32_t j = 0; j < columns; j++)
        for (uint32_t m = 0; m < n; m++)
            for (uint32_t r = 0; r < rows; r++)
                c[j * rows + r] -= a[m * rows + r] * b[j * n + m];
}

static void subtract_matrices(uint32_t rows, uint32_t n, uint32_t columns, const double *a, const double *b,
                              double *c)
{
    if (rows == 6 && n == 6 && columns == 6)
        subtract_blocks(6, 6, 6, a, b, c);
    else if (rows == 3 && n == 3 && columns == 3)
        subtract_blocks(3, 3, 3, a, b, c);
    else
        subtract_blocks(rows, n, columns, a, b, c);
}

/* P_i, not inverted yet. */
static void find_pivot(const part *p, uint32_t i, double shift, double *pivot)
{
    const block_matrix *F = p->F;
    const uint32_t n = block_size(F, i);
    (void)copy_diagonal(p, i, pivot);
    for (uint32_t r = 0; r < n; r++)
        pivot[r * n + r] += shift * fabs(pivot[r * n + r]);
    for (int32_t e = F->row_start[i]; e < F->diagonal[i]; e++) {
        const uint32_t j = (uint32_t)F->column[e], m = block_size(F, j);
        double moved[LARGEST_BLOCK * LARGEST_BLOCK] = {0.0};
        if (j < p->first) continue;
        subtract_matrices(n, m, m, F->value + F->place[e], p->pivot + p->place[j], moved);
        for (uint32_t s = 0; s < n * m; s++)
            moved[s] = -moved[s];
        subtract_matrices(n, m, n, moved, F->value + F->place[F->mate[e]], pivot);
    }
}

static bool find_pivots(const part *p, double shift)
{
    for (uint32_t i = p->first; i < p->last; i++) {
        double *pivot = p->pivot + p->place[i];
        find_pivot(p, i, shift, pivot);
        if (invert(block_size(p->F, i), pivot) != POSITIVE) return false;
    }
    return true;
}

/* With diagonals that are enlarged, as little as does, where pivots would not be positive definite; the diagonal blocks as a last resort. */
static tn_status factor_part(const iterative *k, const part *p, bool *sweeps, bool *is_indefinite)
{
    static const double shift[] = {0.0, 0.01, 0.1, 1.0};
    *sweeps = false;
    for (size_t i = 0; k->settings.preconditioner == INCOMPLETE && i < sizeof shift / sizeof *shift; i++) {
        *sweeps = find_pivots(p, shift[i]);
        if (*sweeps) return TN_OK;
    }
    return invert_blocks(p, p->pivot, is_indefinite);
}

tn_status preconditioner_make(iterative *k)
{
    const uint32_t blocks = k->F.count;
    const bool borders = k->schur.value != NULL;
    k->inverse_place = iterative_new(k, (size_t)blocks + 1, sizeof *k->inverse_place);
    if (!k->inverse_place) return TN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < blocks; i++)
        k->inverse_place[i + 1] = k->inverse_place[i] + (size_t)block_size(&k->F, i) * block_size(&k->F, i);
    k->pivot = iterative_new(k, k->inverse_place[blocks] + 1, sizeof *k->pivot);
    if (borders) k->inverse = iterative_new(k, k->inverse_place[blocks] + 1, sizeof *k->inverse);
    return k->pivot && (k->inverse || !borders) ? TN_OK : TN_OUT_OF_MEMORY;
}

tn_status preconditioner_factor(iterative *k)
{
    const part bodies = bodies_of(k), constraints = constraints_of(k);
    const bool borders = k->inverse && k->constraints < k->F.count;
    bool unused = false;
    k->is_indefinite = false;
    tn_status status = invert_blocks(&bodies, borders ? k->inverse : k->pivot, &k->is_indefinite);
    if (status == TN_OK) status = factor_part(k, &bodies, &k->sweeps_bodies, &k->is_indefinite);
    if (!borders || status != TN_OK) return status;
    constraints_fill(k);
    return factor_part(k, &constraints, &k->sweeps_constraints, &unused);
}

/* ---- solution -------------------------------------------------------------------------------------------------------- */

/* y = P^-1 x; y may be x */
static void apply_pivot(const part *p, uint32_t i, const double *x, double *y)
{
    const uint32_t n = block_size(p->F, i);
    double sum[LARGEST_BLOCK] = {0.0};
    subtract_block_product(n, n, p->pivot + p->place[i], x, sum);
    for (uint32_t r = 0; r < n; r++)
        y[r] = -sum[r];
}

static void apply_blocks(const part *p, const double *r, double *z)
{
    for (uint32_t i = p->first; i < p->last; i++)
        apply_pivot(p, i, r + p->F->start[i], z + p->F->start[i]);
}

static void sweep_down(const part *p, const double *r, double *z)
{
    const block_matrix *F = p->F;
    for (uint32_t i = p->first; i < p->last; i++) {
        const uint32_t n = block_size(F, i);
        double left[LARGEST_BLOCK];
        memcpy(left, r + F->start[i], n * sizeof *left);
        for (int32_t e = F->row_start[i]; e < F->diagonal[i]; e++) {
            const uint32_t j = (uint32_t)F->column[e];
            if (j >= p->first)
                subtract_block_product(n, block_size(F, j), F->value + F->place[e], z + F->start[j], left);
        }
        apply_pivot(p, i, left, z + F->start[i]);
    }
}

static void sweep_up(const part *p, double *z)
{
    const block_matrix *F = p->F;
    for (uint32_t i = p->last; i-- > p->first;) {
        const uint32_t n = block_size(F, i);
        double beyond[LARGEST_BLOCK] = {0.0};
        for (int32_t e = F->diagonal[i] + 1; e < F->row_start[i + 1]; e++) {
            const uint32_t j = (uint32_t)F->column[e];
            if (j < p->last)
                subtract_block_product(n, block_size(F, j), F->value + F->place[e], z + F->start[j], beyond);
        }
        apply_pivot(p, i, beyond, beyond);
        for (uint32_t r = 0; r < n; r++)
            z[F->start[i] + r] += beyond[r];
    }
}

static void apply_part(const part *p, bool sweeps, const double *r, double *z)
{
    if (!sweeps) {
        apply_blocks(p, r, z);
        return;
    }
    sweep_down(p, r, z);
    sweep_up(p, z);
}

void preconditioner_apply(iterative *k, const double *r, double *z)
{
    const part bodies = bodies_of(k), constraints = constraints_of(k);
    apply_part(&bodies, k->sweeps_bodies, r, z);
    if (k->constraints < k->F.count) apply_part(&constraints, k->sweeps_constraints, r, z);
}

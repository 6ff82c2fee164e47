/* trust.h - whether factors can be trusted.
 *
 * An order with its pivots has been chosen for one matrix. It is good for the next one while the sizes of the pivots stay near those of
 * a matrix whose factors have been tried: on right-hand sides with known solutions, row by row. Sizes cost nothing to compare; what has
 * moved away, and every CHAIN_TRIED_EVERY-th factorisation, is tried again. */
#ifndef TENON_CHAIN_TRUST_H
#define TENON_CHAIN_TRUST_H

#include "../known_solution.h"
#include "factors.h"

#define CHAIN_RESIDUAL \
    1e-10 /* of a row, against the sizes of its terms, for solutions of the size of the scale, */
#define CHAIN_PLAIN_RESIDUAL \
    1e-8                  /* and for those of size 1, where terms of one row may be of very different worth */
#define CHAIN_DRIFT 100.0 /* of pivots since the last trial */
enum { CHAIN_TRIED_EVERY = 64 };

typedef struct chain_trust {
    double *tried;           /* [size] pivots at the last trial */
    double *x, *left, *term; /* [size] memory of a trial */
    uint32_t since;
} chain_trust;

static inline bool chain_trust_make(chain_trust *t, uint32_t size)
{
    const size_t n = (size_t)size + 1;
    t->tried = calloc(n, sizeof *t->tried);
    t->x = malloc(n * sizeof *t->x);
    t->left = malloc(n * sizeof *t->left);
    t->term = malloc(n * sizeof *t->term);
    return t->tried && t->x && t->left && t->term;
}

static inline void chain_trust_free(chain_trust *t)
{
    free(t->tried);
    free(t->x);
    free(t->left);
    free(t->term);
}

static inline bool chain_is_near(const chain_trust *t, const double *pivot, uint32_t size)
{
    bool near = true;
    for (uint32_t k = 0; k < size; k++) /* all of them, several at a time */
        near &= (pivot[k] * CHAIN_DRIFT >= t->tried[k]) & (pivot[k] <= CHAIN_DRIFT * t->tried[k]);
    return near;
}

/* Solves for numbers of equal size, or of the size of the scale, with changing signs: what that leaves, and the terms. */
static inline void chain_solve_known(chain_trust *t, const chain_factors *f, const tn_matrix *matrix,
                                     bool scaled)
{
    const uint32_t n = matrix->size;
    for (uint32_t i = 0; i < n; i++) {
        t->x[i] = (i % 3 == 1 ? 1.0 : -1.0) * (scaled ? f->order.scale[i] : 1.0);
        t->left[i] = t->term[i] = 0.0;
    }
    known_subtract_product(matrix, t->x, t->left, t->term);
    memcpy(t->x, t->left, n * sizeof *t->x);
    memset(t->term, 0, n * sizeof *t->term);
    chain_factors_solve(f, t->x);
    known_subtract_product(matrix, t->x, t->left, t->term);
}

/* Finds the solution that is known. */
static inline bool chain_solves(chain_trust *t, const chain_factors *f, const tn_matrix *matrix, bool scaled)
{
    const double most = scaled ? CHAIN_RESIDUAL : CHAIN_PLAIN_RESIDUAL;
    chain_solve_known(t, f, matrix, scaled);
    return known_is_found(t->left, t->term, matrix->size, most);
}

static inline bool chain_is_trusted(chain_trust *t, const chain_factors *f, const tn_matrix *matrix)
{
    if (++t->since < CHAIN_TRIED_EVERY && chain_is_near(t, f->pivot, matrix->size)) return true;
    for (uint32_t k = 0; k < matrix->size; k++)
        if (!(f->pivot[k] > 0.0 && f->pivot[k] < HUGE_VAL)) return false;
    if (!chain_solves(t, f, matrix, false) || !chain_solves(t, f, matrix, true)) return false;
    memcpy(t->tried, f->pivot, matrix->size * sizeof *t->tried);
    t->since = 0;
    return true;
}

/* The largest residual of a solution that is known, against the largest terms of a row. */
static inline double chain_residual(chain_trust *t, const chain_factors *f, const tn_matrix *matrix)
{
    double largest = 0.0, scale = 0.0;
    chain_solve_known(t, f, matrix, true);
    for (uint32_t i = 0; i < matrix->size; i++) {
        largest = chain_larger(largest, fabs(t->left[i]));
        scale = chain_larger(scale, t->term[i]);
    }
    return scale > 0.0 ? largest / scale : 0.0;
}

#endif

/* kernels.h - what is done to a run of nodes of one shape: factorisation and both halves of a substitution.
 *
 * The diagonal blocks become their inverses: a product has no divisions, and none of its rows waits for another one, which for
 * sizes of 1 to 6 outweighs its operations. nodes.h leaves apart what would make a block ill-conditioned. U becomes D^-1 U, L
 * stays as it is:
 *
 *     forward   z = D^-1 x,  x_row -= L z        backward   x = z - U x_row
 *
 * Each text is compiled for constant sizes. */
#ifndef TENON_CHAIN_KERNELS_H
#define TENON_CHAIN_KERNELS_H

#include "nodes.h"

#define CHAIN_SHARED (UINT32_C(1) << 31) /* of a row that is a share */
#define CHAIN_INLINED static inline __attribute__((always_inline))

typedef struct chain_span chain_span;
typedef const int32_t *(*chain_factor_function)(const chain_span *span, double *value, double *pivot,
                                                const int32_t *at);
typedef void (*chain_pass_function)(const chain_span *span, double *x, double *shared);

/* One run of nodes, as loops see it. */
struct chain_span {
    chain_factor_function factor;
    chain_pass_function forward, backward;
    uint32_t count, rows;
    const uint32_t *own, *row; /* [count][size], [count][rows] */
    double *value, *upper;     /* [count][size (size + rows)], [count][size rows] */
};

/* ---- factors ---- */

/* Gauss-Jordan in place; the pivots' sizes in `pivot`. A zero among them leaves what is no number behind. */
CHAIN_INLINED void chain_invert(uint32_t s, double *d, double *pivot)
{
    uint32_t from[CHAIN_WIDEST] = {0};
    for (uint32_t k = 0; k < s; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < s; i++)
            if (fabs(d[i * s + k]) > fabs(d[best * s + k])) best = i;
        from[k] = best;
        for (uint32_t j = 0; j < s && best != k; j++) {
            const double kept = d[k * s + j];
            d[k * s + j] = d[best * s + j];
            d[best * s + j] = kept;
        }
        pivot[k] = fabs(d[k * s + k]);
        const double reciprocal = 1.0 / d[k * s + k];
        d[k * s + k] = 1.0;
        for (uint32_t j = 0; j < s; j++)
            d[k * s + j] *= reciprocal;
        for (uint32_t i = 0; i < s; i++) {
            if (i == k) continue;
            const double factor = d[i * s + k];
            d[i * s + k] = 0.0;
            for (uint32_t j = 0; j < s; j++)
                d[i * s + j] -= factor * d[k * s + j];
        }
    }
    for (uint32_t k = s; k-- > 0;)
        for (uint32_t i = 0; i < s && from[k] != k; i++) {
            const double kept = d[i * s + k];
            d[i * s + k] = d[i * s + from[k]];
            d[i * s + from[k]] = kept;
        }
}

/* x [s] becomes D^-1 x */
CHAIN_INLINED void chain_multiply(uint32_t s, const double *d, double *x)
{
    double product[CHAIN_WIDEST];
    for (uint32_t i = 0; i < s; i++) {
        product[i] = d[i * s] * x[0];
        for (uint32_t p = 1; p < s; p++)
            product[i] += d[i * s + p] * x[p];
    }
    for (uint32_t i = 0; i < s; i++)
        x[i] = product[i];
}

/* into [w] -= a [s] times b [w][s], which stands as [s][w] */
CHAIN_INLINED void chain_subtract(uint32_t s, uint32_t w, double *into, const double *a, const double *b)
{
    double sum[CHAIN_WIDEST];
    for (uint32_t j = 0; j < w; j++)
        sum[j] = a[0] * b[j];
    for (uint32_t p = 1; p < s; p++)
        for (uint32_t j = 0; j < w; j++)
            sum[j] += a[p] * b[p * w + j];
    for (uint32_t j = 0; j < w; j++)
        into[j] -= sum[j];
}

/* Subtracts L U from later nodes: the products with the first `w` of `rows` rows, which are unknowns side by side in one node.
 * `at` lists where: their diagonal block and the length of its rows, then one place in L and one in U for each other row. */
CHAIN_INLINED const int32_t *chain_spread(uint32_t s, uint32_t w, uint32_t rows, const double *lower,
                                          const double *upper, double *value, const int32_t *at)
{
    double l[CHAIN_WIDEST * CHAIN_WIDEST], u[CHAIN_WIDEST * CHAIN_WIDEST];
    for (uint32_t j = 0; j < w; j++)
        for (uint32_t p = 0; p < s; p++) {
            l[p * w + j] = lower[j * s + p];
            u[p * w + j] = upper[j * s + p];
        }
    for (uint32_t i = 0; i < w; i++)
        chain_subtract(s, w, value + at[0] + (int32_t)i * at[1], lower + i * s, u);
    at += 2;
    for (uint32_t q = w; q < rows; q++, at += 2) {
        chain_subtract(s, w, value + at[0], lower + q * s, u);
        chain_subtract(s, w, value + at[1], upper + q * s, l);
    }
    return at;
}

/* All rows of a node. */
CHAIN_INLINED const int32_t *chain_spread_all(uint32_t s, uint32_t rows, const double *lower,
                                              const double *upper, double *value, const int32_t *at)
{
    for (uint32_t i = 0; i < rows;) {
        const uint32_t w = (uint32_t)*at++, left = rows - i;
        const double *l = lower + i * s, *u = upper + i * s;
        switch (w) {
        case 1:
            at = chain_spread(s, 1, left, l, u, value, at);
            break;
        case 2:
            at = chain_spread(s, 2, left, l, u, value, at);
            break;
        case 3:
            at = chain_spread(s, 3, left, l, u, value, at);
            break;
        case 4:
            at = chain_spread(s, 4, left, l, u, value, at);
            break;
        case 5:
            at = chain_spread(s, 5, left, l, u, value, at);
            break;
        default:
            at = chain_spread(s, 6, left, l, u, value, at);
            break;
        }
        i += w;
    }
    return at;
}

CHAIN_INLINED const int32_t *chain_factor_nodes(uint32_t s, const chain_span *span, double *value,
                                                double *pivot, const int32_t *at)
{
    const uint32_t rows = span->rows;
    double *d = span->value, *upper = span->upper;
    for (uint32_t b = 0; b < span->count; b++, d += s * (s + rows), upper += s * rows, pivot += s) {
        const double *lower = d + s * s;
        chain_invert(s, d, pivot);
        for (uint32_t i = 0; i < rows; i++)
            chain_multiply(s, d, upper + i * s);
        at = chain_spread_all(s, rows, lower, upper, value, at);
    }
    return at;
}

/* ---- substitution ---- */

/* An unknown of a row, or the share that a task has of it (shares.h). Spans without shares have none to look for. */
CHAIN_INLINED double *chain_unknown(double *x, double *shared, uint32_t row)
{
    return shared && row & CHAIN_SHARED ? shared + (row & ~CHAIN_SHARED) : x + row;
}

CHAIN_INLINED void chain_forward_nodes(uint32_t s, uint32_t rows, const chain_span *span, double *x,
                                       double *shared)
{
    const uint32_t *own = span->own, *row = span->row;
    const double *d = span->value;
    for (uint32_t b = 0; b < span->count; b++, own += s, row += rows, d += s * (s + rows)) {
        const double *lower = d + s * s;
        double z[CHAIN_WIDEST];
        for (uint32_t p = 0; p < s; p++)
            z[p] = x[own[p]];
        chain_multiply(s, d, z);
        for (uint32_t p = 0; p < s; p++)
            x[own[p]] = z[p];
        for (uint32_t i = 0; i < rows; i++) {
            double sum = lower[i * s] * z[0];
            for (uint32_t p = 1; p < s; p++)
                sum += lower[i * s + p] * z[p];
            *chain_unknown(x, shared, row[i]) -= sum;
        }
    }
}

CHAIN_INLINED void chain_backward_nodes(uint32_t s, uint32_t rows, const chain_span *span, double *x,
                                        double *shared)
{
    const uint32_t *own = span->own, *row = span->row;
    const double *upper = span->upper;
    for (uint32_t b = 0; b < span->count; b++, own += s, row += rows, upper += s * rows) {
        double z[CHAIN_WIDEST];
        for (uint32_t p = 0; p < s; p++)
            z[p] = x[own[p]];
        for (uint32_t i = rows; i-- > 0;) /* what is known last comes last */
            for (uint32_t p = 0; p < s; p++)
                z[p] -= upper[i * s + p] * *chain_unknown(x, shared, row[i]);
        for (uint32_t p = 0; p < s; p++)
            x[own[p]] = z[p];
    }
}

/* ---- by shape ---- */

/* Rows of a shape are a constant of its functions up to 8, and from there on a number. */
#define CHAIN_SHAPES_OF(X, s) X(s, 0) X(s, 1) X(s, 2) X(s, 3) X(s, 4) X(s, 5) X(s, 6) X(s, 7) X(s, 8)
#define CHAIN_SHAPES(X)   \
    CHAIN_SHAPES_OF(X, 1) \
    CHAIN_SHAPES_OF(X, 2) \
    CHAIN_SHAPES_OF(X, 3) CHAIN_SHAPES_OF(X, 4) CHAIN_SHAPES_OF(X, 5) CHAIN_SHAPES_OF(X, 6)
#define CHAIN_SIZES(X) X(1) X(2) X(3) X(4) X(5) X(6)
enum { CHAIN_CONSTANT_ROWS = 9 };

#define CHAIN_DEFINE(s, r)                                                                            \
    static void chain_forward_##s##_##r(const chain_span *span, double *x, TN_UNUSED double *shared)  \
    {                                                                                                 \
        chain_forward_nodes(s, r, span, x, NULL);                                                     \
    }                                                                                                 \
    static void chain_backward_##s##_##r(const chain_span *span, double *x, TN_UNUSED double *shared) \
    {                                                                                                 \
        chain_backward_nodes(s, r, span, x, NULL);                                                    \
    }
CHAIN_SHAPES(CHAIN_DEFINE)
#undef CHAIN_DEFINE

#define CHAIN_DEFINE(s)                                                                          \
    static const int32_t *chain_factor_##s(const chain_span *span, double *value, double *pivot, \
                                           const int32_t *at)                                    \
    {                                                                                            \
        return chain_factor_nodes(s, span, value, pivot, at);                                    \
    }                                                                                            \
    static void chain_forward_##s(const chain_span *span, double *x, double *shared)             \
    {                                                                                            \
        chain_forward_nodes(s, span->rows, span, x, shared);                                     \
    }                                                                                            \
    static void chain_backward_##s(const chain_span *span, double *x, double *shared)            \
    {                                                                                            \
        chain_backward_nodes(s, span->rows, span, x, shared);                                    \
    }
CHAIN_SIZES(CHAIN_DEFINE)
#undef CHAIN_DEFINE

/* Completes a span by the functions of its shape; `shares`: it has rows in shares of tasks. */
static inline void chain_span_functions(chain_span *span, uint32_t size, bool shares)
{
    static const struct {
        chain_factor_function factor;
        chain_pass_function forward, backward;
    } general[] = {
#define CHAIN_ENTRY(s) {chain_factor_##s, chain_forward_##s, chain_backward_##s},
        CHAIN_SIZES(CHAIN_ENTRY)
#undef CHAIN_ENTRY
    };
    static const struct {
        chain_pass_function forward, backward;
    } constant[] = {
#define CHAIN_ENTRY(s, r) {chain_forward_##s##_##r, chain_backward_##s##_##r},
        CHAIN_SHAPES(CHAIN_ENTRY)
#undef CHAIN_ENTRY
    };
    const bool is_constant = span->rows < CHAIN_CONSTANT_ROWS && !shares;
    const uint32_t shape = (size - 1) * CHAIN_CONSTANT_ROWS + (is_constant ? span->rows : 0);
    span->factor = general[size - 1].factor;
    span->forward = is_constant ? constant[shape].forward : general[size - 1].forward;
    span->backward = is_constant ? constant[shape].backward : general[size - 1].backward;
}

#endif

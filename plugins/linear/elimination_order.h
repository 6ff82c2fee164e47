/* elimination_order.h - how long factors of the entries used become in an order of elimination, counted without numbers.
 *
 * Minimum degree on these entries is best, but it may put rows of constraints before their bodies: the diagonal of such a row is zero, or
 * nearly, and then its pivot is exchanged for another one, with fill that grows as the square of the model. Behind one of its bodies
 * the row has a diagonal: so it is put there. The fill of that order is counted, and that of the order of the whole pattern, where
 * the row is never in front. */
#ifndef TENON_ELIMINATION_ORDER_H
#define TENON_ELIMINATION_ORDER_H

#include "used_pattern.h"

#include <tenon/draft/linear.h>

#include <math.h>

enum {
    ORDER_MOST_WITH_WEAK = 2000
}; /* unknowns: there, rows that depend on others would cost as much as a hundred good orders */
#define ORDER_WEAK 1e-3 /* diagonal against the largest entry of its column: KLU exchanges such a pivot */

/* Whether column j of these magnitudes has a weak diagonal. */
static inline bool order_is_weak(const used_pattern *p, int32_t j, const double *size_of)
{
    double diagonal = 0.0, largest = 0.0;
    for (int32_t e = p->start[j]; e < p->start[j + 1]; e++) {
        const double magnitude = fabs(size_of[e]);
        largest = magnitude > largest ? magnitude : largest;
        if (p->row[e] == j) diagonal = magnitude;
    }
    return diagonal <= ORDER_WEAK * largest;
}

/* Whether any has. */
static inline bool order_has_weak(const used_pattern *p, int32_t size)
{
    for (int32_t j = 0; j < size; j++)
        if (order_is_weak(p, j, p->value)) return true;
    return false;
}

/* Both sides of each entry off the diagonal, and memory. */
typedef struct order_count {
    int32_t size;
    int32_t *start, *neighbour;                    /* [size + 1], [2 entries] */
    int32_t *place, *parent, *seen, *behind;       /* [size] */
    int32_t *child, *post, *first, *latest, *leaf; /* [size] */
    bool *weak, *taken;                            /* [size] */
    bool has_weak;
} order_count;

static inline void order_count_free(order_count *c)
{
    free(c->start);
    free(c->neighbour);
    free(c->place);
    free(c->parent);
    free(c->seen);
    free(c->behind);
    free(c->child);
    free(c->post);
    free(c->first);
    free(c->latest);
    free(c->leaf);
    free(c->weak);
    free(c->taken);
}

static inline bool order_count_make(order_count *c, const used_pattern *p, int32_t size)
{
    const size_t n = (size_t)size + 1, entries = 2 * (size_t)p->start[size] + 1;
    *c = (order_count){.size = size,
                       .start = calloc(n + 1, sizeof *c->start),
                       .neighbour = malloc(entries * sizeof *c->neighbour),
                       .place = malloc(n * sizeof *c->place),
                       .parent = malloc(n * sizeof *c->parent),
                       .seen = malloc(n * sizeof *c->seen),
                       .behind = malloc(n * sizeof *c->behind),
                       .child = malloc(n * sizeof *c->child),
                       .post = malloc(n * sizeof *c->post),
                       .first = malloc(n * sizeof *c->first),
                       .latest = malloc(n * sizeof *c->latest),
                       .leaf = malloc(n * sizeof *c->leaf),
                       .weak = malloc(n * sizeof *c->weak),
                       .taken = malloc(n * sizeof *c->taken)};
    return c->start && c->neighbour && c->place && c->parent && c->seen && c->behind && c->child && c->post &&
           c->first && c->latest && c->leaf && c->weak && c->taken;
}

/* The neighbours of all unknowns, some of them twice, and which ones have a weak diagonal. `size_of` [entries used]: magnitudes. */
static inline void order_count_fill(order_count *c, const used_pattern *p, const double *size_of)
{
    int32_t *next = c->start + 1;
    for (int32_t j = 0; j < c->size; j++) {
        for (int32_t e = p->start[j]; e < p->start[j + 1]; e++) {
            if (p->row[e] == j) continue;
            if (j + 1 < c->size) next[j + 1]++;
            if (p->row[e] + 1 < c->size) next[p->row[e] + 1]++;
        }
        c->weak[j] = order_is_weak(p, j, size_of);
        c->has_weak = c->has_weak || c->weak[j];
    }
    /* next[j], which is start[j + 1], begins where the neighbours of j do, and ends where they end */
    for (int32_t j = 1; j < c->size; j++)
        next[j] += next[j - 1];
    for (int32_t j = 0; j < c->size; j++)
        for (int32_t e = p->start[j]; e < p->start[j + 1]; e++) {
            if (p->row[e] == j) continue;
            c->neighbour[next[j]++] = p->row[e];
            c->neighbour[next[p->row[e]]++] = j;
        }
}

/* The first strong neighbour that no other weak unknown has yet; -1 without one. */
static inline int32_t order_support(const order_count *c, int32_t j, const bool *taken)
{
    int32_t first = -1;
    for (int32_t e = c->start[j]; e < c->start[j + 1]; e++) {
        const int32_t i = c->neighbour[e];
        if (!c->weak[i] && !taken[i] && (first < 0 || c->place[i] < c->place[first])) first = i;
    }
    return first;
}

/* Moves unknowns that are `behind` another one there; first[i], next[j]: lists of those behind unknown i, -1 at their end. */
static inline void order_move(order_count *c, int32_t *order, const int32_t *first, const int32_t *next)
{
    int32_t *moved = c->place, count = 0;
    for (int32_t k = 0; k < c->size; k++) {
        if (c->behind[order[k]] >= 0) continue;
        moved[count++] = order[k];
        for (int32_t j = first[order[k]]; j >= 0; j = next[j])
            moved[count++] = j;
    }
    memcpy(order, moved, (size_t)c->size * sizeof *order);
}

/* Puts every weak unknown behind a strong neighbour of its own, where that does not come before it. */
static inline void order_put_behind(order_count *c, int32_t *order)
{
    bool *taken = c->taken;
    int32_t *first = c->seen, *next = c->parent;
    for (int32_t k = 0; k < c->size; k++) {
        c->place[order[k]] = k;
        first[k] = c->behind[k] = -1;
        taken[k] = false;
    }
    for (int32_t k = 0; k < c->size; k++) {
        const int32_t j = order[k], i = c->weak[j] ? order_support(c, j, taken) : -1;
        if (i < 0) continue;
        taken[i] = true;
        if (c->place[i] < k) continue;
        c->behind[j] = i;
        next[j] = first[i];
        first[i] = j;
    }
    order_move(c, order, first, next);
}

/* The elimination tree: the parent of a column is the first one that it changes. `seen` are short cuts to the top. */
static inline void order_tree(const order_count *c, const int32_t *order)
{
    for (int32_t k = 0; k < c->size; k++)
        c->place[order[k]] = k;
    for (int32_t k = 0; k < c->size; k++) {
        const int32_t j = order[k];
        c->parent[k] = c->seen[k] = -1;
        for (int32_t e = c->start[j]; e < c->start[j + 1]; e++)
            for (int32_t i = c->place[c->neighbour[e]], above; i >= 0 && i < k; i = above) {
                above = c->seen[i];
                c->seen[i] = k;
                if (above < 0) c->parent[i] = k;
            }
    }
}

/* Columns with those of each part of the tree side by side, children before parents, in `post`. */
static inline void order_post(const order_count *c)
{
    int32_t *head = c->first, *next = c->latest, *stack = c->leaf, count = 0;
    for (int32_t k = 0; k < c->size; k++)
        head[k] = -1;
    for (int32_t k = c->size; k-- > 0;) { /* lists of children */
        if (c->parent[k] < 0) continue;
        next[k] = head[c->parent[k]];
        head[c->parent[k]] = k;
    }
    for (int32_t root = 0; root < c->size; root++) {
        int32_t top = 0;
        if (c->parent[root] >= 0) continue;
        for (stack[0] = root; top >= 0;) {
            const int32_t k = stack[top], child = head[k];
            if (child >= 0) {
                head[k] = next[child];
                stack[++top] = child;
            } else {
                c->post[count++] = k;
                top--;
            }
        }
    }
}

/* Whether column k is a leaf of the part of the tree that row i consists of; `lowest` gets where the paths from it and from the leaf before
 * meet, -1 without one. */
static inline bool order_is_leaf(const order_count *c, int32_t i, int32_t k, int32_t *lowest)
{
    *lowest = -1;
    if (i <= k || c->first[k] <= c->latest[i]) return false;
    c->latest[i] = c->first[k];
    const int32_t before = c->leaf[i];
    c->leaf[i] = k;
    if (before < 0) return true;
    int32_t q = before;
    while (q != c->seen[q])
        q = c->seen[q];
    for (int32_t s = before, above; s != q; s = above) {
        above = c->seen[s];
        c->seen[s] = q;
    }
    *lowest = q;
    return true;
}

/* Entries of L below the diagonal, while pivots are on it. Leaves those of each column in `behind`. They are counted by the leaves of rows
 * (Gilbert, Ng, Peyton: An efficient algorithm to compute row and column counts for sparse Cholesky factorization, SIAM J. Matrix Anal.
 * Appl. 15 (1994) 1075-1091), in a time that goes with the entries of the matrix. */
static inline int64_t order_fill(const order_count *c, const int32_t *order)
{
    int64_t fill = 0;
    order_tree(c, order);
    order_post(c);
    for (int32_t k = 0; k < c->size; k++) {
        c->first[k] = c->latest[k] = c->leaf[k] = -1;
        c->seen[k] = k;
    }
    for (int32_t n = 0; n < c->size; n++) { /* `first`: the first of all descendants */
        int32_t k = c->post[n];
        c->behind[k] = c->first[k] < 0;
        for (; k >= 0 && c->first[k] < 0; k = c->parent[k])
            c->first[k] = n;
    }
    for (int32_t n = 0; n < c->size; n++) {
        const int32_t k = c->post[n], j = order[k];
        if (c->parent[k] >= 0) c->behind[c->parent[k]]--;
        for (int32_t e = c->start[j]; e < c->start[j + 1]; e++) {
            int32_t lowest;
            if (!order_is_leaf(c, c->place[c->neighbour[e]], k, &lowest)) continue;
            c->behind[k]++;
            if (lowest >= 0) c->behind[lowest]--;
        }
        if (c->parent[k] >= 0) c->seen[k] = c->parent[k];
    }
    for (int32_t k = 0; k < c->size; k++) /* of a column and all of its descendants; without the diagonal */
        if (c->parent[k] >= 0) c->behind[c->parent[k]] += c->behind[k];
    for (int32_t k = 0; k < c->size; k++)
        fill += --c->behind[k];
    return fill;
}

/* The same factors with the columns of each part of the elimination tree side by side, an unknown right behind the one before it that has the
 * longest column: columns with the same rows become neighbours. To be called behind order_fill() of this order. */
static inline void order_by_tree(order_count *c, int32_t *order)
{
    int32_t *size = c->seen, *next = c->place, *longest = c->child, roots = 0;
    for (int32_t k = 0; k < c->size; k++) {
        size[k] = 1;
        longest[k] = -1;
    }
    for (int32_t k = 0; k < c->size; k++) { /* parents have larger numbers */
        const int32_t p = c->parent[k];
        if (p < 0) continue;
        size[p] += size[k];
        if (longest[p] < 0 || c->behind[k] >= c->behind[longest[p]]) longest[p] = k;
    }
    int32_t *place = size; /* of an unknown whose part of the tree has got its places, from next[] on */
    for (int32_t k = c->size; k-- > 0;) {
        const int32_t p = c->parent[k];
        int32_t *from = p < 0 ? &roots : &next[p];
        next[k] = p >= 0 && longest[p] == k ? place[p] - size[k] : *from;
        if (p < 0 || longest[p] != k) *from += size[k];
        place[k] = next[k] + size[k] - 1;
    }
    int32_t *moved = next;
    for (int32_t k = 0; k < c->size; k++)
        moved[place[k]] = order[k];
    memcpy(order, moved, (size_t)c->size * sizeof *order);
}

typedef struct order_expectation {
    bool own;                   /* the order is one of the entries used */
    double entries, operations; /* of L + U, and of a factorisation, while pivots are on the diagonal */
} order_expectation;

static inline void order_expect(const order_count *c, int64_t fill, order_expectation *expected)
{
    expected->entries = 2.0 * (double)fill + (double)c->size;
    expected->operations = 0.0;
    for (int32_t k = 0; k < c->size; k++)
        expected->operations += (double)c->behind[k] * (2.0 * (double)c->behind[k] + 1.0);
}

/* How much more factors have, and take, than is counted, where rows of constraints have a weak diagonal: exchanged pivots fill the factors,
 * and entries that join the pattern ask for a new search of all pivots. Measured on ladders, and on rods joined to nets: 2 to 11, and 15 to
 * 100. */
static inline void order_expect_exchanges(tn_linear_cost *cost)
{
    cost->entries *= 4.0;
    cost->operations *= 30.0;
}

#endif

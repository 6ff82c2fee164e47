/* tenon/kit/block_lu.h - LU factors of sparse matrices of small dense blocks, such as those of bodies that contacts connect.
 *
 *     tn_block_lu_pattern(&lu, nodes, start, pairs, count)   symmetric pattern; reordered where it has changed
 *     tn_block_lu_clear(&lu)
 *     double *block = tn_block_lu_at(&lu, i, j)              by rows; add to it
 *     tn_block_lu_factor(&lu), tn_block_lu_solve(&lu, x)
 *     tn_block_lu_release(&lu)
 *
 * Nodes are eliminated by minimum degree, with pivots within their blocks only: the symmetric part of the matrix is to be positive definite, or
 * nearly so. Factors depend on pattern and values, not on earlier matrices: results are the same after a restart.
 * Memory is kept (growing.h).
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_BLOCK_LU_H
#define TENON_KIT_BLOCK_LU_H

#include "tenon/kit/growing.h"
#include "tenon/status.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TN_LARGEST_NODE = 12 };
#define TN_NO_NODE UINT32_MAX

/* ---- data ----------------------------------------------------------------------------------------------------- */

typedef struct tn_node_pair {
    uint32_t a, b; /* a < b */
} tn_node_pair;

/* The neighbours of a node while nodes are eliminated: `count` of them in the pool. */
typedef struct tn_block_list {
    size_t first;
    uint32_t count, room, degree;
    uint32_t before, behind; /* in the list of nodes of this degree */
    uint32_t gone;
} tn_block_list;

typedef struct tn_block_lu {
    uint32_t nodes, size;
    uint32_t *start;    /* [nodes + 1] of the coordinates of nodes */
    tn_node_pair *pair; /* sorted: the pattern that has been analysed */
    uint32_t pairs;
    bool analysed;
    uint32_t *order, *place; /* [nodes] order[k] is eliminated k-th; place[order[k]] = k */
    size_t *column_start;    /* [nodes + 1] */
    uint32_t *row;           /* places below the diagonal of a column, ascending */
    size_t *offset;          /* of its lower block in `value`; the upper one is behind it */
    size_t *diagonal;        /* [nodes] likewise */
    uint8_t *pivot;          /* [size] */
    double *value;
    size_t values;
    /* for the analysis */
    tn_block_list *list;
    uint32_t *pool, *head, *mark;
    tn_node_pair *sorted;
    size_t pool_used;
    size_t start_room, pair_room, order_room, place_room, column_room, row_room, offset_room, diagonal_room,
        pivot_room, value_room, list_room, pool_room, head_room, mark_room, sorted_room;
} tn_block_lu;

static inline void tn_block_lu_release(tn_block_lu *lu)
{
    void *all[] = {lu->start, lu->pair,   lu->order,    lu->place, lu->column_start,
                   lu->row,   lu->offset, lu->diagonal, lu->pivot, lu->value,
                   lu->list,  lu->pool,   lu->head,     lu->mark,  lu->sorted};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    *lu = (tn_block_lu){0};
}

static inline uint32_t tn_block_size(const tn_block_lu *lu, uint32_t node)
{
    return lu->start[node + 1] - lu->start[node];
}

/* ---- order by minimum degree ---------------------------------------------------------------------------------- */

static inline void tn_block_unlink(tn_block_lu *lu, uint32_t node)
{
    tn_block_list *list = &lu->list[node];
    if (list->before != TN_NO_NODE)
        lu->list[list->before].behind = list->behind;
    else
        lu->head[list->degree] = list->behind;
    if (list->behind != TN_NO_NODE) lu->list[list->behind].before = list->before;
}

static inline void tn_block_link(tn_block_lu *lu, uint32_t node, uint32_t degree)
{
    tn_block_list *list = &lu->list[node];
    list->degree = degree;
    list->before = TN_NO_NODE;
    list->behind = lu->head[degree];
    if (list->behind != TN_NO_NODE) lu->list[list->behind].before = node;
    lu->head[degree] = node;
}

/* Makes room in the list of a node; moves it to the end of the pool where there is none. */
static inline bool tn_block_widen(tn_block_lu *lu, uint32_t node, uint32_t room)
{
    tn_block_list *list = &lu->list[node];
    if (room <= list->room) return true;
    room += room / 2;
    if (!TN_MAKE_ROOM(lu->pool, lu->pool_room, lu->pool_used + room)) return false;
    memcpy(lu->pool + lu->pool_used, lu->pool + list->first, list->count * sizeof *lu->pool);
    list->first = lu->pool_used;
    list->room = room;
    lu->pool_used += room;
    return true;
}

static inline void tn_block_drop_gone(tn_block_lu *lu, uint32_t node)
{
    tn_block_list *list = &lu->list[node];
    uint32_t *neighbour = lu->pool + list->first, count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (!lu->list[neighbour[i]].gone) neighbour[count++] = neighbour[i];
    list->count = count;
}

/* `node` becomes a neighbour of all others in `clique` [count], which ends with the elimination of another node. */
static inline bool tn_block_join(tn_block_lu *lu, uint32_t node, size_t clique, uint32_t count)
{
    tn_block_list *list = &lu->list[node];
    tn_block_unlink(lu, node);
    if (count == 1) { // a leaf was eliminated: its entry is skipped until the list is needed
        tn_block_link(lu, node, list->degree - 1);
        return true;
    }
    tn_block_drop_gone(lu, node);
    if (!tn_block_widen(lu, node, list->count + count)) return false;
    uint32_t *neighbour = lu->pool + list->first;
    for (uint32_t i = 0; i < list->count; i++)
        lu->mark[neighbour[i]] = node;
    lu->mark[node] = node;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = lu->pool[clique + i];
        if (lu->mark[other] != node) neighbour[list->count++] = other;
    }
    for (uint32_t i = 0; i < list->count; i++)
        lu->mark[neighbour[i]] = TN_NO_NODE;
    lu->mark[node] = TN_NO_NODE;
    tn_block_link(lu, node, list->count);
    return true;
}

static inline bool tn_block_begin_lists(tn_block_lu *lu)
{
    const uint32_t n = lu->nodes;
    if (!TN_MAKE_ROOM(lu->list, lu->list_room, n) || !TN_MAKE_ROOM(lu->head, lu->head_room, (size_t)n + 1) ||
        !TN_MAKE_ROOM(lu->mark, lu->mark_room, n) ||
        !TN_MAKE_ROOM(lu->pool, lu->pool_room, 2 * (size_t)lu->pairs))
        return false;
    if (n > 0) memset(lu->list, 0, n * sizeof *lu->list);
    for (uint32_t i = 0; i < lu->pairs; i++) {
        lu->list[lu->pair[i].a].room++;
        lu->list[lu->pair[i].b].room++;
    }
    lu->pool_used = 0;
    for (uint32_t i = 0; i < n; i++) {
        lu->list[i].first = lu->pool_used;
        lu->pool_used += lu->list[i].room;
        lu->mark[i] = TN_NO_NODE;
    }
    for (uint32_t i = 0; i < lu->pairs; i++) {
        tn_block_list *a = &lu->list[lu->pair[i].a], *b = &lu->list[lu->pair[i].b];
        lu->pool[a->first + a->count++] = lu->pair[i].b;
        lu->pool[b->first + b->count++] = lu->pair[i].a;
    }
    for (uint32_t i = 0; i <= n; i++)
        lu->head[i] = TN_NO_NODE;
    for (uint32_t i = n; i-- > 0;)
        tn_block_link(lu, i, lu->list[i].count);
    return true;
}

/* Finds the order, and the rows of each column of the factors. */
static inline bool tn_block_eliminate(tn_block_lu *lu)
{
    size_t rows = 0;
    uint32_t lowest = 0;
    for (uint32_t k = 0; k < lu->nodes; k++) {
        while (lu->head[lowest] == TN_NO_NODE)
            lowest++;
        const uint32_t node = lu->head[lowest];
        tn_block_unlink(lu, node);
        lu->list[node].gone = 1;
        lu->order[k] = node;
        lu->place[node] = k;
        tn_block_drop_gone(lu, node);
        const size_t clique = lu->list[node].first;
        const uint32_t count = lu->list[node].count;
        if (!TN_MAKE_ROOM(lu->row, lu->row_room, rows + count)) return false;
        if (count > 0) memcpy(lu->row + rows, lu->pool + clique, count * sizeof *lu->row);
        lu->column_start[k] = rows;
        rows += count;
        for (uint32_t i = 0; i < count; i++)
            if (!tn_block_join(lu, lu->pool[clique + i], clique, count)) return false;
        lowest = lowest > 0 ? lowest - 1 : 0;
    }
    lu->column_start[lu->nodes] = rows;
    return true;
}

static inline int tn_by_place(const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

/* Offsets of the blocks of the factors. */
static inline bool tn_block_lay_out(tn_block_lu *lu)
{
    const size_t rows = lu->column_start[lu->nodes];
    if (!TN_MAKE_ROOM(lu->offset, lu->offset_room, rows)) return false;
    size_t values = 0;
    for (uint32_t k = 0; k < lu->nodes; k++) {
        const uint32_t n = tn_block_size(lu, lu->order[k]);
        uint32_t *row = lu->row + lu->column_start[k];
        const size_t count = lu->column_start[k + 1] - lu->column_start[k];
        for (size_t i = 0; i < count; i++)
            row[i] = lu->place[row[i]];
        if (count > 1) qsort(row, count, sizeof *row, tn_by_place);
        lu->diagonal[k] = values;
        values += (size_t)n * n;
        for (size_t i = 0; i < count; i++) {
            lu->offset[lu->column_start[k] + i] = values;
            values += 2 * (size_t)n * tn_block_size(lu, lu->order[row[i]]);
        }
    }
    lu->values = values;
    return TN_MAKE_ROOM(lu->value, lu->value_room, values);
}

static inline int tn_by_nodes(const void *a, const void *b)
{
    const tn_node_pair *first = a, *second = b;
    if (first->a != second->a) return first->a < second->a ? -1 : 1;
    return (first->b > second->b) - (first->b < second->b);
}

/* Sorts pairs and removes duplicates; few are out of order. */
static inline uint32_t tn_sort_pairs(tn_node_pair *pair, uint32_t count)
{
    bool sorted = true;
    for (uint32_t i = 1; i < count && sorted; i++)
        sorted = tn_by_nodes(&pair[i - 1], &pair[i]) <= 0;
    if (!sorted) qsort(pair, count, sizeof *pair, tn_by_nodes);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || tn_by_nodes(&pair[kept - 1], &pair[i]) != 0) pair[kept++] = pair[i];
    return kept;
}

/* A pattern of `nodes` with the coordinates start[i] to start[i + 1] - 1, at most TN_LARGEST_NODE each, and blocks at the diagonal and at
 * `pair` [pairs], a < b, in any order, also several times. */
static inline tn_status tn_block_lu_pattern(tn_block_lu *lu, uint32_t nodes, const uint32_t *start,
                                            const tn_node_pair *pair, uint32_t pairs)
{
    if (!TN_MAKE_ROOM(lu->sorted, lu->sorted_room, pairs)) return TN_OUT_OF_MEMORY;
    if (pairs > 0) memcpy(lu->sorted, pair, pairs * sizeof *pair);
    pairs = tn_sort_pairs(lu->sorted, pairs);
    const bool same = lu->analysed && lu->nodes == nodes && lu->pairs == pairs &&
                      memcmp(lu->start, start, (nodes + (size_t)1) * sizeof *start) == 0 &&
                      (pairs == 0 || memcmp(lu->pair, lu->sorted, pairs * sizeof *pair) == 0);
    if (same) return TN_OK;
    lu->analysed = false;
    lu->nodes = nodes;
    lu->size = start[nodes];
    lu->pairs = pairs;
    const size_t n = nodes;
    if (!TN_MAKE_ROOM(lu->start, lu->start_room, n + 1) || !TN_MAKE_ROOM(lu->pair, lu->pair_room, pairs) ||
        !TN_MAKE_ROOM(lu->order, lu->order_room, n) || !TN_MAKE_ROOM(lu->place, lu->place_room, n) ||
        !TN_MAKE_ROOM(lu->column_start, lu->column_room, n + 1) ||
        !TN_MAKE_ROOM(lu->diagonal, lu->diagonal_room, n) ||
        !TN_MAKE_ROOM(lu->pivot, lu->pivot_room, lu->size))
        return TN_OUT_OF_MEMORY;
    memcpy(lu->start, start, (n + 1) * sizeof *start);
    if (pairs > 0) memcpy(lu->pair, lu->sorted, pairs * sizeof *pair);
    if (!tn_block_begin_lists(lu) || !tn_block_eliminate(lu) || !tn_block_lay_out(lu))
        return TN_OUT_OF_MEMORY;
    lu->analysed = true;
    return TN_OK;
}

/* ---- values --------------------------------------------------------------------------------------------------- */

static inline void tn_block_lu_clear(tn_block_lu *lu)
{
    if (lu->values > 0) memset(lu->value, 0, lu->values * sizeof *lu->value);
}

/* The index of the entry of a column with this row, which exists. */
static inline size_t tn_block_entry(const tn_block_lu *lu, uint32_t column, uint32_t row)
{
    size_t low = lu->column_start[column], high = lu->column_start[column + 1];
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (lu->row[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The block of the rows of node i and the columns of node j, by rows, which the pattern has. */
static inline double *tn_block_lu_at(tn_block_lu *lu, uint32_t i, uint32_t j)
{
    const uint32_t row = lu->place[i], column = lu->place[j];
    if (row == column) return lu->value + lu->diagonal[row];
    if (row > column) return lu->value + lu->offset[tn_block_entry(lu, column, row)];
    const size_t lower = lu->offset[tn_block_entry(lu, row, column)];
    return lu->value + lower + (size_t)tn_block_size(lu, i) * tn_block_size(lu, j);
}

/* ---- factors -------------------------------------------------------------------------------------------------- */

#define TN_INLINED static inline __attribute__((always_inline))

/* L U = P D in place, with the diagonal of U as reciprocals; false: singular. */
TN_INLINED bool tn_small_lu(uint32_t n, double *d, uint8_t *pivot)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(d[i * n + k]) > fabs(d[best * n + k])) best = i;
        pivot[k] = (uint8_t)best;
        for (uint32_t j = 0; j < n && best != k; j++) {
            const double kept = d[k * n + j];
            d[k * n + j] = d[best * n + j];
            d[best * n + j] = kept;
        }
        if (!(fabs(d[k * n + k]) > 0.0 && fabs(d[k * n + k]) <= HUGE_VAL)) return false;
        const double reciprocal = 1.0 / d[k * n + k];
        d[k * n + k] = reciprocal;
        for (uint32_t i = k + 1; i < n; i++) {
            const double factor = d[i * n + k] * reciprocal;
            d[i * n + k] = factor;
            for (uint32_t j = k + 1; j < n; j++)
                d[i * n + j] -= factor * d[k * n + j];
        }
    }
    return true;
}

/* x [n][m] by rows becomes D^-1 x */
TN_INLINED void tn_small_solve(uint32_t n, const double *d, const uint8_t *pivot, uint32_t m, double *x)
{
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t j = 0; j < m && pivot[k] != k; j++) {
            const double kept = x[k * m + j];
            x[k * m + j] = x[pivot[k] * m + j];
            x[pivot[k] * m + j] = kept;
        }
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = k + 1; i < n; i++)
            for (uint32_t j = 0; j < m; j++)
                x[i * m + j] -= d[i * n + k] * x[k * m + j];
    for (uint32_t k = n; k-- > 0;) {
        for (uint32_t j = 0; j < m; j++)
            x[k * m + j] *= d[k * n + k];
        for (uint32_t i = 0; i < k; i++)
            for (uint32_t j = 0; j < m; j++)
                x[i * m + j] -= d[i * n + k] * x[k * m + j];
    }
}

/* c [rows][columns] -= a [rows][n] b [n][columns] */
TN_INLINED void tn_small_update(uint32_t rows, uint32_t n, uint32_t columns, const double *restrict a,
                                const double *restrict b, double *restrict c)
{
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < n; k++) {
            const double factor = a[i * n + k];
            for (uint32_t j = 0; j < columns; j++)
                c[i * columns + j] -= factor * b[k * columns + j];
        }
}

/* With constant sizes for rigid bodies in space. */
static inline bool tn_node_lu(uint32_t n, double *d, uint8_t *pivot)
{
    return n == 6 ? tn_small_lu(6, d, pivot) : tn_small_lu(n, d, pivot);
}
static inline void tn_node_solve(uint32_t n, const double *d, const uint8_t *pivot, uint32_t m, double *x)
{
    if (n == 6 && m == 6)
        tn_small_solve(6, d, pivot, 6, x);
    else if (n == 6 && m == 1)
        tn_small_solve(6, d, pivot, 1, x);
    else
        tn_small_solve(n, d, pivot, m, x);
}
static inline void tn_node_update(uint32_t rows, uint32_t n, uint32_t columns, const double *a,
                                  const double *b, double *c)
{
    if (rows == 6 && n == 6 && columns == 6)
        tn_small_update(6, 6, 6, a, b, c);
    else if (rows == 6 && n == 6 && columns == 1)
        tn_small_update(6, 6, 1, a, b, c);
    else
        tn_small_update(rows, n, columns, a, b, c);
}

/* Subtracts the contribution of column k from later columns. */
static inline void tn_block_spread(tn_block_lu *lu, uint32_t k, uint32_t n)
{
    for (size_t e = lu->column_start[k]; e < lu->column_start[k + 1]; e++) {
        const uint32_t column = lu->row[e], width = tn_block_size(lu, lu->order[column]);
        const double *lower = lu->value + lu->offset[e], *upper = lower + (size_t)n * width;
        tn_node_update(width, n, width, lower, upper, lu->value + lu->diagonal[column]);
        size_t into = lu->column_start[column];
        for (size_t f = e + 1; f < lu->column_start[k + 1]; f++) {
            const uint32_t row = lu->row[f], height = tn_block_size(lu, lu->order[row]);
            while (lu->row[into] < row)
                into++;
            const double *other = lu->value + lu->offset[f];
            double *target = lu->value + lu->offset[into];
            tn_node_update(height, n, width, other, upper, target);
            tn_node_update(width, n, height, lower, other + (size_t)n * height,
                           target + (size_t)height * width);
        }
    }
}

/* TN_RETRY: a diagonal block is singular. */
static inline tn_status tn_block_lu_factor(tn_block_lu *lu)
{
    for (uint32_t k = 0; k < lu->nodes; k++) {
        const uint32_t node = lu->order[k], n = tn_block_size(lu, node);
        double *diagonal = lu->value + lu->diagonal[k];
        uint8_t *pivot = lu->pivot + lu->start[node];
        if (!tn_node_lu(n, diagonal, pivot)) return TN_RETRY;
        for (size_t e = lu->column_start[k]; e < lu->column_start[k + 1]; e++) {
            const uint32_t width = tn_block_size(lu, lu->order[lu->row[e]]);
            tn_node_solve(n, diagonal, pivot, width, lu->value + lu->offset[e] + (size_t)n * width);
        }
        tn_block_spread(lu, k, n);
    }
    return TN_OK;
}

/* x [size] becomes the solution. */
static inline void tn_block_lu_solve(const tn_block_lu *lu, double *x)
{
    for (uint32_t k = 0; k < lu->nodes; k++) {
        const uint32_t node = lu->order[k], n = tn_block_size(lu, node);
        double *own = x + lu->start[node];
        tn_node_solve(n, lu->value + lu->diagonal[k], lu->pivot + lu->start[node], 1, own);
        for (size_t e = lu->column_start[k]; e < lu->column_start[k + 1]; e++) {
            const uint32_t other = lu->order[lu->row[e]];
            tn_node_update(tn_block_size(lu, other), n, 1, lu->value + lu->offset[e], own,
                           x + lu->start[other]);
        }
    }
    for (uint32_t k = lu->nodes; k-- > 0;) {
        const uint32_t node = lu->order[k], n = tn_block_size(lu, node);
        for (size_t e = lu->column_start[k]; e < lu->column_start[k + 1]; e++) {
            const uint32_t other = lu->order[lu->row[e]], width = tn_block_size(lu, other);
            tn_node_update(n, width, 1, lu->value + lu->offset[e] + (size_t)n * width, x + lu->start[other],
                           x + lu->start[node]);
        }
    }
}

#endif

/* rows.h - which entries factors have in a given order of elimination (order.h), counted and listed without numbers.
 *
 * A pivot has entries with its neighbours in the matrix that come behind it, and with those that its children in the elimination tree
 * leave behind. That takes a small part of the time of an order: it serves patterns that have grown, too. */
#ifndef TENON_CHAIN_ROWS_H
#define TENON_CHAIN_ROWS_H

#include "order.h"

/* The k-th pivot has entries with the unknowns row[start[k]] to row[start[k + 1] - 1]. */
typedef struct chain_rows {
    size_t *start; /* [size + 1] */
    uint32_t *row;
    size_t room;
} chain_rows;

/* Both sides of each entry off the diagonal, and the tree. */
typedef struct chain_tree {
    size_t *start; /* [size + 1] */
    uint32_t *neighbour;
    uint32_t *position, *mark;       /* [size] of an unknown in the order; last pivot that had it */
    uint32_t *first_child, *sibling; /* [size], by position */
} chain_tree;

static inline void chain_rows_free(chain_rows *rows)
{
    free(rows->start);
    free(rows->row);
    *rows = (chain_rows){0};
}

static inline void chain_tree_free(chain_tree *t)
{
    free(t->start);
    free(t->neighbour);
    free(t->position);
    free(t->mark);
    free(t->first_child);
    free(t->sibling);
}

static inline bool chain_tree_make(chain_tree *t, const chain_order *order, const tn_matrix *matrix)
{
    const size_t n = (size_t)matrix->size + 1, entries = (size_t)matrix->column_start[matrix->size];
    *t = (chain_tree){.start = calloc(n + 1, sizeof *t->start),
                      .neighbour = malloc((2 * entries + 1) * sizeof *t->neighbour),
                      .position = malloc(n * sizeof *t->position),
                      .mark = malloc(n * sizeof *t->mark),
                      .first_child = malloc(n * sizeof *t->first_child),
                      .sibling = malloc(n * sizeof *t->sibling)};
    if (!t->start || !t->neighbour || !t->position || !t->mark || !t->first_child || !t->sibling)
        return false;
    for (uint32_t k = 0; k < matrix->size; k++) {
        t->position[order->order[k]] = k;
        t->mark[k] = t->first_child[k] = t->sibling[k] = CHAIN_NONE;
    }
    size_t *end = t->start + 1; /* of the lists, once they are filled */
    for (uint32_t column = 0; column < matrix->size; column++)
        for (int32_t e = matrix->column_start[column]; e < matrix->column_start[column + 1]; e++) {
            end[column + 1]++;
            end[matrix->row[e] + 1]++;
        }
    for (uint32_t i = 1; i <= matrix->size; i++)
        end[i] += end[i - 1];
    for (uint32_t column = 0; column < matrix->size; column++)
        for (int32_t e = matrix->column_start[column]; e < matrix->column_start[column + 1]; e++) {
            t->neighbour[end[column]++] = (uint32_t)matrix->row[e];
            t->neighbour[end[matrix->row[e]]++] = column;
        }
    return true;
}

/* Adds unknown `other` to the rows of the k-th pivot, unless it comes before it or is there. */
static inline void chain_take(chain_tree *t, uint32_t k, uint32_t other, chain_rows *rows, size_t *count)
{
    if (t->position[other] <= k || t->mark[other] == k) return;
    t->mark[other] = k;
    rows->row[(*count)++] = other;
}

/* The rows of the k-th pivot, from number `count` on. */
static inline bool chain_list_rows(chain_tree *t, uint32_t k, uint32_t unknown, chain_rows *rows,
                                   size_t *count)
{
    size_t most = *count + (t->start[unknown + 1] - t->start[unknown]) + 1;
    for (uint32_t c = t->first_child[k]; c != CHAIN_NONE; c = t->sibling[c])
        most += rows->start[c + 1] - rows->start[c];
    if (!TN_MAKE_ROOM(rows->row, rows->room, most)) return false;
    for (size_t p = t->start[unknown]; p < t->start[unknown + 1]; p++)
        chain_take(t, k, t->neighbour[p], rows, count);
    for (uint32_t c = t->first_child[k]; c != CHAIN_NONE; c = t->sibling[c])
        for (size_t p = rows->start[c]; p < rows->start[c + 1]; p++)
            chain_take(t, k, rows->row[p], rows, count);
    return true;
}

/* CHAIN_TOO_FULL where there are more than `most` of them. `rows` is to be freed whatever comes of it. */
static inline chain_verdict chain_rows_make(chain_rows *rows, const chain_order *order,
                                            const tn_matrix *matrix, double most)
{
    chain_tree tree;
    size_t count = 0;
    *rows = (chain_rows){.start = malloc(((size_t)matrix->size + 1) * sizeof *rows->start)};
    bool made = chain_tree_make(&tree, order, matrix) && rows->start;
    for (uint32_t k = 0; k < matrix->size && made && (double)count <= most; k++) {
        rows->start[k] = count;
        made = chain_list_rows(&tree, k, order->order[k], rows, &count);
        uint32_t parent = CHAIN_NONE;
        for (size_t p = rows->start[k]; p < count; p++)
            parent = tree.position[rows->row[p]] < parent ? tree.position[rows->row[p]] : parent;
        rows->start[k + 1] = count;
        if (parent == CHAIN_NONE) continue;
        tree.sibling[k] = tree.first_child[parent];
        tree.first_child[parent] = k;
    }
    chain_tree_free(&tree);
    if (!made) return CHAIN_NO_MEMORY;
    return (double)count <= most ? CHAIN_ORDERED : CHAIN_TOO_FULL;
}

#endif

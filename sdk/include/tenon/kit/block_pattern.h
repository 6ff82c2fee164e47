/* tenon/kit/block_pattern.h - the blocks of a sparse matrix, for linear solvers: unknowns that follow each other and have entries in the same
 * rows are those of one body, or the multipliers of one constraint. Where a block couples with itself, its entries count as all there.
 *
 *     tn_block_pattern blocks;
 *     if (!tn_block_pattern_make(&blocks, matrix, 6)) ... no memory
 *     for (int32_t k = blocks.column_start[b]; k < blocks.column_start[b + 1]; k++) ... blocks.row[k] couples with b
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. */
#ifndef TENON_KIT_BLOCK_PATTERN_H
#define TENON_KIT_BLOCK_PATTERN_H

#include "tenon/linear.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct tn_block_pattern {
    uint32_t count;        /* of blocks */
    uint32_t *start;       /* [count + 1] unknowns start[b] to start[b + 1] - 1 are block b */
    uint32_t *block;       /* [size of the matrix] of an unknown */
    int32_t *column_start; /* [count + 1] */
    int32_t *
        row; /* [column_start[count]] blocks with entries in the column of one, ascending, itself among them */
} tn_block_pattern;

static inline void tn_block_pattern_free(tn_block_pattern *p)
{
    free(p->start);
    free(p->block);
    free(p->column_start);
    free(p->row);
    *p = (tn_block_pattern){0};
}

/* Whether columns a < b have entries in the same rows, but for rows a to b. */
static inline bool tn_block_pattern_joins(const tn_matrix *matrix, uint32_t a, uint32_t b)
{
    const int32_t *row = matrix->row, *start = matrix->column_start;
    int32_t i = start[a], k = start[b];
    const int32_t end_i = start[a + 1], end_k = start[b + 1], low = (int32_t)a, high = (int32_t)b;
    for (;;) {
        while (i < end_i && row[i] >= low && row[i] <= high)
            i++;
        while (k < end_k && row[k] >= low && row[k] <= high)
            k++;
        if (i == end_i || k == end_k) return i == end_i && k == end_k;
        if (row[i++] != row[k++]) return false;
    }
}

/* Cuts the unknowns into blocks of at most `largest`. */
static inline void tn_block_pattern_cut(tn_block_pattern *p, const tn_matrix *matrix, uint32_t largest)
{
    p->count = 0;
    for (uint32_t i = 0; i < matrix->size; i++) {
        const bool joins = p->count && i - p->start[p->count - 1] < largest &&
                           tn_block_pattern_joins(matrix, p->start[p->count - 1], i);
        if (!joins) p->start[p->count++] = i;
        p->block[i] = p->count - 1;
    }
    p->start[p->count] = matrix->size;
}

/* Counts the blocks in each column and, where `row` is there, lists them. The first unknown of a block speaks for it, and so does the block. */
static inline int32_t tn_block_pattern_list(const tn_block_pattern *p, const tn_matrix *matrix, int32_t *row)
{
    int32_t count = 0;
    for (uint32_t b = 0; b < p->count; b++) {
        const uint32_t first = p->start[b];
        uint32_t last = UINT32_MAX;
        bool own = false;
        p->column_start[b] = count;
        for (int32_t k = matrix->column_start[first]; k <= matrix->column_start[first + 1]; k++) {
            const bool end = k == matrix->column_start[first + 1];
            const uint32_t found = end ? p->count : p->block[matrix->row[k]];
            if (!own && found >= b) { /* a block has a diagonal, also where its matrix has none */
                own = true;
                if (row) row[count] = (int32_t)b;
                count++;
                last = b;
            }
            if (end || found == last) continue;
            if (row) row[count] = (int32_t)found;
            count++;
            last = found;
        }
    }
    p->column_start[p->count] = count;
    return count;
}

/* False without memory. */
static inline bool tn_block_pattern_make(tn_block_pattern *p, const tn_matrix *matrix, uint32_t largest)
{
    const size_t room = (size_t)matrix->size + 1;
    *p = (tn_block_pattern){0};
    p->start = malloc(room * sizeof *p->start);
    p->block = malloc(room * sizeof *p->block);
    p->column_start = malloc(room * sizeof *p->column_start);
    if (p->start && p->block && p->column_start) {
        tn_block_pattern_cut(p, matrix, largest);
        p->row = malloc(((size_t)tn_block_pattern_list(p, matrix, NULL) + 1) * sizeof *p->row);
    }
    if (!p->row) {
        tn_block_pattern_free(p);
        return false;
    }
    (void)tn_block_pattern_list(p, matrix, p->row);
    return true;
}

#endif

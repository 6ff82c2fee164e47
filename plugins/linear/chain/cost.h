/* cost.h - what factors are expected to cost: counted without numbers, before there is an order. */
#ifndef TENON_CHAIN_COST_H
#define TENON_CHAIN_COST_H

#include "tenon/kit/block_lu.h"
#include "tenon/kit/block_pattern.h"

#include "../sparse_lu.h"

#include "nodes.h"

/* Factors of whole blocks of bodies and joints, by minimum degree: an upper bound for what will be used of them. */
static inline tn_status count_blocks(const tn_block_pattern *blocks, tn_linear_cost *cost)
{
    tn_block_lu lu = {0};
    const size_t couplings = (size_t)blocks->column_start[blocks->count];
    tn_node_pair *pair = malloc((couplings + 1) * sizeof *pair);
    uint32_t pairs = 0;
    for (uint32_t b = 0; pair && b < blocks->count; b++)
        for (int32_t k = blocks->column_start[b]; k < blocks->column_start[b + 1]; k++) {
            const uint32_t other = (uint32_t)blocks->row[k];
            if (other != b) pair[pairs++] = (tn_node_pair){other < b ? other : b, other < b ? b : other};
        }
    const bool made = pair && tn_block_lu_pattern(&lu, blocks->count, blocks->start, pair, pairs) == TN_OK;
    for (uint32_t k = 0; made && k < lu.nodes; k++) {
        const double s = tn_block_size(&lu, lu.order[k]);
        double rows = 0.0;
        for (size_t e = lu.column_start[k]; e < lu.column_start[k + 1]; e++)
            rows += tn_block_size(&lu, lu.order[lu.row[e]]);
        cost->entries += s * (s + 2.0 * rows);
        cost->operations += 2.0 * s * (s * s / 3.0 + s * rows + rows * rows);
    }
    tn_block_lu_release(&lu);
    free(pair);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

static inline tn_status count_pattern(const tn_matrix *matrix, tn_linear_cost *cost)
{
    tn_block_pattern blocks;
    if (!tn_block_pattern_make(&blocks, matrix, CHAIN_WIDEST)) return TN_OUT_OF_MEMORY;
    const tn_status status = count_blocks(&blocks, cost);
    tn_block_pattern_free(&blocks);
    cost->memory = 24.0 * cost->entries;
    return status;
}

/* In the order that KLU would take. The values at the start are not weighted as those of the first factorisation: pivots that stand
 * out there may not do so here. */
static inline tn_status count_used(const tn_matrix *matrix, tn_linear_cost *cost)
{
    sparse_lu counted = {0};
    tn_status status = sparse_lu_make(&counted, matrix);
    if (status == TN_OK) status = sparse_lu_count(&counted, matrix, cost);
    cost->memory = 24.0 * cost->entries;
    sparse_lu_free(&counted);
    return status;
}

/* Measured on chains, four-bars, ladders. Nodes take zeros in. */
static inline void expect_nodes(uint32_t size, tn_linear_cost *cost)
{
    cost->entries *= 1.25;
    cost->operations = 1.3 * cost->operations + 13.0 * size;
    cost->factorisation = 1e-10 * cost->operations + 7e-9 * cost->entries;
    cost->solution = 6e-10 * cost->entries;
    cost->memory = 24.0 * cost->entries; /* and places of products */
}

#endif

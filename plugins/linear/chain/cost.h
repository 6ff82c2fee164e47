/* cost.h - what factors are expected to cost: counted without numbers, before there is an order. */
#ifndef TENON_CHAIN_COST_H
#define TENON_CHAIN_COST_H

#include "tenon/kit/block_pattern.h"

#include "../sparse_lu.h"

#include "nodes.h"

/* Factors of whole blocks of bodies and joints, by minimum degree, as if all of these had the same size: an upper bound for what will be used of
 * them. */
static inline tn_status count_blocks(const tn_block_pattern *blocks, uint32_t unknowns, tn_linear_cost *cost)
{
    klu_common common;
    if (!klu_defaults(&common)) return TN_FATAL;
    common.ordering = 0; // AMD
    common.btf = 0;
    klu_symbolic *found = klu_analyze((int32_t)blocks->count, blocks->column_start, blocks->row, &common);
    const double size = (double)unknowns / blocks->count;
    const bool made = found;
    if (made) {
        cost->entries = (found->lnz + found->unz) * size * size;
        cost->operations = found->est_flops * size * size * size;
        cost->memory = 24.0 * cost->entries;
    }
    (void)klu_free_symbolic(&found, &common);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
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

/* factors.h - LU factors by nodes: from a matrix of numbers to solutions.
 *
 *     chain_factors_make(&factors, matrix, entries, growth, &latest_first)     order, nodes, places: for this pattern and values like these
 *     chain_factors_make_by_blocks(&factors, announced, matrix, most)   by whole blocks of `announced`
 *     chain_factors_extend(&factors, matrix, entries, most)     for a pattern that has grown, in the same order
 *     chain_factors_fill(), chain_factors_factor(), chain_factors_solve()
 *     chain_factors_free(&factors) */
#ifndef TENON_CHAIN_FACTORS_H
#define TENON_CHAIN_FACTORS_H

#include "kernels.h"
#include "order_blocks.h"

typedef struct chain_factors {
    chain_order order;
    double rows; /* entries of L */
    chain_nodes nodes;
    chain_span *span; /* [runs] */
    int32_t *at;      /* where products go, node after node */
    size_t at_room, at_used;
    uint32_t *target; /* [entries] where a number of the matrix stands among those of the nodes */
    double *value;
    double *pivot; /* [size] sizes of pivots, node after node */
    size_t values;
} chain_factors;

static inline void chain_factors_free(chain_factors *f)
{
    chain_order_free(&f->order);
    chain_nodes_free(&f->nodes);
    free(f->span);
    free(f->at);
    free(f->target);
    free(f->value);
    free(f->pivot);
    *f = (chain_factors){0};
}

/* ---- places ---- */

#define CHAIN_NO_PLACE SIZE_MAX

/* Where the entry stands that couples unknowns a and b: in L when it is in row a and a is eliminated later, in U when in column
 * a. `among`: the search begins with this row of b's node. */
static inline size_t chain_place_below(const chain_nodes *nodes, uint32_t a, uint32_t b, bool upper,
                                       uint32_t *among)
{
    const uint32_t number = nodes->node_of[b];
    const chain_node *node = &nodes->node[number];
    uint32_t k = *among;
    while (k < node->rows && node->row[k] != a)
        k++;
    if (k == node->rows) return CHAIN_NO_PLACE;
    *among = k;
    const size_t first =
        upper ? nodes->upper[number] : nodes->value[number] + (size_t)node->size * node->size;
    return first + (size_t)node->size * k + nodes->place[b];
}

/* The number of row i and column j. */
static inline size_t chain_place_of(const chain_nodes *nodes, uint32_t i, uint32_t j, uint32_t *among)
{
    const uint32_t row = nodes->node_of[i], column = nodes->node_of[j];
    if (row > column) return chain_place_below(nodes, i, j, false, among);
    if (row < column) return chain_place_below(nodes, j, i, true, among);
    return nodes->value[row] + (size_t)nodes->place[i] * nodes->node[row].size + nodes->place[j];
}

/* How many of the rows from the i-th on are unknowns side by side in one node, and all of this node's. */
static inline uint32_t chain_width(const chain_nodes *nodes, const chain_node *node, uint32_t i)
{
    const uint32_t first = node->row[i], other = nodes->node_of[first];
    uint32_t width = 1;
    if (i > 0 && nodes->node_of[node->row[i - 1]] == other) return 1;
    bool adjoin = true;
    for (; i + width < node->rows && nodes->node_of[node->row[i + width]] == other; width++)
        adjoin = adjoin && nodes->place[node->row[i + width]] == nodes->place[first] + width;
    return adjoin ? width : 1;
}

static inline bool chain_list_places(chain_factors *f, const chain_node *node)
{
    const chain_nodes *nodes = &f->nodes;
    for (uint32_t i = 0; i < node->rows;) {
        const uint32_t first = node->row[i], width = chain_width(nodes, node, i);
        const size_t others = node->rows - i - width;
        uint32_t among_lower = 0, among_upper = 0;
        if (!TN_MAKE_ROOM(f->at, f->at_room, f->at_used + 3 + 2 * others)) return false;
        int32_t *at = f->at + f->at_used;
        *at++ = (int32_t)width;
        *at++ = (int32_t)chain_place_of(nodes, first, first, &among_lower);
        *at++ = (int32_t)nodes->node[nodes->node_of[first]].size;
        for (uint32_t q = i + width; q < node->rows; q++) {
            *at++ = (int32_t)chain_place_of(nodes, node->row[q], first, &among_lower);
            *at++ = (int32_t)chain_place_of(nodes, first, node->row[q], &among_upper);
        }
        f->at_used += 3 + 2 * others;
        i += width;
    }
    return true;
}

/* False where the nodes, which are open, have no place for an entry: it belongs to another order. */
static inline bool chain_find_targets(chain_factors *f, const tn_matrix *matrix)
{
    for (uint32_t column = 0; column < matrix->size; column++)
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++) {
            uint32_t among = 0;
            const size_t place = chain_place_of(&f->nodes, (uint32_t)matrix->row[k], column, &among);
            if (place == CHAIN_NO_PLACE) return false;
            f->target[k] = (uint32_t)place;
        }
    return true;
}

/* For another pattern: CHAIN_NO_PIVOT where it belongs to another order. */
static inline chain_verdict chain_list_targets(chain_factors *f, const tn_matrix *matrix)
{
    if (!chain_nodes_open(&f->nodes)) return CHAIN_NO_MEMORY;
    const bool found = chain_find_targets(f, matrix);
    chain_nodes_close(&f->nodes);
    return found ? CHAIN_ORDERED : CHAIN_NO_PIVOT;
}

static inline void chain_list_spans(chain_factors *f)
{
    const chain_nodes *nodes = &f->nodes;
    for (uint32_t k = 0; k < nodes->runs; k++) {
        const chain_run_of_nodes *run = &nodes->run[k];
        f->span[k] = (chain_span){.count = run->count,
                                  .rows = run->rows,
                                  .own = nodes->own + nodes->node[run->first].first,
                                  .row = nodes->row + nodes->row_start[run->first],
                                  .value = f->value + nodes->value[run->first],
                                  .upper = f->value + nodes->upper[run->first]};
        chain_span_functions(&f->span[k], run->size);
    }
}

static inline chain_verdict chain_factors_place(chain_factors *f, const tn_matrix *matrix, size_t entries)
{
    const chain_nodes *nodes = &f->nodes;
    f->values = nodes->upper[nodes->count];
    if (f->values > INT32_MAX) return CHAIN_TOO_FULL;
    f->span = malloc(((size_t)nodes->runs + 1) * sizeof *f->span);
    f->target = malloc((entries + 1) * sizeof *f->target);
    f->value = malloc((f->values + 1) * sizeof *f->value);
    f->pivot = malloc(((size_t)matrix->size + 1) * sizeof *f->pivot);
    if (!f->span || !f->target || !f->value || !f->pivot) return CHAIN_NO_MEMORY;
    for (uint32_t b = 0; b < nodes->count; b++)
        if (!chain_list_places(f, &nodes->node[b])) return CHAIN_NO_MEMORY;
    if (!chain_find_targets(f, matrix)) return CHAIN_NO_PIVOT; /* its own pattern has all places */
    chain_list_spans(f);
    chain_nodes_close(&f->nodes);
    return CHAIN_ORDERED;
}

/* Nodes for the order that there is, of no more than `most` entries of L. */
static inline chain_verdict chain_factors_join(chain_factors *f, const tn_matrix *matrix, double most)
{
    chain_rows rows;
    chain_verdict verdict = chain_rows_make(&rows, &f->order, matrix, most);
    if (verdict == CHAIN_ORDERED) f->rows = (double)rows.start[matrix->size];
    if (verdict == CHAIN_ORDERED && !chain_nodes_make(&f->nodes, &f->order, &rows, matrix->size))
        verdict = CHAIN_NO_MEMORY;
    chain_rows_free(&rows);
    return verdict;
}

/* For the order that there is; anything but CHAIN_ORDERED leaves nothing behind. */
static inline chain_verdict chain_factors_complete(chain_factors *f, chain_verdict verdict,
                                                   const tn_matrix *matrix, size_t entries, double most)
{
    if (verdict == CHAIN_ORDERED) verdict = chain_factors_join(f, matrix, most);
    if (verdict == CHAIN_ORDERED) verdict = chain_factors_place(f, matrix, entries);
    if (verdict != CHAIN_ORDERED) chain_factors_free(f);
    return verdict;
}

/* Anything but CHAIN_ORDERED leaves nothing behind. `entries`: of all patterns to come; the others as in chain_order_make(). */
static inline chain_verdict chain_factors_make(chain_factors *f, const tn_matrix *matrix, size_t entries,
                                               chain_growth growth, bool *latest_first)
{
    *f = (chain_factors){0};
    const chain_verdict verdict = chain_order_make(&f->order, matrix, growth, latest_first);
    return chain_factors_complete(f, verdict, matrix, entries, HUGE_VAL);
}

/* In the order of whole blocks, where that leaves no more than `most` entries of L. */
static inline chain_verdict chain_factors_make_by_blocks(chain_factors *f, const tn_matrix *announced,
                                                         const tn_matrix *matrix, double most)
{
    *f = (chain_factors){0};
    const chain_verdict verdict = chain_order_blocks(&f->order, announced, matrix);
    return chain_factors_complete(f, verdict, matrix, (size_t)announced->column_start[announced->size], most);
}

/* In the order that there is; anything but CHAIN_ORDERED leaves nothing behind. */
static inline chain_verdict chain_factors_extend(chain_factors *f, const tn_matrix *matrix, size_t entries,
                                                 double most)
{
    const chain_order order = f->order;
    f->order = (chain_order){0};
    chain_factors_free(f); /* before others are made: there is memory for one of both */
    f->order = order;
    return chain_factors_complete(f, CHAIN_ORDERED, matrix, entries, most);
}

/* ---- numbers ---- */

static inline void chain_factors_fill(chain_factors *f, const double *value, int32_t entries)
{
    memset(f->value, 0, f->values * sizeof *f->value);
    for (int32_t k = 0; k < entries; k++)
        f->value[f->target[k]] = value[k];
}

static inline void chain_factors_factor(chain_factors *f)
{
    const int32_t *at = f->at;
    double *pivot = f->pivot;
    for (uint32_t k = 0; k < f->nodes.runs; k++) {
        at = f->span[k].factor(&f->span[k], f->value, pivot, at);
        pivot += (size_t)f->span[k].count * f->nodes.run[k].size;
    }
}

static inline void chain_factors_solve(const chain_factors *f, double *x)
{
    for (uint32_t k = 0; k < f->nodes.runs; k++)
        f->span[k].forward(&f->span[k], x);
    for (uint32_t k = f->nodes.runs; k-- > 0;)
        f->span[k].backward(&f->span[k], x);
}

#endif

/* tenon/kit/impulse_bodies.h - the bodies of a problem of impulses as nodes, and A^-1 node by node: part of impulse_blocks.h.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_IMPULSE_BODIES_H
#define TENON_KIT_IMPULSE_BODIES_H

#include "tenon/kit/block_lu.h"
#include "tenon/kit/impulse_error.h"

enum { TN_PIECE_OF_NODE = 6 }; /* coordinates of the pieces of large bodies */

typedef struct tn_impulse_leg {
    uint32_t node, first, width; /* its coordinates */
    uint32_t rows;
    size_t panel; /* in `panel` and `spread`: [rows][width] */
} tn_impulse_leg;

typedef struct tn_impulse_blocks {
    const tn_impulse_problem *problem;
    uint32_t nodes, nv;
    bool separate, inverted; /* A has no entries between nodes; `inverse` is that of the last A */
    bool pieces;             /* some body has several nodes */
    bool same;               /* A and G of the last problem were those of the one before */
    uint32_t block_diagonal; /* of the problem whose pairs have been found */
    uint32_t *node_start;    /* [nodes + 1] */
    uint32_t *node_of;       /* [nv] */
    uint32_t *leg_start;     /* [blocks + 1] */
    tn_impulse_leg *leg;
    double *panel, *spread;
    size_t *inverse_start; /* [nodes] */
    double *inverse;       /* of the diagonal blocks of A */
    double *weight;        /* [rows] of impulse_error.h */
    double *local;         /* [3 rows] of a cone from 3 first on by rows, of another row at 3 row */
    double *mass;          /* [nv] A_jj */
    tn_block_lu masses;    /* where A is not separate */
    tn_node_pair *pair;    /* of A */
    /* G of the last problem, to which the next one is compared */
    bool taken;
    uint32_t known_rows, known_blocks;
    tn_impulse_block *known_block;
    uint32_t *known_index; /* row_start, then columns */
    double *known_value;
    uint32_t pairs;
    size_t node_room, node_of_room, leg_start_room, leg_room, panel_room, spread_room, inverse_start_room,
        inverse_room, weight_room, local_room, mass_room, pair_room, known_block_room, known_index_room,
        known_value_room;
} tn_impulse_blocks;

static inline void tn_impulse_blocks_release(tn_impulse_blocks *blocks)
{
    void *all[] = {blocks->node_start,  blocks->node_of,       blocks->leg_start,  blocks->leg,
                   blocks->panel,       blocks->spread,        blocks->inverse,    blocks->weight,
                   blocks->local,       blocks->inverse_start, blocks->mass,       blocks->pair,
                   blocks->known_block, blocks->known_index,   blocks->known_value};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    tn_block_lu_release(&blocks->masses);
    *blocks = (tn_impulse_blocks){0};
}

/* ---- nodes ---------------------------------------------------------------------------------------------------- */

static inline uint32_t tn_pieces_of(uint32_t width)
{
    return width <= TN_LARGEST_NODE ? width > 0 : (width + TN_PIECE_OF_NODE - 1) / TN_PIECE_OF_NODE;
}

/* Whether the nodes are those of this problem. */
static inline bool tn_same_nodes(const tn_impulse_blocks *blocks, const tn_impulse_problem *problem)
{
    if (!blocks->node_start || blocks->nv != problem->nv) return false;
    uint32_t node = 0;
    for (uint32_t b = 0; b < problem->bodies; b++) {
        const uint32_t first = problem->body_start[b], width = problem->body_start[b + 1] - first;
        const uint32_t pieces = tn_pieces_of(width);
        for (uint32_t i = 0; i < pieces; i++, node++)
            if (node >= blocks->nodes ||
                blocks->node_start[node] != first + (pieces > 1 ? i * TN_PIECE_OF_NODE : 0))
                return false;
    }
    return node == blocks->nodes;
}

static inline bool tn_cut_nodes(tn_impulse_blocks *blocks, const tn_impulse_problem *problem)
{
    uint32_t nodes = 0;
    for (uint32_t b = 0; b < problem->bodies; b++)
        nodes += tn_pieces_of(problem->body_start[b + 1] - problem->body_start[b]);
    if (!TN_MAKE_ROOM(blocks->node_start, blocks->node_room, (size_t)nodes + 1) ||
        !TN_MAKE_ROOM(blocks->node_of, blocks->node_of_room, problem->nv) ||
        !TN_MAKE_ROOM(blocks->inverse_start, blocks->inverse_start_room, nodes) ||
        !TN_MAKE_ROOM(blocks->mass, blocks->mass_room, problem->nv))
        return false;
    blocks->nodes = blocks->nv = 0;
    blocks->pieces = false;
    blocks->inverted = blocks->masses.analysed = false;
    size_t size = 0;
    uint32_t node = 0;
    for (uint32_t b = 0; b < problem->bodies; b++) {
        const uint32_t last = problem->body_start[b + 1];
        const bool cut = last - problem->body_start[b] > TN_LARGEST_NODE;
        const uint32_t step = cut ? TN_PIECE_OF_NODE : last;
        blocks->pieces = blocks->pieces || cut;
        for (uint32_t first = problem->body_start[b]; first < last; node++) {
            const uint32_t end = step < last - first ? first + step : last;
            blocks->node_start[node] = first;
            blocks->inverse_start[node] = size;
            size += (size_t)(end - first) * (end - first);
            for (; first < end; first++)
                blocks->node_of[first] = node;
        }
    }
    blocks->node_start[node] = problem->nv;
    if (!TN_MAKE_ROOM(blocks->inverse, blocks->inverse_room, size)) return false;
    blocks->nodes = nodes;
    blocks->nv = problem->nv;
    return true;
}

/* ---- A ---------------------------------------------------------------------------------------------------------- */

/* Adds the entries of A within one node, or all of them, to blocks. */
static inline void tn_add_matrix(const tn_impulse_blocks *blocks, tn_block_lu *lu)
{
    const tn_matrix *matrix = blocks->problem->matrix;
    for (uint32_t column = 0; column < matrix->size; column++) {
        const uint32_t j = blocks->node_of[column], width = tn_block_size(lu, j);
        const uint32_t inner = column - blocks->node_start[j];
        uint32_t last = TN_NO_NODE;
        double *block = NULL;
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++) {
            const uint32_t row = (uint32_t)matrix->row[k], i = blocks->node_of[row];
            if (i != j && blocks->separate) continue;
            if (i != last) block = tn_block_lu_at(lu, i, j);
            last = i;
            block[(row - blocks->node_start[i]) * width + inner] += matrix->value[k];
        }
    }
}

/* Pairs of nodes that A connects: none where nodes are bodies and it has entries within bodies only. */
static inline bool tn_find_mass_pairs(tn_impulse_blocks *blocks)
{
    const tn_matrix *matrix = blocks->problem->matrix;
    blocks->pairs = 0;
    blocks->block_diagonal = blocks->problem->block_diagonal;
    if (blocks->block_diagonal && !blocks->pieces) return true;
    for (uint32_t column = 0; column < matrix->size; column++) {
        uint32_t last = blocks->node_of[column];
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++) {
            const uint32_t i = blocks->node_of[matrix->row[k]], j = blocks->node_of[column];
            if (i == last || i == j) continue;
            last = i;
            if (!TN_MAKE_ROOM(blocks->pair, blocks->pair_room, (size_t)blocks->pairs + 1)) return false;
            blocks->pair[blocks->pairs++] = (tn_node_pair){i < j ? i : j, i < j ? j : i};
        }
    }
    blocks->pairs = tn_sort_pairs(blocks->pair, blocks->pairs);
    return true;
}

/* A^-1 of one node; false: singular. */
static inline bool tn_invert_node(tn_impulse_blocks *blocks, uint32_t node)
{
    const tn_matrix *matrix = blocks->problem->matrix;
    const uint32_t first = blocks->node_start[node], n = blocks->node_start[node + 1] - first;
    double block[TN_LARGEST_NODE * TN_LARGEST_NODE] = {0};
    uint8_t pivot[TN_LARGEST_NODE];
    double *inverse = blocks->inverse + blocks->inverse_start[node];
    bool diagonal = true; // of points, and of spheres
    memset(inverse, 0, (size_t)n * n * sizeof *inverse);
    for (uint32_t j = 0; j < n; j++) {
        for (int32_t k = matrix->column_start[first + j]; k < matrix->column_start[first + j + 1]; k++) {
            const uint32_t row = (uint32_t)matrix->row[k];
            if (row >= first && row - first < n) block[(row - first) * n + j] = matrix->value[k];
            diagonal = diagonal && (row == first + j || matrix->value[k] == 0.0);
        }
        blocks->mass[first + j] = fabs(block[j * n + j]);
        inverse[j * n + j] = 1.0;
    }
    for (uint32_t j = 0; j < n && diagonal; j++) {
        if (!(fabs(block[j * n + j]) > 0.0)) return false;
        inverse[j * n + j] = 1.0 / block[j * n + j];
    }
    if (diagonal) return true;
    if (!tn_node_lu(n, block, pivot)) return false;
    tn_node_solve(n, block, pivot, n, inverse);
    return true;
}

/* TN_RETRY: A is singular. */
static inline tn_status tn_take_matrix(tn_impulse_blocks *blocks)
{
    if (blocks->inverted && blocks->problem->same_matrix) return TN_OK;
    blocks->inverted = false;
    for (uint32_t node = 0; node < blocks->nodes; node++)
        if (!tn_invert_node(blocks, node)) return TN_RETRY;
    const bool known = blocks->masses.analysed && blocks->block_diagonal == blocks->problem->block_diagonal;
    if (!known && !tn_find_mass_pairs(blocks)) return TN_OUT_OF_MEMORY;
    blocks->separate = blocks->pairs == 0;
    const tn_status status =
        tn_block_lu_pattern(&blocks->masses, blocks->nodes, blocks->node_start, blocks->pair, blocks->pairs);
    if (status != TN_OK) return status;
    if (!blocks->separate) {
        tn_block_lu_clear(&blocks->masses);
        tn_add_matrix(blocks, &blocks->masses);
        const tn_status factored = tn_block_lu_factor(&blocks->masses);
        if (factored != TN_OK) return factored;
    }
    blocks->inverted = true;
    return TN_OK;
}

#endif

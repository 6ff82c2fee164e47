/* tenon/kit/impulse_blocks.h - for constraint solvers: a problem of impulses as small dense blocks.
 *
 *     tn_impulse_blocks_take(&blocks, problem, &strange) [hot] memory grows by a half, and is kept; or with checks:
 *     tn_impulse_blocks_open(&blocks, problem, &outcome)
 *     tn_impulse_blocks_velocity(&blocks, p, z)        z = A^-1 G^T p
 *     tn_impulse_blocks_rates(&blocks, free, z, u)      with the free rates: u = free + G z
 *     tn_impulse_blocks_release(&blocks)
 *
 * The coordinates are cut into nodes: bodies, or pieces of those with more than TN_LARGEST_NODE coordinates. The columns of a block of
 * rows within one node are a leg: a dense panel [rows][width]. Where A has no entries between nodes, it is inverted node by node, and
 * each leg has its share of A^-1 G^T as well (`spread`); else A is factorised by block_lu.h. `local` is the diagonal of
 * W = G A^-1 G^T: nine numbers of a cone, one of each other row; where A has entries between nodes, of its diagonal blocks only.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_IMPULSE_BLOCKS_H
#define TENON_KIT_IMPULSE_BLOCKS_H

#include "tenon/kit/impulse_bodies.h"

/* ---- legs ------------------------------------------------------------------------------------------------------- */

/* The leg of a block on a node, from `first` on; TN_NO_NODE: no memory. */
static inline uint32_t tn_leg_on(tn_impulse_blocks *blocks, uint32_t first, uint32_t *count, size_t *panels,
                                 uint32_t node, uint32_t rows)
{
    for (uint32_t k = first; k < *count; k++)
        if (blocks->leg[k].node == node) return k;
    const uint32_t width = blocks->node_start[node + 1] - blocks->node_start[node];
    if (!TN_MAKE_ROOM(blocks->leg, blocks->leg_room, (size_t)*count + 1) ||
        !TN_MAKE_ROOM(blocks->panel, blocks->panel_room, *panels + (size_t)rows * width))
        return TN_NO_NODE;
    blocks->leg[*count] = (tn_impulse_leg){node, blocks->node_start[node], width, rows, *panels};
    memset(blocks->panel + *panels, 0, (size_t)rows * width * sizeof *blocks->panel);
    *panels += (size_t)rows * width;
    return (*count)++;
}

/* Adds the entries of one row to legs; false: no memory. */
static inline bool tn_take_row(tn_impulse_blocks *blocks, uint32_t b, uint32_t i, uint32_t *count,
                               size_t *panels)
{
    const tn_impulse_problem *problem = blocks->problem;
    const uint32_t row = problem->block[b].first + i;
    uint32_t leg = TN_NO_NODE;
    for (uint32_t k = problem->row_start[row]; k < problem->row_start[row + 1]; k++) {
        const uint32_t column = problem->column[k], node = blocks->node_of[column];
        if (leg == TN_NO_NODE || blocks->leg[leg].node != node)
            leg = tn_leg_on(blocks, blocks->leg_start[b], count, panels, node, problem->block[b].rows);
        if (leg == TN_NO_NODE) return false;
        const tn_impulse_leg *own = &blocks->leg[leg];
        blocks->panel[own->panel + (size_t)i * own->width + (column - own->first)] += problem->value[k];
    }
    return true;
}

/* Whether the columns of a row are exactly those of the legs from `first` on, in their order. */
static inline bool tn_fills_legs(const tn_impulse_blocks *blocks, uint32_t row, uint32_t first, uint32_t last)
{
    const tn_impulse_problem *problem = blocks->problem;
    const uint32_t *column = problem->column + problem->row_start[row];
    uint32_t left = problem->row_start[row + 1] - problem->row_start[row];
    for (uint32_t k = first; k < last; k++) {
        const tn_impulse_leg *leg = &blocks->leg[k];
        if (leg->width > left) return false;
        for (uint32_t j = 0; j < leg->width; j++)
            if (*column++ != leg->first + j) return false;
        left -= leg->width;
    }
    return left == 0;
}

/* The values of row i of a block that fills its legs. */
static inline void tn_copy_row(tn_impulse_blocks *blocks, const double *value, uint32_t i, uint32_t first,
                               uint32_t last)
{
    for (uint32_t k = first; k < last; k++) {
        const tn_impulse_leg *leg = &blocks->leg[k];
        double *panel = blocks->panel + leg->panel + (size_t)i * leg->width;
        for (uint32_t j = 0; j < leg->width; j++)
            panel[j] = *value++;
    }
}

static inline bool tn_take_legs(tn_impulse_blocks *blocks)
{
    const tn_impulse_problem *problem = blocks->problem;
    uint32_t count = 0;
    size_t panels = 0;
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const uint32_t first = count, row = problem->block[b].first, rows = problem->block[b].rows;
        blocks->leg_start[b] = first;
        for (uint32_t i = 0; i < rows; i++)
            if (i > 0 && tn_fills_legs(blocks, row + i, first, count))
                tn_copy_row(blocks, problem->value + problem->row_start[row + i], i, first, count);
            else if (!tn_take_row(blocks, b, i, &count, &panels))
                return false;
    }
    blocks->leg_start[problem->blocks] = count;
    return TN_MAKE_ROOM(blocks->spread, blocks->spread_room, panels);
}

/* spread = panel A^-T of the node; by rows, each is A^-1 g of one row. */
TN_INLINED void tn_spread_rows(uint32_t rows, uint32_t n, const double *restrict inverse,
                               const double *restrict panel, double *restrict spread)
{
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (uint32_t j = 0; j < n; j++)
                sum += inverse[i * n + j] * panel[r * n + j];
            spread[r * n + i] = sum;
        }
}

/* The diagonal of W: of a cone all nine numbers. */
TN_INLINED void tn_add_local(uint32_t rows, uint32_t n, bool cone, const double *restrict panel,
                             const double *restrict spread, double *restrict local)
{
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t s = cone ? 0 : r; s < (cone ? rows : r + 1); s++) {
            double sum = 0.0;
            for (uint32_t j = 0; j < n; j++)
                sum += panel[r * n + j] * spread[s * n + j];
            local[3 * r + (cone ? s : 0)] += sum;
        }
}

/* Computes the share of A^-1 G^T of a leg, and adds to the diagonal of W. */
static inline void tn_spread_leg(tn_impulse_blocks *blocks, const tn_impulse_block *block,
                                 const tn_impulse_leg *leg)
{
    const uint32_t n = leg->width;
    const double *panel = blocks->panel + leg->panel;
    double *spread = blocks->spread + leg->panel, *local = blocks->local + 3 * (size_t)block->first;
    const double *inverse = blocks->inverse + blocks->inverse_start[leg->node];
    const bool cone = block->law == TN_CONE_LAW, usual = n == 6 && leg->rows == 3;
    if (usual)
        tn_spread_rows(3, 6, inverse, panel, spread);
    else
        tn_spread_rows(leg->rows, n, inverse, panel, spread);
    if (usual && cone)
        tn_add_local(3, 6, true, panel, spread, local);
    else if (usual)
        tn_add_local(3, 6, false, panel, spread, local);
    else
        tn_add_local(leg->rows, n, cone, panel, spread, local);
}

static inline double tn_block_row_weight(const tn_impulse_blocks *blocks, uint32_t row)
{
    const tn_impulse_problem *problem = blocks->problem;
    double sum = 0.0;
    for (uint32_t k = problem->row_start[row]; k < problem->row_start[row + 1]; k++) {
        const double mass = blocks->mass[problem->column[k]];
        if (mass > 0.0) sum += problem->value[k] * problem->value[k] / mass;
    }
    return sum;
}

/* As tn_impulse_block_weights(), with masses that are known. */
static inline void tn_take_weights(tn_impulse_blocks *blocks, const tn_impulse_block *block)
{
    double *weight = blocks->weight + block->first, sum = 0.0;
    for (uint32_t i = 0; i < block->rows; i++)
        sum += weight[i] = tn_block_row_weight(blocks, block->first + i);
    for (uint32_t i = 0; i < block->rows; i++) {
        if (block->law == TN_CONE_LAW) weight[i] = sum / block->rows;
        if (!(weight[i] > 0.0)) weight[i] = 1.0;
    }
}

/* ---- problems that differ in their rates alone --------------------------------------------------------------------- */

/* Whether A and G have the same values as in the problem before, such as in a problem of positions after that of velocities. */
static inline bool tn_same_numbers(const tn_impulse_blocks *blocks, const tn_impulse_problem *problem)
{
    if (!blocks->taken || !problem->same_matrix || blocks->known_rows != problem->rows ||
        blocks->known_blocks != problem->blocks || blocks->nv != problem->nv)
        return false;
    const uint32_t rows = problem->rows, entries = problem->row_start[rows];
    if (entries == 0) return false;
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *one = &problem->block[b], *other = &blocks->known_block[b];
        if (one->law != other->law || one->rows != other->rows) return false;
    }
    return blocks->known_index[rows] == entries &&
           memcmp(blocks->known_value, problem->value, entries * sizeof *problem->value) == 0 &&
           memcmp(blocks->known_index, problem->row_start, (rows + 1u) * sizeof *problem->row_start) == 0 &&
           memcmp(blocks->known_index + rows + 1, problem->column, entries * sizeof *problem->column) == 0;
}

static inline tn_status tn_keep_numbers(tn_impulse_blocks *blocks, const tn_impulse_problem *problem)
{
    const uint32_t rows = problem->rows, entries = problem->row_start[rows];
    if (entries == 0) return TN_OK;
    if (!TN_MAKE_ROOM(blocks->known_value, blocks->known_value_room, entries) ||
        !TN_MAKE_ROOM(blocks->known_index, blocks->known_index_room, (size_t)rows + 1 + entries) ||
        !TN_MAKE_ROOM(blocks->known_block, blocks->known_block_room, problem->blocks))
        return TN_OUT_OF_MEMORY;
    memcpy(blocks->known_block, problem->block, problem->blocks * sizeof *problem->block);
    memcpy(blocks->known_index, problem->row_start, (rows + 1u) * sizeof *problem->row_start);
    memcpy(blocks->known_index + rows + 1, problem->column, entries * sizeof *problem->column);
    memcpy(blocks->known_value, problem->value, entries * sizeof *problem->value);
    blocks->known_rows = rows;
    blocks->known_blocks = problem->blocks;
    blocks->taken = true;
    return TN_OK;
}

/* TN_UNSUPPORTED: block *strange has an unknown law. TN_RETRY: A is singular. */
static inline tn_status tn_impulse_blocks_take(tn_impulse_blocks *blocks, const tn_impulse_problem *problem,
                                               uint32_t *strange)
{
    if (!tn_impulse_laws_known(problem, strange)) return TN_UNSUPPORTED;
    blocks->problem = problem;
    blocks->same = tn_same_numbers(blocks, problem);
    if (blocks->same) return TN_OK;
    blocks->taken = false;
    if (!tn_same_nodes(blocks, problem) && !tn_cut_nodes(blocks, problem)) return TN_OUT_OF_MEMORY;
    if (!TN_MAKE_ROOM(blocks->leg_start, blocks->leg_start_room, (size_t)problem->blocks + 1) ||
        !TN_MAKE_ROOM(blocks->weight, blocks->weight_room, (size_t)problem->rows) ||
        !TN_MAKE_ROOM(blocks->local, blocks->local_room, 3 * (size_t)problem->rows))
        return TN_OUT_OF_MEMORY;
    const tn_status status = tn_take_matrix(blocks);
    if (status != TN_OK) return status;
    if (!tn_take_legs(blocks)) return TN_OUT_OF_MEMORY;
    memset(blocks->local, 0, 3 * (size_t)problem->rows * sizeof *blocks->local);
    for (uint32_t b = 0; b < problem->blocks; b++) {
        for (uint32_t k = blocks->leg_start[b]; k < blocks->leg_start[b + 1]; k++)
            tn_spread_leg(blocks, &problem->block[b], &blocks->leg[k]);
        tn_take_weights(blocks, &problem->block[b]);
    }
    return tn_keep_numbers(blocks, problem);
}

/* What a solution begins with: checks the problem and takes it. Where it has no rows, that is all. */
static inline tn_status tn_impulse_blocks_open(tn_impulse_blocks *blocks, const tn_impulse_problem *problem,
                                               tn_impulse_outcome *outcome)
{
    const tn_status status = tn_impulse_open(problem, outcome);
    if (status != TN_OK || problem->rows == 0) return status;
    return tn_impulse_blocks_take(blocks, problem, &outcome->worst);
}

/* ---- products --------------------------------------------------------------------------------------------------- */

/* target += G^T p of one leg, with panels or spreads */
TN_INLINED void tn_add_rows(uint32_t rows, uint32_t n, const double *restrict panel, const double *restrict p,
                            double *restrict target)
{
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t j = 0; j < n; j++)
            target[j] += panel[r * n + j] * p[r];
}
static inline void tn_leg_add(const tn_impulse_leg *leg, const double *panels, const double *p, double *z)
{
    if (leg->rows == 3 && leg->width == 6)
        tn_add_rows(3, 6, panels + leg->panel, p, z + leg->first);
    else
        tn_add_rows(leg->rows, leg->width, panels + leg->panel, p, z + leg->first);
}

/* u += G z of one leg */
TN_INLINED void tn_dot_rows(uint32_t rows, uint32_t n, const double *restrict panel, const double *restrict z,
                            double *restrict u)
{
    for (uint32_t r = 0; r < rows; r++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < n; j++)
            sum += panel[r * n + j] * z[j];
        u[r] += sum;
    }
}
static inline void tn_leg_dot(const tn_impulse_leg *leg, const double *panels, const double *z, double *u)
{
    if (leg->rows == 3 && leg->width == 6)
        tn_dot_rows(3, 6, panels + leg->panel, z + leg->first, u);
    else
        tn_dot_rows(leg->rows, leg->width, panels + leg->panel, z + leg->first, u);
}

/* z [nv] = G^T p, or A^-1 G^T p with spreads in place of panels */
static inline void tn_impulse_blocks_pull(const tn_impulse_blocks *blocks, const double *panels,
                                          const double *p, double *z)
{
    const tn_impulse_problem *problem = blocks->problem;
    memset(z, 0, problem->nv * sizeof *z);
    for (uint32_t b = 0; b < problem->blocks; b++)
        for (uint32_t k = blocks->leg_start[b]; k < blocks->leg_start[b + 1]; k++)
            tn_leg_add(&blocks->leg[k], panels, p + problem->block[b].first, z);
}

/* x [nv] becomes A^-1 x */
static inline void tn_impulse_blocks_divide(const tn_impulse_blocks *blocks, double *x)
{
    if (!blocks->separate) {
        tn_block_lu_solve(&blocks->masses, x);
        return;
    }
    for (uint32_t node = 0; node < blocks->nodes; node++) {
        const uint32_t first = blocks->node_start[node], n = blocks->node_start[node + 1] - first;
        const double *inverse = blocks->inverse + blocks->inverse_start[node];
        double kept[TN_LARGEST_NODE];
        memcpy(kept, x + first, n * sizeof *x);
        for (uint32_t i = 0; i < n; i++) {
            x[first + i] = 0.0;
            for (uint32_t j = 0; j < n; j++)
                x[first + i] += inverse[i * n + j] * kept[j];
        }
    }
}

/* z [nv] = A^-1 G^T p */
static inline void tn_impulse_blocks_velocity(const tn_impulse_blocks *blocks, const double *p, double *z)
{
    tn_impulse_blocks_pull(blocks, blocks->separate ? blocks->spread : blocks->panel, p, z);
    if (!blocks->separate) tn_block_lu_solve(&blocks->masses, z);
}

/* u [rows] = free + G z; `free` NULL: zero. */
static inline void tn_impulse_blocks_rates(const tn_impulse_blocks *blocks, const double *free,
                                           const double *z, double *u)
{
    const tn_impulse_problem *problem = blocks->problem;
    if (free)
        memcpy(u, free, problem->rows * sizeof *u);
    else
        memset(u, 0, problem->rows * sizeof *u);
    for (uint32_t b = 0; b < problem->blocks; b++)
        for (uint32_t k = blocks->leg_start[b]; k < blocks->leg_start[b + 1]; k++)
            tn_leg_dot(&blocks->leg[k], blocks->panel, z, u + problem->block[b].first);
}

/* ---- A + G^T D G -------------------------------------------------------------------------------------------------- */

/* Sets the pattern of A + G^T D G; `pair`, with its capacity, is memory of the caller. */
static inline tn_status tn_impulse_blocks_pattern(const tn_impulse_blocks *blocks, tn_block_lu *lu,
                                                  tn_node_pair **pair, size_t *room)
{
    uint32_t count = blocks->pairs;
    if (!tn_grow_array((void *)pair, room, count, sizeof **pair)) return TN_OUT_OF_MEMORY;
    if (count > 0) memcpy(*pair, blocks->pair, count * sizeof **pair);
    for (uint32_t b = 0; b < blocks->problem->blocks; b++)
        for (uint32_t i = blocks->leg_start[b]; i < blocks->leg_start[b + 1]; i++)
            for (uint32_t j = blocks->leg_start[b]; j < i; j++) {
                const uint32_t one = blocks->leg[i].node, other = blocks->leg[j].node;
                if (!tn_grow_array((void *)pair, room, (size_t)count + 1, sizeof **pair))
                    return TN_OUT_OF_MEMORY;
                (*pair)[count++] = one < other ? (tn_node_pair){one, other} : (tn_node_pair){other, one};
            }
    return tn_block_lu_pattern(lu, blocks->nodes, blocks->node_start, *pair, count);
}

/* target [n][m] += a^T D b with a [rows][n], b [rows][m], and D [rows][rows], or of a diagonal every third number */
TN_INLINED void tn_add_square(uint32_t rows, uint32_t n, uint32_t m, const double *restrict a,
                              const double *restrict d, bool diagonal, const double *restrict b,
                              double *restrict target)
{
    for (uint32_t r = 0; r < rows; r++) {
        double line[TN_LARGEST_NODE];
        for (uint32_t j = 0; j < m; j++)
            line[j] = 0.0;
        for (uint32_t s = diagonal ? r : 0; s < (diagonal ? r + 1 : rows); s++)
            for (uint32_t j = 0; j < m; j++)
                line[j] += d[diagonal ? 3 * r : r * rows + s] * b[s * m + j];
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < m; j++)
                target[i * m + j] += a[r * n + i] * line[j];
    }
}

/* target += g^T D h of two legs of a block, with D as in tn_add_square() */
static inline void tn_leg_add_square(const tn_impulse_blocks *blocks, const tn_impulse_leg *one,
                                     const tn_impulse_leg *other, const double *d, bool diagonal,
                                     double *target)
{
    const double *a = blocks->panel + one->panel, *b = blocks->panel + other->panel;
    const bool usual = one->rows == 3 && one->width == 6 && other->width == 6;
    if (usual && !diagonal)
        tn_add_square(3, 6, 6, a, d, false, b, target);
    else if (usual)
        tn_add_square(3, 6, 6, a, d, true, b, target);
    else
        tn_add_square(one->rows, one->width, other->width, a, d, diagonal, b, target);
}

/* Adds G^T D G of one block: `d` is [3][3] of a cone, else d[3 i] is that of its i-th row. */
static inline void tn_impulse_blocks_add(const tn_impulse_blocks *blocks, uint32_t block, const double *d,
                                         tn_block_lu *lu)
{
    const bool diagonal = blocks->problem->block[block].law != TN_CONE_LAW;
    const uint32_t first = blocks->leg_start[block], last = blocks->leg_start[block + 1];
    for (uint32_t i = first; i < last; i++)
        for (uint32_t j = first; j < last; j++) {
            const tn_impulse_leg *one = &blocks->leg[i], *other = &blocks->leg[j];
            tn_leg_add_square(blocks, one, other, d, diagonal, tn_block_lu_at(lu, one->node, other->node));
        }
}

#endif

/* tenon/kit/impulse_step.h - for constraint solvers: a linear law of all blocks of a problem together,
 *
 *     dp = -f - D du,   du = W dp = G A^-1 G^T dp
 *
 *     tn_impulse_step_plan(&step, &blocks)      nodes and pattern, where they have changed since the call before
 *     tn_impulse_step_factor(&step, slope)      D: [3][3] of a cone from slope[3 first] on, else slope[3 row] of each row, at least 0
 *     tn_impulse_step_solve(&step, f, dp)
 *     tn_impulse_step_release(&step)
 *
 * The unknowns of the factors are velocities dz of bodies: (A + G^T D G) dz = -G^T f. Two kinds of bodies are eliminated locally, by the shares
 * of A^-1 of their blocks:
 *
 *   leaves   bodies with one block, such as spheres on a plate: with E = I + D G A^-1 G^T of its leaves, the block has the law
 *            dp = -E^-1 f - E^-1 D du for its other bodies
 *   links    bodies between two joints, as in chains: impulses of these joints are unknowns instead, with rows
 *            (I + D W) dp = -f: about three for each joint of a chain, instead of six velocities
 *
 * Where joints may be dependent, or A has entries between bodies, all unknowns are velocities, with which dependent rows share equally.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_IMPULSE_STEP_H
#define TENON_KIT_IMPULSE_STEP_H

#include "tenon/kit/impulse_blocks.h"

enum { TN_ROWS_OF_LEAF = 3 }; /* at most, of a block with leaves */

typedef struct tn_impulse_step {
    const tn_impulse_blocks *blocks;
    tn_block_lu lu;
    uint32_t nodes;  /* of the factors: bodies, then blocks */
    uint32_t bodies; /* number of bodies among these nodes */
    uint32_t *start; /* [nodes + 1] first coordinates */
    uint32_t *
        place; /* [nodes of the blocks] node of a body in the factors; TN_NO_NODE: a leaf, a link, or without blocks */
    uint32_t *place_of; /* [blocks] node of a block; TN_NO_NODE: none */
    uint32_t *leg[2];   /* [nodes of the blocks] the first two legs on a body */
    uint32_t *legs;     /* [nodes of the blocks] number of legs on a body */
    uint32_t *block_of; /* [legs] */
    tn_node_pair *pair;
    double *inverse, *slope; /* [3 rows] E^-1 and E^-1 D of blocks with leaves, [rows][rows]; else D */
    double *law;             /* [rows] -E^-1 f */
    double *x;               /* [size of the factors] */
    size_t start_room, place_room, place_of_room, leg_room[2], legs_room, block_of_room, pair_room,
        inverse_room, slope_room, law_room, x_room;
} tn_impulse_step;

static inline void tn_impulse_step_release(tn_impulse_step *step)
{
    void *all[] = {step->start,    step->place, step->place_of, step->leg[0], step->leg[1], step->legs,
                   step->block_of, step->pair,  step->inverse,  step->slope,  step->law,    step->x};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    tn_block_lu_release(&step->lu);
    *step = (tn_impulse_step){0};
}

/* ---- bodies and blocks of the factors ---------------------------------------------------------------------------- */

static inline bool tn_step_make_room(tn_impulse_step *step)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const tn_impulse_problem *problem = blocks->problem;
    const size_t nodes = blocks->nodes, rows = problem->rows;
    return TN_MAKE_ROOM(step->start, step->start_room, nodes + problem->blocks + 1) &&
           TN_MAKE_ROOM(step->place, step->place_room, nodes) &&
           TN_MAKE_ROOM(step->place_of, step->place_of_room, problem->blocks) &&
           TN_MAKE_ROOM(step->leg[0], step->leg_room[0], nodes) &&
           TN_MAKE_ROOM(step->leg[1], step->leg_room[1], nodes) &&
           TN_MAKE_ROOM(step->legs, step->legs_room, nodes) &&
           TN_MAKE_ROOM(step->block_of, step->block_of_room, blocks->leg_start[problem->blocks]) &&
           TN_MAKE_ROOM(step->inverse, step->inverse_room, 3 * rows) &&
           TN_MAKE_ROOM(step->slope, step->slope_room, 3 * rows) &&
           TN_MAKE_ROOM(step->law, step->law_room, rows) &&
           TN_MAKE_ROOM(step->x, step->x_room, problem->nv + rows);
}

static inline void tn_step_count_legs(tn_impulse_step *step)
{
    const tn_impulse_blocks *blocks = step->blocks;
    memset(step->legs, 0, blocks->nodes * sizeof *step->legs);
    for (uint32_t b = 0; b < blocks->problem->blocks; b++)
        for (uint32_t k = blocks->leg_start[b]; k < blocks->leg_start[b + 1]; k++) {
            const uint32_t node = blocks->leg[k].node, count = step->legs[node]++;
            step->block_of[k] = b;
            if (count < 2) step->leg[count][node] = k;
        }
}

/* Whether a body with `legs` legs can be eliminated from a block. */
static inline bool tn_step_spares(const tn_impulse_problem *problem, const tn_impulse_block *block,
                                  uint32_t legs)
{
    if (block->law != TN_JOINT_LAW) return legs == 1;
    return problem->independent_joints && block->rows <= TN_LARGEST_NODE;
}

static inline bool tn_step_leaves_out(const tn_impulse_step *step, uint32_t node)
{
    const tn_impulse_problem *problem = step->blocks->problem;
    const uint32_t legs = step->legs[node];
    if (!step->blocks->separate || legs > 2) return false;
    for (uint32_t i = 0; i < legs; i++)
        if (!tn_step_spares(problem, &problem->block[step->block_of[step->leg[i][node]]], legs)) return false;
    return true;
}

/* Whether impulses of a block are unknowns of the factors: joints of links, and large blocks of leaves. */
static inline bool tn_step_has_place(const tn_impulse_step *step, uint32_t block)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const bool large = blocks->problem->block[block].rows > TN_ROWS_OF_LEAF;
    for (uint32_t k = blocks->leg_start[block]; k < blocks->leg_start[block + 1]; k++) {
        const uint32_t node = blocks->leg[k].node;
        if (step->place[node] == TN_NO_NODE && (large || step->legs[node] > 1)) return true;
    }
    return false;
}

static inline void tn_step_place_all(tn_impulse_step *step)
{
    const tn_impulse_blocks *blocks = step->blocks;
    uint32_t count = 0, size = 0;
    for (uint32_t i = 0; i < blocks->nodes; i++) {
        step->place[i] = tn_step_leaves_out(step, i) ? TN_NO_NODE : count;
        if (step->place[i] == TN_NO_NODE) continue;
        step->start[count++] = size;
        size += blocks->node_start[i + 1] - blocks->node_start[i];
    }
    step->bodies = count;
    for (uint32_t b = 0; b < blocks->problem->blocks; b++) {
        step->place_of[b] = tn_step_has_place(step, b) ? count : TN_NO_NODE;
        if (step->place_of[b] == TN_NO_NODE) continue;
        step->start[count++] = size;
        size += blocks->problem->block[b].rows;
    }
    step->start[count] = size;
    step->nodes = count;
}

/* ---- the pattern -------------------------------------------------------------------------------------------------- */

static inline bool tn_step_add_pair(tn_impulse_step *step, uint32_t *count, uint32_t one, uint32_t other)
{
    if (one == TN_NO_NODE || other == TN_NO_NODE || one == other) return true;
    if (!TN_MAKE_ROOM(step->pair, step->pair_room, (size_t)*count + 1)) return false;
    step->pair[(*count)++] = one < other ? (tn_node_pair){one, other} : (tn_node_pair){other, one};
    return true;
}

/* Adds the pairs of a block: its bodies, or its own node and each of them. */
static inline bool tn_step_add_pairs(tn_impulse_step *step, uint32_t *count, uint32_t block)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const uint32_t first = blocks->leg_start[block], own = step->place_of[block];
    for (uint32_t i = first; i < blocks->leg_start[block + 1]; i++) {
        const uint32_t one = step->place[blocks->leg[i].node];
        if (!tn_step_add_pair(step, count, own, one)) return false;
        for (uint32_t j = first; j < i && own == TN_NO_NODE; j++)
            if (!tn_step_add_pair(step, count, one, step->place[blocks->leg[j].node])) return false;
    }
    return true;
}

static inline bool tn_step_is_link(const tn_impulse_step *step, uint32_t node)
{
    return step->place[node] == TN_NO_NODE && step->legs[node] == 2;
}

static inline tn_status tn_impulse_step_plan(tn_impulse_step *step, const tn_impulse_blocks *blocks)
{
    step->blocks = blocks;
    uint32_t count = 0;
    bool good = tn_step_make_room(step);
    if (good) tn_step_count_legs(step);
    if (good) tn_step_place_all(step);
    for (uint32_t i = 0; good && i < blocks->pairs; i++)
        good = tn_step_add_pair(step, &count, step->place[blocks->pair[i].a], step->place[blocks->pair[i].b]);
    for (uint32_t b = 0; good && b < blocks->problem->blocks; b++)
        good = tn_step_add_pairs(step, &count, b);
    for (uint32_t i = 0; good && i < blocks->nodes; i++)
        if (tn_step_is_link(step, i))
            good = tn_step_add_pair(step, &count, step->place_of[step->block_of[step->leg[0][i]]],
                                    step->place_of[step->block_of[step->leg[1][i]]]);
    if (!good) return TN_OUT_OF_MEMORY;
    return tn_block_lu_pattern(&step->lu, step->nodes, step->start, step->pair, count);
}

/* ---- small matrices ----------------------------------------------------------------------------------------------- */

/* D as [rows][rows] */
static inline void tn_step_slope(const tn_impulse_block *block, const double *slope, double *full)
{
    const uint32_t n = block->rows;
    if (block->law == TN_CONE_LAW) {
        memcpy(full, slope, 9 * sizeof *full);
        return;
    }
    memset(full, 0, (size_t)n * n * sizeof *full);
    for (uint32_t i = 0; i < n; i++)
        full[i * n + i] = slope[3 * i];
}

/* c [rows][columns] += a [rows][n] b^T with b [columns][n] */
TN_INLINED void tn_step_add_product(uint32_t rows, uint32_t n, uint32_t columns, const double *restrict a,
                                    const double *restrict b, double *restrict c)
{
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            double sum = 0.0;
            for (uint32_t k = 0; k < n; k++)
                sum += a[i * n + k] * b[j * n + k];
            c[i * columns + j] += sum;
        }
}

/* w += G A^-1 G^T of the rows of two legs on a body, which may be the same */
static inline void tn_step_add_share(const tn_impulse_blocks *blocks, const tn_impulse_leg *one,
                                     const tn_impulse_leg *other, double *w)
{
    const double *panel = blocks->panel + one->panel, *spread = blocks->spread + other->panel;
    if (one->rows == 3 && other->rows == 3 && one->width == 6)
        tn_step_add_product(3, 6, 3, panel, spread, w);
    else
        tn_step_add_product(one->rows, one->width, other->rows, panel, spread, w);
}

/* c [rows][columns] += factor a [rows][n] b [n][columns] */
TN_INLINED void tn_step_add_plain(uint32_t rows, uint32_t n, uint32_t columns, double factor,
                                  const double *restrict a, const double *restrict b, double *restrict c)
{
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t j = 0; j < columns; j++)
                c[i * columns + j] += factor * a[i * n + k] * b[k * columns + j];
}
static inline void tn_step_add_times(uint32_t rows, uint32_t n, uint32_t columns, const double *a,
                                     const double *b, double *c)
{
    if (rows == 3 && n == 3 && columns == 3)
        tn_step_add_plain(3, 3, 3, 1.0, a, b, c);
    else
        tn_step_add_plain(rows, n, columns, 1.0, a, b, c);
}

/* w [n][n] becomes E = I + D w */
static inline void tn_step_make_law(uint32_t n, const double *slope, const double *w, double *law)
{
    memset(law, 0, (size_t)n * n * sizeof *law);
    for (uint32_t i = 0; i < n; i++)
        law[i * n + i] = 1.0;
    tn_step_add_times(n, n, n, slope, w, law);
}

/* ---- factors ------------------------------------------------------------------------------------------------------ */

/* Adds A of the bodies in the factors. */
static inline void tn_step_add_masses(tn_impulse_step *step)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const tn_matrix *matrix = blocks->problem->matrix;
    for (uint32_t j = 0; j < blocks->nodes; j++) {
        if (step->place[j] == TN_NO_NODE) continue;
        const uint32_t first = blocks->node_start[j], width = blocks->node_start[j + 1] - first;
        for (uint32_t column = first; column < first + width; column++) {
            uint32_t last = TN_NO_NODE;
            double *target = NULL;
            for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++) {
                const uint32_t row = (uint32_t)matrix->row[k], i = blocks->node_of[row];
                if (i != j && blocks->separate) continue;
                if (i != last) target = tn_block_lu_at(&step->lu, step->place[i], step->place[j]);
                last = i;
                target[(row - blocks->node_start[i]) * width + (column - first)] += matrix->value[k];
            }
        }
    }
}

/* E^-1 and E^-1 D of a block with leaves; false: singular. */
static inline bool tn_step_condense(tn_impulse_step *step, uint32_t block)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const tn_impulse_block *own = &blocks->problem->block[block];
    const uint32_t n = own->rows;
    double w[9] = {0.0}, e[9];
    uint8_t pivot[3];
    double *inverse = step->inverse + 3 * (size_t)own->first, *slope = step->slope + 3 * (size_t)own->first;
    for (uint32_t k = blocks->leg_start[block]; k < blocks->leg_start[block + 1]; k++)
        if (step->place[blocks->leg[k].node] == TN_NO_NODE)
            tn_step_add_share(blocks, &blocks->leg[k], &blocks->leg[k], w);
    double d[9];
    memcpy(d, slope, (size_t)n * n * sizeof *d);
    tn_step_make_law(n, d, w, e);
    memset(inverse, 0, (size_t)n * n * sizeof *inverse);
    for (uint32_t i = 0; i < n; i++)
        inverse[i * n + i] = 1.0;
    if (!(n == 3 ? tn_small_lu(3, e, pivot) : tn_small_lu(n, e, pivot))) return false;
    if (n == 3)
        tn_small_solve(3, e, pivot, 3, inverse);
    else
        tn_small_solve(n, e, pivot, n, inverse);
    memset(slope, 0, (size_t)n * n * sizeof *slope);
    tn_step_add_times(n, n, n, inverse, d, slope);
    return true;
}

static inline bool tn_step_has_leaf(const tn_impulse_step *step, uint32_t block)
{
    const tn_impulse_blocks *blocks = step->blocks;
    for (uint32_t k = blocks->leg_start[block]; k < blocks->leg_start[block + 1]; k++)
        if (step->place[blocks->leg[k].node] == TN_NO_NODE) return true;
    return false;
}

/* Adds G^T D G of a block to its bodies. */
static inline void tn_step_add_square(tn_impulse_step *step, uint32_t block, bool full)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const tn_impulse_block *own = &blocks->problem->block[block];
    const double *d = step->slope + 3 * (size_t)own->first;
    const uint32_t first = blocks->leg_start[block], last = blocks->leg_start[block + 1];
    for (uint32_t i = first; i < last; i++)
        for (uint32_t j = first; j < last; j++) {
            const tn_impulse_leg *one = &blocks->leg[i], *other = &blocks->leg[j];
            const uint32_t row = step->place[one->node], column = step->place[other->node];
            if (row == TN_NO_NODE || column == TN_NO_NODE) continue;
            tn_leg_add_square(blocks, one, other, d, !full, tn_block_lu_at(&step->lu, row, column));
        }
}

/* Adds D G A^-1 G'^T to the rows of one joint and the columns of another one, by the link between them. */
static inline void tn_step_add_link(tn_impulse_step *step, const double *slope, uint32_t one, uint32_t other)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const tn_impulse_leg *a = &blocks->leg[one], *b = &blocks->leg[other];
    const tn_impulse_block *own = &blocks->problem->block[step->block_of[one]];
    const uint32_t n = a->rows, m = b->rows;
    double w[TN_LARGEST_NODE * TN_LARGEST_NODE];
    memset(w, 0, (size_t)n * m * sizeof *w);
    tn_step_add_share(blocks, a, b, w);
    double *target =
        tn_block_lu_at(&step->lu, step->place_of[step->block_of[one]], step->place_of[step->block_of[other]]);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++)
            target[i * m + j] += slope[3 * (size_t)own->first + 3 * i] * w[i * m + j];
}

/* Adds (I + D W) dp + D G dz = -f of a block with a node, and -G^T dp to its bodies in the factors. */
static inline void tn_step_add_rows(tn_impulse_step *step, uint32_t block, const double *slope)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const tn_impulse_block *own = &blocks->problem->block[block];
    const uint32_t n = own->rows, place = step->place_of[block];
    double w[TN_LARGEST_NODE * TN_LARGEST_NODE];
    memset(w, 0, (size_t)n * n * sizeof *w);
    for (uint32_t k = blocks->leg_start[block]; k < blocks->leg_start[block + 1]; k++) {
        const tn_impulse_leg *leg = &blocks->leg[k];
        const uint32_t body = step->place[leg->node], width = leg->width;
        if (body == TN_NO_NODE) {
            tn_step_add_share(blocks, leg, leg, w);
            continue;
        }
        double *across = tn_block_lu_at(&step->lu, place, body);
        double *down = tn_block_lu_at(&step->lu, body, place);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < width; j++) {
                const double value = blocks->panel[leg->panel + (size_t)i * width + j];
                across[i * width + j] += slope[3 * i] * value;
                down[j * n + i] -= value;
            }
    }
    double *target = tn_block_lu_at(&step->lu, place, place);
    for (uint32_t i = 0; i < n; i++) {
        target[i * n + i] += 1.0;
        for (uint32_t j = 0; j < n; j++)
            target[i * n + j] += slope[3 * i] * w[i * n + j];
    }
}

/* TN_RETRY: singular. */
static inline tn_status tn_impulse_step_factor(tn_impulse_step *step, const double *slope)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const tn_impulse_problem *problem = blocks->problem;
    tn_block_lu_clear(&step->lu);
    tn_step_add_masses(step);
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *own = &problem->block[b];
        const double *d = slope + 3 * (size_t)own->first;
        if (step->place_of[b] != TN_NO_NODE) {
            tn_step_add_rows(step, b, d);
            continue;
        }
        const bool leaf = tn_step_has_leaf(step, b);
        if (leaf)
            tn_step_slope(own, d, step->slope + 3 * (size_t)own->first);
        else
            memcpy(step->slope + 3 * (size_t)own->first, d, 3 * (size_t)own->rows * sizeof *d);
        if (leaf && !tn_step_condense(step, b)) return TN_RETRY;
        const bool open = own->law != TN_JOINT_LAW && d[0] <= 0.0;
        if (!open) tn_step_add_square(step, b, leaf || own->law == TN_CONE_LAW);
    }
    for (uint32_t i = 0; i < blocks->nodes; i++) {
        if (!tn_step_is_link(step, i)) continue;
        tn_step_add_link(step, slope, step->leg[0][i], step->leg[1][i]);
        tn_step_add_link(step, slope, step->leg[1][i], step->leg[0][i]);
    }
    return tn_block_lu_factor(&step->lu);
}

/* ---- solutions ---------------------------------------------------------------------------------------------------- */

/* y = a x with a [n][n], or of a diagonal every third number */
static inline void tn_step_times(uint32_t n, const double *a, bool full, const double *x, double *y)
{
    for (uint32_t i = 0; i < n; i++) {
        double sum = full ? 0.0 : a[3 * i] * x[i];
        for (uint32_t j = 0; full && j < n; j++)
            sum += a[i * n + j] * x[j];
        y[i] = sum;
    }
}

/* x += G^T p of a block, for its bodies in the factors */
static inline void tn_step_pull(tn_impulse_step *step, uint32_t block, const double *p)
{
    const tn_impulse_blocks *blocks = step->blocks;
    for (uint32_t k = blocks->leg_start[block]; k < blocks->leg_start[block + 1]; k++) {
        const tn_impulse_leg *leg = &blocks->leg[k];
        const uint32_t body = step->place[leg->node];
        if (body == TN_NO_NODE) continue;
        if (leg->rows == 3 && leg->width == 6)
            tn_add_rows(3, 6, blocks->panel + leg->panel, p, step->x + step->start[body]);
        else
            tn_add_rows(leg->rows, leg->width, blocks->panel + leg->panel, p, step->x + step->start[body]);
    }
}

/* The impulses of a block by the velocities of its bodies in the factors: -E^-1 f - E^-1 D G dz. */
static inline void tn_step_close(const tn_impulse_step *step, uint32_t block, bool full, double *dp)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const tn_impulse_block *own = &blocks->problem->block[block];
    const double *d = step->slope + 3 * (size_t)own->first;
    for (uint32_t done = 0, part; done < own->rows; done += part) {
        part = full ? own->rows : 1;
        double u[3] = {0.0}, change[3];
        for (uint32_t k = blocks->leg_start[block]; k < blocks->leg_start[block + 1]; k++) {
            const tn_impulse_leg *leg = &blocks->leg[k];
            const uint32_t body = step->place[leg->node];
            if (body == TN_NO_NODE) continue;
            const double *panel = blocks->panel + leg->panel + (size_t)done * leg->width;
            if (part == 3 && leg->width == 6)
                tn_dot_rows(3, 6, panel, step->x + step->start[body], u);
            else
                tn_dot_rows(part, leg->width, panel, step->x + step->start[body], u);
        }
        tn_step_times(part, d + 3 * done, full, u, change);
        for (uint32_t i = 0; i < part; i++)
            dp[done + i] = step->law[own->first + done + i] - change[i];
    }
}

/* Solves for dp [rows] with f [rows]. */
static inline void tn_impulse_step_solve(tn_impulse_step *step, const double *f, double *dp)
{
    const tn_impulse_blocks *blocks = step->blocks;
    const tn_impulse_problem *problem = blocks->problem;
    memset(step->x, 0, step->start[step->nodes] * sizeof *step->x);
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *own = &problem->block[b];
        double *law = step->law + own->first;
        const bool has_place = step->place_of[b] != TN_NO_NODE;
        if (!has_place && tn_step_has_leaf(step, b))
            tn_step_times(own->rows, step->inverse + 3 * (size_t)own->first, true, f + own->first, law);
        else
            memcpy(law, f + own->first, own->rows * sizeof *law);
        for (uint32_t i = 0; i < own->rows; i++)
            law[i] = -law[i];
        if (has_place)
            memcpy(step->x + step->start[step->place_of[b]], law, own->rows * sizeof *law);
        else
            tn_step_pull(step, b, law);
    }
    tn_block_lu_solve(&step->lu, step->x);
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *own = &problem->block[b];
        if (step->place_of[b] != TN_NO_NODE)
            memcpy(dp + own->first, step->x + step->start[step->place_of[b]], own->rows * sizeof *dp);
        else
            tn_step_close(step, b, own->law == TN_CONE_LAW || tn_step_has_leaf(step, b), dp + own->first);
    }
}

#endif

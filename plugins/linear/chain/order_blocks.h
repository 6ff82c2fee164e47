/* order_blocks.h - an order of elimination for large models, of whole bodies and joints, which holds at all positions.
 *
 * order.h weighs pivots of one matrix: a ladder needs other orders as it bends. Here the pattern alone decides. Of the blocks of unknowns
 * (tenon/kit/block_pattern.h) that with the fewest neighbours goes first; one of rows of constraints waits until all of its bodies have
 * gone. Then rows that are independent leave pivots as those of a definite matrix, G M^-1 G^T, which do not grow whatever their order, and
 * factors have places for entries to come. Rows do not wait for a hub, a body with many neighbours, behind which all of its joints would be
 * coupled: the other bodies of the joints give pivots. For trees and loops side by side they are no larger than those of order.h. Where rows depend on
 * each other, or bodies have no mass, factors do not pass their trial (trust.h). Which blocks are rows the values say, once. */
#ifndef TENON_CHAIN_ORDER_BLOCKS_H
#define TENON_CHAIN_ORDER_BLOCKS_H

#include "nodes.h"

#include "tenon/kit/block_pattern.h"

#define CHAIN_MOST_BLOCK_WORK \
    1000.0                /* neighbours that are listed, for each block: beyond, its factors fill */
#define CHAIN_DEARER 1.25 /* work for a sequence that is cut, against one that is not */
#define CHAIN_LEAST_CUT_WORK \
    3e6 /* operations from where on one is cut: CHAIN_LEAST_WORK, as whole blocks take in zeros */
enum { CHAIN_HUB = 32 }; /* neighbours of a body, beyond which it is a hub */

typedef struct chain_block {
    size_t
        beside; /* its neighbours in the matrix, among all of them; those of block b end where those of b + 1 begin */
    size_t first;               /* its neighbours of the moment, in the pool, among some that have gone */
    uint32_t count, room, left; /* left: that have not gone */
    uint32_t before, behind, degree; /* in the list of a degree; none: CHAIN_NONE */
    uint32_t bodies;                 /* that a block of rows waits for */
    bool listed, of_rows, gone;
    bool hub, waits_for_hubs; /* waits: rows between hubs */
} chain_block;

typedef struct chain_block_elimination {
    const tn_block_pattern *pattern;
    chain_block *block; /* [count + 1] */
    uint32_t *beside, *pool, *head, *tail, *mark;
    uint32_t *sequence; /* [count] of blocks as they go */
    bool *held;         /* [count] until all others have gone */
    size_t pool_room, pool_used;
    uint32_t lowest;
    double work;
} chain_block_elimination;

static inline void chain_block_elimination_free(chain_block_elimination *e)
{
    free(e->block);
    free(e->beside);
    free(e->pool);
    free(e->head);
    free(e->tail);
    free(e->mark);
    free(e->sequence);
    free(e->held);
}

/* ---- degrees ---- */

static inline void chain_unlist_block(chain_block_elimination *e, uint32_t b)
{
    chain_block *block = &e->block[b];
    if (!block->listed) return;
    block->listed = false;
    *(block->before != CHAIN_NONE ? &e->block[block->before].behind : &e->head[block->degree]) =
        block->behind;
    *(block->behind != CHAIN_NONE ? &e->block[block->behind].before : &e->tail[block->degree]) =
        block->before;
}

/* At the end of its degree's list, which gives broad trees. */
static inline void chain_enlist_block(chain_block_elimination *e, uint32_t b)
{
    chain_block *block = &e->block[b];
    chain_unlist_block(e, b);
    block->listed = true;
    block->degree = block->left;
    block->before = e->tail[block->degree];
    block->behind = CHAIN_NONE;
    *(block->before != CHAIN_NONE ? &e->block[block->before].behind : &e->head[block->degree]) = b;
    e->tail[block->degree] = b;
    if (block->degree < e->lowest) e->lowest = block->degree;
}

/* ---- elimination ---- */

static inline bool chain_blocks_allocate(chain_block_elimination *e, uint32_t count)
{
    const size_t n = (size_t)count + 1, entries = (size_t)e->pattern->column_start[count];
    e->beside = malloc((2 * entries + 1) * sizeof *e->beside);
    e->block = malloc(n * sizeof *e->block);
    e->head = malloc(n * sizeof *e->head);
    e->tail = malloc(n * sizeof *e->tail);
    e->mark = malloc(n * sizeof *e->mark);
    e->sequence = malloc(n * sizeof *e->sequence);
    e->held = calloc(n, sizeof *e->held);
    return e->block && e->head && e->tail && e->mark && e->beside && e->sequence && e->held &&
           TN_MAKE_ROOM(e->pool, e->pool_room, 2 * entries + 1);
}

static inline bool chain_is_of_rows(const tn_block_pattern *pattern, uint32_t b, const bool *weak)
{
    bool of_rows = true;
    for (uint32_t i = pattern->start[b]; i < pattern->start[b + 1]; i++)
        of_rows = of_rows && weak[i];
    return of_rows;
}

/* Both blocks of each entry off the diagonal, once, whatever the matrix has of it. */
static inline void chain_list_neighbours(chain_block_elimination *e)
{
    const tn_block_pattern *pattern = e->pattern;
    size_t end = 0, all = 0;
    for (uint32_t b = 0; b < pattern->count; b++)
        for (int32_t k = pattern->column_start[b]; k < pattern->column_start[b + 1]; k++) {
            e->block[b].room++;
            e->block[pattern->row[k]].room++;
        }
    for (uint32_t b = 0; b < pattern->count; b++) {
        e->block[b].first = end;
        end += e->block[b].room;
    }
    for (uint32_t b = 0; b < pattern->count; b++)
        for (int32_t k = pattern->column_start[b]; k < pattern->column_start[b + 1]; k++) {
            chain_block *one = &e->block[b], *other = &e->block[pattern->row[k]];
            e->pool[one->first + one->count++] = (uint32_t)pattern->row[k];
            e->pool[other->first + other->count++] = b;
        }
    e->pool_used = end;
    for (uint32_t b = 0; b <= pattern->count; b++) {
        chain_block *block = &e->block[b];
        uint32_t *neighbour = e->pool + block->first, count = 0;
        e->mark[b] = b;
        for (uint32_t i = 0; i < block->count; i++) {
            if (e->mark[neighbour[i]] == b) continue;
            e->mark[neighbour[i]] = b;
            neighbour[count++] = neighbour[i];
        }
        block->count = block->left = count;
        block->beside = all;
        if (count > 0) memcpy(e->beside + all, neighbour, count * sizeof *neighbour);
        all += count;
    }
}

/* Those that the block of rows waits for. */
static inline void chain_count_bodies(chain_block_elimination *e, uint32_t b)
{
    chain_block *block = &e->block[b];
    uint32_t bodies = 0, hubs = 0;
    for (size_t p = block->beside; p < block[1].beside; p++) {
        bodies += !e->block[e->beside[p]].of_rows;
        hubs += e->block[e->beside[p]].hub;
    }
    block->waits_for_hubs = bodies == hubs;
    block->bodies = block->waits_for_hubs ? bodies : bodies - hubs;
}

static inline void chain_blocks_begin(chain_block_elimination *e, const bool *weak)
{
    const uint32_t count = e->pattern->count;
    memset(e->block, 0, ((size_t)count + 1) * sizeof *e->block);
    e->work = 0.0;
    e->lowest = count;
    for (uint32_t b = 0; b <= count; b++)
        e->head[b] = e->tail[b] = e->mark[b] = CHAIN_NONE;
    chain_list_neighbours(e);
    for (uint32_t b = 0; b < count; b++) {
        chain_block *block = &e->block[b];
        block->of_rows = chain_is_of_rows(e->pattern, b, weak);
        block->hub = !block->of_rows && block->count > CHAIN_HUB;
    }
    for (uint32_t b = 0; b < count; b++) {
        if (e->block[b].of_rows) chain_count_bodies(e, b);
        chain_enlist_block(e, b);
    }
}

static inline void chain_release_blocks(chain_block_elimination *e)
{
    for (uint32_t b = 0; b < e->pattern->count; b++) {
        if (!e->held[b]) continue;
        e->held[b] = false;
        chain_enlist_block(e, b);
    }
}

/* The block of the fewest neighbours that need not wait; rows that do are listed again where a neighbour goes. */
static inline uint32_t chain_next_block(chain_block_elimination *e)
{
    for (;;) {
        while (e->lowest < e->pattern->count && e->head[e->lowest] == CHAIN_NONE)
            e->lowest++;
        if (e->lowest == e->pattern->count) chain_release_blocks(e);
        const uint32_t b = e->head[e->lowest];
        chain_unlist_block(e, b);
        if (!e->held[b] && (!e->block[b].of_rows || e->block[b].bodies == 0)) return b;
    }
}

static inline bool chain_widen_block(chain_block_elimination *e, chain_block *block, uint32_t room)
{
    if (room <= block->room) return true;
    room += room / 2 + 2;
    if (!TN_MAKE_ROOM(e->pool, e->pool_room, e->pool_used + room)) return false;
    memcpy(e->pool + e->pool_used, e->pool + block->first, block->count * sizeof *e->pool);
    block->first = e->pool_used;
    block->room = room;
    e->pool_used += room;
    return true;
}

/* Takes those that have gone out of its list. */
static inline void chain_list_left(chain_block_elimination *e, chain_block *block)
{
    uint32_t *neighbour = e->pool + block->first, count = 0;
    for (uint32_t i = 0; i < block->count; i++)
        if (!e->block[neighbour[i]].gone) neighbour[count++] = neighbour[i];
    block->count = block->left = count;
}

/* Neighbour `b` of a block that has gone gets its other neighbours. Where there are none its list stays: a large body may be the only
 * neighbour of thousands. */
static inline bool chain_inherit(chain_block_elimination *e, const chain_block *gone, uint32_t b)
{
    chain_block *block = &e->block[b];
    block->left--;
    if (gone->count > 1) {
        chain_list_left(e, block);
        if (!chain_widen_block(e, block, block->count + gone->count)) return false;
        uint32_t *neighbour = e->pool + block->first;
        const uint32_t *from = e->pool + gone->first;
        e->mark[b] = b;
        for (uint32_t i = 0; i < block->count; i++)
            e->mark[neighbour[i]] = b;
        for (uint32_t i = 0; i < gone->count; i++)
            if (e->mark[from[i]] != b) neighbour[block->count++] = from[i];
        block->left = block->count;
        e->work += block->count;
    }
    chain_enlist_block(e, b);
    return true;
}

/* Rows stop to wait for a body that goes. */
static inline void chain_let_go(chain_block_elimination *e, uint32_t b)
{
    const chain_block *block = &e->block[b];
    for (size_t p = block->beside; p < block[1].beside && !block->of_rows; p++) {
        chain_block *rows = &e->block[e->beside[p]];
        rows->bodies -= !block->hub || rows->waits_for_hubs;
    }
}

static inline chain_verdict chain_eliminate_blocks(chain_block_elimination *e)
{
    const uint32_t blocks = e->pattern->count;
    for (uint32_t k = 0; k < blocks; k++) {
        const uint32_t b = e->sequence[k] = chain_next_block(e);
        chain_block *block = &e->block[b];
        block->gone = true;
        chain_list_left(e, block);
        chain_let_go(e, b);
        for (uint32_t i = 0; i < block->count; i++)
            if (!chain_inherit(e, block, e->pool[block->first + i])) return CHAIN_NO_MEMORY;
        if (e->work > CHAIN_MOST_BLOCK_WORK * blocks) return CHAIN_TOO_FULL;
    }
    return CHAIN_ORDERED;
}

/* ---- pieces ---- */

static inline uint32_t chain_block_size(const chain_block_elimination *e, uint32_t b)
{
    return e->pattern->start[b + 1] - e->pattern->start[b];
}

static inline double chain_work_of_block(const chain_block_elimination *e, uint32_t b)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < e->block[b].count; i++)
        rows += chain_block_size(e, e->pool[e->block[b].first + i]);
    return CHAIN_WORK_OF_NODE + chain_operations(chain_block_size(e, b), rows);
}

static inline double chain_work_of_blocks(const chain_block_elimination *e)
{
    double work = 0.0;
    for (uint32_t b = 0; b < e->pattern->count; b++)
        work += chain_work_of_block(e, b);
    return work;
}

/* Cuts the elimination tree into pieces of so much work: what a piece leaves behind is held. `left`: [count] work that no piece
 * has yet. */
static inline void chain_hold_blocks(chain_block_elimination *e, double piece, double *left)
{
    const uint32_t blocks = e->pattern->count;
    uint32_t *position = e->mark;
    for (uint32_t k = 0; k < blocks; k++) {
        position[e->sequence[k]] = k;
        left[k] = 0.0;
    }
    for (uint32_t k = 0; k < blocks; k++) {
        const chain_block *block = &e->block[e->sequence[k]];
        const uint32_t *row = e->pool + block->first;
        uint32_t parent = CHAIN_NONE;
        left[k] += chain_work_of_block(e, e->sequence[k]);
        for (uint32_t i = 0; i < block->count; i++) {
            if (position[row[i]] < parent) parent = position[row[i]];
            if (left[k] >= piece) e->held[row[i]] = true;
        }
        if (parent != CHAIN_NONE && left[k] < piece) left[parent] += left[k];
    }
}

/* A row of bodies goes from its ends inwards, which leaves one path. It is cut into pieces for threads (subtrees.h), which fill a little:
 * where that is too much the sequence stays. */
static inline chain_verdict chain_cut_sequence(chain_block_elimination *e, const bool *weak)
{
    const uint32_t blocks = e->pattern->count;
    const double before = chain_work_of_blocks(e);
    if (before < CHAIN_LEAST_CUT_WORK) return CHAIN_ORDERED;
    double *left = malloc(((size_t)blocks + 1) * sizeof *left);
    uint32_t *kept = malloc(((size_t)blocks + 1) * sizeof *kept);
    chain_verdict verdict = CHAIN_NO_MEMORY;
    if (left && kept) {
        memcpy(kept, e->sequence, blocks * sizeof *kept);
        chain_hold_blocks(e, before / CHAIN_PIECES, left);
        chain_blocks_begin(e, weak);
        verdict = chain_eliminate_blocks(e);
        if (verdict == CHAIN_TOO_FULL || chain_work_of_blocks(e) > CHAIN_DEARER * before) {
            memcpy(e->sequence, kept, blocks * sizeof *kept);
            verdict = CHAIN_ORDERED;
        }
    }
    free(left);
    free(kept);
    return verdict;
}

/* ---- the order ---- */

static inline void chain_list_unknowns(const chain_block_elimination *e, uint32_t *order)
{
    for (uint32_t k = 0; k < e->pattern->count; k++)
        for (uint32_t b = e->sequence[k], i = e->pattern->start[b]; i < e->pattern->start[b + 1]; i++)
            *order++ = i;
}

/* For the blocks of all entries announced, and values of `matrix`, which may have fewer of them. `result` is to be freed whatever comes of it. */
static inline chain_verdict chain_order_blocks(chain_order *result, const tn_block_pattern *blocks,
                                               const tn_matrix *matrix)
{
    chain_block_elimination elimination = {.pattern = blocks};
    bool *weak = malloc((size_t)matrix->size + 1);
    *result = (chain_order){0};
    chain_verdict verdict = CHAIN_NO_MEMORY;
    if (weak && chain_order_allocate(result, matrix->size) && chain_weigh(matrix, weak, result->scale) &&
        chain_blocks_allocate(&elimination, blocks->count)) {
        memset(result->weak, 0, matrix->size * sizeof *result->weak); /* no pivot is small at all positions */
        chain_blocks_begin(&elimination, weak);
        verdict = chain_eliminate_blocks(&elimination);
        if (verdict == CHAIN_ORDERED) verdict = chain_cut_sequence(&elimination, weak);
        if (verdict == CHAIN_ORDERED) chain_list_unknowns(&elimination, result->order);
    }
    chain_block_elimination_free(&elimination);
    free(weak);
    return verdict;
}

#endif

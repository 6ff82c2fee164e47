/* order.h - an order of elimination for a matrix of symmetric pattern, with pivots on its diagonal.
 *
 * The unknown of the lowest degree goes first, of those whose pivot is large enough against the rest of its row and column
 * at that moment. So a row of constraints, whose diagonal is zero or nearly so, waits until some of its bodies are
 * eliminated, without having to be known as one. The matrix is scaled for the comparison, as rows of bodies and of constraints differ
 * by many orders. Values are those of one matrix; the order serves later ones while their pivots are like these. */
#ifndef TENON_CHAIN_ORDER_H
#define TENON_CHAIN_ORDER_H

#include "tenon/kit/growing.h"
#include "tenon/linear.h"

#include "subtrees.h"
#include "weights.h"

#define CHAIN_MOST_WORK \
    10000.0 /* updates of entries for each unknown: the factors of such a matrix are no longer sparse */
/* Beyond these the other rule is taken: updates of entries for each unknown, and entries of L + U for each one of the matrix. */
#define CHAIN_LIGHT 100.0
#define CHAIN_FILLED 3.0
#define CHAIN_WEAK 1e-3

typedef enum chain_verdict { CHAIN_ORDERED, CHAIN_NO_PIVOT, CHAIN_TOO_FULL, CHAIN_NO_MEMORY } chain_verdict;

/* What a pivot may add to the diagonals of others, times the size they have had: usually, and where no pivot is left that adds less. */
typedef struct chain_growth {
    double usual, most;
} chain_growth;

/* The result: unknown order[k] is eliminated k-th. */
typedef struct chain_order {
    uint32_t *order;
    bool *
        weak; /* [size] the k-th pivot is small against the largest size its diagonal has had: it is better left alone */
    double *scale; /* [size] factors of rows and columns that bring entries near 1 */
} chain_order;

typedef struct chain_entry {
    double out, in; /* in its row, and in its column */
} chain_entry;

typedef struct chain_list {
    size_t first; /* in the pool */
    uint32_t count, room;
    uint32_t before, behind, degree; /* in the list of a degree; none: CHAIN_NONE */
    bool listed, gone;
} chain_list;

typedef struct chain_elimination {
    uint32_t size, lowest;
    chain_list *list;
    chain_entry *pool;
    uint32_t *other; /* of an entry in the pool, the unknown at its other end */
    bool *weak;
    double *diagonal, *most;      /* most: largest size of the diagonal so far */
    uint32_t *head, *tail, *mark; /* of degrees; the place of an unknown in the list at work */
    size_t pool_room, other_room, pool_used;
    chain_growth limit;
    double growth, work;
    double most_work, most_entries; /* of the elimination, and of L + U */
    bool latest_first;
} chain_elimination;

static inline void chain_order_free(chain_order *o)
{
    free(o->order);
    free(o->weak);
    free(o->scale);
    *o = (chain_order){0};
}

static inline bool chain_order_allocate(chain_order *o, uint32_t size)
{
    const size_t n = (size_t)size + 1;
    o->order = malloc(n * sizeof *o->order);
    o->weak = malloc(n * sizeof *o->weak);
    o->scale = malloc(n * sizeof *o->scale);
    return o->order && o->weak && o->scale;
}

static inline void chain_elimination_free(chain_elimination *e)
{
    void *const memory[] = {e->weak, e->list, e->pool, e->other, e->diagonal,
                            e->most, e->head, e->tail, e->mark};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
}

/* ---- degrees ---- */

static inline void chain_unlist(chain_elimination *e, uint32_t k)
{
    chain_list *list = &e->list[k];
    if (!list->listed) return;
    list->listed = false;
    if (list->before != CHAIN_NONE)
        e->list[list->before].behind = list->behind;
    else
        e->head[list->degree] = list->behind;
    if (list->behind != CHAIN_NONE)
        e->list[list->behind].before = list->before;
    else
        e->tail[list->degree] = list->before;
}

/* At the end of its degree's list, or at the beginning. */
static inline void chain_enlist(chain_elimination *e, uint32_t k)
{
    chain_list *list = &e->list[k];
    const uint32_t degree = list->count;
    chain_unlist(e, k);
    list->listed = true;
    list->degree = degree;
    list->before = e->latest_first ? CHAIN_NONE : e->tail[degree];
    list->behind = e->latest_first ? e->head[degree] : CHAIN_NONE;
    if (list->before != CHAIN_NONE)
        e->list[list->before].behind = k;
    else
        e->head[degree] = k;
    if (list->behind != CHAIN_NONE)
        e->list[list->behind].before = k;
    else
        e->tail[degree] = k;
    if (degree < e->lowest) e->lowest = degree;
}

/* ---- entries ---- */

static inline bool chain_make_room(chain_elimination *e, size_t room)
{
    return TN_MAKE_ROOM(e->pool, e->pool_room, room) && TN_MAKE_ROOM(e->other, e->other_room, room);
}

static inline bool chain_widen(chain_elimination *e, chain_list *list, uint32_t room)
{
    if (room <= list->room) return true;
    room += room / 2 + 2;
    if (!chain_make_room(e, e->pool_used + room)) return false;
    memcpy(e->pool + e->pool_used, e->pool + list->first, list->count * sizeof *e->pool);
    memcpy(e->other + e->pool_used, e->other + list->first, list->count * sizeof *e->other);
    list->first = e->pool_used;
    list->room = room;
    e->pool_used += room;
    return true;
}

static inline bool chain_allocate(chain_elimination *e, const tn_matrix *matrix)
{
    const size_t n = (size_t)matrix->size + 1, entries = (size_t)matrix->column_start[matrix->size];
    e->size = matrix->size;
    e->list = calloc(n, sizeof *e->list);
    e->diagonal = calloc(n, sizeof *e->diagonal);
    e->weak = malloc(n * sizeof *e->weak);
    e->most = malloc(n * sizeof *e->most);
    e->head = malloc(n * sizeof *e->head);
    e->tail = malloc(n * sizeof *e->tail);
    e->mark = malloc(n * sizeof *e->mark);
    return e->weak && e->list && e->diagonal && e->most && e->head && e->tail && e->mark &&
           chain_make_room(e, 3 * entries + n);
}

/* Puts an entry of the matrix into the lists of both its unknowns. */
static inline void chain_put(chain_elimination *e, uint32_t row, uint32_t column, double value)
{
    chain_list *of_row = &e->list[row], *of_column = &e->list[column];
    e->other[of_row->first + of_row->count] = column;
    e->pool[of_row->first + of_row->count++] = (chain_entry){.out = value};
    e->other[of_column->first + of_column->count] = row;
    e->pool[of_column->first + of_column->count++] = (chain_entry){.in = value};
}

/* One entry for both a_ij and a_ji. */
static inline void chain_merge(chain_elimination *e, chain_list *list)
{
    chain_entry *entry = e->pool + list->first;
    uint32_t *others = e->other + list->first, count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t other = others[i];
        if (e->mark[other] == CHAIN_NONE) {
            e->mark[other] = count;
            others[count] = other;
            entry[count++] = entry[i];
        } else {
            entry[e->mark[other]].out += entry[i].out;
            entry[e->mark[other]].in += entry[i].in;
        }
    }
    list->count = count;
    for (uint32_t i = 0; i < count; i++)
        e->mark[others[i]] = CHAIN_NONE;
}

static inline void chain_fill(chain_elimination *e, const tn_matrix *matrix)
{
    for (uint32_t column = 0; column < e->size; column++)
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++) {
            e->list[matrix->row[k]].room++;
            e->list[column].room++;
        }
    for (uint32_t i = 0; i < e->size; i++) {
        e->list[i].first = e->pool_used;
        e->pool_used += e->list[i].room;
    }
    for (uint32_t i = 0; i <= e->size; i++)
        e->head[i] = e->tail[i] = e->mark[i] = CHAIN_NONE;
    for (uint32_t column = 0; column < e->size; column++)
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++) {
            const uint32_t row = (uint32_t)matrix->row[k];
            if (row == column)
                e->diagonal[column] = matrix->value[k];
            else
                chain_put(e, row, column, matrix->value[k]);
        }
    for (uint32_t i = 0; i < e->size; i++)
        chain_merge(e, &e->list[i]);
}

static inline void chain_scale(chain_elimination *e, const double *scale)
{
    for (uint32_t i = 0; i < e->size; i++) {
        e->diagonal[i] *= scale[i] * scale[i];
        for (size_t p = e->list[i].first; p < e->list[i].first + e->list[i].count; p++) {
            e->pool[p].out *= scale[i] * scale[e->other[p]];
            e->pool[p].in *= scale[i] * scale[e->other[p]];
        }
        e->most[i] = 1.0;
    }
}

/* ---- elimination ---- */

/* What the pivot would add to the diagonals of others is no more than `growth` times as large as they have been. So it
 * is for what it adds elsewhere: the root of the product of both diagonals' bounds. */
static inline bool chain_stands_out(const chain_elimination *e, uint32_t k, double growth)
{
    const chain_list *list = &e->list[k];
    const double pivot = fabs(e->diagonal[k]);
    bool does = pivot > 0.0 && pivot < HUGE_VAL;
    for (size_t p = list->first; does && p < list->first + list->count; p++) {
        const double largest = chain_larger(fabs(e->pool[p].out), fabs(e->pool[p].in));
        does = largest * largest <= growth * pivot * e->most[e->other[p]];
    }
    return does;
}

/* The next one that stands out, of the lowest degree; others wait until a neighbour goes. */
static inline uint32_t chain_listed_next(chain_elimination *e)
{
    while (e->lowest <= e->size) {
        const uint32_t k = e->head[e->lowest];
        if (k == CHAIN_NONE) {
            e->lowest++;
            continue;
        }
        chain_unlist(e, k);
        e->work += e->list[k].count;
        if (chain_stands_out(e, k, e->growth)) return k;
    }
    return CHAIN_NONE;
}

/* Where none stands out more growth is accepted. */
static inline uint32_t chain_next(chain_elimination *e)
{
    for (e->growth = e->limit.usual; e->growth <= e->limit.most; e->growth *= 100.0) {
        const uint32_t k = chain_listed_next(e);
        if (k != CHAIN_NONE) return k;
        for (uint32_t i = 0; i < e->size; i++)
            if (!e->list[i].gone) chain_enlist(e, i);
    }
    return CHAIN_NONE;
}

/* The list loses the pivot; places of its entries stand in `mark` from here on. The others keep their sequence, by which unknowns of one
 * degree are listed: those of one body, and rows behind bodies. */
static inline void chain_mark(chain_elimination *e, chain_list *list, uint32_t pivot)
{
    uint32_t *other = e->other + list->first, place = 0;
    chain_entry *entry = e->pool + list->first;
    for (; other[place] != pivot; place++)
        e->mark[other[place]] = place;
    list->count--;
    for (; place < list->count; place++) {
        other[place] = other[place + 1];
        entry[place] = entry[place + 1];
        e->mark[other[place]] = place;
    }
}

/* The place of unknown `other` in the list, whose entry begins with zeros where it is new; CHAIN_NONE without memory. */
static inline uint32_t chain_place_in(chain_elimination *e, chain_list *list, uint32_t other)
{
    if (e->mark[other] != CHAIN_NONE) return e->mark[other];
    if (!chain_widen(e, list, list->count + 1)) return CHAIN_NONE;
    e->other[list->first + list->count] = other;
    e->pool[list->first + list->count] = (chain_entry){0};
    return e->mark[other] = list->count++;
}

/* Neighbour `i` of the pivot loses it, and what the pivot leaves behind is subtracted from its list. */
static inline bool chain_update(chain_elimination *e, uint32_t pivot, uint32_t i, chain_entry own)
{
    chain_list *list = &e->list[i];
    const chain_list *from = &e->list[pivot];
    const double to_row = own.in / e->diagonal[pivot], to_column = own.out / e->diagonal[pivot];
    chain_mark(e, list, pivot);
    for (size_t p = from->first; p < from->first + from->count; p++) {
        const chain_entry beside = e->pool[p];
        if (e->other[p] == i) {
            e->diagonal[i] -= to_row * beside.out;
            e->most[i] = chain_larger(e->most[i], fabs(e->diagonal[i]));
            continue;
        }
        const uint32_t place = chain_place_in(e, list, e->other[p]);
        if (place == CHAIN_NONE) return false;
        chain_entry *into = &e->pool[list->first + place];
        into->out -= to_row * beside.out;
        into->in -= to_column * beside.in;
    }
    for (size_t p = list->first; p < list->first + list->count; p++)
        e->mark[e->other[p]] = CHAIN_NONE;
    e->work += list->count;
    return true;
}

static inline bool chain_eliminate(chain_elimination *e, uint32_t k)
{
    const uint32_t count = e->list[k].count;
    for (uint32_t p = 0; p < count; p++) {
        const size_t place = e->list[k].first + p;
        const uint32_t other = e->other[place]; /* the pool may move */
        if (!chain_update(e, k, other, e->pool[place])) return false;
        chain_enlist(e, other);
    }
    return true;
}

static inline chain_verdict chain_run(chain_elimination *e, const tn_matrix *matrix, chain_order *result)
{
    double rows = 0.0;
    if (!chain_order_allocate(result, matrix->size) || !chain_allocate(e, matrix) ||
        !chain_weigh(matrix, e->weak, result->scale))
        return CHAIN_NO_MEMORY;
    chain_fill(e, matrix);
    chain_scale(e, result->scale);
    e->lowest = e->size;
    for (uint32_t i = 0; i < e->size; i++)
        chain_enlist(e, i);
    for (uint32_t k = 0; k < e->size; k++) {
        const uint32_t next = chain_next(e);
        if (next == CHAIN_NONE) return CHAIN_NO_PIVOT;
        e->list[next].gone = true;
        result->order[k] = next;
        result->weak[k] = fabs(e->diagonal[next]) / e->most[next] < CHAIN_WEAK;
        rows += e->list[next].count;
        if (!chain_eliminate(e, next)) return CHAIN_NO_MEMORY;
        if (e->work > e->most_work || 2.0 * rows + k > e->most_entries) return CHAIN_TOO_FULL;
    }
    return CHAIN_ORDERED;
}

static inline chain_verdict chain_try(chain_order *result, const tn_matrix *matrix, chain_growth growth,
                                      bool latest_first)
{
    chain_elimination elimination = {.limit = growth, .latest_first = latest_first};
    elimination.most_work = (latest_first ? CHAIN_MOST_WORK : CHAIN_LIGHT) * matrix->size;
    elimination.most_entries = latest_first ? HUGE_VAL : CHAIN_FILLED * matrix->column_start[matrix->size];
    *result = (chain_order){0};
    const chain_verdict verdict = chain_run(&elimination, matrix, result);
    chain_elimination_free(&elimination);
    return verdict;
}

/* Of unknowns of one degree that which has come to it first goes first, which gives broad trees. Where factors fill, that which has come to
 * it last: then one corner of the graph is finished before the next one is begun. `latest_first` notes that, so that later matrices of a
 * model are not tried in vain. `result` is to be freed whatever comes of it. */
static inline chain_verdict chain_order_make(chain_order *result, const tn_matrix *matrix,
                                             chain_growth growth, bool *latest_first)
{
    if (!*latest_first) {
        const chain_verdict verdict = chain_try(result, matrix, growth, false);
        if (verdict == CHAIN_ORDERED || verdict == CHAIN_NO_MEMORY) return verdict;
        chain_order_free(result);
        *latest_first = true;
    }
    return chain_try(result, matrix, growth, true);
}

#endif

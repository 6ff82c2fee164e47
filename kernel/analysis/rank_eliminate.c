/* rank_eliminate.c - rows that are independent because of single bodies, and what the others become without them
 *
 * Let the rows that touch a body be independent already in the body's own columns. Then none of them has a part in
 * any dependence: its share there could not be balanced by rows that do not touch the body. They are taken away, and
 * bodies next to it are looked at again. Trees vanish in this way from their leaves; closed loops remain.
 *
 * Large parts go on with operations, where more rows touch a body than are independent there. Pivots are chosen among
 * them that stand out clearly; each of the others loses the combination of pivots that clears it from the body's columns.
 * The pivots are independent of all that remains, and go. Rows that vanish are redundant. A body where it is not clear
 * whether a row stands out stays, and so do its rows: they are for the factorisation to decide. Bodies with few rows come
 * first, which keeps rows short. */
#include "analysis/rank_rows.h"

#include <math.h>
#include <string.h>

#define CLEAR 1e-3          /* of the longest row at the body: pivots are no shorter, so factors stay small */
#define CLEAR_AT_LEAST 1e-6 /* in any case */
#define MOST_WORK 1e9       /* entries that operations may go through: some seconds */
#define FIRST_LIMIT 16u     /* rows at a body that comes first */

typedef struct row_list {
    size_t count, capacity;
    uint32_t *row; /* all that touch the body; perhaps twice, perhaps more than those */
} row_list;

typedef struct elimination {
    tn_rank_rows *rows;
    const tn_column_bodies *bodies;
    tn_rank_operations *operations;
    row_list *list;  /* [bodies] */
    uint32_t *visit; /* [rows] the last visit that has seen the row */
    uint32_t visits;
    uint32_t *waiting; /* [bodies] ring of bodies to look at, first come, first served: loops stay short */
    uint32_t waiting_first, waiting_count;
    bool *waits; /* [bodies] */

    /* Of the current body: its rows in its columns, and their components along the directions of the pivots. */
    uint32_t width, pivots;
    double *remainder, *component;
    size_t capacity;
    uint32_t *pivot; /* [width] place in the list of the body */
    double *factor;  /* [width] */
    tn_rank_row sum; /* memory for the sum of two rows */
    double work;     /* entries that operations have gone through */
} elimination;

/* ---- rows ------------------------------------------------------------------------------------------------- */

/* The first entry at or behind a column. */
static uint32_t find_entry(const tn_rank_row *row, uint32_t column)
{
    uint32_t first = 0, end = row->count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (row->entry[middle].column < column)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* row -= factor * other, without entries that are negligible. */
static void subtract_row(elimination *e, tn_rank_row *row, double factor, const tn_rank_row *other)
{
    tn_rank_row *sum = &e->sum;
    const size_t needed = (size_t)row->count + other->count;
    sum->entry = tn_arena_grow(&e->rows->memory, sum->entry, &sum->capacity, needed, sizeof *sum->entry);
    sum->count = 0;
    for (uint32_t i = 0, j = 0; i < row->count || j < other->count;) {
        const uint32_t a = i < row->count ? row->entry[i].column : UINT32_MAX;
        const uint32_t b = j < other->count ? other->entry[j].column : UINT32_MAX;
        double value = 0.0;
        if (a <= b) value += row->entry[i++].value;
        if (b <= a) value -= factor * other->entry[j++].value;
        if (fabs(value) <= TN_RANK_NEGLIGIBLE) continue;
        sum->entry[sum->count++] = (struct tn_rank_entry){a < b ? a : b, value};
    }
    if (sum->count > row->count)
        row->entry = row->own = tn_grow(row->own, &row->capacity, sum->count, sizeof *row->own);
    memcpy(row->entry, sum->entry, sum->count * sizeof *row->entry);
    row->count = sum->count;
}

static bool begins_body(const elimination *e, const tn_rank_row *row, uint32_t k)
{
    return k == 0 || e->rows->body[row->entry[k].column] != e->rows->body[row->entry[k - 1].column];
}

/* ---- rows at bodies --------------------------------------------------------------------------------------- */

static void await_body(elimination *e, uint32_t body)
{
    if (e->waits[body]) return;
    e->waits[body] = true;
    e->waiting[((size_t)e->waiting_first + e->waiting_count++) % e->bodies->count] = body;
}

static uint32_t next_body(elimination *e)
{
    const uint32_t body = e->waiting[e->waiting_first];
    e->waiting_first = (uint32_t)(((size_t)e->waiting_first + 1) % e->bodies->count);
    e->waiting_count--;
    e->waits[body] = false;
    return body;
}

static bool touches_body(const elimination *e, const tn_rank_row *row, uint32_t body)
{
    const uint32_t place = find_entry(row, e->bodies->start[body]);
    return place < row->count && row->entry[place].column < e->bodies->start[body + 1];
}

static void list_row(elimination *e, uint32_t body, uint32_t row)
{
    row_list *list = &e->list[body];
    list->row =
        tn_arena_grow(&e->rows->memory, list->row, &list->capacity, list->count + 1, sizeof *list->row);
    list->row[list->count++] = row;
}

/* Keeps what is left and touches the body, once. */
static void clean_list(elimination *e, uint32_t body)
{
    row_list *list = &e->list[body];
    const size_t count = list->count;
    list->count = 0;
    e->visits++;
    for (size_t k = 0; k < count; k++) {
        const uint32_t row = list->row[k];
        if (e->visit[row] == e->visits || !e->rows->left[row] || !touches_body(e, &e->rows->row[row], body))
            continue;
        e->visit[row] = e->visits;
        list->row[list->count++] = row;
    }
}

static void load_portions(elimination *e, uint32_t body)
{
    const uint32_t start = e->bodies->start[body];
    const row_list *list = &e->list[body];
    e->width = e->bodies->start[body + 1] - start;
    const size_t size = list->count * e->width;
    e->remainder =
        tn_arena_grow(&e->rows->memory, e->remainder, &e->capacity, 2 * size, sizeof *e->remainder);
    e->component = e->remainder + size;
    memset(e->remainder, 0, 2 * size * sizeof *e->remainder);
    for (size_t k = 0; k < list->count; k++) {
        const tn_rank_row *row = &e->rows->row[list->row[k]];
        for (uint32_t i = find_entry(row, start); i < row->count && row->entry[i].column < start + e->width;
             i++)
            e->remainder[k * e->width + row->entry[i].column - start] = row->entry[i].value;
    }
}

/* ---- pivots ----------------------------------------------------------------------------------------------- */

static double product(const double *a, const double *b, uint32_t size)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < size; k++)
        sum += a[k] * b[k];
    return sum;
}

/* The row whose remainder is longest; pivots have none. */
static uint32_t longest_remainder(const elimination *e, size_t count, double *length)
{
    uint32_t found = 0;
    *length = 0.0;
    for (size_t k = 0; k < count; k++) {
        const double *remainder = e->remainder + k * e->width;
        const double square = product(remainder, remainder, e->width);
        if (square > *length) {
            *length = square;
            found = (uint32_t)k;
        }
    }
    *length = sqrt(*length);
    return found;
}

static void add_pivot(elimination *e, size_t count, uint32_t chosen, double length)
{
    double *direction = e->remainder + (size_t)chosen * e->width;
    for (uint32_t c = 0; c < e->width; c++)
        direction[c] /= length;
    for (size_t k = 0; k < count; k++) {
        double *other = e->remainder + k * e->width;
        const double share = k == chosen ? length : product(direction, other, e->width);
        e->component[k * e->width + e->pivots] = share;
        for (uint32_t c = 0; c < e->width && k != chosen; c++)
            other[c] -= share * direction[c];
    }
    memset(direction, 0, e->width * sizeof *direction);
    e->pivot[e->pivots++] = chosen;
}

/* Gram and Schmidt. False where rows neither stand out nor vanish; without operations, where not all stand out. */
static bool choose_pivots(elimination *e, size_t count)
{
    double longest = 0.0;
    for (e->pivots = 0;;) {
        double length;
        const uint32_t chosen = longest_remainder(e, count, &length);
        if (e->pivots == 0) longest = length;
        if (length <= TN_RANK_NEGLIGIBLE * fmax(longest, 1.0))
            return e->pivots > 0 && (e->operations || e->pivots == count);
        const double least = e->operations ? fmax(CLEAR * longest, CLEAR_AT_LEAST) : TN_RANK_TOLERANCE;
        if (e->pivots == e->width || length < least) return false;
        add_pivot(e, count, chosen, length);
    }
}

/* What combination of the pivots is the row at place k in the columns of the body? */
static void find_factors(elimination *e, size_t k)
{
    for (uint32_t s = e->pivots; s-- > 0;) {
        double sum = e->component[k * e->width + s];
        for (uint32_t t = s + 1; t < e->pivots; t++)
            sum -= e->factor[t] * e->component[(size_t)e->pivot[t] * e->width + s];
        e->factor[s] = sum / e->component[(size_t)e->pivot[s] * e->width + s];
    }
}

/* ---- elimination ------------------------------------------------------------------------------------------ */

/* A row that is about to lose a pivot comes to the pivot's bodies. */
static void list_at_bodies_of(elimination *e, const tn_rank_row *pivot, uint32_t index)
{
    const tn_rank_row *row = &e->rows->row[index];
    for (uint32_t k = 0; k < pivot->count; k++) {
        const uint32_t body = e->rows->body[pivot->entry[k].column];
        if (begins_body(e, pivot, k) && !touches_body(e, row, body)) list_row(e, body, index);
    }
}

/* Takes the body's entries away; what is left may be nothing. */
static void finish_row(elimination *e, uint32_t body, uint32_t index)
{
    tn_rank_row *row = &e->rows->row[index];
    const uint32_t from = find_entry(row, e->bodies->start[body]);
    const uint32_t to = find_entry(row, e->bodies->start[body + 1]);
    double square = 0.0;
    memmove(row->entry + from, row->entry + to, (row->count - to) * sizeof *row->entry);
    row->count -= to - from;
    for (uint32_t k = 0; k < row->count; k++)
        square += row->entry[k].value * row->entry[k].value;
    if (square > TN_RANK_TOLERANCE * TN_RANK_TOLERANCE) return;
    e->rows->left[index] = false;
    e->operations->vanished[e->operations->vanished_count++] = index;
}

static void note_operation(tn_rank_operations *o, uint32_t target, uint32_t pivot, double factor)
{
    TN_APPEND(o->operation, o->count, (tn_rank_operation){target, pivot, o->last[target], factor});
    o->last[target] = o->count;
}

/* The row at place k of the body's list loses its share of the pivots. */
static void eliminate_row(elimination *e, uint32_t body, size_t k)
{
    const uint32_t target = e->list[body].row[k];
    tn_rank_row *row = &e->rows->row[target];
    find_factors(e, k);
    for (uint32_t s = 0; s < e->pivots; s++) {
        const uint32_t index = e->list[body].row[e->pivot[s]];
        const tn_rank_row *pivot = &e->rows->row[index];
        if (fabs(e->factor[s]) <= TN_RANK_NEGLIGIBLE) continue;
        list_at_bodies_of(e, pivot, target);
        e->work += row->count + pivot->count;
        subtract_row(e, row, e->factor[s], pivot);
        note_operation(e->operations, target, index, e->factor[s]);
    }
    finish_row(e, body, target);
}

/* Returns the number of pivots. */
static uint32_t eliminate_body(elimination *e, uint32_t body)
{
    const row_list *list = &e->list[body];
    const size_t count = list->count; /* rows that come to it from here on are those that it has */
    load_portions(e, body);
    if (!choose_pivots(e, count)) return 0;
    for (uint32_t s = 0; s < e->pivots; s++)
        e->rows->left[list->row[e->pivot[s]]] = false;
    for (size_t k = 0; k < count; k++)
        if (e->rows->left[list->row[k]]) eliminate_row(e, body, k);
    for (uint32_t s = 0; s < e->pivots; s++) {
        tn_rank_row *pivot = &e->rows->row[list->row[e->pivot[s]]];
        for (uint32_t k = 0; k < pivot->count; k++)
            if (begins_body(e, pivot, k)) await_body(e, e->rows->body[pivot->entry[k].column]);
        tn_free(pivot->own);
        *pivot = (tn_rank_row){0};
    }
    return e->pivots;
}

static elimination begin_elimination(tn_rank_rows *rows, const bool *chosen, tn_rank_operations *operations)
{
    tn_arena *memory = &rows->memory;
    const tn_column_bodies *bodies = rows->bodies;
    elimination e = {.rows = rows, .bodies = bodies, .operations = operations};
    e.list = tn_arena_array(memory, bodies->count, sizeof *e.list);
    e.visit = tn_arena_array(memory, rows->count, sizeof *e.visit);
    e.waiting = tn_arena_array(memory, bodies->count, sizeof *e.waiting);
    e.waits = tn_arena_array(memory, bodies->count, sizeof *e.waits);
    uint32_t widest = 0;
    for (uint32_t body = 0; body < bodies->count; body++) {
        const uint32_t width = bodies->start[body + 1] - bodies->start[body];
        if (width > widest) widest = width;
    }
    e.pivot = tn_arena_array(memory, widest, sizeof *e.pivot);
    e.factor = tn_arena_array(memory, widest, sizeof *e.factor);
    for (uint32_t row = 0; row < rows->count; row++)
        for (uint32_t k = 0; chosen[row] && k < rows->row[row].count; k++)
            if (begins_body(&e, &rows->row[row], k))
                list_row(&e, rows->body[rows->row[row].entry[k].column], row);
    return e;
}

/* Bodies with up to `limit` rows, or up to as many as they have columns; returns the number of pivots. */
static uint32_t eliminate_bodies(elimination *e, size_t limit)
{
    uint32_t rank = 0;
    for (uint32_t body = 0; body < e->bodies->count; body++)
        if (e->list[body].count) await_body(e, body);
    while (e->waiting_count && e->work < MOST_WORK) {
        const uint32_t body = next_body(e);
        clean_list(e, body);
        const size_t count = e->list[body].count;
        const size_t most = limit ? limit : e->bodies->start[body + 1] - e->bodies->start[body];
        if (count > 0 && count <= most) rank += eliminate_body(e, body);
    }
    return rank;
}

uint32_t tn_rank_eliminate(tn_rank_rows *rows, const bool *chosen, tn_rank_operations *operations)
{
    elimination e = begin_elimination(rows, chosen, operations);
    uint32_t rank = operations ? 0 : eliminate_bodies(&e, 0);
    for (size_t limit = FIRST_LIMIT; operations && limit <= rows->count && e.work < MOST_WORK;
         limit += limit / 8)
        rank += eliminate_bodies(&e, limit);
    return rank;
}

/* rank_eliminate.c - large parts become small ones: rows are eliminated body by body
 *
 * As in the peeling, but more rows touch the body than are independent there. Pivots are chosen among them that stand
 * out clearly; each of the others loses the combination of pivots that clears it from the body's columns. The pivots
 * are independent of all that remains, and go. Rows that vanish are redundant. A body where it is not clear whether a
 * row stands out stays, and so do its rows: they are for the factorisation to decide. Bodies with few rows come first,
 * which keeps rows short. */
#include "base/memory.h"
#include "system/rank_rows.h"
#include "system/sparse_row.h"

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
    tn_sparse_row *row; /* [rows] */
    row_list *list;     /* [bodies] */
    uint32_t *visit;    /* [rows] the last visit that has seen the row */
    uint32_t visits;
    uint32_t *waiting; /* [bodies] ring of bodies to look at, first come, first served: loops stay short */
    uint32_t waiting_first, waiting_count;
    bool *waits; /* [bodies] */

    /* Of the current body: its rows in its columns, and their components along the directions of the pivots. */
    uint32_t width, pivots;
    double *remainder, *component;
    size_t remainder_capacity, component_capacity;
    uint32_t *pivot; /* [width] place in the list of the body */
    size_t pivot_capacity;
    double *factor;
    size_t factor_capacity;
    tn_sparse_sum sum;
    double work; /* entries that operations have gone through */
} elimination;

static void look_again(elimination *e, uint32_t body)
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

static bool touches(const elimination *e, const tn_sparse_row *row, uint32_t body)
{
    const uint32_t place = tn_sparse_place(row, e->bodies->start[body]);
    return place < row->count && row->column[place] < e->bodies->start[body + 1];
}

static void enlist(elimination *e, uint32_t body, uint32_t row)
{
    row_list *list = &e->list[body];
    list->row = tn_grow(list->row, &list->capacity, list->count + 1, sizeof *list->row);
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
        if (e->visit[row] == e->visits || !e->rows->left[row] || !touches(e, &e->row[row], body)) continue;
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
    e->remainder = tn_grow(e->remainder, &e->remainder_capacity, size, sizeof *e->remainder);
    e->component = tn_grow(e->component, &e->component_capacity, size, sizeof *e->component);
    e->pivot = tn_grow(e->pivot, &e->pivot_capacity, e->width, sizeof *e->pivot);
    e->factor = tn_grow(e->factor, &e->factor_capacity, e->width, sizeof *e->factor);
    memset(e->remainder, 0, size * sizeof *e->remainder);
    memset(e->component, 0, size * sizeof *e->component);
    for (size_t k = 0; k < list->count; k++) {
        const tn_sparse_row *row = &e->row[list->row[k]];
        for (uint32_t i = tn_sparse_place(row, start); i < row->count && row->column[i] < start + e->width;
             i++)
            e->remainder[k * e->width + row->column[i] - start] = row->value[i];
    }
}

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

/* Gram and Schmidt. False where rows neither stand out clearly nor vanish. */
static bool choose_pivots(elimination *e, size_t count)
{
    double longest = 0.0;
    for (e->pivots = 0;; e->pivots++) {
        double length;
        const uint32_t chosen = longest_remainder(e, count, &length);
        if (e->pivots == 0) longest = length;
        if (length <= TN_RANK_NEGLIGIBLE * fmax(longest, 1.0)) return e->pivots > 0;
        if (e->pivots == e->width || length < fmax(CLEAR * longest, CLEAR_AT_LEAST)) return false;

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
        e->pivot[e->pivots] = chosen;
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

static bool begins_body(const elimination *e, const tn_sparse_row *row, uint32_t k)
{
    return k == 0 || e->rows->body[row->column[k]] != e->rows->body[row->column[k - 1]];
}

/* A row that is about to lose a pivot comes to the pivot's bodies. */
static void come_to_bodies(elimination *e, uint32_t index, const tn_sparse_row *pivot)
{
    const tn_sparse_row *row = &e->row[index];
    for (uint32_t k = 0, i = 0; k < pivot->count; k++) {
        if (!begins_body(e, pivot, k)) continue;
        const uint32_t body = e->rows->body[pivot->column[k]];
        while (i < row->count && row->column[i] < e->bodies->start[body])
            i++;
        if (i == row->count || row->column[i] >= e->bodies->start[body + 1]) enlist(e, body, index);
    }
}

/* Takes the body's entries away; what is left may be nothing. */
static void finish_row(elimination *e, uint32_t body, uint32_t index)
{
    tn_sparse_row *row = &e->row[index];
    tn_sparse_cut(row, e->bodies->start[body], e->bodies->start[body + 1]);
    if (product(row->value, row->value, row->count) > TN_RANK_TOLERANCE * TN_RANK_TOLERANCE) return;
    e->rows->left[index] = false;
    tn_rank_operations *o = e->operations;
    o->vanished = tn_grow(o->vanished, &o->vanished_capacity, o->vanished_count + 1, sizeof *o->vanished);
    o->vanished[o->vanished_count++] = index;
}

static void record(tn_rank_operations *o, uint32_t target, uint32_t pivot, double factor)
{
    o->operation = tn_grow(o->operation, &o->capacity, o->count + 1, sizeof *o->operation);
    o->operation[o->count] = (tn_rank_operation){target, pivot, o->last[target], factor};
    o->last[target] = ++o->count;
}

/* Returns the number of pivots. */
static uint32_t eliminate_body(elimination *e, uint32_t body)
{
    const row_list *list = &e->list[body];
    const size_t count = list->count; // rows that come to it from here on are those that it has
    load_portions(e, body);
    if (!choose_pivots(e, count)) return 0;
    for (uint32_t s = 0; s < e->pivots; s++)
        e->rows->left[list->row[e->pivot[s]]] = false;
    for (size_t k = 0; k < count; k++) {
        const uint32_t row = list->row[k];
        if (!e->rows->left[row]) continue;
        find_factors(e, k);
        for (uint32_t s = 0; s < e->pivots; s++) {
            if (fabs(e->factor[s]) <= TN_RANK_NEGLIGIBLE) continue;
            const uint32_t pivot = list->row[e->pivot[s]];
            come_to_bodies(e, row, &e->row[pivot]);
            e->work += e->row[row].count + e->row[pivot].count;
            tn_sparse_subtract(&e->row[row], e->factor[s], &e->row[pivot], TN_RANK_NEGLIGIBLE, &e->sum);
            record(e->operations, row, pivot, e->factor[s]);
        }
        finish_row(e, body, row);
    }
    for (uint32_t s = 0; s < e->pivots; s++) {
        tn_sparse_row *pivot = &e->row[list->row[e->pivot[s]]];
        for (uint32_t k = 0; k < pivot->count; k++)
            if (begins_body(e, pivot, k)) look_again(e, e->rows->body[pivot->column[k]]);
        tn_sparse_free(pivot);
    }
    return e->pivots;
}

static void begin_elimination(elimination *e, const bool *chosen)
{
    const tn_row_matrix *matrix = &e->rows->matrix;
    e->row = tn_new(matrix->rows, sizeof *e->row);
    e->list = tn_new(e->bodies->count, sizeof *e->list);
    e->visit = tn_new(matrix->rows, sizeof *e->visit);
    e->waiting = tn_new(e->bodies->count, sizeof *e->waiting);
    e->waits = tn_new(e->bodies->count, sizeof *e->waits);
    for (uint32_t row = 0; row < matrix->rows; row++) {
        if (!chosen[row]) continue;
        const uint32_t start = matrix->row_start[row];
        e->row[row] =
            tn_sparse_copy(matrix->row_start[row + 1] - start, matrix->column + start, matrix->value + start);
        for (uint32_t k = 0; k < e->row[row].count; k++)
            if (begins_body(e, &e->row[row], k)) enlist(e, e->rows->body[e->row[row].column[k]], row);
    }
}

static void end_elimination(elimination *e)
{
    for (uint32_t row = 0; row < e->rows->matrix.rows; row++)
        tn_sparse_free(&e->row[row]);
    for (uint32_t body = 0; body < e->bodies->count; body++)
        tn_free(e->list[body].row);
    tn_free(e->row);
    tn_free(e->list);
    tn_free(e->visit);
    tn_free(e->waiting);
    tn_free(e->waits);
    tn_free(e->remainder);
    tn_free(e->component);
    tn_free(e->pivot);
    tn_free(e->factor);
    tn_sparse_sum_free(&e->sum);
}

/* The rows as they are now, in place of the chosen ones. */
static void store_rows(elimination *e, const bool *chosen)
{
    tn_row_matrix *matrix = &e->rows->matrix, old = *matrix;
    size_t entries = old.row_start[old.rows];
    for (uint32_t row = 0; row < old.rows; row++)
        entries += e->row[row].count;
    matrix->row_start = tn_new((size_t)old.rows + 1, sizeof *matrix->row_start);
    matrix->column = tn_new(entries, sizeof *matrix->column);
    matrix->value = tn_new(entries, sizeof *matrix->value);
    uint32_t next = 0;
    for (uint32_t row = 0; row < old.rows; row++) {
        const uint32_t start = old.row_start[row];
        const tn_sparse_row kept = chosen[row] ? e->row[row]
                                               : (tn_sparse_row){old.row_start[row + 1] - start,
                                                                 old.column + start, old.value + start};
        if (e->rows->left[row]) {
            memcpy(matrix->column + next, kept.column, kept.count * sizeof *kept.column);
            memcpy(matrix->value + next, kept.value, kept.count * sizeof *kept.value);
            next += kept.count;
        }
        matrix->row_start[row + 1] = next;
    }
    tn_free(old.row_start);
    tn_free(old.column);
    tn_free(old.value);
}

uint32_t tn_rank_eliminate(tn_rank_rows *rows, const tn_column_bodies *bodies, const bool *chosen,
                           tn_rank_operations *operations)
{
    elimination e = {.rows = rows, .bodies = bodies, .operations = operations};
    begin_elimination(&e, chosen);
    uint32_t rank = 0;
    for (size_t limit = FIRST_LIMIT; limit <= rows->matrix.rows && e.work < MOST_WORK; limit += limit / 8) {
        for (uint32_t body = 0; body < bodies->count; body++)
            if (e.list[body].count) look_again(&e, body);
        while (e.waiting_count && e.work < MOST_WORK) {
            const uint32_t body = next_body(&e);
            clean_list(&e, body);
            if (e.list[body].count > 0 && e.list[body].count <= limit) rank += eliminate_body(&e, body);
        }
    }
    store_rows(&e, chosen);
    end_elimination(&e);
    return rank;
}

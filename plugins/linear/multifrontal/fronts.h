/* fronts.h - which columns of the factors are eliminated together, and which rows they have: found without numbers.
 *
 * Columns with about the same rows are one panel (panels.h). What is left of a panel's rows once it is eliminated, a square block, is
 * added to the panel that its first row belongs to, its parent: panels form a tree, in whose order blocks are the top of a stack. */
#ifndef TENON_MULTIFRONTAL_FRONTS_H
#define TENON_MULTIFRONTAL_FRONTS_H

#include "../elimination_order.h"
#include "panels.h"

/* Neighbours of a hub, each counted on both sides: a body with 32 joints of three rows. */
enum { FRONT_HUB = 200 };

typedef struct fronts {
    int32_t size;
    int32_t *order, *place; /* [size] unknowns in the order of elimination; where each is */
    panels lower, upper;    /* L, and U transposed; the rows of `lower` are those behind exchanges */
    int32_t *panel_of;      /* [size] */
    int32_t *child, *next;  /* [panels] the last child; the one before it of the same parent; or -1 */
    int32_t *row_start;     /* [size + 1] of the matrix by rows, */
    int32_t *row_column, *row_entry; /* [entries] their columns, and which entries they are */
    size_t stack_room, block_room; /* numbers: of blocks that wait at a time; of the widest diagonal block */
    double entries, operations;    /* of L + U; of a factorisation */
} fronts;

static inline void fronts_free(fronts *f)
{
    void *const memory[] = {f->order, f->place,     f->panel_of,   f->child,
                            f->next,  f->row_start, f->row_column, f->row_entry};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
    panels_free(&f->lower);
    panels_free(&f->upper);
    *f = (fronts){0};
}

/* Arrays that depend on the size of the matrix and the entries announced only. */
static inline bool fronts_allocate(fronts *f, const tn_matrix *matrix)
{
    const size_t n = (size_t)matrix->size + 1, entries = (size_t)matrix->column_start[matrix->size] + 1;
    *f = (fronts){.size = (int32_t)matrix->size};
    f->order = calloc(n, sizeof *f->order);
    f->place = malloc(n * sizeof *f->place);
    f->panel_of = malloc(n * sizeof *f->panel_of);
    f->child = malloc(n * sizeof *f->child);
    f->next = malloc(n * sizeof *f->next);
    f->row_start = malloc((n + 1) * sizeof *f->row_start);
    f->row_column = malloc(entries * sizeof *f->row_column);
    f->row_entry = malloc(entries * sizeof *f->row_entry);
    return f->order && f->place && f->panel_of && f->child && f->next && f->row_start && f->row_column &&
           f->row_entry;
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

/* Whether column k, the parent of the last one, joins the panel. */
static inline bool front_takes(const panel *one, int32_t rows, double entries)
{
    const double width = one->width + 1.0;
    return width * (rows + 0.5 * (width - 1.0)) <= PANEL_MOST * (entries + rows) + PANEL_FEW_ZEROS;
}

/* Divides the columns, whose lengths have been counted in this order. */
static inline bool fronts_divide(fronts *f, const order_count *c)
{
    size_t row = 0, value = 0;
    panels *p = &f->upper;
    p->count = 0;
    f->entries = f->size;
    f->operations = 0.0;
    if (!panels_room((void **)&p->panel, &p->panel_room, (size_t)f->size + 1, sizeof *p->panel)) return false;
    for (int32_t k = 0; k < f->size;) {
        panel *one = &p->panel[p->count];
        double entries = c->behind[k];
        *one = (panel){.first = k, .width = 1, .rows = c->behind[k], .row = row, .value = value};
        for (; k + 1 < f->size && c->parent[k] == k + 1 && front_takes(one, c->behind[k + 1], entries); k++) {
            one->width++;
            one->rows = c->behind[k + 1];
            entries += c->behind[k + 1];
            f->panel_of[k] = p->count;
        }
        f->panel_of[k++] = p->count++;
        row += panel_stride(one);
        value += panel_triangle(one) + (size_t)one->width * panel_stride(one);
        f->entries += 2.0 * ((double)panel_triangle(one) + (double)one->width * one->rows);
        for (double below = one->rows; below < one->rows + one->width; below++)
            f->operations += below * (2.0 * below + 1.0);
    }
    return panels_room((void **)&p->row, &p->row_room, row + 1, sizeof *p->row) &&
           panels_room((void **)&p->value, &p->value_room, value + 1, sizeof *p->value);
}

/* The panels of L are those of U transposed. */
static inline bool fronts_copy_panels(fronts *f)
{
    const panels *from = &f->upper;
    panels *to = &f->lower;
    if (!panels_room((void **)&to->panel, &to->panel_room, from->panel_room, sizeof *to->panel) ||
        !panels_room((void **)&to->row, &to->row_room, from->row_room, sizeof *to->row) ||
        !panels_room((void **)&to->value, &to->value_room, from->value_room, sizeof *to->value))
        return false;
    to->count = from->count;
    memcpy(to->panel, from->panel, (size_t)from->count * sizeof *to->panel);
    return true;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

typedef struct front_rows {
    int32_t *row, *mark; /* of a panel; `mark` [size] is that of the panel */
    int32_t count, behind, panel;
} front_rows;

static inline void front_add_row(front_rows *r, int32_t i)
{
    if (i < r->behind || r->mark[i] == r->panel) return;
    r->mark[i] = r->panel;
    r->row[r->count++] = i;
}

static inline int front_compare(const void *a, const void *b)
{
    const int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one > other) - (one < other);
}

/* Lists the rows of all panels in ascending order, and the children of each. */
static inline void fronts_list(fronts *f, const order_count *c, int32_t *mark)
{
    const panels *p = &f->upper;
    for (int32_t i = 0; i < f->size; i++)
        mark[i] = -1;
    for (int32_t s = 0; s < p->count; s++)
        f->child[s] = -1;
    for (int32_t s = 0; s < p->count; s++) {
        const panel *one = &p->panel[s];
        front_rows rows = {p->row + one->row, mark, 0, one->first + one->width, s};
        for (int32_t k = one->first; k < rows.behind; k++)
            for (int32_t j = f->order[k], e = c->start[j]; e < c->start[j + 1]; e++)
                front_add_row(&rows, f->place[c->neighbour[e]]);
        for (int32_t child = f->child[s]; child >= 0; child = f->next[child])
            for (int32_t i = 0; i < p->panel[child].rows; i++)
                front_add_row(&rows, p->row[p->panel[child].row + (size_t)i]);
        qsort(rows.row, (size_t)rows.count, sizeof *rows.row, front_compare);
        for (size_t i = (size_t)rows.count; i < panel_stride(one); i++)
            rows.row[i] = f->size;
        if (rows.count == 0) continue;
        const int32_t parent = f->panel_of[rows.row[0]];
        f->next[s] = f->child[parent];
        f->child[parent] = s;
    }
}

/* What the stack has to hold, and the widest diagonal block. */
static inline void fronts_measure(fronts *f)
{
    size_t top = 0;
    f->stack_room = f->block_room = 0;
    for (int32_t s = 0; s < f->upper.count; s++) {
        const panel *one = &f->upper.panel[s];
        const size_t own = (size_t)one->rows * (size_t)one->rows,
                     block = (size_t)one->width * (size_t)one->width;
        if (top + own > f->stack_room) f->stack_room = top + own;
        if (block > f->block_room) f->block_room = block;
        for (int32_t child = f->child[s]; child >= 0; child = f->next[child])
            top -= (size_t)f->upper.panel[child].rows * (size_t)f->upper.panel[child].rows;
        top += own;
    }
}

/* The matrix by rows. */
static inline void fronts_transpose(fronts *f, const used_pattern *A, int32_t *next)
{
    memset(f->row_start, 0, ((size_t)f->size + 1) * sizeof *f->row_start);
    for (int32_t e = 0; e < A->start[f->size]; e++)
        f->row_start[A->row[e] + 1]++;
    for (int32_t i = 0; i < f->size; i++) {
        f->row_start[i + 1] += f->row_start[i];
        next[i] = f->row_start[i];
    }
    for (int32_t j = 0; j < f->size; j++)
        for (int32_t e = A->start[j]; e < A->start[j + 1]; e++) {
            const int32_t to = next[A->row[e]]++;
            f->row_column[to] = j;
            f->row_entry[to] = e;
        }
}

/* The place of the last strong neighbour of a weak unknown, hubs left out unless there is nothing else; -1 without one. */
static inline int32_t front_last_support(const order_count *c, int32_t j)
{
    int32_t last = -1, last_hub = -1;
    for (int32_t e = c->start[j]; e < c->start[j + 1]; e++) {
        const int32_t i = c->neighbour[e];
        if (c->weak[i]) continue;
        int32_t *to = c->start[i + 1] - c->start[i] > FRONT_HUB ? &last_hub : &last;
        if (c->place[i] > *to) *to = c->place[i];
    }
    return last >= 0 ? last : last_hub;
}

/* Puts every weak unknown behind all of its strong neighbours: rows of constraints behind their bodies, whose pivots leave a strong one for
 * each row that does not depend on others. Behind a hub, to which many are joined, all rows would become one dense block. */
static inline void fronts_put_behind(order_count *c, int32_t *order)
{
    int32_t *first = c->seen, *next = c->parent;
    for (int32_t k = 0; k < c->size; k++) {
        c->place[order[k]] = k;
        first[k] = c->behind[k] = -1;
    }
    for (int32_t k = c->size; k-- > 0;) {
        const int32_t j = order[k], last = c->weak[j] ? front_last_support(c, j) : -1;
        if (last <= k) continue;
        c->behind[j] = order[last];
        next[j] = first[order[last]];
        first[order[last]] = j;
    }
    order_move(c, order, first, next);
}

/* Makes an order one of these entries: unknowns with a weak diagonal behind others, columns with the same rows side by side. */
static inline tn_status fronts_arrange(fronts *f, const used_pattern *A)
{
    order_count count = {0};
    const bool made = order_count_make(&count, A, f->size);
    if (made) {
        order_count_fill(&count, A, A->value);
        if (count.has_weak) fronts_put_behind(&count, f->order);
        (void)order_fill(&count, f->order);
        order_by_tree(&count, f->order);
    }
    order_count_free(&count);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

/* All else, for the order that is there. */
static inline tn_status fronts_analyse(fronts *f, const used_pattern *A)
{
    order_count count = {0};
    bool made = order_count_make(&count, A, f->size);
    if (made) {
        order_count_fill(&count, A, A->value);
        (void)order_fill(&count, f->order);
        memcpy(f->place, count.place, (size_t)f->size * sizeof *f->place);
        made = fronts_divide(f, &count) && fronts_copy_panels(f);
    }
    if (made) {
        fronts_list(f, &count, count.seen);
        fronts_measure(f);
        fronts_transpose(f, A, count.seen);
    }
    order_count_free(&count);
    return made ? TN_OK : TN_OUT_OF_MEMORY;
}

#endif

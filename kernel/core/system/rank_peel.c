/* rank_peel.c - rows that are independent because of a single body
 *
 * Let the rows that touch a body be independent already in the body's own columns. Then none of them has a part in
 * any dependence: its share there could not be balanced by rows that do not touch the body. They are taken away, and
 * bodies next to it are looked at again. Trees vanish in this way from their leaves; closed loops remain. */
#include "base/memory.h"
#include "system/rank_rows.h"

#include <math.h>

/* A row at one of its bodies. */
typedef struct touch {
    uint32_t row, entry; /* the first one in the body's columns */
} touch;

typedef struct peeling {
    tn_rank_rows *rows;
    const tn_column_bodies *bodies;
    uint32_t *touch_start; /* [bodies + 1] */
    touch *touch;          /* by bodies */
    uint32_t *rows_left;   /* [bodies] */
    uint32_t *waiting;     /* stack of bodies to look at */
    uint32_t waiting_count;
    bool *waits;     /* [bodies] */
    double *portion; /* rows of the current body in its columns, one after the other */
} peeling;

static uint32_t width_of(const peeling *p, uint32_t body)
{
    return p->bodies->start[body + 1] - p->bodies->start[body];
}

/* Calls `visit` for every body that the row touches, with the first entry there. */
static void visit_bodies(peeling *p, uint32_t row, void (*visit)(peeling *, uint32_t body, touch at))
{
    const tn_row_matrix *matrix = &p->rows->matrix;
    const uint32_t first = matrix->row_start[row], end = matrix->row_start[row + 1];
    for (uint32_t k = first; k < end; k++) {
        const uint32_t body = p->rows->body[matrix->column[k]];
        if (k == first || body != p->rows->body[matrix->column[k - 1]]) visit(p, body, (touch){row, k});
    }
}

static void count_touch(peeling *p, uint32_t body, touch at)
{
    (void)at;
    p->touch_start[body + 1]++;
}

static void list_touch(peeling *p, uint32_t body, touch at)
{
    p->touch[p->touch_start[body] + p->rows_left[body]++] = at;
}

static void look_again(peeling *p, uint32_t body)
{
    if (p->waits[body]) return;
    p->waits[body] = true;
    p->waiting[p->waiting_count++] = body;
}

static void lose_row(peeling *p, uint32_t body, touch at)
{
    (void)at;
    p->rows_left[body]--;
    look_again(p, body);
}

static void copy_portion(const peeling *p, uint32_t body, const touch *at, double *portion)
{
    const tn_row_matrix *matrix = &p->rows->matrix;
    const uint32_t start = p->bodies->start[body], end = p->bodies->start[body + 1];
    for (uint32_t k = 0; k < end - start; k++)
        portion[k] = 0.0;
    for (uint32_t k = at->entry; k < matrix->row_start[at->row + 1] && matrix->column[k] < end; k++)
        portion[matrix->column[k] - start] = matrix->value[k];
}

static double product(const double *a, const double *b, uint32_t size)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < size; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Gram and Schmidt, the longest remainder first. */
static bool independent(double *portion, uint32_t count, uint32_t width)
{
    for (uint32_t done = 0; done < count; done++) {
        double longest = 0.0;
        uint32_t pivot = done;
        for (uint32_t k = done; k < count; k++) {
            const double square = product(portion + (size_t)k * width, portion + (size_t)k * width, width);
            if (square > longest) {
                longest = square;
                pivot = k;
            }
        }
        longest = sqrt(longest);
        if (longest <= TN_RANK_TOLERANCE) return false;
        double *direction = portion + (size_t)done * width, *taken = portion + (size_t)pivot * width;
        for (uint32_t c = 0; c < width; c++) {
            const double value = taken[c] / longest;
            taken[c] = direction[c];
            direction[c] = value;
        }
        for (uint32_t k = done + 1; k < count; k++) {
            double *other = portion + (size_t)k * width;
            const double share = product(direction, other, width);
            for (uint32_t c = 0; c < width; c++)
                other[c] -= share * direction[c];
        }
    }
    return true;
}

/* Whether the rows left at a body are independent in its columns. */
static bool decides(const peeling *p, uint32_t body)
{
    const uint32_t width = width_of(p, body);
    if (p->rows_left[body] == 0 || p->rows_left[body] > width) return false;
    uint32_t count = 0;
    for (uint32_t k = p->touch_start[body]; k < p->touch_start[body + 1]; k++)
        if (p->rows->left[p->touch[k].row])
            copy_portion(p, body, &p->touch[k], p->portion + (size_t)width * count++);
    return independent(p->portion, count, width);
}

static uint32_t take_rows(peeling *p, uint32_t body)
{
    uint32_t count = 0;
    for (uint32_t k = p->touch_start[body]; k < p->touch_start[body + 1]; k++) {
        const uint32_t row = p->touch[k].row;
        if (!p->rows->left[row]) continue;
        p->rows->left[row] = false;
        visit_bodies(p, row, lose_row);
        count++;
    }
    return count;
}

static void begin_peeling(peeling *p)
{
    const uint32_t count = p->bodies->count, row_count = p->rows->matrix.rows;
    p->touch_start = tn_new((size_t)count + 1, sizeof *p->touch_start);
    p->rows_left = tn_new(count, sizeof *p->rows_left);
    p->waiting = tn_new(count, sizeof *p->waiting);
    p->waits = tn_new(count, sizeof *p->waits);
    for (uint32_t row = 0; row < row_count; row++)
        visit_bodies(p, row, count_touch);
    size_t largest = 0;
    for (uint32_t body = 0; body < count; body++) {
        const uint32_t rows = p->touch_start[body + 1], width = width_of(p, body);
        const size_t size = (size_t)(rows < width ? rows : width) * width;
        if (size > largest) largest = size;
        p->touch_start[body + 1] += p->touch_start[body];
    }
    p->portion = tn_new(largest, sizeof *p->portion);
    p->touch = tn_new(p->touch_start[count], sizeof *p->touch);
    for (uint32_t row = 0; row < row_count; row++)
        visit_bodies(p, row, list_touch);
    for (uint32_t body = 0; body < count; body++)
        look_again(p, body);
}

uint32_t tn_rank_peel(tn_rank_rows *rows, const tn_column_bodies *bodies)
{
    peeling p = {.rows = rows, .bodies = bodies};
    begin_peeling(&p);
    uint32_t count = 0;
    while (p.waiting_count) {
        const uint32_t body = p.waiting[--p.waiting_count];
        p.waits[body] = false;
        if (decides(&p, body)) count += take_rows(&p, body);
    }
    tn_free(p.touch_start);
    tn_free(p.touch);
    tn_free(p.rows_left);
    tn_free(p.waiting);
    tn_free(p.waits);
    tn_free(p.portion);
    return count;
}

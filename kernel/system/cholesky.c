/* cholesky.c - sparse symmetric positive definite matrices of one pattern, factored as L D L^T
 *
 * Row k of L is found from the rows above it; which entries it has is read off the elimination tree: from every entry of row k
 * of the matrix up to k (Davis: Direct Methods for Sparse Linear Systems, SIAM, 2006, chapter 4). */
#include "system/cholesky.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t none = UINT32_MAX;

/* A row with more entries than this fills what is eliminated behind it. */
static uint32_t largest_usual_degree(uint32_t size, uint32_t entries)
{
    const double mean = (double)entries / (double)size;
    return (uint32_t)(2.0 * mean + 8.0);
}

/* The place of every row; the order itself into the pattern. */
static uint32_t *choose_order(tn_cholesky *c, uint32_t entries, const uint32_t *row)
{
    uint32_t *degree = tn_new(c->size, sizeof *degree), *place = tn_new(c->size, sizeof *place);
    for (uint32_t e = 0; e < entries; e++)
        degree[row[e]]++;
    uint32_t next = 0;
    for (int late = 0; late < 2; late++)
        for (uint32_t r = 0; r < c->size; r++)
            if ((degree[r] > largest_usual_degree(c->size, entries)) == (late == 1)) {
                place[r] = next;
                c->order[next++] = r;
            }
    free(degree);
    return place;
}

static void take_upper_half(tn_cholesky *c, uint32_t entries, const uint32_t *row, const uint32_t *column,
                            const uint32_t *place)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < entries; e++) {
        if (place[row[e]] > place[column[e]]) continue;
        c->upper_start[place[column[e]] + 1]++;
        count++;
    }
    for (uint32_t k = 0; k < c->size; k++)
        c->upper_start[k + 1] += c->upper_start[k];
    c->upper = tn_new(count, sizeof *c->upper);
    c->entry = tn_new(count, sizeof *c->entry);
    memcpy(c->length, c->upper_start, c->size * sizeof *c->length);
    for (uint32_t e = 0; e < entries; e++) {
        if (place[row[e]] > place[column[e]]) continue;
        const uint32_t at = c->length[place[column[e]]]++;
        c->upper[at] = place[row[e]];
        c->entry[at] = e;
    }
}

/* The tree, and how long the columns of L are. */
static void find_tree(tn_cholesky *c)
{
    memset(c->length, 0, c->size * sizeof *c->length);
    for (uint32_t k = 0; k < c->size; k++) {
        c->parent[k] = none;
        c->mark[k] = k;
        for (uint32_t e = c->upper_start[k]; e < c->upper_start[k + 1]; e++)
            for (uint32_t i = c->upper[e]; c->mark[i] != k; i = c->parent[i]) {
                if (c->parent[i] == none) c->parent[i] = k;
                c->length[i]++;
                c->mark[i] = k;
            }
    }
    for (uint32_t k = 0; k < c->size; k++)
        c->column_start[k + 1] = c->column_start[k] + c->length[k];
    c->below = tn_new(c->column_start[c->size], sizeof *c->below);
}

tn_cholesky *tn_cholesky_new(uint32_t size, uint32_t entries, const uint32_t *row, const uint32_t *column)
{
    tn_cholesky *c = tn_new(1, sizeof *c);
    c->size = size;
    uint32_t **const by_row[] = {&c->order, &c->parent, &c->length, &c->stack, &c->mark};
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
        *by_row[k] = tn_new(size, sizeof(uint32_t));
    c->upper_start = tn_new(size + 1u, sizeof *c->upper_start);
    c->column_start = tn_new(size + 1u, sizeof *c->column_start);
    c->work = tn_new(size, sizeof *c->work);
    uint32_t *place = choose_order(c, entries, row);
    take_upper_half(c, entries, row, column, place);
    find_tree(c);
    free(place);
    return c;
}

void tn_cholesky_free(tn_cholesky *c)
{
    if (!c) return;
    void *const memory[] = {c->order,        c->upper_start, c->upper,  c->entry, c->parent, c->below,
                            c->column_start, c->mark,        c->length, c->stack, c->work,   c};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        free(memory[k]);
}

size_t tn_cholesky_factor_size(const tn_cholesky *c) { return (size_t)c->size + c->column_start[c->size]; }

/* Row k of the matrix into `work`; the columns of row k of L, from the first to be eliminated on, at the end of the stack. */
static uint32_t load_row(tn_cholesky *c, uint32_t k, const double *value)
{
    uint32_t top = c->size;
    c->mark[k] = k;
    for (uint32_t e = c->upper_start[k]; e < c->upper_start[k + 1]; e++) {
        uint32_t i = c->upper[e], path = 0;
        c->work[i] += value[c->entry[e]];
        for (; c->mark[i] != k; i = c->parent[i]) {
            c->stack[path++] = i;
            c->mark[i] = k;
        }
        while (path > 0)
            c->stack[--top] = c->stack[--path];
    }
    return top;
}

bool tn_cholesky_factor(tn_cholesky *c, const double *value, double *factor)
{
    double *diagonal = factor, *L = factor + c->size, *y = c->work;
    bool good = true;
    memset(c->length, 0, c->size * sizeof *c->length);
    memset(c->mark, 0xff, c->size * sizeof *c->mark);
    memset(y, 0, c->size * sizeof *y);
    for (uint32_t k = 0; k < c->size && good; k++) {
        uint32_t top = load_row(c, k, value);
        double pivot = y[k];
        y[k] = 0.0;
        for (; top < c->size; top++) {
            const uint32_t i = c->stack[top], first = c->column_start[i], end = first + c->length[i];
            const double y_i = y[i], l = y_i / diagonal[i];
            y[i] = 0.0;
            for (uint32_t e = first; e < end; e++)
                y[c->below[e]] -= L[e] * y_i;
            pivot -= l * y_i;
            c->below[end] = k;
            L[end] = l;
            c->length[i]++;
        }
        diagonal[k] = pivot;
        good = pivot > 0.0 && isfinite(pivot);
    }
    return good;
}

void tn_cholesky_solve(const tn_cholesky *c, const double *factor, const double *b, double *x)
{
    const double *diagonal = factor, *L = factor + c->size;
    double *y = c->work;
    for (uint32_t k = 0; k < c->size; k++)
        y[k] = b[c->order[k]];
    for (uint32_t k = 0; k < c->size; k++)
        for (uint32_t e = c->column_start[k]; e < c->column_start[k + 1]; e++)
            y[c->below[e]] -= L[e] * y[k];
    for (uint32_t k = c->size; k-- > 0;) {
        y[k] /= diagonal[k];
        for (uint32_t e = c->column_start[k]; e < c->column_start[k + 1]; e++)
            y[k] -= L[e] * y[c->below[e]];
    }
    for (uint32_t k = 0; k < c->size; k++)
        x[c->order[k]] = y[k];
}

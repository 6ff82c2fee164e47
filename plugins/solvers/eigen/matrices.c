/* matrices.c - sparse matrices of eigen (matrices.h) */
#include "matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns that are gathered ---------------------------------------------------------------------------------- */

/* One column of a matrix that is being made: rows that have entries, and all numbers. */
typedef struct column {
    uint32_t *row, count;
    uint8_t *listed; /* [rows] */
    double *value;   /* [rows] */
} column;

static bool open_column(const tn_host *host, uint32_t rows, column *c)
{
    c->count = 0;
    c->row = host->allocate(host, (rows + 1) * sizeof *c->row);
    c->listed = host->allocate(host, rows + 1);
    c->value = host->allocate(host, (rows + 1) * sizeof *c->value);
    return c->row && c->listed && c->value;
}

static void enter(column *c, uint32_t row, double value)
{
    if (!c->listed[row]) c->row[c->count++] = row;
    c->listed[row] = 1;
    c->value[row] += value;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A matrix that grows by columns. */
typedef struct growing {
    const tn_host *host;
    int32_t *start, *row;
    double *value;
    size_t entries, room;
} growing;

static bool begin(const tn_host *host, uint32_t columns, growing *g)
{
    *g = (growing){.host = host, .start = host->allocate(host, (columns + 1) * sizeof *g->start)};
    return g->start != NULL;
}

static bool make_room(growing *g, size_t more)
{
    if (g->row && g->entries + more <= g->room) return true;
    const size_t room = 2 * (g->entries + more) + 16;
    int32_t *row = g->host->allocate(g->host, room * sizeof *row);
    double *value = g->host->allocate(g->host, room * sizeof *value);
    if (room > INT32_MAX || !row || !value) return false;
    if (g->entries) {
        memcpy(row, g->row, g->entries * sizeof *row);
        memcpy(value, g->value, g->entries * sizeof *value);
    }
    g->row = row;
    g->value = value;
    g->room = room;
    return true;
}

/* Appends column j, without zeros unless these are wanted, and empties it. */
static bool close_column(growing *g, uint32_t j, column *c, bool with_zeros)
{
    if (!make_room(g, c->count)) return false;
    qsort(c->row, c->count, sizeof *c->row, ascending);
    for (uint32_t k = 0; k < c->count; k++) {
        const uint32_t row = c->row[k];
        if (with_zeros || c->value[row] != 0.0) {
            g->row[g->entries] = (int32_t)row;
            g->value[g->entries++] = c->value[row];
        }
        c->value[row] = 0.0;
        c->listed[row] = 0;
    }
    c->count = 0;
    g->start[j + 1] = (int32_t)g->entries;
    return true;
}

static tn_sparse sparse_of(const growing *g, uint32_t rows, uint32_t columns)
{
    return (tn_sparse){rows, columns, g->start, g->row, g->value};
}

/* ---- sums and parts ---------------------------------------------------------------------------------------------- */

static void gather_term(const eigen_term *term, uint32_t j, column *c)
{
    const tn_sparse *A = term->A, *B = term->B;
    if (!B) {
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            enter(c, (uint32_t)A->row[e], A->value[e]);
        return;
    }
    for (int32_t b = B->column_start[j]; b < B->column_start[j + 1]; b++) {
        const int32_t k = B->row[b];
        for (int32_t e = A->column_start[k]; e < A->column_start[k + 1] && B->value[b] != 0.0; e++)
            enter(c, (uint32_t)A->row[e], A->value[e] * B->value[b]);
    }
}

tn_status tn_eigen_sum(const tn_host *host, const eigen_term *term, size_t terms, tn_sparse *sum)
{
    const tn_sparse *last = term->B ? term->B : term->A;
    const uint32_t rows = term->A->rows, columns = last->columns;
    growing g;
    column c;
    if (!begin(host, columns, &g) || !open_column(host, rows, &c)) return TN_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < columns; j++) {
        for (size_t t = 0; t < terms; t++)
            gather_term(&term[t], j, &c);
        if (!close_column(&g, j, &c, false)) return TN_OUT_OF_MEMORY;
    }
    *sum = sparse_of(&g, rows, columns);
    return TN_OK;
}

tn_status tn_eigen_some_rows(const tn_host *host, const tn_sparse *A, const uint8_t *mark, uint8_t value,
                             tn_sparse *some)
{
    growing g;
    column c;
    if (!begin(host, A->columns, &g) || !open_column(host, A->rows, &c)) return TN_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < A->columns; j++) {
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            if (mark[A->row[e]] == value) enter(&c, (uint32_t)A->row[e], A->value[e]);
        if (!close_column(&g, j, &c, false)) return TN_OUT_OF_MEMORY;
    }
    *some = sparse_of(&g, A->rows, A->columns);
    return TN_OK;
}

tn_status tn_eigen_take_full(const tn_host *host, uint32_t rows, uint32_t columns, size_t stride,
                             const double *full, tn_sparse *taken)
{
    growing g;
    column c;
    if (!begin(host, columns, &g) || !open_column(host, rows, &c)) return TN_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < columns; j++) {
        for (uint32_t i = 0; i < rows && full; i++)
            if (full[i * stride + j] != 0.0) enter(&c, i, full[i * stride + j]);
        if (!full) enter(&c, j, 1.0);
        if (!close_column(&g, j, &c, false)) return TN_OUT_OF_MEMORY;
    }
    *taken = sparse_of(&g, rows, columns);
    return TN_OK;
}

/* ---- entries and products ---------------------------------------------------------------------------------------- */

double tn_eigen_largest(const tn_sparse *A)
{
    double largest = 0.0;
    for (int32_t e = 0; e < A->column_start[A->columns]; e++)
        largest = fmax(largest, fabs(A->value[e]));
    return largest;
}

bool tn_eigen_has_entries(const tn_sparse *A) { return tn_eigen_largest(A) > 0.0; }

double tn_eigen_diagonal(const tn_sparse *A, uint32_t i)
{
    for (int32_t e = A->column_start[i]; e < A->column_start[i + 1]; e++)
        if ((uint32_t)A->row[e] == i) return A->value[e];
    return 0.0;
}

void tn_eigen_multiply_add(const tn_sparse *A, const double *x, double *sum)
{
    for (uint32_t j = 0; j < A->columns; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            sum[A->row[e]] += A->value[e] * x[j];
}

void tn_eigen_multiply_add_complex(const tn_sparse *A, double _Complex factor, const double _Complex *x,
                                   double _Complex *sum)
{
    if (factor == 0.0) return;
    for (uint32_t j = 0; j < A->columns; j++) {
        const double _Complex own = factor * x[j];
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            sum[A->row[e]] += A->value[e] * own;
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------- */

tn_status tn_eigen_unite(const tn_host *host, uint32_t size, const eigen_block *block, size_t blocks,
                         tn_matrix *united)
{
    growing g;
    column c;
    if (!begin(host, size, &g) || !open_column(host, size, &c)) return TN_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < size; j++) {
        enter(&c, j, 0.0);
        for (size_t b = 0; b < blocks; b++) {
            const tn_sparse *A = block[b].part;
            if (j < block[b].column || j >= block[b].column + A->columns) continue;
            const uint32_t own = j - block[b].column;
            for (int32_t e = A->column_start[own]; e < A->column_start[own + 1]; e++)
                enter(&c, block[b].row + (uint32_t)A->row[e], 0.0);
        }
        if (!close_column(&g, j, &c, true)) return TN_OUT_OF_MEMORY;
    }
    *united = (tn_matrix){
        .struct_size = sizeof *united, .size = size, .column_start = g.start, .row = g.row, .value = g.value};
    return TN_OK;
}

/* The place of the entry (i, j), which is there. */
static int32_t find_place(const tn_matrix *A, uint32_t i, uint32_t j)
{
    int32_t low = A->column_start[j], high = A->column_start[j + 1] - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if ((uint32_t)A->row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void tn_eigen_fill(const tn_matrix *united, const eigen_block *block, size_t blocks,
                   const double _Complex *diagonal, double _Complex *value)
{
    memset(value, 0, (size_t)united->column_start[united->size] * sizeof *value);
    for (size_t b = 0; b < blocks; b++) {
        const tn_sparse *A = block[b].part;
        for (uint32_t j = 0; j < A->columns; j++)
            for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
                value[find_place(united, block[b].row + (uint32_t)A->row[e], block[b].column + j)] +=
                    block[b].factor * A->value[e];
    }
    for (uint32_t j = 0; j < united->size; j++)
        value[find_place(united, j, j)] += diagonal[j];
}

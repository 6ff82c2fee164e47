/* sparse_row.c - combinations of sparse rows */
#include "system/sparse_row.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

tn_sparse_row tn_sparse_copy(uint32_t count, const uint32_t *column, const double *value)
{
    const tn_sparse_row row = {count, tn_new(count, sizeof *column), tn_new(count, sizeof *value)};
    memcpy(row.column, column, count * sizeof *column);
    memcpy(row.value, value, count * sizeof *value);
    return row;
}

void tn_sparse_free(tn_sparse_row *row)
{
    tn_free(row->column);
    tn_free(row->value);
    *row = (tn_sparse_row){0};
}

uint32_t tn_sparse_place(const tn_sparse_row *row, uint32_t column)
{
    uint32_t first = 0, end = row->count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (row->column[middle] < column)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

void tn_sparse_cut(tn_sparse_row *row, uint32_t first, uint32_t end)
{
    const uint32_t from = tn_sparse_place(row, first), to = tn_sparse_place(row, end);
    memmove(row->column + from, row->column + to, (row->count - to) * sizeof *row->column);
    memmove(row->value + from, row->value + to, (row->count - to) * sizeof *row->value);
    row->count -= to - from;
}

void tn_sparse_subtract(tn_sparse_row *row, double factor, const tn_sparse_row *other, double negligible,
                        tn_sparse_sum *sum)
{
    const size_t needed = (size_t)row->count + other->count;
    sum->column = tn_grow(sum->column, &sum->column_capacity, needed, sizeof *sum->column);
    sum->value = tn_grow(sum->value, &sum->value_capacity, needed, sizeof *sum->value);
    uint32_t count = 0, i = 0, j = 0;
    while (i < row->count || j < other->count) {
        const uint32_t a = i < row->count ? row->column[i] : UINT32_MAX;
        const uint32_t b = j < other->count ? other->column[j] : UINT32_MAX;
        double value = 0.0;
        if (a <= b) value += row->value[i++];
        if (b <= a) value -= factor * other->value[j++];
        if (fabs(value) <= negligible) continue;
        sum->column[count] = a < b ? a : b;
        sum->value[count++] = value;
    }
    if (count > row->count) {
        tn_sparse_free(row);
        *row = tn_sparse_copy(count, sum->column, sum->value);
        return;
    }
    memcpy(row->column, sum->column, count * sizeof *row->column);
    memcpy(row->value, sum->value, count * sizeof *row->value);
    row->count = count;
}

void tn_sparse_sum_free(tn_sparse_sum *sum)
{
    tn_free(sum->column);
    tn_free(sum->value);
}

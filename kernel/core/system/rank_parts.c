/* rank_parts.c - sorts the rows that remain into parts that share no column */
#include "base/memory.h"
#include "system/rank_rows.h"

/* The column that stands for all that are joined to this one. */
static uint32_t root_of(uint32_t *parent, uint32_t column)
{
    while (parent[column] != column) {
        parent[column] = parent[parent[column]];
        column = parent[column];
    }
    return column;
}

static uint32_t *join_columns(const tn_rank_rows *rows)
{
    const tn_row_matrix *matrix = &rows->matrix;
    uint32_t *parent = tn_new(matrix->columns, sizeof *parent);
    for (uint32_t column = 0; column < matrix->columns; column++)
        parent[column] = column;
    for (uint32_t row = 0; row < matrix->rows; row++)
        for (uint32_t k = matrix->row_start[row] + 1; k < matrix->row_start[row + 1] && rows->left[row];
             k++) {
            const uint32_t a = root_of(parent, matrix->column[k - 1]);
            const uint32_t b = root_of(parent, matrix->column[k]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    return parent;
}

void tn_rank_parts_find(tn_rank_parts *p, const tn_rank_rows *rows)
{
    const tn_row_matrix *matrix = &rows->matrix;
    uint32_t *parent = join_columns(rows);
    uint32_t *part_of = tn_new(matrix->columns, sizeof *part_of); /* of a root, counted from 1 */
    p->start = tn_new((size_t)matrix->rows + 2, sizeof *p->start);
    p->row = tn_new(matrix->rows, sizeof *p->row);
    p->place = tn_new(matrix->columns, sizeof *p->place);
    for (uint32_t row = 0; row < matrix->rows; row++) {
        if (!rows->left[row]) continue;
        const uint32_t root = root_of(parent, matrix->column[matrix->row_start[row]]);
        if (!part_of[root]) part_of[root] = ++p->count;
        p->start[part_of[root] + 1]++;
    }
    // while rows are filed, start[part] moves from the first row of its part to the first one of the next
    for (uint32_t part = 0; part < p->count; part++)
        p->start[part + 2] += p->start[part + 1];
    p->width = tn_new(p->count, sizeof *p->width);
    for (uint32_t row = 0; row < matrix->rows; row++)
        if (rows->left[row])
            p->row[p->start[part_of[root_of(parent, matrix->column[matrix->row_start[row]])]]++] = row;
    for (uint32_t column = 0; column < matrix->columns; column++) {
        const uint32_t part = part_of[root_of(parent, column)];
        if (part) p->place[column] = p->width[part - 1]++;
    }
    tn_free(parent);
    tn_free(part_of);
}

void tn_rank_parts_free(tn_rank_parts *p)
{
    tn_free(p->start);
    tn_free(p->row);
    tn_free(p->width);
    tn_free(p->place);
}

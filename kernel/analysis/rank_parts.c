/* rank_parts.c - sorts the rows that remain into parts that share no column */
#include "analysis/rank_rows.h"

/* The column that stands for all that are joined to this one. */
static uint32_t root_of(uint32_t *parent, uint32_t column)
{
    while (parent[column] != column) {
        parent[column] = parent[parent[column]];
        column = parent[column];
    }
    return column;
}

static uint32_t *join_columns(tn_rank_rows *rows)
{
    uint32_t *parent = tn_arena_array(&rows->memory, rows->columns, sizeof *parent);
    for (uint32_t column = 0; column < rows->columns; column++)
        parent[column] = column;
    for (uint32_t row = 0; row < rows->count; row++)
        for (uint32_t k = 1; rows->left[row] && k < rows->row[row].count; k++) {
            const uint32_t a = root_of(parent, rows->row[row].entry[k - 1].column);
            const uint32_t b = root_of(parent, rows->row[row].entry[k].column);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    return parent;
}

tn_rank_parts tn_rank_parts_find(tn_rank_rows *rows)
{
    tn_arena *memory = &rows->memory;
    uint32_t *parent = join_columns(rows);
    uint32_t *part_of = tn_arena_array(memory, rows->columns, sizeof *part_of); /* of a root, from 1 */
    tn_rank_parts p = {.start = tn_arena_array(memory, (size_t)rows->count + 2, sizeof *p.start),
                       .row = tn_arena_array(memory, rows->count, sizeof *p.row),
                       .place = tn_arena_array(memory, rows->columns, sizeof *p.place)};
    for (uint32_t row = 0; row < rows->count; row++) {
        if (!rows->left[row]) continue;
        uint32_t *part = &part_of[root_of(parent, rows->row[row].entry[0].column)];
        if (!*part) *part = ++p.count;
        p.start[*part + 1]++;
    }
    // while rows are filed, start[part] moves from the first row of its part to the first one of the next
    for (uint32_t part = 0; part < p.count; part++)
        p.start[part + 2] += p.start[part + 1];
    p.width = tn_arena_array(memory, p.count, sizeof *p.width);
    for (uint32_t row = 0; row < rows->count; row++)
        if (rows->left[row]) p.row[p.start[part_of[root_of(parent, rows->row[row].entry[0].column)]]++] = row;
    for (uint32_t column = 0; column < rows->columns; column++) {
        const uint32_t part = part_of[root_of(parent, column)];
        if (part) p.place[column] = p.width[part - 1]++;
    }
    return p;
}

/* row_matrix.c - the rows of all constraints against the coordinates of all bodies, for the analysis of their rank */
#include "analysis/redundancy.h"
#include "system/matrix.h"

#include <string.h>

/* Entries of the border below the matrix of masses, row by row. Columns are measured in the scales of coordinates. */
static void transpose_border(const tn_assembly *assembly, tn_row_matrix *rows, tn_arena *memory)
{
    const tn_matrix *A = &assembly->equations.matrix;
    const uint32_t nv = assembly->system.nv;
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t j = 0; j < nv; j++)
            for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
                if ((uint32_t)A->row[e] < nv || A->value[e] == 0.0) continue;
                uint32_t *place = &rows->row_start[(uint32_t)A->row[e] - nv + (fill ? 0 : 1)];
                if (fill) {
                    rows->column[*place] = j;
                    rows->value[*place] = A->value[e] * assembly->scale[j];
                }
                ++*place;
            }
        if (fill) break;
        for (uint32_t r = 0; r < rows->rows; r++)
            rows->row_start[r + 1] += rows->row_start[r];
        rows->column = tn_arena_array(memory, rows->row_start[rows->rows], sizeof *rows->column);
        rows->value = tn_arena_array(memory, rows->row_start[rows->rows], sizeof *rows->value);
    }
    /* filling moved every start to the next one's */
    memmove(rows->row_start + 1, rows->row_start, rows->rows * sizeof *rows->row_start);
    rows->row_start[0] = 0;
}

static tn_column_bodies list_bodies(const tn_assembly *assembly, tn_arena *memory)
{
    uint32_t *start = tn_arena_array(memory, assembly->system.nv + 1u, sizeof *start), count = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const uint32_t nv = assembly->group[k].batch.layout->nv;
        for (uint32_t i = 0; nv && i < assembly->group[k].batch.count; i++)
            start[count++] = assembly->group[k].v_start + i * nv;
    }
    start[count] = assembly->system.nv;
    return (tn_column_bodies){count, start};
}

/* Rows that an event may take away, or bring, are zero while they do not act. */
static bool rests(const tn_group *group, uint32_t row)
{
    const size_t W = group->batch.wrench_size;
    if (!group->type->on_event) return false;
    for (size_t c = 0; c < W; c++)
        if (tn_rows_of(group, row / group->rows)[row % group->rows * W + c] != 0.0) return false;
    return true;
}

uint8_t *tn_active_rows(const tn_assembly *assembly, tn_arena *memory)
{
    uint8_t *active = tn_arena_array(memory, assembly->system.rows, sizeof *active);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t r = 0; r < group->rows * group->batch.count; r++)
            active[group->row_start + r] =
                !group->unilateral && (!group->active || group->active[r / group->rows]) && !rests(group, r);
    }
    return active;
}

tn_status tn_find_redundancy(tn_assembly *assembly, const tn_loaded_linear *dense, tn_rank *result)
{
    tn_system *system = &assembly->system;
    *result = (tn_rank){0};
    if (!system->rows) return TN_OK;
    if (!tn_system_pattern(system)) return TN_OUT_OF_MEMORY;
    const tn_matrix_request request = tn_request_of_masses(assembly);
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = tn_matrix_fill(assembly, &request, &assembly->equations);
    if (status != TN_OK) return status;

    tn_arena memory = {0};
    tn_row_matrix rows = {.rows = system->rows, .columns = system->nv};
    rows.row_start = tn_arena_array(&memory, rows.rows + 1u, sizeof *rows.row_start);
    transpose_border(assembly, &rows, &memory);
    const tn_column_bodies bodies = list_bodies(assembly, &memory);
    status = tn_rank_find(&rows, tn_active_rows(assembly, &memory), &bodies, dense, system->host, result);
    tn_arena_free(&memory);
    return status;
}

const char *tn_row_owner(const tn_assembly *assembly, uint32_t row, uint32_t *number)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (row < group->row_start || row >= group->row_start + group->rows * group->batch.count) continue;
        *number = (row - group->row_start) % group->rows + 1;
        return tn_item_name(assembly->model, group->item[(row - group->row_start) / group->rows]);
    }
    return "";
}

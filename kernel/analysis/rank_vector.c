/* rank_vector.c - null vectors of eliminated rows in terms of the rows that were given
 *
 * y^T (row - factor pivot) = y^T row - (factor y_row) pivot: undoing operations, latest first, carries a combination
 * over. Only operations on rows that have a part in it count; a heap brings them in order. */
#include "analysis/rank_rows.h"

void tn_rank_vector_add(tn_rank_vector *vector, uint32_t row, double value)
{
    vector->value[row] += value;
    if (vector->listed[row]) return;
    vector->listed[row] = true;
    vector->row[vector->count++] = row;
}

void tn_rank_vector_clear(tn_rank_vector *vector)
{
    for (size_t k = 0; k < vector->count; k++) {
        vector->value[vector->row[k]] = 0.0;
        vector->listed[vector->row[k]] = false;
    }
    vector->count = 0;
}

static void push_operation(tn_rank_vector *vector, size_t operation, tn_arena *memory)
{
    if (operation == 0) return;
    vector->waiting = tn_arena_grow(memory, vector->waiting, &vector->waiting_capacity,
                                    vector->waiting_count + 1, sizeof *vector->waiting);
    size_t place = vector->waiting_count++;
    for (; place > 0 && vector->waiting[(place - 1) / 2] < operation; place = (place - 1) / 2)
        vector->waiting[place] = vector->waiting[(place - 1) / 2];
    vector->waiting[place] = operation;
}

static size_t pop_latest(tn_rank_vector *vector)
{
    const size_t latest = vector->waiting[0], moved = vector->waiting[--vector->waiting_count];
    size_t place = 0;
    for (size_t child; (child = 2 * place + 1) < vector->waiting_count; place = child) {
        if (child + 1 < vector->waiting_count && vector->waiting[child + 1] > vector->waiting[child]) child++;
        if (vector->waiting[child] <= moved) break;
        vector->waiting[place] = vector->waiting[child];
    }
    vector->waiting[place] = moved;
    return latest;
}

void tn_rank_vector_undo(tn_rank_vector *vector, const tn_rank_operations *operations, tn_arena *memory)
{
    for (size_t k = 0; k < vector->count; k++)
        push_operation(vector, operations->last[vector->row[k]], memory);
    while (vector->waiting_count) {
        const tn_rank_operation *operation = &operations->operation[pop_latest(vector) - 1];
        vector->work += 1.0;
        push_operation(vector, operation->before, memory);
        if (!vector->listed[operation->pivot])
            push_operation(vector, operations->last[operation->pivot], memory);
        tn_rank_vector_add(vector, operation->pivot, -operation->factor * vector->value[operation->target]);
    }
}

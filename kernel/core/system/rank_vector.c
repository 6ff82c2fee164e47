/* rank_vector.c - null vectors of eliminated rows in terms of the rows that were given
 *
 * y^T (row - factor pivot) = y^T row - (factor y_row) pivot: undoing operations, latest first, carries a combination
 * over. Only operations on rows that have a part in it count; a heap brings them in order. */
#include "base/memory.h"
#include "system/rank_rows.h"

void tn_rank_operations_begin(tn_rank_operations *operations, uint32_t rows)
{
    *operations = (tn_rank_operations){.last = tn_new(rows, sizeof *operations->last)};
}

void tn_rank_operations_end(tn_rank_operations *operations)
{
    tn_free(operations->operation);
    tn_free(operations->last);
    tn_free(operations->vanished);
}

void tn_rank_vector_begin(tn_rank_vector *vector, uint32_t rows)
{
    *vector = (tn_rank_vector){.value = tn_new(rows, sizeof *vector->value),
                               .listed = tn_new(rows, sizeof *vector->listed)};
}

void tn_rank_vector_end(tn_rank_vector *vector)
{
    tn_free(vector->value);
    tn_free(vector->listed);
    tn_free(vector->row);
    tn_free(vector->waiting);
}

void tn_rank_vector_add(tn_rank_vector *vector, uint32_t row, double value)
{
    vector->value[row] += value;
    if (vector->listed[row]) return;
    vector->listed[row] = true;
    vector->row = tn_grow(vector->row, &vector->capacity, vector->count + 1, sizeof *vector->row);
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

static void push(tn_rank_vector *vector, size_t operation)
{
    if (operation == 0) return;
    vector->waiting = tn_grow(vector->waiting, &vector->waiting_capacity, vector->waiting_count + 1,
                              sizeof *vector->waiting);
    size_t place = vector->waiting_count++;
    for (; place > 0 && vector->waiting[(place - 1) / 2] < operation; place = (place - 1) / 2)
        vector->waiting[place] = vector->waiting[(place - 1) / 2];
    vector->waiting[place] = operation;
}

static size_t pop(tn_rank_vector *vector)
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

void tn_rank_vector_undo(tn_rank_vector *vector, const tn_rank_operations *operations)
{
    for (size_t k = 0; k < vector->count; k++)
        push(vector, operations->last[vector->row[k]]);
    while (vector->waiting_count) {
        const tn_rank_operation *operation = &operations->operation[pop(vector) - 1];
        vector->work += 1.0;
        push(vector, operation->before);
        if (!vector->listed[operation->pivot]) push(vector, operations->last[operation->pivot]);
        tn_rank_vector_add(vector, operation->pivot, -operation->factor * vector->value[operation->target]);
    }
}

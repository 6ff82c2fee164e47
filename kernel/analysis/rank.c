/* rank.c - independent and dependent rows: bodies decide what they can, dense factorisations the rest
 *
 * Where bodies have taken away what they can by themselves (rank_eliminate.c), closed loops remain. Rows and columns fall into parts that have nothing to do with
 * each other, often more than there are loops: a planar mechanism parts into motion within and out of its plane.
 * Each part goes, transposed, through a rank-revealing factorisation; every dependent row of it gives a null vector.
 * Its work grows with the cube of the rows: large parts are eliminated body by body before, and only
 * what is not clear there is left to it. */
#include "analysis/rank.h"

#include "analysis/rank_rows.h"
#include "plugin/call_site.h"

#include <math.h>
#include <stdlib.h>

#define MOST_DIRECT_ROWS 500u /* larger parts are eliminated before */
#define MOST_CORE_ROWS 5000u  /* a minute */
#define MOST_CORE_BYTES 4.0e9
#define MOST_UNDONE 5e7    /* operations on all null vectors: some seconds */
#define SMALLEST_PART 1e-6 /* of the largest entry of a null vector: smaller ones have no part in it */

typedef struct search {
    const tn_loaded_linear *dense;
    const tn_host *host;
    tn_rank_rows rows;
    tn_rank_operations operations;
    tn_rank_vector vector; /* the null vector in hand */
    tn_rank *result;
    size_t start_capacity, row_capacity, value_capacity; /* of the sets */
} search;

/* Copies a row to `entry`, scaled to length 1; returns how many of its entries are not negligible. */
static uint32_t copy_row(const tn_row_matrix *matrix, uint32_t row, struct tn_rank_entry *entry)
{
    const uint32_t start = matrix->row_start[row], end = matrix->row_start[row + 1];
    double square = 0.0, largest = 0.0;
    for (uint32_t k = start; k < end; k++)
        largest = fmax(largest, fabs(matrix->value[k]));
    if (largest == 0.0) return 0;
    for (uint32_t k = start; k < end; k++)
        square += (matrix->value[k] / largest) * (matrix->value[k] / largest);
    const double length = sqrt(square);
    uint32_t count = 0;
    for (uint32_t k = start; k < end; k++) {
        const double value = matrix->value[k] / largest / length;
        if (fabs(value) > TN_RANK_NEGLIGIBLE)
            entry[count++] = (struct tn_rank_entry){matrix->column[k], value};
    }
    return count;
}

static void begin_rows(tn_rank_rows *rows, const tn_row_matrix *matrix, const uint8_t *active,
                       const tn_column_bodies *bodies)
{
    struct tn_rank_entry *entry =
        tn_arena_array(&rows->memory, matrix->row_start[matrix->rows], sizeof *entry);
    rows->count = matrix->rows;
    rows->columns = matrix->columns;
    rows->row = tn_arena_array(&rows->memory, rows->count, sizeof *rows->row);
    rows->left = tn_arena_array(&rows->memory, rows->count, sizeof *rows->left);
    for (uint32_t k = 0; k < rows->count; k++) {
        rows->row[k].entry = entry + matrix->row_start[k];
        if (active[k]) rows->row[k].count = copy_row(matrix, k, rows->row[k].entry);
        rows->left[k] = rows->row[k].count > 0;
    }
    rows->bodies = bodies;
    rows->body = tn_arena_array(&rows->memory, rows->columns, sizeof *rows->body);
    for (uint32_t body = 0; body < bodies->count; body++)
        for (uint32_t column = bodies->start[body]; column < bodies->start[body + 1]; column++)
            rows->body[column] = body;
}

static void begin_search(search *s)
{
    tn_arena *memory = &s->rows.memory;
    const uint32_t rows = s->rows.count;
    s->operations = (tn_rank_operations){.last = tn_arena_array(memory, rows, sizeof(size_t)),
                                         .vanished = tn_arena_array(memory, rows, sizeof(uint32_t))};
    s->vector = (tn_rank_vector){.value = tn_arena_array(memory, rows, sizeof(double)),
                                 .listed = tn_arena_array(memory, rows, sizeof(bool)),
                                 .row = tn_arena_array(memory, rows, sizeof(uint32_t))};
}

static void end_search(search *s)
{
    for (uint32_t row = 0; row < s->rows.count; row++)
        tn_free(s->rows.row[row].own);
    tn_free(s->operations.operation);
    tn_arena_free(&s->rows.memory);
}

/* Opens a set; add_row_to_set() fills it. */
static void open_set(search *s)
{
    tn_rank *result = s->result;
    result->set_start =
        tn_grow(result->set_start, &s->start_capacity, result->set_count + 2u, sizeof *result->set_start);
    if (result->set_count == 0) result->set_start[0] = 0;
    result->set_start[result->set_count + 1] = result->set_start[result->set_count];
    result->set_count++;
}

static void add_row_to_set(search *s, uint32_t row)
{
    tn_rank *result = s->result;
    uint32_t *end = &result->set_start[result->set_count];
    result->set_row = tn_grow(result->set_row, &s->row_capacity, *end + (size_t)1, sizeof *result->set_row);
    result->set_value =
        tn_grow(result->set_value, &s->value_capacity, *end + (size_t)1, sizeof *result->set_value);
    result->set_value[*end] = 1.0;
    result->set_row[(*end)++] = row;
}

static int compare_rows(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The set of a null vector: its large entries. */
static tn_status add_null_vector(search *s)
{
    tn_rank_vector *vector = &s->vector;
    tn_rank_vector_undo(vector, &s->operations, &s->rows.memory);
    double largest = 0.0;
    for (size_t k = 0; k < vector->count; k++)
        largest = fmax(largest, fabs(vector->value[vector->row[k]]));
    open_set(s);
    for (size_t k = 0; k < vector->count; k++)
        if (fabs(vector->value[vector->row[k]]) > largest * SMALLEST_PART) add_row_to_set(s, vector->row[k]);
    const uint32_t *start = &s->result->set_start[s->result->set_count - 1];
    qsort(s->result->set_row + start[0], start[1] - start[0], sizeof *s->result->set_row, compare_rows);
    for (uint32_t k = start[0]; k < start[1]; k++)
        s->result->set_value[k] = vector->value[s->result->set_row[k]];
    tn_rank_vector_clear(vector);
    return vector->work < MOST_UNDONE ? TN_OK : TN_UNSUPPORTED;
}

/* Rows of the part become columns of a dense matrix. */
static void fill_dense(const tn_rank_rows *rows, const tn_rank_parts *parts, uint32_t part, double *dense)
{
    for (uint32_t k = parts->start[part]; k < parts->start[part + 1]; k++, dense += parts->width[part]) {
        const tn_rank_row *row = &rows->row[parts->row[k]];
        for (uint32_t e = 0; e < row->count; e++)
            dense[parts->place[row->entry[e].column]] = row->entry[e].value;
    }
}

static double largest_length(const double *matrix, uint32_t width, uint32_t count)
{
    double largest = 0.0;
    for (uint32_t k = 0; k < count; k++, matrix += width) {
        double square = 0.0;
        for (uint32_t c = 0; c < width; c++)
            square += matrix[c] * matrix[c];
        largest = fmax(largest, square);
    }
    return sqrt(largest);
}

/* One null vector per dependent row: 1 there, minus its combination at the independent ones. */
static tn_status add_combinations(search *s, const uint32_t *row, const uint32_t *order, uint32_t rank,
                                  uint32_t count, const double *combination)
{
    tn_status status = TN_OK;
    for (uint32_t k = rank; k < count && status == TN_OK; k++, combination += rank) {
        tn_rank_vector_add(&s->vector, row[order[k]], 1.0);
        for (uint32_t i = 0; i < rank; i++)
            if (combination[i] != 0.0) tn_rank_vector_add(&s->vector, row[order[i]], -combination[i]);
        status = add_null_vector(s);
    }
    return status;
}

static tn_status analyse_part(search *s, const tn_rank_parts *parts, uint32_t part)
{
    const uint32_t count = parts->start[part + 1] - parts->start[part], width = parts->width[part];
    const size_t entries = (size_t)count * width, combinations = (size_t)count * count / 4;
    if (count > MOST_CORE_ROWS || (double)(entries + combinations) * sizeof(double) > MOST_CORE_BYTES)
        return TN_UNSUPPORTED;

    // so much memory that a lack of it is a result
    double *matrix = tn_adopt(calloc(entries + combinations, sizeof *matrix)),
           *combination = matrix + entries;
    if (!matrix) return TN_OUT_OF_MEMORY;
    uint32_t *order = tn_arena_array(&s->rows.memory, count, sizeof *order), rank = 0;
    fill_dense(&s->rows, parts, part, matrix);
    const double tolerance = TN_RANK_TOLERANCE / largest_length(matrix, width, count);
    tn_status status =
        tn_call(s->dense, dependent, s->host, width, count, matrix, tolerance, &rank, order, combination);
    if (status == TN_OK) {
        s->result->rank += rank;
        status = add_combinations(s, parts->row + parts->start[part], order, rank, count, combination);
    }
    tn_free(matrix);
    return status;
}

/* Rows of large parts; NULL where there are no large parts. */
static bool *choose_rows(search *s)
{
    const tn_rank_parts parts = tn_rank_parts_find(&s->rows);
    bool *chosen = NULL;
    for (uint32_t part = 0; part < parts.count; part++) {
        const uint32_t count = parts.start[part + 1] - parts.start[part];
        if (count > s->result->core_rows) s->result->core_rows = count;
        if (count <= MOST_DIRECT_ROWS) continue;
        if (!chosen) chosen = tn_arena_array(&s->rows.memory, s->rows.count, sizeof *chosen);
        for (uint32_t k = parts.start[part]; k < parts.start[part + 1]; k++)
            chosen[parts.row[k]] = true;
    }
    return chosen;
}

static tn_status eliminate_large_parts(search *s)
{
    const bool *chosen = choose_rows(s);
    if (chosen) s->result->rank += tn_rank_eliminate(&s->rows, chosen, &s->operations);
    tn_status status = TN_OK;
    for (size_t k = 0; k < s->operations.vanished_count && status == TN_OK; k++) {
        tn_rank_vector_add(&s->vector, s->operations.vanished[k], 1.0);
        status = add_null_vector(s);
    }
    return status;
}

static tn_status analyse_parts(search *s)
{
    const tn_rank_parts parts = tn_rank_parts_find(&s->rows);
    tn_status status = parts.count && (!s->dense || !s->dense->dependent) ? TN_UNSUPPORTED : TN_OK;
    for (uint32_t part = 0; part < parts.count && status == TN_OK; part++)
        status = analyse_part(s, &parts, part);
    return status;
}

tn_status tn_rank_find(const tn_row_matrix *matrix, const uint8_t *active, const tn_column_bodies *bodies,
                       const tn_loaded_linear *dense, const tn_host *host, tn_rank *result)
{
    *result = (tn_rank){0};
    search s = {.dense = dense, .host = host, .result = result};
    begin_rows(&s.rows, matrix, active, bodies);
    begin_search(&s);
    for (uint32_t row = 0; row < matrix->rows; row++)
        if (active[row] && !s.rows.left[row]) {
            open_set(&s);
            add_row_to_set(&s, row);
        }
    result->rank = tn_rank_eliminate(&s.rows, s.rows.left, NULL);
    tn_status status = eliminate_large_parts(&s);
    if (status == TN_OK) status = analyse_parts(&s);
    result->redundant = result->set_count;
    end_search(&s);
    return status;
}

void tn_rank_free(tn_rank *result)
{
    tn_free(result->set_start);
    tn_free(result->set_row);
    tn_free(result->set_value);
    *result = (tn_rank){0};
}

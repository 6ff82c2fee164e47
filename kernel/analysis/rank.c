/* rank.c - independent and dependent rows: bodies decide what they can, dense factorisations the rest
 *
 * After the peeling (rank_peel.c) closed loops remain. Rows and columns fall into parts that have nothing to do with
 * each other, often more than there are loops: a planar mechanism parts into motion within and out of its plane.
 * Each part goes, transposed, through a rank-revealing factorisation; every dependent row of it gives a null vector.
 * Its work grows with the cube of the rows: large parts are eliminated body by body before (rank_eliminate.c), and only
 * what is not clear there is left to it. */
#include "analysis/rank.h"

#include "analysis/rank_rows.h"
#include "base/memory.h"
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
    size_t start_capacity, row_capacity; /* of the sets */
} search;

static void copy_row(tn_row_matrix *copy, const tn_row_matrix *matrix, uint32_t row)
{
    double square = 0.0, largest = 0.0;
    for (uint32_t k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
        largest = fmax(largest, fabs(matrix->value[k]));
    if (largest == 0.0) return;
    for (uint32_t k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
        square += (matrix->value[k] / largest) * (matrix->value[k] / largest);
    const double length = sqrt(square);
    uint32_t next = copy->row_start[row];
    for (uint32_t k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++) {
        const double value = matrix->value[k] / largest / length;
        if (fabs(value) <= TN_RANK_NEGLIGIBLE) continue;
        copy->column[next] = matrix->column[k];
        copy->value[next++] = value;
    }
    copy->row_start[row + 1] = next;
}

static void begin_rows(tn_rank_rows *rows, const tn_row_matrix *matrix, const uint8_t *active,
                       const tn_column_bodies *bodies)
{
    const size_t entries = matrix->row_start[matrix->rows];
    rows->matrix = (tn_row_matrix){.rows = matrix->rows,
                                   .columns = matrix->columns,
                                   .row_start = tn_new((size_t)matrix->rows + 1, sizeof(uint32_t)),
                                   .column = tn_new(entries, sizeof(uint32_t)),
                                   .value = tn_new(entries, sizeof(double))};
    rows->left = tn_new(matrix->rows, sizeof *rows->left);
    for (uint32_t row = 0; row < matrix->rows; row++) {
        rows->matrix.row_start[row + 1] = rows->matrix.row_start[row];
        if (active[row]) copy_row(&rows->matrix, matrix, row);
        rows->left[row] = rows->matrix.row_start[row + 1] > rows->matrix.row_start[row];
    }
    rows->body = tn_new(matrix->columns, sizeof *rows->body);
    for (uint32_t body = 0; body < bodies->count; body++)
        for (uint32_t column = bodies->start[body]; column < bodies->start[body + 1]; column++)
            rows->body[column] = body;
}

static void end_rows(tn_rank_rows *rows)
{
    tn_free(rows->matrix.row_start);
    tn_free(rows->matrix.column);
    tn_free(rows->matrix.value);
    tn_free(rows->left);
    tn_free(rows->body);
}

/* Opens a set; add_row() fills it. */
static void add_set(search *s)
{
    tn_rank *result = s->result;
    result->set_start =
        tn_grow(result->set_start, &s->start_capacity, result->set_count + 2u, sizeof *result->set_start);
    if (result->set_count == 0) result->set_start[0] = 0;
    result->set_start[result->set_count + 1] = result->set_start[result->set_count];
    result->set_count++;
}

static void add_row(search *s, uint32_t row)
{
    tn_rank *result = s->result;
    uint32_t *end = &result->set_start[result->set_count];
    result->set_row = tn_grow(result->set_row, &s->row_capacity, *end + (size_t)1, sizeof *result->set_row);
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
    tn_rank_vector_undo(vector, &s->operations);
    double largest = 0.0;
    for (size_t k = 0; k < vector->count; k++)
        largest = fmax(largest, fabs(vector->value[vector->row[k]]));
    add_set(s);
    for (size_t k = 0; k < vector->count; k++)
        if (fabs(vector->value[vector->row[k]]) > largest * SMALLEST_PART) add_row(s, vector->row[k]);
    tn_rank_vector_clear(vector);
    const uint32_t *start = &s->result->set_start[s->result->set_count - 1];
    qsort(s->result->set_row + start[0], start[1] - start[0], sizeof *s->result->set_row, compare_rows);
    return vector->work < MOST_UNDONE ? TN_OK : TN_UNSUPPORTED;
}

/* Rows of the part become columns of a dense matrix. */
static void fill_dense(const tn_rank_rows *rows, const tn_rank_parts *parts, uint32_t part, double *dense)
{
    const tn_row_matrix *matrix = &rows->matrix;
    for (uint32_t k = parts->start[part]; k < parts->start[part + 1]; k++, dense += parts->width[part])
        for (uint32_t e = matrix->row_start[parts->row[k]]; e < matrix->row_start[parts->row[k] + 1]; e++)
            dense[parts->place[matrix->column[e]]] = matrix->value[e];
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

    // so much of it that the reader of the result tells of its lack
    double *matrix = tn_adopt(calloc(entries + combinations, sizeof *matrix)),
           *combination = matrix + entries;
    if (!matrix) return TN_OUT_OF_MEMORY;
    uint32_t *order = tn_new(count, sizeof *order), rank = 0;
    fill_dense(&s->rows, parts, part, matrix);
    const double tolerance = TN_RANK_TOLERANCE / largest_length(matrix, width, count);
    tn_status status =
        tn_call(s->dense, dependent, s->host, width, count, matrix, tolerance, &rank, order, combination);
    if (status == TN_OK) {
        s->result->rank += rank;
        status = add_combinations(s, parts->row + parts->start[part], order, rank, count, combination);
    }
    tn_free(matrix);
    tn_free(order);
    return status;
}

/* Rows of large parts; none: NULL. */
static bool *choose_rows(search *s)
{
    tn_rank_parts parts = {0};
    tn_rank_parts_find(&parts, &s->rows);
    bool *chosen = NULL;
    for (uint32_t part = 0; part < parts.count; part++) {
        const uint32_t count = parts.start[part + 1] - parts.start[part];
        if (count > s->result->core_rows) s->result->core_rows = count;
        if (count <= MOST_DIRECT_ROWS) continue;
        if (!chosen) chosen = tn_new(s->rows.matrix.rows, sizeof *chosen);
        for (uint32_t k = parts.start[part]; k < parts.start[part + 1]; k++)
            chosen[parts.row[k]] = true;
    }
    tn_rank_parts_free(&parts);
    return chosen;
}

static tn_status eliminate_large_parts(search *s, const tn_column_bodies *bodies)
{
    bool *chosen = choose_rows(s);
    if (chosen) s->result->rank += tn_rank_eliminate(&s->rows, bodies, chosen, &s->operations);
    tn_free(chosen);
    tn_status status = TN_OK;
    for (size_t k = 0; k < s->operations.vanished_count && status == TN_OK; k++) {
        tn_rank_vector_add(&s->vector, s->operations.vanished[k], 1.0);
        status = add_null_vector(s);
    }
    return status;
}

static tn_status analyse_parts(search *s)
{
    tn_rank_parts parts = {0};
    tn_rank_parts_find(&parts, &s->rows);
    tn_status status = parts.count && (!s->dense || !s->dense->dependent) ? TN_UNSUPPORTED : TN_OK;
    for (uint32_t part = 0; part < parts.count && status == TN_OK; part++)
        status = analyse_part(s, &parts, part);
    tn_rank_parts_free(&parts);
    return status;
}

tn_status tn_rank_find(const tn_row_matrix *matrix, const uint8_t *active, const tn_column_bodies *bodies,
                       const tn_loaded_linear *dense, const tn_host *host, tn_rank *result)
{
    *result = (tn_rank){0};
    search s = {.dense = dense, .host = host, .result = result};
    begin_rows(&s.rows, matrix, active, bodies);
    tn_rank_operations_begin(&s.operations, matrix->rows);
    tn_rank_vector_begin(&s.vector, matrix->rows);
    for (uint32_t row = 0; row < matrix->rows; row++)
        if (active[row] && !s.rows.left[row]) {
            add_set(&s);
            add_row(&s, row);
        }
    result->rank = tn_rank_peel(&s.rows, bodies);
    tn_status status = eliminate_large_parts(&s, bodies);
    if (status == TN_OK) status = analyse_parts(&s);
    result->redundant = result->set_count;
    tn_rank_operations_end(&s.operations);
    tn_rank_vector_end(&s.vector);
    end_rows(&s.rows);
    return status;
}

void tn_rank_free(tn_rank *result)
{
    tn_free(result->set_start);
    tn_free(result->set_row);
    *result = (tn_rank){0};
}

/* rank.c - independent and dependent rows: bodies decide what they can, dense factorisations the rest
 *
 * After the peeling (rank_peel.c) closed loops remain. Rows and columns fall into parts that have nothing to do with
 * each other, often more than there are loops: a planar mechanism parts into motion within and out of its plane.
 * Each part goes, transposed, through a rank-revealing factorisation; every dependent row of it gives a null vector. */
#include "system/rank.h"

#include "base/memory.h"
#include "system/rank_rows.h"

#include <math.h>
#include <stdlib.h>

#define MOST_CORE_ROWS 20000u
#define MOST_CORE_BYTES 4.0e9
#define SMALLEST_PART 1e-6 /* of the largest entry of a null vector: smaller ones have no part in it */

/* The sets found so far. */
typedef struct collection {
    tn_rank *result;
    size_t start_capacity, row_capacity;
} collection;

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
    free(rows->matrix.row_start);
    free(rows->matrix.column);
    free(rows->matrix.value);
    free(rows->left);
    free(rows->body);
}

/* Opens a set; add_row() fills it. */
static void add_set(collection *sets)
{
    tn_rank *result = sets->result;
    result->set_start =
        tn_grow(result->set_start, &sets->start_capacity, result->set_count + 2u, sizeof *result->set_start);
    if (result->set_count == 0) result->set_start[0] = 0;
    result->set_start[result->set_count + 1] = result->set_start[result->set_count];
    result->set_count++;
}

static void add_row(collection *sets, uint32_t row)
{
    tn_rank *result = sets->result;
    uint32_t *end = &result->set_start[result->set_count];
    result->set_row =
        tn_grow(result->set_row, &sets->row_capacity, *end + (size_t)1, sizeof *result->set_row);
    result->set_row[(*end)++] = row;
}

static int compare_rows(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The set of a null vector: 1 at `dependent`, minus its combination at the independent rows. */
static void add_null_vector(collection *sets, const uint32_t *row, const uint32_t *order, uint32_t rank,
                            uint32_t dependent, const double *combination)
{
    double largest = 1.0;
    for (uint32_t i = 0; i < rank; i++)
        largest = fmax(largest, fabs(combination[i]));
    add_set(sets);
    if (largest * SMALLEST_PART < 1.0) add_row(sets, row[dependent]);
    for (uint32_t i = 0; i < rank; i++)
        if (fabs(combination[i]) > largest * SMALLEST_PART) add_row(sets, row[order[i]]);
    const uint32_t *start = &sets->result->set_start[sets->result->set_count - 1];
    qsort(sets->result->set_row + start[0], start[1] - start[0], sizeof *row, compare_rows);
}

/* Rows of the part become columns of a dense matrix. */
static void fill_dense(const tn_rank_rows *rows, const tn_rank_parts *parts, uint32_t part, double *dense)
{
    const tn_row_matrix *matrix = &rows->matrix;
    for (uint32_t k = parts->start[part]; k < parts->start[part + 1]; k++, dense += parts->width[part])
        for (uint32_t e = matrix->row_start[parts->row[k]]; e < matrix->row_start[parts->row[k] + 1]; e++)
            dense[parts->place[matrix->column[e]]] = matrix->value[e];
}

static tn_status analyse_part(const tn_rank_rows *rows, const tn_rank_parts *parts, uint32_t part,
                              const tn_linear_type *dense, const tn_host *host, collection *sets)
{
    const uint32_t count = parts->start[part + 1] - parts->start[part], width = parts->width[part];
    const size_t entries = (size_t)count * width, combinations = (size_t)count * count / 4;
    if (count > MOST_CORE_ROWS || (double)(entries + combinations) * sizeof(double) > MOST_CORE_BYTES)
        return TN_UNSUPPORTED;

    // so much of it that its lack is no reason to end
    double *matrix = calloc(entries + combinations, sizeof *matrix), *combination = matrix + entries;
    if (!matrix) return TN_UNSUPPORTED;
    uint32_t *order = tn_new(count, sizeof *order), rank = 0;
    fill_dense(rows, parts, part, matrix);
    const tn_status status =
        dense->dependent(host, width, count, matrix, TN_RANK_TOLERANCE, &rank, order, combination);
    if (status == TN_OK) {
        sets->result->rank += rank;
        for (uint32_t k = rank; k < count; k++)
            add_null_vector(sets, parts->row + parts->start[part], order, rank, order[k],
                            combination + (size_t)(k - rank) * rank);
    }
    free(matrix);
    free(order);
    return status;
}

static tn_status analyse_parts(const tn_rank_rows *rows, const tn_linear_type *dense, const tn_host *host,
                               collection *sets)
{
    tn_rank_parts parts = {0};
    tn_rank_parts_find(&parts, rows);
    uint32_t *core_rows = &sets->result->core_rows;
    for (uint32_t part = 0; part < parts.count; part++) {
        const uint32_t count = parts.start[part + 1] - parts.start[part];
        if (count > *core_rows) *core_rows = count;
    }
    tn_status status = parts.count && (!dense || !dense->dependent) ? TN_UNSUPPORTED : TN_OK;
    for (uint32_t part = 0; part < parts.count && status == TN_OK; part++)
        status = analyse_part(rows, &parts, part, dense, host, sets);
    tn_rank_parts_free(&parts);
    return status;
}

tn_status tn_rank_find(const tn_row_matrix *matrix, const uint8_t *active, const tn_column_bodies *bodies,
                       const tn_linear_type *dense, const tn_host *host, tn_rank *result)
{
    *result = (tn_rank){0};
    tn_rank_rows rows = {0};
    collection sets = {.result = result};
    begin_rows(&rows, matrix, active, bodies);
    for (uint32_t row = 0; row < matrix->rows; row++)
        if (active[row] && !rows.left[row]) {
            add_set(&sets);
            add_row(&sets, row);
        }
    result->rank = tn_rank_peel(&rows, bodies);
    const tn_status status = analyse_parts(&rows, dense, host, &sets);
    result->redundant = result->set_count;
    end_rows(&rows);
    return status;
}

void tn_rank_free(tn_rank *result)
{
    free(result->set_start);
    free(result->set_row);
    *result = (tn_rank){0};
}

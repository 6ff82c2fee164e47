/* block_matrix.c - the matrix in rows of dense blocks: half as many indices to read as numbers, and rows of their own for threads */
#include "iterative.h"

#include <tenon/kit/block_pattern.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_OF_TASK = 128 }; /* rows of blocks */

/* ---- memory -------------------------------------------------------------------------------------------------------- */

struct iterative_memory {
    struct iterative_memory *next;
    double room[];
};

void *iterative_new(iterative *k, size_t count, size_t size)
{
    if (count > (SIZE_MAX - sizeof(struct iterative_memory)) / size) return NULL;
    struct iterative_memory *memory = calloc(1, sizeof *memory + count * size);
    if (!memory) return NULL;
    memory->next = k->memory;
    k->memory = memory;
    return memory->room;
}

void iterative_free(iterative *k)
{
    for (struct iterative_memory *memory = k->memory; memory;) {
        struct iterative_memory *next = memory->next;
        free(memory);
        memory = next;
    }
    k->memory = NULL;
}

/* ---- pattern ------------------------------------------------------------------------------------------------------- */

/* Lists a row of the union of a pattern and its transpose; `transposed` [count] of its own row, both ascending. */
static int32_t merge_row(const int32_t *a, const int32_t *end_a, const int32_t *b, const int32_t *end_b,
                         int32_t *to)
{
    int32_t count = 0;
    while (a < end_a || b < end_b) {
        const int32_t next = b == end_b || (a < end_a && *a <= *b) ? *a : *b;
        if (a < end_a && *a == next) a++;
        if (b < end_b && *b == next) b++;
        if (to) to[count] = next;
        count++;
    }
    return count;
}

/* The columns of each row of a pattern that lists the rows of each column. */
static void transpose(const tn_block_pattern *p, int32_t *start, int32_t *column)
{
    for (int32_t e = 0; e < p->column_start[p->count]; e++)
        start[p->row[e] + 1]++;
    for (uint32_t b = 0; b < p->count; b++)
        start[b + 1] += start[b];
    for (uint32_t b = 0; b < p->count; b++)
        for (int32_t e = p->column_start[b]; e < p->column_start[b + 1]; e++)
            column[start[p->row[e]]++] = (int32_t)b;
    memmove(start + 1, start, p->count * sizeof *start);
    start[0] = 0;
}

/* Where the diagonal and the other side of it are, and where values begin. */
static void find_mates(block_matrix *F, int32_t *next)
{
    size_t place = 0;
    memcpy(next, F->row_start, F->count * sizeof *next);
    for (uint32_t i = 0; i < F->count; i++)
        for (int32_t e = F->row_start[i]; e < F->row_start[i + 1]; e++) {
            const uint32_t j = (uint32_t)F->column[e];
            F->mate[e] = next[j]++;
            F->place[e] = place;
            place += (size_t)block_size(F, i) * block_size(F, j);
            if (i == j) F->diagonal[i] = e;
        }
    F->place[F->row_start[F->count]] = place;
}

/* The rest of a matrix whose rows are listed. */
bool block_matrix_complete(iterative *k, block_matrix *F)
{
    const size_t blocks = F->count, entries = (size_t)F->row_start[F->count];
    int32_t *next = calloc(blocks + 1, sizeof *next);
    F->mate = iterative_new(k, entries + 1, sizeof *F->mate);
    F->diagonal = iterative_new(k, blocks + 1, sizeof *F->diagonal);
    F->place = iterative_new(k, entries + 1, sizeof *F->place);
    const bool good = next && F->mate && F->diagonal && F->place;
    if (good) find_mates(F, next);
    free(next);
    if (!good) return false;
    F->value = iterative_new(k, F->place[entries] + 1, sizeof *F->value);
    return F->value != NULL;
}

/* Lists the rows of the pattern and its transpose. */
static bool list_union(iterative *k, const tn_block_pattern *p)
{
    block_matrix *F = &k->F;
    const int32_t *listed = p->column_start;
    int32_t *start = calloc((size_t)p->count + 2, sizeof *start);
    int32_t *column = calloc((size_t)listed[p->count] + 1, sizeof *column);
    F->row_start = iterative_new(k, (size_t)p->count + 1, sizeof *F->row_start);
    bool good = start && column && F->row_start;
    if (good) {
        transpose(p, start, column);
        for (uint32_t b = 0; b < p->count; b++)
            F->row_start[b + 1] =
                F->row_start[b] + merge_row(column + start[b], column + start[b + 1], p->row + listed[b],
                                            p->row + listed[b + 1], NULL);
        F->column = iterative_new(k, (size_t)F->row_start[p->count] + 1, sizeof *F->column);
        good = F->column != NULL;
    }
    for (uint32_t b = 0; good && b < p->count; b++)
        (void)merge_row(column + start[b], column + start[b + 1], p->row + listed[b], p->row + listed[b + 1],
                        F->column + F->row_start[b]);
    free(start);
    free(column);
    return good;
}

/* Copies of what outlives the analysis. */
static bool keep_blocks(iterative *k, const tn_block_pattern *p)
{
    uint32_t *start = iterative_new(k, (size_t)p->count + 1, sizeof *start);
    k->block = iterative_new(k, (size_t)k->size + 1, sizeof *k->block);
    if (!start || !k->block) return false;
    memcpy(start, p->start, ((size_t)p->count + 1) * sizeof *start);
    memcpy(k->block, p->block, k->size * sizeof *k->block);
    k->F.count = p->count;
    k->F.start = start;
    return true;
}

tn_status block_matrix_make(iterative *k, const tn_matrix *pattern)
{
    tn_block_pattern blocks;
    if (!tn_block_pattern_make(&blocks, pattern, LARGEST_BLOCK)) return TN_OUT_OF_MEMORY;
    const bool listed = keep_blocks(k, &blocks) && list_union(k, &blocks);
    tn_block_pattern_free(&blocks);
    const size_t n = (size_t)k->size + 1;
    if (!listed || !block_matrix_complete(k, &k->F)) return TN_OUT_OF_MEMORY;
    k->scale = iterative_new(k, n, sizeof *k->scale);
    k->sign = iterative_new(k, n, sizeof *k->sign);
    k->row_part = iterative_new(k, (size_t)k->F.count + 1, sizeof *k->row_part);
    return k->scale && k->sign && k->row_part ? TN_OK : TN_OUT_OF_MEMORY;
}

/* ---- values -------------------------------------------------------------------------------------------------------- */

/* A loop over rows of blocks, or columns: each of them writes what is its own. */
typedef struct row_task {
    iterative *k;
    const tn_matrix *A;
    const double *x, *b;
    double *y;
} row_task;

static void for_rows(iterative *k, void (*task)(void *data, size_t first, size_t last), row_task *t)
{
    if (k->F.count > ROWS_OF_TASK)
        k->host->parallel_for(k->host, k->F.count, ROWS_OF_TASK, task, t);
    else
        task(t, 0, k->F.count);
}

static void fill_columns(void *data, size_t first, size_t last)
{
    const row_task *t = data;
    const tn_matrix *A = t->A;
    const block_matrix *F = &t->k->F;
    for (size_t b = first; b < last; b++) {
        const uint32_t width = block_size(F, (uint32_t)b);
        for (int32_t e = F->row_start[b]; e < F->row_start[b + 1]; e++) {
            const int32_t mate = F->mate[e];
            memset(F->value + F->place[mate], 0, (F->place[mate + 1] - F->place[mate]) * sizeof *F->value);
        }
        for (uint32_t j = 0; j < width; j++) {
            const uint32_t column = F->start[b] + j;
            int32_t e = F->row_start[b];
            for (int32_t a = A->column_start[column]; a < A->column_start[column + 1]; a++) {
                const uint32_t row = (uint32_t)A->row[a], in = t->k->block[row];
                while ((uint32_t)F->column[e] != in)
                    e++;
                F->value[F->place[F->mate[e]] + (size_t)j * block_size(F, in) + row - F->start[in]] =
                    A->value[a];
            }
        }
    }
}

void block_matrix_fill(iterative *k, const tn_matrix *A)
{
    for_rows(k, fill_columns, &(row_task){.k = k, .A = A});
}

/* What row r of block i is measured by: its diagonal; of a constraint about its diagonal of G A^-1 G^T, where `scale` of bodies is known. */
static double size_of_row(const iterative *k, uint32_t i, uint32_t r, double *sum)
{
    const block_matrix *F = &k->F;
    double flexible = 0.0, own = 0.0;
    *sum = 0.0;
    for (int32_t e = F->row_start[i]; e < F->row_start[i + 1]; e++) {
        const uint32_t j = (uint32_t)F->column[e], width = block_size(F, j);
        const double *value = F->value + F->place[e] + r;
        for (uint32_t c = 0; c < width; c++) {
            const double entry = value[c * block_size(F, i)];
            const double scaled = j < k->constraints ? entry * k->scale[F->start[j] + c] : 0.0;
            *sum += fabs(entry);
            flexible += scaled * scaled;
            if (j == i && c == r) own = fabs(entry);
        }
    }
    if (i >= k->constraints) return own + flexible;
    return own > 0.0 ? own : *sum;
}

static tn_status find_scale(iterative *k, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++)
        for (uint32_t r = 0; r < block_size(&k->F, i); r++) {
            double sum = 0.0;
            int exponent = 0;
            const double size = size_of_row(k, i, r, &sum);
            if (!(sum > 0.0 && sum <= DBL_MAX && size > 0.0 && size <= DBL_MAX)) return TN_RETRY;
            (void)frexp(size, &exponent);
            k->scale[k->F.start[i] + r] = ldexp(1.0, -exponent / 2);
        }
    return TN_OK;
}

static void scale_rows(void *data, size_t first, size_t last)
{
    const row_task *t = data;
    const iterative *k = t->k;
    const block_matrix *F = &k->F;
    for (size_t i = first; i < last; i++)
        for (int32_t e = F->row_start[i]; e < F->row_start[i + 1]; e++) {
            const uint32_t j = (uint32_t)F->column[e], width = block_size(F, j);
            double *value = F->value + F->place[e];
            for (uint32_t c = 0; c < width; c++)
                for (uint32_t r = F->start[i]; r < F->start[i + 1]; r++)
                    *value++ *= k->sign[r] * k->scale[r] * k->scale[F->start[j] + c];
        }
}

/* The largest difference of a block from the transpose of another one. */
static double difference(uint32_t rows, uint32_t columns, const double *a, const double *b)
{
    double largest = 0.0;
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t r = 0; r < rows; r++)
            largest = fmax(largest, fabs(a[c * rows + r] - b[r * columns + c]));
    return largest;
}

static void compare_rows(void *data, size_t first, size_t last)
{
    const row_task *t = data;
    const block_matrix *F = &t->k->F;
    for (size_t i = first; i < last; i++) {
        double largest = 0.0;
        for (int32_t e = F->row_start[i]; e <= F->diagonal[i]; e++)
            largest =
                fmax(largest, difference(block_size(F, (uint32_t)i), block_size(F, (uint32_t)F->column[e]),
                                         F->value + F->place[e], F->value + F->place[F->mate[e]]));
        t->k->row_part[i] = largest;
    }
}

tn_status block_matrix_scale(iterative *k)
{
    row_task task = {.k = k};
    tn_status status = find_scale(k, 0, k->constraints);
    if (status == TN_OK) status = find_scale(k, k->constraints, k->F.count);
    if (status != TN_OK) return status;
    for_rows(k, scale_rows, &task);
    for_rows(k, compare_rows, &task);
    k->asymmetry = 0.0;
    for (uint32_t i = 0; i < k->F.count; i++)
        k->asymmetry = fmax(k->asymmetry, k->row_part[i]);
    return TN_OK;
}

/* ---- products ------------------------------------------------------------------------------------------------------ */

TN_INLINE void subtract_product(uint32_t rows, uint32_t columns, const double *restrict B,
                                const double *restrict x, double *restrict y)
{
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t r = 0; r < rows; r++)
            y[r] -= B[c * rows + r] * x[c];
}

void subtract_block_product(uint32_t rows, uint32_t columns, const double *B, const double *x, double *y)
{
    if (rows == 6 && columns == 6)
        subtract_product(6, 6, B, x, y);
    else if (rows == 3 && columns == 3)
        subtract_product(3, 3, B, x, y);
    else
        subtract_product(rows, columns, B, x, y);
}

static void multiply_rows(void *data, size_t first, size_t last)
{
    const row_task *t = data;
    const block_matrix *F = &t->k->F;
    for (size_t i = first; i < last; i++) {
        const uint32_t rows = block_size(F, (uint32_t)i);
        double sum[LARGEST_BLOCK] = {0.0};
        for (int32_t e = F->row_start[i]; e < F->row_start[i + 1]; e++) {
            const uint32_t j = (uint32_t)F->column[e];
            subtract_block_product(rows, block_size(F, j), F->value + F->place[e], t->x + F->start[j], sum);
        }
        for (uint32_t r = 0; r < rows; r++)
            t->y[F->start[i] + r] = -sum[r];
    }
}

void block_matrix_multiply(iterative *k, const double *x, double *y)
{
    for_rows(k, multiply_rows, &(row_task){.k = k, .x = x, .y = y});
}

static void add_terms_of_rows(void *data, size_t first, size_t last)
{
    const row_task *t = data;
    const block_matrix *F = &t->k->F;
    for (size_t i = first; i < last; i++)
        for (uint32_t r = 0; r < block_size(F, (uint32_t)i); r++) {
            double sum = fabs(t->b[F->start[i] + r]);
            for (int32_t e = F->row_start[i]; e < F->row_start[i + 1]; e++) {
                const uint32_t j = (uint32_t)F->column[e], width = block_size(F, j);
                const double *value = F->value + F->place[e] + r;
                for (uint32_t c = 0; c < width; c++)
                    sum += fabs(value[c * block_size(F, (uint32_t)i)] * t->x[F->start[j] + c]);
            }
            t->y[F->start[i] + r] = sum;
        }
}

void block_matrix_terms(iterative *k, const double *x, const double *b, double *y)
{
    for_rows(k, add_terms_of_rows, &(row_task){.k = k, .x = x, .b = b, .y = y});
}

/* matrices.c - matrices of a body's own: full ones, and lists of the entries that the type says it has */
#include "bodies.h"

#include <string.h>

/* ---- the list ------------------------------------------------------------------------------------------- */

/* What the type lists for one instance; the numbers of entries that it leaves unwritten lie outside of all matrices. */
static bool ask(tn_trial *trial, const void *instance, uint32_t entries, uint32_t *row, uint32_t *column)
{
    memset(row, 0xff, entries * sizeof *row);
    memset(column, 0xff, entries * sizeof *column);
    return trial->type->own_pattern(&trial->host, instance, row, column) == TN_OK;
}

bool tn_bodies_take_list(tn_bodies *b)
{
    const uint32_t entries = b->layout.own_entries;
    if (!entries) return true;
    if (!b->type->own_pattern) {
        tn_fail(b->trial, "asks for %u own_entries, but has no own_pattern that lists them", entries);
        return false;
    }
    uint32_t *row = tn_take(b->trial, entries * sizeof *row);
    uint32_t *column = tn_take(b->trial, entries * sizeof *column);
    b->entries = entries;
    b->row = row;
    b->column = column;
    if (ask(b->trial, b->instances.first, entries, row, column)) return true;
    tn_fail(b->trial, "own_pattern failed: %s", b->trial->refusal);
    return false;
}

bool tn_bodies_have_list(const tn_bodies *b, uint32_t i)
{
    struct tn_block *mark = tn_mark(b->trial);
    const size_t bytes = b->entries * sizeof(uint32_t);
    uint32_t *row = tn_take(b->trial, bytes), *column = tn_take(b->trial, bytes);
    const bool same =
        !b->entries || (ask(b->trial, tn_instance_at(b->instances, i), b->entries, row, column) &&
                        !memcmp(row, b->row, bytes) && !memcmp(column, b->column, bytes));
    tn_release(b->trial, mark);
    return same;
}

bool *tn_bodies_listed(const tn_bodies *b)
{
    const size_t n = b->nv;
    bool *listed = tn_take(b->trial, n * n * sizeof *listed);
    for (size_t k = 0; k < n * n; k++)
        listed[k] = !b->entries;
    for (uint32_t e = 0; e < b->entries; e++) {
        if (b->row[e] >= n || b->column[e] >= n) {
            tn_fail(b->trial, "entry %u of the list is (%u, %u), with %zu coordinates", e, b->row[e],
                    b->column[e], n);
            return NULL;
        }
        if (listed[b->row[e] * n + b->column[e]])
            tn_fail(b->trial, "(%u, %u) is listed twice", b->row[e], b->column[e]);
        listed[b->row[e] * n + b->column[e]] = true;
    }
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c <= r; c++)
            if (r == c ? !listed[r * n + c] : listed[r * n + c] != listed[c * n + r])
                tn_fail(b->trial,
                        r == c ? "(%zu, %zu) of the diagonal is not listed"
                               : "of (%zu, %zu) and the entry that mirrors it one is not listed",
                        r, c);
    return listed;
}

/* ---- full matrices -------------------------------------------------------------------------------------- */

size_t tn_bodies_entries(const tn_bodies *b) { return b->entries ? b->entries : (size_t)b->nv * b->nv; }

void tn_bodies_expand(const tn_bodies *b, const double *listed, size_t stride, double *full, size_t columns)
{
    for (size_t i = 0; i < b->count; i++) {
        double *matrix = full + i * b->nv * columns;
        for (size_t r = 0; r < b->nv; r++)
            memset(matrix + r * columns, 0, b->nv * sizeof *matrix);
        for (uint32_t e = 0; e < b->entries; e++)
            if (b->row[e] < b->nv && b->column[e] < b->nv)
                matrix[b->row[e] * columns + b->column[e]] = listed[i * stride + e];
    }
}

double *tn_bodies_mass(const tn_bodies *b)
{
    const size_t entries = tn_bodies_entries(b), n = b->nv;
    tn_batch batch = tn_bodies_batch(b, b->q, b->v);
    batch.mass = tn_take_nan(b->trial, b->count * entries);
    if (!tn_bodies_call(b, "mass", b->type->mass, &batch)) return NULL;
    if (!b->entries) return batch.mass;
    double *full = tn_take_nan(b->trial, b->count * n * n);
    tn_bodies_expand(b, batch.mass, entries, full, n);
    return full;
}

bool tn_is_positive(double *matrix, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            for (size_t k = 0; k < j; k++)
                matrix[i * n + j] -= matrix[i * n + k] * matrix[j * n + k];
            if (i == j && !(matrix[i * n + i] > 0.0)) return false;
            matrix[i * n + j] /= i == j ? sqrt(matrix[i * n + i]) : matrix[j * n + j];
        }
    }
    return true;
}

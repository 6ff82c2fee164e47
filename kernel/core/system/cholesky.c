/* cholesky.c - sparse symmetric positive definite matrices of one pattern (see cholesky.h): what stands between the lists of
 * entries here and the columns of the libraries
 *
 * Davis: Algorithm 849: a concise sparse Cholesky factorization package, ACM Trans. Math. Softw. 31 (2005) 587-591. Amestoy,
 * Davis, Duff: Algorithm 837: AMD, an approximate minimum degree ordering algorithm, ACM Trans. Math. Softw. 30 (2004)
 * 381-388. */
#include "system/cholesky.h"

#include "base/memory.h"

#include <amd.h>
#include <ldl.h>
#include <math.h>
#include <string.h>

static void sort_by_columns(tn_cholesky *c, uint32_t entries, const uint32_t *row, const uint32_t *column)
{
    for (uint32_t e = 0; e < entries; e++)
        c->column_start[column[e] + 1]++;
    for (int k = 0; k < c->size; k++)
        c->column_start[k + 1] += c->column_start[k];
    memcpy(c->length, c->column_start, (size_t)c->size * sizeof *c->length);
    for (uint32_t e = 0; e < entries; e++) {
        const int at = c->length[column[e]]++;
        c->row[at] = (int)row[e];
        c->entry[at] = e;
    }
}

tn_cholesky *tn_cholesky_new(uint32_t size, uint32_t entries, const uint32_t *row, const uint32_t *column)
{
    tn_cholesky *c = tn_new(1, sizeof *c);
    int **const by_row[] = {&c->order, &c->place, &c->parent, &c->length, &c->pattern, &c->flag};
    c->size = (int)size;
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
        *by_row[k] = tn_new(size, sizeof(int));
    c->column_start = tn_new(size + 1u, sizeof *c->column_start);
    c->factor_start = tn_new(size + 1u, sizeof *c->factor_start);
    c->row = tn_new(entries, sizeof *c->row);
    c->entry = tn_new(entries, sizeof *c->entry);
    c->value = tn_new(entries, sizeof *c->value);
    c->work = tn_new(size, sizeof *c->work);
    sort_by_columns(c, entries, row, column);
    const int status = amd_order(c->size, c->column_start, c->row, c->order, NULL, NULL);
    if (status == AMD_OUT_OF_MEMORY) tn_no_memory("the order of a mass matrix");
    for (int k = 0; status < 0 && k < c->size; k++) /* the list was checked; any order is right */
        c->order[k] = k;
    ldl_symbolic(c->size, c->column_start, c->row, c->factor_start, c->parent, c->length, c->flag, c->order,
                 c->place);
    c->below = tn_new((size_t)c->factor_start[c->size], sizeof *c->below);
    return c;
}

size_t tn_cholesky_factor_size(const tn_cholesky *c) { return (size_t)(c->size + c->factor_start[c->size]); }

bool tn_cholesky_factor(tn_cholesky *c, const double *value, double *factor)
{
    double *diagonal = factor, *L = factor + c->size;
    for (int e = 0; e < c->column_start[c->size]; e++)
        c->value[e] = value[c->entry[e]];
    if (ldl_numeric(c->size, c->column_start, c->row, c->value, c->factor_start, c->parent, c->length,
                    c->below, L, diagonal, c->work, c->pattern, c->flag, c->order, c->place) != c->size)
        return false;
    bool good = true;
    for (int k = 0; k < c->size && good; k++)
        good = diagonal[k] > 0.0 && isfinite(diagonal[k]);
    return good;
}

/* The functions of the library change nothing of the factors that they get. */
void tn_cholesky_solve(const tn_cholesky *c, const double *factor, const double *b, double *x)
{
    double *y = c->work, *diagonal = (double *)(uintptr_t)factor, *L = diagonal + c->size;
    ldl_perm(c->size, y, (double *)(uintptr_t)b, c->order);
    ldl_lsolve(c->size, y, c->factor_start, c->below, L);
    ldl_dsolve(c->size, y, diagonal);
    ldl_ltsolve(c->size, y, c->factor_start, c->below, L);
    ldl_permt(c->size, x, y, c->order);
}

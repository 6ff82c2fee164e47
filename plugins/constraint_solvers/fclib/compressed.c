/* compressed.c - matrices of FCLib by compressed columns (see compressed.h) */
#include "compressed.h"

#include <math.h>
#include <stdlib.h>

void compressed_free(compressed *of)
{
    free(of->start);
    free(of->row);
    free(of->value);
}

bool each_entry(const struct fclib_matrix *matrix, entry_function function, void *data)
{
    const int lines = matrix->nz >= 0 ? 1 : matrix->nz == -1 ? matrix->n : matrix->m;
    for (int line = 0; line < lines; line++) {
        const int first = matrix->nz >= 0 ? 0 : matrix->p[line];
        const int last = matrix->nz >= 0 ? matrix->nz : matrix->p[line + 1];
        if (first < 0 || last > matrix->nzmax) return false; // beyond the arrays
        for (int k = first; k < last; k++) {
            const int row = matrix->nz == -2 ? line : matrix->nz == -1 ? matrix->i[k] : matrix->p[k];
            const int column = matrix->nz == -1 ? line : matrix->i[k];
            if (row < 0 || row >= matrix->m || column < 0 || column >= matrix->n || !isfinite(matrix->x[k]))
                return false;
            function(data, (uint32_t)row, (uint32_t)column, matrix->x[k]);
        }
    }
    return true;
}

static void count_entry(void *data, uint32_t row, uint32_t column, double value)
{
    compressed *to = data;
    (void)row;
    (void)value;
    to->start[column + 2]++;
}

static void place_entry(void *data, uint32_t row, uint32_t column, double value)
{
    compressed *to = data;
    const uint32_t place = to->start[column + 1]++;
    to->row[place] = row;
    to->value[place] = value;
}

/* Insertion, since columns are short or in order; then equal rows become one entry. */
static void sort_columns(compressed *of)
{
    uint32_t kept = 0;
    for (uint32_t j = 0; j < of->columns; j++) {
        const uint32_t first = of->start[j], last = of->start[j + 1], begin = kept;
        for (uint32_t k = first + 1; k < last; k++) {
            const uint32_t row = of->row[k];
            const double value = of->value[k];
            uint32_t i = k;
            for (; i > first && of->row[i - 1] > row; i--) {
                of->row[i] = of->row[i - 1];
                of->value[i] = of->value[i - 1];
            }
            of->row[i] = row;
            of->value[i] = value;
        }
        for (uint32_t k = first; k < last; k++) {
            if (kept > begin && of->row[kept - 1] == of->row[k]) {
                of->value[kept - 1] += of->value[k];
                continue;
            }
            of->row[kept] = of->row[k];
            of->value[kept++] = of->value[k];
        }
        of->start[j] = begin;
    }
    of->start[of->columns] = kept;
}

bool compressed_take(const struct fclib_matrix *matrix, compressed *to, bool *sound)
{
    *sound = matrix->m >= 0 && matrix->n >= 0 && matrix->nzmax >= 0;
    if (!*sound) return false;
    *to = (compressed){.rows = (uint32_t)matrix->m, .columns = (uint32_t)matrix->n};
    to->start = calloc((size_t)to->columns + 3, sizeof *to->start);
    to->row = calloc((size_t)matrix->nzmax + 1, sizeof *to->row);
    to->value = calloc((size_t)matrix->nzmax + 1, sizeof *to->value);
    if (!to->start || !to->row || !to->value) return false;
    *sound = each_entry(matrix, count_entry, to);
    if (!*sound) return false;
    for (uint32_t j = 0; j < to->columns; j++)
        to->start[j + 2] += to->start[j + 1];
    *sound = to->start[to->columns + 1] <= (uint32_t)matrix->nzmax;
    if (!*sound) return false;
    (void)each_entry(matrix, place_entry, to);
    sort_columns(to);
    return true;
}

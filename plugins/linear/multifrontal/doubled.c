/* doubled.c - complex matrices as real ones of twice the size: each entry becomes the block [re, -im; im, re] */
#include "multifrontal.h"

#include <stdlib.h>

bool tn_doubled_make(tn_doubled *d, const tn_matrix *pattern)
{
    const size_t size = pattern->size, entries = (size_t)pattern->column_start[size];
    if (entries > INT32_MAX / 4) return false;
    d->start = malloc((2 * size + 1) * sizeof *d->start);
    d->row = malloc((4 * entries + 1) * sizeof *d->row);
    d->value = malloc((4 * entries + 1) * sizeof *d->value);
    if (!d->start || !d->row || !d->value) return false;
    int32_t count = 0;
    for (size_t j = 0; j < 2 * size; j++) {
        d->start[j] = count;
        for (int32_t e = pattern->column_start[j / 2]; e < pattern->column_start[j / 2 + 1]; e++) {
            d->row[count++] = 2 * pattern->row[e];
            d->row[count++] = 2 * pattern->row[e] + 1;
        }
    }
    d->start[2 * size] = count;
    d->matrix = (tn_matrix){.struct_size = sizeof(tn_matrix),
                            .size = 2 * pattern->size,
                            .column_start = d->start,
                            .row = d->row,
                            .value = d->value};
    return true;
}

void tn_doubled_fill(tn_doubled *d, const tn_matrix *pattern, const double *value)
{
    double *to = d->value;
    for (size_t j = 0; j < pattern->size; j++) {
        const int32_t begin = pattern->column_start[j], end = pattern->column_start[j + 1];
        for (int32_t e = begin; e < end; e++) {
            *to++ = value[2 * (size_t)e];
            *to++ = value[2 * (size_t)e + 1];
        }
        for (int32_t e = begin; e < end; e++) {
            *to++ = -value[2 * (size_t)e + 1];
            *to++ = value[2 * (size_t)e];
        }
    }
}

void tn_doubled_free(tn_doubled *d)
{
    free(d->start);
    free(d->row);
    free(d->value);
    *d = (tn_doubled){0};
}

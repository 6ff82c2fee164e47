/* own_numbers.c - complex matrices as real ones (own_matrix.h)
 *
 * A linear solver without complex matrices gets real ones of twice the size: each entry a + ib as a block
 *
 *     a  -b
 *     b   a
 *
 * so that vectors are pairs of real and imaginary part. */
#include "extensions/own_matrix.h"

/* ---- patterns -------------------------------------------------------------------------------------------- */

/* Columns 2 j and 2 j + 1 of the doubled pattern. */
static void double_column(const tn_matrix *pattern, uint32_t j, int32_t *start, int32_t *row)
{
    for (uint32_t part = 0; part < 2; part++) {
        int32_t at = start[2 * j + part];
        for (int32_t e = pattern->column_start[j]; e < pattern->column_start[j + 1]; e++) {
            row[at++] = 2 * pattern->row[e];
            row[at++] = 2 * pattern->row[e] + 1;
        }
        start[2 * j + part + 1] = at;
    }
}

void tn_own_double_pattern(tn_own_matrix *m)
{
    for (uint32_t j = 0; j < m->pattern.size; j++)
        double_column(&m->pattern, j, (int32_t *)(uintptr_t)m->matrix.column_start,
                      (int32_t *)(uintptr_t)m->matrix.row);
}

static void double_values(const tn_matrix *to, const double *value)
{
    for (uint32_t j = 0; j < to->size; j += 2) {
        double *left = to->value + to->column_start[j], *right = to->value + to->column_start[j + 1];
        const int32_t count = to->column_start[j + 1] - to->column_start[j];
        for (int32_t k = 0; k < count; k += 2, value += 2) {
            left[k] = right[k + 1] = value[0];
            left[k + 1] = value[1];
            right[k] = -value[1];
        }
    }
}

void tn_own_take_values(tn_own_matrix *m, const double *value)
{
    if (m->doubled)
        double_values(&m->matrix, value);
    else if (m->parts == 1)
        m->matrix.value = (double *)(uintptr_t)value; // linear solvers do not change it
    m->value = m->doubled ? m->matrix.value : value;
}

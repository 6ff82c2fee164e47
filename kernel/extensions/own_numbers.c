/* own_numbers.c - complex matrices as real ones, and residuals (own_matrix.h)
 *
 * A linear solver without complex matrices gets real ones of twice the size: each entry a + ib as a block
 *
 *     a  -b
 *     b   a
 *
 * so that vectors are pairs of real and imaginary part. */
#include "extensions/own_matrix.h"

#include <math.h>

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

/* ---- residuals ------------------------------------------------------------------------------------------- */

/* Subtracts entry e times a number of x from the residual of its row, and adds its magnitude to the terms. */
static void take_term(const tn_own_matrix *m, int32_t e, const double *x)
{
    const size_t i = (size_t)m->matrix.row[e];
    if (!tn_is_complex(m)) {
        m->given[i] -= m->value[e] * *x;
        m->terms[i] += fabs(m->value[e] * *x);
        return;
    }
    const double re = m->value[2 * (size_t)e], im = m->value[2 * (size_t)e + 1];
    m->given[2 * i] -= re * x[0] - im * x[1];
    m->given[2 * i + 1] -= re * x[1] + im * x[0];
    m->terms[2 * i] += fabs(re * x[0]) + fabs(im * x[1]);
    m->terms[2 * i + 1] += fabs(re * x[1]) + fabs(im * x[0]);
}

double tn_own_residual(const tn_own_matrix *m, const double *x)
{
    const size_t numbers = m->parts * (size_t)m->pattern.size;
    const uint32_t step = tn_is_complex(m) ? 2 : 1;
    double largest = 0.0, scale = 0.0;
    for (size_t i = 0; i < numbers; i++)
        m->terms[i] = fabs(m->given[i]);
    for (uint32_t j = 0; j < m->matrix.size; j++)
        for (int32_t e = m->matrix.column_start[j]; e < m->matrix.column_start[j + 1]; e++)
            take_term(m, e, x + (size_t)step * j);
    for (size_t i = 0; i < numbers; i++) {
        largest = fmax(largest, fabs(m->given[i]));
        scale = fmax(scale, m->terms[i]);
    }
    return scale > 0.0 ? largest / scale : 0.0;
}

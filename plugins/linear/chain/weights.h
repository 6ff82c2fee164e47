/* weights.h - which unknowns of a matrix are weak, and scales of its rows and columns: by the values of one matrix of symmetric pattern.
 *
 * A weak unknown is the multiplier of a constraint: next to an earlier one its diagonal is nothing. Which of two is the multiplier
 * numbers alone do not show, as either may be scaled at will. */
#ifndef TENON_CHAIN_WEIGHTS_H
#define TENON_CHAIN_WEIGHTS_H

#include "tenon/linear.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define CHAIN_SADDLE 10.0

typedef struct chain_weights {
    const tn_matrix *matrix;
    bool *weak;    /* [size] the result, */
    double *scale; /* [size] and this: rows and columns have the same factors, which bring entries near 1 */
    double *diagonal,
        *beside; /* [size] beside: the largest entry of a weak one with a strong one, whose scale is in it */
    int32_t *next; /* [size] of a column, its first entry in the rows to come */
} chain_weights;

/* fmax() would be a call: it knows what is no number. */
static inline double chain_larger(double a, double b) { return a > b ? a : b; }

static inline void chain_find_diagonal(chain_weights *w)
{
    const tn_matrix *A = w->matrix;
    for (uint32_t j = 0; j < A->size; j++) {
        w->next[j] = A->column_start[j];
        w->diagonal[j] = w->beside[j] = 0.0;
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            if (A->row[e] == (int32_t)j) w->diagonal[j] = A->value[e];
    }
}

/* The entry of column j in row i; later calls for this column are for later rows. */
static inline double chain_next_entry(chain_weights *w, uint32_t j, uint32_t i)
{
    const tn_matrix *A = w->matrix;
    const int32_t end = A->column_start[j + 1];
    while (w->next[j] < end && A->row[w->next[j]] < (int32_t)i)
        w->next[j]++;
    return w->next[j] < end && A->row[w->next[j]] == (int32_t)i ? A->value[w->next[j]] : 0.0;
}

static inline bool chain_is_weak(chain_weights *w, uint32_t i)
{
    const tn_matrix *A = w->matrix;
    bool weak = w->diagonal[i] == 0.0;
    for (int32_t e = A->column_start[i]; e < A->column_start[i + 1] && A->row[e] < (int32_t)i; e++) {
        const uint32_t j = (uint32_t)A->row[e];
        const double product = fabs(A->value[e] * chain_next_entry(w, j, i));
        weak = weak || (!w->weak[j] && product > CHAIN_SADDLE * fabs(w->diagonal[i] * w->diagonal[j]));
    }
    return weak;
}

static inline void chain_find_beside(chain_weights *w)
{
    const tn_matrix *A = w->matrix;
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const uint32_t i = (uint32_t)A->row[e], weak = w->weak[i] ? i : j, strong = w->weak[i] ? j : i;
            if (w->weak[i] == w->weak[j]) continue;
            w->beside[weak] = chain_larger(w->beside[weak], fabs(A->value[e]) * w->scale[strong]);
        }
}

/* Of a weak unknown that has no strong neighbour. */
static inline double chain_among_weak(const chain_weights *w, uint32_t j)
{
    const tn_matrix *A = w->matrix;
    double largest = 0.0;
    for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
        if (A->row[e] != (int32_t)j) largest = chain_larger(largest, fabs(A->value[e]) * w->scale[A->row[e]]);
    return largest;
}

/* The diagonal of the strong ones becomes 1, the largest entry of a weak one likewise. */
static inline void chain_find_scales(chain_weights *w)
{
    const uint32_t size = w->matrix->size;
    for (uint32_t i = 0; i < size; i++)
        w->scale[i] = w->weak[i] ? 1.0 : 1.0 / sqrt(fabs(w->diagonal[i]));
    chain_find_beside(w);
    for (uint32_t i = 0; i < size; i++) {
        if (!w->weak[i]) continue;
        const double largest = w->beside[i] > 0.0 ? w->beside[i] : chain_among_weak(w, i);
        if (largest > 0.0) w->scale[i] = 1.0 / largest;
    }
}

/* Into `weak` and `scale`, [size] each; false without memory. */
static inline bool chain_weigh(const tn_matrix *matrix, bool *weak, double *scale)
{
    const size_t n = (size_t)matrix->size + 1;
    chain_weights weights = {.matrix = matrix,
                             .weak = weak,
                             .scale = scale,
                             .diagonal = malloc(n * sizeof *weights.diagonal),
                             .beside = malloc(n * sizeof *weights.beside),
                             .next = malloc(n * sizeof *weights.next)};
    const bool made = weights.diagonal && weights.beside && weights.next;
    if (made) {
        chain_find_diagonal(&weights);
        for (uint32_t i = 0; i < matrix->size; i++)
            weak[i] = chain_is_weak(&weights, i);
        chain_find_scales(&weights);
    }
    free(weights.diagonal);
    free(weights.beside);
    free(weights.next);
    return made;
}

#endif

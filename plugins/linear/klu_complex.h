/* klu_complex.h - complex matrices of the pattern, by the complex routines of KLU.
 *
 * As in sparse_lu.h what is used of the pattern is factorised, in the order that gives the shorter factors, and pivots are kept while
 * they are good. */
#ifndef TENON_KLU_COMPLEX_H
#define TENON_KLU_COMPLEX_H

#include "tenon/draft/stepping.h"

#include "klu_order.h"

#include <math.h>
#include <string.h>

#define KLU_COMPLEX_WORN 1e-3 /* of the reciprocal condition at the last full factorisation */

typedef struct klu_complex {
    used_pattern pattern; /* by |re| + |im| of its entries */
    bool made;
    int32_t *order; /* [size] of elimination */
    double *size;   /* [entries announced] these sums, at last of the entries used */
    double *value;  /* [entries announced][2] of the matrix that was factorised last, as much as is used, */
    double *first_value; /* of the one that pivots were chosen for, and */
    double *last;        /* memory */
    double first_rcond;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} klu_complex;

static inline tn_status klu_complex_status(const klu_common *common)
{
    if (common->status == KLU_SINGULAR) return TN_RETRY;
    return common->status == KLU_OUT_OF_MEMORY ? TN_OUT_OF_MEMORY : TN_FATAL;
}

static inline void klu_complex_forget(klu_complex *c, klu_common *common)
{
    (void)klu_z_free_numeric(&c->numeric, common);
    (void)klu_free_symbolic(&c->symbolic, common);
}

static inline void klu_complex_free(klu_complex *c, klu_common *common)
{
    klu_complex_forget(c, common);
    used_pattern_free(&c->pattern);
    free(c->order);
    free(c->size);
    free(c->value);
    free(c->first_value);
    free(c->last);
    *c = (klu_complex){0};
}

static inline bool klu_complex_make(klu_complex *c, const tn_matrix *matrix)
{
    const size_t entries = (size_t)matrix->column_start[matrix->size] + 1;
    if (c->made) return true;
    if (!used_pattern_make(&c->pattern, matrix)) return false;
    c->order = calloc((size_t)matrix->size + 1, sizeof *c->order);
    c->size = malloc(entries * sizeof *c->size);
    c->value = malloc(2 * entries * sizeof *c->value);
    c->first_value = malloc(2 * entries * sizeof *c->first_value);
    c->last = malloc(2 * entries * sizeof *c->last);
    c->made = c->order && c->size && c->value && c->first_value && c->last;
    return c->made;
}

/* Takes the values over; true when the pattern has grown. */
static inline bool klu_complex_fill(klu_complex *c, const tn_matrix *matrix, const double *value)
{
    const int32_t entries = matrix->column_start[matrix->size];
    for (int32_t k = 0; k < entries; k++)
        c->size[k] = fabs(value[2 * k]) + fabs(value[2 * k + 1]);
    tn_matrix sizes = *matrix;
    sizes.value = c->size;
    const bool grown = used_pattern_fill(&c->pattern, &sizes);
    /* sizes are of the entries used from here on */
    USED_PATTERN_FOR_EACH(&c->pattern, matrix, k, i, {
        c->value[2 * i] = value[2 * k];
        c->value[2 * i + 1] = value[2 * k + 1];
        c->size[i] = c->size[k];
    });
    return grown;
}

static inline tn_status klu_complex_analyse(klu_complex *c, int32_t size, klu_common *common)
{
    const used_pattern *p = &c->pattern;
    c->symbolic = klu_analyze_given(size, p->start, p->row, c->order, c->order, common);
    return c->symbolic ? TN_OK : klu_complex_status(common);
}

static inline tn_status klu_complex_pivots(klu_complex *c, int32_t size, klu_common *common)
{
    (void)klu_z_free_numeric(&c->numeric, common);
    memcpy(c->first_value, c->value, 2 * (size_t)c->pattern.start[size] * sizeof(double));
    c->numeric = klu_z_factor(c->pattern.start, c->pattern.row, c->value, c->symbolic, common);
    if (!c->numeric || !klu_z_rcond(c->symbolic, c->numeric, common)) return klu_complex_status(common);
    c->first_rcond = common->rcond;
    return c->first_rcond > 0.0 ? TN_OK : TN_RETRY;
}

/* New values under the old pivots; false when these are worn out. */
static inline bool klu_complex_refactor(klu_complex *c, klu_common *common)
{
    if (!klu_z_refactor(c->pattern.start, c->pattern.row, c->value, c->symbolic, c->numeric, common))
        return false;
    return klu_z_rcond(c->symbolic, c->numeric, common) && common->rcond >= KLU_COMPLEX_WORN * c->first_rcond;
}

static inline tn_status klu_complex_factor(klu_complex *c, const tn_matrix *matrix, const double *value,
                                           const klu_symbolic *announced, klu_common *common)
{
    const int32_t size = (int32_t)matrix->size;
    if (!klu_complex_make(c, matrix)) return TN_OUT_OF_MEMORY;
    if (klu_complex_fill(c, matrix, value)) klu_complex_forget(c, common);
    order_expectation expected;
    tn_status status = c->symbolic
                           ? TN_OK
                           : order_choose(&c->pattern, size, c->size, announced, common, c->order, &expected);
    if (status == TN_OK && !c->symbolic) status = klu_complex_analyse(c, size, common);
    if (status != TN_OK) return status;
    if (c->numeric && klu_complex_refactor(c, common)) return TN_OK;
    if (c->numeric && common->status == KLU_OUT_OF_MEMORY) return TN_OUT_OF_MEMORY;
    return klu_complex_pivots(c, size, common);
}

static inline tn_status klu_complex_solve(klu_complex *c, double *right_hand_side, int32_t size,
                                          klu_common *common)
{
    if (!c->numeric) return TN_FATAL;
    return klu_z_solve(c->symbolic, c->numeric, size, 1, right_hand_side, common)
               ? TN_OK
               : klu_complex_status(common);
}

/* Pivots for the first values, then the last ones under these. */
static inline tn_status klu_complex_remake(klu_complex *c, int32_t size, klu_common *common)
{
    const size_t bytes = 2 * (size_t)c->pattern.start[size] * sizeof(double);
    tn_status status = klu_complex_analyse(c, size, common);
    if (status != TN_OK) return status;
    memcpy(c->last, c->value, bytes);
    memcpy(c->value, c->first_value, bytes);
    status = klu_complex_pivots(c, size, common);
    memcpy(c->value, c->last, bytes);
    if (status == TN_OK && memcmp(c->last, c->first_value, bytes) != 0)
        status = klu_complex_refactor(c, common) ? TN_OK : TN_FATAL;
    return status;
}

/* All that solutions, and factorisations to come, depend on. */
static inline tn_status klu_complex_state(klu_complex *c, const tn_matrix *matrix, klu_common *common,
                                          tn_state_visitor *visitor)
{
    const int32_t size = (int32_t)matrix->size;
    bool made = c->made, factored = c->numeric != NULL;
    TN_VISIT(visitor, made);
    if (visitor->restores) klu_complex_forget(c, common);
    if (!made) return TN_OK;
    if (!klu_complex_make(c, matrix)) return TN_OUT_OF_MEMORY;
    TN_VISIT(visitor, factored);
    visitor->bytes(visitor, c->order, (size_t)size * sizeof *c->order);
    TN_VISIT(visitor, c->pattern.growths);
    visitor->bytes(visitor, c->pattern.used, used_pattern_words(matrix) * sizeof *c->pattern.used);
    if (visitor->restores) used_pattern_list(&c->pattern, matrix);
    const size_t used = 2 * (size_t)c->pattern.start[size];
    tn_visit_numbers(visitor, c->value, used);
    tn_visit_numbers(visitor, c->first_value, used);
    return visitor->restores && factored ? klu_complex_remake(c, size, common) : TN_OK;
}

#endif

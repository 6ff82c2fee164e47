/* klu_packed.h - packed factors by KLU: it chooses the pivots; what it has stored is taken over and freed, and new values go into the
 * packed factors directly.
 *
 * Factors are most of the memory of a large model: there is one copy of them. Zeros stay, as other values of the matrix may
 * change them. */
#ifndef TENON_KLU_PACKED_H
#define TENON_KLU_PACKED_H

#include "packed_factors.h"
#include "used_pattern.h"

#include <suitesparse/klu.h>

#include <math.h>
#include <sys/mman.h>

/* Bytes of KLU's factors that are taken over before their memory goes back to the system. A multiple of all sizes of pages. */
#define KLU_PACKED_PIECE ((uintptr_t)1 << 22)

/* A column of one of KLU's factors: its rows stand before its values, in units of a number. */
typedef struct klu_column {
    const int32_t *row;
    const double *value;
    int32_t count;
} klu_column;

static inline klu_column klu_column_at(const double *unit, const int32_t *start, const int32_t *count,
                                       int32_t k)
{
    const double *at = unit + start[k];
    const size_t rows = ((size_t)count[k] * sizeof(int32_t) + sizeof *at - 1) / sizeof *at;
    return (klu_column){(const int32_t *)(const void *)at, at + rows, count[k]};
}

static inline int32_t packed_append(int32_t *row, double *value, int32_t used, klu_column column)
{
    memcpy(row + used, column.row, (size_t)column.count * sizeof *row);
    memcpy(value + used, column.value, (size_t)column.count * sizeof *value);
    return used + column.count;
}

/* Gives back what stands before this place, from *first on: both copies of the factors would be the peak of a run. */
static inline void klu_release(uintptr_t *first, const void *end)
{
    const uintptr_t last = (uintptr_t)end & ~(KLU_PACKED_PIECE - 1);
    if (last <= *first) return;
    (void)madvise((void *)*first, last - *first, MADV_DONTNEED); /* whole pages of KLU's; advice */
    *first = last;
}

/* The columns of both factors; the values of KLU's are lost. */
static inline void packed_take_columns(packed_factors *f, klu_numeric *numeric)
{
    const double *unit = numeric->LUbx[0], *diagonal = numeric->Udiag;
    uintptr_t first = ((uintptr_t)unit + KLU_PACKED_PIECE - 1) & ~(KLU_PACKED_PIECE - 1);
    int32_t lower = 0, upper = 0;
    for (int32_t k = 0; k < f->size; k++) {
        f->lower_start[k] = lower;
        f->upper_start[k] = upper;
        if (f->size > 1) { /* one number alone has no columns */
            const klu_column of_lower = klu_column_at(unit, numeric->Lip, numeric->Llen, k),
                             of_upper = klu_column_at(unit, numeric->Uip, numeric->Ulen, k);
            lower = packed_append(f->lower_row, f->lower, lower, of_lower);
            upper = packed_append(f->upper_row, f->upper, upper, of_upper);
            klu_release(&first, of_lower.row < of_upper.row ? of_lower.row : of_upper.row);
        }
        f->upper_row[upper] = k;
        f->upper[upper++] = 1.0 / diagonal[k];
    }
    f->lower_start[f->size] = lower;
    f->upper_start[f->size] = upper;
}

/* Takes the factors over, with their inverse permutation of rows; false without memory. There is one block. */
static inline bool packed_take(packed_factors *f, const klu_symbolic *symbolic, klu_numeric *numeric,
                               int32_t *pivot_of)
{
    if (!packed_room(&f->lower_row, &f->lower, &f->lower_room, (size_t)numeric->lnz) ||
        !packed_room(&f->upper_row, &f->upper, &f->upper_room, (size_t)numeric->unz))
        return false;
    packed_take_columns(f, numeric);
    for (int32_t k = 0; k < f->size; k++) {
        f->rows[k] = numeric->Pnum[k];
        f->columns[k] = symbolic->Q[k];
        f->scale[k] = 1.0 / numeric->Rs[k];
        pivot_of[numeric->Pnum[k]] = k;
    }
    return true;
}

/* The entries of factors, with both diagonals. */
static inline double packed_entries(const packed_factors *f)
{
    return (double)f->lower_start[f->size] + (double)f->upper_start[f->size] + (double)f->size;
}

/* Of a refactorisation. */
static inline double packed_operations(const packed_factors *f)
{
    double operations = 0.0;
    for (int32_t k = 0; k < f->size; k++) {
        operations += f->lower_start[k + 1] - f->lower_start[k];
        for (int32_t p = f->upper_start[k]; p < f->upper_start[k + 1] - 1; p++) {
            const int32_t column = f->upper_row[p];
            operations += 2.0 * (f->lower_start[column + 1] - f->lower_start[column]);
        }
    }
    return operations;
}

/* The largest magnitude of each row; 1 of one without entries. */
static inline void packed_scale(packed_factors *f, const used_pattern *p, const int32_t *pivot_of)
{
    const int32_t entries = p->start[f->size];
    memset(f->scale, 0, (size_t)f->size * sizeof *f->scale);
    for (int32_t e = 0; e < entries; e++) {
        double *scale = &f->scale[pivot_of[p->row[e]]];
        const double magnitude = fabs(p->value[e]);
        *scale = *scale > magnitude ? *scale : magnitude;
    }
    for (int32_t k = 0; k < f->size; k++)
        if (f->scale[k] == 0.0) f->scale[k] = 1.0;
}

/* Column k of both factors, the columns before it being there; its pivot. x holds column k of the scaled matrix, then zeros. */
static inline double packed_eliminate(packed_factors *f, int32_t k)
{
    double *restrict x = f->x;
    const int32_t last = f->upper_start[k + 1] - 1;
    for (int32_t p = f->upper_start[k]; p < last; p++) {
        const int32_t column = f->upper_row[p], end = f->lower_start[column + 1];
        const double factor = x[column];
        x[column] = 0.0;
        f->upper[p] = factor;
        for (int32_t e = f->lower_start[column]; e < end; e++)
            x[f->lower_row[e]] -= f->lower[e] * factor;
    }
    const double pivot = x[k];
    x[k] = 0.0;
    f->upper[last] = 1.0 / pivot;
    for (int32_t e = f->lower_start[k]; e < f->lower_start[k + 1]; e++) {
        f->lower[e] = x[f->lower_row[e]] / pivot;
        x[f->lower_row[e]] = 0.0;
    }
    return pivot;
}

/* Smallest and largest magnitude of pivots; `smallest` is 0 once one was none. */
typedef struct packed_pivots {
    double smallest, largest;
} packed_pivots;

static inline void packed_see_pivot(packed_pivots *seen, double pivot)
{
    const double magnitude = fabs(pivot);
    seen->smallest = magnitude < seen->smallest ? magnitude : magnitude > 0.0 ? seen->smallest : 0.0;
    seen->largest = magnitude > seen->largest ? magnitude : seen->largest;
}

/* The reciprocal of a cheap estimate of the condition; 0 where a pivot is zero or not a number. */
static inline double packed_rcond(const packed_pivots *seen)
{
    const double rcond = seen->smallest / seen->largest;
    return rcond > 0.0 ? rcond : 0.0;
}

static inline packed_pivots packed_no_pivots(void) { return (packed_pivots){HUGE_VAL, 0.0}; }

/* The factors of other values under the same pivots, as klu_refactor() finds them; what packed_rcond() says of them. They are spoilt where
 * that is 0. */
static inline double packed_refactor(packed_factors *f, const used_pattern *p, const int32_t *pivot_of)
{
    packed_pivots seen = packed_no_pivots();
    packed_scale(f, p, pivot_of);
    memset(f->x, 0, (size_t)f->size * sizeof *f->x);
    for (int32_t k = 0; k < f->size && seen.smallest > 0.0; k++) {
        const int32_t column = f->columns[k];
        for (int32_t e = p->start[column]; e < p->start[column + 1]; e++) {
            const int32_t row = pivot_of[p->row[e]];
            f->x[row] = p->value[e] / f->scale[row];
        }
        packed_see_pivot(&seen, packed_eliminate(f, k));
    }
    for (int32_t k = 0; k < f->size; k++) /* several at a time */
        f->scale[k] = 1.0 / f->scale[k];
    return packed_rcond(&seen);
}

#endif

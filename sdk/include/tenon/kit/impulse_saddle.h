/* tenon/kit/impulse_saddle.h - for constraint solvers: joints of an impulse problem by one sparse factorisation
 *
 *     A  -G^T     z     b
 *              .     =        G and c: rows of joints alone
 *     G   E       p     c
 *
 *     tn_saddle_renew(&saddle, problem)              pattern and factors, where they have changed since the call before
 *     tn_saddle_joints(&saddle, problem, p, z)       impulses p of the joints for free_rate + G z, with z of other impulses
 *     tn_saddle_spread(&saddle, x)                   the response z to impulses b on coordinates with ideal joints: x is b, then z
 *
 * E is a billionth of the largest diagonal entry of G A^-1 G^T, the same for all rows: it keeps the matrix regular where rows are dependent.
 * Iterative refinement removes the remaining rates. The part of p without effect is removed by (W + E)^-1 W p, with W = G A^-1 G^T, which
 * gives the least norm (Tikhonov).
 *
 * The work of a call is that of the sparse factors: linear in the length of a chain. Part of the kit: no part of the binary interface,
 * and it may change with any version. C only. */
#ifndef TENON_KIT_IMPULSE_SADDLE_H
#define TENON_KIT_IMPULSE_SADDLE_H

#include "tenon/kit/growing.h"
#include "tenon/draft/impulses.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TN_SADDLE_SHARE 1e-9      /* E relative to the largest diagonal entry of W */
#define TN_SADDLE_ROUND_OFF 1e-13 /* of rates, relative to the terms of which they are the difference */
#define TN_SADDLE_NOTHING 1e-12   /* of the largest impulse: smaller parts without effect are not removed */
enum { TN_SADDLE_REPETITIONS = 40 };

typedef struct tn_saddle {
    const tn_own_matrices *linear;
    void *system; /* opened, for `matrix`; NULL: there is none */
    bool factored;
    uint32_t nv, rows; /* rows: of joints */
    uint32_t *row_of;  /* [rows] their rows in the problem */
    tn_matrix matrix;
    int32_t *column_start, *row; /* of the matrix */
    double *value, *diagonal;    /* of the matrix; [nv] A_jj */
    double *factored_value;      /* [entries] that were factorised */
    double *vector;              /* [3 (nv + rows)] */
    double *weight;              /* [rows] the diagonal of W for a diagonal A */
    uint32_t *known;             /* [known_count] sizes and indices of the last pattern */
    size_t known_count, known_room, row_room, entry_room, size_room;
    double regularisation; /* E */
} tn_saddle;

static inline void tn_saddle_free(tn_saddle *s)
{
    if (s->system) s->linear->close(s->linear, s->system);
    void *const blocks[] = {s->row_of,         s->column_start, s->row,    s->value, s->diagonal,
                            s->factored_value, s->vector,       s->weight, s->known};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        free(blocks[k]);
    memset(s, 0, sizeof *s);
}

/* ---- the pattern --------------------------------------------------------------------------------------------- */

/* Finds the rows of joints. */
static inline bool tn_saddle_find_rows(tn_saddle *s, const tn_impulse_problem *p)
{
    if (!tn_grow_array(&s->row_of, &s->row_room, p->rows + (size_t)1, sizeof *s->row_of)) return false;
    s->rows = 0;
    for (uint32_t b = 0; b < p->blocks; b++)
        for (uint32_t r = 0; p->block[b].law == TN_JOINT_LAW && r < p->block[b].rows; r++)
            s->row_of[s->rows++] = p->block[b].first + r;
    return true;
}

/* Compares numbers with those at *at; where they differ, copies them and sets *same to false. */
static inline void tn_saddle_know(tn_saddle *s, size_t *at, bool *same, const void *number, size_t count)
{
    *same = *same && memcmp(s->known + *at, number, count * sizeof *s->known) == 0;
    if (!*same) memcpy(s->known + *at, number, count * sizeof *s->known);
    *at += count;
}

/* Compares sizes, the pattern of A and that of the rows of joints with the last ones, as 32 bit numbers; true where all are the same. */
static inline bool tn_saddle_same_pattern(tn_saddle *s, const tn_impulse_problem *p, bool *lacks)
{
    const tn_matrix *A = p->matrix;
    const size_t entries = (size_t)A->column_start[A->size];
    size_t count = 2 + (A->size + (size_t)1) + entries, at = 0;
    *lacks = !tn_saddle_find_rows(s, p);
    for (uint32_t r = 0; !*lacks && r < s->rows; r++)
        count += 1u + p->row_start[s->row_of[r] + 1] - p->row_start[s->row_of[r]];
    *lacks = *lacks || !tn_grow_array(&s->known, &s->known_room, count, sizeof *s->known);
    if (*lacks) return false;
    bool same = s->system && count == s->known_count;
    tn_saddle_know(s, &at, &same, &p->nv, 1);
    tn_saddle_know(s, &at, &same, &s->rows, 1);
    tn_saddle_know(s, &at, &same, A->column_start, A->size + (size_t)1);
    tn_saddle_know(s, &at, &same, A->row, entries);
    for (uint32_t r = 0; r < s->rows; r++) {
        const uint32_t first = p->row_start[s->row_of[r]], own = p->row_start[s->row_of[r] + 1] - first;
        tn_saddle_know(s, &at, &same, &own, 1);
        tn_saddle_know(s, &at, &same, p->column + first, own);
    }
    s->known_count = count;
    return same;
}

static inline bool tn_saddle_make_room(tn_saddle *s, const tn_impulse_problem *p)
{
    const tn_matrix *A = p->matrix;
    size_t entries = (size_t)A->column_start[A->size] + p->rows, value_room = s->entry_room,
           factored_room = s->entry_room, column_room = s->size_room, diagonal_room = s->size_room;
    entries += 2 * (size_t)p->row_start[p->rows];
    const size_t size = (size_t)p->nv + p->rows;
    size_t vector_room = 3 * s->size_room, weight_room = s->size_room;
    return tn_grow_array(&s->value, &value_room, entries, sizeof(double)) &&
           tn_grow_array(&s->factored_value, &factored_room, entries, sizeof(double)) &&
           tn_grow_array(&s->row, &s->entry_room, entries, sizeof *s->row) &&
           tn_grow_array(&s->column_start, &column_room, size + 1, sizeof *s->column_start) &&
           tn_grow_array(&s->diagonal, &diagonal_room, size + 1, sizeof(double)) &&
           tn_grow_array(&s->vector, &vector_room, 3 * (size + 1), sizeof(double)) &&
           tn_grow_array(&s->weight, &weight_room, size + 1, sizeof(double)) &&
           (s->size_room = size + 1, true);
}

/* Column by column: A above, below it the rows that reach the column; then -G^T and E. */
static inline void tn_saddle_list(tn_saddle *s, const tn_impulse_problem *p)
{
    const tn_matrix *A = p->matrix;
    const uint32_t size = p->nv + s->rows;
    int32_t *start = s->column_start;
    memset(start, 0, (size + 1u) * sizeof *start);
    for (uint32_t j = 0; j < p->nv; j++)
        start[j + 1] = A->column_start[j + 1] - A->column_start[j];
    for (uint32_t r = 0; r < s->rows; r++)
        for (uint32_t e = p->row_start[s->row_of[r]]; e < p->row_start[s->row_of[r] + 1]; e++)
            start[p->column[e] + 1]++;
    for (uint32_t r = 0; r < s->rows; r++)
        start[p->nv + r + 1] = (int32_t)(p->row_start[s->row_of[r] + 1] - p->row_start[s->row_of[r]] + 1);
    for (uint32_t j = 0; j < size; j++)
        start[j + 1] += start[j];
    s->matrix = (tn_matrix){.struct_size = sizeof s->matrix,
                            .size = size,
                            .column_start = start,
                            .row = s->row,
                            .value = s->value};
}

/* Fills rows and values; `next` [nv] is the next free entry of each column. */
static inline void tn_saddle_fill(tn_saddle *s, const tn_impulse_problem *p, int32_t *next)
{
    const tn_matrix *A = p->matrix;
    for (uint32_t j = 0; j < p->nv; j++) {
        const int32_t count = A->column_start[j + 1] - A->column_start[j], from = A->column_start[j];
        memcpy(s->row + s->column_start[j], A->row + from, (size_t)count * sizeof *s->row);
        memcpy(s->value + s->column_start[j], A->value + from, (size_t)count * sizeof *s->value);
        next[j] = s->column_start[j] + count;
    }
    for (uint32_t r = 0; r < s->rows; r++) {
        int32_t own = s->column_start[p->nv + r];
        for (uint32_t e = p->row_start[s->row_of[r]]; e < p->row_start[s->row_of[r] + 1]; e++, own++) {
            const uint32_t j = p->column[e];
            s->row[next[j]] = (int32_t)(p->nv + r);
            s->value[next[j]++] = p->value[e];
            s->row[own] = (int32_t)j;
            s->value[own] = -p->value[e];
        }
        s->row[own] = (int32_t)(p->nv + r);
        s->value[own] = s->regularisation;
    }
}

/* E, with an estimate of W by a diagonal A. */
static inline void tn_saddle_measure(tn_saddle *s, const tn_impulse_problem *p)
{
    const tn_matrix *A = p->matrix;
    double largest = 0.0;
    for (uint32_t j = 0; j < p->nv; j++) {
        s->diagonal[j] = 0.0;
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            if (A->row[e] == (int32_t)j) s->diagonal[j] = fabs(A->value[e]);
    }
    for (uint32_t r = 0; r < s->rows; r++) {
        double sum = 0.0;
        for (uint32_t e = p->row_start[s->row_of[r]]; e < p->row_start[s->row_of[r] + 1]; e++)
            if (s->diagonal[p->column[e]] > 0.0) sum += p->value[e] * p->value[e] / s->diagonal[p->column[e]];
        s->weight[r] = sum > 0.0 ? sum : 1.0;
        if (sum > largest) largest = sum;
    }
    s->regularisation = largest > 0.0 ? TN_SADDLE_SHARE * largest : 1.0;
}

static inline tn_status tn_saddle_renew(tn_saddle *s, const tn_impulse_problem *p)
{
    bool lacks = false;
    const bool same = tn_saddle_same_pattern(s, p, &lacks);
    if (lacks) return TN_OUT_OF_MEMORY;
    if (!same) {
        if (s->system) s->linear->close(s->linear, s->system);
        s->system = NULL;
        s->factored = false;
        if (!tn_saddle_make_room(s, p)) return TN_OUT_OF_MEMORY;
        s->nv = p->nv;
        tn_saddle_list(s, p);
    }
    tn_saddle_measure(s, p);
    tn_saddle_fill(s, p, (int32_t *)(void *)s->vector);
    const size_t bytes = (size_t)s->column_start[s->matrix.size] * sizeof(double);
    if (!s->system) {
        const tn_status made = s->linear->open(s->linear, &s->matrix, 0, &s->system);
        if (made != TN_OK) return made;
    }
    if (s->factored && !p->begins_step && memcmp(s->value, s->factored_value, bytes) == 0) return TN_OK;
    s->factored = false;
    const tn_status status = s->linear->factor(s->linear, s->system, s->value);
    if (status != TN_OK) return status;
    memcpy(s->factored_value, s->value, bytes);
    s->factored = true;
    return TN_OK;
}

/* ---- solutions ----------------------------------------------------------------------------------------------- */

/* x [nv]: in, impulses on coordinates; out, the resulting velocities with ideal joints. */
static inline tn_status tn_saddle_spread(tn_saddle *s, double *x)
{
    double *b = s->vector;
    memcpy(b, x, s->nv * sizeof *b);
    memset(b + s->nv, 0, s->rows * sizeof *b);
    const tn_status status = s->linear->solve(s->linear, s->system, b);
    if (status == TN_OK) memcpy(x, b, s->nv * sizeof *x);
    return status;
}

/* The product of row r of the joints with z, and the sum of magnitudes of its terms. */
static inline double tn_saddle_rate(const tn_saddle *s, const tn_impulse_problem *p, uint32_t r,
                                    const double *z, double *size)
{
    double sum = p->free_rate[s->row_of[r]], sizes = fabs(sum);
    for (uint32_t e = p->row_start[s->row_of[r]]; e < p->row_start[s->row_of[r] + 1]; e++) {
        const double term = p->value[e] * z[p->column[e]];
        sum += term;
        sizes += fabs(term);
    }
    *size = sizes;
    return sum;
}

/* b = pull + G^T impulse - A z, with `impulse` [rows] of the joints. */
static inline void tn_saddle_rest(const tn_saddle *s, const tn_impulse_problem *p, const double *pull,
                                  const double *impulse, const double *z, double *b)
{
    const tn_matrix *A = p->matrix;
    for (uint32_t j = 0; j < s->nv; j++)
        b[j] = pull ? pull[j] : 0.0;
    for (uint32_t r = 0; r < s->rows; r++)
        for (uint32_t e = p->row_start[s->row_of[r]]; e < p->row_start[s->row_of[r] + 1]; e++)
            b[p->column[e]] += p->value[e] * impulse[r];
    for (uint32_t j = 0; z && j < s->nv; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            b[A->row[e]] -= A->value[e] * z[j];
}

/* Removes the part of `impulse` [rows] without effect: iterated (W + E)^-1 W. */
static inline tn_status tn_saddle_least_norm(tn_saddle *s, const tn_impulse_problem *p, double *impulse)
{
    double *b = s->vector, *least = b + s->nv + s->rows, *rest = least + s->rows;
    double largest = 0.0, change = HUGE_VAL;
    for (uint32_t r = 0; r < s->rows; r++) {
        least[r] = 0.0;
        largest = fmax(largest, fabs(impulse[r]));
    }
    for (int k = 0; k < TN_SADDLE_REPETITIONS && change > TN_SADDLE_NOTHING * largest; k++) {
        for (uint32_t r = 0; r < s->rows; r++)
            rest[r] = impulse[r] - least[r];
        tn_saddle_rest(s, p, NULL, rest, NULL, b);
        memset(b + s->nv, 0, s->rows * sizeof *b);
        const tn_status status = s->linear->solve(s->linear, s->system, b);
        if (status != TN_OK) return status;
        change = 0.0;
        for (uint32_t r = 0; r < s->rows; r++) {
            least[r] -= b[s->nv + r];
            change = fmax(change, fabs(b[s->nv + r]));
        }
    }
    memcpy(impulse, least, s->rows * sizeof *impulse);
    return TN_OK;
}

/* Impulses of the joints [rows of the saddle] that make free_rate + G z vanish, with A z = pull + G^T impulse; `pull` [nv] is what other
 * rows do, or NULL. z [nv] is what comes of both. Rows that contradict each other keep what is left of them. */
static inline tn_status tn_saddle_joints(tn_saddle *s, const tn_impulse_problem *p, const double *pull,
                                         double *impulse, double *z)
{
    double *b = s->vector, before = HUGE_VAL;
    memset(impulse, 0, s->rows * sizeof *impulse);
    memset(z, 0, s->nv * sizeof *z);
    for (int k = 0; k < TN_SADDLE_REPETITIONS; k++) {
        double largest = 0.0, round_off = 0.0;
        for (uint32_t r = 0; r < s->rows; r++) {
            double size;
            const double rate = tn_saddle_rate(s, p, r, z, &size);
            b[s->nv + r] = -rate;
            if (fabs(rate) > largest) largest = fabs(rate);
            if (TN_SADDLE_ROUND_OFF * size > round_off) round_off = TN_SADDLE_ROUND_OFF * size;
        }
        if (k && (largest <= round_off || largest > 0.5 * before)) break;
        before = k ? largest : HUGE_VAL;
        if (k)
            tn_saddle_rest(s, p, pull, impulse, z, b);
        else if (pull)
            memcpy(b, pull, s->nv * sizeof *b);
        else
            memset(b, 0, s->nv * sizeof *b);
        const tn_status status = s->linear->solve(s->linear, s->system, b);
        if (status != TN_OK) return status;
        for (uint32_t j = 0; j < s->nv; j++)
            z[j] += b[j];
        for (uint32_t r = 0; r < s->rows; r++)
            impulse[r] += b[s->nv + r];
    }
    return p->independent_joints ? TN_OK : tn_saddle_least_norm(s, p, impulse);
}

#endif

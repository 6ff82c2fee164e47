/* used_pattern.h - the entries of a matrix that have not always been zero.
 *
 * The pattern that a model announces holds whole blocks: all that a body's six coordinates may have to do with the five
 * rows of a joint. Most of it stays zero where a mechanism moves in a plane, and much of it in space. Factors of what is used
 * alone have fewer entries: four-bar mechanisms factorise in a third of the time. An entry that is zero no more makes the
 * pattern grow; where that happens again and again all of it is taken. */
#ifndef TENON_USED_PATTERN_H
#define TENON_USED_PATTERN_H

#include "tenon/linear.h"

#include <tenon/draft/stepping.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define USED_PATTERN_GROWTHS 20 /* then the pattern is taken as announced */

typedef struct used_pattern {
    uint64_t *used; /* [entries announced] bits, in words of 64 */
    int32_t *start; /* [size + 1] of columns */
    int32_t *row;   /* [entries used]; the arrays have room for all, unless they are made for a while only */
    double *value;  /* likewise */
    uint32_t growths;
} used_pattern;

/* What follows from the bits. */
static inline void used_pattern_close(used_pattern *p)
{
    free(p->start);
    free(p->row);
    free(p->value);
    p->start = p->row = NULL;
    p->value = NULL;
}

static inline void used_pattern_free(used_pattern *p)
{
    used_pattern_close(p);
    free(p->used);
    *p = (used_pattern){0};
}

/* Words of the bits of this pattern. */
static inline size_t used_pattern_words(const tn_matrix *matrix)
{
    return ((size_t)matrix->column_start[matrix->size] + 63) / 64;
}

/* A statement for every entry that is used: `entry` among those announced, `number` among those used. */
#define USED_PATTERN_FOR_EACH(p, matrix, entry, number, statement)                    \
    do {                                                                              \
        size_t number = 0;                                                            \
        for (size_t word_ = 0; word_ < used_pattern_words(matrix); word_++)           \
            for (uint64_t left_ = (p)->used[word_]; left_ != 0; left_ &= left_ - 1) { \
                const size_t entry = 64 * word_ + (size_t)__builtin_ctzll(left_);     \
                statement;                                                            \
                number++;                                                             \
            }                                                                         \
    } while (0)

/* The bits alone. */
static inline bool used_pattern_begin(used_pattern *p, const tn_matrix *matrix)
{
    *p = (used_pattern){.used = calloc(used_pattern_words(matrix) + 1, sizeof *p->used)};
    return p->used;
}

static inline bool used_pattern_allocate(used_pattern *p, const tn_matrix *matrix, size_t entries)
{
    p->start = calloc((size_t)matrix->size + 1, sizeof *p->start);
    p->row = malloc((entries + 1) * sizeof *p->row);
    p->value = malloc((entries + 1) * sizeof *p->value);
    return p->start && p->row && p->value;
}

static inline bool used_pattern_make(used_pattern *p, const tn_matrix *matrix)
{
    return used_pattern_begin(p, matrix) &&
           used_pattern_allocate(p, matrix, (size_t)matrix->column_start[matrix->size]);
}

/* How many entries are used. */
static inline size_t used_pattern_size(const uint64_t *used, const tn_matrix *matrix)
{
    size_t count = 0;
    for (size_t k = 0; k < used_pattern_words(matrix); k++)
        count += (size_t)__builtin_popcountll(used[k]);
    return count;
}

/* The entries that are used, column by column. */
static inline void used_pattern_list(used_pattern *p, const tn_matrix *matrix)
{
    uint32_t column = 0;
    p->start[0] = 0;
    USED_PATTERN_FOR_EACH(p, matrix, entry, number, {
        while (entry >= (size_t)matrix->column_start[column + 1])
            p->start[++column] = (int32_t)number;
        p->row[number] = matrix->row[entry];
    });
    const int32_t count = (int32_t)used_pattern_size(p->used, matrix);
    while (column < matrix->size)
        p->start[++column] = count;
}

/* How many numbers are no zeros. */
static inline uint64_t used_pattern_count(const double *value, int32_t entries)
{
    uint64_t count = 0;
    for (int32_t k = 0; k < entries; k++)
        count += value[k] != 0.0;
    return count;
}

/* Bits of the entries of word `word` that are no zeros, or all of them. */
static inline uint64_t used_pattern_word(const tn_matrix *matrix, size_t word, bool all)
{
    const size_t first = 64 * word, left = (size_t)matrix->column_start[matrix->size] - first,
                 count = left < 64 ? left : 64;
    const double *value = matrix->value + first;
    uint64_t present = 0;
    for (size_t k = 0; k < count; k++)
        present |= (uint64_t)(all || value[k] != 0.0) << k;
    return present;
}

/* All that is no zero joins the bits, and with the first matrix the diagonal. */
static inline void used_pattern_join(used_pattern *p, const tn_matrix *matrix)
{
    const bool first = p->growths == 0, all = p->growths++ == USED_PATTERN_GROWTHS;
    for (size_t word = 0; word < used_pattern_words(matrix); word++)
        p->used[word] |= used_pattern_word(matrix, word, all);
    for (uint32_t column = 0; first && column < matrix->size; column++)
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++)
            if (matrix->row[k] == (int32_t)column) p->used[k / 64] |= UINT64_C(1) << k % 64;
}

/* Whether all that is no zero is among the bits. */
static inline bool used_pattern_holds(const used_pattern *p, const tn_matrix *matrix)
{
    for (size_t word = 0; word < used_pattern_words(matrix); word++)
        if (used_pattern_word(matrix, word, false) & ~p->used[word]) return false;
    return true;
}

static inline void used_pattern_take(used_pattern *p, const tn_matrix *matrix)
{
    USED_PATTERN_FOR_EACH(p, matrix, entry, number, p->value[number] = matrix->value[entry]);
}

/* Takes the values over; true when they did not fit into the pattern, which has grown then. */
static inline bool used_pattern_fill(used_pattern *p, const tn_matrix *matrix)
{
    used_pattern_take(p, matrix);
    const bool fits = used_pattern_count(p->value, p->start[matrix->size]) ==
                      used_pattern_count(matrix->value, matrix->column_start[matrix->size]);
    if (fits) return false;
    used_pattern_join(p, matrix);
    used_pattern_list(p, matrix);
    used_pattern_take(p, matrix);
    return true;
}

/* Lists of a pattern that has bits alone, until they are closed again; with the values, if the matrix has any. */
static inline bool used_pattern_open(used_pattern *p, const tn_matrix *matrix)
{
    const bool made = used_pattern_allocate(p, matrix, used_pattern_size(p->used, matrix));
    if (made) {
        used_pattern_list(p, matrix);
        if (matrix->value) used_pattern_take(p, matrix);
    } else {
        used_pattern_close(p);
    }
    return made;
}

/* What is listed, as a matrix. */
static inline tn_matrix used_pattern_matrix(const used_pattern *p, const tn_matrix *matrix)
{
    return (tn_matrix){sizeof(tn_matrix), matrix->size, p->start, p->row, p->value};
}

/* Which entries are used, and their values. */
static inline void used_pattern_state(used_pattern *p, const tn_matrix *matrix, tn_state_visitor *visitor)
{
    TN_VISIT(visitor, p->growths);
    visitor->bytes(visitor, p->used, used_pattern_words(matrix) * sizeof *p->used);
    if (visitor->restores) used_pattern_list(p, matrix);
    tn_visit_numbers(visitor, p->value, (size_t)p->start[matrix->size]);
}

static inline bool used_pattern_is_finite(const used_pattern *p, int32_t size)
{
    const int32_t count = p->start[size];
    double none = 0.0; /* or not a number */
    for (int32_t e = 0; e < count; e++)
        none += 0.0 * p->value[e];
    return none == 0.0;
}

#endif

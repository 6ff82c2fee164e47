/* test_large.h - matrices of large mechanisms: bodies of six unknowns, and joints of three rows between two of them, or of the ground and one. */
#ifndef TENON_TEST_LARGE_H
#define TENON_TEST_LARGE_H

#include "../test_matrix.h"

#include <stdlib.h>

/* Body b hangs at body (b - 1) / branches; where there are rungs a loop is closed between each body whose number they divide and the fourth
 * one before it. */
typedef struct large_mechanism {
    uint32_t bodies, branches, rungs;
} large_mechanism;

typedef struct large_entry {
    int32_t row, column;
    double value;
} large_entry;

typedef struct large_matrix {
    int32_t *start, *row;
    double *value;
    tn_matrix matrix;
} large_matrix;

enum { OF_BODY = 6, OF_JOINT = 3 };

static inline uint32_t large_joints(const large_mechanism *m)
{
    return m->bodies + (m->rungs ? (m->bodies - 1) / m->rungs : 0);
}

/* The body at a side of a joint; m->bodies for the ground. */
static inline uint32_t large_body(const large_mechanism *m, uint32_t joint, uint32_t side)
{
    const uint32_t outer = joint < m->bodies ? joint : (joint - m->bodies + 1) * m->rungs;
    if (side == 1) return outer;
    if (joint >= m->bodies) return outer - 4;
    return joint == 0 ? m->bodies : (joint - 1) / m->branches;
}

static inline void large_list(const large_mechanism *m, uint32_t seed, large_entry *entry, int32_t *count)
{
    for (uint32_t b = 0; b < m->bodies; b++)
        for (uint32_t i = 0; i < OF_BODY * OF_BODY; i++) {
            const uint32_t r = i / OF_BODY, c = i % OF_BODY;
            entry[(*count)++] =
                (large_entry){(int32_t)(OF_BODY * b + r), (int32_t)(OF_BODY * b + c),
                              (r == c ? (r < 3 ? 1.0 : 0.2) : 0.0) + 0.01 * test_random(&seed)};
        }
    for (uint32_t j = 0; j < large_joints(m); j++)
        for (uint32_t r = 0; r < OF_JOINT; r++) {
            const int32_t row = (int32_t)(OF_BODY * m->bodies + OF_JOINT * j + r);
            entry[(*count)++] = (large_entry){row, row, 0.0};
            for (uint32_t i = 0; i < 2 * OF_BODY; i++) {
                const uint32_t side = i / OF_BODY, k = i % OF_BODY, body = large_body(m, j, side);
                if (body == m->bodies) continue;
                const int32_t column = (int32_t)(OF_BODY * body + k);
                const double value = k < 3 ? (side ? 1.0 : -1.0) * (k == r) : 0.5 * test_random(&seed);
                entry[(*count)++] = (large_entry){row, column, value};
                entry[(*count)++] = (large_entry){column, row, value};
            }
        }
}

static inline int large_by_place(const void *a, const void *b)
{
    const large_entry *first = a, *second = b;
    if (first->column != second->column) return first->column < second->column ? -1 : 1;
    return first->row < second->row ? -1 : 1;
}

static inline void large_make(large_matrix *a, const large_mechanism *m, uint32_t seed)
{
    const uint32_t joints = large_joints(m), size = OF_BODY * m->bodies + OF_JOINT * joints;
    const size_t most = (size_t)m->bodies * OF_BODY * OF_BODY + (size_t)joints * OF_JOINT * (4 * OF_BODY + 1);
    large_entry *entry = malloc(most * sizeof *entry);
    int32_t count = 0;
    assert_non_null(entry);
    large_list(m, seed, entry, &count);
    qsort(entry, (size_t)count, sizeof *entry, large_by_place);
    a->start = calloc((size_t)size + 1, sizeof *a->start);
    a->row = malloc(most * sizeof *a->row);
    a->value = malloc(most * sizeof *a->value);
    assert_true(a->start && a->row && a->value);
    for (int32_t k = 0; k < count; k++) {
        a->row[k] = entry[k].row;
        a->value[k] = entry[k].value;
        a->start[entry[k].column + 1] = k + 1;
    }
    a->matrix = (tn_matrix){sizeof a->matrix, size, a->start, a->row, a->value};
    free(entry);
}

static inline void large_free(large_matrix *a)
{
    free(a->start);
    free(a->row);
    free(a->value);
}

#endif

/* rank_rows.h - what the steps of the search for dependent rows share (see rank.h). Called by tn_rank_find, step by step. */
#ifndef TN_RANK_ROWS_H
#define TN_RANK_ROWS_H

#include "analysis/rank.h"
#include "base/memory.h"

/* A row stands out by less: dependent. Entries of a row of length 1 far below it are rounding. */
#define TN_RANK_TOLERANCE 1e-9
#define TN_RANK_NEGLIGIBLE 1e-12

/* A sparse row. */
typedef struct tn_rank_row {
    uint32_t count;
    struct tn_rank_entry {
        uint32_t column;
        double value;
    } * entry;                 /* columns ascend */
    struct tn_rank_entry *own; /* memory of its own, once it has become longer; or NULL */
    size_t capacity;           /* of that */
} tn_rank_row;

/* The active rows, of length 1, without negligible entries, and the memory of the whole search. */
typedef struct tn_rank_rows {
    uint32_t count, columns;
    tn_rank_row *row;
    bool *left; /* [count] still to be decided */
    const tn_column_bodies *bodies;
    uint32_t *body; /* [columns] */
    tn_arena memory;
} tn_rank_rows;

/* Rows that are left, sorted by parts that share no column; parts in the order of their first rows. */
typedef struct tn_rank_parts {
    uint32_t count;
    uint32_t *start; /* [count + 1] */
    uint32_t *row;   /* ascending inside a part */
    uint32_t *width; /* [count] columns of a part */
    uint32_t *place; /* [columns of the matrix] of a column in its part */
} tn_rank_parts;

tn_rank_parts tn_rank_parts_find(tn_rank_rows *rows);

/* Row `target` has lost `factor` times row `pivot`. */
typedef struct tn_rank_operation {
    uint32_t target, pivot;
    size_t before; /* operation on the same target, counted from 1; 0: none */
    double factor;
} tn_rank_operation;

typedef struct tn_rank_operations {
    size_t count;
    tn_rank_operation *operation; /* in the order in which they happened */
    size_t *last;                 /* [rows] on a row, counted from 1 */
    size_t vanished_count;
    uint32_t *vanished; /* [rows] rows of which nothing was left */
} tn_rank_operations;

/* Takes away chosen rows as far as it is clear that they are independent; returns how many have turned out so. Without
 * operations these are rows that no other row changes; else others lose combinations of them, and stay left, changed. */
uint32_t tn_rank_eliminate(tn_rank_rows *rows, const bool *chosen, tn_rank_operations *operations);

/* A vector of one number per row, almost all of them zero. */
typedef struct tn_rank_vector {
    double *value; /* [rows] */
    bool *listed;  /* [rows] */
    uint32_t *row; /* [rows] those where it may not be zero */
    size_t count;
    size_t *waiting; /* operations to be undone, latest first: a heap */
    size_t waiting_count, waiting_capacity;
    double work; /* operations undone so far, for all vectors */
} tn_rank_vector;

void tn_rank_vector_add(tn_rank_vector *vector, uint32_t row, double value);
/* From a combination of rows after the operations to the same one of rows before them. */
void tn_rank_vector_undo(tn_rank_vector *vector, const tn_rank_operations *operations, tn_arena *memory);
void tn_rank_vector_clear(tn_rank_vector *vector);

#endif

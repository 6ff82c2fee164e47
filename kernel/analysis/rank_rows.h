/* rank_rows.h - what the steps of the search for dependent rows share (see rank.h). */
#ifndef TN_RANK_ROWS_H
#define TN_RANK_ROWS_H

#include "analysis/rank.h"

/* A row stands out by less: dependent. Entries of a row of length 1 far below it are rounding. */
#define TN_RANK_TOLERANCE 1e-9
#define TN_RANK_NEGLIGIBLE 1e-12

/* The rows still to be decided: active, of length 1, without negligible entries. */
typedef struct tn_rank_rows {
    tn_row_matrix matrix;
    uint32_t *body; /* [columns] */
    bool *left;     /* [rows] */
} tn_rank_rows;

/* Rows that are left, sorted by parts that share no column; parts in the order of their first rows. */
typedef struct tn_rank_parts {
    uint32_t count;
    uint32_t *start; /* [count + 1] */
    uint32_t *row;   /* ascending inside a part */
    uint32_t *width; /* [count] columns of a part */
    uint32_t *place; /* [columns of the matrix] of a column in its part */
} tn_rank_parts;

void tn_rank_parts_find(tn_rank_parts *parts, const tn_rank_rows *rows);
void tn_rank_parts_free(tn_rank_parts *parts);

/* Takes away rows that are independent of all others because a body feels them, and only them; returns how many. */
uint32_t tn_rank_peel(tn_rank_rows *rows, const tn_column_bodies *bodies);

/* Row `target` has lost `factor` times row `pivot`. */
typedef struct tn_rank_operation {
    uint32_t target, pivot;
    size_t before; /* operation on the same target, counted from 1; 0: none */
    double factor;
} tn_rank_operation;

typedef struct tn_rank_operations {
    size_t count, capacity;
    tn_rank_operation *operation; /* in the order in which they happened */
    size_t *last;                 /* [rows] on a row, counted from 1 */
    size_t vanished_count, vanished_capacity;
    uint32_t *vanished; /* rows of which nothing was left */
} tn_rank_operations;

void tn_rank_operations_begin(tn_rank_operations *operations, uint32_t rows);
void tn_rank_operations_end(tn_rank_operations *operations);

/* Eliminates the chosen rows as far as it is clear which ones are independent; returns how many have turned out so. The
 * rest stays left, changed by the operations. */
uint32_t tn_rank_eliminate(tn_rank_rows *rows, const tn_column_bodies *bodies, const bool *chosen,
                           tn_rank_operations *operations);

/* A vector of one number per row, almost all of them zero. */
typedef struct tn_rank_vector {
    double *value; /* [rows] */
    bool *listed;  /* [rows] */
    uint32_t *row; /* [count] where it may not be zero */
    size_t count, capacity;
    size_t *waiting; /* operations to be undone, latest first: a heap */
    size_t waiting_count, waiting_capacity;
    double work; /* operations undone so far, for all vectors */
} tn_rank_vector;

void tn_rank_vector_begin(tn_rank_vector *vector, uint32_t rows);
void tn_rank_vector_add(tn_rank_vector *vector, uint32_t row, double value);
/* From a combination of rows after the operations to the same one of rows before them. */
void tn_rank_vector_undo(tn_rank_vector *vector, const tn_rank_operations *operations);
void tn_rank_vector_clear(tn_rank_vector *vector);
void tn_rank_vector_end(tn_rank_vector *vector);

#endif

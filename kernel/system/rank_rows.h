/* rank_rows.h - what the steps of the search for dependent rows share (see rank.h). */
#ifndef TN_RANK_ROWS_H
#define TN_RANK_ROWS_H

#include "system/rank.h"

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

#endif

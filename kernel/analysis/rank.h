/* rank.h - how many rows of a sparse matrix are independent, and which depend on each other: the degrees of
 * freedom and the redundant constraints of a model. Knows nothing of models. */
#ifndef TN_RANK_H
#define TN_RANK_H

#include "plugin/loaded_types.h"

/* Matrix in compressed rows. Values are finite and measured in units in which columns compare. */
typedef struct tn_row_matrix {
    uint32_t rows, columns;
    uint32_t *row_start; /* [rows + 1] */
    uint32_t *column;    /* [row_start[rows]], ascending inside a row */
    double *value;       /* [row_start[rows]] */
} tn_row_matrix;

/* Columns body_start[b] ... body_start[b + 1] - 1 belong to body b; all bodies together own all columns. */
typedef struct tn_column_bodies {
    uint32_t count;
    const uint32_t *start; /* [count + 1] */
} tn_column_bodies;

typedef struct tn_rank {
    uint32_t rank;
    uint32_t redundant; /* active rows beyond the rank */

    /* One set per redundant row: rows of which one is a combination of the others, that is those with a part in
     * one null vector of the transposed matrix. */
    uint32_t set_count;
    uint32_t *set_start; /* [set_count + 1] */
    uint32_t *set_row;   /* [set_start[set_count]], ascending inside a set */
    double *set_value;   /* with them: their parts, of rows scaled to length 1 */

    uint32_t core_rows; /* of the largest part with closed loops */
} tn_rank;

/* Rows that are not active do not count; an active row of zeros is redundant. Trees of bodies need no factorisation,
 * large parts with closed loops hardly any; what is not clear from single bodies is left to `dense`, part by part.
 * TN_UNSUPPORTED when that is too large or would take minutes, or when there is something to factorise and `dense` is
 * NULL or lacks the operation: then only core_rows is known. Free the result in any case. */
tn_status tn_rank_find(const tn_row_matrix *matrix, const uint8_t *active, const tn_column_bodies *bodies,
                       const tn_loaded_linear *dense, const tn_host *host, tn_rank *result);
void tn_rank_free(tn_rank *result);

#endif

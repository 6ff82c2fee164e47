/* tenon/linear.h - solvers of sparse linear systems, used by the time integrators. */
#ifndef TENON_LINEAR_H
#define TENON_LINEAR_H

#include "tenon/host.h"

/* Square matrix in compressed columns; the pattern is fixed, row indices ascend inside a column. */
typedef struct tn_matrix {
    uint32_t size;
    uint32_t reserved;
    const int32_t *column_start; /* [size + 1] */
    const int32_t *row;          /* [column_start[size]] */
    double *value;               /* [column_start[size]] */
} tn_matrix;

typedef struct tn_linear_type {
    uint32_t struct_size;
    uint32_t flags;
    const char *name, *summary, *formula, *literature;

    /* [setup] Analyses the pattern. */
    tn_status (*create)(const tn_host *host, const tn_matrix *matrix, void **self);
    /* [hot, but may renew its pivots] Factorises the values; TN_RETRY when the matrix is singular. */
    tn_status (*factor)(void *self, const tn_matrix *matrix);
    /* [hot] Replaces the right-hand side by the solution. */
    tn_status (*solve)(void *self, double *right_hand_side);
    void (*destroy)(void *self);

    /* Since interface 1.1. [setup] Which columns of a dense matrix depend on the others, by a rank-revealing
     * factorisation; NULL: not offered. `matrix` [columns][rows], column after column, is overwritten; columns that
     * stand out by no more than `tolerance` times the largest one are dependent. `order` [columns] lists the
     * independent columns, `rank` of them, then the dependent ones. `combination` [columns - rank][rank]:
     * column order[rank + j] = sum over i < rank of combination[j rank + i] times column order[i]; since nobody
     * knows the rank before, it has room for columns^2/4 numbers, the most that this can be. */
    tn_status (*dependent)(const tn_host *host, uint32_t rows, uint32_t columns, double *matrix,
                           double tolerance, uint32_t *rank, uint32_t *order, double *combination);
} tn_linear_type;

#endif

/* redundancy.h - constraints whose rows depend on each other, and the multipliers that are shown of them. */
#ifndef TN_REDUNDANCY_H
#define TN_REDUNDANCY_H

#include "system/assembly.h"

struct tn_redundancy {
    const tn_loaded_linear *dense; /* to find ranks with; NULL: none is there */
    /* rows depend on each other: results show multipliers of least norm, by equations of their own */
    bool shows_least;
    /* all solutions have multipliers of least norm: E of the matrix is the same for all rows */
    bool solves_least;
    bool shows_states; /* multipliers are among the results */
    double share;      /* E against the diagonal of the Schur complement */
};

/* row_matrix.c: which rows of active constraints depend on each other, at the current state; `dense` as for tn_rank_find. */
tn_status tn_find_redundancy(tn_assembly *assembly, const tn_loaded_linear *dense, tn_rank *result);
/* The name of the constraint that a row belongs to, and the row's number there, from 1. */
const char *tn_row_owner(const tn_assembly *assembly, uint32_t row, uint32_t *number);
/* redundancy.c: dependent rows at the current state; unless `thorough` closed loops of very many rows are left out
 * (TN_UNSUPPORTED). Free the result with tn_rank_free in any case. */
tn_status tn_redundancy_find(tn_assembly *assembly, bool thorough, tn_rank *rank);
/* What follows from that for solutions and results; the same found anew after a change of the model. */
void tn_redundancy_set(tn_assembly *assembly, tn_status status, const tn_rank *rank);
tn_status tn_redundancy_renew(tn_assembly *assembly);
/* E of the matrix against the diagonal of its Schur complement: where it is seldom needed, where it has to take up the round-off
 * of dependent rows, and where solutions shall have the least multipliers. Soft directions of long structures and of singular
 * positions bear no larger shares. */
#define TN_SHARE_OF_INDEPENDENT_ROWS 1e-14
#define TN_SHARE_OF_UNKNOWN_ROWS 1e-12
#define TN_SHARE_OF_DEPENDENT_ROWS 1e-10
#define TN_SHARE_OF_LEAST_MULTIPLIERS 1e-9
/* minimum_norm.c: the multipliers of least norm, [rows], that give the same forces as lambda; at the last evaluation. */
tn_status tn_minimum_norm(tn_assembly *assembly, double *eta);
/* b [nv] += what stands beside the masses in a matrix, -G^T and the forces that read multipliers, times `rows`. */
void tn_add_border_product(const tn_assembly *assembly, const tn_matrix *matrix, const double *rows,
                           double *b);

#endif

/* tenon/linear.h - solvers of sparse linear systems, used by the time integrators. */
#ifndef TENON_LINEAR_H
#define TENON_LINEAR_H

#include "tenon/type.h"

/* Square matrix in compressed columns; the pattern is fixed, row indices ascend inside a column. */
typedef struct tn_matrix {
    uint32_t struct_size;
    uint32_t size;
    const int32_t *column_start; /* [size + 1] */
    const int32_t *row;          /* [column_start[size]] */
    double *value;               /* [column_start[size]] */
} tn_matrix;

enum tn_linear_flag {
    TN_SOLVES_TO_TOLERANCE =
        1u /* solutions leave as much as a parameter of the type allows: the kernel does not refine them */
};

/* The kernel checks solutions for NaN. It multiplies the first one of each of the first 8 factorisations by the matrix, and then the first
 * one of the next factorisation whenever there have been 64 factorisations, or 256 solutions. Where that leaves a residual above 1e-13 of
 * the largest terms of a row, the kernel refines it and the other solutions of these factors, and looks at the next 64 factorisations, too:
 * it calls solve() again, with residuals. Of the corrections of an iteration (`corrects` of tn_system) it refines only those that it looks
 * at. For small matrices it checks that they are singular if factor() returns so. If a check fails, the run ends and names the type. */
typedef struct tn_linear_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags, reserved_too;
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    /* [setup] Checks and completes one instance, the parameters of `linear = {type = "...", ...}`; NULL: nothing to do. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] Analyses the pattern. An instance may have several of these at a time. */
    tn_status (*create)(const tn_host *host, const void *instance, const tn_matrix *matrix, void **self);
    /* [hot, but may renew its pivots] Factorises the values; TN_RETRY when the matrix is singular. */
    tn_status (*factor)(void *self, const tn_matrix *matrix);
    /* [hot] Replaces the right-hand side by the solution. */
    tn_status (*solve)(void *self, double *right_hand_side);
    /* [setup] Releases the memory of create(). */
    void (*destroy)(void *self);
} tn_linear_type;

#define TN_DEPENDENT_KEY "tenon.dependent/1"

/* "tenon.dependent/1": which columns of a dense matrix depend on the others, by a rank-revealing factorisation. */
typedef struct tn_dependent_capability {
    uint32_t struct_size, reserved;
    /* [setup] `matrix` [columns][rows], column after column, is overwritten; columns that stand out by no more than `tolerance`
     * times the largest one are dependent. `order` [columns] lists the independent columns, `rank` of them, then the
     * dependent ones. `combination` [columns - rank][rank]: column order[rank + j] = sum over i < rank of
     * combination[j rank + i] times column order[i]; since the rank is unknown before, it has room for columns^2/4 numbers, the
     * largest possible size. */
    tn_status (*dependent)(const tn_host *host, uint32_t rows, uint32_t columns, double *matrix,
                           double tolerance, uint32_t *rank, uint32_t *order, double *combination);
} tn_dependent_capability;

#endif

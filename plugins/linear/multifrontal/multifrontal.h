/* multifrontal.h - what the files of this plugin share: the order of elimination, the fronts, and their factors.
 *
 * Unknowns that are joined to the same others (the coordinates of a body) are one group: graphs, trees and orders are of groups.
 * A front is the dense matrix of some unknowns that are eliminated together, its pivots, and of all that they are joined to then. */
#ifndef TENON_MULTIFRONTAL_H
#define TENON_MULTIFRONTAL_H

#include "tenon/linear.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- graph.c: groups of unknowns, and what they are joined to ---- */

typedef struct tn_group_graph {
    int32_t size, groups; /* unknowns, groups of them */
    int32_t *group;       /* [size] of each unknown */
    int32_t *weight;      /* [groups] unknowns */
    int32_t *start;       /* [groups + 1] */
    int32_t *neighbour;   /* [start[groups]] both ways, without the group itself */
} tn_group_graph;

tn_status tn_group_graph_make(tn_group_graph *graph, const tn_matrix *matrix);
void tn_group_graph_free(tn_group_graph *graph);

/* ---- components.c: parts of the matrix that have nothing to do with each other at present ---- */

enum { TN_MOST_RENEWALS = 20 }; /* then all is one part, or as many as the pattern has */

typedef struct tn_components {
    int32_t *part; /* [size] of each unknown, from 0 to count - 1; the owner makes it */
    int32_t count;
    int32_t *between; /* [between_count] entries between parts: zeros */
    int32_t between_count, renewals;
} tn_components;

/* Finds them for the values of this matrix; false without memory. */
bool tn_components_find(tn_components *components, const tn_matrix *matrix);
/* Lists the entries between parts that are known. */
bool tn_components_list(tn_components *components, const tn_matrix *matrix);
/* Whether they are still parts. */
bool tn_components_hold(const tn_components *components, const tn_matrix *matrix);
void tn_components_free(tn_components *components);
/* graph.c: the graph of groups that end with their part. */
tn_status tn_group_graph_split(tn_group_graph *split, int32_t *origin, const tn_group_graph *graph,
                               const tn_components *components);

/* ---- order.c: which group is eliminated when ---- */

/* The places of elimination are such that all children of a place in the tree, and theirs, come right before it. */
typedef struct tn_elimination {
    int32_t *group;             /* [groups] by place */
    int32_t *place;             /* [groups] by group */
    int32_t *parent;            /* [groups] by place, -1 at a root */
    int64_t *length;            /* [groups] by place: unknowns of the column of factors, its own among them */
    double entries, operations; /* of LU factors */
} tn_elimination;

tn_status tn_elimination_find(tn_elimination *elimination, const tn_group_graph *graph);
/* The same order, for a graph whose groups are parts of others: `origin` [groups] names them. */
tn_status tn_elimination_split(tn_elimination *elimination, const tn_group_graph *graph,
                               const int32_t *origin, const tn_elimination *whole, int32_t groups);
void tn_elimination_free(tn_elimination *elimination);

/* ---- fronts.c: the fronts and their tree ---- */

typedef struct tn_front_plan {
    int32_t first, pivots; /* unknowns, by place of elimination */
    int32_t rests;         /* unknowns that they are joined to, */
    int32_t *rest;         /* [rests] by place of elimination, ascending */
    int32_t *in_parent;    /* [rests] where the parent's front has them, its late ones apart */
    int32_t parent;        /* -1 at a root; children come before */
    int32_t children;
    int32_t first_entry, entries; /* of the matrix */
} tn_front_plan;

typedef struct tn_front_entry {
    int32_t entry, row, column; /* of the matrix; in the front, its late unknowns apart */
} tn_front_entry;

typedef struct tn_fronts {
    int32_t count;
    int32_t *place; /* [size] of unknowns */
    tn_front_plan *front;
    tn_front_entry *entry;
    int32_t *memory;   /* of rest and in_parent */
    double entries;    /* of factors, if all pivots are found where they are expected, and */
    double operations; /* of a factorisation */
    double waiting;    /* numbers that wait for parents at most, */
    double room;       /* and with the front of that time */
} tn_fronts;

/* Entries between parts are left out. */
tn_status tn_fronts_plan(tn_fronts *fronts, const tn_matrix *matrix, const tn_group_graph *graph,
                         const tn_elimination *elimination, const tn_components *components);
void tn_fronts_free(tn_fronts *fronts);

/* ---- dense_front.c: elimination in one front ---- */

#define TN_FRONT_PAD 8 /* numbers behind each column that may be overwritten */

typedef struct tn_dense_front {
    int32_t size, candidates; /* rows; the first ones may be pivots: all that there is of them is summed up */
    int32_t stride;           /* at least size + TN_FRONT_PAD */
    bool is_root;             /* nothing may be left of the candidates */
    int32_t *row, *column;    /* [size] the unknowns, by place of elimination */
    double *value;            /* column by column */
    double *memory;           /* [TN_FRONT_MEMORY(size)] */
} tn_dense_front;

#define TN_FRONT_PANEL 32
#define TN_FRONT_WIDTH 8 /* columns of a tile */
#define TN_FRONT_MEMORY(size) \
    (((size_t)(size) + 2 * TN_FRONT_PAD) * TN_FRONT_PANEL + (size_t)TN_FRONT_PANEL * TN_FRONT_WIDTH)

/* P A Q = L U for as many pivots as are good; rows and columns are exchanged among the candidates. L with the diagonal 1 and U
 * stand in `value`, what is left behind them. Returns the number of pivots; -1 where a root is singular. */
int32_t tn_dense_front_eliminate(tn_dense_front *front);

/* ---- factors.c: the factors of all fronts, and substitution ---- */

typedef struct tn_front_factors {
    int32_t pivots, size;  /* size: of the front */
    int32_t *row, *column; /* [size] unknowns, by place of elimination: those of the pivots first */
    double *
        diagonal; /* [pivots][pivots] column by column: L, with 1 on its diagonal, and U, with the inverse of it */
    double *lower, *upper; /* [pivots][size - pivots] of L column by column, of U row by row */
    void *memory;
    size_t room; /* bytes of it */
} tn_front_factors;

/* Keeps what has come of a front; false without memory. */
bool tn_front_factors_keep(tn_front_factors *factors, const tn_dense_front *front, int32_t pivots);
/* Right-hand sides by place of elimination: of rows, which is lost, and of columns, the solution. `memory` [2 largest front]. */
void tn_front_factors_solve(const tn_front_factors *factors, int32_t count, double *of_row, double *of_column,
                            double *memory);

/* ---- doubled.c: complex matrices as real ones ---- */

typedef struct tn_doubled {
    tn_matrix matrix; /* of twice the size; its arrays: */
    int32_t *start, *row;
    double *value;
} tn_doubled;

/* False without memory, or with too many entries. */
bool tn_doubled_make(tn_doubled *doubled, const tn_matrix *pattern);
/* Values as pairs of real and imaginary part; a right-hand side of such pairs is one of the doubled matrix as it is. */
void tn_doubled_fill(tn_doubled *doubled, const tn_matrix *pattern, const double *value);
void tn_doubled_free(tn_doubled *doubled);

#endif

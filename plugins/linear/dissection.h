/* dissection.h - the order of elimination that Scotch finds for bodies and constraints, instead of their single coordinates.
 *
 * Unknowns whose columns have the same rows, as announced, belong to one body or one constraint: they are one vertex of the graph. That
 * is found sooner than an order of the single unknowns, and is better, as blocks stay together: on lattices factors have two thirds
 * of the entries. */
#ifndef TENON_DISSECTION_H
#define TENON_DISSECTION_H

#include "tenon/linear.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
/* declares functions of files */
#include <scotch.h>
#include <stdlib.h>
#include <string.h>

#define DISSECTION_GROUP 6e-6      /* s, of Scotch for a group */
#define DISSECTION_OPERATION 5e-11 /* s, of a factorisation */
#define DISSECTION_SHARE 0.1
/* Separators by levels, refined by Fiduccia and Mattheyses's algorithm, down to parts of 30 vertices, which are ordered by minimum degree. */
#define DISSECTION_STRATEGY                                                                             \
    "n{sep=/(vert>30)?m{rat=0.8,vert=60,low=(h{pass=10}f{bal=0.2}),asc=(|h{pass=5})f{bal=0.2,move=200," \
    "pass=-1}};,ole=d{cmin=0,cmax=1000000,frat=0},ose=g}"

_Static_assert(sizeof(SCOTCH_Num) == sizeof(int32_t), "Scotch counts in 32 bits");

typedef struct dissection {
    SCOTCH_Num groups;
    SCOTCH_Num *first;                         /* [groups + 1] unknowns; the last one is the size */
    SCOTCH_Num *group;                         /* [size] of each unknown */
    SCOTCH_Num *start, *neighbour;             /* of the groups: both sides of each entry, each once */
    SCOTCH_Num *weight, *order, *place, *next; /* [groups] */
} dissection;

static inline void dissection_free(dissection *d)
{
    void *const memory[] = {d->first,  d->group, d->start, d->neighbour,
                            d->weight, d->order, d->place, d->next};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
}

static inline bool dissection_have_same_rows(const tn_matrix *A, uint32_t j, uint32_t k)
{
    const int32_t *start = A->column_start, length = start[j + 1] - start[j];
    return start[k + 1] - start[k] == length &&
           !memcmp(A->row + start[j], A->row + start[k], (size_t)length * sizeof *A->row);
}

static inline bool dissection_group(dissection *d, const tn_matrix *A)
{
    const size_t n = (size_t)A->size + 1;
    *d = (dissection){.first = malloc(n * sizeof *d->first), .group = malloc(n * sizeof *d->group)};
    if (!d->first || !d->group) return false;
    for (uint32_t j = 0; j < A->size; j++) {
        if (j == 0 || !dissection_have_same_rows(A, j - 1, j)) d->first[d->groups++] = (SCOTCH_Num)j;
        d->group[j] = d->groups - 1;
    }
    d->first[d->groups] = (SCOTCH_Num)A->size;
    return true;
}

/* Counts, or lists where there is a list, both sides of the entries in the first column of each group. */
static inline void dissection_list(dissection *d, const tn_matrix *A)
{
    for (SCOTCH_Num g = 0; g < d->groups; g++) {
        SCOTCH_Num last = -1; /* rows of one group follow each other */
        for (int32_t e = A->column_start[d->first[g]]; e < A->column_start[d->first[g] + 1]; e++) {
            const SCOTCH_Num other = d->group[A->row[e]];
            if (other == g || other == last) continue;
            last = other;
            if (d->neighbour) {
                d->neighbour[d->next[g]] = other;
                d->neighbour[d->next[other]] = g;
            }
            d->next[g]++;
            d->next[other]++;
        }
    }
}

static inline void dissection_drop_repeated(dissection *d)
{
    SCOTCH_Num kept = 0, *seen = d->next;
    for (SCOTCH_Num g = 0; g < d->groups; g++)
        seen[g] = -1;
    for (SCOTCH_Num g = 0, begin = 0; g < d->groups; g++) {
        const SCOTCH_Num end = d->start[g + 1];
        for (SCOTCH_Num e = begin; e < end; e++) {
            if (seen[d->neighbour[e]] == g) continue;
            seen[d->neighbour[e]] = g;
            d->neighbour[kept++] = d->neighbour[e];
        }
        begin = end;
        d->start[g + 1] = kept;
    }
}

static inline bool dissection_join(dissection *d, const tn_matrix *A)
{
    const size_t n = (size_t)d->groups + 1;
    d->next = calloc(n, sizeof *d->next);
    d->start = malloc(n * sizeof *d->start);
    d->weight = malloc(n * sizeof *d->weight);
    d->order = malloc(n * sizeof *d->order);
    d->place = malloc(n * sizeof *d->place);
    if (!d->next || !d->start || !d->weight || !d->order || !d->place) return false;
    dissection_list(d, A);
    d->start[0] = 0;
    for (SCOTCH_Num g = 0; g < d->groups; g++) {
        d->start[g + 1] = d->start[g] + d->next[g];
        d->next[g] = d->start[g];
        d->weight[g] = d->first[g + 1] - d->first[g];
        d->order[g] = g;
    }
    d->neighbour = malloc(((size_t)d->start[d->groups] + 1) * sizeof *d->neighbour);
    if (!d->neighbour) return false;
    dissection_list(d, A);
    dissection_drop_repeated(d);
    return true;
}

/* Operations of a factorisation with pivots on the diagonal, in the order that Scotch has found; `parent`, `rows` [groups] are overwritten. */
static inline double dissection_operations(const dissection *d, SCOTCH_Num *parent, double *rows)
{
    double operations = 0.0;
    SCOTCH_Num *seen = d->next;
    for (SCOTCH_Num k = 0; k < d->groups; k++) {
        const SCOTCH_Num g = d->order[k];
        parent[k] = -1;
        seen[k] = k;
        rows[k] = 0.0;
        for (SCOTCH_Num e = d->start[g]; e < d->start[g + 1]; e++)
            for (SCOTCH_Num i = d->place[d->neighbour[e]]; i < k && seen[i] != k; i = parent[i]) {
                if (parent[i] < 0) parent[i] = k;
                seen[i] = k;
                rows[i] += d->weight[g];
            }
    }
    for (SCOTCH_Num k = 0; k < d->groups; k++)
        for (SCOTCH_Num left = d->weight[d->order[k]]; left-- > 0;)
            operations += (rows[k] + left) * (2.0 * (rows[k] + left) + 1.0);
    return operations;
}

/* ---- orders by Scotch -------------------------------------------------------------------------------------------- */

/* Its random numbers are those of a context of its own, and it has one thread: the same graph and seed give the same order in every run and
 * thread, and nobody else's random numbers are drawn. It fails for lack of memory only, and where a part of the graph has none it goes on all the
 * same, with another order: what it has left in errno tells. */
static inline bool dissection_compute(dissection *d, SCOTCH_Num seed, SCOTCH_Context *context,
                                      SCOTCH_Graph *graph, SCOTCH_Graph *bound, SCOTCH_Strat *strategy)
{
    if (SCOTCH_contextRandomClone(context) || SCOTCH_contextThreadSpawn(context, 1, NULL)) return false;
    SCOTCH_contextRandomSeed(context, seed);
    errno = 0;
    return !SCOTCH_graphBuild(graph, 0, d->groups, d->start, NULL, d->weight, NULL, d->start[d->groups],
                              d->neighbour, NULL) &&
           !SCOTCH_contextBindGraph(context, graph, bound) &&
           !SCOTCH_stratGraphOrder(strategy, DISSECTION_STRATEGY) &&
           !SCOTCH_graphOrder(bound, strategy, d->place, d->order, NULL, NULL, NULL) && errno != ENOMEM;
}

/* By one seed; without a graph the order is that of the groups. */
static inline tn_status dissection_by_seed(dissection *d, SCOTCH_Num seed)
{
    SCOTCH_Context context;
    SCOTCH_Graph graph, bound; /* the second one is the first one in the context */
    SCOTCH_Strat strategy;
    if (d->start[d->groups] == 0) return TN_OK;
    if (SCOTCH_contextInit(&context)) return TN_OUT_OF_MEMORY;
    (void)SCOTCH_graphInit(&graph);
    (void)SCOTCH_graphInit(&bound);
    (void)SCOTCH_stratInit(&strategy);
    const bool done = dissection_compute(d, seed, &context, &graph, &bound, &strategy);
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&graph);
    SCOTCH_contextExit(&context);
    return done ? TN_OK : TN_OUT_OF_MEMORY;
}

/* The best order of several seeds, which differ by half the operations on cubes: more are tried as long as that takes a tenth of the time of
 * a factorisation. */
static inline tn_status dissection_of_groups(dissection *d)
{
    const size_t n = (size_t)d->groups + 1;
    SCOTCH_Num *best = malloc(n * sizeof *best), *parent = malloc(n * sizeof *parent);
    double *rows = malloc(n * sizeof *rows), fewest = HUGE_VAL, spent = 0.0;
    tn_status status = best && parent && rows ? TN_OK : TN_OUT_OF_MEMORY;
    for (SCOTCH_Num seed = 1; status == TN_OK && spent < DISSECTION_SHARE * DISSECTION_OPERATION * fewest;
         seed++) {
        status = dissection_by_seed(d, seed);
        if (status != TN_OK) break;
        const double operations = d->start[d->groups] > 0 ? dissection_operations(d, parent, rows) : 0.0;
        if (operations < fewest) {
            fewest = operations;
            memcpy(best, d->order, (size_t)d->groups * sizeof *best);
        }
        spent += DISSECTION_GROUP * d->groups;
    }
    if (status == TN_OK) memcpy(d->order, best, (size_t)d->groups * sizeof *best);
    free(best);
    free(parent);
    free(rows);
    return status;
}

/* order [size]: which unknown is eliminated first, and so on. Half the entries of the pattern are to be counted in 32 bits. */
static inline tn_status dissection_order(const tn_matrix *A, int32_t *order)
{
    dissection d = {0};
    const bool made = dissection_group(&d, A) && dissection_join(&d, A);
    const tn_status status = made ? dissection_of_groups(&d) : TN_OUT_OF_MEMORY;
    int32_t count = 0;
    for (SCOTCH_Num k = 0; status == TN_OK && k < d.groups; k++)
        for (SCOTCH_Num j = d.first[d.order[k]]; j < d.first[d.order[k] + 1]; j++)
            order[count++] = j;
    dissection_free(&d);
    return status;
}

#endif

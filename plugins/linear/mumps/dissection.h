/* dissection.h - the order of elimination that METIS finds for bodies and constraints, instead of their single coordinates.
 *
 * Unknowns whose columns have the same rows, as announced, belong to one body or one constraint: they are one vertex of the graph. That
 * is found sooner than an order of the single unknowns, and is better, as blocks stay together: on lattices factors have two thirds
 * of the entries. */
#ifndef TENON_MUMPS_DISSECTION_H
#define TENON_MUMPS_DISSECTION_H

#include "tenon/linear.h"

#include <math.h>
#include <metis.h>
#include <stdlib.h>
#include <string.h>

#define DISSECTION_GROUP 4e-6      /* s, of METIS for a group */
#define DISSECTION_OPERATION 5e-11 /* s, of a factorisation */
#define DISSECTION_SHARE 0.1

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS counts in 32 bits");

typedef struct dissection {
    idx_t groups;
    idx_t *first;                         /* [groups + 1] unknowns; the last one is the size */
    idx_t *group;                         /* [size] of each unknown */
    idx_t *start, *neighbour;             /* of the groups: both sides of each entry, each once */
    idx_t *weight, *order, *place, *next; /* [groups] */
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
        if (j == 0 || !dissection_have_same_rows(A, j - 1, j)) d->first[d->groups++] = (idx_t)j;
        d->group[j] = d->groups - 1;
    }
    d->first[d->groups] = (idx_t)A->size;
    return true;
}

/* Counts, or lists where there is a list, both sides of the entries in the first column of each group. */
static inline void dissection_list(dissection *d, const tn_matrix *A)
{
    for (idx_t g = 0; g < d->groups; g++) {
        idx_t last = -1; /* rows of one group follow each other */
        for (int32_t e = A->column_start[d->first[g]]; e < A->column_start[d->first[g] + 1]; e++) {
            const idx_t other = d->group[A->row[e]];
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
    idx_t kept = 0, *seen = d->next;
    for (idx_t g = 0; g < d->groups; g++)
        seen[g] = -1;
    for (idx_t g = 0, begin = 0; g < d->groups; g++) {
        const idx_t end = d->start[g + 1];
        for (idx_t e = begin; e < end; e++) {
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
    for (idx_t g = 0; g < d->groups; g++) {
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

/* Operations of a factorisation with pivots on the diagonal, in the order that METIS has found; `parent`, `rows` [groups] are overwritten. */
static inline double dissection_operations(const dissection *d, idx_t *parent, double *rows)
{
    double operations = 0.0;
    idx_t *seen = d->next;
    for (idx_t k = 0; k < d->groups; k++) {
        const idx_t g = d->order[k];
        parent[k] = -1;
        seen[k] = k;
        rows[k] = 0.0;
        for (idx_t e = d->start[g]; e < d->start[g + 1]; e++)
            for (idx_t i = d->place[d->neighbour[e]]; i < k && seen[i] != k; i = parent[i]) {
                if (parent[i] < 0) parent[i] = k;
                seen[i] = k;
                rows[i] += d->weight[g];
            }
    }
    for (idx_t k = 0; k < d->groups; k++)
        for (idx_t left = d->weight[d->order[k]]; left-- > 0;)
            operations += (rows[k] + left) * (2.0 * (rows[k] + left) + 1.0);
    return operations;
}

/* By one seed; without a graph the order is that of the groups. */
static inline tn_status dissection_by_seed(dissection *d, idx_t seed)
{
    idx_t options[METIS_NOPTIONS];
    if (d->start[d->groups] == 0) return TN_OK;
    (void)METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = seed;
    const int status =
        METIS_NodeND(&d->groups, d->start, d->neighbour, d->weight, options, d->order, d->place);
    return status == METIS_OK ? TN_OK : status == METIS_ERROR_MEMORY ? TN_OUT_OF_MEMORY : TN_FATAL;
}

/* The best order of several seeds, which differ by half the operations on cubes: more are tried as long as that takes a tenth of the time of
 * a factorisation. METIS shuffles by the C library's random numbers, which nobody else may draw meanwhile: the caller sees to that. */
static inline tn_status dissection_of_groups(dissection *d)
{
    const size_t n = (size_t)d->groups + 1;
    idx_t *best = malloc(n * sizeof *best), *parent = malloc(n * sizeof *parent);
    double *rows = malloc(n * sizeof *rows), fewest = HUGE_VAL, spent = 0.0;
    tn_status status = best && parent && rows ? TN_OK : TN_OUT_OF_MEMORY;
    for (idx_t seed = 1; status == TN_OK && spent < DISSECTION_SHARE * DISSECTION_OPERATION * fewest;
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
    for (idx_t k = 0; status == TN_OK && k < d.groups; k++)
        for (idx_t j = d.first[d.order[k]]; j < d.first[d.order[k] + 1]; j++)
            order[count++] = j;
    dissection_free(&d);
    return status;
}

#endif

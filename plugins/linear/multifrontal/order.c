/* order.c - which group of unknowns is eliminated when: by approximate minimum degree, or by nested dissection
 *
 * Both orders are counted out (Gilbert, Ng, Peyton: An efficient algorithm to compute row and column counts for sparse
 * Cholesky factorization, SIAM J. Matrix Anal. Appl. 15 (1994) 1075), and the one with fewer operations is taken. */
#include "multifrontal.h"

#include <metis.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

enum { FEWEST_DISSECTED = 200 };        /* groups */
#define FEWEST_OPERATIONS_DISSECTED 1e7 /* below, the search costs more than it saves */

/* Graph, tree and counts under one order, by places. */
typedef struct counting {
    const tn_group_graph *graph;
    int32_t *start, *neighbour; /* of the graph */
    int32_t *memory;            /* [5 groups] */
    tn_elimination *made;
} counting;

void tn_elimination_free(tn_elimination *elimination)
{
    free(elimination->group);
    free(elimination->place);
    free(elimination->parent);
    free(elimination->length);
    *elimination = (tn_elimination){0};
}

static bool elimination_make(tn_elimination *e, int32_t groups)
{
    const size_t n = (size_t)groups + 1;
    *e = (tn_elimination){0};
    e->group = malloc(n * sizeof *e->group);
    e->place = malloc(n * sizeof *e->place);
    e->parent = malloc(n * sizeof *e->parent);
    e->length = malloc(n * sizeof *e->length);
    return e->group && e->place && e->parent && e->length;
}

/* The graph by places. */
static void permute(const counting *c)
{
    const tn_group_graph *g = c->graph;
    const tn_elimination *e = c->made;
    int32_t count = 0;
    for (int32_t k = 0; k < g->groups; k++) {
        const int32_t group = e->group[k];
        c->start[k] = count;
        for (int32_t p = g->start[group]; p < g->start[group + 1]; p++)
            c->neighbour[count++] = e->place[g->neighbour[p]];
    }
    c->start[g->groups] = count;
}

/* Liu's elimination tree. */
static void find_tree(const counting *c)
{
    int32_t *ancestor = c->memory, *parent = c->made->parent;
    for (int32_t k = 0; k < c->graph->groups; k++) {
        parent[k] = ancestor[k] = -1;
        for (int32_t p = c->start[k]; p < c->start[k + 1]; p++)
            for (int32_t i = c->neighbour[p], up; i >= 0 && i < k; i = up) {
                up = ancestor[i];
                ancestor[i] = k;
                if (up < 0) parent[i] = k;
            }
    }
}

/* Moves every place behind its children. */
static void put_behind_children(const counting *c)
{
    const int32_t n = c->graph->groups;
    tn_elimination *e = c->made;
    int32_t *child = c->memory, *next = child + n, *stack = next + n, *moved = stack + n, *group = moved + n;
    int32_t count = 0;
    for (int32_t k = 0; k < n; k++)
        child[k] = -1;
    for (int32_t k = n; k-- > 0;) {
        if (e->parent[k] < 0) continue;
        next[k] = child[e->parent[k]];
        child[e->parent[k]] = k;
    }
    for (int32_t root = 0; root < n; root++) {
        if (e->parent[root] >= 0) continue;
        int32_t depth = 0;
        stack[0] = root;
        while (depth >= 0) {
            const int32_t k = stack[depth], below = child[k];
            if (below >= 0) {
                child[k] = next[below];
                stack[++depth] = below;
            } else {
                moved[k] = count++;
                depth--;
            }
        }
    }
    memcpy(group, e->group, (size_t)n * sizeof *group);
    memcpy(stack, e->parent, (size_t)n * sizeof *stack);
    for (int32_t k = 0; k < n; k++) {
        e->group[moved[k]] = group[k];
        e->place[group[k]] = moved[k];
        e->parent[moved[k]] = stack[k] >= 0 ? moved[stack[k]] : -1;
    }
}

/* The place where the subtree of row i branches off towards leaf j; -1: j is no leaf, or the first one (then *leaf). */
static int32_t branch(int32_t i, int32_t j, const int32_t *first, int32_t *latest, int32_t *leaf_before,
                      int32_t *ancestor, bool *leaf)
{
    *leaf = first[j] > latest[i];
    if (!*leaf) return -1;
    latest[i] = first[j];
    const int32_t before = leaf_before[i];
    leaf_before[i] = j;
    if (before < 0) return -1;
    int32_t top = before;
    while (top != ancestor[top])
        top = ancestor[top];
    for (int32_t s = before, up; s != top; s = up) {
        up = ancestor[s];
        ancestor[s] = top;
    }
    return top;
}

static void count_column(const counting *c, int32_t j)
{
    const int32_t n = c->graph->groups;
    int32_t *first = c->memory, *latest = first + n, *before = latest + n, *ancestor = before + n;
    const tn_elimination *e = c->made;
    const int32_t *weight = c->graph->weight;
    if (e->parent[j] >= 0) e->length[e->parent[j]] -= weight[e->group[j]];
    for (int32_t p = c->start[j]; p < c->start[j + 1]; p++) {
        const int32_t i = c->neighbour[p];
        if (i <= j) continue;
        bool leaf = false;
        const int32_t at = branch(i, j, first, latest, before, ancestor, &leaf);
        if (leaf) e->length[j] += weight[e->group[i]];
        if (at >= 0) e->length[at] -= weight[e->group[i]];
    }
    if (e->parent[j] >= 0) ancestor[j] = e->parent[j];
}

/* Lengths of the columns of factors, and the operations of an LU factorisation. */
static void count_lengths(const counting *c)
{
    const int32_t n = c->graph->groups;
    int32_t *first = c->memory, *latest = first + n, *before = latest + n, *ancestor = before + n;
    tn_elimination *e = c->made;
    const int32_t *weight = c->graph->weight;
    for (int32_t k = 0; k < n; k++) {
        first[k] = latest[k] = before[k] = -1;
        ancestor[k] = k;
    }
    for (int32_t k = 0; k < n; k++) {
        e->length[k] = first[k] < 0 ? weight[e->group[k]] : 0;
        for (int32_t j = k; j >= 0 && first[j] < 0; j = e->parent[j])
            first[j] = k;
    }
    for (int32_t j = 0; j < n; j++)
        count_column(c, j);
    e->entries = e->operations = 0.0;
    for (int32_t j = 0; j < n; j++) {
        if (e->parent[j] >= 0) e->length[e->parent[j]] += e->length[j];
        double length = (double)e->length[j];
        for (int32_t k = 0; k < weight[e->group[j]]; k++, length -= 1.0) {
            e->entries += 2.0 * length - 1.0;
            e->operations += (length - 1.0) * (2.0 * length - 1.0);
        }
    }
}

/* Completes an elimination that has its groups. */
static tn_status complete(tn_elimination *e, const tn_group_graph *graph)
{
    const size_t n = (size_t)graph->groups;
    counting c = {.graph = graph,
                  .start = malloc((n + 1) * sizeof *c.start),
                  .neighbour = malloc(((size_t)graph->start[n] + 1) * sizeof *c.neighbour),
                  .memory = malloc((5 * n + 1) * sizeof *c.memory),
                  .made = e};
    const bool has_memory = c.start && c.neighbour && c.memory;
    if (has_memory) {
        for (int32_t k = 0; k < graph->groups; k++)
            e->place[e->group[k]] = k;
        permute(&c);
        find_tree(&c);
        put_behind_children(&c);
        permute(&c);
        count_lengths(&c);
    }
    free(c.start);
    free(c.neighbour);
    free(c.memory);
    return has_memory ? TN_OK : TN_OUT_OF_MEMORY;
}

/* METIS shuffles by the C library's random numbers. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static tn_status dissect(tn_elimination *e, const tn_group_graph *graph)
{
    _Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS counts in 32 bits");
    idx_t groups = graph->groups, options[METIS_NOPTIONS];
    (void)METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    (void)pthread_mutex_lock(&one_at_a_time);
    const int status =
        METIS_NodeND(&groups, graph->start, graph->neighbour, graph->weight, options, e->group, e->place);
    (void)pthread_mutex_unlock(&one_at_a_time);
    if (status == METIS_OK) return complete(e, graph);
    return status == METIS_ERROR_MEMORY ? TN_OUT_OF_MEMORY : TN_FATAL;
}

static tn_status by_minimum_degree(tn_elimination *e, const tn_group_graph *graph)
{
    const int status = amd_order(graph->groups, graph->start, graph->neighbour, e->group, NULL, NULL);
    if (status == AMD_OUT_OF_MEMORY) return TN_OUT_OF_MEMORY;
    return status < 0 ? TN_FATAL : complete(e, graph);
}

tn_status tn_elimination_find(tn_elimination *elimination, const tn_group_graph *graph)
{
    tn_elimination other;
    if (!elimination_make(elimination, graph->groups)) return TN_OUT_OF_MEMORY;
    tn_status status = by_minimum_degree(elimination, graph);
    if (status != TN_OK || graph->groups < FEWEST_DISSECTED ||
        elimination->operations < FEWEST_OPERATIONS_DISSECTED)
        return status;
    status = elimination_make(&other, graph->groups) ? dissect(&other, graph) : TN_OUT_OF_MEMORY;
    if (status == TN_OK && other.operations < elimination->operations) {
        const tn_elimination loser = *elimination;
        *elimination = other;
        other = loser;
    }
    tn_elimination_free(&other);
    return status;
}

tn_status tn_elimination_split(tn_elimination *elimination, const tn_group_graph *graph,
                               const int32_t *origin, const tn_elimination *whole, int32_t groups)
{
    int32_t *next = calloc((size_t)groups + 1, sizeof *next);
    tn_status status = next && elimination_make(elimination, graph->groups) ? TN_OK : TN_OUT_OF_MEMORY;
    if (status == TN_OK) {
        for (int32_t k = 0; k < graph->groups; k++)
            next[whole->place[origin[k]] + 1]++;
        for (int32_t k = 0; k < groups; k++)
            next[k + 1] += next[k];
        for (int32_t k = 0; k < graph->groups; k++)
            elimination->group[next[whole->place[origin[k]]]++] = k;
        status = complete(elimination, graph);
    }
    free(next);
    return status;
}

/* graph.c - unknowns with the same neighbours become one group, and groups a graph */
#include "multifrontal.h"

#include <stdlib.h>
#include <string.h>

typedef struct neighbours {
    int32_t *start, *row; /* of the pattern and its transpose together, each once, without the diagonal */
} neighbours;

static void neighbours_free(neighbours *n)
{
    free(n->start);
    free(n->row);
}

/* Entries of A and of its transpose, column by column, some of them twice. */
static void list_both(const tn_matrix *A, const neighbours *n, int32_t *next)
{
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const int32_t i = A->row[e];
            if (i == (int32_t)j) continue;
            n->row[next[j]++] = i;
            n->row[next[i]++] = (int32_t)j;
        }
}

static void drop_repeated(int32_t size, const neighbours *n, int32_t *seen)
{
    int32_t kept = 0, first = 0;
    for (int32_t j = 0; j < size; j++)
        seen[j] = -1;
    for (int32_t j = 0; j < size; j++) {
        const int32_t end = n->start[j + 1], begin = kept;
        for (int32_t e = first; e < end; e++) {
            if (seen[n->row[e]] == j) continue;
            seen[n->row[e]] = j;
            n->row[kept++] = n->row[e];
        }
        first = end;
        n->start[j] = begin;
    }
    n->start[size] = kept;
}

static tn_status find_neighbours(neighbours *n, const tn_matrix *A, int32_t *memory)
{
    const size_t size = A->size;
    const int64_t most = 2 * (int64_t)A->column_start[size];
    if (most > INT32_MAX) return TN_UNSUPPORTED;
    n->start = calloc(size + 1, sizeof *n->start);
    n->row = malloc(((size_t)most + 1) * sizeof *n->row);
    if (!n->start || !n->row) return TN_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            if (A->row[e] == (int32_t)j) continue;
            n->start[j + 1]++;
            n->start[A->row[e] + 1]++;
        }
    for (size_t j = 0; j < size; j++)
        n->start[j + 1] += n->start[j];
    memcpy(memory, n->start, size * sizeof *memory);
    list_both(A, n, memory);
    drop_repeated((int32_t)size, n, memory);
    return TN_OK;
}

/* A number that depends on an unknown and its neighbours, whatever their order. */
static uint32_t mix(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static uint32_t sign_of(const neighbours *n, int32_t j)
{
    uint32_t sum = mix((uint32_t)j);
    for (int32_t e = n->start[j]; e < n->start[j + 1]; e++)
        sum += mix((uint32_t)n->row[e]);
    return sum;
}

/* Whether j is joined to the unknowns marked `mark`, and to no others. */
static bool has_marked(const neighbours *n, int32_t j, const int32_t *marked, int32_t mark)
{
    if (marked[j] != mark) return false;
    for (int32_t e = n->start[j]; e < n->start[j + 1]; e++)
        if (marked[n->row[e]] != mark) return false;
    return true;
}

/* Unknowns of one group follow each other nearly always in a chain of equal signs. `memory` [3 size]. */
static void find_groups(tn_group_graph *g, const neighbours *n, int32_t *memory, uint32_t *sign)
{
    const int32_t size = g->size;
    int32_t *first = memory, *next = memory + size, *marked = memory + 2 * (size_t)size;
    for (int32_t j = 0; j < size; j++) {
        first[j] = marked[j] = -1;
        sign[j] = sign_of(n, j);
    }
    for (int32_t j = size; j-- > 0;) {
        next[j] = first[sign[j] % (uint32_t)size];
        first[sign[j] % (uint32_t)size] = j;
    }
    for (int32_t j = 0; j < size; j++)
        g->group[j] = -1;
    for (int32_t j = 0; j < size; j++) {
        if (g->group[j] >= 0) continue;
        const int32_t group = g->group[j] = g->groups++;
        g->weight[group] = 1;
        marked[j] = j;
        for (int32_t e = n->start[j]; e < n->start[j + 1]; e++)
            marked[n->row[e]] = j;
        for (int32_t k = next[j]; k >= 0; k = next[k]) {
            if (g->group[k] >= 0 || sign[k] != sign[j] ||
                n->start[k + 1] - n->start[k] != n->start[j + 1] - n->start[j] ||
                !has_marked(n, k, marked, j))
                continue;
            g->group[k] = group;
            g->weight[group]++;
        }
    }
}

/* Those of the first unknown of each group are those of all. `seen` [groups]. */
static bool join_groups(tn_group_graph *g, const neighbours *n, int32_t *seen)
{
    size_t count = 0;
    g->start = malloc(((size_t)g->groups + 1) * sizeof *g->start);
    g->neighbour = malloc(((size_t)n->start[g->size] + 1) * sizeof *g->neighbour);
    if (!g->start || !g->neighbour) return false;
    for (int32_t k = 0; k < g->groups; k++)
        seen[k] = -1;
    int32_t group = 0;
    for (int32_t j = 0; j < g->size; j++) {
        if (g->group[j] != group) continue;
        g->start[group] = (int32_t)count;
        seen[group] = group;
        for (int32_t e = n->start[j]; e < n->start[j + 1]; e++) {
            const int32_t other = g->group[n->row[e]];
            if (seen[other] == group) continue;
            seen[other] = group;
            g->neighbour[count++] = other;
        }
        group++;
    }
    g->start[g->groups] = (int32_t)count;
    return true;
}

tn_status tn_group_graph_make(tn_group_graph *graph, const tn_matrix *matrix)
{
    const size_t size = matrix->size;
    *graph = (tn_group_graph){.size = (int32_t)size};
    neighbours n = {0};
    int32_t *memory = malloc((4 * size + 1) * sizeof *memory);
    graph->group = malloc((size + 1) * sizeof *graph->group);
    graph->weight = malloc((size + 1) * sizeof *graph->weight);
    const bool has_memory = memory && graph->group && graph->weight;
    tn_status status = has_memory ? find_neighbours(&n, matrix, memory) : TN_OUT_OF_MEMORY;
    if (status == TN_OK) {
        find_groups(graph, &n, memory, (uint32_t *)(void *)(memory + 3 * size));
        status = join_groups(graph, &n, memory) ? TN_OK : TN_OUT_OF_MEMORY;
    }
    neighbours_free(&n);
    free(memory);
    return status;
}

/* Group `group` of part `part`, or -1; `first` and `next` chain the parts of each group. */
static int32_t find_piece(const int32_t *first, const int32_t *next, const int32_t *part, int32_t group,
                          int32_t of_part)
{
    int32_t k = first[group];
    while (k >= 0 && part[k] != of_part)
        k = next[k];
    return k;
}

/* `memory`: first [groups], next and part [size]. */
static void split_groups(tn_group_graph *split, int32_t *origin, const tn_group_graph *graph,
                         const tn_components *components, int32_t *memory)
{
    int32_t *first = memory, *next = first + graph->groups, *part = next + graph->size;
    for (int32_t k = 0; k < graph->groups; k++)
        first[k] = -1;
    for (int32_t j = 0; j < graph->size; j++) {
        const int32_t group = graph->group[j], of_part = components->part[j];
        int32_t piece = find_piece(first, next, part, group, of_part);
        if (piece < 0) {
            piece = split->groups++;
            split->weight[piece] = 0;
            origin[piece] = group;
            part[piece] = of_part;
            next[piece] = first[group];
            first[group] = piece;
        }
        split->group[j] = piece;
        split->weight[piece]++;
    }
}

/* Pieces of one part are joined where their groups are. Counts, and lists where there is a list. */
static size_t join_pieces(tn_group_graph *split, const int32_t *origin, const tn_group_graph *graph,
                          const int32_t *memory)
{
    const int32_t *first = memory, *next = first + graph->groups, *part = next + graph->size;
    size_t count = 0;
    for (int32_t k = 0; k < split->groups; k++) {
        const int32_t group = origin[k];
        split->start[k] = (int32_t)count;
        for (int32_t e = graph->start[group]; e < graph->start[group + 1]; e++) {
            const int32_t other = find_piece(first, next, part, graph->neighbour[e], part[k]);
            if (other < 0) continue;
            if (split->neighbour) split->neighbour[count] = other;
            count++;
        }
    }
    split->start[split->groups] = (int32_t)count;
    return count;
}

tn_status tn_group_graph_split(tn_group_graph *split, int32_t *origin, const tn_group_graph *graph,
                               const tn_components *components)
{
    const size_t size = (size_t)graph->size;
    *split = (tn_group_graph){.size = graph->size};
    split->group = malloc((size + 1) * sizeof *split->group);
    split->weight = malloc((size + 1) * sizeof *split->weight);
    split->start = malloc((size + 1) * sizeof *split->start);
    int32_t *memory = malloc((3 * size + 1) * sizeof *memory);
    if (split->group && split->weight && split->start && memory) {
        split_groups(split, origin, graph, components, memory);
        const size_t count = join_pieces(split, origin, graph, memory);
        split->neighbour = malloc((count + 1) * sizeof *split->neighbour);
        if (split->neighbour) (void)join_pieces(split, origin, graph, memory);
    }
    free(memory);
    return split->neighbour ? TN_OK : TN_OUT_OF_MEMORY;
}

void tn_group_graph_free(tn_group_graph *graph)
{
    free(graph->group);
    free(graph->weight);
    free(graph->start);
    free(graph->neighbour);
    *graph = (tn_group_graph){0};
}

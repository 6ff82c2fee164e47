/* fronts.c - groups that are eliminated one after the other become fronts, and every entry of the matrix gets its place in one
 *
 * A front takes the last of its children into itself where that costs few zeros: larger dense matrices are faster. */
#include "multifrontal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* While a child and its parent together have at most so many pivots, zeros may be such a share of the factors. */
static const struct {
    int32_t pivots;
    double share;
} relaxed[] = {{6, 0.8}, {24, 0.25}, {48, 0.1}, {INT32_MAX, 0.03}};

/* All that fronts are planned from. */
typedef struct planning {
    const tn_matrix *matrix;
    const tn_group_graph *graph;
    const tn_elimination *elimination;
    const int32_t *part;        /* [size] of unknowns: entries between parts are left out */
    int32_t *start;             /* [groups + 1] first unknown of each place */
    int32_t *front;             /* [groups] of each place */
    int32_t *first;             /* [fronts + 1] first place of each front */
    int32_t *child, *next;      /* [fronts] lists of children */
    int32_t *rest, *rest_start; /* places that fronts are joined to; [fronts + 1] */
    int32_t *seen;              /* [groups] */
    size_t rest_room;
    int32_t fronts;
} planning;

static void planning_free(planning *p)
{
    int32_t *const memory[] = {p->start, p->front, p->first,      p->child,
                               p->next,  p->rest,  p->rest_start, p->seen};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        free(memory[k]);
}

static bool planning_make(planning *p)
{
    const size_t n = (size_t)p->graph->groups + 1;
    int32_t **const memory[] = {&p->start, &p->front,      &p->first, &p->child,
                                &p->next,  &p->rest_start, &p->seen};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++) {
        *memory[k] = malloc(n * sizeof **memory[k]);
        if (!*memory[k]) return false;
    }
    p->start[0] = 0;
    for (int32_t k = 0; k < p->graph->groups; k++)
        p->start[k + 1] = p->start[k] + p->graph->weight[p->elimination->group[k]];
    return true;
}

/* ---- which places make a front ---- */

/* A front that is being put together. */
typedef struct merging {
    int32_t first, last; /* places */
    double zeros;        /* in its part of L */
} merging;

static double numbers_in(double pivots, double rows) { return pivots * rows - 0.5 * pivots * (pivots - 1.0); }

/* Takes the front that ends right before this one into it, where it is its child and few zeros come along. */
static bool takes_child(const planning *p, const merging *child, merging *parent)
{
    const tn_elimination *e = p->elimination;
    const int32_t up = e->parent[child->last];
    if (up < parent->first || up > parent->last) return false;
    const int32_t of_child = p->start[child->last + 1] - p->start[child->first];
    const int32_t of_parent = p->start[parent->last + 1] - p->start[parent->first];
    /* rows of a front: those of its last place, and the pivots before */
    const double rows = (double)(of_parent - (p->start[parent->last + 1] - p->start[parent->last])) +
                        (double)e->length[parent->last];
    const double rows_of_child = (double)(of_child - (p->start[child->last + 1] - p->start[child->last])) +
                                 (double)e->length[child->last];
    const double together = (double)of_child + rows;
    const double zeros = child->zeros + parent->zeros + (double)of_child * (together - rows_of_child);
    const double all = numbers_in((double)(of_child + of_parent), together);
    size_t k = 0;
    while (of_child + of_parent > relaxed[k].pivots)
        k++;
    if (zeros > relaxed[k].share * all) return false;
    parent->first = child->first;
    parent->zeros = zeros;
    return true;
}

static bool find_fronts(planning *p)
{
    const int32_t n = p->graph->groups;
    merging *made = malloc(((size_t)n + 1) * sizeof *made);
    if (!made) return false;
    int32_t count = 0;
    for (int32_t k = 0; k < n; k++) {
        merging now = {k, k, 0.0};
        while (count > 0 && takes_child(p, &made[count - 1], &now))
            count--;
        made[count++] = now;
    }
    for (int32_t f = 0; f < count; f++) {
        p->first[f] = made[f].first;
        for (int32_t k = made[f].first; k <= made[f].last; k++)
            p->front[k] = f;
    }
    p->first[count] = n;
    p->fronts = count;
    free(made);
    return true;
}

/* ---- what each front is joined to ---- */

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool rest_takes(planning *p, int32_t front, int32_t place)
{
    if (place < p->first[front + 1] || p->seen[place] == front) return true;
    if ((size_t)p->rest_start[front + 1] == p->rest_room) {
        const size_t room = 2 * p->rest_room + 64;
        int32_t *larger = room <= INT32_MAX ? realloc(p->rest, room * sizeof *larger) : NULL;
        if (!larger) return false;
        p->rest = larger;
        p->rest_room = room;
    }
    p->seen[place] = front;
    p->rest[p->rest_start[front + 1]++] = place;
    return true;
}

/* The neighbours of its places, and what its children are joined to. */
static bool list_rest(planning *p, int32_t front)
{
    const tn_group_graph *g = p->graph;
    bool good = true;
    p->rest_start[front + 1] = p->rest_start[front];
    for (int32_t k = p->first[front]; k < p->first[front + 1]; k++) {
        const int32_t group = p->elimination->group[k];
        for (int32_t e = g->start[group]; good && e < g->start[group + 1]; e++)
            good = rest_takes(p, front, p->elimination->place[g->neighbour[e]]);
    }
    for (int32_t c = p->child[front]; c >= 0; c = p->next[c])
        for (int32_t e = p->rest_start[c]; good && e < p->rest_start[c + 1]; e++)
            good = rest_takes(p, front, p->rest[e]);
    const int32_t begin = p->rest_start[front], count = p->rest_start[front + 1] - begin;
    if (good && count) qsort(p->rest + begin, (size_t)count, sizeof *p->rest, ascending);
    return good;
}

/* The parent is the front with the first place that a front is joined to. */
static bool list_rests(planning *p)
{
    for (int32_t f = 0; f < p->fronts; f++)
        p->child[f] = -1;
    for (int32_t k = 0; k < p->graph->groups; k++)
        p->seen[k] = -1;
    p->rest_start[0] = 0;
    for (int32_t f = 0; f < p->fronts; f++) {
        if (!list_rest(p, f)) return false;
        if (p->rest_start[f + 1] == p->rest_start[f]) continue;
        const int32_t parent = p->front[p->rest[p->rest_start[f]]];
        p->next[f] = p->child[parent];
        p->child[parent] = f;
    }
    return true;
}

/* ---- the plan, of unknowns ---- */

static int32_t pivots_of(const planning *p, int32_t front)
{
    return p->start[p->first[front + 1]] - p->start[p->first[front]];
}

/* Counts of the fronts, and what they come to. */
static void count_fronts(const planning *p, tn_fronts *fronts, size_t *rests)
{
    double waiting = 0.0;
    *rests = 0;
    for (int32_t f = 0; f < p->fronts; f++) {
        tn_front_plan *front = &fronts->front[f];
        *front = (tn_front_plan){.first = p->start[p->first[f]], .pivots = pivots_of(p, f), .parent = -1};
        for (int32_t e = p->rest_start[f]; e < p->rest_start[f + 1]; e++)
            front->rests += p->start[p->rest[e] + 1] - p->start[p->rest[e]];
        if (front->rests) front->parent = p->front[p->rest[p->rest_start[f]]];
        for (int32_t c = p->child[f]; c >= 0; c = p->next[c])
            front->children++;
        *rests += (size_t)front->rests;
        const double pivots = front->pivots, rest = front->rests, size = pivots + rest;
        fronts->entries += pivots * (pivots + 2.0 * rest);
        for (double left = size - 1.0; left >= rest; left -= 1.0)
            fronts->operations += left * (2.0 * left + 1.0);
        fronts->room = fmax(fronts->room, waiting + size * (size + TN_FRONT_PAD));
        for (int32_t c = p->child[f]; c >= 0; c = p->next[c])
            waiting -= (double)fronts->front[c].rests * fronts->front[c].rests;
        waiting += rest * rest;
        fronts->waiting = fmax(fronts->waiting, waiting);
    }
}

/* The unknowns of places. */
static void list_unknowns(const planning *p, tn_fronts *fronts, size_t rests)
{
    int32_t *rest = fronts->memory, *in_parent = fronts->memory + rests;
    for (int32_t f = 0; f < p->fronts; f++) {
        tn_front_plan *front = &fronts->front[f];
        front->rest = rest;
        front->in_parent = in_parent;
        for (int32_t e = p->rest_start[f]; e < p->rest_start[f + 1]; e++)
            for (int32_t k = p->start[p->rest[e]]; k < p->start[p->rest[e] + 1]; k++)
                *rest++ = k;
        in_parent += front->rests;
    }
}

/* Both lists ascend, and the parent has all that its child has. */
static void find_in_parents(tn_fronts *fronts)
{
    for (int32_t f = 0; f < fronts->count; f++) {
        const tn_front_plan *front = &fronts->front[f];
        if (front->parent < 0) continue;
        const tn_front_plan *parent = &fronts->front[front->parent];
        int32_t at = 0;
        for (int32_t k = 0; k < front->rests; k++) {
            const int32_t unknown = front->rest[k];
            if (unknown < parent->first + parent->pivots) {
                front->in_parent[k] = unknown - parent->first;
                continue;
            }
            while (parent->rest[at] < unknown)
                at++;
            front->in_parent[k] = parent->pivots + at;
        }
    }
}

/* `next` [groups] of places, then the place of elimination of every unknown. */
static void place_unknowns(const planning *p, tn_fronts *fronts, int32_t *next)
{
    memcpy(next, p->start, (size_t)p->graph->groups * sizeof *next);
    for (int32_t j = 0; j < p->graph->size; j++)
        fronts->place[j] = next[p->elimination->place[p->graph->group[j]]]++;
}

/* The front of an entry: that of the unknown which is eliminated first. */
static tn_front_plan *front_of_entry(tn_fronts *fronts, const tn_matrix *A, int32_t e, int32_t column,
                                     const int32_t *front_of)
{
    const int32_t i = fronts->place[A->row[e]], j = fronts->place[column];
    return &fronts->front[front_of[i < j ? i : j]];
}

/* The entries of each front, column by column of the matrix. `front_of` [size] by place of elimination. */
static void list_entries(const planning *p, tn_fronts *fronts, const int32_t *front_of)
{
    const tn_matrix *A = p->matrix;
    for (int32_t j = 0; j < (int32_t)A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            if (p->part[A->row[e]] == p->part[j]) front_of_entry(fronts, A, e, j, front_of)->entries++;
    int32_t count = 0;
    for (int32_t f = 0; f < fronts->count; f++) {
        fronts->front[f].first_entry = count;
        count += fronts->front[f].entries;
        fronts->front[f].entries = 0;
    }
    for (int32_t j = 0; j < (int32_t)A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            if (p->part[A->row[e]] != p->part[j]) continue;
            tn_front_plan *front = front_of_entry(fronts, A, e, j, front_of);
            fronts->entry[front->first_entry + front->entries++] =
                (tn_front_entry){e, fronts->place[A->row[e]], fronts->place[j]};
        }
}

/* Unknowns of entries become places in their front. `at` [size]. */
static void place_entries(tn_fronts *fronts, int32_t *at)
{
    for (int32_t f = 0; f < fronts->count; f++) {
        const tn_front_plan *front = &fronts->front[f];
        for (int32_t k = 0; k < front->pivots; k++)
            at[front->first + k] = k;
        for (int32_t k = 0; k < front->rests; k++)
            at[front->rest[k]] = front->pivots + k;
        for (int32_t k = 0; k < front->entries; k++) {
            tn_front_entry *entry = &fronts->entry[front->first_entry + k];
            entry->row = at[entry->row];
            entry->column = at[entry->column];
        }
    }
}

static tn_status make_plan(const planning *p, tn_fronts *fronts)
{
    const tn_matrix *A = p->matrix;
    size_t rests = 0;
    fronts->count = p->fronts;
    fronts->front = malloc(((size_t)p->fronts + 1) * sizeof *fronts->front);
    fronts->place = malloc(((size_t)A->size + 1) * sizeof *fronts->place);
    fronts->entry = malloc(((size_t)A->column_start[A->size] + 1) * sizeof *fronts->entry);
    int32_t *memory = malloc(((size_t)A->size + 1) * sizeof *memory);
    if (fronts->front && fronts->place && fronts->entry && memory) {
        count_fronts(p, fronts, &rests);
        fronts->memory = malloc((2 * rests + 1) * sizeof *fronts->memory);
    }
    if (fronts->memory) {
        list_unknowns(p, fronts, rests);
        find_in_parents(fronts);
        place_unknowns(p, fronts, memory);
        for (int32_t f = 0; f < fronts->count; f++)
            for (int32_t k = 0; k < fronts->front[f].pivots; k++)
                memory[fronts->front[f].first + k] = f;
        list_entries(p, fronts, memory);
        place_entries(fronts, memory);
    }
    free(memory);
    return fronts->memory ? TN_OK : TN_OUT_OF_MEMORY;
}

tn_status tn_fronts_plan(tn_fronts *fronts, const tn_matrix *matrix, const tn_group_graph *graph,
                         const tn_elimination *elimination, const tn_components *components)
{
    planning p = {.matrix = matrix, .graph = graph, .elimination = elimination, .part = components->part};
    *fronts = (tn_fronts){0};
    const bool planned = planning_make(&p) && find_fronts(&p) && list_rests(&p);
    const tn_status status = planned ? make_plan(&p, fronts) : TN_OUT_OF_MEMORY;
    planning_free(&p);
    return status;
}

void tn_fronts_free(tn_fronts *fronts)
{
    free(fronts->place);
    free(fronts->front);
    free(fronts->entry);
    free(fronts->memory);
    *fronts = (tn_fronts){0};
}

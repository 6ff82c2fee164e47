/* nodes.h - the nodes of the factors: unknowns that are eliminated together, and where their numbers stand.
 *
 * Unknowns that have the same rows below them form a node, as the three angles of a body, or the rows of a constraint. Nodes
 * of one level of the elimination tree do not depend on each other. They are sorted by task (subtrees.h), level and shape: a run of
 * nodes of equal shape is worked off by one loop, over numbers that lie one behind the other, as all numbers of a task do.
 *
 * A node of s unknowns with r rows has the numbers D [s][s] and L [r][s], row after row, and U [r][s], column after column. All U stand
 * behind all D and L: each half of a substitution reads one of two streams. */
#ifndef TENON_CHAIN_NODES_H
#define TENON_CHAIN_NODES_H

#include "rows.h"

#include <stdlib.h>

enum { CHAIN_WIDEST = 6 };
#define CHAIN_SLACK 2 /* zeros that a node may take in for each unknown that joins it */

typedef struct chain_node {
    const uint32_t *row; /* [rows] unknowns */
    uint32_t level, rows;
    uint32_t first;     /* its unknowns: own[first] and on, */
    uint32_t number;    /* before sorting */
    uint8_t task, size; /* size: so many */
    bool shares;        /* some of its rows are nodes of the top, of which its task has shares */
} chain_node;

typedef struct chain_run_of_nodes {
    uint32_t size, rows, count;
    uint32_t first; /* node */
    bool shares;
} chain_run_of_nodes;

typedef struct chain_nodes {
    uint32_t size, count, runs, tasks;
    uint32_t first_run[CHAIN_MOST_TASKS + 2]; /* of a task; of the top: first_run[tasks] */
    chain_run_of_nodes *run;                  /* [runs] */
    uint32_t *own;                            /* [size] unknowns of nodes */
    uint32_t *row;                            /* rows of nodes, by node and place in it */
    double operations;                        /* of a factorisation */
    /* which follows from these, and is there only while places are looked for: */
    chain_node *node;      /* [count] */
    uint32_t *node_of;     /* [size] of an unknown */
    uint8_t *place;        /* [size] of an unknown in its node */
    size_t *value, *upper; /* [count + 1] where D and L of a node stand, and its U */
    size_t *row_start;     /* [count + 1] */
} chain_nodes;

static inline void chain_nodes_close(chain_nodes *nodes)
{
    free(nodes->node);
    free(nodes->node_of);
    free(nodes->place);
    free(nodes->value);
    free(nodes->upper);
    free(nodes->row_start);
    nodes->node = NULL;
    nodes->node_of = NULL;
    nodes->place = NULL;
    nodes->value = nodes->upper = nodes->row_start = NULL;
}

static inline void chain_nodes_free(chain_nodes *nodes)
{
    chain_nodes_close(nodes);
    free(nodes->run);
    free(nodes->own);
    free(nodes->row);
    *nodes = (chain_nodes){0};
}

/* Memory for no more than `most` nodes. */
static inline bool chain_nodes_allocate(chain_nodes *nodes, uint32_t most)
{
    const size_t n = (size_t)nodes->size + 1, m = (size_t)most + 1;
    nodes->node = malloc(m * sizeof *nodes->node);
    nodes->node_of = malloc(n * sizeof *nodes->node_of);
    nodes->place = malloc(n * sizeof *nodes->place);
    nodes->value = malloc(m * sizeof *nodes->value);
    nodes->upper = malloc(m * sizeof *nodes->upper);
    nodes->row_start = malloc(m * sizeof *nodes->row_start);
    return nodes->node && nodes->node_of && nodes->place && nodes->value && nodes->upper && nodes->row_start;
}

/* ---- which unknowns join ---- */

typedef struct chain_joining {
    uint32_t *position; /* [size] of an unknown in the order */
    uint32_t *parent, *child,
        *members; /* [size], by position: the next one with an entry; who joins it; how many have joined so far */
    uint32_t *level;
    uint32_t *node; /* of an unknown, before sorting */
} chain_joining;

static inline uint32_t chain_rows_of(const chain_rows *rows, uint32_t k)
{
    return (uint32_t)(rows->start[k + 1] - rows->start[k]);
}

/* Each unknown takes in one of its children of the tree whose rows are its own, or nearly so. */
static inline void chain_join(chain_joining *j, const chain_order *order, const chain_rows *rows,
                              uint32_t size)
{
    for (uint32_t k = 0; k < size; k++)
        j->position[order->order[k]] = k;
    for (uint32_t k = 0; k < size; k++) {
        j->parent[k] = j->child[k] = CHAIN_NONE;
        j->members[k] = 1;
        for (size_t p = rows->start[k]; p < rows->start[k + 1]; p++)
            if (j->position[rows->row[p]] < j->parent[k]) j->parent[k] = j->position[rows->row[p]];
    }
    for (uint32_t k = 0; k < size; k++) {
        const uint32_t p = j->parent[k];
        if (p == CHAIN_NONE || order->weak[k] || order->weak[p]) continue;
        const uint32_t zeros = (chain_rows_of(rows, p) + 1 - chain_rows_of(rows, k)) * j->members[k];
        if (zeros > CHAIN_SLACK || j->members[k] >= CHAIN_WIDEST) continue;
        const uint32_t rival = j->child[p];
        if (rival != CHAIN_NONE && j->members[rival] >= j->members[k]) continue;
        j->child[p] = k;
        j->members[p] = j->members[k] + 1;
    }
}

/* Levels of nodes, at the position of their last unknowns. */
static inline void chain_find_levels(chain_joining *j, uint32_t size)
{
    for (uint32_t k = 0; k < size; k++)
        j->level[k] = 0;
    for (uint32_t k = 0; k < size; k++) {
        const uint32_t p = j->parent[k];
        if (p == CHAIN_NONE) continue;
        const uint32_t least = j->level[k] + (j->child[p] == k ? 0 : 1);
        if (least > j->level[p]) j->level[p] = least;
    }
}

/* ---- nodes ---- */

static inline void chain_list_nodes(chain_nodes *nodes, const chain_joining *j, const chain_order *order,
                                    const chain_rows *rows)
{
    uint32_t own = 0;
    for (uint32_t k = 0; k < nodes->size; k++) {
        const uint32_t p = j->parent[k];
        if (p != CHAIN_NONE && j->child[p] == k) continue; /* the last one of a node speaks for it */
        chain_node *node = &nodes->node[nodes->count];
        *node = (chain_node){.level = j->level[k],
                             .size = (uint8_t)j->members[k],
                             .rows = chain_rows_of(rows, k),
                             .first = own,
                             .row = rows->row + rows->start[k],
                             .number = nodes->count};
        nodes->count++;
        own += node->size;
        for (uint32_t i = 1, member = k; i <= node->size; i++, member = j->child[member]) {
            nodes->own[own - i] = order->order[member];
            j->node[member] = node->number;
        }
    }
}

/* Finds the task of each node. */
static inline bool chain_find_tasks(chain_nodes *nodes, const chain_joining *j)
{
    const size_t n = (size_t)nodes->count + 1;
    uint32_t *parent = malloc(n * sizeof *parent), *task = malloc(n * sizeof *task);
    double *work = malloc(n * sizeof *work);
    const bool made = parent && task && work;
    for (uint32_t k = 0; made && k < nodes->size; k++) {
        const uint32_t p = j->parent[k], b = j->node[k];
        if (p != CHAIN_NONE && j->child[p] == k) continue;
        parent[b] = p == CHAIN_NONE ? CHAIN_NONE : j->node[p];
        work[b] = CHAIN_WORK_OF_NODE + chain_operations(nodes->node[b].size, nodes->node[b].rows);
    }
    if (made) nodes->tasks = chain_cut_tree(parent, work, nodes->count, task);
    for (uint32_t b = 0; made && b < nodes->count; b++) {
        chain_node *node = &nodes->node[b];
        node->task = (uint8_t)task[b];
        for (uint32_t i = 0; i < node->rows; i++)
            node->shares |= task[j->node[j->position[node->row[i]]]] != task[b];
    }
    free(parent);
    free(task);
    free(work);
    return made;
}

/* What nodes are sorted by: the last one counts most. */
enum { CHAIN_SORT_KEYS = 4 };
static inline uint32_t chain_sort_key(const chain_node *node, int number)
{
    switch (number) {
    case 0:
        return 2 * node->rows + (uint32_t)node->shares;
    case 1:
        return node->size;
    case 2:
        return node->level;
    default:
        return node->task;
    }
}

/* By one key, which is less than `keys`; nodes of the same key keep their sequence. `start`: [keys + 1] memory. */
static inline void chain_sort_by(const chain_node *from, uint32_t count, int key, chain_node *to,
                                 uint32_t *start, size_t keys)
{
    memset(start, 0, (keys + 1) * sizeof *start);
    for (uint32_t b = 0; b < count; b++)
        start[chain_sort_key(&from[b], key) + 1]++;
    for (size_t k = 0; k < keys; k++)
        start[k + 1] += start[k];
    for (uint32_t b = 0; b < count; b++)
        to[start[chain_sort_key(&from[b], key)]++] = from[b];
}

/* By task, level, size, rows, shares, and then by number, as they are listed. */
static inline bool chain_sort_nodes(chain_nodes *nodes)
{
    const size_t keys = 2 * (size_t)nodes->size + CHAIN_WIDEST + CHAIN_MOST_TASKS;
    chain_node *other = malloc(((size_t)nodes->count + 1) * sizeof *other);
    uint32_t *start = malloc((keys + 1) * sizeof *start);
    for (int key = 0; other && start && key < CHAIN_SORT_KEYS; key++) {
        chain_sort_by(nodes->node, nodes->count, key, other, start, keys);
        chain_node *const sorted = other;
        other = nodes->node;
        nodes->node = sorted;
    }
    const bool made = other && start;
    free(other);
    free(start);
    return made;
}

static inline bool chain_continues_run(const chain_node *node, const chain_node *before)
{
    return node->task == before->task && node->level == before->level && node->size == before->size &&
           node->rows == before->rows && node->shares == before->shares;
}

static inline void chain_list_runs(chain_nodes *nodes)
{
    chain_run_of_nodes *run = NULL;
    for (uint32_t b = 0; b < nodes->count; b++) {
        const chain_node *node = &nodes->node[b];
        if (!run || !chain_continues_run(node, node - 1)) {
            run = &nodes->run[nodes->runs++];
            *run = (chain_run_of_nodes){
                .size = node->size, .rows = node->rows, .first = b, .shares = node->shares};
        }
        run->count++;
        nodes->first_run[node->task + 1] = nodes->runs; /* of the next task, and behind the top */
    }
    if (nodes->first_run[nodes->tasks + 1] == 0) nodes->first_run[nodes->tasks + 1] = nodes->runs;
}

/* Sorts a node's rows by the nodes that they belong to; there are few. */
static inline void chain_sort_rows(const chain_nodes *nodes, uint32_t *row, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t moved = row[i];
        const uint32_t node = nodes->node_of[moved], place = nodes->place[moved];
        uint32_t k = i;
        for (; k > 0; k--) {
            const uint32_t other = nodes->node_of[row[k - 1]];
            if (other < node || (other == node && nodes->place[row[k - 1]] < place)) break;
            row[k] = row[k - 1];
        }
        row[k] = moved;
    }
}

/* Where all of it stands, node after node of the runs. */
static inline void chain_place_nodes(chain_nodes *nodes)
{
    size_t value = 0, rows = 0;
    uint32_t own = 0, b = 0, task = 0;
    for (uint32_t k = 0; k < nodes->runs; k++) {
        task += k == nodes->first_run[task + 1];
        for (const uint32_t end = b + nodes->run[k].count; b < end; b++) {
            chain_node *node = &nodes->node[b];
            node->task = (uint8_t)task;
            node->size = (uint8_t)nodes->run[k].size;
            node->rows = nodes->run[k].rows;
            node->first = own;
            for (uint32_t i = 0; i < node->size; i++, own++) {
                nodes->node_of[nodes->own[own]] = b;
                nodes->place[nodes->own[own]] = (uint8_t)i;
            }
            nodes->value[b] = value;
            nodes->row_start[b] = rows;
            value += (size_t)node->size * (node->size + (size_t)node->rows);
            rows += node->rows;
        }
    }
    nodes->value[nodes->count] = value;
    for (b = 0; b < nodes->count; b++) {
        nodes->upper[b] = value;
        value += (size_t)nodes->node[b].size * nodes->node[b].rows;
    }
    nodes->upper[nodes->count] = value;
    nodes->row_start[nodes->count] = rows;
}

/* What has been closed is there again. */
static inline bool chain_nodes_open(chain_nodes *nodes)
{
    if (!chain_nodes_allocate(nodes, nodes->count)) {
        chain_nodes_close(nodes);
        return false;
    }
    chain_place_nodes(nodes);
    for (uint32_t b = 0; b < nodes->count; b++)
        nodes->node[b].row = nodes->row + nodes->row_start[b];
    return true;
}

/* Unknowns in the order of the sorted nodes. */
static inline bool chain_sort_own(chain_nodes *nodes)
{
    uint32_t own = 0;
    uint32_t *sorted = malloc(((size_t)nodes->size + 1) * sizeof *sorted);
    if (!sorted) return false;
    for (uint32_t b = 0; b < nodes->count; b++) {
        const chain_node *node = &nodes->node[b];
        memcpy(sorted + own, nodes->own + node->first, node->size * sizeof *sorted);
        own += node->size;
        nodes->operations += chain_operations(node->size, node->rows);
    }
    free(nodes->own);
    nodes->own = sorted;
    return true;
}

static inline bool chain_lay_out(chain_nodes *nodes)
{
    if (!chain_sort_own(nodes)) return false;
    chain_place_nodes(nodes);
    nodes->row = malloc((nodes->row_start[nodes->count] + 1) * sizeof *nodes->row);
    if (!nodes->row) return false;
    for (uint32_t b = 0; b < nodes->count; b++) {
        chain_node *node = &nodes->node[b];
        uint32_t *row = nodes->row + nodes->row_start[b];
        if (node->rows > 0) memcpy(row, node->row, node->rows * sizeof *row);
        chain_sort_rows(nodes, row, node->rows);
        node->row = row;
    }
    return true;
}

/* They are open. */
static inline bool chain_nodes_make(chain_nodes *nodes, const chain_order *order, const chain_rows *rows,
                                    uint32_t size)
{
    const size_t n = (size_t)size + 1;
    uint32_t *memory = malloc(6 * n * sizeof *memory);
    *nodes = (chain_nodes){.size = size};
    nodes->run = malloc(n * sizeof *nodes->run);
    nodes->own = malloc(n * sizeof *nodes->own);
    bool made = chain_nodes_allocate(nodes, size) && memory && nodes->run && nodes->own;
    if (made) {
        chain_joining joining = {memory,         memory + n,     memory + 2 * n,
                                 memory + 3 * n, memory + 4 * n, memory + 5 * n};
        chain_join(&joining, order, rows, size);
        chain_find_levels(&joining, size);
        chain_list_nodes(nodes, &joining, order, rows);
        made = chain_find_tasks(nodes, &joining);
        free(memory);
        memory = NULL;
    }
    made = made && chain_sort_nodes(nodes);
    if (made) {
        chain_list_runs(nodes);
        made = chain_lay_out(nodes);
    }
    free(memory);
    return made;
}

#endif

/* factors.h - LU factors by nodes: from a matrix of numbers to solutions.
 *
 *     chain_factors_make(&factors, matrix, used, growth, &latest_first)     order, nodes, places: for the entries used, and values like these
 *     chain_factors_make_by_blocks(&factors, matrix, blocks, used, most)   by whole blocks of the matrix
 *     chain_factors_forget(&factors), chain_factors_extend(&factors, matrix, used, most)   for a pattern that has grown, in the same order
 *     chain_factors_factor(&factors, value), chain_factors_solve(&factors, x)   value: of the matrix, those among them that are used
 *     chain_factors_free(&factors) */
#ifndef TENON_CHAIN_FACTORS_H
#define TENON_CHAIN_FACTORS_H

#include "kernels.h"
#include "order_blocks.h"
#include "shares.h"

#include "../used_pattern.h"

#include "tenon/host.h"

/* Where that of a task begins; it ends where that of the next one begins. Behind the tasks stands the top, and behind it the end. */
typedef struct chain_task {
    uint32_t run, own;   /* own: unknown, by node and place in it */
    size_t value, upper; /* numbers */
    size_t at, entry;    /* places */
    size_t room;         /* numbers of its shares, */
    uint32_t unknown;    /* and those of vectors */
} chain_task;

typedef struct chain_factors {
    const tn_host *host; /* stays */
    chain_order order;
    double rows, squares; /* entries of L, and the sum over its columns of the squares of theirs */
    chain_nodes nodes;
    chain_shares shares;
    chain_task task[CHAIN_MOST_TASKS + 2];
    chain_span *span; /* [runs] */
    int32_t *at;      /* where products go, node after node */
    size_t at_room, at_used;
    uint32_t *entry,
        *target; /* [entries used] of the matrix as announced, task after task, and where they stand among the numbers of the nodes */
    double *value;
    double *pivot; /* [size] sizes of pivots, node after node */
    size_t values;
    /* where there are tasks: */
    uint32_t *row;  /* as that of nodes; CHAIN_SHARED: of the top */
    double *shared; /* unknowns of shares */
} chain_factors;

static inline void chain_factors_free(chain_factors *f)
{
    chain_order_free(&f->order);
    chain_nodes_free(&f->nodes);
    chain_shares_free(&f->shares);
    free(f->span);
    free(f->at);
    free(f->entry);
    free(f->target);
    free(f->value);
    free(f->pivot);
    free(f->row);
    free(f->shared);
    *f = (chain_factors){.host = f->host};
}

/* ---- places ---- */

#define CHAIN_NO_PLACE SIZE_MAX

/* Where the entry stands that couples unknowns a and b: in L when it is in row a and a is eliminated later, in U when in column
 * a. `among`: the search begins with this row of b's node. */
static inline size_t chain_place_below(const chain_nodes *nodes, uint32_t a, uint32_t b, bool upper,
                                       uint32_t *among)
{
    const uint32_t number = nodes->node_of[b];
    const chain_node *node = &nodes->node[number];
    uint32_t k = *among;
    while (k < node->rows && node->row[k] != a)
        k++;
    if (k == node->rows) return CHAIN_NO_PLACE;
    *among = k;
    const size_t first =
        upper ? nodes->upper[number] : nodes->value[number] + (size_t)node->size * node->size;
    return first + (size_t)node->size * k + nodes->place[b];
}

/* The number of row i and column j. */
static inline size_t chain_place_of(const chain_nodes *nodes, uint32_t i, uint32_t j, uint32_t *among)
{
    const uint32_t row = nodes->node_of[i], column = nodes->node_of[j];
    if (row > column) return chain_place_below(nodes, i, j, false, among);
    if (row < column) return chain_place_below(nodes, j, i, true, among);
    return nodes->value[row] + (size_t)nodes->place[i] * nodes->node[row].size + nodes->place[j];
}

/* The task that this number belongs to. */
static inline uint32_t chain_task_of(const chain_nodes *nodes, uint32_t i, uint32_t j)
{
    const uint32_t row = nodes->node_of[i], column = nodes->node_of[j];
    return nodes->node[row < column ? row : column].task;
}

/* How many of the rows from the i-th on are unknowns side by side in one node, and all of this node's. */
static inline uint32_t chain_width(const chain_nodes *nodes, const chain_node *node, uint32_t i)
{
    const uint32_t first = node->row[i], other = nodes->node_of[first];
    uint32_t width = 1;
    if (i > 0 && nodes->node_of[node->row[i - 1]] == other) return 1;
    bool adjoin = true;
    for (; i + width < node->rows && nodes->node_of[node->row[i + width]] == other; width++)
        adjoin = adjoin && nodes->place[node->row[i + width]] == nodes->place[first] + width;
    return adjoin ? width : 1;
}

/* As chain_place_of(), for what a node writes: of nodes of the top in the share that its task has. */
static inline int32_t chain_place_for(const chain_factors *f, const chain_node *from, uint32_t i, uint32_t j,
                                      uint32_t *among)
{
    const uint32_t row = f->nodes.node_of[i], column = f->nodes.node_of[j], b = row < column ? row : column;
    const size_t place = chain_place_of(&f->nodes, i, j, among);
    const bool shared = f->nodes.node[b].task != from->task;
    return (int32_t)(shared ? chain_place_in_share(&f->shares, b, place) : place);
}

static inline bool chain_list_places(chain_factors *f, const chain_node *node)
{
    const chain_nodes *nodes = &f->nodes;
    for (uint32_t i = 0; i < node->rows;) {
        const uint32_t first = node->row[i], width = chain_width(nodes, node, i);
        const size_t others = node->rows - i - width;
        uint32_t among_lower = 0, among_upper = 0;
        if (!TN_MAKE_ROOM(f->at, f->at_room, f->at_used + 3 + 2 * others)) return false;
        int32_t *at = f->at + f->at_used;
        *at++ = (int32_t)width;
        *at++ = chain_place_for(f, node, first, first, &among_lower);
        *at++ = (int32_t)nodes->node[nodes->node_of[first]].size;
        for (uint32_t q = i + width; q < node->rows; q++) {
            *at++ = chain_place_for(f, node, node->row[q], first, &among_lower);
            *at++ = chain_place_for(f, node, first, node->row[q], &among_upper);
        }
        f->at_used += 3 + 2 * others;
        i += width;
    }
    return true;
}

/* Rows of a node, those that its task has shares of among them. */
static inline void chain_list_shared_rows(chain_factors *f, uint32_t b)
{
    const chain_nodes *nodes = &f->nodes;
    const chain_node *node = &nodes->node[b];
    for (uint32_t i = 0; i < node->rows; i++) {
        const uint32_t row = node->row[i], other = nodes->node_of[row];
        uint32_t *to = &f->row[nodes->row_start[b] + i];
        *to = row;
        if (nodes->node[other].task != node->task)
            *to = CHAIN_SHARED | (f->shares.share[f->shares.of_node[other]].unknown + nodes->place[row]);
    }
}

/* The task begins with node b; at the end with the one that would come next. */
static inline void chain_begin_task(chain_factors *f, uint32_t task, uint32_t b)
{
    const chain_nodes *nodes = &f->nodes;
    f->task[task] = (chain_task){.run = nodes->first_run[task],
                                 .own = b < nodes->count ? nodes->node[b].first : nodes->size,
                                 .value = nodes->value[b],
                                 .upper = nodes->upper[b],
                                 .at = f->at_used,
                                 .room = nodes->upper[nodes->count] + f->shares.numbers,
                                 .unknown = f->shares.unknowns};
    f->shares.first = f->shares.count;
}

static inline bool chain_list_tasks(chain_factors *f)
{
    const chain_nodes *nodes = &f->nodes;
    const uint32_t tasks = nodes->tasks;
    uint32_t b = 0;
    for (uint32_t t = 0; t <= tasks; t++) {
        chain_begin_task(f, t, b);
        for (; b < nodes->count && nodes->node[b].task == t; b++) {
            const chain_node *node = &nodes->node[b];
            if (!chain_list_shares(&f->shares, nodes, node) || !chain_list_places(f, node)) return false;
            if (tasks > 0) chain_list_shared_rows(f, b);
        }
    }
    chain_begin_task(f, tasks + 1, b);
    return true;
}

/* The column of entry k, from this one on. */
static inline uint32_t chain_column_of(const tn_matrix *matrix, size_t k, uint32_t column)
{
    while (k >= (size_t)matrix->column_start[column + 1])
        column++;
    return column;
}

typedef struct chain_target {
    uint32_t place, task;
} chain_target;

/* What the entries used have in the nodes, which are open; counts them by tasks. */
static inline bool chain_look_up_targets(chain_factors *f, const tn_matrix *matrix, const used_pattern *used,
                                         chain_target *found)
{
    const chain_nodes *nodes = &f->nodes;
    uint32_t column = 0;
    for (uint32_t t = 0; t <= nodes->tasks + 1; t++)
        f->task[t].entry = 0;
    USED_PATTERN_FOR_EACH(used, matrix, k, number, {
        column = chain_column_of(matrix, k, column);
        const uint32_t row = (uint32_t)matrix->row[k];
        uint32_t among = 0;
        const size_t place = chain_place_of(nodes, row, column, &among);
        if (place == CHAIN_NO_PLACE) return false;
        found[number].place = (uint32_t)place;
        found[number].task = chain_task_of(nodes, row, column);
        f->task[found[number].task + 1].entry++;
    });
    for (uint32_t t = 0; t <= nodes->tasks; t++)
        f->task[t + 1].entry += f->task[t].entry;
    return true;
}

/* The same, task after task. */
static inline void chain_sort_targets(chain_factors *f, const tn_matrix *matrix, const used_pattern *used,
                                      const chain_target *found)
{
    size_t next[CHAIN_MOST_TASKS + 1];
    for (uint32_t t = 0; t <= f->nodes.tasks; t++)
        next[t] = f->task[t].entry;
    USED_PATTERN_FOR_EACH(used, matrix, k, number, {
        const size_t e = next[found[number].task]++;
        f->entry[e] = (uint32_t)k;
        f->target[e] = found[number].place;
    });
}

/* CHAIN_NO_PIVOT where the nodes, which are open, have no place for an entry: it belongs to another order. */
static inline chain_verdict chain_find_targets(chain_factors *f, const tn_matrix *matrix,
                                               const used_pattern *used)
{
    chain_target *found = malloc((used_pattern_size(used->used, matrix) + 1) * sizeof *found);
    if (!found) return CHAIN_NO_MEMORY;
    const bool is_found = chain_look_up_targets(f, matrix, used, found);
    if (is_found) chain_sort_targets(f, matrix, used, found);
    free(found);
    return is_found ? CHAIN_ORDERED : CHAIN_NO_PIVOT;
}

/* For another pattern: CHAIN_NO_PIVOT where it belongs to another order. */
static inline chain_verdict chain_list_targets(chain_factors *f, const tn_matrix *matrix,
                                               const used_pattern *used)
{
    if (!chain_nodes_open(&f->nodes)) return CHAIN_NO_MEMORY;
    const chain_verdict verdict = chain_find_targets(f, matrix, used);
    chain_nodes_close(&f->nodes);
    return verdict;
}

static inline void chain_list_spans(chain_factors *f)
{
    const chain_nodes *nodes = &f->nodes;
    const uint32_t *row = nodes->tasks > 0 ? f->row : nodes->row;
    for (uint32_t k = 0; k < nodes->runs; k++) {
        const chain_run_of_nodes *run = &nodes->run[k];
        f->span[k] = (chain_span){.count = run->count,
                                  .rows = run->rows,
                                  .own = nodes->own + nodes->node[run->first].first,
                                  .row = row + nodes->row_start[run->first],
                                  .value = f->value + nodes->value[run->first],
                                  .upper = f->value + nodes->upper[run->first]};
        chain_span_functions(&f->span[k], run->size, run->shares);
    }
}

/* For numbers and vectors, once shares are counted. */
static inline bool chain_allocate_numbers(chain_factors *f)
{
    const chain_nodes *nodes = &f->nodes;
    f->span = malloc(((size_t)nodes->runs + 1) * sizeof *f->span);
    f->value = malloc((f->values + 1) * sizeof *f->value);
    f->pivot = malloc(((size_t)nodes->size + 1) * sizeof *f->pivot);
    f->shared = malloc(((size_t)f->shares.unknowns + 1) * sizeof *f->shared);
    return f->span && f->value && f->pivot && f->shared;
}

static inline chain_verdict chain_factors_place(chain_factors *f, const tn_matrix *matrix,
                                                const used_pattern *used)
{
    const chain_nodes *nodes = &f->nodes;
    const size_t entries = (size_t)matrix->column_start[matrix->size]; /* of all patterns to come */
    const bool has_tasks = nodes->tasks > 0;
    f->target = malloc((entries + 1) * sizeof *f->target);
    f->entry = malloc((entries + 1) * sizeof *f->entry);
    if (has_tasks) f->row = malloc((nodes->row_start[nodes->count] + 1) * sizeof *f->row);
    if (!f->target || !f->entry || (has_tasks && !f->row)) return CHAIN_NO_MEMORY;
    if (!chain_shares_open(&f->shares, nodes) || !chain_list_tasks(f)) return CHAIN_NO_MEMORY;
    f->values = nodes->upper[nodes->count] + f->shares.numbers;
    if (f->values > INT32_MAX) return CHAIN_TOO_FULL;
    if (!chain_allocate_numbers(f)) return CHAIN_NO_MEMORY;
    const chain_verdict verdict = chain_find_targets(f, matrix, used); /* its own pattern has all places */
    if (verdict != CHAIN_ORDERED) return verdict;
    chain_list_spans(f);
    chain_shares_close(&f->shares);
    chain_nodes_close(&f->nodes);
    return CHAIN_ORDERED;
}

static inline void chain_count_rows(chain_factors *f, const chain_rows *rows, uint32_t size)
{
    f->rows = (double)rows->start[size];
    f->squares = 0.0;
    for (uint32_t k = 0; k < size; k++)
        f->squares += (double)chain_rows_of(rows, k) * chain_rows_of(rows, k);
}

/* Nodes for the order that there is, of no more than `most` entries of L. */
static inline chain_verdict chain_factors_join(chain_factors *f, const tn_matrix *matrix, double most)
{
    chain_rows rows;
    chain_verdict verdict = chain_rows_make(&rows, &f->order, matrix, most);
    if (verdict == CHAIN_ORDERED) chain_count_rows(f, &rows, matrix->size);
    if (verdict == CHAIN_ORDERED && !chain_nodes_make(&f->nodes, &f->order, &rows, matrix->size))
        verdict = CHAIN_NO_MEMORY;
    chain_rows_free(&rows);
    return verdict;
}

/* For the order that there is; anything but CHAIN_ORDERED leaves nothing behind. */
static inline chain_verdict chain_factors_complete(chain_factors *f, chain_verdict verdict,
                                                   const tn_matrix *matrix, const used_pattern *used,
                                                   double most)
{
    const tn_matrix listed = used_pattern_matrix(used, matrix);
    if (verdict == CHAIN_ORDERED) verdict = chain_factors_join(f, &listed, most);
    if (verdict == CHAIN_ORDERED) verdict = chain_factors_place(f, matrix, used);
    if (verdict != CHAIN_ORDERED) chain_factors_free(f);
    return verdict;
}

/* Of factors that are empty; anything but CHAIN_ORDERED leaves them so. `used` is open; the others as in chain_order_make(). */
static inline chain_verdict chain_factors_make(chain_factors *f, const tn_matrix *matrix,
                                               const used_pattern *used, chain_growth growth,
                                               bool *latest_first)
{
    const tn_matrix listed = used_pattern_matrix(used, matrix);
    const chain_verdict verdict = chain_order_make(&f->order, &listed, growth, latest_first);
    return chain_factors_complete(f, verdict, matrix, used, HUGE_VAL);
}

/* Likewise in the order of whole blocks, where that leaves no more than `most` entries of L. */
static inline chain_verdict chain_factors_make_by_blocks(chain_factors *f, const tn_matrix *matrix,
                                                         const tn_block_pattern *blocks,
                                                         const used_pattern *used, double most)
{
    const tn_matrix listed = used_pattern_matrix(used, matrix);
    const chain_verdict verdict = chain_order_blocks(&f->order, blocks, &listed);
    return chain_factors_complete(f, verdict, matrix, used, most);
}

/* All but the order, before others are made in it: there is memory for one of both. */
static inline void chain_factors_forget(chain_factors *f)
{
    const chain_order order = f->order;
    f->order = (chain_order){0};
    chain_factors_free(f);
    f->order = order;
}

/* Of factors that have an order alone; anything but CHAIN_ORDERED leaves nothing behind. */
static inline chain_verdict chain_factors_extend(chain_factors *f, const tn_matrix *matrix,
                                                 const used_pattern *used, double most)
{
    return chain_factors_complete(f, CHAIN_ORDERED, matrix, used, most);
}

/* ---- numbers ---- */

/* What tasks are called with. */
typedef struct chain_call {
    const chain_factors *f;
    const double *value; /* of the matrix */
    double *x;
} chain_call;

/* All tasks, side by side where the host has threads. */
static inline void chain_for_tasks(chain_call *call, void (*work)(void *call, size_t first, size_t last))
{
    const tn_host *host = call->f->host;
    const uint32_t tasks = call->f->nodes.tasks;
    if (tasks == 0) return;
    if (host->parallel_for)
        host->parallel_for(host, tasks, 1, work, call);
    else /* an older host */
        work(call, 0, tasks);
}

/* The numbers of a task, or of the top, are those of the matrix; its shares are zero. */
static inline void chain_fill_task(const chain_factors *f, const chain_task *task, const double *value)
{
    const chain_task *next = task + 1;
    const uint32_t *entry = f->entry, *target = f->target;
    double *to = f->value;
    memset(to + task->value, 0, (next->value - task->value) * sizeof *to);
    memset(to + task->upper, 0, (next->upper - task->upper) * sizeof *to);
    memset(to + task->room, 0, (next->room - task->room) * sizeof *to);
    const size_t end = next->entry;
    for (size_t e = task->entry; e < end; e++)
        to[target[e]] = value[entry[e]];
}

static inline void chain_factor_runs(const chain_factors *f, const chain_task *task)
{
    const int32_t *at = f->at + task->at;
    double *pivot = f->pivot + task->own;
    for (uint32_t k = task->run; k < task[1].run; k++) {
        at = f->span[k].factor(&f->span[k], f->value, pivot, at);
        pivot += (size_t)f->span[k].count * f->nodes.run[k].size;
    }
}

static inline void chain_factor_tasks(void *data, size_t first, size_t last)
{
    const chain_call *call = data;
    for (const chain_task *task = call->f->task + first; task < call->f->task + last; task++) {
        chain_fill_task(call->f, task, call->value);
        chain_factor_runs(call->f, task);
    }
}

/* `value`: of the matrix. */
static inline void chain_factors_factor(const chain_factors *f, const double *value)
{
    chain_call call = {.f = f, .value = value};
    const chain_task *top = f->task + f->nodes.tasks;
    chain_for_tasks(&call, chain_factor_tasks);
    chain_fill_task(f, top, value);
    chain_add_shares(&f->shares, f->value);
    chain_factor_runs(f, top);
}

static inline void chain_forward_runs(const chain_factors *f, const chain_task *task, double *x)
{
    for (uint32_t k = task->run; k < task[1].run; k++)
        f->span[k].forward(&f->span[k], x, f->shared);
}

static inline void chain_backward_runs(const chain_factors *f, const chain_task *task, double *x)
{
    for (uint32_t k = task[1].run; k-- > task->run;)
        f->span[k].backward(&f->span[k], x, f->shared);
}

static inline void chain_forward_tasks(void *data, size_t first, size_t last)
{
    const chain_call *call = data;
    const chain_factors *f = call->f;
    for (const chain_task *task = f->task + first; task < f->task + last; task++) {
        memset(f->shared + task->unknown, 0, (task[1].unknown - task->unknown) * sizeof *f->shared);
        chain_forward_runs(f, task, call->x);
    }
}

static inline void chain_backward_tasks(void *data, size_t first, size_t last)
{
    const chain_call *call = data;
    for (const chain_task *task = call->f->task + first; task < call->f->task + last; task++)
        chain_backward_runs(call->f, task, call->x);
}

static inline void chain_factors_solve(const chain_factors *f, double *x)
{
    chain_call call = {.f = f, .x = x};
    const chain_task *top = f->task + f->nodes.tasks;
    chain_for_tasks(&call, chain_forward_tasks);
    chain_add_shares_of_vector(&f->shares, f->nodes.own, f->shared, x);
    chain_forward_runs(f, top, x);
    chain_backward_runs(f, top, x);
    chain_hand_out_vector(&f->shares, f->nodes.own, f->shared, x);
    chain_for_tasks(&call, chain_backward_tasks);
}

#endif

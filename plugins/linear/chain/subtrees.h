/* subtrees.h - cuts the elimination tree into tasks that threads work off side by side.
 *
 * Subtrees do not depend on each other. The largest ones that have no more than a part of all work become tasks; small ones share a task.
 * What is left is the top of the tree: its nodes wait for all tasks. The tree alone determines the tasks, so the operations and their order
 * are the same for any number of threads. */
#ifndef TENON_CHAIN_SUBTREES_H
#define TENON_CHAIN_SUBTREES_H

#include <stdbool.h>
#include <stdint.h>

#define CHAIN_NONE UINT32_MAX
enum {
    CHAIN_PIECES = 8, /* that a tree without branches is cut into (order_blocks.h) */
    CHAIN_MOST_TASKS = 2 * CHAIN_PIECES
};
#define CHAIN_MOST_OF_TASK (1.4 / CHAIN_PIECES) /* of all work: a piece, and what it fills besides */
#define CHAIN_LEAST_WORK 1e6                    /* operations, below which threads cost more than they save */
#define CHAIN_LEAST_PART 0.5                    /* of all work, likewise */

/* Operations of a factorisation for a node of so many unknowns and rows, and what it takes besides, in these. */
static inline double chain_operations(double s, double rows)
{
    return 2.0 * s * (s * s + s * rows + rows * rows);
}
#define CHAIN_WORK_OF_NODE 50.0

/* The work of nodes becomes that of their subtrees; a parent has a higher number than its children. */
static inline double chain_add_up_work(const uint32_t *parent, double *work, uint32_t count)
{
    double all = 0.0;
    for (uint32_t b = 0; b < count; b++)
        if (parent[b] == CHAIN_NONE)
            all += work[b];
        else
            work[parent[b]] += work[b];
    return all;
}

/* The number of tasks; task[b] is that of a node, and for the top their number. None: all of it is the top. */
static inline uint32_t chain_cut_tree(const uint32_t *parent, double *work, uint32_t count, uint32_t *task)
{
    const double all = chain_add_up_work(parent, work, count), most = CHAIN_MOST_OF_TASK * all;
    double of_task = 0.0, of_tasks = 0.0;
    uint32_t tasks = 0;
    for (uint32_t b = count; b-- > 0;) {
        task[b] = parent[b] == CHAIN_NONE ? CHAIN_NONE : task[parent[b]];
        if (task[b] != CHAIN_NONE || work[b] > most) continue;
        if (tasks == 0 || (of_task + work[b] > most && tasks < CHAIN_MOST_TASKS)) {
            of_task = 0.0;
            tasks++;
        }
        of_task += work[b];
        of_tasks += work[b];
        task[b] = tasks - 1;
    }
    const bool pays = tasks > 1 && all >= CHAIN_LEAST_WORK && of_tasks >= CHAIN_LEAST_PART * all;
    if (!pays) tasks = 0;
    for (uint32_t b = 0; b < count; b++)
        if (!pays || task[b] == CHAIN_NONE) task[b] = tasks;
    return tasks;
}

#endif

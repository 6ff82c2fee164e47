/* subtrees.h - cuts the elimination tree into tasks that threads work off side by side.
 *
 * Subtrees do not depend on each other. The largest ones that have no more than a part of all work become tasks, several of them where they
 * are small; what is left is the top of the tree, whose nodes wait for all tasks. That depends on the tree alone: whoever works it off, and
 * how many, the operations and their order are the same. */
#ifndef TENON_CHAIN_SUBTREES_H
#define TENON_CHAIN_SUBTREES_H

#include <stdbool.h>
#include <stdint.h>

#define CHAIN_NONE UINT32_MAX
#define CHAIN_LEAST_WORK 1e6 /* operations, below which threads cost more than they save */
#define CHAIN_LEAST_CUT 0.5  /* of all work, likewise */
enum {
    CHAIN_PARTS = 16, /* a task has no more than this part of the work */
    CHAIN_MOST_TASKS = 2 * CHAIN_PARTS + 1
};

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
    const double all = chain_add_up_work(parent, work, count), most = all / CHAIN_PARTS;
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
    const bool pays = tasks > 1 && all >= CHAIN_LEAST_WORK && of_tasks >= CHAIN_LEAST_CUT * all;
    if (!pays) tasks = 0;
    for (uint32_t b = 0; b < count; b++)
        if (!pays || task[b] == CHAIN_NONE) task[b] = tasks;
    return tasks;
}

#endif

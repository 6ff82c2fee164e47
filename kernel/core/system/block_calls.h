/* block_calls.h - large groups are called in blocks, which threads share (tn_host.parallel_for): a table of functions, given with the
 * model
 *
 * Without a table every group is called at once. Behind it: kernel/threads.
 *
 * When: `choose` once the system is complete, `choose_pairs` once it has a matrix; the others at every evaluation, for what has been
 * chosen. */
#ifndef TN_BLOCK_CALLS_H
#define TN_BLOCK_CALLS_H

#include "plugin/call_site.h"
#include "system/assembly.h"

/* Instances of a block, numbers of a block of arrays, and how many blocks are worth the while: results depend on the first, not on
 * the number of threads. */
enum { TN_BLOCK = 512, TN_BLOCK_OF_NUMBERS = 4096, TN_FEWEST_BLOCKS = 4 };

typedef void (*tn_block_task)(void *data, size_t first, size_t last);

typedef struct tn_block_calls {
    /* Which groups and riders are called in blocks: those with enough instances, which share nothing. */
    void (*choose)(tn_assembly *assembly);
    /* Which connectors add to the matrix in blocks. */
    void (*choose_pairs)(tn_assembly *assembly);
    /* A function of a group's type on a batch of all of it; the failure of the first block with the worst status becomes the group's. */
    tn_status (*group)(const tn_assembly *assembly, tn_group *group, tn_batch *batch,
                       tn_batch_function function, const char *name);
    /* A function of riders that writes what belongs to each of them: those on one body may be in different blocks. */
    tn_status (*riders)(const tn_assembly *assembly, const tn_riders *riders, const tn_attachments *all,
                        tn_attachment_function function, const char *name);
    /* task(data, first, last) for all blocks of `count` instances, those that share a body one after the other. */
    void (*by_colours)(const tn_assembly *assembly, const struct tn_colours *colours, size_t count,
                       tn_block_task task, void *data);
} tn_block_calls;

/* ---- the same where nothing may have been chosen ------------------------------------------------------------ */

/* The choice stands here: a call more at every phase costs a small model 5 % of its time. */
static inline tn_status tn_call_in_blocks(const tn_assembly *assembly, tn_group *group, tn_batch *batch,
                                          tn_batch_function function, const char *name)
{
    return group->answer ? assembly->services->blocks->group(assembly, group, batch, function, name)
                         : tn_call_at(group->type, name, NULL, function(batch));
}

static inline tn_status tn_call_riders_in_blocks(const tn_assembly *assembly, const tn_riders *riders,
                                                 tn_attachments *all, tn_attachment_function function,
                                                 const char *name)
{
    return riders->in_blocks ? assembly->services->blocks->riders(assembly, riders, all, function, name)
                             : tn_call_at(riders->type, name, NULL, function(all));
}

static inline void tn_for_colours(const tn_assembly *assembly, const struct tn_colours *colours, size_t count,
                                  tn_block_task task, void *data)
{
    if (colours)
        assembly->services->blocks->by_colours(assembly, colours, count, task, data);
    else
        task(data, 0, count);
}

/* tn_host.parallel_for of the model where that is worth the while; else all at once. */
static inline __attribute__((always_inline)) void tn_for_blocks(const tn_assembly *assembly, size_t count,
                                                                size_t grain, tn_block_task task, void *data)
{
    const tn_host *host = &assembly->model->host;
    if (count >= grain * TN_FEWEST_BLOCKS)
        host->parallel_for(host, count, grain, task, data);
    else if (count)
        task(data, 0, count);
}

/* The worse one of a status that several threads find, and this one. */
static inline void tn_note_worst(tn_status *worst, tn_status status)
{
    tn_status before = __atomic_load_n(worst, __ATOMIC_RELAXED);
    while (tn_worse(status, before) != before &&
           !__atomic_compare_exchange_n(worst, &before, status, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

/* The worst answer of the last call in blocks; its failure becomes that of the group. failure.c */
tn_status tn_worst_answer(tn_group *group);
/* Some of these markers; a matrix has a row for each component of a twist. stations.c */
tn_attachments tn_part_of_attachments(const tn_attachments *all, size_t first, size_t count);
/* Zeros; tn_are_finite: by blocks where there are many numbers. mass.c */
void tn_clear_numbers(const tn_assembly *assembly, double *x, size_t count);
bool tn_blocks_are_finite(const tn_assembly *assembly, const double *x, size_t count);
static inline bool tn_all_are_finite(const tn_assembly *assembly, const double *x, size_t count)
{
    return count < TN_FEWEST_BLOCKS * TN_BLOCK_OF_NUMBERS ? tn_are_finite(x, count)
                                                          : tn_blocks_are_finite(assembly, x, count);
}

#endif

/* blocks_of_instances.h - calls of large groups in blocks, which threads share (tn_host.parallel_for). */
#ifndef TN_BLOCKS_OF_INSTANCES_H
#define TN_BLOCKS_OF_INSTANCES_H

#include "plugin/call_site.h"
#include "system/assembly.h"

/* Instances of a block, numbers of a block of arrays, and how many blocks are worth the while: results depend on the first, not on
 * the number of threads. */
enum { TN_BLOCK = 512, TN_BLOCK_OF_NUMBERS = 4096, TN_FEWEST_BLOCKS = 4 };

/* Whether the functions of a group's type may be called in blocks: there are enough instances, and nothing that they share. Once it is
 * complete. */
void tn_blocks_choose(tn_assembly *assembly);
/* A function of a group's type on a batch of all of it. The failure of the first block that has the worst status is that of the
 * group. The choice stands here: a call more at every phase costs a small model 5 % of its time. */
tn_status tn_call_blocks(const tn_assembly *assembly, tn_group *group, tn_batch *batch,
                         tn_batch_function function, const char *name);
static inline tn_status tn_call_in_blocks(const tn_assembly *assembly, tn_group *group, tn_batch *batch,
                                          tn_batch_function function, const char *name)
{
    return group->answer ? tn_call_blocks(assembly, group, batch, function, name)
                         : tn_call_at(group->type, name, NULL, function(batch));
}

/* The worst answer of the last call in blocks; its failure is that of the group. */
tn_status tn_worst_answer(tn_group *group);

/* The worse one of a status that several threads find, and this one. */
void tn_note_worst(tn_status *worst, tn_status status);

/* Some of these markers; a matrix has a row for each component of a twist. */
tn_attachments tn_part_of_attachments(const tn_attachments *all, size_t first, size_t count);
/* A function of these riders that writes what belongs to each of them: poses, twists, Jacobians. Those on one body may be in different
 * blocks. */
tn_status tn_call_blocks_of_riders(const tn_assembly *assembly, const tn_riders *riders, tn_attachments *all,
                                   tn_attachment_function function, const char *name);
static inline tn_status tn_call_riders_in_blocks(const tn_assembly *assembly, const tn_riders *riders,
                                                 tn_attachments *all, tn_attachment_function function,
                                                 const char *name)
{
    if (all->count < TN_FEWEST_BLOCKS * TN_BLOCK || riders->type->flags & TN_ONE_THREAD)
        return tn_call_at(riders->type, name, NULL, function(all));
    return tn_call_blocks_of_riders(assembly, riders, all, function, name);
}
/* Adds the wrenches on riders to the forces on their bodies. */
tn_status tn_pull_back_riders(const tn_assembly *assembly, tn_riders *riders);

/* tn_host.parallel_for of the model where that is worth the while; else all at once. */
static inline __attribute__((always_inline)) void
tn_for_blocks(const tn_assembly *assembly, size_t count, size_t grain,
              void (*task)(void *data, size_t first, size_t last), void *data)
{
    const tn_host *host = &assembly->model->host;
    if (count >= grain * TN_FEWEST_BLOCKS)
        host->parallel_for(host, count, grain, task, data);
    else if (count)
        task(data, 0, count);
}

/* Zeros. */
void tn_clear_numbers(const tn_assembly *assembly, double *x, size_t count);
/* tn_are_finite, by blocks where there are many numbers. */
bool tn_blocks_are_finite(const tn_assembly *assembly, const double *x, size_t count);
static inline bool tn_all_are_finite(const tn_assembly *assembly, const double *x, size_t count)
{
    return count < TN_FEWEST_BLOCKS * TN_BLOCK_OF_NUMBERS ? tn_are_finite(x, count)
                                                          : tn_blocks_are_finite(assembly, x, count);
}

#endif

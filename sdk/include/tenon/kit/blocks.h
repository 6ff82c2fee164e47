/* tenon/kit/blocks.h - loops over long arrays on the threads of the run, for solvers.
 *
 *     static void add(void *data, size_t first, size_t last) { ... numbers first ... last - 1 ... }
 *     tn_for_numbers(system->host, system->nv, add, &sum);
 *
 * Blocks have a fixed size: a sum of blocks, added up in their order, has the same bits for any number of threads. */
#ifndef TENON_KIT_BLOCKS_H
#define TENON_KIT_BLOCKS_H

#include "tenon/host.h"

#include <stddef.h>

enum { TN_NUMBERS_OF_BLOCK = 4096, TN_FEWEST_BLOCKS_OF_NUMBERS = 4 };

/* How many blocks tn_for_numbers() makes of `count` numbers, 1 at least: few numbers are one block. */
static inline size_t tn_count_blocks(size_t count)
{
    const size_t blocks = (count + TN_NUMBERS_OF_BLOCK - 1) / TN_NUMBERS_OF_BLOCK;
    return blocks < TN_FEWEST_BLOCKS_OF_NUMBERS ? 1 : blocks;
}

/* Calls task(data, first, last) for all blocks of 0 ... count - 1, side by side where that is worth the while. Block number
 * first / TN_NUMBERS_OF_BLOCK has a place of its own among tn_count_blocks(count). */
static inline __attribute__((always_inline)) void
tn_for_numbers(const tn_host *host, size_t count, void (*task)(void *data, size_t first, size_t last),
               void *data)
{
    if (__builtin_expect(count > (TN_FEWEST_BLOCKS_OF_NUMBERS - 1) * TN_NUMBERS_OF_BLOCK, 0))
        host->parallel_for(host, count, TN_NUMBERS_OF_BLOCK, task, data);
    else
        task(data, 0, count);
}

#endif

/* block_calls.h - the table of system/block_calls.h: large groups are called block by block, on the threads of the model. */
#ifndef TN_THREADS_BLOCK_CALLS_H
#define TN_THREADS_BLOCK_CALLS_H

#include "system/block_calls.h"

extern const tn_block_calls tn_calls_in_blocks;

#endif

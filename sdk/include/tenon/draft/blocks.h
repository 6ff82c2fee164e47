/* tenon/draft/blocks.h - "tenon.readable/1" and "tenon.sampled/1" of elements: blocks of a control system
 *
 * A block has outputs that expressions read, by its name and a number from 1: ARYVAL(block, 2). They follow from its states x, its
 * discrete data d, and its TN_DYNAMIC parameters. Forces, variables and other blocks that read them get exact derivatives: by x, as
 * the solver finds it, and by parameters at once. A block that is read has states of x with `rates_tangent`, or none.
 *
 * A sampled block works at times of its own. All solvers end a step there. The outputs of all blocks that are due are renewed first,
 * each behind those that it reads at once, then their states; both stand in d, and keep their values until the next sample. Solvers
 * begin anew there, unless all outputs are as before: nothing else of the block changes with these data.
 *
 * A type may have the parameters `output_units` and `input_units` (TN_KIND_TEXTS): SI units of the outputs and of the dynamic numbers in
 * the order of its parameters, one for each or one for all, against which the kernel holds what reads the block and what it reads.
 *
 * This kernel implements both capabilities; they may change until they move one folder up. */
#ifndef TENON_DRAFT_BLOCKS_H
#define TENON_DRAFT_BLOCKS_H

#include "tenon/batch.h"

#define TN_READABLE_KEY "tenon.readable/1"
#define TN_SAMPLED_KEY "tenon.sampled/1"

enum { TN_MOST_READABLE = 32 };

/* What an output changes with: the sum of these. */
enum tn_readable_by {
    TN_BY_STATES = 1u,     /* x */
    TN_BY_PARAMETERS = 2u, /* its dynamic parameters, at all times */
    TN_BY_SAMPLES =
        4u, /* they change it at its sample times, at once; without this flag from the next sample on */
    TN_SAME_AS_PARAMETER =
        8u /* besides: it is the dynamic number of the same count, now or at a sample, and has its unit */
};

typedef struct tn_readable_capability {
    uint32_t struct_size, reserved;
    /* [setup] How many outputs there are, at most TN_MOST_READABLE; after prepare(). */
    uint32_t (*readable_count)(const void *instance);
    /* [setup] What number 0, 1, ... of them changes with. */
    uint32_t (*readable_by)(const void *instance, uint32_t number);
    /* [hot] All of them, into `value` [count][outputs]; */
    tn_batch_function readable;
    /* their derivatives by parameters and states, into `tangent` [count][outputs][tangent_stride]. NULL where none changes with them. */
    tn_batch_function readable_tangent;
} tn_readable_capability;

typedef struct tn_sampled_capability {
    uint32_t struct_size, reserved;
    /* [hot] The first sample time that is not before batch->time, apart from round-off, and has not been taken; s, into `value`
     * [count]. HUGE_VAL: none. */
    tn_batch_function next_sample;
    /* [hot] A sample at batch->time: renews the outputs, then the states of the next sample, in d. */
    tn_batch_function sampled_outputs, sampled_states;
} tn_sampled_capability;

#endif

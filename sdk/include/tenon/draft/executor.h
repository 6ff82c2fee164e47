/* tenon/draft/executor.h - executors, a kind of plugin: they start the processes that work on the cases of a study, on this machine or others.
 *
 * The process of the user, the driver, hands over a batch of cases, numbered from 0. The executor starts workers, `command` each, as many as its
 * parameters ask for, and watches them. A worker is the program once more: it loads the same study, and asks the executor, by its functions
 * for workers, which cases it is to work on. Results come by files in the folder of the study, which the driver reads whenever look() is called: a
 * worker that dies leaves the lines that it has written, and cases without a line are lost, which the driver sees when carry_out() returns.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_EXECUTOR_H
#define TENON_DRAFT_EXECUTOR_H

#include "tenon/type.h"

#define TN_EXECUTOR_KIND "executor"

/* What carry_out() is to do. */
typedef enum tn_execution_wish {
    TN_GO_ON = 0,
    TN_FINISH_CASES =
        1, /* the user ends the study: workers finish the cases that they are at, and carry_out() returns */
    TN_END_WORKERS = 2, /* at once: a second interrupt, or results cannot be kept */
    TN_EXECUTION_WISH_IS_32_BITS = 0x7fffffff
} tn_execution_wish;

/* A batch of cases, for the driver. */
typedef struct tn_execution tn_execution;
struct tn_execution {
    uint32_t struct_size, reserved;
    void *self;                 /* the kernel's own */
    uint64_t count;             /* cases */
    const char *folder;         /* of the study, an absolute path */
    const char *job_folder;     /* for files of this batch and of the executor: scripts, outputs of jobs */
    const char *const *command; /* the words of a worker, NULL behind the last one */
    double case_time; /* s on the wall that a case has taken so far, in the mean; NaN: none has run */
    /* Reads what workers have written, and shows progress; `done`, which may be NULL, gets the number of cases of the batch that have a result.
     * Call it about twice a second. */
    tn_execution_wish (*look)(tn_execution *execution, uint64_t *done);
};

/* A part of a batch: cases first, ..., first + count - 1. */
typedef struct tn_case_range {
    uint64_t first, count;
} tn_case_range;

typedef struct tn_executor_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags, reserved_too;
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    /* [setup] Checks and completes one instance, the keys of [execute]; refuses where a program that it needs is not there. NULL: nothing
     * to do. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] The driver: lets workers work on all cases of the batch; returns when no worker works any more: TN_OK, whether all cases have
     * a result or not; TN_FATAL after a message where workers cannot be started. */
    tn_status (*carry_out)(const tn_host *host, const void *instance, tn_execution *execution);
    /* [setup] A worker begins, for a batch of `count` cases. `name` [size] becomes the name of the worker, unique among those of the batch,
     * of letters, digits, '.' and '-'. */
    tn_status (*begin_work)(const tn_host *host, const void *instance, uint64_t count, char *name,
                            size_t size, void **self);
    /* [setup] The next cases for this worker; a count of 0: there are none any more. */
    tn_status (*next_work)(void *self, tn_case_range *range);
    /* [setup] A case of the range is done: for those who deal cases by how fast they are done. NULL: nobody asks. */
    void (*note_work)(void *self, uint64_t number);
    /* [setup] The worker ends. */
    void (*end_work)(void *self);
} tn_executor_type;

#define TN_EXECUTOR(type_name, ...) TN_DESCRIPTOR(tn_executor_type, type_name, __VA_ARGS__)

#endif

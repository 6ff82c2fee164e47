/* tenon/draft/executor.h - executors, a kind of plugin: they start the processes that work on the cases of a study, on this machine or others.
 *
 * The process of the user, the driver, opens the executor, hands over one batch of cases after the other, numbered from 0 in each, and closes
 * it. The executor starts workers, `command` each, as many as its parameters ask for, and watches them; they may live as long as it is open. A
 * worker is the program once more: it loads the same study, and asks the executor, by its functions for workers, which cases it is to work on.
 * Results come by files in the folder of the study, which the driver reads whenever look() is called: a worker that dies leaves the lines that
 * it has written, and cases without a line are lost, which the driver sees when carry_out() returns.
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

/* Where an executor works, for the driver; all of it stays as long as the executor is open. */
typedef struct tn_execution_place {
    uint32_t struct_size, reserved;
    const char *folder; /* of the study, an absolute path that workers have, too */
    const char *
        job_folder; /* in it, for what the executor keeps besides batches; there is a folder for each batch in it */
    const char *const *command; /* the words of a worker, with absolute paths; NULL behind the last one */
} tn_execution_place;

/* A batch of cases, for the driver. */
typedef struct tn_execution tn_execution;
struct tn_execution {
    uint32_t struct_size;
    uint32_t attempt;       /* 0; 1, 2, ..: the cases are those that were lost before */
    void *self;             /* the kernel's own */
    uint64_t count;         /* cases */
    const char *batch;      /* its name, for workers: shorter than TN_BATCH_NAME */
    const char *job_folder; /* of this batch: for scripts and outputs of jobs */
    double
        case_time; /* s on the clock that a case has taken so far, in the mean; NaN: none has run. look() renews it */
    /* Reads what workers have written, and shows progress; `done`, which may be NULL, gets the number of results of the batch that have come.
     * Call it about twice a second. */
    tn_execution_wish (*look)(tn_execution *execution, uint64_t *done);
};

/* Work for a worker: cases first, ..., first + count - 1 of a batch; a count of 0: there is nothing more to do. */
enum { TN_BATCH_NAME = 48 };
typedef struct tn_work {
    uint64_t first, count;
    char batch[TN_BATCH_NAME];
} tn_work;

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
    /* [setup] The driver: begins with a study. Nothing needs to be started yet. */
    tn_status (*open)(const tn_host *host, const void *instance, const tn_execution_place *place,
                      void **self);
    /* [setup] The driver: lets workers work on all cases of the batch; returns when no worker works on any of them any more: TN_OK, whether
     * all cases have a result or not; TN_FATAL after a message where workers cannot be started. */
    tn_status (*carry_out)(void *self, tn_execution *execution);
    /* [setup] The driver: there is no batch any more; workers that still live are to end. */
    void (*close)(void *self);
    /* [setup] A worker begins. `name` [size] becomes its name, unique among all workers of the study, of letters, digits, '.' and '-'. */
    tn_status (*begin_work)(const tn_host *host, const void *instance, char *name, size_t size, void **self);
    /* [setup] The next cases for this worker; waits for them. */
    tn_status (*next_work)(void *self, tn_work *work);
    /* [setup] A case of that work is done, and its line written: for those who deal cases by how fast they are done. NULL: nobody asks. */
    void (*note_work)(void *self, uint64_t number);
    /* [setup] The worker ends. */
    void (*end_work)(void *self);
} tn_executor_type;

#define TN_EXECUTOR(type_name, ...) TN_DESCRIPTOR(tn_executor_type, type_name, __VA_ARGS__)

#endif

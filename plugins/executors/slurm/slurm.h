/* slurm.h - what the files of this plugin share: arrays of tasks, each of which works on a part of a batch. */
#ifndef SLURM_H
#define SLURM_H

#include <tenon/author.h>
#include <tenon/draft/executor.h>
#include <tenon/kit/program_call.h>

#define SLURM(P)                                                                                             \
    P(TEXT, partition, 0, "partition of the cluster (sbatch --partition)")                                   \
    P(TEXT, account, 0, "account that pays (sbatch --account)")                                              \
    P(REAL, time, "s", 0, 0.0, 0.0, TN_UNBOUNDED, "longest time of a task; 0: that of the partition")        \
    P(TEXTS, extra, 0, "further options of sbatch, such as \"--qos=short\"")                                 \
    P(REAL, chunk, "s", 0, 30.0, 0.0, TN_UNBOUNDED, "about how long a task lasts: it has that many cases")   \
    P(INTEGER, tasks, 0, 1000, 1, 1000000, "most tasks of an array, if the cluster allows as many")          \
    P(INTEGER, limit, 0, 0, 0, 1000000, "most tasks that run at a time; 0: as many as the cluster lets run") \
    P(INTEGER, pilot, 0, 4, 1, 1000, "cases that are run first where nobody knows how long one takes")       \
    P(REAL, poll, "s", 0, 2.0, 0.05, 3600.0, "time between two questions to the queue")                      \
    P(REAL, patience, "s", 0, 5.0, 0.0, 3600.0,                                                              \
      "how long results may take to appear once their tasks have ended")

/* The environment of a task: its part of the batch, "BATCH FIRST END CASES" with the cases of each task, and the file that appears when it
 * is to end. */
#define SLURM_WORK "TENON_SLURM_WORK"
#define SLURM_STOP "TENON_SLURM_STOP"
#define SLURM_LIST "submitted" /* file in the folder of a batch: its jobs */
#define SLURM_ANSWER_TIME 90.0 /* s: longest time that a program of Slurm may take */

TN_PARAMETERS(slurm, SLURM)

/* The executor of a driver. */
typedef struct cluster {
    const tn_host *host;
    const slurm *settings;
    const tn_execution_place *at;
    uint64_t largest; /* MaxArraySize; 0: not asked yet */
} cluster;

/* A job: an array of tasks for the cases first, ..., end - 1 of a batch. */
typedef struct array {
    cluster *cluster;
    tn_execution *execution;
    uint64_t first, end, cases, tasks;
    char script[4096], log[4096], stop[4096], list[4096]; /* paths; list: of jobs that this batch has */
    char id[32], machine[64]; /* machine: of several clusters; "": the usual one */
    tn_execution_wish wish;
    uint64_t done; /* results of the batch */
} array;

/* script.c: what is submitted. */
tn_status slurm_write_script(const array *job, const char *const *submission);
/* array.c: submits the job, and waits until none of its tasks works any more. */
tn_status slurm_run_array(array *job);
/* Ends what is left of the jobs of an earlier driver. */
void slurm_end_left(const cluster *c);
/* queue.c */
bool slurm_ask_largest(cluster *c);
typedef enum slurm_state { SLURM_GONE, SLURM_THERE, SLURM_UNKNOWN } slurm_state;
/* Whether tasks of the job are in the queue. `reason` [64]: why all of them wait; "" where one runs. `problem` [1024]: of SLURM_UNKNOWN. */
slurm_state slurm_ask_state(const array *job, char *reason, char *problem);
/* Ends tasks of the job: those that wait, or all. */
void slurm_cancel(const cluster *c, const char *id, const char *machine, bool all);
/* worker.c */
tn_status slurm_begin_work(const tn_host *host, const void *instance, char *name, size_t size, void **self);
tn_status slurm_next_work(void *self, tn_work *work);
void slurm_end_work(void *self);

#endif

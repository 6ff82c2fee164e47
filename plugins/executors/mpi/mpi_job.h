/* mpi_job.h - what the files of this plugin share. The driver starts the launcher of MPI; it speaks with rank 0 by lines, over standard input and
 * output of the launcher; rank 0 deals ranges of cases to the other ranks by messages of MPI. */
#ifndef MPI_JOB_H
#define MPI_JOB_H

#include <tenon/author.h>
#include <tenon/draft/executor.h>

#define MPI_EXECUTOR(P)                                                                                    \
    P(INTEGER, workers, 0, 0, 0, 1000000,                                                                  \
      "ranks that work, besides the one that deals; 0: as many as the launcher starts")                    \
    P(TEXT, launcher, 0, "program that starts the ranks, with -n; default mpirun")                         \
    P(TEXTS, extra, 0, "further options of the launcher, such as \"--hostfile\", \"hosts\"")               \
    P(REAL, silence, "s", 0, 30.0, 1.0, TN_UNBOUNDED,                                                      \
      "time without a word of the rank that deals after which the job is taken for dead, and another one " \
      "begins")                                                                                            \
    P(REAL, start_limit, "s", 0, 300.0, 1.0, TN_UNBOUNDED,                                                 \
      "time from the start of the launcher within which the rank that deals says its first word; longer "  \
      "where jobs wait in a queue")

TN_PARAMETERS(mpi, MPI_EXECUTOR)

/* Lines to rank 0: "batch NAME FIRST END TIME ALONE PATH": deal cases FIRST, ..., END - 1; TIME: s that one takes, 0: not known; ALONE: 1, one at
 * a time; PATH: a file for the number of cases that are dealt. "stop": deal no more. Its end: no batch comes any more.
 * Lines from rank 0: MPI_END_OF_BATCH and the name: no rank works on it any more; MPI_NO_RANK: all have ended by themselves, after messages;
 * MPI_ALIVE, every MPI_WORD_EVERY seconds of a batch. */
#define MPI_END_OF_BATCH "tenon-mpi-end-of-batch "
#define MPI_NO_RANK "tenon-mpi-no-rank"
#define MPI_ALIVE "tenon-mpi-alive"
#define MPI_WORD_EVERY 0.25

/* launch.c */
tn_status mpi_open(const tn_host *host, const void *instance, const tn_execution_place *place, void **self);
tn_status mpi_carry_out(void *self, tn_execution *execution);
void mpi_close(void *self);
/* Ranks. rank.c */
enum { MPI_REQUEST_TAG = 1, MPI_WORK_TAG = 2 };
typedef struct mpi_request {
    uint64_t leaves; /* 1: the rank ends, and has not been told to */
} mpi_request;
tn_status mpi_begin_work(const tn_host *host, const void *instance, char *name, size_t size, void **self);
tn_status mpi_next_work(void *self, tn_work *work);
void mpi_end_work(void *self);
/* Waits a moment, longer the longer nothing has happened; `idle` counts since then. */
void mpi_pause(uint32_t *idle);
/* Rank 0 of so many: deals until the driver has nothing more to do. dealer.c */
tn_status mpi_deal(uint32_t ranks);

#endif

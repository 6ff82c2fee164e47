/* rank.c - the side of a worker: rank 0 deals, the others ask it for work */
#include "mpi_job.h"

#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

typedef struct rank {
    int number, ranks;
    bool told; /* that there is nothing more to do */
} rank;

void mpi_pause(uint32_t *idle)
{
    /* s: messages come at intervals of a range of cases; functions of MPI that wait would take a whole core meanwhile */
    static const double shortest = 5e-5, longest = 2e-3;
    const double time = shortest * (1.0 + *idle / 8.0);
    const struct timespec pause = {0, (long)(1e9 * (time < longest ? time : longest))};
    if (*idle < 1000) ++*idle;
    (void)nanosleep(&pause, NULL);
}

/* Undoes the signal handlers of MPI, so that a crash of a case has the same reason as under other executors. */
static bool begin_mpi(void)
{
    enum { SIGNALS = 32 };
    struct sigaction before[SIGNALS];
    for (int k = 1; k < SIGNALS; k++)
        (void)sigaction(k, NULL, &before[k]);
    const bool good = MPI_Init(NULL, NULL) == MPI_SUCCESS;
    for (int k = 1; k < SIGNALS; k++)
        (void)sigaction(k, &before[k], NULL);
    return good;
}

tn_status mpi_begin_work(const tn_host *host, const void *instance, char *name, size_t size, void **self)
{
    char node[33] = "";
    (void)instance;
    if (!begin_mpi()) {
        tn_say(host, TN_ERROR, "MPI cannot be initialised");
        return TN_FATAL;
    }
    rank *made = host->allocate(host, sizeof *made);
    if (!made) return TN_OUT_OF_MEMORY;
    *made = (rank){.told = false};
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &made->number);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &made->ranks);
    if (made->ranks < 2) {
        tn_say(host, TN_ERROR,
               "the MPI job has one rank, and needs two at least: one deals, the others work. Has `launcher` "
               "started "
               "more, it is of another MPI than the one that the plugin `mpi` was built with");
        (void)MPI_Finalize();
        return TN_FATAL;
    }
    (void)gethostname(node, sizeof node - 1);
    for (char *c = node; *c; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9') && *c != '.')
            *c = '-';
    (void)snprintf(name, size, "r%d-%.24s-%ld", made->number, node, (long)getpid());
    *self = made;
    return TN_OK;
}

static void ask(const mpi_request *request)
{
    (void)MPI_Send(request, sizeof *request, MPI_BYTE, 0, MPI_REQUEST_TAG, MPI_COMM_WORLD);
}

tn_status mpi_next_work(void *self, tn_work *work)
{
    rank *own = self;
    const mpi_request request = {.leaves = 0};
    uint32_t idle = 0;
    *work = (tn_work){.count = 0};
    if (own->number == 0) return mpi_deal((uint32_t)own->ranks);
    ask(&request);
    for (int there = 0; !there; there ? (void)0 : mpi_pause(&idle))
        (void)MPI_Iprobe(0, MPI_WORK_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    (void)MPI_Recv(work, sizeof *work, MPI_BYTE, 0, MPI_WORK_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    own->told = work->count == 0;
    return TN_OK;
}

void mpi_end_work(void *self)
{
    const rank *own = self;
    if (own->number && !own->told) ask(&(mpi_request){.leaves = 1});
    (void)MPI_Finalize();
}

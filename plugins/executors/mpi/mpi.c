/* mpi.c - runs the cases of a study on the ranks of an MPI job */
#include "mpi_job.h"

#include <tenon/kit/program_call.h>

/* Ranks start nothing: they know by variables of their launcher that they are some. */
static tn_status mpi_prepare(const tn_host *host, void *instance)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    mpi *settings = instance;
    if (!settings->launcher) settings->launcher = "mpirun";
    for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++)
        if (getenv(ranks[k])) return TN_OK;
    if (tn_program_is_there(settings->launcher)) return TN_OK;
    return tn_refuse(host, "type", "`%s` is not found in PATH: it starts the ranks of MPI",
                     settings->launcher);
}

TN_EXECUTOR(
    mpi, .summary = "runs cases on the ranks of an MPI job",
    .formula = "The launcher starts the ranks once per study. Rank 0 deals ranges of cases that take about "
               "0.2 s together;\nthe other ranks run them. A rank that dies ends the job: cases that were at "
               "work are lost, and a new job goes on\nwith the others.",
    .prepare = mpi_prepare, .open = mpi_open, .carry_out = mpi_carry_out, .close = mpi_close,
    .begin_work = mpi_begin_work, .next_work = mpi_next_work, .end_work = mpi_end_work);

TN_LIBRARY("mpi", "1.0.0", "Apache-2.0", "executor on ranks of MPI", {TN_EXECUTOR_KIND, &mpi_type})

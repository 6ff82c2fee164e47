/* local.c - runs the cases of a study on the cores of this machine */
#include "local.h"

#include <tenon/author.h>

#define LOCAL(P) P(INTEGER, workers, 0, 0, 0, 1000, "processes that work at a time; 0: one for each core")

TN_PARAMETERS(local, LOCAL)

static tn_status local_carry_out(const tn_host *host, const void *instance, tn_execution *execution)
{
    return local_run(host, (uint32_t)((const local *)instance)->workers, execution);
}

TN_EXECUTOR(local, .summary = "runs cases on the cores of this machine",
            .formula =
                "Workers are processes that live as long as a batch of cases. Each gets ranges of cases that "
                "take about "
                "0.2 s\ntogether. The case at which a worker dies is lost, and the worker is replaced.",
            .carry_out = local_carry_out, .begin_work = local_begin_work, .next_work = local_next_work,
            .note_work = local_note_work, .end_work = local_end_work);

TN_LIBRARY("local", "1.0.0", "Apache-2.0", "executor on this machine", {TN_EXECUTOR_KIND, &local_type})

/* local.c - runs the cases of a study on the cores of this machine */
#include "local.h"

#include <tenon/author.h>

#define LOCAL(P) P(INTEGER, workers, 0, 0, 0, 1000, "processes that work at a time; 0: one for each core")

TN_PARAMETERS(local, LOCAL)

static tn_status begin(const tn_host *host, const void *instance, const tn_execution_place *place,
                       void **self)
{
    return local_open(host, (uint32_t)((const local *)instance)->workers, place, self);
}

TN_EXECUTOR(local, .summary = "runs cases on the cores of this machine",
            .formula =
                "Workers are processes that live as long as the study runs. Each gets ranges of cases that "
                "take about 0.2 s\ntogether. The case at which a worker dies is lost, and the worker is "
                "replaced.",
            .open = begin, .carry_out = local_carry_out, .close = local_close, .begin_work = local_begin_work,
            .next_work = local_next_work, .note_work = local_note_work, .end_work = local_end_work);

TN_LIBRARY("local", "1.0.0", "Apache-2.0", "executor on this machine", {TN_EXECUTOR_KIND, &local_type})

/* local.c - runs the cases of a study on the cores of this machine */
#include "local.h"

typedef struct local {
    int64_t workers;
} local;

static const tn_parameter parameters[] = {{.name = "workers",
                                           .meaning = "processes that work at a time; 0: one for each core",
                                           .unit = "",
                                           .low = 0.0,
                                           .high = 1000.0,
                                           .offset = offsetof(local, workers),
                                           .kind = TN_KIND_INTEGER,
                                           .count = 1},
                                          {0}};

static tn_status carry_out(const tn_host *host, const void *instance, tn_execution *execution)
{
    return local_carry_out(host, (uint32_t)((const local *)instance)->workers, execution);
}

static const tn_executor_type type = TN_EXECUTOR(
    local, .parameters = parameters, .instance_size = sizeof(local),
    .summary = "runs cases on the cores of this machine",
    .formula = "Workers are processes that live as long as a batch of cases. Each gets ranges of cases that take about 0.2 s\n"
               "together. The case at which a worker dies is lost, and the worker is replaced.",
    .carry_out = carry_out, .begin_work = local_begin_work, .next_work = local_next_work, .note_work = local_note_work,
    .end_work = local_end_work);

TN_LIBRARY("local", "1.0.0", "Apache-2.0", "executor on this machine", {TN_EXECUTOR_KIND, &type})

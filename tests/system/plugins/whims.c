/* whims.c - a force of nothing that does what its number says: crashes, spins, has no value, takes all memory, ends the process */
#include <tenon/author.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum whim { NONE, CRASH, SPIN, FAIL, MEMORY, KILLED, WORKER };

#define WHIMS(P) P(REAL, whim, "", 0, 0.0, 0.0, 10.0, "what it does")
TN_PARAMETERS(whims, WHIMS)

static tn_status act(const whims *self)
{
    volatile double number = 0.0;
    switch ((enum whim)self->whim) {
    case CRASH:
        *(volatile int *)(uintptr_t)16 = 1;
        break;
    case SPIN:
        for (;;)
            number += 1.0;
    case FAIL:
        return TN_RETRY;
    case MEMORY:
        for (;;) {
            volatile char *piece = malloc(1u << 20);
            if (!piece) abort();
            piece[0] = 1;
        }
    case KILLED:
        (void)kill(getpid(), SIGKILL);
        break;
    case WORKER: /* that has started this process */
        (void)kill(getppid(), SIGKILL);
        break;
    case NONE:
        break;
    }
    return TN_OK;
}

static tn_status whims_force(tn_batch *batch)
{
    memset(batch->wrench, 0, sizeof(double) * batch->count * batch->wrench_size);
    for (size_t i = 0; i < batch->count && batch->time > 0.5; i++)
        if (act(tn_instance(batch, i)) != TN_OK) return TN_RETRY;
    return TN_OK;
}

static tn_status whims_tangent(tn_batch *batch)
{
    memset(batch->tangent, 0, sizeof(double) * batch->count * batch->wrench_size * batch->tangent_stride);
    return TN_OK;
}

TN_PORTS(whims, {"markers", "any point", TN_POINT, 1, 1, 0})
static const tn_element_type whims_type = {
    .struct_size = sizeof(tn_element_type),
    .name = "whims",
    .summary = "does what its number says",
    .parameters = whims_parameters,
    .instance_size = sizeof(whims),
    .ports = whims_ports,
    TN_CAPABILITIES(TN_HAS(force, .force = whims_force, .force_tangent = whims_tangent))};

TN_LIBRARY("whims", "1.2.3", "Apache-2.0", "forces with whims", {TN_ELEMENT_KIND, &whims_type})

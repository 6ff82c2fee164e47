/* sample.c - designs whose points are all known at the start: one batch, and what has come of it */
#include "sample.h"

void *tn_sample_memory(const tn_host *host, uint64_t count, uint64_t size)
{
    if (count > SIZE_MAX / 2 / size) return NULL;
    return host->allocate(host, (size_t)(count * size + 1));
}

tn_status tn_sample_open(const tn_host *host, const void *settings, const tn_design_problem *problem,
                         uint64_t count, void (*point)(const sample *self, uint64_t number, double *u),
                         sample **self)
{
    sample *made = *self = tn_sample_memory(host, 1, sizeof *made);
    double *u = tn_sample_memory(host, problem->variables, sizeof *u);
    if (!made || !u) return TN_OUT_OF_MEMORY;
    *made = (sample){
        .host = host, .problem = problem, .settings = settings, .count = count, .point = point, .u = u};
    return TN_OK;
}

double tn_sample_count(const void *self) { return (double)((const sample *)self)->count; }

/* Allocates the results that the answer needs, once the kernel has accepted the count. */
static tn_status make_room(sample *all)
{
    if (!all->keeps) return TN_OK;
    const uint64_t size = all->problem->numbers * sizeof *all->kept;
    all->kept = tn_sample_memory(all->host, all->count, size ? size : 1);
    all->done = tn_sample_memory(all->host, all->count, 1);
    all->effort = tn_sample_memory(all->host, all->count, sizeof *all->effort);
    return all->kept && all->done && all->effort ? TN_OK : TN_OUT_OF_MEMORY;
}

tn_status tn_sample_next(void *self, tn_design_batch *batch)
{
    sample *all = self;
    if (all->begun) return TN_OK;
    all->begun = true;
    tn_status status = make_room(all);
    for (uint64_t k = 0; k < all->count && status == TN_OK; k++) {
        all->point(all, k, all->u);
        status = batch->add(batch, all->u);
    }
    return status;
}

tn_status tn_sample_tell(void *self, const tn_design_results *results)
{
    sample *all = self;
    if (!all->keeps) return TN_OK;
    if (!all->kept || results->count != all->count) return TN_INVALID;
    memcpy(all->kept, results->number, all->count * all->problem->numbers * sizeof *all->kept);
    memcpy(all->done, results->done, all->count);
    memcpy(all->effort, results->effort, all->count * sizeof *all->effort);
    return TN_OK;
}

void tn_sample_close(TN_UNUSED void *self) {}

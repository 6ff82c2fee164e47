/* sampling.c - blocks that work at their own rate, between steps (tenon/draft/blocks.h)
 *
 * All solvers end a step where a sample is due, as they do for a change of the model. There the blocks read the state that has been
 * accepted: first all outputs that are due are renewed, in an order in which each block finds what it reads; then their states. Where
 * all outputs are what they were, solvers do not begin anew. */
#include "changes/changes.h"

#include "system/accept.h"
#include "system/data.h"
#include "system/failure.h"
#include "system/shown.h"
#include "values/value_graph.h"

#include <math.h>
#include <string.h>

/* What blocks read is found anew only where outputs have changed since. */
typedef struct sampling {
    tn_assembly *assembly;
    const tn_sampled_block *block;
    size_t count;
    bool *due; /* [count] */
    bool stale, jumped;
} sampling;

static tn_batch batch_of(const tn_assembly *assembly, uint32_t item)
{
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    tn_batch batch = tn_sub_batch(group, assembly->index_of[item], 1);
    batch.time = assembly->system.time;
    return batch;
}

static double next_of(tn_assembly *assembly, uint32_t item)
{
    double next = HUGE_VAL;
    tn_batch batch = batch_of(assembly, item);
    batch.value = &next;
    return tn_call(assembly->group[assembly->group_of[item]].type, next_sample, &batch) == TN_OK ? next
                                                                                                 : HUGE_VAL;
}

double tn_samples_next(tn_assembly *assembly)
{
    size_t count = 0;
    const tn_sampled_block *block = tn_sampled_blocks(assembly->model, &count);
    double next = HUGE_VAL;
    for (size_t k = 0; k < count; k++)
        next = fmin(next, next_of(assembly, block[k].item));
    return next;
}

/* ---- one occasion ----------------------------------------------------------------------------------------- */

static tn_status find_what_is_read(sampling *s)
{
    if (!s->stale) return TN_OK;
    s->stale = false;
    const tn_status status = tn_evaluate_outputs(s->assembly);
    return status == TN_OK ? TN_OK
                           : s->assembly->system.fail(&s->assembly->system, status, NULL,
                                                      "blocks are sampled at this state");
}

static tn_status refuse(tn_assembly *assembly, uint32_t item, tn_status status)
{
    tn_group *group = &assembly->group[assembly->group_of[item]];
    group->failure.instance = assembly->index_of[item];
    (void)tn_refused(assembly, group, status);
    return assembly->system.fail(&assembly->system, status, NULL, "this is a sample");
}

/* The outputs of a block now; how many there are, 0 where it cannot tell. */
static size_t read_outputs(tn_assembly *assembly, uint32_t item, double *value)
{
    const tn_loaded_element *type = assembly->group[assembly->group_of[item]].type;
    tn_batch batch = batch_of(assembly, item);
    batch.value = value;
    if (tn_call(type, readable, &batch) != TN_OK) return 0;
    return type->readable_count(batch.instance);
}

static tn_status renew_outputs(sampling *s, const tn_sampled_block *block)
{
    tn_assembly *assembly = s->assembly;
    const tn_status found = block->at_once ? find_what_is_read(s) : TN_OK;
    if (found != TN_OK) return found;
    double before[TN_MOST_READABLE], now[TN_MOST_READABLE];
    const size_t count = read_outputs(assembly, block->item, before);
    tn_batch batch = batch_of(assembly, block->item);
    const tn_status status =
        tn_call(assembly->group[assembly->group_of[block->item]].type, sampled_outputs, &batch);
    if (status != TN_OK) return refuse(assembly, block->item, status);
    const bool same = count && read_outputs(assembly, block->item, now) == count &&
                      memcmp(before, now, count * sizeof *now) == 0;
    if (same) return TN_OK;
    s->stale = s->jumped = true;
    return TN_OK;
}

static tn_status renew_states(const sampling *s, const tn_sampled_block *block)
{
    tn_assembly *assembly = s->assembly;
    tn_batch batch = batch_of(assembly, block->item);
    const tn_status status =
        tn_call(assembly->group[assembly->group_of[block->item]].type, sampled_states, &batch);
    return status == TN_OK ? TN_OK : refuse(assembly, block->item, status);
}

static tn_status sample_blocks(sampling *s)
{
    tn_status status = TN_OK;
    for (size_t k = 0; k < s->count && status == TN_OK; k++)
        if (s->due[k]) status = renew_outputs(s, &s->block[k]);
    if (status == TN_OK) status = find_what_is_read(s);
    for (size_t k = 0; k < s->count && status == TN_OK; k++)
        if (s->due[k]) status = renew_states(s, &s->block[k]);
    return status;
}

tn_status tn_samples_take(tn_assembly *assembly, double time, bool *jumped)
{
    sampling s = {.assembly = assembly, .stale = true};
    bool any = *jumped = false;
    s.block = tn_sampled_blocks(assembly->model, &s.count);
    if (!s.count) return TN_OK;
    s.due = tn_new(s.count, sizeof *s.due);
    for (size_t k = 0; k < s.count; k++) {
        s.due[k] = next_of(assembly, s.block[k].item) <= time;
        any = any || s.due[k];
    }
    tn_status status = TN_OK;
    if (any) {
        status = sample_blocks(&s);
        tn_outputs_done(assembly);
        tn_data_keep(assembly);
    }
    tn_free(s.due);
    tn_changes_find_next(assembly);
    *jumped = s.jumped;
    return status == TN_OK && any && !s.jumped ? TN_EVENT : status;
}

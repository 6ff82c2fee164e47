/* blocks_of_instances.c - large groups, block by block (see blocks_of_instances.h) */
#include "system/blocks_of_instances.h"

#include "system/colours.h"
#include "system/failure.h"

#include <string.h>

typedef struct call {
    const tn_group *group;
    const tn_batch *whole;
    tn_batch_function function;
    const char *name;
    tn_block_answer *answer;
} call;

static void call_block(void *data, size_t first, size_t last)
{
    const call *c = data;
    tn_block_answer *answer = &c->answer[first / TN_BLOCK];
    tn_batch batch = tn_part_of_batch(c->group, c->whole, (uint32_t)first, (uint32_t)(last - first));
    answer->failure = (tn_failure){0};
    batch.failure = &answer->failure;
    answer->status = tn_call_at(c->group->type, c->name, NULL, c->function(&batch));
}

tn_status tn_worst_answer(tn_group *group)
{
    tn_status worst = TN_OK;
    for (size_t k = 0; k * TN_BLOCK < group->batch.count; k++) {
        if (tn_worse(group->answer[k].status, worst) == worst) continue;
        worst = group->answer[k].status;
        group->failure = group->answer[k].failure;
        group->failure.instance += (uint32_t)(k * TN_BLOCK);
    }
    return worst;
}

tn_status tn_call_blocks(const tn_assembly *assembly, tn_group *group, tn_batch *batch,
                         tn_batch_function function, const char *name)
{
    call c = {group, batch, function, name, group->answer};
    assembly->model->host.parallel_for(&assembly->model->host, batch->count, TN_BLOCK, call_block, &c);
    return tn_worst_answer(group);
}

/* ---- riders ---------------------------------------------------------------------------------------------- */

typedef struct riders_call {
    const tn_riders *riders;
    const tn_attachments *all;
    tn_attachment_function function;
    const char *name;
    tn_status status; /* the worst, whatever the order */
} riders_call;

void tn_note_worst(tn_status *worst, tn_status status)
{
    tn_status before = __atomic_load_n(worst, __ATOMIC_RELAXED);
    while (tn_worse(status, before) != before &&
           !__atomic_compare_exchange_n(worst, &before, status, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

tn_attachments tn_part_of_attachments(const tn_attachments *all, size_t first, size_t count)
{
    tn_attachments part = *all;
    const size_t width = tn_twist_size(part.kind);
    part.count = (uint32_t)count;
    part.body += first;
    part.data = (const char *)part.data + first * part.data_size;
    part.pose += first * tn_pose_size(part.kind);
    part.twist += first * width;
    part.wrench += first * width;
    if (part.matrix) part.matrix += first * width * part.columns;
    return part;
}

static void call_block_of_riders(void *data, size_t first, size_t last)
{
    riders_call *c = data;
    tn_attachments part = tn_part_of_attachments(c->all, first, last - first);
    tn_note_worst(&c->status, tn_call_at(c->riders->type, c->name, NULL, c->function(&part)));
}

tn_status tn_call_blocks_of_riders(const tn_assembly *assembly, const tn_riders *riders, tn_attachments *all,
                                   tn_attachment_function function, const char *name)
{
    riders_call c = {riders, all, function, name, TN_OK};
    assembly->model->host.parallel_for(&assembly->model->host, all->count, TN_BLOCK, call_block_of_riders,
                                       &c);
    return c.status;
}

tn_status tn_pull_back_riders(const tn_assembly *assembly, tn_riders *riders)
{
    riders_call c = {riders, &riders->attachments, riders->type->pull_back, "pull_back", TN_OK};
    tn_for_colours(assembly, riders->colours, riders->attachments.count, call_block_of_riders, &c);
    return c.status;
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

typedef struct search {
    const double *x;
    bool found; /* a number that is not finite */
} search;

static void look_at_block(void *data, size_t first, size_t last)
{
    search *s = data;
    if (!tn_are_finite(s->x + first, last - first)) __atomic_store_n(&s->found, true, __ATOMIC_RELAXED);
}

static void clear_block(void *data, size_t first, size_t last)
{
    memset((double *)data + first, 0, (last - first) * sizeof(double));
}

void tn_clear_numbers(const tn_assembly *assembly, double *x, size_t count)
{
    tn_for_blocks(assembly, count, TN_BLOCK_OF_NUMBERS, clear_block, x);
}

bool tn_blocks_are_finite(const tn_assembly *assembly, const double *x, size_t count)
{
    search s = {x, false};
    tn_for_blocks(assembly, count, TN_BLOCK_OF_NUMBERS, look_at_block, &s);
    return !s.found;
}

/* ---- which groups ---------------------------------------------------------------------------------------- */

static bool is_called(const tn_group *group, const tn_parameter *parameter)
{
    const char *place = (const char *)group->batch.instance + parameter->offset;
    for (uint32_t i = 0; i < group->batch.count; i++, place += group->batch.instance_stride)
        if (((const tn_callable *)(const void *)place)->handle) return true;
    return false;
}

/* Callables and expressions share memory of the kernel's. */
static bool has_callables(const tn_group *group, bool may_change)
{
    for (const tn_parameter *p = group->type->parameters; p && p->name; p++)
        if (p->kind == TN_KIND_CALLABLE && (is_called(group, p) || (may_change && p->flags & TN_CHANGEABLE)))
            return true;
    return group->batch.variable != NULL;
}

static uint32_t body_of_rider(const void *data, size_t rider, uint32_t leg)
{
    (void)leg;
    return ((const tn_riders *)data)->attachments.body[rider];
}

void tn_blocks_choose(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_riders *riders = &assembly->riders[k];
        if (!(riders->type->flags & TN_ONE_THREAD))
            riders->colours =
                tn_colours_find(assembly, riders->attachments.count, 1,
                                assembly->group[riders->group].batch.count, body_of_rider, riders);
        assembly->has_blocks = assembly->has_blocks || riders->colours;
    }
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const size_t blocks = (group->batch.count + TN_BLOCK - 1) / TN_BLOCK;
        if (blocks < TN_FEWEST_BLOCKS || group->type->flags & TN_ONE_THREAD || group->batch.layout->scratch ||
            has_callables(group, assembly->model->change_count > 0))
            continue;
        group->answer = tn_assembly_new(assembly, blocks, sizeof *group->answer);
        assembly->has_blocks = true;
    }
}

/* block_calls.c - large groups, block by block (see system/block_calls.h) */
#include "threads/block_calls.h"

#include "system/matrix.h"
#include "threads/colours.h"

/* ---- groups ---------------------------------------------------------------------------------------------- */

typedef struct group_call {
    tn_group *group;
    const tn_batch *whole;
    tn_batch_function function;
    const char *name;
} group_call;

static void call_block(void *data, size_t first, size_t last)
{
    const group_call *c = data;
    tn_block_answer *answer = &c->group->answer[first / TN_BLOCK];
    tn_batch batch = tn_part_of_batch(c->group, c->whole, (uint32_t)first, (uint32_t)(last - first));
    answer->failure = (tn_failure){0};
    batch.failure = &answer->failure;
    answer->status = tn_call_at(c->group->type, c->name, NULL, c->function(&batch));
}

static tn_status call_group(const tn_assembly *assembly, tn_group *group, tn_batch *batch,
                            tn_batch_function function, const char *name)
{
    group_call c = {group, batch, function, name};
    const tn_host *host = &assembly->model->host;
    host->parallel_for(host, batch->count, TN_BLOCK, call_block, &c);
    return tn_worst_answer(group);
}

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

static bool has_enough(size_t count) { return count > (TN_FEWEST_BLOCKS - 1) * TN_BLOCK; }

static void choose_groups(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const size_t count = group->batch.count;
        if (!has_enough(count) || group->type->flags & TN_ONE_THREAD || group->batch.layout->scratch ||
            has_callables(group, assembly->model->change_count > 0))
            continue;
        group->answer = tn_assembly_new(assembly, (count + TN_BLOCK - 1) / TN_BLOCK, sizeof *group->answer);
    }
}

/* ---- riders ---------------------------------------------------------------------------------------------- */

typedef struct riders_call {
    const tn_riders *riders;
    const tn_attachments *all;
    tn_attachment_function function;
    const char *name;
    tn_status status; /* the worst, whatever the order */
} riders_call;

static void call_block_of_riders(void *data, size_t first, size_t last)
{
    riders_call *c = data;
    tn_attachments part = tn_part_of_attachments(c->all, first, last - first);
    tn_note_worst(&c->status, tn_call_at(c->riders->type, c->name, NULL, c->function(&part)));
}

static tn_status call_riders(const tn_assembly *assembly, const tn_riders *riders, const tn_attachments *all,
                             tn_attachment_function function, const char *name)
{
    riders_call c = {riders, all, function, name, TN_OK};
    const tn_host *host = &assembly->model->host;
    host->parallel_for(host, all->count, TN_BLOCK, call_block_of_riders, &c);
    return c.status;
}

static uint32_t body_of_rider(const void *data, size_t rider, uint32_t leg)
{
    (void)leg;
    return ((const tn_riders *)data)->attachments.body[rider];
}

static void choose_riders(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_riders *riders = &assembly->riders[k];
        riders->in_blocks = has_enough(riders->attachments.count) && !(riders->type->flags & TN_ONE_THREAD);
        if (riders->in_blocks)
            riders->colours =
                tn_colours_find(assembly, riders->attachments.count, 1,
                                assembly->group[riders->group].batch.count, body_of_rider, riders);
    }
}

static void choose(tn_assembly *assembly)
{
    choose_groups(assembly);
    choose_riders(assembly);
}

/* ---- what connectors add to the matrix ------------------------------------------------------------------- */

typedef struct acting {
    const tn_assembly *assembly;
    const tn_group *group;
} acting;

/* The element whose body it is. */
static uint32_t body_of_leg(const void *data, size_t instance, uint32_t leg)
{
    const acting *a = data;
    const tn_group *group = a->group;
    const uint32_t marker = group->marker[instance * group->batch.marker_count + group->leg[leg].marker];
    const tn_support support = tn_support_of(a->assembly, marker, group->leg[leg].leg);
    return support.count ? a->assembly->group[support.group].item[support.body] : TN_NONE;
}

static void choose_pairs(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (group->answer && group->leg_count)
            group->colours =
                tn_colours_find(assembly, group->batch.count, group->leg_count, assembly->model->names.count,
                                body_of_leg, &(acting){assembly, group});
    }
}

const tn_block_calls tn_calls_in_blocks = {choose, choose_pairs, call_group, call_riders, tn_colours_run};

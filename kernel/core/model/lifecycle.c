/* lifecycle.c - from prepare() to release(): what plugins are told of the lives of their instances */
#include "model/builder.h"

#include "plugin/call_site.h"

#include <string.h>

bool tn_instance_prepare(tn_model *model, const tn_use *use, const char *name, const tn_location *at,
                         void *instance)
{
    const size_t before = tn_model_errors(model);
    const void *type = use->element ? (const void *)use->element : use->marker;
    tn_status (*prepare)(const tn_host *, void *) =
        use->element ? use->element->prepare : use->marker->prepare;
    if (!prepare) return true;
    tn_host_point(model, at, name);
    const tn_status status = tn_call_at(type, "prepare", name, prepare(&model->host, instance));
    tn_host_point(model, NULL, NULL);
    if (status != TN_OK && tn_model_errors(model) == before)
        tn_host_blame(model, at, name, type, "prepare", status);
    return status == TN_OK;
}

/* Every kind begins with the same head. */
static void release(const tn_model *model, const void *type, const char *name, void *instance)
{
    const tn_type_head *head = type;
    if (head->release) tn_call_at(type, "release", name, head->release(&model->host, instance));
}

static const void *type_of(const tn_model *model, uint32_t item)
{
    const tn_use *use = &model->use[model->item[item].use];
    return use->element ? (const void *)use->element : use->marker;
}

void tn_instance_release(tn_model *model, uint32_t item, void *instance)
{
    release(model, type_of(model, item), tn_item_name(model, item), instance);
}

void tn_instance_move(tn_model *model, uint32_t item, void *to)
{
    const tn_use *use = &model->use[model->item[item].use];
    const void *from = model->item[item].instance;
    void (*relocate)(const tn_host *, void *, const void *) =
        use->element ? use->element->relocate : use->marker->relocate;
    memcpy(to, from, use->instance_size);
    model->item[item].instance = to;
    if (relocate)
        tn_call_at(type_of(model, item), "relocate", tn_item_name(model, item),
                   relocate(&model->host, to, from));
}

void tn_instance_own(tn_model *model, const void *type, const char *name, void *instance)
{
    if (!((const tn_type_head *)type)->release) return;
    const bool room =
        tn_attempt(tn_memory_now(), model->owned = tn_grow(model->owned, &model->owned_capacity,
                                                           model->owned_count + 1, sizeof *model->owned));
    if (!room) {
        release(model, type, name, instance);
        tn_no_memory("an instance");
    }
    model->owned[model->owned_count++] = (struct tn_owned){type, name, instance};
}

/* The last one first: what was made later may use what was there before. */
void tn_instances_release(tn_model *model)
{
    while (model->owned_count) {
        const struct tn_owned *last = &model->owned[--model->owned_count];
        release(model, last->type, last->name, last->instance);
    }
    for (size_t k = model->names.count; k-- > 0;) {
        tn_item *item = &model->item[k];
        if (item->prepared) tn_instance_release(model, (uint32_t)k, item->instance);
        item->prepared = false;
    }
}

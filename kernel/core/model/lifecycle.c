/* lifecycle.c - from prepare() to release(): what plugins are told of the lives of their instances */
#include "model/builder.h"

#include "plugin/call_site.h"

#include <string.h>

bool tn_instance_prepare(tn_model *model, const tn_use *use, const char *name, const tn_location *at,
                         void *instance)
{
    tn_status (*prepare)(const tn_host *, void *) =
        use->element ? use->element->prepare : use->marker->prepare;
    if (!prepare) return true;
    const size_t before = tn_setup_begin(model, at, name);
    const tn_status status = tn_call_at(use->type, "prepare", name, prepare(&model->host, instance));
    return tn_setup_end(model, at, name, use->type, "prepare", before, status) == TN_OK;
}

static void release_instance(const tn_model *model, const tn_type_head *type, const char *name,
                             void *instance)
{
    if (type->release) tn_call_for(name, type, release, &model->host, instance);
}

void tn_instance_release(tn_model *model, uint32_t item, void *instance)
{
    release_instance(model, model->use[model->item[item].use].type, tn_item_name(model, item), instance);
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
        tn_call_at(use->type, "relocate", tn_item_name(model, item), relocate(&model->host, to, from));
}

void tn_instance_own(tn_model *model, const void *type, const char *name, void *instance)
{
    if (!((const tn_type_head *)type)->release) return;
    const bool room =
        tn_attempt(tn_memory_now(), model->owned = tn_grow(model->owned, &model->owned_capacity,
                                                           model->owned_count + 1, sizeof *model->owned));
    if (!room) {
        release_instance(model, type, name, instance);
        tn_no_memory("an instance");
    }
    model->owned[model->owned_count++] = (struct tn_owned){type, name, instance};
}

/* The last one first: what was made later may use what was there before. */
void tn_model_release(tn_model *model)
{
    while (model->owned_count) {
        const struct tn_owned *last = &model->owned[--model->owned_count];
        release_instance(model, last->type, last->name, last->instance);
    }
    for (size_t k = model->names.count; k-- > 0;) {
        tn_item *item = &model->item[k];
        if (item->prepared) tn_instance_release(model, (uint32_t)k, item->instance);
        item->prepared = false;
    }
}

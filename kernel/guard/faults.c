/* faults.c - names whose call has shown a fault in a guarded run (guard/guard.h) */
#include "guard/guard.h"

#include "system/failure.h"

/* ---- while the model is read ----------------------------------------------------------------------------- */

/* A plugin did something wrong to the current item, while the model is read. */
static void tell_reading(void *data, const tn_guard_fault *fault)
{
    tn_model *model = data;
    const tn_culprit culprit = tn_registry_culprit(model->registry, fault->type, fault->function);
    const tn_place place = model->host_at ? model->host_at->place : (tn_place){"model", 0, 0};
    const char *item = fault->item ? fault->item : model->host_item;
    tn_model_error(model, place, "%s%s%s%s %s", item ? "`" : "", item ? item : "", item ? "`: " : "",
                   culprit.words, fault->what);
}

void tn_guard_watch_model(tn_model *model)
{
    tn_guard_listen((tn_guard_listener){.data = model, .tell = tell_reading});
}

/* ---- once it is assembled -------------------------------------------------------------------------------- */

/* How many pieces of this size stand in front of `at`; TN_NONE: it is none of `count` of them. */
static uint32_t index_in(const void *first, size_t size, size_t count, const void *at)
{
    const uintptr_t start = (uintptr_t)first, place = (uintptr_t)at;
    if (!at || place < start || place >= start + count * size) return TN_NONE;
    return (uint32_t)((place - start) / size);
}

/* The number of an instance in a batch, by its memory or by that of its markers. */
static uint32_t index_of(const tn_batch *batch, const void *instance, const tn_marker_place *marker)
{
    const uint32_t index = index_in(batch->instance, batch->instance_stride, batch->count, instance);
    return index != TN_NONE
               ? index
               : index_in(batch->marker, batch->marker_count * sizeof *marker, batch->count, marker);
}

static const tn_group *group_of(const tn_assembly *assembly, const void *instance,
                                const tn_marker_place *marker, uint32_t *index)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        *index = index_of(&assembly->group[k].batch, instance, marker);
        if (*index != TN_NONE) return &assembly->group[k];
    }
    return NULL;
}

/* The item that has shown a fault; TN_NONE: nobody knows. */
static uint32_t item_of(const tn_assembly *assembly, const tn_guard_fault *fault)
{
    uint32_t index = TN_NONE;
    const tn_group *group = group_of(assembly, fault->instance, fault->marker, &index);
    if (group) return group->item[index];
    for (size_t k = 0; k < assembly->derived_count; k++) {
        const tn_derived *derived = &assembly->derived[k];
        index = index_of(&derived->batch, fault->instance, fault->marker);
        if (index != TN_NONE) return derived->item[index];
    }
    return TN_NONE;
}

static const tn_layout *layout_of(void *data, const void *instance)
{
    uint32_t index = TN_NONE;
    const tn_group *group = group_of(data, instance, NULL, &index);
    return group ? group->batch.layout : NULL;
}

static const tn_output *outputs_of(void *data, const void *instance)
{
    uint32_t index = TN_NONE;
    const tn_assembly *assembly = data;
    const tn_group *group = group_of(assembly, instance, NULL, &index);
    return group ? assembly->model->item[group->item[index]].outputs : NULL;
}

/* Before the run it is an error of the model, in the run the reason why it ends. */
static void tell(void *data, const tn_guard_fault *fault)
{
    tn_assembly *assembly = data;
    tn_model *model = assembly->model;
    const uint32_t item = item_of(assembly, fault);
    const tn_place none = {"model", 0, 0};
    const tn_place place = item != TN_NONE  ? model->item[item].origin->at->place
                           : model->host_at ? model->host_at->place
                                            : none;
    if (!model->clock) {
        const tn_culprit culprit = tn_registry_culprit(model->registry, fault->type, fault->function);
        const char *name = item != TN_NONE ? tn_item_name(model, item) : fault->item;
        tn_model_error(model, place, "%s%s%s%s %s", name ? "`" : "", name ? name : "", name ? "`: " : "",
                       culprit.words, fault->what);
    } else if (item == TN_NONE) {
        (void)tn_blame(assembly, fault->type, fault->function, "%s", fault->what);
    } else {
        (void)tn_blame(assembly, fault->type, fault->function, "%s, for `%s` (%s:%u:%u)", fault->what,
                       tn_item_name(model, item), place.file, place.line, place.column);
    }
}

void tn_guard_watch_assembly(tn_assembly *assembly)
{
    tn_guard_listen((tn_guard_listener){
        .data = assembly, .tell = tell, .layout_of = layout_of, .outputs_of = outputs_of});
}

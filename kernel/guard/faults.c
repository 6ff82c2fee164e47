/* faults.c - tells whose call has shown a fault in a guarded run (see guard.h) */
#include "guard/guard_frame.h"

#include "plugin/call_site.h"
#include "system/failure.h"

/* The model that is read or run, and its system once instances stand in groups. Of the process, which guards one model at a time. */
static tn_model *model;
static tn_assembly *assembly;

void tn_guard_watch_model(tn_model *read)
{
    model = read;
    assembly = NULL;
}

void tn_guard_watch_assembly(tn_assembly *grouped) { assembly = grouped; }

/* How many pieces of this size stand in front of `at`; TN_NONE where it is none of `count` of them. */
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

static const tn_group *group_of(const void *instance, const tn_marker_place *marker, uint32_t *index)
{
    for (size_t k = 0; assembly && k < assembly->group_count; k++) {
        *index = index_of(&assembly->group[k].batch, instance, marker);
        if (*index != TN_NONE) return &assembly->group[k];
    }
    return NULL;
}

/* The item of an instance; TN_NONE where it is unknown. */
static uint32_t item_of(const void *instance, const tn_marker_place *marker)
{
    uint32_t index = TN_NONE;
    const tn_group *group = group_of(instance, marker, &index);
    if (group) return group->item[index];
    for (size_t k = 0; assembly && k < assembly->derived_count; k++) {
        const tn_derived *derived = &assembly->derived[k];
        index = index_of(&derived->batch, instance, marker);
        if (index != TN_NONE) return derived->item[index];
    }
    return TN_NONE;
}

const tn_layout *tn_guard_layout_of(const void *instance)
{
    uint32_t index = TN_NONE;
    const tn_group *group = group_of(instance, NULL, &index);
    return group ? group->batch.layout : NULL;
}

const tn_output *tn_guard_outputs_of(const void *instance)
{
    uint32_t index = TN_NONE;
    const tn_group *group = group_of(instance, NULL, &index);
    return group ? tn_known_list(model, group->item[index], 0) : NULL;
}

/* Before the run it is an error of the model, in the run the reason why it ends. */
tn_status tn_guard_tell(const char *what, const void *instance, const tn_marker_place *marker)
{
    const void *type = tn_site->type;
    const char *function = tn_site->function;
    const uint32_t item = item_of(instance, marker);
    const tn_place place = item != TN_NONE  ? model->item[item].origin->at->place
                           : model->host_at ? model->host_at->place
                                            : (tn_place){"model", 0, 0};
    if (!model->clock) {
        const tn_culprit culprit = tn_registry_culprit(model->registry, type, function);
        const char *current = tn_site->item || assembly ? tn_site->item : model->host_item,
                   *name = item != TN_NONE ? tn_item_name(model, item) : current;
        tn_model_error(model, place, "%s%s%s%s %s", name ? "`" : "", name ? name : "", name ? "`: " : "",
                       culprit.words, what);
    } else if (item == TN_NONE) {
        (void)tn_blame(assembly, type, function, "%s", what);
    } else {
        (void)tn_blame(assembly, type, function, "%s, for `%s` (%s:%u:%u)", what, tn_item_name(model, item),
                       place.file, place.line, place.column);
    }
    return TN_FATAL;
}

/* changes.c - carries out what [[change]] tables ask for, between steps */
#include "system/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Expressions of time that were given to these bytes end; those of the change begin. False: there are none. */
static bool switch_dynamics(tn_model *model, const tn_change *change)
{
    bool any = change->dynamic_count > 0;
    for (size_t k = 0; k < model->dynamic_count; k++) {
        tn_dynamic_value *dynamic = &model->dynamic[k];
        const bool replaced = dynamic->item == change->item && dynamic->offset >= change->offset &&
                              dynamic->offset < change->offset + change->size;
        any = any || replaced;
        if (replaced) dynamic->off = true;
    }
    for (size_t k = 0; k < change->dynamic_count; k++)
        model->dynamic[change->first_dynamic + k].off = false;
    return any;
}

/* The new memory of an item. The values of expressions that are in force stay until these are evaluated: a solution is searched
 * for from there. True when other expressions are in force from now on. */
static bool renew_instance(tn_assembly *assembly, const tn_change *change)
{
    tn_model *model = assembly->model;
    const tn_batch *batch = &assembly->group[assembly->group_of[change->item]].batch;
    const size_t size = batch->instance_stride;
    char *now = (char *)batch->instance + assembly->index_of[change->item] * size, *before = tn_new(1, size);
    memcpy(before, now, size);
    memcpy(now, change->instance, size);
    const bool switched = switch_dynamics(model, change);
    for (size_t k = 0; k < model->dynamic_count; k++) {
        const tn_dynamic_value *dynamic = &model->dynamic[k];
        if (dynamic->item == change->item && !dynamic->off && !dynamic->live.argument_count)
            memcpy(now + dynamic->offset, before + dynamic->offset, sizeof(double));
    }
    free(before);
    return switched;
}

static void place_marker(tn_assembly *assembly, const struct tn_new_place *place)
{
    const tn_station *station = &assembly->station[place->marker];
    if (station->riders == TN_NONE) return; /* an alias stays where it is: nothing else fits its body */
    tn_attachments *attachments = &assembly->riders[station->riders].attachments;
    const size_t size = attachments->data_size;
    memcpy((char *)attachments->data + station->rider * size, place->data, size);
}

/* True when other expressions are in force from now on. */
static bool apply(tn_assembly *assembly, const tn_change *change)
{
    for (size_t k = 0; k < change->place_count; k++)
        place_marker(assembly, &change->place[k]);
    if (!assembly->model->use[assembly->model->item[change->item].use].element) return false;
    tn_group *group = &assembly->group[assembly->group_of[change->item]];
    const uint32_t index = assembly->index_of[change->item];
    if (change->active >= 0) group->active[index] = (uint8_t)change->active;
    if (!change->instance) return false;
    const bool switched = renew_instance(assembly, change);
    tn_ledger_changed(assembly, change->item, change->offset);
    return switched;
}

/* Rows that never change while they are active may have been switched on or off. */
static void renew_constraints(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        group->rows_known = false;
        for (uint32_t r = 0; group->active && r < group->rows * group->batch.count; r++)
            if (!group->active[r / group->rows]) assembly->system.lambda[group->row_start + r] = 0.0;
    }
}

bool tn_changes_apply(tn_assembly *assembly, double time)
{
    const tn_model *model = assembly->model;
    const size_t before = assembly->changes_done;
    bool other_expressions = false;
    while (assembly->changes_done < model->change_count && model->change[assembly->changes_done].time <= time)
        other_expressions = apply(assembly, &model->change[assembly->changes_done++]) || other_expressions;
    if (assembly->changes_done != before) {
        renew_constraints(assembly);
        tn_closures_renew(assembly);
        if (other_expressions) tn_live_batches_build(assembly);
    }
    assembly->system.next_change =
        assembly->changes_done < model->change_count ? model->change[assembly->changes_done].time : HUGE_VAL;
    return assembly->changes_done != before;
}

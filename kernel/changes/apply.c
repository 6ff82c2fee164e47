/* apply.c - carries out what [[change]] tables ask for, between steps */
#include "changes/changes.h"

#include "system/accept.h"
#include "system/energy_source.h"
#include "system/value_source.h"
#include "values/value_graph.h"

#include <math.h>
#include <string.h>

/* Expressions of time that were given to these bytes end; those of the change begin. False: there are none. */
static bool switch_dynamics(tn_model *model, const tn_change *change)
{
    bool any = change->dynamic_count > 0;
    size_t count = 0;
    tn_dynamic_value *dynamic = tn_dynamic_values(model, &count);
    for (size_t k = 0; k < count; k++) {
        const bool replaced = dynamic[k].item == change->item && dynamic[k].offset >= change->offset &&
                              dynamic[k].offset < change->offset + change->size;
        any = any || replaced;
        if (replaced) dynamic[k].off = true;
    }
    for (size_t k = 0; k < change->dynamic_count; k++)
        dynamic[change->first_dynamic + k].off = false;
    return any;
}

/* The values of expressions that are in force stay until these are evaluated: a solution is searched for from there. */
static void keep_values(const tn_model *model, uint32_t item, void *now, const char *before)
{
    size_t count = 0;
    const tn_dynamic_value *dynamic = tn_dynamic_values(model, &count);
    for (size_t k = 0; k < count; k++)
        if (dynamic[k].item == item && !dynamic[k].off && !dynamic[k].live.argument_count)
            memcpy((char *)now + dynamic[k].offset, before + dynamic[k].offset, sizeof(double));
}

static void place_marker(tn_assembly *assembly, const struct tn_new_place *place)
{
    const tn_station *station = &assembly->station[place->marker];
    if (station->riders == TN_NONE) return; /* an alias stays where it is: nothing else fits its body */
    tn_attachments *attachments = &assembly->riders[station->riders].attachments;
    const size_t size = attachments->data_size;
    memcpy((char *)attachments->data + station->rider * size, place->data, size);
    assembly->riders[station->riders].known = false;
}

void tn_change_place_markers(tn_assembly *assembly, const tn_change *change)
{
    for (size_t k = 0; k < change->place_count; k++)
        place_marker(assembly, &change->place[k]);
}

/* True when other expressions are in force from now on. */
static bool apply_change(tn_assembly *assembly, const tn_change *change)
{
    tn_change_remember(assembly->model, change);
    tn_change_place_markers(assembly, change);
    if (!assembly->model->use[assembly->model->item[change->item].use].element) return false;
    tn_group *group = &assembly->group[assembly->group_of[change->item]];
    const uint32_t index = assembly->index_of[change->item];
    if (change->active >= 0) group->active[index] = (uint8_t)change->active;
    if (!change->instance) return false;
    const bool switched = switch_dynamics(assembly->model, change);
    const tn_energy_source *energies = assembly->services->energies;
    if (energies) energies->changed(assembly, change->item, change->offset);
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

/* Whether a change behind `first` is made to the same item, at the same time. */
static bool goes_with(const tn_change *first, const tn_change *change)
{
    return change->item == first->item && change->time == first->time;
}

/* Makes those of the changes that are due, item by item. */
static tn_status make_changes(tn_assembly *assembly, tn_change *change, size_t count, bool *other_expressions)
{
    tn_model *model = assembly->model;
    for (size_t together; count; change += together, count -= together) {
        for (together = 1; together < count && goes_with(change, &change[together]);)
            together++;
        const size_t size = model->use[model->item[change->item].use].instance_size;
        void *now = tn_item_instance(model, change->item);
        char *before = tn_new(1, size);
        memcpy(before, now, size);
        if (!tn_changes_complete(model, change, together)) {
            tn_model_show(model);
            (void)snprintf(assembly->failures.reason, sizeof assembly->failures.reason,
                           "at time %.9g s: the change of `%s` is not possible at this time",
                           assembly->system.time, tn_item_name(model, change->item));
            tn_free(before);
            return TN_INVALID;
        }
        for (size_t k = 0; k < together; k++)
            if (change[k].due) {
                *other_expressions = apply_change(assembly, &change[k]) || *other_expressions;
                change[k].due = false;
            }
        keep_values(model, change->item, now, before);
        tn_free(before);
    }
    return TN_OK;
}

tn_status tn_changes_apply(tn_assembly *assembly, double time, bool *any)
{
    const tn_model *model = assembly->model;
    const size_t before = assembly->acceptance->changes_made;
    size_t timed = before;
    bool other_expressions = false;
    *any = false;
    for (; timed < model->timed_change_count && model->change[timed].time <= time; timed++)
        model->change[timed].due = *any = true;
    for (size_t k = model->timed_change_count; k < model->change_count; k++)
        if (tn_values_meet(assembly, model->change[k].condition)) model->change[k].due = *any = true;
    assembly->acceptance->changes_made = timed;
    tn_status status = TN_OK;
    if (*any) {
        status = make_changes(assembly, model->change + before, timed - before, &other_expressions);
        if (status == TN_OK)
            status = make_changes(assembly, model->change + model->timed_change_count,
                                  model->change_count - model->timed_change_count, &other_expressions);
        if (assembly->services->values) assembly->services->values->changed(assembly);
        renew_constraints(assembly);
        tn_values_renew(assembly, other_expressions);
    }
    tn_changes_find_next(assembly);
    return status;
}

void tn_changes_find_next(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    tn_acceptance *acceptance = assembly->acceptance;
    const double sample = tn_samples_next(assembly);
    const bool waits = acceptance->changes_made < model->timed_change_count;
    const double change = waits ? model->change[acceptance->changes_made].time : HUGE_VAL;
    acceptance->next_change = assembly->system.next_change = change < sample ? change : sample;
}

tn_status tn_changes_and_samples(tn_assembly *assembly, double time, bool *any)
{
    const tn_status status = tn_changes_apply(assembly, time, any);
    bool jumped = false;
    const tn_status sampled = status == TN_OK ? tn_samples_take(assembly, time, &jumped) : status;
    return sampled == TN_EVENT && *any ? TN_OK : sampled;
}

tn_status tn_change_apply_now(tn_assembly *assembly, tn_change *change)
{
    bool other_expressions = false;
    change->due = true;
    const tn_status status = make_changes(assembly, change, 1, &other_expressions);
    renew_constraints(assembly);
    tn_values_renew(assembly, other_expressions);
    return status;
}

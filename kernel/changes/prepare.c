/* prepare.c - changes of a model are put in order, and tried before the run
 *
 * What several changes make of an item is worked out when they are made, for the order of those with a condition is not known
 * before. */
#include "changes/changes.h"
#include "config/fill.h"
#include "model/builder.h"
#include "values/value_graph.h"

#include "config/plugin_texts.h"
#include "plugin/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const tn_parameter *tn_change_parameter(tn_model *model, uint32_t item, const char *name, tn_place place)
{
    const tn_use *use = &model->use[model->item[item].use];
    const char *type = use->element ? use->element->name : use->marker->name;
    if (use->element && tn_can_rest(use->element) && strcmp(name, "active") == 0) {
        tn_model_error(model, place, "write `active = true` or `false` in place of `parameter` and `value`");
        return NULL;
    }
    for (const tn_parameter *p = use->type->parameters; p && p->name; p++)
        if (strcmp(p->name, name) == 0 && p->flags & TN_CHANGEABLE) return p;
    tn_nearest search;
    tn_nearest_start(&search, name);
    tn_text list = {0};
    for (const tn_parameter *p = use->type->parameters; p && p->name; p++) {
        tn_nearest_offer(&search, p->name);
        if (p->flags & TN_CHANGEABLE) tn_text_list(&list, p->name);
    }
    char changeable[TN_LONGEST_REASON] = "";
    if (list.length) (void)tn_print_cut(changeable, sizeof changeable, " (changeable: %s)", list.letters);
    if (search.best && strcmp(search.best, name) == 0)
        tn_model_error(model, place, "`%s` of a %s cannot be changed during a run%s", name, type, changeable);
    else if (search.best)
        tn_model_error(model, place, "a %s has no parameter `%s`: did you mean `%s`?", type, name,
                       search.best);
    else
        tn_model_error(model, place, "a %s has no parameter `%s`%s", type, name, changeable);
    tn_free(list.letters);
    return NULL;
}

/* New data of all runtime markers at a declared marker whose instance is `instance`. */
static void place_markers(tn_model *model, uint32_t item, const void *instance, tn_change *change)
{
    change->place = tn_arena_new(&model->arena, TN_MARKER_SLOTS * sizeof *change->at);
    change->place_count = 0;
    for (uint32_t kind = 0; kind < TN_MARKER_SLOTS; kind++) {
        const uint32_t marker = model->item[item].marker[kind];
        if (marker == TN_NONE) continue;
        const void *data = tn_marker_rebind(model, item, kind, instance, change->at);
        if (data) change->place[change->place_count++] = (struct tn_new_place){marker, data};
    }
}

void tn_change_add(tn_model *model, const tn_change *change)
{
    TN_APPEND(model->change, model->change_count, *change);
}

/* ---- in order -------------------------------------------------------------------------------------------- */

static int compare_times(const void *left, const void *right)
{
    const tn_change *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    if (a->item != b->item) return a->item < b->item ? -1 : 1;
    if (a->condition != b->condition) return a->condition < b->condition ? -1 : 1;
    return (a->at->place.line > b->at->place.line) - (a->at->place.line < b->at->place.line);
}

/* False after reporting that both give the same value. */
static bool are_apart(tn_model *model, const tn_change *a, const tn_change *b)
{
    const bool both_active = a->active >= 0 && b->active >= 0;
    const bool same = a->time == b->time && a->condition == b->condition && a->item == b->item &&
                      (both_active || (a->size && b->size && a->offset == b->offset));
    if (same)
        tn_model_error(model, b->at->place, "the change at line %u sets the same value at the same time",
                       a->at->place.line);
    return !same;
}

/* ---- made ------------------------------------------------------------------------------------------------ */

/* What the model may give, without what prepare() has made of it. */
static void copy_parameters(const tn_use *use, void *to, const void *from)
{
    for (const tn_parameter *parameter = use->type->parameters; parameter && parameter->name; parameter++)
        memcpy((char *)to + parameter->offset, (const char *)from + parameter->offset,
               tn_parameter_size(parameter));
}

/* Makes those of the changes to one item that are due in an instance. False after reporting. */
static bool make_due(tn_model *model, tn_change *change, size_t count, void *instance, bool *prepared)
{
    const size_t errors = tn_model_errors(model);
    const tn_use *use = &model->use[model->item[change->item].use];
    tn_change *last = NULL;
    for (size_t k = 0; k < count; k++) {
        if (!change[k].due || !change[k].instance) continue;
        last = &change[k];
        memcpy((char *)instance + last->offset, (char *)last->instance + last->offset, last->size);
    }
    if (!last) return true;
    *prepared = tn_instance_prepare(model, use, tn_item_name(model, last->item), last->at, instance);
    if (use->marker) place_markers(model, last->item, instance, last);
    return tn_model_errors(model) == errors;
}

bool tn_changes_complete(tn_model *model, tn_change *change, size_t count)
{
    const tn_use *use = &model->use[model->item[change->item].use];
    void *instance = tn_item_instance(model, change->item), *settled = model->settled[change->item];
    copy_parameters(use, instance, settled);
    bool prepared = true;
    const bool good = make_due(model, change, count, instance, &prepared);
    copy_parameters(use, settled, instance);
    return good;
}

bool tn_change_settle(tn_model *model, tn_change *change)
{
    const size_t errors = tn_model_errors(model);
    const tn_use *use = &model->use[model->item[change->item].use];
    void *instance = tn_item_instance(model, change->item);
    copy_parameters(use, instance, model->settled[change->item]);
    (void)tn_instance_prepare(model, use, tn_item_name(model, change->item), change->at, instance);
    if (use->marker) place_markers(model, change->item, instance, change);
    return tn_model_errors(model) == errors;
}

/* The first change behind number `first` that is not made together with it. */
static size_t end_of_occasion(const tn_model *model, size_t first)
{
    const tn_change *change = &model->change[first];
    size_t end = first + 1;
    while (end < model->change_count && model->change[end].time == change->time &&
           model->change[end].condition == change->condition && model->change[end].item == change->item)
        end++;
    return end;
}

/* An instance to try the changes of an item on: zeros and the parameters of the item's. */
typedef struct trial {
    void *instance; /* NULL: none */
    bool prepared;
} trial;

static void end_trial(tn_model *model, trial *tried, uint32_t item)
{
    if (tried->prepared) tn_instance_release(model, item, tried->instance);
    tn_free(tried->instance);
    *tried = (trial){0};
}

/* Makes the changes to one item that are due together, to see whether they can be made. */
static void try_changes(tn_model *model, size_t first, size_t end, trial *tried)
{
    tn_change *change = &model->change[first];
    const tn_use *use = &model->use[model->item[change->item].use];
    for (size_t k = first; k < end; k++) {
        for (size_t other = k; other-- > first && are_apart(model, &model->change[other], &model->change[k]);)
            continue;
        model->change[k].due = true;
    }
    /* nobody knows what comes before a condition */
    if (change->condition != TN_NONE) end_trial(model, tried, change->item);
    if (!tried->instance) {
        tried->instance = tn_new_aligned(1, use->instance_size);
        copy_parameters(use, tried->instance, tn_item_instance(model, change->item));
    }
    (void)make_due(model, change, end - first, tried->instance, &tried->prepared);
    for (size_t k = first; k < end; k++)
        model->change[k].due = false;
}

typedef struct trials {
    tn_model *model;
    trial *tried; /* [items] */
} trials;

static void end_trials(void *data)
{
    const trials *all = data;
    tn_model *model = all->model;
    for (size_t k = 0; k < model->change_count; k++)
        end_trial(model, &all->tried[model->change[k].item], model->change[k].item);
}

static void try_all(tn_model *model)
{
    trial *tried = tn_new(model->names.count, sizeof *tried);
    trials all = {model, tried};
    tn_hold hold;
    tn_hold_begin(&hold, end_trials, &all);
    for (size_t first = 0, end; first < model->change_count; first = end) {
        end = end_of_occasion(model, first);
        try_changes(model, first, end, &tried[model->change[first].item]);
    }
    tn_hold_end(&hold);
    end_trials(&all);
}

void tn_change_settle_begin(tn_model *model, uint32_t item)
{
    const tn_use *use = &model->use[model->item[item].use];
    if (!model->settled) {
        model->settled = tn_new(model->names.count, sizeof *model->settled);
        model->original = tn_new(model->names.count, sizeof *model->original);
    }
    if (model->settled[item]) return;
    void **const kept[] = {&model->settled[item], &model->original[item]};
    for (int k = 0; k < 2; k++) {
        *kept[k] = tn_new(1, use->instance_size);
        copy_parameters(use, *kept[k], tn_item_instance(model, item));
    }
}

void tn_changes_order(tn_model *model)
{
    if (!model->change_count || tn_model_errors(model)) return;
    qsort(model->change, model->change_count, sizeof *model->change, compare_times);
    for (size_t k = 0; k < model->change_count; k++) {
        if (model->change[k].condition == TN_NONE) model->timed_change_count++;
        tn_change_settle_begin(model, model->change[k].item);
    }
    try_all(model);
}

/* ---- from outside ------------------------------------------------------------------------------------------ */

/* True when an expression gives one of these numbers now. */
static bool is_dynamic(const tn_model *model, uint32_t item, const tn_parameter *parameter)
{
    size_t count = 0;
    const tn_dynamic_value *dynamic = tn_dynamic_values(model, &count);
    for (size_t k = 0; k < count; k++)
        if (dynamic[k].item == item && !dynamic[k].off && dynamic[k].offset >= parameter->offset &&
            dynamic[k].offset < parameter->offset + tn_parameter_size(parameter))
            return true;
    return false;
}

/* Writes numbers into the memory of a parameter, which holds zeros; false, with the reason, where it does not take them. */
static bool take_numbers(const tn_parameter *parameter, const double *values, size_t count, void *to,
                         tn_reason *reason)
{
    if (!values) return tn_wrong(reason, "a number is expected");
    if (count != parameter->count && !(count && count == parameter->count_alternative))
        return tn_wrong(reason, "%zu values are given, but %u are expected", count, parameter->count);
    for (size_t k = 0; k < count; k++) {
        const double value = values[k];
        if (!tn_parameter_admits(parameter, value, reason->text, sizeof reason->text)) return false;
        if (parameter->kind == TN_KIND_INTEGER && (value != floor(value) || fabs(value) > 9e15))
            return tn_wrong(reason, "an integer is expected, not %.17g", value);
        if (parameter->kind == TN_KIND_REAL)
            ((double *)to)[k] = value;
        else if (parameter->kind == TN_KIND_BOOLEAN)
            ((int32_t *)to)[k] = value != 0.0;
        else
            *(int64_t *)to = (int64_t)value;
    }
    return true;
}

bool tn_change_of_numbers(tn_model *model, uint32_t item, const char *name, const double *values,
                          size_t count, tn_change *change)
{
    static const tn_location outside = {{0}, NULL};
    const tn_use *use = &model->use[model->item[item].use];
    const char *owner = tn_item_name(model, item);
    const size_t errors = tn_model_errors(model);
    const tn_parameter *parameter = tn_change_parameter(model, item, name, outside.place);
    *change = (tn_change){.condition = TN_NONE, .item = item, .at = &outside, .active = -1};
    if (!parameter) return false;
    if (use->marker && !model->item[item].moves)
        tn_model_error(model, outside.place, "`%s` cannot be changed: no [[change]] of the model moves it",
                       owner);
    else if (is_dynamic(model, item, parameter))
        tn_model_error(model, outside.place, "`%s` of `%s` is given by an expression", name, owner);
    if (tn_model_errors(model) != errors) return false;
    tn_change_settle_begin(model, item);
    change->instance = tn_new(1, use->instance_size);
    change->offset = parameter->offset;
    change->size = (uint32_t)tn_parameter_size(parameter);
    tn_reason reason;
    if (take_numbers(parameter, values, count, (char *)change->instance + parameter->offset, &reason))
        return true;
    return tn_model_error(model, outside.place, "`%s` of `%s`: %s", name, owner, reason.text);
}

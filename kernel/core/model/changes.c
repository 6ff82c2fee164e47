/* changes.c - [[change]] tables: what is made different during the run, checked before it begins
 *
 * What several changes make of an item is worked out when they are made, for the order of those with a condition is not known
 * before. */
#include "model/reading.h"

#include "plugin/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const tn_parameter parameters[] = {
    {.name = "time",
     .meaning = "of the change",
     .unit = "s",
     .low = -TN_UNBOUNDED,
     .high = TN_UNBOUNDED,
     .kind = TN_KIND_REAL,
     .count = 1,
     .flags = TN_OPTIONAL},
    {.name = "crosses",
     .meaning = "in place of `time`: expression that crosses zero then, or comparison that comes true",
     .unit = "",
     .kind = TN_KIND_TEXT,
     .count = 1},
    {.name = "element", .meaning = "which changes", .unit = "", .kind = TN_KIND_TEXT, .count = 1},
    {.name = "parameter",
     .meaning = "of the element; one that is changeable",
     .unit = "",
     .kind = TN_KIND_TEXT,
     .count = 1},
    {.name = "active",
     .meaning = "whether the element acts from then on",
     .unit = "",
     .kind = TN_KIND_BOOLEAN,
     .count = 1,
     .flags = TN_OPTIONAL},
    {.name = "marker",
     .meaning = "which moves; a declared one",
     .unit = "",
     .kind = TN_KIND_TEXT,
     .count = 1},
    {.name = "position",
     .meaning = "of the marker from then on",
     .unit = "m",
     .low = -TN_UNBOUNDED,
     .high = TN_UNBOUNDED,
     .kind = TN_KIND_REAL,
     .count = 3,
     .flags = TN_OPTIONAL},
    {.name = "rotation",
     .meaning = "of the marker from then on",
     .unit = "",
     .kind = TN_KIND_ROTATION,
     .count = 1,
     .flags = TN_OPTIONAL},
    {0}};
static const char *const words[] = {"when", "value", NULL};
const tn_keys tn_change_keys = {.words = words, .parameters = {parameters}};

/* ---- what the table says --------------------------------------------------------------------------------- */

static bool is_text(tn_model *model, const tn_toml *node)
{
    if (node->kind == TN_TOML_STRING) return true;
    tn_source_error(&model->source, node, "`%s` is a string", node->key);
    return false;
}

/* `element` with `parameter` and `value`, or with `active`. */
static void check_element(tn_model *model, const tn_toml *table)
{
    tn_source *source = &model->source;
    const tn_toml *parameter = tn_meant(table, "parameter", &tn_change_keys),
                  *value = tn_meant(table, "value", &tn_change_keys);
    const tn_toml *active = tn_meant(table, "active", &tn_change_keys);
    if (active && active->kind != TN_TOML_BOOLEAN)
        tn_value_error(source, active, "true or false is expected");
    if (active && (parameter || value))
        tn_source_error_at(source, (parameter ? parameter : value)->key_place,
                           "a change has `parameter` and `value`, or `active`");
    else if (!active && !parameter)
        tn_source_error(source, table, "missing key `parameter` (what is changed), or `active`");
    else if (!active && !value)
        tn_source_error(source, table, "missing key `value` (of `parameter` from then on)");
    if (parameter) (void)is_text(model, parameter);
}

/* `marker` with `position`, `rotation`, or both. */
static void check_marker(tn_model *model, const tn_toml *table)
{
    static const char *const others[] = {"parameter", "value", "active"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const tn_toml *wrong = tn_toml_get(table, others[k]);
        if (wrong)
            tn_source_error_at(&model->source, wrong->key_place, "`%s` belongs to `element`", others[k]);
    }
    if (!tn_meant(table, "position", &tn_change_keys) && !tn_meant(table, "rotation", &tn_change_keys))
        tn_source_error(&model->source, table,
                        "missing key `position` or `rotation` (of the marker from then on)");
}

/* `time` or `crosses`. */
static void check_occasion(tn_model *model, const tn_toml *table)
{
    static const char form[] = "a change has one of the keys `time` and `crosses`";
    const tn_toml *time = tn_meant(table, "time", &tn_change_keys),
                  *crosses = tn_meant(table, "crosses", &tn_change_keys);
    if (time && crosses)
        tn_source_error_at(&model->source, crosses->key_place, "%s", form);
    else if (!time && !crosses)
        tn_source_error(&model->source, table, "%s", form);
    if (crosses) (void)is_text(model, crosses);
}

void tn_change_compile(tn_model *model, tn_template *origin)
{
    tn_source *source = &model->source;
    const tn_toml *table = origin->table;
    origin->nameless = false; /* it needs no name */
    tn_check_keys(source, table, &tn_change_keys);
    check_occasion(model, table);
    const tn_toml *element = tn_meant(table, "element", &tn_change_keys),
                  *marker = tn_meant(table, "marker", &tn_change_keys);
    const tn_toml *position = tn_meant(table, "position", &tn_change_keys),
                  *rotation = tn_meant(table, "rotation", &tn_change_keys);
    origin->subject = element ? element : marker;
    if (!element == !marker) {
        tn_source_error(source, table, "a change has one of the keys `element` and `marker`");
        return;
    }
    if (!is_text(model, origin->subject)) return;
    if (element) {
        check_element(model, table);
        const tn_toml *wrong = position ? position : rotation;
        if (wrong) tn_source_error_at(source, wrong->key_place, "`%s` belongs to `marker`", wrong->key);
    } else {
        check_marker(model, table);
    }
}

/* ---- what it means --------------------------------------------------------------------------------------- */

/* The item that changes; TN_NONE after reporting one that is missing, is wrong, or is of the other kind. */
static uint32_t find_subject(tn_model *model, const tn_template *origin)
{
    const tn_toml *node = origin->subject;
    const uint32_t item = tn_item_find(model, node->text, node);
    if (item == TN_NONE || model->item[item].index == TN_NONE) return TN_NONE;
    const tn_use *use = &model->use[model->item[item].use];
    const bool wants_element = strcmp(node->key, "element") == 0;
    if (wants_element == (use->element != NULL)) return item;
    tn_source_error(&model->source, node, "`%s` is %s: write `%s = \"%s\"`", node->text,
                    use->element ? "an element" : "a marker", use->element ? "element" : "marker",
                    node->text);
    return TN_NONE;
}

void tn_change_note(tn_model *model, tn_template *origin, void *data)
{
    (void)data;
    if (origin->wrong) return;
    const uint32_t item = tn_part_find(model, &model->names, origin->subject->text);
    if (item == TN_NONE || model->item[item].index == TN_NONE) return; /* reported when the change is made */
    if (tn_toml_get(origin->table, "active")) model->item[item].switches = true;
    if (!model->use[model->item[item].use].element) model->item[item].moves = true;
}

static const tn_parameter *parameters_of(const tn_use *use)
{
    return use->element ? use->element->parameters : use->marker->parameters;
}

/* The parameter that may be changed; NULL after reporting. */
static const tn_parameter *find_parameter(tn_model *model, const tn_use *use, const char *name,
                                          tn_place place)
{
    const char *type = use->element ? use->element->name : use->marker->name;
    if (use->element && tn_can_rest(use->element) && strcmp(name, "active") == 0) {
        tn_source_error_at(&model->source, place,
                           "write `active = true` or `false` in place of `parameter` and `value`");
        return NULL;
    }
    for (const tn_parameter *p = parameters_of(use); p && p->name; p++)
        if (strcmp(p->name, name) == 0 && p->flags & TN_CHANGEABLE) return p;
    tn_nearest search;
    tn_nearest_start(&search, name);
    tn_text list = {0};
    for (const tn_parameter *p = parameters_of(use); p && p->name; p++) {
        tn_nearest_offer(&search, p->name);
        if (p->flags & TN_CHANGEABLE) tn_text_list(&list, p->name);
    }
    const char *changeable = list.length ? list.letters : "none";
    if (search.best && strcmp(search.best, name) == 0)
        tn_source_error_at(&model->source, place,
                           "`%s` of a %s cannot be changed during a run (what can: %s)", name, type,
                           changeable);
    else if (search.best)
        tn_source_error_at(&model->source, place, "a %s has no parameter `%s`: did you mean `%s`?", type,
                           name, search.best);
    else
        tn_source_error_at(&model->source, place, "a %s has no parameter `%s` (what can be changed: %s)",
                           type, name, changeable);
    tn_free(list.letters);
    return NULL;
}

/* Reads the value of one parameter as an item's table would; `memory` is an instance of which only these bytes count.
 * Expressions of time are added to the model's, off until the change. */
static void read_value(tn_model *model, const tn_use *use, const tn_parameter *parameter,
                       const tn_toml *value, void *memory, tn_change *change)
{
    tn_toml *node = tn_arena_new(&model->arena, sizeof *node),
            *table = tn_arena_new(&model->arena, sizeof *table);
    tn_toml **child = tn_arena_new(&model->arena, sizeof *child);
    *node = *value;
    node->key = parameter->name;
    *child = node;
    *table = (tn_toml){.kind = TN_TOML_TABLE, .place = value->place, .child = child, .count = 1};
    tn_filler *filler = tn_arena_new(&model->arena, sizeof *filler);
    model->source.item = tn_item_name(model, change->item);
    tn_filler_prepare(&model->source, table, parameters_of(use), use->instance_size, filler);
    tn_filler_apply(&model->source, filler, memory);
    model->source.item = NULL;
    if (use->element) tn_part_place(model, model->item[change->item].origin, use->element, memory);
    change->first_dynamic = (uint32_t)model->dynamic_count;
    tn_item_add_dynamics(model, filler, change->item, memory);
    change->dynamic_count = (uint32_t)model->dynamic_count - change->first_dynamic;
    for (size_t k = change->first_dynamic; k < model->dynamic_count; k++)
        model->dynamic[k].off = true;
    change->offset = parameter->offset;
    size_t size = 0, alignment = 0;
    (void)tn_parameter_space(parameter, &size, &alignment); /* known kinds only: the type was checked */
    change->size = (uint32_t)size;
    model->kept = tn_grow(model->kept, &model->kept_capacity, model->kept_count + 1, sizeof *model->kept);
    model->kept[model->kept_count++] = filler;
}

/* New data of all runtime markers at a declared marker whose instance is `instance`. */
static void place_markers(tn_model *model, uint32_t item, const void *instance, tn_change *change)
{
    change->place = tn_arena_new(&model->arena, TN_MARKER_SLOTS * sizeof *change->place);
    change->place_count = 0;
    for (uint32_t kind = 0; kind < TN_MARKER_SLOTS; kind++) {
        const uint32_t marker = model->item[item].marker[kind];
        if (marker == TN_NONE) continue;
        const void *data = tn_marker_rebind(model, item, kind, instance, change->table);
        if (data) change->place[change->place_count++] = (struct tn_new_place){marker, data};
    }
}

/* Adds one change, its bytes still those of the parameter alone. */
static void add_change(tn_model *model, const tn_change *change)
{
    model->change =
        tn_grow(model->change, &model->change_capacity, model->change_count + 1, sizeof *model->change);
    model->change[model->change_count++] = *change;
}

/* A change of one parameter of an element or marker. */
static void make_parameter(tn_model *model, const tn_toml *name, const tn_toml *value, tn_change change)
{
    const tn_use *use = &model->use[model->item[change.item].use];
    const tn_parameter *parameter = use->element ? find_parameter(model, use, name->text, name->place)
                                                 : find_parameter(model, use, name->key, name->key_place);
    if (!parameter) return;
    change.instance = tn_arena_new(&model->arena, use->instance_size + 1);
    read_value(model, use, parameter, value, change.instance, &change);
    add_change(model, &change);
}

/* When it is made; false after reporting. */
static bool read_occasion(tn_model *model, tn_change *change)
{
    const tn_toml *time = tn_toml_get(change->table, "time");
    if (time) return tn_number_read(&model->source, time, "s", &change->time);
    change->time = HUGE_VAL;
    change->condition = tn_condition_add(model, tn_toml_get(change->table, "crosses"));
    return change->condition != TN_NONE;
}

void tn_change_make(tn_model *model, tn_template *origin, void *data)
{
    (void)data;
    const tn_toml *table = origin->table, *active = tn_toml_get(table, "active");
    if (origin->wrong) return;
    tn_change change = {
        .condition = TN_NONE, .item = find_subject(model, origin), .table = table, .active = -1};
    if (!read_occasion(model, &change) || change.item == TN_NONE) return;
    const tn_use *use = &model->use[model->item[change.item].use];
    if (active && !(use->element && tn_can_rest(use->element))) {
        tn_source_error_at(&model->source, active->key_place,
                           "`%s` has no markers: it cannot be made inactive", origin->subject->text);
    } else if (active) {
        change.active = (int32_t)active->integer;
        add_change(model, &change);
    } else if (use->element) {
        make_parameter(model, tn_toml_get(table, "parameter"), tn_toml_get(table, "value"), change);
    } else if (!use->marker->local_pose) {
        tn_source_error(&model->source, origin->subject, "`%s` is made of other markers: change those",
                        origin->subject->text);
    } else {
        const tn_toml *position = tn_toml_get(table, "position"), *rotation = tn_toml_get(table, "rotation");
        if (position) make_parameter(model, position, position, change);
        if (rotation) make_parameter(model, rotation, rotation, change);
    }
}

/* ---- in order -------------------------------------------------------------------------------------------- */

static int by_time(const void *left, const void *right)
{
    const tn_change *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    if (a->item != b->item) return a->item < b->item ? -1 : 1;
    if (a->condition != b->condition) return a->condition < b->condition ? -1 : 1;
    return (a->table->place.line > b->table->place.line) - (a->table->place.line < b->table->place.line);
}

/* False after reporting that both give the same value. */
static bool are_apart(tn_model *model, const tn_change *a, const tn_change *b)
{
    const bool both_active = a->active >= 0 && b->active >= 0;
    const bool same = a->time == b->time && a->condition == b->condition && a->item == b->item &&
                      (both_active || (a->size && b->size && a->offset == b->offset));
    if (same)
        tn_source_error(&model->source, b->table, "the change at line %u is made at the same time",
                        a->table->place.line);
    return !same;
}

/* ---- made ------------------------------------------------------------------------------------------------ */

/* What the model may give, without what prepare() has made of it. */
static void copy_parameters(const tn_use *use, void *to, const void *from)
{
    for (const tn_parameter *parameter = parameters_of(use); parameter && parameter->name; parameter++) {
        size_t size = 0, alignment = 0;
        (void)tn_parameter_space(parameter, &size, &alignment); /* known kinds only: the type was checked */
        memcpy((char *)to + parameter->offset, (const char *)from + parameter->offset, size);
    }
}

/* Makes those of the changes to one item that are due in an instance. False after reporting. */
static bool make_due(tn_model *model, tn_change *change, size_t count, void *instance, bool *prepared)
{
    const size_t errors = tn_error_count(model->diagnostics);
    const tn_use *use = &model->use[model->item[change->item].use];
    tn_change *last = NULL;
    for (size_t k = 0; k < count; k++) {
        if (!change[k].due || !change[k].instance) continue;
        last = &change[k];
        memcpy((char *)instance + last->offset, (char *)last->instance + last->offset, last->size);
    }
    if (!last) return true;
    *prepared = tn_instance_prepare(model, use, tn_item_name(model, last->item), last->table, instance);
    if (use->marker) place_markers(model, last->item, instance, last);
    return tn_error_count(model->diagnostics) == errors;
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

/* Markers that are made later, of others, do not change. */
static void make_settled(tn_model *model)
{
    if (model->settled) return;
    model->settled_count = model->names.count;
    model->settled = tn_new(model->settled_count, sizeof *model->settled);
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
    tn_hold hold;
    tn_hold_begin(&hold, end_trials, &(trials){model, tried});
    for (size_t first = 0, end; first < model->change_count; first = end) {
        end = end_of_occasion(model, first);
        try_changes(model, first, end, &tried[model->change[first].item]);
    }
    tn_hold_end(&hold);
    end_trials(&(trials){model, tried});
    tn_free(tried);
}

void tn_changes_order(tn_model *model)
{
    if (!model->change_count || tn_error_count(model->diagnostics)) return;
    qsort(model->change, model->change_count, sizeof *model->change, by_time);
    make_settled(model);
    for (size_t k = 0; k < model->change_count; k++) {
        const uint32_t item = model->change[k].item;
        const tn_use *use = &model->use[model->item[item].use];
        if (model->change[k].condition == TN_NONE) model->timed_change_count++;
        if (model->settled[item]) continue;
        model->settled[item] = tn_new(1, use->instance_size);
        copy_parameters(use, model->settled[item], tn_item_instance(model, item));
    }
    try_all(model);
}

/* ---- from outside ------------------------------------------------------------------------------------------ */

enum { MOST_NUMBERS = 64 };

/* True when an expression gives one of these numbers now. */
static bool is_dynamic(const tn_model *model, uint32_t item, const tn_parameter *parameter)
{
    size_t size = 0, alignment = 0;
    (void)tn_parameter_space(parameter, &size, &alignment);
    for (size_t k = 0; k < model->dynamic_count; k++) {
        const tn_dynamic_value *dynamic = &model->dynamic[k];
        if (dynamic->item == item && !dynamic->off && dynamic->offset >= parameter->offset &&
            dynamic->offset < parameter->offset + size)
            return true;
    }
    return false;
}

/* Reads numbers as the table of an item would have them into the parameter's bytes of an instance. */
static void read_numbers(tn_model *model, const tn_use *use, const tn_parameter *parameter,
                         const double *values, size_t count, void *instance)
{
    static const tn_toml_kind kinds[] = {[TN_KIND_REAL] = TN_TOML_REAL,
                                         [TN_KIND_INTEGER] = TN_TOML_INTEGER,
                                         [TN_KIND_BOOLEAN] = TN_TOML_BOOLEAN};
    const tn_parameter only[] = {*parameter, {0}};
    tn_toml number[MOST_NUMBERS], array = {.kind = TN_TOML_ARRAY, .count = count}, *child[MOST_NUMBERS];
    for (size_t k = 0; k < count; k++) {
        number[k] =
            (tn_toml){.kind = kinds[parameter->kind], .real = values[k], .integer = (int64_t)values[k]};
        child[k] = &number[k];
    }
    array.child = child;
    tn_toml *node = count == 1 && parameter->count == 1 ? number : &array;
    node->key = parameter->name;
    const tn_toml table = {.kind = TN_TOML_TABLE, .child = &node, .count = 1};
    tn_fill(&model->source, &table, only, use->instance_size, instance);
}

/* What an item that no change of the model is about would be after the changes made so far. */
static void settle(tn_model *model, uint32_t item)
{
    const tn_use *use = &model->use[model->item[item].use];
    make_settled(model);
    if (model->settled[item]) return;
    model->settled[item] = tn_new(1, use->instance_size);
    copy_parameters(use, model->settled[item], tn_item_instance(model, item));
}

bool tn_change_of_numbers(tn_model *model, uint32_t item, const char *name, const double *values,
                          size_t count, tn_change *change)
{
    const tn_use *use = &model->use[model->item[item].use];
    const char *owner = tn_item_name(model, item);
    const size_t errors = tn_error_count(model->diagnostics);
    const tn_parameter *parameter = find_parameter(model, use, name, (tn_place){0});
    *change = (tn_change){
        .condition = TN_NONE, .item = item, .table = model->item[item].origin->table, .active = -1};
    if (!parameter) return false;
    if (use->marker && !model->item[item].moves)
        tn_source_error_at(&model->source, (tn_place){0},
                           "`%s` cannot be changed: no [[change]] of the model moves it", owner);
    else if (is_dynamic(model, item, parameter))
        tn_source_error_at(&model->source, (tn_place){0}, "`%s` of `%s` is given by an expression", name,
                           owner);
    else if (!count || count > MOST_NUMBERS || parameter->kind > TN_KIND_BOOLEAN ||
             parameter->kind == TN_KIND_ROTATION)
        tn_source_error_at(&model->source, (tn_place){0}, "`%s` of `%s` does not take %zu numbers", name,
                           owner, count);
    if (tn_error_count(model->diagnostics) != errors) return false;
    settle(model, item);
    change->instance = tn_new(1, use->instance_size);
    model->source.item = owner;
    read_numbers(model, use, parameter, values, count, change->instance);
    model->source.item = NULL;
    if (use->element) tn_part_place(model, model->item[item].origin, use->element, change->instance);
    size_t size = 0, alignment = 0;
    (void)tn_parameter_space(parameter, &size, &alignment);
    change->offset = parameter->offset;
    change->size = (uint32_t)size;
    return tn_error_count(model->diagnostics) == errors;
}

void tn_changes_free(tn_model *model)
{
    for (size_t k = 0; model->settled && k < model->settled_count; k++)
        tn_free(model->settled[k]);
    tn_free(model->settled);
    tn_free(model->change);
}

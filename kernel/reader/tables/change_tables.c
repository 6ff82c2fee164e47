/* change_tables.c - [[change]] tables: what is made different during the run */
#include "changes/changes.h"
#include "tables/tables.h"
#include "values/value_graph.h"

#include "config/plugin_texts.h"

#include <math.h>
#include <string.h>

static const tn_parameter parameters[] = {
    TN_NUMBERS_KEY("time", "s", 1, "of the change", .flags = TN_OPTIONAL),
    TN_VALUE_KEY("crosses", TN_KIND_TEXT,
                 "instead of `time`: expression that crosses zero then, or comparison that becomes true",
                 .flags = TN_OPTIONAL | TN_DYNAMIC),
    TN_VALUE_KEY("element", TN_KIND_TEXT, "the changed element"),
    TN_VALUE_KEY("parameter", TN_KIND_TEXT, "changeable parameter of the element"),
    TN_VALUE_KEY("active", TN_KIND_BOOLEAN, "whether the element is active from then on",
                 .flags = TN_OPTIONAL),
    TN_VALUE_KEY("marker", TN_KIND_TEXT, "the moved marker, a declared one"),
    TN_NUMBERS_KEY("position", "m", 3, "new value for the marker", .flags = TN_OPTIONAL),
    TN_VALUE_KEY("rotation", TN_KIND_ROTATION, "new value for the marker", .flags = TN_OPTIONAL),
    {0}};
static const char *const words[] = {"when", "value", NULL};
const tn_keys tn_change_keys = {.words = words, .parameters = {parameters}};

/* ---- what the table says --------------------------------------------------------------------------------- */

static bool is_text(tn_model *model, const tn_toml *node)
{
    if (node->kind == TN_TOML_STRING) return true;
    return tn_source_error(&model->reader->source, node, "`%s` is a string", node->key);
}

/* `element` with `parameter` and `value`, or with `active`. */
static void check_element_change(tn_model *model, const tn_toml *table)
{
    tn_source *source = &model->reader->source;
    const tn_toml *parameter = tn_meant(table, "parameter", &tn_change_keys),
                  *value = tn_meant(table, "value", &tn_change_keys);
    const tn_toml *active = tn_meant(table, "active", &tn_change_keys);
    if (active && active->kind != TN_TOML_BOOLEAN)
        tn_value_error(source, active, "true or false is expected");
    if (active && (parameter || value))
        tn_source_error_at(source, (parameter ? parameter : value)->key_place,
                           "a change has `parameter` and `value`, or `active`");
    else if (!active && !parameter)
        tn_source_error(source, table, "missing key `parameter` (the changed parameter), or `active`");
    else if (!active && !value)
        tn_source_error(source, table, "missing key `value` (new value of `parameter`)");
    if (parameter) (void)is_text(model, parameter);
}

/* `marker` with `position`, `rotation`, or both. */
static void check_marker_change(tn_model *model, const tn_toml *table)
{
    static const char *const others[] = {"parameter", "value", "active"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const tn_toml *wrong = tn_toml_get(table, others[k]);
        if (wrong)
            tn_source_error_at(&model->reader->source, wrong->key_place, "`%s` belongs to `element`",
                               others[k]);
    }
    if (!tn_meant(table, "position", &tn_change_keys) && !tn_meant(table, "rotation", &tn_change_keys))
        tn_source_error(&model->reader->source, table,
                        "missing key `position` or `rotation` (new value for the marker)");
}

/* `time` or `crosses`. */
static void check_occasion(tn_model *model, const tn_toml *table)
{
    static const char form[] = "a change has one of the keys `time` and `crosses`";
    const tn_toml *time = tn_meant(table, "time", &tn_change_keys),
                  *crosses = tn_meant(table, "crosses", &tn_change_keys);
    if (time && crosses)
        tn_source_error_at(&model->reader->source, crosses->key_place, "%s", form);
    else if (!time && !crosses)
        tn_source_error(&model->reader->source, table, "%s", form);
    if (crosses && crosses->kind != TN_TOML_TABLE) (void)is_text(model, crosses);
}

void tn_change_compile(tn_model *model, tn_template *origin)
{
    tn_source *source = &model->reader->source;
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
        check_element_change(model, table);
        const tn_toml *wrong = position ? position : rotation;
        if (wrong) tn_source_error_at(source, wrong->key_place, "`%s` belongs to `marker`", wrong->key);
    } else {
        check_marker_change(model, table);
    }
}

/* ---- what it means --------------------------------------------------------------------------------------- */

/* The item that changes; TN_NONE after reporting one that is missing, is wrong, or is of the other kind. */
static uint32_t find_changed_item(tn_model *model, const tn_template *origin)
{
    const tn_toml *node = origin->subject;
    const uint32_t item = tn_item_find(model, node->text, node);
    if (item == TN_NONE || model->item[item].index == TN_NONE) return TN_NONE;
    const tn_use *use = &model->use[model->item[item].use];
    const bool wants_element = strcmp(node->key, "element") == 0;
    if (wants_element == (use->element != NULL)) return item;
    tn_source_error(&model->reader->source, node, "`%s` is %s: write `%s = \"%s\"`", node->text,
                    use->element ? "an element" : "a marker", use->element ? "element" : "marker",
                    node->text);
    return TN_NONE;
}

void tn_change_note(tn_model *model, tn_template *origin, void *data)
{
    (void)data;
    if (origin->base.wrong) return;
    const uint32_t item = tn_part_find(model, &model->names, origin->subject->text);
    if (item == TN_NONE || model->item[item].index == TN_NONE) return; /* reported when the change is made */
    if (tn_toml_get(origin->table, "active")) model->item[item].switches = true;
    if (!model->use[model->item[item].use].element) model->item[item].moves = true;
}

/* Reads the value of one parameter as an item's table would; `memory` is an instance of which only these bytes count.
 * Expressions of time are added to the model's, off until the change. */
static void read_new_value(tn_model *model, const tn_use *use, const tn_parameter *parameter,
                           const tn_toml *value, void *memory, tn_change *change)
{
    const tn_toml keys = {.kind = TN_TOML_TABLE, .place = value->place};
    tn_toml *node = tn_toml_new(&model->arena, *value), *table = tn_toml_new(&model->arena, keys);
    node->key = parameter->name;
    tn_toml_append(model->reader->document, table, &(tn_toml){.child = &node, .count = 1});
    tn_filler *filler = tn_arena_new(&model->arena, sizeof *filler);
    model->reader->source.item = tn_item_name(model, change->item);
    model->reader->source.changed = model->item[change->item].instance;
    const tn_template *item = (const tn_template *)(const void *)model->item[change->item].origin;
    tn_filler_prepare(&model->reader->source, tn_routines_replace(model, item, table, use->type->parameters),
                      use->type->parameters, use->instance_size, filler);
    tn_filler_apply(&model->reader->source, filler, memory);
    model->reader->source.changed = NULL;
    model->reader->source.item = NULL;
    if (use->element) tn_part_place(model, model->item[change->item].origin->at, use->element, memory);
    size_t first = 0, end = 0;
    (void)tn_dynamic_values(model, &first);
    tn_item_add_dynamics(model, filler, change->item, memory);
    tn_dynamic_value *dynamic = tn_dynamic_values(model, &end);
    change->first_dynamic = (uint32_t)first;
    change->dynamic_count = (uint32_t)(end - first);
    for (size_t k = first; k < end; k++)
        dynamic[k].off = true;
    change->offset = parameter->offset;
    change->size = (uint32_t)tn_parameter_size(parameter);
}

/* A change of one parameter of an element or marker. */
static void make_parameter(tn_model *model, const tn_toml *name, const tn_toml *value, tn_change change)
{
    const tn_use *use = &model->use[model->item[change.item].use];
    const tn_parameter *parameter = use->element
                                        ? tn_change_parameter(model, change.item, name->text, name->place)
                                        : tn_change_parameter(model, change.item, name->key, name->key_place);
    if (!parameter) return;
    change.instance = tn_arena_new(&model->arena, use->instance_size + 1);
    read_new_value(model, use, parameter, value, change.instance, &change);
    tn_change_add(model, &change);
}

/* When it is made; false after reporting. */
static bool read_occasion(tn_model *model, const tn_toml *table, tn_change *change)
{
    const tn_toml *time = tn_toml_get(table, "time");
    if (time) return tn_number_read(&model->reader->source, time, "s", &change->time);
    change->time = HUGE_VAL;
    change->condition = tn_condition_add(model, tn_toml_get(table, "crosses"));
    return change->condition != TN_NONE;
}

void tn_change_make(tn_model *model, tn_template *origin, void *data)
{
    (void)data;
    const tn_toml *table = origin->table, *active = tn_toml_get(table, "active");
    if (origin->base.wrong) return;
    tn_change change = {
        .condition = TN_NONE, .item = find_changed_item(model, origin), .at = &table->at, .active = -1};
    if (!read_occasion(model, table, &change) || change.item == TN_NONE) return;
    const tn_use *use = &model->use[model->item[change.item].use];
    if (active && !(use->element && tn_can_rest(use->element))) {
        tn_source_error_at(&model->reader->source, active->key_place,
                           "`%s` has no markers: it cannot be made inactive", origin->subject->text);
    } else if (active) {
        change.active = (int32_t)active->integer;
        tn_change_add(model, &change);
    } else if (use->element) {
        make_parameter(model, tn_toml_get(table, "parameter"), tn_toml_get(table, "value"), change);
    } else if (!use->marker->local_pose) {
        tn_source_error(&model->reader->source, origin->subject,
                        "`%s` is derived from other markers: change those", origin->subject->text);
    } else {
        const tn_toml *position = tn_toml_get(table, "position"), *rotation = tn_toml_get(table, "rotation");
        if (position) make_parameter(model, position, position, change);
        if (rotation) make_parameter(model, rotation, rotation, change);
    }
}

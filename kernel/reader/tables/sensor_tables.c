/* sensor_tables.c - what [[sensor]] tables ask for */
#include "tables/sensor_tables.h"

#include "tables/figure_tables.h"
#include "values/value_graph.h"
#include "units/dimension.h"

#include <string.h>

/* The keys that say what is recorded, by tn_sensor_kind. */
const char *const tn_sensor_subjects[] = {"element", "marker", "expression", "system", NULL};
enum { SUBJECTS = sizeof tn_sensor_subjects / sizeof *tn_sensor_subjects - 1 };

static void check_string(tn_model *model, const tn_toml *node)
{
    if (node && node->kind != TN_TOML_STRING)
        tn_value_error(&model->reader->source, node, "a string is expected");
}

static void compile_output(tn_model *model, tn_template *origin, const tn_keys *keys)
{
    tn_source *source = &model->reader->source;
    const bool needed = origin->sensor_kind == TN_SENSOR_ELEMENT || origin->sensor_kind == TN_SENSOR_MARKER;
    origin->output = tn_meant(origin->table, "output", keys);
    check_string(model, origin->output);
    if (needed && !origin->output)
        tn_source_missing_key(
            source, origin->table, "output",
            origin->sensor_kind == TN_SENSOR_MARKER ? "output of the marker" : "output of the element", NULL);
    if (!needed && origin->output)
        tn_source_error_at(source, origin->output->key_place, "`output` belongs to `element` or `marker`");
    origin->type_pattern = tn_meant(origin->table, "type", keys);
    check_string(model, origin->type_pattern);
    if (!needed && origin->type_pattern)
        tn_source_error_at(source, origin->type_pattern->key_place,
                           "`type` belongs to `element` or `marker`");
}

void tn_sensor_compile(tn_model *model, tn_template *origin)
{
    static const char *const words[] = {"name",   "id",         "when",   "element",    "marker", "type",
                                        "output", "expression", "system", "statistics", "at",     NULL};
    const tn_keys keys = {.words = words};
    tn_source *source = &model->reader->source;
    tn_check_keys(source, origin->table, &keys);
    const tn_toml *name = tn_meant(origin->table, "name", &keys);
    origin->nameless = !name || !tn_pattern_compile(source, name, &origin->name);
    if (!name) tn_source_missing_key(source, origin->table, "name", NULL, NULL);

    size_t given = 0;
    for (uint32_t kind = 0; kind < SUBJECTS; kind++) {
        const tn_toml *node = tn_meant(origin->table, tn_sensor_subjects[kind], &keys);
        if (!node) continue;
        given++;
        origin->subject = node;
        origin->sensor_kind = kind;
        if (kind != TN_SENSOR_EXPRESSION) check_string(model, node);
    }
    if (given != 1)
        tn_source_error(source, origin->table,
                        "a sensor has one of the keys `element`, `marker`, `expression` and `system`");
    else
        compile_output(model, origin, &keys);
    tn_figures_compile(model, origin, &keys);
}

/* The database of units, which takes its time to be read, is asked about few units only. */
static bool is_of_acceleration(const char *unit)
{
    if (strcmp(unit, "m/s^2") == 0 || strcmp(unit, "rad/s^2") == 0) return true;
    if (!strchr(unit, 's') || !strchr(unit, '2')) return false;
    const tn_dimension *dimension = tn_dimension_of(unit);
    return tn_dimension_fits(dimension, tn_dimension_of("m/s^2")) ||
           tn_dimension_fits(dimension, tn_dimension_of("rad/s^2"));
}

bool tn_sensor_find_output(const tn_output *outputs, const char *name, tn_nearest *search, tn_sensor *sensor)
{
    for (uint32_t k = 0; outputs && outputs[k].name; k++) {
        if (strcmp(outputs[k].name, name) == 0) {
            sensor->output = k;
            sensor->size = outputs[k].size;
            sensor->unit = outputs[k].unit;
            return true;
        }
        tn_nearest_offer(search, outputs[k].name);
    }
    return false;
}

/* Chooses the entry of a list of outputs that is named, or of an element one of the energies that every element has; false after
 * reporting. */
static bool choose_output(tn_model *model, const tn_output *outputs, const tn_toml *name, const char *owner,
                          tn_sensor *sensor)
{
    tn_source *source = &model->reader->source;
    tn_nearest search;
    tn_nearest_start(&search, name->text);
    if (tn_sensor_find_output(outputs, name->text, &search, sensor)) return true;
    for (const char *const *list = tn_system_lists; sensor->kind == TN_SENSOR_SYSTEM && *list; list++)
        tn_nearest_offer(&search, *list);
    if (sensor->kind == TN_SENSOR_ELEMENT &&
        tn_sensor_find_output(tn_energy_outputs, name->text, &search, sensor)) {
        sensor->kind = TN_SENSOR_ENERGY;
        return true;
    }
    return tn_source_error(source, name, "%s has no output `%s`%s", owner, name->text,
                           tn_source_guess(source, &search));
}

tn_sensor tn_sensor_of_output(uint32_t item, uint32_t number, const tn_output *output)
{
    return (tn_sensor){.kind = TN_SENSOR_ELEMENT,
                       .item = item,
                       .marker = TN_NONE,
                       .output = number,
                       .size = output->size,
                       .unit = output->unit,
                       .is_acceleration = output->unit && is_of_acceleration(output->unit)};
}

bool tn_sensor_check_subject(tn_model *model, const tn_toml *node, uint32_t item, bool markers)
{
    if (model->item[item].use == TN_NONE) return false; /* reported already */
    return markers || model->use[model->item[item].use].element ||
           tn_source_error(&model->reader->source, node, "`%s` is a marker: write `marker = \"%s\"`",
                           node->text, node->text);
}

static bool make_element_sensor(tn_model *model, const tn_sensor_wish *wanted, tn_sensor *sensor)
{
    const tn_toml *node = wanted->subject;
    const uint32_t item = sensor->item = tn_item_find(model, node->text, node);
    if (item == TN_NONE || !tn_sensor_check_subject(model, node, item, false)) return false;
    const char *type = model->use[model->item[item].use].element->name;
    if (!choose_output(model, tn_outputs_of(model, item), wanted->output, type, sensor)) return false;
    sensor->is_acceleration = sensor->unit && is_of_acceleration(sensor->unit);
    return true;
}

static bool make_marker_sensor(tn_model *model, const tn_sensor_wish *wanted, tn_sensor *sensor)
{
    const uint32_t item = tn_item_find(model, wanted->subject->text, wanted->subject);
    if (!choose_output(model, tn_marker_outputs, wanted->output, "a marker", sensor) || item == TN_NONE)
        return false;
    const uint32_t kind = sensor->output >= TN_MARKER_ROTATION ? TN_FRAME : TN_POINT;
    sensor->marker = tn_marker_of(model, item, kind, &wanted->subject->at);
    return sensor->marker != TN_NONE;
}

static bool make_expression_sensor(tn_model *model, const tn_sensor_wish *wanted, tn_sensor *sensor)
{
    tn_source *source = &model->reader->source;
    const tn_allowed allowed = {.time = true};
    tn_quantity quantity;
    if (!tn_quantity_compile(source, wanted->subject, NULL, &allowed, &quantity)) return false;
    sensor->expression = tn_arena_new(&model->arena, sizeof *sensor->expression);
    *sensor->expression = tn_live_begin(model, &quantity);
    sensor->size = 1;
    sensor->unit = "";
    return true;
}

static bool make_system_sensor(tn_model *model, const tn_sensor_wish *wanted, tn_sensor *sensor)
{
    return choose_output(model, tn_system_outputs, wanted->subject, "the system", sensor);
}

static bool (*const make_sensor[SUBJECTS])(tn_model *, const tn_sensor_wish *, tn_sensor *) = {
    make_element_sensor, make_marker_sensor, make_expression_sensor, make_system_sensor};

/* Enters the columns of a vector, which a sensor of a part, or of a pattern, may have taken: name.x belongs to a part `name`, too. */
static bool add_components(tn_model *model, const tn_toml *node, const tn_sensor *sensor)
{
    if (sensor->size != 3 || !(model->reader->part_names.count || strchr(sensor->name, '.'))) return true;
    for (const char *axis = "xyz"; *axis; axis++) {
        const char *column = tn_arena_print(&model->arena, "%s.%c", sensor->name, *axis);
        if (tn_names_add(&model->reader->sensor_names, column) != TN_NO_NAME) continue;
        return tn_source_error(&model->reader->source, node,
                               "the column `%s` of the results already belongs to another sensor", column);
    }
    return true;
}

/* Enters the name of a column, or of a sensor that is many; false after reporting one that cannot be had. */
static bool add_column(tn_model *model, const tn_toml *node, const char *full)
{
    if (strcmp(full, "time") != 0 && tn_names_add(&model->reader->sensor_names, full) != TN_NO_NAME)
        return true;
    return tn_source_error_at(&model->reader->source, node->key_place,
                              "another column of the results has the name `%s`", full);
}

bool tn_sensor_enter(tn_model *model, const tn_sensor_wish *wish, const tn_sensor *sensor)
{
    if (model->sensor_count >= TN_MOST_COPIES)
        return tn_source_error(&model->reader->source, wish->name, "the model has more than %d sensors",
                               TN_MOST_COPIES);
    if ((sensor->name != wish->full && !add_column(model, wish->name, sensor->name)) ||
        !add_components(model, wish->name, sensor))
        return false;
    tn_sensor_add(model, sensor);
    tn_figures_ask(model, wish);
    return true;
}

static void make_one(tn_model *model, const tn_sensor_wish *wish, bool named)
{
    tn_sensor sensor = {
        .name = wish->full, .kind = wish->origin->sensor_kind, .item = TN_NONE, .marker = TN_NONE};
    if (make_sensor[sensor.kind](model, wish, &sensor) && named) (void)tn_sensor_enter(model, wish, &sensor);
}

/* The nodes of a table with all {..} replaced; false after reporting. */
static bool expand_wish(tn_model *model, const tn_template *origin, tn_sensor_wish *wish)
{
    tn_source *source = &model->reader->source;
    *wish = (tn_sensor_wish){.origin = origin,
                             .name = tn_expand(source, origin->name.node),
                             .subject = tn_expand(source, origin->subject),
                             .output = origin->output ? tn_expand(source, origin->output) : NULL,
                             .type = origin->type_pattern ? tn_expand(source, origin->type_pattern) : NULL};
    if (wish->name) wish->full = tn_part_name(model, wish->name->text);
    return tn_figure_times_read(model, origin, wish) && wish->name && wish->subject &&
           (!origin->output || wish->output) && (!origin->type_pattern || wish->type);
}

/* A routine in place of an expression, of which copies without {..} share one; false after reporting. */
static bool find_expression(tn_model *model, tn_template *origin, tn_sensor_wish *wish)
{
    const bool shared = wish->subject == origin->subject;
    const tn_template *owner = shared && model->reader->source.variable_value ? NULL : origin;
    wish->subject = tn_routine_in_place(model, owner, NULL, wish->subject);
    if (shared && wish->subject) origin->subject = wish->subject;
    return wish->subject;
}

void tn_sensor_make(tn_model *model, tn_template *origin, void *data)
{
    (void)data;
    tn_source *source = &model->reader->source;
    tn_sensor_wish wish;
    if (origin->base.wrong || !expand_wish(model, origin, &wish)) return;
    const bool named = (tn_is_name(wish.name->text) ||
                        tn_source_error(source, wish.name, "`%s` is not a name: letters, digits and _ only",
                                        wish.name->text)) &&
                       add_column(model, wish.name, wish.full);
    source->item = wish.name->text;
    if (tn_sensor_has_pattern(&wish))
        tn_sensors_match(model, &wish);
    else if (!tn_system_sensor_note(model, &wish) &&
             (origin->sensor_kind != TN_SENSOR_EXPRESSION || find_expression(model, origin, &wish)))
        make_one(model, &wish, named);
    source->item = NULL;
}

void tn_sensors_connect(tn_model *model)
{
    for (size_t k = 0; k < model->sensor_count; k++)
        if (model->sensor[k].expression) (void)tn_live_connect_sensor(model, model->sensor[k].expression);
}

/* sensors.c - what [[sensor]] tables ask for */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

static const tn_output marker_outputs[] = {
    [TN_MARKER_POSITION] = {"position", "", "m", 3, 0},
    [TN_MARKER_VELOCITY] = {"velocity", "", "m/s", 3, 0},
    [TN_MARKER_ROTATION] = {"rotation", "", "", 9, 0},
    [TN_MARKER_ANGULAR_VELOCITY] = {"angular_velocity", "", "rad/s", 3, 0},
    {0}};
static const tn_output system_outputs[] = {
    [TN_SYSTEM_KINETIC_ENERGY] = {"kinetic_energy", "", "J", 1, 0},
    [TN_SYSTEM_POTENTIAL_ENERGY] = {"potential_energy", "", "J", 1, 0},
    [TN_SYSTEM_TOTAL_ENERGY] = {"total_energy", "", "J", 1, 0},
    [TN_SYSTEM_MOMENTUM] = {"momentum", "", "kg m/s", 3, 0},
    [TN_SYSTEM_ANGULAR_MOMENTUM] = {"angular_momentum", "", "kg m^2/s", 3, 0},
    [TN_SYSTEM_CONSTRAINT_ERROR] = {"constraint_error", "", "", 1, 0},
    [TN_SYSTEM_STEP] = {"step", "", "s", 1, 0},
    {0}};

/* The string of a key at the repeat variables in hand (in the arena), or NULL; a wrong kind is reported. */
static const char *text_of(tn_model *model, const tn_toml *table, const char *key)
{
    const tn_toml *node = tn_toml_get(table, key);
    if (!node) return NULL;
    tn_pattern pattern;
    char buffer[1024];
    const char *text = NULL;
    if (tn_pattern_compile(&model->source, node, &pattern))
        text = tn_pattern_expand(&model->source, &pattern, buffer, sizeof buffer);
    tn_pattern_free(&pattern);
    return text ? tn_arena_text(&model->arena, text, strlen(text)) : NULL;
}

/* Chooses the entry of a list of outputs that `node` names; false after reporting. */
static bool choose(tn_model *model, const tn_output *outputs, const char *wanted, const tn_toml *node,
                   const char *owner, tn_sensor *sensor)
{
    tn_nearest search;
    tn_nearest_start(&search, wanted);
    for (uint32_t k = 0; outputs && outputs[k].name; k++) {
        if (strcmp(outputs[k].name, wanted) == 0) {
            sensor->output = k;
            sensor->size = outputs[k].size;
            sensor->unit = outputs[k].unit;
            return true;
        }
        tn_nearest_offer(&search, outputs[k].name);
    }
    if (search.best)
        tn_source_error(&model->source, node, "%s has no output `%s`: did you mean `%s`?", owner, wanted,
                        search.best);
    else
        tn_source_error(&model->source, node, "%s has no output `%s`", owner, wanted);
    return false;
}

static bool make_element_sensor(tn_model *model, const tn_toml *table, const char *name, tn_sensor *sensor)
{
    const tn_toml *node = tn_toml_get(table, "element");
    const char *output = text_of(model, table, "output");
    sensor->item = tn_item_find(model, name, node);
    if (sensor->item == TN_NONE || model->item[sensor->item].use == TN_NONE) return false;
    const tn_element_type *type = model->use[model->item[sensor->item].use].element;
    if (!type) {
        tn_source_error(&model->source, node, "`%s` is a marker: write `marker = \"%s\"`", name, name);
        return false;
    }
    if (!output) {
        tn_source_error(&model->source, table, "missing key `output` (see `tenon describe %s`)", type->name);
        return false;
    }
    return choose(model, type->outputs, output, tn_toml_get(table, "output"), type->name, sensor);
}

static bool make_marker_sensor(tn_model *model, const tn_toml *table, const char *name, tn_sensor *sensor)
{
    const tn_toml *node = tn_toml_get(table, "marker");
    const char *output = text_of(model, table, "output");
    const uint32_t item = tn_item_find(model, name, node);
    if (item == TN_NONE) return false;
    if (!output) {
        tn_source_error(&model->source, table,
                        "missing key `output` (position, velocity, rotation or angular_velocity)");
        return false;
    }
    if (!choose(model, marker_outputs, output, tn_toml_get(table, "output"), "a marker", sensor))
        return false;
    const bool frame = sensor->output >= TN_MARKER_ROTATION;
    sensor->marker = tn_marker_of(model, item, frame ? TN_FRAME : TN_POINT, node);
    return sensor->marker != TN_NONE;
}

static bool make_expression_sensor(tn_model *model, const tn_toml *node, const char *text, tn_sensor *sensor)
{
    tn_source *source = &model->source;
    tn_toml *expanded = tn_arena_new(&model->arena, sizeof *expanded);
    *expanded = *node;
    if (strcmp(text, node->text) != 0) {
        expanded->text = text;
        expanded->length = strlen(text);
    }
    if (!tn_quantity_compile(source, expanded, NULL, &(tn_allowed){.time = true}, &sensor->quantity))
        return false;
    sensor->depth = source->depth;
    sensor->inputs = tn_arena_new(&model->arena, (source->depth + 1) * sizeof(double));
    memcpy(sensor->inputs, source->variable_value, source->depth * sizeof(double));
    sensor->size = 1;
    sensor->unit = "";
    return true;
}

void tn_sensor_make(tn_model *model, tn_template *origin, void *data)
{
    (void)data;
    if (origin->kind != TN_TEMPLATE_SENSOR || origin->wrong) return;
    tn_source *source = &model->source;
    const tn_toml *table = origin->table;
    char buffer[256];
    const char *name = tn_pattern_expand(source, &origin->name, buffer, sizeof buffer);
    const char *element = text_of(model, table, "element"), *marker = text_of(model, table, "marker");
    const char *expression = text_of(model, table, "expression"), *system = text_of(model, table, "system");
    static const char *const keys[] = {"name",   "when",       "element", "marker",
                                       "output", "expression", "system",  NULL};
    tn_check_keys(source, table, (const tn_parameter *const[]){NULL}, keys);
    if (!name) return;
    if (!tn_is_name(name))
        tn_source_error(source, origin->name.node, "`%s` is no name: letters, digits and _ only", name);
    if (!!element + !!marker + !!expression + !!system != 1) {
        tn_source_error(source, table,
                        "a sensor has one of the keys `element`, `marker`, `expression` and `system`");
        return;
    }
    tn_sensor sensor = {
        .name = tn_arena_text(&model->arena, name, strlen(name)), .item = TN_NONE, .marker = TN_NONE};
    bool good = false;
    if (element) {
        sensor.kind = TN_SENSOR_ELEMENT;
        good = make_element_sensor(model, table, element, &sensor);
    } else if (marker) {
        sensor.kind = TN_SENSOR_MARKER;
        good = make_marker_sensor(model, table, marker, &sensor);
    } else if (expression) {
        sensor.kind = TN_SENSOR_EXPRESSION;
        good = make_expression_sensor(model, tn_toml_get(table, "expression"), expression, &sensor);
    } else {
        sensor.kind = TN_SENSOR_SYSTEM;
        good = choose(model, system_outputs, system, tn_toml_get(table, "system"), "the system", &sensor);
    }
    if (!good) return;
    if (tn_names_add(&model->sensor_names, sensor.name) == TN_NO_NAME) {
        tn_source_error(source, origin->name.node, "another sensor has the name `%s`, too", name);
        tn_quantity_free(&sensor.quantity);
        return;
    }
    model->sensor =
        tn_grow(model->sensor, &model->sensor_capacity, model->sensor_count + 1, sizeof *model->sensor);
    model->sensor[model->sensor_count++] = sensor;
}

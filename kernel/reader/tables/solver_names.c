/* solver_names.c - names of inputs, sensors and positions in the table of a solver (tenon/draft/signals.h)
 *
 * Markers of the coordinates that are named are made here, while the model is. Other mistakes of the table are reported by the reader of
 * the plan. */
#include "tables/tables.h"
#include "values/value_graph.h"

#include <tenon/draft/signals.h>

#include <string.h>

static void offer_all(const tn_names *names, tn_nearest *search)
{
    for (size_t k = 0; k < names->count; k++)
        tn_nearest_offer(search, names->name[k]);
}

/* ---- inputs ----------------------------------------------------------------------------------------------- */

static void check_input(tn_model *model, const tn_toml *node)
{
    tn_source *source = &model->reader->source;
    tn_nearest search;
    if (tn_names_find(&model->reader->input_names, node->text) != TN_NO_NAME) return;
    tn_nearest_start(&search, node->text);
    offer_all(&model->reader->input_names, &search);
    tn_source_error(source, node, "there is no [[input]] `%s`%s", node->text,
                    tn_source_guess(source, &search));
}

/* ---- sensors ------------------------------------------------------------------------------------------------ */

static void offer_sensors(const tn_model *model, tn_nearest *search)
{
    for (size_t s = 0; s < model->sensor_count; s++)
        tn_nearest_offer(search, model->sensor[s].name);
}

static void check_sensor(tn_model *model, const tn_toml *node)
{
    tn_source *source = &model->reader->source;
    if (tn_sensor_find(model, node->text).sensor != TN_NONE) return;
    tn_source_error(source, node, "there is no [[sensor]] `%s`%s", node->text,
                    tn_sensor_guess(model, node->text));
}

/* The marker of a joint's coordinate that an output is, or whose rate, "angle_rate", it is; TN_NONE: neither. */
static uint32_t find_coordinate(tn_model *model, uint32_t item, const char *output, uint32_t *what)
{
    static const char ending[] = "_rate";
    const tn_output *coordinate = tn_coordinates_of(model, item);
    for (; coordinate && coordinate->name; coordinate++) {
        const size_t length = strlen(coordinate->name);
        if (strncmp(output, coordinate->name, length) != 0) continue;
        const bool of_rate = strcmp(output + length, ending) == 0;
        if (output[length] && !of_rate) continue;
        const tn_in_place local = {.coordinate = coordinate->name};
        *what = of_rate ? TN_MARKER_VELOCITY : TN_MARKER_POSITION;
        return tn_marker_in_place(model, item, TN_COORDINATE, &local, model->item[item].origin->at);
    }
    return TN_NONE;
}

static bool has_output(const tn_output *outputs, const char *name)
{
    while (outputs->name && strcmp(outputs->name, name) != 0)
        outputs++;
    return outputs->name;
}

/* The same of a body: what its reference point or frame has, or its only coordinate. */
static uint32_t find_place(tn_model *model, uint32_t item, const tn_output *output, uint32_t *what)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    const tn_output *all = tn_outputs_of(model, item), *known = tn_marker_outputs;
    const bool is_coordinate = strcmp(output->name, "coordinate") == 0;
    if (!tn_has_motion(type)) return TN_NONE;
    if (!type->rigid_motion && has_output(all, "coordinate") && output->size == 1) {
        *what = is_coordinate ? TN_MARKER_POSITION : TN_MARKER_VELOCITY;
        return is_coordinate || strcmp(output->name, "velocity") == 0
                   ? tn_marker_of(model, item, TN_COORDINATE, NULL)
                   : TN_NONE;
    }
    for (; type->rigid_motion && known->name; known++) {
        if (strcmp(output->name, known->name) != 0 || output->size != known->size) continue;
        *what = (uint32_t)(known - tn_marker_outputs);
        return tn_marker_of(model, item, *what >= TN_MARKER_ROTATION ? TN_FRAME : TN_POINT, NULL);
    }
    return TN_NONE;
}

/* Outputs of elements that markers have get derivatives by these. */
static void note_markers(tn_model *model)
{
    size_t known = 0;
    (void)tn_marker_sensors(model, &known);
    if (known) return; // for another solver
    for (size_t s = 0; s < model->sensor_count; s++) {
        const tn_sensor *sensor = &model->sensor[s];
        if (sensor->kind != TN_SENSOR_ELEMENT) continue;
        const tn_output *output = &tn_outputs_of(model, sensor->item)[sensor->output];
        uint32_t what = 0, marker = find_coordinate(model, sensor->item, output->name, &what);
        if (marker == TN_NONE) marker = find_place(model, sensor->item, output, &what);
        if (marker != TN_NONE) tn_marker_sensor_note(model, &(tn_marker_sensor){s, marker, what});
    }
}

/* ---- positions ---------------------------------------------------------------------------------------------- */

static bool note_sensor(tn_model *model, const tn_toml *node, uint32_t number, uint32_t component)
{
    tn_source *source = &model->reader->source;
    const tn_sensor *sensor = &model->sensor[number];
    tn_named_position p = {.name = node->text, .unit = sensor->unit, .marker = TN_NONE, .body = TN_NONE};
    if (sensor->kind == TN_SENSOR_EXPRESSION && sensor->expression->expression &&
        !tn_sensor_reads(sensor->expression)) {
        p.live = sensor->expression;
    } else if (sensor->kind == TN_SENSOR_MARKER && sensor->output == TN_MARKER_POSITION &&
               component != TN_NONE) {
        p.marker = sensor->marker;
        p.row = component;
    } else {
        return tn_source_error(source, node,
                               "the sensor `%s` is no position: a sensor of positions is an expression of "
                               "them, or one component of the position of a marker, \"%s.x\"",
                               node->text, node->text);
    }
    tn_position_note(model, &p);
    return true;
}

/* A body whose motion is no coordinate by itself: constraints may leave it one. */
static bool is_body_in_space(const tn_model *model, uint32_t item)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    return type && tn_has_motion(type) && type->rigid_motion;
}

static void note_item(tn_model *model, const tn_toml *node, uint32_t item)
{
    tn_named_position p = {.name = node->text, .marker = TN_NONE, .body = TN_NONE};
    if (model->item[item].use == TN_NONE || model->item[item].index == TN_NONE) return; /* reported already */
    if (is_body_in_space(model, item))
        p.body = item;
    else
        p.marker = tn_marker_of(model, item, TN_COORDINATE, &node->at);
    if (p.marker != TN_NONE || p.body != TN_NONE) tn_position_note(model, &p);
}

static void note_coordinate(tn_model *model, const tn_toml *node, uint32_t item, const char *coordinate)
{
    const tn_in_place local = {.coordinate = coordinate};
    tn_named_position p = {.name = node->text, .body = TN_NONE};
    p.marker = tn_marker_in_place(model, item, TN_COORDINATE, &local, &node->at);
    if (p.marker != TN_NONE) tn_position_note(model, &p);
}

static void read_position(tn_model *model, const tn_toml *node)
{
    tn_source *source = &model->reader->source;
    const char *text = node->text, *point = strrchr(text, '.');
    const tn_sensor_place place = tn_sensor_find(model, text);
    const uint32_t item = tn_names_find(&model->names, text);
    if (place.sensor != TN_NONE) {
        (void)note_sensor(model, node, place.sensor, place.component);
        return;
    }
    if (item != TN_NO_NAME) {
        note_item(model, node, item);
        return;
    }
    const uint32_t owner =
        point ? tn_names_find(&model->names, tn_arena_print(&model->arena, "%.*s", (int)(point - text), text))
              : TN_NO_NAME;
    if (owner != TN_NO_NAME) {
        note_coordinate(model, node, owner, point + 1);
        return;
    }
    tn_nearest search;
    tn_nearest_start(&search, text);
    offer_all(&model->names, &search);
    offer_sensors(model, &search);
    tn_source_error(source, node, "there is no element, marker or sensor `%s`%s", text,
                    tn_source_guess(source, &search));
}

/* ---- tables --------------------------------------------------------------------------------------------------- */

static void read_names(tn_model *model, const tn_toml *array, void (*read)(tn_model *, const tn_toml *))
{
    tn_source *source = &model->reader->source;
    for (size_t k = 0; k < array->count; k++) {
        bool twice = false;
        if (array->child[k]->kind != TN_TOML_STRING) continue; /* reported already */
        for (size_t j = 0; j < k; j++)
            twice = twice || (array->child[j]->kind == TN_TOML_STRING &&
                              strcmp(array->child[j]->text, array->child[k]->text) == 0);
        if (twice)
            tn_source_error(source, array->child[k], "`%s` is named twice", array->child[k]->text);
        else
            read(model, array->child[k]);
    }
}

static void read_parameter(tn_model *model, const tn_toml *table, const tn_parameter *parameter)
{
    const tn_toml *array = tn_toml_get(table, parameter->name);
    const bool of_sensors = strcmp(parameter->detail, TN_SENSOR_NAMES) == 0;
    if (of_sensors) note_markers(model);
    if (!array || array->kind != TN_TOML_ARRAY) return;
    if (of_sensors)
        read_names(model, array, check_sensor);
    else if (strcmp(parameter->detail, TN_INPUT_NAMES) == 0)
        read_names(model, array, check_input);
    else if (strcmp(parameter->detail, TN_POSITION_NAMES) == 0)
        read_names(model, array, read_position);
}

void tn_solver_names_read(tn_model *model, const tn_toml *table)
{
    const tn_toml *name = table->kind == TN_TOML_TABLE ? tn_toml_get(table, "type") : NULL;
    if (!name || name->kind != TN_TOML_STRING || model->reader->incomplete || tn_model_errors(model)) return;
    const tn_loaded_solver *type = tn_registry_find(model->registry, TN_SOLVER_KIND, name->text, NULL, 0);
    model->reader->source.item = "[solver]";
    for (const tn_parameter *p = type ? type->parameters : NULL; p && p->name; p++)
        if (p->kind == TN_KIND_TEXTS && p->detail) read_parameter(model, table, p);
    model->reader->source.item = NULL;
}

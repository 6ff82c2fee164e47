/* log_columns.c - describes the columns of tables (see log_columns.h) */
#include "record/log_columns.h"

#include "values/value_graph.h"

#include <string.h>

static const char *element_of(const tn_model *model, uint32_t item)
{
    return item == TN_NONE ? "" : tn_item_name(model, item);
}

/* Of each runtime marker, the item that declares it, or else its body. */
static uint32_t *find_markers(const tn_model *model)
{
    uint32_t *item = tn_new(model->marker_count + 1, sizeof *item);
    for (uint32_t k = 0; k < model->marker_count; k++)
        item[k] = model->marker[k].body;
    for (uint32_t k = 0; k < model->names.count; k++)
        for (int slot = 0; model->item[k].index != TN_NONE && slot < TN_MARKER_SLOTS; slot++)
            if (model->item[k].marker[slot] != TN_NONE) item[model->item[k].marker[slot]] = k;
    return item;
}

static const tn_output *output_of(tn_model *model, const tn_sensor *sensor)
{
    switch (sensor->kind) {
    case TN_SENSOR_ELEMENT:
        return &tn_outputs_of(model, sensor->item)[sensor->output];
    case TN_SENSOR_MARKER:
        return &tn_marker_outputs[sensor->output];
    case TN_SENSOR_ENERGY:
        return &tn_energy_outputs[sensor->output];
    case TN_SENSOR_SYSTEM:
        return &tn_system_outputs[sensor->output];
    default:
        return NULL;
    }
}

/* The fields that are the same for all columns of a sensor. */
static tn_recorded_column describe_sensor(tn_model *model, const tn_sensor *sensor, const uint32_t *marker)
{
    tn_recorded_column column = {.sensor = sensor->name, .subject = "", .quantity = "", .description = ""};
    const tn_output *output = output_of(model, sensor);
    if (output) column.quantity = output->name;
    if (output && output->meaning) column.description = output->meaning;
    if (sensor->kind == TN_SENSOR_ELEMENT || sensor->kind == TN_SENSOR_ENERGY)
        column.subject = element_of(model, sensor->item);
    if (sensor->kind == TN_SENSOR_STATE) {
        column.subject = element_of(model, sensor->item);
        column.quantity = strrchr(sensor->name, '.') + 1;
    }
    if (sensor->kind == TN_SENSOR_MARKER) column.subject = element_of(model, marker[sensor->marker]);
    if (sensor->kind == TN_SENSOR_EXPRESSION && sensor->expression->node &&
        sensor->expression->node->kind == TN_TOML_STRING)
        column.quantity = sensor->expression->node->text;
    return column;
}

static void enter(tn_recorded_column *to, const tn_column *column, uint32_t component, uint32_t components)
{
    to->struct_size = sizeof *to;
    to->name = column->name;
    to->unit = column->unit ? column->unit : "";
    to->component = component;
    to->components = components;
}

static void describe_sensors(tn_model *model, const tn_logged_table *table, tn_recorded_column *to)
{
    uint32_t *marker = find_markers(model);
    size_t c = 1;
    for (size_t s = 0; s < model->sensor_count; s++) {
        const tn_sensor *sensor = &model->sensor[s];
        const tn_recorded_column common = describe_sensor(model, sensor, marker);
        for (uint32_t k = 0; k < sensor->size && c < table->columns; k++, c++) {
            to[c] = common;
            enter(&to[c], &table->column[c], k, sensor->size);
        }
    }
    tn_free(marker);
}

/* "body.q0": of `body`, its `q0`. */
static void describe_state(const tn_column *column, tn_arena *arena, tn_recorded_column *to)
{
    const char *point = strrchr(column->name, '.');
    *to = (tn_recorded_column){
        .sensor = column->name, .subject = "", .quantity = column->name, .description = ""};
    if (point) {
        to->subject = tn_arena_text(arena, column->name, (size_t)(point - column->name));
        to->quantity = point + 1;
    }
    enter(to, column, 0, 1);
}

tn_recorded_table *tn_log_columns(const tn_log_request *request, tn_arena *arena)
{
    tn_recorded_table *to = tn_arena_array(arena, request->tables + 1, sizeof *to);
    for (size_t t = 0; t < request->tables; t++) {
        const tn_logged_table *table = &request->table[t];
        tn_recorded_column *column = tn_arena_array(arena, table->columns + 1, sizeof *column);
        to[t] = (tn_recorded_table){.struct_size = sizeof *to,
                                    .columns = (uint32_t)table->columns,
                                    .name = table->name,
                                    .column = column};
        column[0] = (tn_recorded_column){.sensor = "time", .subject = "", .quantity = "", .description = ""};
        enter(&column[0], &table->column[0], 0, 1);
        if (t == 0) describe_sensors(request->assembly->model, table, column);
        for (size_t c = 1; t > 0 && c < table->columns; c++)
            describe_state(&table->column[c], arena, &column[c]);
    }
    return to;
}

/* sensor_names.c - finds what a sensor records by the name of an output: of an element, of a marker or of the system */
#include "names/reader.h"

#include <string.h>

/* Looks for the entry of a list of outputs. */
static bool find_output(const tn_output *outputs, const char *name, tn_nearest *search, tn_sensor *sensor)
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

/* Chooses the entry of a list of outputs that is named, else one of those that every element has when `energies`;
 * false after reporting. */
static bool choose_output(tn_model *model, const tn_output *outputs, bool energies, const char *name,
                          const tn_location *at, const char *owner, tn_sensor *sensor)
{
    tn_nearest search;
    tn_nearest_start(&search, name);
    if (find_output(outputs, name, &search, sensor)) return true;
    if (energies && find_output(tn_energy_outputs, name, &search, sensor)) {
        sensor->kind = TN_SENSOR_ENERGY;
        return true;
    }
    if (search.best)
        tn_model_error(model, at->place, "%s has no output `%s`: did you mean `%s`?", owner, name,
                       search.best);
    else
        tn_model_error(model, at->place, "%s has no output `%s`", owner, name);
    return false;
}

bool tn_sensor_find_element(tn_model *model, tn_sensor *sensor, uint32_t item, const tn_location *at,
                            const char *output, const tn_location *output_at)
{
    sensor->kind = TN_SENSOR_ELEMENT;
    sensor->item = item;
    if (item == TN_NONE || model->item[item].use == TN_NONE) return false; /* reported already */
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    if (type)
        return choose_output(model, tn_outputs_of(model, item), true, output, output_at, type->name, sensor);
    tn_model_error(model, at->place, "`%s` is a marker: an element is expected", tn_item_name(model, item));
    return false;
}

bool tn_sensor_find_marker(tn_model *model, tn_sensor *sensor, uint32_t item, const tn_location *at,
                           const char *output, const tn_location *output_at)
{
    sensor->kind = TN_SENSOR_MARKER;
    if (!choose_output(model, tn_marker_outputs, false, output, output_at, "a marker", sensor) ||
        item == TN_NONE)
        return false;
    const bool frame = sensor->output >= TN_MARKER_ROTATION;
    sensor->marker = tn_marker_of(model, item, frame ? TN_FRAME : TN_POINT, at);
    return sensor->marker != TN_NONE;
}

bool tn_sensor_find_system(tn_model *model, tn_sensor *sensor, const char *output, const tn_location *at)
{
    sensor->kind = TN_SENSOR_SYSTEM;
    return choose_output(model, tn_system_outputs, false, output, at, "the system", sensor);
}

/* outputs.c - what sensors record: outputs of elements, of markers and of the system as a whole */
#include "model/builder.h"

#include <string.h>

const tn_output tn_marker_outputs[] = {[TN_MARKER_POSITION] = {"position", "", "m", 3, 0},
                                       [TN_MARKER_VELOCITY] = {"velocity", "", "m/s", 3, 0},
                                       [TN_MARKER_ROTATION] = {"rotation", "", "", 9, 0},
                                       [TN_MARKER_ANGULAR_VELOCITY] = {"angular_velocity", "", "rad/s", 3, 0},
                                       {0}};
const tn_output tn_system_outputs[] = {
    [TN_SYSTEM_KINETIC_ENERGY] = {"kinetic_energy", "", "J", 1, 0},
    [TN_SYSTEM_POTENTIAL_ENERGY] = {"potential_energy", "", "J", 1, 0},
    [TN_SYSTEM_TOTAL_ENERGY] = {"total_energy", "", "J", 1, 0},
    [TN_SYSTEM_DISSIPATED_ENERGY] = {"dissipated_energy", "", "J", 1, 0},
    [TN_SYSTEM_SUPPLIED_ENERGY] = {"supplied_energy", "", "J", 1, 0},
    [TN_SYSTEM_ENERGY_BALANCE] = {"energy_balance", "", "J", 1, 0},
    [TN_SYSTEM_MOMENTUM] = {"momentum", "", "kg m/s", 3, 0},
    [TN_SYSTEM_ANGULAR_MOMENTUM] = {"angular_momentum", "", "kg m^2/s", 3, 0},
    [TN_SYSTEM_CONSTRAINT_ERROR] = {"constraint_error", "", "", 1, 0},
    [TN_SYSTEM_STEP] = {"step", "", "s", 1, 0},
    {0}};

const tn_output tn_energy_outputs[] = {
    [TN_ENERGY_POTENTIAL] = {"potential_energy", "its potential energy", "J", 1, 0},
    [TN_ENERGY_DISSIPATED] = {"dissipated_energy", "what it has dissipated since the start", "J", 1, 0},
    [TN_ENERGY_SUPPLIED] =
        {"supplied_energy",
         "what it has brought in since the start: work of its forces, plus what is stored and "
         "dissipated",
         "J", 1, 0},
    {0}};

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
static bool choose(tn_model *model, const tn_output *outputs, bool energies, const char *name,
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
    if (type) return choose(model, tn_outputs_of(model, item), true, output, output_at, type->name, sensor);
    tn_model_error(model, at->place, "`%s` is a marker: an element is expected", tn_item_name(model, item));
    return false;
}

bool tn_sensor_find_marker(tn_model *model, tn_sensor *sensor, uint32_t item, const tn_location *at,
                           const char *output, const tn_location *output_at)
{
    sensor->kind = TN_SENSOR_MARKER;
    if (!choose(model, tn_marker_outputs, false, output, output_at, "a marker", sensor) || item == TN_NONE)
        return false;
    const bool frame = sensor->output >= TN_MARKER_ROTATION;
    sensor->marker = tn_marker_of(model, item, frame ? TN_FRAME : TN_POINT, at);
    return sensor->marker != TN_NONE;
}

bool tn_sensor_find_system(tn_model *model, tn_sensor *sensor, const char *output, const tn_location *at)
{
    sensor->kind = TN_SENSOR_SYSTEM;
    return choose(model, tn_system_outputs, false, output, at, "the system", sensor);
}

void tn_sensor_add(tn_model *model, const tn_sensor *sensor)
{
    model->sensor =
        tn_grow(model->sensor, &model->sensor_capacity, model->sensor_count + 1, sizeof *model->sensor);
    model->sensor[model->sensor_count++] = *sensor;
}

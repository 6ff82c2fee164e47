/* outputs.c - what sensors record: outputs of elements, of markers and of the system as a whole */
#include "model/builder.h"

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
    [TN_ENERGY_DISSIPATED] = {"dissipated_energy", "energy dissipated since the start", "J", 1, 0},
    [TN_ENERGY_SUPPLIED] =
        {"supplied_energy",
         "energy supplied since the start: work of its forces, plus energy stored and dissipated", "J", 1, 0},
    {0}};

void tn_sensor_add(tn_model *model, const tn_sensor *sensor)
{
    TN_APPEND(model->sensor, model->sensor_count, *sensor);
}

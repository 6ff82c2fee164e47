/* sensor_columns.c - columns and values of the sensors */
#include "signals/sensors.h"

#include "analysis/energy.h"
#include "names/reader.h"
#include "system/constraints.h"
#include "system/value_source.h"
#include "units/units.h"
#include "values/value_graph.h"

#include <math.h>
#include <string.h>

size_t tn_sensor_columns(const tn_model *model, tn_column **columns, tn_arena *arena)
{
    size_t count = 1;
    for (size_t s = 0; s < model->sensor_count; s++)
        count += model->sensor[s].size;
    tn_column *column = *columns = tn_arena_new(arena, count * sizeof *column);
    *column++ = (tn_column){"time", "s"};
    for (size_t s = 0; s < model->sensor_count; s++)
        for (uint32_t k = 0; k < model->sensor[s].size; k++)
            *column++ =
                (tn_column){tn_sensor_column_name(arena, &model->sensor[s], k),
                            tn_unit_of_number(model->sensor[s].unit, k, model->sensor[s].size, arena)};
    return count;
}

/* Warns, once, that a sensor has no value; the motion is not affected, and the run goes on. */
static void report_lack(tn_assembly *assembly, tn_sensor *sensor, const tn_location *place,
                        const char *problem)
{
    tn_model *model = assembly->model;
    const tn_location *at = model->host_at;
    const char *item = model->host_item;
    if (sensor->told) return;
    sensor->told = true;
    tn_host_point(model, place, sensor->name);
    tn_say(&model->host, TN_WARNING, "at time %.9g s: %s; nan is recorded where the sensor has no value",
           assembly->system.time, problem);
    tn_host_point(model, at, item);
}

/* An output is not finite, and its function has returned TN_OK. */
static void report_number(tn_assembly *assembly, tn_sensor *sensor)
{
    const tn_group *group = &assembly->group[assembly->group_of[sensor->item]];
    const tn_culprit culprit = tn_registry_culprit(assembly->model->registry, group->type, "output");
    char problem[sizeof culprit.words + 64];
    (void)tn_print_cut(problem, sizeof problem, "%s gives a number that is not finite", culprit.words);
    report_lack(assembly, sensor, assembly->model->item[sensor->item].origin->at, problem);
}

static void element_value(tn_assembly *assembly, tn_sensor *sensor, double *value)
{
    const tn_group *group = &assembly->group[assembly->group_of[sensor->item]];
    tn_batch batch = group->batch;
    batch.time = assembly->system.time;
    batch.first = assembly->index_of[sensor->item];
    batch.count = 1;
    batch.output = sensor->output;
    batch.value = value;
    tn_status status = TN_UNSUPPORTED;
    if (group->type->output)
        status = tn_call_for(tn_item_name(assembly->model, sensor->item), group->type, output, &batch);
    if (status == TN_OK) {
        if (!tn_are_finite(value, sensor->size)) report_number(assembly, sensor);
        return;
    }
    report_lack(assembly, sensor, assembly->model->item[sensor->item].origin->at, tn_status_text(status));
    for (uint32_t k = 0; k < sensor->size; k++)
        value[k] = (double)NAN;
}

const double *tn_marker_numbers(const tn_assembly *assembly, uint32_t marker, uint32_t output)
{
    const tn_marker_place place = assembly->station[marker].place;
    const double *pose = assembly->configuration + place.pose, *twist = assembly->motion + place.twist;
    return output == TN_MARKER_POSITION   ? pose
           : output == TN_MARKER_ROTATION ? pose + 3
           : output == TN_MARKER_VELOCITY ? twist
                                          : twist + 3;
}

static double expression_value(tn_assembly *assembly, tn_sensor *sensor)
{
    const tn_live_value *live = sensor->expression;
    double value = live->constant;
    if (!live->expression) return value;
    const char *problem = NULL;
    if (assembly->services->values->value(assembly, live, &value, &problem)) return value;
    if (!assembly->model->refused) report_lack(assembly, sensor, &live->node->at, problem); /* the run ends */
    return (double)NAN;
}

/* Largest |g| of position rows at the last evaluation. */
static double constraint_error(tn_assembly *assembly)
{
    double largest = 0.0;
    if (!assembly->system.position_rows) return 0.0;
    if (tn_system_constraint(&assembly->system, assembly->constraints->row) != TN_OK) return (double)NAN;
    for (uint32_t r = 0; r < assembly->system.rows; r++)
        if (assembly->system.row_level[r] == TN_POSITION_ROW)
            largest = fmax(largest, fabs(assembly->constraints->row[r]));
    return largest;
}

static double system_number(tn_assembly *assembly, uint32_t output, double step)
{
    switch (output) {
    case TN_SYSTEM_KINETIC_ENERGY:
        return tn_kinetic_energy(assembly);
    case TN_SYSTEM_POTENTIAL_ENERGY:
        return tn_potential_energy(assembly);
    case TN_SYSTEM_TOTAL_ENERGY:
        return tn_kinetic_energy(assembly) + tn_potential_energy(assembly);
    case TN_SYSTEM_DISSIPATED_ENERGY:
        return tn_dissipated_energy(assembly);
    case TN_SYSTEM_SUPPLIED_ENERGY:
        return tn_supplied_energy(assembly);
    case TN_SYSTEM_ENERGY_BALANCE:
        return tn_energy_balance(assembly);
    case TN_SYSTEM_CONSTRAINT_ERROR:
        return constraint_error(assembly);
    default: /* TN_SYSTEM_STEP */
        return step;
    }
}

static void system_value(tn_assembly *assembly, const tn_sensor *sensor, double step, double *value)
{
    double other[3];
    if (sensor->output == TN_SYSTEM_MOMENTUM)
        tn_momenta(assembly, value, other);
    else if (sensor->output == TN_SYSTEM_ANGULAR_MOMENTUM)
        tn_momenta(assembly, other, value);
    else
        *value = system_number(assembly, sensor->output, step);
}

/* A number of the state of an element, of which `marker` counts those of a kind. */
static double state_number(const tn_assembly *assembly, const tn_sensor *sensor)
{
    const tn_system *system = &assembly->system;
    const tn_group *group = &assembly->group[assembly->group_of[sensor->item]];
    const size_t index = assembly->index_of[sensor->item];
    const tn_layout *layout = group->batch.layout;
    switch ((enum tn_state_number)sensor->output) {
    case TN_STATE_Q:
        return system->q[group->q_start + index * layout->nq + sensor->marker];
    case TN_STATE_V:
        return system->v[group->v_start + index * layout->nv + sensor->marker];
    case TN_STATE_X:
        return system->x[group->x_start + index * layout->nx + sensor->marker];
    default:
        return system->lambda[group->row_start + index * group->rows + sensor->marker];
    }
}

static void find_values(tn_assembly *assembly, tn_sensor *sensor, double step, double *values)
{
    switch (sensor->kind) {
    case TN_SENSOR_ELEMENT:
        element_value(assembly, sensor, values);
        break;
    case TN_SENSOR_MARKER:
        memcpy(values, tn_marker_numbers(assembly, sensor->marker, sensor->output),
               sensor->size * sizeof *values);
        break;
    case TN_SENSOR_EXPRESSION:
        *values = expression_value(assembly, sensor);
        break;
    case TN_SENSOR_ENERGY:
        *values = tn_element_energy(assembly, sensor->item, (enum tn_energy_output)sensor->output);
        break;
    case TN_SENSOR_STATE:
        *values = state_number(assembly, sensor);
        break;
    default:
        system_value(assembly, sensor, step, values);
    }
}

/* Those that read others have their turn behind all of these. */
void tn_sensor_values(tn_assembly *assembly, double step, double *values)
{
    const tn_model *model = assembly->model;
    size_t turns = 0;
    const tn_sensor_turn *turn = tn_sensor_turns(model, &turns);
    double *next = values;
    for (size_t s = 0; s < model->sensor_count; s++) {
        tn_sensor *sensor = &model->sensor[s];
        const bool waits = turns && sensor->expression && tn_sensor_reads(sensor->expression);
        if (!waits) find_values(assembly, sensor, step, next);
        next += sensor->size;
    }
    for (size_t k = 0; k < turns; k++) {
        tn_sensor *sensor = &model->sensor[turn[k].sensor];
        tn_sensor_reads_take(model, sensor->expression, values);
        find_values(assembly, sensor, step, values + turn[k].column);
    }
}

/* model_sensors.c - what the sensors of a model of the library show now */
#include "library/library.h"

#include "signals/sensors.h"
#include "system/shown.h"

#include <string.h>

size_t tenon_sensor_count(const tenon_model *model) { return model->columns; }

const char *tenon_sensor_name(const tenon_model *model, size_t number)
{
    return number < model->columns ? model->column[1 + number].name : NULL;
}

const char *tenon_sensor_unit(const tenon_model *model, size_t number)
{
    return number < model->columns ? model->column[1 + number].unit : NULL;
}

tenon_status tenon_sensor_find(const tenon_model *model, const char *name, size_t *number)
{
    for (size_t k = 0; k < model->columns; k++)
        if (strcmp(model->column[1 + k].name, name) == 0) {
            *number = k;
            return TENON_OK;
        }
    return TENON_REFUSED;
}

static tenon_status read_sensors(tenon_model *model, double *values)
{
    const tenon_status status = tenon_start(model);
    if (status != TENON_OK) return status;
    tn_assembly *assembly = model->study.assembly;
    const tn_status found = tn_evaluate_outputs(assembly);
    if (found <= TN_EVENT) tn_sensor_values(assembly, model->stepper.last_step, values);
    tn_outputs_done(assembly);
    if (found <= TN_EVENT) return TENON_OK;
    return tn_library_say(model, TENON_REFUSED, "sensors have no values here: %s", tn_status_text(found));
}

tenon_status tenon_sensor_values(tenon_model *model, double *values)
{
    return tn_library_call(model, read_sensors(model, values));
}

tenon_status tenon_sensor_value(tenon_model *model, size_t number, double *value)
{
    if (number >= model->columns)
        return tn_library_say(model, TENON_REFUSED, "there is no sensor number %zu", number);
    const tenon_status status = tenon_sensor_values(model, model->value);
    if (status == TENON_OK) *value = model->value[number];
    return status;
}

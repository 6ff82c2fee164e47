/* sensors.h - what sensors record: columns and values */
#ifndef TN_SENSORS_H
#define TN_SENSORS_H

#include "system/assembly.h"

/* The columns of all sensors behind that of time; their number with it. */
size_t tn_sensor_columns(const tn_model *model, tn_column **columns, tn_arena *arena);
/* Where the numbers of an output of a marker, tn_marker_output, stand at the last evaluation. */
const double *tn_marker_numbers(const tn_assembly *assembly, uint32_t marker, uint32_t output);
/* The values of all sensors at the system's state, in the order of their columns. */
void tn_sensor_values(tn_assembly *assembly, double step, double *values);

#endif

/* figure_tables.h - statistics that [[sensor]] tables ask for, and [[expect]] tables (figures/figures.h) */
#ifndef TN_FIGURE_TABLES_H
#define TN_FIGURE_TABLES_H

#include "tables/sensor_tables.h"

/* Checks `statistics` and `at` of a sensor's table. */
void tn_figures_compile(tn_model *model, tn_template *origin, const tn_keys *keys);
/* The times of the current copy; false after reporting. */
bool tn_figure_times_read(tn_model *model, const tn_template *origin, tn_sensor_wish *wish);
/* Notes what the sensor that was added last is asked for. */
void tn_figures_ask(tn_model *model, const tn_sensor_wish *wish);

#endif

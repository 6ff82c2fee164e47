/* sensor_tables.h - a [[sensor]] table while copies of it are made: shared by sensor_tables.c, sensor_patterns.c and
 * system_sensors.c */
#ifndef TN_SENSOR_TABLES_H
#define TN_SENSOR_TABLES_H

#include "tables/tables.h"

/* What the current copy records: the nodes of its table with all {..} replaced; NULL: it has none. */
typedef struct tn_sensor_wish {
    const tn_template *origin;
    const tn_toml *name, *subject, *output, *type;
    const char *full;   /* its name with that of its part */
    const double *time; /* [times] s: at which values are asked for */
    size_t times;
} tn_sensor_wish;

/* ---- sensor_tables.c ------------------------------------------------------------------------------------- */

/* Looks for the entry of a list of outputs, which is offered to a search. */
bool tn_sensor_find_output(const tn_output *outputs, const char *name, tn_nearest *search, tn_sensor *sensor);
/* A sensor of an output of this item, whose other fields are filled. */
tn_sensor tn_sensor_of_output(uint32_t item, uint32_t number, const tn_output *output);
/* Whether it is an element, or with `markers` whatever may be one; false after reporting. */
bool tn_sensor_check_subject(tn_model *model, const tn_toml *node, uint32_t item, bool markers);
/* Adds a sensor, the columns of which nothing else may have; with what is to be found of them. False after reporting. */
bool tn_sensor_enter(tn_model *model, const tn_sensor_wish *wish, const tn_sensor *sensor);

/* ---- sensor_patterns.c ----------------------------------------------------------------------------------- */

/* Whether a wish asks for all that its pattern of names fits; then adds a sensor for each. */
bool tn_sensor_has_pattern(const tn_sensor_wish *wish);
void tn_sensors_match(tn_model *model, const tn_sensor_wish *wish);

/* ---- system_sensors.c ------------------------------------------------------------------------------------ */

/* Whether this is a list of numbers of all elements, which is noted until these are complete (tn_system_sensors_make). */
bool tn_system_sensor_note(tn_model *model, const tn_sensor_wish *wish);

#endif

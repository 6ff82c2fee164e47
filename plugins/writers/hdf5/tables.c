/* tables.c - a group for each table of rows, "sensors": `time`, and a dataset for each sensor */
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 8192,           /* rows, 64 KiB of a column */
    LEAST_CHUNK = 64,       /* rows */
    MOST_NUMBERS = 1 << 22, /* in memory, about */
    MOST_COMPONENTS = 64,   /* that share a scale */
    MOST_ATTACHED =
        4096 /* sensors with scales: HDF5 keeps a list of them with the scale, and copies it for each */
};

typedef struct sensor {
    hid_t dataset;
    store_shape shape;
    uint32_t first, components; /* columns */
} sensor;

typedef struct table_writing {
    store *to;
    const tn_recorded_table *table;
    hid_t group, time, component[MOST_COMPONENTS + 1]; /* scales */
    sensor *sensor;
    uint32_t sensors;
    uint64_t piece; /* rows */
    bool has_scales;
    double *row, *column;
} table_writing;

/* The scale for sensors with this number of components, made for the first one. */
static hid_t component_scale(table_writing *work, uint32_t components)
{
    char name[32];
    if (components > MOST_COMPONENTS) return 0;
    hid_t *scale = &work->component[components];
    (void)snprintf(name, sizeof name, "component_of_%u", components);
    if (*scale == 0) *scale = store_count_scale(work->to, work->group, name, components);
    return *scale;
}

/* Writes one unit where all columns have the same one, else a unit for each. */
static void describe_units(table_writing *work, const sensor *of)
{
    const tn_recorded_column *column = work->table->column + of->first;
    const char **unit = calloc(2 * (size_t)of->components, sizeof *unit), **name = unit + of->components;
    bool same = true;
    if (!unit) store_lacks_memory(work->to);
    for (uint32_t k = 0; unit && k < of->components; k++) {
        unit[k] = column[k].unit[0] ? column[k].unit : "1";
        name[k] = column[k].name;
        same = same && !strcmp(unit[k], unit[0]);
    }
    if (unit && same) store_text(work->to, of->dataset, "units", unit[0]);
    if (unit && !same) store_texts(work->to, of->dataset, "units", unit, of->components);
    if (unit && of->components > 1) store_texts(work->to, of->dataset, "columns", name, of->components);
    free(unit);
}

static void add_sensor(table_writing *work, uint32_t first, uint32_t components)
{
    sensor *of = &work->sensor[work->sensors++];
    const tn_recorded_column *column = &work->table->column[first];
    const bool is_time = first == 0;
    *of = (sensor){.first = first, .components = components};
    of->shape = (store_shape){.rank = components > 1 ? 2 : 1,
                              .size = {work->table->rows, components},
                              .chunk = {work->piece, components},
                              .scale = {is_time || !work->has_scales ? 0 : work->time}};
    if (components > 1 && work->has_scales) of->shape.scale[1] = component_scale(work, components);
    of->dataset =
        store_dataset(work->to, work->group, is_time ? "time" : column->sensor, H5T_IEEE_F64LE, &of->shape);
    if (is_time) {
        work->time = of->dataset;
        store_make_scale(work->to, of->dataset, "time");
    }
    describe_units(work, of);
    if (!is_time) store_text(work->to, of->dataset, "sensor", column->sensor);
    if (column->subject[0]) store_text(work->to, of->dataset, "subject", column->subject);
    if (column->quantity[0]) store_text(work->to, of->dataset, "quantity", column->quantity);
    if (column->description[0]) store_text(work->to, of->dataset, "description", column->description);
}

/* Columns of the sensor that begins at `first`. */
static uint32_t components_at(const tn_recorded_table *table, uint32_t first)
{
    const uint32_t count =
        first > 0 && table->column[first].components > 1 ? table->column[first].components : 1;
    return count < table->columns - first ? count : table->columns - first;
}

static uint32_t count_sensors(const tn_recorded_table *table)
{
    uint32_t sensors = 0;
    for (uint32_t first = 0; first < table->columns; first += components_at(table, first))
        sensors++;
    return sensors;
}

/* Finds the sensors, whose columns are consecutive. */
static void add_sensors(table_writing *work)
{
    const tn_recorded_table *table = work->table;
    for (uint32_t first = 0; first < table->columns && work->to->status == TN_OK;) {
        const uint32_t count = components_at(table, first);
        add_sensor(work, first, count);
        first += count;
    }
}

static void write_piece(table_writing *work, uint64_t first, uint64_t count)
{
    const uint32_t columns = work->table->columns;
    for (uint32_t s = 0; s < work->sensors && work->to->status == TN_OK; s++) {
        const sensor *of = &work->sensor[s];
        for (uint64_t r = 0; r < count; r++)
            memcpy(work->column + r * of->components, work->row + r * columns + of->first,
                   of->components * sizeof *work->row);
        store_write(work->to, of->dataset, H5T_NATIVE_DOUBLE, &of->shape, first, count, work->column);
    }
}

static void write_rows(table_writing *work, const tn_recording *recording, uint32_t number)
{
    for (uint64_t first = 0; first < work->table->rows && work->to->status == TN_OK; first += work->piece) {
        const uint64_t rest = work->table->rows - first, count = rest < work->piece ? rest : work->piece;
        const tn_status status = recording->rows(recording, number, first, count, work->row);
        if (status != TN_OK)
            work->to->status = status;
        else
            write_piece(work, first, count);
    }
}

static void close_sensors(table_writing *work)
{
    for (uint32_t s = 0; s < work->sensors; s++)
        store_dataset_close(work->to, work->sensor[s].dataset);
    for (size_t k = 0; k <= MOST_COMPONENTS; k++)
        if (work->component[k] > 0) store_dataset_close(work->to, work->component[k]);
    store_group_close(work->to, work->group);
}

static void store_table(store *to, const tn_recording *recording, uint32_t number)
{
    const tn_recorded_table *table = &recording->table[number];
    table_writing work = {.to = to, .table = table};
    if (table->columns == 0) return;
    work.piece = MOST_NUMBERS / table->columns;
    if (work.piece > CHUNK) work.piece = CHUNK;
    if (work.piece < LEAST_CHUNK) work.piece = LEAST_CHUNK;
    if (work.piece > table->rows && table->rows > 0) work.piece = table->rows;
    work.sensor = calloc(table->columns, sizeof *work.sensor);
    work.row = malloc((size_t)work.piece * table->columns * sizeof *work.row);
    work.column = malloc((size_t)work.piece * table->columns * sizeof *work.column);
    work.group = store_group(to, table->name);
    if (!work.sensor || !work.row || !work.column) store_lacks_memory(to);
    work.has_scales = count_sensors(table) - 1 <= MOST_ATTACHED; // but for time
    if (to->status == TN_OK && !work.has_scales)
        tn_say(to->host, TN_NOTE,
               "hdf5: `%s` has more than %d sensors: their datasets have no scales, time is a dataset beside "
               "them",
               table->name, MOST_ATTACHED);
    if (to->status == TN_OK) {
        add_sensors(&work);
        write_rows(&work, recording, number);
    }
    close_sensors(&work);
    free(work.sensor);
    free(work.row);
    free(work.column);
}

void store_tables(store *to, const tn_recording *recording)
{
    for (uint32_t k = 0; k < recording->tables && to->status == TN_OK; k++)
        store_table(to, recording, k);
}

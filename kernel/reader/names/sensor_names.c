/* sensor_names.c - what names of sensors, and of their columns, mean once all sensors are there */
#include "names/reader.h"

/* Everything that a sensor is called by: the first that has a name keeps it. */
static void enter(tn_reader *reader, const char *name, uint32_t sensor, uint32_t component)
{
    struct tn_sensor_index *index = &reader->sensors;
    const uint32_t number = tn_names_add(&index->names, name);
    if (number == TN_NO_NAME) return;
    index->place = tn_grow(index->place, &index->capacity, number + (size_t)1, sizeof *index->place);
    index->place[number] = (tn_sensor_place){sensor, component};
}

const char *tn_sensor_column_name(tn_arena *arena, const tn_sensor *sensor, uint32_t component)
{
    if (sensor->size == 1) return sensor->name;
    return sensor->size == 3 ? tn_arena_print(arena, "%s.%c", sensor->name, "xyz"[component])
                             : tn_arena_print(arena, "%s.%u", sensor->name, component);
}

static void build(tn_model *model)
{
    tn_reader *reader = model->reader;
    reader->sensors.built = true;
    for (uint32_t s = 0; s < model->sensor_count; s++)
        enter(reader, model->sensor[s].name, s, model->sensor[s].size == 1 ? 0 : TN_NONE);
    for (uint32_t s = 0; s < model->sensor_count; s++)
        for (uint32_t c = 0; c < model->sensor[s].size && model->sensor[s].size > 1; c++)
            enter(reader, tn_sensor_column_name(&model->arena, &model->sensor[s], c), s, c);
}

tn_sensor_place tn_sensor_find(tn_model *model, const char *name)
{
    const struct tn_sensor_index *index = &model->reader->sensors;
    if (!index->built) build(model);
    const uint32_t number = tn_part_find(model, &index->names, name);
    return number == TN_NO_NAME ? (tn_sensor_place){TN_NONE, TN_NONE} : index->place[number];
}

const char *tn_sensor_guess(tn_model *model, const char *name)
{
    tn_nearest search;
    tn_nearest_start(&search, name);
    for (size_t k = 0; k < model->reader->sensors.names.count; k++)
        tn_part_offer_one(model, model->reader->sensors.names.name[k], &search);
    return tn_source_guess(&model->reader->source, &search);
}

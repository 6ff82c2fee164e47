/* sensors.c - what [[sensor]] tables ask for */
#include "tables/reading.h"
#include "units/dimension.h"

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

/* The keys that say what is recorded, by tn_sensor_kind. */
const char *const tn_sensor_subjects[] = {"element", "marker", "expression", "system", NULL};
enum { SUBJECTS = sizeof tn_sensor_subjects / sizeof *tn_sensor_subjects - 1 };

static void check_string(tn_model *model, const tn_toml *node)
{
    if (node && node->kind != TN_TOML_STRING) tn_value_error(&model->source, node, "a string is expected");
}

static void compile_output(tn_model *model, tn_template *origin, const tn_keys *keys)
{
    tn_source *source = &model->source;
    const bool needed = origin->sensor_kind == TN_SENSOR_ELEMENT || origin->sensor_kind == TN_SENSOR_MARKER;
    origin->output = tn_meant(origin->table, "output", keys);
    check_string(model, origin->output);
    if (needed && !origin->output)
        tn_source_missing_key(source, origin->table, "output",
                              origin->sensor_kind == TN_SENSOR_MARKER ? "which output of the marker"
                                                                      : "which output of the element",
                              NULL);
    if (!needed && origin->output)
        tn_source_error_at(source, origin->output->key_place, "`output` belongs to `element` or `marker`");
}

void tn_sensor_compile(tn_model *model, tn_template *origin)
{
    static const char *const words[] = {"name",   "id",         "when",   "element", "marker",
                                        "output", "expression", "system", NULL};
    const tn_keys keys = {.words = words};
    tn_source *source = &model->source;
    tn_check_keys(source, origin->table, &keys);
    const tn_toml *name = tn_meant(origin->table, "name", &keys);
    origin->nameless = !name || !tn_pattern_compile(source, name, &origin->name);
    if (!name) tn_source_missing_key(source, origin->table, "name", NULL, NULL);

    size_t given = 0;
    for (uint32_t kind = 0; kind < SUBJECTS; kind++) {
        const tn_toml *node = tn_meant(origin->table, tn_sensor_subjects[kind], &keys);
        if (!node) continue;
        given++;
        origin->subject = node;
        origin->sensor_kind = kind;
        if (kind != TN_SENSOR_EXPRESSION) check_string(model, node);
    }
    if (given != 1)
        tn_source_error(source, origin->table,
                        "a sensor has one of the keys `element`, `marker`, `expression` and `system`");
    else
        compile_output(model, origin, &keys);
}

/* What the current sensor records: the nodes of its table with all {..} replaced. */
typedef struct wish {
    const tn_toml *name, *subject, *output;
} wish;

/* The database of units, which takes its time to be read, is asked about few units only. */
static bool is_of_acceleration(const char *unit)
{
    if (strcmp(unit, "m/s^2") == 0 || strcmp(unit, "rad/s^2") == 0) return true;
    if (!strchr(unit, 's') || !strchr(unit, '2')) return false;
    const tn_dimension *dimension = tn_dimension_of(unit);
    return tn_dimension_fits(dimension, tn_dimension_of("m/s^2")) ||
           tn_dimension_fits(dimension, tn_dimension_of("rad/s^2"));
}

/* Looks for the entry of a list of outputs. */
static bool find_output(const tn_output *outputs, const char *name, tn_nearest *search, tn_sensor *sensor)
{
    for (uint32_t k = 0; outputs && outputs[k].name; k++) {
        if (strcmp(outputs[k].name, name) == 0) {
            sensor->output = k;
            sensor->size = outputs[k].size;
            sensor->unit = outputs[k].unit;
            sensor->is_acceleration = sensor->unit && is_of_acceleration(sensor->unit);
            return true;
        }
        tn_nearest_offer(search, outputs[k].name);
    }
    return false;
}

/* Chooses the entry of a list of outputs that `node` names, else one of those that every element has when `energies`;
 * false after reporting. */
static bool choose(tn_model *model, const tn_output *outputs, bool energies, const tn_toml *node,
                   const char *owner, tn_sensor *sensor)
{
    tn_nearest search;
    tn_nearest_start(&search, node->text);
    if (find_output(outputs, node->text, &search, sensor)) return true;
    if (energies && find_output(tn_energy_outputs, node->text, &search, sensor)) {
        sensor->kind = TN_SENSOR_ENERGY;
        return true;
    }
    if (search.best)
        tn_source_error(&model->source, node, "%s has no output `%s`: did you mean `%s`?", owner, node->text,
                        search.best);
    else
        tn_source_error(&model->source, node, "%s has no output `%s`", owner, node->text);
    return false;
}

static bool make_element_sensor(tn_model *model, const wish *wanted, tn_sensor *sensor)
{
    const tn_toml *node = wanted->subject;
    sensor->item = tn_item_find(model, node->text, node);
    if (sensor->item == TN_NONE || model->item[sensor->item].use == TN_NONE) return false;
    const tn_loaded_element *type = model->use[model->item[sensor->item].use].element;
    if (type && !choose(model, tn_outputs_of(model, sensor->item), true, wanted->output, type->name, sensor))
        return false;
    if (type) return true;
    tn_source_error(&model->source, node, "`%s` is a marker: write `marker = \"%s\"`", node->text,
                    node->text);
    return false;
}

static bool make_marker_sensor(tn_model *model, const wish *wanted, tn_sensor *sensor)
{
    const uint32_t item = tn_item_find(model, wanted->subject->text, wanted->subject);
    if (!choose(model, tn_marker_outputs, false, wanted->output, "a marker", sensor) || item == TN_NONE)
        return false;
    const bool frame = sensor->output >= TN_MARKER_ROTATION;
    sensor->marker = tn_marker_of(model, item, frame ? TN_FRAME : TN_POINT, wanted->subject);
    return sensor->marker != TN_NONE;
}

static bool make_expression_sensor(tn_model *model, const wish *wanted, tn_sensor *sensor)
{
    tn_source *source = &model->source;
    const tn_allowed allowed = {.time = true};
    if (!tn_quantity_compile(source, wanted->subject, NULL, &allowed, &sensor->quantity)) return false;
    sensor->live = tn_live_begin(model, &sensor->quantity);
    if (!tn_live_connect(model, &sensor->live)) return false;
    sensor->size = 1;
    sensor->unit = "";
    return true;
}

static bool make_sensor(tn_model *model, const wish *wanted, tn_sensor *sensor)
{
    switch (sensor->kind) {
    case TN_SENSOR_ELEMENT:
        return make_element_sensor(model, wanted, sensor);
    case TN_SENSOR_MARKER:
        return make_marker_sensor(model, wanted, sensor);
    case TN_SENSOR_EXPRESSION:
        return make_expression_sensor(model, wanted, sensor);
    default:
        return choose(model, tn_system_outputs, false, wanted->subject, "the system", sensor);
    }
}

/* Enters the columns of a vector, which a sensor of a part may have taken: name.x belongs to a part `name`, too. */
static bool add_components(tn_model *model, const tn_toml *node, const tn_sensor *sensor)
{
    if (sensor->size != 3 || !model->part_names.count) return true;
    for (const char *axis = "xyz"; *axis; axis++) {
        const char *column = tn_arena_print(&model->arena, "%s.%c", sensor->name, *axis);
        if (tn_names_add(&model->sensor_names, column) != TN_NO_NAME) continue;
        tn_source_error(&model->source, node, "the column `%s` of the results belongs to a part, too",
                        column);
        return false;
    }
    return true;
}

/* Enters the name of a column; false after reporting one that cannot be had. */
static bool add_column(tn_model *model, const tn_toml *node, const char *name)
{
    if (!tn_is_name(name)) {
        tn_source_error(&model->source, node, "`%s` is no name: letters, digits and _ only", name);
        return false;
    }
    const char *full = tn_part_name(model, name);
    if (strcmp(full, "time") != 0 && tn_names_add(&model->sensor_names, full) != TN_NO_NAME) return true;
    tn_source_error_at(&model->source, node->key_place, "another column of the results has the name `%s`",
                       name);
    return false;
}

void tn_sensor_make(tn_model *model, tn_template *origin, void *data)
{
    (void)data;
    if (origin->wrong) return;
    tn_source *source = &model->source;
    const wish wanted = {tn_expand(source, origin->name.node), tn_expand(source, origin->subject),
                         origin->output ? tn_expand(source, origin->output) : NULL};
    if (!wanted.name || !wanted.subject || (origin->output && !wanted.output)) return;
    tn_sensor sensor = {.name = tn_part_name(model, wanted.name->text),
                        .kind = origin->sensor_kind,
                        .item = TN_NONE,
                        .marker = TN_NONE};
    const bool named = add_column(model, wanted.name, wanted.name->text);
    source->item = wanted.name->text;
    const bool good = make_sensor(model, &wanted, &sensor);
    source->item = NULL;
    if (!good || !named || !add_components(model, wanted.name, &sensor)) {
        tn_quantity_free(&sensor.quantity);
        return;
    }
    model->sensor =
        tn_grow(model->sensor, &model->sensor_capacity, model->sensor_count + 1, sizeof *model->sensor);
    model->sensor[model->sensor_count++] = sensor;
}

/* system_sensors.c - sensors of all elements: `system = "states"`, `system = "reactions"` (see sensor_tables.h)
 *
 * What elements have of these is known once all of them are connected, so that these sensors come behind all others. */
#include "tables/sensor_tables.h"

#include <string.h>

const char *const tn_system_lists[] = {"states", "reactions", NULL};
enum { STATES, REACTIONS };

struct tn_listed_wish {
    tn_sensor_wish wish;
    int list;
};

bool tn_system_sensor_note(tn_model *model, const tn_sensor_wish *wish)
{
    tn_reader *reader = model->reader;
    if (wish->origin->sensor_kind != TN_SENSOR_SYSTEM) return false;
    for (int list = 0; tn_system_lists[list]; list++) {
        if (strcmp(wish->subject->text, tn_system_lists[list]) != 0) continue;
        const struct tn_listed_wish listed = {*wish, list};
        TN_APPEND(reader->listed, reader->listed_count, listed);
        return true;
    }
    return false;
}

/* Sizes of an instance, as its group will have them; false after reporting. */
static bool find_layout(tn_model *model, uint32_t item, tn_layout *layout)
{
    const tn_origin *origin = model->item[item].origin;
    const tn_use *use = &model->use[model->item[item].use];
    const tn_loaded_element *type = use->element;
    uint32_t count = 0;
    const uint32_t *marker = use->marker_start ? tn_markers_at(model, item, &count) : NULL;
    uint32_t *kind = tn_arena_new(&model->arena, (count + 1) * sizeof *kind);
    for (uint32_t k = 0; k < count; k++)
        kind[k] = model->marker[marker[k]].kind;
    *layout = (tn_layout){.struct_size = sizeof *layout,
                          .marker_count = count,
                          .marker_kind = kind,
                          .port_first = origin->port_first};
    return !type->layout || tn_call_setup(model, origin->at, tn_item_name(model, item), type, layout,
                                          &model->host, tn_item_instance(model, item), layout) == TN_OK;
}

/* ---- states ----------------------------------------------------------------------------------------------- */

/* The unit of a coordinate is that of its increments where these are added to it. */
static const char *unit_of(tn_model *model, uint32_t item, enum tn_state_number what, uint32_t number)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    if (what != TN_STATE_V && !(what == TN_STATE_Q && type->flags & TN_VECTOR_SPACE)) return "";
    const char *unit = tn_velocity_unit(type, tn_item_instance(model, item), number);
    if (what == TN_STATE_Q || !unit[0]) return unit;
    return tn_arena_print(&model->arena, "%s/s", unit);
}

static void add_states(tn_model *model, const tn_sensor_wish *wish, uint32_t item, enum tn_state_number what,
                       uint32_t count)
{
    static const char *const letters[] = {
        [TN_STATE_Q] = "q", [TN_STATE_V] = "v", [TN_STATE_X] = "x", [TN_STATE_LAMBDA] = "lambda"};
    for (uint32_t k = 0; k < count; k++) {
        const tn_sensor sensor = {.name = tn_arena_print(&model->arena, "%s.%s.%s%u", wish->full,
                                                         tn_item_name(model, item), letters[what], k),
                                  .kind = TN_SENSOR_STATE,
                                  .item = item,
                                  .marker = k,
                                  .output = what,
                                  .size = 1,
                                  .unit = unit_of(model, item, what, k)};
        (void)tn_sensor_enter(model, wish, &sensor);
    }
}

/* ---- reactions --------------------------------------------------------------------------------------------- */

/* Force and torque of a constraint, as far as it has such outputs; else its multipliers. */
static void add_reactions(tn_model *model, const tn_sensor_wish *wish, uint32_t item, uint32_t rows)
{
    const tn_output *all = tn_outputs_of(model, item);
    size_t found = 0;
    for (uint32_t k = 0; all && all[k].name; k++) {
        if (strcmp(all[k].name, "force") != 0 && strcmp(all[k].name, "torque") != 0) continue;
        tn_sensor sensor = tn_sensor_of_output(item, k, &all[k]);
        sensor.name =
            tn_arena_print(&model->arena, "%s.%s.%s", wish->full, tn_item_name(model, item), all[k].name);
        (void)tn_sensor_enter(model, wish, &sensor);
        found++;
    }
    if (!found) add_states(model, wish, item, TN_STATE_LAMBDA, rows);
}

/* ---- the whole --------------------------------------------------------------------------------------------- */

static void add_item(tn_model *model, const struct tn_listed_wish *listed, uint32_t item)
{
    tn_layout layout;
    if (model->item[item].use == TN_NONE || !model->use[model->item[item].use].element ||
        !find_layout(model, item, &layout))
        return;
    const uint32_t rows = layout.position_rows + layout.velocity_rows;
    if (listed->list == STATES) {
        add_states(model, &listed->wish, item, TN_STATE_Q, layout.nq);
        add_states(model, &listed->wish, item, TN_STATE_V, layout.nv);
        add_states(model, &listed->wish, item, TN_STATE_X, layout.nx);
    } else if (rows) {
        add_reactions(model, &listed->wish, item, rows);
    }
}

void tn_system_sensors_make(tn_model *model)
{
    const tn_reader *reader = model->reader;
    for (size_t k = 0; k < reader->listed_count && !tn_model_errors(model); k++) {
        const struct tn_listed_wish *listed = &reader->listed[k];
        const size_t before = model->sensor_count;
        const uint32_t items = (uint32_t)model->names.count;
        for (uint32_t item = 0; item < items && model->sensor_count <= TN_MOST_COPIES; item++)
            add_item(model, listed, item);
        if (model->sensor_count == before && !tn_model_errors(model))
            tn_diagnose(reader->diagnostics, TN_SEVERITY_WARNING, listed->wish.subject->place,
                        "the model has no %s: `%s` records nothing", tn_system_lists[listed->list],
                        listed->wish.full);
    }
}

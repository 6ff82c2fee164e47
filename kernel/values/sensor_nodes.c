/* sensor_nodes.c - SENVAL(sensor), SENVAL(sensor, component): what another sensor shows, in the expression of a sensor
 *
 * Sensors are worked out where a row is due, those that read others behind these. The motion cannot read them, as they are not
 * known between rows. */
#include "values/graph.h"

#include "units/units.h"
#include "values/value_units.h"

#include <string.h>

#define FUNCTION "senval"

/* ---- calls ------------------------------------------------------------------------------------------------ */

static bool is_function(tn_model *model, const char *name)
{
    (void)model;
    return strcmp(name, FUNCTION) == 0;
}

static void offer(tn_model *model, tn_nearest *search)
{
    (void)model;
    tn_nearest_offer(search, FUNCTION);
}

/* All sensors are not known yet. */
static bool connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made)
{
    tn_value_graph *graph = model->values;
    if (!graph->in_sensor)
        return tn_source_error_inside(&model->reader->source, node, call->offset,
                                      "`%s` may stand in the `expression` of a [[sensor]] only, outside of "
                                      "`%s`: elsewhere sensors have no value",
                                      FUNCTION, TN_DELAY_FUNCTION);
    if (!tn_call_check_count(model, node, call, 1, 2, "sensor, component")) return false;
    made->index = (uint32_t)graph->sensor_read_count;
    const struct tn_sensor_read read = {.node = node, .call = call, .part = model->reader->part};
    TN_APPEND(graph->sensor_read, graph->sensor_read_count, read);
    return true;
}

bool tn_live_connect_sensor(tn_model *model, tn_live_value *live)
{
    model->values->in_sensor = true;
    const bool good = tn_live_connect(model, live);
    model->values->in_sensor = false;
    return good;
}

/* ---- what is read ----------------------------------------------------------------------------------------- */

/* A number, counted from 0; TN_NONE: the sensor has no such component. */
static uint32_t component_of(const tn_sensor *sensor, const char *text)
{
    uint32_t number = 0;
    for (; *text >= '0' && *text <= '9' && number < sensor->size; text++)
        number = 10 * number + (uint32_t)(*text - '0');
    return *text || number >= sensor->size ? TN_NONE : number;
}

static bool report(tn_model *model, const struct tn_sensor_read *read, uint32_t argument, const char *text)
{
    return tn_source_error_inside(&model->reader->source, read->node, read->call->item[argument].offset, "%s",
                                  text);
}

/* The sensor, and number, that a call reads; false after reporting. */
static bool find_place(tn_model *model, struct tn_sensor_read *read)
{
    const tn_item_call *call = read->call;
    tn_arena *arena = &model->arena;
    const char *name = call->item[0].text;
    read->place = tn_sensor_find(model, name);
    if (read->place.sensor == TN_NONE)
        return report(model, read, 0,
                      tn_arena_print(arena, "there is no sensor `%s`%s", name, tn_sensor_guess(model, name)));
    const tn_sensor *sensor = &model->sensor[read->place.sensor];
    if (call->count == 2) {
        const bool whole = read->place.component == TN_NONE || sensor->size == 1;
        read->place.component = whole ? component_of(sensor, call->item[1].text) : TN_NONE;
        return read->place.component != TN_NONE ||
               report(model, read, 1,
                      tn_arena_print(arena, "`%s` has no component `%s`: they are numbers from 0 to %u", name,
                                     call->item[1].text, whole ? sensor->size - 1 : 0));
    }
    return read->place.component != TN_NONE ||
           report(model, read, 0,
                  tn_arena_print(arena, "`%s` has %u numbers: choose one, `%s(%s, 0)`%s", name, sensor->size,
                                 "SENVAL", name,
                                 sensor->size == 3 ? tn_arena_print(arena, " or `SENVAL(%s.x)`", name) : ""));
}

/* ---- order ------------------------------------------------------------------------------------------------ */

/* The reads of a sensor are those of its expression: number k, NULL behind the last. */
static struct tn_sensor_read *read_of(const tn_model *model, uint32_t sensor, uint32_t *call)
{
    const tn_live_value *live = model->sensor[sensor].expression;
    for (; live && *call < live->calls.count; ++*call)
        if (live->read[*call].kind == &tn_sensor_node)
            return &model->values->sensor_read[live->read[(*call)++].index];
    return NULL;
}

/* "`a` reads `b` reads `a`", of the sensors on a way from `first` on. */
static void report_cycle(tn_model *model, const uint32_t *way, size_t count)
{
    tn_text text = {0};
    for (size_t k = 0; k < count; k++)
        tn_text_add(&text, "`%s` reads ", model->sensor[way[k]].name);
    tn_source_error(&model->reader->source, model->sensor[way[0]].expression->node,
                    "sensors that read each other have no value: %s`%s`", text.letters,
                    model->sensor[way[0]].name);
    tn_free(text.letters);
}

/* Walks from a sensor to those that it reads; the path to the current one is a stack, as chains may be long. */
typedef struct walk {
    tn_model *model;
    enum { NEW, ON_WAY, DONE } * state; /* [sensors] */
    uint32_t *way, *call;               /* [sensors] */
    size_t count;
} walk;

static void leave(walk *w)
{
    tn_value_graph *graph = w->model->values;
    const uint32_t sensor = w->way[--w->count];
    uint32_t call = 0;
    w->state[sensor] = DONE;
    if (!read_of(w->model, sensor, &call)) return;
    TN_APPEND(graph->sensor_turn, graph->sensor_turn_count, ((tn_sensor_turn){.sensor = sensor}));
}

static void follow(walk *w, uint32_t sensor)
{
    if (w->state[sensor] == DONE) return;
    if (w->state[sensor] == ON_WAY) {
        size_t first = w->count;
        while (w->way[--first] != sensor)
            continue;
        report_cycle(w->model, w->way + first, w->count - first);
        return;
    }
    w->state[sensor] = ON_WAY;
    w->call[w->count] = 0;
    w->way[w->count++] = sensor;
}

static void order(tn_model *model)
{
    walk w = {.model = model,
              .state = tn_new(model->sensor_count, sizeof *w.state),
              .way = tn_new(model->sensor_count, sizeof *w.way),
              .call = tn_new(model->sensor_count, sizeof *w.call)};
    for (uint32_t s = 0; s < model->sensor_count; s++) {
        follow(&w, s);
        while (w.count) {
            const struct tn_sensor_read *read = read_of(model, w.way[w.count - 1], &w.call[w.count - 1]);
            if (read)
                follow(&w, read->place.sensor);
            else
                leave(&w);
        }
    }
    tn_free(w.state);
    tn_free(w.way);
    tn_free(w.call);
}

/* Where the numbers of a sensor stand among those of all. */
static void find_columns(tn_model *model)
{
    tn_value_graph *graph = model->values;
    size_t *first = tn_new(model->sensor_count + 1, sizeof *first);
    for (size_t s = 0; s < model->sensor_count; s++)
        first[s + 1] = first[s] + model->sensor[s].size;
    for (size_t k = 0; k < graph->sensor_turn_count; k++)
        graph->sensor_turn[k].column = first[graph->sensor_turn[k].sensor];
    for (size_t k = 0; k < graph->sensor_read_count; k++)
        graph->sensor_read[k].column =
            first[graph->sensor_read[k].place.sensor] + graph->sensor_read[k].place.component;
    tn_free(first);
}

void tn_sensor_reads_connect(tn_model *model)
{
    tn_value_graph *graph = model->values;
    bool good = !tn_model_errors(model);
    for (size_t k = 0; good && k < graph->sensor_read_count; k++) {
        const tn_part *part = tn_part_enter(model, graph->sensor_read[k].part);
        graph->sensor_read[k].found = find_place(model, &graph->sensor_read[k]);
        (void)tn_part_enter(model, part);
    }
    for (size_t k = 0; k < graph->sensor_read_count; k++)
        good = good && graph->sensor_read[k].found;
    if (!good || !graph->sensor_read_count) return;
    order(model);
    find_columns(model);
}

/* ---- during a run ------------------------------------------------------------------------------------------ */

const tn_sensor_turn *tn_sensor_turns(const tn_model *model, size_t *count)
{
    *count = model->values ? model->values->sensor_turn_count : 0;
    return *count ? model->values->sensor_turn : NULL;
}

bool tn_sensor_reads(const tn_live_value *live)
{
    for (uint32_t k = 0; k < live->calls.count; k++)
        if (live->read[k].kind == &tn_sensor_node) return true;
    return false;
}

void tn_sensor_reads_take(const tn_model *model, const tn_live_value *live, const double *values)
{
    for (uint32_t k = 0; k < live->calls.count; k++) {
        if (live->read[k].kind != &tn_sensor_node) continue;
        struct tn_sensor_read *read = &model->values->sensor_read[live->read[k].index];
        read->value = values[read->column];
    }
}

/* ---- nodes ------------------------------------------------------------------------------------------------- */

/* That of an expression may be known, or not. */
static tn_unit unit(tn_unit_search *search, const tn_value_node *node)
{
    const struct tn_sensor_read *read = &search->model->values->sensor_read[node->index];
    if (!read->found) return (tn_unit){0};
    const tn_sensor *sensor = &search->model->sensor[read->place.sensor];
    const char *text = tn_unit_of_number(sensor->unit ? sensor->unit : "", read->place.component,
                                         sensor->size, &search->model->arena);
    if (sensor->kind == TN_SENSOR_EXPRESSION && !text[0]) return (tn_unit){0};
    return tn_unit_of_dimension(tn_dimension_si(text));
}

static const double *place(const tn_assembly *assembly, const tn_value_node *node)
{
    return &assembly->model->values->sensor_read[node->index].value;
}

const tn_node_kind tn_sensor_node = {
    .is_function = is_function, .offer = offer, .connect = connect, .unit = unit, .place = place};

/* sensor_patterns.c - sensors of all elements, or markers, whose names fit a pattern such as "wheel_*" (see sensor_tables.h)
 *
 * A sensor is made for each of them, in the order of the items; its columns are called NAME.ITEM, and NAME.ITEM.OUTPUT where the
 * pattern stands in `output`. */
#include "tables/sensor_tables.h"

#include <tenon/kit/name_pattern.h>

#include <string.h>

/* ---- patterns --------------------------------------------------------------------------------------------- */

static bool is_pattern(const tn_toml *node) { return node && strpbrk(node->text, "*?"); }

static bool node_fits(const tn_toml *node, const char *name)
{
    return !node || tn_name_fits(node->text, name);
}

/* ---- candidates ------------------------------------------------------------------------------------------- */

/* A pattern while it is compared with all items, for what is wrong with it. */
typedef struct matching {
    tn_model *model;
    const tn_sensor_wish *wish;
    bool markers;       /* that are declared, not elements */
    bool unknown;       /* some item has an error */
    size_t fitting;     /* items whose names do */
    size_t of_type;     /* of these */
    size_t sensors;     /* that were made */
    tn_nearest near[3]; /* names, types, outputs */
} matching;

enum { NAMES, TYPES, OUTPUTS };

/* What an item is called in the current part; NULL: it stands outside, or was made by a call of an expression. */
static const char *local_name(const tn_model *model, const char *name)
{
    const char *part = model->reader->part->name;
    const size_t length = strlen(part);
    if (strchr(name, '(')) return NULL;
    if (!length) return name;
    return strncmp(name, part, length) == 0 && name[length] == '.' ? name + length + 1 : NULL;
}

/* What exists without a declaration, such as the ground, no pattern stands for. */
static bool is_candidate(const matching *m, const tn_use *use)
{
    return m->markers ? !use->element : use->element && !(use->element->flags & TN_PRESENT);
}

static const char *type_name(const tn_use *use)
{
    return use->element ? use->element->name : use->marker->name;
}

/* ---- sensors ---------------------------------------------------------------------------------------------- */

static void add(matching *m, const char *item, const char *output, tn_sensor *sensor)
{
    tn_arena *arena = &m->model->arena;
    const tn_sensor_wish *wish = m->wish;
    const bool many = is_pattern(wish->subject), named = is_pattern(wish->output);
    sensor->name = many && named ? tn_arena_print(arena, "%s.%s.%s", wish->full, item, output)
                                 : tn_arena_print(arena, "%s.%s", wish->full, many ? item : output);
    m->sensors++;
    (void)tn_sensor_enter(m->model, wish, sensor);
}

/* The outputs that the pattern fits; else the energy that every element has, where that is its name. */
static void add_outputs(matching *m, const char *name, uint32_t item)
{
    const char *output = m->wish->output->text;
    const tn_output *all = tn_outputs_of(m->model, item);
    const size_t before = m->sensors;
    for (uint32_t k = 0; all && all[k].name; k++) {
        tn_nearest_offer(&m->near[OUTPUTS], all[k].name);
        if (!tn_name_fits(output, all[k].name)) continue;
        tn_sensor sensor = tn_sensor_of_output(item, k, &all[k]);
        add(m, name, all[k].name, &sensor);
    }
    tn_sensor sensor = {.kind = TN_SENSOR_ENERGY, .item = item, .marker = TN_NONE};
    if (m->sensors == before && !is_pattern(m->wish->output) &&
        tn_sensor_find_output(tn_energy_outputs, output, &m->near[OUTPUTS], &sensor))
        add(m, name, output, &sensor);
}

/* Of a marker that is a point there are no rotations, of a coordinate nothing. */
static void add_marker_outputs(matching *m, const char *name, uint32_t item)
{
    for (uint32_t k = 0; tn_marker_outputs[k].name; k++) {
        const tn_output *output = &tn_marker_outputs[k];
        if (!tn_name_fits(m->wish->output->text, output->name)) {
            tn_nearest_offer(&m->near[OUTPUTS], output->name);
            continue;
        }
        const uint32_t kind = k >= TN_MARKER_ROTATION ? TN_FRAME : TN_POINT;
        tn_sensor sensor = {.kind = TN_SENSOR_MARKER,
                            .item = TN_NONE,
                            .marker = tn_marker_of(m->model, item, kind, NULL),
                            .output = k,
                            .size = output->size,
                            .unit = output->unit};
        if (sensor.marker != TN_NONE) add(m, name, output->name, &sensor);
    }
}

static void match_item(matching *m, const char *name, uint32_t item)
{
    const uint32_t number = m->model->item[item].use;
    if (number == TN_NONE || m->model->item[item].index == TN_NONE) {
        m->unknown = true;
        return;
    }
    const tn_use *use = &m->model->use[number];
    if (is_pattern(m->wish->subject)) {
        if (!is_candidate(m, use)) return;
        tn_nearest_offer(&m->near[NAMES], name);
        if (!tn_name_fits(m->wish->subject->text, name)) return;
    }
    m->fitting++;
    if (m->wish->type) tn_nearest_offer(&m->near[TYPES], type_name(use));
    if (!node_fits(m->wish->type, type_name(use))) return;
    m->of_type++;
    if (m->markers)
        add_marker_outputs(m, name, item);
    else
        add_outputs(m, name, item);
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

/* The pattern fits nothing. */
static void report(matching *m)
{
    tn_source *source = &m->model->reader->source;
    const tn_sensor_wish *wish = m->wish;
    const char *what = m->markers ? "marker" : "element";
    if (m->model->reader->incomplete || m->unknown) return; /* that may be why */
    if (!m->fitting)
        tn_source_error(source, wish->subject, "the name of no %s fits `%s`%s", what, wish->subject->text,
                        tn_source_guess(source, &m->near[NAMES]));
    else if (!m->of_type)
        tn_source_error(source, wish->type, "no %s whose name fits `%s` is of a type `%s`%s", what,
                        wish->subject->text, wish->type->text, tn_source_guess(source, &m->near[TYPES]));
    else
        tn_source_error(source, wish->output, "no %s whose name fits `%s` has an output `%s`%s", what,
                        wish->subject->text, wish->output->text, tn_source_guess(source, &m->near[OUTPUTS]));
}

bool tn_sensor_has_pattern(const tn_sensor_wish *wish)
{
    const uint32_t kind = wish->origin->sensor_kind;
    return (kind == TN_SENSOR_ELEMENT || kind == TN_SENSOR_MARKER) &&
           (is_pattern(wish->subject) || is_pattern(wish->output) || wish->type);
}

/* The one item that has a name without a pattern. */
static bool match_one(matching *m)
{
    tn_model *model = m->model;
    const tn_toml *node = m->wish->subject;
    const uint32_t item = tn_item_find(model, node->text, node);
    if (item == TN_NONE || !tn_sensor_check_subject(model, node, item, m->markers)) return false;
    match_item(m, node->text, item);
    return true;
}

static void match_all(matching *m)
{
    const tn_model *model = m->model;
    const uint32_t items = (uint32_t)model->names.count; /* without those that sensors make */
    for (uint32_t item = 0; item < items && model->sensor_count <= TN_MOST_COPIES; item++) {
        const char *name = local_name(model, model->names.name[item]);
        if (name) match_item(m, name, item);
    }
}

/* Of a pattern, to which a name may be near. */
static const char *letters_of(tn_model *model, const char *pattern)
{
    char *text = tn_arena_text(&model->arena, pattern, strlen(pattern)), *to = text;
    for (const char *from = pattern; *from; from++)
        if (*from != '*' && *from != '?') *to++ = *from;
    *to = '\0';
    return text;
}

void tn_sensors_match(tn_model *model, const tn_sensor_wish *wish)
{
    matching m = {.model = model, .wish = wish, .markers = wish->origin->sensor_kind == TN_SENSOR_MARKER};
    const tn_toml *const wanted[] = {wish->subject, wish->type, wish->output};
    for (int k = 0; k < 3; k++)
        tn_nearest_start(&m.near[k], wanted[k] ? letters_of(model, wanted[k]->text) : "");
    if (!is_pattern(wish->subject) && !match_one(&m)) return;
    if (is_pattern(wish->subject)) match_all(&m);
    if (!m.sensors) report(&m);
}

/* template.c - what an item says, worked out once for all its copies */
#include "tables/tables.h"
#include "values/value_graph.h"

#include <math.h>
#include <string.h>

const tn_parameter tn_in_place_parameters[] = {
    TN_NUMBERS_KEY("position", "m", 3, "from the element's reference point",
                   .offset = offsetof(tn_in_place, position)),
    TN_VALUE_KEY("rotation", TN_KIND_ROTATION, "orientation, from the marker's axes to the element's",
                 .offset = offsetof(tn_in_place, rotation)),
    TN_VALUE_KEY("coordinate", TN_KIND_TEXT, "name of the coordinate of the element",
                 .offset = offsetof(tn_in_place, coordinate)),
    TN_VALUE_KEY("node", TN_KIND_TEXT, "name of the node of the element",
                 .offset = offsetof(tn_in_place, node)),
    {0}};
const tn_parameter tn_connector_parameters[] = {
    TN_VALUE_KEY("active", TN_KIND_BOOLEAN, "false: the element has no effect", .standard = 1.0, .high = 1.0,
                 .flags = TN_CHANGEABLE),
    {0}};
const tn_parameter tn_body_parameters[] = {
    TN_VALUE_KEY("pinned", TN_KIND_BOOLEAN,
                 "true: the start of the run leaves its position and velocity unchanged and moves the others",
                 .high = 1.0),
    {0}};

/* ---- keys ------------------------------------------------------------------------------------------------ */

enum { MOST_WORDS = 24 };

/* What an item's table may hold: `words` gets the keys that are no parameters. */
static tn_keys known_keys(const tn_template *origin, const tn_use *use, const char *words[MOST_WORDS])
{
    static const char *const common[] = {"name", "type", "id", "when"};
    size_t count = sizeof common / sizeof *common;
    memcpy(words, common, sizeof common);
    if (origin->kind == TN_TEMPLATE_MARKER && use && !use->port_count) words[count++] = "element";
    if (use && use->element && tn_can_rest(use->element)) words[count++] = "active";
    if (use && use->element && tn_has_motion(use->element)) words[count++] = "pinned";
    for (uint32_t k = 0; use && k < use->port_count && count < MOST_WORDS - 1; k++)
        words[count++] = use->ports[k].name;
    words[count] = NULL;
    const tn_synonym *synonyms = !use ? NULL : use->element ? use->element->synonyms : use->marker->synonyms;
    return (tn_keys){.words = words, .parameters = {origin->filler.parameters}, .synonyms = {synonyms}};
}

/* ---- references to markers ------------------------------------------------------------------------------- */

static bool compile_reference(tn_model *model, const tn_toml *node, struct tn_reference *reference)
{
    static const char *const words[] = {"element", NULL};
    const tn_keys keys = {.words = words, .parameters = {tn_in_place_parameters}};
    tn_source *source = &model->reader->source;
    if (node->kind == TN_TOML_STRING) return tn_pattern_compile(source, node, &reference->name);
    const tn_toml *element = node->kind == TN_TOML_TABLE ? tn_meant(node, "element", &keys) : NULL;
    if (!element)
        return tn_value_error(source, node,
                              "a marker is a name, or { element = \"..\", position = [..], rotation = .. }");
    tn_filler_prepare(source, node, tn_in_place_parameters, sizeof(tn_in_place), &reference->in_place);
    tn_check_keys(source, node, &keys);
    return tn_pattern_compile(source, element, &reference->name);
}

static void count_error(tn_model *model, const tn_toml *node, const tn_port *port)
{
    if (port->minimum == port->maximum)
        tn_value_error(&model->reader->source, node, "%u marker%s expected (%s)", port->minimum,
                       port->minimum == 1 ? " is" : "s are", port->meaning);
    else
        tn_value_error(&model->reader->source, node, "%u to %u markers are expected (%s)", port->minimum,
                       port->maximum, port->meaning);
}

/* One port: a name, a table in place, or an array of them. */
static void compile_port(tn_model *model, tn_template *origin, uint32_t index, const tn_port *port,
                         const tn_keys *keys)
{
    const tn_toml *node = tn_meant(origin->table, port->name, keys);
    if (!node) {
        if (port->minimum)
            tn_source_missing_key(&model->reader->source, origin->table, port->name, port->meaning, NULL);
        return;
    }
    const bool array = node->kind == TN_TOML_ARRAY;
    const size_t count = array ? node->count : 1;
    if (count < port->minimum || count > port->maximum) {
        count_error(model, node, port);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        TN_APPEND(origin->reference, origin->reference_count, (struct tn_reference){.port = index});
        (void)compile_reference(model, array ? node->child[k] : node,
                                &origin->reference[origin->reference_count - 1]);
    }
}

static void compile_ports(tn_model *model, tn_template *origin, const tn_use *use, const tn_keys *keys)
{
    uint32_t *first = tn_arena_new(&model->arena, (use->port_count + 1) * sizeof *first);
    for (uint32_t k = 0; k < use->port_count; k++) {
        model->reader->source.key = use->ports[k].name;
        compile_port(model, origin, k, &use->ports[k], keys);
        first[k + 1] = origin->reference_count;
    }
    origin->base.port_first = first;
    model->reader->source.key = NULL;
}

/* What a marker is fixed to. */
static void compile_host(tn_model *model, tn_template *origin, const tn_keys *keys)
{
    const tn_toml *host = tn_meant(origin->table, "element", keys);
    origin->reference = tn_new(1, sizeof *origin->reference);
    origin->reference_count = 1;
    if (host)
        (void)tn_pattern_compile(&model->reader->source, host, &origin->reference->name);
    else
        tn_source_missing_key(&model->reader->source, origin->table, "element",
                              "element that the marker is fixed to", NULL);
}

/* ---- items ----------------------------------------------------------------------------------------------- */

static bool compile_boolean(tn_model *model, const tn_template *origin, const char *key, bool standard)
{
    const tn_toml *node = tn_toml_get(origin->table, key);
    if (!node) return standard;
    if (node->kind != TN_TOML_BOOLEAN)
        tn_value_error(&model->reader->source, node, "true or false is expected");
    return node->integer;
}

/* A number of each copy, such as `id`; `when` may be true or false as it stands. */
static void compile_number(tn_model *model, const tn_toml *node, bool boolean, tn_quantity *number)
{
    if (node && boolean && node->kind == TN_TOML_BOOLEAN)
        *number = (tn_quantity){.node = node, .value = (double)node->integer, .factor = 1.0};
    else if (node && !tn_quantity_compile(&model->reader->source, node, "", &(tn_allowed){0}, number))
        number->node = NULL;
}

void tn_template_name(tn_model *model, tn_template *origin, const tn_keys *keys)
{
    const tn_toml *node = tn_meant(origin->table, "name", keys);
    if (!node) tn_source_missing_key(&model->reader->source, origin->table, "name", NULL, NULL);
    origin->nameless = !node || !tn_pattern_compile(&model->reader->source, node, &origin->name);
    if (node && node->key) origin->base.name_place = node->key_place;
    if (origin->nameless) model->reader->incomplete = true;
}

/* Finds the type of an element or marker; the rest of a table without one cannot be judged. */
static bool find_use(tn_model *model, tn_template *origin)
{
    const char *words[MOST_WORDS];
    const tn_keys keys = known_keys(origin, NULL, words);
    const tn_toml *node = tn_meant(origin->table, "type", &keys);
    const char *kind = origin->kind == TN_TEMPLATE_ELEMENT ? TN_ELEMENT_KIND : TN_MARKER_KIND;
    if (!node)
        tn_source_missing_key(&model->reader->source, origin->table, "type", NULL, NULL);
    else if (strcmp(node->key, "type") != 0)
        tn_source_unknown_key(&model->reader->source, node, &(tn_nearest){.best = "type"});
    else if (node->kind != TN_TOML_STRING)
        tn_value_error(&model->reader->source, node, "a string is expected");
    else
        origin->base.use = tn_use_named(model, kind, &node->at, node->text);
    return origin->base.use != TN_NONE;
}

static void compile_typed(tn_model *model, tn_template *origin)
{
    const char *words[MOST_WORDS];
    const bool typed = find_use(model, origin);
    const tn_use *use = typed ? &model->use[origin->base.use] : NULL;
    if (typed) origin->table = tn_routines_replace(model, origin, origin->table, use->type->parameters);
    if (typed)
        tn_filler_prepare(&model->reader->source, origin->table, use->type->parameters, use->instance_size,
                          &origin->filler);
    origin->base.dynamic = origin->filler.dynamic;
    tn_units_check_callables(model, &origin->filler);
    const tn_keys keys = known_keys(origin, use, words);
    tn_template_name(model, origin, &keys);
    if (!typed) return;
    tn_check_keys(&model->reader->source, origin->table, &keys);
    compile_ports(model, origin, use, &keys);
    origin->base.active = compile_boolean(model, origin, "active", true);
    origin->base.pinned = compile_boolean(model, origin, "pinned", false);
    if (origin->kind == TN_TEMPLATE_MARKER && !use->port_count) compile_host(model, origin, &keys);
}

static void compile_table(tn_model *model, tn_template *origin)
{
    const size_t before = tn_error_count(model->reader->diagnostics);
    compile_number(model, tn_toml_get(origin->table, "when"), true, &origin->when);
    /* in a copy of its own, what is left out need not be right */
    if (model->reader->source.variable_value && !tn_template_wanted(model, origin)) return;
    compile_number(model, tn_toml_get(origin->table, "id"), false, &origin->id);
    if (origin->kind == TN_TEMPLATE_SENSOR)
        tn_sensor_compile(model, origin);
    else if (origin->kind == TN_TEMPLATE_SIGNAL)
        tn_signal_compile(model, origin);
    else if (origin->kind == TN_TEMPLATE_CHANGE)
        tn_change_compile(model, origin);
    else
        compile_typed(model, origin);
    origin->base.wrong = tn_error_count(model->reader->diagnostics) != before;
}

tn_template *tn_template_new(const tn_toml *table, uint32_t kind)
{
    tn_template *origin = tn_new(1, sizeof *origin);
    *origin = (tn_template){
        .base = {.at = &table->at, .name_place = table->place, .use = TN_NONE}, .table = table, .kind = kind};
    return origin;
}

void tn_template_compile(tn_model *model, tn_template *origin)
{
    const char *outer = model->reader->source.item;
    model->reader->source.item = tn_toml_text(origin->table, "name");
    compile_table(model, origin);
    model->reader->source.item = outer;
}

bool tn_template_wanted(tn_model *model, const tn_template *origin)
{
    /* where that cannot be told the copy is made, so that others find it */
    double value = 1.0;
    return !origin->when.node ||
           !tn_quantity_evaluate(&model->reader->source, &origin->when, model->reader->source.variable_value,
                                 &value) ||
           value != 0.0;
}

bool tn_template_id(tn_model *model, const tn_template *origin, char *text, size_t size)
{
    const tn_quantity *id = &origin->id;
    double value = 0.0;
    if (!id->node ||
        !tn_quantity_evaluate(&model->reader->source, id, model->reader->source.variable_value, &value))
        return false;
    if (value != floor(value) || fabs(value) > 9e15)
        return tn_value_error(&model->reader->source, id->node, "an integer is expected, not %.17g", value);
    (void)snprintf(text, size, "%.0f", value);
    return true;
}

/* template.c - compiles the items of a file and its repeats, and walks through all copies */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

static const tn_parameter in_place_parameters[] = {{.name = "position",
                                                    .meaning = "from the element's reference point",
                                                    .unit = "m",
                                                    .low = -TN_UNBOUNDED,
                                                    .high = TN_UNBOUNDED,
                                                    .offset = offsetof(tn_in_place, position),
                                                    .kind = TN_KIND_REAL,
                                                    .count = 3},
                                                   {.name = "rotation",
                                                    .meaning = "takes marker axes into the element's",
                                                    .unit = "",
                                                    .offset = offsetof(tn_in_place, rotation),
                                                    .kind = TN_KIND_ROTATION,
                                                    .count = 1},
                                                   {0}};

static void *add_pointer(void ***array, size_t *capacity, size_t *count, size_t size)
{
    *array = tn_grow(*array, capacity, *count + 1, sizeof **array);
    return (*array)[(*count)++] = tn_new(1, size);
}

/* ---- references to markers ------------------------------------------------------------------------------- */

static bool compile_reference(tn_model *model, const tn_toml *node, struct tn_reference *reference)
{
    tn_source *source = &model->source;
    if (node->kind == TN_TOML_STRING) return tn_pattern_compile(source, node, &reference->name);
    const tn_toml *element = node->kind == TN_TOML_TABLE ? tn_toml_get(node, "element") : NULL;
    if (!element) {
        tn_source_error(source, node,
                        "a marker is a name, or { element = \"..\", position = [..], rotation = .. }");
        return false;
    }
    const size_t before = tn_error_count(model->diagnostics);
    tn_filler_prepare(source, node, in_place_parameters, sizeof(tn_in_place), &reference->in_place);
    tn_check_keys(source, node, (const tn_parameter *const[]){in_place_parameters, NULL},
                  (const char *const[]){"element", NULL});
    return tn_pattern_compile(source, element, &reference->name) &&
           tn_error_count(model->diagnostics) == before;
}

static void count_error(tn_model *model, const tn_toml *node, const tn_port *port)
{
    if (port->minimum == port->maximum)
        tn_source_error(&model->source, node, "`%s` takes %u marker%s (%s)", port->name, port->minimum,
                        port->minimum == 1 ? "" : "s", port->meaning);
    else
        tn_source_error(&model->source, node, "`%s` takes %u to %u markers (%s)", port->name, port->minimum,
                        port->maximum, port->meaning);
}

/* One port: a name, a table in place, or an array of them. */
static bool compile_port(tn_model *model, tn_template *origin, uint32_t index, const tn_port *port)
{
    const tn_toml *node = tn_toml_get(origin->table, port->name);
    if (!node) {
        if (!port->minimum) return true;
        tn_source_error(&model->source, origin->table, "missing key `%s` (%s)", port->name, port->meaning);
        return false;
    }
    const bool array = node->kind == TN_TOML_ARRAY;
    const size_t count = array ? node->count : 1;
    if (count < port->minimum || count > port->maximum) {
        count_error(model, node, port);
        return false;
    }
    bool good = true;
    for (size_t k = 0; k < count; k++) {
        size_t capacity = origin->reference_count;
        origin->reference =
            tn_grow(origin->reference, &capacity, origin->reference_count + 1u, sizeof *origin->reference);
        struct tn_reference *reference = &origin->reference[origin->reference_count++];
        *reference = (struct tn_reference){.port = index};
        good = compile_reference(model, array ? node->child[k] : node, reference) && good;
    }
    return good;
}

static bool compile_ports(tn_model *model, tn_template *origin, const tn_use *use)
{
    bool good = true;
    origin->port_first = tn_arena_new(&model->arena, (use->port_count + 1) * sizeof(uint32_t));
    for (uint32_t k = 0; k < use->port_count; k++) {
        good = compile_port(model, origin, k, &use->ports[k]) && good;
        origin->port_first[k + 1] = origin->reference_count;
    }
    return good;
}

/* ---- items ----------------------------------------------------------------------------------------------- */

static bool compile_active(tn_model *model, tn_template *origin)
{
    const tn_toml *node = tn_toml_get(origin->table, "active");
    origin->active = !node || node->integer;
    if (!node || node->kind == TN_TOML_BOOLEAN) return true;
    tn_source_error(&model->source, node, "`active` is true or false");
    return false;
}

static bool compile_when(tn_model *model, tn_template *origin)
{
    const tn_toml *node = tn_toml_get(origin->table, "when");
    if (!node) return true;
    if (node->kind == TN_TOML_BOOLEAN) {
        origin->when = (tn_quantity){.node = node, .value = (double)node->integer, .factor = 1.0};
        return true;
    }
    return tn_quantity_compile(&model->source, node, "", &(tn_allowed){.logic = true}, &origin->when);
}

/* Keys that a table may have besides its parameters. */
static void check_keys(tn_model *model, const tn_template *origin, const tn_use *use)
{
    const char *words[16] = {"name", "type", "id", "when"};
    size_t count = 4;
    if (origin->kind == TN_TEMPLATE_MARKER && !use->port_count) words[count++] = "element";
    if (origin->kind == TN_TEMPLATE_ELEMENT && use->port_count) words[count++] = "active";
    for (uint32_t k = 0; k < use->port_count && count < 15; k++)
        words[count++] = use->ports[k].name;
    words[count] = NULL;
    tn_check_keys(&model->source, origin->table,
                  (const tn_parameter *const[]){origin->filler.parameters, NULL}, words);
}

static bool compile_name(tn_model *model, tn_template *origin)
{
    const tn_toml *node = tn_toml_get(origin->table, "name");
    if (node) return tn_pattern_compile(&model->source, node, &origin->name);
    tn_source_error(&model->source, origin->table, "missing key `name`");
    return false;
}

static bool compile_typed(tn_model *model, tn_template *origin)
{
    tn_source *source = &model->source;
    const tn_toml *type = tn_toml_get(origin->table, "type");
    const bool element = origin->kind == TN_TEMPLATE_ELEMENT;
    if (!type || type->kind != TN_TOML_STRING) {
        tn_source_error(source, type ? type : origin->table,
                        type ? "`type` is a string" : "missing key `type`");
        return false;
    }
    origin->use = tn_model_use(model, element ? TN_ELEMENT_KIND : TN_MARKER_KIND, type, type->text);
    if (origin->use == TN_NONE) return false;
    const tn_use *use = &model->use[origin->use];
    const size_t before = tn_error_count(model->diagnostics);
    tn_filler_prepare(source, origin->table, element ? use->element->parameters : use->marker->parameters,
                      use->instance_size, &origin->filler);
    check_keys(model, origin, use);
    bool good = compile_ports(model, origin, use);
    if (!element) {
        const tn_toml *host = tn_toml_get(origin->table, "element");
        if (!host)
            tn_source_error(source, origin->table, "missing key `element` (what the marker is fixed to)");
        origin->reference = tn_new(1, sizeof *origin->reference);
        origin->reference_count = 1;
        good = host && tn_pattern_compile(source, host, &origin->reference->name) && good;
    }
    return compile_active(model, origin) && good && tn_error_count(model->diagnostics) == before;
}

static void compile_item(tn_model *model, const tn_toml *table, int kind, tn_block *block)
{
    if (table->kind != TN_TOML_TABLE) {
        tn_source_error(&model->source, table, "a table is expected");
        return;
    }
    tn_template *origin =
        add_pointer((void ***)&block->item, &block->item_capacity, &block->item_count, sizeof *origin);
    origin->table = table;
    origin->kind = kind;
    origin->use = TN_NONE;
    origin->nameless = !compile_name(model, origin);
    bool good = compile_when(model, origin);
    if (kind != TN_TEMPLATE_SENSOR) good = compile_typed(model, origin) && good;
    origin->wrong = !good;
}

/* ---- blocks ---------------------------------------------------------------------------------------------- */

static void compile_repeat(tn_model *model, const tn_toml *table, tn_block *block)
{
    tn_source *source = &model->source;
    const tn_toml *count = tn_toml_get(table, "count"), *variable = tn_toml_get(table, "variable");
    block->variable = "i";
    if (variable && (variable->kind != TN_TOML_STRING || !tn_is_name(variable->text)))
        tn_source_error(source, variable, "`variable` is a name");
    else if (variable)
        block->variable = variable->text;
    const tn_toml *place = variable ? variable : table;
    if (tn_expression_reserved(block->variable))
        tn_source_error(source, place, "`%s` is a word of the expression language: choose another name",
                        block->variable);
    if (tn_names_find(&source->parameters.names, block->variable) != TN_NO_NAME)
        tn_source_error(source, place, "`%s` is the name of a parameter, too", block->variable);
    for (uint32_t k = 0; k < source->depth; k++)
        if (strcmp(source->variable[k], block->variable) == 0)
            tn_source_error(source, place, "an outer repeat counts with `%s`, too", block->variable);
    if (!count)
        tn_source_error(source, table, "missing key `count`");
    else
        (void)tn_quantity_compile(source, count, "", &(tn_allowed){.logic = true}, &block->count);
    if (source->depth == TN_REPEAT_DEPTH) {
        tn_source_error(source, table, "repeats are nested more than %d deep", TN_REPEAT_DEPTH);
        return;
    }
    source->variable[source->depth++] = block->variable;
    tn_block_compile(model, table, block);
    source->depth--;
    tn_check_keys(source, table, (const tn_parameter *const[]){NULL},
                  (const char *const[]){"count", "variable", "element", "marker", "sensor", "repeat", NULL});
}

static const tn_toml *array_of(tn_model *model, const tn_toml *table, const char *key)
{
    const tn_toml *node = tn_toml_get(table, key);
    if (!node || node->kind == TN_TOML_ARRAY) return node;
    tn_source_error_at(&model->source, node->key_place, "`%s` is an array of tables: write [[%s]]", key, key);
    return NULL;
}

void tn_block_compile(tn_model *model, const tn_toml *table, tn_block *block)
{
    static const char *const keys[] = {"element", "marker", "sensor"};
    for (int kind = 0; kind < 3; kind++) {
        const tn_toml *array = array_of(model, table, keys[kind]);
        for (size_t k = 0; array && k < array->count; k++)
            compile_item(model, array->child[k], kind, block);
    }
    const tn_toml *repeats = array_of(model, table, "repeat");
    for (size_t k = 0; repeats && k < repeats->count; k++) {
        if (repeats->child[k]->kind != TN_TOML_TABLE) {
            tn_source_error(&model->source, repeats->child[k], "a table is expected");
            continue;
        }
        compile_repeat(model, repeats->child[k],
                       add_pointer((void ***)&block->inner, &block->inner_capacity, &block->inner_count,
                                   sizeof(tn_block)));
    }
}

static void free_template(tn_template *origin)
{
    tn_filler_free(&origin->filler);
    tn_pattern_free(&origin->name);
    tn_quantity_free(&origin->when);
    for (uint32_t k = 0; k < origin->reference_count; k++) {
        tn_pattern_free(&origin->reference[k].name);
        tn_filler_free(&origin->reference[k].in_place);
    }
    free(origin->reference);
    free(origin);
}

void tn_block_free(tn_block *block)
{
    if (!block) return;
    for (size_t k = 0; k < block->item_count; k++)
        free_template(block->item[k]);
    for (size_t k = 0; k < block->inner_count; k++)
        tn_block_free(block->inner[k]);
    tn_quantity_free(&block->count);
    free(block->item);
    free(block->inner);
    free(block);
}

/* True when `when` is absent or holds for the copy in hand. */
static bool wanted(tn_model *model, const tn_template *origin)
{
    double value = 1.0;
    return !origin->when.node ||
           (tn_quantity_evaluate(&model->source, &origin->when, model->source.variable_value, &value) &&
            value != 0.0);
}

typedef void visitor(tn_model *model, tn_template *origin, void *data);

static void walk(tn_model *model, const tn_block *block, double *values, visitor *visit, void *data)
{
    for (size_t k = 0; k < block->item_count; k++)
        if (!block->item[k]->nameless && wanted(model, block->item[k])) visit(model, block->item[k], data);

    tn_source *source = &model->source;
    for (size_t k = 0; k < block->inner_count; k++) {
        const tn_block *inner = block->inner[k];
        double count = 0.0;
        if (!inner->count.node || !tn_quantity_evaluate(source, &inner->count, values, &count)) continue;
        if (!(count >= 0.0 && count < 1e9 && count == (double)(int64_t)count)) {
            tn_source_error(source, inner->count.node, "`count` must be an integer from 0 on, not %g", count);
            continue;
        }
        const uint32_t depth = source->depth++;
        source->variable[depth] = inner->variable;
        for (double i = 0.0; i < count; i++) {
            values[depth] = i;
            walk(model, inner, values, visit, data);
        }
        source->depth = depth;
    }
}

void tn_block_walk(tn_model *model, const tn_block *block, visitor *visit, void *data)
{
    double values[TN_REPEAT_DEPTH + 1] = {0.0};
    model->source.variable_value = values;
    walk(model, block, values, visit, data);
    model->source.variable_value = NULL;
}

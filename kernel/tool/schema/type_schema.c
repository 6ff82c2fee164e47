/* type_schema.c - tables whose keys depend on their `type`: elements, markers, signals, solvers */
#include "tables/tables.h"
#include "schema/schema.h"

#include "config/plugin_texts.h"
#include "run/plan.h"

#include <string.h>

static const char *const item_words[] = {"name", "id", "when", NULL}, *const no_words[] = {NULL};
static const tn_schema_section sections[] = {
    {"element", TN_ELEMENT_KIND, "an item that contributes to the equations of motion", NULL, item_words,
     NULL, false},
    {"marker", TN_MARKER_KIND, "a place on an element that others connect to", NULL, item_words, NULL, false},
    {"signal", TN_FUNCTION_KIND, "a function for expressions, made from data", "spline", item_words, NULL,
     true},
    {"solver", TN_SOLVER_KIND, "the integrator of the equations of motion", NULL, no_words,
     tn_solver_parameters, false}};

/* ---- the keys of one type ---------------------------------------------------------------------------------- */

/* A type in the section that it belongs to. */
typedef struct entry {
    const tn_schema_section *section;
    tn_description type;
    bool rests, moves, rides, ends; /* ends: a solver that goes on to a time */
    const char *key;                /* of its definition */
} entry;

typedef struct entries {
    const tn_schema_section *section;
    entry *entry;
    size_t count;
} entries;

/* Functions without parameters exist without a declaration: they are left out. */
static void add_type_entry(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    (void)file;
    entries *all = data;
    const tn_schema_section *of = all->section;
    entry added = {.section = of, .type = tn_type_description(kind, type)};
    if (of->reads_file && !(added.type.parameters && added.type.parameters->name)) return;
    added.ends =
        strcmp(of->kind, TN_SOLVER_KIND) == 0 && !(((const tn_solver_type *)type)->flags & TN_SINGLE_STATE);
    const bool has_ports = added.type.ports && added.type.ports->name;
    added.rests = strcmp(of->kind, TN_ELEMENT_KIND) == 0 && tn_can_rest(type);
    added.moves = strcmp(of->kind, TN_ELEMENT_KIND) == 0 && tn_has_motion(type);
    added.rides = !has_ports && strcmp(of->kind, TN_MARKER_KIND) == 0;
    tn_text key = {0};
    tn_text_add(&key, "%s.%s", of->key, added.type.name);
    added.key = key.letters;
    TN_APPEND(all->entry, all->count, added);
}

/* All types of a section. */
static entries find_entries(tn_schema *schema, const tn_schema_section *of)
{
    entries all = {.section = of};
    tn_types_visit(schema->registry, of->kind, add_type_entry, &all);
    return all;
}

/* An array of markers; where one is enough, that one alone, too. */
static void print_port_property(tn_json *json, const tn_port *port)
{
    const bool may_be_single = port->minimum <= 1;
    tn_json_print(json, "%s: {'description': %s", port->name, port->meaning);
    if (may_be_single) tn_json_print(json, "'anyOf': [" REFERENCE("marker_reference") "{");
    tn_json_print(json, "'type': 'array'");
    if (port->minimum) tn_json_number(json, "minItems", port->minimum);
    if (port->maximum != UINT32_MAX) tn_json_number(json, "maxItems", port->maximum);
    tn_json_print(json, "'items': " REFERENCE("marker_reference"));
    tn_json_print(json, may_be_single ? "}]}" : "}");
}

static bool is_list(const tn_parameter *parameter) { return parameter->kind == TN_KIND_LIST; }

/* A file of numbers, and which of its columns the lists are. */
static void print_data_file(tn_json *json, const entry *of)
{
    uint32_t lists = 0;
    for (const tn_parameter *parameter = of->type.parameters; parameter->name; parameter++)
        lists += is_list(parameter);
    tn_json_print(json, "'file': " REFERENCE(
                            "file") "'columns': {"
                                    "'description': 'columns of the file, counted from 0', 'type': 'array'");
    if (lists) tn_json_print(json, "'minItems': %u", lists);
    tn_json_print(json, "'maxItems': %u, 'items': " REFERENCE("index") "}", lists);
}

static void print_properties(tn_schema *schema, const entry *of)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "'properties': {'type': {'description': %s, 'const': %s}", of->type.summary,
                  of->type.name);
    for (const char *const *word = of->section->words; *word; word++)
        tn_schema_refer(schema, *word, *word);
    if (of->rides) tn_json_print(json, "'element': " STRING("'element that the marker is fixed to'"));
    for (const tn_port *port = of->type.ports; port && port->name; port++)
        print_port_property(json, port);
    tn_schema_parameters(schema, of->type.parameters);
    tn_schema_parameters(schema, of->section->shared);
    if (of->rests) tn_schema_parameters(schema, tn_connector_parameters);
    if (of->moves) tn_schema_parameters(schema, tn_body_parameters);
    if (of->section->reads_file) print_data_file(json, of);
    tn_json_close(json);
}

static void print_required(tn_schema *schema, const entry *of)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "'required': [");
    if (*of->section->words) tn_json_text(json, NULL, *of->section->words);
    if (of->rides) tn_json_text(json, NULL, "element");
    if (of->ends) tn_json_text(json, NULL, "end_time");
    for (const tn_port *port = of->type.ports; port && port->name; port++)
        if (port->minimum) tn_json_text(json, NULL, port->name);
    if (!of->section->reads_file) tn_schema_required(schema, of->type.parameters);
    tn_schema_required(schema, of->section->shared);
    tn_json_close(json);
}

/* With a file there are no lists, without one no columns; parameters that must be there. */
static void print_required_data(tn_schema *schema, const entry *of)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "'if': {'required': ['file']}, 'then': {'required': [");
    for (const tn_parameter *parameter = of->type.parameters; parameter->name; parameter++)
        if (parameter->flags & TN_REQUIRED && !is_list(parameter)) tn_json_text(json, NULL, parameter->name);
    tn_json_print(json, "], 'properties': {");
    for (const tn_parameter *parameter = of->type.parameters; parameter->name; parameter++)
        if (is_list(parameter)) tn_json_boolean(json, parameter->name, false);
    tn_json_print(json, "}}, 'else': {'required': [");
    tn_schema_required(schema, of->type.parameters);
    tn_json_print(json, "], 'properties': {'columns': false}}");
}

static void define_type(tn_schema *schema, const entry *of)
{
    tn_json_print(&schema->json, "%s: {'description': %s, 'type': 'object'", of->key, of->type.summary);
    print_properties(schema, of);
    print_required(schema, of);
    if (of->section->reads_file) print_required_data(schema, of);
    for (const tn_parameter *p = of->type.parameters; p && p->name; p++)
        if (p->flags & TN_BESIDE)
            tn_json_print(
                &schema->json,
                "'anyOf': [{'required': [%s]}, {'required': ['library']}, {'required': ['script']}]",
                p->name);
    tn_json_print(&schema->json, "'additionalProperties': false}");
}

/* ---- the choice of a type ---------------------------------------------------------------------------------- */

static void print_names(tn_json *json, const entries *all)
{
    tn_json_print(json, "'enum': [");
    for (size_t k = 0; k < all->count; k++)
        tn_json_text(json, NULL, all->entry[k].type.name);
    tn_json_close(json);
}

/* Their names, or tables with the name and the parameters of one type. */
void tn_schema_type_choice(tn_schema *schema, const char *kind)
{
    tn_json *json = &schema->json;
    const tn_schema_section any = {.key = kind, .kind = kind};
    entries all = find_entries(schema, &any);
    tn_json_print(json, "'anyOf': [{");
    print_names(json, &all);
    tn_json_close(json);
    for (size_t k = 0; k < all.count; k++) {
        const tn_description *type = &all.entry[k].type;
        tn_json_print(json, TABLE("%s") "'type': {'const': %s}", type->summary, type->name);
        tn_schema_parameters(schema, type->parameters);
        tn_json_print(json, "}, 'required': ['type'");
        tn_schema_required(schema, type->parameters);
        tn_json_print(json, "], 'additionalProperties': false}");
    }
    tn_json_close(json);
}

/* A table of a section: its type chooses by `if` the keys that it has. Without `type` it passes for the standard one. Editors that look
 * into no `if` find the keys in `anyOf`, which lets everything pass. */
static void print_type_choice(tn_schema *schema, const entries *all)
{
    tn_json *json = &schema->json;
    const char *standard = all->section->standard;
    bool needs_type = true;
    tn_json_print(json, "%s: " TABLE("%s") "'type': {", all->section->key, all->section->description);
    print_names(json, all);
    tn_json_print(json, "}}");
    for (size_t k = 0; standard && k < all->count; k++)
        needs_type = needs_type && strcmp(all->entry[k].type.name, standard) != 0;
    if (needs_type) tn_json_print(json, "'required': ['type']");
    tn_json_print(json, "'allOf': [");
    for (size_t k = 0; k < all->count; k++) {
        const entry *of = &all->entry[k];
        tn_json_print(json, "{'if': {'properties': {'type': {'const': %s}}", of->type.name);
        if (!standard || strcmp(standard, of->type.name) != 0) tn_json_print(json, "'required': ['type']");
        tn_json_close(json);
        tn_schema_refer(schema, "then", of->key);
        tn_json_close(json);
    }
    tn_json_print(json, "], 'anyOf': [");
    for (size_t k = 0; k < all->count; k++)
        tn_schema_refer(schema, NULL, all->entry[k].key);
    tn_json_print(json, "true]}");
}

void tn_schema_define_section(tn_schema *schema, const tn_schema_section *section)
{
    entries all = find_entries(schema, section);
    if (all.count)
        print_type_choice(schema, &all);
    else
        tn_json_boolean(&schema->json, section->key, false);
    for (size_t k = 0; k < all.count; k++)
        define_type(schema, &all.entry[k]);
}

void tn_schema_define_types(tn_schema *schema)
{
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        tn_schema_define_section(schema, &sections[k]);
}

/* types.c - tables whose keys depend on their `type`: elements, markers, signals, solvers */
#include "schema/schema.h"

#include "run/plan.h"

#include <string.h>

/* Tables of one kind of type. */
typedef struct section {
    const char *key;         /* of the definition */
    const char *kind;        /* of type */
    const char *description; /* of a table */
    const char *standard;    /* type of a table that names none; NULL: it must */
    /* keys that are no parameters, each with a definition of its own; the first one must be there */
    const char *const *words;
    const tn_parameter *shared; /* keys of every type, or NULL */
    bool reads_file;            /* data may stand in a file instead of in parameters */
} section;

static const char *const item_words[] = {"name", "id", "when", NULL}, *const no_words[] = {NULL};
static const section sections[] = {
    {"element", TN_ELEMENT_KIND, "something that contributes to the equations of motion", NULL, item_words,
     NULL, false},
    {"marker", TN_MARKER_KIND, "a place on an element, where others meet it", NULL, item_words, NULL, false},
    {"signal", TN_FUNCTION_KIND, "a function for expressions, made from data", "spline", item_words, NULL,
     true},
    {"solver", TN_SOLVER_KIND, "what turns the equations into motion", NULL, no_words, tn_solver_parameters,
     false}};

/* ---- the keys of one type ---------------------------------------------------------------------------------- */

/* A type in the section that it belongs to. */
typedef struct entry {
    const section *section;
    tn_description type;
    bool rests, moves, rides;
    const char *key; /* of its definition */
} entry;

typedef struct entries {
    const section *section;
    entry *entry;
    size_t count, capacity;
    tn_arena arena; /* of the keys */
} entries;

/* Functions without parameters exist without being declared: they are left out. */
static void add_entry(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    (void)file;
    entries *all = data;
    const section *of = all->section;
    entry added = {.section = of, .type = tn_type_description(kind, type)};
    if (of->reads_file && !(added.type.parameters && added.type.parameters->name)) return;
    const bool has_ports = added.type.ports && added.type.ports->name;
    added.rests = strcmp(of->kind, TN_ELEMENT_KIND) == 0 && tn_can_rest(type);
    added.moves = strcmp(of->kind, TN_ELEMENT_KIND) == 0 && tn_has_motion(type);
    added.rides = !has_ports && strcmp(of->kind, TN_MARKER_KIND) == 0;
    added.key = tn_arena_print(&all->arena, "%s.%s", of->key, added.type.name);
    all->entry = tn_grow(all->entry, &all->capacity, all->count + 1, sizeof *all->entry);
    all->entry[all->count++] = added;
}

static void free_entries(entries *all)
{
    tn_free(all->entry);
    tn_arena_free(&all->arena);
}

/* All types of a section. */
static entries find_entries(tn_schema *schema, const section *of)
{
    entries all = {.section = of};
    tn_registry_visit(schema->registry, of->kind, add_entry, &all);
    return all;
}

/* An array of markers; where one is enough, that one alone, too. */
static void print_port(tn_schema *schema, const tn_port *port)
{
    tn_json *json = &schema->json;
    const bool may_be_single = port->minimum <= 1;
    tn_json_open(json, port->name, '{');
    tn_json_text(json, "description", port->meaning);
    if (may_be_single) {
        tn_json_open(json, "anyOf", '[');
        tn_schema_refer(schema, NULL, "marker_reference");
        tn_json_open(json, NULL, '{');
    }
    tn_schema_array(schema, port->minimum, port->maximum);
    tn_schema_refer(schema, "items", "marker_reference");
    if (may_be_single) {
        tn_json_close(json);
        tn_json_close(json);
    }
    tn_json_close(json);
}

static bool is_list(const tn_parameter *parameter) { return parameter->kind == TN_KIND_LIST; }

/* A file of numbers, and which of its columns the lists are. */
static void print_data_file(tn_schema *schema, const entry *of)
{
    uint32_t lists = 0;
    for (const tn_parameter *parameter = of->type.parameters; parameter->name; parameter++)
        lists += is_list(parameter);
    tn_schema_refer(schema, "file", "file");
    tn_json_open(&schema->json, "columns", '{');
    tn_json_text(&schema->json, "description", "columns of the file, counted from 0");
    tn_schema_array(schema, lists, lists);
    tn_schema_refer(schema, "items", "index");
    tn_json_close(&schema->json);
}

static void print_properties(tn_schema *schema, const entry *of)
{
    tn_json *json = &schema->json;
    tn_json_open(json, "properties", '{');
    tn_json_open(json, "type", '{');
    tn_json_text(json, "description", of->type.summary);
    tn_json_text(json, "const", of->type.name);
    tn_json_close(json);
    for (const char *const *word = of->section->words; *word; word++)
        tn_schema_refer(schema, *word, *word);
    if (of->rides) tn_schema_string(schema, "element", "what the marker is fixed to");
    for (const tn_port *port = of->type.ports; port && port->name; port++)
        print_port(schema, port);
    tn_schema_parameters(schema, of->type.parameters);
    tn_schema_parameters(schema, of->section->shared);
    if (of->rests) tn_schema_parameters(schema, tn_connector_parameters);
    if (of->moves) tn_schema_parameters(schema, tn_body_parameters);
    if (of->section->reads_file) print_data_file(schema, of);
    tn_json_close(json);
}

static void print_required(tn_schema *schema, const entry *of)
{
    tn_json *json = &schema->json;
    tn_json_open(json, "required", '[');
    if (*of->section->words) tn_json_text(json, NULL, *of->section->words);
    if (of->rides) tn_json_text(json, NULL, "element");
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
    tn_json_open(json, "if", '{');
    tn_schema_words(schema, "required", (const char *const[]){"file", NULL});
    tn_json_close(json);
    tn_json_open(json, "then", '{');
    tn_json_open(json, "required", '[');
    for (const tn_parameter *parameter = of->type.parameters; parameter->name; parameter++)
        if (parameter->flags & TN_REQUIRED && !is_list(parameter)) tn_json_text(json, NULL, parameter->name);
    tn_json_close(json);
    tn_json_open(json, "properties", '{');
    for (const tn_parameter *parameter = of->type.parameters; parameter->name; parameter++)
        if (is_list(parameter)) tn_json_boolean(json, parameter->name, false);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_open(json, "else", '{');
    tn_json_open(json, "required", '[');
    tn_schema_required(schema, of->type.parameters);
    tn_json_close(json);
    tn_json_open(json, "properties", '{');
    tn_json_boolean(json, "columns", false);
    tn_json_close(json);
    tn_json_close(json);
}

static void define_type(tn_schema *schema, const entry *of)
{
    tn_schema_open_table(schema, of->key, of->type.summary);
    print_properties(schema, of);
    print_required(schema, of);
    if (of->section->reads_file) print_required_data(schema, of);
    tn_schema_close_table(schema);
}

/* ---- the choice of a type ---------------------------------------------------------------------------------- */

static void print_names(tn_schema *schema, const entries *all)
{
    tn_json_open(&schema->json, "enum", '[');
    for (size_t k = 0; k < all->count; k++)
        tn_json_text(&schema->json, NULL, all->entry[k].type.name);
    tn_json_close(&schema->json);
}

/* A table with the name and the parameters of one type. */
static void print_with_parameters(tn_schema *schema, const entry *of)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, NULL, of->type.summary);
    tn_json_open(json, "properties", '{');
    tn_json_open(json, "type", '{');
    tn_json_text(json, "const", of->type.name);
    tn_json_close(json);
    tn_schema_parameters(schema, of->type.parameters);
    tn_json_close(json);
    tn_json_open(json, "required", '[');
    tn_json_text(json, NULL, "type");
    tn_schema_required(schema, of->type.parameters);
    tn_json_close(json);
    tn_schema_close_table(schema);
}

void tn_schema_type_choice(tn_schema *schema, const char *kind)
{
    const section any = {.key = kind, .kind = kind};
    entries all = find_entries(schema, &any);
    tn_json_open(&schema->json, "anyOf", '[');
    tn_json_open(&schema->json, NULL, '{');
    print_names(schema, &all);
    tn_json_close(&schema->json);
    for (size_t k = 0; k < all.count; k++)
        print_with_parameters(schema, &all.entry[k]);
    tn_json_close(&schema->json);
    free_entries(&all);
}

/* If it is of this type, it has the keys of that. Without `type` it passes for the standard one. */
static void print_condition(tn_schema *schema, const entry *of)
{
    tn_json *json = &schema->json;
    const char *standard = of->section->standard;
    tn_json_open(json, NULL, '{');
    tn_json_open(json, "if", '{');
    tn_json_open(json, "properties", '{');
    tn_json_open(json, "type", '{');
    tn_json_text(json, "const", of->type.name);
    tn_json_close(json);
    tn_json_close(json);
    if (!standard || strcmp(standard, of->type.name) != 0)
        tn_schema_words(schema, "required", (const char *const[]){"type", NULL});
    tn_json_close(json);
    tn_schema_refer(schema, "then", of->key);
    tn_json_close(json);
}

static bool may_lack_type(const entries *all)
{
    for (size_t k = 0; all->section->standard && k < all->count; k++)
        if (strcmp(all->entry[k].type.name, all->section->standard) == 0) return true;
    return false;
}

/* Editors that look into no `if` find the keys in `anyOf`, which lets everything pass. */
static void print_choice(tn_schema *schema, const entries *all)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, all->section->key, all->section->description);
    tn_json_open(json, "properties", '{');
    tn_json_open(json, "type", '{');
    print_names(schema, all);
    tn_json_close(json);
    tn_json_close(json);
    if (!may_lack_type(all)) tn_schema_words(schema, "required", (const char *const[]){"type", NULL});
    tn_json_open(json, "allOf", '[');
    for (size_t k = 0; k < all->count; k++)
        print_condition(schema, &all->entry[k]);
    tn_json_close(json);
    tn_json_open(json, "anyOf", '[');
    for (size_t k = 0; k < all->count; k++)
        tn_schema_refer(schema, NULL, all->entry[k].key);
    tn_json_boolean(json, NULL, true);
    tn_json_close(json);
    tn_json_close(json);
}

void tn_schema_define_types(tn_schema *schema)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        entries all = find_entries(schema, &sections[i]);
        if (all.count)
            print_choice(schema, &all);
        else
            tn_json_boolean(&schema->json, sections[i].key, false);
        for (size_t k = 0; k < all.count; k++)
            define_type(schema, &all.entry[k]);
        free_entries(&all);
    }
}

/* schema.c - the top of the JSON Schema: what a model file may hold (see schema.h) */
#include "tables/tables.h"
#include "schema/schema.h"

#include "run/plan.h"

#include <string.h>

/* ---- the keys at the top ------------------------------------------------------------------------------------ */

static void print_texts(tn_schema *schema, const char *key, const char *description)
{
    tn_json_open(&schema->json, key, '{');
    tn_schema_array(schema, 0, UINT32_MAX);
    tn_json_text(&schema->json, "description", description);
    tn_schema_string(schema, "items", NULL);
    tn_json_close(&schema->json);
}

static void print_model(tn_schema *schema, const char *key)
{
    tn_schema_open_table(schema, key, "settings of the whole model");
    tn_json_open(&schema->json, "properties", '{');
    tn_schema_parameters(schema, tn_model_parameters);
    tn_json_close(&schema->json);
    tn_schema_close_table(schema);
}

static void print_plugins(tn_schema *schema, const char *key)
{
    tn_schema_open_table(schema, key, "files of types, relative to the model: type = \"file.so\"");
    tn_json_open(&schema->json, "properties", '{');
    print_texts(schema, "search", "directories to search, too");
    tn_json_close(&schema->json);
    tn_schema_string(schema, "additionalProperties", NULL);
    tn_json_close(&schema->json);
}

static void print_parameters(tn_schema *schema, const char *key)
{
    tn_schema_refer(schema, key, "parameters");
}

static void print_include(tn_schema *schema, const char *key)
{
    tn_schema_open_table(schema, key, "other files to merge before this one");
    tn_json_open(&schema->json, "properties", '{');
    print_texts(schema, "files", "their paths, relative to this file");
    tn_json_close(&schema->json);
    tn_schema_words(schema, "required", (const char *const[]){"files", NULL});
    tn_schema_close_table(schema);
}

static void print_uses(tn_schema *schema, const char *key)
{
    print_texts(schema, key, "names of the outer model that a part uses");
}

void tn_schema_items(tn_schema *schema, const char *key, const char *definition)
{
    tn_json_open(&schema->json, key, '{');
    tn_schema_array(schema, 0, UINT32_MAX);
    tn_schema_refer(schema, "items", definition);
    tn_json_close(&schema->json);
}

static void print_items(tn_schema *schema, const char *key) { tn_schema_items(schema, key, key); }

/* An array of tables, or one table. The condition tells mistakes at their place; `anyOf`, which lets everything pass,
 * is for editors that look into no `if`. */
static void print_items_or(tn_schema *schema, const char *key, const char *single)
{
    tn_json *json = &schema->json;
    tn_json_open(json, key, '{');
    tn_json_open(json, "if", '{');
    tn_json_text(json, "type", "array");
    tn_json_close(json);
    tn_schema_items(schema, "then", key);
    tn_schema_refer(schema, "else", single);
    tn_json_open(json, "anyOf", '[');
    tn_schema_refer(schema, NULL, single);
    tn_schema_items(schema, NULL, key);
    tn_json_boolean(json, NULL, true);
    tn_json_close(json);
    tn_json_close(json);
}

/* [[part]], or what a file says that is a part itself. */
static void print_part(tn_schema *schema, const char *key) { print_items_or(schema, key, "interface"); }

static void print_solver(tn_schema *schema, const char *key) { print_items_or(schema, key, key); }

static void print_output(tn_schema *schema, const char *key)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, key, "recorded results, and their directory");
    tn_json_open(json, "properties", '{');
    tn_schema_parameters(schema, tn_output_parameters);
    tn_json_open(&schema->json, "writers", '{');
    tn_schema_array(schema, 0, UINT32_MAX);
    tn_json_text(json, "description", "writers of the results");
    tn_json_boolean(json, "uniqueItems", true);
    tn_json_open(json, "items", '{');
    tn_schema_type_choice(schema, TN_WRITER_KIND);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
    tn_schema_close_table(schema);
}

static void print_run(tn_schema *schema, const char *key)
{
    tn_schema_open_table(schema, key, "course of the run that wrote this file");
    tn_json_close(&schema->json);
}

static const struct top_key {
    const char *name;
    void (*print)(tn_schema *schema, const char *key);
    bool is_repeated; /* an array of items that a repeat may hold, too */
} top_keys[] = {{"model", print_model, false},
                {"plugins", print_plugins, false},
                {"parameters", print_parameters, false},
                {"include", print_include, false},
                {"uses", print_uses, false},
                {"part", print_part, false},
                {"element", print_items, true},
                {"marker", print_items, true},
                {"signal", print_items, true},
                {"input", print_items, false},
                {"sensor", print_items, true},
                {"change", print_items, true},
                {"repeat", print_items, true},
                {"solver", print_solver, false},
                {"output", print_output, false},
                {"run", print_run, false}};
enum { TOP_KEYS = sizeof top_keys / sizeof *top_keys };

bool tn_schema_knows(const char *key)
{
    for (size_t k = 0; k < TOP_KEYS; k++)
        if (strcmp(top_keys[k].name, key) == 0) return true;
    return false;
}

void tn_schema_repeated(tn_schema *schema)
{
    for (size_t k = 0; k < TOP_KEYS; k++)
        if (top_keys[k].is_repeated) top_keys[k].print(schema, top_keys[k].name);
}

/* ---- the whole --------------------------------------------------------------------------------------------- */

static void define_parameters(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, "parameters", "named numbers and expressions");
    tn_schema_refer(schema, "propertyNames", "plain_name");
    tn_schema_refer(schema, "additionalProperties", "number");
    tn_json_close(json);
}

static void define_interface(tn_schema *schema)
{
    tn_schema_open_table(schema, "interface", "names that the file of a part uses");
    tn_json_open(&schema->json, "properties", '{');
    print_uses(schema, "uses");
    tn_json_close(&schema->json);
    tn_schema_close_table(schema);
}

static bool has_word(const tn_keys *keys, const char *key)
{
    for (const char *const *word = keys->words; *word; word++)
        if (strcmp(*word, key) == 0) return true;
    return false;
}

/* { "part": { "type": TYPE } }, inside an open object. */
static void print_part_type(tn_schema *schema, const char *type)
{
    tn_json_open(&schema->json, "part", '{');
    tn_json_text(&schema->json, "type", type);
    tn_json_close(&schema->json);
}

/* The file of a part has a table [part], or begins with `uses`: some keys of a model have no place there. */
static void print_part_file(tn_schema *schema, const char *mark)
{
    tn_json *json = &schema->json;
    const bool is_table = strcmp(mark, "part") == 0;
    tn_json_open(json, NULL, '{');
    tn_json_open(json, "if", '{');
    tn_schema_words(schema, "required", (const char *const[]){mark, NULL});
    tn_json_open(json, "properties", '{');
    if (is_table) print_part_type(schema, "object");
    tn_json_close(json);
    tn_json_close(json);
    tn_json_open(json, "then", '{');
    tn_json_open(json, "properties", '{');
    for (const char *const *word = tn_model_keys.words; *word; word++)
        if (!has_word(&tn_part_file_keys, *word)) tn_json_boolean(json, *word, false);
    if (!is_table) print_part_type(schema, "array");
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
}

void tn_schema_print(tn_registry *registry, FILE *stream)
{
    tn_schema schema = {.json = {.stream = stream}, .registry = registry};
    tn_json *json = &schema.json;
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    tn_json_text(json, "title", "Tenon model");
    tn_json_text(json, "$comment", "by tenon " TENON_VERSION ", of the types that are installed");
    tn_json_text(json, "type", "object");
    tn_json_open(json, "properties", '{');
    for (size_t k = 0; k < TOP_KEYS; k++)
        top_keys[k].print(&schema, top_keys[k].name);
    tn_json_close(json);
    tn_json_boolean(json, "additionalProperties", false);
    tn_json_open(json, "allOf", '[');
    print_part_file(&schema, "part");
    print_part_file(&schema, "uses");
    tn_json_close(json);
    tn_json_open(json, "$defs", '{');
    tn_schema_define_values(&schema);
    define_parameters(&schema);
    define_interface(&schema);
    tn_schema_define_types(&schema);
    tn_schema_define_items(&schema);
    tn_json_close(json);
    tn_json_close(json);
}

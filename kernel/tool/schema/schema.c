/* schema.c - the top of the JSON Schema: what a model file may hold (see schema.h) */
#include "tables/tables.h"
#include "schema/schema.h"

#include "run/plan.h"

#include <string.h>

/* ---- the keys at the top ------------------------------------------------------------------------------------ */

#define TEXTS "{'type': 'array', 'description': %s, 'items': {'type': 'string'}}"
static const char uses[] = "names of the outer model that a part uses";

void tn_schema_refer(tn_schema *schema, const char *key, const char *name)
{
    tn_text path = {0};
    tn_text_add(&path, "#/$defs/%s", name);
    tn_json_open(&schema->json, key, '{');
    tn_json_print(&schema->json, "'$ref': %s}", path.letters);
}

/* An array of items, whose definition has the same name. */
static void print_items(tn_schema *schema, const char *key, const char *definition)
{
    tn_json_open(&schema->json, key, '{');
    tn_json_text(&schema->json, "type", "array");
    tn_schema_refer(schema, "items", definition);
    tn_json_close(&schema->json);
}

void tn_schema_repeated(tn_schema *schema)
{
    static const char *const keys[] = {"element", "marker", "signal", "sensor", "change", "repeat"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        print_items(schema, keys[k], keys[k]);
}

/* An array of tables, or one table. The condition tells mistakes at their place; `anyOf`, which lets everything pass,
 * is for editors that look into no `if`. */
static void print_items_or(tn_schema *schema, const char *key, const char *single)
{
    tn_json_print(&schema->json, "%s: {'if': {'type': 'array'}", key);
    print_items(schema, "then", key);
    tn_schema_refer(schema, "else", single);
    tn_json_print(&schema->json, "'anyOf': [");
    tn_schema_refer(schema, NULL, single);
    print_items(schema, NULL, key);
    tn_json_print(&schema->json, "true]}");
}

static void print_top_keys(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "'model': " TABLE("'settings of the whole model'"));
    tn_schema_parameters(schema, tn_model_parameters);
    tn_json_print(json, "}, 'additionalProperties': false}");
    tn_json_print(json, "'plugins': " TABLE("'files of types, relative to the model: type = \"file.so\"'"));
    tn_json_print(json, "'search': " TEXTS "}, 'additionalProperties': {'type': 'string'}}",
                  "directories to search, too");
    tn_schema_refer(schema, "parameters", "parameters");
    tn_json_print(json, "'include': " TABLE("'other files to merge before this one'"));
    tn_json_print(json, "'files': " TEXTS "}, 'required': ['files'], 'additionalProperties': false}",
                  "their paths, relative to this file");
    tn_json_print(json, "'uses': " TEXTS, uses);
    print_items_or(schema, "part", "interface");
    for (const char *const *key = (const char *const[]){"element", "marker", "signal", "input", "sensor",
                                                        "change", "repeat", "material_pair", "expect", NULL};
         *key; key++)
        print_items(schema, *key, *key);
    print_items_or(schema, "solver", "solver");
    tn_json_print(json, "'output': " TABLE("'recorded results, and their directory'"));
    tn_schema_parameters(schema, tn_output_parameters);
    tn_json_print(json, "'writers': {'type': 'array', 'description': 'writers of the results',"
                        "'uniqueItems': true, 'items': {");
    tn_schema_type_choice(schema, TN_WRITER_KIND);
    tn_json_print(json, "}}}, 'additionalProperties': false}"
                        "'run': {'description': 'course of the run that wrote this file', 'type': 'object'}");
}

/* ---- the whole --------------------------------------------------------------------------------------------- */

static bool has_word(const tn_keys *keys, const char *key)
{
    for (const char *const *word = keys->words; *word; word++)
        if (strcmp(*word, key) == 0) return true;
    return false;
}

/* The file of a part has a table [part], or begins with `uses`: some keys of a model have no place there. */
static void print_part_file(tn_schema *schema, const char *mark)
{
    tn_json *json = &schema->json;
    const bool is_table = strcmp(mark, "part") == 0;
    tn_json_print(json, "{'if': {'required': [%s], 'properties': {", mark);
    if (is_table) tn_json_print(json, "'part': {'type': 'object'}");
    tn_json_print(json, "}}, 'then': {'properties': {");
    for (const char *const *word = tn_model_keys.words; *word; word++)
        if (!has_word(&tn_part_file_keys, *word)) tn_json_boolean(json, *word, false);
    if (!is_table) tn_json_print(json, "'part': {'type': 'array'}");
    tn_json_print(json, "}}}");
}

void tn_schema_print(tn_registry *registry, FILE *stream)
{
    tn_schema schema = {.json = {.stream = stream}, .registry = registry};
    tn_json *json = &schema.json;
    tn_json_print(json, "{'$schema': 'https://json-schema.org/draft/2020-12/schema', 'title': 'Tenon model',"
                        "'$comment': 'by tenon " TENON_VERSION ", of the types that are installed',"
                        "'type': 'object', 'properties': {");
    print_top_keys(&schema);
    tn_json_print(json, "}, 'additionalProperties': false, 'allOf': [");
    print_part_file(&schema, "part");
    print_part_file(&schema, "uses");
    tn_json_print(json, "], '$defs': {");
    tn_schema_define_values(&schema);
    tn_json_print(json, "'parameters': {'description': 'named numbers and expressions', 'type': 'object',"
                        "'propertyNames': " REFERENCE("plain_name"));
    tn_schema_refer(&schema, "additionalProperties", "number");
    tn_json_print(json, "}, 'interface': " TABLE("'names that the file of a part uses'"));
    tn_json_print(json, "'uses': " TEXTS "}, 'additionalProperties': false}", uses);
    tn_schema_define_types(&schema);
    tn_schema_define_items(&schema);
    tn_json_print(json, "}}");
}

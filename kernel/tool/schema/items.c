/* items.c - tables without a type: sensors, changes, parts, repeats, markers declared in place */
#include "schema/schema.h"

#include "config/plugin_texts.h"
#include "tables/tables.h"

#include <string.h>

/* ---- tables as branches ------------------------------------------------------------------------------------ */

/* Opens one way to fill a table: `words` must be there, `others` must not; still to be closed. */
static void open_branch(tn_schema *schema, const char *const *words, const char *const *others)
{
    tn_json *json = &schema->json;
    tn_json_open(json, NULL, '{');
    tn_schema_words(schema, "required", words);
    tn_json_open(json, "properties", '{');
    for (; *others; others++)
        tn_json_boolean(json, *others, false);
}

static void close_branch(tn_schema *schema)
{
    tn_json_close(&schema->json);
    tn_json_close(&schema->json);
}

static void print_branch(tn_schema *schema, const char *const *words, const char *const *others)
{
    open_branch(schema, words, others);
    close_branch(schema);
}

/* ---- [[sensor]] -------------------------------------------------------------------------------------------- */

static void print_output_names(tn_schema *schema, const char *key, const tn_output *outputs)
{
    tn_json *json = &schema->json;
    tn_json_open(json, key, '{');
    tn_json_open(json, "enum", '[');
    for (; outputs->name; outputs++)
        tn_json_text(json, NULL, outputs->name);
    tn_json_close(json);
    tn_json_close(json);
}

static void add_names(tn_names *names, const tn_output *output)
{
    for (; output && output->name; output++)
        (void)tn_names_add(names, output->name);
}

/* Of all element types. */
typedef struct output_names {
    tn_names names;
    bool open; /* some type names outputs instance by instance */
} output_names;

static void add_outputs(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    output_names *all = data;
    (void)file;
    add_names(&all->names, tn_type_description(kind, type).outputs);
    all->open = all->open || ((const tn_loaded_element *)type)->instance_outputs;
}

/* The outputs of all elements: which of them the named one has cannot be told. */
static void print_element_outputs(tn_schema *schema)
{
    tn_json *json = &schema->json;
    output_names all = {0};
    tn_types_visit(schema->registry, TN_ELEMENT_KIND, add_outputs, &all);
    add_names(&all.names, tn_energy_outputs);
    tn_json_open(json, "output", '{');
    tn_json_open(json, "anyOf", '[');
    tn_json_open(json, NULL, '{');
    tn_json_open(json, "enum", '[');
    for (size_t k = 0; k < all.names.count; k++)
        tn_json_text(json, NULL, all.names.name[k]);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "description", "with {..}, to be replaced");
    tn_json_text(json, "type", "string");
    tn_json_text(json, "pattern", "\\{");
    tn_json_close(json);
    if (all.open) {
        tn_json_open(json, NULL, '{');
        tn_json_text(json, "description", "an output that depends on the parameters of the element");
        tn_json_text(json, "type", "string");
        tn_json_close(json);
    }
    tn_json_close(json);
    tn_json_close(json);
    tn_names_free(&all.names);
}

/* What a sensor records: this subject, none of the others, and an output where the subject has any. */
static void print_subject(tn_schema *schema, uint32_t subject)
{
    const char *others[8], *words[] = {tn_sensor_subjects[subject], "output", NULL};
    size_t count = 0;
    for (uint32_t k = 0; tn_sensor_subjects[k]; k++)
        if (k != subject) others[count++] = tn_sensor_subjects[k];
    const bool has_output = subject == TN_SENSOR_ELEMENT || subject == TN_SENSOR_MARKER;
    if (!has_output) {
        others[count++] = words[1];
        words[1] = NULL;
    }
    others[count] = NULL;
    open_branch(schema, words, others);
    if (subject == TN_SENSOR_ELEMENT) print_element_outputs(schema);
    if (subject == TN_SENSOR_MARKER) print_output_names(schema, "output", tn_marker_outputs);
    close_branch(schema);
}

static void define_sensor(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, "sensor", "a quantity to record");
    tn_json_open(json, "properties", '{');
    tn_schema_refer(schema, "name", "name");
    tn_schema_refer(schema, "id", "id");
    tn_schema_refer(schema, "when", "when");
    for (uint32_t k = 0; tn_sensor_subjects[k]; k++)
        if (k == TN_SENSOR_EXPRESSION)
            tn_schema_refer(schema, tn_sensor_subjects[k], "number");
        else if (k == TN_SENSOR_SYSTEM)
            print_output_names(schema, tn_sensor_subjects[k], tn_system_outputs);
        else
            tn_schema_string(schema, tn_sensor_subjects[k], "its name");
    tn_schema_string(schema, "output", "output of the element or marker");
    tn_json_close(json);
    tn_schema_words(schema, "required", (const char *const[]){"name", NULL});
    tn_json_open(json, "oneOf", '[');
    for (uint32_t k = 0; tn_sensor_subjects[k]; k++)
        print_subject(schema, k);
    tn_json_close(json);
    tn_schema_close_table(schema);
}

/* ---- markers in place, parts, changes ------------------------------------------------------------------------ */

static void define_marker_reference(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_json_open(json, "marker_reference", '{');
    tn_json_text(json, "description", "name of a marker or element, or a marker declared in place");
    tn_schema_words(schema, "type", (const char *const[]){"string", "object", NULL});
    tn_json_open(json, "properties", '{');
    tn_schema_string(schema, "element", "element that it is fixed to");
    tn_schema_parameters(schema, tn_in_place_parameters);
    tn_json_close(json);
    tn_schema_words(schema, "required", (const char *const[]){"element", NULL});
    tn_schema_close_table(schema);
}

/* Keys that are no parameters have a definition that is called like them. What is printed here has no copies, so there
 * is no {..} in its name. */
static void print_keys(tn_schema *schema, const tn_keys *keys)
{
    for (const char *const *word = keys->words; *word; word++)
        tn_schema_refer(schema, *word, strcmp(*word, "name") == 0 ? "plain_name" : *word);
    tn_schema_parameters(schema, keys->parameters[0]);
}

/* Values by path: words with dots between them. What a path leads to cannot be told. */
static void define_set(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, "set",
                         "values by their path in the file: \"element.spring.stiffness\" = 200");
    tn_json_open(json, "propertyNames", '{');
    tn_json_text(json, "pattern", "^[^.]+(\\.[^.]+)+$");
    tn_json_close(json);
    tn_json_close(json);
}

static void define_value(tn_schema *schema)
{
    tn_json_open(&schema->json, "value", '{');
    tn_json_text(&schema->json, "description", "new value of the parameter");
    tn_json_close(&schema->json);
}

static void define_part(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, "part", "the items of another file, under the name of the part");
    tn_json_open(json, "properties", '{');
    print_keys(schema, &tn_part_keys);
    tn_json_close(json);
    tn_schema_words(schema, "required", (const char *const[]){"name", "file", NULL});
    tn_schema_close_table(schema);
}

static void define_input(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, "input", "a number that is set from outside during a run");
    tn_json_open(json, "properties", '{');
    tn_schema_refer(schema, "name", "plain_name");
    tn_schema_string(schema, "unit", "of the value; none for a plain number");
    tn_schema_refer(schema, "value", "number");
    tn_json_close(json);
    tn_schema_words(schema, "required", (const char *const[]){"name", "value", NULL});
    tn_schema_close_table(schema);
}

static void define_change(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, "change", "a change during the run");
    tn_json_open(json, "properties", '{');
    print_keys(schema, &tn_change_keys);
    tn_json_close(json);
    tn_json_open(json, "allOf", '[');
    tn_json_open(json, NULL, '{');
    tn_json_open(json, "oneOf", '[');
    print_branch(schema, (const char *const[]){"time", NULL}, (const char *const[]){"crosses", NULL});
    print_branch(schema, (const char *const[]){"crosses", NULL}, (const char *const[]){"time", NULL});
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_open(json, "anyOf", '[');
    print_branch(schema, (const char *const[]){"element", "parameter", "value", NULL},
                 (const char *const[]){"active", "marker", "position", "rotation", NULL});
    print_branch(schema, (const char *const[]){"element", "active", NULL},
                 (const char *const[]){"parameter", "value", "marker", "position", "rotation", NULL});
    for (size_t k = 0; k < 2; k++)
        print_branch(schema, (const char *const[]){"marker", k ? "rotation" : "position", NULL},
                     (const char *const[]){"element", "parameter", "value", "active", NULL});
    tn_json_close(json);
    tn_schema_close_table(schema);
}

/* ---- [[repeat]] -------------------------------------------------------------------------------------------- */

static void define_repeat(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, "repeat", "copies of items");
    tn_json_open(json, "properties", '{');
    tn_json_open(json, "count", '{');
    tn_json_text(json, "description", "number of copies; may be an expression");
    tn_schema_words(schema, "type", (const char *const[]){"integer", "string", NULL});
    tn_json_number(json, "minimum", 0);
    tn_json_close(json);
    tn_json_open(json, "variable", '{');
    tn_json_text(json, "description", "counts the copies from 0, in expressions and in {..}");
    tn_json_open(json, "anyOf", '[');
    tn_schema_refer(schema, NULL, "plain_name");
    tn_json_close(json);
    tn_json_text(json, "default", "i");
    tn_json_close(json);
    tn_schema_repeated(schema);
    tn_json_close(json);
    tn_schema_words(schema, "required", (const char *const[]){"count", NULL});
    tn_schema_close_table(schema);
}

void tn_schema_define_items(tn_schema *schema)
{
    define_sensor(schema);
    define_marker_reference(schema);
    define_set(schema);
    define_value(schema);
    define_part(schema);
    define_input(schema);
    define_change(schema);
    define_repeat(schema);
}

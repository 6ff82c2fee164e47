/* item_schema.c - tables without a type: sensors, changes, parts, repeats, markers declared in place */
#include "schema/schema.h"

#include "config/plugin_texts.h"
#include "figures/figures.h"
#include "tables/tables.h"

#include <string.h>

/* ---- [[sensor]] -------------------------------------------------------------------------------------------- */

static void print_names(tn_schema *schema, const char *const *name)
{
    for (; *name; name++)
        tn_json_text(&schema->json, NULL, *name);
}

static void print_output_names(tn_schema *schema, const tn_output *outputs)
{
    for (; outputs->name; outputs++)
        tn_json_text(&schema->json, NULL, outputs->name);
}

/* Text with {..}, or with the letters of a pattern: what it becomes, or fits, the schema cannot say. */
#define PATTERN "{'description': 'a pattern, or with {..}', 'type': 'string', 'pattern': '[*?{]'}"

static void add_names(tn_names *names, const tn_output *output)
{
    for (; output && output->name; output++)
        (void)tn_names_add(names, output->name);
}

/* Of all element types. */
typedef struct output_names {
    tn_names names;
    bool open; /* the names that instances of some type have are their own */
} output_names;

static void add_outputs_of_type(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    const tn_loaded_element *element = type;
    output_names *all = data;
    (void)file;
    add_names(&all->names, tn_type_description(kind, type).outputs);
    all->open = all->open || (element->instance_outputs && !(element->flags & TN_FIXED_NAMES));
}

/* The outputs of all elements: the schema cannot say which of them the named one has. */
static void print_element_outputs(tn_schema *schema)
{
    tn_json *json = &schema->json;
    output_names all = {0};
    tn_types_visit(schema->registry, TN_ELEMENT_KIND, add_outputs_of_type, &all);
    add_names(&all.names, tn_energy_outputs);
    tn_json_print(json, "'output': {'anyOf': [{'enum': [");
    for (size_t k = 0; k < all.names.count; k++)
        tn_json_text(json, NULL, all.names.name[k]);
    tn_json_print(json, "]}, " PATTERN);
    if (all.open)
        tn_json_print(json, "{'description': 'an output that depends on the parameters of the element',"
                            "'type': 'string'}");
    tn_json_print(json, "]}");
    tn_names_free(&all.names);
}

/* What a sensor records: this subject, none of the others, and an output where the subject has any. */
static void print_subject(tn_schema *schema, uint32_t subject)
{
    tn_json *json = &schema->json;
    const bool has_output = subject == TN_SENSOR_ELEMENT || subject == TN_SENSOR_MARKER;
    tn_json_print(json, "{'required': [%s", tn_sensor_subjects[subject]);
    tn_json_print(json, has_output ? "'output'], 'properties': {" : "], 'properties': {");
    for (uint32_t k = 0; tn_sensor_subjects[k]; k++)
        if (k != subject) tn_json_boolean(json, tn_sensor_subjects[k], false);
    if (!has_output) tn_json_boolean(json, "output", false);
    if (!has_output) tn_json_boolean(json, "type", false);
    if (subject == TN_SENSOR_ELEMENT) print_element_outputs(schema);
    if (subject == TN_SENSOR_MARKER) {
        tn_json_print(json, "'output': {'anyOf': [{'enum': [");
        print_output_names(schema, tn_marker_outputs);
        tn_json_print(json, "]}, " PATTERN "]}");
    }
    tn_json_print(json, "}}");
}

static void define_sensor(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "'sensor': " TABLE("'a quantity to record'") "'name': " REFERENCE("name") //
                  "'id': " REFERENCE("id") "'when': " REFERENCE("when"));
    for (uint32_t k = 0; tn_sensor_subjects[k]; k++)
        if (k == TN_SENSOR_EXPRESSION)
            tn_json_print(json, "%s: {'anyOf': [" REFERENCE("number") ", {'type': 'object', " ROUTINE "}]}",
                          tn_sensor_subjects[k]);
        else if (k == TN_SENSOR_SYSTEM) {
            tn_json_print(json, "%s: {'enum': [", tn_sensor_subjects[k]);
            print_output_names(schema, tn_system_outputs);
            print_names(schema, tn_system_lists);
            tn_json_print(json, "]}");
        } else
            tn_json_print(json, "%s: " STRING("'its name, or a pattern of names: *, ?'"),
                          tn_sensor_subjects[k]);
    tn_json_print(json, "'type': " STRING("'of a pattern: of items of this type only'"));
    tn_json_print(json, "'statistics': {'description': 'of all rows, in the summary and in run.toml',"
                        "'type': 'array', 'items': {'enum': [");
    print_names(schema, tn_statistic_names);
    tn_json_print(json,
                  "]}}, 'at': {'description': 'times at which values are wanted: rows are recorded there',"
                  "'type': 'array', 'items': " REFERENCE("number") "}");
    tn_json_print(
        json, "'output': " STRING("'output of the element or marker'") "}, 'required': ['name'], 'oneOf': [");
    for (uint32_t k = 0; tn_sensor_subjects[k]; k++)
        print_subject(schema, k);
    tn_json_print(json, "], 'additionalProperties': false}");
}

/* ---- [[expect]] -------------------------------------------------------------------------------------------- */

/* A statistic, or the value at a time. */
static void define_expectation(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "'expect': " TABLE("'a figure of the run, which --check compares'") //
                  "'value': " REFERENCE("number") "'tolerance': " REFERENCE("number"));
    tn_schema_parameters(schema, tn_expect_parameters);
    tn_json_print(json, "'statistic': {'description': 'of all rows; default final, unless `at` is given',"
                        "'enum': [");
    print_names(schema, tn_statistic_names);
    tn_json_print(json, "]}}, 'required': ['sensor', 'value'], 'allOf': ["
                        "{'anyOf': [{'required': ['tolerance']}, {'required': ['relative_tolerance']}]},"
                        "{'not': {'required': ['at', 'statistic']}}],"
                        "'additionalProperties': false}");
}

/* ---- all other items ----------------------------------------------------------------------------------------- */

/* Keys that are no parameters have a definition that is called like them. What is printed here has no copies, so there
 * is no {..} in its name. */
static void print_table_keys(tn_schema *schema, const tn_keys *keys)
{
    for (const char *const *word = keys->words; *word; word++)
        tn_schema_refer(schema, *word, strcmp(*word, "name") == 0 ? "plain_name" : *word);
    tn_schema_parameters(schema, keys->parameters[0]);
}

/* A change happens at a time or where an expression crosses zero; it sets a parameter, switches an element, or moves a marker. */
static void define_change(tn_schema *schema)
{
    tn_json_print(&schema->json, "'change': " TABLE("'a change during the run'"));
    print_table_keys(schema, &tn_change_keys);
    tn_json_print(&schema->json,
                  "}, 'allOf': [{'oneOf': ["
                  "{'required': ['time'], 'properties': {'crosses': false}},"
                  "{'required': ['crosses'], 'properties': {'time': false}}]}],"
                  "'anyOf': ["
                  "{'required': ['element', 'parameter', 'value'],"
                  " 'properties': {'active': false, 'marker': false, 'position': false, 'rotation': false}},"
                  "{'required': ['element', 'active'],"
                  " 'properties': {'parameter': false, 'value': false, 'marker': false, 'position': false,"
                  " 'rotation': false}},"
                  "{'required': ['marker', 'position'],"
                  " 'properties': {'element': false, 'parameter': false, 'value': false, 'active': false}},"
                  "{'required': ['marker', 'rotation'],"
                  " 'properties': {'element': false, 'parameter': false, 'value': false, 'active': false}}],"
                  "'additionalProperties': false}");
}

void tn_schema_define_items(tn_schema *schema)
{
    tn_json *json = &schema->json;
    define_sensor(schema);
    define_expectation(schema);
    tn_json_print(json, "'marker_reference': {"
                        "'description': 'name of a marker or element, or a marker declared in place',"
                        "'type': ['string', 'object'],"
                        "'properties': {'element': " STRING("'element that it is fixed to'"));
    tn_schema_parameters(schema, tn_in_place_parameters);
    tn_json_print(json, "}, 'required': ['element'], 'additionalProperties': false}");
    /* the schema cannot say what a path leads to, nor what may stand there */
    tn_json_print(
        json, "'set': {'description': 'values by their path in the file: \"element.spring.stiffness\" = 200',"
              "'type': 'object', 'propertyNames': {'pattern': '^[^.]+(\\.[^.]+)+$'}},"
              "'value': {'description': 'new value of the parameter'},"
              "'part': " TABLE("'the items of another file, under the name of the part'"));
    print_table_keys(schema, &tn_part_keys);
    tn_json_print(
        json, "}, 'required': ['name', 'file'], 'additionalProperties': false}"
              "'input': " TABLE("'a number that is set from outside during a run'")                     //
        "'name': " REFERENCE("plain_name") "'unit': " STRING("'of the value; none for a plain number'") //
        "'value': " REFERENCE("number") "}, 'required': ['name', 'value'], 'additionalProperties': false}");
    tn_json_print(json, "'material_pair': " TABLE("'what happens between two materials of shapes'"));
    tn_schema_parameters(schema, tn_material_pair_parameters);
    tn_json_print(json, "}, 'required': ['a', 'b'], 'additionalProperties': false}");
    define_change(schema);
    tn_json_print(json, "'repeat': " TABLE("'copies of items'") //
                  "'count': {'description': 'number of copies; may be an expression',"
                  "'type': ['integer', 'string'], 'minimum': 0},"
                  "'variable': {'description': 'counts the copies from 0, in expressions and in {..}',"
                  "'anyOf': [" REFERENCE("plain_name") "], 'default': 'i'}");
    tn_schema_repeated(schema);
    tn_json_print(json, "}, 'required': ['count'], 'additionalProperties': false}");
}

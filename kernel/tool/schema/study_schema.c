/* study_schema.c - the JSON Schema of the files of studies */
#include "cases/cases.h"
#include "schema/schema.h"

#include <string.h>

static const char *const no_words[] = {NULL};
static const tn_schema_section sections[] = {
    {"design", TN_DESIGN_KIND, "which cases there are", NULL, no_words, NULL, false},
    {"execute", TN_EXECUTOR_KIND, "where they run", NULL, no_words, tn_execute_parameters, false}};

#define NUMBER REFERENCE("number")

/* The numbers of a distribution, all of which there are. */
static void print_shape(tn_schema *schema, const char *key, const char *description, const char *const *names)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "%s: " TABLE("%s"), key, description);
    for (size_t k = 0; names[k]; k++)
        tn_json_print(json, "%s: " NUMBER, names[k]);
    tn_json_print(json, "}, 'required': [");
    for (size_t k = 0; names[k]; k++)
        tn_json_text(json, NULL, names[k]);
    tn_json_print(json, "], 'additionalProperties': false}");
}

/* One of these there is, and none of the others. */
static void print_one_of(tn_schema *schema, const char *const *keys)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "'oneOf': [");
    for (size_t k = 0; keys[k]; k++)
        tn_json_print(json, "{'required': [%s]}", keys[k]);
    tn_json_close(json);
}

static void define_variable(tn_schema *schema)
{
    static const char *const normal[] = {"mean", "deviation", NULL}, *const triangular[] = {"low", "mode",
                                                                                            "high", NULL};
    static const char *const kinds[] = {"range",      "values", "normal", "lognormal",
                                        "triangular", "table",  NULL};
    tn_json *json = &schema->json;
    tn_json_print(
        json, "'variable': " TABLE("'what varies'") //
        "'name': {'description': 'path in the model, as --set takes it: parameters.k, solver.step',"
        "'type': 'string', 'minLength': 1}"
        "'range': {'description': 'lowest and highest value, with a unit: \"10 [N/m]\"', 'type': 'array',"
        "'minItems': 2, 'maxItems': 2, 'items': " NUMBER "}"
        "'scale': {'description': 'of a range: what is evenly spread', 'enum': ['linear', 'log'],"
        "'default': 'linear'}"
        "'values': {'description': 'values to take; keys of tables are set one by one', 'type': 'array',"
        "'minItems': 1}");
    print_shape(schema, "normal", "normal distribution", normal);
    print_shape(schema, "lognormal", "its logarithm is normal; mean and deviation are those of the variable",
                normal);
    print_shape(schema, "triangular", "density of a triangle", triangular);
    tn_json_print(
        json,
        "'table': {'description': 'column of a table: \"cases.csv:k\"', 'type': 'string',"
        "'pattern': '^.+:[^:]+$'}"
        "'unit': " STRING(
            "'of the column of `table`'") "}, 'required': ['name'], 'allOf': ["
                                          "{'if': {'required': ['scale']}, 'then': {'required': ['range']}}"
                                          "{'if': {'required': ['unit']}, 'then': {'required': "
                                          "['table']}}],");
    print_one_of(schema, kinds);
    tn_json_print(json, "'additionalProperties': false}");
}

/* Keys that one kind of response has, and another one has not. */
static void print_response_kind(tn_schema *schema, const char *const *needed, const char *const *refused)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "{'required': [");
    for (size_t k = 0; needed[k]; k++)
        tn_json_text(json, NULL, needed[k]);
    tn_json_print(json, "], 'properties': {");
    for (size_t k = 0; refused[k]; k++)
        tn_json_boolean(json, refused[k], false);
    tn_json_print(json, "}}");
}

static void define_response(tn_schema *schema)
{
    static const char *const expression[] = {"expression", NULL}, *const data[] = {"sensor", "data", NULL},
                             *const samples[] = {"sensor", "times", NULL};
    static const char *const of_samples[] = {"sensor",           "data",        "times",
                                             "column",           "time_column", "deviation",
                                             "deviation_column", NULL},
                             *const of_expression[] = {"expression", "limit", "times", NULL},
                             *const of_both[] = {"expression", "limit", "data", NULL};
    tn_json *json = &schema->json;
    tn_json_print(json, "'response': " TABLE("'what is asked of each case'"));
    tn_schema_parameters(schema, tn_response_parameters);
    tn_json_print(json,
                  "'expression': {'description': 'of statistics of sensors, such as max(x.z) - first(x.z)',"
                  "'type': 'string', 'minLength': 1}"
                  "'limit': {'description': '\"< 0.1 [m]\" or \"> 0.1 [m]\", which searches keep',"
                  "'type': 'string', 'pattern': '^[<>]'}"
                  "'times': {'description': 'at which the sensor is sampled', 'type': 'array', 'minItems': 1,"
                  "'items': " NUMBER "}"
                  "'deviation': " NUMBER "}, 'required': [");
    tn_schema_required(schema, tn_response_parameters);
    tn_json_print(json, "], 'oneOf': [");
    print_response_kind(schema, expression, of_samples);
    print_response_kind(schema, data, of_expression);
    print_response_kind(schema, samples, of_both);
    tn_json_print(json, "], 'additionalProperties': false}");
}

void tn_schema_print_study(tn_registry *registry, FILE *stream)
{
    tn_schema schema = {.json = {.stream = stream}, .registry = registry};
    tn_json *json = &schema.json;
    tn_json_print(json, "{'$schema': 'https://json-schema.org/draft/2020-12/schema', 'title': 'Tenon study',"
                        "'$comment': 'by tenon " TENON_VERSION ", of the types that are installed',"
                        "'type': 'object', 'properties': {'study': " TABLE("'the model, and names'"));
    tn_schema_parameters(&schema, tn_study_parameters);
    tn_json_print(json, "}, 'required': [");
    tn_schema_required(&schema, tn_study_parameters);
    tn_json_print(
        json, "], 'additionalProperties': false}"
              "'variable': {'type': 'array', 'items': " REFERENCE(
                  "variable") "}"
                              "'response': {'type': 'array', 'minItems': 1, 'items': " REFERENCE(
                                  "response") "}"
                                              "'design': " REFERENCE("design") "'execute': " REFERENCE(
                                                  "execute") "},"
                                                             "'required': ['study', 'response', 'design'], "
                                                             "'additionalProperties': false, '$defs': {");
    tn_schema_define_values(&schema);
    define_variable(&schema);
    define_response(&schema);
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        tn_schema_define_section(&schema, &sections[k]);
    tn_json_print(json, "}}");
}

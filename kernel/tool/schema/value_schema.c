/* value_schema.c - what parameters look like in a model: numbers, vectors, rotations, words */
#include "schema/schema.h"

#include "describe/describe.h"

#include <math.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------------------- */

/* Of a number as it stands; the value of an expression is not known. */
static void print_limits(tn_json *json, const tn_parameter *parameter)
{
    if (isfinite(parameter->low))
        tn_json_number(json, parameter->flags & TN_ABOVE_LOW ? "exclusiveMinimum" : "minimum",
                       parameter->low);
    if (isfinite(parameter->high))
        tn_json_number(json, parameter->flags & TN_BELOW_HIGH ? "exclusiveMaximum" : "maximum",
                       parameter->high);
}

/* A number or an expression, inside an open object; where it changes, a routine, too, whose keywords do not touch numbers. */
static void print_number(tn_json *json, const char *type, const tn_parameter *parameter)
{
    if (parameter->flags & TN_DYNAMIC)
        tn_json_print(json, "'type': [%s, 'string', 'object'], 'minLength': 1, " ROUTINE, type);
    else
        tn_json_print(json, "'type': [%s, 'string'], 'minLength': 1", type);
}

/* An array that the parameter takes, inside an open object; numbers of a symmetric matrix are rows of three, too. */
static void print_array_shape(tn_json *json, const tn_parameter *parameter, bool with_range)
{
    if (parameter->count_alternative)
        tn_json_print(json, "'anyOf': [{'minItems': %u, 'maxItems': %u}, {'minItems': %u, 'maxItems': %u}]",
                      parameter->count_alternative, parameter->count_alternative, parameter->count,
                      parameter->count);
    else if (parameter->kind != TN_KIND_LIST)
        tn_json_print(json, "'minItems': %u, 'maxItems': %u",
                      parameter->flags & TN_FEWER ? 1 : parameter->count, parameter->count);
    tn_json_print(json, "'items': {");
    if (parameter->flags & TN_ROWS)
        tn_json_print(json, "'type': ['number', 'string', 'array'], 'minLength': 1, 'minItems': 1,"
                            "'items': {'type': ['number', 'string'], 'minLength': 1}");
    else if (parameter->flags & TN_SYMMETRIC)
        tn_json_print(json,
                      "'type': ['number', 'string', 'array'], 'minLength': 1, 'minItems': 3, 'maxItems': 3,"
                      "'items': {'type': ['number', 'string'], 'minLength': 1}");
    else
        print_number(json, "number", parameter);
    if (with_range) print_limits(json, parameter);
    tn_json_print(json, "}");
}

/* An array of numbers, or { value = [..], unit = ".." }: the keywords of arrays do not touch tables, and those of
 * tables no arrays. Ranges are in the parameter's own unit. */
static void print_vector(tn_json *json, const tn_parameter *parameter)
{
    const bool fewer = parameter->flags & TN_FEWER;
    tn_json_print(json,
                  fewer ? "'type': ['array', 'object', 'number', 'string']" : "'type': ['array', 'object']");
    print_array_shape(json, parameter, true);
    tn_json_print(json, "'properties': {'value': {'type': 'array'");
    print_array_shape(json, parameter, false);
    tn_json_print(json, "}, 'unit': {'description': 'unit of all the numbers', 'type': 'string'}},"
                        "'required': ['value', 'unit'], 'additionalProperties': false");
}

/* ---- parameters -------------------------------------------------------------------------------------------- */

static void print_description(tn_json *json, const tn_parameter *parameter)
{
    tn_text text = {0};
    const bool has_unit = *parameter->unit, is_callable = parameter->kind == TN_KIND_CALLABLE;
    tn_text_add(&text, "%s%s%s%s%s%s%s", parameter->meaning, has_unit ? " [" : "", parameter->unit,
                has_unit ? "]" : "", is_callable ? "; an expression of " : "",
                is_callable ? parameter->detail : "",
                !(parameter->flags & TN_DYNAMIC) ? ""
                : is_callable                    ? ", and of time and the motion; or a routine"
                              : "; may be an expression of time and of the motion, or a routine");
    tn_json_text(json, "description", text.letters);
}

static void print_kind(tn_schema *schema, const tn_parameter *parameter)
{
    tn_json *json = &schema->json;
    switch (parameter->kind) {
    case TN_KIND_REAL:
    case TN_KIND_INTEGER:
        if (parameter->count > 1) {
            print_vector(json, parameter);
            break;
        }
        print_number(json, parameter->kind == TN_KIND_REAL ? "number" : "integer", parameter);
        print_limits(json, parameter);
        break;
    case TN_KIND_LIST:
        print_vector(json, parameter);
        break;
    case TN_KIND_TEXTS:
        tn_json_print(json, "'type': 'array', 'items': {'type': 'string'}");
        break;
    case TN_KIND_FILE:
        tn_json_print(json, "'type': 'string', 'minLength': 1");
        break;
    case TN_KIND_ROTATION:
        tn_json_print(json, "'anyOf': [" REFERENCE("rotation") "]");
        break;
    case TN_KIND_BOOLEAN:
        if (parameter->count == 1)
            tn_json_print(json, "'type': 'boolean'");
        else
            tn_json_print(json,
                          "'type': 'array', 'minItems': %u, 'maxItems': %u, 'items': {'type': 'boolean'}",
                          parameter->count, parameter->count);
        break;
    case TN_KIND_CHOICE:
        tn_json_choices(json, "enum", parameter->detail);
        break;
    default: /* texts and callables */
        if (parameter->kind == TN_KIND_TEXT && parameter->detail)
            tn_schema_type_choice(schema, parameter->detail);
        else if (parameter->flags & TN_DYNAMIC)
            tn_json_print(json, "'type': ['string', 'object'], " ROUTINE);
        else
            tn_json_print(json, "'type': 'string'");
    }
}

static void print_property(tn_schema *schema, const char *key, const tn_parameter *parameter)
{
    tn_json *json = &schema->json;
    tn_json_open(json, key, '{');
    print_description(json, parameter);
    print_kind(schema, parameter);
    const bool is_vector = parameter->count > 1;
    if (tn_has_default(parameter) && parameter->kind != TN_KIND_ROTATION) {
        if (is_vector) tn_json_open(json, "default", '[');
        for (uint32_t k = 0; k < parameter->count; k++)
            tn_json_default(json, is_vector ? NULL : "default", parameter);
        if (is_vector) tn_json_close(json);
    }
    tn_json_close(json);
}

/* True when no parameter before it begins with the same letters. */
static bool is_first_below(const tn_parameter *parameters, const tn_parameter *parameter, size_t length)
{
    while (strncmp(parameters->name, parameter->name, length) != 0)
        parameters++;
    return parameters == parameter;
}

static void print_required_below(tn_json *json, const tn_parameter *first, size_t prefix)
{
    for (const tn_parameter *parameter = first; parameter->name; parameter++)
        if (parameter->flags & TN_REQUIRED && !(parameter->flags & TN_BESIDE) &&
            strncmp(parameter->name, first->name, prefix) == 0)
            tn_json_text_part(json, NULL, parameter->name + prefix, strcspn(parameter->name + prefix, "."));
}

/* The parameters whose names begin like that of the first one: "newton.jacobian" is `jacobian` of the table `newton`, which is
 * printed where its first parameter stands. */
static void print_parameters_below(tn_schema *schema, const tn_parameter *first, size_t prefix)
{
    tn_json *json = &schema->json;
    for (const tn_parameter *parameter = first; parameter->name; parameter++) {
        if (strncmp(parameter->name, first->name, prefix) != 0) continue;
        const char *name = parameter->name + prefix, *dot = strchr(name, '.');
        if (!dot) {
            print_property(schema, name, parameter);
            continue;
        }
        const size_t length = (size_t)(dot + 1 - parameter->name);
        if (!is_first_below(first, parameter, length)) continue;
        tn_text key = {0};
        tn_text_add_letters(&key, name, (size_t)(dot - name));
        tn_json_print(json, "%s: {'type': 'object', 'properties': {", key.letters);
        print_parameters_below(schema, parameter, length);
        tn_json_print(json, "}, 'required': [");
        print_required_below(json, parameter, length);
        tn_json_print(json, "], 'additionalProperties': false}");
    }
}

void tn_schema_parameters(tn_schema *schema, const tn_parameter *parameters)
{
    if (parameters) print_parameters_below(schema, parameters, 0);
}

void tn_schema_required(tn_schema *schema, const tn_parameter *parameters)
{
    if (parameters) print_required_below(&schema->json, parameters, 0);
}

/* ---- definitions ------------------------------------------------------------------------------------------- */

/* A number or a vector of so many. */
static void print_numbers(tn_schema *schema, const char *key, const char *meaning, uint32_t count)
{
    print_property(schema, key,
                   &(tn_parameter){.meaning = meaning,
                                   .unit = "",
                                   .low = -TN_UNBOUNDED,
                                   .high = TN_UNBOUNDED,
                                   .count = count,
                                   .flags = TN_REQUIRED});
}

/* A matrix, or one of three tables. */
static void define_rotation(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_json_print(json, "'rotation': {'anyOf': [{'type': 'array', 'minItems': 3, 'maxItems': 3");
    print_numbers(schema, "items", "a row of the matrix", 3);
    tn_json_print(json, "}" TABLE("'unit quaternion'"));
    print_numbers(schema, "quaternion", "w, x, y, z", 4);
    tn_json_print(json, "}, 'required': ['quaternion'], 'additionalProperties': false}" //
                  TABLE("'rotation about an axis'"));
    print_numbers(schema, "axis", "its direction", 3);
    print_numbers(schema, "angle", "[rad]", 1);
    tn_json_print(json,
                  "}, 'required': ['axis', 'angle'], 'additionalProperties': false}" //
                  TABLE("'three successive rotations'") "'euler': {'description': %s, 'type': 'string', "
                                                        "'pattern': '^([xyz]{3}|[XYZ]{3})$'}",
                  "xyz: about the body's axes; XYZ: about those of space; any order");
    print_numbers(schema, "angles", "[rad]", 3);
    tn_json_print(json, "}, 'required': ['euler', 'angles'], 'additionalProperties': false}]}");
}

void tn_schema_define_values(tn_schema *schema)
{
    tn_json_print(
        &schema->json,
        "'name': {'description': 'name of the item; {..} with an integer expression is replaced',"
        "'type': 'string', 'pattern': '^[A-Za-z_]([A-Za-z0-9_]|\\{[^{}]+\\})*$'},"
        "'plain_name': {'description': 'letters, digits and _',"
        "'type': 'string', 'pattern': '^[A-Za-z_][A-Za-z0-9_]*$'},"
        "'file': " STRING("'path of a file, relative to the file that contains it'") //
        "'id': {'description': 'number of the item', 'type': ['integer', 'string'], 'minLength': 1},"
        "'index': {'description': 'number, counted from 0; may be an expression',"
        "'type': ['integer', 'string'], 'minLength': 1, 'minimum': 0},"
        "'number': {'description': 'number, or an expression with an optional unit in brackets',"
        "'type': ['number', 'string'], 'minLength': 1},"
        "'when': {'description': 'false: the item is omitted', 'type': ['boolean', 'number', 'string']}");
    define_rotation(schema);
}

/* values.c - what parameters look like in a model: numbers, vectors, rotations, words */
#include "schema/schema.h"

#include "describe/describe.h"

#include <math.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------------------- */

/* Of a number as it stands; what an expression comes to cannot be told. */
static void print_range(tn_json *json, const tn_parameter *parameter)
{
    if (isfinite(parameter->low))
        tn_json_number(json, parameter->flags & TN_ABOVE_LOW ? "exclusiveMinimum" : "minimum",
                       parameter->low);
    if (isfinite(parameter->high))
        tn_json_number(json, parameter->flags & TN_BELOW_HIGH ? "exclusiveMaximum" : "maximum",
                       parameter->high);
}

/* A number or an expression, inside an open object. */
static void print_number(tn_schema *schema, const char *type)
{
    tn_schema_words(schema, "type", (const char *const[]){type, "string", NULL});
    tn_json_number(&schema->json, "minLength", 1);
}

static void print_count(tn_json *json, uint32_t count)
{
    tn_json_number(json, "minItems", count);
    tn_json_number(json, "maxItems", count);
}

static void print_count_alternatives(tn_json *json, const tn_parameter *parameter)
{
    const uint32_t counts[] = {parameter->count_alternative, parameter->count};
    tn_json_open(json, "anyOf", '[');
    for (size_t k = 0; k < 2; k++) {
        tn_json_open(json, NULL, '{');
        print_count(json, counts[k]);
        tn_json_close(json);
    }
    tn_json_close(json);
}

/* A number, or a row of three of a matrix. */
static void print_row(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_schema_words(schema, "type", (const char *const[]){"number", "string", "array", NULL});
    tn_json_number(json, "minLength", 1);
    print_count(json, 3);
    tn_json_open(json, "items", '{');
    print_number(schema, "number");
    tn_json_close(json);
}

/* What an array must be that the parameter takes, inside an open object. */
static void print_array(tn_schema *schema, const tn_parameter *parameter, bool with_range)
{
    tn_json *json = &schema->json;
    if (parameter->count_alternative)
        print_count_alternatives(json, parameter);
    else if (parameter->kind != TN_KIND_LIST)
        print_count(json, parameter->count);
    tn_json_open(json, "items", '{');
    if (parameter->flags & TN_SYMMETRIC)
        print_row(schema);
    else
        print_number(schema, "number");
    if (with_range) print_range(json, parameter);
    tn_json_close(json);
}

/* An array of numbers, or { value = [..], unit = ".." }: the keywords of arrays do not touch tables, and those of
 * tables no arrays. Ranges are in the parameter's own unit. */
static void print_vector(tn_schema *schema, const tn_parameter *parameter)
{
    tn_json *json = &schema->json;
    tn_schema_words(schema, "type", (const char *const[]){"array", "object", NULL});
    print_array(schema, parameter, true);
    tn_json_open(json, "properties", '{');
    tn_json_open(json, "value", '{');
    tn_json_text(json, "type", "array");
    print_array(schema, parameter, false);
    tn_json_close(json);
    tn_schema_string(schema, "unit", "unit of all the numbers");
    tn_json_close(json);
    tn_schema_words(schema, "required", (const char *const[]){"value", "unit", NULL});
    tn_json_boolean(json, "additionalProperties", false);
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
                : is_callable                    ? ", and of time and the motion"
                                                 : "; may be an expression of time and of the motion");
    tn_json_text(json, "description", text.letters);
    tn_free(text.letters);
}

static void print_choices(tn_json *json, const char *words)
{
    size_t length = 0;
    tn_json_open(json, "enum", '[');
    for (const char *word = tn_first_word(words, &length); word; word = tn_next_word(word, &length))
        tn_json_text_part(json, NULL, word, length);
    tn_json_close(json);
}

static void print_booleans(tn_json *json, uint32_t count)
{
    tn_json_text(json, "type", count > 1 ? "array" : "boolean");
    if (count == 1) return;
    print_count(json, count);
    tn_json_open(json, "items", '{');
    tn_json_text(json, "type", "boolean");
    tn_json_close(json);
}

static void print_kind(tn_schema *schema, const tn_parameter *parameter)
{
    tn_json *json = &schema->json;
    switch (parameter->kind) {
    case TN_KIND_REAL:
    case TN_KIND_INTEGER:
        if (parameter->count > 1) {
            print_vector(schema, parameter);
            break;
        }
        print_number(schema, parameter->kind == TN_KIND_REAL ? "number" : "integer");
        print_range(json, parameter);
        break;
    case TN_KIND_LIST:
        print_vector(schema, parameter);
        break;
    case TN_KIND_TEXTS:
        tn_json_text(json, "type", "array");
        tn_json_open(json, "items", '{');
        tn_json_text(json, "type", "string");
        tn_json_close(json);
        break;
    case TN_KIND_FILE:
        tn_json_text(json, "type", "string");
        tn_json_number(json, "minLength", 1);
        break;
    case TN_KIND_ROTATION:
        tn_json_open(json, "anyOf", '[');
        tn_schema_refer(schema, NULL, "rotation");
        tn_json_close(json);
        break;
    case TN_KIND_BOOLEAN:
        print_booleans(json, parameter->count);
        break;
    case TN_KIND_CHOICE:
        print_choices(json, parameter->detail);
        break;
    default: /* texts and callables */
        if (parameter->kind == TN_KIND_TEXT && parameter->detail)
            tn_schema_type_choice(schema, parameter->detail);
        else
            tn_json_text(json, "type", "string");
    }
}

static void print_parameter(tn_schema *schema, const char *key, const tn_parameter *parameter)
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

/* The name inside the inner table that `prefix` (with its dot) is the key of; NULL when it lies elsewhere. */
static const char *name_below(const tn_parameter *parameter, const char *prefix, size_t length)
{
    return strncmp(parameter->name, prefix, length) == 0 ? parameter->name + length : NULL;
}

static bool is_first_below(const tn_parameter *parameters, const tn_parameter *parameter, size_t length)
{
    while (!name_below(parameters, parameter->name, length))
        parameters++;
    return parameters == parameter;
}

/* The parameters whose names begin alike: "newton.jacobian" is `jacobian` of the table `newton`. */
static void print_inner_table(tn_schema *schema, const tn_parameter *first, size_t length)
{
    tn_json *json = &schema->json;
    tn_text key = {0};
    tn_text_add_letters(&key, first->name, length - 1);
    tn_schema_open_table(schema, key.letters, NULL);
    tn_free(key.letters);
    tn_json_open(json, "properties", '{');
    for (const tn_parameter *inner = first; inner->name; inner++) {
        const char *name = name_below(inner, first->name, length);
        if (name) print_parameter(schema, name, inner);
    }
    tn_json_close(json);
    tn_json_open(json, "required", '[');
    for (const tn_parameter *inner = first; inner->name; inner++) {
        const char *name = name_below(inner, first->name, length);
        if (name && inner->flags & TN_REQUIRED) tn_json_text(json, NULL, name);
    }
    tn_json_close(json);
    tn_schema_close_table(schema);
}

void tn_schema_parameters(tn_schema *schema, const tn_parameter *parameters)
{
    for (const tn_parameter *parameter = parameters; parameter && parameter->name; parameter++) {
        const char *dot = strchr(parameter->name, '.');
        const size_t length = dot ? (size_t)(dot + 1 - parameter->name) : 0;
        if (!dot)
            print_parameter(schema, parameter->name, parameter);
        else if (is_first_below(parameters, parameter, length))
            print_inner_table(schema, parameter, length);
    }
}

void tn_schema_required(tn_schema *schema, const tn_parameter *parameters)
{
    for (const tn_parameter *parameter = parameters; parameter && parameter->name; parameter++)
        if (parameter->flags & TN_REQUIRED)
            tn_json_text_part(&schema->json, NULL, parameter->name, strcspn(parameter->name, "."));
}

/* ---- definitions ------------------------------------------------------------------------------------------- */

#define NUMBERS(key, text, numbers)                                                           \
    {                                                                                         \
        .name = key, .meaning = text, .unit = "", .low = -TN_UNBOUNDED, .high = TN_UNBOUNDED, \
        .count = numbers, .flags = TN_REQUIRED                                                \
    }
static const tn_parameter rows[] = {NUMBERS("", "a row of the matrix", 3)};
static const tn_parameter quaternion[] = {NUMBERS("quaternion", "w, x, y, z", 4), {0}};
static const tn_parameter axis_and_angle[] = {
    NUMBERS("axis", "its direction", 3), NUMBERS("angle", "[rad]", 1), {0}};
static const tn_parameter angles[] = {NUMBERS("angles", "[rad]", 3), {0}};

/* One of the tables that a rotation may be written as; `letters`: with the key `euler`. */
static void print_rotation_table(tn_schema *schema, const char *description, bool letters,
                                 const tn_parameter *parameters)
{
    tn_json *json = &schema->json;
    tn_schema_open_table(schema, NULL, description);
    tn_json_open(json, "properties", '{');
    if (letters) {
        tn_json_open(json, "euler", '{');
        tn_json_text(json, "description", "xyz: about the body's axes; XYZ: about those of space; any order");
        tn_json_text(json, "type", "string");
        tn_json_text(json, "pattern", "^([xyz]{3}|[XYZ]{3})$");
        tn_json_close(json);
    }
    tn_schema_parameters(schema, parameters);
    tn_json_close(json);
    tn_json_open(json, "required", '[');
    if (letters) tn_json_text(json, NULL, "euler");
    tn_schema_required(schema, parameters);
    tn_json_close(json);
    tn_schema_close_table(schema);
}

static void define_rotation(tn_schema *schema)
{
    tn_json *json = &schema->json;
    tn_json_open(json, "rotation", '{');
    tn_json_open(json, "anyOf", '[');
    tn_json_open(&schema->json, NULL, '{');
    tn_schema_array(schema, 3, 3);
    print_parameter(schema, "items", rows);
    tn_json_close(json);
    print_rotation_table(schema, "unit quaternion", false, quaternion);
    print_rotation_table(schema, "turn about an axis", false, axis_and_angle);
    print_rotation_table(schema, "three turns, one after the other", true, angles);
    tn_json_close(json);
    tn_json_close(json);
}

static void define_text(tn_schema *schema, const char *key, const char *description, const char *pattern)
{
    tn_json_open(&schema->json, key, '{');
    tn_json_text(&schema->json, "description", description);
    tn_json_text(&schema->json, "type", "string");
    tn_json_text(&schema->json, "pattern", pattern);
    tn_json_close(&schema->json);
}

/* A number, or an expression. */
static void define_number(tn_schema *schema, const char *key, const char *description, const char *type)
{
    tn_json_open(&schema->json, key, '{');
    tn_json_text(&schema->json, "description", description);
    print_number(schema, type);
    tn_json_close(&schema->json);
}

void tn_schema_define_values(tn_schema *schema)
{
    tn_json *json = &schema->json;
    define_text(schema, "name", "name of the item; {..} with an integer expression is replaced",
                "^[A-Za-z_]([A-Za-z0-9_]|\\{[^{}]+\\})*$");
    define_text(schema, "plain_name", "letters, digits and _", "^[A-Za-z_][A-Za-z0-9_]*$");
    tn_schema_string(schema, "file", "path of a file, relative to the one that it stands in");
    define_number(schema, "id", "number of the item", "integer");
    tn_json_open(json, "index", '{');
    tn_json_text(json, "description", "number, counted from 0; may be an expression");
    print_number(schema, "integer");
    tn_json_number(json, "minimum", 0);
    tn_json_close(json);
    define_number(schema, "number", "number, or an expression with an optional unit in brackets", "number");
    tn_json_open(json, "when", '{');
    tn_json_text(json, "description", "the item is left out where this is false");
    tn_schema_words(schema, "type", (const char *const[]){"boolean", "number", "string", NULL});
    tn_json_close(json);
    define_rotation(schema);
}

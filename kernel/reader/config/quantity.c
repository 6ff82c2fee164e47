/* quantity.c - numbers of the model: TOML numbers, or strings with an expression and a unit */
#include "config/quantity.h"

#include "units/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Factor from one unit to another, or to SI where that is NULL; false with an error. */
static bool factor_between(const char *from, const char *to, double *factor, char error[TN_LONGEST_REASON])
{
    return to ? tn_unit_factor(from, to, factor, error, TN_LONGEST_REASON)
              : tn_unit_si_factor(from, factor, error, TN_LONGEST_REASON);
}

/* Factor of the bracketed unit at the end of a string; 1 without one. */
static bool unit_factor(tn_source *source, const tn_toml *node, size_t offset, size_t length,
                        const char *unit, double *factor)
{
    char error[TN_LONGEST_REASON];
    *factor = 1.0;
    if (!length) return true;
    const char *name = tn_arena_text(source->arena, node->text + offset, length);
    return factor_between(name, unit, factor, error) ||
           tn_value_error(source, node, "`%s`: %s", node->text, error);
}

/* A number with a unit behind it, "0.5 m": what stands there would be no expression anyway. */
static bool lacks_brackets(tn_source *source, const tn_toml *node)
{
    char *unit = NULL, error[256];
    double factor = 0.0;
    (void)strtod(node->text, &unit);
    const size_t digits = (size_t)(unit - node->text);
    if (!digits || *unit == 'D' || *unit == 'd') return false; /* degrees, 60D, are part of the number */
    unit += strspn(unit, " ");
    if (!isalpha((unsigned char)*unit) || !tn_unit_si_factor(unit, &factor, error, sizeof error))
        return false;
    tn_value_error(source, node, "`%s`: a unit needs brackets: \"%.*s [%s]\"", node->text,
                   (int)strcspn(node->text, " "), node->text, unit);
    return true;
}

static bool compile_text(tn_source *source, const tn_toml *node, const char *unit, const tn_allowed *allowed,
                         tn_quantity *quantity)
{
    if (lacks_brackets(source, node)) return false;
    size_t unit_offset = 0, unit_length = 0;
    const size_t length = tn_expression_split_unit(node->text, node->length, &unit_offset, &unit_length);
    quantity->expression = tn_scope_compile(source, node, 0, length, allowed, &quantity->calls);
    if (source->postponed) return false;
    const bool fits = unit_factor(source, node, unit_offset, unit_length, unit, &quantity->factor);
    if (unit_length) quantity->unit = tn_arena_text(source->arena, node->text + unit_offset, unit_length);
    bool good = quantity->expression && fits;
    if (good && unit_length && !tn_expression_is_constant(quantity->expression) &&
        tn_expression_is_logical(quantity->expression))
        good = tn_value_error(
            source, node, "`%s`: a comparison is 0 or 1, without a unit; the compared values are in SI units",
            node->text);
    if (good && !tn_expression_is_constant(quantity->expression)) return true;
    good = good && tn_quantity_evaluate(source, quantity, NULL, &quantity->value);
    if (good && allowed->argument_count) return true;
    tn_expression_free(quantity->expression);
    quantity->expression = NULL;
    return good;
}

/* Degrees that are read as radians turn more than once, mostly. */
static void check_angle(tn_source *source, const tn_toml *node)
{
    if (fabs(node->real) > 2.0 * M_PI)
        tn_value_warning(
            source, node,
            "%g rad is more than a whole turn: write degrees as \"%g [deg]\", several turns as \"%g [rad]\"",
            node->real, node->real, node->real);
}

static const char *const kind_words[] = {
    [TN_TOML_STRING] = "a string",   [TN_TOML_INTEGER] = "an integer", [TN_TOML_REAL] = "a real number",
    [TN_TOML_BOOLEAN] = "a boolean", [TN_TOML_ARRAY] = "an array",     [TN_TOML_TABLE] = "a table",
    [TN_TOML_DATE] = "a date"};

static bool compile(tn_source *source, const tn_toml *node, const char *unit, const tn_allowed *allowed,
                    tn_quantity *quantity)
{
    *quantity = (tn_quantity){.factor = 1.0, .node = node, .argument_count = allowed->argument_count};
    switch (node->kind) {
    case TN_TOML_STRING:
        return compile_text(source, node, unit, allowed, quantity);
    case TN_TOML_INTEGER:
    case TN_TOML_REAL:
        quantity->value = node->real;
        if (unit && strcmp(unit, "rad") == 0) check_angle(source, node);
        if (isfinite(node->real)) return true;
        return tn_value_error(source, node, "the value is not finite");
    default:
        return tn_value_error(source, node, "a number is expected, not %s", kind_words[node->kind]);
    }
}

bool tn_quantity_compile(tn_source *source, const tn_toml *node, const char *unit, const tn_allowed *allowed,
                         tn_quantity *quantity)
{
    const bool known = compile(source, node, unit, allowed, quantity);
    if (!known) source->unknown++;
    return known;
}

bool tn_quantity_evaluate(tn_source *source, const tn_quantity *quantity, const double *inputs, double *value)
{
    *value = quantity->value;
    if (!quantity->expression) return true;
    const char *problem = NULL;
    if (tn_expression_value(quantity->expression, inputs, value, &problem)) {
        *value *= quantity->factor;
        if (isfinite(*value)) return true;
        problem = "the value is not finite";
    }
    return tn_value_error(source, quantity->node, "`%s`: %s", quantity->node->text, problem);
}

bool tn_quantity_changes(const tn_source *source, const tn_quantity *quantity)
{
    return quantity->expression &&
           (quantity->calls.count > 0 ||
            tn_expression_uses(quantity->expression, source->depth + quantity->argument_count, NULL));
}

bool tn_number_read(tn_source *source, const tn_toml *node, const char *unit, double *value)
{
    tn_quantity quantity;
    if (!tn_quantity_compile(source, node, unit, &(tn_allowed){0}, &quantity)) return false;
    const bool known = tn_quantity_evaluate(source, &quantity, source->variable_value, value);
    tn_expression_free(quantity.expression); /* every copy in a repeat reads it again */
    return known;
}

bool tn_integer_read(tn_source *source, const tn_toml *node, int64_t *value)
{
    double number = 0.0;
    if (!tn_number_read(source, node, "", &number)) return false;
    if (number != floor(number) || fabs(number) > 9e15)
        return tn_value_error(source, node, "an integer is expected, not %.17g", number);
    *value = (int64_t)number;
    return true;
}

bool tn_vector_open(tn_source *source, const tn_toml **node, const char **unit, double *scale)
{
    static const char *const words[] = {"value", "unit", NULL};
    const tn_toml *value = tn_toml_get(*node, "value"), *word = tn_toml_get(*node, "unit");
    *scale = 1.0;
    if ((*node)->kind != TN_TOML_TABLE) return true;
    const size_t before = tn_error_count(source->diagnostics);
    tn_check_keys(source, *node, &(tn_keys){.words = words});
    if (tn_error_count(source->diagnostics) != before) return false;
    if (!value || !word || word->kind != TN_TOML_STRING)
        return tn_value_error(source, *node, "a vector is an array, or { value = [..], unit = \"..\" }");
    char error[TN_LONGEST_REASON];
    if (!factor_between(word->text, *unit, scale, error)) return tn_value_error(source, word, "%s", error);
    *unit = "";
    *node = value;
    return true;
}

/* quantity.c - numbers of the model: TOML numbers, or strings with an expression and a unit */
#include "config/quantity.h"

#include "config/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Factor of the bracketed unit at the end of a string; 1 without one. */
static bool unit_factor(tn_source *source, const tn_toml *node, size_t offset, size_t length,
                        const char *unit, double *factor)
{
    char name[128], error[256];
    *factor = 1.0;
    if (!length) return true;
    if (length >= sizeof name) {
        tn_source_error_inside(source, node, offset, "unit is too long");
        return false;
    }
    memcpy(name, node->text + offset, length);
    name[length] = '\0';
    const bool known = unit ? tn_unit_factor(name, unit, factor, error, sizeof error)
                            : tn_unit_si_factor(name, factor, error, sizeof error);
    if (!known) tn_source_error(source, node, "`%s`: %s", node->text, error);
    return known;
}

static bool compile_text(tn_source *source, const tn_toml *node, const char *unit, const tn_allowed *allowed,
                         tn_quantity *quantity)
{
    size_t unit_offset = 0, unit_length = 0;
    const size_t length = tn_expression_split_unit(node->text, node->length, &unit_offset, &unit_length);
    quantity->expression = tn_scope_compile(source, node, 0, length, allowed);
    const bool fits = unit_factor(source, node, unit_offset, unit_length, unit, &quantity->factor);
    if (quantity->expression && fits) {
        if (!tn_expression_is_constant(quantity->expression)) return true;
        const bool known = tn_quantity_evaluate(source, quantity, NULL, &quantity->value);
        tn_quantity_free(quantity);
        return known;
    }
    tn_quantity_free(quantity);
    return false;
}

bool tn_quantity_compile(tn_source *source, const tn_toml *node, const char *unit, const tn_allowed *allowed,
                         tn_quantity *quantity)
{
    *quantity = (tn_quantity){.factor = 1.0, .node = node};
    switch (node->kind) {
    case TN_TOML_STRING:
        return compile_text(source, node, unit, allowed, quantity);
    case TN_TOML_INTEGER:
    case TN_TOML_REAL:
        quantity->value = node->real;
        if (isfinite(node->real)) return true;
        tn_source_error(source, node, "the value is not finite");
        return false;
    default:
        tn_source_error(source, node, "a number is expected");
        return false;
    }
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
    tn_source_error(source, quantity->node, "`%s`: %s", quantity->node->text, problem);
    return false;
}

void tn_quantity_free(tn_quantity *quantity)
{
    tn_expression_free(quantity->expression);
    quantity->expression = NULL;
}

static bool read_number(tn_source *source, const tn_toml *node, const char *unit, const tn_allowed *allowed,
                        double *value)
{
    tn_quantity quantity;
    if (!tn_quantity_compile(source, node, unit, allowed, &quantity)) return false;
    const bool known = tn_quantity_evaluate(source, &quantity, source->variable_value, value);
    tn_quantity_free(&quantity);
    return known;
}

bool tn_number_read(tn_source *source, const tn_toml *node, const char *unit, double *value)
{
    return read_number(source, node, unit, &(tn_allowed){.logic = true}, value);
}

bool tn_integer_read(tn_source *source, const tn_toml *node, int64_t *value)
{
    double number = 0.0;
    if (node->kind == TN_TOML_BOOLEAN) {
        *value = node->integer;
        return true;
    }
    if (!read_number(source, node, "", &(tn_allowed){.logic = true}, &number)) return false;
    if (number != floor(number) || fabs(number) > 9e15) {
        tn_source_error(source, node, "an integer is expected, not %.17g", number);
        return false;
    }
    *value = (int64_t)number;
    return true;
}

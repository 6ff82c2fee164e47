/* test_expression.h - names that the tests of expressions know, and values of texts. */
#ifndef TN_TEST_EXPRESSION_H
#define TN_TEST_EXPRESSION_H

#include "base/text.h"
#include "expression/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Inputs x, y, z, time, i0 .. i19, and `stepping`, which takes single values only; constants k = 3, stiffness = 7; `broken`
 * reports its error itself. */
enum { FIRST_NUMBERED = 4, INPUTS = 24 };

static inline tn_symbol resolve(void *data, const char *name)
{
    static const char *const inputs[] = {"x", "y", "z", "time"};
    (void)data;
    for (uint32_t i = 0; i < COUNT(inputs); i++)
        if (strcmp(inputs[i], name) == 0) return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = i};
    if (name[0] == 'i' && name[1] >= '0' && name[1] <= '9')
        return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = (uint32_t)(FIRST_NUMBERED + atoi(name + 1))};
    if (strcmp(name, "stepping") == 0)
        return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = INPUTS - 1, .steps = true};
    if (strcmp(name, "k") == 0) return (tn_symbol){.kind = TN_SYMBOL_CONSTANT, .value = 3.0};
    if (strcmp(name, "stiffness") == 0) return (tn_symbol){.kind = TN_SYMBOL_CONSTANT, .value = 7.0};
    if (strcmp(name, "broken") == 0) return (tn_symbol){.kind = TN_SYMBOL_ERROR};
    return (tn_symbol){.kind = TN_SYMBOL_UNKNOWN};
}

static inline const char *nearest(void *data, const char *name)
{
    (void)data;
    tn_nearest search;
    tn_nearest_start(&search, name);
    tn_nearest_offer(&search, "stiffness");
    return search.best;
}

static const tn_scope run_time = {.resolve = resolve, .nearest = nearest, .input_count = INPUTS};

static inline tn_expression *compiled(const char *text, const tn_scope *scope)
{
    tn_expression_error error;
    tn_expression *const expression = tn_expression_compile(text, strlen(text), scope, &error);
    if (!expression) fail_msg("\"%s\", %zu: %s", text, error.offset, error.message);
    return expression;
}

static inline double value_at(const char *text, const double *inputs)
{
    tn_expression *const expression = compiled(text, &run_time);
    double value;
    const char *problem;
    if (!tn_expression_value(expression, inputs, &value, &problem)) fail_msg("\"%s\": %s", text, problem);
    tn_expression_free(expression);
    return value;
}

#endif

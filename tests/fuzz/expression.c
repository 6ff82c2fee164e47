/* expression.c - what must hold for every text (see expression.h): a tape, or an error with its place; values, gradients
 * and second derivatives that agree with each other. */
#include "expression.h"

#include "expression/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 12 };

#define CHECK(condition)                                              \
    do {                                                              \
        if (!(condition)) {                                           \
            (void)fprintf(stderr, "does not hold: %s\n", #condition); \
            abort();                                                  \
        }                                                             \
    } while (0)

/* x, y, z, time, and a .. h */
static tn_symbol resolve(void *data, const char *name)
{
    (void)data;
    static const char *const inputs[] = {"x", "y", "z", "time", "a", "b", "c", "d", "e", "f", "g", "h"};
    for (uint32_t i = 0; i < INPUTS; i++)
        if (strcmp(inputs[i], name) == 0) return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = i};
    if (strcmp(name, "k") == 0) return (tn_symbol){.kind = TN_SYMBOL_CONSTANT, .value = -2.5};
    return (tn_symbol){.kind = TN_SYMBOL_UNKNOWN};
}

static const char *cube(const tn_routine *routine, const double *argument, uint32_t count,
                        tn_function_result *result)
{
    (void)routine, (void)count;
    const double x = argument[0];
    if (fabs(x) > 1e6) return "beyond a million";
    result->value = x * x * x;
    if (result->partial) result->partial[0] = 3.0 * x * x;
    if (result->second) result->second[0] = 6.0 * x;
    return NULL;
}

static const tn_routine routine = {"cube", 1, 2, cube, NULL};

static tn_routine_kind routine_kind(void *data, const char *name)
{
    (void)data;
    return strcmp(name, "cube") == 0     ? TN_PLAIN_ROUTINE
           : strcmp(name, "spline") == 0 ? TN_NAMED_ROUTINE
           : strcmp(name, "cubspl") == 0 ? TN_NAMED_THIRD_ROUTINE
                                         : TN_NO_ROUTINE;
}

static const tn_routine *find_routine(void *data, const char *name, const char *subject, char *message,
                                      size_t size)
{
    (void)data, (void)name;
    if (!subject || strlen(subject) < 3) return &routine;
    (void)snprintf(message, size, "no data `%s`", subject);
    return NULL;
}

static bool is_reference(void *data, const char *name)
{
    (void)data;
    return strcmp(name, "dx") == 0 || strcmp(name, "varval") == 0;
}

static tn_symbol refer(void *data, const char *name, const tn_item_argument *item, uint32_t count,
                       tn_expression_error *error)
{
    (void)data, (void)name;
    CHECK(count <= TN_MOST_ITEMS);
    if (count > 0 && strlen(item[0].text) > 2) {
        error->offset = item[0].offset;
        (void)snprintf(error->message, sizeof error->message, "there is no `%s`", item[0].text);
        return (tn_symbol){.kind = TN_SYMBOL_ERROR};
    }
    return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = count};
}

/* Equal, or both wrong in the same way. */
static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void evaluate(const tn_expression *expression, const double *inputs)
{
    double value = 0.0, again = 0.0, once_more = 0.0, gradient[INPUTS], second[INPUTS], product[INPUTS];
    const char *problem = NULL, *function = NULL;
    const bool known = tn_expression_value(expression, inputs, &value, &problem);
    CHECK(known != (problem != NULL) && (!known || isfinite(value)));
    const bool sloped = tn_expression_gradient(expression, inputs, &again, gradient, &problem);
    CHECK(!sloped || (known && same(value, again)));
    const bool curved =
        tn_expression_second(expression, inputs, inputs, &once_more, second, product, &problem);
    CHECK(!curved || (known && same(value, once_more)));
    for (uint32_t i = 0; sloped && curved && i < INPUTS; i++)
        CHECK(isfinite(gradient[i]) && isfinite(product[i]) &&
              fabs(gradient[i] - second[i]) <= 1e-9 * fmax(1.0, fabs(gradient[i])));

    double *switches = calloc(tn_expression_switch_count(expression) + 1, sizeof *switches);
    CHECK(switches);
    (void)tn_expression_switches(expression, inputs, switches, &problem);
    free(switches);
    (void)tn_expression_is_smooth(expression, 2, &function);
}

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t length)
{
    static const double inputs[][INPUTS] = {
        {0.0},
        {1.0, 2.0, 3.0, 0.5, 0.1, -0.2, 7.0, 1.5, 2.5, -3.0, 0.7, 9.0},
        {-1.0, 1e-3, -0.5, 1.0, 1e9, -1e-9, 0.3, -2.5, 4.0, 0.2, -0.1, 0.9}};
    const tn_scope scope = {.resolve = resolve,
                            .input_count = INPUTS,
                            .allow_logic = length & 1,
                            .routine_kind = routine_kind,
                            .routine = find_routine,
                            .is_reference = is_reference,
                            .refer = refer};
    tn_expression_error error;
    size_t unit, unit_length;
    CHECK(tn_expression_split_unit((const char *)text, length, &unit, &unit_length) <= length);
    tn_expression *const expression = tn_expression_compile((const char *)text, length, &scope, &error);
    if (!expression) CHECK(error.offset <= length && error.message[0]);
    for (size_t k = 0; expression && k < sizeof inputs / sizeof *inputs; k++)
        evaluate(expression, inputs[k]);
    tn_expression_free(expression);
    return 0;
}

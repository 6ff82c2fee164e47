/* expression.c - what must hold for every text of an expression: a tape, or an error with its place; values, gradients and
 * second derivatives that agree with each other. */
#include "target.h"

#include "expression/expression_units.h"

#include <math.h>
#include <string.h>

enum { INPUTS = 12, MOST_DELAYS = 4 };

/* The text that an expression is a part of, and how many calls of delay stand around it. */
typedef struct surroundings {
    const char *text;
    size_t offset, length;
    uint32_t delays;
} surroundings;

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
    static const char *const functions[] = {"dx", "varval", "coord", "fx", "accx", "joint", "varfrc"};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k], name) == 0) return true;
    return false;
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

/* No input says what it is. */
static tn_unit unit_of(void *data, uint32_t input)
{
    (void)data, (void)input;
    return (tn_unit){.kind = TN_UNIT_UNKNOWN};
}

/* Branches are copied for each jump around them: few jumps keep that small. */
enum { MOST_SOFT = 6 };

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
    (void)tn_expression_unit(expression, &(tn_unit_scope){.unit_of = unit_of});
}

/* The same, its jumps made steep laws that `inputs` may lie on. */
static void evaluate_soft(const tn_expression *expression, const double *inputs)
{
    tn_soft_jump jump[MOST_SOFT], *entry[MOST_SOFT] = {NULL};
    const uint32_t switches = tn_expression_switch_count(expression);
    if (switches > MOST_SOFT) return;
    for (uint32_t k = 0; k < switches; k++) {
        jump[k] = (tn_soft_jump){.width = 2.0, .offset = 0.1};
        if (tn_expression_jump(expression, k)) entry[k] = &jump[k];
    }
    tn_expression *const soft = tn_expression_soften(expression, entry);
    if (soft) evaluate(soft, inputs);
    tn_expression_free(soft);
}

static tn_expression *compile(surroundings *around, tn_expression_error *error);

/* Each argument is an expression of its own, as in a model. */
static tn_symbol delay(void *data, const tn_argument_text *argument, tn_expression_error *error)
{
    const surroundings *const outer = data;
    bool good = outer->delays < MOST_DELAYS;
    if (!good) (void)snprintf(error->message, sizeof error->message, "too deep");
    for (int k = 0; good && k < TN_DELAY_ARGUMENTS; k++) {
        CHECK(argument[k].offset <= outer->length &&
              argument[k].length <= outer->length - argument[k].offset);
        surroundings inner = *outer;
        inner.offset += argument[k].offset;
        inner.length = argument[k].length;
        inner.delays++;
        tn_expression *const expression = compile(&inner, error);
        error->offset += argument[k].offset;
        good = expression;
        tn_expression_free(expression);
    }
    return good ? (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = INPUTS - 1}
                : (tn_symbol){.kind = TN_SYMBOL_ERROR};
}

static tn_expression *compile(surroundings *around, tn_expression_error *error)
{
    const tn_scope scope = {.resolve = resolve,
                            .data = around,
                            .input_count = INPUTS,
                            .routine_data = around,
                            .routine_kind = routine_kind,
                            .routine = find_routine,
                            .is_reference = is_reference,
                            .refer = refer,
                            .delay = delay};
    tn_expression *const expression =
        tn_expression_compile(around->text + around->offset, around->length, &scope, error);
    if (!expression) CHECK(error->offset <= around->length && error->message[0]);
    return expression;
}

int tn_fuzz_expression(const uint8_t *text, size_t length)
{
    static const double inputs[][INPUTS] = {
        {0.0},
        {1.0, 2.0, 3.0, 0.5, 0.1, -0.2, 7.0, 1.5, 2.5, -3.0, 0.7, 9.0},
        {-1.0, 1e-3, -0.5, 1.0, 1e9, -1e-9, 0.3, -2.5, 4.0, 0.2, -0.1, 0.9}};
    surroundings around = {.text = (const char *)text, .length = length};
    tn_expression_error error;
    size_t unit, unit_length;
    CHECK(tn_expression_split_unit((const char *)text, length, &unit, &unit_length) <= length);
    tn_expression *const expression = compile(&around, &error);
    for (size_t k = 0; expression && k < sizeof inputs / sizeof *inputs; k++)
        evaluate(expression, inputs[k]);
    for (size_t k = 0; expression && k < sizeof inputs / sizeof *inputs; k++)
        evaluate_soft(expression, inputs[k]);
    tn_expression_free(expression);
    return 0;
}

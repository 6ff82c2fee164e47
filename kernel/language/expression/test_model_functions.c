/* test_model_functions.c - functions that a model brings along: routines with data, and references to its items. */
#include "expression/test_expression.h"

#include <math.h>
#include <stdio.h>

/* ---- references: dx(item, item, item), and varval(item), whose inputs begin with 0 -------------------------- */

typedef struct model {
    tn_scope scope;
    char asked[8][64]; /* one per input */
} model;

static bool is_reference(void *data, const char *name)
{
    (void)data;
    return strcmp(name, "dx") == 0 || strcmp(name, "varval") == 0 || strcmp(name, "nothing") == 0;
}

static tn_symbol refuse(tn_expression_error *error, size_t offset, const char *message)
{
    error->offset = offset;
    (void)snprintf(error->message, sizeof error->message, "%s", message);
    return (tn_symbol){.kind = TN_SYMBOL_ERROR};
}

/* Equal calls are one input; the scope grows with them. */
static tn_symbol refer(void *data, const char *name, const tn_item_argument *item, uint32_t count,
                       tn_expression_error *error)
{
    model *const m = data;
    char call[64];
    int length = snprintf(call, sizeof call, "%s", name);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(item[i].text, "lost") == 0) return refuse(error, item[i].offset, "there is no `lost`");
        length += snprintf(call + length, sizeof call - (size_t)length, " %s", item[i].text);
    }
    if (strcmp(name, "nothing") == 0) return (tn_symbol){.kind = TN_SYMBOL_ERROR}; /* reported itself */
    if (strcmp(name, "varval") == 0 && count != 1)
        return refuse(error, error->offset, "`VARVAL` takes one variable");
    if (strcmp(call, "varval 3") == 0) return (tn_symbol){.kind = TN_SYMBOL_CONSTANT, .value = 3.5};
    uint32_t input = 0;
    while (input < m->scope.input_count && strcmp(m->asked[input], call) != 0)
        input++;
    if (input == m->scope.input_count) strcpy(m->asked[m->scope.input_count++], call);
    return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = input};
}

static tn_symbol resolve_nothing(void *data, const char *name)
{
    (void)data, (void)name;
    return (tn_symbol){.kind = TN_SYMBOL_UNKNOWN};
}

static model make_model(void)
{
    return (model){.scope = {.resolve = resolve_nothing, .is_reference = is_reference, .refer = refer}};
}

static void references_become_inputs(void **state)
{
    (void)state;
    model m = make_model();
    m.scope.data = &m;
    tn_expression *const expression = compiled(
        "2*DX(tip, base) - Dx ( 1011 , 33 )**2 + dx(tip,base) + dx() + dx(a,b.c,2,ground) + varval(3)",
        &m.scope);
    assert_int_equal(m.scope.input_count, 4);
    assert_string_equal(m.asked[0], "dx tip base");
    assert_string_equal(m.asked[1], "dx 1011 33");
    assert_string_equal(m.asked[2], "dx");
    assert_string_equal(m.asked[3], "dx a b.c 2 ground");
    const double inputs[] = {5.0, 3.0, 100.0, 1000.0};
    double value, gradient[4];
    const char *problem;
    size_t offset = 0;
    assert_true(tn_expression_gradient(expression, inputs, &value, gradient, &problem));
    assert_true(value == 10.0 - 9.0 + 5.0 + 100.0 + 1000.0 + 3.5);
    assert_true(gradient[0] == 3.0 && gradient[1] == -6.0 && gradient[2] == 1.0 && gradient[3] == 1.0);
    assert_true(tn_expression_uses(expression, 1, &offset));
    assert_int_equal(offset, 18);
    tn_expression_free(expression);
}

static void references_say_what_is_wrong_at_the_item(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
        const char *message;
    } cases[] = {{"1 + dx(tip, lost)", 12, "there is no `lost`"},
                 {"1 + VARVAL(a, b)", 4, "`VARVAL` takes one variable"},
                 {"1 + nothing(a)", 4, ""},
                 {"dx(a, b, c, d, e)", 15, "`dx` takes at most 4 items"},
                 {"dx(a + 1)", 5, "`)` or an operator missing before `+`"},
                 {"dx(2.5)", 3, "the arguments of `dx` are names or ids of items"},
                 {"dx(60D)", 3, "the arguments of `dx` are names or ids of items"},
                 {"dx(-3)", 3, "the arguments of `dx` are names or ids of items"},
                 {"dx(sin(3))", 6, "`)` or an operator missing before `(`"},
                 {"dx(a,)", 5, "the arguments of `dx` are names or ids of items"},
                 {"dx(a", 4, "missing `)`: the `(` at character 3 is not closed"},
                 {"1 + Dx", 4, "function `Dx` without its arguments in parentheses"},
                 {"dy(a)", 0, "unknown function `dy`"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        model m = make_model();
        m.scope.data = &m;
        tn_expression_error error;
        assert_null(tn_expression_compile(cases[i].text, strlen(cases[i].text), &m.scope, &error));
        if (error.offset != cases[i].offset || strcmp(error.message, cases[i].message) != 0)
            fail_msg("\"%s\", %zu: %s", cases[i].text, error.offset, error.message);
    }
}

/* ---- routines: square(x), curve(data, x, factor), third(x, z, data) ------------------------------------------ */

static const char *parabola(const tn_routine *routine, const double *argument, uint32_t count,
                            tn_function_result *result)
{
    (void)routine;
    const double x = argument[0], factor = count > 1 ? argument[1] : 1.0;
    result->value = factor * x * x;
    if (result->partial) {
        result->partial[0] = 2.0 * factor * x;
        if (count > 1) result->partial[1] = x * x;
    }
    if (result->second) {
        result->second[0] = 2.0 * factor;
        if (count > 1) result->second[1] = result->second[2] = 2.0 * x;
    }
    return NULL;
}

/* A factor of 7 is not allowed. */
static const char *inspect(const tn_routine *routine, const double *argument, uint32_t count,
                           int32_t *smoothness)
{
    (void)routine;
    *smoothness = count > 1 && argument[1] == 0.5 ? 1000 : 1;
    return count > 1 && argument[1] == 7.0 ? "7 is not allowed" : NULL;
}

static const tn_routine square = {"square", 1, 1, parabola, NULL};
static const tn_routine curve = {"curve", 1, 2, parabola, inspect};

static tn_routine_kind routine_kind(void *data, const char *name)
{
    (void)data;
    return strcmp(name, "square") == 0  ? TN_PLAIN_ROUTINE
           : strcmp(name, "curve") == 0 ? TN_NAMED_ROUTINE
           : strcmp(name, "third") == 0 ? TN_NAMED_THIRD_ROUTINE
                                        : TN_NO_ROUTINE;
}

static const tn_routine *find_routine(void *data, const char *name, const char *subject, char *message,
                                      size_t size)
{
    (void)data;
    if (strcmp(name, "square") == 0) return &square;
    if (strcmp(subject, "data") == 0 || strcmp(subject, "12") == 0) return &curve;
    (void)snprintf(message, size, "no data `%s`", subject);
    return NULL;
}

static tn_scope with_routines(void)
{
    tn_scope scope = run_time;
    scope.routine_kind = routine_kind;
    scope.routine = find_routine;
    return scope;
}

static void routines_take_their_data_by_name_or_id(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value, slope, curvature; /* along x, with the direction x */
    } cases[] = {
        {"square(x)*y", 45.0, 30.0, 10.0},       {"Curve(data, 2*x)", 36.0, 24.0, 8.0},
        {"curve(12, x, y)", 45.0, 30.0, 10.0},   {"curve(data, x, x)", 27.0, 27.0, 18.0},
        {"THIRD(x, y, data)", 45.0, 30.0, 10.0}, {"third(2*x, x, 12) + square(2)", 112.0, 108.0, 72.0}};
    const tn_scope scope = with_routines();
    const double inputs[INPUTS] = {3.0, 5.0}, direction[INPUTS] = {1.0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression *const expression = compiled(cases[i].text, &scope);
        double value, gradient[INPUTS], product[INPUTS];
        const char *problem;
        assert_true(tn_expression_second(expression, inputs, direction, &value, gradient, product, &problem));
        if (value != cases[i].value || gradient[0] != cases[i].slope || product[0] != cases[i].curvature)
            fail_msg("\"%s\": %g, %g, %g", cases[i].text, value, gradient[0], product[0]);
        tn_expression_free(expression);
    }
}

static void routines_are_inspected_when_they_are_compiled(void **state)
{
    (void)state;
    const tn_scope scope = with_routines();
    tn_expression_error error;
    assert_null(tn_expression_compile("2*curve(data, x, 7)", 19, &scope, &error));
    assert_string_equal(error.message, "7 is not allowed");
    assert_int_equal(error.offset, 2);
    const struct {
        const char *text;
        int32_t smoothness;
    } cases[] = {{"square(x)", 0}, {"curve(data, x, 2)", 1}, {"curve(data, x, 0.5)", 100}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression *const expression = compiled(cases[i].text, &scope);
        const char *function;
        assert_true(tn_expression_is_smooth(expression, cases[i].smoothness, &function));
        assert_true(i == 2 || !tn_expression_is_smooth(expression, cases[i].smoothness + 1, &function));
        tn_expression_free(expression);
    }
}

static void calls_of_routines_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
        const char *message;
    } cases[] = {
        {"square()", 0, "`square` takes 1 argument, not 0"},
        {"curve(data)", 0, "`curve` needs its argument: curve(data, x)"},
        {"curve(lost, x)", 6, "no data `lost`"},
        {"curve(13, x)", 6, "no data `13`"},
        {"curve(1.5, x)", 6, "`curve` begins with the name of its data, without quotes: curve(name, x)"},
        {"curve(data, x, 1, 2)", 0, "`curve` takes 2 to 3 arguments, not 4"},
        {"third(x)", 0, "`third` needs the name of its data as third argument: third(x, 0, name)"},
        {"third(x, 0, x + 1)", 12, "no data `x`"},
        {"third(x, 0, (x))", 12,
         "the third argument of `third` is the name of its data, without quotes: third(x, 0, name)"},
        {"third(x, 0, data, 1)", 0, "`curve` takes 2 to 3 arguments, not 4"}};
    const tn_scope scope = with_routines();
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression_error error;
        assert_null(tn_expression_compile(cases[i].text, strlen(cases[i].text), &scope, &error));
        if (error.offset != cases[i].offset || strcmp(error.message, cases[i].message) != 0)
            fail_msg("\"%s\", %zu: %s", cases[i].text, error.offset, error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(references_become_inputs),
                                       cmocka_unit_test(references_say_what_is_wrong_at_the_item),
                                       cmocka_unit_test(routines_take_their_data_by_name_or_id),
                                       cmocka_unit_test(routines_are_inspected_when_they_are_compiled),
                                       cmocka_unit_test(calls_of_routines_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

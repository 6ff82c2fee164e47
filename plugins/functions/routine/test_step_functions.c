/* test_step_functions.c - STEP, STEP5 and HAVSIN of routines have the values and derivatives of expressions */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "expression/expression.h"

#include "step_functions.c"

#include <stdio.h>
#include <string.h>

typedef void function(double x, double x0, double h0, double x1, double h1, int iord, double *value,
                      int *errflg);

static tn_symbol resolve(void *data, const char *name)
{
    (void)data, (void)name;
    return (tn_symbol){.kind = TN_SYMBOL_INPUT, .input = 0};
}

static void check(double value, double expected, const char *name, double x)
{
    if (!(fabs(value - expected) <= 1e-12 * (1.0 + fabs(expected))))
        fail_msg("%s at %g: %.17g, not %.17g", name, x, value, expected);
}

static void check_function(const char *name, function *of)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%s(x, -1, 3, 0.5, -2)", name);
    const tn_scope scope = {.resolve = resolve, .input_count = 1};
    tn_expression_error error = {0};
    tn_expression *expression = tn_expression_compile(text, strlen(text), &scope, &error);
    if (!expression) fail_msg("%s", error.message);
    for (double x = -1.4; x < 1.0; x += 0.125) {
        const double along = 1.0;
        double value, slope, curve, found[3];
        int wrong = 1;
        const char *problem = NULL;
        assert_true(tn_expression_second(expression, &x, &along, &value, &slope, &curve, &problem));
        for (int order = 0; order < 3; order++)
            of(x, -1.0, 3.0, 0.5, -2.0, order, &found[order], &wrong);
        assert_int_equal(wrong, 0);
        check(found[0], value, name, x);
        check(found[1], slope, name, x);
        check(found[2], curve, name, x);
    }
    tn_expression_free(expression);
}

static void steps_are_those_of_expressions(void **state)
{
    (void)state;
    check_function("STEP", c_step);
    check_function("STEP5", c_step5);
    check_function("HAVSIN", c_havsin);
}

static void wrong_arguments_are_told(void **state)
{
    (void)state;
    double value = 1.0;
    int wrong = 0;
    c_step(0.5, 1.0, 0.0, 1.0, 2.0, 0, &value, &wrong);
    assert_true(wrong == 1 && value == 0.0);
    c_step5(0.5, 0.0, 0.0, 1.0, 2.0, 3, &value, &wrong);
    assert_int_equal(wrong, 1);
    c_havsin(0.5, 0.0, 0.0, 1.0, 2.0, -1, &value, &wrong);
    assert_int_equal(wrong, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_those_of_expressions),
                                       cmocka_unit_test(wrong_arguments_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

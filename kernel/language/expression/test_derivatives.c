/* test_derivatives.c - first and second derivatives of everything against differences; kinks from both sides. */
#include "expression/test_expression.h"

#include <math.h>
#include <stdio.h>

enum { VARIABLES = 9 }; /* inputs that the texts use: x, y, z, time, i0 .. i4 */

static void assert_near(const char *text, const char *what, uint32_t i, double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-6 * fmax(1.0, fabs(wanted))))
        fail_msg("\"%s\": %s by input %u is %.10g, not %.10g", text, what, i, found, wanted);
}

static void gradient_at(const tn_expression *expression, const char *text, const double *inputs,
                        double *gradient)
{
    double value;
    const char *problem;
    if (!tn_expression_gradient(expression, inputs, &value, gradient, &problem))
        fail_msg("\"%s\": %s", text, problem);
}

static double plain_value(const tn_expression *expression, const char *text, const double *inputs)
{
    double value;
    const char *problem;
    if (!tn_expression_value(expression, inputs, &value, &problem)) fail_msg("\"%s\": %s", text, problem);
    return value;
}

/* The three sweeps agree, and derivatives are those of differences. */
static void check(const char *text, const double *inputs)
{
    static const double step = 1e-5;
    tn_expression *const expression = compiled(text, &run_time);
    double value, direction[INPUTS] = {0.0}, gradient[INPUTS], same[INPUTS], product[INPUTS];
    double before[INPUTS], after[INPUTS], moved[INPUTS];
    const char *problem;
    for (uint32_t i = 0; i < VARIABLES; i++)
        direction[i] = 0.3 + 0.1 * i;
    gradient_at(expression, text, inputs, gradient);
    if (!tn_expression_second(expression, inputs, direction, &value, same, product, &problem))
        fail_msg("\"%s\": %s", text, problem);
    assert_true(value == plain_value(expression, text, inputs));
    for (uint32_t i = 0; i < INPUTS; i++)
        assert_true(fabs(gradient[i] - same[i]) <= 1e-14 * fabs(gradient[i]));

    for (uint32_t i = 0; i < VARIABLES; i++) {
        memcpy(moved, inputs, sizeof moved);
        moved[i] = inputs[i] - step;
        const double left = plain_value(expression, text, moved);
        moved[i] = inputs[i] + step;
        assert_near(text, "slope", i, gradient[i],
                    (plain_value(expression, text, moved) - left) / (2.0 * step));
    }
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < INPUTS; i++)
            moved[i] = inputs[i] + (side ? step : -step) * direction[i];
        gradient_at(expression, text, moved, side ? after : before);
    }
    for (uint32_t i = 0; i < VARIABLES; i++)
        assert_near(text, "curvature", i, product[i], (after[i] - before[i]) / (2.0 * step));
    tn_expression_free(expression);
}

static void operators_and_elementary_functions(void **state)
{
    (void)state;
    static const char *const everywhere[] = {"x*y*z",
                                             "x/y - z/x",
                                             "(x - y)/(z*z + 1)",
                                             "3/(x*x + 1)",
                                             "-x*(2 - y)/4",
                                             "x**2*y**3 + z**-2",
                                             "x**0 + y**1",
                                             "x**7",
                                             "y**11",
                                             "SIN(x*y)*COS(z)",
                                             "TAN(x/4 + y/8)",
                                             "ATAN(x*y)",
                                             "ATAN2(y, x)",
                                             "ATAN2(x*z, y - 3)",
                                             "COSH(x) + SINH(y)",
                                             "TANH(x*y/2)",
                                             "EXP(x - y*z/4)",
                                             "i0*i1 + i2*i3*i4*x*y*z*time",
                                             "ABS(x)*y + DIM(x, y)*z",
                                             "MAX(x*x, y*z, z)*MIN(x, y)",
                                             "SIGN(x*z, y)*x",
                                             "MOD(x*z, 5.3)*y",
                                             "(AINT(x) + ANINT(x) + CEIL(y) + FLOOR(y))*x*y",
                                             "IF(x: x*y, 1, SIN(z)*x)*z"};
    static const char *const positive[] = {"SQRT(x*y)", "LOG(x/y)*z", "LOG10(x + y)", "x**y",
                                           "x**1.5*y",  "2**(x*y)",   "ASIN(x/3)*y",  "ACOS(x*y/9)"};
    for (double x = -2.03; x < 2.1; x += 0.58) {
        for (double y = -1.94; y < 2.1; y += 0.77) {
            const double inputs[INPUTS] = {x, y, 1.3 + x / 4.0, 0.4, 1.1, -0.6, 0.8, 1.7, -0.9};
            const double positives[INPUTS] = {fabs(x), fabs(y), 1.3};
            for (size_t i = 0; i < COUNT(everywhere); i++)
                check(everywhere[i], inputs);
            for (size_t i = 0; i < COUNT(positive); i++)
                check(positive[i], positives);
        }
    }
}

/* All arguments vary; x goes through all branches, off their ends by more than a step. */
static void library_functions_in_all_arguments(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "STEP(x, y, z, time, i0)",
        "STEP5(x, y, z, time, i0)",
        "HAVSIN(x, y, z, time, i0)",
        "STEP(x*z, -0.7, y, 0.9, 2)",
        "IMPACT(x, z - 3, time, i3, i0, i4, i2)",
        "IMPACT(x, z - 0.3, time, i3, i0, i4, i2)",
        "IMPACT(x, 9*z, time, i3, i0, i4, i2)",
        "BISTOP(x, z - 3, y, time, i3, i0, i4, i2)",
        "BISTOP(x, 3 - z, y, time, i3, i0, i4, i2)",
        "BISTOP(-x, z, -1, y + 1, 10, 2.2, 1, 0.3)",
        "POLY(x, y, z, time, i0, i1, i2)",
        "CHEBY(x, y, z, time, i0, i1, i2, 0.5)",
        "FORCOS(x, y, z, time, i0, i1, i2)",
        "FORSIN(x, y, z, time, i0, i1, i2)",
        "SHF(x, y, z, time, i0, i1)",
        "SWEEP(x + 1, z, i1, i2, time + i0, i3/3, i4)*x",
        "SWEEP(x*time, 2, 0.1, 1, 1.3, 2, 0.5)",
    };
    for (double x = -2.03; x < 2.6; x += 0.29) {
        const double inputs[INPUTS] = {x, -0.6, 1.4, 0.8, 1.7, 0.35, 0.4, 2.5, 0.9};
        for (size_t i = 0; i < COUNT(texts); i++)
            check(texts[i], inputs);
    }
}

/* Each function so close to its branch point that differences just stay on one side. */
static void branches_from_both_sides(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double place;
    } cases[] = {{"STEP(x, 0, 1, 2, 3)", 0.0},
                 {"STEP(x, 0, 1, 2, 3)", 2.0},
                 {"STEP5(x, 0, 1, 2, 3)", 0.0},
                 {"STEP5(x, 0, 1, 2, 3)", 2.0},
                 {"HAVSIN(x, 0, 1, 2, 3)", 0.0},
                 {"HAVSIN(x, 0, 1, 2, 3)", 2.0},
                 {"IMPACT(x, y, 1, 4, 1, 2.5, 0.7)", 1.0},
                 {"IMPACT(x, y, 1, 4, 1.5, 2.5, 0.7)", 0.3},
                 {"BISTOP(x, y, 0, 1, 4, 1, 2.5, 0.7)", 0.0},
                 {"BISTOP(x, y, 0, 1, 4, 2, 2.5, 0.7)", 1.0},
                 {"BISTOP(x, y, 0, 1, 4, 1.5, 2.5, 0.7)", 1.7},
                 {"SWEEP(x, 1, 1, 1, 2, 3, 0.5)", 0.0},
                 {"SWEEP(x, 1, 1, 1, 2, 3, 0.5)", 0.5},
                 {"SWEEP(x, 1, 1, 1, 2, 3, 0.5)", 1.0},
                 {"SWEEP(x, 1, 1, 1, 2, 3, 0.5)", 2.0},
                 {"IF(x: x*x, 0, SIN(x)*y)", 0.0},
                 {"ABS(x)*x", 0.0},
                 {"MAX(x, x*x)", 1.0},
                 {"DIM(x*x, x)", 1.0},
                 {"MOD(x*x, 1)*x", 1.0},
                 {"FLOOR(x)*x*x", 1.0},
                 {"SIGN(x*x, x - 1)", 1.0}};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int side = -1; side <= 1; side += 2)
            for (double distance = 3e-5; distance < 0.1; distance *= 30.0) {
                const double inputs[INPUTS] = {cases[i].place + side * distance, -0.4};
                check(cases[i].text, inputs);
            }
}

/* At the ends themselves the outer branch counts: no slope, no curvature. */
static void ends_of_transitions_belong_to_the_constants(void **state)
{
    (void)state;
    static const char *const texts[] = {"STEP(x, 0, 1, 2, 3)", "STEP5(x, 0, 1, 2, 3)",
                                        "HAVSIN(x, 0, 1, 2, 3)", "IMPACT(x + 1, -1, 1, 5, 1, 2, 0.1)"};
    for (size_t i = 0; i < COUNT(texts); i++)
        for (double x = 0.0; x < 3.0; x += 2.0) {
            tn_expression *const expression = compiled(texts[i], &run_time);
            const double inputs[INPUTS] = {x}, direction[INPUTS] = {1.0};
            double value, gradient[INPUTS], product[INPUTS];
            const char *problem;
            assert_true(
                tn_expression_second(expression, inputs, direction, &value, gradient, product, &problem));
            assert_true(value == (i == 3 ? 0.0 : x == 0.0 ? 1.0 : 3.0));
            assert_true(gradient[0] == 0.0 && product[0] == 0.0);
            tn_expression_free(expression);
        }
}

/* More inputs than one sweep holds: every pair of them has its own mixed derivative. */
static void mixed_derivatives_reach_all_inputs(void **state)
{
    (void)state;
    char text[4096] = "0";
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < i; j++) {
            char term[32];
            snprintf(term, sizeof term, "+%d*i%d*i%d", 1 + i + 20 * j, i, j);
            strcat(text, term);
        }
    tn_expression *const expression = compiled(text, &run_time);
    const double inputs[INPUTS] = {0.0};
    for (int j = 0; j < 20; j++) {
        double direction[INPUTS] = {0.0}, value, gradient[INPUTS], product[INPUTS];
        const char *problem;
        direction[FIRST_NUMBERED + j] = 1.0;
        assert_true(tn_expression_second(expression, inputs, direction, &value, gradient, product, &problem));
        for (int i = 0; i < 20; i++) {
            const int high = i > j ? i : j, low = i > j ? j : i;
            assert_true(product[FIRST_NUMBERED + i] == (i == j ? 0.0 : 1.0 + high + 20.0 * low));
        }
    }
    tn_expression_free(expression);
}

static void a_constant_has_none(void **state)
{
    (void)state;
    tn_expression *const expression = compiled("2*k", &run_time);
    const double inputs[INPUTS] = {0.0};
    double value, gradient[INPUTS], product[INPUTS];
    const char *problem;
    assert_true(tn_expression_second(expression, inputs, inputs, &value, gradient, product, &problem));
    assert_true(value == 6.0 && gradient[0] == 0.0 && product[0] == 0.0);
    tn_expression_free(expression);
}

static void second_derivatives_that_do_not_exist_are_a_problem(void **state)
{
    (void)state;
    static const struct {
        const char *text, *problem;
        double x;
    } cases[] = {{"x**1.5", "second derivative of a power at zero", 0.0},
                 {"SQRT(x)", "derivative of SQRT at zero", 0.0},
                 {"EXP(x)", "result is not finite", 1000.0},
                 {"1/x", "division by zero", 0.0},
                 {"IF(x: 1, 1/x, 2)", "division by zero", 0.0},
                 {"IF(y*x: 1, 2, 3)", "result is not finite", (double)NAN},
                 {"STEP(1, x, 0, 1, 1)", "STEP(x, x0, y0, x1, y1) needs x0 < x1", 2.0},
                 {"HAVSIN(1, x, 0, 1, 1)", "HAVSIN(x, x0, y0, x1, y1) needs x0 < x1", 1.0},
                 {"IMPACT(x, 1, 1, x, 1, 1, 1)", "IMPACT(x, v, x1, k, e, cmax, d) needs k >= 0", -1.0},
                 {"BISTOP(x, 1, 1, x, 1, 1, 1, 1)", "BISTOP(x, v, x1, x2, k, e, cmax, d) needs x1 < x2", 1.0},
                 {"SWEEP(2, 1, x, 1, 1, 1, 1)", "SWEEP(x, a, x0, f0, x1, f1, dx) needs x0 < x1", 1.0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression *const expression = compiled(cases[i].text, &run_time);
        const double inputs[INPUTS] = {cases[i].x}, direction[INPUTS] = {1.0};
        double value, gradient[INPUTS], product[INPUTS];
        const char *problem = "";
        assert_false(
            tn_expression_second(expression, inputs, direction, &value, gradient, product, &problem));
        assert_string_equal(problem, cases[i].problem);
        tn_expression_free(expression);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operators_and_elementary_functions),
                                       cmocka_unit_test(library_functions_in_all_arguments),
                                       cmocka_unit_test(branches_from_both_sides),
                                       cmocka_unit_test(ends_of_transitions_belong_to_the_constants),
                                       cmocka_unit_test(mixed_derivatives_reach_all_inputs),
                                       cmocka_unit_test(a_constant_has_none),
                                       cmocka_unit_test(second_derivatives_that_do_not_exist_are_a_problem)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

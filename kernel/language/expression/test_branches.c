/* test_branches.c - switching functions, and how smooth an expression is. */
#include "expression/test_expression.h"

#include <math.h>

enum { MOST = 8 };

static uint32_t switches_at(const char *text, const double *inputs, double *switches)
{
    tn_expression *const expression = compiled(text, &run_time);
    const char *problem;
    const uint32_t count = tn_expression_switch_count(expression);
    assert_true(count <= MOST);
    if (!tn_expression_switches(expression, inputs, switches, &problem))
        fail_msg("\"%s\": %s", text, problem);
    tn_expression_free(expression);
    return count;
}

/* The number of switching functions that change their sign between two values of x. */
static int crossings(const char *text, double from, double to)
{
    double before[MOST], after[MOST];
    int changes = 0;
    const double here[INPUTS] = {from, -1.0}, there[INPUTS] = {to, -1.0};
    const uint32_t count = switches_at(text, here, before);
    assert_int_equal(switches_at(text, there, after), count);
    for (uint32_t i = 0; i < count; i++)
        changes += before[i] * after[i] < 0.0;
    return changes;
}

static void every_branch_has_a_switching_function(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double at[4]; /* where it switches; ends with 0 after the first */
        int count;
    } cases[] = {{"IF(x - 1: 2, 3, 4)", {1}, 1},
                 {"ABS(x + 2)", {-2}, 1},
                 {"SIGN(x, x - 1)", {0, 1}, 2},
                 {"MAX(x, 2)", {2}, 1},
                 {"MIN(3, x, 2, 10)", {2}, 1},
                 {"DIM(x, 2)", {2}, 1},
                 {"STEP(x, -1, 0, 2, 1)", {-1, 2}, 2},
                 {"STEP5(x, -1, 0, 2, 1)", {-1, 2}, 2},
                 {"HAVSIN(x, -1, 0, 2, 1)", {-1, 2}, 2},
                 {"IMPACT(x, y, 2, 1, 1.5, 1, 0.5)", {1.5, 2}, 2},
                 {"BISTOP(x, y, -1, 2, 1, 1.5, 0, 0.5)", {-1.5, -1, 2, 2.5}, 4},
                 {"SWEEP(x, 1, 1, 1, 2, 2, 0.5)", {0, 0.5, 1, 2}, 4},
                 {"MOD(x, 2)", {-2, 2}, 2},
                 {"AINT(x)", {-2, -1, 1, 2}, 4},
                 {"ANINT(x)", {-1.5, -0.5, 0.5, 1.5}, 4},
                 {"CEIL(x)", {-1, 0, 1, 2}, 4},
                 {"FLOOR(x)", {-1, 0, 1, 2}, 4},
                 {"x > 1", {1}, 1},
                 {"2 >= x", {2}, 1},
                 {"x == 1", {1}, 1},
                 {"x < 1 or x > 2", {1, 2}, 2},
                 {"not x <= 1 and y < 0", {1}, 1},
                 {"IF(x > 1: 0, y, 3)", {1}, 1},
                 {"not x", {0}, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        /* nowhere but at these places, within the widest range that they cover */
        for (double x = cases[i].at[0] - 0.45; x < cases[i].at[cases[i].count - 1] + 0.45; x += 0.02) {
            const double from = x + 1e-3, to = from + 0.02;
            int wanted = 0;
            for (int k = 0; k < cases[i].count; k++)
                wanted += from < cases[i].at[k] && cases[i].at[k] < to;
            if (crossings(cases[i].text, from, to) != wanted)
                fail_msg("\"%s\" switches %d times from %g to %g, not %d", cases[i].text,
                         crossings(cases[i].text, from, to), from, to, wanted);
        }
    }
}

static void large_numbers_switch_at_integers_too(void **state)
{
    (void)state;
    assert_int_equal(crossings("FLOOR(x)", 1e9 + 0.9, 1e9 + 1.1), 1);
    assert_int_equal(crossings("FLOOR(x)", 1e9 + 0.1, 1e9 + 0.9), 0);
    assert_int_equal(crossings("AINT(x)", -0.9, 0.9), 0);
}

/* The force of a stop that would pull is cut off. */
static void a_stop_switches_where_it_would_pull(void **state)
{
    (void)state;
    double switches[MOST];
    const double pushing[INPUTS] = {0.9, 0.1}, pulling[INPUTS] = {0.9, 10.0}, outside[INPUTS] = {1.1, 10.0};
    assert_int_equal(switches_at("IMPACT(x, y, 1, 1, 1, 2, 0.05)", pushing, switches), 3);
    assert_true(fabs(switches[2] - (0.1 - 0.2)) < 1e-15);
    switches_at("IMPACT(x, y, 1, 10, 1, 2, 0.05)", pushing, switches);
    assert_true(switches[2] > 0.0);
    switches_at("IMPACT(x, y, 1, 10, 1, 2, 0.05)", pulling, switches);
    assert_true(switches[2] < 0.0);
    switches_at("IMPACT(x, y, 1, 10, 1, 2, 0.05)", outside, switches);
    assert_true(isnan(switches[2]));
    const double above[INPUTS] = {2.2, -10.0};
    assert_int_equal(switches_at("BISTOP(x, y, 1, 2, 10, 1, 2, 0.05)", above, switches), 5);
    assert_true(switches[4] < 0.0);
}

static void parts_that_are_not_worked_out_have_no_switching_value(void **state)
{
    (void)state;
    double switches[MOST];
    const double negative[INPUTS] = {-1.0, 5.0}, positive[INPUTS] = {1.0, 5.0};
    static const char text[] = "IF(x: ABS(y - 3), 0, MAX(y, 7)) + ABS(x)";
    assert_int_equal(switches_at(text, negative, switches), 4);
    assert_true(switches[0] == -1.0 && switches[1] == 2.0 && isnan(switches[2]) && switches[3] == -1.0);
    switches_at(text, positive, switches);
    assert_true(switches[0] == 1.0 && isnan(switches[1]) && switches[2] == -2.0 && switches[3] == 1.0);
}

static void what_and_does_not_look_at_has_no_switching_value(void **state)
{
    (void)state;
    double switches[MOST];
    const double negative[INPUTS] = {-1.0, 5.0}, positive[INPUTS] = {1.0, 5.0};
    assert_int_equal(switches_at("x > 0 and y > 3", negative, switches), 2);
    assert_true(switches[0] == -1.0 && isnan(switches[1]));
    switches_at("x > 0 and y > 3", positive, switches);
    assert_true(switches[0] == 1.0 && switches[1] == 2.0);
    switches_at("x > 0 or y > 3", positive, switches);
    assert_true(switches[0] == 1.0 && isnan(switches[1]));
}

static void constants_do_not_switch(void **state)
{
    (void)state;
    double switches[MOST];
    const double inputs[INPUTS] = {0.5};
    assert_int_equal(switches_at("x + ABS(-2) + STEP(1, 0, 0, 2, k) + IF(k: 1, 2, 3) + (k > 2 and 1 < 0)",
                                 inputs, switches),
                     0);
    assert_int_equal(switches_at("SIN(x)*x**3", inputs, switches), 0);
}

static void switches_outside_the_domain_are_a_problem(void **state)
{
    (void)state;
    tn_expression *const expression = compiled("ABS(1/x)", &run_time);
    const double inputs[INPUTS] = {0.0};
    double switches[MOST];
    const char *problem = "";
    assert_false(tn_expression_switches(expression, inputs, switches, &problem));
    assert_string_equal(problem, "division by zero");
    tn_expression_free(expression);
}

/* ---- smoothness -------------------------------------------------------------------------------------------- */

static void smoothness_is_that_of_the_roughest_function(void **state)
{
    (void)state;
    static const struct {
        const char *text, *function;
        int32_t smoothness; /* -1: it jumps */
    } cases[] = {{"SIN(x)*EXP(y)/x**2 + POLY(x, 0, 1, 2)", NULL, 9},
                 {"STEP5(x, 0, 0, 1, 1)", "STEP5", 2},
                 {"STEP5(x, 0, 0, 1, 1) + STEP(x, 0, 0, 1, 1)", "STEP", 1},
                 {"HAVSIN(x, 0, 0, 1, 1)", "HAVSIN", 1},
                 {"SWEEP(x, 1, 0, 1, 1, 2, 1)", "SWEEP", 1},
                 {"ABS(x)", "ABS", 0},
                 {"2*MAX(x, y, 0)", "MAX", 0},
                 {"IMPACT(x, y, 0, 1, 2, 1, 1)", "IMPACT", 0},
                 {"DIM(x, 0)**3", "DIM", 0},
                 {"x*FLOOR(y)", "FLOOR", -1},
                 {"SIGN(x, y)", "SIGN", -1},
                 {"IF(x: 0, 0, x)", "IF", -1},
                 {"IF(x > 1: 0, 0, x)", ">", -1},
                 {"not x", "and, or, not", -1},
                 {"(k > 2)*x", NULL, 9},
                 {"ABS(-2)*x + SQRT(STEP(1, 0, 0, 2, 1))*y", NULL, 9}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression *const expression = compiled(cases[i].text, &run_time);
        const char *function = "";
        for (int32_t order = 0; order < 3; order++) {
            const bool smooth = tn_expression_is_smooth(expression, order, &function);
            assert_true(smooth == (order <= cases[i].smoothness));
            if (smooth)
                assert_null(function);
            else
                assert_string_equal(function, cases[i].function);
        }
        tn_expression_free(expression);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_branch_has_a_switching_function),
        cmocka_unit_test(large_numbers_switch_at_integers_too),
        cmocka_unit_test(a_stop_switches_where_it_would_pull),
        cmocka_unit_test(parts_that_are_not_worked_out_have_no_switching_value),
        cmocka_unit_test(what_and_does_not_look_at_has_no_switching_value),
        cmocka_unit_test(constants_do_not_switch),
        cmocka_unit_test(switches_outside_the_domain_are_a_problem),
        cmocka_unit_test(smoothness_is_that_of_the_roughest_function)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

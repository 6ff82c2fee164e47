/* test_logic.c - comparisons and `and`, `or`, `not`, of what is known before the run and of what varies. */
#include "expression/test_expression.h"

#include <math.h>

/* At x = 2, y = -1. */
static void check_values(const char *const *texts, double right)
{
    const double inputs[INPUTS] = {2.0, -1.0};
    for (; *texts; texts++)
        if (value_at(*texts, inputs) != right)
            fail_msg("\"%s\" is %g, not %g", *texts, value_at(*texts, inputs), right);
}

static void truths_are_one_and_zero(void **state)
{
    (void)state;
    static const char *const ones[] = {
        "x > 1",     "x >= 2",          "x <= 2",         "y < x",   "x == 2", "x != y",        "2 == x",
        "not y > 0", "x > 1 and y < 0", "x < 1 or y < 0", "x and y", "0 or y", "not (x and 0)", NULL};
    static const char *const zeros[] = {
        "x < 2",           "x > 2",          "y >= 0",    "x == y",         "2 != x", "not x",
        "x > 1 and y > 0", "x < 1 or y > 0", "0 and 1/0", "not (1 or 1/0)", NULL};
    check_values(ones, 1.0);
    check_values(zeros, 0.0);
}

/* Sums bind tighter than comparisons, these than not, this than and, this than or. */
static void precedence_is_that_of_python(void **state)
{
    (void)state;
    static const char *const threes[] = {"(x + 1 > y*2) + 2",  "2 + (not x == 1 and y < 0)",
                                         "2 + (1 or 0 and 0)", "2 + (not 0 or 1)",
                                         "4 - (x > 1 + y)",    NULL};
    check_values(threes, 3.0);
}

static void keywords_have_any_case(void **state)
{
    (void)state;
    static const char *const ones[] = {"x > 1 AND y < 0", "NOT x < 0 Or y > 0", NULL};
    check_values(ones, 1.0);
}

/* The second value is not worked out where the first one decides. */
static void what_decides_guards_the_rest(void **state)
{
    (void)state;
    static const char *const zeros[] = {"y > 0 and SQRT(y) > 1", "not (y < 0 or SQRT(y) < 1)",
                                        "IF(y > 0: 1/0, 0, SQRT(y))", NULL};
    check_values(zeros, 0.0);
}

static void truths_choose_branches(void **state)
{
    (void)state;
    static const char *const fives[] = {"IF(x > 1: 1, 3, 5)",
                                        "IF(x < 1: 1, 5, 3)",
                                        "IF((x > 1) - (y > 1): 1, 3, 5)",
                                        "IF(x > 1 and y > 1: 1, IF(y < 0: 1, 3, 5), 4)",
                                        "5*(x > 1) + 7*(y > 0)",
                                        NULL};
    check_values(fives, 5.0);
}

static void derivatives_of_truths_are_zero(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "x > 1",           "x == 2",           "not x",
        "x > 1 and y < 0", "x < 1 or y*x < 0", "not (x > 0 and x*y < 3) or x != y"};
    const double inputs[INPUTS] = {2.0, -1.0}, direction[INPUTS] = {1.0, 1.0};
    for (size_t i = 0; i < COUNT(texts); i++) {
        tn_expression *const expression = compiled(texts[i], &run_time);
        double value, gradient[INPUTS], product[INPUTS];
        const char *problem;
        assert_true(tn_expression_second(expression, inputs, direction, &value, gradient, product, &problem));
        for (uint32_t k = 0; k < INPUTS; k++)
            assert_true(gradient[k] == 0.0 && product[k] == 0.0);
        tn_expression_free(expression);
    }
}

/* The branch in force has its own. */
static void what_truths_choose_has_derivatives(void **state)
{
    (void)state;
    tn_expression *const expression = compiled("x**2*(x > 1 and y < 0) + IF(y > 0: 1/0, x*y, 7)", &run_time);
    const double inputs[INPUTS] = {2.0, -1.0}, direction[INPUTS] = {1.0, 0.0};
    double value, gradient[INPUTS], product[INPUTS];
    const char *problem;
    assert_true(tn_expression_second(expression, inputs, direction, &value, gradient, product, &problem));
    assert_true(value == 2.0 && gradient[0] == 3.0 && gradient[1] == 2.0);
    assert_true(product[0] == 2.0 && product[1] == 1.0);
    tn_expression_free(expression);
}

static void it_is_known_what_is_a_truth(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool logical;
    } cases[] = {{"x > 1", true},
                 {"not x", true},
                 {"x and y", true},
                 {"x or 0", true},
                 {"(x > 1)*(y > 1)", true},
                 {"IF(x: 0, 1, y > 1)", true},
                 {"(x > 1) + (y > 1)", false},
                 {"x", false},
                 {"2*(x > 1)", false},
                 {"IF(x: 0, 1, y)", false},
                 {"1 - (x > 1)", false},
                 {"FLOOR(x)", false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression *const expression = compiled(cases[i].text, &run_time);
        if (tn_expression_is_logical(expression) != cases[i].logical) fail_msg("\"%s\"", cases[i].text);
        tn_expression_free(expression);
    }
}

static void equality_of_what_varies_is_noticed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int offset; /* -1: nothing to notice */
    } cases[] = {{"x == 1", 2},
                 {"1 - (y > 1 and x*y != z)", 19},
                 {"FLOOR(x) == x", 9},
                 {"x <= 1", -1},
                 {"FLOOR(x) == 2", -1},
                 {"2*ANINT(x) - 3*CEIL(y)**2 != AINT(z)/2", -1},
                 {"(x > 1) == (y > 1)", -1},
                 {"IF(x: 1, 2, 3) == 2", -1},
                 {"IF(x: 1, y, 3) == 2", 15},
                 {"stepping == 2", -1},
                 {"SIGN(1, stepping - 2) == -1", -1},
                 {"k == 3", -1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t offset = 0;
        tn_expression *const expression = compiled(cases[i].text, &run_time);
        const bool found = tn_expression_has_instants(expression, &offset);
        if (found != (cases[i].offset >= 0) || (found && offset != (size_t)cases[i].offset))
            fail_msg("\"%s\": %d, %zu", cases[i].text, found, offset);
        tn_expression_free(expression);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truths_are_one_and_zero),
        cmocka_unit_test(precedence_is_that_of_python),
        cmocka_unit_test(keywords_have_any_case),
        cmocka_unit_test(what_decides_guards_the_rest),
        cmocka_unit_test(truths_choose_branches),
        cmocka_unit_test(derivatives_of_truths_are_zero),
        cmocka_unit_test(what_truths_choose_has_derivatives),
        cmocka_unit_test(it_is_known_what_is_a_truth),
        cmocka_unit_test(equality_of_what_varies_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

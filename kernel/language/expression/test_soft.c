/* test_soft.c - jumps made steep laws: values, derivatives, what stays as it was. */
#include "expression/test_expression.h"

#include <math.h>

enum { MOST = 8 };

/* A soft copy of the text at all places where it jumps, with this width and offset; freed by `done`. */
typedef struct softened {
    tn_expression *sharp, *soft;
    tn_soft_jump jump[MOST];
} softened;

static void soften(softened *s, const char *text, double width, double offset)
{
    tn_soft_jump *entry[MOST] = {NULL};
    s->sharp = compiled(text, &run_time);
    for (uint32_t k = 0; k < tn_expression_switch_count(s->sharp); k++) {
        s->jump[k] = (tn_soft_jump){.width = width, .offset = offset};
        if (tn_expression_jump(s->sharp, k)) entry[k] = &s->jump[k];
    }
    s->soft = tn_expression_soften(s->sharp, entry);
    assert_non_null(s->soft);
}

static void done(const softened *s)
{
    tn_expression_free(s->soft);
    tn_expression_free(s->sharp);
}

static double value_of(const tn_expression *expression, double x)
{
    const double inputs[INPUTS] = {x, 2.0};
    double value = 0.0;
    const char *problem = NULL;
    if (!tn_expression_value(expression, inputs, &value, &problem)) fail_msg("at %g: %s", x, problem);
    return value;
}

static const char *const jumps[] = {
    "SIGN(3*y, x)",
    "IF(x: -1 - y, 7, 2*y)",
    "1 + 2*IF(x: SQRT(-x), 0, SQRT(x)) + SIGN(1, x)",
    "IF(y - 1: x, IF(x: 1, 2, 3), IF(x: -1, 5, IF(x - 9: 4, 0, 6)) + x)",
    "IF(x: IF(x: 1, 2, 3), 0, IF(x: 4, 5, 6))*y - IF(x: 1, 1, SIGN(y, x))",
    "3*(x > 0) - y*(x < 0)",
    "IF(0 >= x: 1/0, 5*y, IF(x > 0: 1/0, -3, SIN(x)))",
    "y*(y > 1 and not x > 0) + IF(x < 0 or y < 0: 0, IF(y > 1: 0, 1, 2), 4)*x",
};

static void far_from_zero_nothing_changes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(jumps); i++) {
        softened s;
        soften(&s, jumps[i], 1e-3, 0.0);
        for (double x = -3.05; x < 3.0; x += 0.1)
            assert_true(value_of(s.soft, x) == value_of(s.sharp, x));
        done(&s);
    }
}

static void at_zero_it_is_between_its_sides(void **state)
{
    (void)state;
    softened s;
    soften(&s, "IF(x: -1 - y, 7, 2*y)", 0.5, 0.0);
    assert_true(fabs(value_of(s.soft, 0.0) - 0.5) < 1e-15);
    assert_true(fabs(value_of(s.soft, 0.25) - (0.25 * -3.0 + 0.75 * 4.0)) < 1e-15);
    done(&s);
    soften(&s, "SIGN(3*y, x)", 0.5, 0.25);
    assert_true(fabs(value_of(s.soft, 0.0) - 0.25 * 6.0) < 1e-15);
    assert_true(fabs(value_of(s.soft, -0.5) + 0.75 * 6.0) < 1e-15);
    done(&s);
}

static void derivatives_are_those_of_the_steep_law(void **state)
{
    (void)state;
    const double width = 0.5, h = 1e-6;
    for (size_t i = 0; i < COUNT(jumps); i++) {
        if (i == 2) continue; // its sides end at zero
        softened s;
        soften(&s, jumps[i], width, 0.1);
        for (double x = -0.9; x < 0.9; x += 0.13) {
            double value = 0.0, gradient[INPUTS];
            const double inputs[INPUTS] = {x, 2.0};
            const char *problem = NULL;
            assert_true(tn_expression_gradient(s.soft, inputs, &value, gradient, &problem));
            const double difference = (value_of(s.soft, x + h) - value_of(s.soft, x - h)) / (2.0 * h);
            if (fabs(gradient[0] - difference) > 1e-7)
                fail_msg("\"%s\" at %g: %g, not %g", jumps[i], x, gradient[0], difference);
        }
        done(&s);
    }
}

/* As with truths between 0 and 1: products, and complements. */
static void truths_are_shares(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double right; /* at x = 0.25: a share of 0.75 of x > 0 */
    } cases[] = {{"x > 0", 0.75},
                 {"x <= 0", 0.25},
                 {"0 > x", 0.25},
                 {"not x >= 0", 0.25},
                 {"x > 0 and 0 < x", 0.5625},
                 {"x > 0 or x < 0", 0.8125},
                 {"(x > 0) - (x < 0)", 0.5},
                 {"IF(x > 0: 0, -y, y)", 1.0},
                 {"IF(x > 0 and y > 1: 0, -y, y)", 1.0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        softened s;
        soften(&s, cases[i].text, 0.5, 0.0);
        if (fabs(value_of(s.soft, 0.25) - cases[i].right) > 1e-15)
            fail_msg("\"%s\": %g, not %g", cases[i].text, value_of(s.soft, 0.25), cases[i].right);
        done(&s);
    }
}

static void what_guards_a_division_still_does(void **state)
{
    (void)state;
    softened s;
    soften(&s, "x > 0.5 and 1/x < 3", 0.1, 0.0);
    assert_true(value_of(s.soft, 0.0) == 0.0 && value_of(s.soft, 1.0) == 1.0);
    done(&s);
}

static void a_soft_jump_has_no_switching_function(void **state)
{
    (void)state;
    softened s;
    soften(&s, "SIGN(1, x) + MAX(x, y)", 0.1, 0.0);
    const double inputs[INPUTS] = {0.05, 2.0};
    double switches[MOST];
    const char *problem = NULL;
    assert_int_equal(tn_expression_switch_count(s.soft), tn_expression_switch_count(s.sharp));
    assert_true(tn_expression_switches(s.soft, inputs, switches, &problem));
    assert_true(isnan(switches[1]));
    assert_true(switches[2] == 0.05 - 2.0);
    done(&s);
}

static void kinks_are_no_jumps(void **state)
{
    (void)state;
    tn_expression *const expression = compiled("ABS(x) + MAX(x, y) + STEP(x, 0, 0, 1, 1)", &run_time);
    for (uint32_t k = 0; k < tn_expression_switch_count(expression); k++)
        assert_null(tn_expression_jump(expression, k));
    tn_expression_free(expression);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_from_zero_nothing_changes),
        cmocka_unit_test(at_zero_it_is_between_its_sides),
        cmocka_unit_test(derivatives_are_those_of_the_steep_law),
        cmocka_unit_test(truths_are_shares),
        cmocka_unit_test(what_guards_a_division_still_does),
        cmocka_unit_test(a_soft_jump_has_no_switching_function),
        cmocka_unit_test(kinks_are_no_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

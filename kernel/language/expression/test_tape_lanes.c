/* test_tape_lanes.c - values at many inputs side by side are those at each of them. */
#include "expression/test_expression.h"

#include <math.h>

enum { LANES = TN_EXPRESSION_LANES };

/* Inputs of all lanes, and where each lane finds those in use. */
typedef struct lanes {
    double inputs[LANES][INPUTS];
    const double *source[INPUTS * LANES];
} lanes;

static void connect(lanes *l, const tn_expression *expression)
{
    for (uint32_t k = 0; k < tn_expression_used_count(expression); k++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            l->source[k * LANES + lane] = &l->inputs[lane][tn_expression_used(expression, k)];
}

static void fill(lanes *l)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t i = 0; i < INPUTS; i++)
            l->inputs[lane][i] = 0.1 + 0.37 * lane + sin(1.0 + i * (lane + 1.0));
}

static void values_are_the_same_bit_for_bit(void **state)
{
    (void)state;
    static const char *const texts[] = {"x",
                                        "3",
                                        "-x - y",
                                        "2*(x - 1) + k*y",
                                        "x*y - z/(4 + x**2) + time/3",
                                        "1/(y + 9) - 7 - x",
                                        "(x - 0.123)**7 + (y + 20)**(-3)",
                                        "x**1.5 + SIN(time)*COS(y)",
                                        "STEP(x, 0, 1, 2, y) + MAX(x, y, z) - ABS(y)",
                                        "POLY(x, 0.5, 1, y, 3, 4) + ATAN2(y, x)",
                                        "(x > 1) - 2*(y <= z)*x + (not x == y)",
                                        "i0 + (i1*(i2 - (i3/(i4 + 50)*(i5 - i6*(i7 + i8*i9)))))"};
    static lanes l;
    fill(&l);
    for (size_t i = 0; i < COUNT(texts); i++) {
        tn_expression *const expression = compiled(texts[i], &run_time);
        double values[LANES], value;
        const char *problem;
        assert_true(tn_expression_has_lanes(expression));
        connect(&l, expression);
        assert_true(tn_expression_value_lanes(expression, l.source, NULL, TN_EXPRESSION_LANES, values));
        for (uint32_t lane = 0; lane < LANES; lane++) {
            assert_true(tn_expression_value(expression, l.inputs[lane], &value, &problem));
            assert_memory_equal(&values[lane], &value, sizeof value);
        }
        tn_expression_free(expression);
    }
}

/* x of the last lane is one that there is no value at. */
static void one_lane_without_value_is_noticed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double x;
    } cases[] = {{"y/x", 0.0},
                 {"x**(-2)", 0.0},
                 {"SQRT(x)", -1.0},
                 {"EXP(x)", 1e4},
                 {"MAX(x, 1)", (double)NAN},
                 {"x*1e300*x", 1e300},
                 {"x - 1", (double)INFINITY}};
    static lanes l;
    fill(&l);
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression *const expression = compiled(cases[i].text, &run_time);
        double values[LANES];
        connect(&l, expression);
        l.inputs[LANES - 1][0] = 1.0;
        assert_true(tn_expression_value_lanes(expression, l.source, NULL, TN_EXPRESSION_LANES, values));
        l.inputs[LANES - 1][0] = cases[i].x;
        assert_false(tn_expression_value_lanes(expression, l.source, NULL, TN_EXPRESSION_LANES, values));
        tn_expression_free(expression);
    }
}

static void deep_expressions_have_no_lanes(void **state)
{
    (void)state;
    /* so many intermediate values do not fit side by side */
    char text[512] = "x";
    for (int i = 0; i < 40; i++)
        strcat(text, "+(y*x");
    for (int i = 0; i < 40; i++)
        strcat(text, ")");
    tn_expression *const deep = compiled(text, &run_time);
    assert_false(tn_expression_has_lanes(deep));
    tn_expression_free(deep);
}

static int order_of(const char *a, const char *b)
{
    tn_expression *const left = compiled(a, &run_time), *const right = compiled(b, &run_time);
    const int order = tn_expression_compare(left, right), back = tn_expression_compare(right, left);
    assert_true((order < 0) == (back > 0) && (order == 0) == (back == 0));
    tn_expression_free(left);
    tn_expression_free(right);
    return order;
}

static void expressions_are_equal_where_they_work_out_the_same(void **state)
{
    (void)state;
    assert_int_equal(order_of("2*x + y", "2 * (x) +y"), 0);
    assert_int_equal(order_of("SIN(x)", "sin( x )"), 0);
    assert_int_not_equal(order_of("2*x + y", "2*x + z"), 0);
    assert_int_not_equal(order_of("2*x + y", "3*x + y"), 0);
    assert_int_not_equal(order_of("x + y", "x - y"), 0);
    assert_int_not_equal(order_of("x + y", "x + y + z"), 0);
    assert_int_not_equal(order_of("SIN(x)", "COS(x)"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_the_same_bit_for_bit),
                                       cmocka_unit_test(one_lane_without_value_is_noticed),
                                       cmocka_unit_test(deep_expressions_have_no_lanes),
                                       cmocka_unit_test(expressions_are_equal_where_they_work_out_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

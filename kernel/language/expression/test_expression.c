/* test_expression.c - what expressions are worth: values, derivatives, and where they have none. */
#include "expression/test_expression.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static double value_of(const char *text) { return value_at(text, NULL); }

static void assert_close(const char *text, double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance * fmax(1.0, fabs(wanted))))
        fail_msg("\"%s\" is %.17g, not %.17g", text, found, wanted);
}

typedef struct text_value {
    const char *text;
    double value;
} text_value;

static void check_exactly(const text_value *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_close(cases[i].text, value_of(cases[i].text), cases[i].value, 0.0);
}

static void numbers_have_exponents_and_degrees(void **state)
{
    (void)state;
    static const text_value cases[] = {{"12", 12.0},
                                       {".5", 0.5},
                                       {"5.", 5.0},
                                       {"1.25E2", 125.0},
                                       {"1e-3", 1e-3},
                                       {"1D2", 100.0},
                                       {"1.5d+2", 150.0},
                                       {"2D-1", 0.2},
                                       {"180D", M_PI},
                                       {"90d", M_PI / 2},
                                       {"-360D", -2 * M_PI},
                                       {"60D*3", 60.0 / 180.0 * M_PI * 3},
                                       {"60D + 2", 60.0 / 180.0 * M_PI + 2},
                                       {"60D+2", 6000.0},
                                       {"PI", M_PI},
                                       {"pi", M_PI},
                                       {"dtor", M_PI / 180},
                                       {"RtoD", 180 / M_PI}};
    check_exactly(cases, COUNT(cases));
}

static void operators_bind_as_in_fortran(void **state)
{
    (void)state;
    static const text_value cases[] = {{"2+3*4", 14.0},     {"(2+3)*4", 20.0},  {"2*3**2", 18.0},
                                       {"-2**2", -4.0},     {"(-2)**2", 4.0},   {"2**-1", 0.5},
                                       {"-2**-2", -0.25},   {"2**3**2", 512.0}, {"2**-1**2", 0.5},
                                       {"8/4/2", 1.0},      {"8/4*2", 4.0},     {"10-4-3", 3.0},
                                       {"10-4+3", 9.0},     {"2*-3", -6.0},     {"2--3", 5.0},
                                       {"+-+3", -3.0},      {"-2*3", -6.0},     {"-k**2", -9.0},
                                       {" 1\t+\n2\r", 3.0}, {"2 ** 3", 8.0},    {"stiffness/k", 7.0 / 3.0}};
    check_exactly(cases, COUNT(cases));
}

static void logic_gives_one_or_zero(void **state)
{
    (void)state;
    static const text_value cases[] = {{"1<2", 1.0},         {"2<=1", 0.0},        {"2>1", 1.0},
                                       {"1>=1", 1.0},        {"1==2", 0.0},        {"1!=2", 1.0},
                                       {"1+1<2*2", 1.0},     {"not 1<2", 0.0},     {"NOT 0", 1.0},
                                       {"not not 5", 1.0},   {"2 and 3", 1.0},     {"2 And 0", 0.0},
                                       {"0 OR 3", 1.0},      {"0 or 0", 0.0},      {"1 or 1 and 0", 1.0},
                                       {"not 0 and 0", 0.0}, {"(1 or 0)*5", 5.0},  {"(1 and 1) + 2*3", 7.0},
                                       {"max(1<2, 0)", 1.0}, {"2**(1 and 1)", 2.0}};
    check_exactly(cases, COUNT(cases));
}

static void the_left_side_of_and_or_guards_the_right(void **state)
{
    (void)state;
    double inputs[INPUTS] = {0.0};
    assert_true(value_at("x > 0 and 1/x > 2", inputs) == 0.0);
    assert_true(value_at("x == 0 or 1/x > 2", inputs) == 1.0);
    assert_true(value_of("0 and 1/0") == 0.0);
    inputs[0] = 0.25;
    assert_true(value_at("x > 0 and 1/x > 2", inputs) == 1.0);
    assert_true(value_at("(x < 0 or 1/x > 5) + 4", inputs) == 4.0);
}

static void functions_have_the_values_of_the_mathematical_library(void **state)
{
    (void)state;
    const text_value cases[] = {{"ABS(-2.5)", 2.5},
                                {"acos(0.3)", acos(0.3)},
                                {"AINT(-1.7)", -1.0},
                                {"AINT(1.7)", 1.0},
                                {"ANINT(-2.5)", -3.0},
                                {"ANINT(2.5)", 3.0},
                                {"ANINT(2.4)", 2.0},
                                {"Asin(0.3)", asin(0.3)},
                                {"ASIN(-1)", -M_PI / 2},
                                {"ATAN(3)", atan(3.0)},
                                {"ATAN2(1, -2)", atan2(1.0, -2.0)},
                                {"ATAN2(-0, -1)", M_PI},
                                {"CEIL(-1.5)", -1.0},
                                {"COS(2)", cos(2.0)},
                                {"COSH(2)", cosh(2.0)},
                                {"DIM(5, 2)", 3.0},
                                {"DIM(2, 5)", 0.0},
                                {"EXP(1.5)", exp(1.5)},
                                {"FLOOR(-1.5)", -2.0},
                                {"LOG(7)", log(7.0)},
                                {"LOG10(1000)", 3.0},
                                {"MAX(1, 5)", 5.0},
                                {"MAX(1, -5, 9, 3)", 9.0},
                                {"MIN(1, -5, 9, 3)", -5.0},
                                {"MOD(7, 3)", 1.0},
                                {"MOD(-7, 3)", -1.0},
                                {"MOD(7, -3)", 1.0},
                                {"SIGN(-3, 2)", 3.0},
                                {"SIGN(3, -2)", -3.0},
                                {"SIGN(-3, 0)", 3.0},
                                {"SIGN(3, -0)", 3.0},
                                {"sin (2)", sin(2.0)},
                                {"SINH(2)", sinh(2.0)},
                                {"SQRT(2)", sqrt(2.0)},
                                {"TAN(2)", tan(2.0)},
                                {"TANH(0.5)", tanh(0.5)},
                                {"2**0.5", pow(2.0, 0.5)},
                                {"1.1**20", pow(1.1, 20.0)},
                                {"(-2)**9", -512.0},
                                {"0**0", 1.0},
                                {"0**2.5", 0.0}};
    /* One rounding apart: the compiler works some of these out itself, more exactly than the library. */
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_close(cases[i].text, value_of(cases[i].text), cases[i].value, DBL_EPSILON);
}

static void small_integer_powers_are_products(void **state)
{
    (void)state;
    double inputs[INPUTS] = {0.0};
    for (double x = -3.3; x < 3.0; x += 0.37) {
        inputs[0] = x;
        assert_true(value_at("x**0", inputs) == 1.0);
        assert_true(value_at("x**1", inputs) == x);
        assert_true(value_at("x**2", inputs) == x * x);
        assert_true(value_at("x**3", inputs) == x * x * x);
        assert_true(value_at("x**-2", inputs) == 1.0 / (x * x));
    }
}

/* The derivative with respect to input `which`: central differences in two step sizes (error of order 4). */
static double difference(const tn_expression *expression, const double *inputs, uint32_t which)
{
    double moved[INPUTS], slope[2];
    memcpy(moved, inputs, sizeof moved);
    for (int level = 0; level < 2; level++) {
        const double step = 1e-4 * (1 + level);
        double forward, backward;
        const char *problem;
        moved[which] = inputs[which] + step;
        assert_true(tn_expression_value(expression, moved, &forward, &problem));
        moved[which] = inputs[which] - step;
        assert_true(tn_expression_value(expression, moved, &backward, &problem));
        slope[level] = (forward - backward) / (2.0 * step);
    }
    return (4.0 * slope[0] - slope[1]) / 3.0;
}

static void check_gradient(const char *text, const double *inputs)
{
    tn_expression *const expression = compiled(text, &run_time);
    double value, gradient[INPUTS];
    const char *problem;
    if (!tn_expression_gradient(expression, inputs, &value, gradient, &problem))
        fail_msg("\"%s\": %s", text, problem);
    double plain;
    assert_true(tn_expression_value(expression, inputs, &plain, &problem));
    assert_true(plain == value);
    for (uint32_t i = 0; i < INPUTS; i++)
        assert_close(text, gradient[i], difference(expression, inputs, i), 2e-8);
    tn_expression_free(expression);
}

/* The grid keeps off the kinks at integers and where x = y, by more than a difference step, on both sides. */
static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    static const char *const everywhere[] = {"ABS(x)",
                                             "AINT(x)",
                                             "ANINT(x+0.2)",
                                             "ATAN(x)",
                                             "ATAN2(y, x)",
                                             "CEIL(x)",
                                             "COS(x)",
                                             "COSH(x)",
                                             "DIM(x, y)",
                                             "EXP(x)",
                                             "FLOOR(x)",
                                             "MAX(x, y)",
                                             "MIN(x, y)",
                                             "MOD(x, y)",
                                             "MAX(x,y,z,0)",
                                             "MIN(x,0,y,z)",
                                             "SIGN(x, y)",
                                             "SIN(x*y)",
                                             "SINH(x)",
                                             "TAN(x/4)",
                                             "TANH(x)",
                                             "x**2",
                                             "x**-3",
                                             "x**7",
                                             "x**9",
                                             "x**0",
                                             "-x**2",
                                             "x/y",
                                             "y - x",
                                             "x*y*z",
                                             "(x+y)/(x*x+z)",
                                             "x*y - y/x",
                                             "SIN(x)**2*EXP(y)",
                                             "k*x + stiffness*y**3 - 2",
                                             "x < y",
                                             "(x > 0 and y > 0)*x",
                                             "(x > 0 or y > 0)*x*y",
                                             "time*x",
                                             "not x"};
    static const char *const positive[] = {"SQRT(x)",  "LOG(x)",    "LOG10(x)",   "x**y",
                                           "x**1.5",   "x**-0.5",   "2**x",       "x**0.25",
                                           "x**(y+z)", "ASIN(x/3)", "ACOS(-x/3)", "x**3.5*y"};
    for (double x = -2.01; x < 2.1; x += 0.51) {
        for (double y = -1.94; y < 2.1; y += 0.77) {
            double inputs[INPUTS] = {x, y, 4.3 + x, 2.0};
            for (size_t i = 0; i < COUNT(everywhere); i++)
                check_gradient(everywhere[i], inputs);
            inputs[0] = fabs(x);
            for (size_t i = 0; i < COUNT(positive); i++)
                check_gradient(positive[i], inputs);
        }
    }
}

static void branches_have_their_own_derivative_close_to_the_kink(void **state)
{
    (void)state;
    static const char *const kinked[] = {"ABS(x)",     "DIM(x, 0)",   "MAX(x, 0)", "MIN(x, 0)", "SIGN(x, y)",
                                         "SIGN(y, x)", "MOD(y, x+2)", "AINT(x+3)", "FLOOR(x)"};
    for (size_t i = 0; i < COUNT(kinked); i++) {
        check_gradient(kinked[i], (double[INPUTS]){3e-4, 1.5});
        check_gradient(kinked[i], (double[INPUTS]){-3e-4, 1.5});
    }
}

static void kinks_follow_the_convention(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double x, y, along_x, along_y;
    } cases[] = {{"ABS(x)", 0, 0, 0, 0},     {"MAX(x, y)", 1, 1, 1, 0},
                 {"MAX(y, x)", 1, 1, 0, 1},  {"MIN(x, y)", 1, 1, 1, 0},
                 {"DIM(x, y)", 1, 1, 1, -1}, {"SIGN(x, y)", 2, 0, 1, 0},
                 {"x**0", 0, 0, 0, 0},       {"x**1", 0, 0, 1, 0},
                 {"x**2", 0, 0, 0, 0},       {"x**1.5", 0, 0, 0, 0},
                 {"x**12", 0, 0, 0, 0},      {"x**y", 0, 2, 0, 0},
                 {"0**x + y", 3, 1, 0, 1},   {"(-2)**AINT(x)*y", 2.5, 1, 0, 4}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression *const expression = compiled(cases[i].text, &run_time);
        const double inputs[INPUTS] = {cases[i].x, cases[i].y};
        double value, gradient[INPUTS];
        const char *problem;
        assert_true(tn_expression_gradient(expression, inputs, &value, gradient, &problem));
        assert_close(cases[i].text, gradient[0], cases[i].along_x, 0.0);
        assert_close(cases[i].text, gradient[1], cases[i].along_y, 0.0);
        tn_expression_free(expression);
    }
}

static void gradients_reach_more_inputs_than_one_sweep_holds(void **state)
{
    (void)state;
    char text[1024] = "0";
    double inputs[INPUTS] = {0.0}, value, gradient[INPUTS];
    for (int i = 19; i >= 0; i--) {
        char term[32];
        snprintf(term, sizeof term, "+ %d*i%d**2", i + 1, i);
        strcat(text, term);
        inputs[FIRST_NUMBERED + i] = i - 7.5;
    }
    tn_expression *const expression = compiled(text, &run_time);
    const char *problem;
    assert_true(tn_expression_gradient(expression, inputs, &value, gradient, &problem));
    for (int i = 0; i < FIRST_NUMBERED; i++)
        assert_true(gradient[i] == 0.0);
    for (int i = 0; i < 20; i++)
        assert_true(gradient[FIRST_NUMBERED + i] == 2.0 * (i + 1) * (i - 7.5));
    tn_expression_free(expression);
}

static void inputs_in_use_are_known_with_their_place(void **state)
{
    (void)state;
    tn_expression *expression = compiled("2*y + Time*y", &run_time);
    size_t offset = 99;
    assert_false(tn_expression_is_constant(expression));
    assert_false(tn_expression_uses(expression, 0, &offset));
    assert_true(tn_expression_uses(expression, 1, &offset));
    assert_int_equal(offset, 2);
    assert_true(tn_expression_uses(expression, 3, &offset));
    assert_int_equal(offset, 6);
    assert_true(tn_expression_uses(expression, 3, NULL));
    tn_expression_free(expression);

    expression = compiled("2*k + sin(PI)", &run_time);
    assert_true(tn_expression_is_constant(expression));
    tn_expression_free(expression);
    tn_expression_free(NULL);
}

/* `only_gradient`: the value exists, the derivative does not. */
static void leaving_the_domain_is_a_problem(void **state)
{
    (void)state;
    static const struct {
        const char *text, *problem;
        double x;
        bool only_gradient;
    } cases[] = {{"1/x", "division by zero", 0, false},
                 {"1/0 + 0*x", "division by zero", 1, false},
                 {"sqrt(x)", "SQRT of a negative number", -1, false},
                 {"sqrt(x)", "derivative of SQRT at zero", 0, true},
                 {"log(x)", "LOG of zero or a negative number", 0, false},
                 {"log10(x)", "LOG10 of zero or a negative number", -2, false},
                 {"asin(x)", "ASIN of a number beyond 1", 1.1, false},
                 {"acos(x)", "ACOS of a number beyond 1", -1.1, false},
                 {"asin(x)", "derivative of ASIN at 1", 1, true},
                 {"acos(x)", "derivative of ACOS at 1", -1, true},
                 {"atan2(x, 0)", "ATAN2 of two zeros", 0, false},
                 {"mod(1, x)", "MOD by zero", 0, false},
                 {"x**0.5", "power of a negative number with a fractional exponent", -1, false},
                 {"x**0.5", "derivative of a power at zero", 0, true},
                 {"x**-1", "zero to a negative power", 0, false},
                 {"x**-1.5", "zero to a negative power", 0, false},
                 {"(-2)**x", "derivative is not finite", 2, true},
                 {"exp(x)", "result is not finite", 1000, false},
                 {"x*x", "result is not finite", 1e200, false},
                 {"max(x*x - x*x, 1)", "result is not finite", 1e200, false},
                 {"max(1, x)", "result is not finite", (double)NAN, false},
                 {"x", "result is not finite", (double)INFINITY, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_expression *const expression = compiled(cases[i].text, &run_time);
        const double inputs[INPUTS] = {cases[i].x};
        double value, gradient[INPUTS];
        const char *problem = NULL;
        assert_false(tn_expression_gradient(expression, inputs, &value, gradient, &problem));
        assert_string_equal(problem, cases[i].problem);
        assert_int_equal(tn_expression_value(expression, inputs, &value, &problem), cases[i].only_gradient);
        if (!cases[i].only_gradient) assert_string_equal(problem, cases[i].problem);
        tn_expression_free(expression);
    }
}

static void constants_outside_the_domain_compile_and_have_no_value(void **state)
{
    (void)state;
    tn_expression *const expression = compiled("2*(1/0)", &run_time);
    double value;
    const char *problem;
    assert_true(tn_expression_is_constant(expression));
    assert_false(tn_expression_value(expression, NULL, &value, &problem));
    assert_string_equal(problem, "division by zero");
    tn_expression_free(expression);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_exponents_and_degrees),
        cmocka_unit_test(operators_bind_as_in_fortran),
        cmocka_unit_test(logic_gives_one_or_zero),
        cmocka_unit_test(the_left_side_of_and_or_guards_the_right),
        cmocka_unit_test(functions_have_the_values_of_the_mathematical_library),
        cmocka_unit_test(small_integer_powers_are_products),
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(branches_have_their_own_derivative_close_to_the_kink),
        cmocka_unit_test(kinks_follow_the_convention),
        cmocka_unit_test(gradients_reach_more_inputs_than_one_sweep_holds),
        cmocka_unit_test(inputs_in_use_are_known_with_their_place),
        cmocka_unit_test(leaving_the_domain_is_a_problem),
        cmocka_unit_test(constants_outside_the_domain_compile_and_have_no_value)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

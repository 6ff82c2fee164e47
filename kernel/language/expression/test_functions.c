/* test_functions.c - library functions against the formulas of their definition, written out a second time. */
#include "expression/functions.h"
#include "expression/test_expression.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { X, Y, Z };

static void assert_formula(const char *text, const double *inputs, double wanted)
{
    const double found = value_at(text, inputs);
    if (!(fabs(found - wanted) <= 8.0 * DBL_EPSILON * fmax(1.0, fabs(wanted))))
        fail_msg("\"%s\" at %g, %g is %.17g, not %.17g", text, inputs[X], inputs[Y], found, wanted);
}

/* Where functions change their form, and between. */
static const double places[] = {-2.5, -1.0, -0.75, -0.5, -0.1, 0.0, 0.1, 0.25,
                                0.5,  0.9,  1.0,   1.1,  1.5,  2.0, 3.7};
#define EACH_PLACE(x) for (const double *x = places; x < places + COUNT(places); x++)

/* ---- transitions ------------------------------------------------------------------------------------------- */

static double step(double x, double x0, double y0, double x1, double y1)
{
    const double t = (x - x0) / (x1 - x0);
    return x <= x0 ? y0 : x >= x1 ? y1 : y0 + (y1 - y0) * t * t * (3.0 - 2.0 * t);
}

static double step5(double x, double x0, double y0, double x1, double y1)
{
    const double t = (x - x0) / (x1 - x0);
    return x <= x0 ? y0 : x >= x1 ? y1 : y0 + (y1 - y0) * pow(t, 3.0) * (10.0 - 15.0 * t + 6.0 * t * t);
}

static double havsin(double x, double x0, double y0, double x1, double y1)
{
    const double t = (x - x0) / (x1 - x0);
    return x <= x0 ? y0 : x >= x1 ? y1 : (y0 + y1) / 2.0 + (y1 - y0) / 2.0 * sin(M_PI * t - M_PI / 2.0);
}

static void transitions_go_from_one_constant_to_the_other(void **state)
{
    (void)state;
    EACH_PLACE(x)
    {
        const double inputs[INPUTS] = {*x};
        assert_formula("STEP(x, -0.5, 2, 1.5, -3)", inputs, step(*x, -0.5, 2.0, 1.5, -3.0));
        assert_formula("Step5 (x, -0.5, 2, 1.5, -3)", inputs, step5(*x, -0.5, 2.0, 1.5, -3.0));
        assert_formula("havsin(x, -0.5, 2, 1.5, -3)", inputs, havsin(*x, -0.5, 2.0, 1.5, -3.0));
        assert_formula("STEP(0.3, -0.5, x, 1.5, 2*x)", inputs, step(0.3, -0.5, *x, 1.5, 2.0 * *x));
    }
}

/* ---- stops ------------------------------------------------------------------------------------------------- */

static double impact(double x, double v, double x1, double k, double e, double cmax, double d)
{
    return x < x1 ? fmax(k * pow(x1 - x, e) - step(x, x1 - d, cmax, x1, 0.0) * v, 0.0) : 0.0;
}

static double bistop(double x, double v, double x1, double x2, double k, double e, double cmax, double d)
{
    if (x > x2) return fmin(-k * pow(x - x2, e) - step(x, x2, 0.0, x2 + d, cmax) * v, 0.0);
    return x < x1 ? fmax(k * pow(x1 - x, e) - step(x, x1 - d, cmax, x1, 0.0) * v, 0.0) : 0.0;
}

static void stops_push_and_never_pull(void **state)
{
    (void)state;
    int pushes = 0, silences = 0;
    EACH_PLACE(x)
    EACH_PLACE(v)
    {
        const double inputs[INPUTS] = {*x, 3.0 * *v};
        const double wanted = impact(*x, 3.0 * *v, 1.05, 4.0, 1.5, 2.5, 0.7);
        assert_formula("IMPACT(x, y, 1.05, 4, 1.5, 2.5, 0.7)", inputs, wanted);
        assert_formula("BISTOP(x, y, -0.3, 0.8, 4, 1.5, 2.5, 0.7)", inputs,
                       bistop(*x, 3.0 * *v, -0.3, 0.8, 4.0, 1.5, 2.5, 0.7));
        pushes += wanted > 0.0;
        silences += wanted == 0.0 && *x < 1.05;
    }
    assert_true(pushes > 20 && silences > 5);
}

/* ---- series ------------------------------------------------------------------------------------------------ */

static void series_are_sums_of_their_terms(void **state)
{
    (void)state;
    static const double c[] = {0.5, -1.25, 2.0, 0.75, -0.3};
    EACH_PLACE(x)
    {
        const double inputs[INPUTS] = {*x}, u = *x - 0.4, w = 90.0 * M_PI / 180.0;
        double poly = 0.0, cosines = 0.0, sines = c[0];
        for (int j = 0; j < 5; j++) {
            poly += c[j] * pow(u, j);
            cosines += c[j] * cos(j * w * u);
            sines += j > 0 ? c[j] * sin(j * w * u) : 0.0;
        }
        const double cheby = c[0] + c[1] * u + c[2] * (2.0 * u * u - 1.0) +
                             c[3] * (4.0 * u * u * u - 3.0 * u) +
                             c[4] * (8.0 * pow(u, 4.0) - 8.0 * u * u + 1.0);
        assert_formula("POLY(x, 0.4, 0.5, -1.25, 2, 0.75, -0.3)", inputs, poly);
        assert_formula("CHEBY(x, 0.4, 0.5, -1.25, 2, 0.75, -0.3)", inputs, cheby);
        assert_formula("FORCOS(x, 0.4, 90D, 0.5, -1.25, 2, 0.75, -0.3)", inputs, cosines);
        assert_formula("FORSIN(x, 0.4, 90D, 0.5, -1.25, 2, 0.75, -0.3)", inputs, sines);
        assert_formula("POLY(x, 0.4, 3)", inputs, 3.0);
        assert_formula("FORSIN(x, 0.4, 2, 3)", inputs, 3.0);
    }
}

static void series_take_31_coefficients(void **state)
{
    (void)state;
    static const char *const heads[] = {"POLY(x,0", "CHEBY(x,0", "FORCOS(x,0,1", "FORSIN(x,0,1"};
    const double inputs[INPUTS] = {0.5};
    for (size_t k = 0; k < COUNT(heads); k++) {
        char text[256];
        strcpy(text, heads[k]);
        for (int j = 0; j < 31; j++)
            strcat(text, j == 30 ? ",1" : ",0");
        tn_expression_error error;
        strcat(text, ",0)");
        assert_null(tn_expression_compile(text, strlen(text), &run_time, &error));
        assert_non_null(strstr(error.message, k < 2 ? "takes 3 to 33 arguments, not 34"
                                                    : "takes 4 to 34 arguments, not 35"));
        text[strlen(text) - 3] = '\0';
        const double wanted[] = {pow(0.5, 30.0), cos(30.0 * acos(0.5)), cos(15.0), sin(15.0)};
        assert_true(fabs(value_at(strcat(text, ")"), inputs) - wanted[k]) < 1e-13);
    }
}

/* ---- waves ------------------------------------------------------------------------------------------------- */

/* SWEEP(x, 10, 1, 1, 5, 10, 0.1): n is the number of cycles. */
static double sweep(double x)
{
    const double n = x <= 1.0 ? x : x < 5.0 ? x + 9.0 * (x - 1.0) * (x - 1.0) / 8.0 : 10.0 * x - 4.5 * 6.0;
    return step5(x, 0.0, 0.0, 0.1, 1.0) * 10.0 * sin(2.0 * M_PI * n);
}

static void waves_have_their_phase(void **state)
{
    (void)state;
    EACH_PLACE(x)
    {
        const double inputs[INPUTS] = {*x};
        assert_formula("SHF(x, 0.3, 2, 4, 30D, 1.5)", inputs, 2.0 * sin(4.0 * (*x - 0.3) - M_PI / 6.0) + 1.5);
    }
    for (double x = -0.5; x < 7.0; x += 0.037) {
        const double inputs[INPUTS] = {x};
        const double found = value_at("SWEEP(x, 10, 1, 1, 5, 10, 0.1)", inputs);
        assert_true(fabs(found - sweep(x)) < 1e-11);
    }
}

static double at(const char *text, double x)
{
    const double inputs[INPUTS] = {x};
    return value_at(text, inputs);
}

static void the_phase_of_a_sweep_never_jumps(void **state)
{
    (void)state;
    static const char sine[] = "SWEEP(x, 10, 1, 1, 5, 10, 0.1)";
    for (double end = 1.0; end < 6.0; end += 4.0)
        assert_true(fabs(at(sine, end - 1e-9) - at(sine, end + 1e-9)) < 1e-5);
    /* 23 cycles at x1 exactly */
    assert_true(fabs(at(sine, 5.0)) < 1e-10);
    assert_true(at(sine, 0.0) == 0.0 && at(sine, -3.0) == 0.0);
}

/* ---- IF, and numbers of arguments -------------------------------------------------------------------------- */

static void if_works_out_its_branch_only(void **state)
{
    (void)state;
    assert_true(at("IF(x: 10, 20, 30)", -2.0) == 10.0);
    assert_true(at("if (x : 10, 20, 30)", 0.0) == 20.0);
    assert_true(at("If(x: 10, 20, 30)", 1e-300) == 30.0);
    assert_true(at("IF(x: 1/x, 0, SQRT(x))", 0.0) == 0.0);
    assert_true(at("IF(x: 1/x, 0, SQRT(x))", -4.0) == -0.25);
    assert_true(at("IF(x: 1/x, 0, SQRT(x))", 4.0) == 2.0);
    assert_true(at("2*IF(x-1: IF(x: 1, 2, 3), 4, 5)*x + 1", 0.5) == 4.0);
    assert_true(at("1 + MAX(2, IF(x: 1, 2, x*3) - 1, 4)", 9.0) == 27.0);
    assert_true(at("IF(-1: 2+3, 1/0, 1/0)", 0.0) == 5.0);
    const double inputs[INPUTS] = {-1.0, 0.25};
    assert_true(value_at("IF(x: y, 2, 3)**2", inputs) == 0.0625);
    assert_true(value_at("3 - IF(x: 1, 2, 3)/y", inputs) == -1.0);
}

static void maximum_and_minimum_take_any_number_of_arguments(void **state)
{
    (void)state;
    char text[4096] = "MAX(x";
    for (int i = 0; i < 500; i++)
        strcat(text, i == 300 ? ",7" : ",x-1");
    strcat(text, ")");
    assert_true(at(text, 2.0) == 7.0 && at(text, 8.0) == 8.0);
    memcpy(text, "MIN", 3);
    assert_true(at(text, 2.0) == 1.0 && at(text, 9.0) == 7.0);
}

static void constants_on_either_side_do_not_matter(void **state)
{
    (void)state;
    for (double x = -2.0; x < 2.1; x += 0.37) {
        const double inputs[INPUTS] = {x, 0.7};
        assert_true(value_at("x + 3", inputs) == x + 3.0 && value_at("3 + x", inputs) == 3.0 + x);
        assert_true(value_at("x - 3", inputs) == x - 3.0 && value_at("3 - x", inputs) == 3.0 - x);
        assert_true(value_at("x * 3", inputs) == x * 3.0 && value_at("3 * x", inputs) == 3.0 * x);
        assert_true(value_at("x / 3", inputs) == x / 3.0 && value_at("3 / x", inputs) == 3.0 / x);
        assert_true(value_at("2*(3 - 4*(5 + x*(y - 6)))", inputs) ==
                    2.0 * (3.0 - 4.0 * (5.0 + x * (0.7 - 6.0))));
        assert_true(value_at("2 - IF(x: 3*y, 4, 5 - y)", inputs) == 2.0 - (x < 0.0 ? 3.0 * 0.7 : 5.0 - 0.7));
        assert_true(value_at("2 - (x > 0 and y > 0)", inputs) == (x > 0.0 ? 1.0 : 2.0));
    }
}

static void functions_are_found_by_their_names_in_any_case(void **state)
{
    (void)state;
    static const tn_function *const families[] = {tn_elementary_functions, tn_choice_functions,
                                                  tn_step_functions,       tn_contact_functions,
                                                  tn_series_functions,     tn_wave_functions};
    for (size_t family = 0; family < sizeof families / sizeof *families; family++)
        for (const tn_function *function = families[family]; function->name; function++) {
            char upper[64] = "", lower[64] = "";
            for (size_t letter = 0; function->name[letter]; letter++) {
                assert_in_range(letter, 0, sizeof upper - 2);
                upper[letter] = (char)toupper((unsigned char)function->name[letter]);
                lower[letter] = (char)tolower((unsigned char)function->name[letter]);
            }
            assert_ptr_equal(tn_function_find(upper), function);
            assert_ptr_equal(tn_function_find(lower), function);
            lower[strlen(lower) - 1] = '?';
            assert_null(tn_function_find(lower));
        }
    assert_null(tn_function_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_are_found_by_their_names_in_any_case),
                                       cmocka_unit_test(transitions_go_from_one_constant_to_the_other),
                                       cmocka_unit_test(stops_push_and_never_pull),
                                       cmocka_unit_test(series_are_sums_of_their_terms),
                                       cmocka_unit_test(series_take_31_coefficients),
                                       cmocka_unit_test(waves_have_their_phase),
                                       cmocka_unit_test(the_phase_of_a_sweep_never_jumps),
                                       cmocka_unit_test(if_works_out_its_branch_only),
                                       cmocka_unit_test(maximum_and_minimum_take_any_number_of_arguments),
                                       cmocka_unit_test(constants_on_either_side_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

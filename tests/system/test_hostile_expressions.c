/* test_hostile_expressions.c - texts that no expression should be, and expressions that have no value somewhere in a run */
#include "harness.h"

#include <math.h>

#define MASS "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
#define VARIABLE(name, expression) \
    "[[element]]\nname = '" name "'\ntype = 'reference_variable'\nexpression = '" expression "'\n"
#define FORCE(value) "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\nvalue = ['" value "', 0, 0]\n"
#define SENSOR(expression) "[[sensor]]\nname = 's'\nexpression = '" expression "'\n"
#define SIGNAL                                                                     \
    "[[signal]]\nname = 'c'\nx = [0, 0.5]\ny = [0, 1]\ninterpolation = 'linear'\n" \
    "outside = 'error'\n"

/* ---- when the model is read -------------------------------------------------------------------------------- */

/* `count` copies of `opening`, then `inner`, then `count` copies of `closing`. */
static const char *nested(size_t count, const char *opening, const char *inner, const char *closing)
{
    const size_t size = count * (strlen(opening) + strlen(closing)) + strlen(inner) + 1;
    char *text = tn_new(1, size), *end = text;
    for (size_t k = 0; k < count; k++)
        end = stpcpy(end, opening);
    end = stpcpy(end, inner);
    for (size_t k = 0; k < count; k++)
        end = stpcpy(end, closing);
    const char *kept = tn_format("%s", text);
    tn_free(text);
    return kept;
}

static tn_outcome check(const char *expression)
{
    return tn_tenon(
        TN_WORDS("check", tn_write("hostile.toml", tn_format(MASS "[[element]]\nname = 'v'\ntype = "
                                                                  "'reference_variable'\nexpression = '%s'\n",
                                                             expression))));
}

static void test_what_is_nested_too_deeply_is_refused(void **state)
{
    (void)state;
    const struct deep {
        const char *opening, *closing, *place;
    } texts[] = {
        {"(", ")", "8:215: error: nested"},
        {"-", "", "8:215: error: nested"},
        {"2**", "", "8:615: error: nested"},
        {"SIN(", ")", "8:815: error: nested"},
        {"IF(TIME: 1, 2, ", ")", "8:3003: error: nested"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (size_t count = 1000; count <= 100000; count *= 100) {
            const tn_outcome outcome = check(nested(count, texts[k].opening, "TIME", texts[k].closing));
            assert_int_equal(outcome.status, 2);
            tn_check_holds(outcome.errors, TN_WORDS(texts[k].place));
        }
    assert_int_equal(check(nested(150, "(", "TIME", ")")).status, 0);
}

static void test_a_text_of_a_megabyte_is_read(void **state)
{
    (void)state;
    assert_int_equal(check(nested(200000, "TIME+", "1", "")).status, 0);
    const char *const wrong[] = {nested(1000000, "a", "", ""), nested(1000000, "1", "", ""),
                                 nested(1000000, "$", "", ""), nested(1000000, " ", "", ""),
                                 nested(200000, "TIME+", "", "")};
    const char *const words[] = {"8:15: error: unknown name `aaaaaaaaaaaaaaaa",
                                 "8:15: error: number with more than 255 characters",
                                 "8:15: error: unexpected character `$`", "error: the expression is empty",
                                 "8:1000015: error: a number, a name or `(` is missing before the end"};
    for (int k = 0; k < 5; k++) {
        const tn_outcome outcome = check(wrong[k]);
        assert_int_equal(outcome.status, 2);
        tn_check_holds(outcome.errors, TN_WORDS(words[k]));
    }
}

static void test_variables_may_be_called_like_functions(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        MASS VARIABLE("sin", "2") VARIABLE("TIME", "3") VARIABLE("varval", "VARVAL(sin) + VARVAL(TIME)")
            SENSOR("VARVAL(varval) + SIN(0)") "[solver]\ntype = 'rk'\nend_time = 0\n",
        NULL);
    assert_true(tn_value_at(run, "s", 0.0) == 5.0);
}

static void test_wrong_references_are_placed(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"VARVAL(m)", "8:22: error: `m` is a mass_point, not a variable"},
        {"1 + VARVAL(q)", "8:26: error: there is no variable `q`"},
        {"VARVAL(7)", "8:22: error: there is no variable with the id 7"},
        {"VARVAL()", "8:15: error: `varval` takes 1 argument (variable), not 0"},
        {"VARVAL(v, v)", "8:15: error: `varval` takes 1 argument (variable), not 2"},
        {"2*DX(v)", "8:20: error: `v` is a reference_variable: it cannot carry a point"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const tn_outcome outcome = check(texts[k][0]);
        assert_int_equal(outcome.status, 2);
        tn_check_holds(outcome.errors, TN_WORDS(texts[k][1]));
    }
    const tn_outcome twice = tn_tenon(TN_WORDS(
        "check", tn_write("twice.toml", VARIABLE("v", "1") "id = 3\n" VARIABLE("w", "1") "id = 3\n")));
    assert_int_equal(twice.status, 2);
    tn_check_holds(twice.errors, TN_WORDS("10:1: error: the id 3 is taken"));
}

/* ---- in a run ---------------------------------------------------------------------------------------------- */

static const char *const solvers[] = {"rk", "gsl_ode", "generalized_alpha"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static tn_outcome run(const char *model, int solver)
{
    return tn_tenon(TN_WORDS("run",
                             tn_write("hostile.toml", tn_format("%s[solver]\ntype = '%s'\nstep = 0.01\n"
                                                                "end_time = 1\n",
                                                                model, solvers[solver])),
                             "--quiet", "--out", "hostile"));
}

static bool is_finite_until(const tn_csv_table *table, double time)
{
    for (size_t row = 0; row < table->rows && tn_csv_value(table, row, 0) < time; row++)
        for (size_t k = 0; k < table->columns; k++)
            if (!isfinite(tn_csv_value(table, row, k))) return false;
    return true;
}

/* The element, the place of the expression and the reason; what was recorded before is right. */
static void test_a_run_ends_where_something_that_acts_has_no_value(void **state)
{
    (void)state;
    static const char *const models[][3] = {
        {FORCE("1/(TIME - 0.5)"), "force `f`", "9:10): division by zero"},
        {FORCE("SQRT(0.5 - TIME)"), "force `f`", "9:10): SQRT of a negative number"},
        {FORCE("EXP(2000*TIME)"), "force `f`", "9:10): result is not finite"},
        {SIGNAL FORCE("spline(c, TIME)"), "force `f`", "15:10): signal `c`: its data reach from 0 to 0.5"},
        {VARIABLE("v", "1/MAX(0.505 - TIME, 0)"), "reference_variable `v`", "8:14): division by zero"},
        {VARIABLE("v", "SQRT(0.5 - TIME)") FORCE("VARVAL(v)"), "reference_variable `v`",
         "8:14): SQRT of a negative number"},
        {VARIABLE("v", "1/MAX(0.505 - TIME, 0)") "integral = true\n", "reference_variable `v`",
         "8:14): division by zero"},
        {VARIABLE("v", "VARVAL(v) - 1/MAX(0.505 - TIME, 0)") "implicit = true\n", "reference_variable `v`",
         "8:14): division by zero"},
        {VARIABLE("v", "DX(m) - SQRT(0.5 - TIME)") "implicit = true\n", "reference_variable `v`",
         "hostile.toml:"},
        {VARIABLE("v", "VARVAL(u) + 1") VARIABLE("u", "VARVAL(v) + 1"), "at time 0 s",
         "`u` reads `v` reads `u`"},
        {VARIABLE("v", "VARVAL(v)**2") "integral = true\ninitial_value = 4\n", "reference_variable `v`",
         "8:14): result is not finite"},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (int s = 0; s < SOLVERS; s++) {
            const tn_outcome outcome = run(tn_format(MASS "%s" SENSOR("DX(m)"), models[k][0]), s);
            assert_int_equal(outcome.status, 1);
            tn_check_holds(outcome.errors,
                           TN_WORDS("the simulation failed at time", models[k][1], models[k][2]));
            assert_true(is_finite_until(tn_sensors(tn_scratch_path("hostile")), 1.0));
        }
}

/* What is only recorded ends no run, but it is told, once. */
static void test_a_sensor_without_a_value_is_told(void **state)
{
    (void)state;
    static const char *const models[][2] = {
        {SENSOR("1/(TIME - 0.5)"), "7:14: warning: s: at time 0.5 s: division by zero"},
        {SENSOR("SQRT(0.5 - TIME)"), "7:14: warning: s: at time 0.51 s: SQRT of a negative number"},
        {SIGNAL SENSOR("spline(c, TIME)"), "13:14: warning: s: at time 0.51 s: signal `c`"},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (int s = 0; s < SOLVERS; s++) {
            const tn_outcome outcome = run(tn_format(MASS "%s", models[k][0]), s);
            assert_int_equal(outcome.status, 0);
            tn_check_holds(outcome.errors, TN_WORDS(models[k][1], "nan is recorded"));
            tn_check_one_message(outcome.errors);
            assert_true(is_finite_until(tn_sensors(tn_scratch_path("hostile")), 0.5 - 1e-9));
        }
}

/* The branch that is not taken has no value there, and need not. */
static void test_if_guards_a_division(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_outcome outcome = run(
            MASS FORCE("IF(TIME: 0, 1, SIN(TIME)/TIME)") SENSOR("IF(TIME - 0.5: 1, 2, 1/(TIME - 0.5))"), s);
        assert_int_equal(outcome.status, 0);
        assert_string_equal(outcome.errors, "");
        assert_true(is_finite_until(tn_sensors(tn_scratch_path("hostile")), 2.0));
    }
}

/* It has a value at the start, but no derivative. */
static void test_an_expression_without_derivative_is_named(void **state)
{
    (void)state;
    const tn_outcome outcome = run(MASS FORCE("-SQRT(DX(m))") SENSOR("DX(m)"), 2);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("force `f`", "9:10): its expression has no derivative here"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_nested_too_deeply_is_refused),
        cmocka_unit_test(test_a_text_of_a_megabyte_is_read),
        cmocka_unit_test(test_variables_may_be_called_like_functions),
        cmocka_unit_test(test_wrong_references_are_placed),
        cmocka_unit_test(test_a_run_ends_where_something_that_acts_has_no_value),
        cmocka_unit_test(test_a_sensor_without_a_value_is_told),
        cmocka_unit_test(test_if_guards_a_division),
        cmocka_unit_test(test_an_expression_without_derivative_is_named)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

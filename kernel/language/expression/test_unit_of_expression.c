/* test_unit_of_expression.c - units of expressions, and values of different units that are added or compared */
#include "units/units.h"
#include "expression/test_expression.h"
#include "expression/expression_units.h"

#include <stdio.h>

/* x and y are lengths, z is a velocity, i0 a repeat variable, i1 a force, i2 an angle, all others unknown. */
static tn_unit unit_of(void *data, uint32_t input)
{
    static const char *const units[] = {"m", "m", "m/s", "s", NULL, "N", "rad"};
    (void)data;
    if (input == FIRST_NUMBERED) return (tn_unit){.kind = TN_UNIT_ANY};
    return input < COUNT(units) ? tn_unit_of_text(units[input]) : (tn_unit){0};
}

/* The clashes of an expression as "offset operation left right; ". */
typedef struct notes {
    char text[512];
} notes;

static void note(void *data, const tn_unit_clash *clash)
{
    notes *all = data;
    const size_t used = strlen(all->text);
    (void)snprintf(all->text + used, sizeof all->text - used, "%zu %s %s, %s; ", clash->offset,
                   clash->operation, tn_dimension_text(clash->left), tn_dimension_text(clash->right));
}

static tn_unit unit_in(const char *text, notes *found)
{
    tn_expression *const expression = compiled(text, &run_time);
    const tn_unit unit = tn_expression_unit(expression, &(tn_unit_scope){unit_of, note, found});
    tn_expression_free(expression);
    return unit;
}

static void check(const char *text, const char *expected)
{
    notes found = {""};
    const tn_unit unit = unit_in(text, &found);
    static const char *const words[] = {"unknown", "any", "number"};
    const char *const got = unit.kind == TN_UNIT_KNOWN ? tn_dimension_text(unit.dimension) : words[unit.kind];
    if (strcmp(got, expected) != 0) fail_msg("\"%s\": %s instead of %s", text, got, expected);
    if (*found.text) fail_msg("\"%s\": %s", text, found.text);
}

static void check_clash(const char *text, const char *clashes)
{
    notes found = {""};
    (void)unit_in(text, &found);
    if (strcmp(found.text, clashes) != 0) fail_msg("\"%s\": %s instead of %s", text, found.text, clashes);
}

static void inputs_bring_their_units(void **state)
{
    (void)state;
    check("x", "m");
    check("-z", "m/s");
    check("time", "s");
    check("i2", "rad");
    check("i9", "unknown");
    check("5", "any");
    check("2*PI + k", "any");
    check("i0*2 - 1", "any");
}

static void numbers_take_the_unit_of_a_sum(void **state)
{
    (void)state;
    check("x + 1", "m");
    check("k - x", "m");
    check("x - y + 3", "m");
    check("i0 + x", "m");
    check("x + SIN(time)", "m");
    check("SIN(time) + 1", "any");
}

static void a_factor_may_have_any_unit(void **state)
{
    (void)state;
    check("2*x", "unknown");
    check("x*k", "unknown");
    check("x/2", "unknown");
    check("1/x", "unknown");
    check("i0*x", "unknown");
    check("2*x + y", "unknown");
    check("i9 + x", "unknown");
}

static void products_and_quotients_have_a_unit(void **state)
{
    (void)state;
    check("x*y", "m^2");
    check("x/time", "m/s");
    check("i1*x", "N m");
    check("i1*z", "W");
    check("x/y", "number");
    check("x/y*z", "m/s");
    check("SIN(i2)*x", "m");
    check("COS(i2)/x", "1/m");
    check("i2*z", "m/s");
}

static void powers_with_a_known_exponent_have_a_unit(void **state)
{
    (void)state;
    check("x**2", "m^2");
    check("z**-1", "s/m");
    check("x**0", "number");
    check("x**10", "m^10");
    check("SQRT(x**2 + y**2)", "m");
    check("(x*y)**0.5", "m");
    check("(x*y)**(3/2)", "m^3");
    check("(x*y*x)**(1/3)", "m");
    check("x**0.5", "unknown");
    check("x**y", "unknown");
    check("x**1.2345", "unknown");
}

static void functions_have_their_units(void **state)
{
    (void)state;
    check("SIN(x)", "number");
    check("EXP(-time)", "number");
    check("ATAN2(x, y)", "rad");
    check("ABS(z)", "m/s");
    check("MAX(x, 0, y)", "m");
    check("SIGN(i1, z)", "N");
    check("MOD(i2, 360D)", "rad");
    check("STEP(time, 0, x, 1, 2)", "m");
    check("STEP(x, 0, 1, 1, 2)", "any");
    check("HAVSIN(x, y, 0, 1, 2)", "any");
    check("SHF(time, 0, x, 1, 0, 1)", "m");
    check("SWEEP(time, x, 0, 1, 2, 3, 1)", "m");
    check("FORCOS(time, 0, 1, x, 2)", "m");
    check("IMPACT(x, z, 1, 2, 1.5, 3, 0.1)", "unknown");
    check("POLY(x, 0, 1, 2)", "unknown");
}

static void branches_have_one_unit(void **state)
{
    (void)state;
    check("IF(x: 0, y, 1)", "m");
    check("IF(x: 1, 2, 3)", "any");
    check("IF(x: IF(y: 0, z, 1), z, 2*z)", "unknown");
    check("IF(x: IF(y: 0, z, 1), IF(y: z, 0, 0), IF(z: z, z, z))*time", "m");
}

static void what_does_not_fit_is_reported_once(void **state)
{
    (void)state;
    check_clash("x + z", "2 + m, m/s; ");
    check_clash("1 + x - z + z", "6 - m, m/s; ");
    check_clash("2*(x*y - z)*x", "7 - m^2, m/s; ");
    check_clash("5 - x + (z)", "6 + m, m/s; ");
    check_clash("MAX(1, x, z, y)", "0 MAX m, m/s; ");
    check_clash("2 + DIM(x, z)", "4 DIM m, m/s; ");
    check_clash("MIN(x, z)", "0 MIN m, m/s; ");
    check_clash("MOD(x, z)", "0 MOD m, m/s; ");
    check_clash("ATAN2(x, z)", "0 ATAN2 m, m/s; ");
    check_clash("i2 + x", "3 + rad, m; ");
    check_clash("STEP(x, 0, 1, z, 2)", "0 STEP m, m/s; ");
    check_clash("STEP(time, 0, x, 1, z)", "0 STEP m, m/s; ");
    check_clash("IMPACT(x, z, z, 1, 1.5, 1, 1)", "0 IMPACT m, m/s; ");
    check_clash("x < z", "2 < m, m/s; ");
}

static void branches_that_do_not_fit_are_reported(void **state)
{
    (void)state;
    check_clash("IF(i0: x, 0, z)", "0 IF m, m/s; ");
    check_clash("1 + IF(i0: 0, x, z)", "4 IF m, m/s; ");
    check_clash("IF(i0: x, z, x)", "0 IF m/s, m; ");
    check_clash("IF(i0: IF(x: i1, 0, x), 0, 0)", "7 IF N, m; ");
}

/* The place of an operator, whatever becomes of constants in front of it. */
static void operators_keep_their_places(void **state)
{
    (void)state;
    check_clash("3*(x + k) - z*(2/2)", "");
    check_clash("k + 1 + x + 2*k - z", "16 - m, m/s; ");
    check_clash("k*stiffness + (x - (z + 1))", "17 - m, m/s; ");
    check_clash("2 - (x + z)", "7 + m, m/s; ");
}

static void time_alone_goes_with_everything(void **state)
{
    (void)state;
    check("x - time", "m");
    check("time**2 + z", "m/s");
    check("time + time**2", "unknown");
    check("MAX(x, time)", "m");
}

static int close_units(void **state)
{
    (void)state;
    tn_units_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_bring_their_units),
        cmocka_unit_test(numbers_take_the_unit_of_a_sum),
        cmocka_unit_test(a_factor_may_have_any_unit),
        cmocka_unit_test(products_and_quotients_have_a_unit),
        cmocka_unit_test(powers_with_a_known_exponent_have_a_unit),
        cmocka_unit_test(functions_have_their_units),
        cmocka_unit_test(branches_have_one_unit),
        cmocka_unit_test(what_does_not_fit_is_reported_once),
        cmocka_unit_test(branches_that_do_not_fit_are_reported),
        cmocka_unit_test(operators_keep_their_places),
        cmocka_unit_test(time_alone_goes_with_everything),
    };
    return cmocka_run_group_tests(tests, NULL, close_units);
}

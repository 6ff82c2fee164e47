/* test_units.c - which units are taken for which, and by what factor. */
#include "units/units.h"

#include "units/units_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static void check_factor(const char *from, const char *to, double expected)
{
    double factor = 0;
    char error[200] = "";
    if (!tn_unit_factor(from, to, &factor, error, sizeof error)) fail_msg("%s to %s: %s", from, to, error);
    if (!(fabs(factor - expected) <= 1e-14 * fabs(expected)))
        fail_msg("%s to %s is %.17g, not %.17g", from, to, factor, expected);
}

static void check_refused(const char *from, const char *to, const char *expected)
{
    double factor = 7;
    char error[200] = "";
    if (tn_unit_factor(from, to, &factor, error, sizeof error)) fail_msg("%s was taken for %s", from, to);
    assert_string_equal(error, expected);
    assert_true(factor > 6.5 && factor < 7.5);
}

static void factors_between_like_units(void **state)
{
    (void)state;
    check_factor("N/mm", "N/m", 1000);
    check_factor("kN/m", "N/m", 1000);
    check_factor("mm", "m", 1e-3);
    check_factor("km/h", "m/s", 1 / 3.6);
    check_factor("g", "kg", 1e-3);
    check_factor("MPa", "Pa", 1e6);
    check_factor("kg mm^2", "kg m2", 1e-6);
    check_factor("N.s/mm", "N s/m", 1000);
    check_factor("\xC2\xB5m", "m", 1e-6);
    check_factor(" ms ", "s", 1e-3);
    check_factor("mK", "K", 1e-3);
    check_factor("%", "", 0.01);
    check_factor("", "", 1);
}

static void decimal_factors_are_exact(void **state)
{
    (void)state;
    const char *const pairs[][2] = {{"N/mm", "N/m"}, {"kg/mm^3", "kg/m^3"}, {"inch", "m"}, {"dm^3", "m^3"}};
    const double exact[] = {1000, 1e9, 0.0254, 1e-3};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        double factor = 0;
        char error[200];
        assert_true(tn_unit_factor(pairs[i][0], pairs[i][1], &factor, error, sizeof error));
        assert_memory_equal(&factor, &exact[i], sizeof factor);
    }
}

static void names_that_the_database_lacks(void **state)
{
    (void)state;
    check_factor("deg", "rad", pi / 180);
    check_factor("deg/s", "rad/s", pi / 180);
    check_factor("rev", "rad", 2 * pi);
    check_factor("rev/min", "rad/s", 2 * pi / 60);
    check_factor("rpm", "rad/s", 2 * pi / 60);
    check_factor("Nm", "N m", 1);
    check_factor("kNm", "N m", 1000);
    check_factor("Nm/deg", "N m/rad", 180 / pi);
    check_factor("N m", "Nm", 1);
}

static void symbols_keep_their_case(void **state)
{
    (void)state;
    check_factor("nm", "m", 1e-9);
    check_refused("NM", "N m", "unknown unit \"NM\": N m is expected");
}

static void an_angle_is_a_plain_number(void **state)
{
    (void)state;
    check_factor("deg", "", pi / 180);
    check_factor("1/s", "rad/s", 1);
    check_factor("N m", "N m/rad", 1);
}

static void equal_texts_need_no_database(void **state)
{
    (void)state;
    check_factor("anything at all", "anything at all", 1);
}

/* The same unit as a text that is not in the table. */
static const char *spell_otherwise(const char *text, char *spelled, size_t size)
{
    snprintf(spelled, size, " %s", text);
    return spelled;
}

/* Bit by bit, as both are given to the same models. */
static void assert_same(double known, double asked, const char *from, const char *to)
{
    if (memcmp(&known, &asked, sizeof known) != 0)
        fail_msg("%s to %s is %a in the table, and %a by UDUNITS", from, to, known, asked);
}

static void the_table_of_units_says_what_udunits_does(void **state)
{
    (void)state;
    assert_true(tn_known_unit_count > 500);
    for (size_t k = 0; k < tn_known_unit_count; k++) {
        const tn_known_unit *unit = &tn_known_units[k];
        char otherwise[32], error[200], known[TN_LONGEST_DEFINITION], asked[TN_LONGEST_DEFINITION];
        double factor = 0.0, asked_factor = 0.0;
        bool is_base = false, asked_base = false;
        assert_true(k == 0 || strcmp(unit[-1].text, unit->text) < 0);
        spell_otherwise(unit->text, otherwise, sizeof otherwise);
        assert_true(tn_unit_si_factor(unit->text, &factor, error, sizeof error));
        assert_true(tn_unit_si_factor(otherwise, &asked_factor, error, sizeof error));
        assert_same(factor, asked_factor, unit->text, "SI units");
        assert_true(tn_units_define(unit->text, known, &is_base));
        assert_true(tn_units_define(otherwise, asked, &asked_base));
        assert_string_equal(known, asked);
        assert_int_equal(is_base, asked_base);
    }
}

static void factors_between_units_of_the_table_are_those_of_udunits(void **state)
{
    (void)state;
    for (size_t i = 0; i < tn_known_unit_count; i++)
        for (size_t k = 0; k < tn_known_unit_count; k++) {
            const char *from = tn_known_units[i].text, *to = tn_known_units[k].text;
            char otherwise[32], error[200], asked_error[200];
            double factor = 0.0, asked = 0.0;
            if (i == k || strcmp(tn_known_units[i].base, tn_known_units[k].base) != 0) continue;
            spell_otherwise(from, otherwise, sizeof otherwise);
            assert_int_equal(tn_unit_factor(from, to, &factor, error, sizeof error),
                             tn_unit_factor(otherwise, to, &asked, asked_error, sizeof asked_error));
            assert_same(factor, asked, from, to);
        }
}

static void units_of_most_models_need_no_database(void **state)
{
    (void)state;
    static const char *const units[][2] = {{"mm", "m"},           {"N/mm", "N/m"},    {"ms", "s"},
                                           {"deg", "rad"},        {"rev/s", "rad/s"}, {"deg/s", "rad/s"},
                                           {"kN s/m", "N s/m"},   {"km/h", "m/s"},    {"Nm/rad", "N m/rad"},
                                           {"kg mm^2", "kg m^2"}, {"MPa", "Pa"},      {"g/cm^3", "kg/m^3"}};
    tn_units_close();
    setenv("UDUNITS2_XML_PATH", "/nowhere/udunits2.xml", 1);
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        char error[200] = "";
        double factor = 0.0;
        if (!tn_unit_factor(units[k][0], units[k][1], &factor, error, sizeof error)) fail_msg("%s", error);
        if (!tn_unit_si_factor(units[k][0], &factor, error, sizeof error)) fail_msg("%s", error);
    }
    check_refused("nautical_mile", "m", "cannot load the unit database of UDUNITS");
    unsetenv("UDUNITS2_XML_PATH");
    check_factor("nautical_mile", "m", 1852);
}

static void other_dimensions_are_refused(void **state)
{
    (void)state;
    check_refused("kg", "N/m", "unit kg does not fit: N/m is expected");
    check_refused("kg", "", "unit kg does not fit: a number without unit is expected");
    check_refused("", "N/m", "unit 1 does not fit: N/m is expected");
}

static void what_is_not_a_pure_factor_is_refused(void **state)
{
    (void)state;
    check_refused("s", "rad/s", "unit s does not fit: rad/s is expected, not its reciprocal");
    check_refused("m/N", "N/m", "unit m/N does not fit: N/m is expected, not its reciprocal");
    check_refused("degC", "K", "unit degC does not fit: K is expected, without an offset");
    check_refused("m @ 3", "m", "unit m @ 3 does not fit: m is expected, without an offset");
    check_refused("-1 m", "m", "unit -1 m does not fit: m is expected, by a pure factor");
}

static void a_factor_to_si_keeps_radians_and_refuses_offsets(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double factor;
    } known[] = {{"N/mm", 1000}, {"deg", pi / 180}, {"kHz", 1000}, {"kg", 1}, {"%", 0.01}, {"mK", 1e-3}};
    double factor = 0;
    char error[200];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(tn_unit_si_factor(known[i].unit, &factor, error, sizeof error));
        assert_true(fabs(factor - known[i].factor) <= 1e-15 * known[i].factor);
    }
    assert_false(tn_unit_si_factor("degC", &factor, error, sizeof error));
    assert_string_equal(error, "unit degC does not fit: K is expected, without an offset");
    assert_false(tn_unit_si_factor("furlng", &factor, error, sizeof error));
    assert_string_equal(error, "unknown unit \"furlng\"");
}

static void cycles_are_not_radians(void **state)
{
    (void)state;
    check_refused("Hz", "rad/s",
                  "unit Hz does not fit: rad/s is expected; cycles per second are written rev/s");
    check_refused("kHz", "rad/s",
                  "unit kHz does not fit: rad/s is expected; cycles per second are written rev/s");
    check_refused("2 hertz", "rad/s",
                  "unit 2 hertz does not fit: rad/s is expected; cycles per second are written rev/s");
    check_factor("Hz", "1/s", 1);
    check_factor("kHz", "Hz", 1000);
}

static void unknown_units_are_named(void **state)
{
    (void)state;
    check_refused("furlng", "m", "unknown unit \"furlng\": m is expected");
    check_refused("furlng", "", "unknown unit \"furlng\": no unit is expected");
    check_refused("m/", "m", "unknown unit \"m/\": m is expected");
    check_refused("m", "furlng", "unknown unit \"furlng\" is expected, m is given");
}

static void powers_that_are_no_whole_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const whole =
        "; powers of units are whole numbers: write the number in SI units, without a unit";
    static const char *const broken[] = {"N/m^1.5", "kg^1.5", "N/m1.5", "N/m^-1.5", "m**1.5", "kg.m^2.5/s"};
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        char text[200];
        double factor = 0;
        snprintf(text, sizeof text, "unknown unit \"%s\": kg is expected%s", broken[k], whole);
        check_refused(broken[k], "kg", text);
        snprintf(text, sizeof text, "unknown unit \"%s\"%s", broken[k], whole);
        char error[200];
        assert_false(tn_unit_si_factor(broken[k], &factor, error, sizeof error));
        assert_string_equal(error, text);
    }
    check_factor("1.5 m", "m", 1.5);
    check_factor("m^2.s", "m2 s", 1);
    check_factor("0.5 kg m^2", "kg m2", 0.5);
}

static void a_divisor_at_the_end_may_have_any_power(void **state)
{
    (void)state;
    check_factor("N/m^1.5", "N/m^1.5", 1);
    check_factor("N/mm^1.5", "N/m^1.5", pow(10, 4.5));
    check_factor("kN / m^1.50", "N/m^1.5", 1000);
    check_factor("MN/cm^1.333333", "N/m^1.333333", 1e6 * pow(100, 1.333333));
    check_refused("N/m", "N/m^1.5", "unit N/m does not fit: N/m^1.5 is expected");
    check_refused("N/m^2.5", "N/m^1.5", "unit N/m^2.5 does not fit: N/m^1.5 is expected");
    check_refused("N/s^1.5", "N/m^1.5", "unit N/s^1.5 does not fit: N/m^1.5 is expected");
    check_refused("kg/m^1.5", "N/m^1.5", "unit kg/m^1.5 does not fit: N/m^1.5 is expected");
    check_refused("N/furlng^1.5", "N/m^1.5", "unit N/furlng^1.5 does not fit: N/m^1.5 is expected");
    check_refused("N/m^1.5 s", "N/m^1.5", "unit N/m^1.5 s does not fit: N/m^1.5 is expected");
    check_refused("N/m", "N m^1.5", "unknown unit \"N m^1.5\" is expected, N/m is given");
}

static void check_unit_of(const char *list, uint32_t k, uint32_t count, const char *expected)
{
    tn_arena arena = {0};
    assert_string_equal(tn_unit_of_number(list, k, count, &arena), expected);
    tn_arena_free(&arena);
}

static void a_list_of_units_is_shared_out_among_the_numbers(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 6; k++) {
        check_unit_of("N m/rad; N/m", k, 6, k < 3 ? "N m/rad" : "N/m");
        check_unit_of("kg m^2", k, 6, "kg m^2");
        check_unit_of("", k, 6, "");
    }
    for (uint32_t k = 0; k < 12; k++)
        check_unit_of("1; 1;1;m", k, 12, k < 9 ? "" : "m");
    check_unit_of("1", 0, 1, "1");
    check_unit_of("N/m", 0, 1, "N/m");
    check_refused("N/m", "N m/rad; N/m",
                  "unit N/m does not fit: N m/rad; N/m is expected, one for each number");
}

static void many_pairs_many_times(void **state)
{
    (void)state;
    static const char *const prefixes[] = {"",  "k", "M", "G", "m", "n", "h", "d", "c", "T",
                                           "p", "f", "P", "E", "a", "Z", "z", "Y", "y"};
    static const double powers[] = {1,     1e3,   1e6,  1e9,  1e-3,  1e-9, 1e2,   1e-1, 1e-2, 1e12,
                                    1e-12, 1e-15, 1e15, 1e18, 1e-18, 1e21, 1e-21, 1e24, 1e-24};
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
            char from[8];
            snprintf(from, sizeof from, "%sN", prefixes[i]);
            check_factor(from, "N", powers[i]);
        }
    }
    for (int i = 0; i < 1000000; i++)
        check_factor("N/mm", "N/m", 1000);
}

static void the_database_opens_again_after_closing(void **state)
{
    (void)state;
    tn_units_close();
    tn_units_close();
    check_factor("deg", "rad", pi / 180);
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
        cmocka_unit_test(equal_texts_need_no_database),
        cmocka_unit_test(factors_between_like_units),
        cmocka_unit_test(decimal_factors_are_exact),
        cmocka_unit_test(names_that_the_database_lacks),
        cmocka_unit_test(symbols_keep_their_case),
        cmocka_unit_test(an_angle_is_a_plain_number),
        cmocka_unit_test(the_table_of_units_says_what_udunits_does),
        cmocka_unit_test(factors_between_units_of_the_table_are_those_of_udunits),
        cmocka_unit_test(units_of_most_models_need_no_database),
        cmocka_unit_test(other_dimensions_are_refused),
        cmocka_unit_test(what_is_not_a_pure_factor_is_refused),
        cmocka_unit_test(a_factor_to_si_keeps_radians_and_refuses_offsets),
        cmocka_unit_test(cycles_are_not_radians),
        cmocka_unit_test(unknown_units_are_named),
        cmocka_unit_test(powers_that_are_no_whole_numbers_are_refused),
        cmocka_unit_test(a_divisor_at_the_end_may_have_any_power),
        cmocka_unit_test(a_list_of_units_is_shared_out_among_the_numbers),
        cmocka_unit_test(many_pairs_many_times),
        cmocka_unit_test(the_database_opens_again_after_closing),
    };
    return cmocka_run_group_tests(tests, NULL, close_units);
}

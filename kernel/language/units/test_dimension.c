/* test_dimension.c - products, powers and comparisons of units, and how they are written */
#include "units/dimension.h"
#include "units/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OF(text) tn_dimension_of(text)

static void check_text(const tn_dimension *unit, const char *text)
{
    assert_non_null(unit);
    assert_string_equal(tn_dimension_text(unit), text);
}

static void units_are_written_with_their_names(void **state)
{
    (void)state;
    check_text(tn_dimension_product(OF("N"), OF("m")), "N m");
    check_text(tn_dimension_quotient(OF("J"), OF("m")), "N");
    check_text(tn_dimension_quotient(OF("m"), OF("s")), "m/s");
    check_text(tn_dimension_product(OF("kg"), OF("m/s")), "kg m/s");
    check_text(tn_dimension_product(OF("kg"), OF("m^2")), "kg m^2");
}

static void units_without_a_name_are_written_by_their_base_units(void **state)
{
    (void)state;
    check_text(tn_dimension_power(OF("N"), 2, 1), "kg^2 m^2/s^4");
    check_text(tn_dimension_quotient(OF("N"), OF("kg m s")), "1/s^3");
    check_text(tn_dimension_quotient(OF("m"), OF("m")), "");
    check_text(tn_dimension_quotient(OF("s"), OF("m^2")), "s/m^2");
    check_text(tn_dimension_power(OF("m"), -1, 1), "1/m");
}

static void each_unit_is_kept_once(void **state)
{
    (void)state;
    assert_ptr_equal(OF("N/mm"), OF("N/mm"));
    assert_ptr_equal(tn_dimension_product(OF("m"), OF("m")), tn_dimension_power(OF("m"), 2, 1));
    assert_ptr_equal(tn_dimension_product(OF("m/s"), OF("s")), OF("m"));
}

static void roots_exist_where_they_are_units(void **state)
{
    (void)state;
    check_text(tn_dimension_power(OF("m^2"), 1, 2), "m");
    check_text(tn_dimension_power(OF("m^2/s^2"), 3, 2), "m^3/s^3");
    assert_null(tn_dimension_power(OF("m"), 1, 2));
}

static void angles_stay_with_time_only(void **state)
{
    (void)state;
    check_text(tn_dimension_product(OF("rad/s"), OF("s")), "rad");
    check_text(tn_dimension_quotient(OF("rad/s"), OF("s")), "rad/s^2");
    check_text(tn_dimension_product(OF("rad/s"), OF("m")), "m/s");
    check_text(tn_dimension_product(OF("N m/rad"), OF("rad")), "N m");
    check_text(tn_dimension_quotient(OF("J"), OF("rad")), "N m");
    check_text(tn_dimension_power(OF("rad/s"), 2, 1), "1/s^2");
}

static void angles_count_as_numbers(void **state)
{
    (void)state;
    assert_true(tn_dimension_fits(OF("rad"), OF("")));
    assert_true(tn_dimension_fits(OF("1/s"), OF("rad/s")));
    check_text(tn_dimension_sum(OF("rad/s"), OF("1/s")), "1/s");
    check_text(tn_dimension_sum(OF("rad"), OF("rad")), "rad");
    assert_false(tn_dimension_is_number(OF("rad")));
    assert_true(tn_dimension_is_number(tn_dimension_quotient(OF("rad"), OF("rad"))));
}

static void other_units_do_not_fit(void **state)
{
    (void)state;
    assert_true(tn_dimension_fits(OF("N"), OF("kg m/s^2")));
    assert_true(tn_dimension_fits(OF("J"), OF("N m")));
    assert_false(tn_dimension_fits(OF("m"), OF("m/s")));
    assert_false(tn_dimension_fits(OF("s"), OF("1/s")));
    assert_false(tn_dimension_fits(OF("rad"), OF("m")));
    assert_true(tn_dimension_fits(OF("m"), NULL));
    assert_true(tn_dimension_fits(OF("no unit at all"), OF("m")));
}

/* "N m 1" is the same unit, of which only the database knows that. */
static void units_with_names_fit_as_the_database_says(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",    "m", "m/s", "m/s^2", "rad",   "rad/s",   "rad/s^2",   "s",      "kg",     "N",
        "N m", "J", "W",   "N/m",   "N s/m", "N m/rad", "N m s/rad", "kg m^2", "kg m/s", "kg m^2/s"};
    enum { COUNT = sizeof names / sizeof *names };
    for (size_t a = 0; a < COUNT; a++) {
        for (size_t b = 0; b < COUNT; b++) {
            char by_database[32];
            snprintf(by_database, sizeof by_database, "%s 1", names[b]);
            const bool fits = tn_dimension_fits(OF(names[a]), OF(names[b]));
            if (fits != tn_dimension_fits(OF(names[a]), OF(by_database)))
                fail_msg("`%s` and `%s`: %s", names[a], names[b], fits ? "they fit" : "they do not fit");
        }
    }
}

static void units_with_names_need_no_database(void **state)
{
    (void)state;
    tn_units_close();
    assert_int_equal(setenv("UDUNITS2_XML_PATH", "/no/such/database.xml", 1), 0);
    assert_false(tn_dimension_fits(OF("m"), OF("m/s^2")));
    assert_true(tn_dimension_fits(OF("J"), OF("N m")));
    assert_true(tn_dimension_fits(OF("m"), OF("s^3"))); /* it is not known without the database */
    tn_units_close();
    assert_int_equal(unsetenv("UDUNITS2_XML_PATH"), 0);
}

static void powers_of_time_are_known(void **state)
{
    (void)state;
    assert_true(tn_dimension_is_time(OF("s")));
    assert_true(tn_dimension_is_time(tn_dimension_power(OF("s"), -2, 1)));
    assert_false(tn_dimension_is_time(OF("rad/s")));
    assert_false(tn_dimension_is_time(OF("m/s")));
    assert_false(tn_dimension_is_time(OF("")));
}

static void what_is_unknown_stays_unknown(void **state)
{
    (void)state;
    assert_null(tn_dimension_product(OF("no unit at all"), OF("m")));
    assert_null(tn_dimension_quotient(NULL, OF("m")));
    assert_null(tn_dimension_power(NULL, 2, 1));
    assert_null(tn_dimension_si("no unit at all"));
}

static void multiples_are_measured_in_si(void **state)
{
    (void)state;
    check_text(tn_dimension_si("mm"), "m");
    check_text(tn_dimension_si("N/mm"), "N/m");
    check_text(tn_dimension_si("deg/s"), "rad/s");
    check_text(tn_dimension_si("degC"), "K");
    check_text(tn_dimension_si("J"), "J");
}

static void words_name_what_has_a_name(void **state)
{
    (void)state;
    tn_arena arena = {0};
    assert_string_equal(tn_dimension_words(OF("m"), &arena), "a length (m)");
    assert_string_equal(tn_dimension_words(OF("J"), &arena), "an energy (J)");
    assert_string_equal(tn_dimension_words(tn_dimension_product(OF("N"), OF("s^3")), &arena), "in kg m s");
    assert_string_equal(tn_dimension_words(OF(""), &arena), "a plain number");
    tn_arena_free(&arena);
}

/* Beyond the most that are kept nothing is known, and nothing gets slow. */
static void a_chain_of_products_ends(void **state)
{
    (void)state;
    const tn_dimension *unit = OF("m");
    int length = 0;
    for (; unit && length < 10000; length++)
        unit = tn_dimension_product(unit, OF("m"));
    assert_in_range(length, 100, 1000);
    check_text(tn_dimension_product(OF("m"), OF("m")), "m^2");
}

static int forget(void **state)
{
    (void)state;
    tn_units_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(units_are_written_with_their_names, forget),
        cmocka_unit_test_teardown(units_without_a_name_are_written_by_their_base_units, forget),
        cmocka_unit_test_teardown(each_unit_is_kept_once, forget),
        cmocka_unit_test_teardown(roots_exist_where_they_are_units, forget),
        cmocka_unit_test_teardown(angles_stay_with_time_only, forget),
        cmocka_unit_test_teardown(angles_count_as_numbers, forget),
        cmocka_unit_test_teardown(other_units_do_not_fit, forget),
        cmocka_unit_test_teardown(units_with_names_fit_as_the_database_says, forget),
        cmocka_unit_test_teardown(units_with_names_need_no_database, forget),
        cmocka_unit_test_teardown(powers_of_time_are_known, forget),
        cmocka_unit_test_teardown(what_is_unknown_stays_unknown, forget),
        cmocka_unit_test_teardown(multiples_are_measured_in_si, forget),
        cmocka_unit_test_teardown(words_name_what_has_a_name, forget),
        cmocka_unit_test_teardown(a_chain_of_products_ends, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

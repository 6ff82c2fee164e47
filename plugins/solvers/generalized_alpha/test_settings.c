/* test_settings.c - settings of generalized_alpha that are refused, and the index that is not given */
#include "test_alpha.h"

static void test_wrong_settings_are_refused(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    tn_run settings_of_run = {.end_time = 1.0, .step = 0.1};
    alpha_instance settings = defaults();
    settings.scheme = SCHEME_HHT;
    settings.spectral_radius = 0.4;
    assert_int_equal(alpha_prepare(&test.host.table, &settings, &settings_of_run), TN_INVALID);
    assert_string_equal(test.host.parameter, "spectral_radius");
    settings = defaults();
    settings.index = 1;
    assert_int_equal(alpha_prepare(&test.host.table, &settings, &settings_of_run), TN_INVALID);
    assert_string_equal(test.host.parameter, "index");
    test_end(&test);
}

/* The index of a run with steps of h. */
static int chosen_index(test_system *test, int64_t given, int32_t scheme, double h)
{
    alpha_instance settings = defaults();
    tn_run run = {.end_time = 1.0, .step = h};
    settings.index = given;
    settings.scheme = scheme;
    assert_int_equal(alpha_prepare(&test->host.table, &settings, &run), TN_OK);
    alpha_work work = {.settings = &settings, .c = settings.coefficients, .system = &test->system};
    test->system.run = &run;
    tn_alpha_choose_index(&work);
    return work.index;
}

/* The index that is not given follows the damping, and the step where it is too short for reactions by positions. */
static void test_index_that_is_not_given(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    const tn_run *run = test.system.run;
    test.system.position_rows = 1;
    test.system.q[0] = 2.0;
    assert_int_equal(chosen_index(&test, 0, SCHEME_GENERALIZED_ALPHA, 1e-3), 3);
    assert_int_equal(chosen_index(&test, 0, SCHEME_TRAPEZOIDAL, 1e-3), 2);
    assert_int_equal(chosen_index(&test, 0, SCHEME_GENERALIZED_ALPHA, 1e-8), 2);
    assert_int_equal(chosen_index(&test, 2, SCHEME_GENERALIZED_ALPHA, 1e-3), 2);
    assert_string_equal(test.host.message, "");
    assert_int_equal(chosen_index(&test, 3, SCHEME_GENERALIZED_ALPHA, 1e-8), 3);
    assert_non_null(
        strstr(test.host.message, "at index 3 a step of 1e-08 s gives reactions an error of about"));
    test.system.position_rows = 0;
    test.system.run = run;
    test_end(&test);
}

/* Index 3 without damping: for a model without position rows it is but a word. */
static void test_undamped_index_3_is_refused_with_position_rows_only(void **state)
{
    (void)state;
    test_system test;
    oscillator(&test);
    for (int scheme = SCHEME_GENERALIZED_ALPHA; scheme <= SCHEME_TRAPEZOIDAL; scheme++)
        for (int damped = 0; damped < 2; damped++) {
            alpha_instance settings = defaults();
            settings.index = 3;
            settings.scheme = scheme;
            settings.spectral_radius = damped ? 0.9 : 1.0;
            settings.gamma = damped ? 0.6 : 0.5;
            assert_int_equal(alpha_prepare(&test.host.table, &settings, &test.run), TN_OK);
            assert_int_equal(settings.index, 3);
            test.system.position_rows = 0;
            test.system.velocity_rows = 1;
            assert_int_equal(alpha_check(&test.host.table, &settings, &test.system), TN_OK);
            test.system.position_rows = 1;
            test.host.parameter[0] = '\0';
            const bool accepted = damped && scheme != SCHEME_TRAPEZOIDAL;
            assert_int_equal(alpha_check(&test.host.table, &settings, &test.system),
                             accepted ? TN_OK : TN_INVALID);
            assert_string_equal(test.host.parameter, accepted ? "" : "index");
        }
    test_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_settings_are_refused),
        cmocka_unit_test(test_index_that_is_not_given),
        cmocka_unit_test(test_undamped_index_3_is_refused_with_position_rows_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

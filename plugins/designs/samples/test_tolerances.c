/* test_tolerances.c - two solvers whose errors and times are known: errors, front, advice */
#define tn_self grid_self
#define count_given grid_count_given
#include "grid.c"
#undef count_given
#undef tn_self
#include "tolerances.c"

#include "sample.c"

#include "../test_design.h"

enum { TIMES = 20, LEVELS = 5 };

static const char *const solver_names[] = {"rk", "radau"};
static const char *const tolerance_texts[] = {"1e-3", "1e-4", "1e-6", "1e-8", "1e-9"};
static const double tolerance_values[] = {1e-3, 1e-4, 1e-6, 1e-8, 1e-9};

/* rk is less accurate at a tolerance, and takes 1 ms tolerance^-1/4; radau 0.5 ms tolerance^-1/5. */
static bool solved(test_design *test, const double *u, double *number)
{
    const size_t solver = (size_t)(2.0 * u[0]), level = (size_t)(LEVELS * u[1]);
    const double tolerance = tolerance_values[level];
    const double error = solver == 0 ? 3.0 * tolerance : 0.5 * tolerance;
    test->effort = solver == 0 ? 1e-3 * pow(tolerance, -0.25) : 5e-4 * pow(tolerance, -0.2);
    for (size_t k = 0; k < TIMES; k++)
        number[k] = 2.0 * sin(0.4 * (double)k) * (1.0 + error * (solver ? -1.0 : 1.0));
    return !(solver == 0 && level == 1 && test->random);
}

static void begin(test_design *test)
{
    test_design_begin(test, 2, solved);
    test->variable[0].name = "solver", test->variable[0].levels = 2;
    test->variable[1].name = "tolerance", test->variable[1].levels = LEVELS;
    test->response[0].size = test->problem.numbers = TIMES;
}

static tolerances settings_of(double accuracy)
{
    tolerances made = {.accuracy = accuracy};
    for (size_t i = 0; i < 64; i++)
        made.reference[i] = (double)NAN;
    return made;
}

static const tn_answer *about(const test_design *test, const char *name, int64_t point)
{
    for (size_t k = 0; k < test->answers; k++)
        if (!strcmp(test->answer[k].name, name) && test->answer[k].point == point) return &test->answer[k];
    return NULL;
}

static void test_errors_and_front_are_those_of_the_solvers(void **state)
{
    (void)state;
    test_design test;
    begin(&test);
    const tolerances instance = settings_of(1e-5);
    test_design_study(&test, &tolerances_type, &instance);
    assert_int_equal(test.count, 10);
    /* the closest two are radau at 1e-9 and rk at 1e-9, apart 3.5e-9; another tolerance is 4.5e-9 from the former, 8e-9 from the latter */
    const tn_answer *reference = about(&test, "reference", 9);
    assert_non_null(reference);
    assert_true(fabs(reference->value - 4.5e-9) < 1e-12);
    assert_true(fabs(about(&test, "error", 7)->value - 4.995e-7) < 1e-12);
    assert_true(fabs(about(&test, "effort", 7)->value - 5e-4 * pow(1e-6, -0.2)) < 1e-12);
    /* radau is faster at each tolerance; at 1e-9 it is not resolved that it is better than at 1e-8 */
    for (int64_t k = 0; k < 10; k++)
        assert_true((about(&test, "Pareto front", k) != NULL) == (k >= 5 && k < 9));
    test_design_end(&test);
}

static void test_advice_compares_with_the_best_of_the_other_solver(void **state)
{
    (void)state;
    test_design test;
    begin(&test);
    test.variable[0].text = solver_names, test.variable[1].text = tolerance_texts;
    test.problem.variables = 3; /* the last one is the same in all cases, and is not mentioned */
    test.variable[2].levels = 1;
    const tolerances instance = settings_of(1e-5);
    test_design_study(&test, &tolerances_type, &instance);
    assert_true(test_said(&test,
                          "solver = radau, tolerance = 1e-6 reaches 1e-05 in 7.92 ms, 4 times faster than "
                          "solver = rk, tolerance = 1e-6"));
    assert_true(test_said(&test,
                          "errors are differences from solver = radau, tolerance = 1e-9, which is closest to "
                          "solver = rk, tolerance = 1e-9"));
    assert_true(test_said(&test, "of the cases without what these two have in common solver = radau, "
                                 "tolerance = 1e-8 is closest: errors below 4.5e-09 say nothing"));
    test_design_end(&test);
}

static void test_failed_cases_and_accuracy_out_of_reach(void **state)
{
    (void)state;
    test_design test;
    begin(&test);
    test.random = 1;
    tolerances instance = settings_of(1e-9);
    instance.reference[0] = 2.0, instance.reference[1] = 5.0;
    test_design_study(&test, &tolerances_type, &instance);
    assert_null(about(&test, "error", 1));
    assert_non_null(about(&test, "reference", 9));
    assert_true(test_said(
        &test, "1 of 10 cases have no result, among them solver = value 1 of 2, tolerance = value 2 of 5"));
    assert_true(test_said(&test, "for this accuracy the study needs a stricter case"));
    assert_true(test_said(&test, "no case is known to have an error of 1e-09 or less"));
    test_design_end(&test);
}

/* As solved(), but the second variable hardly matters: two cases that differ in it alone agree, and are as wrong as each other. */
static bool solved_alike(test_design *test, const double *u, double *number)
{
    const double tolerance = tolerance_values[(size_t)(LEVELS * u[0])], other = u[1] < 0.5 ? 0.0 : 1e-13;
    test->effort = 1e-3 * pow(tolerance, -0.25);
    for (size_t k = 0; k < TIMES; k++)
        number[k] = 2.0 * sin(0.4 * (double)k) * (1.0 + 3.0 * tolerance + other);
    return true;
}

static void test_cases_that_differ_in_what_hardly_matters_are_no_evidence(void **state)
{
    (void)state;
    test_design test;
    begin(&test);
    test.run = solved_alike;
    test.variable[0].name = "tolerance", test.variable[0].levels = LEVELS;
    test.variable[1].name = "linear", test.variable[1].levels = 2;
    const tolerances instance = settings_of(1e-5);
    test_design_study(&test, &tolerances_type, &instance);
    /* the strictest tolerance, and what the one before says of it; all pairs are 1e-13 apart */
    const tn_answer *reference = about(&test, "reference", 9);
    assert_non_null(reference);
    assert_true(fabs(reference->value - 2.7e-8) < 1e-11);
    assert_true(test_said(&test, "errors below 2.7e-08 say nothing"));
    test_design_end(&test);
}

/* As solved(), but radau at 1e-4 happens to be as wrong as at 1e-3. */
static bool solved_with_a_coincidence(test_design *test, const double *u, double *number)
{
    const size_t level = (size_t)(LEVELS * u[1]);
    const bool good = solved(test, u, number);
    for (size_t k = 0; k < TIMES && u[0] > 0.5 && level == 1; k++)
        number[k] = 2.0 * sin(0.4 * (double)k) * (1.0 - 0.5 * tolerance_values[0] + 1e-10);
    return good;
}

static void test_cases_that_agree_by_chance_are_no_evidence(void **state)
{
    (void)state;
    test_design test;
    begin(&test);
    test.run = solved_with_a_coincidence;
    const tolerances instance = settings_of(1e-5);
    test_design_study(&test, &tolerances_type, &instance);
    assert_non_null(about(&test, "reference", 9));
    assert_true(fabs(about(&test, "error", 6)->value - 5e-4) < 1e-7);
    test_design_end(&test);
}

static void test_what_has_no_lists_or_no_times_is_refused(void **state)
{
    (void)state;
    test_design test;
    begin(&test);
    tolerances instance = settings_of(1e-5);
    test.problem.variables = 0;
    test_design_refused(&test, &tolerances_type, &instance, "", "there are no variables");
    test.problem.variables = 2;
    instance.reference[0] = 1.0;
    test_design_refused(&test, &tolerances_type, &instance, "reference", "1 numbers for 2 variables");
    instance.reference[1] = 6.0;
    test_design_refused(&test, &tolerances_type, &instance, "reference",
                        "\"tolerance\" has no value number 6");
    test.variable[1].levels = 0;
    test_design_refused(&test, &tolerances_type, &instance, "", "\"tolerance\" has no list");
    test.variable[1].levels = 5;
    test.response[0].size = 1;
    test_design_refused(&test, &tolerances_type, &instance, "", "no response is sampled");
    test_design_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_and_front_are_those_of_the_solvers),
        cmocka_unit_test(test_advice_compares_with_the_best_of_the_other_solver),
        cmocka_unit_test(test_failed_cases_and_accuracy_out_of_reach),
        cmocka_unit_test(test_cases_that_differ_in_what_hardly_matters_are_no_evidence),
        cmocka_unit_test(test_cases_that_agree_by_chance_are_no_evidence),
        cmocka_unit_test(test_what_has_no_lists_or_no_times_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

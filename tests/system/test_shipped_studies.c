/* test_shipped_studies.c - the studies of configs/studies find what their page says */
#define _GNU_SOURCE
#include "studies.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>

#define FOLDER TENON_SOURCE_DIR "/configs/studies"

static void all_are_right(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(FOLDER "/*_study.toml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 7);
    const char *const page = tn_read(FOLDER "/README.md");
    for (size_t k = 0; k < found.gl_pathc; k++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS("study", found.gl_pathv[k], "--dry"));
        assert_string_equal(outcome.errors, "");
        assert_int_equal(outcome.status, 0);
        tn_check_holds(outcome.output, TN_WORDS("cases"));
        tn_check_holds(page, TN_WORDS(strrchr(found.gl_pathv[k], '/') + 1));
    }
    globfree(&found);
}

/* Carries out one of them; the folder of its results. */
static const char *carry_out(const char *name, const char *option, const char *value)
{
    const char *const results = tn_study_folder_path();
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("study", tn_format(FOLDER "/%s_study.toml", name), "--out", results, option, value));
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    assert_string_equal(
        tn_study_ask(results, "SELECT count(*) FROM wide WHERE status NOT IN ('ok', 'waiting')"), "0");
    return results;
}

static double number(const char *results, const char *sql)
{
    return strtod(tn_study_ask(results, sql), NULL);
}

static void check_near(const char *results, const char *sql, double expected, double tolerance)
{
    const double value = number(results, sql);
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%s: %.9g, not %g", sql, value, expected);
}

/* The cases that are better than all that take less time, by the errors and times that were written; an error below that of the reference
 * counts as this. How many they are depends on the machine: a single one where the most accurate case is the fastest, too. */
static void check_front(const char *results)
{
    static const char made[] =
        "SELECT coalesce(group_concat(\"case\"), '') FROM (SELECT \"case\" FROM answer "
        "WHERE name = 'Pareto front' ORDER BY \"case\")";
    static const char expected[] =
        "WITH one AS (SELECT e.\"case\" AS n, max(e.value, (SELECT value FROM answer WHERE name = "
        "'reference')) AS error, t.value AS effort FROM answer AS e JOIN answer AS t USING (\"case\") "
        "WHERE e.name = 'error' AND t.name = 'effort') "
        "SELECT coalesce(group_concat(n), '') FROM (SELECT n FROM one AS a WHERE NOT EXISTS "
        "(SELECT 1 FROM one AS b WHERE b.error <= a.error AND (b.effort, b.n) < (a.effort, a.n)) ORDER BY n)";
    const char *const front = tn_study_ask(results, made);
    assert_string_not_equal(front, "");
    assert_string_equal(front, tn_study_ask(results, expected));
}

/* Errors fall with the tolerance, whatever the solver; the advice keeps what was asked for. */
static void check_accuracy(const char *name, double accuracy)
{
    const char *const results = carry_out(name, "--quiet", NULL);
    static const char best[] = "SELECT max(y) FROM (SELECT min(value) AS y FROM answer WHERE name = 'error' "
                               "GROUP BY \"case\" / 4)";
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM answer WHERE name = 'error'"), "16");
    check_near(results, best, 0.0, accuracy);
    assert_true(number(results, "SELECT max(value) FROM answer WHERE name = 'error'") > accuracy);
    check_front(results);
    tn_check_holds(tn_read(tn_format("%s/answers.txt", results)),
                   TN_WORDS(tn_format("reaches %g in", accuracy)));
}

static void solvers_of_the_slider_crank_are_compared(void **state)
{
    (void)state;
    check_accuracy("slider_crank", 1e-6);
}

static void solvers_of_andrews_mechanism_are_compared(void **state)
{
    (void)state;
    check_accuracy("andrews", 1e-5);
}

static void bushings_of_a_car_make_it_comfortable(void **state)
{
    (void)state;
    const char *const results = carry_out("engine_mounts", "--only", "0,1,2,3,4,5,998,999");
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "8");
    assert_true(number(results, "SELECT min(comfort) FROM wide") > 0.69);
    assert_true(number(results, "SELECT max(comfort) FROM wide") < 0.88);
    assert_true(number(results, "SELECT max(travel) FROM wide") >
                2.0 * number(results, "SELECT min(travel) FROM wide"));
}

/* The data were made with 87.3 N/m and 3.1 N s/m. */
static void a_damper_is_calibrated(void **state)
{
    (void)state;
    static const double truth[] = {87.3, 3.1};
    const char *const results = carry_out("damper_calibration", "--quiet", NULL);
    for (int k = 0; k < 2; k++) {
        const char *const of =
            tn_format("FROM answer WHERE name = 'calibrated' AND variable = 'parameters.%c'", "kc"[k]);
        assert_true(number(results, tn_format("SELECT low %s", of)) < truth[k]);
        assert_true(number(results, tn_format("SELECT high %s", of)) > truth[k]);
        check_near(results, tn_format("SELECT value %s", of), truth[k], 0.002 * truth[k]);
    }
}

/* With 1 % of the way past the rest: a damping ratio of 0.8261, at the stiffest spring. */
static void a_damper_is_chosen(void **state)
{
    (void)state;
    const char *const results = carry_out("damper_optimum", "--quiet", NULL);
    static const char of[] = "SELECT value FROM answer WHERE name = 'optimum' AND variable = 'parameters.%c'";
    check_near(results, tn_format(of, 'k'), 200.0, 0.5);
    check_near(results, tn_format(of, 'c'), 2.0 * 0.82608 * sqrt(200.0), 0.05);
    const char *const grid = carry_out("damper", "--quiet", NULL);
    assert_string_equal(tn_study_ask(grid, "SELECT count(*) FROM wide WHERE status = 'ok'"), "25");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_right),
                                       cmocka_unit_test(solvers_of_the_slider_crank_are_compared),
                                       cmocka_unit_test(solvers_of_andrews_mechanism_are_compared),
                                       cmocka_unit_test(bushings_of_a_car_make_it_comfortable),
                                       cmocka_unit_test(a_damper_is_calibrated),
                                       cmocka_unit_test(a_damper_is_chosen)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

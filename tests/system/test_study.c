/* test_study.c - studies: statuses of cases, resuming, workers, mistakes in their files */
#define _GNU_SOURCE
#include "studies.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *plugins; /* folder with whims.so */

/* ---- tests --------------------------------------------------------------------------------------------------------- */

static void cases_have_values_and_responses(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    const tn_outcome outcome = tn_study_run(
        STUDY STIFFNESS
        "[[variable]]\nname = 'solver.step'\nvalues = [1e-2, 5e-3]\n" RESPONSE
        "[[response]]\nname = 'end'\nexpression = '2*last(x.x) - first(x.x)'\nunit = 'mm'\n" GRID,
        results, NULL);
    assert_int_equal(outcome.status, 0);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "10");
    assert_string_equal(tn_study_ask(results, "SELECT \"parameters.k\" FROM wide WHERE \"case\" = 2"),
                        "87.5");
    assert_string_equal(tn_study_ask(results, "SELECT unit FROM variable"), "N/m");
    /* the same numbers as those of a run with these values */
    const char *run = tn_study_folder_path();
    assert_int_equal(
        tn_tenon(TN_WORDS("case", results, "3", "--run", "--plugin-path", plugins, "--out", run)).status, 0);
    const tn_csv_table *rows = tn_sensors(run);
    const double end = tn_value_at(rows, "x.x", 1.0);
    const double got = strtod(tn_study_ask(results, "SELECT end FROM wide WHERE \"case\" = 3"), NULL);
    assert_true(fabs(got - 1e3 * (2.0 * end - 1.1)) < 1e-9);
}

static void cases_end_in_every_way_and_harm_no_other(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    const tn_outcome outcome = tn_study_run(
        STUDY "[[variable]]\nname = 'parameters.whim'\nvalues = [0, 1, 2, 3, 4, 5]\n" STIFFNESS RESPONSE
              "[design]\ntype = 'grid'\nlevels = [2]\n"
              "[execute]\ntype = 'local'\nworkers = 3\ntime_limit = '300 [ms]'\nmemory_limit = '2 [GB]'\n",
        results, NULL);
    assert_int_equal(outcome.status, 0);
    const char *const expected[] = {"ok",     "crashed", "timeout", "failed", TN_SANITIZED ? NULL : "memory",
                                    "crashed"};
    for (int k = 0; k < 6; k++)
        if (expected[k])
            assert_string_equal(
                tn_study_ask(
                    results,
                    tn_format("SELECT group_concat(status) FROM wide WHERE \"parameters.whim\" = %d", k)),
                tn_format("%s,%s", expected[k], expected[k]));
    assert_string_equal(
        tn_study_ask(
            results,
            "SELECT count(*) FROM wide WHERE status <> 'ok' AND (reason IS NULL OR peak IS NOT NULL)"),
        "0");
    tn_check_holds(tn_study_ask(results, "SELECT reason FROM wide WHERE \"parameters.whim\" = 1"),
                   TN_WORDS("SIGSEGV", "whims"));
    tn_check_holds(tn_study_ask(results, "SELECT reason FROM wide WHERE \"parameters.whim\" = 2"),
                   TN_WORDS("time_limit"));
    /* none of them runs again, unless that is asked for */
    const char *before = tn_study_table(results);
    (void)tn_study_ask(results, "UPDATE case_ SET started = 0 RETURNING 1");
    assert_int_equal(tn_tenon(TN_WORDS("study", tn_scratch_path("study.toml"), "--plugin-path", plugins,
                                       "--out", results, "--resume"))
                         .status,
                     0);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM case_ WHERE started = 0"), "12");
    assert_int_equal(tn_tenon(TN_WORDS("study", "retry", results, "--plugin-path", plugins)).status, 0);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM case_ WHERE started = 0"), "2");
    assert_string_equal(tn_study_table(results), before);
}

static void workers_that_die_are_replaced(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    const tn_outcome outcome = tn_study_run(
        STUDY "[[variable]]\nname = 'parameters.whim'\nvalues = [0, 6, 0.5]\n" STIFFNESS RESPONSE GRID
              "[execute]\ntype = 'local'\nworkers = 2\n",
        results, NULL);
    assert_int_equal(outcome.status, 1);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'lost'"), "5");
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "10");
    assert_string_equal(
        tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'lost' AND \"parameters.whim\" <> 6"),
        "0");
}

static void any_number_of_workers_gives_the_same_table(void **state)
{
    (void)state;
    const char *first = NULL;
    for (int workers = 1; workers <= 7; workers += workers == 1 ? 1 : 5) {
        const char *results = tn_study_folder_path();
        assert_int_equal(
            tn_study_run(tn_format(STUDY STIFFNESS RESPONSE "[design]\ntype = 'sobol'\ncount = 32\n"
                                                            "[execute]\ntype = 'local'\nworkers = %d\n",
                                   workers),
                         results, NULL)
                .status,
            0);
        const char *table = tn_study_table(results);
        if (first) assert_string_equal(table, first);
        if (!first) first = table;
    }
}

static void killed_studies_go_on(void **state)
{
    (void)state;
    const char *text = STUDY STIFFNESS RESPONSE
        "[design]\ntype = 'sobol'\ncount = 128\n[execute]\ntype = 'local'\nworkers = 2\n";
    const char *undisturbed = tn_study_folder_path(), *results = tn_study_folder_path();
    assert_int_equal(tn_study_run(text, undisturbed, NULL).status, 0);
    for (int k = 0; k < 4; k++) {
        const tn_child child =
            tn_start(TENON_BINARY, TN_WORDS("study", tn_scratch_path("study.toml"), "--plugin-path", plugins,
                                            "--out", results, "--resume"));
        (void)nanosleep(&(struct timespec){0, 60000000L * (k + 1)}, NULL);
        (void)kill(child.process, SIGKILL);
        (void)tn_await(child);
    }
    assert_int_equal(tn_study_run(text, results, TN_WORDS("--resume")).status, 0);
    assert_string_equal(tn_study_table(results), tn_study_table(undisturbed));
}

static void cases_of_another_design_are_known_by_their_sums(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    const char *design = "[design]\ntype = 'grid'\nlevels = [%d]\n";
    assert_int_equal(
        tn_study_run(tn_format("%s%s", STUDY STIFFNESS RESPONSE, tn_format(design, 3)), results, NULL).status,
        0);
    (void)tn_study_ask(results, "UPDATE case_ SET started = 0 RETURNING 1");
    assert_int_equal(tn_study_run(tn_format("%s%s", STUDY STIFFNESS RESPONSE, tn_format(design, 5)), results,
                                  TN_WORDS("--resume"))
                         .status,
                     0);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM case_ WHERE started = 0 AND id >= 0"),
                        "3");
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "5");
    /* results of another model are not mixed with these */
    const tn_outcome other =
        tn_study_run(STUDY STIFFNESS "[[response]]\nname = 'peak'\nexpression = 'min(x.x)'\n" GRID, results,
                     TN_WORDS("--resume"));
    assert_int_equal(other.status, 2);
    tn_check_holds(other.errors, TN_WORDS("results of another study", "--out"));
    const tn_outcome again = tn_study_run(STUDY STIFFNESS RESPONSE GRID, results, NULL);
    assert_int_equal(again.status, 2);
    tn_check_holds(again.errors, TN_WORDS("--resume"));
}

static void a_case_can_be_printed_and_some_run_alone(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    assert_int_equal(tn_study_run(STUDY STIFFNESS RESPONSE GRID, results, TN_WORDS("--only", "1,3")).status,
                     0);
    assert_string_equal(tn_study_ask(results, "SELECT group_concat(\"case\") FROM wide WHERE status = 'ok'"),
                        "1,3");
    const tn_outcome model = tn_tenon(TN_WORDS("case", results, "4", "--plugin-path", plugins));
    assert_int_equal(model.status, 0);
    tn_check_holds(model.output, TN_WORDS("[parameters]", "k = \"200 [N/m]\""));
    const tn_outcome none = tn_tenon(TN_WORDS("case", results, "5", "--plugin-path", plugins));
    assert_int_equal(none.status, 2);
    tn_check_holds(none.errors, TN_WORDS("no case 5"));
}

static void a_response_without_value_is_told(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    assert_int_equal(tn_study_run(STUDY STIFFNESS
                                  "[[response]]\nname = 'when'\nexpression = 'time_of(x.x, 2)'\n" GRID,
                                  results, NULL)
                         .status,
                     0);
    tn_check_holds(tn_study_ask(results, "SELECT reason FROM wide WHERE status = 'failed'"),
                   TN_WORDS("response `when`", "time_of(x.x) has no value"));
}

static void variables_are_distributed_as_they_say(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    const tn_outcome outcome = tn_study_run(
        STUDY
        "seed = 3\n"
        "[[variable]]\nname = 'parameters.k'\nnormal = { mean = '200 [N/m]', deviation = '10 [N/m]' }\n"
        "[[variable]]\nname = 'element.mass.mass'\nlognormal = { mean = '2 [kg]', deviation = '500 [g]' }\n"
        "[[variable]]\nname = 'element.spring.damping'\ntriangular = { low = 0, mode = 0, high = 3 }\n"
        "[[variable]]\nname = 'element.spring.reference_length'\nrange = [1e-3, 1e-1]\nscale = "
        "'log'\n" RESPONSE "[design]\ntype = 'latin_hypercube'\ncount = 200\n",
        results, NULL);
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    static const struct {
        const char *sql;
        double expected, tolerance;
    } checks[] = {{"avg(\"parameters.k\")", 200.0, 0.2},
                  {"avg(\"parameters.k\" * \"parameters.k\") - 40000", 100.0, 90.0},
                  {"avg(\"element.mass.mass\")", 2.0, 0.01},
                  {"avg(\"element.mass.mass\" * \"element.mass.mass\") - 4", 0.25, 0.05},
                  {"avg(\"element.spring.damping\")", 1.0, 0.01},
                  {"avg(ln(\"element.spring.reference_length\"))", -4.60517018, 0.01}};
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        const double got =
            strtod(tn_study_ask(results, tn_format("SELECT %s FROM wide", checks[k].sql)), NULL);
        if (!(fabs(got - checks[k].expected) <= checks[k].tolerance))
            fail_msg("%s is %g", checks[k].sql, got);
    }
}

static void samples_and_measured_data_are_those_of_the_run(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path(), *run = tn_study_folder_path();
    assert_int_equal(tn_tenon(TN_WORDS("run", tn_scratch_path("model.toml"), "--plugin-path", plugins,
                                       "--quiet", "--out", run))
                         .status,
                     0);
    const tn_csv_table *rows = tn_sensors(run);
    const double a = tn_value_at(rows, "x.x", 0.25), b = tn_value_at(rows, "x.x", 0.5);
    (void)tn_write("test.csv",
                   tn_format("time, place, error\n0.25, %.17g, 2\n0.5, %.17g, 4\n", 1e3 * a, 1e3 * b + 1.0));
    const tn_outcome outcome = tn_study_run(
        STUDY
        "[[variable]]\nname = 'parameters.k'\nvalues = ['100 [N/m]', '0.2 [kN/m]']\n"
        "[[response]]\nname = 'misfit'\ndata = 'test.csv'\nsensor = 'x.x'\ncolumn = 'place'\nunit = 'mm'\n"
        "deviation_column = 'error'\n"
        "[[response]]\nname = 'same'\ndata = 'test.csv'\nsensor = 'x.x'\ncolumn = 'place'\nunit = 'mm'\n"
        "deviation = '0.5 [mm]'\n"
        "[[response]]\nname = 'path'\nsensor = 'x.x'\ntimes = [0.25, '500 [ms]']\nunit = 'mm'\n"
        "[design]\ntype = 'list'\n[execute]\ntype = 'local'\nkeep = 'all'\n",
        results, NULL);
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    const struct {
        const char *column;
        double expected;
    } checks[] = {{"misfit[0]", 0.0},
                  {"misfit[1]", -0.25},
                  {"same[1]", -2.0},
                  {"path[0]", 1e3 * a},
                  {"path[1]", 1e3 * b}};
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        const double got = strtod(
            tn_study_ask(results, tn_format("SELECT \"%s\" FROM wide WHERE \"case\" = 0", checks[k].column)),
            NULL);
        if (!(fabs(got - checks[k].expected) < 1e-8)) fail_msg("%s is %.17g", checks[k].column, got);
    }
    assert_string_equal(tn_study_ask(results, "SELECT \"parameters.k\" FROM wide WHERE \"case\" = 1"),
                        "200.0");
    /* the runs are kept */
    assert_string_equal(tn_study_ask(results, "SELECT group_concat(path) FROM file"), "cases/0,cases/1");
    assert_true(tn_value_at(tn_sensors(tn_format("%s/cases/0", results)), "x.x", 0.25) == a);
}

static void warnings_of_runs_stay_with_their_cases(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    (void)tn_write("plain.toml",
                   "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
                   "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n"
                   "stiffness = 100\n[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
                   "[solver]\ntype = 'rk'\nend_time = 10\nstep = 1e-2\n");
    const tn_outcome outcome = tn_study_run(
        "[study]\nmodel = 'plain.toml'\n"
        "[[variable]]\nname = 'solver'\nvalues = [{ step = 1e-2 }, { step = 0.2, end_time = 9 }]\n" RESPONSE
            GRID,
        results, NULL);
    assert_int_equal(outcome.status, 0);
    assert_string_equal(tn_study_ask(results, "SELECT group_concat(status) FROM wide"), "ok,ok");
    assert_string_equal(tn_study_ask(results, "SELECT reason FROM wide WHERE \"case\" = 0"), "");
    tn_check_holds(tn_study_ask(results, "SELECT reason FROM wide WHERE \"case\" = 1"),
                   TN_WORDS("warning: ", "do not trust its results"));
    tn_check_holds(outcome.output, TN_WORDS("1 ok", "first 1: warning: the run has"));
}

/* A study with all its files in one folder, and results below it: the names of three of them. */
static const char *const moved_study = "[study]\nmodel = 'models/spring.toml'\n"
                                       "[[variable]]\nname = 'element.mass.mass'\ntable = 'masses.csv:m'\n"
                                       "[[response]]\nname = 'misfit'\ndata = 'models/test.csv'\nsensor = "
                                       "'x.x'\n[design]\ntype = 'list'\n";

static tn_outcome study_at(const char *place, const char *option)
{
    return tn_tenon(TN_WORDS("study", tn_format("%s/study.toml", place), "--out",
                             tn_format("%s/results", place), option));
}

static void results_of_a_folder_that_has_moved_are_known(void **state)
{
    (void)state;
    const char *const place = tn_scratch_path("before"), *const other = tn_scratch_path("behind");
    assert_int_equal(mkdir(place, 0777), 0);
    assert_int_equal(mkdir(tn_format("%s/models", place), 0777), 0);
    (void)tn_write("before/study.toml", moved_study);
    (void)tn_write("before/masses.csv", "m\n1\n2\n");
    (void)tn_write("before/models/test.csv", "time,x.x\n0.25,1\n0.5,1.1\n");
    (void)tn_write("before/models/push.csv", "0,0\n1,1\n2,2\n");
    (void)tn_write("before/models/spring.toml",
                   "[[signal]]\nname = 'push'\nfile = 'push.csv'\n"
                   "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\n"
                   "[[element]]\nname = 'hand'\ntype = 'force'\nmarkers = 'mass'\n"
                   "value = ['spline(push, time)', 0, 0]\n"
                   "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
                   "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-2\n");
    const tn_outcome outcome = study_at(place, "--quiet");
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    assert_int_equal(rename(place, other), 0);
    const char *const results = tn_format("%s/results", other);
    (void)tn_study_ask(results, "UPDATE case_ SET started = 0 RETURNING 1");
    /* from its own file, and from the copy among the results */
    assert_int_equal(study_at(other, "--resume").status, 0);
    assert_int_equal(tn_tenon(TN_WORDS("study", "retry", results)).status, 0);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "2");
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM case_ WHERE started = 0"), "2");
    tn_check_holds(tn_tenon(TN_WORDS("case", results, "1")).output, TN_WORDS("mass = 2"));
    /* what stands in a file counts */
    (void)tn_write("behind/models/push.csv", "0,0\n1,2\n2,2\n");
    tn_check_holds(study_at(other, "--resume").errors, TN_WORDS("results of another study"));
}

static void an_interrupt_ends_a_study_that_can_go_on(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    const char *text = STUDY STIFFNESS RESPONSE
        "[design]\ntype = 'sobol'\ncount = 8\n[execute]\ntype = 'local'\nworkers = 1\n";
    const char *const file =
        tn_write("slow.toml", tn_format("%s[[variable]]\nname = 'solver.step'\nvalues = [2e-6]\n", text));
    const tn_child child =
        tn_start(TENON_BINARY, TN_WORDS("study", file, "--plugin-path", plugins, "--out", results));
    while (access(tn_format("%s/lines", results), F_OK) != 0 ||
           access(tn_format("%s/jobs/0/batch", results), F_OK) != 0)
        (void)nanosleep(&(struct timespec){0, 1000000L}, NULL);
    (void)nanosleep(&(struct timespec){0, 200000000L}, NULL);
    /* nobody else works in the folder meanwhile */
    const tn_outcome second =
        tn_tenon(TN_WORDS("study", file, "--plugin-path", plugins, "--out", results, "--resume"));
    assert_int_equal(second.status, 2);
    tn_check_holds(second.errors, TN_WORDS("another process"));
    (void)kill(child.process, SIGINT);
    const tn_outcome outcome = tn_await(child);
    assert_int_equal(outcome.status, 128 + SIGINT);
    tn_check_holds(outcome.errors, TN_WORDS("--resume"));
    const tn_outcome told = tn_tenon(TN_WORDS("study", "status", results));
    assert_int_equal(told.status, 0);
    tn_check_holds(told.output, TN_WORDS("waiting"));
    assert_int_equal(
        tn_tenon(TN_WORDS("study", file, "--plugin-path", plugins, "--out", results, "--resume")).status, 0);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "8");
}

static int open_tests(void **state)
{
    const int status = tn_study_open_tests(state);
    plugins = tn_scratch_path(".");
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cases_have_values_and_responses),
                                       cmocka_unit_test(cases_end_in_every_way_and_harm_no_other),
                                       cmocka_unit_test(workers_that_die_are_replaced),
                                       cmocka_unit_test(any_number_of_workers_gives_the_same_table),
                                       cmocka_unit_test(killed_studies_go_on),
                                       cmocka_unit_test(cases_of_another_design_are_known_by_their_sums),
                                       cmocka_unit_test(a_case_can_be_printed_and_some_run_alone),
                                       cmocka_unit_test(a_response_without_value_is_told),
                                       cmocka_unit_test(variables_are_distributed_as_they_say),
                                       cmocka_unit_test(samples_and_measured_data_are_those_of_the_run),
                                       cmocka_unit_test(warnings_of_runs_stay_with_their_cases),
                                       cmocka_unit_test(results_of_a_folder_that_has_moved_are_known),
                                       cmocka_unit_test(an_interrupt_ends_a_study_that_can_go_on)};
    return cmocka_run_group_tests(tests, open_tests, tn_scratch_close);
}

/* test_failures.c - a run that fails or is stopped says why, and keeps what it has */
#define _GNU_SOURCE
#include "harness.h"

#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MASS(position) "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = " position "\n"
#define SPRING(stiffness)                                                                                  \
    "[[element]]\nname = 'tie'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nreference_length = " \
    "1\n"                                                                                                  \
    "stiffness = " stiffness "\n"
#define SENSOR "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"

/* The table has whole rows only; tn_sensors() fails for any other one. */
static const tn_csv_table *check_whole_rows(const char *results)
{
    const char *text = tn_read(tn_format("%s/sensors.csv", results));
    assert_true(text[0] && text[strlen(text) - 1] == '\n');
    return tn_sensors(results);
}

/* Runs a model that must fail, with words of the message; its results. */
static const char *check_failure(const char *model, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--quiet", "--out", results));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, words);
    /* one line, which reads well */
    assert_ptr_equal(strchr(outcome.errors, '\n'), outcome.errors + strlen(outcome.errors) - 1);
    assert_null(strstr(outcome.errors, ".;"));
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    tn_check_holds(tn_run_text(results, "run.reason"), words);
    return results;
}

static void test_spring_without_length_at_the_start(void **state)
{
    (void)state;
    static const char *const solvers[] = {"rk", "generalized_alpha"};
    for (int k = 0; k < 2; k++) {
        const char *results = check_failure(
            tn_format(MASS("[0, 0, 0]") SPRING("100") SENSOR
                      "[solver]\ntype = '%s'\nend_time = 1\nstep = 0.01\n",
                      solvers[k]),
            TN_WORDS("spring_damper `tie`", "model.toml:6:1", "at time 0 s", "points coincide"));
        assert_int_equal(check_whole_rows(results)->rows, 0);
    }
}

/* Among many springs the one that refuses is named, whatever other types the model has. */
static void test_the_right_element_is_named(void **state)
{
    (void)state;
    (void)check_failure(
        MASS("[1, 0, 0]") SPRING(
            "100") "[[repeat]]\ncount = 5\n[[repeat.element]]\n"
                   "name = 'm{i}'\ntype = 'mass_point'\nmass = 1\nposition = ['3 - i', 0, 0]\n"
                   "[[repeat.element]]\nname = 's{i}'\ntype = 'spring_damper'\n"
                   "markers = ['ground', 'm{i}']\nstiffness = 1\n"
                   "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                   "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['body']\nvalue = [1, 0, 0]\n"
                   "[[element]]\nname = 'turn'\ntype = 'torque'\nmarkers = ['body']\nvalue = [1, 0, 0]\n"
                   "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.01\n",
        TN_WORDS("spring_damper `s3`", "points coincide"));
}

/* Far too large a step for this stiffness. */
static void test_a_law_for_other_markers_than_its_ports_take(void **state)
{
    (void)state;
    const char *library = tn_build_test_plugin("misfit");
    for (int count = 1; count <= 2; count++) {
        const char *file = tn_write(
            "model.toml",
            tn_format("[plugins]\nmisfit = '%s'\n" MASS(
                          "[0, 0, 0]") "[[element]]\nname = 'odd'\ntype = 'misfit'\nmarkers = [%s'mass']\n"
                                       "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n",
                      library, count == 1 ? "" : "'ground', "));
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", tn_scratch_path(NULL)));
        assert_int_equal(outcome.status, count == 1 ? 1 : 0);
        if (count == 1)
            tn_check_holds(outcome.errors, TN_WORDS("misfit `odd`", "another number or kind of markers"));
    }
}

static void test_divergence(void **state)
{
    (void)state;
    const char *results = check_failure(
        MASS("[1.1, 0.2, 0]") SPRING("1e12") SENSOR "[solver]\ntype = 'rk'\nend_time = 10\nstep = 0.01\n",
        TN_WORDS("spring_damper `tie`", "model.toml:6:1", "not a finite number", "at time 0.1"));
    assert_true(check_whole_rows(results)->rows > 3);
}

static void test_newton_that_cannot_succeed(void **state)
{
    (void)state;
    const char *results = check_failure(
        MASS("[1.1, 0.2, 0]")
            SPRING("100") "force_function = 'SIGN(100, deltaL - 0.118)'\n" SENSOR
                          "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 0.1\nmin_step = 0.05\n",
        TN_WORDS("mass_point `mass`", "model.toml:1:1", "residual", "halved", "Jacobian"));
    assert_int_equal(check_whole_rows(results)->rows, 1);
}

static void test_directory_that_cannot_be_made(void **state)
{
    (void)state;
    const char *file =
        tn_write("model.toml", MASS("[0, 0, 0]") "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n");
    const char *below = tn_format("%s/results", file);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", below));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS(below, "Not a directory"));
}

static void test_table_that_cannot_be_opened(void **state)
{
    (void)state;
    const char *file =
        tn_write("model.toml", MASS("[0, 0, 0]") "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n");
    assert_int_equal(mkdir(tn_scratch_path("blocked"), 0700), 0);
    assert_int_equal(mkdir(tn_scratch_path("blocked/sensors.csv"), 0700), 0);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", "blocked"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("blocked/sensors.csv is not a file"));
}

/* A limit on the size of files stands in for a full disk: whole rows stay, and the reason is told. */
static void test_disk_that_fills_up(void **state)
{
    (void)state;
    const char *file = tn_write("model.toml", MASS("[1.1, 0, 0]") SPRING("100") SENSOR
                                "[solver]\ntype = 'rk'\nend_time = 100\nstep = 0.01\n");
    const tn_outcome outcome = tn_await(tn_start(
        "sh", TN_WORDS("-c", tn_format("trap '' XFSZ; ulimit -f 8; exec '%s' run '%s' --quiet --out full",
                                       TENON_BINARY, file))));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("full/sensors.csv", "File too large"));
    assert_null(strstr(outcome.errors, "failed unrecoverable"));
    assert_true(check_whole_rows(tn_scratch_path("full"))->rows > 50);
    assert_string_equal(tn_run_text(tn_scratch_path("full"), "run.status"), "failed");
}

/* ---- runs that are stopped ----------------------------------------------------------------------------- */

static const char endless[] = MASS("[1.1, 0, 0]") SPRING("100") SENSOR
    "[solver]\ntype = 'rk'\nend_time = 1e9\nstep = 1e-3\n[output]\ninterval = 0.1\n";

/* Starts it, and signals when it has written some rows. */
static tn_outcome stop(const char *solver, const char *results, int signal)
{
    const char *file = tn_write("model.toml", endless);
    const tn_child child =
        tn_start(TENON_BINARY, TN_WORDS("run", file, "--solver", solver, "--quiet", "--out", results));
    struct stat status = {0};
    for (int tries = 0; tries < 3000 && status.st_size < 1000; tries++) {
        (void)nanosleep(&(struct timespec){0, 10000000}, NULL);
        if (stat(tn_format("%s/sensors.csv", results), &status) != 0) status.st_size = 0;
    }
    assert_int_equal(kill(child.process, signal), 0);
    return tn_await(child);
}

static void check_interruption(const char *solver)
{
    const char *results = tn_scratch_path(NULL);
    assert_int_equal(stop(solver, results, SIGINT).status, 130);
    const tn_csv_table *table = check_whole_rows(results);
    assert_true(table->rows > 10);
    assert_string_equal(tn_run_text(results, "run.status"), "interrupted");
    assert_true(tn_run_number(results, "run.end_time") > tn_csv_value(table, table->rows - 1, 0) - 1e-9);
    assert_true(tn_run_number(results, "run.end_time") < 1e9);
    assert_true(tn_run_number(results, "run.statistics.steps") >= 1000.0);
}

static void test_interrupt(void **state)
{
    (void)state;
    check_interruption("rk");
    check_interruption("generalized_alpha");
}

/* Nothing of an earlier run may vouch for one that was killed. */
static void test_kill(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL), *file = tn_write("short.toml", endless);
    assert_int_equal(
        tn_tenon(TN_WORDS("run", file, "--quiet", "--set", "solver.end_time=1", "--out", results)).status, 0);
    assert_string_equal(tn_run_text(results, "run.status"), "finished");
    assert_int_equal(stop("rk", results, SIGKILL).status, 128 + SIGKILL);
    assert_true(check_whole_rows(results)->rows > 10);
    assert_string_equal(tn_run_text(results, "run.status"), "running");
}

/* A user's function outside its domain: the element, and what went wrong inside the expression. */
static void test_function_without_a_value(void **state)
{
    (void)state;
    const char *file = tn_write("root.toml", "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                                             "position = [1, 0, 0]\nvelocity = [-1, 0, 0]\n"
                                             "[[element]]\nname = 's'\ntype = 'spring_damper'\n"
                                             "markers = ['ground', 'm']\nreference_length = 0.5\n"
                                             "force_function = 'sqrt(deltaL)'\n"
                                             "[solver]\ntype = 'rk'\nstep = 0.01\nend_time = 1\n");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", "root"));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("root.toml:7:1", "`s`", "no value here (SQRT of a negative number)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spring_without_length_at_the_start),
                                       cmocka_unit_test(test_the_right_element_is_named),
                                       cmocka_unit_test(test_a_law_for_other_markers_than_its_ports_take),
                                       cmocka_unit_test(test_divergence),
                                       cmocka_unit_test(test_newton_that_cannot_succeed),
                                       cmocka_unit_test(test_directory_that_cannot_be_made),
                                       cmocka_unit_test(test_table_that_cannot_be_opened),
                                       cmocka_unit_test(test_disk_that_fills_up),
                                       cmocka_unit_test(test_interrupt),
                                       cmocka_unit_test(test_function_without_a_value),
                                       cmocka_unit_test(test_kill)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

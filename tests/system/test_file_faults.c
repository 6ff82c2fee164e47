/* test_file_faults.c - where a call fails that has to do with files there are the right results, or the reason; tables have whole
 * rows, run.toml tells what happened, and nothing that was read is touched
 *
 * A library before the C library lets the calls fail, one after the other. */
#define _GNU_SOURCE
#include "harness.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static const char *const inputs[] = {"model.toml", "masses.toml", "hanger.toml", "push.csv"};
static const char *const texts[] = {
    "[include]\nfiles = ['masses.toml']\n"
    "[[part]]\nname = 'left'\nfile = 'hanger.toml'\n"
    "[[signal]]\nname = 'push'\nfile = 'push.csv'\n"
    "[[element]]\nname = 'hand'\ntype = 'force'\nmarkers = 'mass'\nvalue = ['spline(push, time)', 0, 0]\n"
    "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
    "[solver]\ntype = 'rk'\nend_time = 0.01\nstep = '1 [ms]'\n",
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\n",
    "[[element]]\nname = 'weight'\ntype = 'mass_point'\nmass = 1\n", "0,0\n1,1\n2,4\n3,9\n"};
enum { INPUTS = sizeof inputs / sizeof *inputs, KILLED = -1 };

static const char *results, *counted, *right;

static tn_outcome run(size_t failing, int reason, bool all)
{
    (void)setenv("FAILING_CALL", tn_format("%zu", failing), 1);
    (void)setenv("FAILING_REASON", tn_format("%d", reason), 1);
    (void)setenv("FAILING_ON", all ? "1" : "0", 1);
    (void)setenv("COUNTED_CALLS", counted, 1);
    (void)setenv("LD_PRELOAD", getenv("TENON_FAILING_CALL"), 1);
    const tn_child child = tn_start(TENON_BINARY, TN_WORDS("run", "model.toml", "--quiet", "--out", results));
    (void)unsetenv("LD_PRELOAD");
    return tn_await(child);
}

static tn_outcome run_other_tables(const char *to)
{
    return tn_tenon(
        TN_WORDS("run", "model.toml", "--quiet", "--out", to, "--set", "solver.end_time=0.02", "--set",
                 "output.states=true", "--set",
                 tn_has_plugin("report") ? "output.writers=['csv', 'report']" : "output.writers=['csv']"));
}

/* A run with other tables comes first, which has to make way: a copy of one, but for every eighth time, when it makes way for what the run
 * before has left. */
static void run_before(void)
{
    enum { EACH = 8 };
    static const char *before;
    static size_t times;
    if (!before) {
        before = tn_scratch_path("before");
        assert_int_equal(run_other_tables(before).status, 0);
    }
    const char *copy = tn_format("rm -rf '%s' && cp -R '%s' '%s'", results, before, results);
    const tn_outcome outcome = times++ % EACH == EACH - 1 ? run_other_tables(results)
                                                          : tn_await(tn_start("sh", TN_WORDS("-c", copy)));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
}

static const char *read_result(const char *name)
{
    const char *path = tn_format("%s/%s", results, name);
    return access(path, F_OK) == 0 ? tn_read(path) : NULL;
}

/* Whole rows: as much of the table as was written, or that of the run before. */
static void check_rows(const char *errors)
{
    const char *table = read_result("sensors.csv");
    const size_t length = table ? strlen(table) : 0;
    if (length && table[length - 1] != '\n' && !strstr(errors, "may be incomplete"))
        fail_msg("half a row: %s", table);
    if (length && strncmp(table, right, length < strlen(right) ? length : strlen(right)) != 0)
        fail_msg("other rows: %s", table);
}

static void check_failure(tn_outcome outcome, bool all)
{
    if (outcome.status > 2) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    if (!outcome.errors[0]) fail_msg("no reason");
    check_rows(outcome.errors);
    if (all || !read_result("run.toml")) return; /* nothing could be told any more */
    const char *status = tn_run_text(results, "run.status");
    const bool before = tn_run_number(results, "solver.end_time") == 0.02;
    const bool finished = before || strstr(outcome.errors, "standard output cannot be written");
    if (strcmp(status, finished ? "finished" : "failed") != 0)
        fail_msg("run.toml: %s, but %s", status, outcome.errors);
    if (before && !read_result("states.csv")) fail_msg("run.toml tells of tables that are gone");
}

static void check_call(size_t failing, int reason, bool all)
{
    run_before();
    const tn_outcome outcome = run(failing, reason, all);
    for (int k = 0; k < INPUTS; k++)
        assert_string_equal(tn_read(tn_scratch_path(inputs[k])), texts[k]);
    if (outcome.status == 0) {
        assert_string_equal(read_result("sensors.csv"), right);
        assert_string_equal(tn_run_text(results, "run.status"), "finished");
        assert_null(read_result("states.csv"));
    } else {
        check_failure(outcome, all);
    }
    if (!all) assert_null(read_result(".run.toml.part"));
    if (reason == EINTR && outcome.status != 0) fail_msg("interrupted: %s", outcome.errors);
}

/* Calls of a run without faults; it gives the right rows. */
static size_t count_calls(void)
{
    for (int k = 0; k < INPUTS; k++)
        (void)tn_write(inputs[k], texts[k]);
    results = tn_scratch_path(NULL);
    counted = tn_scratch_path("counted");
    run_before();
    const tn_outcome outcome = run(0, 0, false);
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    right = read_result("sensors.csv");
    const size_t count = strtoull(tn_read(counted), NULL, 10);
    assert_true(count > 50);
    return count;
}

static void check_calls(int reason, bool all)
{
    if (TN_SANITIZED || !getenv("TENON_FAILING_CALL")) skip(); /* the sanitizer has such calls of its own */
    const size_t count = count_calls();
    for (size_t k = 1; k <= count; k++)
        check_call(k, reason, all);
}

static void test_input_output_error(void **state)
{
    (void)state;
    check_calls(EIO, false);
}

/* Whatever is interrupted by a signal is done again. */
static void test_interrupted_call(void **state)
{
    (void)state;
    check_calls(EINTR, false);
}

static void test_disk_that_is_gone(void **state)
{
    (void)state;
    check_calls(EIO, true);
}

/* All that a run with other tables and files has left, or any part of it, makes way for the next one. */
static void test_killed_runs_leave_nothing_that_a_later_one_does_not_replace(void **state)
{
    (void)state;
    if (TN_SANITIZED || !getenv("TENON_FAILING_CALL")) skip();
    const size_t count = count_calls();
    size_t killed = 0;
    for (size_t k = 1; k <= count; k++) {
        run_before();
        killed += run(k, KILLED, false).status == 128 + SIGKILL;
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", "model.toml", "--quiet", "--out", results));
        if (outcome.status != 0) fail_msg("after a kill at call %zu: %s", k, outcome.errors);
        assert_string_equal(read_result("sensors.csv"), right);
        assert_null(read_result("states.csv"));
        assert_null(read_result("report.html"));
        assert_null(read_result(".run.toml.part"));
    }
    assert_true(killed > 50); /* the last calls are those of a run that has ended */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_input_output_error), cmocka_unit_test(test_interrupted_call),
        cmocka_unit_test(test_disk_that_is_gone),
        cmocka_unit_test(test_killed_runs_leave_nothing_that_a_later_one_does_not_replace)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

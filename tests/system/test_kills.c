/* test_kills.c - runs that are killed at any time: whole rows, a run.toml that is true, and models as they were
 *
 * tests/soak has the same with 200 kills by each signal. */
#define _GNU_SOURCE
#include "recordings.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char model[] =
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 100\n"
    "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
    "[solver]\ntype = 'rk'\nend_time = 20\nstep = 1e-3\n";

enum { KILLS = 10 };

static const char *results;
static tn_random dice = {7};

static tn_child start(void)
{
    return tn_start(TENON_BINARY, TN_WORDS("run", "model.toml", "--quiet", "--out", results));
}

static void wait_for(double seconds) { (void)nanosleep(&(struct timespec){0, (long)(1e9 * seconds)}, NULL); }

/* The table holds the beginning of the right one, up to the end of some row. Linux lets SIGKILL end a write between two
 * pages. */
static void check_rows(int signal, const char *right)
{
    const char *path = tn_format("%s/sensors.csv", results);
    const char *table = access(path, F_OK) == 0 ? tn_read(path) : "";
    const size_t length = strlen(table);
    const bool cut = signal == SIGKILL && length % (size_t)sysconf(_SC_PAGESIZE) == 0;
    assert_true(length == 0 || table[length - 1] == '\n' || cut);
    assert_int_equal(strncmp(table, right, length), 0);
}

static void check_kill(int signal, double after, const char *right)
{
    const tn_child child = start();
    while (access(child.errors, F_OK) != 0) /* until then it is this program */
        wait_for(1e-4);
    wait_for(after);
    (void)kill(child.process, signal);
    const tn_outcome outcome = tn_await(child);
    check_rows(signal, right);
    assert_string_equal(tn_read(tn_scratch_path("model.toml")), model);

    /* the signal came before the run had begun, or it ended as the status says */
    const char *status = tn_run_text(results, "run.status");
    if (outcome.status == 0)
        assert_string_equal(status, "finished");
    else if (signal == SIGKILL)
        assert_true(strcmp(status, "running") == 0 || strcmp(status, "finished") == 0);
    else if (outcome.status == 128 + signal)
        assert_true(strcmp(status, "interrupted") == 0 || strcmp(status, "finished") == 0);
    else
        fail_msg("exit %d: %s", outcome.status, outcome.errors);
}

static void check_kills(int signal)
{
    (void)tn_write("model.toml", model);
    results = tn_scratch_path(NULL);
    struct timespec begun, ended;
    (void)clock_gettime(CLOCK_MONOTONIC, &begun);
    assert_int_equal(tn_await(start()).status, 0);
    (void)clock_gettime(CLOCK_MONOTONIC, &ended);
    const double span =
        (double)(ended.tv_sec - begun.tv_sec) + 1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
    const char *right = tn_read(tn_format("%s/sensors.csv", results));
    for (int k = 0; k < KILLS; k++) {
        check_kill(signal, tn_draw(&dice, 0.0, span < 0.9 ? span : 0.9), right);
        /* the next one begins with the results of a whole run, or of a killed one */
        if (k % 2) assert_int_equal(tn_await(start()).status, 0);
    }
}

static void test_terminate(void **state)
{
    (void)state;
    check_kills(SIGTERM);
}

static void test_hang_up(void **state)
{
    (void)state;
    check_kills(SIGHUP);
}

static void test_kill(void **state)
{
    (void)state;
    check_kills(SIGKILL);
}

static void test_pipe(void **state)
{
    (void)state;
    check_kills(SIGPIPE);
}

/* ---- signals with a meaning ------------------------------------------------------------------------------ */

/* Starts an endless run by a shell command with `%s` for the program, signals once it has rows, and waits. It has one for each step:
 * without an interval there would be one in 1e5 s. */
static tn_outcome interrupt_endless(const char *command, int signal)
{
    (void)tn_write("endless.toml", model);
    results = tn_scratch_path(NULL);
    const char *run = tn_format(
        "'%s' run endless.toml --quiet --set solver.end_time=%s --set output.interval=1e-3 --out %s",
        TENON_BINARY, signal == SIGHUP ? "200" : "1e9", results);
    const tn_child child = tn_start("sh", TN_WORDS("-c", tn_format("%s exec %s", command, run)));
    struct stat status = {0};
    for (int tries = 0; tries < 3000 && status.st_size < 1000; tries++) {
        wait_for(0.01);
        if (stat(tn_format("%s/sensors.csv", results), &status) != 0) status.st_size = 0;
    }
    assert_true(status.st_size >= 1000);
    assert_int_equal(kill(child.process, signal), 0);
    return tn_await(child);
}

static void test_interruptions_have_their_own_exit_status(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(interrupt_endless("", signals[k]).status, 128 + signals[k]);
        assert_string_equal(tn_run_text(results, "run.status"), "interrupted");
        assert_true(tn_run_number(results, "run.statistics.steps") > 10.0);
    }
}

/* As nohup does it. */
static void test_ignored_signal_stays_ignored(void **state)
{
    (void)state;
    assert_int_equal(interrupt_endless("trap '' HUP;", SIGHUP).status, 0);
    assert_string_equal(tn_run_text(results, "run.status"), "finished");
}

/* The step in hand never ends: the first signal waits for it, the second does not. */
static void test_second_signal_in_a_step_without_end(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    const tn_child child =
        tn_start_with_code("stuck", "#include <fcntl.h>\n#include <poll.h>\n",
                           "    if (tn_value(tn_time(context)) > 0.05) {\n"
                           "        (void)creat(\"is_stuck\", 0600);\n        " TN_ENDLESS_LOOP "\n    }",
                           0.01, results);
    const char *told = tn_scratch_path("is_stuck");
    for (int tries = 0; tries < 3000 && access(told, F_OK) != 0; tries++)
        wait_for(0.01);
    assert_int_equal(access(told, F_OK), 0);
    assert_int_equal(kill(child.process, SIGTERM), 0);
    wait_for(0.05);
    assert_int_equal(kill(child.process, SIGTERM), 0);
    assert_int_equal(tn_await(child).status, 128 + SIGTERM);
    assert_string_equal(tn_run_text(results, "run.status"), "interrupted");
    assert_int_equal(tn_sensors(results)->rows, 6);
    tn_recording *recording = tn_record_open(results);
    assert_int_equal(recording->table[0].rows, 6);
    tn_recording_close(recording);
}

/* ---- streams --------------------------------------------------------------------------------------------- */

/* What is printed goes nowhere else. */
static void test_closed_streams(void **state)
{
    (void)state;
    (void)tn_write("warning.toml", "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                                   "[[sensor]]\nname = 'bad'\nexpression = 'SQRT(DX(m) - time)'\n"
                                   "[solver]\ntype = 'rk'\nend_time = 0.01\nstep = 0.001\n");
    static const char *const closed[] = {"2>&-", "<&- 2>&-", "<&- >/dev/null 2>&-", "<&- >&- 2>&-"};
    for (int k = 0; k < 4; k++) {
        results = tn_scratch_path(NULL);
        const tn_outcome outcome =
            tn_await(tn_start("sh", TN_WORDS("-c", tn_format("'%s' run warning.toml --quiet --out %s %s",
                                                             TENON_BINARY, results, closed[k]))));
        assert_int_equal(outcome.status, 0);
        assert_int_equal(tn_sensors(results)->rows, 11);
        assert_null(strstr(tn_read(tn_format("%s/sensors.csv", results)), "SQRT"));
    }
    const tn_outcome unheard =
        tn_await(tn_start("sh", TN_WORDS("-c", tn_format("'%s' plugins >&-", TENON_BINARY))));
    assert_int_equal(unheard.status, 1);
    tn_check_holds(unheard.errors, TN_WORDS("standard output cannot be written"));
}

static void test_what_cannot_be_printed_is_a_failure(void **state)
{
    (void)state;
    static const char *const words[] = {"--help", "--version", "run --help", "schema", "describe force"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const tn_outcome outcome =
            tn_await(tn_start("sh", TN_WORDS("-c", tn_format("'%s' %s >/dev/full", TENON_BINARY, words[k]))));
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors,
                       TN_WORDS("standard output cannot be written: No space left on device"));
    }
}

static void test_reader_that_has_gone(void **state)
{
    (void)state;
    const tn_outcome outcome = tn_await(
        tn_start("sh", TN_WORDS("-c", tn_format("{ sleep 0.3; '%s' schema; echo \"status $?\" >&2; } | true",
                                                TENON_BINARY))));
    tn_check_holds(outcome.errors, TN_WORDS("standard output cannot be written: Broken pipe", "status 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminate),
        cmocka_unit_test(test_hang_up),
        cmocka_unit_test(test_kill),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_interruptions_have_their_own_exit_status),
        cmocka_unit_test(test_ignored_signal_stays_ignored),
        cmocka_unit_test(test_second_signal_in_a_step_without_end),
        cmocka_unit_test(test_closed_streams),
        cmocka_unit_test(test_what_cannot_be_printed_is_a_failure),
        cmocka_unit_test(test_reader_that_has_gone),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_study_mpi.c - studies on the ranks of an MPI job */
#define _GNU_SOURCE
#include "slow_studies.h"

#include <signal.h>

#define MPI "[execute]\ntype = 'mpi'\nworkers = 2\nextra = ['--oversubscribe']\n"

/* Where there is no MPI the test is skipped, with its reason. */
static void need_mpi(void)
{
    tn_need_plugin("mpi");
    const tn_outcome there = tn_await(tn_start("/bin/sh", TN_WORDS("-c", "command -v mpirun")));
    if (there.status == 0) return;
    print_message("mpirun is not found: install openmpi-bin\n");
    if (getenv("TENON_NO_SKIPS")) fail_msg("there is no mpirun");
    skip();
}

static int open_mpi(void **state)
{
    const int status = tn_study_open_tests(state);
    return status || setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1) ||
           setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1) ||
           /* the folder for its sockets has a long name otherwise */
           setenv("TMPDIR", "/tmp", 1) ||
           /* Open MPI leaves memory */
           setenv("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1", 1);
}

static void ranks_of_mpi_give_the_same_table(void **state)
{
    (void)state;
    need_mpi();
    const char *results = tn_study_folder_path();
    const tn_outcome outcome = tn_study_run(TN_STUDY_CASES MPI, results, NULL);
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    assert_string_equal(tn_study_table(results), tn_study_reference());
    const tn_outcome left = tn_await(tn_start("/bin/ls", TN_WORDS(tn_format("%s/jobs", results))));
    assert_string_equal(left.output, "");
}

static void cases_end_in_every_way_in_ranks_too(void **state)
{
    (void)state;
    need_mpi();
    const char *const executors[] = {"[execute]\ntype = 'local'\ntime_limit = 0.3\n",
                                     MPI "time_limit = 0.3\n"};
    const char *table[2], *results = NULL;
    for (int k = 0; k < 2; k++) {
        results = tn_study_folder_path();
        assert_int_equal(
            tn_study_run(tn_format(STUDY "[[variable]]\nname = 'parameters.whim'\nvalues = [0, 1, 2, 3, 5]\n"
                                         "%s[design]\ntype = 'list'\n%s",
                                   RESPONSE, executors[k]),
                         results, NULL)
                .status,
            0);
        table[k] = tn_study_table(results);
    }
    assert_string_equal(table[1], table[0]);
    assert_string_equal(tn_study_ask(results, "SELECT group_concat(status) FROM wide"),
                        "ok,crashed,timeout,failed,crashed");
}

static void a_rank_that_dies_loses_what_was_at_work(void **state)
{
    (void)state;
    need_mpi();
    const char *results = tn_study_folder_path();
    const tn_outcome outcome = tn_study_run(
        STUDY "[[variable]]\nname = 'parameters.whim'\nvalues = [0, 0.5, 0, 6, 0, 0, 0, 0]\n" RESPONSE
              "[design]\ntype = 'list'\n" MPI,
        results, NULL);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("lost with their workers, and are run once more"));
    assert_string_equal(tn_study_ask(results, "SELECT group_concat(status) FROM wide"),
                        "ok,ok,ok,lost,ok,ok,ok,ok");
}

/* A launcher that hangs when a rank has died does not say that it does; here it is stopped. */
static void a_launcher_that_hangs_is_ended(void **state)
{
    (void)state;
    need_mpi();
    const char *results = tn_study_folder_path();
    const tn_child child =
        tn_study_start(TENON_BINARY, results, MPI "silence = 1\nstart_limit = 20\ntime_limit = 10\n", 3e-6);
    tn_study_await(results, 2);
    const tn_outcome launcher =
        tn_await(tn_start("/usr/bin/pgrep", TN_WORDS("-P", tn_format("%d", (int)child.process))));
    const pid_t process = (pid_t)atoi(launcher.output);
    assert_true(process > 1);
    assert_int_equal(kill(process, SIGSTOP), 0);
    const tn_outcome outcome = tn_await(child);
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors,
                   TN_WORDS("rank 0 of `mpirun` has said nothing for 1 s, the setting `silence`"));
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM case_ WHERE status = 'ok'"), "32");
}

static void ranks_end_with_their_driver(void **state)
{
    (void)state;
    need_mpi();
    tn_study_check_end(MPI, SIGKILL);
    tn_study_check_end(MPI, SIGINT);
}

static void mistakes_with_mpi_are_told(void **state)
{
    (void)state;
    need_mpi();
    const tn_outcome missing =
        tn_study_run(TN_STUDY_CASES MPI "launcher = 'mpirum'\n", tn_study_folder_path(), NULL);
    assert_int_equal(missing.status, 2);
    tn_check_holds(missing.errors, TN_WORDS("study.toml:14:8", "`mpirum` is not found in PATH"));
    const tn_outcome silent = tn_study_run(
        TN_STUDY_CASES
        "[execute]\ntype = 'mpi'\nstart_limit = 1\nlauncher = 'sh'\nextra = ['-c', 'exec sleep 60']\n",
        tn_study_folder_path(), NULL);
    assert_int_equal(silent.status, 1);
    tn_check_holds(silent.errors, TN_WORDS("rank 0 of `sh` has said nothing for 1 s, the setting "
                                           "`start_limit`",
                                           "the ranks of `sh` end and have not worked"));
    const tn_outcome wrong =
        tn_study_run(TN_STUDY_CASES "[execute]\ntype = 'mpi'\nextra = ['--no-such-option']\n",
                     tn_study_folder_path(), NULL);
    assert_int_equal(wrong.status, 1);
    tn_check_holds(wrong.errors, TN_WORDS("the ranks of `mpirun` end and have not worked", "no-such-option"));
    const tn_outcome alone = tn_study_run(TN_STUDY_CASES "[execute]\ntype = 'mpi'\nextra = ['-n', '1']\n",
                                          tn_study_folder_path(), NULL);
    assert_int_equal(alone.status, 1);
    tn_check_holds(alone.errors, TN_WORDS("the MPI job has one rank"));
}

static void a_model_that_changes_meanwhile_ends_the_study(void **state)
{
    (void)state;
    need_mpi();
    tn_study_check_change(MPI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_of_mpi_give_the_same_table),
                                       cmocka_unit_test(cases_end_in_every_way_in_ranks_too),
                                       cmocka_unit_test(a_rank_that_dies_loses_what_was_at_work),
                                       cmocka_unit_test(a_launcher_that_hangs_is_ended),
                                       cmocka_unit_test(ranks_end_with_their_driver),
                                       cmocka_unit_test(mistakes_with_mpi_are_told),
                                       cmocka_unit_test(a_model_that_changes_meanwhile_ends_the_study)};
    return cmocka_run_group_tests(tests, open_mpi, tn_scratch_close);
}

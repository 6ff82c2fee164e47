/* test_executors.c - executors of studies: the same table from all of them, lost tasks, interrupts, programs that are not there */
#define _GNU_SOURCE
#include "studies.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CASES TN_STUDY TN_STUDY_STIFFNESS TN_STUDY_RESPONSE "[design]\ntype = 'sobol'\ncount = 32\n"

static const char *reference; /* the table of CASES, by the executor `local` */

static const char *folder(void) { return tn_scratch_path(NULL); }

static int open_tests(void **state)
{
    const int status = tn_studies_open(state);
    if (status != 0) return status;
    const char *results = folder();
    assert_int_equal(tn_study_of(CASES, results, NULL).status, 0);
    reference = tn_study_table(results);
    return 0;
}

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

/* ---- Slurm, by programs that stand in for it (fake_slurm) --------------------------------------------------------------- */

static const char *jobs; /* folder with what they were given: words of job 1 in 1.words, .. */

#define SLURM "[execute]\ntype = 'slurm'\npoll = 0.1\npatience = 0\n"

static int open_slurm(void **state)
{
    (void)state;
    jobs = folder();
    return setenv("PATH", tn_format(TENON_SOURCE_DIR "/tests/system/fake_slurm:%s", getenv("PATH")), 1) ||
           mkdir(jobs, 0777) || setenv("FAKE_SLURM", jobs, 1);
}

static int close_slurm(void **state)
{
    static const char *const faults[] = {"FAKE_REFUSES", "FAKE_DEAD",   "FAKE_DEAD_JOB",
                                         "FAKE_BROKEN",  "FAKE_SILENT", "FAKE_LARGEST"};
    (void)state;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        (void)unsetenv(faults[k]);
    return setenv("PATH", strchr(getenv("PATH"), ':') + 1, 1);
}

static const char *words_of(int job) { return tn_read(tn_format("%s/%d.words", jobs, job)); }

static void arrays_of_slurm_give_the_same_table(void **state)
{
    (void)state;
    const char *results = folder();
    (void)setenv("FAKE_LARGEST", "8", 1);
    const tn_outcome outcome = tn_study_of(
        CASES SLURM "chunk = 1e-6\nlimit = 3\npartition = 'night'\naccount = 'wheels'\ntime = '90 [s]'\n"
                    "extra = [\"--comment=it's $HOME; \\\"so\\\"\", '--qos=short']\n",
        results, NULL);
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    assert_string_equal(tn_study_table(results), reference);
    /* a pilot, then not more tasks than the cluster takes: 4 cases each of the 28 that are left */
    tn_check_holds(words_of(1), TN_WORDS("--parsable", "--array=0-3%3"));
    tn_check_holds(words_of(2), TN_WORDS("--array=0-6%3", "--partition=night", "--account=wheels",
                                         "--time=1:30", "--comment=it's $HOME; \"so\"", "--qos=short"));
    assert_false(is_there(tn_format("%s/3.words", jobs)));
    /* nothing is left of the batch, and workers have names of nodes */
    assert_false(is_there(tn_format("%s/jobs/0", results)));
    const tn_outcome lines = tn_await(tn_start("/bin/ls", TN_WORDS(tn_format("%s/lines", results))));
    tn_check_holds(lines.output, TN_WORDS("0.t0-here-", "0.t6-here-"));
}

static void tasks_last_as_long_as_wanted(void **state)
{
    (void)state;
    const char *results = folder();
    assert_int_equal(tn_study_of(CASES SLURM "chunk = '1 [h]'\n", results, NULL).status, 0);
    assert_string_equal(tn_study_table(results), reference);
    tn_check_holds(words_of(2), TN_WORDS("--array=0-0\n"));
}

static void lost_tasks_of_slurm_run_again(void **state)
{
    (void)state;
    const char *results = folder();
    (void)setenv("FAKE_DEAD", "5", 1);
    (void)setenv("FAKE_DEAD_JOB", "2", 1);
    (void)setenv("FAKE_SILENT", "1", 1); /* that the queue does not answer means nothing */
    const tn_outcome outcome = tn_study_of(CASES SLURM "tasks = 14\nchunk = 1e-6\n", results, NULL);
    tn_check_holds(outcome.errors, TN_WORDS("2 cases were lost with their workers, and are run once more"));
    assert_int_equal(outcome.status, 0);
    assert_string_equal(tn_study_table(results), reference);
    tn_check_holds(words_of(3), TN_WORDS("--array=0-1\n"));
    /* not for ever */
    (void)setenv("FAKE_DEAD_JOB", "4", 1);
    const char *other = folder();
    const tn_outcome lost = tn_study_of(
        CASES "[execute]\ntype = 'slurm'\npoll = 0.1\npatience = 0\npilot = 32\nretries = 0\n", other, NULL);
    assert_int_equal(lost.status, 1);
    assert_string_equal(tn_study_ask(other, "SELECT count(*) FROM wide WHERE status = 'lost'"), "1");
}

static void mistakes_with_slurm_are_told(void **state)
{
    (void)state;
    (void)setenv("FAKE_REFUSES", "Batch job submission failed: Invalid account", 1);
    const tn_outcome refused = tn_study_of(CASES SLURM, folder(), NULL);
    assert_int_equal(refused.status, 1);
    tn_check_holds(refused.errors, TN_WORDS("`sbatch` has refused a job", "Invalid account"));
    (void)unsetenv("FAKE_REFUSES");
    /* every node lacks something */
    (void)setenv("FAKE_BROKEN", "tenon: cannot open libudunits2.so.0", 1);
    const tn_outcome broken = tn_study_of(CASES SLURM, folder(), NULL);
    assert_int_equal(broken.status, 1);
    tn_check_holds(broken.errors,
                   TN_WORDS("no task of job 1 has begun to work: tenon: cannot open libudunits2.so.0"));
    (void)unsetenv("FAKE_BROKEN");
    char *path = strdup(getenv("PATH"));
    (void)setenv("PATH", "/nowhere", 1);
    const tn_outcome missing = tn_study_of(CASES SLURM, folder(), NULL);
    (void)setenv("PATH", path, 1);
    free(path);
    assert_int_equal(missing.status, 2);
    tn_check_holds(missing.errors, TN_WORDS("study.toml:14:8", "`sbatch` is not found in PATH"));
}

/* A study of seconds that is under way: so many of its cases have a result. */
static tn_child start_slow(const char *results, const char *execute, double step)
{
    const char *const file =
        tn_write("slow.toml",
                 tn_format("%s%s[[variable]]\nname = 'solver.step'\nvalues = [%g]\n", CASES, execute, step));
    return tn_start(TENON_BINARY, TN_WORDS("study", file, "--plugin-path", tn_study_plugins(), "--out",
                                           results, "--resume"));
}

static void wait_for_cases(const char *results, int count)
{
    for (int k = 0; k < 3000; k++) {
        (void)nanosleep(&(struct timespec){0, 20000000L}, NULL);
        if (is_there(tn_format("%s/study.db", results)) &&
            tn_tenon(TN_WORDS("study", "status", results)).status == 0 &&
            atoi(tn_study_ask(results, "SELECT count(*) FROM case_ WHERE status = 'ok'")) >= count)
            return;
    }
    fail_msg("the study does not go on");
}

static void an_interrupt_ends_what_waits_in_the_queue(void **state)
{
    (void)state;
    const char *results = folder();
    const char *execute = SLURM "pilot = 32\ntasks = 8\n";
    const tn_child child = start_slow(results, execute, 2e-5);
    wait_for_cases(results, 2);
    (void)kill(child.process, SIGINT);
    const tn_outcome outcome = tn_await(child);
    assert_int_equal(outcome.status, 128 + SIGINT);
    tn_check_holds(tn_read(tn_format("%s/cancelled.words", jobs)), TN_WORDS("1\n--state=PENDING\n"));
    assert_string_equal(tn_study_ask(results, "SELECT count(*) < 32 FROM case_ WHERE status = 'ok'"), "1");
    assert_false(is_there(tn_format("%s/1.there", jobs)));
    /* a driver that was killed has left its job in the queue: the next one ends that first */
    const tn_child killed = start_slow(results, execute, 2e-5);
    while (!is_there(tn_format("%s/jobs/0/submitted", results)))
        (void)nanosleep(&(struct timespec){0, 10000000L}, NULL);
    (void)kill(killed.process, SIGKILL);
    (void)tn_await(killed);
    assert_int_equal(tn_await(start_slow(results, execute, 2e-5)).status, 0);
    tn_check_holds(tn_read(tn_format("%s/cancelled.words", jobs)), TN_WORDS("PENDING\n2\n"));
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "32");
}

/* ---- MPI ------------------------------------------------------------------------------------------------------------------- */

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
    (void)state;
    return setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1) || setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1) ||
           /* the folder for its sockets has a long name otherwise */
           setenv("TMPDIR", "/tmp", 1);
}

static void ranks_of_mpi_give_the_same_table(void **state)
{
    (void)state;
    need_mpi();
    const char *results = folder();
    const tn_outcome outcome = tn_study_of(CASES MPI, results, NULL);
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    assert_string_equal(tn_study_table(results), reference);
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
        results = folder();
        assert_int_equal(
            tn_study_of(tn_format(TN_STUDY
                                  "[[variable]]\nname = 'parameters.whim'\nvalues = [0, 1, 2, 3, 5]\n"
                                  "%s[design]\ntype = 'list'\n%s",
                                  TN_STUDY_RESPONSE, executors[k]),
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
    const char *results = folder();
    const tn_outcome outcome = tn_study_of(
        TN_STUDY
        "[[variable]]\nname = 'parameters.whim'\nvalues = [0, 0.5, 0, 6, 0, 0, 0, 0]\n" TN_STUDY_RESPONSE
        "[design]\ntype = 'list'\n" MPI,
        results, NULL);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("lost with their workers, and are run once more"));
    assert_string_equal(tn_study_ask(results, "SELECT group_concat(status) FROM wide"),
                        "ok,ok,ok,lost,ok,ok,ok,ok");
}

static bool has_workers(const char *results)
{
    const tn_outcome found =
        tn_await(tn_start("/usr/bin/pgrep", TN_WORDS("-f", tn_format("case %s --work", results))));
    return found.status == 0;
}

static void check_end(const char *execute, int interrupt)
{
    const char *results = folder();
    const tn_child child = start_slow(results, execute, 5e-6);
    wait_for_cases(results, 2);
    assert_true(has_workers(results));
    (void)kill(child.process, interrupt);
    assert_int_equal(tn_await(child).status, 128 + interrupt);
    for (int k = 0; k < 500 && has_workers(results); k++)
        (void)nanosleep(&(struct timespec){0, 20000000L}, NULL);
    assert_false(has_workers(results));
    assert_string_equal(tn_study_ask(results, "SELECT count(*) < 32 FROM case_ WHERE status = 'ok'"), "1");
}

static void workers_end_with_their_driver(void **state)
{
    (void)state;
    check_end("[execute]\ntype = 'local'\nworkers = 2\n", SIGKILL);
    check_end("[execute]\ntype = 'local'\nworkers = 2\n", SIGINT);
    need_mpi();
    check_end(MPI, SIGKILL);
    check_end(MPI, SIGINT);
}

static void mistakes_with_mpi_are_told(void **state)
{
    (void)state;
    need_mpi();
    const tn_outcome missing = tn_study_of(CASES MPI "launcher = 'mpirum'\n", folder(), NULL);
    assert_int_equal(missing.status, 2);
    tn_check_holds(missing.errors, TN_WORDS("study.toml:14:8", "`mpirum` is not found in PATH"));
    const tn_outcome wrong =
        tn_study_of(CASES "[execute]\ntype = 'mpi'\nextra = ['--no-such-option']\n", folder(), NULL);
    assert_int_equal(wrong.status, 1);
    tn_check_holds(wrong.errors, TN_WORDS("`mpirun` ends before its ranks work", "no-such-option"));
    const tn_outcome alone =
        tn_study_of(CASES "[execute]\ntype = 'mpi'\nextra = ['-n', '1']\n", folder(), NULL);
    assert_int_equal(alone.status, 1);
    tn_check_holds(alone.errors, TN_WORDS("the MPI job has one rank"));
}

/* ---- batches --------------------------------------------------------------------------------------------------------------- */

static void workers_live_from_batch_to_batch(void **state)
{
    (void)state;
    const char *search = TN_STUDY TN_STUDY_STIFFNESS
        "[[response]]\nname = 'y'\nexpression = '(last(x.x) - 0.1)**2'\n"
        "[design]\ntype = 'nelder_mead'\nminimise = 'y'\n[execute]\ntype = 'local'\nworkers = 1\n";
    const char *results = folder();
    const tn_outcome outcome = tn_study_of(search, results, NULL);
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    const tn_outcome names = tn_await(tn_start(
        "/bin/sh",
        TN_WORDS("-c", "ls \"$1/lines\" | sed 's/^[0-9]*//' | sort -u | wc -l; ls \"$1/lines\" | wc -l", "sh",
                 results)));
    int workers = 0, files = 0;
    assert_int_equal(sscanf(names.output, "%d %d", &workers, &files), 2);
    assert_int_equal(workers, 1);
    assert_true(files > 5);
}

/* ---- an installation that changes meanwhile -------------------------------------------------------------------------------- */

static void a_program_that_is_replaced_meanwhile_finds_its_plugins(void **state)
{
    (void)state;
    const char *results = folder(), *installed = folder();
    const tn_outcome copied =
        tn_await(tn_start("/bin/sh", TN_WORDS("-c", "mkdir $1 && cp $2 $1/tenon && ln -s $3 $1/plugins", "sh",
                                              installed, TENON_BINARY, TENON_PLUGINS)));
    assert_int_equal(copied.status, 0);
    const char *file = tn_write("slow.toml", CASES "[[variable]]\nname = 'solver.step'\nvalues = [2e-5]\n");
    const char *program = tn_format("%s/tenon", installed);
    const tn_child child =
        tn_start(program, TN_WORDS("study", file, "--plugin-path", tn_study_plugins(), "--out", results));
    wait_for_cases(results, 1);
    assert_int_equal(unlink(program), 0);
    assert_int_equal(tn_await(child).status, 0);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arrays_of_slurm_give_the_same_table, open_slurm, close_slurm),
        cmocka_unit_test_setup_teardown(tasks_last_as_long_as_wanted, open_slurm, close_slurm),
        cmocka_unit_test_setup_teardown(lost_tasks_of_slurm_run_again, open_slurm, close_slurm),
        cmocka_unit_test_setup_teardown(mistakes_with_slurm_are_told, open_slurm, close_slurm),
        cmocka_unit_test_setup_teardown(an_interrupt_ends_what_waits_in_the_queue, open_slurm, close_slurm),
        cmocka_unit_test_setup(ranks_of_mpi_give_the_same_table, open_mpi),
        cmocka_unit_test_setup(cases_end_in_every_way_in_ranks_too, open_mpi),
        cmocka_unit_test_setup(a_rank_that_dies_loses_what_was_at_work, open_mpi),
        cmocka_unit_test_setup(workers_end_with_their_driver, open_mpi),
        cmocka_unit_test_setup(mistakes_with_mpi_are_told, open_mpi),
        cmocka_unit_test(workers_live_from_batch_to_batch),
        cmocka_unit_test(a_program_that_is_replaced_meanwhile_finds_its_plugins)};
    return cmocka_run_group_tests(tests, open_tests, tn_scratch_close);
}

/* test_study_slurm.c - studies on a cluster, with programs that stand in for those of Slurm (fake_slurm) */
#define _GNU_SOURCE
#include "slow_studies.h"

#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

static const char *jobs; /* folder with what they were given: words of job 1 in 1.words, .. */

#define SLURM "[execute]\ntype = 'slurm'\npoll = 0.1\npatience = 0\n"

static int open_slurm(void **state)
{
    (void)state;
    jobs = tn_study_folder_path();
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
    const char *results = tn_study_folder_path();
    (void)setenv("FAKE_LARGEST", "8", 1);
    const tn_outcome outcome =
        tn_study_run(TN_STUDY_CASES SLURM
                     "chunk = 1e-6\nlimit = 3\npartition = 'night'\naccount = 'wheels'\ntime = '90 [s]'\n"
                     "extra = [\"--comment=it's $HOME; \\\"so\\\"\", '--qos=short']\n",
                     results, NULL);
    assert_string_equal(outcome.errors, "");
    assert_int_equal(outcome.status, 0);
    assert_string_equal(tn_study_table(results), tn_study_reference());
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
    const char *results = tn_study_folder_path();
    assert_int_equal(tn_study_run(TN_STUDY_CASES SLURM "chunk = '1 [h]'\n", results, NULL).status, 0);
    assert_string_equal(tn_study_table(results), tn_study_reference());
    tn_check_holds(words_of(2), TN_WORDS("--array=0-0\n"));
}

static void lost_tasks_of_slurm_run_again(void **state)
{
    (void)state;
    const char *results = tn_format("%s it's 100%% here", tn_study_folder_path());
    (void)setenv("FAKE_DEAD", "5", 1);
    (void)setenv("FAKE_DEAD_JOB", "2", 1);
    (void)setenv("FAKE_SILENT", "1", 1); /* that the queue does not answer means nothing */
    const tn_outcome outcome = tn_study_run(TN_STUDY_CASES SLURM "tasks = 14\nchunk = 1e-6\n", results, NULL);
    tn_check_holds(outcome.errors, TN_WORDS("2 cases were lost with their workers, and are run once more"));
    assert_int_equal(outcome.status, 0);
    assert_string_equal(tn_study_table(results), tn_study_reference());
    tn_check_holds(words_of(3), TN_WORDS("--array=0-1\n"));
    /* not for ever */
    (void)setenv("FAKE_DEAD_JOB", "4", 1);
    const char *other = tn_study_folder_path();
    const tn_outcome lost = tn_study_run(
        TN_STUDY_CASES "[execute]\ntype = 'slurm'\npoll = 0.1\npatience = 0\npilot = 32\nretries = 0\n",
        other, NULL);
    assert_int_equal(lost.status, 1);
    assert_string_equal(tn_study_ask(other, "SELECT count(*) FROM wide WHERE status = 'lost'"), "1");
}

static void mistakes_with_slurm_are_told(void **state)
{
    (void)state;
    (void)setenv("FAKE_REFUSES", "Batch job submission failed: Invalid account", 1);
    const tn_outcome refused = tn_study_run(TN_STUDY_CASES SLURM, tn_study_folder_path(), NULL);
    assert_int_equal(refused.status, 1);
    tn_check_holds(refused.errors, TN_WORDS("`sbatch` has refused a job", "Invalid account"));
    (void)unsetenv("FAKE_REFUSES");
    /* every node lacks something */
    (void)setenv("FAKE_BROKEN", "tenon: cannot open libudunits2.so.0", 1);
    const tn_outcome broken = tn_study_run(TN_STUDY_CASES SLURM, tn_study_folder_path(), NULL);
    assert_int_equal(broken.status, 1);
    tn_check_holds(broken.errors,
                   TN_WORDS("no task of job 1 has begun to work: tenon: cannot open libudunits2.so.0"));
    (void)unsetenv("FAKE_BROKEN");
    char *path = strdup(getenv("PATH"));
    (void)setenv("PATH", "/nowhere", 1);
    const tn_outcome missing = tn_study_run(TN_STUDY_CASES SLURM, tn_study_folder_path(), NULL);
    (void)setenv("PATH", path, 1);
    free(path);
    assert_int_equal(missing.status, 2);
    tn_check_holds(missing.errors, TN_WORDS("study.toml:14:8", "`sbatch` is not found in PATH"));
}

static void an_interrupt_ends_what_waits_in_the_queue(void **state)
{
    (void)state;
    const char *results = tn_study_folder_path();
    const char *execute = SLURM "pilot = 32\ntasks = 8\n";
    const tn_child child = tn_study_start(TENON_BINARY, results, execute, 6e-6);
    tn_study_await(results, 2);
    (void)kill(child.process, SIGINT);
    const tn_outcome outcome = tn_await(child);
    assert_int_equal(outcome.status, 128 + SIGINT);
    tn_check_holds(tn_read(tn_format("%s/cancelled.words", jobs)), TN_WORDS("1\n--state=PENDING\n"));
    assert_string_equal(tn_study_ask(results, "SELECT count(*) < 32 FROM case_ WHERE status = 'ok'"), "1");
    assert_false(is_there(tn_format("%s/1.there", jobs)));
    /* a driver that was killed has left its job in the queue: the next one ends that first */
    const tn_child killed = tn_study_start(TENON_BINARY, results, execute, 6e-6);
    const char *submitted = tn_format("%s/jobs/0/submitted", results);
    while (!is_there(submitted) || !strchr(tn_read(submitted), '\n'))
        (void)nanosleep(&(struct timespec){0, 10000000L}, NULL);
    (void)kill(killed.process, SIGKILL);
    (void)tn_await(killed);
    assert_int_equal(tn_await(tn_study_start(TENON_BINARY, results, execute, 6e-6)).status, 0);
    tn_check_holds(tn_read(tn_format("%s/cancelled.words", jobs)), TN_WORDS("PENDING\n2\n"));
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arrays_of_slurm_give_the_same_table, open_slurm, close_slurm),
        cmocka_unit_test_setup_teardown(tasks_last_as_long_as_wanted, open_slurm, close_slurm),
        cmocka_unit_test_setup_teardown(lost_tasks_of_slurm_run_again, open_slurm, close_slurm),
        cmocka_unit_test_setup_teardown(mistakes_with_slurm_are_told, open_slurm, close_slurm),
        cmocka_unit_test_setup_teardown(an_interrupt_ends_what_waits_in_the_queue, open_slurm, close_slurm)};
    return cmocka_run_group_tests(tests, tn_study_open_tests, tn_scratch_close);
}

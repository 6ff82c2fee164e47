/* slow_studies.c - see slow_studies.h */
#define _GNU_SOURCE
#include "slow_studies.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

const char *tn_study_reference(void)
{
    static const char *table;
    if (table) return table;
    const char *results = tn_study_folder_path();
    assert_int_equal(tn_study_run(TN_STUDY_CASES, results, NULL).status, 0);
    return table = tn_study_table(results);
}

tn_child tn_study_start(const char *program, const char *results, const char *execute, double step)
{
    const char *const file =
        tn_write("slow.toml", tn_format("%s%s[[variable]]\nname = 'solver.step'\nvalues = [%g]\n",
                                        TN_STUDY_CASES, execute, step));
    return tn_start(program, TN_WORDS("study", file, "--plugin-path", tn_scratch_path("."), "--out", results,
                                      "--resume"));
}

void tn_study_await(const char *results, int count)
{
    for (int k = 0; k < 600; k++) {
        (void)nanosleep(&(struct timespec){0, 20000000L}, NULL);
        if (access(tn_format("%s/study.db", results), F_OK) == 0 &&
            tn_tenon(TN_WORDS("study", "status", results)).status == 0 &&
            atoi(tn_study_ask(results, "SELECT count(*) FROM case_ WHERE status = 'ok'")) >= count)
            return;
    }
    fail_msg("the study does not go on");
}

static bool has_workers(const char *results)
{
    const tn_outcome found =
        tn_await(tn_start("/usr/bin/pgrep", TN_WORDS("-f", tn_format("case %s --work", results))));
    return found.status == 0;
}

void tn_study_check_end(const char *execute, int interrupt)
{
    const char *results = tn_study_folder_path();
    const tn_child child = tn_study_start(TENON_BINARY, results, execute, 2e-6);
    tn_study_await(results, 2);
    assert_true(has_workers(results));
    (void)kill(child.process, interrupt);
    assert_int_equal(tn_await(child).status, 128 + interrupt);
    for (int k = 0; k < 500 && has_workers(results); k++)
        (void)nanosleep(&(struct timespec){0, 20000000L}, NULL);
    assert_false(has_workers(results));
    assert_string_equal(tn_study_ask(results, "SELECT count(*) < 32 FROM case_ WHERE status = 'ok'"), "1");
}

/* At once, so that nobody reads half of it. */
static void replace(const char *path, const char *text)
{
    assert_int_equal(rename(tn_write("new", text), path), 0);
}

void tn_study_check_change(const char *execute)
{
    const char *results = tn_study_folder_path(), *path = tn_scratch_path("model.toml"),
               *text = tn_read(path);
    const tn_child child = tn_study_start(TENON_BINARY, results, execute, 3e-6);
    tn_study_await(results, 2);
    replace(path, text);
    tn_study_await(results, 6);
    replace(path, tn_format("%s# nothing\n", text));
    const tn_outcome outcome = tn_await(child);
    replace(path, text);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml has changed since the study began"));
    assert_int_equal(tn_await(tn_study_start(TENON_BINARY, results, execute, 3e-6)).status, 0);
    assert_string_equal(tn_study_ask(results, "SELECT count(*) FROM wide WHERE status = 'ok'"), "32");
}

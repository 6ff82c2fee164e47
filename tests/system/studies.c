/* studies.c - see studies.h */
#include "studies.h"

#include <signal.h>
#include <sqlite3.h>
#include <time.h>
#include <unistd.h>

static const char *plugins;

const char *tn_study_plugins(void) { return plugins; }

int tn_studies_open(void **state)
{
    const int status = tn_scratch_open(state);
    if (status != 0) return status;
    (void)tn_build_test_plugin("whims");
    plugins = tn_scratch_path(".");
    (void)tn_write("model.toml",
                   "[parameters]\nk = '100 [N/m]'\nwhim = 0\n"
                   "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
                   "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', "
                   "'mass']\nstiffness = 'k'\n"
                   "[[element]]\nname = 'whims'\ntype = 'whims'\nmarkers = 'mass'\nwhim = 'whim'\n"
                   "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
                   "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-2\n");
    return 0;
}

tn_outcome tn_study_of(const char *text, const char *results, const char *const *more)
{
    const char *words[16] = {"study", tn_write("study.toml", text), "--plugin-path", plugins, "--out",
                             results};
    for (size_t k = 0; more && more[k]; k++)
        words[6 + k] = more[k];
    return tn_tenon(words);
}

const char *tn_study_table(const char *results)
{
    const tn_outcome table = tn_tenon(TN_WORDS("study", "export", results));
    assert_int_equal(table.status, 0);
    return table.output;
}

const char *tn_study_ask(const char *results, const char *sql)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(
        sqlite3_open_v2(tn_format("%s/study.db", results), &database, SQLITE_OPEN_READWRITE, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    const char *answer = tn_format("%s", text ? text : "");
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(database);
    return answer;
}

const char *tn_study_reference(void)
{
    static const char *table;
    if (table) return table;
    const char *results = tn_scratch_path(NULL);
    assert_int_equal(tn_study_of(TN_STUDY_CASES, results, NULL).status, 0);
    return table = tn_study_table(results);
}

tn_child tn_study_start(const char *program, const char *results, const char *execute, double step)
{
    const char *const file =
        tn_write("slow.toml", tn_format("%s%s[[variable]]\nname = 'solver.step'\nvalues = [%g]\n",
                                        TN_STUDY_CASES, execute, step));
    return tn_start(program, TN_WORDS("study", file, "--plugin-path", plugins, "--out", results, "--resume"));
}

void tn_study_await(const char *results, int count)
{
    for (int k = 0; k < 3000; k++) {
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
    const char *results = tn_scratch_path(NULL);
    const tn_child child = tn_study_start(TENON_BINARY, results, execute, 5e-6);
    tn_study_await(results, 2);
    assert_true(has_workers(results));
    (void)kill(child.process, interrupt);
    assert_int_equal(tn_await(child).status, 128 + interrupt);
    for (int k = 0; k < 500 && has_workers(results); k++)
        (void)nanosleep(&(struct timespec){0, 20000000L}, NULL);
    assert_false(has_workers(results));
    assert_string_equal(tn_study_ask(results, "SELECT count(*) < 32 FROM case_ WHERE status = 'ok'"), "1");
}

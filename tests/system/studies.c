/* studies.c - studies carried out by the program (see studies.h) */
#define _GNU_SOURCE
#include "studies.h"

#include <sqlite3.h>

static const char *plugins; /* folder with whims.so */

static void write_model(void)
{
    (void)tn_write("model.toml",
                   "[parameters]\nk = '100 [N/m]'\nwhim = 0\n"
                   "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
                   "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', "
                   "'mass']\nstiffness = 'k'\n"
                   "[[element]]\nname = 'whims'\ntype = 'whims'\nmarkers = 'mass'\nwhim = 'whim'\n"
                   "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
                   "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-2\n");
}

tn_outcome tn_study_run(const char *text, const char *results, const char *const *more)
{
    const char *words[16] = {"study", tn_write("study.toml", text), "--plugin-path", plugins, "--out",
                             results};
    for (size_t k = 0; more && more[k]; k++)
        words[6 + k] = more[k];
    return tn_tenon(words);
}

const char *tn_study_folder_path(void) { return tn_scratch_path(NULL); }

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

void tn_study_check_refused(const char *text, const char *const *words)
{
    const tn_outcome outcome = tn_study_run(text, tn_study_folder_path(), NULL);
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, words);
}

int tn_study_open_tests(void **state)
{
    const int status = tn_scratch_open(state);
    if (status == 0) {
        (void)tn_build_test_plugin("whims");
        plugins = tn_scratch_path(".");
        write_model();
    }
    return status;
}

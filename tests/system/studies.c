/* studies.c - see studies.h */
#include "studies.h"

#include <sqlite3.h>

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

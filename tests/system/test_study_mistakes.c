/* test_study_mistakes.c - wrong files of studies, and folders of results that are broken, full, read-only or of something else */
#define _GNU_SOURCE
#include "studies.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static void mistakes_are_told_at_their_place(void **state)
{
    (void)state;
    tn_study_check_refused(STUDY "[[variable]]\nname = 'parameters.whin'\nrange = [1, 2]\n" RESPONSE GRID,
                           TN_WORDS("study.toml:5:8", "whin", "did you mean"));
    tn_study_check_refused(STUDY
                           "[[variable]]\nname = 'element.sprin.stiffness'\nrange = [1, 2]\n" RESPONSE GRID,
                           TN_WORDS("study.toml:5:8", "did you mean", "spring"));
    tn_study_check_refused(STUDY "[[variable]]\nname = 'parameters.k'\nrange = [2, 2]\n" RESPONSE GRID,
                           TN_WORDS("study.toml:6:9", "the range is empty"));
    tn_study_check_refused(
        STUDY "[[variable]]\nname = 'parameters.k'\nrange = [0, 2]\nscale = 'log'\n" RESPONSE GRID,
        TN_WORDS("study.toml:6:9", "begins above 0"));
    tn_study_check_refused(
        STUDY "[[variable]]\nname = 'parameters.k'\nrange = ['1 [N/m]', '2 [m]']\n" RESPONSE GRID,
        TN_WORDS("study.toml:6:21", "m"));
    tn_study_check_refused(
        STUDY "[[variable]]\nname = 'parameters.k'\nrange = [1, 2]\nvalues = [3]\n" RESPONSE GRID,
        TN_WORDS("exclude each other"));
    tn_study_check_refused(STUDY STIFFNESS "[[response]]\nname = 'peak'\nexpression = '1 + max(y.x)'\n" GRID,
                           TN_WORDS("study.toml:9:23", "no sensor `y.x`", "did you mean `x.x`"));
    tn_study_check_refused(STUDY STIFFNESS "[[response]]\nname = 'peak'\nexpression = 'x.x'\n" GRID,
                           TN_WORDS("study.toml:9:"));
    tn_study_check_refused(STUDY STIFFNESS
                           "[[response]]\nname = 'peak'\nexpression = 'max(x.x)'\nlimit = '0.1 [m]'\n" GRID,
                           TN_WORDS("study.toml:10:9", "< or >"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE "[design]\ntype = 'gridd'\n",
                           TN_WORDS("study.toml:11:8", "grid"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE "[design]\ntype = 'grid'\nlevel = [2]\n",
                           TN_WORDS("study.toml:12:1", "did you mean `levels`"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE GRID
                           "[execute]\ntype = 'local'\nmemory_limit = '2 [m]'\n",
                           TN_WORDS("study.toml:15:16", "memory_limit"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE, TN_WORDS("design"));
    tn_study_check_refused("[study]\nname = 'test'\n" STIFFNESS RESPONSE GRID,
                           TN_WORDS("study.toml:1:1", "model"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE "[design]\ntype = 'grid'\nlevels = [1e9]\n",
                           TN_WORDS("1000000000 cases", "--yes"));
}

#define VARIABLE(text) STUDY "[[variable]]\nname = 'parameters.k'\n" text
#define LIST "[design]\ntype = 'list'\n"

static void mistakes_of_variables_are_told(void **state)
{
    (void)state;
    tn_study_check_refused(STUDY "seeed = 2\n" STIFFNESS RESPONSE GRID,
                           TN_WORDS("study.toml:4:1", "did you mean `seed`"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE GRID "[excute]\ntype = 'local'\n",
                           TN_WORDS("study.toml:13:2", "did you mean `execute`"));
    tn_study_check_refused(STUDY "[[variable]]\nname = 'k'\nrange = [1, 2]\n" RESPONSE GRID,
                           TN_WORDS("study.toml:5:8", "did you mean `parameters.k`"));
    tn_study_check_refused(STUDY STIFFNESS STIFFNESS RESPONSE GRID,
                           TN_WORDS("study.toml:8:8", "`parameters.k` is varied twice"));
    tn_study_check_refused(VARIABLE("values = []\n") RESPONSE GRID,
                           TN_WORDS("study.toml:6:10", "one at least"));
    /* the model gives k in N/m */
    tn_study_check_refused(VARIABLE("range = ['1 [m]', '2 [m]']\n") RESPONSE GRID,
                           TN_WORDS("study.toml:6:9", "in N/m, which m does not fit"));
    tn_study_check_refused(VARIABLE("normal = { mean = '1 [kN]', deviation = '2 [N]' }\n") RESPONSE GRID,
                           TN_WORDS("study.toml:6:10", "in N/m, which kN does not fit"));
    (void)tn_write("columns.csv", "a,b\n1,2\n");
    (void)tn_write("words.csv", "k\n1\nsoft\n");
    (void)tn_write("nothing.csv", "");
    tn_study_check_refused(VARIABLE("table = 'columns.csv:k'\n") RESPONSE LIST,
                           TN_WORDS("study.toml:6:9", "no column `k`, but `a`, `b`"));
    tn_study_check_refused(VARIABLE("table = 'words.csv:k'\n") RESPONSE LIST,
                           TN_WORDS("study.toml:6:9", "words.csv`:3:1", "`soft`"));
    tn_study_check_refused(VARIABLE("table = 'nothing.csv:k'\n") RESPONSE LIST,
                           TN_WORDS("study.toml:6:9", "it is empty"));
    tn_study_check_refused(VARIABLE("table = 'missing.csv:k'\n") RESPONSE LIST,
                           TN_WORDS("study.toml:6:9", "missing.csv", "No such file"));
    tn_study_check_refused(
        VARIABLE("values = [1, 2]\n") "[[variable]]\nname = 'parameters.whim'\nvalues = [0]\n" RESPONSE LIST,
        TN_WORDS("study.toml:13:1", "\"parameters.k\"", "2 and 1 values"));
}

static void mistakes_of_responses_and_designs_are_told(void **state)
{
    (void)state;
    tn_study_check_refused(STUDY STIFFNESS GRID, TN_WORDS("study.toml:1:1", "missing key `response`"));
    tn_study_check_refused(STUDY STIFFNESS "[[response]]\nname = 'peak'\nexpression = 'max(x)'\n" GRID,
                           TN_WORDS("study.toml:9:19", "several numbers", "`x.x`"));
    tn_study_check_refused(STUDY STIFFNESS "[[response]]\nname = 'peak'\nexpression = 'maxi(x.x)'\n" GRID,
                           TN_WORDS("study.toml:9:15", "did you mean `MAX`"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE "unit = 'N'\n" GRID,
                           TN_WORDS("study.toml:10:8", "m is expected"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE "limit = '< 3 [N]'\n" GRID,
                           TN_WORDS("study.toml:10:9", "m is expected"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE "[design]\ntype = 'sobol'\ncount = -4\n",
                           TN_WORDS("study.toml:12:9", "-4 is out of range"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE "[design]\ntype = 'soboll'\ncount = 4\n",
                           TN_WORDS("study.toml:11:8", "did you mean `sobol`"));
    tn_study_check_refused(STUDY STIFFNESS RESPONSE GRID "[execute]\ntype = 'locale'\n",
                           TN_WORDS("study.toml:14:8", "unknown executor type `locale`"));
    /* 10^12 cases */
    tn_study_check_refused(STUDY STIFFNESS
                           "[[variable]]\nname = 'element.mass.mass'\nrange = [1, 2]\n" RESPONSE
                           "[design]\ntype = 'grid'\nlevels = [1000000]\n",
                           TN_WORDS("1000000000000 cases", " h of processor time", "--yes"));
    const tn_outcome only =
        tn_study_run(STUDY STIFFNESS RESPONSE GRID, tn_study_folder_path(), TN_WORDS("--only", "5"));
    assert_int_equal(only.status, 2);
    tn_check_holds(only.errors, TN_WORDS("no case 5", "which has 5"));
}

/* ---- folders of results ---------------------------------------------------------------------------------------- */

static void check_status(const char *results, int status, const char *word)
{
    const tn_outcome outcome = tn_tenon(TN_WORDS("study", "status", results));
    assert_int_equal(outcome.status, status);
    tn_check_holds(status ? outcome.errors : outcome.output, TN_WORDS(word));
}

static void a_broken_database_is_made_again_from_lines(void **state)
{
    (void)state;
    const char *const results = tn_study_folder_path(), *const database = tn_format("%s/study.db", results);
    assert_int_equal(tn_study_run(STUDY STIFFNESS RESPONSE GRID, results, NULL).status, 0);
    const char *const table = tn_study_table(results);
    static const char times[] = "SELECT group_concat(started) FROM (SELECT started FROM case_ ORDER BY id)";
    const char *const before = tn_study_ask(results, times);
    FILE *const file = fopen(database, "r+");
    assert_non_null(file);
    for (int k = 0; k < 4096; k++)
        (void)fputc(k % 251, file);
    assert_int_equal(fclose(file), 0);
    check_status(results, 2, "the database is broken");
    const tn_outcome refused = tn_study_run(STUDY STIFFNESS RESPONSE GRID, results, TN_WORDS("--resume"));
    assert_int_equal(refused.status, 2);
    tn_check_holds(refused.errors, TN_WORDS("study.db", "the database is broken", "--resume"));
    tn_check_holds(tn_tenon(TN_WORDS("case", results, "1", "--plugin-path", tn_scratch_path("."))).errors,
                   TN_WORDS("the database is broken"));
    assert_int_equal(unlink(database), 0);
    assert_int_equal(tn_study_run(STUDY STIFFNESS RESPONSE GRID, results, TN_WORDS("--resume")).status, 0);
    assert_string_equal(tn_study_table(results), table);
    /* no case has run again */
    assert_string_equal(tn_study_ask(results, times), before);
}

static void a_folder_of_something_else_is_refused(void **state)
{
    (void)state;
    const char *const results = tn_study_folder_path(), *const file = tn_write("file", "");
    sqlite3 *database = NULL;
    check_status(results, 2, "no results of a study");
    assert_int_equal(mkdir(results, 0777), 0);
    assert_int_equal(sqlite3_open(tn_format("%s/study.db", results), &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "CREATE TABLE meta (a)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    check_status(results, 2, "of something else");
    const tn_outcome other = tn_study_run(STUDY STIFFNESS RESPONSE GRID, results, TN_WORDS("--resume"));
    assert_int_equal(other.status, 2);
    tn_check_holds(other.errors, TN_WORDS("study.db", "of something else"));
    const tn_outcome none = tn_study_run(STUDY STIFFNESS RESPONSE GRID, file, NULL);
    assert_int_equal(none.status, 2);
    tn_check_holds(none.errors, TN_WORDS("file", "Not a directory"));
    const tn_outcome retry = tn_tenon(TN_WORDS("study", "retry", tn_scratch_path("nowhere")));
    assert_int_equal(retry.status, 2);
    tn_check_holds(retry.errors, TN_WORDS("nowhere", "No such file"));
}

static void a_case_of_another_model_is_warned_of(void **state)
{
    (void)state;
    const char *const results = tn_study_folder_path(), *const model = tn_scratch_path("model.toml");
    assert_int_equal(tn_study_run(STUDY STIFFNESS RESPONSE GRID, results, NULL).status, 0);
    const char *const before = tn_read(model);
    (void)tn_write("model.toml", tn_format("%s\n[output]\ninterval = 0.1\n", before));
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("case", results, "1", "--plugin-path", tn_scratch_path(".")));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("those of another model"));
    (void)tn_write("model.toml", before);
}

/* A disk of its own, of this size; NULL where this may not be made. */
static const char *open_disk(const char *size)
{
    const char *const place = tn_scratch_path(NULL);
    assert_int_equal(mkdir(place, 0777), 0);
    return mount("none", place, "tmpfs", 0, size) == 0 ? place : NULL;
}

static void what_cannot_be_written_to_is_read(void **state)
{
    (void)state;
    const char *const disk = open_disk("size=2m");
    if (!disk) skip();
    const char *const results = tn_format("%s/results", disk);
    assert_int_equal(tn_study_run(STUDY STIFFNESS RESPONSE GRID, results, NULL).status, 0);
    const char *const table = tn_study_table(results);
    assert_int_equal(mount("none", disk, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL), 0);
    check_status(results, 0, "5 ok");
    assert_string_equal(tn_study_table(results), table);
    tn_check_holds(tn_tenon(TN_WORDS("case", results, "4", "--plugin-path", tn_scratch_path("."))).output,
                   TN_WORDS("200"));
    const tn_outcome more = tn_study_run(STUDY STIFFNESS RESPONSE GRID, results, TN_WORDS("--resume"));
    const tn_outcome other = tn_study_run(STUDY STIFFNESS RESPONSE GRID, tn_format("%s/other", disk), NULL);
    assert_int_equal(umount(disk), 0);
    assert_int_equal(more.status, 2);
    tn_check_holds(more.errors, TN_WORDS("results", "Read-only file system"));
    assert_int_equal(other.status, 2);
    tn_check_holds(other.errors, TN_WORDS("other", "Read-only file system"));
}

/* The disk is full before the first case, or among them; with more room the study goes on to the right table. */
static void a_full_disk_ends_a_study_that_can_go_on(void **state)
{
    (void)state;
    const char *const text = STUDY STIFFNESS RESPONSE "[design]\ntype = 'sobol'\ncount = 256\n";
    const char *const undisturbed = tn_study_folder_path();
    assert_int_equal(tn_study_run(text, undisturbed, NULL).status, 0);
    static const char *const sizes[] = {"size=100k", "size=180k", "size=260k"};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const char *const disk = open_disk(sizes[k]);
        if (!disk) skip();
        const char *const results = tn_format("%s/results", disk);
        const tn_outcome full = tn_study_run(text, results, NULL);
        const int more = mount("none", disk, "tmpfs", MS_REMOUNT, "size=20m");
        const tn_outcome rest = tn_study_run(text, results, TN_WORDS("--resume"));
        const char *const table = tn_study_table(results);
        assert_int_equal(umount(disk), 0);
        assert_int_equal(more, 0);
        if (full.status != 1 && full.status != 2) fail_msg("%s: status %d", sizes[k], full.status);
        assert_true(*full.errors);
        assert_int_equal(rest.status, 0);
        assert_string_equal(table, tn_study_table(undisturbed));
    }
}

static void a_study_is_no_model(void **state)
{
    (void)state;
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", TENON_SOURCE_DIR "/configs/studies/damper_study.toml"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors,
                   TN_WORDS("unknown key `study`",
                            "2:1: note: this is the file of a study: `tenon study` carries it out"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_are_told_at_their_place),
                                       cmocka_unit_test(mistakes_of_variables_are_told),
                                       cmocka_unit_test(mistakes_of_responses_and_designs_are_told),
                                       cmocka_unit_test(a_broken_database_is_made_again_from_lines),
                                       cmocka_unit_test(a_folder_of_something_else_is_refused),
                                       cmocka_unit_test(a_case_of_another_model_is_warned_of),
                                       cmocka_unit_test(what_cannot_be_written_to_is_read),
                                       cmocka_unit_test(a_study_is_no_model),
                                       cmocka_unit_test(a_full_disk_ends_a_study_that_can_go_on)};
    return cmocka_run_group_tests(tests, tn_study_open_tests, tn_scratch_close);
}

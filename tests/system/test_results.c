/* test_results.c - which files a run may replace, where its directory may lie, and that one run at a time writes there */
#define _GNU_SOURCE
#include "harness.h"

#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\n"
#define SENSOR "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
#define SOLVER "[solver]\ntype = 'rk'\nend_time = 0.1\nstep = 0.01\n"
#define PUSH                                       \
    "[[signal]]\nname = 'push'\nfile = '%s'\n"     \
    "[[element]]\nname = 'hand'\ntype = 'force'\n" \
    "markers = 'mass'\nvalue = ['spline(push, time)', 0, 0]\n"

static const char data[] = "0,0\n1,1\n2,4\n3,9\n";

static void make_folder(const char *name) { assert_int_equal(mkdir(tn_scratch_path(name), 0700), 0); }

static void check_there(const char *name, const char *text)
{
    assert_string_equal(tn_read(tn_scratch_path(name)), text);
}

static bool is_there(const char *name)
{
    struct stat status;
    return lstat(tn_scratch_path(name), &status) == 0;
}

static void check_refused(const char *const *words, const char *const *errors)
{
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != 2) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    tn_check_holds(outcome.errors, errors);
}

static void check_done(const char *const *words)
{
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
}

/* ---- files that the run reads ---------------------------------------------------------------------------- */

static void test_model_is_run_toml_of_the_directory(void **state)
{
    (void)state;
    make_folder("own");
    (void)tn_write("own/run.toml", MASS SENSOR SOLVER);
    check_refused(TN_WORDS("run", "own/run.toml", "--out", "own"),
                  TN_WORDS("would replace own/run.toml, which this run reads as own/run.toml"));
    check_there("own/run.toml", MASS SENSOR SOLVER);
    assert_false(is_there("own/sensors.csv"));
}

/* The results of a run are a model, too, and data; neither is lost by running it into the same directory. */
static void test_results_of_an_earlier_run_as_inputs(void **state)
{
    (void)state;
    (void)tn_write("first.toml", MASS SENSOR SOLVER);
    check_done(TN_WORDS("run", "first.toml", "--quiet", "--out", "again"));
    const char *table = tn_read(tn_scratch_path("again/sensors.csv"));
    check_refused(TN_WORDS("run", "again/run.toml", "--out", "./again/../again"),
                  TN_WORDS("again/run.toml, which this run reads"));
    (void)tn_write("second.toml", tn_format(MASS PUSH SENSOR SOLVER, "again/sensors.csv"));
    check_refused(TN_WORDS("run", "second.toml", "--out", "again"),
                  TN_WORDS("again/sensors.csv, which this run reads as"));
    check_there("again/sensors.csv", table);
    assert_string_equal(tn_run_text(tn_scratch_path("again"), "run.status"), "finished");
}

/* Other names of one file: a hard link, and symbolic ones. */
static void test_inputs_under_other_names(void **state)
{
    (void)state;
    static const char *const inputs[] = {"named.toml", "common.toml", "hanger.toml", "push.csv"};
    static const char *const outputs[] = {"run.toml", "sensors.csv", "sensors.units.csv", ".run.toml.part"};
    (void)tn_write("named.toml",
                   tn_format("[include]\nfiles = ['common.toml']\n[[part]]\nname = 'left'\nfile = "
                             "'hanger.toml'\n" PUSH SENSOR SOLVER,
                             "push.csv"));
    (void)tn_write("common.toml", MASS);
    (void)tn_write("hanger.toml", "[[element]]\nname = 'weight'\ntype = 'mass_point'\nmass = 1\n");
    (void)tn_write("push.csv", data);
    for (int input = 0; input < 4; input++)
        for (int output = 0; output < 4; output++)
            for (int symbolic = 0; symbolic < 2; symbolic++) {
                const char *folder = tn_scratch_path(NULL), *from = tn_scratch_path(inputs[input]);
                const char *text = tn_read(from), *to = tn_format("%s/%s", folder, outputs[output]);
                assert_int_equal(mkdir(folder, 0700), 0);
                assert_int_equal(symbolic ? symlink(from, to) : link(from, to), 0);
                check_refused(TN_WORDS("run", "named.toml", "--out", folder),
                              TN_WORDS(outputs[output], "which this run reads as", inputs[input]));
                assert_string_equal(tn_read(from), text);
                assert_string_equal(tn_read(to), text);
            }
}

/* ---- files of others ------------------------------------------------------------------------------------- */

static void test_files_that_no_run_has_made(void **state)
{
    (void)state;
    static const char *const names[] = {"run.toml", "sensors.csv", "sensors.units.csv"};
    (void)tn_write("model.toml", MASS SENSOR SOLVER);
    for (int k = 0; k < 3; k++) {
        const char *folder = tn_format("others_%d", k), *name = tn_format("%s/%s", folder, names[k]);
        make_folder(folder);
        (void)tn_write(name, "precious");
        check_refused(TN_WORDS("run", "model.toml", "--out", folder),
                      TN_WORDS("would replace", name, "choose another directory by `--out`"));
        check_there(name, "precious");
        for (int other = 0; other < 3; other++)
            assert_true(is_there(tn_format("%s/%s", folder, names[other])) == (other == k));
    }
}

/* All of them are named in one go; what a run does not write does not matter. */
static void test_several_files_of_others(void **state)
{
    (void)state;
    (void)tn_write("model.toml", MASS SENSOR SOLVER);
    make_folder("many");
    (void)tn_write("many/sensors.csv", "a");
    (void)tn_write("many/states.csv", "b");
    (void)tn_write("many/notes.txt", "c");
    const char *const with_states[] = {"run",   "model.toml",         "--quiet", "--out", "many",
                                       "--set", "output.states=true", NULL};
    check_refused(with_states, TN_WORDS("many/sensors.csv", "many/states.csv"));
    assert_int_equal(unlink(tn_scratch_path("many/sensors.csv")), 0);
    check_done(TN_WORDS("run", "model.toml", "--quiet", "--out", "many"));
    check_there("many/states.csv", "b");
    check_there("many/notes.txt", "c");
}

static void test_tables_of_an_earlier_run(void **state)
{
    (void)state;
    (void)tn_write("model.toml", MASS SENSOR SOLVER);
    check_done(TN_WORDS("run", "model.toml", "--quiet", "--out", "twice", "--set", "output.states=true"));
    assert_true(is_there("twice/states.csv") && is_there("twice/states.units.csv"));
    check_done(TN_WORDS("run", "model.toml", "--quiet", "--out", "twice"));
    /* it would speak for a run that did not write it */
    assert_false(is_there("twice/states.csv") || is_there("twice/states.units.csv"));
    assert_int_equal(tn_sensors(tn_scratch_path("twice"))->rows, 11);
}

/* What a run.toml lists is not believed where it names no table. */
static void test_lists_that_name_other_files(void **state)
{
    (void)state;
    (void)tn_write("model.toml", MASS SENSOR SOLVER);
    (void)tn_write("precious.txt", "precious");
    make_folder("lying");
    (void)tn_write("lying/thesis.txt", "thesis");
    (void)tn_write("lying/run.toml", "\n[run]\nprogram = \"tenon 0.1.0\"\nfiles = [\"thesis.txt\", "
                                     "\"../precious.txt\", \"sensors./../../precious.txt\"]\n");
    check_done(TN_WORDS("run", "model.toml", "--quiet", "--out", "lying"));
    check_there("lying/thesis.txt", "thesis");
    check_there("precious.txt", "precious");
}

/* A table that has become a link leads elsewhere. */
static void test_listed_table_that_is_a_link(void **state)
{
    (void)state;
    (void)tn_write("model.toml", MASS SENSOR SOLVER);
    (void)tn_write("elsewhere.txt", "precious");
    check_done(TN_WORDS("run", "model.toml", "--quiet", "--out", "linked"));
    assert_int_equal(unlink(tn_scratch_path("linked/sensors.csv")), 0);
    assert_int_equal(symlink("../elsewhere.txt", tn_scratch_path("linked/sensors.csv")), 0);
    check_refused(TN_WORDS("run", "model.toml", "--out", "linked"),
                  TN_WORDS("linked/sensors.csv is a symbolic link"));
    check_there("elsewhere.txt", "precious");
}

/* ---- files that solvers add -------------------------------------------------------------------------------- */

static const char *scribe(const char *file)
{
    return tn_write("scribe.toml", tn_format("[plugins]\nscribe = '%s'\n" MASS SENSOR
                                             "[solver]\ntype = 'scribe'\nfile = '%s'\n",
                                             tn_build_test_plugin("scribe"), file));
}

static void test_files_that_a_solver_adds(void **state)
{
    (void)state;
    check_done(TN_WORDS("run", scribe("notes.json"), "--trust", "--quiet", "--out", "scribed"));
    check_there("scribed/notes.json", "a\n1\n");
    check_there("scribed/notes_2.json", "a\n1\n");
    assert_string_equal(tn_run_text(tn_scratch_path("scribed"), "run.files.4"), "notes_2.json");
    check_done(TN_WORDS("run", scribe("sensors.csv"), "--trust", "--quiet", "--out",
                        "scribed")); // that one is taken
    check_there("scribed/sensors_3.csv", "a\n1\n");
    assert_false(is_there("scribed/notes.json") || is_there("scribed/.table.part"));
}

static void test_names_that_no_solver_may_take(void **state)
{
    (void)state;
    static const char *const names[] = {"../notes.csv",   "run.toml",  "notes.txt",
                                        ".csv",           "Notes.csv", "a/b.csv",
                                        "notes.csv.json", "notes.",    "no tes.csv"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", scribe(names[k]), "--trust", "--out", "refused"));
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors, TN_WORDS("the solver asks for a file named", names[k]));
    }
}

/* ---- the directory --------------------------------------------------------------------------------------- */

static void check_place(const char *directory, bool allowed)
{
    const char *model = tn_format(MASS SENSOR SOLVER "[output]\ndirectory = '%s'\n", directory);
    (void)tn_write("work/model.toml", model);
    const char *command = tn_format("cd work && '%s' run model.toml --quiet", TENON_BINARY);
    const tn_outcome outcome = tn_await(tn_start("sh", TN_WORDS("-c", command)));
    if (outcome.status != (allowed ? 0 : 2))
        fail_msg("%s: exit %d: %s", directory, outcome.status, outcome.errors);
    if (!allowed)
        tn_check_holds(outcome.errors,
                       TN_WORDS("model.toml:14:13: error: ", "is outside the current folder", "--out"));
    assert_int_equal(tn_await(tn_start("sh", TN_WORDS("-c", tn_format("%s --trust", command)))).status, 0);
}

static void test_directory_of_the_model_lies_below_the_current_folder(void **state)
{
    (void)state;
    make_folder("work");
    make_folder("outside");
    assert_int_equal(symlink("../outside", tn_scratch_path("work/out")), 0);
    assert_int_equal(symlink("inside", tn_scratch_path("work/in")), 0);
    make_folder("work/inside");
    check_place("here", true);
    check_place("deep/down/here", true);
    check_place("in/here", true);
    check_place("inside/../here", true);
    check_place(tn_scratch_path("work/whole"), true);
    check_place("../elsewhere", false);
    check_place("out", false);
    check_place("out/deeper", false);
    check_place("inside/../../elsewhere", false);
    check_place(tn_scratch_path("whole"), false);
    check_place(tn_scratch_path("working"), false);
}

/* The standard directory, too, does not follow a link of whoever made the folder; --out does. */
static void test_standard_directory_that_is_a_link(void **state)
{
    (void)state;
    make_folder("given");
    assert_int_equal(symlink("/tmp", tn_scratch_path("given/results")), 0);
    (void)tn_write("given/model.toml", MASS SENSOR SOLVER);
    const tn_outcome outcome =
        tn_await(tn_start("sh", TN_WORDS("-c", tn_format("cd given && '%s' run model.toml", TENON_BINARY))));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("`results/model`, which is outside the current folder"));
    check_done(TN_WORDS("run", "given/model.toml", "--quiet", "--out", "given/here"));
}

static void test_second_run_into_a_directory(void **state)
{
    (void)state;
    (void)tn_write("long.toml", MASS SENSOR "[solver]\ntype = 'rk'\nend_time = 1e9\nstep = 0.01\n");
    (void)tn_write("model.toml", MASS SENSOR SOLVER);
    const tn_child child = tn_start(TENON_BINARY, TN_WORDS("run", "long.toml", "--quiet", "--out", "busy"));
    for (int tries = 0; tries < 3000 && !is_there("busy/sensors.csv"); tries++)
        (void)nanosleep(&(struct timespec){0, 10000000}, NULL);
    assert_string_equal(tn_run_text(tn_scratch_path("busy"), "run.status"), "running");
    check_refused(TN_WORDS("run", "model.toml", "--out", "busy"),
                  TN_WORDS("busy is in use by another run", tn_format("process %d", (int)child.process)));
    assert_string_equal(tn_run_text(tn_scratch_path("busy"), "run.status"), "running");
    assert_int_equal(kill(child.process, SIGTERM), 0);
    assert_int_equal(tn_await(child).status, 128 + SIGTERM);
    check_done(TN_WORDS("run", "model.toml", "--quiet", "--out", "busy"));
}

/* ---- names that are not UTF-8 ---------------------------------------------------------------------------- */

/* run.toml is TOML whatever files are called: such bytes are written as \xe9. */
static void test_paths_that_are_not_utf8(void **state)
{
    (void)state;
    make_folder("caf\xe9");
    (void)tn_write("caf\xe9/push.csv", data);
    (void)tn_write("caf\xe9/model.toml", tn_format(MASS PUSH SENSOR SOLVER, "push.csv"));
    check_done(TN_WORDS("run", "caf\xe9/model.toml", "--quiet", "--out", "r\xe9sultats"));
    const char *results = tn_scratch_path("r\xe9sultats");
    assert_string_equal(tn_run_text(results, "run.model"), "caf\\xe9/model.toml");
    assert_non_null(strstr(tn_read(tn_format("%s/run.toml", results)), "/caf\\\\xe9/push.csv"));
    /* and found again as what it is */
    check_done(TN_WORDS("run", "caf\xe9/model.toml", "--quiet", "--out", "r\xe9sultats"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model_is_run_toml_of_the_directory),
        cmocka_unit_test(test_results_of_an_earlier_run_as_inputs),
        cmocka_unit_test(test_inputs_under_other_names),
        cmocka_unit_test(test_files_that_no_run_has_made),
        cmocka_unit_test(test_several_files_of_others),
        cmocka_unit_test(test_tables_of_an_earlier_run),
        cmocka_unit_test(test_lists_that_name_other_files),
        cmocka_unit_test(test_listed_table_that_is_a_link),
        cmocka_unit_test(test_files_that_a_solver_adds),
        cmocka_unit_test(test_names_that_no_solver_may_take),
        cmocka_unit_test(test_directory_of_the_model_lies_below_the_current_folder),
        cmocka_unit_test(test_standard_directory_that_is_a_link),
        cmocka_unit_test(test_second_run_into_a_directory),
        cmocka_unit_test(test_paths_that_are_not_utf8),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

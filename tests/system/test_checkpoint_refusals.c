/* test_checkpoint_refusals.c - runs that are not gone on with, each for its reason and without any change, and who has no checkpoints
 *
 * tests/soak cuts a checkpoint at every byte, and changes each. */
#define _GNU_SOURCE
#include "checkpoints.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- refusals ------------------------------------------------------------------------------------------------ */

static void there_may_be_none_yet(void **state)
{
    (void)state;
    const char *model = tn_write("none.toml", MASS RK OUTPUT), *results = tn_scratch_path(NULL);
    assert_int_equal(
        tn_tenon(TN_WORDS("run", model, "--quiet", "--set", "solver.end_time=0.1", "--out", results)).status,
        0);
    tn_checkpoint_refused(results, TN_WORDS("has finished: there is nothing to resume"));
    assert_int_equal(tn_checkpoint_end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    assert_int_equal(unlink(tn_format("%s/checkpoint", results)), 0);
    tn_checkpoint_refused(results, TN_WORDS("there is no checkpoint in", "run the model anew"));
    const tn_outcome nowhere = tn_checkpoint_resume_run("nowhere");
    assert_int_equal(nowhere.status, 2);
    tn_check_holds(nowhere.errors, TN_WORDS("nowhere holds no results of a run: No such file or directory"));
}

static void spoilt_checkpoints_are_refused(void **state)
{
    (void)state;
    const char *model = tn_write("spoilt.toml", MASS RK OUTPUT), *results = tn_scratch_path(NULL),
               *path = tn_format("%s/checkpoint", results);
    struct stat status;
    assert_int_equal(tn_checkpoint_end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    assert_int_equal(stat(path, &status), 0);
    const size_t size = (size_t)status.st_size;
    char *whole = malloc(size), *spoilt = malloc(size);
    FILE *file = fopen(path, "rb");
    assert_true(whole && spoilt && file && fread(whole, 1, size, file) == size && fclose(file) == 0);
    for (size_t place = 0; place < size; place += place < 70 ? 9 : 1 + size / 20) {
        tn_checkpoint_write(path, whole, place);
        tn_checkpoint_refused(results, TN_WORDS("checkpoint"));
        memcpy(spoilt, whole, size);
        spoilt[place] ^= 0x20;
        tn_checkpoint_write(path, spoilt, size);
        tn_checkpoint_refused(results, TN_WORDS("checkpoint"));
    }
    tn_checkpoint_write(path, whole, size);
    free(whole);
    free(spoilt);
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
}

/* Each with its name; put back, the run goes on. */
static void what_the_run_has_read_must_be_the_same(void **state)
{
    (void)state;
#define DATA                                                                                                 \
    "[[signal]]\nname = 'push'\nfile = 'push.csv'\n[[element]]\nname = 'force'\ntype = 'coordinate_force'\n" \
    "markers = 'mass'\nvalue = 'spline(push, MOD(time, 1))'\n"
    static const char rows[] = "x,y\n0,0\n0.5,1\n1,0\n", mass[] = MASS;
    (void)tn_write("push.csv", rows);
    (void)tn_write("mass.toml", mass);
    static const char text[] = "[include]\nfiles = ['mass.toml']\n" DATA RK OUTPUT;
    const char *model = tn_write("whole.toml", text), *results = tn_scratch_path(NULL);
    assert_int_equal(tn_checkpoint_end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    (void)tn_write("push.csv", "x,y\n0,0\n0.5,2\n1,0\n");
    tn_checkpoint_refused(results, TN_WORDS("push.csv, which the run has read, is not what it was"));
    (void)tn_write("push.csv", rows);
    (void)tn_write("mass.toml", MASS "# \n");
    tn_checkpoint_refused(results, TN_WORDS("mass.toml, which the run has read, is not what it was"));
    assert_int_equal(unlink(tn_scratch_path("mass.toml")), 0);
    tn_checkpoint_refused(results,
                          TN_WORDS("mass.toml, which the run has read, cannot be read: No such file"));
    (void)tn_write("mass.toml", mass);
    (void)tn_write("whole.toml", tn_format("%s\n", text));
    tn_checkpoint_refused(results, TN_WORDS("whole.toml, which the run has read, is not what it was"));
    (void)tn_write("whole.toml", text);
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
}

static void plugins_must_be_the_same(void **state)
{
    (void)state;
    const char *plugin = tn_build_test_plugin("relay"), *results = tn_scratch_path(NULL);
    const char *keeps = tn_format("%s.kept", plugin);
    const char *model =
        tn_write("relay.toml", tn_format("[include]\nfiles = ['" MODELS "relay.toml']\n" OUTPUT));
    assert_int_equal(tn_checkpoint_end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    assert_int_equal(rename(plugin, keeps), 0);
    const tn_outcome built = tn_await(tn_start(
        "sh",
        TN_WORDS("-c",
                 tn_format("sed s/1.0.0/1.0.1/ " TENON_SOURCE_DIR "/tests/system/plugins/relay.c > r.c && "
                           "cc -std=gnu17 -O1 -fPIC -fvisibility=hidden -shared -I " TENON_SOURCE_DIR
                           "/sdk/include r.c -o %s -lm",
                           plugin))));
    assert_int_equal(built.status, 0);
    tn_checkpoint_refused(results, TN_WORDS("another plugin: with relay 1.0.0", "loaded is relay 1.0.1"));
    assert_int_equal(rename(keeps, plugin), 0);
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
}

/* A byte behind the program makes another one of it. */
static void the_program_must_be_the_same(void **state)
{
    (void)state;
    const char *model = tn_write("program.toml", MASS RK OUTPUT), *results = tn_scratch_path(NULL);
    assert_int_equal(tn_checkpoint_end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    const tn_outcome outcome = tn_await(tn_start(
        "sh", TN_WORDS("-c", tn_format("cp '%s' other && printf x >> other && exec ./other run --resume '%s' "
                                       "--plugin-path " TENON_PLUGINS,
                                       TENON_BINARY, results))));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("the run is one of another build of tenon " TENON_VERSION));
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
}

/* A file that no run has made stays as it is. */
static void other_files_of_that_name_stay(void **state)
{
    (void)state;
    const char *model = tn_write("other.toml", MASS RK), *results = tn_scratch_path(NULL);
    assert_int_equal(mkdir(results, 0777), 0);
    const char *path = tn_format("%s/checkpoint", results);
    tn_checkpoint_write(path, "mine", 4);
    const char *end = "solver.end_time=0.1";
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--set", end, "--out", results)).status, 0);
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("run", model, "--quiet", "--set", end, "--set", "output.checkpoint=1", "--out", results));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors,
                   TN_WORDS("the results would replace ", "/checkpoint: it is none of a run"));
    assert_string_equal(tn_read(path), "mine");
}

static void tables_must_be_the_same(void **state)
{
    (void)state;
    const char *model = tn_write("tables.toml", MASS RK OUTPUT), *results = tn_scratch_path(NULL),
               *path = tn_format("%s/sensors.csv", results);
    assert_int_equal(tn_checkpoint_end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    const char *rows = tn_read(path);
    /* within the line of names: the checkpoint may know of no row yet */
    assert_int_equal(truncate(path, 3), 0);
    tn_checkpoint_refused(results, TN_WORDS("is shorter than it was"));
    char *other = strdup(rows);
    other[2] ^= 1;
    tn_checkpoint_write(path, other, strlen(other));
    free(other);
    tn_checkpoint_refused(results, TN_WORDS("are not those that the run has written"));
    tn_checkpoint_write(path, rows, strlen(rows));
    const char *units = tn_format("%s/sensors.units.csv", results), *names = tn_read(units);
    tn_checkpoint_write(units, "a,b\n", 4);
    tn_checkpoint_refused(results, TN_WORDS("the columns of the table"));
    tn_checkpoint_write(units, names, strlen(names));
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
}

/* Who cannot take part is named. */
static void writers_and_solvers_must_be_able_to(void **state)
{
    (void)state;
    const char *writer = tn_build_text("columns", tn_read(TENON_SOURCE_DIR "/sdk/examples/columns.c"));
    const char *model =
        tn_write("plain.toml",
                 tn_format("[plugins]\ncolumns = '%s'\n" MASS RK OUTPUT "writers = ['columns']\n", writer));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--trust"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("plain.toml:",
                                            "error: there can be no checkpoints: the writer `columns` does "
                                            "not go on with a table",
                                            "tenon.append/1"));
    const char *euler = tn_build_test_plugin("impulse_euler");
    const char *solver =
        tn_write("impulse.toml", tn_format("[plugins]\nimpulse_euler = '%s'\n" MASS
                                           "[solver]\ntype = 'impulse_euler'\nstep = 1e-3\nend_time = "
                                           "1\n" OUTPUT,
                                           euler));
    const tn_outcome other = tn_tenon(TN_WORDS("check", solver, "--trust"));
    assert_int_equal(other.status, 2);
    tn_check_holds(other.errors,
                   TN_WORDS("the solver `impulse_euler` does not go on from one", "tenon.stepping/1"));
}

static void one_process_at_a_time(void **state)
{
    (void)state;
    const char *model = tn_write("used.toml", MASS RK OUTPUT), *results = tn_scratch_path(NULL),
               *checkpoint = tn_format("%s/checkpoint", results);
    const tn_child child = tn_start(
        TENON_BINARY, TN_WORDS("run", model, "--quiet", "--set", "solver.end_time=1e6", "--out", results));
    for (int tries = 0; tries < 5000 && !tn_checkpoint_exists(checkpoint); tries++)
        tn_checkpoint_wait(1e-3);
    const tn_outcome outcome = tn_checkpoint_resume_run(results);
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("is in use by another run, process"));
    (void)kill(child.process, SIGKILL);
    (void)tn_await(child);
}

static void command_lines_are_checked(void **state)
{
    (void)state;
    const tn_outcome both = tn_tenon(TN_WORDS("run", "x.toml", "--resume", "y"));
    assert_int_equal(both.status, 2);
    tn_check_holds(both.errors,
                   TN_WORDS("--resume takes the model, --set, --solver, --out and --expanded from the run"));
    const tn_outcome guarded = tn_tenon(TN_WORDS("run", "--guard", "--resume", "y"));
    assert_int_equal(guarded.status, 2);
    tn_check_holds(guarded.errors, TN_WORDS("--resume is not for runs with --guard"));
    const tn_outcome none = tn_tenon(TN_WORDS("run"));
    assert_int_equal(none.status, 2);
    tn_check_holds(none.errors, TN_WORDS("MODEL is needed"));
    (void)tn_write("guarded.toml", MASS RK OUTPUT);
    const tn_outcome run =
        tn_tenon(TN_WORDS("run", "guarded.toml", "--guard", "--set", "solver.end_time=0.1"));
    assert_int_equal(run.status, 0);
    tn_check_holds(run.errors, TN_WORDS("warning: a run with `--guard` makes no checkpoints"));
    (void)tn_write("wrong.toml", MASS RK "[output]\ncheckpoint = 0\n");
    assert_int_equal(tn_tenon(TN_WORDS("check", "wrong.toml")).status, 2);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_may_be_none_yet),
        cmocka_unit_test(spoilt_checkpoints_are_refused),
        cmocka_unit_test(what_the_run_has_read_must_be_the_same),
        cmocka_unit_test(plugins_must_be_the_same),
        cmocka_unit_test(the_program_must_be_the_same),
        cmocka_unit_test(other_files_of_that_name_stay),
        cmocka_unit_test(tables_must_be_the_same),
        cmocka_unit_test(writers_and_solvers_must_be_able_to),
        cmocka_unit_test(one_process_at_a_time),
        cmocka_unit_test(command_lines_are_checked),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

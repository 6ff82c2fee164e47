/* test_checkpoints.c - runs that are ended at any moment, and go on from their last checkpoint: the results are those of a run that was
 * left alone, byte for byte
 *
 * tests/soak has the same with 200 kills. */
#define _GNU_SOURCE
#include "harness.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MODELS TENON_SOURCE_DIR "/tests/soak/models/restart/"
#define MASS                                                                                               \
    "[[element]]\nname = 'mass'\ntype = 'mass_1d'\nmass = 1\nposition = 1\n"                               \
    "[[element]]\nname = 'spring'\ntype = 'coordinate_spring_damper'\nmarkers = 'mass'\nstiffness = 100\n" \
    "damping = 0.01\n[[sensor]]\nname = 'x'\nexpression = 'COORD(mass)'\n"
/* Half a second and more of wall time. */
#define RK "[solver]\ntype = 'rk'\nstep = 1e-4\nend_time = 50\n"
#define OUTPUT "[output]\ninterval = 0.01\ncheckpoint = 0.01\n"

static tn_random dice = {11};

static void wait_for(double seconds) { (void)nanosleep(&(struct timespec){0, (long)(1e9 * seconds)}, NULL); }

static bool exists(const char *path) { return access(path, F_OK) == 0; }

/* ---- results ----------------------------------------------------------------------------------------------- */

/* Whether a line of run.toml differs from run to run. */
static bool is_of_this_run(const char *line, size_t length)
{
    static const char *const words[] = {"resumes = ", "peak_memory = ", "process = "};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strncmp(line, words[k], strlen(words[k])) == 0) return true;
    const char *time = memmem(line, length, "_time = ", 8);
    return time && strncmp(line, "end_time", 8) != 0 && strncmp(line, "start_time", 10) != 0 &&
           memchr(line, ' ', length) == time + 5;
}

static const char *read_run_file(const char *directory)
{
    const char *text = tn_read(tn_format("%s/run.toml", directory));
    char *kept = strdup(tn_format("%s", "")), *more = NULL;
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        assert_non_null(end);
        if (is_of_this_run(text, (size_t)(end - text))) continue;
        assert_true(asprintf(&more, "%s%.*s\n", kept, (int)(end - text), text) > 0);
        free(kept);
        kept = more;
    }
    const char *copy = tn_format("%s", kept);
    free(kept);
    return copy;
}

static size_t count_files(const char *directory)
{
    size_t count = 0;
    DIR *list = opendir(directory);
    assert_non_null(list);
    while (readdir(list))
        count++;
    (void)closedir(list);
    return count;
}

static void check_same(const char *right, const char *found)
{
    static const char *const names[] = {"sensors.csv", "sensors.units.csv", "states.csv", "states.units.csv"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *path = tn_format("%s/%s", right, names[k]), *own = tn_format("%s/%s", found, names[k]);
        assert_int_equal(exists(path), exists(own));
        if (exists(path) && strcmp(tn_read(path), tn_read(own)) != 0) fail_msg("%s is another one", own);
    }
    assert_string_equal(read_run_file(right), read_run_file(found));
    assert_int_equal(count_files(right), count_files(found));
}

/* ---- runs -------------------------------------------------------------------------------------------------- */

static tn_outcome resume(const char *results)
{
    return tn_tenon(TN_WORDS("run", "--resume", results, "--plugin-path", ".", "--quiet"));
}

/* A run that is signalled once it has a checkpoint. */
static tn_outcome end_early(const char *model, const char *results, int signal)
{
    const char *checkpoint = tn_format("%s/checkpoint", results);
    const tn_child child =
        tn_start(TENON_BINARY, TN_WORDS("run", model, "--plugin-path", ".", "--quiet", "--out", results));
    for (int tries = 0; tries < 5000 && !exists(checkpoint) && kill(child.process, 0) == 0; tries++)
        wait_for(1e-3);
    (void)kill(child.process, signal);
    return tn_await(child);
}

static void check_refused(const char *results, const char *const *words)
{
    const char *table = tn_read(tn_format("%s/sensors.csv", results)),
               *run = tn_read(tn_format("%s/run.toml", results));
    const tn_outcome outcome = resume(results);
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("the run cannot be resumed: "));
    tn_check_holds(outcome.errors, words);
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", results)), table);
    assert_string_equal(tn_read(tn_format("%s/run.toml", results)), run);
}

/* ---- the same results ---------------------------------------------------------------------------------------- */

/* Killed or interrupted at any moment, a few times, until it comes to its end. */
static void check_model(const char *name, int kills)
{
    const char *model = tn_format(MODELS "%s.toml", name), *plain = tn_scratch_path(NULL),
               *right = tn_scratch_path(NULL), *results = tn_scratch_path(NULL);
    const char *const every = "output.checkpoint=0.01";
    const char *const run[] = {"run", model, "--plugin-path", ".", "--quiet", "--out"};
    assert_int_equal(tn_tenon(TN_WORDS(run[0], run[1], run[2], run[3], run[4], run[5], plain)).status, 0);
    struct timespec begun, ended;
    (void)clock_gettime(CLOCK_MONOTONIC, &begun);
    const tn_outcome whole =
        tn_tenon(TN_WORDS(run[0], run[1], run[2], run[3], run[4], run[5], right, "--set", every));
    (void)clock_gettime(CLOCK_MONOTONIC, &ended);
    assert_int_equal(whole.status, 0);
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", plain)),
                        tn_read(tn_format("%s/sensors.csv", right)));
    const double span =
        (double)(ended.tv_sec - begun.tv_sec) + 1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
    bool begins = true;
    for (int k = 0; k <= kills; k++) {
        const tn_child child =
            begins ? tn_start(TENON_BINARY, TN_WORDS(run[0], run[1], run[2], run[3], run[4], run[5], results,
                                                     "--set", every))
                   : tn_start(TENON_BINARY,
                              TN_WORDS("run", "--resume", results, "--plugin-path", ".", "--quiet"));
        wait_for(tn_draw(&dice, 0.0, span < 1.2 ? 0.8 * span : 0.96));
        if (k < kills) (void)kill(child.process, k % 3 == 2 ? SIGTERM : SIGKILL);
        const tn_outcome outcome = tn_await(child);
        if (outcome.status == 0 || strstr(outcome.errors, "has finished")) break;
        begins = strstr(outcome.errors, "no checkpoint in") || strstr(outcome.errors, "no results") ||
                 !exists(tn_format("%s/checkpoint", results));
        if (outcome.status != 2 && outcome.status < 128) fail_msg("%s", outcome.errors);
        if (k == kills && begins) k--;
    }
    check_same(right, results);
}

static void killed_runs_go_on(void **state)
{
    (void)state;
    static const char *const names[] = {"contact", "delays", "relay", "loops", "parts"};
    (void)tn_build_test_plugin("relay");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        check_model(names[k], 2);
}

/* The checkpoint is one of the first part of the motion, and the second `eigen` has added its files when the run is killed. */
static void files_that_solvers_add_are_those_of_one_run(void **state)
{
    (void)state;
#define PARTS(end) \
    "[[solver]]\ntype = 'eigen'\nforce = true\n[[solver]]\ntype = 'rk'\nstep = 1e-4\nend_time = " end "\n"
    const char *model = tn_write("modes.toml", MASS PARTS("25") PARTS("50") "[output]\ninterval = 0.01\n"
                                                                            "checkpoint_times = [10]\n"),
               *right = tn_scratch_path(NULL), *results = tn_scratch_path(NULL),
               *last = tn_format("%s/shapes_2.csv", results);
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right)).status, 0);
    const tn_child child = tn_start(TENON_BINARY, TN_WORDS("run", model, "--quiet", "--out", results));
    for (int tries = 0; tries < 20000 && !exists(last); tries++)
        wait_for(1e-3);
    (void)kill(child.process, SIGKILL);
    (void)tn_await(child);
    assert_true(exists(last));
    assert_int_equal(resume(results).status, 0);
    check_same(right, results);
    static const char *const names[] = {"modes.csv", "modes_2.csv", "shapes.csv", "shapes_2.csv"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_string_equal(tn_read(tn_format("%s/%s", right, names[k])),
                            tn_read(tn_format("%s/%s", results, names[k])));
}

/* Interrupted where it stands, which is told with the way to go on; the table is cut where a kill has left rows behind. */
static void interrupted_runs_tell_how_to_go_on(void **state)
{
    (void)state;
    const char *model = tn_write("interrupted.toml", MASS RK OUTPUT), *right = tn_scratch_path(NULL),
               *results = tn_scratch_path(NULL);
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right)).status, 0);
    assert_int_equal(end_early(model, results, SIGTERM).status, 128 + SIGTERM);
    assert_string_equal(tn_run_text(results, "run.status"), "interrupted");
    tn_check_holds(tn_read(tn_format("%s/run.toml", results)),
                   TN_WORDS(tn_format("`tenon run --resume %s` goes on from here", results)));
    FILE *table = fopen(tn_format("%s/sensors.csv", results), "a");
    assert_non_null(table);
    assert_true(fputs("77,88\n9", table) >= 0 && fclose(table) == 0);
    assert_int_equal(resume(results).status, 0);
    check_same(right, results);
    assert_true(tn_run_number(results, "run.resumes") == 1.0);
    assert_false(exists(tn_format("%s/checkpoint", results)));
}

/* From another folder, with another name of the directory. */
static void directories_may_move(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL), *right = tn_scratch_path(NULL),
               *moved = tn_format("%s.moved", results);
    (void)tn_write("moved.toml", MASS RK OUTPUT);
    assert_int_equal(tn_tenon(TN_WORDS("run", "moved.toml", "--quiet", "--out", right)).status, 0);
    assert_int_equal(end_early("moved.toml", results, SIGKILL).status, 128 + SIGKILL);
    assert_int_equal(rename(results, moved), 0);
    const tn_outcome outcome = tn_await(tn_start(
        "sh", TN_WORDS("-c", tn_format("cd / && exec '%s' run --quiet --resume '%s'", TENON_BINARY, moved))));
    assert_int_equal(outcome.status, 0);
    check_same(right, moved);
}

/* ---- chosen times -------------------------------------------------------------------------------------------- */

/* At the first step from there on, which is as long as ever. */
static void checkpoints_are_made_at_chosen_times(void **state)
{
    (void)state;
    const char *model =
        tn_write("times.toml", MASS RK "[output]\ncheckpoint_times = ['3.00005 [s]', 11, 99]\n");
    const char *results = tn_scratch_path(NULL), *right = tn_scratch_path(NULL);
    const tn_outcome whole = tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right));
    assert_int_equal(whole.status, 0);
    tn_check_holds(whole.errors, TN_WORDS("the checkpoint at 99 s is not made: it is not between"));
    assert_int_equal(end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", "--resume", results));
    assert_int_equal(outcome.status, 0);
    assert_true(strstr(outcome.errors, "goes on from its checkpoint at 3.0001 s") ||
                strstr(outcome.errors, "goes on from its checkpoint at 11 s"));
    check_same(right, results);
}

/* GSL's multistep methods: on the wall they have none. */
static void hidden_memory_has_chosen_times_only(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
#define HIDING \
    MASS "[solver]\ntype = 'gsl_ode'\nstepper = 'msadams'\nstep = 2e-4\nend_time = 50\nadaptive = false\n"
    const char *wall = tn_write("wall.toml", HIDING "[output]\ncheckpoint = 0.01\ninterval = 0.01\n");
    const char *times = tn_write("chosen.toml", HIDING "[output]\ncheckpoint = 0.01\ninterval = 0.01\n"
                                                       "checkpoint_times = [3, 5, 8, 20]\n");
    const char *results = tn_scratch_path(NULL), *right = tn_scratch_path(NULL);
    const tn_outcome none =
        tn_tenon(TN_WORDS("run", wall, "--quiet", "--set", "solver.end_time=1", "--out", results));
    tn_check_holds(none.errors, TN_WORDS("gsl_ode cannot hand over all that it has learnt from earlier steps",
                                         "`checkpoint_times` only"));
    assert_int_equal(tn_tenon(TN_WORDS("run", times, "--quiet", "--out", right)).status, 0);
    assert_int_equal(end_early(times, results, SIGTERM).status, 128 + SIGTERM);
    tn_check_holds(tn_read(tn_format("%s/run.toml", results)),
                   TN_WORDS("goes on from the last checkpoint, at "));
    assert_int_equal(resume(results).status, 0);
    check_same(right, results);
}

/* ---- refusals ------------------------------------------------------------------------------------------------ */

static void there_may_be_none_yet(void **state)
{
    (void)state;
    const char *model = tn_write("none.toml", MASS RK OUTPUT), *results = tn_scratch_path(NULL);
    assert_int_equal(
        tn_tenon(TN_WORDS("run", model, "--quiet", "--set", "solver.end_time=0.1", "--out", results)).status,
        0);
    check_refused(results, TN_WORDS("has finished: there is nothing to resume"));
    assert_int_equal(end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    assert_int_equal(unlink(tn_format("%s/checkpoint", results)), 0);
    check_refused(results, TN_WORDS("there is no checkpoint in", "run the model anew"));
    const tn_outcome nowhere = resume("nowhere");
    assert_int_equal(nowhere.status, 2);
    tn_check_holds(nowhere.errors, TN_WORDS("nowhere holds no results of a run"));
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* The soak checks cut at every byte, and change each. */
static void spoilt_checkpoints_are_refused(void **state)
{
    (void)state;
    const char *model = tn_write("spoilt.toml", MASS RK OUTPUT), *results = tn_scratch_path(NULL),
               *path = tn_format("%s/checkpoint", results);
    struct stat status;
    assert_int_equal(end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    assert_int_equal(stat(path, &status), 0);
    const size_t size = (size_t)status.st_size;
    char *whole = malloc(size), *spoilt = malloc(size);
    FILE *file = fopen(path, "rb");
    assert_true(whole && spoilt && file && fread(whole, 1, size, file) == size && fclose(file) == 0);
    for (size_t place = 0; place < size; place += place < 70 ? 9 : 1 + size / 20) {
        write_bytes(path, whole, place);
        check_refused(results, TN_WORDS("checkpoint"));
        memcpy(spoilt, whole, size);
        spoilt[place] ^= 0x20;
        write_bytes(path, spoilt, size);
        check_refused(results, TN_WORDS("checkpoint"));
    }
    write_bytes(path, whole, size);
    free(whole);
    free(spoilt);
    assert_int_equal(resume(results).status, 0);
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
    assert_int_equal(end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    (void)tn_write("push.csv", "x,y\n0,0\n0.5,2\n1,0\n");
    check_refused(results, TN_WORDS("push.csv, which the run has read, is not what it was"));
    (void)tn_write("push.csv", rows);
    (void)tn_write("mass.toml", MASS "# \n");
    check_refused(results, TN_WORDS("mass.toml, which the run has read, is not what it was"));
    assert_int_equal(unlink(tn_scratch_path("mass.toml")), 0);
    check_refused(results, TN_WORDS("mass.toml, which the run has read, cannot be read: No such file"));
    (void)tn_write("mass.toml", mass);
    (void)tn_write("whole.toml", tn_format("%s\n", text));
    check_refused(results, TN_WORDS("whole.toml, which the run has read, is not what it was"));
    (void)tn_write("whole.toml", text);
    assert_int_equal(resume(results).status, 0);
}

static void plugins_must_be_the_same(void **state)
{
    (void)state;
    const char *plugin = tn_build_test_plugin("relay"), *results = tn_scratch_path(NULL);
    const char *keeps = tn_format("%s.kept", plugin);
    const char *model =
        tn_write("relay.toml", tn_format("[include]\nfiles = ['" MODELS "relay.toml']\n" OUTPUT));
    assert_int_equal(end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    assert_int_equal(rename(plugin, keeps), 0);
    const tn_outcome built = tn_await(tn_start(
        "sh",
        TN_WORDS("-c",
                 tn_format("sed s/1.0.0/1.0.1/ " TENON_SOURCE_DIR "/tests/system/plugins/relay.c > r.c && "
                           "cc -std=gnu17 -O1 -fPIC -fvisibility=hidden -shared -I " TENON_SOURCE_DIR
                           "/sdk/include r.c -o %s -lm",
                           plugin))));
    assert_int_equal(built.status, 0);
    check_refused(results, TN_WORDS("another plugin: with relay 1.0.0", "loaded is relay 1.0.1"));
    assert_int_equal(rename(keeps, plugin), 0);
    assert_int_equal(resume(results).status, 0);
}

static void tables_must_be_the_same(void **state)
{
    (void)state;
    const char *model = tn_write("tables.toml", MASS RK OUTPUT), *results = tn_scratch_path(NULL),
               *path = tn_format("%s/sensors.csv", results);
    assert_int_equal(end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    const char *rows = tn_read(path);
    assert_int_equal(truncate(path, 30), 0);
    check_refused(results, TN_WORDS("is shorter than it was"));
    char *other = strdup(rows);
    other[40] ^= 1;
    write_bytes(path, other, strlen(other));
    free(other);
    check_refused(results, TN_WORDS("are not those that the run has written"));
    write_bytes(path, rows, strlen(rows));
    const char *units = tn_format("%s/sensors.units.csv", results), *names = tn_read(units);
    write_bytes(units, "a,b\n", 4);
    check_refused(results, TN_WORDS("the columns of the table"));
    write_bytes(units, names, strlen(names));
    assert_int_equal(resume(results).status, 0);
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
    for (int tries = 0; tries < 5000 && !exists(checkpoint); tries++)
        wait_for(1e-3);
    const tn_outcome outcome = resume(results);
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
        cmocka_unit_test(killed_runs_go_on),
        cmocka_unit_test(files_that_solvers_add_are_those_of_one_run),
        cmocka_unit_test(interrupted_runs_tell_how_to_go_on),
        cmocka_unit_test(directories_may_move),
        cmocka_unit_test(checkpoints_are_made_at_chosen_times),
        cmocka_unit_test(hidden_memory_has_chosen_times_only),
        cmocka_unit_test(there_may_be_none_yet),
        cmocka_unit_test(spoilt_checkpoints_are_refused),
        cmocka_unit_test(what_the_run_has_read_must_be_the_same),
        cmocka_unit_test(plugins_must_be_the_same),
        cmocka_unit_test(tables_must_be_the_same),
        cmocka_unit_test(writers_and_solvers_must_be_able_to),
        cmocka_unit_test(one_process_at_a_time),
        cmocka_unit_test(command_lines_are_checked),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

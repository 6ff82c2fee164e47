/* test_conversions.c - writers convert the log of a run, after it or later: all files or none, in place of earlier ones */
#include "checkpoints.h"
#include "recordings.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char model[] =
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\n"
    "[[element]]\nname = 'point'\ntype = 'mass_point'\nmass = 1\nposition = [2, 0, 0]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'body']\nstiffness = 100\n"
    "[[element]]\nname = 'tie'\ntype = 'spring_damper'\nmarkers = ['body', 'point']\nstiffness = 10\n"
    "[[marker]]\nname = 'skin'\ntype = 'shape'\nelement = 'body'\nkind = 'box'\nsize = [1, 2, 3]\n"
    "[[sensor]]\nname = 'x'\nexpression = 'DX(body)'\n"
    "[[change]]\ntime = 0.5\nelement = 'tie'\nactive = false\n"
    "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-2\n";

static const char *results;

static int open_tests(void **state)
{
    const int failed = tn_scratch_open(state);
    if (failed) return failed;
    (void)tn_build_test_plugin("diary");
    (void)tn_write("model.toml", model);
    return 0;
}

/* A run with these writers, a value of TOML. */
static tn_outcome run(const char *writers)
{
    return tn_tenon(TN_WORDS("run", "model.toml", "--quiet", "--plugin-path", ".", "--out", results, "--set",
                             tn_format("output.writers=%s", writers)));
}

static void done(tn_outcome outcome)
{
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
}

static bool is_there(const char *name) { return access(tn_format("%s/%s", results, name), F_OK) == 0; }

static tn_outcome convert(const char *to)
{
    return tn_tenon(TN_WORDS("convert", results, "--to", to, "--plugin-path", "."));
}

static void writers_get_the_whole_run(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    done(run("['csv', 'diary']"));
    assert_string_equal(tn_read(tn_format("%s/diary.txt", results)),
                        "model.toml, finished, from 0 to 1\n"
                        "table sensors, 2 columns, 101 rows\n"
                        "track body, rigid_body, body, turns\n"
                        "track point, mass_point, body\n"
                        "drawing skin, kind 0\n"
                        "drawing point, kind 7, default\n"
                        "drawing spring, kind 2\n"
                        "drawing tie, kind 2\n"
                        "drawing ground, kind 10\n"
                        "wrench spring, spring_damper\nwrench spring, spring_damper\n"
                        "wrench tie, spring_damper\nwrench tie, spring_damper\n"
                        "event 0.5 tie becomes inactive\n");
    assert_string_equal(tn_run_text(results, "run.files.3"), "diary.txt");
    assert_true(is_there("sensors.csv"));

    // another run without that writer takes its file away
    done(tn_tenon(TN_WORDS("run", "model.toml", "--quiet", "--plugin-path", ".", "--out", results)));
    assert_false(is_there("diary.txt"));
}

/* scene.glb of `glb`: the name of the file does not begin with that of its writer. */
static void files_that_are_not_named_after_their_writer_are_replaced_and_removed(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    done(run("['csv', 'glb']"));
    assert_true(is_there("scene.glb"));
    done(run("['csv', 'glb']"));
    assert_true(is_there("scene.glb"));
    done(run("['csv']"));
    assert_false(is_there("scene.glb"));
    assert_null(strstr(tn_read(tn_format("%s/run.toml", results)), "name = \"glb\"")); // it was not used
    done(convert("glb"));
    assert_true(is_there("scene.glb"));
    done(run("[]"));
    assert_false(is_there("scene.glb"));
}

static void converted_tables_are_those_of_the_run(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    done(run("['csv']"));
    const char *right = tn_read(tn_format("%s/sensors.csv", results)),
               *units = tn_read(tn_format("%s/sensors.units.csv", results));
    assert_int_equal(unlink(tn_format("%s/sensors.csv", results)), 0);
    done(convert("csv"));
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", results)), right);
    assert_string_equal(tn_read(tn_format("%s/sensors.units.csv", results)), units);

    // of a run that has written no table
    results = tn_scratch_path(NULL);
    done(run("[]"));
    assert_false(is_there("sensors.csv"));
    done(convert("csv"));
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", results)), right);
    assert_string_equal(tn_run_text(results, "run.files.0"), "rows.tnl");
}

static void check_failing(const char *fault, const char *reason)
{
    const tn_outcome outcome = run(tn_format("['csv', {type = 'diary', fault = %s}]", fault));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("`diary`", reason));
    assert_false(is_there("diary.txt") || is_there("diary.d") || is_there("model.txt") ||
                 is_there(".conversion.part"));
    assert_true(is_there("sensors.csv") && is_there("rows.tnl"));
    assert_string_equal(tn_run_text(results, "run.status"), "finished");
    assert_int_equal(tn_sensors(results)->rows, 101);
}

static void conversions_that_fail_leave_the_rows(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    check_failing("1", "makes no files of");
    check_failing("2", "it does not want to");
    check_failing("3", "`model.txt`, which is no plain file named `diary`");
    check_failing("4", "`diary.d`, which is no plain file named `diary`");
    done(run("[{type = 'diary', fault = 5}]"));
}

static void conversions_that_fail_later_change_nothing(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    done(run("['csv', 'diary']"));
    const char *right = tn_read(tn_format("%s/diary.txt", results)),
               *told = tn_read(tn_format("%s/run.toml", results));
    assert_int_equal(convert("diary,fault=3").status, 1);
    assert_int_equal(convert("{type = 'diary', fault = 1}").status, 1);
    assert_string_equal(tn_read(tn_format("%s/diary.txt", results)), right);
    assert_string_equal(tn_read(tn_format("%s/run.toml", results)), told);
    assert_int_equal(convert("diary,fault=9").status, 2);
    assert_int_equal(convert("diary,other=9").status, 2);
    const tn_outcome unknown = convert("nothing");
    assert_int_equal(unknown.status, 2);
    tn_check_holds(unknown.errors, TN_WORDS("unknown writer type `nothing`",
                                            "the writers that are installed: ", "csv, ", "glb", "vtk"));
    assert_null(strstr(convert("diary,other=9").errors, "are installed"));

    // one that has nothing to write takes back what it has written before
    done(convert("diary,fault=5"));
    assert_false(is_there("diary.txt"));
    done(convert("diary"));
    assert_string_equal(tn_read(tn_format("%s/diary.txt", results)), right);
}

static void files_of_others_are_not_replaced(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    done(run("['csv']"));
    FILE *file = fopen(tn_format("%s/diary.txt", results), "w");
    assert_non_null(file);
    assert_true(fputs("mine", file) >= 0);
    assert_int_equal(fclose(file), 0);
    const tn_outcome outcome = convert("diary");
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("diary.txt", "no earlier run lists it"));
    assert_string_equal(tn_read(tn_format("%s/diary.txt", results)), "mine");
}

static void runs_that_fail_are_converted(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS(
        "run", "model.toml", "--quiet", "--plugin-path", ".", "--out", results, "--set",
        "output.writers=['diary']", "--set", "element.spring.stiffness=1e30", "--set", "solver.step=0.1"));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(tn_read(tn_format("%s/diary.txt", results)), TN_WORDS(", failed, "));
}

static void folders_without_results_are_refused(void **state)
{
    (void)state;
    results = tn_scratch_path(NULL);
    tn_check_holds(convert("csv").errors, TN_WORDS("holds no results of a run"));
    assert_int_equal(mkdir(results, 0777), 0);
    assert_int_equal(convert("csv").status, 2);
    done(tn_tenon(TN_WORDS("run", "model.toml", "--quiet", "--out", results, "--set", "output.log=false")));
    const tn_outcome outcome = convert("csv");
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("rows.tnl does not exist"));
    assert_int_equal(run("['diary']").status, 0);
    const tn_outcome without =
        tn_tenon(TN_WORDS("run", "model.toml", "--plugin-path", ".", "--out", results, "--set",
                          "output.writers=['diary']", "--set", "output.log=false"));
    assert_int_equal(without.status, 2);
    tn_check_holds(without.errors, TN_WORDS("`diary` converts rows.tnl, which `log = false` switches off"));
}

/* A drawing by an element: open lengths are shares of the size of the model. */
static void elements_draw_themselves(void **state)
{
    (void)state;
    const char *sketched = "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, "
                           "1]\nposition = [10, 0, 0]\n"
                           "[[element]]\nname = 'lines'\ntype = 'sketch'\nmarkers = [{element = 'ground', "
                           "position = [0, 0, 1]}, "
                           "{element = 'body', position = [0, 2, 0]}]\n";
    results = tn_scratch_path(NULL);
    (void)tn_build_test_plugin("sketch");
    (void)tn_write("sketched.toml",
                   tn_format("%s[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n", sketched));
    done(tn_tenon(TN_WORDS("run", "sketched.toml", "--quiet", "--plugin-path", ".", "--out", results)));
    tn_recording *recording = tn_record_open(results);
    assert_int_equal(recording->drawings, 4);
    const tn_recorded_drawing *body = &recording->drawing[0], *coil = body + 1, *box = body + 2;
    assert_true(body->is_default && !coil->is_default);
    assert_true(recording->size == 10.0);
    assert_int_equal(coil->drawing.kind, TN_DRAWN_COIL);
    assert_true(coil->drawing.size[0] == 0.5 && coil->drawing.size[1] == 0.04 &&
                coil->drawing.size[2] == 8.0);
    assert_true(coil->place[0].track == TN_GROUND_TRACK && coil->place[0].position[2] == 1.0);
    assert_true(coil->place[1].track == 0 && coil->place[1].position[1] == 2.0);
    /* at the second marker, moved by (0, 0, 1) and turned by 90 degrees about x */
    assert_int_equal(box->drawing.shape.kind, TN_BOX);
    assert_true(box->place[0].track == 0 && box->place[0].position[1] == 2.0 &&
                box->place[0].position[2] == 1.0);
    assert_true(fabs(box->place[0].quaternion[0] - sqrt(0.5)) < 1e-15 &&
                fabs(box->place[0].quaternion[1] - sqrt(0.5)) < 1e-15);
    tn_recording_close(recording);

    static const char *const faults[] = {"at a marker that it does not have", "of an unknown kind",
                                         "with a number that is not finite"};
    for (int k = 0; k < 3; k++) {
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", "sketched.toml", "--quiet", "--plugin-path", ".", "--out", results,
                              "--set", tn_format("element.lines.fault=%d", k + 1)));
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors, TN_WORDS("`lines`", "draw", "sketch", faults[k]));
    }
}

/* Two pendulums: the displacements of the tracks are those of the velocities. */
static void modes_are_displacements_of_bodies(void **state)
{
    (void)state;
    tn_need_plugin("eigen");
    results = tn_scratch_path(NULL);
    (void)tn_write(
        "modes.toml",
        "[[element]]\nname = 'one'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, "
        "0]\n"
        "[[element]]\nname = 'bar'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 5, "
        "0]\n"
        "[[element]]\nname = 'spring'\ntype = 'cartesian_spring_damper'\nmarkers = ['ground', {element = "
        "'one'}]\nstiffness = [4, 400, 40000]\noffset = [1, 0, 0]\n"
        "[[element]]\nname = 'weld'\ntype = 'revolute'\nmarkers = [{element = 'ground', position = [0, 4, "
        "0]}, "
        "{element = 'bar', position = [0, -1, 0]}]\n"
        "[solver]\ntype = 'eigen'\n");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", "modes.toml", "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    tn_recording *recording = tn_record_open(results);
    const uint32_t one = tn_record_track(recording, "one"), bar = tn_record_track(recording, "bar");
    bool found[3] = {false}, turns = false;
    for (uint32_t m = 0; m < recording->modes; m++) {
        const tn_recorded_mode *mode = &recording->mode[m];
        const double w = fabs(mode->eigenvalue[1]);
        const double(*u)[2] = (const double(*)[2])mode->displacement;
        double largest = 0.0;
        for (uint32_t k = 0; k < 6 * recording->tracks; k++)
            largest = fmax(largest, hypot(u[k][0], u[k][1]));
        assert_true(fabs(largest - 1.0) < 1e-12);
        for (uint32_t i = 0; i < 3; i++)
            if (fabs(w - 2.0 * pow(10.0, (double)i)) < 1e-6 * w)
                found[i] = fabs(hypot(u[6 * one + i][0], u[6 * one + i][1]) - 1.0) < 1e-12;
        /* about z through (0, 4, 0): the middle goes along -x */
        if (w < 1e-6)
            turns = turns || (fabs(u[6 * bar + 5][0] + u[6 * bar][0]) < 1e-9 && fabs(u[6 * bar][0]) > 0.5);
    }
    assert_true(found[0] && found[1] && found[2] && turns);
    tn_recording_close(recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writers_get_the_whole_run),
        cmocka_unit_test(files_that_are_not_named_after_their_writer_are_replaced_and_removed),
        cmocka_unit_test(converted_tables_are_those_of_the_run),
        cmocka_unit_test(conversions_that_fail_leave_the_rows),
        cmocka_unit_test(conversions_that_fail_later_change_nothing),
        cmocka_unit_test(files_of_others_are_not_replaced),
        cmocka_unit_test(runs_that_fail_are_converted),
        cmocka_unit_test(folders_without_results_are_refused),
        cmocka_unit_test(elements_draw_themselves),
        cmocka_unit_test(modes_are_displacements_of_bodies),
    };
    return cmocka_run_group_tests(tests, open_tests, tn_scratch_close);
}

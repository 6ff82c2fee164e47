/* test_log.c - the log of a run: exact rows, frames within their tolerance, also of failed, killed and guarded runs */
#define _GNU_SOURCE
#include "checkpoints.h"
#include "recordings.h"

#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define GRAVITY "[model]\ngravity = [0, 0, -9.81]\n"
#define SEEN(body)                                                                     \
    "[[marker]]\nname = '" body "_seen'\ntype = 'frame'\nelement = '" body "'\n"       \
    "[[sensor]]\nname = '" body "_x'\nmarker = '" body "_seen'\noutput = 'position'\n" \
    "[[sensor]]\nname = '" body "_R'\nmarker = '" body "_seen'\noutput = 'rotation'\n"

/* Two bodies on ball joints. */
static const char swinging[] = GRAVITY
    "[[element]]\nname = 'one'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.15]\n"
    "position = [0.5, 0, 0]\nangular_velocity = [3, 1, 2]\n"
    "[[element]]\nname = 'two'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.02, 0.03, 0.04]\n"
    "position = [1, 0.3, 0]\nangular_velocity = [-2, 5, 1]\n"
    "[[element]]\nname = 'hook'\ntype = 'spherical'\n"
    "markers = ['ground', {element = 'one', position = [-0.5, 0, 0]}]\n"
    "[[element]]\nname = 'link'\ntype = 'spherical'\n"
    "markers = [{element = 'one', position = [0.5, 0, 0]}, {element = 'two', position = [0, -0.3, 0]}]\n" //
    SEEN("one") SEEN("two") "[solver]\ntype = 'rk'\nend_time = 3\nstep = 1e-3\n";

/* A wheel that spins with 40 rad/s on a circular path. */
static const char spinning[] =
    "[[element]]\nname = 'wheel'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.03, 0.02]\n"
    "position = [1, 0, 0]\nvelocity = [0, 3, 1]\nangular_velocity = [1, 40, 2]\n" SEEN(
        "wheel") "[[element]]\nname = 'rope'\ntype = 'spring_damper'\nmarkers = ['ground', "
                 "'wheel']\nstiffness = 20\n"
                 "[solver]\ntype = 'rk'\nend_time = 2\nstep = 1e-3\n";

/* A ball that bounces off the floor, with kinks. */
static const char bouncing[] =
    GRAVITY "[[element]]\nname = 'ball'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
            "position = [0, 0, 1]\nvelocity = [1, 0, 0]\nangular_velocity = [0, 1, 0]\n" SEEN(
                "ball") "[[marker]]\nname = 'skin'\ntype = 'shape'\nelement = 'ball'\nkind = "
                        "'sphere'\nradius = 0.1\n"
                        "[[marker]]\nname = 'floor'\ntype = 'shape'\nelement = 'ground'\nkind = 'plane'\n"
                        "[[element]]\nname = 'touch'\ntype = 'contact'\nshapes = ['skin', 'floor']\nlaw = "
                        "'impulse'\n"
                        "restitution = 0.8\nfriction = 0.3\n"
                        "[solver]\ntype = 'moreau'\nend_time = 3\nstep = 1e-3\n";

static const char *run(const char *model, const char *const *more)
{
    const char *words[32] = {"run",   tn_write("model.toml", model), "--quiet",
                             "--out", tn_scratch_path(NULL),         "--plugin-path",
                             "."};
    for (size_t k = 0; more && more[k]; k++)
        words[7 + k] = more[k];
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    return words[4];
}

/* ---- rows ------------------------------------------------------------------------------------------------- */

static void check_rows(const char *results, const char *table_name, uint32_t table)
{
    tn_csv_table written;
    tn_recording *recording = tn_record_open(results);
    assert_true(tn_csv_read(tn_format("%s/%s.csv", results, table_name), &written, stderr));
    const tn_recorded_table *own = &recording->table[table];
    assert_string_equal(own->name, table_name);
    assert_int_equal(own->rows, written.rows);
    assert_int_equal(own->columns, written.columns);
    double *value = tn_record_rows(recording, table);
    for (size_t r = 0; r < written.rows; r++)
        for (size_t c = 0; c < written.columns; c++) {
            const double right = tn_csv_value(&written, r, c), found = value[r * written.columns + c];
            assert_memory_equal(&found, &right, sizeof right);
        }
    for (uint32_t c = 0; c < own->columns; c++)
        assert_string_equal(own->column[c].name, written.name[c]);
    free(value);
    tn_recording_close(recording);
}

static void rows_are_those_of_the_table(void **state)
{
    (void)state;
    const char *results = run(swinging, TN_WORDS("--set", "output.states=true"));
    check_rows(results, "sensors", 0);
    check_rows(results, "states", 1);
    check_rows(run(bouncing, NULL), "sensors", 0);
}

/* In pieces, in any order. */
static void rows_are_read_piece_by_piece(void **state)
{
    (void)state;
    tn_recording *recording = tn_record_open(run(spinning, TN_WORDS("--set", "output.states=true")));
    tn_random random = {3};
    for (uint32_t t = 0; t < 2; t++) {
        const tn_recorded_table *table = &recording->table[t];
        double *all = tn_record_rows(recording, t),
               *some = calloc(table->rows * table->columns, sizeof *some);
        for (int k = 0; k < 200; k++) {
            const uint64_t first = (uint64_t)tn_draw(&random, 0.0, (double)table->rows);
            const uint64_t count = (uint64_t)tn_draw(&random, 0.0, (double)(table->rows - first) + 1.0);
            assert_int_equal(recording->rows(recording, t, first, count, some), TN_OK);
            assert_memory_equal(some, all + first * table->columns, count * table->columns * sizeof *some);
        }
        assert_int_equal(recording->rows(recording, t, table->rows, 1, some), TN_INVALID);
        free(all);
        free(some);
    }
    assert_int_equal(recording->rows(recording, 2, 0, 0, NULL), TN_INVALID);
    tn_recording_close(recording);
}

/* ---- frames ----------------------------------------------------------------------------------------------- */

/* The angle between a quaternion and a matrix. */
static double angle_between(const double *quaternion, const double *matrix)
{
    const double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
    const double own[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                           2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                           2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    double square = 0.0;
    for (int k = 0; k < 9; k++)
        square += (own[k] - matrix[k]) * (own[k] - matrix[k]);
    return 2.0 * asin(fmin(1.0, sqrt(square / 8.0)));
}

/* At 200 random rows; the largest errors are between a share of the tolerance and the tolerance. */
static void check_frames(const tn_recording *recording, const char *body)
{
    const tn_recorded_table *table = &recording->table[0];
    const uint32_t track = tn_record_track(recording, body);
    const uint32_t x = tn_record_column(recording, tn_format("%s_x.x", body)),
                   R = tn_record_column(recording, tn_format("%s_R.0", body));
    double *value = tn_record_rows(recording, 0), pose[7], worst = 0.0, worst_angle = 0.0;
    tn_random random = {11};
    if ((double)recording->frames > 0.8 * (double)table->rows)
        fail_msg("%s: %d frames of %d rows", body, (int)recording->frames, (int)table->rows);
    for (int k = 0; k < 200; k++) {
        const double *row = value + table->columns * (size_t)tn_draw(&random, 0.0, (double)table->rows - 0.5);
        tn_record_pose(recording, track, row[0], pose);
        const double error =
            sqrt(pow(pose[0] - row[x], 2) + pow(pose[1] - row[x + 1], 2) + pow(pose[2] - row[x + 2], 2));
        worst = fmax(worst, error / recording->length_tolerance);
        worst_angle = fmax(worst_angle, angle_between(pose + 3, row + R) / recording->angle_tolerance);
    }
    if (worst > 1.0 || worst_angle > 1.0 || (worst < 0.05 && worst_angle < 0.05))
        fail_msg("%s: errors are %g and %g of the tolerance", body, worst, worst_angle);
    free(value);
}

static void frames_are_within_their_tolerance(void **state)
{
    (void)state;
    tn_recording *recording = tn_record_open(run(swinging, NULL));
    check_frames(recording, "one");
    check_frames(recording, "two");
    tn_recording_close(recording);
    recording = tn_record_open(run(spinning, NULL));
    check_frames(recording, "wheel");
    tn_recording_close(recording);
    recording = tn_record_open(run(bouncing, NULL));
    check_frames(recording, "ball");
    tn_recording_close(recording);
    recording = tn_record_open(run(swinging, TN_WORDS("--set", "output.frame_tolerance=2e-4")));
    check_frames(recording, "two");
    tn_recording_close(recording);
}

static void frames_resolve_fast_motions_between_rows(void **state)
{
    (void)state;
    tn_recording *fine = tn_record_open(run(spinning, NULL)),
                 *coarse = tn_record_open(run(spinning, TN_WORDS("--set", "output.interval=0.5")));
    assert_int_equal(coarse->table[0].rows, 5);
    assert_int_equal(coarse->frames, fine->frames);
    double one[7], other[7];
    for (uint64_t k = 0; k < fine->frames; k++) {
        assert_int_equal(fine->frame(fine, k, 1, NULL, one, NULL), TN_OK);
        assert_int_equal(coarse->frame(coarse, k, 1, NULL, other, NULL), TN_OK);
        assert_memory_equal(one, other, sizeof one);
    }
    tn_recording_close(fine);
    tn_recording_close(coarse);
}

static void frames_follow_their_settings(void **state)
{
    (void)state;
    tn_recording *recording = tn_record_open(
        run(spinning, TN_WORDS("--set", "output.frames=rows", "--set", "output.interval=0.1")));
    assert_int_equal(recording->frames, recording->table[0].rows);
    assert_true(recording->length_tolerance == 0.0);
    tn_recording_close(recording);
    recording = tn_record_open(run(spinning, TN_WORDS("--set", "output.frames=none")));
    assert_int_equal(recording->frames, 0);
    assert_int_equal(recording->table[0].rows, 2001);
    tn_recording_close(recording);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", "model.toml", "--set", "output.frames=some"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("`frames`", "auto", "rows", "none"));
    const char *results = run(spinning, TN_WORDS("--set", "output.log=false"));
    assert_false(tn_checkpoint_exists(tn_format("%s/rows.tnl", results)));
}

/* Weights in balance, on a spring and on a joint. */
static const char balanced[] = GRAVITY
    "[[element]]\nname = 'block'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\n"
    "position = [0, 0, -1.1962]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'block']\n"
    "stiffness = 100\nreference_length = 1\n"
    "[[element]]\nname = 'bob'\ntype = 'rigid_body'\nmass = 3\ninertia = [1, 1, 1]\n"
    "position = [5, 0, 0]\n"
    "[[element]]\nname = 'weld'\ntype = 'fixed'\n"
    "markers = [{element = 'ground', position = [4, 0, 0]}, {element = 'bob', position = [-1, 0, 0]}]\n"
    "[[sensor]]\nname = 'z'\nexpression = 'DZ(block)'\n"
    "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-2\n";

static void check_balance(const char *results)
{
    tn_recording *recording = tn_record_open(results);
    assert_int_equal(recording->wrenches, 4);
    double wrench[24];
    for (uint64_t k = 0; k < recording->frames; k++) {
        assert_int_equal(recording->frame(recording, k, 1, NULL, NULL, wrench), TN_OK);
        for (uint32_t w = 0; w < 4; w++) {
            const double *found = wrench + 6 * w;
            const bool welded = strcmp(recording->wrench[w].element, "weld") == 0;
            const bool below = recording->wrench[w].place.track != TN_GROUND_TRACK;
            const double weight = (below ? 1.0 : -1.0) * 9.81 * (welded ? 3.0 : 2.0);
            if (!(fabs(found[2] - weight) < 1e-3 && fabs(found[0]) < 1e-3))
                fail_msg("%s: %g, %g, not %g", recording->wrench[w].element, found[0], found[2], weight);
            if (welded) assert_true(fabs(found[4] - (below ? -29.43 : 29.43)) < 1e-3);
        }
    }
    tn_recording_close(recording);
}

static void wrenches_are_those_that_act(void **state)
{
    (void)state;
    check_balance(run(balanced, NULL));
}

/* ---- ends of runs ------------------------------------------------------------------------------------------- */

static void check_prefix(const char *results, const tn_csv_table *right)
{
    const tn_csv_table *table = tn_sensors(results);
    assert_true(table->rows <= right->rows);
    for (size_t r = 0; r < table->rows; r++)
        for (size_t c = 0; c < table->columns; c++)
            assert_true(tn_csv_value(table, r, c) == tn_csv_value(right, r, c));
}

static void killed_runs_are_recovered(void **state)
{
    (void)state;
    tn_random random = {5};
    const char *model = tn_format(
        "%s", MASS "[solver]\ntype = 'rk'\nstep = 1e-5\nend_time = 1e3\n[output]\ninterval = 1e-2\n");
    const char *right = run(model, TN_WORDS("--set", "solver.end_time=100"));
    const tn_csv_table *table = tn_sensors(right);
    for (int k = 0; k < 4; k++) {
        const char *results = tn_scratch_path(NULL);
        const tn_child child =
            tn_start(TENON_BINARY, TN_WORDS("run", "model.toml", "--quiet", "--out", results));
        tn_checkpoint_wait(tn_draw(&random, 0.7, 0.99));
        (void)kill(child.process, SIGKILL);
        (void)tn_await(child);
        (void)unlink(tn_format("%s/sensors.csv", results));
        const tn_outcome outcome = tn_tenon(TN_WORDS("recover", results));
        if (outcome.status != 0) fail_msg("%s", outcome.errors);
        tn_check_holds(outcome.output, TN_WORDS("sensors", "rows", "up to"));
        assert_string_equal(tn_run_text(results, "run.status"), "killed");
        check_prefix(results, table);
        assert_true(TN_SANITIZED || tn_sensors(results)->rows > 10);
        tn_recording *recording = tn_record_open(results);
        assert_string_equal(recording->status, "killed");
        assert_int_equal(recording->table[0].rows, tn_sensors(results)->rows);
        assert_non_null(tn_recording_rest(recording));
        tn_recording_close(recording);
    }
    const tn_outcome outcome = tn_tenon(TN_WORDS("recover", right));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("is finished: there is nothing to recover"));
}

/* With 200 kB per file; writers of rows fail, too. */
static void a_full_disk_keeps_the_rows_before(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    (void)tn_write("model.toml", spinning);
    const tn_outcome outcome = tn_await(tn_start(
        "/bin/sh", TN_WORDS("-c", tn_format("ulimit -f 400; exec '%s' run model.toml --quiet --out '%s' "
                                            "--set 'output.writers=[]'",
                                            TENON_BINARY, results))));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("rows.tnl cannot be written: File too large", "the simulation failed"));
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    tn_recording *recording = tn_record_open(results);
    assert_true(recording->table[0].rows > 100 && recording->table[0].rows < 2001);
    assert_string_equal(recording->status, "killed");
    tn_recording_close(recording);
    const tn_outcome made = tn_tenon(TN_WORDS("convert", results, "--to", "csv"));
    assert_int_equal(made.status, 0);
    tn_check_holds(made.errors, TN_WORDS("the run has failed, and is there up to")); /* run.toml knows it */
    assert_int_equal(tn_tenon(TN_WORDS("recover", results)).status, 0);
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
}

static void folders_without_results_are_refused(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    assert_int_equal(mkdir(results, 0777), 0);
    const tn_outcome outcome = tn_tenon(TN_WORDS("convert", results, "--to", "csv"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("run.toml: it does not exist: no run has results here"));
}

static void runs_that_fail_have_a_whole_log(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    (void)tn_write("model.toml",
                   MASS "[[element]]\nname = 'push'\ntype = 'coordinate_force'\nmarkers = 'mass'\n"
                        "value = 'SQRT(1 - time)'\n[solver]\ntype = 'rk'\nstep = 1e-2\nend_time = 2\n");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", "model.toml", "--quiet", "--out", results));
    assert_int_equal(outcome.status, 1);
    check_rows(results, "sensors", 0);
    tn_recording *recording = tn_record_open(results);
    assert_string_equal(recording->status, "failed");
    assert_null(tn_recording_rest(recording));
    tn_check_holds(recording->run_text, TN_WORDS("[run]", "status = \"failed\"", "reason = "));
    assert_true(recording->events > 0);
    tn_recording_close(recording);
}

/* Positions and forces of the last frame. */
static void check_last_frame(const char *results, bool knows_forces)
{
    tn_recording *recording = tn_record_open(results);
    double pose[14], wrench[48];
    assert_true(recording->tracks <= 2 && recording->wrenches > 0 && recording->wrenches <= 8);
    assert_true(recording->frames > 0);
    assert_int_equal(recording->frame(recording, recording->frames - 1, 1, NULL, pose, wrench), TN_OK);
    for (size_t k = 0; k < 7 * recording->tracks; k++)
        assert_true(isfinite(pose[k]));
    for (size_t k = 0; k < 6 * recording->wrenches; k++)
        assert_true(!knows_forces || isfinite(wrench[k]));
    tn_recording_close(recording);
}

/* The forces on a weight in balance, and on the ground, are those of gravity, also behind the last row. */
static void interrupted_runs_have_the_forces_of_their_end(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL), *table = tn_format("%s/sensors.csv", results);
    (void)tn_write("model.toml", balanced);
    const tn_child child =
        tn_start(TENON_BINARY, TN_WORDS("run", "model.toml", "--quiet", "--out", results, "--set",
                                        "solver.end_time=1e6", "--set", "output.interval=10"));
    for (int tries = 0; tries < 3000; tries++) {
        tn_checkpoint_wait(0.01);
        if (tn_checkpoint_exists(table) && strstr(tn_read(table), "\n10,")) break;
    }
    (void)kill(child.process, SIGTERM);
    assert_int_equal(tn_await(child).status, 128 + SIGTERM);
    check_last_frame(results, true);
    check_balance(results);
}

static void failed_runs_keep_their_last_frame(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    (void)tn_write("model.toml", tn_format("%s%s", balanced,
                                           "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = "
                                           "'block'\nvalue = ['SQRT(0.5 - time)', 0, 0]\n"));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", "model.toml", "--quiet", "--out", results));
    if (outcome.status != 1) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    check_last_frame(results, false);
    if (!tn_has_plugin("glb")) return;
    const tn_outcome made = tn_tenon(TN_WORDS("convert", results, "--to", "glb"));
    assert_int_equal(made.status, 0);
    assert_string_equal(made.errors, "");
}

static void logs_of_other_versions_are_refused(void **state)
{
    (void)state;
    const char *results = run(spinning, NULL), *path = tn_format("%s/rows.tnl", results);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 10, SEEK_SET), 0);
    assert_true(fputs("7", file) >= 0);
    assert_int_equal(fclose(file), 0);
    const tn_outcome outcome = tn_tenon(TN_WORDS("convert", results, "--to", "csv"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS(path, "is of another version of Tenon: its format is `7`"));
}

static void guarded_runs_have_the_same_log(void **state)
{
    (void)state;
    const char *right = run(spinning, TN_WORDS("--set", "solver.end_time=0.1")),
               *guarded = run(spinning, TN_WORDS("--set", "solver.end_time=0.1", "--guard"));
    tn_recording *one = tn_record_open(right), *other = tn_record_open(guarded);
    assert_int_equal(one->frames, other->frames);
    assert_int_equal(one->table[0].rows, other->table[0].rows);
    tn_recording_close(one);
    tn_recording_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_table),
        cmocka_unit_test(rows_are_read_piece_by_piece),
        cmocka_unit_test(frames_are_within_their_tolerance),
        cmocka_unit_test(frames_resolve_fast_motions_between_rows),
        cmocka_unit_test(frames_follow_their_settings),
        cmocka_unit_test(wrenches_are_those_that_act),
        cmocka_unit_test(killed_runs_are_recovered),
        cmocka_unit_test(a_full_disk_keeps_the_rows_before),
        cmocka_unit_test(folders_without_results_are_refused),
        cmocka_unit_test(runs_that_fail_have_a_whole_log),
        cmocka_unit_test(interrupted_runs_have_the_forces_of_their_end),
        cmocka_unit_test(failed_runs_keep_their_last_frame),
        cmocka_unit_test(logs_of_other_versions_are_refused),
        cmocka_unit_test(guarded_runs_have_the_same_log),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

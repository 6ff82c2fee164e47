/* test_contact_runs.c - runs with points of contact (tenon/draft/contacts.h): balls that bounce, pass on their motion, stand on each other,
 * slip and roll; their energies, states, changes, threads; mistakes of elements and solvers */
#include "harness.h"

#include <tenon/tenon.h>

#include <math.h>

static const char *plugins;

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    const char *balls = tn_build_test_plugin("balls"), *solver = tn_build_test_plugin("contact_euler");
    const char *other = tn_build_test_plugin("impulse_euler");
    plugins = tn_format("[plugins]\nballs = '%s'\ncontact_euler = '%s'\nimpulse_euler = '%s'\n", balls,
                        solver, other);
    return balls && solver && other ? 0 : 1;
}

#define GRAVITY "[model]\ngravity = [0, 0, -10]\n"
#define SENSOR(name, element, output) \
    "[[sensor]]\nname = '" name "'\nelement = '" element "'\noutput = '" output "'\n"
#define BALL(name, x, z, more)                                                                         \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.008, 0.008, 0.008]\n" \
    "position = [" x ", 0, " z "]\n" more "\n"
#define CONTACT(balls, more)                                                                         \
    "[[element]]\nname = 'contact'\ntype = 'balls'\nradius = 0.1\nfloor = 'ground'\nballs = [" balls \
    "]\n" more "\n"
#define EULER(end, more) "[solver]\ntype = 'contact_euler'\nend_time = " end "\nstep = 1e-3\n" more "\n"
#define BALANCE "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n"

static tn_outcome run_model(const char *model, const char *word)
{
    const char *file = tn_write("model.toml", tn_format("%s%s", plugins, model));
    return tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", "results", word));
}

/* The run prints no message; so its check of energies has found no fault. */
static const tn_csv_table *simulate(const char *model, const char *word)
{
    const tn_outcome run = run_model(model, word);
    if (run.status != 0 || run.errors[0]) fail_msg("exit %d: %s", run.status, run.errors);
    return tn_sensors(tn_scratch_path("results"));
}

static double largest(const tn_csv_table *table, const char *column, double from, double to)
{
    const size_t place = tn_column_of(table, column);
    double found = -HUGE_VAL;
    for (size_t row = 0; row < table->rows; row++) {
        const double time = table->value[row * table->columns];
        if (time >= from && time <= to) found = fmax(found, table->value[row * table->columns + place]);
    }
    return found;
}

/* ---- motions --------------------------------------------------------------------------------------------- */

#define BOUNCING                                                                                             \
    GRAVITY BALL("ball", "0", "1.1", "") CONTACT("'ball'", "restitution = 0.5") SENSOR(                      \
        "p", "ball", "position") SENSOR("a", "ball", "acceleration") SENSOR("points", "contact", "count")    \
        SENSOR("impulse", "contact", "impulse") SENSOR("floor", "contact", "on_floor")                       \
            SENSOR("last", "contact", "on_last") SENSOR(                                                     \
                "lost", "contact",                                                                           \
                "dissipated_energy") "[[sensor]]\nname = 'force'\nexpression = 'FZ(ball, ground)'\n" BALANCE \
                EULER("3", "")

/* From 1 m with restitution 1/2: it hits at sqrt(0.2) s, comes up to 1/4 m, 1/16 m, ..., and comes to rest. */
static void a_ball_bounces_as_high_as_its_restitution_lets_it(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(BOUNCING, NULL);
    assert_true(fabs(largest(t, "p.z", 0.6, 0.8) - 0.35) < 5e-3);
    assert_true(fabs(largest(t, "p.z", 1.0, 1.2) - 0.1625) < 5e-3);
    assert_true(fabs(tn_value_at(t, "p.z", 3.0) - 0.1) < 1e-9);
    /* and then the floor carries it */
    assert_true(tn_value_at(t, "points", 0.2) == 0.0 && tn_value_at(t, "points", 3.0) == 1.0);
    assert_true(fabs(tn_value_at(t, "impulse", 3.0) - 0.02) < 1e-9);
    assert_true(fabs(tn_value_at(t, "floor.2", 3.0) + 20.0) < 1e-6);
    assert_true(fabs(tn_value_at(t, "last.2", 3.0) - 20.0) < 1e-6);
    assert_true(fabs(tn_value_at(t, "force", 3.0) - 20.0) < 1e-6 && tn_value_at(t, "force", 0.2) == 0.0);
    assert_true(fabs(tn_value_at(t, "a.z", 3.0)) < 1e-6 && tn_value_at(t, "a.z", 0.2) == -10.0);
    /* m g 1 m, less what the scheme is wrong by at impacts */
    assert_true(fabs(tn_value_at(t, "lost", 3.0) - 20.0) < 0.2);
    assert_true(fabs(tn_value_at(t, "balance", 3.0) - tn_value_at(t, "balance", 0.0)) < 0.2);
}

/* What one loses the next one has: the last of ten leaves with the velocity of the first. */
static void ten_balls_in_a_row_pass_on_their_motion(void **state)
{
    (void)state;
    const char *model = BALL("b0", "-0.31", "1", "velocity = [1, 0, 0]"), *names = "'b0'";
    for (int k = 1; k < 10; k++) {
        model =
            tn_format("%s[[element]]\nname = 'b%d'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.008, 0.008, "
                      "0.008]\nposition = [%g, 0, 1]\n",
                      model, k, 0.21 * (k - 1));
        names = tn_format("%s, 'b%d'", names, k);
    }
    for (int k = 0; k < 10; k++)
        model = tn_format("%s[[sensor]]\nname = 'v%d'\nelement = 'b%d'\noutput = 'velocity'\n", model, k, k);
    model = tn_format(
        "%s[[element]]\nname = 'contact'\ntype = 'balls'\nradius = 0.1\nfloor = 'ground'\nballs = "
        "[%s]\nrestitution = 1\n" SENSOR("lost", "contact", "dissipated_energy") BALANCE EULER("0.5", ""),
        model, names);
    const tn_csv_table *t = simulate(model, NULL);
    for (int k = 0; k < 10; k++)
        assert_true(fabs(tn_value_at(t, tn_format("v%d.x", k), 0.5) - (k == 9)) < 1e-9);
    assert_true(fabs(tn_value_at(t, "lost", 0.5)) < 1e-9);
    assert_true(fabs(tn_value_at(t, "balance", 0.5) - 1.0) < 1e-9);
}

/* Each bears what stands on it. */
static void ten_balls_stand_on_each_other(void **state)
{
    (void)state;
    const char *model = GRAVITY, *names = "'b0'";
    for (int k = 0; k < 10; k++) {
        model =
            tn_format("%s[[element]]\nname = 'b%d'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.008, 0.008, "
                      "0.008]\nposition = [0, 0, %g]\n",
                      model, k, 0.1 + 0.2 * k);
        if (k) names = tn_format("%s, 'b%d'", names, k);
    }
    const tn_csv_table *t = simulate(
        tn_format("%s[[element]]\nname = 'contact'\ntype = 'balls'\nradius = 0.1\nfloor = 'ground'\nballs = "
                  "[%s]\nfriction = 0.5\n" SENSOR("floor", "contact", "on_floor")
                      SENSOR("last", "contact", "on_last") SENSOR("points", "contact", "count")
                          SENSOR("p", "b9", "position") EULER("0.1", ""),
                  model, names),
        NULL);
    assert_true(tn_value_at(t, "points", 0.1) == 10.0);
    assert_true(fabs(tn_value_at(t, "floor.2", 0.1) + 200.0) < 1e-6);
    assert_true(fabs(tn_value_at(t, "last.2", 0.1) - 20.0) < 1e-6);
    assert_true(fabs(tn_value_at(t, "p.z", 0.1) - 1.9) < 1e-9);
}

/* It slips with -mu g until 2 v/(7 mu g), and rolls with 5/7 v from then on; friction has taken 1/7 of m v^2. */
static void a_ball_that_slips_comes_to_roll(void **state)
{
    (void)state;
    const tn_csv_table *t =
        simulate(GRAVITY BALL("ball", "0", "0.1", "velocity = [0.7, 0, 0]")
                     CONTACT("'ball'", "friction = 0.2") SENSOR("v", "ball", "velocity")
                         SENSOR("slip", "contact", "slip") SENSOR("floor", "contact", "on_floor")
                             SENSOR("lost", "contact", "dissipated_energy") BALANCE EULER("0.3", ""),
                 NULL);
    assert_true(fabs(tn_value_at(t, "v.x", 0.05) - 0.6) < 1e-9);
    assert_true(fabs(tn_value_at(t, "slip", 0.05) - 0.35) < 1e-9);
    assert_true(fabs(tn_value_at(t, "floor.0", 0.05) - 4.0) < 1e-7);
    assert_true(fabs(tn_value_at(t, "floor.4", 0.05) - 20.0 * (0.7 * 0.05 - 0.5 * 2.0 * 0.05 * 0.05)) < 0.02);
    assert_true(tn_value_at(t, "slip", 0.09) > 0.01 && tn_value_at(t, "slip", 0.101) < 1e-9);
    assert_true(fabs(tn_value_at(t, "v.x", 0.3) - 0.5) < 1e-9 && fabs(tn_value_at(t, "floor.0", 0.3)) < 1e-7);
    assert_true(fabs(tn_value_at(t, "lost", 0.3) - 2.0 * 0.49 / 7.0) < 1e-9);
    assert_true(fabs(tn_value_at(t, "balance", 0.3) - tn_value_at(t, "balance", 0.0)) < 1e-9);
}

/* A cube that turns while it falls lands on changing corners. */
#define TUMBLING(name, x)                                                             \
    "[[element]]\nname = '" name                                                      \
    "'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.0133, 0.0133, 0.0133]\nposition " \
    "= [" x                                                                           \
    ", 0, 0.4]\nangular_velocity = [3, 1, 2]\nvelocity = [0.3, 0.1, 0]\n" SENSOR("p" name, name, "position")
#define COARSE "accuracy = 1e-5"
#define CUBES                                                                                              \
    GRAVITY TUMBLING("a", "0") TUMBLING("b", "1") CONTACT("'a', {element = 'b', position = [0.02, 0, 0]}", \
                                                          "cubes = 1\nfriction = 0.4\nrestitution = 0.3")  \
        SENSOR("points", "contact", "count") SENSOR("lost", "contact", "dissipated_energy")                \
            SENSOR("floor", "contact", "on_floor")

static void cubes_come_to_rest(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(CUBES EULER("2", COARSE), NULL);
    assert_true(fabs(tn_value_at(t, "floor.2", 2.0) + 40.0) < 1e-4);
    assert_true(fabs(tn_value_at(t, "pa.z", 2.0) - 0.1) < 1e-4);
    assert_true(tn_value_at(t, "points", 2.0) == 8.0);
}

/* ---- states, changes, threads, guard --------------------------------------------------------------------- */

static tenon_model *open_model(const char *file)
{
    const char *const path[] = {TENON_PLUGINS};
    const tenon_options options = {
        .size = sizeof options, .plugin_paths = path, .plugin_path_count = 1, .trust = 1};
    tenon_model *model = NULL;
    if (tenon_open_file(file, &options, &model) != TENON_OK) fail_msg("%s", tenon_reason(model));
    return model;
}

/* As many steps of both, which are the same. */
static void step_both(tenon_model *first, tenon_model *second)
{
    enum { NUMBERS = 64 };
    double sensor[2][NUMBERS] = {{0}};
    tenon_model *const model[2] = {first, second};
    for (int m = 0; m < 2; m++) {
        assert_int_equal(tenon_step(model[m]), TENON_OK);
        assert_true(tenon_sensor_count(model[m]) < NUMBERS);
        assert_int_equal(tenon_sensor_values(model[m], sensor[m]), TENON_OK);
    }
    assert_memory_equal(sensor[0], sensor[1], sizeof sensor[0]);
}

/* While cubes tumble, with other points each time: into a model that stands at its start, and back again. */
static void saved_states_go_on_alike(void **state)
{
    (void)state;
    const char *file = tn_write("saved.toml", tn_format("%s" CUBES EULER("2", COARSE), plugins));
    tenon_model *first = open_model(file), *second = open_model(file);
    for (int k = 0; k < 10; k++) {
        size_t size = 0, written = 0;
        for (int n = 0; n < 60; n++)
            assert_int_equal(tenon_step(first), TENON_OK);
        assert_int_equal(tenon_save(first, NULL, 0, &size), TENON_OK);
        char *bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(tenon_save(first, bytes, size, &written), TENON_OK);
        assert_int_equal(written, size);
        for (int n = 0; n < 3; n++)
            assert_int_equal(tenon_step(first), TENON_OK);
        assert_int_equal(tenon_restore(first, bytes, size), TENON_OK);
        assert_int_equal(tenon_restore(second, bytes, size), TENON_OK);
        free(bytes);
        for (int n = 0; n < 30; n++)
            step_both(first, second);
    }
    tenon_close(first);
    tenon_close(second);
}

/* Without its element the floor is no longer there; it is again, further down in time. */
static void an_element_that_is_switched_off_has_no_points(void **state)
{
    (void)state;
    const tn_csv_table *t =
        simulate(GRAVITY BALL("ball", "0", "0.1", "") CONTACT("'ball'", "") SENSOR("p", "ball", "position")
                     SENSOR("floor", "contact", "on_floor") SENSOR("a", "ball", "acceleration") BALANCE
                 "[[change]]\ntime = 0.1\nelement = 'contact'\nactive = false\n" EULER("0.3", ""),
                 NULL);
    assert_true(fabs(tn_value_at(t, "floor.2", 0.099) + 20.0) < 1e-9);
    assert_true(tn_value_at(t, "floor.2", 0.2) == 0.0 && tn_value_at(t, "a.z", 0.2) == -10.0);
    assert_true(fabs(tn_value_at(t, "p.z", 0.3) - (0.1 - 5.0 * 0.04)) < 2e-3);
}

/* Three elements with 24 cubes each: 576 corners. */
static const char *many_cubes(void)
{
    const char *model = "";
    for (int e = 0; e < 3; e++) {
        const char *names = "";
        for (int k = 0; k < 24; k++) {
            model = tn_format(
                "%s[[element]]\nname = 'b%d'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.0133, 0.0133, "
                "0.0133]\nposition = [%d, %d, 0.11]\nangular_velocity = [0.1, 0.%d, 1]\nvelocity = [0, 0, "
                "-1]\n",
                model, 24 * e + k, k, e, k);
            names = tn_format("%s%s'b%d'", names, k ? ", " : "", 24 * e + k);
        }
        model = tn_format(
            "%s[[element]]\nname = 'c%d'\ntype = 'balls'\ncubes = 1\nradius = 0.1\nfriction = "
            "0.3\nfloor = 'ground'\nballs = [%s]\n[[sensor]]\nname = 's%d'\nelement = 'c%d'\noutput = "
            "'on_floor'\n",
            model, e, names, e, e);
    }
    return model;
}

static void results_do_not_depend_on_threads(void **state)
{
    (void)state;
    const char *model = many_cubes(), *text[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        (void)simulate(tn_format("%s" EULER("0.01", "margin = 1\nthreads = %d"), model, k ? 4 : 1), NULL);
        text[k] = tn_read(tn_scratch_path("results/sensors.csv"));
    }
    assert_string_equal(text[0], text[1]);
}

static void the_guard_changes_nothing(void **state)
{
    (void)state;
    (void)simulate(CUBES EULER("0.4", COARSE), NULL);
    const char *alone = tn_read(tn_scratch_path("results/sensors.csv"));
    (void)simulate(CUBES EULER("0.4", COARSE), "--guard");
    assert_string_equal(alone, tn_read(tn_scratch_path("results/sensors.csv")));
}

/* ---- mistakes -------------------------------------------------------------------------------------------- */

static void check_refusal(const char *model, const char *word, const char *const *words)
{
    const tn_outcome run = run_model(model, word);
    assert_int_not_equal(run.status, 0);
    tn_check_holds(run.errors, words);
}

#define RESTING(more) \
    GRAVITY BALL("ball", "0", "0.1", "") BALL("other", "1", "0.1", "") CONTACT("'ball', 'other'", more)

static void elements_that_break_their_word_are_named(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        NULL, "gives points that are not ordered by first marker, second marker and feature",
        "gives two points with the same markers and feature", "gives a point of a marker that is not there",
        "gives a point whose normal has not the length 1"};
    for (int k = 1; k <= 4; k++)
        check_refusal(tn_format(RESTING("cubes = %d\nmistake = %d") EULER("1", ""), k == 1, k), NULL,
                      TN_WORDS("balls", "`points`", wrong[k], "for `contact` (", "model.toml:"));
    check_refusal(RESTING("friction = -1") EULER("1", ""), NULL,
                  TN_WORDS("whose friction is not a number of at least 0", "`contact`"));
    check_refusal(RESTING("restitution = 2") EULER("1", ""), NULL,
                  TN_WORDS("whose restitution is not between 0 and 1", "`contact`"));
    check_refusal(RESTING("mistake = 7") EULER("1", ""), NULL, TN_WORDS("it does not want to", "contact"));
}

static void the_guard_finds_who_writes_where_it_reads(void **state)
{
    (void)state;
    check_refusal(RESTING("mistake = 5") EULER("1", ""), "--guard",
                  TN_WORDS("changes `pose`, which is read-only", "`points`", "`contact`"));
    check_refusal(RESTING("mistake = 6") EULER("1", ""), "--guard",
                  TN_WORDS("changes `d`, which is read-only", "`points`", "`contact`"));
}

static void solvers_without_impulses_are_refused(void **state)
{
    (void)state;
    check_refusal(RESTING("") "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-3\n", NULL,
                  TN_WORDS("model.toml:", "`rk` finds no impulses", "points of contact of `contact` (balls)",
                           "take a solver by impulses, such as `moreau`"));
    const tn_outcome silent =
        run_model(RESTING("silent = 1") "[solver]\ntype = 'rk'\nend_time = 0.1\nstep = 1e-3\n", NULL);
    assert_int_equal(silent.status, 0);
}

/* One that gives rows a meaning, but knows nothing of points. */
static void solvers_that_do_not_ask_for_points_are_refused(void **state)
{
    (void)state;
    check_refusal(
        RESTING("") EULER("1", "deaf = 1"), NULL,
        TN_WORDS("contact_euler", "took a step without asking for the points of contact of `contact`"));
    check_refusal(
        RESTING("") "[solver]\ntype = 'impulse_euler'\nend_time = 1\nstep = 1e-3\n", NULL,
        TN_WORDS("impulse_euler", "took a step without asking for the points of contact of `contact`"));
}

/* What errors of the impulses leave of their velocities is no reason to repeat a step. */
static void bodies_at_rest_take_about_one_problem_in_a_step(void **state)
{
    (void)state;
    static const char *const solvers[] = {"gauss_seidel", "projected_newton", "admm"};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        const char *results = tn_scratch_path(NULL);
        const tn_outcome outcome = tn_tenon(
            TN_WORDS("run", TENON_SOURCE_DIR "/configs/contact/stack.toml", "--out", results, "--set",
                     "solver.end_time=0.2", "--set", tn_format("solver.constraint_solver=%s", solvers[k])));
        if (outcome.status != 0) fail_msg("%s: %s", solvers[k], outcome.errors);
        const double problems = tn_run_number(results, "run.statistics.impulse_problems");
        if (!(problems <= 2.0 * 200)) fail_msg("%s: %g problems in 200 steps", solvers[k], problems);
        const double top = tn_value_at(tn_sensors(results), "top", 0.2);
        if (!(fabs(top - 98.1) <= 1e-4)) fail_msg("%s: %.9g N on top", solvers[k], top);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_as_high_as_its_restitution_lets_it),
        cmocka_unit_test(ten_balls_in_a_row_pass_on_their_motion),
        cmocka_unit_test(ten_balls_stand_on_each_other),
        cmocka_unit_test(a_ball_that_slips_comes_to_roll),
        cmocka_unit_test(cubes_come_to_rest),
        cmocka_unit_test(bodies_at_rest_take_about_one_problem_in_a_step),
        cmocka_unit_test(saved_states_go_on_alike),
        cmocka_unit_test(an_element_that_is_switched_off_has_no_points),
        cmocka_unit_test(results_do_not_depend_on_threads),
        cmocka_unit_test(the_guard_changes_nothing),
        cmocka_unit_test(elements_that_break_their_word_are_named),
        cmocka_unit_test(the_guard_finds_who_writes_where_it_reads),
        cmocka_unit_test(solvers_without_impulses_are_refused),
        cmocka_unit_test(solvers_that_do_not_ask_for_points_are_refused),
    };
    return cmocka_run_group_tests_name("contact runs", tests, set_up, tn_scratch_close);
}

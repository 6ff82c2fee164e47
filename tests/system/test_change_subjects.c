/* test_change_subjects.c - everything that [[change]] tables can change: parameters, markers, activity; also in copies
 * and in parts */
#include "harness.h"

#include <math.h>

#define CHANGE(what) "[[change]]\n" what "\n"
#define SENSOR(name, of, output) "[[sensor]]\nname = '" name "'\n" of "\noutput = '" output "'\n"
#define RK "[solver]\ntype = 'rk'\nstep = 0.01\nend_time = 1\n"

static double value(const tn_csv_table *run, size_t row, const char *column)
{
    return tn_csv_value(run, row, tn_column_of(run, column));
}

static void check_near(double value, double right, double tolerance)
{
    if (!(fabs(value - right) <= tolerance)) fail_msg("%.17g is not %.17g", value, right);
}

/* ---- as if the model had been written so ----------------------------------------------------------------- */

/* A body on a spring with all loads; the places of the keys that a test replaces are empty. */
static const char *model_with(const char *spring, const char *body, const char *load, const char *tip,
                              const char *rest)
{
    return tn_format(
        "[model]\ngravity = [0, 1, -9.81]\n"
        "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.05, 0.08, 0.1]\n"
        "com = [0.1, 0, 0]\n%s"
        "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'body'\n%s"
        "[[element]]\nname = 'spring'\ntype = 'spring_damper'\n"
        "markers = [{ element = 'ground', position = [0, 0, 1] }, 'tip']\n%s"
        "[[element]]\nname = 'other'\ntype = 'spring_damper'\nstiffness = 30\n"
        "markers = [{ element = 'ground', position = [1, 0, 1] }, 'tip']\n"
        "[[element]]\nname = 'load'\ntype = 'force'\nmarkers = ['tip']\nlocal = true\n%s"
        "[[element]]\nname = 'twist'\ntype = 'torque'\nmarkers = ['tip']\nvalue = [0.1, 0, 0]\nlocal = "
        "true\n" SENSOR("p", "element = 'body'", "position") SENSOR("v", "element = 'body'", "velocity")
            SENSOR("a", "element = 'body'", "acceleration") SENSOR("R", "element = 'body'", "rotation")
                SENSOR("tip", "marker = 'tip'", "position") SENSOR("f", "element = 'spring'", "force") "%s",
        body, tip, spring, load, rest);
}

#define SPRING "stiffness = 50\n"
#define LOAD "value = [1, 0, 0]\n"
#define PLACE "position = [0.1, 0, 0.3]\n"

/* A change at the start gives the same run as a model with the new value. */
static void test_changes_at_the_start_are_as_if_written(void **state)
{
    (void)state;
    static const struct pair {
        const char *spring, *body, *load, *tip, *change;
    } pairs[] = {
        {"stiffness = 80\n", "", LOAD, PLACE, "element = 'spring'\nparameter = 'stiffness'\nvalue = 80"},
        {SPRING "damping = 3\n", "", LOAD, PLACE,
         "element = 'spring'\nparameter = 'damping'\nvalue = '3 [N s/m]'"},
        {SPRING "reference_length = 0.4\n", "", LOAD, PLACE,
         "element = 'spring'\nparameter = 'reference_length'\nvalue = '400 [mm]'"},
        {SPRING "force = -7\n", "", LOAD, PLACE, "element = 'spring'\nparameter = 'force'\nvalue = -7"},
        {SPRING "velocity_offset = 0.2\ndamping = 0\n", "", LOAD, PLACE,
         "element = 'spring'\nparameter = 'velocity_offset'\nvalue = 0.2"},
        {SPRING "active = false\n", "", LOAD, PLACE, "element = 'spring'\nactive = false"},
        {SPRING, "gravity_scale = 0.3\n", LOAD, PLACE,
         "element = 'body'\nparameter = 'gravity_scale'\nvalue = 0.3"},
        {SPRING, "", "value = [0, 2, 'sin(3*time)']\n", PLACE,
         "element = 'load'\nparameter = 'value'\nvalue = [0, 2, 'sin(3*time)']"},
        {SPRING, "", LOAD "active = false\n", PLACE, "element = 'load'\nactive = false"},
        {SPRING, "", LOAD, "position = [0.2, -0.1, 0.3]\n", "marker = 'tip'\nposition = [0.2, -0.1, 0.3]"},
        {SPRING, "", LOAD, PLACE "rotation = { axis = [1, 1, 0], angle = 0.5 }\n",
         "marker = 'tip'\nrotation = { axis = [1, 1, 0], angle = 0.5 }"},
        {SPRING, "", LOAD, "position = [0.1, 0, 0]\n", "marker = 'tip'\nposition = [0.1, 0, 0]"}};
    static const char *const solvers[] = {
        RK, "[solver]\ntype = 'generalized_alpha'\nstep = 0.01\nend_time = 0.3\n",
        "[solver]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-7\nend_time = 0.3\n"};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
            const struct pair *pair = &pairs[k];
            const tn_csv_table *written =
                tn_simulate(model_with(pair->spring, pair->body, pair->load, pair->tip, solvers[s]), NULL);
            const tn_csv_table *changed =
                tn_simulate(model_with(SPRING, "", LOAD, PLACE,
                                       tn_format(CHANGE("time = 0\n%s") "%s", pair->change, solvers[s])),
                            NULL);
            assert_int_equal(changed->rows, written->rows);
            for (size_t row = 0; row < changed->rows; row++)
                for (size_t c = 0; c < 25; c++)
                    if (!(fabs(tn_csv_value(changed, row, c) - tn_csv_value(written, row, c)) <= 1e-11))
                        fail_msg("%s at row %zu, column %zu: %.17g instead of %.17g", pair->change, row, c,
                                 tn_csv_value(changed, row, c), tn_csv_value(written, row, c));
        }
}

/* ---- values ---------------------------------------------------------------------------------------------- */

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
#define VELOCITY SENSOR("v", "element = 'mass'", "velocity") SENSOR("a", "element = 'mass'", "acceleration")

/* A number gives way to an expression of time, which gives way to a number. */
static void test_expressions_begin_and_end(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        MASS
        "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['mass']\nvalue = [1, '2*time', 3]\n" CHANGE(
            "time = 0.3\nelement = 'push'\nparameter = 'value'\nvalue = ['cos(time)', 0, '4*time']")
            CHANGE("time = 0.605\nelement = 'push'\nparameter = 'value'\nvalue = [2, '1/(1 + time)', 0]")
                VELOCITY RK,
        NULL);
    check_near(tn_value_at(run, "v.x", 0.3), 0.3, 1e-12);
    check_near(tn_value_at(run, "v.x", 0.605), 0.3 + sin(0.605) - sin(0.3), 1e-10);
    check_near(tn_value_at(run, "v.x", 1.0), 0.3 + sin(0.605) - sin(0.3) + 2.0 * 0.395, 1e-10);
    check_near(tn_value_at(run, "v.y", 0.605), 0.09, 1e-12);
    check_near(tn_value_at(run, "v.y", 1.0), 0.09 + log(2.0 / 1.605), 1e-10);
    check_near(tn_value_at(run, "v.z", 1.0), 0.9 + 2.0 * (0.605 * 0.605 - 0.09), 1e-10);
    check_near(tn_value_at(run, "a.x", 0.3), cos(0.3), 1e-15);
    check_near(tn_value_at(run, "a.y", 0.605), 1.0 / 1.605, 1e-15);
}

/* What is an expression stays one when another parameter changes, and while the element is not active. */
static void test_other_expressions_go_on(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        MASS "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nforce = "
             "'time'\n" CHANGE("time = 0.2\nelement = 'spring'\nparameter = 'stiffness'\nvalue = 2")
                 CHANGE("time = 0.4\nelement = 'spring'\nactive = false")
                     CHANGE("time = 0.6\nelement = 'spring'\nactive = true")
                         SENSOR("f", "element = 'spring'", "force_local")
                             SENSOR("L", "element = 'spring'", "distance") RK,
        NULL);
    for (size_t row = 0; row < run->rows; row++) {
        const double t = tn_csv_value(run, row, 0), length = value(run, row, "L");
        const bool off = t > 0.4 - 1e-9 && t < 0.6 - 1e-9;
        check_near(value(run, row, "f"), off ? 0.0 : t + (t < 0.2 - 1e-9 ? 0.0 : 2.0 * length), 1e-12);
    }
}

/* ---- markers --------------------------------------------------------------------------------------------- */

/* One that stands at the centre of mass until it moves, used as point and frame by several. */
static void test_a_marker_moves(void **state)
{
    (void)state;
    static const char *const types[] = {"frame", "point"};
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *run = tn_simulate(
            tn_format(
                "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 0.5]\n"
                "[[marker]]\nname = 'tip'\ntype = '%s'\nelement = 'body'\n"
                "[[element]]\nname = 'pull'\ntype = 'spring_damper'\nforce = 1\n"
                "markers = [{ element = 'ground', position = [0, 100, 0] }, 'tip']\n"
                "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['tip']\nvalue = [0, 3, 0]\n" CHANGE(
                    "time = 0.505\nmarker = 'tip'\nposition = [0.25, 0, 0]")
                    SENSOR("p", "marker = 'tip'", "position")
                        SENSOR("alpha", "element = 'body'", "angular_acceleration")
                            SENSOR("a", "element = 'body'", "acceleration")
                                SENSOR("body", "element = 'body'", "position") RK,
                types[k]),
            NULL);
        for (size_t row = 0; row < run->rows; row++) {
            const bool moved = tn_csv_value(run, row, 0) > 0.505 - 1e-9;
            if (!moved) check_near(value(run, row, "p.x") - value(run, row, "body.x"), 0.0, 0.0);
            if (!moved) check_near(value(run, row, "alpha.z"), 0.0, 0.0);
            check_near(value(run, row, "a.y"), 2.0, 1e-3);
        }
        check_near(tn_value_at(run, "p.x", 0.505), 0.25, 1e-15);
        check_near(tn_value_at(run, "alpha.z", 0.505), 4.0 * 0.25 / 0.5, 1e-5);
    }
}

/* Those of the ground, too; the spring feels it. */
static void test_a_marker_of_the_ground_moves(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        MASS
        "[[marker]]\nname = 'anchor'\ntype = 'point'\nelement = 'ground'\n"
        "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['anchor', 'mass']\nstiffness = 5\n"
        "reference_length = 1\n" CHANGE("time = 0.5\nmarker = 'anchor'\nposition = [-1, 0, 0]") VELOCITY RK,
        NULL);
    check_near(tn_value_at(run, "v.x", 0.49), 0.0, 0.0);
    check_near(tn_value_at(run, "a.x", 0.5), -5.0, 1e-15);
    check_near(tn_value_at(run, "v.x", 1.0), -sqrt(5.0) * sin(sqrt(5.0) * 0.5), 1e-7);
}

/* ---- copies and parts ------------------------------------------------------------------------------------ */

static void test_changes_of_copies(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate("[model]\ngravity = [0, 0, -10]\n[[repeat]]\ncount = 3\n"
                    "element = [{ name = 'mass_{i}', type = 'mass_point', mass = 1 }]\n"
                    "sensor = [{ name = 'a_{i}', element = 'mass_{i}', output = 'acceleration' }]\n"
                    "change = [{ time = '0.1*(i + 1)', element = 'mass_{i}', parameter = 'gravity_scale', "
                    "value = 'i + 2', "
                    "when = 'i < 2' }]\n[[repeat.repeat]]\ncount = 2\nvariable = 'j'\n"
                    "change = [{ time = '0.5 + 0.1*j', element = 'mass_{i}', parameter = 'gravity_scale', "
                    "value = '10*i + j' }]\n" RK,
                    NULL);
    for (int i = 0; i < 3; i++) {
        const char *column = tn_format("a_%d.z", i);
        const double first = 0.1 * (i + 1);
        check_near(tn_value_at(run, column, first - 0.01), -10.0, 0.0);
        check_near(tn_value_at(run, column, first), i < 2 ? -10.0 * (i + 2) : -10.0, 0.0);
        check_near(tn_value_at(run, column, 0.5), -100.0 * i, 0.0);
        check_near(tn_value_at(run, column, 0.6), -100.0 * i - 10.0, 0.0);
    }
}

/* A part changes its own things under its own names; the model around it names them in full. */
static void test_changes_of_parts(void **state)
{
    (void)state;
    (void)tn_write(
        "leg.toml",
        "[parameters]\nlater = 0.2\n[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\n" CHANGE(
            "time = 'later'\nelement = 'mass'\nparameter = 'gravity_scale'\nvalue = 2"));
    const tn_csv_table *run =
        tn_simulate("[model]\ngravity = [0, 0, -10]\n[[part]]\nname = 'left'\nfile = 'leg.toml'\n"
                    "[[part]]\nname = 'right'\nfile = 'leg.toml'\nparameters = { later = 0.4 }\n" CHANGE(
                        "time = 0.6\nelement = 'left.mass'\nparameter = 'gravity_scale'\nvalue = 3")
                        SENSOR("l", "element = 'left.mass'", "acceleration")
                            SENSOR("r", "element = 'right.mass'", "acceleration") RK,
                    NULL);
    check_near(tn_value_at(run, "l.z", 0.19), -10.0, 0.0);
    check_near(tn_value_at(run, "l.z", 0.2), -20.0, 0.0);
    check_near(tn_value_at(run, "r.z", 0.39), -10.0, 0.0);
    check_near(tn_value_at(run, "r.z", 0.4), -20.0, 0.0);
    check_near(tn_value_at(run, "l.z", 0.6), -30.0, 0.0);
    check_near(tn_value_at(run, "r.z", 0.6), -20.0, 0.0);
}

/* ---- what the type has to say ---------------------------------------------------------------------------- */

static const char *watched(const char *changes)
{
    static const char *plugin;
    if (!plugin) plugin = tn_build_test_plugin("watched");
    return tn_format("[plugins]\nwatched = '%s'\n" MASS "[[element]]\nname = 'w'\ntype = 'watched'\n"
                     "markers = ['mass']\n%s" SENSOR("seen", "element = 'w'", "seen") RK,
                     plugin, changes);
}

#define WATCHED(time, parameter, value) \
    CHANGE("time = " time "\nelement = 'w'\nparameter = '" parameter "'\nvalue = " value)

/* Its type judges all that is changed at one time together. */
static void test_a_type_refuses_a_value(void **state)
{
    (void)state;
    const char *model = tn_write("refused.toml", watched(WATCHED("0.5", "low", "3")));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--trust"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors,
                   TN_WORDS("refused.toml:12:1: error: ", "the limits are in the wrong order"));
    (void)tn_simulate(watched(WATCHED("0.5", "low", "3") WATCHED("0.5", "high", "4")), TN_WORDS("--trust"));
    (void)tn_simulate(watched(WATCHED("0.5", "high", "-1") WATCHED("0.5", "low", "-2")), TN_WORDS("--trust"));
}

/* Places are those of the part that the change stands in. */
static void test_a_place_moves_with_its_part(void **state)
{
    (void)state;
    (void)watched(""); /* the plugin */
    (void)tn_write(
        "moved.toml",
        MASS "[[element]]\nname = 'w'\ntype = 'watched'\nmarkers = ['mass']\nplace = [1, 0, 0]\n" CHANGE(
            "time = 0.3\nelement = 'w'\nparameter = 'place'\nvalue = [2, 0, 1]"));
    const tn_csv_table *run = tn_simulate(
        tn_format(
            "[plugins]\nwatched = '%s'\n[[part]]\nname = 'part'\nfile = 'moved.toml'\nposition = [10, 0, 0]\n"
            "rotation = { axis = [0, 0, 1], angle = '90 [deg]' }\n" CHANGE(
                "time = 0.6\nelement = 'part.w'\nparameter = 'place'\nvalue = [2, 0, 1]")
                SENSOR("p", "element = 'part.w'", "place") RK,
            tn_scratch_path("watched.so")),
        TN_WORDS("--trust"));
    const double times[] = {0.0, 0.3, 0.6}, places[][3] = {{10, 1, 0}, {10, 2, 1}, {2, 0, 1}};
    for (int k = 0; k < 3; k++) {
        check_near(tn_value_at(run, "p.x", times[k]), places[k][0], 1e-14);
        check_near(tn_value_at(run, "p.y", times[k]), places[k][1], 1e-14);
        check_near(tn_value_at(run, "p.z", times[k]), places[k][2], 1e-14);
    }
}

/* An accepted step belongs to the model that it was taken with. */
static void test_elements_hear_of_a_step_before_the_change(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(watched(WATCHED("0", "low", "-1") WATCHED("0.5", "low", "-2")), TN_WORDS("--trust"));
    check_near(tn_value_at(run, "seen", 0.0), -1.0, 0.0);
    check_near(tn_value_at(run, "seen", 0.5), -1.0, 0.0);
    check_near(tn_value_at(run, "seen", 0.51), -2.0, 0.0);
}

/* A solver that does not land on a change would silently give another run. */
static void test_stepping_over_a_change_is_an_error(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(
        &world,
        MASS "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n" CHANGE(
            "time = 0.5\nelement = 'spring'\nactive = false") RK,
        NULL, NULL);
    assert_int_equal(tn_world_begin(&world), TN_OK);
    assert_int_equal(world.system->accept(world.system), TN_OK);
    world.system->time = 0.51;
    assert_int_equal(world.system->accept(world.system), TN_FATAL);
    tn_check_holds(world.assembly->failures.reason, TN_WORDS("0.51 s", "stepped over a change"));
    tn_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes_at_the_start_are_as_if_written),
                                       cmocka_unit_test(test_expressions_begin_and_end),
                                       cmocka_unit_test(test_other_expressions_go_on),
                                       cmocka_unit_test(test_a_marker_moves),
                                       cmocka_unit_test(test_a_marker_of_the_ground_moves),
                                       cmocka_unit_test(test_changes_of_copies),
                                       cmocka_unit_test(test_changes_of_parts),
                                       cmocka_unit_test(test_a_type_refuses_a_value),
                                       cmocka_unit_test(test_a_place_moves_with_its_part),
                                       cmocka_unit_test(test_elements_hear_of_a_step_before_the_change),
                                       cmocka_unit_test(test_stepping_over_a_change_is_an_error)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_fast_turns.c - angles that turn by more than half a turn in a step: they are counted by the rates, and doubtful counts
 * are warned of */
#include "harness.h"

#include <math.h>

#define BODY(name, more) \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n" more
#define JOINT(name, kind, markers) \
    "[[element]]\nname = '" name "'\ntype = '" kind "'\nmarkers = " markers "\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define ANGLE(name, element) "[[sensor]]\nname = '" name "'\nelement = '" element "'\noutput = 'angle'\n"
#define SEEN JOINT("spring", "torsional_spring_damper", "['ground', 'a']") ANGLE("seen", "spring")

static const char *const solvers[] = {"generalized_alpha", "rk", "gsl_ode"};
static const char doubt[] = "turns of its angle may be miscounted";

/* The results, and what was said. */
static const tn_csv_table *simulate(const char *model, const char **errors)
{
    const char *results = tn_scratch_path(NULL), *file = tn_write("turns.toml", model);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    if (errors) *errors = outcome.errors;
    return tn_sensors(results);
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    while ((text = strstr(text, word)) != NULL)
        found++, text++;
    return found;
}

static void check_last(const tn_csv_table *run, const char *column, double value, double tolerance)
{
    const double got = tn_csv_value(run, run->rows - 1, tn_column_of(run, column));
    if (!(fabs(got - value) <= tolerance)) fail_msg("%s ends at %.12g, not %.12g", column, got, value);
}

/* ---- constant rates -------------------------------------------------------------------------------------- */

/* Two wheels on hinges that turn as their gear wants it: it has nothing to do, whatever the step. */
static const char *gears(double speed, const char *joint, const char *solver, double per_step)
{
    return tn_format(BODY("a", "angular_velocity = [0, 0, %g]\n")
                         BODY("b", "position = [1, 0, 0]\nangular_velocity = [0, 0, %g]\n")
                             JOINT("ja", "%s", "['ground', 'a']") JOINT(
                                 "jb", "%s",
                                 "[{ element = 'ground', position = [1, 0, 0] }, "
                                 "'b']") "[[element]]\nname = "
                                         "'gear'\ntype = 'gear'\n"
                                         "markers = [{ element = 'ja', "
                                         "coordinate = 'angle' }, { "
                                         "element = 'jb', coordinate = "
                                         "'angle' }]\nratio = -2\n" SEEN ANGLE("a", "ja") ANGLE("b", "jb")
                                             SENSOR("wa", "WZ(a)") SENSOR("wb", "WZ(b)")
                                                 SENSOR("measured", "AZ(a)") "[solver]\ntype = "
                                                                             "'%s'\nstep = "
                                                                             "%.17g\nend_time = 1\n",
                     speed, -0.5 * speed, joint, joint, solver, fabs(per_step / speed));
}

static void test_gears_do_not_notice_how_long_the_step_is(void **state)
{
    (void)state;
    static const double per_step[] = {0.5, 3, 4, 7}, speed[] = {400, -400};
    static const char *const joints[] = {"revolute", "cylindrical", "planar"};
    for (size_t s = 0; s < 3; s++)
        for (size_t p = 0; p < 4; p++)
            for (size_t d = 0; d < 2; d++) {
                const tn_csv_table *run =
                    simulate(gears(speed[d], joints[(s + p) % 3], solvers[s], per_step[p]), NULL);
                check_last(run, "wa", speed[d], 1e-6);
                check_last(run, "wb", -0.5 * speed[d], 1e-6);
                const double a = tn_csv_value(run, run->rows - 1, tn_column_of(run, "a"));
                check_last(run, "b", -0.5 * a, 1e-6);
                check_last(run, "seen", a, 1e-6);
                check_last(run, "measured", a, 1e-6);
                if (s == 0) check_last(run, "a", speed[d], 1e-6); /* which turns constant rates exactly */
            }
}

static void test_constant_rates_leave_no_doubt(void **state)
{
    (void)state;
    const char *errors = NULL;
    (void)simulate(gears(400, "revolute", "generalized_alpha", 7), &errors);
    assert_int_equal(count(errors, doubt), 0);
}

/* ---- rates that change ----------------------------------------------------------------------------------- */

#define DISC BODY("a", "") JOINT("hinge", "revolute", "['ground', 'a']")
#define ALL_ANGLES SEEN ANGLE("hinge", "hinge") SENSOR("measured", "AZ(a)")

/* From rest, by 80 rad/s^2: in steps of 0.2 s the rate may be off by 1.6 rad in a step, in those of 0.5 s by 10 rad. */
static const char *spun_up(const char *solver, double step)
{
    return tn_format(DISC ALL_ANGLES "[[element]]\nname = 'drive'\ntype = 'torque'\nmarkers = ['a']\nvalue = "
                                     "[0, 0, 80]\n[solver]\ntype = '%s'\nstep = %g\nend_time = 2\n",
                     solver, step);
}

static void test_a_disc_is_spun_up_from_rest(void **state)
{
    (void)state;
    static const double step[] = {1e-3, 0.1, 0.2, 0.5};
    for (size_t k = 0; k < 4; k++) {
        const char *errors = NULL;
        const tn_csv_table *run = simulate(spun_up("generalized_alpha", step[k]), &errors);
        check_last(run, "hinge", 160, 1e-6);
        check_last(run, "seen", 160, 1e-6);
        check_last(run, "measured", 160, 1e-6);
        assert_int_equal(count(errors, doubt), step[k] > 0.15 ? 3 : 0);
    }
}

/* Once for each angle of a run, with its name and its place. */
static void test_a_doubt_is_told_once(void **state)
{
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        const char *errors = NULL;
        (void)simulate(spun_up(solvers[s], 0.2), &errors);
        assert_int_equal(count(errors, doubt), 3);
        tn_check_holds(errors, TN_WORDS("turns.toml:6:1: warning: hinge: at time 0.2 s: its rate changes",
                                        "turns.toml:10:1: warning: spring: at time 0.2 s: its rate changes",
                                        "warning: az(a, 0): at time 0.2 s: its rate changes"));
    }
}

/* The rate is the same at both ends of every step, and the way is not what it tells: half a turn is in doubt. */
static void test_an_angle_that_goes_another_way_than_its_rates_is_in_doubt(void **state)
{
    (void)state;
    const char *errors = NULL;
    (void)simulate(
        DISC ANGLE("hinge",
                   "hinge") "[[element]]\nname = 'drive'\ntype = 'motion'\njoint = 'hinge'\n"
                            "value = 'time*PI/4 - SIN(PI*time/2)/2'\n[solver]\ntype = 'generalized_alpha'\n"
                            "step = 4\nend_time = 8\n",
        &errors);
    assert_int_equal(count(errors, doubt), 1);
}

/* ---- where time stands still ----------------------------------------------------------------------------- */

/* A drive is switched on that turns the other way: the rate jumps, and the next step goes by the new one. */
static void test_a_change_that_renews_the_rate(void **state)
{
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        const char *errors = NULL;
        const tn_csv_table *run = simulate(
            tn_format(BODY("a", "angular_velocity = [0, 0, 400]\n") JOINT(
                          "hinge", "revolute",
                          "['ground', 'a']") "[[element]]\nname = 'drive'\ntype = 'motion'\njoint = 'hinge'\n"
                                             "level = 'velocity'\nvalue = -300\nactive = false\n"
                                             "[[change]]\ntime = 0.5\nelement = 'drive'\n"
                                             "active = true\n" ALL_ANGLES
                                             "[solver]\ntype = '%s'\nstep = %g\nend_time = 1\n",
                      solvers[s], s ? 1e-3 : 0.01),
            &errors);
        const double tolerance = s ? 0.5 : 1e-6; /* explicit solvers follow a turning body less exactly */
        check_last(run, "hinge", 50, tolerance);
        check_last(run, "seen", 50, tolerance);
        check_last(run, "measured", 50, tolerance);
        assert_int_equal(count(errors, doubt), 0);
    }
}

/* The second solver begins later: nothing has turned since the first one ended. */
static void test_a_gap_between_solvers(void **state)
{
    (void)state;
    const char *errors = NULL;
    const tn_csv_table *run =
        simulate(BODY("a", "angular_velocity = [0, 0, 400]\n") JOINT("hinge", "revolute", "['ground', 'a']")
                     ALL_ANGLES "[[solver]]\ntype = 'generalized_alpha'\nstep = 0.01\nend_time = 0.5\n"
                                "[[solver]]\ntype = 'generalized_alpha'\nstep = 0.01\nstart_time = 10\n"
                                "end_time = 10.5\n",
                 &errors);
    check_last(run, "hinge", 400, 1e-6);
    check_last(run, "seen", 400, 1e-6);
    check_last(run, "measured", 400, 1e-6);
    assert_int_equal(count(errors, doubt), 0);
}

/* ---- other angles ---------------------------------------------------------------------------------------- */

static void test_a_driven_angle_and_a_spring_on_it(void **state)
{
    (void)state;
    const tn_csv_table *run = simulate(
        DISC ANGLE(
            "hinge",
            "hinge") "[[element]]\nname = 'drive'\ntype = 'motion'\njoint = 'hinge'\n"
                     "value = '500*time'\n"
                     "[[element]]\nname = 'coil'\ntype = 'coordinate_spring_damper'\n"
                     "markers = ['ground', { element = 'hinge', coordinate = 'angle' }]\nstiffness = 2\n"
                     "[[sensor]]\nname = 'effort'\nelement = 'drive'\noutput = 'effort'\n"
                     "[solver]\ntype = 'generalized_alpha'\nstep = 0.01\nend_time = 1\n",
        NULL);
    check_last(run, "hinge", 500, 1e-6);
    check_last(run, "effort", 1000, 1e-4);
}

/* A joint with two angles, the first of which turns fast while the second one is bent. */
static void test_a_universal_joint(void **state)
{
    (void)state;
    const tn_csv_table *run = simulate(
        BODY("a", "angular_velocity = [500, 0, 0]\n")
            JOINT("cross", "universal",
                  "['ground', 'a']") "[[sensor]]\nname = 'angle_1'\nelement = 'cross'\noutput = 'angle_1'\n"
                                     "[solver]\ntype = 'generalized_alpha'\nstep = 0.01\nend_time = 1\n",
        NULL);
    check_last(run, "angle_1", 500, 1e-6);
}

/* An axis passes the one that it is measured against by a thousandth of a radian: its azimuth turns by half a turn there, a
 * thousand times faster than the body, and by no turn more, wherever the steps end. */
static void test_an_axis_that_passes_close_to_the_one_it_is_seen_along(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        const tn_csv_table *run = simulate(
            tn_format(BODY("a",
                           "rotation = { axis = [1, 0, 0], angle = 1e-3 }\nangular_velocity = [0, -2, 0]\n"
                           "com = [0, 0, 0]\n")
                          SENSOR("azimuth", "AZ(a)") "[solver]\ntype = 'generalized_alpha'\nstep = "
                                                     "0.02\nstart_time = %.17g\nend_time = 1.5\n",
                      1e-3 * k),
            NULL);
        const double got = tn_csv_value(run, run->rows - 1, tn_column_of(run, "azimuth"));
        if (!(fabs(got) < 3.2)) fail_msg("start %d: %.12g", k, got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gears_do_not_notice_how_long_the_step_is),
        cmocka_unit_test(test_constant_rates_leave_no_doubt),
        cmocka_unit_test(test_a_disc_is_spun_up_from_rest),
        cmocka_unit_test(test_a_doubt_is_told_once),
        cmocka_unit_test(test_an_angle_that_goes_another_way_than_its_rates_is_in_doubt),
        cmocka_unit_test(test_a_change_that_renews_the_rate),
        cmocka_unit_test(test_a_gap_between_solvers),
        cmocka_unit_test(test_a_driven_angle_and_a_spring_on_it),
        cmocka_unit_test(test_a_universal_joint),
        cmocka_unit_test(test_an_axis_that_passes_close_to_the_one_it_is_seen_along)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_motion.c - joints and distances that are driven by functions of time, and the effort that it takes */
#include "harness.h"

#include <math.h>

static const char *const solvers[] = {"type = 'generalized_alpha'", "type = 'generalized_alpha'\nindex = 2",
                                      "type = 'rk'", "type = 'gsl_ode'"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

/* The same motions of an arm on a hinge and of a block along a line, given at the three levels. */
static const struct {
    const char *level, *angle, *way;
} levels[] = {{"level = 'displacement'\n", "0.5*SIN(2*TIME)", "0.1*TIME**2"},
              {"level = 'velocity'\n", "COS(2*TIME)", "0.2*TIME"},
              {"level = 'acceleration'\n", "-2*SIN(2*TIME)", "0.2"}};
enum { LEVELS = sizeof levels / sizeof *levels };

static const char *model_of(int level)
{
    return tn_format(
        "[model]\ngravity = [0, 0, -9.81]\n"
        "[[element]]\nname = 'arm'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n"
        "position = [0.5, 0, 0]\n[[marker]]\nname = 'end'\ntype = 'frame'\nelement = 'arm'\nposition = "
        "[-0.5, 0, 0]\n"
        "rotation = { axis = [1, 0, 0], angle = '-90 [deg]' }\n"
        "[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = [{ element = 'ground', rotation = { axis "
        "= "
        "[1, 0, 0], angle = '-90 [deg]' } }, 'end']\n"
        "[[element]]\nname = 'drive'\ntype = 'motion'\njoint = 'hinge'\ncoordinate = 'angle'\nvalue = "
        "'%s'\n%s%s"
        "[[element]]\nname = 'block'\ntype = 'rigid_body'\nmass = 3\ninertia = [0.1, 0.1, 0.1]\n"
        "position = [0, 2, 0]\n"
        "[[element]]\nname = 'lift'\ntype = 'motion'\nmarkers = ['ground', 'block']\ndirection = [0, 0, 2]\n"
        "value = '%s'\n%s"
        "[[sensor]]\nname = 'angle'\nelement = 'hinge'\noutput = 'angle'\n"
        "[[sensor]]\nname = 'torque'\nelement = 'drive'\noutput = 'effort'\n"
        "[[sensor]]\nname = 'way'\nexpression = 'DZ(block)'\n"
        "[[sensor]]\nname = 'force'\nelement = 'lift'\noutput = 'effort'\n",
        levels[level].angle, levels[level].level, level == 2 ? "initial_velocity = 1\n" : "",
        levels[level].way, levels[level].level);
}

static void expect(const tn_csv_table *run, const char *column, double time, double value, double tolerance)
{
    const double found = tn_value_at(run, column, time);
    if (!(fabs(found - value) <= tolerance))
        fail_msg("%s(%g) = %.12g instead of %.12g", column, time, found, value);
}

/* The torque carries the weight and accelerates; the z axis of the hinge is the ground's y axis. */
static void test_all_levels_give_the_motion_and_its_effort(void **state)
{
    (void)state;
    for (int level = 0; level < LEVELS; level++)
        for (int s = 0; s < SOLVERS; s++) {
            const tn_csv_table *run =
                tn_simulate(tn_format("%s[solver]\n%s\nend_time = 1\nstep = 1e-3\n[output]\ninterval = 0.1\n",
                                      model_of(level), solvers[s]),
                            NULL);
            for (int k = 0; k <= 10; k++) {
                const double time = 0.1 * k, angle = 0.5 * sin(2.0 * time);
                expect(run, "angle", time, angle, 1e-6);
                expect(run, "torque", time, -2.0 * sin(2.0 * time) * (0.2 + 2.0 * 0.25) - 9.81 * cos(angle),
                       1e-4);
                expect(run, "way", time, 0.1 * time * time, 1e-8);
                expect(run, "force", time, 3.0 * (9.81 + 0.2), 1e-6);
            }
        }
}

static void expect_refusal(const char *motion, const char *words)
{
    const tn_outcome run = tn_tenon(TN_WORDS(
        "check",
        tn_write("wrong.toml",
                 tn_format("[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                           "[[element]]\nname = 'slide'\ntype = 'cylindrical'\nmarkers = ['ground', 'b']\n"
                           "[[element]]\nname = 'm'\ntype = 'motion'\n%s\n",
                           motion))));
    assert_int_equal(run.status, 2);
    tn_check_holds(run.errors, TN_WORDS(words));
}

static void test_wrong_motions_are_refused(void **state)
{
    (void)state;
    expect_refusal("joint = 'slide'\nvalue = 'TIME'", "`coordinate` must name one of its coordinates");
    expect_refusal("joint = 'slide'\ncoordinate = 'angel'\nvalue = 'TIME'", "did you mean `angle`?");
    expect_refusal("joint = 'slide'\ncoordinate = 'angle'\nvalue = 'DX(b)'",
                   "15:9: error: `m` is driven by a function of time");
    expect_refusal("joint = 'b'\nvalue = 'TIME'",
                   "b: it is a body, not a joint: set `coordinate` to one of its position (x, y, z)");
    expect_refusal(
        "joint = { element = 'slide', coordinate = 'angle' }\ncoordinate = 'translation'\nvalue = 'TIME'",
        "error: `coordinate` is given twice: here, and as `translation` of `m`");
    expect_refusal("value = 'TIME'", "a motion drives a `joint`, or two `markers` along a `direction`");
    expect_refusal("markers = ['ground', 'b']\nvalue = 'TIME'", "`markers` need a `direction`");
    expect_refusal("joint = 'slide'\ncoordinate = 'angle'\nvalue = 'TIME'\ninitial_velocity = 1",
                   "only an acceleration has an initial velocity");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_levels_give_the_motion_and_its_effort),
                                       cmocka_unit_test(test_wrong_motions_are_refused)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

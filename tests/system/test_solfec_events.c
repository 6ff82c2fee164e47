/* test_solfec_events.c - Solfec's constraints where something happens: limits of strokes, strengths, starts that do not fit, places where
 * they become active; and what is refused */
#include "harness.h"

#include <math.h>

static const char *const fixed[] = {"type = 'generalized_alpha'\nstep = 1e-3\n",
                                    "type = 'generalized_alpha'\nindex = 2\nstep = 1e-3\n",
                                    "type = 'rk'\nstep = 1e-3\n"};
static const char *const adaptive[] = {"type = 'rk'\nadaptive = true\nrelative_tolerance = 1e-9\n",
                                       "type = 'radau'\nrelative_tolerance = 1e-9\n"};
enum { FIXED = sizeof fixed / sizeof *fixed, SOLVERS = FIXED + sizeof adaptive / sizeof *adaptive };

static const char *solver(int s) { return s < FIXED ? fixed[s] : adaptive[s - FIXED]; }

static const tn_csv_table *run(const char *model, int s, double end)
{
    return tn_simulate(
        tn_format("%s[solver]\n%send_time = %g\n[output]\ninterval = 0.05\n", model, solver(s), end), NULL);
}

/* The warnings of a run that ends as it should. */
static const char *warnings_of(const char *model, int s, double end)
{
    const char *file =
        tn_write("warned.toml", tn_format("%s[solver]\n%send_time = %g\n", model, solver(s), end));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 0);
    return outcome.errors;
}

static void near_value(const tn_csv_table *found, const char *column, double time, double value, double most)
{
    const double is = tn_value_at(found, column, time);
    if (!(fabs(is - value) <= most))
        fail_msg("%s(%g) = %.12g instead of %.12g, to %g", column, time, is, value, most);
}

/* What holds a point against its weight: the first ones wherever it is. */
static const char *const holds[] = {"type = 'fixed_point'\n",
                                    "type = 'fixed_direction'\ndirection = [0, 0, 1]\n",
                                    "type = 'set_velocity'\ndirection = [0, 0, 1]\nvalue = 0\n",
                                    "type = 'set_displacement'\ndirection = [0, 0, 1]\nvalue = 0\n",
                                    "type = 'set_acceleration'\ndirection = [0, 0, 1]\nvalue = 0\n"};
enum { HOLD_ANYWHERE = 3, HOLDS = sizeof holds / sizeof *holds };

/* ---- limits of a stroke ---------------------------------------------------------------------------------- */

/* A body flies away from a pinned one, to and fro between the limits: 0.04 m in 0.04 s. */
static const char flight[] =
    "[[element]]\nname = 'a'\ntype = 'mass_point'\nmass = 1\nvelocity = [-1, 0, 0]\n"
    "[[element]]\nname = 'w'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
    "[[element]]\nname = 'pin'\ntype = 'fixed_point'\nmarkers = ['w']\n"
    "[[element]]\nname = 's'\ntype = 'put_spring'\nmarkers = ['a', 'w']\nlimits = [-0.02, 0.02]\n%s\n"
    "[[sensor]]\nname = 'x'\nelement = 'a'\noutput = 'position'\n"
    "[[sensor]]\nname = 'v'\nelement = 'a'\noutput = 'velocity'\n"
    "[[sensor]]\nname = 'stroke'\nelement = 's'\noutput = 'stroke'\n";

static void test_limits_rebound_without_loss(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *found = run(tn_format(flight, ""), s, 1);
        const double late = s < FIXED ? 0.03 : 1e-8; /* steps of a fixed length turn back at their ends */
        near_value(found, "v.x", 0.05, 1, 1e-9);
        near_value(found, "v.x", 0.85, 1, 1e-9);
        near_value(found, "v.x", 0.95, -1, 1e-9);
        near_value(found, "x.x", 0.05, 0.01, late);
        for (size_t r = 0; r < found->rows; r++)
            assert_true(fabs(tn_csv_value(found, r, tn_column_of(found, "stroke"))) < 0.02 + 1.1e-3);
    }
}

/* Impacts at 0.02 and, with half the speed, 0.04/0.5 s later. */
static void test_limits_rebound_by_their_restitution(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *found = run(tn_format(flight, "restitution = 0.5"), s, 0.2);
        near_value(found, "v.x", 0.05, 0.5, 1e-9);
        near_value(found, "v.x", 0.15, -0.25, 1e-9);
        near_value(found, "x.x", 0.05, -0.02 + 0.5 * 0.03, s < FIXED ? 3e-3 : 1e-8);
    }
}

/* A ball falls 0.2 m onto the lower limit, bounces, rests there, and is lifted off at 3 s. */
static const char drop[] =
    "[model]\ngravity = [0, 0, -10]\n"
    "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 2\nposition = [0, 0, 1]\n"
    "[[element]]\nname = 's'\ntype = 'put_spring'\nmarkers = ['b', 'ground']\ndirection = [0, 0, 2]\n"
    "limits = [-0.2, 0.5]\nrestitution = %g\nforce_function = 'IF(TIME - 3: 0, 0, 60)'\n"
    "[[sensor]]\nname = 'z'\nelement = 'b'\noutput = 'position'\n"
    "[[sensor]]\nname = 'R'\nelement = 's'\noutput = 'R'\n";

static void test_a_stroke_rests_at_its_limit_until_it_is_drawn_back(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int e = 0; e < 2; e++) {
            const tn_csv_table *found = run(tn_format(drop, 0.5 * e), s, 3.2);
            /* rebounds at 0.2, 0.4, 0.5, 0.55 ... s */
            if (e) near_value(found, "z.z", 0.3, 0.85, s < FIXED ? 5e-3 : 1e-8);
            for (int k = 0; k < 4; k++) {
                near_value(found, "z.z", 0.8 + 0.7 * k, 0.8, 1e-6);
                near_value(found, "R.z", 0.8 + 0.7 * k, 20, 1e-4);
            }
            near_value(found, "z.z", 3.2, 0.8 + 0.5 * 20 * 0.04, s < FIXED ? 5e-3 : 1e-5);
        }
}

/* Rows of other constraints share an impact: a pendulum of two boxes, as in Solfec's chain, keeps its energy. */
/* Wherever in a step it arrives: the reactions of some solvers swing behind the impact, and do not let it go. */
static void test_a_limit_that_is_met_within_a_step_holds(void **state)
{
    (void)state;
    static const char model[] =
        "[model]\ngravity = [0, 0, -9.81]\n"
        "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 1\nposition = [0, 0, -1]\n"
        "[[element]]\nname = 's'\ntype = 'put_spring'\nmarkers = ['b', 'ground']\nlimits = [-0.5, %.17g]\n"
        "restitution = %g\n[[sensor]]\nname = 'stroke'\nelement = 's'\noutput = 'stroke'\n";
    for (int s = 0; s < SOLVERS; s++)
        for (int k = 0; k < 6; k++) {
            const double upper = 0.1 + 1e-4 * (k / 2);
            const tn_csv_table *found = run(tn_format(model, upper, 0.5 * (k % 2)), s, 2);
            for (int t = 1; t < 10; t++)
                near_value(found, "stroke", 1 + 0.1 * t, upper, 1e-6);
        }
}

/* Held at its limit, a stroke that the spring lets go moves inwards, and stays there when the spring acts again. */
static void test_limits_that_act_again_leave_the_stroke_where_it_is(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 1\nposition = [0, 0, -1]\n"
        "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['b']\n"
        "value = [0, 0, 'IF(time - 0.5: -10, 2, 2)']\n"
        "[[element]]\nname = 's'\ntype = 'put_spring'\nmarkers = ['b', 'ground']\nlimits = [-0.5, 0.1]\n"
        "restitution = 0\n[[change]]\ntime = 0.5\nelement = 's'\nactive = false\n"
        "[[change]]\ntime = 0.9\nelement = 's'\nactive = true\n"
        "[[sensor]]\nname = 'stroke'\nelement = 's'\noutput = 'stroke'\n";
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *found = run(model, s, 1);
        near_value(found, "stroke", 0.5, 0.1, 1e-6);
        near_value(found, "stroke", 0.85, 0.1 - 0.35 * 0.35, 1e-3);
        near_value(found, "stroke", 1, 0.1 - 0.25, 1e-3);
    }
}

static void test_an_impact_leaves_other_constraints_satisfied(void **state)
{
    (void)state;
    const char *model =
        tn_format("%s[[element]]\nname = 'stop'\ntype = 'put_spring'\nmarkers = ['ground', { element = 'b', "
                  "position = [-0.5, 0, 0] }]\n"
                  "limits = [-0.1, 0.6]\n[[sensor]]\nname = 'kinetic'\nsystem = 'kinetic_energy'\n"
                  "[[sensor]]\nname = 'stroke'\nelement = 'stop'\noutput = 'stroke'\n",
                  tn_read(TENON_SOURCE_DIR "/tests/reference/solfec/two_boxes.toml"));
    for (int s = FIXED; s < SOLVERS; s++) {
        const tn_csv_table *found = run(model, s, 1.5);
        double largest = 0.0;
        for (size_t r = 0; r < found->rows; r++) {
            const double height = tn_csv_value(found, r, tn_column_of(found, "a.z")) +
                                  tn_csv_value(found, r, tn_column_of(found, "b.z")) - 0.1;
            const double energy = tn_csv_value(found, r, tn_column_of(found, "kinetic")) + 100.0 * height;
            if (!(fabs(energy) < 1e-5)) fail_msg("the energy is %g J", energy);
            largest = fmax(largest, tn_csv_value(found, r, tn_column_of(found, "stroke")));
            assert_true(tn_csv_value(found, r, tn_column_of(found, "gap")) < 1e-9);
        }
        assert_true(largest < 0.6 + 1e-9);
    }
}

/* ---- strengths ------------------------------------------------------------------------------------------- */

/* A pendulum that starts level: the tension is 3 m g sin(angle), 40 N at the height -40/(3 m g). */
static const char pendulum[] =
    "[model]\ngravity = [0, 0, -9.8]\n"
    "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 2\nposition = [1, 0, 0]\n"
    "[[element]]\nname = 'link'\ntype = 'rigid_link'\nmarkers = ['b', 'ground']\n%s\n"
    "[[sensor]]\nname = 'z'\nelement = 'b'\noutput = 'position'\n"
    "[[sensor]]\nname = 'v'\nelement = 'b'\noutput = 'velocity'\n"
    "[[sensor]]\nname = 'R'\nelement = 'link'\noutput = 'R'\n"
    "[[sensor]]\nname = 'broken'\nelement = 'link'\noutput = 'broken'\n";

static void test_a_link_breaks_at_its_strength(void **state)
{
    (void)state;
    const double sine = 40.0 / (3.0 * 2.0 * 9.8), speed = sqrt(2.0 * 9.8 * sine);
    for (int s = 0; s < SOLVERS; s++) {
        const char *model = tn_format(pendulum, "strength_tension = 40");
        const tn_csv_table *found = run(model, s, 1);
        near_value(found, "broken", 0.35, 0, 0);
        near_value(found, "broken", 0.4, 1, 0);
        near_value(found, "R.z", 1, 0, 0);
        /* free fall from there on: its speed along x stays */
        near_value(found, "v.x", 1, -speed * sine, s < FIXED ? 1e-2 : 1e-6);
        tn_check_holds(warnings_of(model, s, 1), TN_WORDS("link: at time 0.39", "it has broken under 40"));
    }
}

static void test_compression_has_a_strength_of_its_own(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        near_value(run(tn_format(pendulum, "strength_compression = 1"), s, 1), "broken", 1, 0, 0);
        near_value(run(tn_format(pendulum, "strength = 60\nstrength_tension = 40"), s, 1), "broken", 1, 1, 0);
        near_value(run(tn_format(pendulum, "strength = 60"), s, 1), "broken", 1, 0, 0);
    }
}

/* What is too weak for the load of the start breaks in the first step. */
static void test_what_is_overloaded_at_the_start_breaks(void **state)
{
    (void)state;
    for (int k = 0; k < HOLDS; k++)
        for (int s = 0; s < SOLVERS; s++) {
            const char *model = tn_format("[model]\ngravity = [0, 0, -10]\n"
                                          "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 2\n"
                                          "[[element]]\nname = 'c'\n%smarkers = ['m']\nstrength = 19.9\n"
                                          "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n",
                                          holds[k]);
            tn_check_holds(warnings_of(model, s, 0.5), TN_WORDS("c: at time ", "it has broken under 20 N"));
            const char *strong = tn_format("%s[[sensor]]\nname = 'R'\nelement = 'c'\noutput = 'R'\n", model);
            assert_true(tn_value_at(run(strong, s, 0.5), "p.z", 0.5) < -1.15 + (s >= FIXED ? 0.2 : 0.0));
        }
}

/* ---- starts, and places where constraints become active ---------------------------------------------------- */

/* A body of 1 m/s comes to rest at once, and stays. */
static void test_a_fixed_point_stops_a_body_that_moves(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nvelocity = [1, 0, 0]\n"
        "[[element]]\nname = 'c'\ntype = 'fixed_point'\nmarkers = ['m']\n"
        "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n"
        "[[sensor]]\nname = 'R'\nelement = 'c'\noutput = 'R'\n";
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *found = run(model, s, 1);
        near_value(found, "p.x", 1, 0, 1e-14);
        near_value(found, "R.x", 1, 0, 1e-9);
        tn_check_holds(warnings_of(model, s, 1), TN_WORDS("changed its velocity by 1 m/s"));
    }
}

/* Active from 0.1 s on, they hold a falling body where it is then. */
static void test_constraints_hold_where_they_become_active(void **state)
{
    (void)state;
    for (int k = 0; k < HOLD_ANYWHERE; k++)
        for (int s = 0; s < SOLVERS; s++) {
            const char *model =
                tn_format("[model]\ngravity = [0, 0, -10]\n"
                          "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 2, 3]\n"
                          "[[element]]\nname = 'c'\n%smarkers = ['m']\nactive = false\n"
                          "[[change]]\nelement = 'c'\ntime = 0.1\nactive = true\n"
                          "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n"
                          "[[sensor]]\nname = 'R'\nelement = 'c'\noutput = 'R'\n",
                          holds[k]);
            const tn_csv_table *found = run(model, s, 0.5);
            near_value(found, "p.z", 0.1, 2.95, s < FIXED ? 1e-6 : 1e-9);
            near_value(found, "p.z", 0.5, 2.95, s < FIXED ? 1e-6 : 1e-9);
            near_value(found, "R.z", 0.5, 10, 1e-6);
        }
}

/* ---- refusals -------------------------------------------------------------------------------------------- */

static void expect_message(const char *keys, int status, const char *words)
{
    const tn_outcome outcome = tn_tenon(TN_WORDS(
        "check",
        tn_write("wrong.toml",
                 tn_format("[[element]]\nname = 'm'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                           "[[element]]\nname = 'p'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
                           "[[element]]\nname = 'c'\n%s\n",
                           keys))));
    assert_int_equal(outcome.status, status);
    tn_check_holds(outcome.errors, TN_WORDS(words));
}

static void test_wrong_constraints_are_refused(void **state)
{
    (void)state;
    expect_message("type = 'fixed_direction'\nmarkers = ['m']\ndirection = [0, 0, 0]", 2,
                   "15:13: error: c: a direction must not be zero");
    expect_message("type = 'set_velocity'\nmarkers = ['m']\nvalue = 1", 2,
                   "c: the key `direction` is missing");
    expect_message("type = 'set_velocity'\nmarkers = ['m']\ndirection = [1, 0, 0]", 2,
                   "a `value` along a `direction`, or three `values` along a `base`");
    expect_message("type = 'set_velocity'\nmarkers = ['m']\nvalues = [1, 2, 3]\ndirection = [1, 0, 0]", 2,
                   "three `values` have the directions of their `base`");
    expect_message("type = 'set_velocity'\nmarkers = ['m']\nvalues = [1, 2, 'DX(m)']", 2,
                   "`c` is driven by a function of time: it cannot read markers");
    expect_message("type = 'fixed_point'\nmarkers = ['ground']", 2,
                   "c: its marker is on `ground`, which does not move");
    expect_message("type = 'rigid_link'\nmarkers = ['ground', { element = 'ground', position = [1, 0, 0] }]",
                   2, "c: all its markers are on `ground`");
    expect_message("type = 'put_spring'\nmarkers = ['ground', { element = 'ground', position = [1, 0, 0] }]",
                   2, "c: all its markers are on `ground`");
    expect_message("type = 'rigid_link'\nmarkers = ['m', 'ground']\nstrength_tension = 5", 2,
                   "a ball joint has no tension and no compression, but a `strength`");
    expect_message("type = 'rigid_link'\nmarkers = ['m', 'ground']\nstrength = 9\nstrength_compression = 5",
                   2, "16:24: error: c: a ball joint has no tension and no compression, but a `strength`");
    expect_message("type = 'rigid_link'\nmarkers = ['m', 'p']\nlength = 0\nstrength_tension = 5", 2,
                   "a ball joint has no tension and no compression, but a `strength`");
    expect_message("type = 'put_spring'\nmarkers = ['m', 'p']\nlimits = [0.1, 0.2]", 2,
                   "15:10: error: c: the stroke is 0 at the start");
    expect_message("type = 'put_spring'\nmarkers = ['m', 'p']\nrestitution = 1.1", 2,
                   "`restitution` of `c`: 1.1 is out of range: it must be at most 1");
    expect_message("type = 'put_spring'\nmarkers = ['m', 'p']\nfollow = 'first'", 2, "without a `direction`");
    expect_message("type = 'put_spring'\nmarkers = ['m', 'p']\ndirection = [1, 0, 0]\nfollow = 'last'", 2,
                   "a direction cannot follow a point, which has no axes");
    expect_message("type = 'put_spring'\nmarkers = ['m', 'p']\ndirection = [1, 0, 0]\ncouple = true", 2,
                   "only a direction that follows the body of a marker");
    expect_message("type = 'fixed_direction'\nmarkers = ['m']\ndirection = [1, 0, 0]\nfollow = 'first'", 2,
                   "a direction against the ground is fixed in space");
}

static void test_what_may_be_a_mistake_is_said(void **state)
{
    (void)state;
    expect_message("type = 'rigid_link'\nmarkers = ['m', { element = 'ground', position = [1e-9, 0, 0] }]", 0,
                   "note: c: its two points coincide (1e-09 m apart): it is a ball joint");
    expect_message("type = 'fixed_point'\nmarkers = [{ element = 'm', position = [0, 0, 500] }]\n"
                   "[[element]]\nname = 'd'\ntype = 'fixed_point'\nmarkers = [{ element = 'm', position = "
                   "[0.5, 0, 0] }]",
                   0, "warning: c: its marker 1 is 500 m from `m`");
}

static void test_prescriptions_that_contradict_each_other_are_named(void **state)
{
    (void)state;
    const char *file =
        tn_write("contrary.toml",
                 "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                 "[[element]]\nname = 'slow'\ntype = 'set_velocity'\nmarkers = ['m']\ndirection = [1, 0, 0]\n"
                 "value = 1\n[[element]]\nname = 'fast'\ntype = 'set_displacement'\nmarkers = ['m']\n"
                 "direction = [2, 0, 0]\nvalue = '2*TIME'\n[solver]\ntype = 'radau'\nend_time = 1\n");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("`slow` and `fast` contradict each other", "set_velocity `slow`",
                                            "set_displacement `fast`"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_rebound_without_loss),
        cmocka_unit_test(test_limits_rebound_by_their_restitution),
        cmocka_unit_test(test_a_stroke_rests_at_its_limit_until_it_is_drawn_back),
        cmocka_unit_test(test_a_limit_that_is_met_within_a_step_holds),
        cmocka_unit_test(test_limits_that_act_again_leave_the_stroke_where_it_is),
        cmocka_unit_test(test_an_impact_leaves_other_constraints_satisfied),
        cmocka_unit_test(test_a_link_breaks_at_its_strength),
        cmocka_unit_test(test_compression_has_a_strength_of_its_own),
        cmocka_unit_test(test_what_is_overloaded_at_the_start_breaks),
        cmocka_unit_test(test_a_fixed_point_stops_a_body_that_moves),
        cmocka_unit_test(test_constraints_hold_where_they_become_active),
        cmocka_unit_test(test_wrong_constraints_are_refused),
        cmocka_unit_test(test_what_may_be_a_mistake_is_said),
        cmocka_unit_test(test_prescriptions_that_contradict_each_other_are_named),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

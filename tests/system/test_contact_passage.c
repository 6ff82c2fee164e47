/* test_contact_passage.c - shapes that would pass through each other within a step: solvers that choose their steps find the contact, others
 * warn of it */
#include "harness.h"

#include <math.h>

#define BODY(name, mass, position, velocity)                            \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = " mass \
    "\ninertia = [1e-4, 1e-4, 1e-4]\nposition = [" position "]\nvelocity = [" velocity "]\n"
#define SHAPE(name, element, keys) \
    "[[marker]]\nname = '" name "'\ntype = 'shape'\nelement = '" element "'\nmaterial = 'm'\n" keys "\n"
#define TOUCH                                                                                          \
    "[[material_pair]]\na = 'm'\nb = 'm'\nfriction = 0\nrestitution = 1\nstiffness = 1e9\n[[element]]" \
    "\nname = 'touch'\ntype = 'contact'\nlaw = '%s'\nshapes = ['one', 'other']\n"                      \
    "[[sensor]]\nname = 'v'\nexpression = 'VX(ball)'\n"

/* What lies in the way of a small ball: thinner than the way of a step. */
static const char *const obstacles[] = {"kind = 'sphere'\nradius = 0.035",
                                        "kind = 'box'\nsize = [0.01, 0.2, 0.2]",
                                        "kind = 'capsule'\nradius = 0.01\nlength = 0.2"};
enum { OBSTACLES = sizeof obstacles / sizeof *obstacles };

static const char *const solvers[] = {
    "type = 'radau'\ntolerance = 1e-4", "type = 'generalized_alpha'\ntolerance = 1e-6",
    "type = 'rk'\ntolerance = 1e-6", "type = 'gsl_ode'\ntolerance = 1e-6", "type = 'ida'\ntolerance = 1e-6"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static const char *ball_by(const char *law, size_t obstacle, double speed)
{
    return tn_format(
        BODY("ball", "0.17", "-0.2, 0, 0", "%.17g, 0, 0") BODY("target", "0.3", "0, 0, 0", "0, 0, 0")
            SHAPE("one", "ball", "kind = 'sphere'\nradius = 0.028") SHAPE("other", "target", "%s") TOUCH,
        speed, obstacles[obstacle], law);
}

static const char *ball_against(size_t obstacle, double speed) { return ball_by("penalty", obstacle, speed); }

static void test_steps_end_where_contact_begins_however_long_they_may_be(void **state)
{
    (void)state;
    static const double speeds[] = {2, 10, 300};
    for (size_t solver = 0; solver < SOLVERS; solver++)
        for (size_t k = 0; k < 9; k++) {
            const double v = speeds[k % 3], behind = v * (0.17 - 0.3) / 0.47;
            const tn_csv_table *rows =
                tn_simulate(tn_format("%s[solver]\n%s\nend_time = 0.5\n[output]\ninterval = 0.5\n",
                                      ball_against(k / 3, v), solvers[solver]),
                            NULL);
            const double found = tn_value_at(rows, "v", 0.5);
            if (!(fabs(found - behind) <= 2e-3 * v))
                fail_msg("%s, %s, %g m/s: %.9g instead of %.9g", solvers[solver], obstacles[k / 3], v, found,
                         behind);
        }
}

/* A bar that turns by itself: its end goes through the floor and comes out again within a step. */
static void test_the_end_of_a_spinning_bar_meets_the_floor(void **state)
{
    (void)state;
    for (size_t solver = 0; solver < SOLVERS; solver++) {
        const tn_csv_table *rows = tn_simulate(
            tn_format(
                "[[element]]\nname = 'ball'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.01, 0.01]\n"
                "position = [0, 0, 0.29]\nangular_velocity = [0, 3, 0]\n" SHAPE(
                    "one", "ball",
                    "kind = 'capsule'\nradius = 0.01\nlength = 0.6\n"
                    "rotation = { axis = [0, 1, 0], angle = 1.4 }") SHAPE("other", "ground", "kind = 'plane'")
                    TOUCH "[[sensor]]\nname = 'w'\nexpression = 'WY(ball)'\n[solver]\n%s\nend_time = 0.8\n"
                          "[output]\ninterval = 0.8\n",
                "penalty", solvers[solver]),
            NULL);
        if (!(fabs(tn_value_at(rows, "w", 0.8) - 3) > 0.5)) fail_msg("%s passes", solvers[solver]);
    }
}

static void test_fixed_steps_that_pass_through_a_shape_are_warned_of_once(void **state)
{
    (void)state;
    for (int step = 0; step < 2; step++) {
        const char *model = tn_write(
            "passage.toml", tn_format("%s[solver]\ntype = 'generalized_alpha'\nstep = %g\nend_time = 0.2\n",
                                      ball_against(0, 10), step ? 1e-5 : 0.05));
        const tn_outcome outcome = tn_tenon((const char *const[]){"run", model, NULL});
        assert_int_equal(outcome.status, 0);
        static const char words[] = "`one` and `other` have passed through each other";
        const char *found = strstr(outcome.errors, words);
        assert_true(step ? !found : found != NULL);
        if (found) assert_null(strstr(found + 1, words));
    }
}

/* By impulses, too: 300 m/s are 0.3 m in a step of 1 ms, in which it is hit, and 1.5 m in one of 5 ms. Planes have no other side. */
static void test_a_passage_by_impulses_is_warned_of(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *model =
            tn_write("passage.toml", tn_format("%s[solver]\ntype = 'moreau'\nstep = %g\nend_time = 0.05\n",
                                               ball_by("impulse", 0, 300), k ? 5e-3 : 1e-3));
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", model));
        assert_int_equal(outcome.status, 0);
        const char *found =
            strstr(outcome.errors, "`one` and `other` seem to have passed through each other");
        assert_true(k ? found != NULL : !found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_end_where_contact_begins_however_long_they_may_be),
        cmocka_unit_test(test_the_end_of_a_spinning_bar_meets_the_floor),
        cmocka_unit_test(test_fixed_steps_that_pass_through_a_shape_are_warned_of_once),
        cmocka_unit_test(test_a_passage_by_impulses_is_warned_of),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

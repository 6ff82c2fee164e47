/* test_held_accelerations.c - bodies without freedom: accelerations that forces read are those of rest, and the reactions that
 * they read answer the forces that depend on them */
#include "harness.h"

#include <math.h>

#define GRAVITY "[model]\ngravity = [1.3, -2.2, -9.81]\n"
#define BODY(name, place)                                                                                 \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = 2.3\ninertia = [0.1, 0.13, 0.17, 0.01, " \
    "0.02, -0.015]\ncom = [0.11, 0.07, -0.03]\nposition = " place                                         \
    "\nrotation = { euler = 'xyz', angles = [0.3, -0.2, 0.7] }\n"
#define TIP                                                                                              \
    "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'b'\nposition = [0.3, 0.4, 0.1]\nrotation = { " \
    "axis "                                                                                              \
    "= [1, 2, -1], angle = 0.9 }\n"
#define JOINT(name, markers) "[[element]]\nname = '" name "'\ntype = 'fixed'\nmarkers = [" markers "]\n"
#define HELD GRAVITY BODY("b", "[0.1, 0.2, 0.3]") TIP
#define FORCE(name, marker, value) \
    "[[element]]\nname = '" name "'\ntype = 'force'\nmarkers = '" marker "'\nvalue = " value "\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"

static const char *const solvers[] = {"type = 'rk'\n",
                                      "type = 'rk'\norder = 5\nadaptive = true\n",
                                      "type = 'radau'\n",
                                      "type = 'gsl_ode'\nstepper = 'rkf45'\n",
                                      "type = 'gsl_ode'\nstepper = 'rk4imp'\n",
                                      "type = 'gsl_ode'\nstepper = 'bsimp'\n",
                                      "type = 'generalized_alpha'\nindex = 2\n",
                                      "type = 'generalized_alpha'\nindex = 3\n",
                                      "type = 'ida'\n"};
/* ida is there where SUNDIALS is. */
#define SOLVERS (sizeof solvers / sizeof *solvers - (tn_has_plugin("ida") ? 0 : 1))

static const tn_csv_table *run(const char *model, size_t solver)
{
    return tn_simulate(tn_format("%s[solver]\n%sstep = 0.02\nend_time = 0.2\n[output]\ninterval = 0.1\n",
                                 model, solvers[solver]),
                       NULL);
}

/* Round-off of accelerations, some of it divided by steps. */
static void test_forces_read_accelerations_of_held_bodies(void **state)
{
    (void)state;
    static const char *const models[] = {
        HELD JOINT("j", "'ground', 'b'") FORCE("f", "tip", "['1 - 3*ACCX(b)', 0, 0]"),
        HELD JOINT("j", "'ground', 'b'") FORCE("f", "tip", "['1 - 3*WDTM(b)', 'WDTX(tip)', 0]"),
        HELD JOINT("j", "'tip', 'ground'") FORCE("f", "b", "['1 - 3*ACCM(b)', 0, 0]"),
        HELD BODY("c", "[0.8, 0.2, 0.5]") JOINT("j", "'ground', 'b'") JOINT("i", "'tip', 'c'")
            FORCE("f", "c", "['1 - 300*ACCM(c, b)', 0, 'ACCM(tip)']"),
        /* twice the joint: its rows depend on each other */
        HELD BODY("c", "[0.8, 0.2, 0.5]") JOINT("j", "'ground', 'b'") JOINT("i", "'tip', 'c'")
            JOINT("k", "'tip', 'c'") FORCE("f", "c", "['1 - 3*ACCM(c)', 0, 0]")};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (size_t s = 0; s < SOLVERS; s++) {
            const tn_csv_table *table =
                run(tn_format("%s%s", models[k], SENSOR("a", "ACCM(tip)") SENSOR("w", "WDTM(tip)")), s);
            for (size_t row = 0; row < table->rows; row++)
                for (size_t column = 1; column <= 2; column++)
                    if (!(fabs(tn_csv_value(table, row, column)) < 1e-7))
                        fail_msg("model %zu, %s: %g", k, solvers[s], tn_csv_value(table, row, column));
        }
}

/* Forces that balance at rest, of one body that is free. */
static void test_forces_read_accelerations_at_rest(void **state)
{
    (void)state;
    for (size_t s = 0; s < SOLVERS; s++) {
        const tn_csv_table *table =
            run("[model]\ngravity = [0, 0, -9.81]\n[[element]]\nname = 'p'\ntype = 'mass_point'\nmass = 0.7\n"
                "position = [0.3, 0.1, '-1 - 0.7*9.81/130']\n[[element]]\nname = 'spring'\n"
                "type = 'spring_damper'\nmarkers = [{ element = 'ground', position = [0.3, 0.1, 0] }, 'p']\n"
                "stiffness = 130\ndamping = 3\nreference_length = 1\n" FORCE(
                    "f", "p", "['-0.2*ACCX(p)', 0, '-0.5*ACCZ(p)']") SENSOR("a", "ACCM(p)"),
                s);
        assert_true(fabs(tn_value_at(table, "a", 0.2)) < 1e-9);
    }
}

#define LEVEL_BODY "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n"

/* R^2 = F^2 + weight^2 with F = 1 - 9 sin(R/9), which no acceleration tells: alone, and beside a body that falls. */
static void test_reactions_answer_forces_that_read_them(void **state)
{
    (void)state;
    static const char *const others[] = {
        "", "[[element]]\nname = 'p'\ntype = 'mass_point'\nmass = 1e-3\nposition = [5, 0, 0]\n"};
    const double weight = 2.0 * 9.81;
    for (size_t k = 0; k < 2; k++)
        for (size_t s = 0; s < SOLVERS; s++) {
            const tn_csv_table *table =
                run(tn_format("[model]\ngravity = [0, 0, -9.81]\n%s%s", others[k],
                              LEVEL_BODY JOINT("j", "'ground', 'b'")
                                  FORCE("f", "b", "['1 - 9*SIN(JOINT(j,1,1)/9)', 0, 0]")
                                      SENSOR("r", "JOINT(j,1,1)")),
                    s);
            for (size_t row = 0; row < table->rows; row++) {
                const double r = tn_csv_value(table, row, 1), force = 1.0 - 9.0 * sin(r / 9.0);
                if (!(fabs(r - hypot(force, weight)) < 1e-9 * weight))
                    fail_msg("%s: %.17g against %.17g", solvers[s], r, hypot(force, weight));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_read_accelerations_of_held_bodies),
        cmocka_unit_test(test_forces_read_accelerations_at_rest),
        cmocka_unit_test(test_reactions_answer_forces_that_read_them),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_turns.c - angles of expressions count their turns from one accepted step to the next, in every solver */
#include "harness.h"

#include <math.h>

#define WHEEL(name, more) \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = 1\ninertia = [1.5, 1.7, 2]\n" more
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define SPRING(name, markers, value) \
    "[[element]]\nname = '" name "'\ntype = 'torque'\nmarkers = " markers "\nvalue = [0, 0, '" value "']\n"
#define EVERY_TENTH "[output]\ninterval = 0.1\n"

static const char *const solvers[] = {"type = 'generalized_alpha'\nstep = 1e-3\n",
                                      "type = 'rk'\norder = 5\nstep = 0.5\nrelative_tolerance = 1e-9\n",
                                      "type = 'rk'\norder = 5\nstep = 1e-2\n",
                                      "type = 'gsl_ode'\nstepper = 'rkf45'\nrelative_tolerance = 1e-9\n",
                                      "type = 'gsl_ode'\nstepper = 'msbdf'\nrelative_tolerance = 1e-6\n"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static void check_swing(const tn_csv_table *run, const char *column, double start, double amplitude,
                        double tolerance)
{
    for (size_t row = 0; row < run->rows; row++) {
        const double time = tn_csv_value(run, row, 0), value = start + amplitude * sin(time);
        const double got = tn_csv_value(run, row, tn_column_of(run, column));
        if (!(fabs(got - value) <= tolerance))
            fail_msg("%s is %.12g at %g s, not %.12g", column, got, time, value);
    }
}

/* A torque that grows with the angle swings the wheel through more than three turns each way: one turn lost would show. */
static const char swing[] = WHEEL("wheel", "angular_velocity = [0, 0, 21]\n")
    SPRING("spring", "'wheel'", "-2*AZ(wheel)") SENSOR("turned", "AZ(wheel)");

static void test_a_force_follows_the_turns(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run =
            tn_simulate(tn_format("%s" EVERY_TENTH "[solver]\nend_time = 7\n%s", swing, solvers[s]), NULL);
        check_swing(run, "turned", 0.0, 21.0, 0.02);
        assert_true(tn_value_at(run, "turned", 1.5) > 3 * 6.2832);
        assert_true(tn_value_at(run, "turned", 4.7) < -3 * 6.2832);
    }
}

/* Between frames on two bodies that both turn, and travel; their angle at the start is half a turn. */
static void test_the_angle_of_two_moving_bodies(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = tn_simulate(
            tn_format(
                WHEEL("a", "angular_velocity = [0, 0, 14]\nvelocity = [1, 2, 3]\n") WHEEL(
                    "b",
                    "angular_velocity = [0, 0, -7]\n") "[[marker]]\nname = 'on_a'\ntype = 'frame'\nelement = "
                                                       "'a'\n"
                                                       "position = [0.4, 0.1, 0]\nrotation = { axis = [0, 0, "
                                                       "1], angle = 3.141592653589793 }\n"
                                                       "[[marker]]\nname = 'on_b'\ntype = 'frame'\nelement = "
                                                       "'b'\nposition = [0, -0.3, 2]\n" SPRING(
                                                           "spring", "['a', 'b']", "-(AZ(on_a, on_b) - PI)")
                                                           SENSOR("turned", "AZ(on_a, on_b)")
                                                               SENSOR("back", "AZ(on_b, on_a)") EVERY_TENTH
                "[solver]\nend_time = 3\n%s",
                solvers[s]),
            NULL);
        const double pi = 3.141592653589793;
        check_swing(run, "turned", pi, 21.0, 0.02);
        check_swing(run, "back", pi, -21.0, 0.02);
    }
}

/* What was tried and rejected leaves no trace: the first steps go further than a turn. */
static void test_rejected_steps_count_nothing(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    const char *file =
        tn_write("swing.toml", tn_format("%s[solver]\nend_time = 2\n%s", swing,
                                         "type = 'rk'\norder = 5\nstep = 0.5\nrelative_tolerance = 1e-9\n"));
    assert_int_equal(tn_tenon(TN_WORDS("run", file, "--quiet", "--out", results)).status, 0);
    assert_true(tn_run_number(results, "run.statistics.rejected_steps") > 0);
    check_swing(tn_sensors(results), "turned", 0.0, 21.0, 0.02);
}

/* The same expression put in place again after more than one turn, while another body is switched off. */
static void test_a_change_of_the_model_keeps_the_turns(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run =
            tn_simulate(tn_format("%s[[change]]\ntime = 1\nelement = 'spring'\nparameter = 'value'\nvalue = "
                                  "[0, 0, '-2*AZ(wheel)']\n" EVERY_TENTH "[solver]\nend_time = 7\n%s",
                                  swing, solvers[s]),
                        NULL);
        check_swing(run, "turned", 0.0, 21.0, 0.02);
    }
}

/* A second solver goes on where the first one ended. */
static void test_turns_are_kept_from_one_solver_to_the_next(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(tn_format("%s" EVERY_TENTH "[[solver]]\nend_time = 1\n%s[[solver]]\nend_time = 7\n%s",
                              swing, solvers[2], solvers[0]),
                    NULL);
    check_swing(run, "turned", 0.0, 21.0, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_force_follows_the_turns),
                                       cmocka_unit_test(test_the_angle_of_two_moving_bodies),
                                       cmocka_unit_test(test_rejected_steps_count_nothing),
                                       cmocka_unit_test(test_a_change_of_the_model_keeps_the_turns),
                                       cmocka_unit_test(test_turns_are_kept_from_one_solver_to_the_next)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

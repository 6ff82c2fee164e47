/* test_constraint_changes.c - a joint that is switched off lets go at once, and takes hold again when it is switched on */
#include "harness.h"

#include <math.h>

/* A pendulum of 1 m that starts level, and lets go from 0.3 s to 0.6 s. */
#define PENDULUM                                                                                            \
    "[model]\ngravity = [0, 0, -9.81]\n"                                                                    \
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.3]\nposition = [1, " \
    "0, 0]\n"                                                                                               \
    "[[element]]\nname = 'pivot'\ntype = 'spherical'\nmarkers = ['ground', { element = 'body', position = " \
    "[-1, 0, 0] }]\n"                                                                                       \
    "[[sensor]]\nname = 'p'\nelement = 'body'\noutput = 'position'\n"                                       \
    "[[sensor]]\nname = 'v'\nelement = 'body'\noutput = 'velocity'\n"                                       \
    "[[sensor]]\nname = 'a'\nelement = 'body'\noutput = 'acceleration'\n"                                   \
    "[[sensor]]\nname = 'w'\nelement = 'body'\noutput = 'angular_velocity'\n"                               \
    "[[sensor]]\nname = 'force'\nelement = 'pivot'\noutput = 'force'\n"                                     \
    "[[sensor]]\nname = 'error'\nsystem = 'constraint_error'\n"
#define SWITCH(time, active) "[[change]]\ntime = " time "\nelement = 'pivot'\nactive = " active "\n"

static const char *const solvers[] = {"index = 3\n", "index = 2\n", "scheme = 'trapezoidal'\n"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static double value(const tn_csv_table *run, size_t row, const char *column)
{
    return tn_csv_value(run, row, tn_column_of(run, column));
}

static size_t row_at(const tn_csv_table *run, double time)
{
    size_t row = 0;
    while (row < run->rows && tn_csv_value(run, row, 0) < time - 1e-9)
        row++;
    assert_true(row < run->rows);
    return row;
}

/* The run, with its notes. */
static const tn_csv_table *swing(const char *solver, const char *changes, const char **notes)
{
    const char *results = tn_scratch_path(NULL);
    const char *model = tn_format(
        PENDULUM "%s[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-3\n%s", changes, solver);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("swing.toml", model), "--out", results));
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    *notes = outcome.errors;
    return tn_sensors(results);
}

static const char off_and_on[] = SWITCH("0.3", "false") SWITCH("0.6", "true");

/* Free fall with the velocity that the body had; the spin stays, about a principal axis. */
static void test_a_joint_that_is_switched_off_lets_go(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const char *notes = NULL;
        const tn_csv_table *run = swing(solvers[s], off_and_on, &notes);
        const size_t first = row_at(run, 0.3), last = row_at(run, 0.6);
        assert_true(fabs(value(run, first - 1, "force.z")) > 5.0);
        for (size_t row = first; row < last; row++) {
            const double t = tn_csv_value(run, row, 0) - 0.3;
            const double x = value(run, first, "p.x") + t * value(run, first, "v.x"),
                         z = value(run, first, "p.z") + t * value(run, first, "v.z") - 0.5 * 9.81 * t * t;
            assert_true(value(run, row, "force.x") == 0.0 && value(run, row, "force.y") == 0.0 &&
                        value(run, row, "force.z") == 0.0);
            assert_true(value(run, row, "error") == 0.0);
            assert_true(fabs(value(run, row, "a.z") + 9.81) < 1e-10);
            if (!(fabs(value(run, row, "p.x") - x) < 1e-10 && fabs(value(run, row, "p.z") - z) < 1e-10))
                fail_msg("%sat %g s: %.12g, %.12g instead of %.12g, %.12g", solvers[s], 0.3 + t,
                         value(run, row, "p.x"), value(run, row, "p.z"), x, z);
            assert_true(fabs(value(run, row, "w.y") - value(run, first, "w.y")) < 1e-10);
        }
    }
}

/* It takes the body back, says so, and holds it. */
static void test_a_joint_that_is_switched_on_again_holds(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const char *notes = NULL;
        const tn_csv_table *run = swing(solvers[s], off_and_on, &notes);
        const size_t last = row_at(run, 0.6);
        tn_check_holds(notes, TN_WORDS("warning:", "moved `body`", "at 0.6 s"));
        assert_true(fabs(value(run, last, "p.x") - value(run, last - 1, "p.x")) +
                        fabs(value(run, last, "p.z") - value(run, last - 1, "p.z")) >
                    0.05);
        for (size_t row = last; row < run->rows; row++) {
            const double x = value(run, row, "p.x"), z = value(run, row, "p.z");
            assert_true(value(run, row, "error") < 1e-10);
            assert_true(fabs(x * x + z * z - 1.0) < 1e-9);
        }
        assert_true(fabs(value(run, run->rows - 1, "force.z")) > 1.0);
    }
}

/* From one bearing into another that fits: nothing is told, but that the error of velocities at index 3 is taken off. */
static void test_bearings_that_fit_take_over_silently(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const char *notes = NULL;
        const tn_csv_table *alone = swing(solvers[s], "", &notes);
        const tn_csv_table *both =
            swing(solvers[s],
                  "[[element]]\nname = 'spare'\ntype = 'spherical'\nmarkers = ['ground', { element = 'body', "
                  "position = [-1, 0, "
                  "0] }]\nactive = false\n"
                  "[[change]]\ntime = 0.3\nelement = 'spare'\nactive = true\n" SWITCH("0.3", "false"),
                  &notes);
        if (s > 0) assert_string_equal(notes, "");
        assert_true(fabs(value(both, row_at(both, 0.9), "force.z")) == 0.0);
        for (size_t row = 0; row < alone->rows; row++)
            assert_true(fabs(value(both, row, "p.z") - value(alone, row, "p.z")) < 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_joint_that_is_switched_off_lets_go),
                                       cmocka_unit_test(test_a_joint_that_is_switched_on_again_holds),
                                       cmocka_unit_test(test_bearings_that_fit_take_over_silently)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

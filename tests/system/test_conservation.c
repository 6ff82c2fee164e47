/* test_conservation.c - what must not change does not: energy and momenta of free systems; and energy that is
 * dissipated never comes back */
#include "harness.h"

#include <math.h>

#define SYSTEM_SENSORS                                                                               \
    "[[sensor]]\nname = 'E'\nsystem = 'total_energy'\n[[sensor]]\nname = 'P'\nsystem = 'momentum'\n" \
    "[[sensor]]\nname = 'L'\nsystem = 'angular_momentum'\n"

/* A body of three different moments, its reference point off the centre of mass, near its unstable axis. */
static const char free_body[] =
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 3\ninertia = [0.4, 0.9, 0.6, 0.05, -0.02, "
    "0.03]\n"
    "com = [0.1, 0.2, -0.3]\nposition = [1, 2, 3]\nvelocity = [0.5, -0.4, 0.3]\nangular_velocity = [0.1, "
    "0.2, 4]\n"
    "[[sensor]]\nname = 'turn'\nelement = 'body'\noutput = 'quaternion'\n" SYSTEM_SENSORS;

/* Bodies and points joined to each other only; the pairs of the force and of the torque are their own. */
#define JOINED                                                                                              \
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.05, 0.08, 0.1]\n"                 \
    "velocity = [0.3, 0.1, -0.2]\nangular_velocity = [1, -2, 0.5]\n"                                        \
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1.5\ninertia = [0.04, 0.03, 0.02]\n"              \
    "com = [0.02, 0.01, 0]\nposition = [1, 0.2, -0.1]\nangular_velocity = [0, 3, 1]\n"                      \
    "[[element]]\nname = 'c'\ntype = 'mass_point'\nmass = 0.7\nposition = [0.3, 1.1, 0.4]\n"                \
    "velocity = [-0.5, 0, 0.2]\n"                                                                           \
    "[[element]]\nname = 'ab'\ntype = 'spring_damper'\nreference_length = 0.6\nstiffness = 80\n"            \
    "markers = [{ element = 'a', position = [0.2, 0.1, 0] }, { element = 'b', position = [-0.1, 0.1, 0.2] " \
    "}]\n"                                                                                                  \
    "[[element]]\nname = 'bc'\ntype = 'spring_damper'\nreference_length = 0.8\nstiffness = 50\n"            \
    "markers = [{ element = 'b', position = [0, 0.2, 0] }, 'c']\n"                                          \
    "[[element]]\nname = 'ca'\ntype = 'spring_damper'\nreference_length = 1\nstiffness = 60\n"              \
    "markers = ['c', { element = 'a', position = [0, 0.1, 0.2] }]\n"

static const char pushes[] =
    "[[element]]\nname = 'push'\ntype = 'force'\nvalue = [3, '2*sin(5*time)', -1]\n"
    "markers = [{ element = 'a', position = [0, -0.2, 0] }, { element = 'b', position = [0.1, 0, 0] }]\n"
    "[[element]]\nname = 'follow'\ntype = 'force'\nvalue = [0, 0.5, 1]\nlocal = true\n"
    "markers = [{ element = 'b', position = [0, 0, 0.1] }, 'c']\n"
    "[[element]]\nname = 'twist'\ntype = 'torque'\nvalue = [0.1, 'cos(3*time)', 0.2]\nmarkers = ['a', 'b']\n"
    "[[element]]\nname = 'turn'\ntype = 'torque'\nvalue = [0.05, 0, 0.1]\nlocal = true\nmarkers = ['b', "
    "'a']\n";

static double size_of(const tn_csv_table *table, size_t row, const char *first_column, size_t columns)
{
    const size_t first = tn_column_of(table, first_column);
    double square = 0.0;
    for (size_t k = first; k < first + columns; k++)
        square += tn_csv_value(table, row, k) * tn_csv_value(table, row, k);
    return sqrt(square);
}

/* The largest change since the first row, relative to the size there. */
static double drift(const tn_csv_table *table, const char *first_column, size_t columns)
{
    const size_t first = tn_column_of(table, first_column);
    double largest = 0.0;
    for (size_t row = 1; row < table->rows; row++) {
        double square = 0.0;
        for (size_t k = first; k < first + columns; k++)
            square += pow(tn_csv_value(table, row, k) - tn_csv_value(table, 0, k), 2);
        largest = fmax(largest, sqrt(square));
    }
    return largest / size_of(table, 0, first_column, columns);
}

static void check_drift(const tn_csv_table *table, const char *column, size_t columns, double tolerance)
{
    const double change = drift(table, column, columns);
    if (!(change <= tolerance)) fail_msg("%s drifts by %.3g, not below %.3g", column, change, tolerance);
}

static void test_free_body_keeps_energy_and_momenta(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        tn_format("%s[solver]\ntype = 'rk'\norder = 4\nend_time = 10\nstep = 1e-3\n", free_body), NULL);
    assert_int_equal(run->rows, 10001);
    check_drift(run, "E", 1, 1e-9);
    check_drift(run, "P.x", 3, 1e-12);
    check_drift(run, "L.x", 3, 1e-9);
    /* it does tumble: its axis has turned over */
    double least = 1.0;
    for (size_t row = 0; row < run->rows; row++) {
        assert_true(fabs(size_of(run, row, "turn.0", 4) - 1.0) <= 1e-14);
        const double x = tn_csv_value(run, row, tn_column_of(run, "turn.1"));
        const double y = tn_csv_value(run, row, tn_column_of(run, "turn.2"));
        least = fmin(least, 1.0 - 2.0 * (x * x + y * y));
    }
    assert_true(least < 0.0);
}

/* Angular momentum of a free body about its centre of mass is spin that the implicit method follows to
 * order 2. */
static void test_quaternions_stay_normalised_under_implicit_steps(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        tn_format("%s[solver]\ntype = 'generalized_alpha'\nend_time = 2\nstep = 1e-3\n", free_body), NULL);
    for (size_t row = 0; row < run->rows; row++)
        assert_true(fabs(size_of(run, row, "turn.0", 4) - 1.0) <= 1e-14);
    check_drift(run, "P.x", 3, 1e-12);
    check_drift(run, "L.x", 3, 1e-4);
}

static void test_springs_conserve_energy_and_momenta(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(JOINED SYSTEM_SENSORS "[output]\ninterval = 0.01\n"
                                          "[solver]\ntype = 'rk'\norder = 5\nend_time = 4\nstep = 5e-4\n",
                    NULL);
    check_drift(run, "E", 1, 1e-10);
    check_drift(run, "P.x", 3, 1e-13);
    check_drift(run, "L.x", 3, 1e-10);
}

static void check_momenta(const char *solver, double linear, double angular)
{
    const tn_csv_table *run = tn_simulate(tn_format(JOINED "%s" SYSTEM_SENSORS "[output]\ninterval = 0.01\n"
                                                           "[solver]\nend_time = 3\nstep = 1e-3\n%s",
                                                    pushes, solver),
                                          NULL);
    check_drift(run, "P.x", 3, linear);
    check_drift(run, "L.x", 3, angular);
    /* the pairs do work */
    assert_true(drift(run, "E", 1) > 0.1);
}

static void test_forces_and_torques_with_reaction_conserve_momenta(void **state)
{
    (void)state;
    check_momenta("type = 'rk'\norder = 5\n", 1e-13, 1e-10);
    check_momenta("type = 'generalized_alpha'\n", 1e-9, 1e-3);
}

/* The same bodies with a damper on every spring. */
static void check_decay(const char *solver)
{
    const tn_csv_table *run =
        tn_simulate(tn_format(JOINED SYSTEM_SENSORS "[solver]\nend_time = 5\nstep = 1e-3\n%s", solver),
                    TN_WORDS("--set", "element.ab.damping=2", "--set", "element.bc.damping=1", "--set",
                             "element.ca.damping=3"));
    const size_t energy = tn_column_of(run, "E");
    assert_int_equal(run->rows, 5001);
    for (size_t row = 1; row < run->rows; row++) {
        const double before = tn_csv_value(run, row - 1, energy), after = tn_csv_value(run, row, energy);
        if (!(after <= before))
            fail_msg("%s: the energy rises from %.17g to %.17g J at %g s", solver, before, after,
                     tn_csv_value(run, row, 0));
    }
    assert_true(tn_csv_value(run, run->rows - 1, energy) < 0.9 * tn_csv_value(run, 0, energy));
}

static void test_energy_of_damped_springs_never_rises(void **state)
{
    (void)state;
    check_decay("type = 'generalized_alpha'\n");
    check_decay("type = 'generalized_alpha'\nspectral_radius = 0.3\n");
    check_decay("type = 'generalized_alpha'\nscheme = 'trapezoidal'\n");
}

/* On a linear oscillator the trapezoidal rule dissipates h d (mean velocity)^2 in every step, here of six per
 * period. */
static void test_coarse_trapezoidal_steps_dissipate(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.3, 0, 0]\n"
        "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n"
        "reference_length = 1\nstiffness = 1e4\ndamping = 0.5\n" SYSTEM_SENSORS
        "[solver]\ntype = 'generalized_alpha'\nscheme = 'trapezoidal'\nend_time = 10\nstep = 0.01\n",
        NULL);
    const size_t energy = tn_column_of(run, "E");
    for (size_t row = 1; row < run->rows; row++)
        assert_true(tn_csv_value(run, row, energy) <= tn_csv_value(run, row - 1, energy));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_body_keeps_energy_and_momenta),
        cmocka_unit_test(test_quaternions_stay_normalised_under_implicit_steps),
        cmocka_unit_test(test_springs_conserve_energy_and_momenta),
        cmocka_unit_test(test_forces_and_torques_with_reaction_conserve_momenta),
        cmocka_unit_test(test_energy_of_damped_springs_never_rises),
        cmocka_unit_test(test_coarse_trapezoidal_steps_dissipate)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_jumps.c - events that jump the state: impulses on markers, with what constraints transmit, and own states */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define SENSOR(name, of, output) "[[sensor]]\nname = '" name "'\n" of "\noutput = '" output "'\n"
#define SYSTEM(output) "[[sensor]]\nname = '" output "'\nsystem = '" output "'\n"
#define TOLERANCES "relative_tolerance = 1e-11\nabsolute_tolerance = 1e-12\nend_time = 1\n"
#define RK "[solver]\ntype = 'rk'\norder = 5\nadaptive = true\n" TOLERANCES
#define RADAU "[solver]\ntype = 'radau'\n" TOLERANCES
#define GSL "[solver]\ntype = 'gsl_ode'\nstepper = 'rk8pd'\n" TOLERANCES
#define MULTISTEP "[solver]\ntype = 'gsl_ode'\nstepper = 'msadams'\n" TOLERANCES
#define IDA "[solver]\ntype = 'ida'\n" TOLERANCES
#define ROWS "[output]\ninterval = 0.05\n"

static const char *const adaptive[] = {RK, RADAU, GSL, MULTISTEP, IDA};

/* gsl_ode is there where GSL is, ida where SUNDIALS is, too. */
static size_t adaptive_count(void) { return !tn_has_plugin("gsl_ode") ? 2 : tn_has_plugin("ida") ? 5 : 4; }

/* A step that ends behind an event errs by what it goes beyond: a method of fixed step is of first order there. */
static const char *fixed(const char *solver, double step)
{
    return tn_format("[solver]\ntype = '%s'\nend_time = 1\nstep = %.17g\n", solver, step);
}

static const char *plugins(void)
{
    static char text[8192];
    static const char *const names[] = {"rebound", "blow", "neuron"};
    size_t length = 0;
    if (text[0] != '\0') return text;
    length = (size_t)snprintf(text, sizeof text, "[plugins]\n");
    for (size_t k = 0; k < 3; k++) {
        const char *source = tn_read(tn_format(TENON_SOURCE_DIR "/tests/system/plugins/%s.c", names[k]));
        length += (size_t)snprintf(text + length, sizeof text - length, "%s = '%s'\n", names[k],
                                   tn_build_text(names[k], source));
    }
    return text;
}

static const tn_csv_table *run(const char *model, const char *solver)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("model.toml", tn_format("%s%s%s", plugins(), model, solver)),
                          "--trust", "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("%s: %s", solver, outcome.errors);
    return tn_sensors(results);
}

static double value(const tn_csv_table *table, size_t row, const char *column)
{
    return tn_csv_value(table, row, tn_column_of(table, column));
}

static void expect(double got, double right, double tolerance, const char *what, const char *solver)
{
    if (!(fabs(got - right) <= tolerance)) fail_msg("%s, %s: %.15g, not %.15g", solver, what, got, right);
}

/* ---- a ball on a plane ----------------------------------------------------------------------------------- */

#define GRAVITATION 9.81
#define HEIGHT 0.2
#define RESTITUTION 0.8
#define BALL                                                                                                 \
    "[model]\ngravity = [0, 0, -9.81]\n"                                                                     \
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 2\nposition = [0, 0, 0.2]\nvelocity = [1, 0, 0]\n" \
    "[[element]]\nname = 'plane'\ntype = 'rebound'\nmarkers = ['m']\nmass = 2\nrestitution = 0.8\n" SENSOR(  \
        "p", "element = 'm'", "position") SENSOR("v", "element = 'm'", "velocity")                           \
        SENSOR("lost", "element = 'plane'", "dissipated_energy")                                             \
            SENSOR("given", "element = 'plane'", "supplied_energy") SYSTEM("dissipated_energy")              \
                SYSTEM("supplied_energy") SYSTEM("total_energy") SYSTEM("energy_balance")

/* Height and speed at a time, and how often it has been down by then. */
static void ball(double time, double *height, double *speed, int *bounces)
{
    double start = 0.0, up = 0.0, from = HEIGHT, fall = sqrt(2.0 * HEIGHT / GRAVITATION);
    for (*bounces = 0; time > start + fall; (*bounces)++) {
        start += fall;
        up = RESTITUTION * (GRAVITATION * fall - up);
        from = 0.0;
        fall = 2.0 * up / GRAVITATION;
    }
    *height = from + up * (time - start) - 0.5 * GRAVITATION * (time - start) * (time - start);
    *speed = up - GRAVITATION * (time - start);
}

static void a_ball_rebounds_at_the_times_and_to_the_heights_that_it_should(void **state)
{
    (void)state;
    for (size_t s = 0; s < adaptive_count(); s++) {
        const tn_csv_table *table = run(BALL ROWS, adaptive[s]);
        assert_true(table->rows >= 21);
        for (size_t row = 0; row < table->rows; row++) {
            double height = 0.0, speed = 0.0;
            int bounces = 0;
            ball(value(table, row, "time"), &height, &speed, &bounces);
            expect(value(table, row, "p.z"), height, 1e-9, "height", adaptive[s]);
            expect(value(table, row, "v.z"), speed, 1e-9, "speed", adaptive[s]);
            expect(value(table, row, "v.x"), 1.0, 1e-12, "speed along the plane", adaptive[s]);
            const double fall = 2.0 * GRAVITATION * HEIGHT,
                         lost = fall * (1.0 - pow(RESTITUTION, 2 * bounces)); /* m = 2 */
            expect(value(table, row, "lost"), lost, 1e-9, "lost in the plane", adaptive[s]);
            expect(value(table, row, "given"), 0.0, 1e-12, "given by the plane", adaptive[s]);
            expect(value(table, row, "dissipated_energy"), lost, 1e-9, "dissipated", adaptive[s]);
            expect(value(table, row, "supplied_energy"), 0.0, 1e-9, "supplied", adaptive[s]);
            expect(value(table, row, "energy_balance"), value(table, 0, "energy_balance"), 1e-9, "balance",
                   adaptive[s]);
        }
    }
}

static double error_of_ball(const tn_csv_table *table)
{
    double largest = 0.0;
    for (size_t row = 0; row < table->rows; row++) {
        double height = 0.0, speed = 0.0;
        int bounces = 0;
        ball(value(table, row, "time"), &height, &speed, &bounces);
        largest = fmax(largest, fabs(value(table, row, "p.z") - height));
    }
    return largest;
}

static void at_fixed_steps_its_error_is_of_first_order(void **state)
{
    (void)state;
    static const char *const solvers[] = {"generalized_alpha", "rk"};
    for (size_t s = 0; s < 2; s++)
        for (double step = 1e-2; step > 1e-4; step *= 0.25) {
            const tn_csv_table *table = run(BALL ROWS, fixed(solvers[s], step));
            const double error = error_of_ball(table);
            if (!(error < 10.0 * step && error > 1e-3 * step))
                fail_msg("%s: %g at %g", solvers[s], error, step);
            for (size_t row = 0; row < table->rows; row++)
                expect(value(table, row, "energy_balance"), value(table, 0, "energy_balance"), 1e-9,
                       "balance", solvers[s]);
        }
}

/* ---- a double pendulum under a blow ---------------------------------------------------------------------- */

#define BEND 0.7
/* Rods of 1 m in the plane x-y, 2 kg and 1 kg; the outer one is bent by that angle against the inner one. */
static const char *pendulum(const char *more)
{
    return tn_format(
        "[[element]]\nname = 'inner'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.01, '1/6', '1/6']\n"
        "position = [0.5, 0, 0]\n"
        "[[element]]\nname = 'outer'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, '1/12', '1/12']\n"
        "position = [%.17g, %.17g, 0]\nrotation = { axis = [0, 0, 1], angle = %.17g }\n"
        "[[element]]\nname = 'fixed'\ntype = 'revolute'\n"
        "markers = ['ground', { element = 'inner', position = [-0.5, 0, 0] }]\n"
        "[[element]]\nname = 'elbow'\ntype = 'revolute'\n"
        "markers = [{ element = 'inner', position = [0.5, 0, 0] }, { element = 'outer', position = [-0.5, 0, "
        "0] }]\n"
        "[[element]]\nname = 'hit'\ntype = 'blow'\nmarkers = [{ element = 'outer', position = [0.5, 0, 0] "
        "}]\n"
        "at = 0.15\nimpulse = [0.3, -0.8, 0.5]\n%s" SENSOR("v1", "element = 'inner'", "velocity")
            SENSOR("w1", "element = 'inner'", "angular_velocity")
                SENSOR("v2", "element = 'outer'", "velocity")
                    SENSOR("w2", "element = 'outer'", "angular_velocity")
                        SENSOR("given", "element = 'hit'", "supplied_energy")
                            SENSOR("lost", "element = 'hit'", "dissipated_energy") SYSTEM("supplied_energy")
                                SYSTEM("kinetic_energy") SYSTEM("energy_balance"),
        1.0 + 0.5 * cos(BEND), 0.5 * sin(BEND), BEND, more);
}

static void expect_velocity(const tn_csv_table *table, size_t row, const char *name, const double right[3],
                            const char *solver)
{
    for (int k = 0; k < 3; k++) {
        const char *column = tn_format("%s.%c", name, 'x' + k);
        expect(value(table, row, column), right[k], 1e-13, column, solver);
    }
}

/* Behind a blow on the pendulum at rest M w = Q. The blow across the plane is held by the joints. */
static void a_blow_moves_a_double_pendulum_as_its_joints_allow(void **state)
{
    (void)state;
    const char *solvers[] = {RK, fixed("generalized_alpha", 0.1), fixed("rk", 0.1), GSL};
    const size_t count = adaptive_count() > 1 ? 4 : 3;
    /* once with a hinge too many */
    const char *more[] = {"", "[[element]]\nname = 'again'\ntype = 'revolute'\n"
                              "markers = ['ground', { element = 'inner', position = [-0.5, 0, 0] }]\n"};
    const double c = cos(BEND), s = sin(BEND);
    const double m11 = 2.0 / 3.0 + 1.0, m12 = 0.5 * c, m22 = 1.0 / 3.0, q1 = -0.8, q2 = -0.3 * s - 0.8 * c;
    const double determinant = m11 * m22 - m12 * m12;
    const double w1 = (m22 * q1 - m12 * q2) / determinant, w2 = (m11 * q2 - m12 * q1) / determinant;
    for (size_t k = 0; k <= count; k++) {
        const bool redundant = k == count;
        const char *solver = solvers[redundant ? 0 : k];
        const tn_csv_table *table = run(pendulum(more[redundant]), solver);
        size_t row = 0;
        while (value(table, row, "w1.z") == 0.0)
            assert_true(++row < table->rows);
        expect_velocity(table, row, "w1", (double[]){0.0, 0.0, w1}, solver);
        expect_velocity(table, row, "w2", (double[]){0.0, 0.0, w2}, solver);
        expect_velocity(table, row, "v1", (double[]){0.0, 0.5 * w1, 0.0}, solver);
        expect_velocity(table, row, "v2", (double[]){-0.5 * w2 * s, w1 + 0.5 * w2 * c, 0.0}, solver);
        const double energy = 0.5 * (q1 * w1 + q2 * w2);
        expect(value(table, row, "kinetic_energy"), energy, 1e-13, "energy", solver);
        expect(value(table, row, "given"), energy, 1e-13, "given by the blow", solver);
        expect(value(table, row, "supplied_energy"), energy, 1e-13, "supplied", solver);
        expect(value(table, row, "lost"), 0.0, 0.0, "lost", solver);
    }
}

/* In motion, under gravity, with a drive: the work of all that acts, the blow among it, is the change of the energies. */
static void its_energies_balance(void **state)
{
    (void)state;
    const char *model = pendulum("[model]\ngravity = [0, -9.81, 0]\n"
                                 "[[element]]\nname = 'drive'\ntype = 'torque'\nmarkers = ['inner']\n"
                                 "value = [0, 0, 'SIN(9*time)']\n");
    for (size_t k = 0; k < adaptive_count(); k++) {
        const tn_csv_table *table = run(model, adaptive[k]);
        const size_t last = table->rows - 1;
        assert_true(fabs(value(table, last, "given")) > 1e-3);
        for (size_t row = 0; row <= last; row++)
            expect(value(table, row, "energy_balance"), value(table, 0, "energy_balance"), 1e-8, "balance",
                   adaptive[k]);
    }
}

/* What a constraint drives takes its own velocity again: the outer rod is held at a speed against the inner one. */
static void a_driven_joint_keeps_its_speed(void **state)
{
    (void)state;
    const char *model =
        pendulum("[[element]]\nname = 'motor'\ntype = 'motion'\njoint = 'elbow'\nvalue = '0.7 + 2*time'\n");
    const tn_csv_table *table = run(model, RK);
    const size_t last = table->rows - 1;
    for (size_t row = 0; row <= last; row++) {
        expect(value(table, row, "w2.z") - value(table, row, "w1.z"), 2.0, 1e-9, "speed of the motor", RK);
        expect(value(table, row, "energy_balance"), value(table, 0, "energy_balance"), 1e-8, "balance", RK);
    }
}

/* ---- own states ------------------------------------------------------------------------------------------ */

#define NEURON                                                                                               \
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"                                               \
    "[[element]]\nname = 'n'\ntype = 'neuron'\nmarkers = ['m']\ncurrent = 15\ntime_constant = 0.1\n" SENSOR( \
        "charge", "element = 'n'", "charge") SENSOR("fired", "element = 'n'", "fired")

/* x' = i - x / tau reaches 1 from 0 in tau ln (i tau / (i tau - 1)). */
static double charge(double time, double *fired)
{
    const double period = 0.1 * log(1.5 / 0.5);
    *fired = floor(time / period);
    return 1.5 * (1.0 - exp(-10.0 * (time - *fired * period)));
}

static void a_state_that_fires_starts_anew(void **state)
{
    (void)state;
    for (size_t k = 0; k < adaptive_count(); k++) {
        const tn_csv_table *table = run(NEURON ROWS, adaptive[k]);
        for (size_t row = 0; row < table->rows; row++) {
            double fired = 0.0;
            const double right = charge(value(table, row, "time"), &fired);
            expect(value(table, row, "charge"), right, 1e-8, "charge", adaptive[k]);
            expect(value(table, row, "fired"), fired, 0.0, "how often it has fired", adaptive[k]);
        }
    }
}

static void at_fixed_steps_it_fires_at_their_ends(void **state)
{
    (void)state;
    static const char *const solvers[] = {"generalized_alpha", "rk"};
    for (size_t s = 0; s < 2; s++)
        for (double step = 2e-3; step > 1e-5; step *= 0.25) {
            const tn_csv_table *table = run(NEURON ROWS, fixed(solvers[s], step));
            const size_t last = table->rows - 1;
            double fired = 0.0;
            const double right = charge(1.0, &fired);
            expect(value(table, last, "fired"), fired, 0.0, "how often it has fired", solvers[s]);
            expect(value(table, last, "charge"), right, 15.0 * (fired + 1.0) * step, "charge", solvers[s]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_rebounds_at_the_times_and_to_the_heights_that_it_should),
        cmocka_unit_test(at_fixed_steps_its_error_is_of_first_order),
        cmocka_unit_test(a_blow_moves_a_double_pendulum_as_its_joints_allow),
        cmocka_unit_test(its_energies_balance),
        cmocka_unit_test(a_driven_joint_keeps_its_speed),
        cmocka_unit_test(a_state_that_fires_starts_anew),
        cmocka_unit_test(at_fixed_steps_it_fires_at_their_ends)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

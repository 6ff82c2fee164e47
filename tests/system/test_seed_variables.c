/* test_seed_variables.c - the models of reference variables in configs/seeds: energies, inverse dynamics, closed solutions, equations of
 * motion that are integrated here */
#include "harness.h"

#include <math.h>

#define SEEDS TENON_SOURCE_DIR "/configs/seeds/"

/* A model with more tables, under an explicit solver with small steps. */
static const tn_csv_table *run_seed(const char *name, const char *more, const char *set)
{
    const char *model = tn_write(tn_format("%s.toml", name),
                                 tn_format("%s\n%s", tn_read(tn_format(SEEDS "%s.toml", name)), more));
    const char *results = tn_scratch_path(NULL);
    const tn_outcome run =
        tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--solver", "rk", "--set", "solver.step=5e-4",
                          "--out", results, set ? "--set" : NULL, set));
    if (run.status) fail_msg("%s: exit %d: %s", name, run.status, run.errors);
    return tn_sensors(results);
}

static double at(const tn_csv_table *table, size_t row, const char *column)
{
    return table->value[row * table->columns + tn_column_of(table, column)];
}

static void check(const char *what, double time, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%s is %.15g at %g s, not %.15g", what, found, time, expected);
}

/* ---- 1 and 2: the kinetic energy --------------------------------------------------------------------------- */

#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\n" expression "\n"

/* While the body tumbles: the sum with components along the axes of ground is not its energy. */
static void the_kinetic_energy_is_that_of_the_system(void **state)
{
    (void)state;
    const tn_csv_table *table =
        run_seed("reference_variable_kinetic_energy",
                 SENSOR("own", "system = 'kinetic_energy'") SENSOR("w", "expression = 'WX(1011, 0, 1011)'")
                     SENSOR("along_ground",
                            "expression = '0.5*(4*VM(1011)**2 + 0.006*WX(1011)**2 + 0.005*WY(1011)**2 + "
                            "0.004*WZ(1011)**2)'"),
                 NULL);
    double wrong = 0.0, turned = 0.0;
    for (size_t row = 0; row < table->rows; row++) {
        const double time = at(table, row, "time");
        check("the energy", time, at(table, row, "kinetic"), at(table, row, "own"), 29.011e-12);
        check("the energy", time, at(table, row, "kinetic"), 29.011, 1e-9);
        wrong = fmax(wrong, fabs(at(table, row, "along_ground") - 29.011));
        turned = fmax(turned, fabs(at(table, row, "w") - 1.0));
    }
    assert_true(table->rows > 10 && wrong > 1e-2 && turned > 1.0);
}

static void all_routines_find_the_same_energy(void **state)
{
    (void)state;
    static const char *const ways[] = {"by_python", "by_lua", "by_routine"};
    static const char name[] = "reference_variable_kinetic_energy_routines";
    const tn_outcome linked = tn_await(tn_start(
        "sh", TN_WORDS("-c", tn_format("cp '" SEEDS "'kinetic_energy.* '%s'", tn_scratch_path(".")))));
    assert_int_equal(linked.status, 0);
    const tn_outcome built = tn_tenon(
        TN_WORDS("build", tn_scratch_path("kinetic_energy.c"), "-o", tn_scratch_path("kinetic_energy.so")));
    if (built.status) fail_msg("%s", built.errors);
    assert_string_equal(built.errors, ""); /* as it stands, without a warning */
    const tn_csv_table *table = run_seed(name,
                                         SENSOR("by_python", "expression = 'VARVAL(by_python)'")
                                             SENSOR("by_lua", "expression = 'VARVAL(by_lua)'")
                                                 SENSOR("by_routine", "expression = 'VARVAL(by_routine)'"),
                                         "parameters.compiled=1");
    assert_true(table->rows > 10);
    for (size_t row = 0; row < table->rows; row++)
        for (int k = 0; k < 3; k++)
            check(ways[k], at(table, row, "time"), at(table, row, ways[k]), at(table, row, "kinetic"),
                  29.011e-12);
}

/* ---- 3: the robot ------------------------------------------------------------------------------------------ */

/* Torques at the joints of two links of 1 m, 2 kg, 0.2 kg m2 about their middle, for a tip at r with the velocity v and the
 * acceleration a. */
static void find_torques(const double r[2], const double v[2], const double a[2], double torque[2])
{
    const double elbow = acos((r[0] * r[0] + r[1] * r[1] - 2.0) / 2.0);
    const double first = atan2(r[1], r[0]) - atan2(sin(elbow), 1.0 + cos(elbow)), both = first + elbow;
    const double J[2][2] = {{-sin(first) - sin(both), -sin(both)}, {cos(first) + cos(both), cos(both)}};
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    const double w1 = (J[1][1] * v[0] - J[0][1] * v[1]) / det, w2 = (J[0][0] * v[1] - J[1][0] * v[0]) / det;
    const double w = w1 + w2, b0 = a[0] + cos(first) * w1 * w1 + cos(both) * w * w,
                 b1 = a[1] + sin(first) * w1 * w1 + sin(both) * w * w;
    const double a1 = (J[1][1] * b0 - J[0][1] * b1) / det, a2 = (J[0][0] * b1 - J[1][0] * b0) / det;
    const double turning = -sin(elbow), M22 = 0.7, M12 = M22 + cos(elbow),
                 M11 = 0.4 + 0.5 + 2.0 * (1.25 + cos(elbow));
    torque[0] = M11 * a1 + M12 * a2 + turning * (w2 * w2 + 2.0 * w1 * w2);
    torque[1] = M12 * a1 + M22 * a2 - turning * w1 * w1;
}

static void the_servos_of_the_robot_are_inverse_dynamics(void **state)
{
    (void)state;
    const char *more = "";
    for (int order = 0; order < 3; order++)
        more = tn_format("%s[[sensor]]\nname = 'x%d'\nexpression = 'CUBSPL(time, 0, 1, %d)'\n"
                         "[[sensor]]\nname = 'y%d'\nexpression = 'CUBSPL(time, 0, 2, %d)'\n",
                         more, order, order, order, order);
    const tn_csv_table *table = run_seed(
        "reference_variable_robot",
        tn_format("%s" SENSOR("x", "expression = 'DX(2011)'") SENSOR("y", "expression = 'DY(2011)'"), more),
        NULL);
    assert_true(table->rows > 10);
    for (size_t row = 0; row < table->rows; row++) {
        const double time = at(table, row, "time");
        const double r[2] = {at(table, row, "x0"), at(table, row, "y0")},
                     v[2] = {at(table, row, "x1"), at(table, row, "y1")},
                     a[2] = {at(table, row, "x2"), at(table, row, "y2")};
        double torque[2];
        find_torques(r, v, a, torque);
        check("motor_1", time, at(table, row, "motor_1"), torque[0], 1e-7);
        check("motor_2", time, at(table, row, "motor_2"), torque[1], 1e-7);
        check("the tip", time, at(table, row, "x"), r[0], 1e-10);
        check("the tip", time, at(table, row, "y"), r[1], 1e-10);
    }
}

/* ---- 4: the inverted pendulum ------------------------------------------------------------------------------ */

/* Place, angle, and their rates: a block of 1 kg on a spring of 1 N/m and a damper of 0.5 N s/m, with a rod of 0.2 kg, 0.01 kg m2,
 * whose centre is 0.4 m away from the hinge. */
static void find_rates(const double y[4], double rate[4])
{
    const double l = 0.4, m = 0.2, c = m * l * cos(y[1]), M11 = 1.0 + m, M22 = 0.01 + m * l * l;
    const double control = 60.0 * y[1] + 14.0 * y[3] + 8.0 * y[0] + 10.0 * y[2];
    const double f1 = control - y[0] - 0.5 * y[2] + m * l * sin(y[1]) * y[3] * y[3],
                 f2 = m * 9.81 * l * sin(y[1]), det = M11 * M22 - c * c;
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (M22 * f1 - c * f2) / det;
    rate[3] = (M11 * f2 - c * f1) / det;
}

/* A step of the classical method of order four. */
static void go_on(double y[4], double step)
{
    static const double share[4] = {0.5, 0.5, 1.0, 0.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double rate[4], sum[4] = {0.0}, now[4];
    memcpy(now, y, sizeof now);
    for (int stage = 0; stage < 4; stage++) {
        find_rates(now, rate);
        for (int k = 0; k < 4; k++) {
            sum[k] += weight[stage] * rate[k] / 6.0;
            now[k] = y[k] + share[stage] * step * rate[k];
        }
    }
    for (int k = 0; k < 4; k++)
        y[k] += step * sum[k];
}

static void the_pendulum_is_raised_as_its_equations_say(void **state)
{
    (void)state;
    const tn_csv_table *table = run_seed("reference_variable_inverted_pendulum",
                                         SENSOR("rate", "expression = 'POUVAL(303001, 2)'")
                                             SENSOR("push", "expression = 'PINVAL(303002)'"),
                                         NULL);
    double y[4] = {0.0, 0.2, 0.0, 0.0};
    assert_true(table->rows == 201);
    for (size_t row = 0; row < table->rows; row++) {
        const double time = at(table, row, "time");
        for (int k = 0; row && k < 100; k++)
            go_on(y, 0.05 / 100);
        check("the slider's place", time, at(table, row, "slider"), y[0], 1e-9);
        check("the angle", time, at(table, row, "angle"), y[1], 1e-9);
        check("its rate", time, at(table, row, "rate"), y[3], 1e-9);
        check("the force", time, at(table, row, "push"), 60.0 * y[1] + 14.0 * y[3] + 8.0 * y[0] + 10.0 * y[2],
              1e-7);
    }
    assert_true(fabs(y[1]) < 1e-4);
}

/* ---- 5: the steering ratio --------------------------------------------------------------------------------- */

static void the_steering_ratio_is_a_step_of_the_angle(void **state)
{
    (void)state;
    const tn_csv_table *table = run_seed("reference_variable_steering_ratio", "", "output.interval=0.1");
    assert_true(table->rows == 41);
    for (size_t row = 0; row < table->rows; row++) {
        const double time = at(table, row, "time"), angle = 60.0 * time,
                     share = fmin(fmax((angle - 100.0) / 50.0, 0.0), 1.0);
        check("the angle", time, at(table, row, "angle"), angle, 1e-9);
        check("the ratio", time, at(table, row, "ratio"),
              1000.0 + 500.0 * share * share * (3.0 - 2.0 * share), 1e-7);
    }
}

/* ---- 6: the soft angle ------------------------------------------------------------------------------------- */

/* 0.1 kg m2 on a spring of 1000 N m, with a damper of 10 N m s: an oscillation with half of the critical damping. */
static void the_soft_angle_swings_as_an_oscillator(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, begin = pi / 9.0 - pi / 3.0, decay = 50.0, swing = sqrt(7500.0);
    const tn_csv_table *table = run_seed("reference_variable_soft_angle", "", "output.interval=5e-3");
    assert_true(table->rows == 401);
    for (size_t row = 0; row < table->rows; row++) {
        const double time = at(table, row, "time");
        const double g = begin * exp(-decay * time) * (cos(swing * time) + decay / swing * sin(swing * time));
        check("the violation", time, at(table, row, "violation"), g, 5e-7);
        check("the angle", time, at(table, row, "angle"), pi / 3.0 + g, 5e-7);
    }
}

int main(void)
{
    tn_need_plugin("python");
    tn_need_plugin("lua");
    tn_need_plugin("spline");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kinetic_energy_is_that_of_the_system),
        cmocka_unit_test(all_routines_find_the_same_energy),
        cmocka_unit_test(the_servos_of_the_robot_are_inverse_dynamics),
        cmocka_unit_test(the_pendulum_is_raised_as_its_equations_say),
        cmocka_unit_test(the_steering_ratio_is_a_step_of_the_angle),
        cmocka_unit_test(the_soft_angle_swings_as_an_oscillator),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

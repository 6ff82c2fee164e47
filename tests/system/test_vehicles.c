/* test_vehicles.c - a car and a Mecanum platform on discs that roll: circles and their forces, driving, inverse kinematics,
 * friction that acts in one direction, energy, and agreement of solvers and steps */
#include "harness.h"

#include <math.h>

#define CAR TENON_SOURCE_DIR "/configs/seeds/car.toml"
#define MECANUM TENON_SOURCE_DIR "/configs/seeds/mecanum.toml"
#define SET(value) "--set", value
/* The platform goes forward and aside and turns, all at once. */
#define ALL_AT_ONCE SET("parameters.t_forward=0"), SET("parameters.t_turn=0")

static const double pi = 3.14159265358979323846;

/* A value that may be off by this much. */
static void check_near(const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s is %.9g, not %.9g, to %.2g", what, value, expected, tolerance);
}

/* A value of wheel i. */
static double of_wheel(const tn_csv_table *run, const char *column, int i, const char *component, double time)
{
    return tn_value_at(run, tn_format("%s%d%s", column, i, component), time);
}

/* ---- the car ----------------------------------------------------------------------------------------------- */

/* Of the circle through the path at three times. */
static double radius_of_path(const tn_csv_table *run, double t0, double t1, double t2)
{
    const double time[] = {t0, t1, t2};
    double x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = tn_value_at(run, "path.x", time[k]);
        y[k] = tn_value_at(run, "path.y", time[k]);
    }
    const double a = hypot(x[1] - x[0], y[1] - y[0]), b = hypot(x[2] - x[1], y[2] - y[1]);
    const double c = hypot(x[2] - x[0], y[2] - y[0]);
    return a * b * c / (2.0 * fabs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])));
}

/* The middle of the rear axle goes round in the radius base/tan(steering) where tyres need not slip. */
static void test_a_slow_car_drives_the_circle_of_its_steering(void **state)
{
    (void)state;
    static const double degrees[] = {-30, 10, 20};
    for (int k = 0; k < 3; k += TN_SANITIZED ? 2 : 1) {
        const tn_csv_table *run = tn_simulate(
            tn_read(CAR), TN_WORDS(SET(tn_format("parameters.wanted_steering=%g [deg]", degrees[k])),
                                   SET("parameters.wanted_speed=1"), SET("parameters.turn_in=0"),
                                   SET("solver.end_time=7")));
        const double radius = 2.5 / tan(fabs(degrees[k]) * pi / 180.0);
        check_near("radius", radius_of_path(run, 3, 5, 7), radius, 1e-3 * radius);
        assert_true(tn_value_at(run, "yaw_rate", 7) * degrees[k] > 0.0);
    }
}

/* At 10 m/s on the circle: what the tyres push towards the middle is m v^2/r, and their moment about the car's path balances
 * that of its centre of mass, which lies above the floor and leans outwards, and that of the wheels, which are gyroscopes. */
static void test_tyres_carry_a_fast_car_round(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(tn_read(CAR), NULL);
    const double end = 12.0, v = tn_value_at(run, "speed", end), radius = radius_of_path(run, 8, 10, end);
    double aside = 0.0, ahead = 0.0, weight = 0.0, more = 0.0;
    for (int i = 0; i < 4; i++) {
        const double y = i % 2 ? -0.75 : 0.75, angle = i < 2 ? 0.0 : atan(2.5 * 0.125 / (2.5 - y * 0.125));
        const double lateral = of_wheel(run, "force", i, ".x", end),
                     forward = of_wheel(run, "force", i, ".y", end);
        const double normal = of_wheel(run, "force", i, ".z", end);
        aside += lateral * cos(angle) + forward * sin(angle);
        ahead += forward * cos(angle) - lateral * sin(angle);
        weight += normal;
        more += normal * (i % 2 ? 0.5 : -0.5); // on the outer wheels than on the middle
        assert_true(hypot(lateral, forward) <= 0.9 * normal);
    }
    const double mass = 1000 + 4 * 20 + 2 * 10, force = mass * v * v / radius;
    check_near("weight", weight, 9.81 * mass, 1.0);
    check_near("force towards the middle", aside, force, 1e-3 * force);
    check_near("radius", radius, 20.0, 0.02);

    // the centre of mass, 1.25 m and what the pins' parts add in front of the rear axle, goes to the left as seen from the car
    const double turn = tn_value_at(run, "yaw_rate", end), distance = 1.25 + 1.25 * 20 / mass;
    const double to_the_left = of_wheel(run, "slip", 0, ".x", end) + turn * distance;
    check_near("force ahead", ahead, -mass * turn * to_the_left, 1.0);

    const double lean = more / 200e3 / 1.5, height = 1000 * 0.5 + (4 * 20 + 2 * 10) * 0.3,
                 spin = 4 * 1.0 * v / 0.3;
    const double moment = (force / mass + 9.81 * lean) * height + spin * v / radius;
    check_near("moment about the path", 1.5 * more, moment, 5e-3 * moment);
}

/* On the straight: torque/r accelerates the mass, and what the wheels' inertia adds; then the engine gives all its power. */
static void test_the_engine_drives_by_torque_then_by_power(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(tn_read(CAR), TN_WORDS(SET("parameters.wanted_speed=30"), SET("solver.end_time=4")));
    const double mass = 1100 + 4 * 1.0 / (0.3 * 0.3);
    const double gain = tn_value_at(run, "speed", 1.0) - tn_value_at(run, "speed", 0.5);
    check_near("speed gained in 0.5 s", gain, 0.5 * 1500 / 0.3 / mass, 2e-3);

    // (m v^2/2)' = power, but for what tyres lose by creep
    const double v0 = tn_value_at(run, "speed", 2.0), v1 = tn_value_at(run, "speed", 4.0);
    const double work = 2.0 * 30e3;
    check_near("energy gained in 2 s", 0.5 * mass * (v1 * v1 - v0 * v0), work, 0.01 * work);
    assert_true(tn_value_at(run, "engine", 4.0) < 0.5 * 1500);
}

/* Energy is lost to friction only, which the balance knows; what is left is the error of the steps, of second order. */
static double energy_drift(const char *step)
{
    const tn_csv_table *run =
        tn_simulate(tn_read(CAR), TN_WORDS(SET(step), SET("parameters.turn_in=0"), SET("solver.end_time=3")));
    const size_t balance = tn_column_of(run, "balance");
    double drift = 0.0;
    for (size_t row = 0; row < run->rows; row++)
        drift = fmax(drift, fabs(tn_csv_value(run, row, balance) - tn_csv_value(run, 0, balance)));
    return drift;
}

static void test_energy_of_the_car_is_accounted_for(void **state)
{
    (void)state;
    const double coarse = energy_drift("solver.step=1e-3"), fine = energy_drift("solver.step=5e-4");
    if (!(coarse <= 1.0 && coarse >= 3.0 * fine)) fail_msg("of 60 kJ %.3g, %.3g J are lost", coarse, fine);
}

/* ---- the platform ------------------------------------------------------------------------------------------ */

/* +1 where the inverse kinematics subtract what goes aside: front left and rear right. */
static double side_of(int wheel) { return wheel == 0 || wheel == 3 ? 1.0 : -1.0; }

/* Wheel speeds of Mecanum wheels of radius 0.1 whose rollers do not slip along their axes, at (+-0.25, +-0.2). */
static double inverse_kinematics(int wheel, double ahead, double aside, double around)
{
    const double y = wheel % 2 ? -1.0 : 1.0;
    return (ahead - side_of(wheel) * aside - y * (0.25 + 0.2) * around) / 0.1;
}

static void check_wheels(const tn_csv_table *run, double ahead, double aside, double around, double time)
{
    for (int i = 0; i < 4; i++)
        check_near(tn_format("speed of wheel %d at %g s", i, time), of_wheel(run, "speed", i, "", time),
                   inverse_kinematics(i, ahead, aside, around), 0.02);
}

static double most_of(const tn_csv_table *run, const char *column)
{
    const size_t k = tn_column_of(run, column);
    double most = 0.0;
    for (size_t row = 0; row < run->rows; row++)
        most = fmax(most, fabs(tn_csv_value(run, row, k)));
    return most;
}

/* Half of each way lies behind it in the middle of its time, and wheels turn as they should there. */
static void test_a_platform_goes_aside_then_ahead_then_turns(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(tn_read(MECANUM), NULL);
    assert_true(most_of(run, "error") <= 7e-3);
    static const double at[][4] = {
        {2, 0, 0.5, 0},     {4, 0, 1, 0},      {6, 0.75, 1, 0},    {8, 1.5, 1, 0},
        {10, 1.5, 1, 0.25}, {12, 1.5, 1, 0.5}, {12.5, 1.5, 1, 0.5}}; // s, m, m, half turns
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        check_near("x", tn_value_at(run, "p.x", at[k][0]), at[k][1], 6e-4);
        check_near("y", tn_value_at(run, "p.y", at[k][0]), at[k][2], 6e-4);
        check_near("yaw", tn_value_at(run, "yaw", at[k][0]), at[k][3] * pi, 6e-4);
    }
    check_wheels(run, 0, 0.4, 0, 2.5);
    check_wheels(run, 0.6, 0, 0, 6.25);
    check_wheels(run, 0, 0, 0.5 * pi / 2.5, 10.25);
}

/* The ways ahead and aside of the platform turn along with it. */
static void test_a_platform_turns_on_its_way(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(tn_read(MECANUM), TN_WORDS(ALL_AT_ONCE, SET("solver.end_time=4.5")));
    assert_true(most_of(run, "error") <= 0.015);
    const double time = 2.25, share = (time - 0.75) / 2.5, yaw = share * pi / 2;
    check_near("x", tn_value_at(run, "p.x", time), 1.5 * share, 1e-4);
    check_near("y", tn_value_at(run, "p.y", time), share, 1e-4);
    check_near("yaw", tn_value_at(run, "yaw", time), yaw, 1e-4);
    check_wheels(run, 0.6 * cos(yaw) + 0.4 * sin(yaw), 0.4 * cos(yaw) - 0.6 * sin(yaw), 0.2 * pi, time);
    check_near("x", tn_value_at(run, "p.x", 4.5), 1.5, 1e-4);
    check_near("yaw", tn_value_at(run, "yaw", 4.5), pi / 2, 1e-4);
}

/* Of any motion: rollers pass on forces along their axes alone, of the size that the slip asks for, and the slip along the axes
 * is what wheel speeds are off by, but for the little that the platform nods. */
static void test_rollers_grip_along_their_axes_alone(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(tn_read(MECANUM), TN_WORDS(ALL_AT_ONCE, SET("solver.end_time=4.5")));
    double largest = 0.0;
    for (size_t row = 1; row < run->rows; row++) {
        const double time = tn_csv_value(run, row, 0), aside = tn_value_at(run, "v_aside", time);
        const double ahead = tn_value_at(run, "v_ahead", time), around = tn_value_at(run, "yaw_rate", time);
        for (int i = 0; i < 4; i++) {
            const double side = side_of(i), lateral = of_wheel(run, "slip", i, ".x", time),
                         forward = of_wheel(run, "slip", i, ".y", time);
            const double along = (lateral - side * forward) * sqrt(0.5),
                         size = fmin(hypot(lateral, forward) / 0.05, 1);
            const double grip = 0.8 * of_wheel(run, "force", i, ".z", time) * size * (2.0 - size);
            const double force = -grip * along / hypot(lateral, forward), fx = force * sqrt(0.5);
            check_near("lateral force", of_wheel(run, "force", i, ".x", time), fx, 1e-6);
            check_near("forward force", of_wheel(run, "force", i, ".y", time), -side * fx, 1e-6);
            largest = fmax(largest, fabs(force));

            const double off =
                of_wheel(run, "speed", i, "", time) - inverse_kinematics(i, ahead, aside, around);
            check_near("slip along the axis", along, side * 0.1 * off * sqrt(0.5), 1e-4);
        }
    }
    assert_true(largest > 5.0);
}

/* 0.03 of the weight at 45 degrees are not enough for 0.5 m/s^2. */
static void test_a_platform_on_ice_loses_its_way(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        tn_read(MECANUM), TN_WORDS(ALL_AT_ONCE, SET("parameters.friction=0.03"), SET("solver.end_time=4")));
    assert_true(most_of(run, "error") >= 0.2);
}

/* ---- solvers and steps ------------------------------------------------------------------------------------- */

/* Errors of generalized_alpha at the end, against `rk` of order 4, fall with the square of its step. */
static void check_order(const char *model, const char *const *words, const char *reference_step, double most)
{
    static const char *const solver[] = {"type=rk", "step=2e-3", "step=1e-3", "step=5e-4"};
    const char *all[32] = {"--set", NULL, "--set", NULL}, *columns[2] = {"x", "y"};
    double place[4][2], error[4] = {0};
    for (size_t k = 0; words[k]; k++)
        all[4 + k] = words[k];
    const char *name = strcmp(model, CAR) == 0 ? "path" : "p";
    for (int k = 0; k < 4; k++) {
        all[1] = tn_format("solver.%s", solver[k]);
        all[3] = k == 0 ? tn_format("solver.step=%s", reference_step) : all[1];
        const tn_csv_table *run = tn_simulate(tn_read(model), all);
        const double end = tn_csv_value(run, run->rows - 1, 0);
        for (int c = 0; c < 2; c++) {
            place[k][c] = tn_value_at(run, tn_format("%s.%s", name, columns[c]), end);
            error[k] = hypot(error[k], place[k][c] - place[0][c]);
        }
    }
    if (!(error[2] <= most && error[1] >= 3.0 * error[2] && error[2] >= 3.0 * error[3]))
        fail_msg("errors %.3g, %.3g, %.3g", error[1], error[2], error[3]);
}

static void test_the_car_converges_with_the_step(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip();
    check_order(CAR, TN_WORDS(SET("parameters.turn_in=0"), SET("solver.end_time=1.2")), "5e-4", 1e-5);
}

static void test_the_platform_converges_with_the_step(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip();
    check_order(MECANUM, TN_WORDS(ALL_AT_ONCE, SET("solver.end_time=1.2")), "1e-3", 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_slow_car_drives_the_circle_of_its_steering),
        cmocka_unit_test(test_tyres_carry_a_fast_car_round),
        cmocka_unit_test(test_the_engine_drives_by_torque_then_by_power),
        cmocka_unit_test(test_energy_of_the_car_is_accounted_for),
        cmocka_unit_test(test_a_platform_goes_aside_then_ahead_then_turns),
        cmocka_unit_test(test_a_platform_turns_on_its_way),
        cmocka_unit_test(test_rollers_grip_along_their_axes_alone),
        cmocka_unit_test(test_a_platform_on_ice_loses_its_way),
        cmocka_unit_test(test_the_car_converges_with_the_step),
        cmocka_unit_test(test_the_platform_converges_with_the_step),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

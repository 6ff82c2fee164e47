/* test_bicycle.c - the benchmark bicycle, configs/seeds/bicycle.toml: manoeuvres, energies and eigenvalues against
 * published values (tests/reference/bicycle/README.md) */
#include "reference.h"

#include <complex.h>
#include <math.h>

#define BICYCLE TENON_SOURCE_DIR "/configs/seeds/bicycle.toml"
#define REFERENCE TENON_SOURCE_DIR "/tests/reference/bicycle/"

/* What a column ranges over. */
static double range_of(const tn_csv_table *run, const char *column)
{
    const size_t k = tn_column_of(run, column);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t row = 0; row < run->rows; row++) {
        const double value = tn_csv_value(run, row, k);
        if (!isfinite(value)) return HUGE_VAL;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return high - low;
}

/* ---- the manoeuvres ---------------------------------------------------------------------------------------- */

/* The sanitizers see the second one alone. */
enum { FIRST = TN_SANITIZED ? 2 : 1, LAST = TN_SANITIZED ? 2 : 3 };

static const tn_csv_table *run_manoeuvre(int number, const char *solver, const char *tyres)
{
    return tn_simulate(tn_read(BICYCLE), TN_WORDS("--set", tn_format("parameters.manoeuvre=%d", number),
                                                  "--solver", solver, "--set", tyres));
}

/* Angles (rad), rates (rad/s) and the speed (m/s) within `motion`, energies (J) within `energy`. */
static void check_manoeuvre(const tn_csv_table *run, const char *file, double motion, double energy)
{
    const char *path = tn_format(REFERENCE "%s.csv", file);
    tn_check_columns(run, path, "roll", motion, 0.0);
    tn_check_columns(run, path, "steer", motion, 0.0);
    tn_check_columns(run, path, "forward_speed", motion, 0.0);
    tn_check_columns(run, path, "potential", energy, 0.0);
    tn_check_columns(run, path, "kinetic", energy, 0.0);
}

static void check_held(const tn_csv_table *run, double energy, double error, double slip)
{
    if (!(range_of(run, "energy") <= energy)) fail_msg("energy drifts by %.3g J", range_of(run, "energy"));
    assert_true(tn_largest_in(run, "error") <= error);
    assert_true(tn_largest_in(run, "front_slip.x") <= slip && tn_largest_in(run, "front_slip.y") <= slip);
}

static void test_manoeuvres_to_nine_digits(void **state)
{
    (void)state;
    for (int number = FIRST; number <= LAST; number++) {
        const tn_csv_table *run = run_manoeuvre(number, "rk", "parameters.tyres=0");
        check_manoeuvre(run, tn_format("manoeuvre_%d", number), 2e-9, 1e-8);
        check_held(run, 1e-8, 1e-12, 1e-12);
        if (number != 2) continue;
        tn_check_columns(run, REFERENCE "manoeuvre_2_motion.csv", "roll_rate", 2e-9, 0.0);
        tn_check_columns(run, REFERENCE "manoeuvre_2_motion.csv", "steer", 2e-9, 0.0);
        tn_check_columns(run, REFERENCE "manoeuvre_2_motion.csv", "kinetic", 2e-8, 0.0);
    }
}

/* The library asks for 100 (Emax - Emin)/E0 < 1e-3. */
static void test_manoeuvres_as_the_model_stands(void **state)
{
    (void)state;
    for (int number = FIRST; number <= LAST; number++) {
        const tn_csv_table *run = run_manoeuvre(number, "generalized_alpha", "parameters.tyres=0");
        check_manoeuvre(run, tn_format("manoeuvre_%d", number), 2e-5, 5e-4);
        check_held(run, 2e-4, 1e-12, 1e-10);
        assert_true(100 * range_of(run, "energy") / tn_value_at(run, "energy", 0) < 1e-5);
    }
}

/* It stands deeper by up to 0.6 mm, and creeps. */
static void test_tyres_that_spring_and_creep_come_close(void **state)
{
    (void)state;
    static const double limit[] = {5e-3, 2e-3, 2e-5};
    for (int number = FIRST; number <= LAST; number++) {
        const tn_csv_table *run = run_manoeuvre(number, "generalized_alpha", "parameters.tyres=1");
        check_manoeuvre(run, tn_format("manoeuvre_%d", number), limit[number - 1], 0.3);
        assert_true(range_of(run, "energy") < 0.3 && tn_largest_in(run, "front_slip.x") > 1e-6);
    }
}

static const tn_csv_table *run_in_steps(double step)
{
    return tn_simulate(tn_read(BICYCLE),
                       TN_WORDS("--set", tn_format("solver.step=%g", step), "--set",
                                TN_SANITIZED ? "solver.end_time=4.97" : "solver.end_time=20.02", "--set",
                                "output.interval=0.07"));
}

/* The rear wheel turns by 0.2 rad in each step. Rows are left with errors that the solver admits, 0.2 newton_tolerance. */
static void test_long_steps_keep_the_energy(void **state)
{
    (void)state;
    const tn_csv_table *coarse = run_in_steps(14e-3), *fine = run_in_steps(3.5e-3);
    check_held(coarse, 0.1, 2e-11, 1e-10);
    static const char *const columns[] = {"roll", "steer"};
    for (int c = 0; c < 2; c++)
        for (size_t row = 0; row < fine->rows; row++) {
            const double error = tn_csv_value(coarse, row, tn_column_of(coarse, columns[c])) -
                                 tn_csv_value(fine, row, tn_column_of(fine, columns[c]));
            if (!(fabs(error) <= 1e-3)) fail_msg("%s misses by %.3g", columns[c], error);
        }
}

/* ---- small motions ----------------------------------------------------------------------------------------- */

static const tn_csv_table *run_at(double speed, double step, double end)
{
    return tn_simulate(tn_read(BICYCLE), TN_WORDS("--set", tn_format("parameters.speed=%.17g", speed),
                                                  "--set", "parameters.roll_rate=5e-5", "--solver", "rk",
                                                  "--set", tn_format("solver.step=%g", step), "--set",
                                                  tn_format("solver.end_time=%g", end)));
}

/* A motion that is a sum of four exponentials c exp(z t) at five times `interval` apart: with three of them filtered out, the
 * ratio of what is left is that of the fourth. */
static double complex exponent_of(const double *motion, const double complex *z, int which, double interval)
{
    double complex left[5];
    int count = 5;
    for (int k = 0; k < count; k++)
        left[k] = motion[k];
    for (int other = 0; other < 4; other++) {
        if (other == which) continue;
        count--;
        for (int k = 0; k < count; k++)
            left[k] = left[k + 1] - cexp(z[other] * interval) * left[k];
    }
    return clog(left[1] / left[0]) / interval;
}

/* Meijaard et al. (2007), Table 2: castering, capsize and weave, all real when it stands still. */
static const double published[11][6] = {
    // speed, first, second, third, fourth, imaginary part of third and, with the other sign, of fourth
    {0, -5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393, 0},
    {1, -7.11008014637442, -3.13423125066578, 3.52696170990070, 3.52696170990070, 0.80774027519930},
    {2, -8.67387984831735, -3.07158645641514, 2.68234517512745, 2.68234517512745, 1.68066296590675},
    {3, -10.35101467245920, -2.63366137253667, 1.70675605663975, 1.70675605663975, 2.31582447384325},
    {4, -12.15861426576447, -1.42944427361326, 0.41325331521125, 0.41325331521125, 3.07910818603206},
    {5, -14.07838969279822, -0.32286642900409, -0.77534188219585, -0.77534188219585, 4.46486771378823},
    {6, -16.08537123098026, -0.00406690076970, -1.52644486584142, -1.52644486584142, 5.87673060598709},
    {7, -18.15788466125262, 0.10268170574766, -2.13875644258362, -2.13875644258362, 7.19525913329805},
    {8, -20.27940894394569, 0.14327879765713, -2.69348683581097, -2.69348683581097, 8.46037971396931},
    {9, -22.43788559040858, 0.15790184030917, -3.21675402252485, -3.21675402252485, 9.69377351531791},
    {10, -24.62459635017404, 0.16105338653172, -3.72016840437287, -3.72016840437287, 10.90681139476287},
};

static void test_eigenvalues_at_eleven_speeds(void **state)
{
    (void)state;
    const double interval = 0.05;
    for (int row = 0; row < 11; row += TN_SANITIZED ? 5 : 1) {
        const double *p = published[row];
        const double complex i = (double complex)I, z[4] = {p[1], p[2], p[3] + p[5] * i, p[4] - p[5] * i};
        const tn_csv_table *run = run_at(p[0], 2.5e-4, 4 * interval);
        double steer[5];
        for (int k = 0; k < 5; k++)
            steer[k] = tn_value_at(run, "steer", k * interval);
        for (int k = 0; k < 4; k++) {
            const double error = cabs(exponent_of(steer, z, k, interval) - z[k]);
            if (!(error <= 1e-6)) fail_msg("eigenvalue %d at %g m/s differs by %.3g", k + 1, p[0], error);
        }
    }
}

static double largest_roll(const tn_csv_table *run, double from, double to)
{
    const size_t k = tn_column_of(run, "roll");
    double largest = 0.0;
    for (size_t row = 0; row < run->rows; row++)
        if (tn_csv_value(run, row, 0) >= from && tn_csv_value(run, row, 0) < to)
            largest = fmax(largest, fabs(tn_csv_value(run, row, k)));
    return largest;
}

/* Published: 4.29238 m/s, above which it no longer weaves, and 6.02426 m/s, above which it falls into a curve. */
static void test_self_stable_between_two_speeds(void **state)
{
    (void)state;
    static const struct {
        double speed;
        bool grows;
    } list[] = {{4.2, true}, {4.4, false}, {5.0, false}, {5.9, false}, {6.15, true}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k += TN_SANITIZED ? 2 : 1) {
        const tn_csv_table *run = run_at(list[k].speed, 1e-2, 10);
        const double before = largest_roll(run, 5, 7.5), after = largest_roll(run, 7.5, 10);
        if ((after > before) != list[k].grows)
            fail_msg("at %g m/s roll goes from %.3g to %.3g", list[k].speed, before, after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_manoeuvres_to_nine_digits),
                                       cmocka_unit_test(test_manoeuvres_as_the_model_stands),
                                       cmocka_unit_test(test_tyres_that_spring_and_creep_come_close),
                                       cmocka_unit_test(test_long_steps_keep_the_energy),
                                       cmocka_unit_test(test_eigenvalues_at_eleven_speeds),
                                       cmocka_unit_test(test_self_stable_between_two_speeds)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_spin.c - bodies that turn far in every step: a rotor that nutates on a hinge, free in space and held. Its energy does not
 * grow, and errs with the square of the step. ./build.sh soak spin takes 100 000 steps of more of them. */
#include "long_runs.h"

#include <math.h>

/* Runs tests/soak/models/spin.toml for a number of steps of h, in which the rotor turns by `turn`. */
static tn_long_run spin(int steps, double h, double turn, double radius, const char *shape, const char *held)
{
    return tn_run_long(TN_SOAK_MODELS "spin.toml",
                       TN_WORDS("--set", tn_format("parameters.h=%.17g", h), "--set",
                                tn_format("parameters.turn=%g", turn), "--set", shape, "--set", held, "--set",
                                tn_format("solver.end_time=%.17g", steps * h), "--set",
                                tn_format("solver.spectral_radius=%g", radius)));
}

static const char *const supports[] = {"parameters.held=0", "parameters.held=1"};
static const double radii[] = {0.5, 0.8, 0.9};
/* Of the cases the sanitizers see a few. */
enum { CASES = 3 * 3 * 2, STRIDE = TN_SANITIZED ? 5 : 1, STEPS = TN_SANITIZED ? 1000 : 2000 };

typedef struct spinning {
    tn_long_run run;
    const char *name;
    double start; /* energy */
} spinning;

static spinning spin_case(int k, const char *shape)
{
    static const double turns[] = {0.1, 0.3, 1.0};
    const double turn = turns[k / 6], radius = radii[k / 2 % 3];
    const tn_long_run run = spin(STEPS, 1e-3, turn, radius, shape, supports[k % 2]);
    return (spinning){.run = run,
                      .name = tn_format("%g rad, spectral radius %g, %s", turn, radius, supports[k % 2]),
                      .start = tn_csv_value(run.rows, 0, tn_column_of(run.rows, "energy"))};
}

static void test_energy_of_a_disc_does_not_grow(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k += STRIDE) {
        const spinning disc = spin_case(k, "parameters.slender=0");
        tn_check_most(tn_format("%s: rise of the energy", disc.name),
                      tn_largest_rise(disc.run.rows, "energy") / disc.start, 1e-3);
    }
}

/* The nutation of a rod may grow a little in every step; where it grows more, the program says that it will. */
static void test_energy_of_a_rod_hardly_grows(void **state)
{
    (void)state;
    static const double axial_inertia = 1e-3;
    for (int k = 0; k < CASES; k += STRIDE) {
        const spinning rod = spin_case(k, "parameters.slender=1");
        if (strstr(rod.run.errors, "warning: ")) continue;
        const double rate = tn_csv_value(rod.run.rows, 0, tn_column_of(rod.run.rows, "rate.z"));
        const double nutation = rod.start - 0.5 * axial_inertia * rate * rate;
        assert_true(nutation > 0.0);
        tn_check_most(tn_format("%s: growth of the nutation per step", rod.name),
                      log1p(tn_largest_rise(rod.run.rows, "energy") / nutation) / STEPS, 1e-5);
    }
}

/* The iteration contracts slowly at 1 rad per step. Steps that meet the tolerance in the end are not halved, which would excite the nutation. */
static void test_slow_iterations_leave_the_nutation_alone(void **state)
{
    (void)state;
    for (size_t k = 1; k < 3; k++) {
        const tn_long_run run = spin(STEPS, 1e-3, 1.0, radii[k], "parameters.slender=0", supports[1]);
        const size_t x = tn_column_of(run.rows, "rate.x"), y = tn_column_of(run.rows, "rate.y");
        double largest = 0.0;
        for (size_t i = 0; i < run.rows->rows; i++)
            largest = fmax(largest, hypot(tn_csv_value(run.rows, i, x), tn_csv_value(run.rows, i, y)));
        const double start = hypot(tn_csv_value(run.rows, 0, x), tn_csv_value(run.rows, 0, y));
        tn_check_most(tn_format("spectral radius %g: nutation against its start", radii[k]), largest / start,
                      1.01);
        assert_true(run.steps == STEPS);
    }
}

static tn_long_run heavy_top(const char *jacobian)
{
    return tn_run_long(TENON_SOURCE_DIR "/configs/benchmarks/heavy_top.toml",
                       TN_WORDS("--solver", "generalized_alpha", "--set", "solver.step=1e-3", "--set",
                                "solver.end_time=0.05", "--set", "output.interval=1e-3", "--set", jacobian));
}

/* The top turns by 0.15 rad in a step: velocities start with the error that they go on with, for rows at the end of the first step. With
 * another one reactions would alternate, by a fortieth of the largest. */
static void test_reactions_of_a_fast_top_do_not_alternate_at_the_start(void **state)
{
    (void)state;
    static const char *const force[] = {"force.x", "force.y", "force.z"};
    const tn_long_run usual = heavy_top("solver.newton.jacobian=modified"),
                      exact = heavy_top("solver.newton.jacobian=full");
    double difference = 0.0, largest = 0.0;
    assert_int_equal(usual.rows->rows, exact.rows->rows);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < exact.rows->rows; i++) {
            const double value = tn_csv_value(exact.rows, i, tn_column_of(exact.rows, force[k]));
            difference = fmax(difference,
                              fabs(value - tn_csv_value(usual.rows, i, tn_column_of(usual.rows, force[k]))));
            largest = fmax(largest, fabs(value));
        }
    tn_check_most("difference of reactions against the largest", difference / largest, 1e-4);
}

/* Root mean square of what a column departs by from its line of least squares, from row `first` on. */
static double ripple(const tn_csv_table *rows, const char *column, size_t first)
{
    const size_t k = tn_column_of(rows, column), count = rows->rows - first;
    double mean = 0.0, slope = 0.0, norm = 0.0, square = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double x = (double)i - 0.5 * (double)(count - 1), y = tn_csv_value(rows, first + i, k);
        mean += y / (double)count;
        slope += x * y;
        norm += x * x;
    }
    for (size_t i = 0; i < count; i++) {
        const double x = (double)i - 0.5 * (double)(count - 1);
        const double rest = tn_csv_value(rows, first + i, k) - mean - slope / norm * x;
        square += rest * rest;
    }
    return sqrt(square / (double)count);
}

/* What is damped away falls with a higher power; the rest, which comes and goes with the nutation, is the error. */
static void test_error_of_energy_falls_with_the_square_of_the_step(void **state)
{
    (void)state;
    for (int k = 0; k < 3 * 2; k += TN_SANITIZED ? 3 : 1) {
        const char *held = supports[k % 2];
        const tn_long_run coarse = spin(800, 1e-3, 0.1, radii[k / 2], "parameters.slender=0", held);
        const tn_long_run fine = spin(1600, 5e-4, 0.05, radii[k / 2], "parameters.slender=0", held);
        const double ratio = ripple(coarse.rows, "energy", 200) / ripple(fine.rows, "energy", 400);
        if (!(ratio >= 3.6 && ratio <= 4.4))
            fail_msg("spectral radius %g, %s: ratio %.3f", radii[k / 2], held, ratio);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_of_a_disc_does_not_grow),
        cmocka_unit_test(test_energy_of_a_rod_hardly_grows),
        cmocka_unit_test(test_slow_iterations_leave_the_nutation_alone),
        cmocka_unit_test(test_reactions_of_a_fast_top_do_not_alternate_at_the_start),
        cmocka_unit_test(test_error_of_energy_falls_with_the_square_of_the_step)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

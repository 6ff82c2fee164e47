/* test_redundant_runs.c - mechanisms with redundant joints run on and on: as many iterations as at the start, the energy of the
 * start, and no reactions where there are none. ./build.sh soak long does the same for 1000 s. */
#include "long_runs.h"
#include "reference.h"

#define BENCHMARKS TENON_SOURCE_DIR "/configs/benchmarks/"

/* Longer than version 0.1 took to lose the turned four-bar, at 10.25 s; the sanitizers see less of the others. */
static const double seconds = TN_SANITIZED ? 3.0 : 15.0, seconds_of_four_bar = TN_SANITIZED ? 11.0 : 15.0;

static tn_long_run run_for(const char *path, const char *parameter, double end)
{
    return tn_run_long(path, TN_WORDS("--set", parameter, "--set", tn_format("solver.end_time=%g", end),
                                      "--set", "output.interval=0.1", "--quiet"));
}

/* The whole run, once its iterations have been found to be as many as in its first second. */
static tn_long_run run_on(const char *path, const char *parameter, double end)
{
    const tn_long_run start = run_for(path, parameter, 1.0), whole = run_for(path, parameter, end);
    const double first = tn_iterations_per_step(&start), later = tn_iterations_behind(&whole, &start);
    const char *what = tn_format("%s, %s: iterations per step", path, parameter);
    tn_check_most(what, later, 1.3 * first);
    tn_check_most(what, later, 3.0);
    return whole;
}

static void check_energy(const tn_long_run *run, const char *column, double most)
{
    tn_check_most(column, tn_largest_change(run->rows, column), most);
}

/* ---- planar mechanisms in planes that are turned ----------------------------------------------------------------- */

static const char *const angles[] = {"parameters.angle=0", "parameters.angle=0.7", "parameters.angle=1.3"};
enum { ANGLES = sizeof angles / sizeof *angles };

/* The forces in the plane reach 200 N, the torques across it nothing: a millionth is what an iteration may leave of them. */
static void test_four_bar_in_turned_planes(void **state)
{
    (void)state;
    for (int k = 0; k < ANGLES; k++) {
        const tn_long_run run = run_on(TN_SOAK_MODELS "four_bar.toml", angles[k], seconds_of_four_bar);
        check_energy(&run, "energy", 5e-3);
        tn_check_most("force across the plane", tn_largest_in(run.rows, "force.z"), 2e-4);
        tn_check_most("torque across the plane", tn_largest_in(run.rows, "torque.x"), 2e-4);
        tn_check_most("torque across the plane", tn_largest_in(run.rows, "torque.y"), 2e-4);
        const tn_long_run exact = tn_run_long(TN_SOAK_MODELS "four_bar.toml",
                                              TN_WORDS("--set", angles[k], "--set",
                                                       tn_format("solver.end_time=%g", seconds_of_four_bar),
                                                       "--set", "output.interval=0.1", "--set",
                                                       "solver.newton.relative_tolerance=1e-12", "--quiet"));
        tn_check_most("force across the plane", tn_largest_in(exact.rows, "force.z"), 1e-5);
        tn_check_most("torque across the plane", tn_largest_in(exact.rows, "torque.x"), 1e-5);
        tn_check_most("torque across the plane", tn_largest_in(exact.rows, "torque.y"), 1e-5);
    }
}

/* Errors of multipliers move nothing where rows hold bodies twice, and predictions could multiply them from step to step. Results have a row
 * for every step, as such errors grow and vanish within a few of them. */
static void test_no_step_has_reactions_across_the_plane(void **state)
{
    (void)state;
    const char *end = tn_format("solver.end_time=%g", TN_SANITIZED ? 1.0 : 15.0);
    const tn_long_run run =
        tn_run_long(TN_SOAK_MODELS "four_bar.toml", TN_WORDS("--set", "parameters.angle=0.7", "--set", end,
                                                             "--set", "output.interval=1e-3", "--quiet"));
    tn_check_most("force across the plane", tn_largest_in(run.rows, "force.z"), 2e-4);
    tn_check_most("torque across the plane", tn_largest_in(run.rows, "torque.x"), 2e-4);
    tn_check_most("torque across the plane", tn_largest_in(run.rows, "torque.y"), 2e-4);
}

/* Each hinge of the trapdoor carries half of the load, and no torque; what keeps the matrix regular leaves a little. */
static void test_trapdoor_on_two_hinges(void **state)
{
    (void)state;
    for (int k = 0; k < ANGLES; k++) {
        const tn_long_run run = run_on(TN_SOAK_MODELS "door.toml", angles[k], seconds);
        check_energy(&run, "energy", 1e-3);
        tn_check_most("force along the axis", tn_largest_in(run.rows, "force.z"), 1e-4);
        tn_check_most("torque", tn_largest_in(run.rows, "torque.x"), 1e-4);
        tn_check_most("torque", tn_largest_in(run.rows, "torque.y"), 1e-4);
    }
}

/* ---- mechanisms of configs/benchmarks ---------------------------------------------------------------------------- */

static void test_bricard(void **state)
{
    (void)state;
    const tn_long_run run = run_on(BENCHMARKS "iftomm_a04_bricard.toml", "parameters.side=0.1", seconds);
    check_energy(&run, "energy", 1e-3);
}

static void test_coupled_four_bars(void **state)
{
    (void)state;
    const tn_long_run run = run_on(BENCHMARKS "iftomm_a02_four_bar.toml", "parameters.n=2", seconds);
    check_energy(&run, "energy", 5e-3);
}

/* Where all rods lie flat the mechanism could go on in other ways, and would lose a fifth of its energy. It passes this position about once
 * a second, now and then close to the end of a step. */
static void test_coupled_four_bars_go_on_in_their_way(void **state)
{
    (void)state;
    static const double radii[] = {0.934, 0.87, 0.85};
    for (int k = 0; k < (TN_SANITIZED ? 1 : 3); k++) {
        const tn_long_run run = tn_run_long(
            BENCHMARKS "iftomm_a02_four_bar.toml",
            TN_WORDS("--set", "parameters.n=2", "--set", tn_format("solver.spectral_radius=%g", radii[k]),
                     "--set", tn_format("solver.end_time=%g", k == 0 ? 39.0 : 140.0), "--set",
                     "output.interval=0.1", "--quiet"));
        check_energy(&run, "energy", 5e-3);
    }
}

static void test_slider_crank(void **state)
{
    (void)state;
    const tn_long_run run = run_on(BENCHMARKS "slider_crank.toml", "parameters.a=0.5", seconds);
    check_energy(&run, "balance", 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_four_bar_in_turned_planes),
                                       cmocka_unit_test(test_no_step_has_reactions_across_the_plane),
                                       cmocka_unit_test(test_trapdoor_on_two_hinges),
                                       cmocka_unit_test(test_bricard),
                                       cmocka_unit_test(test_coupled_four_bars),
                                       cmocka_unit_test(test_coupled_four_bars_go_on_in_their_way),
                                       cmocka_unit_test(test_slider_crank)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

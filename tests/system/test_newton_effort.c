/* test_newton_effort.c - iterations and matrices of generalized_alpha: where motion is smooth a step is hardly more than one evaluation
 * and one solution, and a matrix serves for many steps. Figures are those of the solver, with some reserve. */
#include "harness.h"

#define BENCHMARKS TENON_SOURCE_DIR "/configs/benchmarks/"

static void check(const char *model, const char *end, double iterations, double steps_of_matrix)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("run", model, "--quiet", "--out", results, "--set", tn_format("solver.end_time=%s", end)));
    if (outcome.status != 0) fail_msg("%s: exit %d: %s", model, outcome.status, outcome.errors);
    const double steps = tn_run_number(results, "run.statistics.steps");
    const double per_step = tn_run_number(results, "run.statistics.newton_iterations") / steps;
    const double of_matrix = steps / tn_run_number(results, "run.statistics.matrices");
    if (!(per_step <= iterations)) fail_msg("%s: %.3f iterations per step", model, per_step);
    if (!(of_matrix >= steps_of_matrix)) fail_msg("%s: a matrix in every %.3g steps", model, of_matrix);
}

/* Wheels and tops that spin turn by up to 0.015 rad per step. */
static void test_spin_does_not_wear_out_the_matrix(void **state)
{
    (void)state;
    check(BENCHMARKS "heavy_top.toml", "0.1", 1.4, 20.0);
    check(TENON_SOURCE_DIR "/configs/seeds/bicycle.toml", "0.5", 1.4, 20.0);
}

static void test_mechanisms_take_one_iteration_in_most_steps(void **state)
{
    (void)state;
    check(BENCHMARKS "iftomm_a01_pendulum.toml", "1", 1.4, 20.0);
    check(BENCHMARKS "iftomm_a05_flyball.toml", "0.5", 1.5, 15.0);
}

/* The undetermined parts of multipliers differ from matrix to matrix. */
static void test_redundant_rows_cost_no_iterations(void **state)
{
    (void)state;
    check(BENCHMARKS "iftomm_a04_bricard.toml", "0.5", 1.5, 4.0);
}

/* A ring of n rods on ball joints falls freely: corrections and errors of its joints are round-off of positions far from the origin. */
static void test_round_off_asks_for_no_matrices(void **state)
{
    (void)state;
    const char *model = tn_write(
        "ring.toml",
        "[model]\ngravity = [0, 0, -9.81]\n[parameters]\nn = 200\nR = 'n / (2 * PI)'\n[[repeat]]\ncount = "
        "'n'\n"
        "element = [\n"
        "{ name = 'b_{i}', type = 'rigid_body', mass = 1, inertia = [0.1, 0.12, 0.15], position = "
        "['R * COS(2 * PI * i / n)', 'R * SIN(2 * PI * i / n)', 0] },\n"
        "{ name = 'j_{i}', type = 'spherical', markers = [{ element = 'b_{i}', position = "
        "['R * (COS(2 * PI * (i + 1) / n) - COS(2 * PI * i / n)) / 2', 'R * (SIN(2 * PI * (i + 1) / n) - "
        "SIN(2 * PI * i / n)) / 2', 0] }, "
        "{ element = 'b_{MOD(i + 1, n)}', position = "
        "['R * (COS(2 * PI * i / n) - COS(2 * PI * (i + 1) / n)) / 2', 'R * (SIN(2 * PI * i / n) - "
        "SIN(2 * PI * (i + 1) / n)) / 2', 0] }] },\n]\n"
        "[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\n");
    check(model, "0.1", 3.0, 5.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spin_does_not_wear_out_the_matrix),
        cmocka_unit_test(test_mechanisms_take_one_iteration_in_most_steps),
        cmocka_unit_test(test_redundant_rows_cost_no_iterations),
        cmocka_unit_test(test_round_off_asks_for_no_matrices),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

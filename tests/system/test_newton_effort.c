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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spin_does_not_wear_out_the_matrix),
        cmocka_unit_test(test_mechanisms_take_one_iteration_in_most_steps),
        cmocka_unit_test(test_redundant_rows_cost_no_iterations),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

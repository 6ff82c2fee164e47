/* test_memory.c - memory per body of large models, at the peak of a run, by two sizes: what the program takes by itself drops out */
#include "harness.h"

#include <math.h>

#define MODELS TENON_SOURCE_DIR "/configs/benchmarks/"

enum { RUNS = 3 };

static double peak_of_run(const char *model, int n, const char *step, const char *end)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", model, "--out", results, "--set", tn_format("parameters.n=%d", n), "--set",
                          step, "--set", end, "--quiet"));
    if (outcome.status != 0) fail_msg("%s: exit %d: %s", model, outcome.status, outcome.errors);
    return tn_run_number(results, "run.statistics.peak_memory");
}

/* The least of some runs: now and then a run has one or two more of the large pages, of 2 MB, that hold little. */
static double peak_of(const char *model, int n, const char *step, const char *end)
{
    double least = peak_of_run(model, n, step, end);
    for (int k = 1; k < RUNS; k++)
        least = fmin(least, peak_of_run(model, n, step, end));
    return least;
}

/* Bytes for each of `more` bodies that the larger one of two sizes has. */
static void check_bytes(const char *model, int small, int large, double more, const char *step,
                        const char *end, double most)
{
    if (TN_SANITIZED) skip();
    const double bytes = (peak_of(model, large, step, end) - peak_of(model, small, step, end)) / more;
    if (!(bytes > 0.0 && bytes < most))
        fail_msg("%s: %.0f bytes per body, more than %.0f", model, bytes, most);
}

/* Rods on joints, implicitly: with the matrix and its factors. */
static void test_rod_of_a_chain(void **state)
{
    (void)state;
    check_bytes(MODELS "chain.toml", 4000, 24000, 20000.0, "solver.step=1e-3", "solver.end_time=3e-3", 7.6e3);
}

/* Points with two springs each, explicitly. */
static void test_point_of_a_net(void **state)
{
    (void)state;
    check_bytes(MODELS "springnet.toml", 50, 500, 247500.0, "solver.step=1e-4", "solver.end_time=3e-4",
                1.22e3);
}

/* Rows go to files: a longer run takes no more memory. */
static void test_steps_take_no_memory(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip();
    const char *model = MODELS "chain.toml";
    const double few = peak_of(model, 1000, "output.interval=1e-3", "solver.end_time=0.02"),
                 many = peak_of(model, 1000, "output.interval=1e-3", "solver.end_time=0.2");
    if (!(many < few + 1e6)) fail_msg("%.0f bytes after 20 steps, %.0f after 200", few, many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rod_of_a_chain),
                                       cmocka_unit_test(test_point_of_a_net),
                                       cmocka_unit_test(test_steps_take_no_memory)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

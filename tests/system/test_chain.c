/* test_chain.c - runs with the linear solver `chain` against those with `klu`, over the first 100 steps of benchmarks; and on threads */
#include "harness.h"

#include <math.h>

typedef struct benchmark {
    const char *file;
    double step;
    const char *more; /* one more word for --set, or NULL */
    double tolerance; /* of Newton's method, or 0 for 1e-12 */
} benchmark;

/* What differs with all linear solvers: forces of constraints, by the tolerance of Newton's method divided by the square of the step, and
 * energies, small differences of large numbers. */
static bool is_compared(const char *column)
{
    return !strstr(column, "force") && !strstr(column, "torque") && !strstr(column, "energy");
}

/* Fails where motion differs. */
static void check_same(const tn_csv_table *chain, const tn_csv_table *klu, const char *file)
{
    assert_true(chain->rows == klu->rows && klu->rows == 101 && chain->columns == klu->columns);
    for (size_t c = 0; c < klu->columns; c++) {
        if (!is_compared(klu->name[c])) continue;
        double size = 1.0, error = 0.0;
        for (size_t row = 0; row < klu->rows; row++) {
            size = fmax(size, fabs(tn_csv_value(klu, row, c)));
            const double difference = fabs(tn_csv_value(chain, row, c) - tn_csv_value(klu, row, c));
            error = difference <= error ? error : difference;
        }
        if (!(error <= 1e-9 * size))
            fail_msg("%s: %s differs by %.3g of %.3g", file, klu->name[c], error, size);
    }
}

static const tn_csv_table *run_with(const benchmark *b, const char *linear)
{
    const char *words[] = {
        "--set",
        tn_format("solver.linear='%s'", linear),
        "--set",
        tn_format("solver.step=%.17g", b->step),
        "--set",
        tn_format("solver.end_time=%.17g", 100.0 * b->step),
        "--set",
        tn_format("output.interval=%.17g", b->step),
        "--set",
        tn_format("solver.newton.relative_tolerance=%g", b->tolerance > 0.0 ? b->tolerance : 1e-12),
        "--solver",
        "generalized_alpha",
        b->more ? "--set" : NULL,
        b->more,
        NULL};
    return tn_simulate(tn_read(tn_format(TENON_SOURCE_DIR "/configs/%s.toml", b->file)), words);
}

static void test_benchmarks_take_the_steps_that_klu_takes(void **state)
{
    (void)state;
    static const benchmark list[] = {
        {"benchmarks/chain", 1e-3, "parameters.n=24"},
        {"benchmarks/joint_chain", 1e-3, NULL},
        {"benchmarks/iftomm_a02_four_bar", 1e-3, "parameters.n=6"},
        {"benchmarks/iftomm_a03_andrews", 1e-5, NULL},
        {"benchmarks/iftomm_a04_bricard", 1e-3, NULL},
        {"benchmarks/iftomm_a05_flyball", 1e-3, NULL},
        {"benchmarks/spatial_slider_crank", 1e-3, NULL},
        {"benchmarks/car", 1e-3, NULL, 1e-14}, /* with 1e-12 its slip is 1.7e-8 m/s off, whoever solves */
        {"benchmarks/bushings", 1e-3, NULL},
        {"seeds/bicycle", 1e-3, NULL},
    };
    tn_need_plugin("chain");
    tn_need_plugin("klu");
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        check_same(run_with(&list[k], "chain"), run_with(&list[k], "klu"), list[k].file);
}

/* Models that are cut into tasks (plugins/linear/chain/subtrees.h). */
static void test_threads_change_no_bit(void **state)
{
    (void)state;
    static const char *const model[] = {"chain", "ladder"}, *const bodies[] = {"4000", "400"};
    static const char *const threads[] = {"1", "2", "3"};
    tn_need_plugin("chain");
    for (int k = 0; k < 2; k++) {
        const char *first = NULL;
        for (int t = 0; t < 3; t++) {
            const char *results = tn_scratch_path(NULL);
            const tn_outcome run = tn_tenon(
                TN_WORDS("run", tn_format(TENON_SOURCE_DIR "/configs/benchmarks/%s.toml", model[k]), "--set",
                         tn_format("parameters.n=%s", bodies[k]), "--set", "solver.linear='chain'",
                         "--solver", "generalized_alpha", "--set", "solver.step=1e-3", "--set",
                         "solver.end_time=0.01", "--set", "output.interval=1e-3", "--set",
                         tn_format("solver.threads=%s", threads[t]), "--out", results));
            if (run.status != 0) fail_msg("exit %d: %s", run.status, run.errors);
            const char *sensors = tn_read(tn_format("%s/sensors.csv", results));
            if (!first) first = sensors;
            assert_string_equal(sensors, first);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_benchmarks_take_the_steps_that_klu_takes),
                                       cmocka_unit_test(test_threads_change_no_bit)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

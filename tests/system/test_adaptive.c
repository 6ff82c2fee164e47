/* test_adaptive.c - accuracy by one number: errors of adaptive solvers follow `tolerance`, step by step to outputs and changes */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 5, COUNT = 6, FEWER = TN_SANITIZED ? 2 : 0 }; /* strict tolerances take minutes there */

/* A published model, so many rows of a run, and a column that tells of its motion. */
typedef struct problem {
    const char *model, *end, *interval, *column;
} problem;

static const problem problems[] = {{"benchmarks/iftomm_a03_andrews.toml", "0.03", "0.006", "gamma"},
                                   {"benchmarks/heavy_top.toml", "0.5", "0.1", "u.x"},
                                   {"benchmarks/iftomm_a05_flyball.toml", "2", "0.4", "droop"},
                                   {"benchmarks/slider_crank.toml", "5", "1", "crank"},
                                   {"seeds/bicycle.toml", "5", "1", "roll"},
                                   {"benchmarks/car.toml", "1", "0.2", "p.x"}};

static const char *set(const char *key, const char *value) { return tn_format("solver.%s=%s", key, value); }

static void run(const problem *p, const char *solver, const char *tolerance, const char *more, double *row)
{
    const char *results = tn_scratch_path(NULL), *path = tn_format(TENON_SOURCE_DIR "/configs/%s", p->model);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", path, "--quiet", "--solver", solver, "--out", results, "--set",
                          set("end_time", p->end), "--set", tn_format("output.interval=%s", p->interval),
                          "--set", set("tolerance", tolerance), "--set", more));
    if (outcome.status != 0) fail_msg("%s, %s %s: %s", p->model, solver, tolerance, outcome.errors);
    const tn_csv_table *table = tn_sensors(results);
    for (int k = 0; k <= ROWS; k++) /* rows of expectations stand between them */
        row[k] = tn_value_at(table, p->column, k * atof(p->interval));
}

/* The slope of error against tolerance, by least squares over tolerances of 10^-3, 10^-4 ... */
static double slope_of(const double error[COUNT], int count)
{
    double product = 0.0, squares = 0.0;
    for (int t = 0; t < count; t++) {
        const double from_middle = t - 0.5 * (count - 1);
        product -= from_middle * log10(error[t]);
        squares += from_middle * from_middle;
    }
    return product / squares;
}

/* A step errs by h^3, and all of them together by h^2; strict tolerances are used in part (share_of_a_step). */
static void check_slopes(const char *index, int count)
{
    static const char *const tolerances[COUNT] = {"1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8"};
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        double right[ROWS + 1], row[ROWS + 1], error[COUNT] = {0.0};
        run(&problems[k], "rk", "1e-11", "solver.order=5", right);
        for (int t = 0; t < count; t++) {
            run(&problems[k], "generalized_alpha", tolerances[t], index, row);
            for (int r = 0; r <= ROWS; r++)
                error[t] = fmax(error[t], fabs(row[r] - right[r]));
            if (t > 0 && !(error[t] < error[t - 1]))
                fail_msg("%s: error %g at %s, %g before", problems[k].model, error[t], tolerances[t],
                         error[t - 1]);
        }
        const double slope = slope_of(error, count);
        if (!(slope > 2.0 / 3.0 && slope < 1.0))
            fail_msg("%s: errors %g to %g, slope %g", problems[k].model, error[0], error[count - 1], slope);
    }
}

static void errors_of_generalized_alpha_follow_the_tolerance(void **state)
{
    (void)state;
    check_slopes("solver.index=2", COUNT - FEWER);
}

static void errors_of_generalized_alpha_at_index_3_follow_the_tolerance(void **state)
{
    (void)state;
    check_slopes("solver.index=3", COUNT - 2 - FEWER / 2);
}

static void index_3_tells_where_round_off_ends_it(void **state)
{
    (void)state;
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", TENON_SOURCE_DIR "/configs/benchmarks/iftomm_a05_flyball.toml", "--quiet",
                          "--solver", "generalized_alpha", "--out", tn_scratch_path(NULL), "--set",
                          "solver.index=3", "--set", "solver.tolerance=1e-10"));
    assert_int_equal(outcome.status, 1);
    assert_non_null(
        strstr(outcome.errors, "at index 3 accelerations are made of round-off there: `index = 2`"));
}

/* An error that the first step leaves stays in the motion: a long one is taken back, whatever it was asked to be. */
static void a_first_step_that_is_too_long_does_not_show(void **state)
{
    (void)state;
    double right[ROWS + 1], row[ROWS + 1];
    run(&problems[0], "rk", "1e-11", "solver.order=5", right);
    run(&problems[0], "generalized_alpha", "1e-6", "solver.step=1e-3", row);
    for (int r = 0; r <= ROWS; r++)
        assert_true(fabs(row[r] - right[r]) < 2e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_generalized_alpha_follow_the_tolerance),
        cmocka_unit_test(errors_of_generalized_alpha_at_index_3_follow_the_tolerance),
        cmocka_unit_test(index_3_tells_where_round_off_ends_it),
        cmocka_unit_test(a_first_step_that_is_too_long_does_not_show),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* long_runs.c - runs of model files, with what they cost per step and how far they drift */
#include "long_runs.h"

#include <math.h>

tn_long_run tn_run_long(const char *path, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    const char *all[64] = {"run", path, "--out", results};
    for (size_t k = 0; words && words[k]; k++) {
        assert_true(4 + k + 1 < sizeof all / sizeof *all);
        all[4 + k] = words[k];
    }
    const tn_outcome outcome = tn_tenon(all);
    if (outcome.status != 0) fail_msg("%s: exit %d: %s", path, outcome.status, outcome.errors);
    return (tn_long_run){.rows = tn_sensors(results),
                         .steps = tn_run_number(results, "run.statistics.steps"),
                         .iterations = tn_run_number(results, "run.statistics.newton_iterations"),
                         .errors = outcome.errors};
}

double tn_iterations_per_step(const tn_long_run *run) { return run->iterations / run->steps; }

double tn_iterations_behind(const tn_long_run *whole, const tn_long_run *start)
{
    return (whole->iterations - start->iterations) / (whole->steps - start->steps);
}

double tn_largest_rise(const tn_csv_table *rows, const char *column)
{
    const size_t k = tn_column_of(rows, column);
    double largest = 0.0;
    for (size_t row = 0; row < rows->rows; row++) {
        const double change = tn_csv_value(rows, row, k) - tn_csv_value(rows, 0, k);
        largest = fmax(largest, isfinite(change) ? change : HUGE_VAL);
    }
    return largest;
}

double tn_largest_change(const tn_csv_table *rows, const char *column)
{
    const size_t k = tn_column_of(rows, column);
    double largest = 0.0;
    for (size_t row = 0; row < rows->rows; row++) {
        const double change = tn_csv_value(rows, row, k) - tn_csv_value(rows, 0, k);
        largest = fmax(largest, isfinite(change) ? fabs(change) : HUGE_VAL);
    }
    return largest;
}

void tn_check_most(const char *what, double value, double most)
{
    if (!(value <= most)) fail_msg("%s: %.4g, more than %.4g", what, value, most);
}

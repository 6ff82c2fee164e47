/* parts.c - runs of models in several files, and equal results */
#include "parts.h"

const char *tn_run_file(const char *file, const char *const *more)
{
    const char *results = tn_scratch_path(NULL);
    const char *words[32] = {"run", file, "--quiet", "--out", results};
    for (size_t k = 0; more && more[k]; k++)
        words[5 + k] = more[k];
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    assert_string_equal(outcome.errors, "");
    return results;
}

const tn_csv_table *tn_simulate_parts(const char *model, const char *const *more)
{
    return tn_sensors(tn_run_file(tn_write("parts.toml", model), more));
}

const char *tn_sensor_text(const char *results) { return tn_read(tn_format("%s/sensors.csv", results)); }

void tn_check_equal(const tn_csv_table *a, const tn_csv_table *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    for (size_t k = 0; k < a->columns; k++) {
        const size_t column = tn_column_of(b, a->name[k]);
        for (size_t row = 0; row < a->rows; row++) {
            const double x = tn_csv_value(a, row, k), y = tn_csv_value(b, row, column);
            if (!(x == y)) fail_msg("%s, row %zu: %.17g and %.17g", a->name[k], row, x, y);
        }
    }
}

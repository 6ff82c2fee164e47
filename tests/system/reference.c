/* reference.c - columns of a run against those of a file */
#include "reference.h"

#include <math.h>

static void check_column(const tn_csv_table *run, const tn_csv_table *reference, size_t k, double absolute,
                         double relative)
{
    const char *column = reference->name[k];
    double worst = 0.0, largest = 0.0;
    for (size_t row = 0; row < reference->rows; row++) {
        const double right = tn_csv_value(reference, row, k);
        const double value = tn_value_at(run, column, tn_csv_value(reference, row, 0));
        largest = fmax(largest, fabs(right));
        worst = fmax(worst, isfinite(value) ? fabs(value - right) : HUGE_VAL);
    }
    const double tolerance = absolute + relative * largest;
    if (!(worst <= tolerance)) fail_msg("%s differs by %.3g, not below %.3g", column, worst, tolerance);
}

void tn_check_columns(const tn_csv_table *run, const char *file, const char *name, double absolute,
                      double relative)
{
    tn_csv_table reference;
    size_t compared = 0;
    assert_true(tn_csv_read(file, &reference, stderr));
    assert_true(reference.rows > 2);
    for (size_t k = 1; k < reference.columns; k++) {
        if (strncmp(reference.name[k], name, strlen(name)) != 0) continue;
        check_column(run, &reference, k, absolute, relative);
        compared++;
    }
    assert_true(compared > 0);
}

double tn_largest_in(const tn_csv_table *run, const char *column)
{
    const size_t k = tn_column_of(run, column);
    double largest = 0.0;
    for (size_t row = 0; row < run->rows; row++) {
        const double value = tn_csv_value(run, row, k);
        largest = fmax(largest, isfinite(value) ? fabs(value) : HUGE_VAL);
    }
    return largest;
}

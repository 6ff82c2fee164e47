/* reference.h - runs against tables of results. */
#ifndef TENON_TESTS_SYSTEM_REFERENCE_H
#define TENON_TESTS_SYSTEM_REFERENCE_H

#include "harness.h"

/* Fails unless the columns of the file whose names begin with `name` agree with those of the run, at all times of the
 * file: within `absolute` plus `relative` times the largest magnitude in the column. */
void tn_check_columns(const tn_csv_table *run, const char *file, const char *name, double absolute,
                      double relative);
/* Largest magnitude in a column. */
double tn_largest_in(const tn_csv_table *run, const char *column);

#endif

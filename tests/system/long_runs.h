/* long_runs.h - runs of model files, with what they cost per step and how far they drift. */
#ifndef TENON_TESTS_SYSTEM_LONG_RUNS_H
#define TENON_TESTS_SYSTEM_LONG_RUNS_H

#include "harness.h"

/* The models of tests/soak, which turns what is short here into long runs. */
#define TN_SOAK_MODELS TENON_SOURCE_DIR "/tests/soak/models/"

typedef struct tn_long_run {
    const tn_csv_table *rows;
    double steps, iterations;
    const char *errors; /* what the program wrote there */
} tn_long_run;

/* Runs a model file with further words to its end; anything but success fails the test. */
tn_long_run tn_run_long(const char *path, const char *const *words);
/* Newton iterations per step; those of the steps of `whole` behind the ones of `start`, an equal run that is shorter. */
double tn_iterations_per_step(const tn_long_run *run);
double tn_iterations_behind(const tn_long_run *whole, const tn_long_run *start);
/* Largest rise of a column above its first value, and largest change from there; infinite where it is not finite. */
double tn_largest_rise(const tn_csv_table *rows, const char *column);
double tn_largest_change(const tn_csv_table *rows, const char *column);
/* Fails unless value <= most; `what` says which value it is. */
void tn_check_most(const char *what, double value, double most);

#endif

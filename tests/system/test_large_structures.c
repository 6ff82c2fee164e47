/* test_large_structures.c - structures of many equal fields, which are soft as a whole although every joint is stiff: a step takes
 * a few iterations at every size. ./build.sh soak ladder goes on to 2048 fields. */
#include "long_runs.h"

#include <math.h>

static void check_ladder(int fields, int index, double end, double most)
{
    /* halving would only put off the end of a run that fails */
    const tn_long_run run = tn_run_long(
        TN_SOAK_MODELS "ladder.toml",
        TN_WORDS("--set", tn_format("parameters.n=%d", fields), "--set", tn_format("solver.index=%d", index),
                 "--set", tn_format("solver.end_time=%g", end), "--set", "solver.min_step=5e-4", "--quiet"));
    tn_check_most(tn_format("%d fields, index %d: iterations per step", fields, index),
                  tn_iterations_per_step(&run), most);
    const size_t y = tn_column_of(run.rows, "tip.y");
    for (size_t row = 0; row < run.rows->rows; row++)
        tn_check_most("way of the last rung aside", fabs(tn_csv_value(run.rows, row, y) - 0.5), 1e-10);
    tn_check_most("energy", tn_largest_change(run.rows, "energy"), 1e-2);
}

static void test_ladder_of_64_fields(void **state)
{
    (void)state;
    for (int index = 3; index >= 2; index--)
        check_ladder(64, index, TN_SANITIZED ? 0.1 : 0.5, 3.0);
}

/* Here version 0.1 failed, within 0.1 s. */
static void test_ladder_of_1024_fields(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip();
    check_ladder(1024, 3, 0.1, 3.3); /* 2.8 or 3.0, by the round-off of the linear solver */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ladder_of_64_fields),
                                       cmocka_unit_test(test_ladder_of_1024_fields)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

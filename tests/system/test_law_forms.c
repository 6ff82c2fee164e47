/* test_law_forms.c - one law of a force in every form that a model may give it: the same motion, and for any number of threads the same bits */
#include "harness.h"

#include <math.h>

#define BENCHMARKS TENON_SOURCE_DIR "/configs/benchmarks/"
#define ROUTINES TENON_SOURCE_DIR "/tests/bench/routine_forces"

static const char *model; /* beside its library */

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    model = tn_write("routine_forces.toml", tn_read(ROUTINES ".toml"));
    const tn_outcome built = tn_tenon(
        TN_WORDS("build", ROUTINES ".c", "-o", tn_format("%s", tn_scratch_path("routine_forces.so"))));
    if (built.status) print_error("%s", built.errors);
    return built.status;
}

/* Runs a law of a benchmark; the folder of its results. */
static const char *run(const char *file, int law, const char *solver, int threads, const char *const *set)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", file, "--trust", "--set", tn_format("parameters.law=%d", law), "--set",
                          set[0], "--set", set[1], "--set", set[2], "--set", set[3], "--threads",
                          tn_format("%d", threads), "--solver", solver, "--out", results));
    if (outcome.status != 0) fail_msg("law %d, exit %d: %s", law, outcome.status, outcome.errors);
    return results;
}

/* ---- the same motion ---------------------------------------------------------------------------------------- */

static void check_motion(const char *results, const char *expected, double tolerance)
{
    const tn_csv_table *b = tn_sensors(expected), *a = tn_sensors(results);
    assert_true(a->rows == 21 && b->rows == 21 && a->columns >= 4);
    for (size_t column = 0; column < a->columns; column++) {
        const size_t other = tn_column_of(b, a->name[column]);
        for (size_t row = 0; row < a->rows; row++) {
            const double x = tn_csv_value(a, row, column), y = tn_csv_value(b, row, other);
            if (!(fabs(x - y) <= tolerance * (1.0 + fabs(y))))
                fail_msg("%s, %s, row %zu: %.17g instead of %.17g", results, a->name[column], row, x, y);
        }
    }
}

static void the_motion_does_not_depend_on_the_form_of_the_law(void **state)
{
    (void)state;
    static const struct {
        int law;
        bool differences;
    } routines[] = {{1, false}, {2, false}, {3, false}, {4, false},
                    {5, true},  {6, false}, {7, true},  {8, false}};
    static const char *const solvers[] = {"rk", "radau", "generalized_alpha"};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        const char *const *set =
            TN_WORDS("parameters.n=20", "solver.end_time=0.2", "solver.step=1e-3", "output.interval=0.01");
        const char *expected = run(model, 0, solvers[s], 1, set);
        for (size_t k = 0; k < sizeof routines / sizeof *routines; k++)
            check_motion(run(model, routines[k].law, solvers[s], 1, set), expected,
                         routines[k].differences ? 1e-9 : 1e-12);
    }
}

static void nor_does_it_in_scripts(void **state)
{
    (void)state;
    tn_need_plugin("lua");
    tn_need_plugin("python");
    static const char *const solvers[] = {"rk", "radau", "generalized_alpha"};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        const char *const *set =
            TN_WORDS("parameters.n=20", "solver.end_time=0.2", "solver.step=1e-3", "output.interval=0.01");
        /* explicit steps ask for no derivatives, which are differences here */
        const double tolerance = strcmp(solvers[s], "rk") == 0 ? 1e-12 : 1e-9;
        const char *expected = run(BENCHMARKS "script_forces.toml", 0, solvers[s], 1, set);
        for (int law = 1; law <= 4; law++)
            check_motion(run(BENCHMARKS "script_forces.toml", law, solvers[s], 1, set), expected, tolerance);
    }
}

/* ---- the same bits ------------------------------------------------------------------------------------------ */

static void check_threads(const char *file, int law)
{
    const char *const *set =
        TN_WORDS("parameters.n=2500", "solver.end_time=2e-3", "solver.step=5e-4", "output.interval=5e-4");
    const char *one = tn_read(tn_format("%s/sensors.csv", run(file, law, "rk", 1, set)));
    for (int threads = 2; threads <= 4; threads *= 2)
        assert_string_equal(tn_read(tn_format("%s/sensors.csv", run(file, law, "rk", threads, set))), one);
}

/* In Lua, and beside laws in Python, of which one is worked out at a time. */
static void threads_do_not_change_a_bit_of_scripts(void **state)
{
    (void)state;
    tn_need_plugin("lua");
    tn_need_plugin("python");
    check_threads(BENCHMARKS "script_forces.toml", 2);
    check_threads(BENCHMARKS "script_forces.toml", 4);
}

static void threads_do_not_change_a_bit_of_routines(void **state)
{
    (void)state;
    static const int laws[] = {3, 6, 7, 8};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
        check_threads(model, laws[k]);
}

/* The array of calls that a type gets at once, and one by one under guard. */
static void guarded_calls_give_the_same_bits(void **state)
{
    (void)state;
    const char *const words[] = {
        "run",   model, "--trust", "--set", "parameters.n=40", "--set", NULL, "--set", "solver.end_time=1e-2",
        "--out", NULL,  NULL,      NULL};
    for (int law = 3; law <= 8; law++) {
        const char *results[2];
        for (int k = 0; k < 2; k++) {
            const char *all[sizeof words / sizeof *words];
            memcpy(all, words, sizeof all);
            all[6] = tn_format("parameters.law=%d", law);
            all[10] = results[k] = tn_scratch_path(NULL);
            all[11] = k ? "--guard" : NULL;
            const tn_outcome outcome = tn_tenon(all);
            if (outcome.status != 0) fail_msg("law %d, exit %d: %s", law, outcome.status, outcome.errors);
        }
        assert_string_equal(tn_read(tn_format("%s/sensors.csv", results[0])),
                            tn_read(tn_format("%s/sensors.csv", results[1])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_motion_does_not_depend_on_the_form_of_the_law),
        cmocka_unit_test(nor_does_it_in_scripts),
        cmocka_unit_test(threads_do_not_change_a_bit_of_scripts),
        cmocka_unit_test(threads_do_not_change_a_bit_of_routines),
        cmocka_unit_test(guarded_calls_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

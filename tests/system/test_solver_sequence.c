/* test_solver_sequence.c - several [[solver]] one after the other: each goes on from where the last one ended */
#include "harness.h"

#include <math.h>

/* x = 1 + cos(2 t) / 2 */
#define MODEL                                                                                             \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.5, 0, 0]\n"                 \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 4\n" \
    "reference_length = 1\n[[sensor]]\nname = 'p'\nelement = 'mass'\noutput = 'position'\n"               \
    "[[sensor]]\nname = 'a'\nelement = 'mass'\noutput = 'acceleration'\n"                                 \
    "[[sensor]]\nname = 'h'\nsystem = 'step'\n[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n"
#define RK(keys) "[[solver]]\ntype = 'rk'\n" keys "\n"
#define ADAPTIVE(keys) RK("order = 5\nrelative_tolerance = 1e-9\nabsolute_tolerance = 1e-10\n" keys)
#define ALPHA(keys) "[[solver]]\ntype = 'generalized_alpha'\n" keys "\n"
#define INTERVAL "[output]\ninterval = 0.1\n"

static double value(const tn_csv_table *run, size_t row, const char *column)
{
    return tn_csv_value(run, row, tn_column_of(run, column));
}

static void check_times(const tn_csv_table *run, const double *times, size_t count)
{
    for (size_t row = 0; row < count && row < run->rows; row++)
        if (!(fabs(tn_csv_value(run, row, 0) - times[row]) < 1e-14))
            fail_msg("row %zu is at %.17g s instead of %g s", row, tn_csv_value(run, row, 0), times[row]);
    assert_int_equal(run->rows, count);
}
#define CHECK_TIMES(run, ...) \
    check_times(run, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* All rows lie on the motion. */
static void check_motion(const tn_csv_table *run, double tolerance)
{
    for (size_t row = 0; row < run->rows; row++) {
        const double x = 0.5 * cos(2.0 * tn_csv_value(run, row, 0));
        if (!(fabs(value(run, row, "p.x") - 1.0 - x) < tolerance &&
              fabs(value(run, row, "a.x") + 4.0 * x) < 8.0 * tolerance))
            fail_msg("at %g s: %.17g", tn_csv_value(run, row, 0), value(run, row, "p.x"));
        assert_true(fabs(value(run, row, "balance") - 0.5) < tolerance);
    }
}

/* Runs a model whatever happens; its directory of results. */
static const char *run_to(const char *model, int status, const char **errors, const char *const *more)
{
    const char *results = tn_scratch_path(NULL), *words[16] = {"run", NULL, "--quiet", "--out", results};
    words[1] = tn_write("sequence.toml", model);
    for (size_t k = 0; more && more[k]; k++)
        words[5 + k] = more[k];
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != status) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    if (errors) *errors = outcome.errors;
    return results;
}

static void test_each_goes_on_where_the_last_one_ended(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(MODEL RK("end_time = 0.3\nstep = 0.01") ALPHA("end_time = 0.6\nstep = 1e-3")
                        ADAPTIVE("end_time = 0.8") RK("order = 1\nend_time = 1\nstep = 1e-4"),
                    NULL);
    check_motion(run, 1e-4);
    assert_true(fabs(tn_value_at(run, "p.x", 0.3) - 1.0 - 0.5 * cos(0.6)) < 1e-8);
    assert_true(fabs(tn_value_at(run, "p.x", 0.8) - 1.0 - 0.5 * cos(1.6)) < 1e-6);
    for (size_t row = 1; row < run->rows; row++) {
        const double t = tn_csv_value(run, row, 0), h = t - tn_csv_value(run, row - 1, 0);
        assert_true(h > 0.0 && fabs(value(run, row, "h") - h) < 1e-15);
        if (t < 0.3 + 1e-9) assert_true(fabs(h - 0.01) < 1e-12);
        if (t > 0.3 + 1e-9 && t < 0.6 + 1e-9) assert_true(fabs(h - 1e-3) < 1e-12);
        if (t > 0.8 + 1e-9) assert_true(fabs(h - 1e-4) < 1e-12);
    }
}

/* One solver in two parts does the same as in one. */
static void test_a_border_changes_nothing(void **state)
{
    (void)state;
    const tn_csv_table *whole = tn_simulate(MODEL RK("end_time = 1\nstep = 0.125"), NULL);
    const tn_csv_table *parts =
        tn_simulate(MODEL RK("end_time = 0.5\nstep = 0.125") RK("end_time = 1\nstep = 0.125"), NULL);
    assert_int_equal(parts->rows, whole->rows);
    for (size_t row = 0; row < whole->rows; row++)
        for (size_t c = 0; c < 9; c++)
            assert_true(tn_csv_value(parts, row, c) == tn_csv_value(whole, row, c));
}

/* Rows at the start of each solver, then at its interval, and at its end; none twice. */
static void test_rows_over_borders(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(MODEL RK("end_time = 0.33\nstep = 0.01") ADAPTIVE("end_time = 0.53")
                                              ALPHA("end_time = 0.78\nstep = 1e-3") INTERVAL,
                                          NULL);
    CHECK_TIMES(run, 0, 0.1, 0.2, 0.3, 0.33, 0.43, 0.53, 0.63, 0.73, 0.78);
    check_motion(run, 1e-5);
    run =
        tn_simulate(MODEL RK("end_time = 0.2\nstep = 0.01") RK("end_time = 0.4\nstep = 0.02") INTERVAL, NULL);
    CHECK_TIMES(run, 0, 0.1, 0.2, 0.3, 0.4);
}

/* A solver that ends where it begins leaves all as it is. */
static void test_an_empty_solver(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(MODEL RK("end_time = 0") RK("end_time = 0.2\nstep = 0.01") ALPHA("end_time = 0.2")
                        RK("end_time = 0.4\nstep = 0.01") INTERVAL,
                    NULL);
    CHECK_TIMES(run, 0, 0.1, 0.2, 0.3, 0.4);
    check_motion(run, 1e-8);
}

/* A later start is a jump in time: the state goes on from there. */
static void test_a_later_start(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        MODEL "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['mass']\nvalue = [0, 'time', 0]\n"
              "[[change]]\ntime = 4\nelement = 'spring'\nactive = false\n" RK("end_time = 0.2\nstep = 0.01")
                  RK("start_time = 5\nend_time = 5.2\nstep = 0.01") INTERVAL,
        NULL);
    CHECK_TIMES(run, 0, 0.1, 0.2, 5, 5.1, 5.2);
    assert_true(value(run, 3, "p.x") == value(run, 2, "p.x"));
    assert_true(value(run, 3, "a.x") == 0.0);
    assert_true(value(run, 3, "a.y") == 5.0);
    assert_true(fabs(value(run, 5, "p.x") - value(run, 3, "p.x") + 0.2 * sin(0.4)) < 1e-5);
}

static void test_statistics_add_up(void **state)
{
    (void)state;
    const char *results = run_to(MODEL RK("end_time = 0.3\nstep = 0.01") ALPHA("end_time = 0.4\nstep = 0.05")
                                     RK("end_time = 0.5\nstep = 0.025"),
                                 0, NULL, NULL);
    assert_true(tn_run_number(results, "run.statistics.steps") == 36.0);
    assert_true(fabs(tn_run_number(results, "run.statistics.smallest_step") - 0.01) < 1e-12);
    assert_true(fabs(tn_run_number(results, "run.statistics.largest_step") - 0.05) < 1e-12);
    assert_true(tn_run_number(results, "run.statistics.newton_iterations") >= 2.0);
    assert_true(tn_run_number(results, "run.statistics.evaluations") >= 1 + 30 * 4 + 1 + 2 + 1 + 4 * 4);
}

static void test_a_failure_keeps_what_came_before(void **state)
{
    (void)state;
    const char *errors = NULL;
    const char *results =
        run_to(MODEL "[[element]]\nname = 'other'\ntype = 'mass_point'\nmass = 1\n[[element]]\nname = "
                     "'push'\ntype = 'force'\nmarkers = ['other']\nvalue = [0, "
                     "'sqrt(0.505 - time)', 0]\n" RK("end_time = 0.4\nstep = 0.01")
                         ALPHA("end_time = 1\nstep = 0.01") RK("end_time = 2\nstep = 0.01"),
               1, &errors, NULL);
    const tn_csv_table *run = tn_sensors(results);
    assert_true(run->rows > 50 && tn_csv_value(run, run->rows - 1, 0) < 0.506);
    assert_true(fabs(tn_value_at(run, "p.x", 0.4) - 1.0 - 0.5 * cos(0.8)) < 1e-8);
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    tn_check_holds(errors, TN_WORDS("the simulation failed at time 0.50", "`push`"));
}

static void test_overrides_reach_single_solvers(void **state)
{
    (void)state;
    const char *model = MODEL RK("end_time = 0.2\nstep = 0.01") ALPHA("end_time = 0.4\nstep = 0.01");
    const char *results = run_to(model, 0, NULL, TN_WORDS("--set", "solver.1.step=0.005"));
    assert_true(tn_run_number(results, "run.statistics.steps") == 60.0);
    results = run_to(model, 0, NULL, TN_WORDS("--solver", "rk"));
    assert_true(tn_run_number(results, "run.statistics.newton_iterations") == 0.0);
    assert_true(tn_run_number(results, "run.statistics.steps") == 40.0);
}

/* Every solver has to hit the rows, and time does not go back. */
static void test_wrong_sequences_are_errors(void **state)
{
    (void)state;
    const char *errors = NULL;
    (void)run_to(MODEL RK("end_time = 0.3\nstep = 0.01") ALPHA("end_time = 0.6\nstep = 0.03") INTERVAL, 2,
                 &errors, NULL);
    tn_check_holds(errors, TN_WORDS("the interval 0.1 s is not a multiple of the fixed step 0.03 s"));
    (void)run_to(MODEL RK("end_time = 0.3\nstep = 0.01") RK("end_time = 0.2\nstep = 0.01"), 2, &errors, NULL);
    tn_check_holds(errors, TN_WORDS("`end_time` 0.2 s is before the end of the previous solver, 0.3 s"));
    (void)run_to(MODEL RK("end_time = 0.3\nstep = 0.01") RK("start_time = 0\nend_time = 1\nstep = 0.01"), 2,
                 &errors, NULL);
    tn_check_holds(errors, TN_WORDS("`start_time` 0 s is before the end of the previous solver, 0.3 s"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_goes_on_where_the_last_one_ended),
                                       cmocka_unit_test(test_a_border_changes_nothing),
                                       cmocka_unit_test(test_rows_over_borders),
                                       cmocka_unit_test(test_an_empty_solver),
                                       cmocka_unit_test(test_a_later_start),
                                       cmocka_unit_test(test_statistics_add_up),
                                       cmocka_unit_test(test_a_failure_keeps_what_came_before),
                                       cmocka_unit_test(test_overrides_reach_single_solvers),
                                       cmocka_unit_test(test_wrong_sequences_are_errors)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

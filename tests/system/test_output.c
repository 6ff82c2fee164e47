/* test_output.c - which rows are written, and what run.toml tells about the run */
#include "harness.h"

#include <math.h>

#define MODEL                                                                                               \
    "[model]\nname = \"a \\\"quoted\\\" \\\\ name\"\n[parameters]\nk = '50 + 50'\n"                         \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"                   \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 'k'\n" \
    "reference_length = 1\n[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"                 \
    "[[sensor]]\nname = 'h'\nsystem = 'step'\n"
#define RK(keys) "[solver]\ntype = 'rk'\n" keys

/* Times of rows: start + k interval, then the end. */
static void check_times(const tn_csv_table *table, double start, double interval, double end, size_t rows)
{
    assert_int_equal(table->rows, rows);
    for (size_t row = 0; row < rows; row++) {
        const double time = row + 1 < rows ? start + (double)row * interval : end;
        if (tn_csv_value(table, row, 0) != time)
            fail_msg("row %zu is at %.17g s, not at %.17g s", row, tn_csv_value(table, row, 0), time);
    }
}

static void test_rows_at_the_interval(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(MODEL RK("end_time = 0.33\nstep = 0.01\n") "[output]\ninterval = 0.05\n", NULL);
    check_times(run, 0.0, 0.05, 0.33, 8);
    /* that is where the state belongs to, too */
    const double x = 1.0 + 0.1 * cos(10.0 * 0.3);
    assert_true(fabs(tn_value_at(run, "x.x", 0.3) - x) < 1e-5);
    check_times(tn_simulate(MODEL RK("end_time = 1\nstep = 0.01\n") "[output]\ninterval = 0.1\n", NULL), 0.0,
                0.1, 1.0, 11);
}

static void test_rows_from_another_start(void **state)
{
    (void)state;
    check_times(
        tn_simulate(MODEL RK("start_time = 2\nend_time = 2.33\nstep = 0.01\n") "[output]\ninterval = 0.05\n",
                    NULL),
        2.0, 0.05, 2.33, 8);
}

static void test_rows_of_adaptive_steps(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        MODEL RK("order = 5\nend_time = 0.33\nadaptive = true\n") "[output]\ninterval = 0.05\n", NULL);
    check_times(run, 0.0, 0.05, 0.33, 8);
    assert_true(fabs(tn_value_at(run, "x.x", 0.3) - 1.0 - 0.1 * cos(3.0)) < 1e-5);
}

/* The round-off of large times makes neither a row nor a step of its own. */
static void test_rows_of_late_runs(void **state)
{
    (void)state;
    static const char *const solvers[] = {RK("step = 1e-4\n"), RK("order = 5\nadaptive = true\n")};
    static const char *const ends[] = {"123456.702", "123456.706", "123456.71"};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) {
            const tn_csv_table *run = tn_simulate(
                tn_format(MODEL "%sstart_time = 123456.7\nend_time = %s\n[output]\ninterval = 1e-3\n",
                          solvers[s], ends[k]),
                NULL);
            check_times(run, 123456.7, 1e-3, strtod(ends[k], NULL), k == 0 ? 3 : k == 1 ? 7 : 11);
        }
}

/* An interval beyond the end leaves the start and the end, which is the state that the last step reaches. */
static void test_rows_of_an_interval_beyond_the_end(void **state)
{
    (void)state;
    static const char *const solvers[] = {RK("end_time = 0.3\nstep = 0.01\n"),
                                          RK("end_time = 0.3\norder = 5\nadaptive = true\n")};
    static const char *const intervals[] = {"1", "1e8", "1e300"};
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 3; i++) {
            const tn_csv_table *run =
                tn_simulate(tn_format(MODEL "%s[output]\ninterval = %s\n", solvers[s], intervals[i]), NULL);
            check_times(run, 0.0, 0.3, 0.3, 2);
            assert_true(fabs(tn_value_at(run, "x.x", 0.3) - 1.0 - 0.1 * cos(3.0)) < 1e-5);
        }
}

static void test_rows_at_every_step(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(MODEL RK("end_time = 0.105\nstep = 0.01\n"), NULL);
    check_times(run, 0.0, 0.01, 0.105, 12);
    assert_true(fabs(tn_value_at(run, "h", 0.1) - 0.01) < 1e-12);
    assert_true(fabs(tn_value_at(run, "h", 0.105) - 0.005) < 1e-12);
}

static void test_only_the_start(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(MODEL RK("end_time = 0\n"), NULL);
    check_times(run, 0.0, 0.0, 0.0, 1);
    assert_true(tn_csv_value(run, 0, tn_column_of(run, "x.x")) == 1.1);
}

/* There is nothing to integrate, yet much to record. */
static void test_model_without_moving_bodies(void **state)
{
    (void)state;
    static const char *const solvers[] = {"type = 'rk'", "type = 'rk'\norder = 5\nadaptive = true",
                                          "type = 'generalized_alpha'"};
    for (int k = 0; k < 3; k++) {
        const tn_csv_table *run = tn_simulate(
            tn_format("[[element]]\nname = 'tie'\ntype = 'spring_damper'\nstiffness = '100*(1 + time)'\n"
                      "markers = ['ground', { element = 'ground', position = [2, 0, 0] }]\n"
                      "[[sensor]]\nname = 'f'\nelement = 'tie'\noutput = 'force'\n"
                      "[output]\ninterval = 0.1\n[solver]\nend_time = 1\nstep = 0.1\n%s\n",
                      solvers[k]),
            NULL);
        assert_int_equal(run->rows, 11);
        assert_true(fabs(tn_value_at(run, "f.x", 0.5) - 300.0) < 1e-9);
    }
}

/* Solvers one after the other: no row twice, and the second goes on where the first ended. */
static void test_rows_of_several_solvers(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        MODEL
        "[[solver]]\ntype = 'rk'\nend_time = 0.2\nstep = 0.01\n"
        "[[solver]]\ntype = 'generalized_alpha'\nend_time = 0.4\nstep = 1e-3\n[output]\ninterval = 0.05\n",
        NULL);
    assert_int_equal(run->rows, 9);
    for (size_t row = 0; row < run->rows; row++) {
        const double time = 0.05 * (double)row;
        assert_true(fabs(tn_csv_value(run, row, 0) - time) < 1e-12);
        assert_true(fabs(tn_csv_value(run, row, tn_column_of(run, "x.x")) - 1.0 - 0.1 * cos(10.0 * time)) <
                    1e-4);
    }
}

static void check_interval_refused(const char *step, const char *interval)
{
    const char *file =
        tn_write("model.toml", tn_format(MODEL RK("end_time = 1\nstep = %s\n") "[output]\ninterval = "
                                                                               "%s\n",
                                         step, interval));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", "refused"));
    assert_int_equal(outcome.status, 2);
    assert_non_null(strstr(outcome.errors, tn_format(" %s s", step)));
    assert_non_null(strstr(outcome.errors, tn_format(" %s s", interval)));
    assert_non_null(strstr(outcome.errors, "model.toml:28:12: error: "));
}

static void test_interval_that_steps_do_not_hit(void **state)
{
    (void)state;
    check_interval_refused("0.02", "0.05");
    check_interval_refused("0.01", "0.005");
    check_interval_refused("0.01", "0.0101");
}

static void test_units_of_columns(void **state)
{
    (void)state;
    const char *file = tn_write("model.toml", MODEL RK("end_time = 0.1\nstep = 0.01\n"));
    assert_int_equal(tn_tenon(TN_WORDS("run", file, "--quiet", "--out", "units")).status, 0);
    assert_string_equal(tn_read(tn_scratch_path("units/sensors.units.csv")),
                        "time,x.x,x.y,x.z,h\ns,m,m,m,s\n");
}

/* run.toml is the model with its overrides, and how it ran. */
static void test_run_file(void **state)
{
    (void)state;
    const char *file = tn_write("model.toml", MODEL RK("end_time = 0.33\nstep = 0.01\n"));
    assert_int_equal(
        tn_tenon(TN_WORDS("run", file, "--quiet", "--set", "element.mass.mass=2", "--out", "told")).status,
        0);
    const char *results = tn_scratch_path("told");
    assert_string_equal(tn_run_text(results, "model.name"), "a \"quoted\" \\ name");
    assert_true(tn_run_number(results, "solver.step") == 0.01);
    assert_string_equal(tn_run_text(results, "run.status"), "finished");
    assert_string_equal(tn_run_text(results, "run.solver"), "rk");
    assert_string_equal(tn_run_text(results, "run.model"), file);
    assert_true(tn_run_number(results, "run.end_time") == 0.33);
    assert_true(tn_run_number(results, "run.parameters.k") == 100.0);
    assert_true(tn_run_number(results, "run.statistics.steps") == 33.0);
    assert_true(tn_run_number(results, "run.statistics.evaluations") == 133.0);
    assert_true(tn_run_number(results, "run.statistics.factorisations") == 0.0);
    assert_true(tn_run_number(results, "run.statistics.wall_time") >= 0.0);
    const char *text = tn_read(tn_scratch_path("told/run.toml"));
    assert_non_null(strstr(text, "mass = 2\n"));
    assert_non_null(strstr(text, "name = \"spring_damper\"\nversion = \""));
}

static void test_run_file_counts_implicit_work(void **state)
{
    (void)state;
    const char *file = tn_write("model.toml", MODEL RK("end_time = 0.33\nstep = 0.01\n"));
    assert_int_equal(
        tn_tenon(TN_WORDS("run", file, "--quiet", "--solver", "generalized_alpha", "--out", "work")).status,
        0);
    const char *results = tn_scratch_path("work");
    assert_string_equal(tn_run_text(results, "run.solver"), "generalized_alpha");
    assert_true(tn_run_number(results, "run.statistics.steps") == 33.0);
    assert_true(tn_run_number(results, "run.statistics.newton_iterations") >= 33.0);
    assert_true(tn_run_number(results, "run.statistics.factorisations") >= 1.0);
    assert_true(tn_run_number(results, "run.statistics.matrices") ==
                tn_run_number(results, "run.statistics.factorisations"));
    /* an override like any other */
    assert_string_equal(tn_run_text(results, "solver.type"), "generalized_alpha");
}

/* run.toml is a model again, with the repeats written out or not. */
static void test_run_file_runs_again(void **state)
{
    (void)state;
    static const char *const forms[] = {"--expanded", "--quiet"};
    for (size_t k = 0; k < 2; k++) {
        const char *model = TENON_SOURCE_DIR "/configs/first/chain_of_springs.toml";
        assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", forms[k], "--out", "first")).status, 0);
        assert_int_equal(tn_tenon(TN_WORDS("run", "first/run.toml", "--quiet", "--out", "again")).status, 0);
        assert_string_equal(tn_read(tn_scratch_path("first/sensors.csv")),
                            tn_read(tn_scratch_path("again/sensors.csv")));
        const bool repeats = strstr(tn_read(tn_scratch_path("first/run.toml")), "[[repeat") != NULL;
        assert_int_equal(repeats, k == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_at_the_interval),
                                       cmocka_unit_test(test_rows_from_another_start),
                                       cmocka_unit_test(test_rows_of_adaptive_steps),
                                       cmocka_unit_test(test_rows_of_late_runs),
                                       cmocka_unit_test(test_rows_of_an_interval_beyond_the_end),
                                       cmocka_unit_test(test_rows_at_every_step),
                                       cmocka_unit_test(test_only_the_start),
                                       cmocka_unit_test(test_model_without_moving_bodies),
                                       cmocka_unit_test(test_rows_of_several_solvers),
                                       cmocka_unit_test(test_interval_that_steps_do_not_hit),
                                       cmocka_unit_test(test_units_of_columns),
                                       cmocka_unit_test(test_run_file),
                                       cmocka_unit_test(test_run_file_counts_implicit_work),
                                       cmocka_unit_test(test_run_file_runs_again)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

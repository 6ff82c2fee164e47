/* test_sample_times.c - sampled blocks work at offset + k period, each once: under every solver, whatever its steps are, in runs that go
 * on from a checkpoint, over several solvers, and where a program chooses the steps */
#define _GNU_SOURCE
#include "checkpoints.h"

#include <tenon/tenon.h>

#include <math.h>
#include <signal.h>

/* Outputs: how many samples came before, the sum of their times; and in another block the time of the sample. */
#define CLOCK(name, period, offset)                                                               \
    "[[element]]\nname = 'count_" name "'\ntype = 'state_space'\ninput = ['1', 'time']\n"         \
    "A = [[1, 0], [0, 1]]\nB = [[1, 0], [0, 1]]\nperiod = " period "\noffset = " offset "\n"      \
    "[[element]]\nname = 'time_" name "'\ntype = 'state_space'\ninput = 'time'\nperiod = " period \
    "\noffset = " offset "\n"                                                                     \
    "[[sensor]]\nname = 'n_" name "'\nexpression = 'ARYVAL(count_" name ", 1)'\n"                 \
    "[[sensor]]\nname = 'sum_" name "'\nexpression = 'ARYVAL(count_" name ", 2)'\n"               \
    "[[sensor]]\nname = 'last_" name "'\nexpression = 'ARYVAL(time_" name ")'\n"
#define MASS_1D                                                                                  \
    "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\nposition = 1\n"                        \
    "[[element]]\nname = 'k'\ntype = 'coordinate_force'\nmarkers = ['m']\nvalue = '-COORD(m) - " \
    "1e-3*(ARYVAL("                                                                              \
    "time_a) + ARYVAL(time_d))'\n"
#define CLOCKS               \
    CLOCK("a", "0.1", "0")   \
    CLOCK("b", "'1/3'", "0") \
    CLOCK("c", "0.007", "0.0123") CLOCK("d", "'1/4096'", "'1/7'") CLOCK("e", "0.2", "0.1")
static const struct clock {
    const char *name;
    double period, offset;
} clocks[] = {{"a", 0.1, 0.0},
              {"b", 1.0 / 3.0, 0.0},
              {"c", 0.007, 0.0123},
              {"d", 1.0 / 4096.0, 1.0 / 7.0},
              {"e", 0.2, 0.1}};
enum { CLOCKS_COUNT = sizeof clocks / sizeof *clocks };

static void check_row(const tn_csv_table *table, size_t row, const char *of)
{
    const double *value = table->value + row * table->columns;
    const double time = value[tn_column_of(table, "time")];
    for (size_t k = 0; k < CLOCKS_COUNT; k++) {
        const struct clock *c = &clocks[k];
        const double last = floor((time - c->offset) / c->period + 1e-9);
        const double right[] = {fmax(last, 0.0),
                                last > 0.0 ? last * c->offset + c->period * last * (last - 1.0) / 2.0 : 0.0,
                                last >= 0.0 ? c->offset + last * c->period : 0.0};
        static const char *const columns[] = {"n", "sum", "last"};
        for (size_t i = 0; i < 3; i++) {
            const double found = value[tn_column_of(table, tn_format("%s_%s", columns[i], c->name))];
            const double tolerance = i == 0 ? 0.0 : (i == 1 ? 1e-10 : 1e-13) * (1.0 + right[i]);
            if (!(fabs(found - right[i]) <= tolerance))
                fail_msg("%s: %s of clock %s at %.17g s: %.17g, %.17g", of, columns[i], c->name, time, found,
                         right[i]);
        }
    }
}

static void all_solvers_meet_all_samples_once(void **state)
{
    (void)state;
    static const char *const solvers[] = {"type = 'generalized_alpha'\nstep = 0.03\n",
                                          "type = 'moreau'\nstep = 0.03\n",
                                          "type = 'rk'\nstep = 0.03\n",
                                          "type = 'rk'\ntolerance = 1e-6\n",
                                          "type = 'radau'\ntolerance = 1e-6\n",
                                          "type = 'generalized_alpha'\ntolerance = 1e-6\n",
                                          "type = 'gsl_ode'\ntolerance = 1e-6\n",
                                          "type = 'gsl_ode'\nstepper = 'msadams'\ntolerance = 1e-6\n",
                                          "type = 'gsl_ode'\nstep = 0.03\n",
                                          "type = 'ida'\ntolerance = 1e-6\n"};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        if (strstr(solvers[k], "gsl_ode") && !tn_has_plugin("gsl_ode")) continue;
        if (strstr(solvers[k], "ida") && !tn_has_plugin("ida")) continue;
        const tn_csv_table *table =
            tn_simulate(tn_format("%s[solver]\n%send_time = 1\n", MASS_1D CLOCKS, solvers[k]), NULL);
        assert_true(table->rows > 10);
        for (size_t row = 0; row < table->rows; row++)
            check_row(table, row, solvers[k]);
    }
}

/* The times of a million samples do not drift: k period, not a sum of periods. */
static void sample_times_do_not_drift(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        MASS_1D CLOCK("a", "0.1", "0") CLOCK("d", "0.1", "0.05") "[solver]\ntype = 'rk'\nend_time = 5e3\n"
                                                                 "step = 10\n[output]\ninterval = 500\n",
        NULL);
    for (size_t row = 1; row < table->rows; row++) {
        const double time = 500.0 * (double)row;
        assert_true(tn_value_at(table, "n_a", time) == 10.0 * time);
        assert_true(tn_value_at(table, "last_a", time) == time);
        assert_true(tn_value_at(table, "n_d", time) == 10.0 * time - 1.0);
    }
}

static void a_resumed_run_takes_no_sample_twice(void **state)
{
    (void)state;
    const char *model = tn_write("clocks.toml", MASS_1D CLOCKS "[solver]\ntype = 'rk'\nstep = 0.04\n"
                                                               "end_time = 25\n[output]\ninterval = 0.2\n"
                                                               "checkpoint = 0.1\n");
    const char *right = tn_scratch_path(NULL), *results = tn_scratch_path(NULL);
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right)).status, 0);
    assert_int_equal(tn_checkpoint_end_early(model, results, SIGKILL).status, 128 + SIGKILL);
    assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
    tn_checkpoint_same(right, results);
    const tn_csv_table *table = tn_sensors(results);
    assert_int_equal(table->rows, 126);
    for (size_t row = 0; row < table->rows; row++)
        check_row(table, row, "resumed");
}

/* Where one solver ends and the next one begins is a sample of some clocks, which is taken once. */
static void solvers_in_a_row_take_no_sample_twice(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        MASS_1D CLOCKS "[[solver]]\ntype = 'rk'\nstep = 0.03\nend_time = 0.4\n[[solver]]\ntype = "
                       "'generalized_alpha'\nstep = 0.03\nend_time = 0.7\n[[solver]]\ntype = 'radau'\n"
                       "tolerance = 1e-6\nend_time = 1\n",
        NULL);
    for (size_t row = 0; row < table->rows; row++)
        check_row(table, row, "three solvers");
}

/* A controller at rest: the multi-step method goes on at its order, and where it ends steps is all that samples are. */
static void samples_that_change_nothing_begin_no_solver_anew(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\nposition = 1\n"
        "[[element]]\nname = 'c'\ntype = 'state_space'\ninput = 'COORD(m)'\nperiod = 0.01\nresolution = "
        "[%g]\n"
        "[[element]]\nname = 'k'\ntype = 'coordinate_force'\nmarkers = ['m']\n"
        "value = '-COORD(m) - ARYVAL(c)'\n[[sensor]]\nname = 'x'\nexpression = 'COORD(m)'\n"
        "[solver]\ntype = '%s'\ntolerance = 1e-6\nend_time = 3\n%s[output]\ninterval = 0.5\n";
    static const char *const how[][2] = {{"ida", ""}, {"gsl_ode", "stepper = 'msbdf'\n"}};
    for (size_t k = 0; k < 2; k++) {
        if (!tn_has_plugin(how[k][0])) continue;
        double steps[2];
        for (int jumps = 0; jumps < 2; jumps++) {
            const char *results = tn_scratch_path(NULL);
            const char *file =
                tn_write("rest.toml", tn_format(model, jumps ? 1e-3 : 10.0, how[k][0], how[k][1]));
            const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", results));
            if (run.status != 0) fail_msg("%s", run.errors);
            steps[jumps] = tn_run_number(results, "run.statistics.steps");
            if (!jumps) assert_true(fabs(tn_value_at(tn_sensors(results), "x", 3.0) - cos(3.0)) < 1e-5);
        }
        if (!(steps[0] < 450 && steps[1] > 2.5 * steps[0]))
            fail_msg("%s: %g steps, %g with jumps", how[k][0], steps[0], steps[1]);
    }
}

static double sensor_of(tenon_model *model, const char *name)
{
    double value = 0.0;
    size_t number = 0;
    assert_int_equal(tenon_sensor_find(model, name, &number), TENON_OK);
    assert_int_equal(tenon_sensor_value(model, number, &value), TENON_OK);
    return value;
}

/* Times that are sums of 0.1, or multiples: within round-off of a sample it is taken there. */
static void steps_of_a_program_meet_samples_once(void **state)
{
    (void)state;
    for (int accumulated = 0; accumulated < 2; accumulated++) {
        tenon_model *model = NULL;
        const char *text = MASS_1D CLOCKS "[solver]\ntype = 'rk'\ntolerance = 1e-6\nend_time = 10\n";
        const tenon_options options = {.size = sizeof options,
                                       .plugin_paths = (const char *const[]){TENON_PLUGINS},
                                       .plugin_path_count = 1};
        assert_int_equal(tenon_open_text(text, "clocks", NULL, &options, &model), TENON_OK);
        assert_int_equal(tenon_start(model), TENON_OK);
        double time = 0.0;
        for (int k = 1; k < 100; k++) {
            time = accumulated ? time + 0.1 : 0.1 * k;
            assert_int_equal(tenon_step_to(model, time), TENON_OK);
            if (!(sensor_of(model, "n_a") == k && fabs(sensor_of(model, "last_a") - time) < 1e-13))
                fail_msg("step_to(%.17g): %.17g samples, the last at %.17g s", time, sensor_of(model, "n_a"),
                         sensor_of(model, "last_a"));
            assert_true(sensor_of(model, "n_e") == (k - 1) / 2);
        }
        tenon_close(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_solvers_meet_all_samples_once),
        cmocka_unit_test(sample_times_do_not_drift),
        cmocka_unit_test(a_resumed_run_takes_no_sample_twice),
        cmocka_unit_test(solvers_in_a_row_take_no_sample_twice),
        cmocka_unit_test(samples_that_change_nothing_begin_no_solver_anew),
        cmocka_unit_test(steps_of_a_program_meet_samples_once),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

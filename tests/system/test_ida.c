/* test_ida.c - IDA of SUNDIALS: printed values of its own example, converged values, tolerances, orders, states, what it refuses */
#include "reference.h"

#include <math.h>
#include <stdio.h>

#define BENCHMARKS TENON_SOURCE_DIR "/configs/benchmarks/"
#define SEEDS TENON_SOURCE_DIR "/configs/seeds/"

static const char *results;

/* Where SUNDIALS is not, neither is the solver. */
static tn_outcome try(const char *model, const char *const *more)
{
    tn_need_plugin("ida");
    const char *words[40] = {"run", tn_write("model.toml", model), "--quiet", "--out",
                             results = tn_scratch_path(NULL)};
    size_t count = 5;
    for (; more && *more; more++)
        words[count++] = *more;
    words[count] = NULL;
    return tn_tenon(words);
}

static const tn_csv_table *run(const char *model, const char *const *more)
{
    const tn_outcome outcome = try(model, more);
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    return tn_sensors(results);
}

static const tn_csv_table *run_with(const char *model, const char *solver, double tolerance)
{
    return run(model,
               TN_WORDS("--trust", "--solver", solver, "--set", tn_format("solver.tolerance=%g", tolerance)));
}

static double counted(const char *what)
{
    return tn_run_number(results, tn_format("run.statistics.%s", what));
}

/* ---- values of others ------------------------------------------------------------------------------------ */

static void the_example_of_sundials_is_met(void **state)
{
    (void)state;
    const char *file = TENON_SOURCE_DIR "/tests/reference/sundials/idaSlCrank_dns.csv";
    const char *model = tn_format("%s\n[[sensor]]\nname = 'rod'\nexpression = 'AZ(rod)'\n",
                                  tn_read(BENCHMARKS "slider_crank.toml"));
    for (int digits = 6; digits <= 8; digits += 2) {
        const tn_csv_table *table =
            run(model, TN_WORDS("--solver", "ida", "--set", tn_format("solver.tolerance=1e-%d", digits),
                                "--set", "output.interval=0.25"));
        const double allowed = digits == 6 ? 1e-4 : 6e-5; // the printed values err by 5.3e-5
        tn_check_columns(table, file, "crank", allowed, 0.0);
        tn_check_columns(table, file, "x.x", allowed, 0.0);
        tn_check_columns(table, file, "rod", allowed, 0.0);
        assert_true(counted("steps") < (digits == 6 ? 500.0 : 1200.0));
    }
}

/* Largest difference of a column, against its largest value. */
static double difference_of(const tn_csv_table *a, const tn_csv_table *b, size_t column)
{
    double largest = 0.0, size = 1e-3;
    for (size_t row = 0; row < a->rows; row++) {
        largest = fmax(largest, fabs(tn_csv_value(a, row, column) - tn_csv_value(b, row, column)));
        size = fmax(size, fabs(tn_csv_value(a, row, column)));
    }
    return largest / size;
}

static void check_against_radau(const char *path, double allowed)
{
    const char *model = tn_read(path);
    const tn_csv_table *right = run_with(model, "radau", 1e-10), *found = run_with(model, "ida", 1e-9);
    assert_int_equal(right->rows, found->rows);
    for (size_t k = 1; k < right->columns; k++) {
        const double difference = difference_of(right, found, k);
        if (!(difference <= allowed)) fail_msg("%s, column %zu: %g", path, k, difference);
    }
}

/* Energies of the pendulum begin at zero; the governor and the spatial slider-crank amplify what is left of errors. */
static void radau_agrees(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double allowed;
    } models[] = {{BENCHMARKS "slider_crank.toml", 1e-7},
                  {BENCHMARKS "iftomm_a01_pendulum.toml", 1e-3},
                  {BENCHMARKS "iftomm_a03_andrews.toml", 1e-6},
                  {BENCHMARKS "iftomm_a04_bricard.toml", 1e-6},
                  {BENCHMARKS "heavy_top.toml", 1e-6},
                  {BENCHMARKS "car.toml", 1e-6},
                  {SEEDS "bicycle.toml", 1e-7},
                  {SEEDS "spherical.toml", 1e-7},
                  {SEEDS "linear_bushing.toml", 1e-6},
                  {SEEDS "coordinate_constraint.toml", 1e-7},
                  {SEEDS "rolling_coin.toml", 1e-6},
                  {SEEDS "motion.toml", 1e-7},
                  {SEEDS "reference_variable_inverted_pendulum.toml", 1e-6}};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        if (TN_SANITIZED && k % 4) continue;
        check_against_radau(models[k].path, models[k].allowed);
    }
}

/* Angles of the test set of initial value problems. */
static void errors_follow_the_tolerance(void **state)
{
    (void)state;
    const char *model = tn_read(BENCHMARKS "iftomm_a03_andrews.toml");
    double first = 0.0, last = 0.0;
    for (int digits = 5; digits <= 9; digits++) {
        const tn_csv_table *table = run_with(model, "ida", pow(10.0, -digits));
        last = fabs(tn_value_at(table, "beta", 0.05) - 33.8153407213602);
        if (digits == 5) first = last;
    }
    const double slope = log10(first / last) / 4.0;
    if (!(slope > 0.5 && slope < 1.5)) /* at 1e-5 round-off decides about an error of 0.5e-4 to 1.4e-4 */
        fail_msg("error as tolerance to the power of %.2f", slope);
}

/* ---- orders ---------------------------------------------------------------------------------------------- */

static void a_lower_order_takes_more_steps(void **state)
{
    (void)state;
    const char *model = tn_read(BENCHMARKS "heavy_top.toml");
    double steps[2], error[2];
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *right = run_with(model, "radau", 1e-9);
        const tn_csv_table *table =
            run(model, TN_WORDS("--solver", "ida", "--set", "solver.tolerance=1e-5", "--set",
                                k ? "solver.max_order=2" : "solver.max_order=5"));
        error[k] = fabs(tn_value_at(table, "u.x", 0.5) - tn_value_at(right, "u.x", 0.5));
        steps[k] = counted("steps");
    }
    assert_true(steps[1] > 3.0 * steps[0]);
    assert_true(error[0] < 1e-3 && error[1] < 1e-3);
}

/* A body that spins: its quaternion stays of length one in what is recorded, and follows the closed solution. */
static void a_spinning_body_turns_as_it_should(void **state)
{
    (void)state;
    static const char body[] =
        "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.2, 0.2, 0.3]\n"
        "angular_velocity = [0, 0, 50]\n[[sensor]]\nname = 'c'\nexpression = 'COS(AZ(b))'\n"
        "[[sensor]]\nname = 's'\nexpression = 'SIN(AZ(b))'\n[solver]\nend_time = 20\ntype = 'ida'\n"
        "[output]\ninterval = 20\n";
    const tn_csv_table *table = run_with(body, "ida", 1e-8);
    assert_true(fabs(tn_value_at(table, "c", 20.0) - cos(1000.0)) < 1e-4);
    assert_true(fabs(tn_value_at(table, "s", 20.0) - sin(1000.0)) < 1e-4);
}

/* Rows are states of the polynomial: they shorten no step, and are as exact as those that end one. */
static void rows_shorten_no_step(void **state)
{
    (void)state;
    const char *model = tn_read(BENCHMARKS "slider_crank.toml");
    static const char *const intervals[] = {"output.interval=10", "output.interval=0.005"};
    double steps[2];
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *table =
            run(model, TN_WORDS("--solver", "ida", "--set", "solver.tolerance=1e-7", "--set", intervals[k]));
        steps[k] = counted("steps");
        assert_int_equal(table->rows, k ? 2001 : 3); /* the model expects something at 2 s */
        if (!k) continue;
        assert_true(fabs(tn_value_at(table, "crank", 2.0) - 0.579038812049) < 1e-6);
        for (size_t row = 0; row < table->rows; row++)
            assert_true(fabs(tn_csv_value(table, row, tn_column_of(table, "error"))) < 1e-12);
    }
    assert_true(steps[0] == steps[1]);
}

/* Of 200 rods, whose columns of N are read many at a time. */
static void long_chains_swing_as_under_radau(void **state)
{
    (void)state;
    const char *model = tn_read(BENCHMARKS "chain.toml");
    const tn_csv_table *table[2];
    for (int k = 0; k < 2; k++)
        table[k] = run(model, TN_WORDS("--solver", k ? "radau" : "ida", "--set", "parameters.n=200", "--set",
                                       "solver.end_time=0.1", "--set", "output.interval=0.1", "--set",
                                       k ? "solver.tolerance=1e-8" : "solver.tolerance=1e-9"));
    for (size_t k = 1; k <= 3; k++)
        assert_true(fabs(tn_csv_value(table[0], 1, k) - tn_csv_value(table[1], 1, k)) < 1e-6);
}

/* ---- stiff models and states ----------------------------------------------------------------------------- */

/* x'' + 1e6 x' + 1e6 x = 0: behind its start a decay with 1 s, which needs a few long steps. */
static void stiff_forces_take_long_steps(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\nposition = 1\nvelocity = -1.000001000002\n"
        "[[element]]\nname = 's'\ntype = 'coordinate_spring_damper'\nmarkers = 'm'\nstiffness = 1e6\ndamping "
        "= 1e6\n"
        "[[sensor]]\nname = 'x'\nexpression = 'COORD(m)'\n"
        "[solver]\ntype = 'ida'\nend_time = 5\ntolerance = 1e-6\n[output]\ninterval = 5\n";
    const tn_csv_table *table = run(model, NULL);
    assert_true(fabs(tn_value_at(table, "x", 5.0) - exp(-5.0 * 1.000001000002)) < 1e-6);
    assert_true(counted("steps") < 200.0);
}

/* y' = cos 3t - 100 y. */
static void states_without_bodies_are_integrated(void **state)
{
    (void)state;
    const tn_csv_table *table =
        run("[[element]]\nname = 'y'\ntype = 'reference_variable'\nintegral = true\n"
            "expression = 'COS(3*time) - 100*VARVAL(y)'\n[[sensor]]\nname = 'y'\nexpression = 'VARVAL(y)'\n"
            "[solver]\ntype = 'ida'\ntolerance = 1e-8\nend_time = 2\n[output]\ninterval = 2\n",
            NULL);
    assert_true(fabs(tn_value_at(table, "y", 2.0) - (100.0 * cos(6.0) + 3.0 * sin(6.0)) / 10009.0) < 1e-8);
}

/* Nothing to integrate: rows, and an end by time. */
static void models_without_unknowns_are_recorded(void **state)
{
    (void)state;
    const tn_csv_table *table =
        run("[[sensor]]\nname = 't'\nexpression = '2*time'\n[solver]\ntype = 'ida'\nend_time = 1\n"
            "stop_when = 'time - 0.7'\n[output]\ninterval = 0.25\n",
            NULL);
    assert_int_equal(table->rows, 4);
    assert_true(fabs(tn_csv_value(table, 3, 0) - 0.7) < 1e-12);
}

/* A quarter turn lifts 2 kg by 0.5 m, from rest to rest. */
static void works_of_reactions_are_as_exact_as_the_motion(void **state)
{
    (void)state;
    const char *model =
        tn_format("%s\n[[sensor]]\nname = 'work'\nelement = 'drive'\noutput = 'supplied_energy'\n",
                  tn_read(SEEDS "motion.toml"));
    const tn_csv_table *table = run_with(model, "ida", 1e-8);
    assert_true(fabs(tn_value_at(table, "work", 2.0) - 9.81) < 1e-6);
}

/* Energies that sensors record leave the motion as it is, to the bit. */
static void quadratures_leave_the_motion_as_it_is(void **state)
{
    (void)state;
    const char *plain = tn_read(BENCHMARKS "slider_crank.toml");
    const char *with =
        tn_format("%s\n[[sensor]]\nname = 'lost'\nelement = 'spring'\noutput = 'dissipated_energy'\n"
                  "[[sensor]]\nname = 'given'\nelement = 'pull'\noutput = 'supplied_energy'\n",
                  plain);
    const tn_csv_table *a = run_with(plain, "ida", 1e-5), *b = run_with(with, "ida", 1e-5);
    for (size_t row = 0; row < a->rows; row++)
        for (size_t k = 1; k <= 4; k++)
            assert_true(tn_csv_value(a, row, k) == tn_csv_value(b, row, k));
}

/* ---- changes --------------------------------------------------------------------------------------------- */

/* x'' = 4 - 1 = 3 behind 0.5 s; before, 1. */
static void changes_start_it_anew(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\n"
        "[[element]]\nname = 'f'\ntype = 'coordinate_force'\nmarkers = 'm'\nvalue = 1\n"
        "[[change]]\ntime = 0.5\nelement = 'f'\nparameter = 'value'\nvalue = 3\n"
        "[[sensor]]\nname = 'x'\nexpression = 'COORD(m)'\n[solver]\ntype = 'ida'\ntolerance = 1e-8\nend_time "
        "= "
        "1\n";
    const tn_csv_table *table = run(model, NULL);
    assert_true(fabs(tn_value_at(table, "x", 0.5) - 0.125) < 1e-8);
    assert_true(fabs(tn_value_at(table, "x", 1.0) - (0.125 + 0.25 + 0.375)) < 1e-8);
}

/* Two parts of a run, by two solvers. */
static void it_follows_other_solvers(void **state)
{
    (void)state;
    const char *model = tn_read(SEEDS "spherical.toml"), *at = strstr(model, "\n[solver]");
    const char *two =
        tn_format("%.*s\n[[solver]]\ntype = 'rk'\nstep = 1e-3\nend_time = 1\n"
                  "[[solver]]\ntype = 'ida'\ntolerance = 1e-8\nend_time = 2\n[output]\ninterval = 0.5\n",
                  (int)(at - model), model);
    const tn_csv_table *right =
        run(model, TN_WORDS("--solver", "radau", "--set", "solver.tolerance=1e-9", "--set",
                            "solver.end_time=2", "--set", "output.interval=0.5"));
    const tn_csv_table *found = run(two, NULL);
    for (size_t k = 1; k < 4; k++)
        assert_true(difference_of(right, found, k) < 1e-6);
}

/* ---- what it refuses ------------------------------------------------------------------------------------- */

#define MASS "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\nposition = 1\n"

static void orders_that_there_are_not_are_refused(void **state)
{
    (void)state;
    const tn_outcome outcome = try(MASS "[solver]\ntype = 'ida'\nmax_order = 6\nend_time = 1\n", NULL);
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:", "max_order"));
}

/* The shortest step that is allowed, what was tried, and what IDA says of it, stand in the message; nothing else is printed. */
static void failures_tell_what_was_tried(void **state)
{
    (void)state;
    const tn_outcome outcome =
        try(MASS "[[element]]\nname = 'f'\ntype = 'coordinate_force'\nmarkers = 'm'\nvalue = "
                 "'1e3*SIN(300*COORD(m))'\n"
                 "[solver]\ntype = 'ida'\nend_time = 10\ntolerance = 1e-9\nmin_step = 0.01\nstep = 0.1\n",
            NULL);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("at time", "IDA has shortened the step to", "(IDA_"));
    assert_null(strstr(outcome.errors, "[ERROR]"));
    assert_null(strstr(outcome.errors, "[IDA"));
}

/* A force that has no value beyond x = 0. */
static void a_domain_that_ends_is_told(void **state)
{
    (void)state;
    const tn_outcome outcome =
        try(MASS "[[element]]\nname = 'f'\ntype = 'coordinate_force'\nmarkers = 'm'\nvalue = "
                 "'-10 - SQRT(COORD(m))'\n[solver]\ntype = 'ida'\nend_time = 2\n",
            NULL);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("at time 0.4", "`f`", "model.toml:"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_sundials_is_met),
        cmocka_unit_test(radau_agrees),
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(a_lower_order_takes_more_steps),
        cmocka_unit_test(a_spinning_body_turns_as_it_should),
        cmocka_unit_test(rows_shorten_no_step),
        cmocka_unit_test(long_chains_swing_as_under_radau),
        cmocka_unit_test(stiff_forces_take_long_steps),
        cmocka_unit_test(states_without_bodies_are_integrated),
        cmocka_unit_test(models_without_unknowns_are_recorded),
        cmocka_unit_test(works_of_reactions_are_as_exact_as_the_motion),
        cmocka_unit_test(quadratures_leave_the_motion_as_it_is),
        cmocka_unit_test(changes_start_it_anew),
        cmocka_unit_test(it_follows_other_solvers),
        cmocka_unit_test(orders_that_there_are_not_are_refused),
        cmocka_unit_test(failures_tell_what_was_tried),
        cmocka_unit_test(a_domain_that_ends_is_told),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_figures.c - what sensors record of many elements and of each other, statistics of them, and [[expect]] tables */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>

/* Two masses on springs without a rest length: x = a cos(w t), w = 10 and 20 rad/s. */
#define SPRINGS                                                                                           \
    "[[element]]\nname = 'slow'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"                   \
    "[[element]]\nname = 'fast'\ntype = 'mass_point'\nmass = 1\nposition = [0, 2, 0]\n"                   \
    "[[element]]\nname = 'soft'\ntype = 'spring_damper'\nmarkers = ['ground', 'slow']\nstiffness = 100\n" \
    "[[element]]\nname = 'stiff'\ntype = 'spring_damper'\nmarkers = ['ground', 'fast']\nstiffness = 400\n"
#define FIXED_STEPS "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-3\n"
#define X "[[sensor]]\nname = 'x'\nelement = 'slow'\noutput = 'position'\n"

typedef struct results {
    const char *directory;
    int status;
    const char *output, *errors;
} results;

static results run_with(const char *model, const char *const *more)
{
    results r = {.directory = tn_scratch_path(NULL)};
    const char *words[16] = {"run", tn_write("model.toml", model), "--out", r.directory};
    for (size_t k = 4; more && *more; k++, more++)
        words[k] = *more;
    const tn_outcome outcome = tn_tenon(words);
    r.status = outcome.status;
    r.output = outcome.output;
    r.errors = outcome.errors;
    return r;
}

static const char *run_well(const char *model)
{
    const results r = run_with(model, NULL);
    if (r.status != 0) fail_msg("exit %d: %s", r.status, r.errors);
    return r.directory;
}

static void check_columns(const tn_csv_table *table, const char *const *names)
{
    for (size_t k = 0; names[k]; k++)
        if (k >= table->columns || strcmp(table->name[k], names[k]) != 0)
            fail_msg("column %zu is %s, not %s", k, k < table->columns ? table->name[k] : "", names[k]);
}

/* ---- patterns ---------------------------------------------------------------------------------------------- */

static void test_a_pattern_records_all_that_fit(void **state)
{
    (void)state;
    const tn_csv_table *t = tn_sensors(run_well(
        SPRINGS "[[sensor]]\nname = 'p'\nelement = 's*'\ntype = 'mass_point'\noutput = 'position'\n"
                "[[sensor]]\nname = 'd'\nelement = '*'\noutput = 'distance'\n"
                "[[sensor]]\nname = 'b'\nelement = 'sof?'\noutput = 'f*'\n"
                "[[sensor]]\nname = 'c'\nelement = 'fast'\noutput = '*y'\n"
                "[[sensor]]\nname = 'e'\nelement = 'st*'\noutput = 'supplied_energy'\n" FIXED_STEPS));
    check_columns(t, TN_WORDS("time", "p.slow.x", "p.slow.y", "p.slow.z", "d.soft", "d.stiff",
                              "b.soft.force.x", "b.soft.force.y", "b.soft.force.z", "b.soft.force_local",
                              "c.velocity.x", "c.velocity.y", "c.velocity.z", "c.kinetic_energy", "e.stiff"));
    assert_int_equal(t->columns, 15);
    assert_true(fabs(tn_value_at(t, "p.slow.x", 1.0) - cos(10.0)) < 1e-7);
    assert_true(fabs(tn_value_at(t, "d.stiff", 1.0) - 2.0 * fabs(cos(20.0))) < 1e-6);
}

static void test_a_pattern_fits_names_of_repeats_and_parts(void **state)
{
    (void)state;
    (void)tn_write("piece.toml", "[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 1\n"
                                 "[[sensor]]\nname = 'all'\nelement = '*'\noutput = 'kinetic_energy'\n");
    const tn_csv_table *t = tn_sensors(
        run_well("[[part]]\nname = 'left'\nfile = 'piece.toml'\n[[repeat]]\ncount = 2\n[[repeat.element]]\n"
                 "name = 'ball_{i}'\ntype = 'mass_point'\nmass = 1\n[[repeat.sensor]]\nname = 's_{i}'\n"
                 "element = '*_{i}'\noutput = 'kinetic_energy'\n[[sensor]]\nname = 'k'\nelement = '*ball*'\n"
                 "output = 'kinetic_energy'\n" FIXED_STEPS));
    check_columns(t, TN_WORDS("time", "k.ball_0", "k.ball_1", "k.left.ball", "s_0.ball_0", "s_1.ball_1",
                              "left.all.ball"));
    assert_int_equal(t->columns, 7);
}

static void test_a_pattern_fits_markers(void **state)
{
    (void)state;
    const tn_csv_table *t = tn_sensors(run_well(
        "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
        "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'b'\n[[marker]]\nname = 'top'\ntype = 'point'\n"
        "element = 'b'\n[[marker]]\nname = 'height'\ntype = 'coordinate'\nelement = 'b'\ncoordinate = 'z'\n"
        "[[sensor]]\nname = 'm'\nmarker = '*'\noutput = '*velocity'\n" FIXED_STEPS));
    check_columns(t,
                  TN_WORDS("time", "m.tip.velocity.x", "m.tip.velocity.y", "m.tip.velocity.z",
                           "m.tip.angular_velocity.x", "m.tip.angular_velocity.y", "m.tip.angular_velocity.z",
                           "m.top.velocity.x", "m.top.velocity.y", "m.top.velocity.z"));
    assert_int_equal(t->columns, 10);
}

/* ---- all states and reactions -------------------------------------------------------------------------------- */

#define PENDULUM                                                                                          \
    "[model]\ngravity = [0, 0, -10]\n[[element]]\nname = 'rod'\ntype = 'rigid_body'\nmass = 2\n"          \
    "inertia = [0.1, 0.1, 0.1]\nposition = [1, 0, 0]\n[[element]]\nname = 'hinge'\ntype = 'spherical'\n"  \
    "markers = ['ground', { element = 'rod', position = [-1, 0, 0] }]\n[[element]]\nname = 'angle'\n"     \
    "type = 'reference_variable'\nintegral = true\nexpression = 'VZ(rod)'\n"                              \
    "[[element]]\nname = 'level'\ntype = 'reference_variable'\nimplicit = true\nexpression = 'DY(rod)'\n" \
    "[solver]\ntype = 'generalized_alpha'\nend_time = 0.1\nstep = 1e-2\n"

static void test_states_are_those_of_the_table_of_states(void **state)
{
    (void)state;
    const char *directory =
        run_well(PENDULUM "[output]\nstates = true\n[[sensor]]\nname = 's'\nsystem = 'states'\n");
    const tn_csv_table *t = tn_sensors(directory);
    static tn_csv_table states;
    assert_true(tn_csv_read(tn_format("%s/states.csv", directory), &states, stderr));
    size_t found = 0;
    for (size_t c = 1; c < states.columns; c++) {
        if (strstr(states.name[c], "lambda")) continue;
        const size_t k = tn_column_of(t, tn_format("s.%s", states.name[c]));
        for (size_t row = 0; row < t->rows; row++)
            assert_true(tn_csv_value(t, row, k) == tn_csv_value(&states, row, c));
        found++;
    }
    assert_int_equal(found, 13);
    assert_int_equal(t->columns, 1 + 13 + 1); /* and the integral, which is no coordinate */
    assert_true(tn_value_at(t, "s.angle.x0", 0.1) < -0.04);
}

static void test_reactions_are_those_of_all_constraints(void **state)
{
    (void)state;
    const tn_csv_table *t = tn_sensors(run_well(
        PENDULUM "[[sensor]]\nname = 'r'\nsystem = 'reactions'\n[[sensor]]\nname = 'f'\nelement = 'hinge'\n"
                 "output = 'force'\n[[sensor]]\nname = 'l'\nexpression = 'VARVAL(level)'\n"));
    assert_non_null(strstr(t->name[t->columns - 1], "r.level.lambda0"));
    for (size_t row = 0; row < t->rows; row++) {
        const double time = tn_csv_value(t, row, 0);
        assert_true(tn_value_at(t, "r.hinge.force.z", time) == tn_value_at(t, "f.z", time));
        assert_true(tn_value_at(t, "r.level.lambda0", time) == tn_value_at(t, "l", time));
    }
}

/* ---- sensors of sensors --------------------------------------------------------------------------------------- */

static void test_sensors_read_others_in_any_order(void **state)
{
    (void)state;
    const char *directory = run_well(
        "[[sensor]]\nname = 'last'\nexpression = 'SENVAL(sum) - SENVAL(p.slow, 0) + time'\n"
        "[[sensor]]\nname = 'sum'\nexpression = 'SENVAL(p.slow.x) + SENVAL(p.fast.y)'\n" SPRINGS
        "[[sensor]]\nname = 'p'\nelement = '*'\ntype = 'mass_point'\noutput = 'position'\n" FIXED_STEPS);
    const tn_csv_table *t = tn_sensors(directory);
    for (size_t row = 0; row < t->rows; row++) {
        const double time = tn_csv_value(t, row, 0), x = tn_value_at(t, "p.slow.x", time);
        const double y = tn_value_at(t, "p.fast.y", time), sum = tn_value_at(t, "sum", time);
        assert_true(sum == x + y && tn_value_at(t, "last", time) == sum - x + time);
    }
    const char *units = tn_read(tn_format("%s/sensors.units.csv", directory));
    if (strncmp(units, "time,last,sum", 13) == 0) units = strchr(units, '\n') + 1;
    assert_non_null(strstr(units, "m"));
}

/* A length and its square. */
static void test_units_are_checked_through_sensors(void **state)
{
    (void)state;
    const results r =
        run_with(SPRINGS X "[[sensor]]\nname = 'a'\nexpression = 'SENVAL(x.x)**2'\n[[sensor]]\nname = 'b'\n"
                           "expression = 'SENVAL(a) + SENVAL(x.x)'\n" FIXED_STEPS,
                 TN_WORDS("--quiet"));
    assert_int_equal(r.status, 0);
    tn_check_holds(r.errors, TN_WORDS("model.toml:30:25", "warning: `+` of values of different units"));
}

static void test_a_sensor_of_others_is_differentiated_by_differences(void **state)
{
    (void)state;
    const char *directory =
        run_well("[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\n[[element]]\nname = 's'\n"
                 "type = 'coordinate_spring_damper'\nmarkers = ['ground', 'm']\nstiffness = 4\n"
                 "[[sensor]]\nname = 'x'\nelement = 'm'\noutput = 'coordinate'\n"
                 "[[sensor]]\nname = 'a'\nexpression = '3*SENVAL(x)'\n[solver]\ntype = 'linearise'\noutputs "
                 "= ['a']\n");
    const char *json = tn_read(tn_format("%s/linear.json", directory));
    tn_check_holds(
        json, TN_WORDS("\"name\": \"a\", \"unit\": \"\", \"value\": 0, \"derivatives\": \"differences\""));
    double slope = 0.0;
    const char *matrix = strstr(json, "\"C\": [");
    assert_non_null(matrix);
    assert_int_equal(sscanf(matrix, "\"C\": [ [%lf", &slope), 1);
    assert_true(fabs(slope - 3.0) < 1e-12);
}

/* ---- statistics ---------------------------------------------------------------------------------------------- */

static double figure(const char *directory, const char *key)
{
    return tn_run_number(directory, tn_format("run.sensor.0.%s", key));
}

static void test_statistics_are_those_of_the_rows(void **state)
{
    (void)state;
    const char *directory = run_well(
        SPRINGS "[[sensor]]\nname = 'x'\nexpression = 'DX(slow)'\nstatistics = ['min', 'max', 'abs_max', "
                "'mean', 'rms', 'initial', 'final']\n[output]\ninterval = 0.01\n" FIXED_STEPS);
    const tn_csv_table *t = tn_sensors(directory);
    double least = HUGE_VAL, when = 0.0, sum = 0.0, squares = 0.0;
    for (size_t row = 0; row < t->rows; row++) {
        const double x = tn_csv_value(t, row, 1);
        if (x < least) when = tn_csv_value(t, row, 0);
        least = fmin(x, least);
        if (!row) continue;
        const double half = 0.5 * (tn_csv_value(t, row, 0) - tn_csv_value(t, row - 1, 0));
        const double before = tn_csv_value(t, row - 1, 1);
        sum += half * (x + before);
        squares += half * (x * x + before * before);
    }
    assert_true(figure(directory, "min") == least && figure(directory, "min_time") == when);
    assert_true(figure(directory, "max") == 1.0 && figure(directory, "max_time") == 0.0);
    assert_true(figure(directory, "abs_max") == 1.0 && figure(directory, "initial") == 1.0);
    assert_true(figure(directory, "final") == tn_value_at(t, "x", 1.0));
    assert_true(fabs(figure(directory, "mean") - sum) < 1e-14);
    assert_true(fabs(figure(directory, "rms") - sqrt(squares)) < 1e-14);
}

static void test_the_summary_tells_statistics(void **state)
{
    (void)state;
    const results r = run_with(SPRINGS "[[sensor]]\nname = 'x'\nexpression = 'DX(slow)'\n"
                                       "statistics = ['max']\nat = [0.5]\n" FIXED_STEPS,
                               NULL);
    tn_check_holds(r.output, TN_WORDS("\nfigures  x [m]: max 1 at 0 s, 0.283662", " at 0.5 s\n"));
}

/* Without writers and log there are figures all the same. */
static void test_statistics_need_no_tables(void **state)
{
    (void)state;
    const char *directory =
        run_well(SPRINGS "[[sensor]]\nname = 'x'\nexpression = 'DX(slow)'\nstatistics = ['max']\n"
                         "[output]\nwriters = []\nlog = false\n" FIXED_STEPS);
    assert_true(figure(directory, "max") == 1.0);
}

/* An instant without a value spoils what is of all rows. */
static void test_statistics_of_what_has_no_value_are_none(void **state)
{
    (void)state;
    const char *directory =
        run_well(SPRINGS "[[sensor]]\nname = 'x'\nexpression = 'SQRT(DX(slow))'\nstatistics = ['min', 'max', "
                         "'mean', 'initial']\n" FIXED_STEPS);
    assert_true(isnan(figure(directory, "min")) && isnan(figure(directory, "max")));
    assert_true(isnan(figure(directory, "mean")) && figure(directory, "initial") == 1.0);
}

/* ---- values at times ------------------------------------------------------------------------------------------ */

/* Steps end there: the value is that of the row, under every solver. */
static void test_values_at_times_have_rows(void **state)
{
    (void)state;
    static const char *const solvers[] = {"type = 'rk'\nstep = 0.007\n", "type = 'rk'\ntolerance = 1e-8\n",
                                          "type = 'generalized_alpha'\nstep = 1e-3\n",
                                          "type = 'radau'\ntolerance = 1e-8\n"};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        const char *directory = run_well(tn_format(
            SPRINGS "[[sensor]]\nname = 'x'\nexpression = 'DX(slow)'\nat = [1, 0.3333333, '500 [ms]', 0]\n"
                    "[solver]\nend_time = 1\n%s",
            solvers[k]));
        const tn_csv_table *t = tn_sensors(directory);
        static const double times[] = {1.0, 0.3333333, 0.5, 0.0};
        for (int i = 0; i < 4; i++) {
            assert_true(figure(directory, tn_format("at.%d.time", i)) == times[i]);
            const double value = figure(directory, tn_format("at.%d.value", i));
            assert_true(value == tn_value_at(t, "x", times[i]));
            assert_true(fabs(value - cos(10.0 * times[i])) < 2e-3);
        }
    }
}

/* Rows at an interval stay, and those at times come between them. */
static void test_rows_at_times_come_between_those_at_an_interval(void **state)
{
    (void)state;
    const tn_csv_table *t = tn_sensors(run_well(
        SPRINGS "[[sensor]]\nname = 'x'\nexpression = 'DX(slow)'\nat = [0.125, 0.2, 0.3005, 0.30051]\n"
                "[output]\ninterval = 0.1\n[solver]\ntype = 'rk'\nend_time = 0.4\nstep = 1e-3\n"));
    static const double times[] = {0.0, 0.1, 0.125, 0.2, 0.3, 0.3005, 0.30051, 0.4};
    assert_int_equal(t->rows, 8);
    for (size_t row = 0; row < 8; row++)
        assert_true(fabs(tn_csv_value(t, row, 0) - times[row]) < 1e-15);
}

static void test_a_time_beyond_the_run_is_warned_of(void **state)
{
    (void)state;
    const results r = run_with(
        SPRINGS "[[sensor]]\nname = 'x'\nexpression = 'DX(slow)'\nat = [0.5, 2]\n" FIXED_STEPS, NULL);
    assert_int_equal(r.status, 0);
    tn_check_holds(r.errors, TN_WORDS("model.toml:24:12: warning: there is no row at 2 s"));
    tn_check_holds(r.output, TN_WORDS("no row at 2 s"));
}

/* ---- expectations ------------------------------------------------------------------------------------------------ */

#define EXPECT(sensor, rest) "[[expect]]\nsensor = '" sensor "'\n" rest "\n"

static void test_a_run_that_keeps_its_promises_succeeds(void **state)
{
    (void)state;
    const results r = run_with(
        SPRINGS X EXPECT("x.x", "at = 0.5\nvalue = '28.36622 [cm]'\ntolerance = '1 [um]'\nsource = 'cos(5)'")
            EXPECT("x.x", "statistic = 'max'\nvalue = 1\nrelative_tolerance = 1e-9")
                EXPECT("x.x", "value = -0.839\ntolerance = 1e-3") FIXED_STEPS,
        TN_WORDS("--check"));
    if (r.status != 0) fail_msg("exit %d: %s", r.status, r.errors);
    assert_string_equal(r.errors, "");
    tn_check_holds(r.output, TN_WORDS("x.x at 0.5 s", "max of x.x", "final of x.x",
                                      "\ncheck    3 of 3 expectations hold\n"));
    assert_string_equal(tn_run_text(r.directory, "run.expectation.0.source"), "cos(5)");
    assert_true(fabs(tn_run_number(r.directory, "run.expectation.0.got") - cos(5.0)) < 1e-6);
    assert_true(fabs(tn_run_number(r.directory, "run.expectation.0.tolerance") - 1e-6) < 1e-20);
}

static void test_a_broken_promise_has_a_status_of_its_own(void **state)
{
    (void)state;
    const char *model = SPRINGS X EXPECT("x.x", "at = 0.5\nvalue = 0.3\ntolerance = 1e-3")
        EXPECT("x.x", "statistic = 'max'\nvalue = 1\ntolerance = 1e-3") FIXED_STEPS;
    const results checked = run_with(model, TN_WORDS("--check")), not = run_with(model, NULL);
    assert_int_equal(checked.status, 3);
    tn_check_holds(checked.errors,
                   TN_WORDS("model.toml:25:1: error: x.x at 0.5 s is 0.28366", " m, which differs by -0.0163",
                            "from 0.29999999999999999: 0.001 is allowed"));
    tn_check_holds(checked.output, TN_WORDS("failed\n", "\ncheck    1 of 2 expectations hold\n"));
    assert_int_equal(not .status, 0);
    assert_string_equal(not .errors, "");
    assert_null(strstr(not .output, "expectations"));
    /* a check changes nothing */
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", checked.directory)),
                        tn_read(tn_format("%s/sensors.csv", not .directory)));
    assert_true(tn_run_number(not .directory, "run.expectation.0.difference") < -0.0163);
}

static void test_a_broken_promise_is_an_object_of_json(void **state)
{
    (void)state;
    const results r = run_with(SPRINGS X EXPECT("x.x", "at = 0.5\nvalue = 0.3\ntolerance = 1e-3") FIXED_STEPS,
                               TN_WORDS("--check", "--quiet", "--message-format", "json"));
    assert_int_equal(r.status, 3);
    assert_string_equal(r.output, "");
    tn_check_holds(r.errors,
                   TN_WORDS("{\"severity\": \"error\"", "\"line\": 25, \"column\": 1", "x.x at 0.5 s"));
}

/* A condition ends the run before. */
static void test_a_time_that_is_not_reached_is_a_failure(void **state)
{
    (void)state;
    const results r = run_with(SPRINGS X EXPECT("x.x", "at = 0.5\nvalue = 0.3\ntolerance = 100") FIXED_STEPS
                               "stop_when = 'DX(slow)'\n",
                               TN_WORDS("--check"));
    assert_int_equal(r.status, 3);
    tn_check_holds(r.errors,
                   TN_WORDS("x.x at 0.5 s cannot be compared: no row has been recorded at this time"));
}

static void test_a_run_that_fails_keeps_its_status(void **state)
{
    (void)state;
    const results r = run_with(
        SPRINGS X "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = 'slow'\nvalue = ['SQRT(0.5 - time)', "
                  "0, 0]\n" EXPECT("x.x", "statistic = 'max'\nvalue = 1\ntolerance = 1") FIXED_STEPS,
        TN_WORDS("--check"));
    assert_int_equal(r.status, 1);
    tn_check_holds(r.errors, TN_WORDS("max of x.x cannot be compared: the run has not finished"));
}

/* Each has its own rows, the first of which is where it begins. */
static void test_expectations_are_of_one_solver_or_of_all(void **state)
{
    (void)state;
    const results r =
        run_with(SPRINGS "[[sensor]]\nname = 't'\nexpression = 'time'\n" EXPECT(
                     "t", "statistic = 'min'\nvalue = 0\ntolerance = 0")
                     EXPECT("t", "solver = 1\nstatistic = 'min'\nvalue = 0.5\ntolerance = 1e-9")
                         EXPECT("t", "solver = 0\nvalue = 0.5\ntolerance = 1e-9\nstatistic = 'max'")
                             EXPECT("t", "solver = 1\nat = 0.5\nvalue = 0.5\ntolerance = 1e-9")
                                 EXPECT("t", "solver = 1\nstatistic = 'mean'\nvalue = "
                                             "0.75\ntolerance = 1e-9")
                                     EXPECT("t", "solver = 0\nat = 0.75\nvalue = 0.75\ntolerance = "
                                                 "1") "[[solver]]\ntype = 'rk'\nend_time = "
                                                      "0.5\nstep = 1e-3\n[[solver]]\ntype = "
                                                      "'rk'\nend_time = 1\nstep = 1e-3\n",
                 TN_WORDS("--check"));
    assert_int_equal(r.status, 3);
    tn_check_holds(r.errors, TN_WORDS("t at 0.75 s of solver 0 cannot be compared"));
    tn_check_holds(r.output, TN_WORDS("\ncheck    5 of 6 expectations hold\n"));
}

/* What comes behind a solver is none of its figures, also where it has a single row. */
static void test_figures_of_a_solver_end_with_it(void **state)
{
    (void)state;
    static const char sought[] = "solver = 0\nvalue = -1.1\ntolerance = 1e-9\nstatistic = ";
    const char *model = tn_format(
        "[model]\ngravity = [0, 0, -10]\n[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
        "position = [0, 0, -1]\n[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'm']\n"
        "stiffness = 100\nreference_length = 1\n[[sensor]]\nname = 'z'\nexpression = 'DZ(m) + 1*time'\n"
        "[[expect]]\nsensor = 'z'\n%s'mean'\n[[expect]]\nsensor = 'z'\n%s'final'\n" EXPECT(
            "z", "solver = 1\nvalue = -0.9\ntolerance = 1e-9")
            EXPECT("z",
                   "value = -0.8\ntolerance = 1e-9") "[[solver]]\ntype = 'static'\n[[solver]]\ntype = "
                                                     "'rk'\nend_time = 0.2\nstep = 1e-2\n"
                                                     "[[solver]]\ntype = 'rk'\nend_time = 0.3\nstep = 1e-2\n",
        sought, sought);
    const results r = run_with(model, TN_WORDS("--check"));
    if (r.status != 0) fail_msg("exit %d: %s %s", r.status, r.errors, r.output);
}

/* The state that a solver seeks has a row of its own. */
static void test_expectations_of_a_state_that_is_sought(void **state)
{
    (void)state;
    const results r = run_with(
        "[model]\ngravity = [0, 0, -10]\n[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
        "position = [0, 0, -1]\n[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'm']\n"
        "stiffness = 100\nreference_length = 1\n[[sensor]]\nname = 'z'\nexpression = 'DZ(m)'\n"
        "statistics = ['mean']\n" EXPECT("z", "at = 0\nvalue = -1.1\ntolerance = 1e-9") EXPECT(
            "z",
            "value = -1.1\ntolerance = 1e-6\nsolver = 1") "[[solver]]\ntype = 'static'\n[[solver]]\ntype = "
                                                          "'rk'\nend_time = 0.1\nstep = 1e-3\n",
        TN_WORDS("--check"));
    if (r.status != 0) fail_msg("exit %d: %s", r.status, r.errors);
}

static void test_a_check_without_expectations_says_so(void **state)
{
    (void)state;
    const results r = run_with(SPRINGS X FIXED_STEPS, TN_WORDS("--check"));
    assert_int_equal(r.status, 0);
    tn_check_holds(r.output, TN_WORDS("\ncheck    0 of 0 expectations hold\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pattern_records_all_that_fit),
        cmocka_unit_test(test_a_pattern_fits_names_of_repeats_and_parts),
        cmocka_unit_test(test_a_pattern_fits_markers),
        cmocka_unit_test(test_states_are_those_of_the_table_of_states),
        cmocka_unit_test(test_reactions_are_those_of_all_constraints),
        cmocka_unit_test(test_sensors_read_others_in_any_order),
        cmocka_unit_test(test_units_are_checked_through_sensors),
        cmocka_unit_test(test_a_sensor_of_others_is_differentiated_by_differences),
        cmocka_unit_test(test_statistics_are_those_of_the_rows),
        cmocka_unit_test(test_the_summary_tells_statistics),
        cmocka_unit_test(test_statistics_need_no_tables),
        cmocka_unit_test(test_statistics_of_what_has_no_value_are_none),
        cmocka_unit_test(test_values_at_times_have_rows),
        cmocka_unit_test(test_rows_at_times_come_between_those_at_an_interval),
        cmocka_unit_test(test_a_time_beyond_the_run_is_warned_of),
        cmocka_unit_test(test_a_run_that_keeps_its_promises_succeeds),
        cmocka_unit_test(test_a_broken_promise_has_a_status_of_its_own),
        cmocka_unit_test(test_a_broken_promise_is_an_object_of_json),
        cmocka_unit_test(test_a_time_that_is_not_reached_is_a_failure),
        cmocka_unit_test(test_a_run_that_fails_keeps_its_status),
        cmocka_unit_test(test_expectations_are_of_one_solver_or_of_all),
        cmocka_unit_test(test_figures_of_a_solver_end_with_it),
        cmocka_unit_test(test_expectations_of_a_state_that_is_sought),
        cmocka_unit_test(test_a_check_without_expectations_says_so),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

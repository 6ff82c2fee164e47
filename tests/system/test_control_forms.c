/* test_control_forms.c - what blocks of control systems give: closed step responses, difference equations, descriptor forms, equilibria,
 * accelerations and reactions that they read; units of what they read and give */
#include "control_models.h"
#include "harness.h"

#include <math.h>

#define TRANSFER(name, input, b, a) \
    BLOCK(name, "transfer_function", "input = \"" input "\"\nnumerator = " b "\ndenominator = " a)
#define STATES(name, of) "[[sensor]]\nname = '" name "'\nelement = '" of "'\noutput = 'state'\n"

static double at_row(const tn_csv_table *table, size_t row, const char *column)
{
    return table->value[row * table->columns + tn_column_of(table, column)];
}

static void check_near(const tn_csv_table *table, size_t row, const char *column, double right,
                       double tolerance)
{
    const double found = at_row(table, row, column);
    if (!(fabs(found - right) <= tolerance))
        fail_msg("%s at %.9g s: %.17g, %.17g", column, at_row(table, row, "time"), found, right);
}

/* ---- continuous ----------------------------------------------------------------------------------------------- */

static void step_responses_are_the_closed_ones(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        MASS("m", "1", "0") TRANSFER("lag", "1", "[2]", "[0.5, 1]")
            TRANSFER("swings", "1", "[9]", "[1, 1.2, 9]") TRANSFER("integral", "1", "[1]", "[1, 0]")
                TRANSFER("twice", "1", "[1]", "[1, 0, 0]") TRANSFER("number", "time", "[3]", "[2]") TRANSFER(
                    "lead", "1", "[1, 2]", "[1, 5]") TRANSFER("scaled", "1", "[0, 0, 4, 8]", "[0, 8, 40]")
                    TRANSFER("plain", "1", "[0]", "[1, 1]") SENSOR("lag", "ARYVAL(lag)")
                        SENSOR("swings", "ARYVAL(swings)") SENSOR("integral", "ARYVAL(integral)")
                            SENSOR("twice", "ARYVAL(twice)") SENSOR("number", "ARYVAL(number)")
                                SENSOR("lead", "ARYVAL(lead)") SENSOR("scaled", "ARYVAL(scaled)") SENSOR(
                                    "plain", "ARYVAL(plain)") "[solver]\ntype = 'radau'\ntolerance = 1e-12\n"
                                                              "end_time = 2\n[output]\ninterval = 0.1\n",
        NULL);
    assert_int_equal(table->rows, 21);
    for (size_t row = 0; row < table->rows; row++) {
        const double t = at_row(table, row, "time"), w = 3.0 * sqrt(1.0 - 0.04);
        check_near(table, row, "lag", 2.0 * (1.0 - exp(-2.0 * t)), 1e-11);
        check_near(table, row, "swings", 1.0 - exp(-0.6 * t) * (cos(w * t) + 0.6 / w * sin(w * t)), 1e-10);
        check_near(table, row, "integral", t, 1e-12);
        check_near(table, row, "twice", t * t / 2.0, 1e-12);
        check_near(table, row, "number", 1.5 * t, 1e-15);
        check_near(table, row, "lead", 0.4 + 0.6 * exp(-5.0 * t), 1e-11);
        check_near(table, row, "scaled", 0.5 * (0.4 + 0.6 * exp(-5.0 * t)), 1e-11);
        check_near(table, row, "plain", 0.0, 0.0);
    }
}

/* y' = -y + sin(3 t): errors fall as the order of the method says. */
static void blocks_are_integrated_with_the_order_of_the_method(void **state)
{
    (void)state;
    for (int order = 2; order <= 5; order += order == 2 ? 2 : 1) {
        double error[3];
        for (int k = 0; k < 3; k++) {
            const tn_csv_table *table =
                tn_simulate(tn_format("%s[solver]\ntype = 'rk'\norder = %d\nstep = %.17g\nend_time = 1\n",
                                      MASS("m", "1", "0") TRANSFER("lag", "SIN(3*time)", "[1]", "[1, 1]")
                                          SENSOR("y", "ARYVAL(lag)"),
                                      order, 0.1 / (1 << k)),
                            NULL);
            const double right = (sin(3.0) - 3.0 * cos(3.0) + 3.0 * exp(-1.0)) / 10.0;
            error[k] = fabs(tn_value_at(table, "y", 1.0) - right);
        }
        for (int k = 0; k < 2; k++) {
            const double found = log2(error[k] / error[k + 1]);
            if (!(found > order - 0.3 && found < order + 0.7))
                fail_msg("order %d: errors %g, %g, %g", order, error[0], error[1], error[2]);
        }
    }
}

/* ---- sampled -------------------------------------------------------------------------------------------------- */

#define FILTER(name, input, b, a, keys) \
    BLOCK(name, "transfer_function",    \
          "input = \"" input "\"\nnumerator = " b "\ndenominator = " a "\nperiod = 0.1\n" keys)

/* y(z) = (z - 0.5)/((z - 0.5)(z - 0.8)) is 1/(z - 0.8), and z/(z - 0.5) follows its input at once. */
static void functions_of_z_are_their_difference_equations(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        MASS("m", "1", "0") FILTER("minimal", "1 + time", "[1]", "[1, -0.8]", "")
            FILTER("more", "1 + time", "[1, -0.5]", "[1, -1.3, 0.4]", "")
                FILTER("at_once", "1 + time", "[1, 0]", "[1, -0.5]", "") FILTER("sum", "1", "[1]", "[1, -1]",
                                                                                "start = [4]")
                    FILTER("late", "1 + time", "[1]", "[1, 0, 0, 0]", "") SENSOR("minimal", "ARYVAL(minimal)")
                        SENSOR("more", "ARYVAL(more)") SENSOR("at_once", "ARYVAL(at_once)")
                            SENSOR("sum", "ARYVAL(sum)") SENSOR(
                                "late", "ARYVAL(late)") "[solver]\ntype = 'rk'\nstep = 0.1\nend_time = 3\n",
        NULL);
    double minimal = 0.0, at_once = 0.0;
    for (size_t row = 0; row < table->rows; row++) {
        const double u = 1.0 + 0.1 * (double)row;
        at_once = 0.5 * at_once + u;
        check_near(table, row, "minimal", minimal, 1e-13);
        check_near(table, row, "more", minimal, 1e-13);
        check_near(table, row, "at_once", at_once, 1e-13);
        check_near(table, row, "sum", 4.0 + (double)row, 0.0);
        check_near(table, row, "late", row < 3 ? 0.0 : u - 0.3, 1e-13);
        minimal = 0.8 * minimal + u;
    }
}

/* To the nearest multiple, halves to the even one, then within the limits. */
static void converters_round_and_limit(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        MASS("m", "1", "0") BLOCK("c", "state_space",
                                  "input = ['8*time - 2.5', '8*time - 2.5', '8*time - 2.5']\nperiod = 0.125\n"
                                  "resolution = [1, 0, 2]\nlowest = [-1.5, -9, -9]\nhighest = [9, 0.25, 9]")
            SENSOR("a", "ARYVAL(c, 1)") SENSOR("b", "ARYVAL(c, 2)")
                SENSOR("c", "ARYVAL(c, 3)") "[solver]\ntype = 'rk'\nstep = 0.125\nend_time = 0.625\n",
        NULL);
    static const double a[] = {-1.5, -1.5, 0, 0, 2, 2}, b[] = {-2.5, -1.5, -0.5, 0.25, 0.25, 0.25},
                        c[] = {-2, -2, 0, 0, 2, 2};
    for (size_t row = 0; row < 6; row++) {
        check_near(table, row, "a", a[row], 0.0);
        check_near(table, row, "b", b[row], 1e-15);
        check_near(table, row, "c", c[row], 0.0);
    }
}

/* ---- descriptor forms ----------------------------------------------------------------------------------------- */

/* C v' = i, 0 = u - v - R i, with C = 0.5 and R = 2; and x1' + x2' = u - x1 = -2 x2, of which z = x1 + x2 has a rate. */
#define SINGULAR(of_u)                                                                          \
    MASS("m", "1", "0")                                                                         \
    BLOCK("circuit", "state_space",                                                             \
          "input = '" of_u                                                                      \
          "'\nE = [[0.5, 0], [0, 0]]\nA = [[0, 1], [-1, -2]]\nB = [[0], [1]]\nstart = [7, 99]") \
    BLOCK("pair", "state_space",                                                                \
          "input = '" of_u                                                                      \
          "'\nE = [[1, 1], [1, 1]]\nA = [[-1, 0], [0, -2]]\nB = [[1], [0]]\nC = [[1, 10]]\n"    \
          "start = [1, 0.5]")                                                                   \
    BLOCK("fixed", "state_space",                                                               \
          "input = '" of_u "'\nE = [[0, 0], [0, 0]]\nA = [[1, 2], [3, 4]]\nB = [[1], [0]]")     \
    SENSOR("v", "ARYVAL(circuit, 1)")                                                           \
    SENSOR("i", "ARYVAL(circuit, 2)")                                                           \
    SENSOR("y", "ARYVAL(pair)")                                                                 \
    SENSOR("f1", "ARYVAL(fixed, 1)") SENSOR("f2", "ARYVAL(fixed, 2)") STATES("x", "pair")

static void singular_descriptor_forms_of_index_1_are_solved(void **state)
{
    (void)state;
    static const char *const solvers[] = {"'rk'", "'radau'", "'ida'", "'gsl_ode'"};
    for (size_t k = 0; k < 4; k++) {
        if (!tn_has_plugin(tn_format("%.*s", (int)strlen(solvers[k]) - 2, solvers[k] + 1))) continue;
        const tn_csv_table *table = tn_simulate(
            tn_format("%s[solver]\ntype = %s\ntolerance = 1e-11\nend_time = 2\n[output]\ninterval = 0.1\n",
                      SINGULAR("3"), solvers[k]),
            NULL);
        for (size_t row = 0; row < table->rows; row++) {
            const double t = at_row(table, row, "time"), v = 3.0 + 4.0 * exp(-t),
                         z = 3.0 - 1.5 * exp(-2.0 * t / 3.0), x2 = (z - 3.0) / 3.0;
            check_near(table, row, "v", v, 1e-9);
            check_near(table, row, "i", (3.0 - v) / 2.0, 1e-9);
            check_near(table, row, "y", z - x2 + 10.0 * x2, 1e-9);
            check_near(table, row, "x.0", z - x2, 1e-9);
            check_near(table, row, "x.1", x2, 1e-9);
            check_near(table, row, "f1", 6.0, 1e-13); /* 0 = A x + B u */
            check_near(table, row, "f2", -4.5, 1e-13);
        }
    }
}

/* Equations of very different units: kilograms beside micrograms are no reason to call E singular. */
static void ranks_do_not_depend_on_units(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        MASS("m", "1", "0") BLOCK("b", "state_space",
                                  "input = '1'\nE = [[1e9, 0], [0, 1e-9]]\nA = [[-1e9, 0], [0, -1e-9]]\n"
                                  "B = [[1e9], [2e-9]]") SENSOR("a", "ARYVAL(b, 1)")
            SENSOR("b", "ARYVAL(b, 2)") "[solver]\ntype = 'radau'\ntolerance = 1e-11\nend_time = 1\n",
        NULL);
    assert_true(fabs(tn_value_at(table, "a", 1.0) - (1.0 - exp(-1.0))) < 1e-9);
    assert_true(fabs(tn_value_at(table, "b", 1.0) - 2.0 * (1.0 - exp(-1.0))) < 1e-9);
}

/* ---- equilibria ----------------------------------------------------------------------------------------------- */

/* A mass on a spring of 100 N/m with an integral control to 0.2 m; a run from the equilibrium stays there. */
#define CONTROLLED(hold)                                                             \
    MASS("m", "1", "0")                                                              \
    BLOCK("integral", "transfer_function",                                           \
          "input = '0.2 - COORD(m)'\nnumerator = [40]\ndenominator = [1, 0]\n" hold) \
    TRANSFER("lag", "ARYVAL(integral) + 5", "[1]", "[0.01, 1]")                      \
    FORCE("f", "'m'", "ARYVAL(lag) - 100*COORD(m) - 10*RATE(m)")                     \
    SENSOR("x", "COORD(m)")                                                          \
    SENSOR("i", "ARYVAL(integral)")                                                  \
    SENSOR("l", "ARYVAL(lag)")                                                       \
    "[[solver]]\ntype = 'static'\n[[solver]]\ntype = 'radau'\nend_time = "           \
    "1\ntolerance = 1e-8\n"                                                          \
    "[output]\ninterval = 0.1\n"

static void an_equilibrium_holds_for_blocks_too(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(CONTROLLED(""), NULL);
    assert_true(table->rows >= 11);
    for (size_t row = 1; row < table->rows; row++) {
        check_near(table, row, "x", 0.2, 1e-9);
        check_near(table, row, "i", 15.0, 1e-7);
        check_near(table, row, "l", 20.0, 1e-7);
    }
}

/* Held, the integral keeps its start, and begins to work behind the equilibrium. */
static void a_held_block_keeps_its_states_in_statics(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(CONTROLLED("static_hold = true\nstart = [0.05]"), NULL);
    size_t row = 0;
    while (at_row(table, row, "l") == 0.0)
        row++;
    check_near(table, row, "i", 2.0, 1e-15);
    check_near(table, row, "l", 7.0, 1e-9);
    check_near(table, row, "x", 0.07, 1e-9);
    assert_true(tn_value_at(table, "i", 1.0) > 5.0);
}

/* The equations of small motions have no samples: a warning names blocks that act on the motion, not one that only a sensor reads. */
static void linearised_loops_tell_that_samples_are_held(void **state)
{
    (void)state;
    static const char words[] = "`c` works at samples: what it holds in between counts as constant";
    static const char *const solvers[] = {"linearise", "eigen"};
    for (size_t k = 0; k < 2; k++)
        for (int acts = 0; acts < 2; acts++) {
            if (!tn_has_plugin(solvers[k])) continue;
            const char *model = tn_format(
                "%s%s[solver]\ntype = '%s'\n",
                MASS("m", "1", "0")
                    BLOCK("c", "state_space",
                          "input = 'COORD(m)'\nD = [-3]\nperiod = 0.1") "[[input]]\nname = 'push'\nvalue = "
                                                                        "0\n" SENSOR("u", "ARYVAL(c)") FORCE(
                                                                            "k", "'m'", "-COORD(m) + push"),
                acts ? FORCE("f", "'m'", "ARYVAL(c)") : "", solvers[k]);
            const tn_outcome run =
                tn_tenon(TN_WORDS("run", tn_write("held.toml", model), "--out", "results"));
            if (run.status != 0) fail_msg("%s: %s", solvers[k], run.errors);
            if (!strstr(run.errors, words) != !acts) fail_msg("%s: %s", solvers[k], run.errors);
        }
}

/* ---- what is read at samples ------------------------------------------------------------------------------------ */

/* a of a mass of 2 kg under the held force u and 3 t, and the reaction of a wall that a second body stands on: both as they are just
 * before the sample. u = -a, u2 = -0.5 R with R = u2 + t. */
static void accelerations_and_reactions_are_read_before_a_sample(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 2\n"
        "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['m']\nvalue = ['ARYVAL(a) + 3*time', 0, 0]\n"
        "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
        "[[element]]\nname = 'wall'\ntype = 'fixed'\nmarkers = ['ground', 'body']\n"
        "[[element]]\nname = 'lean'\ntype = 'force'\nmarkers = ['body']\nvalue = ['ARYVAL(r) + time', 0, "
        "0]\n" BLOCK("a", "state_space", "input = '-ACCX(m)'\nperiod = 0.1")
            BLOCK("r", "state_space", "input = '-0.5*FX(ground, body)'\nperiod = 0.1")
                SENSOR("a", "ARYVAL(a)") SENSOR("r", "ARYVAL(r)");
    static const char *const solvers[] = {
        "type = 'rk'\ntolerance = 1e-9\n", "type = 'radau'\ntolerance = 1e-9\n",
        "type = 'generalized_alpha'\nstep = 1e-3\n", "type = 'gsl_ode'\ntolerance = 1e-9\n",
        "type = 'ida'\ntolerance = 1e-9\n"};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        if (strstr(solvers[k], "gsl_ode") && !tn_has_plugin("gsl_ode")) continue;
        if (strstr(solvers[k], "ida") && !tn_has_plugin("ida")) continue;
        const tn_csv_table *table = tn_simulate(
            tn_format("%s[solver]\n%send_time = 1\n[output]\ninterval = 0.1\n", model, solvers[k]), NULL);
        double a = 0.0, r = 0.0;
        for (size_t row = 0; row < table->rows; row++) {
            const double t = 0.1 * (double)row;
            a = -(a + 3.0 * t) / 2.0;
            r = -0.5 * (r + t);
            check_near(table, row, "a", a, 1e-10);
            check_near(table, row, "r", r, 1e-10);
        }
    }
}

/* ---- units ---------------------------------------------------------------------------------------------------- */

#define UNITS(in, out, force)                                                                                \
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n" BLOCK(                                        \
        "seen", "plant_output",                                                                              \
        "values = ['DX(m)', 'VX(m)', '2 [N]', 'time']") BLOCK("r", "state_space",                            \
                                                              "input = ['POUVAL(seen, 1)', 'POUVAL(seen, "   \
                                                              "2)']\nD = [[-1, -2]]\n" in out)               \
        BLOCK(                                                                                               \
            "hold", "state_space",                                                                           \
            "input = 'ARYVAL(r)'\nperiod = 0.01") "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = "      \
                                                  "['m']\nvalue = [\"" force "\", 0, 0]\n" SENSOR(           \
                                                      "x", "POUVAL(seen, 1)") SENSOR("n", "POUVAL(seen, 3)") \
                                                      SENSOR("r", "ARYVAL(r)") SENSOR(                       \
                                                          "h",                                               \
                                                          "ARYVAL(hold)") "[[sensor]]\nname = 'y'\nelement " \
                                                                          "= 'r'\noutput = 'output'\n"       \
                                                                          "[solver]\ntype = 'rk'\nend_time " \
                                                                          "= 0.1\nstep = 0.1\n"

static tn_outcome run_units(const char *model)
{
    const tn_outcome run =
        tn_tenon(TN_WORDS("run", tn_write("units.toml", model), "--quiet", "--out", "results"));
    if (run.status != 0) fail_msg("exit %d: %s", run.status, run.errors);
    return run;
}

static void lists_hand_units_on_and_blocks_have_their_own(void **state)
{
    (void)state;
    assert_string_equal(
        run_units(UNITS("input_units = ['m', 'm/s']\n", "output_units = ['N']\n", "ARYVAL(hold)")).errors,
        "");
    assert_string_equal(tn_read(tn_scratch_path("results/sensors.units.csv")),
                        "time,x,n,r,h,y\ns,m,N,N,N,N\n");
    assert_string_equal(run_units(UNITS("", "", "ARYVAL(hold)")).errors, "");
    assert_string_equal(tn_read(tn_scratch_path("results/sensors.units.csv")), "time,x,n,r,h,y\ns,m,N,,,\n");
}

static void units_that_do_not_fit_are_told_where_they_stand(void **state)
{
    (void)state;
    tn_check_holds(run_units(UNITS("input_units = ['m', 'rad']\n", "", "0")).errors,
                   TN_WORDS("units.toml:12:29: warning: the expression is a velocity (m/s), but this input "
                            "is an angle (rad)"));
    tn_check_holds(run_units(UNITS("", "output_units = ['m']\n", "ARYVAL(hold)")).errors,
                   TN_WORDS("warning: the expression is a length (m), but the parameter is a force (N)"));
    tn_check_holds(run_units(UNITS("", "", "POUVAL(seen, 2)")).errors,
                   TN_WORDS("warning: the expression is a velocity (m/s), but the parameter is a force (N)"));
    tn_check_holds(run_units(UNITS("", "", "POUVAL(seen, 3) + POUVAL(seen, 2)")).errors,
                   TN_WORDS("warning: `+` of values of different units: a force (N), a velocity (m/s)"));
}

/* Each reads the one before, the first one the last: units follow without end, and are none. */
static void units_of_long_chains_and_loops_are_found(void **state)
{
    (void)state;
    (void)run_units(
        "[[element]]\nname = 'l_0'\ntype = 'plant_output'\nvalues = ['TIME*5 [N]']\n"
        "[[repeat]]\ncount = 3000\n[[repeat.element]]\nname = 'l_{i + 1}'\ntype = 'plant_output'\n"
        "values = ['POUVAL(l_{i}, 1)']\n" MASS("m", "1", "0")
            BLOCK("p", "state_space", "input = 'ARYVAL(q)'\nperiod = 1\ndelay = 1")
                BLOCK("q", "state_space", "input = 'ARYVAL(p)'\nperiod = 1") SENSOR("last", "POUVAL(l_3000)")
                    SENSOR("loop", "ARYVAL(p)") "[solver]\ntype = 'rk'\nend_time = 0.1\nstep = 0.1\n");
    assert_string_equal(tn_read(tn_scratch_path("results/sensors.units.csv")), "time,last,loop\ns,N,\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_responses_are_the_closed_ones),
        cmocka_unit_test(blocks_are_integrated_with_the_order_of_the_method),
        cmocka_unit_test(functions_of_z_are_their_difference_equations),
        cmocka_unit_test(converters_round_and_limit),
        cmocka_unit_test(singular_descriptor_forms_of_index_1_are_solved),
        cmocka_unit_test(ranks_do_not_depend_on_units),
        cmocka_unit_test(an_equilibrium_holds_for_blocks_too),
        cmocka_unit_test(a_held_block_keeps_its_states_in_statics),
        cmocka_unit_test(linearised_loops_tell_that_samples_are_held),
        cmocka_unit_test(accelerations_and_reactions_are_read_before_a_sample),
        cmocka_unit_test(lists_hand_units_on_and_blocks_have_their_own),
        cmocka_unit_test(units_that_do_not_fit_are_told_where_they_stand),
        cmocka_unit_test(units_of_long_chains_and_loops_are_found),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

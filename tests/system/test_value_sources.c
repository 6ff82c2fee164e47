/* test_value_sources.c - functions of plugins that read the model by themselves (tenon/draft/values.h), in place of the same expressions */
#include "harness.h"

#include <math.h>

#define PENDULUM                                                                                            \
    "[model]\ngravity = [0, 0, -9.81]\n"                                                                    \
    "[[element]]\nname = 'rod'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.2, 0.2, 0.2]\n"                 \
    "position = [0.3, 0, -0.4]\nvelocity = [0.4, 0, 0.3]\nangular_velocity = [0, -1, 0]\n"                  \
    "[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = [{ element = 'ground', rotation = { axis = " \
    "[1, "                                                                                                  \
    "0, 0], angle = '90 [deg]' } }, { element = 'rod', position = [-0.3, 0, 0.4], rotation = { axis = [1, " \
    "0, "                                                                                                   \
    "0], angle = '90 [deg]' } }]\n"                                                                         \
    "[[sensor]]\nname = 'x'\nexpression = 'DX(rod)'\n"                                                      \
    "[[sensor]]\nname = 'z'\nexpression = 'DZ(rod)'\n"
#define TORQUE(value) \
    "[[element]]\nname = 'motor'\ntype = 'torque'\nmarkers = 'rod'\nvalue = [0, '" value "', 0]\n"
#define SQUARES(name, reads) "[[signal]]\nname = '" name "'\ntype = 'squares'\nreads = " reads "\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define SOLVER(rest) "[solver]\nend_time = 1\n" rest

static const char *plugin;

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    plugin = tn_build_test_plugin("readings");
    return plugin ? 0 : 1;
}

static const tn_csv_table *simulate(const char *model)
{
    const char *file = tn_write("model.toml", tn_format("[plugins]\nsquares = '%s'\n%s", plugin, model));
    const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", "results"));
    if (run.status != 0) fail_msg("exit %d: %s", run.status, run.errors);
    return tn_sensors(tn_scratch_path("results"));
}

static double iterations(void)
{
    return tn_run_number(tn_scratch_path("results"), "run.statistics.newton_iterations");
}

/* A force that reads position, velocity, a variable and the time: under every solver the same motion as by an expression, and as many
 * iterations of an implicit one, which wants all derivatives. */
static void a_source_of_values_is_worth_its_expression(void **state)
{
    (void)state;
    static const char *const solvers[] = {"type = 'generalized_alpha'\nstep = 1e-2\n",
                                          "type = 'generalized_alpha'\nindex = 2\nstep = 1e-2\n",
                                          "type = 'rk'\nstep = 5e-3\n"};
    static const char variable[] =
        "[[element]]\nname = 'u'\ntype = 'reference_variable'\nexpression = '0.5*VZ(rod) + sin(time)'\n";
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        const tn_csv_table *own = simulate(tn_format(
            "%s" PENDULUM SQUARES("s", "[\"2*DX(rod)\", \"VX(rod)\", \"VARVAL(u)\", \"time\"]")
                TORQUE("0.1*squares(s, 1 + DZ(rod))") SENSOR("t", "squares(s, 1 + DZ(rod))") SOLVER("%s"),
            variable, solvers[k]));
        const double needed = iterations();
        const tn_csv_table *plain = simulate(tn_format(
            "%s" PENDULUM TORQUE("0.1*(1 + DZ(rod))*0.5*(4*DX(rod)**2 + VX(rod)**2 + VARVAL(u)**2 + time**2)")
                SENSOR("t", "(1 + DZ(rod))*0.5*(4*DX(rod)**2 + VX(rod)**2 + VARVAL(u)**2 + time**2)")
                    SOLVER("%s"),
            variable, solvers[k]));
        assert_true(iterations() == needed);
        tn_check_column(own, plain, "x", 1e-12);
        tn_check_column(own, plain, "z", 1e-12);
        tn_check_column(own, plain, "t", 1e-11);
    }
}

#define CART "[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass = 1\nposition = 1\n"
#define PUSH(value) \
    "[[element]]\nname = 'push'\ntype = 'coordinate_force'\nmarkers = 'cart'\nvalue = '" value "'\n"

/* 1 m from rest, the force held at 0.5 N until |40 x + 4 v| falls below it: an adaptive solver ends a step there. */
static void adaptive_solvers_end_steps_at_kinks_of_a_source(void **state)
{
    (void)state;
    const char *governor = tn_scratch_path("governor.so");
    const tn_outcome built = tn_tenon(
        TN_WORDS("build", TENON_SOURCE_DIR "/sdk/examples/governor.c", "-o", governor, "--trial-time", "60"));
    if (built.status != 0) fail_msg("%s", built.errors);
    const char *model = tn_format(
        "[plugins]\ngovernor = '%s'\n" CART PUSH(
            "governor(hold)") "[[signal]]\nname = 'hold'\ntype = 'governor'\nerror = 'COORD(cart)'\n"
                              "rate = 'RATE(cart)'\nproportional = 40\nderivative = 4\nlimit = 0.5\n"
                              "[[sensor]]\nname = 'e'\nexpression = '40*COORD(cart) + 4*RATE(cart)'\n" SOLVER(
                                  "type = 'rk'\norder = 5\nrelative_tolerance = 1e-8\n"),
        governor);
    const tn_csv_table *table = tn_simulate(model, TN_WORDS("--trust", "--set", "solver.end_time=3"));
    const size_t e = tn_column_of(table, "e");
    double nearest = HUGE_VAL;
    for (size_t row = 0; row < table->rows; row++)
        nearest = fmin(nearest, fabs(table->value[row * table->columns + e] - 0.5));
    assert_true(nearest < 1e-9);
}

static void a_source_tells_its_unit(void **state)
{
    (void)state;
    (void)simulate(tn_format(PENDULUM SQUARES("s", "[\"VX(rod)\"]\nunit = 'm^2/s^2'") SENSOR(
        "a", "squares(s, 1)") SENSOR("b", "squares(s, 1)/VX(rod)") SOLVER("type = 'rk'\nstep = 0.125\n")));
    assert_string_equal(tn_read(tn_scratch_path("results/sensors.units.csv")),
                        "time,x,z,a,b\ns,m,m,m^2/s^2,m/s\n");
}

/* Names mean what they do where the call stands: parameters of a part, variables of a repeat; and the past of a source is known. */
static void readings_are_those_of_the_place_of_the_call(void **state)
{
    (void)state;
    const tn_csv_table *table = simulate(tn_format("[parameters]\nk = 3\n" CART SQUARES(
        "s", "[\"k*COORD(cart)\", \"i\"]") "[[repeat]]\ncount = 2\nvariable = 'i'\n[[repeat.sensor]]\nname = "
                                           "'y{i}'\n"
                                           "expression = 'squares(s, 2)'\n" SENSOR(
                                               "late", "DELAY(squares(r, 2), 0.5, 7)")
                                                       SQUARES("r", "['k*time']")
                                                           SOLVER("type = 'rk'\nstep = 0.125\n")));
    assert_true(tn_value_at(table, "y0", 0.0) == 9.0);
    assert_true(tn_value_at(table, "y1", 0.0) == 10.0);
    assert_true(tn_value_at(table, "late", 0.25) == 7.0);
    assert_true(fabs(tn_value_at(table, "late", 1.0) - 9.0 * 0.25) < 1e-12);
}

static void mistakes_of_readings_are_told_with_the_call(void **state)
{
    (void)state;
    static const struct {
        const char *signal, *expression, *error;
    } wrong[] = {
        {"['DX(rodd)']", "squares(s, 1)", "there is no element or marker `rodd`: did you mean `rod`?"},
        {"['2*']", "1 + squares(s, 1)",
         "wrong.toml:30:19: error: `squares` reads `2*`: a number, a name or `(` is missing before the end "
         "of the "
         "text"},
        {"['1 2']", "squares(s, 1)", "`squares` reads `1 2`: an operator is missing before `2`"},
        {"['xyz']", "squares(s, 1)", "`squares` reads `xyz`: unknown name `xyz`"},
        {"['squares(s, 1)']", "squares(s, 1)", "`squares` reads `squares(s, 1)`: nested deeper than"},
        {"['DELAY(time, 1, 0)']", "squares(s, 1)", "`DELAY` cannot be read by a function"},
        {"['1']\nunit = 'mm^'", "squares(s, 1)", "signal `s`: its unit is not known"},
        {"['1']", "nothing()", "function `nothing`: it reads nothing, and has no arguments"},
        {"['1']", "squares(s)", "`squares` needs its argument: squares(s, x)"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *model = tn_write(
            "wrong.toml", tn_format("[plugins]\nsquares = '%s'\nnothing = '%s'\n" PENDULUM
                                    "[[signal]]\nname = 's'\ntype = 'squares'\nreads = %s\n" SENSOR("y", "%s")
                                        SOLVER("type = 'rk'\nstep = 0.1\n"),
                                    plugin, plugin, wrong[k].signal, wrong[k].expression));
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--trust"));
        assert_int_equal(outcome.status, 2);
        tn_check_holds(outcome.errors, TN_WORDS(wrong[k].error));
    }
    const tn_outcome early = tn_tenon(
        TN_WORDS("check",
                 tn_write("early.toml",
                          tn_format("[plugins]\nsquares = '%s'\n[parameters]\nk = 'squares(s, 1)'\n" SQUARES(
                                        "s", "['time']"),
                                    plugin)),
                 "--trust"));
    assert_int_equal(early.status, 2);
    tn_check_holds(
        early.errors,
        TN_WORDS("early.toml:4:6: error: the value must be known before the run: `time` makes it change"));
}

static void guarded_sources_stay_within_their_arrays(void **state)
{
    (void)state;
    const char *model =
        tn_format("[plugins]\nsquares = '%s'\n" PENDULUM SQUARES("s", "['DX(rod)', 'time']")
                      TORQUE("squares(s, 1)") SOLVER("type = 'generalized_alpha'\nstep = 0.1\n"),
                  plugin);
    (void)tn_simulate(model, TN_WORDS("--trust", "--guard"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_source_of_values_is_worth_its_expression),
                                       cmocka_unit_test(adaptive_solvers_end_steps_at_kinks_of_a_source),
                                       cmocka_unit_test(a_source_tells_its_unit),
                                       cmocka_unit_test(readings_are_those_of_the_place_of_the_call),
                                       cmocka_unit_test(mistakes_of_readings_are_told_with_the_call),
                                       cmocka_unit_test(guarded_sources_stay_within_their_arrays)};
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

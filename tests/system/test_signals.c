/* test_signals.c - tabulated data in forces, parameters, repeats and parts, and where they end */
#include "harness.h"

#include <math.h>

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
#define FORCE(value) \
    "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['mass']\nvalue = ['" value "', 0, 0]\n"
#define DATA "x = [0, 1, 2, 3, 4, 5]\ny = [0, 1, 4, 9, 16, 25]\n"
#define SIGNAL(name, rest) "[[signal]]\nname = '" name "'\n" rest
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define APPLIED "[[sensor]]\nname = 'push'\nelement = 'push'\noutput = 'value'\n"
#define SOLVER(end) "[solver]\ntype = 'rk'\nend_time = " end "\nstep = 0.125\n"

static void check_value(const tn_csv_table *table, const char *column, double time, double expected)
{
    const double value = tn_value_at(table, column, time);
    if (!(fabs(value - expected) <= 1e-13 * (1.0 + fabs(expected))))
        fail_msg("%s at %g s: %.17g, expected %.17g", column, time, value, expected);
}

/* Each through the same points; what a force feels is what a sensor tells, and an element accelerates by it. */
static void all_interpolations_reach_forces(void **state)
{
    (void)state;
    static const char *const words[] = {"linear", "akima", "cubic", "steffen"};
    double middle[4];
    for (int k = 0; k < 4; k++) {
        const tn_csv_table *table = tn_simulate(
            tn_format("%sinterpolation = '%s'\n%s", SIGNAL("c", DATA), words[k],
                      MASS FORCE("spline(c, 10*time) + SPLINE(c, 3)")
                          APPLIED SENSOR("c", "spline(c, 10*time)") SENSOR("slope", "spline(c, 10*time, 1)")
                              SENSOR("bend", "Spline(c, 10*time, 2)") SOLVER("0.5")),
            NULL);
        check_value(table, "c", 0.0, 0.0);
        check_value(table, "c", 0.5, 25.0);
        middle[k] = tn_value_at(table, "c", 0.25);
        assert_true(middle[k] > 6.0 && middle[k] <= 6.5);
        check_value(table, "push.x", 0.25, middle[k] + 9.0);
        if (k == 0) check_value(table, "slope", 0.25, 5.0);
        if (k == 0) check_value(table, "bend", 0.25, 0.0);
    }
    check_value(tn_simulate(SIGNAL("c", DATA "interpolation = 'linear'\n") SENSOR("c", "spline(c, 2.5)")
                                SOLVER("0.125"),
                            NULL),
                "c", 0.0, 6.5);
    assert_true(middle[0] > middle[1] + 0.01 && fabs(middle[1] - middle[2]) > 1e-3);
}

/* The law of a spring from a table: a mass on it at rest where the table says so. */
static void a_spring_follows_its_table(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        SIGNAL("law", "x = [-1, 0, 1, 2]\ny = [-100, 0, 100, 400]\ninterpolation = 'linear'\n") MASS
        "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', "
        "'mass']\nreference_length = 0.5\n"
        "force_function = 'spline(law, 2*deltaL) + 0*stiffness'\n"
        "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['mass']\nvalue = [100, 0, 0]\n"
        "[[sensor]]\nname = 'f'\nelement = 'spring'\noutput = 'force_local'\n"
        "[[sensor]]\nname = 'mass'\nelement = 'mass'\noutput = 'position'\n"
        "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 0.125\n",
        NULL);
    check_value(table, "f", 1.0, 100.0);
    check_value(table, "mass.x", 1.0, 1.0);
}

static void data_have_units_and_files_columns(void **state)
{
    (void)state;
    (void)tn_write("signal.csv", "# made by hand\nt;v;w\n0;1;3\n0.125;2;5\n0.25;3;8\n");
    const tn_csv_table *table = tn_simulate(
        SIGNAL("a", "x = { value = [0, 125, 250], unit = 'ms' }\ny = ['1 [mm]', '2*k [mm]', 3]\n") SIGNAL(
            "b", "file = 'signal.csv'\n") SIGNAL("w", "file = 'signal.csv'\ncolumns = [0, 2]\n")
            SIGNAL("swapped",
                   "file = 'signal.csv'\ncolumns = ['n', 0]\n") "[parameters]\nk = 2\nn = 'k - "
                                                                "1'\n" SENSOR("a", "spline(a, time)")
                                                                    SENSOR("b", "spline(b, time)")
                                                                        SENSOR("w", "spline(w, time)") SENSOR(
                                                                            "s", "spline(swapped, 2)")
                                                                            SENSOR("lost",
                                                                                   "1e6*spline(a, time)*k")
                                                                                SOLVER("0.25"),
        NULL);
    check_value(table, "a", 0.125, 4e-3);
    check_value(table, "b", 0.125, 2.0);
    check_value(table, "w", 0.125, 5.0);
    check_value(table, "s", 0.0, 0.125);
}

static void outside_of_the_data_rules_hold(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        SIGNAL("line", DATA "interpolation = 'linear'\n") SIGNAL("flat", DATA "outside = 'constant'\n")
            SIGNAL("hard", DATA "outside = 'error'\n") SENSOR("low", "spline(line, -1)")
                SENSOR("high", "spline(line, 7)") SENSOR("flat_low", "spline(flat, -1)")
                    SENSOR("flat_high", "spline(flat, 7)") SENSOR("ends", "spline(hard, 0) + spline(hard, 5)")
                        SOLVER("0.125"),
        NULL);
    check_value(table, "low", 0.0, -1.0);
    check_value(table, "high", 0.0, 25.0 + 2.0 * 9.0);
    check_value(table, "flat_low", 0.0, 0.0);
    check_value(table, "flat_high", 0.0, 25.0);
    check_value(table, "ends", 0.0, 25.0);
}

static void leaving_the_data_ends_a_run_with_its_reason(void **state)
{
    (void)state;
    const struct {
        const char *value;
        const char *words[4];
    } cases[] = {
        {"spline(c, 20*time)", {"force `push`", "signal `c`: its data reach from 0 to 5", "time 0.", NULL}},
        {"spline(c, time, 10*time)",
         {"force `push`", "signal `c`: an argument is not allowed", "time 0.", NULL}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *model = tn_format("%s%s[[element]]\nname = 'push'\ntype = 'force'\nmarkers = 'mass'\n"
                                      "value = ['%s', 0, 0]\n" SOLVER("1"),
                                      SIGNAL("c", DATA "outside = 'error'\n"), MASS, cases[k].value);
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("signals.toml", model), "--quiet"));
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors, TN_WORDS("signals.toml:15:10"));
        tn_check_holds(outcome.errors, cases[k].words);
    }
    /* in a part both have its name */
    (void)tn_write("pushed.toml", SIGNAL("c", DATA "outside = 'error'\n") MASS FORCE("spline(c, 20*time)"));
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("run", tn_write("signals.toml", "[[part]]\nname = 'a'\nfile = 'pushed.toml'\n" SOLVER("1")),
                 "--quiet"));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("force `a.push`", "pushed.toml:15:10", "signal `a.c`: its data reach from"));
}

static void every_copy_has_its_own(void **state)
{
    (void)state;
    (void)tn_write("row_0.csv", "0 1\n1 2\n2 3\n");
    (void)tn_write("row_1.csv", "0 5\n1 6\n2 7\n");
    const tn_csv_table *table =
        tn_simulate("[[repeat]]\ncount = 2\n[[repeat.signal]]\nname = 'file_{i}'\nfile = 'row_{i}.csv'\n"
                    "[[repeat.signal]]\nname = 'list_{i}'\nx = [0, 1, 2]\ny = ['i', '2*i', 'i + "
                    "1']\ninterpolation = 'linear'\n"
                    "[[repeat.signal]]\nname = 'some_{i}'\nwhen = 'i == 1'\nx = [0, 1, 2]\ny = [0, 1, 2]\n"
                    "[[repeat.sensor]]\nname = 's{i}'\nexpression = 'spline(file_{i}, 1) + "
                    "100*spline(list_{i}, 1 + i)'\n" SENSOR("some", "spline(some_1, 2)") SOLVER("0.125"),
                    NULL);
    check_value(table, "s0", 0.0, 2.0);
    check_value(table, "s1", 0.0, 6.0 + 100.0 * 2.0);
    check_value(table, "some", 0.0, 2.0);
}

static void signals_serve_parameters_and_parts(void **state)
{
    (void)state;
    (void)tn_write("inner.toml", "[part]\nuses = ['c']\n[parameters]\nk = 1\n" SIGNAL(
                                     "own", "x = [0, 1, 2]\ny = [0, 'k', 4]\ninterpolation = 'linear'\n")
                                     SENSOR("sum", "spline(own, 1) + 10*spline(c, k)"));
    const tn_csv_table *table = tn_simulate(
        SIGNAL("c", DATA) "[parameters]\nc = 'spline(c, 2)'\n"
                          "[[part]]\nname = 'a'\nfile = 'inner.toml'\nparameters = { k = 'c - 1' }\n"
                          "[[part]]\nname = 'b'\nfile = 'inner.toml'\n" SENSOR(
                              "outer", "spline(a.own, 1) + 10*spline(b.own, 1)")
                              SENSOR("both", "spline(c, c)") SOLVER("0.125"),
        NULL);
    check_value(table, "a.sum", 0.0, 3.0 + 90.0);
    check_value(table, "b.sum", 0.0, 1.0 + 10.0);
    check_value(table, "outer", 0.0, 3.0 + 10.0);
    check_value(table, "both", 0.0, 16.0);
}

/* Functions of other plugins: `type` says whose data they are; one without data is called as it is. */
static void other_functions_have_signals_too(void **state)
{
    (void)state;
    const char *plugin = tn_scratch_path("functions.so");
    const tn_outcome built = tn_await(
        tn_start("cc", TN_WORDS("-std=gnu17", "-fPIC", "-fvisibility=hidden", "-shared", "-I",
                                TENON_SOURCE_DIR "/sdk/include",
                                TENON_SOURCE_DIR "/tests/system/plugins/functions.c", "-o", plugin)));
    if (built.status != 0) fail_msg("%s", built.errors);
    const char *base =
        tn_format("[plugins]\nstairs = '%s'\ncube = '%s'\n%s%s%s", plugin, plugin, SIGNAL("c", DATA),
                  SIGNAL("s", "type = 'stairs'\nheight = [1, 2, '3 [km]']\n"), SOLVER("0.125"));
    const tn_csv_table *table = tn_simulate(tn_format("%s" SENSOR("s", "stairs(s, 1.5) + STAIRS(s, 2 + time)")
                                                          SENSOR("cube", "Cube(2 + 0*time)"),
                                                      base),
                                            TN_WORDS("--trust"));
    check_value(table, "s", 0.125, 3002.0);
    check_value(table, "cube", 0.125, 8.0);

    const struct {
        const char *text, *error;
    } wrong[] = {
        {SENSOR("x", "spline(s, 1)"), "18:22: error: signal `s` is made for `stairs`, not for `spline`"},
        {SENSOR("x", "stairs(c, 1)"), "18:22: error: signal `c` is made for `spline`, not for `stairs`"},
        {SENSOR("x", "2*s"), "18:17: error: `s` is a signal: write stairs(s, x)"},
        {SENSOR("x", "stairs(s, 7)"),
         "18:14: error: `expression` of `x`: `stairs(s, 7)`: signal `s`: it has no value here"},
        {SENSOR("x", "cube(1, 2)"), "18:15: error: `cube` takes 1 argument, not 2"},
        {SENSOR("x", "cube()"), "18:15: error: `cube` takes 1 argument, not 0"},
        {SENSOR("x", "cube"), "18:15: error: function `cube` without its arguments in parentheses"},
        {SENSOR("x", "stair(s, 1)"), "18:15: error: unknown function `stair`: did you mean `stairs`?"},
        {SIGNAL("x", "type = 'cube'\n"), "18:8: error: `cube` takes no data: call it directly"},
        {SIGNAL("x", "type = 'stairs'\nx = [1]\n"), "19:1: error: unknown key `x`"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *model = tn_write("signals.toml", tn_format("%s%s", base, wrong[k].text));
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--trust"));
        assert_int_equal(outcome.status, 2);
        tn_check_holds(outcome.errors, TN_WORDS(tn_format("signals.toml:%s", wrong[k].error)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_interpolations_reach_forces),
        cmocka_unit_test(a_spring_follows_its_table),
        cmocka_unit_test(data_have_units_and_files_columns),
        cmocka_unit_test(outside_of_the_data_rules_hold),
        cmocka_unit_test(leaving_the_data_ends_a_run_with_its_reason),
        cmocka_unit_test(every_copy_has_its_own),
        cmocka_unit_test(signals_serve_parameters_and_parts),
        cmocka_unit_test(other_functions_have_signals_too),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

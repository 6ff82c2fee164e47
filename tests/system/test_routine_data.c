/* test_routine_data.c - functions of users ask for splines at numbers of their own, and for the last accepted step: compiled ones,
 * those in Lua and in Python */
#include "harness.h"

#include <math.h>

static const char *library;

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    library = tn_scratch_path("data.so");
    const tn_outcome built =
        tn_tenon(TN_WORDS("build", TENON_SOURCE_DIR "/tests/system/plugins/data_routines.c", "-o", library));
    if (built.status) print_error("%s", built.errors);
    (void)tn_write("data.py",
                   "def rubber(x, spline):\n"
                   "    return -akispl(x, 0, spline)\n"
                   "def VARSUB(id, time, par, npar, dflag, iflag):\n"
                   "    [x, errflg] = py_sysfnc('DX', [par[0]])\n"
                   "    if iflag:\n"
                   "        return 0.0\n"
                   "    [array, errflg] = py_akispl(x, 0.0, par[1], 0)\n"
                   "    return -array[0]\n"
                   "def curve(t):\n"
                   "    return CUBSPL(t, 0, 'rubber', 1) + linspl(t, 0, 7) + quispl(2*t, 0, 7, 2)\n"
                   "def last(t):\n"
                   "    return py_timget() if t > 0 else timget()\n"
                   "def tells(t):\n"
                   "    py_usrmes(0.25 < t < 0.35, 'it is time', 3, 'INFO')\n"
                   "    return 1\n"
                   "def outside(t):\n"
                   "    return akispl(t + 5, 0, 9)\n"
                   "def laws(t):\n"
                   "    [a, errflg] = py_step5(t, 0.1, 1, 0.8, 3, 0)\n"
                   "    [b, errflg] = py_havsin(t, 0.1, 1, 0.8, 3, 1)\n"
                   "    [[c, d, e], errflg] = py_impact(t, 0.2, 1.5, 100, 2, 1, 2, 2)\n"
                   "    return a + b + c\n"
                   "def unknown(t):\n"
                   "    return akispl(t, 0, 'rubbr')\n"
                   "def hidden(t):\n"
                   "    return akispl(t, 0, 'rubbr') if t > 0.5 else 0\n");
    (void)tn_write("data.lua", "function rubber(x, spline) return -akispl(x, 0, spline) end\n"
                               "function VARSUB(id, time, par, npar, dflag, iflag)\n"
                               "  local x = sysfnc('DX', par[1])\n"
                               "  local array, errflg = py_akispl(x, 0, par[2], 0)\n"
                               "  return -array[1]\n"
                               "end\n"
                               "function curve(t)\n"
                               "  return CUBSPL(t, 0, 'rubber', 1) + linspl(t, 0, 7) + quispl(2*t, 0, 7, 2)\n"
                               "end\n"
                               "function last(t) return timget() end\n"
                               "function tells(t) usrmes(t > 0.25 and t < 0.35, 'it is time') return 1 end\n"
                               "function outside(t)\n"
                               "  local value, errflg = akispl(t + 5, 0, 9)\n"
                               "  return errflg == 1 and value ~= value and 5 or value\n"
                               "end\n"
                               "function laws(t)\n"
                               "  local c = py_impact(t, 0.2, 1.5, 100, 2, 1, 2, 2)\n"
                               "  return step5(t, 0.1, 1, 0.8, 3) + havsin(t, 0.1, 1, 0.8, 3, 1) + c[1]\n"
                               "end\n"
                               "function unknown(t) return akispl(t, 0, 'rubbr') end\n");
    return built.status;
}

/* ---- models ------------------------------------------------------------------------------------------------ */

#define SPLINES                                                                                          \
    "[[signal]]\nname = 'rubber'\nid = 7\nx = [-2, -1, -0.3, 0.1, 0.8, 1.5, 2.5, 4]\n"                   \
    "y = [-50, -18, -3, 0.5, 10, 30, 90, 200]\n"                                                         \
    "[[signal]]\nname = 'short'\nid = 9\nx = [-1, 0, 1, 2, 3]\ny = [0, 1, 0, 2, 1]\noutside = 'error'\n" \
    "[[signal]]\nname = 'few'\nid = 4\nx = [0, 1, 2]\ny = [0, 1, 0]\n"
#define MODEL                                                                                           \
    SPLINES "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 0.7\nposition = [1.2, 0, 0]\n"     \
            "[[marker]]\nname = 'tip'\nid = 1011\ntype = 'point'\nelement = 'mass'\n"                   \
            "[[element]]\nname = 'pull'\nid = 5\ntype = 'force'\nmarkers = 'tip'\nvalue = [%s, 0, 0]\n" \
            "[[sensor]]\nname = 'x'\nexpression = 'DX(mass)'\n"                                         \
            "[[sensor]]\nname = 'f'\nelement = 'pull'\noutput = 'force'\n"                              \
            "[solver]\ntype = '%s'\nend_time = 1\nstep = 0.01\n"

static const tn_csv_table *simulate(const char *value, const char *solver)
{
    return tn_simulate(tn_format(MODEL, value, solver), TN_WORDS("--trust"));
}

/* A value of time in all languages is that of an expression. */
static void check_value(const char *value, const char *expression, double tolerance)
{
    const double found = tn_largest_difference(simulate(value, "rk"), simulate(expression, "rk"), "f.x");
    if (!(found <= tolerance)) fail_msg("%s, not %s: %g", value, expression, found);
}

#define NUMBERS "reads = ['DX(mass)'], parameters = '7'"
#define OF_TIME(file, function) "{ script = '" file "', function = '" function "', reads = ['time'] }"

/* ---- values ------------------------------------------------------------------------------------------------ */

static void a_force_of_a_spline_is_that_of_its_expression(void **state)
{
    (void)state;
    const struct {
        const char *value;
        double tolerance;
    } ways[] = {
        {tn_format("{ library = '%s', function = 'RUBBER', parameters = 'USER(1011, 7)' }", library), 1e-9},
        {tn_format("{ library = '%s', function = 'HASTY', parameters = 'USER(1011, 7)', splines = "
                   "['akispl(7)'] }",
                   library),
         1e-9},
        {"{ script = 'data.py', parameters = 'USER(1011, 7)' }", 1e-9},
        {"{ script = 'data.py', function = 'rubber', " NUMBERS " }", 1e-9},
        {"{ script = 'data.py', function = 'rubber', " NUMBERS ", dual = true }", 1e-12},
        {"{ script = 'data.py', function = 'rubber', " NUMBERS ", splines = ['AKISPL( 7 )'] }", 1e-9},
        {"{ script = 'data.lua', parameters = 'USER(1011, 7)' }", 1e-9},
        {"{ script = 'data.lua', function = 'rubber', " NUMBERS " }", 1e-9},
    };
    static const char *const solvers[] = {"generalized_alpha", "rk"};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        const tn_csv_table *expected = simulate("'-AKISPL(DX(mass), 0, 7)'", solvers[s]);
        assert_true(fabs(tn_value_at(expected, "x", 1.0) - 1.2) > 0.5);
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            const double found = tn_largest_difference(simulate(ways[k].value, solvers[s]), expected, "x");
            if (!(found <= ways[k].tolerance)) fail_msg("%s, %s: %g", solvers[s], ways[k].value, found);
        }
    }
}

static void methods_and_orders_are_those_of_expressions(void **state)
{
    (void)state;
    static const char *const names[] = {"AKISPL", "CUBSPL", "LINSPL", "QUISPL"};
    for (int method = 0; method < 4; method++)
        for (int order = 0; order < 3; order++)
            check_value(tn_format("{ library = '%s', function = 'METHOD', parameters = '%d, 7, %d, 0' }",
                                  library, method, order),
                        tn_format("'%s(time, 0, 7, %d)'", names[method], order), 0.0);
    check_value(tn_format("{ library = '%s', function = 'METHOD', parameters = '0, 7, 2, 2' }", library), "0",
                0.0); /* by z */
    check_value(tn_format("{ library = '%s', function = 'fortran', parameters = '7' }", library),
                "'CUBSPL(time, 0, 7, 1)'", 0.0);
    static const char sum[] = "'CUBSPL(time, 0, 7, 1) + LINSPL(time, 0, 7) + QUISPL(2*time, 0, 7, 2)'";
    check_value(OF_TIME("data.py", "curve"), sum, 0.0);
    check_value(OF_TIME("data.lua", "curve"), sum, 0.0);
}

/* STEP5, the slope of HAVSIN, and the second derivative of 100 (1.5 - x)^2 - 0.2 STEP(x, -0.5, 1, 1.5, 0) */
#define SCRIPTED_LAWS                                            \
    "'STEP5(time, 0.1, 1, 0.8, 3) + 200.3 - 0.3*(time + 0.5) + " \
    "IF(ABS(time - 0.45) - 0.35: PI/0.7*SIN(PI*(time - 0.1)/0.7), 0, 0)'"

static void functions_are_those_of_expressions(void **state)
{
    (void)state;
    static const char *const expressions[] = {"STEP(time, -0.5, 1, 1.5, 3)",
                                              "STEP5(time, -0.5, 1, 1.5, 3)",
                                              "HAVSIN(time, -0.5, 1, 1.5, 3)",
                                              "SHF(time, 0.2, 3, 2, 0.4, 1)",
                                              "POLY(time, 0.1, 1, 2, -3, 4)",
                                              "CHEBY(time, 0.1, 1, 2, -3, 4)",
                                              "FORCOS(time, 0.1, 2, 1, 2, -3, 4)",
                                              "FORSIN(time, 0.1, 2, 1, 2, -3, 4)",
                                              "IMPACT(time, 0.3, 1.5, 100, 1.5, 2, 2)",
                                              "BISTOP(time, 0.3, 1.5, 3, 100, 1.5, 2, 2)"};
    for (int k = 0; k < 10; k++) {
        check_value(tn_format("{ library = '%s', function = 'FUNCTION', parameters = '%d' }", library, k),
                    tn_format("'%s'", expressions[k]), 0.0);
        check_value(tn_format("{ library = '%s', function = 'SLOPES', parameters = '%d' }", library, k), "0",
                    1e-6);
    }
    check_value(tn_format("{ library = '%s', function = 'MISUSED' }", library), "3", 0.0);
    check_value(OF_TIME("data.py", "laws"), SCRIPTED_LAWS, 1e-12);
    check_value(OF_TIME("data.lua", "laws"), SCRIPTED_LAWS, 1e-12);
    check_value(tn_format("{ library = '%s', function = 'STEPPING' }", library),
                "'IF(ABS(time - 0.5) - 0.25: 12*(2*time - 0.5)*(1.5 - 2*time), 0, 0)'", 1e-14);
}

/* A row is evaluated behind its step, which has ended the step before. */
static void the_last_accepted_step_is_known(void **state)
{
    (void)state;
    const char *values[] = {tn_format("{ library = '%s', function = 'LAST' }", library),
                            OF_TIME("data.py", "last"), OF_TIME("data.lua", "last")};
    for (int k = 0; k < 3; k++) {
        const tn_csv_table *table = simulate(values[k], "rk");
        for (size_t row = 0; row < table->rows; row++) {
            const double time = table->value[row * table->columns],
                         last = table->value[row * table->columns + tn_column_of(table, "f.x")];
            if (!(fabs(last - fmax(time - 0.01, 0.0)) < 1e-12))
                fail_msg("%s: %g at %g", values[k], last, time);
        }
    }
}

static void no_value_is_told_to_the_routine(void **state)
{
    (void)state;
    check_value(tn_format("{ library = '%s', function = 'OUTSIDE', parameters = '5' }", library), "5", 0.0);
    check_value(tn_format("{ library = '%s', function = 'OUTSIDE', parameters = '0' }", library),
                "'AKISPL(time, 0, 9, 1)'", 0.0);
    check_value(OF_TIME("data.lua", "outside"), "5", 0.0);
}

static void messages_of_routines_are_in_the_log(void **state)
{
    (void)state;
    const char *values[] = {OF_TIME("data.py", "tells"), OF_TIME("data.lua", "tells"),
                            tn_format("{ library = '%s', function = 'TELLS' }", library)};
    for (int k = 0; k < 3; k++) {
        const char *model = tn_write("tells.toml", tn_format(MODEL, values[k], "rk"));
        const tn_outcome run = tn_tenon(TN_WORDS("run", model, "--trust", "--out", tn_scratch_path(NULL)));
        if (run.status) fail_msg("%s", run.errors);
        tn_check_holds(run.errors, TN_WORDS("note: pull.value_1: ", "it is time"));
        if (k == 2) tn_check_holds(run.errors, TN_WORDS("warning: pull.value_1: ", "s: it is late (id 5)"));
    }
}

static void guarded_routines_ask_as_others_do(void **state)
{
    (void)state;
    const char *value =
        tn_format("{ library = '%s', function = 'RUBBER', parameters = 'USER(1011, 7)' }", library);
    (void)tn_simulate(tn_format(MODEL, value, "generalized_alpha"),
                      TN_WORDS("--trust", "--guard", "--set", "solver.end_time=0.1"));
}

/* ---- what goes wrong ---------------------------------------------------------------------------------------- */

static void check_fails(const char *value, int status, const char *words)
{
    const char *model = tn_write("wrong.toml", tn_format(MODEL, value, "rk"));
    const tn_outcome run =
        tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--out", tn_scratch_path(NULL)));
    if (run.status != status || !strstr(run.errors, words))
        fail_msg("%s: exit %d: %s", value, run.status, run.errors);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    const struct {
        const char *keys;
        int status;
        const char *words;
    } wrong[] = {
        {"function = 'METHOD', parameters = '0, 8, 0, 0'", 2,
         "in its first call (iflag): it asks for `akispl(8)`: there is no signal `8`"},
        {"function = 'METHOD', parameters = '3, 4, 0, 0'", 2, "needs 6 points, but there are 3"},
        {"function = 'METHOD', parameters = '0, 7, 3, 0'", 2,
         "it asks for `akispl` with z = 0 and order 3: z is 0, and the order 0, 1 or 2"},
        {"function = 'SURFACE'", 2, "it asks for `akispl` with z = 1 and order 0"},
        {"function = 'HASTY', parameters = '1011, 7'", 2,
         "it asks for `akispl(7)`, which it has not asked for in its first call (iflag): declare it, splines "
         "= "
         "[\"akispl(7)\"]"},
        {"function = 'LAST', splines = ['akispl(rubbr)']", 2,
         "`akispl(rubbr)`: there is no signal `rubbr`: did you mean `rubber`?"},
        {"function = 'LAST', splines = ['akispl rubber']", 2,
         "`akispl rubber` is no spline: write akispl, cubspl, linspl or quispl of a signal"},
        {"function = 'LAST', splines = ['fitspl(7)']", 2, "`fitspl(7)` is no spline"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        check_fails(tn_format("{ library = '%s', %s }", library, wrong[k].keys), wrong[k].status,
                    wrong[k].words);
    check_fails(OF_TIME("data.py", "unknown"), 2,
                "data.py:24: in unknown: LookupError: it asks for "
                "`akispl(rubbr)`: there is no signal `rubbr`: did you mean "
                "`rubber`?");
    check_fails(OF_TIME("data.lua", "unknown"), 2,
                "data.lua:20: it asks for `akispl(rubbr)`: there is no signal");
    check_fails(OF_TIME("data.py", "hidden"), 1,
                "it asks for `akispl(rubbr)`: there is no signal `rubbr`: did");
    check_fails(OF_TIME("data.py", "outside"), 1,
                "data.py:17: in outside: ValueError: signal `short`: its data reach from -1 to 3");
}

/* Of signals that stand in front of it. */
static void a_signal_asks_for_splines_in_front_of_it(void **state)
{
    (void)state;
    static const char rest[] =
        "[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass = 1\n"
        "[[sensor]]\nname = 'v'\nexpression = 'lua(own, time) - (CUBSPL(time, 0, 7, 1) + "
        "LINSPL(time, 0, 7) + QUISPL(2*time, 0, 7, 2))'\n[solver]\ntype = 'rk'\nend_time "
        "= 1\nstep = 0.1\n",
                      signal[] = "[[signal]]\nname = 'own'\ntype = 'lua'\nscript = 'data.lua'\nfunction = "
                                 "'curve'\narguments = 1\n";
    const tn_csv_table *table = tn_simulate(tn_format("%s%s%s", SPLINES, signal, rest), TN_WORDS("--trust"));
    assert_true(tn_value_at(table, "v", 0.5) == 0.0 && tn_value_at(table, "v", 1.0) == 0.0);
    const tn_outcome early = tn_tenon(
        TN_WORDS("check", tn_write("early.toml", tn_format("%s%s%s", signal, SPLINES, rest)), "--trust"));
    assert_int_equal(early.status, 2);
    tn_check_holds(early.errors,
                   TN_WORDS("there is no signal `rubber` in front of this one, which needs it"));
}

/* The keys of a variable, beside its own. */
static void variables_declare_splines(void **state)
{
    (void)state;
    static const char model[] =
        SPLINES "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 0.7\nposition = [1.2, 0, 0]\n"
                "[[marker]]\nname = 'tip'\nid = 1011\ntype = 'point'\nelement = 'mass'\n"
                "[[element]]\nname = 'v'\ntype = 'reference_variable'\n%s\nsplines = ['akispl(7)']\n"
                "[[sensor]]\nname = 'd'\nexpression = 'VARVAL(v) + AKISPL(DX(mass), 0, 7)'\n"
                "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n";
    const tn_csv_table *table = tn_simulate(
        tn_format(model, tn_format("type_of = 'library'\nlibrary = '%s'\nfunction = 'HASTY'\nparameters = "
                                   "'1011, 7'",
                                   library)),
        TN_WORDS("--trust"));
    assert_true(tn_value_at(table, "d", 1.0) == 0.0);
    const tn_outcome odd =
        tn_tenon(TN_WORDS("check", tn_write("odd.toml", tn_format(model, "expression = 1"))));
    tn_check_holds(odd.errors, TN_WORDS("`splines` does not belong to `type_of = \"expression\"`"));
}

int main(void)
{
    tn_need_plugin("python");
    tn_need_plugin("lua");
    tn_need_plugin("spline");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_of_a_spline_is_that_of_its_expression),
        cmocka_unit_test(methods_and_orders_are_those_of_expressions),
        cmocka_unit_test(functions_are_those_of_expressions),
        cmocka_unit_test(the_last_accepted_step_is_known),
        cmocka_unit_test(no_value_is_told_to_the_routine),
        cmocka_unit_test(messages_of_routines_are_in_the_log),
        cmocka_unit_test(guarded_routines_ask_as_others_do),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(a_signal_asks_for_splines_in_front_of_it),
        cmocka_unit_test(variables_declare_splines),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

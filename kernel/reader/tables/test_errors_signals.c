/* test_errors_signals.c - signals: what their tables say, the files of their data, and calls of them in expressions */
#define _GNU_SOURCE
#include "tables/test_errors_files.h"

#define SIGNAL "[[signal]]\nname = \"c\"\n"
#define DATA "x = [0, 1, 2, 3, 4]\ny = [0, 1, 4, 9, 16]\n"
#define FORCE(value) \
    "[[element]]\nname = \"f\"\ntype = \"force\"\nmarkers = [\"mass\"]\nvalue = [\"" value "\", 0, 0]\n"
#define CALL(value) SIGNAL DATA FORCE(value)

static void a_table_of_points_is_checked(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SIGNAL DATA, ""},
        {NULL, "[[signal]]\n" DATA, "26:1: error: missing key `name`\n"},
        {NULL, SIGNAL,
         "26:1: error: missing key `x` of `c` (argument at the points, strictly increasing; any)\n"
         "26:1: error: missing key `y` of `c` (value at the points, as many as x; any)\n"},
        {NULL, SIGNAL "x = [0, 1, 2]\ny = [0, 1]\n", "28:5: error: c: x has 3 values, but y has 2\n"},
        {NULL, SIGNAL "x = [0, 1, 1]\ny = [0, 1, 2]\n",
         "28:5: error: c: x must increase strictly, but x[1] = 1 is followed by x[2] = 1 (counted from 0)\n"},
        {NULL, SIGNAL "x = [0, 1, 2]\ny = [0, 1, 2]\ninterpolation = \"akima\"\n",
         "28:5: error: c: interpolation = \"akima\" needs 5 points, but there are 3\n"},
        {NULL, SIGNAL DATA "interpolation = \"akim\"\n",
         "30:17: error: `interpolation` of `c`: `akim` is not one of "
         "linear|akima|cubic|steffen|not_a_knot|quintic: did you mean `akima`?\n"},
        {NULL, SIGNAL DATA "outsid = \"error\"\n",
         "30:1: error: unknown key `outsid`: did you mean `outside`?\n"},
        {NULL, SIGNAL DATA "type = \"splin\"\n",
         "30:8: error: unknown function type `splin`: did you mean `spline`?\n"},
        {NULL, SIGNAL "x = 3\ny = [0, 1]\n", "28:5: error: `x` of `c`: an array of numbers is expected\n"},
        {NULL, SIGNAL "x = [0, \"1 [foo]\", \"k\"]\ny = [0, 1, true]\n",
         "28:9: error: `x` of `c`: `1 [foo]`: unknown unit \"foo\"\n28:21: error: unknown name `k`\n29:12: "
         "error: `y` of `c`: a number is expected, not a boolean\n"},
        {NULL, SIGNAL "x = [0, 1, \"time\"]\ny = [0, 1, 2]\n",
         "28:13: error: the value must be known before the run: `time` makes it change\n"},
        {NULL, "[[signal]]\nname = \"c d\"\n" DATA FORCE("spline(c, time)"),
         "27:8: error: `c d` is not a name: letters, digits and _ only\n"},
        {NULL, SIGNAL DATA SIGNAL DATA, "31:1: error: another signal has the name `c`\n"},
        {NULL, SIGNAL DATA "columns = [0, 1]\n", "30:1: error: `columns` belongs to `file`\n"},
        {NULL, "[signal]\nname = \"c\"\n" DATA FORCE("spline(c, time)"),
         "26:2: error: `signal` is an array of tables: write [[signal]]\n"},
    };
    CHECK_CHANGES(changes);
}

/* The true error alone: no element is asked to make do without the value, no other signal without its points. */
static void what_needs_a_wrong_signal_is_not_blamed(void **state)
{
    (void)state;
#define WRONG SIGNAL "x = [0, 2, 1]\ny = [0, 1, 2]\n"
#define WRONG_ERROR \
    "28:5: error: c: x must increase strictly, but x[1] = 2 is followed by x[2] = 1 (counted from 0)\n"
#define DRIVE(values) "[[element]]\nname = \"drive\"\ntype = \"set_velocity\"\nmarkers = [\"mass\"]\n" values
    static const change changes[] = {
        {NULL, WRONG DRIVE("direction = [1, 0, 0]\nvalue = \"spline(c, time)\"\n"), WRONG_ERROR},
        {NULL, WRONG DRIVE("values = [0, \"spline(c, time)\", 0]\n"), WRONG_ERROR},
        {NULL, WRONG DRIVE("direction = [1, 0, 0]\nvalue = \"spline(c, time)\"\nfollow = \"firs\"\n"),
         WRONG_ERROR
         "36:10: error: `follow` of `drive`: `firs` is not one of automatic|fixed|first|last: did you mean "
         "`first`?\n"},
        {NULL,
         WRONG "[[repeat]]\ncount = 1\nvariable = \"i\"\n[[repeat.signal]]\nname = \"d\"\nx = [0, "
               "\"spline(c, i)\"]\ny = [0, 1]\n"
               "interpolation = \"linear\"\n",
         WRONG_ERROR},
    };
    CHECK_CHANGES(changes);
}

static void units_stand_at_numbers_or_at_all_of_them(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SIGNAL "x = { value = [0, 1, 2], unit = \"ms\" }\ny = [0, \"1 [mm]\", \"2 [kN]\"]\n", ""},
        {NULL, SIGNAL "x = { value = [0, 1, 2], unit = \"xx\" }\ny = [0, 1, 2]\n",
         "28:33: error: `x` of `c`: unknown unit \"xx\"\n"},
        {NULL, SIGNAL "x = { value = [0, 1, \"2 [s]\"], unit = \"ms\" }\ny = [0, 1, 2]\n",
         "28:22: error: `x` of `c`: `2 [s]`: unit s does not fit: a number without unit is expected\n"},
    };
    CHECK_CHANGES(changes);
}

static void calls_are_checked(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, CALL("spline(c, time)"), ""},
        {NULL, CALL("SPLINE(c, TIME, 1) + Spline (c , spline(c, time))"), ""},
        {NULL, CALL("spline(d, time)"), "34:18: error: there is no signal `d`\n"},
        {NULL, "[[signal]]\nname = \"curve\"\n" DATA FORCE("spline(curv, time)"),
         "34:18: error: there is no signal `curv`: did you mean `curve`?\n"},
        {NULL, CALL("spline(C, time)"), "34:18: error: there is no signal `C`: did you mean `c`?\n"},
        {NULL, CALL("spline()"),
         "34:18: error: `spline` begins with the name of its data, without quotes: spline(name, x)\n"},
        {NULL, CALL("spline(2.5, time)"),
         "34:18: error: `spline` begins with the name of its data, without quotes: spline(name, x)\n"},
        {NULL, CALL("spline(2, time)"), "34:18: error: there is no signal `2`\n"},
        {NULL, CALL("spline('c', time)"), "34:18: error: unexpected character `'`\n"},
        {NULL, CALL("spline(c)"), "34:11: error: `spline` needs its argument: spline(c, x)\n"},
        {NULL, CALL("spline(c, time, 1, 2)"), "34:11: error: `spline` takes 2 to 3 arguments, not 4\n"},
        {NULL, CALL("spline(c time)"), "34:20: error: `)` or an operator missing before `time`\n"},
        {NULL, CALL("spline(c, )"), "34:21: error: a number, a name or `(` is missing before `)`\n"},
        {NULL, CALL("spline(c, tme)"), "34:21: error: unknown name `tme`: did you mean `time`?\n"},
        {NULL, CALL("spline"), "34:11: error: function `spline` without its arguments in parentheses\n"},
        {NULL, CALL("splin(c, time)"), "34:11: error: unknown function `splin`: did you mean `spline`?\n"},
        {NULL, CALL("2*c"), "34:13: error: `c` is a signal: write spline(c, x)\n"},
        {NULL, CALL("c(time)"), "34:11: error: `c` is a signal: write spline(c, x)\n"},
        {NULL, CALL("spline(c, -1)"), ""},
        {NULL, SIGNAL DATA "outside = \"error\"\n" FORCE("spline(c, -1)"),
         "35:10: error: `value` of `f`: `spline(c, -1)`: signal `c`: its data reach from 0 to 4\n"},
        {NULL, CALL("spline(c, 1, 3)"),
         "34:11: error: signal `c`: an argument is not allowed, see tenon describe "
         "spline\n"},
    };
    CHECK_CHANGES(changes);
}

static void parameters_may_use_signals_and_signals_parameters(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SIGNAL DATA FORCE("p") "[parameters]\np = \"spline(c, 1.5)\"\n", ""},
        {NULL, SIGNAL DATA FORCE("spline(c, c)") "[parameters]\nc = 2\n", ""},
        {NULL, SIGNAL "x = [0, 1, \"p\"]\ny = [0, 1, 2]\n[parameters]\np = \"1 + 1\"\n", ""},
        /* which of two comes first is the order of the file; none can need itself */
        {NULL, SIGNAL "x = [0, 1, \"p\"]\ny = [0, 1, 2]\n[parameters]\np = \"spline(c, 1)\"\n",
         "31:13: error: there is no signal `c` in front of this one, which needs it\n"},
        {NULL,
         "[[repeat]]\ncount = 2\n[[repeat.signal]]\nname = \"c{i}\"\nx = [0, 1, 2]\n"
         "y = [0, \"spline(c{i}, 1)\", \"c1\"]\n",
         "31:9: error: signal `c0` needs itself (with i = 0, and in other copies)\n"
         "31:29: error: unknown name `c1` (with i = 0, and in other copies)\n"},
        {NULL, SIGNAL DATA "outside = \"error\"\n[parameters]\np = \"spline(c, 5)\"\n",
         "32:5: error: `p`: `spline(c, 5)`: signal `c`: its data reach from 0 to 4\n"},
    };
    CHECK_CHANGES(changes);
}

#define MODEL(rest)                                                                     \
    {                                                                                   \
        "model.toml", SIGNAL rest "[solver]\ntype = \"rk\"\nend_time = 1\nstep = 0.1\n" \
    }

static void functions_that_choose_the_method_are_checked(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, CALL("CUBSPL(time, 0, c) + AkiSpl(time, 0, c, 1) + linspl(time, 0, c, 2) + cubspl(2, 0, c)"),
         ""},
        {NULL, SIGNAL "id = \"40 + 2\"\n" DATA FORCE("cubspl(time, 0, 42) + spline(42, time)"), ""},
        {NULL, SIGNAL "id = 42\n" DATA FORCE("cubspl(time, 0, 43)"),
         "35:27: error: there is no signal `43`\n"},
        {NULL, SIGNAL "id = 1.5\n" DATA, "28:6: error: `id`: an integer is expected, not 1.5\n"},
        {NULL, SIGNAL "id = 1\n" DATA "[[signal]]\nname = \"d\"\nid = 1\n" DATA,
         "33:1: error: another signal has the id 1\n"},
        {NULL, CALL("cubspl(time, 0, d)"), "34:27: error: there is no signal `d`\n"},
        {NULL, CALL("cubspl(time, 0)"),
         "34:11: error: `cubspl` needs the name of its data as third argument: cubspl(x, 0, name)\n"},
        {NULL, CALL("cubspl(time, 0, 2*k)"), "34:27: error: there is no signal `2`\n"},
        {NULL, CALL("cubspl(time, 0, -c)"),
         "34:27: error: the third argument of `cubspl` is the name of its data, without quotes: cubspl(x, 0, "
         "name)\n"},
        {NULL, CALL("cubspl(time, 0, c, 1, 2)"), "34:11: error: `cubspl` takes 3 to 4 arguments, not 5\n"},
        {NULL, CALL("cubspl(time, 1, c)"),
         "34:11: error: signal `c`: an argument is not allowed, see tenon describe cubspl\n"},
        {NULL, CALL("cubspl(time, 0, c, 3)"),
         "34:11: error: signal `c`: an argument is not allowed, see tenon describe cubspl\n"},
        {NULL, FORCE("linspl(time, 0, c)"), "30:27: error: there is no signal `c`\n"},
        /* what does not suit the data is said once */
        {NULL, CALL("quispl(time, 0, c) + QUISPL(2*time, 0, c)"),
         "28:5: error: c: interpolation = \"quintic\" needs 6 points, but there are 5\n"},
    };
    CHECK_CHANGES(changes);
}

static void errors_in_a_file_of_data_name_its_line(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{MODEL("file = \"data/a.csv\"\n"), {"data/a.csv", "t,x\n0,1\n1,2\n2,4\n"}}, ""},
        {{MODEL("file = \"a.csv\"\ncolumns = [2, \"1 - 1\"]\n"), {"a.csv", "0 a 1\n1 b 2\n2 c 4\n"}}, ""},
        {{MODEL("file = \"a.csv\"\n"), {"a.csv", "t,x\n0,1\n1,two\n"}},
         "model.toml:3:8: error: a.csv:3:3: `two` in column 1 is not a number\n"},
        {{MODEL("file = \"a.csv\"\ncolumns = [0, 2]\n"), {"a.csv", "t,x\n0,1\n1,2\n"}},
         "model.toml:3:8: error: a.csv:2:4: there is no column 2: the line has 2, counted from 0\n"},
        {{MODEL("file = \"a.csv\"\n"), {"a.csv", "0,1\n2,2\n1,3\n"}},
         "model.toml:3:8: error: c: x must increase strictly, but x[1] = 2 is followed by x[2] = 1 (counted "
         "from 0)\n"},
        {{MODEL("file = \"a.csv\"\n")},
         "model.toml:3:8: error: `a.csv`: cannot read: No such file or directory\n"},
        {{MODEL("file = \"a.csv\"\nx = [0, 1]\n"), {"a.csv", "0,1\n1,2\n2,3\n"}},
         "model.toml:4:1: error: `x` comes from `file` already\n"},
        {{MODEL("file = \"a.csv\"\ncolumns = [0]\n"), {"a.csv", "0,1\n1,2\n2,3\n"}},
         "model.toml:4:11: error: `columns` has 2 numbers: one each for the lists of `spline`\n"},
        {{MODEL("file = \"a.csv\"\ncolumns = [0, -1]\n"), {"a.csv", "0,1\n1,2\n2,3\n"}},
         "model.toml:4:15: error: columns are counted from 0\n"},
        {{MODEL("file = \"a.csv\"\ncolumns = 1\n"), {"a.csv", "0,1\n1,2\n2,3\n"}},
         "model.toml:4:11: error: `columns` is an array of numbers of columns, counted from 0\n"},
        {{MODEL("file = 3\n")}, "model.toml:3:8: error: `file` is a path\n"},
        /* relative to the file that names it */
        {{{"model.toml", "[[part]]\nname = \"a\"\nfile = \"sub/p.toml\"\n"
                         "[solver]\ntype = \"rk\"\nend_time = 1\nstep = 0.1\n"},
          {"sub/p.toml", SIGNAL "file = \"a.csv\"\n"},
          {"sub/a.csv", "0,1\n1,x\n"}},
         "sub/p.toml:3:8: error: sub/a.csv:2:3: `x` in column 1 is not a number (in part `a`, "
         "model.toml:1:1)\n"},
    };
    CHECK_SCENES(scenes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_of_points_is_checked),
        cmocka_unit_test(what_needs_a_wrong_signal_is_not_blamed),
        cmocka_unit_test(units_stand_at_numbers_or_at_all_of_them),
        cmocka_unit_test(calls_are_checked),
        cmocka_unit_test(parameters_may_use_signals_and_signals_parameters),
        cmocka_unit_test(functions_that_choose_the_method_are_checked),
        cmocka_unit_test(errors_in_a_file_of_data_name_its_line),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

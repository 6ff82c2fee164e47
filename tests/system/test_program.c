/* test_program.c - the command line of `tenon`: help, mistakes, overrides, exit status */
#include "harness.h"

#include <sys/stat.h>

static const char model[] =
    "[parameters]\nk = 100\n"
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n"
    "stiffness = 'k'\nreference_length = 1\n"
    "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
    "[solver]\ntype = 'rk'\nend_time = 0.1\nstep = 0.01\n";

static void check_refused(const char *const *command, const char *const *words)
{
    const tn_outcome outcome = tn_tenon(command);
    assert_int_equal(outcome.status, 2);
    assert_string_equal(outcome.output, "");
    tn_check_holds(outcome.errors, words);
}

static void test_version(void **state)
{
    (void)state;
    const tn_outcome outcome = tn_tenon(TN_WORDS("--version"));
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.output, "tenon " TENON_VERSION "\n");
    assert_string_equal(outcome.errors, "");
}

static void test_help(void **state)
{
    (void)state;
    static const char *const commands[] = {"run",    "check",   "plugins", "describe",
                                           "schema", "compare", "build"};
    const tn_outcome all = tn_tenon(TN_WORDS("--help"));
    assert_int_equal(all.status, 0);
    assert_string_equal(all.errors, "");
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        tn_check_holds(all.output, TN_WORDS(tn_format("tenon %s", commands[k])));
        const tn_outcome one = tn_tenon(TN_WORDS(commands[k], "--help"));
        assert_int_equal(one.status, 0);
        assert_string_equal(one.errors, "");
        tn_check_holds(one.output, TN_WORDS(tn_format("usage: tenon %s", commands[k]), "--help"));
    }
}

static void test_unknown_words(void **state)
{
    (void)state;
    const char *file = tn_write("model.toml", model);
    check_refused(TN_WORDS("rnu", file), TN_WORDS("unknown command `rnu`", "did you mean `run`"));
    check_refused(TN_WORDS("chekc", file), TN_WORDS("unknown command `chekc`", "did you mean `check`"));
    check_refused(TN_WORDS("run", file, "--quite"), TN_WORDS("--quite", "did you mean \"--quiet\""));
    check_refused(TN_WORDS("check", file, "--sett", "a=1"), TN_WORDS("--sett", "did you mean \"--set\""));
    check_refused(TN_WORDS("run", file, file), TN_WORDS("unexpected word"));
    check_refused(TN_WORDS("run"), TN_WORDS("MODEL is needed"));
    check_refused(TN_WORDS("run", file, "--set"), TN_WORDS("--set needs a value"));
    check_refused(TN_WORDS("run", file, "--plugin-path", "nowhere"),
                  TN_WORDS("nowhere", "no such directory"));
    check_refused(TN_WORDS("run", file, "--solver", "rkk"), TN_WORDS("`rkk`", "did you mean `rk`"));
    check_refused(TN_WORDS("run", "no_such_model.toml"), TN_WORDS("no_such_model.toml", "No such file"));
    check_refused(TN_WORDS("check", "no_such_model.toml"), TN_WORDS("no_such_model.toml", "No such file"));
    const tn_outcome nothing = tn_tenon((const char *const[]){NULL});
    assert_int_equal(nothing.status, 2);
}

static void test_descriptions(void **state)
{
    (void)state;
    const tn_outcome text = tn_tenon(TN_WORDS("describe", "mass_point"));
    assert_int_equal(text.status, 0);
    tn_check_holds(text.output, TN_WORDS("element \"mass_point\"", "mass: real [kg], required, > 0"));
    const tn_outcome page = tn_tenon(TN_WORDS("describe", "mass_point", "--markdown"));
    assert_int_equal(page.status, 0);
    tn_check_holds(page.output, TN_WORDS("| `mass` | kg | required |"));
    const tn_outcome all = tn_tenon(TN_WORDS("describe", "--json"));
    assert_int_equal(all.status, 0);
    tn_check_holds(all.output, TN_WORDS("\"name\": \"mass_point\"", "\"name\": \"rk\""));
    check_refused(TN_WORDS("describe"), TN_WORDS("NAME is needed"));
    check_refused(TN_WORDS("describe", "--markdown"), TN_WORDS("NAME is needed"));
    check_refused(TN_WORDS("describe", "rk", "--markdown", "--json"), TN_WORDS("--markdown and --json"));
    check_refused(TN_WORDS("describe", "mass_pint", "--json"), TN_WORDS("did you mean \"mass_point\""));
    check_refused(TN_WORDS("schema", "rk"), TN_WORDS("unexpected word"));
    check_refused(TN_WORDS("schema", "--plugin-path", "nowhere"), TN_WORDS("tenon schema: nowhere"));
}

/* One without a type of its name. */
static void test_descriptions_of_a_library(void **state)
{
    (void)state;
    tn_check_holds(tn_tenon(TN_WORDS("describe", "psi")).output,
                   TN_WORDS("delivers: coordinate\nunit: rad\nvalue: an angle, which counts turns\n"));
    tn_check_holds(tn_tenon(TN_WORDS("describe", "vx")).output,
                   TN_WORDS("unit: m/s\nvalue: a velocity, without a coordinate\n"));
    tn_check_holds(tn_tenon(TN_WORDS("describe", "kinematics")).output,
                   TN_WORDS("marker \"dx\": ", "marker \"wm\": "));
    tn_check_holds(tn_tenon(TN_WORDS("describe", "kinematics", "--json")).output,
                   TN_WORDS("\"name\": \"dx\"", "\"name\": \"wm\""));
    tn_check_holds(tn_tenon(TN_WORDS("describe", "kinematics", "--markdown")).output,
                   TN_WORDS("\n| marker | unit | ports | meaning | formula |\n",
                            "\n| `dx` | m | `i` `j` `k` | ", "\n| `wm` | rad/s | `i` `j` | ",
                            "| `dc/dt = \\|wI - wJ\\|` |\n"));
}

static void test_wrong_overrides(void **state)
{
    (void)state;
    const char *file = tn_write("model.toml", model);
    const struct {
        const char *set, *word;
    } wrong[] = {{"parameters.k", "path=value"},
                 {"parameters.k=abc", "unknown name `abc`"},
                 {"element.sprin.stiffness=3", "did you mean \"spring\""},
                 {"element.spring.stifness=3", "did you mean `stiffness`"},
                 {"element.spring.stiffness=-3", "stiffness"},
                 {"solver.type=rkk", "did you mean `rk`"},
                 {"solver.stepp=1", "did you mean `step`"},
                 {"solver.step=0", "step"},
                 {"solver.end_time=-1", "before `start_time`"},
                 {"=3", "path"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        check_refused(TN_WORDS("run", file, "--set", wrong[k].set), TN_WORDS(wrong[k].word, "--set"));
    /* all at once, one line each */
    const tn_outcome both = tn_tenon(TN_WORDS("run", file, "--set", "solver.stepp=1", "--set",
                                              "element.spring.stifness=3", "--out", "never"));
    assert_int_equal(both.status, 2);
    tn_check_holds(both.errors, TN_WORDS("`stepp`", "`stifness`"));
}

static void test_overrides(void **state)
{
    (void)state;
    const tn_csv_table *soft = tn_simulate(model, TN_WORDS("--set", "parameters.k=25"));
    const tn_csv_table *same = tn_simulate(model, TN_WORDS("--set=element.spring.stiffness=25 [N/m]"));
    const tn_csv_table *hard = tn_simulate(model, NULL);
    assert_true(tn_value_at(soft, "x.x", 0.1) == tn_value_at(same, "x.x", 0.1));
    assert_true(tn_value_at(soft, "x.x", 0.1) > tn_value_at(hard, "x.x", 0.1));
    /* the last word counts; missing tables and keys are made */
    const tn_csv_table *last =
        tn_simulate(model, TN_WORDS("--set", "parameters.k=3", "--set", "parameters.k=25", "--set",
                                    "output.interval=0.05"));
    assert_int_equal(last->rows, 3);
    assert_true(tn_value_at(soft, "x.x", 0.1) == tn_value_at(last, "x.x", 0.1));
}

static void test_quiet(void **state)
{
    (void)state;
    const char *file = tn_write("model.toml", model);
    const tn_outcome quiet = tn_tenon(TN_WORDS("run", file, "--quiet"));
    assert_int_equal(quiet.status, 0);
    assert_string_equal(quiet.output, "");
    assert_string_equal(quiet.errors, "");
    /* without a directory of its own it went below the working directory */
    assert_int_equal(tn_sensors(tn_scratch_path("results/model"))->rows, 11);

    const tn_outcome loud = tn_tenon(TN_WORDS("run", file, "--out", "loud"));
    assert_int_equal(loud.status, 0);
    assert_string_equal(loud.errors, ""); /* progress is for terminals */
    tn_check_holds(loud.output, TN_WORDS("rk", "finished at 0.1 s", "loud"));
}

static void test_check(void **state)
{
    (void)state;
    const char *file = tn_write("model.toml", model);
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", file));
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.errors, "");
    const char *first = "degrees of freedom: 3\nredundant constraints: 0\n";
    assert_int_equal(strncmp(outcome.output, first, strlen(first)), 0);
    check_refused(TN_WORDS("check", file, "--set", "element.mass.mass=-1"), TN_WORDS("mass"));
}

/* What an element says about its own markers is told for all elements at once. */
static void test_refused_layouts(void **state)
{
    (void)state;
    const char *file = tn_write("local.toml", "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                                              "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = 'm'\n"
                                              "value = [1, 0, 0]\nlocal = true\n"
                                              "[[element]]\nname = 'g'\ntype = 'force'\nmarkers = 'm'\n"
                                              "value = [1, 0, 0]\nlocal = true\n");
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", file));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("local.toml:10:9: error: f: its first marker is a point",
                                            "local.toml:16:9: error: g: its first marker is a point"));
}

/* The types of a plugin that cannot be loaded are missing in the schema: it is named, and the rest is there. */
static void test_schema_without_a_plugin(void **state)
{
    (void)state;
    assert_int_equal(mkdir(tn_scratch_path("broken"), 0700), 0);
    const char *broken = tn_write("broken/broken.so", "no library");
    const tn_outcome outcome = tn_tenon(TN_WORDS("schema", "--plugin-path", tn_scratch_path("broken")));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS(tn_format("error: %s is omitted from the schema: ", broken)));
    const tn_outcome whole = tn_tenon(TN_WORDS("schema"));
    assert_int_equal(whole.status, 0);
    assert_string_equal(whole.errors, "");
    assert_string_equal(outcome.output, whole.output);
}

/* A parameter that the model uses may come from the command line alone; a misspelt one is found. */
static void test_parameters_of_the_command_line(void **state)
{
    (void)state;
    const char *file = tn_write("override.toml", "[parameters]\nmass = 1\n"
                                                 "[[element]]\nname = \"m\"\ntype = \"mass_point\"\n"
                                                 "mass = \"mass * factor\"\n"
                                                 "[solver]\ntype = \"rk\"\nstep = 0.1\nend_time = 1\n");
    tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--quiet", "--set", "parameters.factor=2"));
    assert_int_equal(outcome.status, 0);
    outcome = tn_tenon(TN_WORDS("run", file, "--set", "parameters.factor=2", "--set", "parameters.mas=3"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("--set parameters.mas:1:1", "no expression uses", "`mass`"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_version),
                                       cmocka_unit_test(test_help),
                                       cmocka_unit_test(test_unknown_words),
                                       cmocka_unit_test(test_descriptions),
                                       cmocka_unit_test(test_descriptions_of_a_library),
                                       cmocka_unit_test(test_wrong_overrides),
                                       cmocka_unit_test(test_overrides),
                                       cmocka_unit_test(test_quiet),
                                       cmocka_unit_test(test_check),
                                       cmocka_unit_test(test_refused_layouts),
                                       cmocka_unit_test(test_parameters_of_the_command_line),
                                       cmocka_unit_test(test_schema_without_a_plugin)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_scripts.c - functions of scripts in place of expressions: the same motion, messages with their places, what is refused */
#include "harness.h"

#include <math.h>

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    (void)tn_write("law.py", "import math\n"
                             "def spring(stretch, rate, k, c, *rest):\n"
                             "    return k*stretch + c*rate + 5*math.sin(stretch)\n"
                             "def few(stretch, rate): return 0\n"
                             "def wall(stretch, rate, *rest):\n"
                             "    return 100*stretch if stretch > -0.02 else missing\n"
                             "def slow(stretch, rate, *rest):\n"
                             "    while stretch < -0.02: pass\n"
                             "    return 100*stretch\n"
                             "def root(stretch, rate, *rest):\n"
                             "    return 100*math.sqrt(stretch + 0.02)\n"
                             "def told(stretch, rate, *rest):\n"
                             "    print('stretch', stretch)\n"
                             "    return 100*stretch\n"
                             "calls = 0\n"
                             "def counter(stretch, rate, *rest):\n"
                             "    global calls\n"
                             "    calls += 1\n"
                             "    return calls\n"
                             "def late_counter(stretch, rate, *rest):\n"
                             "    global calls\n"
                             "    calls += abs(stretch - 0.05) < 1e-9\n"
                             "    return calls\n");
    (void)tn_write(
        "law.lua",
        "function spring(stretch, rate, k, c) return k*stretch + c*rate + 5*math.sin(stretch) end\n"
        "function exact(stretch, rate, k, c)\n"
        "  return k*stretch + c*rate + 5*math.sin(stretch), {k + 5*math.cos(stretch), c, stretch, rate, 0, "
        "0}\n"
        "end\n"
        "function wall(stretch, rate)\n"
        "  return stretch > -0.02 and 100*stretch or missing.value\n"
        "end\n");
    return 0;
}

#define MODEL                                                                              \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.05, 0, 0]\n" \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n" \
    "reference_length = 1\nstiffness = 100\ndamping = 2\n"                                 \
    "force_function = %s\n"                                                                \
    "[[sensor]]\nname = 'x'\nexpression = 'DX(mass)'\n"                                    \
    "[solver]\ntype = '%s'\nend_time = 1\nstep = 0.01\n"

static const char *model_of(const char *law, const char *solver) { return tn_format(MODEL, law, solver); }

/* ---- the same motion --------------------------------------------------------------------------------------- */

#define SPRING(words) "{ " words " }"

/* Each kind of derivatives; those by differences may change the last digits of implicit solvers. */
static void a_force_is_the_same_in_all_languages(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double tolerance;
    } laws[] = {{SPRING("script = 'law.lua', function = 'exact'"), 1e-12},
                {SPRING("script = 'law.lua', function = 'spring'"), 1e-9},
                {SPRING("script = 'law.py', function = 'spring', dual = true"), 1e-12},
                {SPRING("script = 'law.py', function = 'spring'"), 1e-9}};
    static const char *const solvers[] = {"generalized_alpha", "rk", "radau"};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        const tn_csv_table *expected =
            tn_simulate(model_of("'100*deltaL + 2*deltaL_t + 5*sin(deltaL)'", solvers[k]), NULL);
        for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
            const tn_csv_table *table = tn_simulate(model_of(laws[i].law, solvers[k]), TN_WORDS("--trust"));
            const double difference = tn_largest_difference(table, expected, "x");
            if (!(difference <= laws[i].tolerance))
                fail_msg("%s, %s: %g", solvers[k], laws[i].law, difference);
        }
    }
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    const char *const model = TENON_SOURCE_DIR "/configs/benchmarks/script_forces.toml";
    for (int law = 2; law < 4; law++) {
        const char *results[2] = {tn_scratch_path(NULL), tn_scratch_path(NULL)};
        for (int k = 0; k < 2; k++) {
            const tn_outcome run =
                tn_tenon(TN_WORDS("run", model, "--trust", "--set", tn_format("parameters.law=%d", law),
                                  "--set", "parameters.n=2000", "--set", "solver.end_time=2e-3", "--set",
                                  "output.interval=1e-3", "--threads", k ? "2" : "1", "--out", results[k]));
            if (run.status != 0) fail_msg("exit %d: %s", run.status, run.errors);
        }
        assert_string_equal(tn_read(tn_format("%s/sensors.csv", results[0])),
                            tn_read(tn_format("%s/sensors.csv", results[1])));
    }
}

#define MANY                                                                                                 \
    "[[signal]]\nname = 'law'\ntype = 'lua'\nscript = 'many.lua'\nfunction = '%s'\narguments = 2\n"          \
    "[[repeat]]\ncount = 1500\n[[repeat.element]]\nname = 'm{i}'\ntype = 'mass_point'\nmass = 1\n"           \
    "position = ['1 + 1e-4*i', 0, 0]\n[[repeat.element]]\nname = 's{i}'\ntype = 'spring_damper'\n"           \
    "markers = ['ground', 'm{i}']\nreference_length = 1\nstiffness = 1\nforce_function = 'lua(law, deltaL, " \
    "time)'\n"                                                                                               \
    "[solver]\ntype = 'rk'\nend_time = 0.1\nstep = 0.01\n"

/* What scripts write, and which error ends the run, does not depend on who was first. */
static void messages_of_threads_come_in_order(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        int status;
        const char *words;
    } cases[] = {{"tells", 0, "time 0.04: "}, {"fails", 1, "many.lua:6: too far: "}};
    (void)tn_write("many.lua",
                   "function tells(x, t)\n"
                   "  if t > 0.039 and t < 0.041 and x > 0.1375 then errmes(1, 'time 0.04: ' .. x) end\n"
                   "  return 100*x\n"
                   "end\n"
                   "function fails(x, t)\n"
                   "  if t > 0.03 and t < 0.2 and x > 0.05 then error('too far: ' .. t) end\n"
                   "  return 100*x\n"
                   "end\n");
    for (int k = 0; k < 2; k++) {
        const char *model = tn_write("many.toml", tn_format(MANY, cases[k].function)), *errors[2];
        for (int threads = 1; threads < 3; threads++) {
            const tn_outcome run = tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--out", "many",
                                                     "--threads", tn_format("%d", threads)));
            if (run.status != cases[k].status) fail_msg("exit %d: %s", run.status, run.errors);
            tn_check_holds(run.errors, TN_WORDS(cases[k].words));
            errors[threads - 1] = run.errors;
        }
        assert_string_equal(errors[0], errors[1]);
    }
}

/* ---- messages ---------------------------------------------------------------------------------------------- */

/* Fails unless the model ends with this status, and its messages hold the words. */
static void check_run(const char *law, int status, const char *const *words)
{
    const char *model = tn_write("wrong.toml", model_of(law, "rk"));
    const tn_outcome run =
        tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--out", tn_scratch_path(NULL)));
    if (run.status != status) fail_msg("%s: exit %d: %s", law, run.status, run.errors);
    tn_check_holds(run.errors, words);
}

static void a_run_that_a_script_ends_names_its_line(void **state)
{
    (void)state;
    check_run("{ script = 'law.py', function = 'wall' }", 1,
              TN_WORDS("the simulation failed at time 0.",
                       "law.py:6: in wall: NameError: name 'missing' is not defined", "spring"));
    check_run("{ script = 'law.lua', function = 'wall' }", 1,
              TN_WORDS("law.lua:6: attempt to index a nil value (global 'missing')", "spring"));
    check_run("{ script = 'law.py', function = 'slow', limit = 0.2 }", 1,
              TN_WORDS("law.py:8: in slow: it has not ended within its limit of time"));
    check_run("{ script = 'law.py', function = 'late_counter' }", 1,
              TN_WORDS("it keeps something from call to call, such as a global or static variable"));
}

/* A step may be too long for a root: the solver gets no value, and the first message has the reason. */
static void numbers_without_a_value_are_not_the_end(void **state)
{
    (void)state;
    check_run("{ script = 'law.py', function = 'root' }", 1,
              TN_WORDS("law.py:11: in root: ValueError: math domain error", "has no finite value here"));
}

static void what_a_script_prints_is_in_the_log(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    const char *model = tn_write("told.toml", model_of("{ script = 'law.py', function = 'told' }", "rk"));
    const tn_outcome run = tn_tenon(TN_WORDS("run", model, "--trust", "--out", results));
    assert_int_equal(run.status, 0);
    tn_check_holds(run.errors, TN_WORDS("note: ", "`told` of ", ": stretch 0.05"));
}

static void wrong_scripts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *law, *words;
    } wrong[] = {
        {"{ script = 'lew.py', function = 'spring' }", "lew.py` cannot be read: No such file or directory"},
        {"{ script = 'law.py', function = 'sprang' }", "has no function `sprang`: did you mean `spring`?"},
        {"{ script = 'law.py' }", "law.py` has no function `VARSUB`"},
        {"{ script = 'law.py', function = 'calls' }", "`calls` of "},
        {"{ script = 'law.py', function = 'few' }", "few() takes 2 positional arguments but 6 were given"},
        {"{ script = 'law.py', function = 'counter' }", "it keeps something from call to call"},
        {"{ script = 'broken.py', function = 'f' }", "broken.py:2: SyntaxError: "},
        {"{ script = 'raises.py', function = 'f' }", "raises.py:1: ZeroDivisionError: division by zero"},
        {"{ script = 'imports.py', function = 'f' }",
         "imports.py:1: ModuleNotFoundError: No module named 'nowhere'"},
        {"{ script = 'law.lua', function = 'sprong' }",
         "has no global function `sprong`: did you mean `spring`?"},
    };
    (void)tn_write("broken.py", "def f(x, v):\n    return x +\n");
    (void)tn_write("raises.py", "1/0\n");
    (void)tn_write("imports.py", "import nowhere\n");
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        check_run(wrong[k].law, 2, TN_WORDS("wrong.toml:", wrong[k].words));
}

static void scripts_need_trust(void **state)
{
    (void)state;
    static const char *const files[] = {"law.py", "law.lua"};
    for (int k = 0; k < 2; k++) {
        const char *law = tn_format("{ script = '%s', function = 'spring', parameters = '1, 2' }", files[k]);
        const tn_outcome run = tn_tenon(TN_WORDS("check", tn_write("untrusted.toml", model_of(law, "rk"))));
        assert_int_equal(run.status, 2);
        tn_check_holds(run.errors,
                       TN_WORDS("untrusted.toml:13:", "is not in a trusted directory", "--trust"));
    }
}

int main(void)
{
    tn_need_plugin("python");
    tn_need_plugin("lua");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_is_the_same_in_all_languages),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(messages_of_threads_come_in_order),
        cmocka_unit_test(a_run_that_a_script_ends_names_its_line),
        cmocka_unit_test(numbers_without_a_value_are_not_the_end),
        cmocka_unit_test(what_a_script_prints_is_in_the_log),
        cmocka_unit_test(wrong_scripts_are_refused),
        cmocka_unit_test(scripts_need_trust),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

/* test_user_faults.c - routines and scripts that do what they must not: each ends with its reason, its place, and the exit status */
#include "harness.h"

/* ---- what users have written ------------------------------------------------------------------------------- */

/* Functions of DX(mass) and the time, which go wrong behind 0.5 s; `late` ones are right again for numbers that nobody has. */
static const char python_text[] = "def nan(x, t): return 0.0 if t < 0.5 else float('nan')\n"
                                  "def infinite(x, t): return 0.0 if t < 0.5 else float('inf')\n"
                                  "def raises(x, t):\n"
                                  "    if 0.5 < t < 0.7: raise KeyError('lost')\n"
                                  "    return 0.0\n"
                                  "def late_loop(x, t):\n"
                                  "    while 0.5 < t < 0.7: pass\n"
                                  "    return 0.0\n"
                                  "def text(x, t): return 0.0 if t < 0.5 else 'three'\n"
                                  "def none(x, t): return 0.0 if t < 0.5 else None\n"
                                  "def listed(x, t): return 0.0 if t < 0.5 else [1.0, 2.0, 3.0]\n"
                                  "def number_list(x, t): return [1.0]\n"
                                  "def slopes(x, t): return 0.0, [1.0, 2.0, 3.0]\n"
                                  "def pair(x, t): return 0.0, 'ab'\n"
                                  "def complex(x, t): return 1j\n"
                                  "def deep(x, t): return 0.0 if t < 0.5 else 1.0 + deep(x, t)\n"
                                  "def ends(x, t):\n"
                                  "    if 0.5 < t < 0.7: import sys; sys.exit(0)\n"
                                  "    return 0.0\n"
                                  "def divides(x, t): return 0.0 if t < 0.5 else 1/0\n"
                                  "def prints(x, t):\n"
                                  "    for k in range(30): print('number', k, t)\n"
                                  "    return 0.0\n"
                                  "def sleeps(x, t):\n"
                                  "    import time\n"
                                  "    if 0.5 < t < 0.7: time.sleep(1000)\n"
                                  "    return 0.0\n"
                                  "def slow(x, t):\n"
                                  "    import time\n"
                                  "    if 0.0 < t < 0.7: time.sleep(0.1)\n"
                                  "    return 0.0\n"
                                  "def fine(x, t): return 0.5*x\n";

static const char lua_text[] =
    "function nan(x, t) return t < 0.5 and 0.0 or 0/0 end\n"
    "function infinite(x, t) return t < 0.5 and 0.0 or 1/0 end\n"
    "function raises(x, t) if t > 0.5 and t < 0.7 then error('lost') end return 0.0 end\n"
    "function late_loop(x, t) while t > 0.5 and t < 0.7 do end return 0.0 end\n"
    "function text(x, t) return t < 0.5 and 0.0 or '3.5' end\n"
    "function none(x, t) if t < 0.5 then return 0.0 end end\n"
    "function listed(x, t) return t < 0.5 and 0.0 or {1, 2, 3} end\n"
    "function slopes(x, t) return 0.0, 1.0, 2.0, 3.0 end\n"
    "function deep(x, t) if t < 0.5 then return 0.0 end return 1 + deep(x, t) end\n"
    "function ends(x, t) if t > 0.9 then os.exit(0) end return 0.0 end\n"
    "function fine(x, t) return 0.5*x end\n";

static const char c_text[] =
    "#include <math.h>\n#include <stdlib.h>\n#include <poll.h>\n#include <unistd.h>\n"
    "#define R(name) void name(int *id, double *time, double *par, int *npar, int *dflag, int *iflag, double "
    "*value)\n"
    "R(nan_) { *value = *time < 0.5 ? 0.0 : NAN; }\n"
    "R(infinite) { *value = *time < 0.5 ? 0.0 : HUGE_VAL; }\n"
    "R(segv) { *value = 0.0; if (*time > 0.5) *(volatile int *)0 = 1; }\n"
    "R(ends) { *value = 0.0; if (*time > 0.5) exit(0); }\n"
    "R(aborts) { *value = 0.0; if (*time > 0.5) abort(); }\n"
    "R(late_loop) { *value = 0.0; if (*time > 0.5) " TN_ENDLESS_LOOP " }\n"
    "static double deepen(volatile char *p, int n)\n"
    "{ volatile char a[4096]; a[0] = p ? p[0] : 1; return n ? deepen(a, n + 1) + a[1] : 0; }\n"
    "R(deep) { *value = 0.0; if (*time > 0.5) *value = deepen(0, 1); }\n"
    "R(counts) { static double calls; *value = calls++; }\n";

static bool compile(const char *source, const char *name)
{
    const char *command = tn_format("cc -shared -fPIC -O1 %s -o %s", source, tn_scratch_path(name));
    const tn_outcome made = tn_await(tn_start("/bin/sh", TN_WORDS("-c", command)));
    if (made.status) print_error("%s", made.errors);
    return made.status == 0;
}

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    (void)tn_write("bad.py", python_text);
    (void)tn_write("bad.lua", lua_text);
    return !compile(tn_write("bad.c", c_text), "bad.so");
}

/* ---- models ------------------------------------------------------------------------------------------------ */

#define READS ", reads = ['DX(mass)', 'time'] }"
#define PYTHON(function) "{ script = 'bad.py', function = '" function "'" READS
#define LUA(function) "{ script = 'bad.lua', function = '" function "'" READS
#define ROUTINE(function) "{ library = 'bad.so', function = '" function "' }"
#define MODEL                                                                                             \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.05, 0, 0]\n"                \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n"                \
    "reference_length = 1\nstiffness = 100\ndamping = 2\nforce = %s\n[[sensor]]\nname = 'x'\nexpression " \
    "= 'DX(mass)'\n[solver]\nend_time = 1\n%s\n"
#define RK "type = 'rk'\nstep = 0.01"

static tn_outcome run_with(const char *value, const char *solver, const char *option, const char *more)
{
    const char *model = tn_write("bad.toml", tn_format(MODEL, value, solver));
    return tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--out", "results", option, more));
}

/* Fails unless the run ends so, and its messages hold these words. */
static void check_run(const char *value, const char *solver, int status, const char *const *words)
{
    const tn_outcome run = run_with(value, solver, NULL, NULL);
    if (run.status != status) fail_msg("%s, %s: exit %d: %s", value, solver, run.status, run.errors);
    tn_check_holds(run.errors, words);
}

/* ---- during the run ---------------------------------------------------------------------------------------- */

static const char *const solvers[] = {RK,
                                      "type = 'rk'\ntolerance = 1e-6",
                                      "type = 'generalized_alpha'\nstep = 0.01",
                                      "type = 'generalized_alpha'\ntolerance = 1e-5",
                                      "type = 'radau'\ntolerance = 1e-6",
                                      "type = 'ida'\ntolerance = 1e-6",
                                      "type = 'gsl_ode'\ntolerance = 1e-6",
                                      "type = 'moreau'\nstep = 0.01"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static bool has_solver(const char *keys) { return !strstr(keys, "ida") || tn_has_plugin("ida"); }

/* No number, under every solver: who, where and when, and never a result. */
static void a_value_that_is_no_number_ends_every_solver(void **state)
{
    (void)state;
    static const char *const values[] = {PYTHON("nan"), LUA("infinite"), ROUTINE("nan")};
    for (size_t k = 0; k < SOLVERS; k++)
        for (size_t i = 0; i < 3; i++)
            if (has_solver(solvers[k]))
                check_run(values[i], solvers[k], 1,
                          TN_WORDS("error: the simulation failed at time 0.5", "spring_damper `spring` (",
                                   "bad.toml:13:9): signal `spring.force`: `", "` has no finite value here"));
}

/* An exception is the end at once: no shorter step is tried, and none advised. */
static void an_exception_ends_every_solver_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *value, *words;
    } cases[] = {{PYTHON("raises"), "bad.py:4: in raises: KeyError: 'lost'\n"},
                 {LUA("raises"), "bad.lua:3: lost\n"}};
    for (size_t k = 0; k < SOLVERS; k++)
        for (size_t i = 0; i < 2; i++)
            if (has_solver(solvers[k]))
                check_run(cases[i].value, solvers[k], 1,
                          TN_WORDS("error: the simulation failed at time 0.", "spring_damper `spring` (",
                                   "bad.toml:13:9): `raises` of `", cases[i].words));
}

static void an_endless_loop_ends_by_its_limit(void **state)
{
    (void)state;
    static const char *const values[] = {"{ script = 'bad.py', function = 'late_loop', limit = 0.2" READS,
                                         "{ script = 'bad.lua', function = 'late_loop', limit = 0.2" READS};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k += 2)
            check_run(values[i], solvers[k], 1,
                      TN_WORDS("spring_damper `spring` (", "`late_loop` of `", "it has not ended within",
                               "(`limit`)"));
}

/* What a function returns instead of a number. */
static void results_are_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        int status;
        const char *words;
    } cases[] = {
        {PYTHON("text"), 1, "TypeError: it returns 'three' instead of a number"},
        {PYTHON("none"), 1, "TypeError: it returns None instead of a number"},
        {PYTHON("listed"), 1, "TypeError: it returns [1.0, 2.0, 3.0] instead of a number"},
        {PYTHON("number_list"), 2, "TypeError: it returns [1.0] instead of a number"},
        {PYTHON("slopes"), 2, "it returns 3 derivatives instead of 2"},
        {PYTHON("pair"), 2, "TypeError: must be real number, not str"},
        {PYTHON("complex"), 2, "TypeError: must be real number, not complex"},
        {PYTHON("deep"), 1, "in deep: RecursionError: maximum recursion depth exceeded"},
        {PYTHON("ends"), 1, "bad.py:18: in ends: SystemExit: 0"},
        {LUA("text"), 1, "it returns string instead of a number"},
        {LUA("none"), 1, "it returns nothing instead of a number"},
        {LUA("listed"), 1, "it returns table instead of a number"},
        {LUA("slopes"), 2, "it returns 3 derivatives instead of 2"},
        {LUA("deep"), 1, "stack overflow"},
        {LUA("ends"), 1, "exit(0) was called in value of function lua `spring.force`"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_run(cases[k].value, RK, cases[k].status,
                  TN_WORDS(cases[k].status == 2 ? "bad.toml:13:" : "spring", cases[k].words));
}

/* An arithmetic error of a script may come of a step that is too long: it is told once, and the solver decides. */
static void a_division_by_zero_is_told_once(void **state)
{
    (void)state;
    const tn_outcome run = run_with(PYTHON("divides"), solvers[2], NULL, NULL);
    assert_int_equal(run.status, 1);
    tn_check_holds(run.errors,
                   TN_WORDS("warning: spring.force: `divides` of `", "ZeroDivisionError: division by zero",
                            "` has no finite value here; the step was halved"));
    const char *first = strstr(run.errors, "ZeroDivisionError");
    if (strstr(first + 1, "ZeroDivisionError")) fail_msg("told again: %s", run.errors);
}

/* Of sensors and conditions the same, without a warning in front that the run goes on. */
static void a_sensor_or_a_condition_that_fails_ends_the_run(void **state)
{
    (void)state;
    static const char *const items[] = {"[[sensor]]\nname = 'bad'\nexpression = %s\n",
                                        "[[change]]\ncrosses = %s\nelement = 'spring'\nactive = false\n"};
    static const char *const names[] = {"bad.expression", "change.crosses"};
    for (size_t k = 0; k < 2; k++) {
        const char *solver = tn_format("%s\n%s", RK, tn_format(items[k], PYTHON("raises")));
        const tn_outcome run = run_with("0", solver, NULL, NULL);
        assert_int_equal(run.status, 1);
        tn_check_holds(
            run.errors,
            TN_WORDS(
                tn_format("error: the simulation failed at time 0.51 s: signal `%s`: `raises` of ", names[k]),
                "bad.py:4: in raises: KeyError: 'lost'\n"));
        assert_null(strstr(run.errors, "warning"));
    }
}

static void a_script_that_prints_without_end_is_cut(void **state)
{
    (void)state;
    const tn_outcome run = run_with(PYTHON("prints"), RK, NULL, NULL);
    assert_int_equal(run.status, 0);
    tn_check_holds(run.errors, TN_WORDS("` has written 1000 lines: the rest is left out"));
}

static void routines_that_count_their_calls_are_refused(void **state)
{
    (void)state;
    check_run(ROUTINE("counts"), RK, 2,
              TN_WORDS("bad.toml:13:9: error: spring.force: `counts` of `bad.so`, at 0 s: it returns ",
                       "such as a global or static variable"));
}

/* ---- crashes ----------------------------------------------------------------------------------------------- */

static void routines_that_crash_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{ROUTINE("ends"), "exit(0) was called in"},
                                           {ROUTINE("aborts"), "SIGABRT (abort) in"},
                                           {ROUTINE("segv"), "SIGSEGV (memory access at 0x0) in"},
                                           {ROUTINE("deep"), "SIGSEGV (stack overflow) in"}};
    for (size_t k = 0; k < (TN_SANITIZED ? 2 : 4); k++)
        for (int guarded = 0; guarded < 2; guarded++) {
            const tn_outcome run = run_with(cases[k][0], RK, guarded ? "--guard" : NULL, NULL);
            if (run.status != 1) fail_msg("%s: exit %d: %s", cases[k][0], run.status, run.errors);
            tn_check_holds(run.errors,
                           TN_WORDS("failed at time 0.505 s: ", cases[k][1],
                                    " of function routine `spring.force`", "results so far are in "));
        }
}

/* ---- the limit of a run ------------------------------------------------------------------------------------ */

static void a_limit_ends_functions_that_do_not_return(void **state)
{
    (void)state;
    const char *const values[] = {ROUTINE("late_loop"), PYTHON("sleeps")};
    for (size_t k = 0; k < 2; k++) {
        const tn_outcome run = run_with(values[k], RK, "--limit", "2");
        assert_int_equal(run.status, 1);
        tn_check_holds(run.errors,
                       TN_WORDS("failed at time 0.505 s: the run has not ended after 2 s: it is in value",
                                " `spring.force`", "results so far are in "));
    }
    (void)tn_write("hangs.py", "import time\ntime.sleep(1000)\n");
    const tn_outcome setup = run_with("{ script = 'hangs.py', function = 'f' }", RK, "--limit", "1");
    assert_int_equal(setup.status, 1);
    tn_check_holds(
        setup.errors,
        TN_WORDS(
            "error: the run has not ended after 1 s: it is in prepare of function python `spring.force`"));
}

static void a_limit_ends_slow_runs_between_steps(void **state)
{
    (void)state;
    const tn_outcome run = run_with(PYTHON("slow"), RK, "--limit", "1");
    assert_int_equal(run.status, 124);
    tn_check_holds(run.errors, TN_WORDS("the run was ended after 1 s, as --limit says, at time 0.0"));
    assert_string_equal(tn_run_text(tn_scratch_path("results"), "run.status"), "interrupted");
    assert_int_equal(run_with(PYTHON("fine"), RK, "--limit", "60").status, 0);
    static const char *const wrong[] = {"0", "0.5", "-3", "1e12"};
    for (size_t k = 0; k < 4; k++) {
        const tn_outcome refused = run_with("0", RK, "--limit", wrong[k]);
        assert_int_equal(refused.status, 2);
        tn_check_holds(refused.errors, TN_WORDS("--limit takes whole seconds, from 1 to 100000000, not "));
    }
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static void scripts_of_other_systems_are_read(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        {"mark.py", "\xef\xbb\xbf"
                    "def fine(x, t): return 0.5*x\n"},
        {"lines.py", "def fine(x, t):\r\n    return 0.5*x\r\n"},
        {"mark.lua", "\xef\xbb\xbf"
                     "function fine(x, t) return 0.5*x end\n"},
        {"lines.lua", "function fine(x, t)\r\n  return 0.5*x\r\nend\r\n"},
        {"shell.lua", "#!/usr/bin/lua\nfunction fine(x, t) return 0.5*x end"}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        (void)tn_write(files[k][0], files[k][1]);
        check_run(tn_format("{ script = '%s', function = 'fine'" READS, files[k][0]), RK, 0, TN_WORDS(""));
    }
}

static void wrong_files_are_refused_at_their_key(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text,
            *words; /* the place of the message is that of the file, or of the function */
        bool function;
    } cases[] = {
        {"empty.py", "", "` has no function `fine`", true},
        {"empty.lua", "", "` has no global function `fine`", true},
        {"near.py", "def fime(x, t): return 0\n", "has no function `fine`: did you mean `fime`?", true},
        {"colon.py", "def fine(x, t)\n", "colon.py:1: SyntaxError: expected ':'", false},
        {"end.lua", "function fine(x, t\n", "end.lua:2: ')' expected near <eof>", false},
        {"bytes.py", "def fine(x, t): return '\xff'\n", "bytes.py:1: SyntaxError: (unicode error)", false},
        {"binary.lua", "\x1bLua", "attempt to load a binary chunk", false},
        {"runs.lua", "local x = nil + 1\n", "runs.lua:1: attempt to perform arithmetic on a nil value",
         false},
        {"few.py", "def fine(x): return 0\n", "fine() takes 1 positional argument but 2 were given", true},
        {"text.so", "hello\n", "text.so` cannot be opened: it is no shared library", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        (void)tn_write(cases[k].file, cases[k].text);
        const bool library = strstr(cases[k].file, ".so");
        const char *value = library ? tn_format("{ library = '%s' }", cases[k].file)
                                    : tn_format("{ script = '%s', function = 'fine'" READS, cases[k].file);
        const int column = library ? 21 : cases[k].function ? 20 + (int)strlen(cases[k].file) + 15 : 20;
        check_run(value, RK, 2,
                  TN_WORDS(tn_format("bad.toml:13:%d: error: spring.force: ", column), cases[k].words));
    }
    check_run("{ script = 'nowhere.py' }", RK, 2,
              TN_WORDS("bad.toml:13:20: error: `script` of `spring.force`: `",
                       "nowhere.py` cannot be read: No such file or directory"));
    check_run("{ script = '/dev/zero', interpreter = 'lua' }", RK, 2,
              TN_WORDS("cannot be read: it is a device, not a file"));
}

/* Without `reads` and `arguments` a function gets those of a VARSUB. */
static void functions_that_get_other_arguments_are_told(void **state)
{
    (void)state;
    check_run(
        "{ script = 'bad.py', function = 'fine' }", RK, 2,
        TN_WORDS("fine() takes 2 positional arguments but 6 were given: those of a VARSUB, as the model has "
                 "neither `arguments` nor `reads`"));
    check_run(
        "{ script = 'bad.py', function = 'fine', reads = ['time'], parameters = '1, 2' }", RK, 2,
        TN_WORDS(
            "fine() takes 2 positional arguments but 3 were given: arguments 0, `reads` 1, `parameters` 2"));
    check_run("{ script = 'bad.lua', function = 'fine' }", RK, 0,
              TN_WORDS("warning: spring.force: `fine` of `", "its first parameter `x` is the id"));
}

/* What the dynamic linker would crash of, or explain badly. */
static void libraries_of_other_machines_and_parts_of_them_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *command, *words;
    } cases[] = {
        {"head -c 2000 bad.so >part.so", "part.so` cannot be opened: the file is truncated"},
        {"cp bad.so part.so; printf '\\267' | dd of=part.so bs=1 seek=18 conv=notrunc 2>/dev/null",
         "part.so` cannot be opened: it is made for another kind of processor"},
        {"echo 'void gtcmat(double *); void VARSUB(void *a, void *b, void *c, void *d, void *e, void *f, "
         "double *v) { gtcmat(v); }' "
         ">part.c; cc -shared -fPIC part.c -o part.so",
         "part.so` cannot be opened: undefined symbol: gtcmat"},
    };
    for (size_t k = 0; k < 3; k++) {
        const char *command = tn_format("cd %s; %s", tn_scratch_path(""), cases[k].command);
        assert_int_equal(tn_await(tn_start("/bin/sh", TN_WORDS("-c", command))).status, 0);
        check_run("{ library = 'part.so' }", RK, 2,
                  TN_WORDS("bad.toml:13:21: error: spring.force: ", cases[k].words));
        (void)remove(tn_scratch_path("part.so"));
    }
}

/* An installation whose build had no Python. */
static void a_language_that_is_left_out_is_told_with_its_package(void **state)
{
    (void)state;
    const char *command =
        tn_format("cd %s && mkdir -p other/plugins && cp -P " TENON_PLUGINS "/*.so other/plugins && rm "
                  "other/plugins/python.so && cp " TENON_BINARY " other/tenon && echo 'function python "
                  "python libpython3-dev' >other/plugins.list",
                  tn_scratch_path(""));
    assert_int_equal(tn_await(tn_start("/bin/sh", TN_WORDS("-c", command))).status, 0);
    const char *model = tn_write("bad.toml", tn_format(MODEL, PYTHON("fine"), RK));
    const tn_outcome run =
        tn_await(tn_start(tn_scratch_path("other/tenon"), TN_WORDS("run", model, "--trust")));
    assert_int_equal(run.status, 2);
    tn_check_holds(run.errors,
                   TN_WORDS("bad.toml:13:20: error: unknown function type `python`: ", "libpython3-dev"));
}

int main(void)
{
    tn_need_plugin("python");
    tn_need_plugin("lua");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_is_no_number_ends_every_solver),
        cmocka_unit_test(an_exception_ends_every_solver_at_once),
        cmocka_unit_test(an_endless_loop_ends_by_its_limit),
        cmocka_unit_test(results_are_numbers),
        cmocka_unit_test(a_division_by_zero_is_told_once),
        cmocka_unit_test(a_sensor_or_a_condition_that_fails_ends_the_run),
        cmocka_unit_test(a_script_that_prints_without_end_is_cut),
        cmocka_unit_test(routines_that_count_their_calls_are_refused),
        cmocka_unit_test(routines_that_crash_are_named),
        cmocka_unit_test(a_limit_ends_functions_that_do_not_return),
        cmocka_unit_test(a_limit_ends_slow_runs_between_steps),
        cmocka_unit_test(scripts_of_other_systems_are_read),
        cmocka_unit_test(wrong_files_are_refused_at_their_key),
        cmocka_unit_test(functions_that_get_other_arguments_are_told),
        cmocka_unit_test(libraries_of_other_machines_and_parts_of_them_are_refused),
        cmocka_unit_test(a_language_that_is_left_out_is_told_with_its_package),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

/* test_errors_plan.c - what [solver], [output] and [plugins] may say */
#include "tables/test_errors.h"

#define RK "type = \"rk\"\nend_time = 1\nstep = 0.1\n"
#define ALPHA "type = \"generalized_alpha\"\nend_time = 1\nstep = 0.1\n"

static void a_solver_is_a_table_with_a_type(void **state)
{
    (void)state;
    static const change changes[] = {
        {"[solver]\n" RK, "[[solver]]\n" RK, ""},
        {"[solver]\n" RK, "[x]\n", " error: missing table [solver]\n21:2: error: unknown key `x`\n"},
        {RK, "", "21:1: error: missing key `type` of [solver] (the solver)\n"},
        {RK, "end_time = 1\n", "21:1: error: missing key `type` of [solver] (the solver)\n"},
        {RK, "type = \"generalised_alpha\"\nend_time = 1\nstep = 0.1\n",
         "22:8: error: unknown solver type `generalised_alpha`: did you mean `generalized_alpha`?\n"},
        {RK, "type = 3\n", "22:8: error: `type` of [solver]: a string is expected\n"},
    };
    CHECK_CHANGES(changes);
}

static void times_and_steps_make_sense(void **state)
{
    (void)state;
    static const change changes[] = {
        {RK, "type = \"rk\"\nend_time = 0\n", ""},
        {RK, "type = \"rk\"\nstep = 0.1\n",
         "21:1: error: missing key `end_time` of [solver] (end of the run; s)\n"},
        {RK, "type = \"rk\"\nend_time = 1\n",
         "21:1: error: missing key `step` of [solver] (fixed step; s)\n"},
        {RK, "type = \"rk\"\nend_time = 1\nstep = 0\n",
         "24:8: error: `step` of [solver]: 0 is out of range: it must be larger than 0\n"},
        {RK, "type = \"rk\"\nend_time = 1\nstep = -0.1\n",
         "24:8: error: `step` of [solver]: -0.1 is out of range: it must be larger than 0\n"},
        {RK, "type = \"rk\"\nend_time = \"1 [ms]\"\nstep = \"1 [m]\"\n",
         "24:8: error: `step` of [solver]: `1 [m]`: unit m does not fit: s is expected\n"},
        {RK, "type = \"rk\"\nend_time = -1\nstep = 0.1\n",
         "23:12: error: `end_time` -1 s is before `start_time` 0 s\n"},
        {RK, "type = \"rk\"\nend_time = 1\nstart_time = 2\nstep = 0.1\n",
         "23:12: error: `end_time` 1 s is before `start_time` 2 s\n"},
        {RK, RK "min_step = 1\n", "25:12: error: `min_step` 1 s is larger than the step 0.1 s\n"},
        {RK, RK "max_step = -1\n",
         "25:12: error: `max_step` of [solver]: -1 is out of range: it must be larger than 0\n"},
        {RK, RK "progress = \"yes\"\n", "25:12: error: `progress` of [solver]: true or false is expected\n"},
    };
    CHECK_CHANGES(changes);
}

#define TIMES(text, problem)                     \
    {                                            \
        RK, "type = \"rk\"\n" text "\n", problem \
    }
#define ADAPTIVE "order = 5\nadaptive = true"

static void steps_are_those_that_times_resolve(void **state)
{
    (void)state;
    static const change changes[] = {
        TIMES("start_time = 1.7e9\nstep = 1e-7\nend_time = 1700000001",
              "24:8: error: `step` of 1e-07 s is too short for times of 1.7e+09 s, where numbers lie "
              "2.38e-07 s "
              "apart: it must be at least 0.000238 s\n"),
        TIMES("start_time = 1.7e9\nstep = 2.5e-4\nend_time = 1700000001", ""),
        TIMES(
            "start_time = 1e17\nstep = 1\nend_time = 100000000000100000",
            "24:8: error: `step` of 1 s is too short for times of 1e+17 s, where numbers lie 16 s apart: it "
            "must be "
            "at least 1.6e+04 s\n"),
        TIMES(
            "start_time = -1e17\nstep = 1\nend_time = 0",
            "24:8: error: `step` of 1 s is too short for times of 1e+17 s, where numbers lie 16 s apart: it "
            "must be "
            "at least 1.6e+04 s\n"),
        TIMES("end_time = 1\nstep = 1e-320", "24:8: error: `step` of 9.99988867e-321 s is too short: "
                                             "its square is too small for a number\n"),
        TIMES("end_time = 1\nstep = 1e-12", ""),
        TIMES("start_time = 1e17\nstep = 1e6\nend_time = 100000000000001000",
              "25:12: error: the run of 992 s is too short for times of 1e+17 s, where numbers lie 16 s "
              "apart: it must be at least 1.6e+04 s\n"),
        TIMES("end_time = 1e-300\nstep = 1e-303",
              "24:8: error: `step` of 1e-303 s is too short: its square is too small for a number\n"),
        TIMES("start_time = -1e308\nstep = 1e306\nend_time = 1e308",
              "25:12: error: the time from `start_time` -1e+308 s to `end_time` 1e+308 s is too long for "
              "a number\n"),
        /* the initial state is recorded */
        TIMES("start_time = 1.7e9\nstep = 1e-7\nend_time = 1.7e9", ""),
        TIMES("end_time = 0\nstep = 1e300", ""),
    };
    CHECK_CHANGES(changes);
}

static void adaptive_steps_are_those_that_their_times_resolve(void **state)
{
    (void)state;
    static const change changes[] = {
        /* short at the start, where it is resolved */
        TIMES("end_time = 1e9\nstep = 1e-6\n" ADAPTIVE, ""),
        TIMES("start_time = 1.7e9\nstep = 1e-7\nend_time = 1700000001\n" ADAPTIVE,
              "24:8: error: `step` of 1e-07 s is too short for times of 1.7e+09 s, where numbers lie "
              "2.38e-07 s "
              "apart: "
              "it must be at least 0.000238 s\n"),
        TIMES("start_time = 1.7e9\nend_time = 1700000000.01\n" ADAPTIVE, ""),
        TIMES("end_time = 1e9\nstep = 1e-6\nmax_step = 1e-5\n" ADAPTIVE,
              "25:12: error: `max_step` of 1e-05 s is too short for times of 1e+09 s, where numbers lie "
              "1.19e-07 s "
              "apart: it must be at least 0.000119 s\n"),
        TIMES("start_time = 1e9\nend_time = 1000000001\nmin_step = 1e-6\n" ADAPTIVE,
              "25:12: error: `min_step` of 1e-06 s is too short for times of 1e+09 s, where numbers lie "
              "1.19e-07 s "
              "apart: it must be at least 0.000119 s\n"),
        TIMES("end_time = 1e9\nmin_step = 1e-6\n" ADAPTIVE, ""),
    };
    CHECK_CHANGES(changes);
}

/* The second solver begins where the first one ends, which is known before. */
static void steps_of_a_later_solver_are_those_that_its_times_resolve(void **state)
{
    (void)state;
    static const change changes[] = {
        {"[solver]\n" RK,
         "[[solver]]\ntype = \"rk\"\nstep = 1e6\nend_time = 1.7e9\n"
         "[[solver]]\ntype = \"rk\"\nend_time = 1700000001\nstep = 1e-7\n",
         "28:8: error: `step` of 1e-07 s is too short for times of 1.7e+09 s, where numbers lie 2.38e-07 s "
         "apart: it "
         "must be at least 0.000238 s\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_step_is_no_longer_than_the_run(void **state)
{
    (void)state;
    static const change changes[] = {
        TIMES("end_time = 1\nstep = 1e300",
              "24:8: warning: `step` 1e+300 s is longer than the run: it is shortened to 1 s\n"),
        TIMES("end_time = 1\nstep = 1", ""),
        TIMES("end_time = 1\nstep = 1.5\n[output]\ninterval = 1",
              "24:8: warning: `step` 1.5 s is longer than the run: it is shortened to 1 s\n"),
    };
    CHECK_CHANGES(changes);
}

static void each_solver_starts_where_the_last_one_ended(void **state)
{
    (void)state;
    static const change changes[] = {
        {"[solver]\n" RK, "[[solver]]\n" RK "[[solver]]\ntype = \"rk\"\nend_time = 2\nstep = 0.1\n", ""},
        {"[solver]\n" RK, "[[solver]]\n" RK "[[solver]]\ntype = \"rk\"\nend_time = 0.5\nstep = 0.1\n",
         "27:12: error: `end_time` 0.5 s is before the end of the previous solver, 1 s\n"},
        {"[solver]\n" RK,
         "[[solver]]\n" RK "[[solver]]\ntype = \"rk\"\nstart_time = 1.5\nend_time = 2\nstep = 0.1\n", ""},
        {"[solver]\n" RK,
         "[[solver]]\n" RK "[[solver]]\ntype = \"rk\"\nstart_time = 0.5\nend_time = 2\nstep = 0.1\n",
         "27:14: error: `start_time` 0.5 s is before the end of the previous solver, 1 s\n"},
        {"[solver]\n" RK, "[[solver]]\n" RK "[[solver]]\ntype = \"rkk\"\nend_time = 2\nstep = 0.1\n",
         "26:8: error: unknown solver type `rkk`: did you mean `rk`?\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_solver_may_end_where_a_condition_is_met(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "stop_when = \"DX(mass) > 1\"\n", ""},
        {NULL, "stop_when = \"VX(mass)\"\n", ""},
        {NULL, "stop_when = 1\n", "26:13: error: `stop_when` of [solver]: a string is expected\n"},
        {NULL, "stopwhen = \"VX(mass)\"\n",
         "26:1: error: unknown key `stopwhen`: did you mean `stop_when`?\n"},
        {NULL, "stop_when = \"VX(mas)\"\n",
         "26:17: error: there is no element or marker `mas`: did you mean `mass`?\n"},
        {NULL, "stop_when = \"1 + 1\"\n",
         "26:13: error: `stop_when` reads neither time nor the motion: it never crosses zero or becomes "
         "true\n"},
        {"[solver]\n" RK,
         "[[solver]]\n" RK "stop_when = \"time > 0.5\"\n[[solver]]\ntype = \"rk\"\nend_time = 1\n",
         "26:1: error: missing key `step` of [solver] (fixed step; s)\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_solver_gets_its_own_keys(void **state)
{
    (void)state;
    static const change changes[] = {
        {RK, RK "order = 3\n", "25:9: error: the order is 1, 2, 4 or 5, not 3\n"},
        {RK, RK "order = true\n", "25:9: error: `order` of [solver]: a number is expected, not a boolean\n"},
        {RK, RK "order = 2.5\n", "25:9: error: `order` of [solver]: an integer is expected, not 2.5\n"},
        {RK, RK "order = \"four\"\n", "25:10: error: unknown name `four`\n"},
        {RK, RK "adaptive = true\n", ""},
        {RK, RK "adaptive = true\norder = 4\n",
         "25:12: error: only order 5 estimates its error: with adaptive steps set `order = 5`, or leave it "
         "out; not 4\n"},
        {RK, RK "relative_tolerance = 1e-3\norder = 4\n",
         "21:1: error: only order 5 estimates its error: with adaptive steps set `order = 5`, or leave it "
         "out; not 4\n"},
        {RK, RK "spectral_radius = 0.5\n", "25:1: error: unknown key `spectral_radius`\n"},
        {RK, ALPHA "spectral_radius = 1.5\n",
         "25:19: error: `spectral_radius` of [solver]: 1.5 is out of range: it must be at most 1\n"},
        {RK, ALPHA "scheme = \"hhtt\"\n",
         "25:10: error: `scheme` of [solver]: `hhtt` is not one of "
         "generalized_alpha|hht|newmark|trapezoidal: "
         "did you mean `hht`?\n"},
        {RK, ALPHA "scheme = 3\n",
         "25:10: error: `scheme` of [solver]: one of the words generalized_alpha|hht|newmark|trapezoidal is "
         "expected\n"},
        {RK, ALPHA "linear = \"klo\"\n", "25:10: error: unknown linear type `klo`: did you mean `klu`?\n"},
        {RK, ALPHA "linear = 3\n", "25:10: error: `linear` of [solver]: a string is expected\n"},
        {RK, RK "linear = \"klo\"\n", "25:10: error: unknown linear type `klo`: did you mean `klu`?\n"},
        {RK, ALPHA "linear = \"dense\"\n", ""},
    };
    CHECK_CHANGES(changes);
}

static void keys_of_an_inner_table_are_checked(void **state)
{
    (void)state;
    static const change changes[] = {
        {RK, ALPHA "newton = { max_iterations = 5, jacobian = \"full\" }\n", ""},
        {RK, ALPHA "newton = { max_iteration = 5 }\n",
         "25:12: error: unknown key `max_iteration`: did you mean `max_iterations`?\n"},
        {RK, ALPHA "newton = 3\n", "25:10: error: `newton` is a table\n"},
        {RK, ALPHA "newton = { max_iterations = \"x\", jacobian = \"ful\" }\n",
         "25:30: error: unknown name `x`\n25:45: error: `newton.jacobian` of [solver]: `ful` is not one of "
         "modified|full: did you mean `full`?\n"},
        {RK, ALPHA "[solver.newton]\nmax_iterations = 0\nfoo = 1\n",
         "26:18: error: `newton.max_iterations` of [solver]: 0 is out of range: it must be at least 1\n27:1: "
         "error: unknown key `foo`\n"},
        {RK, ALPHA "max_iterations = 5\n", "25:1: error: unknown key `max_iterations`\n"},
        {RK, ALPHA "\"newton.max_iterations\" = 5\n", "25:1: error: unknown key `newton.max_iterations`\n"},
    };
    CHECK_CHANGES(changes);
}

static void rows_are_hit_exactly(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[output]\ninterval = 0.2\n", ""},
        {NULL, "[output]\ninterval = \"100 [ms]\"\n", ""},
        {"end_time = 1\nstep = 0.1\n", "end_time = 0\n[output]\ninterval = 0.2\n", ""},
        {NULL, "[output]\ninterval = 0\n",
         "27:12: error: `interval` of [output]: 0 is out of range: it must be larger than 0\n"},
        {NULL, "[output]\ninterval = -1\n",
         "27:12: error: `interval` of [output]: -1 is out of range: it must be larger than 0\n"},
        {NULL, "[output]\ninterval = 0.15\n",
         "27:12: error: the interval 0.15 s is not a multiple of the fixed step 0.1 s: steps would not end "
         "at the rows\n"},
        {NULL, "[output]\ninterval = 0.01\n",
         "27:12: error: the interval 0.01 s is not a multiple of the fixed step 0.1 s: steps would not end "
         "at the rows\n"},
        {NULL, "[output]\ninterval = 1.0000000005\n", ""}, /* one row: nothing adds up */
        {NULL, "[output]\ninterval = 0.2000000002\n",
         "27:12: error: the interval 0.2000000002 s is not a multiple of the fixed step 0.1 s: steps would "
         "not "
         "end at the rows\n"},
        {RK, "type = \"rk\"\nend_time = 1e9\norder = 5\nadaptive = true\n[output]\ninterval = 1e-5\n",
         "27:12: error: the interval of 1e-05 s is too short for times of 1e+09 s, where numbers lie "
         "1.19e-07 s "
         "apart: it must be at least 0.000119 s\n"},
        {NULL, "[output]\ninterval = \"1 [Hz]\"\n",
         "27:12: error: `interval` of [output]: `1 [Hz]`: unit Hz does not fit: s is expected, not its "
         "reciprocal\n"},
    };
    CHECK_CHANGES(changes);
}

static void results_go_to_a_directory_through_writers(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[output]\ndirectory = \"here\"\nwriters = [\"csv\"]\nstates = true\n", ""},
        {NULL, "[output]\ndirectory = 3\n", "27:13: error: `directory` of [output]: a string is expected\n"},
        {NULL, "[output]\ndirectory = \"\"\n", "27:13: error: the directory of the results has no name\n"},
        {NULL, "[output]\nwriters = [\"cvs\"]\n",
         "27:12: error: unknown writer type `cvs`: did you mean `csv`?\n"},
        {NULL, "[output]\nwriters = \"csv\"\n",
         "27:11: error: `writers` of [output]: an array of names of writers is expected\n"},
        {NULL, "[output]\nwriters = [3]\n", "27:12: error: the name of a writer is expected\n"},
        {NULL, "[output]\nwriters = [\"csv\", \"csv\"]\n", "27:19: error: `csv` is named twice\n"},
        {NULL, "[output]\nstates = 1\n", "27:10: error: `states` of [output]: true or false is expected\n"},
        {"[model]\n", "output = 3\n[model]\n", "1:10: error: [output] is a table\n"},
        {NULL, "[[output]]\n", "26:1: error: [output] is a table\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_plugin_must_be_trusted_even_when_unused(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[plugins]\nfoo = 3\nsearch = \"here\"\n",
         "27:7: error: a path is expected\n"
         "28:10: error: `search` is an array of directories\n"},
        {NULL, "[plugins]\nfoo = \"/nowhere/foo.so\"\n",
         "27:7: error: `/nowhere/foo.so` cannot be read: No such file or directory\n"},
        {NULL, "[plugins]\nfoo = \"/dev/null\"\n",
         "27:7: error: `/dev/null` is not in a trusted directory: name its directory with --plugin-path, or "
         "use --trust\n"},
        {NULL, "[plugins]\nfoo = \"/\"\n", "27:7: error: `/` is a directory\n"},
        {NULL, "[plugins]\nsearch = [\"/nowhere\", \"/\", \"/dev/null\"]\n",
         "27:11: error: `/nowhere` cannot be read: No such file or directory\n"
         "27:23: error: `/` is not in a trusted directory: name its directory with --plugin-path, or use "
         "--trust\n"
         "27:28: error: `/dev/null` is not a directory\n"},
        {"[model]\n", "plugins = 3\n[model]\n", "1:11: error: [plugins] is a table of files by type\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solver_is_a_table_with_a_type),
        cmocka_unit_test(times_and_steps_make_sense),
        cmocka_unit_test(steps_are_those_that_times_resolve),
        cmocka_unit_test(adaptive_steps_are_those_that_their_times_resolve),
        cmocka_unit_test(steps_of_a_later_solver_are_those_that_its_times_resolve),
        cmocka_unit_test(a_step_is_no_longer_than_the_run),
        cmocka_unit_test(each_solver_starts_where_the_last_one_ended),
        cmocka_unit_test(a_solver_may_end_where_a_condition_is_met),
        cmocka_unit_test(a_solver_gets_its_own_keys),
        cmocka_unit_test(keys_of_an_inner_table_are_checked),
        cmocka_unit_test(rows_are_hit_exactly),
        cmocka_unit_test(results_go_to_a_directory_through_writers),
        cmocka_unit_test(a_plugin_must_be_trusted_even_when_unused),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

/* test_guard.c - `tenon run --guard` names who writes where nothing is theirs, or changes what is only to be read */
#define _GNU_SOURCE
#include "harness.h"

#include <glob.h>

static const char *elements, *solvers; /* trespassing.so, trespassing_solvers.so */

static int set_up(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    elements = tn_build_test_plugin("trespassing");
    solvers = tn_build_test_plugin("trespassing_solvers");
    return 0;
}

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.5, 0, 0]\n"
#define SENSOR "[[sensor]]\nname = 'p'\nelement = 'mass'\noutput = 'position'\n"
#define ENERGY "[[sensor]]\nname = 'e'\nsystem = 'potential_energy'\n"
#define PULL "[[sensor]]\nname = 'f'\nelement = 'probe'\noutput = 'pull'\n"
#define SOLVER(type, keys) "[solver]\ntype = '" type "'\nend_time = 0.1\nstep = 0.01\n" keys

/* Runs a model in which all types that trespass come from the plugins; it begins at line 11. */
static tn_outcome run(const char *model, const char *results, bool guarded)
{
    enum { ELEMENTS = 3 }; // and markers
    static const char *const types[] = {"trespassing",          "trespassing_body",   "trespassing_marker",
                                        "trespassing_function", "trespassing_linear", "trespassing_factors",
                                        "trespassing_writer",   "trespassing_solver", "trespassing_impulses"};
    const char *text = "[plugins]\n";
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        text = tn_format("%s%s = '%s'\n", text, types[k], k < ELEMENTS ? elements : solvers);
    const char *file = tn_write("model.toml", tn_format("%s%s", text, model));
    return tn_tenon(
        TN_WORDS("run", file, "--trust", "--quiet", "--out", results, guarded ? "--guard" : "--trust"));
}

/* The guarded run fails while it runs, and everybody is told why. */
static void check(const char *model, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run(model, results, true);
    if (outcome.status != 1) fail_msg("status %d: %s\n%s", outcome.status, outcome.errors, model);
    tn_check_holds(outcome.errors,
                   TN_WORDS("error: the simulation failed at time ", tn_scratch_path("trespassing")));
    tn_check_holds(outcome.errors, words);
    tn_check_holds(tn_run_text(results, "run.reason"), words);
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
}

/* It is refused before it runs. */
static void check_setup(const char *model, const char *const *words)
{
    const tn_outcome outcome = run(model, tn_scratch_path(NULL), true);
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:", ": error: `", tn_scratch_path("trespassing")));
    tn_check_holds(outcome.errors, words);
}

/* ---- connectors ------------------------------------------------------------------------------------------ */

#define CONNECTOR(name, way) \
    "[[element]]\nname = '" name "'\ntype = 'trespassing'\nmarkers = 'mass'\nway = '%s'\n"

/* The second one of three does it. */
static const char *connectors(const char *way, const char *rest)
{
    return tn_format(MASS CONNECTOR("first", ) CONNECTOR("probe", ) CONNECTOR("last", ) "%s", "nothing", way,
                     "nothing", rest);
}

static void check_connector(const char *way, const char *function, const char *what)
{
    check(connectors(way, SENSOR ENERGY PULL SOLVER("generalized_alpha", "")),
          TN_WORDS(tn_format("`%s` of element trespassing (plugin trespassing 1.2.3, ", function),
                   tn_format(") %s, for `probe` (", what)));
}

static void test_writes_out_of_bounds(void **state)
{
    (void)state;
    check_connector("output_behind", "output", "writes beyond the end of `value`");
    check_connector("wrench_behind", "force", "writes beyond the end of `wrench`");
    check_connector("wrench_before", "force", "writes in front of `wrench`");
    check_connector("tangent_behind", "force_tangent", "writes beyond the end of `tangent`");
    check_connector("potential_behind", "potential", "writes beyond the end of `value`");
}

static void test_numbers_that_are_left_out(void **state)
{
    (void)state;
    check_connector("wrench_left_out", "force", "leaves numbers of `wrench` unwritten");
    check_connector("tangent_left_out", "force_tangent", "leaves numbers of `tangent` unwritten");
}

static void test_inputs_that_are_changed(void **state)
{
    (void)state;
    check_connector("pose", "force", "changes `pose`, which is read-only");
    check_connector("parameter", "force", "changes `instance`, which is read-only");
    check_connector("gravity", "force", "changes `gravity`, which is read-only");
    check_connector("host", "force", "changes `host`, which is read-only");
    check_connector("batch", "force", "changes the batch itself");
}

static void test_states_and_data_that_are_not_declared(void **state)
{
    (void)state;
    check_connector("data", "force", "writes to `d`, which is empty");
    check_connector("scratch", "force", "writes to `scratch`, which is empty");
    check_connector("states", "force", "writes to `x`, which is empty");
    check_connector("accepted", "accepted", "writes to `d`, which is empty");
}

static void check_connector_setup(const char *function, const char *what)
{
    check_setup(connectors(function, SENSOR SOLVER("rk", "")),
                TN_WORDS("model.toml:21:1: error: `probe`: ",
                         tn_format("`%s` of element trespassing (plugin ", function), what));
}

static void test_setup(void **state)
{
    (void)state;
    check_connector_setup("prepare", ") writes beyond the end of `instance`");
    check_connector_setup("layout", ") changes `instance`, which is read-only");
    check_connector_setup("initial", ") writes to `x`, which is empty");
}

/* ---- bodies and markers ---------------------------------------------------------------------------------- */

#define SLEDGE(name) "[[element]]\nname = '" name "'\ntype = 'trespassing_body'\nway = '%s'\n"
#define SPRING                                                              \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nstiffness = 4\n" \
    "markers = [{element = 'first', position = [9, 0, 0]}, 'second']\n"

static const char *sledges(const char *way)
{
    return tn_format(SLEDGE("first") SLEDGE("second") SPRING SOLVER("generalized_alpha", ""), "fine", way);
}

static void check_body(const char *way, const char *function, const char *what)
{
    check(sledges(way), TN_WORDS(tn_format("`%s` of element trespassing_body (plugin ", function),
                                 tn_format(") %s, for `second` (", what)));
}

static void test_bodies(void **state)
{
    (void)state;
    check_body("force", "pull_back", "writes beyond the end of `force`");
    check_body("jacobian", "jacobian", "leaves numbers of `matrix` unwritten");
    check_setup(sledges("bind"),
                TN_WORDS("`bind` of element trespassing_body (plugin ", ") writes beyond the end of `data`"));
    check_setup(sledges("ride"),
                TN_WORDS("model.toml:15:1: error: `second`: `pose` of element trespassing_body (plugin ",
                         ") changes `q`, which is read-only"));
}

/* Without a guard, too: the place would be that of something else. */
static void test_aliases_beyond_the_coordinates(void **state)
{
    (void)state;
    const tn_outcome outcome = run(sledges("alias"), tn_scratch_path(NULL), false);
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors,
                   TN_WORDS("model.toml:15:1: error: `second`: `bind` of element trespassing_body "
                            "(plugin trespassing 1.2.3, ",
                            ") puts a marker at coordinate 77, but there are only 1"));
}

/* ---- what instances tell of themselves ------------------------------------------------------------------- */

#define COUNTER(name) "[[element]]\nname = '" name "'\ntype = 'counter'\nway = '%s'\n"
#define PAIR(name) "[[sensor]]\nname = '" name "_pair'\nelement = '" name "'\noutput = 'pair'\n"

static tn_outcome run_lists(const char *model, const char *results, bool guarded)
{
    const char *library = tn_build_test_plugin("trespassing_lists");
    const char *file = tn_write(
        "lists.toml",
        tn_format("[plugins]\ncounter = '%s'\nwide_variable = '%s'\n%s" SOLVER("generalized_alpha", ""),
                  library, library, model));
    return tn_tenon(
        TN_WORDS("run", file, "--trust", "--quiet", "--out", results, guarded ? "--guard" : "--trust"));
}

static void check_lists(const char *way, int status, const char *function, const char *what)
{
    const char *model =
        tn_format(COUNTER("first") COUNTER("probe") PAIR("first") PAIR("probe"), "nothing", way);
    const tn_outcome outcome = run_lists(model, tn_scratch_path(NULL), true);
    if (outcome.status != status) fail_msg("status %d: %s", outcome.status, outcome.errors);
    tn_check_holds(outcome.errors, TN_WORDS(tn_format("`%s` of element counter (plugin ", function), what));
    tn_check_holds(outcome.errors, TN_WORDS("`probe`", "lists.toml:8:1"));
}

static void test_lists(void **state)
{
    (void)state;
    check_lists("list", 2, "instance_outputs", ") changes `instance`, which is read-only");
    check_lists("unit", 2, "velocity_unit", ") changes `instance`, which is read-only");
    check_lists("behind", 1, "output", ") writes beyond the end of `value`");
    const char *model =
        tn_format(COUNTER("first") COUNTER("probe") PAIR("first") PAIR("probe"), "nothing", "nothing");
    const char *plain = tn_scratch_path(NULL), *guarded = tn_scratch_path(NULL);
    assert_int_equal(run_lists(model, plain, false).status, 0);
    assert_int_equal(run_lists(model, guarded, true).status, 0);
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", plain)),
                        tn_read(tn_format("%s/sensors.csv", guarded)));
}

static void test_kinds_of_variables(void **state)
{
    (void)state;
    const char *model = MASS "[[element]]\nname = 'probe'\ntype = 'wide_variable'\nvalue = 'DX(mass)'\n"
                             "[[sensor]]\nname = 'v'\nexpression = 'VARVAL(probe)'\n";
    const tn_outcome outcome = run_lists(model, tn_scratch_path(NULL), true);
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("`probe`: `variable_kind` of element wide_variable (plugin ",
                                            ") writes beyond the end of `kind`"));
}

static void test_markers(void **state)
{
    (void)state;
    const char *model = MASS "[[marker]]\nname = 'shadow'\ntype = 'trespassing_marker'\nmarkers = 'mass'\n"
                             "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nstiffness = 4\n"
                             "markers = ['ground', 'shadow']\n" SOLVER("rk", "");
    check_setup(model, TN_WORDS("error: `shadow`: `kinematics` of marker trespassing_marker (plugin ",
                                ") writes beyond the end of `value`"));
}

/* ---- the other kinds ------------------------------------------------------------------------------------- */

static void test_functions(void **state)
{
    (void)state;
    check(
        MASS "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['mass']\n"
             "value = ['trespassing_function(DX(mass))', 0, 0]\n" SOLVER("generalized_alpha", ""),
        TN_WORDS("`value` of function trespassing_function (plugin ", ") writes beyond the end of `first`"));
}

static void test_linear_solvers(void **state)
{
    (void)state;
    const char *model = MASS SOLVER("generalized_alpha", "linear = 'trespassing_%s'\n");
    check(tn_format(model, "linear"), TN_WORDS("`solve` of linear trespassing_linear (plugin ",
                                               ") writes beyond the end of `right_hand_side`"));
    check(tn_format(model, "factors"),
          TN_WORDS("`factor` of linear trespassing_factors (plugin ", ") changes the numbers of the matrix"));
}

static void test_constraint_solvers(void **state)
{
    (void)state;
    check(MASS "[[element]]\nname = 'rod'\ntype = 'distance'\nmarkers = ["
               "{ element = 'ground', position = [9, 9, 9] }, 'mass']\n" SOLVER(
                   "moreau", "constraint_solver = 'trespassing_impulses'\n"),
          TN_WORDS("`solve` of constraint_solver trespassing_impulses (plugin ", ") changes `free_rate`"));
}

static void check_solver(const char *way, const char *what)
{
    const char *model = tn_format(MASS SENSOR SOLVER("trespassing_solver", "way = '%s'\n"), way);
    check(
        model,
        TN_WORDS("at time 0.05 s: `advance` of solver trespassing_solver (plugin trespassing_solvers 1.2.3, ",
                 tn_format(") %s", what)));
}

static void test_solvers(void **state)
{
    (void)state;
    check_solver("q_behind", "writes beyond the end of `q`");
    check_solver("v_before", "writes in front of `v`");
    check_solver("x", "writes to `x`, which is empty");
    check_solver("force", "changes `force`, which is read-only");
    check_solver("scale", "changes `scale`, which is read-only");
    check_solver("run", "changes `run`, which is read-only");
    check_solver("sizes", "changes the system itself");
}

static void test_solver_that_keeps_to_its_memory(void **state)
{
    (void)state;
    const char *model = MASS SENSOR SOLVER("trespassing_solver", "way = 'nothing'\n");
    const char *plain = tn_scratch_path(NULL), *guarded = tn_scratch_path(NULL);
    assert_int_equal(run(model, plain, false).status, 0);
    assert_int_equal(run(model, guarded, true).status, 0);
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", plain)),
                        tn_read(tn_format("%s/sensors.csv", guarded)));
}

static void test_writers(void **state)
{
    (void)state;
    check(MASS SENSOR SOLVER("rk", "") "[output]\nwriters = ['trespassing_writer', 'csv']\n",
          TN_WORDS("`row` of writer trespassing_writer (plugin ", ") changes `values`, which is read-only"));
}

/* ---- those that do nothing wrong ------------------------------------------------------------------------- */

static void test_results_are_those_of_a_run_without_guard(void **state)
{
    (void)state;
    const char *model = connectors("nothing", SENSOR ENERGY PULL SOLVER("generalized_alpha", ""));
    const char *plain = tn_scratch_path(NULL), *guarded = tn_scratch_path(NULL);
    assert_int_equal(run(model, plain, false).status, 0);
    assert_int_equal(run(model, guarded, true).status, 0);
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", plain)),
                        tn_read(tn_format("%s/sensors.csv", guarded)));
}

/* A law that reads states of its own. */
static void test_states_are_read(void **state)
{
    (void)state;
    const char *library = tn_build_text("maxwell", tn_read(TENON_SOURCE_DIR "/sdk/examples/maxwell.c"));
    const char *file = tn_write(
        "maxwell.toml",
        tn_format("[plugins]\nmaxwell = '%s'\n" MASS "velocity = [0, 1, 2]\n"
                  "[[element]]\nname = 'first'\ntype = 'maxwell'\nmarkers = ['ground', 'mass']\n"
                  "stiffness = 4\ntime_constant = 1\n[[element]]\nname = 'second'\ntype = 'maxwell'\n"
                  "markers = ['ground', 'mass']\nstiffness = 5\ntime_constant = 2\n" SENSOR SOLVER(
                      "generalized_alpha", ""),
                  library));
    const char *results[] = {tn_scratch_path(NULL), tn_scratch_path(NULL)};
    for (int guarded = 0; guarded < 2; guarded++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out",
                                                     results[guarded], guarded ? "--guard" : "--trust"));
        if (outcome.status != 0) fail_msg("%s", outcome.errors);
    }
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", results[0])),
                        tn_read(tn_format("%s/sensors.csv", results[1])));
}

/* Long models in which nothing is switched: all functions of their types are called in the first steps already. */
static const char *first_steps_of(const char *model)
{
    static const char *const long_models[][2] = {
        {"/mecanum.toml", "1.25"},
        {"/solfec_driven_chain.toml", "0.3"},
        {"/car.toml", "1.2"},
        {"/linear_bushing.toml", "0.4"},
        {"/reference_variable_inverted_pendulum.toml", "1"},
        {"/solfec_double_pendulum.toml", "0.5"},
    };
    for (size_t k = 0; k < sizeof long_models / sizeof *long_models; k++)
        if (strstr(model, long_models[k][0])) return tn_format("solver.end_time=%s", long_models[k][1]);
    return NULL;
}

/* The types of the project keep to their memory, and a guarded run of them is the same run. */
static void test_types_of_the_project(void **state)
{
    (void)state;
    glob_t models = {0};
    assert_int_equal(glob(TENON_SOURCE_DIR "/configs/seeds/*.toml", 0, NULL, &models), 0);
    for (size_t k = 0; k < models.gl_pathc; k += TN_SANITIZED ? 6 : 1) {
        const char *model = models.gl_pathv[k], *plain = tn_scratch_path(NULL), *end = first_steps_of(model);
        tn_outcome outcome =
            tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--out", plain, end ? "--set" : NULL, end));
        assert_int_equal(outcome.status, 0);
        const char *guarded = tn_scratch_path(NULL);
        outcome = tn_tenon(TN_WORDS("run", model, "--trust", "--quiet", "--guard", "--out", guarded,
                                    end ? "--set" : NULL, end));
        if (outcome.status != 0) fail_msg("%s: %s", model, outcome.errors);
        if (strcmp(tn_read(tn_format("%s/sensors.csv", plain)),
                   tn_read(tn_format("%s/sensors.csv", guarded))) != 0)
            fail_msg("%s: other results with --guard", model);
    }
    globfree(&models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writes_out_of_bounds),
        cmocka_unit_test(test_numbers_that_are_left_out),
        cmocka_unit_test(test_inputs_that_are_changed),
        cmocka_unit_test(test_states_and_data_that_are_not_declared),
        cmocka_unit_test(test_setup),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_aliases_beyond_the_coordinates),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_kinds_of_variables),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_linear_solvers),
        cmocka_unit_test(test_constraint_solvers),
        cmocka_unit_test(test_solvers),
        cmocka_unit_test(test_solver_that_keeps_to_its_memory),
        cmocka_unit_test(test_writers),
        cmocka_unit_test(test_results_are_those_of_a_run_without_guard),
        cmocka_unit_test(test_states_are_read),
        cmocka_unit_test(test_types_of_the_project),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

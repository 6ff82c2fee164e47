/* test_told.c - hints, warnings and notes: what a user is told of models that run, or nearly so */
#include "harness.h"

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
#define SPRING                                                                                              \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 100\n" \
    "reference_length = 1\n"
#define BODY "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\n"
#define SENSOR "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
#define RK(keys) "[solver]\ntype = 'rk'\n" keys

/* Status and words of `tenon check` of a model. */
static void check_says(const char *model, int status, const char *const *words)
{
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", tn_write("told.toml", model)));
    if (outcome.status != status) fail_msg("status %d: %s", outcome.status, outcome.errors);
    tn_check_holds(outcome.errors, words);
}

static void check_error(const char *model, const char *words) { check_says(model, 2, TN_WORDS(words)); }

/* ---- names of others ------------------------------------------------------------------------------------- */

static void types_are_known_by_their_names_elsewhere(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"hinge", "`revolute`"},
        {"ball", "`spherical`"},
        {"bushing", "`cartesian_spring_damper` or `linear_bushing`"},
        {"spring", "`spring_damper` or `torsional_spring_damper`"},
        {"point_mass", "`mass_point`"},
        {"body", "`rigid_body`"},
        {"RigidBody", "`rigid_body`"},
        {"weld", "`fixed`"},
        {"slider", "`prismatic`"},
        {"total joint", "`generic`"},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        check_error(tn_format("[[element]]\nname = 'a'\ntype = '%s'\n", names[k][0]),
                    tn_format("told.toml:3:8: error: unknown element type `%s`: did you mean %s", names[k][0],
                              names[k][1]));
    check_error(
        "[[element]]\nname = 'a'\ntype = 'xyzzy'\n",
        "unknown element type `xyzzy`: no xyzzy.so on the search path; `tenon plugins` lists all types\n");
}

static void solvers_are_known_by_their_names_elsewhere(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"hht", "`generalized_alpha`"},
                                           {"newmark", "`generalized_alpha`"},
                                           {"bdf", "`gsl_ode` with `stepper = \"msbdf\"`"},
                                           {"ode45", "`rk` with `order = 5`"},
                                           {"RK4", "`rk` with `order = 4`"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        check_error(tn_format(MASS "[solver]\ntype = '%s'\nend_time = 1\nstep = 1\n", names[k][0]),
                    tn_format("unknown solver type `%s`: did you mean %s? `tenon plugins` lists all types\n",
                              names[k][0], names[k][1]));
}

static void keys_are_known_by_their_names_elsewhere(void **state)
{
    (void)state;
    check_error(MASS SPRING "k = 1\n", "unknown key `k`: did you mean `stiffness`?\n");
    check_error(MASS SPRING "L0 = 1\n", "unknown key `L0`: did you mean `reference_length`?\n");
    check_error(MASS RK("dt = 1\nend_time = 1\n"), "unknown key `dt`: did you mean `step`?\n");
    /* what is meant is not missed as well */
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("check", tn_write("told.toml",
                                   "[[element]]\nname = 'a'\ntype = 'rigid_body'\nm = 1\nJ = [1, 1, 1]\n")));
    assert_null(strstr(outcome.errors, "missing"));
}

/* A stranger's plugin tells so in the same way; `tenon describe` shows it. */
static void names_elsewhere_come_from_the_plugins_themselves(void **state)
{
    (void)state;
    (void)tn_build_text(
        "pull",
        "#include <tenon/author.h>\n"
        "#define PULL(P) P(REAL, strength, \"N\", TN_REQUIRED, 0.0, 0.0, TN_UNBOUNDED, \"of it\")\n"
        "TN_PARAMETERS(pull, PULL)\n"
        "TN_FORCE(pull, TN_POINT, 1) { wrench[0].force.e[0] = self->strength; return TN_OK; }\n"
        "TN_PORTS(pull, {\"marker\", \"that is pulled\", TN_POINT, 1, 1, 0})\n"
        "TN_SYNONYMS(pull, {\"tug\", NULL, NULL}, {\"power\", \"strength\", NULL})\n"
        "TN_ELEMENT(pull, .summary = \"pulls\", .synonyms = pull_synonyms,\n"
        "           TN_CAPABILITIES(TN_HAS_FORCE(pull)), .ports = pull_ports)\n"
        "TN_LIBRARY(\"pull\", \"1.0.0\", \"Apache-2.0\", \"pulls\", {TN_ELEMENT_KIND, &pull_type})\n");
    const char *const file = tn_write("tug.toml", MASS "[[element]]\nname = 'p'\ntype = 'tug'\n");
    const tn_outcome tug = tn_tenon(TN_WORDS("check", file, "--trust"));
    tn_check_holds(tug.errors, TN_WORDS("unknown element type `tug`: did you mean `pull`?"));
    const tn_outcome power = tn_tenon(TN_WORDS(
        "check",
        tn_write("tug.toml", MASS "[[element]]\nname = 'p'\ntype = 'pull'\nmarker = 'mass'\npower = 2\n"),
        "--trust"));
    assert_string_equal(
        strstr(power.errors, "error: "),
        "error: unknown key `power`: did you mean `strength`?\n   10 | power = 2\n      | ^~~~~\n");
    const tn_outcome described = tn_tenon(TN_WORDS("describe", "pull", "--plugin-path", "."));
    tn_check_holds(described.output, TN_WORDS("also called: tug\n", "keys also called: power (strength)\n"));
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static void values_that_are_no_toml_are_explained(void **state)
{
    (void)state;
    static const char *const values[][2] = {
        {".5", "a number begins with a digit: 0.5"},
        {"[1, -.5]", "a number begins with a digit: -0.5"},
        {"5.", "a number ends with a digit: 5.0"},
        {"1,5", "a number has a decimal point: 1.5"},
        {"True", "true and false are written in lower case"},
        {"mass", "`mass` is not a value: names and expressions need quotes, \"mass\""},
        {"2*k", "`2*k` is not a value: names and expressions need quotes, \"2*k\""},
        {"0.5 m/s", "a number with a unit needs quotes, the unit in brackets: \"0.5 [m/s]\""},
        {"1 [kg]", "a number with a unit needs quotes: \"1 [kg]\""},
    };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        check_error(tn_format("[parameters]\na = %s\nb = 1\n", values[k][0]),
                    tn_format("error: %s\n", values[k][1]));
}

static void a_unit_without_brackets_is_told(void **state)
{
    (void)state;
    check_error(
        MASS "velocity = ['0.5 m/s', 0, 0]\n",
        "told.toml:6:13: error: `velocity` of `mass`: `0.5 m/s`: a unit needs brackets: \"0.5 [m/s]\"\n");
    /* degrees are part of a number */
    check_says("[parameters]\na = '60D'\nb = '1 and 1'\n" MASS, 0, TN_WORDS(""));
}

static void messages_of_values_name_element_and_key(void **state)
{
    (void)state;
    check_error(MASS "velocity = [nan, 0, 0]\n", "`velocity` of `mass`: the value is not finite\n");
    check_error(MASS SPRING "damping = true\n",
                "`damping` of `spring`: a number is expected, not a boolean\n");
    check_error(MASS RK("step = true\nend_time = 1\n"),
                "`step` of [solver]: a number is expected, not a boolean\n");
    check_error(MASS "[output]\nstates = 1\n", "`states` of [output]: true or false is expected\n");
    check_error(MASS SPRING
                "[[change]]\ntime = 1\nelement = 'spring'\nparameter = 'stiffness'\nvalue = [1]\n",
                "`stiffness` of `spring`: a number is expected, not an array\n");
    check_error(
        "[[repeat]]\ncount = 3\n[[repeat.element]]\nname = 'm{i}'\ntype = 'mass_point'\nmass = '1 - i'\n",
        "`mass` of `m1`: 0 is out of range: it must be larger than 0 (with i = 1, and in other copies)\n");
}

static void an_inertia_may_be_a_symmetric_matrix(void **state)
{
    (void)state;
    check_says(BODY "inertia = [[1, 0.1, 0], [0.1, 1, '0.2 [kg m^2]'], [0, '0.2 [kg m^2]', 1]]\n", 0,
               TN_WORDS(""));
    static const char *const written[] = {"[[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]]",
                                          "[1, 2, 2.5, 0.1, 0.2, 0.3]"};
    double energy[2];
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *run = tn_simulate(
            tn_format(BODY "angular_velocity = [1, 2, 3]\ninertia = %s\n"
                           "[[sensor]]\nname = 'e'\nsystem = 'kinetic_energy'\n" RK("end_time = 0\n"),
                      written[k]),
            NULL);
        energy[k] = tn_value_at(run, "e", 0.0);
    }
    assert_true(energy[0] == energy[1] && energy[0] > 1.0);
    check_error(BODY "inertia = [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]\n",
                "told.toml:5:26: error: `inertia` of `body`: the matrix is not symmetric: row 2, column 1 "
                "differs from row 1, column 2\n");
}

static void angles_and_axes_that_look_wrong_are_warned_of(void **state)
{
    (void)state;
#define ROTATED(rotation) BODY "inertia = [1, 1, 1]\nrotation = " rotation "\n"
    check_says(
        ROTATED("{ axis = [1, 1, 0], angle = 90 }"), 0,
        TN_WORDS("told.toml:6:40: warning: `rotation` of `body`: 90 rad is more than a whole turn: write "
                 "degrees as \"90 [deg]\""));
    check_says(ROTATED("{ quaternion = [1, 0, 0, 0.1] }"), 0,
               TN_WORDS("warning: `rotation` of `body`: a quaternion of length 1.00499 is normalised"));
    check_says(ROTATED("{ axis = [0, 0, 20], angle = 1 }"), 0,
               TN_WORDS("an axis of length 20 is normalised"));
    static const char *const right[] = {ROTATED("{ axis = [1, 1, 0], angle = '90 [deg]' }"),
                                        ROTATED("{ quaternion = [0.7071, 0.7071, 0, 0] }"),
                                        ROTATED("{ axis = [0, 0, 1], angle = '7 [rad]' }")};
    for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", tn_write("told.toml", right[k])));
        assert_int_equal(outcome.status, 0);
        assert_string_equal(outcome.errors, "");
    }
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static void changes_behind_the_end_are_warned_of(void **state)
{
    (void)state;
    check_says(MASS SPRING
               "[[change]]\ntime = 2\nelement = 'spring'\nparameter = 'stiffness'\nvalue = 1\n" RK(
                   "end_time = 1\nstep = 0.1\n"),
               0, TN_WORDS("told.toml:13:8: warning: the change at 2 s is never made: the run ends at 1 s"));
}

static void one_number_of_an_array_may_be_set(void **state)
{
    (void)state;
    static const char *const paths[] = {"element.mass.position.2=0.3", "element.mass.position[2]=0.3"};
    for (size_t k = 0; k < 2; k++) {
        const tn_csv_table *run = tn_simulate(MASS SENSOR RK("end_time = 0\n"), TN_WORDS("--set", paths[k]));
        assert_true(tn_value_at(run, "x.x", 0.0) == 1.1 && tn_value_at(run, "x.z", 0.0) == 0.3);
    }
    const tn_outcome beyond =
        tn_tenon(TN_WORDS("check", tn_write("told.toml", MASS), "--set", "element.mass.position.3=1"));
    assert_int_equal(beyond.status, 2);
    tn_check_holds(beyond.errors, TN_WORDS("\"element.mass.position\" has no number of this index"));
}

static void check_takes_another_solver(void **state)
{
    (void)state;
    const char *file = tn_write("told.toml", MASS RK("end_time = 1\nstep = 0.1\n"));
    assert_int_equal(tn_tenon(TN_WORDS("check", file, "--solver", "generalized_alpha")).status, 0);
    const tn_outcome wrong = tn_tenon(TN_WORDS("check", file, "--solver", "hht"));
    assert_int_equal(wrong.status, 2);
    tn_check_holds(wrong.errors, TN_WORDS("did you mean `generalized_alpha`?"));
}

#define JUMPS                                                                                                \
    "[[element]]\nname = 'drive'\ntype = 'force'\nmarkers = 'mass'\nvalue = ['SIGN(0.1, SIN(20*time))', 0, " \
    "0]\n"

static void events_that_fixed_steps_go_over_are_noted(void **state)
{
    (void)state;
    const char *fixed = tn_write("told.toml", MASS SPRING JUMPS RK("end_time = 1\nstep = 1e-3\n"));
    assert_int_equal(tn_tenon(TN_WORDS("run", fixed, "--out", "fixed", "--quiet")).status, 0);
    assert_string_equal(
        tn_run_text(tn_scratch_path("fixed"), "run.notes.0"),
        "note: steps of a fixed length passed over 6 events: 6 where `value` of `drive` jumps; an "
        "adaptive solver ends a step at each event");
    const tn_outcome adaptive =
        tn_tenon(TN_WORDS("run", fixed, "--out", "adaptive", "--set", "solver.order=5", "--set",
                          "solver.relative_tolerance=1e-6"));
    assert_int_equal(adaptive.status, 0);
    assert_string_equal(adaptive.errors, "");
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* Every step up to 100 000 of them; a multiple of the step that gives about 10 000 beyond, as is said before and behind. */
static void fixed_steps_too_many_for_rows_are_recorded_sparsely(void **state)
{
    (void)state;
    const char *file = tn_write("told.toml", MASS SPRING SENSOR RK("end_time = 100\nstep = 1e-3\n"));
    const tn_outcome dense = tn_tenon(TN_WORDS("run", file, "--out", "dense"));
    assert_int_equal(dense.status, 0);
    assert_string_equal(dense.errors, "");
    assert_true(tn_run_number(tn_scratch_path("dense"), "run.statistics.rows") == 100001.0);

    const tn_outcome sparse =
        tn_tenon(TN_WORDS("run", file, "--out", "sparse", "--set", "solver.end_time=123.4567"));
    tn_check_holds(sparse.errors,
                   TN_WORDS("note: the run takes 123457 steps; 10290 rows of 4 columns are recorded"));
    tn_check_holds(sparse.output, TN_WORDS("rows     10290, at most one every 0.012 s"));
    const tn_csv_table *table = tn_sensors(tn_scratch_path("sparse"));
    assert_int_equal(table->rows, 10290);
    assert_true(tn_csv_value(table, 1, 0) == 0.012 && tn_csv_value(table, table->rows - 1, 0) == 123.4567);

    const tn_outcome asked = tn_tenon(TN_WORDS("run", file, "--out", "asked", "--set", "output.interval=1e-3",
                                               "--set", "solver.end_time=100.001"));
    tn_check_holds(asked.errors, TN_WORDS("note: the run takes 100001 steps; 100002 rows"));
    assert_true(tn_run_number(tn_scratch_path("asked"), "run.statistics.rows") == 100002.0);
}

/* What is there stays; from the row of the 100 000th step on they stand at an interval. */
static void adaptive_steps_too_many_for_rows_become_sparse(void **state)
{
    (void)state;
    const char *file = tn_write(
        "told.toml",
        MASS SENSOR RK("order = 5\nadaptive = true\nmax_step = 1e-3\nstep = 1e-3\nend_time = 200\n"));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", "adaptive"));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("note: 100001 rows are recorded so far: from 100 s on"));
    const tn_csv_table *table = tn_sensors(tn_scratch_path("adaptive"));
    assert_true(table->rows > 104990 && table->rows < 105010);
    assert_true(tn_csv_value(table, 99999, 0) - tn_csv_value(table, 99998, 0) < 1.1e-3);
    assert_true(tn_csv_value(table, 100002, 0) - tn_csv_value(table, 100001, 0) > 0.019);
    assert_true(tn_csv_value(table, table->rows - 1, 0) == 200.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_known_by_their_names_elsewhere),
        cmocka_unit_test(solvers_are_known_by_their_names_elsewhere),
        cmocka_unit_test(keys_are_known_by_their_names_elsewhere),
        cmocka_unit_test(names_elsewhere_come_from_the_plugins_themselves),
        cmocka_unit_test(values_that_are_no_toml_are_explained),
        cmocka_unit_test(a_unit_without_brackets_is_told),
        cmocka_unit_test(messages_of_values_name_element_and_key),
        cmocka_unit_test(an_inertia_may_be_a_symmetric_matrix),
        cmocka_unit_test(angles_and_axes_that_look_wrong_are_warned_of),
        cmocka_unit_test(changes_behind_the_end_are_warned_of),
        cmocka_unit_test(one_number_of_an_array_may_be_set),
        cmocka_unit_test(check_takes_another_solver),
        cmocka_unit_test(events_that_fixed_steps_go_over_are_noted),
        cmocka_unit_test(fixed_steps_too_many_for_rows_are_recorded_sparsely),
        cmocka_unit_test(adaptive_steps_too_many_for_rows_become_sparse),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_routines.c - compiled routines of users in place of numbers, functions and expressions of variables */
#include "harness.h"

#include <math.h>

static const char *library, *dual, *plain;

static const char text[] =
    "#include <tenon/routine.h>\n"
    "TN_ROUTINE(energy, \"VM(%1)\", \"WX(%1, 0, %1)\", \"WY(%1, 0, %1)\", \"WZ(%1, 0, %1)\")\n"
    "{\n"
    "    tn_real sum = parameter[1] * reading[0] * reading[0];\n"
    "    for (int k = 1; k < 4; k++) sum = sum + parameter[1 + k] * reading[k] * reading[k];\n"
    "    return 0.5 * sum;\n"
    "}\n"
    "TN_ROUTINE(drag, \"VX(%1)\")\n"
    "{\n"
    "    return -parameter[1] * reading[0] * tn_abs(reading[0]) * (1.0 + argument[0] * argument[0]);\n"
    "}\n"
    "TN_ROUTINE(square) { return argument[0] * argument[0]; }\n"
    "static tn_status own_value(tn_routine_call *call)\n"
    "{\n"
    "    if (call->argument[0] > 1e3) return call->fail(call, \"it is too far\"), TN_INVALID;\n"
    "    call->value = sin(call->argument[0]) * call->argument[1];\n"
    "    if (call->first) call->first[0] = cos(call->argument[0]) * call->argument[1];\n"
    "    if (call->first) call->first[1] = sin(call->argument[0]);\n"
    "    return TN_OK;\n"
    "}\n"
    "#if TN_VALUES\n"
    "TN_EXPORT extern const tn_routine_table tn_routine_own;\n"
    "const tn_routine_table tn_routine_own = {sizeof(tn_routine_table), 1, 0, own_value};\n"
    "#endif\n";

/* As anybody would; the source in the form of other programs includes none of our headers. */
static const char *compile(const char *source, const char *name)
{
    const char *output = tn_scratch_path(name);
    const char *command = tn_format(
        "cc -std=gnu17 -O2 -shared -fPIC -I" TENON_SOURCE_DIR "/sdk/include %s -o %s -lm", source, output);
    const tn_outcome made = tn_await(tn_start("/bin/sh", TN_WORDS("-c", command)));
    if (made.status) print_error("%s", made.errors);
    return made.status ? NULL : output;
}

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    const char *source = tn_write("texts.c", text);
    library = compile(TENON_SOURCE_DIR "/tests/system/plugins/user_routines.c", "user_routines.so");
    plain = compile(source, "plain.so");
    dual = tn_scratch_path("texts.so");
    const tn_outcome built = tn_tenon(TN_WORDS("build", source, "-o", dual));
    if (built.status) print_error("%s", built.errors);
    return built.status || !library || !plain;
}

/* ---- models ----------------------------------------------------------------------------------------------- */

#define BODY                                                                                       \
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 4\ninertia = [0.006, 0.005, 0.004]\n" \
    "position = [1, 0, 0]\nvelocity = [1, 2, 3]\nangular_velocity = [1, 20, 2]\n"                  \
    "[[marker]]\nname = 'centre'\nid = 1011\ntype = 'frame'\nelement = 'body'\n"
#define VARIABLE(name, rest) "[[element]]\nname = '" name "'\ntype = 'reference_variable'\n" rest "\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = \"" expression "\"\n"
#define SOLVER(rest) "[solver]\nend_time = 1\n" rest "\n"
#define PARAMETERS "USER (1011, 4, 0.006, 0.005, 0.004)"
#define KINETIC \
    "0.5*(4*VM(1011)**2 + 0.006*WX(1011,0,1011)**2 + 0.005*WY(1011,0,1011)**2 + 0.004*WZ(1011,0,1011)**2)"

static tn_outcome run(const char *model)
{
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--trust", "--out", "results"));
    if (outcome.status) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return outcome;
}

static const tn_csv_table *simulate(const char *model)
{
    (void)run(model);
    return tn_sensors(tn_scratch_path("results"));
}

static double largest(const tn_csv_table *table, const char *column)
{
    const size_t at = tn_column_of(table, column);
    double most = 0.0;
    for (size_t row = 0; row < table->rows; row++)
        most = fmax(most, fabs(table->value[row * table->columns + at]));
    return most;
}

/* ---- values ------------------------------------------------------------------------------------------------ */

static void the_kinetic_energy_of_routines_is_that_of_the_expression(void **state)
{
    (void)state;
    const tn_csv_table *table = simulate(tn_format(
        BODY VARIABLE("ke", "id = 3070\ntype_of = 'library'\nlibrary = '%s'\nfunction = 'Kinetic_Energy'\n"
                            "parameters = '" PARAMETERS "'")
            VARIABLE("exact",
                     "type_of = 'library'\nlibrary = '%s'\nfunction = 'energy'\nparameters = '" PARAMETERS
                     "'") SENSOR("ke", "VARVAL(3070)") SENSOR("a", "VARVAL(3070) - " KINETIC)
                SENSOR("b", "VARVAL(exact) - " KINETIC) SOLVER("type = 'rk'\nstep = 1e-2"),
        library, dual));
    assert_true(fabs(tn_value_at(table, "ke", 0.0) - 29.011) < 1e-12);
    assert_true(largest(table, "a") <= 29.011e-12 && largest(table, "b") <= 29.011e-12);
}

/* A force by an expression; by texts with dual numbers, and with differences. */
static void a_force_moves_the_body_as_its_expression_does(void **state)
{
    (void)state;
    static const char model[] = BODY "[[element]]\nname = 'pull'\ntype = 'force'\nmarkers = 'body'\n"
                                     "value = [%s, 0, 0]\n" SENSOR("x", "DX(body)") SENSOR("v", "VX(body)")
                                         SOLVER("type = 'generalized_alpha'\nstep = 5e-3");
    const tn_csv_table *own = simulate(tn_format(model, "'-2*VX(1011)*ABS(VX(1011))*(1 + sin(time)**2)'"));
    const double iterations = tn_run_number(tn_scratch_path("results"), "run.statistics.newton_iterations");
    const struct {
        const char *library;
        double tolerance;
        bool notes;
    } ways[] = {{dual, 1e-12, false}, {plain, 1e-9, true}};
    for (size_t k = 0; k < 2; k++) {
        const char *signal =
            tn_format("[[signal]]\nname = 'law'\ntype = 'routine'\nlibrary = '%s'\nfunction = 'drag'\n"
                      "parameters = '1011, 2'\narguments = 1\n",
                      ways[k].library);
        const char *whole = tn_format("%s%s", signal, tn_format(model, "'routine(law, sin(time))'"));
        const tn_outcome outcome = run(whole);
        const tn_csv_table *table = tn_sensors(tn_scratch_path("results"));
        tn_check_column(table, own, "x", ways[k].tolerance);
        tn_check_column(table, own, "v", ways[k].tolerance);
        assert_true(tn_run_number(tn_scratch_path("results"), "run.statistics.newton_iterations") ==
                    iterations);
        const char *note =
            strstr(outcome.errors, "note: law: `drag` of `plain.so` gives no first derivatives: they are "
                                   "found by differences");
        assert_true((note != NULL) == ways[k].notes);
        if (note && strstr(note + 40, "law: `drag`")) fail_msg("%s", outcome.errors);
    }
}

/* Tables stand in numbers of vectors, and in functions, whose arguments they get. */
static void tables_stand_in_place_of_numbers_and_functions(void **state)
{
    (void)state;
    static const char model[] =
        BODY "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'body']\n%s\n"
             "[[element]]\nname = 'pull'\ntype = 'force'\nmarkers = 'body'\nvalue = [0, %s, 0]\n" SENSOR(
                 "x", "DX(body)") SENSOR("y", "DY(body)") SOLVER("type = 'rk'\nstep = 1e-2");
    const char *table = tn_format("{ library = '%s', function = 'RAMP' }", library);
    const tn_csv_table *own =
        simulate(tn_format(model, "reference_length = 0.5\nforce_function = '30*deltaL + 2*deltaL_t'",
                           "'STEP5(time, 0, 0, 1, 2)'"));
    const tn_csv_table *ours =
        simulate(tn_format(model,
                           tn_format("reference_length = 0.5\nforce_function = { library = '%s', function = "
                                     "'SPRING', parameters = '30, 2' }",
                                     library),
                           table));
    tn_check_column(ours, own, "x", 1e-12);
    tn_check_column(ours, own, "y", 1e-12);
}

/* g of a constraint needs second derivatives, which are differences. */
static void a_routine_is_a_constraint(void **state)
{
    (void)state;
    static const char model[] =
        "[model]\ngravity = [0, 0, -9.81]\n"
        "[[element]]\nname = 'bob'\ntype = 'mass_point'\nmass = 2\nposition = [1, 0, 0]\n"
        "[[marker]]\nname = 'tip'\nid = 1011\ntype = 'point'\nelement = 'bob'\n" VARIABLE(
            "rod", "implicit = true\n%s") SENSOR("x", "DX(bob)") SENSOR("z", "DZ(bob)")
            SENSOR("f", "VARVAL(rod)") SOLVER("type = 'generalized_alpha'\nstep = 5e-3");
    const tn_csv_table *own = simulate(tn_format(model, "expression = 'sqrt(DX(tip)**2 + DZ(tip)**2) - 1'"));
    const tn_csv_table *ours = simulate(tn_format(
        model,
        tn_format("type_of = 'library'\nlibrary = '%s'\nfunction = 'CIRCLE'\nparameters = '1011'", library)));
    tn_check_column(ours, own, "x", 1e-9);
    tn_check_column(ours, own, "z", 1e-9);
    tn_check_column(ours, own, "f", 1e-7);
}

/* An equation is one that asks for its own variable. */
static void a_routine_that_asks_for_itself_is_an_equation(void **state)
{
    (void)state;
    const tn_csv_table *table = simulate(tn_format(
        VARIABLE("v", "id = 12\nimplicit = true\ntype_of = 'library'\nlibrary = '%s'\n"
                      "function = 'IMPLICIT'")
            SENSOR("error", "VARVAL(v) - sin(time)/0.9") "[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass "
                                                         "= 1\n" SOLVER("type = 'rk'\nstep = 0.1"),
        library));
    assert_true(largest(table, "error") < 1e-12);
}

/* The default function is VARSUB, in any spelling; a routine knows whose value it gives. */
static void a_routine_gets_the_id_of_its_element_or_signal(void **state)
{
    (void)state;
    const tn_csv_table *table =
        simulate(tn_format("[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass = 1\n" VARIABLE(
                               "a", "id = 77\ntype_of = 'library'\nlibrary = '%s'\nparameters = '1, 2'")
                               SENSOR("a", "VARVAL(a)") SOLVER("type = 'rk'\nstep = 0.1"),
                           library));
    assert_true(tn_value_at(table, "a", 1.0) == 77.0 + 2e3 + 1e6);
    table = simulate(tn_format("[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass = 1\n"
                               "[[signal]]\nname = 'a'\nid = 5\ntype = 'routine'\nlibrary = '%s'\n" SENSOR(
                                   "a", "routine(5)") SOLVER("type = 'rk'\nstep = 0.1"),
                               library));
    assert_true(tn_value_at(table, "a", 1.0) == 5.0 + 1e6);
    table =
        simulate(tn_format("[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass = 1\n"
                           "[[element]]\nname = 'push'\nid = 9\ntype = 'coordinate_force'\nmarkers = 'cart'\n"
                           "value = { library = '%s', item_id = 3 }\n[[sensor]]\nname = 'f'\nelement = "
                           "'push'\noutput = 'force'\n" SOLVER("type = 'rk'\nstep = 0.1"),
                           library));
    assert_true(tn_value_at(table, "f", 1.0) == 3.0 + 1e6);
}

static void of_what_is_left_out_no_library_is_opened(void **state)
{
    (void)state;
    const char *model = "[parameters]\nused = 0\n[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass = 1\n"
                        "[[element]]\nname = 'v'\nwhen = 'used'\ntype = 'reference_variable'\n"
                        "type_of = 'library'\nlibrary = 'nowhere.so'\n" SOLVER("type = 'rk'\nstep = 0.1");
    const char *path = tn_write("left_out.toml", model);
    assert_int_equal(tn_tenon(TN_WORDS("check", path)).status, 0);
    const tn_outcome used = tn_tenon(TN_WORDS("check", path, "--trust", "--set", "parameters.used=1"));
    assert_int_equal(used.status, 2);
    tn_check_holds(used.errors, TN_WORDS("nowhere.so` cannot be read: No such file"));
}

/* Each copy with braces has a routine of its own. */
static void copies_in_repeats_have_parameters_and_ids_of_their_own(void **state)
{
    (void)state;
    const tn_csv_table *table = simulate(tn_format(
        "[[repeat]]\ncount = 3\nvariable = 'i'\n[[repeat.element]]\nname = 'm{i}'\ntype = 'mass_1d'\nmass = "
        "1\n"
        "[[repeat.element]]\nname = 'v{i}'\nid = '20 + i'\ntype = 'reference_variable'\ntype_of = 'library'\n"
        "library = '%s'\nfunction = 'fortran_'\nreads = ['{i}*time']\n"
        "[[repeat.sensor]]\nname = 's{i}'\nexpression = 'VARVAL(v{i})'\n" BODY SENSOR("x", "VX(body)")
            SOLVER("type = 'rk'\nstep = 0.1"),
        library));
    assert_true(tn_value_at(table, "s1", 1.0) == tn_value_at(table, "x", 1.0));
    assert_true(tn_value_at(table, "s2", 1.0) == 1.0);
}

/* A change puts a routine in place; what a run leaves runs again, from another folder. */
static void changes_and_repeated_runs_find_routines(void **state)
{
    (void)state;
    const char *model =
        tn_format("[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass = 1\n"
                  "[[element]]\nname = 'push'\ntype = 'coordinate_force'\nmarkers = 'cart'\nvalue = 7\n"
                  "[[sensor]]\nname = 'f'\nelement = 'push'\noutput = 'force'\n"
                  "[[change]]\ntime = 0.45\nelement = 'push'\nparameter = 'value'\n"
                  "value = { library = '%s', function = 'RAMP' }\n" SOLVER("type = 'rk'\nstep = 0.1"),
                  "user_routines.so");
    const tn_csv_table *table = simulate(model);
    assert_true(tn_value_at(table, "f", 0.4) == 7.0 && fabs(tn_value_at(table, "f", 0.5) - 1.0) < 1e-12);
    const tn_outcome again =
        tn_tenon(TN_WORDS("run", tn_scratch_path("results/run.toml"), "--trust", "--out", "again"));
    if (again.status) fail_msg("%s", again.errors);
}

static void own_tables_give_derivatives_and_reasons(void **state)
{
    (void)state;
    static const char model[] =
        "[[signal]]\nname = 'own'\ntype = 'routine'\nlibrary = '%s'\nfunction = 'own'\narguments = 2\n" BODY
        "[[element]]\nname = 'pull'\ntype = 'force'\nmarkers = 'body'\nvalue = ['routine(own, %s*VX(body), "
        "3)', 0, 0]\n"
        "[[signal]]\nname = 'square'\ntype = 'routine'\nlibrary = 'texts.so'\nfunction = 'square'\narguments "
        "= 1\n" SENSOR("d", "routine(own, time, 2) - 2*sin(time) + routine(square, time) - time**2")
            SOLVER("type = 'generalized_alpha'\nstep = 1e-2");
    const tn_outcome outcome = run(tn_format(model, dual, "1"));
    assert_null(strstr(outcome.errors, "differences"));
    assert_true(largest(tn_sensors(tn_scratch_path("results")), "d") < 1e-15);
    const tn_outcome far = tn_tenon(
        TN_WORDS("run", tn_write("far.toml", tn_format(model, dual, "1e5")), "--trust", "--out", "far"));
    assert_int_equal(far.status, 2);
    tn_check_holds(far.errors, TN_WORDS("own: `own` of `texts.so`: it is too far"));
}

/* ---- what goes wrong ---------------------------------------------------------------------------------------- */

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    (void)tn_write("source.c", "void f(void) {}\n");
    static const struct {
        const char *value, *error;
    } wrong[] = {
        {"{ library = 'nothing.so' }",
         ".toml:17:22: error: `library` of `pull.value_1`: `nothing.so` cannot be read: No such"},
        {"{ library = 'source.c' }",
         "/source.c` cannot be opened: it is no shared library; `tenon build` compiles it"},
        {"{ library = 'user_routines.so', function = 'KINETIC' }",
         "/user_routines.so` has no function `KINETIC`; it has "},
        {"{ library = 'user_routines.so', functoin = 'SPRING' }",
         "unknown key `functoin`: did you mean `function`?"},
        {"{ library = 'user_routines.so', script = 'law.py' }",
         ".toml:17:42: error: a routine has one of the keys `library` and `script`"},
        {"{ library = 'user_routines.so', interpreter = 'python' }", "`interpreter` belongs to `script`"},
        {"{ script = 'law.m' }",
         "its ending does not tell the language (.py is of python, .lua is of lua): add `interpreter`"},
        {"{ script = 'law.m', interpreter = 'MATLAB' }", "unknown function type `matlab`"},
        {"{ library = 'user_routines.so', arguments = 2 }", "routine takes 2 arguments, and gets 0 here"},
        {"{ library = 'user_routines.so', parameters = 'USER(1, two)' }",
         "number 2 of the list is missing or wrong, before `two)`"},
        {"{ library = 'user_routines.so', function = 'ASKS_FOR_NOTHING' }",
         "no body or marker with the id 4711"},
        {"{ library = 'user_routines.so', function = 'ASKS_FOR_NO_ARRAY' }",
         "in its first call (iflag): it asks for `QDDOT(1011)`: there is no such array: there are DISP"},
        {"{ library = 'user_routines.so', reads = ['DX(bodi)'] }", "did you mean `body`?"},
        {"{ library = 'user_routines.so', unit = 'mm^' }", "its unit is not known"},
        {"{ library = 'texts.so', function = 'drag', arguments = 1 }",
         "`VX(%1)` needs parameter 1, and there are 0"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *model = tn_write(
            "wrong.toml",
            tn_format(
                BODY
                "[[element]]\nname = 'pull'\ntype = 'force'\nvalue = [%s, 0, 0]\nmarkers = 'body'\n" SOLVER(
                    "type = 'rk'\nstep = 0.1"),
                wrong[k].value));
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--trust"));
        if (outcome.status != 2 || !strstr(outcome.errors, wrong[k].error))
            fail_msg("%s: exit %d, %s", wrong[k].value, outcome.status, outcome.errors);
    }
}

static void keys_of_variables_fit_their_source(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *error;
    } wrong[] = {
        {"library = 'user_routines.so'", "`library` does not belong to `type_of = \"expression\"`"},
        {"type_of = 'library'\nlibrary = 'user_routines.so'\nexpression = 1",
         "`expression` is given by a routine already: leave out this key, or `library` and `script`"},
        {"type_of = 'script'\nexpression = 1", "missing key `script`"},
        {"expression = 1\nfunction = 'VARSUB'", "`function` does not belong to `type_of = \"expression\"`"},
        {"type_of = 'library'", "missing key `expression`"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *model = tn_write(
            "wrong.toml", tn_format(BODY "[[element]]\nname = 'v'\ntype = 'reference_variable'\n%s\n" SOLVER(
                                        "type = 'rk'\nstep = 0.1"),
                                    wrong[k].keys));
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", model, "--trust"));
        if (outcome.status != 2 || !strstr(outcome.errors, wrong[k].error))
            fail_msg("%s: exit %d, %s", wrong[k].keys, outcome.status, outcome.errors);
    }
}

static void code_of_a_model_runs_only_when_it_is_trusted(void **state)
{
    (void)state;
    const char *model =
        tn_write("wary.toml", tn_format(BODY VARIABLE("v", "type_of = 'library'\nlibrary = '%s'")
                                            SOLVER("type = 'rk'\nstep = 0.1"),
                                        "user_routines.so"));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", model));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("wary.toml:18:11: error: `",
                                            "user_routines.so` is not in a trusted directory: "
                                            "name its directory with --plugin-path, or use --trust"));
    const tn_outcome named = tn_tenon(TN_WORDS("check", model, "--plugin-path", tn_scratch_path("")));
    if (named.status) fail_msg("%s", named.errors);
}

/* Messages on a routine during the run have its name, its element and the time. */
static void failures_of_a_run_name_the_routine_and_the_time(void **state)
{
    (void)state;
    static const struct {
        const char *function, *error;
    } wrong[] = {
        {"TOO_FAR", "signal `pull.value_1`: `TOO_FAR` of `user_routines.so` has no finite value here"},
        {"NO_NUMBER", "signal `pull.value_1`: `NO_NUMBER` of `user_routines.so` has no finite value here"},
        {"FICKLE", "`FICKLE` of `user_routines.so`, at 0.5 s: it asks for `VX(1011)`, which it has not asked "
                   "for in its "
                   "first call (iflag)"},
        {"STOPPER", "`STOPPER` of `user_routines.so`, at 0.5 s: too hot (id 8)"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *model =
            tn_write("fails.toml",
                     tn_format(BODY "[[element]]\nname = 'pull'\nid = 8\ntype = 'force'\nmarkers = 'body'\n"
                                    "value = [{ library = '%s', function = '%s' }, 0, 0]\n" SOLVER(
                                        "type = 'rk'\nstep = 0.1"),
                               library, wrong[k].function));
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--trust", "--out", "fails"));
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors, TN_WORDS("force `pull` (", wrong[k].error));
        if (k == 3)
            tn_check_holds(
                outcome.errors,
                TN_WORDS(
                    "warning: pull.value_1: `STOPPER` of `user_routines.so`, at 0.3 s: getting warm (id 8)"));
    }
}

static void guarded_routines_stay_within_their_arrays(void **state)
{
    (void)state;
    (void)tn_simulate(
        tn_format(BODY VARIABLE(
                      "ke", "id = 3070\ntype_of = 'library'\nlibrary = '%s'\nfunction = 'Kinetic_Energy'\n"
                            "parameters = '" PARAMETERS
                            "'") "[[element]]\nname = 'pull'\ntype = 'force'\nmarkers = 'body'\nvalue = "
                                 "['VARVAL(ke)', 0, 0]\n" SOLVER("type = 'generalized_alpha'\nstep = 1e-2"),
                  library),
        TN_WORDS("--trust", "--guard", "--set", "solver.end_time=0.1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kinetic_energy_of_routines_is_that_of_the_expression),
        cmocka_unit_test(a_force_moves_the_body_as_its_expression_does),
        cmocka_unit_test(tables_stand_in_place_of_numbers_and_functions),
        cmocka_unit_test(a_routine_is_a_constraint),
        cmocka_unit_test(a_routine_that_asks_for_itself_is_an_equation),
        cmocka_unit_test(a_routine_gets_the_id_of_its_element_or_signal),
        cmocka_unit_test(of_what_is_left_out_no_library_is_opened),
        cmocka_unit_test(copies_in_repeats_have_parameters_and_ids_of_their_own),
        cmocka_unit_test(changes_and_repeated_runs_find_routines),
        cmocka_unit_test(own_tables_give_derivatives_and_reasons),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(keys_of_variables_fit_their_source),
        cmocka_unit_test(code_of_a_model_runs_only_when_it_is_trusted),
        cmocka_unit_test(failures_of_a_run_name_the_routine_and_the_time),
        cmocka_unit_test(guarded_routines_stay_within_their_arrays)};
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

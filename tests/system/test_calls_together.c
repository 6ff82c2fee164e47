/* test_calls_together.c - functions of users that are called for several instances at once: what stands side by side makes no difference */
#include "harness.h"

#include <math.h>

static const char *run_model(const char *name, const char *model, const char *folder)
{
    const char *results = tn_scratch_path(folder);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write(name, model), "--trust", "--out", results));
    if (outcome.status != 0) fail_msg("%s, exit %d: %s", name, outcome.status, outcome.errors);
    return results;
}

/* A row of 45 points; what stands between two of them depends on its number. */
#define ROW                                                                                           \
    "[[repeat]]\ncount = 46\nelement = [{ name = 'p_{i}', type = 'mass_point', mass = 1, position = " \
    "['1.01*i + 0.02*sin(i)', '0.03*cos(3*i)', 0] }]\n"                                               \
    "[[sensor]]\nname = 's'\nelement = 'p_*'\noutput = 'position'\n"                                  \
    "[solver]\ntype = '%s'\nstep = 1e-3\nend_time = 0.1\n[output]\ninterval = 0.01\n"                 \
    "[[repeat]]\ncount = 45\n"
#define SPRING(when, more)                                                           \
    "[[repeat.element]]\nname = 'spring_{i}'\ntype = 'spring_damper'\nwhen = '" when \
    "'\nmarkers = ['p_{i}', 'p_{i+1}']\nreference_length = 1\nstiffness = '90 + i'\ndamping = 2\n" more "\n"

static const char linear[] = ROW SPRING("mod(i, 7) != 4", "") SPRING("mod(i, 7) == 4", "active = false");
static const char mixed[] = ROW SPRING("mod(i, 7) == 0", "")
    SPRING("mod(i, 7) == 1", "force_function = 'stiffness*deltaL + damping*deltaL_t'")
        SPRING("mod(i, 7) == 2", "force_function = '2*(damping*deltaL_t + stiffness*deltaL)/2'") SPRING(
            "mod(i, 7) == 3",
            "force_function = 'IF(deltaL: (90 + i)*deltaL, 0, (90 + i)*deltaL) + damping*deltaL_t'")
            SPRING("mod(i, 7) == 4", "force_function = 'stiffness*deltaL'\nactive = false")
                SPRING("mod(i, 7) == 5", "force_function = '(90 + i)*deltaL + 2*VR(p_{i+1}, p_{i})'") SPRING(
                    "mod(i, 7) == 6",
                    "force_function = 'stiffness*(DM(p_{i}, p_{i+1}) - 1) + damping*deltaL_t + 0*time'");

/* In neighbours of different branches. */
static const char branched[] = ROW SPRING(
    "mod(i, 7) != 4", "force_function = 'IF(deltaL: stiffness*deltaL + 0/deltaL, 0, MIN(stiffness*deltaL + "
                      "0*SQRT(deltaL), 1e3)) + damping*deltaL_t'") SPRING("mod(i, 7) == 4", "active = false");

static void moves_as_the_linear_one(const char *model)
{
    static const char *const solvers[] = {"rk", "generalized_alpha"};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        const tn_csv_table *a = tn_sensors(run_model("mixed.toml", tn_format(model, solvers[k]), "mixed"));
        const tn_csv_table *b = tn_sensors(run_model("linear.toml", tn_format(linear, solvers[k]), "linear"));
        assert_true(a->rows == 11 && a->rows == b->rows && a->columns == b->columns && a->columns > 100);
        for (size_t row = 0; row < a->rows; row++)
            for (size_t column = 0; column < a->columns; column++) {
                const double x = tn_csv_value(a, row, column), y = tn_csv_value(b, row, column);
                if (!(fabs(x - y) <= 1e-12 * (1.0 + fabs(y))))
                    fail_msg("%s, %s, row %zu: %.17g instead of %.17g", solvers[k], a->name[column], row, x,
                             y);
            }
    }
}

static void forms_of_a_law_stand_side_by_side(void **state)
{
    (void)state;
    moves_as_the_linear_one(mixed);
}

static void branches_of_a_law_stand_side_by_side(void **state)
{
    (void)state;
    moves_as_the_linear_one(branched);
}

#define ADAPTIVE "rk'\nrelative_tolerance = 1e-7\n# '" /* as the type of a solver */

/* Adaptive solvers end steps where a spring goes from one branch to another, whether it is called together with others or, as a number
 * in its law is its own, alone. */
static void steps_end_where_one_of_them_switches(void **state)
{
    (void)state;
    static const char *const together[] = {
        "IF(deltaL: 0, 0, stiffness*deltaL) + damping*deltaL_t",
        "stiffness*MAX(deltaL, 0) + damping*deltaL_t",
        "stiffness*deltaL - BISTOP(deltaL, deltaL_t, 0, 0.01, stiffness, 1.5, 2, 0.001)"};
    static const char *const alone[] = {
        "IF(deltaL: 0, 0, {90 + i}*deltaL) + damping*deltaL_t", "{90 + i}*MAX(deltaL, 0) + damping*deltaL_t",
        "{90 + i}*deltaL - BISTOP(deltaL, deltaL_t, 0, 0.01, {90 + i}, 1.5, 2, 0.001)"};
    for (size_t k = 0; k < sizeof together / sizeof *together; k++) {
        const char *const law[] = {together[k], alone[k]};
        const tn_csv_table *run[2];
        double events[2];
        for (size_t i = 0; i < 2; i++) {
            const char *model = tn_format(ROW SPRING("i < 8", "force_function = '%s'"), ADAPTIVE, law[i]);
            const char *results = run_model("switches.toml", model, "switches");
            run[i] = tn_sensors(results);
            events[i] = tn_run_number(results, "run.statistics.events");
        }
        if (!(events[0] == events[1] && events[0] > 0.0))
            fail_msg("%s: %g events together, %g alone", law[0], events[0], events[1]);
        assert_true(run[0]->rows == 11 && run[1]->rows == 11);
        for (size_t row = 0; row < run[0]->rows; row++)
            for (size_t column = 0; column < run[0]->columns; column++)
                assert_true(tn_csv_value(run[0], row, column) == tn_csv_value(run[1], row, column));
    }
}

/* One of them leaves the domain of its function while those beside it do not. */
static void the_one_without_a_value_is_named(void **state)
{
    (void)state;
    static const char model[] = ROW
        "[[repeat.element]]\nname = 'spring_{i}'\ntype = 'spring_damper'\nmarkers = ['p_{i}', 'p_{i+1}']\n"
        "reference_length = 1\nforce_function = '0*sqrt(0.05 + abs(i - 21) - time) + 10*deltaL'\n";
    const char *file = tn_write("domain.toml", tn_format(model, "rk"));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", tn_scratch_path("domain")));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("spring_21", "SQRT of a negative number"));
    assert_null(strstr(outcome.errors, "spring_20"));
}

/* ---- tables of routines ------------------------------------------------------------------------------------- */

static const char routine[] =
    "#include <tenon/routine.h>\n"
    "#if TN_VALUES\n"
    "static tn_status law_value(tn_routine_call *call)\n"
    "{\n"
    "    call->value = call->parameter[0] * call->argument[0] + 2 * call->argument[1];\n"
    "    return TN_OK;\n"
    "}\n"
    "static tn_status law_values(const tn_routine_calls *calls)\n"
    "{\n"
    "    const double *x = calls->argument, *v = x + calls->stride;\n"
    "    for (uint32_t i = 0; i < calls->count; i++)\n"
    "        calls->value[i] = FACTOR * calls->parameter[i][0] * x[i] + 2 * v[i];\n"
    "    return TN_OK;\n"
    "}\n"
    "TN_EXPORT extern const tn_routine_table tn_routine_law;\n"
    "const tn_routine_table tn_routine_law = {sizeof(tn_routine_table), 0, 0, law_value, law_values};\n"
    "#endif\n";
static const char routines[] =
    ROW SPRING("mod(i, 7) != 4",
               "force_function = { library = '%s.so', function = 'law', parameters = 'USER({90 + i})' }")
        SPRING("mod(i, 7) == 4", "active = false");

static void build(const char *name, const char *factor)
{
    const char *source =
        tn_write(tn_format("%s.c", name), tn_format("#define FACTOR %s\n%s", factor, routine));
    const tn_outcome built =
        tn_tenon(TN_WORDS("build", source, "-o", tn_format("%s", tn_scratch_path(tn_format("%s.so", name)))));
    if (built.status) fail_msg("%s", built.errors);
}

static void tables_may_give_the_values_of_several_calls(void **state)
{
    (void)state;
    build("good", "1");
    const tn_csv_table *a = tn_sensors(run_model("table.toml", tn_format(routines, "rk", "good"), "table"));
    const tn_csv_table *b = tn_sensors(run_model("linear.toml", tn_format(linear, "rk"), "linear"));
    for (size_t row = 0; row < a->rows; row++)
        for (size_t column = 0; column < a->columns; column++)
            assert_true(fabs(tn_csv_value(a, row, column) - tn_csv_value(b, row, column)) < 1e-12);
}

static void values_that_differ_from_those_of_single_calls_are_refused(void **state)
{
    (void)state;
    build("other", "1.001");
    const char *file = tn_write("other.toml", tn_format(routines, "rk", "other"));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--trust", "--out", tn_scratch_path("other")));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("`law` of `other.so`: `values` of its table gives ", " where `value` gives "));
}

/* ---- speeds of separation ----------------------------------------------------------------------------------- */

/* VR is read from DM: an observer that turns sees the same speed, and names are checked as before. */
static void a_speed_of_separation_is_the_rate_of_the_distance(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 2, 3]\nposition = [1, 2, 3]\n"
        "velocity = [0.3, -0.2, 0.5]\nangular_velocity = [1, 2, 3]\n"
        "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 1\nposition = [-1, 0.5, 2]\nvelocity = [0.1, "
        "0.7, -0.4]\n"
        "[[sensor]]\nname = 's'\nexpression = 'VR(a, b, %s) - VR(a, b)'\n"
        "[[sensor]]\nname = 'd'\nexpression = 'DM(a, b)'\n[[sensor]]\nname = 'r'\nexpression = 'VR(b, a)'\n"
        "[solver]\ntype = 'rk'\nstep = 1e-3\nend_time = 1\n[output]\ninterval = 1e-2\n";
    const tn_csv_table *t = tn_sensors(run_model("speed.toml", tn_format(model, "a"), "speed"));
    const size_t d = tn_column_of(t, "d"), r = tn_column_of(t, "r"), s = tn_column_of(t, "s");
    for (size_t row = 1; row + 1 < t->rows; row++) {
        const double rate = (tn_csv_value(t, row + 1, d) - tn_csv_value(t, row - 1, d)) / 0.02;
        assert_true(tn_csv_value(t, row, s) == 0.0);
        assert_true(fabs(rate - tn_csv_value(t, row, r)) < 1e-4);
    }
    const tn_outcome wrong = tn_tenon(TN_WORDS("run", tn_write("wrong.toml", tn_format(model, "c"))));
    assert_int_equal(wrong.status, 2);
    tn_check_holds(wrong.errors, TN_WORDS("`c`"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_a_law_stand_side_by_side),
        cmocka_unit_test(branches_of_a_law_stand_side_by_side),
        cmocka_unit_test(steps_end_where_one_of_them_switches),
        cmocka_unit_test(the_one_without_a_value_is_named),
        cmocka_unit_test(tables_may_give_the_values_of_several_calls),
        cmocka_unit_test(values_that_differ_from_those_of_single_calls_are_refused),
        cmocka_unit_test(a_speed_of_separation_is_the_rate_of_the_distance),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_loops.c - variables that read each other: their values, what forces and constraints make of them, and loops without a
 * solution */
#include "models.h"
#include "tangent.h"
#include "values/state_values.h"

#include <math.h>

static const char *const solvers[] = {("type = 'generalized_alpha'\nstep = 1e-3\n"
                                       "newton = { relative_tolerance = 1e-12 }\n"),
                                      "type = 'rk'\nstep = 1e-3\n", "type = 'gsl_ode'\nstep = 1e-3\n"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

#define IMPLICIT(name, expression) VARIABLE(name, expression) "implicit = true\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define MASS "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [0.6, 0, 0]\n"
#define PUSH(value) "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\nvalue = ['" value "', 0, 0]\n"

static const char *with_solver(const char *model, const char *end, int solver)
{
    return tn_format("%s\n[solver]\nend_time = %s\n%s[output]\ninterval = 0.1\n", model, end,
                     solvers[solver]);
}

static const tn_csv_table *run_for(const char *model, const char *end, int solver)
{
    return tn_simulate(with_solver(model, end, solver), NULL);
}

static void expect(const tn_csv_table *run, const char *column, double time, double value, double tolerance)
{
    const double found = tn_value_at(run, column, time);
    if (!(fabs(found - value) <= tolerance))
        fail_msg("%s(%g) = %.17g instead of %.17g", column, time, found, value);
}

/* ---- values ---------------------------------------------------------------------------------------------- */

/* A contraction: each round makes the error half as large. */
static void test_values_are_those_of_a_fixed_point(void **state)
{
    (void)state;
    static const char model[] = VARIABLE("v1", "0.5*VARVAL(v2) + SIN(TIME)") VARIABLE("v2", "COS(VARVAL(v1))")
        VARIABLE("reader", "VARVAL(v1) - VARVAL(v2)") SENSOR("v1", "VARVAL(v1)") SENSOR("v2", "VARVAL(v2)")
            SENSOR("reader", "VARVAL(reader)");
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model, "3", s);
        for (int k = 0; k <= 30; k++) {
            double v1 = 0.0, v2 = 0.0;
            for (int round = 0; round < 100; round++) {
                v1 = 0.5 * v2 + sin(0.1 * k);
                v2 = cos(v1);
            }
            expect(run, "v1", 0.1 * k, v1, 1e-14);
            expect(run, "v2", 0.1 * k, v2, 1e-14);
            expect(run, "reader", 0.1 * k, v1 - v2, 2e-14);
        }
    }
}

/* u + u^3 = w, w = 2 sin t - u / 2. */
static void test_equations_stand_in_loops(void **state)
{
    (void)state;
    static const char model[] = IMPLICIT("u", "VARVAL(u) + VARVAL(u)**3 - VARVAL(w)")
        VARIABLE("w", "2*SIN(TIME) - 0.5*VARVAL(u)") SENSOR("u", "VARVAL(u)") SENSOR("w", "VARVAL(w)");
    const tn_csv_table *run = run_for(model, "3", 1);
    for (int k = 0; k <= 30; k++) {
        const double u = tn_value_at(run, "u", 0.1 * k);
        assert_true(fabs(1.5 * u + u * u * u - 2.0 * sin(0.1 * k)) <= 1e-14);
        expect(run, "w", 0.1 * k, u + u * u * u, 1e-14);
    }
}

/* Newton's method from zero would go astray, and finds no value of 1/v2 there. */
static void test_steps_that_lead_away_are_shortened(void **state)
{
    (void)state;
    static const char model[] = IMPLICIT("u", "ATAN(VARVAL(u) - VARVAL(w))")
        VARIABLE("w", "20 + TIME + 0*VARVAL(u)") VARIABLE("v1", "1 + 1/VARVAL(v2)")
            VARIABLE("v2", "VARVAL(v3)") VARIABLE("v3", "1.5 + 0.5*COS(VARVAL(v1))") SENSOR("u", "VARVAL(u)")
                SENSOR("v1", "VARVAL(v1)");
    const tn_csv_table *run = run_for(model, "0.5", 1);
    expect(run, "u", 0.0, 20.0, 1e-13);
    expect(run, "u", 0.5, 20.5, 1e-13);
    const double v1 = tn_value_at(run, "v1", 0.5);
    assert_true(fabs(v1 - 1.0 - 1.0 / (1.5 + 0.5 * cos(v1))) <= 1e-15);
}

/* u^2 = 4 says nothing about where to go from zero. */
static void test_the_first_guess_is_the_initial_value(void **state)
{
    (void)state;
    static const char model[] =
        IMPLICIT("u", "VARVAL(u)**2 - 4 - TIME") "initial_value = -3\n" VARIABLE("w", "2*VARVAL(u)")
            SENSOR("w", "VARVAL(w)");
    expect(run_for(model, "0.5", 1), "w", 0.5, -2.0 * sqrt(4.5), 1e-15);
}

static void test_a_loop_may_be_long(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    static const char model[] = VARIABLE(
        "v_0", "TIME + 0.9*SIN(VARVAL(v_199))") "[[repeat]]\ncount = 199\n[[repeat.element]]\nname = "
                                                "'v_{i+1}'\n"
                                                "type = 'reference_variable'\nexpression = '1 + "
                                                "0.9*SIN(VARVAL(v_{i}))'\n" SENSOR("first", "VARVAL(v_0)")
                                                    SENSOR("last", "VARVAL(v_199)");
    const tn_csv_table *run = run_for(model, "0.2", 1);
    for (int k = 0; k <= 2; k++) {
        double v[COUNT] = {0.0};
        for (int round = 0; round < 4; round++)
            for (int i = 0; i < COUNT; i++)
                v[i] = (i ? 1.0 : 0.1 * k) + 0.9 * sin(v[(i + COUNT - 1) % COUNT]);
        expect(run, "first", 0.1 * k, v[0], 1e-14);
        expect(run, "last", 0.1 * k, v[COUNT - 1], 1e-14);
    }
}

/* ---- what reads them ------------------------------------------------------------------------------------- */

/* a = x (1 + b), b = a/2 + v/10: a = x (1 + v/10) / (1 - x/2). */
#define LOOP VARIABLE("a", "DX(m)*(1 + VARVAL(b))") VARIABLE("b", "0.5*VARVAL(a) + 0.1*VX(m)")
#define WRITTEN_OUT "DX(m)*(1 + 0.1*VX(m))/(1 - 0.5*DX(m))"

static double iterations_of(const char *model, const char *out)
{
    const char *file = tn_write("model.toml", model);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", out, "--quiet"));
    if (outcome.status) fail_msg("%s", outcome.errors);
    return tn_run_number(tn_scratch_path(out), "run.statistics.newton_iterations");
}

/* Both models move alike, under all solvers, and Newton's method with all derivatives needs as many iterations. */
static void compare(const char *loop, const char *written_out)
{
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *a = run_for(loop, "2", s), *b = run_for(written_out, "2", s);
        for (int k = 0; k <= 20; k++)
            expect(a, "x", 0.1 * k, tn_value_at(b, "x", 0.1 * k), 1e-9);
    }
    static const char full[] = "[solver]\ntype = 'generalized_alpha'\nstep = 0.02\nend_time = 2\n"
                               "newton = { jacobian = 'full' }\n";
    const double iterations = iterations_of(tn_format("%s%s", loop, full), "loop");
    assert_true(iterations == iterations_of(tn_format("%s%s", written_out, full), "written_out"));
    assert_true(iterations < 400.0);
}

static void test_forces_read_loops(void **state)
{
    (void)state;
    static const char loop[] = MASS LOOP PUSH("-100*VARVAL(a)") SENSOR("x", "DX(m)"),
                      written_out[] = MASS PUSH("-100*" WRITTEN_OUT) SENSOR("x", "DX(m)");
    compare(loop, written_out);
}

static void test_integrals_read_loops(void **state)
{
    (void)state;
    static const char model[] = VARIABLE("y", "-VARVAL(a)") "integral = true\ninitial_value = 1\n" VARIABLE(
        "a", "VARVAL(y) + VARVAL(b)") VARIABLE("b", "0.5*VARVAL(a)") SENSOR("y", "VARVAL(y)");
    for (int s = 0; s < SOLVERS; s++)
        expect(run_for(model, "1", s), "y", 1.0, exp(-2.0), s ? 1e-9 : 1e-6);
}

/* s = |r| - 1, c = s (1 + b), b = c/2: c = s / (1 - s/2); held, or soft. */
static void test_constraints_read_loops(void **state)
{
    (void)state;
    static const char start[] =
        "[model]\ngravity = [0, 0, -9.81]\n[[element]]\nname = 'm'\n"
        "type = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\nvelocity = [0, 0.5, 0]\n";
    static const char *const ways[] = {"", "autobalance = 'penalty'\npenalty = 300\npenalty1 = 2\n"};
    for (int way = 0; way < 2; way++)
        compare(tn_format("%s%s%s%s", start,
                          VARIABLE("c", "(DM(m) - 1)*(1 + VARVAL(b)) + 0*VARVAL(u)") VARIABLE(
                              "b", "0.5*VARVAL(c)") IMPLICIT("u", "VARVAL(u) + VARVAL(u)**3 - DX(m)"),
                          SENSOR("x", "DX(m)") IMPLICIT("g", "VARVAL(c)"), ways[way]),
                tn_format("%s%s%s%s", start, SENSOR("x", "DX(m)"),
                          IMPLICIT("g", "(DM(m) - 1)/(1.5 - 0.5*DM(m))"), ways[way]));
}

/* Loops in loops, one behind the other, with equations, a soft constraint in one of them; some end. */
static void test_the_tangent_goes_through_loops(void **state)
{
    (void)state;
    static const char model[] =
        BODY_A BODY_B POINT_C FRAMES VARIABLE("far", "0.3*SIN(VARVAL(near)) + 0.2*VX(b1, a1, a2)")
            VARIABLE("near", "0.4*VARVAL(far) + 0.2*DX(c, a1, b1) + "
                             "0.1*COS(VARVAL(side))")
                VARIABLE("side", "DY(c) - 0.3*VARVAL(near)*VARVAL(outside)")
                    VARIABLE("outside", "SIN(VARVAL(root))")
                        IMPLICIT("root", "VARVAL(root) + 0.1*VARVAL(root)**3 - 0.3*VARVAL(leaf) - WZ(b)")
                            VARIABLE("leaf", "SIN(VARVAL(root) + DZ(a1, b1))")
                                READING_SPRING("spring", "'a1', 'c'", "3 + SIN(VARVAL(far))",
                                               "0.7 + 0.1*VARVAL(side)", "1.5")
                                    READING("force", "push", "'b1', 'a2'", "VARVAL(near)",
                                            "VARVAL(side)*VARVAL(root)", "DX(c)*VARVAL(outside)");
    tn_check_tangent(model);
}

static void test_the_tangent_of_soft_constraints_goes_through_loops(void **state)
{
    (void)state;
    static const char model[] = BODY_A BODY_B FRAMES IMPLICIT(
        "g",
        "VARVAL(far) + 0.2*DM(a1, b1)**2") "autobalance = 'penalty'\npenalty = 3\npenalty1 = "
                                           "0\n" VARIABLE("far", "0.3*SIN(VARVAL(near)) + 0.2*DX(b1, a1, a2)")
                                               VARIABLE("near", "0.4*VARVAL(far)*DY(a2) + 0.5*VARVAL(root)")
                                                   IMPLICIT("root", "VARVAL(root) + 0.1*VARVAL(root)**3 "
                                                                    "- DZ(b1) - VARVAL(leaf)")
                                                       VARIABLE("leaf", "0.2*COS(VARVAL(root))");
    tn_check_tangent(model);
}

/* ---- no solution ----------------------------------------------------------------------------------------- */

static void expect_failure(const char *model, const char *const *words)
{
    for (int s = 0; s < SOLVERS; s++) {
        const tn_outcome outcome = tn_tenon(
            TN_WORDS("run", tn_write("failing.toml", with_solver(model, "1", s)), "--out", "failed"));
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors, words);
    }
}

static void test_loops_without_a_solution_are_named(void **state)
{
    (void)state;
    expect_failure(
        VARIABLE("v1", "VARVAL(v2) + 1") VARIABLE("v2", "VARVAL(v1)"),
        TN_WORDS("at time 0 s: reference_variable `v", "` reads `", "`v1`", "`v2`", "are singular here"));
    expect_failure(VARIABLE("v1", "VARVAL(v2)**2 + 0.3*VARVAL(v2) + 1") VARIABLE("v2", "VARVAL(v1)"),
                   TN_WORDS("at time 0 s: reference_variable `v", "` reads `", "`v1`", "`v2`",
                            "no solution of this loop is found"));
    expect_failure(VARIABLE("v1", "SQRT(VARVAL(v2) - 1)") VARIABLE("v2", "VARVAL(v1)"),
                   TN_WORDS("at time 0 s: reference_variable `v1`", "SQRT of a negative number"));
    expect_failure(VARIABLE("v1", "VARVAL(v2)**2 + TIME") VARIABLE("v2", "VARVAL(v1)"),
                   TN_WORDS("at time 0.2", "reference_variable `v", "`v1`", "`v2`"));
}

/* v = v^2 + x has the solutions 0.5 -+ sqrt(0.25 - x). */
static void test_a_failure_leaves_the_last_values(void **state)
{
    (void)state;
    static const char model[] = MASS VARIABLE("v1", "VARVAL(v2)**2 + DX(m)") VARIABLE("v2", "VARVAL(v1)");
    static const double places[] = {0.0, 0.1, 3.0, 0.24, 5.0, 0.2};
    tn_world world;
    tn_world_open(&world, model, NULL, NULL);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const double x = world.system->q[0] = places[k];
        assert_int_equal(world.system->evaluate(world.system), x > 0.25 ? TN_RETRY : TN_OK);
        const double v = *tn_dynamic_place(world.assembly, &world.model->values->dynamic[1]);
        if (x <= 0.25) assert_true(fabs(v - 0.5 + sqrt(0.25 - x)) <= 1e-14);
    }
    tn_world_close(&world);
}

static void test_equations_without_a_solution_are_named(void **state)
{
    (void)state;
    expect_failure(IMPLICIT("v", "VARVAL(v)**2 + 1"),
                   TN_WORDS("at time 0 s: reference_variable `v`", "no solution nearby"));
    expect_failure(IMPLICIT("v", "VARVAL(v)**2 - 2*VARVAL(v) + 2"),
                   TN_WORDS("at time 0 s: reference_variable `v`", "no solution nearby"));
}

static void test_a_loop_has_at_most_1000_values(void **state)
{
    (void)state;
    for (int count = 1000; count <= 1001; count++) {
        const char *model = tn_format(
            "[[repeat]]\ncount = %d\n[[repeat.element]]\nname = 'v_{i}'\ntype = 'reference_variable'\n"
            "expression = '0.5*VARVAL(v_{mod(i + 1, %d)}) + 1'\n%s",
            count, count, SENSOR("v", "VARVAL(v_7)"));
        const tn_outcome check = tn_tenon(TN_WORDS("check", tn_write("long.toml", model)));
        assert_int_equal(check.status, count > 1000 ? 2 : 0);
        if (count > 1000)
            tn_check_holds(check.errors,
                           TN_WORDS("1001 variables read each other in a loop, and at most 1000 "
                                    "can be solved for: `v_",
                                    "reads ... reads `v_"));
    }
}

/* ---- other types of variables ---------------------------------------------------------------------------- */

static const char changing[] =
    "#include <tenon/author.h>\n"
    "#define CHANGING(P) P(REAL, expression, TN_ANY_UNIT, TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, "
    "TN_UNBOUNDED, \"g\") P(REAL, other, TN_ANY_UNIT, TN_DYNAMIC, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "
    "\"read by nobody\")\n"
    "TN_PARAMETERS(changing, CHANGING)\n"
    "#if TN_VALUES\n"
    "static tn_status changing_output(tn_batch *batch)\n{\n"
    "    for (uint32_t k = 0; k < batch->count; k++)\n"
    "        batch->value[k] = ((const changing *)tn_instance(batch, batch->first + k))->other;\n"
    "    return TN_OK;\n}\n"
    "TN_OUTPUTS(changing, {\"other\", \"other\", \"\", 1, 0})\n"
    "TN_ELEMENT(changing, .summary = \"test\", TN_CAPABILITIES(TN_HAS(variable, .variable_kind = NULL)), "
    ".outputs = changing_outputs, .output = "
    "changing_output)\n"
    "TN_LIBRARY(\"changing\", \"1.0.0\", \"Apache-2.0\", \"test\", {TN_ELEMENT_KIND, &changing_type})\n"
    "#endif\n";

#define CHANGING(name, expression) \
    "[[element]]\nname = '" name "'\ntype = 'changing'\nexpression = '" expression "'\n"
#define CHANGE(time, name, value) \
    "[[change]]\ntime = " time "\nelement = '" name "'\nparameter = 'expression'\nvalue = '" value "'\n"

static const tn_csv_table *run_with_plugin(const char *model)
{
    (void)tn_build_text("changing", changing);
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("run",
                 tn_write("changing.toml", tn_format("[plugins]\nchanging = 'changing.so'\n%s"
                                                     "[solver]\ntype = 'rk'\nstep = 0.05\nend_time = 1\n"
                                                     "[output]\ninterval = 0.1\n",
                                                     model)),
                 "--trust", "--quiet", "--out", tn_scratch_path("changing")));
    if (outcome.status) fail_msg("%s", outcome.errors);
    return tn_sensors(tn_scratch_path("changing"));
}

/* a = b/2 + 1, b = a, until b is a number, and a reads another one. */
static void test_changes_open_and_close_loops(void **state)
{
    (void)state;
    const tn_csv_table *run = run_with_plugin(
        CHANGING("a", "0.5*VARVAL(b) + 1") CHANGING("b", "VARVAL(a)") CHANGING("c", "7")
            CHANGE("0.25", "b", "5") CHANGE("0.45", "a", "VARVAL(c)") CHANGE("0.65", "c", "VARVAL(a) + TIME")
                CHANGE("0.65", "a", "0.5*VARVAL(c)") CHANGE("0.65", "b", "0.5*VARVAL(b) + 2")
                    SENSOR("a", "VARVAL(a)") SENSOR("b", "VARVAL(b)"));
    expect(run, "a", 0.1, 2.0, 1e-15);
    expect(run, "b", 0.1, 2.0, 1e-15);
    expect(run, "a", 0.3, 3.5, 1e-15);
    expect(run, "b", 0.3, 5.0, 0.0);
    expect(run, "a", 0.5, 7.0, 1e-15);
    expect(run, "a", 0.8, 0.8, 1e-15);
    expect(run, "b", 0.8, 4.0, 1e-15);
}

/* What VARVAL does not read closes no loop. */
static void test_other_parameters_read_the_variable_itself(void **state)
{
    (void)state;
    const tn_csv_table *run =
        run_with_plugin(CHANGING("a", "TIME") "other = '10*VARVAL(twice) + VARVAL(a)'\n" CHANGING(
            "twice", "2*VARVAL(a)") "[[sensor]]\nname = 'other'\nelement = 'a'\noutput = 'other'\n");
    expect(run, "other", 0.5, 10.5, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_those_of_a_fixed_point),
        cmocka_unit_test(test_equations_stand_in_loops),
        cmocka_unit_test(test_steps_that_lead_away_are_shortened),
        cmocka_unit_test(test_the_first_guess_is_the_initial_value),
        cmocka_unit_test(test_a_loop_may_be_long),
        cmocka_unit_test(test_forces_read_loops),
        cmocka_unit_test(test_integrals_read_loops),
        cmocka_unit_test(test_constraints_read_loops),
        cmocka_unit_test(test_the_tangent_goes_through_loops),
        cmocka_unit_test(test_the_tangent_of_soft_constraints_goes_through_loops),
        cmocka_unit_test(test_loops_without_a_solution_are_named),
        cmocka_unit_test(test_a_failure_leaves_the_last_values),
        cmocka_unit_test(test_equations_without_a_solution_are_named),
        cmocka_unit_test(test_a_loop_has_at_most_1000_values),
        cmocka_unit_test(test_changes_open_and_close_loops),
        cmocka_unit_test(test_other_parameters_read_the_variable_itself)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

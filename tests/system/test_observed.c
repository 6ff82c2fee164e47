/* test_observed.c - chains of variables, and what stands in the way of a value during a run */
#include "harness.h"

#include <math.h>

#define BALL "[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 1\nvelocity = [1, 0, 0]\n"
#define VARIABLE(name, expression) \
    "[[element]]\nname = '" name "'\ntype = 'reference_variable'\nexpression = '" expression "'\n"
#define PUSH(value) \
    "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = 'ball'\nvalue = ['" value "', 0, 0]\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define SOLVER(type) "[solver]\ntype = '" type "'\nend_time = 1\nstep = 0.1\n"

enum { LENGTH = 10000 };

/* Each variable stands in the file in front of the one that it reads, or behind it. */
static void test_long_chains_of_variables(void **state)
{
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        const tn_csv_table *run =
            tn_simulate(tn_format(BALL "[parameters]\nn = %d\n[[repeat]]\ncount = 'n'\nvariable = 'i'\n"
                                       "[[repeat.element]]\nname = 'v_{%s}'\ntype = 'reference_variable'\n"
                                       "expression = 'VARVAL(v_{%s}) + 1'\n" VARIABLE("v_0", "DX(ball)")
                                           SENSOR("last", "VARVAL(v_%d)") SOLVER("rk"),
                                  LENGTH, backwards ? "n-i" : "i+1", backwards ? "n-i-1" : "i", LENGTH),
                        NULL);
        assert_true(fabs(tn_value_at(run, "last", 0.0) - LENGTH) <= 1e-9);
        assert_true(fabs(tn_value_at(run, "last", 1.0) - LENGTH - 1.0) <= 1e-9);
    }
}

/* A force at the end of a chain, each link of which reads a marker, too: -sum of 2^-i x = -2 x. */
static void test_forces_at_the_end_of_a_chain(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        tn_format(
            BALL "[[repeat]]\ncount = %d\nvariable = 'i'\n"
                 "[[repeat.element]]\nname = 'v_{i}'\ntype = 'reference_variable'\n"
                 "expression = '0.5*VARVAL(v_{i+1}) + DX(m_{i})'\n"
                 "[[repeat.marker]]\nname = 'm_{i}'\ntype = 'point'\nelement = 'ball'\n" VARIABLE("v_%d", "0")
                     PUSH("-VARVAL(v_0)") SENSOR("x", "DX(ball)") SOLVER("generalized_alpha"),
            LENGTH, LENGTH),
        NULL);
    assert_true(fabs(tn_value_at(run, "x", 1.0) - sin(sqrt(2.0)) / sqrt(2.0)) <= 1e-3);
}

static void check_failure(const char *model, const char *const *words)
{
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("wrong.toml", model), "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, words);
}

static void test_what_has_no_value_is_named(void **state)
{
    (void)state;
    check_failure(BALL VARIABLE("v", "1/(DX(ball) - 0.5)") PUSH("VARVAL(v)*0 + 0")
                      VARIABLE("w", "SQRT(0.35 - DX(ball))") SOLVER("rk"),
                  TN_WORDS("reference_variable `w`", "wrong.toml:18:14", "SQRT of a negative number"));
    check_failure(BALL PUSH("LOG(-1 - DX(ball)**2)") SOLVER("generalized_alpha"),
                  TN_WORDS("force `push`", "wrong.toml:10:10"));
    check_failure("[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n" SENSOR(
                      "x", "PSI(body)") SOLVER("rk"),
                  TN_WORDS("psi `psi(body, 0)`", "wrong.toml:8:14", "this angle has no value here"));
}

/* The same call is the same marker, however it is written. */
static void test_the_same_call_is_made_once(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world,
                  "[[element]]\nname = 'ball'\nid = 4\ntype = 'mass_point'\nmass = 1\n" VARIABLE(
                      "v", "DX(ball) + dx(4, 0) + DX(ball, ground, 0)") SENSOR("x", "Dx(ball) + DX(4)")
                      SOLVER("rk"),
                  NULL, NULL);
    assert_int_equal(world.model->derived_count, 2); /* against nothing, and against a marker of ground */
    tn_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_chains_of_variables), cmocka_unit_test(test_forces_at_the_end_of_a_chain),
        cmocka_unit_test(test_what_has_no_value_is_named), cmocka_unit_test(test_the_same_call_is_made_once)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

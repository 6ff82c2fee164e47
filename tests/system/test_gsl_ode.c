/* test_gsl_ode.c - the steppers of GSL on real models, through the program */
#include "harness.h"

#include <math.h>
#include <unistd.h>

#define REFERENCE TENON_SOURCE_DIR "/tests/reference/body_on_spring"

/* The plugin is left out where its library is missing. */
static void need_plugin(void) { tn_need_plugin("gsl_ode"); }

/* Largest difference of all columns of `reference` at its times. */
static double difference(const tn_csv_table *run, const tn_csv_table *reference)
{
    double largest = 0.0;
    for (size_t k = 1; k < reference->columns; k++)
        for (size_t row = 0; row < reference->rows; row++) {
            const double time = tn_csv_value(reference, row, 0), value = tn_csv_value(reference, row, k);
            largest = fmax(largest, fabs(tn_value_at(run, reference->name[k], time) - value));
        }
    return largest;
}

/* The body on an eccentric spring, which tumbles. */
static const tn_csv_table *run_body(const char *stepper, const char *const *more)
{
    const char *words[16] = {"--solver", "gsl_ode", "--set", tn_format("solver.stepper=%s", stepper)};
    for (size_t k = 0; more[k]; k++)
        words[4 + k] = more[k];
    return tn_simulate(tn_read(REFERENCE ".toml"), words);
}

static void test_adaptive_steps_meet_the_reference(void **state)
{
    (void)state;
    need_plugin();
    tn_csv_table reference;
    assert_true(tn_csv_read(REFERENCE ".csv", &reference, stderr));
    static const char *const steppers[] = {"rk4", "rkf45", "rkck", "rk8pd", "rk4imp", "bsimp", "msadams"};
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++) {
        const tn_csv_table *run =
            run_body(steppers[k], TN_WORDS("--set", "solver.relative_tolerance=1e-10", "--set",
                                           "solver.absolute_tolerance=1e-10", "--set", "solver.step=1e-3"));
        const double error = difference(run, &reference);
        if (!(error < 1e-7)) fail_msg("%s: %g", steppers[k], error);
    }
}

/* A spring a thousand times as stiff, with steps that an explicit method cannot take: Newton's method would end
 * at once with a wrong Jacobian of the rotating body. */
static void test_implicit_steppers_hold_a_stiff_body(void **state)
{
    (void)state;
    need_plugin();
    static const char *const steppers[] = {"rk4imp", "bsimp"};
    const char *const stiff[] = {
        "--set", "element.spring.stiffness=2e5", "--set", "element.spring.damping=2e4",
        "--set", "solver.end_time=0.5",          NULL};
    const char *words[16] = {"--solver", "rk", "--set", "solver.step=1e-5"};
    memcpy(words + 4, stiff, sizeof stiff);
    const tn_csv_table *exact = tn_simulate(tn_read(REFERENCE ".toml"), words);
    for (int k = 0; k < 2; k++) {
        words[0] = "--set", words[1] = "solver.step=5e-3", words[2] = words[3] = NULL;
        memcpy(words + 2, stiff, sizeof stiff);
        const tn_csv_table *run = run_body(steppers[k], words);
        const double error = fabs(tn_value_at(run, "p.x", 0.5) - tn_value_at(exact, "p.x", 0.5));
        if (!(error < 1e-4)) fail_msg("%s: %g", steppers[k], error);
    }
}

/* A mass on a spring, and one that is pushed by the acceleration of the first or, the same, by its displacement. */
#define PUSHED(force)                                                                                  \
    "[[element]]\nname = 'p'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"                   \
    "[[element]]\nname = 'k'\ntype = 'force'\nmarkers = 'p'\nvalue = ['-4*DX(p)', 0, 0]\n"             \
    "[[element]]\nname = 'q'\ntype = 'mass_point'\nmass = 2\nvelocity = [1, 0, 0]\n"                   \
    "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = 'q'\nvalue = ['" force "', 0, 0]\n"            \
    "[[element]]\nname = 'path'\ntype = 'reference_variable'\nintegral = true\nexpression = 'VX(q)'\n" \
    "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n"                                        \
    "[[sensor]]\nname = 'lag'\nexpression = 'VARVAL(path)-DX(q)'\n"                                    \
    "[[sensor]]\nname = 'v'\nexpression = 'VX(q)'\n"                                                   \
    "[solver]\ntype = 'gsl_ode'\nend_time = 1\n"

static void check_integrals(const char *model, const char *stepper, const char *accuracy, double tolerance)
{
    const tn_csv_table *run =
        tn_simulate(model, TN_WORDS("--set", tn_format("solver.stepper=%s", stepper), "--set", accuracy));
    const double balance = tn_value_at(run, "balance", 1.0) - 1.0, lag = tn_value_at(run, "lag", 1.0),
                 error = tn_value_at(run, "v", 1.0) - (1.0 - 3.0 * sin(2.0));
    if (!(fmax(fmax(fabs(balance), fabs(lag)), fabs(error)) < tolerance))
        fail_msg("%s, %s: energy balance %g, integral %g, motion %g", stepper, accuracy, balance, lag, error);
}

/* At the step of 12.5 ms GSL's msbdf starts anew in the middle of the run. */
static void test_integrals_follow_the_motion_of_multistep_methods(void **state)
{
    (void)state;
    need_plugin();
    static const char *const steps[] = {"0.1", "0.05", "0.025", "0.0125", "0.01", "0.00625", "0.0025"};
    static const char *const models[] = {PUSHED("3*ACCX(p)"), PUSHED("-12*DX(p)")};
    static const char *const steppers[] = {"msadams", "msbdf"};
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            check_integrals(models[k / 2], steppers[k % 2], tn_format("solver.step=%s", steps[i]), 1e-6);
        for (int i = 4; i <= 8; i++)
            check_integrals(models[k / 2], steppers[k % 2], tn_format("solver.relative_tolerance=1e-%d", i),
                            100.0 * pow(10.0, -i));
    }
}

static void test_mistakes_are_told(void **state)
{
    (void)state;
    need_plugin();
    const char *body = tn_write("body.toml", tn_read(REFERENCE ".toml"));
    tn_outcome outcome =
        tn_tenon(TN_WORDS("run", body, "--quiet", "--solver", "gsl_ode", "--set", "solver.stepper=rkf5"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("`stepper` of [solver]: `rkf5` is not one of rk2|rk4",
                                            "did you mean `rkf45`", "msbdf"));

    // 2400 states
    const char *net = TENON_SOURCE_DIR "/configs/benchmarks/springnet.toml";
    outcome = tn_tenon(TN_WORDS("run", net, "--quiet", "--solver", "gsl_ode", "--set",
                                "solver.stepper=rk4imp", "--set", "parameters.n=20"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("2400 states", "rk4imp", "2000", "use generalized_alpha"));
    outcome = tn_tenon(TN_WORDS("run", net, "--quiet", "--solver", "gsl_ode", "--set", "solver.stepper=rk4",
                                "--set", "parameters.n=20", "--set", "solver.end_time=0.01"));
    assert_int_equal(outcome.status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adaptive_steps_meet_the_reference),
        cmocka_unit_test(test_implicit_steppers_hold_a_stiff_body),
        cmocka_unit_test(test_integrals_follow_the_motion_of_multistep_methods),
        cmocka_unit_test(test_mistakes_are_told)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

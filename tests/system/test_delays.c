/* test_delays.c - values of the past: closed forms, order, what leaves a trace and what does not */
#include "harness.h"

#include <math.h>

#define VARIABLE(name, expression) \
    "[[element]]\nname = '" name "'\ntype = 'reference_variable'\nexpression = '" expression "'\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"

static const tn_csv_table *run(const char *model, const char *solver, double end, double interval)
{
    return tn_simulate(tn_format("%s[solver]\n%send_time = %.17g\n[output]\ninterval = %.17g\n", model,
                                 solver, end, interval),
                       NULL);
}

static void expect(const tn_csv_table *table, const char *column, double time, double value, double tolerance)
{
    const double found = tn_value_at(table, column, time);
    if (!(fabs(found - value) <= tolerance))
        fail_msg("%s(%g) = %.15g instead of %.15g", column, time, found, value);
}

/* ---- y' = -y(t - 1), y = 1 for t <= 0 ---------------------------------------------------------------------- */

static const char decay[] =
    VARIABLE("y", "-DELAY(VARVAL(y), 1, 1)") "integral = true\ninitial_value = 1\n" SENSOR("y", "VARVAL(y)");

/* A polynomial from each whole second to the next. */
static double decayed(double time)
{
    double sum = 0.0, factorial = 1.0;
    for (int k = 0; k <= (int)floor(time + 1e-9) + 1; k++) {
        if (k > 0) factorial *= -k;
        sum += pow(time - (k - 1), k) / factorial;
    }
    return sum;
}

static double largest_error(const char *solver, double interval)
{
    const tn_csv_table *table = run(decay, solver, 9.0, interval);
    double error = 0.0;
    for (double time = 0.0; time < 9.0 + 1e-9; time += interval)
        error = fmax(error, fabs(tn_value_at(table, "y", time) - decayed(time)));
    return error;
}

static double error_of(const char *method, double interval, int steps)
{
    return largest_error(tn_format("%sstep = %.17g\n", method, interval / steps), interval);
}

static void test_the_order_of_a_solver_is_kept(void **state)
{
    (void)state;
    static const char *const second[] = {"type = 'generalized_alpha'\n", "type = 'rk'\norder = 2\n"};
    for (int k = 0; k < 2; k++) {
        const double coarse = error_of(second[k], 0.3, 8), fine = error_of(second[k], 0.3, 16);
        if (!(coarse < 1e-3 && fabs(coarse / fine - 4.0) < 0.2))
            fail_msg("%s: %g, then %g", second[k], coarse, fine);
    }
    /* where no step ends at a whole second, the kinks of the second derivative cost an order */
    assert_true(error_of("type = 'rk'\n", 0.5, 8) / error_of("type = 'rk'\n", 0.5, 16) > 12.0);
    const double between = error_of("type = 'rk'\n", 0.3, 8) / error_of("type = 'rk'\n", 0.3, 32);
    assert_true(between > 36.0 && error_of("type = 'rk'\n", 0.3, 32) < 1e-8);
    assert_true(error_of("type = 'gsl_ode'\n", 0.5, 16) < 1e-6);
}

/* Steps end where the start comes back, whatever rows are asked for. */
static void test_adaptive_steps_follow_the_start(void **state)
{
    (void)state;
    static const char *const methods[] = {"type = 'rk'\norder = 5\n", "type = 'gsl_ode'\n"};
    for (int k = 0; k < 2; k++)
        for (int rows = 0; rows < 2; rows++)
            assert_true(largest_error(tn_format("%sadaptive = true\nstep = 1e-3\n"
                                                "relative_tolerance = 1e-9\nabsolute_tolerance = 1e-9\n",
                                                methods[k]),
                                      rows ? 9.0 : 0.7) < 2e-6);
}

/* The interpolation is about as exact as the steps are, however long these could be; and so are events that look back. */
static void test_adaptive_steps_are_as_short_as_the_past_asks_for(void **state)
{
    (void)state;
    static const char swinging[] =
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
        "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\nvalue = ['-DX(m)', 0, 0]\n" SENSOR(
            "past", "DELAY(DX(m), 0.37, 1)") SENSOR("shifting", "DELAY(DX(m), 0.3 + 0.1*SIN(TIME), 1)");
    for (int k = 5; k <= 11; k += 2) {
        const double tolerance = pow(10.0, -k);
        const tn_csv_table *table =
            run(swinging,
                tn_format("type = 'rk'\norder = 5\nrelative_tolerance = %g\nabsolute_tolerance = %g\n",
                          tolerance, tolerance),
                20.0, 20.0);
        expect(table, "past", 20.0, cos(20.0 - 0.37), 40.0 * tolerance);
        expect(table, "shifting", 20.0, cos(20.0 - 0.3 - 0.1 * sin(20.0)), 40.0 * tolerance);
    }
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("run",
                 tn_write("fall.toml", "model.gravity = [0, 0, -9.81]\n"
                                       "[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 1\n"
                                       "position = [0, 0, 1.5]\n"
                                       "[solver]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-10\n"
                                       "end_time = 2\nstop_when = 'DELAY(DZ(ball), 0.1, 1.5) < 1'\n"),
                 "--out", "fall"));
    assert_int_equal(outcome.status, 0);
    assert_true(fabs(tn_run_number(tn_scratch_path("fall"), "run.end_time") - 0.1 - sqrt(1.0 / 9.81)) <
                1e-10);
}

/* ---- values ------------------------------------------------------------------------------------------------ */

static void test_delays_may_change_vanish_and_stand_inside_each_other(void **state)
{
    (void)state;
    static const char solver[] = "type = 'rk'\nstep = 0.05\n";
    const tn_csv_table *shrinking =
        run(SENSOR("shrinking", "DELAY(TIME**2, 0.1*TIME, 7)"), solver, 1.0, 0.05);
    const tn_csv_table *table =
        run(SENSOR("now", "DELAY(SIN(TIME), -3, 7)") SENSOR("start", "DELAY(1, 2, 10 + TIME)")
                SENSOR("twice", "DELAY(DELAY(TIME**3, 0.3, TIME), 0.45, -1)")
                    SENSOR("none", "DELAY(TIME, 0, 7) - TIME"),
            solver, 1.0, 0.05);
    for (int k = 0; k <= 20; k++) {
        const double t = 0.05 * k, past = t - 0.75;
        if (k > 2) expect(shrinking, "shrinking", t, 0.81 * t * t, 1e-14);
        expect(table, "now", t, sin(t), 0.0);
        expect(table, "start", t, 8.0 + t, 1e-14);
        expect(table, "twice", t, k < 9 ? -1.0 : k < 15 ? past : past * past * past, 1e-14);
        expect(table, "none", t, 0.0, 0.0);
    }
}

/* v = sin t + v(t - 0.1)/2 */
static void test_a_variable_may_read_its_own_past(void **state)
{
    (void)state;
    static const char comb[] = VARIABLE("v", "SIN(TIME) + 0.5*VARVAL(w)")
        VARIABLE("w", "DELAY(VARVAL(v), 0.1, 0)") SENSOR("v", "VARVAL(v)");
    static const char *const solvers[] = {"type = 'rk'\nstep = 0.1\n",
                                          "type = 'generalized_alpha'\nstep = 0.02\n",
                                          "type = 'rk'\norder = 5\nadaptive = true\nmax_step = 0.5\n"};
    for (int s = 0; s < 3; s++) {
        const tn_csv_table *table = run(comb, solvers[s], 2.0, 0.2);
        for (int k = 0; k <= 10; k++) {
            double sum = 0.0;
            for (int i = 0; i <= 2 * k; i++)
                sum += pow(0.5, i) * sin(0.2 * k - 0.1 * i);
            expect(table, "v", 0.2 * k, sum, s < 2 ? 1e-12 : 1e-4);
        }
    }
    const tn_outcome outcome = tn_tenon(TN_WORDS(
        "run", tn_write("long.toml", tn_format("%s[solver]\ntype = 'rk'\nstep = 0.2\nend_time = 1\n", comb)),
        "--out", "long"));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("`w`", "the step is longer than the delay, which closes a loop of variables"));
}

/* f = 1 + f(t - 0.1)/2 rises by half of what is left, every tenth of a second. */
static void test_a_force_may_read_its_own_past(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 2\n[[element]]\nname = 'f'\ntype = 'force'\n"
        "markers = ['m']\nvalue = ['1 + 0.5*DELAY(SFORCE(f, 0, 2), 0.1, 0)', 0, 0]\n" SENSOR("f", "FX(m)");
    const tn_csv_table *table = run(model, "type = 'generalized_alpha'\nstep = 0.01\n", 0.5, 0.05);
    for (int k = 0; k < 5; k++)
        expect(table, "f", 0.1 * k + 0.05, 2.0 - pow(0.5, k), 1e-12);
}

static void test_copies_have_a_past_of_their_own(void **state)
{
    (void)state;
    const tn_csv_table *table = run("[[repeat]]\ncount = 3\nvariable = 'i'\n"
                                    "[[repeat.element]]\nname = 'v_{i}'\ntype = 'reference_variable'\n"
                                    "expression = 'DELAY((i + 1)*TIME, 0.1*(i + 1), -i)'\n"
                                    "[[repeat.sensor]]\nname = 'v_{i}'\nexpression = 'VARVAL(v_{i})'\n",
                                    "type = 'rk'\nstep = 0.1\n", 1.0, 0.1);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= 10; k++)
            expect(table, tn_format("v_%d", i), 0.1 * k, k < i + 1 ? -i : 0.1 * (i + 1) * (k - i - 1), 1e-14);
}

static void test_a_value_that_did_not_exist_is_missed_later(void **state)
{
    (void)state;
    const tn_outcome outcome = tn_tenon(
        TN_WORDS("run",
                 tn_write("root.toml",
                          VARIABLE("v", "DELAY(SQRT(0.5 - TIME), 0.2, 0)") "[solver]\ntype = 'rk'\nstep = "
                                                                           "0.1\nend_time = 1\n"),
                 "--out", "root"));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("`v`", "a delayed value did not exist at its time"));
    const tn_outcome other = tn_tenon(TN_WORDS(
        "run",
        tn_write("lag.toml", VARIABLE("v", "DELAY(TIME, 1/(TIME - 0.5), 0)") "[solver]\ntype = 'rk'\nstep = "
                                                                             "0.1\nend_time = 1\n"),
        "--out", "lag"));
    assert_int_equal(other.status, 1);
    tn_check_holds(other.errors, TN_WORDS("`v`", "division by zero"));
}

/* ---- steps ------------------------------------------------------------------------------------------------- */

/* A point that is pushed at a moment, and steered by its velocity a while ago. */
static const char steered[] =
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
    "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\n"
    "value = ['-100*DX(m) - 5*DELAY(VX(m), 0.13, 0) + 8000*EXP(-((TIME - 1.5)/0.0005)**2)', 0, 0]\n" SENSOR(
        "x", "DX(m)") SENSOR("past", "DELAY(DX(m), 0.13, 1)");

static void test_rejected_steps_leave_no_trace(void **state)
{
    (void)state;
    static const char *const methods[] = {"type = 'rk'\norder = 5\n", "type = 'gsl_ode'\n"};
    const tn_csv_table *fine = run(steered, "type = 'rk'\nstep = 5e-5\n", 2.0, 0.1);
    for (int s = 0; s < 2; s++) {
        const char *model = tn_format("%s[solver]\n%sadaptive = true\nstep = 0.02\n"
                                      "relative_tolerance = 1e-8\nabsolute_tolerance = 1e-8\nend_time = 2\n"
                                      "[output]\ninterval = 0.1\n",
                                      steered, methods[s]);
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", tn_write("steered.toml", model), "--out", "steered"));
        assert_int_equal(outcome.status, 0);
        const char *directory = tn_scratch_path("steered");
        assert_true(tn_run_number(directory, "run.statistics.rejected_steps") > 0.0);
        for (int k = 0; k <= 20; k++) {
            expect(tn_sensors(directory), "x", 0.1 * k, tn_value_at(fine, "x", 0.1 * k), 1e-5);
            expect(tn_sensors(directory), "past", 0.1 * k, tn_value_at(fine, "past", 0.1 * k), 1e-5);
        }
    }
}

static void test_rows_do_not_count(void **state)
{
    (void)state;
    static const char solver[] = "type = 'generalized_alpha'\nstep = 0.01\n";
    const tn_csv_table *all = run(steered, solver, 2.0, 0.01), *few = run(steered, solver, 2.0, 0.5);
    for (int k = 0; k <= 4; k++) {
        expect(all, "x", 0.5 * k, tn_value_at(few, "x", 0.5 * k), 0.0);
        expect(all, "past", 0.5 * k, tn_value_at(few, "past", 0.5 * k), 0.0);
    }
}

/* Shorter than a step, the past depends on the state that is looked for: the matrix knows. */
static void test_short_delays_are_part_of_the_matrix(void **state)
{
    (void)state;
    static const char *const forces[] = {
        "-1e6*DX(m) - 2e3*VX(m)", "-1e6*DELAY(DX(m), 1e-5, 1) - 2e3*VX(m)",
        "-1e6*DELAY(DX(m), 1e-5*(1 + DX(m)**2), 1) - 2e3*DELAY(VX(m), 0, 0)"};
    for (int k = 0; k < 3; k++) {
        const char *model =
            tn_format("[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
                      "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\nvalue = ['%s', 0, 0]\n"
                      "[solver]\ntype = 'generalized_alpha'\nstep = 0.01\nend_time = 1\n"
                      "newton = { jacobian = 'full' }\n",
                      forces[k]);
        const char *name = tn_format("short%d", k);
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", tn_write(tn_format("%s.toml", name), model), "--out", name));
        assert_int_equal(outcome.status, 0);
        assert_true(tn_run_number(tn_scratch_path(name), "run.statistics.newton_iterations") <= 220.0);
    }
}

/* ---- changes and several solvers --------------------------------------------------------------------------- */

static void test_the_past_outlives_changes_and_solvers(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 1\n"
        "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
        "[[marker]]\nname = 'p'\ntype = 'point'\nelement = 'body'\nposition = [1, 0, 0]\n"
        "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['b']\nvalue = [5, 0, 0]\n"
        "[[sensor]]\nname = 'f'\nelement = 'f'\noutput = 'force'\n" SENSOR(
            "v", "DELAY(DX(p) + TIME, 0.5, 0)") "[[change]]\ntime = 1\nmarker = 'p'\nposition = [7, 0, 0]\n"
                                                "[[change]]\ntime = 1.2\nelement = 'f'\nparameter = "
                                                "'value'\nvalue = ['DELAY(TIME**2, 1, -1)', 0, 0]\n"
                                                "[[solver]]\ntype = 'rk'\nstep = 0.02\nend_time = 1.1\n"
                                                "[[solver]]\ntype = 'generalized_alpha'\nstep = "
                                                "0.05\nend_time = 2\n"
                                                "[output]\ninterval = 0.1\n",
        NULL);
    for (int k = 0; k <= 20; k++) {
        const double t = 0.1 * k;
        expect(table, "v", t, k < 5 ? 0.0 : t - 0.5 + (k < 15 ? 1.0 : 7.0), 1e-13);
        expect(table, "f.x", t, k < 12 ? 5.0 : (t - 1.0) * (t - 1.0), 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_order_of_a_solver_is_kept),
        cmocka_unit_test(test_adaptive_steps_follow_the_start),
        cmocka_unit_test(test_adaptive_steps_are_as_short_as_the_past_asks_for),
        cmocka_unit_test(test_delays_may_change_vanish_and_stand_inside_each_other),
        cmocka_unit_test(test_a_variable_may_read_its_own_past),
        cmocka_unit_test(test_copies_have_a_past_of_their_own),
        cmocka_unit_test(test_a_value_that_did_not_exist_is_missed_later),
        cmocka_unit_test(test_a_force_may_read_its_own_past),
        cmocka_unit_test(test_rejected_steps_leave_no_trace),
        cmocka_unit_test(test_rows_do_not_count),
        cmocka_unit_test(test_short_delays_are_part_of_the_matrix),
        cmocka_unit_test(test_the_past_outlives_changes_and_solvers)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

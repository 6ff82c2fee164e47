/* test_events.c - adaptive solvers end steps where the equations switch: closed solutions, element events, limits */
#include "harness.h"

#include <math.h>
#include <unistd.h>

#define MASS "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
#define FORCE(value) "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\nvalue = ['" value "', 0, 0]\n"
#define SENSORS                                                    \
    "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n" \
    "[[sensor]]\nname = 'v'\nelement = 'm'\noutput = 'velocity'\n"
#define ROWS "[output]\ninterval = 0.1\n"
#define TOLERANCES "relative_tolerance = 1e-10\nabsolute_tolerance = 1e-12\n"
#define RK "[solver]\ntype = 'rk'\norder = 5\n" TOLERANCES
#define RADAU "[solver]\ntype = 'radau'\n" TOLERANCES
#define GSL "[solver]\ntype = 'gsl_ode'\nstepper = 'rk8pd'\n" TOLERANCES
#define MULTISTEP "[solver]\ntype = 'gsl_ode'\nstepper = 'msadams'\n" TOLERANCES
#define AT(x) "position = [" x ", 0, 0]\n"

#define ALPHA                                                                                \
    "[solver]\ntype = 'generalized_alpha'\nrelative_tolerance = 1e-8\nabsolute_tolerance = " \
    "1e-8\nspectral_radius = 0.9\n"
#define IDA "[solver]\ntype = 'ida'\n" TOLERANCES
#define OF_ORDER_2 2e5 /* times the errors of the others, with its tolerances */

static const char *const solvers[] = {RK, RADAU, GSL, MULTISTEP, ALPHA, IDA};

/* gsl_ode is there where GSL is, ida where SUNDIALS is, too. */
static size_t solver_count(void) { return !tn_has_plugin("gsl_ode") ? 2 : tn_has_plugin("ida") ? 6 : 5; }

static const char *results;

static const tn_csv_table *run(const char *model, const char *solver, double end)
{
    results = tn_scratch_path(NULL);
    const char *text = tn_format("%s" SENSORS "%send_time = %.17g\n", model, solver, end);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("model.toml", text), "--trust", "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("%s: %s", solver, outcome.errors);
    return tn_sensors(results);
}

static double counted(const char *what)
{
    return tn_run_number(results, tn_format("run.statistics.%s", what));
}

typedef struct motion {
    double x, v;
} motion;

static void check_end(const tn_csv_table *table, const char *solver, motion right, double tolerance)
{
    if (strcmp(solver, ALPHA) == 0) tolerance *= OF_ORDER_2;
    const double x = tn_csv_value(table, table->rows - 1, tn_column_of(table, "p.x"));
    const double v = tn_csv_value(table, table->rows - 1, tn_column_of(table, "v.x"));
    if (!(fabs(x - right.x) <= tolerance && fabs(v - right.v) <= tolerance))
        fail_msg("%s: errors %g in x, %g in v", solver, x - right.x, v - right.v);
}

/* After `time` on a spring of frequency w around `middle`. */
static motion swing(motion from, double w, double middle, double time)
{
    const double c = cos(w * time), s = sin(w * time), stretch = from.x - middle;
    return (motion){middle + stretch * c + from.v / w * s, from.v * c - stretch * w * s};
}

/* ---- closed solutions ------------------------------------------------------------------------------------ */

/* Without the event the error is 3e-9, with 15 rejected steps. */
static void test_a_jump_in_time_costs_no_accuracy(void **state)
{
    (void)state;
    const motion right = swing(swing((motion){0.3, 0.0}, 2.0, 0.0, 0.3456), 2.0, 0.25, 1.0 - 0.3456);
    for (size_t s = 0; s < solver_count(); s++) {
        const tn_csv_table *table =
            run(MASS AT("0.3") FORCE("IF(time-0.3456: 0, 1, 1) - 4*DX(m)") ROWS, solvers[s], 1.0);
        check_end(table, solvers[s], right, s == 3 || s == 5 ? 3e-10 : 2e-11);
        assert_int_equal(table->rows, 11);
        assert_true(counted("events") == 1.0);
        if (s == 0 || s == 2)
            assert_true(counted("rejected_steps") <= 2.0 && counted("smallest_step") > 1e-4);
    }
}

/* Softer on one side than on the other, in six ways to say so. */
static void test_kinks_at_a_place(void **state)
{
    (void)state;
    static const char *const forces[] = {
        FORCE("-DX(m)*IF(DX(m): 9, 4, 4)"),  FORCE("-4*DX(m) + 5*MAX(0, -DX(m))"),
        FORCE("-9*DX(m) + 5*DIM(DX(m), 0)"), FORCE("-6.5*DX(m) + 2.5*ABS(DX(m))"),
        FORCE("-DX(m)*(4 + 5*(DX(m) < 0))"), FORCE("-DX(m)*IF(DX(m) >= 0: 0, 9, 4)")};
    motion right = swing((motion){0.3, 0.0}, 2.0, 0.0, M_PI_4);
    for (int k = 0; k < 3; k++)
        right = swing((motion){0.0, right.v}, k % 2 ? 2.0 : 3.0, 0.0, k % 2 ? M_PI_2 : M_PI / 3.0);
    const double end = M_PI_4 + M_PI_2 + 2.0 * M_PI / 3.0;
    right = swing((motion){0.0, right.v}, 2.0, 0.0, 0.4);
    for (size_t s = 0; s < solver_count(); s++)
        for (size_t k = 0; k < sizeof forces / sizeof *forces; k++) {
            const tn_csv_table *table =
                run(tn_format(MASS AT("0.3") "%s" ROWS, forces[k]), solvers[s], end + 0.4);
            check_end(table, solvers[s], right, s == 3 || s == 5 ? 1e-8 : 4e-10);
            assert_true(counted("events") == 4.0);
        }
}

/* Parabolas, which the methods integrate exactly: what errs is the place of the jumps. */
static void test_jumps_at_a_place(void **state)
{
    (void)state;
    for (size_t s = 0; s < 3 && s < solver_count(); s++) {
        const tn_csv_table *table = run(MASS AT("0.5") FORCE("-SIGN(1, DX(m))") ROWS, solvers[s], 9.5);
        check_end(table, solvers[s], (motion){0.5 * 0.25 - 0.5, -0.5}, 1e-10);
        assert_true(counted("events") == 5.0);
    }
}

/* A ball that bounces ten times on a stop; x = u below it is a half wave. */
static void test_a_ball_that_bounces(void **state)
{
    (void)state;
    const double g = 9.81, k = 1e6, w = sqrt(k), fall = sqrt(2.0 / g), v = g * fall;
    const double period = 2.0 * fall + (M_PI + 2.0 * atan(g / (w * v))) / w, rest = 0.3;
    const motion right = {1.0 - 0.5 * g * rest * rest, -g * rest};
    for (size_t s = 0; s < 3 && s < solver_count(); s++) {
        const tn_csv_table *table =
            run(MASS AT("1") FORCE("-9.81 + IMPACT(DX(m), VX(m), 0, 1e6, 1, 0, 1e-4)") ROWS, solvers[s],
                10.0 * period + rest);
        check_end(table, solvers[s], right, 1e-6);
    }
}

/* Kinks in the second derivative, and no more than that, at both ends. */
static void test_ends_of_a_step_function(void **state)
{
    (void)state;
    for (size_t s = 0; s < solver_count(); s++) {
        (void)run(MASS FORCE("STEP(time, 0.234, 0, 0.567, 3)") ROWS, solvers[s], 1.0);
        assert_true(counted("events") == 2.0);
    }
}

/* ---- where events lie ------------------------------------------------------------------------------------ */

/* The zero at the start belongs to the side where the run goes; then there are six. */
static void test_signs_change_both_ways(void **state)
{
    (void)state;
    for (size_t s = 0; s < solver_count(); s++) {
        const tn_csv_table *table = run(MASS FORCE("SIGN(1, SIN(20*time))") ROWS, solvers[s], 1.0);
        double v = 0.0;
        for (int k = 0; k < 7; k++)
            v += (k % 2 ? -1.0 : 1.0) * (fmin(1.0, M_PI / 20.0 * (k + 1)) - M_PI / 20.0 * k);
        const double error = tn_value_at(table, "v.x", 1.0) - v;
        if (!(fabs(error) < 1e-10)) fail_msg("%s: error %g", solvers[s], error);
        assert_true(counted("events") == 6.0);
    }
}

static void test_what_only_touches_zero_is_no_event(void **state)
{
    (void)state;
    for (size_t s = 0; s < solver_count(); s++) {
        (void)run(MASS FORCE("ABS((time - 0.5)**2)") ROWS, solvers[s], 1.0);
        assert_true(counted("events") == 0.0);
    }
}

/* A row, a change and two events at the same time. */
static void test_an_event_at_a_row_and_a_change(void **state)
{
    (void)state;
    for (size_t s = 0; s < solver_count(); s++) {
        const tn_csv_table *table =
            run(MASS FORCE(
                    "IF(time - 0.5: 0, 100, 1)") "[[element]]\nname = 'g'\ntype = 'force'\nmarkers = ['m']\n"
                                                 "value = ['SIGN(1, time - 0.5)', 1, 0]\n[[element]]\nname = "
                                                 "'h'\ntype = 'force'\nmarkers = "
                                                 "['m']\nvalue = [0, 0, 0]\n[[change]]\ntime = 0.5\nelement "
                                                 "= 'h'\nparameter = 'value'\n"
                                                 "value = [3, 0, 0]\n" ROWS,
                solvers[s], 1.0);
        const double x = 0.5 * -0.25 - 0.5 * 0.5 + 0.5 * 5.0 * 0.25, v = -0.5 + 5.0 * 0.5;
        check_end(table, solvers[s], (motion){x, v}, 1e-9);
        assert_int_equal(table->rows, 11);
        assert_true(fabs(tn_value_at(table, "v.x", 0.5) + 0.5) < 1e-10);
    }
}

/* Values that another one has replaced, elements that are not active and variables that nobody reads switch nothing. */
static void test_what_does_not_act_is_not_looked_at(void **state)
{
    (void)state;
    static const char *const models[] = {
        MASS FORCE("ABS(time - 0.7)") "[[change]]\ntime = 0.5\nelement = 'f'\nparameter = 'value'\nvalue = "
                                      "[1, 0, 0]\n",
        MASS FORCE("ABS(time - 0.7)") "active = false\n",
        MASS "[[element]]\nname = 'w'\ntype = 'reference_variable'\nexpression = 'ABS(time - 0.7)'\n"};
    for (int k = 0; k < 3; k++) {
        (void)run(models[k], RK, 1.0);
        assert_true(counted("events") == 0.0);
    }
    (void)run(MASS FORCE("VARVAL(w)") "[[element]]\nname = 'w'\ntype = 'reference_variable'\nexpression = "
                                      "'ABS(time - 0.7)'\n",
              RK, 1.0);
    assert_true(counted("events") == 1.0);
}

/* ---- elements -------------------------------------------------------------------------------------------- */

static const char *relay(void)
{
    return tn_format("[plugins]\nrelay = '%s'\n" MASS
                     "[[element]]\nname = 'r'\ntype = 'relay'\nmarkers = ['m']\n"
                     "[[sensor]]\nname = 'n'\nelement = 'r'\noutput = 'turns'\n",
                     tn_build_test_plugin("relay"));
}

/* From rest to the upper limit in 1 s; then to and fro between what lies beyond the limits. */
static void test_elements_are_told_where_they_switch(void **state)
{
    (void)state;
    const double second = 1.0 + 1.0 + sqrt(3.0), v = -sqrt(3.0), rest = 5.0 - second;
    const motion right = {-0.5 + v * rest + 0.5 * rest * rest, v + rest};
    for (size_t s = 0; s < solver_count(); s++) {
        const tn_csv_table *table = run(relay(), solvers[s], 5.0);
        check_end(table, solvers[s], right, s == 3 || s == 5 ? 1e-9 : 1e-11);
        assert_true(tn_value_at(table, "n", 5.0) == 2.0);
    }
}

/* A fixed step goes over an event: the element hears of it at its end. */
static void test_fixed_steps_tell_elements_later(void **state)
{
    (void)state;
    static const char *const fixed[] = {"[solver]\ntype = 'rk'\norder = 4\nstep = 0.003\n",
                                        "[solver]\ntype = 'generalized_alpha'\nstep = 0.003\n"};
    const double second = 1.0 + 1.0 + sqrt(3.0), v = -sqrt(3.0), rest = 5.0 - second;
    const motion right = {-0.5 + v * rest + 0.5 * rest * rest, v + rest};
    for (int s = 0; s < 2; s++) {
        const tn_csv_table *table = run(relay(), fixed[s], 5.0);
        check_end(table, fixed[s], right, 0.02);
        assert_true(tn_value_at(table, "n", 5.0) == 2.0);
        assert_true(counted("events") == 0.0);
    }
}

/* ---- chattering ------------------------------------------------------------------------------------------ */

/* Dry friction brings the mass to rest, where its force has no value that would hold it. */
static void test_chattering_ends_no_run(void **state)
{
    (void)state;
    static const char *const coarse[] = {"[solver]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-6\n",
                                         "[solver]\ntype = 'radau'\nrelative_tolerance = 1e-6\n",
                                         "[solver]\ntype = 'generalized_alpha'\ntolerance = 1e-6\n",
                                         "[solver]\ntype = 'gsl_ode'\nrelative_tolerance = 1e-6\n"};
    for (size_t s = 0; s < (solver_count() > 2 ? 4 : 3); s++) {
        check_end(run(MASS "velocity = [1, 0, 0]\n" FORCE("-3*SIGN(1, VX(m))") ROWS, coarse[s], 2.0),
                  coarse[s], (motion){1.0 / 6.0, 0.0}, 1e-3);
        assert_true(counted("steps") + counted("rejected_steps") < 2e4);
        check_end(run(MASS AT("1") FORCE("-3*SIGN(1, VX(m)) - 20*DX(m)") ROWS, coarse[s], 5.0), coarse[s],
                  (motion){-0.1, 0.0}, 1e-2);
        assert_true(counted("steps") + counted("rejected_steps") < 5e4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_jump_in_time_costs_no_accuracy),
        cmocka_unit_test(test_kinks_at_a_place),
        cmocka_unit_test(test_jumps_at_a_place),
        cmocka_unit_test(test_a_ball_that_bounces),
        cmocka_unit_test(test_ends_of_a_step_function),
        cmocka_unit_test(test_signs_change_both_ways),
        cmocka_unit_test(test_what_only_touches_zero_is_no_event),
        cmocka_unit_test(test_an_event_at_a_row_and_a_change),
        cmocka_unit_test(test_what_does_not_act_is_not_looked_at),
        cmocka_unit_test(test_elements_are_told_where_they_switch),
        cmocka_unit_test(test_fixed_steps_tell_elements_later),
        cmocka_unit_test(test_chattering_ends_no_run),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

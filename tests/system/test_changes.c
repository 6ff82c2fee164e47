/* test_changes.c - [[change]] tables: steps land on them, the state goes on, and all that follows is right */
#include "harness.h"

#include <math.h>

/* A mass of 1 kg at 1.5 m on a spring of 1 m, and a row at every step. */
#define OSCILLATOR                                                                                        \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.5, 0, 0]\n"                 \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 4\n" \
    "reference_length = 1\n"
#define SENSORS                                                           \
    "[[sensor]]\nname = 'p'\nelement = 'mass'\noutput = 'position'\n"     \
    "[[sensor]]\nname = 'v'\nelement = 'mass'\noutput = 'velocity'\n"     \
    "[[sensor]]\nname = 'a'\nelement = 'mass'\noutput = 'acceleration'\n" \
    "[[sensor]]\nname = 'h'\nsystem = 'step'\n"
#define CHANGE(what) "[[change]]\n" what "\n"
#define SPRING(time, parameter, value) \
    CHANGE("time = " time "\nelement = 'spring'\nparameter = '" parameter "'\nvalue = " value)
#define RK "[solver]\ntype = 'rk'\n"
#define ADAPTIVE                                                                                           \
    "[solver]\ntype = 'rk'\norder = 5\nadaptive = true\nrelative_tolerance = 1e-11\nabsolute_tolerance = " \
    "1e-12\n"
#define ALPHA "[solver]\ntype = 'generalized_alpha'\n"

static const char *const solvers[] = {RK "step = 0.01\nend_time = 1\n", ADAPTIVE "end_time = 1\n",
                                      ALPHA "step = 0.01\nend_time = 1\n"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static double value(const tn_csv_table *run, size_t row, const char *column)
{
    return tn_csv_value(run, row, tn_column_of(run, column));
}

/* Position and velocity after `time` of the oscillator with frequency w0 until `change`, w1 from then on. */
typedef struct motion {
    double p, v;
} motion;

static motion go_on(motion from, double frequency, double time)
{
    const double stretch = from.p - 1.0, c = cos(frequency * time), s = sin(frequency * time);
    return (motion){1.0 + stretch * c + from.v / frequency * s, from.v * c - stretch * frequency * s};
}

static motion exact(double w0, double w1, double change, double time)
{
    const motion start = {1.5, 0.0};
    return time <= change ? go_on(start, w0, time) : go_on(go_on(start, w0, change), w1, time - change);
}

/* ---- the times of changes -------------------------------------------------------------------------------- */

/* The row at the change shows the state after it: position and velocity go on, the acceleration is the new one. */
static void test_steps_land_on_a_change(void **state)
{
    (void)state;
    static const char *const times[] = {"0.3371", "0.3", "0.9999", "'1/3'"};
    for (int s = 0; s < SOLVERS; s++)
        for (int k = 0; k < 4; k++) {
            const double time = k < 3 ? strtod(times[k], NULL) : 1.0 / 3.0;
            const tn_csv_table *run =
                tn_simulate(tn_format(OSCILLATOR SENSORS
                                      "[[change]]\ntime = %s\nelement = 'spring'\nparameter = 'stiffness'\n"
                                      "value = 25\n%s",
                                      times[k], solvers[s]),
                            NULL);
            bool hit = false;
            for (size_t row = 0; row < run->rows; row++) {
                const double t = tn_csv_value(run, row, 0), w = t < time - 1e-12 ? 2.0 : 5.0;
                const double x = value(run, row, "p.x"), a = value(run, row, "a.x");
                const motion right = exact(2.0, 5.0, time, t);
                if (!(fabs(x - right.p) < 2e-4 && fabs(value(run, row, "v.x") - right.v) < 2e-3))
                    fail_msg("%s at %g s: position %g, velocity %g", solvers[s], t, x,
                             value(run, row, "v.x"));
                if (!(fabs(a + w * w * (x - 1.0)) < 1e-6))
                    fail_msg("%s at %g s: acceleration %g", solvers[s], t, a);
                if (row)
                    assert_true(fabs(value(run, row, "h") - (t - tn_csv_value(run, row - 1, 0))) < 1e-15);
                hit = hit || fabs(t - time) < 1e-15;
            }
            assert_true(hit);
        }
}

/* A change beside a time of the grid belongs to it: there are no tiny steps. */
static void test_changes_beside_the_grid_cut_no_step(void **state)
{
    (void)state;
    static const char *const times[] = {"0.5", "0.500000000001", "0.499999999999", "'0.1 + 0.2'", "0.3"};
    for (int s = 0; s < SOLVERS; s += 2)
        for (int k = 0; k < 5; k++) {
            const tn_csv_table *run =
                tn_simulate(tn_format(OSCILLATOR SENSORS
                                      "[[change]]\ntime = %s\nelement = 'spring'\nparameter = 'stiffness'\n"
                                      "value = 25\n%s",
                                      times[k], solvers[s]),
                            NULL);
            const double time = k < 3 ? 0.5 : 0.3;
            assert_int_equal(run->rows, 101);
            for (size_t row = 1; row < run->rows; row++)
                assert_true(fabs(value(run, row, "h") - 0.01) < 1e-12);
            assert_true(fabs(tn_value_at(run, "a.x", time) + 25.0 * (tn_value_at(run, "p.x", time) - 1.0)) <
                        1e-9);
            assert_true(fabs(tn_value_at(run, "p.x", 1.0) - exact(2.0, 5.0, time, 1.0).p) < 2e-4);
        }
}

/* Where times are large their round-off is longer than a billionth of the step. */
static void test_late_changes_cut_no_slivers(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    const char *model = tn_format(
        OSCILLATOR SENSORS
        "[[repeat]]\ncount = 20\n[[repeat.change]]\ntime = '123456 + 0.0007*(i + 1)'\nelement = 'spring'\n"
        "parameter = 'stiffness'\nvalue = 'i'\n" RK
        "start_time = 123456\nend_time = 123456.02\nstep = 1e-4\n");
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("late.toml", model), "--quiet", "--out", results));
    assert_int_equal(outcome.status, 0);
    assert_int_equal(tn_sensors(results)->rows, 201);
    assert_true(tn_run_number(results, "run.statistics.smallest_step") > 0.99e-4);
}

/* Before the start, at it, at the end and behind it. */
static void test_changes_at_the_ends_of_a_run(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = tn_simulate(
            tn_format(OSCILLATOR SENSORS SPRING("-1", "stiffness", "9") SPRING("0", "damping", "2")
                          SPRING("1", "stiffness", "1") SPRING("1.5", "stiffness", "100") "%s",
                      solvers[s]),
            NULL);
        const size_t end = run->rows - 1;
        assert_true(value(run, 0, "a.x") == -4.5);
        assert_true(tn_csv_value(run, end, 0) == 1.0);
        assert_true(fabs(value(run, end, "a.x") + value(run, end, "p.x") - 1.0 +
                         2.0 * value(run, end, "v.x")) < 1e-8);
        /* critically damped would be d = 6 */
        const double w = sqrt(8.0), x = 1.0 + 0.5 * exp(-1.0) * (cos(w) + sin(w) / w);
        assert_true(fabs(value(run, end, "p.x") - x) < 2e-4);
    }
    /* the start state alone */
    const tn_csv_table *run =
        tn_simulate(OSCILLATOR SENSORS SPRING("0", "stiffness", "9") RK "end_time = 0\n", NULL);
    assert_int_equal(run->rows, 1);
    assert_true(value(run, 0, "a.x") == -4.5);
}

/* Whatever the order in the file. */
static void test_changes_at_one_time_in_any_order(void **state)
{
    (void)state;
    static const char *const changes[] = {SPRING("0.337", "stiffness", "25"),
                                          SPRING("0.337", "damping", "0.5"),
                                          CHANGE("time = 0.1\nelement = 'spring'\nactive = false"),
                                          CHANGE("time = 0.337\nelement = 'spring'\nactive = true"),
                                          SPRING("0.337", "reference_length", "1.2")};
    static const int orders[][5] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 4, 1, 0, 3}};
    double first = 0.0;
    for (int k = 0; k < 3; k++) {
        const int *o = orders[k];
        const tn_csv_table *run =
            tn_simulate(tn_format(OSCILLATOR SENSORS "%s%s%s%s%s%s", changes[o[0]], changes[o[1]],
                                  changes[o[2]], changes[o[3]], changes[o[4]], solvers[0]),
                        NULL);
        if (k == 0) first = tn_value_at(run, "p.x", 1.0);
        assert_true(tn_value_at(run, "p.x", 1.0) == first);
        const motion start = go_on((motion){1.5, 0.0}, 2.0, 0.1);
        const double x = start.p + 0.237 * start.v, v = start.v;
        assert_true(fabs(tn_value_at(run, "p.x", 0.337) - x) < 1e-9);
        assert_true(fabs(tn_value_at(run, "a.x", 0.337) + 25.0 * (x - 1.2) + 0.5 * v) < 1e-8);
    }
}

/* ---- accuracy -------------------------------------------------------------------------------------------- */

static double error_at_end(const char *solver, double step)
{
    const tn_csv_table *run = tn_simulate(
        tn_format(OSCILLATOR SENSORS SPRING("0.33712", "stiffness", "25") "%send_time = 1\nstep = %.17g\n",
                  solver, step),
        NULL);
    const motion right = exact(2.0, 5.0, 0.33712, 1.0);
    const size_t end = run->rows - 1;
    return fmax(fabs(value(run, end, "p.x") - right.p), fabs(value(run, end, "v.x") - right.v));
}

static void test_order_is_kept(void **state)
{
    (void)state;
    static const struct method {
        const char *solver;
        double order, step;
    } methods[] = {{RK "order = 1\n", 1, 1e-3},
                   {RK "order = 2\n", 2, 5e-3},
                   {RK "order = 4\n", 4, 0.02},
                   {RK "order = 5\n", 5, 0.1},
                   {ALPHA, 2, 2e-3},
                   {ALPHA "spectral_radius = 0\n", 2, 2e-3},
                   {ALPHA "scheme = 'hht'\n", 2, 2e-3},
                   {ALPHA "scheme = 'trapezoidal'\n", 2, 2e-3}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const double coarse = error_at_end(methods[k].solver, methods[k].step),
                     fine = error_at_end(methods[k].solver, methods[k].step / 4),
                     order = 0.5 * log2(coarse / fine);
        if (!(fabs(order - methods[k].order) < 0.3))
            fail_msg("%s: errors %.3g and %.3g are of order %.2f", methods[k].solver, coarse, fine, order);
    }
    assert_true(error_at_end(ADAPTIVE, 0.1) < 1e-9);
}

/* Rows do not steer the steps. */
static void test_output_interval_changes_nothing(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s += 2) {
        const char *model =
            tn_format(OSCILLATOR SENSORS SPRING("0.33712", "stiffness", "25") "%s", solvers[s]);
        const tn_csv_table *every = tn_simulate(model, NULL),
                           *some = tn_simulate(tn_format("%s[output]\ninterval = 0.1\n", model), NULL);
        assert_int_equal(every->rows, 102);
        assert_int_equal(some->rows, 11);
        for (size_t row = 0; row < some->rows; row++)
            assert_true(value(some, row, "p.x") == tn_value_at(every, "p.x", tn_csv_value(some, row, 0)));
    }
    const tn_csv_table *adaptive = tn_simulate(OSCILLATOR SENSORS SPRING("0.33712", "stiffness", "25")
                                                   ADAPTIVE "end_time = 1\n[output]\ninterval = 0.1\n",
                                               NULL);
    assert_int_equal(adaptive->rows, 11);
    assert_true(fabs(tn_value_at(adaptive, "p.x", 0.4) - exact(2.0, 5.0, 0.33712, 0.4).p) < 1e-9);
}

/* The new spring holds another energy at once, which comes from outside. */
static void test_energy_balance_goes_on(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run =
            tn_simulate(tn_format(OSCILLATOR SENSORS SPRING(
                                      "0.337", "stiffness",
                                      "25") "[[sensor]]\nname = 'total'\nsystem = 'total_energy'\n"
                                            "[[sensor]]\nname = 'supplied'\nsystem = 'supplied_energy'\n"
                                            "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n%s",
                                  solvers[s]),
                        NULL);
        const double stretch = exact(2.0, 5.0, 0.337, 0.337).p - 1.0, jump = 0.5 * 21.0 * stretch * stretch;
        for (size_t row = 0; row < run->rows; row++) {
            const double supplied = tn_csv_value(run, row, 0) < 0.337 - 1e-12 ? 0.0 : jump;
            assert_true(fabs(value(run, row, "balance") - 0.5) < 2e-3);
            assert_true(fabs(value(run, row, "supplied") - supplied) < 2e-3);
            assert_true(fabs(value(run, row, "total") - 0.5 - supplied) < 2e-3);
        }
    }
}

/* Without changes in the run nothing is different, not even the last bit. */
static void test_changes_that_never_come_cost_nothing(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *without = tn_simulate(tn_format(OSCILLATOR SENSORS "%s", solvers[s]), NULL);
        const tn_csv_table *with =
            tn_simulate(tn_format(OSCILLATOR SENSORS SPRING("2", "stiffness", "1")
                                      CHANGE("time = 2\nelement = 'spring'\nactive = false") "%s",
                                  solvers[s]),
                        NULL);
        assert_int_equal(with->rows, without->rows);
        for (size_t row = 0; row < with->rows; row++)
            for (size_t column = 0; column < 11; column++)
                assert_true(tn_csv_value(with, row, column) == tn_csv_value(without, row, column));
    }
}

/* ---- several solvers ------------------------------------------------------------------------------------- */

/* Changes before, between and after: at the border each is made once. */
static void test_changes_under_several_solvers(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(OSCILLATOR SENSORS SPRING("0.2", "stiffness", "9") SPRING("0.5", "stiffness", "25")
                        SPRING("0.7034", "stiffness",
                               "1") "[[solver]]\ntype = 'rk'\nend_time = 0.5\nstep = 0.01\n"
                                    "[[solver]]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-3\n",
                    NULL);
    assert_int_equal(run->rows, 1 + 50 + 500 + 1);
    motion right = go_on((motion){1.5, 0.0}, 2.0, 0.2);
    right = go_on(right, 3.0, 0.3);
    assert_true(fabs(tn_value_at(run, "p.x", 0.5) - right.p) < 1e-8);
    assert_true(fabs(tn_value_at(run, "a.x", 0.5) + 25.0 * (right.p - 1.0)) < 1e-6);
    right = go_on(right, 5.0, 0.2034);
    assert_true(fabs(tn_value_at(run, "a.x", 0.7034) + right.p - 1.0) < 1e-5);
    right = go_on(right, 1.0, 0.2966);
    assert_true(fabs(tn_value_at(run, "p.x", 1.0) - right.p) < 2e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps_land_on_a_change),
                                       cmocka_unit_test(test_changes_beside_the_grid_cut_no_step),
                                       cmocka_unit_test(test_late_changes_cut_no_slivers),
                                       cmocka_unit_test(test_changes_at_the_ends_of_a_run),
                                       cmocka_unit_test(test_changes_at_one_time_in_any_order),
                                       cmocka_unit_test(test_order_is_kept),
                                       cmocka_unit_test(test_output_interval_changes_nothing),
                                       cmocka_unit_test(test_energy_balance_goes_on),
                                       cmocka_unit_test(test_changes_that_never_come_cost_nothing),
                                       cmocka_unit_test(test_changes_under_several_solvers)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

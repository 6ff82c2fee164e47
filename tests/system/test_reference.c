/* test_reference.c - runs against results of other programs (tests/reference/README.md) and closed
 * solutions */
#include "harness.h"

#include <math.h>

#define REFERENCE TENON_SOURCE_DIR "/tests/reference/"

/* Runs a model of tests/reference with further words. */
static const tn_csv_table *run_reference(const char *name, const char *const *more)
{
    return tn_simulate(tn_read(tn_format(REFERENCE "%s.toml", name)), more);
}

/* Compares columns first ... first + count - 1 of the reference with the run, at all times. */
static void compare(const tn_csv_table *run, const tn_csv_table *reference, const char *first_column,
                    size_t count, double tolerance)
{
    const size_t first = tn_column_of(reference, first_column);
    assert_int_equal(run->rows, reference->rows);
    for (size_t k = first; k < first + count; k++) {
        const char *name = reference->name[k];
        const size_t column = tn_column_of(run, name);
        double largest = 0.0;
        for (size_t row = 0; row < run->rows; row++) {
            assert_true(fabs(tn_csv_value(run, row, 0) - tn_csv_value(reference, row, 0)) <= 1e-9);
            largest = fmax(largest, fabs(tn_csv_value(run, row, column) - tn_csv_value(reference, row, k)));
        }
        if (!(largest <= tolerance)) fail_msg("%s differs by %.3g, not below %.3g", name, largest, tolerance);
    }
}

static void read_reference(const char *name, tn_csv_table *reference)
{
    assert_true(tn_csv_read(tn_format(REFERENCE "%s.csv", name), reference, stderr));
    assert_int_equal(reference->rows, 101);
}

static void test_body_on_spring_implicit(void **state)
{
    (void)state;
    tn_csv_table reference;
    read_reference("body_on_spring", &reference);
    const tn_csv_table *run = run_reference("body_on_spring", NULL);
    compare(run, &reference, "p.x", 3, 7e-5);
    compare(run, &reference, "L", 1, 7e-5);
    compare(run, &reference, "v.x", 3, 8e-4);
    compare(run, &reference, "R.0", 9, 4e-4);
    compare(run, &reference, "w.x", 3, 2e-3);
}

static void test_body_on_spring_explicit(void **state)
{
    (void)state;
    tn_csv_table reference;
    read_reference("body_on_spring", &reference);
    compare(run_reference("body_on_spring", TN_WORDS("--solver", "rk")), &reference, "p.x", 19, 1e-8);
}

static void test_point_on_spring(void **state)
{
    (void)state;
    tn_csv_table reference;
    read_reference("point_on_spring", &reference);
    compare(run_reference("point_on_spring", NULL), &reference, "p.x", 3, 7e-5);
    compare(run_reference("point_on_spring", TN_WORDS("--solver", "rk")), &reference, "p.x", 3, 1e-8);
}

/* ---- the damped oscillator ----------------------------------------------------------------------------- */

/* m x'' + d x' + k x = 0 from x0 at rest: x = x0 exp(-s t) (cos w t + (s/w) sin w t). */
static double oscillation(double t)
{
    const double m = 1.0, k = 100.0, d = 1.0, x0 = 0.05, s = d / (2.0 * m), w = sqrt(k / m - s * s);
    return x0 * exp(-s * t) * (cos(w * t) + s / w * sin(w * t));
}

static void check_oscillator(const char *solver, double tolerance)
{
    const tn_csv_table *run = tn_simulate(
        tn_format("[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.05, 0, 0]\n"
                  "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n"
                  "reference_length = 1\nstiffness = 100\ndamping = 1\n"
                  "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
                  "[[sensor]]\nname = 'v'\nelement = 'mass'\noutput = 'velocity'\n"
                  "[[sensor]]\nname = 'f'\nelement = 'spring'\noutput = 'force_local'\n"
                  "[[sensor]]\nname = 'length'\nelement = 'spring'\noutput = 'distance'\n"
                  "[output]\ninterval = 0.1\n[solver]\nend_time = 1\n%s",
                  solver),
        NULL);
    assert_int_equal(run->rows, 11);
    for (int k = 0; k <= 10; k++) {
        const double t = 0.1 * k, x = 1.0 + oscillation(t), v = tn_value_at(run, "v.x", t);
        assert_true(fabs(tn_value_at(run, "x.x", t) - x) <= tolerance);
        assert_true(fabs(tn_value_at(run, "length", t) - x) <= tolerance);
        assert_true(fabs(tn_value_at(run, "f", t) - (100.0 * (x - 1.0) + v)) <= 101.0 * tolerance);
        assert_true(tn_value_at(run, "x.y", t) == 0.0 && tn_value_at(run, "x.z", t) == 0.0);
    }
}

static void test_damped_oscillator(void **state)
{
    (void)state;
    check_oscillator("type = 'generalized_alpha'\nstep = 1e-4\n", 2e-7);
    check_oscillator("type = 'rk'\norder = 4\nstep = 1e-3\n", 1e-9);
    check_oscillator("type = 'rk'\norder = 5\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12\n",
                     1e-9);
}

/* ---- the spring net ------------------------------------------------------------------------------------ */

static const tn_csv_table *run_net(const char *size, const char *end, const char *solver)
{
    const char *net = tn_read(TENON_SOURCE_DIR "/configs/benchmarks/springnet.toml");
    return tn_simulate(tn_format("%s\n[[sensor]]\nname = 'tied'\nelement = 'point_0_0'\noutput = 'position'\n"
                                 "[output]\ninterval = 0.1\n",
                                 net),
                       TN_WORDS("--set", tn_format("parameters.n=%s", size), "--set",
                                tn_format("solver.end_time=%s", end), "--solver", solver));
}

static void check_point(const tn_csv_table *run, const char *name, double time, double x, double y, double z,
                        double tolerance)
{
    const double expected[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        assert_true(fabs(tn_value_at(run, tn_format("%s.%c", name, "xyz"[k]), time) - expected[k]) <=
                    tolerance);
}

static void test_spring_net(void **state)
{
    (void)state;
    const tn_csv_table *explicit_run = run_net("4", "0.5", "rk");
    check_point(explicit_run, "corner", 0.5, 2.696241258161707, 3.0, -1.2262016754309832, 1e-9);
    check_point(explicit_run, "tied", 0.5, -0.2707020315814435, 0.0, -0.7356134955055934, 1e-9);
    const tn_csv_table *implicit_run = run_net("2", "0.2", "generalized_alpha");
    check_point(implicit_run, "corner", 0.2, 0.9939839776636588, 1.0, -0.19619822038541518, 5e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_body_on_spring_implicit), cmocka_unit_test(test_body_on_spring_explicit),
        cmocka_unit_test(test_point_on_spring), cmocka_unit_test(test_damped_oscillator),
        cmocka_unit_test(test_spring_net)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

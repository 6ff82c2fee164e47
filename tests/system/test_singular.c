/* test_singular.c - positions in which a mechanism could go on in other ways, constraints that say the same thing twice, and
 * angles beyond half a turn */
#include "reference.h"

#include <math.h>

#define PI 3.14159265358979323846
#define MODELS TENON_SOURCE_DIR "/tests/system/models/"
#define FOUR_BAR TENON_SOURCE_DIR "/configs/benchmarks/iftomm_a02_four_bar.toml"

static const char *const solvers[] = {
    "type = 'generalized_alpha'\nstep = 1e-3\n", "type = 'generalized_alpha'\nstep = 1e-3\nindex = 2\n",
    "type = 'generalized_alpha'\nstep = 1e-3\nscheme = 'trapezoidal'\n", "type = 'rk'\nstep = 1e-3\n"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static const tn_csv_table *run_for(const char *model, const char *end, const char *solver)
{
    return tn_simulate(tn_format("%s\n[solver]\nend_time = %s\n%s", model, end, solver), NULL);
}

static double drift(const tn_csv_table *run, const char *column)
{
    const size_t k = tn_column_of(run, column);
    double most = 0.0;
    for (size_t row = 0; row < run->rows; row++)
        most = fmax(most, fabs(tn_csv_value(run, row, k) - tn_csv_value(run, 0, k)));
    return most;
}

/* ---- positions that are passed --------------------------------------------------------------------------- */

/* Six times flat in 10 s, and B0 stays where the branch that it came on leads. */
static void test_flat_four_bars_are_passed(void **state)
{
    (void)state;
    static const char *const keys[] = {"solver.index=3", "solver.index=2", "solver.scheme=trapezoidal"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const tn_csv_table *run = tn_simulate(tn_read(FOUR_BAR), TN_WORDS("--set", keys[k]));
        assert_true(fabs(tn_value_at(run, "B0.x", 10.0) - 0.32845811154081538) <= 2e-3);
        assert_true(fabs(tn_value_at(run, "B0.y", 10.0) - 0.94451853817860096) <= 2e-3);
        assert_true(drift(run, "energy") <= 5e-3);
        assert_true(tn_largest_in(run, "error") <= 1e-9);
    }
    const tn_csv_table *run =
        tn_simulate(tn_read(FOUR_BAR), TN_WORDS("--solver", "rk", "--set", "solver.end_time=3"));
    assert_true(fabs(tn_value_at(run, "B0.x", 1.0) + 0.19502030194943509) <= 1e-8);
    assert_true(drift(run, "energy") <= 1e-8);
}

/* Hinges keep a long chain in its plane as a beam is kept straight: across it the smallest stiffness of n links is n^4 times
 * smaller than that of one, which what keeps the matrix regular must not cover. */
static void test_a_long_chain_of_hinges_falls(void **state)
{
    (void)state;
    static const char model[] =
        "[model]\ngravity = [0, -9.81, 0]\n[parameters]\nn = 300\n"
        "[[repeat]]\ncount = 'n'\n[[repeat.element]]\nname = 'b{i}'\ntype = 'rigid_body'\nmass = 1\n"
        "inertia = [0.01, 0.02, 0.02]\nposition = ['i', 0, 0]\n"
        "[[repeat]]\ncount = 'n - 1'\n[[repeat.element]]\nname = 'j{i}'\ntype = 'revolute'\n"
        "markers = [{ element = 'b{i}', position = [0.5, 0, 0] }, { element = 'b{i+1}', position = [-0.5, 0, "
        "0] }]\n"
        "[[element]]\nname = 'bearing'\ntype = 'revolute'\nmarkers = ['ground', 'b0']\n"
        "[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n[[sensor]]\nname = 'error'\nsystem = "
        "'constraint_error'\n";
    for (int s = 0; s < 2; s++) {
        const tn_csv_table *run = run_for(model, "0.1", solvers[s]);
        assert_true(drift(run, "energy") <= 1.0); /* of 14 kJ */
        assert_true(tn_largest_in(run, "error") <= 1e-9);
    }
}

/* The slider passes its bearing, with x = 2 l cos of the crank's angle: by turns of the rod alone x would stay 0. */
static void test_a_folded_crank_is_passed(void **state)
{
    (void)state;
    const char *model = tn_read(MODELS "folding_crank.toml");
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model, "4", solvers[s]);
        const size_t x = tn_column_of(run, "x"), angle = tn_column_of(run, "angle");
        for (size_t row = 0; row < run->rows; row++)
            assert_true(fabs(tn_csv_value(run, row, x) - cos(tn_csv_value(run, row, angle))) <= 1e-8);
        assert_true(tn_largest_in(run, "angle") > 3.0 * PI); /* folded three times, stretched once more */
        assert_true(drift(run, "energy") <= 5e-4);
    }
}

/* ---- constraints that say the same ----------------------------------------------------------------------- */

static void check_rank(const char *file, const char *degrees, const char *redundant)
{
    const tn_outcome checked = tn_tenon(TN_WORDS("check", file));
    assert_int_equal(checked.status, 0);
    tn_check_holds(checked.output, TN_WORDS(tn_format("degrees of freedom: %s\n", degrees),
                                            tn_format("redundant constraints: %s\n", redundant)));
}

/* A door of 20 kg, 0.8 m wide, between two hinges 1.6 m apart, which turns at 2 rad/s. */
static const char door[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'door'\ntype = 'rigid_body'\nmass = 20\ninertia = [4, 5, 1]\nposition = [0.4, 0, "
    "0]\n"
    "velocity = [0, 0.8, 0]\nangular_velocity = [0, 0, 2]\n"
    "[[element]]\nname = 'upper'\ntype = 'revolute'\nmarkers = [{ element = 'ground', position = [0, 0, 0.8] "
    "}, "
    "{ element = 'door', position = [-0.4, 0, 0.8] }]\n"
    "[[element]]\nname = 'lower'\ntype = 'revolute'\nmarkers = [{ element = 'ground', position = [0, 0, "
    "-0.8] "
    "}, "
    "{ element = 'door', position = [-0.4, 0, -0.8] }]\n"
    "[[sensor]]\nname = 'angle'\nelement = 'lower'\noutput = 'angle'\n"
    "[[sensor]]\nname = 'upper'\nelement = 'upper'\noutput = 'force'\n"
    "[[sensor]]\nname = 'lower'\nelement = 'lower'\noutput = 'force'\n"
    "[output]\ninterval = 0.1\n";

/* Both hinges carry half of the weight, as the reactions of least size do, and together what turns the door. */
static void test_a_door_on_two_hinges(void **state)
{
    (void)state;
    check_rank(tn_write("door.toml", tn_format("%s[solver]\ntype = 'rk'\nend_time = 0\n", door)), "1", "5");
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(door, "4", solvers[s]);
        for (int k = 0; k <= 8; k++) {
            const double t = 0.5 * k, pull = 20.0 * 0.4 * 4.0;
            assert_true(fabs(tn_value_at(run, "angle", t) - 2.0 * t) <= 1e-5); /* 8 rad */
            const double x = tn_value_at(run, "upper.x", t) + tn_value_at(run, "lower.x", t);
            const double y = tn_value_at(run, "upper.y", t) + tn_value_at(run, "lower.y", t);
            if (!(fabs(x + pull * cos(2.0 * t)) <= 1e-2 && fabs(y + pull * sin(2.0 * t)) <= 1e-2))
                fail_msg("%s: pull %g, %g at %g s", solvers[s], x, y, t);
            assert_true(fabs(tn_value_at(run, "upper.z", t) - 98.1) <= 1e-2);
            assert_true(fabs(tn_value_at(run, "lower.z", t) - 98.1) <= 1e-2);
        }
    }
}

static void test_planar_loops_in_space(void **state)
{
    (void)state;
    check_rank(FOUR_BAR, "1", "6");
    check_rank(tn_write("one.toml", tn_format("%s[solver]\ntype = 'rk'\nend_time = 0\n",
                                              tn_read(MODELS "folding_crank.toml"))),
               "1", "3");
}

/* ---- angles ------------------------------------------------------------------------------------------------ */

/* Forward by 40 rad/s from 3 rad; the brake turns it back. */
static void test_angles_go_on(void **state)
{
    (void)state;
    static const char wheel[] =
        "[[element]]\nname = 'wheel'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 0.5]\n"
        "rotation = { axis = [0, 0, 1], angle = 3 }\nangular_velocity = [0, 0, 40]\n"
        "[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = ['ground', 'wheel']\n"
        "[[element]]\nname = 'brake'\ntype = 'torque'\nmarkers = ['wheel']\nvalue = [0, 0, -20]\n"
        "[[sensor]]\nname = 'angle'\nelement = 'hinge'\noutput = 'angle'\n[output]\ninterval = 0.1\n";
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(wheel, "3", solvers[s]);
        for (int k = 0; k <= 30; k++) {
            const double t = 0.1 * k, angle = 3.0 + 40.0 * t - 20.0 * t * t;
            const double error = fabs(tn_value_at(run, "angle", t) - angle);
            if (!(error <= 1e-6)) fail_msg("%sthe angle misses by %.3g at %g s", solvers[s], error, t);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_four_bars_are_passed), cmocka_unit_test(test_a_long_chain_of_hinges_falls),
        cmocka_unit_test(test_a_folded_crank_is_passed),  cmocka_unit_test(test_a_door_on_two_hinges),
        cmocka_unit_test(test_planar_loops_in_space),     cmocka_unit_test(test_angles_go_on)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

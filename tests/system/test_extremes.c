/* test_extremes.c - steps, masses, turns and start positions at the ends of their ranges: results are right, or a warning
 * tells that they are not */
#include "harness.h"

#include <math.h>

#define RUN(model, ...) tn_simulate(model, TN_WORDS(__VA_ARGS__))

static void expect(const char *what, double found, double value, double tolerance)
{
    if (!(fabs(found - value) <= tolerance)) fail_msg("%s: %.12g instead of %.12g", what, found, value);
}

/* ---- very short steps, very different masses ---------------------------------------------------------------- */

/* A link of 1 kg on a hinge, and a load on a ball joint at its end; both at rest. */
static const char crane[] =
    "[parameters]\nload = 1\n[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'link'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [1, 0, "
    "0]\n"
    "[[element]]\nname = 'load'\ntype = 'rigid_body'\nmass = 'load'\n"
    "inertia = ['0.1*load', '0.1*load', '0.1*load']\nposition = [2, 0, 0.5]\n"
    "[[element]]\nname = 'hinge'\ntype = 'revolute'\n"
    "markers = [{ element = 'ground', rotation = { axis = [1, 0, 0], angle = 'PI/2' } },\n"
    "{ element = 'link', position = [-1, 0, 0], rotation = { axis = [1, 0, 0], angle = 'PI/2' } }]\n"
    "[[element]]\nname = 'ball'\ntype = 'spherical'\n"
    "markers = [{ element = 'link', position = [1, 0, 0] }, { element = 'load', position = [0, 0, -0.5] }]\n"
    "[[sensor]]\nname = 'force'\nelement = 'hinge'\noutput = 'force'\n"
    "[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n"
    "[[sensor]]\nname = 'x'\nelement = 'load'\noutput = 'position'\n"
    "[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\nend_time = 1\n[output]\ninterval = 0.5\n";

/* Within a thousand steps nothing moves to speak of: the reactions stay those of the start. */
static void test_reactions_at_short_steps(void **state)
{
    (void)state;
    static const double steps[] = {1e-6, 1e-8, 1e-9, 1e-10};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        const char *end = tn_format("solver.end_time=%.17g", 1000 * steps[k]);
        const tn_csv_table *run = RUN(crane, "--set", tn_format("solver.step=%g", steps[k]), "--set", end,
                                      "--set", tn_format("output.interval=%.17g", 500 * steps[k]));
        const size_t force = tn_column_of(run, "force.z");
        for (size_t row = 1; row < run->rows; row++)
            expect(end, tn_csv_value(run, row, force), tn_csv_value(run, 0, force), 5e-3);
    }
}

static void test_index_3_is_warned_of_at_short_steps(void **state)
{
    (void)state;
    const char *model = tn_write("crane.toml", crane);
    static const char *const steps[] = {"solver.step=1e-9", "solver.step=1e-4"};
    for (int k = 0; k < 2; k++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--set", "solver.index=3", "--set",
                                                     steps[k], "--set", "solver.end_time=1e-4", "--set",
                                                     "output.interval=1e-4", "--out", tn_scratch_path("s")));
        assert_int_equal(outcome.status, 0);
        const bool warned =
            strstr(outcome.errors, "at index 3 a step of 1e-09 s gives reactions an error") != NULL;
        assert_int_equal(warned, k == 0);
    }
}

/* Where the load is all that counts, it moves as one on a rod without mass does. */
static void test_masses_that_differ_by_twelve_orders(void **state)
{
    (void)state;
    static const char *const solvers[] = {"solver.index=3", "solver.index=2", "solver.type=rk"};
    for (int k = 0; k < 3; k++) {
        const tn_csv_table *heavy = RUN(crane, "--set", "parameters.load=1e12", "--set", solvers[k]);
        const tn_csv_table *large = RUN(crane, "--set", "parameters.load=1e6", "--set", solvers[k]);
        expect(solvers[k], tn_value_at(heavy, "x.x", 1.0), tn_value_at(large, "x.x", 1.0), 1e-5);
        expect(solvers[k], tn_value_at(heavy, "force.z", 1.0) * 1e-12,
               tn_value_at(large, "force.z", 1.0) * 1e-6, 1e-4);
        expect(solvers[k], tn_value_at(heavy, "energy", 1.0) / tn_value_at(heavy, "energy", 0.0), 1.0, 1e-4);
    }
}

/* ---- turns ------------------------------------------------------------------------------------------------ */

static const char rotor[] =
    "[parameters]\nrate = 500\n"
    "[[element]]\nname = 'frame'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.01, 0.01]\n"
    "[[element]]\nname = 'rotor'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.01, 0.02]\n"
    "angular_velocity = [0, 0, 'rate']\n"
    "[[element]]\nname = 'axle'\ntype = 'revolute'\nmarkers = ['frame', 'rotor']\n"
    "[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\nend_time = 0.01\nspectral_radius = 0.5\n";

static bool is_warned(const char *rate, const char *setting, const char *name)
{
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("rotor.toml", rotor), "--set", rate, "--set",
                                                 setting, "--out", tn_scratch_path("turns")));
    assert_int_equal(outcome.status, 0);
    const char *found = strstr(outcome.errors, name);
    return found && strstr(found, "rad in a step of 0.001 s: at index 3") && !strstr(found + 1, name);
}

static void test_turns_beyond_what_index_3_bears_are_warned_of_once(void **state)
{
    (void)state;
    static const char name[] = "warning: rotor: at time 0.001 s: it turns by more than ";
    assert_true(is_warned("parameters.rate=650", "solver.index=3", name));
    assert_true(is_warned("parameters.rate=1100", "solver.spectral_radius=0.9", name));
    assert_false(is_warned("parameters.rate=500", "solver.index=3", name));
    assert_false(is_warned("parameters.rate=1000", "solver.spectral_radius=0.9", name));
    assert_false(is_warned("parameters.rate=1100", "solver.index=2", name));
}

/* ---- starts at singular positions --------------------------------------------------------------------------- */

/* A four-bar that lies flat, with a coupler that is too long by e: it closes when its links turn by about sqrt(e). */
static const char flat[] =
    "[parameters]\ne = 1e-6\n[model]\ngravity = [0, -9.81, 0]\n"
    "[[element]]\nname = 'crank'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.1, 0.1]\nposition = "
    "[0.5, 0, 0]\n"
    "[[element]]\nname = 'coupler'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.1, 0.1]\nposition = "
    "[2, 0, 0]\n"
    "[[element]]\nname = 'rocker'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.1, 0.1]\nposition = "
    "[2.5, 0, 0]\n"
    "[[element]]\nname = 'j1'\ntype = 'revolute'\nmarkers = ['ground', { element = 'crank', position = "
    "[-0.5, 0, 0] }]\n"
    "[[element]]\nname = 'j2'\ntype = 'revolute'\nmarkers = [{ element = 'crank', position = [0.5, 0, 0] },\n"
    "{ element = 'coupler', position = [-1, 0, 0] }]\n"
    "[[element]]\nname = 'j3'\ntype = 'revolute'\nmarkers = [{ element = 'coupler', position = ['1 + e', 0, "
    "0] },\n"
    "{ element = 'rocker', position = [0.5, 0, 0] }]\n"
    "[[element]]\nname = 'j4'\ntype = 'revolute'\nmarkers = [{ element = 'ground', position = [2, 0, 0] },\n"
    "{ element = 'rocker', position = [-0.5, 0, 0] }]\n"
    "[[sensor]]\nname = 'turn'\nexpression = 'AZ(crank)'\n"
    "[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n[[sensor]]\nname = 'error'\nsystem = "
    "'constraint_error'\n"
    "[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\nend_time = 0.5\n";

static void test_a_flat_four_bar_with_a_misfit_closes(void **state)
{
    (void)state;
    static const double misfits[] = {1e-6, -1e-6, 1e-5, 1e-4};
    for (size_t k = 0; k < sizeof misfits / sizeof *misfits; k++) {
        const tn_csv_table *run = RUN(flat, "--set", tn_format("parameters.e=%g", misfits[k]));
        const double turn = tn_value_at(run, "turn", 0.0), root = sqrt(fabs(misfits[k]));
        assert_true(fabs(turn) > 0.01 * root && fabs(turn) < 10.0 * root);
        assert_true(tn_value_at(run, "error", 0.0) <= 1e-9 && tn_value_at(run, "error", 0.5) <= 1e-9);
        expect("energy", tn_value_at(run, "energy", 0.5), tn_value_at(run, "energy", 0.0), 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reactions_at_short_steps),
        cmocka_unit_test(test_index_3_is_warned_of_at_short_steps),
        cmocka_unit_test(test_masses_that_differ_by_twelve_orders),
        cmocka_unit_test(test_turns_beyond_what_index_3_bears_are_warned_of_once),
        cmocka_unit_test(test_a_flat_four_bar_with_a_misfit_closes)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

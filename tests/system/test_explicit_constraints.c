/* test_explicit_constraints.c - rk and gsl_ode under constraints: order of motion and reactions, errors of rows, energy */
#include "harness.h"

#include <math.h>
#include <unistd.h>

#define SENSOR(name, of, output) "[[sensor]]\nname = '" name "'\n" of "\noutput = '" output "'\n"
#define BALANCE "[[sensor]]\nname = 'E'\nsystem = 'energy_balance'\n"
#define GAP "[[sensor]]\nname = 'gap'\nsystem = 'constraint_error'\n"

/* The heavy top of Bruels and Cardona, Mech. Mach. Theory 48 (2012) 121-137: 150 rad/s about an axis that hangs on a
 * point. */
static const char top[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'top'\ntype = 'rigid_body'\nmass = 15\ninertia = [0.234375, 0.46875, 0.234375]\n"
    "position = [0, 1, 0]\nvelocity = [4.61538, 0, 0]\nangular_velocity = [0, 150, -4.61538]\n"
    "[[marker]]\nname = 'foot'\ntype = 'frame'\nelement = 'top'\nposition = [0, -1, 0]\n"
    "[[element]]\nname = 'pivot'\ntype = 'spherical'\nmarkers = ['ground', 'foot']\n" //
    SENSOR("p", "element = 'top'", "position") SENSOR("v", "element = 'top'", "velocity")
        SENSOR("R", "element = 'top'", "rotation") SENSOR("w", "element = 'top'", "angular_velocity")
            SENSOR("F", "element = 'pivot'", "force") SENSOR("slip", "marker = 'foot'", "velocity")
                GAP BALANCE;

static const struct quantity {
    const char *name, *first_column;
    size_t columns;
} quantities[] = {{"position", "p.x", 3},
                  {"velocity", "v.x", 3},
                  {"rotation", "R.0", 9},
                  {"spin", "w.x", 3},
                  {"reaction", "F.x", 3}};
enum { QUANTITIES = 5 };

static double largest_difference(const tn_csv_table *a, const tn_csv_table *b,
                                 const struct quantity *quantity)
{
    double largest = 0.0;
    const size_t first_a = tn_column_of(a, quantity->first_column),
                 first_b = tn_column_of(b, quantity->first_column);
    assert_int_equal(a->rows, b->rows);
    for (size_t row = 0; row < a->rows; row++)
        for (size_t k = 0; k < quantity->columns; k++)
            largest =
                fmax(largest, fabs(tn_csv_value(a, row, first_a + k) - tn_csv_value(b, row, first_b + k)));
    return largest;
}

/* Largest absolute value of some columns. */
static double largest_value(const tn_csv_table *table, const char *first_column, size_t columns)
{
    const size_t first = tn_column_of(table, first_column);
    double largest = 0.0;
    for (size_t row = 0; row < table->rows; row++)
        for (size_t k = first; k < first + columns; k++)
            largest = fmax(largest, fabs(tn_csv_value(table, row, k)));
    return largest;
}

static double energy_drift(const tn_csv_table *table)
{
    const size_t column = tn_column_of(table, "E");
    double largest = 0.0;
    for (size_t row = 1; row < table->rows; row++)
        largest = fmax(largest, fabs(tn_csv_value(table, row, column) - tn_csv_value(table, 0, column)));
    return largest;
}

static const tn_csv_table *run(const char *model, double interval, double end_time, const char *solver)
{
    return tn_simulate(tn_format("%s[output]\ninterval = %g\n[solver]\nend_time = %g\n%s", model, interval,
                                 end_time, solver),
                       NULL);
}

/* Positions and velocities satisfy their rows to round-off, in every row that is recorded. */
static void check_rows_hold(const char *solver, const tn_csv_table *table)
{
    const double gap = largest_value(table, "gap", 1), slip = largest_value(table, "slip.x", 3);
    if (!(gap < 1e-12 && slip < 1e-12)) fail_msg("%s: errors of rows are %g m, %g m/s", solver, gap, slip);
}

/* ---- rk ------------------------------------------------------------------------------------------------ */

static void check_order(int order, double step)
{
    static const tn_csv_table *exact;
    if (!exact) exact = run(top, 0.05, 0.2, "type = 'rk'\norder = 5\nstep = 5e-5\n");
    const tn_csv_table *whole =
        run(top, 0.05, 0.2, tn_format("type = 'rk'\norder = %d\nstep = %g\n", order, step));
    const tn_csv_table *half =
        run(top, 0.05, 0.2, tn_format("type = 'rk'\norder = %d\nstep = %g\n", order, step / 2));
    check_rows_hold("rk", whole);
    for (int i = 0; i < QUANTITIES; i++) {
        const double coarse = largest_difference(whole, exact, &quantities[i]),
                     fine = largest_difference(half, exact, &quantities[i]), measured = log2(coarse / fine);
        if (!(fabs(measured - order) <= 0.25))
            fail_msg("order %d, %s: errors %.3g and %.3g at steps %.3g and half of it are of order %.2f",
                     order, quantities[i].name, coarse, fine, step, measured);
    }
}

static void test_reactions_have_the_order_of_the_motion(void **state)
{
    (void)state;
    check_order(1, 1e-5);
    check_order(2, 2e-4);
    check_order(4, 1e-3);
    check_order(5, 1e-3);
}

/* Initial acceleration of the centre of mass in closed form: the reaction is known before the first step. */
static void test_the_first_row_has_its_reaction(void **state)
{
    (void)state;
    const tn_csv_table *table = run(top, 0.1, 0.0, "type = 'rk'\nstep = 1e-3\n");
    assert_true(fabs(tn_value_at(table, "F.x", 0.0)) < 1e-9);
    assert_true(fabs(tn_value_at(table, "F.y", 0.0) - 15 * -21.3017325444) < 1e-9);
    assert_true(fabs(tn_value_at(table, "F.z", 0.0) - 15 * (9.81 - 30.960830769230769)) < 1e-9);
}

/* Displacement at 2 s, from an integration in quadruple precision. */
static void check_end(const char *solver, const tn_csv_table *table, double tolerance)
{
    static const double end[3] = {-1.5041682274564176e-01, 1.0 - 1.7241655916368956, -6.7302226956044410e-01};
    static const char *const column[3] = {"p.x", "p.y", "p.z"};
    for (int i = 0; i < 3; i++) {
        const double error = fabs(tn_value_at(table, column[i], 2.0) - end[i]);
        if (!(error < tolerance)) fail_msg("%s: %s misses by %.3g", solver, column[i], error);
    }
}

static void test_rk_meets_the_published_top(void **state)
{
    (void)state;
    const char *const fixed = "type = 'rk'\norder = 5\nstep = 5e-4\n",
                      *const adaptive = "type = 'rk'\norder = 5\nrelative_tolerance = 1e-9\n"
                                        "absolute_tolerance = 1e-9\n";
    const tn_csv_table *table = run(top, 0.01, 2.0, fixed);
    check_end("order 5", table, 1e-7);
    check_rows_hold("order 5", table);
    assert_true(energy_drift(table) < 1e-4); // of 5436 J
    table = run(top, 0.01, 2.0, adaptive);
    check_end("adaptive", table, 1e-6);
    check_rows_hold("adaptive", table);
}

/* The factors of a projection serve the accelerations behind it, which belong to the velocities that it has changed. */
static void test_accelerations_behind_a_projection_are_those_of_its_state(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world, tn_format("%s[solver]\ntype = 'rk'\nlinear = 'klu'\nstep = 1\nend_time = 1\n", top),
                  NULL, NULL);
    tn_system *system = world.system;
    double behind[6];
    tn_world_open_linear(&world);
    system->run = &world.plan.solver[0].run;
    for (int i = 0; i < 6; i++)
        system->v[i] += 0.1 * (i + 1);
    assert_int_equal(system->project(system), TN_OK);
    assert_int_equal(system->accelerate(system, behind), TN_OK);
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_int_equal(system->accelerate(system, system->a), TN_OK);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(behind[i] - system->a[i]) < 1e-9);
    tn_world_close(&world);
}

/* ---- gsl_ode ------------------------------------------------------------------------------------------- */

/* The plugin is left out where its library is missing. */
static void need_gsl(void) { tn_need_plugin("gsl_ode"); }

static void test_gsl_meets_the_published_top(void **state)
{
    (void)state;
    need_gsl();
    static const struct {
        const char *stepper;
        double tolerance, error;
    } run_of[] = {{"rk4", 1e-9, 1e-6},     {"rkf45", 1e-9, 1e-6}, {"rk8pd", 1e-9, 1e-6},
                  {"msadams", 1e-9, 1e-6}, {"msbdf", 1e-9, 1e-5}, {"rk4imp", 1e-8, 1e-6},
                  {"bsimp", 1e-8, 1e-6}};
    for (size_t k = 0; k < sizeof run_of / sizeof *run_of; k++) {
        const char *solver = tn_format("type = 'gsl_ode'\nstepper = '%s'\nstep = 1e-4\nrelative_tolerance = "
                                       "%g\nabsolute_tolerance = %g\n",
                                       run_of[k].stepper, run_of[k].tolerance, run_of[k].tolerance);
        const tn_csv_table *table = run(top, 0.05, 2.0, solver);
        check_end(run_of[k].stepper, table, run_of[k].error);
        check_rows_hold(run_of[k].stepper, table);
    }
}

/* The history of a multistep method follows the projection: it neither starts anew at every step nor drifts away. */
static void test_projection_leaves_multistep_methods_their_order(void **state)
{
    (void)state;
    need_gsl();
    static const char *const steppers[] = {"msadams", "msbdf"};
    for (int k = 0; k < 2; k++) {
        const char *results = tn_scratch_path(NULL);
        const char *model = tn_write(
            "top.toml",
            tn_format(
                "%s[solver]\ntype = 'gsl_ode'\nstepper = '%s'\nend_time = 2\nrelative_tolerance = 1e-8\n"
                "absolute_tolerance = 1e-8\n",
                top, steppers[k]));
        assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", results)).status, 0);
        assert_true(tn_run_number(results, "run.statistics.steps") < (k == 0 ? 4000 : 9000));
        check_end(steppers[k], tn_sensors(results), k == 0 ? 1e-7 : 2e-6);
    }
}

/* A stiff spring beside a joint, with steps that explicit methods cannot take: the iteration converges in all of them,
 * which it does with the Jacobian of the constrained system only. */
static void test_implicit_steppers_hold_a_stiff_spring_on_a_joint(void **state)
{
    (void)state;
    need_gsl();
    const char *const model =
        "%s[[element]]\nname = 'rod'\ntype = 'spring_damper'\nmarkers = ['ground', { element = "
        "'top', position = [0.3, 0, 0.1] }]\nreference_length = 0.9\nstiffness = 1e7\n"
        "damping = 2e5\n[output]\ninterval = 0.1\n[solver]\nend_time = 0.5\n%s";
    const char *const at_rest[] = {"--set", "element.top.angular_velocity=[0, 0, 0]", "--set",
                                   "element.top.velocity=[0, 0, 0]", NULL};
    const tn_csv_table *exact =
        tn_simulate(tn_format(model, top, "type = 'rk'\norder = 4\nstep = 2e-5\n"), at_rest);
    static const char *const steppers[] = {"rk4imp", "bsimp"};
    for (int k = 0; k < 2; k++) {
        const char *results = tn_scratch_path(NULL);
        const char *file = tn_write(
            "stiff.toml",
            tn_format(model, top, tn_format("type = 'gsl_ode'\nstepper = '%s'\nstep = 2e-3\n", steppers[k])));
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", results, at_rest[0],
                                                     at_rest[1], at_rest[2], at_rest[3]));
        if (outcome.status != 0) fail_msg("%s: %s", steppers[k], outcome.errors);
        const double error = largest_difference(tn_sensors(results), exact, &quantities[0]);
        const double rejected = tn_run_number(results, "run.statistics.rejected_steps");
        if (!(error < 1e-4 && rejected == 0.0))
            fail_msg("%s: %g m, %g steps rejected", steppers[k], error, rejected);
    }
}

/* ---- rows of velocities, and rows that depend on time ---------------------------------------------------- */

/* A blade that cannot move sideways, whose height is prescribed. */
static const char blade[] =
    "#include <tenon/author.h>\n"
    "#define BLADE(P) P(REAL, lift, \"m\", 0, 0.1, -10, 10, \"swing\") P(REAL, jump, \"m\", 0, 0, -10, 10, "
    "\"after 0.1 s\")\n"
    "TN_PARAMETERS(blade, BLADE)\n"
    "TN_CONSTRAINT(blade)\n"
    "{\n"
    "    const tn_real time = tn_time(context);\n"
    "    const tn_real height = self->lift * tn_sin(3.0 * time) + (tn_value(time) > 0.1 ? self->jump : "
    "0.0);\n"
    "    row[0] = marker[1].position.e[2] - marker[0].position.e[2] - height;\n"
    "    row[1] = tn_dot(tn_axis(marker[1].rotation, 1), marker[1].velocity);\n"
    "    return TN_OK;\n"
    "}\n"
    "#if TN_VALUES\n"
    "static tn_status blade_layout(const tn_host *host, const void *instance, tn_layout *layout)\n"
    "{\n"
    "    (void)host, (void)instance;\n"
    "    layout->position_rows = layout->velocity_rows = 1;\n"
    "    return TN_OK;\n"
    "}\n"
    "TN_PORTS(blade, {\"markers\", \"two frames\", TN_FRAME, 2, 2, 0})\n"
    "TN_ELEMENT(blade, .summary = \"test\", .formula = \"test\", .ports = blade_ports, .layout = "
    "blade_layout, TN_CAPABILITIES(TN_HAS_CONSTRAINT(blade)))\n"
    "TN_LIBRARY(\"blade\", \"1.0.0\", \"Apache-2.0\", \"test\", {TN_ELEMENT_KIND, &blade_type})\n"
    "#endif\n";

/* It tumbles on its blade, which lies beside the centre of mass. */
static const char sledge[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'top'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.05, 0.08, 0.1]\n"
    "position = [0, 0.1, 0.2]\nvelocity = [1, 0, 0.3]\nangular_velocity = [0.4, -0.2, 2]\n"
    "[[marker]]\nname = 'foot'\ntype = 'frame'\nelement = 'top'\nposition = [-0.1, -0.1, -0.2]\n"
    "[[element]]\nname = 'blade'\ntype = 'blade'\nmarkers = ['ground', 'foot']\n" //
    SENSOR("p", "element = 'top'", "position") SENSOR("v", "element = 'top'", "velocity")
        SENSOR("R", "element = 'top'", "rotation") SENSOR("w", "element = 'top'", "angular_velocity")
            SENSOR("slip", "marker = 'foot'", "velocity") SENSOR("axes", "marker = 'foot'", "rotation")
                GAP BALANCE;

static void need_blade(void)
{
    if (access(tn_scratch_path("blade.so"), R_OK) != 0) (void)tn_build_text("blade", blade);
    assert_int_equal(setenv("TENON_PLUGIN_PATH", tn_scratch_path("."), 1), 0);
}

/* The blade moves sideways by at most so much, at all times. */
static double sideways(const tn_csv_table *table)
{
    const size_t v = tn_column_of(table, "slip.x"), R = tn_column_of(table, "axes.0");
    double largest = 0.0;
    for (size_t row = 0; row < table->rows; row++) {
        double sum = 0.0;
        for (size_t i = 0; i < 3; i++)
            sum += tn_csv_value(table, row, v + i) * tn_csv_value(table, row, R + 3 * i + 1);
        largest = fmax(largest, fabs(sum));
    }
    return largest;
}

/* The work of the rows that move with time counts, with their reactions at the same instant. */
static void test_velocity_rows_and_driven_rows(void **state)
{
    (void)state;
    need_blade();
    const tn_csv_table *exact = run(sledge, 0.05, 0.5, "type = 'rk'\norder = 5\nstep = 2e-4\n");
    const tn_csv_table *whole = run(sledge, 0.05, 0.5, "type = 'rk'\norder = 4\nstep = 1e-2\n"),
                       *half = run(sledge, 0.05, 0.5, "type = 'rk'\norder = 4\nstep = 5e-3\n");
    for (int i = 0; i < QUANTITIES - 1; i++) {
        const double order = log2(largest_difference(whole, exact, &quantities[i]) /
                                  largest_difference(half, exact, &quantities[i]));
        if (!(fabs(order - 4) < 0.3)) fail_msg("%s is of order %.2f", quantities[i].name, order);
    }
    const double order = log2(energy_drift(whole) / energy_drift(half));
    if (!(energy_drift(half) < 1e-4 && order > 3.7))
        fail_msg("energy: %g and %g", energy_drift(whole), energy_drift(half));
    assert_true(sideways(whole) < 1e-12 && largest_value(whole, "gap", 1) < 1e-12);

    need_gsl();
    static const char *const steppers[] = {"rk8pd", "msadams", "rk4imp"};
    for (int k = 0; k < 3; k++) {
        const tn_csv_table *table =
            run(sledge, 0.05, 0.5,
                tn_format("type = 'gsl_ode'\nstepper = '%s'\nrelative_tolerance = 1e-9\n", steppers[k]));
        const double error = largest_difference(table, exact, &quantities[0]);
        if (!(error < 1e-6 && energy_drift(table) < 1e-5 && sideways(table) < 1e-12))
            fail_msg("%s: %g m, %g J", steppers[k], error, energy_drift(table));
    }
}

/* The blade is lifted out of the reach of a joint that holds it: no state satisfies both. */
static void test_a_step_without_a_state_is_explained(void **state)
{
    (void)state;
    need_blade();
    const char *model = tn_format(
        "%s[[element]]\nname = 'pin'\ntype = 'spherical'\nmarkers = [{ element = 'ground', position = "
        "[0, 0.1, 0.2] }, 'top']\n"
        "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-3\n",
        sledge);
    static const char *const solvers[] = {"rk", "gsl_ode"};
    for (int k = 0; k < 2; k++) {
        if (k == 1) need_gsl();
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", tn_write("lifted.toml", model), "--quiet", "--solver", solvers[k],
                              "--set", "element.blade.jump=0.5"));
        assert_int_not_equal(outcome.status, 0);
        tn_check_holds(outcome.errors, TN_WORDS("`blade`", "cannot be removed", "step"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reactions_have_the_order_of_the_motion),
        cmocka_unit_test(test_the_first_row_has_its_reaction),
        cmocka_unit_test(test_rk_meets_the_published_top),
        cmocka_unit_test(test_accelerations_behind_a_projection_are_those_of_its_state),
        cmocka_unit_test(test_gsl_meets_the_published_top),
        cmocka_unit_test(test_projection_leaves_multistep_methods_their_order),
        cmocka_unit_test(test_implicit_steppers_hold_a_stiff_spring_on_a_joint),
        cmocka_unit_test(test_velocity_rows_and_driven_rows),
        cmocka_unit_test(test_a_step_without_a_state_is_explained)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

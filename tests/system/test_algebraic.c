/* test_algebraic.c - algebraic unknowns of elements: the kernel finds them, solvers see what is left */
#include "models.h"
#include "tangent.h"
#include "system/constraints.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define SERIES TENON_SOURCE_DIR "/tests/conformance/series/series.c"
#define HELIX TENON_SOURCE_DIR "/tests/system/plugins/helix.c"
#define ADAPTIVE                                                                      \
    "[solver]\ntype = 'rk'\norder = 5\nadaptive = true\nrelative_tolerance = 1e-12\n" \
    "absolute_tolerance = 1e-13\nend_time = 1\n"
#define TENTHS "[output]\ninterval = 0.1\n"

static const char *results;

static tn_outcome try(const char *model)
{
    results = tn_scratch_path(NULL);
    return tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--trust", "--out", results));
}

static const tn_csv_table *run(const char *model)
{
    const tn_outcome outcome = try(model);
    if (outcome.status != 0) fail_msg("%s\n%s", model, outcome.errors);
    return tn_sensors(results);
}

static double counted(const char *what)
{
    return tn_run_number(results, tn_format("run.statistics.%s", what));
}

/* The largest difference of a column from a function of time. */
static double error_of(const tn_csv_table *table, const char *column, double (*exact)(double time))
{
    const size_t place = tn_column_of(table, column), time = tn_column_of(table, "time");
    double largest = 0.0;
    for (size_t row = 0; row < table->rows; row++)
        largest =
            fmax(largest, fabs(tn_csv_value(table, row, place) - exact(tn_csv_value(table, row, time))));
    return largest;
}

/* ---- forces that read unknowns: springs in series -------------------------------------------------------- */

static const char *series(void)
{
    static char path[4096];
    if (path[0] == '\0') (void)snprintf(path, sizeof path, "%s", tn_build_text("series", tn_read(SERIES)));
    return path;
}

/* A mass of 1 kg 1 m away from the ground on springs of 30 N/m and 20 N/m in series. */
#define MASS                                                                                                 \
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\nvelocity = [0, 0, 0.5]\n" \
    "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n"
static const char *mass_on(const char *file, const char *parameters)
{
    return tn_format("[plugins]\nseries = '%s'\n" MASS
                     "[[element]]\nname = 'c'\ntype = 'series'\nmarkers = [{ element = 'ground' }, 'm']\n%s\n"
                     "[[sensor]]\nname = 'node'\nelement = 'c'\noutput = 'node'\n",
                     file, parameters);
}

static double along_x(double time) { return cos(sqrt(12.0) * time); }
static double along_z(double time) { return 0.5 / sqrt(12.0) * sin(sqrt(12.0) * time); }
static double node(double time) { return 0.4 * hypot(along_x(time), along_z(time)); }

static void springs_in_series_are_one_spring(void **state)
{
    (void)state;
    const tn_csv_table *table = run(tn_format("%s" ADAPTIVE TENTHS, mass_on(series(), "")));
    assert_true(error_of(table, "p.x", along_x) < 1e-10 && error_of(table, "p.z", along_z) < 1e-10);
    assert_true(error_of(table, "node", node) < 1e-10);
}

/* The tangent counts how the unknown follows: the iterations are those of the one spring, step by step. */
static void newton_iterations_are_those_without_unknowns(void **state)
{
    (void)state;
    const char *solver = "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-2\n";
    const tn_csv_table *table = run(tn_format("%s%s" TENTHS, mass_on(series(), ""), solver));
    const double place = tn_csv_value(table, table->rows - 1, tn_column_of(table, "p.x")),
                 iterations = counted("newton_iterations");
    table = run(tn_format(MASS "[[element]]\nname = 'c'\ntype = 'spring_damper'\nstiffness = 12\n"
                               "reference_length = 0\nmarkers = [{ element = 'ground' }, 'm']\n%s" TENTHS,
                          solver));
    assert_true(counted("newton_iterations") == iterations && counted("rejected_steps") == 0.0);
    assert_true(fabs(tn_csv_value(table, table->rows - 1, tn_column_of(table, "p.x")) - place) < 1e-12);
}

static void errors_fall_with_the_square_of_the_step(void **state)
{
    (void)state;
    double before = 0.0;
    for (double step = 0.02; step > 0.002; step *= 0.5) {
        const double error =
            error_of(run(tn_format("%s[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = %.17g\n"
                                   "newton.relative_tolerance = 1e-12\n" TENTHS,
                                   mass_on(series(), ""), step)),
                     "p.x", along_x);
        if (before > 0.0) assert_true(before / error > 3.8 && before / error < 4.2);
        before = error;
    }
}

/* More than are worked out together, each with a node of its own. */
static void many_of_them_add_up(void **state)
{
    (void)state;
    enum { MANY = 300 };
    static char text[MANY * 160];
    size_t length = 0;
    double stiffness = 0.0;
    for (int k = 0; k < MANY; k++) {
        const double first = 0.01 + 0.001 * k, second = 0.3 - 0.0005 * k;
        stiffness += first * second / (first + second);
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "[[element]]\nname = 'c%d'\ntype = 'series'\nmarkers = ['ground', 'm']\n"
                                   "first = %.17g\nsecond = %.17g\n",
                                   k, first, second);
    }
    const char *model = tn_format("[plugins]\nseries = '%s'\n" MASS "%s", series(), text);
    const tn_csv_table *table = run(tn_format("%s" ADAPTIVE, model));
    const double right = cos(sqrt(stiffness));
    assert_true(fabs(tn_csv_value(table, table->rows - 1, tn_column_of(table, "p.x")) - right) < 1e-10);
    table = run(tn_format("%s[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-2\n", model));
    assert_true(counted("newton_iterations") <= 300.0 && counted("rejected_steps") == 0.0);
    assert_true(fabs(tn_csv_value(table, table->rows - 1, tn_column_of(table, "p.x")) - right) < 1e-2);
}

/* The start finds the unknown, however far `initial` is from it. */
static void the_start_has_unknowns_that_satisfy_their_equations(void **state)
{
    (void)state;
    const tn_csv_table *table = run(tn_format("%s[solver]\ntype = 'rk'\nend_time = 1e-3\nstep = 1e-3\n",
                                              mass_on(series(), "hardening = 1e6")));
    const double s = tn_csv_value(table, 0, tn_column_of(table, "node"));
    assert_true(fabs(30.0 * s + 1e6 * s * s * s - 20.0 * (1.0 - s)) < 1e-12);
}

/* Everything at once: unknowns that read states and velocities, states that read unknowns, parameters that read the motion and the
 * force of such an element. */
static const char *coupled(void)
{
    return tn_format("[plugins]\nseries = '%s'\n" GRAVITY BODY_A BODY_B POINT_C
                     "[[marker]]\nname = 'a1'\ntype = 'point'\nelement = 'a'\nposition = [0.4, 0.1, -0.3]\n"
                     "[[marker]]\nname = 'b1'\ntype = 'point'\nelement = 'b'\nposition = [0.1, -0.3, 0.2]\n"
                     "[[element]]\nname = 'ab'\ntype = 'series'\nmarkers = ['a1', 'b1']\n"
                     "first = 3\nhardening = 0.6\nsecond = 2\ndamping = 0.4\nrelaxing = 1.5\n"
                     "[[element]]\nname = 'bc'\ntype = 'series'\nmarkers = ['b1', 'c']\n"
                     "first = '5 + SIN(DX(a1, c))'\nhardening = 0.3\nsecond = '4 + 0.5*COS(VY(b1))'\n"
                     "damping = 0.2\nrelaxing = 1\n"
                     "[[element]]\nname = 'read'\ntype = 'force'\nmarkers = ['c']\n"
                     "value = ['0.3*FX(b1)', '0.1*FY(b1)*DX(c)', '1']\n",
                     series());
}

static void the_matrix_holds_what_unknowns_add_to_forces(void **state)
{
    (void)state;
    tn_check_tangent_with_states(coupled(), 0.3, true, 1e-9);
}

static void differences_stand_in_for_a_tangent_of_forces(void **state)
{
    (void)state;
    tn_check_tangent_with_states(coupled(), 0.3, false, 1e-7);
}

/* States that follow the motion and unknowns that follow both agree with steps so short that nothing has to follow. */
static void states_and_unknowns_that_read_each_other_converge_together(void **state)
{
    (void)state;
    const char *model = mass_on(series(), "hardening = 40\ndamping = 2\nrelaxing = 15\ndelay = 0.1");
    const tn_csv_table *exact = run(tn_format("%s" ADAPTIVE, model));
    const double place = tn_csv_value(exact, exact->rows - 1, tn_column_of(exact, "p.x"));
    double before = 0.0;
    for (double step = 0.01; step > 0.002; step *= 0.5) {
        const tn_csv_table *table = run(
            tn_format("%s[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = %.17g\n", model, step));
        const double error = fabs(tn_csv_value(table, table->rows - 1, tn_column_of(table, "p.x")) - place);
        if (before > 0.0) assert_true(before / error > 3.6 && before / error < 4.4);
        before = error;
    }
    if (access(TENON_PLUGINS "/gsl_ode.so", R_OK) != 0) return;
    const tn_csv_table *table = run(tn_format(
        "%s[solver]\ntype = 'gsl_ode'\nstepper = 'bsimp'\nend_time = 1\nrelative_tolerance = 1e-9\n", model));
    assert_true(fabs(tn_csv_value(table, table->rows - 1, tn_column_of(table, "p.x")) - place) < 1e-7);
}

static void unknowns_of_an_element_that_is_not_active_rest(void **state)
{
    (void)state;
    const tn_csv_table *table =
        run(tn_format("%s[[change]]\ntime = 0.1\nelement = 'c'\nactive = false\n"
                      "[solver]\ntype = 'generalized_alpha'\nend_time = 0.5\nstep = 1e-2\n" TENTHS,
                      mass_on(series(), "")));
    assert_true(fabs(tn_value_at(table, "node", 0.1) - node(0.1)) < 1e-3);
    assert_true(tn_value_at(table, "node", 0.5) == tn_value_at(table, "node", 0.2));
}

/* ---- refusals -------------------------------------------------------------------------------------------- */

static const char *const laws =
    "#include <tenon/author.h>\n"
    "#define ROOT(P) P(REAL, offset, \"m^2\", 0, 1.0, -TN_UNBOUNDED, TN_UNBOUNDED, \"of the square\")\n"
    "TN_PARAMETERS(root, ROOT)\n"
    "TN_FORCE(root, TN_POINT, 1) { wrench[0].force.e[0] = tn_unknowns(context)[0]; return TN_OK; }\n"
    "TN_ALGEBRAIC(root, TN_POINT, 1)\n"
    "{\n"
    "    residual[0] = s[0] * s[0] + self->offset - marker[0].position.e[0];\n"
    "    return TN_OK;\n"
    "}\n"
    "#if TN_VALUES\n"
    "static tn_status root_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *instance, tn_layout "
    "*l)\n"
    "{ l->ns = 1; return TN_OK; }\n"
    "TN_PORTS(root, {\"markers\", \"where\", TN_POINT, 1, 1, 0})\n"
    "static tn_status root_initial(TN_UNUSED const tn_host *host, const void *instance, TN_UNUSED double "
    "*q,\n"
    "    TN_UNUSED double *v, TN_UNUSED double *x, double *s, TN_UNUSED double *d)\n"
    "{ s[0] = ((const root *)instance)->offset == 0.0 ? 0.0 : 0.3; return TN_OK; }\n"
    "TN_ELEMENT(root, .summary = \"r\", .formula = \"r\", .ports = root_ports, .layout = root_layout,\n"
    "           .initial = root_initial, TN_CAPABILITIES(TN_HAS_FORCE(root), TN_HAS_ALGEBRAIC(root)))\n"
    "TN_LIBRARY(\"root\", \"1.0.0\", \"Apache-2.0\", \"r\", {TN_ELEMENT_KIND, &root_type})\n"
    "#endif\n";

/* s^2 = x - offset at x = 1. */
static void expect_refusal(const char *offset, const char *reason)
{
    const tn_outcome outcome =
        try(tn_format("[plugins]\nroot = '%s'\n" MASS "[[element]]\nname = 'rooted'\ntype = 'root'\n"
                      "markers = ['m']\noffset = %s\n[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n",
                      tn_build_text("root", laws), offset));
    assert_int_not_equal(outcome.status, 0);
    if (!strstr(outcome.errors, "rooted") || !strstr(outcome.errors, reason)) fail_msg("%s", outcome.errors);
}

static void equations_without_a_solution_name_their_element(void **state)
{
    (void)state;
    expect_refusal("2", "its algebraic equations have no solution here");
    expect_refusal("0", "its algebraic equations are singular here");
}

static void a_type_without_the_tangent_of_its_equations_is_refused(void **state)
{
    (void)state;
    (void)series();
    const tn_outcome outcome = try(tn_format("%s[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n",
                                             mass_on(tn_build_without_passes("series"), "")));
    assert_int_not_equal(outcome.status, 0);
    if (!strstr(outcome.errors, "without `algebraic` and `algebraic_tangent`"))
        fail_msg("%s", outcome.errors);
}

static void both_exact_passes_agree(void **state)
{
    (void)state;
    (void)series();
    const char *parameters = "hardening = 40\nrelaxing = 5";
    const char *solver = "[solver]\ntype = 'generalized_alpha'\nend_time = 0.1\nstep = 1e-3\n";
    const tn_csv_table *table = run(tn_format("%s%s", mass_on(series(), parameters), solver));
    const double place = tn_csv_value(table, table->rows - 1, tn_column_of(table, "p.x"));
    table = run(tn_format("%s%s", mass_on(tn_build_complex_step("series"), parameters), solver));
    assert_true(fabs(tn_csv_value(table, table->rows - 1, tn_column_of(table, "p.x")) - place) < 1e-12);
}

/* ---- rows that read unknowns: a bead on a helix ---------------------------------------------------------- */

static const char *helix(void)
{
    static char path[4096];
    if (path[0] == '\0') (void)snprintf(path, sizeof path, "%s", tn_build_text("helix", tn_read(HELIX)));
    return path;
}

enum { TURNING = 3 };

/* Along the helix s'' = - g rise / (radius^2 + rise^2), also where it turns at a constant speed. */
static double along_helix(double time) { return 0.3 * time - 0.5 * 9.81 * 0.2 / 1.04 * time * time; }
static double x_on_helix(double time) { return cos(along_helix(time)); }
static double x_on_turning_helix(double time) { return cos(along_helix(time) + TURNING * time); }

static const char *bead_of(const char *file, double speed)
{
    return tn_format("[plugins]\nhelix = '%s'\n[model]\ngravity = [0, 0, -9.81]\n"
                     "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 2\nposition = [1, 0, 0]\nvelocity "
                     "= [0, %.17g, 0.06]\n"
                     "[[marker]]\nname = 'axis'\ntype = 'frame'\nelement = 'ground'\n"
                     "[[element]]\nname = 'wire'\ntype = 'helix'\nframe = 'axis'\nbead = 'm'\nspeed = %.17g\n"
                     "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n"
                     "[[sensor]]\nname = 's'\nelement = 'wire'\noutput = 'place'\n",
                     file, 0.3 + speed, speed);
}

static const char *bead(double speed) { return bead_of(helix(), speed); }

static void a_bead_slides_down_a_helix(void **state)
{
    (void)state;
    const tn_csv_table *table = run(tn_format("%s" ADAPTIVE TENTHS, bead(0.0)));
    assert_true(error_of(table, "p.x", x_on_helix) < 1e-9);
    assert_true(error_of(table, "s", along_helix) < 1e-9);
    table = run(tn_format("%s" ADAPTIVE TENTHS, bead(TURNING)));
    assert_true(error_of(table, "p.x", x_on_turning_helix) < 1e-9);
}

static void its_errors_fall_with_the_square_of_the_step(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        double before = 0.0;
        for (double step = 0.01; step > 0.002; step *= 0.5) {
            const double error = error_of(
                run(tn_format("%s[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = %.17g\n" TENTHS,
                              bead(turns ? TURNING : 0), step)),
                "p.x", turns ? x_on_turning_helix : x_on_helix);
            if (before > 0.0) assert_true(before / error > 3.7 && before / error < 4.3);
            before = error;
        }
    }
}

/* The bead and the body that carries the helix, or a surface with two unknowns, both move and turn. */
static const char *carried(bool surface)
{
    return tn_format("[plugins]\n%s = '%s'\n" GRAVITY BODY_A
                     "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 2\nposition = [2.2, 0.25, -0.2]\n"
                     "[[marker]]\nname = 'axis'\ntype = 'frame'\nelement = 'a'\nposition = [0.1, 0.2, -0.3]\n"
                     "rotation = { axis = [1, 2, -1], angle = 0.2 }\n"
                     "[[element]]\nname = 'wire'\nframe = 'axis'\nbead = 'm'\n%s",
                     surface ? "dish" : "helix",
                     surface ? tn_build_text("dish", tn_read(TENON_SOURCE_DIR "/tests/system/plugins/dish.c"))
                             : helix(),
                     surface ? "type = 'dish'\n" : "type = 'helix'\nspeed = 0.7\n");
}

/* The state `time` further on with velocities as they are. */
static void drive(tn_probe *probe, double time)
{
    tn_system *system = probe->world.system;
    for (uint32_t i = 0; i < probe->n; i++)
        probe->increment[i] = time * probe->v[i];
    assert_int_equal(system->retract(system, probe->q, probe->increment, system->q), TN_OK);
    system->time = 0.4 + time;
    assert_int_equal(system->evaluate(system), TN_OK);
}

static void open_carried(tn_probe *probe, bool surface)
{
    tn_probe_open(probe, carried(surface), NULL, NULL);
    tn_system *system = probe->world.system;
    memcpy(probe->q, system->q, system->nq * sizeof(double));
    for (uint32_t i = 0; i < probe->n; i++)
        system->v[i] = probe->v[i] = tn_draw(&probe->random, -1.0, 1.0);
    assert_non_null(system->pattern(system));
    drive(probe, 0.0);
}

/* Off the curve, too: all derivatives are those of the rows with their unknown following. */
static void check_rates_and_biases(bool surface)
{
    const double h = 1e-5;
    tn_probe probe;
    open_carried(&probe, surface);
    tn_system *system = probe.world.system;
    double row[2][2], rate[2][2], bias[2], now[2];
    for (int side = 0; side < 2; side++) {
        drive(&probe, side ? h : -h);
        assert_int_equal(system->constraint(system, row[side]), TN_OK);
        assert_int_equal(system->constraint_rate(system, rate[side]), TN_OK);
    }
    drive(&probe, 0.0);
    assert_int_equal(system->constraint_rate(system, now), TN_OK);
    assert_int_equal(system->matrix(system, 1.0, 0.0, 0.0), TN_OK);
    assert_int_equal(tn_constraint_bias(probe.world.assembly, bias), TN_OK);
    for (uint32_t r = 0; r < system->rows; r++) {
        assert_true(fabs((row[1][r] - row[0][r]) / (2.0 * h) - now[r]) < 1e-8);
        assert_true(fabs((rate[1][r] - rate[0][r]) / (2.0 * h) - bias[r]) < 1e-8 * (1.0 + fabs(bias[r])));
    }
    tn_probe_close(&probe);
}

static void rates_and_biases_of_rows_are_their_derivatives(void **state)
{
    (void)state;
    check_rates_and_biases(false);
    check_rates_and_biases(true);
}

static void check_stiffness(bool surface)
{
    const double h = 1e-5;
    tn_probe probe;
    open_carried(&probe, surface);
    tn_system *system = probe.world.system;
    const uint32_t n = probe.n;
    double *matrix = tn_numbers((size_t)n * n), *sum = tn_numbers(n);
    system->lambda[0] = 13.0;
    if (!surface) system->lambda[1] = -7.0;
    drive(&probe, 0.0);
    tn_probe_matrix(&probe, 0.0, 0.0, 1.0, matrix);
    const double largest = tn_largest_of(matrix, (size_t)n * n);
    memset(probe.v, 0, n * sizeof *probe.v); // increments of their own
    for (uint32_t j = 0; j < n; j++) {
        memset(sum, 0, n * sizeof *sum);
        for (int side = -1; side <= 1; side += 2) {
            probe.v[j] = side;
            drive(&probe, h);
            system->time = 0.4;
            assert_int_equal(system->evaluate(system), TN_OK);
            for (uint32_t i = 0; i < n; i++)
                sum[i] -= side * system->force[i] / (2.0 * h);
        }
        probe.v[j] = 0.0;
        for (uint32_t i = 0; i < n; i++)
            if (!(fabs(sum[i] - matrix[i * n + j]) < 1e-8 * largest))
                fail_msg("-df%u/dq%u is %.12g, not %.12g", i, j, sum[i], matrix[i * n + j]);
    }
    free(matrix);
    free(sum);
    tn_probe_close(&probe);
}

static void the_matrix_holds_the_stiffness_of_their_reactions(void **state)
{
    (void)state;
    check_stiffness(false);
    check_stiffness(true);
}

/* The last of these: it takes the place of the plugin. */
static void rows_do_not_read_unknowns_that_follow_velocities(void **state)
{
    (void)state;
    const char *text = tn_read(HELIX), *const before = "context).e[0];", *const at = strstr(text, before);
    assert_non_null(at);
    const char *file =
        tn_build_text("helix", tn_format("%.*scontext).e[0] + 0.01 * marker[1].velocity.e[2];%s",
                                         (int)(at - text), text, at + strlen(before)));
    const tn_outcome outcome =
        try(tn_format("%s[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n", bead_of(file, 0.0)));
    assert_int_not_equal(outcome.status, 0);
    if (!strstr(outcome.errors, "algebraic equations that read velocities")) fail_msg("%s", outcome.errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_in_series_are_one_spring),
        cmocka_unit_test(newton_iterations_are_those_without_unknowns),
        cmocka_unit_test(errors_fall_with_the_square_of_the_step),
        cmocka_unit_test(many_of_them_add_up),
        cmocka_unit_test(the_start_has_unknowns_that_satisfy_their_equations),
        cmocka_unit_test(the_matrix_holds_what_unknowns_add_to_forces),
        cmocka_unit_test(differences_stand_in_for_a_tangent_of_forces),
        cmocka_unit_test(states_and_unknowns_that_read_each_other_converge_together),
        cmocka_unit_test(unknowns_of_an_element_that_is_not_active_rest),
        cmocka_unit_test(equations_without_a_solution_name_their_element),
        cmocka_unit_test(a_type_without_the_tangent_of_its_equations_is_refused),
        cmocka_unit_test(both_exact_passes_agree),
        cmocka_unit_test(a_bead_slides_down_a_helix),
        cmocka_unit_test(its_errors_fall_with_the_square_of_the_step),
        cmocka_unit_test(rates_and_biases_of_rows_are_their_derivatives),
        cmocka_unit_test(the_matrix_holds_the_stiffness_of_their_reactions),
        cmocka_unit_test(rows_do_not_read_unknowns_that_follow_velocities)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

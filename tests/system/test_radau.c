/* test_radau.c - Radau IIA of order 5: converged values, order of motions and reactions, tolerances, what it refuses */
#include "harness.h"
#include "promises.h"

#include <math.h>
#include <stdio.h>

#define BENCHMARKS TENON_SOURCE_DIR "/configs/benchmarks/"
#define SEEDS TENON_SOURCE_DIR "/configs/seeds/"

static const char *results;

static tn_outcome try(const char *model, const char *const *more)
{
    const char *words[40] = {"run", tn_write("model.toml", model), "--quiet", "--out",
                             results = tn_scratch_path(NULL)};
    size_t count = 5;
    for (; more && *more; more++)
        words[count++] = *more;
    words[count] = NULL;
    return tn_tenon(words);
}

static const tn_csv_table *run(const char *model, const char *const *more)
{
    const tn_outcome outcome = try(model, more);
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    return tn_sensors(results);
}

static double counted(const char *what)
{
    return tn_run_number(results, tn_format("run.statistics.%s", what));
}

static double error_at(const tn_csv_table *table, const tn_csv_table *exact, const char *column, double end)
{
    return fabs(tn_value_at(table, column, end) - tn_value_at(exact, column, end));
}

/* ---- converged values ------------------------------------------------------------------------------------ */

/* Of what a model promises. Values are as exact as they are printed. */
static int check_stored(const char *path, const tn_csv_table *table, double tolerance)
{
    const char *text = tn_read(path);
    tn_promise promise;
    int count = 0;
    for (; tn_next_promise(&text, &promise); count++) {
        const char *point = strchr(promise.printed, '.');
        const double printed = pow(10.0, point ? -(double)strlen(point + 1) : 0.0);
        const double error = fabs(tn_value_at(table, promise.column, promise.time) - promise.value);
        if (!(error <= fmax(tolerance, printed)))
            fail_msg("%s: %s(%g s) misses by %.3g", path, promise.column, promise.time, error);
    }
    return count;
}

static void stored_values_are_met_to_1e8(void **state)
{
    (void)state;
    static const char *const models[] = {BENCHMARKS "slider_crank.toml",
                                         BENCHMARKS "iftomm_a01_pendulum.toml",
                                         BENCHMARKS "iftomm_a03_andrews.toml",
                                         BENCHMARKS "iftomm_a04_bricard.toml",
                                         BENCHMARKS "heavy_top.toml",
                                         SEEDS "bicycle.toml",
                                         SEEDS "spherical.toml",
                                         SEEDS "linear_bushing.toml",
                                         SEEDS "coordinate_constraint.toml"};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        if (TN_SANITIZED && k % 3) continue;
        const tn_csv_table *table =
            run(tn_read(models[k]), TN_WORDS("--solver", "radau", "--set", "solver.tolerance=1e-10"));
        /* energies are large numbers, and forces of stiff bushings, too */
        const double tolerance = k == 4 ? 1e-7 : k == 7 ? 1e-5 : 1e-8;
        assert_true(check_stored(models[k], table, tolerance) > 0);
    }
}

/* The stiff springs of the governor leave 4e5 revolutions of round-off; its stored values are met all the same. */
static void the_flyball_governor_is_met(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip();
    const char *path = BENCHMARKS "iftomm_a05_flyball.toml";
    const tn_csv_table *table =
        run(tn_read(path), TN_WORDS("--solver", "radau", "--set", "solver.tolerance=1e-8"));
    assert_true(check_stored(path, table, 1e-7) == 3);
}

/* Angles of the test set of initial value problems. */
static void errors_follow_the_tolerance(void **state)
{
    (void)state;
    const char *model = tn_read(BENCHMARKS "iftomm_a03_andrews.toml");
    double before = 0.0, least = HUGE_VAL, most = 0.0;
    for (int digits = 4; digits <= (TN_SANITIZED ? 6 : 9); digits++) {
        const tn_csv_table *table =
            run(model, TN_WORDS("--solver", "radau", "--set", tn_format("solver.tolerance=1e-%d", digits)));
        const double error = fabs(tn_value_at(table, "beta", 0.05) - 33.8153407213602);
        if (before > 0.0) {
            least = fmin(least, log10(before / error));
            most = fmax(most, log10(before / error));
        }
        before = error;
    }
    if (!(least > 0.6 && most < 2.0)) fail_msg("a tenth of the tolerance: digits from %g to %g", least, most);
}

/* ---- rows within steps ----------------------------------------------------------------------------------- */

static const tn_csv_table *run_with_rows(const char *model, const char *tolerance, const char *interval)
{
    return run(model, TN_WORDS("--solver", "radau", "--set", tn_format("solver.tolerance=%s", tolerance),
                               "--set", tn_format("output.interval=%s", interval)));
}

static void rows_do_not_change_the_steps(void **state)
{
    (void)state;
    const char *model = tn_read(BENCHMARKS "slider_crank.toml");
    const tn_csv_table *few = run_with_rows(model, "1e-6", "0.05");
    const double steps = counted("steps"), iterations = counted("newton_iterations");
    const tn_csv_table *many = run_with_rows(model, "1e-6", "0.005");
    assert_true(counted("rows") > 15.0 * steps);
    assert_true(counted("steps") == steps);
    assert_true(counted("newton_iterations") == iterations);
    for (int k = 0; k <= 200; k++)
        assert_float_equal(tn_value_at(many, "x.x", 0.05 * k), tn_value_at(few, "x.x", 0.05 * k), 1e-12);
}

/* Reactions, too. */
static void rows_within_steps_are_as_exact_as_their_ends(void **state)
{
    (void)state;
    const char *model = tn_read(BENCHMARKS "heavy_top.toml");
    const tn_csv_table *exact = run_with_rows(model, "1e-11", "0.002");
    for (int digits = 5; digits <= 9; digits += 2) {
        const tn_csv_table *table = run_with_rows(model, tn_format("1e-%d", digits), "0.002");
        double largest = 0.0;
        const double force = 450.0; /* N, about */
        for (int k = 0; k <= 1000; k++)
            largest = fmax(largest, error_at(table, exact, "force.z", 0.002 * k) / force);
        if (!(largest < 20.0 * pow(10.0, -digits))) fail_msg("1e-%d: %g", digits, largest);
    }
}

/* The polynomial leaves the circle by 1e-9 m, which such a spring answers with forces of 0.1 N: steps end at these rows. */
static void stiff_forces_of_rows_are_those_of_the_motion(void **state)
{
    (void)state;
    const tn_csv_table *table =
        run("[model]\ngravity = [0, 0, -10]\n"
            "[[element]]\nname = 'g'\ntype = 'ground'\n"
            "[[element]]\nname = 'bob'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
            "[[element]]\nname = 'rod'\ntype = 'spring_damper'\nmarkers = ['g', 'bob']\n"
            "reference_length = 1\nstiffness = 1e8\ndamping = 1e3\n"
            "[[sensor]]\nname = 'force'\nelement = 'rod'\noutput = 'force'\n"
            "[[sensor]]\nname = 'bob'\nelement = 'bob'\noutput = 'position'\n"
            "[solver]\ntype = 'radau'\nend_time = 2\ntolerance = 1e-6\n[output]\ninterval = 1e-3\n",
            NULL);
    for (int k = 300; k <= 2000; k++) {
        const double t = 1e-3 * k, x = tn_value_at(table, "force.x", t), z = tn_value_at(table, "force.z", t);
        assert_true(fabs(hypot(x, z) + 30.0 * tn_value_at(table, "bob.z", t)) < 6e-3);
    }
}

/* ---- order ----------------------------------------------------------------------------------------------- */

/* Steps of one length, that no error control touches, their equations solved to round-off. */
static const tn_csv_table *run_steps(const char *model, double step, double end)
{
    return run(model, TN_WORDS("--solver", "radau", "--set", "solver.tolerance=0.1", "--set",
                               "solver.newton.tolerance=1e-13", "--set", "solver.newton.max_iterations=30",
                               "--set", tn_format("solver.step=%.17g", step), "--set",
                               tn_format("solver.max_step=%.17g", step), "--set",
                               tn_format("solver.end_time=%.17g", end), "--set",
                               tn_format("output.interval=%.17g", end)));
}

static void expect_order(const char *model, double step, double end, const char *const *columns)
{
    const tn_csv_table *exact = run_steps(model, step / 8.0, end), *coarse = run_steps(model, step, end),
                       *fine = run_steps(model, step / 2.0, end);
    for (; *columns; columns++) {
        const double a = error_at(coarse, exact, *columns, end), b = error_at(fine, exact, *columns, end);
        if (!(log2(a / b) > 4.4 && log2(a / b) < 5.9))
            fail_msg("%s: order %g (errors %g and %g)", *columns, log2(a / b), a, b);
    }
}

/* A fast top held in a point: rotations, spinning axes, reactions. */
static void a_top_and_its_reactions_have_order_5(void **state)
{
    (void)state;
    expect_order(tn_read(BENCHMARKS "heavy_top.toml"), 2e-3, 0.4,
                 TN_WORDS("u.x", "u.y", "u.z", "force.x", "force.y"));
}

static void a_closed_loop_in_space_has_order_5(void **state)
{
    (void)state;
    const char *model = tn_format("%s\n[[sensor]]\nname = 'a'\nexpression = 'ACCM(slider)'\n",
                                  tn_read(BENCHMARKS "spatial_slider_crank.toml"));
    expect_order(model, 5e-3, 1.0, TN_WORDS("x", "v", "crank"));
}

/* A rigid body that turns by many revolutions about an axis that is none of its own, driven by a spring. */
static void a_free_body_has_order_5(void **state)
{
    (void)state;
    static const char body[] =
        "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.2, 0.25]\n"
        "angular_velocity = [3, 0.5, 1]\nvelocity = [0.2, 0, 0]\n"
        "[[element]]\nname = 's'\ntype = 'spring_damper'\nstiffness = 20\ndamping = 0.3\nreference_length = "
        "0.5\n"
        "markers = [{ element = 'ground', position = [1, 0, 0] }, { element = 'b', position = [0, 0.3, 0.1] "
        "}]\n"
        "[[sensor]]\nname = 'p'\nelement = 'b'\noutput = 'position'\n"
        "[[sensor]]\nname = 'w'\nelement = 'b'\noutput = 'angular_velocity'\n"
        "[[sensor]]\nname = 'f'\nelement = 's'\noutput = 'force'\n"
        "[solver]\ntype = 'radau'\nend_time = 2\n";
    expect_order(body, 0.05, 2.0, TN_WORDS("p.x", "p.y", "w.x", "w.y", "w.z", "f.x"));
}

/* A state of a control loop and a rolling coin, whose constraints are of velocities. */
static void states_and_velocity_rows_have_order_5(void **state)
{
    (void)state;
    static const char loop[] =
        "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 2\nposition = 1\n"
        "[[element]]\nname = 'lag'\ntype = 'reference_variable'\nintegral = true\n"
        "expression = '3*(COORD(m) + 0.2*RATE(m)*COORD(m) - VARVAL(lag))'\n"
        "[[element]]\nname = 'pull'\ntype = 'coordinate_force'\nmarkers = 'm'\nvalue = '-8*VARVAL(lag)'\n"
        "[[sensor]]\nname = 'x'\nexpression = 'COORD(m)'\n"
        "[[sensor]]\nname = 'y'\nexpression = 'VARVAL(lag)'\n[solver]\ntype = 'radau'\nend_time = 2\n";
    expect_order(loop, 0.1, 2.0, TN_WORDS("x", "y"));
    expect_order(tn_read(SEEDS "rolling_coin.toml"), 0.02, 0.5, TN_WORDS("p.z"));
}

/* A quarter turn lifts 2 kg by 0.5 m, from rest to rest. */
static void works_of_reactions_are_as_exact_as_the_motion(void **state)
{
    (void)state;
    const char *model =
        tn_format("%s\n[[sensor]]\nname = 'work'\nelement = 'drive'\noutput = 'supplied_energy'\n",
                  tn_read(SEEDS "motion.toml"));
    const tn_csv_table *table = run(model, TN_WORDS("--solver", "radau", "--set", "solver.tolerance=1e-8"));
    assert_true(fabs(tn_value_at(table, "work", 2.0) - 9.81) < 1e-8);
}

/* ---- stiff models ---------------------------------------------------------------------------------------- */

/* x'' + 1e6 x' + 1e6 x = 0: behind its start a decay with 1 s, which needs a few long steps. */
static void stiff_forces_take_long_steps(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\nposition = 1\nvelocity = -1.000001000002\n"
        "[[element]]\nname = 's'\ntype = 'coordinate_spring_damper'\nmarkers = 'm'\nstiffness = 1e6\ndamping "
        "= 1e6\n"
        "[[sensor]]\nname = 'x'\nexpression = 'COORD(m)'\n"
        "[solver]\ntype = 'radau'\nend_time = 5\ntolerance = 1e-6\n[output]\ninterval = 5\n";
    const tn_csv_table *table = run(model, NULL);
    assert_true(fabs(tn_value_at(table, "x", 5.0) - exp(-5.0 * 1.000001000002)) < 1e-6);
    assert_true(counted("steps") < 150.0);
}

/* ---- what it refuses ------------------------------------------------------------------------------------- */

#define PENDULUM                                                                                   \
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"          \
    "[[element]]\nname = 'j'\ntype = 'spherical'\nmarkers = ['ground', { element = 'b', position " \
    "= [0, 0, 1] }]\n"

static void other_orders_are_refused(void **state)
{
    (void)state;
    const tn_outcome outcome = try(PENDULUM "[solver]\ntype = 'radau'\norder = 7\nend_time = 1\n", NULL);
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:", "the order of radau is 5, not 7"));
}

/* Increments that do not add. */
static const char crooked[] =
    "#include <tenon/author.h>\n"
    "#define NAME(P) P(REAL, limit, \"s\", 0, 9.0, 0.0, TN_UNBOUNDED, \"none\")\nTN_PARAMETERS(crooked, "
    "NAME)\n"
    "TN_BODY_FORCE(crooked, 1, 1)\n{\n    force[0] = -q[0] - v[0];\n    return TN_OK;\n}\n#if TN_VALUES\n"
    "static tn_status crooked_layout(TN_UNUSED const tn_host *host, TN_UNUSED const void *self, tn_layout "
    "*layout)\n"
    "{\n    layout->nq = 1;\n    layout->nv = 1;\n    return TN_OK;\n}\n"
    "static tn_status crooked_initial(TN_UNUSED const tn_host *host, TN_UNUSED const void *self, double *q, "
    "double *v,\n"
    "    TN_UNUSED double *x, TN_UNUSED double *s, TN_UNUSED double *d)\n"
    "{\n    q[0] = 1.0;\n    v[0] = 0.0;\n    return TN_OK;\n}\n"
    "#define EACH for (size_t i = 0; i < batch->count; i++)\n"
    "static tn_status crooked_mass(tn_batch *batch)\n{\n    EACH batch->mass[i] = 1.0;\n    return "
    "TN_OK;\n}\n"
    "static tn_status crooked_rate(tn_batch *batch)\n{\n    EACH batch->rate[i] = batch->v[i];\n    return "
    "TN_OK;\n}\n"
    "static tn_status crooked_retract(tn_batch *batch)\n{\n"
    "    EACH batch->configuration[i] = batch->q[i] + batch->increment[i] + batch->increment[i] * "
    "batch->increment[i];\n"
    "    return TN_OK;\n}\n"
    "TN_ELEMENT(crooked, .summary = \"crooked\", .formula = \"-\", .layout = crooked_layout, .initial = "
    "crooked_initial,\n"
    "    TN_CAPABILITIES(TN_HAS(body, .mass = crooked_mass, .body_force = crooked_body_force,\n"
    "                           .body_force_tangent = crooked_body_force_tangent),\n"
    "                    TN_HAS(configuration, .rate = crooked_rate, .retract = crooked_retract)))\n"
    "TN_LIBRARY(\"crooked\", \"1.0.0\", \"Apache-2.0\", \"crooked\", {TN_ELEMENT_KIND, "
    "&crooked_type})\n#endif\n";

static void other_charts_are_refused(void **state)
{
    (void)state;
    const tn_outcome outcome =
        try(tn_format("[plugins]\ncrooked = '%s'\n[[element]]\nname = 'c'\ntype = 'crooked'\n"
                      "[solver]\ntype = 'radau'\nend_time = 1\n",
                      tn_build_text("crooked", crooked)),
            TN_WORDS("--trust"));
    assert_true(outcome.status != 0);
    tn_check_holds(outcome.errors,
                   TN_WORDS("exponential map", "the retraction of a type in this model is another one"));
}

/* Solves diagonal matrices, of real numbers. */
static const char diagonal[] =
    "#include <tenon/author.h>\n#if TN_VALUES\nstatic double size;\n"
    "static tn_status create(const tn_host *host, const void *instance, const tn_matrix *matrix, void "
    "**self)\n"
    "{\n    (void)host, (void)instance, (void)matrix;\n    *self = &size;\n    return TN_OK;\n}\n"
    "static tn_status factor(void *self, const tn_matrix *matrix)\n"
    "{\n    *(double *)self = matrix->value[0];\n    return TN_OK;\n}\n"
    "static tn_status solve(void *self, double *b)\n{\n    b[0] /= *(double *)self;\n    return TN_OK;\n}\n"
    "static void destroy(void *self) { (void)self; }\n"
    "static const tn_linear_type type = {.struct_size = sizeof type, .name = \"diagonal\", .summary = \"one "
    "number\",\n"
    "    .formula = \"x = b/a\", .create = create, .factor = factor, .solve = solve, .destroy = destroy};\n"
    "TN_LIBRARY(\"diagonal\", \"1.0.0\", \"Apache-2.0\", \"diagonal\", {TN_LINEAR_KIND, &type})\n#endif\n";

static void linear_solvers_of_real_numbers_are_refused(void **state)
{
    (void)state;
    const tn_outcome outcome =
        try(tn_format("[plugins]\ndiagonal = '%s'\n[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\n"
                      "[solver]\ntype = 'radau'\nend_time = 1\nlinear = 'diagonal'\n",
                      tn_build_text("diagonal", diagonal)),
            TN_WORDS("--trust"));
    assert_true(outcome.status != 0);
    tn_check_holds(outcome.errors, TN_WORDS("the linear solver `diagonal` does not", "klu"));
}

/* y' = cos 3t - 100 y. */
static void states_without_bodies_are_integrated(void **state)
{
    (void)state;
    const tn_csv_table *table =
        run("[[element]]\nname = 'y'\ntype = 'reference_variable'\nintegral = true\n"
            "expression = 'COS(3*time) - 100*VARVAL(y)'\n[[sensor]]\nname = 'y'\nexpression = 'VARVAL(y)'\n"
            "[solver]\ntype = 'radau'\ntolerance = 1e-8\nend_time = 2\n[output]\ninterval = 2\n",
            NULL);
    assert_true(fabs(tn_value_at(table, "y", 2.0) - (100.0 * cos(6.0) + 3.0 * sin(6.0)) / 10009.0) < 1e-8);
}

/* The shortest step that is allowed, and what was tried, stand in the message. */
static void failures_tell_what_was_tried(void **state)
{
    (void)state;
    const tn_outcome outcome = try(
        "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\nposition = 1\n"
        "[[element]]\nname = 'f'\ntype = 'coordinate_force'\nmarkers = 'm'\nvalue = '1e3*SIN(300*COORD(m))'\n"
        "[solver]\ntype = 'radau'\nend_time = 10\ntolerance = 1e-9\nmin_step = 0.01\nstep = 0.1\n",
        NULL);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("at time", "the step was shortened to"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_values_are_met_to_1e8),
        cmocka_unit_test(the_flyball_governor_is_met),
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(rows_do_not_change_the_steps),
        cmocka_unit_test(rows_within_steps_are_as_exact_as_their_ends),
        cmocka_unit_test(stiff_forces_of_rows_are_those_of_the_motion),
        cmocka_unit_test(a_top_and_its_reactions_have_order_5),
        cmocka_unit_test(a_closed_loop_in_space_has_order_5),
        cmocka_unit_test(a_free_body_has_order_5),
        cmocka_unit_test(states_and_velocity_rows_have_order_5),
        cmocka_unit_test(works_of_reactions_are_as_exact_as_the_motion),
        cmocka_unit_test(stiff_forces_take_long_steps),
        cmocka_unit_test(other_orders_are_refused),
        cmocka_unit_test(other_charts_are_refused),
        cmocka_unit_test(linear_solvers_of_real_numbers_are_refused),
        cmocka_unit_test(states_without_bodies_are_integrated),
        cmocka_unit_test(failures_tell_what_was_tried),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

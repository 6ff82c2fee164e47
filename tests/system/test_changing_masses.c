/* test_changing_masses.c - bodies whose mass matrix depends on the configuration: a double pendulum that is one body, against two
 * rigid bodies with joints */
#include "models.h"
#include "states.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define SOURCE TENON_SOURCE_DIR "/tests/conformance/double_pendulum/double_pendulum.c"
#define SENSORS                                                             \
    "[[sensor]]\nname = 'p'\nmarker = 'tip'\noutput = 'position'\n"         \
    "[[sensor]]\nname = 'w'\nmarker = 'tip'\noutput = 'angular_velocity'\n" \
    "[[sensor]]\nname = 'kinetic'\nsystem = 'kinetic_energy'\n"             \
    "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n"             \
    "[[sensor]]\nname = 'total'\nsystem = 'total_energy'\n"                 \
    "[output]\ninterval = 0.1\n"
#define TIGHT "relative_tolerance = 1e-12\nabsolute_tolerance = 1e-12\nend_time = 1\n"
#define RK "[solver]\ntype = 'rk'\norder = 5\n" TIGHT
/* What hangs on the tip: a spring with a damper to a mass. */
#define SPRING_ON_TIP                                                                                   \
    "[[element]]\nname = 'load'\ntype = 'mass_point'\nmass = 0.4\nposition = [1.5, -0.6, 0]\n"          \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['tip', 'load']\nstiffness = 30\n" \
    "damping = 0.3\nreference_length = 0.5\n"
/* A bar from the tip to the ground. */
#define BAR                                          \
    "[[element]]\nname = 'bar'\ntype = 'distance'\n" \
    "markers = [{ element = 'ground', position = [2.5, 0.3, 0] }, 'tip']\n"

static const char *exact_plugin(void)
{
    static char path[4096];
    if (path[0] == '\0')
        (void)snprintf(path, sizeof path, "%s", tn_build_text("double_pendulum", tn_read(SOURCE)));
    return path;
}

/* Links of 1 and 0.8 m with angles 0.3 and -0.8 rad, and these rates. */
static const char *one_body(const char *plugin, double rate_1, double rate_2)
{
    return tn_format(
        "[plugins]\ndouble_pendulum = '%s'\n[model]\ngravity = [0.5, -9.81, 0]\n"
        "[[element]]\nname = 'pendulum'\ntype = 'double_pendulum'\nmass = [2, 1.5]\n"
        "inertia = [0.2, 0.1]\nlength = [1, 0.8]\nangle = [0.3, -0.8]\nrate = [%.17g, %.17g]\n"
        "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'pendulum'\nposition = [0.8, 0.1, 0]\n",
        plugin, rate_1, rate_2);
}

static const char *rigid_link(const char *name, const double *centre, const double *velocity, double angle,
                              double rate, const char *inertia)
{
    return tn_format("[[element]]\nname = '%s'\ntype = 'rigid_body'\n%s\nposition = [%.17g, %.17g, 0]\n"
                     "velocity = [%.17g, %.17g, 0]\nangular_velocity = [0, 0, %.17g]\n"
                     "rotation = { axis = [0, 0, 1], angle = %.17g }\n",
                     name, inertia, centre[0], centre[1], velocity[0], velocity[1], rate, angle);
}

static const char *two_bodies(double rate_1, double rate_2)
{
    const double angle = 0.3 - 0.8, w = rate_1 + rate_2;
    const double centre_1[] = {0.5 * cos(0.3), 0.5 * sin(0.3)},
                 velocity_1[] = {-rate_1 * centre_1[1], rate_1 * centre_1[0]};
    const double arm[] = {0.4 * cos(angle), 0.4 * sin(angle)};
    const double centre_2[] = {2.0 * centre_1[0] + arm[0], 2.0 * centre_1[1] + arm[1]};
    const double velocity_2[] = {2.0 * velocity_1[0] - w * arm[1], 2.0 * velocity_1[1] + w * arm[0]};
    return tn_format(
        "[model]\ngravity = [0.5, -9.81, 0]\n%s%s"
        "[[element]]\nname = 'j1'\ntype = 'revolute'\n"
        "markers = ['ground', { element = 'a', position = [-0.5, 0, 0] }]\n"
        "[[element]]\nname = 'j2'\ntype = 'revolute'\nmarkers = [{ element = 'a', position = [0.5, 0, 0] },"
        " { element = 'b', position = [-0.4, 0, 0] }]\n"
        "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'b'\nposition = [0.4, 0.1, 0]\n",
        rigid_link("a", centre_1, velocity_1, 0.3, rate_1, "mass = 2\ninertia = [0.3, 0.4, 0.2]"),
        rigid_link("b", centre_2, velocity_2, angle, w, "mass = 1.5\ninertia = [0.3, 0.4, 0.1]"));
}

static const tn_csv_table *run(const char *model, const char *more)
{
    return tn_simulate(tn_format("%s%s" SENSORS, model, more), TN_WORDS("--trust"));
}

static void check_equal(const tn_csv_table *table, const tn_csv_table *expected, const char *column,
                        double tolerance)
{
    const size_t c = tn_column_of(table, column), e = tn_column_of(expected, column);
    assert_true(table->rows > 10 && table->rows == expected->rows);
    for (size_t row = 0; row < table->rows; row++) {
        const double difference = tn_csv_value(table, row, c) - tn_csv_value(expected, row, e);
        if (!(fabs(difference) <= tolerance))
            fail_msg("%s at %g s: off by %.3g", column, tn_csv_value(table, row, 0), difference);
    }
}

static void check_motion(const tn_csv_table *table, const tn_csv_table *expected, double tolerance)
{
    check_equal(table, expected, "p.x", tolerance);
    check_equal(table, expected, "p.y", tolerance);
    check_equal(table, expected, "w.z", 10.0 * tolerance);
    check_equal(table, expected, "kinetic", 30.0 * tolerance);
}

static void it_moves_as_two_rigid_bodies_do(void **state)
{
    (void)state;
    check_motion(run(one_body(exact_plugin(), 1.2, -0.7), RK), run(two_bodies(1.2, -0.7), RK), 1e-9);
}

static void forces_on_its_markers_move_it(void **state)
{
    (void)state;
    check_motion(run(one_body(exact_plugin(), 1.2, -0.7), SPRING_ON_TIP RK),
                 run(two_bodies(1.2, -0.7), SPRING_ON_TIP RK), 1e-9);
}

/* At rest at the start: the bar allows that. */
static void constraints_hold_it(void **state)
{
    (void)state;
    check_motion(run(one_body(exact_plugin(), 0.0, 0.0), SPRING_ON_TIP BAR RK),
                 run(two_bodies(0.0, 0.0), SPRING_ON_TIP BAR RK), 1e-9);
}

/* The way onto constraints is the shortest one by the masses of the configuration there. */
static void velocities_at_the_start_come_to_the_constraints_by_its_masses(void **state)
{
    (void)state;
    check_motion(run(one_body(exact_plugin(), 1.2, -0.7), BAR RK), run(two_bodies(1.2, -0.7), BAR RK), 1e-9);
}

static void radau_takes_it(void **state)
{
    (void)state;
    const char *solver = "[solver]\ntype = 'radau'\ntolerance = 1e-9\nend_time = 1\n";
    check_motion(run(one_body(exact_plugin(), 1.2, -0.7), tn_format(SPRING_ON_TIP "%s", solver)),
                 run(one_body(exact_plugin(), 1.2, -0.7), SPRING_ON_TIP RK), 1e-7);
    check_motion(run(one_body(exact_plugin(), 0.0, 0.0), tn_format(BAR "%s", solver)),
                 run(one_body(exact_plugin(), 0.0, 0.0), BAR RK), 1e-7);
}

static void ida_takes_it(void **state)
{
    (void)state;
    tn_need_plugin("ida");
    const char *solver = "[solver]\ntype = 'ida'\ntolerance = 1e-9\nend_time = 1\n";
    check_motion(run(one_body(exact_plugin(), 1.2, -0.7), tn_format(SPRING_ON_TIP "%s", solver)),
                 run(one_body(exact_plugin(), 1.2, -0.7), SPRING_ON_TIP RK), 1e-7);
    check_motion(run(one_body(exact_plugin(), 0.0, 0.0), tn_format(BAR "%s", solver)),
                 run(one_body(exact_plugin(), 0.0, 0.0), BAR RK), 1e-7);
}

static void steppers_of_gsl_take_it(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    static const char *const steppers[] = {"rk8pd", "msadams", "msbdf", "bsimp", "rk4imp"};
    const tn_csv_table *free_motion = run(one_body(exact_plugin(), 1.2, -0.7), SPRING_ON_TIP RK);
    const tn_csv_table *held = run(one_body(exact_plugin(), 0.0, 0.0), BAR RK);
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++) {
        const char *solver =
            tn_format("[solver]\ntype = 'gsl_ode'\nstepper = '%s'\nrelative_tolerance = 1e-9\n"
                      "absolute_tolerance = 1e-9\nend_time = 1\n",
                      steppers[k]);
        check_motion(run(one_body(exact_plugin(), 1.2, -0.7), tn_format(SPRING_ON_TIP "%s", solver)),
                     free_motion, 2e-6);
        check_motion(run(one_body(exact_plugin(), 0.0, 0.0), tn_format(BAR "%s", solver)), held, 2e-6);
    }
}

static double largest_error(const tn_csv_table *table, const tn_csv_table *exact)
{
    const size_t c = tn_column_of(table, "p.y"), e = tn_column_of(exact, "p.y");
    double largest = 0.0;
    assert_int_equal(table->rows, exact->rows);
    for (size_t row = 0; row < table->rows; row++)
        largest = fmax(largest, fabs(tn_csv_value(table, row, c) - tn_csv_value(exact, row, e)));
    return largest;
}

static void errors_fall_with_the_square_of_the_step(void **state)
{
    (void)state;
    const char *const loads[] = {SPRING_ON_TIP, BAR};
    for (size_t k = 0; k < 2; k++) {
        const double rate = k ? 0.0 : 1.2;
        const char *model = one_body(exact_plugin(), rate, -rate);
        const tn_csv_table *exact = run(model, tn_format("%s" RK, loads[k]));
        double before = 0.0;
        for (double step = 0.01; step > 0.001; step *= 0.5) {
            const char *solver = "[solver]\ntype = 'generalized_alpha'\nend_time = 1\n";
            const double error =
                largest_error(run(model, tn_format("%s%sstep = %.17g\n", loads[k], solver, step)), exact);
            if (before > 0.0 && !(before / error > 3.7 && before / error < 4.3))
                fail_msg("%s: %.3g after %.3g at half of the step", loads[k], error, before);
            before = error;
        }
    }
}

static void its_energies_are_accounted_for(void **state)
{
    (void)state;
    const tn_csv_table *lonely = run(one_body(exact_plugin(), 1.2, -0.7), RK);
    const tn_csv_table *loaded = run(one_body(exact_plugin(), 1.2, -0.7), SPRING_ON_TIP RK);
    const size_t balance = tn_column_of(loaded, "balance"), total = tn_column_of(lonely, "total");
    for (size_t row = 1; row < loaded->rows; row++) {
        assert_true(fabs(tn_csv_value(loaded, row, balance) - tn_csv_value(loaded, 0, balance)) < 1e-9);
        assert_true(fabs(tn_csv_value(lonely, row, total) - tn_csv_value(lonely, 0, total)) < 1e-9);
    }
}

/* Column by column: by positions, velocities and accelerations, at any accelerations. */
static void check_matrix(const char *model, const char *plugin, double tolerance)
{
    const double step[] = {1e-5, 1e-4, 1.0}, factor[] = {0.7, 0.3, 1.4};
    tn_probe probe;
    tn_probe_open(&probe, model, plugin ? "double_pendulum" : NULL, plugin);
    tn_system *system = probe.world.system;
    const uint32_t n = system->nv;
    double *matrix = tn_numbers((size_t)n * n), *left = tn_numbers(n), *sum = tn_numbers(n);
    double *q = tn_numbers(system->nq);
    for (int draw = 0; draw < 20; draw++) {
        tn_probe_draw(&probe);
        for (uint32_t i = 0; i < n; i++)
            system->a[i] = tn_draw(&probe.random, -3.0, 3.0);
        assert_int_equal(system->evaluate(system), TN_OK);
        tn_probe_matrix(&probe, factor[2], factor[1], factor[0], matrix);
        memcpy(q, system->q, system->nq * sizeof *q);
        const double scale = tn_largest_of(matrix, (size_t)n * n);
        for (uint32_t j = 0; j < n; j++) {
            memset(sum, 0, n * sizeof *sum);
            for (int kind = 0; kind < 3; kind++)
                for (int side = -1; side <= 1; side += 2) {
                    double *const number[] = {&probe.increment[j], &system->v[j], &system->a[j]};
                    const double value = *number[kind];
                    *number[kind] += side * step[kind];
                    assert_int_equal(system->retract(system, q, probe.increment, system->q), TN_OK);
                    assert_int_equal(system->evaluate(system), TN_OK);
                    assert_int_equal(system->residual(system, system->a, left), TN_OK);
                    *number[kind] = value;
                    for (uint32_t i = 0; i < n; i++)
                        sum[i] += factor[kind] * side * left[i] / (2.0 * step[kind]);
                }
            memcpy(system->q, q, system->nq * sizeof *q);
            for (uint32_t i = 0; i < n; i++)
                if (!(fabs(matrix[i * n + j] - sum[i]) <= tolerance * scale))
                    fail_msg("(%u, %u): %.12g, differences %.12g", i, j, matrix[i * n + j], sum[i]);
        }
    }
    double *const memory[] = {matrix, left, sum, q};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        free(memory[k]);
    tn_probe_close(&probe);
}

static void the_matrix_is_the_derivative_of_the_residual(void **state)
{
    (void)state;
    check_matrix(tn_format("%s" SPRING_ON_TIP, one_body(exact_plugin(), 0.0, 0.0)), NULL, 1e-8);
}

static void differences_stand_in_for_the_tangent(void **state)
{
    (void)state;
    (void)exact_plugin();
    const char *plugin = tn_build_without_passes("double_pendulum");
    check_matrix(tn_format("%s" SPRING_ON_TIP, one_body(plugin, 0.0, 0.0)), NULL, 1e-7);
    check_motion(run(one_body(plugin, 1.2, -0.7), SPRING_ON_TIP RK),
                 run(one_body(exact_plugin(), 1.2, -0.7), SPRING_ON_TIP RK), 1e-9);
}

/* What a run of two bodies of this type says; its second body has the mass -1. */
static const char *errors_of(const char *name, const char *mass, const char *layout, const char *more,
                             const char *solver)
{
    const char *text = tn_format(
        "#include <tenon/author.h>\n"
        "#define PARAMETERS(P) P(REAL, mass, \"kg\", 0, 1.0, -TN_UNBOUNDED, TN_UNBOUNDED, \"of it\")\n"
        "TN_PARAMETERS(%s, PARAMETERS)\n"
        "TN_RESIDUAL(%s, 1, 1) { residual[0] = (%s) * a[0] - 1.0; return TN_OK; }\n"
        "#if TN_VALUES\n"
        "static tn_status pattern(const tn_host *host, const void *instance, uint32_t *row, uint32_t "
        "*column)\n"
        "{ (void)host; (void)instance; row[0] = column[0] = 0; return TN_OK; }\n"
        "static tn_status nothing(tn_batch *batch) { (void)batch; return TN_OK; }\n"
        "static tn_status layout(const tn_host *host, const void *instance, tn_layout *layout)\n"
        "{ (void)host; (void)instance; (void)pattern; (void)nothing; layout->nq = layout->nv = 1; %s return "
        "TN_OK; }\n"
        "TN_ELEMENT(%s, .flags = TN_VECTOR_SPACE, .summary = \"spoilt\", .formula = \"none\",\n"
        "           .layout = layout, TN_CAPABILITIES(TN_HAS(body, TN_RESIDUAL_FIELDS(%s) %s)))\n"
        "TN_LIBRARY(\"%s\", \"1.0.0\", \"Apache-2.0\", \"spoilt\", {TN_ELEMENT_KIND, &%s_type})\n"
        "#endif\n",
        name, name, mass, layout, name, name, more, name, name);
    const char *model =
        tn_write("model.toml", tn_format("[plugins]\n%s = '%s'\n[[element]]\nname = 'a'\ntype = '%s'\n"
                                         "[[element]]\nname = 'b'\ntype = '%s'\nmass = -1\n"
                                         "[solver]\ntype = '%s'\nend_time = 1\nstep = 1e-2\n",
                                         name, tn_build_text(name, text), name, name, solver));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--trust", "--out", tn_scratch_path(NULL)));
    assert_int_not_equal(outcome.status, 0);
    return outcome.errors;
}

static void masses_that_are_not_positive_are_told(void **state)
{
    (void)state;
    tn_check_holds(errors_of("negative", "self->mass - q[0]", "", "", "rk"),
                   TN_WORDS("negative `b`", "its mass matrix is not positive definite"));
}

static void masses_that_are_no_numbers_are_told(void **state)
{
    (void)state;
    tn_check_holds(errors_of("unfinite", "tn_sqrt(self->mass)", "", "", "generalized_alpha"),
                   TN_WORDS("unfinite `b`", "nan, not a finite number"));
}

static void a_residual_beside_a_mass_is_refused(void **state)
{
    (void)state;
    tn_check_holds(errors_of("doubled", "self->mass", "", ", .mass = nothing", "rk"),
                   TN_WORDS("`doubled` declares a residual beside a mass or a force on itself"));
}

static void a_pass_that_writes_full_matrices_is_not_taken_for_entries(void **state)
{
    (void)state;
    tn_check_holds(errors_of("listed", "1.0", "layout->own_entries = 1;", ", .own_pattern = pattern", "rk"),
                   TN_WORDS("its tangent has to be written entry by entry"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_moves_as_two_rigid_bodies_do),
        cmocka_unit_test(forces_on_its_markers_move_it),
        cmocka_unit_test(constraints_hold_it),
        cmocka_unit_test(velocities_at_the_start_come_to_the_constraints_by_its_masses),
        cmocka_unit_test(radau_takes_it),
        cmocka_unit_test(ida_takes_it),
        cmocka_unit_test(steppers_of_gsl_take_it),
        cmocka_unit_test(errors_fall_with_the_square_of_the_step),
        cmocka_unit_test(its_energies_are_accounted_for),
        cmocka_unit_test(the_matrix_is_the_derivative_of_the_residual),
        cmocka_unit_test(differences_stand_in_for_the_tangent),
        cmocka_unit_test(masses_that_are_not_positive_are_told),
        cmocka_unit_test(masses_that_are_no_numbers_are_told),
        cmocka_unit_test(a_residual_beside_a_mass_is_refused),
        cmocka_unit_test(a_pass_that_writes_full_matrices_is_not_taken_for_entries)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

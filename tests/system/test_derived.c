/* test_derived.c - markers made of other markers: what they do to forces, energies, momenta and the matrix */
#include "models.h"
#include "states.h"

#include <math.h>

#define SENSOR(name, marker, output) \
    "[[sensor]]\nname = '" name "'\nmarker = '" marker "'\noutput = '" output "'\n"
#define SYSTEM(name, output) "[[sensor]]\nname = '" name "'\nsystem = '" output "'\n"
#define BALANCE SYSTEM("E", "total_energy") SYSTEM("P", "momentum") SYSTEM("L", "angular_momentum")

/* `carrier` maps twists in a way that changes with the poses, and delivers frames: a second one stands on the first,
 * which also serves as a point. */
#define CARRIERS                                                                                      \
    "[[marker]]\nname = 'k2'\ntype = 'carrier'\nbase = 'k1'\naim = 'mean'\nturn = 0.02\n"             \
    "[[marker]]\nname = 'mean'\ntype = 'center'\nmarkers = ['k1', 'c', 'b']\nweights = [1, 2, 0.5]\n" \
    "[[marker]]\nname = 'k1'\ntype = 'carrier'\nbase = 'a1'\naim = 'c'\noffset = [0.2, -0.3, 0.4]\n"
static const char carriers[] =
    GRAVITY BODY_A BODY_B POINT_C POINT_D FRAMES CARRIERS SPRING("k1_d", "'k1', 'd'", "3")
        SPRING("k2_b", "'k2', 'b1'", "3") SPRING("mean_a", "'mean', 'a2'", "3")
            LOAD("torque", "twist", "'k2', 'b1'", "local = true\n") LOAD("torque", "turn", "'k1'", "")
                LOAD("force", "axes", "'d', 'k1'", "axes = ['k2']\n");

/* ---- the matrix ------------------------------------------------------------------------------------------ */

/* The force at a state moved by `h` along coordinate j of q or v. */
static void moved_force(tn_probe *probe, bool of_q, uint32_t j, double h, double *force)
{
    tn_system *system = probe->world.system;
    if (of_q) {
        probe->increment[j] = h;
        assert_int_equal(system->retract(system, probe->q, probe->increment, system->q), TN_OK);
        probe->increment[j] = 0.0;
    } else {
        system->v[j] = probe->v[j] + h;
    }
    assert_int_equal(system->evaluate(system), TN_OK);
    memcpy(force, system->force, probe->n * sizeof *force);
    memcpy(system->q, probe->q, system->nq * sizeof(double));
    memcpy(system->v, probe->v, probe->n * sizeof(double));
}

/* Column j of df/dq or df/dv from three central differences. */
static void differentiate(tn_probe *probe, bool of_q, uint32_t j, double *derivative)
{
    static const double weight[3] = {1.0 / 45, -20.0 / 45, 64.0 / 45};
    double *above = tn_numbers(probe->n), *below = tn_numbers(probe->n);
    memset(derivative, 0, probe->n * sizeof *derivative);
    for (int k = 0; k < 3; k++) {
        const double h = 8e-3 / (1 << k);
        moved_force(probe, of_q, j, h, above);
        moved_force(probe, of_q, j, -h, below);
        for (uint32_t i = 0; i < probe->n; i++)
            derivative[i] += weight[k] * (above[i] - below[i]) / (2.0 * h);
    }
    free(above);
    free(below);
}

static void check_matrix(tn_probe *probe, bool of_q, double tolerance)
{
    tn_system *system = probe->world.system;
    const uint32_t n = probe->n;
    double *exact = tn_numbers((size_t)n * n), *derivative = tn_numbers(n);
    assert_int_equal(system->evaluate(system), TN_OK);
    tn_probe_matrix(probe, 0.0, of_q ? 0.0 : 1.0, of_q ? 1.0 : 0.0, exact);
    const double largest = tn_largest_of(exact, (size_t)n * n);
    for (uint32_t j = 0; j < n; j++) {
        differentiate(probe, of_q, j, derivative);
        for (uint32_t i = 0; i < n; i++)
            if (!(fabs(-derivative[i] - exact[(size_t)i * n + j]) <= tolerance * largest))
                fail_msg("-df%u/d%s%u is %.12g by differences, %.12g in the matrix (largest %.3g)", i,
                         of_q ? "q" : "v", j, -derivative[i], exact[(size_t)i * n + j], largest);
    }
    free(exact);
    free(derivative);
}

static void check_tangent(const char *model, const char *type, const char *plugin, double tolerance)
{
    tn_probe probe;
    tn_probe_open(&probe, model, type, plugin);
    for (int state = 0; state < 100; state++) {
        tn_probe_draw(&probe);
        check_matrix(&probe, true, tolerance);
        check_matrix(&probe, false, tolerance);
    }
    tn_probe_close(&probe);
}

static void test_tangent_is_exact_where_the_map_of_twists_changes(void **state)
{
    (void)state;
    check_tangent(carriers, "carrier", tn_build_complex_step("tests/system/carrier"), 1e-9);
}

static void test_differences_stand_in_for_a_missing_tangent(void **state)
{
    (void)state;
    check_tangent(carriers, "carrier", tn_build_without_passes("tests/system/carrier"), 1e-6);
}

/* ---- forces ---------------------------------------------------------------------------------------------- */

/* Work and wrenches: what the connectors do on derived markers, the bodies get. The kinetic energy changes by the power
 * of all forces, and the potential by that of the springs. */
static const char joined[] =
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 1.5\ninertia = [0.05, 0.09, 0.1]\n"
    "velocity = [0.1, 0.3, -0.2]\nangular_velocity = [2, -1, 0.5]\n"
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 0.8\ninertia = [0.02, 0.04, 0.03]\n"
    "position = [1, 0.2, 0]\nangular_velocity = [0, 3, 1]\n"
    "[[element]]\nname = 'c'\ntype = 'mass_point'\nmass = 0.7\nposition = [0.3, 1.1, 0.4]\n"
    "velocity = [-0.5, 0, 0.2]\n"
    "[[marker]]\nname = 'f'\ntype = 'frame'\nelement = 'b'\nposition = [0.1, 0.2, 0]\n"
    "[[marker]]\nname = 'mean'\ntype = 'center'\nweights = [2, 1]\n"
    "markers = [{ element = 'a', position = [0.2, 0.1, 0] }, 'f']\n"
    "[[element]]\nname = 'one'\ntype = 'spring_damper'\nreference_length = 0.6\nstiffness = 80\n"
    "markers = ['mean', 'c']\n";
static const char carried[] =
    "[[marker]]\nname = 'k'\ntype = 'carrier'\nbase = 'f'\naim = 'mean'\n"
    "[[element]]\nname = 'two'\ntype = 'spring_damper'\nreference_length = 0.8\nstiffness = 50\n"
    "markers = ['k', { element = 'a', position = [0, 0.2, 0.1] }]\n";

static double change(const tn_csv_table *table, const char *column)
{
    const size_t c = tn_column_of(table, column);
    double largest = 0.0;
    for (size_t row = 1; row < table->rows; row++)
        largest = fmax(largest, fabs(tn_csv_value(table, row, c) - tn_csv_value(table, 0, c)));
    return largest;
}

static void check_balance(const char *model, const char *const *more)
{
    const tn_csv_table *run =
        tn_simulate(tn_format("%s" BALANCE "[output]\ninterval = 0.01\n"
                              "[solver]\ntype = 'rk'\norder = 5\nend_time = 2\nstep = 5e-4\n",
                              model),
                    more);
    static const char *const kept[] = {"P.x", "P.y", "P.z", "L.x", "L.y", "L.z", "E"};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        if (!(change(run, kept[k]) <= 1e-10)) fail_msg("%s changes by %.3g", kept[k], change(run, kept[k]));
}

static const char *with_carrier(const char *model)
{
    return tn_format("[plugins]\ncarrier = '%s'\n%s%s", tn_scratch_path("carrier_complex.so"), model,
                     carried);
}

static void test_energy_and_momenta_are_kept(void **state)
{
    (void)state;
    (void)tn_build_complex_step("tests/system/carrier");
    check_balance(joined, NULL);
    check_balance(with_carrier(joined), TN_WORDS("--trust"));
}

static void test_damping_loses_energy_but_no_momentum(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(tn_format("%s" BALANCE "[solver]\ntype = 'rk'\nend_time = 2\nstep = 1e-3\n", joined),
                    TN_WORDS("--set", "element.one.damping=3"));
    const size_t energy = tn_column_of(run, "E");
    for (size_t row = 1; row < run->rows; row++)
        assert_true(tn_csv_value(run, row, energy) <= tn_csv_value(run, row - 1, energy));
    assert_true(change(run, "E") > 0.1 && change(run, "P.x") <= 1e-12 && change(run, "L.z") <= 1e-10);
}

/* ---- solvers --------------------------------------------------------------------------------------------- */

static const tn_csv_table *solve(const char *model, const char *solver)
{
    return tn_simulate(tn_format("%s" SENSOR("x", "mean", "position") SENSOR("v", "mean", "velocity")
                                     SENSOR("R", "k", "rotation") "%s",
                                 with_carrier(model), solver),
                       TN_WORDS("--trust"));
}

static void test_solvers_agree(void **state)
{
    (void)state;
    (void)tn_build_complex_step("tests/system/carrier");
    const tn_csv_table *explicit_run =
        solve(joined, "[solver]\ntype = 'rk'\norder = 5\nend_time = 1\nstep = 1e-3\n");
    const tn_csv_table *implicit_run =
        solve(joined, "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-4\n"
                      "[output]\ninterval = 1e-3\n");
    static const char *const columns[] = {"x.x", "x.y", "x.z", "v.x", "v.y", "v.z", "R.0", "R.4", "R.5"};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        const double a = tn_value_at(explicit_run, columns[k], 1.0);
        const double b = tn_value_at(implicit_run, columns[k], 1.0);
        if (!(fabs(a - b) <= 2e-5)) fail_msg("%s: %.12g and %.12g", columns[k], a, b);
    }
}

static void check_same(const tn_csv_table *a, const tn_csv_table *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    for (size_t row = 0; row < a->rows; row++)
        for (size_t k = 0; k < a->columns; k++) {
            const double x = tn_csv_value(a, row, k), y = tn_csv_value(b, row, k);
            if (memcmp(&x, &y, sizeof x) != 0)
                fail_msg("%s, row %zu: %.17g and %.17g", a->name[k], row, x, y);
        }
}

static void test_a_second_run_has_the_same_bits(void **state)
{
    (void)state;
    (void)tn_build_complex_step("tests/system/carrier");
    const char *solver = "[solver]\ntype = 'generalized_alpha'\nend_time = 0.5\nstep = 1e-3\n";
    check_same(solve(joined, solver), solve(joined, solver));
}

/* A center of one marker is that marker: the share of its weight is 1, to the bit. */
static void test_a_center_of_one_marker_is_that_marker(void **state)
{
    (void)state;
    static const char pair[] = BODY_A POINT_C
        "[[element]]\nname = 'c2'\ntype = 'mass_point'\nmass = 0.3\nposition = [1, -1, 0.5]\n"
        "[[marker]]\nname = 'a1'\ntype = 'frame'\nelement = 'a'\nposition = [0.4, 0.1, -0.3]\n"
        "[[marker]]\nname = 'alone'\ntype = 'center'\nmarkers = '%s'\nweights = [0.3]\n" SPRING(
            "s", "'%s', 'c'", "40") SENSOR("v", "alone", "velocity") BALANCE
        "[solver]\ntype = '%s'\nend_time = 0.5\nstep = 1e-3\n";
    static const char *const markers[] = {"a1", "c2"}, *const solvers[] = {"rk", "generalized_alpha"};
    for (int m = 0; m < 2; m++)
        for (int s = 0; s < 2; s++)
            check_same(tn_simulate(tn_format(pair, markers[m], "alone", solvers[s]), NULL),
                       tn_simulate(tn_format(pair, markers[m], markers[m], solvers[s]), NULL));
}

/* ---- sizes ----------------------------------------------------------------------------------------------- */

/* Connectors on markers of bodies keep one block per pair of markers, whatever others of their type stand on. */
static void test_connectors_on_bodies_stand_apart(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world,
                  BODY_A POINT_C POINT_D
                  "[[marker]]\nname = 'm'\ntype = 'center'\nmarkers = ['a', 'c', 'ground', 'c']\n" SPRING(
                      "one", "'c', 'd'", "1") SPRING("two", "'m', 'd'", "1")
                      SPRING("three", "'a', 'ground'", "1") "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1\n",
                  NULL, NULL);
    const tn_assembly *assembly = world.assembly;
    const tn_group *plain = &assembly->group[assembly->group_of[tn_names_find(&world.model->names, "one")]];
    const tn_group *other = &assembly->group[assembly->group_of[tn_names_find(&world.model->names, "two")]];
    assert_int_equal(plain->batch.count, 2);
    assert_int_equal(plain->leg_count, 2);
    assert_int_equal(other->batch.count, 1);
    assert_int_equal(other->leg_count, 4); /* a, c and ground once each, and d */
    tn_world_close(&world);
}

/* ---- failures -------------------------------------------------------------------------------------------- */

static void test_a_marker_that_has_no_place_is_named(void **state)
{
    (void)state;
    (void)tn_build_complex_step("tests/system/carrier");
    const char *model = tn_format("%s[[marker]]\nname = 'bad'\ntype = 'carrier'\nbase = 'k'\naim = 'k'\n"
                                  "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n",
                                  with_carrier(joined));
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("bad.toml", model), "--trust", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("carrier `bad` (", "the point stands on the frame"));
}

static void test_a_missing_tangent_is_told(void **state)
{
    (void)state;
    (void)tn_build_without_passes("tests/system/carrier");
    const char *model =
        tn_format("[plugins]\ncarrier = '%s'\n%s%s[solver]\ntype = 'generalized_alpha'\nend_time = 0.1\n"
                  "step = 0.01\n",
                  tn_scratch_path("carrier_values.so"), joined, carried);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("values.toml", model), "--trust", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("`carrier` was built without its exact tangent"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent_is_exact_where_the_map_of_twists_changes),
        cmocka_unit_test(test_differences_stand_in_for_a_missing_tangent),
        cmocka_unit_test(test_energy_and_momenta_are_kept),
        cmocka_unit_test(test_damping_loses_energy_but_no_momentum),
        cmocka_unit_test(test_solvers_agree),
        cmocka_unit_test(test_a_second_run_has_the_same_bits),
        cmocka_unit_test(test_connectors_on_bodies_stand_apart),
        cmocka_unit_test(test_a_marker_that_has_no_place_is_named),
        cmocka_unit_test(test_a_missing_tangent_is_told),
        cmocka_unit_test(test_a_center_of_one_marker_is_that_marker)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

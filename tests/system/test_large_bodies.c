/* test_large_bodies.c - bodies that list the entries of their matrices, against the same bodies with full ones */
#include "tangent.h"

#include "system/matrix.h"
#include "analysis/differences.h"
#include "system/own_tangent.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const char *plugin(void)
{
    static char path[4096];
    if (path[0] == '\0') (void)snprintf(path, sizeof path, "%s", tn_build_test_plugin("band"));
    return path;
}

#define NODE(body, number) "{ element = '" body "', position = [" #number ", 0, 0] }"
#define SPRING \
    "[[element]]\nname = 's'\ntype = 'spring_damper'\nstiffness = 5\nreference_length = 1\nmarkers = "
#define HELD "[[element]]\nname = 'bar'\ntype = 'distance'\nmarkers = ['middle', " NODE("b", 9) "]\n"

/* Two bodies of one batch, one of another, and connectors between nodes of all of them. `how` goes into the bodies. */
static const char *model(const char *type, const char *how)
{
    const char *body = tn_format("type = '%s'\n%s", type, how);
    return tn_format("[plugins]\n%s = '%s'\n"
                     "[[element]]\nname = 'a'\nsize = 11\nwidth = 2\nhardening = 5\n%s"
                     "[[element]]\nname = 'b'\nsize = 11\nwidth = 2\nstiffness = 80\n%s"
                     "[[element]]\nname = 'm'\nsize = 7\nwidth = 0\n%s%s",
                     type, plugin(), body, body, body,
                     tn_read(TENON_SOURCE_DIR "/tests/system/models/large_bodies.toml"));
}

#define SENSORS                                                    \
    "[[sensor]]\nname = 'a'\nmarker = 'a5'\noutput = 'velocity'\n" \
    "[[sensor]]\nname = 'b'\nmarker = 'b6'\noutput = 'velocity'\n" \
    "[[sensor]]\nname = 'm'\nmarker = 'm4'\noutput = 'velocity'\n" \
    "[[sensor]]\nname = 'kinetic'\nsystem = 'kinetic_energy'\n"    \
    "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n[output]\ninterval = 0.05\n"

enum { TYPES = 2 };
static const char *const types[TYPES] = {"band", "bent_band"};
static const char *const hows[] = {"listed = true\n", "listed = true\nwhole = true\n",
                                   "listed = false\nwhole = false\n"};
static const char full[] = "listed = false\nwhole = true\n";

static void check_runs(const char *type, const char *more, const char *solver, double tolerance)
{
    const tn_csv_table *expected =
        tn_simulate(tn_format("%s%s%s" SENSORS, model(type, full), more, solver), TN_WORDS("--trust"));
    for (size_t k = 0; k < sizeof hows / sizeof *hows; k++) {
        const tn_csv_table *table =
            tn_simulate(tn_format("%s%s%s" SENSORS, model(type, hows[k]), more, solver), TN_WORDS("--trust"));
        assert_true(table->rows == expected->rows && table->rows > 5);
        assert_true(table->columns == expected->columns && table->columns > 9);
        for (size_t row = 0; row < table->rows; row++)
            for (size_t c = 0; c < table->columns; c++) {
                const double value = tn_csv_value(table, row, c), other = tn_csv_value(expected, row, c);
                if (!(fabs(value - other) <= tolerance * (1.0 + fabs(other))))
                    fail_msg("%s row %zu, column %zu: %.15g, with full matrices %.15g", hows[k], row, c,
                             value, other);
            }
    }
}

static void explicit_solvers_take_them_as_full_ones(void **state)
{
    (void)state;
    const char *solver = "[solver]\ntype = 'rk'\nend_time = 0.5\nstep = 1e-3\n";
    for (size_t k = 0; k < TYPES; k++) {
        check_runs(types[k], "", solver, 1e-11);
        check_runs(types[k], HELD, solver, 1e-10);
    }
}

static void implicit_solvers_take_them_as_full_ones(void **state)
{
    (void)state;
    const char *solver = "[solver]\ntype = 'generalized_alpha'\nend_time = 0.5\nstep = 1e-2\n";
    for (size_t k = 0; k < TYPES; k++) {
        check_runs(types[k], "", solver, 1e-8);
        check_runs(types[k], HELD, solver, 1e-8);
    }
}

static void steppers_of_gsl_take_them_as_full_ones(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    for (size_t k = 0; k < TYPES; k++)
        check_runs(types[k], "",
                   "[solver]\ntype = 'gsl_ode'\nstepper = 'bsimp'\nend_time = 0.3\nstep = 1e-3\n", 1e-8);
}

static void the_matrix_is_the_derivative_of_the_forces(void **state)
{
    (void)state;
    tn_check_tangent(model("band", hows[0]));
}

static void check_matrix(const char *type, const char *how)
{
    tn_probe probe, other;
    tn_probe_open(&probe, tn_format("%s" HELD, model(type, full)), NULL, NULL);
    tn_probe_open(&other, tn_format("%s" HELD, model(type, how)), NULL, NULL);
    const size_t size = (size_t)probe.n * probe.n;
    double *expected = tn_numbers(size), *found = tn_numbers(size);
    for (int draw = 0; draw < 20; draw++) {
        tn_probe_draw(&probe);
        for (uint32_t i = 0; i < probe.n; i++)
            probe.world.system->a[i] = other.world.system->a[i] = tn_draw(&probe.random, -3.0, 3.0);
        tn_probe_follow(&other, &probe);
        tn_probe_matrix(&probe, 1.3, 0.4, 0.7, expected);
        tn_probe_matrix(&other, 1.3, 0.4, 0.7, found);
        const double largest = tn_largest_of(expected, size);
        for (size_t e = 0; e < size; e++)
            assert_true(fabs(found[e] - expected[e]) <= 1e-13 * largest);
    }
    free(expected);
    free(found);
    tn_probe_close(&other);
    tn_probe_close(&probe);
}

static void the_matrix_is_that_of_full_ones(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof hows / sizeof *hows; k++)
        for (size_t t = 0; t < TYPES; t++)
            check_matrix(types[t], hows[k]);
}

/* A body without its tangent: differences, entry by entry. */
static void differences_fill_the_entries(void **state)
{
    (void)state;
    tn_probe probe;
    tn_probe_open(&probe, model("band", hows[0]), NULL, NULL);
    tn_assembly *assembly = probe.world.assembly;
    const size_t size = (size_t)probe.n * probe.n;
    double *exact = tn_numbers(size), *found = tn_numbers(size);
    tn_loaded_element type = {0};
    size_t most = 0;
    tn_probe_draw(&probe);
    for (int without = 0; without < 2; without++) {
        for (size_t k = 0; without && k < assembly->group_count; k++) {
            tn_group *group = &assembly->group[k];
            if (!group->own) continue;
            type = *group->type;
            type.body_force_tangent = NULL;
            group->type = &type;
            const size_t needed = tn_own_differences_needed(group);
            most = needed > most ? needed : most;
        }
        if (without) assembly->fill->probe = tn_assembly_new(assembly, most, sizeof(double));
        assert_int_equal(probe.world.system->evaluate(probe.world.system), TN_OK);
        tn_probe_matrix(&probe, 0.0, 0.4, 0.7, without ? found : exact);
    }
    assert_non_null(type.name);
    const double largest = tn_largest_of(exact, size);
    for (size_t e = 0; e < size; e++)
        assert_true(fabs(found[e] - exact[e]) <= 1e-8 * largest);
    free(exact);
    free(found);
    tn_probe_close(&probe);
}

/* Entries of the matrix of two bodies of this size. */
static int32_t entries(int size, const char *more)
{
    tn_world world;
    tn_world_open(&world,
                  tn_format("[plugins]\nband = '%s'\n"
                            "[[element]]\nname = 'a'\ntype = 'band'\nwidth = 3\nsize = %d\n"
                            "[[element]]\nname = 'b'\ntype = 'band'\nwidth = 3\nsize = %d\n%s",
                            plugin(), size, size, more),
                  NULL, NULL);
    const tn_matrix *matrix = tn_system_pattern(world.system);
    assert_non_null(matrix);
    const int32_t count = matrix->column_start[matrix->size];
    tn_world_close(&world);
    return count;
}

static void the_matrix_grows_with_the_number_of_coordinates(void **state)
{
    (void)state;
    assert_int_equal(entries(100, ""), 2 * (700 - 12));
    assert_int_equal(entries(200, ""), 2 * (1400 - 12));
    /* two coordinates of each end, in both halves */
    const char *spring = SPRING "[" NODE("a", 90) ", " NODE("b", 3) "]\n";
    assert_int_equal(entries(100, spring), entries(100, "") + 8);
    assert_int_equal(entries(200, spring), entries(200, "") + 8);
}

static void check_refusal(const char *keys, const char *words)
{
    const char *file =
        tn_write("model.toml", tn_format("[plugins]\nband = '%s'\n[[element]]\nname = 'a'\ntype = 'band'\n%s"
                                         "[[element]]\nname = 's'\ntype = 'spring_damper'\nstiffness = 1\n"
                                         "reference_length = 1\nmarkers = ['ground', " NODE(
                                             "a", 5) "]\n"
                                                     "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.1\n",
                                         plugin(), keys));
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", tn_scratch_path(NULL)));
    assert_int_not_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:3:1: error: ", words));
}

static void what_is_wrong_with_a_list_is_told(void **state)
{
    (void)state;
    check_refusal("fault = 'twice'\n", "but (0, 0) is listed twice (plugin ");
    check_refusal("fault = 'one_sided'\n", "but (9, 0) is missing (plugin ");
    check_refusal("fault = 'outside'\n", "but (10, 1) is outside of them (plugin ");
    check_refusal("width = 1\nfault = 'no_diagonal'\n", "but (0, 0) is missing (plugin ");
}

static void masses_that_are_not_positive_are_refused(void **state)
{
    (void)state;
    check_refusal("inertia = 2\n", "the mass matrix of `a` is not positive definite");
}

static void markers_on_coordinates_that_are_not_there_are_refused(void **state)
{
    (void)state;
    check_refusal("fixed = true\n",
                  "carries a marker on 10 of its coordinates from number 5 on, but has only 10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_solvers_take_them_as_full_ones),
        cmocka_unit_test(implicit_solvers_take_them_as_full_ones),
        cmocka_unit_test(steppers_of_gsl_take_them_as_full_ones),
        cmocka_unit_test(the_matrix_is_the_derivative_of_the_forces),
        cmocka_unit_test(the_matrix_is_that_of_full_ones),
        cmocka_unit_test(differences_fill_the_entries),
        cmocka_unit_test(the_matrix_grows_with_the_number_of_coordinates),
        cmocka_unit_test(what_is_wrong_with_a_list_is_told),
        cmocka_unit_test(masses_that_are_not_positive_are_refused),
        cmocka_unit_test(markers_on_coordinates_that_are_not_there_are_refused)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_tangent.c - the matrix of whole systems against differences of their forces and residuals, at
 * random states */
#include "models.h"
#include "tangent.h"

#include <math.h>

static const char *const models[] = {tn_springs,
                                     tn_functions,
                                     tn_forces,
                                     tn_torques,
                                     tn_inner,
                                     tn_cartesian,
                                     tn_torsional,
                                     tn_bushings,
                                     tn_centers,
                                     tn_reading_springs,
                                     tn_reading_changed,
                                     tn_reading_forces,
                                     tn_reading_coordinates,
                                     tn_reading_functions};
enum { MODELS = sizeof models / sizeof *models };

static void test_springs(void **state)
{
    (void)state;
    tn_check_tangent(tn_springs);
}

static void test_force_functions(void **state)
{
    (void)state;
    tn_check_tangent(tn_functions);
}

static void test_forces(void **state)
{
    (void)state;
    tn_check_tangent(tn_forces);
}

static void test_torques(void **state)
{
    (void)state;
    tn_check_tangent(tn_torques);
}

static void test_cartesian_springs(void **state)
{
    (void)state;
    tn_check_tangent(tn_cartesian);
}

static void test_torsional_springs(void **state)
{
    (void)state;
    tn_check_tangent(tn_torsional);
}

static void test_bushings(void **state)
{
    (void)state;
    tn_check_tangent(tn_bushings);
}

static void test_two_markers_on_one_body(void **state)
{
    (void)state;
    tn_check_tangent(tn_inner);
}

static void test_centers(void **state)
{
    (void)state;
    tn_check_tangent(tn_centers);
}

static void test_parameters_of_springs_that_read_the_motion(void **state)
{
    (void)state;
    tn_check_tangent(tn_reading_springs);
}

static void test_changes_of_what_parameters_read(void **state)
{
    (void)state;
    tn_check_tangent(tn_reading_changed);
}

static void test_functions_that_read_the_motion(void **state)
{
    (void)state;
    tn_check_tangent(tn_reading_functions);
}

static void test_forces_that_read_the_motion(void **state)
{
    (void)state;
    tn_check_tangent(tn_reading_forces);
}

static void test_forces_that_look_back(void **state)
{
    (void)state;
    tn_check_tangent(tn_reading_delays);
}

static void test_forces_that_read_angles(void **state)
{
    (void)state;
    tn_check_tangent(tn_reading_angles);
}

static void test_coordinates_that_read_the_motion(void **state)
{
    (void)state;
    tn_check_tangent(tn_reading_coordinates);
}

/* ---- mass, combinations, pattern ----------------------------------------------------------------------- */

/* The residual is M a - f: a unit acceleration brings a column of M. */
static void check_mass(tn_probe *probe)
{
    tn_system *system = probe->world.system;
    const uint32_t n = probe->n;
    double *mass = tn_numbers((size_t)n * n), *a = tn_numbers(n), *rest = tn_numbers(n),
           *residual = tn_numbers(n);
    tn_probe_matrix(probe, 1.0, 0.0, 0.0, mass);
    assert_int_equal(system->residual(system, a, rest), TN_OK);
    for (uint32_t i = 0; i < n; i++)
        assert_true(rest[i] == -system->force[i]);
    for (uint32_t j = 0; j < n; j++) {
        a[j] = 1.0;
        assert_int_equal(system->residual(system, a, residual), TN_OK);
        a[j] = 0.0;
        for (uint32_t i = 0; i < n; i++) {
            assert_true(mass[i * n + j] == mass[j * n + i]);
            assert_true(fabs(residual[i] - rest[i] - mass[i * n + j]) <= 1e-14 * (1.0 + fabs(rest[i])));
        }
    }
    /* and accelerate() undoes it */
    assert_int_equal(system->accelerate(system, a), TN_OK);
    assert_int_equal(system->residual(system, a, residual), TN_OK);
    for (uint32_t i = 0; i < n; i++)
        assert_true(fabs(residual[i]) <= 1e-13 * tn_largest_of(system->force, n));
    free(mass);
    free(a);
    free(rest);
    free(residual);
}

static void test_mass_is_that_of_the_residual(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        tn_probe probe;
        tn_probe_open(&probe, models[m], NULL, NULL);
        for (int k = 0; k < 20; k++) {
            tn_probe_draw(&probe);
            check_mass(&probe);
        }
        tn_probe_close(&probe);
    }
}

static void test_matrix_is_the_combination_of_its_parts(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        tn_probe probe;
        tn_probe_open(&probe, models[m], NULL, NULL);
        const size_t size = (size_t)probe.n * probe.n;
        double *part[4];
        for (int k = 0; k < 4; k++)
            part[k] = tn_numbers(size);
        tn_probe_draw(&probe);
        for (int k = 0; k < 3; k++)
            tn_probe_matrix(&probe, k == 0, k == 1, k == 2, part[k]);
        tn_probe_matrix(&probe, 3.0, -0.7, 0.2, part[3]);
        const double largest = tn_largest_of(part[3], size);
        for (size_t i = 0; i < size; i++)
            assert_true(fabs(3.0 * part[0][i] - 0.7 * part[1][i] + 0.2 * part[2][i] - part[3][i]) <=
                        1e-14 * largest);
        for (int k = 0; k < 4; k++)
            free(part[k]);
        tn_probe_close(&probe);
    }
}

/* Filling the matrix leaves the forces of the last evaluation as they are, and twice gives the same. */
static void test_filling_changes_nothing(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        tn_probe probe;
        tn_probe_open(&probe, models[m], NULL, NULL);
        const size_t size = (size_t)probe.n * probe.n;
        double *first = tn_numbers(size), *second = tn_numbers(size), *force = tn_numbers(probe.n);
        tn_probe_draw(&probe);
        memcpy(force, probe.world.system->force, probe.n * sizeof *force);
        tn_probe_matrix(&probe, 3.0, 2.0, 1.0, first);
        assert_memory_equal(force, probe.world.system->force, probe.n * sizeof *force);
        tn_probe_matrix(&probe, 3.0, 2.0, 1.0, second);
        assert_memory_equal(first, second, size * sizeof *first);
        free(first);
        free(second);
        free(force);
        tn_probe_close(&probe);
    }
}

static bool holds(const tn_matrix *matrix, int32_t row, uint32_t column)
{
    for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++)
        if (matrix->row[k] == row) return true;
    return false;
}

/* Parameters that read bodies which are not the connector's couple one way. */
static void test_pattern_is_sorted_and_mostly_symmetric(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        tn_world world;
        tn_world_open(&world, models[m], NULL, NULL);
        const tn_matrix *matrix = world.system->pattern(world.system);
        assert_non_null(matrix);
        assert_int_equal(matrix->size, world.system->nv);
        assert_int_equal(matrix->column_start[0], 0);
        for (uint32_t j = 0; j < matrix->size; j++) {
            assert_true(holds(matrix, (int32_t)j, j));
            for (int32_t k = matrix->column_start[j]; k < matrix->column_start[j + 1]; k++) {
                if (k > matrix->column_start[j]) assert_true(matrix->row[k - 1] < matrix->row[k]);
                assert_true(matrix->row[k] >= 0 && (uint32_t)matrix->row[k] < matrix->size);
                assert_true(world.assembly->reading.couples ||
                            holds(matrix, (int32_t)j, (uint32_t)matrix->row[k]));
            }
        }
        tn_world_close(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_springs),
                                       cmocka_unit_test(test_force_functions),
                                       cmocka_unit_test(test_forces),
                                       cmocka_unit_test(test_torques),
                                       cmocka_unit_test(test_cartesian_springs),
                                       cmocka_unit_test(test_bushings),
                                       cmocka_unit_test(test_torsional_springs),
                                       cmocka_unit_test(test_two_markers_on_one_body),
                                       cmocka_unit_test(test_centers),
                                       cmocka_unit_test(test_parameters_of_springs_that_read_the_motion),
                                       cmocka_unit_test(test_changes_of_what_parameters_read),
                                       cmocka_unit_test(test_functions_that_read_the_motion),
                                       cmocka_unit_test(test_forces_that_read_the_motion),
                                       cmocka_unit_test(test_forces_that_look_back),
                                       cmocka_unit_test(test_forces_that_read_angles),
                                       cmocka_unit_test(test_coordinates_that_read_the_motion),
                                       cmocka_unit_test(test_mass_is_that_of_the_residual),
                                       cmocka_unit_test(test_matrix_is_the_combination_of_its_parts),
                                       cmocka_unit_test(test_filling_changes_nothing),
                                       cmocka_unit_test(test_pattern_is_sorted_and_mostly_symmetric)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

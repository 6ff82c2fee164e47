/* tangent.c - the matrix of a whole system against differences of its force, and against other passes */
#include "run/changes.h"
#include "tangent.h"

#include <math.h>

/* The sanitizers see a few. */
enum { STATES = TN_SANITIZED ? 200 : 1000 };

/* ---- derivatives of the force -------------------------------------------------------------------------- */

/* Adds `weight` times the central difference of the force along coordinate j of q or v to `sum`. */
static void add_difference(tn_probe *probe, bool of_q, uint32_t j, double h, double weight, double *sum)
{
    tn_system *system = probe->world.system;
    for (int side = -1; side <= 1; side += 2) {
        if (of_q) {
            probe->increment[j] = side * h;
            assert_int_equal(system->retract(system, probe->q, probe->increment, system->q), TN_OK);
            probe->increment[j] = 0.0;
        } else {
            system->v[j] = probe->v[j] + side * h;
        }
        assert_int_equal(system->evaluate(system), TN_OK);
        for (uint32_t i = 0; i < probe->n; i++)
            sum[i] += side * weight / (2.0 * h) * system->force[i];
    }
    memcpy(system->q, probe->q, system->nq * sizeof(double));
    memcpy(system->v, probe->v, probe->n * sizeof(double));
}

/* Extrapolated from three steps: what is left is of order six. */
static void differentiate(tn_probe *probe, bool of_q, uint32_t j, double *derivative)
{
    static const double weight[3] = {1.0 / 45, -20.0 / 45, 64.0 / 45};
    memset(derivative, 0, probe->n * sizeof(double));
    for (int k = 0; k < 3; k++)
        add_difference(probe, of_q, j, 8e-3 / (1 << k), weight[k], derivative);
}

/* Fails unless the matrix for q or v alone is minus the derivative of the force. */
static void check_derivative(tn_probe *probe, bool of_q, double tolerance, double *exact, double *derivative)
{
    tn_system *system = probe->world.system;
    assert_int_equal(system->evaluate(system), TN_OK);
    tn_probe_matrix(probe, 0.0, of_q ? 0.0 : 1.0, of_q ? 1.0 : 0.0, exact);
    const double largest = tn_largest_of(exact, (size_t)probe->n * probe->n);
    assert_true(largest > 0.0);
    for (uint32_t j = 0; j < probe->n; j++) {
        differentiate(probe, of_q, j, derivative);
        for (uint32_t i = 0; i < probe->n; i++)
            if (!(fabs(-derivative[i] - exact[i * probe->n + j]) <= tolerance * largest))
                fail_msg("-df%u/d%s%u is %.12g by differences, %.12g in the matrix (largest %.3g)", i,
                         of_q ? "q" : "v", j, -derivative[i], exact[i * probe->n + j], largest);
    }
}

void tn_check_tangent(const char *model)
{
    tn_probe probe;
    tn_probe_open(&probe, model, NULL, NULL);
    double *exact = tn_numbers((size_t)probe.n * probe.n), *derivative = tn_numbers(probe.n);
    for (int state = 0; state < STATES; state++) {
        bool any = false;
        if (state == STATES / 2)
            assert_int_equal(tn_changes_apply(probe.world.assembly, HUGE_VAL, &any), TN_OK);
        tn_probe_draw(&probe);
        check_derivative(&probe, true, 1e-9, exact, derivative);
        check_derivative(&probe, false, 1e-9, exact, derivative);
    }
    free(exact);
    free(derivative);
    tn_probe_close(&probe);
}

/* Types without tangents of their forces. */
static void take_tangents(tn_assembly *assembly, tn_loaded_element *types)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        types[k] = *assembly->group[k].type;
        types[k].force_tangent = NULL;
        assembly->group[k].type = &types[k];
    }
}

void tn_check_tangent_with_states(const char *model, double factor, bool exact, double tolerance)
{
    tn_probe probe;
    tn_probe_open(&probe, model, NULL, NULL);
    tn_probe_follow_states(&probe, factor);
    tn_loaded_element *types = calloc(probe.world.assembly->group_count, sizeof *types);
    assert_non_null(types);
    if (!exact) take_tangents(probe.world.assembly, types);
    double *matrix = tn_numbers((size_t)probe.n * probe.n), *derivative = tn_numbers(probe.n);
    for (int state = 0; state < STATES; state++) {
        tn_probe_draw(&probe);
        check_derivative(&probe, true, tolerance, matrix, derivative);
        check_derivative(&probe, false, tolerance, matrix, derivative);
    }
    free(matrix);
    free(derivative);
    tn_probe_close(&probe);
    free(types);
}

/* ---- other passes -------------------------------------------------------------------------------------- */

/* Both give the same force; the matrices differ by what differences cannot know. */
void tn_compare_tangents(const char *model, const char *type, const char *plugin, double tolerance)
{
    tn_probe exact, approximate;
    tn_probe_open(&exact, model, NULL, NULL);
    tn_probe_open(&approximate, model, type, plugin);
    const size_t n = exact.n, size = n * n;
    double *a = tn_numbers(size), *b = tn_numbers(size), *force = tn_numbers(n);
    bool differ = false;
    for (int state = 0; state < 100; state++) {
        tn_probe_draw(&exact);
        tn_probe_follow(&approximate, &exact);
        memcpy(force, approximate.world.system->force, n * sizeof *force);
        tn_probe_matrix(&exact, 1.0, 1.0, 1.0, a);
        tn_probe_matrix(&approximate, 1.0, 1.0, 1.0, b);
        const double largest = tn_largest_of(a, size);
        for (size_t i = 0; i < size; i++) {
            differ = differ || a[i] != b[i];
            if (!(fabs(a[i] - b[i]) <= tolerance * largest))
                fail_msg("%s: entry %zu, %zu is %.12g in the other way, not %.12g", type, i / n, i % n, b[i],
                         a[i]);
        }
        /* neither the current force nor the next one was touched by the differences */
        assert_memory_equal(force, approximate.world.system->force, n * sizeof *force);
        assert_int_equal(approximate.world.system->evaluate(approximate.world.system), TN_OK);
        assert_memory_equal(force, approximate.world.system->force, n * sizeof *force);
    }
    if (tolerance > 1e-9) assert_true(differ); /* else the passes were there */
    free(a);
    free(b);
    free(force);
    tn_probe_close(&exact);
    tn_probe_close(&approximate);
}

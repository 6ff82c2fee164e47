/* test_prediction.c - what the prediction of a step gets right, from the states before */
#include "test_alpha.h"

static alpha_work make(tn_system *system, double spectral_radius, int index)
{
    alpha_instance settings = defaults();
    settings.spectral_radius = spectral_radius;
    const tn_solver_type *type = test_solver_of(tn_plugin_library());
    static test_system test;
    test_oscillator(&test, 1.0);
    assert_int_equal(type->prepare(&test.host.table, &settings, &test.run), TN_OK);
    alpha_work work = {.system = system, .c = settings.coefficients, .index = index};
    system->rows = 1;
    tn_alpha_make_predictors(&work);
    return work;
}

/* The largest error of a way for what signal() is at the steps 0, -1, -2 and so on, at step 1. */
static double error_of(const alpha_work *work, uint32_t way, double (*signal)(double step, double root),
                       double root)
{
    double predicted = 0.0;
    for (int k = 0; k <= ALPHA_PAST; k++)
        predicted += work->predictors.coefficient[way][k] * signal(-k, root);
    return fabs(predicted - signal(1, root));
}

static double line(double n, double root) { return (void)root, 2.0 - 0.3 * n; }
static double parabola(double n, double root) { return (void)root, 1.0 + 0.2 * n - 0.1 * n * n; }
static double cubic(double n, double root) { return (void)root, 1.0 - 0.1 * n + 0.01 * n * n * n; }
static double alternating(double n, double root) { return (1.0 + 0.3 * n + 0.2 * n * n) * pow(root, n); }
static double simply_alternating(double n, double root) { return pow(root, n); }

static void test_smooth_motion_is_predicted(void **state)
{
    (void)state;
    tn_system system = {0};
    const alpha_work work = make(&system, 0.8, 3);
    assert_int_equal(work.predictors.ways, ALPHA_WAYS);
    for (uint32_t way = 0; way < ALPHA_WAYS; way++)
        assert_true(error_of(&work, way, line, 0.0) < 1e-13);
    assert_true(error_of(&work, CURVATURE, parabola, 0.0) < 1e-14);
    assert_true(error_of(&work, CURVATURE_ALTERNATING, parabola, 0.0) < 1e-13);
    assert_true(error_of(&work, CUBIC, cubic, 0.0) < 1e-13);
    assert_true(error_of(&work, CUBIC_ALTERNATING, cubic, 0.0) < 1e-12);
    assert_true(error_of(&work, SLOPES, parabola, 0.0) > 0.1);
    assert_true(error_of(&work, CURVATURE_ALTERNATING, cubic, 0.0) > 0.01);
}

/* At index 3 the roots at infinity are -r, three times; at index 2 once, as -(1 - gamma)/gamma is. */
static void test_what_alternates_at_infinite_frequency_is_predicted(void **state)
{
    (void)state;
    static const double radius[] = {0.0, 0.5, 0.8, 0.95};
    tn_system system = {0};
    for (int k = 1; k < 4; k++) {
        const alpha_work work = make(&system, radius[k], 3);
        for (uint32_t way = SLOPES_ALTERNATING; way <= CUBIC_ALTERNATING; way++)
            assert_true(error_of(&work, way, alternating, -radius[k]) < 1e-12);
        assert_true(error_of(&work, CURVATURE, alternating, -radius[k]) > 0.1);
    }
    for (int k = 1; k < 4; k++) {
        const alpha_work work = make(&system, radius[k], 2);
        const double other = -(1.0 - work.c.gamma) / work.c.gamma;
        assert_true(error_of(&work, CURVATURE_ALTERNATING, simply_alternating, -radius[k]) < 1e-12);
        assert_true(error_of(&work, CURVATURE_ALTERNATING, simply_alternating, other) < 1e-12);
    }
    const alpha_work work = make(&system, radius[0], 3); // nothing alternates
    assert_true(error_of(&work, CURVATURE_ALTERNATING, parabola, 0.0) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth_motion_is_predicted),
        cmocka_unit_test(test_what_alternates_at_infinite_frequency_is_predicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

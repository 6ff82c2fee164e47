/* test_jacobian.c - the Jacobian that gsl_ode makes from the tangent of the system, against differences of y'. */
#include "test_run.h"

/* A body on a spring and damper that grips beside its centre of mass, with a mass matrix that is not diagonal, and
 * a first-order state that the force and the motion feed. */
static const double grip[3] = {0.3, -0.2, 0.5}, coupling = 0.3;

static void rotate(const double *p, const double *a, double *result, bool back)
{
    double square = 0.0, turned[4];
    for (int i = 0; i < 4; i++)
        square += p[i] * p[i];
    const double sign = back ? -1.0 : 1.0;
    const double left[4] = {p[0], sign * p[1], sign * p[2], sign * p[3]}, middle[4] = {0.0, a[0], a[1], a[2]},
                 right[4] = {p[0], -sign * p[1], -sign * p[2], -sign * p[3]};
    test_quaternion_product(left, middle, turned);
    test_quaternion_product(turned, right, turned);
    for (int i = 0; i < 3; i++)
        result[i] = turned[i + 1] / square; // as bodies do: of the normalised quaternion
}

static void cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static tn_status evaluate_held_body(tn_system *system)
{
    test_system *test = test_of(system);
    double arm[3], turning[3], moved[3], pull[3], local[3], torque[3];
    test->evaluations++;
    test_body_force(test);
    rotate(system->q + 3, grip, arm, false);
    cross(system->v + 3, grip, turning);
    rotate(system->q + 3, turning, moved, false);
    for (int i = 0; i < 3; i++)
        pull[i] = -50.0 * (system->q[i] + arm[i]) - 2.0 * (system->v[i] + moved[i]) -
                  (system->nx > 0 ? system->x[0] : 0.0);
    pull[2] += sin(5.0 * system->time);
    rotate(system->q + 3, pull, local, true);
    cross(grip, local, torque);
    for (int i = 0; i < 3; i++) {
        test->force[i] += pull[i];
        test->force[3 + i] += torque[i];
    }
    if (system->nx > 0) system->x_rate[0] = system->q[4] * system->v[5] - system->x[0] * system->x[0];
    return TN_OK;
}

/* Entries 0 and 5 of the velocity share mass. */
static double mass_at(const test_system *test, size_t i, size_t j)
{
    return i == j ? test->mass[i] : i + j == 5 && i * j == 0 ? coupling : 0.0;
}

static tn_status accelerate_coupled(tn_system *system, double *a)
{
    const test_system *test = test_of(system);
    const double determinant = test->mass[0] * test->mass[5] - coupling * coupling;
    (void)test_accelerate(system, a);
    a[0] = (test->mass[5] * test->force[0] - coupling * test->force[5]) / determinant;
    a[5] = (test->mass[0] * test->force[5] - coupling * test->force[0]) / determinant;
    return TN_OK;
}

/* Differences of order 4 along the retraction and in v: the system's tangent up to 1e-10. */
static tn_status matrix_by_differences(tn_system *system, double c_mass, double c_damping, double c_stiffness)
{
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
    const double step = 1e-3;
    test_system *test = test_of(system);
    const size_t nv = system->nv;
    double q[7], v[6], x_rate = test->x_rate[0];
    memcpy(q, system->q, sizeof q);
    memcpy(v, system->v, sizeof v);
    test->matrices++;
    for (size_t j = 0; j < nv; j++) {
        for (size_t i = 0; i < nv; i++)
            test->value[j * nv + i] = c_mass * mass_at(test, i, j);
        for (int k = 0; k < 4; k++) {
            double increment[6] = {0.0};
            increment[j] = at[k] * step;
            (void)test_retract(system, q, increment, system->q);
            (void)evaluate_held_body(system);
            for (size_t i = 0; i < nv; i++)
                test->value[j * nv + i] -= c_stiffness * weight[k] * test->force[i] / step;
            memcpy(system->q, q, sizeof q);
            system->v[j] = v[j] + at[k] * step;
            (void)evaluate_held_body(system);
            for (size_t i = 0; i < nv; i++)
                test->value[j * nv + i] -= c_damping * weight[k] * test->force[i] / step;
            system->v[j] = v[j];
        }
    }
    (void)evaluate_held_body(system);
    test->x_rate[0] = x_rate;
    return TN_OK;
}

static void held_body(test_system *test, bool with_state)
{
    test_body(test);
    test->system.evaluate = evaluate_held_body;
    test->system.accelerate = accelerate_coupled;
    test->system.matrix = matrix_by_differences;
    test->system.nx = with_state;
    test->x[0] = 0.4;
    const double q[7] = {0.1, -0.2, 0.3, 0.5, -0.1, 0.7, 0.5};
    memcpy(test->q, q, sizeof q);
    (void)test_normalise(&test->system, test->q);
}

/* Opens the work of a run at the system's state. */
static void open_at_start(gsl_ode_work *work, test_system *test, int32_t stepper)
{
    assert_int_equal(open_work(work, &steppers[stepper], &test->system), TN_OK);
    (void)test->system.evaluate(&test->system);
    (void)test->system.accelerate(&test->system, test->a);
    assert_int_equal(tn_gsl_restart(work), TN_OK);
    work->h = 0.01;
}

static void check_jacobian(test_system *test, double length)
{
    enum { MOST = 14 };
    gsl_ode_work work;
    double jacobian[MOST * MOST], dfdt[MOST], forward[MOST], backward[MOST];
    open_at_start(&work, test, BSIMP);
    const size_t n = work.size;
    double *y = work.motion.y;
    for (size_t i = 3; i < 7 && !test->system.vector_space; i++)
        y[i] *= length;
    assert_int_equal(tn_gsl_jacobian(0.7, y, jacobian, dfdt, &work.motion), GSL_SUCCESS);
    const double step = 1e-5;
    for (size_t j = 0; j < n; j++) {
        const double kept = y[j];
        y[j] = kept + step;
        (void)tn_gsl_function(0.7, y, forward, &work.motion);
        y[j] = kept - step;
        (void)tn_gsl_function(0.7, y, backward, &work.motion);
        y[j] = kept;
        for (size_t i = 0; i < n; i++) {
            const double expected = (forward[i] - backward[i]) / (2.0 * step);
            if (fabs(jacobian[i * n + j] - expected) > 2e-7)
                fail_msg("dy'%d/dy%d is %g, not %g", (int)i, (int)j, jacobian[i * n + j], expected);
        }
    }
    (void)tn_gsl_function(0.7 + step, y, forward, &work.motion);
    (void)tn_gsl_function(0.7 - step, y, backward, &work.motion);
    for (size_t i = 0; i < n; i++)
        assert_true(fabs(dfdt[i] - (forward[i] - backward[i]) / (2.0 * step)) < 1e-6);
    close_work(&work);
}

/* All columns, also those across the manifold, and away from it, where multistep methods evaluate. */
static void test_jacobian_is_the_derivative(void **state)
{
    (void)state;
    for (int with_state = 0; with_state < 2; with_state++)
        for (int off = 0; off < 2; off++) {
            test_system test;
            held_body(&test, with_state);
            check_jacobian(&test, off ? 1.01 : 1.0);
            test_end(&test);
        }
}

static void test_jacobian_of_a_vector_space_is_the_derivative(void **state)
{
    (void)state;
    test_system test;
    test_chain(&test);
    test.cubic = 40.0;
    check_jacobian(&test, 1.0);
    test_end(&test);
}

static void test_implicit_steppers_agree_on_a_held_body(void **state)
{
    (void)state;
    static const int32_t others[] = {RK4IMP, BSIMP, MSBDF};
    double reference[7];
    for (int k = -1; k < 3; k++) {
        test_system test;
        held_body(&test, true);
        const double tolerance = k < 0 ? 1e-11 : 1e-8;
        test.run = (tn_run){.end_time = 0.5,
                            .step = 0.01,
                            .step_given = 1,
                            .adaptive = 1,
                            .relative_tolerance = tolerance,
                            .absolute_tolerance = tolerance};
        run_well(&test, k < 0 ? RK8PD : others[k]);
        if (k < 0) memcpy(reference, test.q, sizeof reference);
        for (int i = 0; i < 7; i++)
            assert_true(fabs(test.q[i] - reference[i]) < 1e-5);
        test_end(&test);
    }
}

/* A mass that changes is inverted again. */
static void test_mass_is_read_again_after_a_change(void **state)
{
    (void)state;
    test_system test;
    gsl_ode_work work;
    double jacobian[4], dfdt[2];
    test_oscillator(&test, 2.0);
    open_at_start(&work, &test, RK1IMP);
    assert_int_equal(tn_gsl_jacobian(0.0, work.motion.y, jacobian, dfdt, &work.motion), GSL_SUCCESS);
    assert_true(jacobian[0] == 0.0 && jacobian[1] == 1.0 && jacobian[2] == -4.0 && jacobian[3] == 0.0);
    test.mass[0] = 2.0;
    test.system.revision++;
    assert_int_equal(tn_gsl_restart(&work), TN_OK);
    assert_int_equal(tn_gsl_jacobian(0.0, work.motion.y, jacobian, dfdt, &work.motion), GSL_SUCCESS);
    assert_true(fabs(jacobian[2] + 2.0) < 1e-15);
    close_work(&work);
    test_end(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobian_is_the_derivative),
        cmocka_unit_test(test_jacobian_of_a_vector_space_is_the_derivative),
        cmocka_unit_test(test_implicit_steppers_agree_on_a_held_body),
        cmocka_unit_test(test_mass_is_read_again_after_a_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
